/**
 * Where a skeleton has hips, spine, head, arms and legs, told by its shape alone; names only say which side is left. Shape
 * serves where names are numbers or in another language, and finds what two figures have in common whatever their joints are
 * called and however many there are of them.
 */
import { sideOfName } from '../scene/sides.ts'
import { cross, directionOf, dotOf, lengthOf, minus, vectorAt } from './turns.ts'
import type { Figure } from './figure.ts'
import type { Vector } from './turns.ts'

export interface Limb {
  /** from the trunk outwards: collar bones before the limb, its two bones, where they end, what comes behind */
  base: number[]
  upper: number
  /** -1 where there is none */
  lower: number
  end: number
  tip: number[]
}

export interface Sides<T> {
  left: T
  right: T
}

export interface Body {
  hips: number
  /** from the joint above the hips to the one that the arms hang on */
  spine: number[]
  neck: number[]
  /** -1 where there is none */
  head: number
  legs?: Sides<Limb>
  arms?: Sides<Limb>
  /** direction to the figure's left, level, of length 1 */
  left: Vector
}

/** Ends of legs are within this share of the height above the lowest joint. */
const LOW = 0.15
/** Limbs of a pair differ less in length. */
const UNEVEN = 0.15
/** Lengths of an upper arm that a collar bone has at most. */
const COLLAR = 0.6
/** Joints below one joint that are looked at in pairs. */
const MOST_CHILDREN = 64

/** Of its bones in the bind pose; above 0. */
export function legLength({ bind }: Figure, { upper, lower, end }: Limb): number {
  const at = (joint: number): Vector => vectorAt(bind.place, 3 * joint)
  const length = lower < 0 ? 0 : lengthOf(minus(at(lower), at(upper))) + (end < 0 ? 0 : lengthOf(minus(at(end), at(lower))))
  return length || 1
}

/** undefined where no two limbs reach down from one joint: no biped */
export function bodyOf(figure: Figure): Body | undefined {
  const tree = new Tree(figure)
  const legs = tree.legs()
  if (!legs) return undefined
  const { at: hips, pair } = legs
  let lateral = directionOf(level(minus(tree.place(pair[0].at(-1)!), tree.place(pair[1].at(-1)!))))
  if (!lateral) return undefined
  const [a, b] = pair.map((path) => limbOf(tree, path))
  const arms = tree.arms(hips, pair, lateral)
  // `lateral` leads from the second to the first of each pair
  const firstIsLeft = firstLeft(figure, [a, b], arms?.pair, lateral)
  if (!firstIsLeft) lateral = [-lateral[0], -lateral[1], -lateral[2]]
  const sides = <T>([first, second]: readonly T[]): Sides<T> =>
    firstIsLeft ? { left: first, right: second } : { left: second, right: first }
  const body: Body = { hips, spine: [], neck: [], head: -1, legs: sides([a, b]), left: lateral }
  let top = hips
  if (arms) {
    top = arms.at
    body.arms = sides(arms.pair.map((path) => armOf(tree, path)))
    body.spine = tree.way(hips, top)
    // collar bones of some figures hang on the neck: what stands as high as the shoulders is no chest
    const shoulders = [body.arms.left.upper, body.arms.right.upper].map((joint) => tree.place(joint)[1])
    while (body.spine.length > 1 && tree.place(body.spine.at(-1)!)[1] >= Math.max(...shoulders)) body.neck.unshift(body.spine.pop()!)
  }
  const up = tree.up(top, [...pair, ...(arms?.pair ?? [])])
  if (up.length > 0) {
    // behind a head there are only its ends, hair and jaws: the neck is what leads to it
    const head = Math.min(up.length - 1, headOf(tree, up))
    body.neck.push(...up.slice(0, head))
    body.head = up[head]
  }
  return body
}

