/**
 * Weights of a glTF onto skins of the same shape. Each vertex is held against what an export of the model would give it:
 * one that says the same keeps its bytes, whatever a program did to its number, its rounding and its smallest influences.
 */
import { FormatError } from '../binary/format-error.ts'
import { createPose } from '../../shared/scene/pose.ts'
import { writeSkin } from './gltf-skins.ts'
import { matchVertices } from './vertex-match.ts'
import type { EditSession, OpenDocuments, WeightEditor } from '../formats/editing.ts'
import type { ImportedWeights } from '../../shared/api/types/import.ts'
import type { NativeWeights } from '../../shared/api/types/weights.ts'
import type { Mesh, Scene } from '../../shared/scene/types.ts'
import type { ExportedRest } from './exported-rest.ts'
import type { GltfMesh } from './gltf-meshes.ts'
import type { GltfFile } from './gltf-reader.ts'
import type { BindPlaces } from './gltf-rest.ts'
import type { VertexMatch } from './vertex-match.ts'
import { say } from '../../shared/texts/say.ts'

/** How far a vertex may stand from its place, in parts of the figure's size. */
const NEAR = 1e-4
/** Influences that programs write where they are not told to write all. */
const USUAL = 4
/** Influences that programs drop: Blender those up to a ten thousandth. */
const SLIGHT = 1.5e-4
/** Vertices that have to be found, of all of the file's, for a mesh to be the same: of one of its name, a name like it, another name. */
const FOUND = [0.5, 0.5, 0.95]

/** Weights by joint, of a sum of 1. */
type Row = Map<number, number>

/** What was asked of a skin: `measureWeights` holds it against what came of it. */
export interface WishedWeights {
  id: string
  report: ImportedWeights
  /** by native vertex */
  rows: Map<number, Row>
}

/** Writes through the family's editor; nothing where no vertex has other weights. @throws FormatError invalid-edit */
export function importWeights(
  session: EditSession,
  editor: WeightEditor,
  file: GltfFile,
  rest: ExportedRest,
  nodeOf: ReadonlyMap<number, number>,
  bind: BindPlaces | undefined,
): { wished: WishedWeights[]; left: string[]; assumed: string[] } {
  const { scene } = session.assembled
  const left: string[] = []
  const assumed: string[] = []
  const wished: WishedWeights[] = []
  if (file.meshes.length === 0) return { wished, assumed, left: [say('importedMotion.noSkinnedMesh')] }
  if (!bind) return { wished, assumed, left: [say('importedMotion.restUnknown')] }
  const restWorld = createPose(scene).world
  const jointOf = new Map([...nodeOf].map(([joint, node]) => [node, joint]))
  const skins = editor.list(session).flatMap(({ id, mesh: name, sceneMesh }) => {
    const mesh = scene.meshes[sceneMesh] as Mesh | undefined
    const skin = mesh && scene.skins[mesh.skin]
    if (!mesh || !skin) return []
    const skinned = writeSkin(scene, mesh, skin, rest, restWorld)
    const written = {
      positions: skinned.positions,
      normals: mesh.normals.length === mesh.positions.length ? mesh.normals : new Float32Array(0),
      uvs: mesh.uvs[0]?.length * 3 === mesh.positions.length * 2 ? mesh.uvs[0] : new Float32Array(0),
      corners: cornersOf(mesh),
      native: mesh.nativeVertex,
    }
    return [{ id, name, mesh, skinned, written }]
  })
  // names first: levels of detail may share vertices
  const free = new Set(file.meshes)
  const foundOf = new Map<string, { there: GltfMesh; match: VertexMatch }>()
  FOUND.forEach((share, rank) => {
    for (const { id, mesh, written } of skins)
      for (const there of foundOf.has(id) ? [] : free) {
        if (nameRank(there, mesh) !== rank) continue
        const match = matchVertices(written, there, bind.toModel, NEAR * Math.max(bind.size, sizeOf(mesh)))
        if (there.positions.length / 3 - match.missing < share * (there.positions.length / 3)) continue
        foundOf.set(id, { there, match })
        free.delete(there)
        break
      }
  })
  for (const { id, name, mesh, skinned } of skins) {
    const found = foundOf.get(id)
    if (!found) {
      // what an export leaves out is not missed
      if (mesh.visible && (mesh.lod < 0 || mesh.lod === scene.lods.length - 1))
        left.push(say('importedMotion.meshNotThere', { mesh: name }))
      continue
    }
    if (nameRank(found.there, mesh) > 1) assumed.push(say('importedMotion.isTaken', { name: found.there.names[0] ?? '', meaning: name }))
    const native = editor.read(session, id)
    const rows = changedRows(mesh, rowsOf(skinned, scene), found.there, found.match, jointOf)
    const report: ImportedWeights = {
      mesh: name,
      by: found.match.by,
      vertices: native.vertexCount,
      changed: 0,
      missing: found.match.missing,
      apart: rows.apart,
      limited: 0,
      off: 0,
    }
    const edit = editOf(native, rows.changed, report, left)
    if (edit.vertices.length > 0) editor.write(session, edit)
    wished.push({ id, report, rows: rows.changed })
  }
  for (const { names } of free) left.push(say('importedMotion.meshNotOurs', { mesh: names[0] ?? '' }))
  return { wished, left, assumed }
}

