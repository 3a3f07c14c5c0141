/** `marrow clip ...`: the clips of a model, listed, made, copied, named, taken away and taken from other files. */
import { FormatError } from '../binary/format-error.ts'
import { openDocument } from '../files/open-document.ts'
import { clipListOf, clipStep } from '../services/clip-steps.ts'
import type { ClipChange } from '../services/clip-steps.ts'
import { likeNames } from '../../shared/like-names.ts'
import { CLIP_ACTIONS } from '../../shared/api/types/clips.ts'
import type { ClipListLimits, ListedClip } from '../../shared/api/types/clips.ts'
import type { Clip, Scene } from '../../shared/scene/types.ts'
import type { OpenModel } from '../workspace/open-model.ts'
import { modelWith } from './models.ts'
import type { CommandModels } from './models.ts'
import { saveAll, savedText } from './save-all.ts'
import type { SavedFile, SaveLeave } from './save-all.ts'
import { say } from '../../shared/texts/say.ts'

export interface ClipsReport {
  /** primary file of the model */
  model: string
  name: string
  clips: (ListedClip & { index: number })[]
  limits: ClipListLimits
}

export interface ClipEditReport extends ClipsReport {
  /** numbers of those that were not there before, under this name and with these times */
  changed: number[]
  /** files written; empty where nothing changed */
  saved: SavedFile[]
}

/** What is asked for: clips by number or name. */
export type ClipWish =
  | { kind: 'add'; name: string; from?: { clip: string; start?: number; end?: number } }
  | { kind: 'duplicate'; clip: string; name: string }
  | { kind: 'rename'; clip: string; name: string }
  | { kind: 'remove'; clip: string }
  | { kind: 'unpack'; clip: string }
  | { kind: 'merge'; file: string; only?: string }

/** Also of families that can do nothing with them as a whole. @throws FormatError not-found */
export async function clips(models: CommandModels, path: string): Promise<ClipsReport> {
  return models.with(modelWith(models, path, hasClips), (_workspace, model) => Promise.resolve(reportOf(model)))
}

const hasClips = ({ clips }: Scene): boolean => clips.length > 0

function reportOf(model: OpenModel): ClipsReport {
  const editor = model.family.editor.clips?.list
  const { primary, name } = model.binding
  const rows = editor?.list(model) ?? model.assembled.scene.clips.map(plainRow)
  return {
    model: primary,
    name,
    clips: rows.map((clip, index) => ({ index, ...clip })),
    limits: editor?.limits(model) ?? { nameBytes: 0, files: [] },
  }
}

function plainRow({ name, start, end, rate, unit, source }: Clip, clip: number): ListedClip {
  const why = say('calls.noWay.changeClipList')
  return { name, clip, start, end, rate, unit, ...source, refused: Object.fromEntries(CLIP_ACTIONS.map((action) => [action, why])) }
}

/**
 * Changes the clips of one model and saves: the original is kept in the state folder, writes are atomic.
 * @throws FormatError invalid-edit, invalid-argument, changed-on-disk ...: nothing is written then
 */
export async function changeClips(models: CommandModels, path: string, wish: ClipWish, leave: SaveLeave = {}): Promise<ClipEditReport> {
  return models.with(modelWith(models, path, hasClips), async (workspace, model) => {
    const { label, body } = clipStep(model, changeOf(models, model, wish))
    const key = ({ name, start, end }: ListedClip): string => `${start} ${end} ${name}`
    const before = new Set(reportOf(model).clips.map(key))
    await workspace.edit(model.id, label, body)
    const saved = await saveAll(models.images, workspace, model, leave)
    const report = reportOf(model)
    return { ...report, changed: report.clips.flatMap((clip) => (before.has(key(clip)) ? [] : [clip.index])), saved }
  })
}

function changeOf({ store }: CommandModels, model: OpenModel, wish: ClipWish): ClipChange {
  if (wish.kind === 'merge') return { kind: 'merge', file: openDocument(store, wish.file).document, only: wish.only }
  const list = clipListOf(model).list(model)
  const file = model.binding.primary
  if (wish.kind === 'add') {
    const { name, from } = wish
    if (!from) return { kind: 'add', name }
    const clip = clipIndex(list, from.clip, file)
    return { kind: 'add', name, from: { clip, start: from.start ?? list[clip].start, end: from.end ?? list[clip].end } }
  }
  return { ...wish, clip: clipIndex(list, wish.clip, file) }
}

/** A clip by its name where only one has it, capital letters or not, or by its number. */
function clipIndex(list: readonly ListedClip[], wanted: string, file: string): number {
  const named = list.flatMap((clip, i) => (clip.name === wanted ? [i] : []))
  if (named.length === 1) return named[0]
  if (/^\d+$/.test(wanted) && Number(wanted) < list.length) return Number(wanted)
  const alike = list.flatMap((clip, i) => (clip.name.toLowerCase() === wanted.toLowerCase() ? [i] : []))
  if (alike.length === 1) return alike[0]
  throw new FormatError(
    'invalid-argument',
    alike.length > 1
      ? say('commandLine.clip.severalCalled', { n: alike.length, name: wanted })
      : say('commandLine.clip.noneCalled', {
          name: wanted,
          names: likeNames(
            wanted,
            list.map(({ name }) => name),
          ),
        }),
    { file },
  )
}

export function clipsText(report: ClipsReport): string {
  return `${[report.model, ...linesOf(report), say('reports.clips.sum', { n: report.clips.length })].join('\n')}\n`
}

function linesOf({ model, clips: rows }: ClipsReport): string[] {
  return rows.map(
    ({ index, start, end, unit, name, ref, packed }) =>
      `${String(index).padStart(4)}  ${String(start).padStart(9)} ${String(end).padStart(9)} ${unit.padEnd(5)}  ${name}${ref === model ? '' : `  (${ref})`}${packed ? `  ${say('reports.clips.packed', { tracks: packed.tracks, n: packed.adds })}` : ''}`,
  )
}

export function clipEditText(report: ClipEditReport): string {
  // of hundreds of clips those that the command was about
  const changed = new Set(report.changed)
  const lines = linesOf({ ...report, clips: report.clips.filter(({ index }) => changed.has(index)) })
  return `${[...lines, say('reports.clips.sum', { n: report.clips.length }), savedText(report.saved)].join('\n')}\n`
}
