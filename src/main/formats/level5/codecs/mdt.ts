/**
 * MDT: one mesh inside an MDS. Header 0x40, sections at offsets from its start, in any order. Sections are kept in file
 * order with the slack between them (4 to 12 bytes of leftovers in the samples [V]).
 */
import { say } from '../texts/index.ts'
import type { Reader } from '../../../binary/reader.ts'
import { FormatError } from '../../../binary/format-error.ts'
import { flags32, floatRuns, i32, magic, named, record, shownAs, u32, u32s, type ValueOf } from '../../../binary/layout.ts'
import { reference, structural } from '../../../binary/field-use.ts'
import { field, leftover, node } from '../../../binary/structure.ts'
import { encodeText, fieldText, text } from './names.ts'
import type { Writer } from '../../../binary/writer.ts'
import type { Diagnostics, StructureNode } from '../../format.ts'

/** Flags above the low three bits of a primitive's type (engines of both games). */
export const PRIMITIVE = { list: 3, strip: 4, fan: 5, flat: 0x08, noUv: 0x10, color: 0x100, noNormal: 0x200 } as const

export interface MdtPrimitive {
  type: number
  /** corners as declared; corners of a triangle list are counted, not triangles [V] */
  corners: number
  material: number
  /** corners x stride: position, [normal], [uv], [colour] */
  indices: Int32Array
}

export interface MdtFaces {
  /** 0; 0xBB000C seen by one tool */
  unknown0: number
  headerSize: number
  unknownC: number
  /** bytes of the header beyond 0x10 */
  headerExtra: Uint8Array
  primitives: MdtPrimitive[]
  /** bytes inside the declared size behind the last primitive */
  tail: Uint8Array
}

export interface MdtMaterial {
  /** 0..3 diffuse RGBA, 4..7 (1,1,1,0), 8..11 zeros, 12: 50.0 */
  values: Float32Array
  /** char[32]; one tool sizes it 44: its last 12 bytes are the fields behind */
  name: Uint8Array
  unknown54: number
  /** bits of two floats */
  unknown58: Uint32Array
}

export type MdtSection = 'vertices' | 'normals' | 'colors' | 'faces' | 'uvs' | 'materials'
export type MdtPart = { kind: MdtSection } | { kind: 'pad'; bytes: Uint8Array }

export interface MdtNode {
  headerSize: number
  /** u32 at 0x3C, unused: garbage in a sample [V] */
  unused3C: number
  /** 4 per vertex: x, y, z, 1 */
  vertices: Float32Array
  /** 4 per normal */
  normals: Float32Array
  /** RGBA, range 0..1 or 0..128 (open) */
  colors: Float32Array
  /** u, v, 1, 0; v = 0 is the top row [V] */
  uvs: Float32Array
  /** undefined: no face section */
  faces?: MdtFaces
  materials: MdtMaterial[]
  /** sections and slack in file order */
  parts: MdtPart[]
  /** offset field of a section that is not there: 0xFFFFFFFF for colours [V] */
  absentOffset: Record<MdtSection, number>
}

