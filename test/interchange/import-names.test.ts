import { describe, expect, it } from 'vitest'
import { exportedRest } from '../../src/main/interchange/exported-rest.ts'
import { proposeMap } from '../../src/main/interchange/import-animation.ts'
import { checkedMap, matchNodes, placesOf, planJobs } from '../../src/main/interchange/import-names.ts'
import { jointNames, uniqueNames } from '../../src/shared/scene/animation-names.ts'
import { identity } from '../../src/shared/scene/matrix.ts'
import { emptyScene } from '../../src/shared/scene/types.ts'
import type { GltfAnimation, GltfFile } from '../../src/main/interchange/gltf-reader.ts'
import type { Scene } from '../../src/shared/scene/types.ts'

const source = { ref: 'test', path: '' }

function scene(joints: [name: string, parent: number][], clips: string[] = []): Scene {
  const s = emptyScene('model')
  const n = joints.length
  s.skeleton = {
    count: n,
    names: joints.map(([name]) => name),
    parents: Int32Array.from(joints, ([, parent]) => parent),
    restLocal: new Float32Array(16 * n),
    restTranslation: new Float32Array(3 * n),
    restRotation: Float32Array.from({ length: 4 * n }, (_, i) => (i % 4 === 3 ? 1 : 0)),
    restScale: new Float32Array(3 * n).fill(1),
    nativeIndex: Int32Array.from({ length: n }, (_, i) => i),
    sources: joints.map(() => source),
  }
  for (let i = 0; i < n; i++) identity(s.skeleton.restLocal, 16 * i)
  const clip = {
    tracks: [],
    start: 0,
    end: 10,
    rate: 10,
    unit: 'frame',
    loop: 'none',
    fit: { matched: 0, total: 0 },
    events: [],
    source,
  } as const
  s.clips = clips.map((name) => ({ ...clip, name, tracks: [], events: [] }))
  return s
}

/** All nodes are moved by every animation, or those that it names. */
function file(nodes: [name: string, parent: number][], animations: [name: string, moves?: number[]][] = [['walk']]): GltfFile {
  const titles = uniqueNames(nodes.map(([name]) => name))
  const called = uniqueNames(animations.map(([name]) => name))
  return {
    meshes: [],
    generator: '',
    left: [],
    nodes: nodes.map(([name, parent], i) => ({
      name,
      title: titles[i],
      parent,
      translation: new Float64Array(3),
      rotation: Float64Array.of(0, 0, 0, 1),
      scale: Float64Array.of(1, 1, 1),
    })),
    animations: animations.map(([name, moves], a): GltfAnimation => ({
      name,
      title: called[a],
      ignored: 0,
      start: 0,
      duration: 1,
      channels: (moves ?? nodes.map((_, i) => i)).map((index) => ({
        node: titles[index],
        index,
        parent: titles[nodes[index][1]] ?? '',
        path: 'rotation',
        interpolation: 'LINEAR',
        times: Float32Array.of(0, 1),
        values: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1),
      })),
    })),
  }
}

function matched(s: Scene, f: GltfFile, map: Record<string, string> = {}): { pairs: string[]; unmatched: string[]; assumed: string[] } {
  const { nodeOf, unmatched, assumed } = matchNodes(s, exportedRest(s), f, checkedMap(s, map))
  return { pairs: [...nodeOf].map(([joint, node]) => `${joint}=${f.nodes[node].name}`).sort(), unmatched, assumed }
}

