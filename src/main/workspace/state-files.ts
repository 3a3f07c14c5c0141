/**
 * Marrow's own small files (settings, choices, records of originals): one way to read and write them all. Each is two
 * lines, a header with a checksum and the value as JSON, written whole and atomically, with a second copy beside it, so
 * that one damaged file loses nothing. What is damaged is moved aside, never deleted, and said once.
 *
 *   name.json           {"marrow":"settings","version":1,"sha256":"..."}\n{...}\n
 *   name.json.copy      the same, written after the first is on disk
 *   name.json.damaged-<time>-<random>
 *
 * The folder is its user's alone. Files of earlier versions are one JSON value without a checksum; they are read and become of
 * this form when they are written next.
 */
import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, unlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { ioError } from '../files/sources.ts'
import { sweepFolder } from '../files/temporaries.ts'
import { replaceFile, replaceFileSync, writeAll } from './atomic.ts'
import { say } from '../../shared/texts/say.ts'
import type { FormatError } from '../binary/format-error.ts'
import type { PlainKey } from '../../shared/texts/texts.ts'

export const PRIVATE_FOLDER = 0o700
export const PRIVATE_FILE = 0o600
const COPY = '.copy'
const DAMAGED = '.damaged-'
/** What a write that was killed left behind is swept once nobody can be at it any more. */
const STALE_MS = 10 * 60_000
const MOST_BYTES = 32 * 2 ** 20

/** One file of state that was found damaged, in words for the user. */
export interface StateDamage {
  /** the file that was damaged */
  file: string
  /** where it is kept now, '' when it could not be moved */
  kept: string
  /** the copy beside it was whole, or what it said was found elsewhere: nothing is lost */
  restored: boolean
  message: string
}

export interface StateKind<T> {
  /** stands in the header: a file of another kind in this place is no such file */
  name: string
  version: number
  /** what the file is called when it is damaged: "The settings" */
  label: PlainKey
  /** undefined where the value is none of this kind; plain JSON of earlier versions goes through it, too */
  parse(value: unknown): T | undefined
}

export type StateRead<T> =
  | { state: 'good'; value: T }
  | { state: 'missing' }
  /** neither file is whole; their texts, for whoever can make something of them */
  | { state: 'damaged'; texts: string[] }
  /** the system does not let it be read: what is in it nobody knows, and it stays as it is */
  | { state: 'closed'; error: FormatError }

/** The folder of one installation, or a part of it that one object looks after. */
export class StateFiles {
  readonly root: string
  private readonly repair: boolean
  private readonly found: StateDamage[] = []
  private listener: ((damage: StateDamage) => void) | undefined
  private saidClosed = false

  /** @param options.repair false for a reader beside the one that looks after the folder: it moves nothing and says nothing */
  constructor(root: string, options: { repair?: boolean } = {}) {
    this.root = root
    this.repair = options.repair ?? true
  }

  /** Told of damage from now on, and of what was found until now. */
  onDamage(listener: (damage: StateDamage) => void): void {
    this.listener = listener
    for (const damage of this.found.splice(0)) listener(damage)
  }

  report(damage: StateDamage): void {
    if (this.listener) this.listener(damage)
    else this.found.push(damage)
  }

