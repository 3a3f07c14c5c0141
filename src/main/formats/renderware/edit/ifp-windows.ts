/**
 * Ranges of an IFP's animations, cut out and put one behind the other. Keys that stand in a range keep the bits of their values; a pose is
 * evaluated only where a range begins or ends between two keys.
 */
import { slerp } from '../../../../shared/scene/matrix.ts'
import { refuse } from '../../editing.ts'
import { keyLayout, setKeys, withColumns } from '../codecs/ifp-bones.ts'
import { keyScale } from '../scene/clips.ts'
import { say } from '../texts/index.ts'
import type { IfpAnimation, IfpBone, IfpDocument, KeyColumns } from '../codecs/ifp-bones.ts'

/** Last tick that the game's i16 holds, in packed and in float keys: it packs the latter when it loads them. */
const LAST_TICK = 32767

/** A copy that shares no memory with the original. */
export function copyAnimation(animation: IfpAnimation): IfpAnimation {
  return {
    ...animation,
    name: animation.name.slice(),
    bones: animation.bones.map(copyBone),
    start: 0,
    end: 0,
    ...(animation.anpk && {
      anpk: {
        ...animation.anpk,
        namePad: animation.anpk.namePad.slice(),
        infoWord: animation.anpk.infoWord.slice(),
        rest: animation.anpk.rest.slice(),
      },
    }),
  }
}

function copyBone(bone: IfpBone): IfpBone {
  return withColumns(
    {
      ...bone,
      name: bone.name.slice(),
      keys: bone.keys.slice(),
      ...(bone.anpk && {
        anpk: {
          ...bone.anpk,
          links: bone.anpk.links.slice(),
          animRest: bone.anpk.animRest.slice(),
          keyRest: bone.anpk.keyRest.slice(),
          rest: bone.anpk.rest.slice(),
        },
      }),
    },
    bone.shorts !== null,
  )
}

type Column = Int16Array | Float32Array

/** Keys of a bone in order of time, as columns of their own. */
interface Keys {
  layout: KeyColumns
  column: Column
  /** key numbers by time; of several at one time the later one stands later */
  order: number[]
  time(k: number): number
}

function keysOf(document: IfpDocument, bone: IfpBone): Keys | undefined {
  const layout = keyLayout(document, bone)
  const column = bone.shorts ?? bone.floats
  if (!layout || !column || bone.numKeys === 0) return undefined
  const time = (k: number): number => column[layout.stride * k + layout.time]
  const order = Array.from({ length: bone.numKeys }, (_, k) => k).sort((a, b) => time(a) - time(b) || a - b)
  return { layout, column, order, time }
}

/** The key that plays at a stored time: bits of the one that stands there, or of the nearest where nothing lies on the other side. */
function keyAt(keys: Keys, time: number): Column {
  const { layout, column, order } = keys
  const record = (k: number): Column => column.slice(layout.stride * k, layout.stride * (k + 1))
  let next = order.findIndex((k) => keys.time(k) > time)
  if (next < 0) next = order.length
  const before = order[Math.max(0, next - 1)]
  const out = record(before)
  out[layout.time] = time
  const after = order[next]
  if (next === 0 || after === undefined || keys.time(before) === time) return out
  const share = (time - keys.time(before)) / (keys.time(after) - keys.time(before))
  const a = record(before)
  const b = record(after)
  const packed = out instanceof Int16Array
  const put = (at: number, value: number): void => {
    out[at] = packed ? Math.max(-32768, Math.min(32767, Math.round(value))) : value
  }
  const q = [0, 0, 0, 1]
  const at = layout.rotation
  const unit = (values: Column): number[] => {
    const length = Math.hypot(values[at], values[at + 1], values[at + 2], values[at + 3]) || 1
    return [0, 1, 2, 3].map((c) => values[at + c] / length)
  }
  slerp(q, 0, unit(a), 0, unit(b), 0, share)
  for (let c = 0; c < 4; c++) put(at + c, q[c] * (packed ? 4096 : 1))
  for (const part of [layout.translation, layout.scale])
    if (part >= 0) for (let c = 0; c < 3; c++) put(part + c, a[part + c] + (b[part + c] - a[part + c]) * share)
  return out
}

function write(document: IfpDocument, animation: IfpAnimation, bone: IfpBone, records: readonly Column[]): void {
  const bytes = new Uint8Array(records.reduce((sum, record) => sum + record.byteLength, 0))
  let at = 0
  for (const record of records) {
    bytes.set(new Uint8Array(record.buffer, record.byteOffset, record.byteLength), at)
    at += record.byteLength
  }
  setKeys(document, animation, bone, bytes, records.length)
}

/** Native time of a clip as the bone stores it. @throws FormatError invalid-edit where packed keys have no such tick */
function stored(document: IfpDocument, bone: IfpBone, time: number): number {
  const value = time / keyScale(document, bone).time
  if (bone.shorts && !Number.isInteger(value)) refuse(say('edit.clips.wholeTicks', { time }))
  return bone.shorts ? value : Math.fround(value)
}

/** First and last time of an animation, in the units of its clip; keys of bones that the model lacks count too. */
function extentOf(document: IfpDocument, animation: IfpAnimation): { start: number; end: number } {
  let start = Infinity
  let end = 0
  for (const bone of animation.bones) {
    const keys = keysOf(document, bone)
    if (!keys) continue
    const unit = keyScale(document, bone).time
    start = Math.min(start, keys.time(keys.order[0]) * unit)
    end = Math.max(end, keys.time(keys.order.at(-1)!) * unit)
  }
  return { start: Number.isFinite(start) ? start : 0, end }
}

