import { expect, it } from 'vitest'
import { standingFirst } from '../../../src/shared/scene/standing.ts'

it('prefers the clip in which a model stands by itself', () => {
  const first = (...names: string[]): string[] => standingFirst(names, (name) => name)
  expect(first('abseil', 'CLIMB_idle', 'IDLE_chat', 'IDLE_stance', 'walk')).toEqual([
    'IDLE_stance',
    'IDLE_chat',
    'CLIMB_idle',
    'abseil',
    'walk',
  ])
  expect(first('AUELLADN_RUNA', 'AUELLADN_IDLA', 'hero_wait01', '歩き', '待機')).toEqual([
    '待機',
    'AUELLADN_IDLA',
    'hero_wait01',
    'AUELLADN_RUNA',
    '歩き',
  ])
  expect(first('seat', 'sit_down', 'jump')).toEqual(['seat', 'sit_down', 'jump'])
})
