/**
 * Which files belong together. An HLOD names its skeleton and its parts, meshes name their textures, animations name the skeleton that they
 * move; all by name, across files and archives. A file with meshes, an HLOD, HMODEL or COLLECTION is a model, and so is one that holds just a
 * skeleton: it shows all animations of that skeleton. One with nothing but particles, sounds and the like is an effect, which models name.
 */
import { stemOf } from '../../../../shared/ref.ts'
import { clipsOf } from '../codecs/file.ts'
import { hierarchiesOf, pivotName } from '../codecs/hierarchy.ts'
import { LONG_LIST, sharing } from '../../sharing.ts'
import { preference } from './textures.ts'
import { say } from '../texts/index.ts'
import type { BindFile, BindNeighbourhood, BindSummary, ModelBinding, ModelMember } from '../../binding.ts'
import type { Document } from '../../format.ts'
import type { W3dDocument } from '../codecs/file.ts'

const IMAGES = /\.(dds|tga|png|jpe?g|bmp)$/i
/** Animations of another skeleton are tried in files whose name begins as the model's; names of less say nothing. */
const LEAST_STEM = 4
/** Most names of one file that are looked up. */
const MOST_NAMES = 4000

export function bind(folder: string, around: BindNeighbourhood): ModelBinding[] {
  const files: { file: BindFile; summary: BindSummary }[] = []
  const animations: Animations = new Map()
  for (const file of around.inFolder(folder)) {
    if (file.format !== 'w3d.file') continue
    const summary = around.summary(file.ref)
    if (!summary) continue
    files.push({ file, summary })
    if (keysWith(summary.provides, 'w3d.animation-of:').length === 0) continue
    const stem = stemOf(file.name)
    for (let at = stem.indexOf('_'); at > 0; at = stem.indexOf('_', at + 1)) {
      const list = animations.get(stem.slice(0, at))
      if (list) list.push(file)
      else animations.set(stem.slice(0, at), [file])
    }
  }
  const lookups = new Lookups(folder, around)
  return files.filter(({ summary }) => isModel(summary)).map(({ file, summary }) => bindOne(file, summary, lookups, animations))
}

/** What the models of one folder ask alike is looked for once: very many copies of a model have one skeleton, and all of its animations. */
class Lookups {
  readonly folder: string
  readonly around: BindNeighbourhood
  private readonly named = new Map<string, BindFile | undefined>()
  private readonly pictures = new Map<string, BindFile | undefined>()
  private readonly moved = new Map<string, readonly ModelMember[]>()

  constructor(folder: string, around: BindNeighbourhood) {
    this.folder = folder
    this.around = around
  }

  /** The file that has an object, by one of these keys before its name. @param stem of the file that the game would look in */
  having(prefixes: readonly string[], name: string, stem = name): BindFile | undefined {
    return known(this.named, `${prefixes.join()}${name.toLowerCase()}`, () =>
      nearestByStem(
        prefixes.flatMap((prefix) => this.around.providing(`${prefix}${name}`, this.folder)),
        stem,
      ),
    )
  }

  /** DDS before TGA, nearest first. */
  picture(name: string): BindFile | undefined {
    return known(this.pictures, name, () => {
      const found = this.around.byStem(stemOf(name), this.folder).filter((f) => f.kind === 'texture' || IMAGES.test(f.name))
      return found.map((f, i) => ({ f, rank: preference(f.name, name) * 1000 + i })).sort((a, b) => a.rank - b.rank)[0]?.f
    })
  }

  /** Animations by the name of the skeleton that they move. @param bones how many it has, where that is known */
  animationsOf(name: string, bones: number | undefined): readonly ModelMember[] {
    return known(this.moved, `${bones} ${name}`, () =>
      this.around
        .providing(`w3d.animation-of:${name}`, this.folder)
        .filter((found) => found.format === 'w3d.file')
        .map((found) => {
          const fit = fitOf(found, name, bones, this.around)
          const detail = say('scene.ofSkeleton', { name: name.toUpperCase() })
          return { role: 'animation', ref: found.ref, why: 'explicit', detail, ...(fit ? { fit } : {}) }
        }),
    )
  }
}

