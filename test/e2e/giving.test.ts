/** A model without its animation and its textures: they are found anywhere on disk, by button and by drop, and stay. In a browser, which tells no paths. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Page } from 'playwright'
import { sampleFiles } from '../support/sample.ts'
import { describe, expect, test } from './harness.ts'
import { openFromLibrary } from './steps.ts'

const MODELS = 'San Andreas/models'
const bytesOf = (path: string): Uint8Array => sampleFiles().find((file) => file.path === path)!.bytes

/** A game without a model's animation and textures, and a folder elsewhere that has them. */
function written(place: string): string {
  for (const folder of ['game', 'elsewhere']) mkdirSync(join(place, folder))
  writeFileSync(join(place, 'game', 'adventurer.dff'), bytesOf(`${MODELS}/peds/adventurer.dff`))
  writeFileSync(join(place, 'elsewhere', 'adventurer.txd'), bytesOf(`${MODELS}/peds/adventurer.txd`))
  writeFileSync(join(place, 'elsewhere', 'walk.ifp'), bytesOf(`${MODELS}/adventurer.ifp`))
  return join(place, 'game')
}

/** Drags a file over the right half of the window and lets it go there. */
async function dropRight(page: Page, name: string, bytes: Uint8Array, end: 'drop' | 'dragover'): Promise<void> {
  await page.locator('main:visible').evaluate(
    (target, [file, body, last]) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([Uint8Array.from(body as number[])], file as string))
      const at = { dataTransfer: transfer, bubbles: true, cancelable: true, clientX: 1000, clientY: 400 }
      for (const type of last === 'drop' ? ['dragenter', 'dragover', 'drop'] : ['dragenter', 'dragover'])
        target.dispatchEvent(new DragEvent(type, at))
    },
    [name, [...bytes], end] as const,
  )
}

async function open(page: Page): Promise<void> {
  await page.getByText(/^Scanned /).waitFor({ timeout: 30_000 })
  await page.locator('section[aria-label="Library"] [role=listbox]').getByText('adventurer').first().dblclick()
  await page.getByRole('main', { name: 'Model' }).waitFor({ timeout: 30_000 })
}

describe('a model that misses files', () => {
  test('takes its animation and its textures from anywhere, and has them at the next start', async ({
    startApp,
    place,
    stateFolder: state,
  }) => {
    const folder = written(place)
    const { page, screenshot, close } = await startApp({ folder, state })
    await open(page)
    await page.getByText('No animation', { exact: true }).first().waitFor()
    await page.getByText('this model has none').waitFor()
    await page.getByText(/textures? (is|are) missing: adventurer/).waitFor()
    await screenshot('giving-missing')

    const [textures] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: /^Locate… .*missing/ }).click(),
    ])
    await textures.setFiles(join(place, 'elsewhere', 'walk.ifp'))
    // what does not help is said, and nothing is kept of it
    await page.getByRole('alert').getByText('walk.ifp: it holds no textures').waitFor()
    await page.getByRole('alert').getByRole('button', { name: 'Dismiss' }).click()
    const [again] = await Promise.all([page.waitForEvent('filechooser'), page.getByRole('button', { name: /^Locate… .*missing/ }).click()])
    await again.setFiles(join(place, 'elsewhere', 'adventurer.txd'))
    await page.getByText('adventurer.txd is part of adventurer from now on').waitFor()
    await expect.poll(() => page.getByText(/textures? (is|are) missing/).count(), { timeout: 10_000 }).toBe(0)

    const [animation] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Add animation…' }).first().click(),
    ])
    await animation.setFiles(join(place, 'elsewhere', 'walk.ifp'))
    await page.getByText('walk.ifp is part of adventurer from now on').waitFor()
    const clips = page.getByRole('grid', { name: 'Clips' }).getByRole('row')
    await expect.poll(() => clips.count(), { timeout: 10_000 }).toBeGreaterThan(1)
    const number = await clips.count()

    // the right half of the window takes a file for the model, the left half opens it
    const other = bytesOf('Lost Saga/resource/animation/adventurer_walk.ani')
    await dropRight(page, 'other.ani', other, 'dragover')
    await page.getByText('Drop here to add to adventurer').waitFor()
    await screenshot('giving-drop')
    await dropRight(page, 'other.ani', other, 'drop')
    await page.getByRole('alert').getByText('other.ani: it is a file of Lost Saga, and adventurer is one of RenderWare').waitFor()
    await dropRight(page, 'more.ifp', bytesOf(`${MODELS}/adventurer.ifp`), 'drop')
    await expect.poll(() => clips.count(), { timeout: 10_000 }).toBe(2 * number)
    await screenshot('giving-done')
    await close()

    const next = await startApp({ folder, state })
    await open(next.page)
    await expect.poll(() => next.page.getByRole('grid', { name: 'Clips' }).getByRole('row').count(), { timeout: 20_000 }).toBe(2 * number)
    await expect.poll(() => next.page.getByText(/textures? (is|are) missing/).count()).toBe(0)
  }, 180_000)

  test('takes the skeleton and the bind pose that it misses', async ({ startApp, place }) => {
    const mine = { 'Lost Saga/resource': ['mesh/adventurer.msh', 'material/adventurer.txt', 'texture/adventurer.dds'] }
    const own = ['info.cfg', 'adventurer.mds', 'adventurer.mot', 'adventurer.wgt', 'adventurer.img']
    for (const folder of ['game/saga', 'game/cloud', 'elsewhere']) mkdirSync(join(place, folder), { recursive: true })
    const put = (folder: string, path: string): void => writeFileSync(join(place, folder, basename(path)), bytesOf(path))
    for (const [folder, names] of Object.entries(mine)) for (const name of names) put('game/saga', `${folder}/${name}`)
    for (const name of own) put('game/cloud', `Dark Cloud 2/adventurer/${name}`)
    const { page } = await startApp({ folder: join(place, 'game') })
    page.setDefaultTimeout(20_000)
    for (const [folder, missing, path] of [
      [/saga/, 'No skeleton has the bones of this mesh', 'Lost Saga/resource/skeleton/adventurer.skl'],
      [/cloud/, 'The bind pose is missing: adventurer.bbp', 'Dark Cloud 2/adventurer/adventurer.bbp'],
    ] as const) {
      put('elsewhere', path)
      await openFromLibrary(page, folder)
      await page.getByText(missing, { exact: true }).waitFor()
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        page.getByRole('button', { name: `Locate… ${missing}`, exact: true }).click(),
      ])
      await chooser.setFiles(join(place, 'elsewhere', basename(path)))
      await page.getByText(`${basename(path)} is part of adventurer from now on`).waitFor()
      await page.getByText(missing, { exact: true }).waitFor({ state: 'detached' })
      await page.locator('.tabs').getByRole('tab').first().click()
    }
  }, 120_000)
})
