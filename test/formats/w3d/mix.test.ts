import { describe, expect, it } from 'vitest'
import { FormatError } from '../../../src/main/binary/format-error.ts'
import { makeMix, mix } from '../../../src/main/formats/w3d/archives/mix.ts'
import { nameCrc } from '../../../src/main/formats/w3d/archives/mix-tables.ts'
import { identify } from '../../../src/main/formats/registry.ts'
import { cat, cstring, hierarchy, u32, u8 } from '../../fixtures/w3d/chunks.ts'
import { junk } from '../../support/hostile.ts'
import type { ByteSource, Segment } from '../../../src/main/formats/archive.ts'
import type { MixIndex } from '../../../src/main/formats/w3d/archives/mix.ts'

function source(bytes: Uint8Array, ref = 'always.dat'): ByteSource {
  return {
    size: bytes.length,
    ref,
    read(offset, length) {
      if (offset < 0 || length < 0 || offset + length > bytes.length) throw new FormatError('truncated', 'outside', { file: ref, offset })
      return bytes.slice(offset, offset + length)
    },
  }
}
const open = (bytes: Uint8Array): MixIndex => mix.open(source(bytes), source(bytes))
const join = (bytes: Uint8Array, segments: Segment[]): Uint8Array =>
  cat(...segments.map((s) => (s.kind === 'copy' ? bytes.subarray(s.offset, s.offset + s.length) : s.bytes)))
const code = (text: string): number => nameCrc(Uint8Array.from([...text].map((c) => c.charCodeAt(0))))

const skeleton = hierarchy()
/** Gaps of junk, names in another order than the table, one name of no entry's crc, junk at the end. */
function archive(): Uint8Array {
  const bodies = [skeleton, junk(40, 2), junk(10, 3)]
  const at = [20, 20 + skeleton.length + 6, 20 + skeleton.length + 46]
  const names = cat(u32(3), u8(6), cstring('b.dds'), u8(10), cstring('s_skl.w3d'), u8(4), cstring('odd'))
  const namesAt = at[2] + 10 + 3
  const tableAt = namesAt + names.length + 5
  const table = cat(u32(3), u32(code('S_SKL.W3D'), at[0], bodies[0].length), u32(code('b.dds'), at[1], 40), u32(0x12345678, at[2], 10))
  return cat(
    [0x4d, 0x49, 0x58, 0x31],
    u32(tableAt, namesAt),
    junk(8, 9),
    bodies[0],
    junk(6, 8),
    bodies[1],
    bodies[2],
    junk(3, 7),
    names,
    junk(5, 6),
    table,
    junk(9, 5),
  )
}

