/**
 * A .w3d file (.wlt, .wht, .wha, .wtm are the same): chunks side by side, in any order. Models, skeletons and animations are all of this
 * format; what a file is shows from what it holds.
 */
import { FormatError } from '../../../binary/format-error.ts'
import { Reader } from '../../../binary/reader.ts'
import { extensionOf } from '../../../../shared/ref.ts'
import { Diagnostics } from '../../format.ts'
import { field, hex, node } from '../../../binary/structure.ts'
import { aabTreeCodecs } from './aabtree.ts'
import { aggregateCodecs, aggregatesOf } from './aggregate.ts'
import { ANIMATION_CHANNEL, ANIMATION_HEADER, BIT_CHANNEL, animationCodecs, animationsOf, bitFrames } from './animation.ts'
import { boxCodecs, boxesOf } from './box.ts'
import { ID, TOP_LEVEL, chunkInfo } from './chunk-ids.ts'
import { HEAD, SIZE_MASK, describeChunks, leavesOf, readChunks, writeChunks } from './chunk.ts'
import { collectionCodecs, collectionsOf } from './collection.ts'
import {
  COMPRESSED_ANIMATION_CHANNEL,
  COMPRESSED_ANIMATION_HEADER,
  COMPRESSED_BIT_CHANNEL,
  COMPRESSED_MOTION_CHANNEL,
  TIME_SCALARS,
  compressedAnimationCodecs,
} from './compressed-animation.ts'
import { emitterCodecs, emittersOf } from './emitter.ts'
import { hierarchiesOf, hierarchyCodecs, pivotName } from './hierarchy.ts'
import { hlodCodecs, hlodsOf } from './hlod.ts'
import { hmodelCodecs, hmodelsOf } from './hmodel.ts'
import { lightCodecs, lightsOf } from './light.ts'
import { lodModelCodecs, lodModelsOf } from './lod-model.ts'
import { materialCodecs, textureNamesIn } from './material.ts'
import { meshCodecs, meshesOf, vertexInfluence } from './mesh.ts'
import { morphAnimationCodecs } from './morph-animation.ts'
import { obsoleteCodecs } from './obsolete.ts'
import { pointObjectsOf } from './points.ts'
import { primitiveCodecs, primitivesOf } from './primitive.ts'
import { shaderMeshCodecs, shaderMeshNames } from './shader-mesh.ts'
import { soundObjectCodecs } from './sound-object.ts'
import { say } from '../texts/index.ts'
import type { Document, FileFormat, FileSummary, SkinSummary } from '../../format.ts'
import type { CountText } from '../texts/codecs.ts'
import type { Chunk, ContainerChunk, LeafCodec } from './chunk.ts'
import type { Hierarchy } from './hierarchy.ts'
import type { MeshView } from './mesh.ts'

export interface W3dDocument extends Document {
  readonly format: 'w3d.file'
  /** top-level chunks in file order */
  chunks: Chunk[]
  /** bytes behind the last whole chunk */
  trailing: Uint8Array
}

/** Layout of every chunk whose fields are known. */
const codecs: ReadonlyMap<number, LeafCodec> = new Map(
  [
    meshCodecs,
    materialCodecs,
    aabTreeCodecs,
    hierarchyCodecs,
    hlodCodecs,
    hmodelCodecs,
    lodModelCodecs,
    aggregateCodecs,
    collectionCodecs,
    boxCodecs,
    primitiveCodecs,
    lightCodecs,
    emitterCodecs,
    soundObjectCodecs,
    shaderMeshCodecs,
    animationCodecs,
    compressedAnimationCodecs,
    morphAnimationCodecs,
    obsoleteCodecs,
  ]
    .flat()
    .map((codec) => [codec.id, codec]),
)

const EXTENSIONS = ['w3d', 'wlt', 'wht', 'wha', 'wtm']

