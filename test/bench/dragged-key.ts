/// <reference lib="dom" />
/** A key of a quarter of a million dragged in the window: from the pointer's event to the picture that shows it, rows nested as the skeleton is. */
import { growKeys } from '../support/many-keys.ts'
import { onSamplePage } from './sample-page.ts'
import { atMost, type Row } from './measure.ts'

const FRAME = 16
const MOVES = 80

export async function draggedKeyRows(): Promise<Row[]> {
  return onSamplePage(async (page, services) => {
    page.setDefaultTimeout(120_000)
    await page
      .locator('section[aria-label="Library"]')
      .getByText(/Dark Cloud\/chara/)
      .first()
      .dblclick()
    const sheet = page.getByRole('tree', { name: 'Keys' })
    await sheet.getByRole('treeitem').first().waitFor()
    const keys = await growKeys(services)
    const bar = page.getByRole('slider', { name: 'Part of the time in sight' })
    await page.waitForFunction(() => Number(document.querySelector('.time-scroll [role=slider]')?.getAttribute('aria-valuemax')) > 2000)
    await page.getByRole('button', { name: 'Fit the timeline' }).click()
    await bar.waitFor()
    const canvas = (await sheet.locator('canvas').boundingBox())!
    const row = (await sheet
      .getByRole('treeitem')
      .filter({ has: page.getByText('chest', { exact: true }) })
      .boundingBox())!
    await page.evaluate(() => {
      const took: number[] = []
      Object.assign(globalThis, { took })
      const channel = new MessageChannel()
      let start = 0
      // the message comes after the frame was drawn
      channel.port1.onmessage = () => took.push(performance.now() - start)
      addEventListener(
        'pointermove',
        () => {
          start = performance.now()
          requestAnimationFrame(() => channel.port2.postMessage(0))
        },
        true,
      )
    })
    const y = row.y + row.height / 2
    const from = canvas.x + canvas.width / 2
    await page.mouse.move(from, y)
    await page.mouse.down()
    for (let i = 1; i <= MOVES; i++) {
      await page.mouse.move(from + 4 * i, y)
      await page.waitForFunction((n) => (globalThis as unknown as { took: number[] }).took.length > n, i)
    }
    const readout = await page.locator('.drag-readout').count()
    await page.keyboard.press('Escape')
    await page.mouse.up()
    if (!readout) throw new Error('no key was dragged')
    const took = (await page.evaluate(() => (globalThis as unknown as { took: number[] }).took)).slice(10).sort((a, b) => a - b)
    return [atMost(`window, ${keys} keys in nested rows: a dragged key to its repaint, median`, took[took.length >> 1], FRAME)]
  })
}
