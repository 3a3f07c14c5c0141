/** A new model: frames, geometries with their materials and skins, atomics. */
import { FormatError } from '../../../binary/format-error.ts'
import { atomicStruct, rightToRender } from '../codecs/atomic.ts'
import { binMesh } from '../codecs/bin-mesh.ts'
import { ID } from '../codecs/chunk-ids.ts'
import { makeContainer, makeLeaf } from '../codecs/chunk.ts'
import { clumpStruct, geometryListStruct } from '../codecs/clump.ts'
import { FRAME_WORDS, frameColumns, frameListStruct } from '../codecs/frame-list.ts'
import { GEOMETRY, geometryStruct } from '../codecs/geometry.ts'
import { HANIM, hanim } from '../codecs/hanim.ts'
import { materialListStruct, materialStruct } from '../codecs/material.ts'
import { DEAD_WORD, neededWeights, skinPlg, weightedBones } from '../codecs/skin.ts'
import { makeSplit, noSplit } from '../codecs/skin-split.ts'
import { wordsOf } from '../codecs/words.ts'
import { nodeName, stringLeaf, textureStruct } from '../codecs/texture.ts'
import { STAMP_SA, bytesOf, padded } from './text.ts'
import { say } from '../texts/index.ts'
import type { Chunk } from '../codecs/chunk.ts'
import type { BinMesh } from '../codecs/bin-mesh.ts'
import type { DffDocument } from '../codecs/dff.ts'
import type { Skin } from '../codecs/skin.ts'

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
    if (frame === undefined) throw new FormatError('invalid-edit', say('make.noFrameOfNode', { id }))
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
