/** The test's own look at the disk: what it would not see would not be found. */
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { junk } from '../support/hostile.ts'
import { layOut } from './lay-out.ts'
import { encodeUndo } from '../../src/main/files/undo-record.ts'
import { temporaryName } from '../../src/shared/temporary-name.ts'
import { bodies, shortHash } from './oracle.ts'
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

it('reads an archive that was written where it stands as its record says: the old bytes, and nothing that it grew by', () => {
  const base = mkdtempSync(join(tmpdir(), 'marrow-oracle-'))
  try {
    const world = makeWorld('img2')
    const { game, ...place } = placeBelow(base, 'in-place', world.models)
    layOut({ game, ...place }, world)
    const before = [...bodies(game, world)].map(([name, bytes]) => [name, shortHash(bytes)])
    const archive = join(game, 'models/gta3.img')
    const bytes = readFileSync(archive)
    const [old, fresh] = [bytes.subarray(0, 100), junk(100, 3)]
    const ranges = [
      { offset: 0, old, fresh },
      { offset: bytes.length, old: new Uint8Array(0), fresh: junk(5000, 4) },
    ]
    const record = encodeUndo([{ target: 'gta3.img', size: bytes.length, mtimeMs: 0, ranges }])
    writeFileSync(archive, Buffer.concat([fresh.subarray(0, 50), bytes.subarray(50), junk(3000, 4)]))
    expect(() => bodies(game, world)).toThrow('VER2')
    writeFileSync(join(game, 'models', temporaryName('gta3.img', { machine: '00000000', pid: 1 }, '000000000001', 'undo')), record)
    expect([...bodies(game, world)].map(([name, body]) => [name, shortHash(body)])).toEqual(before)
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
})
