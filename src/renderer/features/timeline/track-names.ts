/** What a track is called in the window: a word for what it moves. How the file has it stands behind that where several move the same. */
import type { NativeTrack } from '../../../shared/api/types/clips.ts'
import type { TrackProperty } from '../../../shared/scene/types.ts'
import { say } from '../../../shared/texts/say.ts'

export interface NamedTrack {
  property: TrackProperty
  /** what the file's format calls it */
  label: string
}

/** @param all tracks of the same bone, this one among them */
export function trackName({ property, label }: NamedTrack, all: readonly NamedTrack[]): string {
  if (property === 'unknown') return label
  const word = say(`timeline.tracks.${property}`)
  return all.filter((other) => other.property === property).length > 1 ? `${word} · ${label}` : word
}

/** @param tracks of the clip, or of what is shown of it */
export function nativeTrackName(track: NativeTrack, tracks: readonly NativeTrack[]): string {
  return trackName(
    track,
    tracks.filter(({ joint, target }) => joint === track.joint && target === track.target),
  )
}
