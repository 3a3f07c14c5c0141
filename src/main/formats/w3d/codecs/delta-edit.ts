/**
 * Changed frames of adaptive deltas. A block keeps its steps, and each delta keeps its bits but for those that lead to a changed frame and back
 * from it: sums of whole steps meet again, and where floats of 32 bits round them apart, deltas beside them are looked for that come back to the
 * bit. Only a component whose steps do not reach what is wanted is coded anew in its block.
 */
import { STEP_TABLE, blockSize, blocksFor, codeBlock, decodeDeltas, deltaAt, encodeDeltas, errorOf } from './delta-coding.ts'
import { scaleFor, setDelta, stepOf } from './delta-coding.ts'
import type { DeltaBits, DeltaStream } from './delta-coding.ts'

/** Deltas to each side of the nearest that are tried. */
const BESIDE = 2
/** Steps that a changed frame may be off, so that the frames behind it keep their bits; the nearest deltas are up to half a step off. */
const STEPS_OFF = { 4: 0.6, 8: 1 } as const
/** Steps from what is wanted at which it is out of reach. */
const OUT_OF_REACH = 0.6
/** Share of an edit that is lost, at which it is not made. */
const SWALLOWED = 0.95

interface Edit {
  next: DeltaStream
  frames: number
  before: Float32Array
  wanted: Float32Array
  /** 1 for each frame that the edit changes */
  changed: Uint8Array
  /** how far it goes at the most */
  most: number
}

/** Deltas that one component may take to a changed frame. */
interface Choice {
  deltas: number[]
  values: number[]
  /** how far the frame behind it is then from where it was */
  apart: number[]
}

/**
 * Codes changed frames into a stream.
 * @param wanted values of all frames after the edit
 * @param changed frames that the edit changed
 * @returns the stream, and the largest difference of a decoded number from what was wanted
 */
export function recodeDeltas(
  stream: DeltaStream,
  frames: number,
  wanted: Float32Array,
  changed: readonly number[],
): { stream: DeltaStream; error: number } {
  const { width, bits } = stream
  const before = decodeDeltas(stream, frames)
  const next: DeltaStream = { ...stream, init: stream.init.slice(), blocks: stream.blocks.slice() }
  const need = scaleFor(wanted, frames, width, bits)
  const size = blockSize(bits) * width
  const blocks = Math.min(blocksFor(frames), Math.floor(stream.blocks.length / size))
  // without movement any scale and any steps say the same
  if (stream.scale === 0) next.blocks.fill(bits === 8 ? 0x80 : 0)
  if (isStill(next, blocks * width)) next.scale = need
  // a stream that cannot reach the new values is coded whole
  if (!(next.scale > 0) || !Number.isFinite(next.scale) || need > next.scale * STEP_TABLE[15])
    return encodeDeltas(wanted, frames, width, bits)
  const edit: Edit = { next, frames, before, wanted, changed: new Uint8Array(frames), most: 0 }
  for (const f of changed) for (let c = 0; c < width; c++) if (!Object.is(wanted[f * width + c], before[f * width + c])) edit.changed[f] = 1
  for (const f of changed) if (edit.changed[f]) edit.most = Math.max(edit.most, moved(edit, f))
  if (edit.changed[0]) setFirst(edit)
  const values = next.init.slice()
  for (let b = 0; b < blocks; b++) editBlock(edit, b, values)
  return { stream: next, error: errorOf(next, wanted, frames) }
}

function isStill({ bits, blocks }: DeltaStream, count: number): boolean {
  const size = blockSize(bits)
  const none = bits === 8 ? 0x80 : 0
  for (let i = 0; i < count; i++) for (let k = 1; k < size; k++) if (blocks[i * size + k] !== none) return false
  return true
}

const rangeOf = (bits: DeltaBits): readonly [number, number] => (bits === 8 ? [-128, 127] : [-8, 7])

/** The delta that comes nearest to going so far. */
function nearest(bits: DeltaBits, way: number, step: number): number {
  const [low, high] = rangeOf(bits)
  return step === 0 ? 0 : Math.max(low, Math.min(high, Math.round(way / step))) || 0
}

const advance = (value: number, delta: number, step: number): number => Math.fround(value + Math.fround(delta * step))

/** Frame 0 is stored whole: it takes the value next to what is wanted from which a delta leads to frame 1 as it was. */
function setFirst({ next, frames, before, wanted, changed }: Edit): void {
  const { width, bits, init } = next
  init.set(wanted.subarray(0, width))
  if (frames < 2 || changed[1]) return
  for (let c = 0; c < width; c++) {
    const at = c * blockSize(bits)
    const step = stepOf(next, next.blocks[at])
    const target = before[width + c]
    const way = Math.fround(nearest(bits, target - wanted[c], step) * step)
    const value = Math.fround(target - way)
    if (Math.abs(value - wanted[c]) <= Math.abs(step) / 2 && Object.is(Math.fround(value + way), target)) init[c] = value
  }
}

