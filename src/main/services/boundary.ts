/**
 * What windows may reach of the disk. Every call of theirs comes through here (src/main/hosts/session.ts) with the rules of the path table (src/shared/api/paths.ts); a path counts as
 * where it really leads. What the command line was told to do does not come through here.
 *
 * A window reads below open libraries and what the user chose, also of files that he gave to a model, and writes below libraries, their mod folder and places that the user chose: in the
 * application through the system's dialogs, in the browser by the folder list, which shows the user's home, mounted media, what was given at the
 * start, and nothing else.
 */
import { readdir } from 'node:fs/promises'
import { statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, parse, sep } from 'node:path'
import { FormatError } from '../binary/format-error.ts'
import { otherDrives } from '../files/paths.ts'
import { realPlace, stepsBelow } from '../files/real-place.ts'
import { ioError } from '../files/sources.ts'
import type { FileStore } from '../files/store.ts'
import type { CallName } from '../../shared/api/contract.ts'
import type { FolderListing } from '../../shared/api/types/app.ts'
import { pathArguments, valuesAt } from '../../shared/api/paths.ts'
import type { PathRule } from '../../shared/api/paths.ts'
import { NEW_ARCHIVE } from '../../shared/api/types/archive.ts'
import { say } from '../../shared/texts/say.ts'

/** What a host needs of it. */
export interface Leave {
  /** A path that the user chose or gave at the start: what is below it may be read, opened and written. For hosts alone, never for a call. */
  admit(path: string): void
  /** @throws FormatError refused, invalid-argument */
  check(name: CallName, args: unknown): void
}

export interface BoundaryOptions {
  host: 'electron' | 'web'
  stateFolder: string
  store: FileStore
  /** roots of the libraries that are open */
  libraries(): readonly string[]
  /** as the settings have it, '' for none */
  modFolder(): string
  /** roots of libraries that were open */
  recent(): readonly string[]
  /** files on disk that the user gave to models that are open */
  given(): readonly string[]
  /** for tests; the user's own */
  home?: string
  /** for tests; where the system mounts media */
  media?: readonly string[]
}

export class Boundary implements Leave {
  private readonly options: BoundaryOptions
  /** real paths */
  private readonly admitted = new Set<string>()

  constructor(options: BoundaryOptions) {
    this.options = options
  }

  admit(path: string): void {
    try {
      const real = realPlace(path)
      this.admitted.add(real)
      // a file's neighbours are looked for in its folder; a mod package has none
      if (!PACKAGE.test(real) && statSync(real, { throwIfNoEntry: false })?.isFile()) this.admitted.add(dirname(real))
    } catch {
      // a path that leads nowhere is not added to what may be read
    }
  }

  check(name: CallName, args: unknown): void {
    for (const [path, rule] of Object.entries(pathArguments[name] ?? {})) {
      for (const value of valuesAt(args, path.split('.'))) {
        // a mod package as bytes
        if (typeof value === 'string') this.expect(rule, value)
      }
    }
  }

  /** Folders in a folder, or with '' the places that there are. @throws FormatError not-found, io */
  async list(path?: string): Promise<FolderListing> {
    const places = this.places()
    const folder = path === undefined ? (this.home() ?? '') : this.fromHome(path)
    if (folder === '') return { path: '', parent: '', folders: places }
    const real = realPlace(folder)
    const entries = await readdir(real, { withFileTypes: true }).catch((error: unknown) => {
      throw ioError(error, folder)
    })
    const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.')).map((entry) => entry.name)
    return {
      path: real,
      // above a place there is the list of places
      parent: places.includes(real) ? '' : dirname(real),
      folders: folders.sort((a, b) => a.localeCompare(b)),
    }
  }

  /** What the folder list begins with. */
  private places(): string[] {
    const home = this.home()
    return [...new Set([...(home ? [home] : []), ...this.media(), ...this.admitted])]
  }

  /** `~` means the user's home, as in a shell; without a home it is a folder of that name. */
  private fromHome(path: string): string {
    const home = /^~(?=$|[\\/])/.test(path) ? this.home() : undefined
    return home === undefined ? path : join(home, path.slice(1))
  }

  private home(): string | undefined {
    if (this.options.host !== 'web') return undefined
    const home = folderAt(this.options.home ?? homedir())
    // a system service has `/` for its home, which would open the whole disk
    return home === undefined || home === parse(home).root ? undefined : home
  }

  private media(): string[] {
    if (this.options.host !== 'web') return []
    return (this.options.media ?? systemMedia()).flatMap((path) => folderAt(path) ?? [])
  }

