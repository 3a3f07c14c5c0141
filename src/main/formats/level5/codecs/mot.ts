/** MOT: the animation of a model, all motions back to back on one time line. A track list. */
import { extensionOf } from '../../../../shared/ref.ts'
import { kept } from '../../kept.ts'
import { isDq8Mot, refuseDq8 } from './dq8.ts'
import { TRACK_TYPE, typeLabel } from './track-types.ts'
import { decodeTrackList, describeTrackList, encodeTrackList, hasTrackHeader, trackTypesIn } from './track-list.ts'
import { keyTotal } from './tracks.ts'
import { say } from '../texts/index.ts'
import type { FileFormat } from '../../format.ts'
import type { TrackListDocument, TrackNode } from './tracks.ts'

export interface MotDocument extends TrackListDocument {
  readonly format: 'level5.mot'
}

/** Types that only a WGT has. */
export function isWeightType(type: number): boolean {
  return type === TRACK_TYPE.weights || type === TRACK_TYPE.weightsAveraged
}

/** First and last frame of all keys; undefined without keys. */
export function frameRange(list: TrackListDocument): { start: number; end: number } | undefined {
  let start = Infinity
  let end = -Infinity
  for (const track of list.tracks) {
    const own = kept(list, track.range, `frames ${track.keys.length}`, () => framesOf(track))
    start = Math.min(start, own.start)
    end = Math.max(end, own.end)
  }
  return start <= end ? { start, end } : undefined
}

function framesOf({ keys }: TrackNode): { start: number; end: number } {
  let start = Infinity
  let end = -Infinity
  for (let i = 0; i < keys.length; i += 8) {
    const frame = keys[i]
    if (frame < start) start = frame
    if (frame > end) end = frame
  }
  return { start, end }
}

export const motFormat: FileFormat<MotDocument> = {
  id: 'level5.mot',
  get label() {
    return say('codecs.mot.label')
  },
  family: 'level5',
  kind: 'animation',
  extensions: ['mot'],
  identify(head, name, size) {
    const extension = extensionOf(name)
    if (extension === 'mot' && isDq8Mot(head, size)) return 0.9
    const types = trackTypesIn(head, size)
    if (!types) return extension === 'mot' && hasTrackHeader(head) ? 0.6 : 0
    if (extension === 'mot') return 0.95
    if (extension === 'wgt') return 0.3
    return types.every(isWeightType) ? 0.3 : 0.7
  },
  decode(bytes, ref, memory) {
    if (isDq8Mot(bytes, bytes.length)) refuseDq8(ref, 'animation')
    return decodeTrackList('level5.mot', bytes, ref, memory) as MotDocument
  },
  encode: encodeTrackList,
  describe: (document) =>
    describeTrackList(document, {
      type: 'track',
      node: 'node',
      target: 'target',
      frame: 'frame',
      note: (track) => say('codecs.mot.track', { node: track.node, type: typeLabel(track.type), count: keyTotal(track) }),
    }),
  summarize(document) {
    const range = frameRange(document)
    const keys = document.tracks.reduce((sum, track) => sum + keyTotal(track), 0)
    const highest = document.tracks.reduce((most, track) => Math.max(most, track.node), -1)
    return {
      clips: [{ name: '', frames: range ? range.end - range.start + 1 : 0, rate: 30, tracks: document.tracks.length, keys }],
      // the least skeleton that it fits; binders compare the number
      needs: [`level5.nodes:${highest + 1}`],
      note: [
        say('formats.tracks', { count: document.tracks.length }),
        say('formats.keys', { count: keys }),
        ...(range ? [say('codecs.mot.frames', { start: range.start, end: range.end })] : []),
      ].join(', '),
    }
  },
}
