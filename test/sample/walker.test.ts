import { describe, expect, it } from 'vitest'
import { w3d } from '../../src/main/formats/w3d/family.ts'
import { w3dSample } from '../../src/main/sample/w3d.ts'
import { LEG } from '../../src/main/sample/walker-rig.ts'
import { walkerParts } from '../../src/main/sample/walker.ts'
import { createPose, sampleClip } from '../../src/shared/scene/pose.ts'
import { memoryLibrary } from '../fixtures/w3d/neighbourhood.ts'
import type { Clip } from '../../src/shared/scene/types.ts'

const loose = w3dSample().filter((f) => !f.path.endsWith('.big'))
const library = memoryLibrary(Object.fromEntries(loose.map((f) => [f.path, f.bytes])))
const folder = 'Zero Hour/Art/W3D'
const binding = w3d.bind(folder, library).find((b) => b.name === 'WALKER_SKN')!
const { scene, diagnostics } = w3d.assemble(binding, library.load, {})
const clip = (name: string): Clip => scene.clips.find((c) => c.name === name)!

/** Where a joint is in each frame, in the scene: Y up, front along +Z. */
function path(c: Clip, joint: string): number[][] {
  const j = scene.skeleton.names.indexOf(joint)
  const pose = createPose(scene)
  return Array.from({ length: c.end + 1 }, (_, f) => {
    sampleClip(scene, c, f, pose)
    return [...pose.world.subarray(16 * j + 12, 16 * j + 15)]
  })
}

describe('the walker', () => {
  it('is whole: skeleton, three clips, every texture, and nothing that the rules find', () => {
    expect(diagnostics).toEqual([])
    expect(scene.clips.map((c) => c.name).sort()).toEqual(['WALKER_FRA', 'WALKER_IDA', 'WALKER_WKA'])
    expect(scene.textures.map((t) => [t.name, t.missing]).sort()).toEqual([
      ['WKFlash.tga', false],
      ['WKGlass.tga', false],
      ['WKWalker.tga', false],
      ['ZHWalker.tga', false],
    ])
    expect(scene.lods).toHaveLength(2)
    expect(scene.skeleton.roles!.filter((r) => r === 'attach')).toHaveLength(6)
    expect(scene.materials.filter((m) => m.teamColor).length).toBeGreaterThanOrEqual(6)
    for (const { path: ref } of loose)
      expect(w3d.lint(library.load(ref)!, { around: library, load: library.load, binding }), ref).toEqual([])
  })

  it('stands on the ground, faces ahead, and its left is left', () => {
    const [body] = scene.meshes.filter((m) => m.name.endsWith('.BODY'))
    const low = [0, 1, 2].map((c) => Math.min(...body.positions.filter((_, i) => i % 3 === c)))
    expect(low[1]).toBeCloseTo(0, 4)
    const at = (name: string): number[] => path(clip('WALKER_IDA'), name)[0]
    expect(at('MUZZLE01')[2]).toBeGreaterThan(5)
    expect(at('GUN_L')[0]).toBeGreaterThan(5)
    expect(at('GUN_R')[0]).toBeLessThan(-5)
  })

  it('has every face turned outwards as its normals are', () => {
    for (const part of walkerParts('rockets')) {
      const { positions, normals, triangles, uvs } = part.plates
      expect(triangles.length, part.name).toBeGreaterThan(0)
      expect(Math.min(...uvs)).toBeGreaterThanOrEqual(-0.01)
      expect(Math.max(...uvs)).toBeLessThanOrEqual(1.01)
      for (let t = 0; t < triangles.length; t += 3) {
        const [a, b, c] = [0, 1, 2].map((k) => positions.slice(3 * triangles[t + k], 3 * triangles[t + k] + 3))
        const u = b.map((x, i) => x - a[i]),
          v = c.map((x, i) => x - a[i])
        const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
        if (Math.hypot(...n) < 1e-3) continue
        const m = normals.slice(3 * triangles[t], 3 * triangles[t] + 3)
        expect(n[0] * m[0] + n[1] * m[1] + n[2] * m[2], `${part.name} ${t / 3}`).toBeGreaterThan(0)
      }
    }
  })

  it('walks: a foot on the ground moves straight back at one speed, and the loop has no jump', () => {
    const walk = clip('WALKER_WKA')
    for (const side of ['L', 'R']) {
      const foot = path(walk, `FOOT_${side}`)
      const down = foot
        .map((p, f) => [p, foot[(f + 1) % foot.length]])
        .filter(([a, b]) => a[1] < LEG.ankle[2] + 0.01 && b[1] < LEG.ankle[2] + 0.01)
      expect(down.length).toBeGreaterThan(18)
      const speeds = down.map(([a, b]) => b[2] - a[2])
      expect(Math.max(...speeds) - Math.min(...speeds)).toBeLessThan(0.02)
      expect(Math.max(...speeds)).toBeLessThan(-0.3)
      for (const [a, b] of down) expect(Math.abs(b[0] - a[0])).toBeLessThan(0.01)
    }
    for (const joint of ['PELVIS', 'FOOT_L', 'FOOT_R', 'TURRET', 'ANTENNA02']) {
      const p = path(walk, joint)
      const step = (a: number[], b: number[]): number => Math.hypot(...a.map((x, i) => x - b[i]))
      const steps = p.map((x, f) => step(x, p[(f + 1) % p.length]))
      expect(steps[steps.length - 1], joint).toBeLessThanOrEqual(Math.max(...steps.slice(0, -1)) * 1.05)
    }
  })

  it('keeps its feet where they are while it looks around and fires', () => {
    for (const name of ['WALKER_IDA', 'WALKER_FRA']) {
      for (const side of ['L', 'R']) {
        const p = path(clip(name), `FOOT_${side}`)
        for (const axis of [0, 1, 2]) {
          const values = p.map((x) => x[axis])
          expect(Math.max(...values) - Math.min(...values), `${name} ${side} ${axis}`).toBeLessThan(0.25)
        }
      }
    }
  })

  it('shows the flashes of its guns in the salvo alone', () => {
    const pose = createPose(scene)
    const j = scene.skeleton.names.indexOf('MUZZLEFX01')
    const shown = (name: string): number => {
      const c = clip(name)
      let n = 0
      for (let f = 0; f <= c.end; f++) {
        sampleClip(scene, c, f, pose)
        n += pose.visible[j]
      }
      return n
    }
    expect([shown('WALKER_WKA'), shown('WALKER_IDA'), shown('WALKER_FRA')]).toEqual([0, 0, 6])
  })
})
