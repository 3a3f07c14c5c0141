/** What an archive is to the rest of Marrow: its members by ranges of bytes, read and written without holding them. */
import type { Stepwise } from '../../shared/stepwise.ts'
import type { Diagnostic } from '../../shared/api/errors.ts'
import type { FamilyId } from '../../shared/api/types/family.ts'
import type { StructureNode } from '../../shared/api/types/structure.ts'
import type { ArchiveEdit, NewMember } from './archive-edit.ts'

/** Random access to the bytes of a file that may be larger than memory. */
export interface ByteSource {
  readonly size: number
  /** the file, for errors */
  readonly ref: string
  /**
   * Exactly `length` bytes; throws FormatError `truncated` outside the file.
   * @param room of the caller, at least as long: a source may put the bytes there and give that part of it
   */
  read(offset: number, length: number, room?: Uint8Array): Uint8Array
}

export interface ArchiveMember {
  /** as the archive has it, decoded for display; may hold separators; never trusted as a path on disk */
  name: string
  /** bytes of the name field as stored */
  rawName: Uint8Array
  /** of its data in the data file */
  offset: number
  size: number
  /** 0 for the one of several members with the same name (compared without case) that the game reads, the first where nobody knows; the others are counted */
  duplicate: number
}

/** What is asked of each of very many members, without an object for it. */
export interface MemberColumns {
  offset(index: number): number
  size(index: number): number
  /** `hashOf` of its key in lower case, and of what its key would be if no other had its name */
  keyHash(index: number): number
  nameHash(index: number): number
}

/** Some of what an array gives: a list of very many may keep columns and make an element when it is asked for (`LazyList`). */
export interface MemberList<T> extends Iterable<T> {
  readonly length: number
  readonly columns?: MemberColumns
  at(index: number): T | undefined
  map<U>(make: (element: T, index: number) => U): U[]
  find(wanted: (element: T, index: number) => boolean): T | undefined
  slice(start: number, end?: number): T[]
}

export interface ArchiveIndex {
  readonly format: string
  readonly ref: string
  readonly members: MemberList<ArchiveMember>
  readonly diagnostics: Diagnostic[]
}

/** A piece of a file to be written: a range of the old file, or new bytes. Large archives are never held in memory. */
export type Segment =
  | { kind: 'copy'; offset: number; length: number }
  /** `member` marks the body of a member, `typed` header fields written from the index, `opaque` padding and junk carried raw */
  | { kind: 'bytes'; bytes: Uint8Array; as: 'typed' | 'opaque' | 'member' }

/** What an archive is written from: its data file, and the directory where that is a file of its own. */
export interface ArchiveParts {
  data: Segment[]
  directory?: Segment[]
  /** the other directories over the data file, all of them */
  peers?: { ref: string; segments: Segment[] }[]
  /** what whoever writes it should know */
  notes?: readonly string[]
}

export interface ArchiveFormat<I extends ArchiveIndex = ArchiveIndex> {
  id: string
  readonly label: string
  family: FamilyId
  extensions: readonly string[]
  /** why nothing in it can be changed; absent where it can */
  readonly readOnly?: string
  identify(head: Uint8Array, name: string, size: number): number
  /**
   * Name of the file that holds the members' data where that is another one (IMG v1: `gta3.dir` names `gta3.img`).
   * `open` then gets the directory as `source` and the data file as `data`.
   */
  companion?(name: string): string
  /**
   * Names of all directories that may stand over one data file, this one among them, in the order in which they are asked where they
   * disagree. Those that are there are given to `open`, and what is written goes into all of them.
   */
  peers?(name: string): string[]
  open(source: ByteSource, data: ByteSource, peers?: readonly ByteSource[]): I
  /** The same in steps, where directories have members by the hundred thousand: others run between them. */
  opening?(source: ByteSource): Stepwise<I>
  /**
   * Members are held in whole units of so many bytes, filled up with zeros: the directory counts in them, so that nobody
   * knows where in the last one a member ends. Absent where sizes are exact.
   */
  unit?: number
  /**
   * The whole file again from the typed fields of the index, members by copy: `marrow roundtrip` compares it.
   * With a companion: the directory; `encodeData` then tiles the data file.
   */
  encode(index: I): Segment[]
  encodeData?(index: I): Segment[]
  /** Order in which the game looks for a file in the archives of one folder, the first wins; absent where it names them itself. */
  loadOrder?(names: readonly string[]): string[]
  /**
   * The file with some members replaced (member number -> new bytes); moves only what must move.
   * With a companion, `data` is the new data file and `directory` the new directory.
   */
  replace(index: I, replacements: ReadonlyMap<number, Uint8Array>): ArchiveParts
  /**
   * Of an archive that is only read where it stands: a copy of it with other files in it, none of which is held in memory. Nothing moves.
   * @param files new contents by member; what they copy counts from where the member begins
   * @returns `notes` say what else becomes different
   * @throws FormatError invalid-edit where there is no room
   */
  replaceFiles?(index: I, files: ReadonlyMap<number, Segment[]>): { data: Segment[]; notes: string[] }
  /**
   * The file with members that came, went or have another name; absent where an archive can do none of it. New ones stand behind the
   * others, bodies that stay keep their bytes, and move only where the table needs their room.
   * @throws FormatError not-found, invalid-edit for what the archive cannot hold
   */
  edit?(index: I, edit: ArchiveEdit): ArchiveParts
  /**
   * A new archive; absent where none can be made. What it copies are the members' bytes.
   * @param ref what it will be called @param kind one of `makes`, the first where nobody says which
   * @throws FormatError invalid-edit for what the archive cannot hold
   */
  make?(members: readonly NewMember[], ref: string, kind?: string): ArchiveParts
  /** Kinds of it that can be made, by ids of their own; absent where there is one, which is called as the format is. */
  readonly makes?: readonly { readonly id: string; readonly label: string }[]
  /** What a new one can hold, in a sentence, for whoever makes it. */
  readonly limits?: string
  /**
   * Members that stand packed: the way to what is in one, undefined where it stands as it is. What replaces it is written plain.
   * @param number of the member
   * @param stored its bytes in the data file
   */
  unpack?(index: I, number: number, stored: ByteSource): PackedBody | undefined
  /** Nodes of members end with their numbers in brackets, others do not. @param only members whose nodes it has; all where absent */
  describe(index: I, only?: readonly number[]): StructureNode
}

/** A member that stands packed in its archive. */
export interface PackedBody {
  /** of what is in it */
  readonly size: number
  /** What is in it, or at least its first `most` bytes. @throws FormatError */
  bytes(most: number): Uint8Array
}

/** A member's bytes as its archive gives them back after a write. */
export function storedBody(archive: Pick<ArchiveFormat, 'unit'> | undefined, bytes: Uint8Array): Uint8Array {
  const over = archive?.unit ? bytes.length % archive.unit : 0
  if (over === 0) return bytes
  const out = new Uint8Array(bytes.length - over + archive!.unit!)
  out.set(bytes)
  return out
}
