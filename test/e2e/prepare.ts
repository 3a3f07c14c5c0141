/** Once before all end-to-end tests: they run what users run, the build. */
import { buildAll, isBuilt } from '../../scripts/lib/build.mjs'
import { chromiumLaunchOptions } from '../../scripts/lib/chromium.mjs'

export default async function prepare(): Promise<void> {
  if (!isBuilt('all')) await buildAll()
  await chromiumLaunchOptions()
}
