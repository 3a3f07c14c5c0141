/** Variants that the specs allow and no public file has: lossless, read into fields, tame when cut anywhere. */
import { describe, expect, it } from 'vitest'
import { encodeDocument } from '../../../src/main/formats/format.ts'
import { cfgFormat } from '../../../src/main/formats/level5/codecs/cfg.ts'
import { cfgMotions } from '../../../src/main/formats/level5/codecs/cfg-motions.ts'
import { imgFormat, saidSwizzle } from '../../../src/main/formats/level5/codecs/img.ts'
import { fixes } from '../../../src/main/formats/level5/lint.ts'
import { motFormat } from '../../../src/main/formats/level5/codecs/mot.ts'
import { insertTrack, keyFloats, keyTotal, newTrack, setKeys } from '../../../src/main/formats/level5/codecs/tracks.ts'
import { swizzle8 } from '../../../src/main/formats/level5/codecs/tim2-pixels.ts'
import { tim2Format } from '../../../src/main/formats/level5/codecs/tim2.ts'
import { groupsByOwner, wgtFormat } from '../../../src/main/formats/level5/codecs/wgt.ts'
import { identify } from '../../../src/main/formats/registry.ts'
import {
  build,
  identity,
  imgBytes,
  mdsBytes,
  mdtBytes,
  motTracks,
  nodes,
  packBytes,
  tim2Bytes,
  trackListBytes,
  translation,
  wgtTracks,
} from '../../fixtures/level5/bytes.ts'
import { openFolder } from '../../fixtures/level5/folder.ts'
import { latin } from '../../fixtures/level5/text.ts'
import { expectLossless, expectTameWhenTruncated, junk } from '../../support/hostile.ts'
import type { Document, FileFormat } from '../../../src/main/formats/format.ts'

const opaque = (format: FileFormat, document: Document): number => encodeDocument(format, document).opaqueBytes
const ids = (bytes: Uint8Array, name: string): string | undefined => {
  const found = identify(bytes.subarray(0, 4096), name, bytes.length)
  return found?.format?.id ?? found?.archive?.id
}

describe('a track list whose distances are none', () => {
  const zero = trackListBytes(motTracks.map((t) => ({ ...t, next: 0 })))
  const keysOnly = trackListBytes(motTracks.map((t) => ({ ...t, next: 32 * t.keys.length })))

  it.each([
    ['all zero', zero],
    ['sizes of the keys without the header', keysOnly],
    ['junk', trackListBytes(motTracks.map((t, i) => ({ ...t, next: 0x10203 * (i + 1) })))],
  ])('is read by its key counts: %s', (_, bytes) => {
    const document = expectLossless(motFormat, bytes)
    expect(document.tracks.map((t) => [t.node, t.type, keyTotal(t)])).toEqual(motTracks.map((t) => [t.node, t.type, t.keys.length]))
    expect(opaque(motFormat, document)).toBe(0)
    expect(document.diagnostics.map((d) => d.code)).toEqual(['level5.track-next'])
    expectTameWhenTruncated(motFormat, bytes)
  })

  it('keeps them so through edits, and can be given true ones', () => {
    const document = motFormat.decode(zero, 'x')
    setKeys(document.tracks[0], document.tracks[0].keys.slice(8))
    insertTrack(document, 1, newTrack({ node: 2, type: 2, frames: [1], values: [1, 2, 3] }))
    const again = expectLossless(motFormat, encodeDocument(motFormat, document).bytes)
    expect(again.tracks.map((t) => t.next)).toEqual(new Array(13).fill(0))
    expect(again.tracks.map((t) => t.type)).toEqual([2, 2, ...motTracks.slice(1).map((t) => t.type)])
    fixes['level5.set-distances'](again, { severity: 'error', code: '', message: '', ref: '', path: '', offset: 0 })
    const sound = expectLossless(motFormat, encodeDocument(motFormat, again).bytes)
    expect(sound.diagnostics).toEqual([])
    expect(sound.tracks.map((t) => t.next)).toEqual([...again.tracks.slice(0, -1).map((t) => 32 + t.keys.byteLength), 0])
  })

  it('stops where the engine stops when one track alone has the stop flag', () => {
    const stopped = trackListBytes(motTracks.map((t, i) => (i === 3 ? { ...t, next: 0 } : t)))
    const document = expectLossless(motFormat, stopped)
    expect(document.tracks).toHaveLength(4)
    expect(document.unread.map((t) => t.range.end - t.range.start).reduce((a, b) => a + b)).toBe(
      stopped.length - document.tracks[3].range.end,
    )
  })
})

