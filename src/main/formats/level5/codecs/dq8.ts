/**
 * Dragon Quest VIII uses the same names for other bytes: MDS version 200 (80-byte header, 160-byte nodes, 16-bit vertices)
 * and a MOT with a header of its own and quantised keys. Both are recognised so that they can be refused by name.
 */
import { refuse } from '../../format.ts'
import { say } from '../texts/index.ts'

export const DQ8_MDS_VERSION = 200

/**
 * A MOT of Dragon Quest VIII: a 64-byte header with the header size at 0x08, the bone count at 0x1C and the file's size
 * at 0x30 (an open converter's reading). A track list has a node number, a target and a small type in these places.
 */
export function isDq8Mot(head: Uint8Array, size: number): boolean {
  if (head.length < 64) return false
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  if (view.getInt32(12, true) === 0x20 && view.getInt32(0, true) < 0x10000) return false
  const magic = head[0] === 0x4d && head[1] === 0x4f && head[2] === 0x54
  const bones = view.getInt32(28, true)
  const measured = view.getInt32(8, true) === 64 && view.getInt32(48, true) === size && bones >= 0 && bones <= size / 16
  return magic || measured
}

export function refuseDq8(ref: string, what: 'animation' | 'model'): never {
  refuse(ref, say(`codecs.dq8.${what}`))
}
