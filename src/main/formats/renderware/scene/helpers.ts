/** Lights and 2D effects of a clump. */
import { basisVector } from './basis.ts'
import { finiteOr } from '../../finite.ts'
import { say } from '../texts/index.ts'
import { childOf } from '../codecs/chunk.ts'
import { ID } from '../codecs/chunk-ids.ts'
import type { Scene, SourceRef } from '../../../../shared/scene/types.ts'
import type { Chunk } from '../codecs/chunk.ts'
import type { ClumpView } from '../codecs/model.ts'
import type { Rig } from './skeleton.ts'

/** @param c number of the clump */
export function addHelpers(scene: Scene, rig: Rig, clump: ClumpView, c: number, sourceOf: (chunk: Chunk) => SourceRef): void {
  clump.lights.forEach((light, i) => {
    if (light.frame < 0) return
    const [radius, r, g, b] = light.light.values
    scene.helpers.push({
      name: `light ${i}`,
      kind: 'light',
      joint: rig.jointOf[rig.first[c] + light.frame],
      center: [0, 0, 0],
      extent: [finiteOr(radius, 0), 0, 0],
      color: [finiteOr(r, 1), finiteOr(g, 1), finiteOr(b, 1)],
      label: say('scene.lightOf', { radius }),
      // its numbers stand there
      source: sourceOf(childOf(light.chunk, ID.struct) ?? light.chunk),
    })
  })
  for (const atomic of clump.atomics) {
    const geometry = clump.geometries[atomic.geometry]
    if (!geometry?.effects || atomic.frame < 0) continue
    const effects = sourceOf(geometry.effectsChunk ?? geometry.chunk)
    geometry.effects.slice(0, 1000).forEach((effect, i) => {
      const center: [number, number, number] = [0, 0, 0]
      basisVector(center, 0, effect.position, 0)
      scene.helpers.push({
        name: `2d effect ${i}`,
        kind: effect.type === 0 ? 'light' : 'point',
        joint: rig.jointOf[rig.first[c] + atomic.frame],
        center: center.map((v) => finiteOr(v, 0)) as [number, number, number],
        extent: [0.1, 0.1, 0.1],
        color: [1, 0.9, 0.3],
        label: say('scene.effectOf', { type: effect.type }),
        source: { ...effects, path: `${effects.path}.effects[${i}]` },
      })
    })
  }
}
