/**
 * Clips whose tracks are made when somebody looks at them. A figure of a game that keeps its animations in one file has hundreds, and shows one: to make
 * all of them takes longer than all else that opens it.
 */
import type { Clip, Track } from '../../shared/scene/types.ts'
import type { Document } from './format.ts'
import { beforeChange } from './kept.ts'

/** What a track is worth without its keys: names of its fields, its label, its place in the file. */
const TRACK_BYTES = 200

/** Of clips whose tracks may not be made yet: all but those, and what they are worth. */
const later = new WeakMap<Clip, { head: Omit<Clip, 'tracks'>; worth: number }>()

/**
 * @param tracks how many there will be, and bytes of their keys
 * @param make of the document as it is now: it is made before that is changed
 */
export function clipOfLater(
  document: Document,
  head: Omit<Clip, 'tracks'>,
  { tracks, bytes }: { tracks: number; bytes: number },
  make: () => Track[],
): Clip {
  let made: Track[] | undefined
  const get = (): Track[] => (made ??= make())
  const clip = Object.defineProperty({ ...head } as Clip, 'tracks', { get, enumerable: true, configurable: true })
  later.set(clip, { head, worth: tracks * TRACK_BYTES + bytes })
  beforeChange(document, get)
  return clip
}

/** Bytes of a clip's tracks, which are not made for it. */
export function trackBytes(clip: Clip): number {
  return (
    later.get(clip)?.worth ?? clip.tracks.reduce((sum, { times, values }) => sum + TRACK_BYTES + times.byteLength + values.byteLength, 0)
  )
}

/** The same clip with tracks that stay where they are. */
export function clipAway(clip: Clip): Clip {
  return { ...(later.get(clip)?.head ?? clip), tracks: [], away: true }
}
