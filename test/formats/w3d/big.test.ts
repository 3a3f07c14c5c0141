import { FileStore } from '../../../src/main/files/store.ts'
import { put, tempFolder } from '../../files/temp.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FormatError } from '../../../src/main/binary/format-error.ts'
import { big, loadOrder } from '../../../src/main/formats/w3d/archives/big.ts'
import { describeCorpus, filesBelow, readBytes } from '../../support/corpus.ts'
import { junk } from '../../support/hostile.ts'
import { cat, cstring, u32 } from '../../fixtures/w3d/chunks.ts'
import type { ByteSource, Segment } from '../../../src/main/formats/archive.ts'
import type { BigIndex } from '../../../src/main/formats/w3d/archives/big.ts'

function source(bytes: Uint8Array, ref = 'test.big'): ByteSource {
  return {
    size: bytes.length,
    ref,
    read(offset, length) {
      if (offset < 0 || length < 0 || offset + length > bytes.length) throw new FormatError('truncated', 'outside', { file: ref, offset })
      return bytes.slice(offset, offset + length)
    },
  }
}
const open = (bytes: Uint8Array): BigIndex => big.open(source(bytes), source(bytes))

function build(bytes: Uint8Array, segments: Segment[]): Uint8Array {
  return cat(...segments.map((s) => (s.kind === 'copy' ? bytes.subarray(s.offset, s.offset + s.length) : s.bytes)))
}
const be = (...values: number[]): Uint8Array => cat(...values.map((v) => [v >>> 24, (v >>> 16) & 255, (v >>> 8) & 255, v & 255]))

interface Entry {
  name: string
  body: Uint8Array
}
/** An archive with a tail behind the table and gaps before bodies. */
function archive(
  entries: Entry[],
  options: { magic?: string; tail?: Uint8Array; size?: number; gap?: number; headerSize?: number; end?: Uint8Array } = {},
): Uint8Array {
  const tail = options.tail ?? new Uint8Array(0)
  const gap = options.gap ?? 0
  const tableEnd = 16 + entries.reduce((n, e) => n + 8 + e.name.length + 1, 0)
  let at = tableEnd + tail.length
  const table: Uint8Array[] = []
  const bodies: Uint8Array[] = []
  for (const entry of entries) {
    at += gap
    table.push(cat(be(at, entry.body.length), cstring(entry.name)))
    bodies.push(cat(junk(gap, at), entry.body))
    at += entry.body.length
  }
  const total = at + (options.end?.length ?? 0)
  const magic = [...(options.magic ?? 'BIGF')].map((c) => c.charCodeAt(0))
  return cat(
    magic,
    u32(options.size ?? total),
    be(entries.length, options.headerSize ?? tableEnd + tail.length - 1),
    ...table,
    tail,
    ...bodies,
    options.end ?? [],
  )
}

const entries: Entry[] = [
  { name: 'Art\\W3D\\walker.w3d', body: junk(40, 3) },
  { name: 'art/w3d/WALKER.W3D', body: junk(7, 4) },
  { name: 'Data\\empty.ini', body: new Uint8Array(0) },
  { name: 'Art\\Textures\\walker.tga', body: junk(25, 5) },
]

