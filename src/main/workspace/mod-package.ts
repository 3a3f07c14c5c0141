/**
 * A mod as one file to give away: a zip of what changed, with a manifest of game-relative paths, hashes and sizes of the
 * original and of the new bytes. Of an archive only the members that changed are in it.
 *
 *   marrow-patch.json
 *   files/<path below the game's folder>       whole files
 *   members/<number>-<name>                    members of archives
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import { promisify } from 'node:util'
import { deflateRaw } from 'node:zlib'
import { strToU8, unzipSync, Zip, ZipPassThrough } from 'fflate'
import * as v from 'valibot'
import { FormatError } from '../binary/format-error.ts'
import { hasUnprintable } from '../../shared/printable.ts'
import { expectNoLink } from '../files/real-place.ts'
import { isPortableName } from '../../shared/portable-name.ts'
import { baseName, MEMBER_SEPARATOR, memberRef } from '../../shared/ref.ts'
import { replaceFile, writeAll } from './atomic.ts'
import { changedParts, MOST_FILE } from './changed-members.ts'
import { sha256 } from './originals.ts'
import { say } from '../../shared/texts/say.ts'
import type { FileStore } from '../files/store.ts'
import type { ByteSource } from '../formats/archive.ts'
import type { ChangedPair, MemberOrigin } from './changed-files.ts'
import type { ChangedPart } from './changed-members.ts'

export const MANIFEST = 'marrow-patch.json'
/** Bounds of a zip, on both sides. */
const MOST_FILES = 100_000
const MOST_MANIFEST = 32 * 2 ** 20
const MOST_BYTES = 2 ** 29
const WINDOW = 1 << 22
/** Deflate makes at most this of a byte: whoever promises more lies. */
const MOST_RATIO = 1032

const version = v.object({ size: v.pipe(v.number(), v.integer(), v.minValue(0)), sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)) })

const manifestSchema = v.object({
  marrow: v.literal('patch'),
  version: v.literal(1),
  madeWith: v.pipe(v.string(), v.maxLength(100)),
  name: v.pipe(v.string(), v.maxLength(1000)),
  files: v.pipe(
    v.array(
      v.object({
        path: v.pipe(v.string(), v.maxLength(2000)),
        /** of a member: its name in the archive, as in a reference */
        member: v.optional(v.pipe(v.string(), v.maxLength(2000))),
        /** the file is an image of a disc, and the member a file in it, or in an archive in it */
        image: v.optional(v.literal(true)),
        /** null for a file that the game does not have */
        original: v.nullable(version),
        now: version,
        data: v.pipe(v.string(), v.maxLength(4000)),
      }),
    ),
    v.maxLength(MOST_FILES),
  ),
})

export type ModPackageManifest = v.InferOutput<typeof manifestSchema>

export type Entry = ModPackageManifest['files'][number]

interface Packed {
  entry: Entry
  read(): Uint8Array
}

/**
 * The zip, as the chunks that it is written in.
 * @throws FormatError refused where nothing changed, a path cannot stand in a zip, or it is too large
 */
export async function writeModPackage(
  store: FileStore,
  pairs: readonly ChangedPair[],
  options: { name: string; madeWith: string },
  write: (chunk: Uint8Array) => Promise<void> | void,
): Promise<ModPackageManifest> {
  // what is loose is what the game reads, whatever an archive of the mod has
  const loose = new Set(pairs.flatMap(({ member }) => (member ? memberRef(member.archive, member.key) : [])))
  for (const { path } of pairs) checkPath(path)
  const parts = [
    ...(
      await changedParts(
        store,
        pairs.filter(({ member }) => !member),
      )
    ).filter(({ path, member }) => member === undefined || !loose.has(memberRef(path, member))),
    ...pairs.flatMap(({ member, now }) => (member ? looseMember(store, member, now) : [])),
  ]
  const kept: Packed[] = []
  for (const part of parts) kept.push(await packedOf(part, kept.length))
  const whole = new Set(kept.flatMap(({ entry }) => (entry.member === undefined ? entry.path : [])))
  const torn = kept.find(({ entry }) => entry.member !== undefined && whole.has(entry.path))
  if (torn) throw new FormatError('refused', say('modPackages.wholeAndLoose', { path: torn.entry.path, member: torn.entry.member! }))
  if (kept.length === 0) throw new FormatError('refused', say('modPackages.nothingDiffers'))
  const total = kept.reduce((n, { entry }) => n + entry.now.size, 0)
  if (kept.length > MOST_FILES || total > MOST_BYTES)
    throw new FormatError('refused', say('modPackages.tooMuch', { count: kept.length, bytes: total }))
  const manifest: ModPackageManifest = {
    marrow: 'patch',
    version: 1,
    madeWith: options.madeWith,
    name: options.name,
    files: kept.map(({ entry }) => entry),
  }
  const waiting: Uint8Array[] = []
  let failure: unknown
  const zip = new Zip((error, chunk) => {
    if (error) failure = error
    else waiting.push(chunk)
  })
  const add = async (name: string, bytes: Uint8Array): Promise<void> => {
    const file = new Deflated(name, await deflated(bytes, { level: 6 }))
    // one package of the same files is one sequence of bytes
    file.mtime = new Date(1980, 0, 1)
    zip.add(file)
    for (let at = 0; at === 0 || at < bytes.length; at += 1 << 18) {
      file.push(bytes.subarray(at, at + (1 << 18)), at + (1 << 18) >= bytes.length)
      for (const chunk of waiting.splice(0)) await write(chunk)
      await breathe()
    }
  }
  await add(MANIFEST, strToU8(JSON.stringify(manifest, null, 1)))
  for (const { entry, read } of kept) await add(entry.data, read())
  zip.end()
  for (const chunk of waiting.splice(0)) await write(chunk)
  if (failure) throw failure as Error
  return manifest
}

