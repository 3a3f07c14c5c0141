/** Changes and Restore over the formats themselves: single keys and weights by name, and each one put back alone. */
import { describe, expect, it } from 'vitest'
import { cfgFormat } from '../../src/main/formats/level5/codecs/cfg.ts'
import { motFormat } from '../../src/main/formats/level5/codecs/mot.ts'
import { wgtFormat } from '../../src/main/formats/level5/codecs/wgt.ts'
import { ani, aniTrack } from '../../src/main/formats/lostsaga/codecs/ani.ts'
import { msh } from '../../src/main/formats/lostsaga/codecs/msh.ts'
import { ifpFormat } from '../../src/main/formats/renderware/codecs/ifp.ts'
import { setKeys } from '../../src/main/formats/renderware/codecs/ifp-bones.ts'
import { dffFormat } from '../../src/main/formats/renderware/codecs/dff.ts'
import { newDff, newIfp } from '../../src/main/formats/renderware/make.ts'
import { w3dFile } from '../../src/main/formats/w3d/codecs/file.ts'
import { encodeDocument } from '../../src/main/formats/format.ts'
import { fileChanges } from '../../src/main/workspace/changes.ts'
import { restorePart } from '../../src/main/workspace/restore-part.ts'
import { motTracks, trackListBytes, wgtTracks } from '../fixtures/level5/bytes.ts'
import { dc1Text, latin } from '../fixtures/level5/text.ts'
import { aniBytes, mshBytes } from '../fixtures/lostsaga/build.ts'
import { pedModel, skinOf } from '../fixtures/renderware/ped.ts'
import * as w3d from '../fixtures/w3d/chunks.ts'
import { skin, twoBoneSkin } from '../fixtures/w3d/files.ts'
import type { Document, FileFormat } from '../../src/main/formats/format.ts'
import type { ByteRange, FileChanges } from '../../src/shared/api/types/changes.ts'

function setup<D extends Document>(format: FileFormat<D>, before: Uint8Array, after: Uint8Array | ((document: D) => void)) {
  const document = format.decode(before, 'f')
  if (typeof after === 'function') after(document)
  const edited = typeof after === 'function' ? encodeDocument(format, document).bytes.slice() : after
  const changes = (bytes = edited): FileChanges => fileChanges('f', format, before, { bytes, document: format.decode(bytes, 'f') })
  const restore = (range: ByteRange, bytes = edited): Uint8Array =>
    restorePart(format, 'f', before, { bytes, document: format.decode(bytes, 'f') }, { kind: 'range', ...range })
  /** one after the other as the panel lists them, a column's entries whole; what does not come back alone is left */
  const restoreAll = (): { bytes: Uint8Array; alone: number } => {
    let bytes = edited
    let alone = 0
    const left = new Set<string>()
    for (;;) {
      const next = changes(bytes).changes.find((c) => !left.has(c.entry?.path ?? c.path))
      if (!next) return { bytes, alone }
      try {
        bytes = restore(next.entry ?? next, bytes)
        alone++
        left.clear()
      } catch {
        left.add(next.entry?.path ?? next.path)
      }
    }
  }
  return {
    before,
    edited,
    changes,
    restore,
    restoreAll,
    rows: (bytes?: Uint8Array) =>
      changes(bytes).changes.map((c) => [c.path, c.entry?.label ?? '', c.before, c.after, ...(c.whole ? [c.whole] : [])]),
  }
}

const tracks = (body: (t: typeof motTracks) => void, from = motTracks): Uint8Array => {
  const copy = structuredClone(from)
  body(copy)
  return trackListBytes(copy)
}

