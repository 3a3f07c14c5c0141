/** What must hold of the folders whenever a process was stopped, looked at by the test's own means. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { companionOf, parseArchive, readArchive } from './archives.ts'
import type { ArchiveKind } from './archives.ts'
import type { World } from './worlds.ts'

/** Members of archives with sectors end on one: zeros behind a body are no difference. */
export function trimmed(bytes: Uint8Array): Uint8Array {
  let end = bytes.length
  while (end > 0 && bytes[end - 1] === 0) end--
  return bytes.subarray(0, end)
}

export const shortHash = (bytes: Uint8Array): string => createHash('sha256').update(trimmed(bytes)).digest('hex').slice(0, 24)

export function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.isFile())
    .sort()
}

/** A name that a write in progress has: nobody takes it for a file of a game. */
export const isTemporary = (name: string): boolean => /(^|[\\/])\.[^\\/]*$/.test(name) || /\.(tmp|new)$|marrow-(tmp|commit|undo)/.test(name)

/**
 * Two files cannot be renamed at once: a kill between the renames leaves a record that says which files are to stand together, and whoever opens
 * the archive next carries it out first. This reads what it will be, from the record alone.
 * @returns by path of a file where its bytes stand until then, undefined for one that goes again
 */
function asRecorded(root: string): Map<string, string | undefined> {
  const standing = new Map<string, string | undefined>()
  for (const name of filesBelow(root)) {
    if (!name.endsWith('.marrow-commit')) continue
    const folder = dirname(join(root, name))
    const { direction, files } = JSON.parse(readFileSync(join(root, name), 'utf8')) as {
      direction: 'forward' | 'back'
      files: { target: string; temporary: string; aside: string; before: object | null }[]
    }
    for (const { target, temporary, aside, before } of files) {
      const [to, fresh, old] = [target, temporary, aside].map((file) => join(folder, file))
      if (direction === 'forward') {
        if (existsSync(fresh)) standing.set(to, fresh)
      } else if (existsSync(old)) standing.set(to, old)
      else if (!existsSync(fresh) && before === null) standing.set(to, undefined)
    }
  }
  return standing
}

/**
 * Files of which a write where they stand has not come to its end: its record has the bytes that were there.
 * @returns by path what becomes of a file's bytes
 */
function asUndone(root: string): Map<string, (now: Buffer) => Buffer> {
  const undone = new Map<string, (now: Buffer) => Buffer>()
  for (const name of filesBelow(root)) {
    if (!name.endsWith('.marrow-undo')) continue
    const record = readFileSync(join(root, name))
    let at = record.indexOf('\n') + 1
    const { files } = JSON.parse(record.toString('utf8', 0, at)) as {
      files: { target: string; size: number; ranges: { offset: number; old: number; fresh: number }[] }[]
    }
    for (const { target, size, ranges } of files) {
      const old = ranges.map((range) => {
        const bytes = record.subarray(at, at + range.old)
        at += range.old + range.fresh
        return { bytes, offset: range.offset }
      })
      undone.set(join(dirname(join(root, name)), target), (now) => {
        const before = Buffer.from(now.subarray(0, size))
        for (const { bytes, offset } of old) bytes.copy(before, offset)
        return before
      })
    }
  }
  return undone
}

/** All bodies below a folder by reference: files, and members of the world's archives and of packs in them. */
export function bodies(root: string, world: World): Map<string, Uint8Array> {
  const found = new Map<string, Uint8Array>()
  const members = (ref: string, entries: Map<string, Uint8Array>): void => {
    for (const [name, body] of entries) {
      found.set(`${ref}!${name}`, body)
      if (name.endsWith('.chr')) members(`${ref}!${name}`, parseArchive(Buffer.from(body), 'pack'))
    }
  }
  const companions = new Set(Object.entries(world.archives).map(([file, kind]) => companionOf(file, kind)))
  const standing = asRecorded(root)
  const undone = asUndone(root)
  const read = (path: string): Buffer => {
    const now = readFileSync(standing.get(path) ?? path)
    return undone.get(path)?.(now) ?? now
  }
  const coming = [...standing.keys()].map((path) => relative(root, path))
  for (const file of new Set([...filesBelow(root), ...coming])) {
    if (isTemporary(file) || (standing.has(join(root, file)) && standing.get(join(root, file)) === undefined)) continue
    const kind = world.archives[file] as ArchiveKind | undefined
    if (kind) members(file, readArchive(join(root, file), kind, read))
    else if (!companions.has(file)) found.set(file, new Uint8Array(read(join(root, file))))
  }
  return found
}

/** Originals are what they are called, and what the game had. */
export function checkOriginals(state: string, world: World, problems: string[]): void {
  const content = join(state, 'originals', 'content')
  if (!existsSync(content)) return
  const true_ = new Map(Object.values(world.files).map((bytes) => [createHash('sha256').update(bytes).digest('hex'), bytes]))
  for (const hash of readdirSync(content)) {
    if (hash.startsWith('.')) continue
    const names = readdirSync(join(content, hash))
    if (names.length === 0) continue
    const bytes = readFileSync(join(content, hash, names[0]))
    if (createHash('sha256').update(bytes).digest('hex') !== hash) problems.push(`original ${names[0]} is not what its hash says`)
    // Marrow's own list of slices is saved like any other file
    else if (!true_.has(hash) && !names[0].endsWith('.marrow-slices')) problems.push(`original ${names[0]} is no file of the game`)
  }
}

/** Files that must not be there once everything is saved and closed. */
export function leftovers(folders: string[]): string[] {
  return folders.flatMap((folder) =>
    filesBelow(folder)
      // a folder is swept by whoever writes into it next: nobody into a mod folder that was being built and a run that is gone, and into bases seldom
      .filter((name) => !/^built-|(^|[\\/])(journals|bases)[\\/]/.test(name))
      .filter((name) => /marrow-(tmp|commit|undo)$|(^|[\\/])\.[0-9a-f]{12}([\\/]|$)|\.journal\.new$/.test(name))
      .map((name) => relative(folder, join(folder, name))),
  )
}
