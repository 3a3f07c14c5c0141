/** Texture dictionaries (.txd). */
import { Reader } from '../../../binary/reader.ts'
import { extensionOf, withoutExtension } from '../../../../shared/ref.ts'
import { nameOf } from '../../../binary/reader.ts'
import { Diagnostics } from '../../format.ts'
import { childrenOf, valueOf } from './chunk.ts'
import { describeChunkFile } from './chunk-structure.ts'
import { HEAD } from './chunk.ts'
import { readChunkFile, writeChunkFile } from './chunk-file.ts'
import { ID, plausibleStamp } from './chunk-ids.ts'
import { leafCodec } from './leaves.ts'
import { PLATFORM, nativeTextureStruct, ps2RasterStruct, ps2Size, rasterText } from './texture-native.ts'
import { stringLeaf } from './texture.ts'
import { say } from '../texts/index.ts'
import type { Document, FileFormat, FileSummary } from '../../format.ts'
import type { Chunk } from './chunk.ts'
import type { ChunkFile } from './chunk-file.ts'
import type { TextureNative } from './texture-native.ts'

export interface TxdDocument extends Document, ChunkFile {
  readonly format: 'renderware.txd'
  roots: Chunk[]
  trailing: Uint8Array
}

/** A texture as models look for it. */
export interface TxdTexture {
  chunk: Chunk
  /** undefined where the Struct could not be read */
  native: TextureNative | undefined
  name: string
  mask: string
  width: number
  height: number
  format: string
}

/** Textures of all dictionaries of the file, in file order. */
export function texturesOf(document: TxdDocument): TxdTexture[] {
  const list: TxdTexture[] = []
  for (const root of document.roots) {
    for (const chunk of childrenOf(root, ID.textureNative)) {
      const structs = childrenOf(chunk, ID.struct)
      const native = valueOf(structs[0], nativeTextureStruct)
      if (native?.platform === PLATFORM.ps2) {
        const strings = childrenOf(chunk, ID.string).map((c) => nameOf(valueOf(c, stringLeaf)?.bytes ?? new Uint8Array(0)))
        const raster = valueOf(structs[1], ps2RasterStruct)
        const size = raster && ps2Size(raster)
        list.push({
          chunk,
          native,
          name: strings[0] ?? '',
          mask: strings[1] ?? '',
          width: size?.width ?? 0,
          height: size?.height ?? 0,
          format: 'PlayStation 2',
        })
      } else {
        list.push({
          chunk,
          native,
          name: native ? nameOf(native.name) : '',
          mask: native ? nameOf(native.mask) : '',
          width: native?.width ?? 0,
          height: native?.height ?? 0,
          format: native ? rasterText(native) : 'unknown',
        })
      }
    }
  }
  return list
}

export const txdFormat: FileFormat<TxdDocument> = {
  id: 'renderware.txd',
  get label() {
    return say('codecs.txd')
  },
  family: 'renderware',
  kind: 'texture',
  extensions: ['txd'],
  alone: true,
  identify(head, name, size) {
    // the data of an IMG archive of version 1 begins with its first member; its directory beside it tells
    if (extensionOf(name) === 'img') return 0.3
    if (head.length < 28) return 0
    const r = new Reader(head, '')
    const root = HEAD.read(r)
    if (root.type !== ID.texDictionary || !plausibleStamp(root.stamp)) return 0
    const first = HEAD.read(r)
    const begins = first.type === ID.struct && plausibleStamp(first.stamp)
    if ((root.size & 0xffffff) + HEAD.size > size) return begins ? 0.6 : 0
    return begins && first.size === 4 ? 0.98 : 0.5
  },
  decode(bytes, ref, memory) {
    const diagnostics = new Diagnostics(ref)
    const file = readChunkFile(Reader.owning(bytes, ref, memory), leafCodec, diagnostics)
    return { format: 'renderware.txd', ref, diagnostics: diagnostics.list, ...file }
  },
  encode: (document, out) => writeChunkFile(document, out),
  describe: (document) => describeChunkFile(document, say('codecs.txd')),
  summarize(document): FileSummary {
    const textures = texturesOf(document)
    const stem = withoutExtension(document.ref)
    return {
      textures: textures.map(({ name, width, height, format }) => ({ name, width, height, format })),
      provides: [`renderware.txd:${stem}`, ...new Set(textures.filter((t) => t.name).map((t) => `renderware.texture:${t.name}`))],
      counted: say('codecs.textureCount', { count: textures.length }),
    }
  },
}
