/** Bones offset over a range: every family shows the offset there, has keys put in at the eases alone, and keeps every byte beyond. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NativeTrack } from '../../src/shared/api/types/clips.ts'
import type { FamilyId } from '../../src/shared/api/types/family.ts'
import type { LibraryRow } from '../../src/shared/api/types/library.ts'
import type { OpenedModel } from '../../src/shared/api/types/model.ts'
import { localPose } from '../../src/shared/keys/local-pose.ts'
import { offsetWeight, turnedBy } from '../../src/shared/keys/offset.ts'
import { angleBetween, quaternionOfDegrees } from '../../src/shared/keys/value.ts'
import { changedRanges } from '../support/edit-session.ts'
import { fileBytes, modelRows, openPosable, plainClip, scannedSample, serviceBenches } from '../support/service-bench.ts'

const bench = serviceBenches(afterAll)()
const { call } = bench
let rows: LibraryRow[] = []
let library = ''

beforeAll(async () => {
  library = await scannedSample(bench)
  rows = await modelRows(call, library)
})

const bits = ({ times, values, components }: NativeTrack): Map<number, string> =>
  new Map(
    Array.from(times, (time, k) => [
      time,
      Buffer.from(values.slice(k * components.length, (k + 1) * components.length).buffer).toString('hex'),
    ]),
  )

const localAt = ({ scene }: OpenedModel, clip: number, joint: number, time: number): Float32Array => {
  const out = new Float32Array(10)
  localPose(scene, scene.clips[clip], joint, time, out)
  return out
}

/** How the sample's files store a rotation: bytes from one key to the next, bytes of it, and its numbers in the order of the track's components. */
const floats = (bytes: Buffer, at: number): number[] => [0, 4, 8, 12].map((o) => bytes.readFloatLE(at + o))
const STORED: Record<
  'level5' | 'lostsaga' | 'renderware' | 'w3d',
  { stride: number; size: number; read: (bytes: Buffer, at: number) => number[] }
> = {
  level5: { stride: 32, size: 16, read: floats },
  // two words, high halves first: x, y, z over -1..1, w over 0..1
  lostsaga: {
    stride: 24,
    size: 8,
    read: (bytes, at) =>
      [2, 0, 6, 4].map((o, c) => (c < 3 ? (2 * bytes.readUInt16LE(at + o)) / 65535 - 1 : bytes.readUInt16LE(at + o) / 65535)),
  },
  renderware: { stride: 16, size: 8, read: (bytes, at) => [0, 2, 4, 6].map((o) => bytes.readInt16LE(at + o) / 4096) },
  w3d: { stride: 20, size: 16, read: floats },
}

/** Where the rotation of each key stands in a file: the one place where all of them are read. */
function placesOf(family: keyof typeof STORED, bytes: Buffer, { times, values, components }: NativeTrack): [number, number][] {
  const { stride, size, read } = STORED[family]
  expect(components).toHaveLength(4)
  const fits = (base: number): boolean =>
    times.every((_, k) => read(bytes, base + k * stride).every((v, c) => Math.abs(v - values[4 * k + c]) < 1e-4))
  const found = Array.from({ length: bytes.length - (times.length - 1) * stride - size + 1 }, (_, base) => base).filter(fits)
  expect(found).toHaveLength(1)
  return Array.from(times, (_, k) => [found[0] + k * stride, found[0] + k * stride + size])
}

