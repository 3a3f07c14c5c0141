/** Which names fit on screen without running over each other. */
export interface Label {
  text: string
  /** pixel that it names */
  x: number
  y: number
  width: number
  /** higher is placed first, and those above `ALWAYS` are always placed */
  priority: number
  /** handed through */
  id: number
}

export interface PlacedLabel extends Label {
  left: number
  top: number
}

export const ALWAYS = 1e6

/** Beside its point: right, left, above, below. */
const OFFSETS = [
  [1, -0.5],
  [-1, -0.5],
  [0, -1],
  [0, 1],
] as const

/**
 * Greedy placement by priority on a coarse occupancy grid: linear in the number of labels.
 * @param height of a line; @param gap between point and text, pixels
 */
export function declutter(labels: Label[], viewWidth: number, viewHeight: number, height = 15, gap = 7): PlacedLabel[] {
  const cell = 8
  const columns = Math.max(1, Math.ceil(viewWidth / cell))
  const rows = Math.max(1, Math.ceil(viewHeight / cell))
  const taken = new Uint8Array(columns * rows)
  const out: PlacedLabel[] = []
  const sorted = [...labels].sort((a, b) => b.priority - a.priority || a.id - b.id)
  for (const label of sorted) {
    if (!Number.isFinite(label.x + label.y) || label.x < 0 || label.y < 0 || label.x > viewWidth || label.y > viewHeight) continue
    let done = false
    for (const [sx, sy] of OFFSETS) {
      const left = sx > 0 ? label.x + gap : sx < 0 ? label.x - gap - label.width : label.x - label.width / 2
      const top = sy === -0.5 ? label.y - height / 2 : sy < 0 ? label.y - gap - height : label.y + gap
      if (left < 0 || top < 0 || left + label.width > viewWidth || top + height > viewHeight) continue
      if (!claim(taken, columns, rows, left, top, label.width, height, cell)) continue
      out.push({ ...label, left, top })
      done = true
      break
    }
    if (!done && label.priority >= ALWAYS) {
      const left = Math.max(0, Math.min(viewWidth - label.width, label.x + gap))
      out.push({ ...label, left, top: Math.max(0, Math.min(viewHeight - height, label.y - height / 2)) })
    }
  }
  return out
}

function claim(
  taken: Uint8Array,
  columns: number,
  rows: number,
  left: number,
  top: number,
  width: number,
  height: number,
  cell: number,
): boolean {
  const x0 = Math.floor(left / cell),
    x1 = Math.min(columns - 1, Math.floor((left + width) / cell))
  const y0 = Math.floor(top / cell),
    y1 = Math.min(rows - 1, Math.floor((top + height - 1) / cell))
  for (let y = y0; y <= y1; y++) for (let x = x0; x <= x1; x++) if (taken[y * columns + x]) return false
  for (let y = y0; y <= y1; y++) for (let x = x0; x <= x1; x++) taken[y * columns + x] = 1
  return true
}
