/** The services over one world, as any host runs them, and what the test tells of a model: every file's content, and what Marrow keeps itself. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { createServices } from '../../src/main/services/create-services.ts'
import { dispatch } from '../../src/main/services/dispatch.ts'
import type { CallArgs, CallName, CallResult } from '../../src/shared/api/contract.ts'
import type { ErrorData } from '../../src/shared/api/errors.ts'
import type { LibraryInfo } from '../../src/shared/api/types/library.ts'
import type { ModelInfo, OpenedModel } from '../../src/shared/api/types/model.ts'
import type { ModPackageExport } from '../../src/shared/api/types/mod-package.ts'
import { trimmed } from './oracle.ts'
import type { Call, Step } from './steps.ts'

export interface Place {
  /** everything stands below it */
  base: string
  game: string
  state: string
  /** mod folder; saves go there when `mode` says so */
  mod: string
  /** where exports go */
  out: string
  mode: 'in-place' | 'mod-folder'
  /** references below the game's folder */
  models: string[]
}

export const placeBelow = (base: string, mode: Place['mode'], models: string[]): Place => ({
  base,
  game: join(base, 'game'),
  state: join(base, 'state'),
  mod: join(base, 'mod'),
  out: join(base, 'out'),
  mode,
  models,
})

export class CallError extends Error {
  readonly data: ErrorData
  constructor(name: string, data: ErrorData) {
    super(`${name}: ${data.code} ${data.message}${data.file ? ` (${data.file})` : ''}`)
    this.data = data
  }
}

/** content of each file by its reference below the game's folder, and `markers` and `slices` as the model shows them */
export type State = Record<string, string>

const hash = (data: Uint8Array | string): string => createHash('sha256').update(data).digest('hex').slice(0, 24)

/** Bytes asked for with one call. */
const WINDOW = 65_536

export class Session {
  readonly place: Place
  readonly services: ReturnType<typeof createServices>
  /** notices and other events that were sent */
  readonly events: [string, unknown][] = []
  library!: LibraryInfo

  constructor(place: Place) {
    this.place = place
    this.services = createServices({ stateFolder: place.state, host: 'web', watchEvery: 0, version: '0.0.0-torture' })
    this.services.subscribe((name, event) => this.events.push([name, event]))
  }

  call: Call = async (name, args) => {
    const answer = await dispatch(this.services, name, args, new AbortController().signal)
    if (!answer.ok) throw new CallError(name, answer.error)
    return answer.value as CallResult<typeof name>
  }

  /** Opens the library; it is indexed where it never was. */
  async start(): Promise<void> {
    // what every window asks first: the state folder is looked after from then on
    await this.call('app.info', {})
    this.library = await this.call('library.open', { root: this.place.game })
    if (this.place.mode === 'mod-folder') {
      const { saveMode, modFolder } = await this.call('settings.get', {})
      if (saveMode !== 'mod-folder' || modFolder !== this.place.mod)
        await this.call('settings.set', { saveMode: 'mod-folder', modFolder: this.place.mod })
    }
    const { counts } = await this.call('library.query', { library: this.library.id, show: 'files', sort: 'name', offset: 0, limit: 1 })
    if (counts.files === 0) await this.call('library.scan', { library: this.library.id })
  }

  open(model = this.place.models[0]): Promise<OpenedModel> {
    return this.call('model.open', { ref: join(this.place.game, model), library: this.library.id })
  }

  /** Takes up everything that earlier runs left behind. */
  async recover(): Promise<number> {
    const offers = await this.call('recovery.list', {})
    for (const { id } of offers)
      try {
        await this.call('recovery.restore', { id })
      } catch (error) {
        // an offer may say why it cannot be taken up: whether anything is missed is seen by the state
        if (!(error instanceof CallError) || error.data.code === 'internal') throw error
      }
    return offers.length
  }

