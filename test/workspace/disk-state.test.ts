import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { buildMod } from '../../src/main/workspace/build-mod.ts'
import { changedInPlace } from '../../src/main/workspace/changed-files.ts'
import { readModPackage, writeModPackage } from '../../src/main/workspace/mod-package.ts'
import { numbersBytes, packBytes, pairBytes } from './fake-family.ts'
import type { Numbers } from './fake-family.ts'
import { bench } from './support.ts'
import type { Bench } from './support.ts'
import type { OpenModel } from '../../src/main/workspace/open-model.ts'

const set = (b: Bench, model: OpenModel, value: number, ref = model.binding.primary): Promise<boolean> =>
  b.workspace.edit(model.id, 'Set', (session) => {
    session.edit<Numbers>(ref).values[0] = value
  })
const values = (model: OpenModel, ref = model.binding.primary): number[] => [...(model.document(ref) as Numbers).values]
const read = (path: string): Uint8Array => new Uint8Array(readFileSync(path))

/** What becomes of the file, and the word for it. */
const fates: Record<string, { does(b: Bench, path: string): void; again(path: string): void }> = {
  deleted: { does: (_, path) => rmSync(path), again: (path) => writeFileSync(path, numbersBytes([1, 2])) },
  moved: {
    does(b, path) {
      mkdirSync(join(b.root, 'deep', 'down'), { recursive: true })
      renameSync(path, join(b.root, 'deep', 'down', 'other.num'))
    },
    again: (path) => renameSync(join(path, '..', 'deep', 'down', 'other.num'), path),
  },
  'changed-on-disk': {
    does: (_, path) => writeFileSync(path, numbersBytes([7])),
    again: (path) => writeFileSync(path, numbersBytes([1, 2])),
  },
  // a folder in its place is there and cannot be read, for every user
  unreadable: {
    does(_, path) {
      rmSync(path)
      mkdirSync(path)
    },
    again(path) {
      rmSync(path, { recursive: true })
      writeFileSync(path, numbersBytes([1, 2]))
    },
  },
}

