/**
 * A motion into a clip that is made for it, per family: one step, the bytes beside it as they were, and a Marrow that has never seen the folder finds it
 * and plays what the motion's own clip plays.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { motFormat } from '../../src/main/formats/level5/codecs/mot.ts'
import { animationNames } from '../../src/shared/scene/animation-names.ts'
import { createPose, sampleClip } from '../../src/shared/scene/pose.ts'
import type { MotDocument } from '../../src/main/formats/level5/codecs/mot.ts'
import type { Scene } from '../../src/shared/scene/types.ts'
import { marrow } from '../cli/run.ts'
import { tempFolder } from '../files/temp.ts'
import { changedRanges } from '../support/edit-session.ts'
import { openGame, sampleTree, serviceBenches } from '../support/service-bench.ts'
import type { ServiceBench } from '../support/service-bench.ts'

const SLOW = { timeout: 120_000 }
const SAMPLE = sampleTree()
const begin = serviceBenches(afterEach)

interface Case {
  family: string
  folder: string
  model: string
  clip: string
  files: string[]
  /** what may differ in a file that is there already */
  beside(file: string, before: Uint8Array, after: Uint8Array): void
}

/** Whole animations stand behind what was there; of that, only what counts them differs. */
function appended(before: Uint8Array, after: Uint8Array, counts: [number, number][]): void {
  expect(after.length).toBeGreaterThan(before.length)
  for (const [from, to] of changedRanges(before, after.subarray(0, before.length)))
    expect(
      counts.some(([first, last]) => from >= first && to <= last),
      `${from}–${to}`,
    ).toBe(true)
}

/** Keys of a MOT's tracks up to a frame, as they are stored. */
function keysUntil(bytes: Uint8Array, frame: number): string[] {
  const { tracks } = motFormat.decode(bytes, 'a.mot') as MotDocument
  return tracks.map(({ keys, node, type }) => {
    const words: number[] = []
    for (let k = 0; k < keys.length; k += 8) if (keys[k] <= frame) words.push(...keys.subarray(k, k + 8))
    return `${node} ${type} ${words.join(' ')}`
  })
}

const CASES: Case[] = [
  {
    family: 'renderware',
    folder: 'San Andreas',
    model: 'models/peds/adventurer.dff',
    clip: 'walk',
    files: ['models/adventurer.ifp'],
    // size of the package and number of its animations
    beside: (_file, before, after) =>
      appended(before, after, [
        [4, 8],
        [32, 36],
      ]),
  },
  {
    family: 'w3d',
    folder: 'Zero Hour',
    model: 'Art/W3D/WALKER_SKN.W3D',
    clip: 'WALKER_WKA',
    files: [],
    beside: () => {},
  },
  {
    family: 'level5',
    folder: 'Dark Cloud 2',
    model: 'adventurer/adventurer.mds',
    clip: '歩き',
    files: ['adventurer/adventurer.mot', 'adventurer/info.cfg'],
    beside(file, before, after) {
      if (file.endsWith('.cfg')) {
        // one line more, and every other one as it was
        const lines = (bytes: Uint8Array): string[] => Buffer.from(bytes).toString('latin1').split('\n')
        const own = new Set(lines(before))
        expect(lines(after).filter((line) => own.has(line))).toEqual(lines(before))
        expect(lines(after)).toHaveLength(lines(before).length + 1)
        return
      }
      const { tracks } = motFormat.decode(before, 'a.mot') as MotDocument
      const last = Math.max(...tracks.map(({ keys }) => keys[keys.length - 8]))
      expect(keysUntil(after, last)).toEqual(keysUntil(before, last))
    },
  },
  // a clip is a file: what is there is not touched, and what is made is a new one
  {
    family: 'lostsaga',
    folder: 'Lost Saga',
    model: 'resource/skeleton/adventurer.skl',
    clip: 'adventurer_walk',
    files: [],
    beside: () => {},
  },
]

const sampleOf = (folder: string): Record<string, Uint8Array> =>
  Object.fromEntries(
    Object.entries(SAMPLE).flatMap(([path, bytes]) => (path.startsWith(`${folder}/`) ? [[path.slice(folder.length + 1), bytes]] : [])),
  )

