/** Draws when something has changed, once a frame, and says how quick that is. */

/** milliseconds between two reports */
const STATS_MS = 500

export class RenderLoop {
  private readonly draw: (now: number) => void
  private readonly report: (speed: { fps: number; cpu: number }) => void
  private request = 0
  private ended = false
  private lastFrame = 0
  private lastReport = 0
  private fps = 0
  private cpu = 0
  private timer: ReturnType<typeof setTimeout> | undefined

  /** @param report frames a second, and milliseconds of work for one */
  constructor(draw: (now: number) => void, report: (speed: { fps: number; cpu: number }) => void) {
    this.draw = draw
    this.report = report
  }

  /** Draws soon. */
  invalidate(): void {
    if (this.request || this.ended) return
    this.request = requestAnimationFrame((now) => {
      this.request = 0
      this.draw(now)
    })
  }

  /** A frame is asked for and not drawn yet. */
  get due(): boolean {
    return this.request !== 0
  }

  /** A frame was drawn. @param cpu milliseconds that it took */
  count(now: number, cpu: number): void {
    const passed = now - this.lastFrame
    this.lastFrame = now
    // a pause between drawings on demand says nothing about speed
    if (passed > 0 && passed < 250) this.fps = this.fps ? this.fps * 0.9 + (1000 / passed) * 0.1 : 1000 / passed
    this.cpu = this.cpu ? this.cpu * 0.8 + cpu * 0.2 : cpu
    clearTimeout(this.timer)
    // a last report follows when drawing stops
    if (now - this.lastReport < STATS_MS) this.timer = setTimeout(() => this.reportFrames(), STATS_MS)
    else this.reportFrames()
  }

  end(): void {
    this.ended = true
    cancelAnimationFrame(this.request)
    clearTimeout(this.timer)
  }

  private reportFrames(): void {
    this.lastReport = performance.now()
    this.report({ fps: Math.round(this.fps), cpu: this.cpu })
  }
}
