import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  boneColors,
  boneColorsOnSurface,
  bonesOf,
  boneSegments,
  COVERED,
  fillAxes,
  fillBones,
  fillMarks,
  jointsWithin,
  overlaySize,
  pickBone,
} from '../../../src/renderer/viewport/bones.ts'
import { devScene } from '../../../src/renderer/dev/figure.ts'
import { FlatData } from '../../../src/renderer/viewport/flat-batch.ts'
import type { Tint } from '../../../src/renderer/viewport/flat-batch.ts'
import { ALWAYS, declutter } from '../../../src/renderer/viewport/labels.ts'
import type { Label } from '../../../src/renderer/viewport/labels.ts'
import { defaultOrbit, frameBounds, projector, VIEWS } from '../../../src/renderer/viewport/orbit.ts'
import { PosedModel } from '../../../src/renderer/viewport/posed-model.ts'

const scene = devScene()
const model = new PosedModel(scene)
const bounds = model.bounds()!
const { skeleton } = scene
const world = model.pose.world
const bones = bonesOf(skeleton)
const size = overlaySize(bounds)
const segments = boneSegments(skeleton, bones, world, size.stub)
const orbit = { ...defaultOrbit(), ...VIEWS.front }
Object.assign(orbit, frameBounds(orbit, bounds, 4 / 3))
const view = projector(orbit, 800, 600)
const nothing = { chosen: new Set<number>(), hovered: -1 }
const joint = (name: string): number => skeleton.names.indexOf(name)
function onScreen(name: string): number[] {
  const out = [0, 0, 0]
  const o = 16 * joint(name) + 12
  view.project(world[o], world[o + 1], world[o + 2], out)
  return out
}

describe('bones', () => {
  it('go to each child that is a bone, and end in a stub', () => {
    const of = (name: string) => bones.filter((b) => b.joint === joint(name)).map((b) => (b.child < 0 ? 'stub' : skeleton.names[b.child]))
    expect(of('chest')).toEqual(['neck', 'shoulder.L', 'shoulder.R'])
    expect(of('foot.L')).toEqual(['stub'])
    // what hangs on the hand is an attach point, no bone
    expect(of('hand.R')).toEqual(['stub'])
    expect(of('武器')).toEqual([])
  })

  it('stand between their joints; a stub goes on as its parent went', () => {
    const i = bones.findIndex((b) => b.joint === joint('thigh.L'))
    expect(segments[6 * i + 4] - segments[6 * i + 1]).toBeCloseTo(-0.43, 4)
    const s = bones.findIndex((b) => b.joint === joint('foot.L'))
    expect(segments[6 * s + 4]).toBeLessThan(segments[6 * s + 1])
  })

  it('out of a root are lines where they only lead to the body, and shapes where they are short', () => {
    const drawn = (long: number): number => {
      const faces = new FlatData()
      const rooted = bones.filter((b) => b.joint === joint('root')).map((b) => ({ ...b, link: false }))
      expect(rooted.length).toBeGreaterThan(0)
      expect(rooted.every((b) => b.root)).toBe(true)
      fillBones(
        faces,
        new FlatData(),
        rooted,
        boneSegments(skeleton, rooted, world, size.stub),
        { ...size, long },
        boneColors(true),
        nothing,
      )
      return faces.indexCount
    }
    expect(drawn(1e9)).toBeGreaterThan(0)
    expect(drawn(0)).toBe(0)
  })

  it('stand out from a dark skin and from a light one, whatever the theme', () => {
    const luminance = (c: readonly number[]): number => {
      const [r, g, b] = c.map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
      return 0.2126 * r + 0.7152 * g + 0.0722 * b
    }
    const over = (top: Tint, part: number, below: number[]): number[] =>
      below.map((v, i) => top[i] * top[3] * part + v * (1 - top[3] * part))
    const { face, edge } = boneColorsOnSurface()
    for (const skin of [0.02, 0.1, 0.3, 0.5, 0.7, 0.95]) {
      const filled = over(face, COVERED.faces, [skin, skin, skin])
      const line = luminance(over(edge, COVERED.edges, filled))
      const around = luminance(filled)
      expect((Math.max(line, around) + 0.05) / (Math.min(line, around) + 0.05), `on ${skin}`).toBeGreaterThan(skin > 0.7 ? 1.5 : 2.5)
    }
  })

  it('are octahedra of finite size, whatever the pose', () => {
    const faces = new FlatData(),
      edges = new FlatData()
    const broken = world.slice()
    broken.fill(NaN, 16, 32)
    fillBones(faces, edges, bones, boneSegments(skeleton, bones, broken, size.stub), size, boneColors(true), {
      chosen: new Set([3]),
      hovered: 4,
    })
    fillMarks(edges, skeleton, world, size.mark, boneColors(true), nothing)
    fillAxes(edges, world, 3, 1)
    expect(faces.indexCount).toBeGreaterThan(0)
    expect(faces.indexCount % 24).toBe(0)
    for (let i = 0; i < 3 * faces.vertexCount; i++) expect(Number.isFinite(faces.positions[i])).toBe(true)
    for (let i = 0; i < edges.indexCount; i++) expect(edges.indices[i]).toBeLessThan(edges.vertexCount)
  })
})

