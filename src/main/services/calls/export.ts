/** Models and whole libraries as glTF, and textures as PNG. */
import { FormatError } from '../../binary/format-error.ts'
import type { BatchFailure, BatchProgress } from '../../../shared/api/types/export.ts'
import { checkFolder } from '../libraries.ts'
import type { ExportJob } from '../model-jobs.ts'
import { knownFamily } from './checks.ts'
import type { CallContext, HandlersOf } from './context.ts'
import { say } from '../../../shared/texts/say.ts'

export function exportCalls({ store, libraries, workspace, runners, emit }: CallContext): HandlersOf<'export'> {
  /** exports of many that run, by library */
  const exporting = new Map<string, AbortController>()

  return {
    'export.batch': async ({ library, filter, refs, to, folder, layout, existing, parts }, { signal }) => {
      knownFamily(store.registry, filter.family)
      const { id, root } = libraries.get(library)
      if (exporting.has(id)) throw new FormatError('invalid-argument', say('calls.exporting'), { file: root })
      const real = checkFolder(folder)
      const stop = new AbortController()
      exporting.set(id, stop)
      const started = Date.now()
      let seen: Omit<BatchProgress, 'library'> = { done: 0, total: 0, current: '', failures: [] }
      const failures: BatchFailure[] = []
      const onProgress = (progress: Omit<BatchProgress, 'library'>): void => {
        seen = progress
        failures.push(...progress.failures)
        emit('export.progress', { ...progress, library: id })
      }
      try {
        // beside the game's files nothing is replaced that Marrow did not read
        const job: ExportJob = {
          kind: 'export',
          root,
          filter,
          refs,
          to,
          folder: real,
          layout,
          parts,
          existing: libraries.holding(real) ? 'skip' : existing,
        }
        return await runners.exports.run(job, { signal: AbortSignal.any([signal, stop.signal]), onProgress })
      } catch (error) {
        if (!stop.signal.aborted) throw error
        // one model took too long to wait for: what is known of those before it
        return {
          total: seen.total,
          exported: seen.done - failures.length,
          skipped: 0,
          files: 0,
          failures,
          left: [],
          folder: real,
          seconds: (Date.now() - started) / 1000,
          cancelled: true,
        }
      } finally {
        exporting.delete(id)
      }
    },
    'export.batchStop': ({ library }) => {
      exporting.get(libraries.get(library).id)?.abort()
      return null
    },
    'export.model': async ({ model, to, folder, parts }) => {
      const open = workspace.model(model)
      const real = checkFolder(folder)
      // loaded when it is needed: most runs never export
      const { exportScene } = await import('../../interchange/export-model.ts')
      const { files, left } = await exportScene(open.assembled.scene, {
        to,
        folder: real,
        name: open.binding.name,
        parts,
        // beside the game's files nothing is replaced that Marrow did not read
        overwrite: libraries.holding(real) === undefined,
      })
      return left.length > 0 ? { files, left } : { files }
    },
  }
}
