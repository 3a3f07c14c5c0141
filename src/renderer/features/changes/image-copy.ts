/** The first copy of an image of a disc: what goes in, where it stands, and the write with its progress; stopped at any time. */
import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import type { CopyPlan, SaveProgress } from '../../../shared/api/types/save.ts'
import { baseName } from '../../../shared/ref.ts'
import { say } from '../../../shared/texts/say.ts'
import { errorData } from '../../core/errors.ts'
import { latestAnswer } from '../../core/latest.ts'
import { useLibrary } from '../../core/library.ts'
import { useModels } from '../../core/models.ts'
import { useSession } from '../../core/session.ts'
import { copyNameOf } from '../../ui/paths.ts'

export const useImageCopy = defineStore('imageCopy', () => {
  const session = useSession()
  const models = useModels()
  const library = useLibrary()
  const plan = shallowRef<CopyPlan | null>(null)
  const folder = ref('')
  const name = ref('')
  /** with what is unsaved in other open models, where that stands in the image, too */
  const withOthers = ref(false)
  const refused = ref('')
  const progress = shallowRef<SaveProgress | null>(null)
  const ask = latestAnswer()
  let stopping: AbortController | undefined

  const others = computed(() => models.open.filter(({ id, info }) => info.dirty && !models.waiting.includes(id)).map(({ id }) => id))
  const ids = computed(() => [...models.waiting, ...(withOthers.value ? others.value : [])])
  const place = () => (plan.value?.plan.placed === false || folder.value === '' ? {} : { folder: folder.value, name: name.value })

  /** What a copy would take as things are. */
  async function look(): Promise<void> {
    const wanted = ask()
    refused.value = ''
    if (ids.value.length === 0) return
    try {
      const answer = await session.call('save.copyPlan', { models: ids.value, ...place() })
      if (!wanted()) return
      plan.value = answer
      name.value ||= copyNameOf(answer.plan.image)
    } catch (error) {
      if (!wanted()) return
      refused.value = errorData(error).message
      if (plan.value) plan.value = { ...plan.value, target: '' }
    }
  }

  async function save(): Promise<void> {
    const wanted = ids.value
    const mine = (stopping = new AbortController())
    refused.value = ''
    progress.value = { done: 0, total: 0, what: 'write' }
    models.saving = true
    const quiet = session.api?.on('save.progress', (event) => {
      if (stopping === mine) progress.value = event
    })
    let why = ''
    try {
      const result = await session.call('save.copy', { models: wanted, ...place() }, { signal: mine.signal })
      for (const model of models.open) if (wanted.includes(model.id)) await models.settle(model, result)
      why = result.failed[0]?.message ?? ''
      const bytes = result.saved.reduce((sum, { changedBytes }) => sum + changedBytes, 0)
      if (why === '') {
        const done = say('save.done', { count: result.saved.length, bytes: say('units.bytes', { count: bytes }) })
        session.notify('good', done, result.saved[0]?.target)
      }
    } catch (error) {
      why = errorData(error).message
    } finally {
      quiet?.()
      models.saving = false
      progress.value = null
    }
    if (why === '') {
      close()
      // it may stand in the library that is shown
      void library.scan()
      return
    }
    // of a copy that was stopped the next one goes on
    await look()
    refused.value ||= why
  }

  /** What of the copy was written is not wanted any more. */
  async function drop(): Promise<void> {
    try {
      await session.call('save.dropCopy', { models: ids.value, ...place() })
    } catch (error) {
      refused.value = errorData(error).message
      return
    }
    await look()
  }

  const stop = (): void => stopping?.abort()

  function close(): void {
    stop()
    models.waiting = []
  }

  watch(
    () => models.waiting,
    (now) => {
      if (now.length === 0) return
      plan.value = null
      folder.value = name.value = refused.value = ''
      withOthers.value = false
    },
  )
  watch(ids, look)

  const image = computed(() => baseName(plan.value?.plan.image ?? ''))
  return { plan, image, folder, name, withOthers, others, refused, progress, look, save, drop, stop, close }
})
