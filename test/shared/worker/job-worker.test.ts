import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { MessageChannel } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { ApiError, apiError } from '../../../src/shared/api/api-error.ts'
import type { ErrorData } from '../../../src/shared/api/errors.ts'
import { JobWorker, type WorkerOptions } from '../../../src/shared/worker/job-worker.ts'
import { DiskMark } from '../../../src/shared/worker/disk-mark.ts'
import { serveJobs, type JobHandlers } from '../../../src/shared/worker/serve-jobs.ts'
import type { Order, Reply, WorkerLine } from '../../../src/shared/worker/protocol.ts'
import { locale, setLocale } from '../../../src/shared/texts/say.ts'
import { nodeLine, workerFile } from '../../../src/main/worker/node-line.ts'

interface Work {
  tool: { takes: { id: string }; gives: unknown; tells: number }
}

/** A worker that answers when it is told to. */
class FakeLine implements WorkerLine {
  readonly sent: Order[] = []
  ended = false
  reply!: (reply: Reply) => void
  dies!: (why: string) => void
  send(order: Order): void {
    this.sent.push(order)
  }
  listen(reply: (reply: Reply) => void, ended: (why: string) => void): void {
    this.reply = reply
    this.dies = ended
  }
  end(): void {
    this.ended = true
  }
}

function make(rest?: number, disk?: WorkerOptions['disk']): { work: JobWorker<Work>; lines: FakeLine[] } {
  const lines: FakeLine[] = []
  const start = (): FakeLine => {
    lines.push(new FakeLine())
    return lines.at(-1)!
  }
  return { work: new JobWorker<Work>(start, { name: 'the worker', rest, disk, toError: (data) => new ApiError(data) }), lines }
}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const failed = (message: string): ErrorData => ({ code: 'bad-value', message, file: 'a.wgt', path: 'weights[2]', offset: 12 })
const caught = (work: Promise<unknown>): Promise<any> => work.catch((error: unknown) => error)

