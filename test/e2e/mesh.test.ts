/** Control points and submeshes of a Lost Saga mesh, edited in the window: the files on disk change in their own bytes, and come back by undo. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sampleFiles } from '../support/sample.ts'
import { changedRanges } from '../support/edit-session.ts'
import { atRest, describe, expect, pixelsOf, test } from './harness.ts'
import { figureIn, saveEdits } from './steps.ts'

/** for a machine that does other things too */
const SLOW = { timeout: 20_000 }
const MESH = 'Lost Saga/resource/mesh/adventurer.msh'

describe('control points', () => {
  test('moved, copied, typed and deleted in the window; saved bytes are those of the point', async ({ startApp }) => {
    const { page, services, state, screenshot } = await startApp({ sample: true })
    await page.getByText(/^Scanned /).waitFor({ timeout: 60_000 })
    await page
      .locator('section[aria-label="Library"] [role=listbox]')
      .getByText(/resource\/model\/animodel/)
      .first()
      .dblclick()
    await page.getByRole('toolbar', { name: 'Playback' }).waitFor({ timeout: 60_000 })
    const path = join(
      state,
      readdirSync(state, { recursive: true, encoding: 'utf8' }).find((p) => p.replaceAll('\\', '/').endsWith(MESH))!,
    )
    const original = new Uint8Array(sampleFiles().find((f) => f.path === MESH)!.bytes)
    expect(Buffer.compare(readFileSync(path), original)).toBe(0)
    const signal = new AbortController().signal
    const info = async () => (await services.handlers['model.list']({}, { signal })).at(-1)!
    const position = async (index: number): Promise<number[]> =>
      (await services.handlers['points.list']({ model: (await info()).id }, { signal })).points[index].fields.find(
        (f) => f.key === 'position',
      )!.value as number[]
    const save = async (): Promise<Uint8Array> => {
      await saveEdits(page)
      return new Uint8Array(readFileSync(path))
    }

    // chosen by a click in the picture: framed in the outliner first, it stands in the middle
    await page.getByLabel('Search the outliner').fill('head')
    await page.getByRole('tree', { name: 'Outliner' }).getByRole('treeitem', { name: 'head, Bip01 Head', exact: true }).dblclick()
    await page.getByRole('treeitem', { name: 'Bip01 Head', exact: true }).click()
    const picture = page.locator('canvas.picture')
    await page.getByRole('button', { name: 'Boxes and helpers' }).click()
    await atRest(page)
    const box = (await picture.boundingBox())!
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    await page.mouse.click(middle.x, middle.y)
    await page.getByRole('textbox', { name: 'Type', exact: true }).waitFor()
    await expect.poll(() => page.getByRole('textbox', { name: 'Type', exact: true }).inputValue()).toBe('head')
    // the green arrow: up
    await page.getByRole('button', { name: 'Move attachment point' }).click()
    await atRest(page)
    await page.mouse.move(middle.x, middle.y - 50)
    await page.mouse.down()
    const number = page.getByRole('textbox', { name: 'Position y' })
    const inFile = Number(await number.inputValue())
    for (let i = 1; i <= 6; i++) await page.mouse.move(middle.x, middle.y - 50 - i * 8)
    // the number is that of the picture before it is one of the file
    await expect.poll(async () => Number(await number.inputValue())).toBeGreaterThan(inFile + 1)
    const inHand = Number(await number.inputValue())
    expect((await info()).history.undo).toEqual([])
    await page.mouse.up()
    await expect.poll(async () => (await info()).history.undo, SLOW).toEqual(['Move head'])
    const [x, y, z] = await position(1)
    expect(y).toBeCloseTo(inHand, 3)
    expect([x, z]).toEqual([0, 0])
    expect(y).toBeGreaterThan(24.5)
    await screenshot('lostsaga-points')
    const saved = await save()
    // one float of the last record of the file
    const at = original.length - 8
    expect(changedRanges(original, saved).every(([from, to]) => from >= at && to <= at + 4)).toBe(true)
    expect(new DataView(saved.buffer, saved.byteOffset).getFloat32(at, true)).toBe(y)

    // copied, and the copy placed by numbers, deleted by its key
    await picture.focus()
    await page.keyboard.press('Control+d')
    await expect
      .poll(async () => (await services.handlers['points.list']({ model: (await info()).id }, { signal })).points.length, SLOW)
      .toBe(3)
    await page.getByText('controlPoints[2]').waitFor()
    const across = page.getByRole('textbox', { name: 'Position x' })
    await across.focus()
    const { picture: figure, shows } = figureIn(page)
    const still = await figure()
    await across.fill('12.5')
    // the picture follows what is typed, before it is an edit, and is back with Escape
    await expect.poll(() => shows(still)).toBe(false)
    await across.press('Escape')
    await expect.poll(() => shows(still)).toBe(true)
    await across.fill('12.5')
    await across.press('Enter')
    await expect.poll(() => position(2), SLOW).toEqual([12.5, y, 0])
    await picture.focus()
    await page.keyboard.press('Delete')
    await expect.poll(async () => (await info()).history.undo.at(-1), SLOW).toBe('Delete head')
    // the bytes are again those that were saved: there is nothing to save
    expect((await info()).dirty).toBe(false)
    await page.getByRole('tab', { name: /unsaved edits/ }).waitFor({ state: 'detached', ...SLOW })

    // one at the chosen bone
    await page.getByRole('treeitem', { name: 'Bip01 Head', exact: true }).click()
    await page.getByRole('button', { name: 'Add an attachment point at this bone' }).click()
    await expect.poll(() => page.getByRole('combobox', { name: 'Bone', exact: true }).inputValue(), SLOW).toBe('Bip01 Head')
    await expect.poll(() => page.getByRole('textbox', { name: 'Type', exact: true }).inputValue()).toBe('point')

    // and one on the surface under the pointer, carried by the bone that moves it there
    await page.keyboard.press('Escape')
    await page.mouse.move(middle.x, middle.y + 30)
    await atRest(page)
    await picture.focus()
    await page.keyboard.press('Shift+A')
    const places = async () => (await services.handlers['points.list']({ model: (await info()).id }, { signal })).points
    await expect.poll(async () => (await places()).length, SLOW).toBe(4)
    const onSurface = (await places())[3].fields
    expect(onSurface.find((f) => f.key === 'linkedBone')!.value).toBe('Bip01 Head')
    // a head is some tens of centimetres wide
    const from = onSurface.find((f) => f.key === 'position')!.value as number[]
    expect(Math.hypot(...from)).toBeGreaterThan(5)
    expect(Math.hypot(...from)).toBeLessThan(80)

    // the step is there a moment after what it did
    await expect.poll(async () => (await info()).history.undo.length, SLOW).toBe(6)
    while ((await info()).history.undo.length > 0) {
      const left = (await info()).history.undo.length
      await page.getByRole('button', { name: /^Undo/ }).click()
      await expect.poll(async () => (await info()).history.undo.length, SLOW).toBe(left - 1)
    }
    await expect.poll(() => page.getByRole('button', { name: /^Undo/ }).isEnabled(), SLOW).toBe(false)
    await save()
    await expect.poll(() => Buffer.compare(readFileSync(path), original), SLOW).toBe(0)
  }, 120_000)
})

