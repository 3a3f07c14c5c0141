/** How far a clip is from the one that it was made of: places of joints in the scene, in shares of the figure's height. */
import { createPose, sampleClip, type Pose } from '../scene/pose.ts'
import { motionOnly } from './moments.ts'
import { length3 } from '../scene/length.ts'
import type { Clip, Scene } from '../scene/types.ts'

/** Less is the same: what 32 bits make of one motion read twice. */
const SAME = 1e-5
/** So many heights about a joint there is flesh that turns with it: a head that nods is seen, though its joint stays. */
const AROUND = 0.05

export interface DeviationOf {
  scene: Scene
  clip: Clip
}

/** The most that a joint is away from where it was, frame by frame: as many at a time as there is time for. */
export class Deviation {
  readonly times: Float64Array
  /** shares of the height; 0 where nothing differs */
  readonly most: Float32Array
  /** the joint that is furthest away, of the figure as it is now; -1 where nothing differs */
  readonly worst: Int32Array
  private readonly height: number
  private readonly pairs: Int32Array
  private readonly sides: { of: DeviationOf; pose: Pose }[]
  private done = 0

  /**
   * @param joints those that are looked at; all that are bones where none is given
   * @param height of the figure, in scene units
   */
  constructor(now: DeviationOf, before: DeviationOf, times: Float64Array, height: number, joints: readonly number[] = []) {
    this.times = times
    this.height = height
    this.most = new Float32Array(times.length)
    this.worst = new Int32Array(times.length).fill(-1)
    this.sides = [now, before].map(({ scene, clip }) => {
      const of = motionOnly(scene, clip)
      return { of, pose: createPose(of.scene) }
    })
    this.pairs = pairsOf(now.scene, before.scene, joints)
  }

  /** Takes up to `count` more. @returns whether there are any left */
  take(count: number): boolean {
    const { times, pairs, sides, height } = this
    const [now, before] = sides.map(({ pose }) => pose.world)
    for (const last = Math.min(times.length, this.done + count); this.done < last; this.done++) {
      const f = this.done
      for (const { of, pose } of sides) sampleClip(of.scene, of.clip, times[f], pose)
      let most = SAME * height
      for (let i = 0; i < pairs.length; i += 2) {
        const away = awayBy(now, 16 * pairs[i], before, 16 * pairs[i + 1], AROUND * height)
        if (!(away > most)) continue
        most = away
        this.most[f] = away / height
        this.worst[f] = pairs[i]
      }
    }
    return this.done < times.length
  }
}

/** The most that a joint, or what stands about it on two of its axes, is away. Sizes count for nothing. */
function awayBy(now: Float32Array, a: number, before: Float32Array, b: number, around: number): number {
  const x = now[a + 12] - before[b + 12]
  const y = now[a + 13] - before[b + 13]
  const z = now[a + 14] - before[b + 14]
  let most = length3(x, y, z)
  for (let axis = 0; axis < 8; axis += 4) {
    const i = a + axis
    const j = b + axis
    const one = around / (length3(now[i], now[i + 1], now[i + 2]) || 1)
    const other = around / (length3(before[j], before[j + 1], before[j + 2]) || 1)
    const away = length3(
      x + one * now[i] - other * before[j],
      y + one * now[i + 1] - other * before[j + 1],
      z + one * now[i + 2] - other * before[j + 2],
    )
    if (away > most) most = away
  }
  return most
}

/** Numbers of joints now and before, one after the other: those of one name, in one place of the list where names repeat. */
function pairsOf({ skeleton: now }: Scene, { skeleton: before }: Scene, joints: readonly number[]): Int32Array {
  const byName = new Map<string, number>()
  before.names.forEach((name, i) => byName.has(name) || byName.set(name, i))
  const wanted = joints.length
    ? joints.filter((joint) => joint < now.count)
    : Array.from({ length: now.count }, (_, joint) => joint).filter((joint) => now.roles === undefined || now.roles[joint] === 'joint')
  return Int32Array.from(
    wanted.flatMap((joint) => {
      const was = before.names[joint] === now.names[joint] ? joint : byName.get(now.names[joint])
      return was === undefined ? [] : [joint, was]
    }),
  )
}
