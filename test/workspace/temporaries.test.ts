import { mkdirSync, readdirSync, readFileSync, rmdirSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { clearStuck, newTemporary } from '../../src/main/files/temporaries.ts'
import { replaceFile, replaceFiles, writeAll } from '../../src/main/workspace/atomic.ts'
import type { CommitRecord } from '../../src/main/files/commit-record.ts'
import { isTemporaryName } from '../../src/shared/temporary-name.ts'
import { temporaryFolder } from './support.ts'

const temporaries = (folder: string): string[] => readdirSync(folder).filter(isTemporaryName)

describe('what a write that failed leaves', () => {
  /** A folder in place of the temporary: as on a read-only disk, it cannot be unlinked. */
  async function failedWrite(folder: string): Promise<string> {
    let path = ''
    const write = replaceFile(join(folder, 'a.txt'), async () => {
      path = join(folder, temporaries(folder)[0])
      unlinkSync(path)
      mkdirSync(path)
      throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
    })
    await expect(write).rejects.toThrow('no space')
    expect(temporaries(folder)).toEqual([basename(path)])
    return path
  }

  it('goes with the next write of this process that the disk takes, wherever that is', async () => {
    const [folder, other] = [temporaryFolder(), temporaryFolder()]
    const path = await failedWrite(folder)
    rmdirSync(path)
    writeFileSync(path, 'half')
    await replaceFile(join(other, 'b.txt'), (handle) => writeAll(handle, Buffer.from('b')))
    expect(temporaries(folder)).toEqual([])
  })

  it('goes at the end of the run at the latest', async () => {
    const folder = temporaryFolder()
    const path = await failedWrite(folder)
    clearStuck()
    expect(temporaries(folder)).toEqual([basename(path)])
    rmdirSync(path)
    writeFileSync(path, 'half')
    clearStuck()
    expect(temporaries(folder)).toEqual([])
  })
})

describe('a replacement of two files that has not come to its end', () => {
  it('is not written over: its files would come later', async () => {
    const folder = temporaryFolder()
    const files = ['x.dir', 'x.img'].map((name) => {
      writeFileSync(join(folder, name), `old ${name}`)
      const { size, mtimeMs } = statSync(join(folder, name))
      const [temporary, aside] = [newTemporary(folder, name), newTemporary(folder, name)]
      writeFileSync(temporary, `new ${name}`)
      return { target: name, temporary: basename(temporary), aside: basename(aside), before: { size, mtimeMs } }
    })
    const record: CommitRecord = { marrow: 'commit', version: 1, direction: 'forward', files }
    const path = newTemporary(folder, 'x.dir', 'commit')
    writeFileSync(path, JSON.stringify(record))
    const list = files.map(({ target }) => ({
      target: join(folder, target),
      write: (handle: Parameters<typeof writeAll>[0]) => writeAll(handle, Buffer.from(`newer ${target}`)),
    }))
    await expect(replaceFiles(list)).rejects.toThrow('has not come to its end')
    expect(files.map(({ target }) => readFileSync(join(folder, target), 'utf8'))).toEqual(['old x.dir', 'old x.img'])
    expect(temporaries(folder).sort()).toEqual([basename(path), ...files.map(({ temporary }) => temporary)].sort())
    // settled, e.g. since the other Marrow is done
    for (const name of temporaries(folder)) unlinkSync(join(folder, name))
    await replaceFiles(list)
    expect(files.map(({ target }) => readFileSync(join(folder, target), 'utf8'))).toEqual(['newer x.dir', 'newer x.img'])
    expect(temporaries(folder)).toEqual([])
  })
})
