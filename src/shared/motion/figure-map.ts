/**
 * Which joints of one figure move which of another. Parts of the body are told by shape, joints by name; where the two agree
 * a joint is sure, where names contradict what the shape says they are not believed. Spines and necks of different length
 * are mapped as chains: a joint between two others takes part of both.
 */
import { matchJoints } from '../scene/joint-map.ts'
import { bodyOf } from './body.ts'
import { lengthOf, minus, vectorAt } from './turns.ts'
import type { Body, Limb } from './body.ts'
import type { Figure } from './figure.ts'

/** `given`: the user's word; `name`: called the same; `similar`: another word for it; `shape`: the same part of the body; `chain`: its place in one */
export type MapReason = 'given' | 'name' | 'similar' | 'shape' | 'chain' | 'none'

export interface FigureMap {
  /** per joint of the target: joint of the source, -1 for none */
  from: Int32Array
  /** per joint of the target: a second joint of the source and the share that it has, `from` and 0 for none */
  beside: Int32Array
  share: Float64Array
  why: MapReason[]
  /** parts of the body that both have and that are mapped, 0 to 1; below `SURE` somebody should look */
  score: number
  source?: Body
  target?: Body
}

export const SURE = 0.8
/** More of the names than this contradict the shape: they are not about this body. */
const WRONG = 0.4

/** @param given names of the source's joints by names of the target's; '' maps to none. Names that are not there are left out */
export function mapFigures(source: Figure, target: Figure, given: Readonly<Record<string, string>> = {}): FigureMap {
  const { count } = target
  const map: FigureMap = {
    from: new Int32Array(count).fill(-1),
    beside: new Int32Array(count).fill(-1),
    share: new Float64Array(count),
    why: Array.from({ length: count }, () => 'none'),
    score: 0,
    source: bodyOf(source),
    target: bodyOf(target),
  }
  const parts = { source: partsOf(map.source), target: partsOf(map.target) }
  const byName = matchJoints(named(target), named(source))
  const partOfSource = new Map([...parts.source].map(([part, joint]) => [joint, part]))
  const partOfTarget = new Map([...parts.target].map(([part, joint]) => [joint, part]))
  const contradicts = (joint: number, other: number): boolean => {
    const [a, b] = [partOfTarget.get(joint), partOfSource.get(other)]
    return a !== undefined && b !== undefined && a !== b && !sameChain(a, b)
  }
  const both = byName.flatMap(({ joint, why }, i) =>
    joint >= 0 && partOfTarget.has(i) && partOfSource.has(joint) && why !== 'place' ? [i] : [],
  )
  const wrong = both.filter((i) => contradicts(i, byName[i].joint)).length
  const believed = wrong <= WRONG * both.length
  const take = (joint: number, from: number, why: MapReason): void => {
    map.from[joint] = from
    map.beside[joint] = from
    map.why[joint] = why
  }
  for (let i = 0; i < count; i++) {
    const { joint, why } = byName[i]
    if (!believed || joint < 0 || (why !== 'name' && why !== 'similar')) continue
    if (why === 'similar' && contradicts(i, joint)) continue
    take(i, joint, why)
  }
  // the body's parts over likenesses of names
  for (const [part, joint] of parts.target) {
    const from = parts.source.get(part)
    if (from === undefined || map.from[joint] === from || map.why[joint] === 'name') continue
    const owner = map.from.indexOf(from)
    if (owner >= 0 && map.why[owner] === 'name') continue
    if (owner >= 0) take(owner, -1, 'none')
    take(joint, from, 'shape')
  }
  if (map.source && map.target)
    for (const chain of ['spine', 'neck'] as const) chainOf(map, source, target, map.source[chain], map.target[chain], chain, take)
  if (map.source && map.target) carriersOf(map, target, take)
  for (const [name, other] of Object.entries(given)) {
    const joint = indexOf(target, name)
    if (joint < 0) continue
    const from = other === '' ? -1 : indexOf(source, other)
    if (other !== '' && from < 0) continue
    take(joint, from, other === '' ? 'none' : 'given')
    map.share[joint] = 0
  }
  map.score = scoreOf(map, parts, byName.length)
  return map
}

function named({ names, parents, bone }: Figure): Parameters<typeof matchJoints>[0] {
  return { names, parents, others: new Set(Array.from(bone.keys()).filter((i) => bone[i] === 0)) }
}

function indexOf(figure: Figure, name: string): number {
  const exact = figure.names.indexOf(name)
  return exact >= 0 ? exact : figure.names.findIndex((own) => own.trim().toLowerCase() === name.trim().toLowerCase())
}

