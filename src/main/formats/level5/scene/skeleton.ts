/** Nodes as joints of the scene, and their places in model space. */
import { identity, multiply } from '../../../../shared/scene/matrix.ts'
import { buildSkeleton } from '../../../../shared/scene/pose.ts'
import { nodeAttributes } from '../codecs/attributes.ts'
import { localMatrices, meshOf, nodeName, nodeOrder } from '../codecs/mds.ts'
import type { Scene } from '../../../../shared/scene/types.ts'
import type { MdsDocument } from '../codecs/mds.ts'

/** What the editors need to find their way from the scene back to the files. */
export interface MdsInScene {
  jointOf: Int32Array
  /** scene mesh of each node, -1 for none */
  meshOfNode: Int32Array
  /** first scene material of each node with a mesh */
  materialOfNode: Int32Array
  /** bind matrix of the owner of each skinned scene mesh */
  ownerBind: Map<number, Float32Array>
}

/** Local matrices of the nodes; one with a number that is none is the identity. */
function finiteLocals(model: MdsDocument): Float32Array {
  const locals = localMatrices(model)
  for (let i = 0; i < model.nodes.length; i++) {
    const m = locals.subarray(16 * i, 16 * i + 16)
    if (!m.every(Number.isFinite)) identity(m)
  }
  return locals
}

export function addSkeleton(scene: Scene, model: MdsDocument): MdsInScene {
  const names = model.nodes.map(nodeName)
  const { skeleton, jointOf } = buildSkeleton(
    names,
    Int32Array.from(model.nodes, (n) => n.parent),
    finiteLocals(model),
    (native) => ({ ref: model.ref, path: `nodes[${native}]` }),
  )
  scene.skeleton = skeleton
  const hasChild = new Uint8Array(skeleton.count)
  for (let j = 0; j < skeleton.count; j++) if (skeleton.parents[j] >= 0) hasChild[skeleton.parents[j]] = 1
  skeleton.roles = Array.from(skeleton.nativeIndex, (native, j) => (meshOf(model, model.nodes[native]) && !hasChild[j] ? 'mesh' : 'joint'))
  skeleton.billboards = skeleton.names.map((name) => nodeAttributes(name).billboard)
  return {
    jointOf,
    meshOfNode: new Int32Array(model.nodes.length).fill(-1),
    materialOfNode: new Int32Array(model.nodes.length).fill(-1),
    ownerBind: new Map(),
  }
}

/** Model-space matrices of the nodes' own pose, by node. */
export function mdsWorlds(model: MdsDocument): { locals: Float32Array; worlds: Float32Array; order: Int32Array; parents: Int32Array } {
  const { order, parents } = nodeOrder(model)
  const locals = finiteLocals(model)
  const worlds = new Float32Array(locals.length)
  for (const i of order) {
    if (parents[i] < 0) worlds.set(locals.subarray(16 * i, 16 * i + 16), 16 * i)
    else multiply(worlds, 16 * i, worlds, 16 * parents[i], locals, 16 * i)
  }
  return { locals, worlds, order, parents }
}
