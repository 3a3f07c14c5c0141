/**
 * The walker of the sample library: a war machine on two reverse-kneed legs, with a cockpit, two guns and an aerial, built by code.
 * In the game's space: Z up, facing +X, its left at +Y.
 */
import { walkerPivots } from './walker-rig.ts'
import { body, houseGuard, houseHip, housePennant } from './walker-legs.ts'
import { turret, houseHull, glass } from './walker-turret.ts'
import { gun, barrel, flash } from './walker-guns.ts'
import type { Plates } from './plating.ts'
import type { Armament } from './walker-guns.ts'

export interface WalkerPart {
  name: string
  /** pivot that carries it; the root for a skin */
  pivot: number
  skin: boolean
  /** skin: in model space at rest, a bone per vertex; rigid: in the pivot's space */
  plates: Plates
  picture: 'armour' | 'house' | 'glass' | 'flash'
  /** 0 lowest, 1 highest, or both */
  levels: readonly (0 | 1)[]
  twoSided?: boolean
}

/** All render objects. Names are without their container. */
export function walkerParts(armament: Armament): WalkerPart[] {
  const { index } = walkerPivots()
  const parts: WalkerPart[] = []
  const both = [0, 1] as const
  const part = (name: string, pivot: string, picture: WalkerPart['picture'], plates: Plates, more: Partial<WalkerPart> = {}): void => {
    parts.push({ name, pivot: index(pivot), skin: false, plates, picture, levels: both, ...more })
  }
  for (const level of both) {
    const low = level === 0 ? 'LO' : ''
    part(`BODY${low}`, 'ROOTTRANSFORM', 'armour', body(index, level === 1), { skin: true, levels: [level] })
    part(`TURRET${low}`, 'TURRET', 'armour', turret(level === 1), { levels: [level] })
    part(`HOUSECOLOR01${low}`, 'TURRET', 'house', houseHull(level === 1), { levels: [level] })
    for (const [s, side] of [
      ['L', 1],
      ['R', -1],
    ] as const) {
      part(`GUN_${s}${low}`, `GUN_${s}`, 'armour', gun(side, armament, level === 1), { levels: [level] })
      part(`BARREL_${s}${low}`, `BARREL_${s}`, 'armour', barrel(side, armament, level === 1), { levels: [level] })
    }
  }
  part('CANOPY', 'TURRET', 'glass', glass(), { levels: [1] })
  part('HOUSECOLOR02', 'SHIN_L', 'house', houseGuard(1))
  part('HOUSECOLOR03', 'SHIN_R', 'house', houseGuard(-1))
  part('HOUSECOLOR04', 'THIGH_L', 'house', houseHip(1), { levels: [1] })
  part('HOUSECOLOR05', 'THIGH_R', 'house', houseHip(-1), { levels: [1] })
  part('HOUSECOLOR06', 'ANTENNA02', 'house', housePennant(), { twoSided: true, levels: [1] })
  part('MUZZLEFX01', 'MUZZLEFX01', 'flash', flash(1, armament), { twoSided: true })
  part('MUZZLEFX02', 'MUZZLEFX02', 'flash', flash(-1, armament), { twoSided: true })
  return parts
}
