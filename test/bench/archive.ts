/** An archive of very many members on its page: until its first members are there, and how long the services answer nobody else meanwhile. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { makeBig } from '../../src/main/formats/w3d/archives/big.ts'
import { createServices } from '../../src/main/services/create-services.ts'
import { caller } from '../support/caller.ts'
import type { ArchiveStep } from '../../src/shared/api/types/archive.ts'
import { atMost, longestWork, type Row } from './measure.ts'

const MEMBERS = 100_000
const LONGEST = 20
/** what a click may take, and one that asks for what is known */
const ALLOWED = 250
const AGAIN = 60

export async function archiveRows(): Promise<Row[]> {
  const root = mkdtempSync(join(tmpdir(), 'marrow-bench-'))
  const services = createServices({ stateFolder: join(root, 'state'), host: 'web', watchEvery: 0 })
  try {
    const call = caller(() => services)
    const ref = join(root, 'game', 'Large.big')
    mkdirSync(join(root, 'game'))
    const bytes = new Uint8Array(16)
    writeFileSync(
      ref,
      makeBig(
        'BIGF',
        Array.from({ length: MEMBERS }, (_, i) => ({ name: `Data\\Scripts\\${i % 100}\\member${i}.dat`, bytes })),
      ),
    )
    await call('library.open', { root: join(root, 'game') })
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    // what comes late is seen from the loop's first turn on, and when it turns again
    const turns = (): Promise<void> => new Promise((done) => setTimeout(done, 20))
    await turns()
    delay.reset()
    const work = longestWork(1)
    const timed = async (work: () => Promise<unknown>): Promise<number> => {
      const start = performance.now()
      await work()
      return performance.now() - start
    }
    const page = (text: string): Promise<unknown> => call('archive.members', { ref, text, offset: 0, limit: 100 })
    const first = await timed(() => call('archive.open', { ref }).then(() => page('')))
    await turns()
    delay.disable()
    const own = work()
    const again = await timed(() => call('archive.open', { ref }).then(() => page('')))
    const found = await timed(() => page('member7'))
    const step = (one: ArchiveStep): Promise<number> => timed(() => call('archive.change', { ref, step: one }))
    const renamed = await step({ kind: 'rename', id: 5, name: 'other.dat' })
    const behind = await step({ kind: 'field', id: -1, path: 'archiveSize', value: '1' })
    return [
      atMost(`BIG of ${MEMBERS} members: opened, and its first members`, first, ALLOWED),
      atMost(`BIG of ${MEMBERS} members: longest block of the services`, delay.max / 1e6, LONGEST, {
        note: `its own work at a time: ${own.toFixed(0)} ms at most`,
      }),
      atMost(`BIG of ${MEMBERS} members: opened again`, again, AGAIN),
      atMost(`BIG of ${MEMBERS} members: those of a name`, found, ALLOWED),
      atMost(`BIG of ${MEMBERS} members: a member renamed`, renamed, ALLOWED),
      atMost(`BIG of ${MEMBERS} members: a field set behind that`, behind, ALLOWED),
    ]
  } finally {
    await services.close()
    rmSync(root, { recursive: true })
  }
}