const place = structural(shownAs(u32, (offset) => (offset === 0xffffffff ? '0xFFFFFFFF' : offset)))
const HEADER = record(
  {
    magic: magic('MDT\0', () => say('codecs.mdt.noMagic'), 'MDT'),
    headerSize: structural(u32),
    size: structural(u32),
    'vertices.count': structural(u32),
    'vertices.offset': place,
    'normals.count': structural(u32),
    'normals.offset': place,
    'colors.count': structural(u32),
    'colors.offset': place,
    'faces.count': named('faces.byteSize', structural(u32)),
    'faces.offset': place,
    'uvs.count': structural(u32),
    'uvs.offset': place,
    'materials.count': structural(u32),
    'materials.offset': place,
    unused3C: flags32,
  },
  { unknown: ['unused3C'], notes: { unused3C: () => say('codecs.mdt.garbage') } },
)
const FACES = record(
  { unknown0: u32, headerSize: structural(u32), primCount: structural(u32), unknownC: u32 },
  { unknown: ['unknown0', 'unknownC'], notes: { unknown0: () => say('codecs.mdt.unknown0') } },
)
/** A primitive up to its indices. */
const PRIMITIVE_HEAD = record(
  { type: structural(flags32), corners: structural(u32), material: reference(u32, 'materials') },
  { notes: { type: (type: number) => cornerRoles(type).join(', ') } },
)
const MATERIAL = record(
  {
    values: floatRuns({
      diffuse: { count: 4, use: { is: 'color', order: 'rgba' } },
      unknown10: { count: 4, unknown: true, note: () => say('codecs.mdt.unknownFlags') },
      unknown20: { count: 4, unknown: true },
      unknown30: { count: 1, unknown: true, note: () => say('codecs.mdt.unknown50') },
    }),
    name: named('texture', text(32)),
    unknown54: i32,
    unknown58: u32s(2),
  },
  { unknown: ['unknown54', 'unknown58'] },
)
export const MDT_HEADER = HEADER.size

const SECTIONS: readonly MdtSection[] = ['vertices', 'normals', 'colors', 'faces', 'uvs', 'materials']

/** Fields of the header that say how much a section holds, and where it stands. */
const COUNT = {
  vertices: 'vertices.count',
  normals: 'normals.count',
  colors: 'colors.count',
  faces: 'faces.count',
  uvs: 'uvs.count',
  materials: 'materials.count',
} as const
const OFFSET = {
  vertices: 'vertices.offset',
  normals: 'normals.offset',
  colors: 'colors.offset',
  faces: 'faces.offset',
  uvs: 'uvs.offset',
  materials: 'materials.offset',
} as const

export function primitiveStride(type: number): number {
  return 3 + (type & PRIMITIVE.color ? 1 : 0) - (type & PRIMITIVE.noNormal ? 1 : 0) - (type & PRIMITIVE.noUv ? 1 : 0)
}

/** Reads the MDT in [r.start, r.end). Throws FormatError where the fields do not fit; the caller then keeps the mesh raw. */
export function decodeMdt(r: Reader, diagnostics: Diagnostics): MdtNode {
  const start = r.start
  const head = HEADER.read(r)
  const { headerSize, size, unused3C } = head
  if (size < MDT_HEADER || size > r.end - start)
    r.fail('bad-count', say('codecs.mdt.size', { size, there: r.end - start }), 'size', {
      offset: start + HEADER.at.size,
      expected: `${MDT_HEADER}..${r.end - start}`,
      actual: String(size),
    })
  const stride: Record<MdtSection, number> = { vertices: 16, normals: 16, colors: 16, faces: 1, uvs: 16, materials: MATERIAL.size }
  const placed = SECTIONS.filter((section) => head[COUNT[section]] > 0)
    .map((section) => {
      const from = head[OFFSET[section]]
      return { section, from, to: from + head[COUNT[section]] * stride[section] }
    })
    .sort((a, b) => a.from - b.from)
  const mdt: MdtNode = {
    headerSize,
    unused3C,
    vertices: new Float32Array(0),
    normals: new Float32Array(0),
    colors: new Float32Array(0),
    uvs: new Float32Array(0),
    materials: [],
    parts: [],
    absentOffset: { vertices: 0, normals: 0, colors: 0, faces: 0, uvs: 0, materials: 0 },
  }
  for (const section of SECTIONS) if (!head[COUNT[section]]) mdt.absentOffset[section] = head[OFFSET[section]]
  let at = MDT_HEADER
  for (const { section, from, to } of placed) {
    if (from < at || to > size) {
      r.fail('bad-count', say('codecs.mdt.section', { section, from, to, start: at, end: size }), section, {
        offset: start + HEADER.at[COUNT[section]],
        expected: `${at}..${size}`,
        actual: `${from}..${to}`,
      })
    }
    if (from > at) mdt.parts.push({ kind: 'pad', bytes: r.bytes.slice(start + at, start + from) })
    r.seek(start + from, section)
    if (section === 'faces') mdt.faces = decodeFaces(r.sub(start + from, start + to, 'faces'))
    else if (section === 'materials') {
      mdt.materials = r.each('materials', head['materials.count'], () => MATERIAL.read(r))
    } else mdt[section] = r.f32s(4 * head[COUNT[section]], section)
    mdt.parts.push({ kind: section })
    at = to
  }
  if (at < size) mdt.parts.push({ kind: 'pad', bytes: r.bytes.slice(start + at, start + size) })
  checkIndices(mdt, r, diagnostics)
  return mdt
}

