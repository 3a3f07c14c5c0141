/** Small pictures of models for lists: kept ones at once, missing ones by what the window draws. Nothing that a window sends is kept but pixels. */
import { join } from 'node:path'
import { encode as encodePng } from 'fast-png'
import { FormatError } from '../binary/format-error.ts'
import { PictureStore } from '../library/picture-store.ts'
import { PICTURE_SIZE } from '../../shared/api/types/library.ts'
import type { ModelPicture } from '../../shared/api/types/library.ts'
import type { Scene } from '../../shared/scene/types.ts'
import type { Libraries } from './libraries.ts'
import type { JobRunner } from './model-worker-host.ts'
import type { AppState } from './state.ts'
import { say } from '../../shared/texts/say.ts'

/** Scenes that windows were given and whose picture is not back; a window that goes away leaves its own here. */
const MOST_DRAWN = 64

export class Pictures {
  private readonly libraries: Libraries
  private readonly state: AppState
  private readonly runner: JobRunner
  private opened: PictureStore | undefined
  private closed = false
  /** reference -> what the picture is of */
  private readonly drawn = new Map<string, { stamp: string; content: string }>()

  constructor(libraries: Libraries, state: AppState, runner: JobRunner) {
    this.libraries = libraries
    this.state = state
    this.runner = runner
  }

  /** @throws FormatError not-found */
  known(library: string, refs: readonly string[]): (ModelPicture | null)[] {
    this.libraries.get(library)
    return refs.map((ref) => this.store.get(ref, this.stamp(library, ref)) ?? null)
  }

  /** Of models made from the same bytes and choices as one that has a picture; null where one is to be drawn. @throws FormatError not-found, refused, cancelled */
  async adopt(library: string, refs: readonly string[], signal: AbortSignal): Promise<(ModelPicture | null)[]> {
    const { root } = this.libraries.get(library)
    for (const ref of refs) this.checkUnlessGone(ref)
    const stamps = refs.map((ref) => this.stamp(library, ref))
    const contents = await this.runner.run({ kind: 'contents', root, refs }, { signal })
    return refs.map((ref, i) => (contents[i] && this.store.adopt(ref, stamps[i], contents[i])) || null)
  }

  /** @throws FormatError not-found, refused, cancelled */
  async scene(library: string, ref: string, signal: AbortSignal): Promise<{ scene: Scene } | ModelPicture> {
    const { root } = this.libraries.get(library)
    this.libraries.checkRef(ref)
    const stamp = this.stamp(library, ref)
    const known = this.store.get(ref, stamp)
    if (known) return known
    const result = await this.runner.run({ kind: 'picture', root, ref }, { signal })
    if ('reason' in result) {
      this.store.refuse(ref, stamp, result.reason, result.broken)
      return result
    }
    const { content } = result
    const copy = this.store.adopt(ref, stamp, content)
    if (copy) return copy
    if ('rgba' in result) return this.keep(ref, stamp, content, result.rgba)
    if (this.drawn.size >= MOST_DRAWN) this.drawn.delete(this.drawn.keys().next().value!)
    this.drawn.set(ref, { stamp, content })
    return { scene: result.scene }
  }

  /** What moves, as a pane shows it; a picture where nothing does. @throws FormatError not-found, refused, cancelled */
  async preview(library: string, ref: string, signal: AbortSignal): Promise<{ scene: Scene } | ModelPicture> {
    const { root } = this.libraries.get(library)
    this.libraries.checkRef(ref)
    const stamp = this.stamp(library, ref)
    const result = await this.runner.run({ kind: 'picture', root, ref, moving: true }, { signal, first: true })
    if ('scene' in result) return { scene: result.scene }
    return 'rgba' in result ? this.keep(ref, stamp, result.content, result.rgba) : result
  }

  /** @throws FormatError refused, where no scene was asked for */
  put(ref: string, rgba: Uint8Array): ModelPicture {
    const drawn = this.drawn.get(ref)
    if (!drawn) throw new FormatError('refused', say('pictures.notAsked'), { file: ref })
    this.drawn.delete(ref)
    return this.keep(ref, drawn.stamp, drawn.content, rgba)
  }

  /** The model was saved: its stamp is that of the last scan. */
  forget(ref: string): void {
    this.store.forget(ref)
  }

  /** What is still under way finds nothing to keep its picture in. */
  close(): void {
    this.closed = true
    this.opened?.close()
    this.opened = undefined
  }

  /** What went since the scan is no reason to leave the others out. @throws FormatError refused */
  private checkUnlessGone(ref: string): void {
    try {
      this.libraries.checkRef(ref)
    } catch (error) {
      if (!(error instanceof FormatError) || error.code !== 'not-found') throw error
    }
  }

  private keep(ref: string, stamp: string, content: string, rgba: Uint8Array): ModelPicture {
    const png = encodePng({ width: PICTURE_SIZE, height: PICTURE_SIZE, channels: 4, depth: 8, data: rgba })
    this.store.put(ref, stamp, content, png)
    return { png }
  }

  /** The user's choices and the place of saved files are part of what is seen. */
  private stamp(library: string, ref: string): string {
    const { settings } = this.state
    const { choices, bindings } = this.state.model(ref)
    return JSON.stringify([
      this.libraries.get(library).index.stamp(ref),
      Object.keys(choices).length > 0 ? choices : 0,
      bindings,
      settings.saveMode === 'mod-folder' ? settings.modFolder : '',
    ])
  }

  private get store(): PictureStore {
    if (this.closed) throw new FormatError('cancelled', say('workers.workStopped'))
    return (this.opened ??= new PictureStore(join(this.state.folder, 'pictures.sqlite')))
  }
}
