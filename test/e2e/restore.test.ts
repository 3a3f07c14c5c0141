/** What was open is there again: after a reload, in another run, and where the host is gone the page says what to do. */
import { cpSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { projectRoot } from '../../scripts/lib/build.mjs'
import { ServicesApart } from '../../src/main/hosts/backend/apart.ts'
import { inPlace } from '../../src/main/hosts/backend/in-place.ts'
import { servicesThread } from '../../src/main/hosts/backend/thread.ts'
import { startWebHost } from '../../src/main/hosts/web/web-host.ts'
import { openLog } from '../../src/main/services/log.ts'
import type { Services } from '../../src/main/services/service.ts'
import { failing } from '../support/failing-line.ts'
import type { FailingLine } from '../support/failing-line.ts'
import { putSample } from '../support/sample.ts'
import { accessFindings } from './axe.ts'
import { atRest, describe, differing, expect, pixelsOf, test } from './harness.ts'
import { openFromLibrary } from './steps.ts'

const signal = new AbortController().signal

/** What the window keeps has reached the services, and says so. */
async function isKept(services: Services, part: RegExp): Promise<void> {
  await expect
    .poll(async () => (await services.handlers['settings.get']({}, { signal })).window.lastOpen ?? '', { timeout: 20_000 })
    .toMatch(part)
}

const frameOf = (page: Page): Promise<string> => page.getByLabel('Current frame', { exact: true }).inputValue()
const tabsOf = (page: Page): Promise<string[]> =>
  page
    .locator('.tabs')
    .getByRole('tab')
    .evaluateAll((tabs) => tabs.map((tab: any) => tab.getAttribute('aria-label') ?? tab.textContent.trim()))
const chosenBone = (page: Page): Promise<string[]> =>
  page.getByRole('tree', { name: 'Outliner' }).getByRole('treeitem', { selected: true }).allTextContents()
const canUndo = (page: Page): Promise<boolean> => page.getByRole('button', { name: /^Undo/ }).isEnabled()

/** Two models, one with an edit; in the shown one a clip, a frame, a bone and a turned camera that nothing begins with. */
async function work(page: Page, services: Services): Promise<void> {
  await openFromLibrary(page, /San Andreas\/models\/peds/)
  await page.keyboard.press('m')
  await page.getByRole('tab', { name: /unsaved edits/ }).waitFor({ timeout: 20_000 })
  await page.locator('.tabs').getByRole('tab').first().click()
  await openFromLibrary(page, /Dark Cloud\/chara/)
  await page.locator('[data-slice="2"]').click()
  await page.getByLabel('Current frame', { exact: true }).fill('97')
  await page.keyboard.press('Enter')
  await page.getByRole('tree', { name: 'Outliner' }).getByRole('treeitem').nth(3).click()
  // two steps to the side
  for (const key of ['4', '4']) await page.keyboard.press(key)
  // nothing under the pointer tells what it is
  await page.mouse.move(1, 1)
  await atRest(page)
  await isKept(services, /"time":97,.*"yaw":0\.(33|86)/)
}

describe('what was open', () => {
  test('is there again after a reload and in the next run, with its edits; files that are gone are said in one line', async ({
    startApp,
    stateFolder: state,
  }) => {
    const first = await startApp({ sample: true, state, size: { width: 1024, height: 700 } })
    await work(first.page, first.services)
    const before = { tabs: await tabsOf(first.page), bone: await chosenBone(first.page) }
    expect(before.tabs.filter((tab) => tab.includes('unsaved edits'))).toHaveLength(1)
    expect(before.bone).toHaveLength(1)
    const picture = await pixelsOf(first.page.locator('canvas.picture'))
    await first.screenshot('restored-before')
    first.page.on('dialog', (dialog) => void dialog.accept())
    await first.page.reload()
    await expect.poll(() => tabsOf(first.page), { timeout: 90_000 }).toEqual(before.tabs)
    await first.page.getByRole('toolbar', { name: 'Playback' }).waitFor({ timeout: 90_000 })
    await expect.poll(() => frameOf(first.page)).toBe('97')
    await expect.poll(() => chosenBone(first.page)).toEqual(before.bone)
    await atRest(first.page)
    const again = await pixelsOf(first.page.locator('canvas.picture'))
    await first.screenshot('restored-reload')
    // depth is measured from what was shown before: an edge falls on the next pixel here and there. A camera elsewhere changes all of them
    expect(differing(again, picture), 'share of other pixels: the picture is from the same place').toBeLessThan(0.001)
    // the other one: its edit is where it was
    await first.page.getByRole('tab', { name: /unsaved edits/ }).click()
    await expect.poll(() => canUndo(first.page)).toBe(true)
    await first.page.locator('.tabs').getByRole('tab').last().click()
    // which one is shown is kept, too
    await isKept(first.services, /"active":"[^"]*Dark Cloud/)
    await first.close()

    const second = await startApp({ state })
    await expect.poll(() => tabsOf(second.page), { timeout: 90_000 }).toEqual(before.tabs)
    await expect.poll(() => frameOf(second.page)).toBe('97')
    await second.page.getByRole('tab', { name: /unsaved edits/ }).click()
    await second.screenshot('restored-next-run')
    await second.page.getByRole('button', { name: /^Restore edits of / }).click()
    await expect.poll(() => canUndo(second.page)).toBe(true)
    await expect.poll(() => tabsOf(second.page)).toEqual(before.tabs)
    const { sample } = await second.services.handlers['app.info']({}, { signal })
    await second.close()

    rmSync(join(sample, 'Dark Cloud'), { recursive: true })
    const third = await startApp({ state })
    await third.page.getByText(/^Not opened again: /).waitFor({ timeout: 90_000 })
    await expect.poll(() => tabsOf(third.page)).toHaveLength(2)
  }, 120_000)
})