  /** Makes a folder below the root that only its user can look into; so is the root then. */
  make(...parts: string[]): string {
    const folder = join(this.root, ...parts)
    makePrivateFolder(this.root)
    mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER })
    return folder
  }

  /** @param path relative to the root */
  read<T>(path: string, kind: StateKind<T>): StateRead<T> {
    const file = join(this.root, path)
    const current = readOne(file, kind)
    if (current.state === 'good') return current
    const copy = readOne(file + COPY, kind)
    if (current.state === 'closed' || copy.state === 'closed') {
      this.sayClosed()
      return copy.state === 'good' ? copy : current.state === 'closed' ? current : copy
    }
    if (current.state === 'missing' && copy.state === 'missing') return current
    const texts = [current, copy].flatMap((read) => (read.state === 'damaged' ? read.texts : []))
    if (!this.repair) return copy.state === 'good' ? copy : { state: 'damaged', texts }
    const restored = copy.state === 'good'
    const kept = current.state === 'damaged' ? this.setAside(path) : ''
    if (copy.state === 'damaged') this.setAside(path + COPY)
    if (restored) {
      // the next read is of a whole file again; where that cannot be written, the copy goes on serving
      try {
        this.writeOne(file, seal(copy.value, kind))
      } catch {
        // a disk that is full
      }
    }
    const missing = current.state === 'missing'
    const what = say(kind.label)
    this.report({
      file,
      kept,
      restored,
      message: restored
        ? say(missing ? 'originals.missingRestored' : 'originals.damagedRestored', { what })
        : say(missing ? 'originals.missingLost' : 'originals.damagedLost', { what }),
    })
    return restored ? copy : { state: 'damaged', texts }
  }

  /** One folder is closed, not each file in it. */
  private sayClosed(): void {
    if (!this.repair || this.saidClosed) return
    this.saidClosed = true
    this.report({ file: this.root, kept: '', restored: false, message: say('originals.noRight', { folder: this.root }) })
  }

  /** The value of a file that somebody else looks after; nothing is moved or said. */
  peek<T>(path: string, kind: StateKind<T>): T | undefined {
    const read = readOne(join(this.root, path), kind)
    return read.state === 'good' ? read.value : undefined
  }

  /** On disk when it returns. @throws FormatError io */
  writeSync<T>(path: string, value: T, kind: StateKind<T>): void {
    const file = this.prepareWrite(path, kind)
    const text = seal(value, kind)
    try {
      this.writeOne(file, text)
    } catch (error) {
      throw ioError(error, file)
    }
    this.writeCopy(file, text)
  }

  /** On disk when it resolves. @throws FormatError io */
  async write<T>(path: string, value: T, kind: StateKind<T>): Promise<void> {
    const file = this.prepareWrite(path, kind)
    const text = seal(value, kind)
    await replaceFile(file, async (handle) => {
      await handle.chmod(PRIVATE_FILE)
      await writeAll(handle, Buffer.from(text))
    })
    this.writeCopy(file, text)
  }

  remove(path: string): void {
    for (const tail of [COPY, '']) rmSync(join(this.root, path) + tail, { force: true })
  }

  /** Names of the state files in a folder: no copies, no temporaries, nothing that was moved aside. */
  list(folder: string, name: RegExp): string[] {
    const names = namesIn(join(this.root, folder))
    return [...new Set(names.map((n) => (n.endsWith(COPY) ? n.slice(0, -COPY.length) : n)))].filter((n) => name.test(n)).sort()
  }

  /** Moves a file or folder aside under a name that nothing reads. @returns where it is now, '' when that failed */
  setAside(path: string): string {
    const file = join(this.root, path)
    const kept = `${file}${DAMAGED}${Date.now().toString(36)}-${randomBytes(3).toString('hex')}`
    try {
      renameSync(file, kept)
      return kept
    } catch {
      return ''
    }
  }

  /** Removes what writes that were killed left in a folder of state files. */
  sweep(folder: string): void {
    const whole = join(this.root, folder)
    sweepFolder(whole)
    // those of earlier versions, whose names say no owner
    for (const name of namesIn(whole)) {
      if (!isTemporary(name)) continue
      try {
        if (Date.now() - statSync(join(whole, name)).mtimeMs > STALE_MS) unlinkSync(join(whole, name))
      } catch {
        // another run was first
      }
    }
  }

  /** The same in every folder of state files, also in those that nothing is written into any more. */
  sweepAll(): void {
    const below = (folder: string): string[] =>
      readdirSync(join(this.root, folder), { withFileTypes: true }).flatMap((entry) =>
        entry.isDirectory() ? [join(folder, entry.name)] : [],
      )
    try {
      for (const folder of ['', ...below('')]) {
        this.sweep(folder)
        if (folder !== '') for (const inner of below(folder)) this.sweep(inner)
      }
    } catch {
      // a folder is gone or does not exist yet: the next start sweeps again
    }
  }

  /** A damaged file is not written over: it may hold what somebody can still make something of. */
  private prepareWrite<T>(path: string, kind: StateKind<T>): string {
    const file = join(this.root, path)
    try {
      this.make(dirname(path))
    } catch (error) {
      throw ioError(error, file)
    }
    const there = readOne(file, kind)
    if (there.state === 'closed') throw there.error
    if (there.state === 'damaged') this.setAside(path)
    return file
  }

  private writeOne(file: string, text: string): void {
    replaceFileSync(file, text, { mode: PRIVATE_FILE })
  }

  /** The state counts as written without it; it is on disk some time later. */
  private writeCopy(file: string, text: string): void {
    try {
      replaceFileSync(file + COPY, text, { mode: PRIVATE_FILE, flush: false })
    } catch (error) {
      this.report({
        file: file + COPY,
        kept: '',
        restored: true,
        message: say('originals.copyNotWritten', { file: relative(this.root, file), why: ioError(error, file + COPY).message }),
      })
    }
  }
}