function known<T>(answers: Map<string, T>, question: string, ask: () => T): T {
  if (!answers.has(question)) answers.set(question, ask())
  return answers.get(question)!
}

/** Files with animations in a folder, by the beginnings of their names up to each underscore. */
type Animations = Map<string, BindFile[]>

function isModel(summary: BindSummary): boolean {
  if (summary.kind === 'effect') return false
  return (
    (summary.meshes?.length ?? 0) > 0 ||
    (summary.bones?.length ?? 0) > 0 ||
    keysWith(summary.provides, 'w3d.model:').length > 0 ||
    keysWith(summary.provides, 'w3d.mesh:').length > 0
  )
}

/** Names behind a prefix of summary keys; keys may have been lower-cased on their way. */
function keysWith(keys: readonly string[] | undefined, prefix: string): string[] {
  return (
    keys
      ?.filter((key) => key.toLowerCase().startsWith(prefix))
      .slice(0, MOST_NAMES)
      .map((key) => key.slice(prefix.length)) ?? []
  )
}

function bindOne(file: BindFile, summary: BindSummary, lookups: Lookups, animations: Animations): ModelBinding {
  const { around } = lookups
  const members: ModelMember[] = []
  const refs = new Set<string>()
  const add = (member: ModelMember): boolean => {
    if (refs.has(member.ref)) return false
    refs.add(member.ref)
    members.push(member)
    return true
  }
  const onlySkeleton =
    summary.kind === 'skeleton' || ((summary.meshes?.length ?? 0) === 0 && keysWith(summary.provides, 'w3d.model:').length === 0)
  add({ role: onlySkeleton ? 'skeleton' : 'model', ref: file.ref, why: 'self', detail: '' })

  /** own and found skeletons: name -> number of pivots */
  const skeletons = new Map<string, { bones: string[] | undefined }>()
  for (const name of keysWith(summary.provides, 'w3d.hierarchy:'))
    skeletons.set(name.toLowerCase(), { bones: bonesOf(file.ref, summary, name, around) })

  // parts that other files have, and parts of those: an attached model brings a skeleton and textures of its own
  const parts: { summary: BindSummary; from: string }[] = [{ summary, from: file.name }]
  for (let i = 0; i < parts.length && i < 64; i++) {
    const part = parts[i]
    for (const name of keysWith(part.summary.needs, 'w3d.hierarchy:')) {
      if (i === 0 && onlySkeleton) continue
      const found = lookups.having(['w3d.hierarchy:'], name)
      if (!found) continue
      if (i === 0) skeletons.set(name.toLowerCase(), { bones: bonesOf(found.ref, around.summary(found.ref), name, around) })
      add({
        role: 'skeleton',
        ref: found.ref,
        why: 'explicit',
        detail: i ? say('scene.skeletonOf', { name, file: part.from }) : say('scene.skeleton', { name }),
      })
    }
    for (const prefix of ['w3d.mesh:', 'w3d.model:']) {
      for (const name of keysWith(part.summary.needs, prefix)) {
        const found = lookups.having(prefix === 'w3d.model:' ? [prefix, 'w3d.mesh:'] : [prefix], name, name.split('.')[0])
        if (!found || refs.has(found.ref)) continue
        add({
          role: 'mesh',
          ref: found.ref,
          why: 'explicit',
          detail: say(prefix === 'w3d.model:' ? 'scene.attachedModel' : 'scene.part', { name }),
        })
        const more = around.summary(found.ref)
        if (more) parts.push({ summary: more, from: found.name })
      }
    }
  }

  const shared: (readonly ModelMember[])[] = []
  for (const [name, skeleton] of skeletons) {
    const list = lookups.animationsOf(name, skeleton.bones?.length)
    if (list.length >= LONG_LIST) shared.push(list)
    else list.forEach(add)
  }
  bindByBones(file, summary, skeletons, lookups, animations, add)

  for (const part of parts) {
    for (const name of keysWith(part.summary.needs, 'w3d.texture:')) {
      const best = lookups.picture(name)
      if (best) add({ role: 'textures', ref: best.ref, why: 'explicit', detail: name })
    }
  }
  const [model] = [...keysWith(summary.provides, 'w3d.model:'), ...keysWith(summary.provides, 'w3d.hierarchy:')]
  return sharing({ family: 'w3d', name: model || stemOf(file.name), primary: file.ref }, members, shared)
}

