/** An open model: its files, what was changed in them, saving, and other programs. */
import * as v from 'valibot'
import { bytes, call, exportParts, family, importChoice, index, model, nothing, parts, step, text, value } from '../arguments.ts'
import { importSettingsSchema } from '../import-options.ts'
import type { FileChanges } from '../types/changes.ts'
import type { BatchReport } from '../types/export.ts'
import type { EditableField, FieldGroup } from '../types/fields.ts'
import type { ImportPreview, ImportReport, JointProposal } from '../types/import.ts'
import type { LintRule } from '../types/lint.ts'
import type { LinkState } from '../types/link.ts'
import type { AddedFiles, EditResult, HistoryInfo, ModelInfo, OpenedModel, Problem } from '../types/model.ts'
import type { RecoveredModel } from '../types/recovery.ts'
import type { CopyPlan, DiskFileState, OriginalInfo, SavePlan, SaveResult } from '../types/save.ts'
import type { StructureNode } from '../types/structure.ts'
import { MOST_CHOSEN } from '../types/library.ts'
import { MOST_PATHS } from '../desktop.ts'
import type { Clip, Scene } from '../../scene/types.ts'

const copy = { models: v.pipe(v.array(text), v.minLength(1), v.maxLength(MOST_PATHS)), folder: v.optional(text), name: v.optional(text) }

