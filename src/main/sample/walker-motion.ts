/**
 * How the walker moves: a walk whose feet stay where they stand, a look around, and a salvo. Each frame is made anew and the frame behind the last
 * would be the first: the game blends the last frame towards it. Values are deltas in the space of the pivot at rest, as the format has them.
 */
import { quat, vec3 } from 'gl-matrix'
import { LEG, LEG_LENGTH, LEG_TURN, walkerPivots } from './walker-rig.ts'
import type { Vec } from './vectors.ts'

export interface Motion {
  frames: number
  rate: number
  /** pivot -> 4 numbers a frame, x, y, z, w */
  rotations: Map<number, Float32Array>
  /** pivot -> 3 numbers a frame */
  moves: Map<number, Float32Array>
  /** pivot -> shown or not, a frame each */
  shown: Map<number, boolean[]>
}

/** What the body does in one frame; lengths in units, turns in radians about X, Y and Z. */
interface Pose {
  /** of the pelvis from where it is at rest */
  lift: Vec
  pelvis: Vec
  turret: Vec
  guns: [Vec, Vec]
  /** of the barrels along the gun */
  recoil: [number, number]
  aerial: [Vec, Vec]
  /** where the feet are from where they stand at rest, and how far the heel is up */
  feet: [Vec, Vec]
  heels: [number, number]
  flash: [boolean, boolean]
}

const SIDES = ['L', 'R'] as const
const TAU = 2 * Math.PI

/** About X first, then Y, then Z, fixed axes. */
function turn([x, y, z]: Vec): quat {
  const q = quat.setAxisAngle(quat.create(), [0, 0, 1], z)
  quat.rotateY(q, q, y)
  return quat.rotateX(q, q, x)
}

/** Deltas of a leg's three joints that bring its foot to a place. @param pelvis place and turn of the pelvis */
function leg(side: number, at: Vec, heel: number, pelvis: { at: Vec; turn: quat }): quat[] {
  const hip = [LEG.hip[0], LEG.hip[1] * side, 0]
  const back = quat.conjugate(quat.create(), pelvis.turn)
  const d = vec3.transformQuat(vec3.create(), [at[0] - pelvis.at[0], at[1] - pelvis.at[1], at[2] - pelvis.at[2]], back)
  vec3.subtract(d, d, hip)
  // the leg's plane leans until the foot lies in it
  const lean = Math.atan2(d[1], -d[2])
  const x = d[0],
    z = -Math.hypot(d[1], d[2])
  const { thigh: a, shin: b } = LEG_LENGTH
  const reach = Math.min(Math.hypot(x, z), 0.999 * (a + b))
  const line = Math.atan2(-x, -z)
  const upper = line + Math.acos((a * a + reach * reach - b * b) / (2 * a * reach))
  const kneeX = -a * Math.sin(upper),
    kneeZ = -a * Math.cos(upper)
  const lower = Math.atan2(kneeX - x, kneeZ - z)

  const about = (angle: number): quat => quat.setAxisAngle(quat.create(), [0, 1, 0], angle)
  const thigh = quat.multiply(quat.create(), quat.setAxisAngle(quat.create(), [1, 0, 0], lean), about(upper))
  const shin = about(lower - upper)
  const carried = quat.multiply(quat.create(), quat.multiply(quat.create(), pelvis.turn, thigh), shin)
  const foot = quat.multiply(quat.create(), quat.conjugate(quat.create(), carried), about(heel))
  const rest = [about(LEG_TURN.thigh), about(LEG_TURN.shin - LEG_TURN.thigh), about(-LEG_TURN.shin)]
  return [thigh, shin, foot].map((local, i) => quat.multiply(quat.create(), quat.conjugate(quat.create(), rest[i]), local))
}

