/** The contract's implementation: joins library, workspace and the rest for every host. What each call does stands in `calls`, one file an area. */
import { join } from 'node:path'
import { notBeside } from '../files/mod-folder.ts'
import { ensurePrivateFolder } from '../files/private-folder.ts'
import { FileStore } from '../files/store.ts'
import { clearStuck } from '../files/temporaries.ts'
import { registry } from '../formats/registry.ts'
import type { Registry } from '../formats/registry.ts'
import type { EventMap, EventName } from '../../shared/api/events.ts'
import { Library } from '../library/library.ts'
import { withSlices } from '../workspace/slices-file.ts'
import { StateFiles } from '../workspace/state-files.ts'
import { Workspace } from '../workspace/workspace.ts'
import { Boundary } from './boundary.ts'
import { CallsUnderWay } from './calls-under-way.ts'
import { appCalls } from './calls/app.ts'
import { archiveCalls } from './calls/archives.ts'
import { clipCalls } from './calls/clips.ts'
import { compareCalls } from './calls/compare.ts'
import { diagnosticsCalls } from './calls/diagnostics.ts'
import { exportCalls } from './calls/export.ts'
import { historyCalls } from './calls/history.ts'
import { importCalls } from './calls/import.ts'
import { retargetCalls } from './calls/retarget.ts'
import { linkCalls } from './calls/link.ts'
import { lintCalls } from './calls/lint.ts'
import { libraryCalls } from './calls/library.ts'
import { modCalls } from './calls/mod.ts'
import { modelCalls } from './calls/model.ts'
import { openingCalls } from './calls/opening.ts'
import { modPackageCalls } from './calls/mod-package.ts'
import { pointCalls } from './calls/points.ts'
import { poseCalls } from './calls/poses.ts'
import { recoveryCalls } from './calls/recovery.ts'
import { saveCalls } from './calls/save.ts'
import { skeletonCalls } from './calls/skeleton.ts'
import { sliceCalls } from './calls/slices.ts'
import { fieldCalls } from './calls/fields.ts'
import { submeshCalls } from './calls/submeshes.ts'
import { textureCalls } from './calls/textures.ts'
import { weightCalls } from './calls/weights.ts'
import type { CallContext } from './calls/context.ts'
import { DiskWatch } from './disk-watch.ts'
import { Libraries } from './libraries.ts'
import type { LibraryEntry, OpenLibrary } from './libraries.ts'
import { LiveLinks } from './live-link.ts'
import { openLog } from './log.ts'
import type { Log } from './log.ts'
import { FolderWatches } from './folder-watches.ts'
import { FailingFiles, withLog } from './logged.ts'
import { memoryLibrary } from './memory-library.ts'
import { modelEdits } from './model-edits.ts'
import { ModelFinder } from './model-finder.ts'
import { ModelWorker } from './model-worker-host.ts'
import type { JobRunner } from './model-worker-host.ts'
import { givenFiles, GivenFiles } from './given-files.ts'
import { Models } from './models.ts'
import { Opening } from './opening.ts'
import { Pictures } from './pictures.ts'
import type { Handlers, Services } from './service.ts'
import { AppState } from './state.ts'
import { StateCare } from './state-care.ts'
import { fileTaker } from './take-file.ts'
import { TakenMembers } from './taken-members.ts'
import { packageVersion } from './version.ts'
import { say } from '../../shared/texts/say.ts'

export interface ServicesOptions {
  /** settings, index, journals, originals; made when it is not there */
  stateFolder: string
  host: 'electron' | 'web'
  /** families other than the product's */
  registry?: Registry
  /** URL of a module that exports the same families, for the workers; without one libraries are held in memory, and work is done in place */
  registryModule?: string
  openLibrary?: OpenLibrary
  /** the host's own folder dialog; without one the window asks by itself */
  pickFolder?(): Promise<string | null>
  /** shows a file that Marrow wrote in the system's program for it; '' or why it could not. Without one the window says the path */
  openFile?(path: string): Promise<string>
  /** shows a file in the system's own folders */
  showInFolder?(path: string): void
  /** where the web host's list of folders begins; the user's home when absent */
  home?: string
  version?: string
  /** the state folder's own when absent */
  log?: Log
  /** how often the disk is asked whether files of open models changed, ms; 0 for never */
  watchEvery?: number
  /** ms without a change in a library's folder before windows are told to look through it again; 0 for never, which it is without `watchEvery`, too */
  watchPause?: number
}

