/** Damage: from single bits to chunks that are moved, repeated and nested. */
import type { Random } from './random.ts'
import type { Seed } from './seeds.ts'

/** Words that readers stumble over: signs, powers, what overflows when multiplied by a stride, floats that are none. */
const WORDS = [
  0, 1, 2, 3, 0xff, 0x100, 0xffff, 0x10000, 0xffffffff, 0xfffffffe, 0x7fffffff, 0x80000000, 0x80000001, 0x10000000, 0x40000001, 0x20000001,
  0x15555556, 0x0ccccccd, 0x08000001, 0x04000001, 0x100000, 0x20000, 0x7fc00000, 0x7fa00001, 0x7f800000, 0xff800000, 0x7f7fffff, 0x3f800000,
  0xbf800000, 0x4b800000, 0x5f000000,
]
const RELATIVE = [
  (_at: number, size: number) => size,
  (at: number) => at,
  (at: number, size: number) => size - at,
  (at: number, size: number) => size - at - 4,
  (at: number) => -at,
  (_at: number, size: number) => size * 2,
  (at: number) => at + 4,
]
const HALVES = [0, 1, 0x7fff, 0x8000, 0xffff, 0xfffe, 0x100, 0x4000]
const TEXTS = [
  '99999999999999999999',
  '-1',
  '4294967296',
  '1e999',
  'NaN',
  '""',
  '"',
  '{',
  '}',
  ';',
  '//',
  '\0',
  '\r',
  '\n',
  '\t',
  ',',
  ',,,,',
  '../../../../etc/passwd',
  '__proto__',
  'constructor',
  '#',
  '%s%n',
  '\ufffd',
  '\x80\x81',
  '\x83',
  '!',
  '~2',
  '-0',
  '0x7fffffff',
  '0.0000001',
]

/** How many cases `sweep` has for a file: one for each word at each offset of four. */
export function sweepSize(bytes: Uint8Array): number {
  return Math.floor(bytes.length / 4) * (WORDS.length + RELATIVE.length)
}

/** One word set at one place: every place of a file is reached by counting up. */
export function sweep(bytes: Uint8Array, n: number): Uint8Array {
  const kinds = WORDS.length + RELATIVE.length
  const at = Math.floor(n / kinds) * 4
  const kind = n % kinds
  const out = bytes.slice()
  if (at + 4 <= out.length)
    new DataView(out.buffer).setUint32(at, kind < WORDS.length ? WORDS[kind] : RELATIVE[kind - WORDS.length](at, out.length), true)
  return out
}

export function mutate(seed: Seed, donors: readonly Seed[], random: Random): Uint8Array {
  let out: Uint8Array = seed.bytes.slice()
  for (let n = 1 + random.small(6); n > 0; n--) out = step(out, seed, donors, random)
  // a mutation that repeats must not win by size alone
  return out.length > 2 << 20 ? out.slice(0, 2 << 20) : out
}

