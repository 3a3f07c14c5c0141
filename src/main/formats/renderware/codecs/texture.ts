/** Texture Struct and String chunks. */
import { nameOf } from '../../../binary/reader.ts'
import { flags32 } from '../../../binary/layout.ts'
import { bitsOf } from '../../../binary/field-use.ts'
import { struct } from './struct.ts'
import { say } from '../texts/index.ts'
import type { ChunkText } from '../texts/chunks.ts'
import type { LeafCodec } from './chunk.ts'

const FILTERS = ['none', 'nearest', 'linear', 'mipNearest', 'mipLinear', 'linearMipNearest', 'linearMipLinear']
const ADDRESSES = ['none', 'wrap', 'mirror', 'clamp', 'border']

/** u32: bits 0-7 filter, 8-11 address U, 12-15 address V (0 copies U), bit 16 no automatic mips. */
export const textureStruct = struct(
  'texture',
  {
    filterAddressing: bitsOf(flags32, { noAutoMips: 0x10000 }, [
      { name: 'filter', at: 0, width: 8, values: FILTERS },
      { name: 'addressU', at: 8, width: 4, values: ADDRESSES },
      { name: 'addressV', at: 12, width: 4, values: ADDRESSES },
    ]),
  },
  { notes: { filterAddressing: (word: number) => addressingText(word) } },
)

export function addressingText(word: number): string {
  const name = (list: string[], i: number): string => list[i] ?? String(i)
  return say('codecs.addressing', {
    filter: name(FILTERS, word & 0xff),
    u: name(ADDRESSES, (word >>> 8) & 0xf),
    v: name(ADDRESSES, (word >>> 12) & 0xf),
  })
}

/** How a scene wraps: V = 0 means as U [librw]; border counts as clamp. */
export function wrapModes(word: number): { u: 'repeat' | 'clamp' | 'mirror'; v: 'repeat' | 'clamp' | 'mirror' } {
  const mode = (n: number): 'repeat' | 'clamp' | 'mirror' => (n === 2 ? 'mirror' : n >= 3 ? 'clamp' : 'repeat')
  const u = (word >>> 8) & 0xf
  return { u: mode(u), v: mode((word >>> 12) & 0xf || u) }
}

/** Raw bytes of a name; what follows the first NUL is junk of its writer and is kept. */
export interface NameValue {
  bytes: Uint8Array
}

/** San Andreas keeps 24 bytes of a frame's name, and overwrites what stands behind them; dictionaries hold 32 of a texture's. Both with a NUL. */
export const MOST_FRAME_NAME = 23
export const MOST_TEXTURE_NAME = 31

function nameCodec(id: ChunkText): LeafCodec<NameValue> {
  return {
    id,
    fixed: -1,
    direct: true,
    read: (r, scope) => ({ bytes: r.take(scope.size) }),
    write: (v, out) => out.raw(v.bytes),
    fields(v, list) {
      if (v.bytes.length)
        list.add(id === 'nodeName' ? 'name' : 'text', `char[${v.bytes.length}]`, v.bytes.length, nameOf(v.bytes), {
          use: {
            is: 'text',
            form: 'whole',
            most: id === 'nodeName' ? MOST_FRAME_NAME : MOST_TEXTURE_NAME,
            ...(id === 'string' ? { unit: 4 } : {}),
          },
        })
    },
  }
}

export const stringLeaf = nameCodec('string')
/** Frame name: characters without a terminator in the games' own files, padded with NUL by some exporters. */
export const nodeName = nameCodec('nodeName')
