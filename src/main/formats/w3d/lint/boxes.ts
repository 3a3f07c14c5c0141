/** The box in a mesh's header. */
import { transformPoint } from '../../../../shared/scene/matrix.ts'
import { FormatError } from '../../../binary/format-error.ts'
import { fix } from '../../lint.ts'
import { ID } from '../codecs/chunk-ids.ts'
import { hierarchiesOf, restWorld } from '../codecs/hierarchy.ts'
import { hlodsOf } from '../codecs/hlod.ts'
import { meshesOf } from '../codecs/mesh.ts'
import { above, type Scope } from './lookup.ts'
import { say } from '../texts/index.ts'
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
      const [mesh] = meshesOf({ chunks: [above(document, path, ID.MESH)] })
      const { header } = mesh
      if (!header) return
      let world: Float64Array | undefined
      if (mesh.isSkin) {
        const name = mesh.fullName.toLowerCase()
        const model = hlodsOf(document).find((hlod) => hlod.lods.some((lod) => lod.objects.some((o) => o.name.toLowerCase() === name)))
        const hierarchy = hierarchiesOf(document).find((h) => h.name.toLowerCase() === model?.hierarchyName.toLowerCase())
        if (!hierarchy) throw new FormatError('invalid-edit', say('lint.skeletonElsewhere'))
        world = restWorld(hierarchy)
      }
      const p = new Float32Array(3)
      const low = [Infinity, Infinity, Infinity]
      const high = [-Infinity, -Infinity, -Infinity]
      for (let v = 0; v < mesh.vertices.length / 3; v++) {
        if (world)
          transformPoint(
            p,
            0,
            world,
            16 * mesh.influences!.table.u16[4 * v],
            mesh.vertices[3 * v],
            mesh.vertices[3 * v + 1],
            mesh.vertices[3 * v + 2],
          )
        else p.set(mesh.vertices.subarray(3 * v, 3 * v + 3))
        for (let c = 0; c < 3; c++) {
          low[c] = Math.min(low[c], p[c])
          high[c] = Math.max(high[c], p[c])
        }
      }
      header.min.set(low)
      header.max.set(high)
    },
  ),
}

/** The header's box against the vertices at rest. */
export function box(
  scope: Scope,
  mesh: MeshView,
  place: (v: number, out: Float32Array) => void,
  headerChunk: Chunk,
  fixable: boolean,
): void {
  const vertices =
    mesh.influences && mesh.isSkin ? Math.min(mesh.influences.table.count, mesh.vertices.length / 3) : mesh.vertices.length / 3
  if (vertices === 0 || !mesh.header) return
  const { min, max } = mesh.header
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
  const size = Math.max(1, high[0] - low[0], high[1] - low[1], high[2] - low[2])
  const off = Math.max(...[0, 1, 2].map((c) => Math.max(Math.abs(low[c] - min[c]), Math.abs(high[c] - max[c]))))
  if (!(off <= BOX_TOLERANCE * size)) {
    scope.say('mesh-box', say('lint.box', { mesh: mesh.fullName, by: Number(off.toPrecision(3)) }), headerChunk, {
      path: 'min',
      at: 76,
      ...(fixable ? { fix: FIX.meshBox } : {}),
    })
  }
}
