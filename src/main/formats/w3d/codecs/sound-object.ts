/**
 * SOUNDROBJ: a sound that stands in a model. Its definition is what the game's own classes save: nested chunks with micro chunks, walked and
 * kept, its values not explained. After the released engine headers; no real file with one is known.
 */
import { nameOf } from '../../../binary/reader.ts'
import { ID } from './chunk-ids.ts'
import { containersOf, dataOf } from './chunk.ts'
import { chars, flags32, u32s } from '../../../binary/layout.ts'
import { struct, version } from './leaves.ts'
import { localChunks } from './local-chunks.ts'
import type { Chunk, LeafCodec } from './chunk.ts'

const SOUNDROBJ_HEADER = struct(
  ID.SOUNDROBJ_HEADER,
  { version, name: chars(16), flags: flags32, padding: u32s(8) },
  { unknown: ['padding'] },
)
const SOUNDROBJ_DEFINITION = localChunks(ID.SOUNDROBJ_DEFINITION, { names: { 0x100: 'variables', 0x200: 'baseClass' } })

export const soundObjectCodecs: readonly LeafCodec[] = [SOUNDROBJ_HEADER, SOUNDROBJ_DEFINITION]

export function soundObjectNames(document: { chunks: readonly Chunk[] }): string[] {
  return containersOf({ children: document.chunks }, ID.SOUNDROBJ).map((chunk) =>
    nameOf(dataOf(chunk, SOUNDROBJ_HEADER)?.name ?? new Uint8Array(0)),
  )
}