export const w3dFile: FileFormat<W3dDocument> = {
  id: 'w3d.file',
  label: 'W3D',
  family: 'w3d',
  kind: 'model',
  extensions: EXTENSIONS,
  comesAndGoes: 'animation',

  /**
   * No magic: the ids at the top are few, their first child is known, and sizes must lead from chunk to chunk. A file with the usual
   * extension may begin with a chunk that nobody knows, or be cut short.
   */
  identify(head, name, size) {
    if (head.length < HEAD.size || size < HEAD.size) return 0
    const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
    const named = EXTENSIONS.includes(extensionOf(name))
    let known = 0
    let proven = 0
    let at = 0
    let chunks = 0
    while (at + HEAD.size <= head.length && at + HEAD.size <= size) {
      const id = view.getUint32(at + HEAD.at.id, true)
      const length = view.getUint32(at + HEAD.at.size, true) & SIZE_MASK
      const body = at + HEAD.size
      if (body + length > size) {
        // cut short: still a W3D file when its first chunk is beyond doubt
        if (chunks === 0 && named && TOP_LEVEL.has(id) && body + 4 <= head.length && view.getUint32(body, true) === TOP_LEVEL.get(id))
          return 0.6
        break
      }
      const first = TOP_LEVEL.get(id)
      if (first !== undefined) {
        known++
        if (
          first > 0 &&
          length >= HEAD.size &&
          body + HEAD.size <= head.length &&
          view.getUint32(body + HEAD.at.id, true) === first &&
          (view.getUint32(body + HEAD.at.size, true) & SIZE_MASK) <= length - HEAD.size
        )
          proven++
        else if ((id === ID.BOX && length === 68) || (id === ID.NULL_OBJECT && length === 48)) proven++
      } else if (!named) return 0
      chunks++
      at = body + length
    }
    const whole = at === size
    if (proven > 0) return whole || at + 8 > head.length ? 0.95 : 0.8
    if (named && (known > 0 || chunks > 0) && (whole || at + 8 > head.length)) return 0.6
    return 0
  },

  decode(bytes, ref, memory) {
    const diagnostics = new Diagnostics(ref)
    const r = Reader.owning(bytes, ref, memory)
    r.need(8, 'id')
    const { chunks, trailing } = readChunks(r, codecs, (id) => TOP_LEVEL.has(id), diagnostics)
    if (!chunks.some((chunk) => chunkInfo(chunk.id))) {
      throw new FormatError('bad-magic', say('codecs.noKnownChunk'), {
        file: ref,
        offset: 0,
        path: 'id',
        actual: `0x${chunks[0].id.toString(16)}`,
      })
    }
    return { format: 'w3d.file', ref, diagnostics: diagnostics.list, chunks, trailing }
  },

  encode(document, out) {
    writeChunks(document, out)
  },

  scalars: TIME_SCALARS,
  describe(document) {
    const end = document.chunks.reduce((most, chunk) => Math.max(most, chunk.end), 0)
    const { trailing } = document
    const fields = trailing.length
      ? [
          field('trailing', `u8[${trailing.length}]`, end, trailing.length, hex(trailing), {
            unknown: true,
            note: say('codecs.behindLastChunk'),
          }),
        ]
      : []
    return node('', 'W3D', { start: 0, end: end + trailing.length }, fields, describeChunks(document))
  },

  summarize,
}

// --- summary --------------------------------------------------------------------------------------------------

/** Keys under which files find each other; compared without case. */
export const key = {
  hierarchy: (name: string) => `w3d.hierarchy:${name}`,
  animationOf: (hierarchy: string) => `w3d.animation-of:${hierarchy}`,
  /** animations with motion channels, which The Battle for Middle-earth II alone has */
  motionOf: (hierarchy: string) => `w3d.motion-of:${hierarchy}`,
  /** meshes and all other render objects by full name */
  object: (name: string) => `w3d.mesh:${name}`,
  /** HLOD, HMODEL and COLLECTION by name */
  model: (name: string) => `w3d.model:${name}`,
  texture: (name: string) => `w3d.texture:${name}`,
  /** files with skins on a skeleton: what must be written anew when a bone moves and the skin stays */
  skinOf: (hierarchy: string) => `w3d.skin-of:${hierarchy}`,
  /** how far up an animation's pivots go and how many it moves: whether it fits a skeleton shows without opening it */
  pivots: (hierarchy: string, pivots: ReadonlySet<number>) =>
    `w3d.animation-pivots:${hierarchy}:${Math.max(-1, ...pivots) + 1}:${pivots.size}`,
}

