import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bbpFormat } from '../../../src/main/formats/level5/codecs/bbp.ts'
import { imgFormat } from '../../../src/main/formats/level5/codecs/img.ts'
import { mdsFormat, meshOf, nodeName } from '../../../src/main/formats/level5/codecs/mds.ts'
import { triangleCorners, triangleCount } from '../../../src/main/formats/level5/codecs/mdt.ts'
import { motFormat } from '../../../src/main/formats/level5/codecs/mot.ts'
import { insertTrack, keyFloats, newTrack, newTrackList, removeTrack, setKeys } from '../../../src/main/formats/level5/codecs/tracks.ts'
import { newWeightGroup, wgtFormat } from '../../../src/main/formats/level5/codecs/wgt.ts'
import { encodeDocument } from '../../../src/main/formats/format.ts'
import { identify } from '../../../src/main/formats/registry.ts'
import {
  bbpBytes,
  identity,
  imgBytes,
  mdsBytes,
  mdtBytes,
  motTracks,
  nodes,
  tim2Bytes,
  trackListBytes,
  translation,
  wgtTracks,
} from '../../fixtures/level5/bytes.ts'
import { expectLossless, expectTameWhenCorrupted, expectTameWhenTruncated, junk } from '../../support/hostile.ts'
import { newMaterial, newMds, newMdt, newWgt } from '../../../src/main/formats/level5/make.ts'
import type { Document, FileFormat, StructureNode } from '../../../src/main/formats/format.ts'

const mot = trackListBytes(motTracks)
const wgt = trackListBytes(wgtTracks)
const mds = mdsBytes(nodes, { gap: 4, trailing: 5 })

function ids(bytes: Uint8Array, name: string): string | undefined {
  const found = identify(bytes.subarray(0, 4096), name, bytes.length)
  return found?.format?.id ?? found?.archive?.id
}

/** Children lie inside their parent, in order, and every field inside its node. */
function expectSoundTree(root: StructureNode, size: number): void {
  expect([root.start, root.end]).toEqual([0, size])
  const walk = (n: StructureNode): void => {
    let at = n.start
    for (const c of n.children) {
      expect(c.start, c.name).toBeGreaterThanOrEqual(at)
      expect(c.end, c.name).toBeLessThanOrEqual(n.end)
      at = c.end
      walk(c)
    }
    for (const f of n.fields) {
      expect(f.start, f.name).toBeGreaterThanOrEqual(n.start)
      expect(f.start + f.size, f.name).toBeLessThanOrEqual(n.end)
    }
  }
  walk(root)
}

/** Every byte belongs to a field: nothing is left unexplained or unmarked. */
function coveredBytes(root: StructureNode): number {
  const seen = new Uint8Array(root.end)
  const walk = (n: StructureNode): void => {
    for (const f of n.fields) seen.fill(1, f.start, f.start + f.size)
    n.children.forEach(walk)
  }
  walk(root)
  return seen.reduce((sum, b) => sum + b, 0)
}

