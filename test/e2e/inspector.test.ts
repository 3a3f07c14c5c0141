/** The inspector of a bone: what plays at the playhead is typed, dragged and keyed there, in the units that people think in. */
import { atRest, describe, expect, pixelsOf, test } from './harness.ts'
import type { NativeTrack } from '../../src/shared/api/types/clips.ts'
import { eulerDegrees } from '../../src/shared/keys/value.ts'
import { sampleJoint } from '../../src/shared/scene/pose.ts'
import type { Scene } from '../../src/shared/scene/types.ts'

describe('a bone in the inspector', () => {
  test('is turned and keyed at the playhead', async ({ startApp }) => {
    const app = await startApp({ sample: true })
    const { page } = app
    const signal = new AbortController().signal
    const info = async () => (await app.services.handlers['model.list']({}, { signal })).at(-1)!
    const scene = async () => (await app.services.handlers['model.scene']({ model: (await info()).id }, { signal })).scene
    const clipIn = ({ clips }: Scene): number => clips.findIndex(({ name }) => name === 'adventurer')
    const posed = async (time: number) => {
      const now = await scene()
      return sampleJoint(now, now.clips[clipIn(now)], time, now.skeleton.names.indexOf('upperarm_l'))
    }
    const rotation = async (): Promise<NativeTrack> => {
      const { id } = await info()
      const clip = clipIn(await scene())
      const tracks = await app.services.handlers['clips.tracks']({ model: id, clip }, { signal })
      return tracks.find((track) => track.target === 'upperarm_l' && track.property === 'rotation')!
    }
    await page.getByText(/^Scanned /).waitFor({ timeout: 60_000 })
    await page
      .locator('section[aria-label="Library"]')
      .locator('[role="row"],[role="option"]')
      .filter({ hasText: /Dark Cloud\/chara/ })
      .filter({ has: page.getByText(/^adventurer$/) })
      .first()
      .dblclick()
    await page.getByRole('toolbar', { name: 'Playback' }).waitFor({ timeout: 60_000 })
    await page.getByRole('combobox', { name: 'Clip', exact: true }).selectOption({ label: 'adventurer' })
    const before = await rotation()
    await page
      .getByRole('tree', { name: 'Keys' })
      .getByRole('treeitem')
      .filter({ has: page.getByText('upperarm_l', { exact: true }) })
      .click()
    const inspector = page.getByLabel('Inspector', { exact: true })
    const time = page.getByLabel('Current frame', { exact: true })
    const [first, second] = before.times
    await time.fill(String(first))
    await time.press('Enter')
    const setKey = inspector.getByRole('button', { name: 'Set a key: Rotation °' })
    const removeKey = inspector.getByRole('button', { name: 'Remove the key: Rotation °' })
    await removeKey.waitFor()

    // between two keys the diamond makes one of what plays there, and takes it away again
    const frame = Math.round((first + second) / 2)
    expect(frame).toBeGreaterThan(first)
    expect(frame).toBeLessThan(second)
    await time.fill(String(frame))
    await time.press('Enter')
    await setKey.click()
    await removeKey.waitFor()
    await expect.poll(async () => (await rotation()).times.length).toBe(before.times.length + 1)
    await removeKey.click()
    await setKey.waitFor()
    await expect.poll(async () => (await rotation()).times).toEqual(before.times)
    expect((await rotation()).values).toEqual(before.values)

    const x = inspector.getByLabel('Rotation ° x', { exact: true }).first()
    // what is no number is not taken, which is said below the field until something else is done
    const note = page.locator('.field-note')
    for (const leave of ['Enter', 'Tab']) {
      await x.fill('abc')
      await x.press(leave)
      await note.getByText('“abc” is no number').waitFor()
      const [at, own] = [(await note.boundingBox())!, (await x.boundingBox())!]
      expect(at.y).toBeGreaterThanOrEqual(own.y + own.height)
      expect(at.y - own.y - own.height).toBeLessThan(6)
      await page.keyboard.press('Shift')
      await note.waitFor({ state: 'detached' })
    }
    expect((await rotation()).values).toEqual(before.values)

    // a turn that is typed as a sum is a key of that angle
    await x.fill('45/2')
    await x.press('Enter')
    await removeKey.waitFor()
    await expect.poll(() => x.inputValue().then((text) => Math.round(Number(text) * 100) / 100)).toBeCloseTo(22.5, 1)
    const { rotation: turned } = await posed(frame)
    const degrees = [0, 0, 0]
    eulerDegrees(degrees, turned)
    expect(degrees[0]).toBeCloseTo(22.5, 1)
    expect((await rotation()).times).toHaveLength(before.times.length + 1)

    // a drag across the number is one step, and Escape in the middle of one is none
    const steps = (await info()).history.undo.length
    const drag = async (end: () => Promise<void>): Promise<void> => {
      await time.focus()
      const box = (await x.boundingBox())!
      await page.mouse.move(box.x + 10, box.y + box.height / 2)
      await page.mouse.down()
      for (let i = 1; i <= 10; i++) await page.mouse.move(box.x + 10 + 4 * i, box.y + box.height / 2)
      await end()
      await page.mouse.up()
    }
    const picture = async (): Promise<string> => {
      await atRest(page)
      return Buffer.from((await pixelsOf(page.locator('canvas.picture'))).rgba).toString('base64')
    }
    const before22 = await picture()
    await drag(async () => {
      // the picture turns with the number, before anything is edited
      expect((await picture()) === before22).toBe(false)
      await page.keyboard.press('Escape')
    })
    await expect.poll(() => x.inputValue().then(Number)).toBeCloseTo(22.5, 1)
    expect((await picture()) === before22).toBe(true)
    expect((await info()).history.undo).toHaveLength(steps)
    await drag(() => Promise.resolve())
    await expect.poll(() => x.inputValue().then(Number)).toBeCloseTo(32.5, 1)
    await expect.poll(async () => (await info()).history.undo.length).toBe(steps + 1)

    // beyond 90 degrees the angle stays the one that was typed, and the others where they were
    const [, y, z] = ['x', 'y', 'z'].map((axis) => inspector.getByLabel(`Rotation ° ${axis}`, { exact: true }).first())
    const stood = Number(await z.inputValue())
    await y.fill('120')
    await y.press('Enter')
    await expect.poll(async () => (await info()).history.undo.length).toBe(steps + 2)
    await time.focus()
    await expect.poll(() => y.inputValue().then(Number)).toBeCloseTo(120, 1)
    await expect.poll(() => x.inputValue().then(Number)).toBeCloseTo(32.5, 1)
    await expect.poll(() => z.inputValue().then(Number)).toBeCloseTo(stood, 1)
    await app.screenshot('inspector-bone')
  }, 180_000)
})
