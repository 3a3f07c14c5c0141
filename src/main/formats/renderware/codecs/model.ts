/** A DFF's chunks as the things they are: clumps with frames, geometries, atomics. Views only; the chunks stay the document. */
import { nameOf } from '../../../binary/reader.ts'
import { atomicStruct } from './atomic.ts'
import { binMesh } from './bin-mesh.ts'
import { ID } from './chunk-ids.ts'
import { childOf, childrenOf, pluginOf, valueOf } from './chunk.ts'
import { clumpStruct, frameIndexStruct, lightStruct } from './clump.ts'
import { FRAME_WORDS, frameListStruct } from './frame-list.ts'
import { geometryStruct } from './geometry.ts'
import { hanim } from './hanim.ts'
import { materialListStruct, materialStruct } from './material.ts'
import { matFx } from './matfx.ts'
import { effect2d } from './plugins.ts'
import { legacyFrames } from './legacy-frames.ts'
import { legacySkin, skinPlg } from './skin.ts'
import { nodeName, stringLeaf, textureStruct } from './texture.ts'
import type { BinMesh } from './bin-mesh.ts'
import type { Chunk } from './chunk.ts'
import type { ClumpStruct, LightStruct } from './clump.ts'
import type { FrameListStruct } from './frame-list.ts'
import type { GeometryStruct } from './geometry.ts'
import type { HAnim } from './hanim.ts'
import type { MaterialStruct } from './material.ts'
import type { MatFx } from './matfx.ts'
import type { Effect2d } from './plugins.ts'
import type { Skin } from './skin.ts'
import type { NameValue } from './texture.ts'

export interface FrameView {
  index: number
  /** -1 for a root, or where the number is out of range */
  parent: number
  /** '' where the frame has no name */
  name: string
  nameChunk?: Chunk
  extension?: Chunk
  hanim?: HAnim
  hanimChunk?: Chunk
}

export interface TextureView {
  name: string
  mask: string
  filterAddressing: number
  chunk: Chunk
}

export interface MaterialView {
  chunk: Chunk
  struct?: MaterialStruct
  texture?: TextureView
  matFx?: MatFx
}

export interface GeometryView {
  chunk: Chunk
  struct?: GeometryStruct
  materials: MaterialView[]
  binMesh?: BinMesh
  skin?: Skin
  skinChunk?: Chunk
  effects?: Effect2d[]
  effectsChunk?: Chunk
  native: boolean
}

export interface AtomicView {
  chunk: Chunk
  /** -1 where the numbers are out of range or unread */
  frame: number
  geometry: number
  flags: number
  legacySkin?: Skin
  skinChunk?: Chunk
}

export interface NodeView {
  id: number
  flags: number
}

export interface ClumpView {
  chunk: Chunk
  struct?: ClumpStruct
  frameList?: FrameListStruct
  frameListChunk?: Chunk
  frames: FrameView[]
  geometries: GeometryView[]
  atomics: AtomicView[]
  lights: { frame: number; light: LightStruct; chunk: Chunk }[]
  /** nodes of the first HAnim table in their order, the order of skin matrices; of a legacy skin where there is no table */
  nodes: NodeView[]
  /** frame that has the table, -1 for none */
  tableFrame: number
  /** per node its frame, -1 where no frame has its id; of a legacy skin by `legacyFrames` */
  frameOfNode: Int32Array
}

export interface ModelView {
  clumps: ClumpView[]
}

export function readModel(document: { roots: readonly Chunk[] }): ModelView {
  return { clumps: document.roots.filter((c) => c.type === ID.clump && c.children).map(readClump) }
}