function decodeFaces(r: Reader): MdtFaces {
  const { unknown0, headerSize, primCount, unknownC } = FACES.read(r)
  if (headerSize < FACES.size)
    r.fail('bad-value', say('codecs.mdt.faceHeader', { size: headerSize }), 'headerSize', {
      offset: r.start + FACES.at.headerSize,
      expected: '16',
      actual: String(headerSize),
    })
  const headerExtra = r.take(headerSize - FACES.size, 'headerExtra')
  r.count(primCount, PRIMITIVE_HEAD.size, 'primCount')
  const first = r.position
  // one copy of the section; the indices of a primitive are a window on it
  const words = r.i32s(Math.floor(r.remaining / 4))
  r.seek(first)
  const primitives = r.each('primitives', primCount, (): MdtPrimitive => {
    const primitive = PRIMITIVE_HEAD.read(r)
    const { type, corners } = primitive
    const stride = primitiveStride(type)
    r.count(corners, 4 * stride, 'corners')
    const from = (r.position - first) / 4
    r.skip(4 * corners * stride, 'indices')
    return { ...primitive, indices: words.subarray(from, from + corners * stride) }
  })
  return { unknown0, headerSize, unknownC, headerExtra, primitives, tail: r.rest() }
}

/** Of every `stride`-th index from `first` on, those that are not below `limit`. */
function countOutside(indices: Int32Array, first: number, stride: number, limit: number): number {
  let outside = 0
  // a negative one is a large one without its sign
  for (let i = first; i < indices.length; i += stride) if (indices[i] >>> 0 >= limit) outside++
  return outside
}

/** Says so, once per kind, when a primitive points outside its arrays. */
function checkIndices(mdt: MdtNode, r: Reader, diagnostics: Diagnostics): void {
  if (!mdt.faces) return
  const limits = { position: mdt.vertices.length / 4, normal: mdt.normals.length / 4, uv: mdt.uvs.length / 4, color: mdt.colors.length / 4 }
  const bad: Record<string, number> = {}
  for (const primitive of mdt.faces.primitives) {
    const roles = cornerRoles(primitive.type)
    const { indices } = primitive
    roles.forEach((role, first) => {
      const outside = countOutside(indices, first, roles.length, limits[role])
      if (outside > 0) bad[role] = (bad[role] ?? 0) + outside
    })
    if (primitive.material >= mdt.materials.length && mdt.materials.length > 0) bad.material = (bad.material ?? 0) + 1
  }
  for (const [role, times] of Object.entries(bad))
    diagnostics.add('error', 'level5.mdt-index', say('codecs.mdt.indicesOutside', { count: times, role }), r.path('faces'), r.start)
}

export type CornerRole = 'position' | 'normal' | 'uv' | 'color'

/** What the words of a corner index, in their order. */
export function cornerRoles(type: number): CornerRole[] {
  const roles: CornerRole[] = ['position']
  if (!(type & PRIMITIVE.noNormal)) roles.push('normal')
  if (!(type & PRIMITIVE.noUv)) roles.push('uv')
  if (type & PRIMITIVE.color) roles.push('color')
  return roles
}

