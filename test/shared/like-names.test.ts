import { expect, it } from 'vitest'
import { likeNames } from '../../src/shared/like-names.ts'

it.each([
  ['wlak', 'walk, idle'],
  ['IDLE', 'idle, walk'],
  ['wal', 'walk, idle'],
  ['walk_civi', 'walk, idle'],
  ['', 'idle, walk'],
])('of "%s" the names most like it are first', (wanted, names) => {
  expect(likeNames(wanted, ['idle', 'walk', 'walk'])).toBe(names)
})

it('says that there are more than it names', () => {
  const names = Array.from({ length: 40 }, (_, i) => `motion${i}`)
  expect(likeNames('motoin33', names)).toMatch(/^motion33, (motion\d+, ){7}…$/)
})

it('puts a part of a name before names of other letters', () => {
  expect(likeNames('attack', ['attach', 'adventurer_attack', 'stack'])).toBe('adventurer_attack, attach, stack')
})
