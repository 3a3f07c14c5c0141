/** All families, and which format a file is of. */
import { COMMON_FAMILY, isFamilyId } from '../../shared/api/types/family.ts'
import { isTemporaryName } from '../../shared/temporary-name.ts'
import { commonFormats } from './image/family.ts'
import { commonArchives } from './zip/family.ts'
import { level5 } from './level5/family.ts'
import { lostsaga } from './lostsaga/family.ts'
import { renderware } from './renderware/family.ts'
import { w3d } from './w3d/family.ts'
import { extensionOf } from '../../shared/ref.ts'
import type { FileKind } from '../../shared/api/types/family.ts'
import type { ArchiveFormat } from './archive.ts'
import type { Family } from './family.ts'
import type { FamilyId, FileFormat } from './format.ts'

export const families: readonly Family[] = [level5, w3d, renderware, lostsaga]

/** How many bytes of a file's beginning `identify` is given. */
export const HEAD_BYTES = 4096

export type Identified = { format: FileFormat; archive?: undefined } | { archive: ArchiveFormat; format?: undefined }

/** A set of families with look-ups. Whoever opens files is given one, so that tests can bring families of their own. */
export interface Registry {
  readonly families: readonly Family[]
  familyById(id: FamilyId): Family | undefined
  formatById(id: string): FileFormat | undefined
  archiveById(id: string): ArchiveFormat | undefined
  /**
   * The format that is surest of these bytes, at least 0.5; undefined when none is. An identify that throws
   * counts as "not mine".
   * @param head first HEAD_BYTES bytes (all of a smaller file)
   */
  identify(head: Uint8Array, name: string, size: number): Identified | undefined
  /** Names of the directories that would name what is in a file of this name, by formats whose archives are of several files. */
  directoryNames(data: string): string[]
  /** Whether a file of this name may be the directory of an archive whose data is in another one. */
  mayLead(name: string): boolean
  /** Whether files of this name may be the data of archives that several directories name. */
  mayBeData(name: string): boolean
  /** What a file is called, where its ending is one of a family's (`Family.opens`, `Family.alsoCalled`). */
  kindOfName(name: string): { family: FamilyId; kind: FileKind; ending: string } | undefined
}

/** @throws Error where two families or formats have one id, or a format says that it is of another family */
export function createRegistry(families: readonly Family[]): Registry {
  expectSound(families)
  const formats = new Map<string, FileFormat>()
  const archives = new Map<string, ArchiveFormat>()
  for (const format of commonFormats) formats.set(format.id, format)
  for (const archive of commonArchives) archives.set(archive.id, archive)
  for (const family of families) {
    for (const format of family.formats) formats.set(format.id, format)
    for (const archive of family.archives) archives.set(archive.id, archive)
  }
  const candidates: Identified[] = [
    ...[...archives.values()].map((archive) => ({ archive })),
    ...[...formats.values()].map((format) => ({ format })),
  ]
  const leading = new Set([...archives.values()].flatMap(({ companion, extensions }) => (companion ? extensions : [])))
  const dataEndings = new Set<string>()
  for (const { companion, peers, extensions } of archives.values())
    if (companion && peers) for (const ending of extensions) dataEndings.add(extensionOf(companion(`x.${ending}`)))
  const named = new Map<string, NonNullable<ReturnType<Registry['kindOfName']>>>()
  for (const { id: family, formats, opens = [], alsoCalled = [] } of families)
    for (const ending of [...opens, ...alsoCalled]) {
      const kind = formats.find(({ extensions }) => extensions.includes(ending))?.kind ?? 'archive'
      if (!named.has(ending)) named.set(ending, { family, kind, ending })
    }
  return {
    families,
    familyById: (id) => families.find((family) => family.id === id),
    formatById: (id) => formats.get(id),
    archiveById: (id) => archives.get(id),
    identify(head, name, size) {
      // whatever is in it: a write that was cut off must not become a file of a model
      if (isTemporaryName(name)) return undefined
      let best = 0.49
      let found: Identified | undefined
      for (const candidate of candidates) {
        const sure = sureness(candidate.archive ?? candidate.format, head, name, size)
        if (sure > best) {
          best = sure
          found = candidate
        }
      }
      return found
    },
    directoryNames(data) {
      const stem = data.replace(/\.[^.]*$/, '')
      const names = new Set<string>()
      for (const { companion, peers, extensions } of archives.values()) {
        const own = companion ? extensions.map((ending) => `${stem}.${ending}`).filter((name) => companion(name) === data) : []
        for (const name of own.flatMap((one) => peers?.(one) ?? [one])) names.add(name)
      }
      return [...names]
    },
    mayLead: (name) => leading.has(extensionOf(name).toLowerCase()),
    mayBeData(name) {
      const ending = extensionOf(name)
      return ending !== '' && dataEndings.has(ending)
    },
    kindOfName: (name) => (isTemporaryName(name) ? undefined : named.get(extensionOf(name))),
  }
}

/** How sure a format is; one that throws is not. */
function sureness(of: FileFormat | ArchiveFormat, head: Uint8Array, name: string, size: number): number {
  try {
    return of.identify(head, name, size)
  } catch {
    return 0
  }
}

function expectSound(families: readonly Family[]): void {
  const ids = new Set([COMMON_FAMILY, ...[...commonFormats, ...commonArchives].map(({ id }) => id)])
  const own = (id: string): void => {
    if (ids.has(id)) throw new Error(`the id ${id} is taken`)
    ids.add(id)
  }
  for (const { id, formats, archives } of families) {
    if (!isFamilyId(id)) throw new Error(`${id} is no id of a family`)
    own(id)
    for (const format of [...formats, ...archives]) {
      own(format.id)
      if (format.family !== id) throw new Error(`${format.id} is of ${format.family}, but ${id} lists it`)
    }
  }
}

/**
 * The registry of a module that exports its `families`, for workers: they are threads of their own, and take no functions.
 * @param module its URL; the product's registry where there is none
 */
export async function registryOf(module: string | undefined): Promise<Registry> {
  if (module === undefined) return registry
  return createRegistry(((await import(module)) as { families: readonly Family[] }).families)
}

/** The families of the product. */
export const registry: Registry = createRegistry(families)

export const familyById = registry.familyById
export const formatById = registry.formatById
export const archiveById = registry.archiveById
export const identify = registry.identify