function motion(frames: number, rate: number, poseAt: (frame: number) => Pose): Motion {
  const { index } = walkerPivots()
  const out: Motion = { frames, rate, rotations: new Map(), moves: new Map(), shown: new Map() }
  const rotation = (name: string, f: number, q: quat): void => {
    const pivot = index(name)
    let values = out.rotations.get(pivot)
    if (!values) out.rotations.set(pivot, (values = new Float32Array(4 * frames)))
    // the nearer of the two numbers that mean this rotation, so that frames blend the short way
    const before = f > 0 ? values.subarray(4 * f - 4, 4 * f) : [0, 0, 0, 1]
    const sign = q[0] * before[0] + q[1] * before[1] + q[2] * before[2] + q[3] * before[3] < 0 ? -1 : 1
    for (let i = 0; i < 4; i++) values[4 * f + i] = sign * q[i]
  }
  const move = (name: string, f: number, v: Vec): void => {
    const pivot = index(name)
    let values = out.moves.get(pivot)
    if (!values) out.moves.set(pivot, (values = new Float32Array(3 * frames)))
    values.set(v, 3 * f)
  }
  for (let f = 0; f < frames; f++) {
    const pose = poseAt(f)
    const pelvis = { at: [pose.lift[0], pose.lift[1], pose.lift[2] + LEG.hip[2]] as Vec, turn: turn(pose.pelvis) }
    move('PELVIS', f, pose.lift)
    rotation('PELVIS', f, pelvis.turn)
    rotation('TURRET', f, turn(pose.turret))
    rotation('ANTENNA', f, turn(pose.aerial[0]))
    rotation('ANTENNA02', f, turn(pose.aerial[1]))
    SIDES.forEach((s, i) => {
      rotation(`GUN_${s}`, f, turn(pose.guns[i]))
      move(`BARREL_${s}`, f, [pose.recoil[i], 0, 0])
      const side = i === 0 ? 1 : -1
      const foot = pose.feet[i]
      const [thigh, shin, ankle] = leg(
        side,
        [LEG.ankle[0] + foot[0], side * LEG.ankle[1] + foot[1], LEG.ankle[2] + foot[2]],
        pose.heels[i],
        pelvis,
      )
      rotation(`THIGH_${s}`, f, thigh)
      rotation(`SHIN_${s}`, f, shin)
      rotation(`FOOT_${s}`, f, ankle)
      // toes stay flat while the heel comes up
      rotation(`TOE_${s}`, f, turn([0, -0.7 * Math.max(0, pose.heels[i]), 0]))
      const pivot = index(`MUZZLEFX0${i + 1}`)
      const shown = out.shown.get(pivot) ?? []
      shown[f] = pose.flash[i]
      out.shown.set(pivot, shown)
    })
  }
  return out
}

const NOTHING: Vec = [0, 0, 0]
const resting = (): Pose => ({
  lift: NOTHING,
  pelvis: NOTHING,
  turret: NOTHING,
  guns: [NOTHING, NOTHING],
  recoil: [0, 0],
  aerial: [NOTHING, NOTHING],
  feet: [NOTHING, NOTHING],
  heels: [0, 0],
  flash: [false, false],
})

/** Length of a step and the part of the cycle that a foot is down. */
const STEP = 4.2
const DOWN = 0.58

function step(phase: number): { foot: Vec; heel: number } {
  const p = ((phase % 1) + 1) % 1
  if (p < DOWN) return { foot: [STEP * (1 - (2 * p) / DOWN), 0, 0], heel: 0 }
  // back to the front as fast as it came, so that the speed does not jump
  const u = (p - DOWN) / (1 - DOWN)
  const speed = ((-2 * STEP) / DOWN) * (1 - DOWN)
  const [h00, h10, h01, h11] = [2 * u ** 3 - 3 * u ** 2 + 1, u ** 3 - 2 * u ** 2 + u, -2 * u ** 3 + 3 * u ** 2, u ** 3 - u ** 2]
  const arc = Math.sin(Math.PI * u) ** 1.4
  return { foot: [-STEP * h00 + STEP * h01 + speed * (h10 + h11), 0, 3.1 * arc], heel: Math.sin(Math.PI * u) * (0.85 * (1 - u) - 0.4 * u) }
}

/** Heavy steps: down on each foot, a roll from side to side, the turret steady. */
export function walk(): Motion {
  const frames = 36
  return motion(frames, 30, (f) => {
    const t = f / frames
    const [l, r] = [step(t), step(t + 0.5)]
    const a = TAU * (t - DOWN / 2)
    // sinks as a foot comes down, highest over the foot that carries
    const bob = Math.cos(2 * a)
    const sway = Math.cos(a)
    return {
      ...resting(),
      lift: [0.2 * Math.sin(2 * a), 0.85 * sway, -0.75 + 0.5 * bob],
      pelvis: [0.055 * sway, 0.03 + 0.025 * Math.sin(2 * a), 0.09 * Math.sin(a)],
      turret: [-0.03 * sway, 0.035 * Math.sin(2 * a - 0.9), -0.075 * Math.sin(a)],
      guns: [
        [0, 0.05 * Math.sin(2 * a - 1.4), 0],
        [0, 0.05 * Math.sin(2 * a - 1.4), 0],
      ],
      aerial: [
        [0.05 * Math.cos(a - 0.9), 0.09 * Math.sin(2 * a - 1.6), 0],
        [0.08 * Math.cos(a - 1.7), 0.15 * Math.sin(2 * a - 2.5), 0],
      ],
      feet: [l.foot, r.foot],
      heels: [l.heel, r.heel],
    }
  })
}

