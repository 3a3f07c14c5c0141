/** The game updates a file under the mod: told, shown, and the mod's edits moved onto it. */
import { utimesSync, writeFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { motFormat } from '../../src/main/formats/level5/codecs/mot.ts'
import { mergeEdits } from '../../src/main/workspace/merge.ts'
import { motTracks, trackListBytes } from '../fixtures/level5/bytes.ts'
import { numbersBytes } from './fake-family.ts'
import type { Numbers } from './fake-family.ts'
import { bench, temporaryFolder } from './support.ts'

const tracks = (...edits: ((t: typeof motTracks) => void)[]): Uint8Array => {
  const copy = structuredClone(motTracks)
  for (const edit of edits) edit(copy)
  return trackListBytes(copy)
}

describe('edits of a mod on an updated file', () => {
  const moved = (t: typeof motTracks): unknown => (t[1].keys[1] = [20, 1, 0, 0.5, 0])
  const recoloured = (t: typeof motTracks): unknown => (t[4].keys[0] = [1, 0.25, 0, 0])
  const longer = (t: typeof motTracks): unknown => t[0].keys.push([50, 1, 2, 3])
  const early = (t: typeof motTracks): unknown => t[0].keys.splice(1, 0, [5, 9, 9, 9])

  it('go together where they are of different keys, keys that came on both sides too', () => {
    const merged = mergeEdits(motFormat, 'f', tracks(), tracks(recoloured, longer), tracks(moved, early))
    expect(merged.conflicts).toEqual([])
    expect(merged.bytes).toEqual(tracks(moved, recoloured, longer, early))
    expect([merged.game.changes.length, merged.mine.changes.length]).toEqual([4, 5])
  })
  it('are the same edit where both did it', () => {
    expect(mergeEdits(motFormat, 'f', tracks(), tracks(moved, longer), tracks(moved)).bytes).toEqual(tracks(moved, longer))
    expect(mergeEdits(motFormat, 'f', tracks(), tracks(longer, moved), tracks(longer, early)).bytes).toEqual(tracks(longer, early, moved))
    expect(mergeEdits(motFormat, 'f', tracks(), tracks(moved), tracks()).bytes).toEqual(tracks(moved))
  })
  it('are told where both changed one key: the game counts there', () => {
    const other = (t: typeof motTracks): unknown => (t[1].keys[1] = [20, 0.25, 0, Math.SQRT1_2, 0])
    const merged = mergeEdits(motFormat, 'f', tracks(), tracks(other), tracks(moved, recoloured))
    expect(merged.conflicts.map((c) => [c.path, c.base, c.game, c.mine])).toEqual([
      ['tracks[1].keys[1].w', '0.70710677', '0.25', '1'],
      ['tracks[1].keys[1].y', '0.70710677', '0.25', '0.5'],
    ])
    expect(merged.bytes).toEqual(tracks(other, recoloured))
  })
})

describe('an update of the game under a mod', () => {
  async function modded() {
    const folder = join(temporaryFolder(), 'mod')
    const b = bench({ 'a.num': numbersBytes([1, 2, 3, 4]) }, { place: (root) => ({ mode: 'mod-folder', root, folder }) })
    const ref = join(b.root, 'a.num')
    const model = b.open('a.num')
    await b.workspace.edit(model.id, 'Edit', (s) => (s.edit<Numbers>(ref).values[0] = 10))
    await b.workspace.save(model.id)
    const update = (values: number[]): void => {
      writeFileSync(ref, numbersBytes(values))
      utimesSync(ref, new Date(), new Date(Date.now() + 5000 + updates++ * 1000))
    }
    let updates = 0
    return { b, ref, model, update, mod: join(folder, 'a.num'), told: () => b.workspace.gameUpdates(b.root).map((u) => u.base.ref) }
  }

  it('is told; the edits move onto it, and saved it is what the mod is made from', async () => {
    const t = await modded()
    expect(t.told()).toEqual([])
    t.update([1, 2, 3, 40])
    expect(t.told()).toEqual([t.ref])
    const { game, mine, conflicts } = t.b.workspace.compareGame(t.model.id, t.ref)
    expect([game, mine].map((f) => f.changes.map((c) => [c.path, c.before, c.after]))).toEqual([
      [['values[3]', '4', '40']],
      [['values[0]', '1', '10']],
    ])
    expect(conflicts).toEqual([])
    await t.b.workspace.rebase(t.model.id, t.ref)
    expect([...(t.model.document(t.ref) as Numbers).values]).toEqual([10, 2, 3, 40])
    // told until it is saved
    expect(t.told()).toEqual([t.ref])
    await t.b.workspace.save(t.model.id)
    expect(t.told()).toEqual([])
    expect(new Uint8Array(readFileSync(t.mod))).toEqual(numbersBytes([10, 2, 3, 40]))
    expect(new Uint8Array(readFileSync(t.ref))).toEqual(numbersBytes([1, 2, 3, 40]))
  })

  it('stays told when the step is undone, and by another run on the same state', async () => {
    const t = await modded()
    t.update([1, 2, 3, 40])
    await t.b.workspace.rebase(t.model.id, t.ref)
    await t.b.workspace.undo(t.model.id)
    await t.b.workspace.edit(t.model.id, 'Edit', (s) => (s.edit<Numbers>(t.ref).values[1] = 20))
    await t.b.workspace.save(t.model.id)
    expect(t.told()).toEqual([t.ref])
    const again = bench(
      {},
      { root: t.b.root, state: t.b.state, place: (root) => ({ mode: 'mod-folder', root, folder: join(t.mod, '..') }) },
    )
    expect(again.workspace.gameUpdates(t.b.root).map((u) => u.base.ref)).toEqual([t.ref])
  })

  it('is refused where both changed a number, unless the game counts there; or the mod stays', async () => {
    const t = await modded()
    t.update([7, 2, 3, 40])
    await expect(t.b.workspace.rebase(t.model.id, t.ref)).rejects.toMatchObject({ code: 'invalid-edit', path: 'values[0]' })
    expect(t.model.dirty).toBe(false)
    await t.b.workspace.rebase(t.model.id, t.ref, 'game')
    expect([...(t.model.document(t.ref) as Numbers).values]).toEqual([7, 2, 3, 40])
    await t.b.workspace.undo(t.model.id)
    await t.b.workspace.keepMod(t.b.root, [t.ref])
    expect(t.told()).toEqual([])
    t.update([1, 2, 3, 4])
    expect(t.told()).toEqual([t.ref])
  })
})

it('a plan says so when the mod folder cannot be written', async () => {
  const folder = join(temporaryFolder(), 'mod')
  writeFileSync(folder, 'a file where the folder should be')
  const b = bench({ 'a.num': numbersBytes([1]) }, { place: (root) => ({ mode: 'mod-folder', root, folder }) })
  const model = b.open('a.num')
  await b.workspace.edit(model.id, 'Edit', (s) => (s.edit<Numbers>(join(b.root, 'a.num')).values[0] = 2))
  const plan = await b.workspace.plan(model.id)
  expect(plan.files.map((f) => f.problem)).toEqual([`${folder} is no folder: nothing can be written below it`])
})
