/** The lock file holds whole platforms: what is optional on this machine is needed on another. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { projectRoot } from '../../scripts/lib/build.mjs'

interface Locked {
  readonly dependencies?: Record<string, string>
  readonly optionalDependencies?: Record<string, string>
}

const { packages } = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')) as { packages: Record<string, Locked> }

/** Whether Node finds `name` from the folder `at`: there, or in a folder above it. */
function found(at: string, name: string): boolean {
  for (let folder = at; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    if (packages[folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`]) return true
    if (folder === '') return false
  }
}

it('names a version of every package that another one needs, those of other platforms too', () => {
  const absent = Object.entries(packages).flatMap(([at, of]) =>
    Object.keys({ ...of.dependencies, ...of.optionalDependencies })
      .filter((name) => !found(at, name))
      .map((name) => `${at || 'the project'} needs ${name}`),
  )
  expect(absent).toEqual([])
})
