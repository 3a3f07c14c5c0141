/** The sample library: characters that the project draws, animates and writes itself. What a user without game files opens first. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from '../files/make-folder.ts'
import { level5Sample } from './level5.ts'
import { lostSagaSample } from './lostsaga.ts'
import { renderwareSample } from './renderware.ts'
import { w3dSample } from './w3d.ts'

export interface SampleFile {
  /** below the sample folder, `/` between parts */
  path: string
  bytes: Uint8Array
}

/** Raised when the sample's files change: an older folder is written again. */
const SAMPLE_VERSION = 3
const MARK = '.marrow-sample'

/** All files of the sample library. */
export function sampleFiles(): SampleFile[] {
  return [...level5Sample(), ...lostSagaSample(), ...renderwareSample(), ...w3dSample()]
}

/** Whether no file of the user's is in the way: the folder is not there, empty, or has a sample of any version. */
export async function takesSample(folder: string): Promise<boolean> {
  const found = await readdir(folder).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return found.length === 0 || found.includes(MARK)
}

/**
 * Writes the sample library into `folder`, once: a folder that has this version is left as it is, edits included.
 * @param files asked only where it is written
 */
export async function writeSample(folder: string, files = sampleFiles): Promise<void> {
  const mark = join(folder, MARK)
  const version = await readFile(mark, 'utf8').catch(() => '')
  if (version.trim() === String(SAMPLE_VERSION)) return
  for (const { path, bytes } of files()) {
    const target = join(folder, ...path.split('/'))
    await makeFolder(dirname(target))
    await writeFile(target, bytes)
  }
  await writeFile(mark, `${SAMPLE_VERSION}\n`)
}
