/**
 * Clips as a whole, through the services and the command line, on the sample library: one step of undo each, saved with nothing else
 * changed, and found and played by a Marrow that has never seen the folder.
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createPose, sampleClip } from '../../src/shared/scene/pose.ts'
import type { ListedClip } from '../../src/shared/api/types/clips.ts'
import type { Clip, Scene } from '../../src/shared/scene/types.ts'
import { marrow } from '../cli/run.ts'
import { tempFolder } from '../files/temp.ts'
import type { Call } from '../support/caller.ts'
import { changedRanges } from '../support/edit-session.ts'
import { openGame, sampleTree, serviceBenches } from '../support/service-bench.ts'
import type { ServiceBench } from '../support/service-bench.ts'

const SLOW = { timeout: 120_000 }

/** A model of each family whose clips have a list in one file, and that file. */
const MODELS = [
  { family: 'renderware', folder: 'San Andreas', model: 'models/peds/adventurer.dff', file: 'models/adventurer.ifp' },
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

/** Families whose games look for a clip in a file of its name. Times are native: a range, and where a clip is parted and joined again. */
const FILES_EACH = [
  {
    family: 'lostsaga',
    folder: 'Lost Saga',
    model: 'resource/skeleton/adventurer.skl',
    animations: 'resource/animation',
    ending: 'ani',
    clips: ['adventurer_attack', 'adventurer_idle', 'adventurer_walk'],
    cut: [100, 400],
    split: 200,
    marker: 100,
    still: 1000,
  },
  {
    family: 'w3d',
    folder: 'Zero Hour',
    model: 'Art/W3D/WALKER_SKN.W3D',
    animations: 'Art/W3D',
    ending: 'W3D',
    clips: ['WALKER_FRA', 'WALKER_IDA', 'WALKER_WKA'],
    cut: [5, 20],
    split: 10,
    marker: 4,
    still: 29,
  },
] as const

describe.each(FILES_EACH)(
  'clips of $family, which are a file each',
  ({ folder: game, model, animations, ending, clips: own, ...times }) => {
    const [attack, idle, walk] = own
    /** the copy and the cut of the walk, a clip without movement */
    const MADE = ['Mine', 'cut', 'still'].map((name) => `${name}.${ending}`)
    const filesOf = (bench: Pick<ServiceBench, 'game'>): Record<string, string> =>
      Object.fromEntries(
        readdirSync(join(bench.game, animations))
          .sort()
          .map((name) => [name, readFileSync(join(bench.game, animations, name)).toString('base64')]),
      )

    it('come, go by undo, are saved as files beside the others, and are found by a fresh scan', SLOW, async () => {
      const bench = begin({ files: sampleOf(game) })
      const before = filesOf(bench)
      const end = await opened(bench, model, async (call, id) => {
        const { clips } = await call('clips.list', { model: id })
        expect(clips[0].refused.move).toContain('order')
        const source = clips.find(({ name }) => name === walk)!
        await call('clips.duplicate', { model: id, clip: clips.indexOf(source), name: 'Mine' })
        const { info } = await call('model.scene', { model: id })
        expect(info.files.filter(({ name }) => name === MADE[0])).toMatchObject([{ role: 'animation', dirty: true }])
        // nothing is on disk before it is saved
        expect(filesOf(bench)).toEqual(before)
        expect(await call('model.changes', { model: id })).toMatchObject([{ name: MADE[0], originalSize: 0 }])
        await call('history.undo', { model: id })
        expect((await call('clips.list', { model: id })).clips).toEqual(clips)
        expect(await call('model.changes', { model: id })).toEqual([])
        expect((await call('model.scene', { model: id })).info).toMatchObject({ dirty: false })
        await call('history.redo', { model: id })
        await call('clips.add', { model: id, name: 'cut', from: { clip: clips.indexOf(source), start: times.cut[0], end: times.cut[1] } })
        await call('clips.add', { model: id, name: 'still' })
        expect((await call('save.plan', { model: id })).files.map(({ problem }) => problem)).toEqual([undefined, undefined, undefined])
        expect((await call('save.write', { model: id })).failed).toEqual([])
        return source.end
      })
      const after = filesOf(bench)
      const still = after[MADE[2]]
      expect(Object.keys(after).sort()).toEqual([...Object.keys(before), ...MADE].sort())
      for (const [name, bytes] of Object.entries(before)) expect(after[name], name).toBe(bytes)
      const [copy, original] = [MADE[0], `${walk}.${ending}`].map((name) => Buffer.from(after[name], 'base64'))
      // in its name alone, where a clip's name is in the file
      for (const [from, to] of changedRanges(original, copy))
        expect(game === 'Zero Hour' && from >= 20 && to <= 36, `${from}–${to}`).toBe(true)
      // what the game would not find is told
      const linted = await marrow(['lint', join(bench.game, animations), '--json'], { stateFolder: tempFolder() })
      expect(linted.out).not.toContain('clip-file')
      await opened(begin({ after: bench, stateFolder: join(bench.base, 'fresh') }), model, async (call, id, scene) => {
        const { clips } = await call('clips.list', { model: id })
        const of = (name: string): ListedClip => clips.find((clip) => clip.name === name)!
        expect([of('Mine').end, of('cut').end, of('still').end]).toEqual([end, times.cut[1] - times.cut[0], times.still])
        for (const name of ['Mine', 'cut']) expect(moves(scene, scene.clips[of(name).clip], 0, of(name).end / 2), name).toBe(true)
        expect(moves(scene, scene.clips[of('still').clip], 0, times.still / 2)).toBe(false)
        for (const name of ['Mine', 'cut', 'still']) {
          const list = (await call('clips.list', { model: id })).clips
          await call('clips.remove', { model: id, clip: list.findIndex((clip) => clip.name === name) })
        }
        expect(Object.keys(filesOf(bench)).length).toBe(Object.keys(before).length + 3)
        expect((await call('save.write', { model: id })).failed).toEqual([])
        expect(filesOf(bench)).toEqual(before)
        // the steps stay: what was taken away comes back, and goes again
        await call('history.undo', { model: id })
        await call('save.write', { model: id })
        expect(filesOf(bench)).toEqual({ ...before, [MADE[2]]: still })
        await call('history.redo', { model: id })
        await call('save.write', { model: id })
        expect(filesOf(bench)).toEqual(before)
      })
    })

    it('are parted, joined and named in one step each; slices and markers of theirs follow', SLOW, async () => {
      const bench = begin({ files: sampleOf(game) })
      const before = filesOf(bench)
      await opened(bench, model, async (call, id) => {
        const list = async () => (await call('clips.list', { model: id })).clips
        const at = async (name: string) => (await list()).findIndex((clip) => clip.name === name)
        const length = (await list())[await at(walk)].end
        await call('markers.add', { model: id, clip: await at(walk), name: 'step', time: length - times.marker })
        await call('clips.rename', { model: id, clip: await at(walk), name: 'stroll' })
        expect((await list()).map(({ name }) => name).sort()).toEqual([attack, idle, 'stroll'])
        await call('clips.split', { model: id, clip: await at('stroll'), time: times.split, name: 'stroll_b' })
        const parted = (await call('model.scene', { model: id })).scene
        expect(parted.markers.map(({ clip, time }) => [parted.clips[clip].name, time])).toEqual([
          ['stroll_b', length - times.marker - times.split],
        ])
        await call('clips.join', { model: id, clip: await at('stroll'), other: await at('stroll_b') })
        const joined = (await call('model.scene', { model: id })).scene
        expect(joined.markers.map(({ clip, time }) => [joined.clips[clip].name, time])).toEqual([['stroll', length - times.marker]])
        await expect(call('clips.rename', { model: id, clip: 0, name: 'STROLL' })).rejects.toMatchObject({ code: 'invalid-edit' })
        await expect(call('clips.rename', { model: id, clip: 0, name: '../up' })).rejects.toMatchObject({ code: 'invalid-edit' })
        for (let i = 0; i < 4; i++) await call('history.undo', { model: id })
        expect((await list()).map(({ name }) => name).sort()).toEqual([attack, idle, walk])
        expect((await call('model.scene', { model: id })).info.dirty).toBe(false)
      })
      expect(filesOf(bench)).toEqual(before)
    })

    it('that are not saved come back after the run ended', SLOW, async () => {
      const bench = begin({ files: sampleOf(game) })
      await opened(bench, model, async (call, id) => {
        const { clips } = await call('clips.list', { model: id })
        await call('clips.duplicate', { model: id, clip: 0, name: 'mine' })
        await call('clips.remove', { model: id, clip: 1 })
        expect(clips[1].name).toBe(idle)
      })
      const again = begin({ after: bench })
      const [found] = await again.call('recovery.list', {})
      expect(found).toMatchObject({ steps: 2 })
      const { info, scene } = await again.call('recovery.restore', { id: found.id })
      expect(scene.clips.map(({ name }) => name).sort()).toEqual([attack, walk, 'mine'])
      expect(info.history.undo.length).toBe(2)
      await again.call('history.undo', { model: info.id })
      await again.call('history.undo', { model: info.id })
      expect((await again.call('model.scene', { model: info.id })).info.dirty).toBe(false)
    })

    it('stand in the mod folder, which takes none of the game’s own away', SLOW, async () => {
      const bench = begin({ files: sampleOf(game) })
      const before = filesOf(bench)
      const folder = join(bench.base, 'mod')
      await bench.call('settings.set', { saveMode: 'mod-folder', modFolder: folder })
      await opened(bench, model, async (call, id) => {
        await call('clips.duplicate', { model: id, clip: 0, name: 'mine' })
        await expect(call('clips.remove', { model: id, clip: 0 })).rejects.toMatchObject({ code: 'refused' })
        expect((await call('save.write', { model: id })).failed).toEqual([])
      })
      expect(filesOf(bench)).toEqual(before)
      expect(readdirSync(join(folder, animations))).toEqual([`mine.${ending}`])
      await opened(begin({ after: bench }), model, async (call, id, scene) => {
        expect(scene.clips.map(({ name }) => name)).toContain('mine')
        const clip = (await call('clips.list', { model: id })).clips.findIndex(({ name }) => name === 'mine')
        await call('clips.remove', { model: id, clip })
        expect((await call('save.write', { model: id })).failed).toEqual([])
      })
      expect(readdirSync(join(folder, animations))).toEqual([])
    })

    it('are listed, made and named on the command line', SLOW, async () => {
      const root = tempFolder(sampleOf(game))
      const path = join(root, model)
      const state = tempFolder()
      const call = (...args: string[]) => marrow(['clip', ...args], { stateFolder: state })
      const names = () => readdirSync(join(root, animations)).sort()
      const before = names()
      expect((await call('new', path, 'fresh')).status).toBe(0)
      expect((await call('duplicate', path, walk, 'copy')).status).toBe(0)
      expect((await call('rename', path, 'copy', 'again')).status).toBe(0)
      expect(names()).toEqual([...before, `again.${ending}`, `fresh.${ending}`].sort())
      const taken = await call('merge', path, join(root, animations, `again.${ending}`), '--json')
      expect(taken.json()).toMatchObject({ error: { code: 'invalid-edit' } })
      for (const gone of ['again', 'fresh']) expect((await call('remove', path, gone)).status).toBe(0)
      expect(names()).toEqual(before)
    })
  },
)

describe('files of a kind that edits make', () => {
  it('and that an edit reached from another model are no part of that one for it', SLOW, async () => {
    const game = sampleOf('Zero Hour')
    const bench = begin({ files: { ...game, 'Art/W3D/OTHER_SKN.W3D': game['Art/W3D/WALKER_SKN.W3D'] } })
    await opened(bench, 'Art/W3D/WALKER_SKN.W3D', async (call, model, scene) => {
      const translation = [...scene.skeleton.restTranslation.subarray(6, 9)].map((value) => value + 1)
      await call('skeleton.place', { model, joint: 2, translation, keepSkin: true })
      const now = await call('model.scene', { model })
      expect(now.info.files.find(({ name }) => name === 'OTHER_SKN.W3D')).toMatchObject({ role: 'other', dirty: true })
      expect(now.scene.meshes.length).toBe(scene.meshes.length)
      // a name that differs in case alone is the same file for the game
      await expect(call('clips.duplicate', { model, clip: 0, name: 'walker_skn' })).rejects.toMatchObject({ code: 'invalid-edit' })
    })
  })

  it('stay in their model when they are missed, if they are not of those that go', SLOW, async () => {
    const bench = begin({ files: sampleOf('Zero Hour') })
    await opened(bench, 'Art/W3D/WALKER_SKN.W3D', async (call, model) => {
      for (const name of ['WALKER_SKL', 'WALKER_IDA']) rmSync(join(bench.game, `Art/W3D/${name}.W3D`))
      const { info } = await call('model.reload', { model, missing: 'drop' })
      expect(info.files.find(({ name }) => name === 'WALKER_SKL.W3D')?.error).toContain('is not there')
      expect(info.files.map(({ name }) => name)).not.toContain('WALKER_IDA.W3D')
    })
  })
})

describe('packed clips on the command line', () => {
  it('are told with what storing them plain adds, which is what the file grows by', SLOW, async () => {
    const { folder, model } = FILES_EACH[1]
    const file = 'Art/W3D/WALKER_FRA.W3D'
    const root = tempFolder(sampleOf(folder))
    const path = join(root, model)
    const state = tempFolder()
    const call = (...args: string[]) => marrow(['clip', ...args], { stateFolder: state })
    const listed = async () => ((await call('list', path, '--json')).json() as { clips: ListedClip[] }).clips
    const before = await listed()
    const clip = before.find(({ packed }) => packed)!
    const size = readFileSync(join(root, file)).length
    expect((await call('list', path)).out).toContain(`${clip.packed!.tracks} packed, ${clip.packed!.adds} bytes more when stored plain`)
    const stored = await call('unpack', path, clip.name, '--json')
    expect(stored.json()).toMatchObject({ changed: [], saved: [{ bytes: size + clip.packed!.adds }] })
    expect(readFileSync(join(root, file)).length).toBe(size + clip.packed!.adds)
    expect(await listed()).toEqual(before.map(({ packed: _, ...rest }) => rest))
    expect((await call('unpack', path, clip.name, '--json')).json()).toMatchObject({ error: { code: 'invalid-edit' } })
    const none = await call('unpack', join(tempFolder(sampleOf(MODELS[0].folder)), MODELS[0].model), '0', '--json')
    expect(none.json()).toMatchObject({ error: { code: 'unsupported' } })
  })
})
