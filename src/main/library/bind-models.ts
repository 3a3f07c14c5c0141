/** Puts what is in the index together to models: folder by folder, each by its family's binder. */
import { toErrorData } from '../binary/format-error.ts'
import { say } from '../../shared/texts/say.ts'
import { BoundModels } from './bound-models.ts'
import { IndexNeighbourhood } from './index-neighbourhood.ts'
import { isSqlite } from './index-rows.ts'
import { ModelWriter, NO_MODELS, sizeModels } from './model-rows.ts'
import type { FileStore } from '../files/store.ts'
import type { ModelBinding } from '../formats/binding.ts'
import type { Db } from './database.ts'
import type { Statements } from './index-rows.ts'
import type { KeptSummaries } from './kept-summaries.ts'

/**
 * @param recent summaries of files that were read just now
 * @param step how many folders are done, of how many, and the next one; what it throws ends this, with the models as they were
 * @returns how many folders a family stumbled over
 */
export function bindModels(
  db: Db,
  store: FileStore,
  statements: Statements,
  recent: KeptSummaries,
  step: (done: number, total: number, folder: string) => void,
): number {
  const around = new IndexNeighbourhood((body) => body(db), store, { unchanging: true, cacheBytes: 16 * 2 ** 20, recent })
  const folders = db
    .prepare(
      `SELECT DISTINCT d.path, f.family FROM files f JOIN folders d ON d.id = f.folder WHERE f.format <> '' AND f.kind <> 'archive' ORDER BY d.path`,
    )
    .all() as { path: string; family: string }[]
  const broken = new Set(db.prepare('SELECT ref FROM files WHERE error_code IS NOT NULL').pluck().all() as string[])
  const failed: { folder: string; error: unknown }[] = []
  const bound = new BoundModels(db.memory ? '' : db.name)
  try {
    for (const [done, { path, family }] of folders.entries()) {
      step(done, folders.length, path)
      for (const candidate of store.registry.families) {
        if (candidate.id !== family) continue
        let models: ModelBinding[] = []
        try {
          models = candidate.bind(path, around)
        } catch (error) {
          // a family that stumbles over one folder must not take the others' models away
          if (isSqlite(error)) throw error
          failed.push({ folder: path, error })
        }
        // a model whose own file is broken is a row with its error, not a model
        bound.add(
          path,
          models.filter(({ primary }) => !broken.has(primary)),
        )
      }
    }
    db.transaction(() => {
      db.exec(NO_MODELS)
      for (const { folder, error } of failed) bindFailed(db, statements, folder, error)
      for (const { folder, models } of bound.all()) {
        step(folders.length, folders.length, folder)
        const writer = new ModelWriter(statements, around)
        for (const model of models) writer.write(model)
      }
      sizeModels(db)
      for (const ref of around.opened) statements.opened.run(ref)
      db.prepare('UPDATE roots SET bound = 1, models = (SELECT count(*) FROM models)').run()
      statements.modelsEdition.run()
    }).immediate()
  } finally {
    bound.close()
  }
  return failed.length
}

/** Told with the first file of the folder: an error must be seen somewhere. */
function bindFailed(db: Db, statements: Statements, folder: string, error: unknown): void {
  const row = db
    .prepare(
      `SELECT f.id FROM files f JOIN folders d ON d.id = f.folder WHERE d.path = ? AND f.format <> '' AND f.error_code IS NULL ORDER BY f.position, f.name_key`,
    )
    .get(folder) as { id: number } | undefined
  const data = toErrorData(error, folder)
  if (!row) return
  statements.failed.run(data.code, say('indexing.notPutTogether', { why: data.message }), data.offset, row.id)
  statements.filesEdition.run()
}
