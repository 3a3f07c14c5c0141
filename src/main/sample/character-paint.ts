/** The picture of the adventurer. */
import { Canvas, mix, noise, scale } from './paint.ts'
import { ATLAS } from './surface.ts'
import { RECT } from './character-body.ts'
import type { Rgb } from './paint.ts'

const SKIN: Rgb = [244, 205, 172]
const SKIN_DARK: Rgb = [222, 164, 130]
const HAIR: Rgb = [122, 70, 38]
const HAIR_LIGHT: Rgb = [206, 140, 78]
const TUNIC: Rgb = [44, 104, 122]
const TUNIC_DARK: Rgb = [24, 62, 82]
const CREAM: Rgb = [238, 222, 184]
const LEATHER: Rgb = [112, 70, 42]
const LEATHER_DARK: Rgb = [66, 40, 26]
const SCARF: Rgb = [206, 62, 48]
const TROUSERS: Rgb = [214, 196, 160]
const GOLD: Rgb = [226, 178, 76]
const STEEL: Rgb = [196, 208, 220]

export function picture(): Canvas {
  const c = new Canvas(ATLAS, ATLAS, [60, 60, 60])
  const cloth = (x: number, y: number, strength = 0.1): number =>
    1 + (noise(x / 2.2, y / 2.2, 3) - 0.5) * strength + (noise(x / 9, y / 9, 7) - 0.5) * strength * 1.4

  // skin of the head, darker under the hair and the chin
  c.region(RECT.head.x, RECT.head.y, RECT.head.w, RECT.head.h, (u, v, x, y) => {
    const shade = Math.max(0, v - 0.72) * 1.5 + Math.max(0, 0.36 - v) * 0.9 + Math.abs(u - 0.5) * 0.25
    return scale(mix(SKIN, SKIN_DARK, shade), cloth(x, y, 0.03))
  })
  face(c)

  c.region(RECT.hair.x, RECT.hair.y, RECT.hair.w, RECT.hair.h, (u, v, x) => {
    const strand = noise(x / 2.1, v * 3, 11) * 0.6 + noise(x / 5, v * 1.2, 5) * 0.4
    const shine = Math.exp(-(((v - 0.3) / 0.09) ** 2)) * 0.55 + Math.exp(-(((v - 0.66) / 0.1) ** 2)) * 0.3
    const tone = mix(scale(HAIR, 0.72 + 0.5 * strand), HAIR_LIGHT, shine * (0.4 + 0.6 * strand))
    return scale(tone, 1 - 0.25 * Math.max(0, v - 0.8) - 0.12 * Math.abs(Math.sin(u * 21)) * v)
  })

  torso(c, cloth)

  c.region(RECT.skirt.x, RECT.skirt.y, RECT.skirt.w, RECT.skirt.h, (u, v, x, y) => {
    if (v < 0.22) {
      const buckle = Math.abs(u - 0.5) < 0.05
      const edge = v < 0.05 || v > 0.18 ? 0.75 : 1
      return scale(buckle ? (Math.abs(u - 0.5) < 0.025 && v > 0.07 && v < 0.16 ? LEATHER_DARK : GOLD) : LEATHER, edge * cloth(x, y, 0.14))
    }
    const fold = 0.86 + 0.2 * Math.sin(u * Math.PI * 2 * 8) ** 2
    if (v > 0.8) return scale(SCARF, 0.4)
    if (v > 0.7) return scale(CREAM, fold * cloth(x, y, 0.06))
    if (v > 0.66) return scale(TUNIC_DARK, fold)
    return scale(mix(TUNIC_DARK, TUNIC, 0.35 + v), fold * cloth(x, y))
  })

  c.region(RECT.arm.x, RECT.arm.y, RECT.arm.w, RECT.arm.h, (u, v, x, y) => {
    const round = 0.84 + 0.2 * Math.cos((u - 0.5) * Math.PI * 2)
    if (v < 0.44) return scale(TUNIC, round * cloth(x, y) * (v > 0.4 ? 0.7 : 1))
    if (v < 0.5) return scale(CREAM, round * cloth(x, y, 0.06))
    if (v < 0.72) return scale(SKIN, round * (v < 0.55 ? 0.82 : 1))
    if (v < 0.8) return scale(LEATHER_DARK, round * 1.1)
    const stitch = Math.abs(((u * 12) % 1) - 0.5) < 0.12 && v > 0.86 && v < 0.9 ? 1.5 : 1
    return scale(LEATHER, round * cloth(x, y, 0.16) * stitch)
  })
  c.region(RECT.hand.x, RECT.hand.y, RECT.hand.w, RECT.hand.h, (u, v, x, y) => {
    const round = 0.86 + 0.18 * Math.cos((u - 0.5) * Math.PI * 2)
    if (v < 0.42) return scale(LEATHER, round * cloth(x, y, 0.14) * (v > 0.36 ? 0.7 : 1))
    return scale(mix(SKIN, SKIN_DARK, v > 0.8 ? 0.35 : 0), round)
  })

  c.region(RECT.leg.x, RECT.leg.y, RECT.leg.w, RECT.leg.h, (u, v, x, y) => {
    const round = 0.82 + 0.22 * Math.cos((u - 0.5) * Math.PI * 2)
    const crease = 1 - 0.16 * Math.exp(-(((v - 0.66 - 0.03 * Math.sin(u * 12)) / 0.03) ** 2)) - 0.1 * Math.exp(-(((v - 0.8) / 0.02) ** 2))
    return scale(TROUSERS, round * crease * cloth(x, y, 0.1) * (0.8 + 0.22 * v))
  })
  c.region(RECT.boot.x, RECT.boot.y, RECT.boot.w, RECT.boot.h, (u, v, x, y) => {
    const round = 0.84 + 0.2 * Math.cos((u - 0.5) * Math.PI * 2)
    if (v > 0.9) return scale([38, 28, 24], 1)
    if (v < 0.38) return scale(mix(LEATHER, CREAM, 0.32), round * cloth(x, y, 0.12) * (v > 0.33 ? 0.6 : 1))
    const strap = v > 0.58 && v < 0.65
    if (strap) return scale(Math.abs(u - 0.5) < 0.09 ? GOLD : LEATHER_DARK, round)
    return scale(LEATHER, round * cloth(x, y, 0.18))
  })

  c.region(RECT.scarf.x, RECT.scarf.y, RECT.scarf.w, RECT.scarf.h, (u, v, x, y) => {
    const weave = cloth(x, y, 0.14) * (0.86 + 0.18 * Math.sin(u * Math.PI * 6 + v * 4) ** 2)
    if (v > 0.78 && v < 0.9) return scale(GOLD, weave)
    if (v >= 0.9) return scale(SCARF, 0.72 * weave)
    return scale(SCARF, weave * (1.06 - 0.2 * v))
  })
  c.region(RECT.metal.x, RECT.metal.y, RECT.metal.w, RECT.metal.h, (u, v, x, y) => {
    const ridge = Math.abs(((u * 2) % 1) - 0.5) * 2
    const polish = 0.78 + 0.3 * ridge + 0.08 * Math.sin(v * 9 + u * 3)
    return scale(mix(STEEL, [255, 255, 255], ridge > 0.86 ? 0.6 : 0), polish * cloth(x, y, 0.04))
  })
  c.region(RECT.gold.x, RECT.gold.y, RECT.gold.w, RECT.gold.h, (u, v, x, y) =>
    scale(GOLD, 0.72 + 0.45 * Math.sin(v * Math.PI) ** 2 + 0.08 * Math.sin(u * 40) + (cloth(x, y, 0.08) - 1)),
  )
  return c
}

