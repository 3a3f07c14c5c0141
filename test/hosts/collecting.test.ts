import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const program = fileURLToPath(new URL('collecting-program.ts', import.meta.url))
/** Collections of everything while arrays are made, as edits make them; and what V8 says of its flags. */
const collections = (how: 'set' | 'plain'): number =>
  Number(execFileSync(process.execPath, [program, how], { encoding: 'utf8', stdio: 'pipe' }))

describe('arrays of keys that are made anew with each edit', () => {
  it('do not let the services go through all they hold each few of them', () => {
    const [plain, set] = [collections('plain'), collections('set')]
    expect(plain).toBeGreaterThan(4)
    expect(set).toBeLessThan(plain / 2)
  })
})
