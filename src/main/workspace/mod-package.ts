/**
 * A mod as one file to give away: a zip of what changed, with a manifest of game-relative paths, hashes and sizes of the
 * original and of the new bytes. Of an archive only the members that changed are in it.
 *
 *   marrow-patch.json
 *   files/<path below the game's folder>       whole files
 *   members/<number>-<name>                    members of archives
 */
import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname, relative, resolve, sep } from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import { promisify } from 'node:util'
import { deflateRaw } from 'node:zlib'
import { strToU8, unzipSync, Zip, ZipPassThrough } from 'fflate'
import * as v from 'valibot'
import { FormatError } from '../binary/format-error.ts'
import { hasUnprintable } from '../../shared/printable.ts'
import { expectNoLink } from '../files/real-place.ts'
import { isPortableName } from '../../shared/portable-name.ts'
import { firstDifference } from '../formats/format.ts'
import { baseName, MEMBER_SEPARATOR, memberRef } from '../../shared/ref.ts'
import { replaceFile, writeAll } from './atomic.ts'
import { hashFile, sha256 } from './originals.ts'
import { say } from '../../shared/texts/say.ts'
import type { StoreMember } from '../files/store-members.ts'
import type { FileStore } from '../files/store.ts'
import type { OpenArchive } from '../files/places.ts'
import type { ChangedPair, MemberOrigin } from './changed-files.ts'

const MANIFEST = 'marrow-patch.json'
/** Bounds of a zip, on both sides. */
const MOST_FILES = 100_000
const MOST_MANIFEST = 32 * 2 ** 20
const MOST_FILE = 256 * 2 ** 20
const MOST_BYTES = 2 ** 29
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
  const packed: Packed[] = []
  const elsewhere = new Set<string>()
  // what is loose is what the game reads, whatever an archive of the mod has
  const loose = new Set(pairs.flatMap(({ member }) => (member ? memberRef(member.archive, member.key) : [])))
  for (const pair of pairs) {
    checkPath(pair.path)
    if (pair.member) {
      packed.push(looseMember(store, pair.member, pair.now, packed.length))
      continue
    }
    const archives = pair.original ? changedMembers(store, pair, packed.length) : undefined
    if (archives) {
      packed.push(...archives.members.filter(({ entry }) => !loose.has(memberRef(entry.path, entry.member!))))
      for (const path of archives.beside) elsewhere.add(path)
    } else packed.push(await wholeFile(store, pair))
  }
  // the data file of an archive goes with its directory, and so do the other directories over it
  const goes = ({ path, member }: Entry): boolean => !elsewhere.has(path) || (member !== undefined && loose.has(memberRef(path, member)))
  const kept = packed.filter(({ entry }) => goes(entry))
  const whole = new Set(kept.flatMap(({ entry }) => (entry.member === undefined ? entry.path : [])))
  const torn = kept.find(({ entry }) => entry.member !== undefined && whole.has(entry.path))
  if (torn) throw new FormatError('refused', say('modPackages.wholeAndLoose', { path: torn.entry.path, member: torn.entry.member! }))
  if (kept.length === 0) throw new FormatError('refused', say('modPackages.nothingDiffers'))
  const total = kept.reduce((n, { entry }) => n + entry.now.size, 0)
  if (kept.length > MOST_FILES || total > MOST_BYTES)
    throw new FormatError('refused', say('modPackages.tooMuch', { n: kept.length, bytes: total }))
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

async function wholeFile(store: FileStore, { path, original, now }: ChangedPair): Promise<Packed> {
  const { size } = await stat(now)
  if (size > MOST_FILE) throw new FormatError('refused', say('modPackages.fileTooLarge', { path, bytes: size }), { file: now })
  const before = original ? { size: (await stat(original)).size, sha256: await hashFile(original) } : null
  return {
    entry: { path, original: before, now: { size, sha256: await hashFile(now) }, data: `files/${path}` },
    read: () => store.read(now),
  }
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

/** The members that changed where nothing else of an archive did; undefined where the file has to go as a whole. */
function changedMembers(
  store: FileStore,
  { path, original, now }: ChangedPair,
  first: number,
): { members: Packed[]; beside: string[] } | undefined {
  let before: OpenArchive | undefined
  let after: OpenArchive | undefined
  try {
    before = store.openArchive(original)
    after = store.openArchive(now)
  } catch {
    return undefined
  }
  if (!before || !after || before.format !== after.format || after.format.readOnly || before.members.length !== after.members.length)
    return undefined
  const members: Packed[] = []
  for (let i = 0; i < before.members.length; i++) {
    const old = before.members.at(i)!
    const fresh = after.members.at(i)!
    if (old.key !== fresh.key || fresh.size > MOST_FILE) return undefined
    if (firstDifference(before.data.read(old.offset, old.size), after.data.read(fresh.offset, fresh.size)) < 0) continue
    // a package has members as they are when they are opened: that is how building one finds them in the game
    const [was, is] = [bodyOf(store, before, old), bodyOf(store, after, fresh)]
    if (firstDifference(was, is) < 0) continue
    members.push({
      entry: {
        path,
        member: fresh.key,
        original: versionOf(was),
        now: versionOf(is),
        data: memberData(first + members.length, fresh.name),
      },
      read: () => bodyOf(store, after, fresh),
    })
  }
  if (members.length === 0) return undefined
  const there = (other: string): string =>
    `${path.slice(0, path.lastIndexOf('/') + 1)}${relative(dirname(after.ref), other).split(sep).join('/')}`
  // building one writes all directories; which of them names the members is the first that has them
  const others = after.leader === '' ? after.peers.map(({ ref }) => ref) : []
  return { members, beside: (after.dataRef ? [after.dataRef, ...others] : []).map(there) }
}

/** A file of its own goes as the member that it is in the place of: who builds the mod chooses anew how it is held. */
function looseMember(store: FileStore, { ref, archive, key }: MemberOrigin, now: string, number: number): Packed {
  const bytes = store.read(now)
  return {
    entry: {
      path: archive,
      member: key,
      original: versionOf(store.read(ref)),
      now: versionOf(bytes),
      data: memberData(number, baseName(ref)),
    },
    read: () => store.read(now),
  }
}

function memberData(number: number, name: string): string {
  return `members/${String(number + 1).padStart(4, '0')}-${name.replace(/[^\w.-]+/g, '_').slice(-80)}`
}

function bodyOf(store: FileStore, archive: OpenArchive, member: StoreMember): Uint8Array {
  const source = store.sourceOf(archive, member)
  return source.read(0, source.size)
}

function versionOf(bytes: Uint8Array): { size: number; sha256: string } {
  return { size: bytes.length, sha256: sha256(bytes) }
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
