/** Markers and the tools on keys over the sample of each family: what each can do within what its formats store, and that undo brings every byte back. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NativeTrack } from '../../src/shared/api/types/clips.ts'
import type { LibraryRow } from '../../src/shared/api/types/library.ts'
import type { ModelInfo, OpenedModel } from '../../src/shared/api/types/model.ts'
import { planTask, type KeyTask } from '../../src/shared/keys/tasks.ts'
import { angleBetween, isRotation } from '../../src/shared/keys/value.ts'
import { modelRows, openPosable, scannedSample, serviceBenches } from '../support/service-bench.ts'

const bench = serviceBenches(afterAll)()
const { call } = bench
let rows: LibraryRow[] = []
let library = ''

beforeAll(async () => {
  library = await scannedSample(bench)
  rows = await modelRows(call, library)
})

const FAMILIES = ['level5', 'w3d', 'renderware', 'lostsaga'] as const
type Family = (typeof FAMILIES)[number]

const sample = (family: Family): Promise<OpenedModel> => openPosable(call, library, rows, family)

const files = (info: ModelInfo): Map<string, Buffer> =>
  new Map(info.files.filter((f) => !f.ref.includes('!')).map((f) => [f.ref, readFileSync(f.ref)]))

describe('markers', () => {
  for (const family of FAMILIES) {
    it(`are kept for ${family}, in no file of the game, and undone like everything`, async () => {
      const { info } = await sample(family)
      const model = info.id
      const before = files(info)
      await call('markers.add', { model, clip: 0, name: '踏み込み', time: 3.5 })
      await call('markers.add', { model, clip: 0, name: 'hit', time: 7 })
      await call('markers.set', { model, marker: 1, values: { time: 9 } })
      await call('markers.set', { model, marker: 0, values: { name: 'step' } })
      const shown = async (): Promise<[string, number][]> =>
        (await call('model.scene', { model })).scene.markers.map((m) => [m.name, m.time])
      expect(await shown()).toEqual([
        ['step', 3.5],
        ['hit', 9],
      ])
      await call('markers.remove', { model, marker: 0 })
      expect(await shown()).toEqual([['hit', 9]])
      await call('history.undo', { model })
      await call('history.undo', { model })
      expect(await shown()).toEqual([
        ['踏み込み', 3.5],
        ['hit', 9],
      ])
      await expect(call('markers.set', { model, marker: 2, values: { time: 1 } })).rejects.toThrow('there is no marker 2')
      await expect(call('markers.add', { model, clip: 999, name: 'x', time: 1 })).rejects.toThrow('there is no clip 999')

      const saved = await call('save.write', { model })
      expect(saved.failed).toEqual([])
      await call('model.close', { model })
      for (const [ref, bytes] of files(info)) expect(Buffer.compare(bytes, before.get(ref)!)).toBe(0)
      const again = await call('model.open', { ref: info.primary, library })
      expect(again.scene.markers.map(({ name, time, clip }) => ({ name, time, clip }))).toEqual([
        { name: '踏み込み', time: 3.5, clip: 0 },
        { name: 'hit', time: 9, clip: 0 },
      ])
      expect(again.info.dirty).toBe(false)
      await call('model.close', { model: again.info.id })
    })
  }
})

describe('what stands beside keys', () => {
  it('moves with them in one step, and is checked like any slice', async () => {
    const { info, scene } = await sample('lostsaga')
    const model = info.id
    const mark = scene.markers.length
    const clip = scene.clips.findIndex((c) => c.events.length > 0)
    const at = scene.clips[clip].events[0].time
    await call('slices.add', { model, at: 0, clip, values: { name: 'cut', start: 0, end: 400, speed: 1 } })
    await call('markers.add', { model, clip, name: 'mark', time: 100 })
    const slice = (await call('model.scene', { model })).scene.slices.findIndex((s) => s.name === 'cut')
    const beside = { slices: [{ slice, start: 0, end: 200 }], events: [{ event: 0, time: at / 2 }], markers: [{ marker: mark, time: 50 }] }
    const edited = await call('clips.editKeys', { model, label: 'Retime', edits: [], clip, beside })
    const times = async (): Promise<number[]> => {
      const now = (await call('model.scene', { model })).scene
      return [now.slices[slice].end, now.clips[clip].events[0].time, now.markers[mark].time]
    }
    expect(edited.info.history.undo.at(-1)).toBe('Retime')
    expect(await times()).toEqual([200, at / 2, 50])
    await expect(
      call('clips.editKeys', { model, label: 'x', edits: [], clip, beside: { ...beside, slices: [{ slice, start: 9, end: 1 }] } }),
    ).rejects.toThrow('cut: the end is before the start')
    await expect(
      call('clips.editKeys', { model, label: 'x', edits: [], clip, beside: { ...beside, events: [{ event: 99, time: 1 }] } }),
    ).rejects.toThrow('there is no event 99')
    await call('clips.editKeys', {
      model,
      label: 'Retime',
      edits: [],
      clip,
      beside: { slices: [], events: [], markers: [{ marker: mark, time: 20 }] },
      replaces: edited.info.history.top,
    })
    expect(await times()).toEqual([400, at, 20])
    await call('history.undo', { model })
    expect(await times()).toEqual([400, at, 100])
    await call('model.close', { model, discard: true })
  })
})

/** What a tool is tried with, over the span of a clip. */
const TOOLS: Record<string, (start: number, end: number, step: number) => KeyTask> = {
  move: (_s, _e, step) => ({ tool: 'retime', change: { kind: 'shift', by: 2 * step } }),
  scale: (start) => ({ tool: 'retime', change: { kind: 'scale', pivot: start, factor: 0.6 } }),
  reverse: (start, end) => ({ tool: 'retime', change: { kind: 'reverse', start, end } }),
  snap: (_s, _e, step) => ({ tool: 'retime', change: { kind: 'snap', step: 4 * step } }),
  reduce: () => ({ tool: 'reduce', tolerance: { degrees: 1, distance: 0.05, factor: 0.01 } }),
  smooth: () => ({ tool: 'smooth', strength: 0.7, rounds: 2 }),
  loop: (start, end, step) => ({
    tool: 'loop',
    travel: [],
    start,
    end: Math.round((start + Math.round((end - start) / 2 / step) * step) * 1e4) / 1e4,
    over: (end - start) / 4,
  }),
  meet: (start, end, step) => ({ tool: 'loop', travel: [], start, end, over: 4 * step, meeting: 'both' }),
  cycle: (start, end, step) => ({ tool: 'cycle', start, end, by: 4 * step, travel: [] }),
  offset: () => ({ tool: 'offset', by: { x: 0.25, y: 0, z: -0.5 } }),
  inPlace: () => ({ tool: 'inPlace', axes: ['x', 'y', 'z'] }),
  insert: (start, end) => ({ tool: 'insert', time: start + (end - start) * 0.37 }),
  remove: () => ({ tool: 'remove' }),
}

