/** The camera as an orbit about a target: plain maths, no Babylon.js. Right-handed, Y up; yaw 0 looks at the front (+Z) of a model. */
import { center, radius } from './bounds.ts'
import type { Bounds } from './bounds.ts'
import type { Orbit, ViewName } from './types.ts'
import { add, dot, mad, sub } from './vec.ts'
import type { Vec3 } from './vec.ts'

export type { Orbit } from './types.ts'

/** Room about what is framed. */
export const MARGIN = 1.12

/** A longer lens than a game's: limbs near the camera do not bulge. */
const FOV = (30 * Math.PI) / 180

export function defaultOrbit(): Orbit {
  return { target: [0, 0, 0], yaw: 0.6, pitch: 0.25, distance: 5, fov: FOV }
}

const HALF = Math.PI / 2
export const VIEWS: Record<ViewName, { yaw: number; pitch: number }> = {
  front: { yaw: 0, pitch: 0 },
  back: { yaw: Math.PI, pitch: 0 },
  right: { yaw: HALF, pitch: 0 },
  left: { yaw: -HALF, pitch: 0 },
  top: { yaw: 0, pitch: HALF },
  bottom: { yaw: 0, pitch: -HALF },
  'three-quarter': { yaw: 0.6, pitch: 0.25 },
}

export interface Basis {
  right: Vec3
  up: Vec3
  /** from the target to the camera */
  back: Vec3
}

export function basis(o: Pick<Orbit, 'yaw' | 'pitch'>): Basis {
  const sy = Math.sin(o.yaw),
    cy = Math.cos(o.yaw),
    sp = Math.sin(o.pitch),
    cp = Math.cos(o.pitch)
  return { right: [cy, 0, -sy], up: [-sy * sp, cp, -cy * sp], back: [sy * cp, sp, cy * cp] }
}

/** Where a viewer is and how it looks: what turns to it needs both. */
export interface Viewer extends Basis {
  eye: Vec3
}

export function viewer(o: Orbit): Viewer {
  return { ...basis(o), eye: eye(o) }
}

export function eye(o: Orbit): Vec3 {
  return mad(o.target, basis(o).back, o.distance)
}

/** World to camera, column-major. */
export function viewMatrix(o: Orbit, out: Float32Array = new Float32Array(16)): Float32Array {
  const { right, up, back } = basis(o)
  const e = mad(o.target, back, o.distance)
  out.set([
    right[0],
    up[0],
    back[0],
    0,
    right[1],
    up[1],
    back[1],
    0,
    right[2],
    up[2],
    back[2],
    0,
    -dot(right, e),
    -dot(up, e),
    -dot(back, e),
    1,
  ])
  return out
}

/** Camera to clip space (OpenGL depth, -1 to 1), column-major. */
export function projectionMatrix(
  fov: number,
  aspect: number,
  near: number,
  far: number,
  out: Float32Array = new Float32Array(16),
): Float32Array {
  const f = 1 / Math.tan(fov / 2)
  out.set([f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, (2 * far * near) / (near - far), 0])
  return out
}

/** The same without perspective. @param half height of what is seen, from its middle */
export function parallelMatrix(
  half: number,
  aspect: number,
  near: number,
  far: number,
  out: Float32Array = new Float32Array(16),
): Float32Array {
  out.set([1 / (half * aspect), 0, 0, 0, 0, 1 / half, 0, 0, 0, 0, 2 / (near - far), 0, 0, 0, (far + near) / (near - far), 1])
  return out
}

/** Half of the height that is seen at the target. */
export function halfHeight(o: Pick<Orbit, 'distance' | 'fov'>): number {
  return o.distance * Math.tan(o.fov / 2)
}

/**
 * Distance and target that show a whole box from the present direction. Each corner is fitted, so that a
 * tall model seen from the front fills the height.
 * @param margin 1 fits exactly
 * @param above the same for the height
 */
export function frameBounds(o: Orbit, bounds: Bounds, aspect: number, margin = MARGIN, above = margin): Pick<Orbit, 'target' | 'distance'> {
  const corners: number[] = []
  for (let i = 0; i < 8; i++)
    corners.push(i & 1 ? bounds.max[0] : bounds.min[0], i & 2 ? bounds.max[1] : bounds.min[1], i & 4 ? bounds.max[2] : bounds.min[2])
  return framePoints(o, [corners], bounds, aspect, margin, above)
}

