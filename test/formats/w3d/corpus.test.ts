/** The figures of the spec page, counted on the real files that are at hand. */
import { expect, it } from 'vitest'
import { encodeDocument, firstDifference } from '../../../src/main/formats/format.ts'
import { identify } from '../../../src/main/formats/registry.ts'
import { containersOf, leavesOf } from '../../../src/main/formats/w3d/codecs/chunk.ts'
import { ID } from '../../../src/main/formats/w3d/codecs/chunk-ids.ts'
import {
  COMPRESSED_ANIMATION_CHANNEL,
  COMPRESSED_MOTION_CHANNEL,
  TIME_MASK,
} from '../../../src/main/formats/w3d/codecs/compressed-animation.ts'
import { channelsIn, keysOf } from '../../../src/main/formats/w3d/codecs/channels.ts'
import { decodeDeltas } from '../../../src/main/formats/w3d/codecs/delta-coding.ts'
import { recodeDeltas } from '../../../src/main/formats/w3d/codecs/delta-edit.ts'
import { w3dFile } from '../../../src/main/formats/w3d/codecs/file.ts'
import {
  eulerOf,
  hierarchiesOf,
  pivotEuler,
  pivotName,
  pivotParent,
  pivotQuaternion,
  quaternionOf,
} from '../../../src/main/formats/w3d/codecs/hierarchy.ts'
import { packedTracks, unpackClip } from '../../../src/main/formats/w3d/edit/unpack.ts'
import { describeCorpus, filesBelow, readBytes } from '../../support/corpus.ts'

