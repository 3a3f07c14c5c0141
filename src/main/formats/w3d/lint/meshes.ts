/** Counts, triangles and collision tree of a mesh. */
import { fix } from '../../lint.ts'
import { AABTREE_HEADER, AABTREE_NODES, AABTREE_POLYINDICES } from '../codecs/aabtree.ts'
import { ID } from '../codecs/chunk-ids.ts'
import { containerOf, containersOf, dataOf, leafOf } from '../codecs/chunk.ts'
import { PRELIT } from '../codecs/material.ts'
import { MESH_HEADER3, VERTEX_NORMALS, meshesOf } from '../codecs/mesh.ts'
import { above, nameEnds, type Scope } from './lookup.ts'
import { materials, textures } from './textures.ts'
import { influences } from './weights.ts'
import { say } from '../texts/index.ts'
import type { W3dDocument } from '../codecs/file.ts'
import type { MeshView } from '../codecs/mesh.ts'

export const FIX = {
  meshCounts: fix<W3dDocument>(
    'w3d.mesh-counts',
    () => say('lint.fixes.count'),
    (document, { path }) => {
      const [mesh] = meshesOf({ chunks: [above(document, path, ID.MESH)] })
      if (!mesh.header) return
      mesh.header.numVertices = mesh.vertices.length / 3
      mesh.header.numTris = mesh.triangles?.count ?? 0
    },
  ),
}

/** 4.0 to 4.2, and 5.0 of BFME. */
const VERSIONS: ReadonlySet<number> = new Set([0x40000, 0x40001, 0x40002, 0x50000])

export function meshes(scope: Scope): void {
  for (const mesh of meshesOf(scope.document)) lookAt(scope, mesh)
}

function lookAt(scope: Scope, mesh: MeshView): void {
  const { chunk, header } = mesh
  const headerChunk = leafOf(chunk, MESH_HEADER3)
  if (!header || !headerChunk) {
    scope.say('mesh-header', say('lint.noMeshHeader'), chunk)
    return
  }
  const vertices = mesh.vertices.length / 3
  const triangles = mesh.triangles?.count ?? 0
  const name = mesh.fullName
  nameEnds(scope, (told) => say('lint.nameFull.mesh', { name, ...told }), header.meshName, headerChunk, 'meshName', 8)
  nameEnds(scope, (told) => say('lint.nameFull.container', { name, ...told }), header.containerName, headerChunk, 'containerName', 24)
  if (chunk.children[0] !== headerChunk) scope.say('mesh-header-first', say('lint.meshHeaderFirst'), chunk)
  if (vertices === 0 || triangles === 0) scope.say('empty-mesh', say('lint.emptyMesh', { name, vertices, triangles }), chunk)
  if (vertices > 65535)
    scope.say('vertex-limit', say('lint.vertexLimit', { count: vertices }), headerChunk, { path: 'numVertices', at: 44 })
  if (!VERSIONS.has(header.version))
    scope.say('mesh-version', say('lint.meshVersion', { version: `${header.version >>> 16}.${header.version & 0xffff}` }), headerChunk, {
      path: 'version',
      at: 0,
    })
  if (mesh.isSkin && containerOf(chunk, ID.AABTREE)) scope.say('tree-on-skin', say('lint.treeOnSkin', { name }), chunk)
  const counts = FIX.meshCounts
  if (header.numVertices !== vertices)
    scope.say('vertex-count', say('lint.vertexCount', { count: header.numVertices, there: vertices }), headerChunk, {
      path: 'numVertices',
      at: 44,
      fix: counts,
    })
  if (header.numTris !== triangles)
    scope.say('triangle-count', say('lint.triangleCount', { count: header.numTris, there: triangles }), headerChunk, {
      path: 'numTris',
      at: 40,
      fix: counts,
    })
  const normals = leafOf(chunk, VERTEX_NORMALS)
  if (normals && normals.data.length !== mesh.vertices.length)
    scope.say('normal-count', say('lint.normalCount', { count: normals.data.length / 3, vertices }), normals)
  if (!mesh.vertices.every(Number.isFinite)) scope.say('vertex-value', say('lint.verticesNoNumbers', { name }), chunk, { path: 'vertices' })

  if (mesh.triangles) {
    const { u32 } = mesh.triangles
    let first = -1
    let bad = 0
    for (let t = 0; t < triangles; t++) {
      if (u32[8 * t] < vertices && u32[8 * t + 1] < vertices && u32[8 * t + 2] < vertices) continue
      if (first < 0) first = t
      bad++
    }
    const leaf = chunk.children.find((c) => c.id === ID.TRIANGLES)!
    if (bad)
      scope.say('triangle-vertex', say('lint.triangleVertices', { count: bad, first }), leaf, {
        path: `values[${first}]`,
        at: 32 * first,
      })
  }
  materials(scope, mesh, chunk)
  for (const id of PRELIT) for (const wrapper of containersOf(chunk, id)) materials(scope, mesh, wrapper)
  tree(scope, mesh)
  textures(scope, chunk)
  influences(scope, mesh, headerChunk)
}

function tree(scope: Scope, mesh: MeshView): void {
  const tree = containerOf(mesh.chunk, ID.AABTREE)
  const header = leafOf(tree, AABTREE_HEADER)
  if (!tree || !header) return
  const nodes = dataOf(tree, AABTREE_NODES)?.count ?? 0
  const polys = dataOf(tree, AABTREE_POLYINDICES) ?? new Uint32Array(0)
  const triangles = mesh.triangles?.count ?? 0
  if (header.data.nodeCount !== nodes || header.data.polyCount !== polys.length)
    scope.say(
      'tree-count',
      say('lint.treeCount', {
        nodes: header.data.nodeCount,
        triangles: header.data.polyCount,
        nodesThere: nodes,
        trianglesThere: polys.length,
      }),
      header,
    )
  if (polys.some((p) => p >= triangles)) scope.say('tree-triangle', say('lint.treeTriangles'), tree)
}
