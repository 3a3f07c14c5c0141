/** Bones through the window: under another parent by keyboard and by dragging, and what is refused says why. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { atRest, describe, expect, test } from './harness.ts'
import { saveEdits } from './steps.ts'

const signal = new AbortController().signal

describe('bones in the outliner', () => {
  test('are hung elsewhere by keyboard, saved and undone; a chain that a game walks is not broken', async ({ startApp }) => {
    const app = await startApp({ sample: true })
    const { page } = app
    const { root } = await app.services.handlers['library.openSample']({}, { signal })
    await page.getByText(/^Scanned /).waitFor({ timeout: 30_000 })
    const tree = page.getByRole('tree', { name: 'Outliner' })
    const item = (name: string) => tree.getByRole('treeitem', { name, exact: true })
    const open = async (row: RegExp): Promise<void> => {
      await page.getByRole('tab').first().click()
      await page
        .locator('section[aria-label="Library"]')
        .locator('[role=row],[role=option]')
        .filter({ has: page.getByText(/^adventurer$/) })
        .filter({ has: page.getByText(row) })
        .first()
        .dblclick()
      await page.getByRole('toolbar', { name: 'Playback' }).waitFor({ timeout: 20_000 })
    }

    await open(/^Lost Saga\/resource\/mesh/)
    const path = join(root, 'Lost Saga', 'resource', 'skeleton', 'adventurer.skl')
    const original = new Uint8Array(readFileSync(path))
    await item('Bip01 Head').click()
    await page.keyboard.press('Control+x')
    await page.getByText('is taken').waitFor()
    // on a bone below itself it cannot hang
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Control+v')
    await page.getByRole('alert').filter({ hasText: 'below itself' }).waitFor()
    await item('Bip01 Pelvis').click()
    await page.keyboard.press('Control+v')
    const undo = async (): Promise<string[]> => (await app.services.handlers['model.list']({}, { signal })).at(-1)!.history.undo
    await expect.poll(undo).toEqual(['Change parent'])
    await page.getByText('is taken').waitFor({ state: 'detached' })
    await saveEdits(page)
    const saved = new Uint8Array(readFileSync(path))
    const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')
    // the name moves from one list of children to another, and the parent's name is another: no bone comes or goes
    expect(saved.length).toBe(original.length + 'Pelvis'.length - 'Neck'.length)
    expect(text(saved).split('Bip01 Pelvis').length).toBe(text(original).split('Bip01 Pelvis').length + 1)
    await page.getByRole('button', { name: /^Undo/ }).click()
    await expect.poll(undo).toEqual([])
    await page.keyboard.press('Control+s')
    await expect.poll(() => Buffer.compare(readFileSync(path), original), { timeout: 15_000 }).toBe(0)

    // in the bind pose the handles move the skeleton itself: one step a drag, the skin stays or goes along
    await open(/^San Andreas\/models\/peds/)
    await page.getByRole('combobox', { name: 'Clip', exact: true }).selectOption({ label: 'Bind pose' })
    await item('upperarm_l').click()
    await page.getByRole('button', { name: 'Turn bone' }).click()
    const bar = page.getByRole('group', { name: 'The bind pose is shown' })
    await bar.getByText('moves the skeleton').waitFor()
    const picture = page.locator('canvas.picture')
    const box = (await picture.boundingBox())!
    const drag = async (steps: number): Promise<void> => {
      for (let i = 0; i < 60 && (await undo()).length < steps; i++) {
        const x = box.x + box.width * 0.4 + i * 6,
          y = box.y + box.height * 0.4
        await page.mouse.move(x, y)
        await atRest(page)
        if ((await picture.evaluate((el) => (el as HTMLElement).style.cursor)) !== 'grab') continue
        await page.mouse.down()
        for (let k = 1; k <= 5; k++) await page.mouse.move(x, y + 6 * k)
        await page.mouse.up()
        await expect.poll(async () => (await undo()).length).toBe(steps)
      }
    }
    const handlers = app.services.handlers
    const sizes = async (): Promise<{ positions: Float32Array; turn: number[] }> => {
      const model = (await handlers['model.list']({}, { signal })).at(-1)!
      const { scene } = await handlers['model.scene']({ model: model.id }, { signal })
      const joint = scene.skeleton.names.indexOf('upperarm_l')
      return { positions: scene.meshes[0].positions, turn: [...scene.skeleton.restRotation.subarray(4 * joint, 4 * joint + 4)] }
    }
    const start = await sizes()
    await drag(1)
    await expect.poll(undo).toEqual(['Turn upperarm_l at rest'])
    const kept = await sizes()
    expect(kept.turn).not.toEqual(start.turn)
    expect(kept.positions).toEqual(start.positions)
    await bar.getByRole('checkbox', { name: 'Skin stays' }).uncheck()
    await drag(2)
    await expect.poll(undo).toHaveLength(2)
    expect((await sizes()).positions).not.toEqual(kept.positions)
    await page.getByRole('button', { name: /^Undo/ }).click()
    await page.getByRole('button', { name: /^Undo/ }).click()
    await expect.poll(undo).toEqual([])

    await open(/^Dark Cloud\/chara/)
    await item('head').dragTo(item('pelvis'))
    await page.getByRole('alert').filter({ hasText: 'chain of parents' }).waitFor()
    await expect.poll(undo).toEqual([])
  }, 120_000)
})