describe('a file of an open model that the disk does not have as it was read', () => {
  it.each(Object.keys(fates))('%s: has its own word in events, plan and save, and is well again when it is back', async (state) => {
    const b = bench({ 'a.num': numbersBytes([1, 2]), 'a.extra.num': numbersBytes([3]) })
    const path = join(b.root, 'a.num')
    const model = b.open('a.num')
    await set(b, model, 10)
    fates[state].does(b, path)
    const movedTo = state === 'moved' ? join(b.root, 'deep', 'down', 'other.num') : ''
    const told = b.workspace.changedOnDisk()
    expect(told).toMatchObject([{ ref: path, state, movedTo }])
    expect(b.workspace.diskStates(model.id)).toMatchObject([{ ref: path, state, movedTo }])
    expect(b.workspace.changedOnDisk()).toEqual([])
    expect((await b.workspace.plan(model.id)).files).toMatchObject([{ ref: path, code: state, problem: told[0].message }])
    expect(await b.workspace.save(model.id)).toMatchObject({ saved: [], failed: [{ ref: path, code: state }] })
    expect(values(model)).toEqual([10, 2])
    fates[state].again(path)
    expect(b.workspace.changedOnDisk()).toMatchObject([{ ref: path, state: 'same' }])
    expect(await b.workspace.save(model.id)).toMatchObject({ failed: [], saved: [{ ref: path }] })
    expect(read(path)).toEqual(numbersBytes([10, 2]))
  })

  it.each(['deleted', 'moved', 'unreadable'])('%s: reading again asks before the model loses it', async (state) => {
    const b = bench({ 'a.num': numbersBytes([1, 2]), 'a.extra.num': numbersBytes([3]) })
    const [path, other] = [join(b.root, 'a.num'), join(b.root, 'a.extra.num')]
    const model = b.open('a.num')
    await set(b, model, 10)
    await set(b, model, 30, other)
    fates[state].does(b, path)
    writeFileSync(other, numbersBytes([33]))
    await expect(b.workspace.reload(model.id)).rejects.toMatchObject({ code: state, file: path })
    expect([values(model), values(model, other)]).toEqual([[10, 2], [30]])
    // the rest is read again, the edits of what is gone stay and survive a crash
    await b.workspace.reload(model.id, { missing: 'keep' })
    expect([values(model), values(model, other)]).toEqual([[10, 2], [33]])
    await b.workspace.close(model.id)
    fates[state].again(path)
    const again = b.open('a.num')
    const [offer] = await b.workspace.recoverable()
    await b.workspace.recover(offer.id, again)
    expect([values(again), values(again, other)]).toEqual([[10, 2], [33]])
    fates[state].does(b, path)
    await b.workspace.reload(again.id, { missing: 'drop' })
    expect(again.document(path)).toBeUndefined()
  })

  it.each(['deleted', 'moved'])(
    "%s: is written again on the user's word, edited or not, and its original is what was read",
    async (state) => {
      const b = bench({ 'a.num': numbersBytes([1, 2]), 'a.extra.num': numbersBytes([3]) })
      const [path, other] = [join(b.root, 'a.num'), join(b.root, 'a.extra.num')]
      const model = b.open('a.num')
      await set(b, model, 10)
      fates[state].does(b, path)
      // leave for what is gone is none for what somebody else wrote
      writeFileSync(other, numbersBytes([5]))
      await set(b, model, 30, other)
      expect((await b.workspace.save(model.id, { writeAgain: true })).failed).toMatchObject([{ ref: other, code: 'changed-on-disk' }])
      expect([read(path), read(other)]).toEqual([numbersBytes([10, 2]), numbersBytes([5])])
      await b.workspace.undo(model.id)
      rmSync(other)
      expect((await b.workspace.save(model.id, { writeAgain: true })).failed).toEqual([])
      expect([read(path), read(other)]).toEqual([numbersBytes([10, 2]), numbersBytes([3])])
      expect(model.dirty).toBe(false)
      expect(b.workspace.changedOnDisk()).toEqual([])
      await b.workspace.restore(model.id, path)
      expect(read(path)).toEqual(numbersBytes([1, 2]))
    },
  )

  it('a member cannot be written without its archive, and that is said', async () => {
    const b = bench({ 'pack.fpk': packBytes({ 'a.num': numbersBytes([1]), 'b.bin': new Uint8Array(9) }) })
    const model = b.open('pack.fpk!a.num')
    await set(b, model, 10)
    const bytes = read(join(b.root, 'pack.fpk'))
    rmSync(join(b.root, 'pack.fpk'))
    expect((await b.workspace.save(model.id, { overwriteChanged: true })).failed).toMatchObject([{ code: 'deleted' }])
    writeFileSync(join(b.root, 'elsewhere.fpk'), bytes)
    writeFileSync(join(b.root, 'pack.fpk'), packBytes({ 'b.bin': new Uint8Array(9) }))
    expect((await b.workspace.save(model.id)).failed).toMatchObject([{ code: 'deleted' }])
    writeFileSync(join(b.root, 'pack.fpk'), bytes)
    expect((await b.workspace.save(model.id)).failed).toEqual([])
  })

  it('a moved archive is found by its member', async () => {
    const b = bench({ 'pack.fpk': packBytes({ 'a.num': numbersBytes([1]) }) })
    const model = b.open('pack.fpk!a.num')
    renameSync(join(b.root, 'pack.fpk'), join(b.root, 'moved.fpk'))
    expect(b.workspace.changedOnDisk()).toMatchObject([{ state: 'moved', movedTo: `${join(b.root, 'moved.fpk')}!a.num` }])
    expect(model.dirty).toBe(false)
  })
})

