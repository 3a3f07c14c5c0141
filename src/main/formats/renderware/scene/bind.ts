/**
 * Which files belong to a model. A DFF names its textures but not their dictionary: the game pairs them by object lists
 * (.ide). Where no list names the model, its dictionary is the one of its own name, beside it, above it or in its archive. Animations are bound where their bones are the model's.
 */
import { folderOf, stemOf } from '../../../../shared/ref.ts'
import { modelKey, pairKey, parentKey } from '../codecs/ide.ts'
import { say } from '../texts/index.ts'
import type { BindFile, FileSummary, ModelBinding, ModelMember, Neighbourhood } from '../../format.ts'

/** Dictionaries beyond the model's own that are taken for textures it lacks. */
const MOST_DICTIONARIES = 4
/** Dictionaries that the games keep loaded for all models, or all cars; they stand in folders of their own (`models/generic`). */
const SHARED = ['vehicle', 'generic', 'misc']

export function bind(folder: string, around: Neighbourhood): ModelBinding[] {
  const models: ModelBinding[] = []
  for (const file of around.inFolder(folder)) {
    if (file.format !== 'renderware.dff') continue
    models.push(bindModel(file, around))
  }
  return models
}

function bindModel(file: BindFile, around: Neighbourhood): ModelBinding {
  const stem = stemOf(file.name)
  const summary = around.summary(file.ref)
  const members: ModelMember[] = [{ role: 'model', ref: file.ref, why: 'self', detail: '' }]
  members.push(...dictionaries(file, stem, summary, around))
  members.push(...animations(file, summary, around))
  return { family: 'renderware', name: stemOf(file.name), primary: file.ref, members }
}

/** Folders from which files count as near: the model's own, its archive's, and those above. */
function isNear(folder: string, near: string): boolean {
  return near === folder || near.startsWith(`${folder}/`) || near.startsWith(`${folder}\\`) || near.startsWith(`${folder}!`)
}

function dictionaries(file: BindFile, stem: string, summary: FileSummary | undefined, around: Neighbourhood): ModelMember[] {
  const needs = new Set((summary?.needs ?? []).filter((k) => k.toLowerCase().startsWith('renderware.texture:')).map((k) => k.toLowerCase()))
  const listed = listedDictionary(file, stem, around)
  if (needs.size === 0 && summary) {
    if (listed) return [{ role: 'textures', ref: listed.txd.ref, why: 'explicit', detail: listed.detail }]
    const own = around.inFolder(file.folder).find((f) => f.format === 'renderware.txd' && stemOf(f.name) === stem)
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
    const candidates = around
      .providing(key, file.folder)
      .filter((f) => f.format === 'renderware.txd' && (isNear(f.folder, file.folder) || isNear(file.folder, f.folder)))
    if (candidates[0]) take(candidates[0], 'explicit', say('scene.hasTextures'))
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
function valueAfter(summary: FileSummary | undefined, prefix: string): string {
  return summary?.provides?.find((key) => key.length > prefix.length && key.toLowerCase().startsWith(prefix))?.slice(prefix.length) ?? ''
}

function dictionaryNamed(name: string, folder: string, around: Neighbourhood): BindFile | undefined {
  return name ? around.byStem(name, folder).find((f) => f.format === 'renderware.txd') : undefined
}

/** The dictionary that the nearest object list pairs with the model. */
function listedDictionary(
  file: BindFile,
  stem: string,
  around: Neighbourhood,
): { txd: BindFile; name: string; detail: string } | undefined {
  for (const list of around.providing(modelKey(stem), file.folder)) {
    const name = valueAfter(around.summary(list.ref), pairKey(stem))
    const txd = dictionaryNamed(name, file.folder, around)
    if (txd) return { txd, name, detail: say('scene.byList', { list: list.name }) }
  }
  return undefined
}

function parentDictionary(name: string, folder: string, around: Neighbourhood): { txd: BindFile; name: string } | undefined {
  for (const list of around.providing(parentKey(name), folder)) {
    const parent = valueAfter(around.summary(list.ref), parentKey(name))
    const txd = dictionaryNamed(parent, folder, around)
    if (txd) return { txd, name: parent }
  }
  return undefined
}

function coversOne(summary: FileSummary | undefined, needs: ReadonlySet<string>): boolean {
  return summary?.provides?.some((k) => needs.has(k.toLowerCase())) ?? false
}

function shortFolder(folder: string): string {
  return folder.slice(Math.max(folder.lastIndexOf('/'), folder.lastIndexOf('\\')) + 1) || folder
}

/** Numbers of a `renderware.nodes:` or `renderware.ifp-nodes:` key. */
function idsOf(summary: FileSummary | undefined, prefix: string): Set<number> {
  const key = summary?.provides?.find((k) => k.toLowerCase().startsWith(prefix))
  return new Set(key ? key.slice(prefix.length).split(',').filter(Boolean).map(Number) : [])
}

function boneNames(summary: FileSummary | undefined): Set<string> {
  return new Set((summary?.bones ?? []).map((n) => n.trim().toLowerCase().replaceAll('_', ' ')).filter(Boolean))
}

/**
 * How many of an animation's bones a model has: by node numbers where both have them, else by names.
 * `fits` from two bones and seven tenths of the smaller side on (the sixteen nodes of a III figure share nine numbers with San Andreas by chance).
 */
export function animationFit(
  model: FileSummary | undefined,
  animation: FileSummary | undefined,
): { matched: number; total: number; fits: boolean } {
  const modelIds = idsOf(model, 'renderware.nodes:')
  const animationIds = idsOf(animation, 'renderware.ifp-nodes:')
  const byId = modelIds.size > 0 && animationIds.size > 0
  const mine: Set<unknown> = byId ? modelIds : boneNames(model)
  const theirs: Set<unknown> = byId ? animationIds : boneNames(animation)
  let matched = 0
  for (const key of theirs) if (mine.has(key)) matched++
  const smaller = Math.min(mine.size, theirs.size)
  return { matched, total: theirs.size, fits: matched >= 2 && matched >= 0.7 * smaller }
}

function animations(file: BindFile, summary: FileSummary | undefined, around: Neighbourhood): ModelMember[] {
  const members: ModelMember[] = []
  const seen = new Set<string>()
  const consider = (candidate: BindFile): void => {
    if (seen.has(candidate.ref)) return
    seen.add(candidate.ref)
    if (candidate.format === 'renderware.ifp') {
      const fit = animationFit(summary, around.summary(candidate.ref))
      if (fit.fits)
        members.push({
          role: 'animation',
          ref: candidate.ref,
          why: 'bones',
          detail: say('formats.matchedBones', { matched: fit.matched, all: fit.total }),
          fit: { matched: fit.matched, total: fit.total },
        })
    } else if (candidate.format === 'renderware.anm') {
      const tracks = around.summary(candidate.ref)?.clips?.[0]?.tracks ?? 0
      const nodes = idsOf(summary, 'renderware.nodes:').size
      if (tracks > 0 && tracks === nodes)
        members.push({
          role: 'animation',
          ref: candidate.ref,
          why: 'bones',
          detail: say('scene.nodesAsModel', { n: tracks }),
          fit: { matched: nodes, total: tracks },
        })
    }
  }
  // a model without two named or numbered bones has nothing to animate
  if (summary && boneNames(summary).size < 2) return members
  for (let folder = file.folder; folder; folder = folderOf(folder)) for (const near of around.inFolder(folder)) consider(near)
  for (const anywhere of around.byStem('ped', file.folder)) consider(anywhere)
  return members
}
