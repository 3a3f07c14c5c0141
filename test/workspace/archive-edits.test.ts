/** Members that come, go and get other names in archives of each kind, found by readings of the bytes that are the tests' own. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FormatError } from '../../src/main/binary/format-error.ts'
import { makeBig } from '../../src/main/formats/w3d/archives/big.ts'
import { makeMix } from '../../src/main/formats/w3d/archives/mix.ts'
import { newPack } from '../../src/main/formats/level5/archives/pack.ts'
import { changesNothing, planArchiveChange } from '../../src/main/workspace/archive-edits.ts'
import { archiveTarget, writeArchiveChange, writeArchiveCopy } from '../../src/main/workspace/archive-writes.ts'
import { archiveCases, filled, joined } from '../support/archive-cases.ts'
import { corpusRoot, describeCorpus, filesBelow, readBytes } from '../support/corpus.ts'
import { junk } from '../support/hostile.ts'
import { readBig, readImg2, readMix, readPack } from '../support/read-archives.ts'
import { onDisk } from './archive-bench.ts'
import { temporaryFolder } from './support.ts'
import type { ArchiveParts, Segment } from '../../src/main/formats/archive.ts'
import type { ArchiveChange, ArchivePlan } from '../../src/main/workspace/archive-edits.ts'
import type { ArchiveCase } from '../support/archive-cases.ts'
import type { ReadMember } from '../support/read-archives.ts'

const KINDS = ['PAK', 'BIG', 'BIG4', 'MIX', 'IMG v1', 'IMG v2']
const SECTOR = 2048

const plain = (list: readonly ReadMember[]): [string, string][] =>
  list.map(({ name, bytes }): [string, string] => [name, Buffer.from(bytes).toString('latin1')])

/** Comes, goes, grows and changes names at random; everything is read after each step. */
async function work(archiveCase: ArchiveCase, steps: number): Promise<void> {
  await onDisk(archiveCase, async ({ store, archive, members, change }) => {
    const unit = archiveCase.unit ?? 0
    const stored = (bytes: Uint8Array): Uint8Array => (unit ? filled(bytes, unit) : bytes)
    const expected = members()
    let seed = 4711
    const random = (n: number): number => (seed = (Math.imul(seed, 1103515245) + 12345) >>> 0) % n
    for (let step = 0; step < steps; step++) {
      const i = expected.length === 0 ? -1 : random(expected.length)
      const what = i < 0 ? 'add' : (['add', 'rename', 'remove', 'replace', 'add'] as const)[random(5)]
      const name = `s${step}${'x'.repeat(random(12))}.dat`
      const bytes = junk(random(5000), 100 + step)
      if (what === 'add') {
        const more = [
          { name, bytes },
          { name: `t${step}.dat`, bytes: junk(random(100), step) },
        ]
        await change({ kind: 'add', members: more })
        for (const one of more) expected.push({ name: one.name, bytes: stored(one.bytes), rest: '' })
      } else if (what === 'rename') {
        await change({ kind: 'rename', names: new Map([[i, name]]) })
        expected[i] = { ...expected[i], name }
      } else if (what === 'remove') {
        await change({ kind: 'remove', members: new Set([i]) })
        expected.splice(i, 1)
      } else {
        await change({ kind: 'replace', member: i, bytes })
        expected[i] = { ...expected[i], bytes: stored(bytes) }
      }
      const now = members()
      const inOrder = (list: readonly ReadMember[]) => (archiveCase.sorted ? plain(list).sort() : plain(list))
      expect(inOrder(now), `step ${step}: ${what} ${i}`).toEqual(inOrder(expected))
      expected.splice(0, expected.length, ...now)
      expect(store.members(archive).length).toBe(expected.length)
    }
  })
}

describe('members that come, go and get other names', () => {
  it.each(KINDS)('in a fixture: %s', async (kind) => work(archiveCases[kind](), 30))

  describeCorpus('w3d/big', (root) => {
    it.each(['big4-small.big', 'with-tail.big', 'zzyzy_NoAISuperweapons.big'])('in a file of a peer: %s', async (name) => {
      await work({ files: { [name]: readBytes(join(root, name)) }, read: readBig }, 10)
    })
  })
  describeCorpus('level5/dc1-effects', (root) => {
    it.each(['Fire', 'Ice'])('in a file of a peer: %s', async (name) => {
      await work({ files: { [`${name}.efp`]: readBytes(join(root, name)) }, read: readPack }, 10)
    })
  })
  const real = filesBelow(join(corpusRoot, 'renderware')).filter(
    (path) => /\.img$/i.test(path) && readBytes(path).subarray(0, 4).toString() === '86,69,82,50',
  )
  const title = real.length > 0 ? 'in an IMG of the corpus' : 'in an IMG of the corpus (skipped: there is none)'
  it.skipIf(real.length === 0)(title, async () => {
    await work({ files: { 'x.img': readBytes(real[0]) }, read: readImg2, unit: SECTOR }, 5)
  })
})

