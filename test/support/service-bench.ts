/** Services on folders of their own, closed and gone when the suite says, and the sample as suites of services want it. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FamilyId } from '../../src/shared/api/types/family.ts'
import type { NativeTrack } from '../../src/shared/api/types/clips.ts'
import type { LibraryRow } from '../../src/shared/api/types/library.ts'
import type { OpenedModel } from '../../src/shared/api/types/model.ts'
import type { EventMap, EventName } from '../../src/shared/api/events.ts'
import { createServices } from '../../src/main/services/create-services.ts'
import type { ServicesOptions } from '../../src/main/services/create-services.ts'
import { dispatch } from '../../src/main/services/dispatch.ts'
import type { Answer } from '../../src/main/services/dispatch.ts'
import type { Services } from '../../src/main/services/service.ts'
import { writeFiles } from '../workspace/support.ts'
import { caller } from './caller.ts'
import type { Call } from './caller.ts'
import { putSample, sampleFiles } from './sample.ts'

export interface BenchOptions extends Partial<ServicesOptions> {
  /** of the game, by their paths */
  files?: Record<string, Uint8Array>
  /** these services begin where those stopped: on their folders */
  after?: ServiceBench
  /** every call passes the boundary, as a window's do, and `base` is the user's home */
  guarded?: boolean
}

export interface ServiceBench {
  /** its real path; the game is in `game` below it, what the services keep in `state` */
  base: string
  game: string
  state: string
  services: Services
  /** what the services told */
  events: { [K in EventName]?: EventMap[K][] }
  /** a refusal is thrown */
  call: Call
  /** whatever is asked, as it is answered */
  ask(name: string, args: unknown): Promise<Answer>
  /** for what comes after these services: the suite's end closes them too */
  close(): Promise<void>
}

/**
 * @param atEnd vitest's `afterEach` or `afterAll`: what was started until then is closed, and its folders are gone
 * @returns starts services
 */
export function serviceBenches(atEnd: (close: () => Promise<void>) => void): (options?: BenchOptions) => ServiceBench {
  const started: ServiceBench[] = []
  atEnd(async () => {
    const ended = started.splice(0)
    for (const { close } of ended) await close()
    for (const { base } of ended) rmSync(base, { recursive: true, force: true })
  })
  return ({ files = {}, after, guarded = false, ...options } = {}) => {
    const base = after?.base ?? realpathSync(mkdtempSync(join(tmpdir(), 'marrow-test-')))
    const [game, state] = [join(base, 'game'), options.stateFolder ?? join(base, 'state')]
    mkdirSync(game, { recursive: true })
    writeFiles(game, files)
    const services = createServices({ host: 'web', watchEvery: 0, ...(guarded && { home: base }), ...options, stateFolder: state })
    const events: ServiceBench['events'] = {}
    services.subscribe((name, event) => ((events[name] ??= []) as unknown[]).push(event))
    let closed: Promise<void> | undefined
    const bench: ServiceBench = {
      base,
      game,
      state,
      services,
      events,
      call: caller(() => services, guarded),
      ask: (name, args) => dispatch(services, name, args, new AbortController().signal, guarded ? services.boundary : undefined),
      close: () => (closed ??= services.close()),
    }
    started.push(bench)
    return bench
  }
}

/** The sample's files by their paths, all or some of them. */
export function sampleTree(wanted: (path: string) => boolean = () => true): Record<string, Uint8Array> {
  return Object.fromEntries(sampleFiles().flatMap(({ path, bytes }) => (wanted(path) ? [[path, bytes]] : [])))
}

/** @returns id of the library with `root`, scanned */
export async function scanned(call: Call, root: string): Promise<string> {
  const { id } = await call('library.open', { root })
  await call('library.scan', { library: id })
  return id
}

/** The game of these services, scanned, and a model of it. @param file below the game's folder */
export async function openGame(
  { call, game }: Pick<ServiceBench, 'call' | 'game'>,
  file: string,
): Promise<OpenedModel & { library: string }> {
  const library = await scanned(call, game)
  return { library, ...(await call('model.open', { ref: join(game, file), library })) }
}

/** The sample library, written and scanned. */
export async function scannedSample({ call, state }: Pick<ServiceBench, 'call' | 'state'>): Promise<string> {
  await putSample(state)
  return scanned(call, (await call('library.openSample', {})).root)
}

/** Models of a library, those with the most clips first. */
export async function modelRows(call: Call, library: string): Promise<LibraryRow[]> {
  return (await call('library.query', { library, show: 'models', sort: 'clips', descending: true, offset: 0, limit: 200 })).rows
}

/** Opens the family's first model that has clips, and bones enough to pose. */
export async function openPosable(call: Call, library: string, rows: readonly LibraryRow[], family: FamilyId): Promise<OpenedModel> {
  for (const { ref } of rows.filter((row) => row.family === family)) {
    const model = await call('model.open', { ref, library })
    if (model.scene.clips.length && model.scene.skeleton.count >= 4) return model
  }
  throw new Error(`the sample has no model of ${family} to pose`)
}

/** A clip whose keys stand alone: deltas between frames hold a jump only roughly, in all frames of their block. */
export async function plainClip(call: Call, model: OpenedModel): Promise<{ clip: number; tracks: NativeTrack[] }> {
  let clip = 0
  let tracks = await call('clips.tracks', { model: model.info.id, clip })
  while (tracks.some((t) => /deltas/.test(t.limits.packed)) && clip + 1 < model.scene.clips.length)
    tracks = await call('clips.tracks', { model: model.info.id, clip: ++clip })
  return { clip, tracks }
}

/** A file of a model as it is in memory, asked for in pieces as a window asks. */
export async function fileBytes(call: Call, model: string, ref: string): Promise<Buffer> {
  const { size } = (await call('model.scene', { model })).info.files.find((file) => file.ref === ref)!
  const parts: Uint8Array[] = []
  for (let start = 0; start < size; start += 65_536)
    parts.push(await call('model.bytes', { model, ref, start, length: Math.min(65_536, size - start) }))
  return Buffer.concat(parts)
}
