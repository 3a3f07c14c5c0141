/**
 * The last operation of a tool, with its settings: changing one does the step again in another way, in the place of the
 * one before. A tool describes itself as an `Operation` and runs through `perform`; the panel over the picture shows its
 * fields for as long as its step is the last of the shown model.
 *
 *   await adjust.perform(() => {
 *     const before = weights.rows                       // what the tool finds when its turn comes
 *     return {
 *       title: 'Smooth weights',
 *       fields: [{ key: 'strength', label: 'Strength', kind: 'number', min: 0, max: 1, step: 0.1 }],
 *       values: { strength: 0.5 },
 *       async run({ strength }, way) {
 *         await way.edit('weights.write', { label: 'Smooth weights', edit: smoothed(before, strength) })
 *       },
 *     }
 *   })
 *
 * `run` is called again with other values and must work each time on what was there at the first call: the services show
 * the edit the state before the step, so whatever it refers to (key numbers, rows of weights) is of then.
 */
import { defineStore } from 'pinia'
import { computed, ref, shallowReactive, shallowRef } from 'vue'
import type { CallArgs } from '../../shared/api/contract.ts'
import { errorData } from './errors.ts'
import { useKept } from './kept.ts'
import { useModels, type EditCall } from './models.ts'
import { useSession } from './session.ts'
import { say } from '../../shared/texts/say.ts'

export type AdjustValue = number | boolean | string

interface FieldBase {
  key: string
  label: string
  /** why it is there, as a tip */
  hint?: string
}
export type AdjustField = FieldBase &
  (
    | { kind: 'number'; unit?: string; min?: number; max?: number; step?: number; integer?: boolean; digits?: number; slider?: boolean }
    | { kind: 'switch' }
    | { kind: 'choice'; options: { value: string; label: string }[] }
    | { kind: 'text'; placeholder?: string }
  )

/** Calls that can take the place of the last step. */
export type AdjustCall = { [K in EditCall]: CallArgs<K> extends { replaces?: string } ? K : never }[EditCall]

/** What a run is given to do its work with. */
export interface Way {
  /** false for the first run */
  readonly again: boolean
  readonly signal: AbortSignal
  /** share of the work that is done, 0 to 1 */
  progress(share: number): void
  /** Sends the edit, in the place of the step before where there is one. @throws what the call throws */
  edit<K extends AdjustCall>(name: K, args: Omit<CallArgs<K>, 'model' | 'replaces' | 'gesture'>): Promise<void>
}

/** What a run has to say. */
export interface Told {
  /** the outcome in words: `12 keys taken out` */
  words?: string
  /** what was left as it is, and why */
  left?: readonly string[]
}

export interface Operation<V extends Record<string, AdjustValue> = Record<string, AdjustValue>> {
  title: string
  /** none: the step has nothing to adjust, and the panel stays away */
  fields: AdjustField[]
  values: V
  /** @throws Refusal, or what a call throws: what was there stays */
  run(values: V, way: Way): Promise<Told | void>
  /** new values that a field was given are kept for the next time the tool is used */
  keep?(values: V): void
}

/** A tool cannot do it with these values; nothing is changed. */
export class Refusal extends Error {
  readonly detail: string
  constructor(message: string, detail = '') {
    super(message)
    this.detail = detail
  }
}

/** Work that takes longer shows its progress. */
const SHOWN_AFTER = 100

export interface LastOperation {
  readonly operation: Operation
  readonly model: string
  /** as the fields show them */
  values: Record<string, AdjustValue>
  /** its step; '' while it has none, because these values change nothing or the first run goes on */
  step: string
  /** while it has no step: the step that it comes after */
  under: string
  /** a field was given another value */
  adjusted: boolean
  busy: boolean
  /** it takes long enough to say so */
  slow: boolean
  progress: number
  words: string
  left: string
  /** why the values that are shown are not what is there */
  refused: string
}

