/**
 * The adventurer as Dark Cloud 1 has its characters (one pack, script without names, local bind pose) and as Dark Cloud 2 does
 * (loose files, named windows, model-space bind pose). Written with the project's own encoders.
 */
import { encodeDocument, type Document, type FileFormat } from '../formats/format.ts'
import { bbpFormat } from '../formats/level5/codecs/bbp.ts'
import { newCfg, newBbp, newImg, newMaterial, newMds, newMdt, newMot, newTim2FromRgba, newWgt } from '../formats/level5/make.ts'
import { imgFormat } from '../formats/level5/codecs/img.ts'
import { mdsFormat } from '../formats/level5/codecs/mds.ts'
import { PRIMITIVE, type MdtNode } from '../formats/level5/codecs/mdt.ts'
import { motFormat } from '../formats/level5/codecs/mot.ts'
import { encodeText } from '../formats/level5/codecs/names.ts'
import { newPack } from '../formats/level5/archives/pack.ts'
import { newTrack } from '../formats/level5/codecs/tracks.ts'
import { TRACK_TYPE } from '../formats/level5/codecs/track-types.ts'
import type { TrackNode } from '../formats/level5/codecs/tracks.ts'
import { newWeightGroup, wgtFormat } from '../formats/level5/codecs/wgt.ts'
import { adventurer, type SampleCharacter, type SampleMesh } from './character.ts'
import { Canvas, mix, noise, scale } from './paint.ts'
import type { SampleFile } from './write-sample.ts'

/** Model units per metre. */
const UNITS = 10
/** Written where the games' own files have leftovers of memory. */
const JUNK: readonly [number, number] = [0x74700000, 0x747bfe95]

interface Node {
  name: string
  parent: number
  position: readonly [number, number, number]
  mdt?: MdtNode
}

/** One vertex per place and set of weights, as the games keep them: texture seams split only the corners. */
function weld(mesh: SampleMesh): {
  positions: number[]
  normals: number[]
  uvs: number[]
  corners: number[]
  weights: [number, number][][]
} {
  const positions: number[] = [],
    normals: number[] = [],
    uvs: number[] = []
  const weights: [number, number][][] = []
  const finder = (out: number[], width: number): ((values: number[], key: string, add?: () => void) => number) => {
    const known = new Map<string, number>()
    return (values, key, add) => {
      let i = known.get(key)
      if (i === undefined) {
        i = out.length / width
        known.set(key, i)
        out.push(...values)
        add?.()
      }
      return i
    }
  }
  const key = (values: number[]): string => values.map((x) => Math.round(x * 1e5)).join()
  const position = finder(positions, 3),
    normal = finder(normals, 3),
    uv = finder(uvs, 2)
  const corners: number[] = []
  for (const i of mesh.indices) {
    const p = mesh.positions.slice(3 * i, 3 * i + 3).map((x) => x * UNITS)
    const n = mesh.normals.slice(3 * i, 3 * i + 3)
    const t = mesh.uvs.slice(2 * i, 2 * i + 2)
    const w = mesh.weights[i] ?? []
    corners.push(
      position(p, `${key(p)}|${w.map(([j, k]) => `${j}:${k.toFixed(4)}`).join()}`, () => weights.push(w)),
      normal(n, key(n)),
      uv(t, key(t)),
    )
  }
  return { positions, normals, uvs, corners, weights }
}

