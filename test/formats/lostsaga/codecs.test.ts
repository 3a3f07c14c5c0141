import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FormatError } from '../../../src/main/binary/format-error.ts'
import { encodeDocument } from '../../../src/main/formats/format.ts'
import { editableField, findField } from '../../../src/main/formats/fields.ts'
import { withFields } from '../../../src/main/formats/set-field.ts'
import { angleBetween, ani, convertAni, keyCount, keyRotation, keyTime } from '../../../src/main/formats/lostsaga/codecs/ani.ts'
import { cms } from '../../../src/main/formats/lostsaga/codecs/cms.ts'
import { keptFormats } from '../../../src/main/formats/lostsaga/codecs/kept.ts'
import { material } from '../../../src/main/formats/lostsaga/codecs/material.ts'
import { model } from '../../../src/main/formats/lostsaga/codecs/model.ts'
import { faceIndices, msh } from '../../../src/main/formats/lostsaga/codecs/msh.ts'
import { packComp4, packComp8, PACK_ERROR_DEGREES, unpackComp4, unpackComp8 } from '../../../src/main/formats/lostsaga/codecs/rotation.ts'
import { skl } from '../../../src/main/formats/lostsaga/codecs/skl.ts'
import { decodeText, encodeText } from '../../../src/main/formats/lostsaga/codecs/strings.ts'
import { identify } from '../../../src/main/formats/registry.ts'
import { expectLossless, expectTame, expectTameWhenCorrupted, expectTameWhenTruncated, junk } from '../../support/hostile.ts'
import { aniBytes, cmsBytes, FULL_MASK, HAN, MATERIAL_TEXT, MODEL_TEXT, mshBytes, sklBytes, text } from '../../fixtures/lostsaga/build.ts'

const idOf = (bytes: Uint8Array, name: string): string | undefined => identify(bytes.subarray(0, 4096), name, bytes.length)?.format?.id

describe('strings', () => {
  it('are ASCII, else CP949, else Latin-1', () => {
    expect(decodeText(text('Bip01'))).toBe('Bip01')
    expect(decodeText(Uint8Array.from(HAN))).toBe('한')
    expect(decodeText(Uint8Array.from([0xff, 0x41]))).toBe('ÿA')
    expect([...encodeText('한').raw]).toEqual(HAN)
    expect(() => encodeText('🙂')).toThrow(FormatError)
  })
})

