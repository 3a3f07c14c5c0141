/** What is kept of a document over an edit is what its bytes give anew: in every family, for keys that change, come and go, and back again. */
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { MemoryNeighbourhood } from '../../src/main/files/memory-neighbourhood.ts'
import { FileStore } from '../../src/main/files/store.ts'
import { keepFor, Kept, kept, keptOf } from '../../src/main/formats/kept.ts'
import { registry } from '../../src/main/formats/registry.ts'
import type { OpenModel } from '../../src/main/workspace/open-model.ts'
import { diff } from '../../src/main/workspace/patch.ts'
import { Workspace } from '../../src/main/workspace/workspace.ts'
import type { MdsDocument } from '../../src/main/formats/level5/codecs/mds.ts'
import type { KeyEdit, NativeTrack } from '../../src/shared/api/types/clips.ts'
import { junk } from '../support/hostile.ts'
import { sampleTree } from '../support/service-bench.ts'
import { temporaryFolder, writeFiles } from './support.ts'

const ends: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

const files = sampleTree()

function opened(primary: RegExp): { workspace: Workspace; model: OpenModel } {
  const base = temporaryFolder()
  const root = join(base, 'game')
  writeFiles(root, files)
  const store = new FileStore({ registry })
  const workspace = new Workspace({ files: store, stateFolder: join(base, 'state') })
  ends.push(
    () => workspace.closeAll(),
    () => store.close(),
  )
  const path = join(
    root,
    Object.keys(files).find((name) => primary.test(name))!,
  )
  const around = MemoryNeighbourhood.of(store, root)
  for (const family of registry.families) {
    const binding = family.bind(store.folderOf(path), around).find((b) => b.primary === path)
    if (binding) return { workspace, model: workspace.open({ family, binding, around, library: root }) }
  }
  throw new Error(`${path} is no model`)
}

const tracksOf = (model: OpenModel): NativeTrack[] => model.family.editor.clips!.tracks(model, 0)

/** Everything anew from the bytes, in which nothing is kept. */
function expectAsAnew(model: OpenModel): void {
  const { family, binding } = model
  const fresh = new Map(
    binding.members.flatMap(({ ref }) => {
      const { file } = model.entry(ref)
      return file ? [[ref, file.format.decode(file.bytes, ref)] as const] : []
    }),
  )
  const document = (ref: string) => fresh.get(ref)
  const assembled = model.assemble(document)
  expect(model.assembled.scene).toEqual(assembled.scene)
  expect(tracksOf(model)).toEqual(family.editor.clips!.tracks({ binding, assembled, document }, 0))
}

describe('a model that is edited', () => {
  for (const primary of [/adventurer\.mds$/, /animodel\/adventurer\.txt$/, /peds\/adventurer\.dff$/, /\.w3d$/i])
    it(`is as its files anew: ${primary.source}`, async () => {
      const { workspace, model } = opened(primary)
      const able = tracksOf(model).filter(({ limits, times }) => limits.readOnly === '' && times.length > 2)
      expect(able.length).toBeGreaterThan(1)
      let steps = 0
      const edit = async (make: (track: NativeTrack) => Omit<KeyEdit, 'track'>, { id }: NativeTrack): Promise<void> => {
        const track = tracksOf(model).find((now) => now.id === id)!
        const edits = [{ track: id, ...make(track) }]
        if (await workspace.edit(model.id, 'edit', (session) => model.family.editor.clips!.editKeys(session, edits))) steps++
        expectAsAnew(model)
      }
      const pictures = (): Uint8Array[] => model.assembled.scene.textures.filter(({ missing }) => !missing).map(({ rgba }) => rgba)
      const painted = pictures()
      expect(painted.length).toBeGreaterThan(0)
      for (const track of [able[0], able.at(-1)!, able[able.length >> 1]]) {
        const width = track.components.length
        await edit(({ times, values }) => {
          const own = values.slice(0, width)
          own[0] += 0.125
          return { set: { keys: Uint32Array.of(0), times: times.slice(0, 1), values: own } }
        }, track)
        if (track.limits.dense) continue
        await edit(() => ({ remove: Uint32Array.of(1) }), track)
        await edit(
          ({ times, values }) => ({ insert: { times: Float64Array.of(times.at(-1)! + 1), values: values.slice(0, width) } }),
          track,
        )
      }
      expect(steps).toBeGreaterThan(1)
      for (const kind of ['undo', 'redo'] as const)
        for (let i = 0; i < steps; i++) {
          await workspace[kind](model.id)
          expectAsAnew(model)
        }
      // no picture was made again
      expect(pictures().map((rgba, i) => rgba === painted[i])).toEqual(painted.map(() => true))
      // what failed leaves nothing of what it tried
      const failed = workspace.edit(model.id, 'edit', (session) => {
        model.family.editor.clips!.editKeys(session, [{ track: able[0].id, remove: Uint32Array.of(1) }])
        model.family.editor.clips!.tracks(session, 0)
        throw new Error('no')
      })
      await expect(failed).rejects.toThrow('no')
      expectAsAnew(model)
    })
})

