/** Drawing of ruler and keys on a canvas. Only what is in view is touched; keys closer than a pixel are drawn once. */
import type { DopeRow } from './dope-rows.ts'
import { rowsInSight, rowTop, type RowSpace } from '../../ui/row-space.ts'
import { screenPixels } from '../../ui/scale.ts'
import { isMoved, lowerBound, markStep, placed, uniteTimes, timeToX, xToTime, type Placement, type View } from './geometry.ts'
import { traceKey } from './key-mark.ts'

export interface Colors {
  text: string
  line: string
  faint: string
  key: string
  keyDim: string
  accent: string
  accentSoft: string
  chosen: string
  rowAlt: string
}

export function readColors(element: Element): Colors {
  const style = getComputedStyle(element)
  const get = (name: string): string => style.getPropertyValue(name).trim()
  return {
    text: get('--muted'),
    line: get('--line'),
    faint: get('--line-strong'),
    key: get('--key'),
    keyDim: get('--key-dim'),
    accent: get('--selection'),
    accentSoft: get('--selection-soft'),
    chosen: get('--key-chosen'),
    rowAlt: get('--hover'),
  }
}

/** Sizes the canvas to its box and its screen; the context draws in CSS pixels afterwards. */
export function prepare(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D | null {
  const ratio = screenPixels(canvas)
  const w = Math.max(1, Math.round(width * ratio))
  const h = Math.max(1, Math.round(height * ratio))
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w
    canvas.height = h
  }
  const g = canvas.getContext('2d')
  g?.setTransform(ratio, 0, 0, ratio, 0, 0)
  g?.clearRect(0, 0, width, height)
  return g
}

/** What of a canvas the ruler uses. */
export type RulerCanvas = Pick<
  CanvasRenderingContext2D,
  'beginPath' | 'moveTo' | 'lineTo' | 'stroke' | 'fillText' | 'measureText' | 'font' | 'textBaseline' | 'strokeStyle' | 'fillStyle'
>

export function drawRuler(
  g: RulerCanvas,
  view: View,
  width: number,
  height: number,
  whole: boolean,
  colors: Pick<Colors, 'line' | 'faint' | 'text'>,
  font: string,
): void {
  const step = markStep(view.scale, 64, whole)
  const small = step / (step % 5 === 0 || !whole ? 5 : step % 2 === 0 ? 2 : 1)
  g.font = font
  g.textBaseline = 'middle'
  g.strokeStyle = colors.line
  g.beginPath()
  const first = Math.floor(view.start / small) * small
  const last = xToTime(view, width)
  const marks = Math.min(4000, Math.ceil((last - first) / small) + 1)
  for (let i = 0; i < marks; i++) {
    const x = Math.round(timeToX(view, first + i * small)) + 0.5
    g.moveTo(x, height - 4)
    g.lineTo(x, height)
  }
  g.stroke()
  g.strokeStyle = colors.faint
  g.fillStyle = colors.text
  g.beginPath()
  const begin = Math.floor(view.start / step) * step
  for (let i = 0; begin + i * step <= last && i < 2000; i++) {
    const time = begin + i * step
    const x = Math.round(timeToX(view, time)) + 0.5
    g.moveTo(x, height - 8)
    g.lineTo(x, height)
    const text = String(Number(time.toPrecision(9)))
    // a number without its last digit is another one: beside the end it stays whole
    g.fillText(text, Math.min(x + 4, width - 2 - g.measureText(text).width), height / 2 - 2)
  }
  g.stroke()
}

export interface KeysOptions {
  /** window of the chosen slice, shaded */
  slice: { start: number; end: number } | null
  /** end of the clip's keys: nothing is played beyond */
  clip: { start: number; end: number }
  /** chosen bones */
  joints: ReadonlySet<number>
  whole: boolean
  /** chosen key times by track */
  chosen: ReadonlyMap<string, ReadonlySet<number>>
  /** where chosen keys are drawn while they are dragged; where they came from is outlined */
  moved: Placement
}

