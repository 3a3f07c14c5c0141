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
  /** what it is to who edits it, where its type does not say that */
  use?: FieldUse
}

/** Bits of a number that mean something of their own: one is a flag, several are a number or a choice. */
export interface BitPart {
  name: string
  /** the lowest one */
  at: number
  /** how many */
  width: number
  /** of the values in their order; '' for one without a name */
  values?: readonly string[]
}

/** What changes a field of an archive that is not set by itself: another name of the member, another body, members that come and go. */
export type StructureBy = 'name' | 'body' | 'members'

export type FieldUse =
  /** follows from what else is in the file: a count, an offset, a mark that says what follows */
  | { is: 'structure'; by?: StructureBy }
  /** characters that are one of these words */
  | { is: 'word'; words: readonly string[] }
  /** bytes of what its node holds: follows when that gets longer */
  | { is: 'size' }
  /** a choice: names of the values in their order, '' for one without a name */
  | { is: 'choice'; values: readonly string[] }
  | { is: 'bits'; parts: readonly BitPart[] }
  /** components in the order of the numbers: `rgba`, `bgra`, `rgb-`. Floats are 0..1 */
  | { is: 'color'; order: string }
  /** pixels of one level, or the colours of a palette: `what` is their size and format in words. A change of them is one, not one a byte */
  | { is: 'pixels'; what: string }
  /** the number of a node of this name, here or in another file of the model; `none` is the number of no node */
  | { is: 'reference'; to: string; none?: number }
  /** a text that is as long as it is: `counted` has a u32 with the number of its bytes in front, `token` is written by its format; `unit`: filled up to a multiple; `most`: bytes that games keep of it; `color`: its words are the components of one, here as a colour is told */
  | { is: 'text'; form: 'counted' | 'whole' | 'token'; unit?: number; most?: number; color?: string }

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
