/// <reference lib="dom" />
/** What `timeline.ts` runs inside a page: a quarter of a million keys from the services' answer to pixels, then panned and zoomed. */
import { allTimes, makeTracks } from './timeline-tracks.ts'
import { median } from './measure.ts'
import { curvesOf, valueRange } from '../../src/renderer/features/timeline/curves.ts'
import { drawCurve, drawTimeLines, drawValueAxis, type CurveColors } from '../../src/renderer/features/timeline/draw-curves.ts'
import { dopeRows, fromNative, nestGroups } from '../../src/renderer/features/timeline/dope-rows.ts'
import { drawKeys, prepare, type Colors } from '../../src/renderer/features/timeline/draw.ts'
import { AT_REST, fitView, zoomView, type View } from '../../src/renderer/features/timeline/geometry.ts'

const WIDTH = 1400
const HEIGHT = 400

export interface TimelineFigures {
  keys: number
  first: number
  choose: number
  pan: number
  panChosen: number
  curvesFirst: number
  curvesPan: number
}

/** Milliseconds of a frame with the work of the canvas: reading one pixel back waits for it. */
function timed(g: CanvasRenderingContext2D, body: () => void): number {
  const start = performance.now()
  body()
  g.getImageData(0, 0, 1, 1)
  return performance.now() - start
}

function run(): TimelineFigures {
  const canvas = document.body.appendChild(document.createElement('canvas'))
  const colors: Colors = {
    text: '#888',
    line: '#333',
    faint: '#444',
    key: '#ccc',
    keyDim: '#777',
    accent: '#5cc2ad',
    accentSoft: '#5cc2ad24',
    chosen: '#ffc857',
    rowAlt: '#ffffff0d',
  }
  const curveColors: CurveColors = { line: '#333', text: '#888', chosen: '#ffc857', axes: ['#e66', '#6c6', '#69e', '#ccc'] }
  // drawn by the processor: a graphics card in software would be measured otherwise, and no window has that
  canvas.getContext('2d', { willReadFrequently: true })
  const g = prepare(canvas, WIDTH, HEIGHT)!
  // the canvas of a window has been drawn on before
  timed(g, () => g.fillRect(0, 0, 10, 10))
  const tracks = makeTracks(64, 250_000)
  const keys = tracks.reduce((n, t) => n + t.times.length, 0)
  const span = { start: 0, end: tracks[0].times[tracks[0].times.length - 1] }
  const whole = fitView(span, WIDTH)
  const chosen = allTimes(tracks)
  const sheet = (view: View, rows: ReturnType<typeof dopeRows>, choice: ReadonlyMap<string, ReadonlySet<number>>, top = 0): void => {
    const k = prepare(canvas, WIDTH, HEIGHT)!
    drawKeys(
      k,
      rows,
      view,
      WIDTH,
      { rowHeight: 18, top, height: HEIGHT, count: rows.length },
      { slice: null, clip: span, joints: new Set([3]), whole: true, chosen: choice, moved: AT_REST },
      colors,
    )
  }
  let rows: ReturnType<typeof dopeRows> = []
  const first = timed(g, () => {
    // bones in pairs below each other
    const parents = tracks.map((_, joint) => (joint - 1) >> 1)
    rows = dopeRows(nestGroups(fromNative(tracks), parents), new Set())
    sheet(whole, rows, new Map())
  })
  const views = Array.from({ length: 60 }, (_, i) =>
    zoomView({ start: whole.start + (i * 3) / whole.scale, scale: whole.scale }, i < 30 ? 1 : 1.15 ** (i - 29), WIDTH / 2, {
      min: 0,
      max: 100,
    }),
  )
  const choose = timed(g, () => sheet(whole, rows, chosen))
  const pan = median(views.map((view, i) => timed(g, () => sheet(view, rows, new Map(), i * 4))))
  const panChosen = median(views.map((view, i) => timed(g, () => sheet(view, rows, chosen, i * 4))))
  // one track with all of the keys, and the six that the sheet shows at most
  const large = [...makeTracks(1, 250_000), ...tracks.slice(0, 5)]
  const curves = (view: View): void => {
    const k = prepare(canvas, WIDTH, HEIGHT)!
    const list = curvesOf(large)
    const range = { min: -60, max: 60 }
    drawTimeLines(k, view, WIDTH, HEIGHT, true, '#333')
    drawValueAxis(k, range, WIDTH, HEIGHT, curveColors, String)
    for (const c of list) drawCurve(k, c, view, range, WIDTH, HEIGHT, curveColors.axes[c.color], '#ffc857', undefined, null)
  }
  const far = fitView({ start: 0, end: large[0].times[large[0].times.length - 1] }, WIDTH)
  const curvesFirst = timed(g, () => {
    valueRange(curvesOf(large))
    curves(far)
  })
  const curvesPan = median(views.map((_, i) => timed(g, () => curves({ start: far.start + i * 2, scale: far.scale * 1.05 ** i }))))
  return { keys, first, choose, pan, panChosen, curvesFirst, curvesPan }
}

Object.assign(globalThis, { marrowTimelineBench: run })
