/** What the rules find in the whole library: findings as they come in, how far it is, and repairs over many models. */
import { defineStore } from 'pinia'
import { computed, ref, shallowReactive, shallowRef, watch } from 'vue'
import type { LibraryLint, LintProgress, LintRule } from '../../../shared/api/types/lint.ts'
import type { Problem } from '../../../shared/api/types/model.ts'
import { errorData } from '../../core/errors.ts'
import { latestAnswer } from '../../core/latest.ts'
import { titleOf } from '../../core/keymap/catalogue.ts'
import { useLibrary } from '../../core/library.ts'
import { useModels, type OpenModel } from '../../core/models.ts'
import { useSaveAll } from '../../core/save-all.ts'
import { useSession } from '../../core/session.ts'
import { say } from '../../../shared/texts/say.ts'
import { asTheyStand, type OfferedFix } from './lint-rows.ts'

/** Models that one repair opens: each is a tab, and takes memory. */
const MOST_OPENED = 24
/** Findings come in faster than anybody reads: the list follows so often, ms. */
const SHOWN_EVERY = 250

export const useLibraryLint = defineStore('libraryLint', () => {
  const session = useSession()
  const library = useLibrary()
  const models = useModels()
  const saveAll = useSaveAll()
  const shown = ref(false)
  const onlyNew = ref(false)
  /** in files as they were saved */
  const saved = shallowRef<readonly Problem[]>([])
  /** null between two runs */
  const progress = shallowRef<Omit<LintProgress, 'problems' | 'library'> | null>(null)
  const result = shallowRef<LibraryLint | null>(null)
  const stopped = ref(false)
  const failure = ref('')
  const rules = shallowRef<ReadonlyMap<string, LintRule>>(new Map())
  const fixing = shallowRef<{ done: number; total: number; current: string } | null>(null)
  const ask = latestAnswer()
  let stopping: AbortController | undefined
  let stopFixing = false

  /** Files of models that are open, or were, as they stand: by file. Those that a model had when it was closed unsaved are its files' no more. */
  const settled = shallowReactive(new Map<string, readonly Problem[]>())
  /** Of open models what is new alone, where that is asked for. */
  const fresh = shallowReactive(new Map<string, readonly Problem[]>())

  function byFile(model: OpenModel, problems: readonly Problem[]): Map<string, Problem[]> {
    const root = library.info?.root ?? ''
    const files = new Map<string, Problem[]>(model.info.files.filter(({ ref }) => ref.startsWith(root)).map(({ ref }) => [ref, []]))
    for (const problem of problems) files.get(problem.ref)?.push(problem)
    return files
  }
  const problemsOf = (model: OpenModel): readonly Problem[] | null => (onlyNew.value ? (fresh.get(model.id) ?? null) : model.problems)

  const problems = computed<Problem[]>(() => {
    const now = new Map(settled)
    for (const model of models.open) {
      const own = problemsOf(model)
      if (own) for (const [ref, list] of byFile(model, own)) now.set(ref, list)
    }
    const off = new Set(session.settings.rulesOff)
    return asTheyStand(saved.value, now).filter(({ code }) => !off.has(code))
  })

  // what a model without unsaved edits has is what its files have, also once it is closed
  watch(
    () => (shown.value ? models.open.map((model) => [model, model.problems, model.info.dirty] as const) : []),
    (list, before) => {
      const asked = new Map(before?.map(([model, own]) => [model, own]))
      for (const [model, own, dirty] of list) {
        if (!own) continue
        if (onlyNew.value) {
          if (asked.get(model) !== own || !fresh.has(model.id)) void askFresh(model)
        } else if (!dirty) for (const [ref, found] of byFile(model, own)) settled.set(ref, found)
      }
    },
  )

  async function askFresh(model: OpenModel): Promise<void> {
    const { revision, dirty } = model.info
    try {
      const found = await session.call('model.problems', { model: model.id, onlyNew: true })
      if (!onlyNew.value || model.info.revision !== revision) return
      fresh.set(model.id, found)
      if (!dirty) for (const [ref, own] of byFile(model, found)) settled.set(ref, own)
    } catch {
      // of a model that is closed by now nothing is asked
    }
  }

  async function run(): Promise<void> {
    const id = library.info?.id
    stopping?.abort()
    const wanted = ask()
    clear()
    if (id === undefined) return
    if (rules.value.size === 0)
      // without them the findings stand alone
      void session.call('lint.rules', {}).then(
        (list) => (rules.value = new Map(list.map((rule) => [rule.id, rule]))),
        () => {},
      )
    const own = (stopping = new AbortController())
    progress.value = { done: 0, total: 0, current: '' }
    const found: Problem[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const show = (): void => {
      clearTimeout(timer)
      timer = undefined
      if (wanted() && saved.value.length !== found.length) saved.value = [...found]
    }
    const quiet = session.api?.on('lint.progress', ({ library: of, problems: more, ...step }) => {
      if (of !== id || !wanted()) return
      for (const problem of more) found.push(problem)
      progress.value = step
      timer ??= setTimeout(show, SHOWN_EVERY)
    })
    try {
      const done = await session.call('lint.library', { library: id, ...(onlyNew.value && { onlyNew: true }) }, { signal: own.signal })
      if (wanted()) result.value = done
    } catch (error) {
      const { code, message } = errorData(error)
      if (wanted() && code === 'cancelled') stopped.value = true
      else if (wanted()) failure.value = message
    } finally {
      quiet?.()
      show()
      if (wanted()) progress.value = null
    }
  }

  function stop(): void {
    stopping?.abort()
  }

  function clear(): void {
    saved.value = []
    settled.clear()
    fresh.clear()
    result.value = null
    progress.value = null
    stopped.value = false
    failure.value = ''
  }

  /** One repair at all findings of its kind: a step in each of their models, which are opened for that. Nothing is saved. */
  async function fixAll(code: string, { id, label, refs }: OfferedFix): Promise<void> {
    if (fixing.value) return
    stopFixing = false
    const handled = new Set<string>()
    let [opened, fixed, left] = [0, 0, 0]
    let trouble = ''
    for (const [done, ref] of refs.entries()) {
      if (stopFixing) break
      if (handled.has(ref)) continue
      fixing.value = { done, total: refs.length, current: ref }
      const holder = models.open.find(({ info }) => info.files.some((file) => file.ref === ref))
      if (!holder && opened >= MOST_OPENED) {
        left++
        continue
      }
      let model = holder
      try {
        model ??= await models.openBeside(ref)
        if (!holder) opened++
        const made = await models.edit('model.fixAll', { code, fix: id, ...(onlyNew.value && { onlyNew: true }) }, { model, quiet: true })
        if (made?.step) fixed++
      } catch (error) {
        // what was found is not there any more: somebody else put it right
        if (errorData(error).code !== 'not-found') trouble ||= errorData(error).message
        if (model && !holder && !model.info.dirty && (await models.close(model.id))) opened--
      }
      handled.add(ref)
      for (const file of model?.info.files ?? []) handled.add(file.ref)
    }
    fixing.value = null
    if (fixed > 0)
      session.notify('good', say('problems.library.fixed', { count: fixed, label }), say('problems.library.notSaved'), {
        label: titleOf('file.saveAll'),
        run: () => void saveAll.run(),
      })
    if (left > 0) session.notify('info', say('problems.library.left', { count: left }))
    if (trouble) session.notify('warning', trouble)
  }

  function endFix(): void {
    stopFixing = true
  }

  // of another library nothing is known; what is new is asked for anew
  watch([shown, () => library.info?.id, onlyNew], ([now, id, fresh], [before, oldId, was]) => {
    if (id !== oldId || fresh !== was) {
      stop()
      ask()
      clear()
    }
    if (!now) return stop()
    if (!before || id !== oldId || fresh !== was) if (!result.value) void run()
  })

  return { shown, onlyNew, problems, progress, result, stopped, failure, rules, fixing, run, stop, fixAll, endFix }
})