for (const family of ['level5', 'lostsaga', 'renderware', 'w3d'] as const satisfies readonly FamilyId[])
  describe(family, () => {
    it('turns a bone over a range: keys there move, few are put in, all others keep their bits; undo brings every byte back', async () => {
      const model = await openPosable(call, library, rows, family)
      const id = model.info.id
      const { clip, tracks } = await plainClip(call, model)
      const own = model.scene.clips[clip]
      const long = tracks.find((t) => t.property === 'rotation' && t.joint > 0 && t.times.length > 4)!
      const { joint } = long
      const step = own.unit === 'frame' ? 1 : own.unit === 'ms' ? 10 : 1 / 60
      const [start, end] = [long.times[1] + step, long.times[long.times.length - 2] - step]
      const turn = [0, 0, 0, 1]
      quaternionOfDegrees(turn, [12, -20, 8])
      for (const span of [
        { start, end, easeIn: 2 * step, easeOut: 3 * step },
        { start, end, easeIn: 0, easeOut: 0 },
      ]) {
        const wish = { model: id, clip, label: 'Offset', offsets: [{ joint, axes: 'parent' as const, turn }], ...span }
        const { info } = await call('clips.offset', wish)
        expect(info.history.undo.at(-1)).toBe('Offset')
        const now = await call('clips.tracks', { model: id, clip })
        const shared = (track: NativeTrack): boolean => track.sharedKeys !== undefined && track.sharedKeys === long.sharedKeys
        for (const track of tracks) {
          const after = bits(now.find((t) => t.id === track.id)!)
          for (const [time, was] of bits(track))
            if (track.id !== long.id || time < start - 1e-6 || time > end + 1e-6)
              expect(after.get(time), `${track.label} ${time}`).toBe(was)
          if (track.id !== long.id && !shared(track)) expect(after.size, track.label).toBe(track.times.length)
        }
        const [before, after] = [bits(long), bits(now.find((t) => t.id === long.id)!)]
        const put = [...after.keys()].filter((time) => !before.has(time)).sort((a, b) => a - b)
        const borders = [start, start + 2 * step, end - 3 * step, end].filter(
          (time) => ![...before.keys()].some((t) => Math.abs(t - time) < 1e-6),
        )
        expect(put.map((time) => Math.round(time / step))).toEqual(
          span.easeIn && !long.limits.dense ? borders.map((time) => Math.round(time / step)) : [],
        )
        // every key shows the clip's own pose with so much of the turn
        const shown = await call('model.scene', { model: id })
        for (const time of after.keys()) {
          const wanted = localAt(model, clip, joint, time)
          turnedBy(wanted, 3, turn, 'parent', offsetWeight(span, time))
          expect(angleBetween(localAt(shown, clip, joint, time), 3, wanted, 3), `${time}`).toBeLessThan(long.limits.packed ? 1 : 0.02)
        }
        const changes = (await call('model.changes', { model: id })).filter((file) => file.changes.length > 0)
        expect(changes.map((file) => file.ref)).toEqual([long.ref])
        const made = await fileBytes(call, id, long.ref)
        await call('history.undo', { model: id })
        const original = await fileBytes(call, id, long.ref)
        if (!put.length) {
          // the bytes of the rotations in the range, each of them, and no others
          const places = placesOf(family, original, long).filter((_, k) => long.times[k] > start - 1e-6 && long.times[k] < end + 1e-6)
          const ranges = changedRanges(original, made)
          for (const [from, to] of ranges)
            expect(
              places.some(([first, last]) => from >= first && to <= last),
              `${from}–${to}`,
            ).toBe(true)
          for (const [first, last] of places)
            expect(
              ranges.some(([from]) => from >= first && from < last),
              `${first}`,
            ).toBe(true)
        }
        expect((await call('model.changes', { model: id })).flatMap((f) => f.changes)).toEqual([])
      }
    })

    it('moves what carries the figure along one axis: tracks of the others keep their bits', async () => {
      const model = await openPosable(call, library, rows, family)
      const id = model.info.id
      const { clip, tracks } = await plainClip(call, model)
      const own = model.scene.clips[clip]
      const root = tracks.filter((t) => t.property === 'translation' && t.joint >= 0 && t.times.length > 1)
      const first = root.filter((t) => t.joint === Math.min(...root.map((r) => r.joint)))
      const { joint } = first[0]
      const offsets = [{ joint, axes: 'parent' as const, move: [0, 0.125, 0] }]
      const span = { start: own.start, end: own.end, easeIn: 0, easeOut: 0 }
      await call('clips.offset', { model: id, clip, label: 'Up', offsets, ...span })
      const now = await call('clips.tracks', { model: id, clip })
      let moved = 0
      for (const track of tracks) {
        const after = now.find((t) => t.id === track.id)!
        expect([...after.times]).toEqual([...track.times])
        const same = [...bits(track)].every(([time, was]) => bits(after).get(time) === was)
        if (first.some(({ id: own }) => own === track.id)) moved += same ? 0 : 1
        else expect(same, track.label).toBe(true)
      }
      expect(moved).toBe(1)
      const shown = await call('model.scene', { model: id })
      for (const time of first[0].times) {
        const [a, b] = [localAt(model, clip, joint, time), localAt(shown, clip, joint, time)]
        expect([b[0] - a[0], b[1] - a[1], b[2] - a[2]].map((v) => Math.round(v * 500) / 500)).toEqual(
          [0, 0.126, 0].map((v) => expect.closeTo(v, 2)),
        )
      }
      await call('history.undo', { model: id })
      expect((await call('model.changes', { model: id })).flatMap((f) => f.changes)).toEqual([])
    })

    it('gives a bone without keys some, and leaves it at rest beside the range', async () => {
      const model = await openPosable(call, library, rows, family)
      const id = model.info.id
      const { clip, tracks } = await plainClip(call, model)
      const own = model.scene.clips[clip]
      const { skeleton } = model.scene
      const bare = Array.from({ length: skeleton.count }, (_, joint) => joint).find(
        (joint) =>
          joint > 0 &&
          (skeleton.roles?.[joint] ?? 'joint') === 'joint' &&
          !tracks.some((t) => t.joint === joint && t.property === 'rotation'),
      )
      if (bare === undefined) return
      const step = own.unit === 'frame' ? 1 : own.unit === 'ms' ? 10 : 1 / 60
      const length = Math.floor((own.end - own.start) / step)
      const [start, end] = [own.start + Math.floor(length / 3) * step, own.start + Math.floor((2 * length) / 3) * step]
      const turn = [0, 0, Math.sin(0.2), Math.cos(0.2)]
      const wish = { model: id, clip, label: 'Offset', start, end, easeIn: 0, easeOut: 0 }
      await call('clips.offset', { ...wish, offsets: [{ joint: bare, axes: 'own', turn }] })
      const shown = await call('model.scene', { model: id })
      const degrees = (time: number): number => angleBetween(localAt(model, clip, bare, time), 3, localAt(shown, clip, bare, time), 3)
      for (const time of [start, (start + end) / 2, end]) expect(degrees(time)).toBeCloseTo((0.4 * 180) / Math.PI, 1)
      for (const time of [own.start, start - step, end + step, own.end]) expect(degrees(time)).toBeLessThan(0.1)
      await call('history.undo', { model: id })
      expect((await call('model.changes', { model: id })).flatMap((f) => f.changes)).toEqual([])
    })
  })

