/**
 * axe-core over every page and panel: nothing serious or critical, one main landmark, what is read of a control is what stands on it. In the second
 * theme only colours can be other ones. Then the same window where the system's colours are forced, and where half of it is there (200 % zoom).
 */
import axe from 'axe-core'
import type { Page } from 'playwright'
import { atRest, describe, expect, test } from './harness.ts'
import { cutControls, openFromLibrary, runCommand } from './steps.ts'

/** The tests know no DOM: the page's own globals. */
declare const window: any
declare const document: any
declare const getComputedStyle: any

/** Rules that axe-core leaves to whoever asks for them. */
const ASKED_FOR = ['label-content-name-mismatch', 'landmark-one-main']

/** What is found, a line for each place. @param only rules; all of them without it */
async function axeFindings(page: Page, view: string, only?: string[]): Promise<string[]> {
  // a script of the test, which the page's own policy has no say in
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const found: { id: string; impact: string; places: string[] }[] = await page.evaluate(
    async ({ asked, rules }) => {
      const { violations } = await window.axe.run(document, {
        resultTypes: ['violations'],
        ...(rules ? { runOnly: rules } : { rules: Object.fromEntries(asked.map((id: string) => [id, { enabled: true }])) }),
      })
      return violations.map(({ id, impact, nodes }: any) => ({
        id,
        impact,
        places: nodes.map((node: any) => `${node.target.join(' ')}: ${node.failureSummary.split('\n')[1]?.trim()}`),
      }))
    },
    { asked: ASKED_FOR, rules: only },
  )
  return found
    .filter(({ id, impact }) => impact === 'serious' || impact === 'critical' || ASKED_FOR.includes(id))
    .flatMap(({ id, impact, places }) => places.slice(0, 6).map((place) => `${view}: ${impact} ${id} at ${place}`))
}

/** In the order of their keys. */
const PANELS = ['outliner', 'files', 'timeline', 'inspector', 'structure', 'weights', 'problems', 'changes', 'history', 'texture'] as const

/** Looked at in both themes. Every view is told of, not the first one alone. */
async function visit(page: Page, view: string, except?: string): Promise<void> {
  expect.soft((await axeFindings(page, view)).filter((line) => !except || !line.includes(except))).toEqual([])
  await page.emulateMedia({ colorScheme: 'light' })
  expect.soft(await axeFindings(page, `${view}, light`, ['color-contrast'])).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
}

