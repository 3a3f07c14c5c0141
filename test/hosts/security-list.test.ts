/** docs/security.md names a test for each point: these are there, and the packages are locked as it says. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectRoot } from '../../scripts/lib/build.mjs'

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8')

describe('the security list', () => {
  const rows = read('docs/security.md')
    .split('\n')
    .flatMap((line) => /^\| (\d+) \|.*\| `([^`]+)`: (.+) \|$/.exec(line) ?? [])
    .reduce<string[][]>((all, part, i) => (i % 4 === 0 ? all.push([]) : all.at(-1)!.push(part), all), [])

  it('has the twenty points', () => {
    expect(rows.map(([number]) => Number(number))).toEqual(Array.from({ length: 20 }, (_, i) => i + 1))
  })

  it.each(rows)('%s: %s has "%s"', (_number, file, titles) => {
    expect(existsSync(join(projectRoot, file)), file).toBe(true)
    const text = read(file)
    for (const title of titles.split('; ')) expect(text, title).toContain(title)
  })

  it('packages run no other code than their own', () => {
    const [, block] = /electronFuses:\n((?: {2}.*\n)+)/.exec(read('electron-builder.yml'))!
    const lines = block.split('\n').flatMap((line) => /^ {2}(\w+): (\w+)$/.exec(line)?.slice(1, 3) ?? [])
    const fuses = Object.fromEntries(lines.flatMap((name, i) => (i % 2 === 0 ? [[name, lines[i + 1]]] : [])))
    expect(fuses).toMatchObject({
      runAsNode: 'false',
      enableCookieEncryption: 'true',
      enableNodeOptionsEnvironmentVariable: 'false',
      enableNodeCliInspectArguments: 'false',
      enableEmbeddedAsarIntegrityValidation: 'true',
      onlyLoadAppFromAsar: 'true',
      grantFileProtocolExtraPrivileges: 'false',
    })
  })

  it('Electron is one that the lock file has, of the major version that package.json names', () => {
    const wanted = /^\^(\d+)\./.exec(
      (JSON.parse(read('package.json')) as { devDependencies: Record<string, string> }).devDependencies.electron,
    )
    const locked = JSON.parse(read('package-lock.json')) as { packages: Record<string, { version: string }> }
    expect(locked.packages['node_modules/electron'].version.split('.')[0]).toBe(wanted?.[1])
  })
})
