import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { isDeepStrictEqual } from 'node:util'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createServices } from '../../src/main/services/create-services.ts'
import { dispatch } from '../../src/main/services/dispatch.ts'
import { writeGltf } from '../../src/main/interchange/gltf-writer.ts'
import { readQuaternion, writeQuaternion } from '../../src/shared/keys/value.ts'
import { animationNames } from '../../src/shared/scene/animation-names.ts'
import { multiplyQuat } from '../../src/shared/scene/matrix.ts'
import { applyUpdate } from '../../src/shared/scene/scene-update.ts'
import { sampleFiles } from '../support/sample.ts'
import { writeFiles } from '../workspace/support.ts'
import { caller } from '../support/caller.ts'
import { withHole, writeHole } from '../support/large-glb.ts'
import { turned } from '../support/turned.ts'
import type { ImportSettings } from '../../src/shared/api/import-options.ts'
import type { EventMap } from '../../src/shared/api/events.ts'
import type { NativeTrack } from '../../src/shared/api/types/clips.ts'
import type { LinkState } from '../../src/shared/api/types/link.ts'
import type { OpenedModel } from '../../src/shared/api/types/model.ts'
import type { Scene } from '../../src/shared/scene/types.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'marrow-test-')))
const openedFiles: string[] = []
const services = createServices({
  stateFolder: join(base, 'state'),
  host: 'electron',
  watchEvery: 20,
  openFile: (path) => (openedFiles.push(path), Promise.resolve('')),
})
const call = caller(() => services)
let opened: OpenedModel
let model = ''
let ref = ''
let library = ''
const told: LinkState[] = []

beforeAll(async () => {
  services.subscribe((name, event) => void (name === 'link.changed' && told.push(event as LinkState)))
  const game = join(base, 'game')
  writeFiles(
    game,
    Object.fromEntries(sampleFiles().flatMap(({ path, bytes }) => (path.startsWith('Dark Cloud 2/adventurer/') ? [[path, bytes]] : []))),
  )
  library = (await call('library.open', { root: game })).id
  await call('library.scan', { library })
  ref = join(game, 'Dark Cloud 2/adventurer/adventurer.mds')
  opened = await call('model.open', { ref, library })
  model = opened.info.id
}, 240_000)
afterAll(async () => {
  await services.close()
  rmSync(base, { recursive: true, force: true })
})

const about = (degrees: number): Float32Array =>
  Float32Array.of(Math.sin((degrees * Math.PI) / 360), 0, 0, Math.cos((degrees * Math.PI) / 360))

/** Joints of the first clip that turn, on branches of their own or not. */
function turning({ clips }: Scene): number[] {
  return clips[0].tracks.flatMap(({ property, target, times }) =>
    property === 'rotation' && target.kind === 'joint' && times.length > 2 ? [target.index] : [],
  )
}

/** The model with joints of its first clip turned. */
async function turnedBy(
  scene: Scene,
  turns: readonly [joint: number, degrees: number][],
  sampling: '24' | 'keys' = 'keys',
): Promise<Uint8Array> {
  const copy = structuredClone(scene)
  for (const [joint, degrees] of turns) {
    const { values, times } = copy.clips[0].tracks.find(
      (t) => t.property === 'rotation' && t.target.kind === 'joint' && t.target.index === joint,
    )!
    for (let k = 0; k < times.length; k++) multiplyQuat(values, 4 * k, values.slice(4 * k, 4 * k + 4), 0, about(degrees), 0)
  }
  return (await writeGltf(copy, { format: 'glb', name: 'x', sampling, animations: [animationNames(copy).clips[0]] })).files[0].bytes
}
const degreesOf = (state: LinkState | null): number =>
  Math.max(0, ...(state?.report?.imported ?? []).flatMap(({ moved }) => moved.map((m) => m.degrees)))
const undo = async (): Promise<string[]> => (await call('history.list', { model })).undo
const until = (what: () => unknown): Promise<unknown> => vi.waitFor(what, { timeout: 60_000, interval: 20 })
const shows = (degrees: number): Promise<unknown> =>
  until(async () => {
    const state = await call('link.state', { model })
    expect(state).toMatchObject({ status: 'imported' })
    expect(degreesOf(state)).toBeCloseTo(degrees, 0)
  })

