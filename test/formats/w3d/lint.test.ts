import { describe, expect, it } from 'vitest'
import { encodeDocument } from '../../../src/main/formats/format.ts'
import { w3d } from '../../../src/main/formats/w3d/family.ts'
import { w3dFile } from '../../../src/main/formats/w3d/codecs/file.ts'
import { describeCorpus, filesBelow, readBytes } from '../../support/corpus.ts'
import { changedRanges } from '../../support/edit-session.ts'
import { junk } from '../../support/hostile.ts'
import {
  PIVOTS,
  QUAD,
  adaptive,
  animation,
  bitChannel,
  cat,
  channel,
  chunk,
  compressed,
  f32,
  hierarchy,
  hlod,
  materials,
  mesh,
  motionDeltas,
  motionKeys,
  timeCoded,
  u16,
  u32,
  u8,
} from '../../fixtures/w3d/chunks.ts'
import { aabTree, everything, skin, twoBoneSkin } from '../../fixtures/w3d/files.ts'
import { memoryLibrary } from '../../fixtures/w3d/neighbourhood.ts'
import type { FixturePivot } from '../../fixtures/w3d/chunks.ts'

/** Problems of the first file among the others. */
function lint(files: Record<string, Uint8Array>) {
  const library = memoryLibrary(files)
  const ref = Object.keys(files)[0]
  const document = library.load(ref)!
  return w3d.lint(document, { around: library, load: library.load })
}
/** animations of these tests stand in files of any name */
const codesOf = (files: Record<string, Uint8Array>): string[] =>
  [...new Set(lint(files).map((d) => d.code))].filter((code) => code !== 'w3d.clip-file').sort()
const codes = (bytes: Uint8Array, others: Record<string, Uint8Array> = {}): string[] => codesOf({ 'x.w3d': bytes, ...others })
const flat = { ...QUAD, min: [0, 0, 0], max: [1, 1, 0] }
const clean = (meshName: string, chunks: Uint8Array[] = [], more: Partial<Parameters<typeof mesh>[0]> = {}): Uint8Array =>
  mesh({ meshName, ...flat, chunks, ...more })
const still: FixturePivot[] = PIVOTS.map((p, i) => (i ? p : { ...p, trans: [0, 0, 0] }))
const skl = (change: Partial<FixturePivot>, at = 1, options: Parameters<typeof hierarchy>[1] = {}): Uint8Array =>
  hierarchy(
    still.map((p, i) => (i === at ? { ...p, ...change } : p)),
    options,
  )
const tga = cat([0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0], u16(1, 2), [24, 0x20], [1, 2, 3, 4, 5, 6])

