/**
 * How late the web host's own thread comes to what it is asked, while its services are at something long: a window of another thread asks them for it. Beside it
 * the same with the services in the host's thread, and how late a thread has its turn that does nothing: that is the machine's own share.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'
import { ServicesApart } from '../../src/main/hosts/backend/apart.ts'
import type { Backend } from '../../src/main/hosts/backend/backend.ts'
import { inPlace } from '../../src/main/hosts/backend/in-place.ts'
import { servicesThread } from '../../src/main/hosts/backend/thread.ts'
import { startWebHost } from '../../src/main/hosts/web/web-host.ts'
import { makeBig } from '../../src/main/formats/w3d/archives/big.ts'
import { sampleFiles } from '../../src/main/sample/write-sample.ts'
import { createServices } from '../../src/main/services/create-services.ts'
import { openLog } from '../../src/main/services/log.ts'
import { manyClips } from '../support/many-clips.ts'
import type { Places, Task } from './event-loop-window.ts'
import { atMost, longestWork, type Row } from './measure.ts'
import { mixedLibrary } from './mixed-library.ts'

const FILES = 6000
const MEMBERS = 100_000
/** Of the game's main package; four times as many make a large message. */
const CLIPS = 4 * 592
const ALLOWED = 20
/** The timer that is watched; what it is late beyond this is the delay. */
const EVERY = 2

const TASKS: Record<Task, string> = {
  scan: `a library of ${FILES} files is scanned`,
  archive: `a BIG of ${MEMBERS} members is opened`,
  model: `a figure with ${CLIPS} clips is opened`,
  pictures: 'pictures of 60 models are made',
}

export async function eventLoopRows(): Promise<Row[]> {
  const root = mkdtempSync(join(tmpdir(), 'marrow-bench-'))
  try {
    const places = write(root)
    const apart = await delays(places, (stateFolder) => {
      const log = openLog(stateFolder)
      return new ServicesApart({ start: { stateFolder, host: 'web' }, line: servicesThread, log })
    })
    const here = await delays(places, (stateFolder) => inPlace(createServices({ stateFolder, host: 'web' })))
    return (Object.keys(TASKS) as Task[]).map((task) =>
      atMost(`event loop of the web host, p99, while ${TASKS[task]}`, apart[task].host, ALLOWED, {
        note: `its own work at a time: ${apart[task].own.toFixed(0)} ms at most; an idle thread: ${apart[task].idle.toFixed(0)} ms; with the services in its own: ${here[task].host.toFixed(0)} ms, ${here[task].own.toFixed(0)} ms`,
      }),
    )
  } finally {
    rmSync(root, { recursive: true })
  }
}

function write(root: string): Places {
  const put = (path: string, bytes: Uint8Array): void => {
    const target = join(root, path)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, bytes)
  }
  for (const { path, bytes } of mixedLibrary(FILES)) put(join('library', path), bytes)
  for (const [name, bytes] of Object.entries(manyClips(sampleFiles(), CLIPS))) put(join('figure', name), bytes)
  const members = Array.from({ length: MEMBERS }, (_, i) => ({ name: `art\\w3d\\unit${i}.w3d`, bytes: Uint8Array.of(i & 0xff) }))
  put('archive/many.big', makeBig('BIGF', members))
  return {
    library: join(root, 'library'),
    figure: join(root, 'figure'),
    archive: join(root, 'archive'),
  }
}

interface Late {
  host: number
  idle: number
  /** its longest work at a time */
  own: number
}

/** A thread that tells how late its own timer is, and does nothing else. */
const IDLE = `
const { parentPort } = require('node:worker_threads')
const late = require('node:perf_hooks').monitorEventLoopDelay({ resolution: ${EVERY} })
parentPort.on('message', (start) => {
  if (start) return late.reset(), late.enable()
  late.disable()
  parentPort.postMessage(late.percentile(99))
})`

const beyond = (nanoseconds: number): number => Math.max(0.01, nanoseconds / 1e6 - EVERY)

async function delays(places: Places, make: (stateFolder: string) => Backend): Promise<Record<Task, Late>> {
  const state = mkdtempSync(join(tmpdir(), 'marrow-bench-'))
  const backend = make(state)
  await backend.ready()
  const host = await startWebHost({ backend, places: Object.values(places) })
  const window = new Worker(new URL('./event-loop-window.ts', import.meta.url), {
    workerData: { url: host.url, places },
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const idle = new Worker(IDLE, { eval: true })
  const told = (by = window): Promise<unknown> => new Promise((resolve, reject) => by.once('message', resolve).once('error', reject))
  try {
    await told()
    const found = {} as Record<Task, Late>
    for (const task of Object.keys(TASKS) as Task[]) {
      const late = monitorEventLoopDelay({ resolution: EVERY })
      const work = longestWork(EVERY)
      idle.postMessage(true)
      late.enable()
      window.postMessage(task)
      await told()
      late.disable()
      const own = work()
      idle.postMessage(false)
      found[task] = { host: beyond(late.percentile(99)), idle: beyond((await told(idle)) as number), own }
    }
    return found
  } finally {
    await Promise.all([window.terminate(), idle.terminate()])
    await host.close()
    await backend.close()
    rmSync(state, { recursive: true, force: true })
  }
}
