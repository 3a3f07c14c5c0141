/** Where binders look, over the index: the same answers as MemoryNeighbourhood, without a file being opened. */
import { compareNames } from '../files/store.ts'
import { DocumentCache, folderKey, nearestFirst } from '../files/neighbourhood.ts'
import type { BindFile, Document, FileSummary, Neighbourhood } from '../formats/format.ts'
import type { FileStore } from '../files/store.ts'
import type { Db } from './database.ts'

interface Row extends BindFile {
  position: number
}

/** Files in kept answers, all together. */
const MOST_KEPT = 100_000

const COLUMNS = 'f.ref, f.name, d.path AS folder, f.format, f.kind, f.position FROM files f JOIN folders d ON d.id = f.folder'

export class IndexNeighbourhood implements Neighbourhood {
  private readonly documents: DocumentCache
  private readonly statements: ReturnType<typeof prepare>
  /** answers by question, and by question and place; only while nothing changes */
  private readonly answers: Map<string, BindFile[]> | undefined
  private answered = 0

  /** @param options.unchanging the index does not change while this is in use: answers are kept */
  constructor(db: Db, store: FileStore, options: { cacheBytes?: number; unchanging?: boolean } = {}) {
    this.documents = new DocumentCache(store, options.cacheBytes)
    this.statements = prepare(db)
    this.answers = options.unchanging ? new Map() : undefined
  }

  inFolder(folder: string): readonly BindFile[] {
    const key = folderKey(folder)
    return this.kept(`folder ${key}`, () => plain(this.statements.inFolder.all(key) as Row[]))
  }

  byStem(stem: string, near: string): readonly BindFile[] {
    const key = stem.toLowerCase()
    return this.nearest(`stem ${key}`, near, () => this.statements.byStem.all(key) as Row[])
  }

  providing(key: string, near: string): readonly BindFile[] {
    const lower = key.toLowerCase()
    return this.nearest(`provides ${lower}`, near, () => this.statements.byKey.all('provides', lower) as Row[])
  }

  needing(key: string, near: string): readonly BindFile[] {
    const lower = key.toLowerCase()
    return this.nearest(`needs ${lower}`, near, () => this.statements.byKey.all('needs', lower) as Row[])
  }

  private nearest(question: string, near: string, ask: () => Row[]): readonly BindFile[] {
    // binders go folder by folder: many models ask the same from the same place
    return this.kept(`${question}\0${near}`, () => nearestFirst(this.kept(question, () => plain(ask())), near))
  }

  private kept(question: string, ask: () => BindFile[]): BindFile[] {
    const known = this.answers?.get(question)
    if (known) return known
    const files = ask()
    if (this.answers) {
      this.answered += files.length + 1
      if (this.answered > MOST_KEPT) {
        this.answers.clear()
        this.answered = files.length + 1
      }
      this.answers.set(question, files)
    }
    return files
  }

  /** Empty lists are left out. */
  summary(ref: string): FileSummary | undefined {
    const s = this.statements
    const row = s.file.get(ref) as { id: number; note: string; error_code: string | null } & Record<'bones' | 'meshes' | 'skins' | 'clips' | 'slices' | 'textures' | 'keys', number> | undefined
    if (!row || row.error_code !== null) return undefined
    const summary: FileSummary = {}
    if (row.note) summary.note = row.note
    if (row.bones) summary.bones = s.bones.all(row.id) as string[]
    if (row.meshes) summary.meshes = (s.meshes.all(row.id) as { name: string; vertices: number; triangles: number; bone: string | null }[]).map(({ bone, ...mesh }) => (bone === null ? mesh : { ...mesh, bone }))
    if (row.skins) {
      summary.skins = (s.skins.all(row.id) as { number: number; mesh: string; vertices: number; weights: number; maxInfluences: number }[]).map(({ number, ...skin }) => ({
        ...skin,
        bones: s.skinBones.all(row.id, number) as { name: string; vertices: number; sum: number }[],
      }))
    }
    if (row.clips) summary.clips = s.clips.all(row.id) as NonNullable<FileSummary['clips']>
    if (row.slices) summary.slices = s.slices.all(row.id) as NonNullable<FileSummary['slices']>
    if (row.textures) summary.textures = s.textures.all(row.id) as NonNullable<FileSummary['textures']>
    if (row.keys) {
      const provides = s.keys.all(row.id, 'provides') as string[]
      const needs = s.keys.all(row.id, 'needs') as string[]
      if (provides.length > 0) summary.provides = provides
      if (needs.length > 0) summary.needs = needs
    }
    return summary
  }

  document(ref: string): Document | undefined {
    return this.documents.get(ref)
  }
}

function prepare(db: Db) {
  return {
    inFolder: db.prepare(`SELECT ${COLUMNS} WHERE d.key = ? AND f.format <> '' AND f.kind <> 'archive'`),
    byStem: db.prepare(`SELECT ${COLUMNS} WHERE f.stem = ? AND f.format <> '' AND f.kind <> 'archive'`),
    byKey: db.prepare(`SELECT ${COLUMNS} WHERE f.id IN (SELECT file FROM keys WHERE direction = ? AND key = ?)`),
    file: db.prepare('SELECT id, note, error_code, bones, meshes, skins, clips, slices, textures, keys FROM files WHERE ref = ?'),
    bones: db.prepare('SELECT name FROM bones WHERE file = ? ORDER BY number').pluck(),
    meshes: db.prepare('SELECT name, vertices, triangles, bone FROM meshes WHERE file = ? ORDER BY number'),
    skins: db.prepare('SELECT number, mesh, vertices, weights, max_influences AS maxInfluences FROM skins WHERE file = ? ORDER BY number'),
    skinBones: db.prepare('SELECT name, vertices, sum FROM skin_bones WHERE file = ? AND skin = ? ORDER BY number'),
    clips: db.prepare('SELECT name, frames, rate, tracks, keys FROM clips WHERE file = ? ORDER BY number'),
    slices: db.prepare('SELECT name, "start", "end", speed FROM slices WHERE file = ? ORDER BY number'),
    textures: db.prepare('SELECT name, width, height, format FROM textures WHERE file = ? ORDER BY number'),
    keys: db.prepare('SELECT key FROM keys WHERE file = ? AND direction = ? ORDER BY number').pluck(),
  }
}

/** In the order of MemoryNeighbourhood: members as in their archive, files by name. */
function plain(rows: Row[]): BindFile[] {
  return rows
    .sort((a, b) => a.position - b.position || compareNames(a.ref, b.ref))
    .map(({ ref, name, folder, format, kind }) => ({ ref, name, folder, format, kind }))
}
