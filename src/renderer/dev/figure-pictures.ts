/** Pictures of the figure, painted by code. */
import type { Texture } from '../../shared/scene/types.ts'
import { source } from './shapes.ts'

/** Front of a tube is the middle of its patch turned by half: u = 0 and 1 meet at the front, so patches are painted with the seam at +Z. */
export function paint(): Texture {
  const size = 256
  const rgba = new Uint8Array(size * size * 4)
  const noise = (x: number, y: number): number => {
    const n = Math.sin(x * 12.9898 + y * 78.233) * 43758.5453
    return n - Math.floor(n)
  }
  const put = (x: number, y: number, c: number[], shade = 1): void => {
    const k = shade * (0.97 + 0.06 * noise(x, y))
    rgba.set([Math.min(255, c[0] * k), Math.min(255, c[1] * k), Math.min(255, c[2] * k), 255], 4 * (y * size + x))
  }
  const skin = [226, 176, 138],
    hair = [92, 56, 34],
    tunic = [52, 106, 92],
    trim = [214, 176, 84],
    trousers = [98, 84, 72],
    boot = [70, 46, 34]
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const u = x / size,
        v = y / size
      if (v < 0.5 && u < 0.5) {
        // head: u is around it from the front, v from the crown down
        const around = Math.min(u * 2, 1 - u * 2)
        const down = v * 2
        const isHair = down < 0.3 + 0.05 * Math.sin(u * 90) || (around > 0.2 && down < 0.78)
        put(x, y, isHair ? hair : skin, isHair ? 0.85 + 0.3 * noise(x, 3) : 1)
        const side = Math.abs(around - 0.07)
        if (!isHair && side < 0.028 && Math.abs(down - 0.52) < 0.05) put(x, y, side < 0.012 ? [40, 60, 90] : [245, 245, 245])
        if (!isHair && side < 0.035 && Math.abs(down - 0.435) < 0.012) put(x, y, hair)
        if (!isHair && around < 0.045 && Math.abs(down - 0.76) < 0.012) put(x, y, [170, 92, 84])
      } else if (v < 0.5) {
        // tunic
        const down = v * 2
        const around = Math.min(u * 2 - 1, 2 - u * 2)
        const belt = Math.abs(down - 0.72) < 0.045
        const seam = around < 0.02 || Math.abs(down - 0.97) < 0.02 || (down < 0.12 && around < 0.09)
        put(x, y, belt ? boot : seam ? trim : tunic, 0.92 + 0.12 * Math.cos(around * 40))
        if (belt && around < 0.03) put(x, y, trim)
      } else if (u < 0.5) {
        // arm: sleeve, then skin
        const down = v * 2 - 1
        put(x, y, down < 0.5 ? tunic : down < 0.55 ? trim : skin, 1)
      } else {
        const down = v * 2 - 1
        put(x, y, down < 0.55 ? trousers : down < 0.6 ? trim : boot, 1)
      }
    }
  }
  return { name: 'figure', width: size, height: size, rgba, missing: false, hasAlpha: false, source }
}

export function leaf(): Texture {
  const size = 64
  const rgba = new Uint8Array(size * size * 4)
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const u = (x + 0.5) / size - 0.5,
        v = (y + 0.5) / size - 0.5
      const inside = Math.abs(u) < 0.32 * Math.cos(v * Math.PI) * (0.85 + 0.15 * Math.cos(v * 60))
      rgba.set([70 + 60 * Math.abs(u), 130 + 50 * v, 40, inside ? 255 : 0], 4 * (y * size + x))
    }
  }
  return { name: 'leaf', width: size, height: size, rgba, missing: false, hasAlpha: true, source }
}

export function glow(): Texture {
  const size = 64
  const rgba = new Uint8Array(size * size * 4)
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const d = Math.hypot((x + 0.5) / 32 - 1, (y + 0.5) / 32 - 1)
      const k = Math.max(0, 1 - d) ** 2
      rgba.set([255 * k, 190 * k, 90 * k, 255], 4 * (y * size + x))
    }
  }
  return { name: 'glow', width: size, height: size, rgba, missing: false, hasAlpha: false, source }
}
