// The icons of the three systems from resources/icons/icon.svg, drawn by the Chromium of the tests: node scripts/icons.mjs
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { projectRoot } from './lib/build.mjs'
import { chromiumLaunchOptions } from './lib/chromium.mjs'
import { icns, ico } from './lib/icon-files.mjs'

const icons = join(projectRoot, 'resources', 'icons')
/** hicolor's folders, which desktops of Linux look in; a larger one is in no theme's list */
const linux = [16, 24, 32, 48, 64, 128, 256, 512]
const svg = readFileSync(join(icons, 'icon.svg'), 'utf8')
const browser = await chromium.launch(await chromiumLaunchOptions())
const page = await browser.newPage()
const pictures = new Map()
for (const size of [...linux, 1024]) {
  await page.setViewportSize({ width: size, height: size })
  await page.setContent(`<style>* { margin: 0 } svg { display: block; width: ${size}px; height: ${size}px }</style>${svg}`)
  pictures.set(size, await page.screenshot({ omitBackground: true }))
}
await browser.close()

writeFileSync(join(icons, 'icon.png'), pictures.get(1024))
writeFileSync(join(icons, 'icon.ico'), ico(pictures))
writeFileSync(join(icons, 'icon.icns'), icns(pictures))
mkdirSync(join(icons, 'linux'), { recursive: true })
for (const size of linux) writeFileSync(join(icons, 'linux', `${size}x${size}.png`), pictures.get(size))
// the tab of the web host shows the same picture
copyFileSync(join(icons, 'icon.svg'), join(projectRoot, 'src', 'renderer', 'public', 'icon.svg'))
