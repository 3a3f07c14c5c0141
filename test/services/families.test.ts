/** The services over the real families: an edit of each kind changes exactly its file, undo and save give the game's bytes back. */
import { readFileSync } from 'node:fs'
import { afterEach, expect, it } from 'vitest'
import type { NativeTrack } from '../../src/shared/api/types/clips.ts'
import type { FamilyId } from '../../src/shared/api/types/family.ts'
import type { OpenedModel } from '../../src/shared/api/types/model.ts'
import { registry } from '../../src/main/formats/registry.ts'
import { applyUpdate } from '../../src/shared/scene/scene-update.ts'
import type { Call } from '../support/caller.ts'
import { copyCorpus, describeCorpus, filesBelow } from '../support/corpus.ts'
import { scanned, serviceBenches } from '../support/service-bench.ts'

const start = serviceBenches(afterEach)

/** Runs `body` on a copy of a corpus folder. */
async function onCopy(folder: string, body: (call: Call, root: string) => Promise<void>): Promise<void> {
  const { call, game } = start()
  copyCorpus(folder, game)
  await body(call, game)
}

/** Opens models until `wanted` likes one. */
async function findModel(call: Call, root: string, wanted: (model: OpenedModel) => boolean | Promise<boolean>): Promise<OpenedModel> {
  const library = await scanned(call, root)
  const { rows } = await call('library.query', { library, show: 'models', sort: 'size', offset: 0, limit: 500 })
  for (const row of rows) {
    const model = await call('model.open', { ref: row.ref, library })
    if (await wanted(model)) return model
    await call('model.close', { model: model.info.id })
  }
  throw new Error('no model of the corpus fits')
}

const snapshot = (root: string): Map<string, string> =>
  new Map(filesBelow(root).map((path) => [path, readFileSync(path).toString('latin1')]))

/** After one edit: the changes, one file on disk differs after saving, in as many bytes as said; undo and save bring everything back. */
async function expectOneFileChanges(call: Call, root: string, model: string, before: Map<string, string>): Promise<void> {
  const changes = await call('model.changes', { model })
  expect(changes).toHaveLength(1)
  const [{ ref, changes: ranges, changedBytes, originalSize, size }] = changes
  expect(ranges.length).toBeGreaterThan(0)
  const saved = await call('save.write', { model })
  expect(saved.failed).toEqual([])
  const now = snapshot(root)
  const different = [...now].filter(([path, bytes]) => bytes !== before.get(path)).map(([path]) => path)
  expect(different).toEqual([saved.saved[0].target])
  if (ref === different[0] && originalSize === size) {
    const a = before.get(ref)!
    const b = now.get(ref)!
    const outside = [...a].findIndex((c, i) => c !== b[i] && !ranges.some((r) => i >= r.start && i < r.end))
    expect(outside).toBe(-1)
    expect([...a].filter((c, i) => c !== b[i])).toHaveLength(changedBytes)
  }
  await call('history.undo', { model })
  await call('save.write', { model })
  expect(snapshot(root)).toEqual(before)
}

const editable = (tracks: NativeTrack[]): NativeTrack | undefined =>
  tracks.find((t) => t.times.length > 1 && t.limits.readOnly === '' && !t.limits.packed && t.property === 'translation') ??
  tracks.find((t) => t.times.length > 1 && t.limits.readOnly === '')

/** Families whose editors are still to come are left out, by what they offer. */
const offers = (family: FamilyId, part: 'clips' | 'weights'): boolean => registry.familyById(family)?.editor[part] !== undefined
const corpora: [string, { keys: boolean; weights: boolean }][] = [
  ['level5', { keys: true, weights: false }],
  ['w3d/bfme-elladan', { keys: true, weights: true }],
  ['renderware/sa-peds', { keys: false, weights: offers('renderware', 'weights') }],
  ['lostsaga', { keys: true, weights: true }],
]

