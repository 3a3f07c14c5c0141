/** Files that are dropped on the window, mod packages, diagnostics, and edits that a page left behind: in a browser, which tells no paths. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { sampleFiles } from '../support/sample.ts'
import { accessFindings } from './axe.ts'
import { afterAll, beforeAll, describe, expect, test } from './harness.ts'
import type { Page } from 'playwright'
import type { Services } from '../../src/main/services/service.ts'

const PEDS = 'San Andreas/models/peds/'
const sample = new Map(sampleFiles().map(({ path, bytes }) => [path, bytes]))
const ped = [...sample.keys()].filter((path) => path.startsWith(PEDS) && /\.(dff|txd)$/.test(path))
let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'marrow-drop-'))
  mkdirSync(join(folder, 'peds'))
  for (const path of ped) writeFileSync(join(folder, 'peds', path.slice(PEDS.length)), sample.get(path)!)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Dropped = { name: string; bytes: number[]; type?: string }
const named = (name: string, bytes: Uint8Array, type = ''): Dropped => ({ name, bytes: [...bytes], type })

/** Drags files over an element and lets them go. */
async function drop(page: Page, selector: string, files: Dropped[], end: 'drop' | 'dragover' | 'dragleave' = 'drop'): Promise<void> {
  await page
    .locator(selector)
    .first()
    .evaluate(
      (target, [list, last]) => {
        const transfer = new DataTransfer()
        for (const { name, bytes, type } of list as Dropped[])
          transfer.items.add(new File([Uint8Array.from(bytes)], name, { type: type ?? '' }))
        const events = last === 'dragleave' ? ['dragleave'] : ['dragenter', 'dragover', ...(last === 'drop' ? ['drop'] : [])]
        for (const type of events) target.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }))
      },
      [files, end] as const,
    )
}

const tab = (page: Page, name: string | RegExp) => page.getByRole('tab', { name })

describe('files dropped on the window', () => {
  test('open as copies with what was dropped beside them; nothing of them can be edited, and that is said', async ({ startApp }) => {
    const { page, state, screenshot } = await startApp()
    await page.getByRole('main', { name: 'Welcome' }).waitFor()
    const files = ped.map((path) => named(path.slice(PEDS.length), sample.get(path)!))
    await drop(page, 'main:visible', files, 'dragover')
    await page.getByText('Drop to open: models and their files, folders, mod packages').waitFor()
    await screenshot('drop-over')
    await drop(page, 'main:visible', files, 'dragleave')
    await expect.poll(() => page.getByText('Drop to open').count()).toBe(0)

    await drop(page, 'main:visible', files)
    await page.getByRole('main', { name: 'Model' }).waitFor({ timeout: 30_000 })
    // one model of all the files
    await expect.poll(() => tab(page, 'adventurer').count()).toBe(1)
    await tab(page, 'Dropped files').waitFor()
    await page.getByText('it is a copy of a dropped file').first().waitFor()
    await screenshot('drop-copy')
    // the folder of the copies is scanned beside all this
    const log = join(state, 'log', 'marrow.log')
    await expect.poll(() => existsSync(log) && readFileSync(log, 'utf8')).toContain('library.scan: ')
    expect(readFileSync(log, 'utf8')).not.toContain('internal')
  }, 120_000)

  test('of an open folder open where they are, and can be edited', async ({ startApp }) => {
    const { page } = await startApp({ folder: join(folder, 'peds') })
    await page.getByText(/^Scanned /).waitFor({ timeout: 30_000 })
    const dff = ped.find((path) => path.endsWith('.dff'))!
    await drop(page, 'section[aria-label="Library"]', [named(dff.slice(PEDS.length), sample.get(dff)!)])
    await page.getByRole('main', { name: 'Model' }).waitFor({ timeout: 30_000 })
    await tab(page, 'peds').waitFor()
    await expect.poll(() => page.getByText('it is a copy of a dropped file').count()).toBe(0)
    await page.locator('.status .file').getByText(join(folder, 'peds')).waitFor()
  }, 120_000)

  test('that are nothing to open are told in one line each, which goes when it is closed', async ({ startApp }) => {
    const { page, screenshot } = await startApp({ sample: true })
    await page.getByText(/^Scanned /).waitFor({ timeout: 30_000 })
    const png = named('skin.png', Uint8Array.of(1, 2, 3), 'image/png')
    await drop(page, 'section[aria-label="Library"]', [png, named('notes.txt', Uint8Array.of(9, 9, 9))])
    const line = page.getByRole('alert')
    await line.getByText('skin.png: a PNG is put into a texture').waitFor()
    await line.getByText('notes.txt: no format that Marrow knows').waitFor()
    await screenshot('drop-refused')
    await line.getByRole('button', { name: 'Dismiss' }).click()
    await expect.poll(() => line.count()).toBe(0)
    // a picture that misses its texture does not take the page's place
    await expect
      .poll(() => page.getByRole('region', { name: 'Library' }).or(page.locator('section[aria-label="Library"]')).count())
      .toBeGreaterThan(0)
  }, 120_000)

  test('by the keyboard: files are picked', async ({ startApp }) => {
    const { page } = await startApp()
    await page.getByRole('main', { name: 'Welcome' }).waitFor()
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Control+Shift+O')])
    expect(chooser.isMultiple()).toBe(true)
    await chooser.setFiles(ped.map((path) => join(folder, 'peds', path.slice(PEDS.length))))
    await page.getByRole('main', { name: 'Model' }).waitFor({ timeout: 30_000 })
  }, 120_000)

  test('a path of the start opens its model with its neighbours', async ({ startApp }) => {
    const dff = ped.find((path) => path.endsWith('.dff'))!
    const { page } = await startApp({ folder: join(folder, 'peds', dff.slice(PEDS.length)) })
    await page.getByRole('main', { name: 'Model' }).waitFor({ timeout: 30_000 })
    await tab(page, 'peds').waitFor()
  }, 120_000)
})

