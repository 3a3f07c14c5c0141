/** The way of a model over the ground: where it is at each frame, and a mark every so many of them. */
import { describe, expect, it } from 'vitest'
import { FlatData } from '../../../src/renderer/viewport/flat-batch.ts'
import { fillRootPath, rangeAbout, rootPathOf } from '../../../src/renderer/viewport/root-path.ts'
import { clip, sceneOf, source, track } from '../../shared/scene/fixtures.ts'

const walker = () =>
  sceneOf([
    { name: 'root', parent: -1 },
    { name: 'hips', parent: 0, t: [0, 1, 0] },
    { name: 'hand', parent: 1, t: [1, 0, 0] },
  ])

describe('the way over the ground', () => {
  it('is that of what moves the model, at every frame of the range', () => {
    const scene = walker()
    const walk = clip([track(0, 'translation', [0, 10, 20], [0, 0, 0, 0, 5, 10, 10, 0, 10]), track(2, 'translation', [0], [9, 9, 9])], {
      end: 20,
    })
    const path = rootPathOf(scene, walk, { start: 0, end: 20 })!
    expect(path.times).toHaveLength(21)
    expect([...path.points.subarray(0, 2), ...path.points.subarray(20, 22), ...path.points.subarray(40)]).toEqual([0, 0, 0, 10, 10, 10])
    expect(path.every).toBe(10)
    const data = new FlatData()
    fillRootPath(data, path, 5, -1, 1)
    // 20 parts of the way, marks at 0, 10 and 20, and the two ends once more; all of it lies on the floor
    expect(data.indexCount).toBe(6 * (20 + 3 + 2))
    for (let v = 0; v < data.vertexCount; v++) expect(data.positions[3 * v + 1]).toBeCloseTo(-0.98, 5)
    // the mark of an end lies across the way there
    const end = Array.from({ length: 4 }, (_, v) => [0, 2].map((c) => data.positions[3 * (data.vertexCount - 4 + v) + c]))
    expect(Math.max(...end.map(([x]) => x)) - Math.min(...end.map(([x]) => x))).toBeLessThan(0.2)
    expect(Math.max(...end.map(([, z]) => z)) - Math.min(...end.map(([, z]) => z))).toBeCloseTo(1.6, 1)
    // where nothing goes there are marks alone
    const stands = { ...path, points: new Float32Array(path.points.length) }
    fillRootPath(data, stands, 5, 0, 1)
    expect(data.indexCount).toBe(6 * 5)
  })

  it('of a clip of hours has so many points and marks as can be drawn at once', () => {
    const long = clip([track(0, 'translation', [0, 1e6], [0, 0, 0, 100, 0, 0])], { end: 1e6, unit: 'ms', rate: 1000 })
    const path = rootPathOf(walker(), long, { start: 0, end: 1e6 })!
    expect(path.times.length).toBeLessThanOrEqual(1600)
    expect(path.times.length / path.every).toBeLessThanOrEqual(41)
    expect(path.points[2 * path.times.length - 2]).toBe(100)
  })

  it('is none where nothing is moved, and of a long track that of the slice at the playhead', () => {
    const scene = walker()
    const still = clip([track(0, 'rotation', [0], [0, 0, 0, 1])])
    expect(rootPathOf(scene, still, { start: 0, end: 10 })).toBeNull()
    const slice = (start: number, end: number) => ({ clip: 0, name: '', start, end, speed: 1, loop: true, source })
    scene.slices.push(slice(0, 9), slice(2, 5))
    expect(rangeAbout(scene, 0, still, 3)).toEqual({ start: 2, end: 5 })
    expect(rangeAbout(scene, 0, still, 7)).toEqual({ start: 0, end: 9 })
    expect(rangeAbout(scene, 0, still, 9.5)).toMatchObject({ start: 0, end: 10 })
    expect(rangeAbout(scene, 1, still, 3)).toMatchObject({ start: 0, end: 10 })
  })
})