describe('packed rotations', () => {
  it('COMP4 has the spec’s words', () => {
    const s = Math.SQRT1_2
    expect(packComp4(0, 0, 0, 1)).toBe(0xdff7fdff)
    expect(packComp4(s, 0, 0, s)).toBe(0x1ff7ff69)
    expect(packComp4(0.1, 0.2, 0.3, -0.92736)).toBe(0xdcc66566)
    expect(packComp4(0, 1, 0, 0)).toBe(0x5ff7fdff)
    const q = [0, 0, 0, 0]
    unpackComp4(0xdff7fdff, q)
    expect(q.map((x) => Number(x.toFixed(6)))).toEqual([-0.000978, -0.000978, -0.000978, 0.999999])
    unpackComp4(0xffffffff, q)
    expect(q[3]).toBe(0)
  })
  it('COMP8 has the spec’s words', () => {
    const s = Math.SQRT1_2
    expect(packComp8(0, 0, 0, 1)).toEqual([0x7fff7fff, 0x7fffffff])
    expect(packComp8(s, 0, 0, s)).toEqual([0xda817fff, 0x7fffb504])
    expect(packComp8(0, 1, 0, 0)).toEqual([0x7fffffff, 0x7fff0000])
    expect(packComp8(0.1, 0.2, 0.3, -0.92736)).toEqual([0x73326666, 0x5999ed66])
    expect(packComp8(0.2, 0.4, 0.6, -1.85472)[0] >>> 16).toBe(0x7332)
  })
  it('COMP4 packs the nearest rotation that it has', () => {
    const part = fc.double({ min: -1, max: 1, noNaN: true })
    const back = (word: number, q: readonly number[]): number => {
      const out = [0, 0, 0, 0]
      unpackComp4(word >>> 0, out)
      return angleBetween([...q], out)
    }
    fc.assert(
      fc.property(part, part, part, part, (...q) => {
        fc.pre(Math.hypot(...q) > 0.1)
        const word = packComp4(...q, 'round')
        const packed = back(word, q)
        // where all four numbers are alike the packed rotations stand as spheres that are packed (A3), whose deepest hole is a step away: twice
        // 2/1023 of a radian. Each number rounded by itself is up to 0.39 off
        expect(packed).toBeLessThan(0.225)
        const numbers = [20, 10, 0].map((shift) => (word >>> shift) & 1023)
        const steps = [-3, -2, -1, 0, 1, 2, 3]
        let least = Infinity
        for (const a of steps)
          for (const b of steps)
            for (const c of steps) {
              const [x, y, z] = [numbers[0] + a, numbers[1] + b, numbers[2] + c]
              if (Math.min(x, y, z) < 0 || Math.max(x, y, z) > 1023) continue
              least = Math.min(least, back((word & 0xc0000000) | (x << 20) | (y << 10) | z, q))
            }
        expect(packed).toBeLessThan(least + 1e-6)
      }),
    )
  })
  it.each([4001, 4002] as const)('%i: every rotation comes back within the stated error', (coding) => {
    const part = fc.double({ min: -1, max: 1, noNaN: true })
    fc.assert(
      fc.property(part, part, part, part, fc.constantFrom('game' as const, 'round' as const), (x, y, z, w, mode) => {
        fc.pre(Math.hypot(x, y, z, w) > 0.1)
        const out = [0, 0, 0, 0]
        if (coding === 4001) unpackComp4(packComp4(x, y, z, w, mode), out)
        else unpackComp8(...packComp8(x, y, z, w, mode), out)
        // over all rotations the worst case lies above what real animations reach
        expect(angleBetween([x, y, z, w], out)).toBeLessThan(PACK_ERROR_DEGREES[coding][mode] * 1.5)
      }),
    )
  })
})

describe('SKL', () => {
  it('is lossless, names and order kept', () => {
    const document = expectLossless(skl, sklBytes())
    expect(document.bones.map((b) => b.name.text)).toEqual(['Bip01', '한', 'Bip01 Spine'])
    expect(document.linkedSkeleton?.text).toBe('linked_skl')
    expect(idOf(sklBytes(), 'x')).toBe('lostsaga.skl')
    const tree = skl.describe(document)
    for (const bone of tree.children) expect(bone.fields.reduce((n, f) => n + f.size, 0)).toBe(bone.end - bone.start)
  })
  it('opens without a linked skeleton and with bytes behind it', () => {
    const bytes = sklBytes()
    const short = bytes.slice(0, bytes.length - 14)
    expect(expectLossless(skl, short).linkedSkeleton).toBeNull()
    expect(expectLossless(skl, Uint8Array.from([...bytes, ...junk(9)])).trailing.length).toBe(9)
  })
  it('is tame when cut or corrupted, and says where', () => {
    expectTameWhenTruncated(skl, sklBytes())
    expectTameWhenCorrupted(skl, sklBytes())
    const bytes = sklBytes()
    bytes.set([0xff, 0xff, 0xff, 0x7f], 8)
    expect(() => skl.decode(bytes, 'a.skl')).toThrow(expect.objectContaining({ code: 'bad-count', file: 'a.skl', path: 'boneCount' }))
    bytes.set(sklBytes().subarray(0, 16))
    bytes.set([0xff, 0xff, 0xff, 0xff], 12)
    expect(() => skl.decode(bytes, 'a.skl')).toThrow(
      expect.objectContaining({ code: 'bad-count', path: 'bones[0].name.length', offset: 12 }),
    )
  })
})

