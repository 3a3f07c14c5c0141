/** The dope sheet shows what it takes: after every switch, scroll and resize a label, its row in the picture and the row that a click finds are one. */
import type { Locator } from 'playwright'
import { curvesOf, valueRange, valueToY } from '../../src/renderer/features/timeline/curves.ts'
import { describe, expect, test } from './harness.ts'
import type { App } from './harness.ts'
import { figureIn } from './steps.ts'

type Page = App['page']

declare const document: any
declare const scheduler: { postTask(act: () => void, options: object): Promise<void> }

/** All that a part of the window says: its words, names and tips. */
const saidIn = (part: Locator): Promise<string[]> =>
  part
    .locator('*')
    .evaluateAll((all) =>
      all.flatMap((one) =>
        [one.textContent, one.getAttribute('title'), one.getAttribute('aria-label')].flatMap((text) => text?.trim() || []),
      ),
    )

const sheetOf = (page: Page) => page.getByRole('tree', { name: 'Keys' })

async function openSample(app: App): Promise<Page> {
  const { page } = app
  await page.getByText(/^Scanned /).waitFor({ timeout: 60_000 })
  await page.getByText('Dark Cloud/chara/adventurer.chr').first().dblclick()
  await page.getByRole('toolbar', { name: 'Posing' }).waitFor({ timeout: 60_000 })
  await sheetOf(page).getByRole('treeitem').first().waitFor()
  return page
}

/** What was drawn last is on the screen. */
const drawn = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))))

interface Label {
  name: string
  y: number
  height: number
}

/** Labels that are wholly in sight, from the top. */
async function labelsInSight(page: Page): Promise<Label[]> {
  const sheet = (await sheetOf(page).boundingBox())!
  const all = await sheetOf(page)
    .getByRole('treeitem')
    .evaluateAll((items) =>
      items.map((item) => {
        const { y, height } = item.getBoundingClientRect()
        return { name: item.textContent?.trim() ?? '', y, height }
      }),
    )
  return all.filter((l) => l.y >= sheet.y && l.y + l.height <= sheet.y + sheet.height).sort((a, b) => a.y - b.y)
}

/** Pixels from the top of the window between which the picture shows marks of the chosen bone. */
function markedInPicture(page: Page): Promise<[number, number] | null> {
  return sheetOf(page)
    .locator('canvas')
    .evaluate((element): [number, number] | null => {
      const canvas = element as HTMLCanvasElement
      const probe = document.createElement('canvas').getContext('2d')!
      probe.fillStyle = getComputedStyle(canvas).getPropertyValue('--selection').trim()
      probe.fillRect(0, 0, 1, 1)
      const chosen = [...probe.getImageData(0, 0, 1, 1).data].slice(0, 3)
      const { width, height } = canvas
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, width, height)
      const marked = (y: number): boolean => {
        for (let i = 4 * y * width; i < 4 * (y + 1) * width; i += 4)
          if (data[i + 3] === 255 && chosen.every((c, k) => Math.abs(c - data[i + k]) <= 2)) return true
        return false
      }
      const lines = Array.from({ length: height }, (_, y) => y).filter(marked)
      if (!lines.length) return null
      const box = canvas.getBoundingClientRect()
      const scale = box.height / height
      return [box.top + lines[0] * scale, box.top + (lines.at(-1)! + 1) * scale]
    })
}

/** The label, the picture and what a click takes name one row: at the top and at the end of what is in sight. */
async function expectOneState(page: Page, when: string): Promise<void> {
  await drawn(page)
  const labels = (await labelsInSight(page)).filter((l) => l.name !== 'All keys' && !l.name.startsWith('type '))
  const sheet = (await sheetOf(page).boundingBox())!
  // rows fill the sheet: none has lost its label
  expect(labels.length, `labels in sight ${when}`).toBeGreaterThanOrEqual(Math.min(3, Math.floor(sheet.height / 18) - 1))
  const canvas = (await sheetOf(page).locator('canvas').boundingBox())!
  for (const label of [labels[0], labels.at(-1)!]) {
    const middle = label.y + label.height / 2
    // right of the last key
    await page.mouse.click(canvas.x + canvas.width - 5, middle)
    await drawn(page)
    const taken = await sheetOf(page).locator('[role="treeitem"][aria-selected="true"]').allTextContents()
    expect([...new Set(taken.map((t) => t.trim()))], `row taken at ${label.name} ${when}`).toContain(label.name)
    const marked = await markedInPicture(page)
    expect(marked, `keys of ${label.name} in the picture ${when}`).not.toBeNull()
    expect(marked![0], `picture of ${label.name} ${when}`).toBeGreaterThanOrEqual(label.y)
    expect(marked![1], `picture of ${label.name} ${when}`).toBeLessThanOrEqual(label.y + label.height)
  }
}

