/**
 * Archives that no game's tools write and that every reader takes: bodies in any order, apart, in one another or at one place, without
 * bytes, names as long as there is room, twice or with more behind their end, and junk in all that nobody reads. Each kind by its seed.
 */
import { Random } from '../fuzz/random.ts'
import { nameCrc } from '../../src/main/formats/w3d/archives/mix-tables.ts'
import { joined } from './archive-cases.ts'
import { discDirectory, DISC_ENDINGS, readDirectories } from './discs.ts'
import { junk } from './hostile.ts'
import { readBig, readImg1, readImg2, readMix, readPack } from './read-archives.ts'
import type { ArchiveCase } from './archive-cases.ts'
import type { DiscEnding } from './discs.ts'

const SECTOR = 2048
const u32 = (...values: number[]): Uint8Array => new Uint8Array(Uint32Array.from(values).buffer)
const big32 = (...values: number[]): Uint8Array => {
  const out = new DataView(new ArrayBuffer(4 * values.length))
  values.forEach((value, i) => out.setUint32(4 * i, value))
  return new Uint8Array(out.buffer)
}

/** A range of the data file. */
export type Extent = [start: number, end: number]

export interface OddArchive extends ArchiveCase {
  /** letters of the longest name */
  longest: number
  /** where the bodies stand, in the order of the table, and what the tables take of the data file: by the test's own reading */
  layout(...files: Uint8Array[]): Layout
}

export interface Layout {
  bodies: Extent[]
  tables: Extent[]
}

interface Body {
  name: string
  offset: number
  size: number
}

interface Laid {
  bodies: Body[]
  /** where the last one ends */
  end: number
}

/** Names of all lengths, each either new or one that is there in other letters. */
function namesOf(random: Random, count: number, longest: number, parts: boolean): string[] {
  const names: string[] = []
  for (let i = 0; i < count; i++) {
    if (names.length > 0 && random.chance(6)) {
      const twin = random.pick(names)
      names.push(random.chance(2) ? twin.toUpperCase() : twin)
      continue
    }
    const stem = `${parts && random.chance(3) ? 'Art\\' : ''}m${i}`
    const room = longest - stem.length - 4
    names.push(`${stem}${'q'.repeat(random.chance(4) ? room : random.below(Math.min(9, room)))}.dat`)
  }
  return names
}

/** Bodies in an order of their own, from `start` on, in units of so many bytes. */
function lay(random: Random, names: readonly string[], start: number, unit: number, most: number): Laid {
  const bodies: Body[] = names.map((name) => ({ name, offset: start, size: random.chance(5) ? 0 : unit * (1 + random.below(most)) }))
  let end = start
  const placed: Body[] = []
  for (const body of bodies.toSorted(() => random.below(3) - 1)) {
    const other = placed.length > 0 ? random.pick(placed) : undefined
    if (body.size === 0) body.offset = other && random.chance(2) ? other.offset + unit * random.below(2) : end
    else if (other && random.chance(5)) {
      // the same bytes, or some of them
      const inside = unit * random.below(Math.ceil(other.size / unit))
      body.offset = other.offset + inside
      body.size = random.chance(2) ? Math.max(unit, other.size - inside) : body.size
    } else body.offset = end + (random.chance(2) ? unit * random.below(4) : 0)
    end = Math.max(end, body.offset + body.size)
    placed.push(body)
  }
  return { bodies, end }
}

/** A field with a name and junk behind its end; a name that fills it has no end. */
function field(name: string, size: number, seed: number): Uint8Array {
  const out = junk(size, seed)
  out.set(Buffer.from(name.length < size ? `${name}\0` : name, 'latin1'))
  return out
}

function img(version: 1 | 2, random: Random): OddArchive {
  // with 63 entries the directory of version 2 takes its second sector
  const count = version === 1 ? 1 + random.below(7) : random.chance(4) ? 61 + random.below(3) : random.below(8)
  const names = namesOf(random, count, 24, false)
  const start = version === 1 ? random.below(2) : Math.ceil((8 + 32 * count) / SECTOR) + random.below(3)
  const { bodies, end } = lay(random, names, start, 1, count > 8 ? 1 : 4)
  const entry = ({ name, offset, size }: Body, i: number): Uint8Array => {
    // the size stands in either word of version 2
    const sizes = version === 1 ? u32(size) : size > 0 && random.chance(3) ? u32((size << 16) | random.below(9)) : u32(size)
    return joined(u32(offset), sizes, field(name, 24, 900 + i))
  }
  const table = joined(...bodies.map(entry))
  // the last body is whole; what is behind it need not be
  const data = junk(SECTOR * end + (random.chance(2) ? random.below(5000) : 0), random.u32())
  const places = (file: Uint8Array, at: number, count: number): Extent[] => {
    const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
    return Array.from({ length: count }, (_, i) => {
      const offset = SECTOR * view.getUint32(at + 32 * i, true)
      const size =
        version === 1
          ? view.getUint32(at + 32 * i + 4, true)
          : view.getUint16(at + 32 * i + 6, true) || view.getUint16(at + 32 * i + 4, true)
      return [offset, offset + SECTOR * size]
    })
  }
  const common = { unit: SECTOR, longest: 23 }
  if (version === 1)
    return {
      ...common,
      files: { 'gta3.img': data, 'gta3.dir': table },
      read: readImg1,
      layout: (_data, directory) => ({ bodies: places(directory, 0, directory.length >> 5), tables: [] }),
    }
  const head = joined(Buffer.from('VER2'), u32(bodies.length), table)
  return {
    ...common,
    files: { 'gta3.img': joined(head, data.subarray(Math.min(head.length, data.length))) },
    read: readImg2,
    layout: (file) => {
      const count = new DataView(file.buffer, file.byteOffset).getUint32(4, true)
      return { bodies: places(file, 8, count), tables: [[0, 8 + 32 * count]] }
    },
  }
}

