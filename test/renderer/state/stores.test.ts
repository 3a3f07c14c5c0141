// @vitest-environment happy-dom
import { createPinia, setActivePinia, type Pinia } from 'pinia'
import { beforeEach, describe, expect, it } from 'vitest'
import { nextTick } from 'vue'
import { createFakeApi } from '../../../src/renderer/dev/fake-api.ts'
import { useDisplay } from '../../../src/renderer/core/display.ts'
import { useLibrary } from '../../../src/renderer/core/library.ts'
import { useModels } from '../../../src/renderer/core/models.ts'
import { usePlayback } from '../../../src/renderer/core/playback.ts'
import { useSelection } from '../../../src/renderer/core/selection.ts'
import { useSession } from '../../../src/renderer/core/session.ts'
import { useSlices } from '../../../src/renderer/core/slices.ts'
import type { CallName } from '../../../src/shared/api/contract.ts'
import type { Api } from '../../../src/shared/api/transport.ts'

/** named in every use: an action of an earlier test that still runs makes its own the active one */
let pinia: Pinia
let calls: { name: CallName; args: any }[]
/** set by a test to hold answers of one call back */
let hold: { name: CallName; gate: Promise<void> } | null
/** set by a test: why saves fail */
let unsaved: string | null
/** answers that are held back now */
let held: number

function listening(): Api {
  const inner = createFakeApi()
  return {
    on: (name, listener) => inner.on(name, listener),
    async call(name, args, options) {
      calls.push({ name, args })
      if (name === 'save.write' && unsaved) return { saved: [], failed: [{ ref: '/a', code: 'io', message: unsaved }] } as never
      const result = await inner.call(name, args, options)
      if (hold?.name === name) {
        held++
        await hold.gate
        held--
      }
      return result
    },
  }
}

beforeEach(async () => {
  calls = []
  hold = null
  unsaved = null
  held = 0
  pinia = createPinia()
  setActivePinia(pinia)
  await useSession(pinia).start(listening())
})

async function openModel(): Promise<void> {
  await useLibrary(pinia).open('/games/dark-cloud')
  await useModels(pinia).openRef(useLibrary(pinia).rowAt(0)!.ref)
}

