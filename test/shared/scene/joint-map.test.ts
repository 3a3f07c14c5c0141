import { describe, expect, it } from 'vitest'
import { matchJoints } from '../../../src/shared/scene/joint-map.ts'
import type { NamedJoints } from '../../../src/shared/scene/joint-map.ts'

/** `name<parent` for each joint; a root without a parent. */
function skeleton(...joints: string[]): NamedJoints {
  const parts = joints.map((text) => text.split('<'))
  const names = parts.map(([name]) => name)
  return { names, parents: parts.map(([, parent]) => (parent === undefined ? -1 : names.indexOf(parent))) }
}

const pairs = (from: NamedJoints, to: NamedJoints): Record<string, string> =>
  Object.fromEntries(matchJoints(from, to).map(({ joint, why }, i) => [from.names[i], joint < 0 ? '' : `${to.names[joint]} ${why}`]))

describe('joints of two skeletons', () => {
  it('match by name without case, then by words for parts of a body, sides kept', () => {
    const mixamo = skeleton(
      'mixamorig:Hips',
      'mixamorig:Spine<mixamorig:Hips',
      'mixamorig:Neck<mixamorig:Spine',
      'mixamorig:LeftUpLeg<mixamorig:Hips',
      'mixamorig:LeftLeg<mixamorig:LeftUpLeg',
      'mixamorig:RightUpLeg<mixamorig:Hips',
      'mixamorig:RightForeArm<mixamorig:Spine',
      'mixamorig:RightHand<mixamorig:RightForeArm',
    )
    const biped = skeleton(
      'Bip01 Pelvis',
      'Bip01 Spine<Bip01 Pelvis',
      'BIP01 NECK<Bip01 Spine',
      'Bip01 L Thigh<Bip01 Pelvis',
      'Bip01 L Calf<Bip01 L Thigh',
      'Bip01 R Thigh<Bip01 Pelvis',
      'Bip01 R Forearm<Bip01 Spine',
      'Bip01 R Hand<Bip01 R Forearm',
    )
    expect(pairs(mixamo, biped)).toEqual({
      'mixamorig:Hips': 'Bip01 Pelvis similar',
      'mixamorig:Spine': 'Bip01 Spine similar',
      'mixamorig:Neck': 'BIP01 NECK similar',
      'mixamorig:LeftUpLeg': 'Bip01 L Thigh similar',
      'mixamorig:LeftLeg': 'Bip01 L Calf similar',
      'mixamorig:RightUpLeg': 'Bip01 R Thigh similar',
      'mixamorig:RightForeArm': 'Bip01 R Forearm similar',
      'mixamorig:RightHand': 'Bip01 R Hand similar',
    })
    expect(pairs(skeleton('HIP', 'arm_l<HIP'), skeleton('hip', 'ARM_L<hip'))).toEqual({ HIP: 'hip name', arm_l: 'ARM_L name' })
  })

  it('match chains by their numbers, in order where they count otherwise', () => {
    expect(
      pairs(skeleton('spine_01', 'spine_02<spine_01', 'spine_03<spine_02'), skeleton('Spine', 'Spine1<Spine', 'Spine2<Spine1')),
    ).toEqual({ spine_01: 'Spine similar', spine_02: 'Spine1 similar', spine_03: 'Spine2 similar' })
    expect(pairs(skeleton('spine_01', 'spine_02<spine_01'), skeleton('Spine', 'Spine1<Spine', 'Spine2<Spine1'))).toEqual({
      spine_01: 'Spine1 similar',
      spine_02: 'Spine2 similar',
    })
    expect(pairs(skeleton('tail.a', 'tail.b<tail.a'), skeleton('tail_a', 'tail_b<tail_a'))).toEqual({
      'tail.a': 'tail_a similar',
      'tail.b': 'tail_b similar',
    })
  })

  it('match what is written alike, and the only one left below a parent', () => {
    expect(
      pairs(skeleton('root', 'weapon_main<root', 'zzz<weapon_main'), skeleton('root', 'weaponmain01<root', 'grip<weaponmain01')),
    ).toEqual({ root: 'root name', weapon_main: 'weaponmain01 similar', zzz: 'grip place' })
    // two that could be meant are none
    expect(pairs(skeleton('root', 'qq<root'), skeleton('root', 'aa<root', 'bb<root')).qq).toBe('')
  })

  it('match the very word before another one for it, and no mesh for a bone', () => {
    const to = skeleton('pelvis', 'torso<pelvis', 'spine<pelvis', 'arms')
    expect(pairs(skeleton('x:pelvis', 'x:Spine<x:pelvis', 'x:arm'), { ...to, others: new Set([3]) })).toEqual({
      'x:pelvis': 'pelvis similar',
      'x:Spine': 'spine similar',
      'x:arm': '',
    })
    expect(pairs(skeleton('arms'), { ...to, others: new Set([3]) })).toEqual({ arms: 'arms name' })
  })

  it('never take a joint twice, nor the other side', () => {
    const found = matchJoints(skeleton('hand_l', 'left hand', 'hand_r'), skeleton('Hand.R', 'Hand.L'))
    expect(
      found
        .map(({ joint }) => joint)
        .filter((joint) => joint >= 0)
        .sort(),
    ).toEqual([0, 1])
    expect(found[2].joint).toBe(0)
    expect(pairs(skeleton('左手', '右ひざ'), skeleton('hand_r', 'hand_l', 'knee_r'))).toEqual({
      左手: 'hand_l similar',
      右ひざ: 'knee_r similar',
    })
    expect(matchJoints(skeleton(), skeleton('a'))).toEqual([])
  })
})
