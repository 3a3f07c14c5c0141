/** What tracks are called in the window: a word for what each moves. How the file has it stands behind that where several move the same of one bone. */
import type { TrackProperty } from '../../../shared/scene/types.ts'
import { say } from '../../../shared/texts/say.ts'

export interface NamedTrack {
  /** what it moves: a joint, or, at -1, something else by its name */
  joint: number
  target: string
  property: TrackProperty
  /** what the file's format calls it */
  label: string
}

/** Of what one bone's tracks have in common; the same for what moves no bone. */
export const boneKey = ({ joint, target }: Pick<NamedTrack, 'joint' | 'target'>): string => (joint >= 0 ? `j${joint}` : `t${target}`)

/** In the order of the tracks. @param tracks of a clip, or of what is shown of it */
export function trackNames(tracks: readonly NamedTrack[]): string[] {
  const alike = new Map<string, number>()
  const keys = tracks.map((track) => `${boneKey(track)}\0${track.property}`)
  for (const key of keys) alike.set(key, (alike.get(key) ?? 0) + 1)
  const words = new Map<TrackProperty, string>()
  return tracks.map(({ property, label }, i) => {
    if (property === 'unknown') return label
    const word = words.get(property) ?? say(`timeline.tracks.${property}`)
    words.set(property, word)
    return alike.get(keys[i])! > 1 ? `${word} · ${label}` : word
  })
}
