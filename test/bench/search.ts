/// <reference lib="dom" />
/** Typing into the search of a large library: from the keystroke to the frame that shows its rows. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { mixedLibrary } from './mixed-library.ts'
import { onFolderPage, UNSEEN } from './sample-page.ts'
import { atMost, median, type Row } from './measure.ts'

const FILES = 33_000
const ALLOWED = 60
/** Each finds another number of models than the one before, which is how the page tells that they are there. */
const KEYSTROKES = ['c', 'h', 'Backspace', 'Backspace', 'u', 'n', 'Backspace', 'Backspace']

export async function searchRows(): Promise<Row[]> {
  const root = mkdtempSync(join(tmpdir(), 'marrow-bench-'))
  try {
    for (const { path, bytes } of mixedLibrary(FILES)) {
      const target = join(root, path)
      mkdirSync(dirname(target), { recursive: true })
      writeFileSync(target, bytes)
    }
    const took = await onFolderPage(root, async (page) => {
      await page.locator('section[aria-label="Library"]').getByRole('searchbox').focus()
      await page.evaluate(() => {
        const shown = (): string | null => document.querySelector('section[aria-label="Library"] .foot > span')!.textContent
        const took: number[] = []
        Object.assign(globalThis, { took })
        const channel = new MessageChannel()
        let start = 0
        // the message comes after the frame was drawn
        channel.port1.onmessage = () => took.push(performance.now() - start)
        addEventListener(
          'input',
          () => {
            start = performance.now()
            const before = shown()
            const look = (): void => {
              if (shown() === before) requestAnimationFrame(look)
              else channel.port2.postMessage(0)
            }
            requestAnimationFrame(look)
          },
          true,
        )
      })
      for (const [i, key] of KEYSTROKES.entries()) {
        await page.keyboard.press(key)
        await page.waitForFunction((n) => (globalThis as unknown as { took: number[] }).took.length > n, i, UNSEEN)
        // as somebody types
        await page.waitForTimeout(120)
      }
      return page.evaluate(() => (globalThis as unknown as { took: number[] }).took)
    })
    const row = (which: string, ms: number): Row => atMost(`search in ${FILES} files: keystroke to rows, ${which}`, ms, ALLOWED)
    return [row('median', median(took)), row('slowest', Math.max(...took))]
  } finally {
    rmSync(root, { recursive: true })
  }
}
