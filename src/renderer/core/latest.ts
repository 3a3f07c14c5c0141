/** Questions whose answers may come late or out of order: only that of the latest question counts. */
import { getCurrentScope, onScopeDispose } from 'vue'

/**
 * For one component or store: what is asked there comes one after the other, and the answer to an earlier question is no longer wanted. Nor is
 * any once the component is gone.
 *
 *   const ask = latestAnswer()
 *   const wanted = ask()
 *   const answer = await session.call(...)
 *   if (wanted()) shown.value = answer
 *
 * @returns begins a question; what it gives tells whether its answer is still wanted
 */
export function latestAnswer(): () => () => boolean {
  let latest = 0
  if (getCurrentScope()) onScopeDispose(() => latest++)
  return () => {
    const own = ++latest
    return () => own === latest
  }
}