describe('a write-protected file in a folder that can be written', () => {
  const protect = (path: string): void => chmodSync(path, 0o444)
  const modeOf = (path: string): number => statSync(path).mode & 0o777

  it("is replaced on the user's word only, and stays protected", async () => {
    const b = bench({ 'a.num': numbersBytes([1, 2]) })
    const path = join(b.root, 'a.num')
    protect(path)
    const model = b.open('a.num')
    await set(b, model, 10)
    expect((await b.workspace.plan(model.id)).files).toMatchObject([{ code: 'write-protected' }])
    expect((await b.workspace.save(model.id, { overwriteChanged: true })).failed).toMatchObject([{ ref: path, code: 'write-protected' }])
    expect(read(path)).toEqual(numbersBytes([1, 2]))
    expect((await b.workspace.save(model.id, { replaceReadOnly: true })).failed).toEqual([])
    expect([read(path), modeOf(path)]).toEqual([numbersBytes([10, 2]), 0o444])
    await expect(b.workspace.restore(model.id, path)).rejects.toMatchObject({ code: 'write-protected' })
    await b.workspace.restore(model.id, path, { replaceReadOnly: true })
    expect([read(path), modeOf(path)]).toEqual([numbersBytes([1, 2]), 0o444])
  })

  it.each(['x.fdr', 'x.fdt'])('keeps both files of an archive when %s is protected', async (name) => {
    const { directory, data } = pairBytes({ 'a.num': numbersBytes([1]) })
    const b = bench({ 'x.fdr': directory, 'x.fdt': data })
    protect(join(b.root, name))
    const model = b.open('x.fdr!a.num')
    await b.workspace.edit(model.id, 'Grow', (session) => {
      session.edit<Numbers>(model.binding.primary).values = Float32Array.from([4, 5, 6])
    })
    expect((await b.workspace.save(model.id)).failed).toMatchObject([{ code: 'write-protected' }])
    expect([read(join(b.root, 'x.fdr')), read(join(b.root, 'x.fdt'))]).toEqual([directory, data])
    expect((await b.workspace.save(model.id, { replaceReadOnly: true })).failed).toEqual([])
    expect(modeOf(join(b.root, name))).toBe(0o444)
  })

  it('keeps the mode that a file has, whatever the process masks', async () => {
    const b = bench({ 'a.num': numbersBytes([1]) })
    chmodSync(join(b.root, 'a.num'), 0o666)
    const model = b.open('a.num')
    await set(b, model, 2)
    await b.workspace.save(model.id)
    expect(modeOf(join(b.root, 'a.num'))).toBe(0o666)
  })

  it('stays in a mod folder that is built from a package, unless that is asked for', async () => {
    const b = bench({ 'a.num': numbersBytes([1]) })
    const model = b.open('a.num')
    await set(b, model, 2)
    await b.workspace.save(model.id)
    const chunks: Uint8Array[] = []
    const pairs = await changedInPlace(b.root, b.workspace.originals)
    await writeModPackage(b.files, pairs, { name: 'x', madeWith: '0' }, (chunk) => void chunks.push(chunk))
    const modPackage = readModPackage(new Uint8Array(Buffer.concat(chunks)), 'x.zip')
    await b.workspace.restore(model.id, model.binding.primary)
    const folder = join(b.state, 'mod')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'a.num'), 'mine')
    protect(join(folder, 'a.num'))
    const build = (replaceReadOnly: boolean) => buildMod(b.files, modPackage, { root: b.root, folder, force: true, replaceReadOnly })
    expect(await build(false)).toMatchObject({
      written: 0,
      files: [{ state: 'failed', code: 'write-protected', detail: expect.stringMatching(/^(?!write-protected:).*write-protected/) }],
    })
    expect(readFileSync(join(folder, 'a.num'), 'utf8')).toBe('mine')
    expect((await build(true)).written).toBe(1)
    expect(read(join(folder, 'a.num'))).toEqual(numbersBytes([2]))
  })
})

describe('what one edit changed', () => {
  const files = { 'a.num': numbersBytes([1]), 'b.num': numbersBytes([2]), 'c.num': numbersBytes([3]), 'd.num': numbersBytes([4]) }
  const both = async (b: Bench, model: OpenModel, other: string, value: number): Promise<void> => {
    await b.workspace.edit(model.id, 'Both', (session) => {
      session.edit<Numbers>(model.binding.primary).values[0] = value
      session.editOther<Numbers>(join(b.root, other)).values[0] = value
    })
  }
  const names = (refs: string[]): string[] => refs.map((ref) => ref.slice(ref.lastIndexOf('/') + 1)).sort()

  it('belongs together in Changes, the plan and the save of every model that shows a part of it', async () => {
    const b = bench(files)
    const model = b.open('a.num')
    const sibling = b.open('b.num')
    const stranger = b.open('d.num')
    await both(b, model, 'b.num', 10)
    await both(b, model, 'c.num', 11)
    await set(b, stranger, 9)
    for (const m of [model, sibling]) {
      expect(names((await b.workspace.changes(m.id)).map((file) => file.ref))).toEqual(['a.num', 'b.num', 'c.num'])
      expect(names((await b.workspace.plan(m.id)).files.map((file) => file.ref))).toEqual(['a.num', 'b.num', 'c.num'])
    }
    expect(names((await b.workspace.save(sibling.id)).saved.map((file) => file.ref))).toEqual(['a.num', 'b.num', 'c.num'])
    expect([model.dirty, stranger.dirty]).toEqual([false, true])
    expect(names((await b.workspace.changes(stranger.id)).map((file) => file.ref))).toEqual(['d.num'])
  })

  it('is still known to after a restart', async () => {
    const b = bench(files)
    const model = b.open('a.num')
    await both(b, model, 'b.num', 10)
    await both(b, model, 'c.num', 11)
    await b.workspace.save(model.id)
    await b.workspace.closeAll()
    const later = bench({}, { root: b.root, state: b.state })
    const sibling = later.open('c.num')
    expect(names(later.workspace.changeRefs(sibling))).toEqual(['a.num', 'b.num', 'c.num'])
    expect(names((await later.workspace.changes(sibling.id)).map((file) => file.ref))).toEqual(['a.num', 'b.num', 'c.num'])
    expect(names(later.workspace.changeRefs(later.open('d.num')))).toEqual(['d.num'])
    expect(existsSync(join(b.state, 'changes'))).toBe(true)
  })
})
