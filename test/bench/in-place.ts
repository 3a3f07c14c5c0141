/** One byte of a member in a large archive, saved, against a copy of that archive. */
import { closeSync, copyFileSync, fsyncSync, ftruncateSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MemoryNeighbourhood } from '../../src/main/files/memory-neighbourhood.ts'
import { FileStore } from '../../src/main/files/store.ts'
import { encodeDocument } from '../../src/main/formats/format.ts'
import { dffFormat } from '../../src/main/formats/renderware/codecs/dff.ts'
import { renderware } from '../../src/main/formats/renderware/family.ts'
import { newDff } from '../../src/main/formats/renderware/make.ts'
import { Workspace } from '../../src/main/workspace/workspace.ts'
import { pedModel } from '../fixtures/renderware/ped.ts'
import { img2Bytes } from '../support/img.ts'
import { atMost, type Row } from './measure.ts'

/** MARROW_BENCH_IMG_MB asks for another size: a game's archive of all models has 900 and more. */
const SIZE = Number(process.env.MARROW_BENCH_IMG_MB ?? 256) * 2 ** 20
const SAVES = 5
const ALLOWED = 100

export async function inPlaceRows(): Promise<Row[]> {
  const base = mkdtempSync(join(tmpdir(), 'marrow-bench-'))
  try {
    const [root, archive] = [join(base, 'game'), join(base, 'game', 'gta3.img')]
    mkdirSync(root)
    const fd = openSync(archive, 'w')
    writeSync(fd, img2Bytes({ 'ped.dff': encodeDocument(dffFormat, newDff(pedModel())).bytes.slice() }))
    ftruncateSync(fd, SIZE)
    fsyncSync(fd)
    closeSync(fd)
    const copies: number[] = []
    const saves: number[] = []
    for (let i = 0; i < 2; i++) copies.push(copied(archive, join(base, 'copy.img')))
    rmSync(join(base, 'copy.img'))
    const store = new FileStore()
    const workspace = new Workspace({ files: store, stateFolder: join(base, 'state') })
    const around = MemoryNeighbourhood.of(store, root)
    const binding = renderware.bind(archive, around).find(({ primary }) => primary.endsWith('ped.dff'))!
    const model = workspace.open({ family: renderware, binding, around, library: root })
    // the first one keeps the original as well
    for (let i = 0; i <= SAVES; i++) {
      await workspace.edit(model.id, 'Move', (session) => {
        renderware.editor.skeleton!.setField!(session, 1, 'position', [1, 2, 3 + i], { keepSkin: false })
      })
      const start = performance.now()
      const { failed } = await workspace.save(model.id)
      saves.push(performance.now() - start)
      if (failed.length > 0) throw new Error(failed[0].message)
    }
    store.close()
    const [first, ...later] = saves
    const copy = Math.min(...copies)
    return [
      atMost('some bytes of a large IMG: saved', Math.min(...later), ALLOWED, { bytes: SIZE, note: `a copy ${copy.toFixed(0)} ms` }),
      { name: 'the same, the original kept first', bytes: SIZE, ms: first, against: 'a copy of it', againstMs: copy, aim: 0 },
    ]
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

function copied(from: string, to: string): number {
  const start = performance.now()
  copyFileSync(from, to)
  const fd = openSync(to, 'r+')
  fsyncSync(fd)
  closeSync(fd)
  return performance.now() - start
}
