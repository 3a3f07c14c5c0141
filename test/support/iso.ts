/** Images of ISO 9660 made from the standard's tables, with junk wherever nothing is said. */
import { junk } from './hostile.ts'

export const SECTOR = 0x800

export interface IsoTree {
  [name: string]: Uint8Array | IsoTree
}

export interface MadeIso {
  image: Uint8Array
  /** where records stand, by path */
  records: Map<string, number>
  /** where files begin */
  places: Map<string, number>
}

interface Folder {
  path: string
  tree: IsoTree
  sector: number
  parent: Folder | undefined
  folders: Map<string, Folder>
}

/** Folders first, files in the order of the tree behind them; each directory has one sector. */
export function makeIso(tree: IsoTree, { descriptor = 16, tail = 0 } = {}): MadeIso {
  let next = descriptor + 2
  const folders: Folder[] = []
  const collect = (path: string, own: IsoTree, parent?: Folder): Folder => {
    const folder: Folder = { path, tree: own, sector: next++, parent, folders: new Map() }
    folders.push(folder)
    for (const [name, value] of Object.entries(own))
      if (!(value instanceof Uint8Array)) folder.folders.set(name, collect(`${path}${name}/`, value, folder))
    return folder
  }
  const root = collect('', tree)
  const places = new Map<string, number>()
  const bodies: [number, Uint8Array][] = []
  for (const { path, tree: own } of folders)
    for (const [name, value] of Object.entries(own))
      if (value instanceof Uint8Array) {
        places.set(path + name, next * SECTOR)
        bodies.push([next * SECTOR, value])
        next += Math.ceil(value.length / SECTOR)
      }
  const image = junk(next * SECTOR + tail, 123)
  for (const [at, body] of bodies) image.set(body, at)
  const view = new DataView(image.buffer)
  const both32 = (at: number, value: number): void => {
    view.setUint32(at, value, true)
    view.setUint32(at + 4, value, false)
  }
  const both16 = (at: number, value: number): void => {
    view.setUint16(at, value, true)
    view.setUint16(at + 2, value, false)
  }
  const record = (at: number, name: Uint8Array, sector: number, size: number, flags: number): number => {
    const length = (33 + name.length + 1) & ~1
    image.fill(0, at, at + length)
    image[at] = length
    both32(at + 2, sector)
    both32(at + 10, size)
    image.set([126, 11, 23, 12, 0, 0, 36, flags], at + 18)
    both16(at + 28, 1)
    image[at + 32] = name.length
    image.set(name, at + 33)
    return at + length
  }
  const records = new Map<string, number>()
  for (const folder of folders) {
    const start = folder.sector * SECTOR
    image.fill(0, start, start + SECTOR)
    let at = record(start, Uint8Array.of(0), folder.sector, SECTOR, 2)
    at = record(at, Uint8Array.of(1), (folder.parent ?? folder).sector, SECTOR, 2)
    for (const [name, value] of Object.entries(folder.tree)) {
      records.set(folder.path + name, at)
      const inner = folder.folders.get(name)
      const stored = Buffer.from(inner ? name : `${name};1`, 'latin1')
      at = inner
        ? record(at, stored, inner.sector, SECTOR, 2)
        : record(at, stored, places.get(folder.path + name)! / SECTOR, (value as Uint8Array).length, 0)
    }
  }
  for (let i = 16; i <= descriptor + 1; i++) {
    const at = i * SECTOR
    image[at] = i === descriptor ? 1 : i < descriptor ? 0 : 255
    image.set(Buffer.from('CD001\x01', 'latin1'), at + 1)
  }
  const at = descriptor * SECTOR
  image.set(Buffer.from('MARROW TEST'.padEnd(32), 'latin1'), at + 40)
  both32(at + 80, next)
  both16(at + 128, SECTOR)
  record(at + 156, Uint8Array.of(0), root.sector, SECTOR, 2)
  return { image, records, places }
}