/**
 * Leaves what plays from `start` to `end` (native times): of each bone the keys between, and the poses of both ends. Absent ends stay as
 * they are. With a start, times count from there.
 */
export function cutAnimation(document: IfpDocument, animation: IfpAnimation, start: number | undefined, end: number | undefined): void {
  for (const bone of animation.bones) {
    const keys = keysOf(document, bone)
    if (!keys) continue
    const from = start === undefined ? -Infinity : stored(document, bone, start)
    const to = end === undefined ? Infinity : stored(document, bone, end)
    const { layout, column } = keys
    const numbers = keys.order.filter((k) => keys.time(k) >= from && keys.time(k) <= to)
    // an animation that is cut behind its keys alone keeps the order that they have in the file
    if (start === undefined) numbers.sort((a, b) => a - b)
    const records: Column[] = numbers.map((k) => column.slice(layout.stride * k, layout.stride * (k + 1)))
    const stands = (time: number): boolean => numbers.some((k) => keys.time(k) === time)
    if (start !== undefined && !stands(from)) records.unshift(keyAt(keys, from))
    // a bone that has come to rest needs no key at the end
    const goesOn = keys.order.some((k) => keys.time(k) > to)
    if (goesOn && to > from && !stands(to)) records.push(keyAt(keys, to))
    if (start !== undefined) for (const record of records) record[layout.time] -= from
    write(document, animation, bone, records)
  }
}

/** Bones of two animations that move the same one. */
function sameBone(a: IfpBone, b: IfpBone, key: (bone: IfpBone) => string): boolean {
  return a.boneId >= 0 && b.boneId >= 0 ? a.boneId === b.boneId : key(a) === key(b)
}

/**
 * Puts `second` behind `first`. Where the pose at the seam is the same it stands there once; otherwise the second begins a tick later. A
 * bone that only one of them moves holds the pose next to it.
 * @throws FormatError invalid-edit where their keys are coded differently, or where the result is longer than the game's counters
 */
export function joinAnimations(
  document: IfpDocument,
  first: IfpAnimation,
  second: IfpAnimation,
  key: (bone: IfpBone) => string,
): { offset: number } {
  if (first.bones.some((bone) => bone.shorts) !== second.bones.some((bone) => bone.shorts)) refuse(say('edit.clips.otherCoding'))
  const model = first.bones[0] ?? second.bones[0]
  const unit = model ? keyScale(document, model).time : 1
  // in units of the file
  const tick = document.kind === 'ANPK' || unit !== 1 ? 1 / 60 : 1
  const seam = extentOf(document, first).end / unit
  const theirs = extentOf(document, second)
  const begin = theirs.start / unit
  const pairs = second.bones.flatMap((bone) => {
    const keys = keysOf(document, bone)
    const own = first.bones.find((other) => sameBone(other, bone, key))
    return keys ? [{ bone, keys, own, mine: own && keysOf(document, own) }] : []
  })
  for (const { bone, own, mine } of pairs)
    if (own && mine && (own.type !== bone.type || own.anpk?.keyTag !== bone.anpk?.keyTag))
      refuse(say('edit.clips.otherKeys', { name: key(own) }))
  const meets = pairs.every(({ keys, mine }) => {
    if (!mine) return true
    const last = keyAt(mine, seam)
    const next = keyAt(keys, begin)
    return last.every((value, i) => i === mine.layout.time || value === next[i])
  })
  const offset = seam - begin + (meets ? 0 : tick)
  if (theirs.end / unit + offset > LAST_TICK * tick) refuse(say('edit.clips.tooLong', { most: LAST_TICK }))
  for (const { bone, keys, own, mine } of pairs) {
    const { layout, column } = keys
    const records: Column[] = keys.order.map((k) => column.slice(layout.stride * k, layout.stride * (k + 1)))
    // the pose that it has when its clip begins, where its own first key comes later
    if (records[0][layout.time] > begin) records.unshift(keyAt(keys, begin))
    for (const record of records) record[layout.time] += offset
    if (mine && own) {
      const kept: Column[] = mine.order.map((k) => mine.column.slice(layout.stride * k, layout.stride * (k + 1)))
      if (kept.at(-1)![layout.time] < seam) kept.push(keyAt(mine, seam))
      write(document, first, own, [...kept, ...(meets ? records.filter((record) => record[layout.time] > seam) : records)])
      continue
    }
    const still = records[0].slice()
    still[layout.time] = 0
    if (own) drop(document, first, own)
    const added = copyBone(bone)
    adopt(document, first, added)
    write(document, first, added, records[0][layout.time] > 0 ? [still, ...records] : records)
  }
  return { offset: offset * unit }
}

/** A bone that goes; the sizes around it shrink. */
export function drop(document: IfpDocument, animation: IfpAnimation, bone: IfpBone): void {
  animation.bones.splice(animation.bones.indexOf(bone), 1)
  animation.numBones--
  animation.keyBytes -= document.kind === 'ANPK' ? 0 : bone.keys.length
  if (bone.anpk) animation.anpk!.dganSize -= sizeInParent(bone)
}

/** Bytes of a bone's chunk, head and padding included. */
function sizeInParent(bone: IfpBone): number {
  const { cpanSize } = bone.anpk!
  return 8 + cpanSize + ((4 - (cpanSize & 3)) & 3)
}

/** A bone of another animation at the end of this one; the sizes around it grow. */
function adopt(document: IfpDocument, animation: IfpAnimation, bone: IfpBone): void {
  animation.bones.push(bone)
  animation.numBones++
  animation.keyBytes += document.kind === 'ANPK' ? 0 : bone.keys.length
  if (bone.anpk) animation.anpk!.dganSize += sizeInParent(bone)
}
