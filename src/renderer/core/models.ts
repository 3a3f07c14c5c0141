/** Models that are open, one tab each, and the edits that change them. */
import { defineStore } from 'pinia'
import { computed, markRaw, nextTick, ref, shallowReactive, shallowRef } from 'vue'
import type { CallArgs, CallName, CallResult } from '../../shared/api/contract.ts'
import type { EditResult, ModelInfo, OpenedModel, Problem, SceneBeyond } from '../../shared/api/types/model.ts'
import type { DiskFileState, SaveResult } from '../../shared/api/types/save.ts'
import { sharedWith } from '../../shared/scene/same.ts'
import { applyUpdate } from '../../shared/scene/scene-update.ts'
import type { Scene } from '../../shared/scene/types.ts'
import { picturesAhead } from './ahead.ts'
import type { Span } from './clock.ts'
import { errorData } from './errors.ts'
import { latestAnswer } from './latest.ts'
import { useLibrary } from './library.ts'
import { sameSurface } from './same-scene.ts'
import { useSession } from './session.ts'
import { say } from '../../shared/texts/say.ts'

export interface OpenModel {
  readonly id: string
  info: ModelInfo
  /** as the services last gave it */
  scene: Scene
  /** what the viewport shows: replaced only when something visible changed */
  viewScene: Scene
  /** what plays in the place of what is chosen, in the clip's own time: a clip of `viewScene` alone */
  viewClip: { clip: number; span: Span } | null
  problems: Problem[] | null
  /** files that the disk does not have as they were read */
  changedOnDisk: DiskFileState[]
  /** files that the last save did not write because they are write-protected */
  protectedFiles: string[]
  /** the notice of a save that failed, 0 for none: the next save answers for itself */
  failedSave: number
}

/** An edit's answer, with the step of the history that it is now; '' where it made none. */
export type Edited = EditResult & { step: string }

/** Calls that change a model and answer with its new state. */
export type EditCall = { [K in CallName]: CallResult<K> extends EditResult ? K : never }[CallName]

type SaveLeave = { overwriteChanged?: true; writeAgain?: true; replaceReadOnly?: true }

