/** New files from plain data: models, texture dictionaries, animation packages. The sample library and the tests are made with these. */
import { FormatError } from '../../binary/format-error.ts'
import { atomicStruct, rightToRender } from './codecs/atomic.ts'
import { binMesh } from './codecs/bin-mesh.ts'
import { ID, makeStamp } from './codecs/chunk-ids.ts'
import { makeContainer, makeLeaf } from './codecs/chunk.ts'
import { clumpStruct, geometryListStruct } from './codecs/clump.ts'
import { FRAME_WORDS, frameColumns, frameListStruct } from './codecs/frame-list.ts'
import { GEOMETRY, geometryStruct } from './codecs/geometry.ts'
import { HANIM, hanim } from './codecs/hanim.ts'
import { materialListStruct, materialStruct } from './codecs/material.ts'
import { DEAD_WORD, neededWeights, skinPlg, weightedBones } from './codecs/skin.ts'
import { makeSplit, noSplit } from './codecs/skin-split.ts'
import { nativeTextureStruct, paletteSize, texDictionaryStruct, PLATFORM, RASTER } from './codecs/texture-native.ts'
import { wordsOf } from './codecs/words.ts'
import { nodeName, stringLeaf, textureStruct } from './codecs/texture.ts'
import { replacePixels, levelSize } from './codecs/raster.ts'
import { withColumns } from './codecs/ifp.ts'
import type { Chunk } from './codecs/chunk.ts'
import type { BinMesh } from './codecs/bin-mesh.ts'
import type { DffDocument } from './codecs/dff.ts'
import type { IfpBone, IfpDocument } from './codecs/ifp.ts'
import type { Skin } from './codecs/skin.ts'
import type { TxdDocument } from './codecs/txd.ts'
import type { TextureNative } from './codecs/texture-native.ts'

/** 3.6.0.3, the stamp of San Andreas. */
const STAMP_SA = makeStamp(0x36003)

export interface NewFrame {
  name: string
  /** index of an earlier frame, -1 for the root */
  parent: number
  /** right, up, at, position: 12 floats, row vectors, parent's space */
  matrix: ArrayLike<number>
  /** HAnim node id; absent for a frame that is no bone */
  nodeId?: number
}

export interface NewMaterial {
  color?: readonly [number, number, number, number]
  texture?: string
  mask?: string
}

export interface NewSkin {
  layout: 'new' | 'old'
  /** 16 per bone, row vectors: model space at bind to bone space */
  skinToBone: Float32Array
  /** 4 per vertex */
  indices: Uint8Array
  weights: Float32Array
  /** palette limit; makes split data */
  boneLimit?: number
}

export interface NewGeometry {
  /** 3 per vertex */
  positions: Float32Array
  normals?: Float32Array
  /** 2 per vertex */
  uvs?: Float32Array
  /** RGBA per vertex */
  prelit?: Uint8Array
  /** 3 per triangle, counter-clockwise front */
  triangles: Uint32Array
  /** per triangle; all 0 when absent */
  materialOf?: Uint16Array
  materials: readonly NewMaterial[]
  skin?: NewSkin
}

export interface NewModel {
  frames: readonly NewFrame[]
  /** node ids in the order of skin matrices; the table stands on the frame of the first */
  nodes?: readonly number[]
  geometries: readonly NewGeometry[]
  /** frame and geometry of each atomic */
  atomics: readonly { frame: number; geometry: number }[]
  stamp?: number
}

function bytesOf(text: string): Uint8Array {
  const out = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) out[i] = text.charCodeAt(i)
  return out
}

/** Text, a NUL and zeros to a multiple of four, as texture names are stored. */
function padded(text: string): Uint8Array {
  const out = new Uint8Array((text.length + 4) & ~3)
  out.set(bytesOf(text))
  return out
}

function fixed(text: string, size: number): Uint8Array {
  if (text.length >= size) throw new FormatError('invalid-edit', `"${text}" is longer than ${size - 1} characters`)
  const out = new Uint8Array(size)
  out.set(bytesOf(text))
  return out
}

