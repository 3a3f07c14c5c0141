import { describe, expect, it } from 'vitest'
import { curvesOf, pointsWithin, valueRange, yToValue, zoomRange } from '../../../src/renderer/features/timeline/curves.ts'
import { drawCurve, drawValueAxis, type CurveCanvas } from '../../../src/renderer/features/timeline/draw-curves.ts'
import { track } from '../../support/keys.ts'

/** Keeps where lines and squares are drawn. */
function recorder(): { g: CurveCanvas; lines: [number, number][]; squares: number; texts: string[] } {
  const out = { lines: [] as [number, number][], squares: 0, texts: [] as string[], g: {} as CurveCanvas }
  const none = (): void => {}
  out.g = {
    beginPath: none,
    stroke: none,
    fill: none,
    closePath: none,
    moveTo: (x, y) => out.lines.push([x, y]),
    lineTo: (x, y) => out.lines.push([x, y]),
    rect: () => out.squares++,
    fillText: (text) => out.texts.push(text),
    strokeStyle: '',
    fillStyle: '',
    lineWidth: 1,
    font: '',
    textBaseline: 'middle',
    globalAlpha: 1,
  }
  return out
}
const colors = { line: '', text: '', chosen: '', axes: [] }

describe('drawing curves', () => {
  const n = 250_000
  const big = track('a', [], {
    times: Float64Array.from({ length: n }, (_, k) => k),
    values: Float32Array.from({ length: n }, (_, k) => (k === 123_456 ? 50 : Math.sin(k / 5000))),
  })

  it('draws few lines for very many keys, and shows a single spike among them', () => {
    const r = recorder()
    const [curve] = curvesOf([big])
    drawCurve(r.g, curve, { start: 0, scale: 800 / n }, { min: -60, max: 60 }, 800, 120, '', '', undefined, null)
    expect(r.lines.length).toBeLessThan(3 * 802)
    expect(Math.min(...r.lines.map(([, y]) => y))).toBeCloseTo(10)
    expect(r.squares).toBe(0)
  })

  it('marks keys of degrees as any other, and moves them with what is dragged', () => {
    const turned = track('r', [0, 10], {
      property: 'rotation',
      components: ['x', 'y', 'z', 'w'],
      values: Float32Array.of(0, 0, 0, 1, 0, 0, Math.SQRT1_2, Math.SQRT1_2),
    })
    const marks = (euler: boolean, chosen?: Set<number>): [number, number][] => {
      const r = recorder()
      const sizes: [number, number][] = []
      r.g.rect = (_x, _y, width, height) => sizes.push([width, height])
      const [curve] = curvesOf([turned], euler)
      expect(curve.degrees).toBe(euler)
      drawCurve(r.g, curve, { start: 0, scale: 40 }, { min: -1, max: 100 }, 800, 120, '', '', chosen, null)
      return sizes
    }
    expect(marks(false).every(([width, height]) => width === height)).toBe(true)
    expect(marks(true)).toEqual(marks(false))
    const m = recorder()
    const z = curvesOf([turned], true)[2]
    const moving = { dt: 0, dv: 10, track: 'r', component: 2 }
    drawCurve(m.g, z, { start: 0, scale: 40 }, { min: 0, max: 100 }, 800, 100, '', '', new Set([10]), moving)
    expect(m.lines.some(([x, y]) => x === 400 && Math.abs(y) < 1e-3)).toBe(true)
  })

  it('touches only what is in sight', () => {
    const r = recorder()
    drawCurve(r.g, curvesOf([big])[0], { start: 1000, scale: 20 }, { min: -60, max: 60 }, 800, 120, '', '', new Set([1010]), null)
    expect(r.lines.length).toBeLessThan(60)
    expect(r.squares).toBeGreaterThan(35)
  })

  it('goes in steps where the track steps, and moves what is dragged', () => {
    const r = recorder()
    const steps = track('s', [0, 10], { limits: { stepped: true }, values: Float32Array.of(0, 1) })
    drawCurve(r.g, curvesOf([steps])[0], { start: 0, scale: 1 }, { min: 0, max: 1 }, 10, 100, '', '', undefined, null)
    expect(r.lines).toContainEqual([10, 100])
    expect(r.lines).toContainEqual([10, 0])
    const m = recorder()
    drawCurve(
      m.g,
      curvesOf([track('m', [0, 10], { values: Float32Array.of(0, 1) })])[0],
      { start: 0, scale: 1 },
      { min: 0, max: 2 },
      10,
      100,
      '',
      '',
      new Set([10]),
      { dt: 0, dv: 1, track: 'm', component: 0 },
    )
    expect(m.lines).toContainEqual([10, 0])
  })

  it('labels values at round numbers, however small the range', () => {
    const r = recorder()
    drawValueAxis(r.g, { min: -0.02, max: 0.03 }, 100, 140, colors, String)
    expect(r.texts).toContain('0')
    expect(r.texts).toContain('0.02')
    const wild = recorder()
    drawValueAxis(wild.g, { min: -1e12, max: 1e12 }, 100, 140, colors, String)
    expect(wild.texts.length).toBeLessThan(20)
  })
})

describe('curves', () => {
  const half = Math.SQRT1_2
  const turn = track('r', [0, 1, 2], {
    property: 'rotation',
    components: ['w', 'x', 'y', 'z'],
    values: Float32Array.of(1, 0, 0, 0, half, 0, 0, half, 0.0436194, 0, 0, 0.9990482),
  })

  it('show turns in degrees on demand, without jumps', () => {
    const curves = curvesOf([turn], true)
    expect(curves.map((c) => c.name)).toEqual(['x°', 'y°', 'z°'])
    const z = [0, 1, 2].map((k) => Math.round(curves[2].values[k * 3 + 2]))
    expect(z).toEqual([0, 90, 175])
    expect(curves.every((c) => c.degrees)).toBe(true)
    expect(curvesOf([turn])).toHaveLength(4)
  })

  it('are ranged by what is in sight, zoomed about a pixel, and chosen by a box', () => {
    const curves = curvesOf([track('a', [0, 10, 20, 30])])
    expect(valueRange(curves, 8, 12).max).toBeLessThan(valueRange(curves).max)
    const r = zoomRange({ min: 0, max: 100 }, 2, 50, 200)
    expect(r.max - r.min).toBeCloseTo(50)
    expect(yToValue(r, 200, 50)).toBeCloseTo(yToValue({ min: 0, max: 100 }, 200, 50))
    expect(pointsWithin(curves, [5, 25], [0, 150])).toEqual(new Map([['a', new Set([10])]]))
  })
})
