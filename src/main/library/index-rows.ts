/** Rows of the index: the statements that put them in, and what a file becomes in them. */
import type { Diagnostic, ErrorData } from '../../shared/api/errors.ts'
import type { FileSummary } from '../formats/format.ts'
import type { Db } from './database.ts'

/** Diagnostics per file that are kept. */
const MOST_DIAGNOSTICS = 1000

export type Statements = ReturnType<typeof prepareRows>

export function prepareRows(db: Db) {
  return {
    known: db.prepare('SELECT id, stamp, companion, error_code FROM files WHERE ref = ? AND parent IS NULL'),
    remove: db.prepare('DELETE FROM files WHERE id = ?'),
    sameRef: db.prepare('SELECT id, parent FROM files WHERE ref = ?'),
    onDisk: db.prepare('SELECT id, ref FROM files WHERE parent IS NULL'),
    folder: db
      .prepare('INSERT INTO folders (path, key) VALUES (?, ?) ON CONFLICT (path) DO UPDATE SET key = excluded.key RETURNING id')
      .pluck(),
    insert: db.prepare(
      'INSERT INTO files (ref, parent, folder, position, name, name_key, stem, size, mtime) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ),
    recognised: db.prepare('UPDATE files SET format = ?, kind = ?, family = ? WHERE id = ?'),
    counts: db.prepare(
      'UPDATE files SET note = ?, bones = ?, meshes = ?, skins = ?, weights = ?, clips = ?, slices = ?, textures = ?, keys = ?, skin_bones = ?, diagnostics = ? WHERE id = ?',
    ),
    archive: db.prepare('UPDATE files SET note = ?, diagnostics = ? WHERE id = ?'),
    failed: db.prepare('UPDATE files SET error_code = ?, error_message = ?, error_offset = ? WHERE id = ?'),
    finished: db.prepare('UPDATE files SET stamp = ?, companion = ? WHERE id = ?'),
    names: db.prepare('INSERT INTO names (rowid, text) VALUES (?, ?)'),
    bone: db.prepare('INSERT INTO bones VALUES (?, ?, ?)'),
    mesh: db.prepare('INSERT INTO meshes VALUES (?, ?, ?, ?, ?, ?)'),
    skin: db.prepare('INSERT INTO skins VALUES (?, ?, ?, ?, ?, ?)'),
    skinBone: db.prepare('INSERT INTO skin_bones VALUES (?, ?, ?, ?, ?, ?)'),
    clip: db.prepare('INSERT INTO clips VALUES (?, ?, ?, ?, ?, ?, ?)'),
    slice: db.prepare('INSERT INTO slices VALUES (?, ?, ?, ?, ?, ?)'),
    texture: db.prepare('INSERT INTO textures VALUES (?, ?, ?, ?, ?, ?)'),
    key: db.prepare('INSERT INTO keys VALUES (?, ?, ?, ?)'),
    diagnostic: db.prepare('INSERT INTO diagnostics VALUES (?, ?, ?, ?, ?, ?, ?)'),
    counted: db.prepare('SELECT id, size, bones, meshes, clips, slices, textures FROM files WHERE ref = ?'),
    model: db.prepare(
      'INSERT INTO models (family, name, name_key, "primary", size, bones, meshes, clips, slices, textures, members, lists) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ),
    member: db.prepare('INSERT INTO members VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)'),
    list: db.prepare('INSERT INTO lists (listed) VALUES (?)'),
    listed: db.prepare('INSERT INTO listed VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)'),
    modelList: db.prepare('INSERT INTO model_lists VALUES (?, ?, ?)'),
  }
}

/** What is in a file: rows of its own and their numbers. */
export function writeSummary(s: Statements, id: number, summary: FileSummary, list: readonly Diagnostic[]): void {
  summary.bones?.forEach((name, i) => s.bone.run(id, i, name))
  summary.meshes?.forEach(({ name, vertices, triangles, bone }, i) => s.mesh.run(id, i, name, vertices, triangles, bone ?? null))
  let weights = 0
  summary.skins?.forEach((skin, i) => {
    weights += skin.weights
    s.skin.run(id, i, skin.mesh, skin.vertices, skin.weights, skin.maxInfluences)
    skin.bones.forEach(({ name, vertices, sum }, j) => s.skinBone.run(id, i, j, name, vertices, sum))
  })
  summary.clips?.forEach(({ name, frames, rate, tracks, keys }, i) => s.clip.run(id, i, name, frames, rate, tracks, keys))
  summary.slices?.forEach(({ name, start, end, speed }, i) => s.slice.run(id, i, name, start, end, speed))
  summary.textures?.forEach(({ name, width, height, format: pixels }, i) => s.texture.run(id, i, name, width, height, pixels))
  summary.provides?.forEach((key, i) => s.key.run(id, 'provides', i, key.toLowerCase()))
  summary.needs?.forEach((key, i) => s.key.run(id, 'needs', i, key.toLowerCase()))
  const diagnostics = writeDiagnostics(s, id, list)
  s.counts.run(
    summary.note ?? '',
    summary.bones?.length ?? 0,
    summary.meshes?.length ?? 0,
    summary.skins?.length ?? 0,
    weights,
    summary.clips?.length ?? 0,
    summary.slices?.length ?? 0,
    summary.textures?.length ?? 0,
    (summary.provides?.length ?? 0) + (summary.needs?.length ?? 0),
    (summary.skins ?? []).reduce((sum, skin) => sum + skin.bones.length, 0),
    diagnostics,
    id,
  )
}

/** @returns how many rows were put in */
export function writeDiagnostics(s: Statements, id: number, list: readonly Diagnostic[]): number {
  const told = list.slice(0, MOST_DIAGNOSTICS)
  told.forEach((d, i) => s.diagnostic.run(id, i, d.severity, d.code, d.message, d.path, d.offset))
  return told.length
}

/** Names in a file that are searched. */
export function namesIn(summary: FileSummary): string[] {
  const lists = [summary.meshes, summary.clips, summary.slices, summary.textures].map((list) => (list ?? []).map((entry) => entry.name))
  return [...new Set([...lists.flat(), ...(summary.bones ?? [])])]
}

export function errorColumns(error: ErrorData): [string, string, number] {
  return [error.code, error.path ? `${error.message} (${error.path})` : error.message, error.offset]
}

/** The index itself is in trouble, not the file. */
export function isSqlite(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && code.startsWith('SQLITE_') && !isConstraint(error)
}

/** A summary that does not fit the tables. */
export function isConstraint(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && code.startsWith('SQLITE_CONSTRAINT')
}
