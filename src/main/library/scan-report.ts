import type { ScanReport } from '../../shared/api/types/library.ts'
import type { Db } from './database.ts'

/** Stamp of rows that stand for a folder that could not be read. */
export const FOLDER = '#folder'

/** What the index holds, in the form of a scan's report. */
export function scanReport(db: Db, seconds: number): ScanReport {
  const sums = db
    .prepare(
      `SELECT count(*) AS files, coalesce(sum(format <> ''), 0) AS recognised, coalesce(sum(bones), 0) AS bones, coalesce(sum(meshes), 0) AS meshes,
       coalesce(sum(slices), 0) AS slices, coalesce(sum(weights), 0) AS weights, coalesce(sum(textures), 0) AS textures FROM files WHERE stamp <> '${FOLDER}'`,
    )
    .get() as Omit<ScanReport, 'models' | 'errors' | 'seconds'>
  const models = db.prepare('SELECT count(*) FROM models').pluck().get() as number
  const errors = db
    .prepare(
      'SELECT ref AS path, error_code AS code, error_message AS message, error_offset AS "offset" FROM files WHERE error_code IS NOT NULL ORDER BY ref',
    )
    .all() as ScanReport['errors']
  const { files, recognised, bones, meshes, slices, weights, textures } = sums
  return { files, recognised, models, bones, meshes, slices, weights, textures, errors, seconds: Math.round(seconds * 1000) / 1000 }
}
