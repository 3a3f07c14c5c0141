import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Library } from '../../src/main/library/library.ts'
import { sampleFiles } from '../support/sample.ts'

describe('a broken model file', () => {
  it('is a row with its error and no model; the one beside it is a model', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'marrow-broken-'))
    try {
      const { bytes } = sampleFiles().find((f) => f.path.endsWith('peds/adventurer.dff'))!
      writeFileSync(join(folder, 'good.dff'), bytes)
      writeFileSync(join(folder, 'bad.mds'), Uint8Array.from([0x4d, 0x44, 0x53, 0, 1, 0, 0, 0, 9, 0, 0, 0, 16, 0, 0, 0]))
      const library = Library.open(folder, join(folder, 'index.db'))
      const report = await library.scan()
      expect(report.models).toBe(1)
      expect(report.errors.map((e) => [e.path.replace(folder, '').slice(1), e.code])).toEqual([
        ['bad.mds', expect.stringMatching(/truncated|bad-count/)],
      ])
      library.close()
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