describe('slices', () => {
  beforeEach(openModel)

  it('are dragged as one undo step, with the newest values sent last', async () => {
    const slices = useSlices(pinia)
    const models = useModels(pinia)
    const drag = slices.startDrag(1)
    for (let end = 73; end <= 90; end++) drag.update(41, end)
    expect(slices.values(1).end).toBe(90)
    await drag.finish()
    expect(calls.filter((c) => c.name === 'slices.set').map((c) => c.args.values)).toEqual([{ start: 41, end: 90 }])
    expect(models.info!.history.undo).toHaveLength(1)
    expect(models.scene!.slices[1].end).toBe(90)
    expect(slices.preview.slice).toBe(-1)
    await models.undo()
    expect(models.scene!.slices[1].end).toBe(72)
    expect(models.info!.dirty).toBe(false)
  })

  it('are dragged to where they were without a step, and come to an end', async () => {
    const slices = useSlices(pinia)
    const drag = slices.startDrag(1)
    drag.update(41, 72)
    drag.update(41, 72)
    await drag.finish()
    expect(calls.some((c) => c.name === 'slices.set')).toBe(false)
    drag.update(41, 72)
    drag.update(41, 73)
    drag.update(41, 74)
    await drag.finish()
    expect(useModels(pinia).scene!.slices[1].end).toBe(74)
  })

  it('come back when a drag is cancelled, and what was undone before it can be done again', async () => {
    const [models, slices] = [useModels(pinia), useSlices(pinia)]
    await slices.set(1, { end: 80 })
    await models.undo()
    const drag = slices.startDrag(1)
    drag.update(41, 100)
    expect(slices.values(1).end).toBe(100)
    drag.cancel()
    expect(slices.values(1).end).toBe(72)
    await models.redo()
    expect(models.scene!.slices[1].end).toBe(80)
  })

  it('are not given what was dragged in a model that is no longer shown', async () => {
    const [models, slices] = [useModels(pinia), useSlices(pinia)]
    const drag = slices.startDrag(1)
    drag.update(41, 100)
    const shown = models.activeId
    models.show('another')
    await nextTick()
    models.show(shown)
    await drag.finish()
    expect(calls.some((c) => c.name === 'slices.set')).toBe(false)
  })

  it('are refused with a reason where the end is before the start, and warned about beyond the keys', async () => {
    const slices = useSlices(pinia)
    expect(await slices.set(2, { end: 10 })).toBe(false)
    expect(slices.message).toEqual({ slice: 2, severity: 'error', field: 'end', message: 'End is before start' })
    expect(calls.some((c) => c.name === 'slices.set')).toBe(false)
    expect(await slices.set(2, { end: 300 })).toBe(true)
    expect(slices.message?.severity).toBe('warning')
  })

  it('are spoken of where they were tried, until that is over', async () => {
    const slices = useSlices(pinia)
    // the later of two that contradict each other, or the one that is typed
    await slices.check(2, { start: 239 })
    expect(slices.message).toMatchObject({ slice: 2, severity: 'error', field: 'start' })
    await slices.check(2, { name: 'a"b' })
    expect(slices.message).toMatchObject({ slice: 2, severity: 'error', field: 'name' })
    slices.choose(2)
    expect(slices.message).not.toBeNull()
    slices.choose(1)
    expect(slices.message).toBeNull()
    // dropped before the answer came
    const answer = slices.check(1, { name: 'a"b' })
    slices.settle()
    expect(await answer).toBe(false)
    expect(slices.message).toBeNull()
    // two are asked, and the first answer comes last
    let open = (): void => {}
    hold = { name: 'slices.check', gate: new Promise((done) => (open = done)) }
    const first = slices.check(1, { name: 'a"b' })
    hold = null
    await slices.check(1, { name: 'ab' })
    open()
    await first
    expect(slices.message).toBeNull()
    // an undo brings other slices: what was refused before is of no interest
    await slices.set(1, { end: 60 })
    await slices.check(1, { name: 'a"b' })
    await useModels(pinia).undo()
    await nextTick()
    expect(slices.message).toBeNull()
  })

  it('do not make the viewport build its scene again, and keep what plays', async () => {
    const models = useModels(pinia)
    const before = models.active!.viewScene
    await useSlices(pinia).set(0, { name: '立ち' })
    expect(models.scene!.slices[0].name).toBe('立ち')
    expect(models.active!.viewScene).toBe(before)
  })

  it('are added, moved, duplicated and removed with the selection on them', async () => {
    const slices = useSlices(pinia)
    slices.choose(1)
    await slices.duplicate()
    expect(slices.selected).toBe(2)
    expect(slices.list[2].name).toBe('歩き')
    await slices.move(1)
    expect(slices.selected).toBe(3)
    await slices.remove()
    expect(slices.list).toHaveLength(9)
    await slices.add()
    expect(slices.list[slices.selected].name).toBe('New slice')
    expect(slices.renameTick).toBeGreaterThan(0)
  })
})