describe('BIG archive', () => {
  it('indexes members with their places, twins counted without case and with either slash', () => {
    const bytes = archive(entries, { tail: junk(9), gap: 3 })
    const index = open(bytes)
    expect(index.members.map((m) => [m.name, m.duplicate])).toEqual([
      ['Art\\W3D\\walker.w3d', 1],
      ['art/w3d/WALKER.W3D', 0],
      ['Data\\empty.ini', 0],
      ['Art\\Textures\\walker.tga', 0],
    ])
    index.members.map((m, i) => expect(Array.from(bytes.subarray(m.offset, m.offset + m.size))).toEqual(Array.from(entries[i].body)))
  })

  it('says of members of one name that the game reads the last, which has the plain name', () => {
    const twins = ['a.ini', 'b.ini', 'A.INI', 'b.ini', 'a.ini'].map((name, i) => ({ name, body: junk(4, i) }))
    const index = open(archive(twins))
    expect(index.members.map((m) => m.duplicate)).toEqual([2, 1, 1, 0, 0])
    const told = index.diagnostics.filter(({ code }) => code === 'w3d.big-duplicate')
    expect(told.map(({ path, severity }) => [path, severity])).toEqual([
      ['members[0].name', 'warning'],
      ['members[1].name', 'warning'],
    ])
    expect(told[0].message).toContain('member 4')
    expect(open(archive(entries.slice(2))).diagnostics.filter(({ code }) => code === 'w3d.big-duplicate')).toEqual([])
    // a path without a number is what the game reads
    const store = new FileStore()
    const path = put(tempFolder(), 'x.big', archive(twins))
    expect([...store.read(`${path}!a.ini`)]).toEqual([...junk(4, 4)])
    expect([...store.read(`${path}!a.ini~3`)]).toEqual([...junk(4, 0)])
    store.close()
  })

  it('shows what stands between table and bodies', () => {
    const tail = (size: number): string | undefined =>
      big.describe(open(archive(entries, { tail: junk(size) }))).fields.find(({ name }) => name === 'tail')?.value
    expect(tail(5)).toBe(
      Buffer.from(junk(5))
        .toString('hex')
        .replace(/..(?=.)/g, '$& '),
    )
    expect(tail(40)).toMatch(/^([0-9a-f]{2} ){16}… \(40 bytes\)$/)
    expect(tail(0)).toBeUndefined()
  })

  it('comes back byte by byte: both magics, tails, gaps, stale sizes, no members', () => {
    for (const bytes of [
      archive(entries),
      archive(entries, { magic: 'BIG4', tail: junk(8), gap: 5, size: 12345, headerSize: 0xdeadbeef, end: junk(6) }),
      archive([], { tail: junk(8) }),
    ]) {
      expect(big.identify(bytes, 'x.big', bytes.length)).toBeGreaterThan(0.9)
      expect(build(bytes, big.encode(open(bytes)))).toEqual(bytes)
    }
  })

  it('writes a member that fits where it stands, and changes nothing but it and its size', () => {
    const bytes = archive(entries, { gap: 4, tail: junk(5) })
    const index = open(bytes)
    const next = build(bytes, big.replace(index, new Map([[0, junk(33, 9)]])).data)
    expect(next.length).toBe(bytes.length)
    const differs = Array.from(next.keys()).filter((i) => next[i] !== bytes[i])
    const { offset } = index.members.at(0)!
    expect(differs.every((i) => (i >= 20 && i < 24) || (i >= offset && i < offset + 33))).toBe(true)
    expect(open(next).members.at(0)!.size).toBe(33)
    // into the gap in front of the next member, but no further
    expect(open(build(bytes, big.replace(index, new Map([[0, junk(44, 9)]])).data)).members.at(0)!.offset).toBe(offset)
    expect(open(build(bytes, big.replace(index, new Map([[0, junk(45, 9)]])).data)).members.at(0)!.offset).toBe(bytes.length)
  })

  it('moves only the member that grew, to the end; the true size field follows, a stale one stays', () => {
    const bytes = archive(entries, { end: junk(3) })
    const index = open(bytes)
    const body = junk(100, 11)
    const next = build(bytes, big.replace(index, new Map([[1, body]])).data)
    const after = open(next)
    expect(after.members.at(1)).toMatchObject({ offset: bytes.length, size: 100 })
    expect(next.subarray(bytes.length)).toEqual(body)
    expect(after.archiveSize).toBe(next.length)
    const told = (members: typeof index.members): unknown[] =>
      members.map(({ name, rawName, offset, size, duplicate }) => ({ name, rawName, offset, size, duplicate })).filter((_, i) => i !== 1)
    expect(told(after.members)).toEqual(told(index.members))
    const stale = archive(entries, { size: 77 })
    expect(open(build(stale, big.replace(open(stale), new Map([[1, body]])).data)).archiveSize).toBe(77)
    // some writers put the highest byte first: true as well, and kept so
    const swapped = (n: number): number => Buffer.from(Uint32Array.of(n).buffer).readUInt32BE()
    const other = archive(entries, { size: swapped(archive(entries).length) })
    expect(open(other).diagnostics.map(({ code }) => code)).not.toContain('w3d.big-stale-size')
    const grown = build(other, big.replace(open(other), new Map([[0, junk(300, 12)]])).data)
    expect(open(grown).archiveSize).toBe(swapped(grown.length))
  })

  it('lets the last member take the end of the file along', () => {
    const bytes = archive(entries)
    const grown = build(bytes, big.replace(open(bytes), new Map([[3, junk(60, 2)]])).data)
    expect(grown.length).toBe(bytes.length + 35)
    const shrunk = build(
      grown,
      big.replace(
        open(grown),
        new Map([
          [3, junk(10, 2)],
          [0, junk(90, 8)],
        ]),
      ).data,
    )
    expect(shrunk.length).toBe(bytes.length - 15 + 90)
    expect(open(shrunk).diagnostics.filter(({ code }) => code !== 'w3d.big-duplicate')).toEqual([])
  })

  it('leaves bytes alone that another member shares', () => {
    const one = archive([
      { name: 'a', body: junk(20, 1) },
      { name: 'b', body: junk(5, 2) },
    ])
    const shared = one.slice()
    const index = open(one)
    new DataView(shared.buffer).setUint32(16 + 10, index.members.at(0)!.offset + 4, false)
    const next = build(shared, big.replace(open(shared), new Map([[0, junk(20, 7)]])).data)
    const after = open(next)
    expect(next.subarray(after.members.at(1)!.offset, after.members.at(1)!.offset + 5)).toEqual(
      one.subarray(index.members.at(0)!.offset + 4, index.members.at(0)!.offset + 9),
    )
    expect(after.members.at(0)!.offset).toBe(one.length)
  })

  it('gives every member back after any replacements', () => {
    const sizes = fc.array(fc.nat(30), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(sizes, fc.array(fc.tuple(fc.nat(5), fc.nat(60)), { maxLength: 5 }), fc.nat(6), fc.nat(4), (list, edits, gap, end) => {
        const content = list.map((n, i) => ({ name: `m${i}`, body: junk(n, i + 1) }))
        const bytes = archive(content, { gap, tail: junk(4), end: junk(end) })
        const replacements = new Map(edits.filter(([i]) => i < content.length).map(([i, n]) => [i, junk(n, 50 + i)]))
        const next = build(bytes, big.replace(open(bytes), replacements).data)
        open(next).members.map((m, i) =>
          expect(Buffer.compare(next.subarray(m.offset, m.offset + m.size), replacements.get(i) ?? content[i].body)).toBe(0),
        )
      }),
      { numRuns: 300 },
    )
  })

  it('keeps bodies apart when members lie outside of the file, or are emptied', () => {
    const bytes = archive(
      [
        { name: 'a', body: junk(30, 1) },
        { name: 'far', body: junk(10, 2) },
        { name: 'c', body: junk(20, 3) },
      ],
      { end: junk(9, 7) },
    )
    // the second says that it stands behind the end: the room of the others must not reach there
    bytes.set(be(5000, 4_000_000_000), 16 + 10)
    const index = open(bytes)
    expect(index.members.at(1)).toMatchObject({ offset: 5000, size: 4_000_000_000 })
    for (const sizes of [
      [30, 3000, 2900],
      [0, 1, 0],
      [2000, 0, 20],
      [0, 0, 4000],
    ]) {
      const bodies = sizes.map((size, i) => junk(size, 40 + i))
      const out = build(bytes, big.replace(index, new Map(bodies.map((body, i) => [i, body]))).data)
      open(out).members.map((m, i) => expect(out.slice(m.offset, m.offset + m.size), `${i} of ${sizes.join()}`).toEqual(bodies[i]))
    }
  })

  it('refuses what cannot be one, with the place', () => {
    const bytes = archive(entries)
    expect(() => open(bytes.slice(0, 10))).toThrow(expect.objectContaining({ code: 'truncated', path: 'count', file: 'test.big' }))
    expect(() => open(cat(bytes.subarray(0, 8), be(0xffffffff), bytes.subarray(12)))).toThrow(
      expect.objectContaining({ code: 'bad-count', path: 'count', offset: 8 }),
    )
    expect(() => open(junk(40))).toThrow(expect.objectContaining({ code: 'bad-magic' }))
    for (let n = 0; n < bytes.length; n++) {
      try {
        const index = open(bytes.slice(0, n))
        big.describe(index)
        build(bytes.slice(0, n), big.encode(index))
      } catch (error) {
        expect(error).toBeInstanceOf(FormatError)
      }
    }
    const outside = bytes.slice()
    outside[16] = 0x7f
    expect(open(outside).diagnostics).toContainEqual(expect.objectContaining({ code: 'w3d.big-member-outside', path: 'members[0]' }))
  })

  it('does not take a placeholder of two bytes, or a long name without end', () => {
    expect(big.identify(Uint8Array.from([63, 63]), '??.big', 2)).toBe(0)
    const endless = cat(archive([]).subarray(0, 8), be(1, 0), be(0, 0), new Uint8Array(9000).fill(65))
    expect(() => open(endless)).toThrow(expect.objectContaining({ code: 'bad-value', path: 'members[0].name' }))
  })

  it('orders archives as the game does: by name without case', () => {
    expect(loadOrder(['W3D.big', '!mod.big', 'INI.big', 'ini2.big'])).toEqual(['!mod.big', 'INI.big', 'ini2.big', 'W3D.big'])
  })
})

describeCorpus('w3d/big', (root) => {
  it('comes back byte by byte', () => {
    const files = filesBelow(root)
    expect(files.length).toBe(3)
    for (const path of files) {
      const bytes = readBytes(path)
      const index = open(bytes)
      expect(build(bytes, big.encode(index))).toEqual(bytes)
      expect([...index.members].every((m) => m.offset >= index.tableEnd && m.offset + m.size <= bytes.length)).toBe(true)
      expect(index.diagnostics.filter((d) => d.severity === 'error')).toEqual([])
    }
  })
})
