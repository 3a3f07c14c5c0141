/** Clips as a whole in the window: made, named, parted, put in order and taken away, a step each; what is chosen follows. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Locator, Page } from 'playwright'
import { describe, expect, test } from './harness.ts'
import { openFromLibrary, runCommand } from './steps.ts'
import { sampleFiles } from '../support/sample.ts'

const SLOW = 180_000
const tools = (page: Page, name: string) => page.getByRole('toolbar', { name: 'Timeline tools' }).getByRole('button', { name, exact: true })
const rows = (page: Page) => page.getByRole('grid', { name: 'Clips' }).getByRole('row')
const chosen = (page: Page) => page.getByRole('grid', { name: 'Clips' }).getByRole('row', { selected: true }).getAttribute('aria-label')
const labels = (list: Locator): Promise<(string | null)[]> =>
  list.evaluateAll((all: any[]) => all.map((row) => row.getAttribute('aria-label') as string))
const names = (page: Page): Promise<(string | null)[]> => labels(rows(page))
const playbackOf = (page: Page) => page.getByRole('toolbar', { name: 'Playback' })
const reachOf = (page: Page): Promise<string | null> => playbackOf(page).locator('.range').textContent()
const forward = async (page: Page, frames: number): Promise<void> => {
  for (let i = 0; i < frames; i++) await playbackOf(page).getByRole('button', { name: 'Next frame' }).click()
}
const more = async (page: Page, name: string): Promise<void> => {
  await tools(page, 'More for clips').click()
  await page.getByRole('dialog', { name: 'More for clips' }).getByRole('button', { name }).click()
}
const undo = (page: Page) => page.keyboard.press('Control+z')

describe.each([
  { family: 'RenderWare', place: /San Andreas\/models\/peds/, ordered: true },
  // a file each
  { family: 'W3D', place: /WALKER_SKN/i, ordered: false },
])('the list of clips of $family', ({ place, ordered }) => {
  test(
    'takes new ones and copies, names and order, and gives each back with one step',
    async ({ startApp }) => {
      const { page } = await startApp({ sample: true })
      page.setDefaultTimeout(20_000)
      await openFromLibrary(page, place)
      const clips = page.getByRole('button', { name: /^Clips \d/ })
      await clips.click()
      const before = await names(page)
      const now = (): Promise<(string | null)[]> => names(page)
      const sorted = async (): Promise<(string | null)[]> => (await now()).sort()

      // a new one is chosen, and named where it stands
      await tools(page, 'New clip, without movement').click()
      const field = page.getByRole('textbox', { name: 'Name of clip new' })
      await field.fill(before[0]!)
      await field.press('Enter')
      // a name that is taken is refused below the list, and what was typed stays
      await page.getByRole('region', { name: 'Clips' }).getByRole('alert').waitFor()
      await expect.poll(() => field.inputValue()).toBe(before[0])
      await field.fill('mine')
      await field.press('Enter')
      await expect.poll(sorted).toEqual([...before, 'mine'].sort())
      await expect.poll(() => chosen(page)).toBe('mine')
      await undo(page)
      await undo(page)
      await expect.poll(now).toEqual(before)

      // a copy beside it, up by the keys of the table, and gone again with Delete
      await rows(page).first().click()
      await page.keyboard.press('Control+d')
      await page.getByRole('textbox', { name: `Name of clip ${before[0]}_2` }).press('Enter')
      await expect.poll(() => chosen(page)).toBe(`${before[0]}_2`)
      const copied = await now()
      if (ordered) {
        await page.keyboard.press('Alt+ArrowUp')
        await expect.poll(now).not.toEqual(copied)
        await expect.poll(() => chosen(page)).toBe(`${before[0]}_2`)
      } else {
        await tools(page, 'More for clips').click()
        const offered = page.getByRole('dialog', { name: 'More for clips' }).getByRole('button')
        await offered.filter({ hasText: 'Split clip' }).waitFor()
        expect((await offered.allTextContents()).filter((text) => /Move (up|down)/.test(text))).toEqual([])
        await page.keyboard.press('Escape')
        await rows(page)
          .filter({ hasText: `${before[0]}_2` })
          .click()
      }
      const both = await now()
      await page.keyboard.press('Delete')
      await expect.poll(now).toEqual(before)
      await undo(page)
      await expect.poll(now).toEqual(both)
      // the key is the chosen bone's; the button is the clip's all the same
      await rows(page)
        .filter({ hasText: `${before[0]}_2` })
        .click()
      await page.getByRole('tree', { name: 'Outliner' }).getByRole('treeitem').nth(3).click()
      await tools(page, 'Delete clip').click()
      await expect.poll(now).toEqual(before)

      // at its first frame there is nothing to part: that is said, and nothing changes
      await rows(page).first().click()
      await page.keyboard.press('Home')
      await rows(page).first().click()
      await more(page, 'Split clip at the playhead')
      await page.getByRole('region', { name: 'Clips' }).getByRole('alert').waitFor()
      await expect.poll(now).toEqual(before)
      await tools(page, 'New clip, without movement').waitFor()
      await forward(page, 5)
      await more(page, 'Split clip at the playhead')
      await page.getByRole('textbox', { name: `Name of clip ${before[0]}_2` }).press('Enter')
      await expect.poll(now).toHaveLength(before.length + 1)
      await expect.poll(() => chosen(page)).toBe(`${before[0]}_2`)
      await undo(page)
      await expect.poll(now).toEqual(before)

      await rows(page).first().click()
      await runCommand(page, 'New clip from the pose at the playhead')
      await page.getByRole('textbox', { name: 'Name of clip new' }).press('Escape')
      await expect.poll(sorted).toEqual([...before, 'new'].sort())
      await undo(page)
      await expect.poll(now).toEqual(before)
    },
    SLOW,
  )
})

test(
  'the timeline shows all of the clip that comes in the place of another, or of parts',
  async ({ startApp }) => {
    const { page } = await startApp({ sample: true })
    page.setDefaultTimeout(20_000)
    await openFromLibrary(page, /San Andreas\/models\/peds/)
    await page.getByRole('button', { name: /^Clips \d/ }).click()
    const before = await names(page)
    const playback = playbackOf(page)
    const right = async (what: Locator): Promise<number> => {
      const box = await what.boundingBox()
      return box ? box.x + box.width : NaN
    }
    /** Pixels from the last frame of the clip to the end of the ruler: a margin where it is shown as a whole, far away where it is a part of it. */
    const margin = async (): Promise<number> => {
      await playback.getByRole('button', { name: 'Last frame' }).click()
      return (await right(page.getByRole('slider', { name: 'Playhead' }))) - (await right(page.locator('.timeline > .playhead')))
    }
    const whole = async (): Promise<void> => {
      await expect.poll(margin).toBeGreaterThan(20)
      await expect.poll(margin).toBeLessThan(30)
    }

    await rows(page).first().click()
    await whole()
    await more(page, 'Join with the next clip')
    await expect.poll(() => names(page)).toEqual([before[0], ...before.slice(2)])
    await whole()
    await undo(page)
    await expect.poll(() => names(page)).toEqual(before)
    await whole()

    await playback.getByRole('button', { name: 'First frame' }).click()
    await forward(page, 4)
    await more(page, 'Split clip at the playhead')
    await page.getByRole('textbox', { name: `Name of clip ${before[0]}_2` }).press('Enter')
    await whole()
    // the parts stand beside each other: joined they are one again
    await expect.poll(() => names(page)).toEqual([before[0], `${before[0]}_2`, ...before.slice(1)])
    await rows(page).first().click()
    await whole()
    await more(page, 'Join with the next clip')
    await expect.poll(() => names(page)).toEqual(before)
    await whole()
    await undo(page)
    await expect.poll(() => names(page)).toHaveLength(before.length + 1)
    await rows(page).first().click()
    await page.keyboard.press('Delete')
    await expect.poll(() => chosen(page)).toBe(`${before[0]}_2`)
    await expect.poll(() => page.getByRole('slider', { name: 'Playhead' }).getAttribute('aria-valuenow')).toBe('0')
    await whole()
  },
  SLOW,
)

