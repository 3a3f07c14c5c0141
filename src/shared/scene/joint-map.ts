/** Which joint of one skeleton is which of another, by name where names agree, by likeness and place where they do not. */
import { sideOfName } from './sides.ts'

export interface NamedJoints {
  names: readonly string[]
  /** index of the parent, -1 for none */
  parents: ArrayLike<number>
  /** not bones: taken only where the name is the same */
  others?: ReadonlySet<number>
}

/** `name`: the same but for case; `similar`: another word for it; `place`: the only one left where it must be */
export type MatchReason = 'name' | 'similar' | 'place' | 'none'

export interface JointMatch {
  /** index in the other skeleton, -1 for none; no index twice */
  joint: number
  why: MatchReason
}

/** Words for one part of a body; the first is what all are taken for. */
const WORDS: readonly (readonly string[])[] = [
  ['pelvis', 'hips', 'hip', 'cog', 'koshi', '腰'],
  ['spine', 'torso', 'waist', 'abdomen', '背骨'],
  ['chest', 'ribcage', 'ribs', 'upperchest', 'thorax', '胸'],
  ['neck', 'kubi', '首'],
  ['head', 'skull', 'atama', '頭'],
  ['clavicle', 'shoulder', 'collar', 'collarbone', '肩'],
  ['upperarm', 'uparm', 'arm', 'bicep', 'humerus', '腕'],
  ['forearm', 'lowerarm', 'lowarm', 'farm', 'elbow', 'ひじ'],
  ['hand', 'wrist', 'palm', '手', '手首'],
  ['thigh', 'upleg', 'upperleg', 'femur', 'もも'],
  ['calf', 'shin', 'leg', 'lowerleg', 'lowleg', 'knee', 'ひざ'],
  ['foot', 'ankle', '足', '足首'],
  ['toe', 'toes', 'toebase', 'ball', 'つま先'],
  ['thumb', 'oyayubi'],
  ['index', 'indexfinger', 'hitosashi'],
  ['middle', 'middlefinger', 'mid', 'nakayubi'],
  ['ring', 'ringfinger', 'kusuri'],
  ['pinky', 'little', 'pinkie', 'koyubi'],
]
const PART = new Map(WORDS.flatMap((words) => words.map((word) => [word, words[0]] as const)))
const SIDE_WORDS = new Set(['l', 'r', 'left', 'right', 'lt', 'rt', 'lf'])
/** Of the pairs of letters in two names, as many have to agree. */
const ALIKE = 0.6
/** Joints that are compared each with each. */
const MOST_ALIKE = 2000
const MOST_DEPTH = 500

interface Reading {
  /** words joined, without side and number */
  word: string
  /** another word for a part of the body put right */
  part: string
  /** digits at the end, -1 for none */
  number: number
  side: 'left' | 'right' | null
  depth: number
}

