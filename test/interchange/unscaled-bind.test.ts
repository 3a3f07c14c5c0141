/** Joints that the game scales at rest, in files of programs whose bones have no scale at rest. */
import { describe, expect, it } from 'vitest'
import { compareAnimations } from '../../src/main/interchange/import-animation.ts'
import { exportedRest } from '../../src/main/interchange/exported-rest.ts'
import { matchRest } from '../../src/main/interchange/gltf-rest.ts'
import { readGltf } from '../../src/main/interchange/gltf-reader.ts'
import { writeGltf } from '../../src/main/interchange/gltf-writer.ts'
import { atOnce } from '../../src/shared/stepwise.ts'
import { compose, invertAffine, multiply, multiplyQuat } from '../../src/shared/scene/matrix.ts'
import { createPose } from '../../src/shared/scene/pose.ts'
import { emptyScene } from '../../src/shared/scene/types.ts'
import type { GltfFile } from '../../src/main/interchange/gltf-reader.ts'
import type { Scene, Track } from '../../src/shared/scene/types.ts'

const source = { ref: 'test', path: '' }
const HALF = Math.SQRT1_2
const PLACES = [0, 1, 0, 1, 0, 0, 1.5, 0.25, 0, 0.5, 0, 0.5]
const TURNS = [0, 0, HALF, HALF, 0.6, 0, 0, 0.8, 0, 0.28, 0, 0.96, 0, 0, 0, 1]
/** The second and the third are scaled along their own axes. */
const SCALES = [1, 1, 1, 0.9, 1, 1.05, 1.1, 0.95, 1, 1, 1, 1]
const COUNT = 4

function scene(): Scene {
  const s = emptyScene('figure')
  s.skeleton = {
    count: COUNT,
    names: ['root', 'clavicle', 'arm', 'hand'],
    parents: Int32Array.of(-1, 0, 1, 2),
    restLocal: new Float32Array(16 * COUNT),
    restTranslation: Float32Array.from(PLACES),
    restRotation: Float32Array.from(TURNS),
    restScale: Float32Array.from(SCALES),
    nativeIndex: Int32Array.from({ length: COUNT }, (_, i) => i),
    sources: Array.from({ length: COUNT }, () => source),
  }
  for (let i = 0; i < COUNT; i++) compose(s.skeleton.restLocal, 16 * i, PLACES, 3 * i, TURNS, 4 * i, SCALES, 3 * i)
  const { world } = createPose(s)
  const inverseBind = new Float32Array(16 * COUNT)
  for (let i = 0; i < COUNT; i++) invertAffine(inverseBind, 16 * i, world, 16 * i)
  s.meshes.push({
    name: 'skin',
    joint: 0,
    positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 1),
    normals: new Float32Array(0),
    uvs: [],
    colors: new Float32Array(0),
    indices: Uint32Array.of(0, 1, 2, 2, 1, 3),
    groups: [{ start: 0, count: 6, material: -1 }],
    nativeVertex: Uint32Array.of(0, 1, 2, 3),
    nativeVertexCount: 4,
    visible: true,
    lod: -1,
    source,
    skin: 0,
  })
  s.skins.push({
    name: 'skin',
    joints: Uint32Array.of(0, 1, 2, 3),
    inverseBind,
    offsets: Uint32Array.of(0, 1, 2, 3, 4),
    slots: Uint16Array.of(0, 1, 2, 3),
    weights: Float32Array.of(1, 1, 1, 1),
    source,
  })
  const turning = (index: number): Track => ({
    target: { kind: 'joint', index },
    property: 'rotation',
    interpolation: 'slerp',
    mode: 'absolute',
    times: Float32Array.of(0, 10, 20),
    values: Float32Array.of(...TURNS.slice(4 * index, 4 * index + 4), 0, 0, HALF, HALF, 0.6, 0, 0, 0.8),
    label: '',
    source,
  })
  s.clips.push({
    name: 'wave',
    tracks: [turning(1), turning(2), turning(3)],
    start: 0,
    end: 20,
    rate: 10,
    unit: 'frame',
    loop: 'none',
    fit: { matched: 3, total: 3 },
    events: [],
    source,
  })
  return s
}

