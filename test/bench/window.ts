/** A click on a model to its first frame on screen, in a real Chromium (drawing in software here, so the share of drawing is large). */
import { clickToFrame, onSamplePage } from './sample-page.ts'
import { byItself, type Row } from './measure.ts'

export async function windowRows(): Promise<Row[]> {
  return onSamplePage(async (page) => {
    const rows: Row[] = []
    for (const [name, where] of [
      ['first model: click to first frame', /Dark Cloud\/chara/],
      ['second model: click to first frame', /Lost Saga\/resource\/model\/animodel/],
    ] as const)
      rows.push(byItself(name, await clickToFrame(page, where)))
    return rows
  })
}
