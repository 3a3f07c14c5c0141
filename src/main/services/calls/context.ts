/** What the calls of the contract are made with: each area takes the few of these that it needs. */
import type { EditSession } from '../../formats/editing.ts'
import type { FileStore } from '../../files/store.ts'
import type { CallName } from '../../../shared/api/contract.ts'
import type { EditResult } from '../../../shared/api/types/model.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { OpenModel } from '../../workspace/open-model.ts'
import type { Boundary } from '../boundary.ts'
import type { LiveLinks } from '../live-link.ts'
import type { TakeFile } from '../take-file.ts'
import type { TakenMembers } from '../taken-members.ts'
import type { DiskWatch } from '../disk-watch.ts'
import type { FolderWatches } from '../folder-watches.ts'
import type { Libraries, LibraryEntry } from '../libraries.ts'
import type { Log } from '../log.ts'
import type { FailingFiles } from '../logged.ts'
import type { JobRunner } from '../model-worker-host.ts'
import type { GivenFiles } from '../given-files.ts'
import type { ModelFinder } from '../model-finder.ts'
import type { Models } from '../models.ts'
import type { Opening } from '../opening.ts'
import type { Pictures } from '../pictures.ts'
import type { Emit, Handlers } from '../service.ts'
import type { StateCare } from '../state-care.ts'
import type { AppState } from '../state.ts'
import type { StateFiles } from '../../workspace/state-files.ts'

/** The handlers of the calls whose names begin with one of these words. */
export type HandlersOf<Area extends string> = { [K in Extract<CallName, `${Area}.${string}`>]: Handlers[K] }

/** What a call says of its undo step (contract.ts). */
export interface StepOptions {
  gesture?: string
  replaces?: string
}

export type Editors = OpenModel['family']['editor']

/** Edits of open models, as calls make and answer them. */
export interface ModelEdits {
  /** tells every window that a model is another one now, once the answer to the call is out */
  announce: (model: OpenModel) => void
  /** shows every window how a model is going to be, ahead of the answer to the call */
  announceAhead: (model: OpenModel) => void
  /** one undoable step; other windows are told of it when it changed something */
  edit: (id: string, label: string, body: (session: EditSession, model: OpenModel) => void, step?: StepOptions) => Promise<EditResult>
  /** the state after an edit, for the window that asked */
  result: (model: OpenModel) => EditResult
  /** the part of the family's editor that a call needs @throws FormatError unsupported */
  editorOf: <K extends keyof Editors>(id: string, part: K) => NonNullable<Editors[K]>
}

export interface CallContext extends ModelEdits {
  readonly host: 'electron' | 'web'
  readonly version: string
  readonly stateFolder: string
  /** where the sample library is written */
  readonly sampleFolder: string
  readonly store: FileStore
  readonly state: AppState
  /** checked files of the state folder */
  readonly stateFiles: StateFiles
  readonly stateCare: StateCare
  readonly boundary: Boundary
  readonly libraries: Libraries
  readonly opening: Opening
  readonly workspace: Workspace
  readonly models: Models
  readonly finder: ModelFinder
  readonly given: GivenFiles
  readonly diskWatch: DiskWatch
  readonly folderWatches: FolderWatches
  readonly links: LiveLinks
  readonly takeFile: TakeFile
  readonly taken: TakenMembers
  readonly pictures: Pictures
  /** pictures, exports of many, checks and edits do not wait for each other */
  readonly runners: Readonly<Record<'pictures' | 'exports' | 'textures' | 'checks' | 'lints' | 'compares', JobRunner>>
  readonly log: Log
  readonly failing: FailingFiles
  readonly emit: Emit
  /** opens a library and remembers it among the recent ones */
  openLibrary: (root: string) => Promise<LibraryEntry>
  /** the host's own folder dialog */
  pickFolder: (() => Promise<string | null>) | undefined
  /** shows a file in the system's program for it; '' or why it could not */
  openFile: ((path: string) => Promise<string>) | undefined
  /** shows a file in the system's own folders; the web host has none */
  showInFolder: ((path: string) => void) | undefined
}
