/**
 * TIM2 (.tm2): the PS2's picture. File header 0x10 (picture header at 0x80 when `format` is 1), then per picture a header of
 * 0x30 or more, the image, the CLUT. The header's total size is wrong in all samples (65584 for 17456 [V]): sizes come from
 * the parts. Pixels of 8-bit pictures may be swizzled for the PS2's memory without any flag saying so [V].
 */
import { extensionOf, withoutExtension } from '../../../../shared/ref.ts'
import { Reader } from '../../../binary/reader.ts'
import { bytes, magic, record, u16, u32, u32s, u8 } from '../../../binary/layout.ts'
import { structural } from '../../../binary/field-use.ts'
import { Diagnostics } from '../../format.ts'
import { field, leftover, node, paletteUse, pixelsUse } from '../../../binary/structure.ts'
import { levelExtent } from '../../image/pixels.ts'
import { pixelLabel } from './tim2-pixels.ts'
import { say } from '../texts/index.ts'
import type { Writer } from '../../../binary/writer.ts'
import type { FieldUse } from '../../../../shared/api/types/structure.ts'
import type { Document, FileFormat, StructureNode } from '../../format.ts'

const HEADER = record(
  {
    magic: magic('TIM2', () => say('codecs.tim2.noMagic')),
    version: u8,
    format: structural(u8),
    pictureCount: structural(u16),
    reserved: bytes(8),
  },
  { unknown: ['reserved'] },
)

const PICTURE = record(
  {
    totalSize: structural(u32),
    clutSize: structural(u32),
    imageSize: structural(u32),
    headerSize: structural(u16),
    clutColors: structural(u16),
    pictureFormat: structural(u8),
    mipMaps: structural(u8),
    clutType: structural(u8),
    imageType: structural(u8),
    width: structural(u16),
    height: structural(u16),
    gs: { ...u32s(6), type: 'u64, u64, u32, u32' },
  },
  {
    notes: {
      totalSize: (total: number, p) => (total === partsOf(p) ? undefined : say('codecs.tim2.totalNote', { size: partsOf(p) })),
      clutType: (type: number) => (type & 0x80 ? say('codecs.tim2.inOrder') : say('codecs.tim2.crosswise')),
      imageType: (type: number) => pixelLabel(type),
    },
  },
)

export const PICTURE_HEADER = PICTURE.size
const partsOf = (p: { headerSize: number; imageSize: number; clutSize: number }): number => p.headerSize + p.imageSize + p.clutSize

export interface Tim2Picture {
  /** as stored: wrong in the samples, never used to find anything but a gap */
  totalSize: number
  clutSize: number
  imageSize: number
  headerSize: number
  clutColors: number
  pictureFormat: number
  mipMaps: number
  /** low 6 bits pixel type; bit 7 set: colours stand in order (CSM2) */
  clutType: number
  imageType: number
  width: number
  height: number
  /** u64 GsTex0, u64 GsTex1, u32 GsTexaFbaPabe, u32 GsTexClut: bits */
  gs: Uint32Array
  /** header bytes beyond 0x30: the mip-map header of a picture with several levels, user space */
  headerExtra: Uint8Array
  image: Uint8Array
  clut: Uint8Array
  /** bytes up to the next picture */
  gap: Uint8Array
}

export interface Tim2Node {
  version: number
  /** 1: the first picture header stands at 0x80 */
  format: number
  /** as stored; pictures that are not there are reported */
  pictureCount: number
  reserved: Uint8Array
  headerPad: Uint8Array
  pictures: Tim2Picture[]
  trailing: Uint8Array
}

export interface Tim2Document extends Document {
  readonly format: 'level5.tim2'
  tim2: Tim2Node
}

