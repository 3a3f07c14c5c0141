/**
 * Which files were changed by one edit. Half of such a change is a broken model: a pivot that moved without the skins that
 * hang on it. So what was changed together is shown, saved and given away together, whichever of its files is asked about,
 * also after a restart.
 *
 *   changes/<hash of the files>.json
 */
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile, writeAll } from './atomic.ts'
import { sha256 } from './originals.ts'

export class ChangeLinks {
  private readonly folder: string
  private read: { stamp: number; groups: string[][] } | undefined

  constructor(stateFolder: string) {
    this.folder = join(stateFolder, 'changes')
  }

  /** Remembers that these files were changed together. */
  async add(refs: Iterable<string>): Promise<void> {
    const group = [...new Set(refs)].sort()
    if (group.length < 2) return
    const path = join(this.folder, `${sha256(Buffer.from(group.join('\n')))}.json`)
    if (statSync(path, { throwIfNoEntry: false })) return
    mkdirSync(this.folder, { recursive: true })
    await replaceFile(path, (handle) => writeAll(handle, Buffer.from(JSON.stringify({ version: 1, files: group }))))
    this.read = undefined
  }

  /** All groups that were ever remembered. A damaged one counts as none. */
  groups(): readonly string[][] {
    const stamp = statSync(this.folder, { throwIfNoEntry: false })?.mtimeMs
    if (stamp === undefined) return []
    if (this.read?.stamp === stamp) return this.read.groups
    const groups: string[][] = []
    for (const name of readdirSync(this.folder)) {
      if (!/^[0-9a-f]{64}\.json$/.test(name)) continue
      try {
        const { version, files } = JSON.parse(readFileSync(join(this.folder, name), 'utf8')) as { version: number; files: unknown }
        if (version === 1 && Array.isArray(files) && files.every((file) => typeof file === 'string')) groups.push(files)
      } catch {
        // what is not known to belong together is saved and given away by itself
      }
    }
    this.read = { stamp, groups }
    return groups
  }
}

/** `refs`, and whatever was changed together with one of them or with what came that way. */
export function changedTogether(refs: readonly string[], groups: Iterable<Iterable<string>>): string[] {
  const all = new Set(refs)
  const left = [...groups].map((group) => [...group])
  for (let grew = true; grew;) {
    grew = false
    for (let i = left.length - 1; i >= 0; i--) {
      if (!left[i].some((ref) => all.has(ref))) continue
      for (const ref of left.splice(i, 1)[0]) all.add(ref)
      grew = true
    }
  }
  return [...all]
}
