/**
 * MSH: a mesh, one contiguous array per vertex component. Layout and evidence: docs/formats/lostsaga.md, "MSH".
 * The public spec has two vertex masks and faces of 12 bytes; every real file has one mask and faces of 6. The reading that
 * reaches the end of the file is used, the evidence's first, and the document says which.
 */
import { Diagnostics, type Document, type FileFormat, type SourceRange, type StructureField } from '../../format.ts'
import { FormatError } from '../../../binary/format-error.ts'
import { f32s, i32, magic, makeRecords, record, recordList, shownAs, u32s } from '../../../binary/layout.ts'
import { choice, structural } from '../../../binary/field-use.ts'
import { Reader } from '../../../binary/reader.ts'
import { field, node } from '../../../binary/structure.ts'
import { encodeText, lstring, readString, stringSize, writeString, type LString } from './strings.ts'
import { hasToken } from './token.ts'
import { noteTrailing } from './trailing.ts'
import { say } from '../texts/index.ts'
import type { Writer } from '../../../binary/writer.ts'

/** Bits of the vertex mask (public spec, IOFVF_*). */
export const MASK = {
  position: 1,
  position2: 2,
  positionW: 4,
  weights: 8,
  indices: 16,
  normal: 32,
  color0: 64,
  color1: 128,
  uv0: 256,
  uv1: 512,
  uv2: 1024,
  uv3: 2048,
  tangent: 4096,
  binormal: 8192,
} as const

/** Words for the types of meshes, by their numbers. */
const MESH_TYPES = ['static', 'animation', 'lightmap', 'billboard', 'normalBillboard', 'animateEffect', 'staticVertexColour'] as const

export const isMeshType = (type: number): boolean => type in MESH_TYPES

const meshTypeOf = (type: number): string =>
  say('codecs.msh.typeOf', {
    number: type,
    type: say(isMeshType(type) ? `codecs.msh.types.${MESH_TYPES[type]}` : 'codecs.msh.types.unknown'),
  })

export interface ControlPoint {
  type: LString
  linkedBone: LString
  extra: LString
  /** 3 floats */
  position: Float32Array
  range: SourceRange
}

export interface MshDocument extends Document {
  readonly format: 'lostsaga.msh'
  version: number
  meshType: number
  /** one mask, or the two of the public spec's reading */
  masks: Uint32Array
  /** min x y z, max x y z */
  box: Float32Array
  radius: Float32Array
  /** 4 per submesh: firstVertex, vertexCount, firstIndex (counts indices, not faces), faceCount */
  submeshes: Int32Array
  vertexCount: number
  /** 3 per vertex; empty where the mask has no such component, as with all that follow */
  positions: Float32Array
  normals: Float32Array
  tangents: Float32Array
  binormals: Float32Array
  /** D3DCOLOR: bytes B, G, R, A (inferred; no sample has it) */
  colors: Uint32Array
  uv0: Float32Array
  uv1: Float32Array
  /** null without the weight block */
  boneNames: LString[] | null
  /** 8 per vertex: four weights, then the four bone indices as floats; read up to the first weight <= 0 */
  influences: Float32Array
  /** billboard centres */
  positions2: Float32Array
  /** 3 per face */
  faces: Uint16Array
  /** the public spec's faces of 12 bytes, three words each; null in every known file */
  wideFaces: Uint32Array | null
  /** null unless the version is 2002 */
  controlPoints: ControlPoint[] | null
  trailing: Uint8Array
  /** where the arrays stand in the file */
  places: Record<string, number>
  range: SourceRange
}

const HEADER = record({ token: magic('MSH\0', () => say('codecs.msh.notOne')), version: structural(i32) })

/** What follows the header, with one vertex mask or with the two of the public spec. */
const shape = (masks: 1 | 2) =>
  record(
    {
      meshType: choice(shownAs(i32, meshTypeOf), MESH_TYPES),
      vertexMask: {
        ...shownAs(u32s(masks), (list) => Array.from(list, (m) => `0x${m.toString(16)}`).join(' ')),
        type: masks === 1 ? 'u32' : 'u32[2]',
        use: STRUCTURE.use,
      },
      boundingBox: f32s(6),
      boundingRadius: f32s(1),
      submeshCount: structural(i32),
    },
    { notes: { vertexMask: (list: Uint32Array) => maskNames(list[0]) } },
  )
const STRUCTURE = { use: { is: 'structure' } } as const
const SHAPE = { 1: shape(1), 2: shape(2) }

