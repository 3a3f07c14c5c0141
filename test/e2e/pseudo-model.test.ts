/** The page of a model in the pseudo-language, panel by panel. What files and families say of themselves is data here. */
import type { App } from './harness.ts'
import { atRest, describe, expect, test } from './harness.ts'
import { expectRoom, expectWhole, SAMPLE, SIZES } from './pseudo-look.ts'
import type { PageData } from './pseudo-look.ts'

/** In the order of their keys: Alt+1 and so on. */
const PANELS = ['outliner', 'files', 'timeline', 'inspector', 'structure', 'weights', 'problems', 'changes', 'history', 'texture'] as const

/** What shows what is in files: their fields, bytes and structure. */
const OF_FILES =
  '[data-panel="problems"] .where, [data-panel="structure"] :is([role="tree"], .what, .fields), .hex, [data-panel="inspector"] .property'

/** What the panels of weights and changes show of files, and what files say of themselves. */
const HELD =
  'option, .stored code, .rows .name, .rows .bone, .rows .own, .rows .value, .detail .path-line, .detail .shown, .detail .restore, .hex, .hex + .text'

/** Names that the model brings. */
async function namesOf({ services }: App): Promise<string[]> {
  const signal = new AbortController().signal
  const [info] = await services.handlers['model.list']({}, { signal })
  const { scene } = await services.handlers['model.scene']({ model: info.id }, { signal })
  const { skeleton, meshes, materials, textures, clips, slices, helpers } = scene
  const named = [...meshes, ...materials, ...textures, ...clips, ...slices, ...helpers]
  return [
    info.name,
    info.primary,
    ...info.files.flatMap(({ name, ref }) => [name, ref]),
    ...skeleton.names,
    ...named.map(({ name }) => name),
  ]
}

async function openModel(app: App, where: string, name: string): Promise<PageData> {
  const { page } = app
  const row = page
    .locator('.library [role=option], .library [role=row]')
    .filter({ hasText: where })
    .filter({ hasText: new RegExp(name) })
    .first()
  await row.waitFor({ timeout: 60_000 })
  // rows move while the folder is being read
  await page.locator('.library [role=progressbar]').waitFor({ state: 'detached', timeout: 60_000 })
  await row.dblclick()
  await page.locator('[data-panel="outliner"] [role="tree"]').waitFor({ timeout: 60_000 })
  await atRest(page)
  return { whole: SAMPLE, names: await namesOf(app), shownIn: OF_FILES }
}

describe.each(SIZES)('in the pseudo-language at $width x $height', (size) => {
  test('a model, panel by panel', async ({ startApp }) => {
    const app = await startApp({ locale: 'en-XA', size, sample: true })
    const { page, screenshot } = app
    const data = await openModel(app, 'Dark Cloud/chara', 'adventurer')
    for (const part of ['header', 'footer', '[data-panel="viewport"]', '.dv-tab']) await expectWhole(page, part, data)
    for (const [i, panel] of PANELS.entries()) {
      await page.keyboard.press(`Alt+${(i + 1) % 10}`)
      await page.locator(`[data-panel="${panel}"]`).waitFor()
      await atRest(page)
      await screenshot(`pseudo-${panel}-${size.width}`)
      await expectWhole(page, `[data-panel="${panel}"]`, data)
    }
    expect(PANELS).toHaveLength(10)
  }, 240_000)

  test('weights, their tools and the brush, and the changes that they make', async ({ startApp }) => {
    const app = await startApp({ locale: 'en-XA', size, sample: true })
    const { page, screenshot } = app
    const data = { ...(await openModel(app, 'San Andreas/models/peds', 'adventurer')), shownIn: HELD }
    await page.keyboard.press('Alt+6')
    const weights = page.locator('[data-panel="weights"]')
    await weights.locator('[role=grid] [role=row] .vertex').nth(3).click()
    await weights.locator('.editor').waitFor()
    await screenshot(`pseudo-weights-${size.width}`)
    await expectWhole(page, '[data-panel="weights"]', data)
    const views = weights.locator('.views .segmented button')
    await views.nth(1).click()
    await weights.locator('.head').waitFor()
    await expectWhole(page, '[data-panel="weights"]', data)
    await views.nth(2).click()
    const tools = weights.locator('.tool')
    for (let i = 0; i < (await tools.count()); i++) {
      await tools.nth(i).locator('.title').click()
      await tools.nth(i).locator('.result').waitFor()
      await expectWhole(page, '[data-panel="weights"]', data)
    }
    await screenshot(`pseudo-weight-tools-${size.width}`)
    await page.keyboard.press('Alt+7')
    await page.locator('[data-panel="problems"] [role=row]').first().waitFor()
    await expectWhole(page, '[data-panel="problems"]', { ...data, shownIn: OF_FILES })
    await page.keyboard.press('Alt+6')
    await page.keyboard.press('v')
    await page.locator('.paint[role=toolbar]').waitFor()
    await expectWhole(page, '.paint', data)
    await page.keyboard.press('Escape')
    // the second tool takes small weights out
    await tools.nth(1).locator('.title').click()
    await tools.nth(1).locator('input').fill('20')
    await tools.nth(1).locator('input').press('Enter')
    await tools.nth(1).locator('.btn.primary').click()
    await page.keyboard.press('Alt+8')
    const changes = page.locator('[data-panel="changes"]')
    await changes.locator('[role=treeitem]').first().waitFor()
    await changes.locator('.where').click()
    await screenshot(`pseudo-changes-${size.width}`)
    await expectWhole(page, '[data-panel="changes"]', data)
    await changes.locator('[role=treeitem]').nth(2).click()
    await changes.locator('.hex').first().waitFor()
    await expectWhole(page, '[data-panel="changes"]', data)
  }, 240_000)
})

test("in English at the smallest size nothing of a model's page is cut", async ({ startApp }) => {
  const app = await startApp({ size: SIZES[0], sample: true })
  const { page, screenshot } = app
  await openModel(app, 'Dark Cloud/chara', 'adventurer')
  await screenshot(`english-model-${SIZES[0].width}`)
  for (const part of ['header', 'footer', '[data-panel="viewport"]', '.dv-tab']) await expectRoom(page, part)
  for (const [i, panel] of PANELS.entries()) {
    await page.keyboard.press(`Alt+${(i + 1) % 10}`)
    await page.locator(`[data-panel="${panel}"]`).waitFor()
    await atRest(page)
    await expectRoom(page, `[data-panel="${panel}"]`)
  }
}, 240_000)
