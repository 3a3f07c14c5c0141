/**
 * A library of any size with all families in it, for measuring: figures of a few bones with skin, motion and picture in the folders and archives
 * that the games have, written by the project's own writers. The same seed gives the same bytes.
 */
import { encodeDocument, type Document, type FileFormat } from '../../src/main/formats/format.ts'
import { newTga } from '../../src/main/formats/image/tga.ts'
import { newDds } from '../../src/main/formats/image/dds.ts'
import { newPack } from '../../src/main/formats/level5/archives/pack.ts'
import { bbpFormat } from '../../src/main/formats/level5/codecs/bbp.ts'
import { imgFormat } from '../../src/main/formats/level5/codecs/img.ts'
import { mdsFormat } from '../../src/main/formats/level5/codecs/mds.ts'
import { PRIMITIVE } from '../../src/main/formats/level5/codecs/mdt.ts'
import { motFormat } from '../../src/main/formats/level5/codecs/mot.ts'
import { TRACK_TYPE } from '../../src/main/formats/level5/codecs/track-types.ts'
import { newTrack } from '../../src/main/formats/level5/codecs/tracks.ts'
import { newWeightGroup, wgtFormat } from '../../src/main/formats/level5/codecs/wgt.ts'
import * as level5 from '../../src/main/formats/level5/make.ts'
import { ani } from '../../src/main/formats/lostsaga/codecs/ani.ts'
import { MASK, msh } from '../../src/main/formats/lostsaga/codecs/msh.ts'
import { skl } from '../../src/main/formats/lostsaga/codecs/skl.ts'
import * as lostsaga from '../../src/main/formats/lostsaga/make.ts'
import { img2 } from '../../src/main/formats/renderware/archives/img.ts'
import { dffFormat } from '../../src/main/formats/renderware/codecs/dff.ts'
import { ifpFormat } from '../../src/main/formats/renderware/codecs/ifp.ts'
import { txdFormat } from '../../src/main/formats/renderware/codecs/txd.ts'
import { newDff, newIfp, newTxd } from '../../src/main/formats/renderware/make.ts'
import { makeBig } from '../../src/main/formats/w3d/archives/big.ts'
import { CHANNEL, makeAnimation } from '../../src/main/formats/w3d/codecs/animation.ts'
import { hierarchyOf, makeHierarchy, restWorld } from '../../src/main/formats/w3d/codecs/hierarchy.ts'
import { makeHlod } from '../../src/main/formats/w3d/codecs/hlod.ts'
import { newFile, newMesh } from '../../src/main/formats/w3d/make.ts'
import { materialise } from '../../src/main/workspace/archive-files.ts'
import type { SampleFile } from '../../src/main/sample/write-sample.ts'

/** A file on disk, and how many files a scan finds in it: itself and its members. */
export interface MixedFile extends SampleFile {
  counts: number
}

/** Numbers from 0 up to 1, the same for the same seed (mulberry32). */
type Chance = () => number