/** Reads [r.start, r.end). Throws FormatError. */
export function decodeTim2(r: Reader, diagnostics: Diagnostics): Tim2Node {
  const start = r.start
  const head = HEADER.read(r)
  const { format, pictureCount } = head
  const headerPad = format === 1 ? r.take(0x70, 'headerPad') : new Uint8Array(0)
  const tim2: Tim2Node = { ...head, headerPad, pictures: [], trailing: new Uint8Array(0) }
  for (let i = 0; i < pictureCount; i++) {
    const at = r.position
    if (i > 0 && r.remaining < PICTURE_HEADER) {
      diagnostics.add(
        'warning',
        'level5.tim2-pictures',
        say('codecs.tim2.fewerPictures', { announced: pictureCount, there: i }),
        r.path('pictureCount'),
        start + HEADER.at.pictureCount,
      )
      break
    }
    const picture = r.within(`pictures[${i}]`, () => {
      const own = PICTURE.read(r)
      const { totalSize, clutSize, imageSize, headerSize } = own
      if (headerSize < PICTURE_HEADER)
        r.fail('bad-value', say('codecs.tim2.headerSize', { size: headerSize }), 'headerSize', {
          offset: at + PICTURE.at.headerSize,
          expected: '48',
          actual: String(headerSize),
        })
      const headerExtra = r.take(headerSize - PICTURE_HEADER, 'headerExtra')
      const image = r.take(imageSize, 'image')
      const clut = r.take(clutSize, 'clut')
      const real = partsOf(own)
      // a total that is larger than the parts means padding, but only if a picture really follows it
      const pad =
        i + 1 < pictureCount &&
        totalSize > real &&
        totalSize - real <= r.remaining &&
        looksLikePicture(r, at + totalSize) &&
        !looksLikePicture(r, r.position)
          ? totalSize - real
          : 0
      const gap = r.take(pad, 'gap')
      if (totalSize !== real && pad === 0)
        diagnostics.add(
          'info',
          'level5.tim2-total',
          say('codecs.tim2.totalSize', { total: totalSize, parts: real }),
          r.path('totalSize'),
          at,
        )
      return { ...own, headerExtra, image, clut, gap }
    })
    tim2.pictures.push(picture)
  }
  tim2.trailing = r.rest()
  return tim2
}

function looksLikePicture(r: Reader, at: number): boolean {
  if (at + PICTURE_HEADER > r.end) return false
  const { headerSize, imageType, clutSize, imageSize } = PICTURE.read(r.sub(at, r.end))
  return (
    headerSize >= PICTURE_HEADER &&
    headerSize % 16 === 0 &&
    imageType >= 1 &&
    imageType <= 5 &&
    headerSize + clutSize + imageSize <= r.end - at
  )
}

export function encodeTim2(tim2: Tim2Node, out: Writer): void {
  HEADER.write(out, tim2)
  if (tim2.headerPad.length) out.opaque(tim2.headerPad)
  for (const p of tim2.pictures) {
    PICTURE.write(out, p)
    const mips = mipHeaderSize(p)
    out.raw(p.headerExtra.subarray(0, mips))
    if (p.headerExtra.length > mips) out.opaque(p.headerExtra.subarray(mips))
    out.raw(p.image)
    out.raw(p.clut)
    if (p.gap.length) out.opaque(p.gap)
  }
  if (tim2.trailing.length) out.opaque(tim2.trailing)
}

/**
 * Bytes of the mip-map header behind the picture header: two u64 registers, then a u32 size for each level, the full one first. The whole
 * header is rounded up to 16, so fewer bytes than that mean that there is none.
 */
function mipHeaderSize(p: Tim2Picture): number {
  const size = 16 + 4 * p.mipMaps
  return p.mipMaps > 1 && p.headerExtra.length >= size ? size : 0
}

