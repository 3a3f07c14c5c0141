/** Tries again, leaves nothing behind, keeps what the file is: on any system; test/windows has the locks of Windows. */
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { looksBusy, takePlace, whileBusy } from '../../src/main/files/busy.ts'
import { ioError } from '../../src/main/files/sources.ts'
import { replaceFile, writeAll } from '../../src/main/workspace/atomic.ts'
import { tempFolder } from './temp.ts'

const failing = (code: string, times: number): { task: () => Promise<string>; tries: () => number } => {
  let tries = 0
  const task = async (): Promise<string> => {
    if (tries++ < times) throw Object.assign(new Error(code), { code, syscall: 'rename' })
    return 'done'
  }
  return { task, tries: () => tries }
}

describe('files that somebody holds', () => {
  it('are tried again while they are busy, not when something else is wrong', async () => {
    for (const code of ['EBUSY', 'EPERM', 'EACCES']) {
      const { task, tries } = failing(code, 2)
      expect(await whileBusy(task, [1, 1])).toBe('done')
      expect(tries()).toBe(3)
    }
    const gone = failing('ENOENT', 1)
    await expect(whileBusy(gone.task, [1, 1])).rejects.toThrow('ENOENT')
    expect(gone.tries()).toBe(1)
    const kept = failing('EBUSY', 9)
    await expect(whileBusy(kept.task, [1, 1])).rejects.toSatisfy(looksBusy)
    expect(kept.tries()).toBe(3)
  })

  it('are named, with what to do', () => {
    const error = ioError(
      Object.assign(new Error('EBUSY: resource busy or locked, open'), { code: 'EBUSY', syscall: 'open' }),
      'C:\\g\\a.chr',
    )
    expect([error.code, error.file]).toEqual(['io', 'C:\\g\\a.chr'])
    expect(error.message).toMatch(/^C:\\g\\a\.chr is in use: .*unsaved edits are still here$/)
  })

  it('keep their attributes when another takes their place', async () => {
    const root = tempFolder({ 'a.bin': 'old', 'b.bin': 'new' })
    chmodSync(join(root, 'a.bin'), 0o444)
    await replaceFile(join(root, 'a.bin'), (handle) => writeAll(handle, Buffer.from('newer')))
    expect(readFileSync(join(root, 'a.bin'), 'utf8')).toBe('newer')
    expect(statSync(join(root, 'a.bin')).mode & 0o222).toBe(0)
    await takePlace(join(root, 'b.bin'), join(root, 'c.bin'))
    expect(readdirSync(root)).toEqual(['a.bin', 'c.bin'])
  })

  it('may have the longest names that a disk takes', async () => {
    const root = tempFolder()
    for (const name of [`${'n'.repeat(251)}.bin`, `${'가'.repeat(83)}.bin`, `.${'x'.repeat(250)}`]) {
      writeFileSync(join(root, name), '')
      await replaceFile(join(root, name), (handle) => writeAll(handle, Buffer.from(name)))
      expect(readFileSync(join(root, name), 'utf8')).toBe(name)
    }
    expect(readdirSync(root)).toHaveLength(3)
  })
})
