import { describe, expect, it } from 'vitest'
import { adventurer } from '../../src/main/sample/character.ts'

describe('the adventurer', () => {
  const c = adventurer()
  it('has parents before children and a key at both ends of every window', () => {
    c.joints.forEach((joint, i) => expect(joint.parent).toBeLessThan(i))
    for (const keys of c.keys.filter((k) => k.length)) {
      const frames = keys.map((k) => k.frame)
      expect(frames).toEqual([...frames].sort((a, b) => a - b))
      for (const w of c.windows) expect(frames).toEqual(expect.arrayContaining([w.start, w.end]))
    }
  })
  it('loops idle and walk: the end pose is the start pose', () => {
    for (const id of ['idle', 'walk'] as const) {
      const w = c.windows.find((x) => x.id === id)!
      for (const keys of c.keys.filter((k) => k.length)) {
        const a = keys.find((k) => k.frame === w.start)!,
          b = keys.find((k) => k.frame === w.end)!
        a.rotation.forEach((x, i) => expect(x).toBeCloseTo(b.rotation[i], 6))
        a.position.forEach((x, i) => expect(x).toBeCloseTo(b.position[i], 6))
      }
    }
  })
  it('is skinned with several joints a vertex, weights sum to one, triangles face outwards', () => {
    const body = c.meshes[0]
    let several = 0
    for (const w of body.weights) {
      expect(w.reduce((sum, [, k]) => sum + k, 0)).toBeCloseTo(1, 6)
      if (w.length > 1) several++
      expect(w.length).toBeLessThanOrEqual(4)
    }
    expect(several).toBeGreaterThan(500)
    const p = (i: number): number[] => body.positions.slice(3 * i, 3 * i + 3)
    let agree = 0,
      all = 0
    for (let t = 0; t < body.indices.length; t += 3) {
      const [a, b, d] = [0, 1, 2].map((k) => p(body.indices[t + k]))
      const e1 = a.map((x, i) => b[i] - x),
        e2 = a.map((x, i) => d[i] - x)
      const n = [e1[1] * e2[2] - e1[2] * e2[1], e1[2] * e2[0] - e1[0] * e2[2], e1[0] * e2[1] - e1[1] * e2[0]]
      const m = body.normals.slice(3 * body.indices[t], 3 * body.indices[t] + 3)
      const dot = n[0] * m[0] + n[1] * m[1] + n[2] * m[2]
      if (Math.hypot(...n) > 1e-9) {
        all++
        if (dot > 0) agree++
      }
    }
    expect(agree / all).toBeGreaterThan(0.97)
  })
  it('is left on its left: hands, and the picture has colours', () => {
    const at = (name: string): number[] => c.world[c.joints.findIndex((j) => j.name === name)]
    expect(at('hand_l')[0]).toBeGreaterThan(0.2)
    expect(at('hand_r')[0]).toBeLessThan(-0.2)
    expect(at('head')[1]).toBeGreaterThan(at('pelvis')[1])
    const colours = new Set<number>()
    const { rgba } = c.textures[0]
    for (let i = 0; i < rgba.length; i += 4) colours.add((rgba[i] << 16) | (rgba[i + 1] << 8) | rgba[i + 2])
    expect(colours.size).toBeGreaterThan(1000)
  })
})
