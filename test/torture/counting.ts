/**
 * Loaded into a process and each of its workers before anything else (`--import`): counts every call of Node's that changes something on disk
 * (synchronous, with a callback, with a promise, of a file handle) and every statement of SQLite that writes. At the number that was asked for
 * the process is killed, or the call fails as on a full or read-only disk. A write is carried out by half first.
 *
 * What is changed outside of the folders that are allowed is told.
 */
import fs from 'node:fs'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { resolve, sep } from 'node:path'
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads'

export interface CountingOptions {
  /** only changes below it count */
  root: string
  /** changes elsewhere are told on standard output */
  allowed: string[]
  /** dies at the n-th call from the start, for programs that do not ask for it themselves */
  strike?: number
}

/** Words of the memory that all threads share: calls left until the strike, what it does, calls that fail from it on, with which code, calls so far, calls that failed. */
const At = { left: 0, mode: 1, fails: 2, code: 3, count: 4, failed: 5 } as const
const OFF = 0
const KILL = 1
const FAIL = 2

export const CODES = ['ENOSPC', 'EROFS', 'EIO'] as const
export type DiskCode = (typeof CODES)[number]
const ERRNO: Record<DiskCode, number> = { ENOSPC: -28, EROFS: -30, EIO: -5 }
/** What each trouble of a disk stops: a full one lets files be removed, one that goes bad tells when bytes go to it. */
const STOPS: Record<DiskCode, RegExp> = {
  ENOSPC: /^(open|write|writev|writeFile|appendFile|mkdir|mkdtemp|copyFile|cp|link|symlink|sync|fsync|datasync|fdatasync)$/,
  EROFS: /./,
  EIO: /^(write|writev|writeFile|appendFile|copyFile|sync|fsync|datasync|fdatasync)$/,
}

type Any = (...args: any[]) => any
type Methods = Record<string, any>

const KEY = 'torture'
const tell = fs.writeSync
const options = JSON.parse(process.env.MARROW_TORTURE ?? '{"root":"","allowed":[]}') as CountingOptions

/** Above the calls that are known by number only. */
let shared = getEnvironmentData(KEY) as SharedArrayBuffer | undefined
if (!shared) setEnvironmentData(KEY, (shared = new SharedArrayBuffer(64)))
const state = new Int32Array(shared)

const below = (folder: string, path: string): boolean => path === folder || path.startsWith(folder + sep)
/** paths of descriptors and handles that were opened below the root */
const descriptors = new Map<number, string>()
const handles = new WeakMap<object, string>()

function pathOf(value: unknown): string | undefined {
  if (typeof value === 'string') return resolve(value)
  if (value instanceof URL) return value.protocol === 'file:' ? resolve(decodeURIComponent(value.pathname)) : undefined
  if (Buffer.isBuffer(value)) return resolve(value.toString())
  if (typeof value === 'number') return descriptors.get(value)
  return undefined
}

/** Whether a change of this path counts; one outside of the allowed folders is told at once. */
function counts(path: string | undefined, name: string): boolean {
  if (path === undefined || options.root === '') return false
  if (path.startsWith('/dev/') && !path.startsWith('/dev/shm/')) return false
  if (!options.allowed.some((folder) => below(folder, path))) tell(1, `outside ${JSON.stringify([name, path])}\n`)
  return below(options.root, path)
}

type Verdict = 'go' | 'kill' | 'fail'

function next(name: string): Verdict {
  Atomics.add(state, At.count, 1)
  const mode = Atomics.load(state, At.mode)
  if (mode === OFF) return 'go'
  const left = Atomics.sub(state, At.left, 1)
  if (left > 1) return 'go'
  if (mode === KILL) return left === 1 ? 'kill' : 'go'
  if (!STOPS[CODES[Atomics.load(state, At.code)]].test(name) || Atomics.sub(state, At.fails, 1) <= 0) return 'go'
  Atomics.add(state, At.failed, 1)
  return 'fail'
}

function die(): never {
  process.kill(process.pid, 'SIGKILL')
  // the signal is on its way
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000)
}

function failure(name: string, path: string): Error {
  const code = CODES[Atomics.load(state, At.code)]
  const syscall = name.replace(/Sync$/, '')
  return Object.assign(new Error(`${code}: injected, ${syscall} '${path}'`), { code, errno: ERRNO[code], syscall, path })
}

const WRITING_FLAGS = fs.constants.O_WRONLY | fs.constants.O_RDWR | fs.constants.O_CREAT | fs.constants.O_TRUNC | fs.constants.O_APPEND
const opensForWriting = (flags: unknown): boolean =>
  typeof flags === 'number' ? (flags & WRITING_FLAGS) !== 0 : typeof flags === 'string' && !/^r(s)?$/.test(flags)

