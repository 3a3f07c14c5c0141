import fc from 'fast-check'
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FormatError } from '../../src/main/binary/format-error.ts'
import { MemoryNeighbourhood } from '../../src/main/files/memory-neighbourhood.ts'
import { newTemporary } from '../../src/main/files/temporaries.ts'
import { walk } from '../../src/main/files/walk.ts'
import { changedInModFolder } from '../../src/main/workspace/changed-files.ts'
import { sha256 } from '../../src/main/workspace/originals.ts'
import { temporaryName, temporaryParts } from '../../src/shared/temporary-name.ts'
import { bench, temporaryFolder } from './support.ts'
import { numbersBytes, packBytes, pairBytes } from './fake-family.ts'
import type { Numbers } from './fake-family.ts'
import { junk } from '../support/hostile.ts'
import type { Bench } from './support.ts'
import type { OpenModel } from '../../src/main/workspace/open-model.ts'

const read = (path: string): Uint8Array => new Uint8Array(readFileSync(path))

function set(
  b: Bench,
  model: OpenModel,
  index: number,
  value: number,
  options: { gesture?: string; ref?: string; label?: string } = {},
): Promise<boolean> {
  return b.workspace.edit(
    model.id,
    options.label ?? `Set ${index}`,
    (session) => {
      const d = session.edit<Numbers>(options.ref ?? model.binding.primary)
      d.values[index] = value
    },
    options,
  )
}

const values = (model: OpenModel, ref = model.binding.primary): number[] => [...(model.document(ref) as Numbers).values]