describe('a worker as its host has it', () => {
  it('does one job after the other, tells how far it is, and fails with the whole error', async () => {
    const { work, lines } = make()
    expect(lines).toEqual([])
    const shares: number[] = []
    const first = work.run('tool', { id: 'a' }, { onProgress: (share) => shares.push(share) })
    const second = work.run('tool', { id: 'b' })
    await turn()
    expect(lines[0].sent).toEqual([{ id: 1, job: 'tool', input: { id: 'a' }, cancel: undefined }])
    lines[0].reply({ id: 1, progress: 0.5 })
    // of a job that is none of this worker's
    lines[0].reply({ id: 7, result: 'wrong' })
    lines[0].reply({ id: 1, result: 1 })
    expect(await first).toBe(1)
    await turn()
    lines[0].reply({ id: 2, error: failed('this mesh has no places') })
    await expect(second).rejects.toMatchObject({ data: failed('this mesh has no places') })
    expect([shares, lines.length, lines[0].ended]).toEqual([[0.5], 1, false])
  })

  it('does what somebody waits for before all that waits, and never two at once', async () => {
    const { work, lines } = make()
    const done: string[] = []
    const ask = (id: string, first = false): void => void work.run('tool', { id }, { first }).then(() => done.push(id))
    ask('a')
    await turn()
    for (const id of ['b', 'c']) ask(id)
    ask('now', true)
    for (let id = 1; id <= 4; id++) {
      expect(lines[0].sent.length).toBe(id)
      lines[0].reply({ id, result: null })
      await turn()
    }
    expect(done).toEqual(['a', 'now', 'b', 'c'])
    // the next finds nobody at work
    ask('d')
    await turn()
    expect(lines[0].sent.length).toBe(5)
  })

  it("speaks its host's language", async () => {
    const { work, lines } = make()
    setLocale('en-XA')
    try {
      void work.run('tool', { id: 'a' })
      await turn()
      const [order] = lines[0].sent
      expect(order.locale).toBe('en-XA')
      setLocale('en')
      let listener!: (order: Order) => void
      serveJobs<Work>({ send: () => {}, listen: (order) => (listener = order) }, { tool: () => locale() }, { toData: () => failed('') })
      listener(order)
      expect(locale()).toBe('en-XA')
      listener({ ...order, locale: undefined })
      expect(locale()).toBe('en')
    } finally {
      setLocale('en')
    }
  })

  it('is ended by a cancel, and made again for the next', async () => {
    const { work, lines } = make()
    const own = new AbortController()
    const first = caught(work.run('tool', { id: 'a' }, { signal: own.signal }))
    const never = caught(work.run('tool', { id: 'b' }, { signal: AbortSignal.abort() }))
    const third = work.run('tool', { id: 'c' })
    await turn()
    own.abort()
    expect((await first).name).toBe('AbortError')
    expect((await never).name).toBe('AbortError')
    await turn()
    expect([lines.length, lines[0].ended, lines[0].sent.length]).toEqual([2, true, 1])
    expect(lines[1].sent[0].input).toEqual({ id: 'c' })
    // an answer that was on its way means nothing now
    lines[0].reply({ id: 3, result: 'late' })
    lines[1].dies('failed: broken')
    await expect(third).rejects.toMatchObject({ code: 'internal', message: 'the worker failed: broken' })
  })

  it('tells a job with patience to stop, and takes its own word for it', async () => {
    const { work, lines } = make()
    const own = new AbortController()
    const job = caught(work.run('tool', { id: 'a' }, { signal: own.signal, patience: 60_000 }))
    await turn()
    const flag = new Int32Array(lines[0].sent[0].cancel!)
    expect(flag[0]).toBe(0)
    own.abort()
    expect([flag[0], lines[0].ended]).toEqual([1, false])
    lines[0].reply({ id: 1, error: { ...failed('what was done is kept'), code: 'cancelled' } })
    expect((await job).message).toBe('what was done is kept')
  })

  it('ends one that does not stop, and one that takes too long', async () => {
    const { work, lines } = make()
    const own = new AbortController()
    const job = caught(work.run('tool', { id: 'a' }, { signal: own.signal, patience: 1, stopped: () => new Error('stopped') }))
    await turn()
    own.abort()
    expect([(await job).message, lines[0].ended]).toEqual(['stopped', true])
    expect(await caught(work.run('tool', { id: 'b' }, { limit: 1 }))).toMatchObject({
      code: 'internal',
      message: 'the worker took too long',
    })
    expect(lines[1].ended).toBe(true)
  })

  it('is ended by its owner, job and all, and after each job where it never rests', async () => {
    const { work, lines } = make(0)
    const job = caught(work.run('tool', { id: 'a' }))
    await turn()
    await work.end()
    expect(await job).toMatchObject({ code: 'cancelled' })
    const next = work.run('tool', { id: 'b' })
    await turn()
    lines[1].reply({ id: 2, result: 2 })
    expect([await next, lines[1].ended]).toEqual([2, true])
  })
})

describe('a worker whose disk does not answer', () => {
  const told = (happens: (tell: (path: string) => void) => void): Promise<string> => new Promise(happens)

  it('is told of, with the path, until it goes on', async () => {
    const { work, lines } = make(undefined, { told: 0, most: Infinity })
    let tell!: (path: string) => void
    const job = work.run('tool', { id: 'a' }, { onWaiting: (path) => tell(path) })
    await turn()
    const mark = new DiskMark(lines[0].sent[0].mark)
    const waits = told((next) => (tell = next))
    mark.begin('/drive/\u9aa8.wgt')
    expect(await waits).toBe('/drive/\u9aa8.wgt')
    const goesOn = told((next) => (tell = next))
    mark.end()
    expect(await goesOn).toBe('')
    lines[0].reply({ id: 1, result: 1 })
    expect([await job, lines[0].ended]).toEqual([1, false])
  })

  it('is given up after a while: the job fails with the path, and the next has another worker', async () => {
    const { work, lines } = make(undefined, { told: 0, most: 0 })
    const job = caught(work.run('tool', { id: 'a' }))
    const next = work.run('tool', { id: 'b' })
    await turn()
    new DiskMark(lines[0].sent[0].mark).begin('/drive/a.wgt')
    expect(await job).toMatchObject({ code: 'no-answer', data: { file: '/drive/a.wgt' } })
    await turn()
    expect([lines[0].ended, lines.length, lines[1].sent[0].input]).toEqual([true, 2, { id: 'b' }])
    lines[1].reply({ id: 2, result: 2 })
    expect(await next).toBe(2)
  })

  it('gets no patience after a cancel, which it cannot hear of', async () => {
    const { work, lines } = make(undefined, { told: 600_000, most: Infinity })
    const own = new AbortController()
    const job = caught(work.run('tool', { id: 'a' }, { signal: own.signal, patience: 600_000, stopped: () => new Error('stopped') }))
    await turn()
    const mark = new DiskMark(lines[0].sent[0].mark)
    mark.begin('/drive/a.wgt')
    own.abort()
    expect([(await job).message, lines[0].ended]).toEqual(['stopped', true])
  })
})

