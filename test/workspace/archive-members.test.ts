import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FileStore } from '../../src/main/files/store.ts'
import { MemoryNeighbourhood } from '../../src/main/files/memory-neighbourhood.ts'
import { createRegistry, registry } from '../../src/main/formats/registry.ts'
import { makeBig } from '../../src/main/formats/w3d/archives/big.ts'
import { nameCrc } from '../../src/main/formats/w3d/archives/mix.ts'
import { replaceFiles } from '../../src/main/workspace/atomic.ts'
import { archiveOutputs, checkMembers } from '../../src/main/workspace/save.ts'
import { Workspace } from '../../src/main/workspace/workspace.ts'
import { describeCorpus, readBytes } from '../support/corpus.ts'
import { junk } from '../support/hostile.ts'
import { readBig, readDisc, readHed, readImg1, readImg2, readMix, readPack } from '../support/read-archives.ts'
import { fakeFamily, numbersBytes, numbersFormat } from './fake-family.ts'
import { temporaryFolder } from './support.ts'
import type { ReadMember } from '../support/read-archives.ts'
import type { Numbers } from './fake-family.ts'

/** An archive as a test knows it: its files, the one that is opened first, and a reading of its members by the test's own means. */
interface Case {
  files: Record<string, Uint8Array>
  /** data file first */
  read(...files: Uint8Array[]): ReadMember[]
  /** members come in whole units of so many bytes */
  unit?: number
}

const joined = (...parts: (Uint8Array | number[])[]): Uint8Array => new Uint8Array(Buffer.concat(parts.map((part) => Buffer.from(part))))
const u32 = (...values: number[]): Uint8Array => new Uint8Array(Uint32Array.from(values).buffer)
const named = (text: string, size: number, seed: number): Uint8Array => {
  const out = junk(size, seed)
  out.set(Buffer.from(`${text}\0`, 'latin1'))
  return out
}
const SECTOR = 2048
const filled = (bytes: Uint8Array, unit: number): Uint8Array => joined(bytes, new Uint8Array((unit - (bytes.length % unit)) % unit))

/** Bodies in another order than the table's, a gap of junk, two entries at one place, one without bytes, one name twice. */
const places = [
  { name: 'b.dff', sector: 5, sectors: 2 },
  { name: 'a.txd', sector: 1, sectors: 1 },
  { name: 'B.DFF', sector: 3, sectors: 1 },
  { name: 'same.dff', sector: 3, sectors: 1 },
  { name: 'empty.dff', sector: 3, sectors: 0 },
]
const body = junk(7 * SECTOR, 77)

const fixtures: Record<string, () => Case> = {
  'IMG v2': () => {
    const head = joined(
      Buffer.from('VER2'),
      u32(places.length),
      ...places.map(({ name, sector, sectors }, i) => joined(u32(sector, i === 2 ? (sectors << 16) | 9 : sectors), named(name, 24, i))),
    )
    return { files: { 'gta3.img': joined(head, body.subarray(head.length)) }, read: readImg2, unit: SECTOR }
  },
  'IMG v1': () => ({
    files: {
      'gta3.img': body,
      'gta3.dir': joined(...places.map(({ name, sector, sectors }, i) => joined(u32(sector, sectors), named(name, 24, i)))),
    },
    read: readImg1,
    unit: SECTOR,
  }),
  HD2: () => ({ files: disc('hd2'), read: (data, directory) => readDisc('hd2', data, directory) }),
  HD3: () => ({ files: disc('hd3'), read: (data, directory) => readDisc('hd3', data, directory) }),
  HED: () => ({
    files: {
      'DATA.DAT': body,
      'DATA.HED': joined(
        ...places.map(({ name, sector, sectors }, i) =>
          joined(named(name, 64, i), u32(sector * SECTOR, Math.max(0, sectors * SECTOR - 100)), junk(8, i)),
        ),
        new Uint8Array(0x50),
        junk(33, 5),
      ),
    },
    read: readHed,
  }),
  BIG: () => {
    const bytes = makeBig('BIGF', [
      { name: 'Art\\b.w3d', bytes: junk(300, 1) },
      { name: 'Art\\a.w3d', bytes: junk(200, 2) },
      { name: 'art\\A.w3d', bytes: junk(100, 3) },
      { name: 'empty.txt', bytes: new Uint8Array(0) },
      { name: 'last.w3d', bytes: junk(50, 4) },
    ])
    return { files: { 'x.big': joined(bytes, junk(40, 9)) }, read: readBig }
  },
  MIX: () => {
    const names = ['b.w3d', 'a.w3d', 'A.w3d', 'empty.w3d', 'z.w3d']
    const sizes = [300, 200, 100, 0, 60]
    // the tables in the middle of the bodies, and the names before the entries
    const text = joined(u32(names.length), ...names.map((name) => joined([name.length + 1], Buffer.from(`${name}\0`, 'latin1'))))
    const namesAt = 12 + 640
    const tableAt = namesAt + text.length + 5
    const end = tableAt + 4 + 12 * names.length
    const offsets = [12 + 250, 12 + 20, end + 7, 0, 12 + 560]
    const table = joined(u32(names.length), ...names.map((name, i) => u32(nameCrc(Buffer.from(name)), offsets[i], sizes[i])))
    return {
      files: { 'x.mix': joined(Buffer.from('MIX1'), u32(tableAt, namesAt), junk(640, 1), text, junk(5, 2), table, junk(150, 3)) },
      read: readMix,
    }
  },
  PAK: () => ({
    files: {
      'x.chr': joined(
        ...[
          ['b.mds', 100],
          ['a.mot', 64],
          ['B.MDS', 0],
          ['c.cfg', 33],
        ].map(([name, size], i) => {
          const stride = 0x50 + ((Number(size) + 15) & ~15)
          return joined(named(String(name), 64, i), u32(0x50, Number(size), stride, 0xabcd), junk(stride - 0x50, i))
        }),
        joined([0], junk(63, 8), u32(0x50, 0xffffffff, 0xffffffff, 0xabcd)),
        junk(19, 3),
      ),
    },
    read: readPack,
  }),
}

