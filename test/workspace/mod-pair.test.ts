import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CommitRecord } from '../../src/main/files/commit-record.ts'
import { newTemporary } from '../../src/main/files/temporaries.ts'
import { changedInModFolder } from '../../src/main/workspace/changed-files.ts'
import type { OpenModel } from '../../src/main/workspace/open-model.ts'
import { temporaryName, temporaryParts } from '../../src/shared/temporary-name.ts'
import type { TemporaryKind } from '../../src/shared/temporary-name.ts'
import { junk } from '../support/hostile.ts'
import { numbersBytes, pairBytes } from './fake-family.ts'
import type { Numbers } from './fake-family.ts'
import { bench, temporaryFolder, writeFiles } from './support.ts'
import type { Bench } from './support.ts'

/** No system counts to it. */
const NOBODY = 2 ** 31 - 2
const PAIR = ['x.fdr', 'x.fdt']

/** A temporary of a process of this machine that is gone. */
function ofTheDead(folder: string, name: string, kind?: TemporaryKind): string {
  const own = basename(newTemporary(folder, name, kind))
  const random = /-([0-9a-f]{12})\./.exec(own)![1]
  return join(folder, temporaryName(name, { machine: temporaryParts(own)!.machine, pid: NOBODY }, random, kind))
}

/** What a kill leaves that falls when the record of a first save into the mod folder stands and neither file has taken its place. */
function killedBeforeRenames(mod: string): void {
  const files = PAIR.map((target) => {
    const temporary = ofTheDead(mod, target)
    renameSync(join(mod, target), temporary)
    return { target, temporary: basename(temporary), aside: basename(ofTheDead(mod, target)), before: null }
  })
  const record: CommitRecord = { marrow: 'commit', version: 1, direction: 'forward', files }
  writeFileSync(ofTheDead(mod, PAIR[0], 'commit'), JSON.stringify(record))
}

const modded = (base: string): Bench & { mod: string } => {
  const [game, mod, state] = ['game', 'mod', 'state'].map((name) => join(base, name))
  mkdirSync(mod, { recursive: true })
  return { mod, ...bench({}, { root: game, state, place: (root) => ({ mode: 'mod-folder', root, folder: mod }) }) }
}

const values = (model: OpenModel, ref: string): number[] => [...(model.file(ref).document as Numbers).values]

async function set(b: Bench, model: OpenModel, ref: string, to: number[]): Promise<void> {
  await b.workspace.edit(model.id, 'Set', (session) => {
    session.edit<Numbers>(ref).values = Float32Array.from(to)
  })
}

describe('a first save of a pair into a mod folder that was killed before its renames', () => {
  const start = async (): Promise<{ base: string; saved: Buffer[] }> => {
    const base = temporaryFolder()
    const { directory, data } = pairBytes({ 'a.num': numbersBytes([1, 2, 3]), 'a.extra.num': numbersBytes([4, 5]), 'junk.bin': junk(500) })
    writeFiles(join(base, 'game'), { 'x.fdr': directory, 'x.fdt': data })
    const b = modded(base)
    const model = b.open('x.fdr!a.num')
    await set(b, model, model.refs()[0], [7, 8, 9, 10])
    expect((await b.workspace.save(model.id)).failed).toEqual([])
    await b.workspace.close(model.id)
    return { base, saved: PAIR.map((name) => readFileSync(join(b.mod, name))) }
  }

  it('is what the model is opened from', async () => {
    const { base, saved } = await start()
    killedBeforeRenames(join(base, 'mod'))
    const b = modded(base)
    const model = b.open('x.fdr!a.num')
    expect(values(model, model.refs()[0])).toEqual([7, 8, 9, 10])
    expect(model.file(model.refs()[0]).source.startsWith(b.mod)).toBe(true)
    expect(PAIR.map((name) => readFileSync(join(b.mod, name)))).toEqual(saved)
    // a step back to the game's own values is an edit like any other, and is saved
    await set(b, model, model.refs()[0], [1, 2, 3])
    expect((await b.workspace.save(model.id)).failed).toEqual([])
    const again = modded(base).open('x.fdr!a.num')
    expect(values(again, again.refs()[0])).toEqual([1, 2, 3])
    expect(readdirSync(b.mod).sort()).toEqual(PAIR)
  })

  it('is in an export of the mod', async () => {
    const { base } = await start()
    killedBeforeRenames(join(base, 'mod'))
    expect((await changedInModFolder(modded(base).files, join(base, 'game'), join(base, 'mod'))).map(({ path }) => path).sort()).toEqual(
      PAIR,
    )
  })

  it('is not written over by a Marrow that had opened the model before', async () => {
    const { base, saved } = await start()
    for (const name of PAIR) renameSync(join(base, 'mod', name), join(base, name))
    const b = modded(base)
    const model = b.open('x.fdr!a.num')
    expect(values(model, model.refs()[0])).toEqual([1, 2, 3])
    await set(b, model, model.refs()[0], [6])
    // another Marrow comes, saves and is killed
    for (const name of PAIR) renameSync(join(base, name), join(base, 'mod', name))
    killedBeforeRenames(join(base, 'mod'))
    const { saved: written, failed } = await b.workspace.save(model.id)
    expect([written, failed.map(({ code }) => code)]).toEqual([[], ['changed-on-disk']])
    expect(PAIR.map((name) => readFileSync(join(base, 'mod', name)))).toEqual(saved)
  })
})