describe('joints of a file', () => {
  it('are found behind numbers, prefixes of armatures and another case, and it is told', () => {
    const s = scene([
      ['Root', -1],
      ['arm', 0],
      ['Hand', 1],
      ['foot', 0],
    ])
    const f = file([
      ['root', -1],
      ['arm.001', 0],
      ['Armature|Hand', 1],
      ['rig:foot', 0],
      ['tail', 0],
    ])
    expect(matched(s, f)).toEqual({
      pairs: ['0=root', '1=arm.001', '2=Armature|Hand', '3=rig:foot'],
      unmatched: ['tail'],
      assumed: ['arm.001 is arm', 'Armature|Hand is Hand', 'rig:foot is foot'],
    })
  })

  it('of one name are told apart as an export named them, by their numbers, and by what they hang on', () => {
    const s = scene([
      ['root', -1],
      ['left', 0],
      ['right', 0],
      ['finger', 1],
      ['finger', 2],
    ])
    const branches = (left: string, right: string): GltfFile =>
      file([
        ['root', -1],
        ['right', 0],
        ['left', 0],
        [right, 1],
        [left, 2],
      ])
    expect(matched(s, branches('finger', 'finger 2')).pairs).toEqual(['0=root', '1=left', '2=right', '3=finger', '4=finger 2'])
    // another tool counts in its own order
    const numbered = branches('finger.002', 'finger.001')
    expect(matched(s, numbered).pairs).toEqual(['0=root', '1=left', '2=right', '3=finger.002', '4=finger.001'])
  })

  it('of one name in a file and a model each have a name of their own for a map, kept or proposed', () => {
    const s = scene([
      ['root', -1],
      ['left', 0],
      ['right', 0],
      ['finger', 1],
      ['finger', 2],
      ['Finger', 0],
    ])
    expect(jointNames(s.skeleton)).toEqual(['root', 'left', 'right', 'finger', 'finger 2', 'Finger'])
    const f = file([
      ['root', -1],
      ['left', 0],
      ['right', 0],
      ['finger', 1],
      ['finger', 2],
      ['Finger', 0],
    ])
    const proposed = proposeMap(f.animations, s.skeleton)
    expect(proposed.map(({ node, joint }) => `${node}=${joint}`)).toEqual([
      'root=root',
      'left=left',
      'right=right',
      'finger=finger',
      'finger 2=finger 2',
      'Finger=Finger',
    ])
    // said back, all of it holds
    expect(matched(s, f, Object.fromEntries(proposed.map(({ node, joint }) => [node, joint])))).toEqual({
      pairs: ['0=root', '1=left', '2=right', '3=finger', '4=finger', '5=Finger'],
      unmatched: [],
      assumed: [],
    })
    const { nodeOf } = matchNodes(s, exportedRest(s), f, checkedMap(s, { 'finger 2': 'finger', finger: 'finger 2', left: '' }))
    expect([nodeOf.get(3), nodeOf.get(4), nodeOf.get(1)]).toEqual([4, 3, undefined])
    expect(() => checkedMap(s, { finger: 'finger 2', left: 'FINGER 2' })).toThrow('finger and left')
  })

  it('of a figure that stands there twice are those of one of both, the one that moves', () => {
    const s = scene([
      ['root', -1],
      ['arm', 0],
      ['hand', 1],
    ])
    const both: [string, number][] = [
      ['root', -1],
      ['arm', 0],
      ['hand', 1],
      ['root', -1],
      ['arm', 3],
      ['hand', 4],
    ]
    const nodes = (moves?: number[]) => matchNodes(s, exportedRest(s), file(both, [['walk', moves]]), new Map())
    expect([...nodes().nodeOf]).toEqual([
      [0, 0],
      [1, 1],
      [2, 2],
    ])
    expect(nodes()).toMatchObject({ unmatched: [], left: [expect.stringContaining('3 bones of the file, root 2')] })
    // the root, which nothing moves, is that of the same copy
    const second = nodes([2, 4, 5])
    expect([...second.nodeOf].sort()).toEqual([
      [0, 3],
      [1, 4],
      [2, 5],
    ])
    expect(second.left).toEqual([expect.stringContaining('hand: ')])
  })

  it('that were cut to what Blender keeps of a name are those that begin so', () => {
    const long = `${'骨'.repeat(20)}の長い名前`
    expect(matched(scene([[long, -1]]), file([[long.slice(0, 21), -1]])).pairs).toHaveLength(1)
  })

  it('go by the map before anything else', () => {
    const s = scene([
      ['a', -1],
      ['b', 0],
    ])
    const f = file([
      ['a', -1],
      ['x', 0],
    ])
    expect(matched(s, f, { a: '', x: 'a' })).toEqual({ pairs: ['0=x'], unmatched: [], assumed: [] })
  })
})