describe('edit, undo, redo', () => {
  it('captures what an editor changed, and nothing when it changed nothing', async () => {
    const b = bench({ 'a.num': numbersBytes([1, 2, 3]) })
    const model = b.open('a.num')
    expect(await set(b, model, 1, 2)).toBe(false)
    expect(model.history.undoable).toEqual([])
    expect(await set(b, model, 1, 9)).toBe(true)
    expect(values(model)).toEqual([1, 9, 3])
    expect(model.assembled.scene.lods).toEqual(['a: 1 9 3'])
    expect(model.dirty).toBe(true)
    await b.workspace.undo(model.id)
    expect(values(model)).toEqual([1, 2, 3])
    expect(model.dirty).toBe(false)
    await b.workspace.redo(model.id)
    expect(values(model)).toEqual([1, 9, 3])
    await expect(b.workspace.redo(model.id)).rejects.toMatchObject({ code: 'not-found' })
  })

  it('leaves everything as it was when an editor throws after changing documents', async () => {
    const b = bench({ 'a.num': numbersBytes([1, 2, 3]), 'a.extra.num': numbersBytes([5]) })
    const model = b.open('a.num')
    const failing = b.workspace.edit(model.id, 'Fail', (session) => {
      session.edit<Numbers>(model.binding.primary).values[0] = 100
      session.edit<Numbers>(model.refs()[1]).values[0] = 100
      throw new FormatError('invalid-edit', 'no')
    })
    await expect(failing).rejects.toMatchObject({ code: 'invalid-edit', message: 'no' })
    expect(values(model)).toEqual([1, 2, 3])
    expect(values(model, model.refs()[1])).toEqual([5])
    expect(model.history.undoable).toEqual([])
  })

  it('shows a proven step of few bytes ahead of its place in the journal: no other, which would cross to windows twice', async () => {
    const b = bench({ 'a.num': numbersBytes(new Array<number>(20_000).fill(1)) })
    const model = b.open('a.num')
    const all = b.workspace.edit(model.id, 'All', (session) => void session.edit<Numbers>(model.binding.primary).values.fill(2))
    expect([await all, b.ahead]).toEqual([true, []])
    const broken = b.workspace.edit(model.id, 'Break', (session) => void (session.edit<Numbers>(model.binding.primary).broken = true))
    await expect(broken).rejects.toMatchObject({ code: 'invalid-edit' })
    expect(b.ahead).toEqual([])
    await set(b, model, 0, 3)
    expect(b.ahead).toEqual(['a'])
  })

  it('refuses a document that would not be read again', async () => {
    const b = bench({ 'a.num': numbersBytes([1, 2, 3]) })
    const model = b.open('a.num')
    const failing = b.workspace.edit(model.id, 'Break', (session) => {
      session.edit<Numbers>(model.binding.primary).broken = true
    })
    await expect(failing).rejects.toMatchObject({ code: 'invalid-edit' })
    expect((model.document(model.binding.primary) as Numbers).broken).toBeUndefined()
  })

  it('refuses read-only documents, missing files and files outside of the model', async () => {
    const b = bench({ 'a.num': numbersBytes([1], '#locked'), 'b.num': numbersBytes([1]) })
    const model = b.open('a.num')
    await expect(set(b, model, 0, 2)).rejects.toMatchObject({ code: 'read-only' })
    await expect(set(b, model, 0, 2, { ref: join(b.root, 'b.num') })).rejects.toMatchObject({ code: 'not-found' })
    await expect(b.workspace.edit(model.id, 'x', (s) => void s.editOther(join(b.root, 'none.num')))).rejects.toMatchObject({
      code: 'not-found',
    })
  })

  it('refuses a step that cannot be put into the journal', async () => {
    const b = bench({ 'a.num': numbersBytes([1]) })
    mkdirSync(b.state, { recursive: true })
    writeFileSync(join(b.state, 'journals'), 'in the way')
    const model = b.open('a.num')
    await expect(set(b, model, 0, 2)).rejects.toMatchObject({ code: 'io' })
    expect(values(model)).toEqual([1])
    expect(model.dirty).toBe(false)
    expect(model.history.undoable).toEqual([])
  })

  it('lets go of a file outside of the model that a refused step would have changed', async () => {
    const b = bench({ 'a.num': numbersBytes([1]), 'b.num': numbersBytes([2]) })
    mkdirSync(b.state, { recursive: true })
    writeFileSync(join(b.state, 'journals'), 'in the way')
    const model = b.open('a.num')
    const other = join(b.root, 'b.num')
    const both = b.workspace.edit(model.id, 'Both', (session) => {
      for (const ref of [model.binding.primary, other]) session.editOther<Numbers>(ref).values[0] = 9
    })
    await expect(both).rejects.toMatchObject({ code: 'io' })
    expect(model.allRefs()).toEqual([model.binding.primary])
  })

  it('makes one step of the moves of a drag', async () => {
    const b = bench({ 'a.num': numbersBytes([1, 2, 3]) })
    const model = b.open('a.num')
    await set(b, model, 0, 7)
    for (let i = 10; i < 20; i++) await set(b, model, 1, i, { gesture: 'drag', label: 'Drag' })
    expect(model.history.undoable.map((s) => s.label)).toEqual(['Set 0', 'Drag'])
    await b.workspace.undo(model.id)
    expect(values(model)).toEqual([7, 2, 3])
    await b.workspace.redo(model.id)
    expect(values(model)).toEqual([7, 19, 3])
    // after an undo and redo, the same key starts a step of its own once something is between
    await set(b, model, 2, 5)
    await set(b, model, 1, 21, { gesture: 'drag', label: 'Drag' })
    expect(model.history.undoable).toHaveLength(4)
  })

  it('forgets a drag that ended where it began', async () => {
    const b = bench({ 'a.num': numbersBytes([1, 2, 3]) })
    const model = b.open('a.num')
    await set(b, model, 0, 7)
    for (const v of [5, 6, 2]) await set(b, model, 1, v, { gesture: 'drag' })
    expect(model.history.undoable).toHaveLength(1)
    await b.workspace.undo(model.id)
    expect(values(model)).toEqual([1, 2, 3])
    expect(model.dirty).toBe(false)
  })

  it('undoes a step over several files at once, files outside of the model included', async () => {
    const b = bench({ 'a.num': numbersBytes([1]), 'a.extra.num': numbersBytes([2]), 'b.num': numbersBytes([3]) })
    const model = b.open('a.num')
    const other = join(b.root, 'b.num')
    await b.workspace.edit(model.id, 'All', (session) => {
      for (const ref of model.refs()) session.edit<Numbers>(ref).values[0] += 10
      session.editOther<Numbers>(other).values[0] += 10
    })
    expect((await b.workspace.plan(model.id)).files.map((f) => f.ref)).toEqual([...model.refs(), other])
    await b.workspace.save(model.id)
    expect(read(other)).toEqual(numbersBytes([13]))
    await b.workspace.undo(model.id)
    await b.workspace.save(model.id)
    expect(read(other)).toEqual(numbersBytes([3]))
    expect(read(join(b.root, 'a.extra.num'))).toEqual(numbersBytes([2]))
  })

  it('shares files between models: the other model is told, and undo in the wrong order is refused', async () => {
    const b = bench({ 'a.num': numbersBytes([1]), 'b.num': numbersBytes([1]), 'shared.num': numbersBytes([0]) })
    const shared = join(b.root, 'shared.num')
    const a = b.open('a.num')
    const second = b.open('b.num')
    await set(b, a, 0, 5, { ref: shared })
    expect(b.changed).toEqual(['b'])
    expect(second.assembled.scene.lods).toContain('shared: 5')
    await set(b, second, 0, 6, { ref: shared })
    await expect(b.workspace.undo(a.id)).rejects.toMatchObject({ code: 'invalid-edit' })
    expect(values(a, shared)).toEqual([6])
    await b.workspace.undo(second.id)
    await b.workspace.undo(a.id)
    expect(values(second, shared)).toEqual([0])
  })

  it('opens a model once', () => {
    const b = bench({ 'a.num': numbersBytes([1]), 'a.extra.num': numbersBytes([1]) })
    expect(b.open('a.num')).toBe(b.open('a.extra.num'))
  })

  it('holds for random edits: undoing all gives the original bytes, redoing all the edited ones', async () => {
    const op = fc.oneof(
      fc.record({ kind: fc.constant('set' as const), at: fc.nat(50), value: fc.integer({ min: -9, max: 9 }) }),
      fc.record({ kind: fc.constant('insert' as const), at: fc.nat(50), value: fc.integer() }),
      fc.record({ kind: fc.constant('remove' as const), at: fc.nat(50), value: fc.nat(20) }),
      fc.record({ kind: fc.constant('undo' as const), at: fc.nat(3), value: fc.nat() }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(op, { maxLength: 12 }), async (ops) => {
        const b = bench({ 'a.num': numbersBytes([...junk(40)]) })
        const model = b.open('a.num')
        const original = await b.workspace.bytes(model.id, model.binding.primary)
        for (const { kind, at, value } of ops) {
          if (kind === 'undo') {
            for (let i = 0; i < at && model.history.undoable.length > 0; i++) await b.workspace.undo(model.id)
            continue
          }
          await b.workspace.edit(model.id, kind, (session) => {
            const d = session.edit<Numbers>(model.binding.primary)
            const list = [...d.values]
            if (kind === 'set' && at < list.length) list[at] = value
            else if (kind === 'insert') list.splice(at, 0, value, value)
            else list.splice(at, value)
            d.values = Float32Array.from(list)
          })
        }
        const edited = await b.workspace.bytes(model.id, model.binding.primary)
        const steps = model.history.undoable.length
        for (let i = 0; i < steps; i++) await b.workspace.undo(model.id)
        expect(await b.workspace.bytes(model.id, model.binding.primary)).toEqual(original)
        expect(model.dirty).toBe(false)
        for (let i = 0; i < steps; i++) await b.workspace.redo(model.id)
        expect(await b.workspace.bytes(model.id, model.binding.primary)).toEqual(edited)
        await b.workspace.closeAll()
      }),
      { numRuns: 15 },
    )
  })
})