/** Chosen: every key but the first and last of each track, as a user would leave them. */
const inner = (tracks: readonly NativeTrack[]): Map<string, Set<number>> =>
  new Map(tracks.filter((t) => t.times.length > 2).map((t) => [t.id, new Set(t.times.subarray(1, -1))]))

/** Times that the format cannot store, and times of dense tracks that moved. */
function breaches(before: readonly NativeTrack[], after: readonly NativeTrack[]): string[] {
  const out: string[] = []
  const known = new Map(before.map((t) => [t.id, t]))
  for (const t of after) {
    const { timeStep, minTime, maxTime, dense, stepped } = t.limits
    for (const time of t.times)
      if (time < minTime || time > maxTime || (timeStep > 0 && Math.abs(time / timeStep - Math.round(time / timeStep)) > 1e-6))
        out.push(`${t.label}: a key at ${time}`)
    const old = known.get(t.id)
    if (dense && old && (old.times.length !== t.times.length || t.times.some((time, k) => time !== old.times[k])))
      out.push(`${t.label}: keys on every frame moved`)
    if (stepped && t.values.some((v) => !old?.values.includes(v))) out.push(`${t.label}: a stepped value that was not there before`)
    if (isRotation(t))
      for (let k = 0; k < t.times.length; k++)
        if (!(Math.hypot(...t.values.subarray(4 * k, 4 * k + 4)) > 1e-3)) out.push(`${t.label}: no rotation at ${t.times[k]}`)
  }
  return [...new Set(out)]
}

