/** Bones and weights of the vertices of a mesh. */
import { transformPoint } from '../../../../shared/scene/matrix.ts'
import { ID } from '../codecs/chunk-ids.ts'
import { restWorld } from '../codecs/hierarchy.ts'
import { vertexInfluence } from '../codecs/mesh.ts'
import { box } from './boxes.ts'
import { say } from '../texts/index.ts'
import type { Scope } from './lookup.ts'
import type { Chunk } from '../codecs/chunk.ts'
import type { MeshView } from '../codecs/mesh.ts'

export function influences(scope: Scope, mesh: MeshView, headerChunk: Chunk): void {
  const { header, influences } = mesh
  const leaf = mesh.chunk.children.find((c) => c.id === ID.VERTEX_INFLUENCES)
  const vertices = mesh.vertices.length / 3
  if (!mesh.isSkin || !influences || !header) {
    if (!mesh.isSkin && leaf) scope.say('influences-unused', say('lint.influencesUnused', { name: mesh.fullName }), leaf)
    if (!mesh.isSkin) box(scope, mesh, (v, p) => p.set(mesh.vertices.subarray(3 * v, 3 * v + 3)), headerChunk, true)
    return
  }
  if (influences.table.count !== vertices)
    scope.say('influence-count', say('lint.influenceCount', { count: influences.table.count, vertices }), leaf!)
  const hierarchy = scope.hierarchyFor(mesh)
  let sums = 0
  let idle = 0
  let firstSum = -1
  let second = 0
  if (influences.twoBone || header.version >>> 16 >= 5) {
    for (let v = 0; v < influences.table.count; v++) {
      const w0 = influences.table.u16[4 * v + 2]
      const w1 = influences.table.u16[4 * v + 3]
      if (w0 + w1 === 0 && influences.twoBone) idle++
      if (w0 + w1 !== 0 && w0 + w1 !== 100) {
        sums++
        if (firstSum < 0) firstSum = v
      }
      if (w1 > 0 && influences.twoBone && influences.vertices2.length < 3 * v + 3) second++
    }
  }
  if (sums)
    scope.say('weight-sum', say('lint.weightSum', { count: sums, first: firstSum }), leaf!, {
      path: `values[${firstSum}]`,
      at: 8 * firstSum,
    })
  if (idle) scope.say('no-weight', say('lint.noWeight', { count: idle, mesh: mesh.fullName }), leaf!)
  if (second) scope.say('second-stream-missing', say('lint.secondStream', { count: second }), leaf!)
  // the words of the second bone are padding in these versions, and may hold anything: only pairs that sum up mean it
  if (header.version >>> 16 < 5) {
    let pairs = 0
    for (let v = 0; v < influences.table.count; v++)
      if (influences.table.u16[4 * v + 3] > 0 && influences.table.u16[4 * v + 2] + influences.table.u16[4 * v + 3] === 100) pairs++
    if (pairs)
      scope.say(
        'second-bone',
        say('lint.secondBone', { count: pairs, version: `${header.version >>> 16}.${header.version & 0xffff}` }),
        leaf!,
      )
  }
  if (!hierarchy) return
  const count = hierarchy.count
  const one = [0, 0, 0, 0]
  let bad = 0
  let first = -1
  for (let v = 0; v < influences.table.count; v++) {
    vertexInfluence(influences, v, one)
    if (one[0] < count && (one[3] === 0 || one[2] < count)) continue
    if (first < 0) first = v
    bad++
  }
  if (bad) {
    scope.say(
      'influence-bone',
      say('lint.influenceBone', { count: bad, mesh: mesh.fullName, skeleton: hierarchy.name, pivots: count, first }),
      leaf!,
      { path: `values[${first}]`, at: 8 * first },
    )
    return
  }
  const world = restWorld(hierarchy)
  box(
    scope,
    mesh,
    (v, p) =>
      transformPoint(
        p,
        0,
        world,
        16 * influences.table.u16[4 * v],
        mesh.vertices[3 * v],
        mesh.vertices[3 * v + 1],
        mesh.vertices[3 * v + 2],
      ),
    headerChunk,
    scope.own(hierarchy),
  )
}
