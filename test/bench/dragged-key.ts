/// <reference lib="dom" />
/** A key of a quarter of a million dragged in the window: from the pointer's event to the picture that shows it, rows nested as the skeleton is. */
import { boneRow, onManyKeys } from './many-keys-page.ts'
import { atMost, median, type Row } from './measure.ts'

const FRAME = 16
const MOVES = 80

export async function draggedKeyRows(): Promise<Row[]> {
  return onManyKeys(async (many) => {
    const { page, sheet, keys } = many
    await page.getByRole('slider', { name: 'Part of the time in sight' }).waitFor()
    const canvas = (await sheet.locator('canvas').boundingBox())!
    const row = (await boneRow(many).boundingBox())!
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
    const took = (await page.evaluate(() => (globalThis as unknown as { took: number[] }).took)).slice(10)
    return [atMost(`window, ${keys} keys in nested rows: a dragged key to its repaint, median`, median(took), FRAME)]
  })
}
