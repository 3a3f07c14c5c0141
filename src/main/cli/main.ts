/** The command line: `marrow`. Run by bin/marrow.mjs. */
import { localeOf, say, setLocale } from '../../shared/texts/say.ts'
import { runCommandLine } from './command-line.ts'

setLocale(localeOf(process.env.MARROW_LOCALE))

// a reader that closes early (`marrow info x | head`) is no failure
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  process.stderr.write(`marrow: ${say('commandLine.outputLost', { why: error.message })}\n`)
  process.exit(1)
})

const cancelled = new AbortController()
let asked = 0
const stop = (): void => {
  // a terminal and the starter both pass on one Ctrl+C; another one a while later is meant
  if (asked > 0 && Date.now() - asked > 1000) process.exit(130)
  asked ||= Date.now()
  cancelled.abort()
}
// only for commands that listen to it: the others end at once
const signal = (): AbortSignal => {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, stop)
  return cancelled.signal
}

process.exitCode = await runCommandLine(
  process.argv.slice(2),
  {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    terminal: process.stderr.isTTY === true,
  },
  { signal },
)
