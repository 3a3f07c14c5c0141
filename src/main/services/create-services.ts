/** The contract's implementation: joins library, workspace and the rest for every host. */
import { existsSync, readFileSync } from 'node:fs'
import { isAbsolute, join, relative, sep } from 'node:path'
import { setTimeout as later } from 'node:timers'
import { FormatError } from '../binary/format-error.ts'
import { expectBeside, notBeside } from '../files/mod-folder.ts'
import { ensurePrivateFolder } from '../files/private-folder.ts'
import { FileStore } from '../files/store.ts'
import { safeName } from '../files/file-names.ts'
import { compact } from '../formats/format.ts'
import type { EditSession, SliceEditor } from '../formats/editing.ts'
import { registry } from '../formats/registry.ts'
import type { Registry } from '../formats/registry.ts'
import type { BatchFailure, BatchProgress } from '../../shared/api/types.ts'
import type { CallArgs, EditResult, EventMap, EventName } from '../../shared/api/contract.ts'
import type { Slice } from '../../shared/scene/types.ts'
import { baseName } from '../../shared/ref.ts'
import { Library } from '../library/library.ts'
import { buildPatch, changedInModFolder, changedInPlace, exportPatch, readPatch, writePatch } from '../workspace/mod-package.ts'
import type { PatchManifest } from '../workspace/mod-package.ts'
import { previewEdit } from '../workspace/preview.ts'
import { ownMarkers, withSlices } from '../workspace/slices-file.ts'
import { StateFiles } from '../workspace/state-files.ts'
import { Workspace } from '../workspace/workspace.ts'
import type { OpenModel } from '../workspace/workspace.ts'
import { Boundary } from './boundary.ts'
import { keyPoses } from './key-poses.ts'
import { checkFolder, Libraries } from './libraries.ts'
import type { LibraryEntry, OpenLibrary } from './libraries.ts'
import { makeDiagnostics, previewDiagnostics } from './diagnostics.ts'
import type { DiagnosticsSource } from './diagnostics.ts'
import { openLog } from './log.ts'
import type { Log } from './log.ts'
import { FailingFiles, withLog } from './logged.ts'
import { memoryLibrary } from './memory-library.ts'
import { Opening } from './opening.ts'
import { ModelFinder } from './model-finder.ts'
import { runModelJob } from './model-jobs.ts'
import type { ExportJob, TextureJob } from './model-jobs.ts'
import { ModelWorker } from './model-worker-host.ts'
import type { JobRunner } from './model-worker-host.ts'
import { Models } from './models.ts'
import { Pictures } from './pictures.ts'
import type { Handlers, Services } from './service.ts'
import { AppState } from './state.ts'
import { StateCare } from './state-care.ts'

export interface ServicesOptions {
  /** settings, index, journals, originals; made when it is not there */
  stateFolder: string
  host: 'electron' | 'web'
  /** families other than the product's; the index worker does not know them, so libraries are then held in memory */
  registry?: Registry
  openLibrary?: OpenLibrary
  /** the host's own folder dialog; without one the window asks by itself */
  pickFolder?(): Promise<string | null>
  /** where the web host's list of folders begins; the user's home when absent */
  home?: string
  version?: string
  /** the state folder's own when absent */
  log?: Log
  /** how often the disk is asked whether files of open models changed, ms; 0 for never */
  watchEvery?: number
}

/** What a call says of its undo step (contract.ts). */
interface StepOptions {
  merge?: string
  replaces?: string
}

