/** The camera of a viewport: where it is, how it glides to another place, what its picture measures. */
import type { Bounds } from './bounds.ts'
import { center, radius } from './bounds.ts'
import { defaultOrbit, frameBounds, MARGIN, mixOrbit, pan, projector, turn, VIEWS, zoom } from './orbit.ts'
import type { Carried, Orbit, Projector } from './orbit.ts'
import type { ViewName } from './types.ts'

const MOVE_MS = 200

/** Pixels of a row of tools, with what is about it. */
const TOOLS = 40
/** As much of the height as a figure takes in a low picture, where nothing stands beside it. */
const TALL = 0.7
/** Less of the height makes nobody out. */
const LEAST = 0.3

export class CameraRig {
  orbit: Orbit = defaultOrbit()
  /** CSS pixels of the picture */
  width = 1
  height = 1
  private move: { from: Orbit; to: Orbit; since: number } | null = null
  /** how far over the floor the model stands from where it began, x and z, and whether the camera goes along with it */
  private walked: Carried = [0, 0]
  private along = false
  /** the same where the camera looked at the model last */
  private seen: Carried = [0, 0]
  /** how often it was turned to the model */
  aims = 0
  private readonly changed: () => void
  private readonly beside: () => number

  /** @param beside pixels from the middle of the picture to the nearest tool at either side */
  constructor(changed: () => void, beside: () => number = () => 0) {
    this.changed = changed
    this.beside = beside
  }

  get aspect(): number {
    return this.width / this.height
  }

  /** How far the model had gone over the floor that the camera looks at: it stands there, or has gone on from there. */
  get carried(): Carried {
    return this.seen
  }

  /** What it looks at from now on is the model where it stands now. */
  aim(): void {
    this.seen = this.walked
  }

  private turned(): void {
    this.aim()
    this.aims++
  }

  projector(): Projector {
    return projector(this.orbit, this.width, this.height)
  }

  /** At once: a new model is looked at from where it was left, else from the usual side. */
  show(bounds: Bounds, left?: Orbit): void {
    if (left) {
      this.orbit = left
      this.seen = this.along || this.sees(bounds) ? this.walked : [0, 0]
      this.aims++
      return this.set(left)
    }
    this.turned()
    const turned = { ...this.orbit, ...VIEWS['three-quarter'] }
    this.set({ ...turned, ...this.framed(turned, bounds) })
  }

  /** From the side that it looks from, or is on its way to. */
  frame(bounds: Bounds): void {
    const aim = this.move?.to ?? this.orbit
    this.turned()
    this.go({ ...aim, ...this.framed(aim, bounds) })
  }

  /** Tools stand at the head and at the foot of the picture: what is framed is between them, in a low picture beside them where it is larger so. */
  private framed(from: Orbit, bounds: Bounds): Pick<Orbit, 'target' | 'distance'> {
    const { width, height, aspect } = this
    const between = Math.max(height - 2 * TOOLS, LEAST * height)
    const inRow = frameBounds(from, bounds, aspect, MARGIN, Math.max(MARGIN, height / between))
    const beside = between < TALL * height ? this.beside() : 0
    if (beside <= 0) return inRow
    const inColumn = frameBounds(from, bounds, aspect, Math.max(MARGIN, width / (2 * beside)), 1 / TALL)
    return inColumn.distance < inRow.distance ? inColumn : inRow
  }

  /** Goes over the floor to a model that was carried out of the picture. */
  reach(bounds: Bounds): void {
    if (this.sees(bounds)) return
    const [x, , z] = center(bounds)
    this.turned()
    this.go({ ...this.orbit, target: [x, this.orbit.target[1], z] })
  }

  private sees(bounds: Bounds): boolean {
    const at = [0, 0, 0]
    const [x, y, z] = center(bounds)
    this.projector().project(x, y, z, at)
    return at[0] >= 0 && at[0] <= this.width && at[1] >= 0 && at[1] <= this.height && at[2] > 0
  }

  look(view: ViewName, bounds: Bounds): void {
    const turned = { ...this.orbit, ...VIEWS[view] }
    this.turned()
    this.go({ ...turned, ...this.framed(turned, bounds) })
  }

  /** Ends a glide. */
  set(orbit: Orbit): void {
    this.move = null
    this.orbit = orbit
    this.changed()
  }

  /** With perspective or without it; what is at the target keeps its size. A glide goes on. */
  toggleParallel(): void {
    const parallel = this.orbit.parallel ? undefined : true
    const other = (orbit: Orbit): Orbit => ({ ...orbit, parallel })
    this.orbit = other(this.orbit)
    if (this.move) this.move = { ...this.move, from: other(this.move.from), to: other(this.move.to) }
    this.changed()
  }

  turn(dYaw: number, dPitch: number): void {
    this.set(turn(this.orbit, dYaw, dPitch))
  }

  /** By pixels. */
  pan(dx: number, dy: number): void {
    this.set(pan(this.orbit, dx, dy, this.height))
  }

  /** @param x,y pixel whose place stays where it is */
  zoom(factor: number, bounds: Bounds, x = this.width / 2, y = this.height / 2): void {
    const before = this.orbit
    const after = zoom(before, factor, radius(bounds))
    const k = 1 - after.distance / before.distance
    const { target } = pan(before, (this.width / 2 - x) * k, (this.height / 2 - y) * k, this.height)
    this.set({ ...after, target })
  }

  /**
   * Goes along with a model over the floor; a glide goes on. Part of a frame: nothing is drawn for it.
   * @param walked how far the model stands from where it began
   * @param along false where the camera stays
   */
  follow(walked: Carried, along: boolean): void {
    const before = this.walked
    const goes = along && this.along
    this.walked = walked
    this.along = along
    if (!goes) return
    const [x, z] = [walked[0] - before[0], walked[1] - before[1]]
    this.seen = [this.seen[0] + x, this.seen[1] + z]
    const carried = (o: Orbit): Orbit => ({ ...o, target: [o.target[0] + x, o.target[1], o.target[2] + z] })
    this.orbit = carried(this.orbit)
    if (this.move) this.move = { ...this.move, from: carried(this.move.from), to: carried(this.move.to) }
  }

  private go(to: Orbit): void {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return this.set(to)
    this.move = { from: this.orbit, to, since: performance.now() }
    this.changed()
  }

  /** A glide goes on. @param now of the frame */
  step(now: number): void {
    if (!this.move) return
    const { from, to, since } = this.move
    const t = Math.min(1, Math.max(0, (now - since) / MOVE_MS))
    this.orbit = t === 1 ? to : mixOrbit(from, to, 1 - (1 - t) ** 3)
    if (t === 1) this.move = null
    else this.changed()
  }
}