/** A folder that only its user can look into, as far as the system knows such. @throws what the system says */
function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER })
  // one that an earlier version made is closed, too; Windows keeps folders of the user's profile to the user
  if (process.platform !== 'win32' && statSync(folder).mode & 0o077) chmodSync(folder, PRIVATE_FOLDER)
}

/** Whether a name in the state folder is one of a write that has not ended. */
function isTemporary(name: string): boolean {
  return name.includes('.marrow-tmp') || /\.(?:json|copy)\.\d+$/.test(name)
}

function seal<T>(value: T, kind: StateKind<T>): string {
  const body = JSON.stringify(value)
  return `${JSON.stringify({ marrow: kind.name, version: kind.version, sha256: sumOf(kind.name, kind.version, body) })}\n${body}\n`
}

function sumOf(name: string, version: number, body: string): string {
  return createHash('sha256').update(`${name}\n${version}\n${body}`).digest('hex')
}

function readOne<T>(file: string, kind: StateKind<T>): StateRead<T> {
  let text: string
  try {
    if (statSync(file).size > MOST_BYTES) return { state: 'damaged', texts: [] }
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (['EACCES', 'EPERM'].includes((error as { code?: string }).code ?? '')) return { state: 'closed', error: ioError(error, file) }
    // what cannot be read now (a folder in its place) is not gone
    return existsSync(file) ? { state: 'damaged', texts: [] } : { state: 'missing' }
  }
  const value = unseal(text, kind)
  return value === undefined ? { state: 'damaged', texts: [text] } : { state: 'good', value }
}

function unseal<T>(text: string, kind: StateKind<T>): T | undefined {
  const end = text.indexOf('\n')
  const head =
    end < 0 ? undefined : (parseJson(text.slice(0, end)) as { marrow?: unknown; version?: unknown; sha256?: unknown } | undefined)
  const body = text.slice(end + 1, -1)
  if (
    head?.marrow === kind.name &&
    head.version === kind.version &&
    text.endsWith('\n') &&
    head.sha256 === sumOf(kind.name, kind.version, body)
  )
    return parsed(parseJson(body), kind)
  // two lines are no JSON value: a damaged file of this form never passes for one of an earlier version
  const plain = parseJson(text)
  return plain === undefined || (typeof plain === 'object' && plain !== null && 'marrow' in plain) ? undefined : parsed(plain, kind)
}

/** A value may be anything before it was looked at. */
function parsed<T>(value: unknown, kind: StateKind<T>): T | undefined {
  try {
    return kind.parse(value)
  } catch {
    return undefined
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