/** The pixels of each level where the mip-map header tells their sizes, else all of them. */
function levelsOf(p: Tim2Picture): { path: string; data: Uint8Array; width: number; height: number }[] {
  const mips = mipHeaderSize(p)
  const sizes = [...new Uint32Array(p.headerExtra.slice(16, mips || 16).buffer)]
  if (sizes.length < 2 || sizes.reduce((sum, size) => sum + size, 0) !== p.image.length)
    return [{ path: 'image', data: p.image, width: p.width, height: p.height }]
  let at = 0
  return sizes.map((size, i) => {
    const data = p.image.subarray(at, (at += size))
    return { path: `levels[${i}].image`, data, width: levelExtent(p.width, i), height: levelExtent(p.height, i) }
  })
}

export function tim2Size(tim2: Tim2Node): number {
  return (
    HEADER.size +
    tim2.headerPad.length +
    tim2.pictures.reduce((n, p) => n + PICTURE_HEADER + p.headerExtra.length + p.image.length + p.clut.length + p.gap.length, 0) +
    tim2.trailing.length
  )
}

export function describeTim2(tim2: Tim2Node, name: string, start: number): StructureNode {
  let at = start + HEADER.size
  const fields = [...HEADER.describe(tim2, start), ...leftover('headerPad', at, tim2.headerPad)]
  at += tim2.headerPad.length
  const children = tim2.pictures.map((p, i) => {
    const from = at
    const list = PICTURE.describe(p, from)
    at += PICTURE_HEADER
    const bulk = (path: string, data: Uint8Array, use?: FieldUse): void => {
      if (!use) list.push(...leftover(path, at, data))
      else if (data.length) list.push(field(path, `u8[${data.length}]`, at, data.length, data, { use }))
      at += data.length
    }
    const mips = mipHeaderSize(p)
    if (mips) {
      list.push(field('mipTbp', 'u64[2]', at, 16, p.headerExtra.subarray(0, 16)))
      list.push(field('mipSizes', `u32[${p.mipMaps}]`, at + 16, mips - 16, new Uint32Array(p.headerExtra.slice(16, mips).buffer)))
      at += mips
    }
    bulk('headerExtra', p.headerExtra.subarray(mips))
    for (const { path, data, width, height } of levelsOf(p)) bulk(path, data, pixelsUse(width, height, pixelLabel(p.imageType)))
    bulk('clut', p.clut, paletteUse(p.clutColors))
    bulk('gap', p.gap)
    return node(`pictures[${i}]`, say('formats.nodes.picture'), { start: from, end: at }, list, [], {
      summary: say('codecs.tim2.picture', { width: p.width, height: p.height, pixels: pixelLabel(p.imageType) }),
    })
  })
  fields.push(...leftover('trailing', at, tim2.trailing))
  return node(name, 'TIM2', { start, end: at + tim2.trailing.length }, fields, children, { summary: children[0]?.summary })
}

export const tim2Format: FileFormat<Tim2Document> = {
  id: 'level5.tim2',
  get label() {
    return say('codecs.tim2.label')
  },
  family: 'level5',
  kind: 'texture',
  extensions: ['tm2', 'tim2'],
  identify(head, name) {
    if (head.length < 0x10 || head[0] !== 0x54 || head[1] !== 0x49 || head[2] !== 0x4d || head[3] !== 0x32) return 0
    return ['tm2', 'tim2'].includes(extensionOf(name)) || head[4] <= 4 ? 0.95 : 0.7
  },
  decode(bytes, ref) {
    const diagnostics = new Diagnostics(ref)
    return { format: 'level5.tim2', ref, diagnostics: diagnostics.list, tim2: decodeTim2(new Reader(bytes, ref), diagnostics) }
  },
  encode: (document, out) => encodeTim2(document.tim2, out),
  describe: (document) => describeTim2(document.tim2, '', 0),
  summarize(document) {
    const stem = withoutExtension(document.ref)
    return {
      textures: document.tim2.pictures.map((p) => ({ name: stem, width: p.width, height: p.height, format: pixelLabel(p.imageType) })),
      provides: stem ? [`level5.texture:${stem}`] : [],
      note: document.tim2.pictures.map((p) => `${p.width} x ${p.height} ${pixelLabel(p.imageType)}`).join(', '),
    }
  },
}
