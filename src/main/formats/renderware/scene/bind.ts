/**
 * Which files belong to a model. A DFF names its textures but not their dictionary: the game pairs them by object lists
 * (.ide). Where no list names the model, its dictionary is the one of its own name, beside it, above it or in its archive. Animations are bound where their bones are the model's.
 */
import { folderOf, stemOf } from '../../../../shared/ref.ts'
import { modelKey, pairKey, parentKey } from '../codecs/ide.ts'
import { SHARED_BY_VEHICLES } from './vehicle.ts'
import { LONG_LIST, sharing } from '../../sharing.ts'
import { say } from '../texts/index.ts'
import type { BindFile, BindNeighbourhood, BindSummary, ModelBinding, ModelMember } from '../../binding.ts'

/** Dictionaries beyond the model's own that are taken for textures it lacks. */
const MOST_DICTIONARIES = 4
/** Dictionaries that the games keep loaded for all models, or all cars; they stand in folders of their own (`models/generic`). */
const SHARED = [SHARED_BY_VEHICLES, 'generic', 'misc']

export function bind(folder: string, around: BindNeighbourhood): ModelBinding[] {
  const models: ModelBinding[] = []
  const lookups = new Lookups(folder, around)
  for (const file of around.inFolder(folder)) {
    if (file.format !== 'renderware.dff') continue
    models.push(bindModel(file, lookups))
  }
  return models
}

function bindModel(file: BindFile, lookups: Lookups): ModelBinding {
  const stem = stemOf(file.name)
  const summary = lookups.around.summary(file.ref)
  const members: ModelMember[] = [{ role: 'model', ref: file.ref, why: 'self', detail: '' }]
  members.push(...dictionaries(file, stem, summary, lookups))
  const moved = lookups.animationsOf(summary)
  const shared = moved.length >= LONG_LIST
  if (!shared) members.push(...moved)
  return sharing({ family: 'renderware', name: stem, primary: file.ref }, members, shared ? [moved] : [])
}

/** What the models of one folder ask alike is looked for once: an archive of a game has ten thousand of them, and may have as many animations. */
class Lookups {
  readonly around: BindNeighbourhood
  private readonly folder: string
  private dictionaries: Map<string, BindFile> | undefined
  private animations: BindFile[] | undefined
  private readonly moved = new Map<string, readonly ModelMember[]>()

  constructor(folder: string, around: BindNeighbourhood) {
    this.folder = folder
    this.around = around
  }

  /** The dictionary of the folder with a model's name. */
  dictionaryOf(stem: string): BindFile | undefined {
    if (!this.dictionaries) {
      this.dictionaries = new Map()
      for (const file of this.around.inFolder(this.folder)) {
        if (file.format !== 'renderware.txd') continue
        const name = stemOf(file.name)
        if (!this.dictionaries.has(name)) this.dictionaries.set(name, file)
      }
    }
    return this.dictionaries.get(stem)
  }

  /** Animations of the folder and those around it that move what a model has. */
  animationsOf(model: BindSummary | undefined): readonly ModelMember[] {
    const bones = boneNames(model)
    // a model without two named or numbered bones has nothing to animate
    if (model && bones.size < 2) return []
    const question = JSON.stringify([[...bones], [...idsOf(model, NODES)]])
    let list = this.moved.get(question)
    if (!list) this.moved.set(question, (list = this.nearAnimations().flatMap((file) => animationMember(file, model, this.around) ?? [])))
    return list
  }

  /** Each once: those of the folder, of the folders above it, and the figures' wherever they are. */
  private nearAnimations(): readonly BindFile[] {
    if (this.animations) return this.animations
    const found = new Map<string, BindFile>()
    const take = (files: readonly BindFile[]): void => {
      for (const file of files)
        if ((file.format === 'renderware.ifp' || file.format === 'renderware.anm') && !found.has(file.ref)) found.set(file.ref, file)
    }
    for (let { folder } = this; folder; folder = folderOf(folder)) take(this.around.inFolder(folder))
    take(this.around.byStem('ped', this.folder))
    return (this.animations = [...found.values()])
  }
}

