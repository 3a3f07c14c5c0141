/** Names that a terminal would obey, and names that show turned around: they come to no output as they are. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasUnprintable } from '../../src/shared/printable.ts'
import { sampleFiles } from '../support/sample.ts'
import { tempFolder } from '../files/temp.ts'
import { marrow } from './run.ts'

const NAMES = ['\x1b]0;owned\x07\x1b[2J', 'line\nmarrow: all is well', 'photo\u202efdh', '\u009b31m', 'a\u200bb\u2066']

// other systems allow no such names
describe.skipIf(process.platform === 'win32')('the command line shows names as they are written', () => {
  const root = tempFolder()
  const files = sampleFiles()
  const body = files.find(({ path }) => /adventurer\.dff$/.test(path))!.bytes
  for (const name of NAMES) {
    mkdirSync(join(root, name))
    writeFileSync(join(root, name, `${name}.dff`), body)
    writeFileSync(join(root, name, `${name}.broken.dff`), body.slice(0, 100))
  }
  const first = join(root, NAMES[0])
  const state = tempFolder()
  const calls: string[][] = [
    ['scan', root],
    ['roundtrip', root],
    ['lint', root],
    ['info', join(first, `${NAMES[0]}.dff`)],
    ['info', join(first, `${NAMES[0]}.broken.dff`)],
    ['info', join(first, 'not there\x1b[1m')],
    ['slices', join(first, `${NAMES[0]}.dff`)],
    ['texture', 'list', join(first, `${NAMES[0]}.dff`)],
    ['texture', 'get', join(first, `${NAMES[0]}.dff`), 'x\x1b[0m', join(state, 'x.png')],
    ['export', root, '--to', 'glb', '--out', join(state, 'out')],
    ['export', root, '--to', 'no\x1b[1m', '--out', join(state, 'out')],
    ['patch', 'export', root, '--out', join(state, 'x.zip')],
    ['serve', join(root, 'no\x1b[1m')],
    ['no-such\x1b[2J'],
  ]

  it.each(
    calls.map(
      (call) =>
        [
          call
            .slice(0, 2)
            .map((part) => JSON.stringify(part.split('/').at(-1)))
            .join(' '),
          call,
        ] as const,
    ),
  )('%s', async (_title, call) => {
    for (const json of call[0] === 'serve' ? [[]] : [[], ['--json']]) {
      const { out, err } = await marrow([...call, ...json], { stateFolder: state })
      for (const line of `${out}\n${err}`.split('\n')) expect(hasUnprintable(line.replaceAll('\t', ' ')), JSON.stringify(line)).toBe(false)
      // no name begins a line of its own
      expect(`${out}\n${err}`).not.toMatch(/^marrow: all is well/m)
      if (json.length > 0 && out) expect(() => JSON.parse(out) as unknown).not.toThrow()
    }
  })

  it('and JSON has the very names', async () => {
    const { out } = await marrow(['lint', root, '--json'], { stateFolder: state })
    const report = JSON.parse(out) as { problems: { path: string }[] }
    for (const name of NAMES)
      expect(
        report.problems.some(({ path }) => path.includes(name)),
        JSON.stringify(name),
      ).toBe(true)
  })
})
