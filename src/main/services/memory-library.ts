/** A library without a database: for hosts and tests that bring none. Everything is looked at again with each scan. */
import { relative } from 'node:path'
import { leftOutOf } from '../files/left-out.ts'
import { bindFilesBelow, MemoryNeighbourhood } from '../files/memory-neighbourhood.ts'
import { folderOf, stemOf } from '../../shared/ref.ts'
import { FolderTree } from '../library/folder-tree.ts'
import type { FileStore } from '../files/store.ts'
import type { BindFile, ModelBinding, Neighbourhood } from '../formats/binding.ts'
import { COMMON_FAMILY } from '../../shared/api/types/family.ts'
import type { FamilyId, FileKind } from '../../shared/api/types/family.ts'
import type { LibraryPage, LibraryPart, LibraryQuery, LibraryRow } from '../../shared/api/types/library.ts'
import type { IndexedLibrary } from './libraries.ts'

const PARTS: readonly LibraryPart[] = ['bones', 'meshes', 'clips', 'slices', 'textures']

/** @param leftOut places of the folders that scans leave out */
export function memoryLibrary(store: FileStore, root: string, id: string, leftOut: () => readonly string[] = () => []): IndexedLibrary {
  let rows: LibraryRow[] = []
  let models: ModelBinding[] = []
  let scannedAt = 0
  let around: Neighbourhood = new MemoryNeighbourhood(store, [])
  const familyOf = (file: BindFile): FamilyId => store.registry.formatById(file.format)?.family ?? COMMON_FAMILY

  const row = (file: BindFile, type: LibraryRow['type'], name: string): LibraryRow => {
    const summary = around.summary(file.ref)
    return {
      ref: file.ref,
      name,
      where: folderOf(relative(root, file.ref)),
      type,
      family: familyOf(file),
      kind: file.kind,
      format: file.format,
      size: store.stat(file.ref).size,
      bones: summary?.bones?.length ?? 0,
      meshes: summary?.meshes?.length ?? 0,
      clips: summary?.clips?.length ?? 0,
      slices: summary?.slices?.length ?? 0,
      textures: summary?.textures?.length ?? 0,
      note: summary?.note ?? '',
    }
  }

  const shown = (show: LibraryQuery['show']): LibraryRow[] =>
    rows.filter((r) => r.type === (show === 'models' ? 'model' : show === 'files' ? 'file' : 'error'))
  const below = (where: string, folder: string): boolean =>
    where === folder || (where.startsWith(folder) && /[/\\!]/.test(where[folder.length]))

  type Selection = Omit<LibraryQuery, 'library' | 'offset' | 'limit'>
  function selected(query: Selection): { wanted: LibraryRow[]; sorted: LibraryRow[] } {
    const wanted = shown(query.show).filter(
      (r) =>
        (!query.text || `${r.name} ${r.where}`.toLowerCase().includes(query.text.toLowerCase())) &&
        (!query.folder || below(r.where, query.folder)),
    )
    const key = query.sort
    const sorted = wanted
      .filter(
        (r) =>
          (!query.family || r.family === query.family) &&
          (!query.kind || r.kind === query.kind) &&
          (query.has ?? []).every((part) => r[part] > 0),
      )
      .sort(
        (a, b) =>
          (key === 'name'
            ? stemOf(a.name).localeCompare(stemOf(b.name))
            : key === 'kind'
              ? a.kind.localeCompare(b.kind)
              : a[key] - b[key]) * (query.descending ? -1 : 1),
      )
    return { wanted, sorted }
  }

  return {
    info: () => ({
      id,
      root,
      name: root.split(/[/\\]/).at(-1) ?? root,
      files: rows.filter((r) => r.type === 'file').length,
      models: models.length,
      errors: 0,
      scannedAt,
    }),
    async scan({ signal, onProgress }) {
      const started = Date.now()
      const files = [...bindFilesBelow(store, root, leftOutOf(root, leftOut()))]
      signal?.throwIfAborted()
      const found = new MemoryNeighbourhood(store, files)
      around = found
      models = found.allFolders().flatMap((folder) => store.registry.families.flatMap((family) => family.bind(folder, found)))
      const byRef = new Map(files.map((file) => [file.ref, file]))
      rows = [
        ...files.map((file) => row(file, 'file', file.name)),
        ...models.flatMap((model) => (byRef.has(model.primary) ? [row(byRef.get(model.primary)!, 'model', model.name)] : [])),
      ]
      scannedAt = Date.now()
      onProgress?.({ library: id, phase: 'done', done: files.length, total: files.length, current: '', errors: 0 })
      const sum = (key: 'bones' | 'meshes' | 'slices' | 'textures'): number =>
        rows.reduce((n, r) => n + (r.type === 'file' ? r[key] : 0), 0)
      return {
        files: files.length,
        recognised: files.length,
        models: models.length,
        bones: sum('bones'),
        meshes: sum('meshes'),
        slices: sum('slices'),
        weights: 0,
        textures: sum('textures'),
        errors: [],
        seconds: (Date.now() - started) / 1000,
      }
    },
    query(query): LibraryPage {
      const { wanted, sorted } = selected(query)
      const facet = <T>(of: (r: LibraryRow) => T): { value: T; count: number }[] => {
        const counts = new Map<T, number>()
        for (const r of wanted) counts.set(of(r), (counts.get(of(r)) ?? 0) + 1)
        return [...counts].map(([value, count]) => ({ value, count }))
      }
      return {
        total: sorted.length,
        rows: sorted.slice(query.offset, query.offset + query.limit),
        facets: {
          families: facet<FamilyId>((r) => r.family),
          kinds: facet<FileKind>((r) => r.kind),
          has: PARTS.map((value) => ({ value, count: wanted.filter((r) => r[value] > 0).length })),
        },
        counts: { models: models.length, files: rows.filter((r) => r.type === 'file').length, errors: 0 },
      }
    },
    seek(query, begin, from) {
      const { sorted } = selected(query)
      const fits = (r: LibraryRow): boolean => r.name.toLowerCase().startsWith(begin.toLowerCase())
      const next = sorted.findIndex((r, i) => i >= from && fits(r))
      return next >= 0 ? next : sorted.findIndex(fits)
    },
    place: (query, ref) => selected(query).sorted.findIndex((r) => r.ref === ref),
    folders(query, place) {
      const treeOf = (of: readonly LibraryRow[]): FolderTree =>
        new FolderTree(of.map((r, id) => ({ id, place: r.where, count: 1, archive: false })))
      const tree = treeOf(selected({ ...query, folder: undefined }).sorted)
      if (query.folder) treeOf(shown(query.show)).lend(query.folder, tree)
      return tree.children(place)
    },
    modelRows: (refs) => refs.flatMap((ref) => shown('models').filter((r) => r.ref === ref)),
    neighbourhood: () => around,
    modelOf: (ref) => models.filter((model) => model.primary === ref || model.members.some((member) => member.ref === ref)),
    stamp: (ref) => {
      const model = models.find((m) => m.primary === ref) ?? models.find((m) => m.members.some((member) => member.ref === ref))
      return JSON.stringify(
        (model?.members.map((member) => member.ref) ?? [ref]).map(
          (member) => store.exists(member) && [member, store.stat(member).size, store.stat(member).mtimeMs],
        ),
      )
    },
    close: () => {},
  }
}
