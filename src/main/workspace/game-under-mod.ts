/** The game under a mod folder: which of its files were updated since the mod was made from them, and the mod's edits moved onto those. */
import { existsSync } from 'node:fs'
import { FormatError } from '../binary/format-error.ts'
import { isInside } from '../files/store.ts'
import { baseName } from '../../shared/ref.ts'
import type { Base, Bases } from './bases.ts'
import type { OpenFile } from './document-store.ts'
import { mergeEdits } from './merge.ts'
import type { Merged } from './merge.ts'
import type { OpenModels } from './open-models.ts'
import { sha256 } from './originals.ts'
import { diff, isEmpty } from './patch.ts'
import { modCopyFor } from './mod-copies.ts'
import type { SaveTarget } from './mod-copies.ts'
import type { Steps } from './steps.ts'
import { say } from '../../shared/texts/say.ts'

export class GameUnderMod {
  private readonly models: OpenModels
  private readonly steps: Steps
  private readonly bases: Bases
  /** hashes of the game's files under a mod, as they were last seen */
  private readonly seen = new Map<string, { size: number; mtimeMs: number; hash: string }>()

  constructor(models: OpenModels, steps: Steps, bases: Bases) {
    this.models = models
    this.steps = steps
    this.bases = bases
  }

  /** A file of the mod is made from the game's of its first save, or of the update that its edits were moved onto. */
  async noteBase(file: OpenFile, target: SaveTarget, fresh: boolean): Promise<void> {
    // one that edits made is made from none of the game's
    if (target.ref === file.ref || !this.models.files.exists(file.ref)) return
    const { rebased } = file
    const moved = rebased && this.models.list().some((model) => model.history.undoable.includes(rebased.step))
    if (!moved && !fresh && this.bases.of(target.ref)) return
    file.rebased = undefined
    await this.bases.put(target.ref, file.ref, moved ? rebased.game : this.models.files.read(file.ref))
  }

  /** Files of the mod folder whose game file is not the one that they were made from. Read again only when size or time differ. */
  updates(root: string): { base: Base; sizeNow: number }[] {
    const found: { base: Base; sizeNow: number }[] = []
    for (const base of this.bases.list()) {
      if (!isInside(root, base.ref)) continue
      try {
        const place = this.models.place(base.ref)
        if (place.mode !== 'mod-folder' || modCopyFor(this.models.files, base.ref, place) !== base.target) continue
        const { size, mtimeMs } = this.models.files.stat(base.ref)
        let seen = this.seen.get(base.ref)
        if (seen?.size !== size || seen.mtimeMs !== mtimeMs)
          this.seen.set(base.ref, (seen = { size, mtimeMs, hash: sha256(this.models.files.read(base.ref)) }))
        if (seen.hash !== base.hash) found.push({ base, sizeNow: size })
      } catch {
        if (existsSync(root)) found.push({ base, sizeNow: -1 })
      }
    }
    return found
  }

  /** The mod's files stay, and count as made from the game's as they are now. */
  async keepMod(root: string, refs: readonly string[]): Promise<void> {
    for (const { base } of this.updates(root))
      if (refs.includes(base.ref) && this.models.files.exists(base.ref))
        await this.bases.put(base.target, base.ref, this.models.files.read(base.ref))
  }

  /** @throws FormatError not-found for a file that was not updated */
  compare(id: string, ref: string): Merged {
    const file = this.models.model(id).file(ref)
    const base = this.bases.of(file.source)
    if (!base || file.source === ref) throw new FormatError('not-found', say('saving.noUpdate'), { file: ref })
    return mergeEdits(file.format, ref, this.bases.bytes(base), this.models.files.read(ref), file.bytes)
  }

  /**
   * The mod's edits on the game's file of now, as one undoable step; once it is saved, that is what the file is made from.
   * @throws FormatError invalid-edit where both changed a place and `conflicts` does not say that the game's counts
   */
  rebase(id: string, ref: string, conflicts?: 'game'): Promise<void> {
    return this.models.exclusive(async () => {
      const model = this.models.model(id)
      const merged = this.compare(id, ref)
      const file = model.writable(ref)
      if (merged.conflicts.length > 0 && conflicts !== 'game')
        throw new FormatError(
          'invalid-edit',
          merged.conflicts.length > 1
            ? say('saving.updateConflicts', { path: merged.conflicts[0].path, count: merged.conflicts.length - 1 })
            : say('saving.updateConflict', { path: merged.conflicts[0].path }),
          { file: ref, path: merged.conflicts[0].path },
        )
      const stored = this.models.documents.asStored(file, merged)
      const patch = diff(file.bytes, stored.bytes)
      const game = this.models.files.read(ref)
      if (isEmpty(patch)) {
        // all of the update is in the mod already
        await this.bases.put(file.source, ref, game)
        return
      }
      await this.steps.commit(model, [{ file, patch, ...stored, state: this.models.documents.nextState() }], {
        kind: 'edit',
        label: say('steps.moveOntoUpdate', { file: baseName(ref) }),
      })
      file.rebased = { step: model.history.undoable.at(-1)!, game }
    })
  }
}