describe('ANI', () => {
  it.each([4000, 4001, 4002] as const)('%i is lossless with events, junk and a signalling NaN', (coding) => {
    const bytes = aniBytes({ coding, trailing: [9, 8, 7] })
    const document = expectLossless(ani, bytes)
    expect(document.tracks.map((t) => [t.bone.text, keyCount(document, t)])).toEqual([
      ['Bip01', 3],
      ['Bip01 Nobody', 2],
      ['Bip01 Spine', 0],
    ])
    expect(document.events.map((e) => e.type.text)).toEqual(['motion_sound', '한'])
    expect(keyTime(coding, document.tracks[0], 2)).toBe(100)
    const tree = ani.describe(document)
    for (const child of tree.children) expect(child.fields.reduce((n, f) => n + f.size, 0)).toBe(child.end - child.start)
    expectTameWhenTruncated(ani, aniBytes({ coding }))
    expectTameWhenCorrupted(ani, aniBytes({ coding }))
  })
  it.each([4000, 4001, 4002] as const)('finds the coding %i of an unknown version by size', (coding) => {
    const document = expectLossless(ani, aniBytes({ coding, version: 4077 }))
    expect(document.coding).toBe(coding)
    expect(document.diagnostics.map((d) => d.code)).toEqual(['lostsaga.unknown-version'])
  })
  it.each([
    [4001, 4000],
    [4002, 4000],
    [4000, 4002],
    [4000, 4001],
  ] as const)('reads keys of another coding than version %i says, where only %i reaches the end', (version, coding) => {
    const bytes = aniBytes({ version, coding })
    const document = expectLossless(ani, bytes)
    expect([document.version, document.coding]).toEqual([version, coding])
    expect(document.diagnostics.map((d) => d.code)).toEqual(['lostsaga.coding-differs'])
    // with bytes behind it nothing proves the other coding: the version's word stands, or the file is damaged
    try {
      expect(ani.decode(aniBytes({ version, coding, trailing: [1, 2, 3] }), 'a').coding).toBe(version)
    } catch (error) {
      expect(error).toBeInstanceOf(FormatError)
    }
  })
  it('packs what is no rotation as none', () => {
    for (const coding of [4001, 4002] as const) {
      const document = ani.decode(aniBytes(), 'a')
      document.tracks[0].floats.fill(0, 0, 4)
      document.tracks[0].floats.fill(NaN, 8, 12)
      document.tracks[1].floats.set([0, 0, 0, 1], 8)
      expect(convertAni(document, coding)).toBeLessThan(PACK_ERROR_DEGREES[coding].round * 1.5)
      const q = [0, 0, 0, 0]
      keyRotation(coding, document.tracks[0], 0, q)
      expect(q[3]).toBeGreaterThan(0.999)
    }
  })
  it('converts between codings within the stated error and back to its own bytes', () => {
    const document = ani.decode(aniBytes({ coding: 4000 }), 'a')
    const error = convertAni(document, 4002)
    expect(error).toBeLessThanOrEqual(0.0055)
    const packed = encodeDocument(ani, document).bytes.slice()
    const back = ani.decode(packed, 'a')
    convertAni(back, 4000)
    convertAni(back, 4002)
    expect(encodeDocument(ani, back).bytes).toEqual(packed)
    const q = [0, 0, 0, 0]
    keyRotation(4002, document.tracks[0], 2, q)
    expect(angleBetween(q, [0.2, 0, 0, 1])).toBeLessThan(0.0055)
  })
})