/** The arc that a blade leaves behind: an additive strip that shows only while it cuts. */
function slash(): { mdt: MdtNode; picture: Canvas } {
  const positions: number[] = [],
    uvs: number[] = [],
    corners: number[] = []
  const steps = 18
  for (let i = 0; i <= steps; i++) {
    const k = i / steps
    const angle = (-0.62 + 1.24 * k) * Math.PI
    for (const [row, radius] of [
      [0, 8.6],
      [1, 5.2 + 2.4 * k],
    ]) {
      positions.push(-Math.sin(angle) * radius, 5.6 - 2.4 * k + row * 0.3, Math.cos(angle) * radius * 0.92 + 0.4)
      uvs.push(0.02 + 0.96 * k, 0.04 + 0.92 * row)
    }
    if (i > 0) {
      const a = 2 * i - 2,
        b = 2 * i - 1,
        c = 2 * i,
        d = 2 * i + 1
      for (const v of [a, b, d, a, d, c, a, d, b, a, c, d]) corners.push(v, 0, v)
    }
  }
  const picture = new Canvas(64, 32, [0, 0, 0])
  picture.region(0, 0, 64, 32, (u, v, x, y) => {
    const glow = Math.sin(Math.min(1, u * 1.05) * Math.PI * 0.5) ** 2 * (1 - v) ** 1.4 * (0.75 + 0.5 * noise(x / 5, y / 3, 17))
    return scale(mix([70, 150, 255], [255, 255, 255], glow * 1.3), Math.min(1, glow * 1.2))
  })
  return {
    mdt: newMdt({
      positions,
      normals: [0, 1, 0],
      uvs,
      materials: [newMaterial({ texture: 'slash' })],
      primitives: [{ type: PRIMITIVE.list, material: 0, indices: corners }],
    }),
    picture,
  }
}

function nodesOf(character: SampleCharacter): {
  nodes: Node[]
  owner: number
  slashNode: number
  welded: ReturnType<typeof weld>
  picture: Canvas
} {
  const nodes: Node[] = character.joints.map((j) => ({ name: j.name, parent: j.parent, position: j.position }))
  const [body, sword] = character.meshes
  const mesh = (w: ReturnType<typeof weld>): MdtNode =>
    newMdt({
      positions: w.positions,
      normals: w.normals,
      uvs: w.uvs,
      materials: [newMaterial({ texture: character.textures[0].name })],
      primitives: [{ type: PRIMITIVE.list, material: 0, indices: w.corners }],
    })
  nodes[sword.joint].mdt = mesh(weld(sword))
  const welded = weld(body)
  const owner = nodes.push({ name: 'body', parent: 0, position: [0, 0, 0], mdt: mesh(welded) }) - 1
  const arc = slash()
  // no lighting, additive, no depth write
  const slashNode = nodes.push({ name: 'slash__cappz', parent: 0, position: [0, 0, 0], mdt: arc.mdt }) - 1
  return { nodes, owner, slashNode, welded, picture: arc.picture }
}

function matrixOf(p: readonly number[]): number[] {
  return [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, p[0] * UNITS, p[1] * UNITS, p[2] * UNITS, 1]
}

/** Rotations are stored w, x, y, z and conjugated (docs/formats/level5.md). */
function motion(character: SampleCharacter, slashNode: number): TrackNode[] {
  const tracks: TrackNode[] = []
  character.keys.forEach((keys, node) => {
    if (!keys.length) return
    const frames = keys.map((k) => k.frame)
    tracks.push(
      newTrack({
        node,
        type: TRACK_TYPE.rotation,
        frames,
        values: keys.flatMap(({ rotation: [x, y, z, w] }) => [w, -x, -y, -z]),
        words: JUNK,
      }),
    )
    if (character.movingJoints.has(node))
      tracks.push(
        newTrack({
          node,
          type: TRACK_TYPE.translation,
          frames,
          values: keys.flatMap((k) => k.position.map((v) => v * UNITS)),
          words: JUNK,
        }),
      )
  })
  const attack = character.windows.find((w) => w.id === 'attack')!
  // past its last key a track is left out of what the game moves
  const last = Math.max(...character.windows.map((w) => w.end))
  const at = (k: number): number => Math.round(attack.start + k * (attack.end - attack.start))
  tracks.push(
    newTrack({
      node: slashNode,
      type: TRACK_TYPE.visibility,
      frames: [1, at(0.36), at(0.82), last],
      values: [0, 1, 0, 0],
      words: JUNK,
    }),
  )
  // transparency: alpha is 1 - x
  tracks.push(
    newTrack({
      node: slashNode,
      type: TRACK_TYPE.transparency,
      frames: [1, at(0.36), at(0.5), at(0.82), last],
      values: [1, 0.8, 0, 1, 1],
      words: JUNK,
    }),
  )
  return tracks
}