describe('animations of a file', () => {
  const s = scene(
    [
      ['a', -1],
      ['b', 0],
    ],
    ['walk', 'a rather long name of a clip that goes on for more than sixty-three bytes', '歩く'],
  )
  const nodes: [string, number][] = [
    ['a', -1],
    ['b', 0],
  ]
  const plan = (...animations: [string, number[]?][]): { jobs: string[]; unused: string[]; assumed: string[]; left: string[] } => {
    const { jobs, ...rest } = planJobs(s, file(nodes, animations), {})
    return { jobs: jobs.map((job) => `${job.animation.name} > ${job.window.index}`), ...rest }
  }

  it.each([
    ['WALK', []],
    ['walk.001', ['walk.001 is walk']],
    ['Armature|walk|BaseLayer', ['Armature|walk|BaseLayer is walk']],
    ['walk_a', ['walk_a is walk']],
    ['walk_Armature', ['walk_Armature is walk']],
  ])('find their clip: %s', (name, assumed) => {
    expect(plan([name])).toEqual({ jobs: [`${name} > 0`], unused: [], assumed, left: [] })
  })

  it('find a clip whose name was cut', () => {
    expect(plan([s.clips[1].name.slice(0, 63)]).jobs).toHaveLength(1)
    expect(plan(['歩く_a']).jobs).toEqual(['歩く_a > 2'])
  })

  it('of several objects make one together, where they move different joints', () => {
    expect(plan(['walk_a', [0]], ['walk_b', [1]])).toEqual({
      jobs: ['walk_a + walk_b > 0'],
      unused: [],
      assumed: ['walk_a is walk', 'walk_b is walk'],
      left: [],
    })
  })

  it('of one name are told apart, and each goes where it is said to go', () => {
    const twice = file(nodes, [['walk', [0]], ['walk', [1]], ['walk 2']])
    expect(placesOf(s, twice, {})).toEqual([
      { animation: 'walk', into: 'clip 0', assumed: false },
      { animation: 'walk 3', into: 'clip 0', assumed: false },
      { animation: 'walk 2', into: '', assumed: false },
    ])
    expect(placesOf(s, twice, { into: { 0: '', 1: 'clip 2' } }).map(({ into }) => into)).toEqual(['', 'clip 2', ''])
    const chosen = planJobs(s, twice, { into: { 0: 'clip 1', 1: 'clip 2' } })
    expect(chosen.jobs.map(({ from, window }) => [from, window.index])).toEqual([
      [[0], 1],
      [[1], 2],
    ])
    expect(chosen.unused).toEqual(['walk 2'])
    // by what it is called, or by its number
    expect(planJobs(s, twice, { animation: 'walk 3', clip: 1 }).jobs[0].from).toEqual([1])
    expect(planJobs(s, twice, { animation: '1', clip: 1 }).jobs[0].from).toEqual([1])
    expect(() => planJobs(s, twice, { animation: 'walk', clip: 1 })).toThrow('walk, walk 3')
  })

  it('of an action before an edit, beside the action: the action is taken', () => {
    expect(plan(['walk.001'], ['walk_a']).jobs).toEqual(['walk_a > 0'])
  })

  it('with one target are taken by the nearest name, and the others are told', () => {
    expect(plan(['walk.001'], ['walk'])).toEqual({
      jobs: ['walk > 0'],
      unused: ['walk.001'],
      assumed: [],
      left: ['walk.001: walk goes into walk already'],
    })
  })
})
