/** Opens models for the window and puts what the window shows of them into plain data. */
import { FormatError } from '../binary/format-error.ts'
import type { FileStore } from '../files/store.ts'
import { choiceOf } from '../formats/rule-choice.ts'
import type { AssembledModel, ModelMember } from '../formats/binding.ts'
import type { Document } from '../formats/format.ts'
import { sameNumbers, sceneChange, shareEntries } from '../../shared/scene/scene-update.ts'
import type { Clip, Scene } from '../../shared/scene/types.ts'
import type { EditResult, ModelAbilities, ModelFile, ModelInfo, OpenedModel, Problem, SceneBeyond } from '../../shared/api/types/model.ts'
import { baseName } from '../../shared/ref.ts'
import type { Diagnostic } from '../../shared/api/errors.ts'
import { slicesFormat } from '../workspace/slices-file.ts'
import type { SavePlace } from '../workspace/mod-copies.ts'
import type { OpenModel } from '../workspace/open-model.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { lintModelOf, looksBack, newSince, originalOf, withScene } from './judge.ts'
import { clipsAway } from './clips-away.ts'
import { missingParts } from './missing-parts.ts'
import type { Libraries } from './libraries.ts'
import type { ModelFinder } from './model-finder.ts'
import type { AppState, UserBinding } from './state.ts'
import { say } from '../../shared/texts/say.ts'

export class Models {
  private readonly store: FileStore
  private readonly workspace: Workspace
  private readonly libraries: Libraries
  private readonly state: AppState
  private readonly finder: ModelFinder
  /** what windows were told last */
  private readonly sent = new WeakMap<OpenModel, { scene: Scene; revision: number }>()

  constructor(store: FileStore, workspace: Workspace, libraries: Libraries, state: AppState, finder: ModelFinder) {
    this.store = store
    this.workspace = workspace
    this.libraries = libraries
    this.state = state
    this.finder = finder
  }

  /** Where a file is saved. */
  placeOf(ref: string): SavePlace {
    return this.finder.place(ref)
  }

  /** Opens the model that a file is, or belongs to. @throws FormatError */
  open(ref: string): OpenModel {
    return this.workspace.open(this.finder.find(ref))
  }

  /** Of a model that may be opened next what takes longest is done now; what is the matter with it is told by opening it. */
  prepare(ref: string): void {
    try {
      this.workspace.prepare(this.finder.find(ref))
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
    }
  }

  /** The user's word on which file plays a role: remembered, and the model bound again. */
  bind(model: OpenModel, change: UserBinding): void {
    // a file that was given to it stands in no library; by another spelling the same file would be a second one
    this.give(model, change.remove ? change : { ...change, ref: this.libraries.checkRef(change.ref).ref })
  }

  /**
   * A file from anywhere plays a role in the model: remembered.
   * @param useless why nothing comes of it, '' where something does
   * @throws Error in words, and the model is as it was
   */
  give(model: OpenModel, change: UserBinding, useless?: (before: AssembledModel, after: AssembledModel) => string): void {
    const { choices, bindings } = this.state.model(model.binding.primary)
    const before = useless && model.assembled
    const next = [...bindings.filter((b) => !(b.ref === change.ref && b.role === change.role)), change]
    if (change.remove && change.ref === model.binding.primary)
      throw new FormatError('invalid-argument', say('calls.primaryFile'), { file: change.ref })
    this.workspace.rebind(model.id, this.finder.rebound(model.binding.primary, next))
    try {
      const now = model.assembled
      const why = before && useless?.(before, now)
      if (why) throw new FormatError('invalid-edit', why, { file: change.ref })
    } catch (error) {
      this.workspace.rebind(model.id, this.finder.rebound(model.binding.primary, bindings))
      throw error
    }
    this.state.setModel(model.binding.primary, { choices, bindings: next })
  }

  choose(model: OpenModel, key: string, value: string | number | boolean): void {
    const option = model.assembled.options.find((o) => o.key === key)
    if (!option) throw new FormatError('invalid-argument', say('calls.noChoice', { key }))
    if (!option.options.some((o) => o.value === value))
      throw new FormatError('invalid-argument', say('calls.notAChoice', { value: String(value), choice: key }))
    const state = this.state.model(model.binding.primary)
    this.workspace.choose(model.id, { ...model.choices, [key]: value })
    // only the user's word is kept: settings go on deciding the rest
    this.state.setModel(model.binding.primary, { ...state, choices: { ...state.choices, [key]: value } })
  }

