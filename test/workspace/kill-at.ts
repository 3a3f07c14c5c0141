/**
 * A process that kills itself at its n-th call that changes something on disk: before it or, when that one is a write, after half of it; or
 * after the whole of it, before anybody hears of it.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

type Any = (...args: any[]) => any
const halfWriters = new Set(['write', 'writeSync'])
/** counts down; nothing happens while it is not positive */
let left = -1
let whole = false

/** @param carriedOut whether the last call is carried out */
export function killAtCall(n: number, carriedOut = false): void {
  left = n
  whole = carriedOut
}

const die = (): void => void process.kill(process.pid, 'SIGKILL')

/** Each call counts. */
function wrap(owner: Record<string, any>, names: string[]): void {
  for (const name of names) {
    const original = owner[name] as Any
    owner[name] = function (this: unknown, ...args: any[]): unknown {
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
  'fsyncSync',
  'renameSync',
  'mkdirSync',
  'unlinkSync',
])
syncBuiltinESMExports()
