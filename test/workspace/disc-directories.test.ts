/** Discs of several directories over one data file: what is written reaches all of them. Read by the test's own means. */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FileStore } from '../../src/main/files/store.ts'
import { planArchiveChange } from '../../src/main/workspace/archive-edits.ts'
import { archiveTarget, writeArchiveChange, writeArchiveCopy } from '../../src/main/workspace/archive-writes.ts'
import { level5 } from '../../src/main/formats/level5/family.ts'
import { hd2Format } from '../../src/main/formats/level5/archives/disc.ts'
import { createRegistry } from '../../src/main/formats/registry.ts'
import { newPack } from '../../src/main/formats/level5/archives/pack.ts'
import { Originals } from '../../src/main/workspace/originals.ts'
import { StateFiles } from '../../src/main/workspace/state-files.ts'
import { DISC_ENDINGS, discDirectory, discFiles, makeDisc, readDirectories } from '../support/discs.ts'
import { junk } from '../support/hostile.ts'
import { temporaryFolder, writeFiles } from './support.ts'
import type { ArchiveChange } from '../../src/main/workspace/archive-edits.ts'
import type { SavePlace } from '../../src/main/workspace/mod-copies.ts'
import type { DiscEnding } from '../support/discs.ts'
import type { ReadMember } from '../support/read-archives.ts'

const IN_PLACE: SavePlace = { mode: 'in-place', root: '', folder: '' }
const latin = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')

async function withDisc(
  body: (bench: {
    root: string
    store: FileStore
    originals: Originals
    change(ending: DiscEnding, change: ArchiveChange, place?: SavePlace): Promise<string[]>
    read(folder?: string): ReadMember[][]
  }) => Promise<void> | void,
  files = makeDisc(),
): Promise<void> {
  const root = join(temporaryFolder(), 'game')
  mkdirSync(root)
  writeFiles(root, files)
  const store = new FileStore()
  const originals = new Originals(new StateFiles(temporaryFolder()))
  try {
    await body({
      root,
      store,
      originals,
      change: (ending, change, place = IN_PLACE) => {
        const archive = join(root, `DATA.${ending}`)
        const target = archiveTarget(store, archive, place)
        return writeArchiveChange(store, originals, planArchiveChange(store, target.from, change), target)
      },
      read: (folder = root) => readDirectories((name) => new Uint8Array(readFileSync(join(folder, name)))),
    })
  } finally {
    store.close()
  }
}

/** What all directories say, which is the same in each. */
function agreed(lists: readonly ReadMember[][]): [string, string][] {
  const plain = lists.map((list) => list.map(({ name, bytes }): [string, string] => [name, latin(bytes)]))
  for (const other of plain) expect(other).toEqual(plain[0])
  return plain[0]
}