describe('a track list with odd keys', () => {
  it('plays unsorted keys in order, twice the same frame with the later key, and leaves out what is no number', () => {
    const { scene } = openFolder({
      'a.mds': mdsBytes([nodes[0]]),
      'a.mot': trackListBytes([
        {
          node: 0,
          type: 2,
          keys: [
            [20, 20, 0, 0],
            [1, 1, 0, 0],
            [10, 7, 0, 0],
            [10, 10, 0, 0],
            [15, NaN, 0, 0],
          ],
        },
        { node: 0, type: 1, keys: [] },
        { node: 0, type: 99, keys: [[1, 1, 2, 3, 4]] },
      ]),
    }).assemble()
    const [track] = scene.clips[0].tracks
    expect(Array.from(track.times)).toEqual([1, 10, 10, 20])
    expect(Array.from(track.values)).toEqual([1, 0, 0, 7, 0, 0, 10, 0, 0, 20, 0, 0])
    expect(scene.clips[0]).toMatchObject({ start: 1, end: 20, loop: 'wrap' })
  })

  it('keeps a key whose floats are signalling NaNs and whose pads are junk', () => {
    const bytes = trackListBytes([
      {
        node: 0,
        type: 0,
        keys: [
          [1, 1, 0, 0, 0],
          [2, 1, 0, 0, 0],
        ],
      },
    ])
    bytes.set(junk(28, 6), 36)
    new DataView(bytes.buffer).setUint32(48, 0x7fa00001, true)
    expect(opaque(motFormat, expectLossless(motFormat, bytes))).toBe(0)
  })
})

describe('WGT as the public spec describes it', () => {
  it('takes groups for weights where the type is padding', () => {
    const bytes = trackListBytes(wgtTracks.map((t) => ({ ...t, type: 0, words: [0xace63701, 0xb0f0fc77] as [number, number] })))
    const document = expectLossless(wgtFormat, bytes)
    expect([...groupsByOwner(document)].map(([owner, groups]) => [owner, groups.map((g) => g.target)])).toEqual([
      [1, [0, 1, 2]],
      [3, [0, 2]],
    ])
    expect(document.diagnostics.map((d) => d.code)).toEqual(['level5.wgt-type'])
    expect(Array.from(keyFloats(document.tracks[1]).filter((_, i) => i % 8 === 4))).toEqual([100, 60])
    // one group that says it: the others are something else
    const marked = wgtFormat.decode(trackListBytes(wgtTracks.map((t, i) => ({ ...t, type: i === 1 ? 20 : 7 }))), 'x')
    expect([...groupsByOwner(marked).keys()]).toEqual([1])
    const model = openFolder({
      'a.mds': mdsBytes([
        { name: 'root', parent: -1, matrix: identity },
        { name: 'body', parent: 0, matrix: translation(0, 1, 0), mdt: mdtBytes() },
        { name: 'arm', parent: 1, matrix: identity },
      ]),
      'a.wgt': bytes,
    }).assemble()
    expect(model.scene.skins.map((s) => s.joints.length)).toEqual([2])
  })
})

describe('packs that no game made', () => {
  it('opens one whose strides are not multiples of 16', () => {
    const bytes = packBytes(
      [
        ['a.mot', trackListBytes(motTracks.slice(0, 2))],
        ['b.bin', junk(7)],
      ],
      { slack: 3 },
    )
    expect(ids(bytes, 'x.chr')).toBe('level5.pack')
    expect(ids(bytes, 'x.bin')).toBeUndefined()
  })
})

describe('scripts', () => {
  const keys = (text: string): unknown[] =>
    cfgMotions(expectLossless(cfgFormat, latin(text))).flatMap((m) => m.keys.map((k) => [k.name, k.start, k.end, k.speed, k.broken]))

  it('reads any blanks, tabs, line ends, comments and missing fields', () => {
    for (const end of ['\r\n', '\n', '\r', '\r\n\r\n', '\n\r']) {
      expect(
        keys(
          [
            'MOTION 0, "a.mot", "", ""',
            'KEY_START 0',
            '\tKEY\t1,\t10\t,0.17\t\t//walk',
            'KEY 10 20 .5',
            'KEY 1,1,+1.e0 /* stand */ ',
            '//KEY 5, 6, 7',
            '/* KEY 8, 9,',
            ' 10 */',
            'KEY 3, 4',
            'KEY',
            'MOTION_END',
          ].join(end),
        ),
      ).toEqual([
        ['walk', 1, 10, 0.17, false],
        ['', 10, 20, 0.5, false],
        ['stand', 1, 1, 1, false],
        ['', 3, 4, 0, true],
        ['', 0, 0, 0, true],
      ])
    }
  })

  it('reads the form without a comma behind the name, several on one line, and one over several lines', () => {
    expect(keys('KEY_START;KEY "a" 1, 2, 0.5;KEY "a", 3, 4, 1; KEY "b, c; d\\"" , 5 ,\r\n 6\r\n, -0.25 ;KEY_END;MOTION_END;')).toEqual([
      ['a', 1, 2, 0.5, false],
      ['a', 3, 4, 1, false],
      ['b, c; d"', 5, 6, -0.25, false],
    ])
  })

  it('is known when zeros stand behind its text, and not when they stand within', () => {
    const text = latin('KEY_START 0\r\nKEY 1, 2, 0.5\r\nMOTION_END\r\n\0\0\0')
    expect(ids(text, 'info.cfg')).toBe('level5.cfg')
    expectLossless(cfgFormat, text)
    expect(ids(latin('KEY_START 0\0\r\nKEY 1, 2, 0.5\r\n'), 'info.cfg')).toBeUndefined()
  })
})

