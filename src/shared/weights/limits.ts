/** What a file can store for one vertex, and how a row is made to fit it. Nothing here knows a game: the family states its limits. */
import type { WeightLimits } from '../api/types/weights.ts'
import { isText, say } from '../texts/say.ts'
import type { Influence } from './rows.ts'

/** What making a row fit took from it. */
export interface Loss {
  /** bones that had no room */
  cut: number
  /** most that a weight changed by rounding to the file's step, native scale */
  rounded: number
}

/**
 * A row as the file can hold it: one entry per bone, no zeros (so that what counts stands in front), the largest `maxInfluences`
 * of them, scaled to `sum` and rounded to the file's step so that it still comes to exactly that. Order is kept, ties go to the first.
 * A row that fits already is given back as it is, number for number.
 * @param sum wanted total, at most the full weight
 * @param loss what it takes is added here
 * @returns empty where nothing has a weight
 */
export function fit(list: readonly Influence[], limits: WeightLimits, sum = limits.fullWeight, loss?: Loss): Influence[] {
  let out: Influence[] = []
  for (const { bone, weight } of list) {
    if (!(weight > 0) || !Number.isFinite(weight)) continue
    const known = out.find((i) => i.bone === bone)
    if (known) known.weight += weight
    else out.push({ bone, weight })
  }
  if (limits.maxInfluences > 0 && out.length > limits.maxInfluences) {
    if (loss) loss.cut += out.length - limits.maxInfluences
    out = largest(out, limits.maxInfluences)
  }
  const total = totalOf(out)
  if (!(total > 0) || !(sum > 0)) return []
  const wanted = Math.min(sum, limits.fullWeight)
  if (limits.step > 0) return quantise(out, limits.step, wanted, loss)
  if (Math.abs(total - wanted) > wanted * 1e-6) for (const i of out) i.weight = Math.min(wanted, (i.weight / total) * wanted)
  // what is no number any more in the file's 32 bits is no weight
  return out.filter((i) => Math.fround(i.weight) > 0)
}

export function totalOf(list: readonly Influence[]): number {
  return list.reduce((n, i) => n + i.weight, 0)
}

/** The `count` largest, in the order they stood in. */
export function largest(list: readonly Influence[], count: number): Influence[] {
  const kept = new Set(
    list
      .map((entry, i) => ({ entry, i }))
      .sort((a, b) => b.entry.weight - a.entry.weight || a.i - b.i)
      .slice(0, count)
      .map(({ i }) => i),
  )
  return list.filter((_, i) => kept.has(i))
}

/** Whole steps that come to exactly the sum: everyone gets the steps below, the steps that are left go to the largest remainders. */
function quantise(list: readonly Influence[], step: number, sum: number, loss?: Loss): Influence[] {
  const total = totalOf(list)
  const units = Math.max(1, Math.round(sum / step))
  const exact = list.map((i) => (i.weight / total) * units)
  const whole = exact.map((x) => Math.floor(x + 1e-7))
  let left = units - whole.reduce((a, b) => a + b, 0)
  const order = exact.map((_, i) => i).sort((a, b) => exact[b] - whole[b] - (exact[a] - whole[a]) || a - b)
  for (const i of order) {
    if (left <= 0) break
    whole[i]++
    left--
  }
  if (loss) for (let i = 0; i < exact.length; i++) loss.rounded = Math.max(loss.rounded, Math.abs(whole[i] - exact[i]) * step)
  return list.map(({ bone }, i) => ({ bone, weight: whole[i] * step })).filter((i) => i.weight > 0)
}

/** What the file stores, in a few words: `percent, two bones`. */
export function describeLimits(limits: WeightLimits): string {
  const { fullWeight, maxInfluences, step, packedFront } = limits
  if (maxInfluences === 1) return say('weights.limits.oneBone')
  const told = { scale: scaleOf(fullWeight, step), bones: bonesOf(maxInfluences) }
  return packedFront && maxInfluences > 2 ? say('weights.limits.largestFirst', told) : say('weights.limits.any', told)
}

function scaleOf(full: number, step: number): string {
  if (step <= 0) return say('weights.limits.scale', { full })
  return full === 100 && step === 1 ? say('weights.limits.percent') : say('weights.limits.steps', { full, step })
}

/** How many bones a vertex may have; few of them in words. */
function bonesOf(most: number): string {
  if (most <= 0) return say('weights.limits.anyBones')
  const inWords = `weights.limits.most${most}`
  return isText(inWords) ? say(inWords) : say('weights.limits.bones', { number: most })
}
