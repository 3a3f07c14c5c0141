/** Once before all: what is packed is the build of now. */
import { buildAll, isBuilt } from '../../scripts/lib/build.mjs'

export default function prepare(): void {
  if (!isBuilt('all')) buildAll()
}
