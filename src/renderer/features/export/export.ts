/** Writing the shown model for other programs: what was asked for, where it went last, and what came of it. */
import { defineStore } from 'pinia'
import { ref } from 'vue'
import type { CallArgs } from '../../../shared/api/contract.ts'
import { baseName } from '../../../shared/ref.ts'
import { useModels } from '../../core/models.ts'
import { useKept } from '../../core/kept.ts'
import { useSession } from '../../core/session.ts'
import { say } from '../../../shared/texts/say.ts'
import type { PlainKey } from '../../../shared/texts/texts.ts'

export type ExportForm = CallArgs<'export.model'>['to']

export const EXPORT_FORMS: readonly { value: ExportForm; label: PlainKey; note: PlainKey }[] = (['glb', 'gltf', 'png'] as const).map(
  (value) => ({
    value,
    label: `exporting.forms.${value}.label`,
    note: `exporting.forms.${value}.note`,
  }),
)

export const useExport = defineStore('export', () => {
  const session = useSession()
  const models = useModels()
  const kept = useKept('exportFolder')
  /** the panel that asks for the folder is open */
  const asking = ref(false)
  const busy = ref(false)
  const to = ref<ExportForm>('glb')
  /** why the last try failed: shown where the folder is chosen */
  const failure = ref('')

  function lastFolder(): string {
    return kept.read()
  }

  /** The system's dialog where there is one, otherwise the panel asks. */
  async function start(form: ExportForm): Promise<void> {
    to.value = form
    failure.value = ''
    try {
      const picked = await session.call('folders.pick', {})
      if (picked) await write(picked)
      else if (session.app?.host === 'web') asking.value = true
    } catch (error) {
      session.report(error)
    }
  }

  async function write(folder: string): Promise<void> {
    const model = models.active
    if (!model || busy.value) return
    busy.value = true
    failure.value = ''
    try {
      const { files, left } = await session.call('export.model', { model: model.id, to: to.value, folder })
      asking.value = false
      kept.write(folder)
      session.notify(
        left?.length ? 'warning' : 'good',
        files.length === 1
          ? say('exporting.wroteOne', { file: baseName(files[0]), folder })
          : say('exporting.wrote', { count: files.length, folder }),
        left?.length ? say('exporting.leftOut', { left: left.join(', ') }) : '',
      )
    } catch (error) {
      const data = session.report(error)
      failure.value = data.code === 'cancelled' ? '' : data.message
    } finally {
      busy.value = false
    }
  }

  return { asking, busy, to, failure, lastFolder, start, write }
})
