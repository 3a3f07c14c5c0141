/** Version and changelog from commits of free sentences, by git-cliff with the project's own settings. */
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { projectRoot } from '../../scripts/lib/build.mjs'
import { changelog, nextVersion, notes, release } from '../../scripts/lib/release.mjs'

const gitIn = (root: string, ...args: string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()

const noGit = spawnSync('git', ['--version']).status === 0 ? null : 'git is not here'

describe.skipIf(noGit !== null)(noGit === null ? 'a release' : `a release (skipped: ${noGit})`, () => {
  let root: string
  const git = (...args: string[]) => gitIn(root, ...args)
  const commit = (...paragraphs: string[]) => git('commit', '--allow-empty', ...paragraphs.flatMap((text) => ['--message', text]))
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'marrow-release-'))
    git('init')
    git('config', 'user.name', 'Someone')
    git('config', 'user.email', 'someone@example.org')
    git('config', 'commit.gpgsign', 'false')
    git('config', 'tag.gpgsign', 'false')
    copyFileSync(join(projectRoot, 'cliff.toml'), join(root, 'cliff.toml'))
    writeFileSync(join(root, 'package.json'), '{ "name": "marrow", "version": "0.1.0" }')
    writeFileSync(join(root, 'package-lock.json'), '{ "version": "0.1.0", "packages": { "": { "version": "0.1.0" } } }')
    git('add', '.')
    commit('Lay the ground')
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  it('takes its version from what the commits say in their last line', () => {
    expect(nextVersion(root)).toBe('0.1.0')
    git('tag', 'v0.1.0')
    commit('W3D: a pivot keeps its name', 'Some words about why.')
    expect(nextVersion(root)).toBe('0.1.1')
    commit('Weights are painted', 'Some words.', 'Version: minor')
    commit('A slip of the pen is mended')
    expect(nextVersion(root)).toBe('0.2.0')
    commit('W3D: mods of the version before do not open', 'Version: major')
    expect(nextVersion(root)).toBe('1.0.0')
  })

  it('lists first lines by what they are about, releases before below', () => {
    git('tag', 'v0.1.0')
    commit('W3D: a pivot: keeps its name & place', 'Some words about why.')
    commit('README: a picture')
    commit('Weights are painted <by hand>', 'Some words.', 'Version: minor')
    const day = /, \d{4}-\d\d-\d\d/g
    expect(notes('0.2.0', root).replace(day, '')).toBe(
      '## 0.2.0\n\n### Workbench\n\n- Weights are painted <by hand>\n\n### Formats\n\n- W3D: a pivot: keeps its name & place',
    )
    expect(
      changelog('0.2.0', root)
        .match(/^## .*$/gm)!
        .map((line) => line.replace(day, '')),
    ).toEqual(['## 0.2.0', '## 0.1.0'])
  })

  it('is a commit and a tag, with the version in every place', () => {
    git('tag', 'v0.1.0')
    commit('Weights are painted')
    release('0.1.1', root)
    expect(git('log', '-1', '--format=%s')).toBe('Version 0.1.1')
    expect(git('tag', '--points-at', 'HEAD')).toBe('v0.1.1')
    expect(git('status', '--porcelain')).toBe('')
    for (const name of ['package.json', 'package-lock.json']) expect(readFileSync(join(root, name), 'utf8')).not.toContain('0.1.0')
    expect(readFileSync(join(root, 'CHANGELOG.md'), 'utf8')).toContain('- Weights are painted\n')
    // the commit of a release is no change
    expect(changelog('0.1.2', root)).not.toContain('Version 0.1.1')
  })

  it('is refused over changes, for a version that is there, and for what is none', () => {
    git('tag', 'v0.1.0')
    expect(() => release('0.1.0', root)).toThrow('v0.1.0 is there already')
    expect(() => release('next', root)).toThrow('next is no version')
    writeFileSync(join(root, 'package.json'), '{}')
    expect(() => release('0.1.1', root)).toThrow('not committed')
    expect(git('tag')).toBe('v0.1.0')
  })
})

const why =
  noGit ??
  (!existsSync(join(projectRoot, '.git'))
    ? 'this is no repository'
    : gitIn(projectRoot, 'rev-parse', '--is-shallow-repository') === 'true'
      ? 'its history is cut'
      : null)

describe.skipIf(why !== null)(why === null ? "this project's history" : `this project's history (skipped: ${why})`, () => {
  it('becomes a changelog: every sentence stands in it as it was written, or is of a kind that is left out', () => {
    const items = new Set([...changelog('999.0.0').matchAll(/^- (.*)$/gm)].map(([, text]) => text))
    // a first line may run on in a second one
    const said = gitIn(projectRoot, 'log', '--no-merges', '-z', '--format=%H%n%B')
      .split('\0')
      .filter((text) => text !== '')
      .map((text) => text.split('\n'))
    const missing = said.filter(([, line]) => !items.has(line.trim()) && !/^(README|A test|Tests|Types|Lint|Bench|Version \d)/.test(line))
    // git-cliff takes nothing of what blame looks behind, and of the list of that
    const behind = readFileSync(join(projectRoot, '.git-blame-ignore-revs'), 'utf8')
    const isLayout = (id: string) =>
      behind.includes(id) || gitIn(projectRoot, 'show', '--format=', '--name-only', id) === '.git-blame-ignore-revs'
    expect(missing.filter(([id]) => !isLayout(id))).toEqual([])
    expect(items.size).toBeGreaterThan(said.length / 2)
  })
})
