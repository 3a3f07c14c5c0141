import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Numbers } from './fake-family.ts'
import { numbersBytes } from './fake-family.ts'
import { bench } from './support.ts'
import type { Bench } from './support.ts'

async function edited(body: (numbers: Numbers) => void, values = [1, 2, 3, 4, 5]) {
  const original = numbersBytes(values)
  const b: Bench = bench({ 'a.num': original })
  const model = b.open('a.num')
  const ref = join(b.root, 'a.num')
  await b.workspace.edit(model.id, 'Edit', (session) => body(session.edit<Numbers>(ref)))
  const numbers = (): number[] => [...(model.document(ref) as Numbers).values]
  return {
    b,
    model,
    ref,
    original,
    numbers,
    bytes: () => b.workspace.bytes(model.id, ref),
    changes: async () => (await b.workspace.changes(model.id))[0]?.changes ?? [],
  }
}

describe('restore a part', () => {
  it('brings one changed range back, and keeps the others', async () => {
    const t = await edited((d) => (d.values = Float32Array.of(1, 20, 3, 40, 5)))
    const before = (await t.bytes()).slice()
    const [first, second] = await t.changes()
    expect(await t.b.workspace.restorePart(t.model.id, t.ref, { kind: 'range', ...first })).toBe(true)
    expect(t.numbers()).toEqual([1, 2, 3, 40, 5])
    expect(await t.changes()).toEqual([second])
    expect(t.model.history.undoable.map((s) => s.label)).toEqual(['Edit', 'Restore values'])
    await t.b.workspace.undo(t.model.id)
    expect(await t.bytes()).toEqual(before)
    await t.b.workspace.redo(t.model.id)
    expect(t.numbers()).toEqual([1, 2, 3, 40, 5])
  })

  it('brings everything below a path back, an entry of a column too', async () => {
    const t = await edited((d) => {
      d.values = Float32Array.of(9, 20, 3, 40, 5)
      d.name = d.name.map((b, i) => (i < 2 ? 0x7a : b))
    })
    const [at] = await t.changes()
    await t.b.workspace.restorePart(t.model.id, t.ref, { kind: 'node', path: 'values[3]', start: at.start, newStart: at.newStart })
    expect(t.numbers()).toEqual([9, 20, 3, 4, 5])
    await t.b.workspace.restorePart(t.model.id, t.ref, { kind: 'node', path: 'values', start: 0, newStart: 0 })
    expect(t.numbers()).toEqual([1, 2, 3, 4, 5])
    expect((await t.changes()).map((c) => c.path)).toEqual(['name'])
    expect(await t.b.workspace.restorePart(t.model.id, t.ref, { kind: 'node', path: 'values', start: 0, newStart: 0 })).toBe(false)
  })

  it('brings the whole file back, of another size too', async () => {
    const t = await edited((d) => (d.values = Float32Array.of(1, 2, 2.5, 3, 4, 5, 6)))
    await t.b.workspace.restorePart(t.model.id, t.ref, { kind: 'file' })
    expect(await t.bytes()).toEqual(t.original)
    expect(t.model.dirty).toBe(false)
    await t.b.workspace.undo(t.model.id)
    expect(t.numbers()).toEqual([1, 2, 2.5, 3, 4, 5, 6])
  })

  it('takes out one of two inserted values, and counts anew', async () => {
    const values = Array.from({ length: 40 }, (_, i) => Math.fround(Math.sin(i + 1) * 100))
    const t = await edited(
      (d) => (d.values = Float32Array.of(...values.slice(0, 10), 2.3, ...values.slice(10, 30), 4.7, ...values.slice(30))),
      values,
    )
    const inserted = (await t.changes()).filter((c) => c.end - c.start !== c.newEnd - c.newStart)
    expect(inserted).toHaveLength(2)
    await t.b.workspace.restorePart(t.model.id, t.ref, { kind: 'range', ...inserted[1] })
    expect(t.numbers()).toEqual([...values.slice(0, 10), Math.fround(2.3), ...values.slice(10)])
    const [last] = (await t.changes()).filter((c) => c.path !== 'count')
    await t.b.workspace.restorePart(t.model.id, t.ref, { kind: 'range', ...last })
    expect(await t.bytes()).toEqual(t.original)
  })

  it('refuses what would not be the same file, and keeps everything', async () => {
    // with the old count the last values would be read as the name
    const t = await edited((d) => (d.values = Float32Array.of(1, 2, 2.5, 3, 4, 5)))
    const before = (await t.bytes()).slice()
    const count = (await t.changes()).find((c) => c.path === 'count')!
    await expect(t.b.workspace.restorePart(t.model.id, t.ref, { kind: 'range', ...count })).rejects.toMatchObject({ code: 'invalid-edit' })
    expect(await t.bytes()).toEqual(before)
    expect(t.model.history.undoable).toHaveLength(1)
    await expect(
      t.b.workspace.restorePart(t.model.id, t.ref, { kind: 'range', start: 0, end: 2, newStart: 0, newEnd: 2 }),
    ).rejects.toMatchObject({ code: 'invalid-argument' })
    await expect(
      t.b.workspace.restorePart(t.model.id, t.ref, { kind: 'node', path: 'nothing[3]', start: 0, newStart: 0 }),
    ).rejects.toMatchObject({ code: 'invalid-argument' })
    await expect(t.b.workspace.restorePart(t.model.id, join(t.b.root, 'no.num'), { kind: 'file' })).rejects.toMatchObject({
      code: 'not-found',
    })
  })
})
