/**
 * Maths on flat arrays with offsets, for the loops that touch every joint or vertex of every frame.
 * Column-major matrices, column vectors, quaternions x,y,z,w. Elsewhere gl-matrix serves.
 */
import { length3 } from './length.ts'

type Numbers = Float32Array | Float64Array | number[]

/** The identity, 16 numbers. */
export const IDENTITY: readonly number[] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]

export function identity(out: Numbers, o = 0): void {
  for (let i = 0; i < 16; i++) out[o + i] = i % 5 === 0 ? 1 : 0
}

/** out = a * b; out may be a or b. */
export function multiply(out: Numbers, o: number, a: Numbers, ao: number, b: Numbers, bo: number): void {
  const a0 = a[ao],
    a1 = a[ao + 1],
    a2 = a[ao + 2],
    a3 = a[ao + 3]
  const a4 = a[ao + 4],
    a5 = a[ao + 5],
    a6 = a[ao + 6],
    a7 = a[ao + 7]
  const a8 = a[ao + 8],
    a9 = a[ao + 9],
    a10 = a[ao + 10],
    a11 = a[ao + 11]
  const a12 = a[ao + 12],
    a13 = a[ao + 13],
    a14 = a[ao + 14],
    a15 = a[ao + 15]
  for (let c = 0; c < 4; c++) {
    const x = b[bo + c * 4],
      y = b[bo + c * 4 + 1],
      z = b[bo + c * 4 + 2],
      w = b[bo + c * 4 + 3]
    out[o + c * 4] = a0 * x + a4 * y + a8 * z + a12 * w
    out[o + c * 4 + 1] = a1 * x + a5 * y + a9 * z + a13 * w
    out[o + c * 4 + 2] = a2 * x + a6 * y + a10 * z + a14 * w
    out[o + c * 4 + 3] = a3 * x + a7 * y + a11 * z + a15 * w
  }
}

/** out = T(t) * R(q) * S(s). */
export function compose(out: Numbers, o: number, t: Numbers, to: number, q: Numbers, qo: number, s: Numbers, so: number): void {
  const x = q[qo],
    y = q[qo + 1],
    z = q[qo + 2],
    w = q[qo + 3]
  const sx = s[so],
    sy = s[so + 1],
    sz = s[so + 2]
  out[o] = (1 - 2 * (y * y + z * z)) * sx
  out[o + 1] = 2 * (x * y + z * w) * sx
  out[o + 2] = 2 * (x * z - y * w) * sx
  out[o + 3] = 0
  out[o + 4] = 2 * (x * y - z * w) * sy
  out[o + 5] = (1 - 2 * (x * x + z * z)) * sy
  out[o + 6] = 2 * (y * z + x * w) * sy
  out[o + 7] = 0
  out[o + 8] = 2 * (x * z + y * w) * sz
  out[o + 9] = 2 * (y * z - x * w) * sz
  out[o + 10] = (1 - 2 * (x * x + y * y)) * sz
  out[o + 11] = 0
  out[o + 12] = t[to]
  out[o + 13] = t[to + 1]
  out[o + 14] = t[to + 2]
  out[o + 15] = 1
}

/**
 * Takes an affine matrix apart into translation, rotation, scale. A mirrored matrix gets a negative x scale.
 * A column of length zero gives scale 0, and its direction follows from the others; what has no direction
 * at all (zeros, NaN) gets the identity rotation. Skew is lost.
 */