describe('a page that is loaded again while its folder is looked through', () => {
  test('lists what is found', async ({ startApp, place }) => {
    await putSample(place)
    const { page } = await startApp({ folder: place })
    await page.getByText('Scanning', { exact: false }).first().waitFor()
    await page.reload()
    await page.getByText(/^Scanned /).waitFor({ timeout: 60_000 })
    // the pane beside the list may have its name, too
    await page.getByRole('listbox', { name: 'Models' }).getByText('walker_skn').waitFor()
  }, 120_000)
})

describe('models of another folder than the shown one', () => {
  test('are there again, with what stands beside them, in the next run too', async ({ startApp, stateFolder: state, place }) => {
    const first = await startApp({ sample: true, state })
    const { sample } = await first.services.handlers['app.info']({}, { signal })
    cpSync(join(sample, 'Dark Cloud 2', 'adventurer'), join(place, 'elsewhere'), { recursive: true })
    await first.page.getByText(/^Scanned /).waitFor({ timeout: 90_000 })
    await first.page.keyboard.press('Alt+Shift+8')
    const panel = first.page.getByRole('dialog', { name: 'Compare' })
    await panel.getByRole('textbox', { name: 'A' }).fill(join(sample, 'Dark Cloud 2', 'adventurer', 'adventurer.mds'))
    await panel.getByRole('textbox', { name: 'B' }).fill(join(place, 'elsewhere', 'adventurer.mds'))
    await first.page.keyboard.press('Enter')
    await panel.getByRole('button', { name: 'In the picture' }).click()
    await first.page.locator('section.second').waitFor({ timeout: 60_000 })
    const tabs = await tabsOf(first.page)
    expect(tabs).toHaveLength(3)
    await isKept(first.services, /elsewhere/)
    await first.close()

    const second = await startApp({ state })
    await expect.poll(() => tabsOf(second.page), { timeout: 90_000 }).toEqual(tabs)
    await second.page.locator('.tabs').getByRole('tab').last().click()
    await second.page.locator('[data-slice="2"]').waitFor({ timeout: 60_000 })
  }, 120_000)
})

