import { describe, expect, it } from 'vitest'
import { level5 } from '../../../src/main/formats/level5/family.ts'
import { encodeDocument } from '../../../src/main/formats/format.ts'
import {
  bbpBytes,
  identity,
  imgBytes,
  mdsBytes,
  mdtBytes,
  motTracks,
  tim2Bytes,
  trackListBytes,
  translation,
} from '../../fixtures/level5/bytes.ts'
import { mdsFormat, meshOf } from '../../../src/main/formats/level5/codecs/mds.ts'
import { newMds, newMdt } from '../../../src/main/formats/level5/make.ts'
import { openFolder } from '../../fixtures/level5/folder.ts'
import { latin } from '../../fixtures/level5/text.ts'
import { junk } from '../../support/hostile.ts'
import type { Document } from '../../../src/main/formats/format.ts'
import type { RawTrack } from '../../fixtures/level5/bytes.ts'
import type { Diagnostic } from '../../../src/shared/api/errors.ts'

const nodes = [
  { name: 'root', parent: -1, matrix: identity },
  { name: 'body', parent: 0, matrix: identity, mdt: mdtBytes() },
  { name: 'arm', parent: 1, matrix: translation(0, 5, 0) },
]
const picture = (width: number): Uint8Array => tim2Bytes({ width, height: 16, imageType: 3, image: junk(4 * 16 * width) })
const sound = {
  'hero.mds': mdsBytes(nodes),
  'hero.mot': trackListBytes([
    {
      node: 1,
      type: 2,
      keys: [
        [1, 0, 0, 0],
        [40, 1, 0, 0],
      ],
    },
  ]),
  'hero.wgt': trackListBytes([
    { node: 1, target: 0, type: 20, keys: [] },
    { node: 1, target: 1, type: 20, keys: [[0, 100]] },
  ]),
  'hero.bbp': bbpBytes([identity, identity, translation(0, 5, 0)]),
  'hero.cfg': latin(
    'MODEL "hero.mds"\r\nALLOC_DBUFF "body"\r\nMOTION 0, "hero.mot", "hero.bbp", "hero.wgt"\r\nKEY_START 0\r\nKEY 1, 40, 0.5\r\nKEY 0,0,0\r\nMOTION_END\r\n',
  ),
  'skin.img': imgBytes('IM2', [['skin', picture(16)]]),
}

function lint(files: Record<string, Uint8Array>): { folder: ReturnType<typeof openFolder>; found: Diagnostic[] } {
  const folder = openFolder(files)
  const found = [...folder.documents.values()].flatMap((document) =>
    level5.lint(document, { binding: folder.binding, around: folder.around, load: (r) => folder.documents.get(r) }),
  )
  return { folder, found }
}
const codes = (files: Record<string, Uint8Array>): string[] => lint({ ...sound, ...files }).found.map((d) => d.code.slice('level5.'.length))

/** Applies the first fix of a code: the file that it stands in and what becomes of it. */
function repaired(files: Record<string, Uint8Array>, code: string): [name: string, bytes: Uint8Array] {
  const { folder, found } = lint({ ...sound, ...files })
  const diagnostic = found.find((d) => d.code === `level5.${code}`)!
  const fix = diagnostic.fixes![0]
  const document = folder.documents.get(diagnostic.ref)!
  level5.fixes![fix.id](document, diagnostic)
  const name = diagnostic.ref.slice(diagnostic.ref.lastIndexOf('/') + 1)
  return [name, encodeDocument(folder.formatOf(diagnostic.ref), document).bytes.slice()]
}

const afterFix = (files: Record<string, Uint8Array>, code: string): Uint8Array => repaired(files, code)[1]

/** Applies the first fix of a code and answers the codes that are left. */
function fixed(files: Record<string, Uint8Array>, code: string): string[] {
  const [name, bytes] = repaired(files, code)
  return codes({ ...files, [name]: bytes })
}

