/** Bones of SKL behind the interface that all families share. */
import { jointAt, notHere, numberIn } from '../../address.ts'
import { FormatError } from '../../../binary/format-error.ts'
import { compose, decompose, identity, invertAffine, multiply } from '../../../../shared/scene/matrix.ts'
import { baseName } from '../../../../shared/ref.ts'
import { flipRotations, flipVectors } from '../scene/basis.ts'
import { encodeText, type LString } from '../codecs/strings.ts'
import {
  INVERSE_POSITION,
  INVERSE_ROTATION,
  LOCAL_POSITION,
  LOCAL_ROTATION,
  NO_PARENT,
  OBJECT_TM,
  type SklBone,
  type SklDocument,
} from '../codecs/skl.ts'
import { say } from '../texts/index.ts'
import type { AniDocument } from '../codecs/ani.ts'
import type { MshDocument } from '../codecs/msh.ts'
import type { Document } from '../../format.ts'
import type { EditSession, OpenDocuments, SkeletonEditor } from '../../editing.ts'

/** Parts of a bone's transform, by the keys of their texts. */
const PARTS = {
  localPosition: { from: LOCAL_POSITION, count: 3 },
  localRotation: { from: LOCAL_ROTATION, count: 4 },
  inverseObjectPosition: { from: INVERSE_POSITION, count: 3, note: 'edit.skeleton.ofSkinning' },
  inverseObjectRotation: { from: INVERSE_ROTATION, count: 4, note: 'edit.skeleton.ofSkinning' },
  objectTM: { from: OBJECT_TM, count: 16, note: 'edit.skeleton.objectTMNote' },
} as const
type PartKey = keyof typeof PARTS

function place(model: OpenDocuments, joint: number): { ref: string; index: number } {
  const source = model.assembled.scene.skeleton.sources[joint]
  const index = source && numberIn(source.path, 'bones')
  if (index === undefined) notHere('boneOfJoint', joint)
  return { ref: source.ref, index }
}

