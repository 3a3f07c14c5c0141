// The pictures of the README, as steps of `npm run shot`:
//   npm run shot -- docs/images/changes-light.png --folder SAMPLE --size 1440x900 --steps scripts/readme-pictures.mjs --fresh
// SAMPLE is a copy of the sample's folder, for the path that the pictures show.
import { join } from 'node:path'
import { projectRoot } from './lib/build.mjs'

const file = (name) => join(projectRoot, 'docs/images', name)

export default async (page, { shot }) => {
  page.setDefaultTimeout(60_000)
  const theme = (colorScheme) => page.emulateMedia({ colorScheme })
  await page.getByText(/^Scanned /).waitFor()
  const list = page.locator('section[aria-label="Library"] [role=listbox]')
  await page.waitForFunction(() => document.querySelectorAll('.library .picture img, .library img').length >= 12)
  await theme('light')
  await list.getByText('San Andreas/models/peds').first().click()
  await page.getByRole('complementary', { name: 'Preview' }).getByRole('img').waitFor()
  await page.waitForTimeout(1500)
  await shot(file('library-light.png'))

  await theme('dark')
  await list.getByText('Dark Cloud/chara/adventurer.chr').first().dblclick()
  const playback = page.getByRole('toolbar', { name: 'Playback' })
  await playback.waitFor()
  await page.waitForTimeout(1500)
  const slices = page.getByRole('grid', { name: 'Slices' }).getByRole('row')
  await slices.nth(1).click()
  const tree = page.getByRole('tree', { name: 'Outliner' })
  await tree.getByRole('treeitem').filter({ hasText: 'upperarm_l' }).first().click()
  const skeleton = page
    .locator('[data-panel="viewport"]')
    .getByRole('button', { name: /^(Show )?skeleton/i })
    .first()
  await skeleton.click()
  const frame = page.getByLabel('Current frame', { exact: true })
  await frame.fill('62')
  await frame.press('Enter')
  await tree.focus()
  await page.waitForTimeout(1200)
  await shot(file('workbench-dark.png'))

  await skeleton.click()
  await slices.first().click()
  await page.keyboard.press('Home')
  await tree
    .getByRole('treeitem')
    .filter({ hasText: /^spine/ })
    .first()
    .click()
  await page.keyboard.press('Alt+4')
  const x = page
    .locator('[data-panel="inspector"]')
    .getByRole('textbox', { name: /Rotation.* x/ })
    .first()
  await x.fill('35')
  await x.press('Enter')
  await x.blur()
  await page.keyboard.press('Alt+8')
  await page.keyboard.press('y')
  await page.getByRole('region', { name: 'Second picture' }).waitFor()
  await theme('light')
  await page.waitForTimeout(2500)
}
