import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FormatError } from '../../src/main/binary/format-error.ts'
import { changedInPlace } from '../../src/main/workspace/changed-files.ts'
import { firstOf, Originals, sha256 } from '../../src/main/workspace/originals.ts'
import { StateFiles } from '../../src/main/workspace/state-files.ts'
import type { StateDamage } from '../../src/main/workspace/state-files.ts'
import { junk } from '../support/hostile.ts'
import { flipOnDisk, sampleBits, stateFiles } from '../support/state-damage.ts'
import { temporaryFolder } from './support.ts'

const read = (path: string): Uint8Array => new Uint8Array(readFileSync(path))

interface Store {
  state: string
  root: string
  /** target -> bytes of its original, undefined for a file that Marrow made */
  truth: Map<string, Uint8Array | undefined>
  told: StateDamage[]
  open(): Originals
}

/** Two files, one of them updated by somebody else between two saves; an archive of two files; a file that Marrow made. */
async function store(): Promise<Store> {
  const base = temporaryFolder()
  const [state, root] = [join(base, 'state'), join(base, 'game')]
  mkdirSync(root)
  const told: StateDamage[] = []
  const open = (): Originals => {
    const files = new StateFiles(state)
    files.onDamage((damage) => told.push(damage))
    return new Originals(files)
  }
  const truth = new Map<string, Uint8Array | undefined>()
  const originals = open()
  const save = async (target: string, bytes: Uint8Array): Promise<void> => {
    await originals.keep(target)
    await originals.noteComing(target, sha256(bytes))
    writeFileSync(target, bytes)
    await originals.noteWritten(target)
  }
  for (const [i, name] of ['a.num', 'b.num', 'モデル.dir', 'モデル.img'].entries()) {
    const target = join(root, name)
    const bytes = junk(40 + i, i + 1)
    writeFileSync(target, bytes)
    truth.set(target, bytes)
    await save(target, junk(50 + i, i + 20))
  }
  await originals.keepTogether(join(root, 'モデル.img'), [join(root, 'モデル.dir')])
  writeFileSync(join(root, 'b.num'), junk(60, 70))
  await save(join(root, 'b.num'), junk(60, 71))
  await save(join(root, 'new.num'), junk(30, 80))
  truth.set(join(root, 'new.num'), undefined)
  return { state, root, truth, told, open }
}

/** What is offered is the truth or nothing. @returns targets of which nothing is offered */
async function lost(s: Store, what: string): Promise<string[]> {
  const originals = s.open()
  const missing: string[] = []
  for (const [target, bytes] of s.truth) {
    // as before a save: the edited file must not become the original
    await originals.keep(target).catch((error: unknown) => expect(error, what).toBeInstanceOf(FormatError))
    const entry = await originals.entry(target)
    const first = firstOf(entry)
    if (first) expect(first.hash, `${what}: ${target}`).toBe(bytes && sha256(bytes))
    try {
      const path = await originals.pathOf(target)
      expect(path && read(path), `${what}: ${target}`).toEqual(bytes)
      expect(entry?.created, `${what}: ${target}`).toBe(bytes === undefined)
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
      missing.push(target)
    }
  }
  return missing
}

describe('one flipped bit among the originals', () => {
  it('of a record or a note costs nothing', { timeout: 240_000 }, async () => {
    const s = await store()
    let flips = 0
    for (const { path, name, kind, bytes } of stateFiles(s.state)) {
      if (kind !== 'original-record' && kind !== 'original-note') continue
      const files = stateFiles(s.state).map((file) => ({ path: file.path, bytes: read(file.path) }))
      for (const bit of sampleBits(bytes, 4, flips + 1)) {
        flipOnDisk(path, bit)
        expect(await lost(s, `${name} bit ${bit}`)).toEqual([])
        flips++
        // the store as it was
        rmSync(join(s.state, 'originals'), { recursive: true })
        for (const file of files) {
          mkdirSync(join(file.path, '..'), { recursive: true })
          writeFileSync(file.path, file.bytes)
        }
      }
    }
    expect(flips).toBeGreaterThan(60)
  })

  it('of a content is never offered as one; it is healed where its bytes are elsewhere, and said', { timeout: 120_000 }, async () => {
    const s = await store()
    const target = join(s.root, 'a.num')
    const bytes = s.truth.get(target)!
    const content = join(s.state, 'originals', 'content', sha256(bytes), 'a.num')
    for (let bit = 0; bit < bytes.length * 8; bit += 23) {
      const mend = flipOnDisk(content, bit)
      expect(await lost(s, `bit ${bit}`)).toEqual([target])
      await expect(s.open().restore(target)).rejects.toMatchObject({ code: 'io' })
      expect(s.told.splice(0).some(({ restored }) => !restored)).toBe(true)
      mend()
      expect(await lost(s, 'mended')).toEqual([])
    }
    flipOnDisk(content, 3)
    mkdirSync(join(s.state, 'bases', 'content'), { recursive: true })
    writeFileSync(join(s.state, 'bases', 'content', sha256(bytes)), bytes)
    expect(await lost(s, 'healed from a base')).toEqual([])
    expect(s.told).toMatchObject([{ restored: true, message: expect.stringContaining('restored from another copy') }])
    expect(read(content)).toEqual(bytes)
    // the damaged one is kept
    expect(stateFiles(s.state).filter(({ kind }) => kind === 'aside')).toHaveLength(1)
  })

  it('of a content that is what stands at the target is healed from there', async () => {
    const s = await store()
    const target = join(s.root, 'a.num')
    const bytes = s.truth.get(target)!
    flipOnDisk(join(s.state, 'originals', 'content', sha256(bytes), 'a.num'), 9)
    writeFileSync(target, bytes)
    expect(await lost(s, 'target')).toEqual([])
  })
})

