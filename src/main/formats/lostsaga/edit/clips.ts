/**
 * Keys and header fields of ANI behind the interfaces that all families share. A record of an ANI holds rotation, position and time
 * together: the two tracks of a bone have the same times, and a time that moves in one moves in the other.
 */
import { addressOf, jointAt, lastStep, notHere, numberIn, ofFormat, readAddress } from '../../address.ts'
import { kept } from '../../kept.ts'
import { FormatError } from '../../../binary/format-error.ts'
import {
  ani,
  aniTrack,
  CODING_NAMES,
  convertAni,
  keyCount,
  keyRotation,
  keyTime,
  setKeyRotation,
  strideOf,
  type AniCoding,
  type AniDocument,
  type AniTrack,
} from '../codecs/ani.ts'
import { PACK_ERROR_DEGREES, type PackMode } from '../codecs/rotation.ts'
import { aniOf, packing, restPose } from './ani-file.ts'
import { clipList } from './clip-list.ts'
import { poseRecord, recordAt } from './clip-windows.ts'
import { boneNameOf } from './skeleton.ts'
import { say } from '../texts/index.ts'
import type { KeyEdit, NativeTrack } from '../../../../shared/api/types/clips.ts'
import type { ClipEditor } from '../../editing.ts'

type Part = 'rotation' | 'position'

/** `ref#tracks[3].rotation` taken apart. */
function trackId(id: string): { ref: string; track: number; part: Part } {
  const { ref, path } = readAddress(id, 'track')
  const track = numberIn(path, 'tracks')
  const part = lastStep(path).name
  if (track === undefined || (part !== 'rotation' && part !== 'position')) notHere('track', id)
  return { ref, track, part }
}

const invalid = (message: string): never => {
  throw new FormatError('invalid-edit', message)
}

function columnsOf(document: AniDocument, track: AniTrack): { times: Float64Array; rotations: Float32Array; positions: Float32Array } {
  const n = keyCount(document, track)
  const times = new Float64Array(n)
  const rotations = new Float32Array(4 * n),
    positions = new Float32Array(3 * n)
  const stride = strideOf(document.coding)
  for (let k = 0; k < n; k++) {
    times[k] = keyTime(document.coding, track, k)
    keyRotation(document.coding, track, k, rotations, 4 * k)
    for (let c = 0; c < 3; c++) positions[3 * k + c] = track.floats[(k + 1) * stride - 4 + c]
  }
  return { times, rotations, positions }
}

