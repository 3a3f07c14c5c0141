/** How the command line finds the clip that is meant, and what it says where there is none. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { tempFolder } from '../files/temp.ts'
import { sampleTree } from '../support/service-bench.ts'
import { marrow } from './run.ts'
import type { Called } from './run.ts'

const SLOW = { timeout: 120_000 }
let root = ''
const PED = 'San Andreas/models/peds/adventurer.dff'
const IFP = 'San Andreas/models/adventurer.ifp'

beforeAll(() => {
  root = tempFolder(Object.fromEntries(Object.entries(sampleTree())))
})

const run = (...args: string[]): Promise<Called> => marrow(args, { stateFolder: tempFolder() })

describe('a clip that is not there', () => {
  it('is told with those most like it, and nothing is written', SLOW, async () => {
    const before = readFileSync(join(root, IFP))
    for (const args of [
      ['rename', join(root, PED), 'wlak', 'go'],
      ['remove', join(root, PED), 'wlak'],
      ['duplicate', join(root, PED), 'wlak', 'go'],
      ['new', join(root, PED), 'go', '--from', 'wlak'],
    ]) {
      const called = await run('clip', ...args)
      expect([called.status, called.out], args[0]).toEqual([2, ''])
      expect(called.err, args[0]).toContain('there is no clip wlak (walk, ')
    }
    const json = await run('clip', 'rename', join(root, PED), 'wlak', 'go', '--json')
    expect([json.status, json.json().error.code]).toEqual([2, 'invalid-argument'])
    expect(readFileSync(join(root, IFP))).toEqual(before)
  })

  it('is told so of the model that a motion is taken from, and of models of which none has it', SLOW, async () => {
    const from = (place: string, clip: string): Promise<Called> =>
      run('retarget', join(root, PED), '--from', join(root, place), '--clip', clip, '--into', 'walk')
    const one = await from('Lost Saga/resource/model/animodel/adventurer.txt', 'adventurer_wlak')
    expect([one.status, one.err]).toEqual([1, expect.stringContaining('called adventurer_wlak (adventurer_walk, ')])
    const many = await from('Lost Saga', 'adventurer_wlak')
    expect([many.status, many.err]).toEqual([
      1,
      expect.stringContaining('none of the models here has a slice or clip called adventurer_wlak'),
    ])
  })
})

it('a clip is found whether its letters are capital or not, as the games find it', SLOW, async () => {
  const called = await run('clip', 'rename', join(root, PED), 'CHEER', 'hurrah', '--json')
  expect(called.err).toBe('')
  const { clips } = called.json<{ clips: { name: string }[] }>()
  expect(clips.map(({ name }) => name)).toEqual(['idle', 'walk', 'attack', 'hurrah'])
})

it('what was saved is told by its file, of a pack by its members, and a file that goes as gone', SLOW, async () => {
  const chr = join(root, 'Dark Cloud/chara/adventurer.chr')
  const copied = await run('clip', 'duplicate', chr, '0', 'copy')
  expect(copied.out.match(/bytes changed in .+/g)).toEqual(['info.cfg', 'adventurer.mot'].map((name) => `bytes changed in ${chr}!${name}`))
  const walker = join(root, 'Zero Hour/Art/W3D')
  const gone = await run('clip', 'remove', join(walker, 'WALKER_SKN.W3D'), 'WALKER_WKA')
  expect(gone.out).toContain(`${join(walker, 'WALKER_WKA.W3D')} is taken away`)
})
