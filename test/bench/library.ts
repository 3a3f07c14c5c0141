/** Scanning a folder against reading its files. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { filesBelow } from './corpus.ts'
import { mixedLibrary } from './mixed-library.ts'
import type { Row } from './measure.ts'
import { Library } from '../../src/main/library/library.ts'

const FILES = 4000

export async function libraryRows(): Promise<Row[]> {
  const root = mkdtempSync(join(tmpdir(), 'marrow-bench-'))
  try {
    let size = 0
    for (const { path, bytes } of mixedLibrary(FILES)) {
      const target = join(root, 'game', path)
      mkdirSync(dirname(target), { recursive: true })
      writeFileSync(target, bytes)
      size += bytes.length
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
    return [
      { name: `first scan, ${FILES} files`, bytes: size, ms: first, against: 'reading the files', againstMs: readMs, aim: 0 },
      { name: 'scan with nothing changed', bytes: size, ms: again, against: 'reading the files', againstMs: readMs, aim: 0 },
    ]
  } finally {
    rmSync(root, { recursive: true })
  }
}
