/** How far a clip carries a model over the floor: what a view of a walk in place leaves out, and what a camera that follows goes along with. */
import { createPose, sampleClip } from '../../shared/scene/pose.ts'
import type { Clip, Scene } from '../../shared/scene/types.ts'

/** The joint nearest to the root that a clip moves; -1 where it moves none. */
export function travellerOf({ skeleton }: Scene, clip: Clip): number {
  const depth = (joint: number): number => {
    let steps = 0
    for (let j = joint; j >= 0 && steps <= skeleton.count; j = skeleton.parents[j]) steps++
    return steps
  }
  let best = -1
  for (const { target, property } of clip.tracks)
    if (target.kind === 'joint' && property === 'translation' && target.index >= 0 && (best < 0 || depth(target.index) < depth(best)))
      best = target.index
  return best
}

export class Travel {
  private readonly scene: Scene
  private clip = -1
  private joint = -1
  private readonly start = [0, 0]

  constructor(scene: Scene) {
    this.scene = scene
  }

  /** Way over the floor since the start of the clip, x and z. @param world matrices of the joints at that moment, as the clip has them */
  at(clip: number, world: ArrayLike<number>): [number, number] {
    const sampled = this.scene.clips[clip]
    if (!sampled || sampled.away) return [0, 0]
    if (clip !== this.clip) this.begin(clip, sampled)
    const o = 16 * this.joint
    return this.joint < 0 ? [0, 0] : [world[o + 12] - this.start[0], world[o + 14] - this.start[1]]
  }

  private begin(clip: number, sampled: Clip): void {
    this.clip = clip
    this.joint = travellerOf(this.scene, sampled)
    if (this.joint < 0) return
    const pose = createPose(this.scene)
    sampleClip(this.scene, sampled, sampled.start, pose)
    this.start[0] = pose.world[16 * this.joint + 12]
    this.start[1] = pose.world[16 * this.joint + 14]
  }
}
