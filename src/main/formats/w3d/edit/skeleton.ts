/**
 * Editing of pivots. The engine reads a pivot's translation and quaternion; the euler angles beside them are kept in step. The vertices of a
 * skin stand in the space of their bones, so a pivot that moves takes them along: `keepSkin` writes them anew, in every mesh of every
 * file that hangs on this skeleton, so that the figure at rest stays as it was.
 */
import { refuse } from '../../editing.ts'
import { lastStep, notFound, parentPath } from '../../address.ts'
import { baseName } from '../../../../shared/ref.ts'
import { nameOf, withName } from '../../../binary/reader.ts'
import { invertAffine, multiply, transformPoint } from '../../../../shared/scene/matrix.ts'
import { rotationFromScene, vectorFromScene } from '../scene/basis.ts'
import { chunkAt, dataOf } from '../codecs/chunk.ts'
import { clipsOf, key } from '../codecs/file.ts'
import {
  PIVOTS,
  eulerOf,
  hierarchiesOf,
  hierarchyOf,
  pivotEuler,
  pivotName,
  pivotParent,
  pivotQuaternion,
  pivotTranslation,
  quaternionOf,
  restWorld,
  setPivotParent,
} from '../codecs/hierarchy.ts'
import { hlodsOf } from '../codecs/hlod.ts'
import { hmodelsOf } from '../codecs/hmodel.ts'
import { meshesOf } from '../codecs/mesh.ts'
import { MORPHANIM_HEADER } from '../codecs/morph-animation.ts'
import { renumberPivots, reorderPivots } from './renumber-pivots.ts'
import { say } from '../texts/index.ts'
import type { EditSession, OpenDocuments, SkeletonEditor } from '../../editing.ts'
import type { W3dDocument } from '../codecs/file.ts'
import type { Hierarchy } from '../codecs/hierarchy.ts'
import type { MeshView } from '../codecs/mesh.ts'
import type { Records } from '../../../binary/layout.ts'

interface PivotPlace {
  ref: string
  pivot: number
  /** path of the PIVOTS chunk */
  path: string
}

function placeOf(model: OpenDocuments, joint: number): PivotPlace {
  const source = model.assembled.scene.skeleton.sources[joint]
  const pivot = source && lastStep(source.path).name === 'pivot' ? lastStep(source.path).number : undefined
  if (pivot === undefined) notFound(say('edit.missing.pivotOfJoint', { joint }))
  return { ref: source.ref, path: parentPath(source.path), pivot }
}

function hierarchyAt(document: W3dDocument | undefined, place: PivotPlace): Hierarchy {
  const found = document && chunkAt(document.chunks, parentPath(place.path))?.chunk
  const hierarchy = found?.kind === 'container' ? hierarchyOf(found) : undefined
  if (!hierarchy?.pivots || place.pivot >= hierarchy.count) notFound(say('edit.missing.pivot', { pivot: place.pivot }))
  return hierarchy
}

/** The files of the model, and those of the library that name the skeleton, or have skins on it. */
function filesOf(model: OpenDocuments, hierarchy: string, what: 'all' | 'skins'): string[] {
  const refs = new Set([model.binding.primary, ...model.binding.members.map((m) => m.ref)])
  const session = model as Partial<EditSession>
  const others = what === 'skins' ? session.providing?.(key.skinOf(hierarchy)) : session.needing?.(key.hierarchy(hierarchy))
  for (const ref of others ?? []) refs.add(ref)
  return [...refs]
}

function sameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

