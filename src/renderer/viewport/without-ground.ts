/** A picture without its ground, out of two of it that were drawn on black and on white. */

/**
 * What the two have in common is the figure; how far they are apart says how much of the ground shows through it.
 * @param onBlack RGBA with rows from the bottom, as the graphics card has it; `onWhite` alike
 * @returns RGBA with rows from the top, straight alpha
 */
export function withoutGround(onBlack: Uint8Array, onWhite: Uint8Array, width: number, height: number): Uint8ClampedArray<ArrayBuffer> {
  const out = new Uint8ClampedArray(width * height * 4)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = 4 * ((height - 1 - y) * width + x)
      const to = 4 * (y * width + x)
      let through = 255
      for (let c = 0; c < 3; c++) through = Math.min(through, onWhite[from + c] - onBlack[from + c])
      const alpha = 255 - Math.max(0, through)
      if (alpha === 0) continue
      for (let c = 0; c < 3; c++) out[to + c] = (onBlack[from + c] * 255) / alpha
      out[to + 3] = alpha
    }
  }
  return out
}
