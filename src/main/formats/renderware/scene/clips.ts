/** Animations as clips of a scene: which bones they move, in which space, at which times. */
import { withoutExtension } from '../../../../shared/ref.ts'
import { nameOf } from '../../../binary/reader.ts'
import { clipOfLater } from '../../clip-tracks.ts'
import { mendNumbers } from '../../finite.ts'
import { kept } from '../../kept.ts'
import { ANIM_TYPE, animKey, animNodes, animation } from '../codecs/rt-anim.ts'
import { basisQuat, basisScale, basisVector } from './basis.ts'
import { keyLayout } from '../codecs/ifp-bones.ts'
import { say } from '../texts/index.ts'
import { length4 } from '../../../../shared/scene/length.ts'
import type { AnmDocument } from '../codecs/anm.ts'
import type { RtAnim } from '../codecs/rt-anim.ts'
import type { IfpAnimation, IfpBone, IfpDocument, KeyColumns } from '../codecs/ifp-bones.ts'
import type { Clip, Scene, Track } from '../../../../shared/scene/types.ts'

/** How bones of animations find joints. */
export interface JointFinder {
  byId(id: number): readonly number[]
  byName(name: string): readonly number[]
  /** by place in the node table, for RtAnim */
  byNode(node: number): readonly number[]
  nodeCount: number
}

/** Joints of a bone of an IFP: by number, or by name where it has none or the model has no numbers. */
function jointsOf(bone: IfpBone, find: JointFinder): readonly number[] {
  if (bone.boneId >= 0) {
    const joints = find.byId(bone.boneId)
    if (joints.length) return joints
  }
  return find.byName(boneKey(bone.name))
}

/** Names compare without case, spaces at the ends and underscores for spaces. */
export function boneKey(name: Uint8Array | string): string {
  return (typeof name === 'string' ? name : nameOf(name)).trim().toLowerCase().replaceAll('_', ' ')
}

/** Factor of rotation, translation and time: ANP3 stores i16, ANPK and ANP3 types 1 and 2 floats. */
export function keyScale(document: Pick<IfpDocument, 'kind'>, bone: IfpBone): { rotation: number; translation: number; time: number } {
  const time = timeScale(document, bone)
  return document.kind !== 'ANPK' && bone.shorts
    ? { rotation: 1 / 4096, translation: 1 / 1024, time }
    : { rotation: 1, translation: 1, time }
}

/** The clip's rate is 60 for ANP3: seconds of float types become 1/60 s. */
function timeScale({ kind }: Pick<IfpDocument, 'kind'>, { shorts }: IfpBone): number {
  return kind === 'ANPK' || shorts ? 1 : 60
}

export interface BoneTracks {
  rotation: Track
  translation?: Track
  scale?: Track
}

/** Where the numbers of a clip's tracks go: thousands of clips of small tracks are one piece of memory each. */
interface Room {
  numbers: Float32Array
  used: number
}

function take(room: Room, count: number): Float32Array {
  room.used += count
  return room.numbers.subarray(room.used - count, room.used)
}

/** Keys of a bone that can be read, and where their parts stand. */
interface BoneKeys {
  layout: KeyColumns
  column: Int16Array | Float32Array
  n: number
}

/** Undefined for a bone without keys. */
function keysOf(document: IfpDocument, bone: IfpBone): BoneKeys | undefined {
  const layout = keyLayout(document, bone)
  const column = bone.shorts ?? bone.floats
  if (!layout || !column || bone.numKeys === 0) return undefined
  return { layout, column, n: Math.min(bone.numKeys, Math.floor(column.length / layout.stride)) }
}

/** Tracks of a bone. */
function tracksIn({ translation, scale }: KeyColumns): number {
  return 1 + (translation >= 0 ? 1 : 0) + (scale >= 0 ? 1 : 0)
}

/** Numbers of a key in all of them: four of its rotation, three of each other. */
function numbersIn(layout: KeyColumns): number {
  return 1 + 3 * tracksIn(layout)
}

/** Numbers that the tracks of an animation's bones take together: those of one bone share their times. */
function roomFor(document: IfpDocument, bones: readonly IfpBone[]): Room {
  let count = 0
  for (const bone of bones) {
    const keys = keysOf(document, bone)
    if (keys) count += keys.n * (1 + numbersIn(keys.layout))
  }
  return { numbers: new Float32Array(count), used: 0 }
}

/** Times in native units and the values of a scene, keys in time order. */
interface Columns {
  times: Float32Array
  rotations: Float32Array
  translations?: Float32Array
  scales?: Float32Array
}

/** Of each bone of an animation; undefined for one without keys that can be read. */
function columnsOf(document: IfpDocument, { bones }: IfpAnimation): (Columns | undefined)[] {
  const room = roomFor(document, bones)
  return bones.map((bone) => boneColumns(document, bone, room))
}