/** By 90 degrees about x: what a program puts into its bones' axes. */
const AXES = [HALF, 0, 0, HALF]
const BACK = [-HALF, 0, 0, HALF]

/** The file as a program writes it whose bones have axes of their own and no scale at rest. */
function fromElsewhere(file: GltfFile): void {
  const above = (node: number): number => file.nodes[node].parent
  const isBone = (node: number): boolean => node >= 0 && file.nodes[node].inverseBind !== undefined
  const swap = (v: ArrayLike<number>, o: number): number[] => [v[o], v[o + 2], v[o + 1]]
  const place = (v: ArrayLike<number>, o: number, turned: boolean): number[] =>
    turned ? [v[o], v[o + 2], -v[o + 1]] : [v[o], v[o + 1], v[o + 2]]
  const turn = (v: Float32Array | Float64Array, o: number, turned: boolean): number[] => {
    const q = [0, 0, 0, 1]
    multiplyQuat(q, 0, v, o, AXES, 0)
    if (turned) multiplyQuat(q, 0, BACK, 0, q, 0)
    return q
  }
  for (const { channels } of file.animations)
    for (const { index, path, times, values } of channels)
      for (let k = 0; k < times.length; k++) {
        const turned = isBone(above(index))
        if (path === 'rotation') values.set(turn(values, 4 * k, turned), 4 * k)
        else values.set(path === 'scale' ? swap(values, 3 * k) : place(values, 3 * k, turned), 3 * k)
      }
  const rests = new Map<number, Float64Array>()
  file.nodes.forEach((node, i) => {
    if (!isBone(i)) return
    const turned = isBone(above(i))
    node.translation = Float64Array.from(place(node.translation, 0, turned))
    node.rotation = Float64Array.from(turn(node.rotation, 0, turned))
    node.scale = Float64Array.from(swap(node.scale, 0))
    const own = new Float64Array(16)
    compose(own, 0, node.translation, 0, node.rotation, 0, [1, 1, 1], 0)
    if (turned) multiply(own, 0, rests.get(above(i))!, 0, own, 0)
    rests.set(i, own)
    invertAffine(node.inverseBind!, 0, own, 0)
  })
}

describe('bones without scale at rest', () => {
  it('are where the model has its joints, and nothing is another motion', async () => {
    const own = scene()
    const file = await readGltf((await writeGltf(own, { format: 'glb', name: 'x' })).files[0].bytes, 'x.glb')
    fromElsewhere(file)
    const rest = exportedRest(own)
    const nodeOf = new Map(own.skeleton.names.map((name, i) => [i, file.nodes.findIndex((node) => node.name === name)]))
    const match = matchRest(own, rest, file, nodeOf)
    expect(match.moved).toEqual([])
    expect(match.turned).toBe(COUNT)
    const { report, windows } = atOnce(compareAnimations(own, file, {}))
    expect(report.left).toEqual([])
    expect(windows).toHaveLength(1)
    expect(windows[0].parts.length).toBeGreaterThan(2)
    for (const part of windows[0].parts) expect([part.joint, part.path, part.any]).toEqual([part.joint, part.path, false])
  })

  it('that were moved there are told by as much as they were moved', async () => {
    const own = scene()
    const file = await readGltf((await writeGltf(own, { format: 'glb', name: 'x' })).files[0].bytes, 'x.glb')
    fromElsewhere(file)
    const hand = file.nodes.find(({ name }) => name === 'hand')!
    const at = new Float64Array(16)
    invertAffine(at, 0, hand.inverseBind!, 0)
    at[13] += 0.25
    invertAffine(hand.inverseBind!, 0, at, 0)
    const nodeOf = new Map(own.skeleton.names.map((name, i) => [i, file.nodes.findIndex((node) => node.name === name)]))
    const { moved } = matchRest(own, exportedRest(own), file, nodeOf)
    expect(moved).toHaveLength(1)
    expect(moved[0].joint).toBe(3)
    expect(moved[0].distance).toBeCloseTo(0.25, 4)
  })
})
