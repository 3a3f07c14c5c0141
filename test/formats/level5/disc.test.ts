import { describe, expect, it } from 'vitest'
import { FormatError } from '../../../src/main/binary/format-error.ts'
import { hd2Format, hd3Format, hd4Format, hd6Format, hedFormat } from '../../../src/main/formats/level5/archives/disc.ts'
import { identify } from '../../../src/main/formats/registry.ts'
import { build, nameBytes } from '../../fixtures/level5/bytes.ts'
import { junk } from '../../support/hostile.ts'
import type { ByteSource, Segment } from '../../../src/main/formats/archive.ts'

const source = (bytes: Uint8Array, ref: string): ByteSource => ({
  size: bytes.length,
  ref,
  read(offset, length) {
    if (offset < 0 || offset + length > bytes.length) throw new FormatError('truncated', 'outside', { file: ref, offset })
    return bytes.slice(offset, offset + length)
  },
})
const join = (segments: Segment[], from: Uint8Array): Uint8Array =>
  new Uint8Array(Buffer.concat(segments.map((s) => (s.kind === 'copy' ? from.subarray(s.offset, s.offset + s.length) : s.bytes))))

const bodies: [string, Uint8Array][] = [
  ['chara\\a.chr', junk(3000, 1)],
  ['chara\\\x95\x5c.chr', junk(2048, 2)],
  ['b.img', junk(10, 3)],
]
const latin = (s: string): Uint8Array => Uint8Array.from(s, (c) => c.charCodeAt(0))
const data = build((w) => {
  for (const [, body] of bodies) {
    w.raw(body)
    w.raw(junk(-body.length & 0x7ff, 9))
  }
})
const starts = [0, 4096, 6144]

const WIDTH = { hd2: 32, hd3: 16, hd4: 12, hed: 0x50 }

function directory(kind: keyof typeof WIDTH): Uint8Array {
  return build((w) => {
    if (kind === 'hed') {
      bodies.forEach(([name, body], i) => {
        w.raw(nameBytes(latin(name), 64, i + 1))
        for (const v of [starts[i], body.length, 0xdead, 0xbeef]) w.u32(v)
      })
      w.fill(0x50)
      return
    }
    let at = bodies.length * WIDTH[kind]
    bodies.forEach(([name, body], i) => {
      w.u32(at)
      at += name.length + 1
      if (kind === 'hd2') for (const v of [0, 0, 0, starts[i]]) w.u32(v)
      for (const v of [body.length, starts[i] / 0x800]) w.u32(v)
      if (kind !== 'hd4') w.u32(Math.ceil(body.length / 0x800))
    })
    for (const [name] of bodies) {
      w.raw(latin(name))
      w.u8(0)
    }
  })
}

