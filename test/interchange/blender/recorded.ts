/** Files that Blender 3.4 wrote from the sample library's models, kept beside the tests: imported where there is no Blender. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'

const FOLDER = join(import.meta.dirname, 'trips')
/** What Blender writes now is kept. */
const recording = process.env.MARROW_RECORD_TRIPS !== undefined

/** Of each family a file of each kind, as Blender wrote it once. */
export function recorded<F extends string, K extends string>(
  families: readonly F[],
  kinds: readonly K[],
): Record<F, Record<K, Uint8Array>> {
  return byFamily(families, kinds, (family, kind) => new Uint8Array(gunzipSync(readFileSync(place(family, kind)))))
}

/** The same as Blender has written it just now. @param files of each family in the order of the kinds */
export function recordedNow<F extends string, K extends string>(
  families: readonly F[],
  kinds: readonly K[],
  files: readonly (readonly Uint8Array[])[],
): Record<F, Record<K, Uint8Array>> {
  const out = byFamily(families, kinds, (family, kind) => files[families.indexOf(family)][kinds.indexOf(kind)])
  if (recording) {
    mkdirSync(FOLDER, { recursive: true })
    for (const family of families) for (const kind of kinds) writeFileSync(place(family, kind), gzipSync(out[family][kind], { level: 9 }))
  }
  return out
}

function place(family: string, kind: string): string {
  return join(FOLDER, `${family}-${kind}.glb.gz`)
}

function byFamily<F extends string, K extends string>(
  families: readonly F[],
  kinds: readonly K[],
  file: (family: F, kind: K) => Uint8Array,
): Record<F, Record<K, Uint8Array>> {
  const entries = families.map((family) => [family, Object.fromEntries(kinds.map((kind) => [kind, file(family, kind)]))])
  return Object.fromEntries(entries) as Record<F, Record<K, Uint8Array>>
}
