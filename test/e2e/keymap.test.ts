/** A key does the same wherever the focus is: after a click on the picture, a row, a button of a toolbar, a tab. */
import type { Locator, Page } from 'playwright'
import type { WindowProbe } from '../../src/renderer/core/probe.ts'
import type { KeyPreset } from '../../src/shared/api/settings.ts'
import { catalogue, type CommandInfo } from '../../src/renderer/core/keymap/catalogue.ts'
import { keysOf, PRESETS } from '../../src/renderer/core/keymap/presets.ts'
import type { App } from './harness.ts'
import { describe, expect, test } from './harness.ts'

/** The tests know no DOM: the page's own globals. */
declare const document: any
declare const addEventListener: any
declare const marrowProbe: WindowProbe & { noted: string[] }

async function open(app: App): Promise<Page> {
  const { page } = app
  await page.getByText(/^Scanned /).waitFor({ timeout: 60_000 })
  await page.getByText('Dark Cloud/chara/adventurer.chr').first().dblclick()
  await page.getByRole('toolbar', { name: 'Posing' }).waitFor({ timeout: 60_000 })
  return page
}

const pressed = (button: Locator) => (): Promise<string | null> => button.getAttribute('aria-pressed')

/** What is clicked before a key is pressed. */
function placesOf(page: Page): Record<string, () => Promise<void>> {
  return {
    picture: () => page.locator('canvas.picture').click({ position: { x: 12, y: 150 } }),
    row: () => page.getByRole('tree', { name: 'Outliner' }).getByRole('treeitem').nth(1).click(),
    button: () => page.getByRole('toolbar', { name: 'Views' }).getByRole('button', { name: 'Frame the model' }).click(),
    tab: () => page.locator('.tabs').getByRole('tab').last().click(),
    panel: () => page.getByRole('tab', { name: 'Inspector', exact: true }).click(),
    slice: () => page.locator('[data-slice="0"]').first().click(),
  }
}

/** Keys that lists, trees and tables have to themselves, as docs/keys.md says (`ownsKey` is tested with them). */
const OWN: Record<string, RegExp> = { row: /^(Arrow\w+|Home|End|Page\w+)$/ }

