/** The structure panel: every typed field is given another value in its row, by keyboard, and the file says no below it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ID } from '../../src/main/formats/renderware/codecs/chunk-ids.ts'
import { makeContainer, makeRaw } from '../../src/main/formats/renderware/codecs/chunk.ts'
import { newDff } from '../../src/main/formats/renderware/make.ts'
import { encodeDff, payload, pedModel } from '../fixtures/renderware/ped.ts'
import { changedRanges } from '../support/edit-session.ts'
import { describe, expect, test } from './harness.ts'
import { openFromLibrary, runCommand, saveEdits } from './steps.ts'

describe('a field in the structure panel', () => {
  test('is edited in its row, undone, and refused in a line', async ({ startApp }) => {
    const { page, services } = await startApp({ sample: true })
    page.setDefaultTimeout(60_000)
    const signal = new AbortController().signal
    await openFromLibrary(page, /walker_skn/i)
    const info = async () => (await services.handlers['model.list']({}, { signal })).at(-1)!
    const value = async (path: string) => {
      const { id, primary } = await info()
      return (await services.handlers['fields.get']({ model: id, ref: primary, path }, { signal })).value
    }
    await runCommand(page, 'structure')
    const panel = page.locator('[data-panel="structure"]')
    await panel.getByRole('treeitem', { name: /^mesh\[0\]/ }).click()
    await page.keyboard.press('ArrowRight')
    await panel.getByRole('treeitem', { name: /^header/ }).click()
    const row = (name: string) =>
      panel
        .getByRole('row')
        .filter({ has: page.getByText(name, { exact: true }) })
        .first()

    await row('attributes').focus()
    await page.keyboard.press('Enter')
    const twoSided = panel.getByRole('checkbox', { name: 'twoSided' })
    await twoSided.check()
    await expect.poll(() => value('mesh[0].header.attributes.twoSided')).toBe('1')
    await panel.getByTitle('Differs from the original').waitFor()
    await page.keyboard.press('Control+z')
    await expect.poll(() => value('mesh[0].header.attributes.twoSided')).toBe('0')
    await page.keyboard.press('Escape')
    await twoSided.waitFor({ state: 'detached' })

    await row('meshName').focus()
    await page.keyboard.press('F2')
    const name = panel.getByRole('textbox', { name: 'meshName' })
    await name.fill('a name of more than fifteen')
    await name.press('Enter')
    await panel.getByRole('alert').waitFor()
    await expect.poll(() => value('mesh[0].header.meshName')).toBe('BODYLO')
    await name.press('Escape')

    await row('numTris').focus()
    await page.keyboard.press('Enter')
    await panel.getByText('it follows from what the file holds').waitFor()
  })
})

/** The tests know no DOM: the page's own globals. */
declare const navigator: any

describe('bytes in the structure panel', () => {
  test('are copied, and gone to by their offset, by mouse and by keyboard', async ({ startApp }) => {
    const { page } = await startApp({ sample: true })
    page.setDefaultTimeout(60_000)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const copied = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText())
    await openFromLibrary(page, /walker_skn/i)
    await runCommand(page, 'structure')
    const panel = page.locator('[data-panel="structure"]')
    const bytes = panel.getByRole('region', { name: 'Bytes' })
    const byte = (at: number) => bytes.locator(`.bytes [data-at="${at}"]`)
    const choose = (name: string | RegExp) => page.getByRole('menu').getByRole('menuitem', { name }).click()
    const said = async (from: number, to: number): Promise<string> =>
      (await Promise.all(Array.from({ length: to - from + 1 }, (_, i) => byte(from + i).innerText()))).join(' ')

    // a drag over bytes of two lines, copied as what they are
    const [from, to] = [(await byte(5).boundingBox())!, (await byte(9).boundingBox())!]
    await page.mouse.move(from.x + 3, from.y + 8)
    await page.mouse.down()
    await page.mouse.move(to.x + to.width - 2, to.y + 8, { steps: 5 })
    await page.mouse.up()
    await page.keyboard.press('Control+c')
    await expect.poll(copied).toBe(await said(5, 9))
    await byte(6).click({ button: 'right' })
    await choose('Copy what is chosen (5 bytes)')
    await expect.poll(copied).toBe(await said(5, 9))
    await byte(2).click()
    await byte(2).click({ button: 'right' })
    await choose('Copy offset 0x2')
    await expect.poll(copied).toBe('0x2')

    // by keyboard: what is refused says so and stays, what is there is shown
    await bytes.focus()
    await page.keyboard.press('Shift+F10')
    await choose('Go to offset…')
    const offset = panel.getByRole('textbox', { name: 'Offset, hexadecimal' })
    await expect.poll(() => offset.evaluate((field) => field === field.ownerDocument.activeElement)).toBe(true)
    await page.keyboard.type('ffffffff')
    await page.keyboard.press('Enter')
    await page.locator('.field-note').filter({ hasText: 'An offset is hexadecimal, up to 0x' }).waitFor()
    await page.keyboard.press('Escape')
    await offset.waitFor({ state: 'detached' })
    await expect.poll(() => bytes.evaluate((view) => view === view.ownerDocument.activeElement)).toBe(true)

    // a byte amid a long column is in sight, and marked
    await panel.getByRole('treeitem', { name: /^mesh\[0\]/ }).click()
    await page.keyboard.press('ArrowRight')
    const column = panel.getByRole('treeitem', { name: /^vertices / })
    const place = Number.parseInt(/0x([\da-f]+)/.exec((await column.textContent())!)![1], 16) + 100
    await bytes.focus()
    await page.keyboard.press('Shift+F10')
    await choose('Go to offset…')
    await page.keyboard.type(place.toString(16))
    await page.keyboard.press('Enter')
    await expect.poll(() => column.getAttribute('aria-selected')).toBe('true')
    await expect
      .poll(() => bytes.locator('.bytes .marked').evaluateAll((all: any[]) => all.map((cell) => Number(cell.dataset.at))))
      .toEqual([place])
  })
})

