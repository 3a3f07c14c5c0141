/** `marrow slices` and `marrow slice ...`: the windows on a model's animations, listed and edited: in the game's own files, or in Marrow's list where the game keeps none. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { FormatError } from '../binary/format-error.ts'
import { MemoryNeighbourhood } from '../files/memory-neighbourhood.ts'
import { safeName } from '../files/file-names.ts'
import { replaceFile, writeAll } from '../workspace/atomic.ts'
import { addSlice, prepareSlices, removeSlice, setSlice } from '../services/slice-steps.ts'
import type { SliceStep } from '../services/slice-steps.ts'
import { modelWith } from './models.ts'
import { saveAll, savedText } from './save-all.ts'
import type { SavedFile, SaveLeave } from './save-all.ts'
import type { FileStore } from '../files/store.ts'
import type { SliceValues } from '../formats/editing.ts'
import { likeNames } from '../../shared/like-names.ts'
import type { Scene, Slice } from '../../shared/scene/types.ts'
import type { OpenModel } from '../workspace/open-model.ts'
import type { CommandModels, FoundModel } from './models.ts'
import { say } from '../../shared/texts/say.ts'

export interface SliceRow {
  /** position in its model: the game's number of the motion */
  index: number
  name: string
  start: number
  end: number
  speed: number
  /** the animation that it is a window on */
  clip: string
  /** where it stands: file, and field in it */
  ref: string
  path: string
  /** primary file of the model */
  model: string
}

export interface SlicesReport {
  /** primary file of the model; of the first one where the path means several */
  model: string
  name: string
  slices: SliceRow[]
}

export function slices(models: CommandModels, path: string): SlicesReport {
  const found = models.finder.all(path)
  const rows = found.flatMap((model) => slicesOf(models, model, found.length > 1))
  if (rows.length > 0 || found.length > 0) return { model: found[0].binding.primary, name: found[0].binding.name, slices: rows }
  const loose = looseSlices(models.store, path)
  if (loose.length === 0) throw new FormatError('not-found', say('commandLine.noModelNorList'), { file: path })
  return { model: loose[0].model, name: models.store.nameOf(loose[0].model), slices: loose }
}

/** Windows of one model; a model that cannot be put together does not hide those of the others. */
function slicesOf({ finder }: CommandModels, found: FoundModel, several: boolean): SliceRow[] {
  try {
    return rowsOf(finder.assembleSaved(found).scene, found.binding.primary)
  } catch (error) {
    if (several) return []
    throw error
  }
}

function rowsOf({ slices: list, clips }: Scene, model: string): SliceRow[] {
  return list.map((slice, index) => ({
    index,
    name: slice.name,
    start: slice.start,
    end: slice.end,
    speed: slice.speed,
    clip: clips[slice.clip]?.name ?? '',
    ref: slice.source.ref,
    path: slice.source.path,
    model,
  }))
}

/** Lists of slices that belong to no model. */
function looseSlices(store: FileStore, path: string): SliceRow[] {
  const whole = store.isFolder(path) || store.openArchive(path) !== undefined
  const around = whole ? MemoryNeighbourhood.of(store, path) : MemoryNeighbourhood.around(store, path)
  const ref = store.canonical(path)
  return [...around.all()]
    .filter((file) => whole || file.ref === ref)
    .flatMap((file) =>
      (around.summary(file.ref)?.slices ?? []).map((slice, index) => ({
        index,
        ...slice,
        clip: '',
        ref: file.ref,
        path: '',
        model: file.ref,
      })),
    )
}

export function slicesText({ slices: rows }: SlicesReport): string {
  let model = ''
  const lines: string[] = []
  for (const row of rows) {
    if (row.model !== model) lines.push(row.model)
    model = row.model
    lines.push(
      `${String(row.index).padStart(4)}  ${String(row.start).padStart(7)} ${String(row.end).padStart(7)}  ${String(row.speed).padStart(6)}  ${row.name}${row.clip ? `  (${row.clip})` : ''}`,
    )
  }
  lines.push(say('reports.slices.sum', { n: rows.length }))
  return `${lines.join('\n')}\n`
}

