/** What a user chooses for a model of the family. */
import { say } from '../texts/index.ts'
import type { ModelChoices, ModelOption } from '../../binding.ts'
import type { BbpForm } from '../codecs/bbp.ts'
import type { SwizzleChoice } from '../codecs/tim2-pixels.ts'

/** Keys of the choices. */
export const OPTION = {
  tickRate: 'level5.tickRate',
  type40: 'level5.type40',
  bbp: 'level5.bbp',
  swizzle: 'level5.swizzle',
  type51: 'level5.type51',
  shownFrom: 'level5.shownFrom',
  backFaces: 'level5.backFaces',
} as const

export type Type40 = 'transparency' | 'scale'

/** Dark Cloud 1: one source says so, and lengths of runs and blows fit; Dark Cloud 2 changes it with the scene. */
const TICK_RATE = 60

function choiceOf<T extends string>(value: unknown, allowed: readonly T[], fallback: T): T {
  return allowed.includes(value as T) ? (value as T) : fallback
}

/** Frames a second that speed 1 means. */
export function tickRateOf(choices: ModelChoices): number {
  const value = choices[OPTION.tickRate]
  return typeof value === 'number' && value > 0 ? value : TICK_RATE
}

export function swizzleOf(choices: ModelChoices): SwizzleChoice {
  return choiceOf<SwizzleChoice>(choices[OPTION.swizzle], ['auto', 'smooth', 'linear', 'swizzled'], 'auto')
}

export function bbpFormOf(choices: ModelChoices): 'auto' | BbpForm {
  return choiceOf<'auto' | BbpForm>(choices[OPTION.bbp], ['auto', 'local', 'world'], 'auto')
}

export function type40Of(choices: ModelChoices): 'auto' | Type40 {
  return choiceOf<'auto' | Type40>(choices[OPTION.type40], ['auto', 'transparency', 'scale'], 'auto')
}

/** Whether nodes that say so by their name lose their back faces. */
type BackFaces = 'culled' | 'drawn'

export function backFacesOf(choices: ModelChoices): BackFaces {
  return choiceOf<BackFaces>(choices[OPTION.backFaces], ['culled', 'drawn'], 'culled')
}

/** @param nodes with the letter in their name */
export function backFacesOption(chosen: BackFaces, nodes: number): ModelOption {
  return {
    key: OPTION.backFaces,
    label: say('scene.backFaces.label'),
    reason: say('scene.backFaces.reason', { count: nodes }),
    value: chosen,
    options: [
      { value: 'culled', label: say('scene.backFaces.culled') },
      { value: 'drawn', label: say('scene.backFaces.drawn') },
    ],
  }
}

/** Whether a track of type 51 above a mesh also hides one that has a track of type 50 of its own. */
type Type51 = 'own' | 'tree'

export function type51Of(choices: ModelChoices): Type51 {
  return choiceOf<Type51>(choices[OPTION.type51], ['own', 'tree'], 'own')
}

export function type51Option(chosen: Type51, both: number): ModelOption {
  return {
    key: OPTION.type51,
    label: say('scene.type51.label'),
    reason: say('scene.type51.reason', { count: both }),
    value: chosen,
    options: [
      { value: 'own', label: say('scene.type51.own') },
      { value: 'tree', label: say('scene.type51.tree') },
    ],
  }
}

/** From which value on a track of type 50 or 51 shows: 1 in Dark Cloud 1 [one source]; of one half nobody says anything, but a switch that was rounded. */
export type ShownFrom = 'one' | 'half'

export const SHOWN_FROM: Readonly<Record<ShownFrom, number>> = { one: 1, half: 0.5 }

export function shownFromOf(choices: ModelChoices): ShownFrom {
  return choiceOf<ShownFrom>(choices[OPTION.shownFrom], ['one', 'half'], 'one')
}

/** @param between keys that the readings disagree on */
export function shownFromOption(chosen: ShownFrom, between: number): ModelOption {
  return {
    key: OPTION.shownFrom,
    label: say('scene.shownFrom.label'),
    reason: say('scene.shownFrom.reason', { count: between }),
    value: chosen,
    options: [
      { value: 'one', label: say('scene.shownFrom.one') },
      { value: 'half', label: say('scene.shownFrom.half') },
    ],
  }
}

export function tickRateOption(rate: number): ModelOption {
  return {
    key: OPTION.tickRate,
    label: say('scene.tickRate.label'),
    reason: say('scene.tickRate.reason'),
    value: rate,
    options: [...new Set([30, 60, rate])].map((value) => ({ value, label: `${value}` })),
  }
}

/** @param paletted 8-bit pictures of the model, @param turned those of them that are read as swizzled */
export function swizzleOption(swizzle: SwizzleChoice, paletted: number, turned: number): ModelOption {
  return {
    key: OPTION.swizzle,
    label: say('scene.swizzle.label'),
    reason: swizzle === 'auto' ? say('scene.swizzle.reason', { turned, all: paletted }) : say('scene.chosen'),
    value: swizzle,
    options: [
      { value: 'auto', label: say('scene.swizzle.auto') },
      { value: 'smooth', label: say('scene.swizzle.smooth') },
      { value: 'linear', label: say('scene.swizzle.linear') },
      { value: 'swizzled', label: say('scene.swizzle.swizzled') },
    ],
  }
}

export function bbpOption(chosen: 'auto' | BbpForm, found: { form: BbpForm; reason: string }): ModelOption {
  return {
    key: OPTION.bbp,
    label: say('scene.bindPose.label'),
    reason: chosen === 'auto' ? say(`scene.bindPose.found.${found.form}`, { why: found.reason }) : say('scene.chosen'),
    value: chosen,
    options: [
      { value: 'auto', label: say('scene.bindPose.auto') },
      { value: 'local', label: say('scene.bindPose.local') },
      { value: 'world', label: say('scene.bindPose.world') },
    ],
  }
}

/** @param transparent of the tracks of type 40 that the evidence takes for transparency */
export function type40Option(chosen: 'auto' | Type40, transparent: number, type40: number): ModelOption {
  return {
    key: OPTION.type40,
    label: say('scene.type40.label'),
    reason:
      chosen === 'auto'
        ? say(transparent < type40 ? 'scene.type40.reasonOfSome' : 'scene.type40.reasonOfAll', { count: transparent, all: type40 })
        : say('scene.chosen'),
    value: chosen,
    options: [
      { value: 'auto', label: say('scene.type40.auto') },
      { value: 'transparency', label: say('scene.type40.alpha') },
      { value: 'scale', label: say('scene.type40.scale') },
    ],
  }
}
