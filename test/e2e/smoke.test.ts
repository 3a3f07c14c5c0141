import { describe, expect, pixelsOf, test } from './harness.ts'

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
    expect(new URL(page.url()).hash).not.toContain('token')
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
    const colours = async () => new Set(new Uint32Array((await pixelsOf(page.locator('canvas').first())).rgba.buffer)).size
    await expect.poll(colours, { timeout: 30_000 }).toBeGreaterThan(2000)
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
        setTimeout(() => {
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
    await page.evaluate(() => localStorage.setItem('marrow.token', 'wrong'))
    await page.reload()
    await expect.poll(() => page.locator('body').innerText(), { timeout: 15_000 }).toContain('address that was printed')
  })
})