/** Corners (ordinals within the primitive) of its triangles, counter-clockwise; empty for kinds that are no triangles. */
export function triangleCorners(primitive: MdtPrimitive): Uint32Array {
  const n = primitive.indices.length / primitiveStride(primitive.type)
  const kind = primitive.type & 7
  if (kind === PRIMITIVE.list) {
    const out = new Uint32Array(n - (n % 3))
    for (let i = 0; i < out.length; i++) out[i] = i
    return out
  }
  if ((kind !== PRIMITIVE.strip && kind !== PRIMITIVE.fan) || n < 3) return new Uint32Array(0)
  const out = new Uint32Array(3 * (n - 2))
  for (let i = 0; i + 2 < n; i++) {
    // strips alternate: the second and every other triangle is turned round [V]
    out[3 * i] = kind === PRIMITIVE.fan ? 0 : i % 2 ? i + 1 : i
    out[3 * i + 1] = kind === PRIMITIVE.fan ? i + 1 : i % 2 ? i : i + 1
    out[3 * i + 2] = i + 2
  }
  return out
}

function partSize(mdt: MdtNode, part: MdtPart): number {
  switch (part.kind) {
    case 'pad':
      return part.bytes.length
    case 'faces':
      return mdt.faces ? facesSize(mdt.faces) : 0
    case 'materials':
      return mdt.materials.length * MATERIAL.size
    default:
      return mdt[part.kind].byteLength
  }
}

export function facesSize(faces: MdtFaces): number {
  return (
    FACES.size +
    faces.headerExtra.length +
    faces.primitives.reduce((sum, p) => sum + PRIMITIVE_HEAD.size + p.indices.byteLength, 0) +
    faces.tail.length
  )
}

/** Offset of each section from the MDT's start, and its whole size, as encode would write them now. */
export function mdtLayout(mdt: MdtNode): { offset: Record<MdtSection, number>; size: number } {
  const offset = { ...mdt.absentOffset }
  let at = MDT_HEADER
  for (const part of mdt.parts) {
    if (part.kind !== 'pad') offset[part.kind] = at
    at += partSize(mdt, part)
  }
  return { offset, size: at }
}

/** What the header says of a section: bytes of faces, items of the others. */
function countOf(mdt: MdtNode, section: MdtSection): number {
  if (section === 'faces') return mdt.faces ? facesSize(mdt.faces) : 0
  return section === 'materials' ? mdt.materials.length : mdt[section].length / 4
}

/** As encode would write it now. */
function headOf(mdt: MdtNode): ValueOf<typeof HEADER> {
  const { offset, size } = mdtLayout(mdt)
  const places = SECTIONS.flatMap((section) => [
    [COUNT[section], countOf(mdt, section)],
    [OFFSET[section], offset[section]],
  ])
  return { ...mdt, size, ...Object.fromEntries(places) } as ValueOf<typeof HEADER>
}

const facesHead = (faces: MdtFaces): ValueOf<typeof FACES> => ({ ...faces, primCount: faces.primitives.length })

export function encodeMdt(mdt: MdtNode, out: Writer): void {
  HEADER.write(out, headOf(mdt))
  for (const part of mdt.parts) {
    if (part.kind === 'pad') out.opaque(part.bytes)
    else if (part.kind === 'faces') encodeFaces(mdt.faces!, out)
    else if (part.kind === 'materials') {
      for (const material of mdt.materials) MATERIAL.write(out, material)
    } else out.raw(mdt[part.kind])
  }
}

function encodeFaces(faces: MdtFaces, out: Writer): void {
  FACES.write(out, facesHead(faces))
  if (faces.headerExtra.length) out.opaque(faces.headerExtra)
  for (const primitive of faces.primitives) {
    PRIMITIVE_HEAD.write(out, primitive)
    out.raw(primitive.indices)
  }
  if (faces.tail.length) out.opaque(faces.tail)
}

export function materialName(material: MdtMaterial): string {
  return fieldText(material.name)
}

