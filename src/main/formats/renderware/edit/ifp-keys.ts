/**
 * Keys of an IFP. Rotation, translation and scale of a bone share their keys: a key that is moved, put in or taken out in one of them
 * is so in all. Parts that an edit does not name keep their bytes; new keys get the other parts by interpolation.
 */
import { notHere } from '../../address.ts'
import { slerp } from '../../../../shared/scene/matrix.ts'
import { keyScale } from '../scene/clips.ts'
import { keyLayout, setKeys } from '../codecs/ifp-bones.ts'
import { partOffset, COMPONENTS } from './clip-tracks.ts'
import { refuse } from '../../editing.ts'
import { say } from '../texts/index.ts'
import type { IfpAnimation, IfpBone, IfpDocument, KeyColumns } from '../codecs/ifp-bones.ts'
import type { KeyEdit } from '../../../../shared/api/types/clips.ts'
import type { Part, TrackPlace } from './clip-tracks.ts'

/** One key of a bone: its bytes, and its time as the file has it for putting keys in order. */
interface Key {
  bytes: Uint8Array
  time: number
}

class BoneKeys {
  readonly keys: Key[]
  readonly bone: IfpBone
  readonly layout: KeyColumns
  private readonly unit: ReturnType<typeof keyScale>
  private readonly width: number
  private readonly removed = new Set<number>()
  /** by time as stored */
  private readonly added = new Map<number, Key>()
  private timesChanged = false
  /** numbers of the keys by their times, equal ones as they stand; made when it is needed */
  private order: Int32Array | null = null

  constructor(document: IfpDocument, bone: IfpBone) {
    const layout = keyLayout(document, bone)
    if (!layout) refuse(say('edit.noEditableKeys'))
    this.bone = bone
    this.layout = layout
    this.unit = keyScale(document, bone)
    this.width = layout.stride * (bone.shorts ? 2 : 4)
    this.keys = Array.from({ length: bone.numKeys }, (_, k) => {
      const bytes = bone.keys.slice(this.width * k, this.width * (k + 1))
      return { bytes, time: this.get(bytes, layout.time) }
    })
  }

  private get(bytes: Uint8Array, element: number): number {
    return this.bone.shorts
      ? new Int16Array(bytes.buffer, bytes.byteOffset)[element]
      : new Float32Array(bytes.buffer, bytes.byteOffset)[element]
  }

  /** Writes a native value; an unchanged one keeps its bits. */
  private put(bytes: Uint8Array, element: number, value: number, scale: number, what: string): void {
    if (!Number.isFinite(value)) refuse(say('edit.noNumber', { what }))
    const old = Math.fround(this.get(bytes, element) * scale)
    if (old === Math.fround(value)) return
    if (!this.bone.shorts) {
      new Float32Array(bytes.buffer, bytes.byteOffset)[element] = value / scale
      return
    }
    const stored = Math.round(value / scale)
    if (stored < -32768 || stored > 32767) refuse(say('edit.doesNotFit', { what, value, least: -32768 * scale, most: 32767 * scale }))
    new Int16Array(bytes.buffer, bytes.byteOffset)[element] = stored
  }

  private putTime(key: Key, time: number): void {
    if (time < 0) refuse(say('edit.beforeZero'))
    this.put(key.bytes, this.layout.time, time, this.unit.time, 'time')
    key.time = this.get(key.bytes, this.layout.time)
  }

  private putPart(key: Key, part: Part, values: Float32Array, from: number): void {
    const at = partOffset(this.layout, part)
    const scale = part === 'rotation' ? this.unit.rotation : part === 'translation' ? this.unit.translation : 1
    for (let c = 0; c < COMPONENTS[part].length; c++) this.put(key.bytes, at + c, values[from + c], scale, part)
  }

  apply(part: Part, edit: KeyEdit): void {
    const n = COMPONENTS[part].length
    if (partOffset(this.layout, part) < 0) refuse(say('edit.noPart', { part }))
    for (const k of edit.remove ?? []) {
      if (!(k < this.keys.length)) refuse(say('formats.noKey', { key: k }))
      this.removed.add(k)
    }
    if (edit.set) {
      edit.set.keys.forEach((k, i) => {
        const key = this.keys[k]
        if (!key) refuse(say('formats.noKey', { key: k }))
        const before = key.time
        this.putTime(key, edit.set!.times[i])
        if (key.time !== before) {
          this.timesChanged = true
          this.order = null
        }
        this.putPart(key, part, edit.set!.values, n * i)
      })
    }
    if (edit.insert) {
      edit.insert.times.forEach((time, i) => {
        const key = this.at(time)
        this.putPart(key, part, edit.insert!.values, n * i)
      })
    }
  }