it('shows what a file would do, with nothing of the model touched', async () => {
  const bytes = await turned(opened.scene, 20)
  const before = await call('model.scene', { model })
  const shares: number[] = []
  const stop = services.subscribe(
    (event, data) => void (event === 'import.progress' && shares.push((data as EventMap['import.progress']).share)),
  )
  const preview = await call('import.preview', { model, name: 'x.glb', bytes })
  stop()
  expect(shares[0]).toBe(0)
  expect(shares).toEqual(shares.toSorted((a, b) => a - b))
  expect(shares.at(-1)).toBeLessThan(1)
  expect(preview.basis).toBe(before.info.revision)
  expect(preview.report.imported[0].keysChanged).toBeGreaterThan(0)
  expect(preview.report.imported[0].moved[0].degrees).toBeCloseTo(20, 0)
  expect(preview.places.map(({ into }) => into)).toEqual(opened.scene.clips.map((_, i) => `clip ${i}`))
  const shown = applyUpdate(preview.scene, before.scene)!
  expect(shown.clips[0]).not.toEqual(before.scene.clips[0])
  const after = await call('model.scene', { model })
  expect([after.info.dirty, after.info.history.undo, after.info.history.redo]).toEqual([false, [], []])
  expect(after.scene.clips).toEqual(before.scene.clips)
  expect(existsSync(join(base, 'state', 'journals', 'x'))).toBe(false)

  // other answers to the same file: another place, none, only some joints
  const other = await call('import.preview', { model, name: 'x.glb', bytes, into: { 0: 'slice 0' } })
  expect(other.places[0]).toMatchObject({ into: 'slice 0', assumed: false })
  const none = await call('import.preview', { model, name: 'x.glb', bytes, joints: [] })
  expect(none.report.imported.map(({ joints, keysChanged }) => [joints, keysChanged])).toEqual(none.report.imported.map(() => [0, 0]))
  // with no place for any of them it is still shown which there are, so that they can be given one
  const nowhere = await call('import.preview', {
    model,
    name: 'x.glb',
    bytes,
    into: Object.fromEntries(preview.places.map((_, i) => [i, ''])),
  })
  expect(nowhere.places.map(({ into }) => into)).toEqual(preview.places.map(() => ''))
  expect(nowhere.report).toMatchObject({
    imported: [],
    unused: preview.places.map(({ animation }) => animation),
    left: [expect.any(String)],
  })
  await expect(call('import.preview', { model, name: 'x.glb', bytes, into: { 0: 'clip 99' } })).rejects.toMatchObject({
    code: 'invalid-argument',
  })

  // and what is taken then is what was shown, as one step
  const { info, scene } = await call('import.animation', { model, name: 'x.glb', bytes })
  expect(info.history.undo).toEqual(['Import x.glb'])
  expect(applyUpdate(scene, before.scene)!.clips[0]).toEqual(shown.clips[0])
  await call('history.undo', { model })
})

it('is stopped on its way, with its share told and nothing changed', async () => {
  const bytes = await turned(opened.scene, 20)
  const before = await call('model.scene', { model })
  for (const name of ['import.preview', 'import.animation'] as const) {
    const stopping = new AbortController()
    const shares: number[] = []
    const stop = services.subscribe((event, data) => {
      if (event !== 'import.progress') return
      shares.push((data as EventMap['import.progress']).share)
      stopping.abort()
    })
    const answer = await dispatch(services, name, { model, name: 'x.glb', bytes }, stopping.signal)
    stop()
    expect(answer).toMatchObject({ ok: false, error: { code: 'cancelled' } })
    // it ends at once, and tells no more
    expect(shares).toEqual([0])
  }
  const after = await call('model.scene', { model })
  expect([after.info.dirty, after.info.revision, after.info.history.undo]).toEqual([false, before.info.revision, []])
})