export function newDff(model: NewModel, ref = 'new.dff'): DffDocument {
  const stamp = model.stamp ?? STAMP_SA
  const floats = new Float32Array(FRAME_WORDS * model.frames.length)
  const frameList = frameColumns(floats)
  model.frames.forEach((frame, i) => {
    for (let k = 0; k < 12; k++) floats[FRAME_WORDS * i + k] = frame.matrix[k]
    frameList.ints[FRAME_WORDS * i + 12] = frame.parent
    frameList.ints[FRAME_WORDS * i + 13] = frame.parent < 0 ? 0x20003 : 3
  })
  const tableFrame = model.nodes?.length ? model.frames.findIndex((f) => f.nodeId === model.nodes![0]) : -1
  const extensions = model.frames.map((frame, i) => {
    const plugins: Chunk[] = []
    if (frame.nodeId !== undefined) {
      const table = i === tableFrame ? { flags: 0, maxKeyFrameSize: 36, nodes: nodeTable(model) } : undefined
      plugins.push(
        makeLeaf(ID.hanim, stamp, hanim, { version: 0x100, nodeId: frame.nodeId, numNodes: table ? model.nodes!.length : 0, table }),
      )
    }
    plugins.push(makeLeaf(ID.nodeName, stamp, nodeName, { bytes: bytesOf(frame.name) }))
    return makeContainer(ID.extension, stamp, plugins)
  })
  const atomics = model.atomics.map(({ frame, geometry }) => {
    const plugins = model.geometries[geometry].skin ? [makeLeaf(ID.rightToRender, stamp, rightToRender, { plugin: ID.skin, data: 1 })] : []
    return makeContainer(ID.atomic, stamp, [
      makeLeaf(ID.struct, stamp, atomicStruct, { frameIndex: frame, geometryIndex: geometry, flags: 5, unused: 0 }),
      makeContainer(ID.extension, stamp, plugins),
    ])
  })
  const clump = makeContainer(ID.clump, stamp, [
    makeLeaf(ID.struct, stamp, clumpStruct, { numAtomics: atomics.length, lights: { numLights: 0, numCameras: 0 } }),
    makeContainer(ID.frameList, stamp, [makeLeaf(ID.struct, stamp, frameListStruct, frameList), ...extensions]),
    makeContainer(ID.geometryList, stamp, [
      makeLeaf(ID.struct, stamp, geometryListStruct, { value: model.geometries.length }),
      ...model.geometries.map((g) => newGeometry(g, stamp)),
    ]),
    ...atomics,
    makeContainer(ID.extension, stamp, []),
  ])
  return { format: 'renderware.dff', ref, diagnostics: [], roots: [clump], trailing: new Uint8Array(0) }
}

/** Node table with the push and pop flags of the frame tree. Nodes must be given parents first, each branch whole. */
function nodeTable(model: NewModel): Int32Array {
  const ids = model.nodes!
  const frameOf = new Map<number, number>()
  model.frames.forEach((f, i) => f.nodeId !== undefined && frameOf.set(f.nodeId, i))
  const order = ids.map((id) => {
    const frame = frameOf.get(id)
    if (frame === undefined) throw new FormatError('invalid-edit', `no frame has node id ${id}`)
    return frame
  })
  const isNode = new Set(order)
  const parentOf = (frame: number): number => {
    let p = model.frames[frame].parent
    while (p >= 0 && !isNode.has(p)) p = model.frames[p].parent
    return p
  }
  const nodes = new Int32Array(3 * ids.length)
  order.forEach((frame, i) => {
    const hasChild = order.some((f) => f !== frame && parentOf(f) === frame)
    const hasNextSibling = i > 0 && order.some((f, k) => k > i && parentOf(f) === parentOf(frame))
    nodes[3 * i] = ids[i]
    nodes[3 * i + 1] = i
    nodes[3 * i + 2] = (hasChild ? 0 : HANIM.pop) | (hasNextSibling ? HANIM.push : 0)
  })
  return nodes
}

