/** Which files make up the model that a reference means: the binder's answer, the user's word over it, and the choices that apply. */
import { dirname, join } from 'node:path'
import { FormatError } from '../binary/format-error.ts'
import { findModels } from '../files/find-models.ts'
import { MemoryNeighbourhood } from '../files/memory-neighbourhood.ts'
import { notBeside } from '../files/mod-folder.ts'
import { isInside, realPath } from '../files/store.ts'
import type { OpenModel } from '../workspace/open-model.ts'
import { addOwn, SLICES_SUFFIX } from '../workspace/slices-file.ts'
import { sourceFor } from '../workspace/mod-copies.ts'
import type { FileStore } from '../files/store.ts'
import type { AssembledModel, ModelBinding, ModelChoices, ModelMember, Neighbourhood } from '../formats/binding.ts'
import type { Family } from '../formats/family.ts'
import type { Registry } from '../formats/registry.ts'
import type { Settings } from '../../shared/api/settings.ts'
import type { SavePlace } from '../workspace/mod-copies.ts'
import type { SlicesDocument } from '../workspace/slices-file.ts'
import type { IndexedLibrary } from './libraries.ts'
import { baseName } from '../../shared/ref.ts'
import { shortHash } from './state.ts'
import type { AppState, UserBinding } from './state.ts'
import { say } from '../../shared/texts/say.ts'

export interface FoundModel {
  family: Family
  binding: ModelBinding
  around: Neighbourhood
  choices: ModelChoices
  /** root of the library */
  library: string
  /** Marrow's own list of slices, '' where the game keeps slices */
  slicesFile: string
}

/** A folder that files are looked for in. */
export interface Ground {
  /** root of the library, '' for none */
  readonly root: string
  readonly index: Pick<IndexedLibrary, 'neighbourhood' | 'modelOf'>
}

/** Where files may be opened: in the libraries of a window, or wherever a command line was told to look. */
export interface Grounds {
  /** @returns the reference as the file store has it @throws FormatError invalid-argument, not-found, refused */
  checkRef(ref: string): { ref: string; library: Ground }
  /** the innermost library that a file on disk stands in */
  holding(disk: string): { readonly root: string } | undefined
}

/** What stands around the files of one path. */
export interface Surroundings {
  readonly around: MemoryNeighbourhood
  /** the model that a file is part of; the one that it is the primary file of first */
  modelOf(ref: string): FoundModel | undefined
}

export class ModelFinder {
  private readonly store: FileStore
  private readonly grounds: Grounds
  private readonly state: AppState
  private readonly given: ModelChoices

  /** @param given choices that count more than those that the user made for a model: the options of a command */
  constructor(store: FileStore, grounds: Grounds, state: AppState, given: ModelChoices = {}) {
    this.store = store
    this.grounds = grounds
    this.state = state
    this.given = given
  }

  /**
   * The model that a file is, or belongs to.
   * @param name of the model, where one file is the primary file of several
   * @throws FormatError invalid-argument, not-found, refused, unsupported
   */
  find(given: string, name?: string): FoundModel {
    const { ref, library } = this.grounds.checkRef(given)
    return this.asChosen(this.bound(ref, library, { name }), library)
  }

  /**
   * All models that a path means: below a folder or in an archive, and for a file those that it is part of.
   * @throws FormatError not-found, invalid-argument, refused
   */
  all(path: string): FoundModel[] {
    const { ref, library } = this.grounds.checkRef(path)
    return findModels(this.store, ref).map((found) => this.asChosen(found, library))
  }

  /** What is given as the file store has it. @throws FormatError invalid-argument, not-found, refused */
  refOf(given: string): string {
    return this.grounds.checkRef(given).ref
  }

