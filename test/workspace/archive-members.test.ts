import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FileStore } from '../../src/main/files/store.ts'
import { MemoryNeighbourhood } from '../../src/main/files/memory-neighbourhood.ts'
import { createRegistry, registry } from '../../src/main/formats/registry.ts'
import { replaceFiles } from '../../src/main/workspace/atomic.ts'
import { archiveOutputs, checkMembers } from '../../src/main/workspace/archive-files.ts'
import { Workspace } from '../../src/main/workspace/workspace.ts'
import { archiveCases, filled } from '../support/archive-cases.ts'
import { describeCorpus, readBytes } from '../support/corpus.ts'
import { junk } from '../support/hostile.ts'
import { readBig, readDisc, readImg1, readImg2, readMix, readPack } from '../support/read-archives.ts'
import { fakeFamily, numbersBytes, numbersFormat } from './fake-family.ts'
import { temporaryFolder } from './support.ts'
import type { ArchiveCase } from '../support/archive-cases.ts'
import type { ReadMember } from '../support/read-archives.ts'
import type { Numbers } from './fake-family.ts'

/** Grows, shrinks, empties and refills members, one and several at a time, and reads everything after each step. */
async function work(files: Record<string, Uint8Array>, read: ArchiveCase['read'], unit = 0): Promise<void> {
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
      const outputs = archiveOutputs(open, replacements, archive)
      await replaceFiles(outputs, (temporaries) => {
        const made = temporaries.map((path) => store.source(path))
        checkMembers(store, open, replacements, made, archive)
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
  it.each(Object.keys(archiveCases))('in a fixture: %s', async (kind) => {
    const { files, read, unit } = archiveCases[kind]()
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
    ['disc of four directories', archiveCases['disc of four directories']().read],
    ['BIG', readBig],
    ['PAK', readPack],
    ['MIX', readMix],
  ] as const)('%s: a member of another size is saved, read again, undone and redone', async (kind, read) => {
    const base = temporaryFolder()
    const root = join(base, 'game')
    mkdirSync(root)
    const { files, unit = 0 } = archiveCases[kind]()
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
      await replaceFiles(archiveOutputs(open, new Map([[0, first]]), archive))
      store.invalidate()
      const others = (): ReadMember[] =>
        (read as ArchiveCase['read'])(...names.map((name) => new Uint8Array(readFileSync(join(root, name))))).slice(1)
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