function big(magic: 'BIGF' | 'BIG4', random: Random): OddArchive {
  const names = namesOf(random, random.below(8), 200, true)
  const tableEnd = names.reduce((sum, name) => sum + 9 + name.length, 16)
  const { bodies, end } = lay(random, names, tableEnd + (random.chance(2) ? 0 : 8), 1, 400)
  const size = Math.max(end, tableEnd) + (random.chance(2) ? 0 : random.below(60))
  const told = random.pick([size, 0, 77])
  const head = joined(
    Buffer.from(magic),
    random.chance(2) ? u32(told) : big32(told),
    big32(bodies.length, tableEnd - random.below(2)),
    ...bodies.map((body) => joined(big32(body.offset, body.size), Buffer.from(`${body.name}\0`, 'latin1'))),
  )
  return {
    files: { 'x.big': joined(head, junk(size - head.length, random.u32())) },
    read: readBig,
    longest: 255,
    layout: (file) => {
      const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
      let at = 16
      const found = Array.from({ length: view.getUint32(8) }, (): Extent => {
        const extent: Extent = [view.getUint32(at), view.getUint32(at) + view.getUint32(at + 4)]
        at += 9 + file.subarray(at + 8).indexOf(0)
        return extent
      })
      return { bodies: found, tables: [[0, at]] }
    },
  }
}

function mix(random: Random): OddArchive {
  const names = namesOf(random, 1 + random.below(7), 254, false)
  const upper = (name: string): string => name.toUpperCase()
  // names are found by their sums: of two alike nobody says which is which, so that they stand side by side
  const inOrder = random.chance(2) ? names.toSorted((a, b) => nameCrc(Buffer.from(a)) - nameCrc(Buffer.from(b))) : names
  const order = inOrder.toSorted(
    (a, b) => inOrder.findIndex((one) => upper(one) === upper(a)) - inOrder.findIndex((one) => upper(one) === upper(b)),
  )
  const listed = random.chance(2) ? order : order.toSorted((a, b) => upper(b).localeCompare(upper(a), 'en'))
  const text = joined(u32(listed.length), ...listed.map((name) => joined([name.length + 1], Buffer.from(`${name}\0`, 'latin1'))))
  const tableSize = 4 + 12 * order.length
  // the tables in front of the bodies, among them or behind them
  const first = 12 + random.below(9)
  const laid = lay(random, order, first, 1, 300)
  const cut = random.pick([first, laid.end, laid.bodies[0].offset])
  const gap = random.below(7)
  const more = tableSize + gap + text.length + random.below(7)
  const safe = laid.bodies.every(({ offset, size }) => offset >= cut || offset + size <= cut)
  const at = safe ? cut : laid.end
  const bodies = laid.bodies.map((body) => (body.offset >= at && body.size > 0 ? { ...body, offset: body.offset + more } : body))
  const [tableAt, namesAt] = random.chance(2) ? [at, at + tableSize + gap] : [at + text.length + gap, at]
  const out = junk(Math.max(laid.end, at) + more + random.below(50), random.u32())
  out.set(joined(Buffer.from('MIX1'), u32(tableAt, namesAt)))
  out.set(joined(u32(order.length), ...bodies.map(({ name, offset, size }) => u32(nameCrc(Buffer.from(name)), offset, size))), tableAt)
  out.set(text, namesAt)
  return {
    files: { 'x.mix': out },
    read: readMix,
    sorted: true,
    longest: 254,
    layout: (file) => {
      const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
      const [table, list] = [view.getUint32(4, true), view.getUint32(8, true)]
      const count = view.getUint32(table, true)
      let end = list + 4
      for (let i = 0; i < view.getUint32(list, true); i++) end += 1 + file[end]
      return {
        bodies: Array.from({ length: count }, (_, i): Extent => {
          const offset = view.getUint32(table + 8 + 12 * i, true)
          return [offset, offset + view.getUint32(table + 12 + 12 * i, true)]
        }),
        tables: [
          [0, 12],
          [table, table + 4 + 12 * count],
          [list, end],
        ],
      }
    },
  }
}