export const clips: ClipEditor = {
  list: clipList,

  tracks(model, clip) {
    const document = aniOf(model, clip)
    const joints = new Map(model.assembled.scene.skeleton.names.map((name, i) => [name.toLowerCase(), i]))
    const mode = packing(model)
    const packed =
      document.coding === 4000
        ? ''
        : say('edit.clips.packed', { coding: CODING_NAMES[document.coding], degrees: PACK_ERROR_DEGREES[document.coding][mode] })
    return document.tracks.flatMap((track, i): NativeTrack[] => {
      const { times, rotations, positions } = kept(document, track.range, `tracks ${document.coding}`, () => columnsOf(document, track))
      const common = {
        sharedKeys: addressOf(document.ref, `tracks[${i}]`),
        ref: document.ref,
        clip: model.assembled.scene.clips[clip].name,
        target: track.bone.text,
        joint: joints.get(track.bone.text.toLowerCase()) ?? -1,
      }
      const limits = { timeStep: 1, minTime: 0, maxTime: 0x7fffffff, dense: false, stepped: false, packed: '', readOnly: '' }
      return [
        {
          ...common,
          id: addressOf(document.ref, `tracks[${i}].rotation`),
          property: 'rotation',
          label: say('edit.clips.rotation'),
          components: ['x', 'y', 'z', 'w'],
          times,
          values: rotations,
          limits: { ...limits, packed },
        },
        {
          ...common,
          id: addressOf(document.ref, `tracks[${i}].position`),
          property: 'translation',
          label: say('edit.clips.position'),
          components: ['x', 'y', 'z'],
          times,
          values: positions,
          limits,
        },
      ]
    })
  },

  editKeys(session, edits) {
    const byTrack = new Map<string, { ref: string; track: number; parts: Partial<Record<Part, KeyEdit>> }>()
    for (const edit of edits) {
      const { ref, track, part } = trackId(edit.track)
      const key = `${ref}#${track}`
      const entry = byTrack.get(key) ?? { ref, track, parts: {} }
      entry.parts[part] = edit
      byTrack.set(key, entry)
    }
    const mode = packing(session)
    for (const { ref, track, parts } of byTrack.values()) {
      const document = ofFormat<AniDocument>(session.edit(ref), ani.id, 'track', ref)
      if (track >= document.tracks.length) notHere('track', addressOf(ref, `tracks[${track}]`))
      const before = lastTime(document, document.tracks[track])
      const edited = editTrack(document.coding, document.tracks[track], parts, mode)
      document.tracks[track] = edited
      // the clip reaches as far as keys that were put there; what the file's own end leaves out stays out
      const last = lastTime(document, edited)
      if (last > before) document.totalTime = Math.max(document.totalTime, last)
    }
  },

  addTrack(session, clip, joint) {
    const document = session.edit<AniDocument>(aniOf(session, clip).ref)
    const { skeleton } = session.assembled.scene
    const name = skeleton.names[jointAt(session, joint)]
    if (document.tracks.some((t) => t.bone.text.toLowerCase() === name.toLowerCase())) invalid(say('edit.clips.hasTrack', { name }))
    const track = { bone: boneNameOf(session, joint), weight: Float32Array.of(1) }
    document.tracks.push(poseRecord(document.coding, track, 0, restPose(session, joint), packing(session)))
  },

  removeTrack(session, id) {
    const { ref, track } = trackId(id)
    const { tracks } = ofFormat<AniDocument>(session.edit(ref), ani.id, 'track', id)
    if (!tracks[track]) notHere('track', id)
    tracks.splice(track, 1)
  },

  fields(model, clip) {
    const document = aniOf(model, clip)
    return [
      { key: 'totalTime', label: say('edit.clips.length'), value: document.totalTime, min: 0 },
      {
        key: 'coding',
        label: say('edit.clips.rotations'),
        value: String(document.coding),
        options: codings(document, packing(model)),
        note: say('edit.clips.rotationsNote'),
      },
      ...document.tracks.map((t, i) => ({
        key: `tracks[${i}].weight`,
        label: t.bone.text,
        value: t.weight[0],
        group: say('edit.clips.weights'),
      })),
    ]
  },

  setField(session, clip, key, value) {
    const document = session.edit<AniDocument>(aniOf(session, clip).ref)
    const number = Number(value)
    const weight = lastStep(key).name === 'weight' ? numberIn(key, 'tracks') : undefined
    if (!Number.isFinite(number)) invalid(say('edit.clips.notANumber', { key }))
    if (key === 'totalTime') {
      if (!Number.isInteger(number) || number < 0 || number > 0x7fffffff) invalid(say('edit.clips.wholeLength'))
      document.totalTime = number
    } else if (key === 'coding') {
      if (number !== 4000 && number !== 4001 && number !== 4002) invalid(say('edit.clips.knownCodings'))
      convertAni(document, number as AniCoding, packing(session))
    } else if (weight !== undefined && weight < document.tracks.length) document.tracks[weight].weight[0] = number
    else notHere('field', key)
  },

  fromScene: (_model, track, value) =>
    track.property === 'rotation'
      ? new Float32Array([-value[0], -value[1], value[2], value[3]])
      : new Float32Array([value[0], value[1], -value[2]]),
}

function lastTime(document: AniDocument, track: AniTrack): number {
  const n = keyCount(document, track)
  return n > 0 ? keyTime(document.coding, track, n - 1) : -Infinity
}

