/** Small scenes built in code. */
import { compose } from '../../../src/shared/scene/matrix.ts'
import { buildSkeleton } from '../../../src/shared/scene/pose.ts'
import { emptyScene } from '../../../src/shared/scene/types.ts'
import type { Clip, Mesh, Scene, Skin, Track } from '../../../src/shared/scene/types.ts'

export const source = { ref: 'test', path: 'test' }

export interface JointSpec {
  name: string
  parent: number
  t?: number[]
  q?: number[]
  s?: number[]
}

export function sceneOf(joints: JointSpec[]): Scene {
  const local = new Float32Array(16 * joints.length)
  joints.forEach((j, i) => compose(local, 16 * i, j.t ?? [0, 0, 0], 0, j.q ?? [0, 0, 0, 1], 0, j.s ?? [1, 1, 1], 0))
  const scene = emptyScene('test')
  scene.skeleton = buildSkeleton(
    joints.map((j) => j.name),
    joints.map((j) => j.parent),
    local,
    () => source,
  ).skeleton
  return scene
}

export function track(index: number, property: Track['property'], times: number[], values: number[], more: Partial<Track> = {}): Track {
  return {
    target: { kind: 'joint', index },
    property,
    interpolation: property === 'rotation' ? 'slerp' : property === 'visibility' ? 'step' : 'linear',
    mode: 'absolute',
    times: Float32Array.from(times),
    values: Float32Array.from(values),
    label: property,
    source,
    ...more,
  }
}

export function clip(tracks: Track[], more: Partial<Clip> = {}): Clip {
  return {
    name: 'clip',
    tracks,
    start: 0,
    end: 10,
    rate: 30,
    unit: 'frame',
    loop: 'wrap',
    fit: { matched: 0, total: 0 },
    events: [],
    source,
    ...more,
  }
}

export function mesh(positions: number[], more: Partial<Mesh> = {}): Mesh {
  const n = positions.length / 3
  return {
    name: 'mesh',
    joint: 0,
    positions: Float32Array.from(positions),
    normals: new Float32Array(0),
    uvs: [],
    colors: new Float32Array(0),
    indices: Uint32Array.from({ length: n - (n % 3) }, (_, i) => i),
    groups: [{ start: 0, count: n - (n % 3), material: -1 }],
    skin: -1,
    nativeVertex: Uint32Array.from({ length: n }, (_, i) => i),
    nativeVertexCount: n,
    visible: true,
    lod: -1,
    source,
    ...more,
  }
}

export function skin(joints: number[], inverseBind: Float32Array, rows: [number, number][][]): Skin {
  const offsets = new Uint32Array(rows.length + 1)
  rows.forEach((row, v) => (offsets[v + 1] = offsets[v] + row.length))
  const flat = rows.flat()
  return {
    name: 'skin',
    joints: Uint32Array.from(joints),
    inverseBind,
    offsets,
    slots: Uint16Array.from(flat, (p) => p[0]),
    weights: Float32Array.from(flat, (p) => p[1]),
    source,
  }
}
