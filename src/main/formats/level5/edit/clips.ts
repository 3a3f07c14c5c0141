/** Keys of a MOT. A key whose time and value stay as they were keeps every bit, pads included. */
import { refuse } from '../../editing.ts'
import { addressOf, clipAt, jointAt, notHere, numberIn, ofFormat, readAddress } from '../../address.ts'
import { kept } from '../../kept.ts'
import { motFormat } from '../codecs/mot.ts'
import { clipList } from './clip-list.ts'
import { rotationFromScene } from '../scene/basis.ts'
import { KEY_WORDS, insertTrack, keyFloats, keyTotal, newTrack, removeTrack, setKeys } from '../codecs/tracks.ts'
import { TRACK_TYPE, typeComponents, typeLabel } from '../codecs/track-types.ts'
import { say } from '../texts/index.ts'
import type { KeyEdit, KeyedProperty, NativeTrack } from '../../../../shared/api/types/clips.ts'
import type { ClipEditor, OpenDocuments } from '../../editing.ts'
import type { MotDocument } from '../codecs/mot.ts'
import type { TrackNode } from '../codecs/tracks.ts'

const PROPERTY: Readonly<Record<number, KeyedProperty>> = {
  0: 'rotation',
  1: 'scale',
  2: 'translation',
  12: 'vertex',
  30: 'camera',
  31: 'camera',
  32: 'camera',
  33: 'camera',
  40: 'opacity',
  41: 'color',
  50: 'visibility',
  51: 'visibility',
}
const TYPE_OF = {
  translation: TRACK_TYPE.translation,
  rotation: TRACK_TYPE.rotation,
  scale: TRACK_TYPE.scale,
  visibility: TRACK_TYPE.visibility,
} as const

function parseId(id: string): { ref: string; index: number } {
  const { ref, path } = readAddress(id, 'track')
  return { ref, index: numberIn(path, 'tracks') ?? notHere('track', id) }
}

function motOf(model: OpenDocuments, clip: number): MotDocument | undefined {
  const document = model.document(clipAt(model, clip).source.ref)
  return document?.format === 'level5.mot' ? (document as MotDocument) : undefined
}

function sameNumber(a: number, b: number): boolean {
  return a === b || (Number.isNaN(a) && Number.isNaN(b))
}

/** Writes values into a key record, only where they differ. */
function writeValues(record: Uint32Array, values: Float32Array, at: number, width: number): void {
  const floats = new Float32Array(record.buffer, record.byteOffset, record.length)
  for (let c = 0; c < width; c++) if (!sameNumber(floats[4 + c], values[at + c])) floats[4 + c] = values[at + c]
}

function checkTime(time: number, path: string): number {
  return Number.isInteger(time) && time >= 0 && time <= 0x7fffffff ? time : refuse(say('edit.clips.wholeFrame', { frame: time }), path)
}

/** Whether the keys stand as they have to, which is by their frames where they stood so before. */
function inOrder(keys: Uint32Array, sorted: boolean): boolean {
  for (let at = KEY_WORDS; at < keys.length && sorted; at += KEY_WORDS) if (keys[at] < keys[at - KEY_WORDS]) return false
  return true
}

/** Keys by their numbers; those that come have the numbers behind the ones that are there, until it is said in which order all of them stand. */
class KeyRecords {
  private readonly keys: Uint32Array
  private end: number

  constructor(keys: Uint32Array, coming: number) {
    this.keys = coming ? new Uint32Array(keys.length + KEY_WORDS * coming) : keys
    if (coming) this.keys.set(keys)
    this.end = keys.length / KEY_WORDS
  }

  frame(k: number): number {
    return this.keys[KEY_WORDS * k]
  }

  record(k: number): Uint32Array {
    return this.keys.subarray(KEY_WORDS * k, KEY_WORDS * k + KEY_WORDS)
  }

  /** One more, its pads and unused floats like those of a neighbour. @returns its number */
  add(frame: number, values: Float32Array, neighbour: number | undefined): number {
    const k = this.end++
    const record = this.record(k)
    if (neighbour !== undefined) record.set(this.record(neighbour))
    record[0] = frame
    new Float32Array(record.buffer, record.byteOffset, KEY_WORDS).set(values, 4)
    return k
  }