interface Real {
  add: { takes: number[]; gives: number }
  bytes: { takes: number; gives: Uint8Array; tells: string }
  fail: { takes: null; gives: never }
  wait: { takes: null; gives: never; tells: string }
}

/** Both sides over a channel of Node's: what they say is cloned as between threads. */
function pair(handlers: JobHandlers<Real>): { work: JobWorker<Real>; end: () => void } {
  const { port1, port2 } = new MessageChannel()
  serveJobs<Real>(
    { send: (reply, transfer) => port2.postMessage(reply, transfer), listen: (order) => void port2.on('message', order) },
    handlers,
    { toData: (error) => (error instanceof ApiError ? error.data : failed(String(error))), every: 0 },
  )
  const line: WorkerLine = {
    send: (order, transfer) => port1.postMessage(order, transfer),
    listen: (reply) => void port1.on('message', reply),
    end: () => port1.close(),
  }
  return { work: new JobWorker<Real>(() => line, { name: 'it', toError: (data) => new ApiError(data) }), end: () => port1.close() }
}

describe('a worker and its host', () => {
  it('give results, progress, buffers without a copy, errors whole, and stop on a flag', async () => {
    let given: ArrayBuffer | undefined
    const { work, end } = pair({
      add: (numbers) => numbers.reduce((a, b) => a + b, 0),
      bytes(length, { progress, transfer }) {
        const bytes = new Uint8Array(length).fill(7)
        given = bytes.buffer
        transfer([bytes, undefined])
        progress('made')
        return bytes
      },
      fail() {
        throw apiError('unsupported', 'not here')
      },
      async wait(_, { cancelled, progress }) {
        progress('waits', true)
        while (!cancelled()) await turn()
        throw apiError('cancelled', 'stopped at the word')
      },
    })
    try {
      expect(await work.run('add', [1, 2, 3])).toBe(6)
      const told: string[] = []
      expect(await work.run('bytes', 3, { onProgress: (text) => told.push(text) })).toEqual(new Uint8Array([7, 7, 7]))
      expect([told, given!.byteLength]).toEqual([['made'], 0])
      await expect(work.run('fail', null)).rejects.toMatchObject({ code: 'unsupported', message: 'not here' })
      const own = new AbortController()
      const waiting = work.run('wait', null, { signal: own.signal, patience: 60_000, onProgress: () => own.abort() })
      await expect(waiting).rejects.toMatchObject({ code: 'cancelled', message: 'stopped at the word' })
    } finally {
      end()
    }
  })
})

describe('a worker of Node', () => {
  const beside = new URL('../../../src/main/library/worker-host.ts', import.meta.url).href

  it('is found beside its host, and said to be missing where it is not', () => {
    expect(existsSync(fileURLToPath(workerFile('index-worker', beside)))).toBe(true)
    expect(() => workerFile('no-worker', beside)).toThrow('missing from this build')
  })

  it('that throws, ends or is ended says so', async () => {
    const started = (code: string): JobWorker<Work> =>
      new JobWorker<Work>(() => nodeLine(new URL(`data:text/javascript,${encodeURIComponent(code)}`)), {
        name: 'the worker',
        toError: (data) => new ApiError(data),
      })
    const port = `import { parentPort } from 'node:worker_threads';`
    const message = async (code: string): Promise<string> => (await caught(started(port + code).run('tool', { id: 'a' }))).message
    expect(await message(`parentPort.on('message', () => { throw new Error('no such thing') })`)).toBe('the worker failed: no such thing')
    expect(await message(`parentPort.on('message', () => process.exit(0))`)).toBe('the worker ended unexpectedly')
    const idle = started(`${port} parentPort.on('message', () => {})`)
    const job = caught(idle.run('tool', { id: 'a' }))
    await turn()
    await idle.end()
    expect(await job).toMatchObject({ code: 'cancelled' })
  })
})
