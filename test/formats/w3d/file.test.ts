import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeDocument } from '../../../src/main/formats/format.ts'
import { identify } from '../../../src/main/formats/registry.ts'
import { chunkAt, dataOf, pathOf } from '../../../src/main/formats/w3d/codecs/chunk.ts'
import { w3dFile } from '../../../src/main/formats/w3d/codecs/file.ts'
import { hierarchiesOf } from '../../../src/main/formats/w3d/codecs/hierarchy.ts'
import { hlodsOf } from '../../../src/main/formats/w3d/codecs/hlod.ts'
import { MESH_HEADER3, meshesOf, vertexInfluence } from '../../../src/main/formats/w3d/codecs/mesh.ts'
import {
  QUAD,
  SIGNALLING,
  animation,
  cat,
  channel,
  chunk,
  f32,
  hierarchy,
  materials,
  mesh,
  name,
  u16,
  u32,
} from '../../fixtures/w3d/chunks.ts'
import { everything, skin, twoBoneSkin } from '../../fixtures/w3d/files.ts'
import { expectLossless, expectTame, expectTameWhenCorrupted, expectTameWhenTruncated, junk } from '../../support/hostile.ts'
import type { StructureNode } from '../../../src/main/formats/format.ts'

const decode = (bytes: Uint8Array) => w3dFile.decode(bytes, 'fixture')