  /** Those of these numbers, in this order. */
  inOrder(numbers: readonly number[]): Uint32Array {
    const out = new Uint32Array(KEY_WORDS * numbers.length)
    for (let i = 0, end = 1; i < numbers.length; i = end++) {
      while (end < numbers.length && numbers[end] === numbers[end - 1] + 1) end++
      out.set(this.keys.subarray(KEY_WORDS * numbers[i], KEY_WORDS * (numbers[end - 1] + 1)), KEY_WORDS * i)
    }
    return out
  }
}

function editTrack(track: TrackNode, edit: KeyEdit): void {
  const width = typeComponents(track.type).length
  const n = keyTotal(track)
  const path = readAddress(edit.track, 'track').path
  let sorted = true
  for (let k = 1; k < n && sorted; k++) sorted = track.keys[KEY_WORDS * k] >= track.keys[KEY_WORDS * (k - 1)]
  const keys = track.keys.slice()
  if (edit.set) {
    const { times, values } = edit.set
    if (times.length !== edit.set.keys.length || values.length !== width * times.length) refuse(say('edit.clips.notTogether'), path)
    edit.set.keys.forEach((k, i) => {
      if (k >= n) refuse(say('formats.noKey', { key: k }), path)
      keys[KEY_WORDS * k] = checkTime(times[i], path)
      writeValues(keys.subarray(KEY_WORDS * k, KEY_WORDS * k + KEY_WORDS), values, width * i, width)
    })
  }
  const removed = new Set(edit.remove ?? [])
  for (const k of removed) if (k >= n) refuse(say('formats.noKey', { key: k }), path)
  if (removed.size === 0 && !edit.insert && inOrder(keys, sorted)) return setKeys(track, keys)
  const records = new KeyRecords(keys, edit.insert?.times.length ?? 0)
  const left: number[] = []
  for (let k = 0; k < n; k++) if (!removed.has(k)) left.push(k)
  if (sorted) left.sort((a, b) => records.frame(a) - records.frame(b) || a - b)
  setKeys(track, records.inOrder(edit.insert ? withInserted(records, left, edit.insert, { width, sorted, path }) : left))
}

/** Numbers of the keys with those that come among them; one that comes where another stands gives that its values. */
function withInserted(
  records: KeyRecords,
  left: number[],
  { times, values }: NonNullable<KeyEdit['insert']>,
  { width, sorted, path }: { width: number; sorted: boolean; path: string },
): number[] {
  if (values.length !== width * times.length) refuse(say('edit.clips.timesAndValues'), path)
  const frames = Array.from(times, (time) => checkTime(time, path))
  const valuesOf = (i: number): Float32Array => values.subarray(width * i, width * i + width)
  if (sorted) {
    // both in order, side by side: pasting thousands of keys takes no longer than reading them
    const all: number[] = []
    let next = 0
    for (const i of [...frames.keys()].sort((a, b) => frames[a] - frames[b] || a - b)) {
      while (next < left.length && records.frame(left[next]) <= frames[i]) all.push(left[next++])
      const before = all.at(-1)
      if (before !== undefined && records.frame(before) === frames[i]) writeValues(records.record(before), values, width * i, width)
      else all.push(records.add(frames[i], valuesOf(i), before ?? left[0]))
    }
    for (; next < left.length; next++) all.push(left[next])
    return all
  }
  frames.forEach((frame, i) => {
    const there = left.findLast((k) => records.frame(k) === frame)
    if (there !== undefined) return writeValues(records.record(there), values, width * i, width)
    const next = left.findIndex((k) => records.frame(k) > frame)
    const neighbour = left.findLast((k) => records.frame(k) < frame) ?? left[0]
    left.splice(next < 0 ? left.length : next, 0, records.add(frame, valuesOf(i), neighbour))
  })
  return left
}

function columnsOf(track: TrackNode, width: number): { times: Float64Array; values: Float32Array } {
  const n = keyTotal(track)
  const floats = keyFloats(track)
  const times = new Float64Array(n)
  const values = new Float32Array(n * width)
  for (let k = 0; k < n; k++) {
    times[k] = track.keys[KEY_WORDS * k]
    for (let c = 0; c < width; c++) values[k * width + c] = floats[KEY_WORDS * k + 4 + c]
  }
  return { times, values }
}

/** What a track moves, in words. @param owner the joint, @param material '' where it moves none */
function targetOf(track: TrackNode, owner: string, material: string): string {
  const target = material ? say('edit.clips.ofMaterial', { target: owner, material }) : owner
  return track.type === TRACK_TYPE.vertex ? say('edit.clips.ofVertex', { target, number: track.target - 1 }) : target
}

