/** What starts the project's scripts: the Node they run on, and the line where they cannot run. */
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { projectRoot } from '../../scripts/lib/build.mjs'
import { whyNoDatabase } from '../../scripts/lib/native.mjs'
import { nodePackage, pinnedNode, whyNotThisNode } from '../../scripts/lib/node.mjs'

const { scripts, optionalDependencies } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'))
const nodeFile = join('bin', process.platform === 'win32' ? 'node.exe' : 'node')

/** A project of the starters alone, in a folder whose name needs care. */
let project: string
let base: string
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'marrow-node-'))
  project = join(base, 'a b & ü')
  for (const folder of ['bin', 'scripts']) cpSync(join(projectRoot, folder), join(project, folder), { recursive: true })
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

/** A stand-in for better-sqlite3 that works, or whatever else is said of it. */
function install(code = 'module.exports = class { close() {} }'): void {
  const folder = join(project, 'node_modules', 'better-sqlite3')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'index.js'), code)
}

const script = (code: string): void => writeFileSync(join(project, 'scripts', 'probe.mjs'), code)

/** Runs `node scripts/run.mjs scripts/probe.mjs ARGS` or another call. */
function start(args: string[] = [], { call = ['scripts/run.mjs', 'scripts/probe.mjs'], env = {} as Record<string, string> } = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...call, ...args], {
    cwd: project,
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '', ...env },
  })
  return { status, out: stdout, err: stderr }
}

/** Node with its own way with TypeScript off stands for one that has none. */
const OLD = { NODE_OPTIONS: '--no-experimental-strip-types' }
const STARTERS: [string, string[]][] = [
  ...['start', 'test', 'marrow'].map((name): [string, string[]] => [`npm run ${name}`, scripts[name].split(' ').slice(1)]),
  ['bin/marrow.mjs', ['bin/marrow.mjs']],
]