async function scrollRows(page: Page, by: number): Promise<void> {
  const sheet = (await sheetOf(page).boundingBox())!
  await page.mouse.move(sheet.x + 60, sheet.y + sheet.height / 2)
  const top = await sheetOf(page).evaluate((element) => element.scrollTop)
  await page.mouse.wheel(0, by)
  await expect.poll(() => sheetOf(page).evaluate((element) => element.scrollTop)).not.toBe(top)
}

describe('the table of slices', () => {
  test('marks the name that is refused, holds it until it is mended or dropped, and says nothing more then', async ({ startApp }) => {
    const app = await startApp({ sample: true })
    const page = await openSample(app)
    const table = page.getByRole('region', { name: 'Slices', exact: true })
    const cell = (what: string) => table.getByRole('textbox', { name: `${what} of slice 1`, exact: true })
    const old = await cell('Name').inputValue()
    const told = table.getByText(/^Slice 1: /)
    const refuse = async (): Promise<void> => {
      await cell('Name').dblclick()
      // no script of the game has such a character
      await cell('Name').fill('😀')
      await told.waitFor()
      await expect.poll(() => cell('Name').getAttribute('aria-invalid')).toBe('true')
      for (const other of ['Start', 'End', 'Speed']) await expect.poll(() => cell(other).getAttribute('aria-invalid')).toBeNull()
    }
    await refuse()
    await app.screenshot('slice-name-refused')
    await cell('Name').press('Enter')
    await drawn(page)
    await expect.poll(() => cell('Name').evaluate((field) => field === document.activeElement)).toBe(true)
    await expect.poll(() => cell('Name').inputValue()).toBe('😀')
    await cell('Name').press('Escape')
    await told.waitFor({ state: 'detached' })
    await expect.poll(() => cell('Name').inputValue()).toBe(old)
    await expect.poll(() => cell('Name').getAttribute('aria-invalid')).toBeNull()
    // left by a click on another row
    await refuse()
    await table.getByRole('textbox', { name: 'Start of slice 0', exact: true }).click()
    await told.waitFor({ state: 'detached' })
    await expect.poll(() => cell('Name').inputValue()).toBe(old)
    // and mended
    await refuse()
    await cell('Name').fill('mended')
    await cell('Name').press('Enter')
    await page.getByRole('tab', { name: /unsaved edits/ }).waitFor()
    await told.waitFor({ state: 'detached' })
    await expect.poll(() => cell('Name').inputValue()).toBe('mended')
  }, 240_000)
})