it('takes each save as one step that the next one replaces, through undo and edits of the user', async () => {
  const { path } = await call('link.start', { model })
  expect(path).toBe(join(base, 'state', 'live', path.split(/[\\/]/).at(-2)!, 'adventurer.glb'))
  expect((statSync(dirname(path)).mode & 0o077) === 0 || process.platform === 'win32').toBe(true)
  expect(await call('link.openFile', { model })).toEqual({ opened: true })
  expect(openedFiles).toEqual([path])
  const exported = readFileSync(path)

  // the same bytes again are no news, half of a file is no error
  utimesSync(path, new Date(), new Date(Date.now() + 5000))
  await until(() => expect(told.at(-1)?.status).toBe('waiting'))
  const twenty = await turned(opened.scene, 20)
  writeFileSync(path, twenty)
  truncateSync(path, 1000)
  await until(() => expect(told.at(-1)?.status).toBe('writing'))
  writeFileSync(path, twenty)
  await shows(20)
  expect(await undo()).toEqual(['Import adventurer.glb'])

  writeFileSync(path, await turned(opened.scene, 40))
  await shows(40)
  expect(await undo()).toEqual(['Import adventurer.glb'])

  // back to the export: the step changes nothing any more and goes
  writeFileSync(path, exported)
  await until(async () => expect(await undo()).toEqual([]))

  writeFileSync(path, twenty)
  await shows(20)
  await call('history.undo', { model })
  writeFileSync(path, await turned(opened.scene, 30))
  await shows(30)
  expect(await undo()).toEqual(['Import adventurer.glb'])

  // an edit between two saves stays, and the next save is a step of its own
  await call('markers.add', { model, clip: 0, name: 'here', time: 3 })
  const [first] = told.slice(-1)
  writeFileSync(path, await turned(opened.scene, 50))
  await until(async () => expect(await undo()).toHaveLength(3))
  await until(() => expect(told.at(-1)!.step).not.toBe(first.step))

  // what is no glTF is said, and the next good save counts
  writeFileSync(path, 'nothing of use')
  await until(() => expect(told.at(-1)).toMatchObject({ status: 'failed', error: { code: 'bad-magic' } }))
  truncateSync(path, 2 ** 29 + 1)
  await until(() => expect(told.at(-1)).toMatchObject({ status: 'failed', error: { code: 'unsupported' } }))
  // 500 MB of pictures beside it are not read; of the 30 degrees before the step 5 are taken back
  writeHole(path, withHole(await turned(opened.scene, 25)))
  await shows(5)
  writeFileSync(path, await turned(opened.scene, 10))
  await until(() => expect(told.at(-1)).toMatchObject({ status: 'imported' }))
  expect(await undo()).toHaveLength(3)
})

it('keeps edits made here where a save says nothing new, and says where both were changed', async () => {
  await call('link.stop', { model })
  while ((await undo()).length > 0) await call('history.undo', { model })
  const { path } = await call('link.start', { model, existing: 'replace' })
  const { scene } = await call('model.scene', { model })
  const [mine, theirs] = turning(scene)
  const name = (joint: number): string => scene.skeleton.names[joint]
  const keysOf = async (joint: number): Promise<NativeTrack> =>
    (await call('clips.tracks', { model, clip: 0 })).find((t) => t.joint === joint && t.property === 'rotation')!
  /** turned by as many degrees at one key, by hand */
  const turnHere = async (joint: number, key: number, degrees: number): Promise<void> => {
    const track = await keysOf(joint)
    const q = new Float32Array(4)
    readQuaternion(q, track, track.values, 4 * key)
    multiplyQuat(q, 0, q, 0, about(degrees), 0)
    const values = new Float32Array(4)
    writeQuaternion(values, 0, track, q)
    await call('clips.editKeys', {
      model,
      label: 'turn',
      edits: [{ track: track.id, set: { keys: Uint32Array.of(key), times: Float64Array.of(track.times[key]), values } }],
    })
  }
  const saved = async (...turns: [joint: number, degrees: number][]): Promise<LinkState> => {
    const bytes = await turnedBy(opened.scene, turns)
    const from = told.length
    writeFileSync(path, bytes)
    const news = (): LinkState | undefined => told.slice(from).find(({ status }) => status === 'imported')
    await until(() => expect(news()).toBeDefined())
    return news()!
  }

  // one bone here, another there
  await turnHere(mine, 1, 15)
  const edited = (await keysOf(mine)).values
  let state = await saved([theirs, 20])
  expect(state.report!.imported[0]).toMatchObject({ kept: [name(mine)], both: [] })
  expect((await keysOf(mine)).values).toEqual(edited)
  expect(degreesOf(state)).toBeCloseTo(20, 0)
  expect(await undo()).toHaveLength(2)

  // the next save takes the place of the last one: edits from before both stay, and what it takes back is back
  state = await saved([theirs, 35])
  expect(await undo()).toHaveLength(2)
  expect((await keysOf(mine)).values).toEqual(edited)
  const own = (await keysOf(theirs)).values
  expect(state.report!.imported[0]).toMatchObject({ both: [] })

  // and here after the save: of the same bone, which the next save leaves alone
  await turnHere(theirs, 1, 10)
  const here = (await keysOf(theirs)).values
  expect(here).not.toEqual(own)
  state = await saved([theirs, 35], [mine, 5])
  expect((await keysOf(theirs)).values).toEqual(here)
  // both turned this one: the file counts, and it is said
  expect(state.report!.imported[0]).toMatchObject({ kept: [name(theirs)], both: [name(mine)] })
  expect((await keysOf(mine)).values).not.toEqual(edited)
})

