/** The version of Marrow that runs. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export function packageVersion(): string {
  // beside the sources and beside the bundle
  for (const up of ['../../..', '../..', '..']) {
    try {
      const { name, version } = JSON.parse(readFileSync(join(import.meta.dirname, up, 'package.json'), 'utf8')) as {
        name?: string
        version?: string
      }
      if (name === 'marrow' && version) return version
    } catch {
      // not here: the next place is tried
    }
  }
  return '0.0.0'
}