describe('rules', () => {
  it('have nothing to say of a sound model', () => {
    expect(codes({})).toEqual(['primitive-kind'])
  })

  it('of nodes', () => {
    const odd = mdsBytes([
      { name: 'x'.repeat(32), parent: 2, matrix: [...identity.slice(0, 15), 2] },
      { name: 'y__m', parent: 9, matrix: [...identity.slice(0, 12), Number.NaN, 0, 0, 1] },
      { name: 'z', parent: 0, matrix: identity },
    ])
    odd[0x10] = 5
    odd[0x14] = 0x60
    const found = codes({ 'hero.mds': odd })
    expect(found).toEqual(
      expect.arrayContaining(['node-index', 'node-size', 'node-name', 'node-parent', 'node-cycle', 'node-matrix', 'node-attribute']),
    )
    expect(fixed({ 'hero.mds': odd }, 'node-index')).not.toContain('node-index')
    expect(
      codes({
        'hero.mds': mdsBytes([
          { name: 'a', parent: 1, matrix: identity },
          { name: 'b', parent: -1, matrix: identity },
        ]),
      }),
    ).toContain('node-order')
    expect(codes({ 'hero.mds': mdsBytes(nodes, { gap: 4 }) })).toContain('mdt-alignment')
    const { 'skin.img': _, ...rest } = sound
    expect(lint(rest).found.map((d) => d.code)).toContain('level5.texture-missing')
  })

  it('of animations', () => {
    const found = codes({
      'hero.mot': trackListBytes([
        {
          node: 0,
          type: 2,
          keys: [
            [5, 0, 0, 0],
            [1, 0, 0, 0],
          ],
        },
        { node: 0, type: 2, keys: [[1, Number.NaN, 0, 0]] },
        { node: 1, type: 0, keys: [[1, 2, 0, 0, 0]] },
        { node: 1, target: 3, type: 40, keys: [[1, 1.5]] },
        { node: 1, target: 99, type: 12, keys: [[1, 0, 0, 0]] },
        { node: 9, type: 99, keys: [] },
        { node: 1, target: 0, type: 20, keys: [], next: 32 },
      ]),
    })
    expect(found).toEqual(
      expect.arrayContaining([
        'keys-order',
        'key-value',
        'rotation-length',
        'transparency-range',
        'track-target',
        'track-type',
        'track-kind',
        'track-node',
        'track-stop',
        'track-duplicate',
      ]),
    )
    expect(found.filter((c) => c === 'track-target')).toHaveLength(2)
    const unsorted = {
      'hero.mot': trackListBytes([
        {
          node: 0,
          type: 2,
          keys: [
            [5, 1, 0, 0],
            [1, 2, 0, 0],
            [40, 0, 0, 0],
          ],
        },
      ]),
    }
    expect(fixed(unsorted, 'keys-order')).not.toContain('keys-order')
    const open = {
      'hero.mot': trackListBytes([
        {
          node: 0,
          type: 2,
          keys: [
            [1, 0, 0, 0],
            [40, 0, 0, 0],
          ],
          next: 96,
        },
      ]),
    }
    expect(codes(open)).toContain('track-stop')
    expect(fixed(open, 'track-stop')).not.toContain('track-stop')
  })

  it('of a node that is turned but not scaled', () => {
    const big = translation(0, 10, 0)
    big[0] = big[5] = big[10] = 1.5
    const files = {
      'hero.mds': mdsBytes([nodes[0], { ...nodes[1], matrix: big }, nodes[2]]),
      'hero.mot': trackListBytes([
        {
          node: 1,
          type: 0,
          keys: [
            [1, 1, 0, 0, 0],
            [40, 1, 0, 0, 0],
          ],
        },
      ]),
    }
    expect(codes(files)).toContain('rotation-without-scale')
    const turns = { node: 1, type: 0, keys: [[1, 1, 0, 0, 0]] } satisfies RawTrack
    const scaled = (...keys: RawTrack['keys']): string[] =>
      codes({ ...files, 'hero.mot': trackListBytes([turns, { node: 1, type: 1, keys }]) })
    expect(scaled([1, 1, 1, 1])).not.toContain('rotation-without-scale')
    expect(scaled()).toContain('rotation-without-scale')
    expect(codes({ ...files, 'hero.mot': trackListBytes([...motTracks.slice(0, 3)]) })).not.toContain('rotation-without-scale')
  })

  it('of weights', () => {
    const wgt = trackListBytes([
      {
        node: 1,
        target: 2,
        type: 20,
        keys: [
          [0, 60],
          [1, 100],
          [1, 50],
        ],
      },
      {
        node: 1,
        target: 1,
        type: 20,
        keys: [
          [0, 60],
          [2, -1],
          [99, 100],
        ],
      },
      { node: 1, target: 0, type: 20, keys: [] },
      { node: 1, target: 50, type: 20, keys: [] },
      { node: 2, target: 0, type: 20, keys: [[0, 100]] },
    ])
    expect(codes({ 'hero.wgt': wgt })).toEqual(
      expect.arrayContaining([
        'weight-sum',
        'weight-range',
        'weight-twice',
        'group-order',
        'group-reset',
        'skin-vertex',
        'skin-bone',
        'skin-owner',
      ]),
    )
    const off = {
      'hero.wgt': trackListBytes([
        {
          node: 1,
          target: 1,
          type: 20,
          keys: [
            [0, 30],
            [1, 100],
          ],
        },
        { node: 1, target: 2, type: 20, keys: [[0, 30]] },
      ]),
    }
    expect(codes(off)).toContain('weight-sum')
    expect(fixed(off, 'weight-sum')).not.toContain('weight-sum')
  })

  it('of a skin with more vertices or bones than known', () => {
    const bones = Array.from({ length: 6 }, (_, i) => ({ name: `b${i}`, parent: i ? 0 : -1, matrix: identity }))
    const many = (n: number): Record<string, Uint8Array> => ({
      'hero.mds': mdsBytes([...bones, { name: 'skin', parent: 0, matrix: identity, mdt: mdtBytes() }]),
      'hero.bbp': bbpBytes(Array.from({ length: 7 }, () => identity)),
      'hero.wgt': trackListBytes(bones.slice(0, n).map((_, target) => ({ node: 6, target, type: 20, keys: [[0, 100 / n]] }))),
    })
    expect(codes(many(6))).toContain('weight-influences')
    expect(codes(many(5))).not.toContain('weight-influences')
    const mdt = newMdt({ positions: new Float32Array(3 * 3001), normals: [0, 0, 1], uvs: [0, 0], materials: [], primitives: [] })
    const body = newMds([
      { name: 'root', parent: -1 },
      { name: 'body', parent: 0, mdt },
    ])
    const large = lint({ ...sound, 'hero.mds': encodeDocument(mdsFormat, body).bytes.slice() }).found.find(
      (d) => d.code === 'level5.vertex-limit',
    )
    expect(large).toMatchObject({ severity: 'error', path: 'nodes[1].mdt.vertices' })
    expect(codes({})).not.toContain('vertex-limit')
  })

  it('of what Dark Cloud 1 is told and asks for', () => {
    const cfg = (lines: string): Uint8Array =>
      latin(`MODEL "hero.mds"\r\n${lines}MOTION 0, "hero.mot", "hero.bbp", "hero.wgt"\r\nKEY_START 0\r\nKEY 1, 40, 0.5\r\nMOTION_END\r\n`)
    expect(codes({ 'hero.cfg': cfg('ALLOC_DBUFF "body"\r\n') })).toEqual(['primitive-kind'])
    expect(codes({ 'hero.cfg': cfg('') })).toEqual(['primitive-kind', 'alloc-missing'])
    expect(codes({ 'hero.cfg': cfg('ALLOC_DBUFF "body"\r\n'.repeat(8)) })).not.toContain('alloc-count')
    expect(codes({ 'hero.cfg': cfg('ALLOC_DBUFF "body"\r\n'.repeat(9)) })).toContain('alloc-count')
    // the other game has no such room
    const ofDc2 = latin(`MODEL "hero.mds";\r\n${'ALLOC_DBUFF "body";\r\n'.repeat(9)}`)
    expect(codes({ 'hero.cfg': ofDc2 })).not.toContain('alloc-count')
    expect(codes({ 'skin.img': imgBytes('IM3', [['skin', picture(16)]]) })).toContain('bank-of-other-game')
    const skinBelowArm = mdsBytes([nodes[0], { ...nodes[1], parent: 2 }, { ...nodes[2], parent: 0 }])
    expect(codes({ 'hero.mds': skinBelowArm })).toContain('skin-node')
    expect(codes({ 'hero.mds': mdsBytes([nodes[0], { ...nodes[1], matrix: translation(0, 10, 0) }, nodes[2]]) })).toContain('skin-node')
    const many = (n: number): string[] =>
      codes({
        'hero.mds': mdsBytes([
          ...nodes,
          ...Array.from({ length: n }, (_, i) => ({ name: `m${i}`, parent: 0, matrix: identity, mdt: mdtBytes() })),
        ]),
      })
    expect(many(99)).not.toContain('many-meshes')
    expect(many(100)).toContain('many-meshes')
  })

  it('of names that scripts give, of events, and of what stands in a pack', () => {
    const cfg = (lines: string): Uint8Array =>
      latin(
        `MODEL "hero.mds"\r\nALLOC_DBUFF "body"\r\n${lines}MOTION 0, "hero.mot", "hero.bbp", "hero.wgt"\r\nKEY_START 0\r\nKEY 1, 40, 0.5\r\nMOTION_END\r\n`,
      )
    expect(codes({ 'hero.cfg': cfg('ALLOC_DBUFF "cape"\r\n') })).toEqual(['primitive-kind', 'alloc-unknown'])
    expect(codes({ 'hero.cfg': cfg('EVENT 1, 1, 7\r\nEVENT 40, 1, 7\r\n') })).toEqual(['primitive-kind'])
    expect(codes({ 'hero.cfg': cfg('EVENT 41, 1, 7\r\n') })).toEqual(['primitive-kind', 'event-outside'])
    const { 'hero.cfg': script, ...others } = sound
    const inPack = (name: string, pack: string): string[] => {
      const folder = openFolder({ ...others, [name]: script }, { pack })
      return [...folder.documents.values()]
        .flatMap((document) =>
          level5.lint(document, { binding: folder.binding, around: folder.around, load: (r) => folder.documents.get(r) }),
        )
        .map((d) => d.code.slice('level5.'.length))
        .filter((code) => code === 'script-name')
    }
    expect(inPack('info.cfg', 'c01.chr')).toEqual([])
    expect(inPack('hero.cfg', 'c01.chr')).toEqual([])
    expect(inPack('c01.cfg', 'c01.chr')).toEqual([])
    expect(inPack('other.cfg', 'c01.chr')).toEqual(['script-name'])
    // tools unpack packs to any folder, and scripts may have any name there
    expect(codes({ 'hero.cfg': latin(''), 'other.cfg': script })).not.toContain('script-name')
  })

  it('of bind matrices that chain to another place', () => {
    expect(codes({ 'hero.bbp': bbpBytes([identity, identity, translation(0, 5.04, 0)]) })).toEqual(['primitive-kind'])
    expect(codes({ 'hero.bbp': bbpBytes([identity, identity, translation(0, 5.2, 0)]) })).toEqual(['primitive-kind', 'bbp-apart'])
    // of the model as a whole, as Dark Cloud 2 has them
    const below = mdsBytes([nodes[0], { ...nodes[1], matrix: translation(0, 7, 0) }, nodes[2]])
    const whole = bbpBytes([identity, translation(0, 7, 0), translation(0, 12, 0)])
    const ofDc2 = latin(
      'MODEL "hero.mds";\r\nMOTION 0, "hero.mot", "hero.bbp", "hero.wgt";\r\nKEY_START 0;\r\nKEY "a", 1, 40, 0.5;\r\nKEY_END;\r\nMOTION_END;\r\n',
    )
    expect(codes({ 'hero.mds': below, 'hero.bbp': whole, 'hero.cfg': ofDc2 })).not.toContain('bbp-apart')
    // Dark Cloud 1 would chain them
    expect(codes({ 'hero.mds': below, 'hero.bbp': whole })).toContain('bbp-apart')
  })

  describe('of what has to stay as the game had it', () => {
    /** Findings on a file that there were not without knowing what it was. */
    const since = (name: string, was: Uint8Array, is: Uint8Array): string[][] => {
      const now = openFolder({ ...sound, [name]: is })
      const before = openFolder({ ...sound, [name]: was })
      const of = (folder: typeof now) => [...folder.documents.values()].find(({ ref }) => ref.endsWith(name))!
      const told = (original?: Document): Diagnostic[] =>
        level5.lint(of(now), { binding: now.binding, around: now.around, load: (r) => now.documents.get(r), original })
      const plain = told()
      const found = told(of(before))
      expect(found.slice(0, plain.length)).toEqual(plain)
      return found.slice(plain.length).map(({ severity, code, path }) => [severity, code.slice('level5.'.length), path])
    }
    const cfg = (...keys: string[]): Uint8Array =>
      latin(
        `MODEL "hero.mds"\r\nMOTION 0, "hero.mot", "hero.bbp", "hero.wgt"\r\nKEY_START 0\r\n${keys.map((key) => `KEY ${key}\r\n`).join('')}MOTION_END\r\n`,
      )

    it('windows: their number and their frames, but for placeholders', () => {
      const was = cfg('1, 10, 0.5', '10, 40, 0.5', '0,0,0')
      expect(since('hero.cfg', was, was)).toEqual([])
      expect(since('hero.cfg', was, cfg('1, 10, 0.7', '10, 40, 0.5', '20,30,1', '1,5,1'))).toEqual([])
      expect(since('hero.cfg', was, cfg('1, 12, 0.5', '10, 40, 0.5'))).toEqual([
        ['info', 'window-count', 'motions[0]'],
        ['info', 'window-moved', 'motions[0].keys[0]'],
      ])
    })

    it('groups without keys, of a program alone', () => {
      const group = (target: number, keys: [number, number][]) => ({ node: 1, target, type: 20, keys })
      const was = trackListBytes([group(0, []), group(2, []), group(1, [[0, 100]])])
      expect(since('hero.wgt', was, trackListBytes([group(0, []), group(2, [[0, 1]]), group(1, [[0, 99]])]))).toEqual([])
      expect(since('hero.wgt', was, trackListBytes([group(0, []), group(1, [[0, 100]])]))).toEqual([['error', 'group-gone', 'tracks']])
      const plain = trackListBytes([group(2, [[0, 1]]), group(1, [[0, 99]])])
      expect(since('hero.wgt', plain, trackListBytes([group(1, [[0, 100]])]))).toEqual([])
    })

    it('the size that the game builds of a model', () => {
      const more = mdsBytes([...nodes, { name: 'more', parent: 0, matrix: identity, mdt: mdtBytes() }])
      expect(since('hero.mds', sound['hero.mds'], more)).toEqual([['info', 'built-larger', 'nodes']])
      expect(since('hero.mds', more, sound['hero.mds'])).toEqual([])
    })
  })

  it('of meshes that lie askew', () => {
    const askew = mdsFormat.decode(sound['hero.mds'], 'hero.mds')
    const section = askew.sections.find((s) => s.kind === 'mdt')!
    section.mdt.parts.unshift({ kind: 'pad', bytes: new Uint8Array([0xa5, 0xa5, 0xa5, 0xa5]) })
    expect(codes({ 'hero.mds': encodeDocument(mdsFormat, askew).bytes.slice() })).toEqual(['mesh-sections', 'primitive-kind'])
  })

  it('of a bone whose parent no group computes', () => {
    const deep = [...nodes, { name: 'hand', parent: 2, matrix: identity }]
    const groups = (targets: number[]): Record<string, Uint8Array> => ({
      'hero.mds': mdsBytes(deep),
      'hero.bbp': bbpBytes([identity, identity, translation(0, 5, 0), identity]),
      'hero.wgt': trackListBytes(
        targets.map((target, i) => ({ node: 1, target, type: 20, keys: i === targets.length - 1 ? [[0, 100]] : [] })),
      ),
    })
    expect(codes(groups([0, 1, 2, 3]))).not.toContain('group-order')
    expect(codes(groups([0, 2, 1, 3]))).toContain('group-order')
    expect(codes(groups([0, 1, 3]))).toContain('group-order')
  })

  it('of tracks that do not cover the windows, of the root and of nodes that are scaled away', () => {
    const track = (node: number, type: number, first: number, last: number, value = 1): Uint8Array =>
      trackListBytes([
        {
          node,
          type,
          keys: [
            [first, value, value, value],
            [last, value, value, value],
          ],
        },
      ])
    const found = (bytes: Uint8Array): string[] => codes({ 'hero.mot': bytes }).filter((code) => code !== 'primitive-kind')
    expect(found(track(1, 2, 1, 40))).toEqual([])
    expect(found(track(1, 2, 2, 40))).toEqual(['track-starts-late'])
    expect(found(track(1, 2, 1, 39))).toEqual(['track-ends-early', 'window-beyond'])
    expect(found(track(0, 2, 1, 40))).toEqual(['root-track'])
    expect(found(track(1, 1, 1, 40, 0.001))).toEqual(['hidden-by-scale'])
    expect(found(track(1, 1, 1, 40, 0.5))).toEqual([])
  })

  it('on each limit: what is just within, and what is beside it', () => {
    const { vertices } = meshOf(mdsFormat.decode(mdsBytes(nodes), 'x'), mdsFormat.decode(mdsBytes(nodes), 'x').nodes[1])!
    const count = vertices.length / 4
    const of = (track: RawTrack): string[] => codes({ 'hero.mot': trackListBytes([track]) })
    const vertex = (target: number): string[] => of({ node: 1, target, type: 12, keys: [[1, 0, 0, 0]] })
    expect([0, 1, count, count + 1].map((target) => vertex(target).includes('track-target'))).toEqual([true, false, false, true])
    const seen = (value: number): boolean => of({ node: 1, target: 0, type: 40, keys: [[1, value]] }).includes('transparency-range')
    expect([-0.5, 0, 1, 1.5].map(seen)).toEqual([true, false, false, true])
    const root = (...keys: RawTrack['keys']): boolean => of({ node: 0, type: 2, keys }).includes('root-track')
    expect([root(), root([1, 0, 0, 0])]).toEqual([false, true])
    const corner = (value: number): boolean =>
      codes({ 'hero.mds': mdsBytes([{ ...nodes[0], matrix: [...identity.slice(0, 15), value] }, ...nodes.slice(1)]) }).includes(
        'node-matrix',
      )
    expect([1, 2].map(corner)).toEqual([false, true])
    const shrunk = (...values: [number, number, number]): boolean =>
      of({ node: 1, type: 1, keys: [[1, ...values]] }).includes('hidden-by-scale')
    expect([shrunk(0.001, 0.001, 0.001), shrunk(0.001, 0, 0.001)]).toEqual([true, false])
  })

  it('keep what is right where they put right the rest: keys at one time their order, weights their bits', () => {
    const key = (frame: number, value: number): [number, ...number[]] => [frame, value, 0, 0]
    const unsorted = trackListBytes([{ node: 1, type: 2, keys: [key(5, 9), key(1, 1), key(1, 2), key(1, 3), key(40, 4)] }])
    const sorted = trackListBytes([{ node: 1, type: 2, keys: [key(1, 1), key(1, 2), key(1, 3), key(5, 9), key(40, 4)] }])
    expect(afterFix({ 'hero.mot': unsorted }, 'keys-order')).toEqual(sorted)
    const weights = (wrong: number): Uint8Array =>
      trackListBytes([
        { node: 1, target: 0, type: 20, keys: [] },
        {
          node: 1,
          target: 1,
          type: 20,
          keys: [
            [0, wrong],
            [1, 100.25],
          ],
        },
      ])
    expect(afterFix({ 'hero.wgt': weights(60) }, 'weight-sum')).toEqual(weights(100))
  })

  it('of a node that is turned to the camera and by a track', () => {
    const called = (name: string, type: number): string[] =>
      codes({
        'hero.mds': mdsBytes([nodes[0], nodes[1], { ...nodes[2], name }]),
        'hero.mot': trackListBytes([
          {
            node: 2,
            type,
            keys: [
              [1, 1, 0, 0, 0],
              [40, 1, 0, 0, 0],
            ],
          },
        ]),
      }).filter((code) => code !== 'primitive-kind')
    expect(called('arm__ba', 0)).toEqual(['billboard-turned'])
    expect(called('arm__by1', 0)).toEqual(['billboard-turned'])
    expect(called('arm__cz', 0)).toEqual([])
    // where it stands and how large it is stays
    expect(called('arm__ba', 2)).toEqual([])
    expect(called('arm__ba', 1)).toEqual([])
  })

  it('of more nodes than any model has that is known to load', () => {
    const many = (n: number): string[] =>
      codes({ 'hero.mds': mdsBytes([...nodes, ...Array.from({ length: n }, (_, i) => ({ name: `n${i}`, parent: 0, matrix: identity }))]) })
    expect(many(293)).not.toContain('many-nodes')
    expect(many(294)).toContain('many-nodes')
  })

  it('of the resets of several skins in one file, each its own', () => {
    const skins = [...nodes, { name: 'cape', parent: 0, matrix: identity, mdt: mdtBytes() }]
    const program = (cape: { node: number; target: number; type: number; keys: [number, number][] }[]): string[] =>
      codes({
        'hero.mds': mdsBytes(skins),
        'hero.bbp': bbpBytes([identity, identity, translation(0, 5, 0), identity]),
        'hero.wgt': trackListBytes([
          { node: 1, target: 0, type: 20, keys: [] },
          { node: 1, target: 1, type: 20, keys: [[0, 100]] },
          ...cape,
        ]),
      }).filter((code) => code.startsWith('group'))
    expect(
      program([
        { node: 3, target: 0, type: 20, keys: [] },
        { node: 3, target: 1, type: 20, keys: [[0, 100]] },
      ]),
    ).toEqual([])
    expect(program([{ node: 3, target: 1, type: 20, keys: [[0, 100]] }])).toContain('group-reset')
  })

  it('of a list without any reset, where the script is of Dark Cloud 1', () => {
    const plain = trackListBytes([{ node: 1, target: 1, type: 20, keys: [[0, 100]] }])
    const ofDc2 = latin('MODEL "hero.mds";\r\nMOTION 0, "hero.mot", "hero.bbp", "hero.wgt";\r\n')
    expect(codes({ 'hero.wgt': plain })).toContain('group-reset')
    expect(codes({ 'hero.wgt': plain, 'hero.cfg': ofDc2 })).not.toContain('group-reset')
  })

  it('of bind poses and pictures', () => {
    expect(codes({ 'hero.bbp': bbpBytes([identity, translation(0, Number.NaN, 0), translation(0, 5, 0)]) })).toContain('bbp-matrix')
    expect(codes({ 'hero.bbp': bbpBytes([identity, new Array<number>(16).fill(0)], 3) })).toEqual(
      expect.arrayContaining(['bbp-zero', 'bbp-nodes']),
    )
    expect(
      codes({
        'skin.img': imgBytes('IM2', [
          ['skin', picture(20)],
          ['SKIN', tim2Bytes({ width: 64, height: 64, imageType: 3, image: junk(8) })],
        ]),
      }),
    ).toEqual(expect.arrayContaining(['picture-size', 'picture-name', 'picture-unread']))
  })

  it('of windows', () => {
    const dc2 = latin(
      `MODEL "other.mds";\r\nIMG 0, "no.img";\r\nMOTION 0, "hero.mot", "no.bbp", "";\r\nKEY_START;\r\nKEY "${'\x82\xa0'.repeat(16)}", 9, 2, 0.5;\r\nKEY "b", 1, 90, 0;\r\nKEY "c", 1, 2, -1;\r\nMOTION_END;\r\nMOTION 1, "no.mot", "", "";\r\nKEY "d", 1, 2, 1;\r\n`,
    )
    const found = codes({ 'hero.cfg': dc2 })
    expect(found.filter((c) => c === 'file-missing')).toHaveLength(4)
    expect(found).toEqual(expect.arrayContaining(['window-order', 'window-beyond', 'window-speed', 'window-name', 'key-end', 'key-start']))
    expect(fixed({ 'hero.cfg': dc2 }, 'window-order')).not.toContain('window-order')
    // nothing is made of one that would begin before every track
    const before = latin(Buffer.from(dc2).toString('latin1').replace(', 9, 2,', ', 9, -2,'))
    expect(lint({ ...sound, 'hero.cfg': before }).found.find((d) => d.code === 'level5.window-order')!.fixes ?? []).toEqual([])
  })

  it('say it in the words of the scene, so that it is shown once', () => {
    const files = {
      ...sound,
      'hero.wgt': trackListBytes([{ node: 1, target: 50, type: 20, keys: [[0, 100]] }]),
      'hero.bbp': bbpBytes([identity]),
    }
    const { folder, found } = lint(files)
    const key = (d: Diagnostic): string => [d.ref, d.code, d.path, d.offset, d.message].join()
    const rules = new Set(found.map(key))
    for (const d of folder.assemble().diagnostics) expect(rules).toContain(key(d))
  })
})
