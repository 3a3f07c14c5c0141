/**
 * Poses that the user keeps: a checked file of the state folder for each skeleton, which is told by the names of its joints. A pose is local
 * transforms of named joints, so that it is put on any skeleton that has those names.
 */
import { createHash, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import * as v from 'valibot'
import { FormatError } from '../binary/format-error.ts'
import type { StateFiles, StateKind } from '../workspace/state-files.ts'
import type { KeptPose, PoseShelves } from '../../shared/api/types/poses.ts'
import { say } from '../../shared/texts/say.ts'

const FOLDER = 'poses'
const MOST_POSES = 1000
const MOST_JOINTS = 10_000
/** Those that were removed last can be put back. */
const MOST_REMOVED = 20
const MOST_BYTES = 24 * 2 ** 20
/** A skeleton with fewer of the names is another one. */
const SAME = 0.5

const text = v.pipe(v.string(), v.maxLength(4096))
const columns = v.array(v.pipe(v.number(), v.finite()))
const poseSchema = v.pipe(
  v.object({
    id: v.pipe(v.string(), v.maxLength(64)),
    name: text,
    group: text,
    joints: v.pipe(v.array(text), v.minLength(1), v.maxLength(MOST_JOINTS)),
    translation: columns,
    rotation: columns,
    /** PNG, base64 */
    picture: v.pipe(v.string(), v.maxLength(200_000)),
  }),
  v.check(({ joints, translation, rotation }) => translation.length === 3 * joints.length && rotation.length === 4 * joints.length),
)
const shelfSchema = v.object({
  label: text,
  names: v.pipe(v.array(text), v.maxLength(MOST_JOINTS)),
  poses: v.pipe(v.array(poseSchema), v.maxLength(MOST_POSES)),
  removed: v.fallback(v.array(poseSchema), []),
})
const fileSchema = v.object({ marrow: v.literal('poses'), version: v.literal(1), ...v.omit(shelfSchema, ['removed']).entries })
type StoredPose = v.InferOutput<typeof poseSchema>
type Shelf = v.InferOutput<typeof shelfSchema>

const kind: StateKind<Shelf> = {
  name: 'poses',
  version: 1,
  label: 'originals.kinds.poses',
  parse(value) {
    const read = v.safeParse(shelfSchema, value)
    return read.success ? read.output : undefined
  },
}

/** A pose as a window sends it. */
export type NewPose = Omit<KeptPose, 'id'>

export class PoseShelfFiles {
  private readonly files: StateFiles

  constructor(files: StateFiles) {
    this.files = files
  }

  /** Those of the skeleton first, then of others with its names. @param names of its joints */
  list(names: readonly string[]): PoseShelves {
    const own = shelfId(names)
    const known = new Set(names.map(plain))
    const out: PoseShelves = { shelves: [], strange: [] }
    for (const file of this.files.list(FOLDER, /^[0-9a-f]{24}\.json$/)) {
      const id = file.slice(0, -'.json'.length)
      const shelf = this.read(id)
      if (!shelf || shelf.poses.length === 0) continue
      const shared = sharedNames(shelf, known)
      const about = { id, label: shelf.label, shared, joints: shelf.names.length }
      if (id === own || shared >= SAME * shelf.names.length)
        out.shelves.push({ ...about, own: id === own, poses: shelf.poses.map(unpacked) })
      else out.strange.push(about)
    }
    out.shelves.sort((a, b) => Number(b.own) - Number(a.own) || b.shared / b.joints - a.shared / a.joints)
    return out
  }

  /** @returns its id @throws FormatError invalid-argument */
  add(names: readonly string[], label: string, pose: NewPose): string {
    const id = shelfId(names)
    const shelf = this.read(id) ?? { label, names: [...new Set(names)], poses: [], removed: [] }
    if (shelf.poses.length >= MOST_POSES) throw new FormatError('invalid-argument', say('poses.tooMany', { most: MOST_POSES }))
    const stored = packed({ ...pose, id: randomUUID() })
    if (!v.is(poseSchema, stored)) throw new FormatError('invalid-argument', say('poses.noPose'))
    this.write(id, { ...shelf, poses: [...shelf.poses, stored] })
    return stored.id
  }

  /** @throws FormatError not-found */
  change(id: string, pose: string, values: { name?: string; group?: string }): void {
    const shelf = this.shelf(id)
    const at = placeOf(shelf.poses, pose)
    const { name = shelf.poses[at].name, group = shelf.poses[at].group } = values
    this.write(id, { ...shelf, poses: shelf.poses.with(at, { ...shelf.poses[at], name, group }) })
  }

  /** It can be put back. @throws FormatError not-found */
  remove(id: string, pose: string): void {
    const shelf = this.shelf(id)
    const at = placeOf(shelf.poses, pose)
    this.write(id, {
      ...shelf,
      poses: shelf.poses.toSpliced(at, 1),
      removed: [...shelf.removed, shelf.poses[at]].slice(-MOST_REMOVED),
    })
  }

  /** @throws FormatError not-found */
  putBack(id: string, pose: string): void {
    const shelf = this.shelf(id)
    const at = placeOf(shelf.removed, pose)
    this.write(id, { ...shelf, poses: [...shelf.poses, shelf.removed[at]], removed: shelf.removed.toSpliced(at, 1) })
  }

  /** A file to give away. @throws FormatError not-found */
  export(id: string): { name: string; bytes: Uint8Array } {
    const { label, names, poses } = this.shelf(id)
    const value: v.InferOutput<typeof fileSchema> = { marrow: 'poses', version: 1, label, names, poses }
    return { name: label, bytes: new TextEncoder().encode(`${JSON.stringify(value)}\n`) }
  }

  /**
   * The poses of such a file; those that are there already are left out.
   * @param names of the joints of the skeleton that they are for
   * @throws FormatError bad-value, bad-count; refused for a skeleton whose joints are called otherwise
   */
  import(names: readonly string[], file: string, bytes: Uint8Array): { added: number; known: number } {
    if (bytes.length > MOST_BYTES) throw new FormatError('bad-count', say('poses.tooLarge'), { file, offset: 0 })
    const given = readFile(bytes, file)
    const shared = sharedNames(given, new Set(names.map(plain)))
    if (shared < SAME * given.names.length)
      throw new FormatError('refused', say('poses.otherNames', { shared, count: given.names.length, label: given.label }), { file })
    const id = shelfId(given.names)
    const shelf = this.read(id) ?? { label: given.label, names: given.names, poses: [], removed: [] }
    const contentOf = ({ name, group, joints, translation, rotation }: StoredPose): string =>
      JSON.stringify([name, group, joints, translation, rotation])
    const there = new Set(shelf.poses.map(contentOf))
    const fresh = given.poses.filter((pose) => !there.has(contentOf(pose))).map((pose) => ({ ...pose, id: randomUUID() }))
    if (shelf.poses.length + fresh.length > MOST_POSES)
      throw new FormatError('bad-count', say('poses.tooMany', { most: MOST_POSES }), { file, path: 'poses' })
    if (fresh.length > 0) this.write(id, { ...shelf, poses: [...shelf.poses, ...fresh] })
    return { added: fresh.length, known: given.poses.length - fresh.length }
  }

  private read(id: string): Shelf | undefined {
    const read = this.files.read(pathOf(id), kind)
    return read.state === 'good' ? read.value : undefined
  }

  private shelf(id: string): Shelf {
    const shelf = this.read(id)
    if (!shelf) throw new FormatError('not-found', say('poses.noShelf'))
    return shelf
  }

  /** A larger file is one that cannot be read again. @throws FormatError invalid-argument */
  private write(id: string, shelf: Shelf): void {
    const pictures = [...shelf.poses, ...shelf.removed].reduce((sum, { picture, joints }) => sum + picture.length + 300 * joints.length, 0)
    if (pictures > MOST_BYTES) throw new FormatError('invalid-argument', say('poses.noRoom'))
    this.files.writeSync(pathOf(id), shelf, kind)
  }
}

const plain = (name: string): string => name.trim().toLowerCase()
const pathOf = (id: string): string => join(FOLDER, `${id}.json`)

function shelfId(names: readonly string[]): string {
  const key = [...new Set(names.map(plain))].sort()
  return createHash('sha256').update(JSON.stringify(key)).digest('hex').slice(0, 24)
}

const sharedNames = ({ names }: Pick<Shelf, 'names'>, known: ReadonlySet<string>): number =>
  names.filter((name) => known.has(plain(name))).length

function placeOf(poses: readonly StoredPose[], id: string): number {
  const at = poses.findIndex((pose) => pose.id === id)
  if (at < 0) throw new FormatError('not-found', say('poses.gone'))
  return at
}

function packed({ translation, rotation, png, ...pose }: KeptPose): StoredPose {
  return {
    ...pose,
    translation: [...translation],
    rotation: [...rotation],
    picture: png ? Buffer.from(png).toString('base64') : '',
  }
}

function unpacked({ translation, rotation, picture, ...pose }: StoredPose): KeptPose {
  return {
    ...pose,
    translation: Float32Array.from(translation),
    rotation: Float32Array.from(rotation),
    png: picture ? new Uint8Array(Buffer.from(picture, 'base64')) : null,
  }
}

function readFile(bytes: Uint8Array, file: string): Omit<Shelf, 'removed'> {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new FormatError('bad-magic', say('poses.noFile'), { file, offset: 0 })
  }
  const read = v.safeParse(fileSchema, value)
  if (read.success) return read.output
  const [issue] = read.issues
  const path = (issue.path ?? []).map(({ key }) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')
  throw new FormatError('bad-value', say('poses.noFile'), { file, path: path.replace(/^\./, ''), offset: 0 })
}
