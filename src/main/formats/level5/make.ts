/** New files of the family from plain data. */
import { concat } from '../../binary/concat.ts'
import { FormatError } from '../../binary/format-error.ts'
import { HEADER as IMG_HEADER, emptyTable, entrySize } from './codecs/img.ts'
import { MDS_HEADER, NODE_SIZE } from './codecs/mds.ts'
import { MDT_HEADER, PRIMITIVE, facesSize, mdtLayout, nameField, primitiveStride } from './codecs/mdt.ts'
import { checkName, numberText } from './codecs/cfg-keys.ts'
import { ascii, quoted } from './codecs/cfg-text.ts'
import { encodeText } from './codecs/names.ts'
import { PICTURE_HEADER, tim2Size } from './codecs/tim2.ts'
import { PIXEL, setPixels } from './codecs/tim2-pixels.ts'
import { newTrackList } from './codecs/tracks.ts'
import { say } from './texts/index.ts'
import type { BbpDocument } from './codecs/bbp.ts'
import type { CfgKeyValues } from './codecs/cfg-keys.ts'
import type { CfgDialect } from './codecs/cfg-text.ts'
import type { ImgDocument, ImgMagic } from './codecs/img.ts'
import type { MdsDocument } from './codecs/mds.ts'
import type { MdtFaces, MdtMaterial, MdtNode } from './codecs/mdt.ts'
import type { MotDocument } from './codecs/mot.ts'
import type { Tim2Node, Tim2Picture } from './codecs/tim2.ts'
import type { TrackNode } from './codecs/tracks.ts'
import type { WgtDocument } from './codecs/wgt.ts'

/**
 * A new MDS.
 * @param nodes in order, parents before children; `matrix` is the local one, column-major for column vectors (identity when absent)
 */
export function newMds(
  nodes: readonly { name: string; parent: number; matrix?: ArrayLike<number>; mdt?: MdtNode }[],
  ref = '',
): MdsDocument {
  const document: MdsDocument = {
    format: 'level5.mds',
    ref,
    diagnostics: [],
    version: 1,
    tableOffset: MDS_HEADER,
    tableGap: new Uint8Array(0),
    nodes: [],
    sections: [],
  }
  nodes.forEach((n, index) => {
    let section = -1
    if (n.mdt) {
      section = document.sections.length
      document.sections.push({ kind: 'mdt', mdt: n.mdt })
      const slack = -mdtLayout(n.mdt).size & 15
      if (slack) document.sections.push({ kind: 'gap', bytes: new Uint8Array(slack) })
    }
    document.nodes.push({
      range: { start: 0, end: 0 },
      index,
      recordSize: NODE_SIZE,
      name: nameField(n.name),
      mdtOffset: 0,
      section,
      parent: n.parent,
      matrix: n.matrix ? Float32Array.from(n.matrix) : new Float32Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]),
    })
  })
  return document
}

export function newMaterial(init: { texture: string; diffuse?: readonly [number, number, number, number] }): MdtMaterial {
  return {
    values: new Float32Array([...(init.diffuse ?? [1, 1, 1, 1]), 1, 1, 1, 0, 0, 0, 0, 0, 50]),
    name: nameField(init.texture),
    unknown54: 0,
    unknown58: new Uint32Array(2),
  }
}

/**
 * A mesh from triangles. Positions and normals are in the space of the node that owns it.
 * @param init.positions 3 per vertex; init.normals 3 per normal; init.uvs 2 per uv (v = 0 top row)
 * @param init.primitives corners in the order position, normal, uv (each an index into its array)
 */
export function newMdt(init: {
  positions: ArrayLike<number>
  normals: ArrayLike<number>
  uvs: ArrayLike<number>
  /** RGBA 0..1, 4 per colour */
  colors?: ArrayLike<number>
  materials: MdtMaterial[]
  primitives: { type?: number; material: number; indices: ArrayLike<number> }[]
}): MdtNode {
  const faces: MdtFaces = {
    unknown0: 0,
    headerSize: 0x10,
    unknownC: 0,
    headerExtra: new Uint8Array(0),
    tail: new Uint8Array(0),
    primitives: init.primitives.map((p) => {
      const type = p.type ?? PRIMITIVE.list
      const indices = Int32Array.from(p.indices)
      return { type, corners: indices.length / primitiveStride(type), material: p.material, indices }
    }),
  }
  for (const p of faces.primitives)
    if (!Number.isInteger(p.corners))
      throw new FormatError('invalid-argument', say('make.corners', { count: p.indices.length, type: p.type }))
  const mdt: MdtNode = {
    headerSize: MDT_HEADER,
    unused3C: 0,
    vertices: vec4(init.positions, 3, [0, 0, 0, 1]),
    normals: vec4(init.normals, 3, [0, 0, 0, 1]),
    uvs: vec4(init.uvs, 2, [0, 0, 1, 0]),
    colors: vec4(init.colors ?? [], 4, [0, 0, 0, 0]),
    faces,
    materials: init.materials,
    parts: [],
    absentOffset: { vertices: 0, normals: 0, colors: 0xffffffff, faces: 0, uvs: 0, materials: 0 },
  }
  // the order of the samples; every section starts at a multiple of 16
  const slack = -facesSize(faces) & 15
  for (const kind of ['vertices', 'faces', 'normals', 'uvs', 'colors', 'materials'] as const) {
    if (kind === 'faces') {
      mdt.parts.push({ kind })
      if (slack) mdt.parts.push({ kind: 'pad', bytes: new Uint8Array(slack) })
    } else if (mdt[kind].length) mdt.parts.push({ kind })
  }
  return mdt
}

