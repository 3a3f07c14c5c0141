/** Slices: what the scripts of a model cut its motions into. */
import { stemOf } from '../../../../shared/ref.ts'
import { cfgMotions, keyPath } from '../codecs/cfg-motions.ts'
import { say } from '../texts/index.ts'
import type { Scene } from '../../../../shared/scene/types.ts'
import type { CfgDocument } from '../codecs/cfg-text.ts'

/** @param motions how many files of motions the model has by itself, @param rate frames a second */
export function addSlices(scene: Scene, scripts: readonly CfgDocument[], motions: number, rate: number): void {
  for (const cfg of scripts) {
    cfgMotions(cfg).forEach((motion, m) => {
      if (!motion.keys.length) return
      let clip = motion.mot
        ? scene.clips.findIndex((c) => stemOf(c.source.ref) === stemOf(motion.mot))
        : scene.clips.length > 0 && motions === 1
          ? 0
          : -1
      if (clip < 0) {
        // its windows are still there to be seen and edited
        clip = scene.clips.length
        scene.clips.push({
          name: motion.mot ? say('scene.motionMissing', { mot: motion.mot }) : `MOTION ${motion.number}`,
          tracks: [],
          start: motion.keys.reduce((least, k) => Math.min(least, k.start), Infinity),
          end: motion.keys.reduce((most, k) => Math.max(most, k.end), -Infinity),
          rate,
          unit: 'frame',
          loop: 'wrap',
          fit: { matched: 0, total: 0 },
          events: [],
          source: { ref: cfg.ref, path: `motions[${m}]` },
        })
      }
      motion.keys.forEach((key, k) =>
        scene.slices.push({
          clip,
          name: key.name,
          start: key.start,
          end: key.end,
          speed: key.speed,
          loop: true,
          source: { ref: cfg.ref, path: keyPath(m, k) },
        }),
      )
    })
  }
}
