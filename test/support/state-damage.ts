/**
 * Damage for files of the state folder: which there are, and flipped bits in them. Deterministic: the same seed gives the
 * same bits.
 *
 *   for (const file of stateFiles(stateFolder)) for (const bit of sampleBits(file.bytes, 40, seed)) {
 *     const mend = flipOnDisk(file.path, bit)
 *     ...
 *     mend()
 *   }
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

export type StateFileKind =
  | 'settings'
  | 'model-choices'
  | 'joint-map'
  | 'slices'
  | 'journal'
  | 'sign-of-life'
  | 'open-models'
  | 'original-record'
  | 'original-note'
  | 'original-content'
  | 'original-pair'
  | 'base-record'
  | 'base-content'
  | 'index'
  | 'pictures'
  | 'aside'
  | 'other'

export interface StateFileInfo {
  path: string
  /** below the state folder, with `/` */
  name: string
  kind: StateFileKind
  bytes: number
  /** a second copy of another state file */
  copy: boolean
}

const KINDS: [RegExp, StateFileKind][] = [
  [/\.damaged|^journals\/aside\//, 'aside'],
  [/^settings\.json/, 'settings'],
  [/^models\/.*\.json/, 'model-choices'],
  [/^joint-maps\/.*\.json/, 'joint-map'],
  [/^slices\//, 'slices'],
  [/^journals\/.*\.journal$/, 'journal'],
  [/^journals\/.*\/alive$/, 'sign-of-life'],
  [/^journals\/.*\/open\.json/, 'open-models'],
  [/^originals\/targets\//, 'original-record'],
  [/^originals\/notes\//, 'original-note'],
  [/^originals\/content\//, 'original-content'],
  [/^originals\/pairs\//, 'original-pair'],
  [/^bases\/content\//, 'base-content'],
  [/^bases\/.*\.json/, 'base-record'],
  [/^libraries\//, 'index'],
  [/^pictures\.sqlite/, 'pictures'],
]

/** Every file of a state folder, in the order of their names. */
export function stateFiles(stateFolder: string): StateFileInfo[] {
  return readdirSync(stateFolder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name)
      const name = relative(stateFolder, path).split(sep).join('/')
      const kind = KINDS.find(([pattern]) => pattern.test(name))?.[1] ?? 'other'
      return { path, name, kind, bytes: statSync(path).size, copy: name.endsWith('.copy') }
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

export function flipped(bytes: Uint8Array, bit: number): Uint8Array {
  const copy = bytes.slice()
  copy[bit >> 3] ^= 1 << (bit & 7)
  return copy
}

/** Flips a bit of a file in place. @returns what puts the whole file back as it was */
export function flipOnDisk(path: string, bit: number): () => void {
  const bytes = new Uint8Array(readFileSync(path))
  writeFileSync(path, flipped(bytes, bit))
  return () => writeFileSync(path, bytes)
}

/** Bits of a file of so many bytes, spread over all of it; all of them where there are no more than asked for. */
export function sampleBits(bytes: number, count: number, seed = 1): number[] {
  const all = bytes * 8
  if (all <= count) return Array.from({ length: all }, (_, i) => i)
  let state = seed >>> 0 || 1
  const random = (below: number): number => {
    state ^= state << 13
    state >>>= 0
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state % below
  }
  const share = all / count
  return Array.from({ length: count }, (_, i) => Math.min(all - 1, Math.floor(i * share) + random(Math.max(1, Math.floor(share)))))
}
