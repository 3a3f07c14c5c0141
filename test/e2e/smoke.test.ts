import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { sampleFiles } from '../support/sample.ts'
import { coloursOf, describe, expect, test } from './harness.ts'

/** The tests know no DOM: the page's own globals. */
declare const document: any
declare const localStorage: any

describe('web host in Chromium', () => {
  test('shows the window', async ({ startApp }) => {
    const { page, screenshot } = await startApp()
    await expect.poll(() => page.locator('body').innerText(), { timeout: 15_000 }).toMatch(/\S/)
    await page.waitForLoadState('networkidle')
    await screenshot('smoke')
    // the key is not left in the address
    expect(new URL(page.url()).hash).toBe('')
    await expect.poll(() => page.evaluate(() => document.cookie)).toBe('')
  })

  test('draws a model of the sample library', async ({ startApp }) => {
    const { page, screenshot } = await startApp({ sample: true })
    // the library has the focus; Enter opens the chosen model
    await page
      .getByText(/^[1-9]\d* models?$/)
      .first()
      .waitFor()
    await expect
      .poll(
        async () => {
          await page.keyboard.press('Enter')
          return page.locator('canvas').count()
        },
        { timeout: 30_000 },
      )
      .toBeGreaterThan(0)
    // shaded and textured: far more colours than the ground and the grid have
    await expect.poll(() => coloursOf(page.locator('canvas').first()), { timeout: 30_000 }).toBeGreaterThan(2000)
    await screenshot('smoke-model')
  })

  test('works in a second tab, which has no key in its address', async ({ startApp }) => {
    const { page } = await startApp()
    await page.waitForLoadState('networkidle')
    const second = await page.context().newPage()
    const failures: string[] = []
    second.on('console', (message) => message.type() === 'error' && failures.push(message.text()))
    let answers = 0
    second.on('websocket', (socket) => socket.on('framereceived', () => answers++))
    await second.goto(new URL(page.url()).origin)
    await expect.poll(() => answers, { timeout: 15_000 }).toBeGreaterThan(0)
    expect(failures).toEqual([])
  })

  test('lets no script in that is not its own', async ({ startApp }) => {
    const { page, errors } = await startApp({ allowErrors: /Content Security Policy|request to/ })
    await page.waitForLoadState('networkidle')
    const result = await page.evaluate(async () => {
      const inline = document.createElement('script')
      inline.textContent = 'document.body.dataset.inline = "ran"'
      document.body.append(inline)
      // in a turn of its own: the debugger that runs this may use eval
      const evaluated = await new Promise((resolve) =>
        requestAnimationFrame(() => {
          try {
            resolve(new Function('return "ran"')())
          } catch {
            resolve('refused')
          }
        }),
      )
      const foreign = await fetch('https://evil.example/').then(
        () => 'fetched',
        () => 'refused',
      )
      return { evaluated, inline: document.body.dataset.inline ?? 'refused', foreign }
    })
    expect(result).toEqual({ evaluated: 'refused', inline: 'refused', foreign: 'refused' })
    expect(errors.length).toBeGreaterThan(0)
  })

  test('says what to do where the key is wrong', async ({ startApp }) => {
    const { page } = await startApp({ allowErrors: /WebSocket connection|401/ })
    await page.waitForLoadState('networkidle')
    await page.evaluate(() => localStorage.setItem('marrow.key', 'wrong'))
    await page.reload()
    await page.getByText('This page needs a new address').waitFor({ timeout: 15_000 })
    await page.getByText('press Enter in the terminal', { exact: false }).waitFor()
  })

  test('an address lets one browser in, and no other', async ({ startApp }) => {
    const app = await startApp()
    const used = app.url
    const browser = app.page.context().browser()!
    await app.page.goto('about:blank')
    await app.page.goto(used)
    await app.page.getByRole('main', { name: 'Welcome' }).waitFor()
    // again in the same browser: it is in already
    await app.page.goto('about:blank')
    await app.page.goto(used)
    await app.page.getByRole('main', { name: 'Welcome' }).waitFor()
    app.errors.splice(0, app.errors.length, ...app.errors.filter((error) => !error.includes('401')))
    const other = await browser.newContext()
    const page = await other.newPage()
    await page.goto(used)
    await page.getByText('This page needs a new address').waitFor()
    await other.close()
  })

  test("a folder from an address is opened on the user's word only", async ({ startApp }) => {
    const app = await startApp({ sample: true })
    const { page, screenshot } = app
    await page.getByText(/^Scanned /).waitFor({ timeout: 60_000 })
    const root = (await app.services.handlers['app.info']({}, { signal: new AbortController().signal })).sample
    // as a page of another site would: no code, a key of its own, and a folder
    await page.goto('about:blank')
    await page.goto(`${new URL(app.url).origin}/#token=evil&key=evil&folder=${encodeURIComponent(root)}`)
    await page.getByText('asks to open a folder').waitFor()
    await expect.poll(() => page.getByRole('main', { name: 'Welcome' }).count()).toBe(1)
    expect(new URL(page.url()).hash).toBe('')
    await screenshot('address-folder')
    await page.getByRole('button', { name: 'Open it' }).click()
    await page
      .getByText(/^[1-9]\d* models?$/)
      .first()
      .waitFor()
  })

  test('names that turn text around or do not show are written out, and marked', async ({ startApp }) => {
    const folder = mkdtempSync(join(tmpdir(), 'marrow-names-'))
    const body = sampleFiles().find(({ path }) => /adventurer\.dff$/.test(path))!.bytes
    writeFileSync(join(folder, 'photo\u202efdh.dff'), body)
    writeFileSync(join(folder, 'hidden\u200bspace.dff'), body.slice(0, 200))
    const { page, screenshot } = await startApp({ folder })
    await page
      .getByText(/^[1-9]\d* models?$/)
      .first()
      .waitFor({ timeout: 30_000 })
    await page.getByText('photo\\u202efdh').first().waitFor()
    await expect.poll(() => page.getByRole('img', { name: 'Odd characters in the name' }).count()).toBeGreaterThan(0)
    await screenshot('odd-names')
    const shown = await page.evaluate(() => [
      document.documentElement.innerText,
      document.title,
      ...[...document.querySelectorAll('[title], [aria-label]')].flatMap((e: any) => [
        e.getAttribute('title') ?? '',
        e.getAttribute('aria-label') ?? '',
      ]),
    ])
    for (const text of shown as string[]) expect(text).not.toMatch(/[\u202a-\u202e\u200b\u2066-\u2069]/)
    rmSync(folder, { recursive: true, force: true })
  })

  test('a window is held to what the host was started with', async ({ startApp }) => {
    const outside = mkdtempSync(join(tmpdir(), 'marrow-outside-'))
    onTestFinished(() => rmSync(outside, { recursive: true, force: true }))
    const { page, screenshot } = await startApp({ places: [], allowErrors: /./ })
    await page.getByRole('button', { name: /Open folder/ }).click()
    const field = page.getByRole('textbox', { name: 'Folder path' })
    await field.fill(outside)
    await field.press('Enter')
    await page.getByText('is outside of what this window may use', { exact: false }).waitFor()
    await page.getByRole('button', { name: 'All places' }).click()
    await expect.poll(() => page.getByRole('option').or(page.locator('.list .row')).count()).toBeGreaterThan(0)
    await screenshot('places')
  })
})
