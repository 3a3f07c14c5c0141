/** A motion of one model on the skeleton of another. */
import type { MapReason } from '../../motion/figure-map.ts'
import type { SceneBeyond } from './model.ts'

export interface RetargetedJoint {
  joint: string
  /** joint of the source, '' for none */
  from: string
  why: MapReason
  /** joint of the target that it goes along with as it stands there, where nothing moves it */
  on?: string
}

export interface RetargetReport {
  clip: string
  into: string
  /** that one is new: nothing had its name */
  made: boolean
  /** 0 to 1: parts of the body that both have and that are mapped */
  score: number
  /** height of the target's hips by the source's */
  ratio: number
  joints: RetargetedJoint[]
  frames: number
  /** frames per second that it was sampled at */
  rate: number
  keysWritten: number
  keysRemoved: number
  /** joints whose motion changed */
  changed: string[]
  /** what fewer keys cost, and what the format's packing of values adds; units of the target, degrees */
  reduced: number
  coding: { distance: number; degrees: number }
  /** both together, as the written clip plays: the most that a point of the figure is off, in units of the target */
  error: number
  /** feet that stand, and how far they slide at most from where they came down; units of the target */
  plants: number
  slide: number
  /** what could not be taken over, in words */
  left: string[]
}

export interface RetargetPreview extends SceneBeyond {
  report: RetargetReport
}
