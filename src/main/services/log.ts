/**
 * The log of the state folder: errors, and one line for each long job. A line is written at once and by itself, so that it is there after a
 * crash and several runs can share a file; its size is bounded, files are turned over, and nobody but the user can read them. Nothing of
 * what is inside of a game's files goes into it. Logging never fails the work that is logged.
 *
 * A writer of our own: loggers of the field buffer or write in a thread, and lose the lines before a crash, which are the ones that matter; and
 * none of them turns over files that several processes write.
 */
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { FormatError } from '../binary/format-error.ts'

export type LogLevel = 'info' | 'warning' | 'error'

export interface Log {
  write(level: LogLevel, text: string): void
  /** what failed and why: code, message, file and place of a FormatError; the stack of anything else */
  failure(what: string, error: unknown): void
  /** lines of all files, oldest first, the newest `bytes` of them */
  lines(bytes?: number): string[]
}

export interface LogOptions {
  /** bytes of one file */
  most?: number
  /** older files that are kept */
  older?: number
  now?: () => Date
}

const MOST_LINE = 2000
const STACK_LINES = 12

export function logFolder(stateFolder: string): string {
  return join(stateFolder, 'log')
}

/** Nothing is made on disk before the first line. */
export function openLog(stateFolder: string, { most = 2 ** 20, older = 2, now = () => new Date() }: LogOptions = {}): Log {
  const folder = logFolder(stateFolder)
  const file = (age: number): string => join(folder, age === 0 ? 'marrow.log' : `marrow.${age}.log`)
  let last = ''
  let repeated = 0

  function append(line: string): void {
    const bytes = Buffer.from(`${now().toISOString()} ${line}\n`)
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const size = statSync(file(0), { throwIfNoEntry: false })?.size ?? 0
      if (size > 0 && size + bytes.length > most) turnOver()
      // never through a link that somebody put there
      const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW = 0 } = constants as typeof constants & { O_NOFOLLOW?: number }
      const handle = openSync(file(0), O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o600)
      try {
        writeSync(handle, bytes)
      } finally {
        closeSync(handle)
      }
    } catch {
      // a full disk or a folder without rights: the work goes on
    }
  }

  function turnOver(): void {
    rmSync(file(older), { force: true })
    for (let age = older - 1; age >= 0; age--) if (existsSync(file(age))) renameSync(file(age), file(age + 1))
    for (let age = 1; age <= older; age++) if (existsSync(file(age))) chmodSync(file(age), 0o600)
  }

  function write(level: LogLevel, text: string): void {
    const line = `${level} ${oneLine(text)}`
    // something that fails every second says so once
    if (line === last) {
      repeated++
      return
    }
    // eslint-disable-next-line texts/in-catalogue -- the log speaks English
    if (repeated > 0) append(`info the line before came ${repeated} more ${repeated === 1 ? 'time' : 'times'}`)
    last = line
    repeated = 0
    append(line)
  }

  return {
    write,
    failure: (what, error) => write(levelOf(error), `${what}: ${describeFailure(error)}`),
    lines(bytes = most) {
      const found: string[] = []
      for (let age = older; age >= 0; age--) {
        try {
          found.push(...readFileSync(file(age), 'utf8').split('\n').filter(Boolean))
        } catch {
          // this older file does not exist yet
        }
      }
      let room = bytes
      let first = found.length
      while (first > 0 && (room -= Buffer.byteLength(found[first - 1]) + 1) >= 0) first--
      return found.slice(first)
    },
  }
}

/** A host's own last resort: what nobody caught is in the log before the process ends as it would have. */
export function logUncaught(log: Log): () => void {
  const onError = (error: unknown, origin: string): void => log.failure(`uncaught (${origin})`, error)
  process.on('uncaughtExceptionMonitor', onError)
  return () => process.off('uncaughtExceptionMonitor', onError)
}

function levelOf(error: unknown): LogLevel {
  return error instanceof FormatError && error.code !== 'internal' && error.code !== 'io' ? 'warning' : 'error'
}

function describeFailure(error: unknown): string {
  if (error instanceof FormatError) {
    const { code, message, file, path, offset } = error
    return [`${code} ${message}`, file && `file ${file}`, path && `at ${path}`, offset >= 0 && `offset ${offset}`]
      .filter(Boolean)
      .join(' · ')
  }
  if (error instanceof Error)
    return (error.stack ?? error.message)
      .split('\n')
      .slice(0, STACK_LINES)
      .map((line) => line.trim())
      .join(' | ')
  return String(error)
}

function oneLine(text: string): string {
  const plain = text.toWellFormed().replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
  return plain.length > MOST_LINE ? `${plain.slice(0, MOST_LINE).toWellFormed()}…` : plain
}
