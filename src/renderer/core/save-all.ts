/** Every open model with unsaved edits is saved, one after the other. */
import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import { say } from '../../shared/texts/say.ts'
import { errorData } from './errors.ts'
import { useModels } from './models.ts'
import { useSession } from './session.ts'

export const useSaveAll = defineStore('saveAll', () => {
  const models = useModels()
  const session = useSession()
  /** null while nothing is saved so */
  const progress = shallowRef<{ done: number; total: number; current: string } | null>(null)
  const unsaved = computed(() => models.open.filter(({ info }) => info.dirty))
  let stopped = false

  /** One that cannot be saved keeps its edits, and what to decide about it stands in its Changes; the others are saved all the same. */
  async function run(): Promise<void> {
    if (progress.value || models.saving) return
    stopped = false
    const list = [...unsaved.value]
    let [saved, files] = [0, 0]
    let trouble = ''
    const left: string[] = []
    const waiting: string[] = []
    for (const [done, model] of list.entries()) {
      if (stopped) break
      progress.value = { done, total: list.length, current: model.info.name }
      try {
        const result = await models.write(model)
        files += result.saved.length
        if (result.failed.some(({ code }) => code === 'copy-only')) waiting.push(model.id)
        else if (result.failed.length > 0) {
          trouble ||= result.failed[0].message
          left.push(model.info.name)
        } else saved++
      } catch (error) {
        trouble ||= errorData(error).message
        left.push(model.info.name)
      }
    }
    progress.value = null
    // all of them with one pass
    if (waiting.length > 0) models.waiting = waiting
    if (saved > 0) session.notify('good', say('save.allDone', { count: saved, files: say('units.files', { count: files }) }))
    if (left.length > 0) session.notify('error', say('save.allLeft', { count: left.length, why: trouble }), left.join(', '))
  }

  function stop(): void {
    stopped = true
  }

  return { progress, unsaved, run, stop }
})
