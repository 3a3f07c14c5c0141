import type { FileHandle } from 'node:fs/promises'
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { Journal } from '../../src/main/workspace/journal.ts'
import { parseJournal } from '../../src/main/workspace/journal-format.ts'
import type { JournalHeader, JournalStep } from '../../src/main/workspace/journal-format.ts'
import { sha256 } from '../../src/main/workspace/originals.ts'
import { diff } from '../../src/main/workspace/patch.ts'
import { StateHashes } from '../../src/main/workspace/recovery.ts'
import type { OpenModel } from '../../src/main/workspace/open-model.ts'
import { held, heldSince } from '../support/held.ts'
import { junk } from '../support/hostile.ts'
import { numbersBytes, packBytes } from './fake-family.ts'
import type { Numbers } from './fake-family.ts'
import { bench, crash, temporaryFolder } from './support.ts'
import type { Bench } from './support.ts'

const header: JournalHeader = {
  kind: 'header',
  version: 2,
  primary: '/game/モデル.num',
  name: 'モデル',
  family: 'level5',
  library: '/game',
  startedAt: 1,
}
const patch = diff(junk(100), junk(110, 4))
const edit = (label: string, at: number): JournalStep => ({
  kind: 'edit',
  label,
  at,
  files: [{ ref: 'a', base: { hash: 'h', size: 100 }, patch }],
})
const first = edit('first', 4)
const refused = edit('refused', 5)
const readOnly = (): Error => Object.assign(new Error('read-only'), { code: 'EROFS' })

async function journalBytes(): Promise<Uint8Array> {
  const path = join(temporaryFolder(), 'x.journal')
  const journal = await Journal.create(path, header)
  await journal.append({
    kind: 'edit',
    label: 'Eins',
    merge: 'm',
    at: 5,
    files: [
      { ref: 'a', base: { hash: 'h', size: 100 }, patch },
      { ref: 'b', base: { hash: 'i', size: 100 }, patch },
    ],
  })
  await journal.append({ kind: 'disk', files: [{ ref: 'a', hash: 'k' }] })
  await journal.append({ kind: 'undo', label: 'Eins', at: 6, files: [{ ref: 'a', patch }] })
  await journal.close()
  return new Uint8Array(readFileSync(path))
}