/** The answer to an edit goes out before its event, so that the window that asked knows the revision already. */
const EVENT_DELAY = 60

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
  const libraries = new Libraries(
    store,
    stateFolder,
    options.openLibrary ??
      (options.registry ? (root, _file, id) => memoryLibrary(store, root, id) : (root, file) => Library.open(root, file, { store })),
  )
  const sampleFolder = join(stateFolder, 'sample')
  const boundary = new Boundary({
    host,
    stateFolder,
    store,
    home: options.home,
    libraries: () => libraries.all().map(({ root }) => root),
    modFolder: () => state.settings.modFolder,
    recent: () => state.recent.map(({ root }) => root),
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
    onModelChanged: (model) => announce(model),
    readOnly: (ref) => opening.readOnly(ref),
  })
  const stateCare = new StateCare(stateFiles, workspace.originals, emit)
  const models = new Models(store, workspace, libraries, state, finder)

  // pictures, exports of many and edits do not wait for each other
  const runner = (): JobRunner =>
    options.registry
      ? {
          run: (job, { signal, onProgress = () => {} } = {}) =>
            runModelJob(job, { store, libraries, stateFolder, cancelled: () => signal?.aborted === true, onProgress }),
          stop: async () => {},
        }
      : new ModelWorker({ stateFolder })
  const pictureRunner = runner()
  const exportRunner = runner()
  const textureRunner = runner()
  const pictures = new Pictures(libraries, state, pictureRunner)
  /** exports of many that run, by library */
  const exporting = new Map<string, AbortController>()

  const announce = (model: OpenModel): void => {
    later(() => {
      if (workspace.list().includes(model)) emit('model.changed', { info: models.info(model) })
    }, EVENT_DELAY).unref()
  }

  const lookElsewhere = async (): Promise<void> => {
    for (const model of await workspace.lookElsewhere()) emit('model.elsewhere', { model: model.id, elsewhere: models.elsewhere(model) })
  }

  /** updates of the game that windows were told of, by library */
  const updates = new Map<string, string>()
  const watch =
    options.watchEvery === 0
      ? undefined
      : setInterval(() => {
          void lookElsewhere()
          for (const { model, ...state } of workspace.changedOnDisk()) emit('file.changed', { ...state, model: model.id })
          for (const { id, root } of libraries.all()) {
            const now = workspace
              .gameUpdates(root)
              .map(({ base, sizeNow }) => `${base.target} ${base.hash} ${sizeNow}`)
              .join('\n')
            if ((updates.get(id) ?? '') === now) continue
            updates.set(id, now)
            emit('mod.updated', { library: id })
          }
        }, options.watchEvery ?? 2000)
  watch?.unref()

  const result = (model: OpenModel): EditResult => models.edited(model)

  const edit = async (
    id: string,
    label: string,
    body: (session: EditSession, model: OpenModel) => void,
    step: StepOptions = {},
  ): Promise<EditResult> => {
    const model = workspace.model(id)
    if (await workspace.edit(id, label, (session) => body(session, model), step)) announce(model)
    return result(model)
  }

  /** The part of the family's editor that a call needs. */
  const editorOf = <K extends keyof OpenModel['family']['editor']>(id: string, part: K): NonNullable<OpenModel['family']['editor'][K]> => {
    const editor = workspace.model(id).family.editor[part]
    if (!editor) throw new FormatError('unsupported', `${part} of this family cannot be edited`)
    return editor
  }

  /** An id names a file and what is in it: one of another model would be read as what it is not. @throws FormatError invalid-argument */
  const weightsOf = (model: string, id: string) => {
    const editor = editorOf(model, 'weights')
    if (!editor.list(workspace.model(model)).some((known) => known.id === id))
      throw new FormatError('invalid-argument', 'the model has no such weights', { path: id })
    return editor
  }

  const can = <T>(method: T | undefined, what: string): T => {
    if (!method) throw new FormatError('unsupported', `this family has no way to ${what}`)
    return method
  }

  const sliceOf = (model: OpenModel, index: number): Slice => {
    const slice = model.assembled.scene.slices[index]
    if (!slice) throw new FormatError('invalid-argument', `there is no slice ${index}`)
    return slice
  }

  const slicesOf = (id: string): SliceEditor => models.slices(workspace.model(id))

  const editSlices = async (
    id: string,
    label: string,
    body: (slices: SliceEditor, session: EditSession) => void,
    step: StepOptions = {},
  ): Promise<EditResult> => {
    if (!workspace.model(id).family.editor.slices) await models.prepareOwn(workspace.model(id))
    return edit(id, label, (session) => body(slicesOf(id), session), step)
  }

  const checkSlice = (id: string, values: { name: string; start: number; end: number; speed: number }): void => {
    const error = slicesOf(id)
      .check(workspace.model(id), values)
      .find((found) => found.severity === 'error')
    if (error) throw new FormatError('invalid-edit', error.message)
  }

  /** Slices, events and markers that move in time with the keys of a clip. They are counted as before the edit. */
  const editBeside = (
    id: string,
    session: EditSession,
    open: OpenModel,
    clip: number,
    { slices, events, markers }: NonNullable<CallArgs<'clips.editKeys'>['beside']>,
  ): void => {
    const { scene } = session.assembled
    for (const { slice, start, end } of slices) {
      const known = scene.slices[slice]
      if (!known) throw new FormatError('invalid-argument', `there is no slice ${slice}`)
      const error = models
        .slices(open)
        .check(open, { name: known.name, speed: known.speed, start, end })
        .find((found) => found.severity === 'error')
      if (error) throw new FormatError('invalid-edit', `${known.name || `slice ${slice}`}: ${error.message}`)
      models.slices(open).set(session, slice, { start, end })
    }
    for (const { event, time } of events) {
      withIn(scene.clips[clip]?.events ?? [], event, 'event')
      editorOf(id, 'events').set(session, clip, event, { time })
    }
    for (const { marker, time } of markers) ownMarkers(open.slicesFile).set(session, marker, { time })
  }

  const withIn = (list: { length: number }, index: number, what: string): void => {
    if (index >= list.length) throw new FormatError('invalid-argument', `there is no ${what} ${index}`)
  }

  /** For labels of steps. @throws FormatError invalid-argument */
  const pointName = (id: string, point: string): string => {
    const open = workspace.model(id)
    const found = editorOf(id, 'points')
      .list(open)
      .points.find((p) => p.id === point)
    if (!found) throw new FormatError('invalid-argument', `there is no point ${point}`)
    return open.assembled.scene.helpers[found.helper]?.name || 'point'
  }

  /** A file of the model, as the window names it. */
  const memberOf = (model: OpenModel, ref: string): string => {
    if (!model.shows(ref)) throw new FormatError('not-found', 'this file is not part of the model', { file: ref })
    return ref
  }

  const openLibrary = async (root: string): Promise<LibraryEntry> => {
    const entry = await libraries.open(root)
    // copies of dropped files are nothing to come back to
    if (!opening.inbox.holds(entry.root)) state.remember(entry.root, entry.name)
    const { saveMode, modFolder } = state.settings
    // set before this library was opened, or in a file that somebody wrote
    const why = saveMode === 'mod-folder' && modFolder ? notBeside(entry.root, modFolder) : ''
    if (why) emit('notice', { severity: 'error', message: `Nothing is saved until another mod folder is chosen: ${why}` })
    return entry
  }

  const diagnostics = (): DiagnosticsSource => ({
    stateFolder,
    version: options.version ?? packageVersion(),
    host,
    settings: state.settings,
    recent: state.recent,
    libraries: libraries.all().map(({ index }) => index.info()),
    failing: failing.all(),
  })

  const handlers: Handlers = {
    ...opening.handlers(),
    'diagnostics.look': () => previewDiagnostics(diagnostics()),
    'diagnostics.make': ({ headers, window }) => {
      const known = failing.all().filter(({ ref }) => headers.includes(ref))
      return makeDiagnostics(diagnostics(), {
        headers: known.flatMap(({ ref, name }) => (store.exists(ref) ? { name, bytes: store.head(ref) } : [])),
        window,
      })
    },
    'diagnostics.note': ({ message, detail }) => {
      log.write('error', `window: ${message}${detail ? ` | ${detail}` : ''}`)
      return null
    },
    // the packaged desktop application answers this itself
    'update.act': () => null,

    'app.info': () => {
      stateCare.begin(EVENT_DELAY)
      return {
        version: options.version ?? packageVersion(),
        host,
        platform: process.platform,
        sample: sampleFolder,
        recent: state.recent,
      }
    },
    'settings.get': () => state.settings,
    'settings.set': (values) => {
      if (values.modFolder) for (const { root } of libraries.all()) expectBeside(root, values.modFolder)
      const settings = state.set(values)
      for (const model of models.follow()) announce(model)
      return settings
    },

    'folders.pick': async () => (options.pickFolder ? options.pickFolder() : null),
    'folders.list': ({ path }) => boundary.list(path),

    'library.open': async ({ root }) => (await openLibrary(root)).index.info(),
    'library.openSample': async () => {
      // drawn and encoded only when it is asked for
      const { writeSample } = await import('../sample/write-sample.ts')
      await writeSample(sampleFolder)
      return (await openLibrary(sampleFolder)).index.info()
    },
    'library.forget': async ({ root }) => {
      // workers hold indexes open
      await Promise.all([pictureRunner.stop(), exportRunner.stop(), textureRunner.stop()])
      const forgotten = await libraries.forget(root)
      state.forget(root)
      // unsaved edits of its models stay in their journals
      for (const model of workspace.list().filter((m) => m.library === forgotten)) {
        await workspace.close(model.id)
        emit('model.closed', { model: model.id })
      }
      return null
    },
    'library.scan': async ({ library, full }, { signal }) => {
      const entry = libraries.get(library)
      const report = await entry.index.scan({
        signal,
        full,
        onProgress: (progress) => emit('scan.progress', { ...progress, library: entry.id }),
      })
      emit('library.changed', { library })
      return report
    },
    'library.pictures': ({ library, refs }) => pictures.known(library, refs),
    'library.pictureScene': ({ library, ref }, { signal }) => pictures.scene(library, ref, signal),
    'library.putPicture': ({ ref, rgba }) => pictures.put(ref, rgba),
    'library.query': (query) => libraries.get(query.library).index.query(query),

    'model.open': async ({ ref, library }) => {
      if (library !== undefined) libraries.get(library)
      const model = models.open(ref)
      await lookElsewhere()
      return models.opened(model)
    },
    'model.close': async ({ model, discard }) => {
      await workspace.close(model, { discard })
      return null
    },
    'model.list': () => workspace.list().map((model) => models.info(model)),
    'model.scene': ({ model }) => models.opened(workspace.model(model)),
    'model.choose': ({ model, key, value }) => {
      const open = workspace.model(model)
      models.choose(open, key, value)
      announce(open)
      return models.opened(open)
    },
    'model.bind': ({ model, role, ref, remove }) => {
      const open = workspace.model(model)
      models.bind(open, { role, ref, remove: remove === true })
      announce(open)
      return models.opened(open)
    },
    'model.disk': ({ model }) => workspace.diskStates(model),
    'model.reload': async ({ model, missing }) => {
      const open = await workspace.reload(model, { missing })
      announce(open)
      return models.opened(open)
    },
    'model.keep': async ({ model }) => {
      const open = await workspace.keepMine(model)
      announce(open)
      return models.opened(open)
    },
    'model.compareDisk': ({ model }) => workspace.compareDisk(model),
    'model.problems': ({ model }) => models.problems(workspace.model(model)),
    'model.fix': ({ model, problem, fix }) => {
      const found = models
        .problems(workspace.model(model))
        .find((p) => p.ref === problem.ref && p.code === problem.code && p.path === problem.path)
      const offered = found?.fixes?.find((f) => f.id === fix)
      const apply = workspace.model(model).family.fixes?.[fix]
      if (!found || !offered || !apply) throw new FormatError('not-found', 'this problem is not there any more', { file: problem.ref })
      return edit(model, offered.label, (session) => apply(session.edit(problem.ref), found))
    },
    'model.structure': ({ model, ref }) => {
      const open = workspace.model(model)
      const { file, error } = open.entry(memberOf(open, ref))
      if (!file) throw new FormatError(error.code, error.message, error)
      return file.format.describe(file.document)
    },
    'model.bytes': async ({ model, ref, start, length, original }) => {
      const bytes = await workspace.bytes(model, memberOf(workspace.model(model), ref), original)
      return bytes.slice(Math.min(start, bytes.length), Math.min(start + length, bytes.length))
    },
    'model.changes': ({ model, ref, within }) => workspace.changes(model, { ref, within }),
    'changes.restore': async ({ model, ref, part, revision }) => {
      const open = workspace.model(model)
      if (revision !== undefined && revision !== open.revision)
        throw new FormatError('invalid-edit', 'the model was changed since this list was made: the list is made anew', { file: ref })
      if (await workspace.restorePart(model, memberOf(open, ref), part)) announce(open)
      return result(open)
    },

    'slices.check': ({ model, values }) => slicesOf(model).check(workspace.model(model), values),
    'slices.add': ({ model, at, clip, values, ...step }) => {
      withIn(workspace.model(model).assembled.scene.clips, clip, 'clip')
      checkSlice(model, values)
      return editSlices(
        model,
        `Add ${values.name || 'slice'}`,
        (slices, session) => slices.add(session, Math.min(at, session.assembled.scene.slices.length), clip, values),
        step,
      )
    },
    'slices.set': ({ model, slice, values, ...step }) => {
      const { name, start, end, speed } = sliceOf(workspace.model(model), slice)
      checkSlice(model, { name, start, end, speed, ...values })
      return editSlices(
        model,
        values.name !== undefined ? `Rename ${name} to ${values.name}` : `Change ${name || `slice ${slice}`}`,
        (slices, session) => slices.set(session, slice, values),
        step,
      )
    },
    'slices.remove': ({ model, slice }) => {
      const { name } = sliceOf(workspace.model(model), slice)
      return editSlices(model, `Delete ${name || `slice ${slice}`}`, (slices, session) => slices.remove(session, slice))
    },
    'slices.move': ({ model, from, to, ...step }) => {
      const { name } = sliceOf(workspace.model(model), from)
      withIn(workspace.model(model).assembled.scene.slices, to, 'slice')
      return editSlices(model, `Move ${name || `slice ${from}`}`, (slices, session) => slices.move(session, from, to), step)
    },
    'slices.duplicate': ({ model, slice }) => {
      const { name } = sliceOf(workspace.model(model), slice)
      return editSlices(model, `Duplicate ${name || `slice ${slice}`}`, (slices, session) => slices.duplicate(session, slice))
    },
    'slices.extract': ({ model, slice }) => {
      const open = workspace.model(model)
      const { name, bytes } = slicesOf(model).extract(open, sliceOf(open, slice))
      return { name, bytes }
    },
    'slices.replaceWindow': ({ model, slice, bytes }) => {
      const found = sliceOf(workspace.model(model), slice)
      return editSlices(model, `Replace the window of ${found.name || `slice ${slice}`}`, (slices, session) =>
        slices.replaceWindow(session, found, bytes),
      )
    },

    'markers.add': async ({ model, clip, name, time }) => {
      withIn(workspace.model(model).assembled.scene.clips, clip, 'clip')
      await models.prepareOwn(workspace.model(model))
      return edit(model, `Add marker ${name}`, (session, open) => ownMarkers(open.slicesFile).add(session, clip, name, time))
    },
    'markers.set': ({ model, marker, values, ...step }) => {
      const { markers } = workspace.model(model).assembled.scene
      withIn(markers, marker, 'marker')
      return edit(
        model,
        values.name !== undefined ? `Rename marker ${markers[marker].name} to ${values.name}` : `Move marker ${markers[marker].name}`,
        (session, open) => ownMarkers(open.slicesFile).set(session, marker, values),
        step,
      )
    },
    'markers.remove': ({ model, marker }) => {
      const { markers } = workspace.model(model).assembled.scene
      withIn(markers, marker, 'marker')
      return edit(model, `Delete marker ${markers[marker].name}`, (session, open) => ownMarkers(open.slicesFile).remove(session, marker))
    },

    'clips.tracks': ({ model, clip }) => {
      withIn(workspace.model(model).assembled.scene.clips, clip, 'clip')
      return editorOf(model, 'clips').tracks(workspace.model(model), clip)
    },
    'clips.editKeys': ({ model, label, edits, clip, beside, ...step }) =>
      edit(
        model,
        label,
        (session, open) => {
          editorOf(model, 'clips').editKeys(session, edits)
          if (beside) editBeside(model, session, open, clip ?? 0, beside)
        },
        step,
      ),
    'clips.pose': ({ model, clip, label, poses, ...step }) => {
      withIn(workspace.model(model).assembled.scene.clips, clip, 'clip')
      return edit(model, label, (session) => keyPoses(editorOf(model, 'clips'), session, clip, poses), step)
    },
    'clips.addTrack': ({ model, clip, joint, property }) =>
      edit(model, 'Add track', (session) =>
        can(editorOf(model, 'clips').addTrack, 'add tracks').call(editorOf(model, 'clips'), session, clip, joint, property),
      ),
    'clips.removeTrack': ({ model, track }) =>
      edit(model, 'Delete track', (session) =>
        can(editorOf(model, 'clips').removeTrack, 'delete tracks').call(editorOf(model, 'clips'), session, track),
      ),
    'clips.fields': ({ model, clip }) => {
      withIn(workspace.model(model).assembled.scene.clips, clip, 'clip')
      return editorOf(model, 'clips').fields?.(workspace.model(model), clip) ?? []
    },
    'clips.setField': ({ model, clip, key, value }) =>
      edit(model, `Change ${key}`, (session) =>
        can(editorOf(model, 'clips').setField, 'change fields of clips').call(editorOf(model, 'clips'), session, clip, key, value),
      ),

    'weights.list': ({ model }) => workspace.model(model).family.editor.weights?.list(workspace.model(model)) ?? [],
    'weights.read': ({ model, id }) => weightsOf(model, id).read(workspace.model(model), id),
    'weights.write': ({ model, label, edit: change, ...step }) => {
      checkRows(change)
      weightsOf(model, change.id)
      return edit(model, label, (session) => editorOf(model, 'weights').write(session, change), step)
    },
    'weights.preview': ({ model, edit: change }) => {
      checkRows(change)
      weightsOf(model, change.id)
      return previewEdit(workspace.model(model), (session) => editorOf(model, 'weights').write(session, change))
    },

    'skeleton.fields': ({ model, joint }) => {
      const open = workspace.model(model)
      withIn(open.assembled.scene.skeleton.names, joint, 'joint')
      const skeleton = open.family.editor.skeleton
      const { primary } = open.binding
      const others = (ref: string): number =>
        libraries
          .checkRef(ref)
          .library.index.modelOf(ref)
          .filter((m) => m.primary !== primary).length
      return {
        fields: skeleton?.fields(open, joint) ?? [],
        references: skeleton?.references(open, joint) ?? [],
        namedBy: skeleton?.namedBy?.(open, joint).map((ref) => ({ ref, others: others(ref) })) ?? [],
      }
    },
    'skeleton.setField': ({ model, joint, key, value, keepSkin, ...step }) =>
      edit(
        model,
        `Change ${key}`,
        (session) =>
          can(editorOf(model, 'skeleton').setField, 'change joints').call(editorOf(model, 'skeleton'), session, joint, key, value, {
            keepSkin: keepSkin === true,
          }),
        step,
      ),
    'skeleton.place': ({ model, joint, translation, rotation, keepSkin, ...step }) => {
      const { names } = workspace.model(model).assembled.scene.skeleton
      withIn(names, joint, 'joint')
      if (rotation && Math.abs(Math.hypot(...rotation) - 1) > 1e-3)
        throw new FormatError('invalid-argument', 'a rotation is a quaternion of length 1')
      const what = `${rotation ? 'Turn' : 'Move'} ${names[joint]} at rest`
      return edit(
        model,
        what,
        (session) =>
          can(editorOf(model, 'skeleton').place, 'move joints').call(
            editorOf(model, 'skeleton'),
            session,
            joint,
            { translation, rotation },
            { keepSkin: keepSkin === true },
          ),
        step,
      )
    },
    'skeleton.rename': ({ model, joint, name, follow }) =>
      edit(model, `Rename to ${name}`, (session) =>
        can(editorOf(model, 'skeleton').rename, 'rename joints').call(editorOf(model, 'skeleton'), session, joint, name, follow === true),
      ),
    'skeleton.reparent': ({ model, joint, parent }) =>
      edit(model, 'Change parent', (session) =>
        can(editorOf(model, 'skeleton').reparent, 'change parents').call(editorOf(model, 'skeleton'), session, joint, parent),
      ),

    'textures.storage': ({ model, texture }) => {
      withIn(workspace.model(model).assembled.scene.textures, texture, 'texture')
      return editorOf(model, 'textures').storage(workspace.model(model), texture)
    },
    'textures.png': ({ model, texture }, { signal }) => {
      const open = workspace.model(model)
      const { textures } = open.assembled.scene
      withIn(textures, texture, 'texture')
      return textureRunner.run(
        { kind: 'png', root: open.library, texture: { ...textures[texture], rgba: compact(textures[texture].rgba) } },
        { signal, patience: 0 },
      )
    },
    'textures.replace': async ({ model, texture, name, bytes }, { signal }) => {
      const open = workspace.model(model)
      const editor = editorOf(model, 'textures')
      withIn(open.assembled.scene.textures, texture, 'texture')
      const { checkReplaceable, textureReport } = await import('../interchange/textures.ts')
      checkReplaceable(editor, open, texture)
      const { scene, options } = open.assembled
      const target = scene.textures[texture]
      const { ref } = target.source
      const { file } = open.entry(ref)
      if (!file) throw new FormatError('not-found', 'this file is not part of the model', { file: ref })
      const { state } = file
      const job: TextureJob = {
        kind: 'texture',
        root: open.library,
        family: open.family.id,
        format: file.format.id,
        bytes: compact(file.bytes),
        texture: { ...target, rgba: new Uint8Array(0) },
        options,
        name,
        png: compact(bytes),
      }
      const onProgress = ({ done, total, current }: Omit<BatchProgress, 'library'>): void =>
        emit('texture.progress', { model, texture, done, total, current })
      const made = await textureRunner.run(job, { signal, patience: 0, onProgress })
      if (await workspace.put(model, `Replace texture ${target.name}`, { ref, state, bytes: made.bytes })) announce(open)
      return { ...result(open), report: textureReport(editor, open, texture, made.picture) }
    },

    'events.add': ({ model, clip, event }) =>
      edit(model, `Add event ${event.type}`, (session) => editorOf(model, 'events').add(session, clip, event)),
    'events.set': ({ model, clip, event, values, ...step }) =>
      edit(model, 'Change event', (session) => editorOf(model, 'events').set(session, clip, event, values), step),
    'events.remove': ({ model, clip, event }) =>
      edit(model, 'Delete event', (session) => editorOf(model, 'events').remove(session, clip, event)),

    'points.list': ({ model }) => workspace.model(model).family.editor.points?.list(workspace.model(model)) ?? { points: [], places: [] },
    'points.add': async ({ model, ref, joint, center }) => {
      const open = workspace.model(model)
      memberOf(open, ref)
      if (joint >= 0) withIn(open.assembled.scene.skeleton.names, joint, 'joint')
      let point = ''
      const done = await edit(model, 'Add point', (session) => (point = editorOf(model, 'points').add(session, ref, joint, center)))
      return { ...done, point }
    },
    'points.set': ({ model, point, key, value, keepPlace = true, ...step }) =>
      edit(
        model,
        `Change ${key} of ${pointName(model, point)}`,
        (session) => editorOf(model, 'points').set(session, point, key, value, { keepPlace }),
        step,
      ),
    'points.place': ({ model, point, center, ...step }) =>
      edit(model, `Move ${pointName(model, point)}`, (session) => editorOf(model, 'points').place(session, point, center), step),
    'points.remove': ({ model, point }) =>
      edit(model, `Delete ${pointName(model, point)}`, (session) => editorOf(model, 'points').remove(session, point)),
    'points.duplicate': async ({ model, point }) => {
      let copy = ''
      const done = await edit(
        model,
        `Duplicate ${pointName(model, point)}`,
        (session) => (copy = editorOf(model, 'points').duplicate(session, point)),
      )
      return { ...done, point: copy }
    },

    'submeshes.list': ({ model, mesh }) => {
      withIn(workspace.model(model).assembled.scene.meshes, mesh, 'mesh')
      return workspace.model(model).family.editor.submeshes?.list(workspace.model(model), mesh) ?? []
    },
    'submeshes.set': ({ model, mesh, submesh, key, value }) => {
      const { meshes } = workspace.model(model).assembled.scene
      withIn(meshes, mesh, 'mesh')
      withIn(meshes[mesh].groups, submesh, 'submesh')
      return edit(model, `Change ${key} of submesh ${submesh + 1}`, (session) =>
        editorOf(model, 'submeshes').set(session, mesh, submesh, key, value),
      )
    },

    'mod.updates': ({ library }) => {
      const { root } = libraries.get(library)
      return workspace.gameUpdates(root).map(({ base, sizeNow }) => ({
        ref: base.ref,
        name: baseName(base.ref),
        where: relative(root, base.ref).split(sep).join('/'),
        target: base.target,
        sizeThen: base.size,
        sizeNow,
      }))
    },
    'mod.compare': ({ model, ref }) => {
      const { game, mine, conflicts } = workspace.compareGame(model, memberOf(workspace.model(model), ref))
      return { game, mine, conflicts }
    },
    'mod.rebase': async ({ model, ref, conflicts }) => {
      const open = workspace.model(model)
      await workspace.rebase(model, memberOf(open, ref), conflicts)
      announce(open)
      return result(open)
    },
    'mod.keep': async ({ library, refs }) => {
      await workspace.keepMod(libraries.get(library).root, refs)
      return null
    },

    'history.undo': async ({ model }) => {
      await workspace.undo(model)
      announce(workspace.model(model))
      return result(workspace.model(model))
    },
    'history.redo': async ({ model }) => {
      await workspace.redo(model)
      announce(workspace.model(model))
      return result(workspace.model(model))
    },
    'history.list': ({ model }) => models.info(workspace.model(model)).history,

    'save.plan': ({ model }) => workspace.plan(model),
    'save.write': async ({ model, ...leave }) => {
      const done = await workspace.save(model, leave)
      if (done.saved.length > 0) pictures.forget(workspace.model(model).binding.primary)
      return done
    },
    'save.originals': ({ model }) => workspace.keptOriginals(model),
    'save.restore': async ({ model, ref, replaceReadOnly }) => {
      const open = workspace.model(model)
      await workspace.restore(model, memberOf(open, ref), { replaceReadOnly })
      announce(open)
      return models.opened(open)
    },
    'patch.export': async ({ library, model, folder }) => {
      const { root, name } = libraries.get(library)
      const open = model === undefined ? undefined : workspace.model(model)
      const { saveMode, modFolder } = state.settings
      const changed =
        saveMode === 'mod-folder'
          ? existsSync(modFolder)
            ? await changedInModFolder(root, modFolder)
            : []
          : await changedInPlace(root, workspace.originals)
      const own = open && new Set(workspace.changeRefs(open).map((ref) => relative(root, diskPartOf(store, ref)).split(sep).join('/')))
      const pairs = own ? changed.filter(({ path }) => own.has(path)) : changed
      const title = open?.binding.name ?? name
      const fileName = `${safeName(title)}.marrow.zip`
      const version = options.version ?? packageVersion()
      const listed = (manifest: PatchManifest) =>
        manifest.files.map(({ path, member, now, original }) => ({
          path,
          member: member ?? '',
          size: now.size,
          originalSize: original?.size ?? 0,
        }))
      if (folder !== undefined) {
        const real = checkFolder(folder)
        const path = join(real, fileName)
        const { manifest, bytes } = await exportPatch(store, pairs, {
          name: title,
          madeWith: version,
          file: path,
          overwrite: libraries.holding(real) === undefined,
        })
        return { fileName, path, bytes: new Uint8Array(0), size: bytes, files: listed(manifest) }
      }
      const chunks: Uint8Array[] = []
      const manifest = await writePatch(store, pairs, { name: title, madeWith: version }, (chunk) => void chunks.push(chunk))
      const bytes = new Uint8Array(Buffer.concat(chunks))
      return { fileName, path: '', bytes, size: bytes.length, files: listed(manifest) }
    },
    'patch.build': async ({ library, patch, folder, force, replaceReadOnly }, { signal }) => {
      const { root } = libraries.get(library)
      if (!isAbsolute(folder)) throw new FormatError('invalid-argument', 'the mod folder is named by its whole path', { file: folder })
      if (typeof patch === 'string' && !isAbsolute(patch))
        throw new FormatError('invalid-argument', 'a file is named by its whole path', { file: patch })
      const bytes = typeof patch === 'string' ? store.read(patch) : patch
      return buildPatch(store, readPatch(bytes, typeof patch === 'string' ? patch : 'patch'), {
        root,
        folder,
        force,
        replaceReadOnly,
        signal,
      })
    },
    'recovery.list': () => workspace.recoverable(),
    'recovery.restore': async ({ id }) => {
      const { primary, library } = await workspace.recoveryHeader(id)
      if (library) await openLibrary(library)
      const model = models.open(primary)
      await workspace.recover(id, model)
      return models.opened(model)
    },
    'recovery.discard': async ({ id }) => {
      await workspace.discardRecovery(id)
      return null
    },

    'import.inspect': async ({ model, name, bytes }) => {
      const { skeleton } = workspace.model(model).assembled.scene
      const [{ readAnimations }, { proposeMap }] = await Promise.all([
        import('../interchange/gltf-reader.ts'),
        import('../interchange/import-animation.ts'),
      ])
      const proposed = proposeMap(await readAnimations(bytes, name), skeleton)
      const kept = state.jointMap(
        proposed.map(({ node }) => node),
        skeleton.names,
      )
      return proposed.map((proposal) =>
        Object.hasOwn(kept, proposal.node) ? { node: proposal.node, joint: kept[proposal.node], why: 'kept' as const } : proposal,
      )
    },
    'import.animation': async ({ model, name, bytes, animation, clip, slice, map }) => {
      const open = workspace.model(model)
      const editor = editorOf(model, 'clips')
      // loaded when it is needed, as for exports
      const [{ readAnimations }, { importAnimations, measureImport, nodesOf }] = await Promise.all([
        import('../interchange/gltf-reader.ts'),
        import('../interchange/import-animation.ts'),
      ])
      const animations = await readAnimations(bytes, name)
      let done: ReturnType<typeof importAnimations> | undefined
      const changed = await workspace.edit(model, `Import ${baseName(name)}`, (session) => {
        // as in exports, the model's own choice says how long a tick is
        done = importAnimations(session, editor, animations, { animation, clip, slice, map })
      })
      if (changed) announce(open)
      if (map) state.setJointMap(nodesOf(animations), open.assembled.scene.skeleton.names, map)
      measureImport(open.assembled.scene, done!.jobs, done!.report)
      return { ...result(open), report: done!.report }
    },
    'export.batch': async ({ library, filter, to, folder, layout, existing }, { signal }) => {
      const { id, root } = libraries.get(library)
      if (exporting.has(id)) throw new FormatError('invalid-argument', 'models of this library are being exported already', { file: root })
      const real = checkFolder(folder)
      const stop = new AbortController()
      exporting.set(id, stop)
      const started = Date.now()
      let seen: Omit<BatchProgress, 'library'> = { done: 0, total: 0, current: '', failures: [] }
      const failures: BatchFailure[] = []
      const onProgress = (progress: Omit<BatchProgress, 'library'>): void => {
        seen = progress
        failures.push(...progress.failures)
        emit('export.progress', { ...progress, library: id })
      }
      try {
        // beside the game's files nothing is replaced that Marrow did not read
        const job: ExportJob = {
          kind: 'export',
          root,
          filter,
          to,
          folder: real,
          layout,
          existing: libraries.holding(real) ? 'skip' : existing,
        }
        return await exportRunner.run(job, { signal: AbortSignal.any([signal, stop.signal]), onProgress })
      } catch (error) {
        if (!stop.signal.aborted) throw error
        // one model took too long to wait for: what is known of those before it
        return {
          total: seen.total,
          exported: seen.done - failures.length,
          skipped: 0,
          files: 0,
          failures,
          left: [],
          folder: real,
          seconds: (Date.now() - started) / 1000,
          cancelled: true,
        }
      } finally {
        exporting.delete(id)
      }
    },
    'export.batchStop': ({ library }) => {
      exporting.get(libraries.get(library).id)?.abort()
      return null
    },
    'export.model': async ({ model, to, folder }) => {
      const open = workspace.model(model)
      const real = checkFolder(folder)
      // loaded when it is needed: most runs never export
      const { exportScene } = await import('../interchange/export-model.ts')
      const { files, left } = await exportScene(open.assembled.scene, {
        to,
        folder: real,
        name: open.binding.name,
        // beside the game's files nothing is replaced that Marrow did not read
        overwrite: libraries.holding(real) === undefined,
      })
      return left.length > 0 ? { files, left } : { files }
    },
  }

  return {
    boundary,
    handlers: withLog(handlers, log, failing),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close() {
      clearInterval(watch)
      await Promise.all([pictureRunner.stop(), exportRunner.stop()])
      pictures.close()
      await stateCare.close()
      await workspace.closeAll()
      await libraries.close()
      store.close()
    },
  }
}

/** The file on disk of a reference, also when it is gone. */
function diskPartOf(store: FileStore, ref: string): string {
  try {
    return store.diskFile(ref)
  } catch {
    return ref
  }
}

/** Rows of weights must fit each other before an editor walks them. */
function checkRows(edit: { vertices: Uint32Array; offsets: Uint32Array; bone: Uint16Array; weight: Float32Array }): void {
  const { vertices, offsets, bone, weight } = edit
  const fits =
    offsets.length === vertices.length + 1 &&
    offsets[0] === 0 &&
    offsets[vertices.length] === bone.length &&
    bone.length === weight.length &&
    offsets.every((at, i) => i === 0 || at >= offsets[i - 1])
  if (!fits) throw new FormatError('invalid-argument', 'the rows of the weights do not fit each other')
}

function packageVersion(): string {
  // beside the sources and beside the bundle
  for (const up of ['../../..', '../..', '..']) {
    try {
      const { name, version } = JSON.parse(readFileSync(join(import.meta.dirname, up, 'package.json'), 'utf8')) as {
        name?: string
        version?: string
      }
      if (name === 'marrow' && version) return version
    } catch {
      // the next place
    }
  }
  return '0.0.0'
}