describe('MOT and WGT: the track list', () => {
  it('reads every type, sparse keys, no keys, and writes the same bytes', () => {
    const document = expectLossless(motFormat, mot)
    expect(document.tracks.map((t) => [t.node, t.target, t.type, t.keyCount])).toEqual(
      motTracks.map((t) => [t.node, t.target ?? 0, t.type, t.keys.length]),
    )
    expect(document.diagnostics).toEqual([])
    expect(document.tracks[1].keys[1]).toBe(0xcdcdcdcd)
    expect(Array.from(keyFloats(document.tracks[1]).subarray(12, 16))).toEqual([Math.fround(Math.SQRT1_2), 0, Math.fround(Math.SQRT1_2), 0])
    expect(document.tracks[2].word6).toBe(0xace63701)
    const structure = motFormat.describe(document)
    expectSoundTree(structure, mot.length)
    expect(coveredBytes(structure)).toBe(mot.length)
    expect(motFormat.summarize(document).clips).toEqual([{ name: '', frames: 40, rate: 30, tracks: 12, keys: 24 }])
  })

  it('keeps groups without weights, their order and several skins', () => {
    const document = expectLossless(wgtFormat, wgt)
    expect(document.tracks.map((t) => [t.node, t.target, t.keyCount])).toEqual([
      [1, 0, 0],
      [1, 1, 2],
      [1, 2, 2],
      [3, 0, 0],
      [3, 2, 1],
    ])
    expect(wgtFormat.summarize(document).skins).toEqual([
      {
        mesh: '#1',
        vertices: 3,
        weights: 4,
        maxInfluences: 2,
        bones: [
          { name: '#1', vertices: 2, sum: 160 },
          { name: '#2', vertices: 2, sum: 140 },
        ],
      },
      { mesh: '#3', vertices: 1, weights: 1, maxInfluences: 1, bones: [{ name: '#2', vertices: 1, sum: 101.5 }] },
    ])
  })

  it('ends at the stop flag or at the end of the file, whichever comes', () => {
    const filled = motTracks.map((t, i) => (i === motTracks.length - 1 ? { ...t, next: 32 + 32 * t.keys.length } : t))
    const a = expectLossless(motFormat, trackListBytes(filled))
    expect(a.tracks).toHaveLength(motTracks.length)
    expect(a.diagnostics).toEqual([])
    const b = expectLossless(motFormat, trackListBytes(filled, junk(50)))
    expect(b.tracks).toHaveLength(motTracks.length)
    expect(b.trailing).toHaveLength(50)
    expect(b.diagnostics[0].code).toBe('level5.track-list-tail')
    const c = expectLossless(motFormat, trackListBytes(motTracks, junk(7)))
    expect(c.trailing).toHaveLength(7)
  })

  it('shows whole tracks behind a stop flag as such, and does not play them', () => {
    const stopped = motTracks.map((t, i) => (i === 2 || i === 4 ? { ...t, next: 0 } : t))
    const list = expectLossless(motFormat, trackListBytes(stopped))
    expect(list.tracks).toHaveLength(3)
    expect(list.unread.map((t) => [t.node, t.type, t.next])).toEqual(
      stopped.slice(3).map((t, i) => [t.node, t.type, i === 1 || i === stopped.length - 4 ? 0 : 32 + 32 * t.keys.length]),
    )
    expect(list.trailing).toHaveLength(0)
    expect(list.diagnostics.map((d) => [d.severity, d.code, d.path, d.message])).toEqual([
      [
        'warning',
        'level5.track-list-tail',
        'unread[0]',
        `${stopped.length - 3} more tracks stand behind the stop flag; the game does not read them`,
      ],
    ])
    expect(motFormat.describe(list).children[3]).toMatchObject({
      name: 'unread[0]',
      start: list.unread[0].range.start,
      summary: expect.stringMatching(/behind the stop flag$/),
    })
    expect(motFormat.summarize(list).clips![0].tracks).toBe(3)
    // an edit before the flag leaves them where they are
    const before = encodeDocument(motFormat, list).bytes.slice(list.unread[0].range.start)
    setKeys(list.tracks[0], list.tracks[0].keys.slice(8))
    const after = expectLossless(motFormat, encodeDocument(motFormat, list).bytes)
    expect(encodeDocument(motFormat, after).bytes.slice(after.unread[0].range.start)).toEqual(before)
    // a byte that is no part of a track: all of it is kept raw
    const odd = expectLossless(motFormat, trackListBytes(stopped, junk(1)))
    expect([odd.unread.length, odd.trailing.length]).toEqual([0, before.length + 1])
  })

  it('keeps every bit of values nobody can compute with', () => {
    const bytes = mot.slice()
    new DataView(bytes.buffer).setUint32(32 + 16, 0x7fa12345, true)
    expectLossless(motFormat, bytes)
  })

  it('walks by the distance to the next header, as the engine does', () => {
    const gap = trackListBytes([{ ...motTracks[0], next: 32 + 32 * 3 }, motTracks[1]])
    const wide = new Uint8Array(gap.length + 8)
    wide.set(gap.subarray(0, 128))
    wide.set(junk(8, 3), 128)
    wide.set(gap.subarray(128), 136)
    new DataView(wide.buffer).setUint32(20, 136, true)
    const a = expectLossless(motFormat, wide)
    expect(a.tracks.map((t) => t.gap.length)).toEqual([8, 0])
    const short = gap.slice()
    new DataView(short.buffer).setUint32(16, 9, true) // nine keys are promised, three stand before the next header
    const b = expectLossless(motFormat, short)
    expect(b.tracks[0].keys.length / 8).toBe(3)
    expect(b.diagnostics[0]).toMatchObject({ code: 'level5.track-overlap', severity: 'error', path: 'tracks[0].keyCount', offset: 16 })
    // headers that do not stand at a multiple of four
    const odd = new Uint8Array(gap.length + 1)
    odd.set(gap.subarray(0, 128))
    odd.set(gap.subarray(128), 129)
    new DataView(odd.buffer).setUint32(20, 129, true)
    const c = expectLossless(motFormat, odd)
    expect(c.tracks[1].node).toBe(1)
    expect(c.tracks[1].keys[0]).toBe(1)
  })

  it('says where a file is cut or lies', () => {
    expect(() => motFormat.decode(new Uint8Array(0), 'x.mot')).toThrowError(
      expect.objectContaining({ code: 'truncated', file: 'x.mot', offset: 0, path: 'tracks[0]' }),
    )
    expect(() => motFormat.decode(mot.slice(0, 100), 'x.mot')).toThrowError(
      expect.objectContaining({ code: 'truncated', path: 'tracks[0].keyCount', offset: 16, expected: 'at most 2', actual: '3' }),
    )
    const lies = mot.slice()
    new DataView(lies.buffer).setUint32(16, 0x7fffffff, true)
    new DataView(lies.buffer).setUint32(20, 0x7fffffff, true)
    expect(() => motFormat.decode(lies, 'x.mot')).toThrowError(expect.objectContaining({ code: 'bad-count', path: 'tracks[0].keyCount' }))
    const wrong = mot.slice()
    wrong[12] = 9
    expect(() => motFormat.decode(wrong, 'x.mot')).toThrowError(expect.objectContaining({ code: 'bad-magic', offset: 12 }))
  })

  it('tells MOT from WGT by extension, then by types, and claims nothing else', () => {
    expect([ids(mot, 'a.mot'), ids(wgt, 'a.wgt'), ids(mot, 'a'), ids(wgt, 'a'), ids(wgt, 'A.MOT'), ids(mot, 'A.WGT')]).toEqual([
      'level5.mot',
      'level5.wgt',
      'level5.mot',
      'level5.wgt',
      'level5.mot',
      'level5.wgt',
    ])
    expect(ids(mot.slice(0, 100), 'a.mot')).toBe('level5.mot')
    expect(ids(junk(4096), 'a.mot')).toBeUndefined()
    expect(ids(new Uint8Array(4096), 'a.mot')).toBeUndefined()
    expect(ids(mot.slice(0, 100), 'a.bin')).toBeUndefined()
  })

  it('refuses the cousin of Dragon Quest VIII by name', () => {
    const dq = new Uint8Array(256)
    const view = new DataView(dq.buffer)
    view.setUint32(0, 0x1234567, true)
    view.setUint32(8, 64, true)
    view.setUint32(28, 3, true)
    view.setUint32(48, 256, true)
    expect(ids(dq, 'c001.mot')).toBe('level5.mot')
    expect(() => motFormat.decode(dq, 'c001.mot')).toThrowError(
      expect.objectContaining({ code: 'refused', message: expect.stringContaining('Dragon Quest VIII') }),
    )
    const named = new Uint8Array(256)
    named.set([0x4d, 0x4f, 0x54, 0])
    expect(() => motFormat.decode(named, 'c.mot')).toThrowError(expect.objectContaining({ code: 'refused' }))
  })

  it('stays tame on cut and damaged files', () => {
    expectTameWhenTruncated(motFormat, mot)
    expectTameWhenCorrupted(motFormat, mot.slice(0, 500), 1)
    expectTameWhenTruncated(wgtFormat, wgt)
    expectTameWhenCorrupted(wgtFormat, wgt)
  })

  it('keeps the stop flag with the last track when tracks come and go', () => {
    const list = newTrackList('level5.mot', [
      newTrack({ node: 0, type: 2, frames: [1, 5], values: [0, 0, 0, 1, 1, 1] }),
      newTrack({ node: 1, type: 40, frames: [], values: [] }),
    ])
    expect(list.tracks.map((t) => t.next)).toEqual([96, 0])
    insertTrack(list, 2, newTrack({ node: 2, type: 0, frames: [1], values: [1, 0, 0, 0] }))
    expect(list.tracks.map((t) => t.next)).toEqual([96, 32, 0])
    removeTrack(list, 2)
    expect(list.tracks.map((t) => t.next)).toEqual([96, 0])
    expectLossless(motFormat, encodeDocument(motFormat, list as never).bytes)
    const filled = motFormat.decode(trackListBytes([{ ...motTracks[0], next: 128 }]), 'x')
    insertTrack(filled, 1, newTrack({ node: 2, type: 0, frames: [1], values: [1, 0, 0, 0] }))
    expect(filled.tracks.map((t) => t.next)).toEqual([128, 64])
  })

  it('holds for any list of tracks', () => {
    const track = fc.record({
      node: fc.integer({ min: 0, max: 500 }),
      target: fc.integer(),
      type: fc.constantFrom(0, 1, 2, 12, 20, 21, 30, 31, 32, 33, 40, 41, 50, 51, 99, 1000),
      keys: fc.array(fc.tuple(fc.nat(), fc.float(), fc.float()), { maxLength: 8 }),
      pad: fc.nat(255),
    })
    fc.assert(
      fc.property(fc.array(track, { minLength: 1, maxLength: 12 }), fc.uint8Array({ maxLength: 40 }), (tracks, tail) => {
        expectLossless(motFormat, trackListBytes(tracks as never, tail))
      }),
      { numRuns: 60 },
    )
  })

  it('makes a WGT from groups', () => {
    const document = newWgt([newWeightGroup(1, 0), newWeightGroup(1, 1, [0, 4], [100, 25.5])])
    const bytes = encodeDocument(wgtFormat, document).bytes
    expect(bytes).toEqual(
      trackListBytes([
        { node: 1, target: 0, type: 20, keys: [], words: [0, 0] },
        {
          node: 1,
          target: 1,
          type: 20,
          keys: [
            [0, 100],
            [4, 25.5],
          ],
          words: [0, 0],
        },
      ]),
    )
  })
})