describe('a journal', () => {
  it('reads as it was written', async () => {
    const { records, header: read, cut } = parseJournal(await journalBytes(), 'x')
    expect(read).toEqual(header)
    expect(cut).toBe(0)
    expect(records).toEqual([
      {
        kind: 'edit',
        label: 'Eins',
        merge: 'm',
        at: 5,
        files: [
          { ref: 'a', base: { hash: 'h', size: 100 }, patch },
          { ref: 'b', base: { hash: 'i', size: 100 }, patch },
        ],
      },
      { kind: 'disk', files: [{ ref: 'a', hash: 'k' }] },
      { kind: 'undo', label: 'Eins', at: 6, files: [{ ref: 'a', patch }] },
    ])
  })

  it('takes back a record, also one that a failure cut off', async () => {
    const path = join(temporaryFolder(), 'x.journal')
    const journal = await Journal.create(path, header)
    const mark = journal.mark()
    await journal.append({
      kind: 'edit',
      label: 'a long label that is taken back',
      at: 5,
      files: [{ ref: 'a', base: { hash: 'h', size: 100 }, patch }],
    })
    expect([...journal.known]).toEqual(['a'])
    await journal.rewind(mark)
    expect([...journal.known]).toEqual([])
    await journal.append({ kind: 'disk', files: [] })
    await journal.close()
    expect(parseJournal(new Uint8Array(readFileSync(path)), 'x')).toMatchObject({ records: [{ kind: 'disk', files: [] }], cut: 0 })
  })

  it('has no refused record when it is left, where the disk did not let it be taken out before', async () => {
    const path = join(temporaryFolder(), 'x.journal')
    const journal = await Journal.create(path, header)
    const mark = journal.mark()
    const { handle } = journal as unknown as { handle: FileHandle }
    await journal.append(refused)
    const fail = vi.spyOn(handle, 'write').mockRejectedValueOnce(readOnly())
    expect(await journal.rewind(mark)).toBe(false)
    expect(fail).toHaveBeenCalledOnce()
    await journal.close()
    const read = parseJournal(new Uint8Array(readFileSync(path)), 'x')
    expect(read).toMatchObject({ records: [], cut: 0 })
    expect(read.damage).toBeUndefined()
  })

  it('has what was acknowledged and nothing else, from whichever call on the disk is read-only for good', async () => {
    let refusals = 0
    for (let calls = 0, acknowledged = false; !acknowledged; calls++) {
      const path = join(temporaryFolder(), 'x.journal')
      const journal = await Journal.create(path, header)
      await journal.append(first)
      const mark = journal.mark()
      const { handle } = journal as unknown as { handle: FileHandle }
      let left = calls
      for (const name of ['write', 'datasync', 'sync', 'truncate'] as const) {
        const original = handle[name].bind(handle) as (...args: unknown[]) => Promise<never>
        vi.spyOn(handle, name).mockImplementation((...args: unknown[]) => (left-- > 0 ? original(...args) : Promise.reject(readOnly())))
      }
      acknowledged = await journal.append(refused).then(
        () => true,
        () => false,
      )
      const out = acknowledged || (await journal.rewind(mark))
      await journal.close()
      const read = parseJournal(new Uint8Array(readFileSync(path)), 'x')
      const records = acknowledged ? [first, refused] : [first]
      // only a system that flushes by a second call can be stopped between the two, and then the step's error says so
      if (out || process.platform === 'linux') expect(read, `read-only from call ${calls} on`).toMatchObject({ records, cut: 0 })
      expect(out || process.platform !== 'linux', `read-only from call ${calls} on`).toBe(true)
      expect(read.damage).toBeUndefined()
      if (!acknowledged) refusals++
    }
    expect(refusals).toBeGreaterThan(1)
  })

  it('that a kill stops while a record is written ends where it ended before, without a word of damage', async () => {
    const path = join(temporaryFolder(), 'x.journal')
    const journal = await Journal.create(path, header)
    const { handle } = journal as unknown as { handle: FileHandle }
    const writes: { bytes: Buffer; at: number }[] = []
    const write = handle.write.bind(handle)
    vi.spyOn(handle, 'write').mockImplementation(((bytes: Uint8Array, from: number, length: number, at: number) => {
      writes.push({ bytes: Buffer.from(bytes.subarray(from, from + length)), at })
      return write(bytes, from, length, at)
    }) as never)
    for (const records of [[], [first]]) {
      const before = readFileSync(path)
      writes.length = 0
      await journal.append(records.length === 0 ? first : refused)
      let there: Buffer = before
      const put = ({ bytes, at }: (typeof writes)[0], length: number): Buffer => {
        const grown = Buffer.alloc(Math.max(there.length, at + length))
        there.copy(grown)
        bytes.copy(grown, at, 0, length)
        return grown
      }
      expect(writes.at(-1)!.bytes.length).toBeLessThan(32)
      for (const [i, piece] of writes.entries()) {
        // the head is too short to be cut off by a kill: all of it is there, or nothing
        if (i < writes.length - 1)
          for (let length = 0; length <= piece.bytes.length; length++) {
            const read = parseJournal(new Uint8Array(put(piece, length)), 'x')
            expect(read.records, `${length} bytes of write ${i}`).toEqual(records)
            expect(read.damage, `${length} bytes of write ${i}`).toBeUndefined()
          }
        there = put(piece, piece.bytes.length)
      }
      expect(there).toEqual(readFileSync(path))
      expect(parseJournal(new Uint8Array(there), 'x').records).toHaveLength(records.length + 1)
    }
    await journal.close()
  })
})

