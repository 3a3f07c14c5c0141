/** The walker's pictures: armour with panel lines, rivets, stripes and grime, plates in the player's colour, glass, and the flash of its guns. */
import { Canvas, mix, noise, scale, type Rgb } from './paint.ts'
import type { Rect } from './paint.ts'

export const ATLAS = 256

/** Where each part is painted in the armour's picture. */
export const RECT = {
  side: { x: 0, y: 0, w: 128, h: 72 },
  top: { x: 128, y: 0, w: 128, h: 72 },
  front: { x: 0, y: 72, w: 64, h: 60 },
  back: { x: 64, y: 72, w: 64, h: 60 },
  belly: { x: 128, y: 72, w: 48, h: 32 },
  vents: { x: 176, y: 72, w: 16, h: 32 },
  plate: { x: 128, y: 104, w: 64, h: 56 },
  shin: { x: 192, y: 72, w: 64, h: 88 },
  hub: { x: 0, y: 132, w: 48, h: 48 },
  foot: { x: 48, y: 132, w: 64, h: 40 },
  stripes: { x: 112, y: 160, w: 80, h: 16 },
  metal: { x: 48, y: 172, w: 64, h: 36 },
  rubber: { x: 112, y: 176, w: 48, h: 32 },
  chrome: { x: 160, y: 176, w: 32, h: 32 },
  gun: { x: 192, y: 160, w: 64, h: 48 },
  muzzle: { x: 0, y: 180, w: 24, h: 28 },
  lamp: { x: 24, y: 180, w: 24, h: 28 },
  barrel: { x: 0, y: 208, w: 64, h: 48 },
  pilot: { x: 64, y: 208, w: 48, h: 48 },
  canopy: { x: 112, y: 208, w: 48, h: 48 },
  rack: { x: 160, y: 208, w: 48, h: 48 },
} satisfies Record<string, Rect>

export interface Palette {
  armour: Rgb
  shade: Rgb
  metal: Rgb
  warning: Rgb
}

export const DESERT: Palette = { armour: [188, 170, 130], shade: [112, 96, 66], metal: [92, 94, 98], warning: [236, 184, 44] }
export const WINTER: Palette = { armour: [206, 212, 216], shade: [118, 130, 142], metal: [84, 92, 104], warning: [232, 112, 52] }

const DARK: Rgb = [24, 24, 28]

function inRect(c: Canvas, rect: Rect, shade: (u: number, v: number, x: number, y: number) => Rgb): void {
  c.region(rect.x, rect.y, rect.w, rect.h, shade)
}

/** Armour: grain, blotches, light from above, grime towards the bottom, worn towards the edges. */
function armour(c: Canvas, rect: Rect, p: Palette, seed: number, grime = 0.5): void {
  inRect(c, rect, (u, v, x, y) => {
    const grain = 0.93 + 0.1 * noise(x / 1.7, y / 1.7, seed) + 0.08 * noise(x / 13, y / 13, seed + 5)
    const dirt = Math.max(0, v - 0.45) * grime * (0.5 + noise(x / 5, y / 17, seed + 9))
    const edge = Math.min(u, 1 - u, v, 1 - v) * 14
    const worn = edge < 1 ? (1 - edge) * 0.5 * noise(x / 2.4, y / 2.4, seed + 3) : 0
    return scale(mix(mix(p.armour, p.shade, dirt), [236, 230, 214], worn), grain * (1.06 - 0.12 * v))
  })
}

/** A seam between panels: a dark groove with a lit lip. Places are in parts of the rectangle. */
function seam(c: Canvas, rect: Rect, ...points: readonly (readonly [number, number])[]): void {
  for (let i = 1; i < points.length; i++) {
    const [ax, ay] = points[i - 1],
      [bx, by] = points[i]
    const [x0, y0, x1, y1] = [rect.x + ax * rect.w, rect.y + ay * rect.h, rect.x + bx * rect.w, rect.y + by * rect.h]
    c.line(x0 + 1, y0 + 1, x1 + 1, y1 + 1, 1, [255, 250, 232], 0.3)
    c.line(x0, y0, x1, y1, 1.3, DARK, 0.62)
  }
}