export const modelCalls = {
  /** opens a model by its primary file or any of its members */
  'model.open': call(v.object({ ref: text, library: v.optional(text) }))<OpenedModel>(),
  /** a model that is probably opened next: it is put together for that. Fails for no file that cannot be read */
  'model.prepare': call(v.object({ ref: text }))<null>(),
  'model.close': call(v.object({ model: text, discard: v.optional(v.boolean()) }))<null>(),
  'model.list': call(nothing)<ModelInfo[]>(),
  /** @param clip that is shown: its tracks are never away */
  'model.scene': call(v.object({ model: text, clip: v.optional(index) }))<OpenedModel>(),
  /** one clip of the scene with its tracks, and the revision of the model that has it so */
  'model.clip': call(v.object({ model: text, clip: index }))<{ revision: number; clip: Clip }>(),
  /** the scene that the originals of its files make */
  'model.original': call(model)<Scene>(),
  /** a choice that the assembler offered */
  'model.choose': call(v.object({ model: text, key: text, value }))<OpenedModel>(),
  /** which file plays a role: the user's word over the binder's; kept */
  'model.bind': call(v.object({ model: text, role: text, ref: text, remove: v.optional(v.boolean()) }))<OpenedModel>(),
  /**
   * Files from anywhere become part of a model, each in the role that it can play, or in the one that is asked for; kept. Of an archive the
   * members that can play that role. What would change nothing is refused.
   */
  'model.add': call(
    v.object({
      model: text,
      refs: v.pipe(v.array(text), v.minLength(1), v.maxLength(MOST_PATHS)),
      role: v.optional(v.picklist(['animation', 'textures', 'skeleton', 'bind-pose'])),
    }),
  )<AddedFiles>(),
  /**
   * reads the files of a model again; its edits are dropped. Where a file is gone or cannot be read it fails with `deleted`,
   * `moved` or `unreadable`, unless `missing` says what to do: `keep` such files as they are open, or `drop` them
   */
  'model.reload': call(v.object({ model: text, missing: v.optional(v.picklist(['keep', 'drop'])) }))<OpenedModel>(),
  /** files of the model that the disk does not have as they were read */
  'model.disk': call(model)<DiskFileState[]>(),
  /** the edits stay, and the next save writes over what changed on disk; those bytes are kept as an original */
  'model.keep': call(model)<OpenedModel>(),
  /** files that changed on disk: from what stands there now to what is open */
  'model.compareDisk': call(model)<FileChanges[]>(),
  /** `onlyNew`: what the originals of its files had already is left out */
  'model.problems': call(v.object({ model: text, onlyNew: v.optional(v.boolean()) }))<Problem[]>(),
  'model.fix': call(v.object({ model: text, problem: v.object({ ref: text, code: text, path: text }), fix: text }))<EditResult>(),
  /** one repair at every problem of its kind, or at those that the originals had not, as one step */
  'model.fixAll': call(v.object({ model: text, code: text, fix: text, onlyNew: v.optional(v.boolean()) }))<EditResult>(),
  /** what its family looks for */
  'model.rules': call(model)<LintRule[]>(),
  'model.structure': call(v.object({ model: text, ref: text }))<StructureNode>(),
  'model.bytes': call(
    v.object({ model: text, ref: text, start: index, length: v.pipe(index, v.maxValue(65_536)), original: v.optional(v.boolean()) }),
  )<Uint8Array>(),
  /** files that differ from their originals; `ref` and `within` ask for one file, for what is below one path where a list was cut */
  'model.changes': call(v.object({ model: text, ref: v.optional(text), within: v.optional(text) }))<FileChanges[]>(),
  /** a part of a file as in its original, as an undoable step: a change as listed, everything below a path, the whole file */
  'changes.restore': call(
    v.object({
      model: text,
      ref: text,
      /** of the model when the changes were listed: places of another one are not taken */
      revision: v.optional(index),
      part: v.variant('kind', [
        v.object({ kind: v.literal('file') }),
        v.object({ kind: v.literal('range'), start: index, end: index, newStart: index, newEnd: index }),
        v.object({ kind: v.literal('node'), path: text, start: index, newStart: index }),
      ]),
    }),
  )<EditResult>(),

  /** one field of a file of the model, as it is edited */
  'fields.get': call(v.object({ model: text, ref: text, path: text }))<EditableField>(),
  /** what the files of a model say of a material of its scene, by the places where it stands */
  'fields.ofMaterial': call(v.object({ model: text, material: index }))<FieldGroup[]>(),
  /** values of fields as texts (`EditableField.value`), as one step */
  'fields.set': call(
    v.object({
      model: text,
      ref: text,
      values: v.pipe(v.array(v.object({ path: text, value: text })), v.minLength(1), v.maxLength(256)),
      ...step,
    }),
  )<EditResult>(),

  'history.undo': call(model)<EditResult>(),
  'history.redo': call(model)<EditResult>(),
  'history.list': call(model)<HistoryInfo>(),

  'save.plan': call(model)<SavePlan>(),
  /**
   * a file fails with `changed-on-disk`, `deleted` or `moved` unless `overwriteChanged` permits to write over it or again
   * (`writeAgain` for those that are gone alone), and with `write-protected` unless `replaceReadOnly` does; the protection
   * stays on the new file
   */
  'save.write': call(
    v.object({
      model: text,
      overwriteChanged: v.optional(v.boolean()),
      writeAgain: v.optional(v.boolean()),
      replaceReadOnly: v.optional(v.boolean()),
    }),
  )<SaveResult>(),
  /**
   * what a first copy of the image of a disc takes that unsaved files of models stand in, where there is room for it; a file that waits for one
   * fails in `save.write` with `copy-only`. With a folder and a name for the copy, where the mod folder has no place for it
   */
  'save.copyPlan': call(v.object(copy))<CopyPlan>(),
  /** writes the copy, and saves the models' files of the image into it from then on; progress as events; cancelled it goes on the next time */
  'save.copy': call(v.object(copy))<SaveResult>(),
  /** what of a copy was begun is taken away */
  'save.dropCopy': call(v.object(copy))<null>(),
  'save.originals': call(v.object({ model: v.optional(text) }))<OriginalInfo[]>(),
  'save.restore': call(v.object({ model: text, ref: text, replaceReadOnly: v.optional(v.boolean()) }))<OpenedModel>(),
  'recovery.list': call(nothing)<RecoveredModel[]>(),
  'recovery.restore': call(v.object({ id: text }))<OpenedModel>(),
  'recovery.discard': call(v.object({ id: text }))<null>(),

  /** nodes that the animations of a glTF (its bytes) move, and the joints that they are taken for */
  'import.inspect': call(v.object({ model: text, name: text, bytes }))<JointProposal[]>(),
  /**
   * a glTF (its bytes) onto the model, as one step: its animations onto clips and slices, by name, or one into the clip or slice that is given;
   * on wish weights and rest pose of the same figure (`import-options.ts`). Cancellable, nothing of it stays then; progress as events
   */
  'import.animation': call(v.object({ ...importChoice, replaces: v.optional(text) }))<EditResult & { report: ImportReport }>(),
  /** what `import.animation` would make of the model, with nothing of it changed; progress as events; cancellable */
  'import.preview': call(v.object(importChoice))<ImportPreview>(),

  /**
   * Writes the model as GLB into a folder (one of Marrow's own when absent) and takes what is saved there from then on, as one step that the
   * next save takes the place of; how, is said as of an import. A file that is there is refused without a word on it: `replace` it, or `keep` it
   * and take what it has.
   */
  'link.start': call(
    v.object({
      model: text,
      folder: v.optional(text),
      parts: v.optional(exportParts),
      existing: v.optional(v.picklist(['replace', 'keep'])),
      ...importSettingsSchema.entries,
    }),
  )<LinkState>(),
  'link.stop': call(model)<null>(),
  'link.state': call(model)<LinkState | null>(),
  /** the linked file in the system's program for it; the web host has none */
  'link.openFile': call(model)<{ opened: boolean }>(),
  /**
   * Every model of a library that a filter shows, as saved; progress as events. Cancelled through `export.batchStop`, so that what was written is
   * still told. One model that fails stops none of the others.
   */
  'export.batch': call(
    v.object({
      library: text,
      filter: v.object({ text: v.optional(text), family: v.optional(family), has: v.optional(parts), folder: v.optional(text) }),
      /** these alone, whatever the filter says */
      refs: v.optional(v.pipe(v.array(text), v.minLength(1), v.maxLength(MOST_CHOSEN))),
      to: v.picklist(['gltf', 'glb', 'png']),
      folder: text,
      layout: v.picklist(['flat', 'folders']),
      existing: v.picklist(['skip', 'replace']),
      parts: v.optional(exportParts),
    }),
  )<BatchReport>(),
  'export.batchStop': call(v.object({ library: text }))<null>(),
  /** `left`: in words, what the form has no place for */
  'export.model': call(v.object({ model: text, to: v.picklist(['gltf', 'glb', 'png']), folder: text, parts: v.optional(exportParts) }))<{
    files: string[]
    left?: string[]
  }>(),
} as const
