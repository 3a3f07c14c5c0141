/**
 * The walker in Zero Hour's folders: skeleton, meshes with a skin and two levels of detail, and one animation in each of the game's codings. Its
 * winter cousin with rockets lies in a BIG archive.
 */
import { newDds } from '../formats/image/dds.ts'
import { newTga } from '../formats/image/tga.ts'
import { AABTREE_HEADER, AABTREE_NODES, AABTREE_POLYINDICES } from '../formats/w3d/codecs/aabtree.ts'
import { CHANNEL, makeAnimation } from '../formats/w3d/codecs/animation.ts'
import { makeBig } from '../formats/w3d/archives/big.ts'
import { ID } from '../formats/w3d/codecs/chunk-ids.ts'
import { newContainer, newLeaf, type ContainerChunk } from '../formats/w3d/codecs/chunk.ts'
import {
  FLAVOR,
  makeCompressedAnimation,
  timeCodedKeys,
  type CompressedBitChannel,
  type CompressedChannel,
} from '../formats/w3d/codecs/compressed-animation.ts'
import { encodeDeltas } from '../formats/w3d/codecs/delta-coding.ts'
import { hierarchyOf, makeHierarchy, restWorld } from '../formats/w3d/codecs/hierarchy.ts'
import { makeHlod } from '../formats/w3d/codecs/hlod.ts'
import { emptyRecords } from '../binary/layout.ts'
import { newBox, newFile, newMesh } from '../formats/w3d/make.ts'
import { ATTRIBUTE } from '../formats/w3d/codecs/mesh.ts'
import { fire, idle, walk, type Motion } from './walker-motion.ts'
import { DESERT, WINTER, armourPicture, flashPicture, glassPicture, housePicture } from './walker-paint.ts'
import { walkerParts } from './walker.ts'
import { walkerPivots } from './walker-rig.ts'
import type { Armament } from './walker-guns.ts'
import type { WalkerPart } from './walker.ts'
import type { Vec } from './vectors.ts'
import type { SampleFile } from './write-sample.ts'

interface Unit {
  name: string
  armament: Armament
  texture: string
}

/** Size on screen up to which the simple level is shown; the game's own value for "any size". */
const SIMPLE_UP_TO = 1200
const ANY_SIZE = 3.4028234663852886e38

const TEXTURES = { house: 'ZHWalker.tga', glass: 'WKGlass.tga', flash: 'WKFlash.tga' } as const

function skeleton(unit: Unit): ContainerChunk {
  return makeHierarchy(`${unit.name}_SKL`, walkerPivots().pivots)
}

/** Where a rigid part's vertices are from its pivot. */
function inPivot(part: WalkerPart, world: Float64Array): { positions: number[]; normals: number[] } {
  const { positions, normals } = part.plates
  const m = world.subarray(16 * part.pivot, 16 * part.pivot + 16)
  const turned = (v: ArrayLike<number>, o: number, from: Vec): number[] =>
    [0, 4, 8].map((c) => m[c] * (v[o] - from[0]) + m[c + 1] * (v[o + 1] - from[1]) + m[c + 2] * (v[o + 2] - from[2]))
  const out = { positions: [] as number[], normals: [] as number[] }
  for (let o = 0; o < positions.length; o += 3) {
    out.positions.push(...turned(positions, o, [m[12], m[13], m[14]]))
    out.normals.push(...turned(normals, o, [0, 0, 0]))
  }
  return out
}

function mesh(unit: Unit, part: WalkerPart, world: Float64Array): ContainerChunk {
  const { plates, picture } = part
  const { positions, normals } = part.skin ? plates : inPivot(part, world)
  const chunk = newMesh({
    meshName: part.name,
    containerName: `${unit.name}_SKN`,
    positions,
    normals,
    uvs: plates.uvs.map((x, i) => (i % 2 ? 1 - x : x)),
    triangles: plates.triangles,
    attributes: (part.twoSided ? ATTRIBUTE.TWO_SIDED : 0) | (picture === 'flash' || picture === 'glass' ? 0 : ATTRIBUTE.CAST_SHADOW),
    sortLevel: picture === 'flash' ? 20 : picture === 'glass' ? 10 : 0,
    texture: picture === 'armour' ? unit.texture : TEXTURES[picture],
    blend: picture === 'glass' ? 'alpha' : picture === 'flash' ? 'additive' : 'opaque',
    ...(part.skin ? { skin: { world, bones: plates.bones } } : {}),
  })
  if (part.name === 'TURRET') chunk.children.push(collisionTree(positions, plates.triangles))
  return chunk
}

