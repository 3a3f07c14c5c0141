/**
 * Archives read by the test's own means, from the layouts in docs/formats: what is tested has no hand in it. A file that does not hold
 * together throws.
 */

export type ArchiveKind = 'pack' | 'big' | 'mix' | 'img1' | 'img2' | 'hd2' | 'hd3' | 'hed'

/** name with `/` between parts -> body, in the order of the directory */
export type Members = Map<string, Uint8Array>

const SECTOR = 2048

function cut(bytes: Buffer, offset: number, size: number, name: string): Uint8Array {
  if (offset + size > bytes.length) throw new Error(`${name} reaches to ${offset + size} of ${bytes.length} bytes`)
  return new Uint8Array(bytes.subarray(offset, offset + size))
}

function textAt(bytes: Buffer, offset: number, most: number): string {
  const field = bytes.subarray(offset, offset + most)
  const end = field.indexOf(0)
  if (end < 0) throw new Error(`a name at ${offset} has no end`)
  return field.toString('latin1', 0, end).replaceAll('\\', '/')
}

/** The file that holds the bodies, where it is another than the one with the names. */
export function companionOf(file: string, kind: ArchiveKind): string | undefined {
  if (kind === 'img1') return file.replace(/dir$/, 'img')
  if (kind === 'hd2' || kind === 'hd3' || kind === 'hed') return file.replace(/\.[^.]*$/, '.dat')
  return undefined
}

/** @param read the bytes of a file */
export function readArchive(file: string, kind: ArchiveKind, read: (path: string) => Buffer): Members {
  const data = companionOf(file, kind)
  return parseArchive(read(file), kind, data === undefined ? undefined : read(data))
}

export function parseArchive(bytes: Buffer, kind: ArchiveKind, data?: Buffer): Members {
  const members: Members = new Map()
  const put = (name: string, body: Uint8Array): void => {
    if (members.has(name)) throw new Error(`${name} is there twice`)
    members.set(name, body)
  }
  switch (kind) {
    case 'pack':
      for (let at = 0; ;) {
        if (at + 0x50 > bytes.length) throw new Error('the pack has no end')
        const name = textAt(bytes, at, 64)
        if (name === '') return members
        const start = bytes.readUInt32LE(at + 64)
        const stride = bytes.readUInt32LE(at + 72)
        put(name, cut(bytes, at + start, bytes.readUInt32LE(at + 68), name))
        at += stride
      }
    case 'big': {
      if (bytes.readUInt32LE(4) !== bytes.length) throw new Error(`the header says ${bytes.readUInt32LE(4)} of ${bytes.length} bytes`)
      let at = 16
      for (let i = 0; i < bytes.readUInt32BE(8); i++) {
        const name = textAt(bytes, at + 8, 300)
        put(name, cut(bytes, bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4), name))
        at += 8 + name.length + 1
      }
      return members
    }
    case 'mix': {
      const table = bytes.readUInt32LE(4)
      let at = bytes.readUInt32LE(8)
      const count = bytes.readUInt32LE(table)
      if (bytes.readUInt32LE(at) !== count) throw new Error('as many names as bodies')
      at += 4
      for (let i = 0; i < count; i++) {
        const length = bytes[at]
        const name = bytes.toString('latin1', at + 1, at + length)
        at += 1 + length
        const entry = table + 4 + 12 * i
        put(name, cut(bytes, bytes.readUInt32LE(entry + 4), bytes.readUInt32LE(entry + 8), name))
      }
      return members
    }
    case 'img1':
    case 'img2': {
      const two = kind === 'img2'
      if (two && bytes.toString('latin1', 0, 4) !== 'VER2') throw new Error('not VER2')
      const count = two ? bytes.readUInt32LE(4) : Math.floor(bytes.length / 32)
      for (let i = 0; i < count; i++) {
        const at = (two ? 8 : 0) + 32 * i
        const name = textAt(bytes, at + 8, 24)
        const sectors = two ? bytes.readUInt16LE(at + 6) || bytes.readUInt16LE(at + 4) : bytes.readUInt32LE(at + 4)
        // the last sector of the file may be cut
        const start = bytes.readUInt32LE(at) * SECTOR
        const from = two ? bytes : data!
        if (start > from.length) throw new Error(`${name} begins behind the end`)
        put(name, cut(from, start, Math.min(sectors * SECTOR, from.length - start), name))
      }
      return members
    }
    default: {
      const width = { hd2: 32, hd3: 16, hed: 0x50 }[kind]
      const end = kind === 'hed' ? bytes.length - width : bytes.readUInt32LE(0)
      for (let at = 0; at + width <= end; at += width) {
        const word = (n: number): number => bytes.readUInt32LE(at + 4 * n)
        const name = kind === 'hed' ? textAt(bytes, at, 64) : textAt(bytes, word(0), 300)
        const [offset, size] = {
          hd2: (): [number, number] => [word(4), word(5)],
          hd3: (): [number, number] => [word(2) * SECTOR, word(1)],
          hed: (): [number, number] => [word(16), word(17)],
        }[kind]()
        put(name, cut(data!, offset, size, name))
      }
      return members
    }
  }
}
