import { describe, expect, it } from 'vitest'
import { clippedName, fileNames, nameKey, safeName } from '../../src/main/files/file-names.ts'
import { isPortableName } from '../../src/shared/portable-name.ts'

/** Names that a game's file or archive may carry and that some system has no file of. */
const HOSTILE = [
  'con', 'CON.x', 'aux', 'nul.tar.gz', 'prn ', 'com1', 'COM9.mot', 'com¹', 'lpt0', 'conin$', 'con .txt',
  'a.', 'a ', 'a. .', '.hidden', '..', '.', '', ' ', 'a/b', 'a\\b', 'a:b', '<>:"/|?*', 'a\u0000b', 'a\u001fb',
  '가'.repeat(200), `${'x'.repeat(119)} y`, `${'x'.repeat(118)}. y`, '\ud800', `${'a'.repeat(119)}\u{1f600}`, '../../etc/passwd', 'C:\\x',
] // prettier-ignore

describe('names of files', () => {
  it('are names that every system can have, whatever a game calls things', () => {
    for (const name of HOSTILE) {
      const safe = safeName(name)
      expect(isPortableName(safe), JSON.stringify([name, safe])).toBe(true)
      expect(isPortableName(`${safe}.png`), JSON.stringify([name, safe])).toBe(true)
      expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(201)
      expect(safe.isWellFormed()).toBe(true)
      // what is safe stays as it is
      expect(safeName(safe)).toBe(safe)
    }
    for (const name of ['c01a', '공격 1', '歩く', 'console', 'comma', 'null', 'auxiliary', 'com10', 'a.b', 'Straße']) {
      expect(safeName(name)).toBe(name)
      expect(isPortableName(name)).toBe(true)
    }
  })

  it('are told apart where a disk does not tell case or accents', () => {
    expect(fileNames(['Con', 'con', 'a\u0301', '\u00e1'], 'mot')).toEqual(['_Con.mot', '_con-2.mot', 'a\u0301.mot', '\u00e1-2.mot'])
    expect(nameKey('ÁB')).toBe(nameKey('a\u0301b'))
  })

  it('are refused in zips where a system cannot have them', () => {
    for (const name of HOSTILE.slice(0, 25)) expect(isPortableName(name), name).toBe(name === '.hidden')
  })

  it('are clipped between characters', () => {
    expect(clippedName('가나다', 7)).toBe('가나')
    expect(clippedName('ab', 7)).toBe('ab')
  })
})
