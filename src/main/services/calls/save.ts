/** Saving, and originals brought back. */
import { rm } from 'node:fs/promises'
import { FormatError } from '../../binary/format-error.ts'
import { realPlace } from '../../files/real-place.ts'
import { freeAt } from '../../files/room.ts'
import { ioError } from '../../files/sources.ts'
import { copyBegun } from '../../workspace/large-copy.ts'
import { begunAt, outOf } from '../copy-place.ts'
import { savingTold } from '../saving-told.ts'
import type { CopyPlan, SaveResult } from '../../../shared/api/types/save.ts'
import type { ImageWatch } from '../../workspace/image-edits.ts'
import type { CallContext, HandlersOf } from './context.ts'
import { say } from '../../../shared/texts/say.ts'

export function saveCalls({ workspace, models, pictures, announce, emit }: CallContext): HandlersOf<'save'> {
  const watch = (signal: AbortSignal): ImageWatch => ({ signal, onProgress: savingTold(emit) })
  const written = (ids: readonly string[], done: SaveResult): SaveResult => {
    if (done.saved.length > 0) for (const id of ids) pictures.forget(workspace.model(id).binding.primary)
    return done
  }
  /** Where a copy is written: the place that the user gave, else that of the mod folder. */
  const placeOf = (ids: readonly string[], folder?: string, name?: string): { target: string; out: string; plan: CopyPlan['plan'] } => {
    const { target, ...plan } = workspace.planCopy(ids)
    const given = target === '' ? outOf(folder, name) : ''
    const out = given && realPlace(given)
    return { target: target || out, out, plan: { ...plan, placed: target === '' } }
  }

  return {
    'save.plan': ({ model }) => workspace.plan(model),
    'save.write': async ({ model, ...leave }, { signal }) => written([model], await workspace.save(model, leave, watch(signal))),
    'save.copyPlan': async ({ models: ids, folder, name }) => {
      const { target, plan } = placeOf(ids, folder, name)
      return { plan, target, free: target ? await freeAt(target) : -1, begun: target ? await begunAt(target) : 0 }
    },
    'save.copy': async ({ models: ids, folder, name }, { signal }) => {
      const { target, out } = placeOf(ids, folder, name)
      if (target === '') throw new FormatError('invalid-argument', say('calls.wholeFolderPath'))
      return written(ids, await workspace.saveCopy(ids, out, watch(signal)))
    },
    'save.dropCopy': async ({ models: ids, folder, name }) => {
      const { target } = placeOf(ids, folder, name)
      await rm(copyBegun(target), { force: true }).catch((error: unknown) => {
        throw ioError(error, target)
      })
      return null
    },
    'save.originals': ({ model }) => workspace.keptOriginals(model),
    'save.restore': async ({ model, ref, replaceReadOnly }) => {
      const open = workspace.model(model)
      await workspace.restore(model, open.member(ref), { replaceReadOnly })
      announce(open)
      return models.opened(open)
    },
  }
}
