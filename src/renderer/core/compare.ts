/** Two files, folders or models that are held against each other: which, and what came of it. */
import { defineStore } from 'pinia'
import { computed, reactive, ref, shallowRef, watch } from 'vue'
import type { Comparison, CompareProgress, CompareVersion } from '../../shared/api/types/compare.ts'
import { baseName } from '../../shared/ref.ts'
import { errorData } from './errors.ts'
import { latestAnswer } from './latest.ts'
import { useLibrary } from './library.ts'
import { useSession } from './session.ts'

export interface ComparedSide {
  ref: string
  version: CompareVersion
}

export const useCompare = defineStore('compare', () => {
  const session = useSession()
  const library = useLibrary()
  const shown = ref(false)
  const sides = reactive<{ a: ComparedSide; b: ComparedSide }>({ a: { ref: '', version: 'saved' }, b: { ref: '', version: 'saved' } })
  /** all files of the models that the two are of */
  const whole = ref(false)
  const result = shallowRef<Comparison | null>(null)
  const progress = shallowRef<CompareProgress | null>(null)
  const stopped = ref(false)
  const failure = ref('')
  const ask = latestAnswer()
  let stopping: AbortController | undefined

  /** What was selected to be compared with what comes next; '' for nothing. */
  const selected = computed(() => sides.a.ref)

  function select(file: string): void {
    sides.a = { ref: file, version: 'saved' }
    sides.b = { ref: '', version: 'saved' }
  }

  /** With what was selected. */
  function withSelected(file: string): void {
    sides.b = { ref: file, version: 'saved' }
    shown.value = true
  }

  function between(a: string, b: string): void {
    select(a)
    withSelected(b)
  }

  /** The user says with what. */
  function open(file = ''): void {
    if (file) select(file)
    shown.value = true
  }

  function swap(): void {
    const { a, b } = sides
    sides.a = b
    sides.b = a
  }

  async function run(): Promise<void> {
    stopping?.abort()
    const wanted = ask()
    const id = library.info?.id
    const { a, b } = sides
    result.value = null
    failure.value = ''
    stopped.value = false
    progress.value = null
    if (id === undefined || !a.ref || !b.ref) return
    const own = (stopping = new AbortController())
    progress.value = { library: id, done: 0, current: '' }
    const quiet = session.api?.on('compare.progress', (event) => {
      if (event.library === id && wanted()) progress.value = event
    })
    try {
      const args = { library: id, a: { ...a }, b: { ...b }, ...(whole.value && { models: true }) }
      const found = await session.call('compare.run', args, { signal: own.signal })
      if (wanted()) result.value = found
    } catch (error) {
      const { code, message } = errorData(error)
      if (wanted() && code === 'cancelled') stopped.value = true
      else if (wanted()) failure.value = message
    } finally {
      quiet?.()
      if (wanted()) progress.value = null
    }
  }

  const stop = (): void => stopping?.abort()

  watch([shown, whole, () => JSON.stringify(sides), () => library.info?.id], () => (shown.value ? void run() : stop()))

  const nameOf = ({ ref: file }: ComparedSide): string => baseName(file)

  return { shown, sides, whole, result, progress, stopped, failure, selected, select, withSelected, between, open, swap, run, stop, nameOf }
})