describe('the dope sheet', () => {
  test('takes the row that it shows after every switch, scroll and resize', async ({ startApp }) => {
    const page = await openSample(await startApp({ sample: true }))
    await expectOneState(page, 'at first')
    await scrollRows(page, 144)
    await expectOneState(page, 'scrolled')
    const top = await sheetOf(page).evaluate((element) => element.scrollTop)

    await page.getByRole('button', { name: 'Show curves' }).click()
    await page.getByRole('group', { name: 'Curves', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Show keys' }).click()
    await expectOneState(page, 'after the curves')
    // who comes back finds the rows where they were
    await expect.poll(() => sheetOf(page).evaluate((element) => element.scrollTop)).toBe(top)

    await page.getByRole('button', { name: 'Show keys' }).click()
    await sheetOf(page).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Show keys' }).click()
    await expectOneState(page, 'hidden and shown')

    await page.getByRole('tab', { name: 'History' }).click()
    await sheetOf(page).waitFor({ state: 'hidden' })
    await page.getByRole('tab', { name: 'Timeline' }).click()
    await expectOneState(page, 'after another panel')

    await page.setViewportSize({ width: 1024, height: 700 })
    await expectOneState(page, 'in a small window')
    await scrollRows(page, 10_000)
    await expectOneState(page, 'at the end')
    // more rows fit than are left below: the sheet moves on its own
    await page.setViewportSize({ width: 1440, height: 1100 })
    await expectOneState(page, 'in a tall window')

    // another lane above takes room from the sheet
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Add a marker at the playhead' }).click()
    await page.getByRole('textbox', { name: /^Name of marker/ }).press('Enter')
    await expectOneState(page, 'below a marker')

    // tracks of a bone open and close
    const first = (await labelsInSight(page)).find((l) => l.name !== 'All keys')!
    await sheetOf(page)
      .getByRole('treeitem')
      .filter({ has: page.getByText(first.name, { exact: true }) })
      .dblclick()
    await expectOneState(page, 'with a bone opened')
    await page.getByRole('combobox', { name: 'Clip', exact: true }).selectOption({ label: 'Bind pose' })
    await page.getByText('Choose a clip to see its keys').waitFor()
    await page.getByRole('combobox', { name: 'Clip', exact: true }).selectOption({ label: 'adventurer' })
    await sheetOf(page).getByRole('treeitem').first().waitFor()
    await expectOneState(page, 'of another clip')
  }, 300_000)
})

/** Times of the keys of one rotation track. */
async function timesOf({ services }: App, bone: string): Promise<number[]> {
  const signal = new AbortController().signal
  const [{ id: model }] = await services.handlers['model.list']({}, { signal })
  const tracks = await services.handlers['clips.tracks']({ model, clip: 0 }, { signal })
  return [...tracks.find((t) => t.target === bone && t.property === 'rotation')!.times]
}

describe('dragged keys', () => {
  test('say where they come to, are scaled by handles at their ends, and the bar below scrolls the time', async ({ startApp }) => {
    const app = await startApp({ sample: true })
    const page = await openSample(app)
    const before = await timesOf(app, 'spine')
    const label = (await labelsInSight(page)).find(({ name }) => name === 'spine')!
    const canvas = (await sheetOf(page).locator('canvas').boundingBox())!
    // the whole clip is in sight, with a margin on both sides
    const end = before.at(-1)!
    const scale = (canvas.width - 48) / (end - before[0])
    const xOf = (time: number): number => canvas.x + 24 + (time - before[0]) * scale
    const y = label.y + label.height / 2
    const told = page.locator('.drag-readout')
    const { picture, shows } = figureIn(page)
    const seek = async (frame: number): Promise<void> => {
      const field = page.getByLabel('Current frame', { exact: true })
      await field.fill(String(frame))
      await field.press('Enter')
      await field.blur()
    }
    const pulled = async (from: [number, number], by: number): Promise<string> => {
      await page.mouse.move(...from)
      await page.mouse.down()
      for (let i = 1; i <= 4; i++) await page.mouse.move(from[0] + (i / 4) * by, from[1])
      return (await told.textContent())!.trim()
    }

    // keys of the first slice by a box, around its row alone
    const first = before.filter((time) => time <= 40)
    await page.mouse.move(xOf(first[0]) - 8, y - 8)
    await page.mouse.down()
    for (let i = 1; i <= 4; i++) await page.mouse.move(xOf(first[0]) - 8 + (i / 4) * (xOf(40.5) - xOf(first[0]) + 8), y + 4)
    await page.mouse.up()
    const handle = page.getByRole('slider', { name: 'Scale chosen keys, by their last' })
    await handle.waitFor()
    const last = Number(await handle.getAttribute('aria-valuenow'))
    await seek(Math.round((first[0] + last) / 2))
    const unscaled = await picture()
    const box = (await handle.boundingBox())!
    // half of the time that they take: the drag says so before it is done
    const half = first[0] + (last - first[0]) / 2
    const text = await pulled([box.x + box.width / 2, box.y + box.height / 2], (half - last) * scale)
    expect(text).toBe(
      `frames ${Math.round(half)} (${Number((((Math.round(half) - first[0]) / (last - first[0])) * 100).toPrecision(4))} %)`,
    )
    // the picture follows, before anything is edited
    await expect.poll(() => shows(unscaled)).toBe(false)
    await app.screenshot('keys-scaled-by-handle')
    await page.mouse.up()
    await page.getByRole('tab', { name: /unsaved edits/ }).waitFor()
    await expect.poll(async () => Math.max(...(await timesOf(app, 'spine')).filter((time) => time <= 40))).toBe(Math.round(half))
    await told.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Undo/ }).click()
    await expect.poll(() => timesOf(app, 'spine')).toEqual(before)

    // one key by its mark
    await page.keyboard.press('Escape')
    const key = before.findIndex((time) => time >= 50)
    const free = (before[key] + before[key + 1]) / 2
    await seek(before[key])
    await page.mouse.click(xOf(before[key]), y)
    const still = await picture()
    expect(await pulled([xOf(before[key]), y], (Math.floor(free) - before[key]) * scale)).toBe(
      `frames ${Math.floor(free)} (+${Math.floor(free) - before[key]})`,
    )
    await expect.poll(() => shows(still)).toBe(false)
    await app.screenshot('keys-dragged')
    await page.keyboard.press('Escape')
    await told.waitFor({ state: 'detached' })
    await page.mouse.up()
    await expect.poll(() => shows(still)).toBe(true)
    await expect.poll(() => timesOf(app, 'spine')).toEqual(before)

    // a playhead that stops stands on a frame; a key that is put in there is one of the chosen bone alone
    const tracks = async (): Promise<string[]> => {
      const signal = new AbortController().signal
      const [{ id: model }] = await app.services.handlers['model.list']({}, { signal })
      const all = await app.services.handlers['clips.tracks']({ model, clip: 0 }, { signal })
      return all.flatMap(({ target, property, times }) => Array.from(times, (time) => `${target} ${property} ${time}`))
    }
    const all = new Set(await tracks())
    const now = page.getByLabel('Current frame', { exact: true })
    await sheetOf(page)
      .getByRole('treeitem')
      .filter({ has: page.getByText('spine', { exact: true }) })
      .click()
    const stood = await now.inputValue()
    await page.keyboard.press('Space')
    await expect.poll(() => now.inputValue()).not.toBe(stood)
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
    // one that has a key already has none put in
    while (before.includes(Number(await now.inputValue()))) await page.keyboard.press('ArrowRight')
    await page.keyboard.press('i')
    await expect.poll(async () => (await tracks()).length).toBeGreaterThan(all.size)
    const put = (await tracks()).filter((key) => !all.has(key))
    const frame = Number(await now.inputValue())
    expect(put).toContain(`spine rotation ${frame}`)
    expect(Number.isInteger(frame)).toBe(true)
    for (const key of put) expect(key).toMatch(new RegExp(`^spine \\w+ ${frame}$`))
    await page.getByRole('button', { name: /^Undo/ }).click()
    await expect.poll(async () => (await tracks()).length).toBe(all.size)

    // the bar: all of the time, then a part of it that is moved
    const bar = page.getByRole('slider', { name: 'Part of the time in sight' })
    for (let i = 0; i < 3; i++) await page.getByRole('button', { name: 'Zoom in' }).click()
    const at = async (): Promise<number> => Number(await bar.getAttribute('aria-valuenow'))
    const from = await at()
    await bar.press('ArrowRight')
    await expect.poll(at).toBeGreaterThan(from)
    await bar.press('Home')
    await expect.poll(at).toBeLessThanOrEqual(before[0])
    const [thumb, whole] = [(await bar.locator('.thumb').boundingBox())!, (await bar.boundingBox())!]
    await page.mouse.move(thumb.x + 6, thumb.y + 3)
    await page.mouse.down()
    await page.mouse.move(thumb.x + 6 + whole.width, thumb.y + 3, { steps: 4 })
    await page.mouse.up()
    // at its other end the last key is in sight
    const moved = (await bar.locator('.thumb').boundingBox())!
    expect(moved.x + moved.width).toBeCloseTo(whole.x + whole.width, 0)
  }, 120_000)
})