function pack(random: Random): OddArchive {
  const names = namesOf(random, 1 + random.below(6), 63, false)
  const records = names.map((name, i) => {
    const size = random.chance(5) ? 0 : 1 + random.below(200)
    const dataOffset = 0x50 + (random.chance(4) ? 16 : 0)
    const stride = ((dataOffset + size + 15) & ~15) + (random.chance(4) ? 16 * random.below(4) : 0)
    return joined(field(name, 64, i), u32(dataOffset, size, stride, 0xabcd), junk(stride - 0x50, 500 + i))
  })
  return {
    files: { 'x.chr': joined(...records, [0], junk(63, 8), u32(0x50, 0xffffffff, 0xffffffff, 0xabcd), junk(random.below(40), 9)) },
    read: readPack,
    longest: 63,
    // what stands in a record moves with it: its header is a table, and so is the record of the end
    layout: (file) => {
      const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
      const [bodies, tables]: [Extent[], Extent[]] = [[], []]
      let at = 0
      for (; file[at] !== 0; at += view.getUint32(at + 0x48, true)) {
        const start = at + view.getUint32(at + 0x40, true)
        bodies.push([start, start + view.getUint32(at + 0x44, true)])
        tables.push([at, at + 0x50])
      }
      return { bodies, tables: [...tables, [at, at + 0x50]] }
    },
  }
}

function disc(endings: readonly DiscEnding[], random: Random): OddArchive {
  const names = namesOf(random, 1 + random.below(7), 40, true)
  const { bodies, end } = lay(random, names, random.below(2), 1, 4)
  // a record of no bytes in the first sector would end the list
  const list = bodies.map(({ name, offset, size }) => ({
    name,
    sector: size === 0 ? Math.max(1, offset) : offset,
    size: Math.max(0, size * SECTOR - random.below(SECTOR)),
  }))
  const files: Record<string, Uint8Array> = { 'DATA.DAT': junk(SECTOR * end + random.below(300), random.u32()) }
  // a record behind the list names bytes of its own, perhaps behind the end of the data
  const hidden = { sector: random.pick([0, end, end + 2]), size: 500 }
  for (const ending of endings) files[`DATA.${ending}`] = discDirectory(ending, list, hidden)
  const named = Object.keys(files)
  return {
    files,
    read: (...given) => {
      const [first, ...others] = readDirectories((name) => given[named.indexOf(name)], endings)
      for (const other of others)
        if (
          JSON.stringify(other.map(({ name, bytes }) => [name, bytes.length])) !==
          JSON.stringify(first.map(({ name, bytes }) => [name, bytes.length]))
        )
          throw new Error('the directories do not agree')
      return first.map(({ name, bytes }) => ({ name, bytes, rest: '' }))
    },
    longest: 40,
    layout: (...given) => {
      // of the last directory, which is the one that is opened
      const directory = given.at(-1)!
      const view = new DataView(directory.buffer, directory.byteOffset, directory.byteLength)
      const ending = endings.at(-1)!
      const [words, size, sector] = { HED: [20, 17, 16], HD2: [8, 5, 6], HD3: [4, 1, 2], HD4: [3, 1, 2] }[ending]
      return {
        bodies: Array.from({ length: list.length }, (_, i): Extent => {
          const at = 4 * words * i
          const start = view.getUint32(at + 4 * sector, true) * (ending === 'HED' ? 1 : SECTOR)
          return [start, start + view.getUint32(at + 4 * size, true)]
        }),
        tables: endings.every((one) => one === 'HED') ? [] : [[SECTOR * hidden.sector, SECTOR * hidden.sector + hidden.size]],
      }
    },
  }
}

export const oddArchives: Readonly<Record<string, (seed: number) => OddArchive>> = {
  'IMG v1': (seed) => img(1, new Random(seed, 1)),
  'IMG v2': (seed) => img(2, new Random(seed, 2)),
  BIG: (seed) => big('BIGF', new Random(seed, 3)),
  BIG4: (seed) => big('BIG4', new Random(seed, 4)),
  MIX: (seed) => mix(new Random(seed, 5)),
  PAK: (seed) => pack(new Random(seed, 6)),
  HED: (seed) => disc(['HED'], new Random(seed, 7)),
  HD2: (seed) => disc(['HD2'], new Random(seed, 8)),
  HD3: (seed) => disc(['HD3'], new Random(seed, 9)),
  HD4: (seed) => disc(['HD4'], new Random(seed, 10)),
  'disc of four directories': (seed) => disc(DISC_ENDINGS, new Random(seed, 11)),
}