function boneForEdit(session: EditSession, joint: number): { document: SklDocument; bone: SklBone } {
  const { ref, index } = place(session, joint)
  const document = session.edit<SklDocument>(ref)
  return { document, bone: document.bones[index] }
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** Every name of a bone in a mesh or animation. @param next absent: only looks. @returns whether there is one */
function renameIn(document: Document | undefined, old: string, next?: LString): boolean {
  let found = false
  const take = (name: LString): LString => {
    if (!same(name.text, old)) return name
    found = true
    return next ?? name
  }
  if (document?.format === 'lostsaga.msh') {
    const mesh = document as MshDocument
    const names = mesh.boneNames?.map(take) ?? null
    if (next) mesh.boneNames = names
    for (const point of mesh.controlPoints ?? []) {
      const bone = take(point.linkedBone)
      if (next) point.linkedBone = bone
    }
  } else if (document?.format === 'lostsaga.ani') {
    for (const track of (document as AniDocument).tracks) {
      const bone = take(track.bone)
      if (next) track.bone = bone
    }
  }
  return found
}

/** The name of a joint as its skeleton has it, byte by byte; empty for one that stands in no skeleton file. */
export function boneNameOf(model: OpenDocuments, joint: number): LString {
  const source = model.assembled.scene.skeleton.sources[joint]
  const index = source && numberIn(source.path, 'bones')
  return index !== undefined ? (model.document(source.ref) as SklDocument).bones[index].name : encodeText('')
}

export const skeleton: SkeletonEditor = {
  abilities: { rename: true, transform: true, reparent: true, keepSkin: true },

  references(model, joint) {
    const name = model.assembled.scene.skeleton.names[jointAt(model, joint)]
    const out: { ref: string; what: string }[] = []
    for (const { ref } of model.binding.members) {
      const document = model.document(ref)
      if (document?.format === 'lostsaga.msh') {
        const mesh = document as MshDocument
        if (mesh.boneNames?.some((b) => same(b.text, name))) out.push({ ref, what: say('edit.skeleton.weightsOfMesh') })
        const points = mesh.controlPoints?.filter((p) => same(p.linkedBone.text, name)).length ?? 0
        if (points) out.push({ ref, what: say('edit.skeleton.points', { count: points }) })
      }
      if (document?.format === 'lostsaga.ani' && (document as AniDocument).tracks.some((t) => same(t.bone.text, name)))
        out.push({ ref, what: say('edit.skeleton.track') })
    }
    return out
  },

  /** Follows through every mesh (its weights, its control points) and animation of the library that names the bone, in one step. */
  rename(session, joint, name) {
    const { document, bone } = boneForEdit(session, joint)
    const old = bone.name.text
    if (!name.trim()) throw new FormatError('invalid-edit', say('edit.skeleton.needsName'))
    if (document.bones.some((b) => b !== bone && same(b.name.text, name)))
      throw new FormatError('invalid-edit', say('edit.skeleton.isThere', { name }))
    const next = encodeText(name)
    bone.name = next
    for (const other of document.bones) {
      if (same(other.parent.text, old)) other.parent = next
      other.children = other.children.map((c) => (same(c.text, old) ? next : c))
    }
    const members = new Set(session.binding.members.map((m) => m.ref))
    const refs = new Set([...session.needing(`lostsaga.bone:${old}`), ...session.providing(`lostsaga.track:${old}`), ...members])
    for (const ref of refs) {
      // what others call by the old name is opened for writing only when it is there
      if (!members.has(ref)) renameIn(session.editOther(ref), old, next)
      else if (renameIn(session.document(ref), old)) renameIn(session.edit(ref), old, next)
    }
  },

  fields(model, joint) {
    const { ref, index } = place(model, joint)
    const bone = (model.document(ref) as SklDocument).bones[index]
    return [
      { key: 'name', label: say('edit.skeleton.name'), value: bone.name.text },
      { key: 'parent', label: say('edit.skeleton.parent'), value: bone.parent.text },
      ...(Object.keys(PARTS) as PartKey[])
        .map((key) => ({ key, part: PARTS[key] }))
        .map(({ key, part }) => ({
          key,
          label: say(`edit.skeleton.parts.${key}`),
          value: Array.from(bone.transform.subarray(part.from, part.from + part.count)),
          note: 'note' in part ? say(part.note) : undefined,
        })),
    ]
  },

  setField(session, joint, key, value, { keepSkin }) {
    if (key === 'name') return this.rename!(session, joint, String(value))
    const part = Object.hasOwn(PARTS, key) ? PARTS[key as PartKey] : undefined
    if (!part) notHere('field', key)
    if (!Array.isArray(value) || value.length !== part.count || !value.every(Number.isFinite))
      throw new FormatError('invalid-edit', say('edit.skeleton.takesNumbers', { key, count: part.count }))
    // the inverse matrices are the skin's own: who types them means them
    setParts(session, joint, [[part.from, value]], keepSkin && part.from < INVERSE_POSITION)
  },

  place(session, joint, { translation, rotation }, { keepSkin }) {
    const parts: [number, Float32Array][] = []
    if (translation) parts.push([LOCAL_POSITION, flipVectors(Float32Array.from(translation))])
    if (rotation) parts.push([LOCAL_ROTATION, flipRotations(Float32Array.from(rotation))])
    setParts(session, joint, parts, keepSkin)
  },

  /** The bone stays where it is at rest; its animations then turn it in the space of the new parent. */
  reparent(session, joint, parent) {
    const { document, bone } = boneForEdit(session, joint)
    const { skeleton: joints } = session.assembled.scene
    for (let p = parent; p >= 0; p = joints.parents[p]) if (p === joint) throw new FormatError('invalid-edit', say('formats.belowItself'))
    const under = parent < 0 ? null : place(session, parent)
    if (under && under.ref !== document.ref)
      throw new FormatError('invalid-edit', say('edit.skeleton.otherSkeleton', { one: baseName(document.ref), other: baseName(under.ref) }))
    const to = under && document.bones[under.index]
    const world = worldsOf(document)
    const local = new Float64Array(16)
    identity(local)
    if (to && !invertAffine(local, 0, world, 16 * document.bones.indexOf(to)))
      throw new FormatError('invalid-edit', say('formats.parentWithoutPlace'))
    multiply(local, 0, local, 0, world, 16 * document.bones.indexOf(bone))
    putMatrix(bone.transform, LOCAL_POSITION, LOCAL_ROTATION, local)
    for (const other of document.bones) other.children = other.children.filter((c) => !same(c.text, bone.name.text))
    bone.parent = to ? to.name : encodeText(NO_PARENT)
    to?.children.push(bone.name)
  },
}

/** Numbers of a bone's transform from their places on; those that are the same keep their bits. */
function setParts(session: EditSession, joint: number, parts: readonly [number, ArrayLike<number>][], keepSkin: boolean): void {
  const { document, bone } = boneForEdit(session, joint)
  const before = worldsOf(document)
  for (const [from, values] of parts) {
    for (let i = 0; i < values.length; i++)
      if (!Object.is(bone.transform[from + i], Math.fround(values[i]))) bone.transform[from + i] = values[i]
  }
  if (keepSkin) moveBind(document, before)
}

/** World matrices at rest in the file's own space, in the order of the file; a parent that is missing or turns in a circle is none. */
function worldsOf(document: SklDocument): Float64Array {
  const { bones } = document
  const byName = new Map<string, number>()
  bones.forEach((b, i) => byName.has(b.name.text.toLowerCase()) || byName.set(b.name.text.toLowerCase(), i))
  const out = new Float64Array(16 * bones.length)
  const state = new Uint8Array(bones.length)
  for (let i = 0; i < bones.length; i++) {
    const chain: number[] = []
    let above = i
    while (above >= 0 && state[above] === 0) {
      state[above] = 1
      chain.push(above)
      const next = byName.get(bones[above].parent.text.toLowerCase()) ?? -1
      above = next >= 0 && state[next] === 1 ? -1 : next
    }
    for (let k = chain.length - 1; k >= 0; k--) {
      const at = 16 * chain[k]
      matrixOf(out, at, bones[chain[k]].transform, LOCAL_POSITION, LOCAL_ROTATION)
      if (above >= 0) multiply(out, at, out, 16 * above, out, at)
      state[chain[k]] = 2
      above = chain[k]
    }
  }
  return out
}

function matrixOf(out: Float64Array, o: number, transform: Float32Array, position: number, rotation: number): void {
  const q = Array.from(transform.subarray(rotation, rotation + 4))
  const length = Math.hypot(...q)
  compose(out, o, transform, position, length > 0 ? q.map((v) => v / length) : [0, 0, 0, 1], 0, [1, 1, 1], 0)
}

/** Parts that differ by more than rounding; the others keep their bits. */
function putMatrix(transform: Float32Array, position: number, rotation: number, m: Float64Array): void {
  const t = [0, 0, 0],
    q = [0, 0, 0, 1],
    s = [1, 1, 1]
  decompose(m, 0, t, 0, q, 0, s, 0)
  const old = transform.subarray(rotation, rotation + 4)
  // a quaternion and its negative are one rotation: the nearer one changes fewer bits
  const flip = q.reduce((n, v, c) => n + v * old[c], 0) < 0 ? -1 : 1
  t.forEach((v, c) => near(transform[position + c], v) || (transform[position + c] = v))
  q.forEach((v, c) => near(old[c], v * flip) || (old[c] = v * flip))
}

const near = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(b))

/** Inverse bind matrices follow bones that moved, so that world * inverse is what it was and every skin on the skeleton stays in place. */
function moveBind(document: SklDocument, before: Float64Array): void {
  const after = worldsOf(document)
  const inverse = new Float64Array(16)
  const bind = new Float64Array(16)
  document.bones.forEach((bone, i) => {
    const at = 16 * i
    if (before.subarray(at, at + 16).every((v, c) => near(after[at + c], v))) return
    // where the file has no usable one the game's skin goes by the place at rest
    const rotation = bone.transform.subarray(INVERSE_ROTATION, INVERSE_ROTATION + 4)
    if (!(Math.hypot(...rotation) > 1e-6) || !bone.transform.subarray(INVERSE_POSITION, INVERSE_ROTATION + 4).every(Number.isFinite)) return
    if (!invertAffine(inverse, 0, after, at)) return
    matrixOf(bind, 0, bone.transform, INVERSE_POSITION, INVERSE_ROTATION)
    multiply(inverse, 0, inverse, 0, before, at)
    multiply(inverse, 0, inverse, 0, bind, 0)
    putMatrix(bone.transform, INVERSE_POSITION, INVERSE_ROTATION, inverse)
  })
}
