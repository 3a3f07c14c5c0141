/** HAnim PLG, a plugin of frames: the bone number of a frame, and on one frame the table of all bones. */
import { flags32, i32, record, recordList, shownAs, u32 } from '../../../binary/layout.ts'
import { bitsOf, structural } from '../../../binary/field-use.ts'
import { say } from '../texts/index.ts'
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

/** What a table's flags mean. */
const HIERARCHY = {
  subHierarchy: HANIM.subHierarchy,
  noMatrices: HANIM.noMatrices,
  updateModellingMatrices: HANIM.updateModellingMatrices,
  updateLtms: HANIM.updateLtms,
  localSpace: HANIM.localSpace,
}

const HEAD = record({ version: shownAs(i32, (v) => `0x${(v >>> 0).toString(16)}`), nodeId: i32, numNodes: structural(i32) })
const TABLE = record({ flags: bitsOf(flags32, HIERARCHY), maxKeyFrameSize: u32 }, { notes: { flags: () => say('codecs.hanimFlags') } })
const NODES = recordList(
  { nodeId: i32, index: i32, flags: bitsOf(i32, { pop: HANIM.pop, push: HANIM.push }) },
  'nodes',
  {
    most: Infinity,
    notes: { flags: (flags: number) => [flags & HANIM.pop ? 'pop' : '', flags & HANIM.push ? 'push' : ''].filter(Boolean).join(' ') },
  },
  'Node',
)

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
  fixed: -1,
  direct: true,
  read(r, scope) {
    const head = HEAD.read(r)
    const { numNodes } = head
    if (numNodes === 0) return head
    const table = TABLE.read(r)
    if (!(numNodes > 0) || HEAD.size + TABLE.size + NODES.stride * numNodes > scope.size)
      r.fail('bad-count', say('codecs.nodesDoNotFit', { count: numNodes, size: scope.size }), 'numNodes', { offset: r.position - 12 })
    return { ...head, table: { ...table, nodes: r.i32s(3 * numNodes, 'nodes') } }
  },
  write(v, out) {
    HEAD.write(out, v)
    if (!v.table) return
    TABLE.write(out, v.table)
    out.raw(v.table.nodes)
  },
  fields(v, list) {
    list.record(HEAD, v)
    if (v.table) list.record(TABLE, v.table).records(NODES, v.table.nodes)
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