describe.each([
  ['hd2', hd2Format],
  ['hd3', hd3Format],
  ['hd4', hd4Format],
  ['hed', hedFormat],
] as const)('%s', (kind, format) => {
  const dir = directory(kind)
  const open = (d = dir, file = data): ReturnType<typeof format.open> => format.open(source(d, `DATA.${kind}`), source(file, 'DATA.DAT'))

  it('lists the files of the disc and writes the same bytes', () => {
    const index = open()
    expect(index.members.map((m) => [m.name, m.offset, m.size])).toEqual([
      ['chara\\a.chr', 0, 3000],
      ['chara\\表.chr', 4096, 2048],
      ['b.img', 6144, 10],
    ])
    expect(index.diagnostics).toEqual([])
    expect(join(format.encode(index), dir)).toEqual(dir)
    expect(join(format.encodeData!(index), data)).toEqual(data)
    expect(format.describe(index)).toMatchObject({ start: 0, end: dir.length })
    expect(identify(dir, `DATA.${kind.toUpperCase()}`, dir.length)?.archive?.id).toBe(`level5.${kind}`)
    expect(identify(dir, 'DATA.BIN', dir.length)?.archive).toBeUndefined()
    expect(identify(junk(400), `DATA.${kind}`, 400)?.archive).toBeUndefined()
    expect([format.companion!('DATA.HD2'), format.companion!('data.hd2')]).toEqual(['DATA.DAT', 'data.dat'])
  })

  it('replaces in place what fits, and appends what does not', () => {
    const small = junk(100, 7)
    const large = junk(5000, 8)
    const { data: segments, directory: dirSegments } = format.replace(
      open(),
      new Map([
        [0, small],
        [1, large],
      ]),
    )
    const newData = join(segments, data)
    const again = open(join(dirSegments!, dir), newData)
    expect(again.members.map((m) => [m.offset, m.size])).toEqual([
      [0, 100],
      [8192, 5000],
      [6144, 10],
    ])
    expect(newData.slice(0, 100)).toEqual(small)
    expect(newData.slice(100, 3000).every((b) => b === 0)).toBe(true)
    expect(newData.slice(3000, 8192)).toEqual(data.slice(3000, 8192))
    expect(newData.slice(8192, 8192 + 5000)).toEqual(large)
    expect(newData.length % 0x800).toBe(0)
    expect(again.diagnostics).toEqual([])
  })

  it('keeps bodies apart when several are replaced, empty ones at one place among them', () => {
    const empty = dir.slice()
    const view = new DataView(empty.buffer)
    // the first two files have no bytes and stand at one place, where there is room up to the third
    const record = WIDTH[kind]
    for (const i of [0, 1]) {
      if (kind === 'hd2' || kind === 'hed') view.setUint32(i * record + (kind === 'hd2' ? 16 : 64), 4096, true)
      view.setUint32(i * record + { hd2: 20, hd3: 4, hd4: 4, hed: 68 }[kind], 0, true)
      if (kind !== 'hed') view.setUint32(i * record + { hd2: 24, hd3: 8, hd4: 8 }[kind], 2, true)
    }
    const index = open(empty)
    expect(index.members.map((m) => [m.offset, m.size])).toEqual([
      [4096, 0],
      [4096, 0],
      [6144, 10],
    ])
    for (const sizes of [
      [5, 6, 10],
      [0, 100, 2048],
      [3000, 2, 0],
    ]) {
      const bodies = sizes.map((size, i) => junk(size, 70 + i))
      const out = format.replace(index, new Map(bodies.map((body, i) => [i, body])))
      const newData = join(out.data, data)
      open(join(out.directory!, empty), newData).members.forEach((m, i) =>
        expect(newData.slice(m.offset, m.offset + m.size), `${i} of ${sizes.join()}`).toEqual(bodies[i]),
      )
    }
  })

  it('is never misled by cut or damaged directories', () => {
    const tame = (bytes: Uint8Array): void => {
      try {
        const index = open(bytes)
        expect(join(format.encode(index), bytes)).toEqual(bytes)
        format.describe(index)
        for (const m of index.members) expect(m.offset + m.size).toBeLessThanOrEqual(data.length)
      } catch (error) {
        expect(error).toBeInstanceOf(FormatError)
      }
    }
    for (let n = 0; n < dir.length; n++) tame(dir.slice(0, n))
    for (let i = 0; i < dir.length; i++) {
      for (const v of [0, 0x7f, 0xff]) {
        const copy = dir.slice()
        copy[i] = v
        tame(copy)
      }
    }
    expect(open(dir, data.slice(0, 4100)).diagnostics.map((d) => d.code)).toContain('level5.disc-range')
  })
})

it('a file gets another name where no other record has characters of it', () => {
  const table = (...offsets: number[]): Uint8Array =>
    build((w) => {
      offsets.forEach((at, i) => {
        for (const v of [at, 5, i]) w.u32(v)
      })
      w.fill(12)
      w.raw(latin('abc.d\0b.img\0'))
    })
  const names = 3 * 12
  const renamed = (which: number, ...offsets: number[]): (() => string[]) => {
    const bytes = table(...offsets)
    const index = hd4Format.open(source(bytes, 'DATA.HD4'), source(data, 'DATA.DAT'))
    return () => {
      const { directory } = hd4Format.edit!(index, { kind: 'rename', names: new Map([[which, 'x.d']]) })
      const out = join(directory!, bytes)
      expect(out.length).toBe(bytes.length)
      return hd4Format.open(source(out, 'DATA.HD4'), source(data, 'DATA.DAT')).members.map(({ name }) => name)
    }
  }
  expect(renamed(0, names, names + 6)()).toEqual(['x.d', 'b.img'])
  // a name that begins within it, is it, or has it as its end
  expect(renamed(0, names, names + 2)).toThrow(FormatError)
  expect(renamed(0, names, names)).toThrow(FormatError)
  expect(renamed(1, names, names + 2)).toThrow(FormatError)
  // one of no character, at its NUL
  expect(renamed(0, names, names + 5)).not.toThrow()
})

it('a directory beside the one that is opened may be cut anywhere: that one is read, and nothing is written over what is not understood', () => {
  const [own, peer] = [directory('hd2'), directory('hd3')]
  for (let n = 0; n <= peer.length; n++) {
    const index = hd2Format.open(source(own, 'DATA.HD2'), source(data, 'DATA.DAT'), [source(peer.slice(0, n), 'DATA.HD3')])
    expect(index.members).toHaveLength(3)
    const parts = (): unknown => hd2Format.replace(index, new Map([[1, junk(5000, 1)]]))
    if (index.blocked) expect(parts).toThrow(FormatError)
    else parts()
    expect(index.diagnostics.length > 0, `cut at ${n}`).toBe(n < peer.length - 1)
  }
})

it('the directory of Rogue Galaxy is known, and refused with what it is', () => {
  const bytes = junk(500, 1)
  expect(identify(bytes, 'DATA.HD6', bytes.length)?.archive).toBe(hd6Format)
  expect(() => hd6Format.open(source(bytes, 'DATA.HD6'), source(bytes, 'DATA.DAT'))).toThrow(
    expect.objectContaining({ code: 'refused', file: 'DATA.HD6', message: expect.stringContaining('Rogue Galaxy') as string }),
  )
})
