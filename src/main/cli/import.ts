/** `marrow import`: animations, weights and rest pose of a glTF file into the game's own files. */
import { readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { FormatError } from '../binary/format-error.ts'
import { ioError } from '../files/sources.ts'
import { readGltfBytes } from '../interchange/gltf-file.ts'
import { readGltf } from '../interchange/gltf-reader.ts'
import { proposeMap } from '../interchange/import-animation.ts'
import { importFile } from '../interchange/import-file.ts'
import { likeNames } from '../../shared/like-names.ts'
import { animationNames, jointNames, nameFinder } from '../../shared/scene/animation-names.ts'
import { onlyModel } from './models.ts'
import type { CommandModels } from './models.ts'
import { saveAll, savedText } from './save-all.ts'
import type { SavedFile, SaveLeave } from './save-all.ts'
import type { ImportWishes } from '../interchange/import-file.ts'
import type { Scene } from '../../shared/scene/types.ts'
import type { ImportReport } from '../../shared/api/types/import.ts'
import { say } from '../../shared/texts/say.ts'

export interface ImportCommandReport extends ImportReport {
  model: string
  /** nodes of the glTF that went onto joints of another name; '' for those that were left out */
  map: Record<string, string>
  saved: SavedFile[]
}

export interface ImportCommandOptions extends Omit<ImportWishes, 'map' | 'into'>, SaveLeave {
  from: string
  /** a file with the map, or `auto` */
  mapFile?: string
  /** `ANIMATION=PLACE`, see `placesFrom` */
  into?: readonly string[]
}

const MOST_BYTES = 2 ** 29

/** @throws FormatError: nothing is written then */
export async function importFrom(models: CommandModels, path: string, options: ImportCommandOptions): Promise<ImportCommandReport> {
  const meshes = options.weights === true
  const file = await readGltf(await readGltfBytes(options.from, { meshes }), options.from, {
    resource: (uri) => beside(options.from, uri),
    meshes,
  })
  const shape = options.weights === true || options.rest === true
  const found = onlyModel(models.finder.all(path), path, {
    has: (model) => {
      const { clips, skeleton } = models.finder.assembleSaved(model).scene
      return shape ? skeleton.count > 1 : clips.length > 0
    },
    words: shape ? say('commandLine.aSkeleton') : say('commandLine.aClip'),
  })
  const { editor, label } = found.family
  if (!editor.clips && !shape) throw new FormatError('unsupported', say('calls.notWritten.animationsOf', { family: label }), { file: path })
  return models.with(found, async (workspace, model) => {
    const { scene } = model.assembled
    const { skeleton } = scene
    const into = placesFrom(options.into ?? [], file.animations, scene)
    checkJoints(options.joints ?? [], jointNames(skeleton))
    const map =
      options.mapFile === undefined ? {} : options.mapFile === 'auto' ? proposedMap(file.animations, skeleton) : readMap(options.mapFile)
    const { report } = await importFile(
      {
        editor,
        model,
        edit: (body, gesture) => workspace.edit(model.id, 'Import', body, { gesture }),
        undo: () => workspace.undo(model.id),
      },
      file,
      { ...options, map, into },
    )
    const saved = await saveAll(models.images, workspace, model, options)
    return { model: model.binding.primary, map, ...report, saved }
  })
}

/**
 * `ANIMATION=PLACE`: an animation of the file by its name (of several of one name the second by `walk 2`, as reports call it) or number, and the slice or clip by its name as exports have it, or as `slice 2`,
 * `clip 0`; without a place the animation is left out. Names may have `=` in them.
 * @returns places by numbers of animations, as `ImportChoice` has them
 * @throws FormatError invalid-argument, not-found
 */
export function placesFrom(
  given: readonly string[],
  animations: readonly { title: string }[],
  scene: Pick<Scene, 'slices' | 'clips'>,
): Record<string, string> {
  const { slices, clips } = animationNames(scene)
  const places = new Map<string, string>(
    // what comes last counts: slices before clips, names before numbers
    [
      ...clips.map((_, i) => [`clip ${i}`, `clip ${i}`] as const),
      ...slices.map((_, i) => [`slice ${i}`, `slice ${i}`] as const),
      ...clips.map((name, i) => [name, `clip ${i}`] as const),
      ...slices.map((name, i) => [name, `slice ${i}`] as const),
    ],
  )
  places.set('', '')
  const numbers = new Map([...animations.map((_, i) => [String(i), i] as const), ...animations.map(({ title }, i) => [title, i] as const)])
  const out: Record<string, string> = {}
  for (const text of given) {
    const parts = [...text.matchAll(/=/gu)].map(({ index }) => [text.slice(0, index), text.slice(index + 1)])
    if (parts.length === 0) throw new FormatError('invalid-argument', say('commandLine.import.intoWrong', { text }))
    const known = parts.filter(([animation]) => numbers.has(animation))
    if (known.length === 0)
      throw new FormatError(
        'not-found',
        say('commandLine.import.noAnimation', {
          name: parts[0][0],
          names: likeNames(
            parts[0][0],
            animations.map(({ title }) => title),
          ),
        }),
      )
    const found = known.find(([, place]) => places.has(place))
    if (!found)
      throw new FormatError(
        'invalid-argument',
        say('commandLine.import.noPlace', { name: known[0][1], names: likeNames(known[0][1], [...slices, ...clips]) }),
      )
    const number = String(numbers.get(found[0])!)
    if (Object.hasOwn(out, number)) throw new FormatError('invalid-argument', say('commandLine.import.intoTwice', { name: found[0] }))
    out[number] = places.get(found[1])!
  }
  return out
}

/** @throws FormatError invalid-argument where one is not there: an import without it would look as if nothing had changed */
function checkJoints(given: readonly string[], names: readonly string[]): void {
  const jointCalled = nameFinder(names)
  const missing = given.filter((name) => jointCalled(name) < 0)
  if (missing.length > 0)
    throw new FormatError('invalid-argument', say('commandLine.import.noJoints', { count: missing.length, names: listed(missing) }))
}

/** Names for a message, cut where they are many. */
function listed(names: readonly string[]): string {
  return names.slice(0, MOST_LISTED).join(', ') + (names.length > MOST_LISTED ? ', …' : '')
}

const MOST_LISTED = 12

/** Joints of another name than their node. */
function proposedMap(animations: Parameters<typeof proposeMap>[0], skeleton: Parameters<typeof proposeMap>[1]): Record<string, string> {
  return Object.fromEntries(
    proposeMap(animations, skeleton).flatMap(({ node, joint, why }) => (why === 'similar' || why === 'place' ? [[node, joint]] : [])),
  )
}

/** Names for names; null and '' for none. @throws FormatError bad-value */
export function readMap(path: string): Record<string, string> {
  const fail = (message: string): never => {
    throw new FormatError('bad-value', message, { file: path })
  }
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder().decode(read(path)))
  } catch (error) {
    if (error instanceof FormatError) throw error
    return fail(say('commandLine.import.mapNoJson', { why: (error as Error).message }))
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return fail(say('commandLine.import.mapNoObject'))
  return Object.fromEntries(
    Object.entries(value).map(([node, joint]) => [
      node,
      joint === null ? '' : typeof joint === 'string' ? joint : fail(say('commandLine.import.mapNoName', { node })),
    ]),
  )
}