describe('rules', () => {
  it('find nothing in sound files', () => {
    expect(
      codes(
        cat(
          clean('HULL'),
          hlod('WALKER', 'WALKER_SKL', [{ size: 1, objects: [[1, 'WALKER.HULL']] }]),
          hierarchy(still),
          animation('A', 'WALKER_SKL', 2, [channel(1, 0, 0, [1, 2])]),
        ),
      ),
    ).toEqual([])
    expect(codes(clean('A', materials()), { 'WALKER.TGA': tga })).toEqual([])
  })

  it('on names that the games look for, and numbers that they have room for', () => {
    const walk = (rate = 30): Uint8Array => cat(animation('WALK', 'WALKER_SKL', 2, [channel(1, 0, 0, [1, 2])], rate))
    const others = { 'walker_skl.w3d': hierarchy(still) }
    expect(lint({ 'walk.w3d': walk(), ...others })).toEqual([])
    const told = (files: Record<string, Uint8Array>): string[][] => lint(files).map((d) => [d.code, d.severity, d.message])
    expect(told({ 'run.w3d': walk(), ...others })).toEqual([
      ['w3d.clip-file', 'warning', 'Renegade, Generals and Zero Hour look for WALKER_SKL.WALK in WALK.w3d'],
    ])
    // where BFME looks is not known: its channels, or those of another clip of the skeleton, tell it
    const motion = (name: string, skeleton = 'WALKER_SKL'): Uint8Array =>
      compressed(name, skeleton, 33, 0, [motionKeys(1, 1, [0, 32], [1, 2])])
    const hint = [
      [
        'w3d.clip-file',
        'info',
        'games before The Battle for Middle-earth look for WALKER_SKL.WALK in WALK.w3d; where that one looks is not known',
      ],
    ]
    expect(told({ 'run.w3d': motion('WALK'), ...others })).toEqual(hint)
    expect(told({ 'run.w3d': walk(), 'stand.w3d': motion('STAND'), ...others })).toEqual(hint)
    expect(told({ 'run.w3d': walk(), 'stand.w3d': motion('STAND', 'OTHER_SKL'), ...others })[0][1]).toBe('warning')
    expect(lint({ 'walk.w3d': walk(15), ...others }).map((d) => d.code)).toEqual(['w3d.clip-rate'])
    const flavour = (flavor: number): string[] => codes(compressed('A', 'WALKER_SKL', 2, flavor, []), others)
    expect(flavour(1)).toEqual([])
    expect(flavour(7)).toEqual(['w3d.clip-flavour'])
    expect(codes(clean('A', [], { triangles: [] }))).toEqual(['w3d.empty-mesh'])
    expect(codes(clean('A', [], { version: 0x30000 }))).toContain('w3d.mesh-version')
    const whole = clean('A').subarray(8)
    const size = 8 + new DataView(whole.buffer, whole.byteOffset).getUint32(4, true)
    expect(codes(chunk(0, true, whole.subarray(size), whole.subarray(0, size)))).toEqual(['w3d.mesh-header-first'])
    const large = chunk(0, true, whole.subarray(0, size), chunk(0x02, false, new Uint8Array(12 * 65536)))
    expect(codes(large)).toContain('w3d.vertex-limit')
    expect(codes(clean('A'))).not.toContain('w3d.vertex-limit')
    const levels = (n: number, object = 'WALKER.HULL'): Uint8Array =>
      cat(
        clean('HULL'),
        hlod(
          'WALKER',
          'WALKER_SKL',
          Array.from({ length: n }, (_, i) => ({ size: i + 1, objects: [[1, object] as [number, string]] })),
        ),
        hierarchy(still),
      )
    expect(codes(levels(1))).toEqual([])
    expect(codes(levels(256))).toEqual(['w3d.lod-levels'])
    expect(codes(levels(1, 'HULL'))).toContain('w3d.sub-object-name')
    expect(
      codes(cat(clean('TURRET'), hlod('WALKER', 'WALKER_SKL', [{ size: 1, objects: [[1, 'WALKER.TURRET']] }]), hierarchy(still))),
    ).toEqual(['w3d.mesh-name-bone'])
    expect(
      codes(cat(clean('TURRET'), hlod('WALKER', 'WALKER_SKL', [{ size: 1, objects: [[2, 'WALKER.TURRET']] }]), hierarchy(still))),
    ).toEqual([])
    expect(codes(cat(skin(), hierarchy(still)))).not.toContain('w3d.second-bone')
    const seams = mesh({
      meshName: 'S',
      ...flat,
      attributes: 0x20000,
      chunks: [chunk(0x0e, false, ...Array.from({ length: 4 }, () => u16(1, 2, 60, 40)))],
    })
    expect(codes(seams)).toContain('w3d.second-bone')
    expect(
      codes(
        mesh({
          meshName: 'S',
          ...flat,
          attributes: 0x20000,
          chunks: [chunk(0x0e, false, ...Array.from({ length: 4 }, () => u16(1, 2, 0, 0))), aabTree()],
        }),
      ),
    ).toContain('w3d.tree-on-skin')
  })

  it('on combinations of materials', () => {
    const many = (n: number): string[] => {
      const triangles = Array.from({ length: n }, () => [0, 1, 2] as [number, number, number])
      const parts = materials({
        info: [1, 1, n, 1],
        shader: Array.from({ length: n }, () => [3, 1, 7, 0, 9, 1, 0, 1, 1, 0, 0, 5, 0, 0, 0, 0xa5]).flat(),
      })
      const pass = chunk(0x38, true, chunk(0x39, false, u32(0)), chunk(0x3a, false, u32(...triangles.map((_, i) => i))))
      return codes(clean('A', [...parts.slice(0, -1), pass], { triangles }), { 'walker.tga': tga })
    }
    expect(many(64)).toEqual([])
    expect(many(65)).toEqual(['w3d.material-combinations'])
    const passes = (blend: number): string[] => {
      const parts = materials({ info: [2, 1, 1, 1], shader: [3, 1, 7, blend, 9, 1, 0, 1, 1, 0, 0, 5, 0, 0, 0, 0xa5] })
      return codes(clean('A', [...parts, parts.at(-1)!]), { 'walker.tga': tga })
    }
    expect(passes(0)).toEqual([])
    const translucent = (n: number): string[] => {
      const triangles = Array.from({ length: n }, () => [0, 1, 2] as [number, number, number])
      const parts = materials({ info: [1, 1, 1, 1], shader: [3, 1, 7, 5, 9, 1, 0, 1, 1, 0, 0, 5, 0, 0, 0, 0xa5] })
      return codes(clean('A', parts, { triangles }), { 'walker.tga': tga })
    }
    expect(translucent(21845)).toEqual([])
    expect(translucent(21846)).toEqual(['w3d.translucent-limit'])
    const picture = (width: number, height: number): string[] => {
      const sides = cat([0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0], u16(width, height), [24, 0x20], junk(3 * width * height))
      return codes(clean('A', materials()), { 'walker.tga': sides })
    }
    expect(picture(32, 4)).toEqual([])
    expect(picture(64, 4)).toEqual(['w3d.texture-sides'])
    expect(picture(24, 16)).toEqual(['w3d.texture-sides'])
    expect(passes(5)).toEqual(['w3d.transparent-passes'])
  })

  it('on what is missing or of another length', () => {
    expect(codes(chunk(0, true, chunk(0x02, false, f32(0, 0, 0))))).toEqual(['w3d.mesh-header'])
    expect(codes(chunk(0x700, true, chunk(0x702, true, chunk(0x703, false, u32(0), f32(1)))))).toEqual(['w3d.hlod-header'])
    expect(codes(clean('A', [], { vertices: [NaN, ...QUAD.vertices.slice(1)] }))).toContain('w3d.vertex-value')
    expect(codes(hierarchy(still, { fixups: 'none' }))).toEqual([])
    const short = cat(hierarchy(still, { fixups: 'none' }).subarray(8), chunk(0x103, false, junk(96)))
    expect(codes(chunk(0x100, true, short))).toEqual(['w3d.fixup-count'])
    const pass = (ids: number[]): Uint8Array =>
      clean('A', [...materials().slice(0, 4), chunk(0x38, true, chunk(0x39, false, u32(...ids)), chunk(0x3a, false, u32(0)))])
    expect(codes(pass([0, 0, 0]), { 'walker.tga': tga })).toEqual(['w3d.id-count'])
    expect(codes(pass([0, 0, 0, 0]), { 'walker.tga': tga })).toEqual([])
  })

  it('on skeletons', () => {
    expect(codes(skl({ parent: 2 }))).toEqual(['w3d.pivot-parent'])
    expect(codes(skl({ parent: 1 }))).toEqual(['w3d.pivot-parent'])
    expect(codes(skl({ parent: -1 }))).toEqual(['w3d.second-root'])
    expect(codes(skl({ trans: [1, 0, 0] }, 0))).toEqual(['w3d.root-transform'])
    expect(codes(skl({ quat: [0, 0, Math.SQRT1_2, Math.SQRT1_2] }, 0))).toEqual(['w3d.root-transform'])
    // before 3.0 the root is the engine's own, and several pivots may hang on it
    expect(codes(skl({ parent: -1 }, 1, { version: 0x20000 }))).toEqual([])
    expect(codes(skl({ parent: 3 }, 0))).toEqual(['w3d.pivot-parent', 'w3d.root-parent'])
    expect(codes(skl({ name: 'SIXTEEN LETTERS!' }))).toEqual(['w3d.name-length'])
    expect(codes(skl({ quat: [0, 0, 0, 2] }))).toEqual(['w3d.pivot-quaternion'])
    expect(codes(skl({ quat: [0, 0, 0, NaN] }))).toEqual(['w3d.pivot-quaternion'])
    expect(codes(skl({ euler: [1, 0, 0] }))).toEqual(['w3d.pivot-euler'])
    expect(codes(skl({ trans: [NaN, 0, 0] }))).toEqual(['w3d.pivot-translation'])
    expect(codes(skl({ name: 'turret' }))).toEqual(['w3d.pivot-name-twice'])
    expect(codes(skl({}, 1, { fixups: 'vector' }))).toEqual(['w3d.fixup-vectors'])
    expect(codes(chunk(0x100, true, chunk(0x101, false, u32(0x40001), junk(16), u32(0), f32(0, 0, 0))))).toEqual([
      'w3d.hierarchy-incomplete',
    ])
    const place = lint({ 'x.w3d': skl({ parent: 2 }) })[0]
    expect(place).toMatchObject({ severity: 'error', path: 'hierarchy.pivots.pivot[1].parent', ref: 'x.w3d' })
    expect(new DataView(skl({ parent: 2 }).buffer).getUint32(place.offset, true)).toBe(2)
  })

  it('on meshes', () => {
    expect(codes(mesh({ meshName: 'A', ...QUAD, max: [1, 1, 0], sphere: [0.5, 0.5, 0, Math.SQRT1_2] }))).toEqual([])
    expect(codes(mesh({ meshName: 'A', ...QUAD, max: [1, 1, 0], sphere: [0.5, 0.5, 0, 9] }))).toEqual([])
    for (const radius of [0.7, 0, NaN])
      expect(codes(mesh({ meshName: 'A', ...QUAD, max: [1, 1, 0], sphere: [0.5, 0.5, 0, radius] }))).toEqual(['w3d.mesh-sphere'])
    expect(codes(mesh({ meshName: 'A', ...QUAD, min: [0, 0, 0], max: [1, 1, 0.5] }))).toEqual(['w3d.mesh-box'])
    expect(
      codes(
        clean('A', [], {
          triangles: [
            [0, 1, 2],
            [0, 1, 4],
          ],
        }),
      ),
    ).toEqual(['w3d.triangle-vertex'])
    expect(codes(clean('A', materials()))).toEqual(['w3d.texture-missing'])
    expect(codes(clean('A', materials({ info: [2, 1, 1, 0] })), { 'walker.tga': tga })).toEqual(['w3d.material-count'])
    expect(
      codes(
        clean('A', [
          chunk(
            0x38,
            true,
            chunk(0x39, false, u32(3)),
            chunk(0x3a, false, u32(0)),
            chunk(0x3f, false, u32(9)),
            chunk(0x48, true, chunk(0x49, false, u32(7)), chunk(0x4a, false, f32(0, 0))),
            chunk(0x3b, false, junk(8)),
          ),
        ]),
      ),
    ).toEqual([
      'w3d.color-count',
      'w3d.shader-index',
      'w3d.shader-material-index',
      'w3d.texcoord-count',
      'w3d.texture-index',
      'w3d.vertex-material-index',
    ])
    expect(codes(clean('A', [chunk(0x38, true, chunk(0x48, true, chunk(0x49, false, u32(0xffffffff))))]))).toEqual([])
    expect(codes(clean('A', [chunk(0x38, true, chunk(0x49, true), ...[1, 2, 3].map(() => chunk(0x48, true)))]))).toContain(
      'w3d.stage-count',
    )
    expect(
      codes(
        clean(
          'A',
          Array.from({ length: 5 }, () => chunk(0x38, true)),
        ),
      ),
    ).toEqual(['w3d.pass-count'])
    expect(codes(clean('A', [aabTree()]))).toEqual([])
    expect(codes(clean('A', [chunk(0x90, true, chunk(0x91, false, u32(5, 5), junk(24)), chunk(0x92, false, u32(9)))]))).toEqual([
      'w3d.tree-count',
      'w3d.tree-triangle',
    ])
    expect(codes(clean('A', [], { normals: [0, 0, 1] }))).toEqual(['w3d.normal-count'])
    const short = clean('A').slice()
    short[8 + 8 + 44] = 9
    expect(codes(short)).toEqual(['w3d.vertex-count'])
    expect(codes(clean('A', [chunk(0x0e, false, junk(32))]))).toEqual(['w3d.influences-unused'])
  })

  it('on skins', () => {
    const on = (body: Uint8Array, part = 'WALKER.SKIN'): Uint8Array =>
      cat(body, hlod('WALKER', 'WALKER_SKL', [{ size: 1, objects: [[0, part]] }]), hierarchy(still))
    const body = (influences: Uint8Array, more: Partial<Parameters<typeof mesh>[0]> = {}): Uint8Array =>
      mesh({
        meshName: 'SKIN',
        attributes: 0x20000,
        ...QUAD,
        min: [0, 0, 5],
        max: [1, 1, 5],
        sphere: [0, 0, 5, 20],
        ...more,
        chunks: [chunk(0x0e, false, influences), ...(more.chunks ?? [])],
      })
    const bones = (...list: number[]): Uint8Array => cat(...list.map((b) => u16(b, 0, 0, 0)))
    expect(codes(on(body(bones(1, 1, 1, 1))))).toEqual([])
    expect(codes(on(body(bones(1, 1, 4, 1))))).toEqual(['w3d.influence-bone'])
    expect(codes(on(body(bones(1, 1, 1))))).toEqual(['w3d.influence-count'])
    expect(codes(on(body(bones(1, 1, 2, 1))))).toEqual(['w3d.mesh-box'])
    // where the vertices stand posed, not where their numbers are
    expect(codes(on(body(bones(1, 1, 1, 1), { sphere: [0, 0, 0, 2] })))).toEqual(['w3d.mesh-sphere'])
    expect(codes(skin(), { 'zhcskin.tga': tga })).toEqual(['w3d.skin-without-skeleton'])
    const five = { version: 0x50000 }
    expect(codes(on(body(cat(u16(1, 0, 100, 0, 1, 0, 0, 0, 1, 2, 60, 60), bones(1)), five)))).toContain('w3d.weight-sum')
    expect(codes(on(body(cat(u16(1, 0, 100, 0, 1, 1, 50, 50, 1, 1, 60, 40), bones(1)), five)))).toEqual([
      'w3d.no-weight',
      'w3d.second-stream-missing',
    ])
    expect(codes(on(twoBoneSkin(), 'WALKER.CLOAK'), { 'cloak.tga': tga })).toEqual(['w3d.mesh-box', 'w3d.mesh-sphere', 'w3d.no-weight'])
    // the skeleton may be in another file
    const apart = cat(body(bones(1, 1, 9, 1)), hlod('WALKER', 'WALKER_SKL', [{ size: 1, objects: [[0, 'WALKER.SKIN']] }]))
    expect(codes(apart, { 'walker_skl.w3d': hierarchy(still) })).toEqual(['w3d.influence-bone'])
    expect(codes(apart)).toEqual(['w3d.hierarchy-missing'])
  })

  it('on models', () => {
    const model = (lods: Parameters<typeof hlod>[2], more: Uint8Array[] = []): Uint8Array =>
      cat(clean('A'), hlod('WALKER', 'WALKER_SKL', lods, more), hierarchy(still))
    expect(
      codes(
        model([
          {
            size: 1,
            objects: [
              [1, 'WALKER.A'],
              [1, 'WALKER.GONE'],
            ],
          },
        ]),
      ),
    ).toEqual(['w3d.sub-object-missing'])
    expect(codes(model([{ size: 1, objects: [[4, 'WALKER.A']] }]))).toEqual(['w3d.bone-index'])
    expect(codes(model([{ size: 1, objects: [] }]))).toEqual(['w3d.mesh-unused'])
    expect(codes(model([{ size: 1, objects: [[1, `WALKER.${'A'.repeat(25)}`]] }]))).toContain('w3d.sub-object-name-end')
    expect(codes(model([{ size: 1, objects: [[1, `WALKER.${'A'.repeat(24)}`]] }]))).not.toContain('w3d.sub-object-name-end')
    // a skin hangs on no bone, whatever it is called
    const named = (attributes: number): string[] =>
      codes(
        cat(
          clean('TURRET', attributes ? [chunk(0x0e, false, new Uint8Array(32))] : [], { attributes }),
          hlod('WALKER', 'WALKER_SKL', [{ size: 1, objects: [[0, 'WALKER.TURRET']] }]),
          hierarchy(still),
        ),
      )
    expect([named(0), named(0x20000)]).toEqual([['w3d.mesh-name-bone'], []])
    // a model of before 3.0 counts without the root that a later skeleton has
    const older = (pivot: number, version = 0x20000): string[] =>
      codes(
        cat(
          clean('A'),
          chunk(
            0x300,
            true,
            chunk(
              0x301,
              false,
              u32(version),
              new Uint8Array(Buffer.from('WALKER'.padEnd(16, '\0') + 'WALKER_SKL'.padEnd(16, '\0'))),
              u16(1),
            ),
            chunk(0x302, false, new Uint8Array(Buffer.from('A'.padEnd(16, '\0'))), u16(pivot)),
          ),
          hierarchy(still),
        ),
      )
    expect([older(2), older(3), older(3, 0x40000), older(4, 0x40000)]).toEqual([[], ['w3d.bone-index'], [], ['w3d.bone-index']])
    const alone = (bone: number): string[] => codes(cat(clean('A'), hlod('WALKER', '', [{ size: 1, objects: [[bone, 'WALKER.A']] }])))
    expect(alone(0)).toEqual([])
    expect(alone(1)).toEqual(['w3d.hlod-without-skeleton'])
    expect(
      codes(
        model([
          { size: 9, objects: [[1, 'WALKER.A']] },
          { size: 1, objects: [[1, 'WALKER.A']] },
        ]),
      ),
    ).toEqual(['w3d.lod-order'])
    expect(codes(model([{ size: 1, objects: [[1, 'WALKER.A']] }], [chunk(0x702, true)]))).toEqual(['w3d.lod-count'])
    expect(codes(model([{ size: 1, objects: [[1, 'WALKER.A']] }], [chunk(0x705, true, chunk(0x703, false, u32(3), f32(0)))]))).toEqual([
      'w3d.sub-object-count',
    ])
  })

  it('on animations', () => {
    const on = (clip: Uint8Array): string[] => codes(clip, { 'walker_skl.w3d': hierarchy(still) })
    const raw = (...channels: Uint8Array[]): Uint8Array => animation('A', 'WALKER_SKL', 4, channels)
    expect(on(raw(channel(4, 0, 0, [1, 2])))).toEqual(['w3d.channel-pivot'])
    expect(on(raw(channel(1, 0, 0, [1, 2]), channel(1, 0, 0, [1, 2])))).toEqual(['w3d.channel-twice'])
    expect(on(raw(channel(1, 4, 0, [1, 2])))).toEqual(['w3d.channel-unknown'])
    expect(on(raw(chunk(0x202, false, u16(0, 3, 1, 0, 1, 0), f32(1))))).toEqual(['w3d.channel-short'])
    expect(on(raw(chunk(0x202, false, u16(3, 0, 1, 0, 1, 0))))).toEqual(['w3d.channel-frames'])
    expect(on(raw(chunk(0x203, false, u16(0, 30, 0, 1), u8(1, 255))))).toEqual(['w3d.channel-short'])
    expect(on(raw(bitChannel(1, 0, [1, 1, 0, 1])))).toEqual([])
    expect(on(raw(channel(1, 0, 0, [1, 2], 1, junk(8))))).toEqual(['w3d.channel-tail'])
    expect(on(raw(channel(1, 6, 0, [0, 0, 0, 1.2])))).toEqual(['w3d.channel-quaternion'])
    expect(on(raw(channel(1, 0, 0, [NaN])))).toEqual(['w3d.channel-value'])
    expect(on(animation('A', '', 4, []))).toEqual(['w3d.animation-skeleton'])
    expect(codes(raw())).toEqual(['w3d.hierarchy-missing'])
    expect(on(animation('A', 'WALKER_SKL', 0, [], 0))).toEqual(['w3d.frame-count', 'w3d.frame-rate'])
    // of two skeletons of one name the one of its own archive, not the one beside the archive
    expect(
      codesOf({
        'g/art.big!a.w3d': raw(channel(1, 0, 1, [1, 2])),
        'g/walker_skl.w3d': hierarchy(still.slice(0, 1)),
        'g/art.big!walker_skl.w3d': hierarchy(still),
      }),
    ).toEqual([])
    const coded = (...channels: Uint8Array[]): Uint8Array => compressed('A', 'WALKER_SKL', 31, 0, channels)
    expect(
      on(
        coded(
          timeCoded(1, 0, [
            { time: 0, value: [1] },
            { time: 30, value: [1] },
          ]),
        ),
      ),
    ).toEqual([])
    expect(
      on(
        coded(
          timeCoded(1, 0, [
            { time: 0, value: [1] },
            { time: 20, value: [1] },
          ]),
        ),
      ),
    ).toEqual(['w3d.key-range'])
    expect(
      on(
        coded(
          timeCoded(1, 0, [
            { time: 5, value: [1] },
            { time: 5, value: [1] },
          ]),
        ),
      ),
    ).toEqual(['w3d.key-order'])
    expect(on(coded(timeCoded(1, 0, [])))).toEqual(['w3d.channel-empty'])
    expect(on(coded(motionDeltas(1, 0, 4, 31, 1, [0], [])))).toEqual(['w3d.channel-short'])
    expect(
      on(
        compressed('A', 'WALKER_SKL', 31, 1, [
          adaptive(1, 0, 31, 1, [0], [[[16, ...new Array<number>(16).fill(0)]], [[16, ...new Array<number>(16).fill(0)]]]),
        ]),
      ),
    ).toEqual([])
  })

  it('stand any damage', () => {
    const bytes = everything()
    for (let i = 0; i < bytes.length; i += 37) {
      const copy = bytes.slice()
      copy[i] ^= 0x7f
      try {
        w3dFile.decode(copy, 'x.w3d')
      } catch {
        continue
      }
      if (memoryLibrary({ 'x.w3d': copy }).load('x.w3d')) lint({ 'x.w3d': copy })
    }
  })
})