  /** The key put in at a time: one for all parts, begun with what the bone has there. */
  private at(time: number): Key {
    const stored = this.bone.shorts ? Math.round(time / this.unit.time) : Math.fround(time / this.unit.time)
    const known = this.added.get(stored)
    if (known) return known
    const key = this.between(stored)
    this.putTime(key, time)
    this.added.set(key.time, key)
    return key
  }

  private between(stored: number): Key {
    this.order ??= Int32Array.from(this.keys.keys()).sort((a, b) => this.keys[a].time - this.keys[b].time || a - b)
    const { order } = this
    const next = firstAbove(order.length, stored, (i) => this.keys[order[i]].time)
    const before = next > 0 ? order[next - 1] : -1
    const after = next < order.length ? order[next] : -1
    const base = this.keys[before >= 0 ? before : after]
    if (!base) {
      const bytes = new Uint8Array(this.width)
      const key = { bytes, time: NaN }
      this.put(bytes, this.layout.rotation + 3, 1, this.unit.rotation, 'rotation')
      if (this.layout.scale >= 0) for (let c = 0; c < 3; c++) this.put(bytes, this.layout.scale + c, 1, 1, 'scale')
      return key
    }
    const key = { bytes: base.bytes.slice(), time: NaN }
    if (before < 0 || after < 0) return key
    const a = this.keys[before],
      b = this.keys[after]
    const t = b.time > a.time ? (stored - a.time) / (b.time - a.time) : 0
    const parts = this.layout
    const read = (k: Key, at: number, count: number, scale: number): Float32Array =>
      Float32Array.from({ length: count }, (_, c) => this.get(k.bytes, at + c) * scale)
    const q = new Float32Array(4)
    slerp(q, 0, read(a, parts.rotation, 4, this.unit.rotation), 0, read(b, parts.rotation, 4, this.unit.rotation), 0, t)
    this.putPart(key, 'rotation', q, 0)
    for (const part of ['translation', 'scale'] as const) {
      const at = partOffset(parts, part)
      if (at < 0) continue
      const scale = part === 'translation' ? this.unit.translation : 1
      const va = read(a, at, 3, scale),
        vb = read(b, at, 3, scale)
      this.putPart(
        key,
        part,
        va.map((v, c) => v + (vb[c] - v) * t),
        0,
      )
    }
    return key
  }

  finish(document: IfpDocument, animation: IfpAnimation): void {
    let keys = this.keys.filter((_, k) => !this.removed.has(k))
    if (this.added.size > 0) keys = this.withAdded(keys)
    // keys that stand out of order in the file stay so until a time is changed
    if (this.timesChanged)
      keys = keys
        .map((k, i) => ({ k, i }))
        .sort((x, y) => x.k.time - y.k.time || x.i - y.i)
        .map(({ k }) => k)
    const bytes = new Uint8Array(this.width * keys.length)
    keys.forEach((key, i) => bytes.set(key.bytes, this.width * i))
    setKeys(document, animation, this.bone, bytes, keys.length)
  }

  /** A new key stands in front of the first one that is later, and takes the place of the first one at its own time. */
  private withAdded(keys: readonly Key[]): Key[] {
    const places = new Map<number, number>()
    // the latest time up to each key: the first key later than a time is the first whose latest is
    const latest = new Float64Array(keys.length)
    keys.forEach((key, i) => {
      if (!places.has(key.time)) places.set(key.time, i)
      latest[i] = Math.max(key.time, i > 0 ? latest[i - 1] : -Infinity)
    })
    const out: Key[] = []
    const replaced = new Map<number, Key>()
    const fresh: Key[] = []
    for (const key of this.added.values()) {
      const place = places.get(key.time)
      if (place === undefined) fresh.push(key)
      else replaced.set(place, key)
    }
    fresh.sort((a, b) => a.time - b.time)
    let n = 0
    keys.forEach((key, i) => {
      while (n < fresh.length && latest[i] > fresh[n].time) out.push(fresh[n++])
      out.push(replaced.get(i) ?? key)
    })
    return [...out, ...fresh.slice(n)]
  }
}

/** Number of the first of `count` ascending times that is above `time`, `count` for none. */
function firstAbove(count: number, time: number, at: (i: number) => number): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >> 1
    if (at(middle) > time) high = middle
    else low = middle + 1
  }
  return low
}

export function editIfp(document: IfpDocument, edits: { place: TrackPlace; edit: KeyEdit }[]): void {
  const bones = new Map<IfpBone, { keys: BoneKeys; animation: IfpAnimation }>()
  for (const { place, edit } of edits) {
    const animation = document.animations[place.animation]
    const bone = animation?.bones[place.bone]
    if (!bone) notHere('track', edit.track)
    let own = bones.get(bone)
    if (!own) bones.set(bone, (own = { keys: new BoneKeys(document, bone), animation }))
    own.keys.apply(place.part, edit)
  }
  for (const { keys, animation } of bones.values()) keys.finish(document, animation)
}
