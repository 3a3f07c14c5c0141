/** The mark of a key in the dope sheet and on curves. */

/** Adds a square that stands on its corner to the path. @param size from its middle to a corner, in pixels */
export function traceKey(g: Pick<CanvasRenderingContext2D, 'moveTo' | 'lineTo' | 'closePath'>, x: number, y: number, size: number): void {
  g.moveTo(x, y - size)
  g.lineTo(x + size, y)
  g.lineTo(x, y + size)
  g.lineTo(x - size, y)
  g.closePath()
}
