/** Poses that the user keeps, of a skeleton or of others whose joints have the same names. */

/** Joints in a pose, by their names: local transforms. */
export interface PoseJoints {
  joints: string[]
  /** 3 per joint */
  translation: Float32Array
  /** 4 per joint */
  rotation: Float32Array
}

export interface KeptPose extends PoseJoints {
  id: string
  name: string
  /** '' for none */
  group: string
  /** null where it has no picture */
  png: Uint8Array | null
}

/** The poses of one skeleton. */
export interface PoseShelf {
  id: string
  /** of the shown skeleton itself */
  own: boolean
  /** the model that the first of them was kept of */
  label: string
  /** so many of its joints have names that the shown skeleton has, of so many */
  shared: number
  joints: number
  poses: KeptPose[]
}

export interface PoseShelves {
  shelves: PoseShelf[]
  /** of skeletons whose joints are called otherwise: their poses mean nothing here */
  strange: Omit<PoseShelf, 'poses' | 'own'>[]
}
