/** A figure made by code, for developing and testing the viewport: skinned, textured, with one of each thing that a scene can have. Not in the product. */
import { compose, invertAffine } from '../../shared/scene/matrix.ts'
import { buildSkeleton, updateWorld } from '../../shared/scene/pose.ts'
import { packInfluences } from '../../shared/scene/skinning.ts'
import { emptyScene, plainMaterial } from '../../shared/scene/types.ts'
import type { Material, Scene, Skin, Track } from '../../shared/scene/types.ts'
import { figureBody } from './figure-body.ts'
import { glow, leaf, paint } from './figure-pictures.ts'
import { box, meshOf, quad, source } from './shapes.ts'

const JOINTS: [name: string, parent: string, x: number, y: number, z: number][] = [
  ['root', '', 0, 0, 0],
  ['pelvis', 'root', 0, 0.98, 0],
  ['spine', 'pelvis', 0, 0.14, 0.005],
  ['chest', 'spine', 0, 0.18, -0.01],
  ['neck', 'chest', 0, 0.2, -0.005],
  ['head', 'neck', 0, 0.09, 0.02],
  ['shoulder.L', 'chest', 0.07, 0.14, 0],
  ['arm.L', 'shoulder.L', 0.13, 0, 0],
  ['forearm.L', 'arm.L', 0.1, -0.26, 0],
  ['hand.L', 'forearm.L', 0.06, -0.24, 0.04],
  ['shoulder.R', 'chest', -0.07, 0.14, 0],
  ['arm.R', 'shoulder.R', -0.13, 0, 0],
  ['forearm.R', 'arm.R', -0.1, -0.26, 0],
  ['hand.R', 'forearm.R', -0.06, -0.24, 0.04],
  ['thigh.L', 'pelvis', 0.1, -0.04, 0],
  ['shin.L', 'thigh.L', 0.015, -0.43, 0.015],
  ['foot.L', 'shin.L', 0, -0.42, -0.03],
  ['thigh.R', 'pelvis', -0.1, -0.04, 0],
  ['shin.R', 'thigh.R', -0.015, -0.43, 0.015],
  ['foot.R', 'shin.R', 0, -0.42, -0.03],
  ['武器', 'hand.R', -0.02, -0.06, 0.03],
  ['glow', '武器', 0, 0, 0.75],
]