function read(path: string): Uint8Array {
  try {
    const stat = statSync(path)
    // a pipe or a device has no end
    if (!stat.isFile()) throw new FormatError('io', say('files.noFile', { file: path }), { file: path })
    const { size } = stat
    if (size > MOST_BYTES) throw new FormatError('unsupported', say('files.tooLarge', { size, most: MOST_BYTES }), { file: path })
    const { buffer, byteOffset, length } = readFileSync(path)
    return new Uint8Array(buffer, byteOffset, length)
  } catch (error) {
    throw ioError(error, path)
  }
}

/** A buffer of a .gltf stands in the same folder; a name that leads anywhere else is not followed. */
function beside(file: string, uri: string): Uint8Array {
  let name = ''
  try {
    name = decodeURIComponent(uri)
  } catch {
    // not a name
  }
  if (name === '' || basename(name) !== name || name.includes('\\') || name.includes(':') || name.includes('\0') || name === '..')
    throw new FormatError('refused', say('commandLine.import.notBeside', { name: uri.slice(0, 200) }), { file })
  return read(join(dirname(file), name))
}

const short = (value: number): string => String(Number(value.toPrecision(2)))

function importedText(done: ImportReport['imported'][number]): string {
  const { animation, index, name, joints, keysChanged: changed, keysInserted: inserted, tracksAdded: added } = done
  const counts = [
    say('reports.import.joints', { n: joints }),
    say('reports.import.changed', { n: changed }),
    say('reports.import.inserted', { n: inserted }),
  ]
  if (added > 0) counts.push(say('reports.import.added', { n: added }))
  const into = `${animation} -> ${say(`reports.import.into.${done.into}`, { index, name })}: ${counts.join(', ')}`
  if (changed + inserted + added === 0) return into
  return `${into}; ${say('reports.import.off', { degrees: done.degrees.toFixed(3), distance: short(done.distance) })}`
}

