/** Where findings stand, and the parts of a document that a finding is about. */
import { chunkPaths, valueOf } from '../codecs/chunk.ts'
import { readModel } from '../codecs/model.ts'
import type { Diagnostic } from '../../../../shared/api/errors.ts'
import type { Document } from '../../format.ts'
import type { Chunk, LeafCodec } from '../codecs/chunk.ts'
import type { DffDocument } from '../codecs/dff.ts'
import type { ClumpView } from '../codecs/model.ts'
import type { Skin } from '../codecs/skin.ts'
import type { Report } from '../rules.ts'

/** Versions from which on a file is San Andreas' own. */
export const SAN_ANDREAS = 0x36000

/** A clump, and where its chunks stand. */
export interface ClumpPlace {
  clump: ClumpView
  path(chunk: Chunk | undefined): string
  offset(chunk: Chunk | undefined): number
  report: Report
}

/** A look at each clump of a model. */
export function eachClump(look: (place: ClumpPlace) => void): (document: DffDocument, report: Report) => void {
  return (document, report) => {
    const paths = chunkPaths(document.roots)
    const path = (chunk: Chunk | undefined): string => (chunk && paths.get(chunk)) ?? ''
    const offset = (chunk: Chunk | undefined): number => chunk?.start ?? -1
    for (const clump of readModel(document).clumps) look({ clump, path, offset, report })
  }
}

/** Skin of each atomic. */
export function skinsOf(clump: ClumpView): (Skin | undefined)[] {
  return clump.atomics.map((a) => clump.geometries[a.geometry]?.skin ?? a.legacySkin)
}

/** The first of a list, for messages. */
export function listed(values: readonly (number | string)[]): string {
  return values.slice(0, 12).join(', ') + (values.length > 12 ? ` … (${values.length})` : '')
}

type Apply = (document: Document, diagnostic: Diagnostic) => void

/** The chunk that a diagnostic is about: the longest path that the diagnostic's begins with. */
export function chunkAt(document: Document, path: string): Chunk | undefined {
  let best: Chunk | undefined
  let length = -1
  for (const [chunk, own] of chunkPaths((document as DffDocument).roots)) {
    if ((path === own || path.startsWith(`${own}.`)) && own.length > length) {
      best = chunk
      length = own.length
    }
  }
  return best
}

/** Changes the value of the leaf that a finding is about. */
export function leafFix<T>(codec: LeafCodec<T>, change: (value: T) => void): Apply {
  return (document, diagnostic) => {
    const value = valueOf(chunkAt(document, diagnostic.path), codec)
    if (value !== undefined) change(value)
  }
}

/** The clump that a diagnostic's path begins with. */
export function clumpFix(change: (clump: ClumpView) => void): Apply {
  return (document, diagnostic) => {
    const paths = chunkPaths((document as DffDocument).roots)
    const clump = readModel(document as DffDocument).clumps.find(
      ({ chunk }) => diagnostic.path === paths.get(chunk) || diagnostic.path.startsWith(`${paths.get(chunk)}.`),
    )
    if (clump) change(clump)
  }
}