describe('a mesh', () => {
  it('is not made again for an edit of keys, and is the one of its file after an edit of its own', async () => {
    const { workspace, model } = opened(/adventurer\.mds$/)
    const corners = (): Uint32Array[] => model.assembled.scene.meshes.map(({ indices }) => indices)
    const before = corners()
    expect(before.length).toBeGreaterThan(0)
    const track = tracksOf(model)[0]
    const { editKeys } = model.family.editor.clips!
    await workspace.edit(model.id, 'edit', (session) => editKeys(session, [{ track: track.id, remove: Uint32Array.of(1) }]))
    expect(corners().every((indices, i) => indices === before[i])).toBe(true)
    expectAsAnew(model)
    const { positions } = model.assembled.scene.meshes[0]
    await workspace.edit(model.id, 'edit', (session) => {
      const { sections } = session.edit<MdsDocument>(model.binding.primary)
      for (const section of sections)
        if (section.kind === 'mdt') section.mdt.vertices.forEach((v, i, all) => (all[i] = v + (i % 4 < 3 ? 1 : 0)))
    })
    expectAsAnew(model)
    expect(model.assembled.scene.meshes[0].positions).not.toEqual(positions)
    await workspace.undo(model.id)
    expectAsAnew(model)
  })
})

describe('a picture that is replaced', () => {
  for (const primary of [/adventurer\.mds$/, /animodel\/adventurer\.txt$/, /peds\/adventurer\.dff$/, /\.w3d$/i])
    it(`is as its file anew, then and when it is undone: ${primary.source}`, async () => {
      const { workspace, model } = opened(primary)
      const { textures } = model.assembled.scene
      const at = textures.findIndex(({ missing }) => !missing)
      const before = textures[at]
      const turned = before.rgba.map((value, i) => (i % 4 === 3 ? value : 255 - value))
      const others = textures.map(({ rgba }) => rgba)
      await workspace.edit(model.id, 'edit', (session) =>
        model.family.editor.textures!.replace(session, at, before.width, before.height, turned),
      )
      expectAsAnew(model)
      expect(model.assembled.scene.textures[at].rgba).not.toEqual(before.rgba)
      expect(others[at]).toEqual(before.rgba)
      await workspace.undo(model.id)
      expectAsAnew(model)
      expect(model.assembled.scene.textures.map(({ rgba }) => rgba)).toEqual(others)
      await workspace.redo(model.id)
      expectAsAnew(model)
    })
})

describe('what is kept', () => {
  it('is that of the bytes, wherever they stand after an edit', () => {
    for (let seed = 1; seed < 200; seed++) {
      const random = junk(64, seed)
      const before = junk(2000, 7)
      const own = new Kept()
      const document = { format: 'x', ref: 'x', diagnostics: [] }
      keepFor(document, own)
      for (let at = 0; at < 2000; at += 100) kept(document, { start: at, end: at + 100 }, 'bytes', () => before.slice(at, at + 100))
      // some bytes out, others in, at two places
      const cut = [random[0] * 4, 1000 + random[1] * 3]
      const after = Uint8Array.from([
        ...before.subarray(0, cut[0]),
        ...random.subarray(2, 2 + (random[2] % 8)),
        ...before.subarray(cut[0] + (random[3] % 8), cut[1]),
        ...random.subarray(20, 20 + (random[4] % 8)),
        ...before.subarray(cut[1] + (random[5] % 8)),
      ])
      const next = own.after(diff(before, after))
      const now = { format: 'x', ref: 'x', diagnostics: [] }
      keepFor(now, next)
      let same = 0
      for (let at = 0; at + 100 <= after.length; at++) {
        const range = { start: at, end: at + 100 }
        const found = kept(now, range, 'bytes', () => undefined)
        if (!found) continue
        same++
        expect(found).toEqual(after.slice(at, at + 100))
      }
      expect(same).toBeGreaterThanOrEqual(16)
    }
  })

  it('is of the whole document as long as none of its bytes is another', () => {
    const bytes = junk(100, 3)
    const own = new Kept()
    const documents = [0, 1].map(() => ({ format: 'x', ref: 'x', diagnostics: [] }))
    keepFor(documents[0], own)
    const once = keptOf(documents[0], 'all', () => ({}))
    expect(keptOf(documents[0], 'all', () => ({}))).toBe(once)
    expect(keptOf(documents[0], 'other', () => ({}))).not.toBe(once)
    keepFor(documents[1], own.after(diff(bytes, bytes.slice())))
    expect(keptOf(documents[1], 'all', () => ({}))).toBe(once)
    // also where bytes only came at the beginning or at the end
    for (const other of [
      Uint8Array.of(1, ...bytes),
      Uint8Array.of(...bytes, 1),
      bytes.slice(1),
      bytes.map((b, i) => (i === 50 ? b ^ 1 : b)),
    ]) {
      keepFor(documents[1], own.after(diff(bytes, other)))
      expect(keptOf(documents[1], 'all', () => undefined)).toBeUndefined()
    }
  })

  it('is nothing of a document that nobody keeps', () => {
    let made = 0
    const document = { format: 'x', ref: 'x', diagnostics: [] }
    for (let i = 0; i < 2; i++) {
      kept(document, { start: 0, end: 4 }, 'x', () => made++)
      keptOf(document, 'x', () => made++)
    }
    expect(made).toBe(4)
  })
})
