import { describe, expect, it } from 'vitest'
import { elidePath, elidePaths, tailOfName, tailOfPath } from '../../../src/renderer/ui/paths.ts'

describe('paths in one line', () => {
  it('keeps both ends', () => {
    expect(elidePath('/home/someone/games/Dark Cloud/data/chara/adventurer.chr', 40)).toBe('/home/…/data/chara/adventurer.chr')
    expect(elidePath('C:\\Program Files\\Game\\mods\\mine\\run\\body.chr', 30)).toBe('C:\\…\\mods\\mine\\run\\body.chr')
    expect(elidePath('/games/pack.big!art/deep/deeper/deepest/model.w3d', 36)).toBe('/games/…/deeper/deepest/model.w3d')
  })

  it('leaves what fits as it is', () => {
    expect(elidePath('/home/a/b.chr', 40)).toBe('/home/a/b.chr')
    expect(elidePaths('a/b and 3/4 of it are in /tmp/x', 8)).toBe('a/b and 3/4 of it are in /tmp/x')
  })

  it('is never longer than what is asked for', () => {
    for (const path of [
      '/a/' + 'x'.repeat(200),
      'y'.repeat(90),
      `/${'long'.repeat(20)}/${'name'.repeat(30)}.dat`,
      '//////////////////////////////////////////',
      'C:/' + 'd/'.repeat(60),
    ])
      for (const most of [12, 20, 44]) expect(elidePath(path, most).length, `${path} in ${most}`).toBeLessThanOrEqual(most)
  })

  it('finds whole paths in a message, with spaces in their folders', () => {
    expect(
      elidePaths(
        '/home/someone/games/Dark Cloud/data/chara/mods is inside of the game folder /home/someone/games/Dark Cloud/data: choose',
        30,
      ),
    ).toBe('/home/…/data/chara/mods is inside of the game folder /home/…/games/Dark Cloud/data: choose')
    expect(elidePaths('"C:\\one folder\\another folder\\a third folder\\x.txt" is gone', 30)).toBe('"C:\\…\\a third folder\\x.txt" is gone')
  })

  it('takes no time over what only looks like a path', () => {
    const text = '/' + 'a '.repeat(20_000) + '/'.repeat(20_000)
    expect(elidePaths(text).length).toBeLessThanOrEqual(text.length)
  })
})

describe('the end that stays when the middle goes', () => {
  const tail = (name: string) => name.slice(tailOfName(name))
  it('of a name begins where a word of it does, and never inside of a character', () => {
    expect(tail('walker.mds')).toBe('walker.mds')
    // where a narrow list with large type shows ten letters, these two are told apart
    expect(tail('ADVENTURER.HELM')).toBe('ER.HELM')
    expect(tail('ADVENTURER.SWORD')).toBe('R.SWORD')
    expect(tail('adventurer_with_a_long_name_left.dff')).toBe('_left.dff')
    expect(tail('ADVENTURERWITHALONGNAME01')).toBe('LONGNAME01')
    for (let n = 0; n < 8; n++) expect(tail('𠮷'.repeat(12) + 'a'.repeat(n))).toMatch(/^(𠮷+a*|a+)$/u)
  })

  it('of a path is the last one of its names', () => {
    const way = 'San Andreas/models/peds/left'
    expect(way.slice(tailOfPath(way))).toBe('/left')
    expect('peds'.slice(tailOfPath('peds'))).toBe('peds')
  })
})
