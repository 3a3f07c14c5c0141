/**
 * Which node of a glTF is which joint, and which animation goes into which clip or slice. Tools number what has one name
 * (`.001`), put names of armatures, objects and layers around it, and cut what is long; whatever was taken for the same
 * is told.
 */
import { FormatError } from '../binary/format-error.ts'
import { clipRate, sliceRate } from './clip-window.ts'
import type { ExportedRest } from './exported-rest.ts'
import type { GltfAnimation, GltfFile } from './gltf-reader.ts'
import { animationNames, jointNames, nameFinder } from '../../shared/scene/animation-names.ts'
import type { AnimationPlace } from '../../shared/api/types/import.ts'
import type { Scene } from '../../shared/scene/types.ts'
import { say } from '../../shared/texts/say.ts'

/** A stretch of a clip that takes an animation. */
export interface Window {
  kind: 'clip' | 'slice'
  index: number
  name: string
  clip: number
  start: number
  end: number
  /** native time units per second */
  rate: number
}

export interface Job {
  /** numbers of the file's animations that it is made of */
  from: number[]
  /** by a name that is not quite the window's */
  assumed: boolean
  /** of several animations that move different joints, all together */
  animation: GltfAnimation
  window: Window
}

export interface WindowChoice {
  /** name or title of the glTF's animation, or its number; all that have a clip or slice of their name when absent */
  animation?: string
  /** where it goes; by name when absent */
  clip?: number
  slice?: number
  /** by number of the animation: `clip 0`, `slice 2`, '' for none; the others go by their names */
  into?: Readonly<Record<string, string>>
}

// --- joints -----------------------------------------------------------------------------------------------------------

export interface NodeMatch {
  /** node of each joint that has one */
  nodeOf: Map<number, number>
  /** animated nodes that no joint is called like */
  unmatched: string[]
  /** names that were taken for others, in words */
  assumed: string[]
  /** in words, nodes that were left out since others have their names: another copy of the figure */
  left: string[]
}

/** @param map the user's word: joints of nodes by their titles, '' for those that are left out */
export function matchNodes(scene: Scene, rest: ExportedRest, file: GltfFile, map: ReadonlyMap<string, string>): NodeMatch {
  const { names, parents } = scene.skeleton
  const jointCalled = nameFinder(rest.names)
  const out: NodeMatch = { nodeOf: new Map(), unmatched: [], assumed: [], left: [] }
  const jointOf = new Map<number, number>()
  const animated = new Set(file.animations.flatMap((animation) => animation.channels.map(({ index }) => index)))
  // joints that are moved, and joints of skins, before what only has the name; of several copies of a figure all from the one that moves most
  const order = file.nodes.map((_, i) => i)
  const weight = (i: number): number => (animated.has(i) ? 2 : 0) + (file.nodes[i].inverseBind ? 1 : 0)
  const tops = topsOf(file)
  const moving = new Map<number, number>()
  for (const node of animated) moving.set(tops[node], (moving.get(tops[node]) ?? 0) + 1)
  const copy = (i: number): number => moving.get(tops[i]) ?? 0
  order.sort((a, b) => weight(b) - weight(a) || copy(b) - copy(a) || tops[a] - tops[b] || a - b)
  const take = (node: number, joint: number): void => {
    out.nodeOf.set(joint, node)
    jointOf.set(node, joint)
  }
  const pass = (candidates: (name: string) => readonly number[]): void => {
    for (const node of order) {
      const { name, title, parent } = file.nodes[node]
      if (jointOf.has(node) || map.has(title)) continue
      const free = candidates(name).filter((joint) => !out.nodeOf.has(joint))
      // of several the one that hangs where the node hangs
      const joint = free.find((j) => parent >= 0 && jointOf.get(parent) === parents[j]) ?? free[0]
      if (joint !== undefined) take(node, joint)
    }
  }
  const byKey = (list: readonly string[], key: (name: string) => string): Map<string, number[]> => {
    const groups = new Map<string, number[]>()
    list.forEach((name, i) => groups.set(key(name), [...(groups.get(key(name)) ?? []), i]))
    return groups
  }
  file.nodes.forEach(({ title }, node) => {
    const joint = map.get(title)
    if (joint) take(node, jointCalled(joint))
  })
  const exported = byKey(rest.names, (name) => name)
  const native = byKey(names, (name) => name)
  const lower = byKey(names, (name) => name.toLowerCase())
  const cut = byKey(rest.names, cutName)
  pass((name) => exported.get(name) ?? [])
  pass((name) => native.get(name) ?? [])
  pass((name) => lower.get(name.toLowerCase()) ?? [])
  pass((name) => cut.get(name) ?? [])
  const loose = (name: string): readonly number[] => plainNames(name).flatMap((plain) => lower.get(plain.toLowerCase()) ?? [])
  pass(loose)
  const copies: string[] = []
  for (const node of animated) {
    const { name, title } = file.nodes[node]
    const joint = jointOf.get(node)
    if (joint === undefined) {
      if (map.get(title) === '') continue
      if ((exported.get(name) ?? lower.get(name.toLowerCase()) ?? []).some((own) => out.nodeOf.has(own))) copies.push(title)
      else out.unmatched.push(title)
    } else if (!map.has(title) && name !== names[joint] && name !== rest.names[joint] && name.toLowerCase() !== names[joint].toLowerCase())
      out.assumed.push(say('importedMotion.isTaken', { name: title, meaning: rest.names[joint] }))
  }
  if (copies.length > 0) out.left.push(say('importedMotion.copies', { count: copies.length, node: copies[0] }))
  return out
}

