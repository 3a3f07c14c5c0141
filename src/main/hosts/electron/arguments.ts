/** What a start of the application was asked to open: files and folders that are there, and words of the desktop's menus. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { MOST_PATHS } from '../../../shared/api/desktop.ts'

/** Commands that a desktop entry can start the application with: `--sample`, `--last` */
export type StartWord = 'sample' | 'last'

export interface StartRequest {
  paths: string[]
  word?: StartWord
}

const requestSchema = v.object({
  paths: v.pipe(v.array(v.pipe(v.string(), v.maxLength(4096))), v.maxLength(MOST_PATHS)),
  word: v.optional(v.picklist(['sample', 'last'])),
})

/** @param argv of the process; Chromium's own switches stand among them */
export function startRequest(argv: readonly string[], { cwd, packaged }: { cwd: string; packaged: boolean }): StartRequest {
  const given = argv.slice(packaged ? 1 : 2)
  const paths = given
    .filter((argument) => argument !== '' && !argument.startsWith('-'))
    .flatMap((argument) => pathOf(argument, cwd))
    .filter((path) => existsSync(path))
    .slice(0, MOST_PATHS)
  const word = given.includes('--sample') ? 'sample' : given.includes('--last') ? 'last' : undefined
  return word ? { paths, word } : { paths }
}

/** File managers of Linux hand over addresses (`%U` of the desktop entry). */
function pathOf(argument: string, cwd: string): string[] {
  if (!/^file:\/\//i.test(argument)) return [resolve(cwd, argument)]
  try {
    return [fileURLToPath(argument)]
  } catch {
    // of another machine, or none at all
    return []
  }
}

/** What a second start handed over: another process made it. */
export function readRequest(data: unknown): StartRequest {
  const parsed = v.safeParse(requestSchema, data)
  return parsed.success ? parsed.output : { paths: [] }
}