function chanceOf(seed: number): Chance {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

const between = (chance: Chance, least: number, most: number): number => least + Math.floor(chance() * (most - least + 1))

/** A pillar of rings, a bone for every two of them, that sways. */
interface Figure {
  name: string
  bones: number
  frames: number
  positions: number[]
  normals: number[]
  uvs: number[]
  triangles: number[]
  /** bone of each vertex */
  boneOf: number[]
  size: number
  rgba: Uint8Array
  /** rotation about x of a bone in a frame of a motion */
  sway(motion: number, bone: number, frame: number): readonly [number, number, number, number]
}

/** How much there is of a figure. */
interface Detail {
  sides: number
  /** rings for each bone */
  rings: number
  /** times the edge of the picture, and the frames of a motion */
  picture: number
  frames: number
}

const SMALL: Detail = { sides: 8, rings: 2, picture: 1, frames: 1 }
/** Files of 140 KB in the mean, as those of the games are together. */
const AS_GAMES: Detail = { sides: 28, rings: 8, picture: 4, frames: 8 }

function figureOf(name: string, chance: Chance, detail: Detail): Figure {
  const bones = between(chance, 6, 20)
  const rings = detail.rings * bones
  const { sides } = detail
  const out = { positions: [] as number[], normals: [] as number[], uvs: [] as number[], triangles: [] as number[], boneOf: [] as number[] }
  const thick = 0.3 + 0.4 * chance()
  for (let ring = 0; ring < rings; ring++) {
    const radius = thick * (0.6 + 0.4 * chance())
    for (let side = 0; side < sides; side++) {
      const angle = (2 * Math.PI * side) / sides
      out.positions.push(Math.cos(angle) * radius, ring / detail.rings, Math.sin(angle) * radius)
      out.normals.push(Math.cos(angle), 0, Math.sin(angle))
      out.uvs.push(side / sides, ring / rings)
      out.boneOf.push(Math.floor(ring / detail.rings))
      if (ring === 0) continue
      const [a, b] = [(ring - 1) * sides + side, (ring - 1) * sides + ((side + 1) % sides)]
      out.triangles.push(a, a + sides, b, b, a + sides, b + sides)
    }
  }
  const size = detail.picture * 2 ** between(chance, 4, 7)
  const rgba = new Uint8Array(4 * size * size)
  const colours = Array.from({ length: 4 }, () => [between(chance, 0, 255), between(chance, 0, 255), between(chance, 0, 255), 255])
  for (let i = 0; i < size * size; i++) rgba.set(colours[(((i % size) >> 2) + (Math.floor(i / size) >> 2)) & 3], 4 * i)
  const phases = Array.from({ length: bones }, () => chance() * 6)
  return {
    name,
    bones,
    frames: detail.frames * between(chance, 20, 60),
    ...out,
    size,
    rgba,
    sway(motion, bone, frame) {
      const angle = 0.1 * Math.sin(phases[bone] + 0.2 * (motion + 1) * frame)
      return [Math.sin(angle), 0, 0, Math.cos(angle)]
    },
  }
}

function encode<D extends Document>(format: FileFormat<D>, document: D): Uint8Array {
  return encodeDocument(format, document).bytes.slice()
}

const numbers = (n: number): number[] => Array.from({ length: n }, (_, i) => i)

/** A model, its skeleton and three motions, and a picture. */
function w3dFiles(f: Figure): { name: string; bytes: Uint8Array }[] {
  const hierarchyName = `${f.name}_SKL`
  const hierarchy = makeHierarchy(hierarchyName, [
    { name: 'ROOTTRANSFORM', parent: -1, trans: [0, 0, 0], quat: [0, 0, 0, 1] },
    ...numbers(f.bones).map((b) => ({ name: `BONE${b}`, parent: b, trans: [0, 0, b ? 1 : 0], quat: [0, 0, 0, 1] })),
  ])
  const up = (values: number[]): number[] => values.map((_, i) => values[i - (i % 3) + [0, 2, 1][i % 3]])
  const mesh = newMesh({
    meshName: 'BODY',
    containerName: `${f.name}_SKN`,
    positions: up(f.positions),
    normals: up(f.normals),
    uvs: f.uvs,
    triangles: f.triangles,
    texture: `${f.name}.tga`,
    skin: { world: restWorld(hierarchyOf(hierarchy)), bones: f.boneOf.map((b) => b + 1) },
  })
  const hlod = makeHlod(`${f.name}_SKN`, hierarchyName, [
    { maxScreenSize: 3.4028234663852886e38, objects: [{ bone: 0, name: `${f.name}_SKN.BODY` }] },
  ])
  return [
    { name: `W3D/${f.name}_SKN.W3D`, bytes: newFile([mesh, hlod]) },
    { name: `W3D/${hierarchyName}.W3D`, bytes: newFile([hierarchy]) },
    ...['WKA', 'IDA', 'FRA'].map((motion, m) => ({
      name: `W3D/${f.name}_${motion}.W3D`,
      bytes: newFile([
        makeAnimation(
          `${f.name}_${motion}`,
          hierarchyName,
          f.frames,
          30,
          numbers(f.bones).map((b) => ({
            pivot: b + 1,
            type: CHANNEL.Q,
            values: Float32Array.from(numbers(f.frames).flatMap((frame) => f.sway(m, b, frame))),
          })),
        ),
      ]),
    })),
    { name: `Textures/${f.name}.tga`, bytes: newTga(f.size, f.size, f.rgba) },
  ]
}

function renderwareFiles(f: Figure): { name: string; bytes: Uint8Array }[] {
  const at = (y: number): number[] => [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, y, 0]
  const skinToBone = Float32Array.from(numbers(f.bones).flatMap((b) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -b, 0, 0]))
  const dff = newDff({
    frames: [
      { name: f.name, parent: -1, matrix: at(0) },
      ...numbers(f.bones).map((b) => ({ name: `bone_${b}`, parent: b, matrix: at(b ? 1 : 0), nodeId: b })),
    ],
    nodes: numbers(f.bones),
    geometries: [
      {
        positions: Float32Array.from(f.positions),
        normals: Float32Array.from(f.normals),
        uvs: Float32Array.from(f.uvs),
        triangles: Uint32Array.from(f.triangles),
        materials: [{ texture: f.name }],
        skin: {
          layout: 'new',
          skinToBone,
          indices: Uint8Array.from(f.boneOf.flatMap((b) => [b, 0, 0, 0])),
          weights: Float32Array.from(f.boneOf.flatMap(() => [1, 0, 0, 0])),
        },
      },
    ],
    atomics: [{ frame: 0, geometry: 0 }],
  })
  const clips = ['walk', 'idle', 'fire'].map((name, m) => ({
    name,
    tracks: numbers(f.bones).map((b) => ({
      bone: `bone_${b}`,
      id: b,
      times: numbers(f.frames).map((frame) => frame / 30),
      rotations: numbers(f.frames).flatMap((frame) => f.sway(m, b, frame)),
    })),
  }))
  return [
    { name: `${f.name}.dff`, bytes: encode(dffFormat, dff) },
    {
      name: `${f.name}.txd`,
      bytes: encode(txdFormat, newTxd([{ name: f.name, width: f.size, height: f.size, rgba: f.rgba, raster: 'DXT1', mips: true }])),
    },
    { name: `${f.name}.ifp`, bytes: encode(ifpFormat, newIfp(f.name, clips)) },
  ]
}