/** Eyes, brows, nose shade, mouth and cheeks, around the middle of the head's texture. */
function face(c: Canvas): void {
  const cx = RECT.head.x + RECT.head.w / 2,
    cy = RECT.head.y + RECT.head.h * 0.57
  for (const side of [-1, 1]) {
    const ex = cx + side * 15.5,
      ey = cy
    c.ellipse(ex, ey + 1, 9.4, 10.4, SKIN_DARK, 0.35)
    c.ellipse(ex, ey, 8.2, 9.2, [255, 252, 246])
    c.ellipse(ex - side * 1.2, ey + 0.6, 5.6, 7.8, [34, 62, 58])
    c.ellipse(ex - side * 1.2, ey + 2.2, 4.6, 5.6, [52, 142, 120])
    c.ellipse(ex - side * 1.2, ey + 4.2, 3.2, 2.8, [132, 214, 178], 0.8)
    c.ellipse(ex - side * 1.2, ey + 0.4, 2.6, 3.6, [12, 22, 24])
    c.ellipse(ex - side * 1.2 + 2, ey - 3, 2, 2.2, [255, 255, 255])
    // upper lid and lash
    c.line(ex - 8, ey - 5.6, ex - 1, ey - 9.4, 2.4, [52, 30, 22])
    c.line(ex - 1, ey - 9.4, ex + 7, ey - 7, 2.4, [52, 30, 22])
    c.line(ex + side * 7.5, ey - 6, ex + side * 10, ey - 3.2, 1.8, [52, 30, 22])
    c.line(ex - 4, ey + 9.6, ex + 4, ey + 9.6, 1, SKIN_DARK, 0.8)
    // brow
    c.line(ex - side * 5.5, ey - 14, ex + side * 8, ey - 15.6, 2.6, scale(HAIR, 0.8))
    c.ellipse(ex + side * 7, ey + 14, 6.5, 3.6, [238, 138, 118], 0.4)
  }
  c.ellipse(cx, cy + 12.5, 3, 1.8, SKIN_DARK, 0.5)
  c.line(cx - 5, cy + 20.5, cx, cy + 21.8, 1.6, [150, 70, 58])
  c.line(cx, cy + 21.8, cx + 5.4, cy + 20, 1.6, [150, 70, 58])
  c.ellipse(cx, cy + 24.5, 3, 1, SKIN_DARK, 0.5)
}

