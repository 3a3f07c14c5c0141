/**
 * Which files belong to a model: what a script names (MODEL, MOTION, IMG) first, then equal base names, then what is left
 * in a folder or pack that has one model only; textures also by the names that materials ask for.
 */
import { MEMBER_SEPARATOR, baseName, extensionOf, stemOf, withoutExtension } from '../../../../shared/ref.ts'
import { cfgFiles } from '../codecs/cfg-motions.ts'
import { say } from '../texts/index.ts'
import type { BindFile, BindNeighbourhood, ModelBinding, ModelMember, RoleId } from '../../binding.ts'
import type { CfgDocument } from '../codecs/cfg-text.ts'
import type { TrackListDocument } from '../codecs/tracks.ts'

const ROLE: Readonly<Record<string, RoleId>> = {
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
const TEXTURE = 'level5.texture:'
const NODES = 'level5.nodes:'

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}

/** Files of one folder or archive by name: folders of thousands of files are normal. */
export class FolderFiles {
  readonly files: readonly BindFile[]
  readonly folder: string
  readonly byStem = new Map<string, BindFile[]>()
  private readonly byName = new Map<string, BindFile[]>()
  private readonly around: BindNeighbourhood

  constructor(folder: string, around: BindNeighbourhood) {
    this.folder = folder
    this.around = around
    this.files = around.inFolder(folder).filter((f) => f.format in ROLE)
    for (const file of this.files) {
      push(this.byName, baseName(file.name).toLowerCase(), file)
      push(this.byStem, stemOf(file.name), file)
    }
  }

  /** The file that a script means: here by whole name or base name, else the nearest of that name. */
  named(name: string, format: string): BindFile | undefined {
    const wanted = baseName(name).toLowerCase()
    const fits = (f: BindFile): boolean => f.format === format
    return (
      this.byName.get(wanted)?.find(fits) ??
      this.byStem.get(stemOf(wanted))?.find(fits) ??
      this.around.byStem(stemOf(wanted), this.folder).find((f) => fits(f) && extensionOf(f.name) === extensionOf(wanted))
    )
  }
}

interface Script {
  file: BindFile
  names: ReturnType<typeof cfgFiles> | undefined
}

export function bind(folder: string, around: BindNeighbourhood): ModelBinding[] {
  const here = new FolderFiles(folder, around)
  const models = here.files.filter((f) => f.format === 'level5.mds')
  if (!models.length) return []
  const stems = new Set(models.map((m) => stemOf(m.name)))
  /** scripts by the base name of a model that they name; those that name none of the models here */
  const scriptsFor = new Map<string, Script[]>()
  const free: Script[] = []
  for (const file of here.files) {
    if (file.format !== 'level5.cfg') continue
    const document = around.document(file.ref) as CfgDocument | undefined
    const script: Script = { file, names: document?.format === 'level5.cfg' ? cfgFiles(document) : undefined }
    const named = new Set(script.names?.model.map(stemOf).filter((s) => stems.has(s)))
    for (const stem of named) push(scriptsFor, stem, script)
    if (!named.size) free.push(script)
  }
  const freeByStem = new Map<string, Script[]>()
  for (const script of free) push(freeByStem, stemOf(script.file.name), script)
  const pictures = new PictureFiles(here, around)
  const isPack = models[0].ref.startsWith(`${folder}${MEMBER_SEPARATOR}`)
  const alone = say('scene.onlyModel', { folder: baseName(folder) })

  return models.map((model) => {
    const members: ModelMember[] = []
    const taken = new Set<string>()
    const add = (file: BindFile | undefined, why: ModelMember['why'], detail: string): void => {
      if (!file || taken.has(file.ref)) return
      taken.add(file.ref)
      const member: ModelMember = { role: ROLE[file.format], ref: file.ref, why, detail }
      const fit = file.format === 'level5.mot' ? fitOf(file.ref, model.ref, around) : undefined
      if (fit) member.fit = fit
      members.push(member)
    }
    const addScript = (script: Script, why: ModelMember['why'], detail: string): void => {
      add(script.file, why, detail)
      const where = baseName(script.file.name)
      for (const motion of script.names?.motions ?? []) {
        const from = say('scene.motionIn', { number: motion.number, script: where })
        if (motion.mot) add(here.named(motion.mot, 'level5.mot'), 'explicit', from)
        if (motion.bbp) add(here.named(motion.bbp, 'level5.bbp'), 'explicit', from)
        if (motion.wgt) add(here.named(motion.wgt, 'level5.wgt'), 'explicit', from)
      }
      script.names?.images.forEach((image, i) =>
        add(here.named(image, 'level5.img'), 'explicit', say('scene.imgIn', { number: i, script: where })),
      )
    }
    add(model, 'self', '')
    const stem = stemOf(model.name)
    // scripts that name this model, then one of its name, then whatever stands beside an only model
    for (const script of scriptsFor.get(stem) ?? [])
      addScript(script, 'explicit', say('scene.namedAsModel', { name: String(script.names!.model.find((n) => stemOf(n) === stem)) }))
    for (const script of freeByStem.get(stem) ?? []) addScript(script, 'name', say('formats.sameName'))
    if (models.length === 1) for (const script of free) addScript(script, 'name', alone)
    const loose = (file: BindFile): boolean => file.format !== 'level5.mds' && file.format !== 'level5.cfg'
    for (const file of here.byStem.get(stem) ?? []) if (loose(file)) add(file, 'name', say('formats.sameName'))
    if (models.length === 1 && here.files.length <= SMALL_FOLDER) for (const file of here.files) if (loose(file)) add(file, 'name', alone)
    pictures.addMissing(model, members, add)
    return {
      family: 'level5',
      name: models.length === 1 && isPack ? withoutExtension(folder) : withoutExtension(model.name),
      primary: model.ref,
      members,
    }
  })
}

