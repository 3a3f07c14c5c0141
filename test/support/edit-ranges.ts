/**
 * Which bytes of a file an edit of keys may change: where each key of each track stands is read from the decoded document of the file as it was
 * (`FileFormat.describe`), and knows nothing of what writes.
 */
import { expect } from 'vitest'
import { changedRanges } from './edit-session.ts'
import { registry } from '../../src/main/formats/registry.ts'
import type { NativeTrack } from '../../src/shared/api/types/clips.ts'
import type { StructureField, StructureNode } from '../../src/shared/api/types/structure.ts'

/** Keys of a track that an edit is about. */
export interface EditedKeys {
  /** as it was before the edit */
  track: NativeTrack
  at(time: number): boolean
}

/** Bytes of a number in a record of a column. */
const SIZES: Record<string, number> = {
  u8: 1,
  i8: 1,
  u16: 2,
  i16: 2,
  half: 2,
  u32: 4,
  i32: 4,
  f32: 4,
  timecode: 4,
  comp4: 4,
  comp8: 8,
  pad: 1,
}
/** What counts keys, or the bytes that they take. */
const COUNTS =
  /^(size|(keys|cpan|dgan)\.size|keyBytes|numKeys|word2|keyCount|numTimeCodes|count|next|firstFrame|lastFrame|numFrames|length|timesPad)$/

interface Part {
  name: string
  at: number
  size: number
  kind: string
}

interface Column {
  start: number
  stride: number
  count: number
  parts: Part[]
}

/** A column of records as its type says it: `{i16[4] rotation, i16 time} x 15`. */
function columnOf({ name: field, type, start, size }: StructureField): Column | undefined {
  // visibility in time: the frame and a bit in one number
  if (field === 'entries' && size % 4 === 0)
    return { start, stride: 4, count: size / 4, parts: [{ name: 'visibility', at: 0, size: 4, kind: 'timecode' }] }
  const found = /^\{(.*)\} x (\d+)$/.exec(type)
  const count = Number(found?.[2])
  if (!found || count === 0) return undefined
  let at = 0
  const parts = found[1].split(', ').map((text): Part => {
    const [, kind, n = '1', name = ''] = /^([a-z]+\d*)(?:\/\d+)?(?:\[(\d+)\])? ?(.*)$/.exec(text)!
    const part = { name: kind === 'pad' ? 'pad' : name, at, size: SIZES[kind] * Number(n), kind }
    at += part.size
    return part
  })
  expect(at * count, type).toBe(size)
  return { start, stride: at, count, parts }
}

/** All nodes by their paths, without the root's name. */
function nodesOf(root: StructureNode): Map<string, StructureNode> {
  const out = new Map<string, StructureNode>()
  const add = (node: StructureNode, path: string): void => {
    out.set(path, node)
    for (const child of node.children) add(child, path === '' ? child.name : `${path}.${child.name}`)
  }
  add(root, '')
  return out
}

/** Bytes of a node that are in none of its fields and children. */
function gapsOf(node: StructureNode, bytes: Uint8Array): string {
  const taken = [...node.fields.map(({ start, size }) => [start, start + size]), ...node.children.map(({ start, end }) => [start, end])]
  let at = node.start
  const out: Buffer[] = []
  for (const [from, to] of taken.sort((a, b) => a[0] - b[0])) {
    if (from > at) out.push(Buffer.from(bytes.subarray(at, from)))
    at = Math.max(at, to)
  }
  return Buffer.concat([...out, Buffer.from(bytes.subarray(at, Math.max(at, node.end)))]).toString('hex')
}

const pathOf = ({ id }: NativeTrack): string => id.slice(id.indexOf('#') + 1)
const ownNode = (nodes: ReadonlyMap<string, StructureNode>, path: string): [string, StructureNode] => {
  // of tracks whose keys are one record the last part of the path is a part of that, and of tracks whose keys are one column the part before it
  let at = path
  while (!nodes.has(at) && at !== '') at = at.slice(0, Math.max(0, at.lastIndexOf('.')))
  return [at, nodes.get(at)!]
}

