import { describe, expect, it } from 'vitest'
import { newPack, packFormat } from '../../../src/main/formats/level5/archives/pack.ts'
import { FormatError } from '../../../src/main/binary/format-error.ts'
import { identify } from '../../../src/main/formats/registry.ts'
import { motTracks, packBytes, trackListBytes } from '../../fixtures/level5/bytes.ts'
import { junk } from '../../support/hostile.ts'
import type { ByteSource, Segment } from '../../../src/main/formats/archive.ts'
import type { PackIndex } from '../../../src/main/formats/level5/archives/pack.ts'

function source(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    ref: 'p.chr',
    read(offset, length) {
      if (offset < 0 || offset + length > bytes.length) throw new FormatError('truncated', 'outside', { file: 'p.chr', offset })
      return bytes.slice(offset, offset + length)
    },
  }
}
const open = (bytes: Uint8Array): PackIndex => packFormat.open(source(bytes), source(bytes))
const join = (segments: Segment[], from: Uint8Array): Uint8Array =>
  new Uint8Array(Buffer.concat(segments.map((s) => (s.kind === 'copy' ? from.subarray(s.offset, s.offset + s.length) : s.bytes))))

const a = junk(20, 1)
const b = trackListBytes(motTracks)
const pack = packBytes(
  [
    ['a.img', a],
    ['sub\\B.MOT', b],
    ['A.IMG', junk(16, 4)],
    [Uint8Array.from([0x95, 0x5c]), new Uint8Array(0)],
  ],
  { trailing: 12 },
)

