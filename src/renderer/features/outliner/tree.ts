/** Rows of the outliner: sections, the bone tree and lists, flattened to what is open or found. */
import type { ModelFile } from '../../../shared/api/types/model.ts'
import { sharedWith } from '../../../shared/scene/same.ts'
import type { Clip, Scene } from '../../../shared/scene/types.ts'
import { formatCount } from '../../ui/format.ts'
import { say } from '../../../shared/texts/say.ts'

export type OutlinerKind = 'section' | 'joint' | 'mesh' | 'material' | 'texture' | 'clip' | 'helper' | 'file'

export interface OutlinerRow {
  key: string
  kind: OutlinerKind
  /** index in the scene or in ModelInfo.files; -1 for a section */
  index: number
  name: string
  depth: number
  /** undefined for a leaf */
  open?: boolean
  /** number of things in a section */
  count?: number
  /** how many of them were found; undefined while nothing is searched */
  found?: number
  /** a row that only leads to one that was found */
  dim?: boolean
}

/** What the outliner shows of a scene: an edit of keys leaves it as it is. */
export type OutlinedScene = Pick<Scene, 'skeleton' | 'meshes' | 'materials' | 'textures' | 'helpers'> & {
  clips: readonly Pick<Clip, 'name' | 'fit'>[]
}

export interface OutlinerSource {
  scene: OutlinedScene
  files: readonly ModelFile[]
}

/** What the head of a section says of how many there are; '' of other rows. */
export function countOf({ count, found }: Pick<OutlinerRow, 'count' | 'found'>): string {
  if (count === undefined) return ''
  return found === undefined ? formatCount(count) : say('outliner.found', { found, all: count })
}

/** @param before is given back where it says the same */
export function outlined(scene: Scene, before?: OutlinedScene | null): OutlinedScene {
  const { skeleton, meshes, materials, textures, helpers } = scene
  const clips = sharedWith(
    scene.clips.map(({ name, fit }) => ({ name, fit })),
    before?.clips,
  )
  const same =
    skeleton === before?.skeleton &&
    meshes === before.meshes &&
    materials === before.materials &&
    textures === before.textures &&
    helpers === before.helpers &&
    clips === before.clips
  return same ? before : { skeleton, meshes, materials, textures, helpers, clips }
}

export function outlinerRows(source: OutlinerSource, closed: ReadonlySet<string>, search: string): OutlinerRow[] {
  const { scene, files } = source
  const needle = search.trim().toLowerCase()
  const fits = (name: string): boolean => name.toLowerCase().includes(needle)
  const rows: OutlinerRow[] = []

  function section(key: string, name: string, count: number, body: () => OutlinerRow[]): void {
    if (count === 0) return
    const inside = needle || !closed.has(key) ? body() : []
    if (needle && !inside.length) return
    const found = needle ? inside.filter(({ dim }) => !dim).length : undefined
    rows.push({ key, kind: 'section', index: -1, name, depth: 0, open: needle !== '' || !closed.has(key), count, found })
    for (const row of inside) rows.push(row)
  }

  function list(key: string, name: string, kind: OutlinerKind, things: readonly { name: string }[]): void {
    section(key, name, things.length, () => {
      const out: OutlinerRow[] = []
      things.forEach(({ name }, index) => {
        if (!needle || fits(name)) out.push({ key: `${kind}:${index}`, kind, index, name, depth: 1 })
      })
      return out
    })
  }

  section('bones', say('units.parts.bones'), scene.skeleton.count, () => jointRows(scene, closed, needle, fits))
  list('meshes', say('units.parts.meshes'), 'mesh', scene.meshes)
  list('materials', say('units.kinds.material'), 'material', scene.materials)
  list('textures', say('units.parts.textures'), 'texture', scene.textures)
  list('clips', say('units.parts.clips'), 'clip', scene.clips)
  list('points', say('outliner.points'), 'helper', scene.helpers)
  list('files', say('inspector.model.files'), 'file', files)
  return rows
}

function jointRows(scene: OutlinedScene, closed: ReadonlySet<string>, needle: string, fits: (name: string) => boolean): OutlinerRow[] {
  const { count, names, parents } = scene.skeleton
  const children: number[][] = Array.from({ length: count }, () => [])
  const roots: number[] = []
  for (let i = 0; i < count; i++) (parents[i] < 0 ? roots : children[parents[i]]).push(i)
  // children stand behind their parents, so one pass from the end carries "something below was found" up
  const found = new Uint8Array(count)
  const below = new Uint8Array(count)
  if (needle) {
    for (let i = count - 1; i >= 0; i--) {
      if (fits(names[i])) found[i] = 1
      if ((found[i] || below[i]) && parents[i] >= 0) below[parents[i]] = 1
    }
  }
  const out: OutlinerRow[] = []
  // an own stack: a skeleton can be a chain of thousands
  const stack: { joint: number; depth: number }[] = roots.reverse().map((joint) => ({ joint, depth: 1 }))
  while (stack.length) {
    const { joint, depth } = stack.pop()!
    if (needle && !found[joint] && !below[joint]) continue
    const key = `joint:${joint}`
    const kids = children[joint]
    const open = needle ? true : !closed.has(key)
    out.push({
      key,
      kind: 'joint',
      index: joint,
      name: names[joint],
      depth,
      open: kids.length ? open : undefined,
      dim: needle !== '' && !found[joint],
    })
    if (open) for (let i = kids.length - 1; i >= 0; i--) stack.push({ joint: kids[i], depth: depth + 1 })
  }
  return out
}

/** Keys of rows below a joint that others hang on; with -1 of all of them. */
export function keysBelow(scene: OutlinedScene, joint: number): string[] {
  const { count, parents } = scene.skeleton
  const below = new Uint8Array(count)
  const carries = new Uint8Array(count)
  for (let i = 0; i < count; i++) {
    const parent = parents[i]
    below[i] = joint < 0 || parent === joint || (parent >= 0 && below[parent]) ? 1 : 0
    if (parent >= 0) carries[parent] = 1
  }
  const out: string[] = []
  for (let i = 0; i < count; i++) if (below[i] && carries[i]) out.push(`joint:${i}`)
  return out
}

/** Keys that must be open for a joint to be seen. */
export function ancestorsOf(scene: OutlinedScene, joint: number): string[] {
  const out = ['bones']
  for (let p = scene.skeleton.parents[joint]; p >= 0; p = scene.skeleton.parents[p]) out.push(`joint:${p}`)
  return out
}
