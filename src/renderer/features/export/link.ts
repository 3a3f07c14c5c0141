/** Models that are worked on in another program: what came of the last save, by model. */
import { defineStore } from 'pinia'
import { computed, ref, shallowReactive } from 'vue'
import type { CallArgs } from '../../../shared/api/contract.ts'
import type { LinkState } from '../../../shared/api/types/link.ts'
import { errorData } from '../../core/errors.ts'
import { useModels } from '../../core/models.ts'
import { useSession } from '../../core/session.ts'
import { useExportOptions } from './export.ts'
import { say } from '../../../shared/texts/say.ts'

export const useLink = defineStore('link', () => {
  const session = useSession()
  const models = useModels()
  const options = useExportOptions()
  const links = shallowReactive(new Map<string, LinkState>())
  const shown = ref(false)
  /** why the last try failed, and whether the file was there already */
  const failure = ref<{ message: string; there: boolean } | null>(null)
  const current = computed(() => (models.page === 'model' ? (links.get(models.activeId) ?? null) : null))
  let listening = false

  function listen(): void {
    if (listening || !session.api) return
    listening = true
    session.api.on('link.changed', (state) => {
      if (links.has(state.model)) links.set(state.model, state)
    })
    session.api.on('model.closed', ({ model }) => links.delete(model))
  }

  /** Writes the model and waits for what is saved; a link that is there is shown. */
  async function start(existing?: CallArgs<'link.start'>['existing']): Promise<void> {
    const model = models.active
    if (!model) return
    shown.value = true
    if (links.has(model.id)) return
    listen()
    failure.value = null
    try {
      links.set(model.id, await session.call('link.start', { model: model.id, parts: options.read(model.info.family), existing }))
      if (session.app?.host !== 'electron') return
      const { opened } = await session.call('link.openFile', { model: model.id })
      if (!opened) session.notify('info', say('link.noProgram'))
    } catch (error) {
      const { code, message } = errorData(error)
      failure.value = { message, there: code === 'refused' && existing === undefined }
    }
  }

  async function stop(): Promise<void> {
    const state = current.value
    if (!state) return
    shown.value = false
    links.delete(state.model)
    try {
      await session.call('link.stop', { model: state.model })
    } catch (error) {
      session.report(error)
    }
  }

  return { links, shown, failure, current, start, stop }
})
