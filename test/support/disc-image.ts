/** An image of a disc whose DATA.DAT holds the sample's figure twice and a file of junk, named by all four directories. */
import { discDirectory, DISC_ENDINGS, readAgreed } from './discs.ts'
import { junk } from './hostile.ts'
import { makeIso, SECTOR } from './iso.ts'
import { sampleTree } from './service-bench.ts'
import type { DiscFile } from './discs.ts'
import type { MadeIso } from './iso.ts'
import type { ReadMember } from './read-archives.ts'

export interface DiscImage extends MadeIso {
  /** where each file of DATA.DAT begins in the image */
  at: ReadonlyMap<string, number>
}

/** @param padding name of the file behind DATA.DAT @param more bytes of it */
export function discImage({ padding = 'DMMY', more = 300 * SECTOR } = {}): DiscImage {
  const [figure] = Object.values(sampleTree((path) => path.endsWith('adventurer.chr')))
  const bodies = [figure, junk(3000, 4), figure]
  const names = ['chara\\c01a.chr', 'gedit\\a.dat', 'chara\\c02a.chr']
  const files: DiscFile[] = []
  let sector = 1
  for (const [i, { length: size }] of bodies.entries()) {
    files.push({ name: names[i], sector, size })
    sector += Math.ceil(size / SECTOR)
  }
  const data = junk(sector * SECTOR, 77)
  files.forEach((file, i) => data.set(bodies[i], file.sector * SECTOR))
  const directories = Object.fromEntries(DISC_ENDINGS.map((ending) => [`DATA.${ending}`, discDirectory(ending, files)]))
  const made = makeIso({ 'SYSTEM.CNF': junk(70, 1), ...directories, 'DATA.DAT': data, [padding]: junk(more, 9) })
  return { ...made, at: new Map(files.map((file) => [file.name, made.places.get('DATA.DAT')! + file.sector * SECTOR])) }
}

/** A file of an image by its record, whose numbers are the same in both byte orders. @throws Error */
export function fileInImage(image: Uint8Array, record: number): { start: number; size: number; body: Uint8Array } {
  const view = new DataView(image.buffer, image.byteOffset)
  const number = (at: number): number => {
    const value = view.getUint32(at, true)
    if (view.getUint32(at + 4, false) !== value) throw new Error(`two numbers at ${at}`)
    return value
  }
  const start = number(record + 2) * SECTOR
  const size = number(record + 10)
  return { start, size, body: image.slice(start, start + size) }
}

/** What all four directories of an image say of DATA.DAT. @throws Error where two of them disagree */
export function filesOfDisc(image: Uint8Array, { records }: MadeIso): ReadMember[] {
  return readAgreed((name) => fileInImage(image, records.get(name)!).body)
}