describe.each(KINDS)('%s', (kind) => {
  const made = archiveCases[kind]()
  const stay = (list: readonly ReadMember[], without: readonly string[]) => list.filter(({ name }) => !without.includes(name))

  it('keeps every byte of what stays, and the original', async () => {
    await onDisk(made, async ({ members, change, number, archive, root, originals }) => {
      const before = members()
      await change({ kind: 'add', members: [{ name: 'new.bin', bytes: junk(3001, 5) }] })
      expect(stay(members(), ['new.bin'])).toEqual(before)
      const first = before[0].name
      await change({ kind: 'rename', names: new Map([[0, 'first.bin']]) })
      expect(stay(members(), ['new.bin', 'first.bin'])).toEqual(before.slice(1))
      await change({ kind: 'remove', members: new Set([number('first.bin')]) })
      expect(stay(members(), ['new.bin', first])).toEqual(before.slice(1))
      const kept = await originals.entry(archive)
      expect(kept?.kept).toHaveLength(1)
      expect(readdirSync(root).sort()).toEqual(Object.keys(made.files).sort())
    })
  })

  it('refuses names that are there, that it cannot hold, and members that are not', async () => {
    await onDisk(made, ({ store, archive, members }) => {
      const most = { PAK: 63, BIG: 4095, BIG4: 4095, MIX: 254, 'IMG v1': 23, 'IMG v2': 23 }[kind]!
      const bytes = junk(10, 1)
      const plan = (change: ArchiveChange) => () => planArchiveChange(store, archive, change)
      const refused = (change: ArchiveChange, code = 'invalid-edit') => expect(plan(change)).toThrow(expect.objectContaining({ code }))
      const [first, second] = members().map(({ name }) => name)
      const leadOut = ['..', '../x.dff', 'a/../../x', '/x.dff', '\\x.dff', 'C:\\x.dff', 'c:x', 'a//b', 'a/./b', 'a/', 'x\ny', '\x7f']
      for (const name of ['', 'a\0b', 'a'.repeat(most + 1), second.toUpperCase(), '한.dat', ...leadOut]) {
        refused({ kind: 'add', members: [{ name, bytes }] })
        refused({ kind: 'rename', names: new Map([[0, name]]) })
      }
      refused({ kind: 'add', members: ['x.a', 'X.A'].map((name) => ({ name, bytes })) })
      for (const member of [-1, 99, 0.5]) {
        refused({ kind: 'rename', names: new Map([[member, 'x']]) }, 'not-found')
        refused({ kind: 'remove', members: new Set([member]) }, 'not-found')
      }
      expect(plan({ kind: 'add', members: [{ name: 'a'.repeat(most), bytes }] })).not.toThrow()
      // the same name in other letters is the member's own
      expect(plan({ kind: 'rename', names: new Map([[0, first.toUpperCase().replace('B.', 'q.')]]) })).not.toThrow()
    })
  })

  it('stays an archive that is known for one, or stays as it is', async () => {
    await onDisk(made, ({ store, archive, members }) => {
      const all: ArchiveChange = { kind: 'remove', members: new Set(members().keys()) }
      // a directory of no entries is not known for one
      if (kind === 'IMG v1') expect(() => planArchiveChange(store, archive, all)).toThrow(expect.objectContaining({ code: 'invalid-edit' }))
      else expect(planArchiveChange(store, archive, all).plan.members[1]).toBe(0)
      const odd = { name: 'readme', bytes: junk(9, 1) }
      expect(planArchiveChange(store, archive, { kind: 'add', members: [odd] }).plan.members[1]).toBe(members().length + 1)
      expect(planArchiveChange(store, archive, [all, { kind: 'add', members: [odd] }]).plan.members[1]).toBe(1)
    })
  })

  it('tells in bytes what would be written, and writes a copy elsewhere', async () => {
    await onDisk(made, async ({ store, archive, root, members }) => {
      const names = Object.keys(made.files)
      const before = members()
      const planned = planArchiveChange(store, archive, { kind: 'add', members: [{ name: 'new.bin', bytes: junk(3001, 5) }] })
      const { plan } = planned
      expect(plan.members).toEqual([before.length, before.length + 1])
      expect(plan.bodies).toBe(3001)
      expect(plan.size[0]).toBe(names.reduce((sum, name) => sum + made.files[name].length, 0))
      expect(plan.size[1]).toBe(plan.copied + plan.bodies + plan.tables)
      const out = join(root, 'copy')
      const files = await writeArchiveCopy(store, planned, join(out, names.at(-1)!), false)
      expect(files.reduce((sum, file) => sum + readBytes(file).length, 0)).toBe(plan.size[1])
      expect(made.read(...names.map((name) => readBytes(join(out, name)))).filter(({ name }) => name !== 'new.bin')).toEqual(before)
      expect(members()).toEqual(before)
      await expect(writeArchiveCopy(store, planned, join(out, names.at(-1)!), false)).rejects.toMatchObject({ code: 'io' })
      await writeArchiveCopy(store, planned, join(out, names.at(-1)!), true)
    })
  })
})

