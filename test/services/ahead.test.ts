/** How an edit looks reaches windows before the journal has it; an edit that the journal cannot have is taken back. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { FormatError } from '../../src/main/binary/format-error.ts'
import { Journal } from '../../src/main/workspace/journal.ts'
import { applyUpdate } from '../../src/shared/scene/scene-update.ts'
import { openGame, serviceBenches } from '../support/service-bench.ts'
import { fakeRegistry, numbersBytes, numbersFormat } from '../workspace/fake-family.ts'
import type { EventMap } from '../../src/shared/api/events.ts'
import type { OpenedModel } from '../../src/shared/api/types/model.ts'
import type { ServiceBench } from '../support/service-bench.ts'

const begin = serviceBenches(afterEach)
afterEach(() => vi.restoreAllMocks())

async function opened(): Promise<{ b: ServiceBench; model: OpenedModel; order: string[] }> {
  const b = begin({ files: { 'a.num': numbersBytes([1, 2, 3]) }, registry: fakeRegistry })
  const { info } = await openGame(b, 'a.num')
  const order: string[] = []
  const { append } = Journal.prototype
  vi.spyOn(Journal.prototype, 'append').mockImplementation(function (this: Journal, record) {
    order.push('journal')
    return append.call(this, record)
  })
  b.services.subscribe((name) => name === 'model.ahead' && order.push(name))
  return { b, model: await b.call('model.scene', { model: info.id }), order }
}

const setFirst = (b: ServiceBench, { info }: OpenedModel, value: number) =>
  b.call('skeleton.setField', { model: info.id, joint: 0, key: 'first', value: [value] })

const lods = ({ scene }: EventMap['model.ahead'], on: OpenedModel): string[] | undefined => applyUpdate(scene, on.scene)?.lods

describe('an edit', () => {
  it('is shown before the journal has it, on the scene that windows have, and so are undo and redo', async () => {
    const { b, model, order } = await opened()
    const { info } = await setFirst(b, model, 9)
    expect(order).toEqual(['model.ahead', 'journal'])
    const [first] = b.events['model.ahead']!
    expect(first).toMatchObject({ model: model.info.id, basis: model.info.revision })
    expect(lods(first, model)).toEqual(['a: 9 2 3'])
    const undone = await b.call('history.undo', { model: model.info.id })
    await b.call('history.redo', { model: model.info.id })
    const [, undo, redo] = b.events['model.ahead']!
    expect([undo.basis, redo.basis]).toEqual([info.revision, undone.info.revision])
    expect([lods(undo, model), lods(redo, model)]).toEqual([['a: 1 2 3'], ['a: 9 2 3']])
  })

  it('that is refused is not shown', async () => {
    const { b, model } = await opened()
    await expect(b.call('skeleton.setField', { model: model.info.id, joint: 0, key: 'first', value: 'text' })).rejects.toMatchObject({
      code: 'invalid-edit',
    })
    expect(b.events['model.ahead']).toBeUndefined()
  })

  it('that the journal cannot have is told as changed back', async () => {
    const { b, model } = await opened()
    vi.spyOn(Journal.prototype, 'append').mockRejectedValueOnce(new FormatError('io', 'the disk is full'))
    await expect(setFirst(b, model, 9)).rejects.toMatchObject({ code: 'io', message: 'the disk is full' })
    expect(b.events['model.ahead']).toHaveLength(1)
    await expect.poll(() => b.events['model.changed']?.at(-1)?.info.revision).toBeGreaterThan(model.info.revision)
    const { scene, info } = await b.call('model.scene', { model: model.info.id })
    expect(scene.lods).toEqual(['a: 1 2 3'])
    expect(info).toMatchObject({ revision: b.events['model.changed']!.at(-1)!.info.revision, dirty: false, history: { undo: [] } })
  })

  it('that is not read as it was written is told as changed back, and is in no journal', async () => {
    const { b, model, order } = await opened()
    const { encode } = numbersFormat
    vi.spyOn(numbersFormat, 'encode')
      .mockImplementationOnce(encode)
      .mockImplementationOnce((document, out) => {
        encode(document, out)
        out.u8(7)
      })
    await expect(setFirst(b, model, 9)).rejects.toMatchObject({ code: 'invalid-edit' })
    expect(order).toEqual(['model.ahead'])
    expect(lods(b.events['model.ahead']![0], model)).toEqual(['a: 9 2 3'])
    await expect.poll(() => b.events['model.changed']?.at(-1)?.info.revision).toBeGreaterThan(model.info.revision)
    const { scene, info } = await b.call('model.scene', { model: model.info.id })
    expect(scene.lods).toEqual(['a: 1 2 3'])
    expect(info).toMatchObject({ dirty: false, history: { undo: [] } })
    await setFirst(b, model, 8)
    expect((await b.call('model.scene', { model: model.info.id })).scene.lods).toEqual(['a: 8 2 3'])
  })
})