function summarize(document: W3dDocument): FileSummary {
  const hierarchies = hierarchiesOf(document)
  const meshes = meshesOf(document)
  const hlods = hlodsOf(document)
  const hmodels = hmodelsOf(document)
  const collections = collectionsOf(document)
  const clips = clipsOf(document)
  const boxes = boxesOf(document).map((box) => box.name)
  const points = pointObjectsOf(document)
  const aggregates = aggregatesOf(document)
  const lodModels = lodModelsOf(document)
  const lights = lightsOf(document).length
  const shaderMeshes = shaderMeshNames(document)

  const provides = new Set<string>()
  const needs = new Set<string>()
  for (const h of hierarchies) if (h.name) provides.add(key.hierarchy(h.name))
  for (const name of [...meshes.map((m) => m.fullName), ...boxes, ...points.map((p) => p.name), ...shaderMeshes])
    if (name) provides.add(key.object(name))
  for (const model of [...hlods, ...hmodels, ...collections, ...aggregates, ...lodModels])
    if (model.name) provides.add(key.model(model.name))
  for (const clip of clips) {
    if (!clip.hierarchyName) continue
    provides.add(key.animationOf(clip.hierarchyName))
    provides.add(key.pivots(clip.hierarchyName, clip.pivots))
    if (clip.motion) provides.add(key.motionOf(clip.hierarchyName))
  }

  if (meshes.some((mesh) => mesh.isSkin))
    for (const model of [...hlods, ...hmodels]) if (model.hierarchyName) provides.add(key.skinOf(model.hierarchyName))

  const need = (wanted: string): void => {
    if (!provides.has(wanted)) needs.add(wanted)
  }
  const lower = new Set([...provides].map((k) => k.toLowerCase()))
  const needObject = (name: string): void => {
    if (name && !lower.has(key.object(name).toLowerCase())) needs.add(key.object(name))
  }
  for (const model of [...hlods, ...hmodels]) if (model.hierarchyName) need(key.hierarchy(model.hierarchyName))
  for (const clip of clips) if (clip.hierarchyName) need(key.hierarchy(clip.hierarchyName))
  for (const hlod of hlods) {
    for (const lod of hlod.lods) for (const object of lod.objects) needObject(object.name)
    for (const object of hlod.aggregates) needs.add(key.model(object.name))
  }
  for (const model of hmodels) for (const connection of model.connections) needObject(`${model.name}.${connection.name}`)
  for (const collection of collections) for (const name of collection.objects) needObject(name)
  for (const aggregate of aggregates) {
    if (aggregate.base) need(key.model(aggregate.base))
    for (const object of aggregate.objects) if (object.name) need(key.model(object.name))
    for (const { to } of aggregate.replaced) if (to) needs.add(key.texture(to))
  }
  for (const model of lodModels) for (const lod of model.lods) if (!lower.has(key.model(lod.name).toLowerCase())) needObject(lod.name)
  for (const { texture } of [...emittersOf(document), ...primitivesOf(document)]) if (texture) needs.add(key.texture(texture))
  for (const mesh of meshes) for (const texture of textureNamesIn(mesh.chunk)) needs.add(key.texture(texture.name))
  for (const k of [...needs]) if (lower.has(k.toLowerCase())) needs.delete(k)

  const bones = hierarchies.flatMap((h) => (h.pivots ? Array.from({ length: h.count }, (_, i) => pivotName(h.pivots!.data, i)) : []))
  const isModel =
    meshes.length > 0 ||
    hlods.length > 0 ||
    hmodels.length > 0 ||
    collections.length > 0 ||
    boxes.length > 0 ||
    aggregates.length > 0 ||
    lodModels.length > 0 ||
    shaderMeshes.length > 0
  // particles, sounds and lights by themselves would drown the models: games have hundreds of such files
  const isEffect = points.length > 0 || lights > 0
  const boneOf = new Map<string, number>()
  for (const hlod of hlods)
    for (const lod of hlod.lods) for (const object of lod.objects) boneOf.set(object.name.toLowerCase(), object.bone)
  const attached = hierarchies.length === 1 ? hierarchies[0] : undefined
  const told = (counts: [CountText, number][]): string =>
    counts
      .filter(([, n]) => n > 0)
      .map(([what, n]) => say(`codecs.counts.${what}`, { count: n }))
      .join(', ')
  const listed: [CountText, number][] = [
    ['bones', bones.length],
    ['meshes', meshes.length],
    ['clips', clips.length],
  ]
  const others: [CountText, number][] = [
    ['boxes', boxes.length],
    ...(['nullObject', 'emitter', 'dazzle', 'sound', 'sphere', 'ring'] as const).map((kind): [CountText, number] => [
      kind,
      points.filter((point) => point.kind === kind).length,
    ]),
    ['lights', lights],
  ]
  return {
    kind: isModel ? 'model' : hierarchies.length ? 'skeleton' : clips.length ? 'animation' : isEffect ? 'effect' : 'other',
    bones,
    meshes: meshes.map((mesh) => {
      const bone = boneOf.get(mesh.fullName.toLowerCase())
      const name =
        bone !== undefined && bone > 0 && attached?.pivots && bone < attached.count && !mesh.isSkin
          ? pivotName(attached.pivots.data, bone)
          : undefined
      return {
        name: mesh.fullName,
        vertices: mesh.vertices.length / 3,
        triangles: mesh.triangles?.count ?? 0,
        ...(name ? { bone: name } : {}),
      }
    }),
    skins: meshes.filter((mesh) => mesh.isSkin).map((mesh) => skinSummary(mesh, attached)),
    clips: clips.map((clip) => ({ name: clip.name, frames: clip.frames, rate: clip.rate, tracks: clip.tracks, keys: clip.keys })),
    provides: [...provides],
    needs: [...needs],
    counted: told(listed),
    note: told(others),
  }
}