describe('MDS and MDT', () => {
  it('reads nodes, meshes of every primitive kind, junk and gaps, and writes the same bytes', () => {
    const document = expectLossless(mdsFormat, mds)
    expect(document.nodes.map(nodeName)).toEqual(['root', 'body__capp', '表ソ', 'hat'])
    expect(document.nodes.map((n) => n.parent)).toEqual([-1, 0, 1, 2])
    expect(document.sections.map((s) => s.kind)).toEqual(['gap', 'mdt', 'gap', 'mdt', 'gap'])
    const body = meshOf(document, document.nodes[1])!
    expect(body.faces!.primitives.map((p) => [p.type, p.indices.length])).toEqual([
      [3, 9],
      [4, 12],
      [0x15, 8],
      [0x203, 6],
      [0x21b, 3],
      [2, 6],
    ])
    expect(body.absentOffset.colors).toBe(0xffffffff)
    expect(body.faces!.unknown0).toBe(0xbb000c)
    expect(triangleCount(body)).toBe(1 + 2 + 2 + 1 + 1)
    expect(meshOf(document, document.nodes[3])!.colors).toEqual(new Float32Array([1, 0, 0, 1, 0, 128, 0, 128]))
    expect(document.diagnostics).toEqual([])
    expect(mdsFormat.summarize(document)).toMatchObject({
      bones: ['root', 'body__capp', '表ソ', 'hat'],
      needs: ['level5.texture:skin', 'level5.texture:other'],
      meshes: [
        { name: 'body__capp', vertices: 4, triangles: 7 },
        { name: 'hat', vertices: 4, triangles: 8 },
      ],
    })
    const structure = mdsFormat.describe(document)
    expectSoundTree(structure, mds.length)
    expect(coveredBytes(structure)).toBe(mds.length)
    expect(ids(mds, 'x.mds')).toBe('level5.mds')
    expect(ids(mds, 'noname')).toBe('level5.mds')
  })

  it('turns strips and fans into triangles that face the same way', () => {
    const corners = (type: number, n: number): number[] =>
      Array.from(triangleCorners({ type, corners: n, material: 0, indices: new Int32Array(3 * n) }))
    expect(corners(3, 7)).toEqual([0, 1, 2, 3, 4, 5])
    expect(corners(4, 5)).toEqual([0, 1, 2, 2, 1, 3, 2, 3, 4])
    expect(corners(5, 5)).toEqual([0, 1, 2, 0, 2, 3, 0, 3, 4])
    expect(corners(2, 4)).toEqual([])
    expect(corners(4, 2)).toEqual([])
  })

  it('moves the meshes behind a changed one and fixes only their offsets', () => {
    const document = mdsFormat.decode(mds, 'x')
    const body = meshOf(document, document.nodes[1])!
    body.faces!.primitives.push({ type: 3, corners: 3, material: 0, indices: Int32Array.from([0, 0, 0, 1, 0, 1, 2, 0, 2]) })
    const again = mdsFormat.decode(encodeDocument(mdsFormat, document).bytes, 'x')
    const before = mdsFormat.decode(mds, 'x')
    expect(again.nodes[1].mdtOffset).toBe(before.nodes[1].mdtOffset)
    expect(again.nodes[3].mdtOffset).toBe(before.nodes[3].mdtOffset + 48)
    expect(meshOf(again, again.nodes[3])!.materials).toEqual(meshOf(before, before.nodes[3])!.materials)
    expect(triangleCount(meshOf(again, again.nodes[1])!)).toBe(8)
  })

  it('keeps a mesh that does not add up as it is, and says so', () => {
    const bad = mdtBytes()
    new DataView(bad.buffer).setUint32(0x0c, 0x10000, true)
    const document = expectLossless(mdsFormat, mdsBytes([nodes[0], { ...nodes[1], mdt: bad }, nodes[2]]))
    expect(document.sections.map((s) => s.kind)).toEqual(['rawMdt'])
    expect(document.diagnostics[0]).toMatchObject({ code: 'level5.mdt-unread', severity: 'error' })
    const odd = mdsBytes(nodes)
    new DataView(odd.buffer).setUint32(0x10 + 0x70 + 0x28, 0x30, true) // a mesh inside the node table
    expect(expectLossless(mdsFormat, odd).diagnostics[0].code).toBe('level5.mds-mesh-offset')
  })

  it('reads a table offset that is no offset as 0x10, and one with a gap as it stands', () => {
    const odd = mds.slice()
    odd[12] = 2
    const document = expectLossless(mdsFormat, odd)
    expect(document.nodes).toHaveLength(4)
    expect(document.diagnostics[0].code).toBe('level5.mds-table')
  })

  it('refuses Dragon Quest VIII, reports cut files with their place, stays tame', () => {
    expect(() => mdsFormat.decode(mdsBytes(nodes, { version: 200 }), 'a.mds')).toThrowError(
      expect.objectContaining({ code: 'refused', file: 'a.mds' }),
    )
    expect(() => mdsFormat.decode(mds.slice(0, 200), 'a.mds')).toThrowError(
      expect.objectContaining({ code: 'bad-count', path: 'nodeCount' }),
    )
    expect(() => mdsFormat.decode(mds.slice(0, mds.length - 20), 'a.mds')).toThrowError(
      expect.objectContaining({ code: 'truncated', path: 'nodes[3].mdt.size' }),
    )
    expectTameWhenTruncated(mdsFormat, mds)
    expectTameWhenCorrupted(mdsFormat, mds, 7)
  })

  it('makes a model from nothing', () => {
    const mdt = newMdt({
      positions: [0, 0, 0, 1, 0, 0, 0, 1, 0],
      normals: [0, 0, 1],
      uvs: [0, 0, 1, 0, 0, 1],
      materials: [newMaterial({ texture: 'skin' })],
      primitives: [{ material: 0, indices: [0, 0, 0, 1, 0, 1, 2, 0, 2] }],
    })
    const document = newMds([
      { name: 'root', parent: -1 },
      { name: 'mesh', parent: 0, matrix: translation(1, 2, 3), mdt },
    ])
    const bytes = encodeDocument(mdsFormat, document).bytes
    const again = expectLossless(mdsFormat, bytes)
    expect(again.diagnostics).toEqual([])
    expect(meshOf(again, again.nodes[1])!.absentOffset.colors).toBe(0xffffffff)
    expect(again.nodes[1].mdtOffset % 16).toBe(0)
    expect(Array.from(again.nodes[1].matrix.subarray(12))).toEqual([1, 2, 3, 1])
    expect(bytes.length % 16).toBe(0)
  })
})