/** Puts into the reports how far stored weights are from the file's. @param model after the import */
export function measureWeights(model: OpenDocuments, editor: WeightEditor, wished: readonly WishedWeights[]): void {
  for (const { id, report, rows } of wished) {
    if (rows.size === 0) continue
    const now = editor.read(model, id)
    for (const [vertex, row] of rows) {
      const stored = nativeRow(now, vertex)
      for (const joint of new Set([...stored.keys(), ...row.keys()]))
        report.off = Math.max(report.off, Math.abs((stored.get(joint) ?? 0) - (row.get(joint) ?? 0)))
    }
  }
}

/** 0 where a mesh of the file is called like the mesh, 1 where its name was numbered, 2 for another name. */
function nameRank({ names }: GltfMesh, mesh: Mesh): number {
  const plain = (name: string): string =>
    name
      .replace(/\.\d{3,}$/u, '')
      .replace(/ \d+$/u, '')
      .toLowerCase()
  if (names.includes(mesh.name)) return 0
  return names.some((name) => plain(name) === plain(mesh.name)) ? 1 : 2
}

/** Corners of triangles as an export writes them. */
function cornersOf(mesh: Mesh): Uint32Array {
  const groups = mesh.groups.length > 0 ? mesh.groups : [{ start: 0, count: mesh.indices.length }]
  const vertices = mesh.positions.length / 3
  const kept: number[] = []
  for (const { start, count } of groups)
    for (let i = start; i + 2 < start + count; i += 3) {
      const [a, b, c] = mesh.indices.subarray(i, i + 3)
      if (a < vertices && b < vertices && c < vertices) kept.push(a, b, c)
    }
  return Uint32Array.from(kept)
}

function sizeOf({ positions }: Mesh): number {
  let [least, most] = [Infinity, -Infinity]
  for (const value of positions) [least, most] = [Math.min(least, value), Math.max(most, value)]
  return Number.isFinite(most - least) ? most - least : 0
}

/** What an export gives each vertex; what hangs on nothing has no weights. */
function rowsOf({ sets }: ReturnType<typeof writeSkin>, { skeleton }: Scene): Row[] {
  const count = sets[0].joints.length / 4
  return Array.from({ length: count }, (_, v) => {
    const row: Row = new Map()
    for (const { joints, weights } of sets)
      for (let i = 4 * v; i < 4 * v + 4; i++) if (weights[i] > 0 && joints[i] < skeleton.count) row.set(joints[i], weights[i])
    return row
  })
}

/** Rows of the file that say something else than an export would, by native vertex. */
function changedRows(
  mesh: Mesh,
  own: readonly Row[],
  file: GltfMesh,
  { vertex }: VertexMatch,
  jointOf: ReadonlyMap<number, number>,
): { changed: Map<number, Row>; apart: number } {
  const rows = Array.from(vertex, (_, i) => {
    const row: Row = new Map()
    for (let k = file.width * i; k < file.width * (i + 1); k++) {
      const joint = jointOf.get(file.joints[k])
      if (joint !== undefined && file.weights[k] > 0) row.set(joint, (row.get(joint) ?? 0) + file.weights[k])
    }
    return whole(row)
  })
  const changed = new Map<number, Row>()
  const most = new Map<number, number>()
  vertex.forEach((v, i) => {
    if (v < 0) return
    const usual = limited(own[v], USUAL)
    const difference = Math.min(
      ...[own[v], usual].map((row) => differs(row, rows[i])),
      ...[own[v], usual].map((row) => differs(withoutSlight(row), withoutSlight(rows[i]))),
    )
    const number = mesh.nativeVertex[v]
    if (difference <= 2 * file.rounding || difference <= (most.get(number) ?? 0)) return
    most.set(number, difference)
    changed.set(number, rows[i])
  })
  // a vertex of the game may be several here, of which some were missed
  const odd = new Set<number>()
  vertex.forEach((v, i) => {
    const taken = v < 0 ? undefined : changed.get(mesh.nativeVertex[v])
    if (taken && differs(rows[i], taken) > 2 * file.rounding) odd.add(mesh.nativeVertex[v])
  })
  return { changed, apart: odd.size }
}

