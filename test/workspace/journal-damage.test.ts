import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { FormatError } from '../../src/main/binary/format-error.ts'
import { Writer } from '../../src/main/binary/writer.ts'
import { encodeEnd, encodeRecord, flippedBit, parseJournal } from '../../src/main/workspace/journal-format.ts'
import type { JournalHeader, JournalRecord, ReadJournal } from '../../src/main/workspace/journal-format.ts'
import { diff, writePatch } from '../../src/main/workspace/patch.ts'
import type { OpenModel } from '../../src/main/workspace/open-model.ts'
import { junk } from '../support/hostile.ts'
import { flipped, sampleBits } from '../support/state-damage.ts'
import { numbersBytes, packBytes } from './fake-family.ts'
import type { Numbers } from './fake-family.ts'
import { bench, crash } from './support.ts'
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
const step = (label: string, seed: number): JournalRecord => ({
  kind: 'edit',
  label,
  id: label,
  at: seed,
  files: [{ ref: 'a', base: { hash: 'h', size: 40 }, before: 'b', after: 'c', patch: diff(junk(40), junk(44, seed)) }],
})
const records: JournalRecord[] = [
  step('one', 3),
  { kind: 'disk', files: [{ ref: 'a', hash: 'k' }] },
  step('two', 5),
  { ...step('three', 7), kind: 'undo' } as JournalRecord,
  step('four', 9),
]
const frames = (): Buffer[] => [header, header, ...records].map((record, i) => encodeRecord(i, record))
const preamble = Buffer.from('MARROWJ2')
const whole = (parts = frames()): Uint8Array => new Uint8Array(Buffer.concat([preamble, ...parts, encodeEnd(parts.length)]))

/** As the version before wrote them. */
function earlier(): { bytes: Uint8Array; records: JournalRecord[] } {
  const out: Uint8Array[] = [Buffer.from('MARROWJ1')]
  const old = records.map((record) =>
    record.kind === 'disk' ? record : { ...record, files: record.files.map(({ ref, base, patch }) => ({ ref, base, patch })) },
  )
  for (const record of [{ ...header, version: 1 as const }, ...old]) {
    const patches = record.kind === 'header' || record.kind === 'disk' ? [] : record.files.map((file) => file.patch)
    const json =
      record.kind === 'header' || record.kind === 'disk'
        ? record
        : { ...record, files: record.files.map(({ ref, base }) => ({ ref, base })) }
    const text = Buffer.from(JSON.stringify(json))
    const payload = new Writer(256)
    payload.u32(text.length)
    payload.raw(text)
    for (const patch of patches) writePatch(payload, patch)
    const body = payload.finish()
    const head = new Writer(8)
    head.u32(body.length)
    head.u32(crc32(body))
    out.push(head.finish(), body)
  }
  return { bytes: new Uint8Array(Buffer.concat(out)), records: old }
}

/** Records of `read` are some of `all`, in their order. */
function expectSome(read: ReadJournal, all: readonly JournalRecord[], what: string): void {
  const texts = all.map((record) => JSON.stringify(record))
  let at = -1
  for (const record of read.records) {
    const found = texts.indexOf(JSON.stringify(record), at + 1)
    expect(found, what).toBeGreaterThan(at)
    at = found
  }
}

