/** Finds a place of a document in its structure tree by its path. */
import type { StructureField, StructureNode } from '../../../shared/api/types/structure.ts'

export interface Found {
  /** from the root to the node */
  chain: StructureNode[]
  node: StructureNode
  field?: StructureField
}

/** Deepest node that the path leads to; a path that goes on below it names a field, or nothing that is shown. */
export function findNode(root: StructureNode, path: string): Found {
  const chain = [root]
  let node = root
  let rest = path
  if (rest === root.name) rest = ''
  else if (rest.startsWith(`${root.name}.`) && !root.children.some((c) => leads(c.name, rest))) rest = rest.slice(root.name.length + 1)
  while (rest) {
    // of `keys` and `keys[0]` the longer name that fits is meant
    const next = node.children.filter((c) => leads(c.name, rest)).sort((a, b) => b.name.length - a.name.length)[0]
    if (!next) break
    node = next
    chain.push(node)
    rest = rest.slice(next.name.length).replace(/^\./, '')
  }
  const field = rest
    ? (node.fields.find((f) => f.name === rest) ??
      node.fields.filter((f) => leads(f.name, rest)).sort((a, b) => b.name.length - a.name.length)[0])
    : undefined
  return { chain, node, field }
}

function leads(name: string, path: string): boolean {
  return path === name || (path.startsWith(name) && (path[name.length] === '.' || path[name.length] === '['))
}

/** Deepest node that holds a byte. */
export function nodeAtOffset(root: StructureNode, offset: number): Found {
  const chain = [root]
  let node = root
  for (;;) {
    const next = node.children.find((c) => offset >= c.start && offset < c.end)
    if (!next) break
    node = next
    chain.push(node)
  }
  return { chain, node, field: node.fields.find((f) => offset >= f.start && offset < f.start + f.size) }
}

export interface StructureRow {
  key: string
  node: StructureNode
  depth: number
  open?: boolean
}

/** The rows of the tree that are open. Keys are child numbers joined by dots, since names may repeat. */
export function structureRows(root: StructureNode, open: ReadonlySet<string>): StructureRow[] {
  const rows: StructureRow[] = []
  const stack: { node: StructureNode; key: string; depth: number }[] = [{ node: root, key: '0', depth: 0 }]
  while (stack.length) {
    const { node, key, depth } = stack.pop()!
    const isOpen = open.has(key)
    rows.push({ key, node, depth, open: node.children.length ? isOpen : undefined })
    if (isOpen)
      for (let i = node.children.length - 1; i >= 0; i--) stack.push({ node: node.children[i], key: `${key}.${i}`, depth: depth + 1 })
  }
  return rows
}

/** Key of a chain of nodes, for structureRows. */
export function keyOfChain(chain: readonly StructureNode[]): string {
  let key = '0'
  for (let i = 1; i < chain.length; i++) key += `.${chain[i - 1].children.indexOf(chain[i])}`
  return key
}