describe('pack', () => {
  it('lists members and writes the same bytes', () => {
    const index = open(pack)
    expect(index.members.map((m) => [m.name, m.size, m.duplicate])).toEqual([
      ['a.img', 20, 0],
      ['sub\\B.MOT', b.length, 0],
      ['A.IMG', 16, 1],
      ['表', 0, 0],
    ])
    expect(pack.slice(index.members[1].offset, index.members[1].offset + b.length)).toEqual(b)
    expect(join(packFormat.encode(index), pack)).toEqual(pack)
    expect(index.diagnostics.map((d) => [d.code, d.path, d.offset])).toEqual([['level5.pack-duplicate', 'records[0].name', 0]])
    const root = packFormat.describe(index)
    expect([root.start, root.end, root.children.length]).toEqual([0, pack.length, 5])
  })

  it('replaces a member of the same size in place, padding and junk untouched', () => {
    const data = new Uint8Array(20).fill(7)
    const out = join(packFormat.replace(open(pack), new Map([[0, data]])).data, pack)
    const expected = pack.slice()
    expected.set(data, 0x50)
    expect(out).toEqual(expected)
    // it still fits its padded room: only size, data and the bytes that stop or start being padding change
    const grown = join(packFormat.replace(open(pack), new Map([[0, new Uint8Array(30).fill(8)]])).data, pack)
    const want = pack.slice()
    want.fill(8, 0x50, 0x50 + 30)
    want[0x44] = 30
    expect(grown).toEqual(want)
  })

  it('keeps 16-alignment when a member grows or shrinks', () => {
    for (const size of [0, 1, 33, 4000]) {
      const data = junk(size, 8)
      const out = join(packFormat.replace(open(pack), new Map([[1, data]])).data, pack)
      const index = open(out)
      const member = index.members[1]
      expect(out.slice(member.offset, member.offset + member.size)).toEqual(data)
      expect(member.stride).toBe(0x50 + Math.ceil(size / 16) * 16)
      expect(index.members.map((m) => m.offset % 16)).toEqual([0, 0, 0, 0])
      expect(index.members.map((m) => m.rawName)).toEqual(open(pack).members.map((m) => m.rawName))
      expect(out.slice(-92)).toEqual(pack.slice(-92))
      expect(join(packFormat.encode(index), out)).toEqual(out)
    }
  })

  it('keeps a wide stride while the member fits', () => {
    const wide = packBytes(
      [
        ['a', a],
        ['b', a],
      ],
      { slack: 32 },
    )
    const out = join(packFormat.replace(open(wide), new Map([[0, junk(40, 2)]])).data, wide)
    expect(out.length).toBe(wide.length)
    expect(open(out).members[1].offset).toBe(open(wide).members[1].offset)
  })

  it('fills the room of a record up to its last byte, where records are not aligned', () => {
    const odd = packBytes(
      [
        ['a', a],
        ['b', a],
      ],
      { slack: 5 },
    )
    const [first, second] = open(odd).members
    const room = second.record - first.offset
    expect(second.record % 16).not.toBe(0)
    for (const size of [room - 1, room]) {
      const out = join(packFormat.replace(open(odd), new Map([[0, junk(size, 2)]])).data, odd)
      expect(out.length, `${size}`).toBe(odd.length)
      expect(out.slice(second.record), `${size}`).toEqual(odd.slice(second.record))
    }
    const grown = open(join(packFormat.replace(open(odd), new Map([[0, junk(room + 1, 2)]])).data, odd))
    expect(grown.members[1].record).toBeGreaterThan(second.record)
  })

  it('puts a new body where it says, in a record whose header points behind the next one', () => {
    const odd = pack.slice()
    const at = open(pack).members[1].record
    new DataView(odd.buffer).setUint32(at + 0x40, 0x50 + b.length + 100, true)
    expect(open(odd).diagnostics.map((d) => d.code)).toContain('level5.pack-overlap')
    for (const size of [0, 40, 5000]) {
      const data = junk(size, 9)
      const index = open(join(packFormat.replace(open(odd), new Map([[1, data]])).data, odd))
      expect(index.members.map((m) => m.name)).toEqual(open(odd).members.map((m) => m.name))
      expect(index.members[1].size).toBe(size)
      const out = join(packFormat.replace(open(odd), new Map([[1, data]])).data, odd)
      expect(out.slice(index.members[1].offset, index.members[1].offset + size)).toEqual(data)
    }
  })

  it('reads a pack without end record, and says so', () => {
    const bytes = packBytes([['a', a]], { end: false })
    const index = open(bytes)
    expect(index.diagnostics.map((d) => d.code)).toEqual(['level5.pack-no-end'])
    expect(join(packFormat.encode(index), bytes)).toEqual(bytes)
  })

  it('is never misled by cut or damaged packs', () => {
    const tame = (bytes: Uint8Array): void => {
      let index: PackIndex
      try {
        index = open(bytes)
      } catch (error) {
        expect(error).toBeInstanceOf(FormatError)
        return
      }
      expect(join(packFormat.encode(index), bytes)).toEqual(bytes)
      packFormat.describe(index)
      for (const m of index.members) expect(m.offset + m.size).toBeLessThanOrEqual(bytes.length)
    }
    for (let n = 0; n < pack.length; n += 3) tame(pack.slice(0, n))
    for (let i = 0; i < pack.length; i += 1) {
      if (i % 0x50 > 0x4c && i > 0x200) continue
      for (const v of [0, 0x7f, 0xff]) {
        const copy = pack.slice()
        copy[i] = v
        tame(copy)
      }
    }
    expect(() => open(pack.slice(0, 300))).toThrowError(
      expect.objectContaining({ code: 'truncated', path: 'records[1].size', file: 'p.chr' }),
    )
  })

  it('is known by its structure, whatever its name', () => {
    const id = (bytes: Uint8Array, name: string): string | undefined => identify(bytes.subarray(0, 4096), name, bytes.length)?.archive?.id
    expect([
      id(pack, 'Fire'),
      id(pack, 'c01.chr'),
      id(packBytes([['big', new Uint8Array(9000)]]), 'x'),
      id(junk(4096), 'c01.chr'),
      id(pack.slice(0, 200), 'c01.chr'),
      id(new Uint8Array(4096), 'c01.pak'),
    ]).toEqual(['level5.pack', 'level5.pack', 'level5.pack', undefined, 'level5.pack', undefined])
  })

  it('is made from members', () => {
    const bytes = newPack([
      { name: 'a', data: a },
      { name: Uint8Array.from([0x62]), data: b },
    ])
    const index = open(bytes)
    expect(index.members.map((m) => [m.name, m.size])).toEqual([
      ['a', 20],
      ['b', b.length],
    ])
    expect(index.terminator).toMatchObject({ size: 0xffffffff, stride: 0xffffffff })
    expect(join(packFormat.encode(index), bytes)).toEqual(bytes)
  })
})