/** The window as at its first start: nothing that was open opens again. */
async function startAnew(page: Page, services: Services): Promise<void> {
  const origin = new URL(page.url()).origin
  const context = { signal: new AbortController().signal }
  // what a page keeps as it is left may come after the rest was forgotten
  await expect
    .poll(
      async () => {
        await page.goto('about:blank')
        await services.handlers['settings.set']({ window: { lastOpen: '' } }, context)
        await page.goto(origin)
        await page.getByRole('main').first().waitFor()
        return (await services.handlers['settings.get']({}, context)).window.lastOpen
      },
      { timeout: 60_000 },
    )
    .toBe('')
  await page.getByRole('main', { name: 'Welcome' }).waitFor()
}

describe('a mod package', () => {
  for (const theme of ['dark', 'light'] as const)
    test(`is shown before it is built, and says what it left out (${theme})`, async ({ startApp }) => {
      const game = mkdtempSync(join(folder, 'game-'))
      const mod = join(mkdtempSync(join(folder, 'mod-')), 'mod')
      writeFileSync(join(game, 'a.dff'), sample.get(ped.find((path) => path.endsWith('.dff'))!)!)
      const { page, services, screenshot } = await startApp({ folder: game, theme })
      await page.getByText(/^Scanned /).waitFor({ timeout: 30_000 })
      const context = { signal: new AbortController().signal }
      const made = join(mkdtempSync(join(folder, 'made-')))
      const original = readFileSync(join(game, 'a.dff'))
      const changed = new Uint8Array(original)
      changed[changed.length - 1] ^= 1
      writeFileSync(join(made, 'a.dff'), changed)
      writeFileSync(join(made, 'new.txt'), 'new')
      await services.handlers['settings.set']({ saveMode: 'mod-folder', modFolder: made }, context)
      const library = await services.handlers['library.open']({ root: game }, context)
      const given = await services.handlers['modPackage.export']({ library: library.id }, context)
      await services.handlers['settings.set']({ modFolder: '' }, context)
      await startAnew(page, services)

      await drop(page, 'main:visible', [named(given.fileName, given.bytes)])
      const panel = page.getByRole('dialog', { name: `Mod package ${given.fileName}` })
      await panel.getByText('2 changed files').waitFor()
      await panel.getByRole('option', { name: /new\.txt.*new, 3/ }).waitFor()
      const build = panel.getByRole('button', { name: 'Build into the mod folder' })
      // no game is open: nobody can say whether it fits
      await expect.poll(() => build.isEnabled()).toBe(false)
      await screenshot(`package-no-game-${theme}`)
      await services.handlers['settings.set']({ modFolder: mod }, context)
      await panel.getByRole('button', { name: 'Close' }).click()
      // the game was updated since
      writeFileSync(join(game, 'a.dff'), sample.get(ped.find((path) => path.endsWith('.txd'))!)!)
      await startAnew(page, services)
      await page
        .getByRole('button', { name: new RegExp(game.split('/').at(-1)!) })
        .first()
        .click()
      await page.locator('section[aria-label="Library"]').waitFor()
      await drop(page, 'section[aria-label="Library"]', [named(given.fileName, given.bytes)])
      await expect.poll(() => build.isEnabled()).toBe(true)
      await screenshot(`package-${theme}`)
      await build.click()
      await panel.getByText('1 file written, 1 file left out').waitFor()
      // which file, and why, in the row's own height: the list is no higher than its rows
      const row = panel.getByRole('option', { name: /a\.dff .*not the one/ })
      await row.waitFor()
      await expect
        .poll(() =>
          row.evaluate((line: any) => [line.scrollHeight - line.clientHeight, line.parentElement.clientHeight - line.clientHeight]),
        )
        .toEqual([0, 0])
      await expect.poll(async () => (await row.getByText('a.dff').boundingBox())!.width).toBeGreaterThan(20)
      expect(readFileSync(join(mod, 'new.txt'), 'utf8')).toBe('new')
      await screenshot(`package-left-out-${theme}`)
      expect(await accessFindings(page, 'mod package', '.side-panel')).toEqual([])
      await panel.getByRole('button', { name: 'Write them too' }).click()
      await expect.poll(() => panel.count()).toBe(0)
      expect(Buffer.compare(readFileSync(join(mod, 'a.dff')), changed)).toBe(0)

      // the game is as it was again: what is built has all of it
      writeFileSync(join(game, 'a.dff'), original)
      await drop(page, 'section[aria-label="Library"]', [named(given.fileName, given.bytes)])
      await build.click()
      await page.getByText(/: the mod folder has all of it already$/).waitFor()
      await expect.poll(() => panel.count()).toBe(0)
    }, 120_000)

  test('that is none says so in its place', async ({ startApp }) => {
    const { page } = await startApp()
    await page.getByRole('main', { name: 'Welcome' }).waitFor()
    await drop(page, 'main:visible', [named('x.marrow.zip', Uint8Array.of(1, 2, 3, 4))])
    const panel = page.getByRole('dialog', { name: 'Mod package x.marrow.zip' })
    await panel.getByRole('alert').getByText('this is no zip').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => panel.count()).toBe(0)
  }, 60_000)
})

