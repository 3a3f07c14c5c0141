/** Onion skin: the model some moments before and after, as flat shapes. And the way of a joint through a clip. */
import { Constants } from '@babylonjs/core/Engines/constants'
import { Material } from '@babylonjs/core/Materials/material'
import { ShaderMaterial } from '@babylonjs/core/Materials/shaderMaterial'
import { Color4 } from '@babylonjs/core/Maths/math.color'
import type { Scene as Stage } from '@babylonjs/core/scene'
import { createPose, sampleClip } from '../../shared/scene/pose.ts'
import type { Scene } from '../../shared/scene/types.ts'
import type { FlatData, Tint } from './flat-batch.ts'
import { FlatModel } from './flat-model.ts'
import { ghostFragment, ghostVertex } from './shaders.ts'
import type { Onion } from './types.ts'
import type { Vec3 } from './vec.ts'

/** Past and future, as animators know them. */
export const PAST: Vec3 = [0.93, 0.42, 0.36]
export const FUTURE: Vec3 = [0.36, 0.72, 0.52]

/** Moments of the ghosts about a time, nearest last, within the clip. */
export function ghostMoments(onion: Onion, time: number, start: number, end: number): { time: number; strength: number; past: boolean }[] {
  const out: { time: number; strength: number; past: boolean }[] = []
  for (const past of [true, false]) {
    const count = Math.max(0, Math.min(8, Math.floor(past ? onion.before : onion.after)))
    for (let i = count; i >= 1; i--) {
      const at = time + (past ? -i : i) * onion.step
      if (at >= start && at <= end) out.push({ time: at, strength: 1 - (i - 1) / count, past })
    }
  }
  return out
}

class Ghost {
  private readonly flat: FlatModel
  private readonly shader: ShaderMaterial

  constructor(stage: Stage, scene: Scene) {
    this.shader = new ShaderMaterial(
      'ghost',
      stage,
      { vertexSource: ghostVertex, fragmentSource: ghostFragment },
      { attributes: ['position'], uniforms: ['world', 'view', 'viewProjection', 'uTint'], needAlphaBlending: true },
    )
    this.shader.alphaMode = Constants.ALPHA_PREMULTIPLIED_PORTERDUFF
    this.shader.sideOrientation = Material.CounterClockWiseSideOrientation
    this.shader.disableDepthWrite = true
    this.flat = new FlatModel(stage, scene, 'ghost', [{ shader: this.shader, order: -500_000 }])
  }

  show(clip: number, time: number, tint: Tint, inPlace: boolean, shown: (mesh: number) => boolean): void {
    const { model } = this.flat
    model.inPlace = inPlace
    model.update(clip, time)
    this.shader.setColor4('uTint', new Color4(...tint))
    this.flat.place(shown)
  }

  hide(): void {
    this.flat.hide()
  }

  isReady(): boolean {
    return this.flat.isReady()
  }

  dispose(): void {
    this.flat.dispose()
    this.shader.dispose(false, false)
  }
}

export class Ghosts {
  private readonly stage: Stage
  private scene: Scene | null = null
  private readonly made: Ghost[] = []
  private shown = ''

  constructor(stage: Stage) {
    this.stage = stage
  }

  setScene(scene: Scene | null): void {
    for (const ghost of this.made) ghost.dispose()
    this.made.length = 0
    this.scene = scene
    this.shown = ''
  }

  update(
    onion: Onion | null | undefined,
    clip: number,
    time: number,
    dark: boolean,
    inPlace: boolean,
    shown: (mesh: number) => boolean,
  ): void {
    const sampled = this.scene?.clips[clip]
    if (!onion || !sampled || sampled.away || !(onion.step > 0)) {
      if (this.shown) for (const ghost of this.made) ghost.hide()
      this.shown = ''
      return
    }
    const moments = ghostMoments(onion, time, sampled.start, sampled.end)
    const key = `${clip} ${dark} ${inPlace} ${moments.map((m) => m.time).join()} ${this.scene!.meshes.map((_, i) => (shown(i) ? 1 : 0)).join('')}`
    if (key === this.shown) return
    this.shown = key
    while (this.made.length < moments.length) this.made.push(new Ghost(this.stage, this.scene!))
    this.made.forEach((ghost, i) => {
      const m = moments[i]
      if (!m) ghost.hide()
      else ghost.show(clip, m.time, [...(m.past ? PAST : FUTURE), (dark ? 0.3 : 0.26) * m.strength], inPlace, shown)
    })
  }

  isReady(): boolean {
    return this.made.every((g) => g.isReady())
  }

  dispose(): void {
    this.setScene(null)
  }
}

/** Steps of a trail: enough to be smooth, few enough for a long clip. */
const TRAIL_STEPS = 240

/** Places of a joint through a clip, 4 numbers each: x, y, z, time; and the times at which it has keys. */
export function trailOf(scene: Scene, clip: number, joint: number): { points: Float32Array; keys: number[] } {
  const sampled = scene.clips[clip]
  const span = sampled.end - sampled.start
  const steps = span > 0 ? Math.min(TRAIL_STEPS, Math.max(2, Math.ceil(span * (sampled.unit === 'frame' ? 2 : 0.06)))) : 1
  const pose = createPose(scene)
  const points = new Float32Array(4 * (steps + 1))
  for (let i = 0; i <= steps; i++) {
    const time = sampled.start + (span * i) / steps
    sampleClip(scene, sampled, time, pose)
    points.set([pose.world[16 * joint + 12], pose.world[16 * joint + 13], pose.world[16 * joint + 14], time], 4 * i)
  }
  const keys = new Set<number>()
  for (const track of sampled.tracks) {
    if (track.target.kind !== 'joint' || track.target.index !== joint || track.times.length > 400) continue
    for (const t of track.times) if (t >= sampled.start && t <= sampled.end) keys.add(t)
  }
  return { points, keys: [...keys].sort((a, b) => a - b) }
}

/** The way as a line, past and future in their colours, a small cross on each key. */
export function fillTrail(data: FlatData, trail: ReturnType<typeof trailOf>, time: number, mark: number): void {
  data.clear()
  const { points, keys } = trail
  const n = points.length / 4
  for (let i = 0; i + 1 < n; i++) {
    const c = points[4 * i + 3] < time ? PAST : FUTURE
    data.line(
      [points[4 * i], points[4 * i + 1], points[4 * i + 2]],
      [points[4 * i + 4], points[4 * i + 5], points[4 * i + 6]],
      [...c, 0.95],
    )
  }
  for (const key of keys) {
    // on the line, between its two nearest steps
    const span = points[4 * n - 1] - points[3]
    const at = span > 0 ? ((key - points[3]) / span) * (n - 1) : 0
    const i = Math.max(0, Math.min(n - 2, Math.floor(at))),
      k = at - i
    if (n < 2) break
    const p = [0, 1, 2].map((c) => points[4 * i + c] + (points[4 * i + 4 + c] - points[4 * i + c]) * k) as Vec3
    for (let c = 0; c < 3; c++) {
      const a: Vec3 = [...p],
        b: Vec3 = [...p]
      a[c] -= mark
      b[c] += mark
      data.line(a, b, [...(key < time ? PAST : FUTURE), 1])
    }
  }
}