/** Skins of a document that hang on a skeleton: named in an HLOD or HMODEL of it; in a file that holds the skeleton and no model, all. */
function skinsOn(document: W3dDocument, hierarchy: string): MeshView[] {
  const skins = meshesOf(document).filter((mesh) => mesh.isSkin)
  if (skins.length === 0) return []
  const models = [
    ...hlodsOf(document).map((hlod) => ({
      hierarchyName: hlod.hierarchyName,
      names: hlod.lods.flatMap((lod) => lod.objects.map((o) => o.name)),
    })),
    ...hmodelsOf(document).map((model) => ({
      hierarchyName: model.hierarchyName,
      names: model.connections.map((c) => `${model.name}.${c.name}`),
    })),
  ]
  const names = new Set(models.filter((m) => sameName(m.hierarchyName, hierarchy)).flatMap((m) => m.names.map((n) => n.toLowerCase())))
  if (models.length === 0 && hierarchiesOf(document).some((h) => sameName(h.name, hierarchy))) return skins
  return skins.filter((mesh) => names.has(mesh.fullName.toLowerCase()))
}

/** v' = inv(after) * before * v for every vertex whose bone moved; places and normals of both streams. @returns whether one changed */
function reexpress(mesh: MeshView, before: Float64Array, after: Float64Array, moved: Uint8Array, write: boolean): boolean {
  const influences = mesh.influences!
  const n = before.length / 16
  const turns = new Map<number, Float64Array>()
  const turn = (bone: number): Float64Array => {
    let m = turns.get(bone)
    if (!m) {
      m = new Float64Array(16)
      invertAffine(m, 0, after, 16 * bone)
      multiply(m, 0, m, 0, before, 16 * bone)
      turns.set(bone, m)
    }
    return m
  }
  const p = [0, 0, 0]
  let changed = false
  const streams: [0 | 1, Float32Array, Float32Array][] = [[0, mesh.vertices, mesh.normals]]
  if (influences.twoBone) streams.push([1, influences.vertices2, influences.normals2])
  const count = Math.min(influences.table.count, mesh.vertices.length / 3)
  for (let v = 0; v < count; v++) {
    const b0 = influences.table.u16[4 * v]
    const second = influences.twoBone && influences.table.u16[4 * v + 3] > 0
    for (const [stream, places, normals] of streams) {
      // the second stream of a vertex with one bone is a copy of the first [V]
      const bone = stream === 1 && second ? influences.table.u16[4 * v + 1] : b0
      if (bone >= n || !moved[bone] || places.length < 3 * v + 3) continue
      changed = true
      if (!write) return true
      const m = turn(bone)
      transformPoint(p, 0, m, 0, places[3 * v], places[3 * v + 1], places[3 * v + 2])
      places.set(p, 3 * v)
      if (normals.length < 3 * v + 3) continue
      const x = normals[3 * v],
        y = normals[3 * v + 1],
        z = normals[3 * v + 2]
      for (let c = 0; c < 3; c++) normals[3 * v + c] = m[c] * x + m[4 + c] * y + m[8 + c] * z
    }
  }
  return changed
}

/** Runs `change` on a skeleton and, when asked, keeps every skin at rest where it is. */
function changePivots(session: EditSession, place: PivotPlace, keepSkin: boolean, change: (hierarchy: Hierarchy) => void): void {
  const document = session.edit<W3dDocument>(place.ref)
  const hierarchy = hierarchyAt(document, place)
  const before = restWorld(hierarchy)
  change(hierarchy)
  if (!keepSkin) return
  const after = restWorld(hierarchy)
  const moved = new Uint8Array(hierarchy.count)
  for (let i = 0; i < hierarchy.count; i++) for (let c = 0; c < 16; c++) if (before[16 * i + c] !== after[16 * i + c]) moved[i] = 1
  const members = new Set([session.binding.primary, ...session.binding.members.map((m) => m.ref)])
  for (const ref of filesOf(session, hierarchy.name, 'skins')) {
    const reading = session.document(ref) as W3dDocument | undefined
    if (reading && reading.format !== 'w3d.file') continue
    // a file is opened for writing only when one of its vertices must change
    if (reading && !skinsOn(reading, hierarchy.name).some((mesh) => reexpress(mesh, before, after, moved, false))) continue
    if (!reading && members.has(ref)) continue
    const target = members.has(ref) ? session.edit<W3dDocument>(ref) : session.editOther<W3dDocument>(ref)
    if (target.format !== 'w3d.file') continue
    for (const mesh of skinsOn(target, hierarchy.name)) reexpress(mesh, before, after, moved, true)
  }
}