function torso(c: Canvas, cloth: (x: number, y: number, strength?: number) => number): void {
  const r = RECT.torso
  c.region(r.x, r.y, r.w, r.h, (u, v, x, y) => {
    const fold = 0.92 + 0.12 * Math.sin(u * Math.PI * 2 * 5 + v * 3) ** 2
    const side = 0.84 + 0.18 * Math.cos((u - 0.5) * Math.PI * 4)
    if (v < 0.16) return scale(CREAM, side)
    return scale(mix(TUNIC, TUNIC_DARK, Math.max(0, v - 0.55)), fold * side * cloth(x, y))
  })
  // front opening with a cream edge and laces, back seam
  const cx = r.x + r.w / 2
  c.line(cx - 7, r.y + 14, cx, r.y + 50, 5, CREAM)
  c.line(cx + 7, r.y + 14, cx, r.y + 50, 5, CREAM)
  for (let y = 16; y < 46; y++) c.line(cx - 5 + (y - 16) * 0.17, r.y + y, cx + 5 - (y - 16) * 0.17, r.y + y, 1, mix(CREAM, SKIN, 0.3))
  for (const y of [22, 30, 38]) {
    c.line(cx - 5, r.y + y, cx + 5, r.y + y + 5, 1.4, LEATHER_DARK)
    c.line(cx + 5, r.y + y, cx - 5, r.y + y + 5, 1.4, LEATHER_DARK)
  }
  // the strap over the left shoulder
  for (const back of [0, 1]) {
    const x0 = back ? r.x + 2 : cx + 34,
      x1 = back ? r.x + 40 : cx - 30
    c.line(x0, r.y + 14, x1, r.y + 84, 8, LEATHER_DARK)
    c.line(x0, r.y + 14, x1, r.y + 84, 5.4, LEATHER)
  }
  c.ellipse(cx + 6, r.y + 46, 5, 5, GOLD)
  c.ellipse(cx + 6, r.y + 46, 2.8, 2.8, scale(GOLD, 0.6))
}