/**
 * Distance and target that show all points (3 numbers each) that lie in a box: closer than its corners where
 * the corners are empty.
 * @param margin 1 fits exactly
 * @param above the same for the height
 */
export function framePoints(
  o: Orbit,
  lists: readonly ArrayLike<number>[],
  bounds: Bounds,
  aspect: number,
  margin: number,
  above = margin,
): Pick<Orbit, 'target' | 'distance'> {
  const { right, up, back } = basis(o)
  const middle = center(bounds)
  const tanY = Math.tan(o.fov / 2) / above
  const tanX = (Math.tan(o.fov / 2) / margin) * Math.max(0.05, aspect)
  const { min, max } = bounds
  const each = (visit: (x: number, y: number, z: number) => void): void => {
    for (const p of lists) {
      for (let i = 0; i + 2 < p.length; i += 3) {
        const inside =
          p[i] >= min[0] && p[i] <= max[0] && p[i + 1] >= min[1] && p[i + 1] <= max[1] && p[i + 2] >= min[2] && p[i + 2] <= max[2]
        if (!inside) continue
        const x = p[i] - middle[0],
          y = p[i + 1] - middle[1],
          z = p[i + 2] - middle[2]
        visit(x * right[0] + y * right[1] + z * right[2], x * up[0] + y * up[1] + z * up[2], x * back[0] + y * back[1] + z * back[2])
      }
    }
  }
  // first centre what is seen, then fit
  let lowX = Infinity,
    highX = -Infinity,
    lowY = Infinity,
    highY = -Infinity,
    near = -Infinity
  each((x, y, z) => {
    if (x < lowX) lowX = x
    if (x > highX) highX = x
    if (y < lowY) lowY = y
    if (y > highY) highY = y
    if (z > near) near = z
  })
  if (near === -Infinity) return { target: middle, distance: 1 }
  const shiftX = (lowX + highX) / 2,
    shiftY = (lowY + highY) / 2
  // never inside of what is framed, however thin it is
  let distance = near + radius(bounds) * 0.05
  each((x, y, z) => {
    // without perspective what is nearer is no larger
    const nearer = o.parallel ? 0 : z
    distance = Math.max(distance, Math.abs(x - shiftX) / tanX + nearer, Math.abs(y - shiftY) / tanY + nearer)
  })
  const target = add(middle, [right[0] * shiftX + up[0] * shiftY, right[1] * shiftX + up[1] * shiftY, right[2] * shiftX + up[2] * shiftY])
  return { target, distance: distance > 0 && Number.isFinite(distance) ? distance : 1 }
}

/** Depth range that holds the model and the grid about it without wasting precision. */
export function depthRange(o: Orbit, bounds: Bounds, gridRadius: number): { near: number; far: number } {
  const middle = center(bounds)
  const away = Math.hypot(...sub(eye(o), middle))
  const r = Math.max(radius(bounds), 1e-6)
  if (o.parallel) {
    // nothing is behind the viewer
    const reach = Math.max(r * 2, gridRadius * 1.5)
    return { near: away - reach, far: away + reach }
  }
  const far = away + Math.max(r * 2, gridRadius * 1.5)
  const near = Math.max(Math.min(away - r * 1.5, o.distance) * 0.5, far / 4000)
  return { near, far: Math.max(far, near * 2) }
}

export function turn(o: Orbit, dYaw: number, dPitch: number): Orbit {
  const yaw = o.yaw + dYaw
  return { ...o, yaw: yaw - Math.PI * 2 * Math.round(yaw / (Math.PI * 2)), pitch: Math.max(-HALF, Math.min(HALF, o.pitch + dPitch)) }
}

/** Moves the target by a distance on screen (pixels, y down) so that what is under the pointer stays there. */
export function pan(o: Orbit, dx: number, dy: number, viewHeight: number): Orbit {
  const { right, up } = basis(o)
  const k = (2 * halfHeight(o)) / Math.max(1, viewHeight)
  return { ...o, target: mad(mad(o.target, right, -dx * k), up, dy * k) }
}

/** Nearer (factor below 1) or farther, within what the model's size allows. */
export function zoom(o: Orbit, factor: number, modelRadius: number): Orbit {
  const r = Math.max(modelRadius, 1e-6)
  return { ...o, distance: Math.max(r * 0.02, Math.min(r * 60, o.distance * factor)) }
}

