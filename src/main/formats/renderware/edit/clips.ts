/**
 * Keys of IFP and ANM animations behind the interface that all families share. Rotation, translation and scale of a bone share
 * their keys: a key that is moved, put in or taken out in one of them is so in all. Parts that an edit does not name keep
 * their bytes; new keys get the other parts by interpolation.
 */
import { addressOf, clipAt, jointAt, lastStep, notHere, numberIn, ofFormat, readAddress } from '../../address.ts'
import { FormatError } from '../../../binary/format-error.ts'
import { nameOf, withName } from '../../../binary/reader.ts'
import { slerp } from '../../../../shared/scene/matrix.ts'
import { ANIM_TYPE, animKey, animNodes, animation, packHalf } from '../codecs/rt-anim.ts'
import { basisQuat, basisScale, basisVector } from '../scene/basis.ts'
import { boneKey, keyScale } from '../scene/clips.ts'
import { frameAt } from './skeleton.ts'
import { ifpFormat, keyLayout, setKeys, withColumns } from '../codecs/ifp.ts'
import type { DffDocument } from '../codecs/dff.ts'
import type { AnmDocument } from '../codecs/anm.ts'
import type { RtAnim } from '../codecs/rt-anim.ts'
import type { IfpAnimation, IfpBone, IfpDocument, KeyColumns } from '../codecs/ifp.ts'
import type { ClipEditor, EditSession, OpenDocuments } from '../../editing.ts'
import type { KeyEdit, NativeTrack, TrackLimits } from '../../../../shared/api/types.ts'

const PARTS = ['rotation', 'translation', 'scale'] as const
type Part = (typeof PARTS)[number]
const isPart = (name: string): name is Part => PARTS.some((part) => part === name)

const COMPONENTS: Readonly<Record<Part, string[]>> = {
  rotation: ['x', 'y', 'z', 'w'],
  translation: ['x', 'y', 'z'],
  scale: ['x', 'y', 'z'],
}

function refuse(message: string): never {
  throw new FormatError('invalid-edit', message)
}

interface Place {
  ref: string
  /** animation of an IFP, or root chunk of an ANM */
  animation: number
}

/** What holds the animations: an IFP, or the root chunks of an ANM. */
const ANIMATIONS = ['animations', 'animAnimation']

function placeOf(model: OpenDocuments, clip: number): Place {
  const { source } = clipAt(model, clip)
  const animation = numberIn(source.path, ...ANIMATIONS)
  if (animation === undefined) refuse('this clip cannot be edited')
  return { ref: source.ref, animation }
}

interface TrackPlace extends Place {
  bone: number
  part: Part
}

/** `ref#animations[1].bones[2].rotation` */
function trackPlace(id: string): TrackPlace {
  const { ref, path } = readAddress(id, 'track')
  const animation = numberIn(path, ...ANIMATIONS)
  const bone = numberIn(path, 'bones', 'nodes')
  const part = lastStep(path).name
  if (animation === undefined || bone === undefined || !isPart(part)) notHere('track', id)
  return { ref, animation, bone, part }
}

function jointOf(model: OpenDocuments, clip: number, path: string): number {
  return model.assembled.scene.clips[clip]?.tracks.find((t) => t.source.path === path)?.target.index ?? -1
}

function partOffset(layout: KeyColumns, part: Part): number {
  return part === 'rotation' ? layout.rotation : part === 'translation' ? layout.translation : layout.scale
}

/** Most that a stored value can be. */
function limitsOf(document: IfpDocument, bone: IfpBone, part: Part): TrackLimits {
  const shorts = bone.shorts !== null
  const others = ['rotation', 'translation', 'scale'].filter(
    (p) => p !== part && keyLayout(document, bone) && partOffset(keyLayout(document, bone)!, p as Part) >= 0,
  )
  const shared = others.length ? `keys shared with ${others.join(' and ')}` : ''
  const packed = shorts ? (part === 'rotation' ? 'i16: steps of 1/4096' : 'i16: steps of 1/1024, at most 32') : ''
  return {
    timeStep: shorts ? 1 : 0,
    minTime: 0,
    maxTime: shorts ? 32767 : document.kind === 'ANPK' ? 1e6 : 6e7,
    dense: false,
    stepped: false,
    packed: [packed, shared].filter(Boolean).join('; '),
    readOnly: '',
  }
}