function level5Files(f: Figure): { name: string; bytes: Uint8Array }[] {
  const local = (y: number): number[] => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, y, 0, 1]
  const corners = f.triangles.flatMap((v) => [v, v, v])
  const mdt = level5.newMdt({
    positions: f.positions,
    normals: f.normals,
    uvs: f.uvs,
    materials: [level5.newMaterial({ texture: f.name })],
    primitives: [{ type: PRIMITIVE.list, material: 0, indices: corners }],
  })
  const nodes = [
    ...numbers(f.bones).map((b) => ({ name: `bone_${b}`, parent: b - 1, matrix: local(b ? 1 : 0) })),
    { name: 'body', parent: 0, matrix: local(0), mdt },
  ]
  const tracks = numbers(f.bones).map((node) =>
    newTrack({
      node,
      type: TRACK_TYPE.rotation,
      frames: numbers(f.frames).map((frame) => frame + 1),
      values: numbers(f.frames).flatMap((frame) => {
        const [x, y, z, w] = f.sway(0, node, frame)
        return [w, -x, -y, -z]
      }),
    }),
  )
  const groups = numbers(f.bones).map((b) => {
    const vertices = f.boneOf.flatMap((bone, v) => (bone === b ? [v] : []))
    return newWeightGroup(
      f.bones,
      b,
      vertices,
      vertices.map(() => 100),
    )
  })
  const half = f.frames >> 1
  const cfg = level5.newCfg('dc2', {
    images: [`${f.name}.img`],
    model: `${f.name}.mds`,
    motions: [
      {
        number: 0,
        mot: `${f.name}.mot`,
        bbp: `${f.name}.bbp`,
        wgt: `${f.name}.wgt`,
        keys: [
          { name: '立ち', start: 1, end: half, speed: 0.5 },
          { name: '歩き', start: half + 1, end: f.frames, speed: 0.5 },
        ],
      },
    ],
  })
  return [
    { name: 'info.cfg', bytes: cfg },
    { name: `${f.name}.mds`, bytes: encode(mdsFormat, level5.newMds(nodes)) },
    { name: `${f.name}.mot`, bytes: encode(motFormat, level5.newMot(tracks)) },
    { name: `${f.name}.wgt`, bytes: encode(wgtFormat, level5.newWgt(groups)) },
    {
      name: `${f.name}.bbp`,
      bytes: encode(bbpFormat, level5.newBbp(Float32Array.from([...numbers(f.bones), 0].flatMap((y) => local(y))))),
    },
    {
      name: `${f.name}.img`,
      bytes: encode(imgFormat, level5.newImg([{ name: f.name, tim2: level5.newTim2FromRgba(f.size, f.size, f.rgba) }], 'IM3')),
    },
  ]
}