/** Between two cameras, yaw on the short way. */
export function mixOrbit(a: Orbit, b: Orbit, k: number): Orbit {
  const turnBy = b.yaw - a.yaw
  const short = turnBy - Math.PI * 2 * Math.round(turnBy / (Math.PI * 2))
  return {
    target: mad(a.target, sub(b.target, a.target), k),
    yaw: a.yaw + short * k,
    pitch: a.pitch + (b.pitch - a.pitch) * k,
    // zoom feels even when it is even in the logarithm
    distance: a.distance * (b.distance / a.distance) ** k,
    fov: a.fov + (b.fov - a.fov) * k,
    ...(b.parallel && { parallel: true }),
  }
}

/** What a model measures for a camera. */
export interface Stand {
  /** height of its floor, and of the model at rest */
  readonly floor: number
  readonly extent: number
}

/** Way over the floor, x and z. */
export type Carried = readonly [number, number]

/** With how far it had gone where the camera looked at it last, and how often that was turned to it. */
export interface CarriedStand extends Stand {
  readonly carried: Carried
  readonly aims: number
}

/** The same look at the same model where it has gone another way. */
export function lookedAtAlong(orbit: Orbit, from: Carried, to: Carried): Orbit {
  const [x, y, z] = orbit.target
  return { ...orbit, target: [x + to[0] - from[0], y, z + to[1] - from[1]] }
}

/** The same look at another model: games count in metres, in feet, in hundredths, and from the soles or from the hips; and each goes its own way. */
export function lookedAtAs(orbit: Orbit, from: CarriedStand, to: CarriedStand): Orbit {
  const factor = to.extent / from.extent
  const [x, y, z] = orbit.target
  const target: Vec3 = [
    to.carried[0] + (x - from.carried[0]) * factor,
    to.floor + (y - from.floor) * factor,
    to.carried[1] + (z - from.carried[1]) * factor,
  ]
  return { ...orbit, target, distance: orbit.distance * factor }
}

/** World to pixels of a view of width x height; z is depth in front of the camera (negative behind). */
export interface Projector {
  /** writes x, y (pixels, y down) and depth to out */
  project(x: number, y: number, z: number, out: Float32Array | number[], o?: number): void
  /** ray of a pixel */
  ray(px: number, py: number): { origin: Vec3; direction: Vec3 }
  /** pixels per unit at a depth */
  pixelsAt(depth: number): number
}

export function projector(o: Orbit, width: number, height: number): Projector {
  if (o.parallel) return parallelProjector(o, width, height)
  const { right, up, back } = basis(o)
  const e = eye(o)
  const f = height / (2 * Math.tan(o.fov / 2))
  return {
    project(x, y, z, out, at = 0) {
      const dx = x - e[0],
        dy = y - e[1],
        dz = z - e[2]
      const depth = -(dx * back[0] + dy * back[1] + dz * back[2])
      const k = f / Math.max(depth, 1e-9)
      out[at] = width / 2 + (dx * right[0] + dy * right[1] + dz * right[2]) * k
      out[at + 1] = height / 2 - (dx * up[0] + dy * up[1] + dz * up[2]) * k
      out[at + 2] = depth
    },
    ray(px, py) {
      const x = (px - width / 2) / f,
        y = (height / 2 - py) / f
      const d: Vec3 = [right[0] * x + up[0] * y - back[0], right[1] * x + up[1] * y - back[1], right[2] * x + up[2] * y - back[2]]
      const n = Math.hypot(...d)
      return { origin: e, direction: [d[0] / n, d[1] / n, d[2] / n] }
    },
    pixelsAt: (depth) => f / Math.max(depth, 1e-9),
  }
}

/** How far back a viewer without perspective stands, in distances of the camera: everything of a model is in front of it. */
const BACK = 200

function parallelProjector(o: Orbit, width: number, height: number): Projector {
  const { right, up, back } = basis(o)
  const e = mad(o.target, back, o.distance * BACK)
  const k = height / (2 * halfHeight(o))
  return {
    project(x, y, z, out, at = 0) {
      const dx = x - e[0],
        dy = y - e[1],
        dz = z - e[2]
      out[at] = width / 2 + (dx * right[0] + dy * right[1] + dz * right[2]) * k
      out[at + 1] = height / 2 - (dx * up[0] + dy * up[1] + dz * up[2]) * k
      out[at + 2] = -(dx * back[0] + dy * back[1] + dz * back[2])
    },
    ray(px, py) {
      const x = (px - width / 2) / k,
        y = (height / 2 - py) / k
      return { origin: mad(mad(e, right, x), up, y), direction: [-back[0], -back[1], -back[2]] }
    },
    pixelsAt: () => k,
  }
}