function editOf(native: NativeWeights, changed: ReadonlyMap<number, Row>, report: ImportedWeights, left: string[]) {
  const { fullWeight, maxInfluences, step, readOnly } = native.limits
  const boneOf = new Map<number, number>()
  native.bones.forEach(({ joint }, bone) => {
    if (joint >= 0 && !boneOf.has(joint)) boneOf.set(joint, bone)
  })
  if (readOnly && changed.size > 0)
    throw new FormatError('invalid-edit', say('importedMotion.weightsReadOnly', { mesh: report.mesh, why: readOnly }))
  const vertices: number[] = []
  const offsets = [0]
  const bone: number[] = []
  const weight: number[] = []
  let [without, empty] = [0, 0]
  for (const vertex of [...changed.keys()].sort((a, b) => a - b)) {
    if (vertex >= native.vertexCount) continue
    const row = changed.get(vertex)!
    const held: Row = new Map([...row].filter(([joint]) => boneOf.has(joint)))
    if (held.size < row.size) without++
    if (held.size === 0) {
      empty++
      continue
    }
    const kept = maxInfluences > 0 && held.size > maxInfluences ? limited(held, maxInfluences) : whole(held)
    if (kept.size < held.size) report.limited++
    const before = nativeRow(native, vertex)
    const same = differs(before, kept)
    // the stored weights are as near to the new ones as the format allows: their bytes stay
    if (same <= (step > 0 ? (0.5 * step) / fullWeight : 0) || same === 0) continue
    vertices.push(vertex)
    for (const [joint, value] of kept) {
      bone.push(boneOf.get(joint)!)
      weight.push(Number((value * fullWeight).toPrecision(6)))
    }
    offsets.push(bone.length)
  }
  report.changed = vertices.length
  if (without > 0) left.push(say('importedMotion.bonesNotInSkin', { mesh: report.mesh, count: without }))
  if (empty > 0) left.push(say('importedMotion.noWeightsLeft', { mesh: report.mesh, count: empty }))
  return {
    id: native.id,
    vertices: Uint32Array.from(vertices),
    offsets: Uint32Array.from(offsets),
    bone: Uint16Array.from(bone),
    weight: Float32Array.from(weight),
  }
}

/** Stored weights of a vertex by joint, of a sum of 1. */
function nativeRow({ offsets, bone, weight, bones }: NativeWeights, vertex: number): Row {
  const row: Row = new Map()
  for (let i = offsets[vertex]; i < offsets[vertex + 1]; i++)
    if (weight[i] > 0) row.set(bones[bone[i]]?.joint ?? -1, (row.get(bones[bone[i]]?.joint ?? -1) ?? 0) + weight[i])
  return whole(row)
}

function whole(row: Row): Row {
  const sum = [...row.values()].reduce((a, b) => a + b, 0)
  return new Map([...row].map(([joint, weight]) => [joint, weight / sum]))
}

/** The greatest weights, scaled to a sum of 1 again. */
function limited(row: Row, most: number): Row {
  return whole(new Map([...row].sort((a, b) => b[1] - a[1]).slice(0, most)))
}

function withoutSlight(row: Row): Row {
  return whole(new Map([...row].filter(([, weight]) => weight > SLIGHT)))
}

function differs(a: Row, b: Row): number {
  let most = 0
  for (const [joint, weight] of a) most = Math.max(most, Math.abs(weight - (b.get(joint) ?? 0)))
  for (const [joint, weight] of b) if (!a.has(joint)) most = Math.max(most, weight)
  return most
}
