/** A document as its format describes it: nodes and fields with their places in the file. */

/** A field of a structure node. */
export interface StructureField {
  /** the spec's field name */
  name: string
  /** as the format has it, for reading */
  value: string
  /** `u32`, `f32[3]`, `char[16]`, `f32[3] x 529` */
  type: string
  /** bytes in the file */
  start: number
  size: number
  /** nobody knows what it means, or sources disagree: shown as such */
  unknown?: boolean
  note?: string
  /** of a column: what its entries are called */
  entries?: FieldEntries
}

/** Names of the entries of a column: numbered, or by the part of the record that has the name (`frame`, `time`). */
export interface FieldEntries {
  /** `frame`, `vertex`, `time` */
  what: string
  unit?: string
  /** number of the first entry */
  first?: number
  /** one entry stands for so many: 16 frames of a block of deltas */
  per?: number
  /** entries take turns: the components of one block */
  of?: readonly string[]
}

/** A node of a document, for the structure panel, `marrow info` and the paths in Changes. */
export interface StructureNode {
  /** last part of the path: `pivots[3]` */
  name: string
  /** what it is: `PIVOT`, `Skin PLG` */
  type: string
  start: number
  end: number
  /** carried raw */
  opaque?: boolean
  summary?: string
  fields: StructureField[]
  children: StructureNode[]
}
