import { expect, it } from 'vitest'
import { tellApart } from '../../../src/renderer/core/tell-apart.ts'

it('names of several things are told apart by the shortest end of their places', () => {
  const of = (...things: [string, string][]): string[] => tellApart(things.map(([name, place]) => ({ name, place })))
  expect(of(['a', '/x/a'], ['b', '/x/b'])).toEqual(['', ''])
  expect(of(['ped', '/g/anim'], ['ped', '/g/mods'], ['car', '/g/anim'])).toEqual(['anim', 'mods', ''])
  expect(of(['walk', '/g/a/ped.ifp'], ['walk', '/g/b/ped.ifp'])).toEqual(['a/ped.ifp', 'b/ped.ifp'])
  // in packs, and on Windows
  expect(of(['x', 'C:\\g\\a.img!p.ifp'], ['x', 'C:\\g\\b.img!p.ifp'])).toEqual(['a.img/p.ifp', 'b.img/p.ifp'])
  // one place is the end of the other; the same place twice is not told by it
  expect(of(['x', 'g/a'], ['x', 'h/g/a'])).toEqual(['g/a', 'h/g/a'])
  expect(of(['x', '/g'], ['x', '/g'])).toEqual(['', ''])
})
