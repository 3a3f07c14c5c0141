import { describe, expect, it } from 'vitest'
import { WeightWorker, isAbort } from '../../../src/renderer/features/weights/work.ts'
import type { ToolInput } from '../../../src/shared/weights/run.ts'

/** A worker that answers when it is told to. */
class FakeWorker {
  onmessage: ((event: { data: unknown }) => void) | null = null
  onerror: ((event: { message: string }) => void) | null = null
  readonly sent: unknown[] = []
  ended = false
  postMessage(message: unknown): void {
    this.sent.push(message)
  }
  terminate(): void {
    this.ended = true
  }
}

const input = (id: string) => ({ weights: { id } }) as unknown as ToolInput

function make(): { work: WeightWorker; workers: FakeWorker[] } {
  const workers: FakeWorker[] = []
  const work = new WeightWorker(() => {
    const worker = new FakeWorker()
    workers.push(worker)
    return worker as unknown as Worker
  })
  return { work, workers }
}
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

describe('the weight worker', () => {
  it('does one request after the other, and tells how far it is', async () => {
    const { work, workers } = make()
    expect(workers).toEqual([])
    const shares: number[] = []
    const first = work.run('tool', input('a'), { onProgress: (share) => shares.push(share) })
    const second = work.run('tool', input('b'))
    await turn()
    expect(workers[0].sent).toEqual([{ kind: 'tool', input: input('a') }])
    workers[0].onmessage!({ data: { progress: 0.5 } })
    workers[0].onmessage!({ data: { result: 1 } })
    expect(await first).toBe(1)
    await turn()
    workers[0].onmessage!({ data: { error: 'this mesh has no places' } })
    await expect(second).rejects.toThrow('no places')
    expect([shares, workers.length, workers[0].ended]).toEqual([[0.5], 1, false])
  })

  it('is ended by a cancel, and made again for the next', async () => {
    const { work, workers } = make()
    const own = new AbortController()
    const first = work.run('tool', input('a'), { signal: own.signal }).catch((error: unknown) => error)
    const never = work.run('tool', input('b'), { signal: AbortSignal.abort() }).catch((error: unknown) => error)
    const third = work.run('tool', input('c'))
    await turn()
    own.abort()
    expect(isAbort(await first)).toBe(true)
    expect(isAbort(await never)).toBe(true)
    await turn()
    expect([workers.length, workers[0].ended, workers[0].sent.length]).toEqual([2, true, 1])
    expect(workers[1].sent).toEqual([{ kind: 'tool', input: input('c') }])
    // an answer that was on its way means nothing now
    expect(workers[0].onmessage).toBe(null)
    workers[1].onerror!({ message: 'broken' })
    await expect(third).rejects.toThrow('broken')
    expect(workers[1].ended).toBe(true)
  })
})
