/**
 * Clips as a whole, through the services and the command line, on the sample library: one step of undo each, saved with nothing else
 * changed, and found and played by a Marrow that has never seen the folder.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createPose, sampleClip } from '../../src/shared/scene/pose.ts'
import type { ListedClip } from '../../src/shared/api/types/clips.ts'
import type { Clip, Scene } from '../../src/shared/scene/types.ts'
import { marrow } from '../cli/run.ts'
import { tempFolder } from '../files/temp.ts'
import type { Call } from '../support/caller.ts'
import { openGame, sampleTree, serviceBenches } from '../support/service-bench.ts'
import type { ServiceBench } from '../support/service-bench.ts'

const SLOW = { timeout: 120_000 }

/** A model of each family whose clips have a list, and the file that they stand in. */
const MODELS = [
  { family: 'renderware', folder: 'San Andreas', model: 'models/peds/adventurer.dff', file: 'models/adventurer.ifp' },
  { family: 'w3d', folder: 'Zero Hour', model: 'Art/W3D/WALKER_SKN.W3D', file: 'Art/W3D/WALKER_FRA.W3D' },
  // what goes is the window in the script; frames that were put behind the track stay there, and nothing plays them
  { family: 'level5', folder: 'Dark Cloud 2', model: 'adventurer/adventurer.mds', file: 'adventurer/info.cfg' },
] as const

const SAMPLE = sampleTree()

const begin = serviceBenches(afterEach)

const sampleOf = (folder: string): Record<string, Uint8Array> =>
  Object.fromEntries(
    Object.entries(SAMPLE).flatMap(([path, bytes]) => (path.startsWith(`${folder}/`) ? [[path.slice(folder.length + 1), bytes]] : [])),
  )

async function opened<T>(bench: ServiceBench, file: string, body: (call: Call, model: string, scene: Scene) => Promise<T>): Promise<T> {
  const { info, scene } = await openGame(bench, file)
  const result = await body(bench.call, info.id, scene)
  await bench.close()
  return result
}

/** Whether a clip moves anything between two times. */
function moves(scene: Scene, clip: Clip, from: number, to: number): boolean {
  const [a, b] = [createPose(scene), createPose(scene)]
  sampleClip(scene, clip, from, a)
  sampleClip(scene, clip, to, b)
  return a.local.some((value, i) => Math.abs(value - b.local[i]) > 1e-4)
}