/** Half of what a write was to write, at the same place. */
function half(args: any[], from: number): any[] | undefined {
  const data: unknown = args[from]
  if (typeof data === 'string') return [...args.slice(0, from), data.slice(0, data.length >> 1), ...args.slice(from + 1)]
  if (!ArrayBuffer.isView(data)) return undefined
  const given: unknown = args[from + 1]
  if (typeof given === 'object' && given !== null) {
    const {
      offset = 0,
      length = data.byteLength,
      position = null,
    } = given as { offset?: number; length?: number; position?: number | null }
    return [...args.slice(0, from), data, offset, length >> 1, position]
  }
  const offset = typeof given === 'number' ? given : 0
  const length = typeof args[from + 2] === 'number' ? (args[from + 2] as number) : data.byteLength - offset
  return [...args.slice(0, from), data, offset, length >> 1, typeof args[from + 3] === 'number' ? args[from + 3] : null]
}

/** names of calls whose first argument (and second, for two) is a path or a descriptor */
const ONE = [
  'write', 'writev', 'writeFile', 'appendFile', 'fsync', 'fdatasync', 'unlink', 'rm', 'rmdir', 'truncate', 'ftruncate', 'mkdir', 'mkdtemp',
  'utimes', 'futimes', 'lutimes', 'chmod', 'fchmod',
] // prettier-ignore
/** the second one is what comes to be */
const TWO = ['rename', 'copyFile', 'cp', 'link', 'symlink']

const changed = (name: string, args: any[]): boolean => {
  if (!TWO.includes(name)) return counts(pathOf(args[0]), name)
  const [from, to] = [name === 'rename' ? counts(pathOf(args[0]), name) : false, counts(pathOf(args[1]), name)]
  return from || to
}

function wrapSync(owner: Methods, name: string): void {
  const original = owner[`${name}Sync`] as Any | undefined
  if (!original) return
  owner[`${name}Sync`] = function (this: unknown, ...args: any[]): unknown {
    if (changed(name, args)) {
      const verdict = next(name)
      if (verdict !== 'go') {
        const part =
          name === 'write' ? half(args, 1) : name === 'writeFile' || name === 'appendFile' ? half(args, 1)?.slice(0, 2) : undefined
        if (part) original.apply(this, part)
        if (verdict === 'kill') die()
        throw failure(name, String(pathOf(args[0])))
      }
    }
    return original.apply(this, args)
  }
}

function wrapCallback(owner: Methods, name: string): void {
  const original = owner[name] as Any | undefined
  if (!original) return
  owner[name] = function (this: unknown, ...args: any[]): unknown {
    if (changed(name, args)) {
      const verdict = next(name)
      if (verdict !== 'go') {
        const part = name === 'write' ? half(args, 1) : undefined
        if (part) (owner.writeSync as Any)(...part)
        if (verdict === 'kill') die()
        const done = args.at(-1) as Any
        setImmediate(() => done(failure(name, String(pathOf(args[0])))))
        return undefined
      }
    }
    return original.apply(this, args)
  }
}

function wrapPromise(owner: Methods, name: string): void {
  const original = owner[name] as Any | undefined
  if (!original) return
  owner[name] = async function (this: unknown, ...args: any[]): Promise<unknown> {
    if (typeof args[0] !== 'object' && changed(name, args)) {
      const verdict = next(name)
      if (verdict === 'kill') die()
      if (verdict === 'fail') throw failure(name, String(pathOf(args[0])))
    }
    return (await original.apply(this, args)) as unknown
  }
}

function wrapHandle(prototype: Methods, name: string): void {
  const original = prototype[name] as Any | undefined
  if (!original) return
  prototype[name] = async function (this: { fd: number }, ...args: any[]): Promise<unknown> {
    const path = handles.get(this)
    if (path !== undefined && counts(path, name)) {
      const verdict = next(name)
      if (verdict !== 'go') {
        const part = name === 'write' ? half(args, 0) : undefined
        if (part) await original.apply(this, part)
        if (verdict === 'kill') die()
        throw failure(name, path)
      }
    }
    return (await original.apply(this, args)) as unknown
  }
}

