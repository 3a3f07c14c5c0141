/**
 * Work on models that takes long and changes nothing: what a picture is drawn from, exports of many, pictures coded as textures. Runs in a worker, or where
 * there is none in place. What one kind of work alone needs is loaded with the first of it: most workers only ever make pictures.
 */
import { createHash } from 'node:crypto'
import { FormatError, toErrorData } from '../binary/format-error.ts'
import { readForDecoding } from '../files/open-document.ts'
import { imageOf } from '../formats/image/image.ts'
import { ModelFinder } from './model-finder.ts'
import { notDrawable, pictureScene, texturePicture } from './picture-scene.ts'
import { AppState } from './state.ts'
import { Originals } from '../workspace/originals.ts'
import { StateFiles } from '../workspace/state-files.ts'
import { baseName } from '../../shared/ref.ts'
import { standingFirst } from '../../shared/scene/standing.ts'
import type { DiskTouch } from '../../shared/worker/disk-mark.ts'
import type { FileStore } from '../files/store.ts'
import type { TextureEditor } from '../formats/editing.ts'
import type { FamilyId, FileFormat } from '../formats/format.ts'
import type { BatchFailure, BatchProgress, BatchReport } from '../../shared/api/types/export.ts'
import type { LibraryFilter } from '../../shared/api/types/library.ts'
import type { Comparison } from '../../shared/api/types/compare.ts'
import type { LibraryLint } from '../../shared/api/types/lint.ts'
import type { ModCheckProgress, ModFileReport } from '../../shared/api/types/mod.ts'
import type { Problem } from '../../shared/api/types/model.ts'
import type { TexturePixels } from '../../shared/api/types/textures.ts'
import type { Scene, Texture } from '../../shared/scene/types.ts'
import type { ExportItem, ExportManyOptions } from '../interchange/export-many.ts'
import type { Picture } from '../interchange/png.ts'
import type { StoredTexture } from '../interchange/textures.ts'
import type { CheckJob } from './check-mod.ts'
import type { CompareJob } from './compare-job.ts'
import type { LintJob } from './lint-library.ts'
import type { FoundModel } from './model-finder.ts'
import type { Libraries } from './libraries.ts'
import { say } from '../../shared/texts/say.ts'

export interface PictureJob {
  kind: 'picture'
  root: string
  ref: string
  /** wanted for its motion: a skeleton alone is something to see */
  moving?: boolean
}

/** What pictures of several models would be made from, without making one: much less work, and of copies nothing more is needed. */
export interface ContentsJob {
  kind: 'contents'
  root: string
  refs: readonly string[]
}

export interface ExportJob extends Pick<ExportManyOptions, 'to' | 'folder' | 'layout' | 'existing' | 'parts'> {
  kind: 'export'
  root: string
  filter: LibraryFilter
  /** these alone, whatever the filter says */
  refs?: readonly string[]
}

/** A PNG (`png`, called `name`) into a texture of a file whose bytes are given: it may have edits that are on no disk. */
export interface TextureJob extends StoredTexture {
  kind: 'texture'
  root: string
  family: FamilyId
  format: string
  name: string
  png: Uint8Array
}

/** A level of a texture, out of the bytes of its file as they are now or as the original has them. */
export interface PixelsJob extends StoredTexture {
  kind: 'pixels'
  root: string
  family: FamilyId
  format: string
  level: number
}

/** A texture of a scene as a PNG: packing takes as long as coding it. */
export interface PngJob {
  kind: 'png'
  root: string
  texture: Texture
}

/** The character of the sample that the first page shows. */
export interface FirstJob {
  kind: 'first'
  root: string
}

export type ModelJob = PictureJob | FirstJob | ContentsJob | CheckJob | CompareJob | LintJob | ExportJob | TextureJob | PixelsJob | PngJob

/** `content` tells what the picture was made from: equal for equal files and choices. */
export type PictureResult = { content: string; scene: Scene } | { content: string; rgba: Uint8Array } | { reason: string; broken: boolean }

export interface JobResults {
  picture: PictureResult
  first: Scene
  /** in the order of `refs`; '' where nothing can be read */
  contents: string[]
  check: ModFileReport[]
  compare: Comparison
  lint: LibraryLint
  export: BatchReport
  /** the file's new bytes, proven, and the picture that was read */
  texture: { bytes: Uint8Array; picture: Picture }
  pixels: TexturePixels
  png: { name: string; bytes: Uint8Array }
}

/** How far a job is, with what it found since it was told last. */
export interface JobProgress extends Omit<BatchProgress, 'library'> {
  problems?: Problem[]
}

export interface JobTools {
  store: FileStore
  libraries: Libraries
  stateFolder: string
  /** told of each call that a drive may leave without an answer, as the store is */
  touch?: DiskTouch
  cancelled(): boolean
  /** @param must told whatever was told just before */
  onProgress(progress: JobProgress, must?: boolean): void
}