export const useAdjust = defineStore('adjust', () => {
  const session = useSession()
  const models = useModels()
  const last = shallowRef<LastOperation | null>(null)
  const kept = useKept('adjustFolded')
  const folded = ref(false)
  /** asks the panel for the focus */
  const asked = ref(0)

  /** What the panel shows: the last operation, as long as nothing came after it and it was not undone. */
  const shown = computed(() => {
    const l = last.value
    if (!l || models.page !== 'model' || l.model !== models.activeId) return null
    if (l.busy) return l.step || l.adjusted || l.slow ? l : null
    const { top } = models.info!.history
    return l.operation.fields.length && top === (l.step || l.under) ? l : null
  })

  /** The first step of another operation is on its way, and takes no time to speak of. */
  const coming = computed(() => {
    const l = last.value
    return l !== null && l.model === models.activeId && l.busy && shown.value === null
  })

  let stop: AbortController | undefined
  let again = false

  async function run(l: LastOperation): Promise<Told | void> {
    const abort = (stop = new AbortController())
    l.busy = true
    l.slow = false
    l.progress = 0
    const timer = setTimeout(() => (l.slow = true), SHOWN_AFTER)
    try {
      return await l.operation.run(l.values, {
        again: l.step !== '' || l.adjusted,
        signal: abort.signal,
        progress: (share) => (l.progress = share),
        async edit(name, args) {
          abort.signal.throwIfAborted()
          const model = models.open.find((m) => m.id === l.model)
          const replaces = l.step || undefined
          // `args` fit the call: only what every such call takes is added
          const result = await models.edit(name, { ...args, replaces } as never, { quiet: true, model })
          if (!result) return
          l.step = result.step
          if (!l.step) l.under = result.info.history.top
        },
      })
    } finally {
      clearTimeout(timer)
      l.busy = false
    }
  }

  function showRefusal(error: unknown): void {
    if (error instanceof Refusal) session.notify('warning', error.message, error.detail)
    else session.report(error)
  }

  function showOutcome(l: LastOperation, told: Told | void): void {
    l.words = told?.words ?? ''
    l.left = told?.left?.join('; ') ?? ''
  }

  let turn: Promise<unknown> = Promise.resolve()

  /**
   * Runs a tool for the first time, after those that were asked for before it: `make` finds what they left, and gives
   * null where there is nothing to do. What a tool cannot do is told in passing; what it did can be adjusted from then on.
   * @returns whether it made a step
   */
  function perform<V extends Record<string, AdjustValue>>(make: () => Operation<V> | null): Promise<boolean> {
    const next = turn.then(() => first(make))
    turn = next
    return next
  }

  async function first<V extends Record<string, AdjustValue>>(make: () => Operation<V> | null): Promise<boolean> {
    const model = models.active
    let operation: Operation<V> | null
    try {
      operation = model && make()
    } catch (error) {
      showRefusal(error)
      return false
    }
    if (!model || !operation) return false
    const before = last.value
    const l: LastOperation = shallowReactive({
      operation: operation,
      model: model.id,
      values: { ...operation.values },
      step: '',
      under: model.info.history.top,
      adjusted: false,
      busy: true,
      slow: false,
      progress: 0,
      words: '',
      left: '',
      refused: '',
    })
    // a tool that is adjusted just now is done with that first
    await adjusting
    again = false
    last.value = l
    try {
      const told = await run(l)
      showOutcome(l, told)
      const panel = operation.fields.length > 0 && l.step !== ''
      if (!panel && l.left) session.notify('warning', l.step ? say('notices.someTracksLeft') : say('notices.nothingChanged'), l.left)
      if (!panel && told?.words) session.notify(l.step ? 'good' : 'info', told.words)
      if (again) adjusting = adjust(l)
      return l.step !== ''
    } catch (error) {
      showRefusal(error)
      return false
    } finally {
      // a run that made no step does not replace the operation before it in the panel
      if (last.value === l && !l.step) last.value = before
    }
  }

  /** A field was given a new value: the step is done again. Values that come while one is worked on wait; the last counts. */
  function set(key: string, value: AdjustValue): void {
    const l = shown.value
    if (!l) return
    l.values = { ...l.values, [key]: value }
    l.adjusted = true
    if (l.busy) {
      again = true
      // a run with outdated values is stopped; the first run is not, since it makes the step that is adjusted
      if (adjusting) stop?.abort()
    } else adjusting = adjust(l)
  }

  let adjusting: Promise<void> | undefined
  function adjust(l: LastOperation): Promise<void> {
    return runAgain(l).finally(() => (adjusting = undefined))
  }

  async function runAgain(l: LastOperation): Promise<void> {
    do {
      again = false
      try {
        const { values } = l
        showOutcome(l, await run(l))
        l.refused = ''
        l.operation.keep?.(values)
      } catch (error) {
        const data = errorData(error)
        if (again || data.code === 'cancelled') continue
        l.refused = error instanceof Refusal ? [error.message, error.detail].filter(Boolean).join(': ') : data.message
      }
    } while (again && last.value === l)
  }

  function cancel(): void {
    again = false
    stop?.abort()
  }

  function close(): void {
    cancel()
    last.value = null
  }

  function fold(on = !folded.value): void {
    folded.value = on
    kept.write(on)
  }

  /** From the keyboard: the panel is unfolded and has the focus. */
  function focus(): void {
    if (folded.value) fold(false)
    asked.value++
  }

  function load(): void {
    folded.value = kept.read()
  }

  return { last, shown, coming, folded, asked, perform, set, cancel, close, fold, focus, load }
})
