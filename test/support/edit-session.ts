/** A model over documents in memory, and an edit session on it: what the workspace does, without files, for tests of editors. */
import type { AssembledModel, ModelBinding, ModelChoices } from '../../src/main/formats/binding.ts'
import type { Family } from '../../src/main/formats/family.ts'
import { encodeDocument, type Document, type FileFormat } from '../../src/main/formats/format.ts'
import { keepNothing } from '../../src/main/formats/kept.ts'
import { registry } from '../../src/main/formats/registry.ts'
import { notFound } from '../../src/main/formats/address.ts'
import type { EditSession } from '../../src/main/formats/editing.ts'

export interface MemoryModel extends EditSession {
  /** bytes of a file as they are now */
  bytes(ref: string): Uint8Array
  /** decodes what the edits wrote and assembles again, as the workspace does after each step */
  settle(): void
}

/**
 * @param files ref -> format and bytes
 * @param others refs that are no members of the model, found by key
 */
export function memoryModel(
  family: Family,
  given: ModelBinding,
  files: Record<string, { format: FileFormat; bytes: Uint8Array }>,
  choices: ModelChoices = {},
  others: Record<string, string[]> = {},
): MemoryModel {
  const documents = new Map<string, Document>()
  for (const [ref, file] of Object.entries(files)) documents.set(ref, file.format.decode(file.bytes, ref))
  const get = <D extends Document>(ref: string): D => {
    const document = documents.get(ref)
    if (!document) notFound(`there is no file ${ref}`, ref)
    return document as D
  }
  const toChange = <D extends Document>(ref: string): D => {
    const document = get<D>(ref)
    keepNothing(document)
    return document
  }
  const members = [...given.members]
  const binding = { ...given, members }
  let assembled: AssembledModel = family.assemble(binding, (ref) => documents.get(ref), choices)
  const bytes = (ref: string): Uint8Array => encodeDocument(files[ref].format, get(ref)).bytes.slice()
  return {
    binding,
    get assembled() {
      return assembled
    },
    document: (ref) => documents.get(ref),
    edit: toChange,
    editOther: toChange,
    create(ref, document) {
      const format = registry.formatById(document.format)!
      files[ref] = { format, bytes: new Uint8Array(0) }
      documents.set(ref, { ...document, ref })
      members.push({ role: format.kind, ref, why: 'self', detail: '' })
    },
    takesFiles: (ref) => !ref.includes('!'),
    discard(ref) {
      documents.delete(ref)
      members.splice(
        members.findIndex((member) => member.ref === ref),
        1,
      )
    },
    needing: (key) => others[key.toLowerCase()] ?? [],
    providing: (key) => others[key.toLowerCase()] ?? [],
    bytes,
    settle() {
      for (const ref of documents.keys()) documents.set(ref, files[ref].format.decode(bytes(ref), ref))
      assembled = family.assemble(binding, (ref) => documents.get(ref), choices)
    },
  }
}

/** Half-open ranges of bytes that differ between two files of one size. */
export function changedRanges(a: Uint8Array, b: Uint8Array): [number, number][] {
  if (a.length !== b.length) throw new Error(`sizes differ: ${a.length} and ${b.length}`)
  const out: [number, number][] = []
  for (let i = 0; i < a.length; i++) {
    if (a[i] === b[i]) continue
    const last = out[out.length - 1]
    if (last && last[1] === i) last[1] = i + 1
    else out.push([i, i + 1])
  }
  return out
}
