/** Models for a command: found and opened as the window does, with the user's bindings, choices and way of saving. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { FormatError } from '../binary/format-error.ts'
import { realPlace } from '../files/real-place.ts'
import type { FileStore } from '../files/store.ts'
import { SAVE, WRITE } from './command.ts'
import type { Command } from './command.ts'
import { listed } from './output.ts'
import type { ImageSaving } from './save-all.ts'
import { GivenPaths } from '../services/given-paths.ts'
import { Inbox } from '../services/inbox.ts'
import { ModelFinder, settingChoices } from '../services/model-finder.ts'
import type { FoundModel } from '../services/model-finder.ts'
import { AppState } from '../services/state.ts'
import type { RunChoices } from '../services/state.ts'
import type { Scene } from '../../shared/scene/types.ts'
import type { Settings } from '../../shared/api/settings.ts'
import { ImageCopies } from '../workspace/image-copies.ts'
import type { OpenModel } from '../workspace/open-model.ts'
import type { StateFiles } from '../workspace/state-files.ts'
import { Originals } from '../workspace/originals.ts'
import { Workspace } from '../workspace/workspace.ts'
import { say } from '../../shared/texts/say.ts'

export type { FoundModel } from '../services/model-finder.ts'

/** What the options of a command say of where it saves. */
export interface CommandSaving extends RunChoices {
  /** the copy of the image of a disc that its files stand in */
  out?: string
}

export class CommandModels {
  readonly store: FileStore
  readonly finder: ModelFinder
  readonly state: AppState
  readonly images: ImageSaving
  private readonly stateFiles: StateFiles
  /** the copy that the command writes, '' for none */
  private readonly out: string
  private readonly copies: ImageCopies

  /**
   * @param given settings that count for this command, more than what was chosen for a model
   * @param saving where this command saves, in place of what is set
   * @param images what is told of copies of images
   */
  constructor(
    store: FileStore,
    stateFiles: StateFiles,
    given: Partial<Settings> = {},
    { out = '', ...saving }: CommandSaving = {},
    images: ImageSaving = { tell: () => {}, watch: () => ({}) },
  ) {
    if (out !== '' && existsSync(out)) throw new FormatError('io', say('commandLine.outIsThere', { file: out }), { file: out })
    this.out = out
    this.images = images
    this.copies = new ImageCopies(store, new Originals(stateFiles))
    this.store = store
    this.stateFiles = stateFiles
    this.state = new AppState(stateFiles, saving)
    if (saving.loose && this.state.settings.saveMode !== 'mod-folder')
      throw new FormatError('invalid-argument', say('commandLine.looseNeedsMod'))
    this.finder = new ModelFinder(store, new GivenPaths(store, this.state), this.state, settingChoices(store.registry, given))
  }

  /** What was there before anything was written over it. */
  originals(): Originals {
    return new Originals(this.stateFiles)
  }

  /** Opens a model for as long as `body` runs. Edits that it does not save are dropped. */
  async with<T>(found: FoundModel, body: (workspace: Workspace, model: OpenModel) => Promise<T>): Promise<T> {
    if (this.out !== '') {
      const { primary } = found.binding
      const image = this.store.exists(primary) ? this.store.imageOf(primary) : undefined
      if (image === undefined) throw new FormatError('invalid-argument', say('commandLine.outOfImages'), { file: primary })
      this.copies.expect(image, this.out)
    }
    const inbox = new Inbox(this.state.folder)
    const workspace = new Workspace({
      files: this.store,
      stateFolder: this.state.folder,
      state: this.stateFiles,
      place: (ref) => this.finder.place(ref),
      copies: this.copies,
      readOnly: (ref) => inbox.readOnly(ref),
      onMade: (model, member) => this.finder.remember(model, member),
    })
    try {
      const model = workspace.open(found)
      try {
        return await body(workspace, model)
      } finally {
        await workspace.close(model.id, { discard: true })
      }
    } finally {
      await workspace.closeAll()
    }
  }
}

/**
 * The one model of a path that has what is meant; where none has it, the one that there is. A model that cannot be put together has nothing.
 * @throws FormatError not-found, invalid-argument
 */
export function modelWith({ finder }: CommandModels, path: string, has: (scene: Scene) => boolean): FoundModel {
  const found = finder.all(path)
  const fits = (model: FoundModel): boolean => {
    try {
      return has(finder.assembleSaved(model).scene)
    } catch {
      return false
    }
  }
  const having = found.length > 1 ? found.filter(fits) : []
  return onlyModel(having.length > 0 ? having : found, path)
}

/** What the options of a command that writes say of where it saves. */
export function savingOf({ options }: Command, { mod, game, loose, out }: Record<string, unknown>): CommandSaving {
  // of other commands words of the same name mean other things
  if (options.mod !== WRITE.mod) return {}
  const place = (given: unknown): string | undefined => (typeof given === 'string' ? realPlace(resolve(given)) : undefined)
  return {
    modFolder: place(mod),
    game: place(game),
    loose: loose === true ? true : undefined,
    ...(options.out === SAVE.out && { out: place(out) }),
  }
}

const MOST_NAMED = 8

/**
 * The one model that is meant.
 * @param what where there are several, those that have it count: `has` tells, `words` names it ("a clip")
 * @throws FormatError not-found, invalid-argument
 */
export function onlyModel(
  found: readonly FoundModel[],
  path: string,
  what?: { has(found: FoundModel): boolean; words: string },
): FoundModel {
  const having = what && found.length > 1 ? found.filter((model) => what.has(model)) : found
  if (having.length === 1) return having[0]
  if (having.length === 0)
    throw new FormatError('not-found', found.length > 0 ? say('commandLine.noneHas', { what: what!.words }) : say('commandLine.noModel'), {
      file: path,
    })
  const names = having.slice(0, MOST_NAMED).map(({ binding }) => binding.primary)
  throw new FormatError('invalid-argument', say('commandLine.severalModels', { models: listed(names, having.length) }))
}
