/** A file that is written where it stands has a record beside it meanwhile: the disk needs room for that. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { FileStore } from '../../src/main/files/store.ts'
import { encodeUndo, undoSize } from '../../src/main/files/undo-record.ts'
import { sayCount } from '../../src/shared/texts/say.ts'
import { planArchiveChange } from '../../src/main/workspace/archive-edits.ts'
import { archiveTarget, bytesWritten, writeArchiveChange } from '../../src/main/workspace/archive-writes.ts'
import { Originals } from '../../src/main/workspace/originals.ts'
import { StateFiles } from '../../src/main/workspace/state-files.ts'
import { junk } from '../support/hostile.ts'
import { largeImg2 } from '../support/large-archives.ts'
import { temporaryFolder, writeFiles } from './support.ts'

const disk = vi.hoisted(() => ({ free: 0 }))
vi.mock('node:fs/promises', async (original) => ({
  ...(await original<object>()),
  statfs: () => Promise.resolve({ bavail: disk.free, bsize: 1 }),
}))

it('is not begun where the disk has none for it, and what is told before is what the record takes', async () => {
  const root = temporaryFolder()
  const { files } = largeImg2()
  writeFiles(root, files)
  const ref = join(root, 'gta3.img')
  const store = new FileStore()
  try {
    const planned = planArchiveChange(store, ref, { kind: 'replace', member: 1, bytes: junk(3 * 2048, 9) })
    const { room, written, inPlace } = await bytesWritten(planned, ref)
    expect(inPlace).toBe(true)
    expect(room - 2 * written).toBeGreaterThan(0)
    expect(room - 2 * written).toBeLessThan(2000)
    const write = () =>
      writeArchiveChange(
        store,
        new Originals(new StateFiles(temporaryFolder())),
        planned,
        archiveTarget(store, ref, { mode: 'in-place', root: '', folder: '' }),
      )
    disk.free = room - 1
    await expect(write()).rejects.toMatchObject({
      code: 'io',
      message: expect.stringContaining(`${sayCount(room)} bytes are to be written`) as string,
    })
    expect(Buffer.compare(readFileSync(ref), files['gta3.img'])).toBe(0)
    expect(readdirSync(root)).toEqual(['gta3.img'])
    disk.free = room
    await write()
    expect(Buffer.compare(readFileSync(ref), files['gta3.img'])).not.toBe(0)
  } finally {
    store.close()
  }
})

it('is as large as is told, whatever the names and times of its files', () => {
  const ranges = [{ offset: 2 ** 40, old: junk(3), fresh: junk(9) }]
  for (const mtimeMs of [0, 1732420000123.4567, -0.1])
    for (const target of ['a', 'ファイル.img']) {
      const record = [{ target, size: 5, mtimeMs, ranges }]
      const [told, made] = [undoSize(record), encodeUndo(record).length]
      expect(told).toBeGreaterThanOrEqual(made)
      expect(told - made).toBeLessThan(30)
    }
})
