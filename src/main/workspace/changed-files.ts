/** The files that a mod changed: in a mod folder, or in place beside their kept originals. */
import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { expectBeside } from '../files/mod-folder.ts'
import { isInside } from '../files/store.ts'
import { isThere, sweepFolder } from '../files/temporaries.ts'
import { walk } from '../files/walk.ts'
import type { Settings } from '../../shared/api/settings.ts'
import { hashFile } from './originals.ts'
import type { Originals } from './originals.ts'

/** A file on disk that a mod changed: the game's own, and what it became. */
export interface ChangedPair {
  /** below the game's folder, with `/` */
  path: string
  /** '' for a file that the game does not have */
  original: string
  now: string
}

/** What the mod is on disk, wherever the user saves to. A mod folder that is not there yet has nothing. */
export async function changedFiles(
  root: string,
  { saveMode, modFolder }: Pick<Settings, 'saveMode' | 'modFolder'>,
  originals: Originals,
): Promise<ChangedPair[]> {
  if (saveMode !== 'mod-folder') return changedInPlace(root, originals)
  return existsSync(modFolder) ? changedInModFolder(root, modFolder) : []
}

/** Files of a mod folder that differ from those of the game. */
export async function changedInModFolder(root: string, modFolder: string): Promise<ChangedPair[]> {
  const found: ChangedPair[] = []
  expectBeside(root, modFolder)
  for (const { path, size } of walk(modFolder, undefined, sweepFolder)) {
    const steps = relative(modFolder, path).split(sep).join('/')
    const original = join(root, steps)
    const there = await stat(original).catch(() => undefined)
    if (there?.isFile() && there.size === size && (await hashFile(original)) === (await hashFile(path))) continue
    found.push({ path: steps, original: there?.isFile() ? original : '', now: path })
  }
  return found
}

/** Files below the game's folder that are not their kept originals any more. */
export async function changedInPlace(root: string, originals: Originals): Promise<ChangedPair[]> {
  const found: ChangedPair[] = []
  for (const entry of await originals.list()) {
    if (!isInside(root, entry.target) || !isThere(entry.target)) continue
    // what cannot be told is not left out without a word: this says which file it is
    if (entry.lost) await originals.pathOf(entry.target)
    const [first] = entry.kept
    if (!first && !entry.created) continue
    if (first && (await hashFile(entry.target)) === first.hash) continue
    const original = first ? await originals.pathOf(entry.target) : ''
    found.push({ path: relative(root, entry.target).split(sep).join('/'), original: original ?? '', now: entry.target })
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1))
}