function newGeometry(g: NewGeometry, stamp: number): Chunk {
  const nv = g.positions.length / 3
  const nt = g.triangles.length / 3
  const triangles = new Uint16Array(4 * nt)
  for (let t = 0; t < nt; t++) {
    triangles[4 * t] = g.triangles[3 * t + 1]
    triangles[4 * t + 1] = g.triangles[3 * t]
    triangles[4 * t + 2] = g.materialOf?.[t] ?? 0
    triangles[4 * t + 3] = g.triangles[3 * t + 2]
  }
  const bins: BinMesh = { flags: 0, numMeshes: 0, totalIndices: g.triangles.length, meshes: [] }
  for (let m = 0; m < g.materials.length; m++) {
    const list: number[] = []
    for (let t = 0; t < nt; t++)
      if ((g.materialOf?.[t] ?? 0) === m) list.push(g.triangles[3 * t], g.triangles[3 * t + 1], g.triangles[3 * t + 2])
    if (list.length) bins.meshes.push({ numIndices: list.length, material: m, indices: Uint32Array.from(list) })
  }
  bins.numMeshes = bins.meshes.length
  const sets = g.uvs ? 1 : 0
  const format =
    GEOMETRY.positions |
    (g.uvs ? GEOMETRY.textured : 0) |
    (g.prelit ? GEOMETRY.prelit : 0) |
    (g.normals ? GEOMETRY.normals : 0) |
    GEOMETRY.light |
    GEOMETRY.modulate |
    (sets << 16)
  const plugins = [makeLeaf(ID.binMesh, stamp, binMesh, bins)]
  if (g.skin) plugins.push(makeLeaf(ID.skin, stamp, skinPlg, newSkin(g.skin, nv, bins)))
  return makeContainer(ID.geometry, stamp, [
    makeLeaf(ID.struct, stamp, geometryStruct, {
      format,
      numTriangles: nt,
      numVertices: nv,
      numMorphTargets: 1,
      prelit: g.prelit ?? new Uint8Array(0),
      uvs: g.uvs ? [g.uvs] : [],
      triangles,
      morphs: [
        {
          sphere: boundingSphere(g.positions),
          hasVertices: 1,
          hasNormals: g.normals ? 1 : 0,
          vertices: g.positions,
          normals: g.normals ?? new Float32Array(0),
        },
      ],
    }),
    makeContainer(ID.materialList, stamp, [
      makeLeaf(ID.struct, stamp, materialListStruct, {
        numMaterials: g.materials.length,
        indices: new Int32Array(g.materials.length).fill(-1),
      }),
      ...g.materials.map((m) => newMaterial(m, stamp)),
    ]),
    makeContainer(ID.extension, stamp, plugins),
  ])
}

function boundingSphere(positions: Float32Array): Float32Array {
  const low = [Infinity, Infinity, Infinity]
  const high = [-Infinity, -Infinity, -Infinity]
  for (let i = 0; i < positions.length; i++) {
    low[i % 3] = Math.min(low[i % 3], positions[i])
    high[i % 3] = Math.max(high[i % 3], positions[i])
  }
  if (!positions.length) return new Float32Array(4)
  const center = low.map((l, c) => (l + high[c]) / 2)
  let radius = 0
  for (let i = 0; i < positions.length; i += 3)
    radius = Math.max(radius, Math.hypot(positions[i] - center[0], positions[i + 1] - center[1], positions[i + 2] - center[2]))
  return Float32Array.of(...center, radius)
}

function newMaterial(m: NewMaterial, stamp: number): Chunk {
  const texture = m.texture
    ? [
        makeContainer(ID.texture, stamp, [
          makeLeaf(ID.struct, stamp, textureStruct, { filterAddressing: 0x11106 }),
          makeLeaf(ID.string, stamp, stringLeaf, { bytes: padded(m.texture) }),
          makeLeaf(ID.string, stamp, stringLeaf, { bytes: padded(m.mask ?? '') }),
          makeContainer(ID.extension, stamp, []),
        ]),
      ]
    : []
  return makeContainer(ID.material, stamp, [
    makeLeaf(ID.struct, stamp, materialStruct, {
      flags: 0,
      color: Uint8Array.from(m.color ?? [255, 255, 255, 255]),
      unused: 0,
      isTextured: m.texture ? 1 : 0,
      surface: wordsOf(1, 1, 1),
    }),
    ...texture,
    makeContainer(ID.extension, stamp, []),
  ])
}

function newSkin(s: NewSkin, numVertices: number, bins: BinMesh): Skin {
  const numBones = s.skinToBone.length / 16
  const stride = s.layout === 'old' ? 17 : 16
  const bones = new Uint32Array(stride * numBones)
  const floats = new Float32Array(bones.buffer)
  for (let b = 0; b < numBones; b++) {
    if (s.layout === 'old') bones[stride * b] = DEAD_WORD
    floats.set(s.skinToBone.subarray(16 * b, 16 * b + 16), stride * b + stride - 16)
  }
  const skin: Skin = {
    layout: s.layout,
    numBones,
    numUsed: 0,
    maxWeights: 0,
    pad: 0,
    used: new Uint8Array(0),
    numVertices,
    indices: s.indices,
    weights: s.weights,
    bones,
    split: null,
  }
  if (s.layout === 'old') return skin
  skin.used = weightedBones(skin)
  skin.numUsed = skin.used.length
  skin.maxWeights = neededWeights(skin)
  skin.split = s.boneLimit ? makeSplit(skin, bins, s.boneLimit) : noSplit()
  return skin
}

