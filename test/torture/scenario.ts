/** A folder in the middle of a user's work: files saved, edits that are not, settings, an index; and what is known of it. */
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Random } from '../fuzz/random.ts'
import { layOut } from './lay-out.ts'
import { CallError, placeBelow, Session } from './session.ts'
import { pickEdit } from './steps.ts'
import { makeWorld, WORLD_KINDS } from './worlds.ts'
import type { Place, State } from './session.ts'
import type { World } from './worlds.ts'

export interface Scenario {
  world: World
  place: Place
  /** copy of everything, to begin again from */
  template: string
  /** what the model was when Marrow was left */
  state: State
  /** what is saved of it */
  saved: State
  /** every content that a file had in an acknowledged state */
  known: Map<string, Set<string>>
  files: string[]
  rows: string
  exported: string
}

function rowsOf(rows: readonly { ref: string; bones: number; meshes: number; clips: number; slices: number }[]): string {
  return JSON.stringify(rows.map(({ ref, bones, meshes, clips, slices }) => [ref, bones, meshes, clips, slices]))
}

export async function libraryRows(session: Session): Promise<string> {
  const query = { library: session.library.id, sort: 'name', offset: 0, limit: 500 } as const
  const models = await session.call('library.query', { ...query, show: 'models' })
  const files = await session.call('library.query', { ...query, show: 'files' })
  return rowsOf([...models.rows, ...files.rows])
}

async function editOnce(session: Session, random: Random): Promise<void> {
  for (let i = 0; i < 10; i++) {
    const { info, scene } = await session.open()
    try {
      return void (await session.make(await pickEdit(session.call, info, scene, random), info.id, 0))
    } catch (error) {
      if (!(error instanceof CallError) || error.data.code === 'internal') throw error
    }
  }
}

export async function makeScenario(base: string, seed: number, round: number): Promise<Scenario> {
  const random = new Random(seed, round, 2)
  const world = makeWorld(WORLD_KINDS[round % WORLD_KINDS.length])
  const place = placeBelow(join(base, 'here'), random.chance(3) ? 'mod-folder' : 'in-place', world.models)
  layOut(place, world)
  const session = new Session(place)
  const known = new Map<string, Set<string>>()
  const look = async (): Promise<State> => {
    const { info } = await session.open()
    const state = await session.stateOf(info.id)
    for (const [ref, hash] of Object.entries(state)) known.set(ref, (known.get(ref) ?? new Set()).add(hash))
    return state
  }
  try {
    await session.start()
    const { info } = await session.open()
    await look()
    await session.call('markers.add', { model: info.id, clip: 0, name: 'kept', time: 1 })
    await look()
    for (let i = 0; i < 3; i++) {
      await editOnce(session, random)
      await look()
    }
    await session.make({ kind: 'save' }, info.id, 0)
    const saved = await look()
    const exported = JSON.stringify(await session.make({ kind: 'export' }, info.id, 0))
    for (let i = 0; i < 4; i++) {
      await editOnce(session, random)
      await look()
    }
    await session.make({ kind: 'undo' }, info.id, 0)
    const state = await look()
    await session.call('settings.set', { tickRate: 47, teamColor: '#12ab34', window: { layout: 'mine' } })
    await session.call('library.scan', { library: session.library.id })
    const files = await session.files()
    const rows = await libraryRows(session)
    await session.services.close()
    const template = join(base, 'template')
    cpSync(place.base, template, { recursive: true, preserveTimestamps: true })
    return { world, place, template, state, saved, known, files, rows, exported }
  } catch (error) {
    await session.services.close().catch(() => {})
    throw error
  }
}

export function beginAgain({ place, template }: Scenario): void {
  rmSync(place.base, { recursive: true, force: true })
  cpSync(template, place.base, { recursive: true, preserveTimestamps: true })
}