export function decompose(m: Numbers, o: number, t: Numbers, to: number, q: Numbers, qo: number, s: Numbers, so: number): void {
  t[to] = m[o + 12]
  t[to + 1] = m[o + 13]
  t[to + 2] = m[o + 14]
  let sx = length3(m[o], m[o + 1], m[o + 2])
  const sy = length3(m[o + 4], m[o + 5], m[o + 6])
  const sz = length3(m[o + 8], m[o + 9], m[o + 10])
  const det =
    m[o] * (m[o + 5] * m[o + 10] - m[o + 6] * m[o + 9]) -
    m[o + 4] * (m[o + 1] * m[o + 10] - m[o + 2] * m[o + 9]) +
    m[o + 8] * (m[o + 1] * m[o + 6] - m[o + 2] * m[o + 5])
  if (det < 0) sx = -sx
  s[so] = sx
  s[so + 1] = sy
  s[so + 2] = sz
  const ix = sx ? 1 / sx : 0,
    iy = sy ? 1 / sy : 0,
    iz = sz ? 1 / sz : 0
  // the columns, as directions
  let xx = m[o] * ix,
    xy = m[o + 1] * ix,
    xz = m[o + 2] * ix
  let yx = m[o + 4] * iy,
    yy = m[o + 5] * iy,
    yz = m[o + 6] * iy
  let zx = m[o + 8] * iz,
    zy = m[o + 9] * iz,
    zz = m[o + 10] * iz
  if (!ix && !iy && !iz) {
    xx = yy = zz = 1
  } else if (!ix || !iy || !iz) {
    const missing = Number(!ix) + Number(!iy) + Number(!iz)
    if (missing === 2) {
      // one direction is known: any perpendicular will do for the next, the third follows below
      const kx = ix ? xx : iy ? yx : zx,
        ky = ix ? xy : iy ? yy : zy,
        kz = ix ? xz : iy ? yz : zz
      const alongX = Math.abs(kx) > 0.9
      let px = alongX ? kz : 0,
        py = alongX ? 0 : -kz,
        pz = alongX ? -kx : ky
      const length = length3(px, py, pz)
      px /= length
      py /= length
      pz /= length
      if (!ix) {
        xx = px
        xy = py
        xz = pz
      } else {
        yx = px
        yy = py
        yz = pz
      }
    }
    const noX = !ix && missing === 1
    const noZ = !iz
    if (noX) {
      xx = yy * zz - yz * zy
      xy = yz * zx - yx * zz
      xz = yx * zy - yy * zx
    } else if (noZ) {
      zx = xy * yz - xz * yy
      zy = xz * yx - xx * yz
      zz = xx * yy - xy * yx
    } else {
      yx = zy * xz - zz * xy
      yy = zz * xx - zx * xz
      yz = zx * xy - zy * xx
    }
  }
  const trace = xx + yy + zz
  let x: number, y: number, z: number, w: number
  if (trace > 0) {
    const k = Math.sqrt(trace + 1) * 2
    w = k / 4
    x = (yz - zy) / k
    y = (zx - xz) / k
    z = (xy - yx) / k
  } else if (xx > yy && xx > zz) {
    const k = Math.sqrt(Math.max(0, 1 + xx - yy - zz)) * 2 || 1
    w = (yz - zy) / k
    x = k / 4
    y = (yx + xy) / k
    z = (zx + xz) / k
  } else if (yy > zz) {
    const k = Math.sqrt(Math.max(0, 1 + yy - xx - zz)) * 2 || 1
    w = (zx - xz) / k
    x = (yx + xy) / k
    y = k / 4
    z = (zy + yz) / k
  } else {
    const k = Math.sqrt(Math.max(0, 1 + zz - xx - yy)) * 2 || 1
    w = (xy - yx) / k
    x = (zx + xz) / k
    y = (zy + yz) / k
    z = k / 4
  }
  putUnit(q, qo, x, y, z, w)
}

/** Writes a quaternion at unit length; the identity where it has none. */
function putUnit(q: Numbers, o: number, x: number, y: number, z: number, w: number): void {
  const length = Math.sqrt(x * x + y * y + z * z + w * w)
  const good = length > 0 && length < Infinity
  q[o] = good ? x / length : 0
  q[o + 1] = good ? y / length : 0
  q[o + 2] = good ? z / length : 0
  q[o + 3] = good ? w / length : 1
}

/** Of what turns, scales and shears in a matrix of 16 numbers, column by column. */
export function determinant(m: Float64Array): number {
  return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[4] * (m[1] * m[10] - m[2] * m[9]) + m[8] * (m[1] * m[6] - m[2] * m[5])
}

