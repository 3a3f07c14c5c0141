/** Palettes for RGBA pictures: which colours, and which of them each pixel gets. Palettes are RGBA too, four bytes an entry. */

/** A picture as entries of a palette. */
export interface Reindexed {
  palette: Uint8Array
  indices: Uint8Array
  /** the palette was made anew: what else goes by its entries shows other colours */
  renewed: boolean
}

/** The mean difference (root of the mean square of all pixels and channels, of 255) up to which the old palette is kept. */
const MOST_DIFFERENCE = 4

/**
 * A picture put in the place of another that goes by a palette, so that little changes: pixels that show what they showed keep
 * their index, colours that the palette has take the first such entry, other colours are written into entries that nothing goes by
 * any more. Where there are more colours than such entries, those that differ most get them, counted by their pixels, and the
 * rest the nearest entry. Only where the picture as a whole would differ by more than MOST_DIFFERENCE, and would differ less with
 * a palette of its own, it gets one (`choosePalette`, as many entries).
 * @param rgba colours as an entry can hold them
 * @param palette the old one; the same array comes back where no entry changes
 * @param before the picture of before in the same size, none where the size is another
 * @param elsewhere 1 for each entry that something beside this picture goes by, such as a smaller level
 */
export function reindex(
  rgba: Uint8Array,
  palette: Uint8Array,
  before?: { rgba: Uint8Array; indices: Uint8Array },
  elsewhere?: Uint8Array,
): Reindexed {
  const words = wordsOf(rgba)
  const then = before && wordsOf(before.rgba)
  const entries = palette.length / 4
  const entryOf = new Map<number, number>()
  wordsOf(palette).forEach((word, k) => entryOf.has(word) || entryOf.set(word, k))
  const taken = new Uint8Array(256)
  if (elsewhere) taken.set(elsewhere)
  const indices = new Uint8Array(words.length)
  const open = new Uint32Array(words.length)
  let count = 0
  for (let i = 0; i < words.length; i++) {
    const index = then && then[i] === words[i] ? before.indices[i] : entryOf.get(words[i])
    if (index === undefined) open[count++] = i
    else taken[(indices[i] = index)] = 1
  }
  if (count === 0) return { palette, indices, renewed: false }

  const fresh = new Uint8Array(Uint32Array.from(open.subarray(0, count), (i) => words[i]).buffer)
  const free = [...taken.keys()].filter((k) => k < entries && !taken[k])
  const kept = palette.slice()
  const colors = colorsFor(fresh, palette, taken, free.length)
  for (let k = 0; k < colors.length; k += 4) kept.set(colors.subarray(k, k + 4), 4 * free[k / 4])
  const nearest = nearestIndices(fresh, kept)
  for (let i = 0; i < count; i++) indices[open[i]] = nearest[i]
  const difference = squares(fresh, kept, nearest)
  if (difference > rgba.length * MOST_DIFFERENCE ** 2) {
    const own = new Uint8Array(palette.length)
    own.set(choosePalette(rgba, entries))
    const all = nearestIndices(rgba, own)
    if (squares(rgba, own, all) < difference) return { palette: own, indices: all, renewed: true }
  }
  return { palette: colors.length ? kept : palette, indices, renewed: false }
}

/** At most `most` colours for pixels that find none in the palette: those that lie farthest from the taken entries, by their pixels. */
function colorsFor(fresh: Uint8Array, palette: Uint8Array, taken: Uint8Array, most: number): Uint8Array {
  const colors = choosePalette(fresh, palette.length / 4)
  const count = colors.length / 4
  if (count <= most) return colors
  const pixels = new Float64Array(count)
  for (const k of nearestIndices(fresh, colors)) pixels[k]++
  const distances = new Float64Array(count).fill(Infinity)
  const from = (list: Uint8Array, k: number): void => {
    for (let c = 0; c < count; c++) distances[c] = Math.min(distances[c], square(colors, 4 * c, list, 4 * k))
  }
  for (let k = 0; k < palette.length / 4; k++) if (taken[k]) from(palette, k)
  const out = new Uint8Array(4 * most)
  for (let at = 0; at < most; at++) {
    let best = 0
    for (let c = 1; c < count; c++) if (pixels[c] * distances[c] > pixels[best] * distances[best]) best = c
    out.set(colors.subarray(4 * best, 4 * best + 4), 4 * at)
    from(colors, best)
  }
  return out
}

const square = (a: Uint8Array, i: number, b: Uint8Array, k: number): number =>
  (a[i] - b[k]) ** 2 + (a[i + 1] - b[k + 1]) ** 2 + (a[i + 2] - b[k + 2]) ** 2 + (a[i + 3] - b[k + 3]) ** 2

function squares(rgba: Uint8Array, palette: Uint8Array, indices: Uint8Array): number {
  let sum = 0
  for (let i = 0; i < indices.length; i++) sum += square(rgba, 4 * i, palette, 4 * indices[i])
  return sum
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