describe('BBP', () => {
  it('reads matrices and keeps what is behind them', () => {
    const bytes = bbpBytes([identity, translation(1, 2, 3), new Array<number>(16).fill(0)], 9)
    const document = expectLossless(bbpFormat, bytes)
    expect(document.matrices).toHaveLength(48)
    expect(document.diagnostics[0].code).toBe('level5.bbp-size')
    expectSoundTree(bbpFormat.describe(document), bytes.length)
    expect(ids(bbpBytes([identity]), 'a.bbp')).toBe('level5.bbp')
    expect(ids(bbpBytes([identity]), 'a.bin')).toBeUndefined()
    expect(ids(junk(640), 'a.bbp')).toBeUndefined()
    expect(() => bbpFormat.decode(bytes.slice(0, 63), 'a.bbp')).toThrowError(expect.objectContaining({ code: 'truncated', file: 'a.bbp' }))
    expectTameWhenTruncated(bbpFormat, bytes)
  })
})

describe('IMG and TIM2', () => {
  const picture = tim2Bytes({ imageType: 5, clutType: 3, colors: 256, image: junk(256), clut: junk(1024, 9) })
  const text = Uint8Array.from('TEX 1\r\n', (c) => c.charCodeAt(0))

  it.each(['IMG', 'IM2', 'IM3'] as const)('%s: pictures, text entries, unknown bodies, gaps', (magic) => {
    const bytes = imgBytes(
      magic,
      [
        ['skin', picture],
        ['#texanime', text],
        ['odd', junk(20)],
        ['two', picture],
      ],
      { gap: 4, trailing: 3 },
    )
    const document = expectLossless(imgFormat, bytes)
    expect(document.bodies.map((b) => b.kind)).toEqual(['gap', 'tim2', 'text', 'raw', 'tim2'])
    expect(imgFormat.summarize(document).textures).toEqual([
      { name: 'skin', width: 16, height: 16, format: '8-bit palette' },
      { name: 'two', width: 16, height: 16, format: '8-bit palette' },
    ])
    const structure = imgFormat.describe(document)
    expectSoundTree(structure, bytes.length)
    expect(coveredBytes(structure)).toBe(bytes.length)
    expect(ids(bytes, 'a.img')).toBe('level5.img')
    expectTameWhenTruncated(imgFormat, bytes)
    expectTameWhenCorrupted(imgFormat, bytes.slice(0, 0x180), 1)
  })

  it('keeps a bigger header, several pictures and a wrong total', () => {
    const one = tim2Bytes({ imageType: 3, image: junk(1024), extra: 0x20, format: 1 })
    expectLossless(imgFormat, imgBytes('IM2', [['a', one]]))
    const cut = imgBytes('IM2', [['a', one]]).slice(0, 700)
    expect(() => imgFormat.decode(cut, 'a.img')).toThrowError(
      expect.objectContaining({ code: 'truncated', path: 'entries[0].image.pictures[0].image' }),
    )
  })
})

describe('writers', () => {
  it('count what they carry raw', () => {
    const share = (format: FileFormat, bytes: Uint8Array): number => {
      const document: Document = format.decode(bytes, 'x')
      return encodeDocument(format, document).opaqueBytes
    }
    expect([share(motFormat, mot), share(wgtFormat, wgt), share(motFormat, trackListBytes(motTracks, junk(7)))]).toEqual([0, 0, 7])
    expect(share(mdsFormat, mdsBytes(nodes))).toBeLessThan(32)
  })
})
