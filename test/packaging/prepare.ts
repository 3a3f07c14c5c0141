/** Once before all: what is packed is the build of now. */
import { buildAll, isBuilt } from '../../scripts/lib/build.mjs'

export default async function prepare(): Promise<void> {
  if (!isBuilt('all')) await buildAll()
}