/** @param values of the frame before the block; of its last frame afterwards */
function editBlock(edit: Edit, b: number, values: Float32Array): void {
  const { next, frames, before, changed } = edit
  const { width } = next
  const first = 16 * b
  const count = Math.min(16, frames - 1 - first)
  let changes = 0
  for (let k = 1; k <= count; k++) changes += changed[first + k]
  if (count <= 0) return
  if (changes === 0 && values.every((value, c) => Object.is(value, before[first * width + c]))) {
    values.set(before.subarray((first + count) * width, (first + count + 1) * width))
    return
  }
  const start = values.slice()
  if (changes === count) {
    for (let c = 0; c < width; c++) values[c] = codeBlock(next, edit.wanted, frames, b, c, start[c])
    return
  }
  for (let c = 0; c < width; c++) freeStep(edit, b, c, count, start[c])
  const size = blockSize(next.bits)
  const at = (c: number): number => (b * width + c) * size
  const was = next.blocks.slice(at(0), at(width))
  const anew = new Uint8Array(width)
  for (;;) {
    values.set(start)
    const more = walkBlock(edit, b, count, values, anew)?.map((far, c) => far & ~anew[c])
    if (!more?.includes(1)) return
    for (let c = 0; c < width; c++) {
      anew[c] |= more[c]
      if (!anew[c]) next.blocks.set(was.subarray(c * size, (c + 1) * size), at(c))
      else if (more[c]) codeBlock(next, edit.wanted, frames, b, c, start[c])
    }
  }
}

/**
 * Writes the deltas of a block that lead to changed frames and back, with the steps that it has.
 * @param anew 1 for components whose deltas stay: they are coded anew
 * @returns components that do not reach what is wanted, null where the block as a whole is near enough
 */
function walkBlock(edit: Edit, b: number, count: number, values: Float32Array, anew: Uint8Array): Uint8Array | null {
  const { next, before, wanted, changed } = edit
  const { width, bits } = next
  const at = Array.from({ length: width }, (_, c) => (b * width + c) * blockSize(bits))
  const steps = at.map((block) => stepOf(next, next.blocks[block]))
  const step = Math.hypot(...steps)
  const far = new Uint8Array(width)
  let holds = true
  for (let k = 0; k < count; k++) {
    const f = 16 * b + k + 1
    const deltas = changed[f] ? choose(edit, b, k, values, steps, anew) : null
    let round = 0
    for (let c = 0; c < width; c++) {
      const off = Math.abs(values[c] - before[(f - 1) * width + c])
      const way = wanted[f * width + c] - values[c]
      if (deltas) setDelta(next, at[c], k, deltas[c])
      // what came back to the bit goes on as it was, and what is less than half a step off is no nearer with another delta
      else if (!anew[c] && off > 0 && (changed[f - 1] || off > Math.abs(steps[c]) / 2))
        setDelta(next, at[c], k, nearest(bits, way, steps[c]))
      if (Math.abs(way - nearest(bits, way, steps[c]) * steps[c]) > Math.abs(steps[c]) * OUT_OF_REACH) {
        far[c] = 1
        if (!changed[f]) holds = false
      }
      values[c] = advance(values[c], deltaAt(next, at[c], k), steps[c])
      round = Math.max(round, Math.abs(wanted[f * width + c]) * 2 ** -20)
    }
    const off = distance(values, wanted, f * width) - round
    // where a coarse step would swallow the edit it gets a finer one; what is small beside the rest of the edit may go
    const way = changed[f] ? moved(edit, f) : 0
    if (way > 0 && way >= edit.most / 2 && off > SWALLOWED * way) {
      holds = false
      for (let c = 0; c < width; c++) if (Math.abs(values[c] - wanted[f * width + c]) >= off / 2) far[c] = 1
    }
    if (off > step * STEPS_OFF[bits] || (off > step / 2 && (!changed[f] || far.includes(1)))) holds = false
  }
  return holds ? null : far
}