describe('changes', () => {
  it('names byte ranges, fields and values', async () => {
    const b = bench({ 'a.num': numbersBytes([1, 2, 3, 4]) })
    const model = b.open('a.num')
    await set(b, model, 2, 2.5)
    const [file] = await b.workspace.changes(model.id)
    expect(file).toMatchObject({ ref: model.binding.primary, name: 'a.num', originalSize: 47, size: 47, omitted: 0 })
    expect(file.changes).toEqual([
      expect.objectContaining({
        start: 18,
        end: 19,
        newStart: 18,
        newEnd: 19,
        path: 'values[2]',
        before: '3',
        after: '2.5',
        beforeBytes: new Uint8Array([0x40]),
        afterBytes: new Uint8Array([0x20]),
      }),
    ])
    expect(file.changedBytes).toBe(1)
  })

  it('shows neighbouring bytes of one field as one change, and an insertion as what it is', async () => {
    const b = bench({ 'a.num': numbersBytes([1, 2, 3, 4], 'hello') })
    const model = b.open('a.num')
    await b.workspace.edit(model.id, 'Insert', (session) => {
      const d = session.edit<Numbers>(model.binding.primary)
      d.values = Float32Array.from([1, 2, 77.7, 3, 4])
      d.name.set(Buffer.from('HelLO'))
    })
    const [file] = await b.workspace.changes(model.id)
    expect(file.changes.map((c) => c.path)).toEqual(['count', 'values[2]', 'name'])
    expect(file.changes[0]).toMatchObject({ before: '4', after: '5' })
    expect(file.changes[2]).toMatchObject({ before: 'hello', after: 'HelLO' })
  })
})

