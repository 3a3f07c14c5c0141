/** Edits a ped of an archive and saves it into a mod folder as loose files, unless it is killed on the way; `0` lets it live. */
import { join } from 'node:path'
import { FileStore } from '../../src/main/files/store.ts'
import { MemoryNeighbourhood } from '../../src/main/files/memory-neighbourhood.ts'
import { texturesOf } from '../../src/main/formats/renderware/codecs/txd.ts'
import type { TxdDocument } from '../../src/main/formats/renderware/codecs/txd.ts'
import { renderware } from '../../src/main/formats/renderware/family.ts'
import { Workspace } from '../../src/main/workspace/workspace.ts'
import { killAtCall } from './kill-at.ts'

const [base, height, strike] = process.argv.slice(2)
const [root, mod] = [join(base, 'game'), join(base, 'mod')]
const store = new FileStore()
const workspace = new Workspace({
  files: store,
  stateFolder: join(base, 'state'),
  place: () => ({ mode: 'mod-folder', root, folder: mod, loose: true }),
})
const around = MemoryNeighbourhood.of(store, root)
const binding = renderware.bind(join(root, 'gta3.img'), around).find(({ primary }) => primary.endsWith('ped.dff'))!
const model = workspace.open({ family: renderware, binding, around, library: root })
for (const { id, damage } of await workspace.recoverable())
  await (damage?.restorable === false ? workspace.discardRecovery(id) : workspace.recover(id, model))
await workspace.edit(model.id, 'Move', (session) => {
  renderware.editor.skeleton!.setField!(session, 1, 'position', [1, 2, Number(height)], { keepSkin: false })
  const txd = model.refs().find((ref) => ref.endsWith('ped.txd'))!
  texturesOf(session.edit<TxdDocument>(txd))[0].native!.filterAddressing = 0x1100 + Number(height)
})
killAtCall(Number(strike))
const { failed } = await workspace.save(model.id)
if (failed.length > 0) throw new Error(failed[0].message)
// what comes after the answer is not part of it
process.exit(0)