describe('a zip of a mod that somebody else made', () => {
  test('opens as a folder; one with a package in it is shown as that, whatever it is called', async ({ startApp }) => {
    const { page } = await startApp()
    await page.getByRole('main', { name: 'Welcome' }).waitFor()
    const files = Object.fromEntries(ped.map((path) => [path.slice(PEDS.length), new Uint8Array(sample.get(path)!)]))
    await drop(page, 'main:visible', [named('theirs.zip', zipSync(files, { level: 0 }))])
    await page.getByRole('main', { name: 'Model' }).waitFor({ timeout: 30_000 })
    const manifest = strToU8(JSON.stringify({ marrow: 'none' }))
    await drop(page, 'main:visible', [named('mine.zip', zipSync({ 'marrow-patch.json': manifest }))])
    await page.getByRole('dialog', { name: 'Mod package mine.zip' }).getByRole('alert').waitFor()
  }, 120_000)
})

describe('help', () => {
  for (const theme of ['dark', 'light'] as const)
    test(`saves diagnostics: what is in them is shown, a file's beginning only where it is ticked (${theme})`, async ({ startApp }) => {
      const broken = mkdtempSync(join(folder, 'broken-'))
      const bytes = new Uint8Array(sample.get(ped.find((path) => path.endsWith('.dff'))!)!.subarray(0, 300))
      writeFileSync(join(broken, 'cut.dff'), bytes)
      const { page, screenshot } = await startApp({ folder: broken, theme })
      await page.getByText(/^Scanned /).waitFor({ timeout: 30_000 })
      const open = async () => {
        await page.keyboard.press('Control+k')
        await page.keyboard.type('Save diagnostics')
        await page.keyboard.press('Enter')
        await panel.getByText('versions.json').waitFor()
      }
      const panel = page.getByRole('dialog', { name: 'Save diagnostics' })
      const save = async () => {
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          panel.getByRole('button', { name: 'Save', exact: true }).click(),
        ])
        expect(download.suggestedFilename()).toMatch(/^marrow-diagnostics-.*\.zip$/)
        return unzipSync(new Uint8Array(readFileSync((await download.path())!)))
      }
      await open()
      await panel.getByText('The log as it is saved').click()
      await panel.getByText('library.scan').first().waitFor()
      await screenshot(`diagnostics-${theme}`)
      const plain = await save()
      expect(Object.keys(plain).sort()).toEqual(['log.txt', 'settings.json', 'versions.json'])
      expect(JSON.parse(strFromU8(plain['versions.json'])).window.browser).toContain('Chrome')
      const log = strFromU8(plain['log.txt'])
      expect(log).toMatch(/<library 1>[\\/]cut\.dff/)
      expect(log).not.toContain(broken)
      if (homedir() !== '/') expect(log).not.toContain(homedir())

      await open()
      await panel.getByRole('checkbox', { name: /cut\.dff/ }).check()
      const headers = strFromU8((await save())['headers.txt'])
      expect(headers).toContain(`0000  ${[...bytes.subarray(0, 16)].map((b) => b.toString(16).padStart(2, '0')).join(' ')}`)
    }, 120_000)
})

