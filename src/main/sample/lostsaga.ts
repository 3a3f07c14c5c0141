/** The adventurer and a ruin in Lost Saga's folders: skeleton, skinned mesh, three animations in three codings with events, a stage with collision, materials, textures. */
import { encodeDocument, type Document, type FileFormat } from '../formats/format.ts'
import { newDds } from '../formats/image/dds.ts'
import { ani, type AniCoding } from '../formats/lostsaga/codecs/ani.ts'
import { cms } from '../formats/lostsaga/codecs/cms.ts'
import { MASK, msh } from '../formats/lostsaga/codecs/msh.ts'
import { skl } from '../formats/lostsaga/codecs/skl.ts'
import { encodeText } from '../formats/lostsaga/codecs/strings.ts'
import { newAni, newCms, newMsh, newSkl } from '../formats/lostsaga/make.ts'
import { adventurer, skinnedMeshes } from './character.ts'
import type { SampleCharacter } from './character.ts'
import type { SampleWindow } from './character-motion.ts'
import { ruin, type StageMesh } from './stage.ts'
import type { SampleFile } from './write-sample.ts'

/** centimetres */
const UNITS = 100

/** Names as the game's rigs have them. */
const BONES: Record<string, string> = {
  root: 'Bip01',
  pelvis: 'Bip01 Pelvis',
  spine: 'Bip01 Spine',
  chest: 'Bip01 Spine1',
  neck: 'Bip01 Neck',
  head: 'Bip01 Head',
  hair: 'Hair01',
  hair_tip: 'Hair02',
  scarf_1: 'Mantle01',
  scarf_2: 'Mantle02',
  scarf_3: 'Mantle03',
  weapon: 'Bip01 R Weapon',
}

function boneName(joint: string): string {
  if (BONES[joint]) return BONES[joint]
  const [part, side] = joint.split('_')
  const names: Record<string, string> = {
    clavicle: 'Clavicle',
    upperarm: 'UpperArm',
    forearm: 'Forearm',
    hand: 'Hand',
    thigh: 'Thigh',
    shin: 'Calf',
    foot: 'Foot',
  }
  return `Bip01 ${side.toUpperCase()} ${names[part]}`
}

/** Right-handed facing +Z to left-handed facing -Z: Z is negated. */
const place = (p: readonly number[]): [number, number, number] => [p[0] * UNITS, p[1] * UNITS, -p[2] * UNITS]

function encode<D extends Document>(format: FileFormat<D>, document: D): Uint8Array {
  return encodeDocument(format, document).bytes.slice()
}

function skeleton(c: SampleCharacter): Uint8Array {
  const bones = c.joints.map((joint, i) => {
    const local = place(joint.position)
    const world = place(c.world[i])
    const inverse = world.map((x) => -x)
    const turn = [0, 0, 0, 1]
    return {
      name: boneName(joint.name),
      parent: joint.parent,
      transform: [...local, ...turn, ...inverse, ...turn, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, ...world, 1],
    }
  })
  return encode(skl, newSkl(bones))
}

interface Part {
  positions: number[]
  normals: number[]
  uvs: number[]
  indices: number[]
  /** bone number, weight; empty for a part that is not skinned */
  weights: [number, number][][]
}

/** One MSH, each part a submesh; clockwise fronts, exact box, radius half its diagonal. */
function mesh(
  parts: Part[],
  type: number,
  mask: number,
  bones: string[],
  points: { type: string; bone: string; position: [number, number, number] }[] = [],
): Uint8Array {
  const submeshes: number[] = [],
    positions: number[] = [],
    normals: number[] = [],
    uvs: number[] = [],
    influences: number[] = [],
    faces: number[] = []
  for (const part of parts) {
    const first = positions.length / 3
    submeshes.push(first, part.positions.length / 3, faces.length, part.indices.length / 3)
    for (let v = 0; v < part.positions.length / 3; v++) {
      positions.push(...place(part.positions.slice(3 * v, 3 * v + 3)))
      normals.push(part.normals[3 * v], part.normals[3 * v + 1], -part.normals[3 * v + 2])
      uvs.push(part.uvs[2 * v], part.uvs[2 * v + 1])
      if (mask & MASK.weights) {
        const four = [...part.weights[v]].sort((a, b) => b[1] - a[1]).slice(0, 4)
        const sum = four.reduce((n, [, w]) => n + w, 0)
        for (let s = 0; s < 4; s++) influences.push((four[s]?.[1] ?? 0) / sum)
        for (let s = 0; s < 4; s++) influences.push(four[s]?.[0] ?? 0)
      }
    }
    for (let t = 0; t < part.indices.length; t += 3)
      faces.push(first + part.indices[t], first + part.indices[t + 2], first + part.indices[t + 1])
  }
  const rounded = Float32Array.from(positions)
  const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]
  rounded.forEach((x, i) => {
    box[i % 3] = Math.min(box[i % 3], x)
    box[3 + (i % 3)] = Math.max(box[3 + (i % 3)], x)
  })
  return encode(msh, newMsh({ type, mask, box, submeshes, positions: rounded, normals, uvs, influences, bones, faces, points }))
}