/** The game looks for object X in the file x.w3d; any other file will do where that is absent. */
function nearestByStem(files: readonly BindFile[], name: string): BindFile | undefined {
  const sound = files.filter((f) => f.format === 'w3d.file')
  return sound.find((f) => stemOf(f.name) === name.toLowerCase()) ?? sound[0]
}

/**
 * Animations of another skeleton that fit this one: the file's name begins as the model's, and the two skeletons have the same pivots.
 * BFME's heroes share animations this way.
 */
function bindByBones(
  file: BindFile,
  summary: BindSummary,
  skeletons: ReadonlyMap<string, { bones: string[] | undefined }>,
  lookups: Lookups,
  animations: Animations,
  add: (member: ModelMember) => boolean,
): void {
  const { around } = lookups
  const stem = stemOf(file.name).replace(/_(skl|skn)$/, '')
  const bones = [...skeletons.values()].find((s) => s.bones?.length)?.bones
  if (stem.length < LEAST_STEM || !bones || summary.kind === 'skeleton') return
  for (const other of animations.get(stem) ?? []) {
    if (other.ref === file.ref) continue
    for (const name of keysWith(around.summary(other.ref)?.provides, 'w3d.animation-of:')) {
      if (skeletons.has(name.toLowerCase())) continue
      const skeleton = lookups.having(['w3d.hierarchy:'], name)
      const theirs = skeleton && bonesOf(skeleton.ref, around.summary(skeleton.ref), name, around)
      if (!theirs?.length) continue
      const same = bones.filter((bone, i) => theirs[i]?.toLowerCase() === bone.toLowerCase()).length
      if (same < 0.9 * Math.max(bones.length, theirs.length)) continue
      add({
        role: 'animation',
        ref: other.ref,
        why: 'bones',
        detail: say('scene.madeFor', { name: name.toUpperCase(), same, pivots: theirs.length }),
        fit: { matched: same, total: theirs.length },
      })
    }
  }
}

/** How many of the moved pivots the skeleton has: told by the summary where all fit, counted in the file where not. */
function fitOf(
  file: BindFile,
  hierarchy: string,
  bones: number | undefined,
  around: BindNeighbourhood,
): { matched: number; total: number } | undefined {
  if (bones === undefined) return undefined
  let total = 0
  let all = true
  for (const rest of keysWith(around.summary(file.ref)?.provides, `w3d.animation-pivots:${hierarchy.toLowerCase()}:`)) {
    const [end, count] = rest.split(':').map(Number)
    total += count
    if (!(end <= bones)) all = false
  }
  if (all && total > 0) return { matched: total, total }
  const document: Document | undefined = around.document(file.ref)
  if (document?.format !== 'w3d.file') return undefined
  let matched = 0
  total = 0
  for (const clip of clipsOf(document as W3dDocument)) {
    if (clip.hierarchyName.toLowerCase() !== hierarchy.toLowerCase()) continue
    for (const pivot of clip.pivots) {
      total++
      if (pivot < bones) matched++
    }
  }
  return { matched, total }
}

/** Pivot names of a skeleton in a file; a file with several is opened for the one that is meant. */
function bonesOf(ref: string, summary: BindSummary | undefined, name: string, around: BindNeighbourhood): string[] | undefined {
  if (keysWith(summary?.provides, 'w3d.hierarchy:').length < 2) return summary?.bones
  const document: Document | undefined = around.document(ref)
  if (document?.format !== 'w3d.file') return undefined
  const found = hierarchiesOf(document as W3dDocument).find((h) => h.name.toLowerCase() === name.toLowerCase())
  return found?.pivots && Array.from({ length: found.count }, (_, i) => pivotName(found.pivots!.data, i))
}