describe('save', () => {
  it('writes nothing without an edit', async () => {
    const b = bench({ 'a.num': numbersBytes([1]) })
    const model = b.open('a.num')
    expect(await b.workspace.plan(model.id)).toMatchObject({ files: [] })
    expect(await b.workspace.save(model.id)).toEqual({ saved: [], failed: [] })
    expect(existsSync(join(b.state, 'originals'))).toBe(false)
  })

  it('writes the file, keeps the original once and says so', async () => {
    const b = bench({ 'a.num': numbersBytes([1, 2]) })
    const path = join(b.root, 'a.num')
    const model = b.open('a.num')
    await set(b, model, 0, 4)
    const plan = await b.workspace.plan(model.id)
    expect(plan.files).toEqual([{ ref: path, target: path, changedBytes: 1, size: 39, newSize: 39, keepsOriginal: true }])
    expect(await b.workspace.save(model.id)).toEqual({ saved: [{ ref: path, target: path, bytes: 39, changedBytes: 1 }], failed: [] })
    expect(read(path)).toEqual(numbersBytes([4, 2]))
    expect(model.dirty).toBe(false)
    await set(b, model, 0, 5)
    expect((await b.workspace.plan(model.id)).files[0].keepsOriginal).toBe(false)
    await b.workspace.save(model.id)
    const [original] = await b.workspace.keptOriginals(model.id)
    expect(original).toMatchObject({ ref: path, target: path, size: 39 })
    const content = join(b.state, 'originals', 'content')
    expect(readdirSync(content)).toEqual([original.hash])
    expect(read(join(content, original.hash, 'a.num'))).toEqual(numbersBytes([1, 2]))
    expect(readdirSync(b.root)).toEqual(['a.num'])
    // the panel compares with the original, not with the last save
    expect((await b.workspace.changes(model.id))[0].changes[0]).toMatchObject({ before: '1', after: '5' })
  })

  it('gives the original bytes after an undo beyond the save', async () => {
    const b = bench({ 'a.num': numbersBytes([1, 2]) })
    const model = b.open('a.num')
    await set(b, model, 0, 4)
    await b.workspace.save(model.id)
    await b.workspace.undo(model.id)
    expect(model.dirty).toBe(true)
    await b.workspace.save(model.id)
    expect(read(join(b.root, 'a.num'))).toEqual(numbersBytes([1, 2]))
    expect(await b.workspace.changes(model.id)).toEqual([])
  })

  it('never overwrites silently what changed on disk, not even with size and time as they were', async () => {
    const b = bench({ 'a.num': numbersBytes([1, 2]) })
    const path = join(b.root, 'a.num')
    const model = b.open('a.num')
    utimesSync(path, 1, 1)
    await set(b, model, 0, 4)
    writeFileSync(path, numbersBytes([8, 8]))
    utimesSync(path, 1, 1)
    expect((await b.workspace.plan(model.id)).files[0].problem).toMatch(/not the one that was read/)
    expect(await b.workspace.save(model.id)).toMatchObject({ saved: [], failed: [{ ref: path, code: 'changed-on-disk' }] })
    expect(read(path)).toEqual(numbersBytes([8, 8]))
    expect(model.dirty).toBe(true)
    expect((await b.workspace.save(model.id, { overwriteChanged: true })).saved).toHaveLength(1)
    expect(read(path)).toEqual(numbersBytes([4, 2]))
    // what was overwritten was kept
    const [original] = await b.workspace.keptOriginals(model.id)
    expect(read(join(b.state, 'originals', 'content', original.hash, 'a.num'))).toEqual(numbersBytes([8, 8]))
  })

  it('does not mind a file that was only touched', async () => {
    const b = bench({ 'a.num': numbersBytes([1, 2]) })
    const model = b.open('a.num')
    await set(b, model, 0, 4)
    utimesSync(join(b.root, 'a.num'), 5, 5)
    expect(b.workspace.changedOnDisk()).toEqual([])
    expect((await b.workspace.save(model.id)).saved).toHaveLength(1)
  })

  it('tells which files changed on disk, once per change', async () => {
    const b = bench({ 'a.num': numbersBytes([1, 2]), 'b.num': numbersBytes([1]) })
    const model = b.open('a.num')
    expect(b.workspace.changedOnDisk()).toEqual([])
    writeFileSync(join(b.root, 'a.num'), numbersBytes([3]))
    expect(b.workspace.changedOnDisk().map((c) => [c.model.id, c.ref])).toEqual([[model.id, join(b.root, 'a.num')]])
    expect(b.workspace.changedOnDisk()).toEqual([])
    await b.workspace.reload(model.id)
    expect(values(model)).toEqual([3])
  })

  it('keeps mine: the edits are told against what is on disk now, and saving keeps that as an original', async () => {
    const b = bench({ 'a.num': numbersBytes([1, 2, 3]), 'b.num': numbersBytes([7]) })
    const model = b.open('a.num')
    const path = join(b.root, 'a.num')
    await set(b, model, 0, 10)
    const theirs = numbersBytes([1, 2, 33])
    writeFileSync(path, theirs)
    const [file] = await b.workspace.compareDisk(model.id)
    expect(file.changes.map((c) => [c.path, c.before, c.after])).toEqual([
      ['values[0]', '1', '10'],
      ['values[2]', '33', '3'],
    ])
    expect((await b.workspace.save(model.id)).failed).toMatchObject([{ code: 'changed-on-disk' }])
    await b.workspace.keepMine(model.id)
    expect(b.workspace.changedOnDisk()).toEqual([])
    expect(await b.workspace.compareDisk(model.id)).toEqual([])
    expect((await b.workspace.plan(model.id)).files[0].problem).toBeUndefined()
    // undo still works, and a crash now would bring the edits back onto what is there
    await b.workspace.undo(model.id)
    expect(values(model)).toEqual([1, 2, 3])
    expect(model.dirty).toBe(true)
    await b.workspace.redo(model.id)
    await b.workspace.close(model.id)
    const again = b.open('a.num')
    expect(values(again)).toEqual([1, 2, 33])
    const [found] = await b.workspace.recoverable()
    await b.workspace.recover(found.id, again)
    expect(values(again)).toEqual([10, 2, 3])
    expect((await b.workspace.save(again.id)).saved).toHaveLength(1)
    expect(read(path)).toEqual(numbersBytes([10, 2, 3]))
    const kept = await b.workspace.originals.entry(path)
    expect(kept!.kept.map((k) => k.hash)).toEqual([sha256(theirs)])
  })

  it('keeps mine without an edit: what was read is what will be written', async () => {
    const b = bench({ 'a.num': numbersBytes([1, 2, 3]) })
    const model = b.open('a.num')
    writeFileSync(join(b.root, 'a.num'), numbersBytes([5]))
    await b.workspace.keepMine(model.id)
    expect(model.dirty).toBe(true)
    expect((await b.workspace.save(model.id)).saved).toHaveLength(1)
    expect(read(join(b.root, 'a.num'))).toEqual(numbersBytes([1, 2, 3]))
    // one that is gone is nothing to write over
    rmSync(join(b.root, 'a.num'))
    await b.workspace.keepMine(model.id)
    expect(model.dirty).toBe(false)
    expect(await b.workspace.compareDisk(model.id)).toEqual([])
  })

  it('writes the other files when one fails', async () => {
    const b = bench({ 'a.num': numbersBytes([1]), 'a.extra.num': numbersBytes([2]) })
    const model = b.open('a.num')
    await set(b, model, 0, 4)
    await set(b, model, 0, 5, { ref: model.refs()[1] })
    writeFileSync(join(b.root, 'a.num'), 'something else')
    const result = await b.workspace.save(model.id)
    expect(result.saved.map((s) => s.ref)).toEqual([model.refs()[1]])
    expect(result.failed).toMatchObject([{ ref: model.refs()[0], code: 'changed-on-disk' }])
    expect(model.dirty).toBe(true)
  })

  it.skipIf(process.getuid?.() === 0 || process.platform === 'win32')(
    'reports a folder that cannot be written and leaves no temporary file',
    async () => {
      const b = bench({ 'a.num': numbersBytes([1]) })
      const model = b.open('a.num')
      await set(b, model, 0, 4)
      chmodSync(b.root, 0o555)
      const result = await b.workspace.save(model.id)
      chmodSync(b.root, 0o755)
      expect(result.failed[0].code).toBe('io')
      expect(readdirSync(b.root)).toEqual(['a.num'])
    },
  )

  it('sweeps up what an interrupted write left, and nothing else: not what somebody who lives still writes', async () => {
    const b = bench({ 'a.num': numbersBytes([1]) })
    const owner = (machine: string, pid: number): string => temporaryName('a.num', { machine, pid }, '0123456789ab')
    const here = temporaryParts(basename(newTemporary(b.root, 'a.num')))!.machine
    // no process has such a number
    const dead = owner(here, 2 ** 31 - 1)
    const alive = owner(here, process.pid)
    const elsewhere = owner('00000000', 2 ** 31 - 1)
    const left = ['.a.num.mine', '.a.num.0123456789ab.marrow-tmp.num', dead, alive, elsewhere, '.b.num.ba9876543210.marrow-tmp.num']
    for (const name of left) writeFileSync(join(b.root, name), numbersBytes([7]))
    // of Marrow 0.1, an hour old
    utimesSync(join(b.root, left[1]), 1, 1)
    const model = b.open('a.num')
    await set(b, model, 0, 4)
    await b.workspace.save(model.id)
    expect(readdirSync(b.root).sort()).toEqual(['.a.num.mine', alive, elsewhere, left[5], 'a.num'].sort())
    // without a sign of life for long, nobody is there
    for (const name of [alive, elsewhere]) utimesSync(join(b.root, name), 1, 1)
    await set(b, model, 0, 5)
    await b.workspace.save(model.id)
    expect(readdirSync(b.root).sort()).toEqual(['.a.num.mine', left[5], 'a.num'].sort())
  })

  it('a temporary is of no format, in no walk, list, neighbourhood or package', async () => {
    const b = bench({ 'a.num': numbersBytes([1]) })
    const temporary = newTemporary(b.root, 'a.extra.num')
    for (const path of [temporary, join(b.root, '.a.extra.num.0123456789ab.marrow-tmp.num')]) {
      writeFileSync(path, numbersBytes([7]))
      expect(b.files.identify(path)).toBeUndefined()
    }
    expect([...walk(b.root)].map((file) => file.name)).toEqual(['a.num'])
    expect(b.files.list(b.root).map((entry) => entry.name)).toEqual(['a.num'])
    expect([...MemoryNeighbourhood.of(b.files, b.root).all()].map((file) => file.name)).toEqual(['a.num'])
    expect((await changedInModFolder(b.files, join(b.state, 'no game'), b.root)).map((pair) => pair.path)).toEqual(['a.num'])
    expect(b.open('a.num').refs()).toEqual([join(b.root, 'a.num')])
  })
})