function boneColumns(document: IfpDocument, bone: IfpBone, room: Room): Columns | undefined {
  const keys = keysOf(document, bone)
  if (!keys) return undefined
  const { layout, column, n } = keys
  const unit = keyScale(document, bone)
  const order = timeOrder(column, layout.stride, layout.time, n)
  const times = take(room, n)
  const rotations = take(room, 4 * n)
  // RenderWare's sense of a quaternion is the matrix with right.y = 2(xy + wz); ANPK stores the conjugate of it [V: forward kinematics]
  const sign = document.kind === 'ANPK' ? -1 : 1
  for (let k = 0; k < n; k++) {
    const at = layout.stride * (order ? order[k] : k)
    times[k] = column[at + layout.time] * unit.time
    const q = at + layout.rotation
    const x = sign * unit.rotation * column[q],
      y = sign * unit.rotation * column[q + 1],
      z = sign * unit.rotation * column[q + 2],
      w = unit.rotation * column[q + 3]
    const length = Math.sqrt(x * x + y * y + z * z + w * w)
    const inv = length > 1e-6 && Number.isFinite(length) ? 1 / length : 0
    rotations[4 * k] = -x * inv
    rotations[4 * k + 1] = z * inv
    rotations[4 * k + 2] = y * inv
    rotations[4 * k + 3] = inv ? w * inv : 1
  }
  const out: Columns = { times, rotations }
  if (layout.translation >= 0) {
    const values = (out.translations = take(room, 3 * n))
    for (let k = 0; k < n; k++) {
      const at = layout.stride * (order ? order[k] : k) + layout.translation
      values[3 * k] = -column[at] * unit.translation
      values[3 * k + 1] = column[at + 2] * unit.translation
      values[3 * k + 2] = column[at + 1] * unit.translation
    }
    mendNumbers(values)
  }
  if (layout.scale >= 0) {
    const values = (out.scales = take(room, 3 * n))
    for (let k = 0; k < n; k++) basisScale(values, 3 * k, column, layout.stride * (order ? order[k] : k) + layout.scale)
    mendNumbers(values)
  }
  return out
}

/** Tracks of one bone for one joint. */
function boneTracks(document: IfpDocument, bone: IfpBone, columns: Columns, joint: number, path: string): BoneTracks {
  const source = { ref: document.ref, path }
  const tag = document.kind === 'ANPK' ? bone.anpk!.keyTag : `type ${bone.type}`
  const track = (property: Track['property'], values: Float32Array): Track => ({
    target: { kind: 'joint', index: joint },
    property,
    interpolation: property === 'rotation' ? 'slerp' : 'linear',
    mode: 'absolute',
    times: columns.times,
    values,
    label: `${tag} ${property}`,
    source,
  })
  const out: BoneTracks = { rotation: track('rotation', columns.rotations) }
  if (columns.translations) out.translation = track('translation', columns.translations)
  if (columns.scales) out.scale = track('scale', columns.scales)
  return out
}

/** Key numbers by time where the file has them out of order (one known file), undefined where it does not. */
function timeOrder(column: ArrayLike<number>, stride: number, time: number, n: number): number[] | undefined {
  for (let k = 1; k < n; k++) {
    if (!(column[stride * k + time] >= column[stride * (k - 1) + time])) {
      const key = (i: number): number => (Number.isFinite(column[stride * i + time]) ? column[stride * i + time] : 0)
      return Array.from({ length: n }, (_, i) => i).sort((a, b) => key(a) - key(b) || a - b)
    }
  }
  return undefined
}

/** Clips of the animations that are bound to the model; tracks of bones that it does not have are left out. */
export function addClips(scene: Scene, find: JointFinder, ifps: readonly IfpDocument[], anms: readonly AnmDocument[]): void {
  for (const ifp of ifps) ifp.animations.forEach((_, i) => scene.clips.push(ifpClip(ifp, i, find)))
  for (const anm of anms) scene.clips.push(...anmClips(anm, find))
}

