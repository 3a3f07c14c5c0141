/**
 * A folder with just what a mod changed, as the game would find it: to be played with, or to be copied somewhere. It is written again after
 * each change, and only what Marrow wrote there itself is replaced or taken away: what it wrote is noted before it is written.
 *
 *   tests/<hash of the folder>.json
 */
import { createReadStream, existsSync, statSync } from 'node:fs'
import { rmdir, stat } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { makeFolder } from '../files/make-folder.ts'
import { FormatError } from '../binary/format-error.ts'
import { expectBeside } from '../files/mod-folder.ts'
import { expectNoLink, realPlace } from '../files/real-place.ts'
import type { TestFile, TestFolderPlan, TestFolderReport } from '../../shared/api/types/mod.ts'
import { removeFile, replaceFile, writeAll } from './atomic.ts'
import type { ChangedPair } from './changed-files.ts'
import { HASH, hashFile, sha256 } from './original-contents.ts'
import type { StateFiles, StateKind } from './state-files.ts'
import { say } from '../../shared/texts/say.ts'

/** What was written into a folder: by path below it the hashes that a file of Marrow's may have. */
type Written = Record<string, string[]>

const written: StateKind<Written> = {
  name: 'test-folder',
  version: 1,
  label: 'originals.kinds.testFolder',
  parse: (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    const all = Object.entries(value as Record<string, unknown>)
    const fine = ([path, hashes]: [string, unknown]): boolean =>
      path.split('/').every((step) => step !== '' && step !== '.' && step !== '..') &&
      Array.isArray(hashes) &&
      hashes.every((hash) => HASH.test(String(hash)))
    return all.every(fine) ? (value as Written) : undefined
  },
}

interface Wanted extends TestFile {
  /** where the bytes are; '' for one that goes */
  from: string
  hash: string
}

export interface TestFolderPlaces {
  /** the game's folder and the mod folder, '' for none: a test folder stands in neither, and neither in it */
  root: string
  modFolder: string
}

export class TestFolders {
  private readonly state: StateFiles

  constructor(state: StateFiles) {
    this.state = state
  }

  /**
   * What a write would do.
   * @throws FormatError refused where the folder stands in the game's or the mod folder, or around one, or is a file
   */
  async plan(pairs: readonly ChangedPair[], folder: string, places: TestFolderPlaces): Promise<TestFolderPlan> {
    return planOf(folder, await this.wanted(pairs, folder, places))
  }

  /**
   * Writes what is new or another, takes away what the mod changes no more. Each file is there whole or not at all; a write that ends early is
   * gone on with by the next.
   * @throws FormatError as `plan`; cancelled; io of the first file that cannot be written
   */
  async write(
    pairs: readonly ChangedPair[],
    folder: string,
    places: TestFolderPlaces,
    options: { signal?: AbortSignal; onProgress?(progress: { done: number; total: number; current: string }): void } = {},
  ): Promise<TestFolderReport> {
    const wanted = await this.wanted(pairs, folder, places)
    const todo = wanted.filter(({ state }) => state === 'new' || state === 'changed' || state === 'gone')
    const known = this.known(folder)
    const both = (path: string, hash: string): string[] => [...new Set([...(known[path] ?? []), hash])]
    const coming = todo.filter(({ state }) => state !== 'gone').map(({ path, hash }) => [path, both(path, hash)] as const)
    await this.note(folder, { ...known, ...Object.fromEntries(coming) })
    let done = 0
    for (const file of todo) {
      if (options.signal?.aborted) throw new FormatError('cancelled', say('workers.workStopped'), { file: folder })
      options.onProgress?.({ done: done++, total: todo.length, current: file.path })
      const target = join(folder, ...file.path.split('/'))
      expectNoLink(folder, target)
      if (file.state === 'gone') await takeAway(folder, target)
      else await put(file, target)
    }
    const own = wanted.filter(({ state }) => state !== 'gone' && state !== 'taken')
    await this.note(folder, Object.fromEntries(own.map(({ path, hash }) => [path, [hash]])))
    const count = (...states: TestFile['state'][]): number => wanted.filter(({ state }) => states.includes(state)).length
    return { ...planOf(folder, wanted), written: count('new', 'changed'), removed: count('gone') }
  }

  private async wanted(pairs: readonly ChangedPair[], folder: string, { root, modFolder }: TestFolderPlaces): Promise<Wanted[]> {
    expectBeside(root, folder)
    if (modFolder) expectBeside(modFolder, folder, 'mod')
    if (existsSync(folder) && !statSync(folder).isDirectory())
      throw new FormatError('refused', say('files.noFolder', { folder }), { file: folder })
    const known = this.known(folder)
    const files: Wanted[] = []
    for (const { path, now } of pairs) {
      const { size } = await stat(now)
      const hash = await hashFile(now)
      const target = join(folder, ...path.split('/'))
      const blocked = inTheWay(folder, path)
      const there = !blocked && existsSync(target) ? await hashFile(target) : ''
      const state = blocked ? 'taken' : there === '' ? 'new' : there === hash ? 'same' : known[path]?.includes(there) ? 'changed' : 'taken'
      files.push({ path, bytes: size, state, from: now, hash })
    }
    const now = new Set(files.map(({ path }) => path))
    for (const [path, hashes] of Object.entries(known)) {
      const target = join(folder, ...path.split('/'))
      if (now.has(path) || !existsSync(target) || inTheWay(folder, path)) continue
      const hash = await hashFile(target)
      if (hashes.includes(hash)) files.push({ path, bytes: 0, state: 'gone', from: '', hash })
    }
    return files.sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  private known(folder: string): Written {
    const read = this.state.read(fileOf(folder), written)
    // without the note nothing in the folder is known to be Marrow's: it stays
    return read.state === 'good' ? read.value : {}
  }

  private note(folder: string, files: Written): Promise<void> {
    return this.state.write(fileOf(folder), files, written)
  }
}

function fileOf(folder: string): string {
  return join('tests', `${sha256(Buffer.from(realPlace(folder)))}.json`)
}

function planOf(folder: string, wanted: readonly Wanted[]): TestFolderPlan {
  const files = wanted.map(({ path, bytes, state }): TestFile => ({ path, bytes, state }))
  return { folder, files, bytes: files.reduce((n, { bytes, state }) => n + (state === 'new' || state === 'changed' ? bytes : 0), 0) }
}

/** Whether a folder stands where the file would, or a file where one of its folders would. */
function inTheWay(folder: string, path: string): boolean {
  const steps = path.split('/')
  return steps.some((_, i) => {
    const there = statSync(join(folder, ...steps.slice(0, i + 1)), { throwIfNoEntry: false })
    return there !== undefined && there.isDirectory() === (i === steps.length - 1)
  })
}

async function put({ from, hash }: Wanted, target: string): Promise<void> {
  await makeFolder(dirname(target))
  await replaceFile(
    target,
    async (handle) => {
      for await (const chunk of createReadStream(from, { highWaterMark: 1 << 20 })) await writeAll(handle, chunk as Uint8Array)
    },
    async (temporary) => {
      // the mod was saved again meanwhile
      if ((await hashFile(temporary)) !== hash) throw new FormatError('changed-on-disk', say('saving.notReadBack'), { file: from })
    },
  )
}

/** The file, and the folders that nothing stands in any more. */
async function takeAway(folder: string, target: string): Promise<void> {
  await removeFile(target)
  for (let at = dirname(target); at.startsWith(folder + sep); at = dirname(at)) {
    try {
      await rmdir(at)
    } catch {
      return
    }
  }
}