function shapeOf(document: MshDocument): Parameters<(typeof SHAPE)[1]['write']>[1] {
  const { meshType, masks: vertexMask, box: boundingBox, radius: boundingRadius } = document
  return { meshType, vertexMask, boundingBox, boundingRadius, submeshCount: document.submeshes.length / 4 }
}

const SUBMESHES = recordList(
  { firstVertex: i32, vertexCount: i32, firstIndex: i32, faceCount: i32 },
  'submeshes',
  { notes: { firstIndex: () => say('codecs.msh.countsIndices') }, most: Infinity },
  'submesh',
)
const POINT = record({ type: lstring, linkedBone: lstring, extra: lstring, position: f32s(3) })

interface Reading {
  masks: 1 | 2
  wideFaces: boolean
}

const READINGS: Reading[] = [
  { masks: 1, wideFaces: false },
  { masks: 2, wideFaces: false },
  { masks: 1, wideFaces: true },
  { masks: 2, wideFaces: true },
]

type Body = Omit<MshDocument, 'format' | 'ref' | 'diagnostics' | 'readOnly' | 'version' | 'range'>

function readBody(reader: Reader, version: number, reading: Reading): Body {
  const places: Record<string, number> = {}
  const place = (name: string): number => (places[name] = reader.position)
  places.box = reader.position + 4 + 4 * reading.masks
  const { meshType, vertexMask: masks, boundingBox: box, boundingRadius: radius, submeshCount } = SHAPE[reading.masks].read(reader)
  const mask = masks[0]
  reader.count(submeshCount, SUBMESHES.stride, 'submeshCount')
  place('submeshes')
  const submeshes = reader.i32s(submeshCount * 4, 'submeshes')
  place('vertexCount')
  const vertexCount = reader.i32('vertexCount')
  if (vertexCount < 0)
    reader.fail('bad-count', say('codecs.msh.negativeCount'), 'vertexCount', { offset: reader.position - 4, actual: String(vertexCount) })
  const component = (name: string, bit: number, width: number): Float32Array => {
    if (!(mask & bit)) return new Float32Array(0)
    place(name)
    reader.count(vertexCount, width * 4, name)
    return reader.f32s(vertexCount * width, name)
  }
  const positions = component('positions', MASK.position, 3)
  const normals = component('normals', MASK.normal, 3)
  const tangents = component('tangents', MASK.tangent, 3)
  const binormals = component('binormals', MASK.binormal, 3)
  const { buffer, byteOffset, length } = component('colors', MASK.color0, 1)
  const colors = new Uint32Array(buffer, byteOffset, length)
  const uv0 = component('uv0', MASK.uv0, 2)
  const uv1 = component('uv1', MASK.uv1, 2)
  let boneNames: LString[] | null = null
  let influences: Float32Array = new Float32Array(0)
  if (mask & MASK.weights) {
    place('bones')
    const boneCount = reader.count(reader.i32('boneCount'), 4, 'boneCount')
    boneNames = []
    for (let i = 0; i < boneCount; i++) boneNames.push(readString(reader, `bones[${i}]`))
    place('influences')
    reader.count(vertexCount, 32, 'influences')
    influences = reader.f32s(vertexCount * 8, 'influences')
  }
  const positions2 = component('positions2', MASK.position2, 3)
  place('faceCount')
  const faceCount = reader.count(reader.i32('faceCount'), reading.wideFaces ? 12 : 6, 'faceCount')
  place('faces')
  const faces = reading.wideFaces ? new Uint16Array(0) : reader.u16s(faceCount * 3, 'faces')
  const wideFaces = reading.wideFaces ? reader.u32s(faceCount * 3, 'faces') : null
  let controlPoints: ControlPoint[] | null = null
  // a 2002 file that ends here was written by a tool that knows no points
  if (version === 2002 && reader.remaining > 0) {
    place('controlPoints')
    const pointCount = reader.count(reader.i32('controlPointCount'), POINT.size, 'controlPointCount')
    controlPoints = []
    for (let i = 0; i < pointCount; i++) {
      controlPoints.push(
        reader.within(`controlPoints[${i}]`, () => {
          const start = reader.position
          const point = POINT.read(reader)
          return { ...point, range: { start, end: reader.position } }
        }),
      )
    }
  }
  const trailing = reader.rest()
  return {
    meshType,
    masks,
    box,
    radius,
    submeshes,
    vertexCount,
    positions,
    normals,
    tangents,
    binormals,
    colors,
    uv0,
    uv1,
    boneNames,
    influences,
    positions2,
    faces,
    wideFaces,
    controlPoints,
    trailing,
    places,
  }
}

