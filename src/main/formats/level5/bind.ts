/**
 * Which files belong to a model: what a script names (MODEL, MOTION, IMG) first, then equal base names, then what is left
 * in a folder or pack that has one model only; textures also by the names that materials ask for.
 */
import { MEMBER_SEPARATOR, baseName, extensionOf, stemOf } from '../../../shared/ref.ts'
import { cfgFiles } from './cfg.ts'
import type { BindFile, ModelBinding, ModelMember, Neighbourhood } from '../format.ts'
import type { CfgDocument } from './cfg.ts'
import type { TrackListDocument } from './track-list.ts'

const ROLE: Readonly<Record<string, string>> = {
  'level5.mds': 'model',
  'level5.mot': 'animation',
  'level5.wgt': 'skin',
  'level5.bbp': 'bind-pose',
  'level5.cfg': 'slices',
  'level5.img': 'textures',
  'level5.tim2': 'textures',
}

/** More files than this in a folder are not given to its only model just because they stand there. */
const SMALL_FOLDER = 64

/** The file that a script means: in its folder by whole name or base name, else the nearest of that name. */
export function findNamed(name: string, format: string, files: readonly BindFile[], around: Neighbourhood, folder: string): BindFile | undefined {
  const wanted = baseName(name).toLowerCase()
  const fits = (f: BindFile): boolean => f.format === format
  return (
    files.find((f) => fits(f) && baseName(f.name).toLowerCase() === wanted) ??
    files.find((f) => fits(f) && stemOf(f.name) === stemOf(wanted)) ??
    around.byStem(stemOf(wanted), folder).find((f) => fits(f) && extensionOf(f.name) === extensionOf(wanted))
  )
}

export function bindLevel5(folder: string, around: Neighbourhood): ModelBinding[] {
  const files = around.inFolder(folder).filter((f) => f.format in ROLE)
  const models = files.filter((f) => f.format === 'level5.mds')
  if (!models.length) return []
  const scripts = files
    .filter((f) => f.format === 'level5.cfg')
    .map((file) => {
      const document = around.document(file.ref) as CfgDocument | undefined
      return { file, names: document ? cfgFiles(document) : undefined }
    })
  const isPack = models.some((m) => m.ref.startsWith(`${folder}${MEMBER_SEPARATOR}`))
  return models.map((model) => {
    const members: ModelMember[] = []
    const has = (ref: string): boolean => members.some((m) => m.ref === ref)
    const add = (file: BindFile | undefined, why: ModelMember['why'], detail: string): void => {
      if (!file || has(file.ref)) return
      const member: ModelMember = { role: ROLE[file.format], ref: file.ref, why, detail }
      const fit = file.format === 'level5.mot' ? fitOf(file.ref, model.ref, around) : undefined
      if (fit) member.fit = fit
      members.push(member)
    }
    add(model, 'self', '')
    const stem = stemOf(model.name)
    // scripts that name this model, then those of its name, then the only model's scripts
    const mine = scripts
      .map(({ file, names }) => {
        const named = names?.model.some((n) => stemOf(n) === stem)
        const others = names?.model.some((n) => models.some((m) => m !== model && stemOf(m.name) === stemOf(n)))
        const why: ModelMember['why'] | undefined = named ? 'explicit' : others ? undefined : stemOf(file.name) === stem ? 'name' : models.length === 1 ? 'name' : undefined
        const detail = named ? `MODEL "${names!.model.find((n) => stemOf(n) === stem)}"` : stemOf(file.name) === stem ? 'same name' : `the only model in ${baseName(folder)}`
        return { file, names, why, detail }
      })
      .filter((s) => s.why)
      .sort((a, b) => Number(b.why === 'explicit') - Number(a.why === 'explicit'))
    for (const script of mine) {
      add(script.file, script.why!, script.detail)
      const where = baseName(script.file.name)
      for (const motion of script.names?.motions ?? []) {
        const detail = `MOTION ${motion.number} in ${where}`
        if (motion.mot) add(findNamed(motion.mot, 'level5.mot', files, around, folder), 'explicit', detail)
        if (motion.bbp) add(findNamed(motion.bbp, 'level5.bbp', files, around, folder), 'explicit', detail)
        if (motion.wgt) add(findNamed(motion.wgt, 'level5.wgt', files, around, folder), 'explicit', detail)
      }
      script.names?.images.forEach((image, i) => add(findNamed(image, 'level5.img', files, around, folder), 'explicit', `IMG ${i} in ${where}`))
    }
    for (const file of files) if (file.format !== 'level5.mds' && file.format !== 'level5.cfg' && stemOf(file.name) === stem) add(file, 'name', 'same name')
    if (models.length === 1 && files.length <= SMALL_FOLDER) {
      for (const file of files) if (file.format !== 'level5.mds' && file.format !== 'level5.cfg') add(file, 'name', `the only model in ${baseName(folder)}`)
    }
    addTextures(model, members, files, folder, around, add)
    return { family: 'level5', name: models.length === 1 && isPack ? packName(folder) : baseName(model.name).replace(/\.[^.]*$/, ''), primary: model.ref, members }
  })
}

function packName(folder: string): string {
  const base = baseName(folder)
  const dot = base.lastIndexOf('.')
  return dot > 0 ? base.slice(0, dot) : base
}

/** Pictures for materials that none of the members has: in this folder first, then the nearest. */
function addTextures(model: BindFile, members: readonly ModelMember[], files: readonly BindFile[], folder: string, around: Neighbourhood, add: (file: BindFile | undefined, why: ModelMember['why'], detail: string) => void): void {
  const provided = (ref: string): string[] => (around.summary(ref)?.provides ?? []).map((key) => key.toLowerCase())
  const missing = new Set((around.summary(model.ref)?.needs ?? []).filter((key) => key.startsWith('level5.texture:')).map((key) => key.toLowerCase()))
  for (const member of members) if (member.role === 'textures') for (const key of provided(member.ref)) missing.delete(key)
  for (const key of [...missing]) {
    if (!missing.has(key)) continue
    const local = files.find((f) => ROLE[f.format] === 'textures' && provided(f.ref).includes(key))
    const found = local ?? around.providing(key, folder)[0]
    if (!found) continue
    add(found, 'name', `has texture ${key.slice('level5.texture:'.length)}`)
    for (const k of provided(found.ref)) missing.delete(k)
  }
}

function numberIn(keys: readonly string[] | undefined, prefix: string): number | undefined {
  const key = keys?.find((k) => k.toLowerCase().startsWith(prefix))
  const value = key ? Number(key.slice(prefix.length)) : NaN
  return Number.isFinite(value) ? value : undefined
}

/** Tracks whose node the model has. The summaries answer it where all fit; otherwise the file is looked at. */
function fitOf(mot: string, mds: string, around: Neighbourhood): ModelMember['fit'] {
  const have = numberIn(around.summary(mds)?.provides, 'level5.nodes:')
  const need = numberIn(around.summary(mot)?.needs, 'level5.nodes:')
  const total = around.summary(mot)?.clips?.[0]?.tracks
  if (have === undefined || need === undefined || total === undefined) return undefined
  if (need <= have) return { matched: total, total }
  const document = around.document(mot) as TrackListDocument | undefined
  return document ? { matched: document.tracks.filter((t) => t.node >= 0 && t.node < have).length, total } : undefined
}
