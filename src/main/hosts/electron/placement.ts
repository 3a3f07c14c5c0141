/** Where the window was the last time, on a display that is there now. */
import { screen } from 'electron'
import type { Rectangle } from 'electron'
import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import writeFileAtomic from 'write-file-atomic'

export interface Placement {
  bounds: Rectangle
  maximized: boolean
  fullScreen: boolean
}

export const smallest = { width: 900, height: 600 }
/** Enough of a window to take hold of. */
const HOLD = { width: 200, height: 100 }

const whole = v.pipe(v.number(), v.safeInteger())
const placementSchema = v.object({
  bounds: v.object({
    x: whole,
    y: whole,
    width: v.pipe(whole, v.minValue(smallest.width)),
    height: v.pipe(whole, v.minValue(smallest.height)),
  }),
  maximized: v.fallback(v.boolean(), false),
  fullScreen: v.fallback(v.boolean(), false),
})

/** null where nothing was kept, or what was kept makes no sense. */
export function readPlacement(file: string): Placement | null {
  try {
    const placement = v.parse(placementSchema, JSON.parse(readFileSync(file, 'utf8')))
    return { ...placement, bounds: onDisplay(placement.bounds) }
  } catch {
    return null
  }
}

export function writePlacement(file: string, placement: Placement): void {
  try {
    writeFileAtomic.sync(file, JSON.stringify(placement))
  } catch (error) {
    // not worth a dialog: the window opens at its usual place
    console.error(error)
  }
}

/** The same place, or, where too little of it is on any display, the nearest display's middle, no larger than that. */
export function onDisplay(bounds: Rectangle): Rectangle {
  const { workArea } = screen.getDisplayMatching(bounds)
  const wide = Math.min(bounds.x + bounds.width, workArea.x + workArea.width) - Math.max(bounds.x, workArea.x)
  const high = Math.min(bounds.y + bounds.height, workArea.y + workArea.height) - Math.max(bounds.y, workArea.y)
  // a title bar above the edge cannot be taken hold of
  if (wide >= HOLD.width && high >= HOLD.height && bounds.y >= workArea.y) return bounds
  const width = Math.min(bounds.width, workArea.width)
  const height = Math.min(bounds.height, workArea.height)
  return {
    x: workArea.x + Math.floor((workArea.width - width) / 2),
    y: workArea.y + Math.floor((workArea.height - height) / 2),
    width,
    height,
  }
}
