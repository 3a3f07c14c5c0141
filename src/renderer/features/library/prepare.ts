/** The model that is chosen is mostly the one that is opened next: what takes longest of that is done before. */
import { useDebounceFn } from '@vueuse/core'
import { computed, watch } from 'vue'
import { useLibraryChoice } from '../../core/library-choice.ts'
import { useModels } from '../../core/models.ts'
import { useSession } from '../../core/session.ts'
import { useShown } from '../../core/while-shown.ts'

/** ms; rows that are gone through quickly are not read one by one */
export const REST_MS = 250

/** @returns what a press of a button on a row does: of two presses, which open it, the second finds it ready */
export function usePreparing(): (event: MouseEvent) => void {
  const choice = useLibraryChoice()
  const models = useModels()
  const session = useSession()
  const shown = useShown()
  const chosen = computed(() => {
    const [row, ...others] = choice.rows
    return others.length === 0 && row?.type === 'model' ? row.ref : ''
  })

  function prepare(ref: string): void {
    if (ref === '' || ref !== chosen.value || !shown.value || models.opening !== '') return
    if (models.open.some(({ info }) => info.primary === ref)) return
    // what is the matter with it is told when it is opened
    void session.call('model.prepare', { ref }).catch(() => undefined)
  }

  // the keyboard opens what it rests on
  watch(chosen, useDebounceFn(prepare, REST_MS))

  return ({ button, detail }) => {
    if (button === 0 && detail === 1) prepare(chosen.value)
  }
}
