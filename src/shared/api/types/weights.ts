/** Weights of skinned meshes: one interface for all families. */

export interface WeightLimits {
  /** what a full weight is in the file: 100, 1 */
  fullWeight: number
  /** 0 for any number */
  maxInfluences: number
  /** step of a stored weight (percent: 1), 0 for any */
  step: number
  /** zero weights must stand after the others */
  packedFront: boolean
  /** what else the file does with weights when they are written, a sentence each: for the window to say before */
  rules: string[]
  readOnly: string
}

/** Weights of one skinned mesh in native vertices and native scale (compressed rows). */
export interface NativeWeights {
  /** `ref#path` */
  id: string
  mesh: string
  /** index of the mesh in the scene */
  sceneMesh: number
  vertexCount: number
  /** bones that can have weights: names, and joints of the scene */
  bones: { name: string; joint: number }[]
  offsets: Uint32Array
  bone: Uint16Array
  weight: Float32Array
  limits: WeightLimits
}

/** New weights for some vertices; the others stay. */
export interface WeightEdit {
  id: string
  vertices: Uint32Array
  /** per listed vertex */
  offsets: Uint32Array
  bone: Uint16Array
  weight: Float32Array
}