/** Which of the tracks of one column this one is of; '' where a column is of one track. */
const lineOf = (track: NativeTrack): string => /\.nodes\[(\d+)\]\.\w+$/.exec(track.id)?.[1] ?? ''

/** Per record, which track it is of: a key that names the one before it is of that one's, others begin one each. */
function linesIn({ start, stride, count, parts }: Column, bytes: Uint8Array): string[] {
  const previous = parts.find(({ name }) => name === 'previous')
  if (!previous) return Array.from({ length: count }, () => '')
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  // packed keys count as if they were 24 bytes
  const step = stride === 22 ? 24 : stride
  const out: string[] = []
  let begun = 0
  for (let k = 0; k < count; k++) {
    const before = view.getInt32(start + k * stride + previous.at, true)
    out.push(before < 0 ? String(begun++) : out[before / step])
  }
  return out
}

/** Times that stand beside the column of their values. */
function timesBeside(node: StructureNode, bytes: Uint8Array): number[] | undefined {
  const field = node.fields.find(({ name, type }) => name === 'times' && type.startsWith('u16 x '))
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  return field && Array.from({ length: field.size / 2 }, (_, k) => view.getUint16(field.start + 2 * k, true))
}

function timeIn({ start, stride, parts }: Column, bytes: Uint8Array, k: number): number | undefined {
  const part = parts.find(({ name, kind }) => /^(frame|time)$/.test(name) || kind === 'timecode')
  if (!part) return undefined
  const [view, at] = [new DataView(bytes.buffer, bytes.byteOffset), start + k * stride + part.at]
  if (part.kind === 'timecode') return view.getUint32(at, true) & 0x7fffffff
  if (part.kind === 'i16') return view.getInt16(at, true)
  if (part.kind === 'f32') return view.getFloat32(at, true)
  return view.getUint32(at, true)
}

/** Of a column without times: those of the track, and on from its end. */
const frameOf = ({ times }: Pick<NativeTrack, 'times'>, k: number): number => times[k] ?? times[times.length - 1] + k - times.length + 1

/** One record, or several of one track at one time. */
interface Placed {
  line: string
  time: number
  /** each part in hex */
  parts: Map<string, string>
}

/** @param times of a column without times of its own */
function recordsOf(column: Column, bytes: Uint8Array, times: NativeTrack['times']): Map<string, Placed> {
  const out = new Map<string, Placed>()
  const lines = linesIn(column, bytes)
  for (let k = 0; k < column.count; k++) {
    const time = timeIn(column, bytes, k) ?? frameOf({ times }, k)
    const key = `${lines[k]} ${time}`
    const placed = out.get(key) ?? { line: lines[k], time, parts: new Map<string, string>() }
    const record = placed.parts
    for (const { name, at, size } of column.parts) {
      const from = column.start + k * column.stride + at
      record.set(`${name}@${at}`, (record.get(`${name}@${at}`) ?? '') + Buffer.from(bytes.subarray(from, from + size)).toString('hex'))
    }
    out.set(key, placed)
  }
  return out
}

const isTime = (part: string): boolean => /^(frame|time|pad)@/.test(part)
/** Whether a part of a record is of a track: records of one track have it whole. */
const isOf = (part: string, { sharedKeys, property }: NativeTrack): boolean =>
  !isTime(part) &&
  (sharedKeys === undefined || part.startsWith(property === 'translation' ? 'position' : property) || part.startsWith(property))

/**
 * That two states of a file differ in these keys alone: other keys of the same tracks, all other tracks, headers and what no field explains are byte
 * for byte what they were; counts and sizes follow where keys came or went.
 * @returns times whose bytes changed, by the id of their track; paths of tracks that came
 */
