/** Writing the shown model for other programs: how, which is remembered for its family, where to, and what came of it. */
import { defineStore } from 'pinia'
import { computed, ref } from 'vue'
import type { CallArgs } from '../../../shared/api/contract.ts'
import { EXPORT_DEFAULTS } from '../../../shared/api/export-options.ts'
import type { ExportParts, ExportSettings } from '../../../shared/api/export-options.ts'
import { animationNames } from '../../../shared/scene/animation-names.ts'
import { baseName } from '../../../shared/ref.ts'
import { useModels } from '../../core/models.ts'
import { useKept } from '../../core/kept.ts'
import { usePlayback } from '../../core/playback.ts'
import { useFolderPicker } from '../../core/pick-folder.ts'
import { useSession } from '../../core/session.ts'
import { errorData } from '../../core/errors.ts'
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

/** The options that exports were made with before, by family or `many`. */
export function useExportOptions(): { read(key: string): ExportSettings; write(key: string, settings: ExportSettings): void } {
  const kept = useKept('exportOptions')
  return {
    read: (key) => {
      const all = kept.read()
      return { ...(Object.hasOwn(all, key) ? all[key] : EXPORT_DEFAULTS) }
    },
    write: (key, settings) => kept.write({ ...kept.read(), [key]: { ...settings } }),
  }
}

export const useExport = defineStore('export', () => {
  const session = useSession()
  const ask = useFolderPicker()
  const models = useModels()
  const playback = usePlayback()
  const kept = useKept('exportFolder')
  const options = useExportOptions()
  /** the panel is open */
  const asking = ref(false)
  const busy = ref(false)
  const to = ref<ExportForm>('glb')
  const settings = ref<ExportSettings>({ ...EXPORT_DEFAULTS })
  /** names of animations that are not written */
  const left = ref(new Set<string>())
  /** native times; null for the whole of each animation */
  const range = ref<{ from: number; to: number } | null>(null)
  const folder = ref('')
  /** why the last try failed */
  const failure = ref('')

  /** Slices and clips as they are called in the file. */
  const animations = computed(() => {
    const { scene } = models
    if (!scene) return []
    const names = animationNames(scene)
    return [
      ...names.slices.map((name) => ({ name, kind: 'slice' as const })),
      ...names.clips.map((name) => ({ name, kind: 'clip' as const })),
    ]
  })

  function open(form: ExportForm): void {
    to.value = form
    failure.value = ''
    if (asking.value) return
    settings.value = options.read(models.info?.family ?? '')
    left.value = new Set()
    range.value = null
    // the desktop application may write only into folders that were chosen in the system's dialog in this run
    if (session.app?.host === 'web') folder.value ||= kept.read()
    asking.value = true
  }

  /** A part of the animations: what plays now to begin with. */
  function cut(on: boolean): void {
    const { start, end } = playback.span
    range.value = on ? { from: start, to: end } : null
  }

  /** What is asked for, beyond the folder. */
  function parts(): ExportParts {
    const { value: without } = left
    const { value: between } = range
    return {
      ...settings.value,
      ...(without.size > 0 && { animations: animations.value.flatMap(({ name }) => (without.has(name) ? [] : [name])) }),
      ...(between && { range: { ...between } }),
    }
  }

  async function pick(browse?: () => void): Promise<void> {
    const picked = await ask(browse)
    if (picked) folder.value = picked
  }

  async function write(): Promise<void> {
    const model = models.active
    if (!model || busy.value) return
    const into = folder.value.trim()
    if (into === '') return
    busy.value = true
    failure.value = ''
    options.write(model.info.family, settings.value)
    try {
      const { files, left: missing } = await session.call('export.model', { model: model.id, to: to.value, folder: into, parts: parts() })
      asking.value = false
      kept.write(into)
      session.notify(
        missing?.length ? 'warning' : 'good',
        files.length === 1
          ? say('exporting.wroteOne', { file: baseName(files[0]), folder: into })
          : say('exporting.wrote', { count: files.length, folder: into }),
        missing?.length ? say('exporting.leftOut', { left: missing.join(', ') }) : '',
      )
    } catch (error) {
      const { code, message } = errorData(error)
      failure.value = code === 'cancelled' ? '' : message
    } finally {
      busy.value = false
    }
  }

  return { asking, busy, to, settings, left, range, folder, failure, animations, open, cut, parts, pick, write }
})