function disc(kind: 'hd2' | 'hd3'): Record<string, Uint8Array> {
  const words = kind === 'hd2' ? 8 : 4
  // a record of zeros ends the list before the names do
  const table = 4 * words * (places.length + 1)
  let at = table
  const records = places.map(({ name, sector, sectors }) => {
    const size = Math.max(0, sectors * SECTOR - 100)
    const record = kind === 'hd2' ? u32(at, 0, 0, 0, sector * SECTOR, size, sector, sectors) : u32(at, size, sector, sectors)
    at += name.length + 1
    return record
  })
  const names = Buffer.from(places.map(({ name }) => `${name}\0`).join(''), 'latin1')
  return { 'DATA.DAT': body, [`DATA.${kind.toUpperCase()}`]: joined(...records, new Uint8Array(4 * words), names) }
}

/** Grows, shrinks, empties and refills members, one and several at a time, and reads everything after each step. */
async function work(files: Record<string, Uint8Array>, read: Case['read'], unit = 0): Promise<void> {
  const root = temporaryFolder()
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(root, name), bytes)
  const names = Object.keys(files)
  const archive = join(root, names.at(-1)!)
  const now = (): ReadMember[] => read(...names.map((name) => readBytes(join(root, name))))
  const store = new FileStore()
  const expected = now()
  let seed = 12345
  const random = (n: number): number => (seed = (Math.imul(seed, 1103515245) + 12345) >>> 0) % n
  try {
    const count = store.members(archive).length
    expect(count).toBe(expected.length)
    const seen = new Set<string>()
    for (let step = 0; step < 40; step++) {
      const replacements = new Map<number, Uint8Array>()
      for (let k = random(3); k >= 0; k--) {
        const i = random(count)
        const size = expected[i].bytes.length
        const what = size === 0 ? 'refill' : (['grow', 'shrink', 'empty', 'same'] as const)[random(4)]
        seen.add(what)
        const length = { refill: 1 + random(3000), grow: size + 1 + random(5000), shrink: random(size), empty: 0, same: size }[what]
        replacements.set(i, junk(length, 1000 + 10 * step + k))
      }
      const open = store.openArchive(archive)!
      const outputs = archiveOutputs(open, replacements, archive, open.dataRef)
      await replaceFiles(outputs, (temporaries) => {
        checkMembers(store, open, replacements, temporaries, archive)
        for (const { target } of outputs) store.invalidate(target)
        for (const temporary of temporaries) store.invalidate(temporary)
      })
      for (const [i, bytes] of replacements) expected[i] = { ...expected[i], bytes: unit ? filled(bytes, unit) : bytes }
      expect(now(), `step ${step}: ${[...replacements].map(([i, bytes]) => `${i} to ${bytes.length}`).join(', ')}`).toEqual(expected)
      // an archive is known by what is in it, emptied members or not
      expect(store.members(archive).map((member) => member.size)).toEqual(expected.map(({ bytes }) => bytes.length))
    }
    expect([...seen].sort()).toEqual(['empty', 'grow', 'refill', 'same', 'shrink'])
  } finally {
    store.close()
  }
}