function lostSagaFiles(f: Figure): { name: string; bytes: Uint8Array }[] {
  const turn = [0, 0, 0, 1]
  const boneNames = numbers(f.bones).map((b) => `${f.name} ${b}`)
  const bones = boneNames.map((name, b) => {
    const basis = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]
    return { name, parent: b - 1, transform: [0, b ? 1 : 0, 0, ...turn, 0, -b, 0, ...turn, ...basis, 0, b, 0, 1] }
  })
  const mesh = lostsaga.newMsh({
    type: 1,
    mask: MASK.position | MASK.normal | MASK.uv0 | MASK.weights | MASK.indices,
    box: [-1, 0, -1, 1, f.bones, 1],
    submeshes: [0, f.boneOf.length, 0, f.triangles.length / 3],
    positions: Float32Array.from(f.positions),
    normals: f.normals,
    uvs: f.uvs,
    influences: f.boneOf.flatMap((b) => [1, 0, 0, 0, b, 0, 0, 0]),
    bones: boneNames,
    faces: f.triangles,
    points: [],
  })
  const motion = (m: number): Uint8Array =>
    encode(
      ani,
      lostsaga.newAni(
        4001,
        f.frames * 33,
        boneNames.map((bone, b) => ({
          bone,
          keys: numbers(f.frames).map((frame) => ({ time: frame * 33, rotation: f.sway(m, b, frame), position: [0, b ? 1 : 0, 0] })),
        })),
      ),
    )
  return [
    { name: `skeleton/${f.name}.skl`, bytes: encode(skl, lostsaga.newSkl(bones)) },
    { name: `mesh/${f.name}.msh`, bytes: encode(msh, mesh) },
    { name: `texture/${f.name}.dds`, bytes: newDds(1, f.size, f.size, f.rgba, true) },
    ...['walk', 'idle', 'fire'].map((name, m) => ({ name: `animation/${f.name}_${name}.ani`, bytes: motion(m) })),
  ]
}

/** Figures in one folder of figures, or in one archive. */
const A_FOLDER = 40

/**
 * Files on disk with `files` files in all, members of archives counted and archives themselves; the last ones are sounds that no format knows. They are
 * small, for what goes by their number, or of the sizes that games have.
 */