  /**
   * Models of the files that a path means, found as they are asked for: what stands around is looked at once for all of them.
   * @throws FormatError not-found, invalid-argument, refused
   */
  surroundings(path: string): Surroundings {
    const { ref, library } = this.grounds.checkRef(path)
    const whole = this.store.isFolder(ref) && this.store.container(ref) === undefined
    const around = whole ? MemoryNeighbourhood.of(this.store, ref) : MemoryNeighbourhood.around(this.store, ref)
    const models = new Map<string, FoundModel>()
    const bound = new Set<string>()
    const bind = (folder: string): void => {
      if (bound.has(folder)) return
      bound.add(folder)
      for (const family of this.store.registry.families) {
        let bindings: ModelBinding[] = []
        try {
          bindings = family.bind(folder, around)
        } catch {
          // a binder that fails leaves its files to be judged one by one
        }
        for (const binding of bindings) {
          const model = this.asChosen({ family, binding, around }, library)
          const { members, primary } = model.binding
          for (const { ref } of members) if (!models.has(ref) || ref === primary) models.set(ref, model)
        }
      }
    }
    return {
      around,
      modelOf: (file) => {
        // models of the file's own folder come first: all folders are looked through only for files that none of these has
        bind(this.store.folderOf(file))
        if (!models.has(file)) for (const folder of whole ? around.allFolders() : around.nearFolders()) bind(folder)
        return models.get(file)
      },
    }
  }

  /** A file by itself, whatever it belongs to. @throws FormatError */
  alone(given: string): FoundModel {
    const { ref, library } = this.grounds.checkRef(given)
    const binding = this.single(ref)
    return this.complete({ family: this.familyOf(binding, ref), binding, around: library.index.neighbourhood() }, library)
  }

  /** The model with this primary file as the binder has it, with files that the user gave to it and took from it. */
  rebound(primary: string, bindings: readonly UserBinding[]): ModelBinding {
    const { library } = this.grounds.checkRef(primary)
    return this.withUser(this.bound(primary, library, { primary }).binding, bindings)
  }

  /** What the settings choose where the user chose nothing for a model. A family reads its own keys alone. */
  defaults(): ModelChoices {
    return settingChoices(this.store.registry, this.state.settings)
  }

  /** Where a file is saved. */
  place(ref: string): SavePlace {
    // Marrow's own files stay where they are, however the game's are saved
    if (isInside(join(this.state.folder, 'slices'), ref)) return { mode: 'in-place', root: '', folder: '' }
    let root = ''
    try {
      // a file that is not there yet, or no more, has the place of its folder
      const disk = this.store.exists(ref) ? realPath(this.store.diskFile(ref)) : join(realPath(dirname(ref)), baseName(ref))
      root = this.grounds.holding(disk)?.root ?? ''
    } catch {
      // a file whose folder is gone has no place; saving it says so
    }
    const { saveMode: mode, modFolder: folder } = this.state.settings
    const refused = mode === 'mod-folder' && root && folder ? notBeside(root, folder) : ''
    return { mode, root, folder, loose: this.state.mod(folder).loose, refused }
  }

  /** A file that edits made, and that no library finds, belongs to the model from now on. */
  remember({ binding: { primary } }: OpenModel, { role, ref }: Pick<ModelMember, 'role' | 'ref'>): void {
    const { choices, bindings } = this.state.model(primary)
    const others = bindings.filter((b) => b.ref !== ref || b.role !== role)
    this.state.setModel(primary, { choices, bindings: [...others, { role, ref, remove: false }] })
  }

  /** The file that holds what was saved last: itself, or its copy in the mod folder. */
  source(ref: string): string {
    return sourceFor(this.store, ref, this.place(ref))
  }

  /** The model as its files are on disk, without being opened: for pictures and exports of many. @throws FormatError */
  assembleSaved({ family, binding, around, choices, slicesFile }: FoundModel): AssembledModel {
    const assembled = family.assemble(binding, (ref) => around.document(this.source(ref)), choices)
    const own = slicesFile && this.store.exists(slicesFile) ? around.document(slicesFile) : undefined
    if (own) addOwn(own as SlicesDocument, assembled.scene)
    return assembled
  }

  /** With the files that the user gave to it and took from it. */
  private asChosen(found: Pick<FoundModel, 'family' | 'binding' | 'around'>, library: Ground): FoundModel {
    const { bindings } = this.state.model(found.binding.primary)
    return this.complete({ ...found, binding: this.withUser(found.binding, bindings) }, library)
  }

  private complete({ family, binding, around }: Pick<FoundModel, 'family' | 'binding' | 'around'>, library: Ground): FoundModel {
    const { choices } = this.state.model(binding.primary)
    const slicesFile = join(this.state.folder, 'slices', shortHash(binding.primary) + SLICES_SUFFIX)
    return { family, binding, around, choices: { ...this.defaults(), ...choices, ...this.given }, library: library.root, slicesFile }
  }