describe('playback', () => {
  beforeEach(openModel)

  it('begins with the first slice that moves and plays at speed times tick rate', () => {
    const playback = usePlayback(pinia)
    expect(playback.state.slice).toBe(0)
    expect(playback.span).toMatchObject({ start: 1, end: 40, rate: 0.35 * 30 })
    expect(playback.duration).toBeCloseTo(39 / (0.35 * 30))
  })

  it("plays at its clip's rate, wherever that came from", () => {
    const models = useModels(pinia)
    const clips = models.scene!.clips.map((clip) => ({ ...clip, rate: 60 }))
    models.active!.scene = { ...models.scene!, clips }
    expect(usePlayback(pinia).slice).toMatchObject({ name: '待機', speed: 0.35 })
    expect(usePlayback(pinia).span.rate).toBeCloseTo(21)
  })

  it('takes as long as what is shown in the place of the clip, and goes back into the clip behind it', async () => {
    const playback = usePlayback(pinia)
    const model = useModels(pinia).active!
    const { start, end, rate } = playback.span
    const own = (end - start) / rate
    model.viewClip = { clip: 0, span: { start: 5, end: 5 + 3 * own * 100, rate: 100, loop: true } }
    await nextTick()
    expect(playback.duration).toBeCloseTo(3 * own)
    expect([playback.span.start, playback.viewTime]).toEqual([start, 5])
    playback.toEnd()
    expect(playback.state.time).toBeCloseTo(start + 3 * (end - start))
    expect(playback.viewTime).toBeCloseTo(5 + 3 * own * 100)
    model.viewClip = null
    await nextTick()
    expect(playback.state.time).toBeLessThanOrEqual(Math.max(end, playback.clip!.end))
    expect(playback.viewTime).toBe(playback.state.time)
  })

  it('stands in a slice that an edit empties, and in it when that is undone', async () => {
    const playback = usePlayback(pinia)
    const models = useModels(pinia)
    useSlices(pinia).choose(1)
    playback.seek(60)
    const { start, end } = playback.slice!
    expect([start, end]).toEqual([41, 72])
    await useSlices(pinia).set(1, { name: '', start: 0, end: 0, speed: 0 })
    expect([playback.state.slice, playback.state.time]).toEqual([1, 0])
    await models.undo()
    expect([playback.state.slice, playback.state.time]).toEqual([1, start])
    // an edge that is drawn over it leaves the time that was looked at
    playback.seek(60)
    await useSlices(pinia).set(1, { end: 55 })
    expect(playback.state.time).toBe(60)
  })

  it('advances with the frames of the window and never jumps after a pause', () => {
    const playback = usePlayback(pinia)
    playback.play()
    playback.tick(1000)
    playback.tick(1100)
    expect(playback.state.time).toBeCloseTo(1 + 0.1 * 10.5)
    playback.tick(9_999_999)
    expect(playback.state.time).toBeCloseTo(1 + 0.35 * 10.5)
    playback.snap = false
    playback.play(false)
    playback.tick(10_000_100)
    expect(playback.state.time).toBeCloseTo(1 + 0.35 * 10.5)
  })

  it('steps, seeks and shows the bind pose', () => {
    const playback = usePlayback(pinia)
    playback.step(1)
    expect(playback.state.time).toBe(2)
    playback.seek(500)
    expect(playback.state.time).toBe(240)
    playback.chooseClip(-1)
    expect(playback.clip).toBeNull()
    playback.play()
    expect(playback.state.playing).toBe(false)
  })
})

describe('models', () => {
  it('keep their selection each, and edits one after the other', async () => {
    await openModel()
    const models = useModels(pinia)
    const selection = useSelection(pinia)
    selection.joint(4)
    expect(selection.current).toMatchObject({ kind: 'joint', joint: 4 })
    const both = await Promise.all([
      models.edit('slices.set', { slice: 0, values: { end: 30 } }),
      models.edit('slices.set', { slice: 0, values: { end: 31 } }),
    ])
    expect(both.every(Boolean)).toBe(true)
    expect(models.scene!.slices[0].end).toBe(31)
    await models.close(models.activeId)
    expect(models.page).toBe('library')
    expect(selection.current.kind).toBe('none')
  })

  it('tell why a file does not open and open nothing', async () => {
    await useLibrary(pinia).open('/games/dark-cloud')
    expect(await useModels(pinia).openRef('/games/broken1.mds')).toBeNull()
    expect(useSession(pinia).notices[0]).toMatchObject({
      severity: 'error',
      message: 'nodes[2].bind needs 64 bytes, 12 are left',
      detail: 'broken1.mds · nodes[2].bind · at 0x120',
    })
    expect(useModels(pinia).open).toHaveLength(0)
  })

  it('say what was saved, and save nothing twice', async () => {
    await openModel()
    const models = useModels(pinia)
    await useSlices(pinia).set(0, { end: 39 })
    expect(models.info!.dirty).toBe(true)
    await models.save()
    expect(models.info!.dirty).toBe(false)
    expect(useSession(pinia).notices.at(-1)!.message).toBe('Saved 1 file, 6 bytes changed')
  })

  it('say no more of a save that failed once another one was made', async () => {
    await openModel()
    const models = useModels(pinia)
    const session = useSession(pinia)
    await useSlices(pinia).set(0, { end: 39 })
    for (const why of ['the disk is full', 'the disk is read-only']) {
      unsaved = why
      await models.save()
      expect(session.notices.map(({ message }) => message)).toEqual([why])
    }
    unsaved = null
    await models.save()
    expect(session.notices.map(({ severity }) => severity)).toEqual(['good'])
  })
})