function readClump(chunk: Chunk): ClumpView {
  const children = chunk.children!
  const frameListChunk = childOf(chunk, ID.frameList)
  const frameList = valueOf(childOf(frameListChunk, ID.struct), frameListStruct)
  const extensions = childrenOf(frameListChunk, ID.extension)
  const frames: FrameView[] = []
  for (let i = 0; i < (frameList?.count ?? 0); i++) {
    const extension = extensions[i]
    const nameChunk = childOf(extension, ID.nodeName)
    const hanimChunk = childOf(extension, ID.hanim)
    const parent = frameList!.ints[FRAME_WORDS * i + 12]
    frames.push({
      index: i,
      parent: parent >= 0 && parent < frameList!.count ? parent : -1,
      name: nameText(valueOf(nameChunk, nodeName)),
      nameChunk,
      extension,
      hanim: valueOf(hanimChunk, hanim),
      hanimChunk,
    })
  }
  const geometries = childrenOf(childOf(chunk, ID.geometryList), ID.geometry).map(readGeometry)
  const atomics: AtomicView[] = []
  for (const child of children) {
    if (child.type !== ID.atomic) continue
    const struct = valueOf(childOf(child, ID.struct), atomicStruct)
    let geometry = struct?.geometryIndex ?? -1
    const inline = childOf(child, ID.geometry)
    if (inline) {
      geometry = geometries.length
      geometries.push(readGeometry(inline))
    }
    const skinChunk = pluginOf(child, ID.skin)
    const frame = struct?.frameIndex ?? -1
    atomics.push({
      chunk: child,
      frame: frame >= 0 && frame < frames.length ? frame : -1,
      geometry: geometry >= 0 && geometry < geometries.length ? geometry : -1,
      flags: struct?.flags ?? 0,
      legacySkin: valueOf(skinChunk, legacySkin),
      skinChunk,
    })
  }
  const lights: ClumpView['lights'] = []
  let frame = -1
  for (const child of children) {
    if (child.type === ID.struct) frame = valueOf(child, frameIndexStruct)?.value ?? frame
    else if (child.type === ID.light) {
      const light = valueOf(childOf(child, ID.struct), lightStruct)
      if (light) lights.push({ frame: frame >= 0 && frame < frames.length ? frame : -1, light, chunk: child })
    }
  }
  const tableFrame = frames.findIndex((f) => f.hanim?.table)
  let nodes: NodeView[] = []
  let legacy: AtomicView | undefined
  if (tableFrame >= 0) {
    const table = frames[tableFrame].hanim!.table!.nodes
    nodes = Array.from({ length: table.length / 3 }, (_, i) => ({ id: table[3 * i], flags: table[3 * i + 2] }))
  } else {
    legacy = atomics.find((a) => a.legacySkin)
    const skin = legacy?.legacySkin
    if (skin) nodes = Array.from({ length: skin.numBones }, (_, i) => ({ id: skin.bones[19 * i] | 0, flags: skin.bones[19 * i + 2] & 3 }))
  }
  const byId = new Map<number, number>()
  for (const f of frames) if (f.hanim && f.hanim.nodeId >= 0 && !byId.has(f.hanim.nodeId)) byId.set(f.hanim.nodeId, f.index)
  let frameOfNode: Int32Array = Int32Array.from(nodes, (n) => byId.get(n.id) ?? -1)
  // frames have no numbers before there are tables of bones
  if (legacy?.legacySkin && frameList && frameOfNode.every((frame) => frame < 0)) {
    const above = frames.map(({ parent }) => parent)
    frameOfNode = legacyFrames(legacy.legacySkin, above, frameList.floats, legacy.frame) ?? frameOfNode
  }
  return {
    chunk,
    struct: valueOf(childOf(chunk, ID.struct), clumpStruct),
    frameList,
    frameListChunk,
    frames,
    geometries,
    atomics,
    lights,
    nodes,
    tableFrame,
    frameOfNode,
  }
}

function readGeometry(chunk: Chunk): GeometryView {
  const struct = valueOf(childOf(chunk, ID.struct), geometryStruct)
  const list = childOf(chunk, ID.materialList)
  const indices = valueOf(childOf(list, ID.struct), materialListStruct)?.indices
  const own = childrenOf(list, ID.material).map(readMaterial)
  let materials = own
  if (indices && indices.some((i) => i >= 0)) {
    materials = []
    let next = 0
    for (const i of indices) {
      const material = i >= 0 ? materials[i] : own[next++]
      if (material) materials.push(material)
    }
  }
  const skinChunk = pluginOf(chunk, ID.skin)
  const effectsChunk = pluginOf(chunk, ID.effect2d)
  return {
    chunk,
    struct,
    materials,
    binMesh: valueOf(pluginOf(chunk, ID.binMesh), binMesh),
    skin: valueOf(skinChunk, skinPlg),
    skinChunk,
    effects: valueOf(effectsChunk, effect2d),
    effectsChunk,
    native: struct !== undefined && (struct.format & 0x01000000) !== 0,
  }
}

function readMaterial(chunk: Chunk): MaterialView {
  const texture = childOf(chunk, ID.texture)
  return {
    chunk,
    struct: valueOf(childOf(chunk, ID.struct), materialStruct),
    texture: texture && readTexture(texture),
    matFx: valueOf(pluginOf(chunk, ID.matFx), matFx),
  }
}

export function readTexture(chunk: Chunk): TextureView {
  const strings = childrenOf(chunk, ID.string).map((c) => nameText(valueOf(c, stringLeaf)))
  return {
    name: strings[0] ?? '',
    mask: strings[1] ?? '',
    filterAddressing: valueOf(childOf(chunk, ID.struct), textureStruct)?.filterAddressing ?? 0,
    chunk,
  }
}

function nameText(value: NameValue | undefined): string {
  return value ? nameOf(value.bytes) : ''
}
