/** A click on a figure with the clips of a whole game to its first frame, and what crosses for it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sampleFiles } from '../../src/main/sample/write-sample.ts'
import { encodeMessage } from '../../src/shared/api/wire.ts'
import { MANY_CLIPS, manyClips } from '../support/many-clips.ts'
import { clickToFrame, onFolderPage } from './sample-page.ts'
import { atMost, type Row } from './measure.ts'

/** One after the other: the first finds nothing ready. */
const FIGURES = [
  { folder: 'first', allowed: 250 },
  { folder: 'second', allowed: 100 },
]

export async function figureRows(): Promise<Row[]> {
  const root = mkdtempSync(join(tmpdir(), 'marrow-bench-'))
  try {
    for (const { folder } of FIGURES) {
      mkdirSync(join(root, folder))
      for (const [name, bytes] of Object.entries(manyClips(sampleFiles()))) writeFileSync(join(root, folder, name), bytes)
    }
    return await onFolderPage(root, async (page, services) => {
      const rows: Row[] = []
      for (const { folder, allowed } of FIGURES) {
        const ms = await clickToFrame(page, folder)
        const { signal } = new AbortController()
        const { id } = (await services.handlers['model.list']({}, { signal })).at(-1)!
        const message = encodeMessage({ kind: 'result', id: 1, value: await services.handlers['model.scene']({ model: id }, { signal }) })
        const what = `${folder} figure with ${MANY_CLIPS} clips: click to first frame, size of the message`
        rows.push(atMost(what, ms, allowed, { bytes: message.length }))
      }
      return rows
    })
  } finally {
    rmSync(root, { recursive: true })
  }
}
