/** Putting a build in its place, also while another one does. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { projectRoot, replaced } from '../../scripts/lib/build.mjs'

let out: string
beforeEach(() => {
  out = mkdtempSync(join(tmpdir(), 'marrow-build-'))
})
afterEach(() => rmSync(out, { recursive: true, force: true }))

function fill(folder: string, text: string): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'index.html'), text)
}
const page = (folder = join(out, 'renderer')) => readFileSync(join(folder, 'index.html'), 'utf8')

describe('a build', () => {
  it.each([undefined, 'development'])('of the window alone is that of the product, whatever it is begun with (NODE_ENV %s)', (NODE_ENV) => {
    const program = `import { buildRenderer } from './scripts/lib/build.mjs'; await buildRenderer({ outDir: ${JSON.stringify(join(out, 'renderer'))} })`
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: projectRoot,
      encoding: 'utf8',
      env: { ...process.env, NODE_ENV },
    })
    expect([status, stderr.includes('rror')], stderr).toEqual([0, false])
    const assets = join(out, 'renderer', 'assets')
    const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'))
    expect(scripts.length).toBeGreaterThan(4)
    // of comments in templates nothing is left
    const kept = 'a click with the mouse leaves the focus'
    expect(readFileSync(join(projectRoot, 'src/renderer/core/IconButton.vue'), 'utf8')).toContain(kept)
    expect(scripts.filter((name) => readFileSync(join(assets, name), 'utf8').includes(kept))).toEqual([])
  })

  it('stands beside the old one until it is complete', async () => {
    const target = join(out, 'renderer')
    fill(target, 'old')
    await replaced([target], target, async (fresh) => {
      fill(fresh, 'new')
      expect(page()).toBe('old')
    })
    expect(page()).toBe('new')
    expect(readdirSync(out)).toEqual(['renderer'])
  })

  it('that fails leaves the old one, and nothing else', async () => {
    const target = join(out, 'renderer')
    fill(target, 'old')
    const full = replaced([target], target, (fresh) => {
      fill(fresh, 'half')
      throw new Error('ENOSPC: no space left on device, write')
    })
    await expect(full).rejects.toThrow('ENOSPC')
    expect(page()).toBe('old')
    expect(readdirSync(out)).toEqual(['renderer'])
  })

  it('of several folders replaces each', async () => {
    const targets = ['main', 'preload', 'renderer'].map((name) => join(out, name))
    fill(targets[0], 'old')
    await replaced(targets, join(out, 'all'), (fresh) => ['main', 'preload', 'renderer'].forEach((name) => fill(join(fresh, name), name)))
    expect(targets.map(page)).toEqual(['main', 'preload', 'renderer'])
    expect(readdirSync(out).sort()).toEqual(['main', 'preload', 'renderer'])
  })

  it('takes away what killed ones left', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', ''])
    for (const name of [`renderer.${pid}`, `renderer.${pid}.old`, `renderer.${process.ppid}`, 'renderer-fake']) fill(join(out, name), '')
    await replaced([join(out, 'renderer')], join(out, 'renderer'), (fresh) => fill(fresh, 'new'))
    expect(readdirSync(out).sort()).toEqual(['renderer', `renderer.${process.ppid}`, 'renderer-fake'].sort())
  })

  it('does not disturb another one that ends at the same moment', () => {
    // two programs, each of which replaces the folder again and again
    const url = new URL('../../scripts/lib/build.mjs', import.meta.url).href
    const code = `
      import { mkdirSync, writeFileSync } from 'node:fs'
      import { replaced } from '${url}'
      const target = process.argv[1]
      for (let i = 0; i < 150; i++) await replaced([target], target, (fresh) => {
        mkdirSync(fresh)
        writeFileSync(fresh + '/index.html', 'whole')
      })`
    const target = join(out, 'renderer')
    const both = `
      import { spawn } from 'node:child_process'
      const runs = [1, 2].map(() => spawn(process.execPath, ['--input-type=module', '-e', ${JSON.stringify(code)}, ${JSON.stringify(target)}], { stdio: 'inherit' }))
      const codes = await Promise.all(runs.map((run) => new Promise((done) => run.on('exit', done))))
      console.log(codes.join())`
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', both], { encoding: 'utf8' })
    expect(stderr).toBe('')
    expect(stdout).toBe('0,0\n')
    expect(page()).toBe('whole')
    expect(existsSync(target)).toBe(true)
    expect(readdirSync(out)).toEqual(['renderer'])
  })
})
