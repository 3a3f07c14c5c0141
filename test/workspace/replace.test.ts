/** A step that is done again in another way: one step in the history, the state before it stays the one that undo leads to. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { FormatError } from '../../src/main/binary/format-error.ts'
import type { OpenModel } from '../../src/main/workspace/open-model.ts'
import { numbersBytes } from './fake-family.ts'
import type { Numbers } from './fake-family.ts'
import { bench, crash } from './support.ts'
import type { Bench } from './support.ts'

const add = (b: Bench, model: OpenModel, by: number, options: { replaces?: string; label?: string; ref?: string } = {}): Promise<boolean> =>
  b.workspace.edit(
    model.id,
    options.label ?? `Add ${by}`,
    (session) => {
      const d = session.edit<Numbers>(options.ref ?? model.binding.primary)
      d.values = d.values.map((v) => v + by)
    },
    options,
  )
const values = (model: OpenModel, ref = model.binding.primary): number[] => [...(model.document(ref) as Numbers).values]
const labels = (model: OpenModel): string[] => model.history.undoable.map((s) => s.label)
const top = (model: OpenModel): string => model.history.undoable.at(-1)!.id

async function recovered(b: Bench): Promise<{ next: Bench; model: OpenModel }> {
  const next = crash(b)
  const model = next.open('a.num')
  await next.workspace.recover((await next.workspace.recoverable())[0].id, model)
  return { next, model }
}

describe('replacing the last step', () => {
  it('works on what was there before it and keeps one step', async () => {
    const b = bench({ 'a.num': numbersBytes([1, 2, 3]) })
    const model = b.open('a.num')
    await add(b, model, 10)
    await add(b, model, 1)
    const id = top(model)
    expect(await add(b, model, 2, { replaces: id })).toBe(true)
    expect(await add(b, model, 5, { replaces: id, label: 'Add five' })).toBe(true)
    expect(values(model)).toEqual([16, 17, 18])
    expect(model.assembled.scene.lods).toEqual(['a: 16 17 18'])
    expect(labels(model)).toEqual(['Add 10', 'Add five'])
    expect(top(model)).toBe(id)
    await b.workspace.undo(model.id)
    expect(values(model)).toEqual([11, 12, 13])
    await b.workspace.undo(model.id)
    expect(values(model)).toEqual([1, 2, 3])
    expect(model.dirty).toBe(false)
    await b.workspace.redo(model.id)
    await b.workspace.redo(model.id)
    expect(values(model)).toEqual([16, 17, 18])
    // the step is on top again
    await add(b, model, 7, { replaces: id })
    expect(values(model)).toEqual([18, 19, 20])
    expect(model.history.redoable).toEqual([])
  })

  it('drops what could be redone, as any edit does, and refuses a step that is not the last', async () => {
    const b = bench({ 'a.num': numbersBytes([1]) })
    const model = b.open('a.num')
    await add(b, model, 1)
    const id = top(model)
    await add(b, model, 1)
    await expect(add(b, model, 9, { replaces: id })).rejects.toMatchObject({ code: 'not-found' })
    expect(values(model)).toEqual([3])
    await b.workspace.undo(model.id)
    await add(b, model, 9, { replaces: id })
    expect(values(model)).toEqual([10])
    expect(model.history.redoable).toEqual([])
    expect(labels(model)).toEqual(['Add 9'])
  })

  it('leaves the former result when the new way is refused', async () => {
    const b = bench({ 'a.num': numbersBytes([1, 2]), 'a.extra.num': numbersBytes([5]) })
    const model = b.open('a.num')
    await add(b, model, 1)
    const id = top(model)
    const way = (body: (d: Numbers, extra: Numbers) => void): Promise<boolean> =>
      b.workspace.edit(model.id, 'x', (s) => body(s.edit<Numbers>(model.binding.primary), s.edit<Numbers>(model.refs()[1])), {
        replaces: id,
      })
    await expect(
      way((d, extra) => {
        expect([...d.values]).toEqual([1, 2])
        d.values[0] = extra.values[0] = 99
        throw new FormatError('invalid-edit', 'no')
      }),
    ).rejects.toMatchObject({ message: 'no' })
    await expect(way((d) => void (d.broken = true))).rejects.toMatchObject({ code: 'invalid-edit' })
    expect(values(model)).toEqual([2, 3])
    expect(values(model, model.refs()[1])).toEqual([5])
    expect(model.assembled.scene.lods[0]).toBe('a: 2 3')
    expect(labels(model)).toEqual(['Add 1'])
    await b.workspace.undo(model.id)
    expect(model.dirty).toBe(false)
  })

  it('shows the scene as it was before the step, whenever it is asked for, and makes it for nobody else', async () => {
    const b = bench({ 'a.num': numbersBytes([1, 2]), 'a.extra.num': numbersBytes([5]) })
    const model = b.open('a.num')
    await add(b, model, 1)
    const replaces = top(model)
    const seen: string[][] = []
    const assemble = vi.spyOn(model.family, 'assemble')
    const way = (ask: ('first' | 'last')[]): Promise<boolean> =>
      b.workspace.edit(
        model.id,
        'x',
        (s) => {
          if (ask.includes('first')) seen.push(s.assembled.scene.lods)
          s.edit<Numbers>(model.binding.primary).values[0] += 7 + seen.length
          if (ask.includes('last')) seen.push(s.assembled.scene.lods)
        },
        { replaces },
      )
    for (const ask of [['first'], ['last'], ['first', 'last']] as const) await way([...ask])
    expect(seen.map(([first]) => first)).toEqual(['a: 1 2', 'a: 1 2', 'a: 1 2', 'a: 1 2'])
    assemble.mockClear()
    await way([])
    expect(assemble).toHaveBeenCalledTimes(1)
    expect(model.assembled.scene.lods[0]).toBe(`a: ${values(model).join(' ')}`)
    assemble.mockRestore()
  })

  it('of a way that changes nothing leaves no step, and of one file of two that one', async () => {
    const b = bench({ 'a.num': numbersBytes([1]), 'a.extra.num': numbersBytes([5]) })
    const model = b.open('a.num')
    const [a, extra] = model.refs()
    await b.workspace.edit(model.id, 'Both', (s) => {
      s.edit<Numbers>(a).values[0] = 2
      s.edit<Numbers>(extra).values[0] = 6
    })
    const id = top(model)
    await add(b, model, 3, { ref: extra, replaces: id })
    expect([values(model), values(model, extra)]).toEqual([[1], [8]])
    expect([...model.history.undoable[0].files.keys()]).toEqual([extra])
    expect(model.entry(a).file!.dirty).toBe(false)
    await add(b, model, 0, { replaces: id })
    expect(model.history.undoable).toEqual([])
    expect(model.history.redoable).toEqual([])
    expect(model.dirty).toBe(false)
  })

  it('reaches files that the first way did not, and lets them go with undo', async () => {
    const b = bench({ 'a.num': numbersBytes([1]), 'a.extra.num': numbersBytes([5]) })
    const model = b.open('a.num')
    const extra = model.refs()[1]
    await add(b, model, 1)
    await b.workspace.edit(model.id, 'Both', (s) => void (s.edit<Numbers>(extra).values[0] = 0), { replaces: top(model) })
    expect([values(model), values(model, extra)]).toEqual([[1], [0]])
    await b.workspace.undo(model.id)
    expect(values(model, extra)).toEqual([5])
    expect(model.dirty).toBe(false)
  })

  it('refuses where another model changed the file since, and shows it the result otherwise', async () => {
    const b = bench({ 'a.num': numbersBytes([1]), 'b.num': numbersBytes([1]), 'shared.num': numbersBytes([0]) })
    const shared = join(b.root, 'shared.num')
    const [one, two] = [b.open('a.num'), b.open('b.num')]
    await add(b, one, 1, { ref: shared })
    await add(b, one, 4, { ref: shared, replaces: top(one) })
    expect(values(two, shared)).toEqual([4])
    expect(b.changed).toContain('b')
    await add(b, two, 1, { ref: shared })
    await expect(add(b, one, 2, { ref: shared, replaces: top(one) })).rejects.toMatchObject({ code: 'invalid-edit' })
    expect(values(one, shared)).toEqual([5])
  })

  it('after a save makes the file differ again, and undo leads before both', async () => {
    const b = bench({ 'a.num': numbersBytes([1]) })
    const model = b.open('a.num')
    await add(b, model, 1)
    const id = top(model)
    await b.workspace.save(model.id)
    await add(b, model, 4, { replaces: id })
    expect(model.dirty).toBe(true)
    await b.workspace.undo(model.id)
    expect(values(model)).toEqual([1])
    await b.workspace.redo(model.id)
    const { next, model: again } = await recovered(b)
    expect(values(again)).toEqual([5])
    // the journal began with the save: what was undone and redone since is what it can take back
    expect(again.history.undoable).toHaveLength(1)
    await next.workspace.undo(again.id)
    expect(values(again)).toEqual([1])
  })
})

describe('recovery of replaced steps', () => {
  it('brings back the last result as one step', async () => {
    const b = bench({ 'a.num': numbersBytes([1, 2]) })
    const first = b.open('a.num')
    await add(b, first, 10)
    await add(b, first, 1)
    for (const by of [2, 3, 4]) await add(b, first, by, { replaces: top(first) })
    const { next, model } = await recovered(b)
    expect(values(model)).toEqual([15, 16])
    expect(labels(model)).toEqual(['Add 10', 'Add 4'])
    // and it can be done again in another way still
    await add(next, model, 6, { replaces: top(model) })
    await next.workspace.undo(model.id)
    expect(values(model)).toEqual([11, 12])
    await next.workspace.redo(model.id)
    const third = await recovered(next)
    expect(values(third.model)).toEqual([17, 18])
    await third.next.workspace.undo(third.model.id)
    await third.next.workspace.undo(third.model.id)
    expect(third.model.dirty).toBe(false)
  })

  it('knows a step that was replaced away, and undo and redo around it', async () => {
    const b = bench({ 'a.num': numbersBytes([1]) })
    const first = b.open('a.num')
    await add(b, first, 10)
    await add(b, first, 1)
    await add(b, first, 3, { replaces: top(first) })
    await b.workspace.undo(first.id)
    await b.workspace.redo(first.id)
    await add(b, first, 0, { replaces: top(first) })
    const { next, model } = await recovered(b)
    expect(values(model)).toEqual([11])
    expect(labels(model)).toEqual(['Add 10'])
    await next.workspace.undo(model.id)
    expect(model.dirty).toBe(false)
  })

  it('is in no journal when it cannot be written', async () => {
    const b = bench({ 'a.num': numbersBytes([1]) })
    const model = b.open('a.num')
    await add(b, model, 1)
    const journal = model.journal!
    await (journal as unknown as { handle: { close(): Promise<void> } }).handle.close()
    await expect(add(b, model, 5, { replaces: top(model) })).rejects.toMatchObject({ code: 'io' })
    expect(values(model)).toEqual([2])
    expect(labels(model)).toEqual(['Add 1'])
    writeFileSync(join(b.root, 'other'), '')
    const { model: again } = await recovered(b)
    expect(values(again)).toEqual([2])
  })
})
