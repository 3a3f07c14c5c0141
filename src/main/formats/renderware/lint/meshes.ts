/** Atomics, geometries and what is drawn of them. */
import { ID } from '../codecs/chunk-ids.ts'
import { childOf, childrenOf, chunkPaths, valueOf } from '../codecs/chunk.ts'
import { binMesh } from '../codecs/bin-mesh.ts'
import { FRAME_WORDS } from '../codecs/frame-list.ts'
import { GEOMETRY, geometryStruct } from '../codecs/geometry.ts'
import { modelKey } from '../codecs/ide.ts'
import { readModel } from '../codecs/model.ts'
import { isVehicle } from '../scene/vehicle.ts'
import { folderOf, stemOf } from '../../../../shared/ref.ts'
import { fix } from '../../lint.ts'
import { chunkAt, clumpFix, eachClump, leafFix } from './lookup.ts'
import { skin as lintSkin } from './weights.ts'
import { say } from '../texts/index.ts'
import { length3 } from '../../../../shared/scene/length.ts'
import type { Report, Rule } from '../rules.ts'
import type { Chunk } from '../codecs/chunk.ts'
import type { Document } from '../../format.ts'
import type { DffDocument } from '../codecs/dff.ts'
import type { IdeDocument } from '../codecs/ide.ts'
import type { GeometryView } from '../codecs/model.ts'

export const FIX = {
  atomics: fix(
    'renderware.atomic-count',
    () => say('lint.fixes.setCount'),
    clumpFix((clump) => {
      if (clump.struct) clump.struct.numAtomics = clump.atomics.length
    }),
  ),
  sphere: fix(
    'renderware.measure-sphere',
    () => say('lint.fixes.sphere'),
    (document, diagnostic) => {
      const chunk = chunkAt(document, diagnostic.path)
      const struct = valueOf(chunk, geometryStruct) ?? valueOf(childOf(chunk, ID.struct), geometryStruct)
      for (const { sphere, vertices } of struct?.morphs ?? []) sphere[3] = farthest(sphere, vertices)
    },
  ),
  total: fix(
    'renderware.total-indices',
    () => say('lint.fixes.setTotal'),
    leafFix(binMesh, (bins) => {
      bins.totalIndices = bins.meshes.reduce((sum, m) => sum + m.numIndices, 0)
    }),
  ),
}

/** Whether the sphere holds all vertices: the farthest from its middle. */
function farthest(sphere: Float32Array, vertices: Float32Array): number {
  let most = 0
  for (let i = 0; i + 2 < vertices.length; i += 3)
    most = Math.max(most, length3(vertices[i] - sphere[0], vertices[i + 1] - sphere[1], vertices[i + 2] - sphere[2]))
  return most
}

const MOST_VERTICES = 65535
const MOST_MATERIALS = 50

/** Numbers within the Struct of a geometry. */
function lintStruct(geometry: GeometryView, where: string, vehicle: boolean, report: Report): void {
  const { struct } = geometry
  const at = geometry.chunk.start
  if (!struct) return
  if (struct.numVertices > MOST_VERTICES)
    report.say('vertex-limit', say('lint.vertexLimit', { count: struct.numVertices }), `${where}.struct.numVertices`, at)
  let outside = 0
  const { triangles } = struct
  for (let t = 0; t + 3 < triangles.length; t += 4)
    if (
      triangles[t] >= struct.numVertices ||
      triangles[t + 1] >= struct.numVertices ||
      triangles[t + 3] >= struct.numVertices ||
      (triangles[t + 2] >= geometry.materials.length && geometry.materials.length > 0)
    )
      outside++
  if (outside) report.say('triangle-range', say('lint.triangleRange', { count: outside }), `${where}.struct.triangles`, at)
  if (struct.uvs.length > 2) report.say('uv-sets', say('lint.uvSets', { count: struct.uvs.length }), `${where}.struct.format`, at)
  if (geometry.materials.length === 0) report.say('no-material', say('lint.noMaterial'), where, at)
  if (geometry.materials.length > MOST_MATERIALS)
    report.say('many-materials', say('lint.manyMaterials', { count: geometry.materials.length }), where, at)
  // what a vehicle is painted with is the game's: its own have black materials that are not seen as such
  if (struct.format & GEOMETRY.modulate && !vehicle) {
    const black = geometry.materials.findIndex(({ struct: m }) => m && m.color[0] === 0 && m.color[1] === 0 && m.color[2] === 0)
    if (black >= 0) report.say('black-material', say('lint.blackMaterial', { material: black }), where, at)
  }
  const morph = struct.morphs[0]
  if (!morph || morph.vertices.length === 0) return
  const needed = farthest(morph.sphere, morph.vertices)
  if (!(morph.sphere[3] > 0) || needed > morph.sphere[3] * 1.01 + 1e-3)
    report.say(
      'bounding-sphere',
      say('lint.sphere', { radius: Number(morph.sphere[3].toPrecision(4)), needed: Number(needed.toPrecision(4)) }),
      `${where}.struct.morphTargets[0].boundingSphere`,
      at,
      FIX.sphere,
    )
}

export const file: Rule<DffDocument> = (document, report) => {
  if (readModel(document).clumps.length === 0) report.say('no-clump', say('lint.noClump'), '', 0)
}

/** Letters of a name that a list of objects can have, and of an entry of an archive with its ending. */
const MOST_STEM = 20

/** What the file is called: the game asks for it in its archives. */
export const fileName: Rule<Document> = (document, report) => {
  const stem = stemOf(document.ref)
  if (stem.length > MOST_STEM)
    report.say('file-name-length', say('lint.fileNameLength', { name: stem, count: stem.length, most: MOST_STEM }), '', 0)
}

