/** Rows of models: their members, and the lists of members that they share; written by a scan, read for whoever opens a model. */
import { baseName } from '../../shared/ref.ts'
import { say } from '../../shared/texts/say.ts'
import { sharing } from '../formats/sharing.ts'
import { MOST_COPIES } from './nearby.ts'
import { searchText } from './search-text.ts'
import type { FamilyId } from '../../shared/api/types/family.ts'
import type { ModelBinding, ModelMember } from '../formats/binding.ts'
import type { Db, Statement } from './database.ts'
import type { CountedFile } from './index-files.ts'
import type { IndexNeighbourhood } from './index-neighbourhood.ts'
import type { Statements } from './index-rows.ts'

/** Takes all models away. */
export const NO_MODELS =
  'DELETE FROM model_lists; DELETE FROM members; DELETE FROM models; DELETE FROM listed; DELETE FROM lists; DELETE FROM opened'

const SUMMED = ['size', 'meshes', 'clips', 'slices', 'textures'] as const
type Sums = Record<'bones' | (typeof SUMMED)[number], number>

interface Counted {
  id: number | null
  folder: number | null
  /** what the file adds to its model */
  sums: Sums
}

/** A list as it was written. */
interface WrittenList {
  id: number
  sums: Sums
  byRef: ReadonlyMap<string, Counted>
}

const nothing = (): Sums => ({ size: 0, bones: 0, meshes: 0, clips: 0, slices: 0, textures: 0 })

/** The skeleton may be told by several files of a model; the rest adds up. */
function add(sums: Sums, more: Sums, times = 1): void {
  sums.bones = Math.max(sums.bones, more.bones)
  for (const key of SUMMED) sums[key] += times * more[key]
}

/** Writes models of one place; a list that several of them share is written with the first. */
export class ModelWriter {
  private readonly s: Statements
  private readonly around: Pick<IndexNeighbourhood, 'crowded' | 'numbersOf'>
  private readonly lists = new Map<readonly ModelMember[], WrittenList>()

  /** @param around where binders looked */
  constructor(statements: Statements, around: Pick<IndexNeighbourhood, 'crowded' | 'numbersOf'>) {
    this.s = statements
    this.around = around
  }

  write(model: ModelBinding): void {
    const { family, name, primary, apart } = model
    // all of its members together are what is not to be made here
    const own = apart?.own ?? model.members
    const lists = (apart?.shared ?? []).map((list) => this.listOf(list))
    const sums = nothing()
    const seen = new Set<string>()
    const counted = own.map((member) => {
      const file = this.counted(member)
      if (!seen.has(member.ref)) add(sums, file.sums)
      seen.add(member.ref)
      return file
    })
    for (const list of lists) {
      add(sums, list.sums)
      for (const ref of seen) {
        const twice = list.byRef.get(ref)
        if (twice) add(sums, twice.sums, -1)
      }
    }
    const folder = counted[own.findIndex(({ ref }) => ref === primary)]?.folder ?? null
    const { size, bones, meshes, clips, slices, textures } = sums
    const row = [family, name, searchText(name), primary, folder, size, bones, meshes, clips, slices, textures, own.length, lists.length]
    const id = Number(this.s.model.run(...row).lastInsertRowid)
    own.forEach((member, i) => this.put(this.s.member, id, i, member, counted[i]))
    lists.forEach((list, i) => this.s.modelList.run(id, i, list.id))
  }

  private listOf(list: readonly ModelMember[]): WrittenList {
    const written = this.lists.get(list)
    if (written) return written
    const id = Number(this.s.list.run(list.length).lastInsertRowid)
    const sums = nothing()
    const byRef = new Map<string, Counted>()
    list.forEach((member, i) => {
      const file = this.counted(member)
      if (!byRef.has(member.ref)) add(sums, file.sums)
      byRef.set(member.ref, file)
      this.put(this.s.listed, id, i, member, file)
    })
    const made = { id, sums, byRef }
    this.lists.set(list, made)
    return made
  }

  private counted({ ref, role }: ModelMember): Counted {
    const row = this.around.numbersOf(ref) ?? (this.s.counted.get(ref) as CountedFile | undefined)
    if (!row) return { id: null, folder: null, sums: nothing() }
    const { id, folder, ...sums } = row
    // an animation names the bones of every model that it moves
    return { id, folder, sums: role === 'animation' ? { ...sums, bones: 0 } : sums }
  }

  private put(into: Statement, of: number, number: number, member: ModelMember, file: Counted): void {
    const { ref, role, why, fit } = member
    into.run(of, number, file.id, ref, role, why, this.detail(member), fit?.matched ?? null, fit?.total ?? null)
  }

  private detail({ ref, why, detail }: ModelMember): string {
    const { crowded } = this.around
    const copies = why === 'self' || crowded.size === 0 ? undefined : crowded.get(baseName(ref).toLowerCase())
    return copies === undefined ? detail : [detail, say('indexing.copies', { count: copies, most: MOST_COPIES })].filter(Boolean).join('; ')
  }
}