describe('display', () => {
  it('shows the bones of a model that has nothing else, and leaves the switch of the others alone', async () => {
    await openModel()
    const models = useModels(pinia)
    const display = useDisplay(pinia)
    expect([display.bare, display.options.skeleton]).toEqual([false, false])
    models.active!.scene = { ...models.scene!, meshes: models.scene!.meshes.map((mesh) => ({ ...mesh, visible: false })) }
    expect([display.bare, display.options.skeleton]).toEqual([true, true])
    // the toolbar gives all options back with one changed
    display.set({ ...display.options, grid: false })
    expect([display.options.skeleton, display.chosen.skeleton]).toEqual([true, false])
    display.toggle('skeleton')
    expect([display.options.skeleton, display.chosen.skeleton]).toEqual([false, false])
    display.toggle('skeleton')
    expect([display.options.skeleton, display.chosen.skeleton]).toEqual([true, false])
    models.active!.scene = { ...models.scene!, meshes: models.scene!.meshes.map((mesh) => ({ ...mesh, visible: true })) }
    expect(display.options.skeleton).toBe(false)
  })
})

describe('library', () => {
  it('fetches pages as they come into view, once', async () => {
    const library = useLibrary(pinia)
    await library.open('/games/dark-cloud')
    expect(library.total).toBe(1400)
    expect(library.rowAt(700)).toBeUndefined()
    library.ensure(690, 720)
    library.ensure(690, 720)
    await expect.poll(() => library.rowAt(700)?.name).toBeTruthy()
    expect(calls.filter((c) => c.name === 'library.query' && c.args.offset === 660)).toHaveLength(1)
  })

  it('asks for what is typed at once, and only for the latest text when an answer has come', async () => {
    const library = useLibrary(pinia)
    await library.open('/games/dark-cloud')
    const texts = (): unknown[] => calls.filter((c) => c.name === 'library.query').map((c) => c.args.text)
    calls.length = 0
    let open = (): void => {}
    hold = { name: 'library.query', gate: new Promise((resolve) => (open = resolve)) }
    library.query.text = 'c'
    await expect.poll(() => held).toBe(1)
    for (const text of ['ca', 'cat', 'cats']) {
      library.query.text = text
      await nextTick()
    }
    expect(texts()).toEqual(['c'])
    hold = null
    open()
    await expect.poll(() => texts()).toEqual(['c', 'cats'])
  })

  it('shows the answer to the last question only', async () => {
    const library = useLibrary(pinia)
    await library.open('/games/dark-cloud')
    let open = (): void => {}
    hold = { name: 'library.query', gate: new Promise((resolve) => (open = resolve)) }
    library.query.show = 'errors'
    await expect.poll(() => held).toBe(1)
    hold = null
    library.query.show = 'files'
    await expect.poll(() => library.total).toBe(7407)
    open()
    await expect.poll(() => held).toBe(0)
    expect(library.total).toBe(7407)
  })

  it('scans a folder that was never scanned, and stops when asked', async () => {
    const library = useLibrary(pinia)
    await library.openSample()
    expect(library.scanning).toBe(true)
    library.cancelScan()
    await expect.poll(() => library.scanning).toBe(false)
    expect(useSession(pinia).notices).toHaveLength(0)
  })
})