describe('MSH', () => {
  it('reads every component of the mask', () => {
    const document = expectLossless(msh, mshBytes({ trailing: [1, 2] }))
    expect(document.boneNames?.map((b) => b.text)).toEqual(['Bip01', 'Bip01 Spine'])
    expect(document.controlPoints?.map((p) => [p.type.text, p.linkedBone.text, ...p.position])).toEqual([['slot', 'Bip01', 1, 2, 3]])
    expect([...document.uv1]).toEqual([0, 0.75, 0.125, 0.75, 0.25, 0.75, 0.375, 0.75])
    expect(document.places.faces).toBeGreaterThan(document.places.influences)
    expect(msh.summarize(document).skins?.[0].bones).toEqual([
      { name: 'Bip01', vertices: 3, sum: 0.75 },
      { name: 'Bip01 Spine', vertices: 4, sum: 3.25 },
    ])
  })
  it('is lossless for every mask', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0x3fff }), fc.constantFrom(2000, 2001, 2002), (mask, version) => {
        const document = expectLossless(msh, mshBytes({ mask: mask & FULL_MASK, version }))
        expect(document.masks.length).toBe(1)
        expect(document.wideFaces).toBeNull()
      }),
      { numRuns: 60 },
    )
  })
  it('a mesh of version 2002 that ends behind its faces has no points', () => {
    const bytes = mshBytes({ version: 2002 })
    const document = expectLossless(msh, bytes.slice(0, mshBytes({ version: 2000 }).length))
    expect([document.version, document.controlPoints]).toEqual([2002, null])
  })
  it.each([0, 1, 2, 3, 4, 5, 6, 7, -1])('mesh type %i is kept, known or not', (type) => {
    const bytes = mshBytes()
    new DataView(bytes.buffer).setInt32(8, type, true)
    expect(expectLossless(msh, bytes).meshType).toBe(type)
  })
  it.each([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 0x4000, 0x80000000])(
    'bit 0x%x of the mask alone: data only where the format has it',
    (bit) => {
      const none = mshBytes({ mask: 0 }).length
      const sizes: Record<number, number> = { 1: 48, 2: 48, 8: 4 + 9 + 15 + 128, 32: 48, 64: 16, 256: 32, 512: 32, 4096: 48, 8192: 48 }
      const bytes = mshBytes({ mask: bit })
      expect(bytes.length - none).toBe(sizes[bit] ?? 0)
      expect(expectLossless(msh, bytes).masks[0]).toBe(bit >>> 0)
    },
  )
  it('has the weight block for WEIGHTS alone', () => {
    expect(expectLossless(msh, mshBytes({ version: 2000, mask: 0x129 })).influences.length).toBe(32)
  })
  it('uses the public spec’s reading only where it alone reaches the end, and says so', () => {
    const two = expectLossless(msh, mshBytes({ masks: 2 }))
    expect(two.masks.length).toBe(2)
    expect(two.diagnostics.map((d) => d.code)).toContain('lostsaga.public-reading')
    const wide = expectLossless(msh, mshBytes({ masks: 1, wideFaces: true, version: 2000 }))
    expect([...faceIndices(wide)]).toEqual([0, 2, 1, 1, 2, 3])
    expect(expectLossless(msh, mshBytes({ masks: 2, wideFaces: true, version: 2000 })).masks.length).toBe(2)
  })
  it('is tame when cut or corrupted', () => {
    expectTameWhenTruncated(msh, mshBytes())
    expectTameWhenCorrupted(msh, mshBytes())
    const bytes = mshBytes({ mask: 1, version: 2000 })
    new DataView(bytes.buffer).setInt32(0x50, 0x7fffffff, true)
    expect(() => msh.decode(bytes, 'a.msh')).toThrow(expect.objectContaining({ code: 'bad-count', path: 'positions' }))
  })
})

describe('CMS and kept files', () => {
  it('reads version 5000, keeps others', () => {
    expect([...expectLossless(cms, cmsBytes(5000, [5])).faces]).toEqual([0, 2, 1])
    const other = expectLossless(cms, cmsBytes(5001))
    expect([other.readOnly !== undefined, other.body?.length]).toEqual([true, cmsBytes().length - 8])
    expectTameWhenTruncated(cms, cmsBytes())
    expectTameWhenCorrupted(cms, cmsBytes())
  })
  it.each(keptFormats)('$label is kept and not edited', (format) => {
    const token = format.id.split('.')[1].toUpperCase()
    const bytes = Uint8Array.from([...text(`${token}\0`), 0xb8, 0x0b, 0, 0, ...junk(33)])
    const document = expectLossless(format, bytes)
    expect(document.readOnly).toBeTruthy()
    expect(idOf(bytes, 'whatever')).toBe(format.id)
    expectTameWhenTruncated(format, bytes)
  })
})