describe('archives', () => {
  const members = () => ({ 'a.num': numbersBytes([1, 2]), 'raw.bin': junk(100), 'a.extra.num': numbersBytes([3]) })

  it('writes several members of one archive at once, everything else as it was', async () => {
    const b = bench({ 'pack.fpk': packBytes(members()) })
    const path = join(b.root, 'pack.fpk')
    const model = b.open('pack.fpk!a.num')
    expect(model.refs()).toEqual([`${path}!a.num`, `${path}!a.extra.num`])
    await b.workspace.edit(model.id, 'Grow', (session) => {
      session.edit<Numbers>(model.refs()[0]).values = Float32Array.from([9, 9, 9, 9])
      session.edit<Numbers>(model.refs()[1]).values = Float32Array.from([])
    })
    expect((await b.workspace.save(model.id)).saved.map((s) => s.target)).toEqual([path, path])
    expect(read(path)).toEqual(packBytes({ ...members(), 'a.num': numbersBytes([9, 9, 9, 9]), 'a.extra.num': numbersBytes([]) }))
    await b.workspace.undo(model.id)
    await b.workspace.save(model.id)
    expect(read(path)).toEqual(packBytes(members()))
  })

  it('keeps changes that others made to other members meanwhile, and refuses when the same member changed', async () => {
    const b = bench({ 'pack.fpk': packBytes(members()) })
    const path = join(b.root, 'pack.fpk')
    const model = b.open('pack.fpk!a.num')
    await set(b, model, 0, 7)
    writeFileSync(path, packBytes({ ...members(), 'raw.bin': junk(200, 4) }))
    expect((await b.workspace.save(model.id)).failed).toEqual([])
    expect(read(path)).toEqual(packBytes({ ...members(), 'raw.bin': junk(200, 4), 'a.num': numbersBytes([7, 2]) }))
    await set(b, model, 0, 8)
    writeFileSync(path, packBytes(members()))
    expect((await b.workspace.save(model.id)).failed).toMatchObject([{ code: 'changed-on-disk' }])
  })

  it('writes into an archive inside of an archive', async () => {
    const b = bench({ 'outer.fpk': packBytes({ 'x.bin': junk(9), 'in.fpk': packBytes(members()), 'y.bin': junk(5) }) })
    const model = b.open('outer.fpk!in.fpk!a.num')
    await b.workspace.edit(model.id, 'Grow', (session) => {
      session.edit<Numbers>(model.refs()[0]).values = Float32Array.from([1, 2, 3])
    })
    expect((await b.workspace.save(model.id)).failed).toEqual([])
    expect(read(join(b.root, 'outer.fpk'))).toEqual(
      packBytes({ 'x.bin': junk(9), 'in.fpk': packBytes({ ...members(), 'a.num': numbersBytes([1, 2, 3]) }), 'y.bin': junk(5) }),
    )
  })

  it('writes, keeps and restores an archive of two files', async () => {
    const before = pairBytes(members())
    const b = bench({ 'pair.fdr': before.directory, 'pair.fdt': before.data })
    const [directory, data] = [join(b.root, 'pair.fdr'), join(b.root, 'pair.fdt')]
    const model = b.open('pair.fdr!a.num')
    await b.workspace.edit(model.id, 'Grow', (session) => {
      session.edit<Numbers>(model.refs()[0]).values = Float32Array.from([1, 2, 3, 4])
    })
    expect((await b.workspace.save(model.id)).failed).toEqual([])
    const grown = pairBytes({ ...members(), 'a.num': numbersBytes([1, 2, 3, 4]) })
    expect(read(directory)).toEqual(grown.directory)
    expect(read(data)).toEqual(grown.data)
    expect((await b.workspace.changes(model.id))[0].originalSize).toBe(numbersBytes([1, 2]).length)
    await b.workspace.restore(model.id, model.refs()[0])
    expect(read(directory)).toEqual(before.directory)
    expect(read(data)).toEqual(before.data)
    expect(values(model)).toEqual([1, 2])
    expect(model.dirty).toBe(false)
  })

  it('starts an archive of two files in the mod folder', async () => {
    const before = pairBytes(members())
    const mod = join(temporaryFolder(), 'mod')
    const b = bench(
      { 'data/pair.fdr': before.directory, 'data/pair.fdt': before.data },
      { place: (root) => ({ mode: 'mod-folder', root, folder: mod }) },
    )
    const model = b.open('data/pair.fdr!a.num')
    await set(b, model, 0, 9)
    expect((await b.workspace.save(model.id)).failed).toEqual([])
    const changed = pairBytes({ ...members(), 'a.num': numbersBytes([9, 2]) })
    expect(read(join(mod, 'data/pair.fdr'))).toEqual(changed.directory)
    expect(read(join(mod, 'data/pair.fdt'))).toEqual(changed.data)
    expect(read(join(b.root, 'data/pair.fdt'))).toEqual(before.data)
    await b.workspace.restore(model.id, model.refs()[0])
    expect(readdirSync(join(mod, 'data'))).toEqual([])
    expect(values(model)).toEqual([1, 2])
  })

  it('restores the whole archive, as a step that can be undone', async () => {
    const b = bench({ 'pack.fpk': packBytes(members()) })
    const path = join(b.root, 'pack.fpk')
    const model = b.open('pack.fpk!a.num')
    await set(b, model, 0, 7)
    await b.workspace.save(model.id)
    expect((await b.workspace.changes(model.id)).map((c) => c.changes.length)).toEqual([1])
    await b.workspace.restore(model.id, model.refs()[0])
    expect(read(path)).toEqual(packBytes(members()))
    expect(values(model)).toEqual([1, 2])
    expect(model.dirty).toBe(false)
    await b.workspace.undo(model.id)
    expect(values(model)).toEqual([7, 2])
    expect(model.dirty).toBe(true)
  })
})

