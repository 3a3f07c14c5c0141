/** What moves by itself in the styles of the window stands still for who wants no motion. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../../../src/renderer')
const files = globSync('**/*.{vue,css}', { cwd: root })

/** Of each rule its selector and what it says; those for less motion apart. */
function rulesOf(text: string): { moving: [string, string][]; still: string } {
  const css = text.replace(/^[^]*?<style[^>]*>/, '').replace(/\/\*[^]*?\*\//g, '')
  let still = ''
  const rest = css.replace(/@media \(prefers-reduced-motion: reduce\) \{((?:[^{}]*\{[^{}]*\})*)\s*\}/g, (_all, inner: string) => {
    still += inner
    return ''
  })
  const moving: [string, string][] = []
  for (const [, selector, body] of rest.matchAll(/([^{}]+)\{([^{}]*)\}/g))
    for (const [, value] of body.matchAll(/(?:^|\s)(?:animation|transition):([^;]*);/g)) moving.push([selector.trim(), value])
  return { moving, still }
}

describe('motion', () => {
  it('of each style ends where less of it is wanted', () => {
    const found = files.flatMap((file) => {
      const { moving, still } = rulesOf(readFileSync(join(root, file), 'utf8'))
      return moving
        .filter(([, value]) => /\d/.test(value))
        .map(([selector]) => ({ place: `${file} ${selector}`, stops: still.includes(`${selector} {`) }))
    })
    // those that the search is known to find: a style that it does not read says nothing
    expect(found.map(({ place }) => place)).toEqual(expect.arrayContaining(['ui/ProgressBar.vue .fill', 'shell/App.vue .lost']))
    expect(found.filter(({ stops }) => !stops).map(({ place }) => place)).toEqual([])
  })

  it('of all others lasts as long as one token says, which is nothing then', () => {
    expect(rulesOf(readFileSync(join(root, 'ui/tokens.css'), 'utf8')).still).toMatch(/--ease: 0ms;/)
  })
})
