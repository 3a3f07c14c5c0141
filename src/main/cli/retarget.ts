/** `marrow retarget`: the motion of one model onto the skeleton of another. */
import { FormatError } from '../binary/format-error.ts'
import { SURE } from '../../shared/motion/figure-map.ts'
import { findWindow, retargetInto } from '../services/retarget-clip.ts'
import { ModelPreview } from '../workspace/model-preview.ts'
import { readMap } from './import.ts'
import { onlyModel } from './models.ts'
import { saveAll, savedText } from './save-all.ts'
import type { RetargetReport } from '../../shared/api/types/retarget.ts'
import type { RetargetSettings } from '../../shared/api/retarget-options.ts'
import type { FoundModel } from '../services/model-finder.ts'
import type { CommandModels } from './models.ts'
import type { SavedFile, SaveLeave } from './save-all.ts'
import { say } from '../../shared/texts/say.ts'

export interface RetargetCommandOptions extends Partial<RetargetSettings>, SaveLeave {
  /** the other model */
  from: string
  clip: string
  into?: string
  /** a file with the map, or `auto`: whatever was found is taken */
  mapFile?: string
}

export interface RetargetCommandReport extends RetargetReport {
  model: string
  /** primary file of the other model */
  from: string
  saved: SavedFile[]
}

/** @throws FormatError: nothing is written then */
export async function retargetFrom(models: CommandModels, path: string, options: RetargetCommandOptions): Promise<RetargetCommandReport> {
  const { from, clip, into = clip, mapFile } = options
  const having = (name: string): WantedModel => ({
    has: (model) => findWindow(models.finder.assembleSaved(model).scene, name) !== undefined,
    words: say('commandLine.clipCalled', { name }),
  })
  const other = onlyModel(models.finder.all(from), from, having(clip))
  const found = targetOf(models, path, having(into))
  const { editor, label } = found.family
  if (!editor.clips) throw new FormatError('unsupported', say('calls.notWritten.animationsOf', { family: label }), { file: path })
  const source = models.finder.assembleSaved(other).scene
  const map = mapFile === undefined || mapFile === 'auto' ? {} : readMap(mapFile)
  return models.with(found, async (workspace, model) => {
    const preview = new ModelPreview(model)
    const report = retargetInto(preview, editor.clips!, source, { ...options, clip, into, map })
    if (mapFile === undefined) checkScore(report)
    await workspace.edit(model.id, 'Retarget', (session) => preview.writeTo(session))
    const saved = await saveAll(models.images, workspace, model, options)
    return { model: model.binding.primary, from: other.binding.primary, ...report, saved }
  })
}

type WantedModel = NonNullable<Parameters<typeof onlyModel>[2]>

/** The model below a path that has the clip; where none has it, the one of them that one can be made for. */
function targetOf({ finder }: CommandModels, path: string, having: WantedModel): FoundModel {
  const all = finder.all(path)
  const able = all.filter(({ family }) => family.editor.clips?.list)
  return able.length > 0 && !all.some(having.has) ? onlyModel(able, path) : onlyModel(all, path, having)
}

/** A motion on the wrong joints is worse than none. @throws FormatError refused */
function checkScore({ score, joints }: RetargetReport): void {
  if (score >= SURE) return
  const missing = joints.flatMap(({ joint, why }) => (why === 'none' ? [joint] : []))
  const names = missing.slice(0, MOST_NAMED).join(', ') + (missing.length > MOST_NAMED ? ', …' : '')
  throw new FormatError('refused', say('retargeting.unsure', { percent: Math.round(100 * score), missing: names }))
}

const MOST_NAMED = 8
/** Less is rounding. */
const STILL = 1e-6
const short = (value: number): string => String(Number(value.toPrecision(2)))

export function retargetText({ joints, saved, left, ...report }: RetargetCommandReport): string {
  const lines = joints
    .filter(({ from, joint, why }) => from !== '' && !(why === 'name' && from === joint))
    .map(({ joint, from, why }) => say('reports.retarget.joint', { joint, from, why: say(`reports.retarget.why.${why}`) }))
  for (const { joint, on } of joints) if (on !== undefined) lines.push(say('reports.retarget.rides', { joint, on }))
  const unmapped = joints.filter(({ from, on }) => from === '' && on === undefined).map(({ joint }) => joint)
  if (unmapped.length > 0) lines.push(say('reports.retarget.unmapped', { names: unmapped.join(', ') }))
  if (report.made) lines.push(say('reports.retarget.made', { into: report.into }))
  const { clip, into, frames, rate, score, changed, keysWritten, keysRemoved, reduced, coding, plants, slide } = report
  lines.push(
    say('reports.retarget.sum', {
      clip,
      into,
      frames: say('reports.counts.frames', { n: frames }),
      rate: short(rate),
      percent: Math.round(100 * score),
      n: changed.length,
    }),
  )
  if (changed.length > 0)
    lines.push(
      say('reports.retarget.keys', {
        n: keysWritten,
        removed: keysRemoved,
        reduced: short(reduced),
        coding: short(coding.distance),
        degrees: coding.degrees.toFixed(3),
      }),
    )
  if (plants > 0) lines.push(say('reports.retarget.plants', { n: plants, slide: slide < STILL ? '0' : short(slide) }))
  lines.push(...left.map((what) => say('reports.leftOut', { what })), savedText(saved))
  return `${lines.join('\n')}\n`
}
