/**
 * The character of the sample library: a small adventurer with a scarf and a sword, built, painted and animated by code.
 * Neutral: right-handed, Y up, facing +Z, its left at +X, lengths in metres; each family's sample turns it into its own files.
 * Bind rotations are identities: a local rotation of the pose is a turn about the scene's axes.
 */
import { sub, add, mul } from './vectors.ts'
import { body, sword } from './character-body.ts'
import { ATLAS } from './surface.ts'
import { picture } from './character-paint.ts'
import { LAST, WINDOWS, poseAt, quaternion } from './character-motion.ts'
import type { SampleWindow } from './character-motion.ts'
import type { Surface } from './surface.ts'

type Point = [x: number, y: number, z: number]

export interface SampleJoint {
  name: string
  parent: number
  /** relative to the parent */
  position: Point
}

export interface SampleMesh {
  name: string
  /** joint that carries a rigid mesh, or owns a skinned one */
  joint: number
  skinned: boolean
  /** rigid: in the joint's space; skinned: in model space at bind */
  positions: number[]
  normals: number[]
  /** v from the top row */
  uvs: number[]
  /** counter-clockwise */
  indices: number[]
  /** per vertex: joint, weight pairs that sum to 1; empty for a rigid mesh */
  weights: [number, number][][]
  texture: number
  doubleSided: boolean
}

/** Absolute local pose of one joint at one frame. */
export interface SampleKey {
  frame: number
  /** x, y, z, w */
  rotation: [number, number, number, number]
  position: Point
}

export interface SampleCharacter {
  name: string
  joints: SampleJoint[]
  /** world position of each joint at bind */
  world: Point[]
  meshes: SampleMesh[]
  textures: { name: string; width: number; height: number; rgba: Uint8Array }[]
  /** keys per joint on one master track of 30 frames a second, first frame 1; joints that never move have none */
  keys: SampleKey[][]
  /** joints whose position is keyed as well */
  movingJoints: Set<number>
  windows: SampleWindow[]
}

const ARM = (40 * Math.PI) / 180

function skeleton(): { joints: SampleJoint[]; world: Point[]; index: (name: string) => number } {
  const joints: SampleJoint[] = []
  const world: Point[] = []
  const index = (name: string): number => joints.findIndex((j) => j.name === name)
  const joint = (name: string, parent: string, at: Point): void => {
    const p = parent ? index(parent) : -1
    joints.push({ name, parent: p, position: p < 0 ? at : sub(at, world[p]) })
    world.push(at)
  }
  joint('root', '', [0, 0, 0])
  joint('pelvis', 'root', [0, 0.5, 0])
  joint('spine', 'pelvis', [0, 0.58, 0])
  joint('chest', 'spine', [0, 0.69, -0.005])
  joint('neck', 'chest', [0, 0.81, -0.01])
  joint('head', 'neck', [0, 0.85, 0])
  joint('hair', 'head', [0, 1.1, -0.16])
  joint('hair_tip', 'hair', [0, 1.06, -0.29])
  joint('scarf_1', 'chest', [0.05, 0.8, -0.11])
  joint('scarf_2', 'scarf_1', [0.06, 0.66, -0.17])
  joint('scarf_3', 'scarf_2', [0.07, 0.5, -0.21])
  for (const [side, s] of [
    ['l', 1],
    ['r', -1],
  ] as const) {
    const dir: Point = [s * Math.sin(ARM), -Math.cos(ARM), 0]
    const shoulder: Point = [s * 0.115, 0.765, -0.01]
    joint(`clavicle_${side}`, 'chest', [s * 0.04, 0.78, -0.01])
    joint(`upperarm_${side}`, `clavicle_${side}`, shoulder)
    joint(`forearm_${side}`, `upperarm_${side}`, add(shoulder, mul(dir, 0.17)))
    joint(`hand_${side}`, `forearm_${side}`, add(shoulder, mul(dir, 0.32)))
  }
  joint('weapon', 'hand_r', add([-0.115, 0.765, -0.01], mul([-Math.sin(ARM), -Math.cos(ARM), 0], 0.37)))
  for (const [side, s] of [
    ['l', 1],
    ['r', -1],
  ] as const) {
    joint(`thigh_${side}`, 'pelvis', [s * 0.075, 0.47, 0])
    joint(`shin_${side}`, `thigh_${side}`, [s * 0.08, 0.27, 0.005])
    joint(`foot_${side}`, `shin_${side}`, [s * 0.08, 0.075, -0.01])
  }
  return { joints, world, index }
}

/** The meshes of a character with the rigid ones bound to their joint: for families that keep everything in one skin. */
export function skinnedMeshes(character: SampleCharacter): SampleMesh[] {
  return character.meshes.map((mesh) => {
    if (mesh.skinned) return mesh
    const at = character.world[mesh.joint]
    return {
      ...mesh,
      skinned: true,
      positions: mesh.positions.map((x, i) => x + at[i % 3]),
      weights: Array.from({ length: mesh.positions.length / 3 }, () => [[mesh.joint, 1]]),
    }
  })
}

/** The adventurer. `stride` is the distance between keys in frames; window ends always have keys. */
export function adventurer(stride = 3): SampleCharacter {
  const { joints, world, index } = skeleton()
  const skinned = body(index, world)
  const blade = sword()
  const atlas = picture()
  const mesh = (name: string, joint: string, surface: Surface, isSkinned: boolean): SampleMesh => ({
    name,
    joint: index(joint),
    skinned: isSkinned,
    positions: surface.positions,
    normals: surface.normals(),
    uvs: surface.uvs,
    indices: surface.indices,
    weights: isSkinned ? surface.weights : [],
    texture: 0,
    doubleSided: false,
  })
  const frames: number[] = []
  for (let f = 1; f <= LAST; f++) {
    const inWindow = WINDOWS.find((w) => f >= w.start && f <= w.end)
    if (inWindow && ((f - inWindow.start) % stride === 0 || f === inWindow.end)) frames.push(f)
  }
  const keys: SampleKey[][] = joints.map(() => [])
  const movingJoints = new Set([index('pelvis')])
  const poses = frames.map(poseAt)
  joints.forEach((joint, j) => {
    const animated = poses.some((p) => p[joint.name]) || movingJoints.has(j)
    if (!animated) return
    frames.forEach((frame, i) => {
      const lift = poses[i].lift ?? [0, 0, 0]
      const position: Point = movingJoints.has(j) ? add(joint.position, lift) : joint.position
      keys[j].push({ frame, rotation: quaternion(poses[i][joint.name] ?? [0, 0, 0]), position })
    })
  })
  return {
    name: 'adventurer',
    joints,
    world,
    meshes: [mesh('body', 'root', skinned, true), mesh('sword', 'weapon', blade, false)],
    textures: [{ name: 'adventurer', width: ATLAS, height: ATLAS, rgba: atlas.rgba }],
    keys,
    movingJoints,
    windows: WINDOWS,
  }
}
