/**
 * A model that is worked on in another program: its glTF stands in a folder, is looked at now and then, and what is saved
 * there comes onto the model as one step. The next save takes the place of that step, as long as nothing was edited
 * since; what was edited since stays where the file says nothing new. A file is taken once it stays as it is from one look to the next and is whole; half of one is no error.
 */
import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { toErrorData } from '../binary/format-error.ts'
import { isWholeGltf, readGltfBytes } from '../interchange/gltf-file.ts'
import { baseName } from '../../shared/ref.ts'
import type { ImportSettings } from '../../shared/api/import-options.ts'
import type { LinkState } from '../../shared/api/types/link.ts'
import type { OpenModel } from '../workspace/open-model.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { GltfFile } from '../interchange/gltf-reader.ts'
import type { Emit } from './service.ts'
import type { TakeFile } from './take-file.ts'

interface Link {
  state: LinkState
  /** how saves come onto the model */
  wishes: Partial<ImportSettings>
  /** as it was at the last look, and as it was taken or written last */
  seen: string
  done: string
  hash: string
  /** looks at which the file was there, still, and not whole */
  stalled: number
  /** the link's own step while it is the last */
  step: string
  /** what the file said when it was written or taken last, and before the link's own step; undefined while that is not known */
  last: GltfFile | undefined
  ground: GltfFile | undefined
}

const EVERY = 500
/** A file that is not whole is taken for broken when it stays so for as many looks. */
const PATIENCE = 20

export class LiveLinks {
  private readonly links = new Map<string, Link>()
  private readonly workspace: Workspace
  private readonly emit: Emit
  private readonly take: TakeFile
  private readonly every: number
  private timer: NodeJS.Timeout | undefined
  private looking: Promise<void> | undefined

  /** @param every ms between two looks; 0 for none by itself */
  constructor(workspace: Workspace, emit: Emit, take: TakeFile, every = EVERY) {
    this.workspace = workspace
    this.emit = emit
    this.take = take
    this.every = every
  }

  /** @param fresh the file was written by this run just now, so that nothing in it is new */
  async start(model: OpenModel, path: string, fresh: boolean, wishes: Partial<ImportSettings> = {}): Promise<LinkState> {
    const state: LinkState = { model: model.id, path, status: 'waiting', at: Date.now(), step: '' }
    const link: Link = { state, wishes, seen: '', done: '', hash: '', stalled: 0, step: '', last: undefined, ground: undefined }
    if (fresh) {
      link.done = link.seen = (await lookAtFile(path)) ?? ''
      const bytes = await readGltfBytes(path)
      link.hash = hashOf(bytes)
      const { readGltf } = await import('../interchange/gltf-reader.ts')
      link.last = await readGltf(bytes, baseName(path))
    }
    this.links.set(model.id, link)
    if (this.every > 0) this.timer ??= setInterval(() => void this.look(), this.every).unref()
    return state
  }

  stop(model: string): void {
    this.links.delete(model)
    if (this.links.size > 0) return
    clearInterval(this.timer)
    this.timer = undefined
  }

  state(model: string): LinkState | null {
    return this.links.get(model)?.state ?? null
  }

  async close(): Promise<void> {
    for (const id of [...this.links.keys()]) this.stop(id)
    await this.looking
  }

  /** One look at every file. */
  look(): Promise<void> {
    return (this.looking ??= this.lookAtAll().finally(() => (this.looking = undefined)))
  }

  private async lookAtAll(): Promise<void> {
    for (const [id, link] of this.links) {
      const model = this.workspace.list().find((open) => open.id === id)
      if (model) await this.lookAt(model, link)
      else this.stop(id)
    }
  }

  private async lookAt(model: OpenModel, link: Link): Promise<void> {
    const { path } = link.state
    const stamp = await lookAtFile(path)
    // gone for a moment while a program puts a new one in its place
    if (stamp === undefined || stamp === link.done) return
    if (stamp !== link.seen) {
      link.seen = stamp
      link.stalled = 0
      return this.announce(link, { status: 'writing' })
    }
    try {
      if (!(await isWholeGltf(path)) && link.stalled++ < PATIENCE) return
      const bytes = await readGltfBytes(path, { meshes: link.wishes.weights })
      // written on while it was read
      if ((await lookAtFile(path)) !== stamp) return
      link.done = stamp
      const hash = hashOf(bytes)
      if (hash === link.hash) return this.announce(link, { status: link.state.report ? 'imported' : 'waiting' })
      const before = model.history.undoable.at(-1)?.id ?? ''
      const replaces = link.step !== '' && link.step === before ? link.step : undefined
      const earlier = replaces === undefined ? link.last : link.ground
      const { report, file } = await this.take(model, { name: baseName(path), bytes }, { ...link.wishes, replaces, earlier })
      const top = model.history.undoable.at(-1)?.id ?? ''
      // a step that now changes nothing is gone, and none came in its place
      if (top !== before) link.step = replaces === undefined ? top : ''
      link.hash = hash
      link.ground = earlier
      link.last = file
      this.announce(link, { status: 'imported', report, error: undefined, step: link.step })
    } catch (error) {
      link.done = stamp
      this.announce(link, { status: 'failed', error: toErrorData(error, path) })
    }
  }

  private announce(link: Link, change: Partial<LinkState>): void {
    link.state = { ...link.state, ...change, at: Date.now() }
    if (this.links.get(link.state.model) === link) this.emit('link.changed', link.state)
  }
}

/** What tells one state of a file from the next; undefined while it is not there. */
async function lookAtFile(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined)
  return found?.isFile() ? `${found.ino} ${found.size} ${found.mtimeMs}` : undefined
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