export function expectOnlyKeys(
  ref: string,
  before: Uint8Array,
  after: Uint8Array,
  edited: readonly EditedKeys[],
): { changed: Map<string, Set<number>>; added: string[] } {
  const format = registry.identify(before.subarray(0, 4096), ref, before.length)!.format!
  const [was, now] = [before, after].map((bytes) => nodesOf(format.describe(format.decode(bytes, ref))))
  expect([...now.keys()].filter((path) => was.has(path))).toEqual([...was.keys()])
  const added = [...now.keys()].filter((path) => !was.has(path))
  const byNode = new Map<string, EditedKeys[]>()
  for (const one of edited) {
    const [path] = ownNode(was, pathOf(one.track))
    byNode.set(path, [...(byNode.get(path) ?? []), one])
  }
  const changed = new Map<string, Set<number>>()
  const note = (track: NativeTrack, time: number): void => void changed.set(track.id, (changed.get(track.id) ?? new Set()).add(time))
  /** ranges of the file as it was, in which keys may have changed in place */
  const allowed: [number, number][] = []
  let inPlace = before.length === after.length
  const grown = [...added, ...byNode.keys()].filter(
    (path) => !was.has(path) || now.get(path)!.end - now.get(path)!.start !== was.get(path)!.end - was.get(path)!.start,
  )
  for (const [path, node] of was) {
    const other = now.get(path)!
    expect(gapsOf(other, after), `${path}: bytes of no field`).toBe(gapsOf(node, before))
    // an odd number of 16-bit times is filled up
    const kept = ({ fields }: StructureNode): StructureField[] => fields.filter(({ name }) => name !== 'pad' || !grown.includes(path))
    const [fields, others] = [kept(node), kept(other)]
    expect(
      others.map(({ name }) => name),
      path,
    ).toEqual(fields.map(({ name }) => name))
    const [heldAt, madeAt] = [timesBeside(node, before), timesBeside(other, after)]
    for (const [i, field] of fields.entries()) {
      const to = others[i]
      const [old, made] = [before.subarray(field.start, field.start + field.size), after.subarray(to.start, to.start + to.size)]
      const keys = byNode.get(path)
      const same = Buffer.compare(old, made) === 0
      const [column, next] = keys ? [columnOf(field), columnOf(to)] : []
      if (same) {
        continue
      }
      const where = `${path}.${field.name}`
      if (keys && heldAt && madeAt && field.name === 'times') {
        const changedTimes = [...heldAt.filter((time) => !madeAt.includes(time)), ...madeAt.filter((time) => !heldAt.includes(time))]
        expect(
          changedTimes.filter((time) => !keys.some(({ at }) => at(time))),
          where,
        ).toEqual([])
        inPlace = false
        continue
      }
      if (column && next && /^(keys|values|blocks|entries)$/.test(field.name)) {
        if (field.name === 'blocks') blocks(where, column, before, after, next, keys!, note, allowed)
        else {
          inPlace &&= timesIn(column, before).join() === timesIn(next, after).join()
          const { times } = keys![0].track
          records(
            where,
            recordsOf(column, before, heldAt ? Float64Array.from(heldAt) : times),
            recordsOf(next, after, madeAt ? Float64Array.from(madeAt) : times),
            keys!,
            note,
          )
          for (const { track, at } of keys!) allowIn(allowed, column, before, track, at)
        }
        continue
      }
      if (keys && field.name === 'bits') {
        // a frame each, eight in a byte
        for (const { track, at } of keys)
          for (let k = 0; k < track.times.length; k++) {
            if (!at(track.times[k])) continue
            allowed.push([field.start + (k >> 3), field.start + (k >> 3) + 1])
            if (((old[k >> 3] ^ made[k >> 3]) >> (k & 7)) & 1) note(track, track.times[k])
          }
        const meant = (k: number): boolean => keys.some(({ track, at }) => k < track.times.length && at(track.times[k]))
        for (let k = 0; k < 8 * old.length; k++)
          expect(meant(k) || !(((old[k >> 3] ^ made[k >> 3]) >> (k & 7)) & 1), `${where}[${k}]`).toBe(true)
        continue
      }
      if (keys && field.name === 'init') {
        // what frame 0 is, in deltas
        for (const { track, at } of keys) if (at(0)) note(track, 0)
        expect(
          keys.some(({ at }) => at(0)),
          where,
        ).toBe(true)
        allowed.push([field.start, field.start + field.size])
        continue
      }
      expect(COUNTS.test(field.name) && grown.some((one) => one === path || one.startsWith(path === '' ? '' : `${path}.`)), where).toBe(
        true,
      )
    }
  }
  // in place: exactly these ranges of the file as it was
  if (inPlace && grown.length === 0)
    for (const [from, to] of changedRanges(before, after))
      for (let at = from; at < to; at++)
        expect(
          allowed.some(([first, end]) => at >= first && at < end),
          `${from}–${to}`,
        ).toBe(true)
  return { changed, added }
}