export function drawKeys(
  g: CanvasRenderingContext2D,
  rows: readonly DopeRow[],
  view: View,
  width: number,
  space: RowSpace,
  options: KeysOptions,
  colors: Colors,
): void {
  const { rowHeight, top, height } = space
  const { first, end: beyond } = rowsInSight(space)
  // vertical marks of the ruler go through all rows
  const step = markStep(view.scale, 64, options.whole)
  g.strokeStyle = colors.line
  g.globalAlpha = 0.5
  g.beginPath()
  const begin = Math.floor(view.start / step) * step
  const right = xToTime(view, width)
  for (let i = 0; begin + i * step <= right && i < 2000; i++) {
    const x = Math.round(timeToX(view, begin + i * step)) + 0.5
    g.moveTo(x, 0)
    g.lineTo(x, height)
  }
  g.stroke()
  g.globalAlpha = 1
  if (options.slice) {
    const x = timeToX(view, options.slice.start)
    g.fillStyle = colors.accentSoft
    g.fillRect(x, 0, Math.max(1, timeToX(view, options.slice.end) - x), height)
  }
  for (let r = first; r < beyond; r++) {
    const row = rows[r]
    const y = rowTop(space, r) - top
    const bone = !row.track && options.joints.has(row.joint)
    if (bone) {
      g.fillStyle = colors.rowAlt
      g.fillRect(0, y, width, rowHeight)
    }
    const { times } = row
    if (!times.length) continue
    const middle = Math.round(y + rowHeight / 2)
    // a line from the first to the last key shows how far a track reaches
    const x0 = Math.max(0, timeToX(view, times[0]))
    const x1 = Math.min(width, timeToX(view, times[times.length - 1]))
    if (x1 > x0) {
      g.fillStyle = colors.line
      g.fillRect(x0, middle - 0.5, x1 - x0, 1)
    }
    g.fillStyle = row.key === 'all' || row.track ? colors.keyDim : bone ? colors.accent : colors.key
    const size = row.track ? 2.5 : 3.5
    const dense = view.scale * ((times[times.length - 1] - times[0]) / Math.max(1, times.length - 1)) < 7
    const end = xToTime(view, width + 6)
    let drawn = -Infinity
    let bar = NaN
    g.beginPath()
    for (let i = lowerBound(times, xToTime(view, -6)); i < times.length && times[i] <= end; i++) {
      const x = timeToX(view, times[i])
      if (x - drawn < 1) continue
      if (dense) {
        // keys without room between them are one bar
        if (bar === bar && x - drawn > 3) {
          g.rect(Math.round(bar) - 1, middle - size, Math.round(drawn) - Math.round(bar) + 2, 2 * size)
          bar = x
        } else if (bar !== bar) bar = x
      } else {
        traceKey(g, x, middle, size)
      }
      drawn = x
    }
    if (bar === bar) g.rect(Math.round(bar) - 1, middle - size, Math.round(drawn) - Math.round(bar) + 2, 2 * size)
    g.fill()
    if (!options.chosen.size) continue
    if (isMoved(options.moved)) outlineChosen(g, row, middle, size + 0.5, view, width, options, colors)
    drawChosen(g, row, middle, size + 0.5, view, width, options, colors)
  }
}

const chosenTimes = new WeakMap<KeysOptions['chosen'], Map<string, Float64Array>>()

/** Chosen times of a row in order, made once for each choice. */
function chosenOf(row: DopeRow, chosen: KeysOptions['chosen']): Float64Array {
  let rows = chosenTimes.get(chosen)
  if (!rows) chosenTimes.set(chosen, (rows = new Map()))
  const list = (id: string): Float64Array => {
    let times = rows.get(`#${id}`)
    if (!times) rows.set(`#${id}`, (times = uniteTimes([Float64Array.from(chosen.get(id) ?? [])])))
    return times
  }
  let times = rows.get(row.key)
  if (!times) rows.set(row.key, (times = uniteTimes(row.ids.filter((id) => chosen.has(id)).map(list))))
  return times
}

function drawChosen(
  g: CanvasRenderingContext2D,
  row: DopeRow,
  middle: number,
  size: number,
  view: View,
  width: number,
  options: KeysOptions,
  colors: Colors,
): void {
  const times = chosenOf(row, options.chosen)
  if (!times.length) return
  g.fillStyle = colors.chosen
  g.beginPath()
  const { factor, by } = options.moved
  const xOf = (time: number): number => timeToX(view, placed(options.moved, time))
  const right = (xToTime(view, width + 6) - by) / factor
  let k = lowerBound(times, (xToTime(view, -6) - by) / factor)
  while (k < times.length && times[k] <= right) {
    const x = xOf(times[k])
    // keys that stand closer than their marks are wide are one bar
    let end = x
    let next = k + 1
    while (next < times.length && times[next] <= right && xOf(times[next]) - end < 4) end = xOf(times[next++])
    if (next > k + 1) g.rect(Math.round(x) - 2, middle - size, Math.round(end - x) + 4, 2 * size)
    else {
      traceKey(g, x, middle, size)
    }
    k = next
  }
  g.fill()
}

/** Where dragged keys came from. Those closer than a mark are wide are not told apart. */
function outlineChosen(
  g: CanvasRenderingContext2D,
  row: DopeRow,
  middle: number,
  size: number,
  view: View,
  width: number,
  options: KeysOptions,
  colors: Colors,
): void {
  const times = chosenOf(row, options.chosen)
  const end = xToTime(view, width + 6)
  let drawn = -Infinity
  g.strokeStyle = colors.chosen
  g.beginPath()
  for (let i = lowerBound(times, xToTime(view, -6)); i < times.length && times[i] <= end; i++) {
    const x = timeToX(view, times[i])
    if (x - drawn < 2 * size) continue
    traceKey(g, x, middle, size)
    drawn = x
  }
  g.stroke()
}
