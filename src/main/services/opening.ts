/** What paths from outside mean: a folder, a file with the folder that its neighbours are looked for in, a mod package, or nothing. */
import { createHash } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { toErrorData } from '../binary/format-error.ts'
import { baseName } from '../../shared/ref.ts'
import { MOD_PACKAGE } from '../../shared/api/desktop.ts'
import type { OpenTarget } from '../../shared/api/desktop.ts'
import type { CallArgs } from '../../shared/api/contract.ts'
import { isInside, realPath } from '../files/store.ts'
import { MANIFEST } from '../workspace/mod-package.ts'
import type { FileStore } from '../files/store.ts'
import type { Libraries } from './libraries.ts'
import type { AppState } from './state.ts'
import { Inbox } from './inbox.ts'
import { say } from '../../shared/texts/say.ts'
import type { PlainKey } from '../../shared/texts/texts.ts'

const ZIP = /\.zip$/i
/** Files of a picture or a scene are dropped on something; by themselves there is nothing to open. */
const PARTS: Readonly<Record<string, PlainKey>> = {
  png: 'given.droppedPicture',
  glb: 'given.droppedScene',
  gltf: 'given.droppedScene',
}
/** Candidates of one name that are compared by their bytes. */
const MOST_ALIKE = 500

export class Opening {
  readonly inbox: Inbox
  private readonly store: FileStore
  private readonly libraries: Libraries
  private readonly state: AppState

  constructor(store: FileStore, libraries: Libraries, state: AppState) {
    this.store = store
    this.libraries = libraries
    this.state = state
    this.inbox = new Inbox(state.folder)
  }

  /** The files that a window copied into the inbox. */
  openInbox(id: string): OpenTarget[] {
    const { root, files } = this.inbox.finish(id)
    const real = realPath(root)
    // several folders, or one: the library shows them
    if (files.length === 0) return [{ kind: 'folder', path: real, root: real }]
    return files.map((path) => this.file(path, realPath(path), real))
  }

  look(path: string): OpenTarget {
    const none = (message: string): OpenTarget => ({ kind: 'none', path, message })
    if (!isAbsolute(path)) return none(say('calls.wholeFilePath'))
    try {
      const real = realPath(path)
      const stat = statSync(real)
      if (stat.isDirectory()) return { kind: 'folder', path, root: real }
      if (!stat.isFile()) return none(say('given.neither'))
      return this.file(path, real)
    } catch (error) {
      return none(toErrorData(error).message)
    }
  }

  /** Of a file, or a member, that no open library holds, the folder to open for it; else ''. @throws FormatError not-found, io */
  around(ref: string): string {
    const disk = realPath(this.store.diskFile(ref))
    return this.libraries.holding(disk) ? '' : this.folderAround(disk)
  }

  private file(path: string, real: string, root?: string): OpenTarget {
    const name = basename(real)
    const none = (message: string): OpenTarget => ({ kind: 'none', path, message: say('given.named', { name, why: message }) })
    try {
      if (MOD_PACKAGE.test(name) || this.isPackage(name, real)) return { kind: 'package', path: real }
      const part = PARTS[name.slice(name.lastIndexOf('.') + 1).toLowerCase()]
      if (part) return none(say(part))
      const found = this.store.identify(real)
      const archive = found ? this.store.openArchive(real) !== undefined : false
      if (!found) return none(say('given.unknown'))
      const around = root ?? this.folderAround(real)
      return { kind: 'file', path, root: around, ref: real, archive, scan: isWorthAScan(around) }
    } catch (error) {
      return none(toErrorData(error).message)
    }
  }

  /** Mods come as zips of any kind: one that Marrow made says so inside, whatever it is called. */
  private isPackage(name: string, real: string): boolean {
    return ZIP.test(name) && this.store.members(real).byKey(MANIFEST) !== undefined
  }

  /** The library that a file stands in, open or among the recent ones; else the folder around it. */
  private folderAround(real: string): string {
    const open = this.libraries.holding(real)
    if (open) return open.root
    const known = this.state.recent
      .map(({ root }) => root)
      .filter((root) => isInside(root, real) && existsSync(root))
      .sort((a, b) => b.length - a.length)[0]
    return known ?? dirname(real)
  }

  /** The file of an open library that has this name and these bytes. */
  match({ name, size, sha256 }: CallArgs<'open.match'>['files'][number]): OpenTarget | null {
    for (const { root, index } of this.libraries.all()) {
      const { rows } = index.query({ show: 'files', text: name, sort: 'name', offset: 0, limit: MOST_ALIKE })
      for (const { ref, size: its } of rows) {
        if (its !== size || baseName(ref).toLowerCase() !== name.toLowerCase()) continue
        try {
          if (createHash('sha256').update(this.store.read(ref)).digest('hex') !== sha256) continue
          return { kind: 'file', path: ref, root, ref, archive: this.store.openArchive(ref) !== undefined, scan: true }
        } catch {
          // the file is gone since the scan
        }
      }
    }
    return null
  }
}

/** Not the whole disk, the home folder, or where downloads of every kind lie: those are not walked through unasked. */
function isWorthAScan(root: string, home = homedir()): boolean {
  let real = home
  try {
    real = realPath(home)
  } catch {
    // a user without a home folder
  }
  const common = ['Desktop', 'Downloads', 'Documents'].map((name) => join(real, name))
  return !isInside(root, real) && !common.includes(root) && dirname(root) !== root
}
