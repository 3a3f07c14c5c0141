/** A glTF that is about to come onto the shown model: what it would do is shown, with every option; nothing changes before it is applied. */
import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import { FRESH_IMPORT } from '../../../shared/api/import-options.ts'
import type { CallArgs } from '../../../shared/api/contract.ts'
import type { ImportOptions } from '../../../shared/api/import-options.ts'
import type { EditResult } from '../../../shared/api/types/model.ts'
import type { ImportPreview, ImportReport } from '../../../shared/api/types/import.ts'
import { jointNames } from '../../../shared/scene/animation-names.ts'
import { errorData } from '../../core/errors.ts'
import { latestAnswer } from '../../core/latest.ts'
import { useLayout } from '../../core/layout.ts'
import { useModels } from '../../core/models.ts'
import type { OpenModel } from '../../core/models.ts'
import { useSession } from '../../core/session.ts'
import { useImportMemory } from './import-memory.ts'

type Choice = CallArgs<'import.preview'>

export const useImport = defineStore('import', () => {
  const session = useSession()
  const models = useModels()
  const layout = useLayout()
  const memory = useImportMemory()
  const file = shallowRef<{
    model: OpenModel
    name: string
    bytes: Uint8Array
    only?: Pick<Choice, 'clip' | 'slice'>
    map?: Choice['map']
  } | null>(null)
  const options = ref<ImportOptions>({ ...FRESH_IMPORT })
  const preview = shallowRef<ImportPreview | null>(null)
  /** joints that the file moves, as the first look told */
  const joints = shallowRef<string[]>([])
  const busy = ref(false)
  /** the share of what is asked for that is done, 0 to 1 */
  const share = ref(0)
  const failure = ref('')
  /** the model shows what would be */
  const shown = ref(true)
  const ask = latestAnswer()
  let abort: AbortController | undefined
  const report = computed<ImportReport | null>(() => preview.value?.report ?? null)

  let listening = false

  function listen(): void {
    if (listening || !session.api) return
    listening = true
    session.api.on('import.progress', ({ model, share: done }) => {
      if (busy.value && file.value?.model.id === model) share.value = done
    })
  }

  function open(asked: NonNullable<(typeof file)['value']>): void {
    close()
    listen()
    file.value = asked
    options.value = memory.read(asked.model.info, asked.name)
    joints.value = []
    shown.value = true
    layout.uncoverPicture()
    void look()
  }

  function choice(): Choice {
    const { model, name, bytes, only, map } = file.value!
    const { into, without, ...rest } = options.value
    const places = preview.value?.places ?? []
    const numbered = Object.fromEntries(
      places.flatMap(({ animation }, i) => (Object.hasOwn(into, animation) ? [[String(i), into[animation]]] : [])),
    )
    const left = new Set(without)
    return {
      model: model.id,
      name,
      bytes,
      ...only,
      ...rest,
      map,
      into: only?.clip === undefined && only?.slice === undefined ? numbered : undefined,
      joints: left.size > 0 ? jointNames(model.scene.skeleton).filter((joint) => !left.has(joint)) : undefined,
    }
  }

  /** Asks what the options would do; the answer to an earlier question is not wanted any more. */
  async function look(): Promise<void> {
    const now = file.value
    if (!now) return
    abort?.abort()
    const own = (abort = new AbortController())
    const wanted = ask()
    busy.value = true
    share.value = 0
    try {
      let answer = await session.call('import.preview', choice(), { signal: own.signal })
      // which number an animation has is known with the first answer
      const first = preview.value === null && Object.keys(options.value.into).length > 0
      if (!wanted()) return
      preview.value = answer
      if (first) answer = await session.call('import.preview', choice(), { signal: own.signal })
      if (!wanted()) return
      preview.value = answer
      if (joints.value.length === 0)
        joints.value = [...new Set(answer.report.imported.flatMap(({ moved }) => moved.map(({ joint }) => joint)))]
      failure.value = ''
      show()
    } catch (error) {
      if (!wanted()) return
      const { code, message } = errorData(error)
      if (code !== 'cancelled') failure.value = message
    } finally {
      if (wanted()) busy.value = false
    }
  }

  /** Puts what would be, or what is, on the model. */
  function show(): void {
    if (file.value) models.previewUpdate(file.value.model, shown.value ? preview.value : null)
  }

  function set(values: Partial<ImportOptions>): void {
    options.value = { ...options.value, ...values }
    void look()
  }

  async function apply(): Promise<ImportReport | null> {
    const now = file.value
    if (!now) return null
    const { model: _model, ...wishes } = choice()
    memory.write(now.model.info, now.name, options.value)
    abort?.abort()
    // the answer to a preview that is still under way is not wanted any more
    ask()
    const own = (abort = new AbortController())
    busy.value = true
    share.value = 0
    try {
      const result = (await models.edit('import.animation', wishes, { model: now.model, quiet: true, signal: own.signal })) as
        (EditResult & { report: ImportReport }) | null
      close()
      return result?.report ?? null
    } catch (error) {
      const { code, message } = errorData(error)
      if (code !== 'cancelled') failure.value = message
      return null
    } finally {
      busy.value = false
    }
  }

  function cancel(): void {
    abort?.abort()
    busy.value = false
  }

  /** Everything is as it was. */
  function close(): void {
    abort?.abort()
    ask()
    if (file.value) models.previewUpdate(file.value.model, null)
    file.value = null
    preview.value = null
    busy.value = false
    failure.value = ''
  }

  // a preview is of the model as it was asked; another model is another question
  watch(
    () => file.value?.model.info.revision,
    (now, before) => now !== undefined && before !== undefined && !busy.value && void look(),
  )
  watch([() => models.activeId, () => models.page], close)
  watch(shown, show)

  return { file, options, preview, report, joints, busy, share, failure, shown, open, set, apply, cancel, close }
})