export const useModels = defineStore('models', () => {
  const session = useSession()
  const library = useLibrary()
  const open = shallowRef<OpenModel[]>([])
  const activeId = ref('')
  /** 'library' or a model's page */
  const page = ref<'library' | 'model'>('library')
  const opening = ref('')
  /** models whose save waits for a copy of the image of a disc that they stand in */
  const waiting = shallowRef<readonly string[]>([])
  const saving = ref(false)
  /** the models of the last start are being opened, one after the other */
  const restoring = ref(false)
  const active = computed<OpenModel | null>(() => open.value.find((m) => m.id === activeId.value) ?? null)
  const info = computed(() => active.value?.info ?? null)
  const scene = computed(() => active.value?.scene ?? null)
  let listening = false
  // edits of one model are sent one after the other, so that answers cannot overtake each other
  let queue: Promise<unknown> = Promise.resolve()
  let again = false
  let steps: Promise<void> = Promise.resolve()
  const ahead = picturesAhead()
  /** edits that were sent and not answered yet */
  const pending = ref(0)
  /** undos and redos that were asked for and are not taken yet */
  const stepping = ref(0)

  function listen(): void {
    if (listening || !session.api) return
    listening = true
    session.api.on('model.changed', (event) => {
      const model = open.value.find((m) => m.id === event.info.id)
      if (model && event.info.revision > model.info.revision) void reload(model.id)
    })
    session.api.on('model.ahead', ({ model: id, ...made }) => {
      const model = open.value.find((m) => m.id === id)
      if (model && previewUpdate(model, made)) ahead.shown(id)
    })
    session.api.on('model.elsewhere', ({ model: id, elsewhere }) => {
      const model = open.value.find((m) => m.id === id)
      if (model) model.info = { ...model.info, elsewhere }
    })
    session.api.on('model.closed', (event) => drop(event.model))
    session.api.on('file.changed', (event) => {
      const model = open.value.find((m) => m.id === event.model)
      if (!model) return
      const others = model.changedOnDisk.filter(({ ref }) => ref !== event.ref)
      const { ref, state, message, movedTo } = event
      model.changedOnDisk = state === 'same' ? others : [...others, { ref, state, message, movedTo }]
    })
  }

  function put(opened: OpenedModel): OpenModel {
    listen()
    const scene = markRaw(opened.scene)
    const known = open.value.find((m) => m.id === opened.info.id)
    if (known) {
      apply(known, opened.info, scene)
      return known
    }
    const model: OpenModel = shallowReactive({
      id: opened.info.id,
      info: opened.info,
      scene,
      viewScene: scene,
      viewClip: null,
      problems: null,
      changedOnDisk: [],
      protectedFiles: [],
      failedSave: 0,
    })
    open.value = [...open.value, model]
    // what is shown of it is asked for first
    void nextTick().then(() => refreshProblems(model))
    return model
  }

  function apply(model: OpenModel, info: ModelInfo, scene: Scene): void {
    // what is said of the model as before is the same data: who shows it has nothing to do
    model.info = sharedWith(info, model.info)
    model.scene = markRaw(scene)
    // a new scene object makes the viewport build everything again: only when it would look different
    if (!sameSurface(model.viewScene, scene)) model.viewScene = model.scene
    scheduleProblems(model)
  }

  /** Of each model, what is asked again while an earlier question is not answered. */
  const questions = new WeakMap<OpenModel, { problems: () => () => boolean; disk: () => () => boolean }>()
  function ask(model: OpenModel, what: 'problems' | 'disk'): () => boolean {
    let asks = questions.get(model)
    if (!asks) questions.set(model, (asks = { problems: latestAnswer(), disk: latestAnswer() }))
    return asks[what]()
  }

  const problemTimers = new Map<string, ReturnType<typeof setTimeout>>()
  function scheduleProblems(model: OpenModel): void {
    clearTimeout(problemTimers.get(model.id))
    problemTimers.set(
      model.id,
      setTimeout(() => void refreshProblems(model), 250),
    )
  }

  async function refreshProblems(model: OpenModel): Promise<void> {
    const wanted = ask(model, 'problems')
    try {
      const found = await session.call('model.problems', { model: model.id })
      if (wanted()) model.problems = found
    } catch (error) {
      if (wanted() && errorData(error).code !== 'not-found') session.report(error)
    }
  }

  /** Shows another scene in the place of a model's own, which stays as it is; undefined ends that. @returns whether it looks different */
  function preview(model: OpenModel, scene: Scene | undefined): boolean {
    const next = scene ? markRaw(scene) : model.scene
    if (sameSurface(model.viewScene, next)) return false
    model.viewScene = next
    return true
  }

  /** Shows what an edit would make of a model, as long as it is of the state that the model has; null ends that. */
  function previewUpdate(model: OpenModel, made: SceneBeyond | null): boolean {
    return preview(model, made && made.basis === model.info.revision ? applyUpdate(made.scene, model.scene) : undefined)
  }

  async function openRef(ref: string): Promise<OpenModel | null> {
    opening.value = ref
    try {
      const model = put(await session.call('model.open', { ref, library: library.info?.id }))
      show(model.id)
      return model
    } catch (error) {
      session.report(error)
      return null
    } finally {
      opening.value = ''
    }
  }

  /** Opens a model beside what is shown. @param live its id where the services have it open. Rejects where it cannot be opened. */
  async function openBeside(ref: string, live?: string): Promise<OpenModel> {
    return put(await (live ? session.call('model.scene', { model: live }) : session.call('model.open', { ref, library: library.info?.id })))
  }

  /**
   * What stands in no open library is there to be opened afterwards, with what stands beside it: its folder is one more library, and the shown one
   * stays. Rejects where it may not be read.
   */
  async function reach(ref: string): Promise<void> {
    const { root } = await session.call('open.around', { ref })
    if (root) await session.call('library.open', { root })
  }

  /** Tabs in this order; those of other files stay behind them. */
  function arrange(refs: readonly string[]): void {
    const place = ({ info }: OpenModel): number => (refs.indexOf(info.primary) + refs.length + 1) % (refs.length + 1)
    open.value = [...open.value].sort((a, b) => place(a) - place(b))
  }

  /** Shows a model that another call opened (recovery, a choice). */
  function adopt(opened: OpenedModel): OpenModel {
    const model = put(opened)
    show(model.id)
    return model
  }

  function show(id: string): void {
    activeId.value = id
    page.value = 'model'
  }

  function showLibrary(): void {
    page.value = 'library'
  }

  /** Clips whose tracks came last, by model: what is shown goes on being there when the scene comes anew. */
  const brought = new Map<string, number>()

  async function reload(id: string): Promise<void> {
    try {
      put(await session.call('model.scene', { model: id, clip: brought.get(id) }))
    } catch (error) {
      session.report(error)
    }
  }

  /** Tracks that are away, for a clip that is shown. Where the model has changed meanwhile nothing comes of it: who shows the clip asks again then. */
  async function bring(model: OpenModel, index: number): Promise<void> {
    brought.set(model.id, index)
    try {
      const { revision, clip } = await session.call('model.clip', { model: model.id, clip: index })
      if (revision !== model.info.revision) return
      const whole = (scene: Scene): Scene =>
        scene.clips[index]?.away ? markRaw({ ...scene, clips: scene.clips.with(index, clip) }) : scene
      const { scene, viewScene } = model
      model.scene = whole(scene)
      model.viewScene = viewScene === scene ? model.scene : whole(viewScene)
    } catch (error) {
      session.report(error)
    }
  }

  /** What the services say of a model after a save: its scene stays as it is, as long as nobody changed it. */
  async function refreshInfo(model: OpenModel): Promise<void> {
    const now = (await session.call('model.list', {})).find(({ id }) => id === model.id)
    if (now?.revision !== model.info.revision) return reload(model.id)
    model.info = now
    scheduleProblems(model)
  }

  async function close(id: string, discard = false): Promise<boolean> {
    const model = open.value.find((m) => m.id === id)
    if (!model) return true
    try {
      await session.call('model.close', { model: id, discard: discard || undefined })
    } catch (error) {
      session.report(error)
      return false
    }
    drop(id)
    return true
  }

  /** It is not open any more. */
  function drop(id: string): void {
    const model = open.value.find((m) => m.id === id)
    if (!model) return
    const at = open.value.indexOf(model)
    open.value = open.value.filter((m) => m !== model)
    brought.delete(id)
    if (activeId.value === id) {
      const next = open.value[Math.min(at, open.value.length - 1)]
      activeId.value = next?.id ?? ''
      if (!next) page.value = 'library'
    }
  }

  /** Sends an edit; errors are shown and answered with null. */
  function edit<K extends EditCall>(
    name: K,
    args: Omit<CallArgs<K>, 'model'>,
    options: { quiet?: boolean; model?: OpenModel; signal?: AbortSignal } = {},
  ): Promise<Edited | null> {
    const model = options.model ?? active.value
    if (!model) return Promise.resolve(null)
    const run = async (): Promise<Edited | null> => {
      const { top } = model.info.history
      try {
        const result = (await session.call(name, { model: model.id, ...args } as unknown as CallArgs<K>, {
          signal: options.signal,
        })) as EditResult
        await ahead.drawn(model.id)
        // another window may have changed the model meanwhile: then what was left out is not what is shown here
        const scene =
          result.basis === undefined || result.basis === model.info.revision ? applyUpdate(result.scene, model.scene) : undefined
        if (scene) apply(model, result.info, scene)
        else await reload(model.id)
        const now = result.info.history.top
        const replaces = (args as { replaces?: string }).replaces
        return { ...result, step: (replaces === undefined ? now !== top : now === replaces) ? now : '' }
      } catch (error) {
        if (options.quiet) throw error
        session.report(error)
        return null
      }
    }
    pending.value++
    const next = queue.then(run, run).finally(() => pending.value--)
    queue = next.catch(() => null)
    return next
  }

  /** What can be undone is known when the edits and the steps before have been answered. */
  function step(kind: 'undo' | 'redo'): Promise<void> {
    stepping.value++
    const take = async (): Promise<void> => {
      await queue
      if (info.value?.history[kind].length) await edit(`history.${kind}`, {})
    }
    steps = steps.then(take).finally(() => stepping.value--)
    return steps
  }
  /** Resolves when all steps that were asked for so far are taken. */
  const stepsTaken = (): Promise<void> => steps
  const undo = (): Promise<void> => step('undo')
  const redo = (): Promise<void> => step('redo')

  async function choose(key: string, value: string | number | boolean): Promise<void> {
    if (!active.value) return
    try {
      put(await session.call('model.choose', { model: active.value.id, key, value }))
    } catch (error) {
      session.report(error)
    }
  }

  /** The user's word on which file plays a role in the shown model; it is remembered. */
  async function bind(role: string, ref: string, remove = false): Promise<void> {
    if (!active.value) return
    try {
      put(await session.call('model.bind', { model: active.value.id, role, ref, remove: remove || undefined }))
    } catch (error) {
      session.report(error)
    }
  }

  /** What the disk has of the model's files now. */
  async function lookAtDisk(model: OpenModel): Promise<void> {
    const wanted = ask(model, 'disk')
    const found = await session.call('model.disk', { model: model.id })
    if (wanted()) model.changedOnDisk = found
  }

  /** Saves a model; what came of it is for the caller to tell. */
  async function write(model: OpenModel, leave: SaveLeave = {}): Promise<SaveResult> {
    saving.value = true
    try {
      await steps
      await queue.catch(() => null)
      const result = await session.call('save.write', { model: model.id, ...leave })
      await settle(model, result)
      return result
    } finally {
      saving.value = false
    }
  }

  /** What a model is after a save. */
  async function settle(model: OpenModel, { failed }: SaveResult): Promise<void> {
    await refreshInfo(model)
    // a save settles the files that it wrote; one that it refused for that reason has to be decided about
    await lookAtDisk(model)
    model.protectedFiles = failed.filter((f) => f.code === 'write-protected').map((f) => f.ref)
  }

  /** @param leave the user's word on files that others changed or took away, and on those that are write-protected */
  async function save(leave: SaveLeave = {}): Promise<SaveResult | null> {
    const model = active.value
    if (!model) return null
    if (saving.value) {
      // asked for while one runs: what was edited since is saved when that one is done
      again = true
      return null
    }
    try {
      const result = await write(model, leave)
      const bytes = result.saved.reduce((n, f) => n + f.changedBytes, 0)
      session.dismiss(model.failedSave)
      if (result.failed.some((f) => f.code === 'copy-only')) waiting.value = [model.id]
      else if (result.failed.length) {
        model.failedSave = session.notify(
          'error',
          result.failed[0].message,
          result.failed.map((f) => f.ref).join(', '),
          result.failed.some((f) => f.code === 'changed-on-disk')
            ? { label: say('save.overwrite'), run: () => void save({ overwriteChanged: true }) }
            : undefined,
        )
      } else if (result.saved.length) {
        session.notify(
          'good',
          say('save.done', { count: result.saved.length, bytes: say('units.bytes', { count: bytes }) }),
          result.saved.map((f) => f.target).join(', '),
        )
      } else session.notify('info', say('save.nothing'))
      return result
    } catch (error) {
      const data = errorData(error)
      if (data.code === 'changed-on-disk')
        session.notify('error', data.message, data.file, { label: say('save.overwrite'), run: () => void save({ overwriteChanged: true }) })
      else session.report(error)
      return null
    } finally {
      if (again) {
        again = false
        await queue.catch(() => null)
        if (active.value?.info.dirty) void save()
      }
    }
  }

  return {
    open,
    activeId,
    page,
    opening,
    saving,
    waiting,
    settle,
    restoring,
    pending,
    stepping,
    active,
    info,
    scene,
    openRef,
    openBeside,
    reach,
    arrange,
    adopt,
    show,
    showLibrary,
    reload,
    bring,
    close,
    edit,
    undo,
    stepsTaken,
    redo,
    choose,
    bind,
    save,
    write,
    lookAtDisk,
    preview,
    previewUpdate,
    refreshProblems,
  }
})