function ifpTracks(document: IfpDocument, a: number, clip: number, model: OpenDocuments): NativeTrack[] {
  const animation = document.animations[a]
  const out: NativeTrack[] = []
  animation.bones.forEach((bone, b) => {
    const layout = keyLayout(document, bone)
    const column = bone.shorts ?? bone.floats
    if (!layout || !column) return
    const path = `animations[${a}].bones[${b}]`
    const unit = keyScale(document, bone)
    const times = Float64Array.from({ length: bone.numKeys }, (_, k) => column[layout.stride * k + layout.time] * unit.time)
    const joint = jointOf(model, clip, path)
    for (const part of ['rotation', 'translation', 'scale'] as const) {
      const at = partOffset(layout, part)
      if (at < 0) continue
      const components = COMPONENTS[part]
      const scale = part === 'rotation' ? unit.rotation : part === 'translation' ? unit.translation : 1
      const values = new Float32Array(components.length * bone.numKeys)
      for (let k = 0; k < bone.numKeys; k++)
        for (let c = 0; c < components.length; c++) values[components.length * k + c] = column[layout.stride * k + at + c] * scale
      out.push({
        id: addressOf(document.ref, `${path}.${part}`),
        sharedKeys: addressOf(document.ref, path),
        ref: document.ref,
        clip: nameOf(animation.name),
        target: nameOf(bone.name),
        joint,
        property: part,
        label: bone.anpk ? `${bone.anpk.keyTag} ${part}` : `type ${bone.type} ${part}`,
        components,
        times,
        values,
        limits: limitsOf(document, bone, part),
      })
    }
  })
  return out
}

function anmTracks(document: AnmDocument, r: number, clip: number, model: OpenDocuments): NativeTrack[] {
  const anim = document.roots[r]?.value as RtAnim
  const out: NativeTrack[] = []
  const key = new Float32Array(8)
  animNodes(anim).forEach((node, i) => {
    const path = `animAnimation[${r}].nodes[${i}]`
    const joint = jointOf(model, clip, path)
    const times = new Float64Array(node.keys.length)
    const rotation = new Float32Array(4 * node.keys.length)
    const translation = new Float32Array(3 * node.keys.length)
    node.keys.forEach((k, at) => {
      animKey(anim, k, key)
      times[at] = key[0]
      rotation.set(key.subarray(1, 5), 4 * at)
      translation.set(key.subarray(5, 8), 3 * at)
    })
    const target = joint >= 0 ? model.assembled.scene.skeleton.names[joint] : `node ${i}`
    const limits: TrackLimits = {
      timeStep: 0,
      minTime: 0,
      maxTime: 1e6,
      dense: true,
      stepped: false,
      packed:
        anim.type === ANIM_TYPE.compressed ? 'floats of 16 bits; times and number of keys are fixed' : 'times and number of keys are fixed',
      readOnly: '',
    }
    for (const [part, values] of [
      ['rotation', rotation],
      ['translation', translation],
    ] as const) {
      out.push({
        id: addressOf(document.ref, `${path}.${part}`),
        sharedKeys: addressOf(document.ref, path),
        ref: document.ref,
        clip: model.assembled.scene.clips[clip].name,
        target,
        joint,
        property: part,
        label: `type ${anim.type} ${part}`,
        components: COMPONENTS[part],
        times,
        values,
        limits,
      })
    }
  })
  return out
}

