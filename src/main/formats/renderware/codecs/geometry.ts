/** Geometry Struct: vertices, texture coordinates, triangles. */
import { stampVersion } from './chunk-ids.ts'
import { f32s, flags32, i32, named, record } from '../../../binary/layout.ts'
import { bitsOf, structural } from '../../../binary/field-use.ts'
import { say } from '../texts/index.ts'
import type { Reader } from '../../../binary/reader.ts'
import type { LeafCodec } from './chunk.ts'

/** Low 16 bits of `format`. */
export const GEOMETRY = {
  tristrip: 1,
  positions: 2,
  textured: 4,
  prelit: 8,
  normals: 0x10,
  light: 0x20,
  modulate: 0x40,
  textured2: 0x80,
  native: 0x01000000,
} as const

const HEAD = record(
  {
    format: bitsOf(flags32, GEOMETRY, [{ name: 'uvSets', at: 16, width: 8 }]),
    numTriangles: structural(i32),
    numVertices: structural(i32),
    numMorphTargets: structural(i32),
  },
  { notes: { format: (format: number) => formatText(format) } },
)
/** A morph target up to its columns. */
const MORPH = record({ sphere: named('boundingSphere', f32s(4)), hasVertices: structural(i32), hasNormals: structural(i32) })

export interface MorphTarget {
  /** x, y, z, radius */
  sphere: Float32Array
  hasVertices: number
  hasNormals: number
  /** 3 per vertex, or empty */
  vertices: Float32Array
  normals: Float32Array
}

export interface GeometryStruct {
  /** flags; bits 16-23 number of UV sets; bit 24 native */
  format: number
  numTriangles: number
  numVertices: number
  numMorphTargets: number
  /** ambient, specular, diffuse; only in versions below 3.4.0.0 */
  surface?: Float32Array
  /** RGBA per vertex, or empty */
  prelit: Uint8Array
  /** 2 per vertex for each set, v = 0 at the top */
  uvs: Float32Array[]
  /** 4 per triangle: v1, v0, material, v2. Winding is v0, v1, v2 (docs/formats/renderware.md) */
  triangles: Uint16Array
  morphs: MorphTarget[]
}

/** Number of UV sets: bits 16-23, or by the flags where these are 0. */
function uvSets(format: number): number {
  return (format >>> 16) & 0xff || (format & GEOMETRY.textured2 ? 2 : format & GEOMETRY.textured ? 1 : 0)
}

/** Whether the Struct, read with or without the three floats of old versions, ends where its chunk does: tells the forms apart. */
function fits(r: Reader, withSurface: boolean): boolean {
  const format = r.peekU32(r.start + HEAD.at.format, 'format')
  const triangles = r.peekU32(r.start + HEAD.at.numTriangles, 'numTriangles')
  const vertices = r.peekU32(r.start + HEAD.at.numVertices, 'numVertices')
  const morphs = r.peekU32(r.start + HEAD.at.numMorphTargets, 'numMorphTargets')
  const body = format & GEOMETRY.native ? 0 : (format & GEOMETRY.prelit ? 4 * vertices : 0) + 8 * vertices * uvSets(format) + 8 * triangles
  let at = r.start + HEAD.size + (withSurface ? 12 : 0) + body
  for (let i = 0; i < morphs; i++) {
    if (at + MORPH.size > r.end) return false
    const hasVertices = r.peekU32(at + MORPH.at.hasVertices, 'hasVertices')
    const hasNormals = r.peekU32(at + MORPH.at.hasNormals, 'hasNormals')
    at += MORPH.size + (hasVertices ? 12 * vertices : 0) + (hasNormals ? 12 * vertices : 0)
  }
  return at === r.end
}

