/** Puts a member into an archive of several files, a body in the place of another, or makes it anew, unless it is killed on the way; `0` lets it live. */
import { readFileSync } from 'node:fs'
import { FileStore } from '../../src/main/files/store.ts'
import { planArchiveChange } from '../../src/main/workspace/archive-edits.ts'
import { archiveTarget, writeArchiveChange } from '../../src/main/workspace/archive-writes.ts'
import { Originals } from '../../src/main/workspace/originals.ts'
import { StateFiles } from '../../src/main/workspace/state-files.ts'
import { killAtCall } from './kill-at.ts'

const [archive, file, state, member, strike] = process.argv.slice(2)
const store = new FileStore()
const bytes = new Uint8Array(readFileSync(file))
const planned = planArchiveChange(
  store,
  archive,
  member === 'rebuild'
    ? { kind: 'rebuild' }
    : member
      ? { kind: 'replace', member: Number(member), bytes }
      : { kind: 'add', members: [{ name: 'new.dff', bytes }] },
)
const target = archiveTarget(store, archive, { mode: 'in-place', root: '', folder: '' })
killAtCall(Number(strike))
await writeArchiveChange(store, new Originals(new StateFiles(state)), planned, target)
// what comes after the answer is not part of it
process.exit(0)