// --- editing keys --------------------------------------------------------------------------------------------------

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
    if (!layout) refuse('this bone has no keys that can be edited')
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
    if (!Number.isFinite(value)) refuse(`${what} is no number`)
    const old = Math.fround(this.get(bytes, element) * scale)
    if (old === Math.fround(value)) return
    if (!this.bone.shorts) {
      new Float32Array(bytes.buffer, bytes.byteOffset)[element] = value / scale
      return
    }
    const stored = Math.round(value / scale)
    if (stored < -32768 || stored > 32767) refuse(`${what} of ${value} does not fit: the file stores ${-32768 * scale} to ${32767 * scale}`)
    new Int16Array(bytes.buffer, bytes.byteOffset)[element] = stored
  }

  private putTime(key: Key, time: number): void {
    if (time < 0) refuse('a key cannot stand before time 0')
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
    if (partOffset(this.layout, part) < 0) refuse(`this bone has no ${part}`)
    for (const k of edit.remove ?? []) {
      if (!(k < this.keys.length)) refuse(`there is no key ${k}`)
      this.removed.add(k)
    }
    if (edit.set) {
      edit.set.keys.forEach((k, i) => {
        const key = this.keys[k]
        if (!key) refuse(`there is no key ${k}`)
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

function editIfp(document: IfpDocument, edits: { place: TrackPlace; edit: KeyEdit }[]): void {
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

function editAnm(document: AnmDocument, edits: { place: TrackPlace; edit: KeyEdit }[]): void {
  for (const { place, edit } of edits) {
    const root = document.roots[place.animation]
    if (!root) notHere('track', edit.track)
    if (root.codec !== animation) refuse('this animation cannot be edited')
    const anim = root.value as RtAnim
    const node = animNodes(anim)[place.bone]
    if (!node) notHere('track', edit.track)
    if (edit.insert?.times.length || edit.remove?.length)
      refuse('keys of this format stand in the order of playback: they cannot be put in or taken out')
    if (!edit.set) continue
    const compressed = anim.type === ANIM_TYPE.compressed
    const stride = compressed ? 22 : 36
    const view = new DataView(anim.keys.buffer, anim.keys.byteOffset, anim.keys.byteLength)
    const old = new Float32Array(8)
    edit.set.keys.forEach((k, i) => {
      const key = node.keys[k]
      if (key === undefined) refuse(`there is no key ${k}`)
      animKey(anim, key, old)
      if (Math.fround(edit.set!.times[i]) !== old[0]) refuse('times of this format cannot be changed')
      const n = place.part === 'rotation' ? 4 : 3
      const first = place.part === 'rotation' ? 1 : 5
      for (let c = 0; c < n; c++) {
        const value = edit.set!.values[n * i + c]
        if (!Number.isFinite(value)) refuse(`${place.part} is no number`)
        if (Math.fround(value) === old[first + c]) continue
        const element = first - 1 + c
        if (!compressed) view.setFloat32(stride * key + 4 + 4 * element, value, true)
        else {
          const scale = place.part === 'translation' ? anim.packing[3 + c] : 1
          const offset = place.part === 'translation' ? anim.packing[c] : 0
          if (scale === 0) refuse('this translation has no range in the file')
          const unscaled = (value - offset) / scale
          if (Math.abs(unscaled) >= 2) refuse(`${value} is outside the range that the file can hold`)
          view.setUint16(stride * key + 4 + 2 * element, packHalf(unscaled), true)
        }
      }
    })
  }
}

export const clips: ClipEditor = {
  tracks(model, clip) {
    const place = placeOf(model, clip)
    const document = model.document(place.ref)
    if (document?.format === 'renderware.ifp') return ifpTracks(document as IfpDocument, place.animation, clip, model)
    if (document?.format === 'renderware.anm') return anmTracks(document as AnmDocument, place.animation, clip, model)
    return []
  },
  editKeys(session, edits) {
    const byFile = new Map<string, { place: TrackPlace; edit: KeyEdit }[]>()
    for (const edit of edits) {
      const place = trackPlace(edit.track)
      byFile.set(place.ref, [...(byFile.get(place.ref) ?? []), { place, edit }])
    }
    for (const [ref, list] of byFile) {
      const document = session.edit(ref)
      if (document.format === 'renderware.ifp') editIfp(document as IfpDocument, list)
      else if (document.format === 'renderware.anm') editAnm(document as AnmDocument, list)
      else notHere('track', list[0].edit.track)
    }
  },
  addTrack(session, clip, joint, property) {
    const place = placeOf(session, clip)
    jointAt(session, joint)
    const document = session.edit<IfpDocument>(place.ref)
    if (document.format !== 'renderware.ifp') refuse('bones cannot be added to this format')
    const animation = document.animations[place.animation]
    const { skeleton, clips } = session.assembled.scene
    const path = clips[clip].tracks.find((t) => t.target.kind === 'joint' && t.target.index === joint)?.source.path
    const existing = path ? animation.bones[numberIn(path, 'bones') ?? -1] : undefined
    if (property === 'translation') {
      const bone = existing ?? addBone(session, document, animation, joint)
      setTranslation(document, animation, bone, skeleton.restTranslation.subarray(3 * joint, 3 * joint + 3))
    } else if (property === 'rotation') {
      if (existing) refuse('the clip moves this bone already')
      addBone(session, document, animation, joint)
    } else refuse(`animations of this format have no ${property}`)
  },
  removeTrack(session, track) {
    const place = trackPlace(track)
    const found = session.edit(place.ref)
    if (found.format === 'renderware.anm') refuse('bones cannot be taken out of this format')
    const document = ofFormat<IfpDocument>(found, ifpFormat.id, 'track', track)
    const animation = document.animations[place.animation]
    const bone = animation?.bones[place.bone]
    if (!bone) notHere('track', track)
    if (place.part === 'translation') {
      setTranslation(document, animation, bone, null)
      return
    }
    if (place.part === 'scale') refuse('scale cannot be taken out alone')
    setKeys(document, animation, bone, new Uint8Array(0), 0)
    if (bone.anpk) animation.anpk!.dganSize -= 8 + bone.anpk.cpanSize + ((4 - (bone.anpk.cpanSize & 3)) & 3)
    animation.bones.splice(place.bone, 1)
    animation.numBones--
  },
  fields(model, clip) {
    const place = placeOf(model, clip)
    const document = model.document(place.ref)
    if (document?.format !== 'renderware.ifp') return []
    const animation = (document as IfpDocument).animations[place.animation]
    return [
      {
        key: 'name',
        label: 'Name',
        value: nameOf(animation.name),
        note: (document as IfpDocument).kind === 'ANPK' ? undefined : 'at most 23 characters',
      },
    ]
  },
  setField(session, clip, key, value) {
    const place = placeOf(session, clip)
    const document = session.edit<IfpDocument>(place.ref)
    if (document.format !== 'renderware.ifp' || key !== 'name') notHere('field', key)
    const text = String(value)
    if (!/^[\x20-\x7e]+$/.test(text)) refuse('names are plain ASCII')
    const animation = document.animations[place.animation]
    const bytes = Uint8Array.from(text, (c) => c.charCodeAt(0))
    if (!animation.anpk) {
      animation.name = withName(animation.name, bytes)
      return
    }
    const own = animation.anpk
    animation.name = Uint8Array.from([...bytes, 0])
    own.nameSize = animation.name.length
    own.namePad = new Uint8Array((4 - (own.nameSize & 3)) & 3)
  },
  fromScene(model, track, sceneValue) {
    const out = new Float32Array(track.components.length)
    const document = model.document(track.ref) as IfpDocument | undefined
    if (track.property === 'rotation') {
      basisQuat(out, 0, sceneValue, 0)
      if (document?.format === 'renderware.ifp' && document.kind === 'ANPK') for (let c = 0; c < 3; c++) out[c] = -out[c]
    } else if (track.property === 'scale') basisScale(out, 0, sceneValue, 0)
    else basisVector(out, 0, sceneValue, 0)
    return out
  },
}

/** A bone for a joint at the end of an animation, with one key: the joint's rest. */
function addBone(session: EditSession, document: IfpDocument, animation: IfpAnimation, joint: number): IfpBone {
  const { scene } = session.assembled
  const name = (scene.skeleton.names[joint] ?? '').trim()
  if (!name) refuse('the joint has no name')
  const size = document.kind === 'ANPK' ? 28 : 24
  if (name.length >= size) refuse(`"${name}" is longer than ${size - 1} characters`)
  const field = new Uint8Array(size)
  for (let i = 0; i < name.length; i++) field[i] = name.charCodeAt(i)
  const boneId = nodeIdOf(session, joint)
  if (animation.bones.some((b) => (boneId >= 0 && b.boneId === boneId) || boneKey(b.name) === boneKey(name)))
    refuse('the clip has this bone already')
  const q = new Float32Array(4)
  basisQuat(q, 0, scene.skeleton.restRotation, 4 * joint)
  let bone: IfpBone
  if (document.kind === 'ANPK') {
    const empty = new Uint8Array(0)
    const keys = Float32Array.of(-q[0], -q[1], -q[2], q[3], 0)
    bone = withColumns(
      {
        name: field,
        type: 0,
        numKeys: 1,
        boneId,
        keys: new Uint8Array(keys.buffer),
        shorts: null,
        floats: null,
        anpk: {
          cpanSize: 52 + 28,
          animSize: 44,
          word1: 0,
          word2: 0,
          links: Int32Array.of(boneId),
          animRest: empty,
          keyTag: 'KR00',
          keySize: 20,
          keyRest: empty,
          rest: empty,
        },
      },
      false,
    )
    animation.anpk!.dganSize += 8 + 52 + 28
  } else {
    const compressed = animation.bones[0] ? animation.bones[0].shorts !== null : true
    const keys = compressed
      ? new Uint8Array(Int16Array.from([...q.map((v) => Math.round(v * 4096)), 0]).buffer)
      : new Uint8Array(Float32Array.of(...q, 0).buffer)
    bone = withColumns({ name: field, type: compressed ? 3 : 1, numKeys: 1, boneId, keys, shorts: null, floats: null }, compressed)
    animation.keyBytes += keys.length
  }
  animation.bones.push(bone)
  animation.numBones++
  return bone
}

/** HAnim number of a joint; -1 for none, and the bone is then matched by name. */
function nodeIdOf(session: EditSession, joint: number): number {
  return frameAt(session, session.document(session.binding.primary) as DffDocument | undefined, joint)?.frame.hanim?.nodeId ?? -1
}

/** Gives all keys of a bone a translation, or takes it away. Rotations and times keep their bytes. */
function setTranslation(document: IfpDocument, animation: IfpAnimation, bone: IfpBone, rest: Float32Array | null): void {
  const layout = keyLayout(document, bone)
  if (!layout) refuse('this bone has no keys that can be edited')
  const has = layout.translation >= 0
  if (has === (rest !== null)) refuse(has ? 'the bone has a translation already' : 'the bone has no translation')
  if (layout.scale >= 0) refuse('translation cannot be taken from keys with a scale')
  const unit = bone.shorts ? 2 : 4
  const anpk = document.kind === 'ANPK'
  const native = new Float32Array(3)
  if (rest) basisVector(native, 0, rest, 0)
  const oldWidth = layout.stride * unit
  const width = (rest ? 8 : 5) * unit
  const keys = new Uint8Array(width * bone.numKeys)
  const t = bone.shorts ? Int16Array.from(native, (v) => Math.max(-32768, Math.min(32767, Math.round(v * 1024)))) : native
  const tBytes = new Uint8Array(t.buffer, t.byteOffset, t.byteLength)
  for (let k = 0; k < bone.numKeys; k++) {
    const old = bone.keys.subarray(oldWidth * k, oldWidth * (k + 1))
    const rotation = old.subarray(0, 4 * unit)
    const time = old.subarray(layout.time * unit, (layout.time + 1) * unit)
    const parts = rest ? (anpk ? [rotation, tBytes, time] : [rotation, time, tBytes]) : [rotation, time]
    let at = width * k
    for (const part of parts) {
      keys.set(part, at)
      at += part.length
    }
  }
  if (anpk) bone.anpk!.keyTag = rest ? 'KRT0' : 'KR00'
  else bone.type += rest ? 1 : -1
  setKeys(document, animation, bone, keys, bone.numKeys)
}