describe('text files', () => {
  it('material: lines kept, blocks understood, braces on one line', () => {
    const bytes = text(MATERIAL_TEXT)
    const document = expectLossless(material, bytes)
    expect(document.materials.length).toBe(2)
    const [first, second] = document.materials
    expect(first).toMatchObject({
      sceneBlend: 'alpha_blend',
      cull: 'none',
      shaderGroup: 'AnimateToonShade',
      ambient: [1, 1, 1],
      diffuse: [255, 128, 0, 255],
    })
    expect(first.textures).toMatchObject([{ file: 'My Face.DDS', addressMode: 'clamp', filtering: 'none' }])
    expect(second.textures).toEqual([])
    expect(idOf(bytes, 'hero.txt')).toBe('lostsaga.material')
    expect(idOf(bytes, 'hero.dat')).toBeUndefined()
    expect(encodeDocument(material, document).opaqueBytes).toBe(MATERIAL_TEXT.split('\n').find((l) => l.includes('mystery'))!.length - 1)
    expectTameWhenTruncated(material, bytes)
    expectTameWhenCorrupted(material, bytes, 7)
  })
  it('material: colours are told and set as such, in the words that change', () => {
    const script = (ambient: string): Uint8Array => text(`material {\n\tambient  ${ambient}\t// warm\n}\n`)
    const told = (bytes: Uint8Array, path = 'materials[0].ambient'): [string, string, boolean | undefined] => {
      const found = findField(material.describe(material.decode(bytes, 'm.txt')), path)!
      const { form, value, alpha } = editableField(found, bytes, () => [])
      return [form, value, alpha]
    }
    expect(told(script('1 0 1'))).toEqual(['color', '#ff00ff', false])
    expect(told(script('255 128 0 255'))).toEqual(['color', '#ff8000ff', true])
    expect(told(script('0.5 0.25 1 1'))).toEqual(['color', '0.5, 0.25, 1, 1', true])
    expect(told(script('-1 0.25 1'))).toEqual(['color', '-1, 0.25, 1', false])
    expect(told(script('black'))[0]).toBe('text')
    expect(told(text(MATERIAL_TEXT), 'materials[0].scene_blend')[0]).toBe('text')
    const set = (ambient: string, value: string): string => {
      const bytes = script(ambient)
      const out = withFields(material, { bytes, document: material.decode(bytes, 'm.txt') }, [
        { path: 'materials[0].ambient', value },
      ]).bytes
      const [before, after] = decodeText(script('|')).split('|')
      const now = decodeText(out)
      expect(now.startsWith(before) && now.endsWith(after)).toBe(true)
      return now.slice(before.length, now.length - after.length)
    }
    // what a control does not move keeps its word, and an alpha that it does not have its own
    expect(set('1.0 .50 0 1', '#ff8033')).toBe('1.0 .50 0.2 1')
    expect(set('1.0 .50 0 1', '#ff803380')).toBe('1.0 .50 0.2 0.501961')
    expect(set('255 128 00 255', '#ff8010')).toBe('255 128 16 255')
    expect(set('255 128 0', '#fff')).toBe('255 255 255')
    expect(set('255 128 0', '#01000100')).toBe('0.003922 0 0.003922 0')
    expect(set('255 128 0', '#000')).toBe('0 0 0')
    expect(set('1.0 1 1', '1, 0.5, 1')).toBe('1.0 0.5 1')
    expect(set('1.0 1 1', '0.25 0.5 1 1')).toBe('0.25 0.5 1 1')
    expect(set('black', '#ff0000')).toBe('1 0 0')
    for (const value of ['', 'red', '#ff', '#gg0000', '1 1', '1 1 1 1 1', 'NaN 1 1', '1, , 1', '1e999 1 1'])
      expect(() => set('1 1 1', value), value).toThrow(FormatError)
  })
  it('model: lists and names', () => {
    const bytes = text(MODEL_TEXT)
    const document = expectLossless(model, bytes)
    expect(document).toMatchObject({ skeleton: 'normal', meshes: ['hero'], animations: ['walk'] })
    expect(idOf(bytes, 'hero.txt')).toBe('lostsaga.model')
    expectTameWhenTruncated(model, bytes)
  })
  it('odd line ends stay', () => {
    for (const odd of ['material\rx\n\r\n{technique', '\n\n', 'a', '}}}}']) expectLossless(material, text(odd))
    expect(expectTame(material, new Uint8Array(0), 'empty')?.materials).toEqual([])
  })
})
