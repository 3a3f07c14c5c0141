/** Keys that were copied, and their way back in: as keys of the same file, as poses into another. */
import { shallowRef, type ShallowRef } from 'vue'
import type { NativeTrack } from '../../../shared/api/types/clips.ts'
import { copyKeys, keyedTimes, sameFile, type CopiedKeys } from '../../../shared/keys/clipboard.ts'
import type { AdjustField } from '../adjust.ts'
import { useModels } from '../models.ts'
import { usePlayback } from '../playback.ts'
import type { ChosenKeys } from './chosen.ts'
import { timeUnit, type KeyToolRuns } from './key-tool.ts'
import { planKeys, planPoses } from './planner.ts'
import { say } from '../../../shared/texts/say.ts'

/** @param remove takes the chosen keys away */
export function keyCopies(
  tracks: ShallowRef<NativeTrack[]>,
  { chosen }: ChosenKeys,
  { use, usePoses }: KeyToolRuns,
  remove: () => Promise<boolean>,
) {
  const models = useModels()
  const playback = usePlayback()
  const clipboard = shallowRef<CopiedKeys | null>(null)

  function copy(): void {
    const scene = models.scene
    const clip = playback.clip
    clipboard.value = copyKeys(tracks.value, chosen.value, scene && clip ? { scene, clip } : null) ?? clipboard.value
  }

  function cut(): Promise<boolean> {
    copy()
    return remove()
  }

  /** At the playhead. Keys of another file go there as poses, since files turn their axes in ways of their own. */
  function paste(): Promise<boolean> {
    const copied = clipboard.value
    if (!copied || !playback.clip || !models.scene) return Promise.resolve(false)
    const fields: AdjustField[] = [
      { key: 'time', label: say('keyEdits.paste.from'), kind: 'number', unit: timeUnit() },
      {
        key: 'over',
        label: say('keyEdits.paste.over'),
        kind: 'switch',
        hint: say('keyEdits.paste.overHint'),
      },
    ]
    const values = { time: playback.playhead, over: true }
    if (sameFile(tracks.value, copied)) {
      return use(() => {
        const from = tracks.value
        return {
          title: say('keyEdits.paste.title'),
          fields,
          values,
          plan: ({ time, over }, way) => planKeys({ tool: 'paste', copied, time, over }, from, new Map(), way),
          label: (plan) => say('keyEdits.paste.edit', { count: plan.count }),
        }
      })
    }
    return usePoses(() => {
      const { clip, scene } = { clip: playback.clip, scene: models.scene }
      if (!clip || !scene) return null
      const last = Math.max(...tracks.value.map((t) => t.limits.maxTime))
      const keyed = keyedTimes(tracks.value)
      return {
        title: say('keyEdits.paste.asPoses'),
        fields,
        values,
        poses: ({ time, over }, way) =>
          planPoses({ tool: 'paste', copied, names: scene.skeleton.names, time, rate: clip.rate, last, over: over ? keyed : null }, way),
        label: (poses) => say('keyEdits.paste.edit', { count: poses.reduce((n, p) => n + p.times.length, 0) }),
      }
    })
  }

  return { clipboard, copy, cut, paste }
}