/** One animation of an IFP for the joints that `find` knows. */
function ifpClip(document: IfpDocument, animationIndex: number, find: JointFinder): Clip {
  const animation: IfpAnimation = document.animations[animationIndex]
  let matched = 0
  const size = { tracks: 0, bytes: 0 }
  let start = Infinity
  let end = 0
  for (const bone of animation.bones) {
    const joints = jointsOf(bone, find)
    if (joints.length) matched++
    const keys = joints.length ? keysOf(document, bone) : undefined
    if (!keys) continue
    const { first, last } = ends(keys, timeScale(document, bone))
    if (Number.isFinite(first)) start = Math.min(start, first)
    if (Number.isFinite(last)) end = Math.max(end, last)
    const tracks = tracksIn(keys.layout)
    size.tracks += joints.length * tracks
    size.bytes += joints.length * keys.n * Float32Array.BYTES_PER_ELEMENT * (tracks + numbersIn(keys.layout))
  }
  const head = {
    name: nameOf(animation.name),
    start: Number.isFinite(start) ? Math.min(start, end) : 0,
    end,
    rate: document.kind === 'ANPK' ? 1 : 60,
    unit: document.kind === 'ANPK' ? ('s' as const) : ('frame' as const),
    loop: 'wrap' as const,
    fit: { matched, total: animation.bones.length },
    events: [],
    source: { ref: document.ref, path: `animations[${animationIndex}]` },
  }
  return clipOfLater(document, head, size, () => ifpTracks(document, animation, find, head.source.path))
}

/** The earliest and the latest time of a bone's keys, as its tracks have them. */
function ends({ layout, column, n }: BoneKeys, unit: number): { first: number; last: number } {
  if (n === 0) return { first: NaN, last: NaN }
  const order = timeOrder(column, layout.stride, layout.time, n)
  const timeOf = (k: number): number => Math.fround(column[layout.stride * (order ? order[k] : k) + layout.time] * unit)
  return { first: timeOf(0), last: timeOf(n - 1) }
}

function ifpTracks(document: IfpDocument, animation: IfpAnimation, find: JointFinder, path: string): Track[] {
  const tracks: Track[] = []
  const columns = kept(document, animation, `scene ${document.kind}`, () => columnsOf(document, animation))
  for (const [number, bone] of animation.bones.entries()) {
    const own = columns[number]
    const joints = own ? jointsOf(bone, find) : []
    if (!own || joints.length === 0) continue
    const made = boneTracks(document, bone, own, joints[0], `${path}.bones[${number}]`)
    for (const track of [made.rotation, made.translation, made.scale]) {
      if (!track) continue
      for (const joint of joints) tracks.push(joint === joints[0] ? track : { ...track, target: { kind: 'joint', index: joint } })
    }
  }
  return tracks
}

/** HAnim animations of an .anm file: tracks in the order of the node table. */
function anmClips(document: AnmDocument, find: JointFinder): Clip[] {
  const clips: Clip[] = []
  document.roots.forEach((root, r) => {
    if (root.codec !== animation) return
    const anim = root.value as RtAnim
    if (anim.type !== ANIM_TYPE.hanim && anim.type !== ANIM_TYPE.compressed) return
    const nodes = animNodes(anim)
    const tracks: Track[] = []
    const key = new Float32Array(8)
    let matched = 0
    let end = Number.isFinite(anim.duration[0]) ? Math.max(0, anim.duration[0]) : 0
    nodes.forEach((node, i) => {
      const joints = find.byNode(i)
      if (joints.length) matched++
      const n = node.keys.length
      const times = new Float32Array(n)
      const rotations = new Float32Array(4 * n)
      const translations = new Float32Array(3 * n)
      node.keys.forEach((k, at) => {
        animKey(anim, k, key)
        times[at] = Number.isFinite(key[0]) ? key[0] : 0
        if (at > 0 && times[at] < times[at - 1]) times[at] = times[at - 1]
        basisQuat(rotations, 4 * at, key, 1)
        const length = length4(key[1], key[2], key[3], key[4])
        if (length > 1e-6 && Number.isFinite(length)) for (let c = 0; c < 4; c++) rotations[4 * at + c] /= length
        else rotations.set([0, 0, 0, 1], 4 * at)
        basisVector(translations, 3 * at, key, 5)
      })
      mendNumbers(translations)
      end = Math.max(end, times[n - 1] ?? 0)
      const source = { ref: document.ref, path: `animAnimation[${r}].nodes[${i}]` }
      for (const joint of joints) {
        const target = { kind: 'joint' as const, index: joint }
        tracks.push({
          target,
          property: 'rotation',
          interpolation: 'slerp',
          mode: 'absolute',
          times,
          values: rotations,
          label: say('scene.trackOfType', { type: anim.type, part: 'rotation' }),
          source,
        })
        tracks.push({
          target,
          property: 'translation',
          interpolation: 'linear',
          mode: 'absolute',
          times,
          values: translations,
          label: say('scene.trackOfType', { type: anim.type, part: 'translation' }),
          source,
        })
      }
    })
    const name = withoutExtension(document.ref)
    clips.push({
      name: clips.length ? `${name} ${clips.length + 1}` : name,
      tracks,
      start: 0,
      end,
      rate: 1,
      unit: 's',
      loop: 'wrap',
      fit: { matched, total: nodes.length },
      events: [],
      source: { ref: document.ref, path: `animAnimation[${r}]` },
    })
  })
  return clips
}