/** What is shared by several models is no part of the size of any: it would be counted again with each. The file that a model is known by counts. */
export function sizeModels(db: Db): void {
  db.exec(`CREATE TEMP TABLE single_lists AS SELECT list FROM model_lists GROUP BY list HAVING count(*) = 1;
    CREATE UNIQUE INDEX temp.single_lists_list ON single_lists (list);
    CREATE TEMP TABLE shared_files AS
      SELECT file FROM members WHERE file IS NOT NULL GROUP BY file HAVING count(DISTINCT model) > 1
      UNION SELECT file FROM listed WHERE file IS NOT NULL AND list NOT IN (SELECT list FROM temp.single_lists)
      UNION SELECT file FROM listed WHERE file IS NOT NULL GROUP BY file HAVING count(DISTINCT list) > 1
      UNION SELECT l.file FROM listed l JOIN model_lists o ON o.list = l.list JOIN members m ON m.file = l.file
        WHERE l.list IN (SELECT list FROM temp.single_lists) AND m.model <> o.model;
    CREATE UNIQUE INDEX temp.shared_files_file ON shared_files (file);
    UPDATE models SET size = (SELECT coalesce(sum(f.size), 0) FROM files f WHERE (f.ref = models."primary" OR f.id NOT IN (SELECT file FROM temp.shared_files))
      AND f.id IN (SELECT file FROM members WHERE model = models.id UNION SELECT l.file FROM model_lists o JOIN listed l ON l.list = o.list
        WHERE o.model = models.id AND o.list IN (SELECT list FROM temp.single_lists)));
    DROP TABLE temp.shared_files; DROP TABLE temp.single_lists`)
}

/** Ids of models with a file, which is told twice. */
const MODELS_WITH =
  'SELECT model FROM members WHERE ref = ? UNION ALL SELECT model FROM model_lists WHERE list IN (SELECT list FROM listed WHERE ref = ?)'

/** Files of all members of one model, which is told twice; a file may come again. */
const FILES_OF = `SELECT file FROM members WHERE model = ?
  UNION ALL SELECT l.file FROM model_lists o JOIN listed l ON l.list = o.list WHERE o.model = ?`

/** Models that a file is part of, those that it is the primary file of first. */
export function modelsOf(db: Db, ref: string): ModelBinding[] {
  const models = db
    .prepare(
      `SELECT id, family, name, "primary" FROM models WHERE "primary" = ? OR id IN (${MODELS_WITH}) ORDER BY "primary" <> ?, name_key, id`,
    )
    .all(ref, ref, ref, ref) as { id: number; family: FamilyId; name: string; primary: string }[]
  const columns = 'SELECT role, ref, why, detail, matched, total'
  const own = db.prepare(`${columns} FROM members WHERE model = ? ORDER BY number`)
  const listed = db.prepare(`${columns} FROM listed WHERE list = ? ORDER BY number`)
  const lists = db.prepare('SELECT list FROM model_lists WHERE model = ? ORDER BY number').pluck()
  const read = (of: Statement, id: number): ModelMember[] =>
    (of.all(id) as (Omit<ModelMember, 'fit'> & { matched: number | null; total: number | null })[]).map(({ matched, total, ...member }) =>
      matched === null || total === null ? member : { ...member, fit: { matched, total } },
    )
  // one array for all models that have it
  const known = new Map<number, ModelMember[]>()
  const listOf = (list: number): ModelMember[] => {
    if (!known.has(list)) known.set(list, read(listed, list))
    return known.get(list)!
  }
  return models.map(({ id, ...model }) => sharing(model, read(own, id), (lists.all(id) as number[]).map(listOf)))
}

/** Of what the model was made from when it was indexed; '' where the file is not in the index. */
export function stampOf(db: Db, ref: string): string {
  const model = db
    .prepare(`SELECT id FROM models WHERE "primary" = ? OR id IN (${MODELS_WITH}) ORDER BY "primary" <> ?, name_key, id LIMIT 1`)
    .pluck()
    .get(ref, ref, ref, ref) as number | undefined
  const [from, values] =
    // eslint-disable-next-line texts/in-catalogue -- SQL
    model === undefined ? ['files f WHERE f.ref = ?', [ref]] : [`(${FILES_OF}) m JOIN files f ON f.id = m.file`, [model, model]]
  const sums = db
    .prepare(
      `SELECT count(*) AS files, total(f.size) AS size, total(f.mtime) AS mtimes, max(f.mtime) AS newest, total(f.crc) AS crcs FROM ${from}`,
    )
    .get(...values) as Record<'files' | 'size' | 'mtimes' | 'newest' | 'crcs', number>
  return sums.files === 0 ? '' : `${sums.files} ${sums.size} ${sums.mtimes} ${sums.newest} ${sums.crcs}`
}
