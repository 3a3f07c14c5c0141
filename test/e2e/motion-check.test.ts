/** What an edit did to the motion stands above the keys: where it differs from the original, and how feet slide. */
import { describe, expect, test } from './harness.ts'

describe('the check in motion', () => {
  test('shows nothing where nothing differs, then where and by what bone, and the feet in numbers', async ({ startApp }) => {
    const app = await startApp({ sample: true })
    const { page } = app
    await page.getByText(/^Scanned /).waitFor({ timeout: 60_000 })
    await page.getByText('Dark Cloud/chara/adventurer.chr').first().dblclick()
    await page.getByRole('toolbar', { name: 'Posing' }).waitFor({ timeout: 60_000 })
    const lane = page.getByRole('slider', { name: 'Difference from the original' })
    expect(await lane.count()).toBe(0)
    await page.keyboard.press('Alt+d')
    await lane.waitFor()
    await page.getByText('As the original', { exact: true }).waitFor({ timeout: 20_000 })
    // keys of a range of one slice
    await page.getByRole('tree', { name: 'Outliner' }).getByRole('treeitem').filter({ hasText: 'thigh_l' }).first().click()
    await page.keyboard.press('Alt+k')
    const x = page.getByLabel('Inspector', { exact: true }).getByLabel('Rotation ° x', { exact: true }).first()
    await x.fill('+12')
    await x.press('Enter')
    const panel = page.getByRole('group', { name: 'Last operation: Offset over a range' })
    await panel.waitFor({ timeout: 20_000 })
    for (const field of ['Ease in', 'Ease out']) {
      await panel.getByLabel(field, { exact: true }).fill('12')
      await panel.getByLabel(field, { exact: true }).press('Enter')
    }
    await page.getByText(/^Differs, most [\d.]+ %$/).waitFor({ timeout: 20_000 })
    // of the chosen bone: the thigh itself; of all: the foot goes furthest. From the keyboard to the first frame that differs
    await page.getByRole('tree', { name: 'Outliner' }).getByRole('treeitem').filter({ hasText: 'pelvis' }).first().click()
    await page.getByText('As the original', { exact: true }).waitFor({ timeout: 20_000 })
    await page.keyboard.press('Escape')
    await page.getByRole('tree', { name: 'Outliner' }).getByRole('treeitem').filter({ hasText: 'foot_l' }).first().click()
    await page.getByText(/^Differs, most [\d.]+ %$/).waitFor({ timeout: 20_000 })
    await lane.focus()
    await page.keyboard.press('Home')
    await expect.poll(() => lane.getAttribute('aria-valuetext')).toMatch(/^2: foot_l is [\d.]+ % of the height away$/)
    await page.keyboard.press('End')
    await expect.poll(() => lane.getAttribute('aria-valuetext')).toMatch(/^40: foot_l is [\d.]+ % of the height away$/)
    await page.getByRole('button', { name: /^Feet slide [\d.]+ %$/ }).click()
    const numbers = page.locator('.feet-numbers')
    const row = numbers.getByRole('row').filter({ hasText: 'foot_l, all' })
    await row.waitFor({ timeout: 20_000 })
    const [now, before] = (await row.getByRole('cell').allTextContents()).map((text) => Number.parseFloat(text))
    expect(now).toBeGreaterThan(2 * before)
    await app.screenshot('motion-check')
    await page.keyboard.press('Escape')
    // both at once, from the strip
    await page.getByRole('button', { name: 'Original beside the edited' }).click()
    await page.getByLabel('Shown in the second picture').waitFor({ timeout: 20_000 })
    await page.getByRole('button', { name: 'Original beside the edited' }).click()
    await page.getByRole('button', { name: /^Undo/ }).click()
    await page.getByText('As the original', { exact: true }).waitFor({ timeout: 20_000 })
    await page.keyboard.press('Alt+d')
    await lane.waitFor({ state: 'detached' })
  }, 180_000)
})
