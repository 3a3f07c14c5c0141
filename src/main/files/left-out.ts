/**
 * Folders of a library that the user leaves out of it. Each is kept as its place: the way from the library's root with `/` between the steps, so that it
 * says nothing of where the library stands and is the same on every system.
 */
import { statSync } from 'node:fs'
import systemRules, { sep } from 'node:path'
import type { PlatformPath } from 'node:path'
import { FormatError } from '../binary/format-error.ts'
import { say } from '../../shared/texts/say.ts'
import { nameKey, realPath } from './paths.ts'
import { stepsBelow } from './real-place.ts'

/** Whether a text is the place of a folder below a root: no step of it leads back, stays or begins anew. */
export function isPlace(place: unknown, system: NodeJS.Platform = process.platform): place is string {
  if (typeof place !== 'string' || place.includes('\0')) return false
  // Windows would read more into it than the steps that are seen
  if (system === 'win32' && /[\\:]/.test(place)) return false
  return place.split('/').every((step) => step !== '' && step !== '.' && step !== '..')
}

/**
 * The place of a folder that is there, links followed.
 * @param root of the library, its real path
 * @throws FormatError not-found, io, invalid-argument, refused
 */
export function placeOf(root: string, folder: string): string {
  const real = realPath(folder)
  if (!statSync(real).isDirectory()) throw new FormatError('invalid-argument', say('files.noFolder', { folder }), { file: folder })
  const steps = stepsBelow(root, real)
  if (steps === null) throw new FormatError('refused', say('files.notBelow', { folder, root }), { file: folder })
  if (steps === '') throw new FormatError('invalid-argument', say('files.rootLeftOut'), { file: folder })
  return steps.split(sep).join('/')
}

/** Where two places are one as the disks of this system see it. */
export function samePlace(a: string, b: string): boolean {
  return nameKey(a) === nameKey(b)
}

/** Whether a path is a folder that is left out, or stands in one. Names alone are compared: nothing there is asked of the disk. */
export function leftOutOf(
  root: string,
  places: readonly string[],
  rules: PlatformPath = systemRules,
  system: NodeJS.Platform = process.platform,
): (path: string) => boolean {
  if (places.length === 0) return () => false
  const folders = new Set(places.map((place) => nameKey(rules.join(root, ...place.split('/')), system)))
  const top = nameKey(root, system)
  return (path) => {
    for (let at = nameKey(path, system); at.length > top.length; at = rules.dirname(at)) if (folders.has(at)) return true
    return false
  }
}