/** @returns one match for each joint of `from` */
export function matchJoints(from: NamedJoints, to: NamedJoints): JointMatch[] {
  const out: JointMatch[] = from.names.map(() => ({ joint: -1, why: 'none' }))
  const taken = new Uint8Array(to.names.length)
  const take = (i: number, joint: number, why: MatchReason): void => {
    out[i] = { joint, why }
    taken[joint] = 1
  }
  const byName = new Map<string, number>()
  to.names.forEach((name, j) => {
    if (!byName.has(name.trim().toLowerCase())) byName.set(name.trim().toLowerCase(), j)
  })
  from.names.forEach((name, i) => {
    const j = byName.get(name.trim().toLowerCase())
    if (j !== undefined && !taken[j]) take(i, j, 'name')
  })

  const ours = readings(from),
    theirs = readings(to)
  const left = (): number[] => out.flatMap((match, i) => (match.joint < 0 ? [i] : []))
  const free = (): number[] => to.names.flatMap((_, j) => (taken[j] || to.others?.has(j) ? [] : [j]))
  // the same word and side, then another word for the same: as many on both are a chain each, in order from the root; otherwise those of one number, then in order
  const inOrder =
    (all: Reading[]) =>
    (a: number, b: number): number =>
      all[a].number - all[b].number || all[a].depth - all[b].depth || a - b
  const grouped = (list: number[], all: Reading[], what: 'word' | 'part'): Map<string, number[]> => {
    const groups = new Map<string, number[]>()
    for (const k of list.sort(inOrder(all))) {
      const key = `${all[k][what]} ${all[k].side ?? ''}`
      const group = groups.get(key)
      if (group) group.push(k)
      else if (all[k][what]) groups.set(key, [k])
    }
    return groups
  }
  for (const what of ['word', 'part'] as const) {
    const groups = grouped(free(), theirs, what)
    for (const [key, list] of grouped(left(), ours, what)) {
      const there = groups.get(key) ?? []
      if (list.length !== there.length) {
        for (const i of list) {
          const j = there.find((k) => !taken[k] && theirs[k].number === ours[i].number)
          if (j !== undefined) take(i, j, 'similar')
        }
      }
      for (const i of list) {
        const j = out[i].joint < 0 ? there.find((k) => !taken[k]) : undefined
        if (j !== undefined) take(i, j, 'similar')
      }
    }
  }
  if (from.names.length > MOST_ALIKE || to.names.length > MOST_ALIKE) return out
  // names that are written alike, the surest first
  const open = left(),
    rest = free()
  const pairs = open
    .flatMap((i) => rest.flatMap((j) => (ours[i].side === theirs[j].side ? [{ i, j, score: likeness(ours[i].part, theirs[j].part) }] : [])))
    .filter(({ score }) => score >= ALIKE)
  for (const { i, j } of pairs.sort((a, b) => b.score - a.score || a.i - b.i || a.j - b.j))
    if (out[i].joint < 0 && !taken[j]) take(i, j, 'similar')
  // the only one that is left below the same parent, on the same side
  for (let found = true; found;) {
    found = false
    for (const i of left()) {
      const parent = from.parents[i] >= 0 ? out[from.parents[i]].joint : -2
      const fits = (children: number[], all: Reading[], side: Reading['side']): number[] => children.filter((c) => all[c].side === side)
      const here = fits(
        left().filter((k) => from.parents[k] === from.parents[i]),
        ours,
        ours[i].side,
      )
      const there = fits(
        free().filter((j) => to.parents[j] === (parent === -2 ? -1 : parent)),
        theirs,
        ours[i].side,
      )
      if (parent === -1 || here.length !== 1 || there.length !== 1) continue
      take(i, there[0], 'place')
      found = true
    }
  }
  return out
}

/** Names taken apart. Words that most names begin with (`Bip01`, `mixamorig`) say nothing. */
function readings({ names, parents }: NamedJoints): Reading[] {
  const words = names.map((name) => wordsOf(name))
  for (let round = 0; round < 3; round++) {
    const counts = new Map<string, number>()
    for (const [first] of words) if (first) counts.set(first, (counts.get(first) ?? 0) + 1)
    const [common] = [...counts].sort((a, b) => b[1] - a[1])
    if (!common || common[1] < 3 || common[1] < 0.6 * names.length || PART.has(common[0])) break
    for (const list of words) if (list[0] === common[0] && list.length > 1) list.shift()
  }
  const depths = new Int32Array(names.length)
  for (let i = 0; i < names.length; i++) for (let p = parents[i], n = 0; p >= 0 && n < MOST_DEPTH; p = parents[p], n++) depths[i]++
  return words.map((list, i) => {
    const numbers = list.filter((word) => /^\d+$/.test(word))
    const joined = list.filter((word) => !/^\d+$/.test(word) && !SIDE_WORDS.has(word)).join('')
    return {
      word: joined,
      part: PART.get(joined) ?? joined,
      number: numbers.length > 0 ? Number(numbers.at(-1)!.slice(0, 6)) : -1,
      side: sideOfName(list.join(' ')),
      depth: depths[i],
    }
  })
}

/** Lower-case words of a name: parted by signs, digits, and capitals. A name space before `:` or `|` is none of it. */
function wordsOf(name: string): string[] {
  const own = name.slice(Math.max(name.lastIndexOf(':'), name.lastIndexOf('|')) + 1).slice(0, 200)
  return own
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/([左右])/g, (_, side: string) => (side === '左' ? ' left ' : ' right '))
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/u)
    .filter(Boolean)
}

/** Share of pairs of letters that two names have in common, 0 to 1. */
function likeness(a: string, b: string): number {
  if (a.length < 2 || b.length < 2) return a === b && a !== '' ? 1 : 0
  const pairs = new Map<string, number>()
  for (let i = 0; i + 1 < a.length; i++) pairs.set(a.slice(i, i + 2), (pairs.get(a.slice(i, i + 2)) ?? 0) + 1)
  let same = 0
  for (let i = 0; i + 1 < b.length; i++) {
    const n = pairs.get(b.slice(i, i + 2)) ?? 0
    if (n === 0) continue
    pairs.set(b.slice(i, i + 2), n - 1)
    same++
  }
  return (2 * same) / (a.length + b.length - 2)
}
