/** A model that was put together before it is opened is what opening it gives, and is thrown away where that would be another one. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest'
import type { FileFormat } from '../../src/main/formats/format.ts'
import { numbersBytes, numbersFormat } from './fake-family.ts'
import type { Numbers } from './fake-family.ts'
import { bench } from './support.ts'
import type { Bench } from './support.ts'

const FILES = { 'a.num': numbersBytes([1, 2]), 'b.num': numbersBytes([3]), 'shared.num': numbersBytes([4]) }

let decode: MockInstance<FileFormat<Numbers>['decode']>
beforeEach(() => void (decode = vi.spyOn(numbersFormat, 'decode')))
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** What was decoded since, by name. */
function decoded(b: Bench): string[] {
  const names = decode.mock.calls.map(([, ref]) => ref.slice(b.root.length + 1))
  decode.mockClear()
  return names
}
const lods = (b: Bench, ref: string): string[] => b.open(ref).assembled.scene.lods
const put = (b: Bench, ref: string, of: string, value: number): Promise<boolean> =>
  b.workspace.edit(b.open(ref).id, 'Put', (session) => {
    session.edit<Numbers>(join(b.root, of)).values[0] = value
  })

describe('a model that is put together ahead', () => {
  it('is opened without anything being read again, and is in no list before', () => {
    const b = bench(FILES)
    const found = b.found('a.num')
    decoded(b)
    b.workspace.prepare(found)
    expect(decoded(b)).toEqual(['a.num', 'shared.num'])
    expect(b.workspace.list()).toEqual([])
    b.workspace.prepare(b.found('a.num'))
    const model = b.workspace.open(found)
    expect(model.assembled.scene.lods).toEqual(['a: 1 2', 'shared: 4'])
    expect(decoded(b)).toEqual([])
    expect(b.workspace.list()).toEqual([model])
    expect(model.around).toBe(found.around)
    // it is open: there is nothing to prepare
    b.workspace.prepare(b.found('a.num'))
    expect(b.open('a.num')).toBe(model)
    expect(decoded(b)).toEqual([])
  })

  it('is another one once a file of it was written, or went', () => {
    const b = bench(FILES)
    b.workspace.prepare(b.found('a.num'))
    writeFileSync(join(b.root, 'shared.num'), numbersBytes([40, 41]))
    expect(lods(b, 'a.num')).toEqual(['a: 1 2', 'shared: 40 41'])
    const found = b.found('b.num')
    b.workspace.prepare(found)
    rmSync(join(b.root, 'b.num'))
    const model = b.workspace.open(found)
    expect(model.assembled.scene.lods).toEqual(['shared: 40 41'])
    expect(model.entry(join(b.root, 'b.num')).error?.code).toBe('not-found')
  })

  it('has what another model made of a file meanwhile, and nothing of what was thrown away with that', async () => {
    const b = bench(FILES)
    const { id } = b.open('a.num')
    b.workspace.prepare(b.found('b.num'))
    await put(b, 'a.num', 'shared.num', 50)
    expect(lods(b, 'b.num')).toEqual(['b: 3', 'shared: 50'])
    await b.workspace.close(b.open('b.num').id, { discard: true })
    b.workspace.prepare(b.found('b.num'))
    await b.workspace.close(id, { discard: true })
    expect(lods(b, 'b.num')).toEqual(['b: 3', 'shared: 4'])
    expect(b.open('b.num').dirty).toBe(false)
  })

  it('is for what was found then: other choices and other files are another model', () => {
    const b = bench(FILES)
    b.workspace.prepare(b.found('a.num'))
    const spicy = b.workspace.open({ ...b.found('a.num'), choices: { flavour: 'spicy' } })
    expect(spicy.assembled.options[0].value).toBe('spicy')
    b.workspace.prepare(b.found('b.num'))
    const { binding, ...found } = b.found('b.num')
    const alone = b.workspace.open({ ...found, binding: { ...binding, members: binding.members.slice(0, 1) } })
    expect(alone.assembled.scene.lods).toEqual(['b: 3'])
  })

  it('is let go of for the next one, and when nobody opens it', () => {
    vi.useFakeTimers()
    const b = bench(FILES)
    b.workspace.prepare(b.found('a.num'))
    b.workspace.prepare(b.found('b.num'))
    decoded(b)
    expect(lods(b, 'a.num')).toEqual(['a: 1 2', 'shared: 4'])
    expect(decoded(b)).toEqual(['a.num', 'shared.num'])
    b.workspace.prepare(b.found('b.num'))
    vi.advanceTimersByTime(60_000)
    decoded(b)
    b.open('b.num')
    expect(decoded(b)).toEqual(['b.num'])
  })

  it('is told to be broken by opening it', () => {
    const b = bench({ ...FILES, 'shared.num': numbersBytes([4]).subarray(0, 9) })
    b.workspace.prepare(b.found('a.num'))
    const model = b.open('a.num')
    expect(model.assembled.scene.lods).toEqual(['a: 1 2'])
    writeFileSync(join(b.root, 'shared.num'), numbersBytes([4]))
    b.workspace.prepare(b.found('b.num'))
    expect(lods(b, 'b.num')).toEqual(['b: 3', 'shared: 4'])
    const gone = b.found('a.num')
    const missing = join(b.root, 'no.num')
    b.workspace.prepare({
      ...gone,
      binding: { ...gone.binding, primary: missing, members: [{ ...gone.binding.members[0], ref: missing }] },
    })
    expect(b.workspace.list()).toHaveLength(2)
  })
})
