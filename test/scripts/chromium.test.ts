/** The packed browser: unpacked whole or not at all, with its own fonts and libraries. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { projectRoot } from '../../scripts/lib/build.mjs'
import { packedEnvironment, unpackChromium } from '../../scripts/lib/chromium.mjs'

const packed = process.platform === 'linux' && process.arch === 'x64'
let into: string
beforeEach(() => {
  into = mkdtempSync(join(tmpdir(), 'marrow-unpack-'))
})
afterEach(() => rmSync(into, { recursive: true, force: true }))

/** The number of a process that has ended. */
function deadProcess(): number {
  return spawnSync(process.execPath, ['-e', '']).pid
}

describe('unpacking the test browser', () => {
  it('is done once', async () => {
    let runs = 0
    const run = async (folder: string) => {
      runs++
      writeFileSync(join(folder, 'chromium'), 'a')
    }
    const folder = await unpackChromium({ into, run })
    expect(readFileSync(join(folder, 'chromium'), 'utf8')).toBe('a')
    expect(await unpackChromium({ into, run })).toBe(folder)
    expect(runs).toBe(1)
    expect(readdirSync(into)).toHaveLength(1)
  })

  it('takes what another run has unpacked meanwhile', async () => {
    const first = await unpackChromium({ into, run: async (folder) => writeFileSync(join(folder, 'chromium'), 'first') })
    rmSync(first, { recursive: true })
    const folder = await unpackChromium({
      into,
      async run(temporary) {
        writeFileSync(join(temporary, 'chromium'), 'second')
        mkdirSync(first)
        writeFileSync(join(first, 'chromium'), 'first')
      },
    })
    expect(readFileSync(join(folder, 'chromium'), 'utf8')).toBe('first')
    expect(readdirSync(into)).toHaveLength(1)
  })

  it('says in a line why it failed, and leaves nothing', async () => {
    const run = async (folder: string) => {
      writeFileSync(join(folder, 'half'), '')
      throw new Error('ENOSPC: no space left on device, write')
    }
    await expect(unpackChromium({ into, run })).rejects.toThrow(
      `the test browser cannot be unpacked into ${into}: ENOSPC: no space left on device, write`,
    )
    expect(readdirSync(into)).toEqual([])
  })

  it('takes away what a killed run left, and nothing of one that lives', async () => {
    const name = (await unpackChromium({ into, run: async () => {} })).slice(into.length + 1)
    rmSync(join(into, name), { recursive: true })
    const alive = `${name}.${process.ppid}`
    for (const folder of [`${name}.${deadProcess()}`, alive, `${name}.notes`, 'other.1']) mkdirSync(join(into, folder))
    await unpackChromium({ into, run: async () => {} })
    expect(readdirSync(into).sort()).toEqual([name, alive, `${name}.notes`, 'other.1'].sort())
  })

  it.runIf(packed)(
    'brings all that the browser needs, for every user of the machine (Linux x64)',
    async () => {
      // the end-to-end tests' own: to unpack 200 MB takes a while
      const folder = await unpackChromium()
      expect(statSync(join(folder, 'chromium')).mode & 0o777).toBe(0o755)
      expect(readFileSync(join(folder, 'fonts.conf'))).toEqual(readFileSync(join(projectRoot, 'scripts/lib/fonts.conf')))
      expect(
        readdirSync(join(folder, 'fonts', 'fonts'), { recursive: true }).filter((name) => /\.(ttf|otf)$/.test(String(name))),
      ).not.toEqual([])
      for (const path of ['libGLESv2.so', 'libvk_swiftshader.so', 'al2023/lib/libnss3.so'])
        expect(existsSync(join(folder, path)), path).toBe(true)
    },
    300_000,
  )

  // a limit on the size of files stands for the end of the disk: the write in the middle fails
  it.runIf(packed)('ends with a line where the disk does (Linux x64)', () => {
    const code = `
      import { unpackChromium } from ${JSON.stringify(pathToFileURL(join(projectRoot, 'scripts/lib/chromium.mjs')).href)}
      try { await unpackChromium({ into: ${JSON.stringify(into)} }) } catch (error) { console.log(error.message) }`
    writeFileSync(join(into, 'run.mjs'), code)
    const { stdout, stderr } = spawnSync('sh', ['-c', 'ulimit -f 4000; exec "$0" "$1"', process.execPath, join(into, 'run.mjs')], {
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
    expect(stdout).toBe(`the test browser cannot be unpacked into ${into}: EFBIG: file too large, write\n`)
    expect(readdirSync(into)).toEqual(['run.mjs'])
  })
})

describe('what the packed browser finds', () => {
  it('fonts: its own, beside the configuration, and the system’s', () => {
    const text = readFileSync(join(projectRoot, 'scripts/lib/fonts.conf'), 'utf8')
    const folders = [...text.matchAll(/<(dir|cachedir)([^>]*)>([^<]+)</g)].map(([, tag, attributes, path]) => [
      tag,
      attributes.trim(),
      path,
    ])
    expect(folders).toEqual([
      ['dir', 'prefix="relative"', 'fonts/fonts'],
      ['dir', '', '/usr/share/fonts'],
      ['dir', '', '/usr/local/share/fonts'],
      ['cachedir', 'prefix="xdg"', 'fontconfig'],
    ])
    expect(text).not.toContain('<include')
  })

  it('libraries: the user’s, the system’s, and the package’s for what these lack', () => {
    const env = packedEnvironment('/a b/c&d', { LD_LIBRARY_PATH: '/own' })
    const paths = env.LD_LIBRARY_PATH.split(':')
    expect(paths[0]).toBe('/own')
    expect(paths.at(-1)).toBe('/a b/c&d/al2023/lib')
    expect(paths.slice(1, -1)).toContain('/usr/lib64')
    expect(env.FONTCONFIG_FILE).toBe('/a b/c&d/fonts.conf')
    // an empty part would be the folder that the browser is started in
    expect(packedEnvironment('/x', {}).LD_LIBRARY_PATH.split(':')).not.toContain('')
  })
})
