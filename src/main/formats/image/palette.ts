/** Palettes for RGBA pictures: which colours, and which of them each pixel gets. Palettes are RGBA too, four bytes an entry. */

/** The old palette where it holds every colour; else a new one of as many entries (`choosePalette`). */
export function paletteFor(rgba: Uint8Array, old: Uint8Array): Uint8Array {
  const few = distinct(wordsOf(rgba), old.length / 4)
  const has = new Set(wordsOf(old))
  if (few && [...few].every((word) => has.has(word))) return old
  const out = new Uint8Array(old.length)
  out.set(choosePalette(rgba, old.length / 4))
  return out
}

/**
 * At most `most` colours that stand for a picture: its own, in the order in which they appear, where they are few enough.
 * Else the colours are cut in two, again and again, where they differ most, each side of a cut getting its mean.
 */
export function choosePalette(rgba: Uint8Array, most: number): Uint8Array {
  const words = wordsOf(rgba)
  const few = distinct(words, most)
  if (few) return new Uint8Array(Uint32Array.from(few).buffer)
  return cut(cellsOf(words), most)
}

const wordsOf = (rgba: Uint8Array): Uint32Array => new Uint32Array(rgba.slice().buffer)

/** The colours in the order in which they appear, undefined where there are more than `most`. */
function distinct(words: Uint32Array, most: number): Set<number> | undefined {
  const found = new Set<number>()
  let last = -1
  for (const word of words) {
    if (word === last) continue
    last = word
    found.add(word)
    if (found.size > most) return undefined
  }
  return found
}

/** Colours that lie close together, as one: how many pixels, and their mean in the four channels. */
interface Cells {
  count: number
  weights: Float64Array
  means: Float64Array
}

const CELL_BITS = 16
const MOST_CELLS = 2 ** CELL_BITS

/** As many low bits of each channel are left out as it takes to have at most MOST_CELLS; with four bits left that is all there can be. */
function cellsOf(words: Uint32Array): Cells {
  for (let drop = 0; ; drop++) {
    const found = cellsBy(words, drop)
    if (found) return found
  }
}

function cellsBy(words: Uint32Array, drop: number): Cells | undefined {
  const mask = (0x01010101 * ((0xff << drop) & 0xff)) >>> 0
  // open addressing: number of the cell and 1, 0 for a free slot
  const slots = new Int32Array(2 * MOST_CELLS)
  const keys = new Uint32Array(MOST_CELLS)
  const weights = new Float64Array(MOST_CELLS)
  const means = new Float64Array(4 * MOST_CELLS)
  let count = 0
  for (let i = 0; i < words.length; i++) {
    const word = words[i]
    const key = (word & mask) >>> 0
    let slot = Math.imul(key ^ (key >>> 15), 0x9e3779b1) >>> (31 - CELL_BITS)
    while (slots[slot] !== 0 && keys[slots[slot] - 1] !== key) slot = (slot + 1) & (2 * MOST_CELLS - 1)
    if (slots[slot] === 0) {
      if (count === MOST_CELLS) return undefined
      keys[count] = key
      slots[slot] = ++count
    }
    const cell = slots[slot] - 1
    weights[cell]++
    means[4 * cell] += word & 0xff
    means[4 * cell + 1] += (word >>> 8) & 0xff
    means[4 * cell + 2] += (word >>> 16) & 0xff
    means[4 * cell + 3] += word >>> 24
  }
  for (let k = 0; k < 4 * count; k++) means[k] /= weights[k >> 2]
  return { count, weights, means }
}

/** Cells `from` to `to` of the order, their mean, and the channel in which they differ most: by how much, squares summed. */
interface Box {
  from: number
  to: number
  mean: number[]
  along: number
  spread: number
}