describe('the look of bones', () => {
  const drawn = (look: Parameters<typeof fillBones>[7], chosen: number[] = []): FlatData => {
    const faces = new FlatData()
    fillBones(faces, new FlatData(), bones, segments, size, boneColors(true), { chosen: new Set(chosen), hovered: -1 }, look)
    return faces
  }
  const spread = (data: FlatData): number => {
    let most = 0
    for (let v = 0; v < data.vertexCount; v++) {
      const p = [0, 1, 2].map((c) => data.positions[3 * v + c])
      const nearest = Math.min(
        ...Array.from({ length: bones.length }, (_, i) => {
          const [a, b] = [segments.subarray(6 * i, 6 * i + 3), segments.subarray(6 * i + 3, 6 * i + 6)]
          const d = [0, 1, 2].map((c) => b[c] - a[c])
          const n = d.reduce((sum, x) => sum + x * x, 0)
          const t = Math.max(0, Math.min(1, d.reduce((sum, x, c) => sum + x * (p[c] - a[c]), 0) / n))
          return Math.hypot(...d.map((x, c) => a[c] + x * t - p[c]))
        }),
      )
      most = Math.max(most, nearest)
    }
    return most
  }

  it('is thicker by its factor, and a stick is thin all along', () => {
    const usual = spread(drawn({ shape: 'octahedral', size: 1 }))
    expect(spread(drawn({ shape: 'octahedral', size: 0.5 }))).toBeLessThan(usual * 0.75)
    expect(spread(drawn({ shape: 'stick', size: 1 }))).toBeLessThan(usual * 0.5)
    expect(drawn({ shape: 'stick', size: 1 }).indexCount % 24).toBe(0)
  })

  it('marks every joint that is chosen', () => {
    const [face] = [boneColors(true).selectedFace]
    const marked = (data: FlatData): number => {
      let count = 0
      for (let v = 0; v < data.vertexCount; v++) if (Math.abs(data.tints[4 * v + 3] - face[3]) < 1e-6) count++
      return count
    }
    const one = marked(drawn({ shape: 'octahedral', size: 1 }, [joint('shin.L')]))
    expect(one).toBeGreaterThan(0)
    expect(marked(drawn({ shape: 'octahedral', size: 1 }, [joint('shin.L'), joint('shin.R')]))).toBe(2 * one)
  })
})

describe('a box', () => {
  it('holds the joints that are drawn in it, of all depths', () => {
    const [x, y] = onScreen('shin.L')
    expect(jointsWithin(skeleton, world, view, [x - 2, y - 2, x + 2, y + 2])).toEqual([joint('shin.L')])
    const all = jointsWithin(skeleton, world, view, [0, 0, 800, 600])
    expect(all).toHaveLength(skeleton.count - (skeleton.roles ?? []).filter((role) => role === 'hidden').length)
    expect(jointsWithin(skeleton, world, view, [0, 0, 3, 3])).toEqual([])
  })
})