  private expect(rule: PathRule, path: string): void {
    if (rule === 'id') {
      const file = path.slice(0, path.lastIndexOf('#'))
      // ids that name no file say nothing of the disk
      return path.includes('#') && isAbsolute(file) ? this.expect('file', file) : undefined
    }
    // one that has no file says nothing of the disk
    if (rule === 'archive') return path === NEW_ARCHIVE ? undefined : this.expect('file', path)
    if (rule === 'list') {
      if (path === '') return
      path = this.fromHome(path)
    }
    if (rule === 'mod-folder' && path === '') return
    if (!this.rules[rule](REFERENCES.has(rule) ? this.realFile(path) : realPlace(path), path))
      throw new FormatError('refused', this.reason(rule, path), { file: path })
  }

  private readonly rules: Record<Exclude<PathRule, 'id' | 'archive'>, (real: string, path: string) => boolean> = {
    file: (real) =>
      this.inLibrary(real) ||
      below(join(this.options.stateFolder, 'slices'), real) ||
      this.options.given().some((file) => sameReal(file, real)),
    folder: (real) => this.inLibrary(real),
    given: (real) => this.isShown(real) || this.inLibrary(real) || (!this.isOwn(real) && this.inArea(real)),
    around: (real, path) => this.rules.given(real, path) || this.options.recent().some((root) => below(root, real)),
    library: (real, path) =>
      this.isShown(real) || (!this.isOwn(real) && (this.inArea(real) || this.inLibrary(real) || this.options.recent().includes(path))),
    known: (real, path) =>
      this.options.recent().includes(path) || [...this.options.libraries(), ...this.options.recent()].some((root) => sameReal(root, real)),
    list: (real) => this.inArea(real) && !this.isOwn(real),
    chosen: (real) => !this.isOwn(real) && (this.inArea(real) || this.inLibrary(real) || this.inModFolder(real)),
    place: (real) => this.inLibrary(real) || this.inModFolder(real) || (!this.isOwn(real) && this.inArea(real, { hidden: false })),
    'mod-folder': (real) => this.inModFolder(real) || (!this.isOwn(real) && this.inArea(real, { hidden: false, itself: false })),
  }

  private reason(rule: PathRule, path: string): string {
    if (rule === 'file' || rule === 'folder') return say('given.inNoLibrary')
    if (rule === 'known') return say('calls.libraryUnknown')
    return this.options.host === 'electron' ? say('given.notChosen', { path }) : say('given.outside', { path })
  }

  private inLibrary(real: string): boolean {
    return this.options.libraries().some((root) => below(root, real))
  }

  private inModFolder(real: string): boolean {
    const folder = this.options.modFolder()
    return folder !== '' && below(folder, real)
  }

  /** Marrow's own files are read and written by Marrow, at no window's word, but for the sample library and copies of dropped files. */
  private isOwn(real: string): boolean {
    return below(this.options.stateFolder, real) && !this.isShown(real)
  }

  private isShown(real: string): boolean {
    return ['sample', 'inbox'].some((name) => below(join(this.options.stateFolder, name), real))
  }

  /**
   * Below what the folder list shows.
   * @param most.hidden whether hidden folders of home and media count: programs read what stands in them
   * @param most.itself whether home or a medium as a whole counts
   */
  private inArea(real: string, { hidden = true, itself = true } = {}): boolean {
    if ([...this.admitted].some((root) => stepsBelow(root, real) !== null)) return true
    const home = this.home()
    return [...(home ? [home] : []), ...this.media()].some((root) => {
      const steps = stepsBelow(root, real)
      if (steps === null || (steps === '' && !itself)) return false
      return hidden || !steps.split(sep).some((step) => step.startsWith('.'))
    })
  }

  /** The file on disk that a reference leads to, or would. */
  private realFile(ref: string): string {
    const { store } = this.options
    // of a file that is gone its folder tells; a member with `..` in its name then leads nowhere
    return realPlace(store.exists(ref) ? store.diskFile(ref) : ref)
  }
}

/** Rules whose paths may lead into archives. */
const REFERENCES: ReadonlySet<PathRule> = new Set(['file', 'given', 'around'])
const PACKAGE = /\.(zip|marrow)$/i

function below(root: string, real: string): boolean {
  try {
    return stepsBelow(realPlace(root), real) !== null
  } catch {
    // the root does not exist any more, so nothing is below it
    return false
  }
}

function sameReal(path: string, real: string): boolean {
  try {
    return realPlace(path) === real
  } catch {
    return false
  }
}

function folderAt(path: string): string | undefined {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? realPlace(path) : undefined
}

/** Where the system shows disks that are put in; drives other than the system's own on Windows. */
function systemMedia(): string[] {
  if (process.platform === 'darwin') return ['/Volumes']
  if (process.platform !== 'win32') return ['/media', '/run/media', '/mnt']
  return otherDrives(`${process.env.SystemDrive ?? 'C:'}\\`)
}