  /** Open models follow the settings. @returns those that changed */
  follow(): OpenModel[] {
    const defaults = this.finder.defaults()
    return this.workspace.list().filter((model) => {
      const own = this.state.model(model.binding.primary).choices
      const changed = model.assembled.options.some(({ key, value }) => key in defaults && !(key in own) && value !== defaults[key])
      if (changed) this.workspace.choose(model.id, { ...model.choices, ...defaults, ...own })
      return changed
    })
  }

  info(model: OpenModel): ModelInfo {
    const { assembled, binding, history } = model
    return {
      id: model.id,
      name: binding.name,
      family: model.family.id,
      primary: binding.primary,
      files: [
        ...binding.members.map((member) => this.file(model, member)),
        ...[...model.touched]
          .filter((ref) => !binding.members.some((m) => m.ref === ref) && !model.isAbsent(ref))
          .map((ref) => this.file(model, { role: 'other', ref, why: 'explicit', detail: say('calls.changedTogether') })),
      ],
      options: assembled.options.map(({ key, label, reason, value, options }) => ({ key, label, reason, value, options })),
      missing: missingParts(assembled),
      abilities: abilitiesOf(model),
      history: {
        undo: history.undoable.map((step) => step.label),
        redo: history.redoable.map((step) => step.label),
        top: history.undoable.at(-1)?.id ?? '',
      },
      revision: model.revision,
      dirty: model.dirty,
      ...(model.elsewhere && { elsewhere: this.elsewhere(model) }),
    }
  }

  elsewhere(model: OpenModel): ModelInfo['elsewhere'] {
    return model.elsewhere && { edited: model.elsewhere.edited.map(baseName) }
  }

  /** @param clip that is shown, where it is another than the first */
  opened(model: OpenModel, clip?: number): OpenedModel {
    return { info: this.info(model), scene: clipsAway(this.sending(model).scene, clip) }
  }

  /** A clip of the scene as it is now, whole. */
  clip(model: OpenModel, index: number): { revision: number; clip: Clip } {
    const clip = model.assembled.scene.clips.at(index)
    if (!clip) throw new FormatError('invalid-argument', say('formats.missing.clip', { name: index }), { file: model.binding.primary })
    return { revision: model.revision, clip }
  }

  /** The state after an edit, without what the last answer about this model had already. */
  edited(model: OpenModel): EditResult {
    const { scene, last } = this.sending(model)
    const { diagnostics } = model.assembled
    if (!last) return { info: this.info(model), scene, diagnostics }
    return { info: this.info(model), scene: sceneChange(scene, last.scene), basis: last.revision, diagnostics }
  }

  /** What windows show of a change until its answer comes: nothing where a number that they have of one thing would be that of another. */
  ahead(model: OpenModel): SceneBeyond | undefined {
    const last = this.sent.get(model)
    const { scene } = model.assembled
    if (!last || !sameNumbers(scene, last.scene)) return undefined
    shareEntries(scene, last.scene)
    return { basis: last.revision, scene: sceneChange(scene, last.scene) }
  }

  /** The scene that is sent now, and the one that was before it. */
  private sending(model: OpenModel): { scene: Scene; last: { scene: Scene; revision: number } | undefined } {
    const { scene } = model.assembled
    const last = this.sent.get(model)
    if (last) shareEntries(scene, last.scene)
    this.sent.set(model, { scene, revision: model.revision })
    return { scene, last }
  }

  private file(model: OpenModel, member: ModelMember): ModelFile {
    const { file, error } = model.entry(member.ref)
    const moved = file && file.source !== file.ref ? [say('calls.fromModFolder'), member.detail].filter(Boolean).join('; ') : member.detail
    return {
      ref: member.ref,
      name: baseName(member.ref),
      role: member.role,
      format: file?.format.id ?? '',
      formatLabel: file?.format.label ?? '',
      why: member.why,
      detail: moved,
      fit: member.fit,
      size: file?.bytes.length ?? 0,
      dirty: file?.dirty ?? false,
      readOnly: file?.document.readOnly ?? '',
      error: error?.message,
    }
  }

