/**
 * What this process holds on to that has to be let go: open files (databases and archives among them), watched folders, sockets, workers,
 * programs it started, timers that come again, listeners on the process, graphics engines. Counting begins when this module is loaded.
 * Files, watched folders and sockets are known to the last one on Linux (`/proc`); elsewhere by what Node tells of them.
 */
import type { ChildProcess } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import type { Worker } from 'node:worker_threads'

/** The engine's own list; its types are for programs that know a page. */
const { EngineStore } = (await import('@babylonjs/core/Engines/engineStore.js' as string)) as {
  EngineStore: { Instances: { scenes: unknown[] }[] }
}

/** Each line names one thing that is held, as it would be named were it another of the kind; equal lines are several. Sorted. */
export type Held = string[]

const FDS = '/proc/self/fd'
/** Kinds of Node's own list that nothing else here sees where there is no `/proc`. */
const KINDS = new Set(['FSEventWrap', 'StatWatcher', 'TCPServerWrap', 'TCPSocketWrap', 'PipeServerWrap', 'UDPWRAP'])

const workers = new Set<Worker>()
subscribe('worker_threads', (message) => {
  const { worker } = message as { worker: Worker }
  workers.add(worker)
  worker.once('exit', () => workers.delete(worker))
})

const programs = new Set<ChildProcess>()
subscribe('child_process', (message) => {
  const { process } = message as { process: ChildProcess }
  programs.add(process)
  process.once('exit', () => programs.delete(process))
  // one that could not be started has no end
  process.once('error', () => process.pid === undefined && programs.delete(process))
})

/** Timers that come again, by where they were set. */
const intervals = new Map<unknown, string>()
const { setInterval, clearInterval, clearTimeout } = globalThis
globalThis.setInterval = Object.assign((...args: Parameters<typeof setInterval>) => {
  const timer = setInterval(...args)
  const caller = new Error('set').stack?.split('\n').find((line) => /\/(src|test)\//.test(line) && !line.includes('/held.ts'))
  intervals.set(timer, caller?.replace(/^.*?((src|test)\/[^:)]*).*$/, '$1') ?? 'elsewhere')
  return timer
}, setInterval)
globalThis.clearInterval = (timer) => {
  intervals.delete(timer)
  clearInterval(timer)
}
// Node lets either end the other's timers
globalThis.clearTimeout = (timer) => {
  intervals.delete(timer)
  clearTimeout(timer)
}

/** Handles that nobody closed, but the garbage collector came by: whether it does is chance, what it tells counts like an open file. */
const forgotten: Held = []
process.on('warning', ({ message }) => {
  if (/^Closing file descriptor \d+ on garbage collection/.test(message)) forgotten.push('file that the garbage collector closed')
})

function ofProc(): Held {
  return readdirSync(FDS).flatMap((fd) => {
    try {
      const target = readlinkSync(`${FDS}/${fd}`)
      if (target.startsWith('socket:')) return ['socket']
      if (target === 'anon_inode:inotify')
        return readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8')
          .split('\n')
          .flatMap((line) => (line.startsWith('inotify wd') ? [`watched ${line.slice(8).split(' mask')[0]}`] : []))
      return target.startsWith('/') && !/^\/(dev(?!\/shm\/)|proc)\//.test(target) ? [`file ${target}`] : []
    } catch {
      // closed meanwhile
      return []
    }
  })
}

const ofNode = (): Held => process.getActiveResourcesInfo().filter((kind) => KINDS.has(kind))

const listeners = (): Held =>
  process
    .eventNames()
    .flatMap((event) => Array.from({ length: process.listenerCount(event) }, () => `listener of process ${String(event)}`))

export function held(): Held {
  return [
    ...(existsSync(FDS) ? ofProc() : ofNode()),
    ...forgotten,
    ...[...workers].map(() => 'worker'),
    ...[...programs].map((program) => `program ${program.spawnargs.join(' ').slice(0, 200)}`),
    ...[...intervals.values()].map((where) => `interval of ${where}`),
    ...listeners(),
    ...EngineStore.Instances.map((engine) => `engine with ${engine.scenes.length} scenes`),
  ].sort()
}

/** What is held now and was not before. */
export function heldSince(before: Held): Held {
  const known = [...before]
  return held().filter((line) => {
    const at = known.indexOf(line)
    if (at >= 0) known.splice(at, 1)
    return at < 0
  })
}
