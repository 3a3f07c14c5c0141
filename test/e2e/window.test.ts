/** The window by itself: everything by keyboard, text that can be read, no page that scrolls sideways. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Locator, Page } from 'playwright'
import { createServices } from '../../src/main/services/create-services.ts'
import { sampleFiles } from '../support/sample.ts'
import { atRest, describe, expect, pixelsOf, test } from './harness.ts'
import { openFromLibrary } from './steps.ts'

/** The tests know no DOM: the page's own globals. */
declare const document: any
declare const getComputedStyle: any
declare const innerWidth: number
declare const NodeFilter: any

const CHR = 'Dark Cloud/chara/adventurer.chr'

/** Presses Tab until what has the focus is what is looked for. */
async function tabTo(page: Page, name: RegExp, most = 60): Promise<void> {
  const seen: string[] = []
  for (let i = 0; i < most; i++) {
    const now: string = await page.evaluate(() => {
      const e = document.activeElement
      return `${e?.getAttribute('role') ?? e?.tagName.toLowerCase()}: ${e?.getAttribute('aria-label') ?? e?.textContent?.trim()}`
    })
    if (name.test(now)) return
    seen.push(now)
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${name}: ${seen.join(' | ')}`)
}

const palette = (page: Page): Locator => page.getByRole('listbox', { name: 'Commands' })
/** The entry of the palette that Enter runs. */
const chosenCommand = (page: Page): Locator => palette(page).getByRole('option', { selected: true })

async function command(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await palette(page).waitFor()
  await page.keyboard.type(text)
  // the list follows what was typed before Enter takes its first entry
  await chosenCommand(page)
    .filter({ hasText: new RegExp(text, 'i') })
    .waitFor()
  await page.keyboard.press('Enter')
  // the next one opens it anew
  await palette(page).waitFor({ state: 'detached' })
}

const focused = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.tagName)

async function openAdventurer(page: Page): Promise<void> {
  await page.getByText(/^Scanned /).waitFor({ timeout: 30_000 })
  await page
    .locator('section[aria-label="Library"] [role=listbox]')
    .getByText(/Dark Cloud\/chara/)
    .first()
    .dblclick()
  await page.getByRole('toolbar', { name: 'Playback' }).waitFor({ timeout: 20_000 })
}

interface Pale {
  text: string
  ratio: number
  color: string
  background: string
  where: string
}

/** Text whose colour stands out less than 4.5 : 1 from what lies behind it. Controls that are off are left out, as WCAG does. */
function paleText(page: Page): Promise<Pale[]> {
  return page.evaluate(() => {
    const canvas = document.createElement('canvas')
    canvas.width = canvas.height = 1
    const context = canvas.getContext('2d', { willReadFrequently: true })
    // the browser reads every notation of a colour; a pixel is not premultiplied
    const parse = (css: string): number[] => {
      context.clearRect(0, 0, 1, 1)
      context.fillStyle = '#000'
      context.fillStyle = css
      context.fillRect(0, 0, 1, 1)
      const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data
      return [r, g, b, a / 255]
    }
    const over = (top: number[], below: number[]): number[] => [0, 1, 2].map((c) => top[c] * top[3] + below[c] * (1 - top[3])).concat(1)
    const light = (c: number[]): number => {
      const [r, g, b] = c.map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4))
      return 0.2126 * r + 0.7152 * g + 0.0722 * b
    }
    const chain = (element: any): any[] => (element ? [...chain(element.parentElement), element] : [])
    const found: Pale[] = []
    const check = (element: any, text: string, css: string): void => {
      if (element.closest(':disabled, [aria-disabled=true], .visually-hidden')) return
      const box = element.getBoundingClientRect()
      if (!box.width || !box.height || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return
      let behind = [255, 255, 255, 1]
      let opacity = 1
      for (const e of chain(element)) {
        const style = getComputedStyle(e)
        behind = over(parse(style.backgroundColor), behind)
        opacity *= Number(style.opacity)
      }
      if (opacity < 0.05) return
      const own = parse(css)
      // a name that has no room is not drawn at all
      if (own[3] === 0) return
      const color = over([own[0], own[1], own[2], own[3] * opacity], behind)
      const [a, b] = [light(color), light(behind)]
      const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
      if (ratio < 4.5)
        found.push({
          text: text.slice(0, 40),
          ratio: Math.round(ratio * 100) / 100,
          color: color.map(Math.round).join(' '),
          background: behind.map(Math.round).join(' '),
          where: chain(element)
            .slice(-4)
            .map((e) => `${e.tagName.toLowerCase()}.${[...e.classList].join('.')}`)
            .join(' > '),
        })
    }
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const node = walker.currentNode
      const text = node.textContent.trim()
      if (text && !node.parentElement.closest('canvas,script,style,option'))
        check(node.parentElement, text, getComputedStyle(node.parentElement).color)
    }
    for (const field of document.querySelectorAll('input,select,textarea')) {
      if (field.value) check(field, field.value, getComputedStyle(field).color)
      else if (field.placeholder) check(field, field.placeholder, getComputedStyle(field, '::placeholder').color)
    }
    return found
  })
}

describe('window', () => {
  test('marks what is chosen and nothing else: bones are taken with perspective and without, and a click beside the figure lets go', async ({
    startApp,
  }) => {
    const { page } = await startApp({ sample: true })
    await openAdventurer(page)
    const outliner = page.getByRole('tree', { name: 'Outliner' })
    const marked = (): Promise<string[]> =>
      outliner.getByRole('treeitem', { selected: true }).evaluateAll((rows: any[]) => rows.map((row) => row.getAttribute('aria-label')))
    const keyed = page.getByRole('tree', { name: 'Keys' }).getByRole('treeitem', { selected: true })
    const picture = page.locator('canvas.picture')
    const box = (await picture.boundingBox())!
    const beside = { position: { x: 60, y: box.height / 2 } }
    await outliner.getByRole('treeitem', { name: 'forearm_l', exact: true }).dblclick()
    await page.getByRole('button', { name: 'Skeleton' }).click()
    for (const [key, view] of [
      ['', '1'],
      ['Shift+5', '3'],
    ]) {
      if (key) await page.keyboard.press(key)
      await page.keyboard.press(view)
      await outliner.getByRole('treeitem', { name: 'forearm_l', exact: true }).dblclick()
      // it stays in the middle, and ground is seen beside the figure
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
      for (let i = 0; i < 5; i++) await page.mouse.wheel(0, 240)
      await atRest(page)
      await expect.poll(() => keyed.count()).toBeGreaterThan(0)
      await picture.click(beside)
      await expect.poll(marked).toEqual([])
      await expect.poll(() => keyed.count()).toBe(0)
      await picture.click()
      await expect.poll(marked, { message: `view ${view}` }).toEqual(['forearm_l'])
    }
  }, 120_000)

  test('draws bones in the shape and size that are asked for, chooses several by a box, and has rows of those alone', async ({
    startApp,
  }) => {
    const { page, services } = await startApp({ sample: true })
    await openAdventurer(page)
    const canvas = page.locator('canvas.picture')
    const box = (await canvas.boundingBox())!
    /** The figure, without what stands over the picture. */
    const drawn = async (): Promise<Uint8Array> => {
      await atRest(page)
      const { rgba, width } = await pixelsOf(canvas)
      return rgba.subarray(4 * width * Math.round(0.2 * box.height), 4 * width * Math.round(0.8 * box.height))
    }
    const apart = (a: Uint8Array, b: Uint8Array): number => a.filter((byte, i) => Math.abs(byte - b[i]) > 8).length
    await page.getByRole('button', { name: 'Skeleton' }).click()
    await page.keyboard.press('1')
    const shape = page.getByRole('combobox', { name: 'Shape of bones' })
    const size = page.getByRole('slider', { name: 'Thickness of bones' })
    await size.press('Home')
    const thin = await drawn()
    await size.press('End')
    const thick = await drawn()
    await shape.selectOption({ label: 'Sticks' })
    const sticks = await drawn()
    await shape.selectOption({ label: 'Octahedra' })
    // what is asked for again is as it was
    expect(apart(await drawn(), thick)).toBeLessThan(100)
    for (const [one, other] of [
      [thin, thick],
      [thick, sticks],
    ])
      expect(apart(one, other)).toBeGreaterThan(1000)

    const outliner = page.getByRole('tree', { name: 'Outliner' })
    const chosen = (): Promise<string[]> =>
      outliner.getByRole('treeitem', { selected: true }).evaluateAll((rows: any[]) => rows.map((row) => row.getAttribute('aria-label')))
    const rows = (): Promise<string[]> =>
      page
        .getByRole('tree', { name: 'Keys' })
        .getByRole('treeitem')
        .evaluateAll((all: any[]) => all.map((row) => row.textContent.trim()))
    const all = await rows()
    const boxOver = async (from: number, to: number): Promise<void> => {
      await page.mouse.move(box.x + 0.3 * box.width, box.y + from * box.height)
      await page.keyboard.down('Control')
      await page.mouse.down()
      await page.mouse.move(box.x + 0.7 * box.width, box.y + to * box.height, { steps: 4 })
      await page.mouse.up()
      await page.keyboard.up('Control')
    }
    // the knees, and then the head
    await boxOver(0.66, 0.78)
    await expect.poll(chosen).toEqual(['shin_l', 'shin_r'])
    await boxOver(0.2, 0.42)
    await expect.poll(chosen).toEqual(expect.arrayContaining(['head', 'shin_l', 'shin_r']))

    const signal = new AbortController().signal
    const [{ id: model }] = await services.handlers['model.list']({}, { signal })
    const moved = new Set((await services.handlers['clips.tracks']({ model, clip: 0 }, { signal })).map(({ target }) => target))
    expect(all.length).toBeGreaterThan(8)
    await page.getByRole('button', { name: 'Chosen bones only', pressed: false }).click()
    const own = ['All keys', ...(await chosen()).filter((bone) => moved.has(bone))]
    expect(own.length).toBeGreaterThan(3)
    await expect.poll(rows).toEqual(own)
    await page.getByRole('button', { name: 'Chosen bones only', pressed: true }).click()
    await expect.poll(rows).toEqual(all)
  }, 120_000)

  test('looks along the axis that is pressed in the corner, and zooms time by Ctrl and the wheel alone', async ({ startApp }) => {
    const { page } = await startApp({ sample: true })
    await openAdventurer(page)
    const views = page.getByRole('toolbar', { name: 'Views' })
    const places = (): Promise<string[]> =>
      views.locator('.end').evaluateAll((ends: any[]) =>
        ends.map((end) =>
          Object.values(end.getBoundingClientRect().toJSON())
            .map(Math.round as any)
            .join(),
        ),
      )
    const seen = [await places()]
    for (const name of [/^Top/, /^Right/, /^Front/]) {
      await views.getByRole('button', { name }).first().click()
      await atRest(page)
      const now = await places()
      expect(seen).not.toContainEqual(now)
      seen.push(now)
    }
    const bar = page.getByRole('slider', { name: 'Part of the time in sight' })
    const thumb = async (): Promise<number> => (await bar.locator('.thumb').boundingBox())!.width
    await bar.waitFor()
    const whole = await thumb()
    const sheet = (await page.getByRole('tree', { name: 'Keys' }).locator('canvas').boundingBox())!
    await page.mouse.move(sheet.x + sheet.width / 2, sheet.y + sheet.height / 2)
    await page.mouse.wheel(0, 60)
    await expect.poll(thumb).toBeCloseTo(whole, 0)
    await page.keyboard.down('Control')
    await page.mouse.wheel(0, -400)
    await page.keyboard.up('Control')
    await expect.poll(thumb).toBeLessThan(0.8 * whole)
  })

  test('has the command that ran last at the head of the palette, and of what is found alike; after a reload too', async ({ startApp }) => {
    const { page } = await startApp({ sample: true })
    await openAdventurer(page)
    const listed = async (text: string): Promise<string[]> => {
      await page.keyboard.press('Control+k')
      const options = palette(page).getByRole('option')
      await options.first().waitFor()
      if (text) {
        await page.keyboard.type(text)
        await chosenCommand(page).filter({ hasText: text }).waitFor()
      }
      const found = await options.evaluateAll((rows: any[]) => rows.map((row) => row.innerText.split('\n')[1] ?? row.innerText))
      await page.keyboard.press('Escape')
      await palette(page).waitFor({ state: 'detached' })
      return found
    }
    for (const name of ['Outliner', 'Weights']) await command(page, name)
    const both = await listed('')
    expect(both.slice(0, 2)).toEqual(['Weights', 'Outliner'])
    await command(page, 'Outliner')
    const again = await listed('')
    expect(again.slice(0, 2)).toEqual(['Outliner', 'Weights'])
    // both begin a word with it
    await command(page, 'Walk in place')
    const [first] = await listed('Walk')
    expect(first).toBe('Walk in place')
    await page.reload()
    await page.getByRole('toolbar', { name: 'Playback' }).waitFor({ timeout: 20_000 })
    const kept = await listed('')
    expect(kept.slice(0, 3)).toEqual(['Walk in place', 'Outliner', 'Weights'])
  })

  test('by keyboard alone, from the welcome page to a saved edit', async ({ startApp }) => {
    const { page, state, screenshot } = await startApp()
    await page.getByText('Open the sample library').waitFor()
    await tabTo(page, /^button: Open the sample library/)
    await page.keyboard.press('Enter')
    await page.getByText(/^Scanned /).waitFor({ timeout: 30_000 })
    // search, down to the row, open it
    await page.keyboard.press('/')
    await expect.poll(() => focused(page)).toBe('Search the library')
    await page.keyboard.type('dark cloud/chara')
    await page
      .getByText(/^1 models?$/)
      .first()
      .waitFor()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => focused(page)).toBe('Models')
    await page.keyboard.press('Enter')
    await page.getByRole('toolbar', { name: 'Playback' }).waitFor({ timeout: 20_000 })

    // the table of slices: down to the second one, its end is typed
    await command(page, 'timeline')
    await tabTo(page, /^grid: Slices/)
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.type('84')
    await expect.poll(() => focused(page)).toBe('End of slice 1')
    await page.keyboard.press('Enter')
    await expect.poll(() => focused(page), { timeout: 10_000 }).toBe('Slices')
    const end = page.getByLabel('End of slice 1', { exact: true })
    await page.getByRole('tab', { name: /unsaved edits/ }).waitFor()
    await expect.poll(() => end.inputValue()).toBe('84')
    // undo takes the edit back, not text, and redo brings it again
    await page.keyboard.press('Control+z')
    await expect.poll(() => end.inputValue(), { timeout: 10_000 }).toBe('80')
    await page.keyboard.press('Control+Shift+z')
    await expect.poll(() => end.inputValue(), { timeout: 10_000 }).toBe('84')
    await page.keyboard.press('F2')
    await expect.poll(() => focused(page)).toBe('End of slice 1')
    // a field that was not typed into leaves undo to the application
    await page.keyboard.press('Control+z')
    await expect.poll(() => end.inputValue(), { timeout: 10_000 }).toBe('80')
    await page.keyboard.press('Control+y')
    await expect.poll(() => end.inputValue(), { timeout: 10_000 }).toBe('84')
    await page.keyboard.type('9')
    await page.keyboard.press('Escape')
    await expect.poll(() => end.inputValue()).toBe('84')
    await expect.poll(() => focused(page), { timeout: 10_000 }).toBe('Slices')

    await screenshot('window-keyboard')
    const path = join(
      state,
      readdirSync(state, { recursive: true, encoding: 'utf8' }).find((p) => p.replaceAll('\\', '/').endsWith(CHR))!,
    )
    const original = sampleFiles().find((f) => f.path === CHR)!.bytes
    await page.keyboard.press('Control+s')
    await expect.poll(() => Buffer.compare(readFileSync(path), original), { timeout: 15_000 }).not.toBe(0)
    const saved = readFileSync(path)
    const differ = [...original.keys()].filter((i) => original[i] !== saved[i])
    expect(saved.length).toBe(original.length)
    expect(differ.map((i) => [String.fromCharCode(original[i]), String.fromCharCode(saved[i])])).toEqual([['0', '4']])
  }, 120_000)

  test('opens another folder from a model: the list stands there at the first press, and knows the home folder', async ({
    startApp,
    stateFolder: state,
  }) => {
    const home = mkdtempSync(join(tmpdir(), 'marrow-home-'))
    for (const { path, bytes } of sampleFiles().filter(({ path }) => path.startsWith('Lost Saga/'))) {
      mkdirSync(dirname(join(home, 'games', path)), { recursive: true })
      writeFileSync(join(home, 'games', path), bytes)
    }
    const services = createServices({ stateFolder: state, host: 'web', home })
    const { page, close } = await startApp({ services, state, sample: true })
    await openAdventurer(page)
    await page.keyboard.press('Control+o')
    const path = page.getByRole('textbox', { name: 'Folder path' })
    await expect.poll(() => path.inputValue()).toBe(realpathSync(home))
    await expect.poll(() => focused(page)).toBe('Folder path')
    await path.fill('~/games')
    await page.keyboard.press('Enter')
    const library = page.getByRole('tab', { name: 'games', selected: true })
    await library.waitFor()
    // the first page over an open library: its tab is not the one that is shown, and leads back
    await page.getByRole('button', { name: 'Welcome page', pressed: false }).click()
    await page.getByRole('main', { name: 'Welcome' }).waitFor()
    await expect.poll(() => library.count()).toBe(0)
    await page.getByRole('tab', { name: 'games' }).click()
    await library.waitFor()
    await page.getByRole('main', { name: 'games' }).waitFor()
    // and so does the folder that is open, opened once more
    await page.getByRole('button', { name: 'Welcome page', pressed: false }).click()
    await page.keyboard.press('Control+o')
    await path.fill('~/games')
    await page.keyboard.press('Enter')
    await page.getByRole('main', { name: 'games' }).waitFor()
    await close()
    rmSync(home, { recursive: true })
  })

  test('a panel that is asked for has the keyboard, where its first button is off, too, and on nothing that deletes', async ({
    startApp,
  }) => {
    const { page } = await startApp({ sample: true })
    await openFromLibrary(page, /Dark Cloud 2\/adventurer/)
    await page.getByRole('tree', { name: 'Outliner' }).getByRole('treeitem', { name: 'pelvis' }).click()
    await page.locator('[data-panel="inspector"]').getByRole('button', { name: 'Remove the key: Position' }).waitFor()
    for (const [key, id] of [
      ['Alt+4', 'inspector'],
      ['Alt+6', 'weights'],
      ['Alt+7', 'problems'],
      ['Alt+8', 'changes'],
      ['Alt+9', 'history'],
    ]) {
      await page.locator('canvas.picture').focus()
      await page.keyboard.press(key)
      await expect.poll(() => page.evaluate(() => document.activeElement.closest('[data-panel]')?.dataset.panel), { message: key }).toBe(id)
      await expect.poll(() => page.evaluate(() => document.activeElement.getAttribute('aria-label') ?? '')).not.toMatch(/^Remove/)
      // and Tab leads on within it
      await page.keyboard.press('Tab')
      await expect.poll(() => page.evaluate(() => document.activeElement !== document.body)).toBe(true)
    }
  })

  test('keys mean what was chosen last: a slice that only plays stays as it is where a bone is chosen', async ({ startApp }) => {
    const { page } = await startApp({ sample: true })
    await openFromLibrary(page, /Dark Cloud 2\/adventurer/)
    const rows = page.getByRole('grid', { name: 'Slices' }).getByRole('row')
    const count = await rows.count()
    await rows.nth(2).click()
    await page.getByRole('tree', { name: 'Outliner' }).getByRole('treeitem', { name: 'pelvis' }).click()
    for (const key of ['Delete', 'Control+d', 'Alt+ArrowUp', 'Alt+ArrowDown', 'F2']) await page.keyboard.press(key)
    await expect.poll(() => page.evaluate(() => document.activeElement.value)).toBe('pelvis')
    await page.keyboard.press('Escape')
    await expect.poll(() => rows.count()).toBe(count)
    await expect.poll(() => page.getByRole('tab', { name: /unsaved edits/ }).count()).toBe(0)
    // its button means it, and so does the key where it is chosen
    await page.locator('[data-panel="timeline"]').getByRole('button', { name: 'Delete slice' }).click()
    await expect.poll(() => rows.count()).toBe(count - 1)
    await rows.nth(2).click()
    await page.keyboard.press('Delete')
    await expect.poll(() => rows.count()).toBe(count - 2)
    // and where it is chosen after keys of the clip
    await page.keyboard.press('Control+a')
    await page
      .locator('[data-panel="timeline"] .tag')
      .getByText(/^[\d,]+ keys/)
      .waitFor()
    await rows.nth(1).click()
    await page.keyboard.press('Control+d')
    await expect.poll(() => rows.count()).toBe(count - 1)
    await page.keyboard.press('Delete')
    await expect.poll(() => rows.count()).toBe(count - 2)
  })

  test('one press chooses a slice, two edit it', async ({ startApp }) => {
    const { page } = await startApp({ sample: true })
    await openAdventurer(page)
    await page.getByLabel('Start of slice 2', { exact: true }).click()
    await expect.poll(() => focused(page)).toBe('Slices')
    await expect.poll(() => page.getByLabel('Current frame', { exact: true }).inputValue()).toBe('90')
    await page.getByLabel('Start of slice 2', { exact: true }).dblclick()
    await expect.poll(() => focused(page)).toBe('Start of slice 2')
    await page.keyboard.press('Escape')
    await expect.poll(() => focused(page), { timeout: 10_000 }).toBe('Slices')
  })

  test('writes the model for other programs, and says what it left out', async ({ startApp }) => {
    const { page } = await startApp({ sample: true })
    // a window writes beside libraries and in places that its user chose, not into the state folder
    const out = mkdtempSync(join(tmpdir(), 'marrow-out-'))
    await openAdventurer(page)
    await command(page, 'export as glb')
    const panel = page.getByRole('dialog', { name: /^Export adventurer/ })
    await expect.poll(() => panel.getByRole('button', { name: 'Blender' }).getAttribute('aria-pressed')).toBe('true')
    await panel.getByRole('button', { name: 'Unreal' }).click()
    await panel.getByRole('button', { name: 'Chosen' }).click()
    await panel.getByRole('button', { name: 'None', exact: true }).click()
    await panel.getByRole('list').getByRole('checkbox').first().check()
    await panel.getByLabel('Into').fill(out)
    await panel.getByRole('button', { name: 'Export', exact: true }).click()
    await page.getByText(/^Wrote adventurer\.glb/).waitFor({ timeout: 20_000 })
    await page.getByText(/^Left out/).waitFor()
    await expect.poll(() => panel.count()).toBe(0)
    const glb = readFileSync(join(out, 'adventurer.glb'))
    expect(glb.toString('latin1', 0, 4)).toBe('glTF')
    const json = JSON.parse(glb.toString('utf8', 20, 20 + glb.readUInt32LE(12))) as { animations: unknown[]; nodes: { name: string }[] }
    expect(json.animations).toHaveLength(1)
    expect(json.nodes.some(({ name }) => /^root( 2)?$/.test(name))).toBe(true)
    // what ran last stands first, before a letter is typed
    await page.keyboard.press('Control+k')
    await expect.poll(() => chosenCommand(page).textContent()).toContain('Export as GLB')
    await page.keyboard.press('Escape')
    // the options are there again for the next model of the family
    await command(page, 'export as glb')
    await expect.poll(() => panel.getByRole('button', { name: 'Unreal' }).getAttribute('aria-pressed')).toBe('true')
    await expect.poll(() => panel.getByLabel('Into').inputValue()).toBe(out)
    await page.keyboard.press('Escape')
    rmSync(out, { recursive: true })
  })

  for (const theme of ['dark', 'light'] as const) {
    test(`has no text that is hard to read, ${theme}`, async ({ startApp }) => {
      const { page } = await startApp({ theme, size: { width: 1440, height: 900 } })
      const pale: (Pale & { panel: string })[] = []
      await page.getByText('Open the sample library').waitFor()
      pale.push(...(await paleText(page)).map((p) => ({ panel: 'welcome', ...p })))
      await page.getByText('Open the sample library').click()
      await page.getByText(/^Scanned /).waitFor({ timeout: 30_000 })
      pale.push(...(await paleText(page)).map((p) => ({ panel: 'library, models', ...p })))
      await page.getByRole('button', { name: /^Files \d/ }).click()
      await page.getByText('adventurer.bbp').first().waitFor()
      pale.push(...(await paleText(page)).map((p) => ({ panel: 'library, files', ...p })))
      await page
        .getByRole('group', { name: 'Show' })
        .getByRole('button', { name: /^Models \d/ })
        .click()
      await openAdventurer(page)
      await page.getByRole('treeitem').nth(3).click()
      pale.push(...(await paleText(page)).map((p) => ({ panel: 'bone', ...p })))
      await page.getByLabel('Start of slice 1', { exact: true }).click()
      for (const tab of ['Weights', 'Structure', 'Problems', 'Changes', 'History', 'Library']) {
        await page
          .getByRole('tab', { name: new RegExp(`^${tab}( \\d+)?$`) })
          .last()
          .click()
        await atRest(page)
        pale.push(...(await paleText(page)).map((p) => ({ panel: tab, ...p })))
      }
      await page.getByRole('button', { name: 'Settings' }).click()
      await page.getByRole('heading', { name: 'Settings' }).waitFor()
      pale.push(...(await paleText(page)).map((p) => ({ panel: 'settings', ...p })))
      await page.keyboard.press('Escape')
      await page.keyboard.press('Control+k')
      await chosenCommand(page).waitFor()
      await atRest(page)
      pale.push(...(await paleText(page)).map((p) => ({ panel: 'palette', ...p })))
      expect(pale).toEqual([])
    }, 120_000)
  }

  test('fits into a small window', async ({ startApp }) => {
    const { page, screenshot } = await startApp({ size: { width: 1100, height: 700 } })
    const overflow = (): Promise<number> =>
      page.evaluate(() => Math.max(document.documentElement.scrollWidth, document.body.scrollWidth) - innerWidth)
    await page.getByText('Open the sample library').click()
    await page.getByText(/^Scanned /).waitFor({ timeout: 30_000 })
    await expect.poll(overflow).toBeLessThanOrEqual(0)
    await openAdventurer(page)
    await expect.poll(overflow).toBeLessThanOrEqual(0)
    await page.getByRole('treeitem').nth(3).click()
    for (const tab of ['Weights', 'Structure', 'Changes']) {
      await page.getByRole('tab', { name: new RegExp(`^${tab}( \\d+)?$`) }).click()
      await expect.poll(overflow).toBeLessThanOrEqual(0)
    }
    await screenshot('window-small')
  })
})