/** Of a way up from the chest: a head is where the way forks, or the second of it. */
function headOf(tree: Tree, up: readonly number[]): number {
  const forks = up.findIndex((joint) => tree.children[joint].length > 1)
  return forks >= 0 ? forks : up.length > 1 ? 1 : 0
}

class Tree {
  readonly children: number[][]
  private readonly figure: Figure
  private readonly low: number

  constructor(figure: Figure) {
    this.figure = figure
    this.children = Array.from({ length: figure.count }, () => [])
    let low = Infinity
    for (let i = 0; i < figure.count; i++) {
      if (!figure.bone[i]) continue
      low = Math.min(low, this.place(i)[1])
      const parent = figure.parents[i]
      if (parent >= 0) this.children[parent].push(i)
    }
    this.low = low
  }

  place(joint: number): Vector {
    return vectorAt(this.figure.bind.place, 3 * joint)
  }

  /** The joint from which the longest even pair of ways leads down to the ground. */
  legs(): { at: number; pair: [number[], number[]] } | undefined {
    const { count, height } = this.figure
    let best: { at: number; pair: [number[], number[]]; drop: number } | undefined
    const ways = this.ways((path) => -this.place(path.at(-1)!)[1])
    for (let at = 0; at < count; at++) {
      for (const [a, b] of pairsOf(this.children[at])) {
        const pair: [number[], number[]] = [ways[a], ways[b]]
        const ends = pair.map((path) => this.place(path.at(-1)!))
        if (ends.some((end) => end[1] > this.low + LOW * height)) continue
        if (lengthOf(level(minus(ends[0], ends[1]))) < 0.02 * height || !this.even(at, pair)) continue
        const drop = this.place(at)[1] - Math.max(ends[0][1], ends[1][1])
        if (drop > 0.2 * height && drop > (best?.drop ?? 0)) best = { at, pair, drop }
      }
    }
    return best
  }

  /** The longest even pair of ways to both sides that is no leg. */
  arms(hips: number, legs: readonly number[][], lateral: Vector): { at: number; pair: [number[], number[]] } | undefined {
    const { count, height } = this.figure
    const taken = new Set(legs.map((path) => path[0]))
    const across = (joint: number): number => dotOf(minus(this.place(joint), this.place(hips)), lateral)
    const ways = this.ways((path) => this.lengthOf(path))
    let best: { at: number; pair: [number[], number[]]; length: number } | undefined
    for (let at = 0; at < count; at++) {
      if (!this.below(at, hips)) continue
      for (const [a, b] of pairsOf(this.children[at].filter((child) => !taken.has(child)))) {
        const pair: [number[], number[]] = across(ways[a].at(-1)!) > across(ways[b].at(-1)!) ? [ways[a], ways[b]] : [ways[b], ways[a]]
        if (!(across(pair[0].at(-1)!) > 0.05 * height && across(pair[1].at(-1)!) < -0.05 * height)) continue
        if (!this.even(at, pair)) continue
        const length = Math.min(...pair.map((path) => this.lengthOf([at, ...path])))
        if (length > 0.2 * height && length > (best?.length ?? 0)) best = { at, pair, length }
      }
    }
    return best
  }

  /** Joints from the chest to the highest above it, limbs aside. */
  up(chest: number, limbs: readonly number[][]): number[] {
    const taken = new Set(limbs.map((path) => path[0]))
    const ways = this.ways((path) => this.place(path.at(-1)!)[1])
    const found = this.children[chest].filter((child) => !taken.has(child)).map((child) => ways[child])
    const top = found.sort((a, b) => this.place(b.at(-1)!)[1] - this.place(a.at(-1)!)[1]).at(0)
    return top && this.place(top.at(-1)!)[1] > this.place(chest)[1] ? top : []
  }

  /** Joints below `from` down to `to`, which is below it. */
  way(from: number, to: number): number[] {
    const out: number[] = []
    for (let joint = to; joint >= 0 && joint !== from; joint = this.figure.parents[joint]) out.unshift(joint)
    return out
  }