describe('what cannot be', () => {
  it('is refused, and nothing changes', async () => {
    const model = await openPosable(call, library, rows, 'level5')
    const { id } = model.info
    const wish = { model: id, clip: 0, label: 'x', start: 1, end: 20, easeIn: 0, easeOut: 0 }
    const tracks = await call('clips.tracks', { model: id, clip: 0 })
    const { joint } = tracks.find((t) => t.property === 'rotation')!
    const turned = [{ joint, axes: 'parent' as const, turn: [0, 0, 1, 0] }]
    await expect(call('clips.offset', { ...wish, offsets: [{ joint: 999, axes: 'own', turn: [0, 0, 1, 0] }] })).rejects.toThrow(
      'no bone 999',
    )
    await expect(call('clips.offset', { ...wish, offsets: [{ joint, axes: 'own', turn: [0, 0, 0, 0] }] })).rejects.toThrow('has no length')
    await expect(call('clips.offset', { ...wish, start: 2.1, end: 2.2, offsets: turned })).rejects.toThrow('no key stands from 2.1 to 2.2')
    await expect(call('clips.offset', { ...wish, clip: 99, offsets: turned })).rejects.toThrow('there is no clip 99')
    expect((await call('model.changes', { model: id })).flatMap((f) => f.changes)).toEqual([])
  })
})
