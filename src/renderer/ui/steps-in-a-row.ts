/**
 * Steps of a key in a row: what they come to is shown, and is one edit once none follows, as a drag is. A key that is no step ends the row: undo
 * and Escape take it back, anything else finds it given.
 */
import { onBeforeUnmount } from 'vue'

/** Milliseconds without a step after which those in a row are over. */
export const STEPS_END = 600

export const isSideways = (key: string): boolean => key === 'ArrowLeft' || key === 'ArrowRight'

/** Of keys that step sideways: how far, with Shift ten times as far. 0 for every other key, and with what makes another command of it. */
export function sidewaysStep({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): number {
  if (!isSideways(key) || ctrlKey || metaKey || altKey) return 0
  return (key === 'ArrowLeft' ? -1 : 1) * (shiftKey ? 10 : 1)
}

export interface StepsInARow {
  /** @param key that steps */
  isStep(key: string): boolean
  /** what they came to is given */
  keep(): void
  /** what was there is shown again */
  drop(): void
  /** they came to something else than what was there */
  changed(): boolean
}

export function useStepsInARow({ isStep, keep, drop, changed }: StepsInARow) {
  let timer: ReturnType<typeof setTimeout> | undefined

  /** They are over, and whoever says so gives them or takes them back. */
  function end(): void {
    clearTimeout(timer)
    timer = undefined
  }
  onBeforeUnmount(end)

  /** There is one more. */
  function step(): void {
    end()
    timer = setTimeout(finish, STEPS_END)
  }

  /** They are given, where some are not yet. */
  function finish(): void {
    if (timer === undefined) return
    end()
    keep()
  }

  /** @returns whether the key is used up by the row that it ends */
  function endedBy(event: KeyboardEvent): boolean {
    if (timer === undefined || isStep(event.key) || /^(Shift|Control|Meta|Alt)$/.test(event.key)) return false
    const undo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z'
    if (event.key !== 'Escape' && (!undo || !changed())) {
      finish()
      return false
    }
    end()
    drop()
    event.preventDefault()
    event.stopPropagation()
    return true
  }

  return { going: (): boolean => timer !== undefined, step, end, finish, endedBy }
}
