/** Marrow's own slices and markers name their clips by place and name: they go along when clips move. */
import type { ClipMove, ClipPlace, EditSession } from '../formats/editing.ts'
import { opened } from './slices-file.ts'
import type { SlicesDocument } from './slices-file.ts'

/**
 * @param ref the list, '' for none; it need not be there
 * @param moves what an edit of the list of clips said (`ClipListEditor`); each entry follows the first that it is under
 */
export function followClips(session: EditSession, ref: string, moves: readonly ClipMove[]): void {
  const known = ref === '' ? undefined : (session.document(ref) as SlicesDocument | undefined)
  if (!known || known.readOnly) return
  const moveOf = (clip: ClipPlace, time: number): ClipMove | undefined =>
    moves.find(({ from, since = -Infinity }) => from.ref === clip.ref && from.path === clip.path && time >= since)
  const slices = known.slices.map((slice) => {
    const { to, by = 0 } = moveOf(slice.clip, slice.start) ?? { to: slice.clip }
    // one that reaches over the place of a split ends there, as its clip does
    const { since = slice.end } = moveOf(slice.clip, slice.end) ?? {}
    const end = since > slice.start ? Math.min(slice.end, since) : slice.end
    return to && { ...slice, clip: to, start: slice.start + by, end: end + by }
  })
  const markers = known.markers.map((marker) => {
    const { to, by = 0 } = moveOf(marker.clip, marker.time) ?? { to: marker.clip }
    return to && { ...marker, clip: to, time: marker.time + by }
  })
  const next = { slices: slices.filter((slice) => slice !== undefined), markers: markers.filter((marker) => marker !== undefined) }
  if (JSON.stringify(next) === JSON.stringify({ slices: known.slices, markers: known.markers })) return
  Object.assign(opened(session, ref), next)
}