describe('MOT', () => {
  it('names the key and its numbers; each comes back alone', () => {
    const t = setup(
      motFormat,
      trackListBytes(motTracks),
      tracks((list) => {
        list[1].keys[1] = [20, 1, 0, 0.5, 0]
        list[6].keys[2] = [31, 1]
      }),
    )
    expect(t.rows()).toEqual([
      ['tracks[1].keys[1].w', 'frame 20', '0.70710677', '1'],
      ['tracks[1].keys[1].y', 'frame 20', '0.70710677', '0.5'],
      ['tracks[6].keys[2].frame', 'frame 31', '30', '31'],
    ])
    const { nodes, changes } = t.changes()
    expect(nodes.map((n) => [n.path, n.summary, n.count])).toEqual([
      ['', '12 tracks', 3],
      ['tracks[1]', 'node 1, rotation, 3 keys', 2],
      ['tracks[6]', 'node 0, visibility, 3 keys', 1],
    ])
    const number = t.restore(changes[1])
    expect(number).toEqual(
      tracks((list) => {
        list[1].keys[1] = [20, 1, 0, Math.SQRT1_2, 0]
        list[6].keys[2] = [31, 1]
      }),
    )
    expect(t.restore(changes[0].entry!)).toEqual(tracks((list) => (list[6].keys[2] = [31, 1])))
    expect(t.restore(nodes[1])).toEqual(tracks((list) => (list[6].keys[2] = [31, 1])))
    expect(t.restoreAll()).toEqual({ bytes: t.before, alone: 2 })
  })

  it('knows keys that came and went by their frames, and counts anew', () => {
    const t = setup(
      motFormat,
      trackListBytes(motTracks),
      tracks((list) => {
        list[0].keys.splice(1, 0, [5, 0, 0.5, 0])
        list[1].keys.splice(1, 1)
        list[5].keys.push([50, 6, 6, 6])
      }),
    )
    expect(t.rows().filter((r) => r[4])).toEqual([
      ['tracks[0].keys[1]', 'frame 5', '', 'frame 5, x 0, y 0.5, z 0', 'added'],
      ['tracks[1].keys[1]', 'frame 20', 'frame 20, w 0.70710677, x 0, y 0.70710677, z 0', '', 'removed'],
      ['tracks[5].keys[2]', 'frame 50', '', 'frame 50, x 6, y 6, z 6', 'added'],
    ])
    const added = t.changes().changes.find((c) => c.path === 'tracks[0].keys[1]')!
    expect(t.restore(added)).toEqual(
      tracks((list) => {
        list[1].keys.splice(1, 1)
        list[5].keys.push([50, 6, 6, 6])
      }),
    )
    expect(t.restoreAll()).toEqual({ bytes: t.before, alone: 3 })
  })

  it('knows tracks that came and went', () => {
    const t = setup(
      motFormat,
      trackListBytes(motTracks),
      tracks((list) => {
        list.splice(3, 0, { node: 1, type: 2, keys: [[1, 7, 7, 7]] })
        list[5].keys[0] = [1, 0.5, 0, 0]
      }),
    )
    expect(t.rows()).toEqual([
      ['tracks[3]', '', '', 'node 1, translation, 1 key', 'added'],
      ['tracks[5].keys[0].r', 'frame 1', '1', '0.5'],
    ])
    expect(t.restore(t.changes().changes[0])).toEqual(tracks((list) => (list[4].keys[0] = [1, 0.5, 0, 0])))
    expect(t.restoreAll()).toEqual({ bytes: t.before, alone: 2 })
  })
})

it('WGT: weights by vertex', () => {
  const t = setup(
    wgtFormat,
    trackListBytes(wgtTracks),
    tracks((list) => {
      list[1].keys[1] = [1, 30]
      list[2].keys[0] = [1, 70]
      list[2].keys.push([5, 10])
    }, wgtTracks),
  )
  expect(t.rows()).toEqual([
    ['tracks[1].keys[1].weight', 'vertex 1', '60', '30'],
    ['tracks[2].keyCount', '', '2', '3'],
    ['tracks[2].next', '', '96', '128'],
    ['tracks[2].keys[0].weight', 'vertex 1', '40', '70'],
    ['tracks[2].keys[2]', 'vertex 5', '', 'vertex 5, weight 10', 'added'],
  ])
  expect(t.restoreAll()).toEqual({ bytes: t.before, alone: 3 })
})