describe('pickBone', () => {
  it('finds every joint that nothing stands in front of', () => {
    for (const name of ['forearm.L', 'hand.R', 'shin.L', 'foot.R', 'spine', 'root']) {
      const [x, y] = onScreen(name)
      expect(skeleton.names[pickBone(skeleton, bones, segments, world, view, x, y)]).toBe(name)
    }
  })
  it('finds a bone by its line, and gives the joint that moves it', () => {
    const a = onScreen('thigh.L'),
      b = onScreen('shin.L')
    expect(pickBone(skeleton, bones, segments, world, view, (a[0] + b[0]) / 2 + 4, (a[1] + b[1]) / 2)).toBe(joint('thigh.L'))
  })
  it('forgives a few pixels and no more', () => {
    const [x, y] = onScreen('foot.R')
    expect(pickBone(skeleton, bones, segments, world, view, x - 8, y)).toBe(joint('foot.R'))
    expect(pickBone(skeleton, bones, segments, world, view, x - 30, y)).toBe(-1)
  })
  it('prefers what is nearer to the viewer where two lie over each other', () => {
    const side = { ...defaultOrbit(), ...VIEWS.right }
    Object.assign(side, frameBounds(side, bounds, 4 / 3))
    const seen = projector(side, 800, 600)
    const out = [0, 0, 0]
    const o = 16 * joint('shin.L') + 12
    seen.project(world[o], world[o + 1], world[o + 2], out)
    // seen from +X the left leg is in front of the right one
    expect(skeleton.names[pickBone(skeleton, bones, segments, world, seen, out[0], out[1])]).toBe('shin.L')
  })
  it('sees nothing behind the camera', () => {
    const away = projector({ ...orbit, target: [0, 0, -100], distance: 1 }, 800, 600)
    for (let x = 0; x < 800; x += 50) expect(pickBone(skeleton, bones, segments, world, away, x, 300)).toBe(-1)
  })
})

describe('declutter', () => {
  const labels = fc.array(
    fc.record({
      x: fc.double({ min: -50, max: 850, noNaN: true }),
      y: fc.double({ min: -50, max: 650, noNaN: true }),
      width: fc.integer({ min: 5, max: 160 }),
      priority: fc.integer({ min: 0, max: 9 }),
    }),
    { maxLength: 120 },
  )
  const named = (list: { x: number; y: number; width: number; priority: number }[]): Label[] =>
    list.map((l, id) => ({ ...l, id, text: `n${id}` }))

  it('lets no two names overlap or leave the view', () => {
    fc.assert(
      fc.property(labels, (list) => {
        const placed = declutter(named(list), 800, 600)
        for (const [i, a] of placed.entries()) {
          expect(a.left).toBeGreaterThanOrEqual(0)
          expect(a.left + a.width).toBeLessThanOrEqual(800)
          expect(a.top + 15).toBeLessThanOrEqual(600)
          for (const b of placed.slice(i + 1)) {
            const apart = a.left + a.width <= b.left || b.left + b.width <= a.left || a.top + 15 <= b.top || b.top + 15 <= a.top
            expect(apart).toBe(true)
          }
        }
      }),
    )
  })
  it('places the more important first', () => {
    const placed = declutter(
      named([{ x: 100, y: 100, width: 60, priority: 0 }, ...Array.from({ length: 8 }, () => ({ x: 100, y: 100, width: 60, priority: 5 }))]),
      800,
      600,
    )
    expect(placed.map((l) => l.id)).not.toContain(0)
    expect(placed.length).toBeGreaterThan(1)
  })
  it('always shows the chosen one, and never what is off screen', () => {
    const crowd = Array.from({ length: 10 }, () => ({ x: 100, y: 100, width: 60, priority: 2 * ALWAYS }))
    expect(declutter(named([...crowd, { x: 900, y: 10, width: 5, priority: 2 * ALWAYS }]), 800, 600)).toHaveLength(10)
    expect(declutter(named([{ x: NaN, y: 5, width: 5, priority: 1 }]), 800, 600)).toEqual([])
  })
})