describe('the keymap', () => {
  test.for(Object.keys(PRESETS) as KeyPreset[])(
    'of the preset %s: each of its keys runs its command after a click anywhere',
    { timeout: 180_000 },
    async (preset, { startApp }) => {
      const page = await open(await startApp({ sample: true, settings: { keys: { preset, changed: {} } } }))
      // rows of the weights bring commands of their own, in their list alone
      await page.getByRole('tab', { name: 'Weights', exact: true }).click()
      // what has a key is there to be run
      await expect
        .poll(
          async () => {
            const there = new Set(await page.evaluate(() => marrowProbe.commandIds()))
            return [...keysOf(preset, {})].filter(
              ([id, keys]) => keys.length > 0 && ![id, ...((catalogue[id] as CommandInfo).first ?? [])].some((one) => there.has(one)),
            )
          },
          { timeout: 60_000 },
        )
        .toEqual([])
      await page.evaluate(() => {
        const noted = marrowProbe.noteCommands()
        marrowProbe.noted = noted
        // between two keys
        addEventListener('keyup', (event: any) => /^(Control|Shift|Alt)$/.test(event.key) || noted.push(''), true)
      })
      const pressed = [...keysOf(preset, {})].flatMap(([id, keys]) => {
        const { scope = 'window', first = [] } = catalogue[id] as CommandInfo
        return scope === 'window' ? keys.map((key) => ({ key, runs: first.length > 0 ? first : [id] })) : []
      })
      const wrong: string[] = []
      // the table of slices also begins edits with characters: what it does with keys is below
      const { slice: _slice, ...places } = placesOf(page)
      for (const [place, click] of Object.entries(places)) {
        await click()
        await page.evaluate(() => (marrowProbe.noted.length = 0))
        const here = pressed.filter(({ key }) => !OWN[place]?.test(key))
        for (const { key } of here) await page.keyboard.press(key.replace('Mod', 'Control'))
        const noted = await page.evaluate(() => [...marrowProbe.noted])
        for (const { key, runs } of here) {
          const ran = noted.splice(0, noted.indexOf('') + 1).slice(0, -1)
          if (ran.length !== 1 || !(runs as readonly string[]).includes(ran[0]))
            wrong.push(`${key} after a click on the ${place} ran ${ran.join(', ') || 'nothing'}, not ${runs.join(' or ')}`)
        }
      }
      expect(wrong).toEqual([])
    },
  )

  test('each key means the same after a click anywhere', async ({ startApp }) => {
    const page = await open(await startApp({ sample: true }))
    const bar = page.getByRole('toolbar', { name: '3D view' })
    const posing = page.getByRole('toolbar', { name: 'Posing' })
    const playback = page.getByRole('toolbar', { name: 'Playback' })
    const frame = page.getByLabel('Current frame', { exact: true })
    const at = (): Promise<number> => frame.inputValue().then(Number)
    const play = playback.getByRole('button', { name: /^(Play|Pause)/ }).first()
    const places = placesOf(page)
    const switches: [string, Locator][] = [
      ['b', bar.getByRole('button', { name: 'Skeleton' })],
      ['n', bar.getByRole('button', { name: 'Bone names' })],
      ['w', bar.getByRole('button', { name: 'Wireframe' })],
      ['t', bar.getByRole('button', { name: 'Textures' })],
      ['Shift+G', bar.getByRole('button', { name: 'Grid' })],
      ['Shift+L', bar.getByRole('button', { name: 'Light' })],
      ['l', playback.getByRole('button', { name: 'Loop' })],
      ['o', posing.getByRole('button', { name: 'Onion skin' })],
    ]
    for (const [place, click] of Object.entries(places)) {
      await click()
      for (const [key, button] of switches) {
        const before = await button.getAttribute('aria-pressed')
        await page.keyboard.press(key)
        await expect.poll(pressed(button), { message: `${key} after a click on the ${place}` }).not.toBe(before)
        await page.keyboard.press(key)
        await expect.poll(pressed(button), { message: `${key} again after a click on the ${place}` }).toBe(before)
      }
      for (const [key, name] of [
        ['g', 'Move bone'],
        ['r', 'Turn bone'],
        ['q', 'Choose'],
      ]) {
        await page.keyboard.press(key)
        await expect
          .poll(pressed(posing.getByRole('button', { name, exact: true })), { message: `${key} after a click on the ${place}` })
          .toBe('true')
      }
      const before = await at()
      await page.keyboard.press('.')
      await expect.poll(at, { message: `. after a click on the ${place}` }).toBeGreaterThan(before)
      await page.keyboard.press(',')
      await expect.poll(at, { message: `, after a click on the ${place}` }).toBe(before)
      const label = await play.getAttribute('aria-label')
      await page.keyboard.press('Space')
      await expect.poll(() => play.getAttribute('aria-label'), { message: `Space after a click on the ${place}` }).not.toBe(label)
      await page.keyboard.press('Space')
      await expect.poll(() => play.getAttribute('aria-label'), { message: `Space again after a click on the ${place}` }).toBe(label)
    }
    // arrows step, but in lists, whose own they are
    for (const place of ['picture', 'button', 'tab']) {
      await places[place]()
      const before = await at()
      await page.keyboard.press('ArrowRight')
      await expect.poll(at, { message: `ArrowRight after a click on the ${place}` }).toBeGreaterThan(before)
      await page.keyboard.press('ArrowLeft')
      await expect.poll(at, { message: `ArrowLeft after a click on the ${place}` }).toBe(before)
    }
    // gone to by keyboard, a button is pressed by Space
    await bar.getByRole('button', { name: 'Skeleton' }).click()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Shift+Tab')
    const skeleton = bar.getByRole('button', { name: 'Skeleton' })
    await expect.poll(() => skeleton.evaluate((button) => button === document.activeElement)).toBe(true)
    const [shown, label] = [await pressed(skeleton)(), await play.getAttribute('aria-label')]
    await page.keyboard.press('Space')
    await expect.poll(pressed(skeleton)).not.toBe(shown)
    await expect.poll(() => play.getAttribute('aria-label')).toBe(label)
  }, 180_000)

  test('is changed on its page: another key, a conflict that is shown, a preset, back again; tips follow', async ({ startApp }) => {
    const app = await startApp({ sample: true })
    const page = await open(app)
    const move = page.getByRole('toolbar', { name: 'Posing' }).getByRole('button', { name: 'Move bone' })
    await expect.poll(() => move.getAttribute('title')).toBe('Move bone (G)')
    await page.keyboard.press('Control+Alt+k')
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await dialog.getByRole('searchbox').fill('move the chosen bone')
    const key = dialog.locator('[data-command="pose.move"] .keys')
    await key.focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('y')
    await expect.poll(() => key.textContent()).toBe('Y')
    await key.click()
    await page.keyboard.press('l')
    await dialog.getByText('L is also Loop', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: /^Reset the key/ }).click()
    await expect.poll(() => key.textContent()).toBe('G')
    await dialog.getByRole('button', { name: 'Blockbench' }).click()
    await expect.poll(() => key.textContent()).toBe('V')
    const [download] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: 'Export' }).click()])
    expect(download.suggestedFilename()).toBe('marrow-keys.json')
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), dialog.getByRole('button', { name: 'Import…' }).click()])
    const buffer = Buffer.from(JSON.stringify({ preset: 'marrow', changed: { 'pose.move': ['U'], 'no.such': ['Z'] } }))
    await chooser.setFiles({ name: 'keys.json', mimeType: 'application/json', buffer })
    await expect.poll(() => key.textContent()).toBe('U')
    await dialog.getByText('commands not known here and left out: 1').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => move.getAttribute('title')).toBe('Move bone (U)')
    await page.keyboard.press('u')
    await expect.poll(pressed(move)).toBe('true')
    const settings = await app.services.handlers['settings.get']({}, { signal: new AbortController().signal })
    expect(settings.keys).toEqual({ preset: 'marrow', changed: { 'pose.move': ['U'] } })
  }, 120_000)
})
