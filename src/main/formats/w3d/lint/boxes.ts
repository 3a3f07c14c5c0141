/** Box and sphere in a mesh's header. */
import { transformPoint } from '../../../../shared/scene/matrix.ts'
import { FormatError } from '../../../binary/format-error.ts'
import { fix } from '../../lint.ts'
import { ID } from '../codecs/chunk-ids.ts'
import { hierarchiesOf, restWorld } from '../codecs/hierarchy.ts'
import { hlodsOf } from '../codecs/hlod.ts'
import { meshesOf } from '../codecs/mesh.ts'
import { above, type Scope } from './lookup.ts'
import { say } from '../texts/index.ts'
import { length3 } from '../../../../shared/scene/length.ts'
import type { Chunk } from '../codecs/chunk.ts'
import type { W3dDocument } from '../codecs/file.ts'
import type { MeshView } from '../codecs/mesh.ts'

/** A header box may be off by rounding; more means that culling or picking will be wrong. */
const BOX_TOLERANCE = 1e-3

export const FIX = {
  meshBox: fix<W3dDocument>(
    'w3d.mesh-box',
    () => say('lint.fixes.measure'),
    (document, { path }) => {
      const { mesh, place } = measured(document, path)
      const { header } = mesh
      if (!header) return
      const { low, high } = extent(mesh.vertices.length / 3, place)
      header.min.set(low)
      header.max.set(high)
    },
  ),
  meshSphere: fix<W3dDocument>(
    'w3d.mesh-sphere',
    () => say('lint.fixes.measureSphere'),
    (document, { path }) => {
      const { mesh, place } = measured(document, path)
      const { header } = mesh
      if (!header) return
      const vertices = mesh.vertices.length / 3
      // a middle that is none is made anew, any other stays
      if (!header.sphCenter.every(Number.isFinite)) {
        const { low, high } = extent(vertices, place)
        header.sphCenter.set(low.map((v, c) => (v + high[c]) / 2))
      }
      const far = farthest(vertices, place, header.sphCenter)
      // the next float above, so that none of the vertices is left out
      header.sphRadius[0] = far
      if (header.sphRadius[0] < far) header.sphRadius[0] = far * (1 + 2 ** -23)
    },
  ),
}

type Place = (v: number, out: Float32Array) => void

/** The mesh on a path, and where its vertices stand at rest. */
function measured(document: W3dDocument, path: string): { mesh: MeshView; place: Place } {
  const [mesh] = meshesOf({ chunks: [above(document, path, ID.MESH)] })
  if (!mesh.isSkin) return { mesh, place: (v, p) => p.set(mesh.vertices.subarray(3 * v, 3 * v + 3)) }
  const name = mesh.fullName.toLowerCase()
  const model = hlodsOf(document).find((hlod) => hlod.lods.some((lod) => lod.objects.some((o) => o.name.toLowerCase() === name)))
  const hierarchy = hierarchiesOf(document).find((h) => h.name.toLowerCase() === model?.hierarchyName.toLowerCase())
  if (!hierarchy) throw new FormatError('invalid-edit', say('lint.skeletonElsewhere'))
  const world = restWorld(hierarchy)
  const place: Place = (v, p) =>
    transformPoint(
      p,
      0,
      world,
      16 * mesh.influences!.table.u16[4 * v],
      mesh.vertices[3 * v],
      mesh.vertices[3 * v + 1],
      mesh.vertices[3 * v + 2],
    )
  return { mesh, place }
}

function extent(vertices: number, place: Place): { low: number[]; high: number[] } {
  const p = new Float32Array(3)
  const low = [Infinity, Infinity, Infinity]
  const high = [-Infinity, -Infinity, -Infinity]
  for (let v = 0; v < vertices; v++) {
    place(v, p)
    for (let c = 0; c < 3; c++) {
      low[c] = Math.min(low[c], p[c])
      high[c] = Math.max(high[c], p[c])
    }
  }
  return { low, high }
}

/** Distance of the vertex that is farthest from a point; no number where one of them is none. */
function farthest(vertices: number, place: Place, from: ArrayLike<number>): number {
  const p = new Float32Array(3)
  let most = 0
  for (let v = 0; v < vertices; v++) {
    place(v, p)
    most = Math.max(most, length3(p[0] - from[0], p[1] - from[1], p[2] - from[2]))
  }
  return most
}

/** The header's box and sphere against the vertices at rest. */
export function box(scope: Scope, mesh: MeshView, place: Place, headerChunk: Chunk, fixable: boolean): void {
  const vertices =
    mesh.influences && mesh.isSkin ? Math.min(mesh.influences.table.count, mesh.vertices.length / 3) : mesh.vertices.length / 3
  if (vertices === 0 || !mesh.header) return
  const { min, max, sphCenter, sphRadius } = mesh.header
  const { low, high } = extent(vertices, place)
  const size = Math.max(1, high[0] - low[0], high[1] - low[1], high[2] - low[2])
  const off = Math.max(...[0, 1, 2].map((c) => Math.max(Math.abs(low[c] - min[c]), Math.abs(high[c] - max[c]))))
  if (!(off <= BOX_TOLERANCE * size)) {
    scope.say('mesh-box', say('lint.box', { mesh: mesh.fullName, by: Number(off.toPrecision(3)) }), headerChunk, {
      path: 'min',
      at: 76,
      ...(fixable ? { fix: FIX.meshBox } : {}),
    })
  }
  const far = farthest(vertices, place, sphCenter)
  if (!(far <= sphRadius[0] + BOX_TOLERANCE * size)) {
    const told = { mesh: mesh.fullName, radius: Number(sphRadius[0].toPrecision(4)), needed: Number(far.toPrecision(4)) }
    scope.say('mesh-sphere', say('lint.sphere', told), headerChunk, {
      path: 'sphRadius',
      at: 112,
      ...(fixable ? { fix: FIX.meshSphere } : {}),
    })
  }
}
