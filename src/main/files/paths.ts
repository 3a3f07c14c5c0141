/**
 * What a path on disk means, on each system: which folder holds it, how the disk spells it, what Windows alone would make
 * of it. `rules` is Node's path module of a system; tests ask for Windows' on any machine.
 */
import { existsSync, realpathSync, statSync } from 'node:fs'
import systemRules from 'node:path'
import type { PlatformPath } from 'node:path'
import { ioError } from './sources.ts'

/** Whether `path` is `root` or below it; both absolute and real. Drives and names differ by case on Windows as little as its disks do. */
export function isInside(root: string, path: string, rules: PlatformPath = systemRules): boolean {
  const steps = rules.relative(root, path)
  return steps === '' || (steps !== '..' && !steps.startsWith(`..${rules.sep}`) && !rules.isAbsolute(steps))
}

/**
 * The way to name a path that all of Node takes: `\\?\C:\x` is `C:\x`, `\\?\UNC\server\share` is `\\server\share`, and a drive is a capital.
 * Node puts the prefix back where a path is long.
 */
export function plainPath(path: string, rules: PlatformPath = systemRules): string {
  if (rules.sep === '/') return path
  const plain = path.replace(/^[\\/]{2}\?[\\/]UNC[\\/]/i, '\\\\').replace(/^[\\/]{2}\?[\\/](?=[a-z]:[\\/])/i, '')
  return plain.replace(/^[a-z](?=:)/, (drive) => drive.toUpperCase())
}

/** Realpath of a file or folder, spelled as on disk. @throws FormatError */
export function realPath(path: string): string {
  try {
    const followed = realpathSync(plainPath(path))
    return oneSpelling ? followed : spelling(followed) || followed
  } catch (error) {
    throw ioError(error, path)
  }
}

/** `path` with the case that the disk has, where names differ by case only; links in it stay. */
export function spelledAsOnDisk(path: string): string {
  if (oneSpelling) return path
  const found = spelling(path)
  return found.toLowerCase() === path.toLowerCase() ? found : path
}

/** A path as it is kept: absolute, plain, spelled as on disk. One folder has one. */
export function wholePath(path: string): string {
  return spelledAsOnDisk(systemRules.resolve(plainPath(path)))
}

/** Names on disks of other systems are found by any case. */
const oneSpelling = process.platform !== 'win32' && process.platform !== 'darwin'

/** What the system calls it; '' where it does not say. */
function spelling(path: string): string {
  try {
    const found = plainPath(realpathSync.native(path))
    return sameRoot(path, found) ? found : ''
  } catch {
    // not every driver answers (disks in memory, Wine for long paths)
    return ''
  }
}

/**
 * What is the same of two paths that mean one thing: names differ by case on Windows and macOS as little as their disks do, and on macOS as little by
 * how a letter with a mark is put together.
 */
export function nameKey(path: string, system: NodeJS.Platform = process.platform): string {
  if (system === 'darwin') return path.normalize('NFC').toLowerCase()
  return system === 'win32' ? path.toLowerCase() : path
}

/** A mapped drive is `Z:\` to its user and `\\server\share` to the system: the user's word stays. */
export function sameRoot(a: string, b: string, rules: PlatformPath = systemRules): boolean {
  return rules.parse(a).root.toLowerCase() === rules.parse(b).root.toLowerCase()
}

/** Drives of Windows beside the one whose root this is; [] for any other folder. */
export function otherDrives(folder: string, rules: PlatformPath = systemRules, isThere: (path: string) => boolean = existsSync): string[] {
  if (rules.sep === '/' || !/^[a-z]:\\$/i.test(folder)) return []
  const roots = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((letter) => `${letter}:\\`)
  return roots.filter((root) => root !== folder.toUpperCase() && isThere(root))
}

/**
 * Whether Windows alone would find a file by this name: `file:stream` is a second body of `file`, and `pack!x\..\..\file` is folded before
 * anybody looks whether there is a folder `pack!x`. Neither is a file of a game.
 */
export function isWindowsDetour(
  path: string,
  rules: PlatformPath = systemRules,
  isFolder: (path: string) => boolean = (p) => statSync(p, { throwIfNoEntry: false })?.isDirectory() === true,
): boolean {
  if (rules.sep === '/') return false
  const { root } = rules.parse(path)
  const rest = path.slice(root.length)
  if (rest.includes(':')) return true
  if (!/![^\\/]*[\\/](.*[\\/])?\.\.([\\/]|$)/.test(rest)) return false
  const parts = rest.split(/[\\/]+/)
  const first = parts.findIndex((part) => part.includes('!'))
  return parts.some((part, i) => part === '..' && i > first && !isFolder(root + parts.slice(0, i).join(rules.sep)))
}