/** @throws FormatError where the library or the folder is of no use; trouble of single models is in the result */
export async function runModelJob<J extends ModelJob>(job: J, tools: JobTools): Promise<JobResults[J['kind']]> {
  if (job.kind === 'texture') return (await texture(job, tools)) as JobResults[J['kind']]
  if (job.kind === 'pixels') {
    const { storedPixels } = await import('../interchange/textures.ts')
    const { editor, format } = textureEditor(job, tools.store)
    return storedPixels(editor, format, job, job.level) as JobResults[J['kind']]
  }
  if (job.kind === 'png') {
    const { texturePng } = await import('../interchange/textures.ts')
    return texturePng(job.texture) as JobResults[J['kind']]
  }
  if (job.kind === 'first') {
    const { firstScene } = await import('../sample/first-scene.ts')
    return pictureScene(firstScene()) as JobResults[J['kind']]
  }
  const { index } = await tools.libraries.open(job.root)
  // settings and choices as they are now
  const stateFiles = new StateFiles(tools.stateFolder, { repair: false })
  const finder = new ModelFinder(tools.store, tools.libraries, new AppState(stateFiles))
  if (job.kind === 'picture') return picture(job, finder, tools.store) as JobResults[J['kind']]
  if (job.kind === 'contents') return (await contents(job, finder, tools)) as JobResults[J['kind']]
  if (job.kind === 'check') {
    const { checkMod } = await import('./check-mod.ts')
    const onProgress = (progress: Omit<ModCheckProgress, 'library'>): void => tools.onProgress({ ...progress, failures: [] })
    return (await checkMod(job, { ...tools, finder, onProgress })) as JobResults[J['kind']]
  }
  if (job.kind === 'compare') {
    const { comparison } = await import('./compare-job.ts')
    return comparison(job, { ...tools, finder }) as JobResults[J['kind']]
  }
  if (job.kind === 'lint') {
    const { lintLibrary } = await import('./lint-library.ts')
    return (await lintLibrary(job, { ...tools, finder, originals: new Originals(stateFiles) })) as JobResults[J['kind']]
  }
  const { refs } = job
  const models: ModelPages = refs
    ? (offset) => ({ total: refs.length, rows: index.modelRows(refs.slice(offset, offset + PAGE)) })
    : (offset) => index.query({ show: 'models', sort: 'name', ...job.filter, offset, limit: PAGE })
  return (await exportLibrary(job, finder, models, tools)) as JobResults[J['kind']]
}

/** Models that are asked for at a time. */
const PAGE = 500

/** Animations beyond these are not read for a picture. */
const MOST_ANIMATIONS = 4

function picture({ ref, moving }: PictureJob, finder: ModelFinder, store: FileStore): PictureResult {
  try {
    if (store.identify(ref)?.format?.kind === 'texture') return pictureOfTexture(ref, finder, store)
    const found = pictured(finder, ref)
    const { scene } = finder.assembleSaved(found)
    const { primary } = found.binding
    if (!found.around.document(finder.source(primary))) {
      // the scene lacks the primary file because it is broken: its decoder throws what is wrong
      const { format, bytes } = readForDecoding(store, finder.source(primary))
      format.decode(bytes, primary)
    }
    const reason = moving && scene.skeleton.count > 0 && scene.meshes.length === 0 ? '' : notDrawable(scene)
    return reason ? { reason, broken: false } : { content: contentOf(found, finder, store), scene: pictureScene(scene) }
  } catch (error) {
    return { reason: toErrorData(error, ref).message, broken: true }
  }
}

function pictureOfTexture(ref: string, finder: ModelFinder, store: FileStore): PictureResult {
  const { format, bytes } = readForDecoding(store, finder.source(ref))
  const content = contentOfTexture(ref, finder, store)
  // files of one picture that no family claims; of a dictionary the first texture with pixels, by itself or in its model
  const first = (found: FoundModel, own: boolean): Texture | undefined =>
    finder.assembleSaved(found).scene.textures.find((t) => !t.missing && t.width > 0 && (!own || t.source.ref === finder.source(ref)))
  const image = imageOf(format.decode(bytes, ref)) ?? first(finder.alone(ref), false) ?? first(pictured(finder, ref), true)
  const rgba = image && texturePicture(image)
  return rgba ? { content, rgba } : { reason: say('pictures.noTexture'), broken: false }
}