export const clips: ClipEditor = {
  tracks(model, clip) {
    const document = motOf(model, clip)
    if (!document) return []
    const { scene } = model.assembled
    const { skeleton } = scene
    const jointOf = new Map(Array.from(skeleton.nativeIndex, (native, joint) => [native, joint]))
    const shown = new Map(scene.clips[clip].tracks.map((t) => [t.source.path, t]))
    return document.tracks.map((track, i): NativeTrack => {
      const components = typeComponents(track.type)
      const width = components.length
      const n = keyTotal(track)
      const { times, values } = kept(document, track.range, `tracks ${width} ${n}`, () => columnsOf(track, width))
      const joint = jointOf.get(track.node) ?? -1
      const inScene = shown.get(`tracks[${i}]`)
      const material = inScene?.target.kind === 'material' ? scene.materials[inScene.target.index].name : ''
      const asScale = track.type === TRACK_TYPE.transparency && inScene?.property === 'scale'
      return {
        id: addressOf(document.ref, `tracks[${i}]`),
        ref: document.ref,
        clip: scene.clips[clip].name,
        target: targetOf(track, joint >= 0 ? skeleton.names[joint] : say('edit.clips.ofNode', { number: track.node }), material),
        joint,
        property: asScale ? 'scale' : (PROPERTY[track.type] ?? 'unknown'),
        label: inScene?.label ?? say('codecs.tracks.typed', { number: track.type, type: typeLabel(track.type) }),
        components: [...components],
        times,
        values,
        limits: {
          timeStep: 1,
          minTime: 1,
          maxTime: 0x7fffffff,
          dense: false,
          stepped: track.type === TRACK_TYPE.visibility || track.type === TRACK_TYPE.visibilityTree,
          packed: '',
          readOnly: '',
        },
      }
    })
  },

  editKeys(session, edits) {
    for (const edit of edits) {
      const { ref, index } = parseId(edit.track)
      const track =
        ofFormat<MotDocument>(session.edit(ref), motFormat.id, 'track', edit.track).tracks[index] ?? notHere('track', edit.track)
      editTrack(track, edit)
    }
  },

  addTrack(session, clip, joint, property) {
    const ref = motOf(session, clip)?.ref ?? refuse(say('edit.clips.noAnimation'))
    const { skeleton, clips: list } = session.assembled.scene
    const type = (TYPE_OF as Record<string, number>)[property] ?? refuse(say('edit.clips.noSuchTrack', { property }))
    const node = skeleton.nativeIndex[jointAt(session, joint)]
    const document = session.edit<MotDocument>(ref)
    if (document.tracks.some((t) => t.node === node && t.type === type))
      refuse(say('edit.clips.hasTrack', { joint: skeleton.names[joint], property }))
    const values =
      property === 'translation'
        ? skeleton.restTranslation.subarray(3 * joint, 3 * joint + 3)
        : property === 'scale'
          ? skeleton.restScale.subarray(3 * joint, 3 * joint + 3)
          : new Float32Array(property === 'rotation' ? 4 : 1).fill(1)
    const first = new Float32Array(values)
    if (property === 'rotation') rotationFromScene(first, 0, skeleton.restRotation, 4 * joint)
    const like = document.tracks[0]
    insertTrack(
      document,
      document.tracks.length,
      newTrack({
        node,
        type,
        frames: [Math.max(1, Math.round(list[clip].start))],
        values: first,
        words: like ? [like.word6, like.word7] : [0, 0],
      }),
    )
  },

  removeTrack(session, id) {
    const { ref, index } = parseId(id)
    const document = ofFormat<MotDocument>(session.edit(ref), motFormat.id, 'track', id)
    if (!document.tracks[index]) notHere('track', id)
    if (document.tracks.length === 1) refuse(say('edit.clips.atLeastOne'))
    removeTrack(document, index)
  },

  fromScene(_model, track, sceneValue) {
    if (track.property === 'rotation') {
      const out = new Float32Array(4)
      rotationFromScene(out, 0, sceneValue, 0)
      return out
    }
    if (track.property === 'opacity') return Float32Array.of(1 - sceneValue[0])
    return Float32Array.from(track.components, (_, c) => sceneValue[c] ?? sceneValue[0] ?? 0)
  },

  list: clipList,
}
