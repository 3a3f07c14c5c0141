/** Rows of the dope sheet: one per joint (or other target) with the keys of all its tracks, which open into one row per track. */
import type { NativeTrack } from '../../../shared/api/types/clips.ts'
import type { Clip, Scene } from '../../../shared/scene/types.ts'
import { uniteTimes } from './geometry.ts'
import { boneKey, trackNames, type NamedTrack } from './track-names.ts'
import { say } from '../../../shared/texts/say.ts'

export interface DopeGroup {
  key: string
  name: string
  /** -1 where no joint is moved */
  joint: number
  /** rows of bones that it hangs below */
  depth?: number
  times: Float64Array
  tracks: { key: string; id: string; name: string; times: ArrayLike<number> }[]
}

export interface DopeRow {
  key: string
  name: string
  depth: number
  joint: number
  open?: boolean
  times: ArrayLike<number>
  /** one track of the row above it */
  track?: boolean
  /** ids of the native tracks whose keys the row shows */
  ids: string[]
}

/** Groups in the order of the skeleton; what moves no joint comes last. */
export function groupTracks(tracks: readonly (NamedTrack & { id?: string; times: ArrayLike<number> })[]): DopeGroup[] {
  const groups = new Map<string, DopeGroup>()
  const lists = new Map<string, ArrayLike<number>[]>()
  const names = trackNames(tracks)
  tracks.forEach((track, i) => {
    const key = boneKey(track)
    let group = groups.get(key)
    if (!group) {
      group = { key, name: track.target, joint: track.joint, times: new Float64Array(0), tracks: [] }
      groups.set(key, group)
      lists.set(key, [])
    }
    group.tracks.push({ key: `${key}/${i}`, id: track.id ?? '', name: names[i], times: track.times })
    lists.get(key)!.push(track.times)
  })
  for (const [key, group] of groups) group.times = uniteTimes(lists.get(key)!)
  return [...groups.values()].sort((a, b) => (a.joint < 0 ? Infinity : a.joint) - (b.joint < 0 ? Infinity : b.joint))
}

export function fromNative(tracks: readonly NativeTrack[]): DopeGroup[] {
  return groupTracks(tracks)
}

/** The same from the scene's tracks, for families whose keys cannot be edited. */
export function fromClip(scene: Scene, clip: Clip): DopeGroup[] {
  return groupTracks(
    clip.tracks.map((t) => {
      const { kind, index } = t.target
      const target =
        kind === 'joint' ? scene.skeleton.names[index] : kind === 'material' ? scene.materials[index]?.name : scene.meshes[index]?.name
      return {
        target: target ?? `${kind} ${index}`,
        joint: kind === 'joint' ? index : -1,
        property: t.property,
        label: t.label || t.property,
        times: t.times,
      }
    }),
  )
}

/**
 * The same groups below each other as their bones are: each behind the nearest bone above it that has a row, what moves no bone last.
 * @param parents of the joints, -1 for none
 */
export function nestGroups(groups: readonly DopeGroup[], parents: ArrayLike<number>): DopeGroup[] {
  const own = new Map(groups.flatMap((group) => (group.joint >= 0 ? [[group.joint, group] as const] : [])))
  const below = new Map<number, DopeGroup[]>()
  for (const group of own.values()) {
    let above = parents[group.joint] ?? -1
    // a loop of parents would be one of a broken file
    for (let steps = 0; above >= 0 && !own.has(above) && steps < parents.length; steps++) above = parents[above] ?? -1
    if (!own.has(above) || above === group.joint) above = -1
    const siblings = below.get(above)
    if (siblings) siblings.push(group)
    else below.set(above, [group])
  }
  const out: DopeGroup[] = []
  const waiting = (below.get(-1) ?? []).map((group) => ({ group, depth: 0 })).reverse()
  const seen = new Set<DopeGroup>()
  while (waiting.length) {
    const { group, depth } = waiting.pop()!
    if (seen.has(group)) continue
    seen.add(group)
    out.push({ ...group, depth })
    for (const next of [...(below.get(group.joint) ?? [])].reverse()) waiting.push({ group: next, depth: depth + 1 })
  }
  return [...out, ...groups.filter((group) => !seen.has(group))]
}

export function dopeRows(groups: readonly DopeGroup[], open: ReadonlySet<string>): DopeRow[] {
  const rows: DopeRow[] = []
  if (groups.length)
    rows.push({
      key: 'all',
      name: say('timeline.keys.all'),
      depth: 0,
      joint: -1,
      times: uniteTimes(groups.map((g) => g.times)),
      ids: groups.flatMap((g) => g.tracks.map((t) => t.id)),
    })
  for (const g of groups) {
    const isOpen = open.has(g.key)
    const depth = g.depth ?? 0
    rows.push({ key: g.key, name: g.name, depth, joint: g.joint, open: isOpen, times: g.times, ids: g.tracks.map((t) => t.id) })
    if (isOpen)
      for (const t of g.tracks)
        rows.push({ key: t.key, name: t.name, depth: depth + 1, track: true, joint: g.joint, times: t.times, ids: [t.id] })
  }
  return rows
}
