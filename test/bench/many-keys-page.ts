/// <reference lib="dom" />
/** The window on a figure with a quarter of a million keys, all of them in sight in the timeline. */
import type { Locator, Page } from 'playwright'
import { growKeys } from '../support/many-keys.ts'
import { onSamplePage } from './sample-page.ts'

export interface ManyKeys {
  page: Page
  sheet: Locator
  /** how many were added */
  keys: number
}

export function onManyKeys<T>(measure: (many: ManyKeys) => Promise<T>): Promise<T> {
  return onSamplePage(async (page, backend) => {
    page.setDefaultTimeout(120_000)
    await page
      .locator('section[aria-label="Library"] [role=listbox]')
      .getByText(/Dark Cloud\/chara/)
      .first()
      .dblclick()
    const sheet = page.getByRole('tree', { name: 'Keys' })
    await sheet.getByRole('treeitem').first().waitFor()
    const keys = await growKeys((name, args) => backend.call(name, args))
    await page.waitForFunction(() => Number(document.querySelector('.time-scroll [role=slider]')?.getAttribute('aria-valuemax')) > 2000)
    await page.getByRole('button', { name: 'Fit the timeline' }).click()
    return measure({ page, sheet, keys })
  })
}

/** The row of a bone that has one track. */
export function boneRow({ page, sheet }: ManyKeys): Locator {
  return sheet.getByRole('treeitem').filter({ has: page.getByText('chest', { exact: true }) })
}
