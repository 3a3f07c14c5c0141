/**
 * The contract between the window and the main process: a table of its calls, with the schemas of their arguments and the types of what they
 * answer. It is one table, so that all that crosses is read in one place. Errors are data, a call is cancelled by its number (transport.ts),
 * binary data crosses as typed arrays.
 */
import * as v from 'valibot'
import {
  archiveStep,
  besideKeys,
  bytes,
  call,
  exportParts,
  family,
  finite,
  importChoice,
  index,
  keyEdits,
  keptPose,
  kinds,
  model,
  nothing,
  offset,
  parts,
  place,
  poseOfShelf,
  poses,
  retargetChoice,
  shelf,
  sliceValues,
  step,
  text,
  value,
  weightRows,
} from './arguments.ts'
import { importSettingsSchema } from './import-options.ts'
import type { Call } from './arguments.ts'
import { settingsChangeSchema } from './settings.ts'
import type { Settings } from './settings.ts'
import { menuKeysSchema } from './menu.ts'
import { MOST_MEMBERS_ASKED } from './types/archive.ts'
import type { ArchiveExtracted, ArchivePage, ArchiveState, ArchiveWritePlan } from './types/archive.ts'
import type { EditPreview, FileChanges } from './types/changes.ts'
import type { ClipField, ClipListLimits, ListedClip, NativeTrack } from './types/clips.ts'
import type { Comparison } from './types/compare.ts'
import type { BatchReport } from './types/export.ts'
import type { EditableField, FieldGroup } from './types/fields.ts'
import type { ImportPreview, ImportReport, JointProposal } from './types/import.ts'
import type { RetargetPreview, RetargetReport } from './types/retarget.ts'
import type { LibraryLint, LintRule } from './types/lint.ts'
import type { LinkState } from './types/link.ts'
import type { FileStanding, LibraryFolder, LibraryInfo, LibraryPage, ModelPicture, ScanReport } from './types/library.ts'
import type { ModComparison, ModFile, ModFileReport, ModLayout, ModUpdate, TestFolderReport } from './types/mod.ts'
import type { AddedFiles, EditResult, HistoryInfo, ModelInfo, OpenedModel, Problem } from './types/model.ts'
import type { ModPackageBuild, ModPackageExport } from './types/mod-package.ts'
import type { NativePoints } from './types/points.ts'
import type { PoseShelves } from './types/poses.ts'
import type { RecoveredModel } from './types/recovery.ts'
import type { DiskFileState, OriginalInfo, SavePlan, SaveResult } from './types/save.ts'
import type { SliceFinding } from './types/slices.ts'
import type { StructureNode } from './types/structure.ts'
import type { NativeSubmesh } from './types/submeshes.ts'
import type { TexturePixels, TextureReport, TextureStorage } from './types/textures.ts'
import type { NativeWeights } from './types/weights.ts'
import { MOST_CHOSEN, MOST_STANDINGS, PICTURE_SIZE } from './types/library.ts'
import { INBOX_LIMITS, MOST_PATHS } from './desktop.ts'
import type { DiagnosticsPreview, OpenTarget, PackageContents } from './desktop.ts'
import type { Clip, Scene } from '../scene/types.ts'
import { say } from '../texts/say.ts'
import type { AppInfo, FolderListing } from './types/app.ts'

const shows = v.picklist(['models', 'files', 'errors'])
/** Which rows of a library, and in which order. */
const librarySelection = {
  library: text,
  text: v.optional(text),
  family: v.optional(family),
  kind: v.optional(kinds),
  has: v.optional(parts),
  /** a folder's place; what stands below it too */
  folder: v.optional(text),
  show: shows,
  sort: v.picklist(['name', 'kind', 'size', 'bones', 'clips']),
  descending: v.optional(v.boolean()),
}

/** One of two that are held against each other. */
const compared = v.object({ ref: text, version: v.picklist(['saved', 'game', 'original']) })

