/**
 * `npm run bench`: decoding against copying, scanning against reading, an edit and its answer, a click to the first frame, a long timeline; `npm run
 * bench -- library` those rows alone. Figures are for reading, never a test.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { format, resolveConfig } from 'prettier'
import { isBuilt, projectRoot } from '../../scripts/lib/build.mjs'
import { asServed } from './as-served.ts'
import { buildIn, compareGroup, printCompared, sideIn, withSourcesOf } from './compare.ts'
import { GROUPS } from './groups.ts'
import { appendHistory, commitOf, measured, readHistory, runNow } from './history.ts'
import { print, type Row } from './measure.ts'
import { speedPage } from './speed-page.ts'

const HELP = `npm run bench -- [ROWS...] [--save | --compare COMMIT [--rounds N]]

ROWS      ${Object.keys(GROUPS).join(', ')}; all of them where none is named
--save    puts what was measured at the end of test/bench/history.csv, and makes docs/speed.md anew
--compare measures the sources of a commit and these in turn, and prints then / now: above 1 is better. The measures and
          packages are those of now; a group that the commit cannot run is left out, and said
--rounds  how often each is measured for that (3)
--json    writes the rows into a file, for programs`

interface Wish {
  groups: string[]
  save: boolean
  compare: string | undefined
  rounds: number
  json: string | undefined
}

/** @throws Error with what is wrong about it */
function wishOf(args: string[]): Wish | undefined {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h' },
      save: { type: 'boolean' },
      compare: { type: 'string' },
      rounds: { type: 'string', default: '3' },
      json: { type: 'string' },
    },
  })
  if (values.help) return undefined
  const unknown = positionals.find((name) => !Object.hasOwn(GROUPS, name))
  if (unknown !== undefined) throw new Error(`No rows called ${unknown}: ${Object.keys(GROUPS).join(', ')}`)
  const rounds = Number(values.rounds)
  if (!Number.isSafeInteger(rounds) || rounds < 1) throw new Error(`--rounds ${values.rounds}: a number from 1`)
  if (values.compare !== undefined && (values.save || values.json !== undefined)) throw new Error('--compare saves nothing')
  const groups = Object.keys(GROUPS).filter((name) => positionals.length === 0 || positionals.includes(name))
  return { groups, save: values.save === true, compare: values.compare, rounds, json: values.json }
}

async function measure({ groups, save, json }: Wish): Promise<void> {
  const all: Row[] = []
  await asServed()
  for (const name of groups) {
    const run = runNow(commitOf(projectRoot))
    const rows = await GROUPS[name].rows()
    console.log()
    print(rows)
    all.push(...rows)
    // at once: what was measured is not lost with what comes after
    if (save) appendHistory(rows.map((row) => measured(run, row)))
  }
  if (json !== undefined) writeFileSync(json, JSON.stringify(all))
  if (!save) return
  const page = join(projectRoot, 'docs/speed.md')
  writeFileSync(page, await format(speedPage(readHistory()), { ...(await resolveConfig(page)), parser: 'markdown' }))
}

function compare({ groups, rounds }: Wish, commit: string): void {
  withSourcesOf(commit, (folder) => {
    if (groups.some((name) => GROUPS[name].built)) {
      buildIn(folder)
      if (!isBuilt('all')) buildIn(projectRoot)
    }
    for (const group of groups) {
      const { rows, failed } = compareGroup(group, sideIn(folder), sideIn(projectRoot), rounds)
      console.log()
      for (const why of failed) console.log(`(${group} cannot be compared; ${why})`)
      if (rows.length > 0) printCompared(rows, commit)
    }
  })
}

let wish: Wish | undefined
try {
  wish = wishOf(process.argv.slice(2))
} catch (error) {
  console.error((error as Error).message)
  process.exit(2)
}
if (!wish) console.log(HELP)
else {
  console.log(`Node ${process.version}`)
  if (wish.compare === undefined) await measure(wish)
  else compare(wish, wish.compare)
}