/** The track with its records removed, changed and added; a record that none of the edits names keeps its words. */
function editTrack(coding: AniCoding, track: AniTrack, parts: Partial<Record<Part, KeyEdit>>, mode: PackMode): AniTrack {
  const stride = strideOf(coding)
  const n = track.words.length / stride
  const removed = new Set<number>()
  for (const edit of Object.values(parts)) edit.remove?.forEach((k) => removed.add(k))
  const before = aniTrack(track.bone, track.weight, track.words.slice())
  const moved = new Map<number, number>()
  for (const [part, edit] of Object.entries(parts) as [Part, KeyEdit][]) {
    edit.set?.keys.forEach((k, i) => {
      if (k >= n) invalid(say('formats.noKey', { key: k }))
      const time = checkTime(edit.set!.times[i])
      if (time !== keyTime(coding, track, k)) moved.set(k, time)
      setValue(coding, before, k, part, edit.set!.values, i, mode)
    })
  }
  for (const [k, time] of moved) before.words[(k + 1) * stride - 1] = time
  const records: { time: number; order: number; words: Uint32Array }[] = []
  for (let k = 0; k < n; k++)
    if (!removed.has(k))
      records.push({ time: keyTime(coding, before, k), order: k, words: before.words.subarray(k * stride, (k + 1) * stride) })
  const inserted = new Map<number, AniTrack>()
  for (const [part, edit] of Object.entries(parts) as [Part, KeyEdit][]) {
    edit.insert?.times.forEach((value, i) => {
      const time = checkTime(value)
      let record = inserted.get(time)
      if (!record) {
        record = recordAt(coding, track, time, mode)
        inserted.set(time, record)
        records.push({ time, order: n + inserted.size, words: record.words })
      }
      setValue(coding, record, 0, part, edit.insert!.values, i, mode)
    })
  }
  if (moved.size || inserted.size) {
    records.sort((a, b) => a.time - b.time || a.order - b.order)
    for (let i = 1; i < records.length; i++)
      if (records[i].time === records[i - 1].time) invalid(say('edit.clips.twoKeys', { bone: track.bone.text, time: records[i].time }))
  }
  const words = new Uint32Array(records.length * stride)
  records.forEach((r, i) => words.set(r.words, i * stride))
  return aniTrack(track.bone, track.weight, words, track.range)
}

/** Keys of a clip whose conversion is tried out before it is offered; above, the bound of the coding is told. */
const MOST_TRIED = 50_000

/** The three codings, each with what it would cost this clip. */
function codings(document: AniDocument, mode: PackMode): { value: string; label: string }[] {
  const keys = document.tracks.reduce((n, t) => n + keyCount(document, t), 0)
  return ([4000, 4001, 4002] as const).map((coding) => {
    const name = `${coding} ${coding === 4000 ? say('codecs.ani.plain') : CODING_NAMES[coding]}`
    if (coding === document.coding) return { value: String(coding), label: say('edit.clips.asItIs', { name }) }
    const tried = keys <= MOST_TRIED
    const worst = tried ? convertAni({ ...document }, coding, mode) : coding === 4000 ? 0 : PACK_ERROR_DEGREES[coding][mode]
    const degrees = worst.toPrecision(2)
    // what floats round is nothing
    const cost = worst < 1e-5 ? say('edit.clips.exact') : say(tried ? 'edit.clips.differsBy' : 'edit.clips.upTo', { degrees })
    const way = coding === 4000 ? [] : [say(mode === 'game' ? 'edit.clips.truncated' : 'edit.clips.rounded')]
    return { value: String(coding), label: [name, cost, ...way].join(', ') }
  })
}

function checkTime(time: number): number {
  if (!Number.isInteger(time) || time < 0 || time > 0x7fffffff) invalid(say('edit.clips.wholeTime', { time }))
  return time
}

function setValue(coding: AniCoding, track: AniTrack, key: number, part: Part, values: Float32Array, i: number, mode: PackMode): void {
  const stride = strideOf(coding)
  if (part === 'position') {
    for (let c = 0; c < 3; c++) {
      const at = (key + 1) * stride - 4 + c
      // the same number keeps its bits, whatever they are
      if (!Object.is(track.floats[at], values[3 * i + c])) track.floats[at] = values[3 * i + c]
    }
    return
  }
  const q = values.subarray(4 * i, 4 * i + 4)
  const now = [0, 0, 0, 0]
  keyRotation(coding, track, key, now)
  if (now.some((x, c) => Math.fround(x) !== q[c])) setKeyRotation(coding, track, key, q, mode)
}
