/** Small changes in a large archive are written where they stand, and are as safe there as in a copy. */
import { createHash } from 'node:crypto'
import fs, { linkSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { newTemporary } from '../../src/main/files/temporaries.ts'
import { encodeUndo, IN_PLACE_FROM } from '../../src/main/files/undo-record.ts'
import { FileStore } from '../../src/main/files/store.ts'
import { isTemporaryName, temporaryParts } from '../../src/shared/temporary-name.ts'
import { largeDisc, largeImg1, largeImg2 } from '../support/large-archives.ts'
import { readBytes } from '../support/corpus.ts'
import { junk } from '../support/hostile.ts'
import { archiveOutputs } from '../../src/main/workspace/archive-files.ts'
import { inPlaceFiles, writeInPlace } from '../../src/main/workspace/in-place.ts'
import { changedBytes, diff } from '../../src/main/workspace/patch.ts'
import { onDisk } from './archive-bench.ts'
import type { Bench } from './archive-bench.ts'

/** What is compared of large files: two of them byte for byte would take long. */
const hash = (bytes: Uint8Array): string => createHash('sha1').update(bytes).digest('hex')
const hashes = (files: string[]): string[] => files.map((file) => hash(readFileSync(file)))
const inode = (path: string): number => statSync(path).ino
const changed = (bytes: Uint8Array): Uint8Array => bytes.map((byte, i) => (i === 100 ? byte ^ 0xff : byte))
const body = ({ store, archive }: Bench, name: string): Uint8Array => store.read(`${archive}!${name}`)
/** The first change keeps the original, and is written like the others. */
const put = (bench: Bench, name: string, bytes: Uint8Array): Promise<unknown> =>
  bench.change({ kind: 'replace', member: bench.number(name), bytes })
/** A process that is no more. */
const dead = (path: string): string => path.replace(`-${process.pid}-`, '-4194305-')

describe('a change of a few bytes in a large archive', () => {
  it.each([
    ['IMG v2', largeImg2, 'b.dff', ['gta3.img'], []],
    ['IMG v1', largeImg1, 'b.dff', ['gta3.img'], ['gta3.dir']],
    ['a disc of four directories', largeDisc, 'chara/c01a.chr', ['DATA.DAT'], ['DATA.HED', 'DATA.HD2', 'DATA.HD3', 'DATA.HD4']],
  ] as const)('is written where it stands, and nothing else is: %s', async (_, make, member, data, tables) => {
    await onDisk(make(), async (bench) => {
      const files = [...data, ...tables].map((name) => join(bench.root, name))
      const before = files.map(readBytes)
      const [inodes, times] = [files.map(inode), files.map((file) => statSync(file).mtimeMs)]
      const old = body(bench, member)
      await put(bench, member, changed(old))
      expect(files.map(inode)).toEqual(inodes)
      files.forEach((file, i) => {
        const now = readBytes(file)
        expect(changedBytes(diff(before[i], now, 0))).toBe(i === 0 ? 1 : 0)
        expect(now.length).toBe(before[i].length)
        expect(statSync(file).mtimeMs === times[i]).toBe(i > 0)
      })
      expect(body(bench, member)).toEqual(changed(old))
      expect(readdirSync(bench.root).filter(isTemporaryName)).toEqual([])
      // the original is kept whole, once
      const kept = (await bench.originals.entry(files.at(-1)!))!.kept
      expect(kept).toHaveLength(1)
      await put(bench, member, old)
      expect(hashes(files)).toEqual(before.map(hash))
      await put(bench, member, changed(old))
      expect((await bench.originals.entry(files[0]))!.kept).toHaveLength(1)
      await bench.originals.restore(files.at(-1)!)
      expect(hashes(files)).toEqual(before.map(hash))
    })
  })

  it('lets a member grow behind the end, with its entry, and a disc in all of its directories', async () => {
    for (const [make, member] of [
      [largeImg2, 'b.dff'],
      [largeImg1, 'b.dff'],
      [largeDisc, 'chara/c01a.chr'],
    ] as const)
      await onDisk(make(), async (bench) => {
        const files = readdirSync(bench.root).map((name) => join(bench.root, name))
        const inodes = files.map(inode)
        const before = bench.members()
        const grown = junk(30_720, 5)
        await put(bench, member, grown)
        expect(files.map(inode)).toEqual(inodes)
        expect(body(bench, member)).toEqual(grown)
        const at = bench.number(member)
        bench
          .members()
          .forEach(({ name, bytes }, i) => expect([name, hash(bytes)]).toEqual([name, hash(i === at ? grown : before[i].bytes)]))
      })
  })

  it('is a copy where the file has another name, where much changes and where the archive is small', async () => {
    await onDisk(largeImg2(), async (bench) => {
      const other = join(bench.root, 'other.bin')
      linkSync(bench.archive, other)
      const [first, before] = [inode(bench.archive), hashes([other])]
      const old = body(bench, 'b.dff')
      await put(bench, 'b.dff', changed(old))
      expect(inode(bench.archive)).not.toBe(first)
      expect(hashes([other])).toEqual(before)
      const second = inode(bench.archive)
      await put(bench, 'large.txd', junk(IN_PLACE_FROM, 99))
      expect(inode(bench.archive)).not.toBe(second)
      const third = inode(bench.archive)
      await put(bench, 'large.txd', new Uint8Array(2048))
      await bench.change({ kind: 'rebuild' })
      expect(inode(bench.archive)).not.toBe(third)
      const small = inode(bench.archive)
      await put(bench, 'b.dff', old)
      expect(inode(bench.archive)).not.toBe(small)
    })
  })
})

describe('what a writer that died left of such a change', () => {
  const record = (
    folder: string,
    old: Uint8Array,
    at: number,
    mtimeMs: number,
    fresh: Uint8Array,
    size: number,
    owner: (path: string) => string = dead,
  ): string => {
    const path = owner(newTemporary(folder, 'gta3.img', 'undo'))
    const file = { target: 'gta3.img', size, mtimeMs, ranges: [{ offset: at, old, fresh }] }
    writeFileSync(path, encodeUndo([file]))
    return path
  }
  const torn = (folder: string): { archive: string; before: Uint8Array; now: Uint8Array; fresh: Uint8Array; mtimeMs: number } => {
    const archive = join(folder, 'gta3.img')
    utimesSync(archive, 1e9, 1e9 + 7.25)
    const { mtimeMs } = statSync(archive)
    const before = readBytes(archive)
    const fresh = junk(1000, 8)
    const now = before.slice()
    now.set(fresh.subarray(0, 400), 4096)
    writeFileSync(archive, now)
    return { archive, before, now, fresh, mtimeMs }
  }

  it('is taken back at the first look, by whatever name', async () => {
    for (const look of [
      (store: FileStore, archive: string) => void store.read(archive),
      (store: FileStore, archive: string) => void store.members(archive),
      (store: FileStore, archive: string) => void store.read(`${archive}!b.dff`),
    ])
      await onDisk(largeImg2(), ({ root }) => {
        const { archive, before, fresh, mtimeMs } = torn(root)
        record(root, before.slice(4096, 5096), 4096, mtimeMs, fresh, before.length)
        const store = new FileStore()
        look(store, archive)
        store.close()
        expect(hashes([archive])).toEqual([hash(before)])
        expect(statSync(archive).mtimeMs).toBeCloseTo(mtimeMs, 1)
        expect(readdirSync(root)).toEqual(['gta3.img'])
      })
  })

  it('takes away what the file grew by', async () => {
    await onDisk(largeImg2(), ({ root, archive, store }) => {
      const before = readBytes(archive)
      record(root, new Uint8Array(0), before.length, 1e12, junk(5000, 1), before.length)
      writeFileSync(archive, Buffer.concat([before, junk(5000, 1).subarray(0, 3000)]))
      store.invalidate()
      expect(hash(store.read(archive))).toBe(hash(before))
    })
  })

  it('leaves a file that is somebody else’s meanwhile', async () => {
    await onDisk(largeImg2(), ({ root }) => {
      const { archive, before, now, fresh, mtimeMs } = torn(root)
      now[4500] = before[4500] ^ fresh[404] ^ 0x5a
      writeFileSync(archive, now)
      record(root, before.slice(4096, 5096), 4096, mtimeMs, fresh, before.length)
      const store = new FileStore()
      expect([before[4500], fresh[404]]).not.toContain(now[4500])
      expect(hash(store.read(archive))).toBe(hash(now))
      store.close()
      expect(readdirSync(root)).toEqual(['gta3.img'])
    })
  })

  it('is waited for while the writer lives, and a record that is damaged is kept', async () => {
    await onDisk(largeImg2(), async ({ root, store, change, number }) => {
      const { archive, before, now, fresh, mtimeMs } = torn(root)
      // the parent of this process is alive, and another one
      const path = record(root, before.slice(4096, 5096), 4096, mtimeMs, fresh, before.length, (name) =>
        name.replace(`-${process.pid}-`, `-${process.ppid}-`),
      )
      expect(temporaryParts(path.slice(root.length + 1))!.kind).toBe('undo')
      expect(() => store.members(archive)).toThrow(expect.objectContaining({ code: 'changed-on-disk' }))
      expect(hashes([archive])).toEqual([hash(now)])
      const bytes = readFileSync(path)
      bytes[bytes.length - 40] ^= 1
      writeFileSync(path, bytes)
      store.invalidate()
      expect(store.members(archive).length).toBeGreaterThan(0)
      await change({ kind: 'replace', member: number('b.dff'), bytes: junk(100, 2) })
      expect(readdirSync(root)).toHaveLength(2)
    })
  })
})

describe('a write where a file stands that fails on its way', () => {
  const write = async (bench: Bench, note: () => Promise<void>): Promise<void> => {
    const open = bench.store.openArchive(bench.archive)!
    const old = body(bench, 'b.dff')
    const files = await inPlaceFiles(archiveOutputs(open, new Map([[bench.number('b.dff'), changed(old)]]), bench.archive))
    expect(files!.map(({ ranges }) => ranges.map(({ fresh }) => fresh.length))).toEqual([[1]])
    await writeInPlace(files!, note)
  }

  it('leaves the file as it was, and nothing beside it', async () => {
    await onDisk(largeImg2(), async (bench) => {
      const before = hashes([bench.archive])
      let between: string[] = []
      const failing = write(bench, async () => {
        between = hashes([bench.archive])
        throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
      })
      await expect(failing).rejects.toThrow('no space')
      expect(between).not.toEqual(before)
      expect(hashes([bench.archive])).toEqual(before)
      expect(readdirSync(bench.root)).toEqual(['gta3.img'])
      await write(bench, async () => {})
      expect(hashes([bench.archive])).toEqual(between)
    })
  })

  it('is no archive to read while the disk does not take the old bytes back, and is as it was once it does', async () => {
    await onDisk(largeImg2(), async (bench) => {
      const before = hashes([bench.archive])
      const { fsyncSync } = fs
      const failing = write(bench, async () => {
        fs.fsyncSync = () => {
          throw Object.assign(new Error('no disk'), { code: 'EIO' })
        }
        syncBuiltinESMExports()
        throw new Error('no note')
      })
      try {
        await expect(failing).rejects.toThrow('no note')
        expect(readdirSync(bench.root)).toHaveLength(2)
        bench.store.invalidate()
        expect(() => bench.store.members(bench.archive)).toThrow(expect.objectContaining({ code: 'changed-on-disk' }))
        await expect((async () => put(bench, 'b.dff', junk(10)))()).rejects.toThrow(expect.objectContaining({ code: 'changed-on-disk' }))
      } finally {
        fs.fsyncSync = fsyncSync
        syncBuiltinESMExports()
      }
      bench.store.invalidate()
      expect(bench.store.members(bench.archive).length).toBe(3)
      expect(hashes([bench.archive])).toEqual(before)
      expect(readdirSync(bench.root)).toEqual(['gta3.img'])
    })
  })
})
