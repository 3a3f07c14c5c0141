/** HAnim PLG, a plugin of frames: the bone number of a frame, and on one frame the table of all bones. */
import type { LeafCodec } from './chunk.ts'

export const HANIM = {
  subHierarchy: 1,
  noMatrices: 2,
  updateModellingMatrices: 0x1000,
  updateLtms: 0x2000,
  localSpace: 0x4000,
  pop: 1,
  push: 2,
} as const

export interface HAnimTable {
  flags: number
  maxKeyFrameSize: number
  /** 3 per node: nodeId, index, flags (1 pop, 2 push). Order is the order of skin matrices and of vertex bone numbers */
  nodes: Int32Array
}

export interface HAnim {
  version: number
  /** -1 for none */
  nodeId: number
  /** 0 on every frame but the one with the table */
  numNodes: number
  table?: HAnimTable
}

export const hanim: LeafCodec<HAnim> = {
  id: 'hanim',
  label: 'HAnim PLG',
  fixed: -1,
  direct: true,
  read(r, scope) {
    const version = r.i32('version')
    const nodeId = r.i32('nodeId')
    const numNodes = r.i32('numNodes')
    if (numNodes === 0) return { version, nodeId, numNodes }
    const flags = r.u32('flags')
    const maxKeyFrameSize = r.u32('maxKeyFrameSize')
    if (!(numNodes > 0) || 20 + 12 * numNodes > scope.size)
      r.fail('bad-count', `${numNodes} nodes do not fit ${scope.size} bytes`, 'numNodes', { offset: r.position - 12 })
    return { version, nodeId, numNodes, table: { flags, maxKeyFrameSize, nodes: r.i32s(3 * numNodes, 'nodes') } }
  },
  write(v, out) {
    out.i32(v.version)
    out.i32(v.nodeId)
    out.i32(v.numNodes)
    if (v.table) {
      out.u32(v.table.flags)
      out.u32(v.table.maxKeyFrameSize)
      out.raw(v.table.nodes)
    }
  },
  fields(v, list) {
    list
      .add('version', 'i32', 4, `0x${(v.version >>> 0).toString(16)}`)
      .add('nodeId', 'i32', 4, v.nodeId)
      .add('numNodes', 'i32', 4, v.numNodes)
    if (!v.table) return
    list
      .add('flags', 'u32', 4, `0x${v.table.flags.toString(16)}`, { note: '2 means no matrices: the game crashes on it' })
      .add('maxKeyFrameSize', 'u32', 4, v.table.maxKeyFrameSize)
    const { nodes } = v.table
    for (let i = 0; i < v.numNodes; i++) {
      const flags = nodes[3 * i + 2]
      list.group(`nodes[${i}]`, 'Node', (g) =>
        g
          .add('nodeId', 'i32', 4, nodes[3 * i])
          .add('index', 'i32', 4, nodes[3 * i + 1])
          .add('flags', 'i32', 4, flags, {
            note: [flags & HANIM.pop ? 'pop' : '', flags & HANIM.push ? 'push' : ''].filter(Boolean).join(' '),
          }),
      )
    }
  },
}

/**
 * Parent of each node by push and pop, -1 for the first. `underflows` counts pops of an empty stack beyond the one of the
 * last node (the engine starts with the root matrix on it); `left` what stays on it.
 */
export function nodeParents(table: HAnimTable): { parents: Int32Array; underflows: number; left: number } {
  const n = table.nodes.length / 3
  const parents = new Int32Array(n)
  const stack: number[] = [-1]
  let parent = -1
  let underflows = 0
  for (let i = 0; i < n; i++) {
    parents[i] = parent
    const flags = table.nodes[3 * i + 2]
    if (flags & HANIM.push) stack.push(parent)
    parent = i
    if (flags & HANIM.pop) {
      const top = stack.pop()
      if (top === undefined) {
        underflows++
        parent = -1
      } else parent = top
    }
  }
  return { parents, underflows, left: stack.length }
}