const timesIn = (column: Column, bytes: Uint8Array): (number | undefined)[] =>
  Array.from({ length: column.count }, (_, k) => timeIn(column, bytes, k))

function allowIn(allowed: [number, number][], column: Column, bytes: Uint8Array, track: NativeTrack, at: (time: number) => boolean): void {
  const lines = linesIn(column, bytes)
  for (let k = 0; k < column.count; k++) {
    if (lines[k] !== lineOf(track) || !at(timeIn(column, bytes, k) ?? frameOf(track, k))) continue
    for (const part of column.parts)
      if (isOf(`${part.name}@${part.at}`, track)) {
        const from = column.start + k * column.stride + part.at
        allowed.push([from, from + part.size])
      }
  }
}

function records(
  where: string,
  old: ReadonlyMap<string, Placed>,
  made: ReadonlyMap<string, Placed>,
  keys: readonly EditedKeys[],
  note: (track: NativeTrack, time: number) => void,
): void {
  for (const key of new Set([...old.keys(), ...made.keys()])) {
    const [a, b] = [old.get(key), made.get(key)]
    const { line, time, parts } = (a ?? b)!
    const meant = keys.filter(({ track, at }) => lineOf(track) === line && at(time))
    for (const part of parts.keys()) {
      if (a?.parts.get(part) === b?.parts.get(part)) continue
      const tracks = meant.filter(({ track }) => a === undefined || b === undefined || isOf(part, track))
      expect(tracks.length, `${where}: ${part} at ${time}`).toBeGreaterThan(0)
      for (const { track } of tracks) note(track, time)
    }
  }
}

/** Blocks of 16 deltas, components in turn: those that lead to an edited frame, and the block behind that comes back from it. */
function blocks(
  where: string,
  column: Column,
  before: Uint8Array,
  after: Uint8Array,
  next: Column,
  keys: readonly EditedKeys[],
  note: (track: NativeTrack, time: number) => void,
  allowed: [number, number][],
): void {
  expect(next.count, where).toBe(column.count)
  for (const { track, at } of keys) {
    const width = track.components.length
    const meant = new Set<number>()
    for (const time of track.times) {
      if (!at(time)) continue
      const block = Math.floor((Math.max(1, time) - 1) / 16)
      // what comes back from it is met to half a step, which a following block takes back where its own step is finer
      for (let behind = block; behind * width < column.count; behind++) meant.add(behind)
    }
    for (let i = 0; i < column.count; i++) {
      const [from, to] = [column.start + i * column.stride, next.start + i * next.stride]
      if (meant.has(Math.floor(i / width))) allowed.push([from, from + column.stride])
      if (Buffer.compare(before.subarray(from, from + column.stride), after.subarray(to, to + column.stride)) === 0) continue
      expect(meant.has(Math.floor(i / width)), `${where}[${i}]`).toBe(true)
      for (const time of track.times) if (at(time)) note(track, time)
    }
  }
}
