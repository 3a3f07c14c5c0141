/// <reference lib="dom" />
/** A key of a quarter of a million edited in the window: from the keystroke to the picture of the model that shows it. */
import type { Page } from 'playwright'
import { framesDrawn, waitForFrames } from './drawn-frame.ts'
import { boneRow, onManyKeys } from './many-keys-page.ts'
import { atMost, byItself, median, type Row } from './measure.ts'
import { UNSEEN } from './sample-page.ts'

const TO_PICTURE = 30
const EDITS = 24

/** Milliseconds from the last keystroke to the end of each frame that draws the model. */
interface Watched {
  took: number[]
}

/** Frames that draw without a change of the model would count as well: the picture draws for nothing else here. */
function watchFrames(page: Page): Promise<void> {
  return page.evaluate(() => {
    const took: number[] = []
    Object.assign(globalThis, { took } satisfies Watched)
    const channel = new MessageChannel()
    let start = 0
    let sent = true
    // the message comes after the frame was drawn
    channel.port1.onmessage = () => took.push(performance.now() - start)
    addEventListener(
      'keydown',
      () => {
        start = performance.now()
        sent = false
      },
      true,
    )
    const drawn = WebGL2RenderingContext.prototype
    const { drawElements } = drawn
    drawn.drawElements = function (...args) {
      drawElements.apply(this, args)
      if (!sent) channel.port2.postMessage(0)
      sent = true
    }
  })
}

async function pressed(page: Page, keys: (i: number) => string): Promise<number> {
  const from = await page.evaluate(() => (globalThis as unknown as Watched).took.length)
  for (let i = 0; i < EDITS; i++) {
    await page.keyboard.press(keys(i))
    await page.waitForFunction((n) => (globalThis as unknown as Watched).took.length > n, from + i, UNSEEN)
    // what follows the picture (rows of keys, problems) is not a part of the next edit
    await page.waitForTimeout(400)
  }
  return median(await page.evaluate((n) => (globalThis as unknown as Watched).took.slice(n), from))
}

export async function editedKeyRows(): Promise<Row[]> {
  return onManyKeys(async (many) => {
    const { page, sheet, keys } = many
    const bone = boneRow(many)
    const [canvas, place] = [(await sheet.locator('canvas').boundingBox())!, (await bone.boundingBox())!]
    await page.mouse.click(canvas.x + canvas.width / 2, place.y + place.height / 2)
    const field = page.getByRole('group', { name: 'Chosen keys' }).getByRole('textbox').nth(2)
    await field.focus()
    await watchFrames(page)
    const label = (what: string): string => `window, ${keys} keys: ${what} to its picture, median`
    const rows = [atMost(label('a value of a key'), await pressed(page, () => 'ArrowUp'), TO_PICTURE)]
    await sheet.focus()
    rows.push(atMost(label('undo and redo of it'), await pressed(page, (i) => (i % 2 ? 'Control+Y' : 'Control+Z')), TO_PICTURE))
    rows.push(atMost(label('a key moved in time'), await pressed(page, () => 'Control+ArrowRight'), TO_PICTURE))
    // nothing is asked for it: what the page and the drawing take of the others
    rows.push(atMost(label('the next frame'), await pressed(page, () => '.'), TO_PICTURE))
    await waitForFrames(page)
    await pressed(page, () => '.')
    rows.push(byItself(`window, ${keys} keys: a frame alone, drawn and waited for`, median(await framesDrawn(page))))
    return rows
  })
}