describe('presses of an arrow in a row', () => {
  test('are one step of undo, on a slice, on a marker and on chosen keys; undo in the row takes them back', async ({ startApp }) => {
    const app = await startApp({ sample: true })
    const page = await openSample(app)
    const signal = new AbortController().signal
    const model = async () => (await app.services.handlers['model.list']({}, { signal }))[0]
    const history = async (): Promise<string[]> => (await model()).history.undo
    const scene = async () => (await app.services.handlers['model.scene']({ model: (await model()).id }, { signal })).scene
    /** Goes before timers, as a keyboard's keys do: each sent from here by itself, a busy machine has the next one when the row is over. */
    const press = (...keys: string[]): Promise<void> =>
      page.evaluate(async (all) => {
        for (const [key, ...held] of all.map((one) => one.split('+').reverse()))
          await scheduler.postTask(
            () =>
              document.activeElement.dispatchEvent(
                new KeyboardEvent('keydown', { key, ctrlKey: held.includes('Control'), bubbles: true, cancelable: true }),
              ),
            { priority: 'user-blocking' },
          )
      }, keys)

    const slice = async (): Promise<number[]> => (await scene()).slices.slice(1, 2).flatMap(({ start, end }) => [start, end])
    const [start, end] = await slice()
    const bars = page.getByRole('group', { name: 'Slice bars' })
    const bar = bars.getByRole('button', { name: /^Slice 1 / })
    await bar.focus()
    await press('ArrowRight', 'ArrowRight', 'ArrowRight')
    // where it comes to is shown at once
    await expect.poll(() => bar.getAttribute('aria-label')).toContain(`${start + 3} to ${end + 3}`)
    await expect.poll(slice).toEqual([start + 3, end + 3])
    await expect.poll(async () => (await history()).length).toBe(1)
    await bar.press('Control+z')
    await expect.poll(slice).toEqual([start, end])
    await press('ArrowLeft', 'ArrowLeft', 'Control+z')
    await expect.poll(() => bar.getAttribute('aria-label')).toContain(`${start} to ${end}`)
    await expect.poll(history).toEqual([])
    // another place in the focus has those before it given
    await bar.press('Enter')
    await page.getByRole('button', { name: 'Pause', exact: true }).click()
    const handle = bars.getByRole('slider', { name: /^End of slice 1 / })
    await handle.focus()
    await press('ArrowRight', 'ArrowRight')
    await handle.blur()
    await expect.poll(slice).toEqual([start, end + 2])
    await expect.poll(async () => (await history()).length).toBe(1)

    await page.keyboard.press('m')
    await page.getByLabel('Name of marker Marker 1').press('Escape')
    await expect.poll(async () => (await history()).length).toBe(2)
    const marker = async (): Promise<number[]> => (await scene()).markers.map(({ time }) => time)
    const [at] = await marker()
    await page.getByRole('button', { name: /^Marker Marker 1/ }).focus()
    await press('ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight')
    await expect.poll(marker).toEqual([at + 4])
    await expect.poll(async () => (await history()).length).toBe(3)

    await sheetOf(page)
      .getByRole('treeitem')
      .filter({ has: page.getByText('spine', { exact: true }) })
      .click()
    await page.keyboard.press('Control+a')
    const scaled = page.locator('.scale-handle').last()
    const last = Number(await scaled.getAttribute('aria-valuenow'))
    await scaled.focus()
    // the handle says where it is put, before that is an edit
    const said = await scaled.evaluate(async (handle: any) => {
      const step = (): void => handle.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true }))
      step()
      await new Promise((done) => requestAnimationFrame(done))
      const first = Number(handle.getAttribute('aria-valuenow'))
      step()
      step()
      return first
    })
    expect(said).toBe(last - 1)
    await expect.poll(async () => Number(await scaled.getAttribute('aria-valuenow'))).toBe(last - 3)
    await expect.poll(async () => (await history()).length).toBe(4)

    // chosen keys: as far as the presses come to, back and forth
    await sheetOf(page).focus()
    await press(...Array.from({ length: 4 }, () => 'Control+ArrowRight'), 'Control+ArrowLeft')
    await expect.poll(async () => Number(await scaled.getAttribute('aria-valuenow'))).toBe(last)
    await expect.poll(async () => (await history()).length).toBe(5)
    await page.keyboard.press('Control+z')
    await expect.poll(async () => (await history()).length).toBe(4)
    // another way than the one before is a step of its own, once that one is over
    await press('Control+ArrowLeft')
    await expect.poll(async () => (await history()).length).toBe(5)
  }, 120_000)
})

