/** What is shown can be read: in a narrow window, and in a very wide one. */
import type { Locator, Page } from 'playwright'
import { openFromLibrary } from './steps.ts'
import { atRest, describe, expect, test } from './harness.ts'

/** The tests know no DOM: the page's own globals. */
declare const document: any
declare const getComputedStyle: any

const typeOf = (what: Locator): Promise<string> => what.evaluate((own: any) => getComputedStyle(own).fontSize)

/** Sizes of heads that are seen. */
const headsIn = (page: Page): Promise<string[]> =>
  page.locator('h2:not(.visually-hidden)').evaluateAll((heads: any[]) => heads.map((head) => getComputedStyle(head).fontSize))

/** The colour behind what stands there, as it is seen: red, green, blue. */
const colourOf = (what: Locator): Promise<number[]> =>
  what.evaluate((own: any) => {
    const context = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d')
    const chain = (element: any): any[] => (element ? [...chain(element.parentElement), element] : [])
    for (const element of chain(own)) {
      context.fillStyle = getComputedStyle(element).backgroundColor
      context.fillRect(0, 0, 1, 1)
    }
    return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3)
  })

/** Words beside the icons of first-level tools, and how many of those have none. */
const wordsOf = async (bar: Locator): Promise<{ words: string[]; bare: number }> => {
  const tools = bar.locator('.icon-btn.worded')
  const words: string[] = await tools.evaluateAll((all: any[]) => all.map((tool) => tool.innerText.trim()))
  return { words: words.filter((word) => word), bare: words.filter((word) => !word).length }
}

