/** A disk that is full, read-only or fails for some calls while the user works: nothing that was acknowledged goes, what is refused is as it was. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Random } from '../fuzz/random.ts'
import { CODES } from './counting.ts'
import { layOut } from './lay-out.ts'
import { bodies, leftovers, shortHash } from './oracle.ts'
import { CallError, placeBelow, Session } from './session.ts'
import { pickEdit, pickKind } from './steps.ts'
import { makeWorld, WORLD_KINDS } from './worlds.ts'
import type { ArenaRound } from './arena.ts'
import type { Place, State } from './session.ts'
import type { Step } from './steps.ts'

/** Bytes of a real full disk: some edits and saves of a small world fit. */
const SMALL_DISK = 3 << 20

interface Trouble {
  name: string
  begin(n: number): void
  end(): void
}

/** A file system of its own that can be filled; undefined where this user may mount none. */
function smallDisk(folder: string): { fill(): void; free(): void; readOnly(on: boolean): void; gone(): void } | undefined {
  mkdirSync(folder, { recursive: true })
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SMALL_DISK}`, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  const ballast = join(folder, 'ballast')
  return {
    fill() {
      for (const piece of [1 << 18, 1 << 12])
        try {
          for (;;) writeFileSync(ballast, Buffer.alloc(piece), { flag: 'a' })
        } catch {
          // full
        }
    },
    free: () => rmSync(ballast, { force: true }),
    readOnly(on) {
      try {
        execFileSync('mount', ['-o', `remount,${on ? 'ro' : 'rw'}`, folder], { stdio: 'ignore' })
      } catch (error) {
        const held = readdirSync('/proc/self/fd').flatMap((fd) => {
          try {
            return readlinkSync(`/proc/self/fd/${fd}`)
          } catch {
            return []
          }
        })
        throw new Error(`files are open still: ${held.filter((path) => path.startsWith(folder)).join(', ')}`, { cause: error })
      }
    },
    gone: () => void execFileSync('umount', ['-l', folder], { stdio: 'ignore' }),
  }
}

/** A whole run on a disk that takes nothing: it may refuse anything, with an error that says why. */
async function lookAround(place: Place, step: Step, crashed: (text: string) => void): Promise<void> {
  let session: Session | undefined
  try {
    session = new Session(place)
    await session.start()
    await session.recover()
    const { info } = await session.open()
    await session.make(step, info.id, 0)
    crashed('an edit is acknowledged that no journal has')
  } catch (error) {
    const { code } = error instanceof CallError ? error.data : (error as { code?: string })
    if (code === undefined || code === 'internal') crashed((error as Error).stack ?? String(error))
  } finally {
    await session?.services.close().catch((error: unknown) => crashed(`it does not close: ${String(error)}`))
  }
}

const differing = (a: State, b: State): string[] => Object.keys({ ...a, ...b }).filter((key) => a[key] !== b[key])

/** @returns faults that came to pass */
export async function diskRound(round: ArenaRound): Promise<number> {
  const random = new Random(round.seed, round.round, 4)
  // every other round on a real small disk
  const disk = round.round % 2 === 0 ? smallDisk(join(round.base, 'disk')) : undefined
  const base = disk ? join(round.base, 'disk', 'here') : join(round.base, 'here')
  const world = makeWorld(WORLD_KINDS[(round.round >> 1) % WORLD_KINDS.length])
  const place = placeBelow(base, random.chance(3) ? 'mod-folder' : 'in-place', world.models)
  layOut(place, world)
  const injected = (code: (typeof CODES)[number]): Trouble => ({
    name: `${code} injected`,
    begin: (n) => round.counting.failAt(n, 1 + random.small(60), code),
    end: () => void round.counting.heal(),
  })
  const troubles: Trouble[] = disk ? [{ name: 'a full tmpfs', begin: () => disk.fill(), end: () => disk.free() }] : CODES.map(injected)
  let session = new Session(place)
  let n = 0
  try {
    await session.start()
    let { info, scene } = await session.open()
    const step: Step = { kind: 'edit', name: 'markers.add', args: { clip: 0, name: 'not to be', time: 1 } }
    let state = await session.stateOf(info.id)
    const initial = state
    const saved = new Map<string, Set<string>>(Object.entries(state).map(([ref, hash]) => [ref, new Set([hash])]))
    const contents = new Set<string>([JSON.stringify(state)])
    for (; n < round.most && !round.over() && round.findings.list.length === 0; n++) {
      if (disk && random.chance(3)) {
        round.at(n, 'a read-only tmpfs')
        // it cannot become read-only under files that are open for writing
        await session.services.close()
        disk.readOnly(true)
        await lookAround(place, step, (error) =>
          round.findings.add('crash', n, `${world.kind}, ${place.mode}, a read-only tmpfs: ${error}`),
        )
        disk.readOnly(false)
        session = new Session(place)
        await session.start()
        await session.recover()
        const opened = await session.open()
        ;({ info, scene } = opened)
        const now = await session.stateOf(info.id)
        const lost = differing(now, state)
        if (lost.length > 0)
          round.findings.add('lost', n, `${world.kind}, ${place.mode}, after a read-only tmpfs: ${lost.join(', ')} differ`)
        state = now
        continue
      }
      const trouble = random.pick(troubles)
      const from = 1 + random.below(30)
      round.at(n, `${trouble.name} from call ${from} on`)
      const wrong = (what: string, how: 'lost' | 'wrong' | 'crash' = 'wrong'): void =>
        round.findings.add(how, n, `${world.kind}, ${place.mode}, ${trouble.name} from call ${from} on: ${what}`)
      const steps: Step[] = []
      for (let i = 0; i < 4; i++) {
        const kind = pickKind(random)
        steps.push(
          kind === 'edit'
            ? await pickEdit(session.call, info, scene, random)
            : { kind: kind === 'reopen' || kind === 'restore' ? 'save' : kind },
        )
      }
      trouble.begin(from)
      let failed = ''
      for (const step of steps) {
        const before = state
        if (step.kind === 'save') for (const [ref, hash] of Object.entries(state)) saved.set(ref, (saved.get(ref) ?? new Set()).add(hash))
        try {
          await session.make(step, info.id, n)
          failed = ''
        } catch (error) {
          failed = (error as Error).message
          if (error instanceof CallError && error.data.code === 'internal') wrong(`${step.kind}: ${(error as Error).stack}`, 'crash')
        }
        round.at(n, `${step.kind}${failed === '' ? '' : `: ${failed}`}`)
        state = await session.stateOf(info.id)
        const changed = differing(state, before)
        if (failed !== '' && changed.length > 0 && step.kind !== 'save')
          wrong(`${step.kind} failed (${failed}) and changed ${changed.join(', ')}`)
        if (failed === '' && changed.length > 0 && !['edit', 'undo', 'redo'].includes(step.kind))
          wrong(`${step.kind} changed ${changed.join(', ')}`)
        if (step.kind === 'save' && failed !== '' && changed.length > 0)
          wrong(`a save that failed (${failed}) changed the open model: ${changed.join(', ')}`)
        contents.add(JSON.stringify(state))
      }
      trouble.end()
      checkDisk(wrong)
      // half of the times by another run, which finds what this one left
      if (random.chance(2)) {
        await session.services.close()
        session = new Session(place)
        await session.start()
        await session.recover()
      }
      const opened = await session.open()
      ;({ info, scene } = opened)
      const now = await session.stateOf(info.id)
      const lost = differing(now, state)
      if (lost.length > 0) wrong(`after the trouble: ${lost.map((ref) => `${ref} ${now[ref]} for ${state[ref]}`).join(', ')}`, 'lost')
      state = now
      for (const [ref, hash] of Object.entries(state)) saved.set(ref, (saved.get(ref) ?? new Set()).add(hash))
      try {
        await session.make({ kind: 'save' }, info.id, n)
      } catch (error) {
        wrong(`what could not be saved cannot be saved afterwards: ${(error as Error).message}`)
      }
      checkDisk(wrong)
    }
    await session.services.close()
    const left = leftovers([place.game, place.mod, place.out])
    if (left.length > 0 && round.findings.list.length === 0)
      round.findings.add('wrong', n, `${world.kind}, ${place.mode}: temporary files are left: ${left.join(', ')}`)

    function checkDisk(wrong: (what: string) => void): void {
      try {
        const folder = bodies(place.mode === 'mod-folder' ? place.mod : place.game, world)
        for (const [ref, body] of folder) {
          const known = saved.get(ref)
          if (known && ref in initial && !known.has(shortHash(body))) wrong(`${ref} on disk is neither as it was nor as it was saved`)
        }
      } catch (error) {
        wrong(`an archive does not read: ${(error as Error).message}`)
      }
    }
  } catch (error) {
    round.findings.add('crash', n, `${world.kind}, ${place.mode}: ${(error as Error).stack ?? String(error)}`)
  } finally {
    round.counting.heal()
    disk?.free()
    try {
      disk?.readOnly(false)
    } catch {
      // it is writable
    }
    await session.services.close().catch(() => {})
    disk?.gone()
  }
  return n
}