describe('restore', () => {
  it('brings the first original back, keeping what somebody else put there since', async () => {
    const b = bench({ 'a.num': numbersBytes([1, 2]) })
    const path = join(b.root, 'a.num')
    const model = b.open('a.num')
    await expect(b.workspace.restore(model.id, path)).rejects.toMatchObject({ code: 'not-found' })
    await set(b, model, 0, 4)
    await b.workspace.save(model.id)
    writeFileSync(path, numbersBytes([6, 6]))
    await b.workspace.restore(model.id, path)
    expect(read(path)).toEqual(numbersBytes([1, 2]))
    expect(readdirSync(join(b.state, 'originals', 'content'))).toHaveLength(2)
    expect(values(model)).toEqual([1, 2])
  })
})

describe('mod folder', () => {
  const modBench = (files: Record<string, Uint8Array>) => {
    const mod = join(temporaryFolder(), 'mod')
    return { mod, ...bench(files, { place: (root) => ({ mode: 'mod-folder', root, folder: mod }) }) }
  }

  it('writes below the mod folder with the path of the game, and opens the copy from there', async () => {
    const files = { 'data/a.num': numbersBytes([1, 2]), 'data/pack.fpk': packBytes({ 'b.num': numbersBytes([5]), 'x.bin': junk(20) }) }
    const b = modBench(files)
    const a = b.open('data/a.num')
    const packed = b.open('data/pack.fpk!b.num')
    await set(b, a, 0, 4)
    await set(b, packed, 0, 6)
    expect(await b.workspace.plan(a.id)).toMatchObject({
      mode: 'mod-folder',
      folder: b.mod,
      files: [{ target: join(b.mod, 'data/a.num'), keepsOriginal: false }],
    })
    expect((await b.workspace.save(a.id)).failed).toEqual([])
    expect((await b.workspace.save(packed.id)).failed).toEqual([])
    expect(read(join(b.mod, 'data/a.num'))).toEqual(numbersBytes([4, 2]))
    expect(read(join(b.mod, 'data/pack.fpk'))).toEqual(packBytes({ 'b.num': numbersBytes([6]), 'x.bin': junk(20) }))
    for (const [name, bytes] of Object.entries(files)) expect(read(join(b.root, name))).toEqual(bytes)
    // saving again goes into the copy
    await set(b, packed, 0, 7)
    expect((await b.workspace.save(packed.id)).failed).toEqual([])
    expect((await b.workspace.changes(packed.id))[0].changes[0]).toMatchObject({ before: '5', after: '7' })
    await b.workspace.close(a.id)
    const again = b.open('data/a.num')
    expect(values(again)).toEqual([4, 2])
    expect(again.entry(again.binding.primary).file!.source).toBe(join(b.mod, 'data/a.num'))
    await b.workspace.restore(again.id, again.binding.primary)
    expect(existsSync(join(b.mod, 'data/a.num'))).toBe(false)
    expect(values(again)).toEqual([1, 2])
    expect(again.dirty).toBe(false)
  })

  it('does not overwrite a file that somebody else put there', async () => {
    const b = modBench({ 'a.num': numbersBytes([1, 2]) })
    const model = b.open('a.num')
    await set(b, model, 0, 4)
    mkdirSync(b.mod)
    writeFileSync(join(b.mod, 'a.num'), numbersBytes([3]))
    expect((await b.workspace.save(model.id)).failed).toMatchObject([{ code: 'changed-on-disk' }])
  })

  it('refuses files outside of the library', async () => {
    const b = bench(
      { 'a.num': numbersBytes([1, 2]) },
      { place: (root) => ({ mode: 'mod-folder', root: join(root, 'other'), folder: join(root, 'mod') }) },
    )
    const model = b.open('a.num')
    await set(b, model, 0, 4)
    expect((await b.workspace.save(model.id)).failed).toMatchObject([{ code: 'refused' }])
  })
})