/** Joints of a body by what they are of it. */
function partsOf(body: Body | undefined): Map<string, number> {
  const out = new Map<string, number>()
  if (!body) return out
  const put = (part: string, joint: number | undefined): void => {
    if (joint !== undefined && joint >= 0) out.set(part, joint)
  }
  put('hips', body.hips)
  body.spine.forEach((joint, i) => put(`spine ${i}`, joint))
  body.neck.forEach((joint, i) => put(`neck ${i}`, joint))
  put('head', body.head)
  const limb = (kind: string, { base, upper, lower, end, tip }: Limb): void => {
    put(`${kind} base`, base.at(-1))
    put(`${kind} upper`, upper)
    put(`${kind} lower`, lower)
    put(`${kind} end`, end)
    if (kind.startsWith('leg')) put(`${kind} tip`, tip[0])
  }
  for (const kind of ['legs', 'arms'] as const)
    for (const side of ['left', 'right'] as const) {
      const found = body[kind]?.[side]
      if (found) limb(`${kind.slice(0, 3)} ${side}`, found)
    }
  return out
}

function sameChain(a: string, b: string): boolean {
  const kind = (part: string): string => part.replace(/ \d+$/u, '')
  return kind(a) === kind(b) || (['spine', 'hips'].includes(kind(a)) && ['spine', 'hips'].includes(kind(b)))
}

/** What carries the hips and stands where they stand turns and goes with them: flesh hangs on it, and on some figures the way over the ground. */
function carriersOf(map: FigureMap, target: Figure, take: (joint: number, from: number, why: MapReason) => void): void {
  const hips = map.target!.hips
  const from = map.from[hips]
  if (from < 0) return
  const place = vectorAt(target.bind.place, 3 * hips)
  for (let joint = target.parents[hips]; joint >= 0; joint = target.parents[joint]) {
    if (!target.bone[joint] || lengthOf(minus(vectorAt(target.bind.place, 3 * joint), place)) > BESIDE * target.height) return
    if (map.from[joint] < 0) take(joint, from, 'chain')
  }
}

/** Joints that stand as near, in heights of the figure, stand in one place. */
export const BESIDE = 0.15

/** Joints of two chains by their place along them, from what they hang on (0) to the last (1). */
function chainOf(
  map: FigureMap,
  source: Figure,
  target: Figure,
  from: readonly number[],
  to: readonly number[],
  chain: 'spine' | 'neck',
  take: (joint: number, from: number, why: MapReason) => void,
): void {
  if (from.length === 0 || to.length === 0) return
  const sure = to.every((joint) => map.why[joint] === 'name')
  if (sure && from.length === to.length) return
  const before = chain === 'spine' ? map.source!.hips : (map.source!.spine.at(-1) ?? map.source!.hips)
  const there = [before, ...from]
  const at = alongOf(source, there)
  const own = alongOf(target, [chain === 'spine' ? map.target!.hips : (map.target!.spine.at(-1) ?? map.target!.hips), ...to])
  to.forEach((joint, i) => {
    if (from.length === to.length) {
      if (map.from[joint] !== from[i]) take(joint, from[i], 'shape')
      return
    }
    const place = own[i + 1]
    let k = 1
    while (k < at.length - 1 && at[k] < place - 1e-9) k++
    const span = at[k] - at[k - 1]
    const share = span > 0 ? Math.min(1, Math.max(0, (place - at[k - 1]) / span)) : 1
    take(joint, there[k - 1], 'chain')
    map.beside[joint] = there[k]
    map.share[joint] = share
  })
}

/** Share of the length of a chain at each of its joints. */
function alongOf(figure: Figure, joints: readonly number[]): number[] {
  const out = [0]
  for (let i = 1; i < joints.length; i++)
    out.push(out[i - 1] + lengthOf(minus(vectorAt(figure.bind.place, 3 * joints[i]), vectorAt(figure.bind.place, 3 * joints[i - 1]))))
  const whole = out.at(-1)!
  return out.map((value, i) => (whole > 0 ? value / whole : i / (out.length - 1)))
}

function scoreOf(map: FigureMap, { source, target }: Record<'source' | 'target', Map<string, number>>, joints: number): number {
  if (target.size > 0 && source.size > 0) {
    // bases and tips are often left out, and chains are mapped as a whole
    const counts = [...target].filter(([part]) => !/base|tip|spine|neck/u.test(part))
    const spine = target.has('spine 0') ? [target.get('spine 0')!] : []
    const all = [...counts.map(([, joint]) => joint), ...spine]
    return all.filter((joint) => map.from[joint] >= 0).length / all.length
  }
  return joints > 0 ? map.from.filter((from) => from >= 0).length / joints : 0
}