export function createServices(options: ServicesOptions): Services {
  const { stateFolder, host } = options
  ensurePrivateFolder(stateFolder)
  const store = new FileStore({ registry: withSlices(options.registry ?? registry) })
  const stateFiles = new StateFiles(stateFolder)
  const state = new AppState(stateFiles)
  const listeners = new Set<<K extends EventName>(name: K, event: EventMap[K]) => void>()
  const emit = <K extends EventName>(name: K, event: EventMap[K]): void => {
    for (const listener of listeners) listener(name, event)
  }
  const { registryModule } = options
  const workerless = options.registry !== undefined && registryModule === undefined
  const libraries = new Libraries(
    store,
    stateFolder,
    options.openLibrary ??
      (workerless
        ? (root, _file, id) => memoryLibrary(store, root, id, () => state.leftOut(root))
        : (root, file) => Library.open(root, file, { store, registryModule, leftOut: () => state.leftOut(root) })),
  )
  const boundary = new Boundary({
    host,
    stateFolder,
    store,
    home: options.home,
    libraries: () => libraries.all().map(({ root }) => root),
    modFolder: () => state.settings.modFolder,
    recent: () => state.recent.map(({ root }) => root),
    given: () => givenFiles(workspace),
  })

  const log = options.log ?? openLog(stateFolder)
  const failing = new FailingFiles()
  const opening = new Opening(store, libraries, state)
  const finder = new ModelFinder(store, libraries, state)
  const workspace = new Workspace({
    files: store,
    stateFolder,
    state: stateFiles,
    place: (ref) => finder.place(ref),
    recovers: true,
    onModelChanged: (model) => edits.announce(model),
    onModelAhead: (model) => edits.announceAhead(model),
    readOnly: (ref) => opening.inbox.readOnly(ref),
    onMade: (model, member) => finder.remember(model, member),
  })
  const stateCare = new StateCare(stateFiles, workspace.originals, emit)
  const models = new Models(store, workspace, libraries, state, finder)
  const given = new GivenFiles(store, models, opening.inbox)
  const edits = modelEdits(workspace, models, emit)
  const diskWatch = new DiskWatch(workspace, libraries, models, emit, options.watchEvery)

  const folderWatches = new FolderWatches({
    stateFolder,
    wanted: () => state.settings.watchFolders,
    leftOut: (root) => state.leftOut(root),
    emit,
    log,
    pause: workerless ? 0 : (options.watchPause ?? (options.watchEvery === 0 ? 0 : undefined)),
  })

  const takeFile = fileTaker(workspace, state, edits.announce)
  const links = new LiveLinks(workspace, emit, takeFile, options.watchEvery)

  // pictures, exports of many and edits do not wait for each other
  const runner = (background = false): JobRunner =>
    workerless
      ? {
          run: async (job, { signal, onProgress = () => {} } = {}) => {
            const { runModelJob } = await import('./model-jobs.ts')
            return runModelJob(job, { store, libraries, stateFolder, cancelled: () => signal?.aborted === true, onProgress })
          },
          stop: async () => {},
        }
      : new ModelWorker({ stateFolder, registryModule, background })
  const runners = { pictures: runner(true), exports: runner(), textures: runner(), checks: runner(), lints: runner(), compares: runner() }
  const pictures = new Pictures(libraries, state, runners.pictures)

  const openLibrary = async (root: string): Promise<LibraryEntry> => {
    const entry = await libraries.open(root)
    // copies of dropped files are nothing to come back to
    if (!opening.inbox.holds(entry.root)) state.remember(entry.root, entry.name)
    const { saveMode, modFolder } = state.settings
    // set before this library was opened, or in a file that somebody wrote
    const why = saveMode === 'mod-folder' && modFolder ? notBeside(entry.root, modFolder) : ''
    if (why) emit('notice', { severity: 'error', message: say('saving.modFolderFailed', { why }) })
    return entry
  }

  const taken = new TakenMembers(store)
  const calls = new CallsUnderWay()

  const context: CallContext = {
    ...edits,
    host,
    version: options.version ?? packageVersion(),
    stateFolder,
    sampleFolder: join(stateFolder, 'sample'),
    store,
    state,
    stateFiles,
    stateCare,
    boundary,
    libraries,
    opening,
    workspace,
    models,
    finder,
    given,
    diskWatch,
    folderWatches,
    links,
    takeFile,
    taken,
    pictures,
    runners,
    log,
    failing,
    emit,
    openLibrary,
    pickFolder: options.pickFolder,
    openFile: options.openFile,
    showInFolder: options.showInFolder,
  }
  const handlers: Handlers = {
    ...appCalls(context),
    ...archiveCalls(context),
    ...clipCalls(context),
    ...compareCalls(context),
    ...diagnosticsCalls(context),
    ...exportCalls(context),
    ...historyCalls(context),
    ...importCalls(context),
    ...retargetCalls(context),
    ...libraryCalls(context),
    ...linkCalls(context),
    ...lintCalls(context),
    ...modCalls(context),
    ...modelCalls(context),
    ...openingCalls(context),
    ...modPackageCalls(context),
    ...pointCalls(context),
    ...poseCalls(context),
    ...recoveryCalls(context),
    ...saveCalls(context),
    ...skeletonCalls(context),
    ...sliceCalls(context),
    ...submeshCalls(context),
    ...fieldCalls(context),
    ...textureCalls(context),
    ...weightCalls(context),
  }

  return {
    boundary,
    handlers: calls.count(withLog(handlers, log, failing)),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close() {
      calls.close()
      diskWatch.stop()
      await folderWatches.close()
      await links.close()
      await Promise.all(Object.values(runners).map((runner) => runner.stop()))
      await calls.ended()
      pictures.close()
      await stateCare.close()
      await workspace.closeAll()
      clearStuck()
      await libraries.close()
      taken.close()
      store.close()
    },
  }
}