// --- edits ------------------------------------------------------------------------------------------------------

export interface SliceEditReport extends SlicesReport {
  /** files written; empty where nothing changed */
  saved: SavedFile[]
  warnings: string[]
}

export function sliceEditText(report: SliceEditReport): string {
  return `${slicesText(report)}${savedText(report.saved)}\n`
}

export type SliceChange =
  | { kind: 'add'; at?: number; clip: number; values: SliceValues }
  | { kind: 'set'; slice: string; values: Partial<SliceValues> }
  | { kind: 'remove'; slice: string }

/**
 * Changes the slices of one model and saves: the original is kept in the state folder, writes are atomic.
 * @throws FormatError invalid-edit, invalid-argument, changed-on-disk ...: nothing is written then
 */
export async function changeSlices(
  models: CommandModels,
  path: string,
  change: SliceChange,
  leave: SaveLeave = {},
): Promise<SliceEditReport> {
  return models.with(modelWith(models, path, hasSlices), async (workspace, model) => {
    const { label, body, warnings } = stepOf(model, change)
    await prepareSlices(models.store, model)
    await workspace.edit(model.id, label, body)
    const saved = await saveAll(models.images, workspace, model, leave)
    const { primary, name } = model.binding
    return { model: primary, name, slices: rowsOf(model.assembled.scene, primary), saved, warnings }
  })
}

function stepOf(model: OpenModel, change: SliceChange): SliceStep {
  const { slices: list } = model.assembled.scene
  const file = model.binding.primary
  if (change.kind === 'set') return setSlice(model, sliceIndex(list, change.slice, file), change.values)
  if (change.kind === 'remove') return removeSlice(model, sliceIndex(list, change.slice, file))
  const { at = list.length, clip, values } = change
  if (at > list.length)
    throw new FormatError('invalid-argument', say('commandLine.slice.notThere', { place: at, n: list.length }), { file })
  return addSlice(model, at, clip, values)
}

export interface ExtractReport {
  model: string
  slice: { index: number; name: string; start: number; end: number; speed: number }
  file: string
  bytes: number
}

/** Writes one window as an animation file of its own. An existing file is replaced only with `force`. */
export async function extractSlice(
  models: CommandModels,
  path: string,
  slice: string,
  out: string | undefined,
  force: boolean,
): Promise<ExtractReport> {
  return models.with(modelWith(models, path, hasSlices), async (_workspace, model) => {
    const list = model.assembled.scene.slices
    const index = sliceIndex(list, slice, model.binding.primary)
    const { name, bytes } = model.slices.extract(model, list[index])
    const file = resolve(out ?? safeName(name))
    if (existsSync(file) && !force) throw new FormatError('invalid-argument', say('commandLine.isThereOut', { file }), { file })
    await replaceFile(file, (handle) => writeAll(handle, bytes))
    const { name: title, start, end, speed } = list[index]
    return { model: model.binding.primary, slice: { index, name: title, start, end, speed }, file, bytes: bytes.length }
  })
}

const hasSlices = ({ slices: list }: Scene): boolean => list.length > 0

/** A slice by its number, or by its name where only one has it. */
function sliceIndex(list: readonly Slice[], wanted: string, file: string): number {
  if (/^\d+$/.test(wanted) && Number(wanted) < list.length) return Number(wanted)
  const named = list.flatMap((slice, i) => (slice.name === wanted ? [i] : []))
  if (named.length === 1) return named[0]
  throw new FormatError(
    'invalid-argument',
    named.length > 1
      ? say('commandLine.slice.severalCalled', { n: named.length, name: wanted })
      : say('commandLine.slice.noneCalled', {
          name: wanted,
          names: likeNames(
            wanted,
            list.map(({ name }) => name),
          ),
        }),
    { file },
  )
}