describe('fixes', () => {
  /** Applies the fix of the only problem with this code; gives what is left, and the ranges that changed. */
  function fix(bytes: Uint8Array, code: string) {
    const library = memoryLibrary({ 'x.w3d': bytes })
    const document = w3dFile.decode(bytes, 'x.w3d')
    const problem = w3d.lint(document, { around: library, load: library.load }).find((d) => d.code === code)!
    w3d.fixes![problem.fixes![0].id](document, problem)
    const after = encodeDocument(w3dFile, document).bytes.slice()
    return { after, left: codes(after), problem }
  }

  it('count anew in the four bytes of the count', () => {
    for (const [bytes, code] of [
      [((b) => ((b[8 + 8 + 20] = 9), b))(hierarchy(still)), 'w3d.pivot-count'],
      [((b) => ((b[8 + 8 + 44] = 9), b))(clean('A')), 'w3d.vertex-count'],
      [((b) => ((b[8 + 8 + 40] = 9), b))(clean('A')), 'w3d.triangle-count'],
    ] as const) {
      const { after, left, problem } = fix(bytes, code)
      expect(left).toEqual([])
      expect(changedRanges(bytes, after)).toEqual([[problem.offset, problem.offset + 1]])
    }
    const lods = cat(clean('A'), hlod('WALKER', '', [{ size: 1, objects: [[0, 'WALKER.A']] }], [chunk(0x702, true)]))
    expect(fix(lods, 'w3d.lod-count').left).toEqual([])
    const parts = cat(
      clean('A'),
      hlod('WALKER', '', [{ size: 1, objects: [[0, 'WALKER.A']] }], [chunk(0x705, true, chunk(0x703, false, u32(3), f32(0)))]),
    )
    expect(fix(parts, 'w3d.sub-object-count').left).toEqual([])
    expect(fix(clean('A', materials({ info: [9, 9, 9, 9] })), 'w3d.material-count').left).toEqual(['w3d.texture-missing'])
  })

  it('make rotations and boxes sound', () => {
    expect(fix(skl({ quat: [0, 0, 0, 3] }), 'w3d.pivot-quaternion').left).toEqual([])
    expect(fix(skl({ quat: [NaN, 0, 0, 3], euler: [0.5, 0, 0] }), 'w3d.pivot-quaternion').left).toEqual([])
    // of no length at all the angles say what was meant
    expect(fix(skl({ quat: [0, 0, 0, 0], euler: [0.5, 0, 0] }), 'w3d.pivot-quaternion').left).toEqual([])
    expect(fix(skl({ euler: [1, 0, 0] }), 'w3d.pivot-euler').left).toEqual([])
    expect(fix(mesh({ meshName: 'A', ...QUAD, min: [5, 5, 5] }), 'w3d.mesh-box').left).toEqual([])
    const skinned = cat(skin(), hlod('WALKER', 'WALKER_SKL', [{ size: 1, objects: [[0, 'WALKER.SKIN']] }]), hierarchy(still))
    const boxed = fix(skinned, 'w3d.mesh-box')
    expect(boxed.left).toEqual(['w3d.mesh-sphere', 'w3d.texture-missing'])
    expect(fix(boxed.after, 'w3d.mesh-sphere').left).toEqual(['w3d.texture-missing'])
  })

  it('measure the radius of the sphere alone, and its middle where it is none', () => {
    const flat = { meshName: 'A', ...QUAD, max: [1, 1, 0] }
    const small = mesh({ ...flat, sphere: [0.5, 0.5, 0, 0.25] })
    const { after, left, problem } = fix(small, 'w3d.mesh-sphere')
    expect(left).toEqual([])
    expect(changedRanges(small, after)).toEqual([[problem.offset, problem.offset + 4]])
    const radius = new DataView(after.buffer).getFloat32(problem.offset, true)
    expect(radius).toBeGreaterThanOrEqual(Math.SQRT1_2)
    expect(radius).toBeCloseTo(Math.SQRT1_2, 6)
    const lost = fix(mesh({ ...flat, sphere: [NaN, 0, 0, 1] }), 'w3d.mesh-sphere')
    expect(lost.left).toEqual([])
    expect(Array.from(new Float32Array(lost.after.slice(lost.problem.offset - 12, lost.problem.offset).buffer))).toEqual([0.5, 0.5, 0])
  })

  it('drop a channel whole', () => {
    const bytes = cat(
      hierarchy(still),
      animation('A', 'WALKER_SKL', 2, [channel(1, 0, 0, [1, 2]), channel(9, 0, 0, [1, 2]), channel(2, 0, 0, [1, 2])]),
    )
    const { after, left } = fix(bytes, 'w3d.channel-pivot')
    expect(left).toEqual([])
    expect(after).toEqual(cat(hierarchy(still), animation('A', 'WALKER_SKL', 2, [channel(1, 0, 0, [1, 2]), channel(2, 0, 0, [1, 2])])))
  })
})

describeCorpus('w3d', (root) => {
  it('finds in real files what is known of them, and no more', () => {
    const library = memoryLibrary(
      Object.fromEntries(
        filesBelow(root)
          .filter((f) => !f.endsWith('.big'))
          .map((f) => [f.slice(root.length + 1), readBytes(f)]),
      ),
    )
    const found: Record<string, number> = {}
    for (const file of library.files) {
      if (file.format !== 'w3d.file') continue
      for (const d of w3d.lint(library.load(file.ref)!, { around: library, load: library.load })) found[d.code] = (found[d.code] ?? 0) + 1
    }
    // textures and one skeleton that the corpus leaves out, and an exporter's trailing bytes
    expect(Object.keys(found).sort()).toEqual([
      'w3d.channel-tail',
      'w3d.clip-file',
      'w3d.hierarchy-missing',
      'w3d.texture-missing',
      'w3d.texture-sides',
    ])
    expect(found['w3d.texture-sides']).toBe(2)
    expect(found['w3d.channel-tail']).toBe(22)
  })
})