function animation(c: SampleCharacter, window: SampleWindow, coding: AniCoding, events: [number, string, string][]): Uint8Array {
  const time = (frame: number): number => Math.round(((frame - window.start) / 30) * 1000)
  const tracks = c.joints.map((joint, j) => {
    const keys = c.keys[j].filter((k) => k.frame >= window.start && k.frame <= window.end)
    const list = keys.length ? keys : [{ frame: window.start, rotation: [0, 0, 0, 1] as const, position: joint.position }]
    return {
      bone: boneName(joint.name),
      keys: list.map(({ frame, rotation: [x, y, z, w], position }) => ({
        time: time(frame),
        rotation: [-x, -y, z, w].map((v) => v || 0),
        position: place(position),
      })),
    }
  })
  const list = events.map(([ms, type, info]) => ({ time: ms, type, info }))
  return encode(ani, newAni(coding, time(window.end), tracks, list))
}

function collision(stage: StageMesh): Uint8Array {
  const faces: number[] = []
  for (let t = 0; t < stage.indices.length; t += 3) faces.push(stage.indices[t], stage.indices[t + 2], stage.indices[t + 1])
  const positions: number[] = []
  for (let v = 0; v < stage.positions.length; v += 3) positions.push(...place(stage.positions.slice(v, v + 3)))
  return encode(cms, newCms(positions, faces))
}

const lines = (...text: string[]): Uint8Array => encodeText(text.join('\r\n') + '\r\n').raw

function materials(shader: string, ...textures: string[]): Uint8Array {
  return lines(
    ...textures.flatMap((file) => [
      'material',
      '{',
      '\ttechnique',
      '\t{',
      '\t\tpass',
      '\t\t{',
      '\t\t\tambient 1 1 1 1',
      '\t\t\tdiffuse 1 1 1 1',
      `\t\t\tshader_group ${shader}`,
      '\t\t\ttexture_unit',
      '\t\t\t{',
      `\t\t\t\ttexture ${file}`,
      '\t\t\t\tfiltering linear',
      '\t\t\t}',
      '\t\t}',
      '\t}',
      '}',
    ]),
  )
}

export function lostSagaSample(): SampleFile[] {
  const c = adventurer()
  const bones = c.joints.map((j) => boneName(j.name))
  const stage = ruin()
  const [texture] = c.textures
  const window = (id: SampleWindow['id']): SampleWindow => c.windows.find((w) => w.id === id)!
  const root = 'Lost Saga/resource'
  const box = (m: Uint8Array): string[] => {
    const { box: b } = msh.decode(m, '')
    return [[...b.subarray(0, 3)], [...b.subarray(3)]].map((v) => v.map((x) => x.toFixed(2)).join(' '))
  }
  const heroMesh = mesh(skinnedMeshes(c), 1, MASK.position | MASK.normal | MASK.uv0 | MASK.weights | MASK.indices, bones, [
    { type: 'weapon', bone: 'Bip01 R Weapon', position: [0, 0, 0] },
    { type: 'head', bone: 'Bip01 Head', position: [0, 24, 0] },
  ])
  const stageMesh = mesh([{ ...stage.mesh, weights: [] }], 0, MASK.position | MASK.normal | MASK.uv0, [])
  return [
    { path: `${root}/skeleton/adventurer.skl`, bytes: skeleton(c) },
    { path: `${root}/mesh/adventurer.msh`, bytes: heroMesh },
    { path: `${root}/mesh/ruin.msh`, bytes: stageMesh },
    { path: `${root}/mesh/ruin_collision.cms`, bytes: collision(stage.collision) },
    { path: `${root}/animation/adventurer_idle.ani`, bytes: animation(c, window('idle'), 4000, [[0, 'motion_sound', 'voice/breath.wav']]) },
    {
      path: `${root}/animation/adventurer_walk.ani`,
      bytes: animation(c, window('walk'), 4001, [
        [250, 'motion_sound', 'step/left.wav'],
        [750, 'motion_sound', 'step/right.wav'],
      ]),
    },
    {
      path: `${root}/animation/adventurer_attack.ani`,
      bytes: animation(c, window('attack'), 4002, [
        [360, 'motion_sound', 'weapon/swing.wav'],
        [400, 'attack', 'Bip01 R Weapon 1.0'],
      ]),
    },
    { path: `${root}/material/adventurer.txt`, bytes: materials('AnimateToonShade', 'adventurer.dds', 'adventurer.dds') },
    { path: `${root}/material/ruin.txt`, bytes: materials('Static', 'ruin.dds') },
    { path: `${root}/texture/adventurer.dds`, bytes: newDds(1, texture.width, texture.height, texture.rgba, true) },
    { path: `${root}/texture/ruin.dds`, bytes: newDds(1, stage.picture.width, stage.picture.height, stage.picture.rgba, true) },
    {
      path: `${root}/model/animodel/adventurer.txt`,
      bytes: lines(
        '#MODEL_CFG',
        '#SKELETON',
        'adventurer',
        '#ANIMATION_LIST',
        'adventurer_idle',
        'adventurer_walk',
        'adventurer_attack',
        '#ANIMATION_LIST_END',
        '#AABOX',
        ...box(heroMesh),
        '#MODEL_COLOR',
        '255 255 255',
        '#MESH_LIST',
        'adventurer',
        '#MESH_LIST_END',
        '#MODEL_END',
      ),
    },
    {
      path: `${root}/model/staticmodel/ruin.txt`,
      bytes: lines(
        '#MODEL_CFG',
        '#AABOX',
        ...box(stageMesh),
        '#COLLISION_MESH',
        'ruin_collision.cms',
        '#MODEL_COLOR',
        '255 255 255',
        '#MESH_LIST',
        'ruin',
        '#MESH_LIST_END',
        '#MODEL_END',
      ),
    },
  ]
}
