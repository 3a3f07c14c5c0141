/** Files of one folder in memory, for binders: what the neighbourhood asks of a store, and nothing else. */
import { basename, dirname } from 'node:path'
import { FormatError } from '../../src/main/binary/format-error.ts'
import { MemoryNeighbourhood } from '../../src/main/files/memory-neighbourhood.ts'
import { createRegistry, families, HEAD_BYTES, registry } from '../../src/main/formats/registry.ts'
import type { FileStore } from '../../src/main/files/store.ts'
import type { ByteSource } from '../../src/main/formats/archive.ts'
import type { BindFile } from '../../src/main/formats/binding.ts'
import type { Family } from '../../src/main/formats/family.ts'
import type { Document, FileFormat } from '../../src/main/formats/format.ts'
import type { Registry } from '../../src/main/formats/registry.ts'

export function sourceOf(bytes: Uint8Array, ref: string): ByteSource {
  return {
    size: bytes.length,
    ref,
    read(offset, length) {
      if (!(offset >= 0) || !(length >= 0) || offset + length > bytes.length)
        throw new FormatError('truncated', 'outside', { file: ref, offset })
      return offset === 0 && length === bytes.length ? bytes : bytes.slice(offset, offset + length)
    },
  }
}

/** The product's formats; files that stay the same between cases are decoded once. */
const decoded = new WeakMap<Uint8Array, Document>()
const remembering: Registry = (() => {
  const wrap = (format: FileFormat): FileFormat => ({
    ...format,
    identify: (head, name, size) => format.identify(head, name, size),
    encode: (document, out) => format.encode(document, out),
    describe: (document) => format.describe(document),
    summarize: (document) => format.summarize(document),
    decode(bytes, ref) {
      let document = decoded.get(bytes)
      if (!document || document.ref !== ref) decoded.set(bytes, (document = format.decode(bytes, ref) as Document))
      return document
    },
  })
  const wrapped = createRegistry(families.map((family): Family => ({ ...family, formats: (family.formats as FileFormat[]).map(wrap) })))
  return { ...wrapped, families }
})()

export interface FuzzFile {
  ref: string
  bytes: Uint8Array
  format: string
}

export function neighbourhoodOf(files: readonly FuzzFile[]): { around: MemoryNeighbourhood; files: BindFile[] } {
  const byRef = new Map(files.map((file) => [file.ref, file]))
  const get = (ref: string): FuzzFile => {
    const file = byRef.get(ref)
    if (!file) throw new FormatError('not-found', `${ref} is not there`, { file: ref })
    return file
  }
  const store = {
    // the damaged file keeps its format, whatever its bytes look like now
    registry: {
      ...remembering,
      identify: (_head: Uint8Array, name: string) => ({ format: remembering.formatById(nameToFormat.get(name)!) }),
    },
    stat: (ref: string) => ({ size: get(ref).bytes.length, mtimeMs: 0, disk: ref, member: false }),
    source: (ref: string) => sourceOf(get(ref).bytes, ref),
    nameOf: (ref: string) => get(ref).ref,
    headOf: (source: ByteSource) => source.read(0, Math.min(HEAD_BYTES, source.size)),
  }
  const nameToFormat = new Map(files.map((file) => [file.ref, file.format]))
  const bind = files.map(({ ref, format }): BindFile => ({
    ref,
    name: basename(ref),
    folder: dirname(ref),
    format,
    kind: registry.formatById(format)!.kind,
  }))
  return { around: new MemoryNeighbourhood(store as unknown as FileStore, bind), files: bind }
}
