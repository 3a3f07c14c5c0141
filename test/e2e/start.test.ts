/** `npm start` as a user runs it, on a machine without a screen. */
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { projectRoot } from '../../scripts/lib/build.mjs'
import { parseLaunch } from '../../src/shared/api/launch.ts'
import { enterWith } from '../support/web-entry.ts'

const homes: string[] = []
const running: { child: ChildProcess; ended: Promise<unknown> }[] = []
afterEach(async () => {
  // of a test that failed before it ended what it had started
  for (const { child, ended } of running.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGTERM')
    await ended
  }
  homes.splice(0).forEach((home) => rmSync(home, { recursive: true, force: true }))
})

function start(args: string[], env: Record<string, string> = {}, { detached = false } = {}) {
  const home = mkdtempSync(join(tmpdir(), 'marrow-start-'))
  homes.push(home)
  const { DISPLAY: _, WAYLAND_DISPLAY: __, INIT_CWD: ___, ...rest } = process.env
  const child = spawn(process.execPath, ['scripts/run.mjs', 'scripts/start.mjs', ...args], {
    cwd: projectRoot,
    detached,
    env: { ...rest, MARROW_HOME: home, INIT_CWD: tmpdir(), ...env },
  })
  let out = ''
  let err = ''
  child.stdout.on('data', (part) => (out += part))
  child.stderr.on('data', (part) => (err += part))
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve))
  running.push({ child, ended })
  const address = async () => {
    await expect.poll(() => /Marrow is at (\S+)/.test(out), { timeout: 30_000 }).toBe(true)
    return new URL(/Marrow is at (\S+)/.exec(out)![1])
  }
  return { child, ended, address, out: () => out, err: () => err, home }
}

describe('npm start', () => {
  it.runIf(process.platform === 'linux')('says in one line why Electron is not used, and serves the workbench', async () => {
    const app = start(['--no-open'])
    const url = await app.address()
    expect(
      app
        .out()
        .split('\n')
        .filter((line) => line.includes('Electron')),
    ).toEqual(['Electron is not used: there is no display. The same workbench opens in the browser.'])
    expect(await (await fetch(url)).text()).toContain('<title>Marrow')
    app.child.kill('SIGINT')
    expect(await app.ended).toBe(0)
    expect(app.err()).toBe('')
  })

  it('opens a folder given from where the user is, on the port that was asked for', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'marrow-game-'))
    homes.push(folder)
    const first = start([folder.slice(tmpdir().length + 1), '--web', '--no-open'])
    const url = await first.address()
    expect(first.out()).not.toContain('Electron')
    expect((await enterWith(url.origin, parseLaunch(url.hash).code!)).folder).toBe(folder)
    const second = start(['--port', url.port, '--no-open'])
    expect(await second.ended).toBe(1)
    expect(second.err()).toContain(`Port ${url.port} is in use`)
    first.child.kill('SIGTERM')
    expect(await first.ended).toBe(0)
  })

  it.skipIf(process.platform === 'win32')('ends in order when a terminal tells all its processes to', async () => {
    const app = start(['--web', '--no-open'], {}, { detached: true })
    await app.address()
    process.kill(-app.child.pid!, 'SIGINT')
    expect(await app.ended).toBe(0)
    expect(app.err()).toBe('')
  })

  it('opens the browser, and lives on where there is none', async () => {
    // no program is found at all
    const empty = mkdtempSync(join(tmpdir(), 'marrow-path-'))
    homes.push(empty)
    const app = start(['--web'], { PATH: empty })
    const url = await app.address()
    expect((await fetch(url)).status).toBe(200)
    app.child.kill('SIGINT')
    expect(await app.ended).toBe(0)
  })

  it.runIf(process.platform === 'linux')('gives the browser no secret that other users can read', async () => {
    const tools = mkdtempSync(join(tmpdir(), 'marrow-path-'))
    homes.push(tools)
    const browser = join(tools, 'browser')
    // what a page gets to see is copied before the host takes the file away
    writeFileSync(
      browser,
      `#!/bin/sh\necho "$@" > '${tools}/arguments.part'\nfor last; do :; done\ncp "\${last#file://}" '${tools}/page'\nstat -c %a "\${last#file://}" > '${tools}/mode'\nmv '${tools}/arguments.part' '${tools}/arguments'\n`,
      { mode: 0o755 },
    )
    // what machines have for pages in files, which the system's opener takes before BROWSER
    writeFileSync(join(tools, 'run-mailcap'), '#!/bin/sh\nexit 0\n', { mode: 0o755 })
    const app = start(['--web'], { BROWSER: `${tools}/none:${browser}`, PATH: `${tools}:${process.env.PATH}` })
    const url = await app.address()
    await expect.poll(() => existsSync(join(tools, 'arguments')), { timeout: 20_000 }).toBe(true)
    const given = readFileSync(join(tools, 'arguments'), 'utf8')
    expect(given).toMatch(/^file:\/\/\/\S+\/state\/enter-[0-9a-f]{16}\.html\n$/)
    expect(readFileSync(join(tools, 'mode'), 'utf8')).toBe('600\n')
    expect(statSync(join(app.home, 'state')).mode & 0o777).toBe(0o700)
    const code = /#code=([0-9a-f]{32})"/.exec(readFileSync(join(tools, 'page'), 'utf8'))![1]
    expect(given).not.toContain(code)
    // not the one that stands in the terminal
    expect(url.hash).not.toContain(code)
    expect((await enterWith(url.origin, code)).status).toBe(200)
    expect(readdirSync(join(app.home, 'state')).filter((name) => name.endsWith('.html'))).toEqual([])
    app.child.kill('SIGTERM')
    expect(await app.ended).toBe(0)
  })

  it.runIf(process.platform === 'linux')('takes the browser where Electron is there and cannot run', async () => {
    const binary = mkdtempSync(join(tmpdir(), 'marrow-binary-'))
    homes.push(binary)
    writeFileSync(join(binary, 'electron'), '#!/bin/sh\nexit 7\n', { mode: 0o755 })
    const app = start(['--no-open'], { DISPLAY: ':99', ELECTRON_OVERRIDE_DIST_PATH: binary })
    await app.address()
    expect(app.out()).toContain('Electron is not used: it ended with status 7.')
    app.child.kill('SIGTERM')
    expect(await app.ended).toBe(0)
  })

  it.runIf(process.platform === 'linux')('opens Electron with the project and the folder, and ends with it', async () => {
    const binary = mkdtempSync(join(tmpdir(), 'marrow-binary-'))
    homes.push(binary)
    writeFileSync(join(binary, 'electron'), '#!/bin/sh\necho "ran with $@"\n', { mode: 0o755 })
    const app = start([binary], { DISPLAY: ':99', ELECTRON_OVERRIDE_DIST_PATH: binary })
    expect(await app.ended).toBe(0)
    expect(app.out()).toContain(`ran with ${projectRoot} ${binary}`)
    expect(app.out()).not.toContain('Marrow is at')
  })

  it('refuses what it does not understand', async () => {
    for (const args of [['--port', 'x'], ['--port', '70000'], ['--nonsense'], ['no such folder'], ['a', 'b']]) {
      const app = start(args)
      expect(await app.ended, args.join(' ')).toBe(2)
      expect(app.err()).toContain('usage:')
    }
  })
})
