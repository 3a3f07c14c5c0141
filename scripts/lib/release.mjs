// Version and changelog of a release, from the commits since the tag before. Nothing here asks the network.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from './build.mjs'

const cliff = join(projectRoot, 'node_modules', 'git-cliff', 'lib', 'cli', 'cli.js')

function run(program, args, root) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
  if (status !== 0)
    throw new Error(`${program === process.execPath ? 'git-cliff' : program} ${args[0]}: ${(error?.message ?? stderr).trim()}`)
  return stdout.trim()
}
const gitCliff = (root, ...args) => run(process.execPath, [cliff, '--config', join(root, 'cliff.toml'), '--offline', ...args], root)

/** The next version, without a `v`: what the commits ask for. */
export const nextVersion = (root = projectRoot) => gitCliff(root, '--bumped-version').replace(/^v/, '')

/** Markdown, what is not released yet as `version`: that alone, and after all releases before it. */
export const notes = (version, root = projectRoot) => gitCliff(root, '--unreleased', '--tag', `v${version}`, '--strip', 'header')
export const changelog = (version, root = projectRoot) => `${gitCliff(root, '--tag', `v${version}`)}\n`

/** Writes version and changelog, commits and tags them. Pushing the tag is the release: that is the caller's. */
export function release(version, root = projectRoot) {
  if (!/^\d+\.\d+\.\d+(-[0-9A-Za-z.]+)?$/.test(version)) throw new Error(`${version} is no version: 1.2.3`)
  if (run('git', ['status', '--porcelain'], root) !== '') throw new Error('there are changes that are not committed')
  if (run('git', ['tag', '--list', `v${version}`], root) !== '') throw new Error(`v${version} is there already`)
  const text = changelog(version, root)
  for (const [name, places] of [
    ['package.json', (manifest) => [manifest]],
    ['package-lock.json', (lock) => [lock, lock.packages['']]],
  ]) {
    const file = join(root, name)
    const json = JSON.parse(readFileSync(file, 'utf8'))
    for (const place of places(json)) place.version = version
    writeFileSync(file, `${JSON.stringify(json, null, 2)}\n`)
  }
  writeFileSync(join(root, 'CHANGELOG.md'), text)
  run('git', ['add', 'package.json', 'package-lock.json', 'CHANGELOG.md'], root)
  run('git', ['commit', '--message', `Version ${version}`], root)
  run('git', ['tag', '--annotate', `v${version}`, '--message', `Version ${version}`], root)
}
