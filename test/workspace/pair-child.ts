/** Edits both members of an archive in two files and saves, or restores the original after that, unless it is killed on the way; `0` lets it live. */
import { join } from 'node:path'
import { FileStore } from '../../src/main/files/store.ts'
import { MemoryNeighbourhood } from '../../src/main/files/memory-neighbourhood.ts'
import { Workspace } from '../../src/main/workspace/workspace.ts'
import { fakeFamily, fakeRegistry } from './fake-family.ts'
import type { Numbers } from './fake-family.ts'
import { killAtCall } from './kill-at.ts'

const [root, state, what, strike] = process.argv.slice(2)
const store = new FileStore({ registry: fakeRegistry })
const workspace = new Workspace({ files: store, stateFolder: state })
const primary = join(root, 'x.fdr!a.num')
const binding = fakeFamily.bind(store.folderOf(primary), MemoryNeighbourhood.of(store, root)).find((b) => b.primary === primary)!
const model = workspace.open({ family: fakeFamily, binding, around: MemoryNeighbourhood.of(store, root), library: root })
await workspace.edit(model.id, 'Grow', (session) => {
  model.refs().forEach((ref, i) => {
    session.edit<Numbers>(ref).values = Float32Array.from({ length: 40 + i }, (_, k) => 100 * i + k)
  })
})
if (what === 'save') killAtCall(Number(strike))
const { failed } = await workspace.save(model.id)
if (failed.length > 0) throw new Error(failed[0].message)
if (what === 'restore') {
  killAtCall(Number(strike))
  await workspace.restore(model.id, primary)
}
// what comes after the answer is not part of it
process.exit(0)