function rivets(c: Canvas, rect: Rect, from: readonly [number, number], to: readonly [number, number], count: number): void {
  for (let i = 0; i < count; i++) {
    const k = count > 1 ? i / (count - 1) : 0
    const x = rect.x + (from[0] + (to[0] - from[0]) * k) * rect.w,
      y = rect.y + (from[1] + (to[1] - from[1]) * k) * rect.h
    c.ellipse(x + 0.5, y + 0.7, 1.4, 1.4, DARK, 0.5)
    c.ellipse(x, y, 1.1, 1.1, [238, 230, 206], 0.6)
  }
}

function metal(c: Canvas, rect: Rect, tone: Rgb, seed: number): void {
  inRect(c, rect, (_u, v, x, y) =>
    scale(tone, (0.86 + 0.18 * noise(x / 1.5, y / 6, seed) + 0.14 * noise(x / 9, y / 9, seed + 1)) * (0.8 + 0.35 * Math.sin(v * Math.PI))),
  )
}

function stripes(c: Canvas, rect: Rect, p: Palette, width: number, seed: number): void {
  inRect(c, rect, (_u, v, x, y) => {
    const k = ((((x + y) / width) % 2) + 2) % 2
    const worn = noise(x / 2.2, y / 2.2, seed) > 0.78 ? 0.45 : 0
    return scale(mix(k < 1 ? p.warning : [38, 36, 36], p.metal, worn), (1.05 - 0.25 * v) * (0.94 + 0.1 * noise(x, y, seed)))
  })
}

/** A grille of dark slots. */
function slots(c: Canvas, rect: Rect, count: number, tone: Rgb): void {
  inRect(c, rect, (u, v) => {
    const k = (v * count) % 1
    return u < 0.1 || u > 0.9 ? scale(tone, 0.8) : k < 0.55 ? scale(DARK, 0.7 + k) : scale(tone, 1.15 - 0.5 * (k - 0.55))
  })
}

