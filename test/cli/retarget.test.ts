import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { retargetCommand } from '../../src/main/cli/commands/retarget.ts'
import { RETARGET_OPTIONS } from '../../src/shared/api/retarget-options.ts'
import { sampleFiles } from '../support/sample.ts'
import { tempFolder } from '../files/temp.ts'
import { marrow } from './run.ts'

const FIGURES = {
  level5: { model: 'Dark Cloud 2/adventurer', walk: '歩き', file: 'Dark Cloud 2/adventurer/adventurer.mot' },
  lostsaga: {
    model: 'Lost Saga/resource/skeleton/adventurer.skl',
    walk: 'adventurer_walk',
    file: 'Lost Saga/resource/animation/adventurer_walk.ani',
  },
  renderware: { model: 'San Andreas/models/peds/adventurer.dff', walk: 'walk', file: 'San Andreas/models/adventurer.ifp' },
} as const

const PAIRS = [
  ['level5', 'lostsaga'],
  ['lostsaga', 'renderware'],
  ['renderware', 'level5'],
] as const

describe('marrow retarget', () => {
  let root = ''
  let state = ''
  const call = (...args: string[]) => marrow(args, { stateFolder: state })
  const bytes = (): Map<string, string> =>
    new Map(sampleFiles().map(({ path }) => [path, readFileSync(join(root, path)).toString('latin1')]))

  beforeAll(() => {
    root = tempFolder()
    state = tempFolder()
    for (const file of sampleFiles()) {
      mkdirSync(dirname(join(root, file.path)), { recursive: true })
      writeFileSync(join(root, file.path), file.bytes)
    }
  })

  it.each([
    ...Object.values(FIGURES).map(({ model, walk }): [string, string] => [model, walk]),
    ['Dark Cloud 2/adventurer', '攻撃'],
    ['Zero Hour/Art/W3D/WALKER_SKN.W3D', 'WALKER_WKA'],
  ])('changes no byte of %s where the motion is its own %s', async (model, clip) => {
    const before = bytes()
    const done = await call('retarget', join(root, model), '--from', join(root, model), '--clip', clip, '--json')
    expect(done.status, done.err).toBe(0)
    expect(done.json()).toMatchObject({ changed: [], keysWritten: 0, saved: [], into: clip, score: 1 })
    expect(bytes()).toEqual(before)
  })

  it('offers each choice of the window', () => {
    expect(Object.keys(retargetCommand.options)).toEqual(expect.arrayContaining(Object.keys(RETARGET_OPTIONS)))
  })

  it.each(PAIRS)('carries a walk from %s to %s, and writes the file that has it alone', async (from, to) => {
    const [source, target] = [FIGURES[from], FIGURES[to]]
    const before = bytes()
    const done = await call(
      'retarget',
      join(root, target.model),
      '--from',
      join(root, source.model),
      '--clip',
      source.walk,
      '--into',
      target.walk,
      '--json',
    )
    expect(done.status, done.err).toBe(0)
    const report = done.json()
    expect(report.score).toBe(1)
    // the same figure in another game: every bone of it finds itself
    const wrong = report.joints.filter(
      ({ joint, from: other }: { joint: string; from: string }) => other !== '' && partOf(joint) !== partOf(other),
    )
    expect(wrong).toEqual([])
    // as stored, against what was computed; a hundredth of a length of the figure is what the coarsest packing costs
    expect(report.coding.degrees).toBeLessThan(1)
    const changed = [...bytes()].filter(([path, content]) => before.get(path) !== content).map(([path]) => path)
    expect(changed).toEqual(report.changed.length > 0 ? [target.file] : [])
    expect(report.saved).toHaveLength(changed.length)
  })

  it('refuses figures that have too little in common, unless that is meant', async () => {
    const walker = join(root, 'Zero Hour/Art/W3D/WALKER_SKN.W3D')
    const before = bytes()
    const refused = await call(
      'retarget',
      walker,
      '--from',
      join(root, FIGURES.renderware.model),
      '--clip',
      'walk',
      '--into',
      'WALKER_WKA',
      '--json',
    )
    expect(refused.json().error.code).toBe('refused')
    expect(bytes()).toEqual(before)
    const map = join(tempFolder(), 'map.json')
    writeFileSync(map, JSON.stringify({ nobody: 'HEAD' }))
    const wrong = await call(
      'retarget',
      walker,
      '--from',
      join(root, FIGURES.renderware.model),
      '--clip',
      'walk',
      '--map',
      map,
      '--into',
      'WALKER_WKA',
      '--json',
    )
    expect(wrong.json().error.code).toBe('invalid-argument')
  })

  it('takes the map that it is given', async () => {
    const map = join(tempFolder(), 'map.json')
    writeFileSync(map, JSON.stringify({ hand_l: null }))
    const { model, walk } = FIGURES.level5
    const done = await call(
      'retarget',
      join(root, model),
      '--from',
      join(root, model),
      '--clip',
      walk,
      '--into',
      '立ち',
      '--map',
      map,
      '--json',
    )
    expect(done.status, done.err).toBe(0)
    const row = done.json().joints.find(({ joint }: { joint: string }) => joint === 'hand_l')
    expect(row).toEqual({ joint: 'hand_l', from: '', why: 'none' })
    expect(done.json().changed).not.toContain('hand_l')
    expect(done.json().changed).toContain('forearm_l')
  })

  it.each([
    [['--clip', 'nothing'], 'not-found', 1],
    [['--clip', 'walk', '--into', 'a name that is longer than a name'], 'invalid-edit', 1],
    [['--clip', 'walk', '--bound', '5'], 'invalid-argument', 2],
    [['--clip', 'walk', '--map', 'no such file'], 'not-found', 1],
  ] as const)('says what is wrong with %s', async (args, code, status) => {
    const { model } = FIGURES.renderware
    const before = bytes()
    const failed = await call('retarget', join(root, model), '--from', join(root, model), ...args, '--json')
    expect([failed.status, failed.json().error?.code ?? failed.err]).toEqual([status, code])
    expect(bytes()).toEqual(before)
  })
})

/** What a joint of the sample figure is, in whichever game. */
function partOf(name: string): string {
  const plain = name
    .toLowerCase()
    .replace(/^bip01 ?/u, '')
    .trim()
  const side = /(^|[ _])l([ _]|$)/u.test(plain) ? 'l ' : /(^|[ _])r([ _]|$)/u.test(plain) ? 'r ' : ''
  const words: Record<string, string> = {
    hair01: 'hair',
    hair02: 'hairtip',
    shin: 'calf',
    spine1: 'chest',
    chest: 'chest',
    root: 'root',
    '': 'root',
  }
  const bare = plain.replace(/(^|[ _])[lr]([ _]|$)/u, '').replace(/[ _]/gu, '')
  return side + (words[bare] ?? bare)
}
