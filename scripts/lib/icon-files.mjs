// Pictures of one icon in the files that Windows and macOS take: containers around PNG, nothing is drawn or lost here.

/** Type codes of ICNS by pixels: plain, and the same pixels for twice the density. */
const ICNS = {
  16: ['icp4'],
  32: ['icp5', 'ic11'],
  64: ['ic12'],
  128: ['ic07'],
  256: ['ic08', 'ic13'],
  512: ['ic09', 'ic14'],
  1024: ['ic10'],
}
/** what a byte of an ICO's directory can say; 256 is written as 0 */
const ICO_LARGEST = 256

/** @param {Map<number, Buffer>} pictures square PNG by their pixels */
export function ico(pictures) {
  const entries = [...pictures].filter(([size]) => size <= ICO_LARGEST).sort(([a], [b]) => a - b)
  const head = Buffer.alloc(6 + 16 * entries.length)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(entries.length, 4)
  let offset = head.length
  entries.forEach(([size, png], i) => {
    const at = 6 + 16 * i
    head[at] = head[at + 1] = size % ICO_LARGEST
    head.writeUInt16LE(1, at + 4) // planes
    head.writeUInt16LE(32, at + 6) // bits of a pixel
    head.writeUInt32LE(png.length, at + 8)
    head.writeUInt32LE(offset, at + 12)
    offset += png.length
  })
  return Buffer.concat([head, ...entries.map(([, png]) => png)])
}

/** @param {Map<number, Buffer>} pictures square PNG by their pixels */
export function icns(pictures) {
  const chunk = (type, ...parts) => {
    const head = Buffer.alloc(8)
    head.write(type, 'latin1')
    head.writeUInt32BE(
      parts.reduce((sum, part) => sum + part.length, head.length),
      4,
    )
    return Buffer.concat([head, ...parts])
  }
  const chunks = [...pictures].flatMap(([size, png]) => (ICNS[size] ?? []).map((type) => chunk(type, png)))
  return chunk('icns', ...chunks)
}