/** Of every node the one at the top of what it hangs on. */
function topsOf({ nodes }: GltfFile): Int32Array {
  const tops = new Int32Array(nodes.length).fill(-1)
  const path: number[] = []
  for (let i = 0; i < nodes.length; i++) {
    let at = i
    for (; tops[at] < 0 && nodes[at].parent >= 0; at = nodes[at].parent) path.push(at)
    const top = tops[at] < 0 ? (tops[at] = at) : tops[at]
    while (path.length > 0) tops[path.pop()!] = top
  }
  return tops
}

/** Bytes of a name that Blender keeps. */
const LONGEST = 63

function cutName(name: string): string {
  const bytes = new TextEncoder().encode(name)
  return bytes.length <= LONGEST ? name : new TextDecoder().decode(bytes.subarray(0, LONGEST)).replace(/\ufffd+$/u, '')
}

/** A name without what tools put around it, the likelier first. */
function plainNames(name: string): string[] {
  const numbered = name.replace(/\.\d{3,}$/u, '')
  const parts = numbered.split(/[|:]/u).filter(Boolean)
  return [...new Set([numbered, parts.at(-1) ?? '', ...parts, numbered.replace(/^(armature|rig|skeleton|root)[_.-]/iu, '')])].filter(
    (part) => part !== '' && part !== name,
  )
}

/** @throws FormatError invalid-argument where a joint is not there, or is taken twice */
export function checkedMap(scene: Scene, map: Readonly<Record<string, string>>): Map<string, string> {
  const taken = new Map<number, string>()
  const jointCalled = nameFinder(jointNames(scene.skeleton))
  for (const [node, name] of Object.entries(map)) {
    if (name === '') continue
    const joint = jointCalled(name)
    if (joint < 0) throw new FormatError('invalid-argument', say('importedMotion.noJoint', { name, node }))
    const other = taken.get(joint)
    if (other !== undefined) throw new FormatError('invalid-argument', say('importedMotion.bothMove', { other, node, name }))
    taken.set(joint, node)
  }
  return new Map(Object.entries(map))
}

// --- animations -------------------------------------------------------------------------------------------------------

