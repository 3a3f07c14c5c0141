/**
 * A glTF file onto a model: its rest pose, its weights and its animations, each where it is asked for, as one step of undo.
 * What window and command line share.
 */
import { randomUUID } from 'node:crypto'
import { IMPORT_DEFAULTS } from '../../shared/api/import-options.ts'
import { FormatError } from '../binary/format-error.ts'
import { exportedRest } from './exported-rest.ts'
import { matchRest } from './gltf-rest.ts'
import { compareAnimations, writeAnimations } from './import-animation.ts'
import { measureImport } from './import-measure.ts'
import { checkedMap, matchNodes, planJobs } from './import-names.ts'
import { importRest } from './import-rest.ts'
import { importWeights, measureWeights } from './import-weights.ts'
import { atOnce, paced, partOf } from '../../shared/stepwise.ts'
import type { EditSession, FamilyEditor, OpenDocuments } from '../formats/editing.ts'
import type { ImportSettings } from '../../shared/api/import-options.ts'
import type { ImportReport } from '../../shared/api/types/import.ts'
import type { GltfFile } from './gltf-reader.ts'
import type { ImportChoice, Imported } from './import-animation.ts'
import type { WishedWeights } from './import-weights.ts'
import type { Pause } from '../../shared/stepwise.ts'
import { say } from '../../shared/texts/say.ts'

export type ImportWishes = ImportChoice & Partial<ImportSettings>

export interface ImportTarget {
  editor: FamilyEditor
  model: OpenDocuments
  /** one edit of the model, assembled again after it; those of one gesture are one step. @returns whether something changed */
  edit(body: (session: EditSession) => void, gesture: string): Promise<boolean>
  /** takes the last step back */
  undo(): Promise<void>
  /** told the share that is done, now and then; others run while it is waited for, and what it throws ends the import. Without it all is done at once */
  pause?: Pause
}

/** @throws FormatError: nothing of it is kept then */
export async function importFile(
  target: ImportTarget,
  file: GltfFile,
  wishes: ImportWishes,
): Promise<{ report: ImportReport; changed: boolean }> {
  const { editor, model, edit } = target
  const { animations = IMPORT_DEFAULTS.animations, weights = IMPORT_DEFAULTS.weights, rest = IMPORT_DEFAULTS.rest } = wishes
  const gesture = `import ${randomUUID()}`
  const why = animations ? notForAnimations(target, file, wishes) : say('importedMotion.nothingAsked')
  if (why !== undefined && !weights && !rest) throw why instanceof FormatError ? why : new FormatError('invalid-argument', why)
  let report: ImportReport | undefined
  let wished: WishedWeights[] = []
  let changed = false
  if (weights || rest) {
    changed = await edit((session) => {
      const began = importShape(session, editor, file, wishes)
      report = began.report
      wished = began.wished
    }, gesture)
    if (editor.weights) measureWeights(model, editor.weights, wished)
  }
  if (why !== undefined) {
    if (animations) report!.left.push(why instanceof FormatError ? why.message : why)
    return { report: report!, changed }
  }
  let moved = false
  try {
    let done: Imported | undefined
    // against the rest pose of now: the import may have moved joints just before
    const compared =
      target.pause && (await paced(compareAnimations(model.assembled.scene, file, wishes), partOf(target.pause, 0, COMPARING)))
    moved = await edit((session) => {
      const { scene } = session.assembled
      // the model may have been edited meanwhile
      const same = compared?.before === scene ? compared : atOnce(compareAnimations(scene, file, wishes))
      done = writeAnimations(session, editor.clips!, same)
    }, gesture)
    await paced(measureImport(model.assembled.scene, done!), partOf(target.pause, COMPARING, 1))
    const own = done!.report
    return { report: report ? bothReports(report, own) : own, changed: changed || moved }
  } catch (error) {
    if (changed || moved) await target.undo()
    throw error
  }
}

/** The share of the time that goes by before anything is written. */
const COMPARING = 0.7

/** Why the animations of a file cannot be taken, undefined where they can. */
function notForAnimations({ editor, model }: ImportTarget, file: GltfFile, wishes: ImportWishes): FormatError | undefined {
  if (!editor.clips) return new FormatError('unsupported', say('calls.notEditable.clips'))
  try {
    planJobs(model.assembled.scene, file, wishes)
    return undefined
  } catch (error) {
    // the user named an animation or a place that does not exist: that is an error of the call
    const named = wishes.animation !== undefined || wishes.clip !== undefined || wishes.slice !== undefined
    if (!(error instanceof FormatError) || named) throw error
    return error
  }
}

function importShape(
  session: EditSession,
  editor: FamilyEditor,
  file: GltfFile,
  wishes: ImportWishes,
): { report: ImportReport; wished: WishedWeights[] } {
  const { scene } = session.assembled
  const own = exportedRest(scene)
  const nodes = matchNodes(scene, own, file, checkedMap(scene, wishes.map ?? {}))
  const match = matchRest(scene, own, file, nodes.nodeOf)
  const { names } = own
  const report: ImportReport = {
    imported: [],
    unmatched: nodes.unmatched,
    unused: [],
    assumed: nodes.assumed,
    rest: {
      turned: match.turned,
      degrees: match.degrees,
      moved: match.moved.map(({ joint, distance }) => ({ joint: names[joint], distance })),
    },
    left: [...file.left, ...nodes.left],
  }
  let wished: WishedWeights[] = []
  if (wishes.weights) {
    if (!editor.weights) throw new FormatError('unsupported', say('calls.notEditable.weights'))
    // weights first: vertices are found where the model as it was has them
    const done = importWeights(session, editor.weights, file, own, nodes.nodeOf, match.bind)
    wished = done.wished
    report.weights = wished.map((one) => one.report)
    report.left.push(...done.left)
    report.assumed = [...report.assumed, ...done.assumed]
  }
  if (wishes.rest) {
    if (!editor.skeleton) throw new FormatError('unsupported', say('calls.notEditable.skeleton'))
    const done = importRest(session, editor.skeleton, own, match.bind)
    report.placed = done.placed
    report.left.push(...done.left)
  }
  return { report, wished }
}

function bothReports(shape: ImportReport, motion: ImportReport): ImportReport {
  return {
    ...motion,
    weights: shape.weights,
    placed: shape.placed,
    // how the file rests against the model as it was
    rest: shape.rest,
    assumed: [...new Set([...shape.assumed, ...motion.assumed])],
    left: [...new Set([...shape.left, ...motion.left])],
  }
}
