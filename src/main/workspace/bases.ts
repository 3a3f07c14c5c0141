/**
 * What the files of a mod folder were made from: per file (or member of an archive) the game's bytes at its first save,
 * so that an update of the game under the mod can be told, shown and merged.
 *
 *   bases/content/<hash>       the game's bytes, each content once
 *   bases/<hash of the target>.json
 */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { FormatError } from '../binary/format-error.ts'
import { replaceFile, writeAll } from './atomic.ts'
import { sha256 } from './originals.ts'

export interface Base {
  version: 1
  /** file or member in the mod folder */
  target: string
  /** the game's own */
  ref: string
  hash: string
  size: number
}

export class Bases {
  private readonly folder: string
  private entries: Map<string, Base> | undefined

  constructor(stateFolder: string) {
    this.folder = join(stateFolder, 'bases')
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
    await mkdir(join(this.folder, 'content'), { recursive: true })
    if (!this.holds(base)) await replaceFile(this.content(base), (handle) => writeAll(handle, bytes))
    await replaceFile(join(this.folder, `${sha256(Buffer.from(target))}.json`), (handle) =>
      writeAll(handle, Buffer.from(JSON.stringify(base))),
    )
    this.all().set(target, base)
  }

  /** @throws FormatError io when the kept bytes are damaged or gone */
  bytes(base: Base): Uint8Array {
    if (!this.holds(base)) throw new FormatError('io', 'the bytes that this file was made from are not kept any more', { file: base.ref })
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
    return join(this.folder, 'content', base.hash)
  }

  private all(): Map<string, Base> {
    if (this.entries) return this.entries
    this.entries = new Map()
    mkdirSync(this.folder, { recursive: true })
    for (const name of readdirSync(this.folder)) {
      if (!name.endsWith('.json')) continue
      try {
        const base = JSON.parse(readFileSync(join(this.folder, name), 'utf8')) as Base
        if (base.version === 1 && typeof base.target === 'string' && typeof base.ref === 'string' && /^[0-9a-f]{64}$/.test(base.hash))
          this.entries.set(base.target, base)
      } catch {
        // a damaged one tells nothing; its file is told of again from the next save on
      }
    }
    return this.entries
  }
}