describe('MIX', () => {
  it('computes the crc of a name as CRC-32 of its upper case', () => {
    // the check value of CRC-32
    expect(code('123456789')).toBe(0xcbf43926)
    expect(code('s_skl.w3d')).toBe(code('S_SKL.W3D'))
  })

  it('lists members under the names whose crc they have, and writes the same bytes', () => {
    const bytes = archive()
    const index = open(bytes)
    expect(index.members.map((m) => [m.name, m.size])).toEqual([
      ['s_skl.w3d', skeleton.length],
      ['b.dds', 40],
      ['odd', 10],
    ])
    expect(index.diagnostics.map((d) => d.code)).toEqual(['w3d.mix-crc'])
    expect(join(bytes, mix.encode(index))).toEqual(bytes)
    expect(bytes.slice(index.members[0].offset, index.members[0].offset + skeleton.length)).toEqual(skeleton)
    expect(identify(bytes.subarray(0, 4096), 'always.dat', bytes.length)?.archive?.id).toBe('w3d.mix')
    const root = mix.describe(index)
    expect([root.end, root.children.length]).toEqual([bytes.length, 3])
  })

  it('replaces a member in its place where it fits, and behind everything where not', () => {
    const bytes = archive()
    const index = open(bytes)
    const table = index.tableOffset + 4
    const small = join(bytes, mix.replace(index, new Map([[1, junk(30, 77)]])).data)
    const want = bytes.slice()
    want.set(junk(30, 77), index.members[1].offset)
    want[table + 12 + 8] = 30
    expect(small).toEqual(want)
    const large = join(bytes, mix.replace(index, new Map([[0, junk(5000, 78)]])).data)
    const moved = cat(bytes, junk(5000, 78))
    new DataView(moved.buffer).setUint32(table + 4, bytes.length, true)
    new DataView(moved.buffer).setUint32(table + 8, 5000, true)
    expect(large).toEqual(moved)
    expect(open(large).members[0]).toMatchObject({ name: 's_skl.w3d', offset: bytes.length, size: 5000 })
    // the three junk bytes before the names are room too, the names are not
    expect(join(bytes, mix.replace(index, new Map([[2, junk(13, 4)]])).data)).toHaveLength(bytes.length)
    expect(join(bytes, mix.replace(index, new Map([[2, junk(14, 4)]])).data)).toHaveLength(bytes.length + 14)
  })

  it('keeps what stands behind the last body, whose end nothing tells', () => {
    const names = cat(u32(1), u8(6), cstring('b.dds'))
    const tableAt = 16 + names.length
    const head = cat([0x4d, 0x49, 0x58, 0x31], u32(tableAt, 16), junk(4, 9), names)
    const at = tableAt + 16
    const bytes = cat(head, u32(1), u32(code('b.dds'), at, 40), junk(40, 2), junk(9, 5))
    const grown = junk(45, 3)
    const want = cat(bytes, grown)
    new DataView(want.buffer).setUint32(tableAt + 8, bytes.length, true)
    new DataView(want.buffer).setUint32(tableAt + 12, grown.length, true)
    expect(join(bytes, mix.replace(open(bytes), new Map([[0, grown]])).data)).toEqual(want)
  })

  it('keeps a count of names that tells of more than there are entries, less what goes', () => {
    const body = junk(40, 2)
    const names = cat(u32(3), u8(6), cstring('b.dds'), u8(6), cstring('c.dds'), u8(6), cstring('d.dds'))
    const tableAt = 16 + 40 + names.length
    const entries = ['b.dds', 'c.dds'].map((name) => ({ name, crc: code(name) })).sort((x, y) => x.crc - y.crc)
    const table = cat(u32(2), ...entries.map(({ crc }) => u32(crc, 16, 40)))
    const bytes = cat([0x4d, 0x49, 0x58, 0x31], u32(tableAt, 56), junk(4, 9), body, names, table)
    const index = open(bytes)
    expect(index.diagnostics.map((d) => d.code)).toContain('w3d.mix-names')
    const told = (out: Uint8Array): [number, boolean] => {
      const at = new DataView(out.buffer, out.byteOffset).getUint32(8, true)
      return [new DataView(out.buffer, out.byteOffset).getUint32(at, true), Buffer.from(out).includes('d.dds')]
    }
    const edited = (edit: Parameters<typeof mix.edit & object>[1]): Uint8Array => join(bytes, mix.edit!(index, edit).data)
    expect(told(edited({ kind: 'remove', members: new Set([0]) }))).toEqual([2, true])
    expect(told(edited({ kind: 'rename', names: new Map([[0, 'longer.dds']]) }))).toEqual([3, true])
    expect(told(edited({ kind: 'add', members: [{ name: 'e.dds', bytes: body }] }))).toEqual([4, true])
  })

  it('opens what it makes', () => {
    const made = makeMix([
      { name: 'z.w3d', bytes: skeleton },
      { name: 'A.TGA', bytes: junk(9) },
    ])
    const index = open(made)
    expect(index.diagnostics).toEqual([])
    expect(index.members.map((m) => m.name).sort()).toEqual(['A.TGA', 'z.w3d'])
    expect(Array.from(index.crcs)).toEqual([...index.crcs].sort((a, b) => a - b))
    expect(join(made, mix.encode(index))).toEqual(made)
  })

  it('is never misled by cut or damaged archives', () => {
    const bytes = archive()
    const tame = (damaged: Uint8Array): void => {
      let index: MixIndex
      try {
        index = open(damaged)
      } catch (error) {
        expect(error).toBeInstanceOf(FormatError)
        return
      }
      expect(join(damaged, mix.encode(index))).toEqual(damaged)
      mix.describe(index)
      for (let i = 0; i < index.members.length; i++) mix.replace(index, new Map([[i, junk(50)]]))
    }
    for (let n = 0; n < bytes.length; n++) tame(bytes.slice(0, n))
    for (let i = 0; i < bytes.length; i++) {
      for (const value of [0, 0x7f, 0xff]) {
        const copy = bytes.slice()
        copy[i] = value
        tame(copy)
      }
    }
    expect(() => open(cat([0x4d, 0x49, 0x58, 0x31], u32(12, 16), u32(0xffffffff, 0)))).toThrowError(
      expect.objectContaining({ code: 'bad-count', path: 'count', offset: 12 }),
    )
  })
})