function three(value: number[] | string, of: 'translation' | 'rotation'): [number, number, number] {
  if (!Array.isArray(value) || value.length !== 3 || !value.every(Number.isFinite)) refuse(say(`edit.threeNumbers.${of}`))
  return [value[0], value[1], value[2]]
}

export const skeleton: SkeletonEditor = {
  abilities: { rename: true, transform: true, reparent: true, keepSkin: true },

  references(model, joint) {
    const place = placeOf(model, joint)
    const hierarchy = hierarchyAt(model.document(place.ref) as W3dDocument, place)
    const out: { ref: string; what: string }[] = []
    const children = Array.from({ length: hierarchy.count }, (_, i) => i).filter(
      (i) => pivotParent(hierarchy.pivots!.data, i) === place.pivot,
    )
    if (children.length)
      out.push({
        ref: place.ref,
        what: say('edit.references.parentOf', { names: children.map((i) => pivotName(hierarchy.pivots!.data, i)).join(', ') }),
      })
    for (const ref of filesOf(model, hierarchy.name, 'all')) {
      const document = model.document(ref) as W3dDocument | undefined
      if (!document) {
        out.push({ ref, what: say('edit.references.namesSkeleton', { name: hierarchy.name }) })
        continue
      }
      if (document.format !== 'w3d.file') continue
      for (const hlod of hlodsOf(document)) {
        if (!sameName(hlod.hierarchyName, hierarchy.name)) continue
        for (const object of [...hlod.lods.flatMap((lod) => lod.objects), ...hlod.aggregates, ...hlod.proxies])
          if (object.bone === place.pivot) out.push({ ref, what: say('edit.references.hangs', { name: object.name }) })
      }
      for (const hmodel of hmodelsOf(document)) {
        if (!sameName(hmodel.hierarchyName, hierarchy.name)) continue
        for (const connection of hmodel.connections)
          if (connection.pivot === place.pivot) out.push({ ref, what: say('edit.references.hangs', { name: connection.name }) })
      }
      for (const mesh of skinsOn(document, hierarchy.name)) {
        const { table, twoBone } = mesh.influences!
        let vertices = 0
        for (let v = 0; v < table.count; v++)
          if (table.u16[4 * v] === place.pivot || (twoBone && table.u16[4 * v + 3] > 0 && table.u16[4 * v + 1] === place.pivot)) vertices++
        if (vertices) out.push({ ref, what: say('edit.references.vertices', { count: vertices, mesh: mesh.fullName }) })
      }
      for (const clip of clipsOf(document))
        if (sameName(clip.hierarchyName, hierarchy.name) && clip.pivots.has(place.pivot))
          out.push({ ref, what: say('edit.references.movedBy', { name: clip.name }) })
    }
    return out
  },

  rename(session, joint, name) {
    const place = placeOf(session, joint)
    if (!/^[\x20-\x7e]+$/.test(name)) refuse(say('edit.plain.pivot'))
    if (name.length > 15) refuse(say('edit.tooLong.name', { count: name.length }))
    const { data } = hierarchyAt(session.edit<W3dDocument>(place.ref), place).pivots!
    const field = data.bytes.subarray(place.pivot * PIVOTS.stride, place.pivot * PIVOTS.stride + 16)
    field.set(
      withName(
        field,
        Uint8Array.from(name, (c) => c.charCodeAt(0)),
      ),
    )
  },

  fields(model, joint) {
    const place = placeOf(model, joint)
    const hierarchy = hierarchyAt(model.document(place.ref) as W3dDocument, place)
    const { data } = hierarchy.pivots!
    const parent = pivotParent(data, place.pivot)
    const root = place.pivot === 0 && !hierarchy.preRoot ? say('edit.rootTransform') : undefined
    return [
      { key: 'name', label: say('edit.fields.name'), value: pivotName(data, place.pivot), note: say('edit.pivotNameNote') },
      { key: 'index', label: say('edit.fields.pivot'), value: String(place.pivot), note: say('edit.pivotNote') },
      {
        key: 'parent',
        label: say('edit.fields.parent'),
        value: parent < 0 ? say('edit.noParent') : `${parent} ${parent < hierarchy.count ? pivotName(data, parent) : say('edit.notThere')}`,
      },
      {
        key: 'translation',
        label: say('edit.fields.translation'),
        value: Array.from(pivotTranslation(data, place.pivot)),
        ...(root ? { note: root } : {}),
      },
      {
        key: 'quaternion',
        label: say('edit.fields.quaternion'),
        value: Array.from(pivotQuaternion(data, place.pivot)),
        note: root ?? say('edit.quaternionNote'),
      },
      {
        key: 'euler',
        label: say('edit.fields.euler'),
        value: Array.from(pivotEuler(data, place.pivot), (v) => (v * 180) / Math.PI),
        note: say('edit.eulerNote'),
      },
    ]
  },

  setField(session, joint, name, value, { keepSkin }) {
    const place = placeOf(session, joint)
    if (name === 'name') return skeleton.rename!(session, joint, String(value))
    changePivots(session, place, keepSkin, (hierarchy) => {
      const { data } = hierarchy.pivots!
      if (name === 'translation') pivotTranslation(data, place.pivot).set(three(value, 'translation'))
      else if (name === 'quaternion') {
        if (!Array.isArray(value) || value.length !== 4 || !value.every(Number.isFinite)) refuse(say('edit.fourNumbers'))
        setRotation(data, place.pivot, value)
      } else if (name === 'euler') {
        const radians = three(value, 'rotation').map((v) => (v * Math.PI) / 180)
        pivotEuler(data, place.pivot).set(radians)
        pivotQuaternion(data, place.pivot).set(quaternionOf(radians))
      } else notFound(say('edit.missing.settableField', { name }))
    })
  },

  place(session, joint, { translation, rotation }, { keepSkin }) {
    const place = placeOf(session, joint)
    changePivots(session, place, keepSkin, (hierarchy) => {
      if (place.pivot === 0 && !hierarchy.preRoot) refuse(say('edit.rootPlace'))
      const { data } = hierarchy.pivots!
      const native = [0, 0, 0, 0]
      if (rotation) {
        rotationFromScene(native, 0, rotation, 0)
        setRotation(data, place.pivot, native)
      }
      if (translation) {
        vectorFromScene(native, 0, translation, 0)
        pivotTranslation(data, place.pivot).set(native.slice(0, 3))
      }
    })
  },

  /** The pivot stays where it is in the figure at rest; its animations then turn it in the space of the new parent. */
  reparent(session, joint, parent) {
    const place = placeOf(session, joint)
    const above = parent < 0 ? undefined : placeOf(session, parent)
    if (!above) refuse(say('edit.oneRoot'))
    if (above.ref !== place.ref || above.path !== place.path) refuse(say('edit.otherSkeleton'))
    if (place.pivot === 0) refuse(say('edit.isRoot'))
    const document = session.edit<W3dDocument>(place.ref)
    const hierarchy = hierarchyAt(document, place)
    const { data } = hierarchy.pivots!
    const below = branchOf(hierarchy, place.pivot)
    if (below.has(above.pivot)) refuse(say('edit.belowItself'))
    const world = restWorld(hierarchy)
    const local = new Float64Array(16)
    if (!invertAffine(local, 0, world, 16 * above.pivot)) refuse(say('formats.parentWithoutPlace'))
    multiply(local, 0, local, 0, world, 16 * place.pivot)
    setPivotParent(data, place.pivot, above.pivot)
    pivotTranslation(data, place.pivot).set([local[12], local[13], local[14]])
    const q = rotationOf(local)
    pivotQuaternion(data, place.pivot).set(q)
    pivotEuler(data, place.pivot).set(eulerOf(q))
    if (above.pivot > place.pivot) moveBehind(session, hierarchy, below, above.pivot)
  },
}