describe('submeshes', () => {
  test('one is chosen, hidden, and its texture named: the line of the script changes and nothing else', async ({ startApp }) => {
    const { page, state } = await startApp({ sample: true })
    await page.getByText(/^Scanned /).waitFor({ timeout: 60_000 })
    await page
      .locator('section[aria-label="Library"] [role=listbox]')
      .getByText(/resource\/model\/animodel/)
      .first()
      .dblclick()
    await page.getByRole('toolbar', { name: 'Playback' }).waitFor({ timeout: 60_000 })
    const script = 'Lost Saga/resource/material/adventurer.txt'
    const path = join(
      state,
      readdirSync(state, { recursive: true, encoding: 'utf8' }).find((p) => p.replaceAll('\\', '/').endsWith(script))!,
    )
    const original = readFileSync(path, 'latin1')
    await page.getByLabel('Search the outliner').fill('adventurer')
    await page.getByRole('treeitem', { name: 'adventurer', exact: true }).first().click()
    const table = page.getByRole('grid', { name: 'Submeshes of adventurer' })
    await table.getByRole('row', { name: /^Submesh 1,/ }).focus()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => table.getByRole('row', { name: /^Submesh 2,/ }).getAttribute('aria-selected'), SLOW).toBe('true')
    await page.keyboard.press('Shift+F10')
    for (const name of ['Hide submesh', 'To its material']) await page.getByRole('menuitem', { name }).waitFor(SLOW)
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    // the blade is a part of the picture that goes and comes
    const picture = page.locator('canvas.picture')
    const shown = async (): Promise<string> => Buffer.from((await pixelsOf(picture)).rgba).toString('base64')
    await atRest(page)
    const all = await shown()
    await table.getByRole('button', { name: 'Hide submesh 2' }).click()
    await expect.poll(async () => (await shown()) !== all, SLOW).toBe(true)
    await table.getByRole('button', { name: 'Show submesh 2' }).click()
    await expect.poll(async () => (await shown()) === all, SLOW).toBe(true)
    const texture = page.getByRole('textbox', { name: 'Texture of submesh 2' })
    await texture.fill('blade.dds')
    await texture.press('Enter')
    await page.getByRole('tab', { name: /unsaved edits/ }).waitFor(SLOW)
    await page.keyboard.press('Control+s')
    const at = original.lastIndexOf('texture adventurer.dds')
    await expect
      .poll(() => readFileSync(path, 'latin1'), SLOW)
      .toBe(`${original.slice(0, at)}texture blade.dds${original.slice(at + 'texture adventurer.dds'.length)}`)
    await page.getByRole('button', { name: /^Undo/ }).click()
    await page.getByRole('tab', { name: /unsaved edits/ }).waitFor(SLOW)
    await page.keyboard.press('Control+s')
    await expect.poll(() => readFileSync(path, 'latin1'), SLOW).toBe(original)
  }, 120_000)
})
