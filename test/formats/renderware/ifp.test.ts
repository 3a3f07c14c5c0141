import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeDocument } from '../../../src/main/formats/format.ts'
import { ifpFormat } from '../../../src/main/formats/renderware/codecs/ifp.ts'
import { keyTime, setKeys } from '../../../src/main/formats/renderware/codecs/ifp-bones.ts'
import { newIfp } from '../../../src/main/formats/renderware/make.ts'
import { payload } from '../../fixtures/renderware/ped.ts'
import { expectLossless, expectTameWhenCorrupted, expectTameWhenTruncated, junk } from '../../support/hostile.ts'
import type { IfpDocument } from '../../../src/main/formats/renderware/codecs/ifp-bones.ts'

const bytesOf = (document: IfpDocument): Uint8Array => encodeDocument(ifpFormat, document).bytes.slice()
const text = (s: string, size: number, seed = 0): Uint8Array => {
  const out = seed ? junk(size, seed) : new Uint8Array(size)
  out.set(new TextEncoder().encode(s))
  out[s.length] = 0
  return out
}

const CLIPS = [
  {
    name: 'WALK_civi',
    tracks: [
      { bone: 'Root', id: 0, times: [0, 0.5], rotations: [0, 0, 0, 1, 0, 0, 1, 0], translations: [0, 0, 1, 0, 1.5, 1] },
      { bone: ' L Arm', id: 31, times: [0], rotations: [0.5, 0.5, 0.5, 0.5] },
    ],
  },
  { name: 'idle', tracks: [] },
]

/** All four key types, junk behind names, a wrong sum of key bytes, slack and a tail. */
function oddAnp3(): Uint8Array {
  const animation = payload(
    text('clip', 24, 3),
    4,
    999,
    0,
    text('one', 24, 4),
    1,
    2,
    -1,
    junk(40),
    text('two', 24, 5),
    2,
    1,
    5,
    junk(32),
    text('three', 24, 6),
    3,
    3,
    6,
    junk(30),
    text('four', 24, 7),
    4,
    0,
    7,
  )
  const body = payload(text('ped', 24, 2), 1, animation, junk(5))
  return payload(new TextEncoder().encode('ANP3'), body.length, body, junk(21))
}

describe('ANP3', () => {
  it('writes all key types, junk, slack and tail as they were', () => {
    const document = expectLossless(ifpFormat, oddAnp3())
    expect(document.animations[0].bones.map((b) => [b.type, b.numKeys, b.boneId])).toEqual([
      [1, 2, -1],
      [2, 1, 5],
      [3, 3, 6],
      [4, 0, 7],
    ])
    expect([document.slack.length, document.trailing.length]).toEqual([5, 21])
    expect(document.diagnostics.map((d) => d.code)).toEqual(['renderware.key-bytes', 'renderware.stale-tail'])
    expect(ifpFormat.identify(oddAnp3(), 'x', 500)).toBeGreaterThan(0.9)
  })
  it('stores quaternions as 1/4096, translations as 1/1024, times as 1/60 s', () => {
    const document = ifpFormat.decode(bytesOf(newIfp('ped', CLIPS)), 'a/ped.ifp')
    const root = document.animations[0].bones[0]
    expect(root.type).toBe(4)
    expect(Array.from(root.shorts!)).toEqual([0, 0, 0, 4096, 0, 0, 0, 1024, 0, 0, 4096, 0, 30, 0, 1536, 1024])
    expect(Array.from(document.animations[0].bones[1].shorts!)).toEqual([2048, 2048, 2048, 2048, 0])
    expect(keyTime(document, root, 1)).toBe(0.5)
    expect(ifpFormat.summarize(document)).toMatchObject({
      clips: [
        { name: 'WALK_civi', frames: 30, rate: 60, tracks: 2, keys: 3 },
        { name: 'idle', frames: 0, tracks: 0 },
      ],
      provides: ['renderware.ifp:ped', 'renderware.ifp-nodes:0,31'],
    })
  })
  it('reads ANP2, which has no flags', () => {
    const body = payload(text('p', 24), 1, text('c', 24), 0, 0)
    expectLossless(ifpFormat, payload(new TextEncoder().encode('ANP2'), body.length, body))
  })
  it('keeps a size that is off through an edit', () => {
    const bytes = bytesOf(newIfp('ped', CLIPS))
    new DataView(bytes.buffer).setUint32(4, 7, true)
    const document = expectLossless(ifpFormat, bytes)
    expect(document.diagnostics.map((d) => d.code)).toEqual(['renderware.ifp-size'])
    const animation = document.animations[0]
    setKeys(document, animation, animation.bones[1], new Uint8Array(20), 2)
    const out = bytesOf(document)
    expect(new DataView(out.buffer).getUint32(4, true)).toBe(17)
    expect(out.length).toBe(bytes.length + 10)
    expect(ifpFormat.decode(out, 'f').animations[0].keyBytes).toBe(32 + 20)
  })
  it('says which type it does not know', () => {
    const body = payload(text('p', 24), 1, text('c', 24), 1, 0, 1, text('b', 24), 9, 0, 0)
    expect(() => ifpFormat.decode(payload(new TextEncoder().encode('ANP3'), body.length, body), 'f.ifp')).toThrowError(
      expect.objectContaining({ code: 'bad-value', path: 'animations[0].bones[0].type', offset: 36 + 36 + 24, actual: '9' }),
    )
  })
  it('is tame when cut or wrong', () => {
    for (const bytes of [oddAnp3(), bytesOf(newIfp('ped', CLIPS, 'ANPK'))]) {
      expectTameWhenTruncated(ifpFormat, bytes)
      expectTameWhenCorrupted(ifpFormat, bytes)
    }
  })
  it('does not allocate for counts that the bytes cannot hold', () => {
    const many = payload(new TextEncoder().encode('ANP3'), 100, text('p', 24), 0x7fffffff)
    expect(() => ifpFormat.decode(many, 'f')).toThrowError(expect.objectContaining({ code: 'bad-count', path: 'numAnims', offset: 36 }))
  })
})

