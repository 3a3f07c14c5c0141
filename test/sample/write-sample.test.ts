import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { identify } from '../../src/main/formats/registry.ts'
import { sampleFiles, writeSample } from '../../src/main/sample/write-sample.ts'
import { expectLossless } from '../support/hostile.ts'

describe('sample library', () => {
  it('has files that the codecs recognise and keep', () => {
    const formats = new Set<string>()
    for (const { path, bytes } of sampleFiles()) {
      const found = identify(bytes.subarray(0, 4096), path, bytes.length)
      expect(found, path).toBeDefined()
      formats.add(found!.format?.id ?? found!.archive!.id)
      if (found!.format) expectLossless(found!.format, bytes, path)
    }
    for (const id of [
      'level5.pack',
      'level5.mds',
      'level5.mot',
      'level5.wgt',
      'level5.bbp',
      'level5.cfg',
      'level5.img',
      'w3d.file',
      'w3d.big',
      'common.tga',
      'common.dds',
    ])
      expect(formats).toContain(id)
  })
  it('is the same in every run, written once, and edits of it stay', async () => {
    const [a, b] = [sampleFiles(), sampleFiles()]
    a.forEach((file, i) => expect(Buffer.compare(file.bytes, b[i].bytes)).toBe(0))
    const folder = await mkdtemp(join(tmpdir(), 'marrow-sample-'))
    try {
      await writeSample(folder)
      const first = join(folder, ...a[0].path.split('/'))
      expect(Buffer.compare(await readFile(first), a[0].bytes)).toBe(0)
      await writeFile(first, 'edited')
      await writeSample(folder)
      expect(await readFile(first, 'utf8')).toBe('edited')
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