/** @param detail sides of a limb: 14 for a figure of the time, more for load tests */
export function devScene(detail = 14): Scene {
  const scene = emptyScene('figure')
  const index = new Map(JOINTS.map(([name], i) => [name, i]))
  const local = new Float32Array(16 * JOINTS.length)
  JOINTS.forEach(([, , x, y, z], i) => compose(local, 16 * i, [x, y, z], 0, [0, 0, 0, 1], 0, [1, 1, 1], 0))
  const { skeleton, jointOf } = buildSkeleton(
    JOINTS.map((j) => j[0]),
    JOINTS.map((j) => index.get(j[1]) ?? -1),
    local,
    (i) => ({ ref: 'figure', path: `joints[${i}]` }),
  )
  skeleton.roles = JOINTS.map(([name]) => (name === '武器' || name === 'glow' ? 'attach' : 'joint'))
  scene.skeleton = skeleton
  const world = new Float32Array(16 * skeleton.count)
  updateWorld(skeleton, skeleton.restLocal, world)
  const at = (name: string): [number, number, number] => {
    const j = jointOf[index.get(name)!]
    return [world[16 * j + 12], world[16 * j + 13], world[16 * j + 14]]
  }
  const joint = (name: string): number => jointOf[index.get(name)!]

  const b = figureBody(at, detail)
  const material = (name: string, more: Partial<Material>): number => scene.materials.push({ ...plainMaterial(name, source), ...more }) - 1
  scene.textures.push(paint(), leaf(), glow(), {
    name: 'lost',
    width: 0,
    height: 0,
    rgba: new Uint8Array(0),
    missing: true,
    hasAlpha: false,
    source,
  })
  const body = material('body', { texture: 0 })
  const steel = material('steel', { diffuse: [0.62, 0.66, 0.72, 1], specular: [0.5, 0.5, 0.5], shininess: 24 })
  const foliage = material('leaf', { texture: 1, alphaTest: 0.5, doubleSided: true })
  const light = material('glow', { texture: 2, blend: 'additive', depthWrite: false, lit: false, doubleSided: true })
  const lost = material('lost', { texture: 3 })
  const glass = material('glass', { diffuse: [0.45, 0.65, 0.9, 0.4], blend: 'alpha', depthWrite: false, doubleSided: true })
  const team = material('team', { diffuse: [0.9, 0.9, 0.9, 1], teamColor: true, doubleSided: true })

  const used = JOINTS.map(([name]) => name)
  const inverseBind = new Float32Array(16 * used.length)
  used.forEach((name, i) => invertAffine(inverseBind, 16 * i, world, 16 * joint(name)))
  const slot = new Map(used.map((name, i) => [name, i]))
  const skin: Skin = {
    name: 'figure',
    joints: Uint32Array.from(used, joint),
    inverseBind,
    ...packInfluences(b.weights.length, (v, push) => b.weights[v].forEach(([name, w]) => push(slot.get(name)!, w))),
    source,
  }
  scene.skins.push(skin)
  scene.meshes.push(meshOf('figure', joint('root'), b.positions, b.normals, b.uvs, b.indices, body, { skin: 0 }))
  scene.meshes.push(box('blade', joint('武器'), [0, 0, 0.42], [0.012, 0.035, 0.42], steel))
  scene.meshes.push(box('guard', joint('武器'), [0, 0, 0.02], [0.03, 0.1, 0.02], team))
  scene.meshes.push(quad('leaf', joint('head'), [0.11, 0.17, 0.02], 0.1, foliage))
  scene.meshes.push(quad('glow', joint('glow'), [0, 0, 0], 0.22, light, { billboard: 'full' }))
  scene.meshes.push(box('crate', joint('root'), [0.75, 0.2, -0.1], [0.2, 0.2, 0.2], lost))
  scene.meshes.push(box('glass', joint('root'), [0.75, 0.5, -0.1], [0.1, 0.1, 0.1], glass))
  scene.helpers.push({
    name: 'reach',
    kind: 'box',
    joint: joint('root'),
    center: [0, 0.9, 0],
    extent: [0.45, 0.9, 0.4],
    color: [0.9, 0.7, 0.2],
    label: 'reach',
    source,
  })

  scene.clips.push(walk(scene, joint))
  scene.slices.push({ clip: 0, name: '歩く', start: 0, end: 30, speed: 1, loop: true, source })
  return scene
}

function walk(scene: Scene, joint: (name: string) => number): Scene['clips'][number] {
  const tracks: Track[] = []
  const swing = (name: string, axis: 0 | 1 | 2, size: number, phase: number, offset = 0): void => {
    const times: number[] = [],
      values: number[] = []
    for (let f = 0; f <= 30; f += 3) {
      const a = (offset + size * Math.sin((f / 30) * Math.PI * 2 + phase)) / 2
      const q = [0, 0, 0, Math.cos(a)]
      q[axis] = Math.sin(a)
      times.push(f)
      values.push(...q)
    }
    tracks.push({
      target: { kind: 'joint', index: joint(name) },
      property: 'rotation',
      interpolation: 'slerp',
      mode: 'absolute',
      times: Float32Array.from(times),
      values: Float32Array.from(values),
      label: 'rotation',
      source,
    })
  }
  swing('thigh.L', 0, 0.55, 0)
  swing('thigh.R', 0, 0.55, Math.PI)
  swing('shin.L', 0, 0.45, -1.4, 0.45)
  swing('shin.R', 0, 0.45, Math.PI - 1.4, 0.45)
  swing('arm.L', 0, 0.5, Math.PI)
  swing('arm.R', 0, 0.5, 0)
  swing('forearm.L', 0, 0.2, Math.PI, -0.4)
  swing('forearm.R', 0, 0.2, 0, -0.4)
  swing('chest', 1, 0.12, 0)
  swing('pelvis', 1, 0.1, Math.PI)
  return {
    name: 'walk',
    tracks,
    start: 0,
    end: 30,
    rate: 30,
    unit: 'frame',
    loop: 'wrap',
    fit: { matched: tracks.length, total: tracks.length },
    events: [],
    source: { ref: scene.name, path: '' },
  }
}
