/** Problems of the whole library: found, narrowed, shown at their place, put right over several models and saved when the user says so. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { saveEdits } from './steps.ts'
import { describe, expect, test } from './harness.ts'

/** The tests know no DOM: the page's own globals. */
declare const document: any
declare const MutationObserver: any

describe('problems of the library', () => {
  test('are found, led to, switched off, and repaired in all models at once, unsaved', async ({ startApp }) => {
    const { page, state } = await startApp({ sample: true })
    await page.getByText(/^Scanned /).waitFor({ timeout: 30_000 })
    const game = join(state, 'sample', 'Dark Cloud 2')
    cpSync(join(game, 'adventurer'), join(game, 'second'), { recursive: true })
    const scripts = ['adventurer', 'second'].map((name) => join(game, name, 'info.cfg'))
    const before = readFileSync(scripts[0], 'latin1')
    // a window that ends before it begins
    const broken = before.replace('50, 80,', '80, 50,')
    expect(broken).not.toBe(before)
    for (const script of scripts) writeFileSync(script, broken, 'latin1')

    await page.keyboard.press('Alt+Shift+7')
    const panel = page.getByRole('dialog', { name: 'Problems of sample' })
    const list = panel.getByRole('tree', { name: 'Problems of the library' })
    const rule = list.getByRole('treeitem', { name: /^level5\.window-order, .+, 2 problems$/ })
    await rule.waitFor({ timeout: 60_000 })
    await panel.getByText(/files looked at$/).waitFor()
    // the keyboard alone: the worst comes first
    await list.focus()
    await page.keyboard.press('Home')
    await expect.poll(() => rule.getAttribute('aria-selected')).toBe('true')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowDown')
    await list.getByRole('treeitem', { name: /^error: .*, Dark Cloud 2\/.*info\.cfg$/, selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('tree', { name: 'Structure' }).getByRole('treeitem', { selected: true }).waitFor({ timeout: 30_000 })
    const tabs = page.locator('header').getByRole('tab')
    await expect.poll(() => tabs.count()).toBe(2)

    // by file, and without warnings and notes
    await panel.getByRole('button', { name: 'By file' }).click()
    await list.getByRole('treeitem', { name: /^Dark Cloud 2\/second\/info\.cfg, / }).waitFor()
    const all = await list.getByRole('treeitem').count()
    await panel.getByRole('button', { name: /notes$/ }).click()
    await expect.poll(() => list.getByRole('treeitem').count()).toBeLessThan(all)
    await panel.getByRole('button', { name: 'By rule' }).click()

    // off and on again, at once
    await rule.click()
    await panel.getByRole('button', { name: 'Look for level5.window-order no more' }).click()
    await rule.waitFor({ state: 'detached' })
    await panel.getByRole('button', { name: '1 rule off' }).click()
    await panel.getByRole('button', { name: 'Look for level5.window-order again' }).click()
    await rule.click()

    await panel.getByRole('button', { name: 'Swap start and end: all 2, in files: 2' }).click()
    await rule.waitFor({ state: 'detached', timeout: 30_000 })
    await expect.poll(() => page.getByRole('tab', { name: /unsaved edits/ }).count()).toBe(2)
    for (const script of scripts) expect(readFileSync(script, 'latin1')).toBe(broken)
    // what is repaired is nothing that the original had not
    await panel.getByRole('button', { name: 'Only what is new' }).click()
    await panel.getByText('No new problems').waitFor({ timeout: 30_000 })
    await list.waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })

    await page.keyboard.press('Control+z')
    await expect.poll(() => page.getByRole('tab', { name: /unsaved edits/ }).count()).toBe(1)
    // both at once, then one of them broken again: each is saved by itself
    await page.keyboard.press('Control+Shift+z')
    await expect.poll(() => page.getByRole('tab', { name: /unsaved edits/ }).count()).toBe(2)
    await page.keyboard.press('Control+Alt+s')
    await page.getByText('Saved 2 models, 2 files').waitFor({ timeout: 30_000 })
    await expect.poll(() => page.getByRole('tab', { name: /unsaved edits/ }).count()).toBe(0)
    for (const script of scripts) expect(readFileSync(script, 'latin1')).toBe(before)
    await page.keyboard.press('Control+z')
    await expect.poll(() => page.getByRole('tab', { name: /unsaved edits/ }).count()).toBe(1)
    await saveEdits(page)
    const onDisk = (): string[] => scripts.map((script) => readFileSync(script, 'latin1')).sort()
    expect(onDisk()).toEqual([before, broken].sort())

    // both turned round; the button that says how far it is stops it behind the model that is being saved
    await page.keyboard.press('Control+Shift+z')
    const shown = (await tabs.nth(1).getAttribute('aria-selected')) === 'true' ? 1 : 2
    await tabs.nth(3 - shown).click()
    await page.keyboard.press('Control+z')
    await expect.poll(() => page.getByRole('tab', { name: /unsaved edits/ }).count()).toBe(2)
    await page.evaluate(() => {
      const status = document.querySelector('footer')
      const seen = new MutationObserver(() => {
        const stop = [...status.querySelectorAll('button')].find((button: any) =>
          /^Saving model 1 of 2, stop$/.test(button.textContent.trim()),
        )
        if (!stop) return
        seen.disconnect()
        stop.click()
      })
      seen.observe(status, { childList: true, subtree: true, characterData: true })
    })
    await page.keyboard.press('Control+Alt+s')
    await page.getByText('Saved 1 model, 1 file').first().waitFor({ timeout: 30_000 })
    await expect.poll(() => page.getByRole('tab', { name: /unsaved edits/ }).count()).toBe(1)
    expect(onDisk()[0]).toBe(onDisk()[1])
    await expect.poll(() => page.getByRole('button', { name: /^Saving model/ }).count()).toBe(0)
    // what was left goes on by the same command
    await page.keyboard.press('Control+Alt+s')
    await page.getByRole('tab', { name: /unsaved edits/ }).waitFor({ state: 'detached', timeout: 30_000 })
    expect(onDisk()).toEqual([before, broken].sort())
  })
})