/** The three vertex numbers of every face, whichever reading the file has. */
export function faceIndices(document: MshDocument): Uint32Array {
  if (!document.wideFaces) return Uint32Array.from(document.faces)
  // words may be integers or, as the public spec says, floats: a float that counts a vertex is far above any vertex number
  const words = document.wideFaces
  const asFloats = words.some((w) => w >= 0x3f800000)
  const floats = new Float32Array(words.buffer, words.byteOffset, words.length)
  return asFloats ? Uint32Array.from(floats, (f) => (f >= 0 ? Math.round(f) : 0xffffffff)) : words.slice()
}

export const msh: FileFormat<MshDocument> = {
  id: 'lostsaga.msh',
  get label() {
    return say('codecs.msh.label')
  },
  family: 'lostsaga',
  kind: 'model',
  extensions: ['msh'],
  identify: (head) => (hasToken(head, 'MSH') ? 1 : 0),
  decode(bytes, ref, memory) {
    const reader = Reader.owning(bytes, ref, memory)
    const diagnostics = new Diagnostics(ref)
    const { version } = HEADER.read(reader)
    if (version < 2000 || version > 2002)
      diagnostics.add('warning', 'lostsaga.unknown-version', say('codecs.msh.unknownVersion', { version }), 'version', 4)
    let body: Body | undefined
    let used: Reading | undefined
    let first: unknown
    for (const reading of READINGS) {
      reader.seek(HEADER.size)
      try {
        const candidate = readBody(reader, version, reading)
        // the public spec's readings count only where they fit to the byte: a damaged file must not be explained away
        if (reading !== READINGS[0] && candidate.trailing.length > 0) continue
        body = candidate
        used = reading
        if (candidate.trailing.length === 0) break
      } catch (error) {
        if (!(error instanceof FormatError)) throw error
        first ??= error
      }
    }
    // a damaged file is reported as the evidence's reading sees it
    if (!body || !used) throw first
    if (used.masks === 2 || used.wideFaces) {
      diagnostics.add(
        'warning',
        'lostsaga.public-reading',
        say(used.masks === 2 ? 'codecs.msh.publicReading.twoMasks' : 'codecs.msh.publicReading.oneMask', {
          bytes: used.wideFaces ? 12 : 6,
        }),
        'vertexMask',
        12,
      )
      if (body.masks.length === 2 && body.masks[0] !== body.masks[1])
        diagnostics.add('warning', 'lostsaga.masks-differ', say('codecs.msh.masksDiffer'), 'vertexMask', 12)
    }
    noteTrailing('msh', body.trailing, bytes.length, diagnostics)
    return { format: 'lostsaga.msh', ref, diagnostics: diagnostics.list, version, ...body, range: { start: 0, end: bytes.length } }
  },
  encode(document, out: Writer) {
    HEADER.write(out, document)
    SHAPE[document.masks.length as 1 | 2].write(out, shapeOf(document))
    out.raw(document.submeshes)
    out.i32(document.vertexCount)
    out.raw(document.positions)
    out.raw(document.normals)
    out.raw(document.tangents)
    out.raw(document.binormals)
    out.raw(document.colors)
    out.raw(document.uv0)
    out.raw(document.uv1)
    if (document.boneNames) {
      out.i32(document.boneNames.length)
      for (const name of document.boneNames) writeString(out, name)
      out.raw(document.influences)
    }
    out.raw(document.positions2)
    out.i32((document.wideFaces ?? document.faces).length / 3)
    out.raw(document.wideFaces ?? document.faces)
    if (document.controlPoints) {
      out.i32(document.controlPoints.length)
      for (const point of document.controlPoints) POINT.write(out, point)
    }
    out.opaque(document.trailing)
  },
  describe(document) {
    const p = document.places
    const fields: StructureField[] = [
      ...HEADER.describe(document, 0),
      ...SHAPE[document.masks.length as 1 | 2].describe(shapeOf(document), HEADER.size),
      field('vertexCount', 'i32', p.vertexCount, 4, document.vertexCount, STRUCTURE),
    ]
    const column = (name: string, type: string, data: ArrayBufferView & { length: number }, extra = {}): void => {
      if (data.byteLength)
        fields.push(
          field(name, `${type} x ${document.vertexCount}`, p[name], data.byteLength, data, { entries: { what: 'vertex' }, ...extra }),
        )
    }
    column('positions', 'f32[3]', document.positions)
    column('normals', 'f32[3]', document.normals)
    column('tangents', 'f32[3]', document.tangents)
    column('binormals', 'f32[3]', document.binormals)
    column('colors', 'u32', document.colors, { unknown: true, note: say('codecs.msh.colourOrder') })
    column('uv0', 'f32[2]', document.uv0)
    column('uv1', 'f32[2]', document.uv1)
    if (document.boneNames) {
      let at = p.bones
      fields.push(field('boneCount', 'i32', at, 4, document.boneNames.length, STRUCTURE))
      at += 4
      document.boneNames.forEach((name, i) => {
        fields.push(field(`bones[${i}]`, 'string', at, stringSize(name), name.text, { use: lstring.use }))
        at += stringSize(name)
      })
      column('influences', '{f32[4] weight, f32[4] bone}', document.influences)
    }
    column('positions2', 'f32[3]', document.positions2)
    const faces = document.wideFaces ?? document.faces
    fields.push(
      field('faceCount', 'i32', p.faceCount, 4, faces.length / 3, STRUCTURE),
      field('faces', `${document.wideFaces ? 'u32' : 'u16'}[3] x ${faces.length / 3}`, p.faces, faces.byteLength, faces),
    )
    const { buffer, byteOffset, byteLength } = document.submeshes
    const submeshes = makeRecords(new Uint8Array(buffer, byteOffset, byteLength), SUBMESHES.stride)
    const { children } = SUBMESHES.describe(submeshes, p.submeshes)
    if (document.controlPoints) {
      fields.push(field('controlPointCount', 'i32', p.controlPoints, 4, document.controlPoints.length, STRUCTURE))
      document.controlPoints.forEach((point, i) => {
        children.push(node(`controlPoints[${i}]`, say('codecs.msh.controlPoint'), point.range, POINT.describe(point, point.range.start)))
      })
    }
    if (document.trailing.length)
      fields.push(
        field('trailing', 'u8', document.range.end - document.trailing.length, document.trailing.length, document.trailing, {
          unknown: true,
        }),
      )
    return node('msh', say('formats.nodes.mesh'), document.range, fields, children, {
      summary: [say('formats.vertices', { count: document.vertexCount }), say('formats.faces', { count: faces.length / 3 })].join(', '),
    })
  },
  encodeText: (text) => encodeText(text).raw,
  summarize(document) {
    const faces = (document.wideFaces ?? document.faces).length / 3
    const bones = document.boneNames
    return {
      meshes: [{ name: '', vertices: document.vertexCount, triangles: faces }],
      skins: bones ? [skinStatistics(document)] : [],
      needs: [
        ...new Set(
          [...(bones ?? []), ...(document.controlPoints ?? []).map((p) => p.linkedBone).filter((b) => b.text)].map(
            (b) => `lostsaga.bone:${b.text}`,
          ),
        ),
      ],
      note: [
        say('formats.vertices', { count: document.vertexCount }),
        say('formats.faces', { count: faces }),
        say('formats.submeshes', { count: document.submeshes.length / 4 }),
        ...(bones ? [say('formats.bones', { count: bones.length })] : []),
      ].join(', '),
    }
  },
}