test(
  'a clip that was found and has another name since stays in sight until something else is looked for',
  async ({ startApp }) => {
    const { page } = await startApp({ sample: true })
    page.setDefaultTimeout(20_000)
    await openFromLibrary(page, /San Andreas\/models\/peds/)
    await page.getByRole('button', { name: /^Clips \d/ }).click()
    const search = page.getByRole('region', { name: 'Clips' }).getByLabel('Search clips')
    await search.fill('walk')
    await expect.poll(() => names(page)).toEqual(['walk'])
    await rows(page).first().click()
    await page.keyboard.press('F2')
    const field = page.getByRole('textbox', { name: 'Name of clip walk' })
    await field.fill('stroll')
    await field.press('Enter')
    await expect.poll(() => names(page)).toEqual(['stroll'])
    await search.fill('wal')
    await page.getByRole('region', { name: 'Clips' }).getByText('No clip is called that').waitFor()
    await search.fill('stro')
    await expect.poll(() => names(page)).toEqual(['stroll'])
  },
  SLOW,
)

test(
  'a frame that is typed while a clip plays comes whole, and playback stays there',
  async ({ startApp }) => {
    const { page } = await startApp({ sample: true })
    page.setDefaultTimeout(20_000)
    await openFromLibrary(page, /San Andreas\/models\/peds/)
    const playback = playbackOf(page)
    const frame = playback.getByLabel('Current frame', { exact: true })
    await playback.getByRole('button', { name: 'Play', exact: true }).click()
    await playback.getByRole('button', { name: 'Pause' }).waitFor()
    await frame.click()
    const shown = await frame.inputValue()
    // it goes on under what is chosen to be typed over
    await expect.poll(() => frame.inputValue()).not.toBe(shown)
    await page.keyboard.type('12')
    await playback.getByRole('button', { name: 'Play', exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => frame.inputValue()).toBe('12')
    await expect.poll(() => page.getByRole('slider', { name: 'Playhead' }).getAttribute('aria-valuenow')).toBe('12')
  },
  SLOW,
)

test(
  'where a clip is stopped a frame begins, and keys are put in there for the chosen bone alone',
  async ({ startApp }) => {
    const { page, services } = await startApp({ sample: true })
    page.setDefaultTimeout(20_000)
    await openFromLibrary(page, /San Andreas\/models\/peds/)
    const playback = playbackOf(page)
    const frame = playback.getByLabel('Current frame', { exact: true })
    await page.getByRole('tree', { name: 'Outliner' }).getByRole('treeitem').filter({ hasText: 'upperarm_l' }).first().click()
    await playback.getByRole('button', { name: 'Play', exact: true }).click()
    // somewhere within the clip, and on no key of it: pressed before the next frame, which may be at one
    const [field, pause] = [await frame.elementHandle(), await playback.getByRole('button', { name: 'Pause' }).elementHandle()]
    await page.waitForFunction(
      ([time, button]: any[]) => {
        const beyond = Number(time.value) % 10
        if (beyond < 3 || beyond > 7) return false
        button.click()
        return true
      },
      [field, pause],
    )
    await expect.poll(() => frame.inputValue()).toMatch(/^\d+$/)
    const stopped = await frame.inputValue()
    await page.keyboard.press('i')
    const adjust = page.getByRole('group', { name: 'Insert keys' })
    await expect.poll(() => adjust.getByLabel('At', { exact: true }).inputValue()).toBe(stopped)
    await expect
      .poll(() => adjust.getByLabel('In', { exact: true }).evaluate((list: any) => list.selectedOptions[0].text))
      .toBe('upperarm_l')
    const signal = { signal: new AbortController().signal }
    // the bone has one track; the panel is there before the services have the step
    await expect.poll(async () => (await services.handlers['model.list']({}, signal)).at(-1)!.history.undo).toEqual(['Insert key'])
  },
  SLOW,
)

describe('the list of clips of a game that keeps each in a file', () => {
  test(
    'takes new ones, copies and names; what has no order offers none',
    async ({ startApp }) => {
      const { page } = await startApp({ sample: true })
      page.setDefaultTimeout(20_000)
      await openFromLibrary(page, /Lost Saga\/resource\/skeleton/)
      await page.getByRole('button', { name: /^Clips \d/ }).click()
      const before = await names(page)
      const now = (): Promise<(string | null)[]> => names(page)
      const sorted = async (): Promise<(string | null)[]> => (await now()).sort()

      await tools(page, 'New clip, without movement').click()
      const field = page.getByRole('textbox', { name: 'Name of clip new' })
      await field.fill('a/b')
      await field.press('Enter')
      await page.getByRole('region', { name: 'Clips' }).getByRole('alert').waitFor()
      await field.fill('mine')
      await field.press('Enter')
      await expect.poll(sorted).toEqual([...before, 'mine'].sort())
      await expect.poll(() => chosen(page)).toBe('mine')
      // it is a file of the model from now on, and not saved
      const files = page.getByRole('tree', { name: 'Outliner' }).getByText('mine.ani')
      await files.first().waitFor({ state: 'attached' })
      // files have no order, and hold one clip each
      await tools(page, 'More for clips').click()
      const offered = page.getByRole('dialog', { name: 'More for clips' }).getByRole('button')
      await offered.filter({ hasText: 'Split clip' }).waitFor()
      expect((await offered.allTextContents()).filter((text) => /Move/.test(text))).toEqual([])
      await page.keyboard.press('Escape')
      await undo(page)
      await undo(page)
      await expect.poll(now).toEqual(before)

      await rows(page).first().click()
      await page.keyboard.press('Control+d')
      await page.getByRole('textbox', { name: `Name of clip ${before[0]}_2` }).press('Enter')
      await expect.poll(() => chosen(page)).toBe(`${before[0]}_2`)
      await page.keyboard.press('Delete')
      await expect.poll(now).toEqual(before)

      // a frame is no whole number of the milliseconds that the file counts in
      await rows(page).nth(1).click()
      await forward(page, 4)
      await more(page, 'New clip from the pose at the playhead')
      await page.getByRole('textbox', { name: 'Name of clip new' }).press('Escape')
      await expect.poll(() => chosen(page)).toBe('new')
      // what was shown before is shown again
      await undo(page)
      await expect.poll(now).toEqual(before)
      await expect.poll(() => chosen(page)).toBe(before[1])
      // all of what is in sight is all of the clip
      const reach = (): Promise<string | null> => reachOf(page)
      const whole = await reach()
      await more(page, 'New clip from the range in sight')
      await page.getByRole('textbox', { name: 'Name of clip new' }).press('Escape')
      await expect.poll(reach).toBe(whole)
      await undo(page)

      // parts that do not stand beside each other are joined by name
      await rows(page).first().click()
      await forward(page, 4)
      await more(page, 'Split clip at the playhead')
      await page.getByRole('textbox', { name: `Name of clip ${before[0]}_2` }).press('Enter')
      await expect.poll(sorted).toEqual([...before, `${before[0]}_2`].sort())
      await rows(page).first().click()
      await tools(page, 'More for clips').click()
      const popover = page.getByRole('dialog', { name: 'More for clips' })
      await popover.getByRole('combobox', { name: 'Join with another clip…' }).selectOption({ label: `${before[0]}_2` })
      await expect.poll(now).toEqual(before)
      await expect.poll(() => chosen(page)).toBe(before[0])
    },
    SLOW,
  )
})

describe('the list of motions of a game that plays them by number', () => {
  test(
    'is parted and joined again, whatever numbers stand between; what is taken back shows what was shown before',
    async ({ startApp }) => {
      const { page } = await startApp({ sample: true })
      page.setDefaultTimeout(20_000)
      await openFromLibrary(page, /Dark Cloud 2\/adventurer/)
      const slices = page.getByRole('grid', { name: 'Slices' }).getByRole('row')
      const listed = (): Promise<(string | null)[]> => labels(slices)
      const before = await listed()
      const reach = (): Promise<string | null> => reachOf(page)
      await slices.nth(1).click()
      const whole = await reach()
      await more(page, 'New clip, without movement')
      await expect.poll(listed).toHaveLength(before.length + 1)
      await expect.poll(reach).not.toBe(whole)
      await page.keyboard.press('Escape')
      await undo(page)
      await expect.poll(listed).toEqual(before)
      await expect.poll(reach).toBe(whole)

      await slices.nth(1).click()
      await forward(page, 4)
      await more(page, 'Split clip at the playhead')
      await expect.poll(listed).toHaveLength(before.length + 1)
      await page.keyboard.press('Escape')
      await slices.nth(1).click()
      await expect.poll(reach).not.toBe(whole)
      await more(page, 'Join with the next clip')
      await expect.poll(listed).toEqual(before)
      await expect.poll(reach).toBe(whole)
    },
    SLOW,
  )
})

describe('clips and their files', () => {
  test(
    'are taken from another file, and joined',
    async ({ startApp }) => {
      const { page } = await startApp({ sample: true })
      page.setDefaultTimeout(20_000)
      await openFromLibrary(page, /San Andreas\/models\/peds/)
      await page.getByRole('button', { name: /^Clips \d/ }).click()
      const before = await names(page)
      const own = sampleFiles().find(({ path }) => path === 'San Andreas/models/adventurer.ifp')!
      const renamed = before.reduce<string>(
        (text, name) => text.replace(`${name}\0`, `Z${name!.slice(1)}\0`),
        Buffer.from(own.bytes).toString('latin1'),
      )
      const merge = async (name: string, bytes: Buffer): Promise<void> => {
        const chooser = page.waitForEvent('filechooser')
        await more(page, 'Add clips from a file…')
        await (await chooser).setFiles({ name, mimeType: '', buffer: bytes })
      }
      await merge('own.ifp', Buffer.from(own.bytes))
      await page.getByRole('region', { name: 'Clips' }).getByText('there is a clip called').waitFor()
      await merge('other.ifp', Buffer.from(renamed, 'latin1'))
      const more4 = [...before, ...before.map((name) => `Z${name!.slice(1)}`)]
      await expect.poll(() => names(page)).toEqual(more4)
      await expect.poll(() => chosen(page)).toBe(more4.at(-1))
      await rows(page)
        .nth(more4.length - 2)
        .click()
      await more(page, 'Join with the next clip')
      await expect.poll(() => names(page)).toEqual(more4.slice(0, -1))
      await expect.poll(() => chosen(page)).toBe(more4.at(-2))
      await undo(page)
      await undo(page)
      await expect.poll(() => names(page)).toEqual(before)
    },
    SLOW,
  )

  test(
    'go into a file that the game reads whole, by another name with their own file, and behind each other',
    async ({ startApp }) => {
      const { page } = await startApp({ sample: true })
      page.setDefaultTimeout(20_000)
      await openFromLibrary(page, /WALKER_SKN/i)
      await page.getByRole('button', { name: /^Clips \d/ }).click()
      const before = await names(page)
      // a long list of files is drawn where it is looked at
      const search = page.getByLabel('Search the outliner')
      const hasFile = async (name: string, has: boolean): Promise<void> => {
        await search.fill(name)
        const found = page.getByRole('tree', { name: 'Outliner' }).getByRole('treeitem').filter({ hasText: name })
        await (has ? found.first() : page.getByText('Nothing is called that')).waitFor()
        await search.fill('')
      }
      await rows(page).first().click()
      await page.keyboard.press('Control+d')
      await page.getByRole('textbox', { name: 'Name of clip WALKER_FRA_2' }).press('Enter')
      await hasFile('WALKER_FRA_2.W3D', true)
      // the file goes by the name of the clip
      await rows(page).filter({ hasText: 'WALKER_FRA_2' }).click()
      await page.keyboard.press('F2')
      const field = page.getByRole('textbox', { name: 'Name of clip WALKER_FRA_2' })
      await field.fill('MINE')
      await field.press('Enter')
      await hasFile('MINE.W3D', true)
      await hasFile('WALKER_FRA_2.W3D', false)
      // where the game would not find it, it is not put
      await tools(page, 'More for clips').click()
      const popover = page.getByRole('dialog', { name: 'More for clips' })
      const targets = popover.getByRole('button').filter({ hasText: /^Move to/ })
      await expect.poll(() => targets.allTextContents()).toEqual(['Move to WALKER_SKN.W3D', 'Move to WALKER_SKL.W3D'])
      await targets.last().click()
      await hasFile('MINE.W3D', false)
      await expect.poll(() => chosen(page)).toBe('MINE')
      expect((await names(page)).sort()).toEqual([...before, 'MINE'].sort())
      for (let i = 0; i < 3; i++) await undo(page)
      await expect.poll(() => names(page)).toEqual(before)
    },
    SLOW,
  )

  test(
    'are stored plain where their frames are packed, from where that is told',
    async ({ startApp }) => {
      const { page, screenshot } = await startApp({ sample: true })
      page.setDefaultTimeout(20_000)
      await openFromLibrary(page, /WALKER_SKN/i)
      await page.getByRole('button', { name: /^Clips \d/ }).click()
      await rows(page).filter({ hasText: 'WALKER_FRA' }).click()
      await page.getByRole('tree', { name: 'Keys' }).getByRole('treeitem').nth(1).click()
      const bar = page.getByRole('toolbar', { name: 'Posing' })
      await bar.getByRole('button', { name: 'Turn bone' }).click()
      const told = bar.getByText('Packed: a large edit changes frames beside it')
      await told.waitFor()
      await screenshot('clips-packed')
      await bar.getByRole('button', { name: 'Store plain' }).click()
      await page.getByText(/^The frames of \d+ tracks stand plain: .+ more$/).waitFor()
      await told.waitFor({ state: 'detached' })
      await screenshot('clips-plain')
      await tools(page, 'More for clips').click()
      const popover = page.getByRole('dialog', { name: 'More for clips' })
      await expect.poll(() => popover.getByRole('button', { name: 'Split clip at the playhead' }).count()).toBe(1)
      await expect.poll(() => popover.getByRole('button', { name: 'Store packed frames plain' }).count()).toBe(0)
      await page.keyboard.press('Escape')
      await undo(page)
      await told.waitFor()
      await runCommand(page, 'Store packed frames plain')
      await told.waitFor({ state: 'detached' })
    },
    SLOW,
  )
})

describe('what has one name in two folders', () => {
  test(
    'has its folder behind it, clips of two ped.ifp in their list and two figures in their tabs',
    async ({ startApp, place: folder }) => {
      const put = (path: string, bytes: Uint8Array): void => {
        mkdirSync(dirname(join(folder, path)), { recursive: true })
        writeFileSync(join(folder, path), bytes)
      }
      const bytesOf = (name: string): Uint8Array =>
        sampleFiles().find(({ path }) => path.startsWith('San Andreas/') && path.endsWith(`/${name}`))!.bytes
      for (const side of ['game', 'mod']) {
        put(`${side}/anim/ped.ifp`, bytesOf('adventurer.ifp'))
        for (const name of ['adventurer.dff', 'adventurer.txd']) put(`${side}/models/${name}`, bytesOf(name))
      }
      const { page, screenshot } = await startApp({ folder })
      page.setDefaultTimeout(20_000)
      await openFromLibrary(page, /^game\/models/)
      await page.getByRole('button', { name: /^Clips \d/ }).click()

      const walks = rows(page).filter({ hasText: 'walk' })
      await expect
        .poll(async () => (await walks.allTextContents()).map((text) => /walk (\S+\.ifp)/.exec(text)?.[1]).sort())
        .toEqual(['game/anim/ped.ifp', 'mod/anim/ped.ifp'])
      const told = (await names(page)).map((name) => name!)
      expect(new Set(told).size).toBe(told.length)
      // what is chosen is what plays, and where there is no room for the folder the tip has it
      const other = walks.filter({ hasText: 'mod/anim' })
      await other.click()
      await expect.poll(() => chosen(page)).toContain('mod/anim/ped.ifp')
      await expect.poll(() => other.getByTitle(/mod\/anim\/ped\.ifp/).count()).toBe(1)

      await page.getByRole('tab', { name: basename(folder) }).click()
      await openFromLibrary(page, /^mod\/models/)
      const tabs = page.getByRole('tab', { name: /^adventurer/ })
      await expect.poll(() => tabs.allTextContents()).toEqual(['adventurer game/models', 'adventurer mod/models'])
      await screenshot('one-name-two-folders')
    },
    SLOW,
  )
})