/** An object as a lamp is one: frames without a skin, one of them with a point light. */
function lamp(): Uint8Array {
  const model = pedModel()
  const document = newDff({
    ...model,
    frames: model.frames.map(({ name, parent, matrix }) => ({ name, parent, matrix })),
    nodes: [],
    geometries: model.geometries.map((geometry) => ({ ...geometry, skin: undefined })),
  })
  const [{ stamp, children }] = document.roots
  children!.splice(
    -1,
    0,
    makeRaw(ID.struct, stamp, payload(2)),
    makeContainer(ID.light, stamp, [
      makeRaw(ID.struct, stamp, payload({ f32: [10, 1, 0.5, 0.25, 0] }, 0x80fc03)),
      makeContainer(ID.extension, stamp, []),
    ]),
  )
  return encodeDff(document)
}

describe('a light and a dummy', () => {
  test('are set by the names of their kinds, flags and colours, undone, and saved in their own bytes', async ({ startApp, place }) => {
    const folder = join(place, 'game')
    mkdirSync(folder)
    const file = join(folder, 'lamp.dff')
    const before = lamp()
    writeFileSync(file, before)
    const { page } = await startApp({ folder })
    page.setDefaultTimeout(30_000)
    await openFromLibrary(page, /^lamp$/)
    const outliner = page.locator('[data-panel="outliner"]')
    const inspector = page.locator('[data-panel="inspector"]')
    const row = (name: string) =>
      inspector
        .getByRole('row')
        .filter({ has: page.getByText(name, { exact: true }) })
        .first()

    await outliner.getByText('light 0').click()
    await row('typeAndFlags').focus()
    await page.keyboard.press('Enter')
    const kind = inspector.getByRole('combobox', { name: 'typeAndFlags type' })
    await expect.poll(() => kind.inputValue()).toBe('point')
    await kind.selectOption('spot')
    await row('typeAndFlags').getByText('0x81fc03').waitFor()
    await expect.poll(() => kind.inputValue()).toBe('spot')
    await page.keyboard.press('Control+z')
    await expect.poll(() => kind.inputValue()).toBe('point')
    await inspector.getByRole('checkbox', { name: 'lightsWorld' }).uncheck()
    await row('typeAndFlags').getByText('0x80fc01').waitFor()
    await row('color').focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => inspector.getByLabel('color', { exact: true }).getAttribute('type')).toBe('color')
    await page.keyboard.press('Escape')

    // a frame under one that stands behind it is refused, and the field says where it hangs still
    await outliner.getByTitle('L Arm').click()
    const parent = inspector.getByRole('combobox', { name: 'Parent' })
    const chosen = (): Promise<string> => parent.evaluate((select: any) => select.selectedOptions[0].textContent.trim())
    await expect.poll(chosen).toBe('Root')
    await parent.selectOption({ label: 'Spine' })
    await inspector.getByText(/stand behind their parents/).waitFor()
    await expect.poll(chosen).toBe('Root')
    const side = inspector.getByLabel('Rest position x')
    await side.fill('0.75')
    await side.press('Enter')

    await saveEdits(page)
    const after = new Uint8Array(readFileSync(file))
    expect(after.length).toBe(before.length)
    const ranges = changedRanges(before, after)
    const words = (bytes: Uint8Array): string[] => ranges.map(([start]) => bytes.subarray(start & ~3, (start & ~3) + 4).toString())
    const view = (value: number, write: 'setFloat32' | 'setUint32'): string => {
      const out = new DataView(new ArrayBuffer(4))
      out[write](0, value, true)
      return new Uint8Array(out.buffer).toString()
    }
    expect(ranges).toHaveLength(2)
    expect(words(before)).toContain(view(0x80fc03, 'setUint32'))
    expect(words(after)).toEqual(expect.arrayContaining([view(0x80fc01, 'setUint32')]))
  })
})