/** A component that moves in a block on the changed frames alone may have any step there: the one that meets them best and comes back. */
function freeStep({ next, before, wanted, changed }: Edit, b: number, c: number, count: number, start: number): void {
  const { width, bits } = next
  const at = (b * width + c) * blockSize(bits)
  const first = 16 * b
  const led = (k: number): boolean => changed[first + k + 1] === 1 || changed[first + k] === 1
  let moves = false
  for (let k = 0; k < count; k++) {
    if (led(k)) moves = true
    else if (deltaAt(next, at, k) !== 0) return
  }
  if (!moves) return
  let least = Infinity
  let best = next.blocks[at]
  for (let filter = 0; filter < 256; filter++) {
    const step = stepOf(next, filter)
    let value = start
    let off = 0
    let apart = 0
    let way = 0
    for (let k = 0; k < count; k++) {
      const i = (first + k + 1) * width + c
      if (led(k)) value = advance(value, nearest(bits, wanted[i] - value, step), step)
      if (changed[first + k + 1]) off = Math.max(off, Math.abs(value - wanted[i]))
      else apart = Math.max(apart, Math.abs(value - before[i]))
      way = Math.max(way, Math.abs(wanted[i] - before[i]))
    }
    // a hundredth of the way is less than what the last bit of a float weighs
    const cost = off + 4 * apart + (apart > 0 ? way / 100 : 0)
    if (cost < least || (cost === least && filter === next.blocks[at])) {
      least = cost
      best = filter
    }
  }
  next.blocks[at] = best
}

/** Deltas to a changed frame: near to it, and where the frame behind it stays, such that it keeps its bits. */
function choose(edit: Edit, b: number, k: number, from: Float32Array, steps: readonly number[], anew: Uint8Array): number[] {
  const { next, before, wanted, changed, frames } = edit
  const { width, bits } = next
  const f = 16 * b + k + 1
  const [low, high] = rangeOf(bits)
  const stays = f + 1 < frames && !changed[f + 1]
  const all: Choice[] = []
  const exact: Choice[] = []
  for (let c = 0; c < width; c++) {
    const at = (b * width + c) * blockSize(bits)
    const behind = k < 15 ? steps[c] : stepOf(next, next.blocks[at + width * blockSize(bits)] ?? 0)
    const middle = anew[c] ? deltaAt(next, at, k) : nearest(bits, wanted[f * width + c] - from[c], steps[c])
    // of what nobody knows there may be 255 components: too many for all that goes together
    const beside = anew[c] || width > 4 ? 0 : BESIDE
    const choice: Choice = { deltas: [], values: [], apart: [] }
    for (let delta = Math.max(low, middle - beside); delta <= Math.min(high, middle + beside); delta++) {
      const value = advance(from[c], delta, steps[c])
      const target = before[(f + 1) * width + c]
      choice.deltas.push(delta)
      choice.values.push(value)
      choice.apart.push(stays && !anew[c] ? Math.abs(advance(value, nearest(bits, target - value, behind), behind) - target) : 0)
    }
    all.push(choice)
    const same = Array.from(choice.apart.keys()).filter((i) => choice.apart[i] === 0)
    const only = (list: readonly number[]): number[] => same.map((i) => list[i])
    exact.push(same.length ? { deltas: only(choice.deltas), values: only(choice.values), apart: only(choice.apart) } : choice)
  }
  const found = combine(exact, wanted, f * width)
  const limit = Math.min(STEPS_OFF[bits] * Math.hypot(...steps), SWALLOWED * moved(edit, f))
  // where a component is coded anew the frames beside change as it is
  return !anew.includes(1) && found.cost <= limit ? found.deltas : combine(all, wanted, f * width).deltas
}

/** The combination of deltas that is nearest to what is wanted, and leaves least behind. */
function combine(choices: readonly Choice[], wanted: Float32Array, at: number): { deltas: number[]; cost: number } {
  const index = choices.map(() => 0)
  const values = new Float64Array(choices.length)
  let best: number[] = []
  let cost = Infinity
  for (let c = 0; c < choices.length;) {
    let apart = 0
    for (let i = 0; i < choices.length; i++) {
      values[i] = choices[i].values[index[i]]
      apart += choices[i].apart[index[i]] ** 2
    }
    const now = distance(values, wanted, at) + Math.sqrt(apart)
    if (now < cost) {
      cost = now
      best = index.slice()
    }
    for (c = 0; c < choices.length && ++index[c] === choices[c].deltas.length;) index[c++] = 0
  }
  return { deltas: best.map((i, c) => choices[c].deltas[i]), cost }
}

/** How far the edit goes at a frame. */
function moved({ next: { width }, before, wanted }: Edit, f: number): number {
  return distance(before.subarray(f * width, (f + 1) * width), wanted, f * width)
}

/** How far values are from those wanted; of rotations, which are made unit to be shown, their length counts a quarter. */
function distance(values: ArrayLike<number>, wanted: Float32Array, at: number): number {
  let off = 0
  let along = 0
  let length = 0
  for (let c = 0; c < values.length; c++) {
    const difference = values[c] - wanted[at + c]
    off += difference * difference
    along += difference * wanted[at + c]
    length += wanted[at + c] * wanted[at + c]
  }
  return Math.sqrt(values.length === 4 && length > 0 ? Math.max(0, off - (15 / 16) * ((along * along) / length)) : off)
}
