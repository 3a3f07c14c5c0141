// resources/icons/icon.png from icon.svg, drawn by the Chromium of the tests: node scripts/icons.mjs
import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { projectRoot } from './lib/build.mjs'
import { chromiumLaunchOptions } from './lib/chromium.mjs'

const icons = join(projectRoot, 'resources', 'icons')
const size = 1024
const svg = readFileSync(join(icons, 'icon.svg'), 'utf8')
const browser = await chromium.launch(await chromiumLaunchOptions())
const page = await browser.newPage({ viewport: { width: size, height: size } })
await page.setContent(`<style>* { margin: 0 } svg { display: block; width: ${size}px; height: ${size}px }</style>${svg}`)
await page.screenshot({ path: join(icons, 'icon.png'), omitBackground: true })
await browser.close()
// the tab of the web host shows the same picture
copyFileSync(join(icons, 'icon.svg'), join(projectRoot, 'src', 'renderer', 'public', 'icon.svg'))