describe('records of originals', () => {
  it('that are gone altogether are built anew from the contents', async () => {
    const s = await store()
    rmSync(join(s.state, 'originals', 'targets'), { recursive: true })
    const created = join(s.root, 'new.num')
    s.truth.delete(created)
    expect((await s.open().list()).map(({ target }) => target).sort()).toEqual([...s.truth.keys()].sort())
    expect(await lost(s, 'gone')).toEqual([])
    expect((await s.open().entry(join(s.root, 'モデル.dir')))?.companion).toBe(join(s.root, 'モデル.img'))
    expect(s.told.length).toBeGreaterThan(0)
  })

  it('of the version before, with one bit flipped, never make an edited file the original', { timeout: 240_000 }, async () => {
    const s = await store()
    // as it wrote them: no checksums, no copies, no notes
    rmSync(join(s.state, 'originals', 'notes'), { recursive: true })
    const targets = join(s.state, 'originals', 'targets')
    for (const name of readdirSync(targets)) {
      if (name.endsWith('.copy')) rmSync(join(targets, name))
      else writeFileSync(join(targets, name), JSON.stringify(JSON.parse(readFileSync(join(targets, name), 'utf8').split('\n')[1]), null, 1))
    }
    expect(await lost(s, 'whole')).toEqual([])
    const files = stateFiles(s.state)
      .filter(({ kind }) => kind.startsWith('original'))
      .map((file) => ({ ...file, content: read(file.path) }))
    let flips = 0
    for (const { path, name, kind, bytes } of files) {
      if (kind !== 'original-record') continue
      for (const bit of sampleBits(bytes, 14, flips + 7)) {
        rmSync(join(s.state, 'originals'), { recursive: true })
        for (const file of files) {
          mkdirSync(join(file.path, '..'), { recursive: true })
          writeFileSync(file.path, file.content)
        }
        flipOnDisk(path, bit)
        await lost(s, `${name} bit ${bit}`)
        flips++
      }
    }
    expect(flips).toBeGreaterThan(60)
  })

  it('whose write was killed half-way are listed once, and what it left is swept', async () => {
    const s = await store()
    const targets = join(s.state, 'originals', 'targets')
    const [record] = readdirSync(targets).filter((name) => name.endsWith('.json'))
    const left = join(targets, `.${record}.0123456789ab.marrow-tmp.json`)
    writeFileSync(left, readFileSync(join(targets, record)))
    const contents = join(s.state, 'originals', 'content')
    for (const name of ['.99999999-0123456789ab', '.0123456789ab', `.${process.pid}-0123456789ab`]) mkdirSync(join(contents, name))
    for (const path of [left, join(contents, '.0123456789ab')]) utimesSync(path, 1000, 1000)
    const paths = (await changedInPlace(s.root, s.open())).map(({ path }) => path)
    expect(paths).toEqual([...new Set(paths)])
    expect(paths).toHaveLength(s.truth.size)
    await s.open().check()
    expect(readdirSync(targets).filter((name) => name.startsWith('.'))).toEqual([])
    expect(readdirSync(contents).filter((name) => name.startsWith('.'))).toEqual([`.${process.pid}-0123456789ab`])
  })

  it('say once that a content belongs to nobody, and keep it', async () => {
    const s = await store()
    const bytes = junk(99, 5)
    const place = join(s.state, 'originals', 'content', sha256(bytes))
    mkdirSync(place)
    writeFileSync(join(place, 'x.num'), bytes)
    await s.open().check()
    expect(s.told).toMatchObject([{ message: expect.stringContaining('(x.num) belongs to no file that is known') }])
    await s.open().check()
    expect(s.told).toHaveLength(1)
    expect(read(join(place, 'x.num'))).toEqual(bytes)
  })
})