  lengthOf(path: readonly number[]): number {
    let sum = 0
    for (let i = 1; i < path.length; i++) sum += lengthOf(minus(this.place(path[i]), this.place(path[i - 1])))
    return sum
  }

  private below(joint: number, top: number): boolean {
    let at = joint
    while (at > top) at = this.figure.parents[at]
    return at === top
  }

  private even(at: number, [a, b]: readonly number[][]): boolean {
    const [la, lb] = [this.lengthOf([at, ...a]), this.lengthOf([at, ...b])]
    return Math.abs(la - lb) <= UNEVEN * Math.max(la, lb)
  }

  /** For each joint the way down from it that scores most, itself first; the shortest of equals. */
  private ways(score: (path: readonly number[]) => number): number[][] {
    const out: number[][] = []
    for (let i = this.figure.count - 1; i >= 0; i--) {
      out[i] = [i]
      let best = score(out[i])
      for (const child of this.children[i]) {
        const path = [i, ...out[child]]
        const value = score(path)
        if (value > best + 1e-9 * this.figure.height) {
          best = value
          out[i] = path
        }
      }
    }
    return out
  }
}

/** Of a way outwards the two longest bones in a row are the limb. */
function limbOf(tree: Tree, path: readonly number[]): Limb {
  if (path.length < 3) return { base: [], upper: path[0], lower: path[1] ?? -1, end: -1, tip: [] }
  let at = 0
  let most = -1
  for (let i = 0; i + 2 < path.length; i++) {
    const length = tree.lengthOf(path.slice(i, i + 3))
    if (length > most) {
      most = length
      at = i
    }
  }
  return { base: path.slice(0, at), upper: path[at], lower: path[at + 1], end: path[at + 2], tip: path.slice(at + 3) }
}

/** A short bone before a long one is a collar bone: of such an arm the hand is no joint. */
function armOf(tree: Tree, path: readonly number[]): Limb {
  const [collar, upper, lower] = path
  if (path.length !== 3 || tree.lengthOf([collar, upper]) > COLLAR * tree.lengthOf([upper, lower])) return limbOf(tree, path)
  return { base: [collar], upper, lower, end: -1, tip: [] }
}

/** Whether the first of each pair is the left one: by names, else by where the toes show, else as figures stand in a scene (facing +Z). */
function firstLeft(figure: Figure, legs: readonly Limb[], arms: readonly number[][] | undefined, lateral: Vector): boolean {
  let [votes, named] = [0, 0]
  const vote = (joints: readonly number[], sign: number): void => {
    for (const joint of joints) {
      const side = joint >= 0 ? sideOfName(figure.names[joint]) : null
      if (side === null) continue
      named++
      votes += side === 'left' ? sign : -sign
    }
  }
  legs.forEach((leg, i) => vote([leg.upper, leg.lower, leg.end], i === 0 ? 1 : -1))
  arms?.forEach((path, i) => vote(path, i === 0 ? 1 : -1))
  // names that contradict each other say nothing
  if (Math.abs(votes) > 0.5 * named) return votes > 0
  let forward: Vector = [0, 0, 0]
  for (const { end, tip } of legs) {
    if (end < 0 || tip.length === 0) continue
    const toe = minus(vectorAt(figure.bind.place, 3 * tip.at(-1)!), vectorAt(figure.bind.place, 3 * end))
    forward = [forward[0] + toe[0], 0, forward[2] + toe[2]]
  }
  if (lengthOf(forward) < 0.01 * figure.height) forward = [0, 0, 1]
  // left, up, front is a right-handed set
  return dotOf(cross([0, 1, 0], forward), lateral) > 0
}

function level(v: Vector): Vector {
  return [v[0], 0, v[2]]
}

function pairsOf(children: readonly number[]): [number, number][] {
  const few = children.slice(0, MOST_CHILDREN)
  return few.flatMap((a, i) => few.slice(i + 1).map((b): [number, number] => [a, b]))
}
