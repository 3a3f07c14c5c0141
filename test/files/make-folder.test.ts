import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ioError } from '../../src/main/files/sources.ts'
import { makeFolder } from '../../src/main/files/make-folder.ts'
import { put, tempFolder } from './temp.ts'

describe('a folder', () => {
  it('is made with all above it, and may be there', async () => {
    const folder = join(tempFolder(), 'a', 'b', 'c')
    await Promise.all([makeFolder(folder), makeFolder(folder)])
    await makeFolder(folder)
    expect(statSync(folder).isDirectory()).toBe(true)
  })

  it('is refused where a file stands on the way, by the name of the file', async () => {
    const root = tempFolder()
    const file = put(root, 'file', 'a')
    for (const folder of [file, join(file, 'x'), join(file, 'x', 'y')])
      await expect(makeFolder(folder)).rejects.toMatchObject({ code: 'io', file, message: `${file} is not a folder` })
  })

  // Node's own way never ends there
  it.runIf(existsSync('/proc/self'))('is refused where the system makes none', async () => {
    await expect(makeFolder('/proc/marrow/x')).rejects.toMatchObject({ file: '/proc/marrow' })
  })
})

describe('what the system says of a disk', () => {
  const told = (code: string): { code: string; message: string } => {
    const { code: own, message } = ioError(Object.assign(new Error(`${code}: raw`), { code, syscall: 'open' }), '/x/y')
    return { code: own, message }
  }

  it.each([
    ...['ENOSPC', 'EDQUOT', 'EACCES', 'EPERM', 'EROFS', 'EISDIR', 'EEXIST', 'ENOTEMPTY', 'EBUSY', 'ETXTBSY', 'EMFILE', 'ENFILE', 'EIO'],
  ])('is said in words: %s', (code) => {
    expect(told(code).code).toBe('io')
    expect(told(code).message).toContain('/x/y')
    expect(told(code).message).not.toContain(code)
  })

  it('is that nothing is there, below a file and for a name that is too long', () => {
    for (const code of ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG']) expect(told(code).code).toBe('not-found')
    expect(told('ENOTDIR').message).toBe('/x/y is not there')
    expect(told('ENAMETOOLONG').message).toBe('/x/y is longer than this system takes')
  })
})
