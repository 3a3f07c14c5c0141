/** Named places that hang on joints: one interface for all families. */

/** A named place of a file that hangs on a joint. */
export interface NativePoint {
  /** names it in calls; holds until points of its file come or go */
  id: string
  ref: string
  /** what the scene draws for it: index into Scene.helpers */
  helper: number
  /** as the file has them; `joint`: the value names a joint */
  fields: PointField[]
}

export interface PointField {
  key: string
  label: string
  value: number[] | string
  joint?: boolean
  /** the value is the place: the scene's own in the joint's space, each number times these */
  place?: readonly [number, number, number]
  note?: string
}

export interface NativePoints {
  points: NativePoint[]
  /** files of the model that can hold more of them; `refused` says why one cannot, `note` what else an addition changes */
  places: { ref: string; refused: string; note: string }[]
}