export function triangleCount(mdt: MdtNode): number {
  let sum = 0
  for (const p of mdt.faces?.primitives ?? []) {
    const kind = p.type & 7
    const n = p.indices.length / primitiveStride(p.type)
    if (kind === PRIMITIVE.list) sum += Math.floor(n / 3)
    else if ((kind === PRIMITIVE.strip || kind === PRIMITIVE.fan) && n >= 3) sum += n - 2
  }
  return sum
}

/** A 32-byte name field. Throws `invalid-edit` when the name does not fit or cannot be encoded. */
export function nameField(name: string, size = 32): Uint8Array {
  const bytes = encodeText(name)
  if (bytes.length >= size)
    throw new FormatError('invalid-edit', say('codecs.mdt.nameTooLong', { name, count: bytes.length, most: size - 1 }))
  const out = new Uint8Array(size)
  out.set(bytes)
  return out
}

export function describeMdt(mdt: MdtNode, name: string, start: number): StructureNode {
  const fields = HEADER.describe(headOf(mdt), start)
  const children: StructureNode[] = []
  let at = start + MDT_HEADER
  let pads = 0
  for (const part of mdt.parts) {
    const end = at + partSize(mdt, part)
    if (part.kind === 'pad')
      children.push(
        node(`slack[${pads++}]`, say('formats.nodes.slack'), { start: at, end }, leftover('bytes', at, part.bytes), [], { opaque: true }),
      )
    else if (part.kind === 'faces') children.push(describeFaces(mdt.faces!, at, end))
    else if (part.kind === 'materials') mdt.materials.forEach((m, i) => children.push(describeMaterial(m, i, at + MATERIAL.size * i)))
    else {
      const unknown = part.kind === 'colors'
      children.push(
        node(part.kind, `vec4 x ${mdt[part.kind].length / 4}`, { start: at, end }, [
          field(
            'values',
            `f32[4] x ${mdt[part.kind].length / 4}`,
            at,
            end - at,
            mdt[part.kind],
            unknown ? { unknown, note: say('codecs.mdt.colourRange') } : {},
          ),
        ]),
      )
    }
    at = end
  }
  return node(name, 'MDT', { start, end: at }, fields, children, {
    summary: [say('formats.vertices', { count: mdt.vertices.length / 4 }), say('formats.triangles', { count: triangleCount(mdt) })].join(
      ', ',
    ),
  })
}

function describeFaces(faces: MdtFaces, start: number, end: number): StructureNode {
  let at = start + FACES.size
  const fields = [...FACES.describe(facesHead(faces), start), ...leftover('headerExtra', at, faces.headerExtra)]
  at += faces.headerExtra.length
  const children = faces.primitives.map((p, i) => {
    const size = PRIMITIVE_HEAD.size + p.indices.byteLength
    const kind =
      { 3: say('codecs.mdt.list'), 4: say('codecs.mdt.strip'), 5: say('codecs.mdt.fan') }[p.type & 7] ??
      say('codecs.mdt.primitive', { type: p.type & 7 })
    const out = node(
      `primitives[${i}]`,
      kind,
      { start: at, end: at + size },
      [
        ...PRIMITIVE_HEAD.describe(p, at),
        field('indices', `i32[${primitiveStride(p.type)}] x ${p.corners}`, at + PRIMITIVE_HEAD.size, p.indices.byteLength, p.indices),
      ],
      [],
      { summary: say('codecs.mdt.corners', { count: p.corners }) },
    )
    at += size
    return out
  })
  fields.push(...leftover('tail', at, faces.tail))
  return node('faces', say('formats.nodes.faces'), { start, end }, fields, children, {
    summary: say('codecs.mdt.primitives', { count: faces.primitives.length }),
  })
}

function describeMaterial(m: MdtMaterial, i: number, at: number): StructureNode {
  return node(`materials[${i}]`, say('formats.nodes.material'), { start: at, end: at + MATERIAL.size }, MATERIAL.describe(m, at), [], {
    summary: materialName(m),
  })
}
