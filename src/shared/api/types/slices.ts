/** Slices of clips. */

export interface SliceLimits {
  /** slices are in the game's own files; otherwise in Marrow's workspace file */
  native: boolean
  named: boolean
  /** longest name in bytes of the file's encoding, 0 for no limit */
  nameBytes: number
  integerFrames: boolean
  unit: 'frame' | 'ms' | 's'
  /** speed that a new slice begins with, as Slice.speed */
  newSpeed: number
}

/** What is wrong with values of a slice. */
export interface SliceFinding {
  severity: 'error' | 'warning'
  /** the value that it is about; of two that contradict each other, the later one */
  field: 'name' | 'start' | 'end' | 'speed'
  message: string
}
