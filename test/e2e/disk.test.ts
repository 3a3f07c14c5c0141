/** Somebody else writes: the disk under an open model, the game under a mod. */
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sampleFiles } from '../support/sample.ts'
import { writeFiles } from '../workspace/support.ts'
import { accessFindings } from './axe.ts'
import { afterEach, beforeEach, describe, expect, test } from './harness.ts'
import type { App } from './harness.ts'

const signal = new AbortController().signal

/** Opens the sample's character, moves a key, and gives a way to move another key in the file as another program would. */
async function edited(app: App) {
  const { page, services } = app
  await page.getByText(/^Scanned /).waitFor({ timeout: 60_000 })
  await page
    .locator('section[aria-label="Library"]')
    .locator('[role="row"],[role="option"]')
    .filter({ hasText: /Lost Saga\/resource\/model\/animodel/ })
    .first()
    .dblclick()
  await page.getByRole('toolbar', { name: 'Playback' }).waitFor({ timeout: 60_000 })
  const [{ id, files }] = await services.handlers['model.list']({}, { signal })
  const track = (await services.handlers['clips.tracks']({ model: id, clip: 0 }, { signal }))[3]
  const values = track.values.slice(track.components.length, 2 * track.components.length)
  values[1] += 0.25
  await services.handlers['clips.editKeys'](
    {
      model: id,
      label: 'Move a key',
      edits: [{ track: track.id, set: { keys: Uint32Array.of(1), times: track.times.slice(1, 2), values } }],
    },
    { signal },
  )
  // the window knows of it a moment later
  await page.getByText(/file not saved/).waitFor({ timeout: 20_000 })
  const { ref } = files.find((f) => f.name === 'adventurer_idle.ani')!
  const structure = await services.handlers['model.structure']({ model: id, ref }, { signal })
  const keys = structure.children.filter((c) => c.name.startsWith('tracks'))[2].fields.find((f) => f.name === 'keys')!
  /** the lowest bit of a number of the first key, in `bytes` */
  const touch = (bytes: Uint8Array): Uint8Array => bytes.map((byte, i) => (i === keys.start + 8 ? byte ^ 1 : byte))
  return { id, ref, touch }
}

function write(path: string, bytes: Uint8Array): void {
  writeFileSync(path, bytes)
  utimesSync(path, new Date(), new Date(Date.now() + 60_000))
}

describe('a file that somebody else wrote', () => {
  test('is compared, and written over only once the user said so', async ({ startApp }) => {
    const app = await startApp({ sample: true })
    const { page, services } = app
    const { id, ref, touch } = await edited(app)
    const original = new Uint8Array(readFileSync(ref))
    const theirs = touch(original)
    write(ref, theirs)
    await page.getByText(/adventurer_idle\.ani changed on disk/).waitFor({ timeout: 20_000 })
    await page.keyboard.press('Control+s')
    await page.getByRole('button', { name: 'Overwrite' }).waitFor({ timeout: 20_000 })
    expect(new Uint8Array(readFileSync(ref))).toEqual(theirs)
    await page.getByRole('button', { name: 'Compare' }).click()
    const differences = page.getByLabel('On disk now, and here').locator('.difference')
    // heads, the key that was moved here, the key that was moved there
    await expect.poll(() => differences.count()).toBe(3)
    expect(await accessFindings(page, 'a file that changed on disk', 'main')).toEqual([])
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await expect.poll(() => page.getByText(/changed on disk/).count()).toBe(0)
    const mine = await services.handlers['model.bytes']({ model: id, ref, start: 0, length: 65_536 }, { signal })
    await page.keyboard.press('Control+s')
    await expect.poll(() => new Uint8Array(readFileSync(ref)), { timeout: 20_000 }).toEqual(mine)
    expect(mine).not.toEqual(original)
  })
})

describe('the game under a mod', () => {
  let mod = ''
  beforeEach(() => void (mod = mkdtempSync(join(tmpdir(), 'marrow-mod-'))))
  afterEach(() => rmSync(mod, { recursive: true, force: true }))

  test('is updated, and the edits move onto it', async ({ startApp }) => {
    const app = await startApp({ sample: true })
    const { page, services } = app
    await services.handlers['settings.set']({ saveMode: 'mod-folder', modFolder: mod }, { signal })
    await page.getByText(/^Scanned /).waitFor({ timeout: 60_000 })
    await page.goto('about:blank')
    await page.goto(app.url)
    const { id, ref, touch } = await edited(app)
    const game = new Uint8Array(readFileSync(ref))
    const mine = await services.handlers['model.bytes']({ model: id, ref, start: 0, length: 65_536 }, { signal })
    await page.keyboard.press('Control+s')
    const copy = join(mod, 'Lost Saga/resource/animation/adventurer_idle.ani')
    await expect.poll(() => existsSync(copy), { timeout: 20_000 }).toBe(true)
    await page.getByText(/^Saved 1 file/).waitFor({ timeout: 20_000 })
    write(ref, touch(game))
    const move = page.getByRole('button', { name: 'Move my edits onto it' })
    await move.waitFor({ timeout: 20_000 })
    expect(await accessFindings(page, 'a game that was updated', 'main')).toEqual([])
    await move.click()
    await page.getByText(/Your edits stand on the updated files/).waitFor({ timeout: 20_000 })
    await page.keyboard.press('Control+s')
    await expect.poll(() => new Uint8Array(readFileSync(copy)), { timeout: 20_000 }).toEqual(touch(mine))
    expect(new Uint8Array(readFileSync(ref))).toEqual(touch(game))
    await expect.poll(() => page.getByText(/The game updated/).count()).toBe(0)
  })
})

describe('a folder that somebody else changed', () => {
  test('is in the library by itself, and what was chosen stays so', async ({ startApp }) => {
    const folder = mkdtempSync(join(tmpdir(), 'marrow-e2e-'))
    try {
      const models = sampleFiles().filter(({ path }) => /^San Andreas\/models\/peds\//.test(path))
      writeFiles(folder, Object.fromEntries(models.map(({ path, bytes }) => [`one/${path.split('/').at(-1)}`, bytes])))
      const { page } = await startApp({ folder, watchPause: 100 })
      await page.getByText(/^Scanned /).waitFor({ timeout: 60_000 })
      const rows = page.getByRole('listbox', { name: 'Models' }).getByRole('option')
      await rows.first().click()
      const count = await rows.count()
      writeFiles(folder, Object.fromEntries(models.map(({ path, bytes }) => [`another/${path.split('/').at(-1)}`, bytes])))
      await expect.poll(() => rows.count(), { timeout: 20_000 }).toBe(2 * count)
      const chosen = page.getByRole('listbox', { name: 'Models' }).getByRole('option', { selected: true })
      await expect.poll(() => chosen.allInnerTexts()).toEqual([expect.stringContaining('one')])
      rmSync(join(folder, 'one'), { recursive: true })
      await expect.poll(() => rows.count(), { timeout: 20_000 }).toBe(count)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