describe('a page that is loaded again', () => {
  test('has the edits that it left with the services', async ({ startApp }) => {
    const { page } = await startApp({ sample: true })
    await page.getByText(/^Scanned /).waitFor({ timeout: 30_000 })
    await page.locator('section[aria-label="Library"] [role=listbox]').getByText('San Andreas/models/peds').dblclick()
    await page.getByRole('toolbar', { name: 'Playback' }).waitFor({ timeout: 20_000 })
    await page.keyboard.press('m')
    await expect.poll(() => page.getByRole('button', { name: /^Undo/ }).isEnabled()).toBe(true)
    page.on('dialog', (dialog) => void dialog.accept())
    await page.reload()
    await page.getByRole('tab', { name: /unsaved edits/ }).waitFor({ timeout: 20_000 })
    await page.getByRole('main', { name: 'Model' }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: /^Restore edits of / }).count()).toBe(0)
    await expect.poll(() => page.getByRole('button', { name: /^Undo/ }).isEnabled()).toBe(true)
  }, 120_000)

  test('that cannot be drawn says so, and is loaded again', async ({ startApp }) => {
    const { page, screenshot } = await startApp({ sample: true, theme: 'light', allowErrors: /no such medium/ })
    await page.getByText(/^Scanned /).waitFor({ timeout: 30_000 })
    await page.evaluate(() => sessionStorage.setItem('broken', 'once'))
    await page.addInitScript(() => {
      if (!sessionStorage.getItem('broken')) return
      sessionStorage.removeItem('broken')
      MediaQueryList.prototype.addEventListener = () => {
        throw new Error('no such medium')
      }
    })
    await page.reload()
    await page.getByText('This window cannot be drawn').waitFor()
    // the window's own setting was not read yet: it looks as the system does
    const look = () => page.locator('.crash').evaluate((crash: any) => getComputedStyle(crash).backgroundColor)
    const light = await look()
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(look).not.toBe(light)
    expect([light, await look()]).not.toContain('rgba(0, 0, 0, 0)')
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(look).toBe(light)
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Reload')
    await page.getByText('Details').click()
    await screenshot('crash-page')
    expect(await accessFindings(page, 'a window that cannot be drawn')).toEqual([])
    await page.getByRole('button', { name: 'Save diagnostics' }).click()
    // there is no connection yet: said in its place, and nothing is lost by it
    await page.getByRole('alert').waitFor()
    await page.getByRole('button', { name: 'Reload' }).click()
    await page
      .getByText('Open the sample library')
      .or(page.getByText(/^Scanned /))
      .first()
      .waitFor()
  }, 120_000)
})