it('CFG: slices by field', () => {
  const text = dc1Text.replace('10', '12')
  const t = setup(cfgFormat, latin(dc1Text), latin(text))
  expect(t.changes().changes).toHaveLength(1)
  expect(t.rows()[0][0]).toMatch(/^motions\[0\]\.keys\[0\]\.(start|end)$/)
  expect(t.restoreAll()).toEqual({ bytes: t.before, alone: 1 })
})

describe('W3D', () => {
  const clip = (...channels: Uint8Array[]): Uint8Array => w3d.animation('WALK', 'SKL', 20, channels)
  const coded = (flavor: number, ...channels: Uint8Array[]): Uint8Array => w3d.compressed('RUN', 'SKL', 40, flavor, channels)

  it('raw channels by frame, bits by eight', () => {
    const build = (q: number, bit: number): Uint8Array =>
      clip(
        w3d.channel(2, 6, 3, [0, 0, 0, 1, 0, q, 0, 1]),
        w3d.channel(1, 2, 0, [1, 2, 3]),
        w3d.bitChannel(1, 0, [1, 1, 1, 1, 1, 1, 1, 1, 1, bit, 1]),
      )
    const t = setup(w3dFile, build(0, 1), build(0.25, 0))
    expect(t.rows()).toEqual(
      [
        ['animation[0].channels[0].values[1].y', 'frame 4', '0', '0.25'],
        ['animation[0].bitChannels[0].bits[1]', 'frames 8–15', '11100000', '10100000'],
      ].map((r) => [expect.stringMatching(/\.(values\[1\]\.y|bits\[1\])$/), ...r.slice(1)]),
    )
    expect(t.restore(t.changes().changes[0])).toEqual(build(0, 0))
    expect(t.restoreAll()).toEqual({ bytes: t.before, alone: 2 })
  })

  it('time-coded keys by time, held ones too', () => {
    const build = (more: { time: number; step?: boolean; value: number[] }[], x = 1): Uint8Array =>
      coded(0, w3d.timeCoded(1, 0, [{ time: 0, value: [x] }, ...more, { time: 30, value: [2] }]))
    const t = setup(w3dFile, build([]), build([{ time: 7, step: true, value: [9] }], 1.5))
    expect(t.rows().map((r) => [(r[0] as string).split('.').at(-1), ...r.slice(1)])).toEqual([
      ['size', '', '84 | 0x80000000', '92 | 0x80000000'],
      ['size', '', '24', '32'],
      ['numTimeCodes', '', '2', '3'],
      ['x', 'time 0', '1', '1.5'],
      ['keys[1]', 'time 7 held', '', 'time 7 held, x 9', 'added'],
    ])
    expect(t.changes().changes.map((c) => c.follows === true)).toEqual([true, true, true, false, false])
    expect(() => t.restore(t.changes().changes[2])).toThrow('numTimeCodes counts what came or went')
    expect(t.restoreAll()).toEqual({ bytes: t.before, alone: 2 })
  })

  it('deltas by their block of frames, keys of BFME by number', () => {
    const block = (d: number): number[] => [16, ...Array.from({ length: 16 }, () => d)]
    const deltas = (d: number): Uint8Array =>
      coded(
        1,
        w3d.adaptive(
          1,
          6,
          33,
          0.1,
          [0, 0, 0, 1],
          [
            [block(0), block(0), block(0), block(0)],
            [block(0), block(d), block(0), block(0)],
          ],
        ),
      )
    const t = setup(w3dFile, deltas(0), deltas(1))
    expect(t.rows().map((r) => r.slice(1))).toEqual([['frames 17–32 y', '00 00 00 00 00 00 00 00', '11 11 11 11 11 11 11 11']])
    expect(t.restoreAll()).toEqual({ bytes: t.before, alone: 1 })
    const motion = (v: number, bits8: number): Uint8Array =>
      coded(
        0,
        w3d.motionKeys(1, 0, [0, 10, 20], [1, v, 3]),
        w3d.motionDeltas(1, 1, 8, 17, 0.1, [5], [[[17, bits8, ...Array.from({ length: 15 }, () => 0)]]]),
      )
    const m = setup(w3dFile, motion(2, 0), motion(2.5, 3))
    expect(m.rows().map((r) => r.slice(1))).toEqual(
      [
        ['key 1', '2', '2.5'],
        ['frames 1–16 y', '80', '83'],
      ].map((r) => [r[0], expect.stringContaining(r[1]), expect.stringContaining(r[2])]),
    )
    expect(m.restoreAll()).toEqual({ bytes: m.before, alone: 2 })
  })

  it('influences by vertex, with the names of both bones', () => {
    for (const bytes of [skin(), twoBoneSkin()]) {
      const edited = bytes.slice()
      const where = Buffer.from(edited).indexOf(Buffer.from([0x0e, 0, 0, 0]))
      edited[where + 8 + 8] = 3
      const t = setup(w3dFile, bytes, edited)
      expect(t.rows().map((r) => [(r[0] as string).replace(/^.*records/, ''), ...r.slice(1)])).toEqual([
        ['[1].bone0', 'vertex 1', String(bytes[where + 16]), '3'],
      ])
      expect(t.restoreAll()).toEqual({ bytes: t.before, alone: 1 })
    }
  })
})

