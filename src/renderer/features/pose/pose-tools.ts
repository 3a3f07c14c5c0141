/** Tools on the pose at the playhead: of the chosen bones, of all without one. Each is one step, whose values can be adjusted while it is the last. */
import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import type { PoseKeys } from '../../../shared/api/types/clips.ts'
import { sidesByPlace, sidesOf } from '../../../shared/keys/mirror.ts'
import {
  keysOfPose,
  mirroredJoints,
  mirroredPose,
  neighbours,
  poseBetween,
  poseTowards,
  restPose,
  wholePose,
  type WholePose,
} from '../../../shared/keys/whole-pose.ts'
import { holdOver } from '../../../shared/motion/hold.ts'
import type { Clip, Scene } from '../../../shared/scene/types.ts'
import { frameStep } from '../../core/clock.ts'
import type { AdjustField } from '../../core/adjust.ts'
import { timeUnit } from '../../core/keys/key-tool.ts'
import { useKeys } from '../../core/keys/store.ts'
import { useModels } from '../../core/models.ts'
import { usePlayback } from '../../core/playback.ts'
import { usePosing } from '../../core/posing.ts'
import { useReach } from '../../core/reach.ts'
import { useSelection } from '../../core/selection.ts'
import { useSession } from '../../core/session.ts'
import { formatNumber } from '../../ui/format.ts'
import { say } from '../../../shared/texts/say.ts'

interface Now {
  scene: Scene
  clip: Clip
  time: number
  joints: number[]
}

