/**
 * Which files were changed by one edit. Half of such a change is a broken model: a pivot that moved without the skins that
 * hang on it. So what was changed together is shown, saved and given away together, whichever of its files is asked about,
 * also after a restart.
 *
 *   changes/<hash of the files>.json
 */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from './originals.ts'
import type { StateFiles, StateKind } from './state-files.ts'

const FOLDER = 'changes'
const NAME = /^[0-9a-f]{64}\.json$/
const groupKind: StateKind<string[]> = {
  name: 'changed-together',
  version: 1,
  label: 'originals.kinds.links',
  parse: (value) => (Array.isArray(value) && value.every((file) => typeof file === 'string') ? value : undefined),
}

export class ChangeLinks {
  private readonly state: StateFiles
  private known: { stamp: number; groups: string[][] } | undefined

  constructor(state: StateFiles) {
    this.state = state
  }

  /** Remembers that these files were changed together. */
  async add(refs: Iterable<string>): Promise<void> {
    const group = [...new Set(refs)].sort()
    if (group.length < 2) return
    const path = `${FOLDER}/${sha256(Buffer.from(group.join('\n')))}.json`
    if (existsSync(join(this.state.root, path))) return
    await this.state.write(path, group, groupKind)
    this.known = undefined
  }

  /** All groups that were ever remembered. One that is damaged, with its copy, counts as none: its files go by themselves. */
  groups(): readonly string[][] {
    const stamp = statSync(join(this.state.root, FOLDER), { throwIfNoEntry: false })?.mtimeMs
    if (stamp === undefined) return []
    if (this.known?.stamp === stamp) return this.known.groups
    const groups = this.state.list(FOLDER, NAME).flatMap((name) => {
      const read = this.state.read(`${FOLDER}/${name}`, groupKind)
      return read.state === 'good' ? [read.value] : []
    })
    this.known = { stamp, groups }
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
