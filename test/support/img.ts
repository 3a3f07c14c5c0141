/** An IMG archive of version 2, put together without the codec: members in whole sectors behind each other, junk in the padding of names. */
import { junk } from './hostile.ts'

const SECTOR = 2048

export function img2Bytes(members: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const entries = Object.entries(members)
  let sector = Math.ceil((8 + 32 * entries.length) / SECTOR)
  const total = sector + entries.reduce((n, [, bytes]) => n + Math.ceil(bytes.length / SECTOR), 0)
  const out = new Uint8Array(total * SECTOR)
  const view = new DataView(out.buffer)
  out.set(Buffer.from('VER2'))
  view.setUint32(4, entries.length, true)
  entries.forEach(([name, bytes], i) => {
    const at = 8 + 32 * i
    const sectors = Math.ceil(bytes.length / SECTOR)
    view.setUint32(at, sector, true)
    view.setUint16(at + 4, sectors, true)
    out.set(junk(24, i + 1), at + 8)
    out.set(Buffer.from(`${name}\0`, 'latin1'), at + 8)
    out.set(bytes, sector * SECTOR)
    sector += sectors
  })
  return out
}