function wrapOpens(): void {
  const { openSync, open, close, closeSync } = fs
  const { open: openPromise } = fs.promises
  const refused = (flags: unknown, path: string | undefined): Error | undefined => {
    if (!opensForWriting(flags) || !counts(path, 'open')) return undefined
    const verdict = next('open')
    if (verdict === 'kill') die()
    return verdict === 'fail' ? failure('open', path!) : undefined
  }
  const methods = fs as unknown as Methods
  methods.openSync = (path: unknown, flags: unknown = 'r', ...rest: unknown[]) => {
    const error = refused(flags, pathOf(path))
    if (error) throw error
    const fd = (openSync as Any)(path, flags, ...rest) as number
    if (opensForWriting(flags)) descriptors.set(fd, pathOf(path) ?? '')
    return fd
  }
  methods.open = (path: unknown, ...rest: any[]) => {
    const flags = typeof rest[0] === 'function' ? 'r' : rest[0]
    const done = rest.pop() as Any
    const error = refused(flags, pathOf(path))
    if (error) return void setImmediate(() => done(error))
    return (open as Any)(path, ...rest, (failed: Error | null, fd: number) => {
      if (!failed && opensForWriting(flags)) descriptors.set(fd, pathOf(path) ?? '')
      done(failed, fd)
    }) as unknown
  }
  methods.closeSync = (fd: number) => {
    descriptors.delete(fd)
    closeSync(fd)
  }
  methods.close = (fd: number, ...rest: any[]) => {
    descriptors.delete(fd)
    return (close as Any)(fd, ...rest) as unknown
  }
  ;(fs.promises as unknown as Methods).open = async (path: unknown, flags: unknown = 'r', ...rest: unknown[]) => {
    const error = refused(flags, pathOf(path))
    if (error) throw error
    const handle = (await (openPromise as Any)(path, flags, ...rest)) as object
    if (opensForWriting(flags)) handles.set(handle, pathOf(path) ?? '')
    return handle
  }
}

const handle = await fs.promises.open(process.execPath, 'r')
const prototype = Object.getPrototypeOf(handle) as Methods
await handle.close()
for (const name of ['write', 'writev', 'writeFile', 'appendFile', 'sync', 'datasync', 'truncate', 'utimes', 'chmod'])
  wrapHandle(prototype, name)
wrapOpens()
for (const name of [...ONE, ...TWO]) {
  wrapPromise(fs.promises as unknown as Methods, name)
  wrapCallback(fs as unknown as Methods, name)
  wrapSync(fs as unknown as Methods, name)
}
syncBuiltinESMExports()

/** SQLite writes by itself: what can be counted is its statements. They are not made to fail, a process dies before one. */
try {
  const Database = createRequire(process.env.MARROW_TORTURE_MODULES ?? import.meta.url)('better-sqlite3') as { prototype: Methods }
  const statement = (): void => {
    if (options.root === '' || Atomics.load(state, At.mode) === FAIL) return
    if (next('statement') === 'kill') die()
  }
  let patched = false
  const { prepare, exec } = Database.prototype as { prepare: Any; exec: Any }
  Database.prototype.prepare = function (this: unknown, ...args: unknown[]): unknown {
    const made = prepare.apply(this, args) as { readonly: boolean }
    if (!patched) {
      patched = true
      const methods = Object.getPrototypeOf(made) as Methods
      const run = methods.run as Any
      methods.run = function (this: { readonly: boolean }, ...values: unknown[]): unknown {
        statement()
        return run.apply(this, values)
      }
    }
    return made
  }
  Database.prototype.exec = function (this: unknown, ...args: unknown[]): unknown {
    statement()
    return exec.apply(this, args)
  }
} catch {
  // a program without it
}

/** For the program that the strike falls on. */
export interface Counting {
  /** calls that were counted so far */
  count(): number
  /** dies at the n-th call from now */
  killAt(n: number): void
  /** `fails` calls fail, from the n-th from now on */
  failAt(n: number, fails: number, code: DiskCode): void
  /** no strike any more; how many calls failed */
  heal(): number
}

const counting: Counting = {
  count: () => Atomics.load(state, At.count),
  killAt(n) {
    Atomics.store(state, At.left, n)
    Atomics.store(state, At.mode, KILL)
  },
  failAt(n, fails, code) {
    Atomics.store(state, At.failed, 0)
    Atomics.store(state, At.code, CODES.indexOf(code))
    Atomics.store(state, At.fails, fails)
    Atomics.store(state, At.left, n)
    Atomics.store(state, At.mode, FAIL)
  },
  heal() {
    Atomics.store(state, At.mode, OFF)
    return Atomics.exchange(state, At.failed, 0)
  },
}
;(globalThis as { tortureCounting?: Counting }).tortureCounting = counting
if (options.strike !== undefined && isMainThread) counting.killAt(options.strike)
