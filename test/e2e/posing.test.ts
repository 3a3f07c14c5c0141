/** A figure posed by its chains in the picture: joints are drawn to a place, pinned ones stay, and a drag is one step. */
import { pinAt } from '../../src/shared/motion/posing.ts'
import { momentOf, readMoment, rigOf } from '../../src/shared/motion/rig.ts'
import { lengthOf, minus } from '../../src/shared/motion/turns.ts'
import { createPose, sampleClip } from '../../src/shared/scene/pose.ts'
import { atRest, describe, expect, test } from './harness.ts'
import { coveredBy } from './steps.ts'
import type { App } from './harness.ts'
import type { Vector } from '../../src/shared/motion/turns.ts'

const signal = (): { signal: AbortSignal } => ({ signal: new AbortController().signal })

/** Where joints stand at the playhead as the services have the model. */
async function placesOf(app: App, names: readonly string[], time: number): Promise<Vector[]> {
  const [info] = (await app.services.handlers['model.list']({}, signal())).slice(-1)
  const { scene } = await app.services.handlers['model.scene']({ model: info.id }, signal())
  const pose = createPose(scene)
  sampleClip(scene, scene.clips[0], time, pose)
  const rig = rigOf(scene)
  const moment = momentOf(rig)
  readMoment(rig, pose.local, moment)
  return names.map((name) => pinAt(moment, scene.skeleton.names.indexOf(name)).place)
}

const history = async (app: App): Promise<string[]> => (await app.services.handlers['model.list']({}, signal())).at(-1)!.history.undo

describe('a figure posed by its chains', () => {
  test('hips are drawn down, pinned feet stay where they are, in one step', async ({ startApp }) => {
    const app = await startApp({ sample: true })
    const { page } = app
    await page.getByText(/^Scanned /).waitFor({ timeout: 60_000 })
    await page.getByText('Dark Cloud/chara/adventurer.chr').first().dblclick()
    const bar = page.getByRole('toolbar', { name: 'Posing' })
    await bar.waitFor({ timeout: 60_000 })
    await bar.getByRole('button', { name: 'Reach (IK): drag a bone, its chain follows' }).click()
    const outliner = page.getByRole('tree', { name: 'Outliner' })
    for (const foot of ['foot_l', 'foot_r']) {
      await outliner.getByRole('treeitem').filter({ hasText: foot }).first().click()
      const group = bar.getByRole('group', { name: `Chain of ${foot}` })
      await expect.poll(() => group.getByRole('status').textContent()).toBe(`2 bones, from thigh_${foot.at(-1)}`)
      await group.getByRole('button', { name: `Pin ${foot}` }).click()
    }
    await expect.poll(() => outliner.getByText('pinned', { exact: true }).count()).toBe(2)
    // the chain of the chosen joint is the user's
    await bar.getByRole('button', { name: 'One bone less' }).click()
    await expect
      .poll(() => bar.getByRole('group', { name: 'Chain of foot_r' }).getByRole('status').textContent())
      .toBe('One bone, from shin_r')
    await bar.getByRole('button', { name: 'One bone more' }).click()
    const names = ['foot_l', 'foot_r', 'pelvis']
    const time = Number(await page.getByLabel('Current frame', { exact: true }).inputValue())
    const before = await placesOf(app, names, time)
    await page
      .getByRole('tree', { name: 'Keys' })
      .getByRole('treeitem')
      .filter({ has: page.getByText('pelvis', { exact: true }) })
      .click()
    await page.keyboard.press('1')
    await atRest(page)
    const canvas = page.locator('canvas.picture')
    const box = (await canvas.boundingBox())!
    const cursor = (): Promise<string> => canvas.evaluate((el) => (el as HTMLElement).style.cursor)
    // seen from the front the hips stand near the middle line of the picture; chosen, they are taken before what hangs behind them
    for (let i = 0; i < 120 && (await history(app)).length === 0; i++) {
      const away = Math.floor(i / 3)
      const [x, y] = [box.x + box.width / 2 + 12 * ((i % 3) - 1), box.y + box.height / 2 + (away % 2 ? 1 : -1) * 5 * away]
      await page.mouse.move(x, y)
      await atRest(page)
      if ((await cursor()) !== 'grab') continue
      await page.mouse.down()
      for (let k = 1; k <= 5; k++) await page.mouse.move(x, y + 6 * k)
      await page.mouse.up()
      await expect.poll(async () => (await history(app)).length).toBe(1)
    }
    await expect.poll(() => history(app)).toEqual(['Reach with pelvis'])
    const after = await placesOf(app, names, time)
    expect(lengthOf(minus(after[2], before[2]))).toBeGreaterThan(0.1)
    for (const foot of [0, 1]) expect(lengthOf(minus(after[foot], before[foot]))).toBeLessThan(1e-3)
    await app.screenshot('posing-reach')
    await page.keyboard.press('Control+z')
    await expect.poll(async () => (await history(app)).length).toBe(0)
  }, 180_000)

  test('a pose is copied, pasted mirrored and put between its neighbours, each as one step that can be adjusted', async ({ startApp }) => {
    const app = await startApp({ sample: true })
    const { page } = app
    await page.getByText(/^Scanned /).waitFor({ timeout: 60_000 })
    await page.getByText('Dark Cloud/chara/adventurer.chr').first().dblclick()
    const bar = page.getByRole('toolbar', { name: 'Posing' })
    await bar.waitFor({ timeout: 60_000 })
    const tool = async (name: string): Promise<void> => {
      await bar.getByRole('button', { name: 'Pose tools' }).click()
      await page.getByRole('menuitem', { name }).click()
    }
    const time = page.getByLabel('Current frame', { exact: true })
    const goTo = async (frame: number): Promise<void> => {
      await time.fill(String(frame))
      await time.press('Enter')
      await time.blur()
    }
    await goTo(100)
    await tool('Copy the pose at the playhead')
    await page.getByText('Pose of 28 bones copied').waitFor()
    await goTo(60)
    await tool('Paste the pose mirrored')
    await expect.poll(() => history(app)).toEqual(['Paste pose mirrored'])
    await goTo(62)
    await tool('Pose between the keys before and after')
    await expect.poll(() => history(app)).toEqual(['Paste pose mirrored', 'Pose between its neighbours'])
    const panel = page.getByRole('group', { name: 'Pose between its neighbours' })
    const share = panel.getByLabel('Share', { exact: true })
    await share.fill('20')
    await share.press('Enter')
    await expect.poll(() => share.inputValue()).toBe('20')
    await expect.poll(() => history(app)).toEqual(['Paste pose mirrored', 'Pose between its neighbours'])
    // it lies over the picture, and leaves the tools beside it to be pressed where these are the most
    await bar.getByRole('button', { name: 'Reach (IK): drag a bone, its chain follows' }).click()
    await page.getByRole('tree', { name: 'Outliner' }).getByRole('treeitem').filter({ hasText: 'pelvis' }).first().click()
    await bar.getByRole('group', { name: 'Chain of pelvis' }).waitFor()
    await expect.poll(() => coveredBy(page, '.adjust')).toEqual([expect.stringContaining('3D view')])
    await app.screenshot('posing-tools')
    await page.keyboard.press('Escape')
    await bar.getByRole('button', { name: 'Pose tools' }).focus()
    for (const left of [1, 0]) {
      await page.keyboard.press('Control+z')
      await expect.poll(async () => (await history(app)).length).toBe(left)
    }
  }, 180_000)
})