describe('the lists of the play controls', () => {
  test('are not written anew by what leaves them as they are: time that passes, an edit of keys', async ({ startApp }) => {
    const page = await openSample(await startApp({ sample: true }))
    const controls = page.getByRole('toolbar', { name: 'Playback' })
    const lists = { Clip: 'adventurer', Slice: '0 立ち', 'Playback speed': '1×' }
    const shownIn = (name: string) => controls.getByRole('combobox', { name, exact: true }).locator('option:checked').innerText()
    for (const [name, shown] of Object.entries(lists)) await expect.poll(() => shownIn(name)).toBe(shown)
    await controls.evaluate((bar: any) => {
      bar.written = []
      new MutationObserver((all) => {
        for (const { target } of all as any[]) if (/^(SELECT|OPTION)$/.test(target.nodeName)) bar.written.push(target.textContent)
      }).observe(bar, { subtree: true, childList: true, attributes: true })
    })
    const written = (): Promise<string[]> => controls.evaluate((bar: any) => bar.written)

    const time = page.getByRole('slider', { name: 'Scrub', exact: true })
    const before = await time.inputValue()
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await expect.poll(() => time.inputValue()).not.toBe(before)
    await page.getByRole('button', { name: 'Pause', exact: true }).click()
    await sheetOf(page).focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Control+ArrowRight')
    await page.getByRole('tab', { name: /unsaved edits/ }).waitFor()
    await expect.poll(() => page.getByRole('group', { name: /^Last operation/ }).count()).toBe(1)
    await drawn(page)
    await expect.poll(written).toEqual([])

    // what is another is shown
    await page.getByRole('combobox', { name: 'Slice', exact: true }).selectOption({ index: 2 })
    await expect.poll(() => time.inputValue()).toBe('50')
    await page.getByRole('combobox', { name: 'Clip', exact: true }).selectOption({ index: 0 })
    await expect.poll(() => shownIn('Slice')).toBe('Whole clip')
    await expect.poll(() => shownIn('Clip')).toBe('Bind pose')
  }, 120_000)
})

