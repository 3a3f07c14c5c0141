/** Several vertices are chosen, in the table and in the picture, and edited as one step. */
import { describe, expect, test } from './harness.ts'
import { openFromLibrary } from './steps.ts'

const { signal } = new AbortController()

/** Rows of which a weight stands elsewhere than its head, and whether some have more weights than others. */
function awry(panel: any): { counts: boolean; awry: string[] } {
  const ends = (of: any): number[] => [...of.querySelectorAll('.influence .weight')].map((one: any) => one.getBoundingClientRect().right)
  const heads = ends(panel.querySelector('.head'))
  const rows = [...panel.querySelectorAll('[role=row]')]
  const found = rows.filter((row) => ends(row).some((end, i) => i >= heads.length || Math.abs(end - heads[i]) > 1))
  const counts = new Set(rows.map((row) => row.querySelectorAll('[role=gridcell]').length + row.querySelectorAll('.tag').length))
  return { counts: counts.size > 1, awry: found.map((row) => row.getAttribute('aria-label')) }
}

describe('several vertices', () => {
  test('chosen by rows, ranges, clicks and a box; one edit is in all of them', async ({ startApp }) => {
    const { page, screenshot, services } = await startApp({ sample: true })
    await page.getByText(/^Scanned /).waitFor({ timeout: 30_000 })
    await page.locator('section[aria-label="Library"] [role=listbox]').getByText('San Andreas/models/peds').dblclick()
    await page.getByRole('toolbar', { name: 'Playback' }).waitFor({ timeout: 20_000 })
    await page.keyboard.press('Alt+6')
    const panel = page.locator('[data-panel="weights"]')
    await panel.getByLabel('Bone', { exact: true }).waitFor({ timeout: 20_000 })
    await panel.getByRole('button', { name: 'Vertices', exact: true }).first().click()
    const row = (vertex: number) => panel.getByRole('row', { name: `Vertex ${vertex}`, exact: true })
    const number = (vertex: number) => row(vertex).getByRole('gridcell').first()
    const chosen = () => panel.getByRole('row', { selected: true }).count()

    await number(2).click()
    await expect.poll(chosen).toBe(1)
    await number(5).click({ modifiers: ['Shift'] })
    await expect.poll(chosen).toBe(4)
    await number(7).click({ modifiers: ['Control'] })
    await expect.poll(chosen).toBe(5)
    await number(3).click({ modifiers: ['Control'] })
    await expect.poll(chosen).toBe(4)
    await panel.getByText('+ 3 more', { exact: true }).waitFor()
    await screenshot('several-vertices')

    // one number is the weight of that bone in all of them, and one step
    const [model] = await services.handlers['model.list']({}, { signal })
    const [skin] = await services.handlers['weights.list']({ model: model.id }, { signal })
    const read = () => Promise.resolve(services.handlers['weights.read']({ model: model.id, id: skin.id }, { signal }))
    const before = await read()
    const field = panel.getByLabel(/^Weight 0 of vertex 7$/)
    const bone = before.bone[before.offsets[7]]
    // what is no weight of this file is taken back, and that is said
    const old = await field.inputValue()
    await field.fill('1.5')
    await field.press('Enter')
    await panel.getByRole('alert').getByText('1.5 is no weight: this file takes 0 to 1', { exact: true }).waitFor()
    await expect.poll(() => field.inputValue()).toBe(old)
    await field.fill('0.5')
    await field.press('Enter')
    await expect.poll(() => panel.getByRole('alert').count()).toBe(0)
    const weights = async () => {
      const now = await read()
      const of = (v: number): number => {
        for (let i = now.offsets[v]; i < now.offsets[v + 1]; i++) if (now.bone[i] === bone) return now.weight[i]
        return 0
      }
      return [2, 4, 5, 7].map(of)
    }
    await expect.poll(weights).toEqual([0.5, 0.5, 0.5, 0.5])
    const now = await read()
    for (const v of [0, 1, 3, 6])
      expect(now.weight.subarray(now.offsets[v], now.offsets[v + 1])).toEqual(
        before.weight.subarray(before.offsets[v], before.offsets[v + 1]),
      )
    const steps = async () => (await services.handlers['model.list']({}, { signal }))[0].history.undo
    await expect.poll(steps).toEqual(['Weights of 4 vertices'])
    await page.getByRole('button', { name: /^Undo/ }).click()
    await expect.poll(steps).toEqual([])
    await expect.poll(async () => (await read()).weight).toEqual(before.weight)

    // a box in the picture adds to them; with the keyboard all of the list
    const canvas = page.locator('[data-panel="viewport"] canvas[aria-label]').first()
    const box = (await canvas.boundingBox())!
    const boxOver = async (): Promise<void> => {
      await page.keyboard.down('Control')
      await page.mouse.move(box.x + box.width * 0.3, box.y + box.height * 0.15)
      await page.mouse.down()
      await page.mouse.move(box.x + box.width * 0.7, box.y + box.height * 0.45, { steps: 4 })
      await page.mouse.up()
      await page.keyboard.up('Control')
    }
    await boxOver()
    const more = panel.locator('.tag.chosen')
    await expect.poll(async () => Number(/\d+/.exec((await more.textContent())!.replaceAll(',', ''))?.[0])).toBeGreaterThan(50)
    await screenshot('vertices-in-a-box')
    // the same box takes fewer where it is told to leave what cannot be seen
    const inBox = async () => Number(/\d+/.exec((await more.textContent())!.replaceAll(',', ''))?.[0])
    const through = await inBox()
    await number(1).click()
    await expect.poll(() => more.count()).toBe(0)
    const frontOnly = panel.getByRole('button', { name: 'Box: vertices in front' })
    await expect.poll(() => frontOnly.getAttribute('aria-pressed')).toBe('false')
    await page.keyboard.press('Alt+z')
    await expect.poll(() => frontOnly.getAttribute('aria-pressed')).toBe('true')
    await boxOver()
    await expect.poll(() => more.count()).toBe(1)
    const front = await inBox()
    expect(front).toBeGreaterThan(10)
    expect(front).toBeLessThan(through)
    await screenshot('vertices-in-front')
    await frontOnly.click()
    await expect.poll(() => frontOnly.getAttribute('aria-pressed')).toBe('false')
    await number(1).click()
    await expect.poll(() => more.count()).toBe(0)
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Shift+ArrowDown')
    await panel.getByText('+ 2 more', { exact: true }).waitFor()
    await page.keyboard.press('Control+a')
    await expect.poll(() => more.textContent()).toMatch(/^\+ [\d,]{3,} more$/)
    await panel.getByRole('button', { name: 'Tools', exact: true }).click()
    await panel.getByRole('button', { name: 'Limit bones', exact: true }).click()
    await panel.getByLabel('Vertices that tools change').selectOption('vertex')
    await expect
      .poll(() => panel.getByLabel('Vertices that tools change').locator('option:checked').textContent())
      .toMatch(/chosen vertices/)
  }, 120_000)

  test('have their numbers below the heads, however many each has, in panels of any width', async ({ startApp }) => {
    const { page, services } = await startApp({ sample: true })
    await openFromLibrary(page, /San Andreas\/models\/peds/)
    await page.keyboard.press('Alt+6')
    const panel = page.locator('[data-panel="weights"]')
    await panel.getByLabel('Bone', { exact: true }).waitFor({ timeout: 20_000 })
    await panel.getByRole('button', { name: 'Vertices', exact: true }).first().click()
    const [{ id: model }] = await services.handlers['model.list']({}, { signal })
    const [{ id }] = await services.handlers['weights.list']({ model }, { signal })
    const { offsets } = await services.handlers['weights.read']({ model, id }, { signal })
    const count = (v: number): number => offsets[v + 1] - offsets[v]
    const vertex = Array.from({ length: offsets.length - 2 }, (_, v) => v).find((v) => count(v) !== count(v + 1))!
    const field = panel.getByLabel('Go to vertex')
    await field.fill(String(vertex))
    await field.press('Enter')
    await panel.getByRole('row', { name: `Vertex ${vertex + 1}`, exact: true }).waitFor()
    for (const width of [1440, 1600, 1700, 1800, 2560]) {
      await page.setViewportSize({ width, height: 900 })
      await expect.poll(() => panel.evaluate(awry), { message: `${width} px` }).toEqual({ counts: true, awry: [] })
    }
  })

  test('of a file with one whole bone each keep it, whatever is typed, and say so', async ({ startApp }) => {
    const { page, services } = await startApp({ sample: true })
    await openFromLibrary(page, /^walker_skn$/)
    await page.keyboard.press('Alt+6')
    const panel = page.locator('[data-panel="weights"]')
    const row = (vertex: number) =>
      panel
        .getByRole('row', { name: `Vertex ${vertex}`, exact: true })
        .getByRole('gridcell')
        .first()
    await row(3).click()
    const field = panel.getByLabel(/^Weight 0 of vertex 3$/)
    const said = (typed: string) =>
      panel.getByRole('alert').getByText(`${typed} stays 1: a vertex has one whole bone in this file, and another one comes in its place`)
    for (const [typed, leave] of [
      ['0.3', 'Tab'],
      ['0', 'Enter'],
    ]) {
      await field.fill(typed)
      await field.press(leave)
      await said(typed).waitFor()
      await field.blur()
      await expect.poll(() => field.inputValue()).toBe('1')
    }
    const history = async () => (await services.handlers['model.list']({}, { signal }))[0].history.undo
    expect(await history()).toEqual([])

    // of several the others take the bone, and what is read afterwards takes the words away from none
    const bone = panel.getByRole('combobox', { name: 'Bone 0 of vertex 3', exact: true })
    await bone.selectOption({ index: 2 })
    await expect.poll(history).toEqual(['Bone of vertex 3'])
    await expect.poll(() => panel.getByRole('alert').count()).toBe(0)
    await row(4).click({ modifiers: ['Control'] })
    await row(3).click({ modifiers: ['Control'] })
    await row(3).click({ modifiers: ['Control'] })
    await panel.getByText('+ 1 more', { exact: true }).waitFor()
    await field.fill('0.7')
    await field.press('Enter')
    await expect.poll(history).toEqual(['Bone of vertex 3', 'Weight of 1 vertex'])
    await expect.poll(() => page.getByRole('button', { name: /^Undo/ }).getAttribute('aria-label')).toContain('Weight of 1 vertex')
    await said('0.7').waitFor()
  })
})
