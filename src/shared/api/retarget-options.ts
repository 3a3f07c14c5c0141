/** What can be chosen for a motion that is carried from one model to another, and what is chosen where nothing is said. */

/** What becomes of the way over the ground: all of it, what is left without the straight way from first to last, or none. */
export type Travel = 'keep' | 'in-place' | 'drop'

export interface RetargetSettings {
  travel: Travel
  /** feet are held where they stand */
  plants: boolean
  /** how far any point may be off for fewer keys, as a share of the figure's height */
  bound: number
}

export const RETARGET_OPTIONS = {
  travel: ['keep', 'in-place', 'drop'],
  /** 0.25 % is what the eye sees in a walk */
  bound: { least: 0.00001, most: 0.0025 },
} as const

export const RETARGET_DEFAULTS: RetargetSettings = { travel: 'keep', plants: true, bound: 0.001 }
