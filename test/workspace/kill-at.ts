/**
 * A process that kills itself at its n-th call that changes something on disk: before it or, when that one is a write, after half of it; or
 * after the whole of it, before anybody hears of it. Or a process that lives, and copies a folder where it would have died (`MARROW_COPY_OF`,
 * `MARROW_COPIES_TO`): what a death leaves there is what stands there.
 */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'

type Any = (...args: any[]) => any
const halfWriters = new Set(['write'])
/** counts down; nothing happens while it is not positive */
let left = -1
let whole = false

/** @param carriedOut whether the last call is carried out */
export function killAtCall(n: number, carriedOut = false): void {
  const { MARROW_COPY_OF: of, MARROW_COPIES_TO: to } = process.env
  if (of && to) copies = { of, to, made: 0, busy: false, last: '' }
  else left = n
  whole = carriedOut
}

let copies: { of: string; to: string; made: number; busy: boolean; last: string } | undefined
/** What files are, by path, with the version that was looked at. */
const known = new Map<string, { version: string; hash: string }>()
/** A file system's clock ticks more often than this. */
const CLOCK_MS = 100

/** Nothing else of this thread comes between. Most calls open and look: what is as in the last copy is not copied again. */
function copyNow(state: NonNullable<typeof copies>): void {
  state.busy = true
  state.made++
  const now = versionsOf(state.of)
  if (now !== state.last) fs.cpSync(state.of, join(state.to, String(state.made)), { recursive: true, preserveTimestamps: true })
  state.last = now
  state.busy = false
}

/** What stands in a folder, as one word. */
function versionsOf(folder: string): string {
  const all = createHash('sha1')
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const { mtimeMs, size, mode, ino } = fs.statSync(path)
    const version = `${ino} ${mode} ${size} ${mtimeMs}`
    let hash = ''
    if (entry.isFile()) {
      const held = known.get(path)
      // the clock may not tell two writes apart
      const same = held?.version === version && Date.now() - mtimeMs > CLOCK_MS
      hash = same ? held.hash : createHash('sha1').update(fs.readFileSync(path)).digest('hex')
      known.set(path, { version, hash })
    }
    all.update(`${path}\0${entry.isFile() ? version : ''}\0${hash}\0`)
  }
  return all.digest('hex')
}

const die = (): void => void process.kill(process.pid, 'SIGKILL')

/** A write with a look at the disk after half of it. */
async function inHalves(write: Any, handle: unknown, args: any[], look: () => void): Promise<unknown> {
  const [data, offset = 0, length = data.byteLength - offset, position] = args as [Uint8Array, number?, number?, (number | null)?]
  const half = length >> 1
  const first = ((await write.call(handle, data, offset, half, position)) as { bytesWritten: number }).bytesWritten
  look()
  const rest = typeof position === 'number' ? position + first : position
  const { bytesWritten } = (await write.call(handle, data, offset + first, length - first, rest)) as { bytesWritten: number }
  return { bytesWritten: first + bytesWritten, buffer: data }
}

/** The same of a synchronous one. @param fd and what is written */
function inHalvesSync(
  write: Any,
  [fd, data, offset = 0, length = data.byteLength - offset, position = null]: any[],
  look: () => void,
): number {
  const first = write(fd, data, offset, length >> 1, position) as number
  look()
  return first + (write(fd, data, offset + first, length - first, typeof position === 'number' ? position + first : null) as number)
}

/** Each call counts. */
function wrap(owner: Record<string, any>, names: string[]): void {
  for (const name of names) {
    const original = owner[name] as Any
    owner[name] = function (this: unknown, ...args: any[]): unknown {
      if (copies && !copies.busy) {
        const state = copies
        if (halfWriters.has(name) && owner !== fs && ArrayBuffer.isView(args[0]))
          return inHalves(original, this, args, () => copyNow(state))
        copyNow(state)
        if (name === 'writeSync' && ArrayBuffer.isView(args[1])) return inHalvesSync(original, args, () => copyNow(state))
      }
      if (left > 0 && --left === 0) {
        if (whole) {
          const result = original.apply(this, args)
          if (!(result instanceof Promise)) die()
          return (result as Promise<unknown>).then(die, die).then(() => new Promise(() => {}))
        }
        if (halfWriters.has(name) && owner !== fs && ArrayBuffer.isView(args[0])) {
          const [data, offset = 0, length = data.byteLength, position] = args as [Uint8Array, number, number, number | null]
          void original.call(this, data, offset, length >> 1, position).then(die)
          return new Promise(() => {})
        }
        if (name === 'writeSync' && ArrayBuffer.isView(args[1])) inHalvesSync(original, args, die)
        die()
      }
      return original.apply(this, args)
    }
  }
}

const handle = await fs.promises.open(process.execPath, 'r')
wrap(Object.getPrototypeOf(handle) as Record<string, any>, ['write', 'sync', 'datasync', 'truncate', 'chmod'])
await handle.close()
wrap(fs.promises as unknown as Record<string, any>, ['open', 'rename', 'link', 'unlink', 'copyFile', 'mkdir', 'rm', 'writeFile', 'utimes'])
wrap(fs as unknown as Record<string, any>, [
  'open',
  'write',
  'fsync',
  'rename',
  'unlink',
  'mkdir',
  'writeFile',
  'openSync',
  'writeSync',
  'ftruncateSync',
  'futimesSync',
  'fsyncSync',
  'renameSync',
  'mkdirSync',
  'unlinkSync',
])
syncBuiltinESMExports()
