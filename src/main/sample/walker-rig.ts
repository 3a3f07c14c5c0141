/** Pivots of the walker, and where its joints stand. */
import { quat, vec3 } from 'gl-matrix'
import { add, sub } from './vectors.ts'
import type { Vec } from './vectors.ts'

export interface WalkerPivot {
  name: string
  parent: number
  /** relative to the parent */
  trans: Vec
  /** x, y, z, w, relative to the parent */
  quat: [number, number, number, number]
}

/** Lengths of the legs, and where the feet stand. Legs bend in the XZ plane at rest. */
export const LEG = { hip: [0, 4.9, 12.2], knee: [-4.1, 4.9, 6.9], ankle: [0.5, 4.9, 2.1] } as const

/** Turn about Y of a leg's upper and lower part, whose -Z runs down the bone. */
export const LEG_TURN = {
  thigh: Math.atan2(LEG.hip[0] - LEG.knee[0], LEG.hip[2] - LEG.knee[2]),
  shin: Math.atan2(LEG.knee[0] - LEG.ankle[0], LEG.knee[2] - LEG.ankle[2]),
}

export const LEG_LENGTH = {
  thigh: Math.hypot(LEG.hip[0] - LEG.knee[0], LEG.hip[2] - LEG.knee[2]),
  shin: Math.hypot(LEG.knee[0] - LEG.ankle[0], LEG.knee[2] - LEG.ankle[2]),
}

const TURRET: Vec = [0, 0, 14.6]
export const GUN: Vec = [0.4, 8.5, 18.6]
export const BARREL: Vec = [2.4, 8.5, 18.6]
export const MUZZLE: Vec = [9.4, 8.5, 18.6]
export const AERIAL: Vec = [-4.4, -2.9, 22.4]

export const left = (p: Vec, side: number): Vec => [p[0], p[1] * side, p[2]]

export function walkerPivots(): { pivots: WalkerPivot[]; index: (name: string) => number } {
  const pivots: WalkerPivot[] = []
  const world: { at: Vec; turn: quat }[] = []
  const index = (name: string): number => {
    const found = pivots.findIndex((p) => p.name === name)
    if (found < 0) throw new Error(`no pivot ${name}`)
    return found
  }
  /** @param turn about Y in model space, radians */
  const pivot = (name: string, parent: string, at: Vec, turn = 0): void => {
    const rotation = quat.setAxisAngle(quat.create(), [0, 1, 0], turn)
    const p = parent ? index(parent) : -1
    world.push({ at, turn: rotation })
    if (p < 0) {
      pivots.push({ name, parent: p, trans: at, quat: [0, 0, 0, 1] })
      return
    }
    const back = quat.conjugate(quat.create(), world[p].turn)
    const trans = vec3.transformQuat(vec3.create(), [...sub(at, world[p].at)], back)
    const [x, y, z, w] = quat.multiply(quat.create(), back, rotation)
    pivots.push({ name, parent: p, trans: [trans[0], trans[1], trans[2]], quat: [x, y, z, w] })
  }
  pivot('ROOTTRANSFORM', '', [0, 0, 0])
  pivot('PELVIS', 'ROOTTRANSFORM', [0, 0, LEG.hip[2]])
  pivot('TURRET', 'PELVIS', TURRET)
  for (const [s, side] of [
    ['L', 1],
    ['R', -1],
  ] as const) {
    const n = side > 0 ? '01' : '02'
    pivot(`GUN_${s}`, 'TURRET', left(GUN, side))
    pivot(`BARREL_${s}`, `GUN_${s}`, left(BARREL, side))
    pivot(`MUZZLE${n}`, `BARREL_${s}`, left(MUZZLE, side))
    pivot(`MUZZLEFX${n}`, `BARREL_${s}`, left(MUZZLE, side))
  }
  pivot('ANTENNA', 'TURRET', AERIAL)
  pivot('ANTENNA02', 'ANTENNA', add(AERIAL, [-0.5, 0, 4.2]))
  pivot('FXEXHAUST01', 'TURRET', [-7.8, 2, 21.4])
  pivot('FXEXHAUST02', 'TURRET', [-7.8, -2, 21.4])
  pivot('HEADLIGHT01', 'TURRET', [8.5, 2.75, 17.1])
  pivot('HEADLIGHT02', 'TURRET', [8.5, -2.75, 17.1])
  for (const [s, side] of [
    ['L', 1],
    ['R', -1],
  ] as const) {
    pivot(`THIGH_${s}`, 'PELVIS', left(LEG.hip, side), LEG_TURN.thigh)
    pivot(`SHIN_${s}`, `THIGH_${s}`, left(LEG.knee, side), LEG_TURN.shin)
    pivot(`FOOT_${s}`, `SHIN_${s}`, left(LEG.ankle, side))
    pivot(`TOE_${s}`, `FOOT_${s}`, left([LEG.ankle[0] + 1.9, LEG.ankle[1], 0.7], side))
  }
  return { pivots, index }
}