/** Where a slice or clip of a name stands, its times in seconds from its start. */
function played(scene: Scene, name: string): { seconds: number; rate: number; pose(second: number): Float32Array } {
  const { slices, clips } = animationNames(scene)
  const slice = scene.slices[slices.indexOf(name)]
  const clip = scene.clips[slice ? slice.clip : clips.indexOf(name)]
  const { start, end } = slice ?? clip
  const rate = slice ? slice.speed * clip.rate : clip.rate
  return {
    seconds: (end - start) / rate,
    rate,
    pose(second) {
      const pose = createPose(scene)
      sampleClip(scene, clip, start + second * rate, pose)
      return pose.world
    },
  }
}

/** The most that a joint of one pose is away from where the other has it, as a share of the figure. */
function apart(a: Float32Array, b: Float32Array): number {
  let [most, low, high] = [0, Infinity, -Infinity]
  for (let at = 12; at < a.length; at += 16) {
    most = Math.max(most, Math.hypot(a[at] - b[at], a[at + 1] - b[at + 1], a[at + 2] - b[at + 2]))
    low = Math.min(low, a[at + 1])
    high = Math.max(high, a[at + 1])
  }
  return most / (high - low)
}

function expectSame(scene: Scene, own: string, made: string): void {
  const [a, b] = [played(scene, own), played(scene, made)]
  expect(b.seconds).toBeCloseTo(a.seconds, 1)
  let moved = 0
  for (let i = 0; i < 12; i++) {
    // a game's frames need not lie where those of the motion do: between them it has its own way
    const second = Math.floor((i / 12) * Math.min(a.seconds, b.seconds) * b.rate) / b.rate
    // the bound of a retarget is 0.1 % of the height, and packing adds its own
    expect(apart(a.pose(second), b.pose(second)), `${i}`).toBeLessThan(0.006)
    moved = Math.max(moved, apart(b.pose(0), b.pose(second)))
  }
  expect(moved).toBeGreaterThan(0.02)
}

const read = ({ game }: ServiceBench, path: string): Buffer => readFileSync(join(game, path))

describe.each(CASES)('a motion into a new clip of $family', ({ folder, model: name, clip, files, beside }) => {
  it('is one step beside what was there, and is found and played by a fresh scan', SLOW, async () => {
    const bench = begin({ files: sampleOf(folder) })
    const before = new Map(Object.keys(sampleOf(folder)).map((path) => [path, read(bench, path)]))
    const { info } = await openGame(bench, name)
    const { call } = bench
    const wishes = { model: info.id, source: info.id, clip, into: 'carried' }
    const shown = await call('retarget.preview', wishes)
    expect(shown.report).toMatchObject({ made: true, into: 'carried', left: [] })
    expect(await call('model.changes', { model: info.id })).toEqual([])
    const { report } = await call('retarget.apply', wishes)
    expect(report).toEqual(shown.report)
    expect((await call('history.list', { model: info.id })).undo).toHaveLength(1)
    await call('history.undo', { model: info.id })
    expect(await call('model.changes', { model: info.id })).toEqual([])
    await call('history.redo', { model: info.id })
    // the same into the one that is there now changes nothing of it
    expect((await call('retarget.preview', wishes)).report.made).toBe(false)
    await call('save.write', { model: info.id })
    await bench.close()

    const changed = [...before].filter(([path, bytes]) => !bytes.equals(read(bench, path))).map(([path]) => path)
    expect(changed.sort()).toEqual([...files].sort())
    for (const file of files) beside(file, before.get(file)!, read(bench, file))

    const fresh = begin({ after: bench, stateFolder: join(bench.base, 'fresh') })
    const { scene } = await openGame(fresh, name)
    expectSame(scene, clip, 'carried')
    await fresh.close()
  })

  it('is made by the command line, from a figure of another game too', SLOW, async () => {
    const root = tempFolder(SAMPLE)
    const other = folder === 'San Andreas' ? 'Lost Saga/resource/skeleton/adventurer.skl' : 'San Andreas/models/peds/adventurer.dff'
    const motion = folder === 'San Andreas' ? 'adventurer_walk' : 'walk'
    const args = ['retarget', join(root, folder, name), '--from', join(root, other), '--clip', motion, '--into', 'carried', '--map', 'auto']
    const done = await marrow([...args, '--json'], { stateFolder: tempFolder() })
    expect(done.status, done.err).toBe(0)
    expect(done.json()).toMatchObject({ made: true, into: 'carried' })
    expect(done.json().changed.length).toBeGreaterThan(3)
    const listed = await marrow(['clip', 'list', join(root, folder, name), '--json'], { stateFolder: tempFolder() })
    expect(listed.json().clips.map((row: { name: string }) => row.name)).toContain('carried')
  })
})