describe('what is shown can be read', () => {
  test('type, words of tools, colours with a meaning; numbers of the inspector, bytes and the tab of what is shown, in narrow windows', async ({
    startApp,
  }) => {
    const { page, screenshot } = await startApp({ sample: true, theme: 'light' })
    await openFromLibrary(page, /Dark Cloud 2\/adventurer/)
    await page.getByRole('treeitem', { name: /^head/ }).first().click()
    const inspector = page.locator('[data-panel="inspector"]')
    const rotation = inspector.getByLabel('Rotation ° x', { exact: true })
    await rotation.waitFor()
    const cut = () =>
      inspector
        .locator('input')
        .evaluateAll((fields) =>
          fields.flatMap((field: any) =>
            field.type !== 'checkbox' && field.scrollWidth > field.clientWidth
              ? [`${field.getAttribute('aria-label')} ${field.value}`]
              : [],
          ),
        )
    // what is stored is not quite what is typed: the others have a small rest, which is no long number
    for (const [axis, angle] of [
      ['x', '35'],
      ['y', '20'],
    ]) {
      const field = inspector.getByLabel(`Rotation ° ${axis}`, { exact: true })
      await field.fill(angle)
      await field.press('Enter')
      // one that is being edited has all its digits
      await field.blur()
      await expect.poll(async () => Math.round(Number(await field.inputValue()))).toBe(Number(angle))
    }
    // a step is named by what it changed, without the unit of a field
    await page.getByRole('button', { name: 'Undo Rotation of head' }).waitFor()
    await expect.poll(cut).toEqual([])

    const outliner = page.getByRole('tree', { name: 'Outliner' })
    const row = outliner.getByRole('treeitem', { name: 'head', exact: true, selected: true })
    const save = page.locator('header').getByRole('button', { name: 'Save', exact: true })
    // numbers in columns are smaller
    for (const base of [page.locator('body'), row, save, page.locator('.dv-tab').first(), inspector.getByRole('heading', { name: 'Bone' })])
      await expect.poll(() => typeOf(base)).toBe('13px')
    await expect.poll(() => headsIn(page)).toEqual(['15px'])
    await page.keyboard.press('Control+,')
    await expect.poll(() => typeOf(page.getByRole('dialog', { name: 'Settings' }).getByRole('heading', { level: 2 }))).toBe('15px')
    await page.keyboard.press('Escape')

    await row.click()
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe(colorScheme)
      await atRest(page)
      const colours = {
        nothing: await colourOf(outliner.getByRole('treeitem', { selected: false }).nth(1)),
        chosen: await colourOf(row),
        pressed: await colourOf(page.getByRole('button', { name: 'Textures', pressed: true })),
        next: await colourOf(save),
        unsaved: await colourOf(page.locator('.tabs .unsaved-dot')),
      }
      const all = Object.entries(colours)
      const alike = all.flatMap(([a, one], i) =>
        all
          .slice(i + 1)
          .filter(([, other]) => one.reduce((sum, part, c) => sum + Math.abs(part - other[c]), 0) < 30)
          .map(([b]) => `${a} ${one.join()} and ${b}`),
      )
      expect(alike, colorScheme).toEqual([])
    }

    const posing = page.getByRole('toolbar', { name: 'Posing' })
    const timeline = page.locator('[data-panel="timeline"]')
    await expect.poll(() => wordsOf(posing)).toEqual({ words: ['Choose', 'Move', 'Turn', 'Reach', 'Key', 'Auto'], bare: 0 })
    await expect.poll(() => wordsOf(timeline)).toEqual({ words: ['Add slice', 'Insert keys'], bare: 0 })
    for (const width of [1024, 800]) {
      await page.setViewportSize({ width, height: 700 })
      await expect.poll(cut).toEqual([])
      await expect.poll(() => wordsOf(posing)).toEqual({ words: [], bare: 6 })
      await screenshot(`inspector-${width}`)
    }
    await expect.poll(() => wordsOf(timeline)).toEqual({ words: [], bare: 2 })

    await page.setViewportSize({ width: 1440, height: 900 })
    await page.keyboard.press('Alt+5')
    const bytes = page.getByRole('region', { name: 'Bytes' })
    await bytes.getByText('00000000').first().waitFor()
    await page.setViewportSize({ width: 1024, height: 700 })
    await expect.poll(() => bytes.evaluate((view: any) => view.scrollWidth - view.clientWidth)).toBeLessThanOrEqual(0)
    // its tab is in sight, and the others are in the list of those that have no room
    const tab = page.getByRole('tab', { name: /^Structure/ }).first()
    await expect
      .poll(() =>
        tab.evaluate(
          (own: any) => own.getBoundingClientRect().right <= own.closest('.dv-tabs-container').getBoundingClientRect().right + 1,
        ),
      )
      .toBe(true)
    await screenshot('structure-1024')
  })

  test('rows of a very wide library, whose columns stay together', async ({ startApp }) => {
    const { page } = await startApp({ sample: true, size: { width: 2560, height: 1440 } })
    await page.getByText(/^Scanned /).waitFor({ timeout: 90_000 })
    const rows = page.locator('section[aria-label="Library"] [role=listbox]')
    const name = (await rows.getByText('walker_skn').boundingBox())!
    const size = (await rows
      .getByRole('option', { name: /walker_skn/ })
      .locator('.size')
      .boundingBox())!
    expect(size.x + size.width - name.x).toBeLessThan(1700)
    const head = (await page.locator('section[aria-label="Library"] .head .size').boundingBox())!
    expect(Math.abs(head.x + head.width - size.x - size.width)).toBeLessThan(2)
  })

  test('names in a narrow outliner, whose tags are shown whole or not at all', async ({ startApp }) => {
    const { page } = await startApp({ sample: true, size: { width: 1440, height: 900 } })
    // the skeleton by itself has no points for weapons
    await openFromLibrary(page, /^walker_skn$/)
    const outliner = page.getByRole('tree', { name: 'Outliner' })
    await outliner.getByRole('treeitem', { name: /MUZZLE01/ }).waitFor()
    const shown = () =>
      outliner.locator('.plain').evaluateAll((lists: any[]) =>
        lists.map((list) => {
          const box = list.getBoundingClientRect()
          const [tag] = list.querySelectorAll('.tag')
          const own = tag.getBoundingClientRect()
          if (own.top > box.top + 8) return 'none'
          return own.left >= box.left - 1 && own.right <= box.right + 1 ? 'whole' : 'cut'
        }),
      )
    await expect.poll(async () => (await shown()).length).toBeGreaterThan(3)
    await expect.poll(shown).not.toContain('cut')
    const panel = page.locator('[data-panel="outliner"]')
    const makeAsWide = async (width: number): Promise<void> => {
      const { x, y, width: now } = (await panel.boundingBox())!
      await page.mouse.move(x + now, y + 60)
      await page.mouse.down()
      await page.mouse.move(x + width, y + 60, { steps: 4 })
      await page.mouse.up()
      await expect.poll(async () => (await panel.boundingBox())!.width).toBeCloseTo(width, -1)
    }
    await makeAsWide(420)
    await expect.poll(async () => [...new Set(await shown())]).toEqual(['whole'])
    // the least that it can have
    await makeAsWide(180)
    await expect.poll(async () => [...new Set(await shown())]).toEqual(['none'])
  })
})
