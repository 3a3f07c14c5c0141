import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { OpenModel } from '../../src/main/workspace/open-model.ts'
import { numbersBytes } from './fake-family.ts'
import type { Numbers } from './fake-family.ts'
import { bench } from './support.ts'
import type { Bench } from './support.ts'

const set = (b: Bench, model: OpenModel, index: number, value: number) =>
  b.workspace.edit(model.id, `Set ${index}`, (session) => {
    session.edit<Numbers>(model.binding.primary).values[index] = value
  })
const values = (model: OpenModel): number[] => [...(model.document(model.binding.primary) as Numbers).values]
const beside = (b: Bench): Bench => bench({}, { root: b.root, state: b.state })
const seen = async (b: Bench, model: OpenModel) => {
  await b.workspace.lookElsewhere()
  return model.elsewhere
}

describe('two runs on one state folder', () => {
  it('tell each other what is open, and which files have unsaved edits', async () => {
    const a = bench({ 'a.num': numbersBytes([1, 2, 3]), 'b.num': numbersBytes([4]) })
    const b = beside(a)
    const here = a.open('a.num')
    const other = b.open('b.num')
    await expect.poll(() => seen(a, here)).toBeUndefined()
    const there = b.open('a.num')
    await expect.poll(() => seen(a, here)).toEqual({ edited: [] })
    await expect.poll(() => seen(b, there)).toEqual({ edited: [] })
    await set(a, here, 0, 10)
    await expect.poll(() => seen(b, there)).toEqual({ edited: [here.binding.primary] })
    expect(await b.workspace.lookElsewhere()).toEqual([])
    expect(other.elsewhere).toBeUndefined()
    await a.workspace.undo(here.id)
    await expect.poll(() => seen(b, there)).toEqual({ edited: [] })
    await set(a, here, 0, 11)
    await expect.poll(() => seen(b, there)).toEqual({ edited: [here.binding.primary] })
    await a.workspace.save(here.id)
    await expect.poll(() => seen(b, there)).toEqual({ edited: [] })
    // the second to save is told that the file is not the one that it read
    await set(b, there, 1, 20)
    expect((await b.workspace.save(there.id)).failed).toMatchObject([{ ref: there.binding.primary, code: 'changed-on-disk' }])
    await a.workspace.closeAll()
    expect(await b.workspace.lookElsewhere()).toEqual([there])
    expect(there.elsewhere).toBeUndefined()
  })

  it('do not offer what the other is working on', async () => {
    const a = bench({ 'a.num': numbersBytes([1, 2, 3]) })
    await set(a, a.open('a.num'), 0, 10)
    expect(await beside(a).workspace.recoverable()).toEqual([])
  })

  it('say nothing of a run that has died, whatever it left', async () => {
    const a = bench({ 'a.num': numbersBytes([1, 2, 3]) })
    const model = a.open('a.num')
    const left = (name: string, sign: string | undefined, text: string): void => {
      mkdirSync(join(a.state, 'journals', name), { recursive: true })
      if (sign !== undefined) writeFileSync(join(a.state, 'journals', name, 'alive'), sign)
      writeFileSync(join(a.state, 'journals', name, 'open.json'), text)
    }
    const open = JSON.stringify([{ primary: model.binding.primary, edited: [] }])
    // no process has such a number
    left('dead', String(2 ** 31 - 1), open)
    left('gone', undefined, open)
    left('damaged', String(process.pid), '[{"primary":1},null]')
    left('cut', String(process.pid), '[{"prim')
    expect(await seen(a, model)).toBeUndefined()
    left('alive', String(process.pid), open)
    expect(await seen(a, model)).toEqual({ edited: [] })
  })

  it('one that was taken for dead, while its machine slept, goes on in a journal of its own', async () => {
    const a = bench({ 'a.num': numbersBytes([1, 2, 3]) })
    const model = a.open('a.num')
    await set(a, model, 0, 10)
    const sleep = (): void => {
      for (const run of readdirSync(join(a.state, 'journals'))) rmSync(join(a.state, 'journals', run, 'alive'), { force: true })
    }
    sleep()
    const b = beside(a)
    await b.workspace.discardRecovery((await b.workspace.recoverable())[0].id)
    await set(a, model, 1, 20)
    await set(a, model, 2, 30)
    sleep()
    const c = beside(a)
    const [offer, ...more] = await c.workspace.recoverable()
    expect(more).toEqual([])
    const again = c.open('a.num')
    await c.workspace.recover(offer.id, again)
    expect(values(again)).toEqual([10, 20, 30])
  })
})