function cut(cells: Cells, most: number): Uint8Array {
  const { means } = cells
  const order = Uint32Array.from({ length: cells.count }, (_, i) => i)
  const boxes = [boxOf(cells, order, 0, cells.count)]
  while (boxes.length < most) {
    let at = 0
    for (let i = 1; i < boxes.length; i++) if (boxes[i].spread > boxes[at].spread) at = i
    const { from, to, mean, along, spread } = boxes[at]
    if (!(spread > 0)) break
    let middle = from
    for (let i = from; i < to; i++) {
      const cell = order[i]
      if (means[4 * cell + along] > mean[along]) continue
      order[i] = order[middle]
      order[middle++] = cell
    }
    // a mean that rounding puts beyond all of them
    if (middle === from || middle === to) {
      boxes[at].spread = 0
      continue
    }
    boxes.splice(at, 1, boxOf(cells, order, from, middle), boxOf(cells, order, middle, to))
  }
  return Uint8Array.from(
    boxes.flatMap(({ mean }) => mean),
    Math.round,
  )
}

function boxOf({ weights, means }: Cells, order: Uint32Array, from: number, to: number): Box {
  let total = 0
  const sums = [0, 0, 0, 0]
  for (let i = from; i < to; i++) {
    const cell = order[i]
    total += weights[cell]
    for (let c = 0; c < 4; c++) sums[c] += weights[cell] * means[4 * cell + c]
  }
  const mean = sums.map((sum) => sum / total)
  const squares = [0, 0, 0, 0]
  for (let i = from; i < to; i++) {
    const cell = order[i]
    for (let c = 0; c < 4; c++) squares[c] += weights[cell] * (means[4 * cell + c] - mean[c]) ** 2
  }
  const spread = Math.max(...squares)
  return { from, to, mean, along: squares.indexOf(spread), spread }
}

/**
 * For each pixel the palette's nearest entry, the first of equals. Colours are put into cells of 8 x 8 x 8 (16 of alpha), and
 * of a cell only those entries are tried that can be nearest to any colour in it.
 */
export function nearestIndices(rgba: Uint8Array, palette: Uint8Array): Uint8Array {
  const n = rgba.length / 4
  const out = new Uint8Array(n)
  const entries = palette.length / 4
  // where the candidates of a cell begin in the list, their number first; 0 before anybody asked
  const starts = new Uint32Array(2 ** 19)
  const list: number[] = [0]
  const nearest = new Float64Array(entries)
  const candidatesOf = (r: number, g: number, b: number, a: number): number => {
    const low = [r & 0xf8, g & 0xf8, b & 0xf8, a & 0xf0]
    let bound = Infinity
    for (let k = 0; k < entries; k++) {
      let near = 0
      let far = 0
      for (let c = 0; c < 4; c++) {
        const below = palette[4 * k + c] - low[c]
        const above = low[c] + (c === 3 ? 15 : 7) - palette[4 * k + c]
        if (below < 0) near += below * below
        else if (above < 0) near += above * above
        far += Math.max(below * below, above * above)
      }
      nearest[k] = near
      if (far < bound) bound = far
    }
    const start = list.length
    list.push(0)
    for (let k = 0; k < entries; k++) if (nearest[k] <= bound) list.push(k)
    list[start] = list.length - start - 1
    return start
  }
  for (let i = 0; i < n; i++) {
    const r = rgba[4 * i],
      g = rgba[4 * i + 1],
      b = rgba[4 * i + 2],
      a = rgba[4 * i + 3]
    const cell = ((r >> 3) << 14) | ((g >> 3) << 9) | ((b >> 3) << 4) | (a >> 4)
    const start = starts[cell] || (starts[cell] = candidatesOf(r, g, b, a))
    const end = start + list[start]
    let least = Infinity
    for (let at = start + 1; at <= end; at++) {
      const k = 4 * list[at]
      const distance = (r - palette[k]) ** 2 + (g - palette[k + 1]) ** 2 + (b - palette[k + 2]) ** 2 + (a - palette[k + 3]) ** 2
      if (distance >= least) continue
      least = distance
      out[i] = list[at]
    }
  }
  return out
}
