/**
 * Copies of images of discs that open models are saved into. As long as Marrow runs, files of the image are read from its copy, so that every
 * save adds to it; the image is what was opened again at the next start. A run that was killed left them on disk: the edits that recovery
 * brings back were made on the copy.
 */
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import * as v from 'valibot'
import { toErrorData } from '../binary/format-error.ts'
import { realPath } from '../files/paths.ts'
import type { FileStore } from '../files/store.ts'
import type { SavePlace } from './mod-copies.ts'
import type { Originals } from './originals.ts'
import type { StateFiles, StateKind } from './state-files.ts'

const FILE = 'image-copies.json'
const schema = v.array(v.object({ image: v.string(), copy: v.string() }))
const kind: StateKind<v.InferOutput<typeof schema>> = {
  name: 'image-copies',
  version: 1,
  label: 'originals.kinds.copies',
  parse(value) {
    const parsed = v.safeParse(schema, value)
    return parsed.success ? parsed.output : undefined
  },
}

export class ImageCopies {
  private readonly store: FileStore
  private readonly originals: Originals
  private readonly state: StateFiles | undefined
  /** of this run, and of one that was killed */
  private copies: Map<string, string> | undefined
  /** copies that are written now and are not there yet */
  private readonly coming = new Map<string, string>()

  /** @param state what a run that was killed left is kept there; nothing of it counts without */
  constructor(store: FileStore, originals: Originals, state?: StateFiles) {
    this.store = store
    this.originals = originals
    this.state = state
  }

  /** Where a file is saved. @param otherwise where it would be if it stood in no image */
  place(ref: string, otherwise: SavePlace): SavePlace {
    const image = this.imageOf(ref)
    if (image === undefined) return otherwise
    const copy = this.of(image)
    if (copy !== undefined) return { mode: 'mod-folder', root: dirname(image), folder: dirname(copy), copy }
    if (otherwise.mode === 'mod-folder' || this.originals.isOwn(realPath(image))) return otherwise
    return { ...otherwise, image: true }
  }

  /** The image is saved into a copy from now on, which is written by the first save. */
  expect(image: string, copy: string): void {
    this.coming.set(image, copy)
  }

  /** Runs what writes a copy; the image is saved into it from then on if that came about. */
  async into<T>(image: string, copy: string, write: () => Promise<T>): Promise<T> {
    this.coming.set(image, copy)
    try {
      return await write()
    } finally {
      this.coming.delete(image)
      if (existsSync(copy)) this.keep(this.all().set(image, copy))
    }
  }

  /** The next run begins with the images as they are. */
  close(): void {
    if (this.copies && this.copies.size > 0) this.keep(new Map())
  }

  private of(image: string): string | undefined {
    const copy = this.coming.get(image)
    if (copy !== undefined) return copy
    const known = this.all().get(image)
    return known !== undefined && existsSync(known) ? known : undefined
  }

  private imageOf(ref: string): string | undefined {
    try {
      return this.store.imageOf(ref)
    } catch (error) {
      // of a member that is gone its image tells
      const image = [...this.all().keys(), ...this.coming.keys()].find((one) => ref.startsWith(`${one}!`))
      if (toErrorData(error, ref).code === 'not-found') return image
      return undefined
    }
  }

  private all(): Map<string, string> {
    if (this.copies) return this.copies
    const read = this.state?.read(FILE, kind)
    return (this.copies = new Map(read?.state === 'good' ? read.value.map(({ image, copy }) => [image, copy]) : []))
  }

  private keep(copies: Map<string, string>): void {
    this.copies = copies
    if (copies.size === 0) this.state?.remove(FILE)
    else
      this.state?.writeSync(
        FILE,
        [...copies].map(([image, copy]) => ({ image, copy })),
        kind,
      )
  }
}
