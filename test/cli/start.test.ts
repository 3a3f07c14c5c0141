/** How much the command line reads before it knows what is asked for: help shows at once, and no family is read for it. */
import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../scripts/lib/build.mjs'

/** The files that importing one brings, without those that wait for `import()` and those that give nothing but types. */
function broughtBy(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found
  found.add(file)
  for (const [, path] of readFileSync(file, 'utf8').matchAll(/^(?:import|export)(?! type)[^'"()]*?\bfrom '(\.[^']+)'/gm)) {
    const target = join(dirname(file), path)
    if (existsSync(target)) broughtBy(target, found)
  }
  return found
}

test.runIf(existsSync('/dev/full'))('a report that its reader has no room for is a failure that is told', () => {
  const out = openSync('/dev/full', 'w')
  try {
    const { status, stderr } = spawnSync(process.execPath, [join(projectRoot, 'src/main/cli/main.ts'), '--help'], {
      stdio: ['ignore', out, 'pipe'],
      encoding: 'utf8',
    })
    expect(status).toBe(1)
    expect(stderr).toMatch(/^marrow: the report could not be written: ENOSPC/)
  } finally {
    closeSync(out)
  }
})

test('the start of the command line brings no family, no file store and no database', () => {
  const files = [...broughtBy(join(projectRoot, 'src/main/cli/main.ts'))].map((file) => relative(projectRoot, file).replaceAll('\\', '/'))
  expect(files).toContain('src/main/cli/command-line.ts')
  expect(files.filter((file) => /^src\/main\/(formats|files|library|workspace|interchange|worker)\//.test(file))).toEqual([])
  expect(files.length).toBeLessThan(70)
})
