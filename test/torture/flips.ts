/** One bit of one file of the state folder is wrong: what was acknowledged is there, or its damage is said and the damaged bytes are kept. */
import { createHash } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Random } from '../fuzz/random.ts'
import { bodies, filesBelow, shortHash } from './oracle.ts'
import { beginAgain, libraryRows, makeScenario } from './scenario.ts'
import { CallError, Session } from './session.ts'
import type { ArenaRound } from './arena.ts'
import type { Scenario } from './scenario.ts'
import type { State } from './session.ts'

const sha = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const differing = (a: State, b: State): string[] => Object.keys({ ...a, ...b }).filter((key) => a[key] !== b[key])

/** How long a notice may take, ms: it waits for the window to be there. */
const NOTICE = 1500

class Look {
  readonly session: Session
  readonly said: string[] = []

  constructor(scenario: Scenario) {
    this.session = new Session(scenario.place)
  }

  /** What a call answers; undefined where it says what is wrong. */
  async ask<T>(task: () => Promise<T>): Promise<T | undefined> {
    try {
      return await task()
    } catch (error) {
      if (error instanceof CallError && error.data.code === 'internal') throw error
      this.said.push((error as Error).message)
      return undefined
    }
  }

  /** Whether damage was told in any way: waits for a notice that may be on its way. */
  async told(): Promise<boolean> {
    for (const until = performance.now() + NOTICE; ; await pause(20)) {
      if (this.said.length > 0 || this.session.events.some(([name]) => name === 'notice')) return true
      if (performance.now() > until) return false
    }
  }
}

/** @returns flips made */
export async function flipRound(round: ArenaRound): Promise<number> {
  const random = new Random(round.seed, round.round, 3)
  const scenario = await makeScenario(round.base, round.seed, round.round)
  const { place } = scenario
  const files = filesBelow(join(scenario.template, 'state')).filter(
    (name) => statSync(join(scenario.template, 'state', name)).size > 0 && !/sample|\.damaged/.test(name),
  )
  // kinds first, so that many files of one do not hide the others
  const kinds = [
    ...new Set(files.map((name) => name.split(/[\\/]/)[0] + (name.endsWith('.sqlite') ? '' : name.slice(name.lastIndexOf('.'))))),
  ]
  let n = 0
  for (; n < round.most && !round.over(); n++) {
    const kind = random.pick(kinds)
    const name = random.pick(
      files.filter((file) => file.split(/[\\/]/)[0] + (file.endsWith('.sqlite') ? '' : file.slice(file.lastIndexOf('.'))) === kind),
    )
    beginAgain(scenario)
    const path = join(place.state, name)
    const bytes = readFileSync(path)
    const bit = random.below(bytes.length * 8)
    bytes[bit >> 3] ^= 1 << (bit & 7)
    writeFileSync(path, bytes)
    round.at(n, `bit ${bit} of ${name}`)
    const wrong = (what: string, how: 'lost' | 'wrong' | 'crash' = 'wrong'): void =>
      round.findings.add(how, n, `${scenario.world.kind}, ${place.mode}, bit ${bit & 7} of byte ${bit >> 3} in ${name}: ${what}`)
    const look = new Look(scenario)
    try {
      await inspect(look, scenario, name, bytes, wrong)
    } catch (error) {
      wrong((error as Error).stack ?? String(error), 'crash')
    } finally {
      await look.session.services.close().catch((error: unknown) => wrong(`it does not close: ${String(error)}`, 'crash'))
    }
  }
  return n
}

