import { expect, it } from 'vitest'
import { modelNames, modelPlaces } from '../../../src/renderer/core/model-names.ts'
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

it('open models of one name have their folder, and their file where they stand in one folder', () => {
  const models = (...paths: string[]): { info: { name: string; primary: string } }[] =>
    paths.map((primary) => ({ info: { name: 'hero', primary } }))
  expect(modelNames(models('/g/chara/hero.mds'))).toEqual(['hero'])
  expect(modelNames(models('/g/peds/hero.dff', '/g/chara/hero.chr!hero.mds'))).toEqual(['hero, peds', 'hero, hero.chr'])
  expect(modelPlaces(models('/g/a/hero.dff', '/g/a/hero.msh'))).toEqual(['hero.dff', 'hero.msh'])
  expect(modelPlaces(models('/g/a/hero.dff', '/g/a/hero.msh', '/g/b/hero.dff'))).toEqual(['a/hero.dff', 'hero.msh', 'b'])
})