/** A model with as many animations as its picture needs. */
function pictured(finder: ModelFinder, ref: string): FoundModel {
  const found = finder.find(ref)
  const { members: all, primary } = found.binding
  const animations = all.filter(({ role, ref }) => role === 'animation' && ref !== primary)
  const kept = new Set(standingFirst(animations, ({ ref }) => baseName(ref)).slice(0, MOST_ANIMATIONS))
  const members = all.filter((member) => !animations.includes(member) || kept.has(member))
  return { ...found, binding: { ...found.binding, members } }
}

/** Raised when pictures are made of other parts of a scene. */
const PICTURE_VERSION = 2

async function contents({ refs }: ContentsJob, finder: ModelFinder, { store, cancelled }: JobTools): Promise<string[]> {
  const out: string[] = []
  for (const ref of refs) {
    // others have their turn where there is no worker
    await new Promise((done) => setImmediate(done))
    if (cancelled()) throw new FormatError('cancelled', say('workers.workStopped'))
    try {
      const texture = store.identify(ref)?.format?.kind === 'texture'
      out.push(texture ? contentOfTexture(ref, finder, store) : contentOf(pictured(finder, ref), finder, store))
    } catch {
      // what is wrong with it is said when its picture is made
      out.push('')
    }
  }
  return out
}

function contentOfTexture(ref: string, finder: ModelFinder, store: FileStore): string {
  const { format, bytes } = readForDecoding(store, finder.source(ref))
  return createHash('sha256')
    .update(JSON.stringify([PICTURE_VERSION, format.id]))
    .update(bytes)
    .digest('hex')
}

function contentOf({ family, binding, choices }: FoundModel, finder: ModelFinder, store: FileStore): string {
  const hash = createHash('sha256').update(
    JSON.stringify([PICTURE_VERSION, family.id, binding.members.map(({ role }) => role), Object.entries(choices).sort()]),
  )
  for (const ref of new Set(binding.members.map((member) => member.ref))) {
    try {
      const bytes = store.read(finder.source(ref))
      hash.update(`${bytes.length}:`).update(bytes)
    } catch {
      hash.update('missing:')
    }
  }
  return hash.digest('hex')
}

/** @throws FormatError unsupported */
function textureEditor(job: TextureJob | PixelsJob, { registry }: FileStore): { editor: TextureEditor; format: FileFormat } {
  const editor = registry.familyById(job.family)?.editor.textures
  const format = registry.formatById(job.format)
  if (!editor || !format)
    throw new FormatError('unsupported', say('calls.texturesNotEditable', { format: job.format }), { file: job.texture.source.ref })
  return { editor, format }
}

async function texture(job: TextureJob, { store, cancelled, onProgress }: JobTools): Promise<JobResults['texture']> {
  const [{ readPng }, { storePicture }] = await Promise.all([import('../interchange/png.ts'), import('../interchange/textures.ts')])
  const { editor, format } = textureEditor(job, store)
  const stage = (done: number, current: string): void => {
    if (cancelled()) throw new FormatError('cancelled', say('workers.workStopped'))
    onProgress({ done, total: 2, current, failures: [] })
  }
  stage(0, say('pictures.reading'))
  const picture = await readPng(job.png, job.name)
  stage(1, say('pictures.storing'))
  return { bytes: storePicture(editor, format, job, picture), picture }
}

type ModelPages = (offset: number) => { total: number; rows: { ref: string; name: string; where: string }[] }

async function exportLibrary(
  job: ExportJob,
  finder: ModelFinder,
  models: ModelPages,
  { cancelled, onProgress }: JobTools,
): Promise<BatchReport> {
  const started = Date.now()
  const { total } = models(0)
  const failures: BatchFailure[] = []
  let told = 0
  const items = function* (): Generator<ExportItem> {
    for (let offset = 0; ;) {
      const { rows } = models(offset)
      if (rows.length === 0) return
      for (const { ref, name, where } of rows) yield { ref, name, where, scene: () => finder.assembleSaved(finder.find(ref, name)).scene }
      offset += rows.length
    }
  }
  const { exportMany } = await import('../interchange/export-many.ts')
  const result = await exportMany(items(), {
    ...job,
    cancelled,
    onProgress: (done, item) => {
      onProgress({ done, total, current: item.name, failures: failures.slice(told) })
      told = failures.length
    },
    onFailure: ({ ref, name }, { code, message, path }) =>
      failures.push({ ref, name, code, message: path ? `${message} (${path})` : message }),
  })
  const left = new Map<string, number>()
  for (const model of result.models) for (const what of model.left) left.set(what, (left.get(what) ?? 0) + 1)
  return {
    total,
    exported: result.models.length,
    skipped: result.skipped,
    files: result.models.reduce((sum, { files }) => sum + files.length, 0),
    failures,
    left: [...left].map(([what, count]) => ({ what, models: count })).sort((a, b) => b.models - a.models),
    folder: job.folder,
    seconds: (Date.now() - started) / 1000,
    cancelled: result.cancelled,
  }
}