/** Folders from which files count as near: the model's own, its archive's, and those above. */
function isNear(folder: string, near: string): boolean {
  return near === folder || near.startsWith(`${folder}/`) || near.startsWith(`${folder}\\`) || near.startsWith(`${folder}!`)
}

function dictionaries(file: BindFile, stem: string, summary: BindSummary | undefined, lookups: Lookups): ModelMember[] {
  const { around } = lookups
  const needs = new Set((summary?.needs ?? []).filter((k) => k.toLowerCase().startsWith('renderware.texture:')).map((k) => k.toLowerCase()))
  const listed = listedDictionary(file, stem, around)
  if (needs.size === 0 && summary) {
    if (listed) return [{ role: 'textures', ref: listed.txd.ref, why: 'explicit', detail: listed.detail }]
    const own = lookups.dictionaryOf(stem)
    return own ? [{ role: 'textures', ref: own.ref, why: 'name', detail: say('scene.sameNameOf', { name: own.name }) }] : []
  }
  const total = needs.size
  const members: ModelMember[] = []
  const seen = new Set<string>()
  const take = (candidate: BindFile, why: 'name' | 'explicit', note: string): void => {
    if (seen.has(candidate.ref)) return
    seen.add(candidate.ref)
    const provides = new Set((around.summary(candidate.ref)?.provides ?? []).map((k) => k.toLowerCase()))
    let found = 0
    for (const key of [...needs]) {
      if (!provides.has(key)) continue
      needs.delete(key)
      found++
    }
    if (why === 'explicit' && found === 0 && candidate !== listed?.txd) return
    members.push({
      role: 'textures',
      ref: candidate.ref,
      why,
      detail: say('scene.texturesOf', { name: candidate.name, note, found, total }),
    })
  }
  if (listed) {
    take(listed.txd, 'explicit', listed.detail)
    // a dictionary of the lists falls back on its parent, and that on its own
    let { name } = listed
    for (let depth = 0; needs.size > 0 && depth < MOST_DICTIONARIES; depth++) {
      const parent = parentDictionary(name, file.folder, around)
      if (!parent || seen.has(parent.txd.ref)) break
      take(parent.txd, 'explicit', say('scene.parentOf', { name }))
      name = parent.name
    }
    if (needs.size === 0) return members
  }
  // the nearest dictionary of the model's name; one elsewhere in the library only where none is near
  const named = around.byStem(stem, file.folder).filter((f) => f.format === 'renderware.txd')
  const near = named.filter((f) => isNear(f.folder, file.folder))
  const best = near[0] ?? named.find((f) => coversOne(around.summary(f.ref), needs))
  if (best && (!listed || coversOne(around.summary(best.ref), needs)))
    take(
      best,
      'name',
      best.folder === file.folder ? say('formats.sameName') : say('scene.sameNameIn', { folder: shortFolder(best.folder) }),
    )
  for (const key of [...needs].sort()) {
    if (members.length >= MOST_DICTIONARIES) break
    if (!needs.has(key)) continue
    const candidate = around
      .providing(key, file.folder)
      .find((f) => f.format === 'renderware.txd' && (isNear(f.folder, file.folder) || isNear(file.folder, f.folder)))
    if (candidate) take(candidate, 'explicit', say('scene.hasTextures'))
  }
  for (const name of SHARED) {
    if (members.length >= MOST_DICTIONARIES) break
    const shared = around
      .byStem(name, file.folder)
      .find((f) => f.format === 'renderware.txd' && !seen.has(f.ref) && coversOne(around.summary(f.ref), needs))
    if (shared) take(shared, 'explicit', say('scene.sharedByAll'))
  }
  return members
}

/** What follows `prefix` in the keys of a list. */
function valueAfter(summary: BindSummary | undefined, prefix: string): string {
  return summary?.provides?.find((key) => key.length > prefix.length && key.toLowerCase().startsWith(prefix))?.slice(prefix.length) ?? ''
}