/** Pictures for materials that none of a model's files has: in this folder first, then the nearest. */
class PictureFiles {
  private readonly here: FolderFiles
  private readonly around: BindNeighbourhood
  private local: Map<string, BindFile> | undefined

  constructor(here: FolderFiles, around: BindNeighbourhood) {
    this.here = here
    this.around = around
  }

  private provided(ref: string): string[] {
    return (this.around.summary(ref)?.provides ?? []).map((key) => key.toLowerCase())
  }

  addMissing(
    model: BindFile,
    members: readonly ModelMember[],
    add: (file: BindFile | undefined, why: ModelMember['why'], detail: string) => void,
  ): void {
    const missing = new Set(
      (this.around.summary(model.ref)?.needs ?? []).map((key) => key.toLowerCase()).filter((key) => key.startsWith(TEXTURE)),
    )
    for (const member of members) if (member.role === 'textures') for (const key of this.provided(member.ref)) missing.delete(key)
    for (const key of [...missing]) {
      if (!missing.has(key)) continue
      if (!this.local) {
        this.local = new Map()
        for (const file of this.here.files)
          if (ROLE[file.format] === 'textures') for (const k of this.provided(file.ref)) if (!this.local.has(k)) this.local.set(k, file)
      }
      const found = this.local.get(key) ?? this.around.providing(key, this.here.folder)[0]
      if (!found) continue
      add(found, 'name', say('scene.hasTexture', { texture: key.slice(TEXTURE.length) }))
      for (const k of this.provided(found.ref)) missing.delete(k)
    }
  }
}

function numberIn(keys: readonly string[] | undefined, prefix: string): number | undefined {
  const key = keys?.find((k) => k.toLowerCase().startsWith(prefix))
  const value = key ? Number(key.slice(prefix.length)) : NaN
  return Number.isFinite(value) ? value : undefined
}

/** Tracks whose node the model has. The summaries answer it where all fit; otherwise the file is looked at. */
function fitOf(mot: string, mds: string, around: BindNeighbourhood): ModelMember['fit'] {
  const have = numberIn(around.summary(mds)?.provides, NODES)
  const need = numberIn(around.summary(mot)?.needs, NODES)
  const total = around.summary(mot)?.clips?.[0]?.tracks
  if (have === undefined || need === undefined || total === undefined) return undefined
  if (need <= have) return { matched: total, total }
  const document = around.document(mot) as TrackListDocument | undefined
  return document?.format === 'level5.mot'
    ? { matched: document.tracks.filter((t) => t.node >= 0 && t.node < have).length, total }
    : undefined
}
