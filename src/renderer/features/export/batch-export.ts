/** Writing all models that the library's filter shows: the form of it, which is remembered, how far it is, and what came of it. */
import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import type { CallArgs } from '../../../shared/api/contract.ts'
import type { BatchFailure, BatchProgress, BatchReport } from '../../../shared/api/types/export.ts'
import { errorData } from '../../core/errors.ts'
import { EXPORT_DEFAULTS } from '../../../shared/api/export-options.ts'
import { useExportOptions } from './export.ts'
import { useBatchChoice } from '../../core/batch-choice.ts'
import { useLibrary } from '../../core/library.ts'
import { useKept } from '../../core/kept.ts'
import { useSession } from '../../core/session.ts'
import { say } from '../../../shared/texts/say.ts'

type BatchCall = CallArgs<'export.batch'>
type BatchForm = Pick<BatchCall, 'to' | 'layout' | 'existing' | 'folder'>

export const useBatchExport = defineStore('batchExport', () => {
  const session = useSession()
  const library = useLibrary()
  const choice = useBatchChoice()
  const kept = useKept('batchExport')
  const lastFolder = useKept('exportFolder')
  /** the panel is shown; work goes on without it */
  const shown = ref(false)
  const options = useExportOptions()
  const settings = ref({ ...EXPORT_DEFAULTS })
  const form = ref<BatchForm>({ to: 'glb', layout: 'folders', existing: 'skip', folder: '' })
  /** null between two exports */
  const progress = shallowRef<BatchProgress | null>(null)
  const failures = shallowRef<BatchFailure[]>([])
  const report = shallowRef<BatchReport | null>(null)
  /** why the last try did not begin */
  const failure = ref('')
  const running = computed(() => progress.value !== null)
  let stopEvents: (() => void) | undefined

  function open(): void {
    if (!running.value && !shown.value) {
      report.value = null
      failure.value = ''
      const before = kept.read()
      settings.value = options.read('many')
      form.value = { ...before, folder: before.folder ?? lastFolder.read() }
    }
    shown.value = true
  }

  async function start(): Promise<void> {
    const { info, query } = library
    if (!info || running.value) return
    failure.value = ''
    report.value = null
    failures.value = []
    const refs = choice.only?.map((row) => row.ref)
    progress.value = { library: info.id, done: 0, total: refs?.length ?? library.counts.models, current: '', failures: [] }
    stopEvents = session.api?.on('export.progress', (event) => {
      if (event.library !== info.id) return
      progress.value = event
      if (event.failures.length > 0) failures.value = [...failures.value, ...event.failures]
    })
    kept.write({ ...form.value })
    options.write('many', settings.value)
    try {
      const done = await session.call('export.batch', {
        library: info.id,
        filter: {
          text: query.text.trim() || undefined,
          family: query.family ?? undefined,
          has: query.has.length > 0 ? [...query.has] : undefined,
          folder: query.folder || undefined,
        },
        refs,
        ...form.value,
        parts: form.value.to === 'png' ? undefined : settings.value,
      })
      report.value = done
      failures.value = done.failures
      // who closed the panel is told
      if (!shown.value)
        session.notify(done.failures.length > 0 ? 'warning' : 'good', summary(done), '', {
          label: say('common.show'),
          run: () => (shown.value = true),
        })
    } catch (error) {
      const { code, message } = errorData(error)
      if (code !== 'cancelled') failure.value = message
    } finally {
      stopEvents?.()
      progress.value = null
    }
  }

  function stop(): void {
    if (progress.value)
      void session.call('export.batchStop', { library: progress.value.library }).catch((error: unknown) => session.report(error))
  }

  watch(
    () => choice.wanted,
    (wanted) => {
      if (!wanted) return
      choice.wanted = false
      open()
    },
  )
  // the form is about one library: it closes with it
  watch(
    () => library.info?.id,
    () => (shown.value = false),
  )

  return { shown, form, settings, progress, failures, report, failure, running, open, start, stop }
})

/** What was done, in a line. */
export function summary({ exported, total, skipped, failures, cancelled }: BatchReport): string {
  const parts = [say(cancelled ? 'exporting.stoppedAfter' : 'exporting.exported', { exported, count: total })]
  if (skipped > 0) parts.push(say('exporting.skipped', { skipped }))
  if (failures.length > 0) parts.push(say('exporting.failures', { failures: failures.length }))
  return parts.join(', ')
}