/** Sections of a list whose models are drawn as one part that does not move. */
const STATIC: ReadonlySet<string> = new Set(['objs', 'tobj'])

/** Objects of the map: one plain atomic, as its frame stands. A list that names the model has to be at hand. */
export const objects: Rule<DffDocument> = (document, report, model) => {
  const name = stemOf(document.ref).toLowerCase()
  const isObject = model.around?.providing(modelKey(name), folderOf(document.ref)).some(({ ref }) => {
    const list = model.load(ref) ?? model.around.document(ref)
    return (
      list?.format === 'renderware.ide' &&
      (list as IdeDocument).pairs.some((pair) => pair.model.toLowerCase() === name && STATIC.has(pair.section))
    )
  })
  if (!isObject) return
  const paths = chunkPaths(document.roots)
  for (const clump of readModel(document).clumps) {
    const named = clump.atomics.map((atomic) => clump.frames[atomic.frame]?.name ?? '')
    // the whole and the damaged one are two, by their names
    if (named.filter((frame) => !/_dam/i.test(frame)).length > 1)
      report.say(
        'object-atomics',
        say('lint.objectAtomics', { count: clump.atomics.length }),
        paths.get(clump.chunk) ?? '',
        clump.chunk.start,
      )
    const turned = clump.atomics.find(({ frame }) => frame >= 0 && !isPlain(clump.frameList!.floats, frame))
    if (turned)
      report.say('object-turned', say('lint.objectTurned', { frame: turned.frame }), paths.get(turned.chunk) ?? '', turned.chunk.start)
  }
}

/** Whether a frame turns and scales nothing. */
function isPlain(floats: ArrayLike<number>, frame: number): boolean {
  for (let i = 0; i < 9; i++) if (Math.abs(floats[FRAME_WORDS * frame + i] - (i % 4 ? 0 : 1)) > 1e-3) return false
  return true
}

export const tail: Rule<DffDocument> = (document, report) => {
  if (document.trailing.some((b) => b !== 0))
    report.say(
      'junk-tail',
      say('lint.junkTail', { count: document.trailing.length }),
      'trailing',
      document.roots[document.roots.length - 1]?.end ?? 0,
    )
}

/** Counts and links of atomics. */
export const atomics = eachClump(({ clump, path, offset, report }) => {
  if (clump.struct && clump.struct.numAtomics !== clump.atomics.length)
    report.say(
      'atomic-count',
      say('lint.atomicCount', { count: clump.struct.numAtomics, there: clump.atomics.length }),
      `${path(clump.chunk)}.struct.numAtomics`,
      offset(clump.chunk),
      FIX.atomics,
    )
  clump.atomics.forEach((atomic) => {
    if (atomic.frame < 0)
      report.say('atomic-frame', say('lint.atomicFrame'), `${path(atomic.chunk)}.struct.frameIndex`, offset(atomic.chunk))
    if (atomic.geometry < 0)
      report.say('atomic-geometry', say('lint.atomicGeometry'), `${path(atomic.chunk)}.struct.geometryIndex`, offset(atomic.chunk))
  })
})

export const geometries = eachClump(({ clump, path, report }) => {
  const vehicle = isVehicle(clump)
  const lastGeometry = clump.atomics[clump.atomics.length - 1]?.geometry ?? -1
  clump.geometries.forEach((geometry, g) => {
    const where = path(geometry.chunk)
    const at = geometry.chunk.start
    if (geometry.native) report.say('native-geometry', say('lint.nativeGeometry'), where, at)
    lintStruct(geometry, where, vehicle, report)
    lintBinMesh(geometry, where, path, report)
    const { skin, skinChunk } = geometry
    if (skin && skinChunk) lintSkin(skin, skinChunk, geometry, g === lastGeometry, path(skinChunk), report)
  })
  for (const atomic of clump.atomics)
    if (atomic.legacySkin) report.say('legacy-skin', say('lint.legacySkin'), path(atomic.skinChunk), atomic.skinChunk?.start ?? -1)
})

function lintBinMesh(geometry: GeometryView, where: string, path: (chunk: Chunk | undefined) => string, report: Report): void {
  const chunk = childrenOf(geometry.chunk, ID.extension)
    .map((e) => childOf(e, ID.binMesh))
    .find(Boolean)
  const bins = geometry.binMesh
  const { struct } = geometry
  if (!struct) return
  if (!bins) {
    if (!geometry.native && struct.numTriangles > 0) report.say('no-bin-mesh', say('lint.noBinMesh'), where, geometry.chunk.start)
    return
  }
  const total = bins.meshes.reduce((sum, m) => sum + m.numIndices, 0)
  if (total !== bins.totalIndices)
    report.say(
      'total-indices',
      say('lint.totalIndices', { total: bins.totalIndices, there: total }),
      `${path(chunk)}.totalIndices`,
      chunk!.start,
      FIX.total,
    )
  bins.meshes.forEach((mesh, m) => {
    if (mesh.material >= geometry.materials.length)
      report.say(
        'material-range',
        say('lint.materialRange', { mesh: m, material: mesh.material, count: geometry.materials.length }),
        `${path(chunk)}.meshes[${m}].material`,
        chunk!.start,
      )
    let outside = 0
    for (const i of mesh.indices ?? []) if (i >= struct.numVertices) outside++
    if (outside)
      report.say('vertex-range', say('lint.vertexRange', { count: outside, mesh: m }), `${path(chunk)}.meshes[${m}].indices`, chunk!.start)
  })
  let flat = struct.triangles.length > 0 && bins.meshes.length > 1
  for (let t = 2; t < struct.triangles.length && flat; t += 4) flat = struct.triangles[t] === 0
  if (flat) report.say('struct-materials', say('lint.structMaterials'), `${where}.struct.triangles`, geometry.chunk.start)
}