describe('a disc of four directories', () => {
  it.each(DISC_ENDINGS)('a member that grows, fits, shrinks and is emptied is the same in all of them: by %s', async (ending) => {
    await withDisc(async ({ change, read, root, originals, store }) => {
      const data = (): Uint8Array => new Uint8Array(readFileSync(join(root, 'DATA.DAT')))
      const old = data()
      const expected = agreed(read())
      const put = async (member: number, size: number): Promise<void> => {
        const bytes = junk(size, 500 + size)
        const written = await change(ending, { kind: 'replace', member, bytes })
        expect(written.map((path) => path.slice(root.length + 1)).sort()).toEqual([
          'DATA.DAT',
          'DATA.HD2',
          'DATA.HD3',
          'DATA.HD4',
          'DATA.HED',
        ])
        expected[member] = [expected[member][0], latin(bytes)]
        expect(agreed(read())).toEqual(expected)
      }
      // up to the next file it stays, and the rest of its sector is not touched
      await put(0, 3 * 0x800)
      expect(data().length).toBe(old.length)
      // beyond it goes behind everything, on a sector
      await put(0, 20_000)
      expect(data().length).toBe(12 * 0x800 + 10 * 0x800)
      expect(latin(data().subarray(0, 0x800 * 5))).toBe(latin(old.subarray(0, 0x800 * 5)))
      await put(0, 10)
      // what another record names, too, is left to it
      await put(3, 50)
      await put(6, 4100)
      await put(2, 77)
      await put(5, 0)
      await put(1, 2048)
      await originals.restore(join(root, `DATA.${ending}`))
      store.invalidate()
      for (const [name, bytes] of Object.entries(makeDisc()))
        expect(latin(readFileSync(join(root, name)) as Uint8Array), name).toBe(latin(bytes))
    })
  })

  it('directories keep every byte but the numbers of the file', async () => {
    await withDisc(async ({ change, root }) => {
      await change('HD3', { kind: 'replace', member: 0, bytes: junk(9000, 1) })
      const moved = discFiles.map((file, i) => (i === 0 ? { ...file, sector: 12, size: 9000 } : file))
      for (const ending of DISC_ENDINGS)
        expect(new Uint8Array(readFileSync(join(root, `DATA.${ending}`))), ending).toEqual(discDirectory(ending, moved))
    })
  })

  it('what a directory names behind the others is not written over', async () => {
    // HD4 alone has a file in the sectors that HD2 leaves free
    const extra = { name: 'only.bin', sector: 7, size: 600 }
    const files = { ...makeDisc(['HD2']), 'DATA.HD4': discDirectory('HD4', [...discFiles, extra]) }
    await withDisc(async ({ change, root, store }) => {
      const read = () => readDirectories((name) => new Uint8Array(readFileSync(join(root, name))), ['HD2', 'HD4'])
      const before = read()[1]
      await change('HD2', { kind: 'replace', member: 0, bytes: junk(3 * 0x800, 1) })
      const [hd2, hd4] = read()
      expect(hd4.slice(1)).toEqual(before.slice(1))
      expect(latin(hd4[0].bytes)).toBe(latin(hd2[0].bytes))
      expect(hd2[0].bytes).toEqual(junk(3 * 0x800, 1))
      expect(store.archive(join(root, 'DATA.HD2'))!.diagnostics.map(({ code }) => code)).toEqual([
        'level5.disc-twice',
        'level5.disc-missing',
      ])
    }, files)
  })

  it('tells of a file of the same name that keeps its bytes', async () => {
    await withDisc(({ store, root }) => {
      const notes = (bodies: Map<number, Uint8Array>): string[] =>
        planArchiveChange(store, join(root, 'DATA.HD4'), { kind: 'put', bodies }).plan.notes
      expect(notes(new Map([[5, junk(4000, 1)]]))).toEqual([expect.stringContaining('wep_t\\ws050_item.chr')])
      expect(notes(new Map([5, 6].map((i) => [i, junk(4000, 1)])))).toEqual([])
      expect(notes(new Map([[0, junk(9, 1)]]))).toEqual([])
    })
  })

  it('tells of each directory that does not have what is changed: who reads it alone sees nothing of it', async () => {
    const files = makeDisc()
    files['DATA.HED'] = discDirectory('HED', discFiles.slice(0, 3))
    await withDisc(({ store, root }) => {
      const notes = (change: ArchiveChange): string[] => planArchiveChange(store, join(root, 'DATA.HD2'), change).plan.notes
      const bodies = (...members: number[]): ArchiveChange => ({ kind: 'put', bodies: new Map(members.map((i) => [i, junk(9, 1)])) })
      const one = '1 file of DATA.HD2 is not in DATA.HED: "gedit\\a.cfg". A game that reads DATA.HED does not find it'
      expect(notes(bodies(0))).toEqual([])
      expect(notes(bodies(0, 3))).toEqual([one])
      expect(notes(bodies(3, 4))).toEqual([expect.stringMatching(/^2 files of DATA.HD2 are not in DATA.HED/)])
      expect(notes({ kind: 'rename', names: new Map([[3, 'gedit/b.cfg']]) })).toEqual([one])
      expect(notes({ kind: 'rename', names: new Map([[0, 'chara/c02.chr']]) })).toEqual([])
    }, files)
  })

  it('what a record behind that of zeros names is not written over', async () => {
    const files = makeDisc()
    // of HD4 alone, in the sector that the first file would grow into
    const record = 12 * (discFiles.length + 1)
    new DataView(files['DATA.HD4'].buffer).setUint32(record + 4, 600, true)
    new DataView(files['DATA.HD4'].buffer).setUint32(record + 8, 7, true)
    await withDisc(async ({ change, read, root }) => {
      const before = readFileSync(join(root, 'DATA.DAT')).subarray(7 * 0x800, 8 * 0x800)
      await change('HD2', { kind: 'replace', member: 0, bytes: junk(3 * 0x800, 1) })
      expect(latin(readFileSync(join(root, 'DATA.DAT')).subarray(7 * 0x800, 8 * 0x800))).toBe(latin(before))
      expect(agreed(read())[0][1]).toBe(latin(junk(3 * 0x800, 1)))
    }, files)
  })

  it('a name changes in all of them where there is room for it, in the place of the old one', async () => {
    await withDisc(async ({ change, read, root }) => {
      const sizes = Object.keys(makeDisc()).map((name) => readFileSync(join(root, name)).length)
      const expected = agreed(read())
      await change('HED', { kind: 'rename', names: new Map([[0, 'chara/c02.chr']]) })
      expected[0] = ['chara\\c02.chr', expected[0][1]]
      expect(agreed(read())).toEqual(expected)
      expect(Object.keys(makeDisc()).map((name) => readFileSync(join(root, name)).length)).toEqual(sizes)
      for (const [member, name, code] of [
        [0, 'chara/longer_than.chr', 'invalid-edit'],
        [0, 'TMP.TXT', 'invalid-edit'],
        [99, 'x', 'not-found'],
      ] as const)
        await expect(async () => change('HD2', { kind: 'rename', names: new Map([[member, name]]) }), name).rejects.toMatchObject({ code })
      await expect(async () => change('HD4', { kind: 'remove', members: new Set([1]) })).rejects.toMatchObject({ code: 'unsupported' })
      await expect(async () => change('HD4', { kind: 'add', members: [{ name: 'x', bytes: junk(1) }] })).rejects.toMatchObject({
        code: 'unsupported',
      })
      expect(agreed(read())).toEqual(expected)
      // in other letters it is no other file
      await change('HD2', { kind: 'rename', names: new Map([[0, 'CHARA/c02.CHR']]) })
      expected[0] = ['CHARA\\c02.CHR', expected[0][1]]
      expect(agreed(read())).toEqual(expected)
    })
  })

  it('says where directories disagree, once, and with what the game does', async () => {
    const stale = discFiles.map((file, i) => (i === 0 ? { ...file, sector: 0 } : file))
    await withDisc(
      async ({ store, root, change, read }) => {
        const codes = (ending: DiscEnding): string[] => store.archive(join(root, `DATA.${ending}`))!.diagnostics.map(({ code }) => code)
        expect(codes('HD2')).toEqual(['level5.disc-twice', 'level5.disc-apart'])
        expect(codes('HED')).toEqual(['level5.disc-twice'])
        expect(store.archive(join(root, 'DATA.HD2'))!.diagnostics.at(-1)!.message).toMatch(
          /c01a\.chr.*DATA\.HD2.*DATA\.HED.*Dark Cloud reads HD2 alone/,
        )
        // a write brings them together
        await change('HED', { kind: 'replace', member: 0, bytes: junk(70, 3) })
        agreed(read())
        expect(codes('HD2')).toEqual(['level5.disc-twice'])
      },
      { ...makeDisc(), 'DATA.HED': discDirectory('HED', stale) },
    )
  })

  it.each([
    ['sectors', 28, 99],
    ['offset', 16, 0x1234],
    ['nameOffset', 0, 0x7fffffff],
  ])('a record that was patched by hand and contradicts itself hides no directory: %s', async (field, at, value) => {
    const files = makeDisc()
    new DataView(files['DATA.HD2'].buffer).setUint32(0x20 + at, value, true)
    await withDisc(async ({ store, root, change }) => {
      const open = store.openArchive(join(root, 'DATA.HD2'))
      expect(open?.index.diagnostics.filter(({ path }) => path === `records[1].${field}`)).toHaveLength(1)
      expect(store.canonical(join(root, 'DATA.DAT!gedit/a.cfg'))).toBe(join(root, 'DATA.HD2!gedit/a.cfg'))
      await change('HD3', { kind: 'replace', member: 3, bytes: junk(5000, 8) })
      const written = new DataView(new Uint8Array(readFileSync(join(root, 'DATA.HD2'))).buffer)
      expect(written.getUint32(3 * 0x20 + 20, true)).toBe(5000)
      expect(written.getUint32(0x20 + at, true)).toBe(value)
    }, files)
  })

  it('is not written while one of them cannot be read', async () => {
    await withDisc(
      async ({ store, root, change }) => {
        expect(store.members(join(root, 'DATA.HD2'))).toHaveLength(7)
        expect(store.archive(join(root, 'DATA.HD2'))!.diagnostics.map(({ code }) => code)).toContain('level5.disc-peer')
        await expect(async () => change('HD2', { kind: 'replace', member: 0, bytes: junk(5) })).rejects.toMatchObject({
          code: 'invalid-edit',
          message: expect.stringContaining('DATA.HD3') as string,
        })
      },
      { ...makeDisc(), 'DATA.HD3': junk(5, 1) },
    )
  })

  it('is not written where one of them would not say the same', async () => {
    const replace: typeof hd2Format.replace = (index, bodies) => {
      const { peers = [], ...parts } = hd2Format.replace(index, bodies)
      const [first, ...others] = peers
      const size = statSync(first.ref).size
      return { ...parts, peers: [{ ref: first.ref, segments: [{ kind: 'copy', offset: 0, length: size }] }, ...others] }
    }
    const lying = Object.create(hd2Format, { replace: { value: replace } }) as typeof hd2Format
    const archives = level5.archives.map((one) => (one.id === hd2Format.id ? lying : one))
    const root = temporaryFolder()
    writeFiles(root, makeDisc())
    const store = new FileStore({ registry: createRegistry([{ ...level5, archives }]) })
    try {
      const plan = (bytes: Uint8Array): unknown => planArchiveChange(store, join(root, 'DATA.HD2'), { kind: 'replace', member: 3, bytes })
      expect(() => plan(junk(5000, 8))).toThrow(expect.objectContaining({ code: 'io' }))
    } finally {
      store.close()
    }
  })

  it('a mod folder gets all files of the disc, and what is in it goes on from there', async () => {
    await withDisc(async ({ root, change, read, store, originals }) => {
      const folder = join(temporaryFolder(), 'mod')
      const place: SavePlace = { mode: 'mod-folder', root, folder }
      const before = agreed(read())
      await change('HD2', { kind: 'replace', member: 0, bytes: junk(9000, 1) }, place)
      await change('HD3', { kind: 'replace', member: 1, bytes: junk(9000, 2) }, place)
      expect(agreed(read())).toEqual(before)
      const there = agreed(read(folder))
      expect(there[0][1]).toBe(latin(junk(9000, 1)))
      expect(there[1][1]).toBe(latin(junk(9000, 2)))
      expect(there.slice(2)).toEqual(before.slice(2))
      // a directory that went away alone would let the game's data over the changed one
      writeFileSync(join(root, 'DATA.HED'), makeDisc()['DATA.HED'])
      const { rmSync } = await import('node:fs')
      rmSync(join(folder, 'DATA.HED'))
      store.invalidate()
      await expect(change('HED', { kind: 'replace', member: 0, bytes: junk(9, 1) }, place)).rejects.toMatchObject({ code: 'refused' })
      await originals.restore(join(folder, 'DATA.HD2'))
      expect(existsSync(join(folder, 'DATA.DAT'))).toBe(false)
    })
  })

  it('a copy has all files, called as the one that is named', async () => {
    await withDisc(async ({ root, store, read }) => {
      const out = join(temporaryFolder(), 'out')
      const planned = planArchiveChange(store, join(root, 'DATA.HD2'), { kind: 'replace', member: 0, bytes: junk(9000, 1) })
      expect(planned.plan).toMatchObject({ members: [7, 7], moved: 0 })
      const all = Object.values(makeDisc()).reduce((sum, { length }) => sum + length, 0)
      expect(planned.plan.size).toEqual([all, all - 77 + 0x800 + 5 * 0x800])
      const written = await writeArchiveCopy(store, planned, join(out, 'DISC.HD2'), false)
      expect(written.map((path) => path.slice(out.length + 1))).toEqual(['DISC.DAT', 'DISC.HD3', 'DISC.HD4', 'DISC.HED', 'DISC.HD2'])
      for (const ending of [...DISC_ENDINGS, 'DAT']) writeFileSync(join(out, `DATA.${ending}`), readFileSync(join(out, `DISC.${ending}`)))
      expect(agreed(read(out))[0][1]).toBe(latin(junk(9000, 1)))
    })
  })

  it('is what its directories say, whatever the first file of the data is', async () => {
    const files = makeDisc()
    files['DATA.DAT'].set(newPack([{ name: 'a.cfg', data: junk(9, 1) }]))
    await withDisc(({ root, store }) => {
      expect(store.identify(join(root, 'DATA.DAT'))).toBeUndefined()
      expect(store.exists(join(root, 'DATA.DAT!a.cfg'))).toBe(false)
      expect(store.read(join(root, 'DATA.DAT!gedit/a.cfg'))).toEqual(store.read(join(root, 'DATA.HD4!gedit/a.cfg')))
      // without a directory it is what it begins with
      writeFileSync(join(root, 'OTHER.DAT'), files['DATA.DAT'])
      expect(store.identify(join(root, 'OTHER.DAT'))?.archive?.id).toBe('level5.pack')
    }, files)
  })

  it('is named by its data file, and by any directory', async () => {
    await withDisc(({ root, store }) => {
      for (const ending of [...DISC_ENDINGS, 'DAT'])
        expect(store.read(join(root, `DATA.${ending}!chara/c01a.chr`)), ending).toEqual(store.read(join(root, 'DATA.HD2!chara/c01a.chr')))
      expect(store.canonical(join(root, 'DATA.DAT!chara/c01a.chr'))).toBe(join(root, 'DATA.HD2!chara/c01a.chr'))
    })
  })
})
