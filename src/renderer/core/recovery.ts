/**
 * Unsaved edits that an earlier run, or a model that was closed with them, left in its journal; and models that the services still have open with
 * edits although this window does not show them: its page was loaded again.
 */
import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import type { RecoveredModel } from '../../shared/api/types/recovery.ts'
import { useModels } from './models.ts'
import { useSession } from './session.ts'

export const useRecovery = defineStore('recovery', () => {
  const session = useSession()
  const models = useModels()
  const items = shallowRef<(RecoveredModel & { live?: boolean })[]>([])
  /** id of the one that is being restored or discarded */
  const busy = ref('')

  async function load(): Promise<void> {
    try {
      const [left, live] = await Promise.all([session.call('recovery.list', {}), session.call('model.list', {})])
      const unseen = live.filter((info) => !models.restoring && info.dirty && !models.open.some((m) => m.id === info.id))
      items.value = [
        ...unseen.map(({ id, primary, name, history }) => ({
          id,
          primary,
          name,
          steps: history.undo.length,
          lastEdit: Date.now(),
          live: true,
        })),
        ...left,
      ]
    } catch (error) {
      session.report(error)
    }
  }

  async function settle(item: RecoveredModel, task: () => Promise<unknown>): Promise<void> {
    if (busy.value) return
    busy.value = item.id
    try {
      await task()
      items.value = items.value.filter((other) => other.id !== item.id)
    } catch (error) {
      session.report(error)
    }
    busy.value = ''
  }

  /** A file has edits that are not saved: in its open model, or left from before. */
  const unsaved = computed(() => {
    const refs = new Set(items.value.map(({ primary }) => primary))
    for (const { info } of models.open) if (info.dirty) refs.add(info.primary)
    return refs
  })

  const restore = (item: (typeof items.value)[number]): Promise<void> =>
    settle(item, async () =>
      models.adopt(await (item.live ? session.call('model.scene', { model: item.id }) : session.call('recovery.restore', { id: item.id }))),
    )
  const discard = (item: RecoveredModel): Promise<void> => settle(item, () => session.call('recovery.discard', { id: item.id }))

  // a model that is closed with unsaved edits leaves them, too
  watch([() => models.open.length, () => models.restoring], () => void load(), { immediate: true })
  return { items, busy, unsaved, load, restore, discard }
})