describe('ANPK', () => {
  it('writes all key chunks and both forms of ANIM as they were', () => {
    const tag = (s: string): Uint8Array => new TextEncoder().encode(s)
    const bone = (links: number[], keyTag: string, stride: number, n: number, extra = 0): Uint8Array => {
      const anim = payload(tag('ANIM'), 40 + 4 * links.length, text('bone', 28, 9), n, 0, n - 1, ...links)
      const keys = n
        ? payload(tag(keyTag), stride * n + extra, junk(stride * n + extra), new Uint8Array((4 - (extra & 3)) & 3))
        : new Uint8Array(0)
      return payload(tag('CPAN'), anim.length + keys.length, anim, keys)
    }
    const bones = [
      bone([3], 'KR00', 20, 2),
      bone([1, 2], 'KRT0', 32, 1),
      bone([-1], 'KRTS', 44, 1, 2),
      bone([8], '', 0, 0),
      bone([], 'KR00', 20, 1),
    ]
    const content = payload(tag('INFO'), 8, bones.length, 0xabcd, ...bones)
    const animation = payload(tag('NAME'), 5, text('walk', 5), junk(3), tag('DGAN'), content.length, content)
    const body = payload(tag('INFO'), 9, 1, text('ped', 5), junk(3, 5), animation)
    const bytes = payload(tag('ANPK'), body.length, body, junk(11))
    const document = expectLossless(ifpFormat, bytes)
    expect(document.animations[0].bones.map((b) => [b.anpk!.keyTag, b.numKeys, b.boneId])).toEqual([
      ['KR00', 2, 3],
      ['KRT0', 1, -1],
      ['KRTS', 1, -1],
      ['', 0, 8],
      ['KR00', 1, -1],
    ])
    expectTameWhenTruncated(ifpFormat, bytes)
    expectTameWhenCorrupted(ifpFormat, bytes)
  })
  it('is written with conjugated rotations and times in seconds', () => {
    const document = ifpFormat.decode(bytesOf(newIfp('ped', CLIPS, 'ANPK')), 'f')
    expect(document.diagnostics).toEqual([])
    const [root, arm] = document.animations[0].bones
    expect(root.anpk!.keyTag).toBe('KRT0')
    expect(Array.from(arm.floats!)).toEqual([-0.5, -0.5, -0.5, 0.5, 0])
    expect(root.floats![15]).toBe(0.5)
    expect(root.anpk!.word2).toBe(1)
  })
  it('keeps the sizes of its chunks right through an edit', () => {
    const document = ifpFormat.decode(bytesOf(newIfp('ped', CLIPS, 'ANPK')), 'f')
    const animation = document.animations[0]
    setKeys(document, animation, animation.bones[1], new Uint8Array(40), 2)
    const again = expectLossless(ifpFormat, bytesOf(document))
    expect(again.diagnostics).toEqual([])
    expect(again.animations[0].bones[1]).toMatchObject({ numKeys: 2, anpk: { keySize: 40, cpanSize: 52 + 48 } })
    setKeys(again, again.animations[0], again.animations[0].bones[1], new Uint8Array(0), 0)
    expect(expectLossless(ifpFormat, bytesOf(again)).diagnostics).toEqual([])
  })
  it('is lossless for any names and keys', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('ANP3' as const, 'ANPK' as const),
        fc.array(fc.record({ name: fc.stringMatching(/^[a-z]{0,9}$/), keys: fc.nat(4), move: fc.boolean() }), { maxLength: 4 }),
        (kind, tracks) => {
          const document = newIfp(
            'pack',
            [
              {
                name: 'c',
                tracks: tracks.map((t, i) => ({
                  bone: t.name,
                  id: i,
                  times: Array.from({ length: t.keys }, (_, k) => k / 60),
                  rotations: new Float32Array(4 * t.keys).fill(0.5),
                  translations: t.move ? new Float32Array(3 * t.keys).fill(0.25) : undefined,
                })),
              },
            ],
            kind,
          )
          const again = expectLossless(ifpFormat, bytesOf(document))
          expect(again.diagnostics).toEqual([])
          expect(again.animations[0].bones.map((b) => b.numKeys)).toEqual(tracks.map((t) => t.keys))
        },
      ),
    )
  })
})