describe('damaged archives', () => {
  it.each(KINDS)('are changed as they should be, or refused with a code: %s', async (kind) => {
    const made = archiveCases[kind]()
    const names = Object.keys(made.files)
    let [done, refused] = [0, 0]
    for (let at = 0; at < 220; at += 3)
      for (const value of [0xff, 0x01]) {
        const files = { ...made.files, [names.at(-1)!]: made.files[names.at(-1)!].slice() }
        const directory = files[names.at(-1)!]
        if (at >= directory.length) continue
        directory[at] ^= value
        await onDisk({ files, read: made.read }, ({ store, archive }) => {
          for (const change of [
            { kind: 'add', members: [{ name: 'new.bin', bytes: junk(3001, 5) }] },
            { kind: 'remove', members: new Set([0]) },
            { kind: 'rename', names: new Map([[1, 'other.bin']]) },
          ] as const)
            try {
              planArchiveChange(store, archive, change)
              done++
            } catch (error) {
              expect(error, `byte ${at}, ${change.kind}`).toBeInstanceOf(FormatError)
              expect((error as FormatError).code).not.toBe('internal')
              refused++
            }
        })
      }
    expect(done).toBeGreaterThan(refused / 10)
  })
})

describe('what each kind does by itself', () => {
  it('IMG v2: bodies that stand where the directory grows go to the end, shared ones once; no other moves', async () => {
    await onDisk(archiveCases['IMG v2'](), async ({ members, change, store, archive }) => {
      const before = members()
      const places = () => store.members(archive).map(({ offset }) => offset)
      const [was] = [places()]
      const more = Array.from({ length: 70 }, (_, i) => ({ name: `n${i}.dff`, bytes: junk(3, i) }))
      await change({ kind: 'add', members: more })
      expect(members().slice(0, before.length)).toEqual(before)
      expect(
        members()
          .slice(before.length)
          .map(({ bytes }) => bytes.subarray(0, 3)),
      ).toEqual(more.map(({ bytes }) => bytes))
      const now = places()
      expect(now[1]).toBeGreaterThan(was[1])
      expect([0, 2, 3].map((i) => now[i])).toEqual([0, 2, 3].map((i) => was[i]))
      await change({ kind: 'remove', members: new Set(more.map((_, i) => before.length + i)) })
      expect(members()).toEqual(before)
      // up to the body that two of them have
      const many = Array.from({ length: 200 }, (_, i) => ({ name: `m${i}.dff`, bytes: junk(3, i) }))
      await change({ kind: 'add', members: many })
      const then = places()
      expect(then[2]).toBeGreaterThan(was[2])
      expect(then[3]).toBe(then[2])
      expect(members().slice(0, before.length)).toEqual(before)
    })
  })

  it('IMG: a member of more sectors than the directory counts is refused in version 2', async () => {
    const bytes = new Uint8Array(0x10000 * SECTOR)
    await onDisk(archiveCases['IMG v2'](), ({ store, archive }) => {
      for (const change of [
        { kind: 'add', members: [{ name: 'large.dff', bytes }] },
        { kind: 'replace', member: 0, bytes },
      ] as const)
        expect(() => planArchiveChange(store, archive, change)).toThrow(expect.objectContaining({ code: 'invalid-edit' }))
    })
  })

  it('IMG v1: members that stand at the end of the data take it along', async () => {
    await onDisk(archiveCases['IMG v1'](), async ({ change, members, root, number }) => {
      const size = () => readFileSync(join(root, 'gta3.img')).length
      const before = [size(), members()]
      await change({ kind: 'add', members: [{ name: 'z.dff', bytes: junk(5000, 1) }] })
      expect(size()).toBe((before[0] as number) + 3 * SECTOR)
      await change({ kind: 'remove', members: new Set([number('z.dff')]) })
      expect([size(), members()]).toEqual(before)
    })
  })

  it('BIG: what stands between table and bodies and behind them stays, header fields stay as true as they were', async () => {
    const plainBig = makeBig('BIGF', [
      { name: 'a', bytes: junk(30, 1) },
      { name: 'b', bytes: junk(20, 2) },
    ])
    const tail = junk(24, 7)
    const table = 16 + 2 * 10
    const shifted = joined(plainBig.subarray(0, table), tail, plainBig.subarray(table), junk(9, 3))
    const view = new DataView(shifted.buffer)
    for (const at of [16, 26]) view.setUint32(at, view.getUint32(at) + tail.length)
    view.setUint32(4, shifted.length, true)
    await onDisk({ files: { 'x.big': shifted }, read: readBig }, async ({ archive, change }) => {
      await change({ kind: 'add', members: [{ name: 'dir/c', bytes: junk(5, 4) }] })
      const now = readBytes(archive)
      const end = table + 9 + 5
      expect(now.subarray(end, end + tail.length)).toEqual(tail)
      expect(now.subarray(-14)).toEqual(joined(junk(9, 3), junk(5, 4)))
      const header = new DataView(now.buffer, now.byteOffset)
      expect(header.getUint32(4, true)).toBe(now.length)
      expect(header.getUint32(12)).toBe(end)
      expect(readBig(now).map(({ name }) => name)).toEqual(['a', 'b', 'dir\\c'])
      await change({ kind: 'remove', members: new Set([2]) })
      expect(readBytes(archive)).toEqual(shifted)
    })
  })

  it('MIX: a table in the order that the game searches by stays in it', async () => {
    const names = ['b.w3d', 'a.w3d', 'zz.w3d', 'm.w3d']
    const bytes = makeMix(names.map((name, i) => ({ name, bytes: junk(10 + i, i) })))
    await onDisk({ files: { 'x.mix': bytes }, read: readMix }, async ({ members, change, number }) => {
      const inOrder = (): void => {
        const crcs = members().map(({ rest }) => Number(rest.split(' ')[0]))
        expect(crcs).toEqual([...crcs].sort((a, b) => a - b))
      }
      for (const name of ['c.w3d', 'd.w3d', 'e.w3d']) {
        await change({ kind: 'add', members: [{ name, bytes: junk(7, 7) }] })
        inOrder()
      }
      await change({ kind: 'rename', names: new Map([[number('m.w3d'), 'other.w3d']]) })
      inOrder()
      expect(members().find(({ name }) => name === 'other.w3d')!.bytes).toEqual(junk(13, 3))
    })
  })

  it('PAK: nothing is put behind a record that does not say where it ends', async () => {
    const bytes = newPack([{ name: 'a', data: junk(20, 1) }])
    new DataView(bytes.buffer).setUint32(0x48, 0x7fffffff, true)
    await onDisk({ files: { 'x.chr': bytes }, read: readPack }, ({ store, archive }) => {
      expect(() => planArchiveChange(store, archive, { kind: 'add', members: [{ name: 'b', bytes: junk(1, 1) }] })).toThrow(
        expect.objectContaining({ code: 'invalid-edit' }),
      )
    })
  })

  it('discs take other bodies and no other members', async () => {
    for (const kind of ['HD2', 'HD3', 'HED'])
      await onDisk(archiveCases[kind](), ({ store, archive }) => {
        expect(() => planArchiveChange(store, archive, { kind: 'remove', members: new Set([0]) })).toThrow(
          expect.objectContaining({ code: 'unsupported' }),
        )
      })
  })
})

