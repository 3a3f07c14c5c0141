/** The rules for paths, of both systems, on any machine; test/windows asks Windows itself. */
import { posix, win32 } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isInside, isWindowsDetour, otherDrives, plainPath, sameRoot } from '../../src/main/files/paths.ts'

describe('paths', () => {
  it('are inside of a folder by their steps, on Windows without regard to case', () => {
    for (const [root, path, inside] of [
      ['C:\\Games\\x', 'c:\\games\\X\\a.chr', true],
      ['C:\\Games\\x', 'C:\\Games\\x', true],
      ['C:\\Games\\x', 'C:\\Games\\xy\\a.chr', false],
      ['C:\\Games\\x', 'C:\\Games', false],
      ['C:\\Games\\x', 'D:\\Games\\x\\a.chr', false],
      ['C:\\', 'C:\\a.chr', true],
      ['C:\\Games\\x', 'C:\\Games\\x\\..hidden', true],
      ['\\\\server\\share\\x', '\\\\SERVER\\share\\X\\a.chr', true],
      ['\\\\server\\share', '\\\\server\\other\\a.chr', false],
    ] as const)
      expect(isInside(root, path, win32), `${path} in ${root}`).toBe(inside)
    for (const [root, path, inside] of [
      ['/games/x', '/games/X/a.chr', false],
      ['/games/x', '/games/x/a.chr', true],
      ['/games/x', '/games/x', true],
      ['/games/x', '/games/xy', false],
      ['/', '/a.chr', true],
    ] as const)
      expect(isInside(root, path, posix), `${path} in ${root}`).toBe(inside)
  })

  it('have one plain form on Windows', () => {
    expect(plainPath('\\\\?\\C:\\games\\x', win32)).toBe('C:\\games\\x')
    expect(plainPath('//?/c:/games/x', win32)).toBe('C:/games/x')
    expect(plainPath('\\\\?\\UNC\\server\\share\\x', win32)).toBe('\\\\server\\share\\x')
    expect(plainPath('\\\\server\\share\\x', win32)).toBe('\\\\server\\share\\x')
    expect(plainPath('c:\\x', win32)).toBe('C:\\x')
    expect(plainPath('\\\\?\\Volume{1}\\x', win32)).toBe('\\\\?\\Volume{1}\\x')
    expect(plainPath('/c:\\x', posix)).toBe('/c:\\x')
  })

  it('keep the name of a drive that is mapped to a server', () => {
    expect(sameRoot('z:\\games', 'Z:\\Games', win32)).toBe(true)
    expect(sameRoot('Z:\\games', '\\\\server\\share\\games', win32)).toBe(false)
    expect(sameRoot('\\\\Server\\share\\games', '\\\\server\\Share\\games', win32)).toBe(true)
  })

  it('lead from the root of a drive to the others', () => {
    const isThere = (path: string): boolean => ['C:\\', 'D:\\', 'Z:\\'].includes(path)
    expect(otherDrives('C:\\', win32, isThere)).toEqual(['D:\\', 'Z:\\'])
    expect(otherDrives('C:\\games', win32, isThere)).toEqual([])
    expect(otherDrives('\\\\server\\share\\', win32, isThere)).toEqual([])
    expect(otherDrives('/', posix, isThere)).toEqual([])
  })

  it('are no detours that Windows alone knows', () => {
    const folders = new Set(['C:\\g', 'C:\\g\\!mods', 'C:\\g\\!mods\\a'])
    const detour = (path: string): boolean => isWindowsDetour(path, win32, (folder) => folders.has(folder))
    expect(detour('C:\\g\\pack.chr!..\\..\\secret')).toBe(true)
    expect(detour('C:\\g\\pack.chr!x/../../../secret')).toBe(true)
    expect(detour('C:\\g\\a.chr:stream')).toBe(true)
    expect(detour('\\\\server\\share\\a.chr:stream')).toBe(true)
    // folders whose names have a `!` are folders
    expect(detour('C:\\g\\!mods\\a\\..\\b.chr')).toBe(false)
    expect(detour('C:\\g\\!mods\\b.chr')).toBe(false)
    expect(detour('C:\\g\\x\\..\\a.chr')).toBe(false)
    expect(detour('C:\\g\\pack.chr!a.mds')).toBe(false)
    expect(isWindowsDetour('/g/a:b', posix)).toBe(false)
  })
})
