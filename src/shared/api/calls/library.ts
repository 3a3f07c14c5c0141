/** Libraries, what stands in them, archives, and mods of their files. */
import * as v from 'valibot'
import { archivePart, archiveStep, bytes, call, family, index, kinds, nothing, parts, text } from '../arguments.ts'
import { MOST_MEMBERS_ASKED } from '../types/archive.ts'
import type { ArchiveExtracted, ArchivePage, ArchiveState, ArchiveWritePlan } from '../types/archive.ts'
import type { Comparison } from '../types/compare.ts'
import type { EditableField } from '../types/fields.ts'
import type { LibraryLint, LintRule } from '../types/lint.ts'
import type { FileStanding, LibraryFolder, LibraryInfo, LibraryPage, ModelPicture, ScanReport } from '../types/library.ts'
import type { ModComparison, ModFile, ModFileReport, ModLayout, ModUpdate, TestFolderReport } from '../types/mod.ts'
import type { EditResult } from '../types/model.ts'
import type { ModPackageBuild, ModPackageExport } from '../types/mod-package.ts'
import type { StructureNode } from '../types/structure.ts'
import { MOST_STANDINGS, PICTURE_SIZE } from '../types/library.ts'
import { INBOX_LIMITS } from '../desktop.ts'
import type { PackageContents } from '../desktop.ts'
import type { Scene } from '../../scene/types.ts'
import { say } from '../../texts/say.ts'

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

const carried = v.pipe(v.array(index), v.minLength(1), v.maxLength(100_000))

export const libraryCalls = {
  'library.open': call(v.object({ root: text }))<LibraryInfo>(),
  /** writes the sample library if it is not there, and opens it */
  'library.openSample': call(nothing)<LibraryInfo>(),
  /** a character of the sample that walks, without writing or opening the library; null where there is none. Cancellable */
  'library.sampleScene': call(nothing)<Scene | null>(),
  'library.forget': call(v.object({ root: text }))<null>(),
  /** indexes; progress as events; cancellable */
  'library.scan': call(v.object({ library: text, full: v.optional(v.boolean()) }))<ScanReport>(),
  'library.query': call(v.object({ ...librarySelection, offset: index, limit: v.pipe(index, v.maxValue(500)) }))<LibraryPage>(),
  /** number of the row whose name begins with a text: the first from `from` on, else the first of all; -1 for none */
  'library.seek': call(v.object({ ...librarySelection, begin: text, from: index }))<number>(),
  /** number of the row of a file, or of the model that it is the primary one of; -1 where it is not listed */
  'library.place': call(v.object({ ...librarySelection, ref: text }))<number>(),
  /** the folders in one, by its place; '' for the root. With something of what is listed in them, and the one that the list is narrowed to */
  'library.folders': call(v.object({ ...librarySelection, place: text }))<LibraryFolder[]>(),
  /** places of the folders that the user leaves out of a library: from its root, with `/`. They are not scanned, and what is in them is not listed */
  'library.leftOut': call(v.object({ library: text }))<string[]>(),
  /** leaves a folder out, from the next scan on. @returns all that are left out */
  'library.leaveOut': call(v.object({ library: text, folder: text }))<string[]>(),
  /** takes one of them in again, whether it is still there or not */
  'library.takeIn': call(v.object({ library: text, place: text }))<string[]>(),
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

  /** an archive with the steps that are planned in it and not written yet; NEW_ARCHIVE has no file before it is saved */
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
  /** keeps the bytes of files of the library, of its members, and of all files below its folders; cancellable */
  'archive.take': call(v.object({ ref: text, from: v.pipe(v.array(text), v.minLength(1), v.maxLength(INBOX_LIMITS.files)) }))<{
    files: { name: string; body: string }[]
  }>(),
  'archive.change': call(v.object({ ref: text, step: archiveStep }))<ArchiveState>(),
  'archive.undo': call(v.object({ ref: text }))<ArchiveState>(),
  'archive.redo': call(v.object({ ref: text }))<ArchiveState>(),
  /** what the directory will say of a member, or of the archive itself: without its members then */
  'archive.structure': call(v.object({ ref: text, id: archivePart }))<StructureNode>(),
  /** a field of that, as it is edited: by a step */
  'archive.field': call(v.object({ ref: text, id: archivePart, path: text }))<EditableField>(),
  /** nothing is planned any more */
  'archive.discard': call(v.object({ ref: text }))<ArchiveState>(),
  /** what a save would write; with a folder and a name a copy there, or the new archive */
  'archive.plan': call(v.object({ ref: text, folder: v.optional(text), name: v.optional(text) }))<ArchiveWritePlan>(),
  /** progress as events; cancelled it leaves everything as it was, and of a copy what goes on the next time */
  'archive.save': call(
    v.object({ ref: text, folder: v.optional(text), name: v.optional(text), replaceReadOnly: v.optional(v.boolean()) }),
  )<{ written: string[]; state: ArchiveState }>(),
  /** members of the archive as it is on disk, for the browser to save: one as its bytes, several as a zip */
  'archive.download': call(v.object({ ref: text, ids: carried }))<{ name: string; bytes: Uint8Array }>(),
  /** members of the archive as it is on disk as files that the user drags out of the window: in the application alone */
  'archive.drag': call(v.object({ ref: text, ids: carried }))<{ files: string[] }>(),
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
} as const
