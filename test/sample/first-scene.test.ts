/** The character that the first page shows. */
import { expect, it } from 'vitest'
import { firstScene } from '../../src/main/sample/first-scene.ts'

it('walks, with its skin and its pictures', () => {
  const { meshes, skeleton, textures, clips, slices } = firstScene()
  expect([meshes.length > 0, skeleton.count > 20, textures.every(({ rgba }) => rgba.length > 0), slices]).toEqual([true, true, true, []])
  expect(clips.map(({ name }) => name)).toEqual(['walk'])
  expect(clips[0].tracks.length).toBeGreaterThan(20)
  for (const { skin } of meshes) expect(skin).toBeGreaterThanOrEqual(0)
})