const deflated = promisify(deflateRaw)

/**
 * An entry whose bytes zlib has packed already: its bytes are pushed for size and checksum. The stream of fflate 0.8 points to before the first
 * byte of a file that begins with zeros, and no program unpacks that.
 */
class Deflated extends ZipPassThrough {
  private readonly packed: Uint8Array<ArrayBuffer>

  constructor(name: string, packed: Uint8Array<ArrayBuffer>) {
    super(name)
    this.compression = 8
    this.packed = packed
  }

  protected override process(_chunk: Uint8Array, final: boolean): void {
    if (final) this.ondata(null, this.packed, true)
  }
}

/** A file of its own goes as the member that it is in the place of: who builds the mod chooses anew how it is held. */
function looseMember(store: FileStore, { ref, archive, key, image }: MemberOrigin, now: string): ChangedPart {
  return { path: archive, member: key, ...(image && { image }), original: store.source(ref), now: store.source(now) }
}

/** @throws FormatError refused for one that is too large */
async function packedOf({ path, member, image, original, now }: ChangedPart, number: number): Promise<Packed> {
  if (now.size > MOST_FILE)
    throw new FormatError('refused', say('modPackages.fileTooLarge', { path: member ?? path, bytes: now.size }), { file: now.ref })
  const data = member === undefined ? `files/${path}` : memberData(number, baseName(member))
  return {
    entry: {
      path,
      ...(member !== undefined && { member }),
      ...(image && { image }),
      original: original ? await versionOf(original) : null,
      now: await versionOf(now),
      data,
    },
    read: () => now.read(0, now.size),
  }
}

function memberData(number: number, name: string): string {
  return `members/${String(number + 1).padStart(4, '0')}-${name.replace(/[^\w.-]+/g, '_').slice(-80)}`
}

async function versionOf(source: ByteSource): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256')
  for (let at = 0; at < source.size; at += WINDOW) {
    if (at > 0) await breathe()
    hash.update(source.read(at, Math.min(WINDOW, source.size - at)))
  }
  return { size: source.size, sha256: hash.digest('hex') }
}

/** What whoever builds a package is to know before: of an image of a disc all of a copy is written. */
export function packageNotes({ files }: ModPackageManifest): string[] {
  const images = new Set(files.flatMap(({ path, image }) => (image ? path : [])))
  return [...images].map((image) => say('modPackages.ofImage', { image: baseName(image) }))
}

export interface ReadModPackage {
  manifest: ModPackageManifest
  /** bytes of an entry: as many as the manifest says, and with its hash */
  data(entry: Entry): Uint8Array
}

/**
 * A zip from anywhere. Nothing is unpacked but what the manifest names, nothing is larger than it says.
 * @throws FormatError bad-magic, bad-value, bad-count, refused
 */