function dictionaryNamed(name: string, folder: string, around: BindNeighbourhood): BindFile | undefined {
  return name ? around.byStem(name, folder).find((f) => f.format === 'renderware.txd') : undefined
}

/** The dictionary that the nearest object list pairs with the model. */
function listedDictionary(
  file: BindFile,
  stem: string,
  around: BindNeighbourhood,
): { txd: BindFile; name: string; detail: string } | undefined {
  for (const list of around.providing(modelKey(stem), file.folder)) {
    const name = valueAfter(around.summary(list.ref), pairKey(stem))
    const txd = dictionaryNamed(name, file.folder, around)
    if (txd) return { txd, name, detail: say('scene.byList', { list: list.name }) }
  }
  return undefined
}

function parentDictionary(name: string, folder: string, around: BindNeighbourhood): { txd: BindFile; name: string } | undefined {
  for (const list of around.providing(parentKey(name), folder)) {
    const parent = valueAfter(around.summary(list.ref), parentKey(name))
    const txd = dictionaryNamed(parent, folder, around)
    if (txd) return { txd, name: parent }
  }
  return undefined
}

function coversOne(summary: BindSummary | undefined, needs: ReadonlySet<string>): boolean {
  return summary?.provides?.some((k) => needs.has(k.toLowerCase())) ?? false
}

function shortFolder(folder: string): string {
  return folder.slice(Math.max(folder.lastIndexOf('/'), folder.lastIndexOf('\\')) + 1) || folder
}

const NODES = 'renderware.nodes:'

/** Numbers of a `renderware.nodes:` or `renderware.ifp-nodes:` key. */
function idsOf(summary: BindSummary | undefined, prefix: string): Set<number> {
  const key = summary?.provides?.find((k) => k.toLowerCase().startsWith(prefix))
  return new Set(key ? key.slice(prefix.length).split(',').filter(Boolean).map(Number) : [])
}

function boneNames(summary: BindSummary | undefined): Set<string> {
  return new Set((summary?.bones ?? []).map((n) => n.trim().toLowerCase().replaceAll('_', ' ')).filter(Boolean))
}

/**
 * How many of an animation's bones a model has: by node numbers where both have them, else by names.
 * `fits` from two bones and seven tenths of the smaller side on (the sixteen nodes of a III figure share nine numbers with San Andreas by chance).
 */
export function animationFit(
  model: BindSummary | undefined,
  animation: BindSummary | undefined,
): { matched: number; total: number; fits: boolean } {
  const modelIds = idsOf(model, NODES)
  const animationIds = idsOf(animation, 'renderware.ifp-nodes:')
  const byId = modelIds.size > 0 && animationIds.size > 0
  const mine: Set<unknown> = byId ? modelIds : boneNames(model)
  const theirs: Set<unknown> = byId ? animationIds : boneNames(animation)
  let matched = 0
  for (const key of theirs) if (mine.has(key)) matched++
  const smaller = Math.min(mine.size, theirs.size)
  return { matched, total: theirs.size, fits: matched >= 2 && matched >= 0.7 * smaller }
}

/** An animation as a member of a model that it moves. */
function animationMember(file: BindFile, model: BindSummary | undefined, around: BindNeighbourhood): ModelMember | undefined {
  const summary = around.summary(file.ref)
  if (file.format === 'renderware.ifp') {
    const { fits, matched, total } = animationFit(model, summary)
    if (!fits) return undefined
    const detail = say('formats.matchedBones', { matched, all: total })
    return { role: 'animation', ref: file.ref, why: 'bones', detail, fit: { matched, total } }
  }
  const tracks = summary?.clips?.[0]?.tracks ?? 0
  const nodes = idsOf(model, NODES).size
  if (tracks === 0 || tracks !== nodes) return undefined
  return {
    role: 'animation',
    ref: file.ref,
    why: 'bones',
    detail: say('scene.nodesAsModel', { count: tracks }),
    fit: { matched: nodes, total: tracks },
  }
}