// --- textures ------------------------------------------------------------------------------------------------------

export type NewRaster = '8888' | '888' | '565' | '1555' | '4444' | 'LUM8' | 'PAL8' | 'PAL4' | 'DXT1' | 'DXT3' | 'DXT5'

export interface NewTexture {
  name: string
  mask?: string
  width: number
  height: number
  /** rows from the top */
  rgba: Uint8Array
  raster: NewRaster
  mips?: boolean
  platform?: 8 | 9
}

const RASTERS: Readonly<Record<NewRaster, { format: number; depth: number; d3d: number; dxt?: number; alpha: boolean }>> = {
  '8888': { format: RASTER.c8888, depth: 32, d3d: 21, alpha: true },
  '888': { format: RASTER.c888, depth: 32, d3d: 22, alpha: false },
  '565': { format: RASTER.c565, depth: 16, d3d: 23, alpha: false },
  '1555': { format: RASTER.c1555, depth: 16, d3d: 25, alpha: true },
  '4444': { format: RASTER.c4444, depth: 16, d3d: 26, alpha: true },
  LUM8: { format: RASTER.lum8, depth: 8, d3d: 50, alpha: false },
  PAL8: { format: RASTER.c8888 | RASTER.pal8, depth: 8, d3d: 41, alpha: true },
  PAL4: { format: RASTER.c8888 | RASTER.pal4, depth: 8, d3d: 41, alpha: true },
  DXT1: { format: RASTER.c565, depth: 16, d3d: 0x31545844, dxt: 1, alpha: false },
  DXT3: { format: RASTER.c4444, depth: 16, d3d: 0x33545844, dxt: 3, alpha: true },
  DXT5: { format: RASTER.c4444, depth: 16, d3d: 0x35545844, dxt: 5, alpha: true },
}

export function newTexture(t: NewTexture): TextureNative {
  const raster = RASTERS[t.raster]
  const d3d9 = (t.platform ?? 9) === 9
  const levels = t.mips ? Math.floor(Math.log2(Math.max(t.width, t.height))) + 1 : 1
  const texture: TextureNative = {
    platform: d3d9 ? PLATFORM.d3d9 : PLATFORM.d3d8,
    filterAddressing: t.mips ? 0x1106 : 0x1102,
    name: fixed(t.name, 32),
    mask: fixed(t.mask ?? '', 32),
    rasterFormat: raster.format | (t.mips ? RASTER.mips : 0),
    alphaOrFormat: d3d9 ? raster.d3d : raster.alpha ? 1 : 0,
    width: t.width,
    height: t.height,
    depth: raster.depth,
    numLevels: levels,
    rasterType: 4,
    flags: d3d9 ? (raster.alpha ? 1 : 0) | (raster.dxt ? 8 : 0) : (raster.dxt ?? 0),
    totalSize: 0,
    palette: new Uint8Array(paletteSize(raster.format, raster.depth)),
    levels: [],
  }
  for (let i = 0; i < levels; i++) texture.levels.push({ data: new Uint8Array(levelSize(texture, i)) })
  replacePixels(texture, t.width, t.height, t.rgba)
  return texture
}

export function newTxd(textures: readonly NewTexture[], ref = 'new.txd', stamp = STAMP_SA): TxdDocument {
  const d3d9 = (textures[0]?.platform ?? 9) === 9
  const root = makeContainer(ID.texDictionary, stamp, [
    makeLeaf(ID.struct, stamp, texDictionaryStruct, { count: textures.length, device: d3d9 ? 2 : 1 }),
    ...textures.map((t) =>
      makeContainer(ID.textureNative, stamp, [
        makeLeaf(ID.struct, stamp, nativeTextureStruct, newTexture(t)),
        makeContainer(ID.extension, stamp, []),
      ]),
    ),
    makeContainer(ID.extension, stamp, []),
  ])
  return { format: 'renderware.txd', ref, diagnostics: [], roots: [root], trailing: new Uint8Array(0) }
}

// --- animations ----------------------------------------------------------------------------------------------------