describe('starting a script', () => {
  it('passes on arguments, output and the way it ends', () => {
    install()
    script(`console.log(JSON.stringify([process.argv[1], ...process.argv.slice(2)])); process.exitCode = 3`)
    const { status, out, err } = start(['a b', '--x', '"&'])
    expect(JSON.parse(out)).toEqual([join(project, 'scripts', 'probe.mjs'), 'a b', '--x', '"&'])
    expect(err).toBe('')
    expect(status).toBe(3)
  })

  it.runIf(process.platform !== 'win32')('passes on signals, and says which one was the end', async () => {
    install()
    script(
      `process.on('SIGINT', () => { console.log('asked'); process.kill(process.pid, 'SIGKILL') }); console.log('ready'); setInterval(() => {}, 1000)`,
    )
    const child = spawn(process.execPath, ['scripts/run.mjs', 'scripts/probe.mjs'], {
      cwd: project,
      env: { ...process.env, NODE_OPTIONS: '' },
    })
    let out = ''
    child.stdout.on('data', (part) => {
      out += part
      if (out === 'ready\n') child.kill('SIGINT')
    })
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(128 + 9)
    expect(out).toBe('ready\nasked\n')
  })

  it.runIf(process.platform !== 'win32')('ends what npm started when npm is ended', async () => {
    install()
    const ended = join(project, 'ended')
    script(`import { writeFileSync } from 'node:fs'
      process.on('SIGTERM', () => { writeFileSync(${JSON.stringify(ended)}, ''); process.exit() })
      console.log('ready'); setInterval(() => {}, 1000)`)
    // the shell that npm runs a script in
    const shell = spawn('sh', ['-c', '"$0" scripts/run.mjs scripts/probe.mjs; true', process.execPath], {
      cwd: project,
      env: { ...process.env, NODE_OPTIONS: '', npm_lifecycle_event: 'start' },
    })
    shell.stdout.once('data', () => shell.kill())
    await expect.poll(() => existsSync(ended), { timeout: 25_000 }).toBe(true)
  })

  it.runIf(process.platform !== 'win32')('takes the project’s own Node, whatever Node it was started with', () => {
    install()
    script('console.log(process.env.MARROW_TEST_NODE)')
    const own = join(project, 'node_modules', nodePackage(), nodeFile)
    mkdirSync(dirname(own), { recursive: true })
    writeFileSync(own, `#!/bin/sh\nMARROW_TEST_NODE=own exec "${process.execPath}" "$@"\n`)
    chmodSync(own, 0o755)
    expect(start()).toEqual({ status: 0, out: 'own\n', err: '' })
    // also where npm was started with one that is too old
    writeFileSync(own, `#!/bin/sh\nunset NODE_OPTIONS\nMARROW_TEST_NODE=own exec "${process.execPath}" "$@"\n`)
    expect(start([], { env: OLD })).toEqual({ status: 0, out: 'own\n', err: '' })
  })

  it.runIf(process.platform !== 'win32')('takes the running Node where the project’s does not run', () => {
    install()
    script('console.log("ran")')
    const own = join(project, 'node_modules', nodePackage(), nodeFile)
    mkdirSync(dirname(own), { recursive: true })
    // as a Node for another C library is
    writeFileSync(own, '#!/no/such/loader\n')
    chmodSync(own, 0o755)
    expect(start()).toEqual({ status: 0, out: 'ran\n', err: '' })
    const old = start([], { env: OLD })
    expect(old.status).toBe(1)
    expect(old.err).toMatch(/^This is Node v\S+, and the project's own .* does not run here: .*\n$/)
  })
})

describe.each(STARTERS)('%s', (_name, call) => {
  const line = (env?: Record<string, string>) => {
    const { status, out, err } = start([], { call, env })
    expect(out).toBe('')
    expect(status).toBe(1)
    expect(err.split('\n')).toHaveLength(2)
    return err.trimEnd()
  }

  it('says that the packages are not installed', () => {
    expect(line()).toBe('The packages are not installed: run npm ci.')
    expect(line(OLD)).toBe('The packages are not installed: run npm ci.')
  })

  it('says that Node is too old', () => {
    install()
    expect(line(OLD)).toBe(
      `This is Node ${process.version}, and the project's own (${nodePackage()}) is not installed or does not run here: ` +
        'run npm ci again, or use Node 22.18 or newer.',
    )
  })

  it('says that the native module is missing or another system’s', () => {
    const packed = join(projectRoot, 'node_modules', 'better-sqlite3')
    const copy = join(project, 'node_modules', 'better-sqlite3')
    cpSync(join(packed, 'lib'), join(copy, 'lib'), { recursive: true })
    cpSync(join(packed, 'package.json'), join(copy, 'package.json'))
    const said = `The database's binary for ${process.platform}-${process.arch} (package better-sqlite3) cannot be loaded: run npm ci again. (`
    expect(line()).toContain(`${said}Cannot find module`)
    cpSync(join(packed, 'prebuilds'), join(copy, 'prebuilds'), { recursive: true })
    const other = join(packed, 'prebuilds', process.platform === 'darwin' ? 'linux-x64.node' : 'darwin-x64.node')
    for (const libc of ['', 'musl']) {
      cpSync(other, join(copy, 'prebuilds', `${process.platform}${libc}-${process.arch}.node`))
    }
    expect(line()).toContain(said)
  })
})

describe('the Node of the project', () => {
  it('is named by platform, as the packages are', () => {
    const names = [
      ['linux', 'x64'],
      ['linux', 'arm64'],
      ['darwin', 'x64'],
      ['darwin', 'arm64'],
      ['win32', 'x64'],
    ].map(([platform, arch]) => nodePackage(platform, arch))
    expect(names.sort()).toEqual(Object.keys(optionalDependencies).sort())
    expect(pinnedNode(join(base, 'none'))).toBe(process.execPath)
  })

  it('is not installed on Linux with another C library', () => {
    // the packages do not say that they are for the GNU C library: the lock file does, or npm ci would put a Node that cannot run before all others
    const { packages } = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8'))
    for (const arch of ['x64', 'arm64']) expect(packages[`node_modules/${nodePackage('linux', arch)}`].libc, arch).toEqual(['glibc'])
  })

  it('runs no install script of a package, and no script by npm’s own link to a program of its own', () => {
    expect(readFileSync(join(projectRoot, '.npmrc'), 'utf8')).toMatch(/^ignore-scripts=true$/m)
    for (const name of ['start', 'dev', 'build', 'test', 'test:unit', 'bench', 'fuzz', 'shot']) {
      expect(scripts[name], name).toMatch(/^node scripts\/run\.mjs /)
    }
  })

  it('is judged by what it can', () => {
    const machine = { version: 'v20.19.4', features: {}, platform: 'linux', arch: 'ia32', installed: true }
    expect(whyNotThisNode(machine)).toContain("This is Node v20.19.4, and the project's own (node-linux-ia32)")
    expect(whyNotThisNode({ ...machine, features: { typescript: false } })).not.toBe(null)
    expect(whyNotThisNode({ ...machine, features: { typescript: 'strip' } })).toBe(null)
    expect(whyNotThisNode({ ...machine, installed: false })).toBe('The packages are not installed: run npm ci.')
  })

  it('has a database', () => {
    expect(whyNoDatabase()).toBe(null)
    expect(
      whyNoDatabase(() => {
        throw new Error("/x/linux-x64.node: version `GLIBC_2.38' not found\nRequire stack:\n- /x")
      }),
    ).toMatch(/run npm ci again\. \(\/x\/linux-x64\.node: version `GLIBC_2\.38' not found\)$/)
  })
})