function smooth(keys: readonly (readonly [number, number])[], t: number): number {
  let i = 1
  while (i < keys.length - 1 && t > keys[i][0]) i++
  const [a, b] = [keys[i - 1], keys[i]]
  const k = Math.max(0, Math.min(1, (t - a[0]) / (b[0] - a[0])))
  return a[1] + (b[1] - a[1]) * k * k * (3 - 2 * k)
}

/** Stands, breathes, and turns its turret to both sides. */
export function idle(): Motion {
  const frames = 150
  return motion(frames, 30, (f) => {
    const t = f / frames
    const breath = Math.sin(TAU * 3 * t)
    const yaw = smooth(
      [
        [0, 0],
        [0.08, 0],
        [0.26, 0.62],
        [0.42, 0.62],
        [0.66, -0.55],
        [0.8, -0.55],
        [0.96, 0],
        [1, 0],
      ],
      t,
    )
    const look = smooth(
      [
        [0, 0],
        [0.28, 0],
        [0.34, -0.16],
        [0.42, 0],
        [0.68, 0],
        [0.74, 0.1],
        [0.82, 0],
        [1, 0],
      ],
      t,
    )
    return {
      ...resting(),
      lift: [0, 0.25 * Math.sin(TAU * t), -0.3 + 0.14 * breath],
      pelvis: [0.012 * Math.sin(TAU * t), 0.012 * breath, 0.1 * yaw],
      turret: [0, -0.012 * breath, 0.9 * yaw],
      guns: [
        [0, look + 0.015 * breath, 0],
        [0, look - 0.015 * breath, 0],
      ],
      aerial: [
        [0.03 * Math.sin(TAU * 2 * t), 0.03 * breath, 0],
        [0.06 * Math.sin(TAU * 2 * t - 0.9), 0.05 * Math.sin(TAU * 3 * t - 0.8), 0],
      ],
    }
  })
}

/** Frames of the shots of the left and the right gun. */
const SHOTS = [
  [8, 28],
  [18, 28],
] as const

/** Braces itself, fires left, right, both, and swings back. */
export function fire(): Motion {
  const frames = 54
  return motion(frames, 30, (f) => {
    const brace = smooth(
      [
        [0, 0],
        [6, 1],
        [38, 1],
        [53, 0],
      ],
      f,
    )
    // what a shot leaves: a push that dies away
    const kick = (shots: readonly number[], slow: number): number =>
      shots.reduce((sum, shot) => sum + (f >= shot ? (f === shot ? 0.6 : Math.exp(-(f - shot - 1) / slow)) : 0), 0)
    const [l, r] = SHOTS.map((shots) => kick(shots, 3.2))
    const end = smooth(
      [
        [0, 1],
        [40, 1],
        [53, 0],
      ],
      f,
    )
    const both = (l + r) * end
    const late =
      SHOTS.reduce(
        (sum, shots) => sum + shots.reduce((n, shot) => n + (f > shot ? Math.exp(-(f - shot) / 7) * Math.sin((f - shot) * 0.9) : 0), 0),
        0,
      ) * end
    return {
      ...resting(),
      lift: [-0.55 * both * 0.7, 0, -0.95 * brace - 0.15 * both],
      pelvis: [0, 0.05 * brace - 0.035 * both, 0],
      turret: [0, -0.05 * brace - 0.035 * both, 0.05 * (l - r) * end],
      guns: [
        [0, -0.05 * brace - 0.05 * l * end, 0],
        [0, -0.05 * brace - 0.05 * r * end, 0],
      ],
      recoil: [-2.1 * Math.min(1, l) * end, -2.1 * Math.min(1, r) * end],
      aerial: [
        [0, 0.1 * late, 0],
        [0, 0.2 * late, 0],
      ],
      flash: [SHOTS[0].some((shot) => f >= shot && f < shot + 3), SHOTS[1].some((shot) => f >= shot && f < shot + 3)],
    }
  })
}
