/** What services tell the window without being asked. */
import type { UpdateState } from './desktop.ts'
import type { ErrorData } from './errors.ts'
import type { ArchiveProgress } from './types/archive.ts'
import type { CompareProgress } from './types/compare.ts'
import type { BatchProgress } from './types/export.ts'
import type { ScanProgress } from './types/library.ts'
import type { LinkState } from './types/link.ts'
import type { LintProgress } from './types/lint.ts'
import type { ModCheckProgress, TestFolderProgress } from './types/mod.ts'
import type { ModelInfo, SceneBeyond } from './types/model.ts'
import type { DiskFileState, SaveProgress } from './types/save.ts'

export interface EventMap {
  'scan.progress': ScanProgress
  'export.progress': BatchProgress
  'mod.progress': ModCheckProgress
  'compare.progress': CompareProgress
  'lint.progress': LintProgress
  'archive.progress': ArchiveProgress
  /** of a save that writes a large file: an image of a disc */
  'save.progress': SaveProgress
  'mod.testing': TestFolderProgress
  /** a picture on its way into a texture: `current` is what is done now */
  'texture.progress': { model: string; texture: number; done: number; total: number; current: string }
  /** a file that is held against a model or written onto it: the share that is done, 0 to 1 */
  'import.progress': { model: string; share: number }
  /** what became of the file of a model that is worked on in another program */
  'link.changed': LinkState
  /** the index of a library was brought up to date */
  'library.changed': { library: string }
  /** something in the folder of a library changed on disk: its index is behind */
  'folder.changed': { library: string }
  /** an edit is proven and not in the journal yet: how it looks, ahead of its answer; where nothing comes of it `model.changed` follows */
  'model.ahead': SceneBeyond & { model: string }
  /** the model was changed elsewhere (another window, a reload) */
  'model.changed': { info: ModelInfo }
  /** the library was forgotten; unsaved edits are offered by recovery */
  'model.closed': { model: string }
  /** a file of an open model is not the one that was read, or is it again */
  'file.changed': DiskFileState & { model: string }
  /** another Marrow opened or closed the model, or edited files of it */
  'model.elsewhere': { model: string; elsewhere: ModelInfo['elsewhere'] }
  /** files of the game were updated under the mod, or that was settled */
  'mod.updated': { library: string }
  /** a menu item or accelerator of the host: an id of a window command */
  'command.run': { id: string }
  /** `open.pending` has something */
  'open.waiting': Record<string, never>
  'update.state': UpdateState
  /** what reads and writes files failed with all that it was at: whoever asks has it started again, with what was open to be opened anew */
  'services.ended': { message: string }
  notice: { severity: 'info' | 'warning' | 'error'; message: string; error?: ErrorData }
}
export type EventName = keyof EventMap
