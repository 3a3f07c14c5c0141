/** Models that are worked on in another program: what came of the last save, by model. */
import { defineStore } from 'pinia'
import { computed, ref, shallowReactive } from 'vue'
import type { CallArgs } from '../../../shared/api/contract.ts'
import { IMPORT_DEFAULTS } from '../../../shared/api/import-options.ts'
import type { ImportOptions, ImportSettings } from '../../../shared/api/import-options.ts'
import type { ModelInfo } from '../../../shared/api/types/model.ts'
import type { LinkState } from '../../../shared/api/types/link.ts'
import { errorData } from '../../core/errors.ts'
import { useKept } from '../../core/kept.ts'
import { useModels } from '../../core/models.ts'
import { useSession } from '../../core/session.ts'
import { useExportOptions } from './export.ts'
import { useImportMemory } from './import-memory.ts'
import { say } from '../../../shared/texts/say.ts'

/** As the link names it: the options are those of the pair, whichever way the file comes. */
function fileOf({ name }: Pick<ModelInfo, 'name'>): string {
  return `${name}.glb`
}

function settingsOf({ into: _into, without: _without, ...settings }: ImportOptions): ImportSettings {
  return settings
}

export const useLink = defineStore('link', () => {
  const session = useSession()
  const models = useModels()
  const options = useExportOptions()
  const kept = useKept('linkFolder')
  const memory = useImportMemory()
  const links = shallowReactive(new Map<string, LinkState>())
  const shown = ref(false)
  const busy = ref(false)
  /** a folder of the user's, null for one of Marrow's own; '' until it is chosen */
  const folder = ref<string | null>(null)
  /** why the last try failed, and whether the file was there already */
  const failure = ref<{ message: string; there: boolean } | null>(null)
  /** how saves come onto the model */
  const manner = ref<ImportSettings>({ ...IMPORT_DEFAULTS })
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

  /** Shows the link of the model, or asks where its file is to be. */
  function open(): void {
    failure.value = null
    if (models.info) manner.value = settingsOf(memory.read(models.info, fileOf(models.info)))
    const last = kept.read()
    // the desktop application may write only into folders that were chosen in the system's dialog in this run
    if (last === null) folder.value = null
    else if (session.app?.host === 'web') folder.value = last
    else folder.value ??= ''
    shown.value = true
  }

  /** Writes the model and waits for what is saved. */
  async function start(existing?: CallArgs<'link.start'>['existing']): Promise<void> {
    const model = models.active
    const into = folder.value?.trim()
    if (!model || links.has(model.id) || busy.value || into === '') return
    listen()
    failure.value = null
    busy.value = true
    try {
      const parts = options.read(model.info.family)
      links.set(model.id, await session.call('link.start', { model: model.id, parts, existing, folder: into, ...manner.value }))
      kept.write(into ?? null)
      memory.write(model.info, fileOf(model.info), { ...memory.read(model.info, fileOf(model.info)), ...manner.value })
      if (session.app?.host !== 'electron') return
      const { opened } = await session.call('link.openFile', { model: model.id })
      if (!opened) session.notify('info', say('link.noProgram'))
    } catch (error) {
      const { code, message, file } = errorData(error)
      failure.value = { message, there: code === 'refused' && existing === undefined && file.endsWith('.glb') }
    } finally {
      busy.value = false
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

  return { links, shown, busy, folder, manner, failure, current, open, start, stop }
})