/** Largest difference between what was planned for keys that stay and what the file then has. */
function stored(
  plan: { edits: readonly { track: string; set?: { times: Float64Array; values: Float32Array } }[] },
  after: readonly NativeTrack[],
): { degrees: number; other: number } {
  const most = { degrees: 0, other: 0 }
  for (const { track, set } of plan.edits) {
    const t = after.find((x) => x.id === track)
    if (!t || !set) continue
    const width = t.components.length
    set.times.forEach((time, i) => {
      const key = t.times.findIndex((x) => Math.abs(x - time) < 1e-6)
      if (key < 0) most.other = Infinity
      else if (isRotation(t)) most.degrees = Math.max(most.degrees, angleBetween(set.values, 4 * i, t.values, 4 * key))
      else
        for (let c = 0; c < width; c++) most.other = Math.max(most.other, Math.abs(set.values[width * i + c] - t.values[width * key + c]))
    })
  }
  return most
}

const OPEN = 'the ends of some tracks do not meet: fit the loop, or there is a jump where it began'

/** What a tool leaves as it is, by clip and tool; every other pair of a clip and a tool edits all that it was given. */
const LEFT: Record<Family, string[]> = {
  level5: ['adventurer smooth: edits; stepped values are not smoothed', `adventurer cycle: edits; ${OPEN}`],
  w3d: [
    'SCOUT_FRA move: edits; a key on every frame: what went beyond its first or last frame is lost',
    'SCOUT_FRA reduce: nothing; a key on every frame: its keys cannot be deleted',
    'SCOUT_FRA smooth: edits; stepped values are not smoothed',
    'SCOUT_FRA insert: edits; has a key on every frame already',
    'SCOUT_FRA remove: edits; a key on every frame: its keys cannot be deleted',
    `SCOUT_IDA cycle: edits; ${OPEN}`,
    'SCOUT_WKA move: edits; a key on every frame: what went beyond its first or last frame is lost',
    'SCOUT_WKA snap: nothing',
    'SCOUT_WKA reduce: nothing; a key on every frame: its keys cannot be deleted',
    'SCOUT_WKA smooth: edits; stepped values are not smoothed',
    `SCOUT_WKA cycle: edits; ${OPEN}`,
    'SCOUT_WKA insert: nothing; has a key on every frame already',
    'SCOUT_WKA remove: nothing; a key on every frame: its keys cannot be deleted',
  ],
  renderware: ['idle insert: nothing', 'walk inPlace: nothing; the chosen positions have no root motion'],
  lostsaga: ['adventurer_walk inPlace: nothing; the chosen positions have no root motion'],
}

describe('each tool on each family', () => {
  for (const family of FAMILIES) {
    it(`${family}: stays within what the format stores, tells what it leaves, and is undone to the byte`, async () => {
      const { info, scene } = await sample(family)
      const model = info.id
      const told: string[] = []
      for (let clip = 0; clip < scene.clips.length; clip++) {
        const { start, end, unit, name } = scene.clips[clip]
        const step = { frame: 1, ms: 40, s: 1 / 30 }[unit]
        const before = await call('clips.tracks', { model, clip })
        const packed = new Set(before.flatMap((t) => t.limits.packed || []))
        for (const [tool, make] of Object.entries(TOOLS)) {
          const plan = planTask(make(start, end, step), before, inner(before))
          if (plan.edits.length) {
            await call('clips.editKeys', { model, label: tool, edits: plan.edits })
            const after = await call('clips.tracks', { model, clip })
            expect(breaches(before, after), `${name} ${tool}`).toEqual([])
            const off = stored(plan, after)
            // packed values are as near as the format says; others are as planned
            expect(off.degrees, `${name} ${tool}`).toBeLessThan(packed.size ? 4 : 0.02)
            expect(off.other, `${name} ${tool}`).toBeLessThan(packed.size ? 1.5 : 1e-3)
            const undone = await call('history.undo', { model })
            expect(undone.info.dirty, `${name} ${tool}`).toBe(false)
          }
          if (!plan.edits.length || plan.skipped.length)
            told.push(
              `${name} ${tool}: ${plan.edits.length ? 'edits' : 'nothing'}${plan.skipped.length ? `; ${plan.skipped.join('; ')}` : ''}`,
            )
        }
      }
      await call('model.close', { model, discard: true })
      expect(told).toEqual(LEFT[family])
    })
  }
})
