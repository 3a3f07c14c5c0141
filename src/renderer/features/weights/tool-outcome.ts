/** What the open tool would do, worked out in the worker whenever its settings or the weights change, and what the file would hold of it. */
import { onBeforeUnmount, ref, shallowRef, watch, type Ref } from 'vue'
import type { CallResult } from '../../../shared/api/contract.ts'
import type { ToolOutcome, ToolTask } from '../../../shared/weights/run.ts'
import { errorData } from '../../core/errors.ts'
import { latestAnswer } from '../../core/latest.ts'
import { useModels } from '../../core/models.ts'
import { useSession } from '../../core/session.ts'
import { useWeights } from './store.ts'

export interface Outcome {
  result: Readonly<Ref<ToolOutcome | null>>
  /** why there is no result */
  failed: Readonly<Ref<string>>
  /** share that is done; null while nothing runs, or has run for a moment only */
  progress: Readonly<Ref<number | null>>
  /** the user cancelled it */
  stopped: Readonly<Ref<boolean>>
  stop: () => void
  again: () => void
  /** until what was asked for last is there, or is not to come */
  settled: () => Promise<void>
}

/** @param task null where there is nothing to do */
export function useToolOutcome(task: () => ToolTask | null, vertices: Readonly<Ref<Uint32Array>>): Outcome {
  const store = useWeights()
  const result = shallowRef<ToolOutcome | null>(null)
  const failed = ref('')
  const progress = ref<number | null>(null)
  const stopped = ref(false)
  let running: AbortController | null = null
  let counted: Promise<void> = Promise.resolve()

  watch([task, vertices, () => store.data, () => store.geometry] as const, again, { immediate: true })
  onBeforeUnmount(() => running?.abort())

  function again(): void {
    counted = count()
  }

  async function count(): Promise<void> {
    running?.abort()
    stopped.value = false
    const wanted = task()
    if (!wanted || !store.data) {
      result.value = null
      progress.value = null
      return
    }
    const own = (running = new AbortController())
    // a short wait is not shown: the line would flicker
    const slow = setTimeout(() => (progress.value ??= 0), 250)
    try {
      const next = await store.worker.run(
        'tool',
        { weights: store.data, vertices: vertices.value, geometry: store.geometry, task: wanted },
        { signal: own.signal, onProgress: (share) => progress.value !== null && (progress.value = share) },
      )
      if (own.signal.aborted) return
      result.value = next
      failed.value = ''
    } catch (e) {
      if (!own.signal.aborted) {
        result.value = null
        failed.value = errorData(e).message
      }
    } finally {
      clearTimeout(slow)
      if (running === own) progress.value = null
    }
  }

  function stop(): void {
    running?.abort()
    result.value = null
    progress.value = null
    stopped.value = true
  }

  return { result, failed, progress, stopped, stop, again, settled: () => counted }
}

export interface Stored {
  files: Readonly<Ref<CallResult<'weights.preview'> | null>>
  /** why the file cannot hold it */
  refused: Readonly<Ref<string>>
}

/** What saving would write of an outcome. */
export function useStored(result: Readonly<Ref<ToolOutcome | null>>): Stored {
  const session = useSession()
  const models = useModels()
  const files = shallowRef<CallResult<'weights.preview'> | null>(null)
  const refused = ref('')
  const ask = latestAnswer()
  let later: ReturnType<typeof setTimeout> | undefined
  watch(result, (r) => {
    clearTimeout(later)
    const wanted = ask()
    files.value = null
    refused.value = ''
    const { edit } = r ?? {}
    const model = models.activeId
    if (!edit) return
    // numbers that are still being typed are not asked about
    later = setTimeout(
      () =>
        void session.call('weights.preview', { model, edit }).then(
          (answer) => {
            if (wanted()) files.value = answer
          },
          (e) => {
            if (wanted()) refused.value = errorData(e).message
          },
        ),
      200,
    )
  })
  onBeforeUnmount(() => clearTimeout(later))
  return { files, refused }
}