export function armourPicture(p: Palette): Canvas {
  const c = new Canvas(ATLAS, ATLAS, scale(p.metal, 0.6))
  const steel = scale(p.metal, 1.1)

  // the hull's side, front to the right
  const side = RECT.side
  armour(c, side, p, 11)
  seam(c, side, [0, 0.34], [0.32, 0.3], [0.66, 0.3], [1, 0.52])
  seam(c, side, [0, 0.7], [0.3, 0.74], [0.64, 0.74], [1, 0.78])
  seam(c, side, [0.3, 0], [0.3, 1])
  seam(c, side, [0.64, 0], [0.64, 1])
  seam(c, side, [0.84, 0.3], [0.84, 1])
  rivets(c, side, [0.33, 0.36], [0.61, 0.36], 8)
  rivets(c, side, [0.33, 0.68], [0.61, 0.68], 8)
  rivets(c, side, [0.67, 0.8], [0.98, 0.83], 6)
  rivets(c, side, [0.03, 0.78], [0.27, 0.8], 5)
  // scratches and streaks below the rivets
  for (let i = 0; i < 26; i++) {
    const x = side.x + 128 * noise(i, 3, 71),
      y = side.y + 72 * (0.2 + 0.7 * noise(i, 9, 72))
    c.line(x, y, x + 0.6, y + 3 + 7 * noise(i, 5, 73), 1, i % 3 ? p.shade : [240, 232, 210], 0.3)
  }

  // from above, front to the right
  const top = RECT.top
  armour(c, top, p, 23, 0)
  for (const u of [0.2, 0.42, 0.66, 0.86]) seam(c, top, [u, 0], [u, 1])
  seam(c, top, [0, 0.2], [1, 0.2])
  seam(c, top, [0, 0.8], [1, 0.8])
  for (const v of [0.24, 0.76]) rivets(c, top, [0.45, v], [0.63, v], 5)
  slots(c, { x: top.x + 4, y: top.y + 20, w: 18, h: 32 }, 7, steel)
  stripes(c, { x: top.x + 86, y: top.y + 4, w: 3, h: 64 }, p, 4, 2)

  // the bow: a wide plate with a slit, lamps stand beside it
  const front = RECT.front
  armour(c, front, p, 37)
  seam(c, front, [0, 0.5], [1, 0.5])
  seam(c, front, [0.3, 0.5], [0.36, 1])
  seam(c, front, [0.7, 0.5], [0.64, 1])
  slots(c, { x: front.x + 22, y: front.y + 41, w: 20, h: 9 }, 3, steel)
  rivets(c, front, [0.08, 0.55], [0.92, 0.55], 9)

  const back = RECT.back
  armour(c, back, p, 41)
  slots(c, { x: back.x + 8, y: back.y + 14, w: 20, h: 22 }, 6, steel)
  slots(c, { x: back.x + 36, y: back.y + 14, w: 20, h: 22 }, 6, steel)
  seam(c, back, [0, 0.72], [1, 0.72])
  stripes(c, { x: back.x + 8, y: back.y + 47, w: 48, h: 7 }, p, 6, 5)
  rivets(c, back, [0.05, 0.15], [0.05, 0.65], 5)
  rivets(c, back, [0.95, 0.15], [0.95, 0.65], 5)

  metal(c, RECT.belly, scale(p.metal, 0.72), 3)
  seam(c, RECT.belly, [0.33, 0], [0.33, 1])
  seam(c, RECT.belly, [0.66, 0], [0.66, 1])
  slots(c, RECT.vents, 8, steel)

  const plate = RECT.plate
  armour(c, plate, p, 53)
  seam(c, plate, [0, 0.28], [1, 0.28])
  seam(c, plate, [0, 0.84], [1, 0.84])
  seam(c, plate, [0.5, 0.28], [0.5, 0.84])
  rivets(c, plate, [0.1, 0.36], [0.1, 0.76], 4)
  rivets(c, plate, [0.9, 0.36], [0.9, 0.76], 4)
  stripes(c, { x: plate.x + 40, y: plate.y + 4, w: 20, h: 8 }, p, 4, 7)

  const shin = RECT.shin
  armour(c, shin, p, 61, 1)
  seam(c, shin, [0, 0.2], [1, 0.2])
  seam(c, shin, [0.2, 0.2], [0.3, 0.82])
  seam(c, shin, [0.8, 0.2], [0.7, 0.82])
  seam(c, shin, [0, 0.82], [1, 0.82])
  rivets(c, shin, [0.1, 0.26], [0.16, 0.76], 6)
  rivets(c, shin, [0.9, 0.26], [0.84, 0.76], 6)

  // hub: rings and bolts
  const hub = RECT.hub
  inRect(c, hub, (u, v, x, y) => {
    const r = Math.hypot(u - 0.5, v - 0.5) * 2
    const ring = r > 0.86 ? 0.75 : r > 0.72 ? 1.25 : r > 0.42 ? 0.95 : r > 0.34 ? 0.5 : 1.2
    return scale(steel, ring * (0.9 + 0.16 * noise(x / 2, y / 2, 81)) * (1.1 - 0.25 * v))
  })
  for (let k = 0; k < 8; k++) {
    const angle = (k / 8) * 2 * Math.PI
    c.ellipse(hub.x + 24 + 13.5 * Math.cos(angle), hub.y + 24 + 13.5 * Math.sin(angle), 2, 2, DARK, 0.8)
    c.ellipse(hub.x + 23.5 + 13.5 * Math.cos(angle), hub.y + 23.3 + 13.5 * Math.sin(angle), 1.4, 1.4, [210, 206, 196], 0.8)
  }

  const foot = RECT.foot
  armour(c, foot, { ...p, armour: mix(p.armour, p.metal, 0.45) }, 67, 1.3)
  seam(c, foot, [0, 0.5], [1, 0.5])
  seam(c, foot, [0.5, 0], [0.5, 0.5])
  rivets(c, foot, [0.08, 0.3], [0.92, 0.3], 7)

  stripes(c, RECT.stripes, p, 8, 13)
  metal(c, RECT.metal, p.metal, 17)
  for (const u of [0.25, 0.5, 0.75]) seam(c, RECT.metal, [u, 0], [u, 1])
  rivets(c, RECT.metal, [0.06, 0.18], [0.94, 0.18], 8)
  rivets(c, RECT.metal, [0.06, 0.82], [0.94, 0.82], 8)
  inRect(c, RECT.rubber, (_u, v, x, y) =>
    scale([52, 52, 56], 0.75 + 0.55 * Math.sin(v * Math.PI * 5) ** 2 + 0.12 * noise(x / 2, y / 2, 19)),
  )
  inRect(c, RECT.chrome, (u, _v, x, y) =>
    scale([196, 202, 210], 0.6 + 0.5 * Math.abs(Math.sin(u * Math.PI * 3)) + 0.08 * noise(x, y / 4, 29)),
  )

  const gun = RECT.gun
  armour(c, gun, p, 83)
  inRect(c, { x: gun.x + 44, y: gun.y, w: 20, h: 48 }, (_u, v, x, y) =>
    scale(p.metal, (0.95 - 0.25 * v) * (0.9 + 0.2 * noise(x / 3, y / 3, 84))),
  )
  seam(c, gun, [0.68, 0], [0.68, 1])
  seam(c, gun, [0, 0.5], [0.68, 0.5])
  seam(c, gun, [0.3, 0], [0.3, 0.5])
  rivets(c, gun, [0.06, 0.58], [0.62, 0.58], 6)
  slots(c, { x: gun.x + 6, y: gun.y + 34, w: 22, h: 8 }, 3, steel)

  inRect(c, RECT.muzzle, (u, v) => {
    const r = Math.hypot(u - 0.5, v - 0.5) * 2
    return r < 0.7 ? [12, 11, 12] : scale(p.metal, 0.7)
  })
  inRect(c, RECT.lamp, (u, v) => {
    const r = Math.hypot(u - 0.5, v - 0.5) * 2
    const glow = mix([255, 255, 240], [255, 214, 120], r * 1.2)
    return r < 0.78 ? mix(glow, [255, 255, 255], Math.max(0, 0.5 - Math.hypot(u - 0.4, v - 0.4) * 3)) : scale(p.metal, 0.75)
  })
  // barrel: along from the housing to the muzzle, burnt at the end
  inRect(c, RECT.barrel, (u, v, x, y) => {
    const burnt = Math.max(0, v - 0.72) * 2.4
    const groove = Math.abs(((v * 9) % 1) - 0.5) < 0.1 && v < 0.7 ? 0.7 : 1
    return scale(
      mix(mix(p.metal, steel, 0.4), [44, 36, 32], burnt),
      groove * (0.82 + 0.3 * Math.abs(Math.cos(u * Math.PI * 2)) + 0.12 * noise(x / 2, y / 5, 91)),
    )
  })
  // the pilot's helmet: a dark visor in a bright shell
  inRect(c, RECT.pilot, (u, v) => {
    const inVisor = Math.abs(u - 0.5) < 0.3 && v > 0.36 && v < 0.62
    const shell = mix([240, 236, 226], [186, 178, 166], v)
    const visor = mix([30, 36, 48], [120, 170, 190], Math.max(0, 0.5 - Math.hypot(u - 0.4, v - 0.42) * 4))
    return inVisor ? visor : Math.abs(u - 0.5) < 0.06 && v < 0.36 ? p.warning : v > 0.72 ? scale(shell, 0.62) : shell
  })
  inRect(c, RECT.canopy, (u, v) =>
    mix(mix([86, 150, 160], [22, 44, 58], v), [200, 236, 236], Math.max(0, 0.55 - Math.hypot(u - 0.36, v - 0.28) * 2.6)),
  )
  // rockets: six tubes
  const rack = RECT.rack
  armour(c, rack, p, 97)
  for (let k = 0; k < 4; k++) {
    const x = rack.x + 24 + (k % 2 ? 10.5 : -10.5),
      y = rack.y + 24 + (k < 2 ? -10.5 : 10.5)
    c.ellipse(x, y, 9.2, 9.2, scale(p.metal, 0.7))
    c.ellipse(x, y, 7.8, 7.8, [14, 13, 14])
  }
  return c
}

