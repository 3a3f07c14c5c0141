/** `marrow import`: animations of a glTF file into the game's own files. */
import { readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { FormatError } from '../binary/format-error.ts'
import { ioError } from '../files/sources.ts'
import { readGltf } from '../interchange/gltf-reader.ts'
import { importAnimations, proposeMap } from '../interchange/import-animation.ts'
import { measureImport } from '../interchange/import-measure.ts'
import { onlyModel } from './models.ts'
import type { CommandModels } from './models.ts'
import { saveAll } from './save-all.ts'
import type { SavedFile, SaveLeave } from './save-all.ts'
import type { ImportChoice } from '../interchange/import-animation.ts'
import type { ImportReport } from '../../shared/api/types.ts'

export interface ImportCommandReport extends ImportReport {
  model: string
  /** nodes of the glTF that went onto joints of another name; '' for those that were left out */
  map: Record<string, string>
  saved: SavedFile[]
}

export interface ImportCommandOptions extends Omit<ImportChoice, 'map'>, SaveLeave {
  from: string
  /** a file with the map, or `auto` */
  mapFile?: string
}

const MOST_BYTES = 2 ** 29

/** @throws FormatError: nothing is written then */
export async function importFrom(models: CommandModels, path: string, options: ImportCommandOptions): Promise<ImportCommandReport> {
  const file = await readGltf(read(options.from), options.from, (uri) => beside(options.from, uri))
  const found = onlyModel(models.finder.all(path), path, {
    has: (model) => models.finder.assembleSaved(model).scene.clips.length > 0,
    words: 'a clip',
  })
  const editor = found.family.editor.clips
  if (!editor) throw new FormatError('unsupported', `animations of ${found.family.label} models cannot be edited`, { file: path })
  return models.with(found, async (workspace, model) => {
    const { skeleton } = model.assembled.scene
    const map =
      options.mapFile === undefined ? {} : options.mapFile === 'auto' ? proposedMap(file.animations, skeleton) : readMap(options.mapFile)
    let done: ReturnType<typeof importAnimations> | undefined
    await workspace.edit(model.id, 'Import', (session) => {
      done = importAnimations(session, editor, file, { ...options, map })
    })
    const { report } = done!
    measureImport(model.assembled.scene, done!)
    const saved = await saveAll(workspace, model, options)
    return { model: model.binding.primary, map, ...report, saved }
  })
}

/** Joints of another name than their node. */
function proposedMap(animations: Parameters<typeof proposeMap>[0], skeleton: Parameters<typeof proposeMap>[1]): Record<string, string> {
  return Object.fromEntries(
    proposeMap(animations, skeleton).flatMap(({ node, joint, why }) => (why === 'similar' || why === 'place' ? [[node, joint]] : [])),
  )
}

/** @throws FormatError bad-value */
function readMap(path: string): Record<string, string> {
  const fail = (message: string): never => {
    throw new FormatError('bad-value', message, { file: path })
  }
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder().decode(read(path)))
  } catch (error) {
    if (error instanceof FormatError) throw error
    return fail(`the map is no JSON: ${(error as Error).message}`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return fail('the map is no object of names')
  return Object.fromEntries(
    Object.entries(value).map(([node, joint]) => [
      node,
      joint === null ? '' : typeof joint === 'string' ? joint : fail(`${node} has no name of a joint`),
    ]),
  )
}

function read(path: string): Uint8Array {
  try {
    const stat = statSync(path)
    // a pipe or a device has no end
    if (!stat.isFile()) throw new FormatError('io', `${path} is no file`, { file: path })
    const { size } = stat
    if (size > MOST_BYTES)
      throw new FormatError('unsupported', `the file has ${size} bytes, at most ${MOST_BYTES} are read`, { file: path })
    return new Uint8Array(readFileSync(path))
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
    throw new FormatError('refused', `${uri.slice(0, 200)} is no file beside the glTF`, { file })
  return read(join(dirname(file), name))
}

const short = (value: number): string => String(Number(value.toPrecision(2)))

export function importText({ imported, map, unmatched, unused, assumed, rest, left, saved }: ImportCommandReport): string {
  const lines: string[] = []
  if (rest.turned > 0) lines.push(`${rest.turned} joints have axes of their own in the file, which is taken out`)
  for (const { joint, distance } of rest.moved.slice(0, 3))
    lines.push(`${joint} rests ${short(distance)} units from where the model has it`)
  for (const i of imported) {
    const changed = i.keysChanged + i.keysInserted + i.tracksAdded > 0
    lines.push(
      `${i.animation} -> ${i.into} ${i.index} ${i.name}: ${i.joints} joints, ${i.keysChanged} keys changed, ${i.keysInserted} inserted${i.tracksAdded ? `, ${i.tracksAdded} tracks added` : ''}${changed ? `; off by at most ${i.degrees.toFixed(3)} degrees, ${short(i.distance)} units` : ''}`,
    )
    for (const { joint, degrees, distance } of i.moved.slice(0, 5))
      lines.push(`  ${joint}: turned by up to ${degrees.toFixed(2)} degrees, moved by up to ${short(distance)} units`)
    if (i.moved.length > 5) lines.push(`  and ${i.moved.length - 5} joints more`)
    if (i.timing)
      lines.push(
        `  sampled at ${short(i.timing.file)} per second, the clip has keys at ${short(i.timing.clip)}: ${i.timing.keys} keys stand between samples, and would be off by up to ${i.timing.degrees.toFixed(2)} degrees, ${short(i.timing.distance)} units (--timing take)`,
      )
  }
  lines.push(...Object.entries(map).map(([node, joint]) => (joint === '' ? `${node} left out` : `${node} as ${joint}`)))
  lines.push(...assumed.map((what) => `taken as meant: ${what}`))
  if (unmatched.length > 0)
    lines.push(`${unmatched.length} nodes move nothing, since no joint is called ${unmatched.join(', ')} (--map says which are meant)`)
  if (unused.length > 0) lines.push(`not taken: ${unused.join(', ')}`)
  lines.push(...left.map((what) => `left out: ${what}`))
  lines.push(
    saved.length > 0 ? saved.map(({ target, changedBytes }) => `${changedBytes} bytes changed in ${target}`).join('\n') : 'nothing changed',
  )
  return `${lines.join('\n')}\n`
}