  private bound(
    ref: string,
    library: Ground,
    { primary = ref, name }: { primary?: string; name?: string },
  ): Pick<FoundModel, 'family' | 'binding' | 'around'> {
    const { registry } = this.store
    const best = (list: readonly ModelBinding[]): ModelBinding | undefined =>
      list.find((b) => b.primary === primary && b.name === name) ??
      list.find((b) => b.primary === primary) ??
      list.find((b) => b.members.some((m) => m.ref === ref)) ??
      list.find((b) => this.store.container(b.primary) === ref)
    let around = library.index.neighbourhood()
    let binding = best(library.index.modelOf(ref))
    if (!binding) {
      // not indexed yet (or not any more): what stands in the same place says what belongs together
      const opened = this.store.openArchive(ref)
      const folder = opened ? opened.ref : this.store.folderOf(ref)
      const near = MemoryNeighbourhood.of(this.store, folder)
      around = near
      binding = best(registry.families.flatMap((family) => family.bind(folder, near)))
    }
    binding ??= this.single(ref)
    const family = this.familyOf(binding, ref)
    // asked for each time: the index keeps what a model has, and not what the library lacks
    const absent = family.absent?.(this.store.folderOf(binding.primary), around) ?? []
    return { family, binding: absent.length > 0 ? { ...binding, absent } : binding, around }
  }

  private familyOf(binding: ModelBinding, ref: string): Family {
    const family = this.store.registry.familyById(binding.family)
    if (!family) throw new FormatError('unsupported', say('given.noFamily'), { file: ref })
    return family
  }

  /** A file that belongs to no model is one by itself: a texture, an animation without its skeleton. */
  private single(ref: string): ModelBinding {
    const found = this.store.identify(ref)
    const called = found ? undefined : this.store.registry.kindOfName(this.store.nameOf(ref))
    // the file is empty or damaged: it opens by its name, so that its bytes can be looked at
    if (called)
      return {
        family: called.family,
        name: this.store.nameOf(ref),
        primary: ref,
        members: [{ role: called.kind, ref, why: 'self', detail: '' }],
      }
    if (!found?.format)
      throw new FormatError('unsupported', found ? say('given.noModelInArchive') : say('given.noFormat'), {
        file: ref,
        offset: 0,
      })
    const { kind, family } = found.format
    return {
      family,
      name: this.store.nameOf(ref),
      primary: ref,
      members: [{ role: kind === 'texture' ? 'textures' : kind, ref, why: 'self', detail: '' }],
    }
  }

  /**
   * User's files come first, so that assemblers take them before the binder's own; an animation takes nothing's place, and comes behind those that
   * scripts count. Files that are gone are left out.
   */
  private withUser(binding: ModelBinding, bindings: readonly UserBinding[]): ModelBinding {
    if (bindings.length === 0) return binding
    const removed = (member: ModelMember): boolean => bindings.some((b) => b.remove && b.ref === member.ref && b.role === member.role)
    const added = bindings
      .filter((b) => !b.remove && this.store.exists(this.source(b.ref)))
      .map((b): ModelMember => ({ role: b.role, ref: b.ref, why: 'user', detail: say('calls.yourChoice') }))
    const isAdded = (member: ModelMember): boolean => added.some((a) => a.ref === member.ref && a.role === member.role)
    const self = binding.members.filter((m) => m.ref === binding.primary && !isAdded(m))
    const rest = binding.members.filter((m) => m.ref !== binding.primary && !isAdded(m) && !removed(m))
    const first = added.filter(({ role }) => role !== 'animation')
    const more = added.filter(({ role }) => role === 'animation')
    return { ...binding, members: [...self, ...first, ...rest, ...more] }
  }
}

/** Settings as the choices of the families that read them. */
export function settingChoices(registry: Registry, settings: Partial<Settings>): ModelChoices {
  const choices: Record<string, string | number | boolean> = {}
  for (const family of registry.families)
    for (const [name, key] of Object.entries(family.settings ?? {})) {
      const value = settings[name as keyof NonNullable<typeof family.settings>]
      if (value !== undefined) choices[key] = value
    }
  return choices
}
