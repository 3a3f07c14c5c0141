/** Folders that are left out: what counts as one, how names are compared, and that a walk asks the disk nothing of them. */
import fs, { mkdirSync, symlinkSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join, posix, win32 } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { isPlace, leftOutOf, placeOf } from '../../src/main/files/left-out.ts'
import { nameKey } from '../../src/main/files/paths.ts'
import { FormatError } from '../../src/main/binary/format-error.ts'
import { walk } from '../../src/main/files/walk.ts'
import { tempFolder } from './temp.ts'

const { readdirSync, statSync, realpathSync } = fs
afterEach(() => {
  Object.assign(fs, { readdirSync, statSync, realpathSync })
  syncBuiltinESMExports()
})

function codeOf(body: () => unknown): string {
  try {
    body()
    return 'none'
  } catch (error) {
    return error instanceof FormatError ? error.code : String(error)
  }
}

describe('a place', () => {
  it('is a way down from the root, in steps', () => {
    for (const place of ['a', 'a/b', '.hidden', '...', 'a b/ü/腰', 'with!mark', 'x'.repeat(5000)]) expect(isPlace(place), place).toBe(true)
    for (const place of [
      '',
      '.',
      '..',
      '/',
      '/a',
      'a/',
      'a//b',
      './a',
      'a/.',
      '../a',
      'a/../../b',
      'a\0b',
      3,
      null,
      undefined,
      [],
      {},
      ['a'],
    ])
      expect(isPlace(place), JSON.stringify(place)).toBe(false)
  })

  it('has no second meaning on Windows', () => {
    for (const place of ['a\\..\\..\\b', 'C:/x', 'C:', 'a:stream', '\\\\server\\share']) {
      expect(isPlace(place, 'win32'), place).toBe(false)
      expect(isPlace(place, 'linux'), place).toBe(true)
    }
  })

  it('is known of a folder by where it really is, and of nothing else', () => {
    const root = tempFolder({ 'a/b/x.fake': 'x', 'file.fake': 'x' })
    const outside = tempFolder()
    symlinkSync(join(root, 'a'), join(root, 'inner'))
    symlinkSync(outside, join(root, 'outer'))
    expect(placeOf(root, join(root, 'a', 'b'))).toBe('a/b')
    expect(placeOf(root, join(root, 'inner', 'b'))).toBe('a/b')
    expect(placeOf(root, `${root}/a/../a/`)).toBe('a')
    const refusals = {
      '': 'invalid-argument',
      'file.fake': 'invalid-argument',
      none: 'not-found',
      outer: 'refused',
      '..': 'refused',
      'a/../..': 'refused',
    }
    for (const [path, code] of Object.entries(refusals))
      expect(
        codeOf(() => placeOf(root, `${root}/${path}`)),
        path,
      ).toBe(code)
    expect(codeOf(() => placeOf(root, `${root}-beside`))).toBe('not-found')
    expect(codeOf(() => placeOf(root, outside))).toBe('refused')
  })
})

it('names are one as the disks of the system have them', () => {
  const composed = 'Caf\u00e9'
  const apart = 'cafe\u0301'
  expect(nameKey('Ab', 'linux')).not.toBe(nameKey('aB', 'linux'))
  expect(nameKey('Ab', 'win32')).toBe(nameKey('aB', 'win32'))
  expect(nameKey(composed, 'win32')).not.toBe(nameKey(apart, 'win32'))
  expect(nameKey(composed, 'darwin')).toBe(nameKey(apart, 'darwin'))
})

it('a folder is left out with all in it, and nothing that only begins so', () => {
  const root = tempFolder()
  const left = leftOutOf(root, ['old', 'mods/big'])
  const at = (path: string): boolean => left(join(root, path))
  expect(['old', 'old/x', 'old/a/b/c.fake', 'mods/big', 'mods/big/x'].filter(at)).toHaveLength(5)
  expect(['older', 'ol', 'mods', 'mods/bigger', 'x/old', '', '..', '../old'].filter(at)).toEqual([])
  expect(leftOutOf('/', ['old'])('/old/x')).toBe(true)
  expect(leftOutOf('/', ['old'])('/older')).toBe(false)
})

it('a folder is found by any case where the disks of the system find it so', () => {
  const windows = leftOutOf('D:\\Games\\Dark Cloud', ['Old Mods/Ünused'], win32, 'win32')
  expect(windows('d:\\games\\dark cloud\\old mods\\ünused\\deep\\a.mds')).toBe(true)
  expect(windows('D:\\Games\\Dark Cloud\\Old Mods')).toBe(false)
  expect(leftOutOf('D:\\', ['old'], win32, 'win32')('D:\\OLD\\x')).toBe(true)
  expect(leftOutOf('\\\\server\\share', ['old'], win32, 'win32')('\\\\server\\share\\Old')).toBe(true)
  expect(leftOutOf('/games', ['Old'], posix, 'darwin')('/games/old/x')).toBe(true)
  expect(leftOutOf('/games', ['Old'], posix, 'linux')('/games/old/x')).toBe(false)
})

it('a walk asks the disk nothing of what it passes over, and gives all else', () => {
  const root = tempFolder({
    'a.fake': 'a',
    'old/b.fake': 'b',
    'old/deep/c.fake': 'c',
    'older/d.fake': 'd',
    'sub/old/e.fake': 'e',
    'sub/f.fake': 'f',
  })
  mkdirSync(join(root, 'old/.marrow-tmp'))
  symlinkSync(join(root, 'old/b.fake'), join(root, 'old/link.fake'))
  const asked: string[] = []
  const noting =
    <T extends (path: any, ...rest: any[]) => any>(call: T) =>
    (path: any, ...rest: any[]): ReturnType<T> => {
      asked.push(String(path))
      return call(path, ...rest)
    }
  Object.assign(fs, {
    readdirSync: noting(readdirSync),
    statSync: noting(statSync),
    realpathSync: Object.assign(noting(realpathSync), realpathSync),
  })
  syncBuiltinESMExports()
  const touched: string[] = []
  const touch = { begin: (path: string) => void touched.push(path), end: () => {} }
  const found = [...walk(root, undefined, undefined, touch, leftOutOf(root, ['old', 'sub/old', 'gone']))]
  expect(found.map(({ path }) => path.slice(root.length + 1))).toEqual(['a.fake', 'older/d.fake', 'sub/f.fake'])
  const left = (path: string): boolean => /[/\\]old($|[/\\])/.test(path.slice(root.length))
  expect(asked.filter(left)).toEqual([])
  expect(touched.filter(left)).toEqual([])
  // what is noted is what the walk asks
  expect(asked).toContain(join(root, 'older'))
})