export interface Plan {
  jobs: Job[]
  /** animations that were not taken */
  unused: string[]
  assumed: string[]
  left: string[]
}

/** Path of the error where no animation has a place. */
export const UNPLACED = 'animations'

/** Which animation goes where. @throws FormatError not-found, invalid-argument */
export function planJobs(scene: Scene, file: GltfFile, choice: WindowChoice): Plan {
  const { animations } = file
  if (animations.length === 0) throw new FormatError('not-found', say('importedMotion.noAnimation'))
  const named = choice.animation === undefined ? undefined : namedSo(animations, choice.animation)
  if (named?.length === 0)
    throw new FormatError(
      'not-found',
      say('importedMotion.notThisAnimation', { animation: choice.animation!, animations: listed(animations) }),
    )
  const from = named ?? animations
  const windows = windowsOf(scene)
  const unusedBut = (used: readonly GltfAnimation[]): string[] => animations.filter((a) => !used.includes(a)).map((a) => a.title)
  if (choice.clip !== undefined || choice.slice !== undefined) {
    const window =
      choice.clip !== undefined
        ? windows.find((w) => w.kind === 'clip' && w.index === choice.clip)
        : windows.find((w) => w.kind === 'slice' && w.index === choice.slice)
    if (!window)
      throw new FormatError(
        'invalid-argument',
        choice.clip !== undefined
          ? say('formats.missing.clip', { name: choice.clip })
          : say('formats.missing.slice', { name: choice.slice! }),
      )
    if (from.length > 1) throw new FormatError('invalid-argument', say('importedMotion.severalAnimations', { animations: listed(from) }))
    return {
      jobs: [{ animation: from[0], window, from: [animations.indexOf(from[0])], assumed: false }],
      unused: unusedBut(from),
      assumed: [],
      left: [],
    }
  }
  const plan: Plan = { jobs: [], unused: [], assumed: [], left: [] }
  const nodes = new Set(file.nodes.map(({ name }) => name))
  const found = from.flatMap((animation) => {
    const asked = choice.into?.[String(animations.indexOf(animation))]
    if (asked === '') return []
    const window = windows.find(({ kind, index }) => `${kind} ${index}` === asked)
    if (asked !== undefined && !window) throw new FormatError('invalid-argument', say('importedMotion.noPlace', { place: asked }))
    const hit = window ? { window, rank: 0 } : windowOf(windows, animation.name, nodes)
    return hit ? [{ animation, ...hit }] : []
  })
  const used: GltfAnimation[] = []
  for (const window of windows) {
    const here = found.filter((hit) => hit.window === window).sort((a, b) => a.rank - b.rank)
    const taken: GltfAnimation[] = []
    const moved = new Set<string>()
    for (const { animation, rank } of here) {
      const targets = animation.channels.map(({ index, path }) => `${index} ${path}`)
      if (targets.some((target) => moved.has(target))) {
        plan.left.push(say('importedMotion.takenAlready', { animation: animation.title, other: taken[0].title, window: titleOf(window) }))
        continue
      }
      targets.forEach((target) => moved.add(target))
      taken.push(animation)
      if (rank > 1) plan.assumed.push(say('importedMotion.isTaken', { name: animation.title, meaning: titleOf(window) }))
    }
    if (taken.length === 0) continue
    used.push(...taken)
    plan.jobs.push({
      animation: taken.length === 1 ? taken[0] : together(taken),
      window,
      from: taken.map((animation) => animations.indexOf(animation)),
      assumed: here.some(({ animation, rank }) => rank > 1 && taken.includes(animation)),
    })
  }
  if (plan.jobs.length === 0)
    throw new FormatError('invalid-argument', say('importedMotion.noneOfItsName', { animations: listed(from) }), { path: UNPLACED })
  plan.unused = unusedBut(used)
  // a slice is the finer word on its part of a clip
  plan.jobs.sort((a, b) => Number(a.window.kind === 'slice') - Number(b.window.kind === 'slice'))
  return plan
}