describe('TIM2 with several levels', () => {
  const mips = (extra: number): Uint8Array => tim2Bytes({ width: 8, height: 8, imageType: 3, image: junk(4 * (64 + 16)), extra })

  it('reads the mip-map header into fields, and leaves one that is too short', () => {
    const bytes = mips(32)
    bytes[0x10 + 17] = 2
    const document = expectLossless(tim2Format, bytes)
    expect(opaque(tim2Format, document)).toBe(32 - 24)
    const fields = tim2Format.describe(document).children[0].fields
    expect(fields.filter((f) => f.start >= 0x40 && f.start < 0x60).map((f) => [f.name, f.start, f.size])).toEqual([
      ['mipTbp', 0x40, 16],
      ['mipSizes', 0x50, 8],
      ['headerExtra', 0x58, 8],
    ])
    expectTameWhenTruncated(tim2Format, bytes)
    const short = mips(16)
    short[0x10 + 17] = 7
    expect(opaque(tim2Format, expectLossless(tim2Format, short))).toBe(16)
  })
})

describe('IM3', () => {
  it('says itself that a picture is swizzled; the choice of a reading goes before', () => {
    const ramp = build((w) => {
      for (let i = 0; i < 256; i++) for (const v of [i, i, i, 0x80]) w.u8(v)
    })
    // flat: smoothness alone cannot tell
    const pixels = Uint8Array.from({ length: 256 }, (_, i) => (i * 97) & 255)
    const picture = tim2Bytes({ imageType: 5, clutType: 0x83, colors: 256, image: swizzle8(pixels, 16, 16), clut: ramp })
    const bytes = imgBytes('IM3', [['skin', picture]])
    const flag = 0x10 + 32 + 8
    for (const said of [1, 0]) {
      new DataView(bytes.buffer).setUint32(flag, said, true)
      const document = expectLossless(imgFormat, bytes)
      expect(saidSwizzle(document, 0)).toBe(said ? 'swizzled' : 'auto')
      const read = (choices: Record<string, string>): number[] =>
        Array.from(
          openFolder({ 'a.mds': mdsBytes([{ ...nodes[1], parent: -1 }]), 'a.img': bytes })
            .assemble(choices)
            .scene.textures[0].rgba.filter((_, i) => i % 4 === 0),
        )
      if (said) expect(read({})).toEqual(Array.from(pixels))
      expect(read({ 'level5.swizzle': 'linear' })).toEqual(Array.from(swizzle8(pixels, 16, 16)))
    }
  })
})

it('back faces of nodes with __s are not drawn, unless they are chosen to be', () => {
  const sided = (name: string, choices: Record<string, string> = {}): boolean[] =>
    openFolder({ 'a.mds': mdsBytes([{ ...nodes[1], name, parent: -1 }]) })
      .assemble(choices)
      .scene.materials.map((material) => material.doubleSided)
  expect(sided('cape')).toEqual([true])
  expect(sided('cape__cn')).toEqual([true])
  expect(sided('cape__cs')).toEqual([false])
  expect(sided('cape__cs', { 'level5.backFaces': 'drawn' })).toEqual([true])
})

describe('IMG and IM2', () => {
  it('say by their magic how pixels stand; smoothness alone, and either order, are choices', () => {
    const ramp = build((w) => {
      for (let i = 0; i < 256; i++) for (const v of [i, i, i, 0x80]) w.u8(v)
    })
    const smooth = Uint8Array.from({ length: 256 }, (_, i) => 4 * (i % 16) + 3 * (i >> 4))
    const turned = swizzle8(smooth, 16, 16)
    const read = (magic: 'IMG' | 'IM2', image: Uint8Array, choices: Record<string, string> = {}): number[] => {
      const picture = tim2Bytes({ imageType: 5, clutType: 0x83, colors: 256, image, clut: ramp })
      const folder = openFolder({ 'a.mds': mdsBytes([{ ...nodes[1], parent: -1 }]), 'a.img': imgBytes(magic, [['skin', picture]]) })
      return Array.from(folder.assemble(choices).scene.textures[0].rgba.filter((_, i) => i % 4 === 0))
    }
    expect(read('IM2', turned)).toEqual(Array.from(smooth))
    expect(read('IMG', smooth)).toEqual(Array.from(smooth))
    // what the game would show of a bank of the other kind
    expect(read('IMG', turned)).toEqual(Array.from(turned))
    expect(read('IMG', turned, { 'level5.swizzle': 'smooth' })).toEqual(Array.from(smooth))
    expect(read('IM2', smooth)).not.toEqual(Array.from(smooth))
    expect(read('IM2', smooth, { 'level5.swizzle': 'smooth' })).toEqual(Array.from(smooth))
    expect(read('IM2', turned, { 'level5.swizzle': 'linear' })).toEqual(Array.from(turned))
    expect(read('IMG', turned, { 'level5.swizzle': 'swizzled' })).toEqual(Array.from(smooth))
  })
})
