/** What can be chosen for a motion that is carried from one model to another: calls, window, what is kept and the command line have it from here. */
import * as v from 'valibot'
import { defaultsOf, keptEntries, schemasOf } from './option.ts'
import type { OptionTable, OptionValues } from './option.ts'

export const RETARGET_OPTIONS = {
  /** the way over the ground: all of it, what is left without the straight way from first to last frame, or none */
  travel: { kind: 'choice', default: 'keep', values: ['keep', 'in-place', 'drop'] },
  /** arms and legs that are bound at another angle are brought into one silhouette first */
  align: { kind: 'flag', default: true },
  /** hips move: up and down, and over the ground as `travel` says */
  hips: { kind: 'flag', default: true },
  /** what hangs on nothing that is moved, a weapon in a hand, goes along with that */
  ride: { kind: 'flag', default: true },
  /** feet are held where they stand, by hips that move */
  plants: { kind: 'flag', default: true },
  /** feet go into the floor no deeper than the source's, whose shoes may be shorter */
  soles: { kind: 'flag', default: true },
  /** how far any point may be off for fewer keys, as a share of the figure's height; 0.25 % is what the eye sees in a walk */
  bound: { kind: 'number', default: 0.001, least: 0.00001, most: 0.0025 },
} as const satisfies OptionTable

/** A value for each option. */
export type RetargetSettings = OptionValues<typeof RETARGET_OPTIONS>
export type Travel = RetargetSettings['travel']
export const RETARGET_DEFAULTS: RetargetSettings = defaultsOf(RETARGET_OPTIONS)
export const retargetSettingsSchema = v.partial(v.object(schemasOf(RETARGET_OPTIONS)))

/** Joints of the one that takes the motion by names of the one that has it; '' for none. */
export const retargetMap = v.record(v.string(), v.string())

/** What the window keeps for a pair of models. */
export interface RetargetChoice extends RetargetSettings {
  map: Record<string, string>
}

export const FRESH_RETARGET: RetargetChoice = { ...RETARGET_DEFAULTS, map: {} }

export const keptRetarget = v.object({
  ...keptEntries(RETARGET_OPTIONS),
  map: v.fallback(retargetMap, FRESH_RETARGET.map),
}) satisfies v.GenericSchema<unknown, RetargetChoice>