describe('members that grow, shrink, are emptied and filled again', () => {
  it.each(Object.keys(fixtures))('in a fixture: %s', async (kind) => {
    const { files, read, unit } = fixtures[kind]()
    await work(files, read, unit)
  })
  describeCorpus('w3d/big', (root) => {
    it.each(['big4-small.big', 'with-tail.big', 'zzyzy_NoAISuperweapons.big'])('in a file of a peer: %s', async (name) => {
      await work({ [name]: readBytes(join(root, name)) }, readBig)
    })
  })
  describeCorpus('level5/dc1-effects', (root) => {
    it.each(['Fire', 'Ice', 'Wind'])('in a file of a peer: %s', async (name) => {
      await work({ [`${name}.efp`]: readBytes(join(root, name)) }, readPack)
    })
  })
})

describe('documents in members, edited and saved', () => {
  const numbers = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 0.5)
  const family = {
    ...fakeFamily,
    formats: [numbersFormat],
    archives: registry.families.flatMap((f) => f.archives.map((archive) => ({ ...archive, family: 'fake' }))),
  }

  it.each([
    ['IMG v2', readImg2],
    ['IMG v1', readImg1],
    ['HD2', (data: Uint8Array, directory: Uint8Array) => readDisc('hd2', data, directory)],
    ['BIG', readBig],
    ['PAK', readPack],
    ['MIX', readMix],
  ] as const)('%s: a member of another size is saved, read again, undone and redone', async (kind, read) => {
    const base = temporaryFolder()
    const root = join(base, 'game')
    mkdirSync(root)
    const { files, unit = 0 } = fixtures[kind]()
    const names = Object.keys(files)
    const archive = join(root, names.at(-1)!)
    for (const [name, bytes] of Object.entries(files)) writeFileSync(join(root, name), bytes)
    const store = new FileStore({ registry: createRegistry([family]) })
    const workspace = new Workspace({ files: store, stateFolder: join(base, 'state') })
    try {
      // the first member becomes a document, as a peer would have put it there
      const [member] = store.members(archive)
      const open = store.openArchive(archive)!
      const first = numbersBytes(numbers(3), 'first', new Uint8Array(0))
      await replaceFiles(archiveOutputs(open, new Map([[0, first]]), archive, open.dataRef))
      store.invalidate()
      const others = (): ReadMember[] =>
        (read as Case['read'])(...names.map((name) => new Uint8Array(readFileSync(join(root, name))))).slice(1)
      const before = others()
      const model = workspace.open({
        family,
        binding: {
          family: 'fake',
          name: 'first',
          primary: member.ref,
          members: [{ role: 'model', ref: member.ref, why: 'self', detail: '' }],
        },
        around: MemoryNeighbourhood.around(store, member.ref),
      })
      const values = (): number[] => [...(model.document(member.ref) as Numbers).values]
      const saved = async (n: number): Promise<void> => {
        expect(await workspace.save(model.id)).toMatchObject({ failed: [] })
        expect(model.dirty).toBe(false)
        expect(values()).toEqual(numbers(n))
        const there = new Uint8Array(store.read(member.ref))
        const bytes = numbersBytes(numbers(n), 'first', new Uint8Array(0))
        expect(there).toEqual(unit ? filled(bytes, unit) : bytes)
        expect(others()).toEqual(before)
      }
      // within the last sector, beyond it, back, and up again
      for (const n of [10, 700, 2, 1200]) {
        await workspace.edit(model.id, `To ${n}`, (session) => {
          session.edit<Numbers>(member.ref).values = Float32Array.from(numbers(n))
        })
        await saved(n)
      }
      for (const n of [2, 700]) {
        await workspace.undo(model.id)
        await saved(n)
      }
      await workspace.redo(model.id)
      await saved(2)
      expect(workspace.changedOnDisk()).toEqual([])
    } finally {
      await workspace.closeAll()
      store.close()
    }
  })
})
