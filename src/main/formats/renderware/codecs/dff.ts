/** Models (.dff): a clump, sometimes several, with what tools and archives left behind them. */
import { Reader } from '../../../binary/reader.ts'
import { extensionOf, stemOf } from '../../../../shared/ref.ts'
import { Diagnostics } from '../../format.ts'
import { meshTriangles } from './bin-mesh.ts'
import { describeChunkFile } from './chunk-structure.ts'
import { HEAD } from './chunk.ts'
import { readChunkFile, writeChunkFile } from './chunk-file.ts'
import { ID, plausibleStamp } from './chunk-ids.ts'
import { readModel } from './model.ts'
import { leafCodec } from './leaves.ts'
import { HALF } from './rt-anim.ts'
import { say } from '../texts/index.ts'
import type { Document, FileFormat, FileSummary, SkinSummary } from '../../format.ts'
import type { Chunk } from './chunk.ts'
import type { ChunkFile } from './chunk-file.ts'
import type { Skin } from './skin.ts'

export interface DffDocument extends Document, ChunkFile {
  readonly format: 'renderware.dff'
  roots: Chunk[]
  trailing: Uint8Array
}

export const dffFormat: FileFormat<DffDocument> = {
  id: 'renderware.dff',
  get label() {
    return say('codecs.dff')
  },
  family: 'renderware',
  kind: 'model',
  extensions: ['dff'],
  identify(head, name, size) {
    // the data of an IMG archive of version 1 begins with its first member; its directory beside it tells
    if (extensionOf(name) === 'img') return 0.3
    if (head.length < 28) return 0
    const r = new Reader(head, '')
    const root = HEAD.read(r)
    if ((root.type !== ID.clump && root.type !== ID.uvAnimDict) || !plausibleStamp(root.stamp)) return 0
    const first = HEAD.read(r)
    if (first.type !== ID.struct || !plausibleStamp(first.stamp)) return 0
    return (root.size & 0xffffff) + HEAD.size <= size ? 0.98 : 0.6
  },
  decode(bytes, ref) {
    const diagnostics = new Diagnostics(ref)
    // the names of frames are of any length: most of what stands behind them is not aligned
    const file = readChunkFile(new Reader(bytes, ref), leafCodec, diagnostics)
    return { format: 'renderware.dff', ref, diagnostics: diagnostics.list, ...file }
  },
  encode: (document, out) => writeChunkFile(document, out),
  scalars: { half: HALF },
  describe: (document) => describeChunkFile(document, say('codecs.dff')),
  summarize(document): FileSummary {
    const { clumps } = readModel(document)
    const bones: string[] = []
    const meshes: NonNullable<FileSummary['meshes']> = []
    const skins: SkinSummary[] = []
    const textures = new Set<string>()
    const provides: string[] = []
    const ids = new Set<number>()
    // atomics may share a geometry
    const counted = new Map<unknown, number>()
    const listed = new Set<unknown>()
    clumps.forEach((clump) => {
      for (const frame of clump.frames) {
        bones.push(frame.name)
        if (frame.hanim && frame.hanim.nodeId >= 0) ids.add(frame.hanim.nodeId)
      }
      for (const node of clump.nodes) ids.add(node.id)
      clump.atomics.forEach((atomic, a) => {
        const geometry = clump.geometries[atomic.geometry]
        if (!geometry?.struct) return
        const name = clump.frames[atomic.frame]?.name || `atomic ${a}`
        let triangles = counted.get(geometry)
        if (triangles === undefined) {
          const { binMesh, struct } = geometry
          triangles = binMesh
            ? binMesh.meshes.reduce((sum, m) => sum + meshTriangles(binMesh, m, struct.numVertices).length / 3, 0)
            : struct.triangles.length / 4
          counted.set(geometry, triangles)
        }
        meshes.push({ name, vertices: geometry.struct.numVertices, triangles, bone: clump.frames[atomic.frame]?.name })
        const skin = geometry.skin ?? atomic.legacySkin
        if (skin && !listed.has(skin))
          skins.push(skinSummary(name, skin, (bone) => clump.frames[clump.frameOfNode[bone] ?? -1]?.name || String(bone)))
        if (skin) listed.add(skin)
      })
      for (const geometry of clump.geometries)
        for (const material of geometry.materials)
          for (const name of [material.texture?.name, material.texture?.mask]) if (name) textures.add(name)
    })
    const stem = stemOf(document.ref)
    provides.push(`renderware.dff:${stem}`)
    if (ids.size) provides.push(`renderware.nodes:${[...ids].sort((a, b) => a - b).join(',')}`)
    return {
      bones,
      meshes,
      skins,
      provides,
      needs: [...textures].map((name) => `renderware.texture:${name}`),
      counted: say('codecs.meshesOfFrames', { count: meshes.length, frames: bones.length }),
      ...(clumps.length === 1 ? {} : { note: say('codecs.clumps', { count: clumps.length }) }),
    }
  },
}

/** Statistics of a skin: weights above zero, per bone in number order. */
function skinSummary(mesh: string, skin: Skin, boneName: (bone: number) => string): SkinSummary {
  const vertices = new Uint32Array(256)
  const sums = new Float64Array(256)
  let weights = 0
  let maxInfluences = 0
  for (let v = 0; v < skin.numVertices; v++) {
    let influences = 0
    for (let i = 4 * v; i < 4 * v + 4; i++) {
      if (!(skin.weights[i] > 0)) continue
      influences++
      vertices[skin.indices[i]]++
      sums[skin.indices[i]] += skin.weights[i]
    }
    weights += influences
    if (influences > maxInfluences) maxInfluences = influences
  }
  const bones: SkinSummary['bones'] = []
  for (let b = 0; b < 256; b++) if (vertices[b]) bones.push({ name: boneName(b), vertices: vertices[b], sum: sums[b] })
  return { mesh, vertices: skin.numVertices, weights, maxInfluences, bones }
}