const contractCalls = {
  'app.info': call(nothing)<AppInfo>(),
  'settings.get': call(nothing)<Settings>(),
  'settings.set': call(settingsChangeSchema)<Settings>(),

  /** the keys that the user has for commands of the host's menu, which shows them */
  'menu.keys': call(v.object({ keys: menuKeysSchema }))<null>(),

  /** Electron: the system's dialog. Web host: null; the window then asks with folders.list. */
  'folders.pick': call(nothing)<string | null>(),
  /** without a path the user's home; with '' the places that there are, as whole paths */
  'folders.list': call(v.object({ path: v.optional(text) }))<FolderListing>(),

  /** paths that came from outside since the last call: arguments, a second start, a drop, the system's menus */
  'open.pending': call(nothing)<{ paths: string[] }>(),
  /** what paths mean, and which folder each is looked at in */
  'open.look': call(v.object({ paths: v.pipe(v.array(text), v.maxLength(MOST_PATHS)) }))<OpenTarget[]>(),
  /** files of libraries that are open with this name, size and hash (SHA-256, hex); null where there is none. For windows that know no paths */
  'open.match': call(
    v.object({
      files: v.pipe(
        v.array(v.object({ name: text, size: index, sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)) })),
        v.maxLength(INBOX_LIMITS.files),
      ),
    }),
  )<(OpenTarget | null)[]>(),
  /** a folder for copies of dropped files; they are opened read-only. `kept`: they become part of a model, and stay as long as they are */
  'inbox.begin': call(v.object({ name: text, kept: v.optional(v.boolean()) }))<{ id: string }>(),
  'inbox.add': call(
    v.object({
      id: text,
      /** below the folder, with `/` */
      path: text,
      bytes: v.pipe(
        bytes,
        v.check(
          ({ length }) => length <= INBOX_LIMITS.file,
          () => say('given.fileTooLarge'),
        ),
      ),
    }),
  )<null>(),
  'inbox.open': call(v.object({ id: text }))<OpenTarget[]>(),

  'library.open': call(v.object({ root: text }))<LibraryInfo>(),
  /** writes the sample library if it is not there, and opens it */
  'library.openSample': call(nothing)<LibraryInfo>(),
  'library.forget': call(v.object({ root: text }))<null>(),
  /** indexes; progress as events; cancellable */
  'library.scan': call(v.object({ library: text, full: v.optional(v.boolean()) }))<ScanReport>(),
  'library.query': call(v.object({ ...librarySelection, offset: index, limit: v.pipe(index, v.maxValue(500)) }))<LibraryPage>(),
  /** number of the row whose name begins with a text: the first from `from` on, else the first of all; -1 for none */
  'library.seek': call(v.object({ ...librarySelection, begin: text, from: index }))<number>(),
  /** the folders in one, by its place; '' for the root */
  'library.folders': call(v.object({ library: text, show: shows, place: text }))<LibraryFolder[]>(),
  /** pictures that are there, in the order of `refs`; null where one is still to be made */
  'library.pictures': call(v.object({ library: text, refs: v.pipe(v.array(text), v.maxLength(200)) }))<(ModelPicture | null)[]>(),
  /** of those that are made from the same bytes as one that has a picture; null where one is to be drawn. Cancellable */
  'library.adoptPictures': call(v.object({ library: text, refs: v.pipe(v.array(text), v.maxLength(32)) }))<(ModelPicture | null)[]>(),
  /** what to draw for a model without a picture; the picture itself where it needs no drawing. Cancellable */
  'library.pictureScene': call(v.object({ library: text, ref: text }))<{ scene: Scene } | ModelPicture>(),
  /** a model as a pane shows it: the scene of its picture with its first clip. Cancellable */
  'library.preview': call(v.object({ library: text, ref: text }))<{ scene: Scene } | ModelPicture>(),
  /** for files that stand in several places, whether the game reads them, in the order of `refs`; null for all others */
  'library.standings': call(v.object({ library: text, refs: v.pipe(v.array(text), v.maxLength(MOST_STANDINGS)) }))<
    (FileStanding | null)[]
  >(),
  /** shows a file, or the archive that it stands in, in the system's own folders; the web host has none */
  'library.showInFolder': call(v.object({ ref: text }))<{ shown: boolean }>(),
  /** the picture of a scene that was asked for: straight RGBA, PICTURE_SIZE x PICTURE_SIZE, rows from the top */
  'library.putPicture': call(
    v.object({
      library: text,
      ref: text,
      rgba: v.pipe(
        bytes,
        v.check(
          ({ length }) => length === 4 * PICTURE_SIZE ** 2,
          () => say('pictures.wrongSize'),
        ),
      ),
    }),
  )<ModelPicture>(),

  /** opens a model by its primary file or any of its members */
  'model.open': call(v.object({ ref: text, library: v.optional(text) }))<OpenedModel>(),
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
  /** what all families look for */
  'lint.rules': call(nothing)<LintRule[]>(),
  /**
   * What the rules find in all files of a library, as they were saved, whatever is switched off; findings come with the progress, as events.
   * `onlyNew`: what the originals had already is left out. Cancellable
   */
  'lint.library': call(v.object({ library: text, onlyNew: v.optional(v.boolean()) }))<LibraryLint>(),
  /**
   * What differs between two files, members, folders or archives; where the original of one of them is known, what each made of it. `models`: all
   * files of the models that the two are of. Progress as events; cancellable
   */
  'compare.run': call(v.object({ library: text, a: compared, b: compared, models: v.optional(v.boolean()) }))<Comparison>(),
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

  'slices.check': call(v.object({ model: text, values: sliceValues }))<SliceFinding[]>(),
  'slices.add': call(v.object({ model: text, at: index, clip: index, values: sliceValues, ...step }))<EditResult>(),
  'slices.set': call(v.object({ model: text, slice: index, values: v.partial(sliceValues), ...step }))<EditResult>(),
  'slices.remove': call(v.object({ model: text, slice: index }))<EditResult>(),
  'slices.move': call(v.object({ model: text, from: index, to: index, ...step }))<EditResult>(),
  'slices.duplicate': call(v.object({ model: text, slice: index }))<EditResult>(),
  'slices.extract': call(v.object({ model: text, slice: index }))<{ name: string; bytes: Uint8Array }>(),
  'slices.replaceWindow': call(v.object({ model: text, slice: index, bytes }))<EditResult>(),

  /** named places in time, kept by Marrow for every family; numbers count within Scene.markers */
  'markers.add': call(v.object({ model: text, clip: index, name: text, time: finite }))<EditResult>(),
  'markers.set': call(
    v.object({ model: text, marker: index, values: v.partial(v.object({ name: text, time: finite })), ...step }),
  )<EditResult>(),
  'markers.remove': call(v.object({ model: text, marker: index }))<EditResult>(),

  'clips.tracks': call(v.object({ model: text, clip: index }))<NativeTrack[]>(),
  'clips.editKeys': call(
    v.object({
      model: text,
      label: text,
      ...step,
      edits: keyEdits,
      /** what stands beside the keys of `clip` and changes in the same step */
      clip: v.optional(index),
      beside: v.optional(besideKeys),
    }),
  )<EditResult>(),
  /** keys of joints as the scene has them, turned into what each file stores; a track that is missing is added. Times are what the format can store next to them */
  'clips.pose': call(
    v.object({
      model: text,
      clip: index,
      label: text,
      ...step,
      poses,
    }),
  )<EditResult>(),
  /** keys of joints within a range are turned and moved; few are put in where an ease begins and ends, those outside keep their bytes */
  'clips.offset': call(v.object({ model: text, clip: index, label: text, ...step, ...offset.entries }))<EditResult>(),
  'clips.addTrack': call(
    v.object({ model: text, clip: index, joint: index, property: v.picklist(['translation', 'rotation', 'scale', 'visibility']) }),
  )<EditResult>(),
  'clips.removeTrack': call(v.object({ model: text, track: text }))<EditResult>(),
  'clips.fields': call(v.object({ model: text, clip: index }))<ClipField[]>(),
  'clips.setField': call(v.object({ model: text, clip: index, key: text, value: v.union([text, finite]) }))<EditResult>(),

  /** clips as a whole; numbers count within this list, which for games that keep many on one track is that of its windows */
  'clips.list': call(model)<{ clips: ListedClip[]; limits: ClipListLimits }>(),
  /** `from`: a pose or range of another clip, its times native; without it a clip without movement */
  'clips.add': call(
    v.object({ model: text, name: text, from: v.optional(v.object({ clip: index, start: finite, end: finite })) }),
  )<EditResult>(),
  'clips.duplicate': call(v.object({ model: text, clip: index, name: text }))<EditResult>(),
  'clips.rename': call(v.object({ model: text, clip: index, name: text }))<EditResult>(),
  'clips.remove': call(v.object({ model: text, clip: index }))<EditResult>(),
  'clips.move': call(v.object({ model: text, from: index, to: index }))<EditResult>(),
  'clips.split': call(v.object({ model: text, clip: index, time: finite, name: text }))<EditResult>(),
  'clips.join': call(v.object({ model: text, clip: index, other: index }))<EditResult>(),
  /** the clips of another file (its bytes), all or the one called `only` */
  'clips.merge': call(v.object({ model: text, name: text, bytes, only: v.optional(text) }))<EditResult>(),
  'clips.moveTo': call(v.object({ model: text, clip: index, ref: text }))<EditResult>(),

  'weights.list': call(model)<{ id: string; mesh: string; sceneMesh: number; vertexCount: number }[]>(),
  'weights.read': call(v.object({ model: text, id: text }))<NativeWeights>(),
  'weights.write': call(v.object({ model: text, label: text, ...step, edit: weightRows }))<EditResult>(),
  /** what the edit would change in the bytes; refused where it would be */
  'weights.preview': call(v.object({ model: text, edit: weightRows }))<EditPreview[]>(),

  /** `namedBy`: files that find the joint by its name and need not follow a rename, and how many other models of the library use each */
  'skeleton.fields': call(v.object({ model: text, joint: index }))<{
    fields: { key: string; label: string; value: number[] | string; note?: string }[]
    references: { ref: string; what: string }[]
    namedBy: { ref: string; others: number }[]
  }>(),
  'skeleton.setField': call(
    v.object({
      model: text,
      joint: index,
      key: text,
      value: v.union([text, v.pipe(v.array(finite), v.maxLength(16))]),
      keepSkin: v.optional(v.boolean()),
      ...step,
    }),
  )<EditResult>(),
  /** to another place at rest, in the parent's space of the scene; rotation x, y, z, w of length 1. Parts that are not given stay */
  'skeleton.place': call(
    v.object({
      model: text,
      joint: index,
      translation: v.optional(v.pipe(v.array(finite), v.length(3))),
      rotation: v.optional(v.pipe(v.array(finite), v.length(4))),
      keepSkin: v.optional(v.boolean()),
      ...step,
    }),
  )<EditResult>(),
  'skeleton.rename': call(v.object({ model: text, joint: index, name: text, follow: v.optional(v.boolean()) }))<EditResult>(),
  'skeleton.reparent': call(v.object({ model: text, joint: index, parent: v.pipe(v.number(), v.integer(), v.minValue(-1)) }))<EditResult>(),

  /** how a texture of the scene is stored, and whether a picture can be put in */
  'textures.storage': call(v.object({ model: text, texture: index }))<TextureStorage>(),
  /** a level of a texture as its file has it, 0 the picture itself; `original`: as the file's original has it */
  'textures.pixels': call(v.object({ model: text, texture: index, level: index, original: v.optional(v.boolean()) }))<TexturePixels>(),
  /** one texture as a PNG */
  'textures.png': call(v.object({ model: text, texture: index }))<{ name: string; bytes: Uint8Array }>(),
  /** a PNG (its bytes) in the place of a texture, stored in the texture's own format, mip levels made anew */
  'textures.replace': call(v.object({ model: text, texture: index, name: text, bytes }))<EditResult & { report: TextureReport }>(),

  'events.add': call(v.object({ model: text, clip: index, event: v.object({ time: finite, type: text, info: text }) }))<EditResult>(),
  'events.set': call(
    v.object({ model: text, clip: index, event: index, values: v.partial(v.object({ time: finite, type: text, info: text })), ...step }),
  )<EditResult>(),
  'events.remove': call(v.object({ model: text, clip: index, event: index }))<EditResult>(),

  'points.list': call(model)<NativePoints>(),
  /** `joint` -1: none; `center` in the joint's space of the scene; `point`: id of what came to be */
  'points.add': call(v.object({ model: text, ref: text, joint: v.pipe(v.number(), v.integer(), v.minValue(-1)), center: place }))<
    EditResult & { point: string }
  >(),
  /** `keepPlace` (true when absent): on another joint the point stays where it is at rest; else its numbers stay */
  'points.set': call(
    v.object({
      model: text,
      point: text,
      key: text,
      value: v.union([text, v.pipe(v.array(finite), v.maxLength(16))]),
      keepPlace: v.optional(v.boolean()),
      ...step,
    }),
  )<EditResult>(),
  'points.place': call(v.object({ model: text, point: text, center: place, ...step }))<EditResult>(),
  'points.remove': call(v.object({ model: text, point: text }))<EditResult>(),
  'points.duplicate': call(v.object({ model: text, point: text }))<EditResult & { point: string }>(),

  /** poses that the user keeps: of the model's skeleton, of others whose joints have its names, and which have other names */
  'poses.list': call(model)<PoseShelves>(),
  'poses.keep': call(keptPose)<{ id: string }>(),
  'poses.change': call(v.object({ ...poseOfShelf.entries, name: v.optional(text), group: v.optional(text) }))<null>(),
  'poses.remove': call(poseOfShelf)<null>(),
  /** one that was removed lately */
  'poses.putBack': call(poseOfShelf)<null>(),
  /** a file to give away */
  'poses.export': call(shelf)<{ name: string; bytes: Uint8Array }>(),
  /** such a file (its bytes), for a model with its skeleton or the names of its joints */
  'poses.import': call(v.object({ model: text, name: text, bytes }))<{ added: number; known: number }>(),

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

  'submeshes.list': call(v.object({ model: text, mesh: index }))<NativeSubmesh[]>(),
  'submeshes.set': call(v.object({ model: text, mesh: index, submesh: index, key: text, value: text }))<EditResult>(),

  /** what differs from the game on disk: in the mod folder, or in place beside kept originals */
  'mod.files': call(v.object({ library: text }))<ModFile[]>(),
  /** what it changed in each of these, and what the rules find there, open or not; progress as events; cancellable */
  'mod.check': call(v.object({ library: text }))<ModFileReport[]>(),
  /** shows the mod folder in the system's own folders; the web host has none */
  'mod.showFolder': call(nothing)<{ shown: boolean }>(),
  /** how the mod of the folder that is set holds members of archives; with `loose` as chosen from now on */
  'mod.layout': call(v.object({ library: text, loose: v.optional(v.boolean()) }))<ModLayout>(),
  /** what a folder with just what the game would read of the mod gets, or with `write` gets now; progress as events, cancellable */
  'mod.test': call(v.object({ library: text, folder: text, write: v.optional(v.boolean()) }))<TestFolderReport>(),
  /** files of the mod folder whose game files were updated since they were made */
  'mod.updates': call(v.object({ library: text }))<ModUpdate[]>(),
  /** what the game's update and the mod changed, for a file of an open model */
  'mod.compare': call(v.object({ model: text, ref: text }))<ModComparison>(),
  /** the mod's edits on the game's file as it is now, as an undoable step; places that both changed are refused, or as the game has them */
  'mod.rebase': call(v.object({ model: text, ref: text, conflicts: v.optional(v.literal('game')) }))<EditResult>(),
  /** the mod's files stay as they are, and count as made from the game's files of now */
  'mod.keep': call(v.object({ library: text, refs: v.pipe(v.array(text), v.maxLength(10_000)) }))<null>(),

  /** an archive with the steps that are planned in it and not written yet */
  'archive.open': call(v.object({ ref: text }))<ArchiveState>(),
  /** its members as the steps leave them; `text` filters as that of `marrow archive list` */
  'archive.members': call(
    v.object({ ref: text, text, offset: index, limit: v.pipe(index, v.maxValue(MOST_MEMBERS_ASKED)) }),
  )<ArchivePage>(),
  /** keeps the bytes of a file that a step will put in */
  'archive.hold': call(
    v.object({
      ref: text,
      bytes: v.pipe(
        bytes,
        v.check(
          ({ length }) => length <= INBOX_LIMITS.file,
          () => say('given.fileTooLarge'),
        ),
      ),
    }),
  )<{ body: string }>(),
  'archive.change': call(v.object({ ref: text, step: archiveStep }))<ArchiveState>(),
  'archive.undo': call(v.object({ ref: text }))<ArchiveState>(),
  'archive.redo': call(v.object({ ref: text }))<ArchiveState>(),
  /** nothing is planned any more */
  'archive.discard': call(v.object({ ref: text }))<ArchiveState>(),
  /** what a save would write; with a folder and a name a copy there */
  'archive.plan': call(v.object({ ref: text, folder: v.optional(text), name: v.optional(text) }))<ArchiveWritePlan>(),
  /** progress as events; cancelled it leaves everything as it was, and of a copy what goes on the next time */
  'archive.save': call(
    v.object({ ref: text, folder: v.optional(text), name: v.optional(text), replaceReadOnly: v.optional(v.boolean()) }),
  )<{ written: string[]; state: ArchiveState }>(),
  /** members of the archive as it is on disk: those that are named, those that a filter means, else all; progress as events; cancellable */
  'archive.extract': call(
    v.object({
      ref: text,
      folder: text,
      ids: v.optional(v.pipe(v.array(index), v.maxLength(1_000_000))),
      text: v.optional(text),
      force: v.optional(v.boolean()),
    }),
  )<ArchiveExtracted>(),

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
  'save.originals': call(v.object({ model: v.optional(text) }))<OriginalInfo[]>(),
  'save.restore': call(v.object({ model: text, ref: text, replaceReadOnly: v.optional(v.boolean()) }))<OpenedModel>(),
  /** a zip of what differs from the originals: of the library (mod folder, or files saved in place), or of one model's files with what was changed together with them; unsaved edits are not in it */
  'modPackage.export': call(v.object({ library: text, model: v.optional(text), folder: v.optional(text) }))<ModPackageExport>(),
  /** what is in a mod package (its bytes, or its path) */
  'modPackage.read': call(v.object({ modPackage: v.union([text, bytes]) }))<PackageContents>(),
  /** puts a mod package (its bytes, or its path) into a folder beside the game; `force` writes over what the game updated and what stands there */
  'modPackage.build': call(
    v.object({
      library: text,
      modPackage: v.union([text, bytes]),
      folder: text,
      force: v.optional(v.boolean()),
      /** permits to replace files of the folder that are write-protected */
      replaceReadOnly: v.optional(v.boolean()),
    }),
  )<ModPackageBuild>(),
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

  /** a clip or slice of another open model onto one of this model, as one step: joints by name and shape, and as the map says (`retarget-options.ts`) */
  'retarget.apply': call(v.object({ ...retargetChoice, replaces: v.optional(text) }))<EditResult & { report: RetargetReport }>(),
  /** what `retarget.apply` would make of the model, with nothing of it changed */
  'retarget.preview': call(v.object(retargetChoice))<RetargetPreview>(),

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

  /** what a diagnostics file would hold */
  'diagnostics.look': call(nothing)<DiagnosticsPreview>(),
  /** a zip to attach to a report; `headers`: of failing files that `look` named; `window`: what only the window knows */
  'diagnostics.make': call(
    v.object({
      headers: v.pipe(v.array(text), v.maxLength(20)),
      window: v.record(v.pipe(text, v.maxLength(100)), text),
    }),
  )<{ fileName: string; bytes: Uint8Array }>(),
  /** an error of the window, for the log */
  'diagnostics.note': call(v.object({ message: text, detail: text }))<null>(),

  /** what the user said to an update. Only the packaged desktop application has any */
  'update.act': call(v.object({ action: v.picklist(['load', 'install', 'later']) }))<null>(),
} as const

export const contract: typeof contractCalls = contractCalls
export type Contract = typeof contractCalls
export type CallName = keyof Contract
export type CallArgs<K extends CallName> = Contract[K] extends Call<infer A, unknown> ? A : never
export type CallResult<K extends CallName> = Contract[K] extends Call<any, infer R> ? R : never