export interface NewTrack {
  bone: string
  /** -1: matched by name */
  id: number
  /** seconds, ascending */
  times: ArrayLike<number>
  /** x,y,z,w per key, rotation of the frame as row vectors have it (ANP3's sense; ANPK stores the conjugate) */
  rotations: ArrayLike<number>
  /** 3 per key; the frame keeps its position without them */
  translations?: ArrayLike<number>
}

export function newIfp(
  name: string,
  clips: readonly { name: string; tracks: readonly NewTrack[] }[],
  kind: 'ANP3' | 'ANPK' = 'ANP3',
  ref = 'new.ifp',
): IfpDocument {
  const empty = new Uint8Array(0)
  const document: IfpDocument = {
    format: 'renderware.ifp',
    ref,
    diagnostics: [],
    kind,
    size: 0,
    name: kind === 'ANP3' ? fixed(name, 24) : padded(name),
    numAnimations: clips.length,
    animations: [],
    infoSize: 4 + name.length + 1,
    infoPad: empty,
    slack: empty,
    trailing: empty,
    sizeOff: 0,
  }
  if (kind === 'ANPK') {
    document.name = fixed(name, name.length + 1)
    document.infoPad = new Uint8Array((4 - (document.infoSize & 3)) & 3)
  }
  for (const clip of clips) {
    const bones = clip.tracks.map((track) => (kind === 'ANP3' ? anp3Bone(track) : anpkBone(track)))
    const animation: IfpDocument['animations'][number] = {
      name: kind === 'ANP3' ? fixed(clip.name, 24) : fixed(clip.name, clip.name.length + 1),
      keyBytes: kind === 'ANP3' ? bones.reduce((sum, b) => sum + b.keys.length, 0) : 0,
      flags: kind === 'ANP3' ? 1 : 0,
      numBones: bones.length,
      bones,
      start: 0,
      end: 0,
    }
    if (kind === 'ANPK') {
      const size = animation.name.length
      animation.anpk = {
        nameSize: size,
        namePad: new Uint8Array((4 - (size & 3)) & 3),
        dganSize: 16 + bones.reduce((sum, b) => sum + 8 + b.anpk!.cpanSize, 0),
        infoSize: 8,
        infoWord: new Uint8Array(4),
        rest: empty,
      }
    }
    document.animations.push(animation)
  }
  return document
}

function anp3Bone(track: NewTrack): IfpBone {
  const n = track.times.length
  const width = track.translations ? 8 : 5
  const shorts = new Int16Array(width * n)
  for (let k = 0; k < n; k++) {
    for (let c = 0; c < 4; c++) shorts[width * k + c] = Math.round(track.rotations[4 * k + c] * 4096)
    shorts[width * k + 4] = Math.round(track.times[k] * 60)
    if (track.translations) for (let c = 0; c < 3; c++) shorts[width * k + 5 + c] = Math.round(track.translations[3 * k + c] * 1024)
  }
  return withColumns(
    {
      name: fixed(track.bone, 24),
      type: track.translations ? 4 : 3,
      numKeys: n,
      boneId: track.id,
      keys: new Uint8Array(shorts.buffer),
      shorts: null,
      floats: null,
    },
    true,
  )
}

function anpkBone(track: NewTrack): IfpBone {
  const n = track.times.length
  const width = track.translations ? 8 : 5
  const floats = new Float32Array(width * n)
  for (let k = 0; k < n; k++) {
    for (let c = 0; c < 4; c++) floats[width * k + c] = c < 3 ? -track.rotations[4 * k + c] : track.rotations[4 * k + c]
    if (track.translations) for (let c = 0; c < 3; c++) floats[width * k + 4 + c] = track.translations[3 * k + c]
    floats[width * k + width - 1] = track.times[k]
  }
  const empty = new Uint8Array(0)
  const keyBytes = 4 * floats.length
  return withColumns(
    {
      name: fixed(track.bone, 28),
      type: 0,
      numKeys: n,
      boneId: track.id,
      keys: new Uint8Array(floats.buffer),
      shorts: null,
      floats: null,
      anpk: {
        cpanSize: 52 + (n ? 8 + keyBytes : 0),
        animSize: 44,
        word1: 0,
        word2: (n - 1) >>> 0,
        links: Int32Array.of(track.id),
        animRest: empty,
        keyTag: n ? (track.translations ? 'KRT0' : 'KR00') : '',
        keySize: keyBytes,
        keyRest: empty,
        rest: empty,
      },
    },
    false,
  )
}
