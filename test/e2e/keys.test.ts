/** A key of each family is dragged in the dope sheet: the file on disk changes in the number that is the key's time, and comes back by undo. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { changedRanges } from '../support/edit-session.ts'
import { atRest, describe, expect, test } from './harness.ts'
import { saveEdits } from './steps.ts'
import type { App } from './harness.ts'
import type { NativeTrack } from '../../src/shared/api/types/clips.ts'

interface Case {
  family: string
  /** place of the row in the library, and the model's name */
  where: RegExp
  name: RegExp
  clip: string
  bone: string
  track: string
  /** what the window calls it */
  row: string
  /** number of the key that is dragged, and by how many marks of the grid */
  key: number
  frames: number
  file: string
  /** how the file stores a time, from its own spec; native units to the number on disk */
  time: { bytes: number; read(view: DataView, at: number): number; of(time: number): number }
}

const u32 = { bytes: 4, read: (v: DataView, at: number) => v.getUint32(at, true), of: (t: number) => t }
const CASES: Case[] = [
  {
    family: 'Level-5',
    where: /Dark Cloud\/chara/,
    name: /^adventurer$/,
    clip: 'adventurer',
    bone: 'pelvis',
    track: 'type 0 rotation',
    row: 'Rotation',
    key: 4,
    frames: 2,
    file: 'Dark Cloud/chara/adventurer.chr',
    time: u32,
  },
  {
    family: 'Lost Saga',
    where: /Lost Saga\/resource\/model\/animodel/,
    name: /^adventurer$/,
    clip: 'adventurer_walk',
    bone: 'Bip01 Pelvis',
    track: 'rotation',
    row: 'Rotation',
    key: 3,
    frames: 1,
    file: 'Lost Saga/resource/animation/adventurer_walk.ani',
    time: u32,
  },
  // times of compressed keys are 16 bits, in sixtieths of a second
  {
    family: 'RenderWare',
    where: /San Andreas\/models\/peds/,
    name: /^adventurer$/,
    clip: 'walk',
    bone: 'pelvis',
    track: 'type 4 rotation',
    row: 'Rotation',
    key: 3,
    frames: 2,
    file: 'San Andreas/models/adventurer.ifp',
    time: { bytes: 2, read: (v, at) => v.getInt16(at, true), of: (t) => t },
  },
  {
    family: 'W3D',
    where: /Zero Hour\/Art\/W3D/,
    name: /^walker_skl$/i,
    clip: 'WALKER_IDA',
    bone: 'PELVIS',
    track: 'Y (time-coded)',
    row: 'Position · Y (time-coded)',
    key: 2,
    frames: 3,
    file: 'Zero Hour/Art/W3D/WALKER_IDA.W3D',
    time: u32,
  },
]
const GRID: Record<string, number> = { frame: 1, ms: 1000 / 30, s: 1 / 30 }

/** The folder below the state folder that holds the sample. */
function sampleRoot(state: string, file: string): string {
  const found = readdirSync(state, { recursive: true, encoding: 'utf8' }).find((p) => p.replaceAll('\\', '/').endsWith(file))
  if (!found) throw new Error(`the sample has no ${file}`)
  return join(state, found.slice(0, found.length - file.length))
}

async function tracksOf(app: App, c: Case): Promise<{ tracks: NativeTrack[]; start: number; end: number; grid: number }> {
  const signal = new AbortController().signal
  const [info] = (await app.services.handlers['model.list']({}, { signal })).slice(-1)
  const { scene } = await app.services.handlers['model.scene']({ model: info.id }, { signal })
  const clip = scene.clips.findIndex((x) => x.name === c.clip)
  const { start, end, unit } = scene.clips[clip]
  return { tracks: await app.services.handlers['clips.tracks']({ model: info.id, clip }, { signal }), start, end, grid: GRID[unit] }
}