export const geometryStruct: LeafCodec<GeometryStruct> = {
  id: 'geometry',
  fixed: -1,
  read(r, scope) {
    // the version decides; the size overrules it where only the other form fits (converted files keep old stamps)
    let old = stampVersion(scope.stamp) < 0x34000
    if (!fits(r, old) && fits(r, !old)) old = !old
    const { format, numTriangles, numVertices, numMorphTargets } = HEAD.read(r)
    // all that follows is in multiples of four: aligned as a whole, and columns that are views of it
    const from = r.position
    const { buffer: block, byteOffset: start, byteLength } = r.u32s(Math.floor(r.remaining / 4))
    const end = start + byteLength
    let at = start
    const take = (bytes: number, field: string): number => {
      if (!(bytes >= 0) || at + bytes > end)
        r.fail('bad-count', say('binary.needs', { field, count: bytes, left: end - at }), field, {
          offset: from + at - start,
          expected: say('files.atMostBytes', { count: end - at }),
          actual: String(bytes),
        })
      at += bytes
      return at - bytes
    }
    const surface = old ? new Float32Array(block, take(12, 'surface'), 3) : undefined
    const native = (format & GEOMETRY.native) !== 0
    let prelit = NO_BYTES
    const uvs: Float32Array[] = []
    let triangles = NO_SHORTS
    if (!native) {
      if (format & GEOMETRY.prelit) prelit = new Uint8Array(block, take(4 * numVertices, 'prelit'), 4 * numVertices)
      const sets = uvSets(format)
      for (let i = 0; i < sets; i++) uvs.push(new Float32Array(block, take(8 * numVertices, 'uv'), 2 * numVertices))
      triangles = new Uint16Array(block, take(8 * numTriangles, 'triangles'), 4 * numTriangles)
    }
    if (!(numMorphTargets >= 0) || numMorphTargets * MORPH.size > end - at)
      r.fail('bad-count', say('codecs.morphTargetsDoNotFit', { count: numMorphTargets, size: end - at }), 'numMorphTargets', {
        offset: from - 4,
      })
    const morphs: MorphTarget[] = []
    const view = new DataView(block)
    for (let i = 0; i < numMorphTargets; i++) {
      const head = take(MORPH.size, 'morphTarget')
      const hasVertices = view.getInt32(head + MORPH.at.hasVertices, true)
      const hasNormals = view.getInt32(head + MORPH.at.hasNormals, true)
      const vertices = hasVertices ? new Float32Array(block, take(12 * numVertices, 'vertices'), 3 * numVertices) : NO_FLOATS
      const normals = hasNormals ? new Float32Array(block, take(12 * numVertices, 'normals'), 3 * numVertices) : NO_FLOATS
      morphs.push({ sphere: new Float32Array(block, head, 4), hasVertices, hasNormals, vertices, normals })
    }
    r.position = from + at - start
    return { format, numTriangles, numVertices, numMorphTargets, surface, prelit, uvs, triangles, morphs }
  },
  write(v, out) {
    HEAD.write(out, v)
    if (v.surface) out.raw(v.surface)
    out.raw(v.prelit)
    for (const uv of v.uvs) out.raw(uv)
    out.raw(v.triangles)
    for (const m of v.morphs) {
      MORPH.write(out, m)
      out.raw(m.vertices)
      out.raw(m.normals)
    }
  },
  fields(v, list) {
    list.record(HEAD, v)
    if (v.surface) list.add('surface', 'f32[3]', 12, v.surface, { note: say('codecs.surface') })
    if (v.prelit.length) list.add('prelit', `u8[4] x ${v.numVertices}`, v.prelit.length, v.prelit)
    v.uvs.forEach((uv, i) => list.add(`uv[${i}]`, `f32[2] x ${v.numVertices}`, uv.byteLength, uv))
    if (v.triangles.length)
      list.add('triangles', `u16[4] x ${v.numTriangles}`, v.triangles.byteLength, v.triangles, { note: say('codecs.triangleColumns') })
    v.morphs.forEach((m, i) =>
      list.group(`morphTargets[${i}]`, say('codecs.nodes.morphTarget'), (g) => {
        g.record(MORPH, m)
        if (m.vertices.length) g.add('vertices', `f32[3] x ${v.numVertices}`, m.vertices.byteLength, m.vertices)
        if (m.normals.length) g.add('normals', `f32[3] x ${v.numVertices}`, m.normals.byteLength, m.normals)
      }),
    )
  },
}

const NO_BYTES: Uint8Array = new Uint8Array(0)
const NO_SHORTS: Uint16Array = new Uint16Array(0)
const NO_FLOATS: Float32Array = new Float32Array(0)

function formatText(format: number): string {
  const names = Object.entries(GEOMETRY)
    .filter(([, bit]) => format & bit)
    .map(([name]) => name)
  return say('codecs.geometryFormat', { names: names.join(', '), count: uvSets(format) })
}