describe('curves of degrees', () => {
  test('are dragged: the angle that was meant changes, of the chosen key alone, and is a rotation in the file', async ({ startApp }) => {
    const app = await startApp({ sample: true })
    const page = await openSample(app)
    const signal = new AbortController().signal
    const tracksOf = async () => {
      const [{ id: model }] = await app.services.handlers['model.list']({}, { signal })
      return app.services.handlers['clips.tracks']({ model, clip: 0 }, { signal })
    }
    const tracks = async () => (await tracksOf()).filter((t) => t.target === 'spine')
    const before = await tracks()
    await sheetOf(page)
      .getByRole('treeitem')
      .filter({ has: page.getByText('spine', { exact: true }) })
      .click()
    await page.getByRole('button', { name: 'Show curves' }).click()
    const curves = page.getByRole('group', { name: 'Curves', exact: true })
    await expect.poll(() => curves.getByRole('button', { name: 'Degrees' }).getAttribute('aria-pressed')).toBe('true')
    // tracks have the words of those who animate, where the pointer rests on them too: the file's number of a type is none
    await expect.poll(() => saidIn(curves)).toContain('spine Rotation')
    await expect.poll(async () => (await saidIn(curves)).filter((text) => /\btype \d/.test(text))).toEqual([])
    const canvas = (await curves.locator('canvas').boundingBox())!

    const shown = curvesOf(before, true)
    const range = valueRange(shown)
    const curve = shown.find(({ name }) => name === 'x°')!
    const { times } = curve.track
    const [start, end] = [Math.min(...before.map((t) => t.times[0])), Math.max(...before.map((t) => t.times.at(-1)!))]
    const scale = (canvas.width - 48) / (end - start)
    const place = (k: number, c: (typeof shown)[number] = curve): [number, number] => [
      canvas.x + 24 + (times[k] - start) * scale,
      canvas.y + valueToY(range, canvas.height, c.values[3 * k + c.at]),
    ]
    // a key at which no other curve is near
    const key = Array.from(times, (_, k) => k)
      .slice(1, -1)
      .sort((a, b) => clearance(b) - clearance(a))[0]
    function clearance(k: number): number {
      return Math.min(...shown.filter((c) => c !== curve && c.degrees).map((c) => Math.abs(place(k, c)[1] - place(k)[1])))
    }
    const [x, y] = place(key)
    const up = -Math.round(canvas.height / 5)
    const frame = page.getByLabel('Current frame', { exact: true })
    await frame.fill(String(times[key]))
    await frame.press('Enter')
    await frame.blur()
    const { picture, shows } = figureIn(page)
    const still = await picture()
    const take = async (): Promise<void> => {
      await page.mouse.move(x, y)
      await page.mouse.down()
      for (let i = 1; i <= 4; i++) await page.mouse.move(x, y + (i / 4) * up)
      // the picture follows, before anything is edited
      await expect.poll(() => shows(still)).toBe(false)
    }
    await take()
    await page.keyboard.press('Escape')
    await page.mouse.up()
    await expect.poll(() => shows(still)).toBe(true)
    // the number of the key that was chosen is followed as well
    const number = page.getByRole('group', { name: 'Chosen keys' }).getByRole('textbox').nth(2)
    await number.fill('0.5')
    await expect.poll(() => shows(still)).toBe(false)
    await number.press('Escape')
    await expect.poll(() => shows(still)).toBe(true)
    await number.blur()
    await take()
    await app.screenshot('degrees-dragged')
    await page.mouse.up()
    await page.getByRole('tab', { name: /unsaved edits/ }).waitFor()
    expect((await app.services.handlers['model.list']({}, { signal }))[0].history.undo).toEqual(['Change x° of key'])

    const after = curvesOf(await tracks(), true)
    const by = (-up / canvas.height) * (range.max - range.min)
    const degreesAt = (list: typeof shown, k: number): number[] => {
      const { values } = list.find(({ name }) => name === 'x°')!
      return [...values.subarray(3 * k, 3 * k + 3)]
    }
    const [was, is] = [degreesAt(shown, key), degreesAt(after, key)]
    expect(is[0] - was[0]).toBeCloseTo(by, 1)
    for (const c of [1, 2]) expect(is[c]).toBeCloseTo(was[c], 1)
    for (const k of [key - 1, key + 1]) expect(degreesAt(after, k)).toEqual(degreesAt(shown, k))
    await page.getByRole('button', { name: /^Undo/ }).click()
    await expect.poll(async () => (await tracks()).map(({ values }) => [...values])).toEqual(before.map(({ values }) => [...values]))

    // of a bone with tracks of other sizes too: a press on a point leaves the others on screen, and the scale as it was
    await page
      .getByRole('tree', { name: 'Outliner' })
      .getByRole('treeitem')
      .filter({ has: page.getByText('pelvis', { exact: true }) })
      .click()
    const parts = curves.getByRole('button', { name: /of pelvis/ })
    await expect.poll(() => parts.count()).toBe(6)
    const both = curvesOf(
      (await tracksOf()).filter((t) => t.target === 'pelvis'),
      true,
    )
    const whole = valueRange(both)
    const moved = both.find(({ track, name }) => track.property === 'translation' && name === 'x')!
    const k = Array.from(moved.track.times).findIndex((time) => time > start + (end - start) / 2)
    const value = moved.values[k * moved.stride + moved.at]
    const at: [number, number] = [canvas.x + 24 + (moved.track.times[k] - start) * scale, canvas.y + valueToY(whole, canvas.height, value)]
    const down = at[1] > canvas.y + canvas.height / 2 ? -30 : 30
    await page.mouse.move(...at)
    await page.mouse.down()
    for (let i = 1; i <= 3; i++) await page.mouse.move(at[0], at[1] + (i / 3) * down)
    const told = (await page.locator('.drag-readout').textContent())!
    await page.keyboard.press('Escape')
    await page.mouse.up()
    expect(Number(/(\S+)$/.exec(told.trim())![1])).toBeCloseTo(value - (down / canvas.height) * (whole.max - whole.min), 1)
    await expect.poll(() => parts.count()).toBe(6)
  }, 120_000)
})