export function* mixedLibrary(files: number, seed = 1, sizes: 'small' | 'games' = 'small'): Generator<MixedFile> {
  const chance = chanceOf(seed)
  const detail = sizes === 'games' ? AS_GAMES : SMALL
  const name = (letters: string, n: number): string => `${letters}${String(n).padStart(5, '0')}`
  let left = files
  for (let n = 0; ; n++) {
    const place = String(Math.floor(n / A_FOLDER)).padStart(3, '0')
    const made = figuresOf(n, place, (letters) => figureOf(name(letters, n), chance, detail))
    const counts = made.reduce((sum, file) => sum + file.counts, 0)
    if (counts > left) break
    left -= counts
    yield* made
  }
  for (let i = 0; i < left; i++) {
    const bytes = Uint8Array.from({ length: 64 + i }, () => between(chance, 0, 255))
    yield { path: `Sounds/${name('s', i)}.wav`, bytes, counts: 1 }
  }
}

/** One family after the other; every second figure of those that have archives stands in one. */
function figuresOf(n: number, place: string, figure: (letters: string) => Figure): MixedFile[] {
  const loose = (folder: string, list: readonly { name: string; bytes: Uint8Array }[]): MixedFile[] =>
    list.map(({ name, bytes }) => ({ path: `${folder}/${name}`, bytes, counts: 1 }))
  const packed = n % 8 >= 4
  switch (n % 4) {
    case 0: {
      const list = w3dFiles(figure('U'))
      if (!packed) return loose(`Zero Hour/Art ${place}`, list)
      const big = makeBig(
        'BIGF',
        list.map(({ name, bytes }) => ({ name: `Art\\${name.replace('/', '\\')}`, bytes })),
      )
      return [{ path: `Zero Hour/Unit${n}.big`, bytes: big, counts: 1 + list.length }]
    }
    case 1:
      return loose(`San Andreas/models/peds ${place}`, renderwareFiles(figure('ped')))
    case 2: {
      const list = level5Files(figure('c'))
      if (!packed) return loose(`Dark Cloud 2/chara ${place}/c${n}`, list)
      const pack = newPack(list.map(({ name, bytes }) => ({ name, data: bytes })))
      return [{ path: `Dark Cloud 2/chara ${place}/c${n}.chr`, bytes: pack, counts: 1 + list.length }]
    }
    default:
      return loose(`Lost Saga/resource ${place}`, lostSagaFiles(figure('hero')))
  }
}

/** Families with archives of many models and animations of one skeleton. */
export type Crowded = 'w3d' | 'renderware'

/**
 * One archive of so many files, copies under names of their own of a figure and its animations: what a game with many copies of a unit has. A BIG of
 * W3D, three in five of them animations, or an IMG of models, dictionaries and animations in equal parts.
 */
export function oneSkeleton(members: number, family: Crowded = 'w3d', seed = 1): Uint8Array {
  const figure = figureOf('U', chanceOf(seed), SMALL)
  const list = family === 'w3d' ? w3dFiles(figure).filter(({ name }) => name.endsWith('.W3D')) : renderwareFiles(figure)
  const copies = Array.from({ length: members }, (_, i) => {
    const { name, bytes } = list[i % list.length]
    return { name: `${Math.floor(i / list.length)}_${name.slice(name.indexOf('/') + 1)}`, bytes }
  })
  if (family === 'w3d')
    return makeBig(
      'BIGF',
      copies.map(({ name, bytes }) => ({ name: `Art\\W3D\\${name}`, bytes })),
    )
  let offset = 0
  const { data } = img2.make!(
    copies.map(({ name, bytes }) => {
      offset += bytes.length
      return { name, offset: offset - bytes.length, size: bytes.length }
    }),
    'Units.img',
  )
  const bodies = Buffer.concat(copies.map(({ bytes }) => bytes))
  return materialise(data, { ref: 'members', size: bodies.length, read: (at, length) => bodies.subarray(at, at + length) })
}
