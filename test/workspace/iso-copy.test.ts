/** Changed copies of images of discs, read by the test's own means. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FormatError } from '../../src/main/binary/format-error.ts'
import { freeAt } from '../../src/main/files/room.ts'
import { FileStore } from '../../src/main/files/store.ts'
import { newTemporary } from '../../src/main/files/temporaries.ts'
import { newPack } from '../../src/main/formats/level5/archives/pack.ts'
import { planArchiveChange } from '../../src/main/workspace/archive-edits.ts'
import { writeArchiveCopy } from '../../src/main/workspace/archive-writes.ts'
import { planImage, writeImage } from '../../src/main/workspace/image-edits.ts'
import { copyBegun, writeLargeCopy } from '../../src/main/workspace/large-copy.ts'
import { hashFile, Originals } from '../../src/main/workspace/originals.ts'
import { StateFiles } from '../../src/main/workspace/state-files.ts'
import { fileInImage } from '../support/disc-image.ts'
import { makeDisc, readAgreed } from '../support/discs.ts'
import { junk } from '../support/hostile.ts'
import { makeIso, SECTOR } from '../support/iso.ts'
import { readPack } from '../support/read-archives.ts'
import { temporaryFolder } from './support.ts'
import type { MadeIso } from '../support/iso.ts'

const latin = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')
const PADDING = 40 * SECTOR
/** Bytes that are copied at a time. */
const WINDOW = 1 << 22

function image(padding: string): MadeIso {
  const disc = makeDisc()
  disc['DATA.DAT'].set(newPack([{ name: 'c01a.cfg', data: junk(100, 1) }]), 5 * SECTOR)
  const { 'DATA.DAT': data, ...directories } = disc
  return makeIso({ 'SYSTEM.CNF': junk(70, 1), ...directories, 'DATA.DAT': data, [padding]: junk(PADDING, 9) })
}

async function withImage(
  padding: string,
  body: (bench: {
    path: string
    out: string
    store: FileStore
    made: MadeIso
    now(): Uint8Array
    discNow(): ReturnType<typeof readAgreed>
  }) => Promise<void>,
): Promise<void> {
  const root = temporaryFolder()
  const made = image(padding)
  const path = join(root, 'game.iso')
  const out = join(root, 'out', 'copy.iso')
  writeFileSync(path, made.image)
  const store = new FileStore()
  const now = (): Uint8Array => new Uint8Array(readFileSync(out))
  try {
    await body({ path, out, store, made, now, discNow: () => readAgreed((name) => fileInImage(now(), made.records.get(name)!).body) })
    expect(latin(new Uint8Array(readFileSync(path))), 'the image is as it was').toBe(latin(made.image))
  } finally {
    store.close()
  }
}

