/** The form of a material: the picture follows a colour that is dragged, all of it is one step, and the file gets that colour and nothing else. */
import { readFileSync } from 'node:fs'
import { atRest, describe, expect, pixelsOf, test } from './harness.ts'
import { openFromLibrary, saveEdits } from './steps.ts'

/** The tests know no DOM: the page's own globals. */
declare const Event: any

describe('a colour in the form of a material', () => {
  test.for([
    ['RenderWare', /San Andreas\/models\/peds/, 'color', 0],
    // of the detailed body, whose vertices have colours in place of its diffuse
    ['W3D', /walker_skn/, 'emissive', 11],
  ] as const)('of %s', async ([, place, field, material], { startApp }) => {
    const { page, services, screenshot } = await startApp({ sample: true })
    const signal = new AbortController().signal
    await openFromLibrary(page, place)

    const picture = page.locator('.pictures canvas.picture')
    await atRest(page)
    const outliner = page.getByRole('tree', { name: 'Outliner' })
    await outliner.focus()
    // bones and meshes are closed: only rows in view are there
    for (const key of ['Home', 'ArrowLeft', 'ArrowDown', 'ArrowLeft']) await page.keyboard.press(key)
    await outliner.locator('.line.material').nth(material).click()
    const inspector = page.getByLabel('Inspector', { exact: true })
    const colour = inspector.locator(`input[type="color"][aria-label="${field}"]`).first()
    await colour.waitFor({ timeout: 30_000 })
    // names of fields stay beside their values, however long they are
    await expect
      .poll(() =>
        inspector
          .locator('.property > .label')
          .evaluateAll((all: any[]) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)),
      )
      .toEqual([])
    const model = (await services.handlers['model.list']({}, { signal })).at(-1)!.id
    const now = async () => {
      const groups = await services.handlers['fields.ofMaterial']({ model, material }, { signal })
      const found = groups.flatMap(({ ref, fields }) => fields.map(({ path, value }) => ({ ref, path, value })))
      return found.find(({ path }) => path.endsWith(`.${field}`))!
    }
    const before = await now()
    const file = before.ref
    const bytes = readFileSync(file)
    const seen = await pixelsOf(picture)
    const differ = async (): Promise<number> => {
      const { rgba } = await pixelsOf(picture)
      let count = 0
      for (let i = 0; i < rgba.length; i += 4) if ([0, 1, 2].some((c) => Math.abs(rgba[i + c] - seen.rgba[i + c]) > 30)) count++
      return count
    }

    // names of fields are long, and the panel is narrow: none runs into what stands beside it, at the smallest size neither
    for (const size of [
      { width: 1440, height: 900 },
      { width: 1024, height: 700 },
    ]) {
      await page.setViewportSize(size)
      await atRest(page)
      await expect
        .poll(() =>
          inspector
            .locator('.property .label, .editor .flags label, .editor .numbers label')
            .evaluateAll((all: any[]) =>
              all.filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0).map((one) => one.textContent),
            ),
        )
        .toEqual([])
    }
    await page.setViewportSize({ width: 1440, height: 900 })
    await atRest(page)

    // a drag in the browser's own chooser: it tells each colour on the way
    await colour.dispatchEvent('pointerdown')
    for (const value of ['#ff2020', '#ff0000', '#10ff10']) {
      await colour.evaluate((input: any, wanted) => {
        input.value = wanted
        input.dispatchEvent(new Event('input', { bubbles: true }))
      }, value)
    }
    await expect.poll(async () => (await now()).value.slice(0, 7)).toBe('#10ff10')
    await expect.poll(differ, { timeout: 30_000 }).toBeGreaterThan(500)
    await screenshot('material-colour')

    await page.getByRole('button', { name: /^Undo/ }).click()
    await expect.poll(now).toEqual(before)
    await expect.poll(() => page.getByRole('button', { name: /^Undo/ }).isEnabled()).toBe(false)
    await expect.poll(differ, { timeout: 30_000 }).toBeLessThan(100)
    await page.getByRole('button', { name: /^Redo/ }).click()
    await expect.poll(async () => (await now()).value.slice(0, 7)).toBe('#10ff10')
    await saveEdits(page)
    const saved = readFileSync(file)
    expect(saved.length).toBe(bytes.length)
    const changed = [...saved.keys()].filter((i) => saved[i] !== bytes[i])
    expect(changed.length).toBeGreaterThan(0)
    // red, green and blue beside each other
    expect(changed.at(-1)! - changed[0]).toBeLessThan(3)
    expect([...saved.subarray(changed[0] - 2, changed[0] + 3)].join()).toContain('16,255,16')
  })
})
