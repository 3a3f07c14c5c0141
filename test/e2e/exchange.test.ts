/** Through another program and back, in the window: what an import would do is shown first, and a linked file comes by itself. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { turned } from '../support/turned.ts'
import { accessFindings } from './axe.ts'
import { test } from './harness.ts'
import type { Page } from 'playwright'

async function run(page: Page, command: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.keyboard.type(command)
  await page.keyboard.press('Enter')
}

describe('through another program and back', () => {
  test('an import is shown before anything changes, and a linked file comes onto the model by itself', async ({ startApp, place }) => {
    const { page, services } = await startApp({ sample: true })
    await page.getByText(/^Scanned /).waitFor({ timeout: 60_000 })
    await page.getByRole('listbox', { name: 'Models' }).getByText('adventurer').first().dblclick()
    await page.getByRole('toolbar', { name: 'Playback' }).waitFor({ timeout: 30_000 })
    const context = { signal: new AbortController().signal }
    const [{ id }] = await services.handlers['model.list']({}, context)
    const { scene } = await services.handlers['model.scene']({ model: id }, context)
    const steps = async (): Promise<string[]> => (await services.handlers['history.list']({ model: id }, context)).undo
    const file = join(place, 'turned.glb')
    writeFileSync(file, await turned(scene, 20))

    const open = async () => {
      const chosen = page.waitForEvent('filechooser')
      await run(page, 'Import animations from glTF')
      await (await chosen).setFiles(file)
      const panel = page.getByRole('dialog', { name: 'Import turned.glb' })
      await panel.getByRole('cell', { name: '20.00°' }).waitFor({ timeout: 30_000 })
      return panel
    }
    let panel = await open()
    expect(await accessFindings(page, 'import', '.side-panel')).toEqual([])
    await expect.poll(steps).toEqual([])
    // the first of the joints is left out: nothing is left to change
    await panel.getByRole('button', { name: 'Chosen' }).click()
    await panel.getByRole('row').getByRole('checkbox').first().uncheck()
    await panel.getByText(/nothing differs/).waitFor({ timeout: 20_000 })
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await expect.poll(steps).toEqual([])

    panel = await open()
    await panel.getByRole('button', { name: 'Apply' }).click()
    await panel.waitFor({ state: 'detached' })
    await expect.poll(steps).toEqual(['Import turned.glb'])
    await page.keyboard.press('Control+z')
    await expect.poll(steps).toEqual([])

    await run(page, 'Work in Blender')
    const link = page.getByRole('dialog', { name: 'Work in Blender' })
    // nothing is written before it is said where
    expect(await services.handlers['link.state']({ model: id }, context)).toBeNull()
    await page.keyboard.press('Enter')
    await link.getByText('Nothing was saved yet').waitFor({ timeout: 30_000 })
    const path = (await link.getByLabel('File', { exact: true }).textContent())!.trim()
    expect(readFileSync(path).toString('latin1', 0, 4)).toBe('glTF')
    writeFileSync(path, await turned(scene, 30))
    await link.getByRole('cell', { name: '30.00°' }).first().waitFor({ timeout: 30_000 })
    await expect.poll(steps).toEqual(['Import adventurer.glb'])
    writeFileSync(path, await turned(scene, 45))
    await link.getByRole('cell', { name: '45.00°' }).first().waitFor({ timeout: 30_000 })
    expect(await accessFindings(page, 'link to Blender', '.side-panel')).toEqual([])
    // bones that were only moved say so, and what ends the link is in sight below a long list
    await expect.poll(() => link.getByRole('columnheader').allTextContents()).toEqual(['Bone', 'Into', 'Turned', 'Moved'])
    const [end, whole] = [link.getByRole('button', { name: 'End the link' }), link]
    const bottom = async (part: typeof whole): Promise<number> => {
      const box = (await part.boundingBox())!
      return box.y + box.height
    }
    expect(await bottom(end)).toBeLessThan(await bottom(whole))
    await expect.poll(steps).toEqual(['Import adventurer.glb'])
    writeFileSync(path, 'of no use')
    await link.getByRole('alert').waitFor({ timeout: 30_000 })
    await link.getByRole('button', { name: 'End the link' }).click()
    await link.waitFor({ state: 'detached' })
    expect(await services.handlers['link.state']({ model: id }, context)).toBeNull()

    // in a folder of the user's, which is proposed the next time
    const folder = join(place, 'linked')
    mkdirSync(folder)
    await run(page, 'Work in Blender')
    await link.getByRole('button', { name: 'One of mine' }).click()
    await link.getByRole('button', { name: 'Cancel' }).click()
    await link.getByRole('textbox', { name: 'A folder' }).fill(folder)
    await page.keyboard.press('Enter')
    await link.getByText('Nothing was saved yet').waitFor({ timeout: 30_000 })
    expect(readdirSync(folder)).toEqual(['adventurer.glb'])
    await link.getByRole('button', { name: 'End the link' }).click()
    await link.waitFor({ state: 'detached' })
    await run(page, 'Work in Blender')
    await expect.poll(() => link.getByRole('textbox', { name: 'A folder' }).inputValue()).toBe(folder)
    await link.getByRole('button', { name: 'Write and watch' }).click()
    await link.getByText('It may have work of before in it.').waitFor()
    await link.getByRole('button', { name: 'Replace it' }).click()
    await link.getByText('Nothing was saved yet').waitFor({ timeout: 30_000 })
  }, 180_000)
})