export function readModPackage(bytes: Uint8Array, file: string): ReadModPackage {
  const unpacked = (wanted: (name: string) => number | undefined): Record<string, Uint8Array> => {
    const seen = new Set<string>()
    try {
      return unzipSync(bytes, {
        filter: ({ name, size, originalSize }) => {
          // entries may overlap: each name once bounds what is unpacked
          if (seen.size > MOST_FILES) throw new FormatError('refused', say('modPackages.tooManyFiles'), { file })
          if (seen.has(name)) throw new FormatError('refused', say('modPackages.nameTwice', { name }), { file })
          seen.add(name)
          const most = wanted(name)
          if (most === undefined) return false
          if (originalSize > most || originalSize > MOST_RATIO * size + 1024)
            throw new FormatError('refused', say('modPackages.claimedSize', { name, bytes: originalSize }), { file })
          return true
        },
      })
    } catch (error) {
      if (error instanceof FormatError) throw error
      throw new FormatError('bad-value', say('modPackages.unreadableZip', { why: (error as Error).message }), { file, offset: 0 })
    }
  }
  if (bytes.length < 4 || bytes[0] !== 0x50 || bytes[1] !== 0x4b)
    throw new FormatError('bad-magic', say('modPackages.noZip'), { file, offset: 0 })
  const text = unpacked((name) => (name === MANIFEST ? MOST_MANIFEST : undefined))[MANIFEST]
  if (!text) throw new FormatError('bad-magic', say('modPackages.noManifest', { MANIFEST }), { file })
  let json: unknown
  try {
    json = JSON.parse(new TextDecoder().decode(text))
  } catch (error) {
    throw new FormatError('bad-value', say('modPackages.manifestNoJson', { why: (error as Error).message }), { file, path: MANIFEST })
  }
  const parsed = v.safeParse(manifestSchema, json)
  if (!parsed.success)
    throw new FormatError('bad-value', say('modPackages.manifestUnreadable', { why: parsed.issues[0].message }), {
      file,
      path: v.getDotPath(parsed.issues[0]) ?? MANIFEST,
    })
  const manifest = parsed.output
  const total = manifest.files.reduce((n, entry) => n + entry.now.size, 0)
  if (total > MOST_BYTES || manifest.files.some((entry) => entry.now.size > MOST_FILE))
    throw new FormatError('refused', say('modPackages.claimedTotal', { bytes: total }), { file })
  const seen = new Set<string>()
  for (const { path, member } of manifest.files) {
    checkPath(path)
    if (member !== undefined && hasUnprintable(member))
      throw new FormatError('refused', say('modPackages.unprintable', { name: JSON.stringify(member.slice(0, 200)) }), { path })
    const key = `${path}${MEMBER_SEPARATOR}${member ?? ''}`.toLowerCase()
    if (seen.has(key) || (member !== undefined && seen.has(`${path}${MEMBER_SEPARATOR}`.toLowerCase())))
      throw new FormatError('bad-value', say('modPackages.twice', { path }), { file })
    seen.add(key)
  }
  const sizes = new Map(manifest.files.map((entry) => [entry.data, entry.now.size]))
  const data = unpacked((name) => sizes.get(name))
  for (const { data: name, now } of manifest.files) {
    if (!Object.hasOwn(data, name)) throw new FormatError('truncated', say('modPackages.missingInZip', { name }), { file })
    if (data[name].length !== now.size || sha256(data[name]) !== now.sha256)
      throw new FormatError('bad-value', say('modPackages.damagedInZip', { name }), { file })
  }
  return { manifest, data: (entry) => data[entry.data] }
}

/** A path from a zip is a name below a folder, on every system, and reads as what it is. @throws FormatError refused */
export function checkPath(path: string): void {
  if (hasUnprintable(path) || !path.split('/').every(isPortableName))
    throw new FormatError('refused', say('modPackages.noPath', { path: JSON.stringify(path.slice(0, 200)) }), { path })
}

/** Writes a mod package to a file, whole or not at all. An existing one is replaced only when asked. */
export async function exportModPackage(
  store: FileStore,
  pairs: readonly ChangedPair[],
  options: { name: string; madeWith: string; file: string; overwrite: boolean },
): Promise<{ manifest: ModPackageManifest; bytes: number }> {
  const file = resolve(options.file)
  if (existsSync(file) && !options.overwrite) throw new FormatError('refused', say('files.isThere', { file }), { file })
  expectNoLink(dirname(file), file)
  let bytes = 0
  let manifest: ModPackageManifest | undefined
  await replaceFile(file, async (handle) => {
    manifest = await writeModPackage(store, pairs, options, async (chunk) => {
      bytes += chunk.length
      await writeAll(handle, chunk)
    })
  })
  return { manifest: manifest!, bytes }
}