function vec4(values: ArrayLike<number>, width: number, fill: readonly [number, number, number, number]): Float32Array {
  const n = values.length / width
  if (!Number.isInteger(n)) throw new FormatError('invalid-argument', say('make.columns', { count: values.length, width }))
  const out = new Float32Array(4 * n)
  for (let i = 0; i < n; i++) for (let c = 0; c < 4; c++) out[4 * i + c] = c < width ? values[i * width + c] : fill[c]
  return out
}

export function newMot(tracks: TrackNode[], ref = ''): MotDocument {
  return newTrackList('level5.mot', tracks, ref) as MotDocument
}

export function newWgt(groups: TrackNode[], ref = ''): WgtDocument {
  return newTrackList('level5.wgt', groups, ref) as WgtDocument
}

export function newBbp(matrices: Float32Array, ref = ''): BbpDocument {
  if (matrices.length % 16) throw new FormatError('invalid-argument', say('make.matrices', { count: matrices.length }))
  return { format: 'level5.bbp', ref, diagnostics: [], matrices, trailing: new Uint8Array(0) }
}

/** A picture table of named pictures. */
export function newImg(pictures: readonly { name: string; tim2: Tim2Node }[], magic: ImgMagic = 'IM2', ref = ''): ImgDocument {
  const { header } = emptyTable(magic)
  header.count = pictures.length
  const document: ImgDocument = { format: 'level5.img', ref, diagnostics: [], magic, header, entries: [], bodies: [] }
  const table = IMG_HEADER + pictures.length * entrySize(magic)
  let at = table
  const pad = (): void => {
    const slack = -at & 15
    if (slack) document.bodies.push({ kind: 'gap', bytes: new Uint8Array(slack) })
    at += slack
  }
  pad()
  for (const { name, tim2 } of pictures) {
    const size = tim2Size(tim2)
    const own = magic === 'IM3' ? { headerSize: entrySize(magic), size } : {}
    document.entries.push({ ...emptyTable(magic).entry, ...own, name: nameField(name), offset: at, body: document.bodies.length })
    document.bodies.push({ kind: 'tim2', tim2 })
    at += size
    pad()
  }
  return document
}

/** An 8-bit TIM2 (palette of 256 in CSM1 order) of a picture; swizzled as the samples are when asked for. */
export function newTim2FromRgba(width: number, height: number, rgba: Uint8Array, options: { swizzled?: boolean } = {}): Tim2Node {
  if (width < 1 || height < 1 || width > 0xffff || height > 0xffff || rgba.length !== 4 * width * height)
    throw new FormatError('invalid-argument', say('make.picture', { count: rgba.length, width, height }))
  const imageSize = width * height
  const picture: Tim2Picture = {
    totalSize: PICTURE_HEADER + imageSize + 1024,
    clutSize: 1024,
    imageSize,
    headerSize: PICTURE_HEADER,
    clutColors: 256,
    pictureFormat: 0,
    mipMaps: 1,
    clutType: PIXEL.rgb32,
    imageType: PIXEL.index8,
    width,
    height,
    gs: new Uint32Array(6),
    headerExtra: new Uint8Array(0),
    image: new Uint8Array(imageSize),
    clut: new Uint8Array(1024),
    gap: new Uint8Array(0),
  }
  setPixels(picture, width, height, rgba, options.swizzled ?? false)
  return {
    version: 3,
    format: 0,
    pictureCount: 1,
    reserved: new Uint8Array(8),
    headerPad: new Uint8Array(0),
    pictures: [picture],
    trailing: new Uint8Array(0),
  }
}

export interface NewCfg {
  images?: readonly string[]
  model: string
  /** nodes whose mesh is morphed or skinned: Dark Cloud 1 keeps a buffer for each */
  buffers?: readonly string[]
  bodySize?: readonly [number, number, number]
  motions: readonly { number: number; mot: string; bbp?: string; wgt?: string; keys: readonly CfgKeyValues[] }[]
}

/** The bytes of a script for a model, in the form of either game. */
export function newCfg(dialect: CfgDialect, init: NewCfg): Uint8Array {
  const end = dialect === 'dc2' ? ';\r\n' : '\r\n'
  const lines: Uint8Array[] = []
  const line = (text: string): number => lines.push(encodeText(text), ascii(end))
  const list = (...names: (string | undefined)[]): string => names.map((n) => `"${n ?? ''}"`).join(', ')
  init.images?.forEach((image, i) => line(`IMG ${i}, "${image}"`))
  if (init.images?.length) line('IMG_END')
  line(`MODEL "${init.model}"`)
  init.buffers?.forEach((node) => line(`ALLOC_DBUFF "${node}"`))
  if (init.bodySize) line(`BODY_SIZE ${init.bodySize.join(', ')}`)
  for (const motion of init.motions) {
    lines.push(ascii('\r\n'))
    line(`MOTION ${motion.number}, ${list(motion.mot, motion.bbp, motion.wgt)}`)
    line(dialect === 'dc2' ? 'KEY_START' : `KEY_START ${motion.number}`)
    for (const key of motion.keys) {
      checkName(key.name)
      const numbers = [numberText(key.start, undefined), numberText(key.end, undefined), numberText(key.speed, '0.00')]
      if (dialect === 'dc2') lines.push(ascii('KEY '), quoted(key.name), ascii(`, ${numbers.join(', ')};\r\n`))
      else
        lines.push(
          ascii(`KEY  ${numbers.join(',  ')}    `),
          key.name ? concat(Uint8Array, [ascii('//'), encodeText(key.name)]) : ascii(''),
          ascii('\r\n'),
        )
    }
    if (dialect === 'dc2') line('KEY_END')
    line('MOTION_END')
  }
  lines.push(ascii('\r\n'))
  return concat(Uint8Array, lines)
}
