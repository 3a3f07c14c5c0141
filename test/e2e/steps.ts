/** What users do first, and again and again. */
import type { Locator, Page } from 'playwright'
import { atRest, pixelsOf } from './harness.ts'

/** The tests know no DOM: the page's own globals. */
declare const document: any
declare const innerWidth: number
declare const getComputedStyle: any

/** Opens a model of the library from the list, and waits for its page. @param place in the line that is opened */
export async function openFromLibrary(page: Page, place: RegExp): Promise<void> {
  await page.getByText(/^Scanned /).waitFor({ timeout: 90_000 })
  await page.locator('section[aria-label="Library"] [role=listbox]').getByText(place).first().dblclick()
  await page.getByRole('toolbar', { name: 'Playback' }).waitFor({ timeout: 90_000 })
}

/**
 * Saves the model on screen, and waits until that is over. The mark on its tab comes with the answer to the edit, which a test that asks
 * the services can have before the page has it: without the mark, its absence says nothing.
 */
export async function saveEdits(page: Page): Promise<void> {
  const mark = page.getByRole('tab', { name: /unsaved edits/ })
  await mark.waitFor({ timeout: 20_000 })
  await page.keyboard.press('Control+s')
  await mark.waitFor({ state: 'detached', timeout: 20_000 })
}

/** Runs a command by its name, from the palette. */
export async function runCommand(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('listbox', { name: 'Commands' }).waitFor()
  await page.keyboard.type(name)
  // the list follows what was typed before Enter takes its first entry
  await page.getByRole('option', { selected: true }).filter({ hasText: name }).waitFor()
  await page.keyboard.press('Enter')
}

/**
 * Types and presses what stands beside the field, on or off as it is, and lets go there: a hand leaves no field first and waits for nothing.
 * (`fill` is a change that was given away already.) @param held what is waited for while it is pressed
 */
export async function typeAndPress(page: Page, field: Locator, text: string, on: Locator, held?: () => Promise<unknown>): Promise<void> {
  await field.focus()
  await page.keyboard.press('Control+a')
  await (text ? page.keyboard.insertText(text) : page.keyboard.press('Delete'))
  const { x, y, width, height } = (await on.boundingBox())!
  await page.mouse.move(x + width / 2, y + height / 2)
  await page.mouse.down()
  await held?.()
  await page.mouse.up()
}

/** Controls that a part of the window covers: they would be pressed in its place if it were not there. */
export function coveredBy(page: Page, selector: string): Promise<string[]> {
  return page.evaluate((what) => {
    const cover = document.querySelector(what)
    const box = cover.getBoundingClientRect()
    cover.style.visibility = 'hidden'
    const controls = [...document.querySelectorAll('button, input, select, textarea, summary, [role=tab], [role=slider], [tabindex="0"]')]
    const covered = controls.filter((control: any) => {
      const own = control.getBoundingClientRect()
      const [left, right] = [Math.max(own.left, box.left), Math.min(own.right, box.right)]
      const [top, bottom] = [Math.max(own.top, box.top), Math.min(own.bottom, box.bottom)]
      if (cover.contains(control) || right - left < 1 || bottom - top < 1) return false
      return control.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2))
    })
    cover.style.visibility = ''
    return covered.map((control: any) => control.getAttribute('aria-label') ?? control.textContent.trim())
  }, selector)
}

/** Controls of which a part is beside the window, where nothing scrolls to it: panels have a list of those that their bar has no room for, the timeline is moved in time. */
export function cutControls(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const reached = (element: any): boolean =>
      element !== null &&
      ((['auto', 'scroll'].includes(getComputedStyle(element).overflowX) && element.scrollWidth > element.clientWidth) ||
        reached(element.parentElement))
    return [...document.querySelectorAll('button, input, select, textarea, summary, [role=tab]')]
      .filter(
        (control: any) =>
          control.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
          !control.closest('.visually-hidden, .dv-tab, .timeline'),
      )
      .filter((control: any) => {
        const { left, right, width, top } = control.getBoundingClientRect()
        // panels behind other ones are laid out above the window
        return width > 2 && top > -1000 && (left < -1 || right > innerWidth + 1) && !reached(control.parentElement)
      })
      .map((control: any) => control.getAttribute('aria-label') ?? control.textContent.trim())
  })
}

/** The first picture as it is, and whether it is still so later. */
export function figureIn(page: Page) {
  const picture = async (): Promise<Uint8Array> => {
    await atRest(page)
    return (await pixelsOf(page.locator('canvas.picture').first())).rgba
  }
  /** Whether the figure stands so: the marks of a chosen bone are as large as what is seen, which is measured after each edit. */
  const shows = async (pose: Uint8Array): Promise<boolean> => {
    const now = await picture()
    return now.filter((byte, i) => byte !== pose[i]).length < 2e-4 * now.length
  }
  return { picture, shows }
}
