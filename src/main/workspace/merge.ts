/**
 * Edits that were made in one version of a file, on another one: what the game changed and what the mod changed, both
 * against the version that the mod was made from, by fields. Both sides of a key or field make a conflict; counts and sizes
 * that follow from what came and went are added up.
 */
import { FormatError } from '../binary/format-error.ts'
import { encodeDocument, firstDifference } from '../formats/format.ts'
import { pathAt } from '../binary/structure.ts'
import { fileChanges } from './changes.ts'
import type { Document, FileFormat, StructureNode } from '../formats/format.ts'
import type { ByteChange } from '../../shared/api/types/changes.ts'
import type { MergeConflict, ModComparison } from '../../shared/api/types/mod.ts'
import { say } from '../../shared/texts/say.ts'

export interface Merged extends ModComparison {
  /** conflicting places as the game has them */
  bytes: Uint8Array
  document: Document
}

/**
 * @param base the version that `mine` was made from; `game` the one that is there now
 * @throws FormatError invalid-edit when the two do not go together in one file; what `decode` throws
 */
export function mergeEdits(format: FileFormat, ref: string, base: Uint8Array, game: Uint8Array, mine: Uint8Array): Merged {
  const all = { most: Infinity }
  const theirs = fileChanges(ref, format, base, { bytes: game, document: format.decode(game, ref) }, all)
  const own = fileChanges(ref, format, base, { bytes: mine, document: format.decode(mine, ref) }, all)
  const root = format.describe(format.decode(base, ref))
  const rivals = rivalsOf(own.changes, theirs.changes, root)
  const same = own.changes.map((change, i) =>
    rivals[i].some(
      (r) =>
        r.start === change.start &&
        r.end === change.end &&
        firstDifference(game.subarray(r.newStart, r.newEnd), mine.subarray(change.newStart, change.newEnd)) < 0,
    ),
  )
  // what came or went alike on both sides is there once: bytes and entries that counts of the mod have too many
  const twice = own.nodes.map(() => ({ bytes: 0, entries: 0 }))
  own.changes.forEach((change, i) => {
    if (!same[i] || !change.whole) return
    const grown = change.newEnd - change.newStart - (change.end - change.start)
    for (let n = change.node; n >= 0; n = own.nodes[n].parent) {
      twice[n].bytes += grown
      twice[n].entries += Math.sign(grown)
    }
  })
  const conflicts: MergeConflict[] = []
  const pieces: Uint8Array[] = []
  let read = 0
  own.changes.forEach((change, i) => {
    const shift = shiftBefore(theirs.changes, change.start)
    const rival: ByteChange | undefined = rivals[i][0]
    if (rival && change.follows && rival.follows) {
      // both sides changed a count: it is read whole, since a change lists only the bytes of it that differ
      const [start, end] = extent(change, root)
      const size = end - start
      const [was, theirNumber, number] = [
        word(base, start, size),
        word(game, start + shift, size),
        word(mine, change.newStart - (change.start - start), size),
      ]
      const node = own.nodes[change.node]
      const double =
        number - was === node.newEnd - node.newStart - (node.end - node.start) ? twice[change.node].bytes : twice[change.node].entries
      pieces.push(game.subarray(read, start + shift), little(theirNumber + number - was - double, size))
      read = end + shift
    } else if (same[i]) return
    else if (rival) conflicts.push({ path: change.path, base: change.before, game: rival.after, mine: change.after })
    else {
      const at = change.start + shift
      pieces.push(game.subarray(read, at), mine.subarray(change.newStart, change.newEnd))
      read = at + (change.end - change.start)
    }
  })
  pieces.push(game.subarray(read))
  const bytes = new Uint8Array(Buffer.concat(pieces))
  const document: Document = format.decode(bytes, ref)
  const again = encodeDocument(format, document)
  const opaque = Math.max(...[game, mine].map((b) => encodeDocument(format, format.decode(b, ref)).opaqueBytes))
  if (document.readOnly || firstDifference(again.bytes, bytes) >= 0 || again.opaqueBytes > opaque)
    throw new FormatError('invalid-edit', say('edits.notTogether'), { file: ref })
  const short = (list: typeof own): typeof own => ({
    ...list,
    changes: list.changes.slice(0, SHOWN),
    omitted: Math.max(0, list.changes.length - SHOWN),
  })
  return { bytes, document, game: short(theirs), mine: short(own), conflicts }
}

/** Per change of `own` those of `theirs` that are about the same place: one key or field, or insertions at one point. Both in file order. */
function rivalsOf(own: readonly ByteChange[], theirs: readonly ByteChange[], root: StructureNode): ByteChange[][] {
  const places = theirs.map((change) => extent(change, root))
  let t = 0
  return own.map((change) => {
    const [start, end] = extent(change, root)
    while (t < places.length && places[t][1] < start) t++
    const found: ByteChange[] = []
    for (let i = t; i < places.length && places[i][0] <= end; i++) {
      const [from, to] = places[i]
      if ((from < end && to > start) || (from === to && start === end && from === start)) found.push(theirs[i])
    }
    return found
  })
}

/** Changes that a comparison lists. */
const SHOWN = 500

/** The place in the base that a change is about: its key, else its whole field. */
function extent(change: ByteChange, root: StructureNode): [number, number] {
  if (change.whole || change.start === change.end) return [change.start, change.end]
  if (change.entry) return [change.entry.start, change.entry.end]
  const { field } = pathAt(root, change.start)
  return field && field.start + field.size >= change.end ? [field.start, field.start + field.size] : [change.start, change.end]
}

/** Bytes that came before a place of the base, less those that went. */
function shiftBefore(changes: readonly ByteChange[], at: number): number {
  let low = 0
  let high = changes.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (changes[middle].end <= at) low = middle + 1
    else high = middle
  }
  const last = changes[low - 1]
  return last ? last.newEnd - last.end : 0
}

function word(bytes: Uint8Array, at: number, size: number): number {
  let value = 0
  for (let i = size - 1; i >= 0; i--) value = value * 256 + bytes[at + i]
  return value
}

function little(value: number, size: number): Uint8Array {
  const out = new Uint8Array(size)
  for (let i = 0, rest = value; i < size; i++, rest = Math.floor(rest / 256)) out[i] = rest
  return out
}