  async bytes(info: ModelInfo, ref: string): Promise<Uint8Array> {
    const parts: Uint8Array[] = []
    for (let start = 0; ; start += WINDOW) {
      const part = await this.call('model.bytes', { model: info.id, ref, start, length: WINDOW })
      parts.push(part)
      if (part.length < WINDOW) return new Uint8Array(Buffer.concat(parts))
    }
  }

  async stateOf(model: string): Promise<State> {
    const { info, scene } = await this.call('model.scene', { model })
    const state: State = {}
    for (const { ref } of info.files) {
      const name = ref.startsWith(this.place.game) ? ref.slice(this.place.game.length + 1) : ref
      try {
        state[name] = hash(trimmed(await this.bytes(info, ref)))
      } catch (error) {
        state[name] = `cannot be read: ${(error as Error).message}`
      }
    }
    state.markers = hash(JSON.stringify(scene.markers))
    state.slices = hash(JSON.stringify(scene.slices.map(({ name, start, end, speed }) => [name, start, end, speed])))
    return state
  }

  async files(): Promise<string[]> {
    const { rows } = await this.call('library.query', { library: this.library.id, show: 'files', sort: 'name', offset: 0, limit: 500 })
    return rows.map(({ ref }) => ref.slice(this.place.game.length + 1)).sort()
  }

  /** A mod package of the library, as bytes or in a folder; undefined where nothing differs. */
  private async exported(folder?: string): Promise<ModPackageExport | undefined> {
    try {
      return await this.call('modPackage.export', { library: this.library.id, folder })
    } catch (error) {
      if (error instanceof CallError && error.data.code === 'refused' && error.message.includes('nothing differs')) return undefined
      throw error
    }
  }

  /** @returns what the step told beside the model's state */
  async make(step: Step, model: string, number: number): Promise<unknown> {
    const library = this.library.id
    switch (step.kind) {
      case 'edit':
        await this.call(step.name, { ...step.args, model } as CallArgs<CallName>)
        return undefined
      case 'undo':
      case 'redo': {
        const history = await this.call('history.list', { model })
        if ((step.kind === 'undo' ? history.undo : history.redo).length === 0) return undefined
        await this.call(`history.${step.kind}`, { model })
        return undefined
      }
      case 'save': {
        const { failed } = await this.call('save.write', { model })
        if (failed.length > 0) throw new Error(`saving failed: ${failed.map((f) => `${f.ref}: ${f.code} ${f.message}`).join('; ')}`)
        return undefined
      }
      case 'restore': {
        const kept = await this.call('save.originals', { model })
        if (kept.length === 0) return undefined
        const [{ ref, target }] = kept
        await this.call('save.restore', { model, ref })
        // of a member its whole archive is as it was
        return [this.place.game, this.place.mod].reduce(
          (path, root) => (path.startsWith(root) ? path.slice(root.length + 1) : path),
          target,
        )
      }
      case 'scan':
      case 'rescan':
        await this.call('library.scan', { library, full: step.kind === 'rescan' })
        return undefined
      case 'export':
        return (await this.exported(this.place.out))?.files.map(({ path, member }) => [path, member]) ?? []
      case 'build': {
        const made = await this.exported()
        if (made)
          await this.call('modPackage.build', {
            library,
            modPackage: made.bytes,
            folder: join(this.place.out, `built-${number}`),
            force: true,
          })
        return undefined
      }
      case 'reopen':
        return undefined
      case 'settings':
        await this.call('settings.set', { tickRate: 30 + (number % 30), window: { layout: `l${number}` } })
        return undefined
      case 'picture':
        await this.call('library.putPicture', {
          library,
          ref: join(this.place.game, this.place.models[0]),
          rgba: new Uint8Array(4 * 160 * 160),
        }).catch((error: unknown) => {
          // a picture belongs to a scene that was asked for
          if (!(error instanceof CallError) || error.data.code === 'internal') throw error
        })
        return undefined
    }
  }
}
