/** axe-core over what is shown, in both themes, and which components of the window that was. */
import axe from 'axe-core'
import type { Page } from 'playwright'
import { expect } from 'vitest'
import { styleAtRest } from './harness.ts'

/** The tests know no DOM: the page's own globals. */
declare const window: any
declare const document: any

/** Rules that axe-core leaves to whoever asks for them. */
const ASKED_FOR = { 'label-content-name-mismatch': { enabled: true }, 'landmark-one-main': { enabled: true } }

/** @param within CSS selector of the part that is looked at; the whole window without it */
async function findings(page: Page, view: string, within?: string): Promise<string[]> {
  // a script of the test, which the page's own policy has no say in
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  // a colour that fades in is not the one that stays
  await styleAtRest(page)
  const found: { id: string; impact: string; places: string[] }[] = await page.evaluate(
    async ({ part, rules }) => {
      // styles are the page's own: nothing has to be fetched to look at them
      const { violations } = await window.axe.run(part ?? document, {
        resultTypes: ['violations'],
        elementRef: true,
        preload: false,
        rules,
      })
      return violations.map(({ id, impact, nodes }: any) => ({
        id,
        impact,
        places: nodes.map((node: any) => {
          const [label, text] = [node.element?.getAttribute('aria-label'), node.element?.innerText?.replaceAll(/\s+/g, ' ').trim()]
          return `${node.target.join(' ')}: ${node.failureSummary.split('\n')[1]?.trim()}; "${label ?? ''}" on "${text ?? ''}"`
        }),
      }))
    },
    { part: within, rules: ASKED_FOR },
  )
  return found.flatMap(({ id, impact, places }) => places.slice(0, 6).map((place) => `${view}: ${impact} ${id} at ${place}`))
}

const themeOf = (page: Page): Promise<string> => page.evaluate(() => document.documentElement.dataset.theme)

/** What all rules find in the theme that there is, then in the other one, which stays. A line for each place. */
export async function accessFindings(page: Page, view: string, within?: string): Promise<string[]> {
  const theme = await themeOf(page)
  const found = await findings(page, `${view}, ${theme}`, within)
  const other = theme === 'dark' ? 'light' : 'dark'
  // a colour on its way to another theme is none of either
  await page.emulateMedia({ colorScheme: other, reducedMotion: 'reduce' })
  await expect.poll(() => themeOf(page)).toBe(other)
  return [...found, ...(await findings(page, `${view}, ${other}`, within))]
}

/** Names of the components that show something in a part of the window now, as Vue keeps them: their files' names. */
export function componentsShown(page: Page, within = 'body'): Promise<string[]> {
  return page.evaluate((part) => {
    const names = new Set<string>()
    const region = document.querySelector(part)
    const isShown = (element: any): boolean =>
      element.nodeType === 1 && region.contains(element) && element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    /** @returns whether something of it is shown */
    const walk = (node: any): boolean => {
      if (!node || typeof node !== 'object') return false
      if (Array.isArray(node)) return node.map(walk).includes(true)
      // an element, or a text that says something
      const said = typeof node.type === 'symbol' && typeof node.children === 'string' && node.children.trim() && node.el?.nodeType === 3
      let shown = Boolean(node.el) && (typeof node.type === 'string' ? isShown(node.el) : said && isShown(node.el.parentElement))
      for (const inner of [node.component?.subTree, node.children, node.suspense?.activeBranch]) if (walk(inner)) shown = true
      if (shown && node.component?.type.__name) names.add(node.component.type.__name)
      return shown
    }
    for (const element of document.querySelectorAll('*')) if ('_vnode' in element) walk(element._vnode)
    return [...names].sort()
  }, within)
}
