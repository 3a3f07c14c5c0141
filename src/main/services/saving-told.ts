/** How far a copy of an image of a disc is, told to the windows now and then. */
import type { LargeCopyOptions } from '../workspace/large-copy.ts'
import type { CallContext } from './calls/context.ts'

const TOLD_EVERY_MS = 50

export function savingTold(emit: CallContext['emit']): NonNullable<LargeCopyOptions['onProgress']> {
  let told = 0
  return (done, total, what) => {
    const now = performance.now()
    if (now - told < TOLD_EVERY_MS && done < total) return
    told = now
    emit('save.progress', { done, total, what })
  }
}
