/** `marrow slices` and `marrow slice ...`: the windows on a model's animations, listed and edited in the game's own files. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { FormatError } from '../binary/format-error.ts'
import { MemoryNeighbourhood } from '../files/neighbourhood.ts'
import { safeName } from '../files/file-names.ts'
import { replaceFile, writeAll } from '../workspace/atomic.ts'
import { Workspace } from '../workspace/workspace.ts'
import { commandState } from './state.ts'
import { findModels } from './models.ts'
import { saveAll } from './save-all.ts'
import type { SavedFile, SaveLeave } from './save-all.ts'
import type { FileStore } from '../files/store.ts'
import type { EditSession, SliceEditor, SliceValues } from '../formats/editing.ts'
import type { Slice } from '../../shared/scene/types.ts'
import type { OpenModel } from '../workspace/open-model.ts'
import type { FoundModel } from './models.ts'

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

export function slices(store: FileStore, path: string): SlicesReport {
  const found = findModels(store, path)
  const rows = found.flatMap((model) => slicesOf(model, found.length > 1))
  if (rows.length > 0 || found.length > 0) return { model: found[0].binding.primary, name: found[0].binding.name, slices: rows }
  const loose = looseSlices(store, path)
  if (loose.length === 0) throw new FormatError('not-found', 'there is no model and no list of slices here', { file: path })
  return { model: loose[0].model, name: store.nameOf(loose[0].model), slices: loose }
}

/** Windows of one model; a model that cannot be put together does not hide those of the others. */
function slicesOf({ family, binding, around }: FoundModel, several: boolean): SliceRow[] {
  try {
    const { scene } = family.assemble(binding, (ref) => around.document(ref), {})
    return rowsOf(scene.slices, binding.primary, (slice) => scene.clips[slice.clip]?.name ?? '')
  } catch (error) {
    if (several) return []
    throw error
  }
}

function rowsOf(list: readonly Slice[], model: string, clip: (slice: Slice) => string): SliceRow[] {
  return list.map((slice, index) => ({
    index,
    name: slice.name,
    start: slice.start,
    end: slice.end,
    speed: slice.speed,
    clip: clip(slice),
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
  lines.push(`${rows.length} slices`)
  return `${lines.join('\n')}\n`
}

// --- edits ------------------------------------------------------------------------------------------------------

export interface SliceEditReport extends SlicesReport {
  /** files written; empty where nothing changed */
  saved: SavedFile[]
  warnings: string[]
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
  store: FileStore,
  path: string,
  change: SliceChange,
  stateFolder: string,
  leave: SaveLeave = {},
): Promise<SliceEditReport> {
  return withModel(store, path, stateFolder, async (workspace, model, editor) => {
    const now = (): Slice[] => model.assembled.scene.slices
    const warnings: string[] = []
    const check = (values: SliceValues): void => {
      for (const { severity, message } of editor.check(model, values)) {
        if (severity === 'error') throw new FormatError('invalid-edit', message, { file: model.binding.primary })
        warnings.push(message)
      }
    }
    let edit: (session: EditSession) => void
    if (change.kind === 'add') {
      const at = change.at ?? now().length
      if (at > now().length)
        throw new FormatError('invalid-argument', `a slice cannot be put at ${at}: there are ${now().length}`, {
          file: model.binding.primary,
        })
      if (!model.assembled.scene.clips[change.clip])
        throw new FormatError('invalid-argument', `there is no clip ${change.clip}`, { file: model.binding.primary })
      check(change.values)
      edit = (session) => editor.add(session, at, change.clip, change.values)
    } else {
      const index = sliceIndex(now(), change.slice, model.binding.primary)
      if (change.kind === 'set') {
        const { name, start, end, speed } = now()[index]
        check({ name, start, end, speed, ...change.values })
        edit = (session) => editor.set(session, index, change.values)
      } else {
        edit = (session) => editor.remove(session, index)
      }
    }
    await workspace.edit(model.id, change.kind, edit)
    const saved = await saveAll(workspace, model, leave)
    const { scene } = model.assembled
    return {
      model: model.binding.primary,
      name: model.binding.name,
      slices: rowsOf(scene.slices, model.binding.primary, (slice) => scene.clips[slice.clip]?.name ?? ''),
      saved,
      warnings,
    }
  })
}

export interface ExtractReport {
  model: string
  slice: { index: number; name: string; start: number; end: number; speed: number }
  file: string
  bytes: number
}

/** Writes one window as an animation file of its own. An existing file is replaced only with `force`. */
export async function extractSlice(
  store: FileStore,
  path: string,
  slice: string,
  out: string | undefined,
  options: { stateFolder: string; force: boolean },
): Promise<ExtractReport> {
  return withModel(store, path, options.stateFolder, async (_workspace, model, editor) => {
    const list = model.assembled.scene.slices
    const index = sliceIndex(list, slice, model.binding.primary)
    const { name, bytes } = editor.extract(model, list[index])
    const file = resolve(out ?? safeName(name))
    if (existsSync(file) && !options.force)
      throw new FormatError('invalid-argument', `${file} is there already: choose another with --out, or replace it with --force`, { file })
    await replaceFile(file, (handle) => writeAll(handle, bytes))
    const { name: title, start, end, speed } = list[index]
    return { model: model.binding.primary, slice: { index, name: title, start, end, speed }, file, bytes: bytes.length }
  })
}

/** A slice by its number, or by its name where only one has it. */
function sliceIndex(list: readonly Slice[], wanted: string, file: string): number {
  if (/^\d+$/.test(wanted) && Number(wanted) < list.length) return Number(wanted)
  const named = list.flatMap((slice, i) => (slice.name === wanted ? [i] : []))
  if (named.length === 1) return named[0]
  throw new FormatError(
    'invalid-argument',
    named.length > 1 ? `${named.length} slices are called ${wanted}: give a number` : `there is no slice ${wanted} (${list.length} slices)`,
    { file },
  )
}

async function withModel<T>(
  store: FileStore,
  path: string,
  stateFolder: string,
  body: (workspace: Workspace, model: OpenModel, editor: SliceEditor) => Promise<T>,
): Promise<T> {
  const found = findModels(store, path)
  const [only] = found.length > 1 ? withSlices(found) : found
  if (!only) throw new FormatError('not-found', 'there is no model here', { file: path })
  const editor = only.family.editor.slices
  if (!editor) throw new FormatError('unsupported', `slices of ${only.family.label} models cannot be edited`, { file: path })
  const workspace = new Workspace({ files: store, stateFolder, state: commandState(stateFolder) })
  try {
    const model = workspace.open(only)
    try {
      return await body(workspace, model, editor)
    } finally {
      await workspace.close(model.id, { discard: true })
    }
  } finally {
    await workspace.closeAll()
  }
}

/** The one model among several whose slices can be meant. @throws FormatError when that is not clear */
function withSlices(found: FoundModel[]): FoundModel[] {
  const candidates = found.filter((model) => slicesOf(model, true).length > 0)
  if (candidates.length === 1) return candidates
  const names = (candidates.length > 0 ? candidates : found).slice(0, 8).map(({ binding }) => binding.primary)
  throw new FormatError(
    'invalid-argument',
    `this means several models, name one of them: ${names.join(', ')}${found.length > names.length ? ', …' : ''}`,
  )
}
