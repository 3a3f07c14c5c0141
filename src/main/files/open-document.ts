/** Files as documents. */
import { FormatError } from '../binary/format-error.ts'
import { decodeVerified } from '../formats/format.ts'
import type { Document, FileFormat } from '../formats/format.ts'
import type { FileStore } from './store.ts'
import { say } from '../../shared/texts/say.ts'

/** Largest file that is decoded into a document. */
export const MAX_DOCUMENT = 256 * 2 ** 20

/** Decodes a file and proves that it can be written back (`decodeVerified`). @throws FormatError, `unsupported` for what no format knows and above 256 MiB */
export function openDocument(store: FileStore, ref: string): { document: Document; format: FileFormat; bytes: Uint8Array } {
  const { format, bytes } = readForDecoding(store, ref)
  return { document: decodeVerified(format, bytes, ref), format, bytes }
}

/** Format and body of a file that a codec can read. @throws FormatError as openDocument */
export function readForDecoding(store: FileStore, ref: string): { format: FileFormat; bytes: Uint8Array } {
  const source = store.source(ref)
  const found = store.registry.identify(store.headOf(source), store.nameOf(ref), source.size)
  if (!found?.format)
    throw new FormatError('unsupported', found ? say('files.isArchive', { format: found.archive.label }) : say('given.noFormat'), {
      file: ref,
      offset: 0,
    })
  if (source.size > MAX_DOCUMENT) {
    throw new FormatError('unsupported', say('files.tooLargeToDecode', { size: source.size, most: MAX_DOCUMENT }), {
      file: ref,
      expected: say('files.atMost', { most: MAX_DOCUMENT }),
      actual: String(source.size),
    })
  }
  return { format: found.format, bytes: source.read(0, source.size) }
}
