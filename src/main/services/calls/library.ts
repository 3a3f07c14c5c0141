/** Libraries: opened, scanned, asked, and the small pictures of their models. */
import { placeOf, samePlace } from '../../files/left-out.ts'
import { withLeftOut } from '../../library/folder-tree.ts'
import { libraryId } from '../../library/library.ts'
import { Standings } from '../standings.ts'
import { knownFamily } from './checks.ts'
import type { CallContext, HandlersOf } from './context.ts'

export function libraryCalls({
  sampleFolder,
  store,
  libraries,
  folderWatches,
  state,
  workspace,
  models,
  pictures,
  runners,
  openLibrary,
  showInFolder,
  emit,
}: CallContext): HandlersOf<'library'> {
  const setLeftOut = async (library: string, change: (places: readonly string[]) => string[]): Promise<string[]> => {
    const entry = libraries.get(library)
    const { root } = entry
    const before = state.leftOut(root)
    const places = change(before)
    if (places.join('\0') === before.join('\0')) return before
    state.setLeftOut(root, places)
    await folderWatches.renew(entry)
    emit('library.changed', { library })
    return places
  }
  return {
    'library.open': async ({ root }) => {
      const entry = await openLibrary(root)
      folderWatches.watch(entry)
      return entry.index.info()
    },
    'library.openSample': async () => {
      // drawn and encoded only when it is asked for
      const { writeSample } = await import('../../sample/write-sample.ts')
      await writeSample(sampleFolder)
      return (await openLibrary(sampleFolder)).index.info()
    },
    'library.sampleScene': (_, { signal }) => runners.pictures.run({ kind: 'first', root: sampleFolder }, { signal, first: true }),
    'library.forget': async ({ root }) => {
      // workers hold indexes open
      await Promise.all(Object.values(runners).map((runner) => runner.stop()))
      const forgotten = await libraries.forget(root)
      await folderWatches.stop(libraryId(forgotten))
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
      folderWatches.watch(entry)
      return report
    },
    'library.pictures': ({ library, refs }) => pictures.known(library, refs),
    'library.adoptPictures': ({ library, refs }, { signal }) => pictures.adopt(library, refs, signal),
    'library.pictureScene': ({ library, ref }, { signal }) => pictures.scene(library, ref, signal),
    'library.preview': ({ library, ref }, { signal }) => pictures.preview(library, ref, signal),
    'library.standings': ({ library, refs }) => {
      const { root, index } = libraries.get(library)
      const around = index.neighbourhood()
      const standings = new Standings({ store, around, root, place: (ref) => models.placeOf(ref) })
      return refs.map((ref) => standings.of(libraries.checkRef(ref).ref))
    },
    'library.showInFolder': ({ ref }) => {
      libraries.checkRef(ref)
      showInFolder?.(store.diskFile(ref))
      return { shown: showInFolder !== undefined }
    },
    'library.putPicture': ({ ref, rgba }) => pictures.put(ref, rgba),
    'library.query': (query) => {
      knownFamily(store.registry, query.family)
      return libraries.get(query.library).index.query(query)
    },
    'library.seek': ({ begin, from, ...query }) => {
      knownFamily(store.registry, query.family)
      return libraries.get(query.library).index.seek(query, begin, from)
    },
    'library.place': ({ ref, ...query }) => {
      knownFamily(store.registry, query.family)
      return libraries.get(query.library).index.place(query, ref)
    },
    'library.folders': ({ place, ...query }) => {
      knownFamily(store.registry, query.family)
      const { root, index } = libraries.get(query.library)
      return withLeftOut((at) => index.folders(query, at), place, state.leftOut(root))
    },
    'library.leftOut': ({ library }) => state.leftOut(libraries.get(library).root),
    'library.leaveOut': ({ library, folder }) => {
      const place = placeOf(libraries.get(library).root, folder)
      return setLeftOut(library, (places) => [...places.filter((each) => !samePlace(each, place)), place].sort())
    },
    'library.takeIn': ({ library, place }) => setLeftOut(library, (places) => places.filter((each) => !samePlace(each, place))),
  }
}