describe('a key moved in the dope sheet', () => {
  for (const c of CASES) {
    test(`${c.family}: its time alone changes on disk; undone and saved, every byte is back`, async ({ startApp }) => {
      const app = await startApp({ sample: true })
      const { page, state } = app
      const library = page.locator('section[aria-label="Library"]')
      await page.getByText(/^Scanned /).waitFor({ timeout: 60_000 })
      const row = library
        .locator('[role="row"],[role="option"]')
        .filter({ hasText: c.where })
        .filter({ has: page.getByText(c.name) })
        .first()
      await row.dblclick()
      await page.getByRole('toolbar', { name: 'Playback' }).waitFor({ timeout: 60_000 })
      await page.getByRole('combobox', { name: 'Clip', exact: true }).selectOption({ label: c.clip })
      const path = join(sampleRoot(state, c.file), c.file)
      const original = new Uint8Array(readFileSync(path))

      const { tracks, start, end, grid } = await tracksOf(app, c)
      const of = tracks.find((t) => t.target === c.bone && t.label === c.track)!
      const sheet = page.getByRole('tree', { name: 'Keys' })
      const item = (name: string) => sheet.getByRole('treeitem').filter({ has: page.getByText(name, { exact: true }) })
      await item(c.bone).dblclick()
      const label = (await item(c.row).first().boundingBox())!
      const canvas = (await sheet.locator('canvas').boundingBox())!
      // the whole clip is in sight, with a margin on both sides
      const scale = (canvas.width - 48) / (end - start)
      const x = canvas.x + 24 + (of.times[c.key] - start) * scale
      const y = label.y + label.height / 2
      await page.mouse.move(x, y)
      await page.mouse.down()
      for (let i = 1; i <= 6; i++) await page.mouse.move(x + (i / 6) * c.frames * grid * scale, y)
      await page.mouse.up()
      await page.getByRole('tab', { name: /unsaved edits/ }).waitFor({ timeout: 20_000 })
      const to = Math.round(of.times[c.key] + c.frames * grid)
      await expect.poll(async () => (await tracksOf(app, c)).tracks.find((t) => t.id === of.id)!.times[c.key]).toBe(to)
      // the whole drag is one step
      expect((await app.services.handlers['model.list']({}, { signal: new AbortController().signal })).at(-1)!.history.undo).toEqual([
        'Move key',
      ])
      expect(Buffer.compare(readFileSync(path), original)).toBe(0)
      await app.screenshot(`keys-${c.family.toLowerCase().replace(' ', '-')}`)

      await saveEdits(page)
      const saved = new Uint8Array(readFileSync(path))
      const ranges = changedRanges(original, saved)
      const first = ranges[0][0]
      expect(ranges.at(-1)![1] - first).toBeLessThanOrEqual(c.time.bytes)
      const numbers = [original, saved].map((bytes) => c.time.read(new DataView(bytes.buffer, bytes.byteOffset), first))
      expect(numbers).toEqual([c.time.of(of.times[c.key]), c.time.of(to)])

      await page.getByRole('button', { name: /^Undo/ }).click()
      await page.getByRole('tab', { name: /unsaved edits/ }).waitFor({ timeout: 20_000 })
      await page.keyboard.press('Control+s')
      await expect.poll(() => Buffer.compare(readFileSync(path), original), { timeout: 20_000 }).toBe(0)
    }, 180_000)
  }
})

