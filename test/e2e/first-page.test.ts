/** What the browser loads before the first page shows, from the build, and what only when it is needed: counted, never timed. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseAst } from 'vite'
import type { Page } from 'playwright'
import { projectRoot } from '../../scripts/lib/build.mjs'
import { sampleFiles } from '../support/sample.ts'
import { expect, test } from './harness.ts'

/** The tests know no DOM: the page's own globals. */
declare const document: any
declare const performance: { getEntriesByType(type: string): { name: string }[] }

const built = join(projectRoot, 'out/renderer')
/** A script and all that it imports at once: what waits for `import()` or stands in a worker is no part of it. */
function withImports(file: string, found = new Map<string, number>()): Map<string, number> {
  if (found.has(file)) return found
  const source = readFileSync(file, 'utf8')
  found.set(file, Buffer.byteLength(source))
  for (const node of parseAst(source).body) {
    const from = 'source' in node ? node.source?.value : undefined
    if (typeof from === 'string') withImports(join(dirname(file), from), found)
  }
  return found
}

test('the scripts of the first page stay small, and the graphics engine is none of them', () => {
  const page = readFileSync(join(built, 'index.html'), 'utf8')
  const scripts = [...page.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.js)"/g)].map(([, path]) => join(built, path))
  expect(scripts.length).toBeGreaterThan(0)
  const loaded = new Map<string, number>()
  for (const script of scripts) withImports(script, loaded)
  const bytes = [...loaded.values()].reduce((sum, size) => sum + size, 0)
  expect(bytes).toBeLessThan(800_000)
  const styles = [...page.matchAll(/href="\.\/(assets\/[^"]+\.css)"/g)].map(([, path]) => readFileSync(join(built, path)).length)
  expect(styles.reduce((sum, size) => sum + size, 0)).toBeLessThan(80_000)

  // what only the engine asks the graphics card for
  const engine = readdirSync(join(built, 'assets'))
    .map((name) => join(built, 'assets', name))
    .filter((file) => file.endsWith('.js') && readFileSync(file, 'utf8').includes('MAX_VERTEX_TEXTURE_IMAGE_UNITS'))
  expect(engine.length).toBeGreaterThan(0)
  expect(engine.filter((file) => loaded.has(file))).toEqual([])
})

/** Fonts of names that the page has read, by their alphabets. */
const nameFonts = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => /noto-sans-(jp|kr)-[^/]*\.woff2$/.exec(name)?.[1] ?? '')
      .filter(Boolean),
  )

test('fonts of Japan and Korea are read when a name has their letters, and only then', async ({ startApp, place }) => {
  const { bytes } = sampleFiles().find(({ path }) => path.endsWith('.dff'))!
  const fontsFor = async (name: string): Promise<string[]> => {
    const folder = join(place, name)
    mkdirSync(folder)
    writeFileSync(join(folder, `${name}.dff`), bytes)
    const { page } = await startApp({ folder })
    await page.getByText(/^Scanned /).waitFor({ timeout: 60_000 })
    await page.getByRole('listbox', { name: 'Models' }).getByText(name).first().waitFor()
    // the list of them is there, whether one is wanted or not
    await page.waitForFunction(() => document.fonts.size > 100)
    await page.evaluate(() => document.fonts.ready)
    return [...new Set(await nameFonts(page))]
  }
  expect(await fontsFor('soldier')).toEqual([])
  expect(await fontsFor('병사')).toEqual(['kr'])
  expect(await fontsFor('兵士のモデル')).toEqual(['jp'])
}, 120_000)

test('a first start sees the sample walk, unless it wants no motion; once there are folders they have the room', async ({
  startApp,
  place,
}) => {
  const state = join(place, 'state')
  const first = await startApp({ state })
  const sample = (page: Page) => page.getByRole('figure', { name: 'A character of the sample library' })
  const frames = async (page: Page) => {
    const seen = new Set<string>()
    for (let n = 0; n < 5; n++) seen.add((await sample(page).screenshot()).toString('base64'))
    return seen.size
  }
  const { page } = first
  await sample(page).getByRole('button', { name: 'Pause the preview' }).waitFor({ timeout: 30_000 })
  await expect.poll(() => frames(page), { timeout: 20_000 }).toBeGreaterThan(2)
  await sample(page).getByRole('button', { name: 'Pause the preview' }).click()
  await page.mouse.move(0, 0)
  await expect.poll(() => frames(page), { timeout: 20_000 }).toBe(1)
  // nothing of it is written, and no library is open for it
  expect(existsSync(join(state, 'sample'))).toBe(false)

  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.reload()
  await sample(page).getByRole('button', { name: 'Play the preview' }).waitFor({ timeout: 30_000 })
  await expect.poll(() => frames(page), { timeout: 20_000 }).toBe(1)

  const folder = join(place, 'game')
  mkdirSync(folder)
  await first.close()
  const next = await startApp({ state, folder })
  await next.page.getByText(/^Scanned /).waitFor({ timeout: 30_000 })
  await next.page.getByRole('button', { name: 'Welcome page' }).click()
  await next.page.getByRole('button', { name: /^game/ }).waitFor()
  await expect.poll(() => sample(next.page).count()).toBe(0)
}, 120_000)
