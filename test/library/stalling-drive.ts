/**
 * The fake family in a worker whose drive does not answer: `MARROW_STALL` names a pipe that nobody writes to, and whoever asks for a path with `-stalls` in it
 * is held by the system in opening that pipe, as by a network drive that is gone. `open-stalls`, `stat-stalls` and `list-stalls` say which question has no
 * answer; `bind-stalls` has none once files are put together.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename } from 'node:path'
import { fakeFamily } from '../files/fake-family.ts'

const pipe = process.env.MARROW_STALL
const { openSync, statSync, readdirSync } = fs
let binding = false

function held(path: unknown, ...words: string[]): void {
  if (pipe && typeof path === 'string' && words.some((word) => basename(path).includes(`${word}-stalls`))) fs.closeSync(openSync(pipe, 'r'))
}

Object.assign(fs, {
  openSync(...args: Parameters<typeof openSync>) {
    held(args[0], 'open')
    return openSync(...args)
  },
  statSync(...args: Parameters<typeof statSync>) {
    held(args[0], 'stat', ...(binding ? ['bind'] : []))
    return statSync(...args)
  },
  readdirSync(...args: Parameters<typeof readdirSync>) {
    held(args[0], 'list')
    return readdirSync(...args)
  },
})
syncBuiltinESMExports()

export const families = [
  {
    ...fakeFamily,
    bind(folder: string, around: Parameters<typeof fakeFamily.bind>[1]) {
      binding = true
      for (const { ref } of around.inFolder(folder)) around.document(ref)
      binding = false
      return fakeFamily.bind(folder, around)
    },
  },
]
