/** Where a path really leads, as far as it is there: links followed, letters as the disk has them. */
import { lstatSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import { FormatError } from '../binary/format-error.ts'
import { plainPath } from './paths.ts'
import { say } from '../../shared/texts/say.ts'

/**
 * The real path of what is there, with what is not there yet behind it.
 * @throws FormatError invalid-argument for a path that is not whole or steps back behind what is there, refused for a link that leads nowhere
 */
export function realPlace(path: string): string {
  if (!isAbsolute(path) || path.includes('\0')) throw new FormatError('invalid-argument', say('calls.wholePath'), { file: path })
  const missing: string[] = []
  for (let at = path; ;) {
    try {
      // the native one also knows short names and letters without case
      return join(plainPath(realpathSync.native(at)), ...missing)
    } catch {
      if (isLink(at)) throw new FormatError('refused', say('files.linkToNowhere', { link: at }), { file: path })
      const above = dirname(at)
      const name = at
        .slice(above.length)
        .replaceAll(sep, '/')
        .replace(/^\/+|\/+$/g, '')
      if (above === at || name === '..') throw new FormatError('invalid-argument', say('files.nowhere', { path }), { file: path })
      if (name !== '' && name !== '.') missing.unshift(name)
      at = above
    }
  }
}

/** False too for what is below a file: nothing is there. */
function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
  } catch {
    return false
  }
}

/** The way from `root` down to `path`, '' for the same; null where it is not below. Both real. */
export function stepsBelow(root: string, path: string): string | null {
  const steps = relative(root, path)
  return steps === '..' || steps.startsWith(`..${sep}`) || isAbsolute(steps) ? null : steps
}

/** Links that are there must not lead a write elsewhere: neither a folder below `root`, nor the file itself. @throws FormatError refused */
export function expectNoLink(root: string, target: string): void {
  if (isLink(target)) throw new FormatError('refused', say('files.isLink', { target }), { file: target })
  if (stepsBelow(realPlace(root), realPlace(dirname(target))) === null)
    throw new FormatError('refused', say('files.linkOut', { root }), { file: target })
}