function step(bytes: Uint8Array, seed: Seed, donors: readonly Seed[], random: Random): Uint8Array {
  if (bytes.length === 0) return Uint8Array.of(random.below(256))
  // beginnings hold the counts
  const place = (align: number): number =>
    Math.floor((random.chance(2) ? random.below(bytes.length) : random.small(bytes.length)) / align) * align
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  switch (random.below(16)) {
    case 0:
      bytes[place(1)] ^= 1 << random.below(8)
      return bytes
    case 1:
    case 2:
    case 3: {
      const at = place(random.chance(6) ? 1 : 4)
      if (at + 4 <= bytes.length)
        view.setUint32(
          at,
          random.chance(4) ? random.pick(RELATIVE)(at, bytes.length) : random.chance(5) ? random.below(64) : random.pick(WORDS),
          random.chance(8) ? false : true,
        )
      return bytes
    }
    case 4: {
      const at = place(random.chance(6) ? 1 : 2)
      if (at + 2 <= bytes.length) view.setUint16(at, random.pick(HALVES), true)
      return bytes
    }
    case 5: {
      // a word that is there already, with one added or another's value
      const at = place(4)
      const from = place(4)
      if (Math.max(at, from) + 4 <= bytes.length) view.setUint32(at, view.getUint32(from, true) + random.pick([0, 0, 1, -1, 4]), true)
      return bytes
    }
    case 6:
      return bytes.slice(0, random.chance(2) ? place(1) : bytes.length - 1 - random.small(64))
    case 7: {
      // a range twice
      const at = place(4)
      const length = Math.min(bytes.length - at, 4 * (1 + random.small(4096)))
      return join(bytes.subarray(0, at + length), bytes.subarray(at, at + length), bytes.subarray(at + length))
    }
    case 8: {
      const at = place(4)
      const length = Math.min(bytes.length - at, random.chance(3) ? 1 + random.below(7) : 4 * (1 + random.small(4096)))
      return join(bytes.subarray(0, at), bytes.subarray(at + length))
    }
    case 9: {
      const donor = random.pick(donors).bytes
      const from = Math.floor(random.below(donor.length) / 4) * 4
      const length = Math.min(donor.length - from, 4 * (1 + random.small(4096)), 65536)
      const at = place(4)
      return random.chance(2)
        ? join(bytes.subarray(0, at), donor.subarray(from, from + length), bytes.subarray(Math.min(bytes.length, at + length)))
        : join(bytes.subarray(0, at), donor.subarray(from, from + length), bytes.subarray(at))
    }
    case 10: {
      const at = place(4)
      bytes.fill(random.pick([0, 0xff, 0x7f, 0x80, 1, 0x20, 0x7b, 0x41]), at, Math.min(bytes.length, at + 1 + random.small(256)))
      return bytes
    }
    case 11: {
      // each word of a run the same or counted up: tables of parents that go round in circles
      const at = place(4)
      const stride = 4 * (1 + random.small(64))
      const value = random.pick(WORDS)
      for (let i = 0, p = at; i < 64 && p + 4 <= bytes.length; i++, p += stride)
        view.setUint32(p, random.chance(2) ? value : value + i, true)
      return bytes
    }
    case 12: {
      const word = Uint8Array.from(random.pick(TEXTS).repeat(random.chance(8) ? 1 + random.small(5000) : 1), (c) => c.charCodeAt(0))
      const at = random.below(bytes.length)
      return join(bytes.subarray(0, at), word, bytes.subarray(random.chance(2) ? at : Math.min(bytes.length, at + word.length)))
    }
    default:
      return (
        (seed.format.startsWith('w3d.')
          ? chunks(bytes, W3D, random)
          : seed.format.startsWith('renderware.')
            ? chunks(bytes, RENDERWARE, random)
            : lines(bytes, random)) ?? bytes
      )
  }
}

/** Text files: lines repeated, swapped and joined. */
function lines(bytes: Uint8Array, random: Random): Uint8Array | undefined {
  if (bytes.length > 65_536 || bytes.subarray(0, 256).includes(0)) return undefined
  const list: string[] = Buffer.from(bytes).toString('latin1').split('\n')
  const at = random.below(list.length)
  const other = random.below(list.length)
  const line = list[at]
  if (random.chance(4)) list.splice(other, 0, ...new Array<string>(1 + random.small(3000)).fill(line))
  else if (random.chance(3)) list.splice(at, 1)
  else if (random.chance(2)) [list[at], list[other]] = [list[other], line]
  else list[at] = line.repeat(2 + random.small(200))
  return new Uint8Array(Buffer.from(list.join('\n'), 'latin1'))
}

interface Chunk {
  head: Uint8Array
  body?: Uint8Array
  children?: Chunk[]
}

interface Layout {
  header: number
  /** offset of the size word in the header */
  size: number
  isContainer(head: DataView): boolean
  length(head: DataView): number
  setLength(head: DataView, length: number): void
}

const W3D: Layout = {
  header: 8,
  size: 4,
  isContainer: (head) => head.getUint32(4, true) >= 0x80000000,
  length: (head) => head.getUint32(4, true) & 0x7fffffff,
  setLength: (head, length) => head.setUint32(4, ((head.getUint32(4, true) & 0x80000000) | length) >>> 0, true),
}
const RW_CONTAINERS = new Set([3, 6, 7, 8, 9, 0xe, 0xf, 0x10, 0x12, 0x14, 0x15, 0x16, 0x1a])
const RENDERWARE: Layout = {
  header: 12,
  size: 4,
  isContainer: (head) => RW_CONTAINERS.has(head.getUint32(0, true)),
  length: (head) => head.getUint32(4, true),
  setLength: (head, length) => head.setUint32(4, length, true),
}