describe('an archive in another', () => {
  it('is changed with those around it', async () => {
    const inner = newPack([
      { name: 'a.cfg', data: junk(20, 1) },
      { name: 'b.cfg', data: junk(33, 2) },
    ])
    const big = makeBig('BIGF', [
      { name: 'x.chr', bytes: inner },
      { name: 'last', bytes: junk(50, 3) },
    ])
    await onDisk({ files: { 'x.big': big }, read: readBig }, async ({ store, archive, originals, members }) => {
      const ref = `${archive}!x.chr`
      const planned = planArchiveChange(store, ref, { kind: 'add', members: [{ name: 'c.cfg', bytes: junk(100, 4) }] })
      await writeArchiveChange(store, originals, planned, archiveTarget(store, ref, { mode: 'in-place', root: '', folder: '' }))
      const [pack, last] = members()
      expect(last.bytes).toEqual(junk(50, 3))
      expect(readPack(pack.bytes).map(({ name, bytes }) => [name, bytes])).toEqual([
        ['a.cfg', junk(20, 1)],
        ['b.cfg', junk(33, 2)],
        ['c.cfg', junk(100, 4)],
      ])
    })
  })
})

describe('a plan', () => {
  it('changes nothing where each byte of each file stays where it is', async () => {
    const made = archiveCases['disc of four directories']()
    await onDisk(made, ({ store, archive }) => {
      const top = store.openArchive(archive)!
      const size = top.data.size
      const bytes = (length: number, odd = 0): Segment => {
        const fresh = top.data.read(0, length)
        fresh[0] ^= odd
        return { kind: 'bytes', bytes: fresh, as: 'member' }
      }
      const copy = (offset: number, length: number): Segment => ({ kind: 'copy', offset, length })
      const none = (parts: ArchiveParts): boolean => changesNothing({ plan: {} as ArchivePlan, top, parts })
      const whole = [copy(0, size)]
      const of = (...data: Segment[]): boolean => none({ data })
      expect([of(...whole), of(bytes(9), copy(9, size - 9)), of(copy(0, 7), copy(7, size - 7))]).toEqual([true, true, true])
      expect([of(bytes(9, 1), copy(9, size - 9)), of(copy(9, 9), copy(9, size - 9))]).toEqual([false, false])
      // shorter, and longer
      expect([of(copy(0, size - 1)), of(...whole, bytes(1)), of()]).toEqual([false, false, false])
      const own = [copy(0, top.source.size)]
      const peers = top.peers.map(({ ref, source }) => ({ ref, segments: [copy(0, source.size)] }))
      expect(none({ data: whole, directory: own, peers })).toBe(true)
      expect(none({ data: whole, directory: [copy(0, 9)], peers })).toBe(false)
      expect(none({ data: whole, directory: own, peers: [...peers.slice(1), { ...peers[0], segments: [copy(0, 9)] }] })).toBe(false)
    })
  })

  it('counts the bodies that stand elsewhere, and takes a body of no bytes wherever its entry says that it is', async () => {
    await onDisk(archiveCases.BIG(), ({ plan }) => {
      expect(plan({ kind: 'rename', names: new Map([[4, 'tsal.w3d']]) }).plan.moved).toBe(0)
      // a name of one letter more moves the four that have bytes
      expect(plan({ kind: 'rename', names: new Map([[4, 'last1.w3d']]) }).plan.moved).toBe(4)
    })
    const made = archiveCases['IMG v2']()
    new DataView(made.files['gta3.img'].buffer).setUint32(8 + 32 * 4, 5000, true)
    await onDisk(made, ({ plan }) => {
      expect(plan({ kind: 'replace', member: 4, bytes: new Uint8Array(0) }).plan.members).toEqual([5, 5])
    })
  })
})

describe('with a mod folder', () => {
  it.each(['BIG', 'IMG v1'])('the changed archive is written there: %s', async (kind) => {
    const made = archiveCases[kind]()
    await onDisk(made, async ({ store, archive, root, originals, members }) => {
      const folder = temporaryFolder()
      const place = { mode: 'mod-folder', root, folder } as const
      const before = members()
      const first = archiveTarget(store, archive, place)
      expect(first).toMatchObject({ from: archive, folder })
      await writeArchiveChange(store, originals, planArchiveChange(store, first.from, { kind: 'remove', members: new Set([0]) }), first)
      const names = Object.keys(made.files)
      const inMod = (): ReadMember[] => made.read(...names.map((name) => readBytes(join(folder, name))))
      expect(inMod()).toEqual(before.slice(1))
      expect(members()).toEqual(before)
      // the next change starts from there
      const second = archiveTarget(store, archive, place)
      expect(second.from).toBe(join(folder, names.at(-1)!))
      await writeArchiveChange(store, originals, planArchiveChange(store, second.from, { kind: 'remove', members: new Set([0]) }), second)
      expect(inMod()).toEqual(before.slice(2))
    })
  })
})
