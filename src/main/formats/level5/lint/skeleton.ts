/** Nodes of an MDS and matrices of a bind pose. */
import { fix, type Rule } from '../../lint.ts'
import { nodeAttributes } from '../codecs/attributes.ts'
import { isZeroMatrix } from '../codecs/bbp.ts'
import { nodeName, nodeOrder } from '../codecs/mds.ts'
import { checkBindPose } from '../scene/checks.ts'
import { mdsOf } from './lookup.ts'
import type { BbpDocument } from '../codecs/bbp.ts'
import type { MdsDocument } from '../codecs/mds.ts'

export const FIX = {
  numberNodes: fix<MdsDocument>('level5.number-nodes', 'Number the nodes', (document) => document.nodes.forEach((n, i) => (n.index = i))),
}

export const nodes: Rule<MdsDocument> = (document, report) => {
  const n = document.nodes.length
  const { parents } = nodeOrder(document)
  document.nodes.forEach((node, i) => {
    const at = node.range.start
    const path = `nodes[${i}]`
    if (node.index !== i)
      report.say('warning', 'node-index', `node ${i} says that it is number ${node.index}`, `${path}.index`, at, FIX.numberNodes)
    if (node.recordSize !== 0x70)
      report.say('warning', 'node-size', `the record size is ${node.recordSize}, known is 112`, `${path}.recordSize`, at + 4)
    if (node.name.indexOf(0) < 0) report.say('warning', 'node-name', 'the name has no end within its field', `${path}.name`, at + 8)
    if (nodeName(node).includes('\ufffd')) report.say('info', 'node-name', 'the name is no CP932 text', `${path}.name`, at + 8)
    const { unknown } = nodeAttributes(nodeName(node))
    if (unknown)
      report.say('info', 'node-attribute', `nobody knows the attribute "${unknown}" of ${nodeName(node)}`, `${path}.name`, at + 8)
    if (node.parent < -1 || node.parent >= n)
      report.say('error', 'node-parent', `parent ${node.parent} is none of the ${n} nodes`, `${path}.parent`, at + 0x2c)
    else if (node.parent >= 0 && parents[i] < 0)
      report.say('error', 'node-cycle', `${nodeName(node)} hangs below itself`, `${path}.parent`, at + 0x2c)
    else if (node.parent > i)
      report.say(
        'warning',
        'node-order',
        `the parent of ${nodeName(node)} stands behind it; the game builds in order`,
        `${path}.parent`,
        at + 0x2c,
      )
    if (!node.matrix.every(Number.isFinite))
      report.say('error', 'node-matrix', `the matrix of ${nodeName(node)} holds what is no number`, `${path}.matrix`, at + 0x30)
    else if (node.matrix[3] !== 0 || node.matrix[7] !== 0 || node.matrix[11] !== 0 || node.matrix[15] !== 1)
      report.say('warning', 'node-matrix', `the last column of the matrix of ${nodeName(node)} is not 0 0 0 1`, `${path}.matrix`, at + 0x30)
  })
}

export const bindPose: Rule<BbpDocument> = (document, report, model) => {
  const count = document.matrices.length / 16
  let zero = 0
  for (let i = 0; i < count; i++) {
    if (isZeroMatrix(document.matrices, 16 * i)) zero++
    else if (!document.matrices.subarray(16 * i, 16 * i + 16).every(Number.isFinite))
      report.say('error', 'bbp-matrix', 'a bind matrix holds what is no number', `matrices[${i}]`, 64 * i)
  }
  if (zero) report.say('info', 'bbp-zero', `${zero} of ${count} bind matrices are zero: the MDS counts there`, 'matrices', 0)
  const mds = mdsOf(model)
  if (mds) report.take(checkBindPose(document, mds))
}
