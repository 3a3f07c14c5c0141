/** Nodes of an MDS and matrices of a bind pose. */
import { fix } from '../../lint.ts'
import { nodeAttributes } from '../codecs/attributes.ts'
import { bindWorlds, detectForm, isZeroMatrix } from '../codecs/bbp.ts'
import { nodeName, nodeOrder } from '../codecs/mds.ts'
import { checkBindPose } from '../scene/checks.ts'
import { mdsWorlds } from '../scene/skeleton.ts'
import { isOfDc1, mdsOf } from './lookup.ts'
import { say } from '../texts/index.ts'
import { length3 } from '../../../../shared/scene/length.ts'
import type { Rule } from '../rules.ts'
import type { BbpDocument } from '../codecs/bbp.ts'
import type { MdsDocument } from '../codecs/mds.ts'

export const FIX = {
  numberNodes: fix<MdsDocument>(
    'level5.number-nodes',
    () => say('lint.numberNodes'),
    (document) => document.nodes.forEach((n, i) => (n.index = i)),
  ),
}

/** The most nodes of a model that is known to load. */
const MANY_NODES = 296

export const nodes: Rule<MdsDocument> = (document, report) => {
  const n = document.nodes.length
  if (n > MANY_NODES) report.say('many-nodes', say('lint.manyNodes', { count: n }), 'nodes')
  const { parents } = nodeOrder(document)
  document.nodes.forEach((node, i) => {
    const at = node.range.start
    const path = `nodes[${i}]`
    if (node.index !== i)
      report.say('node-index', say('lint.nodeNumber', { node: i, number: node.index }), `${path}.index`, at, FIX.numberNodes)
    if (node.recordSize !== 0x70) report.say('node-size', say('lint.recordSize', { size: node.recordSize }), `${path}.recordSize`, at + 4)
    if (node.name.indexOf(0) < 0) report.say('node-name', say('lint.nameWithoutEnd'), `${path}.name`, at + 8)
    if (nodeName(node).includes('\ufffd')) report.as('info', 'node-name', say('lint.nameNotCP932'), `${path}.name`, at + 8)
    const { unknown } = nodeAttributes(nodeName(node))
    if (unknown)
      report.say('node-attribute', say('lint.unknownAttribute', { attribute: unknown, node: nodeName(node) }), `${path}.name`, at + 8)
    if (node.parent < -1 || node.parent >= n)
      report.say('node-parent', say('lint.unknownParent', { parent: node.parent, count: n }), `${path}.parent`, at + 0x2c)
    else if (node.parent >= 0 && parents[i] < 0)
      report.say('node-cycle', say('lint.belowItself', { node: nodeName(node) }), `${path}.parent`, at + 0x2c)
    else if (node.parent > i) report.say('node-order', say('lint.parentBehind', { node: nodeName(node) }), `${path}.parent`, at + 0x2c)
    if (!node.matrix.every(Number.isFinite))
      report.say('node-matrix', say('lint.matrixNoNumber', { node: nodeName(node) }), `${path}.matrix`, at + 0x30)
    else if (node.matrix[3] !== 0 || node.matrix[7] !== 0 || node.matrix[11] !== 0 || node.matrix[15] !== 1)
      report.as('warning', 'node-matrix', say('lint.matrixLastColumn', { node: nodeName(node) }), `${path}.matrix`, at + 0x30)
  })
}

export const bindPose: Rule<BbpDocument> = (document, report, model) => {
  const count = document.matrices.length / 16
  let zero = 0
  for (let i = 0; i < count; i++) {
    if (isZeroMatrix(document.matrices, 16 * i)) zero++
    else if (!document.matrices.subarray(16 * i, 16 * i + 16).every(Number.isFinite))
      report.say('bbp-matrix', say('lint.bindMatrixNoNumber'), `matrices[${i}]`, 64 * i)
  }
  if (zero) report.say('bbp-zero', say('lint.zeroBindMatrices', { count: zero, all: count }), 'matrices', 0)
  const mds = mdsOf(model)
  if (!mds) return
  report.take(checkBindPose(document, mds))
  const off = apart(document, mds, isOfDc1(model))
  if (off.n) report.say('bbp-apart', say('lint.bindPoseApart', { count: off.n, by: Number(off.most.toPrecision(3)) }), 'matrices', 0)
}

/** Part of the model's size by which a chain of bind matrices may miss it. */
const CHAIN_TOLERANCE = 0.01

/**
 * Matrices whose chain, read as Dark Cloud 1 reads it, puts their node elsewhere than the model does. Those of the model as a whole are
 * Dark Cloud 2's, and wrong where a script is of the other game.
 */
function apart({ matrices }: BbpDocument, mds: MdsDocument, dc1: boolean): { n: number; most: number } {
  const { locals, worlds, order, parents } = mdsWorlds(mds)
  if (!dc1 && detectForm(matrices, parents, order, locals, worlds).form === 'world') return { n: 0, most: 0 }
  const chain = bindWorlds('local', matrices, parents, order, locals, worlds)
  let size = 1e-6
  let most = 0
  for (let i = 12; i < worlds.length; i += 16) {
    size = Math.max(size, length3(worlds[i], worlds[i + 1], worlds[i + 2]))
    const off = length3(chain[i] - worlds[i], chain[i + 1] - worlds[i + 1], chain[i + 2] - worlds[i + 2])
    if (Number.isFinite(off)) most = Math.max(most, off)
  }
  return most > CHAIN_TOLERANCE * size ? { n: matrices.length / 16, most } : { n: 0, most: 0 }
}