  /** What is wrong with the model and its files: what decoders, the assembler and the family's rules found. */
  async problems(model: OpenModel): Promise<Problem[]> {
    const before = await this.originals(model)
    const found: Diagnostic[] = []
    // Marrow's own list may be written by hand: one that cannot be read is said, and left as it is
    const own = model.slicesFile && this.store.exists(model.slicesFile) ? [model.slicesFile] : []
    for (const ref of new Set([...model.allRefs(), ...own])) {
      const { file, error } = model.entry(ref)
      if (model.isAbsent(ref)) continue
      if (!file) {
        found.push({ code: `marrow.${error.code}`, severity: 'error', message: error.message, ref, path: error.path, offset: error.offset })
        continue
      }
      found.push(...file.document.diagnostics)
      if (file.format.id === slicesFormat.id) continue
      try {
        const original = originalOf(model.family, file.format, ref, file.bytes, before.get(ref))
        found.push(...model.family.lint(file.document, lintModelOf(model, original)))
      } catch (thrown) {
        found.push({
          code: 'marrow.lint-failed',
          severity: 'warning',
          message: say('calls.rulesNotChecked', { why: (thrown as Error).message }),
          ref,
          path: '',
          offset: -1,
        })
      }
    }
    return this.told(model, withScene(found, model.assembled.diagnostics))
  }

  /** The files of a model that rules look back at, as the game had them; one whose original is damaged is left out. */
  private async originals(model: OpenModel): Promise<Map<string, Uint8Array>> {
    const out = new Map<string, Uint8Array>()
    for (const ref of model.allRefs()) {
      const { file } = model.entry(ref)
      if (!file || model.isAbsent(ref) || !looksBack(model.family, file.format)) continue
      const bytes = await this.workspace.bytes(model.id, ref, true).catch(() => undefined)
      if (bytes) out.set(ref, bytes)
    }
    return out
  }

  /** Those of its files that were not there before the first edit: of a file that is as its original is, none. */
  async newProblems(model: OpenModel): Promise<Problem[]> {
    const found: Diagnostic[] = []
    for (const ref of model.allRefs()) {
      const { file } = model.entry(ref)
      if (!file || model.isAbsent(ref) || file.format.id === slicesFormat.id) continue
      const before = await this.workspace.bytes(model.id, ref, true)
      if (Buffer.compare(before, file.bytes) === 0) continue
      const judge = (document: Document, original?: Document): Diagnostic[] => [
        ...document.diagnostics,
        ...model.family.lint(document, lintModelOf(model, original)).filter((one) => one.ref === ref),
      ]
      const original = originalOf(model.family, file.format, ref, file.bytes, before)
      found.push(...newSince(judge(file.document, original), () => judge(file.format.decode(before, ref))))
    }
    return this.told(model, found)
  }

  /** Each once, without what is switched off, and with the repairs that there are. */
  private told(model: OpenModel, found: readonly Diagnostic[]): Problem[] {
    const seen = new Set<string>()
    return found.filter(choiceOf({ off: this.state.settings.rulesOff })).flatMap((d) => {
      const key = [d.ref, d.code, d.path, d.offset, d.message].join('\0')
      if (seen.has(key)) return []
      seen.add(key)
      return [{ ...d, fixes: d.fixes?.filter((fix) => model.family.fixes?.[fix.id]), file: baseName(d.ref) }]
    })
  }
}

function abilitiesOf(model: OpenModel): ModelAbilities {
  const { editor } = model.family
  return {
    // slices are windows on clips: without a clip there is nothing to cut
    slices: editor.slices || model.assembled.scene.clips.length > 0 ? model.slices.limits(model) : null,
    clips: editor.clips !== undefined,
    clipList: editor.clips?.list?.of ?? null,
    weights: editor.weights !== undefined,
    skeleton: editor.skeleton ? { ...editor.skeleton.abilities } : null,
    events: editor.events !== undefined,
    points: editor.points !== undefined,
    submeshes: editor.submeshes !== undefined,
    textures: editor.textures !== undefined,
  }
}
