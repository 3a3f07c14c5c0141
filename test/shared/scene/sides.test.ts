import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mirrorNames, sideOfName } from '../../../src/shared/scene/sides.ts'

describe('left and right by names', () => {
  it.each([
    ['arm_l', 'arm_r'],
    ['l_arm', 'r_arm'],
    ['Bip01 L Thigh', 'Bip01 R Thigh'],
    ['LeftHand', 'RightHand'],
    ['handLeft01', 'handRight01'],
    ['UPPER LEFT', 'UPPER RIGHT'],
    ['左腕', '右腕'],
    ['Arm.L', 'Arm.R'],
    ['armL', 'armR'],
    ['lArm', 'rArm'],
    ['LTHIGH', 'RTHIGH'],
    ['BAT_UARML', 'BAT_UARMR'],
    ['foot-lt', 'foot-rt'],
  ])('%s belongs to %s', (a, b) => {
    expect([...mirrorNames([a, 'spine', b])]).toEqual([2, 1, 0])
  })

  it('is itself where the other side does not exist', () => {
    expect([...mirrorNames(['ROOT', 'pelvis', 'sword_r', 'roll', 'leftover'])]).toEqual([0, 1, 2, 3, 4])
  })

  it('prefers words to single letters, and no bone has two partners', () => {
    // `l_left` could be `r_left` by its letter
    expect([...mirrorNames(['x_left', 'x_right', 'l_x', 'r_x'])]).toEqual([1, 0, 3, 2])
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^(l|r|L|R|left|right|_| |arm|1){1,4}$/), { maxLength: 20 }), (names) => {
        const pairs = mirrorNames(names)
        pairs.forEach((j, i) => expect(pairs[j]).toBe(i))
      }),
    )
  })

  it('tells the side of a name alone', () => {
    expect(['arm_l', 'Bip01 R Hand', 'LeftLeg', '右足', 'spine', 'roll'].map(sideOfName)).toEqual([
      'left',
      'right',
      'left',
      'right',
      null,
      null,
    ])
  })
})