for (const [folder, has] of corpora) {
  describeCorpus(folder, () => {
    it.runIf(has.keys)('a key moves', () =>
      onCopy(folder, async (call, root) => {
        const before = snapshot(root)
        let track: NativeTrack | undefined
        let clipOf = 0
        const { info, scene } = await findModel(call, root, async ({ info, scene }) => {
          if (!info.abilities.clips) return false
          for (let clip = 0; clip < scene.clips.length && !track; clip++)
            track = editable(await call('clips.tracks', { model: info.id, clip: (clipOf = clip) }))
          return track !== undefined
        })
        const width = track!.components.length
        const values = track!.values.slice(0, width)
        values[width - 1] += 0.25
        const edit = { track: track!.id, set: { keys: Uint32Array.of(0), times: track!.times.slice(0, 1), values } }
        // shown before it is made: the scene is what comes of it, and the model is as it was
        const told = await call('clips.preview', { model: info.id, edits: [edit] })
        expect(await call('model.changes', { model: info.id })).toEqual([])
        const edited = await call('clips.editKeys', { model: info.id, label: 'Move key', edits: [edit] })
        expect([told.basis, applyUpdate(told.scene, scene)]).toEqual([edited.basis, applyUpdate(edited.scene, scene)])
        expect(edited.info.dirty).toBe(true)
        // only what changed crosses, and with what is known it is the whole scene
        expect(edited.basis).toBe(info.revision)
        expect([...edited.scene.textures, ...edited.scene.meshes].filter((e) => e !== null)).toEqual([])
        expect(edited.scene.clips.filter((e) => e !== null)).toHaveLength(1)
        expect(applyUpdate(edited.scene, scene)).toEqual((await call('model.scene', { model: info.id })).scene)
        await call('history.undo', { model: info.id })
        expect((await call('history.redo', { model: info.id })).info.history.undo).toEqual(['Move key'])
        await call('history.undo', { model: info.id })
        // two tracks lose a key each (or change one where keys cannot go); one of them is brought back
        const others = await call('clips.tracks', { model: info.id, clip: clipOf })
        const second = others
          .filter(
            (t) =>
              t.ref === track!.ref &&
              t.id !== track!.id &&
              t.times.length > 2 &&
              t.limits.readOnly === '' &&
              t.limits.dense === track!.limits.dense,
          )
          .at(-1)
        if (second) {
          const change = (t: NativeTrack) =>
            t.limits.dense
              ? {
                  track: t.id,
                  set: {
                    keys: Uint32Array.of(1),
                    times: t.times.slice(1, 2),
                    values: t.values.slice(t.components.length, 2 * t.components.length).map((v) => v * 0.5 + 0.1),
                  },
                }
              : { track: t.id, remove: Uint32Array.of(1) }
          await call('clips.editKeys', { model: info.id, label: 'One', edits: [change(track!)] })
          const [one] = await call('model.changes', { model: info.id })
          await call('clips.editKeys', { model: info.id, label: 'Two', edits: [change(second)] })
          const [both] = await call('model.changes', { model: info.id })
          // ids of tracks may say more than the path of their node
          let path = second.id.slice(second.ref.length + 1)
          const below = () => both.changes.find((c) => c.path === path || c.path.startsWith(`${path}.`))
          while (!below() && path.includes('.')) path = path.slice(0, path.lastIndexOf('.'))
          const there = below()
          expect(there, second.id).toBeDefined()
          await call('changes.restore', {
            model: info.id,
            ref: second.ref,
            part: { kind: 'node', path, start: there!.start, newStart: there!.newStart },
          })
          expect((await call('model.changes', { model: info.id }))[0]).toEqual(one)
          await call('changes.restore', { model: info.id, ref: second.ref, part: { kind: 'file' } })
        }
        expect(await call('model.changes', { model: info.id })).toEqual([])
        await call('clips.editKeys', { model: info.id, label: 'Move key', edits: [edit] })
        await expectOneFileChanges(call, root, info.id, before)
      }),
    )

    it.runIf(has.weights)('a weight is painted', () =>
      onCopy(folder, async (call, root) => {
        const before = snapshot(root)
        const { info } = await findModel(
          call,
          root,
          async ({ info }) => info.abilities.weights && (await call('weights.list', { model: info.id })).length > 0,
        )
        for (const { id } of await call('weights.list', { model: info.id })) {
          const weights = await call('weights.read', { model: info.id, id })
          if (weights.limits.readOnly) continue
          // the first vertex that has weights gets all of it from one bone, another one than it leans on most
          const vertex = weights.offsets.findIndex((at, i) => i + 1 < weights.offsets.length && weights.offsets[i + 1] > at)
          const other = (weights.bone[weights.offsets[vertex]] + 1) % weights.bones.length
          const edit = {
            id,
            vertices: Uint32Array.of(vertex),
            offsets: Uint32Array.of(0, 1),
            bone: Uint16Array.of(other),
            weight: Float32Array.of(weights.limits.fullWeight),
          }
          // told before it is made, and making it is what was told
          const [told, ...more] = await call('weights.preview', { model: info.id, edit })
          expect([more, await call('model.changes', { model: info.id })]).toEqual([[], []])
          await expect(call('weights.preview', { model: info.id, edit: { ...edit, bone: Uint16Array.of(60_000) } })).rejects.toThrow()
          await call('weights.write', { model: info.id, label: 'Paint', edit })
          const [made] = await call('model.changes', { model: info.id })
          expect(told).toMatchObject({
            ref: made.ref,
            name: made.name,
            changedBytes: made.changedBytes,
            sizeBefore: made.originalSize,
            size: made.size,
          })
          expect(told.fields.reduce((n, f) => n + f.count, told.omitted)).toBe(made.changes.length + made.omitted)
          await expectOneFileChanges(call, root, info.id, before)
          return
        }
        throw new Error('no mesh can be painted')
      }),
    )
  })
}

describeCorpus('level5', () => {
  it('a slice is dragged and renamed inside of its pack: nothing but its line changes', () =>
    onCopy('level5', async (call, root) => {
      const before = snapshot(root)
      const { info, scene } = await findModel(call, root, ({ info, scene }) => info.primary.includes('!') && scene.slices.length > 1)
      const [slice] = scene.slices
      for (const by of [1, 2, 3]) await call('slices.set', { model: info.id, slice: 0, values: { end: slice.end + by }, gesture: 'drag' })
      const renamed = await call('slices.set', { model: info.id, slice: 0, values: { name: '歩く' } })
      expect(renamed.info.history.undo).toHaveLength(2)
      expect(renamed.scene.slices[0]).toMatchObject({ name: '歩く', start: slice.start, end: slice.end + 3 })
      const [file] = await call('model.changes', { model: info.id })
      expect(file.changes.map((c) => [c.path, c.before, c.after, c.whole])).toEqual([
        ['motions[0].keys[0].end', '10', '13', undefined],
        ['motions[0].keys[0].name', '', '歩く', 'added'],
      ])
      await call('history.undo', { model: info.id })
      await expectOneFileChanges(call, root, info.id, before)
    }))
})