describe('IFP', () => {
  const clips = [
    {
      name: 'WALK',
      tracks: [
        {
          bone: 'Root',
          id: 0,
          times: [0, 0.5, 1],
          rotations: [0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 1],
          translations: [0, 0, 1, 0, 1.5, 1, 2, 2, 2],
        },
        { bone: 'L Arm', id: 31, times: [0, 1], rotations: [0.5, 0.5, 0.5, 0.5, 0, 0, 0, 1] },
      ],
    },
  ]
  it.each(['ANP3', 'ANPK'] as const)('%s: keys by time, fractions as numbers; a key that came in goes alone', (kind) => {
    const before = encodeDocument(ifpFormat, newIfp('ped', clips, kind)).bytes.slice()
    const t = setup(ifpFormat, before, (document) => {
      const [animation] = document.animations
      const [root, arm] = animation.bones
      if (root.shorts) root.shorts[8 + 5] = 2048
      else root.floats![8 + 4] = 2
      const stride = arm.keys.length / arm.numKeys
      const keys = new Uint8Array(3 * stride)
      keys.set(arm.keys.subarray(0, stride))
      keys.set(arm.keys.subarray(0, stride), stride)
      keys.set(arm.keys.subarray(stride), 2 * stride)
      if (arm.shorts) new Int16Array(keys.buffer)[stride / 2 + 4] = 30
      else new Float32Array(keys.buffer)[stride / 4 + 4] = 0.5
      setKeys(document, animation, arm, keys, 3)
    })
    const at = kind === 'ANP3' ? 'time 30 / 60 s' : 'time 0.5 s'
    const rows = t.rows()
    expect(rows).toContainEqual(['animations[0].bones[0].keys[1].translation.x', at, '0', '2'])
    expect(rows).toContainEqual([
      'animations[0].bones[1].keys[1]',
      at,
      '',
      expect.stringContaining(`time ${kind === 'ANP3' ? 30 : 0.5}`),
      'added',
    ])
    expect(t.changes().nodes.map((n) => n.summary)).toContain('Root, 3 keys')
    const added = t.changes().changes.find((c) => c.whole)!
    expect(t.rows(t.restore(added))).toEqual([['animations[0].bones[0].keys[1].translation.x', at, '0', '2']])
    expect(t.restoreAll()).toEqual({ bytes: t.before, alone: 2 })
  })
})