describe.each(MODELS)('clips of $family', ({ folder, model: name, file }) => {
  it('are made, undone to the same bytes, saved, and found by a fresh scan', SLOW, async () => {
    const bench = begin({ files: sampleOf(folder) })
    const target = join(bench.game, file)
    const before = readFileSync(target)
    const first = await opened(bench, name, async (call, model) => {
      const { clips } = await call('clips.list', { model })
      const [source] = clips
      await call('clips.duplicate', { model, clip: 0, name: 'mine' })
      const names = async () => (await call('clips.list', { model })).clips.map((clip) => clip.name).sort()
      expect(await names()).toEqual([...clips.map((clip) => clip.name), 'mine'].sort())
      const changes = await call('model.changes', { model })
      expect(changes.length).toBeGreaterThan(0)
      await call('history.undo', { model })
      expect((await call('clips.list', { model })).clips).toEqual(clips)
      expect(await call('model.changes', { model })).toEqual([])
      await call('history.redo', { model })
      await call('clips.add', { model, name: 'cut', from: { clip: 0, start: source.start, end: source.end } })
      await call('save.write', { model })
      return source
    })
    const after = readFileSync(target)
    expect(after.length).toBeGreaterThan(before.length)
    await opened(begin({ after: bench, stateFolder: join(bench.base, 'fresh') }), name, async (call, model, scene) => {
      const { clips } = await call('clips.list', { model })
      for (const wanted of ['mine', 'cut']) {
        const found = clips.find((clip) => clip.name === wanted)!
        expect(found.end - found.start, wanted).toBeCloseTo(first.end - first.start, 5)
        expect(moves(scene, scene.clips[found.clip], found.start, (found.start + found.end) / 2), wanted).toBe(true)
      }
      await call('clips.remove', { model, clip: clips.findIndex((clip) => clip.name === 'cut') })
      await call('clips.remove', { model, clip: clips.findIndex((clip) => clip.name === 'mine') })
      await call('save.write', { model })
    })
    expect(readFileSync(target).equals(before)).toBe(true)
  })

  it('are listed, made and named on the command line', SLOW, async () => {
    const root = tempFolder(sampleOf(folder))
    const path = join(root, name)
    const state = tempFolder()
    const call = (...args: string[]) => marrow(['clip', ...args], { stateFolder: state })
    const listed = await call('list', path, '--json')
    expect(listed.status, listed.err).toBe(0)
    const { clips } = listed.json() as { clips: ListedClip[] }
    const made = await call('new', path, 'fresh', '--json')
    expect(made.status, made.err).toBe(0)
    expect(made.json()).toMatchObject({ saved: expect.arrayContaining([expect.objectContaining({ path: join(root, file) })]) })
    expect((await call('duplicate', path, clips[0].name, 'copy')).status).toBe(0)
    expect((await call('rename', path, 'copy', 'again')).out).toContain('again')
    expect((await call('new', path, 'part', '--from', clips[0].name, '--end', String(clips[0].start))).status).toBe(0)
    const names = ((await call('list', path, '--json')).json() as { clips: ListedClip[] }).clips.map((clip) => clip.name)
    expect(names.sort()).toEqual([...clips.map((clip) => clip.name), 'fresh', 'again', 'part'].sort())
    // the same file again: each of its names is there
    const taken = await call('merge', path, join(root, file), '--json')
    expect(taken.status).toBe(1)
    expect(taken.json()).toMatchObject({ error: { code: 'invalid-edit' } })
    for (const gone of ['part', 'again', 'fresh']) expect((await call('remove', path, gone)).status).toBe(0)
    expect((await call('remove', path, 'nobody', '--json')).json()).toMatchObject({ error: { code: 'invalid-argument' } })
    expect((await call('new', path, 'x', '--start', '1')).status).toBe(2)
  })
})

describe('the field that is the name of a clip', () => {
  it('is checked as in the list, and markers of the clip follow', SLOW, async () => {
    const bench = begin({ files: sampleOf('San Andreas') })
    await opened(bench, 'models/peds/adventurer.dff', async (call, model, scene) => {
      const clip = scene.clips.findIndex(({ name }) => name === 'walk')
      await call('markers.add', { model, clip, name: 'step', time: 10 })
      await expect(call('clips.setField', { model, clip, key: 'name', value: 'IDLE' })).rejects.toMatchObject({ code: 'invalid-edit' })
      await call('clips.setField', { model, clip, key: 'name', value: 'stroll' })
      const after = (await call('model.scene', { model })).scene
      expect(after.clips[clip].name).toBe('stroll')
      expect(after.markers).toMatchObject([{ clip, name: 'step', time: 10 }])
    })
  })
})

describe('clips of a family that has no list to change', () => {
  it('are listed, each with why nothing can be done with it', SLOW, async () => {
    const root = tempFolder(sampleOf('Lost Saga'))
    const path = join(root, 'resource/skeleton/adventurer.skl')
    const state = tempFolder()
    const listed = await marrow(['clip', 'list', path, '--json'], { stateFolder: state })
    expect(listed.status, listed.err).toBe(0)
    const { clips } = listed.json() as { clips: ListedClip[] }
    expect(clips.map(({ name }) => name)).toEqual(['adventurer_attack', 'adventurer_idle', 'adventurer_walk'])
    expect(clips[0].refused.remove).toMatch(/no way/)
    const refused = await marrow(['clip', 'duplicate', path, 'adventurer_idle', 'mine', '--json'], { stateFolder: state })
    expect(refused.json()).toMatchObject({ error: { code: 'unsupported' } })
  })
})
