/** Kills of the command line: a command that was cut off has done all or nothing, and the same command again does all. */
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { programFile } from './places.ts'
import { Random } from '../fuzz/random.ts'
import { Findings } from './findings.ts'
import { layOut } from './lay-out.ts'
import { bodies, checkOriginals, leftovers } from './oracle.ts'
import { runProgram } from './programs.ts'
import { placeBelow } from './session.ts'
import { makeWorld } from './worlds.ts'
import type { RoundOptions, RoundResult } from './findings.ts'
import type { WorldKind } from './worlds.ts'

/** Worlds whose models have windows in a script: text, which grows and shrinks. */
const KINDS: readonly WorldKind[] = ['pack', 'loose', 'hd2', 'hed', 'hd3']
const KILLS = 20
/** A kill falls on one of so many changes of the disk; a command makes some forty. */
const POINTS = 45

export async function commandLineRound(folder: string, options: RoundOptions): Promise<RoundResult> {
  const base = mkdtempSync(join(folder, 'commands-'))
  const random = new Random(options.seed, options.round, 6)
  const findings = new Findings('kills', options.round)
  const world = makeWorld(random.pick(KINDS))
  const place = placeBelow(base, 'in-place', world.models)
  const home = join(base, 'home')
  const zip = join(place.out, 'mod.zip')
  let kills = 0
  const wrong = (what: string, kind: 'wrong' | 'crash' = 'wrong'): void => findings.add(kind, kills, `${world.kind}, command line: ${what}`)
  const run = (args: string[], strike?: number) =>
    runProgram(options.programs, [programFile(options.programs, 'cli'), ...args], {
      root: base,
      allowed: [place.game, home, place.out],
      env: { MARROW_HOME: home },
      strike,
    })
  const whole = async (args: string[]): Promise<void> => {
    const { code, signal, trouble } = await run(args)
    if (code !== 0)
      wrong(`${args.slice(0, 2).join(' ')} after a kill ends by ${signal ?? code}: ${trouble.slice(-800)}`, signal ? 'crash' : 'wrong')
  }
  const look = (): string => {
    const hash = createHash('sha256')
    for (const [name, bytes] of [...bodies(place.game, world)].sort(([a], [b]) => (a < b ? -1 : 1)))
      hash.update(`\n${name}\n`).update(bytes)
    return hash.digest('hex')
  }
  try {
    layOut(place, world)
    const model = join(place.game, world.models[0].replace(/!hero\.mds$/, ''))
    await whole(['slice', 'set', model, '0', '--name', 'first', '--json'])
    for (; kills < KILLS && performance.now() < options.until && findings.list.length === 0; kills++) {
      const exports = random.chance(4)
      const args = exports
        ? ['patch', 'export', place.game, '--out', zip, '--force', '--json']
        : [
            'slice',
            'set',
            model,
            String(random.below(3)),
            '--name',
            'n'.repeat(1 + random.small(60)),
            '--start',
            '1',
            '--end',
            String(20 + random.below(60)),
            '--json',
          ]
      const before = look()
      const strike = 1 + random.below(POINTS)
      const { code, signal, trouble, lines } = await run(args, strike)
      options.trace?.(`command ${kills}: ${args.slice(0, 2).join(' ')}, strike ${strike}, ended by ${signal ?? code}`)
      if (signal !== 'SIGKILL' && code !== 0)
        wrong(`${args.slice(0, 2).join(' ')} ends by ${signal ?? code}: ${trouble.slice(-800)}`, 'crash')
      const outside = lines.find(([word]) => word === 'outside')
      if (outside) wrong(`changes what it may not: ${JSON.stringify(outside[1])}`)
      const cut = look()
      if (existsSync(zip)) unzipSync(new Uint8Array(readFileSync(zip)))
      await whole(args)
      const after = look()
      if (exports ? cut !== before || after !== before : cut !== before && cut !== after) wrong('a command that was killed has done a part')
      const problems: string[] = []
      checkOriginals(join(home, 'state'), world, problems)
      for (const problem of problems) wrong(problem)
    }
    const left = leftovers([place.game, place.out, home])
    if (left.length > 0 && findings.list.length === 0) wrong(`temporary files are left: ${left.join(', ')}`)
  } catch (error) {
    wrong(`it does not read: ${(error as Error).stack ?? String(error)}`)
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
  return { done: kills, findings: findings.list }
}