/** Weights are in the file's scale: percent with two bones, 1 with one. */
function skinSummary(mesh: MeshView, hierarchy: Hierarchy | undefined): SkinSummary {
  const influences = mesh.influences!
  const full = influences.twoBone ? 100 : 1
  const count = Math.min(influences.table.count, mesh.vertices.length / 3)
  const words = influences.table.u16
  let bones = 0
  for (let i = 0; i < 4 * count; i += 4) bones = Math.max(bones, words[i] + 1, words[i + 1] + 1)
  const vertices = new Uint32Array(bones)
  const sums = new Float64Array(bones)
  const one = [0, 0, 0, 0]
  let weights = 0
  let maxInfluences = 0
  for (let v = 0; v < count; v++) {
    vertexInfluence(influences, v, one)
    const used = one[1] > 0 && one[3] > 0 ? 2 : 1
    for (let i = 0; i < 4; i += 2) {
      if (one[i + 1] <= 0) continue
      vertices[one[i]]++
      sums[one[i]] += one[i + 1] * full
    }
    weights += used
    if (used > maxInfluences) maxInfluences = used
  }
  const name = (bone: number): string =>
    hierarchy?.pivots && bone < hierarchy.count ? pivotName(hierarchy.pivots.data, bone) : String(bone)
  return {
    mesh: mesh.fullName,
    vertices: mesh.vertices.length / 3,
    weights,
    maxInfluences,
    bones: Array.from(vertices.keys())
      .filter((bone) => vertices[bone] > 0)
      .map((bone) => ({ name: name(bone), vertices: vertices[bone], sum: Math.round(sums[bone] * 1000) / 1000 })),
  }
}

export interface ClipInfo {
  chunk: ContainerChunk
  compressed: boolean
  name: string
  hierarchyName: string
  frames: number
  rate: number
  tracks: number
  keys: number
  /** pivots that its channels move */
  pivots: Set<number>
  /** whether it has motion channels, which The Battle for Middle-earth II alone has */
  motion: boolean
}

/** Whether there are animations and nothing else: the game comes to them by the file's name alone. */
export function onlyClips({ chunks }: { chunks: readonly Chunk[] }): boolean {
  return chunks.every(({ id }) => id === ID.ANIMATION || id === ID.COMPRESSED_ANIMATION)
}

/** Animations of both kinds, in file order. */
export function clipsOf(document: { chunks: readonly Chunk[] }): ClipInfo[] {
  const raw = new Map(animationsOf(document, ID.ANIMATION, ANIMATION_HEADER).map((view) => [view.chunk, view]))
  const compressed = new Map(animationsOf(document, ID.COMPRESSED_ANIMATION, COMPRESSED_ANIMATION_HEADER).map((view) => [view.chunk, view]))
  const out: ClipInfo[] = []
  for (const chunk of document.chunks) {
    const view = raw.get(chunk as ContainerChunk) ?? compressed.get(chunk as ContainerChunk)
    if (!view) continue
    const info: ClipInfo = {
      chunk: view.chunk,
      compressed: compressed.has(view.chunk),
      name: view.name,
      hierarchyName: view.hierarchyName,
      frames: view.numFrames,
      rate: view.frameRate,
      tracks: 0,
      keys: 0,
      pivots: new Set(),
      motion: leavesOf(view.chunk, COMPRESSED_MOTION_CHANNEL).length > 0,
    }
    const add = (pivot: number, keys: number): void => {
      info.tracks++
      info.keys += keys
      info.pivots.add(pivot)
    }
    for (const { data } of leavesOf(view.chunk, ANIMATION_CHANNEL))
      add(data.pivot, data.vectorLen ? data.values.length / data.vectorLen : 0)
    for (const { data } of leavesOf(view.chunk, BIT_CHANNEL)) add(data.pivot, bitFrames(data))
    for (const { data } of leavesOf(view.chunk, COMPRESSED_ANIMATION_CHANNEL))
      add(data.pivot, data.coding === 'adaptive' ? data.numFrames : data.keys.count)
    for (const { data } of leavesOf(view.chunk, COMPRESSED_BIT_CHANNEL)) add(data.pivot, data.entries.length)
    for (const { data } of leavesOf(view.chunk, COMPRESSED_MOTION_CHANNEL)) add(data.pivot, data.count)
    out.push(info)
  }
  return out
}