describe('W3D file', () => {
  it('comes back byte by byte with every chunk, odd order, junk and trailing bytes', () => {
    const document = expectLossless(w3dFile, everything())
    expect(document.trailing.length).toBe(5)
    const { typedBytes, opaqueBytes } = encodeDocument(w3dFile, document)
    expect(typedBytes + opaqueBytes).toBe(everything().length)
    expect(opaqueBytes).toBeLessThan(300)
  })

  it('keeps the container bit of every chunk as it was, set or clear', () => {
    for (const flag of [true, false]) {
      const bytes = cat(hierarchy(undefined, { flag }), mesh({ meshName: 'A', ...QUAD, flag, chunks: materials({ flag }) }))
      const document = expectLossless(w3dFile, bytes)
      expect(document.chunks.map((c) => [c.kind, c.flag])).toEqual([
        ['container', flag],
        ['container', flag],
      ])
      expect(meshesOf(document)[0].vertices.length).toBe(12)
    }
    // a bit that is set on a leaf, as one exporter does
    expectLossless(w3dFile, chunk(0x280, true, chunk(0x281, true, u32(1), name('A', 16), name('B', 16), u32(1), u16(30, 0))))
  })

  it('does not take DEFORM for a container', () => {
    const document = expectLossless(w3dFile, mesh({ meshName: 'A', ...QUAD, chunks: [chunk(0x58, false, new Uint8Array(20))] }))
    expect(meshesOf(document)).toHaveLength(1)
    const found = chunkAt(document.chunks, 'mesh[0].deform')?.chunk
    expect(found?.kind).toBe('typed')
  })

  it('reads a chunk that does not fit its layout as raw bytes and says so', () => {
    const bytes = chunk(0x100, true, chunk(0x101, false, u32(1), junk(3)), chunk(0x102, false, junk(60)))
    const document = expectLossless(w3dFile, bytes)
    expect(document.diagnostics).toContainEqual(expect.objectContaining({ code: 'w3d.chunk-kept-raw', path: 'hierarchy.header.name' }))
    expect(hierarchiesOf(document)[0].count).toBe(1)
  })

  it('keeps bytes behind a header and behind records', () => {
    const bytes = chunk(
      0x100,
      true,
      chunk(0x101, false, u32(0x40001), name('H', 16), u32(1), SIGNALLING, f32(0, 0), junk(7)),
      chunk(0x102, false, junk(60), junk(9)),
    )
    const document = expectLossless(w3dFile, bytes)
    expect(hierarchiesOf(document)[0]).toMatchObject({ name: 'H', count: 1 })
  })

  it('reads a fixup chunk as matrices or vectors by its size', () => {
    expect(hierarchiesOf(expectLossless(w3dFile, hierarchy()))[0].fixups).toMatchObject({ form: 'matrix' })
    const vectors = hierarchiesOf(expectLossless(w3dFile, hierarchy(undefined, { fixups: 'vector' })))[0].fixups
    expect(vectors?.form).toBe('vector')
    expect(Array.from(vectors!.values)).toEqual([0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0])
  })

  it('puts a child that reaches outside its parent into the trailing bytes with an error', () => {
    const bytes = chunk(0x100, true, chunk(0x101, false, u32(0x40001), name('H', 16), u32(0), f32(0, 0, 0)), u32(0x102, 600), junk(20))
    const document = expectLossless(w3dFile, bytes)
    expect(document.diagnostics.map((d) => d.code)).toContain('w3d.chunk-overrun')
  })

  it('refuses a file whose top chunk is cut, with the place', () => {
    const bytes = hierarchy()
    expect(() => decode(bytes.slice(0, bytes.length - 1))).toThrow(
      expect.objectContaining({ code: 'truncated', file: 'fixture', offset: 4, path: 'hierarchy.size' }),
    )
    expect(() => decode(new Uint8Array(3))).toThrow(expect.objectContaining({ code: 'truncated' }))
    expect(() => decode(chunk(0x7777, false, junk(4)))).toThrow(expect.objectContaining({ code: 'bad-magic' }))
  })

  it('reads HLOD levels lowest detail first, aggregates and proxies', () => {
    const [hlod] = hlodsOf(decode(everything()))
    expect(hlod.lods.map((lod) => lod.objects.map((o) => `${o.bone} ${o.name}`))).toEqual([
      ['1 WALKER.LOW'],
      ['1 WALKER.HULL', '0 WALKER.SKIN', '2 WALKER.BOUNDINGBOX'],
    ])
    expect(hlod.lods[0].maxScreenSize).toBe(40)
    expect([hlod.aggregates[0].name, hlod.proxies[0].name]).toEqual(['FLASH', 'DUST'])
  })

  it('tells one bone with junk padding from two bones', () => {
    const one = meshesOf(decode(skin()))[0]
    const two = meshesOf(decode(twoBoneSkin()))[0]
    const out = [0, 0, 0, 0]
    vertexInfluence(one.influences!, 2, out)
    expect([one.influences!.twoBone, ...out]).toEqual([false, 2, 1, 0, 0])
    vertexInfluence(two.influences!, 0, out)
    expect([two.influences!.twoBone, ...out]).toEqual([true, 1, 1, 0, 0])
    vertexInfluence(two.influences!, 1, out)
    expect(out).toEqual([1, 0.75, 2, 0.25])
    // version 5 from another exporter: junk that is no pair of percentages
    const exported = meshesOf(
      decode(
        mesh({
          meshName: 'A',
          version: 0x50000,
          attributes: 0x20000,
          ...QUAD,
          chunks: [chunk(0x0e, false, ...[0, 1, 1, 1].map((b, i) => cat(u16(b), junk(6, i + 1))))],
        }),
      ),
    )[0]
    expect(exported.influences!.twoBone).toBe(false)
  })

  it('survives a signalling NaN in every float field', () => {
    const document = expectLossless(
      w3dFile,
      mesh({ meshName: 'A', ...QUAD, chunks: [chunk(0x60, false, SIGNALLING, SIGNALLING, SIGNALLING)] }),
    )
    expect(dataOf(document.chunks[0] as never, MESH_HEADER3)?.numVertices).toBe(4)
  })

  it('keeps what is cut short: a channel with fewer values than its header says', () => {
    const bytes = animation('A', 'H', 9, [
      chunk(0x202, false, u16(0, 8, 1, 0, 1, 0xabcd), f32(1, 2, 3), junk(2)),
      channel(2, 6, 0, [0, 0, 0, 1]),
    ])
    expectLossless(w3dFile, bytes)
    expect(w3dFile.summarize(decode(bytes)).clips).toEqual([{ name: 'A', frames: 9, rate: 30, tracks: 2, keys: 4 }])
  })

  describe('summary', () => {
    it('names what others look for, and what it looks for', () => {
      const summary = w3dFile.summarize(decode(everything()))
      expect(summary.kind).toBe('model')
      expect(summary.bones).toEqual(['ROOTTRANSFORM', 'BODY', 'TURRET', 'MUZZLE01'])
      expect(summary.provides).toEqual(
        expect.arrayContaining([
          'w3d.hierarchy:WALKER_SKL',
          'w3d.animation-of:WALKER_SKL',
          'w3d.mesh:WALKER.HULL',
          'w3d.mesh:WALKER.BOUNDINGBOX',
          'w3d.model:WALKER',
        ]),
      )
      expect(summary.needs).toEqual(expect.arrayContaining(['w3d.texture:walker.tga', 'w3d.texture:cloak.tga', 'w3d.model:FLASH']))
      expect(summary.needs!.some((n) => n.startsWith('w3d.hierarchy') || n === 'w3d.mesh:WALKER.HULL')).toBe(false)
      expect(summary.skins!.find((s) => s.mesh === 'WALKER.SKIN')).toEqual({
        mesh: 'WALKER.SKIN',
        vertices: 4,
        weights: 4,
        maxInfluences: 1,
        bones: [
          { name: 'BODY', vertices: 2, sum: 2 },
          { name: 'TURRET', vertices: 1, sum: 1 },
          { name: 'MUZZLE01', vertices: 1, sum: 1 },
        ],
      })
      expect(summary.skins!.find((s) => s.mesh === 'WALKER.CLOAK')).toMatchObject({
        weights: 5,
        maxInfluences: 2,
        bones: [
          { name: 'BODY', vertices: 3, sum: 225 },
          { name: 'TURRET', vertices: 2, sum: 75 },
        ],
      })
    })

    it('calls a file a model, a skeleton or an animation by what it holds', () => {
      const kindOf = (bytes: Uint8Array) => w3dFile.summarize(decode(bytes)).kind
      expect(kindOf(hierarchy())).toBe('skeleton')
      expect(kindOf(animation('A', 'H', 1, []))).toBe('animation')
      expect(kindOf(cat(hierarchy(), animation('A', 'H', 1, [])))).toBe('skeleton')
      expect(kindOf(cat(animation('A', 'H', 1, []), mesh({ meshName: 'A', ...QUAD })))).toBe('model')
    })
  })

  describe('identification', () => {
    const sure = (bytes: Uint8Array, fileName: string) => w3dFile.identify(bytes.subarray(0, 4096), fileName, bytes.length)

    it('knows W3D by its chunks, whatever the name', () => {
      for (const bytes of [
        hierarchy(),
        mesh({ meshName: 'A', ...QUAD, flag: false }),
        animation('A', 'H', 1, []),
        everything().slice(19),
      ]) {
        expect(sure(bytes, 'unnamed')).toBeGreaterThan(0.7)
        expect(identify(bytes.subarray(0, 4096), 'unnamed', bytes.length)?.format?.id).toBe('w3d.file')
      }
    })

    it('takes a file with the extension that begins with an unknown chunk, and one that is cut short', () => {
      expect(sure(everything(), 'walker.w3d')).toBeGreaterThanOrEqual(0.5)
      expect(sure(hierarchy().slice(0, 40), 'walker.W3D')).toBeGreaterThanOrEqual(0.5)
    })

    it('leaves other files alone', () => {
      expect(sure(new Uint8Array(4096), 'zeros.bin')).toBe(0)
      expect(sure(junk(4096), 'junk.w3d')).toBe(0)
      // RenderWare's clump and texture dictionary: u32 id, size, stamp
      expect(sure(cat(u32(0x10, 20, 0x1803ffff), u32(1, 8, 0x1803ffff), junk(8)), 'cj.dff')).toBe(0)
      expect(sure(cat(u32(0x16, 12, 0x1803ffff), junk(12)), 'cj.txd')).toBe(0)
    })
  })

  describe('description', () => {
    it('covers every byte of the file once, in order', () => {
      const bytes = everything()
      const covered = new Uint8Array(bytes.length)
      const walk = (node: StructureNode): void => {
        for (const f of node.fields) for (let i = f.start; i < f.start + f.size; i++) covered[i]++
        for (const child of node.children) {
          expect(child.start).toBeGreaterThanOrEqual(node.start)
          expect(child.end).toBeLessThanOrEqual(node.end)
          walk(child)
        }
      }
      walk(w3dFile.describe(decode(bytes)))
      expect(covered.findIndex((n) => n !== 1)).toBe(-1)
    })

    it('gives paths that lead back to the chunk', () => {
      const document = decode(everything())
      const walk = (chunks: typeof document.chunks): void => {
        for (const c of chunks) {
          expect(chunkAt(document.chunks, pathOf(document.chunks, c))?.chunk).toBe(c)
          if (c.kind === 'container') walk(c.children)
        }
      }
      walk(document.chunks)
    })

    it('shows a pivot with its fields and marks what nobody knows', () => {
      const root = w3dFile.describe(decode(hierarchy()))
      const pivots = root.children[0].children[1]
      expect(pivots).toMatchObject({ name: 'pivots', type: 'PIVOTS' })
      const turret = pivots.children[2]
      expect(turret).toMatchObject({ name: 'pivot[2]', summary: 'TURRET' })
      expect(turret.fields.map((f) => `${f.name} ${f.value}`)).toEqual([
        'name TURRET',
        'parent 1',
        'trans 1, 0, 2',
        'euler 0, 0, 1.570796',
        'quat 0, 0, 0.7071068, 0.7071068',
      ])
      expect(turret.fields[1].start).toBe(pivots.start + 8 + 2 * 60 + 16)
      expect(root.children[0].children[2].fields.at(-1)?.unknown).toBe(true)
    })
  })

  describe('bad input', () => {
    it('stays tame when cut at every offset', () => expectTameWhenTruncated(w3dFile, everything()))
    it('stays tame with damaged bytes', () => expectTameWhenCorrupted(w3dFile, everything(), 29))
    it('stays tame with damaged bytes in each fixture', () => {
      expectTameWhenCorrupted(w3dFile, hierarchy())
      expectTameWhenCorrupted(w3dFile, animation('A', 'H', 4, [channel(1, 6, 0, [0, 0, 0, 1])]))
    })
    it('stays tame on any bytes behind a believable start', () => {
      fc.assert(
        fc.property(fc.constantFrom(0, 0x100, 0x200, 0x280, 0x700, 0x300, 0x420), fc.uint8Array({ maxLength: 400 }), (id, bytes) => {
          const file = chunk(id, true, bytes)
          const document = expectTame(w3dFile, file, 'any bytes')
          if (document) expect(Buffer.compare(encodeDocument(w3dFile, document).bytes, file)).toBe(0)
        }),
        { numRuns: 300 },
      )
    })
    it('does not nest without end', () => {
      let bytes = junk(4)
      for (let i = 0; i < 3000; i++) bytes = chunk(0x38, true, bytes)
      expectLossless(w3dFile, bytes)
      let unknown = chunk(0x9999, true)
      for (let i = 0; i < 300; i++) unknown = chunk(0x9999, true, unknown)
      expectLossless(w3dFile, chunk(0x100, true, unknown))
    })
    it('does not fill the memory with millions of empty chunks', () => {
      const bytes = new Uint8Array(8 * 1_000_000)
      const document = expectLossless(w3dFile, bytes)
      expect(document.chunks.length).toBeLessThanOrEqual(100_000)
      expect(document.diagnostics.length).toBeLessThan(1000)
    })
  })
})