/** Where each animation of a file goes. */
export function placesOf(scene: Scene, file: GltfFile, choice: WindowChoice): AnimationPlace[] {
  let jobs: Job[] = []
  try {
    jobs = planJobs(scene, file, choice).jobs
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    // none of them has a place
  }
  return file.animations.map(({ title }, i) => {
    const job = jobs.find(({ from }) => from.includes(i))
    return { animation: title, into: job ? `${job.window.kind} ${job.window.index}` : '', assumed: job?.assumed ?? false }
  })
}

/** The window that a name means, and how far-fetched that is. */
function windowOf(windows: readonly Window[], name: string, nodes: ReadonlySet<string>): { window: Window; rank: number } | undefined {
  const lower = (text: string): string => text.toLowerCase()
  const objects = [...nodes].filter((node) => node !== '' && name.endsWith(`_${node}`)).map((node) => name.slice(0, -node.length - 1))
  const tries: ((w: Window) => boolean)[] = [
    (w) => w.name === name,
    (w) => lower(w.name) === lower(name),
    (w) => cutName(w.name) === name,
    // an action is called like its animation and its object
    (w) => objects.some((plain) => lower(plain) === lower(w.name)),
    // and a copy of it, which may be what was before an edit, has a number
    (w) => plainNames(name).some((plain) => lower(plain) === lower(w.name)),
    (w) => lower(name.replace(/_(armature|skeleton|rig)(\.\d+)?$/iu, '')) === lower(w.name),
  ]
  for (const [rank, fits] of tries.entries()) {
    const window = windows.find((w) => w.name !== '' && fits(w))
    if (window) return { window, rank }
  }
  return undefined
}

/** By name, by title where no name is so, else by number. */
function namedSo(animations: readonly GltfAnimation[], wanted: string): GltfAnimation[] {
  const tries: ((a: GltfAnimation, i: number) => boolean)[] = [
    ({ name }) => name === wanted,
    ({ title }) => title === wanted,
    (_, i) => String(i) === wanted,
  ]
  return tries.map((fits) => animations.filter(fits)).find((found) => found.length > 0) ?? []
}

function together(animations: readonly GltfAnimation[]): GltfAnimation {
  return {
    name: animations.map(({ name }) => name).join(' + '),
    title: animations.map(({ title }) => title).join(' + '),
    channels: animations.flatMap(({ channels }) => channels),
    ignored: animations.reduce((sum, { ignored }) => sum + ignored, 0),
    start: Math.min(...animations.map(({ start }) => start)),
    duration: Math.max(...animations.map(({ duration }) => duration)),
  }
}

/** What a window is called where the game gives it no name. */
function titleOf({ name, kind, index }: Window): string {
  return name || say(kind === 'clip' ? 'importedMotion.clip' : 'importedMotion.slice', { index })
}

function listed(animations: readonly GltfAnimation[]): string {
  return (
    animations
      .slice(0, 12)
      .map((a) => a.title)
      .join(', ') + (animations.length > 12 ? ', …' : '')
  )
}

/** Slices and clips under the names that an export gives them. */
export function windowsOf(scene: Pick<Scene, 'slices' | 'clips'>): Window[] {
  const { slices, clips } = animationNames(scene)
  return [
    ...scene.slices.flatMap((slice, index): Window[] => {
      const clip = scene.clips[slice.clip]
      if (!clip || !(slice.end >= slice.start)) return []
      const { start, end } = slice
      return [{ kind: 'slice', index, name: slices[index], clip: slice.clip, start, end, rate: sliceRate(slice, clip) }]
    }),
    ...scene.clips.map((clip, index): Window => ({
      kind: 'clip',
      index,
      name: clips[index],
      clip: index,
      start: clip.start,
      end: clip.end,
      rate: clipRate(clip),
    })),
  ]
}
