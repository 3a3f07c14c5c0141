// The real headless Chromium of the tests and of screenshots: from the package @sparticuz/chromium, unpacked once into
// node_modules/.cache, so that nothing has to be installed on the machine.
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { projectRoot } from './build.mjs'

const args = [
  '--no-sandbox',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-background-networking',
  '--no-first-run',
  '--disable-component-update',
]

/**
 * Unpacks on first use.
 * @returns {Promise<{executablePath: string, args: string[], env: Record<string, string>}>} options for playwright's chromium.launch
 */
export async function chromiumLaunchOptions() {
  if (process.env.MARROW_CHROMIUM) return { executablePath: process.env.MARROW_CHROMIUM, args, env: { ...process.env } }
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('the Chromium package is for Linux x64: set MARROW_CHROMIUM to the path of a Chromium or Chrome')
  }
  const folder = await unpack()
  const env = { ...process.env, FONTCONFIG_FILE: fontConfig(folder), XDG_CACHE_HOME: join(folder, 'cache') }
  if (lacksLibraries(join(folder, 'chromium'))) {
    env.LD_LIBRARY_PATH = [join(folder, 'al2023', 'lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':')
  }
  return { executablePath: join(folder, 'chromium'), args, env }
}

/**
 * Writes the browser's font configuration: the packed fonts, and the system's where it has some. The package's own names
 * folders below /tmp, and a browser that finds no font at all ends at its first page.
 */
export function fontConfig(folder) {
  const file = join(folder, 'fonts.conf')
  const folders = [join(folder, 'fonts', 'fonts'), '/usr/share/fonts', '/usr/local/share/fonts']
  const text = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
${folders.map((path) => `  <dir>${escapeXml(path)}</dir>`).join('\n')}
  <cachedir>${escapeXml(join(folder, 'font-cache'))}</cachedir>
</fontconfig>
`
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text)
  return file
}

const escapeXml = (text) => text.replace(/[&<>]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[c])

async function unpack() {
  const main = createRequire(import.meta.url).resolve('@sparticuz/chromium')
  const packageFolder = dirname(dirname(main))
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'))
  const cache = join(projectRoot, 'node_modules', '.cache', 'marrow')
  const folder = join(cache, `chromium-${version}`)
  if (existsSync(folder)) return folder
  const temporary = join(cache, `chromium-${version}.${process.pid}`)
  rmSync(temporary, { recursive: true, force: true })
  mkdirSync(temporary, { recursive: true })
  // the package unpacks into os.tmpdir(), which other versions of it share
  const before = process.env.TMPDIR
  process.env.TMPDIR = temporary
  try {
    const { default: chromium, inflate } = await import('@sparticuz/chromium')
    await chromium.executablePath()
    await inflate(join(packageFolder, 'bin', 'al2023.tar.br'))
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  }
  try {
    // complete or absent, also where two runs unpack at the same time
    renameSync(temporary, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
    rmSync(temporary, { recursive: true, force: true })
  }
  return folder
}

/** The NSS libraries of the package are older than most systems' own: they are used only where the system has none. */
function lacksLibraries(executable) {
  const result = spawnSync('ldd', [executable], { encoding: 'utf8' })
  return result.error !== undefined || /not found/.test(result.stdout)
}
