/** What the browser loads before the first page shows, from the build: counted, never timed. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseAst } from 'vite'
import { expect, test } from 'vitest'
import { projectRoot } from '../../scripts/lib/build.mjs'

const built = join(projectRoot, 'out/renderer')

/** A script and all that it imports at once: what waits for `import()` or stands in a worker is no part of it. */
function withImports(file: string, found = new Map<string, number>()): Map<string, number> {
  if (found.has(file)) return found
  const source = readFileSync(file, 'utf8')
  found.set(file, Buffer.byteLength(source))
  for (const node of parseAst(source).body) {
    const from = 'source' in node ? node.source?.value : undefined
    if (typeof from === 'string') withImports(join(dirname(file), from), found)
  }
  return found
}

test('the scripts of the first page stay small, and the graphics engine is none of them', () => {
  const page = readFileSync(join(built, 'index.html'), 'utf8')
  const scripts = [...page.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.js)"/g)].map(([, path]) => join(built, path))
  expect(scripts.length).toBeGreaterThan(0)
  const loaded = new Map<string, number>()
  for (const script of scripts) withImports(script, loaded)
  const bytes = [...loaded.values()].reduce((sum, size) => sum + size, 0)
  expect(bytes).toBeLessThan(1_600_000)

  // what only the engine asks the graphics card for
  const engine = readdirSync(join(built, 'assets'))
    .map((name) => join(built, 'assets', name))
    .filter((file) => file.endsWith('.js') && readFileSync(file, 'utf8').includes('MAX_VERTEX_TEXTURE_IMAGE_UNITS'))
  expect(engine.length).toBeGreaterThan(0)
  expect(engine.filter((file) => loaded.has(file))).toEqual([])
})