describe('a copy of an image', () => {
  it('with a member that fits differs in its bytes and in nothing else', async () => {
    await withImage('DMMY', async ({ path, out, store, made, now, discNow }) => {
      const planned = planArchiveChange(store, `${path}!DATA.DAT`, { kind: 'replace', member: 1, bytes: junk(2048, 3) }, true)
      expect(planned.plan).toMatchObject({ archive: `${path}!DATA.HD2`, disk: path, written: made.image.length, notes: [] })
      expect(await writeArchiveCopy(store, planned, out, false)).toEqual([out])
      expect(discNow()[1].bytes).toEqual(junk(2048, 3))
      const wanted = made.image.slice()
      wanted.set(junk(2048, 3), made.places.get('DATA.DAT')! + SECTOR)
      expect(latin(now())).toBe(latin(wanted))
      expect(existsSync(`${out}.marrow-copy`)).toBe(false)
    })
  })

  it('takes sectors of the padding file behind DATA.DAT for a member that grows, in packs too', async () => {
    await withImage('DMMY', async ({ path, out, store, made, now, discNow }) => {
      const ref = `${path}!DATA.DAT!chara/c01a.chr`
      const planned = planArchiveChange(store, ref, { kind: 'replace', member: 0, bytes: junk(9000, 3) }, true)
      expect(planned.plan.notes).toEqual([expect.stringContaining('DMMY')])
      await writeArchiveCopy(store, planned, out, false)
      expect(now().length).toBe(made.image.length)
      const [grown, ...others] = discNow()
      expect(readPack(grown.bytes)[0].bytes).toEqual(junk(9000, 3))
      const before = readAgreed((name) => fileInImage(made.image, made.records.get(name)!).body)
      expect(others).toEqual(before.slice(1))
      const [data, was, padding] = [
        fileInImage(now(), made.records.get('DATA.DAT')!),
        fileInImage(made.image, made.records.get('DATA.DAT')!),
        fileInImage(now(), made.records.get('DMMY')!),
      ]
      expect(data.start).toBe(was.start)
      expect(data.size).toBe(12 * SECTOR + Math.ceil(grown.bytes.length / SECTOR) * SECTOR)
      // what is left of it begins where the other ends now, and is what it was
      expect(padding.start).toBe(data.start + data.size)
      expect(padding.size).toBe(PADDING - (data.size - 12 * SECTOR))
      expect(padding.body).toEqual(junk(PADDING, 9).slice(-padding.size))
    })
  })

  it('is refused where what stands behind is no padding, and where the image stands itself', async () => {
    await withImage('MOVIE.PSS', async ({ path, out, store }) => {
      const grown = () => planArchiveChange(store, `${path}!DATA.HED`, { kind: 'replace', member: 0, bytes: junk(90_000, 3) }, true)
      expect(grown).toThrow(expect.objectContaining({ code: 'invalid-edit', message: expect.stringContaining('DATA.DAT') as string }))
      const small = (copy: boolean) => planArchiveChange(store, `${path}!DATA.HED`, { kind: 'replace', member: 0, bytes: junk(9, 3) }, copy)
      expect(() => small(false)).toThrow(expect.objectContaining({ code: 'read-only' }))
      await expect(writeArchiveCopy(store, small(true), path, true)).rejects.toMatchObject({ code: 'refused' })
      expect(existsSync(out)).toBe(false)
    })
  })

  it('is refused beyond the end of the padding', async () => {
    await withImage('DUMMY.DAT', async ({ path, store }) => {
      const plan = (size: number) =>
        planArchiveChange(store, `${path}!DATA.HD3`, { kind: 'put', bodies: new Map([[0, junk(size, 3)]]) }, true)
      await Promise.resolve()
      expect(plan(40 * SECTOR).plan.notes).toHaveLength(1)
      expect(() => plan(40 * SECTOR + 1)).toThrow(expect.objectContaining({ code: 'invalid-edit' }))
    })
  })

  it('several files go in with one pass, and files of the image itself', async () => {
    await withImage('DMMY', async ({ path, out, store, discNow, now, made }) => {
      const bodies = new Map([
        [0, junk(5000, 1)],
        [1, junk(2047, 2)],
        [5, junk(9999, 3)],
      ])
      await writeArchiveCopy(store, planArchiveChange(store, `${path}!DATA.HD4`, { kind: 'put', bodies }, true), out, false)
      const files = discNow()
      for (const [i, bytes] of bodies) expect(files[i].bytes).toEqual(bytes)
      const member = store.members(path).byKey('SYSTEM.CNF')!.index
      await writeArchiveCopy(store, planArchiveChange(store, path, { kind: 'replace', member, bytes: junk(99, 4) }, true), out, true)
      expect(fileInImage(now(), made.records.get('SYSTEM.CNF')!).body).toEqual(junk(99, 4))
    })
  })

  it('takes the changes of one directory alone: another over the same data would not know of them', async () => {
    await withImage('DMMY', async ({ path, store }) => {
      const into = (...members: string[]): unknown =>
        planImage(store, path, new Map(members.map((member, i) => [`${path}!${member}`, junk(50, i)])))
      const two = ['DATA.HD2!gedit/a.cfg', 'DATA.HD4!chara/c01a.chr']
      expect(() => into(...two)).toThrow(
        expect.objectContaining({ code: 'invalid-edit', message: expect.stringContaining('two directories') }),
      )
      for (const one of two) expect(into(one, 'SYSTEM.CNF')).toMatchObject({ bytes: { members: [7, 7] } })
    })
  })

  it('that was stopped goes on where it was, and what is wrong in it is set right', async () => {
    await withImage('DMMY', async ({ path, out, store, discNow }) => {
      const planned = planArchiveChange(store, `${path}!DATA.HD2`, { kind: 'replace', member: 0, bytes: junk(5, 3) }, true)
      const stop = new AbortController()
      const progress: string[] = []
      const watch = {
        signal: stop.signal,
        onProgress: (done: number, all: number, pass: string) => {
          progress.push(`${pass} ${done} of ${all}`)
          stop.abort()
        },
      }
      await expect(writeArchiveCopy(store, planned, out, false, watch)).rejects.toMatchObject({ code: 'cancelled' })
      expect(progress).toHaveLength(1)
      expect(existsSync(out)).toBe(false)
      const part = `${out}.marrow-copy`
      const there = readFileSync(part)
      there[1234] ^= 1
      writeFileSync(part, Buffer.concat([there, junk(77)]))
      await writeArchiveCopy(store, planned, out, false)
      expect(discNow()[0].bytes).toEqual(junk(5, 3))
      // what was too much of it is cut
      expect(statSync(out).size).toBe(statSync(path).size)
      expect(existsSync(part)).toBe(false)
      await expect(writeArchiveCopy(store, planned, out, false)).rejects.toMatchObject({ code: 'io' })
    })
  })

  it('of many windows is told as it goes on, stopped in the middle, and gone on with from there; its hash is known without another pass', async () => {
    const root = temporaryFolder()
    const [path, out] = ['game.iso', 'copy.iso'].map((name) => join(root, name))
    const { image: head } = image('DMMY')
    const size = 6 * WINDOW - 777
    // all but its beginning is a hole
    writeFileSync(path, head)
    truncateSync(path, size)
    const store = new FileStore()
    const originals = new Originals(new StateFiles(join(root, 'state')))
    try {
      const planned = planImage(store, path, new Map([[`${path}!DATA.DAT!chara/c01a.chr`, junk(3000, 3)]]))
      const told: [number, string][] = []
      const onProgress = (done: number, _all: number, pass: string): void => void told.push([done, pass])
      const stop = new AbortController()
      await expect(
        writeImage(store, originals, planned, out, {
          signal: stop.signal,
          onProgress: (done, all, pass) => {
            onProgress(done, all, pass)
            if (told.length === 3) stop.abort()
          },
        }),
      ).rejects.toMatchObject({ code: 'cancelled' })
      expect(told).toEqual([1, 2, 3].map((n) => [n * WINDOW, 'write']))
      expect(statSync(copyBegun(out)).size).toBe(3 * WINDOW)
      expect(existsSync(out)).toBe(false)
      told.length = 0
      const { ino } = statSync(copyBegun(out))
      await writeImage(store, originals, planned, out, { onProgress })
      const each = [1, 2, 3, 4, 5, 6].map((n) => Math.min(size, n * WINDOW))
      expect(told).toEqual(['write', 'read'].flatMap((pass) => each.map((done) => [done, pass])))
      expect(statSync(out).ino).toBe(ino)
      const wanted = new Uint8Array(size)
      wanted.set(planned.whole.read(0, head.length))
      expect(Buffer.compare(readFileSync(out), wanted)).toBe(0)
      expect((await originals.entry(out))?.written).toBe(await hashFile(out))
      expect(originals.isOwn(out)).toBe(true)
    } finally {
      store.close()
    }
  })

  it('is written by one run at a time; one that died is none', async () => {
    const folder = temporaryFolder()
    const out = join(folder, 'x.iso')
    const bytes = junk(2 * WINDOW, 3)
    const source = { ref: 'x', size: bytes.length, read: (at: number, length: number) => bytes.slice(at, at + length) }
    const held: unknown[] = []
    await writeLargeCopy(source, out, {
      force: false,
      settle: async () => {
        held.push(await writeLargeCopy(source, out, { force: true }).catch((error: unknown) => error))
        expect(Buffer.compare(readFileSync(copyBegun(out)), bytes)).toBe(0)
        // another copy beside it is nobody's business
        await writeLargeCopy(source, join(folder, 'y.iso'), { force: false })
      },
    })
    expect(held).toMatchObject([{ code: 'io', message: expect.stringContaining('x.iso.marrow-copy') as string }])
    expect(readdirSync(folder).sort()).toEqual(['x.iso', 'y.iso'])
    // a process that no system counts to
    const name = createHash('sha256').update('x.iso.marrow-copy').digest('hex').slice(0, 16)
    const sign = basename(newTemporary(folder, name)).replace(/-\d+-/, '-999999999-')
    writeFileSync(join(folder, sign), '')
    await writeLargeCopy(source, out, { force: true })
    expect(readdirSync(folder).sort()).toEqual(['x.iso', 'y.iso'])
  })

  it('is not begun where the disk has no room for it', async () => {
    const out = join(temporaryFolder(), 'x.iso')
    const huge = { ref: 'huge', size: 2 ** 52, read: () => new Uint8Array(0) }
    await expect(writeLargeCopy(huge, out, { force: false })).rejects.toMatchObject({
      code: 'io',
      message: expect.stringMatching(/room/) as string,
    })
    expect(existsSync(`${out}.marrow-copy`)).toBe(false)
    // what is there already needs no room again
    const size = (await freeAt(out)) + 2 ** 30
    writeFileSync(copyBegun(out), '')
    truncateSync(copyBegun(out), size)
    const read = (): never => {
      throw new FormatError('io', 'read', { file: 'huge' })
    }
    await expect(writeLargeCopy({ ref: 'huge', size, read }, out, { force: false })).rejects.toMatchObject({ message: 'read' })
  })
})
