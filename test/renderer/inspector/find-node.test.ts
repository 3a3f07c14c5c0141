import { describe, expect, it } from 'vitest'
import { findNode, keyOfChain, nodeAtOffset, structureRows } from '../../../src/renderer/features/inspector/find-node.ts'
import type { StructureNode } from '../../../src/shared/api/types/structure.ts'

const leaf = (name: string, start: number, end: number, fields: string[] = []): StructureNode => ({
  name,
  type: 't',
  start,
  end,
  fields: fields.map((f, i) => ({ name: f, value: '', type: 'u32', start: start + 4 * i, size: 4 })),
  children: [],
})
const root: StructureNode = {
  ...leaf('file', 0, 100, ['magic']),
  children: [
    { ...leaf('nodes[1]', 10, 30, ['name', 'parent']), children: [leaf('mdt', 20, 30, ['count'])] },
    leaf('nodes[10]', 30, 50, ['name', 'bind']),
  ],
}

describe('places in a document', () => {
  it('are found by path, down to the field', () => {
    const found = findNode(root, 'nodes[1].mdt.count')
    expect(found.chain.map((n) => n.name)).toEqual(['file', 'nodes[1]', 'mdt'])
    expect(found.field?.name).toBe('count')
  })

  it('do not take nodes[1] for nodes[10]', () => {
    expect(findNode(root, 'nodes[10].bind[3]').node.name).toBe('nodes[10]')
    expect(findNode(root, 'nodes[10].bind[3]').field?.name).toBe('bind')
  })

  it('end at the deepest node that exists', () => {
    expect(findNode(root, 'nodes[1].faces[4].index').node.name).toBe('nodes[1]')
    expect(findNode(root, '').node).toBe(root)
    expect(findNode(root, 'file').node).toBe(root)
    expect(findNode(root, 'file.nodes[1]').node.name).toBe('nodes[1]')
  })

  it('are found by offset', () => {
    expect(nodeAtOffset(root, 22).node.name).toBe('mdt')
    expect(nodeAtOffset(root, 34).field?.name).toBe('bind')
    expect(nodeAtOffset(root, 99).node).toBe(root)
  })

  it('have rows only where they are open, and keys that lead back', () => {
    expect(structureRows(root, new Set()).map((r) => r.node.name)).toEqual(['file'])
    const rows = structureRows(root, new Set(['0', '0.0']))
    expect(rows.map((r) => r.node.name)).toEqual(['file', 'nodes[1]', 'mdt', 'nodes[10]'])
    expect(keyOfChain(findNode(root, 'nodes[1].mdt').chain)).toBe(rows[2].key)
  })
})
