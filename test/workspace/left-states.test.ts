/** Undo, redo and a step that is done again find the states that files were in just before whole, and never one that an edit has written into. */
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { DocumentStore } from '../../src/main/workspace/document-store.ts'
import { diff } from '../../src/main/workspace/patch.ts'
import type { OpenModel } from '../../src/main/workspace/open-model.ts'
import { numbersBytes, numbersFormat } from './fake-family.ts'
import type { Numbers } from './fake-family.ts'
import { bench } from './support.ts'
import type { Bench } from './support.ts'

afterEach(() => vi.restoreAllMocks())

const put = (b: Bench, model: OpenModel, value: number, options: { replaces?: string; at?: number } = {}): Promise<boolean> =>
  b.workspace.edit(
    model.id,
    `Put ${value}`,
    (session) => {
      // in place: what is given out for writing is another state from then on
      session.edit<Numbers>(model.binding.primary).values[options.at ?? 0] = value
    },
    options,
  )
const fileOf = (model: OpenModel) => model.file(model.binding.primary)
const values = (model: OpenModel): number[] => [...(model.document(model.binding.primary) as Numbers).values]

describe('states that files were brought from last', () => {
  it('are there again as they were: the bytes, and the document unless an edit was given it', async () => {
    const b = bench({ 'a.num': numbersBytes([1, 2, 3]) })
    const model = b.open('a.num')
    await put(b, model, 10)
    const ten = { ...fileOf(model) }
    await put(b, model, 20)
    const twenty = { ...fileOf(model) }
    const decode = vi.spyOn(numbersFormat, 'decode')

    await b.workspace.undo(model.id)
    expect(fileOf(model).bytes).toBe(ten.bytes)
    expect(values(model)).toEqual([10, 2, 3])
    // the edit wrote twenty into it
    expect(fileOf(model).document).not.toBe(ten.document)
    expect(decode).toHaveBeenCalledTimes(1)
    const undone = fileOf(model).document

    await b.workspace.redo(model.id)
    expect(fileOf(model).bytes).toBe(twenty.bytes)
    expect(fileOf(model).document).toBe(twenty.document)
    await b.workspace.undo(model.id)
    expect(fileOf(model).document).toBe(undone)
    expect(decode).toHaveBeenCalledTimes(1)
    expect(values(model)).toEqual([10, 2, 3])

    // a document that came back is given out like any other
    await put(b, model, 30)
    await b.workspace.undo(model.id)
    expect(fileOf(model).document).not.toBe(undone)
    expect(values(model)).toEqual([10, 2, 3])
    await b.workspace.undo(model.id)
    expect(values(model)).toEqual([1, 2, 3])
    expect(model.dirty).toBe(false)
  })

  it('are the last two: those before them are made of their patches', async () => {
    const b = bench({ 'a.num': numbersBytes([1, 2, 3]) })
    const model = b.open('a.num')
    const states: Uint8Array[] = []
    for (const value of [10, 20, 30, 40]) {
      await put(b, model, value)
      states.push(fileOf(model).bytes)
    }
    const back: Uint8Array[] = []
    for (let i = 0; i < 3; i++) {
      await b.workspace.undo(model.id)
      back.unshift(fileOf(model).bytes)
    }
    expect(back).toEqual(states.slice(0, 3))
    expect(back[2]).toBe(states[2])
    expect(back[0]).not.toBe(states[0])
  })

  it('are where a step that is done again comes from, time after time', async () => {
    const b = bench({ 'a.num': numbersBytes([1, 2, 3]) })
    const model = b.open('a.num')
    await put(b, model, 10)
    const ten = fileOf(model).bytes
    await put(b, model, 20)
    const replaces = model.history.undoable.at(-1)!.id
    for (const [i, at] of [1, 2, 0, 1].entries()) {
      const decode = vi.spyOn(numbersFormat, 'decode')
      await put(b, model, 30, { replaces, at })
      await vi.waitFor(() => expect(decode.mock.lastCall![0]).toBe(ten))
      // the edit is given the state before the step, which is read behind the one before it: then what it made alone is read
      expect(decode).toHaveBeenCalledTimes(i === 0 ? 3 : 2)
      decode.mockRestore()
      expect(values(model)).toEqual([10, 2, 3].with(at, 30))
    }
    await b.workspace.undo(model.id)
    expect(fileOf(model).bytes).toBe(ten)
    expect(values(model)).toEqual([10, 2, 3])
  })

  it('are gone with the file, and with what it was before it was read again', () => {
    const b = bench({ 'a.num': numbersBytes([1, 2, 3]) })
    const path = join(b.root, 'a.num')
    const documents = new DocumentStore(b.files)
    for (const end of [() => documents.release('one'), () => documents.reload(path)]) {
      const { file } = documents.open(path, 'one')
      const { state } = file!
      const bytes = numbersBytes([10, 2, 3])
      const { bytes: before } = file!
      documents.setState(file!, bytes, documents.decode(file!, bytes), documents.nextState())
      const back = diff(bytes, before)
      expect(documents.stateAt(file!, state, back).bytes).toBe(before)
      end()
      expect(documents.stateAt(file!, state, back).bytes).not.toBe(before)
    }
  })
})