/** A tree of boxes over triangles, each cut in two along its longest side until few are left. */
function collisionTree(positions: ArrayLike<number>, triangles: ArrayLike<number>): ContainerChunk {
  const corner = (t: number, k: number, c: number): number => positions[3 * triangles[3 * t + k] + c]
  const nodes: { min: number[]; max: number[]; a: number; b: number }[] = []
  const polys: number[] = []
  const grow = (list: number[]): number => {
    const min = [0, 1, 2].map((c) => Math.min(...list.flatMap((t) => [0, 1, 2].map((k) => corner(t, k, c)))))
    const max = [0, 1, 2].map((c) => Math.max(...list.flatMap((t) => [0, 1, 2].map((k) => corner(t, k, c)))))
    const node = { min, max, a: 0, b: 0 }
    const index = nodes.push(node) - 1
    if (list.length <= 8) {
      node.a = (0x80000000 | polys.length) >>> 0
      node.b = list.length
      polys.push(...list)
      return index
    }
    const size = max.map((x, c) => x - min[c])
    const axis = size.indexOf(Math.max(...size))
    const middle = (t: number): number => corner(t, 0, axis) + corner(t, 1, axis) + corner(t, 2, axis)
    const sorted = [...list].sort((x, y) => middle(x) - middle(y) || x - y)
    node.a = grow(sorted.slice(0, sorted.length >> 1))
    node.b = grow(sorted.slice(sorted.length >> 1))
    return index
  }
  grow(Array.from({ length: triangles.length / 3 }, (_, t) => t))
  const table = emptyRecords(AABTREE_NODES.stride, nodes.length)
  nodes.forEach((node, i) => {
    table.f32.set([...node.min, ...node.max], 8 * i)
    table.u32.set([node.a, node.b], 8 * i + 6)
  })
  return newContainer(ID.AABTREE, [
    newLeaf(AABTREE_HEADER, { nodeCount: nodes.length, polyCount: polys.length, padding: new Uint32Array(6) }),
    newLeaf(AABTREE_POLYINDICES, Uint32Array.from(polys)),
    newLeaf(AABTREE_NODES, table),
  ])
}

function model(unit: Unit): Uint8Array {
  const container = `${unit.name}_SKN`
  const parts = walkerParts(unit.armament)
  const world = restWorld(hierarchyOf(skeleton(unit)))
  const box = `${container}.BOUNDINGBOX`
  const level = (l: 0 | 1): { bone: number; name: string }[] => [
    ...parts.filter((part) => part.levels.includes(l)).map((part) => ({ bone: part.pivot, name: `${container}.${part.name}` })),
    { bone: 0, name: box },
  ]
  return newFile([
    ...parts.map((part) => mesh(unit, part, world)),
    newBox(box, [0, 0, 12.5], [9.6, 10.6, 12.5], [255, 160, 40]),
    makeHlod(container, `${unit.name}_SKL`, [
      { maxScreenSize: SIMPLE_UP_TO, objects: level(0) },
      { maxScreenSize: ANY_SIZE, objects: level(1) },
    ]),
  ])
}

/** Axes that move at all, one channel each. */
function* axes(motion: Motion): Generator<{ pivot: number; type: number; values: Float32Array }> {
  for (const [pivot, values] of motion.moves) {
    for (let axis = 0; axis < 3; axis++) {
      const one = Float32Array.from({ length: motion.frames }, (_, f) => values[3 * f + axis])
      if (one.some((x) => Math.abs(x) > 1e-5)) yield { pivot, type: CHANNEL.X + axis, values: one }
    }
  }
}

/** A value for each frame. */
function raw(unit: Unit, name: string, motion: Motion): ContainerChunk {
  return makeAnimation(
    name,
    `${unit.name}_SKL`,
    motion.frames,
    motion.rate,
    [...axes(motion), ...[...motion.rotations].map(([pivot, values]) => ({ pivot, type: CHANNEL.Q, values }))],
    [...motion.shown].map(([pivot, visible]) => ({ pivot, visible })),
  )
}

function bits(motion: Motion): CompressedBitChannel[] {
  return [...motion.shown].map(([pivot, visible]) => ({
    pivot,
    flags: 0,
    defaultValue: 0,
    entries: Uint32Array.from(visible.flatMap((on, f) => (f === 0 || on !== visible[f - 1] ? [(f | (on ? 0x80000000 : 0)) >>> 0] : []))),
  }))
}