describe('a bone posed in the picture', () => {
  test('turned by its handle it gets a key at the playhead: that key alone changes on disk', async ({ startApp }) => {
    const c = CASES[0]
    const app = await startApp({ sample: true })
    const { page, state } = app
    await page.getByText(/^Scanned /).waitFor({ timeout: 60_000 })
    await page
      .locator('section[aria-label="Library"]')
      .locator('[role="row"],[role="option"]')
      .filter({ hasText: c.where })
      .filter({ has: page.getByText(c.name) })
      .first()
      .dblclick()
    await page.getByRole('toolbar', { name: 'Posing' }).waitFor({ timeout: 60_000 })
    const path = join(sampleRoot(state, c.file), c.file)
    const original = new Uint8Array(readFileSync(path))
    const { tracks } = await tracksOf(app, c)
    const of = tracks.find((t) => t.target === 'upperarm_l' && t.property === 'rotation')!
    await page
      .getByRole('tree', { name: 'Keys' })
      .getByRole('treeitem')
      .filter({ has: page.getByText('upperarm_l', { exact: true }) })
      .click()
    const time = page.getByLabel('Current frame', { exact: true })
    await time.fill(String(of.times[2]))
    await time.press('Enter')
    await time.blur()
    await page.getByRole('button', { name: 'Turn bone' }).click()
    await atRest(page)
    // the ring of the screen stands about the bone at a fixed distance: somewhere on a line to the right of the middle it is hit
    const box = (await page.locator('canvas.picture').boundingBox())!
    const undo = async (): Promise<string[]> =>
      (await app.services.handlers['model.list']({}, { signal: new AbortController().signal })).at(-1)!.history.undo
    for (let i = 0; i < 40 && (await undo()).length === 0; i++) {
      const x = box.x + box.width / 2 + i * 6
      const y = box.y + box.height * 0.5
      await page.mouse.move(x, y)
      await atRest(page)
      if ((await page.locator('canvas.picture').evaluate((el) => (el as HTMLElement).style.cursor)) !== 'grab') continue
      await page.mouse.down()
      for (let k = 1; k <= 5; k++) await page.mouse.move(x, y + 6 * k)
      await page.mouse.up()
      await expect.poll(async () => (await undo()).length).toBe(1)
    }
    await expect.poll(undo).toEqual(['Turn upperarm_l'])
    await app.screenshot('keys-posed')
    await page.keyboard.press('Control+s')
    await expect.poll(() => Buffer.compare(readFileSync(path), original), { timeout: 20_000 }).not.toBe(0)
    const saved = new Uint8Array(readFileSync(path))
    const ranges = changedRanges(original, saved)
    // a key is 32 bytes: frame, three words, then the quaternion's four floats
    expect(ranges.at(-1)![1] - ranges[0][0]).toBeLessThanOrEqual(16)
    const now = (await tracksOf(app, c)).tracks.find((t) => t.id === of.id)!
    expect([...now.times]).toEqual([...of.times])
    expect([...now.times.keys()].filter((k) => [0, 1, 2, 3].some((i) => now.values[4 * k + i] !== of.values[4 * k + i]))).toEqual([2])
  }, 180_000)

  test('the bind pose is told from a clip; how to pose is known after a restart', async ({ startApp, stateFolder: state }) => {
    const open = async (app: App): Promise<App['page']> => {
      await app.page.getByText(/^Scanned /).waitFor({ timeout: 60_000 })
      await app.page.getByText('Dark Cloud/chara/adventurer.chr').first().dblclick()
      await app.page.getByRole('toolbar', { name: 'Posing' }).waitFor({ timeout: 60_000 })
      return app.page
    }
    const app = await startApp({ sample: true, state })
    const page = await open(app)
    await page.keyboard.press('o')
    const clip = page.getByRole('combobox', { name: 'Clip', exact: true })
    await clip.selectOption({ label: 'Bind pose' })
    await page.keyboard.press('r')
    const asked = page.getByRole('group', { name: 'The bind pose is shown' })
    await asked.getByRole('button', { name: 'Pose in adventurer' }).click()
    await expect.poll(() => clip.locator('option:checked').textContent()).toBe('adventurer')
    await asked.waitFor({ state: 'detached' })
    await expect
      .poll(async () => (await app.services.handlers['settings.get']({}, { signal: new AbortController().signal })).window.posing ?? '')
      .toContain('"onion":true')
    await app.close()
    const again = await open(await startApp({ sample: true, state }))
    // what was shown comes again, too: the bind pose, where the page was left before the clip was kept
    await again.getByRole('combobox', { name: 'Clip', exact: true }).selectOption({ label: 'adventurer' })
    await expect.poll(() => again.getByRole('button', { name: 'Onion skin' }).getAttribute('aria-pressed')).toBe('true')
  }, 120_000)
})