describe('a damaged journal', () => {
  it('is whole without damage', () => {
    const read = parseJournal(whole(), 'x')
    expect(read).toMatchObject({ header, records, behind: records.length, cut: 0 })
    expect(read.damage).toBeUndefined()
  })

  it('with any one bit flipped gives every record, and says so', { timeout: 120_000 }, () => {
    const bytes = whole()
    const want = JSON.stringify(records)
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const read = parseJournal(flipped(bytes, bit), 'x')
      expect(read.damage, `bit ${bit}`).toBeDefined()
      if (JSON.stringify(read.records) !== want || read.header.primary !== header.primary)
        throw new Error(`bit ${bit}: ${read.records.length} records, ${JSON.stringify(read.damage)}`)
    }
  })

  it('finds the bit that two checksums differ by', () => {
    const bytes = junk(50, 9)
    for (let bit = 0; bit < 400; bit++) expect(flippedBit(50, (crc32(flipped(bytes, bit)) ^ crc32(bytes)) >>> 0)).toBe(bit)
    expect(flippedBit(50, (crc32(flipped(flipped(bytes, 3), 77)) ^ crc32(bytes)) >>> 0)).toBe(-1)
  })

  it('cut anywhere gives the records that are whole, and says that its end is missing', () => {
    const bytes = whole()
    for (let n = 0; n < bytes.length; n++) {
      try {
        const read = parseJournal(bytes.subarray(0, n), 'x')
        expect(read.damage, `cut at ${n}`).toMatchObject({ cut: true })
        expect(JSON.stringify(read.records)).toBe(JSON.stringify(records.slice(0, read.records.length)))
      } catch (error) {
        expect(error, `cut at ${n}`).toBeInstanceOf(FormatError)
        expect(n).toBeLessThan(preamble.length + frames()[0].length)
      }
    }
  })

  it('with a record beyond repair gives the others, and says how many are lost', () => {
    for (let k = 0; k < records.length; k++) {
      const parts = frames()
      parts[k + 2].fill(0xee, 30, 60)
      const read = parseJournal(whole(parts), 'x')
      expect(read.records).toEqual(records.toSpliced(k, 1))
      expect(read).toMatchObject({ behind: k, damage: { lost: 1, cut: false } })
    }
  })

  it('with its frames gone from somewhere to its end says how many are lost', () => {
    const parts = frames()
    const read = parseJournal(new Uint8Array(Buffer.concat([preamble, ...parts.slice(0, 4), encodeEnd(parts.length)])), 'x')
    expect(read).toMatchObject({ records: records.slice(0, 2), damage: { lost: 3, cut: false } })
  })

  it('with records out of order or twice brings them into their order', () => {
    const parts = frames()
    for (let i = 2; i < parts.length; i++) {
      for (let j = i; j < parts.length; j++) {
        const other = [...parts]
        if (i === j) other.splice(i, 0, parts[i])
        else [other[i], other[j]] = [other[j], other[i]]
        const bytes = new Uint8Array(Buffer.concat([preamble, ...other, encodeEnd(parts.length)]))
        const read = parseJournal(bytes, 'x')
        expect(read.records, `${i} ${j}`).toEqual(records)
        expect(read.damage, `${i} ${j}`).toMatchObject({ lost: 0, cut: false })
        expect(read.damage!.mended).toBeGreaterThan(0)
      }
    }
  })

  it('of the version before is read, and with any one bit flipped never tells less without a word', { timeout: 120_000 }, () => {
    const { bytes, records: old } = earlier()
    expect(parseJournal(bytes, 'x')).toMatchObject({ header: { ...header, version: 1 }, records: old, cut: 0 })
    expect(parseJournal(bytes, 'x').damage).toBeUndefined()
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      try {
        const read = parseJournal(flipped(bytes, bit), 'x')
        expectSome(read, old, `bit ${bit}`)
        expect(read.damage, `bit ${bit}`).toBeDefined()
      } catch (error) {
        if (!(error instanceof FormatError)) throw new Error(`bit ${bit}: ${String(error)}`, { cause: error })
      }
    }
  })

  it('of rubbish is a typed error', () => {
    for (let seed = 1; seed < 200; seed++)
      for (const start of ['', 'MARROWJ1', 'MARROWJ2'])
        expect(() => parseJournal(new Uint8Array(Buffer.concat([Buffer.from(start), junk(seed * 7, seed)])), 'x')).toThrow(FormatError)
  })
})