async function inspect(
  look: Look,
  scenario: Scenario,
  name: string,
  damaged: Uint8Array,
  wrong: (what: string, how?: 'lost' | 'wrong' | 'crash') => void,
): Promise<void> {
  const { session } = look
  const { place } = scenario
  const kind = name.split(/[\\/]/)[0]
  await session.call('app.info', {})
  const settings = await session.call('settings.get', {})
  if (settings.tickRate !== 47 || settings.teamColor !== '#12ab34' || settings.window.layout !== 'mine' || settings.saveMode !== place.mode)
    if (!(await look.told())) wrong('settings are others, and nobody says so')
  await session.start()
  const offers = await session.call('recovery.list', {})
  for (const offer of offers) {
    if ((offer as { damage?: unknown }).damage) look.said.push(JSON.stringify(offer))
    await look.ask(() => session.call('recovery.restore', { id: offer.id }))
  }
  const opened = await look.ask(() => session.open())
  if (opened) {
    const state = await session.stateOf(opened.info.id)
    const problems = (await look.ask(() => session.call('model.problems', { model: opened.info.id }))) ?? []
    for (const problem of problems) if (problem.ref.startsWith(place.state)) look.said.push(problem.message)
    const other = differing(state, scenario.state)
    const strange = other.filter((ref) => !scenario.known.get(ref)?.has(state[ref]))
    const told = other.length === 0 || (await look.told())
    if (!told) wrong(`other than what was acknowledged, and nobody says so: ${other.join(', ')}`, 'lost')
    if (strange.length > 0) wrong(`a content that was never acknowledged: ${strange.map((ref) => `${ref} ${state[ref]}`).join(', ')}`)
    if (other.length > 0 && kind === 'journals' && !holds(place.state, damaged)) wrong('the damaged journal is not kept', 'lost')
  } else if (!(await look.told())) wrong('the model does not open', 'lost')
  if (kind === 'originals' && opened) {
    for (const [path, bytes] of Object.entries(scenario.world.files)) {
      const file = opened.info.files.find(({ ref }) => ref.startsWith(join(place.game, path)))
      if (!file || !(path in scenario.state)) continue
      const parts = await look.ask(() =>
        session.call('model.bytes', { model: opened.info.id, ref: file.ref, start: 0, length: 65_536, original: true }),
      )
      if (parts && Buffer.compare(parts, bytes.subarray(0, 65_536)) !== 0 && place.mode === 'in-place')
        wrong(`the original of ${path} is another: ${shortHash(parts)}`)
    }
    const exported = await look.ask(() => session.make({ kind: 'export' }, opened.info.id, 0))
    if (exported !== undefined && JSON.stringify(exported) !== scenario.exported && !(await look.told()))
      wrong(`the mod package has ${JSON.stringify(exported)} for ${scenario.exported}`)
    if (place.mode === 'in-place') await restoreAll(look, scenario, opened.info.id, wrong)
  }
  if (kind === 'libraries' || kind.startsWith('pictures')) {
    await session.call('library.scan', { library: session.library.id })
    const rows = await libraryRows(session)
    if (rows !== scenario.rows) wrong(`the library shows other rows after a scan: ${rows.slice(0, 700)} for ${scenario.rows.slice(0, 700)}`)
  }
  // nothing of the game is touched by looking
  if (kind !== 'originals') {
    const folder = place.mode === 'mod-folder' ? place.mod : place.game
    for (const [ref, body] of bodies(folder, scenario.world))
      if (scenario.saved[ref] !== undefined && shortHash(body) !== scenario.saved[ref]) wrong(`${ref} was changed by opening it`)
  }
}

/** What a restore brings back is the game's own, or it says why it brings nothing. */
async function restoreAll(look: Look, scenario: Scenario, model: string, wrong: (what: string) => void): Promise<void> {
  const { place, world } = scenario
  const kept = await look.ask(() => look.session.call('save.originals', { model }))
  for (const { ref } of kept ?? []) {
    if (!ref.startsWith(place.game)) continue
    if ((await look.ask(() => look.session.call('save.restore', { model, ref }))) === undefined) continue
    const path = ref.slice(place.game.length + 1).split('!')[0]
    const now = readFileSync(join(place.game, path))
    if (Buffer.compare(now, world.files[path]) !== 0) wrong(`restoring ${path} brings back what is no original`)
  }
}

/** Whether these bytes are in any file of the state folder. */
function holds(folder: string, bytes: Uint8Array): boolean {
  const wanted = sha(bytes)
  return filesBelow(folder).some((name) => {
    const path = join(folder, name)
    return statSync(path).size === bytes.length && sha(readFileSync(path)) === wanted
  })
}
