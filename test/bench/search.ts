/// <reference lib="dom" />
/** Typing into the search of a large library: from the keystroke to the frame that shows its rows. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { mixedLibrary } from './mixed-library.ts'
import { onFolderPage, UNSEEN } from './sample-page.ts'
import { atMost, byItself, median, type Row } from './measure.ts'

const FILES = 33_000
const ALLOWED = 60
/** Each finds another number of models than the one before, which is how the page tells that they are there. */
const KEYSTROKES = ['c', 'h', 'Backspace', 'Backspace', 'u', 'n', 'Backspace', 'Backspace']
/** Before them one that is pressed in the moment in which the scan is over, beside the first rows, their folders and pictures; and one that takes it back. */
const AT_ONCE = ['b', 'Backspace']
const TYPED = AT_ONCE.length + KEYSTROKES.length
/** Behind them: other rows of the same list, which are there already, on screen in place of as many. Drawing is all of it; more of them would meet pictures. */
const PAGES = 5
/** As somebody types. */
const PAUSE_MS = 120
/** What goes on by itself behind a scan is over: the second look at the folder (nobody watched it until then), pictures, and the page of a model with its shaders. */
const REST_MS = 10_000

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
        const counted = (): string | null => document.querySelector('section[aria-label="Library"] .foot > span')!.textContent
        const chosen = (): string | null =>
          document.querySelector('section[aria-label="Library"] [role=listbox]')!.getAttribute('aria-activedescendant')
        const took: number[] = []
        Object.assign(globalThis, { took })
        const channel = new MessageChannel()
        let start = 0
        // the message comes after the frame was drawn
        channel.port1.onmessage = () => took.push(performance.now() - start)
        const watch = (event: string, shown: () => unknown): void =>
          addEventListener(
            event,
            ({ target }) => {
              if (event === 'keydown' && target instanceof HTMLInputElement) return
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
        watch('input', counted)
        watch('keydown', chosen)
      })
      for (const [i, key] of [...AT_ONCE, ...KEYSTROKES, ...Array<string>(PAGES).fill('PageDown')].entries()) {
        if (i === AT_ONCE.length) await page.locator('[data-panel=inspector]').waitFor({ state: 'attached' })
        if (i === TYPED) await page.locator('section[aria-label="Library"] [role=listbox]').first().focus()
        await page.waitForTimeout(i === 0 ? 0 : i === AT_ONCE.length ? REST_MS : PAUSE_MS)
        await page.keyboard.press(key)
        await page.waitForFunction((n) => (globalThis as unknown as { took: number[] }).took.length > n, i, UNSEEN)
      }
      return page.evaluate(() => (globalThis as unknown as { took: number[] }).took)
    })
    const what = `search in ${FILES} files`
    const row = (which: string, ms: number): Row => atMost(`${what}: a letter to its rows, ${which}`, ms, ALLOWED)
    const [typed, pages] = [took.slice(AT_ONCE.length, TYPED), took.slice(TYPED)]
    return [
      row('median', median(typed)),
      row('slowest', Math.max(...typed)),
      row('the moment a scan is over', took[0]),
      byItself(`${what}: a page further in the list, nothing searched, median`, median(pages)),
    ]
  } finally {
    rmSync(root, { recursive: true })
  }
}