/** Pale, so that the player's colour shows. */
export function housePicture(): Canvas {
  const c = new Canvas(64, 64, [0, 0, 0])
  const all: Rect = { x: 0, y: 0, w: 64, h: 64 }
  inRect(c, all, (u, v, x, y) => {
    const edge = Math.min(u, 1 - u, v, 1 - v) * 16
    const worn = edge < 1 ? (1 - edge) * 0.25 : 0
    const k = (0.86 + 0.1 * noise(x / 2, y / 2, 5) + 0.1 * noise(x / 11, y / 11, 6)) * (1 - 0.22 * v) - worn * noise(x / 2, y / 2, 8)
    return [232 * k, 232 * k, 232 * k]
  })
  seam(c, all, [0.06, 0.08], [0.94, 0.08], [0.94, 0.92], [0.06, 0.92], [0.06, 0.08])
  seam(c, all, [0.5, 0.08], [0.5, 0.92])
  rivets(c, all, [0.12, 0.16], [0.88, 0.16], 5)
  rivets(c, all, [0.12, 0.84], [0.88, 0.84], 5)
  return c
}

/** Dark at the rim, clear in the middle, with two streaks of light. */
export function glassPicture(): Canvas {
  const c = new Canvas(64, 64, [0, 0, 0])
  inRect(c, { x: 0, y: 0, w: 64, h: 64 }, (_, v) => mix([150, 214, 214], [26, 64, 78], v * 1.1))
  for (let y = 0; y < 64; y++) {
    for (let x = 0; x < 64; x++) {
      const k = (x - 0.55 * (64 - y)) / 64
      const streak = Math.max(0, 1 - Math.abs(k - 0.2) * 16) + 0.7 * Math.max(0, 1 - Math.abs(k - 0.33) * 26)
      c.blend(x, y, [244, 255, 255], 0.75 * streak)
      c.rgba[4 * (64 * y + x) + 3] = Math.round(Math.min(235, 70 + 66 * (y / 64) + 140 * streak))
    }
  }
  return c
}

/** For light that is added: a tongue of flame in the upper half, a star in the lower left. */
export function flashPicture(): Canvas {
  const c = new Canvas(64, 64, [0, 0, 0])
  const fire = (k: number): Rgb => scale(mix([255, 96, 16], [255, 250, 214], k * 1.25), Math.min(1, k * 1.7))
  inRect(c, { x: 0, y: 0, w: 64, h: 32 }, (u, v, x, y) => {
    const width = 0.1 + 0.85 * Math.sin(Math.min(1, u * 2.2 + 0.12) * Math.PI * 0.5) * (1 - u) ** 0.8
    return fire(Math.max(0, 1 - (Math.abs(v - 0.5) * 2) / width) * (1 - u) ** 0.5 * (0.7 + 0.5 * noise(x / 4, y / 3, 4)))
  })
  inRect(c, { x: 0, y: 32, w: 32, h: 32 }, (u, v) => {
    const [dx, dy] = [u - 0.5, v - 0.5]
    const r = Math.hypot(dx, dy) * 2
    const rays = 0.45 + 0.55 * Math.abs(Math.cos(Math.atan2(dy, dx) * 3)) ** 3
    return fire(Math.max(0, 1 - r / rays) * 1.1)
  })
  return c
}