describe('what everyone can use', () => {
  test('pages outside of a model have nothing serious or critical, in both themes', async ({ startApp }) => {
    const { page } = await startApp()
    // a colour on its way to another theme is none of either
    await page.emulateMedia({ reducedMotion: 'reduce' })
    page.setDefaultTimeout(60_000)
    await page.getByRole('main', { name: 'Welcome' }).waitFor()
    await visit(page, 'welcome')
    await page.getByText('Open the sample library').click()
    await page.getByText(/^Scanned /).waitFor()
    await visit(page, 'library')
    await page.getByRole('button', { name: 'Pictures' }).click()
    await visit(page, 'library as pictures')
    await page.getByRole('button', { name: 'List' }).click()
    await page.getByRole('button', { name: /^Errors/ }).click()
    await visit(page, 'errors of the library')
    await page.getByRole('button', { name: /^Models/ }).click()
    const folder = page.getByRole('tree', { name: 'Folders' }).getByRole('treeitem', { name: /^Dark Cloud 2/ })
    await folder.click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Leave this folder out' }).click()
    await folder.getByText('left out').click()
    await page.getByRole('button', { name: 'Take this folder in again' }).waitFor()
    await visit(page, 'a folder that is left out')
    // which has it too
    await page.getByRole('button', { name: 'Settings' }).click()
    await page.getByRole('dialog', { name: 'Settings' }).waitFor()
    await visit(page, 'settings')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.getByRole('listbox', { name: 'Commands' }).waitFor()
    await visit(page, 'palette')
    await page.keyboard.press('Escape')
  }, 180_000)

  test('panels of a model have nothing serious or critical, in both themes', async ({ startApp }) => {
    const { page } = await startApp({ sample: true })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    page.setDefaultTimeout(60_000)
    await openFromLibrary(page, /Dark Cloud\/chara/)
    await atRest(page)
    // an edit, so that Changes and History have something to show
    await page.keyboard.press('m')
    await page.getByRole('textbox', { name: /^Name of marker / }).press('Enter')
    for (const [i, panel] of PANELS.entries()) {
      await page.keyboard.press(`Alt+${(i + 1) % 10}`)
      await page.locator(`[data-panel="${panel}"]`).waitFor()
      await visit(page, panel)
    }
    await page.keyboard.press('Alt+p')
    await visit(page, 'poses, none')
    await page.getByLabel('Name of the new pose').fill('stand')
    await page.keyboard.press('Enter')
    await page.getByRole('listbox', { name: 'Kept poses' }).getByRole('option').first().click()
    await visit(page, 'poses')
    await page.keyboard.press('Alt+1')
    await page.getByRole('tree', { name: 'Outliner' }).getByRole('treeitem').nth(2).click()
    await page.keyboard.press('Alt+4')
    await page.keyboard.press('c')
    await visit(page, 'a bone, and curves')
    await runCommand(page, 'Export as GLB')
    await page.getByRole('dialog', { name: /^Export / }).waitFor()
    await visit(page, 'export')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+Shift+M')
    await page.getByRole('dialog', { name: 'Mod' }).waitFor()
    await visit(page, 'mod')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Alt+1')
    await page.getByRole('tree', { name: 'Outliner' }).getByRole('treeitem').nth(2).click({ button: 'right' })
    await page.getByRole('menu').waitFor()
    // what is hidden behind it cannot have the focus as long as the menu holds it
    await visit(page, 'a menu', 'aria-hidden-focus')
    await page.keyboard.press('Escape')
    await page.keyboard.press('y')
    await page.getByRole('region', { name: 'Second picture' }).waitFor()
    await visit(page, 'the second picture')
    await page.keyboard.press('y')
    await runCommand(page, 'Keyboard shortcuts')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await visit(page, 'shortcuts')
    await page.keyboard.press('Escape')
    await page.getByRole('tab').first().click()
    await openFromLibrary(page, /San Andreas\/models\/peds/)
    await page.keyboard.press('Alt+7')
    await page.locator('[data-panel="problems"] [role=row]').first().waitFor()
    await visit(page, 'problems that there are')
  }, 240_000)

  test('has every control where half of the window is there, its own marks in colours that the system forces, and no motion', async ({
    startApp,
  }) => {
    // 200 % of zoom on a screen of 1024 x 700
    const { page, screenshot } = await startApp({ size: { width: 512, height: 350 } })
    page.setDefaultTimeout(60_000)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.getByRole('main', { name: 'Welcome' }).waitFor()
    expect.soft(await cutControls(page), 'welcome').toEqual([])
    await page.getByText('Open the sample library').click()
    await page.getByText(/^Scanned /).waitFor()
    await screenshot('zoomed-library')
    expect.soft(await cutControls(page), 'library').toEqual([])
    await openFromLibrary(page, /Dark Cloud\/chara/)
    await atRest(page)
    await screenshot('zoomed-model')
    expect.soft(await cutControls(page), 'model').toEqual([])
    for (const key of ['Alt+1', 'Alt+4', 'Alt+6', 'Alt+8']) {
      await page.keyboard.press(key)
      expect.soft(await cutControls(page), key).toEqual([])
    }
    await page.keyboard.press('Control+,')
    await page.getByRole('dialog', { name: 'Settings' }).waitFor()
    await screenshot('zoomed-settings')
    expect.soft(await cutControls(page), 'settings').toEqual([])
    await page.keyboard.press('Escape')

    await page.setViewportSize({ width: 1440, height: 900 })
    await page.emulateMedia({ reducedMotion: 'reduce', forcedColors: 'active' })
    await page.keyboard.press('Alt+1')
    await page.getByRole('tree', { name: 'Outliner' }).getByRole('treeitem').nth(2).click()
    await screenshot('forced-colors')
    const chosen = page.getByRole('tree', { name: 'Outliner' }).getByRole('treeitem', { selected: true }).first()
    expect.soft(await chosen.evaluate((row: any) => getComputedStyle(row).outlineStyle)).toBe('solid')
    const pressed = page.locator("[aria-pressed='true']").first()
    const plain = page.locator("[aria-pressed='false']").first()
    const background = (element: any): string => getComputedStyle(element).backgroundColor
    expect.soft(await pressed.evaluate(background)).not.toBe(await plain.evaluate(background))
    const moving = (): Promise<string[]> =>
      page.evaluate(() =>
        document
          .getAnimations()
          .filter(({ effect, playState }: any) => playState === 'running' && effect.getComputedTiming().duration > 1)
          .map((animation: any) => `${animation.animationName ?? animation.transitionProperty} of ${animation.effect.target?.className}`),
      )
    // one that began before motion was switched off may still be on its way
    await expect.poll(moving).toEqual([])
  }, 180_000)
})