export function importText({ imported, weights, placed, map, unmatched, unused, assumed, rest, left, saved }: ImportCommandReport): string {
  const lines: string[] = []
  if (rest.turned > 0) lines.push(say('reports.import.turned', { n: rest.turned }))
  for (const { joint, distance } of rest.moved.slice(0, 3))
    lines.push(say('reports.import.restMoved', { joint, distance: short(distance) }))
  for (const { mesh, changed, vertices, by, limited, off, apart, missing } of weights ?? []) {
    const counts = [say('reports.import.weights.changed', { n: changed, vertices }), say(`reports.import.weights.by.${by}`)]
    if (limited > 0) counts.push(say('reports.import.weights.limited', { n: limited }))
    if (apart > 0) counts.push(say('reports.import.weights.apart', { n: apart }))
    if (missing > 0) counts.push(say('reports.import.weights.missing', { n: missing }))
    if (off > 0.0005) counts.push(say('reports.import.weights.off', { percent: (100 * off).toFixed(1) }))
    lines.push(`${mesh}: ${counts.join(', ')}`)
  }
  for (const { joint, degrees, distance } of placed ?? [])
    lines.push(say('reports.import.placed', { joint, degrees: degrees.toFixed(2), distance: short(distance) }))
  if (placed?.length === 0) lines.push(say('reports.import.placedNone'))
  for (const i of imported) {
    lines.push(importedText(i))
    for (const { joint, degrees, distance } of i.moved.slice(0, 5))
      lines.push(`  ${say('reports.import.moved', { joint, degrees: degrees.toFixed(2), distance: short(distance) })}`)
    if (i.moved.length > 5) lines.push(`  ${say('reports.import.movedMore', { n: i.moved.length - 5 })}`)
    if (i.timing)
      lines.push(
        `  ${say('reports.import.timing', {
          file: short(i.timing.file),
          clip: short(i.timing.clip),
          n: i.timing.keys,
          degrees: i.timing.degrees.toFixed(2),
          distance: short(i.timing.distance),
        })}`,
      )
  }
  lines.push(
    ...Object.entries(map).map(([node, joint]) =>
      joint === '' ? say('reports.import.nodeLeft', { node }) : say('reports.import.nodeAs', { node, joint }),
    ),
  )
  lines.push(...assumed.map((what) => say('reports.import.assumed', { what })))
  if (unmatched.length > 0) lines.push(say('reports.import.unmatched', { n: unmatched.length, names: unmatched.join(', ') }))
  if (unused.length > 0) lines.push(say('reports.import.unused', { names: unused.join(', ') }))
  lines.push(...left.map((what) => say('reports.leftOut', { what })))
  lines.push(savedText(saved))
  return `${lines.join('\n')}\n`
}