it('takes saves as it was told: timing, tolerance, weights', async () => {
  const begin = async (wishes: Partial<ImportSettings>): Promise<string> => {
    await call('link.stop', { model })
    while ((await undo()).length > 0) await call('history.undo', { model })
    return (await call('link.start', { model, existing: 'replace', ...wishes })).path
  }
  const save = async (path: string, bytes: Uint8Array): Promise<LinkState> => {
    const from = told.length
    writeFileSync(path, bytes)
    const news = (): LinkState | undefined => told.slice(from).find(({ status }) => status === 'imported')
    await until(() => expect(news()).toBeDefined())
    return news()!
  }
  const tracks = () => call('clips.tracks', { model, clip: 0 })
  const [joint] = turning(opened.scene)
  await expect(begin({ animations: false })).rejects.toMatchObject({ code: 'invalid-argument' })

  // less than the tolerance is rounding
  const turn = await turnedBy(opened.scene, [[joint, 3]])
  expect((await save(await begin({ tolerance: 5 }), turn)).report!.imported[0].moved).toEqual([])
  expect(degreesOf(await save(await begin({ tolerance: 0.02 }), turn))).toBeCloseTo(3, 1)

  // at another rate the times of the file are taken, for what has news in it alone
  const before = await tracks()
  const [{ keysInserted }, ...others] = (await save(await begin({ timing: 'take' }), await turnedBy(opened.scene, [[joint, 20]], '24')))
    .report!.imported
  expect(others).toEqual([])
  const after = new Map((await tracks()).map((track) => [track.id, track]))
  const changed = before.filter(
    ({ id, times, values }) => !isDeepStrictEqual([after.get(id)!.times, after.get(id)!.values], [times, values]),
  )
  expect(changed.map((track) => [track.joint, track.property])).toEqual([[joint, 'rotation']])
  const own = before.find((track) => track.joint === joint && track.property === 'rotation')!
  expect(after.get(own.id)!.times.length).toBe(own.times.length + keysInserted)

  // weights where they are asked for
  const painted = structuredClone(opened.scene)
  const { offsets, slots, weights } = painted.skins[painted.meshes.find(({ skin }) => skin >= 0)!.skin]
  const vertex = offsets.findIndex((at, v) => offsets[v + 1] - at > 1)
  weights.fill(0, offsets[vertex], offsets[vertex + 1])
  weights[offsets[vertex] + 1] = 1
  expect(slots[offsets[vertex]]).not.toBe(slots[offsets[vertex] + 1])
  const { bytes } = (await writeGltf(painted, { format: 'glb', name: 'x', animations: [] })).files[0]
  const state = await save(await begin({ animations: false, weights: true }), bytes)
  expect(state.report!.weights!.reduce((n, mesh) => n + mesh.changed, 0)).toBe(1)
  expect(state.report!.imported).toEqual([])
  await begin({})
})

it('asks before a file that is there, and ends with the model', async () => {
  await call('link.stop', { model })
  expect(await call('link.state', { model })).toBeNull()
  await expect(call('link.start', { model })).rejects.toMatchObject({ code: 'refused' })
  await call('link.start', { model, existing: 'keep' })
  await until(async () => expect((await call('link.state', { model }))?.status).toBe('imported'))
  const { path } = await call('link.start', { model, existing: 'replace' })
  await call('model.close', { model, discard: true })
  expect(await call('link.state', { model })).toBeNull()
  const count = told.length
  writeFileSync(path, 'nobody looks')
  const again = await call('model.open', { ref, library })
  expect(again.info.dirty).toBe(false)
  expect(told).toHaveLength(count)
  await call('model.close', { model: again.info.id })
})
