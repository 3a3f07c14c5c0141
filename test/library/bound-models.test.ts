/** Models that wait for the last of them, in memory and in a file. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sharing } from '../../src/main/formats/sharing.ts'
import { BoundModels } from '../../src/main/library/bound-models.ts'
import { tempFolder } from '../files/temp.ts'
import type { ModelBinding, ModelMember } from '../../src/main/formats/binding.ts'

const member = (ref: string): ModelMember => ({ role: 'mesh', ref, why: 'name', detail: '', fit: { matched: 1, total: 2 } })

it('come back in their order, the same lists once for all that have them, however few of them are held', () => {
  const folder = tempFolder()
  const shared = [member('/a/x.anm'), member('/a/y.anm')]
  const model = (name: string, ...lists: ModelMember[][]): ModelBinding =>
    sharing({ family: 'fake', name, primary: `/a/${name}` }, [member(`/a/${name}`)], lists)
  const given = [
    ['/a', [model('one', shared), model('two', shared)]],
    ['/b', []],
    ['/c', [model('three')]],
    ['/d', [model('four', shared)]],
  ] as const
  for (const most of [0, 3, 1000]) {
    const bound = new BoundModels(join(folder, 'index.sqlite'), most)
    for (const [place, models] of given) bound.add(place, models)
    expect(readdirSync(folder)).toHaveLength(most < 1000 ? 1 : 0)
    const all = [...bound.all()]
    expect(all.map(({ folder, models }) => [folder, models.map(({ name, members }) => [name, members])])).toEqual(
      given.filter(([, models]) => models.length > 0).map(([place, models]) => [place, models.map(({ name, members }) => [name, members])]),
    )
    const [one, two] = all[0].models
    expect(one.apart!.shared[0]).toBe(two.apart!.shared[0])
    bound.close()
    expect(readdirSync(folder)).toEqual([])
  }
})
