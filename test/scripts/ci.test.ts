/** .ci/run, with a stand-in for npm that writes down what it is run with. */
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { projectRoot } from '../../scripts/lib/build.mjs'

let base: string
let env: Record<string, string>
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'marrow-ci-test-'))
  for (const folder of ['project', 'bin', 'home', 'tmp']) mkdirSync(join(base, folder))
  cpSync(join(projectRoot, '.ci'), join(base, 'project', '.ci'), { recursive: true })
  env = { PATH: `${join(base, 'bin')}:${process.env.PATH}`, HOME: join(base, 'home'), TMPDIR: join(base, 'tmp') }
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

function npm(then = ''): void {
  const file = join(base, 'bin', 'npm')
  writeFileSync(
    file,
    `#!/bin/sh
echo "$1" >> "${base}/calls"
env > "${base}/env-$1"
ls -A "$HOME" "$TMPDIR" > "${base}/list-$1"
pwd > "${base}/pwd"
echo left > "$TMPDIR/left"; mkdir "$HOME/.cache-$1"
${then}
`,
  )
  chmodSync(file, 0o755)
}
const read = (name: string) => readFileSync(join(base, name), 'utf8')
const seen = (call: string) =>
  Object.fromEntries(
    read(`env-${call}`)
      .trim()
      .split('\n')
      .map((line) => line.split(/=(.*)/s)),
  )
const run = (more: Record<string, string> = {}) =>
  spawnSync(join(base, 'project', '.ci', 'run'), { env: { ...env, ...more }, encoding: 'utf8' })

describe.skipIf(process.platform === 'win32')('.ci/run (a shell script)', () => {
  it('runs the README’s test command in a home and a temporary folder that nothing is in', () => {
    npm()
    const { status, stderr } = run()
    expect(stderr).toBe('')
    expect(status).toBe(0)
    expect(read('calls')).toBe('ci\ntest\n')
    expect(read('pwd').trim().endsWith('/project')).toBe(true)
    const { HOME, TMPDIR, npm_config_cache: cache } = seen('ci')
    for (const path of [HOME, TMPDIR]) expect(path.startsWith(`${env.TMPDIR}/`)).toBe(true)
    expect(HOME).not.toBe(TMPDIR)
    expect(cache.startsWith(`${HOME}/`)).toBe(true)
    expect(read('list-ci').trim().split('\n')).toEqual([`${HOME}:`, '', `${TMPDIR}:`])
    // nothing stays
    expect(readdirSync(env.TMPDIR)).toEqual([])
    expect(readdirSync(env.HOME)).toEqual([])
  })

  it('keeps the way to the registry, and nothing that could help the tests', () => {
    npm()
    const kept = {
      https_proxy: 'http://p',
      NPM_TOKEN: 't',
      NO_PROXY: 'x',
      npm_config_registry: 'http://r/',
      NODE_EXTRA_CA_CERTS: '/c',
      CI: 'true',
    }
    const dropped = {
      NODE_OPTIONS: '--no-deprecation',
      NODE_PATH: '/n',
      LD_LIBRARY_PATH: '/l',
      FONTCONFIG_FILE: '/f',
      XDG_CACHE_HOME: '/x',
      DISPLAY: ':1',
      MARROW_CHROMIUM: '/m',
      MARROW_HOME: '/h',
      ELECTRON_OVERRIDE_DIST_PATH: '/e',
    }
    expect(run({ ...kept, ...dropped }).status).toBe(0)
    expect(seen('ci')).toMatchObject({ ...kept, npm_config_userconfig: join(env.HOME, '.npmrc') })
    expect(Object.keys(seen('test')).filter((name) => name in dropped)).toEqual([])
    // where the user has named the file, and a cache of another place
    for (const name of ['npm_config_userconfig', 'NPM_CONFIG_USERCONFIG']) {
      expect(run({ [name]: '/own/npmrc', npm_config_cache: '/old', NPM_CONFIG_CACHE: '/older' }).status).toBe(0)
      const { HOME, npm_config_userconfig: file, npm_config_cache: cache } = seen('ci')
      expect([file, cache]).toEqual(['/own/npmrc', join(HOME, '.npm')])
      expect(Object.keys(seen('ci')).filter((key) => key.startsWith('NPM_'))).toEqual([])
    }
  })

  it('fails as its command fails, and leaves nothing then', () => {
    npm('[ "$1" = ci ] || exit 7')
    expect(run().status).toBe(7)
    expect(readdirSync(env.TMPDIR)).toEqual([])
    npm('exit 3')
    rmSync(join(base, 'calls'))
    expect(run().status).toBe(3)
    expect(read('calls')).toBe('ci\n')
    expect(readdirSync(env.TMPDIR)).toEqual([])
  })

  it('leaves nothing when it is ended', async () => {
    npm('while [ ! -e "$HOME/never" ]; do sleep 0.05; done')
    // a terminal ends the whole group
    const child = spawn(join(base, 'project', '.ci', 'run'), { env, detached: true, stdio: 'ignore' })
    await expect.poll(() => existsSync(join(base, 'pwd')), { timeout: 20_000 }).toBe(true)
    const ended = new Promise((done) => child.on('exit', done))
    process.kill(-child.pid!, 'SIGTERM')
    await ended
    await expect.poll(() => readdirSync(env.TMPDIR), { timeout: 20_000 }).toEqual([])
  })
})
