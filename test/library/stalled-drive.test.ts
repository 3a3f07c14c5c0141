/** A network drive that stalls in the middle of a scan: the thread that asks is held by the system, for real. */
import { execFileSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FileStore } from '../../src/main/files/store.ts'
import { Library } from '../../src/main/library/library.ts'
import type { ScanProgress, ScanReport } from '../../src/shared/api/types/library.ts'
import { fake, fakeRegistry } from '../files/fake-family.ts'
import { put, tempFolder } from '../files/temp.ts'

const registryModule = new URL('./stalling-drive.ts', import.meta.url).href

let pipe: string
beforeEach(() => {
  pipe = join(tempFolder(), 'pipe')
  execFileSync('mkfifo', [pipe])
})

/** The drive answers from here on: whoever opened the pipe for reading goes on. */
let answering: number | undefined
function answer(): void {
  delete process.env.MARROW_STALL
  answering ??= openSync(pipe, 'r+')
}

afterEach(async () => {
  answer()
  // threads that were held end one after the other, each as soon as it has its answer
  while (process.listeners('exit').some((one) => one.name === 'endFromOutside')) await new Promise((resolve) => setTimeout(resolve, 10))
  closeSync(answering!)
  answering = undefined
})

const refused = (work: Promise<unknown>): Promise<any> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

/** What is known to stall is given up as soon as it is told; nothing else is, however slow the machine is. */
function patience() {
  let most = Infinity
  return {
    told: 200,
    get most() {
      const now = most
      most = Infinity
      return now
    },
    giveUp: () => void (most = 0),
  }
}

function open(root: string, givesUp = true) {
  const file = join(tempFolder(), 'index.sqlite')
  const store = new FileStore({ registry: fakeRegistry })
  const drive = patience()
  const library = Library.open(root, file, { store, registryModule, drive })
  const waited: string[] = []
  return {
    library,
    waited,
    scan(options: { signal?: AbortSignal; onWaiting?: (path: string) => void; full?: boolean } = {}): Promise<ScanReport> {
      const onProgress = ({ waiting }: ScanProgress): void => {
        if (!waiting?.includes('-stalls')) return
        waited.push(waiting)
        // whoever waits for the drive has not locked the index
        const other = new Database(file, { timeout: 0 })
        other.exec('BEGIN IMMEDIATE; ROLLBACK')
        other.close()
        options.onWaiting?.(waiting)
        if (givesUp) drive.giveUp()
      }
      return library.scan({ ...options, onProgress })
    },
    close() {
      library.close()
      store.close()
    },
  }
}

const codes = ({ errors }: ScanReport): string[][] => errors.map(({ path, code }) => [path, code])

describe.runIf(process.platform !== 'win32')('a scan whose drive does not answer', () => {
  it('says what it waits for, leaves that out, ends, and asks again the next time', async () => {
    const root = tempFolder({
      'a.fake': fake('bone=a'),
      'stat-stalls.fake': fake('bone=s'),
      'sub/list-stalls/deep/d.fake': fake('mesh=d'),
      'sub/z.fake': fake('bone=z'),
    })
    const { scan, library, waited, close } = open(root)
    const whole = await scan()
    expect(whole).toMatchObject({ recognised: 4, errors: [] })
    process.env.MARROW_STALL = pipe
    put(root, 'open-stalls.fake', fake('bone=o'))
    const left = await scan()
    const silent = ['open-stalls.fake', 'stat-stalls.fake', 'sub/list-stalls'].map((name) => join(root, name))
    expect(codes(left)).toEqual(silent.map((path) => [path, 'no-answer']))
    expect(left.errors[0].message).toBe('its drive did not answer: it was left out, and the next scan asks again')
    // as the walk comes by them, then what is read
    expect(waited).toEqual([silent[1], silent[2], silent[0]])
    // what stands below a folder that does not answer is not gone
    expect(library.query({ show: 'files', sort: 'name', offset: 0, limit: 9 }).rows.map(({ name }) => name)).toEqual([
      'a.fake',
      'd.fake',
      'z.fake',
    ])
    expect(library.modelOf(join(root, 'sub/list-stalls/deep/d.fake'))).toHaveLength(1)
    // the threads of before are held still
    delete process.env.MARROW_STALL
    expect(await scan()).toMatchObject({ recognised: 5, models: 1, errors: [] })
    close()
  })

  it('puts models together without the file that stalls then', async () => {
    const root = tempFolder({ 'a.fake': fake('mesh=a'), 'bind-stalls.fake': fake('mesh=b') })
    process.env.MARROW_STALL = pipe
    const { scan, library, waited, close } = open(root)
    const report = await scan()
    expect(report).toMatchObject({ recognised: 1, models: 1 })
    expect(codes(report)).toEqual([[join(root, 'bind-stalls.fake'), 'no-answer']])
    expect(waited).toEqual([join(root, 'bind-stalls.fake')])
    delete process.env.MARROW_STALL
    expect(await scan()).toMatchObject({ recognised: 2, models: 2, errors: [] })
    expect(library.info()).toMatchObject({ models: 2 })
    close()
  })

  it('fails with a typed error where the folder itself, or too much in it, does not answer, and keeps what it has', async () => {
    const root = tempFolder({ 'list-stalls/a.fake': fake('mesh=a') })
    const few = open(join(root, 'list-stalls'))
    await few.scan()
    process.env.MARROW_STALL = pipe
    expect(await refused(few.scan())).toMatchObject({ code: 'no-answer', file: join(root, 'list-stalls') })
    expect(few.library.info()).toMatchObject({ files: 1, models: 1 })
    few.close()
    const many = open(tempFolder(Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`open-stalls${i}.fake`, fake('bone=a')]))))
    expect(await refused(many.scan())).toMatchObject({ code: 'no-answer', message: expect.stringContaining('4 files and folders') })
    expect(many.waited).toHaveLength(4)
    many.close()
  })

  it('is cancelled while it waits', async () => {
    const root = tempFolder({ 'a.fake': fake('mesh=a'), 'open-stalls.fake': fake('mesh=o') })
    const { scan, library, close } = open(root, false)
    process.env.MARROW_STALL = pipe
    const stop = new AbortController()
    expect(await refused(scan({ signal: stop.signal, onWaiting: () => stop.abort() }))).toMatchObject({ code: 'cancelled' })
    // the one that was left to itself is in nobody's way
    delete process.env.MARROW_STALL
    expect(await scan()).toMatchObject({ recognised: 2, errors: [] })
    expect(library.info()).toMatchObject({ models: 2 })
    close()
  })

  it('goes on where the drive answers late', async () => {
    const root = tempFolder({ 'open-stalls.fake': fake('bone=o') })
    const { scan, waited, close } = open(root, false)
    process.env.MARROW_STALL = pipe
    expect(await scan({ onWaiting: answer })).toMatchObject({ recognised: 1, errors: [] })
    expect(waited).toHaveLength(1)
    close()
  })
})