it('Skin PLG: bones and weights by vertex', () => {
  const before = encodeDocument(dffFormat, newDff(pedModel())).bytes.slice()
  const t = setup(dffFormat, before, (document) => {
    const found = skinOf(document)
    found.weights[3 * 4] = 0.25
    found.indices[4] = 3
  })
  expect(t.rows().map((r) => [(r[0] as string).split('.').at(-1), ...r.slice(1)])).toEqual([
    ['vertexBoneIndices[1][0]', 'vertex 1', '2', '3'],
    ['vertexBoneWeights[3][0]', 'vertex 3', '0.5', '0.25'],
  ])
  expect(t.restoreAll()).toEqual({ bytes: t.before, alone: 2 })
})

describe('Lost Saga', () => {
  it.each([4000, 4001, 4002] as const)('ANI %i: keys by time, packed rotations as numbers', (coding) => {
    const t = setup(ani, aniBytes({ coding }), (document) => {
      const [root] = document.tracks
      const stride = root.words.length / 3
      root.words[stride] ^= 0x00400000
      root.floats[2 * stride - 4] = 5
      const words = new Uint32Array(4 * stride)
      words.set(root.words)
      words.set(root.words.subarray(2 * stride), 3 * stride)
      words[4 * stride - 1] = 120
      document.tracks[0] = aniTrack(root.bone, root.weight, words)
    })
    const rows = t.rows()
    expect(rows.map((r) => [r[0], r[1]])).toEqual(
      [
        ['ani.tracks[0].keyCount', ''],
        [coding === 4000 ? 'tracks[0].keys[1].rotation.x' : 'tracks[0].keys[1].rotation', 'time 40 ms'],
        ['tracks[0].keys[1].position.x', 'time 40 ms'],
        ['tracks[0].keys[3]', 'time 120 ms'],
      ].map(([p, l]) => [p.replace('ani.', ''), l]),
    )
    // four numbers, not the word that they are packed in
    if (coding !== 4000)
      for (const value of rows[1].slice(2)) expect(String(value).split(' ').map(Number).filter(Number.isFinite)).toHaveLength(4)
    expect(t.restoreAll()).toEqual({ bytes: t.before, alone: 2 })
  })

  it('MSH: weights and bones of a vertex', () => {
    const t = setup(msh, mshBytes(), (document) => {
      document.influences[8] = 0.5
      document.influences[9] = 0.5
      document.influences[8 + 5] = 1
    })
    expect(t.rows()).toEqual([
      ['influences[1].weight[0]', 'vertex 1', '0.75', '0.5'],
      ['influences[1].weight[1]', 'vertex 1', '0.25', '0.5'],
      ['influences[1].bone[1]', 'vertex 1', '0', '1'],
    ])
    expect(t.restoreAll()).toEqual({ bytes: t.before, alone: 1 })
  })
})

describe('long lists', () => {
  it('count all, list the first thousand, and the rest of one track on demand', () => {
    const build = (d: number): Uint8Array =>
      trackListBytes(
        [0, 1].map((node) => ({ node, type: 2, keys: Array.from({ length: 900 }, (_, k): [number, ...number[]] => [k, k + d, 0, 0]) })),
      )
    const t = setup(motFormat, build(0), build(1))
    const cut = t.changes()
    expect([cut.changes.length, cut.omitted, cut.nodes.map((n) => n.count)]).toEqual([1000, 800, [1800, 900, 900]])
    const rest = fileChanges(
      'f',
      motFormat,
      t.before,
      { bytes: t.edited, document: motFormat.decode(t.edited, 'f') },
      { within: 'tracks[1]' },
    )
    expect([rest.changes.length, rest.changes[0].path, rest.changes.at(-1)!.path]).toEqual([
      900,
      'tracks[1].keys[0].x',
      'tracks[1].keys[899].x',
    ])
    expect(t.restore(cut.nodes[2])).toEqual(
      trackListBytes(
        [0, 1].map((node) => ({
          node,
          type: 2,
          keys: Array.from({ length: 900 }, (_, k): [number, ...number[]] => [k, k + (node === 0 ? 1 : 0), 0, 0]),
        })),
      ),
    )
  })
})
