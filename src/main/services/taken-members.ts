/** Members of archives as files of a folder that nobody else reads: for whoever carries them out of the window, until Marrow ends. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { zip } from 'fflate'
import { FormatError } from '../binary/format-error.ts'
import { MOST_CARRIED } from '../../shared/api/types/archive.ts'
import { extractArchive } from '../workspace/archive-extract.ts'
import { withoutExtension } from '../../shared/ref.ts'
import type { AsyncZippable } from 'fflate'
import type { FileStore } from '../files/store.ts'
import { say } from '../../shared/texts/say.ts'

const zipped = promisify<AsyncZippable, { level: 0 }, Uint8Array<ArrayBuffer>>(zip)

export class TakenMembers {
  private readonly store: FileStore
  private readonly folders = new Set<string>()

  constructor(store: FileStore) {
    this.store = store
  }

  /** @returns files that stay until `close`: whoever they are dropped on copies them at leisure @throws FormatError refused for too much */
  async files(archive: string, names: readonly string[], signal: AbortSignal): Promise<string[]> {
    const members = this.store.members(archive)
    const bytes = names.reduce((sum, name) => sum + (members.byKey(name)?.size ?? 0), 0)
    if (names.length > MOST_CARRIED.files || bytes > MOST_CARRIED.bytes)
      throw new FormatError('refused', say('archiveEdits.tooMuchCarried', MOST_CARRIED), { file: archive })
    // closed to other users by mkdtemp
    const folder = mkdtempSync(join(tmpdir(), 'marrow-taken-'))
    this.folders.add(folder)
    const { files, failures } = await extractArchive(this.store, archive, names, { out: folder, force: false, signal })
    if (failures.length > 0) throw new FormatError('io', failures[0].message, { file: failures[0].path })
    return files.map(({ file }) => file)
  }

  /** One member as its bytes, several as a zip of them. @throws FormatError refused for too much */
  async download(archive: string, names: readonly string[], signal: AbortSignal): Promise<{ name: string; bytes: Uint8Array }> {
    const files = await this.files(archive, names, signal)
    const folder = [...this.folders].at(-1)!
    try {
      if (files.length === 1) return { name: basename(files[0]), bytes: new Uint8Array(readFileSync(files[0])) }
      const entries = files.map((file) => [relative(folder, file).split(sep).join('/'), new Uint8Array(readFileSync(file))] as const)
      const bytes = await zipped(Object.fromEntries(entries), { level: 0 })
      return { name: `${withoutExtension(this.store.nameOf(archive))}.zip`, bytes }
    } finally {
      this.remove(folder)
    }
  }

  close(): void {
    for (const folder of this.folders) this.remove(folder)
  }

  private remove(folder: string): void {
    this.folders.delete(folder)
    rmSync(folder, { recursive: true, force: true })
  }
}