/** A group without vertices resets the chain, then one per joint, ancestors first, empty ones included: what Dark Cloud 1 reads as a program. */
function weightGroups(character: SampleCharacter, owner: number, welded: ReturnType<typeof weld>): TrackNode[] {
  const groups: TrackNode[] = [newWeightGroup(owner, 0)]
  character.joints.forEach((_, joint) => {
    const vertices: number[] = [],
      weights: number[] = []
    welded.weights.forEach((list, vertex) => {
      const sum = list.filter(([j]) => j === joint).reduce((n, [, w]) => n + w, 0)
      if (sum > 0) {
        vertices.push(vertex)
        weights.push(Math.fround(sum * 100))
      }
    })
    if (joint > 0) groups.push(newWeightGroup(owner, joint, vertices, weights))
  })
  return groups
}

function encode<D extends Document>(format: FileFormat<D>, document: D): Uint8Array {
  return encodeDocument(format, document).bytes.slice()
}

/** Both forms, as paths below the sample folder. */
export function level5Sample(): SampleFile[] {
  const character = adventurer()
  const { nodes, owner, slashNode, welded, picture } = nodesOf(character)
  const name = character.name
  const local = Float32Array.from(nodes.flatMap((n) => matrixOf(n.position)))
  const world = Float32Array.from(
    nodes.flatMap((n) => {
      const at = [0, 0, 0]
      for (let p: Node | undefined = n; p; p = nodes[p.parent]) p.position.forEach((x, c) => (at[c] += x))
      return matrixOf(at)
    }),
  )
  const texture = character.textures[0]
  const mds = encode(mdsFormat, newMds(nodes.map((n) => ({ name: n.name, parent: n.parent, matrix: matrixOf(n.position), mdt: n.mdt }))))
  const mot = encode(motFormat, newMot(motion(character, slashNode)))
  const wgt = encode(wgtFormat, newWgt(weightGroups(character, owner, welded)))
  const img = (swizzled: boolean, magic: 'IM2' | 'IM3'): Uint8Array =>
    encode(
      imgFormat,
      newImg(
        [
          { name, tim2: newTim2FromRgba(texture.width, texture.height, texture.rgba, { swizzled }) },
          { name: 'slash', tim2: newTim2FromRgba(picture.width, picture.height, picture.rgba, { swizzled }) },
        ],
        magic,
      ),
    )
  const cfg = (dialect: 'dc1' | 'dc2'): Uint8Array =>
    newCfg(dialect, {
      images: [`${name}.img`],
      model: `${name}.mds`,
      buffers: dialect === 'dc1' ? [nodes[owner].name] : undefined,
      motions: [
        {
          number: 0,
          mot: `${name}.mot`,
          bbp: `${name}.bbp`,
          wgt: `${name}.wgt`,
          keys: [
            ...character.windows.map((w) => ({ name: w.japanese, start: w.start, end: w.end, speed: w.speed })),
            ...(dialect === 'dc2' ? [{ name: '予備', start: 0, end: 0, speed: 0 }] : []),
          ],
        },
      ],
    })
  const parts = (dialect: 'dc1' | 'dc2'): [string, Uint8Array][] => [
    ['info.cfg', cfg(dialect)],
    [`${name}.mds`, mds],
    [`${name}.mot`, mot],
    [`${name}.wgt`, wgt],
    [`${name}.bbp`, encode(bbpFormat, newBbp(dialect === 'dc1' ? local : world))],
    [`${name}.img`, img(dialect === 'dc1', dialect === 'dc1' ? 'IM2' : 'IM3')],
  ]
  return [
    { path: `Dark Cloud/chara/${name}.chr`, bytes: newPack(parts('dc1').map(([member, data]) => ({ name: encodeText(member), data }))) },
    ...parts('dc2').map(([file, bytes]) => ({ path: `Dark Cloud 2/${name}/${file}`, bytes })),
  ]
}
