import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Library } from '../../src/main/library/library.ts'

/** A BIG archive without entries: magic, stale size, count 0, header size. */
const empty = Uint8Array.from([0x42, 0x49, 0x47, 0x46, 24, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 23, 0, 0, 0, 0, 0, 0, 0, 0])

describe('archives of one folder', () => {
  it('tell their turn in the order in which the game searches them', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'marrow-order-'))
    try {
      for (const name of ['zz.big', '!mod.big', 'Maps.big']) writeFileSync(join(folder, name), empty)
      const library = Library.open(folder, join(folder, 'index.db'))
      await library.scan()
      const rows = library.query({ show: 'files', sort: 'name', offset: 0, limit: 10 }).rows.filter((r) => r.kind === 'archive')
      expect(rows.map((r) => [r.name, r.note])).toEqual([
        ['!mod.big', '0 files, searched 1 of 3'],
        ['Maps.big', '0 files, searched 2 of 3'],
        ['zz.big', '0 files, searched 3 of 3'],
      ])
      library.close()
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
