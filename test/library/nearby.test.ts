import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nearestFirst } from '../../src/main/files/memory-neighbourhood.ts'
import { MOST_CANDIDATES, MOST_COPIES, Nearby } from '../../src/main/library/nearby.ts'
import type { BindFile } from '../../src/main/formats/binding.ts'

const file = (folder: string, name: string): BindFile => ({ ref: `${folder}/${name}`, name, folder, format: 'x', kind: 'model' })
const depth = (folder: string, near: string): number => {
  const [a, b] = [folder, near].map((f) => f.toLowerCase().split(/[/!]/).filter(Boolean))
  let same = 0
  while (same < a.length && same < b.length && a[same] === b[same]) same++
  return a.length + b.length - 2 * same
}

it('gives of each name the nearest, as looking at all of them would', () => {
  const folder = fc
    .array(fc.constantFrom('a', 'B', 'c', 'pack.big'), { maxLength: 4 })
    .map((parts) => `/root${parts.map((p, i) => (parts[i - 1] === 'pack.big' ? `!${p}` : `/${p}`)).join('')}`)
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(folder, fc.constantFrom('walk.x', 'Walk.X', 'run.x', 'rare.x')), {
        maxLength: 120,
        selector: ([f, n]) => `${f}/${n}`,
      }),
      folder,
      (list, near) => {
        const files = list.map(([f, n]) => file(f, n)).sort((a, b) => (a.ref < b.ref ? -1 : 1))
        const given = new Nearby(files).from(near)
        for (const name of new Set(files.map((f) => f.name.toLowerCase()))) {
          const all = nearestFirst(
            files.filter((f) => f.name.toLowerCase() === name),
            near,
          )
          const own = given.filter((f) => f.name.toLowerCase() === name)
          expect(own).toHaveLength(Math.min(all.length, MOST_COPIES))
          expect(own.map((f) => depth(f.folder, near))).toEqual(all.slice(0, MOST_COPIES).map((f) => depth(f.folder, near)))
        }
        expect(given).toEqual(nearestFirst(given, near))
      },
    ),
    { numRuns: 300 },
  )
})

it('counts what it leaves out, and never leaves out what stands there', () => {
  const files = Array.from({ length: 40 }, (_, i) => file(`/games/mod${i}/art`, 'Walk.x'))
  const nearby = new Nearby([...files, file('/root', 'run.x')])
  expect(nearby.crowded()).toEqual([['walk.x', 40]])
  expect(nearby.from('/games/mod7/art')[0].folder).toBe('/games/mod7/art')
  expect(nearby.from('/elsewhere')).toHaveLength(MOST_COPIES + 1)
  const many = Array.from({ length: 3 * MOST_CANDIDATES }, (_, i) =>
    file(i < 2 * MOST_CANDIDATES ? '/games/here' : '/games/there', `clip${i}.x`),
  )
  expect(new Nearby(many).from('/games/here').map((f) => f.folder)).toEqual(
    Array.from({ length: 2 * MOST_CANDIDATES }, () => '/games/here'),
  )
  expect(new Nearby(many).from('/root')).toHaveLength(MOST_CANDIDATES)
})
