/** A process that kills itself before its n-th call that changes something on disk, or, when that one is a write, after half of it. */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

type Any = (...args: any[]) => any
const halfWriters = new Set(['write', 'writeSync'])
/** counts down; nothing happens while it is not positive */
let left = -1

export function killAtCall(n: number): void {
  left = n
}

/** Each call counts; the last one is not carried out, a write is carried out by half. */
function wrap(owner: Record<string, any>, names: string[]): void {
  for (const name of names) {
    const original = owner[name] as Any
    owner[name] = function (this: unknown, ...args: any[]): unknown {
      if (left > 0 && --left === 0) {
        if (halfWriters.has(name) && owner !== fs && ArrayBuffer.isView(args[0])) {
          const [data, offset = 0, length = data.byteLength, position] = args as [Uint8Array, number, number, number | null]
          void original.call(this, data, offset, length >> 1, position).then(() => process.kill(process.pid, 'SIGKILL'))
          return new Promise(() => {})
        }
        process.kill(process.pid, 'SIGKILL')
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