describe('recovery', () => {
  const set = (b: Bench, model: OpenModel, index: number, value: number, ref = model.binding.primary, gesture?: string) =>
    b.workspace.edit(model.id, `Set ${index} to ${value}`, (session) => void (session.edit<Numbers>(ref).values[index] = value), {
      gesture,
    })
  const values = (model: OpenModel, ref = model.binding.primary): number[] => [...(model.document(ref) as Numbers).values]

  it('brings back bytes, undo and redo, merged drags included', async () => {
    const b = bench({ 'a.num': numbersBytes([1, 2, 3]), 'a.extra.num': numbersBytes([4]) })
    const first = b.open('a.num')
    await set(b, first, 0, 10)
    for (let i = 20; i < 25; i++) await set(b, first, 1, i, first.binding.primary, 'drag')
    await set(b, first, 0, 40, first.refs()[1])
    await set(b, first, 2, 30)
    await b.workspace.undo(first.id)
    const second = crash(b)
    const [offer] = await second.workspace.recoverable()
    expect(offer).toMatchObject({ name: 'a', primary: first.binding.primary })
    const model = second.open('a.num')
    await second.workspace.recover(offer.id, model)
    expect(values(model)).toEqual([10, 24, 3])
    expect(values(model, model.refs()[1])).toEqual([40])
    expect(model.history.undoable.map((s) => s.label)).toEqual(first.history.undoable.map((s) => s.label))
    await second.workspace.redo(model.id)
    expect(values(model)).toEqual([10, 24, 30])
    for (let i = 0; i < 4; i++) await second.workspace.undo(model.id)
    expect(model.dirty).toBe(false)
    expect(await second.workspace.recoverable()).toEqual([])
    // what was recovered is unsaved, and survives the next crash, too
    await second.workspace.redo(model.id)
    const third = crash(second)
    const again = third.open('a.num')
    await third.workspace.recover((await third.workspace.recoverable())[0].id, again)
    expect(values(again)).toEqual([10, 2, 3])
  })

  it('offers nothing after a save, and what came after it otherwise', async () => {
    const b = bench({ 'a.num': numbersBytes([1, 2, 3]), 'a.extra.num': numbersBytes([4]) })
    const first = b.open('a.num')
    await set(b, first, 0, 10)
    await b.workspace.save(first.id)
    expect(await crash(b).workspace.recoverable()).toEqual([])
    await b.workspace.undo(first.id)
    const second = crash(b)
    const model = second.open('a.num')
    await second.workspace.recover((await second.workspace.recoverable())[0].id, model)
    expect(values(model)).toEqual([1, 2, 3])
    expect(model.dirty).toBe(true)
    await second.workspace.redo(model.id)
    expect(values(model)).toEqual([10, 2, 3])
    expect(model.dirty).toBe(false)
  })

  it('goes on from what a save wrote when only some files were written', async () => {
    const b = bench({ 'a.num': numbersBytes([1, 2]), 'a.extra.num': numbersBytes([4]) })
    const first = b.open('a.num')
    const extra = first.refs()[1]
    await set(b, first, 0, 10)
    await set(b, first, 0, 40, extra)
    writeFileSync(extra, 'not what was read')
    expect(await b.workspace.save(first.id)).toMatchObject({ saved: [{ ref: first.refs()[0] }], failed: [{ ref: extra }] })
    await set(b, first, 1, 20)
    writeFileSync(extra, numbersBytes([4]))
    const second = crash(b)
    const model = second.open('a.num')
    await second.workspace.recover((await second.workspace.recoverable())[0].id, model)
    expect(values(model)).toEqual([10, 20])
    expect(values(model, extra)).toEqual([40])
  })

  it('keeps the journal when a file is another one, and works once it is back', async () => {
    const b = bench({ 'a.num': numbersBytes([1, 2]) })
    await set(b, b.open('a.num'), 0, 10)
    const second = crash(b)
    writeFileSync(join(b.root, 'a.num'), numbersBytes([7]))
    const [offer] = await second.workspace.recoverable()
    await expect(second.workspace.recover(offer.id, second.open('a.num'))).rejects.toMatchObject({ code: 'changed-on-disk' })
    expect(await second.workspace.recoverable()).toHaveLength(1)
    writeFileSync(join(b.root, 'a.num'), numbersBytes([1, 2]))
    const model = await second.workspace.reload(second.open('a.num').id)
    await second.workspace.recover(offer.id, model)
    expect(values(model)).toEqual([10, 2])
  })

  it('covers files that several models share, whichever edited them', async () => {
    const b = bench({ 'a.num': numbersBytes([1]), 'b.num': numbersBytes([1]), 'shared.num': numbersBytes([0, 0]) })
    const shared = join(b.root, 'shared.num')
    const a = b.open('a.num')
    await set(b, a, 0, 5, shared)
    const other = b.open('b.num')
    await set(b, other, 1, 6, shared)
    for (const name of ['a', 'b']) {
      const next = crash(b)
      const model = next.open(`${name}.num`)
      await next.workspace.recover((await next.workspace.recoverable()).find((r) => r.name === name)!.id, model)
      expect(values(model, shared)).toEqual([5, 6])
      expect(model.history.undoable).toHaveLength(1)
      await next.workspace.undo(model.id).catch(() => {})
    }
  })

  it('hands shared files to the models that stay open', async () => {
    const b = bench({ 'a.num': numbersBytes([1]), 'b.num': numbersBytes([1]), 'shared.num': numbersBytes([0, 0]) })
    const shared = join(b.root, 'shared.num')
    const a = b.open('a.num')
    await set(b, a, 0, 5, shared)
    const other = b.open('b.num')
    await b.workspace.close(a.id, { discard: true })
    expect(values(other, shared)).toEqual([5, 0])
    const next = crash(b)
    const [offer, ...rest] = await next.workspace.recoverable()
    expect(rest).toEqual([])
    const model = next.open('b.num')
    await next.workspace.recover(offer.id, model)
    expect(values(model, shared)).toEqual([5, 0])
  })

  it('offers a model that was closed with unsaved edits, in the same run, too', async () => {
    const b = bench({ 'a.num': numbersBytes([1, 2]) })
    const first = b.open('a.num')
    await set(b, first, 0, 10)
    expect(await b.workspace.recoverable()).toEqual([])
    await b.workspace.close(first.id)
    const [offer] = await b.workspace.recoverable()
    const model = b.open('a.num')
    expect(values(model)).toEqual([1, 2])
    await b.workspace.recover(offer.id, model)
    expect(values(model)).toEqual([10, 2])
    await b.workspace.close(model.id, { discard: true })
    expect(await b.workspace.recoverable()).toEqual([])
  })

  it('leaves journals of another running Marrow alone', async () => {
    const b = bench({ 'a.num': numbersBytes([1, 2]) })
    await set(b, b.open('a.num'), 0, 10)
    expect(await bench({}, { root: b.root, state: b.state }).workspace.recoverable()).toEqual([])
  })

  it('works for members of archives', async () => {
    const b = bench({ 'pack.fpk': packBytes({ 'x.bin': junk(5), 'a.num': numbersBytes([1, 2]) }) })
    await set(b, b.open('pack.fpk!a.num'), 0, 10)
    const second = crash(b)
    // another member changed meanwhile: no concern of these edits
    writeFileSync(join(b.root, 'pack.fpk'), packBytes({ 'x.bin': junk(50), 'a.num': numbersBytes([1, 2]) }))
    const model = second.open('pack.fpk!a.num')
    await second.workspace.recover((await second.workspace.recoverable())[0].id, model)
    expect(values(model)).toEqual([10, 2])
  })

  it('brings the bytes back from a journal that was shortened, undo after it included', async () => {
    const b = bench({ 'a.num': numbersBytes([1, 2]), 'a.extra.num': numbersBytes([4]) }, { journalLimit: 2000 })
    const first = b.open('a.num')
    await set(b, first, 0, 40, first.refs()[1])
    for (let i = 0; i < 40; i++) {
      await set(b, first, 0, 100 + i)
      expect(first.journal!.size).toBeLessThan(6000)
    }
    expect(first.journal!.startSize).toBeGreaterThan(0)
    await b.workspace.undo(first.id)
    expect(first.history.undoable).toHaveLength(40)
    const second = crash(b)
    const [offer, ...rest] = await second.workspace.recoverable()
    expect(rest).toEqual([])
    const model = second.open('a.num')
    await second.workspace.recover(offer.id, model)
    expect(values(model)).toEqual([138, 2])
    expect(values(model, model.refs()[1])).toEqual([40])
    while (model.history.undoable.length > 0) await second.workspace.undo(model.id)
    expect(model.dirty).toBe(false)
  })

  it.each([undefined, 300])('leaves the old journal the only one until the new one is whole (limit %s)', async (journalLimit) => {
    const b = bench({ 'a.num': numbersBytes([1, 2]) })
    const first = b.open('a.num')
    for (let i = 0; i < 6; i++) await set(b, first, i % 2, 50 + i)
    const labels = first.history.undoable.map((step) => step.label)
    crash(b)
    const second = bench({}, { root: b.root, state: b.state, journalLimit })
    const [offer] = await second.workspace.recoverable()
    const published = (): string[] =>
      readdirSync(join(b.state, 'journals'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.journal'))
    const [old] = published()
    const model = second.open('a.num')
    // whoever is killed before a record finds one journal that has everything, and none that has a beginning
    const { append } = Journal.prototype
    const seen: string[][] = []
    const spy = vi.spyOn(Journal.prototype, 'append').mockImplementation(function (this: Journal, record) {
      seen.push(published())
      return append.call(this, record)
    })
    await second.workspace.recover(offer.id, model).finally(() => spy.mockRestore())
    expect(seen).toEqual(labels.map(() => [old]))
    const [fresh, ...more] = published()
    expect(more).toEqual([])
    const { header: read, records } = parseJournal(new Uint8Array(readFileSync(join(b.state, 'journals', fresh))), fresh)
    expect(read.replaces).toBe(basename(old))
    expect(records.map((record) => 'label' in record && record.label)).toEqual(labels)
  })

  it('offers nothing of a first step that was being written when the run ended', async () => {
    const b = bench({ 'a.num': numbersBytes([1, 2, 3]) })
    const model = b.open('a.num')
    await set(b, model, 0, 10)
    const [run] = readdirSync(join(b.state, 'journals'))
    const [name] = readdirSync(join(b.state, 'journals', run)).filter((file) => file.endsWith('.journal'))
    const path = join(b.state, 'journals', run, name)
    const bytes = readFileSync(path)
    const begun = await Journal.create(join(temporaryFolder(), 'x.journal'), { ...header, primary: model.binding.primary })
    await begun.close()
    const empty = readFileSync(begun.path)
    // as far as the payload: the head over the end mark comes last
    for (const length of [1, 30, 200]) {
      writeFileSync(path, Buffer.concat([empty, bytes.subarray(-length)]))
      expect(await crash(b).workspace.recoverable(), `${length} bytes`).toEqual([])
    }
  })

  it('says of a step that is refused and cannot be taken out that it may be offered', async () => {
    const b = bench({ 'a.num': numbersBytes([1, 2, 3]) })
    const model = b.open('a.num')
    await set(b, model, 0, 10)
    const { handle } = model.journal as unknown as { handle: FileHandle }
    const write = handle.write.bind(handle) as (...args: unknown[]) => Promise<never>
    let calls = 0
    vi.spyOn(handle, 'write').mockImplementation(async (...args: unknown[]) => {
      if (calls++ < 2) await write(...args)
      if (calls >= 2) throw readOnly()
      return { bytesWritten: args[2] } as never
    })
    await expect(set(b, model, 1, 20)).rejects.toThrow(/read-only\. .*the next start may offer it/)
    expect([...(model.document(model.binding.primary) as Numbers).values]).toEqual([10, 2, 3])
  })

  it('is not disturbed by rubbish among the journals', async () => {
    const b = bench({ 'a.num': numbersBytes([1]) })
    mkdirSync(join(b.state, 'journals', 'old'), { recursive: true })
    writeFileSync(join(b.state, 'journals', 'old', 'x.journal'), 'MARROWJ1 rubbish')
    writeFileSync(join(b.state, 'journals', 'file'), '')
    const path = join(b.state, 'journals', 'old', 'x.journal')
    const [offer, ...rest] = await b.workspace.recoverable()
    expect(rest).toEqual([])
    expect(offer).toMatchObject({ steps: 0, primary: '', damage: { restorable: false, message: expect.stringContaining(path) } })
    await b.workspace.discardRecovery(offer.id)
    expect(await b.workspace.recoverable()).toEqual([])
    expect(readFileSync(join(b.state, 'journals', 'aside', 'x.journal'), 'latin1')).toBe('MARROWJ1 rubbish')
    await expect(b.workspace.discardRecovery('none')).rejects.toMatchObject({ code: 'not-found' })
  })
})

describe('a folder of journals that cannot be there', () => {
  it('refuses the step, and says why in words', async () => {
    const b = bench({ 'a.num': numbersBytes([1]) })
    const model = b.open('a.num')
    mkdirSync(b.state, { recursive: true })
    writeFileSync(join(b.state, 'journals'), 'no folder')
    const step = b.workspace.edit(model.id, 'Set', (session) => {
      session.edit<Numbers>(model.binding.primary).values[0] = 2
    })
    await expect(step).rejects.toMatchObject({
      code: 'io',
      message: expect.stringMatching(/^the journal cannot be written: (?!E[A-Z]+\b)/),
    })
    expect([...(model.document(model.binding.primary) as Numbers).values]).toEqual([1])
  })
})

describe('the sign of life of a run', () => {
  it('ends with it, also where it ends while it still tells what it has open', async () => {
    const before = held()
    const b = bench({ 'a.num': numbersBytes([1]) })
    b.open('a.num')
    await b.workspace.closeAll()
    expect(heldSince(before).filter((line) => line.startsWith('interval'))).toEqual([])
    expect(readdirSync(join(b.state, 'journals'))).toEqual([])
  })
})

describe('the name of a state', () => {
  it('is the same whether its hash goes on from the state before or begins anew', () => {
    const before = junk(3_500_000)
    for (const at of [0, 1_048_575, 1_048_576, 2_500_000, 3_499_999]) {
      const after = Uint8Array.from([...before.subarray(0, at), 1 ^ before[at], ...before.subarray(at + (at & 1))])
      const hashes = new StateHashes()
      hashes.of(before)
      expect(hashes.of(after, { bytes: before, same: at })).toBe(new StateHashes().of(after))
      expect(hashes.of(after)).toBe(sha256(after).slice(0, 32))
    }
  })
})