/** A pivot and all that hang on it; parents stand before their children. */
function branchOf(hierarchy: Hierarchy, pivot: number): Set<number> {
  const out = new Set([pivot])
  for (let i = pivot + 1; i < hierarchy.count; i++) if (out.has(pivotParent(hierarchy.pivots!.data, i))) out.add(i)
  return out
}

/** How morph animations count pivots is known from headers alone, from no file. */
function refuseMorph(document: W3dDocument, hierarchy: string): void {
  for (const chunk of document.chunks) {
    const header = chunk.kind === 'container' ? dataOf(chunk, MORPHANIM_HEADER) : undefined
    if (header && sameName(nameOf(header.hierarchyName), hierarchy)) refuse(say('edit.morphCounts', { file: baseName(document.ref) }))
  }
}

/** A parent stands before its children in the file: the branch goes behind its new parent, and every file that counts pivots follows. */
function moveBehind(session: EditSession, hierarchy: Hierarchy, branch: ReadonlySet<number>, parent: number): void {
  if (hierarchy.preRoot) refuse(say('edit.oldOrder'))
  const twins = new Set(session.providing(key.hierarchy(hierarchy.name)))
  if (twins.size > 1) refuse(say('edit.otherTwin', { name: hierarchy.name }))
  const files = new Set([...filesOf(session, hierarchy.name, 'all'), ...filesOf(session, hierarchy.name, 'skins')])
  const members = new Set([session.binding.primary, ...session.binding.members.map((m) => m.ref)])
  const order = Array.from({ length: hierarchy.count }, (_, i) => i).filter((i) => !branch.has(i))
  order.splice(order.indexOf(parent) + 1, 0, ...[...branch].sort((a, b) => a - b))
  const map = reorderPivots(hierarchy, order)
  for (const ref of files) {
    const reading = session.document(ref) as W3dDocument | undefined
    if (reading ? reading.format !== 'w3d.file' : members.has(ref)) continue
    if (reading) refuseMorph(reading, hierarchy.name)
    if (reading && !renumberPivots(reading, skinsOn(reading, hierarchy.name), hierarchy.name, map, false)) continue
    const target = members.has(ref) ? session.edit<W3dDocument>(ref) : session.editOther<W3dDocument>(ref)
    if (target.format !== 'w3d.file') continue
    if (!reading) refuseMorph(target, hierarchy.name)
    renumberPivots(target, skinsOn(target, hierarchy.name), hierarchy.name, map, true)
  }
}

