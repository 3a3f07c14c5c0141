/** Clips of another file on the command line, per family; and a folder that takes no files, which is told and stays as it was. */
import { chmodSync, chownSync, copyFileSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempFolder } from '../files/temp.ts'
import { filesBelow } from '../support/corpus.ts'
import { sampleTree } from '../support/service-bench.ts'
import { marrow } from './run.ts'

const SLOW = { timeout: 120_000 }
const NEW = 'taken'
const NOBODY = 65534

interface Case {
  family: string
  folder: string
  model: string
  /** the file that another game's copy has the clip in, and the name that a whole file's clip goes by */
  other: string
  /** files that the merge changes or makes */
  written: string[]
  /** what is copied to `other`, where a window goes by the file's name; windows may have one name */
  named?: string
}

const CASES: Case[] = [
  {
    family: 'renderware',
    folder: 'San Andreas',
    model: 'models/peds/adventurer.dff',
    other: 'models/adventurer.ifp',
    written: ['models/adventurer.ifp'],
  },
  {
    family: 'w3d',
    folder: 'Zero Hour',
    model: 'Art/W3D/WALKER_SKN.W3D',
    other: `Art/W3D/${NEW}.W3D`,
    written: [`Art/W3D/${NEW}.W3D`],
  },
  {
    family: 'lostsaga',
    folder: 'Lost Saga',
    model: 'resource/skeleton/adventurer.skl',
    other: `resource/animation/${NEW}.ani`,
    written: [`resource/animation/${NEW}.ani`],
  },
  {
    family: 'level5',
    folder: 'Dark Cloud 2',
    model: 'adventurer/adventurer.mds',
    other: `adventurer/${NEW}.mot`,
    written: ['adventurer/adventurer.mot', 'adventurer/info.cfg'],
    named: 'adventurer/adventurer.mot',
  },
]

const rootOf = (folder: string): string =>
  tempFolder(
    Object.fromEntries(
      Object.entries(sampleTree()).flatMap(([path, bytes]) =>
        path.startsWith(`${folder}/`) ? [[path.slice(folder.length + 1), bytes]] : [],
      ),
    ),
  )
const contents = (root: string): Map<string, string> =>
  new Map(filesBelow(root).map((path) => [path.slice(root.length + 1).replaceAll('\\', '/'), readFileSync(path).toString('base64')]))
const changed = (before: Map<string, string>, after: Map<string, string>): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path)).sort()

/** Of whoever may do everything no folder is protected: then somebody who may not is asked to do it. @param places that they come to */
async function asOther<T>(places: readonly string[], own: string, body: () => Promise<T>): Promise<T> {
  if (process.getuid!() !== 0) return body()
  chownSync(own, NOBODY, NOBODY)
  const opened = new Map<string, number>()
  for (const place of places)
    for (let at = dirname(place); at !== dirname(at); at = dirname(at)) {
      const { mode } = statSync(at)
      if ((mode & 0o011) !== 0o011) opened.set(at, mode)
      chmodSync(at, mode | 0o011)
    }
  process.seteuid!(NOBODY)
  try {
    return await body()
  } finally {
    process.seteuid!(0)
    for (const [path, mode] of opened) chmodSync(path, mode)
  }
}

/** A file of another copy of the game with a clip that this one does not have. */
async function otherFile({ folder, model, other, named }: Case): Promise<string> {
  const root = rootOf(folder)
  const file = join(root, other)
  if (named) copyFileSync(join(root, named), file)
  else {
    const made = await marrow(['clip', 'duplicate', join(root, model), '0', NEW, '--json'], { stateFolder: tempFolder() })
    expect(made.status, made.err).toBe(0)
  }
  return file
}

describe.each(CASES)('clip merge of $family', (wanted) => {
  const { folder, model, written, named } = wanted
  it('takes a clip of another file, saves the files that it is in alone, and a fresh start lists it', SLOW, async () => {
    const root = rootOf(folder)
    const before = contents(root)
    const file = await otherFile(wanted)
    const done = await marrow(['clip', 'merge', join(root, model), file, '--clip', NEW, '--json'], { stateFolder: tempFolder() })
    expect(done.status, done.err || done.out).toBe(0)
    const report = done.json()
    expect(report.changed).toHaveLength(1)
    expect(report.clips[report.changed[0]].name).toBe(NEW)
    expect(report.saved.map(({ path }: { path: string }) => path.slice(root.length + 1).replaceAll('\\', '/')).sort()).toEqual(written)
    expect(changed(before, contents(root))).toEqual(written)
    const listed = await marrow(['clip', 'list', join(root, model), '--json'], { stateFolder: tempFolder() })
    const row = listed.json().clips.find(({ name }: { name: string }) => name === NEW)
    expect(row.end).toBeGreaterThan(row.start)
    if (named) return
    // the same again is there already
    const again = await marrow(['clip', 'merge', join(root, model), file, '--clip', NEW, '--json'], { stateFolder: tempFolder() })
    expect([again.status, again.json().error.code]).toEqual([1, 'invalid-edit'])
    expect(changed(before, contents(root))).toEqual(written)
  })

  it.skipIf(process.platform === 'win32')('into a folder that takes no files is refused, and all stays as it was', SLOW, async () => {
    const root = rootOf(folder)
    const file = await otherFile(wanted)
    const stateFolder = tempFolder()
    const before = contents(root)
    const below = readdirSync(root, { recursive: true, withFileTypes: true })
    const inside = [root, ...below.flatMap((entry) => (entry.isDirectory() ? join(entry.parentPath, entry.name) : []))]
    const run = () => marrow(['clip', 'merge', join(root, model), file, '--clip', NEW, '--json'], { stateFolder })
    for (const path of inside) chmodSync(path, 0o555)
    let refused: Awaited<ReturnType<typeof run>>
    try {
      refused = await asOther([root, file, stateFolder], stateFolder, run)
    } finally {
      for (const path of inside) chmodSync(path, 0o755)
    }
    expect(refused.status, refused.err + refused.out).toBe(1)
    expect(refused.json().error, refused.out).toMatchObject({ code: 'io' })
    expect(changed(before, contents(root))).toEqual([])
  })
})