describe('recovery of a damaged journal', () => {
  const set = (b: Bench, model: OpenModel, index: number, value: number, ref = model.binding.primary) =>
    b.workspace.edit(model.id, `Set ${index} to ${value}`, (session) => void (session.edit<Numbers>(ref).values[index] = value))
  const values = (model: OpenModel, ref = model.binding.primary): number[] => [...(model.document(ref) as Numbers).values]

  const journalsIn = (b: Bench): string[] =>
    readdirSync(join(b.state, 'journals'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.journal') && !name.startsWith('aside'))
      .map((name) => join(b.state, 'journals', name))
  const aside = (b: Bench): string[] => {
    const folder = join(b.state, 'journals', 'aside')
    return existsSync(folder) ? readdirSync(folder) : []
  }
  /** Spoils the record that holds a text, beyond what its checksum can set right. */
  const spoil = (path: string, text: string): void => {
    const bytes = readFileSync(path)
    const at = bytes.indexOf(text)
    expect(at).toBeGreaterThan(0)
    bytes.fill(0x2a, at, at + 6)
    writeFileSync(path, bytes)
  }

  const models = {
    'a file': { 'a.num': numbersBytes([1, 2, 3]) },
    'two files': { 'a.num': numbersBytes([1, 2, 3]), 'a.extra.num': numbersBytes([4]) },
    'a member': { 'pack.fpk': packBytes({ 'x.bin': junk(5), 'a.num': numbersBytes([1, 2, 3]) }) },
  }
  for (const [what, files] of Object.entries(models)) {
    it(`brings all of ${what} back whichever bit was flipped, and keeps the journal`, { timeout: 120_000 }, async () => {
      const b = bench(files)
      const name = 'pack.fpk' in files ? 'pack.fpk!a.num' : 'a.num'
      const first = b.open(name)
      await set(b, first, 0, 10)
      await set(b, first, 1, 20, first.refs().at(-1) === first.binding.primary ? undefined : first.binding.primary)
      if (first.refs().length > 1) await set(b, first, 0, 40, first.refs()[1])
      await b.workspace.undo(first.id)
      await set(b, first, 2, 30)
      const want = first.refs().map((ref) => values(first, ref))
      const steps = first.history.undoable.length + 1
      const [path] = journalsIn(b)
      const bytes = new Uint8Array(readFileSync(path))
      for (const bit of sampleBits(bytes.length, 24, 11)) {
        writeFileSync(path, flipped(bytes, bit))
        const next = crash(b)
        const [offer, ...rest] = await next.workspace.recoverable()
        expect(rest, `bit ${bit}`).toEqual([])
        expect(offer, `bit ${bit}`).toMatchObject({ name: 'a', steps, damage: { restorable: true } })
        const model = next.open(name)
        await next.workspace.recover(offer.id, model)
        expect(
          model.refs().map((ref) => values(model, ref)),
          `bit ${bit}`,
        ).toEqual(want)
        expect(aside(b), `bit ${bit}`).toHaveLength(1)
        await next.workspace.close(model.id, { discard: true })
        rmSync(join(b.state, 'journals', 'aside'), { recursive: true })
      }
    })
  }

  it('offers what stands before a lost step, and behind it what is proved to fit', async () => {
    const b = bench({ 'a.num': numbersBytes([1, 2, 3]), 'a.extra.num': numbersBytes([4, 5]) })
    const first = b.open('a.num')
    const extra = first.refs()[1]
    await set(b, first, 0, 10)
    await set(b, first, 1, 20)
    // leads on from the lost step: nobody can tell what it would be without it
    await set(b, first, 2, 30)
    // another file: the lost step did not touch it
    await set(b, first, 0, 40, extra)
    spoil(journalsIn(b)[0], 'Set 1 to 20')
    const next = crash(b)
    const [offer] = await next.workspace.recoverable()
    expect(offer).toMatchObject({ steps: 2, damage: { restorable: true } })
    expect(offer.damage!.message).toBe(
      'The journal of these edits is damaged: one record in it is damaged; one step behind that cannot be put onto what is left.',
    )
    const model = next.open('a.num')
    await next.workspace.recover(offer.id, model)
    expect([values(model), values(model, extra)]).toEqual([
      [10, 2, 3],
      [40, 5],
    ])
    expect(aside(b)).toHaveLength(1)
    expect(readFileSync(join(b.state, 'journals', 'aside', aside(b)[0])).includes('Set 2 to 30')).toBe(true)
    await next.workspace.undo(model.id)
    expect(values(model, extra)).toEqual([4, 5])
  })

  it('goes on where the lost steps were taken back', async () => {
    const b = bench({ 'a.num': numbersBytes([1, 2, 3]) })
    const first = b.open('a.num')
    await set(b, first, 0, 10)
    await set(b, first, 1, 20)
    await b.workspace.undo(first.id)
    await set(b, first, 2, 30)
    spoil(journalsIn(b)[0], 'Set 1 to 20')
    const next = crash(b)
    const [offer] = await next.workspace.recoverable()
    const model = next.open('a.num')
    await next.workspace.recover(offer.id, model)
    expect(values(model)).toEqual([10, 2, 30])
  })

  it('needs nothing of a lost step that was saved', async () => {
    const b = bench({ 'a.num': numbersBytes([1, 2, 3]) })
    const first = b.open('a.num')
    await set(b, first, 0, 10)
    const [path] = journalsIn(b)
    // what is written for a save, the file on disk included, without its end
    const saved = numbersBytes([10, 2, 3])
    await set(b, first, 1, 20)
    spoil(path, 'Set 0 to 10')
    writeFileSync(join(b.root, 'a.num'), saved)
    const next = crash(b)
    const [offer] = await next.workspace.recoverable()
    const model = next.open('a.num')
    await next.workspace.recover(offer.id, model)
    expect(values(model)).toEqual([10, 20, 3])
  })

  it('never deletes what cannot be offered, also when it is discarded', async () => {
    const b = bench({ 'a.num': numbersBytes([1, 2, 3]) })
    await set(b, b.open('a.num'), 0, 10)
    const [path] = journalsIn(b)
    spoil(path, 'Set 0 to 10')
    const next = crash(b)
    const [offer] = await next.workspace.recoverable()
    expect(offer).toMatchObject({ steps: 0, damage: { restorable: false } })
    await expect(next.workspace.recover(offer.id, next.open('a.num'))).rejects.toBeInstanceOf(FormatError)
    expect(await next.workspace.recoverable()).toHaveLength(1)
    await next.workspace.discardRecovery(offer.id)
    expect(await next.workspace.recoverable()).toEqual([])
    expect(aside(b)).toHaveLength(1)
  })
})