function setRotation(data: Records, pivot: number, q: readonly number[]): void {
  const length = Math.hypot(...q)
  if (!(length > 1e-6)) refuse(say('edit.noRotation'))
  const unit = q.map((v) => v / length)
  pivotQuaternion(data, pivot).set(unit)
  pivotEuler(data, pivot).set(eulerOf(unit))
}

/** Quaternion of a matrix without scale. */
function rotationOf(m: Float64Array): [number, number, number, number] {
  const candidates: [number, number, number, number][] = [
    [m[6] - m[9], m[8] - m[2], m[1] - m[4], 1 + m[0] + m[5] + m[10]],
    [1 + m[0] - m[5] - m[10], m[1] + m[4], m[8] + m[2], m[6] - m[9]],
    [m[1] + m[4], 1 - m[0] + m[5] - m[10], m[6] + m[9], m[8] - m[2]],
    [m[8] + m[2], m[6] + m[9], 1 - m[0] - m[5] + m[10], m[1] - m[4]],
  ]
  // all four are the same rotation; the longest has lost least
  const best = candidates.reduce((a, b) => (Math.hypot(...a) >= Math.hypot(...b) ? a : b))
  const length = Math.hypot(...best) || 1
  return [best[0] / length, best[1] / length, best[2] / length, best[3] / length]
}
