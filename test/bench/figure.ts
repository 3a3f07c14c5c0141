/** A click on a figure with the clips of a whole game to its first frame, what crosses for it, and a click on its tab when it is open. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sampleFiles } from '../../src/main/sample/write-sample.ts'
import { encodeMessage } from '../../src/shared/api/wire.ts'
import { MANY_CLIPS, manyClips } from '../support/many-clips.ts'
import { framesDrawn, waitForFrames } from './drawn-frame.ts'
import { backToFrame, clickToFrame, onFolderPage, tabToFrame, toLibrary } from './sample-page.ts'
import { atMost, byItself, median, type Row } from './measure.ts'

/** One after the other: the first finds what the window made ready while it rested, and code that has never run. */
const COLD = { folder: 'first', allowed: 250 }
const WARM = { folders: ['second', 'third', 'fourth', 'fifth', 'sixth'], allowed: 100 }
/** Whose first frames are waited for. */
const DRAWN = ['seventh', 'eighth', 'ninth']

/** Milliseconds that a user looks at a library before a model is chosen, at the least. */
const LOOK_AROUND = 3000
const TURNS = 5

export async function figureRows(): Promise<Row[]> {
  const root = mkdtempSync(join(tmpdir(), 'marrow-bench-'))
  try {
    for (const folder of [COLD.folder, ...WARM.folders, ...DRAWN]) {
      mkdirSync(join(root, folder))
      for (const [name, bytes] of Object.entries(manyClips(sampleFiles()))) writeFileSync(join(root, folder, name), bytes)
    }
    return await onFolderPage(root, async (page, backend) => {
      await page.waitForTimeout(LOOK_AROUND)
      const first = await clickToFrame(page, COLD.folder)
      const { id } = (await backend.call('model.list', {})).at(-1)!
      const message = encodeMessage({ kind: 'result', id: 1, value: await backend.call('model.scene', { model: id }) })
      const later: number[] = []
      for (const folder of WARM.folders) later.push(await clickToFrame(page, folder))
      const figure = `figure with ${MANY_CLIPS} clips`
      const what = `${figure}: click to first frame, size of the message`
      const rows = [
        atMost(`first ${what}`, first, COLD.allowed, { bytes: message.length }),
        atMost(`later ${what}, median`, median(later), WARM.allowed, { bytes: message.length }),
      ]
      const back: number[] = []
      const other: number[] = []
      for (let turn = 0; turn < TURNS; turn++) {
        back.push(await backToFrame(page, 2))
        other.push(await tabToFrame(page, 1))
        await tabToFrame(page, 2)
        await toLibrary(page)
      }
      rows.push(atMost('from the library back to the figure: click on its tab to its picture', Math.min(...back), 50))
      rows.push(atMost('from one figure to another: click on its tab to its picture', Math.min(...other), 50))
      await waitForFrames(page)
      const drawn: number[] = []
      for (const folder of DRAWN) {
        await framesDrawn(page)
        await clickToFrame(page, folder)
        drawn.push((await framesDrawn(page))[0])
      }
      rows.push(byItself(`later ${figure}: its first frame alone, drawn and waited for`, median(drawn)))
      const tabs: number[] = []
      for (let turn = 0; turn < TURNS; turn++) {
        await tabToFrame(page, 1)
        await framesDrawn(page)
        await tabToFrame(page, 2)
        tabs.push((await framesDrawn(page))[0])
      }
      rows.push(byItself('from one figure to another: its first frame alone, drawn and waited for', Math.min(...tabs)))
      return rows
    })
  } finally {
    rmSync(root, { recursive: true })
  }
}
