/** BinMesh PLG: the index lists that the game draws, one per material. Materials of triangles are taken from here. */
import { record, u32 } from '../../../binary/layout.ts'
import { structural } from '../../../binary/field-use.ts'
import { say } from '../texts/index.ts'
import type { Reader } from '../../../binary/reader.ts'
import type { LeafCodec } from './chunk.ts'

const HEAD = record(
  { flags: structural(u32), numMeshes: structural(u32), totalIndices: structural(u32) },
  { notes: { flags: (flags: number) => (flags & 1 ? say('codecs.triangleStrips') : say('codecs.triangleLists')) } },
)
/** A mesh up to its indices. */
const MESH = record({ numIndices: structural(u32), material: u32 })

export interface BinMeshGroup {
  numIndices: number
  material: number
  /** width as stored: u32, or u16 in mobile files; null where native data holds them */
  indices: Uint32Array | Uint16Array | null
}

export interface BinMesh {
  /** 0 triangle list, 1 triangle strip */
  flags: number
  numMeshes: number
  totalIndices: number
  meshes: BinMeshGroup[]
}

/** Bytes per index for which the groups end where the chunk does: 4, 2 (mobile) or 0 (native: headers only). */
function indexWidth(r: Reader, numMeshes: number): number {
  for (const width of [4, 2, 0]) {
    let at = r.position
    let fits = true
    for (let i = 0; i < numMeshes && fits; i++) {
      fits = at + 8 <= r.end
      if (fits) at += 8 + width * r.peekU32(at, 'numIndices')
    }
    if (fits && at === r.end) return width
  }
  return 4
}

export const binMesh: LeafCodec<BinMesh> = {
  id: 'binMesh',
  fixed: -1,
  read(r) {
    const { flags, numMeshes, totalIndices } = HEAD.read(r)
    r.count(numMeshes, MESH.size, 'numMeshes')
    const width = indexWidth(r, numMeshes)
    const meshes: BinMeshGroup[] = []
    if (width === 4) {
      // one copy; the lists are views of it
      const words = r.u32s(Math.floor(r.remaining / 4))
      let at = 0
      for (let i = 0; i < numMeshes; i++) {
        const numIndices = words[at]
        if (!(at + 2 + numIndices <= words.length))
          r.fail(
            'bad-count',
            numIndices === undefined
              ? say('codecs.indicesUnread', { i })
              : say('codecs.indicesMissing', { i, count: numIndices, left: Math.max(0, words.length - at - 2) }),
            `meshes[${i}].numIndices`,
            { offset: r.start + HEAD.size + 4 * at },
          )
        meshes.push({ numIndices, material: words[at + 1], indices: words.subarray(at + 2, at + 2 + numIndices) })
        at += 2 + numIndices
      }
      r.position = r.start + HEAD.size + 4 * at
      return { flags, numMeshes, totalIndices, meshes }
    }
    for (let i = 0; i < numMeshes; i++) {
      const mesh = MESH.read(r)
      meshes.push({ ...mesh, indices: width === 2 ? r.u16s(mesh.numIndices, 'indices') : null })
    }
    return { flags, numMeshes, totalIndices, meshes }
  },
  write(v, out) {
    HEAD.write(out, v)
    for (const m of v.meshes) {
      MESH.write(out, m)
      if (m.indices) out.raw(m.indices)
    }
  },
  fields(v, list) {
    list.record(HEAD, v)
    v.meshes.forEach((m, i) =>
      list.group(`meshes[${i}]`, 'Mesh', (g) => {
        g.record(MESH, m)
        if (m.indices?.length)
          g.add('indices', `${m.indices instanceof Uint16Array ? 'u16' : 'u32'} x ${m.numIndices}`, m.indices.byteLength, m.indices)
      }),
    )
  },
}

/**
 * Triangles of one mesh as a list; a strip is unwound with its winding kept, degenerate triangles are skipped.
 * An index outside `vertexCount` drops its triangle.
 */
export function meshTriangles(mesh: BinMesh, group: BinMeshGroup, vertexCount: number): Uint32Array {
  const source = group.indices
  if (!source) return new Uint32Array(0)
  const strip = (mesh.flags & 1) !== 0
  const count = strip ? Math.max(0, source.length - 2) : Math.floor(source.length / 3)
  const out = new Uint32Array(3 * count)
  let n = 0
  for (let j = 0; j < count; j++) {
    const a = strip ? source[j] : source[3 * j]
    const b = strip ? source[j + 1 + (j & 1)] : source[3 * j + 1]
    const c = strip ? source[j + 2 - (j & 1)] : source[3 * j + 2]
    if (a >= vertexCount || b >= vertexCount || c >= vertexCount) continue
    if (strip && (a === b || b === c || a === c)) continue
    out[n++] = a
    out[n++] = b
    out[n++] = c
  }
  return n === out.length ? out : out.slice(0, n)
}