describeCorpus('w3d', (root) => {
  const files = filesBelow(root).filter((path) => /\.w3d$/i.test(path))
  const documents = files.map((path) => ({ path, bytes: readBytes(path), document: w3dFile.decode(readBytes(path), path) }))

  it('knows all files and no other', () => {
    expect(files.length).toBeGreaterThanOrEqual(58)
    for (const path of filesBelow(root)) {
      const bytes = readBytes(path)
      const found = identify(bytes.subarray(0, 4096), path, bytes.length)
      if (/\.w3d$/i.test(path)) expect(found?.format?.id, path).toBe('w3d.file')
      else expect(found?.format?.id, path).not.toBe('w3d.file')
    }
  })

  it('writes every file as it was; all but trailing junk and obsolete nodes from fields', () => {
    let typed = 0
    let opaque = 0
    for (const { path, bytes, document } of documents) {
      const out = encodeDocument(w3dFile, document)
      expect(firstDifference(bytes, out.bytes), path).toBe(-1)
      typed += out.typedBytes
      opaque += out.opaqueBytes
      expect(
        document.diagnostics.filter((d) => d.severity !== 'info'),
        path,
      ).toEqual([])
    }
    expect(opaque / (typed + opaque)).toBeLessThan(0.01)
  })

  it('finds one root, first, and parents before children in every hierarchy', () => {
    let count = 0
    for (const { document } of documents) {
      for (const h of hierarchiesOf(document)) {
        count++
        expect(h.header?.numPivots).toBe(h.count)
        const parents = Array.from({ length: h.count }, (_, i) => pivotParent(h.pivots!.data, i))
        expect(parents.filter((p) => p < 0)).toEqual([-1])
        expect(parents.every((p, i) => p < i)).toBe(true)
        expect(pivotName(h.pivots!.data, 0).toUpperCase()).toBe('ROOTTRANSFORM')
        if (h.fixups) expect(h.fixups.form).toBe('matrix')
      }
    }
    expect(count).toBeGreaterThan(10)
  })

  it('turns euler angles into the stored quaternion and back', () => {
    let turned = 0
    for (const { document } of documents) {
      for (const h of hierarchiesOf(document)) {
        for (let i = 0; i < h.count; i++) {
          const euler = pivotEuler(h.pivots!.data, i)
          const q = pivotQuaternion(h.pivots!.data, i)
          if (!euler.some((v) => v !== 0)) continue
          turned++
          const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
            Math.abs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3])
          expect(dot(quaternionOf(euler), q), pivotName(h.pivots!.data, i)).toBeCloseTo(1, 4)
          expect(dot(quaternionOf(eulerOf(q)), q)).toBeCloseTo(1, 5)
        }
      }
    }
    expect(turned).toBeGreaterThan(20)
  })

  it('reads time-coded keys in ascending order from 0 to the last frame', () => {
    let channels = 0
    for (const { document } of documents) {
      for (const clip of containersOf({ children: document.chunks }, ID.COMPRESSED_ANIMATION)) {
        for (const { data } of leavesOf(clip, COMPRESSED_ANIMATION_CHANNEL)) {
          if (data.coding !== 'time-coded') continue
          channels++
          const times = Array.from({ length: data.keys.count }, (_, k) => data.keys.u32[k * (1 + data.vectorLen)] & TIME_MASK)
          expect(times[0]).toBe(0)
          expect(times.every((t, k) => k === 0 || t > times[k - 1])).toBe(true)
        }
      }
    }
    expect(channels).toBeGreaterThan(10)
  })

  it('decodes motion channels to quaternions within 2 % of unit length', () => {
    let keys = 0
    let worst = 0
    for (const { document } of documents) {
      for (const clip of containersOf({ children: document.chunks }, ID.COMPRESSED_ANIMATION)) {
        for (const { data, tail } of leavesOf(clip, COMPRESSED_MOTION_CHANNEL)) {
          expect(tail.length).toBe(0)
          if (data.body.kind !== 'deltas' || data.vectorLen !== 4) continue
          const q = decodeDeltas(data.body.deltas, data.count)
          for (let i = 0; i < q.length; i += 4) {
            keys++
            worst = Math.max(worst, Math.abs(Math.hypot(q[i], q[i + 1], q[i + 2], q[i + 3]) - 1))
          }
        }
      }
    }
    expect(keys).toBeGreaterThan(1000)
    expect(worst).toBeLessThan(0.02)
  })

  it('stores packed clips plain with every bit of their frames', () => {
    let tracks = 0
    for (const { bytes, path } of documents) {
      const document = w3dFile.decode(bytes.slice(), path)
      for (const clip of containersOf({ children: document.chunks }, ID.COMPRESSED_ANIMATION)) {
        const packed = packedTracks(clip)
        if (!packed) continue
        tracks += packed.tracks
        const before = channelsIn(clip).map((channel) => keysOf(channel))
        unpackClip(clip)
        const out = encodeDocument(w3dFile, document).bytes
        expect(out.length - bytes.length, path).toBe(packed.adds)
        const again = w3dFile.decode(out.slice(), path)
        expect(encodeDocument(w3dFile, again).bytes).toEqual(out)
        const [found] = containersOf({ children: again.chunks }, ID.COMPRESSED_ANIMATION)
        expect(packedTracks(found)).toBeUndefined()
        channelsIn(found).forEach((channel, i) => {
          const { times, values } = keysOf(channel)
          expect(times).toEqual(before[i].times)
          expect(new Uint32Array(values.slice().buffer)).toEqual(new Uint32Array(before[i].values.slice().buffer))
        })
      }
    }
    expect(tracks).toBeGreaterThan(50)
  })

  it('turns single frames of packed rotations by a little without another frame, in most of them', () => {
    const edits = { small: 0, large: 0 }
    const alone = { small: 0, large: 0 }
    for (const { bytes, path, document } of documents) {
      for (const clip of containersOf({ children: document.chunks }, ID.COMPRESSED_ANIMATION)) {
        for (const { data } of leavesOf(clip, COMPRESSED_MOTION_CHANNEL)) {
          const { body, vectorLen, count } = data
          if (body.kind !== 'deltas' || vectorLen !== 4) continue
          const stream = body.deltas
          const before = decodeDeltas(stream, count)
          for (let frame = 1; frame < count; frame += 15) {
            for (const [size, degrees] of [
              ['small', 0.5],
              ['large', 10],
            ] as const) {
              const wanted = before.slice()
              turn(wanted, 4 * frame, (degrees * Math.PI) / 180, frame)
              body.deltas = recodeDeltas(stream, count, wanted, [frame]).stream
              const out = encodeDocument(w3dFile, document).bytes
              const after = decodeDeltas(body.deltas, count)
              body.deltas = stream
              edits[size]++
              if (after.every((v, i) => i >> 2 === frame || Object.is(v, before[i]))) {
                alone[size]++
                // a delta to the frame and one back from it for each component
                expect(out.length, path).toBe(bytes.length)
                expect(out.reduce((n, byte, i) => n + Number(byte !== bytes[i]), 0)).toBeLessThanOrEqual(8)
              }
            }
          }
        }
      }
    }
    expect(edits.small).toBeGreaterThan(100)
    expect(alone.small / edits.small).toBeGreaterThan(0.5)
    // beyond the reach of most blocks
    expect(alone.large / edits.large).toBeLessThan(0.3)
  })
})

/** Turns a rotation about an axis that `seed` chooses, to unit length. */
function turn(q: Float32Array, at: number, radians: number, seed: number): void {
  const axis = [Math.sin(seed), Math.sin(seed * 1.7 + 1), Math.cos(seed * 2.3)]
  const size = Math.sin(radians / 2) / Math.hypot(...axis)
  const [x, y, z, w] = q.subarray(at, at + 4).map((v, _, all) => v / Math.hypot(...all))
  const [a, b, c, d] = [...axis.map((v) => v * size), Math.cos(radians / 2)]
  q.set([w * a + x * d + y * c - z * b, w * b - x * c + y * d + z * a, w * c + x * b - y * a + z * d, w * d - x * a - y * b - z * c], at)
}
