/** The command line: `marrow`. Run by bin/marrow.mjs. */
import { runCommandLine } from './command-line.ts'

// a reader that closes early (`marrow info x | head`) is no failure
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
})

const cancelled = new AbortController()
process.once('SIGINT', () => cancelled.abort())
process.once('SIGTERM', () => cancelled.abort())

process.exitCode = await runCommandLine(
  process.argv.slice(2),
  { out: (text) => void process.stdout.write(text), err: (text) => void process.stderr.write(text), terminal: process.stderr.isTTY === true },
  { signal: cancelled.signal },
)