/** Keys only where the motion would be off by more than `tolerance` without them; the first and the last frame have one. */
function chosen(values: Float32Array, width: number, frames: number, tolerance: number): number[] {
  const out = [0]
  const fits = (a: number, b: number): boolean => {
    for (let f = a + 1; f < b; f++) {
      for (let c = 0; c < width; c++) {
        const k = (f - a) / (b - a)
        if (Math.abs(values[a * width + c] * (1 - k) + values[b * width + c] * k - values[f * width + c]) > tolerance) return false
      }
    }
    return true
  }
  for (let a = 0; a < frames - 1;) {
    let b = a + 1
    while (b + 1 < frames && fits(a, b + 1)) b++
    out.push(b)
    a = b
  }
  return out
}

function timeCoded(unit: Unit, name: string, motion: Motion): ContainerChunk {
  const channel = (pivot: number, type: number, values: Float32Array, vectorLen: number, tolerance: number): CompressedChannel => {
    const times = chosen(values, vectorLen, motion.frames, tolerance)
    const kept = Float32Array.from(times.flatMap((f) => [...values.subarray(f * vectorLen, (f + 1) * vectorLen)]))
    return { coding: 'time-coded', pivot, vectorLen, type, keys: timeCodedKeys(times, kept, vectorLen) }
  }
  return makeCompressedAnimation(name, `${unit.name}_SKL`, motion.frames, motion.rate, FLAVOR.TIME_CODED, [
    ...[...axes(motion)].map(({ pivot, type, values }) => channel(pivot, type, values, 1, 0.01)),
    ...[...motion.rotations].map(([pivot, values]) => channel(pivot, CHANNEL.Q, values, 4, 0.0008)),
    ...bits(motion),
  ])
}

function adaptive(unit: Unit, name: string, motion: Motion): ContainerChunk {
  const channel = (pivot: number, type: number, values: Float32Array, vectorLen: number): CompressedChannel => ({
    coding: 'adaptive',
    numFrames: motion.frames,
    pivot,
    vectorLen,
    type,
    deltas: encodeDeltas(values, motion.frames, vectorLen, 4).stream,
  })
  return makeCompressedAnimation(name, `${unit.name}_SKL`, motion.frames, motion.rate, FLAVOR.ADAPTIVE_DELTA, [
    ...[...axes(motion)].map(({ pivot, type, values }) => channel(pivot, type, values, 1)),
    ...[...motion.rotations].map(([pivot, values]) => channel(pivot, CHANNEL.Q, values, 4)),
    ...bits(motion),
  ])
}

export function w3dSample(): SampleFile[] {
  const walker: Unit = { name: 'WALKER', armament: 'cannons', texture: 'WKWalker.tga' }
  const scout: Unit = { name: 'SCOUT', armament: 'rockets', texture: 'WKScout.tga' }
  const motions = { walk: walk(), idle: idle(), fire: fire() }
  const w3d = (unit: Unit): { name: string; bytes: Uint8Array }[] => [
    { name: `${unit.name}_SKN.W3D`, bytes: model(unit) },
    { name: `${unit.name}_SKL.W3D`, bytes: newFile([skeleton(unit)]) },
    { name: `${unit.name}_WKA.W3D`, bytes: newFile([raw(unit, `${unit.name}_WKA`, motions.walk)]) },
    { name: `${unit.name}_IDA.W3D`, bytes: newFile([timeCoded(unit, `${unit.name}_IDA`, motions.idle)]) },
    { name: `${unit.name}_FRA.W3D`, bytes: newFile([adaptive(unit, `${unit.name}_FRA`, motions.fire)]) },
  ]
  const picture = (
    name: string,
    { width, height, rgba }: { width: number; height: number; rgba: Uint8Array },
  ): { name: string; bytes: Uint8Array } => ({
    name,
    bytes: name.endsWith('.dds') ? newDds(1, width, height, rgba, true) : newTga(width, height, rgba),
  })
  const root = 'Zero Hour'
  return [
    ...w3d(walker).map(({ name, bytes }) => ({ path: `${root}/Art/W3D/${name}`, bytes })),
    // a name that ends with .tga finds the .dds: the game looks for that first
    ...[
      picture('WKWalker.tga', armourPicture(DESERT)),
      picture('ZHWalker.dds', housePicture()),
      picture(TEXTURES.glass, glassPicture()),
      picture('WKFlash.dds', flashPicture()),
    ].map(({ name, bytes }) => ({ path: `${root}/Art/Textures/${name}`, bytes })),
    {
      path: `${root}/WalkerParts.big`,
      bytes: makeBig('BIGF', [
        ...w3d(scout).map(({ name, bytes }) => ({ name: `Art\\W3D\\${name}`, bytes })),
        { name: 'Art\\Textures\\WKScout.dds', bytes: picture('WKScout.dds', armourPicture(WINTER)).bytes },
      ]),
    },
  ]
}