/** A file of nested chunks: repeated, swapped, put into one another, nested deep; sizes stay right. */
function chunks(bytes: Uint8Array, layout: Layout, random: Random): Uint8Array | undefined {
  const roots = parse(bytes, layout, 0)
  if (!roots || roots.length === 0) return undefined
  const lists: Chunk[][] = []
  const collect = (list: Chunk[]): void => {
    lists.push(list)
    for (const chunk of list) if (chunk.children) collect(chunk.children)
  }
  collect(roots)
  const filled = lists.filter((list) => list.length > 0)
  const list = random.pick(filled)
  const at = random.below(list.length)
  const chunk = list[at]
  const target = random.pick(lists)
  switch (random.below(7)) {
    case 0:
      list.splice(at, 0, chunk)
      break
    case 1:
      list.splice(at, 1)
      break
    case 2: {
      const other = random.below(list.length)
      ;[list[at], list[other]] = [list[other], chunk]
      break
    }
    case 3:
      if (!contains(chunk, target)) target.splice(random.below(target.length + 1), 0, chunk)
      break
    case 4:
      if (sizeOf(chunk) < 4096) list.splice(at, 0, ...new Array<Chunk>(1 + random.small(2000)).fill(chunk))
      break
    case 5: {
      const shell = random.pick(filled.flat().filter((c) => c.children)) ?? chunk
      if (!shell.children) break
      return write(
        roots.map((root) => (root === chunk || contains(root, list) || list === roots ? root : root)),
        layout,
        nested(bytes, shell.head, layout, 1 + random.small(20_000)),
      )
    }
    default:
      if (chunk.body) list[at] = { head: chunk.head, body: chunk.body.slice(0, random.below(chunk.body.length + 1)) }
  }
  return write(roots, layout)
}

/** Headers of one container in one another. */
function nested(bytes: Uint8Array, head: Uint8Array, layout: Layout, depth: number): Uint8Array {
  const most = Math.min(depth, Math.floor(1_000_000 / layout.header))
  const tail = bytes.subarray(0, Math.min(bytes.length, 4096))
  const out = new Uint8Array(most * layout.header + tail.length)
  const view = new DataView(out.buffer)
  for (let i = 0; i < most; i++) {
    out.set(head, i * layout.header)
    layout.setLength(new DataView(view.buffer, i * layout.header, layout.header), out.length - (i + 1) * layout.header)
  }
  out.set(tail, most * layout.header)
  return out
}

function parse(bytes: Uint8Array, layout: Layout, depth: number): Chunk[] | undefined {
  const list: Chunk[] = []
  let at = 0
  while (at + layout.header <= bytes.length) {
    const head = bytes.slice(at, at + layout.header)
    const view = new DataView(head.buffer)
    const length = layout.length(view)
    if (at + layout.header + length > bytes.length) return depth === 0 && list.length > 0 ? list : undefined
    const body = bytes.slice(at + layout.header, at + layout.header + length)
    const children = depth < 12 && layout.isContainer(view) ? parse(body, layout, depth + 1) : undefined
    list.push(children ? { head, children } : { head, body })
    at += layout.header + length
  }
  return at === bytes.length || depth === 0 ? list : undefined
}

function contains(chunk: Chunk, list: Chunk[]): boolean {
  return chunk.children !== undefined && (chunk.children === list || chunk.children.some((child) => contains(child, list)))
}

function sizeOf(chunk: Chunk): number {
  return chunk.head.length + (chunk.body?.length ?? chunk.children!.reduce((sum, child) => sum + sizeOf(child), 0))
}

function write(list: Chunk[], layout: Layout, more: Uint8Array = new Uint8Array(0)): Uint8Array {
  const parts: Uint8Array[] = []
  const put = (chunk: Chunk): number => {
    const head = chunk.head.slice()
    parts.push(head)
    let length = 0
    if (chunk.body) {
      parts.push(chunk.body)
      length = chunk.body.length
    } else for (const child of chunk.children!) length += put(child)
    layout.setLength(new DataView(head.buffer), length)
    return layout.header + length
  }
  for (const chunk of list) put(chunk)
  return join(...parts, more)
}

function join(...parts: Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts))
}
