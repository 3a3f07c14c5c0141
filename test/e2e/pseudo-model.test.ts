/** The page of a model in the pseudo-language, panel by panel. What files and families say of themselves is data here. */
import type { App } from './harness.ts'
import { atRest, describe, expect, test } from './harness.ts'
import { expectWhole, SAMPLE, SIZES } from './pseudo-look.ts'
import type { PageData } from './pseudo-look.ts'

/** In the order of their keys: Alt+1 and so on. */
const PANELS = ['outliner', 'files', 'timeline', 'inspector', 'structure', 'weights', 'problems', 'changes', 'history'] as const

/** What shows what is in files: their fields, bytes and structure. */
const OF_FILES = '[data-panel="structure"] :is([role="tree"], .what, .fields), .hex, [data-panel="inspector"] .property'

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
      await page.keyboard.press(`Alt+${i + 1}`)
      await page.locator(`[data-panel="${panel}"]`).waitFor()
      await atRest(page)
      await screenshot(`pseudo-${panel}-${size.width}`)
      await expectWhole(page, `[data-panel="${panel}"]`, data)
    }
    expect(PANELS).toHaveLength(9)
  }, 240_000)
})
