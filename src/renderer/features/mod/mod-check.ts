/** What the host finds in all changed files of the mod, open or not: how far it is, and what it found last. */
import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { ModCheckProgress, ModFileReport } from '../../../shared/api/types/mod.ts'
import { errorData } from '../../core/errors.ts'
import { latestAnswer } from '../../core/latest.ts'
import { useLibrary } from '../../core/library.ts'
import { useSession } from '../../core/session.ts'

export const useModCheck = defineStore('modCheck', () => {
  const session = useSession()
  const library = useLibrary()
  /** by the game's file */
  const reports = shallowRef<ReadonlyMap<string, ModFileReport>>(new Map())
  /** null between two checks */
  const progress = shallowRef<ModCheckProgress | null>(null)
  /** the user ended the last one before its end */
  const stopped = ref(false)
  const failure = ref('')
  const running = computed(() => progress.value !== null)
  const ask = latestAnswer()
  let stopping: AbortController | undefined

  /** @param total files, before the host has counted them; what was found before stays until it is found again */
  async function run(total: number): Promise<void> {
    const id = library.info?.id
    stopping?.abort()
    const wanted = ask()
    failure.value = ''
    stopped.value = false
    progress.value = null
    if (id === undefined || total === 0) {
      reports.value = new Map()
      return
    }
    const own = (stopping = new AbortController())
    progress.value = { library: id, done: 0, total, current: '' }
    const quiet = session.api?.on('mod.progress', (event) => {
      if (event.library === id && wanted()) progress.value = event
    })
    try {
      const found = await session.call('mod.check', { library: id }, { signal: own.signal })
      if (wanted()) reports.value = new Map(found.map((report) => [report.ref, report]))
    } catch (error) {
      const { code, message } = errorData(error)
      if (wanted() && code === 'cancelled') stopped.value = true
      else if (wanted()) failure.value = message
    } finally {
      quiet?.()
      if (wanted()) progress.value = null
    }
  }

  function stop(): void {
    stopping?.abort()
  }

  /** Of another library nothing is known. */
  function forget(): void {
    stop()
    ask()
    reports.value = new Map()
    progress.value = null
    stopped.value = false
    failure.value = ''
  }

  return { reports, progress, stopped, failure, running, run, stop, forget }
})
