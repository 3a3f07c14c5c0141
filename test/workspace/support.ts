/** Workspaces over temporary folders. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { FileStore } from '../../src/main/files/store.ts'
import { MemoryNeighbourhood } from '../../src/main/files/memory-neighbourhood.ts'
import { Workspace } from '../../src/main/workspace/workspace.ts'
import type { OpenModel, OpenModelOptions } from '../../src/main/workspace/open-model.ts'
import type { SavePlace } from '../../src/main/workspace/mod-copies.ts'
import { afterEachTest } from '../support/at-end.ts'
import { fakeFamily, fakeRegistry } from './fake-family.ts'

const folders: string[] = []
const stores: FileStore[] = []
const workspaces: Workspace[] = []

afterEachTest(async () => {
  for (const workspace of workspaces.splice(0)) await workspace.closeAll()
  for (const store of stores.splice(0)) store.close()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'marrow-test-'))
  folders.push(folder)
  return folder
}

export function writeFiles(root: string, files: Record<string, Uint8Array>): void {
  for (const [name, bytes] of Object.entries(files)) {
    const path = join(root, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, bytes)
  }
}

export interface Bench {
  root: string
  state: string
  files: FileStore
  workspace: Workspace
  changed: string[]
  /** names of models, for each step that was shown ahead of its place in the journal */
  ahead: string[]
  /** the model of a file, to be opened */
  found(ref: string): OpenModelOptions
  open(ref: string): OpenModel
}

export function bench(
  files: Record<string, Uint8Array>,
  options: { root?: string; state?: string; place?: (root: string) => SavePlace; journalLimit?: number } = {},
): Bench {
  const base = options.root && options.state ? '' : temporaryFolder()
  const root = options.root ?? join(base, 'game')
  const state = options.state ?? join(base, 'state')
  mkdirSync(root, { recursive: true })
  writeFiles(root, files)
  const store = new FileStore({ registry: fakeRegistry })
  stores.push(store)
  const changed: string[] = []
  const ahead: string[] = []
  const place = options.place?.(root)
  const workspace = new Workspace({
    files: store,
    stateFolder: state,
    place: place && (() => place),
    journalLimit: options.journalLimit,
    onModelChanged: (model) => changed.push(model.binding.name),
    onModelAhead: (model) => ahead.push(model.binding.name),
  })
  workspaces.push(workspace)
  const found = (ref: string): OpenModelOptions => {
    const path = join(root, ref)
    const around = MemoryNeighbourhood.of(store, root)
    const binding = fakeFamily.bind(store.folderOf(path), around).find((b) => b.members.some((m) => m.ref === path))
    return { family: fakeFamily, binding: binding!, around, library: root }
  }
  return {
    root,
    state,
    files: store,
    workspace,
    changed,
    ahead,
    found,
    open: (ref) => workspace.open(found(ref)),
  }
}

/** No process has this number. */
const NOBODY = 2 ** 31 - 1

/** Runs on a state folder end as by a crash. Their signs stay, of a process that is gone: one that was taken away would come back with its next beat. */
function endRuns(state: string): void {
  for (const run of readdirSync(join(state, 'journals'))) {
    const sign = join(state, 'journals', run, 'alive')
    if (existsSync(sign)) writeFileSync(sign, `${NOBODY} ${crc32(String(NOBODY))}\n`)
  }
}

/** A second run on the same folders, as after a crash of the first. */
export function crash(b: Bench): Bench {
  endRuns(b.state)
  return bench({}, { root: b.root, state: b.state })
}
