/** The folder that the mod is tried in: what it would get, and how far a write of it is. */
import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import type { TestFolderPlan, TestFolderProgress, TestFolderReport } from '../../../shared/api/types/mod.ts'
import { errorData } from '../../core/errors.ts'
import { useKept } from '../../core/kept.ts'
import { latestAnswer } from '../../core/latest.ts'
import { useLibrary } from '../../core/library.ts'
import { useSession } from '../../core/session.ts'

export const useModTest = defineStore('modTest', () => {
  const session = useSession()
  const library = useLibrary()
  const kept = useKept('testFolder')
  const folder = ref(kept.read())
  const plan = shallowRef<TestFolderPlan | null>(null)
  const report = shallowRef<TestFolderReport | null>(null)
  /** null where nothing is written */
  const progress = shallowRef<TestFolderProgress | null>(null)
  const refused = ref('')
  const ask = latestAnswer()
  let stopping: AbortController | undefined

  /** @returns whether the mod can be tried there */
  async function take(path: string): Promise<boolean> {
    folder.value = path
    kept.write(path)
    report.value = null
    await look()
    return refused.value === ''
  }

  /** What would be written as the mod is now. */
  async function look(): Promise<void> {
    const wanted = ask()
    plan.value = null
    refused.value = ''
    if (!library.info || folder.value === '') return
    try {
      const answer = await session.call('mod.test', { library: library.info.id, folder: folder.value })
      if (wanted()) plan.value = answer
    } catch (error) {
      if (wanted()) refused.value = errorData(error).message
    }
  }

  async function write(): Promise<void> {
    if (!library.info) return
    const { id } = library.info
    const own = (stopping = new AbortController())
    let failure = ''
    report.value = null
    progress.value = { library: id, done: 0, total: plan.value?.files.length ?? 1, current: '' }
    const quiet = session.api?.on('mod.testing', (event) => {
      if (event.library === id && stopping === own) progress.value = event
    })
    try {
      report.value = await session.call('mod.test', { library: id, folder: folder.value, write: true }, { signal: own.signal })
    } catch (error) {
      const { code, message } = errorData(error)
      if (code !== 'cancelled') failure = message
    } finally {
      quiet?.()
      progress.value = null
    }
    // some of it may be written
    await look()
    refused.value ||= failure
  }

  const stop = (): void => stopping?.abort()

  return { folder, plan, report, progress, refused, take, look, write, stop }
})
