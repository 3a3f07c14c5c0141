import { describe, expect, it } from 'vitest'
import { shorten } from '../../../src/renderer/features/weights/short-names.ts'
import { sideLabels } from '../../../src/renderer/features/weights/side-labels.ts'
import { nativeGeometry } from '../../../src/shared/weights/geometry.ts'
import { LIMITS, weightsOf } from '../../shared/weights/fixtures.ts'

describe('names in narrow lists', () => {
  it('lose the word that all have in common, and only that', () => {
    expect(shorten(['Bip01', 'Bip01 Head', 'Bip01 L Hand', 'Bip01 R Hand', 'Bip01 Spine', 'Hair'])).toEqual([
      'Bip01',
      'Head',
      'L Hand',
      'R Hand',
      'Spine',
      'Hair',
    ])
    expect(shorten(['arm_l', 'arm_r', 'leg_l', 'leg_r', 'head'])).toEqual(['arm_l', 'arm_r', 'leg_l', 'leg_r', 'head'])
    // `Head` would be there twice
    expect(shorten(['Bip01 Head', 'Bip01 Arm', 'Bip01 Leg', 'Bip01 Toe', 'Head'])).toContain('Bip01 Head')
    expect(shorten([])).toEqual([])
  })
})

describe('sides', () => {
  const geometry = nativeGeometry(
    { positions: Float32Array.of(1, 0, 0, -1, 0, 0, 0, 1, 0), indices: Uint32Array.of(0, 1, 2), nativeVertex: Uint32Array.of(0, 1, 2) },
    3,
  )
  it('are named after the bones that lie there', () => {
    const w = weightsOf([[{ bone: 0, weight: 1 }], [{ bone: 1, weight: 1 }], []], LIMITS.renderware, ['hand_l', 'hand_r'])
    expect(sideLabels(w, geometry, { axis: 0, plane: 0 })).toEqual({ positive: 'left to right (+X)', negative: 'right to left (-X)' })
    const swapped = { ...w, bones: [...w.bones].reverse() }
    expect(sideLabels(swapped, geometry, { axis: 0, plane: 0 }).positive).toBe('right to left (+X)')
    const plain = {
      ...w,
      bones: [
        { name: 'a', joint: 0 },
        { name: 'b', joint: 1 },
      ],
    }
    expect(sideLabels(plain, geometry, { axis: 0, plane: 0 })).toEqual({ positive: '+X to -X', negative: '-X to +X' })
  })
})
