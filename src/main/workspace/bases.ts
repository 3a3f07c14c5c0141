/**
 * What the files of a mod folder were made from: per file (or member of an archive) the game's bytes at its first save,
 * so that an update of the game under the mod can be told, shown and merged.
 *
 *   bases/content/<hash>       the game's bytes, each content once
 *   bases/<hash of the target>.json
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { FormatError } from '../binary/format-error.ts'
import { replaceFile, writeAll } from './atomic.ts'
import { sha256 } from './originals.ts'
import { PRIVATE_FILE } from './state-files.ts'
import type { StateFiles, StateKind } from './state-files.ts'
import { say } from '../../shared/texts/say.ts'

export interface Base {
  version: 1
  /** file or member in the mod folder */
  target: string
  /** the game's own */
  ref: string
  hash: string
  size: number
}

const FOLDER = 'bases'

/** @param id of the record's file: it names the target once more */
function baseKind(id: string): StateKind<Base> {
  return {
    name: 'base',
    version: 1,
    label: 'originals.kinds.base',
    parse: (value) => {
      const { version, target, ref, hash, size } = (value ?? {}) as Partial<Base>
      const fine =
        version === 1 &&
        typeof target === 'string' &&
        idOf(target) === id &&
        typeof ref === 'string' &&
        /^[0-9a-f]{64}$/.test(String(hash)) &&
        typeof size === 'number'
      return fine ? (value as Base) : undefined
    },
  }
}

function idOf(target: string): string {
  return sha256(Buffer.from(target))
}

export class Bases {
  private readonly state: StateFiles
  private entries: Map<string, Base> | undefined

  constructor(state: StateFiles) {
    this.state = state
  }

  of(target: string): Base | undefined {
    return this.all().get(target)
  }

  list(): Base[] {
    return [...this.all().values()]
  }

  /** On disk when it resolves. */
  async put(target: string, ref: string, bytes: Uint8Array): Promise<void> {
    const base: Base = { version: 1, target, ref, hash: sha256(bytes), size: bytes.length }
    this.state.make(FOLDER, 'content')
    if (!this.holds(base)) {
      if (existsSync(this.content(base))) this.state.setAside(join(FOLDER, 'content', base.hash))
      await replaceFile(this.content(base), async (handle) => {
        await handle.chmod(PRIVATE_FILE)
        await writeAll(handle, bytes)
      })
    }
    const id = idOf(target)
    await this.state.write(join(FOLDER, `${id}.json`), base, baseKind(id))
    this.all().set(target, base)
  }

  /** @throws FormatError io when the kept bytes are damaged or gone */
  bytes(base: Base): Uint8Array {
    if (!this.holds(base)) throw new FormatError('io', say('saving.baseNotKept'), { file: base.ref })
    return new Uint8Array(readFileSync(this.content(base)))
  }

  private holds(base: Base): boolean {
    try {
      return sha256(readFileSync(this.content(base))) === base.hash
    } catch {
      return false
    }
  }

  private content(base: Base): string {
    return join(this.state.root, FOLDER, 'content', base.hash)
  }

  private all(): Map<string, Base> {
    if (this.entries) return this.entries
    this.entries = new Map()
    this.state.sweep(FOLDER)
    this.state.sweep(join(FOLDER, 'content'))
    for (const name of this.state.list(FOLDER, /^[0-9a-f]{64}\.json$/)) {
      // a damaged one was said; its file is told of again from the next save on
      const read = this.state.read(join(FOLDER, name), baseKind(name.slice(0, 64)))
      if (read.state === 'good') this.entries.set(read.value.target, read.value)
    }
    return this.entries
  }
}