/** Inverse of an affine matrix. False, and the identity, when it has none. */
export function invertAffine(out: Numbers, o: number, m: Numbers, mo: number): boolean {
  const a = m[mo],
    b = m[mo + 1],
    c = m[mo + 2]
  const d = m[mo + 4],
    e = m[mo + 5],
    f = m[mo + 6]
  const g = m[mo + 8],
    h = m[mo + 9],
    i = m[mo + 10]
  const tx = m[mo + 12],
    ty = m[mo + 13],
    tz = m[mo + 14]
  const A = e * i - f * h,
    B = f * g - d * i,
    C = d * h - e * g
  const det = a * A + b * B + c * C
  if (!(Math.abs(det) > 1e-30) || !Number.isFinite(det) || !Number.isFinite(tx + ty + tz)) {
    identity(out, o)
    return false
  }
  const k = 1 / det
  const r0 = A * k,
    r1 = (c * h - b * i) * k,
    r2 = (b * f - c * e) * k
  const r4 = B * k,
    r5 = (a * i - c * g) * k,
    r6 = (c * d - a * f) * k
  const r8 = C * k,
    r9 = (b * g - a * h) * k,
    r10 = (a * e - b * d) * k
  out[o] = r0
  out[o + 1] = r1
  out[o + 2] = r2
  out[o + 3] = 0
  out[o + 4] = r4
  out[o + 5] = r5
  out[o + 6] = r6
  out[o + 7] = 0
  out[o + 8] = r8
  out[o + 9] = r9
  out[o + 10] = r10
  out[o + 11] = 0
  out[o + 12] = -(r0 * tx + r4 * ty + r8 * tz)
  out[o + 13] = -(r1 * tx + r5 * ty + r9 * tz)
  out[o + 14] = -(r2 * tx + r6 * ty + r10 * tz)
  out[o + 15] = 1
  return true
}

/**
 * Shortest-path slerp; short arcs are blended and renormalised. Inputs need not be of unit length
 * (packed game quaternions are off by up to 2 %): only their direction counts.
 */
export function slerp(out: Numbers, o: number, a: Numbers, ao: number, b: Numbers, bo: number, k: number): void {
  const ax = a[ao],
    ay = a[ao + 1],
    az = a[ao + 2],
    aw = a[ao + 3]
  const bx = b[bo],
    by = b[bo + 1],
    bz = b[bo + 2],
    bw = b[bo + 3]
  const la = Math.sqrt(ax * ax + ay * ay + az * az + aw * aw)
  const lb = Math.sqrt(bx * bx + by * by + bz * bz + bw * bw)
  const product = la * lb
  let dot = product > 0 ? (ax * bx + ay * by + az * bz + aw * bw) / product : 1
  const flip = dot < 0 ? -1 : 1
  dot *= flip
  let ka = 1 - k,
    kb = k
  if (dot < 0.9995) {
    const angle = Math.acos(dot)
    const sin = Math.sin(angle)
    ka = Math.sin((1 - k) * angle) / sin
    kb = Math.sin(k * angle) / sin
  }
  if (la > 0) ka /= la
  if (lb > 0) kb *= flip / lb
  putUnit(out, o, ax * ka + bx * kb, ay * ka + by * kb, az * ka + bz * kb, aw * ka + bw * kb)
}

/** out = a * b (Hamilton). */
export function multiplyQuat(out: Numbers, o: number, a: Numbers, ao: number, b: Numbers, bo: number): void {
  const ax = a[ao],
    ay = a[ao + 1],
    az = a[ao + 2],
    aw = a[ao + 3]
  const bx = b[bo],
    by = b[bo + 1],
    bz = b[bo + 2],
    bw = b[bo + 3]
  out[o] = ax * bw + aw * bx + ay * bz - az * by
  out[o + 1] = ay * bw + aw * by + az * bx - ax * bz
  out[o + 2] = az * bw + aw * bz + ax * by - ay * bx
  out[o + 3] = aw * bw - ax * bx - ay * by - az * bz
}

/** out = m * (x,y,z,1), first three components. */
export function transformPoint(out: Numbers, o: number, m: Numbers, mo: number, x: number, y: number, z: number): void {
  out[o] = m[mo] * x + m[mo + 4] * y + m[mo + 8] * z + m[mo + 12]
  out[o + 1] = m[mo + 1] * x + m[mo + 5] * y + m[mo + 9] * z + m[mo + 13]
  out[o + 2] = m[mo + 2] * x + m[mo + 6] * y + m[mo + 10] * z + m[mo + 14]
}
