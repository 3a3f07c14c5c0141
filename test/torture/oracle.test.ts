/** The test's own look at the disk: what it would not see would not be found. */
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { junk } from '../support/hostile.ts'
import { layOut } from './lay-out.ts'
import { bodies } from './oracle.ts'
import { placeBelow } from './session.ts'
import { makeWorld } from './worlds.ts'
import type { World } from './worlds.ts'

describe('an archive of two files between the two renames of a save', () => {
  let base = ''
  let game = ''
  let world: World
  let before: Map<string, Uint8Array>
  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'marrow-oracle-'))
    world = makeWorld('hd3')
    const place = placeBelow(base, 'in-place', world.models)
    layOut(place, world)
    game = place.game
    before = bodies(game, world)
  })
  afterEach(() => rmSync(base, { recursive: true, force: true }))
  const temporary = (n: number, end = 'tmp'): string => `.data.00000000-1-00000000000${n}.marrow-${end}`
  const path = (name: string): string => join(game, name)
  const record = (direction: string): void => {
    const file = (target: string, n: number): object => ({ target, temporary: temporary(n), aside: temporary(n + 1), before: { size: 1 } })
    const files = [file('data.dat', 1), file('data.hd3', 3)]
    writeFileSync(path(temporary(5, 'commit')), JSON.stringify({ marrow: 'commit', version: 1, direction, files }))
  }
  /** The new data are in their place, with the first member longer by a sector; the directory is not. */
  const between = (): void => {
    const directory = readFileSync(path('data.hd3'))
    const data = readFileSync(path('data.dat'))
    renameSync(path('data.dat'), path(temporary(2)))
    writeFileSync(
      path('data.dat'),
      Buffer.concat([junk(5000, 9), Buffer.alloc(3 * 2048 - 5000), Buffer.alloc(2048), data.subarray(3 * 2048)]),
    )
    directory.writeUInt32LE(directory.readUInt32LE(16 + 8) + 1, 16 + 8)
    writeFileSync(path(temporary(3)), directory)
  }

  it('is the new one, as the record says; without a record it is broken', () => {
    between()
    expect(bodies(game, world).get('data.hd3!chara/hero.chr')).not.toEqual(before.get('data.hd3!chara/hero.chr'))
    record('forward')
    const now = bodies(game, world)
    expect(now.get('data.hd3!x.bin')).toEqual(junk(5000, 9))
    expect(now.get('data.hd3!chara/hero.chr')).toEqual(before.get('data.hd3!chara/hero.chr'))
    expect([...now.keys()].sort()).toEqual([...before.keys()].sort())
  })

  it('is the old one where the record says that it is given up', () => {
    between()
    record('back')
    expect(bodies(game, world)).toEqual(before)
  })
})
