/** The adventurer as a San Andreas ped: skin in the new layout, in the old one, and with split data; texture dictionary; animation package. */
import { encodeDocument, type Document, type FileFormat } from '../formats/format.ts'
import { dffFormat } from '../formats/renderware/codecs/dff.ts'
import { ifpFormat } from '../formats/renderware/codecs/ifp.ts'
import { newDff, newIfp, newTxd, type NewFrame, type NewModel, type NewTrack } from '../formats/renderware/make.ts'
import { txdFormat } from '../formats/renderware/codecs/txd.ts'
import { adventurer, skinnedMeshes, type SampleCharacter } from './character.ts'
import type { SampleFile } from './write-sample.ts'

/** Node ids as the game's peds use them: 0 to 8 body and face, 31.. left arm, 21.. right arm, 41.. and 51.. legs, 2xx and 3xx loose parts. */
const NODE_IDS: Record<string, number> = {
  root: 0,
  pelvis: 1,
  spine: 2,
  chest: 3,
  neck: 4,
  head: 5,
  hair: 8,
  hair_tip: 6,
  scarf_1: 7,
  scarf_2: 201,
  scarf_3: 301,
  clavicle_l: 31,
  upperarm_l: 32,
  forearm_l: 33,
  hand_l: 34,
  clavicle_r: 21,
  upperarm_r: 22,
  forearm_r: 23,
  hand_r: 24,
  weapon: 25,
  thigh_l: 41,
  shin_l: 42,
  foot_l: 43,
  thigh_r: 51,
  shin_r: 52,
  foot_r: 53,
}

/** Scene (Y up, facing +Z) to the game's space (Z up, facing +Y). */
const place = (p: readonly number[]): [number, number, number] => [-p[0], p[2], p[1]]
const turn = ([x, y, z, w]: readonly number[]): number[] => [-x, z, y, w].map((v) => v || 0)

function encode<D extends Document>(format: FileFormat<D>, document: D): Uint8Array {
  return encodeDocument(format, document).bytes.slice()
}

/** Legs and the rest get a material each where a palette has to hold fewer bones than the whole figure needs. */
const LOWER = /^(pelvis|thigh|shin|foot)/

function model(c: SampleCharacter, layout: 'new' | 'old', boneLimit?: number): NewModel {
  const at = (p: readonly number[]): number[] => [1, 0, 0, 0, 1, 0, 0, 0, 1, ...place(p)]
  const frames: NewFrame[] = [
    { name: c.name, parent: -1, matrix: at([0, 0, 0]) },
    ...c.joints.map((j) => ({ name: j.name, parent: j.parent + 1, matrix: at(j.position), nodeId: NODE_IDS[j.name] })),
  ]
  const positions: number[] = [],
    normals: number[] = [],
    uvs: number[] = [],
    triangles: number[] = [],
    indices: number[] = [],
    weights: number[] = [],
    materialOf: number[] = []
  for (const mesh of skinnedMeshes(c)) {
    const first = positions.length / 3
    for (let v = 0; v < mesh.positions.length / 3; v++) {
      positions.push(...place(mesh.positions.slice(3 * v, 3 * v + 3)))
      normals.push(...place(mesh.normals.slice(3 * v, 3 * v + 3)))
      const four = [...mesh.weights[v]].sort((a, b) => b[1] - a[1]).slice(0, 4)
      const sum = four.reduce((n, [, w]) => n + w, 0)
      for (let s = 0; s < 4; s++) {
        indices.push(four[s]?.[0] ?? 0)
        weights.push((four[s]?.[1] ?? 0) / sum)
      }
    }
    uvs.push(...mesh.uvs)
    triangles.push(...mesh.indices.map((i) => i + first))
    for (let t = 0; t < mesh.indices.length; t += 3) {
      const main = mesh.weights[mesh.indices[t]].reduce((a, b) => (b[1] > a[1] ? b : a))[0]
      materialOf.push(boneLimit && LOWER.test(c.joints[main].name) ? 1 : 0)
    }
  }
  const skinToBone = new Float32Array(16 * c.joints.length)
  c.world.forEach((p, b) => skinToBone.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, ...place(p).map((x) => -x || 0), 0], 16 * b))
  return {
    frames,
    nodes: c.joints.map((j) => NODE_IDS[j.name]),
    geometries: [
      {
        positions: Float32Array.from(positions),
        normals: Float32Array.from(normals),
        uvs: Float32Array.from(uvs),
        triangles: Uint32Array.from(triangles),
        materialOf: Uint16Array.from(materialOf),
        materials: [{ texture: c.textures[0].name }, ...(boneLimit ? [{ texture: c.textures[0].name }] : [])],
        skin: { layout, skinToBone, indices: Uint8Array.from(indices), weights: Float32Array.from(weights), boneLimit },
      },
    ],
    atomics: [{ frame: 0, geometry: 0 }],
  }
}

export function renderwareSample(): SampleFile[] {
  const c = adventurer()
  const clips = c.windows.map((window) => ({
    name: window.id,
    tracks: c.joints.flatMap((joint, j): NewTrack[] => {
      const keys = c.keys[j].filter((k) => k.frame >= window.start && k.frame <= window.end)
      if (!keys.length) return []
      return [
        {
          bone: joint.name,
          id: NODE_IDS[joint.name],
          times: keys.map((k) => (k.frame - window.start) / 30),
          rotations: keys.flatMap((k) => turn(k.rotation)),
          translations: c.movingJoints.has(j) ? keys.flatMap((k) => place(k.position)) : undefined,
        },
      ]
    }),
  }))
  const [texture] = c.textures
  const txd = encode(
    txdFormat,
    newTxd([{ name: texture.name, width: texture.width, height: texture.height, rgba: texture.rgba, raster: 'DXT1', mips: true }]),
  )
  const root = 'San Andreas/models'
  const files: SampleFile[] = [{ path: `${root}/adventurer.ifp`, bytes: encode(ifpFormat, newIfp('adventurer', clips)) }]
  for (const [folder, name, layout, boneLimit] of [
    ['peds', 'adventurer', 'new', undefined],
    ['old layout', 'adventurer_old', 'old', undefined],
    ['split skin', 'adventurer_split', 'new', 22],
  ] as const) {
    files.push(
      { path: `${root}/${folder}/${name}.dff`, bytes: encode(dffFormat, newDff(model(c, layout, boneLimit))) },
      { path: `${root}/${folder}/${name}.txd`, bytes: txd },
    )
  }
  return files
}
