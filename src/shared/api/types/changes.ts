/** Differences of bytes, as fields and nodes of the format. */

/** What an edit would change in the bytes of a file, told without making it. */
export interface EditPreview {
  ref: string
  name: string
  sizeBefore: number
  size: number
  changedBytes: number
  /** fields that change, columns as one; values of a field that is one number or text */
  fields: { name: string; count: number; before: string; after: string }[]
  /** changes behind those that were looked at: they may be in other fields */
  omitted: number
}

/** The same place in the original and in the new bytes; empty on one side for what came or went. */
export interface ByteRange {
  /** in the original */
  start: number
  end: number
  /** in the new bytes */
  newStart: number
  newEnd: number
}

/** A field that differs between the original and now. */
export interface ByteChange extends ByteRange {
  /** the field there, e.g. `tracks[3].keys[7].x` */
  path: string
  /** index in FileChanges.nodes */
  node: number
  /** of a column: the entry that it is in */
  entry?: ChangedEntry
  /** a whole entry or node that came or went */
  whole?: 'added' | 'removed'
  /** a node that stands elsewhere among its like, as it was: numbers of its place in the original and now */
  moved?: { from: number; to: number }
  /** a size or count that follows from what came or went: nothing to restore by itself */
  follows?: true
  before: string
  after: string
  /** first bytes of both, up to 64 */
  beforeBytes: Uint8Array
  afterBytes: Uint8Array
}

export interface ChangedEntry extends ByteRange {
  /** `tracks[3].keys[7]` */
  path: string
  /** `frame 12` */
  label: string
}

/** A node of the structure that holds changes: a file, a track, a chunk. */
export interface ChangedNode extends ByteRange {
  path: string
  /** what it is and holds, e.g. `track`, `node 3, rotation, 12 keys` */
  type: string
  summary: string
  /** of a track: the bone that it moves */
  bone?: string
  /** index of the node around it, -1 for the file */
  parent: number
  /** changes in it and below it, listed or not */
  count: number
}

export interface FileChanges {
  ref: string
  name: string
  originalSize: number
  size: number
  /** nodes that hold changes, each behind the one around it */
  nodes: ChangedNode[]
  /** in the order of the file */
  changes: ByteChange[]
  /** more changes than listed */
  omitted: number
  /** bytes that differ, all together */
  changedBytes: number
  /** of a member that is not packed: the file on disk that the game has it in, and where it begins there */
  onDisk?: { file: string; offset: number }
}