export const usePoseTools = defineStore('poseTools', () => {
  const session = useSession()
  const models = useModels()
  const playback = usePlayback()
  const selection = useSelection()
  const posing = usePosing()
  const reach = useReach()
  const keys = useKeys()
  const copied = shallowRef<WholePose | null>(null)
  const possible = computed(() => posing.possible)

  /** What a tool finds when its turn comes: a moment that can have a key. */
  function now(): Now | null {
    const { scene } = models
    const { clip } = playback
    if (!scene || !clip || clip.away) return null
    posing.settle()
    const { roles, count } = scene.skeleton
    const all = Array.from({ length: count }, (_, joint) => joint).filter((joint) => roles === undefined || roles[joint] === 'joint')
    return { scene, clip, time: playback.state.time, joints: selection.joints.length > 0 ? [...selection.joints] : all }
  }

  const movedIn = ({ clip }: Now) => {
    const moved = new Set(
      clip.tracks.flatMap(({ target, property }) => (target.kind === 'joint' && property === 'translation' ? [target.index] : [])),
    )
    return (joint: number): boolean => moved.has(joint)
  }

  /** Keys that give the bones a pose, as the keys of one step. */
  const asKeys = (of: Now, pose: WholePose): PoseKeys[] => keysOfPose(of.scene, of.clip, of.time, pose, of.joints, movedIn(of))
  const none = (poses: PoseKeys[]): { poses: PoseKeys[]; skipped: string[] } => ({
    poses,
    skipped: poses.length > 0 ? [] : [say('poseTools.sameAlready')],
  })

  function copy(): void {
    const of = now()
    if (!of) return
    copied.value = wholePose(of.scene, of.clip, of.time)
    session.notify('good', say('poseTools.copied', { count: of.scene.skeleton.count }))
  }

  function put(title: string, make: (of: Now) => WholePose | Promise<WholePose>): Promise<boolean> {
    return keys.usePoses(() => {
      const of = now()
      return of && { title, values: {}, poses: async () => none(asKeys(of, await make(of))), label: () => title }
    })
  }

  const paste = (): Promise<boolean> => put(say('poseTools.paste'), () => copied.value!)
  const toRest = (): Promise<boolean> => put(say('poseTools.rest'), ({ scene }) => restPose(scene))

  const pasteMirrored = (): Promise<boolean> =>
    put(say('poseTools.pasteMirrored'), ({ scene }) =>
      mirroredPose(scene, copied.value!, sidesByPlace(scene, sidesOf(scene.skeleton.names))),
    )

  /** The pose that the clip of this name has there in the file's original. */
  const toOriginal = (): Promise<boolean> =>
    put(say('poseTools.original'), async ({ scene, clip, time }) => {
      const original = await session.call('model.original', { model: models.activeId })
      const own = original.clips.find(({ name }) => name === clip.name)
      return own ? wholePose(original, own, time) : wholePose(scene, clip, time)
    })

  function among(title: string, field: AdjustField, value: number, make: (of: Now, share: number) => WholePose): Promise<boolean> {
    return keys.usePoses(() => {
      const of = now()
      if (!of) return null
      return {
        title,
        fields: [field],
        values: { share: value },
        poses: ({ share }) => none(asKeys(of, make(of, share / 100))),
        label: () => title,
      }
    })
  }

  const near = ({ clip, time, joints }: Now): ReturnType<typeof neighbours> => neighbours(clip, time, joints)

  const between = (): Promise<boolean> =>
    among(
      say('poseTools.between'),
      { key: 'share', label: say('poseTools.betweenShare'), kind: 'number', unit: '%', min: -50, max: 150, step: 5, slider: true },
      50,
      (of, share) => poseBetween(of.scene, of.clip, of.time, near(of), share, null),
    )

  const push = (): Promise<boolean> =>
    among(
      say('poseTools.push'),
      { key: 'share', label: say('poseTools.pushShare'), kind: 'number', unit: '%', min: -100, max: 100, step: 5, slider: true },
      25,
      (of, share) => poseBetween(of.scene, of.clip, of.time, near(of), null, share),
    )

  /** A kept pose, so much of the way from the present one. */
  const putKept = (name: string, kept: WholePose, mirrored: boolean): Promise<boolean> =>
    among(
      say(mirrored ? 'poseTools.keptMirrored' : 'poseTools.kept', { name }),
      { key: 'share', label: say('poseTools.keptShare'), kind: 'number', unit: '%', min: 0, max: 150, step: 5, slider: true },
      100,
      ({ scene, clip, time }, share) => {
        const present = wholePose(scene, clip, time)
        const to = mirrored ? mirroredJoints(scene, present, kept, sidesByPlace(scene, sidesOf(scene.skeleton.names))) : kept
        return poseTowards(present, to, share)
      },
    )

  /** Pinned joints, else the chosen ones, stay over a range where they are at the playhead. */
  function hold(): Promise<boolean> {
    return keys.usePoses(() => {
      const of = now()
      const { rig } = reach
      const joints = reach.pins.length > 0 ? [...reach.pins] : [...selection.joints]
      if (!of || !rig || joints.length === 0) return null
      const { scene, clip, time } = of
      const range = keys.span && keys.span.end > keys.span.start ? keys.span : (playback.slice ?? clip)
      const step = frameStep(clip.unit)
      const number = (key: string, label: string): AdjustField => ({ key, label, kind: 'number', unit: timeUnit() })
      return {
        title: say('poseTools.hold'),
        fields: [
          number('start', say('poseTools.holdFrom')),
          number('end', say('poseTools.holdTo')),
          { ...number('ease', say('poseTools.holdEase')), hint: say('poseTools.holdEaseHint') },
        ],
        values: { start: range.start, end: range.end, ease: 3 * step },
        poses: ({ start, end, ease }) => {
          const keyed = keys.tracks.flatMap((track) => [...track.times])
          const wish = {
            joints,
            at: time,
            start: Math.min(start, end),
            end: Math.max(start, end),
            ease,
            step,
            bones: reach.bones,
            follow: posing.options.follow,
          }
          const { poses, left } = holdOver(rig, scene, clip, wish, keyed)
          const short = left > 0.002 * rig.figure.height
          return { ...none(poses), words: short ? say('poseTools.holdShort', { distance: formatNumber(left, 3) }) : undefined }
        },
        label: () => say('poseTools.holdEdit', { count: joints.length }),
      }
    })
  }

  return { now, putKept, copied, possible, copy, paste, pasteMirrored, toRest, toOriginal, between, push, hold }
})