describe('a host that is gone', () => {
  test('leaves one page that says what to do, and an address of the next one is enough', async ({ startApp }) => {
    const { services, page: ownPage } = await startApp({ sample: true })
    await ownPage.getByText(/^Scanned /).waitFor({ timeout: 90_000 })
    await isKept(services, /"library":"\//)
    const first = await startWebHost({ backend: inPlace(services), places: [tmpdir()] })
    const context = await ownPage
      .context()
      .browser()!
      .newContext({ viewport: { width: 1024, height: 700 } })
    try {
      const page = await context.newPage()
      await page.goto(first.url)
      await page.getByText(/^Scanned /).waitFor({ timeout: 90_000 })
      await first.close()
      await page.getByText('Marrow does not answer').waitFor({ timeout: 20_000 })
      // what is below it cannot be used meanwhile
      await expect.poll(() => page.locator('.shown').evaluate((shown: any) => shown.inert)).toBe(true)
      await page.getByRole('button', { name: 'Try now' }).waitFor()
      expect(await accessFindings(page, 'a host that is gone')).toEqual([])
      const next = await startWebHost({ backend: inPlace(services), port: first.port, places: [tmpdir()] })
      try {
        await page.getByText('This page needs a new address').waitFor({ timeout: 20_000 })
        await page.getByText('Press Enter in the terminal', { exact: false }).waitFor()
        await expect.poll(() => page.getByRole('button').allTextContents()).toEqual(['Try again'])
        expect(await accessFindings(page, 'another host')).toEqual([])
        // put into the page that is there: a browser changes the fragment alone
        await page.goto(next.url)
        await page.getByText(/^Scanned /).waitFor({ timeout: 90_000 })
      } finally {
        await next.close()
      }
    } finally {
      await context.close()
    }
  })
})

describe('services that fail', () => {
  test('leave one page that says so, and a click brings back what was open, with its edits', async ({ startApp, stateFolder: state }) => {
    const { page: ownPage } = await startApp()
    await putSample(state)
    const lines: FailingLine[] = []
    const line = (): FailingLine => lines[lines.push(failing(servicesThread())) - 1]
    const backend = new ServicesApart({ start: { stateFolder: state, host: 'web' }, line, log: openLog(state) })
    const folder = (await backend.call('library.openSample', {})).root
    const host = await startWebHost({ backend, folder, places: [tmpdir()] })
    const context = await ownPage
      .context()
      .browser()!
      .newContext({ viewport: { width: 1024, height: 700 } })
    try {
      const page = await context.newPage()
      await page.goto(host.url)
      await openFromLibrary(page, /San Andreas\/models\/peds/)
      await page.keyboard.press('m')
      const edited = page.getByRole('tab', { name: /unsaved edits/ })
      await edited.waitFor({ timeout: 20_000 })
      await expect
        .poll(async () => (await backend.call('settings.get', {})).window.lastOpen ?? '', { timeout: 20_000 })
        .toMatch(/"active":"[^"]*peds/)
      await lines[0].fail('ran out of memory', state)
      await page.getByText('Marrow lost its services').waitFor({ timeout: 20_000 })
      await page.getByText('ran out of memory. Your edits are kept', { exact: false }).waitFor()
      await page.screenshot({ path: join(projectRoot, 'test-results', 'services-ended.png') })
      expect(await accessFindings(page, 'services that ended')).toEqual([])
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByRole('toolbar', { name: 'Playback' }).waitFor({ timeout: 90_000 })
      // as after an end of the host: the edits of the journal are offered
      expect(await accessFindings(page, 'edits of another run', 'main')).toEqual([])
      await page.getByRole('button', { name: 'Restore' }).click()
      await expect.poll(() => canUndo(page)).toBe(true)
      expect(lines.length).toBe(2)
    } finally {
      await context.close()
      await host.close()
      await backend.close()
    }
  }, 120_000)
})
