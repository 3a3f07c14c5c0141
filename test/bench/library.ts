/** Scanning a folder against reading its files. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { filesBelow } from './corpus.ts'
import type { Row } from './measure.ts'
import { Library } from '../../src/main/library/library.ts'
import { sampleFiles } from '../../src/main/sample/write-sample.ts'

const COPIES = 60

export async function libraryRows(): Promise<Row[]> {
  const root = mkdtempSync(join(tmpdir(), 'marrow-bench-'))
  try {
    const files = sampleFiles()
    for (let i = 0; i < COPIES; i++) {
      for (const { path, bytes } of files) {
        const target = join(root, 'game', `copy${i}`, path)
        mkdirSync(dirname(target), { recursive: true })
        writeFileSync(target, bytes)
      }
    }
    const paths = filesBelow(join(root, 'game'))
    const read = (): number => {
      const start = performance.now()
      let size = 0
      for (const path of paths) size += readFileSync(path).length
      void size
      return performance.now() - start
    }
    read()
    const readMs = Math.min(read(), read(), read())
    const library = Library.open(join(root, 'game'), join(root, 'index.db'))
    const scan = async (): Promise<number> => {
      const start = performance.now()
      await library.scan({})
      return performance.now() - start
    }
    const first = await scan()
    const again = await scan()
    library.close()
    const bytes = COPIES * files.reduce((n, f) => n + f.bytes.length, 0)
    return [
      { name: `first scan, ${paths.length} files`, bytes, ms: first, against: 'reading the files', againstMs: readMs, aim: 0 },
      { name: 'scan with nothing changed', bytes, ms: again, against: 'reading the files', againstMs: readMs, aim: 0 },
    ]
  } finally {
    rmSync(root, { recursive: true })
  }
}
