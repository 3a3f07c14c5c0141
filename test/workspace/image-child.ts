/**
 * Puts a file into a copy of an image of a disc, unless it is killed on the way; `0` lets it live. The copy is new, or one that Marrow made before,
 * which this program makes first where it is not there.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { FileStore } from '../../src/main/files/store.ts'
import { sweepTemporaries } from '../../src/main/workspace/atomic.ts'
import { planImage, writeImage } from '../../src/main/workspace/image-edits.ts'
import { Originals } from '../../src/main/workspace/originals.ts'
import { StateFiles } from '../../src/main/workspace/state-files.ts'
import { killAtCall } from './kill-at.ts'

const [base, member, before, strike] = process.argv.slice(2)
const [image, copy] = [join(base, 'game', 'game.iso'), join(base, 'out', 'copy.iso')]
const store = new FileStore()
const originals = new Originals(new StateFiles(join(base, 'state')))
const write = async (file: string): Promise<void> => {
  // as every save begins
  if (existsSync(dirname(copy))) await sweepTemporaries(copy)
  const from = existsSync(copy) ? copy : image
  const bytes = new Uint8Array(readFileSync(join(base, file)))
  await writeImage(store, originals, planImage(store, from, new Map([[`${from}!DATA.HD2!${member}`, bytes]])), copy, {})
}
if (before && !existsSync(copy)) await write(before)
killAtCall(Number(strike))
await write('new.bin')
// what comes after the answer is not part of it
process.exit(0)
