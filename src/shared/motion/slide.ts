/** How far feet slide over the ground while they stand, frame by frame, in scene units. */
import { createPose, sampleClip } from '../scene/pose.ts'
import { footTracks, plantsOf, wayBetween, type FootTrack, type Plant } from './plants.ts'
import { motionOnly } from './moments.ts'
import type { Clip, Scene } from '../scene/types.ts'
import type { PosingRig } from './rig.ts'

export interface FootSlide {
  side: Plant['side']
  /** joint that stands: the ball of the foot where there is one */
  joint: number
  /** 1 for frames in which it stands */
  stands: Uint8Array
  /** way over the ground since the frame before, where it stands in both; 0 elsewhere */
  slide: Float64Array
}

export interface SlideTotals {
  /** frames in which the foot stands */
  frames: number
  /** all of the way, and the most in one frame, scene units */
  sum: number
  most: number
  /** frame of the most; -1 for none */
  at: number
}

/** Places of the feet of a clip, taken frame by frame: as many at a time as there is time for. */
export class FootPlaces {
  readonly times: Float64Array
  private readonly rig: PosingRig
  private readonly sample: (time: number) => ArrayLike<number>
  private readonly feet: FootTrack[]
  private done = 0

  /** @param times native, ascending, a frame apart */
  constructor(rig: PosingRig, scene: Scene, clip: Clip, times: Float64Array) {
    this.rig = rig
    this.times = times
    const bare = motionOnly(scene, clip)
    const pose = createPose(bare.scene)
    this.sample = (time) => {
      sampleClip(bare.scene, bare.clip, time, pose)
      return pose.world
    }
    this.feet = footTracks(rig.body, times.length)
  }

  /** Takes up to `count` more. @returns whether there are any left */
  take(count: number): boolean {
    if (!this.feet.length) return false
    for (const last = Math.min(this.times.length, this.done + count); this.done < last; this.done++) {
      const world = this.sample(this.times[this.done])
      for (const { joint, track } of this.feet) for (let c = 0; c < 3; c++) track[3 * this.done + c] = world[16 * joint + 12 + c]
    }
    return this.done < this.times.length
  }

  /**
   * @param rate frames per second
   * @param also ranges in which feet should stand too, whatever they do: those of the motion that this one was made of
   */
  slides(rate: number, also: readonly Plant[] = []): { feet: FootSlide[]; plants: Plant[] } {
    const { rig, times } = this
    if (!rig.body) return { feet: [], plants: [] }
    const tracks = Object.fromEntries(this.feet.map(({ side, track }) => [side, track]))
    const plants = plantsOf(rig.figure, rig.body, tracks, times.length, rate)
    const feet = this.feet.map(({ side, joint, track }): FootSlide => {
      const stands = new Uint8Array(times.length)
      for (const plant of [...plants, ...also]) if (plant.side === side) stands.fill(1, plant.from, plant.to + 1)
      const slide = new Float64Array(times.length)
      for (let f = 1; f < times.length; f++) if (stands[f] && stands[f - 1]) slide[f] = wayBetween(track, f, f - 1)
      return { side, joint, stands, slide }
    })
    return { feet, plants }
  }
}

export function totalsOf({ stands, slide }: Pick<FootSlide, 'stands' | 'slide'>): SlideTotals {
  const out: SlideTotals = { frames: 0, sum: 0, most: 0, at: -1 }
  for (let f = 0; f < slide.length; f++) {
    out.frames += stands[f]
    out.sum += slide[f]
    if (slide[f] <= out.most) continue
    out.most = slide[f]
    out.at = f
  }
  return out
}