function skinStatistics(document: MshDocument): NonNullable<ReturnType<typeof msh.summarize>['skins']>[number] {
  const names = document.boneNames ?? []
  const vertices = new Uint32Array(names.length)
  const sums = new Float64Array(names.length)
  let weights = 0,
    most = 0
  for (let v = 0; v < document.influences.length / 8; v++) {
    let n = 0
    for (let s = 0; s < 4; s++) {
      const w = document.influences[8 * v + s]
      if (!(w > 0)) break
      n++
      weights++
      const b = document.influences[8 * v + 4 + s]
      if (Number.isInteger(b) && b >= 0 && b < names.length) {
        vertices[b]++
        sums[b] += w
      }
    }
    most = Math.max(most, n)
  }
  return {
    mesh: '',
    vertices: document.vertexCount,
    weights,
    maxInfluences: most,
    bones: names.map((name, i) => ({ name: name.text, vertices: vertices[i], sum: sums[i] })),
  }
}

function maskNames(mask: number): string {
  const names = Object.entries(MASK)
    .filter(([, bit]) => mask & bit)
    .map(([name]) => name)
  const rest = mask & ~Object.values(MASK).reduce((a, b) => a | b, 0)
  if (rest) names.push(`0x${(rest >>> 0).toString(16)}`)
  return names.join(', ')
}
