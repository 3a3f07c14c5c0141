import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FormatError } from '../../../src/main/binary/format-error.ts'
import { encodeDocument } from '../../../src/main/formats/format.ts'
import {
  ID,
  makeStamp,
  plausibleStamp,
  stampBuild,
  stampVersion,
  versionText,
} from '../../../src/main/formats/renderware/codecs/chunk-ids.ts'
import { childOf, childrenOf, codecLabel, makeContainer, makeRaw } from '../../../src/main/formats/renderware/codecs/chunk.ts'
import { dffFormat } from '../../../src/main/formats/renderware/codecs/dff.ts'
import { newDff } from '../../../src/main/formats/renderware/make.ts'
import { readModel } from '../../../src/main/formats/renderware/codecs/model.ts'
import { binMesh, meshTriangles } from '../../../src/main/formats/renderware/codecs/bin-mesh.ts'
import { hanim, nodeParents } from '../../../src/main/formats/renderware/codecs/hanim.ts'
import { encodeDff, oddDff, payload, pedModel } from '../../fixtures/renderware/ped.ts'
import { expectLossless, expectTameWhenCorrupted, expectTameWhenTruncated, expectTame, junk } from '../../support/hostile.ts'
import type { Chunk } from '../../../src/main/formats/renderware/codecs/chunk.ts'
import type { StructureNode } from '../../../src/main/formats/format.ts'
import type { GeometryStruct as Geometry } from '../../../src/main/formats/renderware/codecs/geometry.ts'

const stamp = makeStamp(0x36003)

function walk(chunks: readonly Chunk[], visit: (chunk: Chunk) => void): void {
  for (const chunk of chunks) {
    visit(chunk)
    if (chunk.children) walk(chunk.children, visit)
  }
}

/** Every byte of a node is a field, a child, or said to be raw; nothing overlaps. */
function expectTiled(node: StructureNode, path = ''): void {
  const parts = [
    ...node.fields.map((f) => ({ start: f.start, end: f.start + f.size, name: f.name })),
    ...node.children.map((c) => ({ start: c.start, end: c.end, name: c.name })),
  ].sort((a, b) => a.start - b.start || a.end - b.end)
  let at = node.start
  for (const part of parts) {
    expect({ path, part: part.name, start: part.start }).toEqual({ path, part: part.name, start: at })
    at = part.end
  }
  expect({ path, end: at }).toEqual({ path, end: node.end })
  for (const child of node.children) expectTiled(child, `${path}.${child.name}`)
}

describe('stamps', () => {
  it('reads versions of both forms', () => {
    const known: [number, string, number][] = [
      [0x1803ffff, '3.6.0.3', 0xffff],
      [0x1400ffff, '3.5.0.0', 0xffff],
      [0x0c02ffff, '3.3.0.2', 0xffff],
      [0x1c02000a, '3.7.0.2', 10],
      [0x310, '3.1.0.0', 0],
      [0x1003ffff, '3.4.0.3', 0xffff],
      [0x0401ffff, '3.1.0.1', 0xffff],
    ]
    for (const [value, text, build] of known) {
      expect(versionText(value)).toBe(text)
      expect(stampBuild(value)).toBe(build)
      expect(makeStamp(stampVersion(value), build)).toBe(value)
      expect(plausibleStamp(value)).toBe(true)
    }
    expect(plausibleStamp(0)).toBe(false)
  })
})

describe('DFF', () => {
  it('writes an odd file as it was, every leaf typed', () => {
    const bytes = oddDff()
    const document = expectLossless(dffFormat, bytes)
    expect(document.diagnostics).toEqual([])
    const raw: number[] = []
    walk(document.roots, (c) => {
      if (!c.children && !c.codec && c.data.length) raw.push(c.type)
    })
    expect(raw.sort()).toEqual([ID.collision, ID.zmodelerLock, 0x253f2fe, 0x7777].filter((t) => t !== 0x253f2fe).sort())
    expect(document.trailing).toEqual(junk(37, 99))
    expect(document.roots.map((r) => r.type)).toEqual([ID.clump, ID.extension, ID.zmodelerLock])
    expect(dffFormat.identify(bytes.subarray(0, 4096), 'x.bin', bytes.length)).toBeGreaterThan(0.9)
  })
  it('describes every byte once', () => {
    expectTiled(dffFormat.describe(dffFormat.decode(oddDff(), 'f')))
    expectTiled(dffFormat.describe(dffFormat.decode(encodeDff(newDff(pedModel({ layout: 'old' }))), 'f')))
    expectTiled(dffFormat.describe(dffFormat.decode(encodeDff(newDff(pedModel({ boneLimit: 4 }))), 'f')))
  })
  it('sums up frames, meshes, skins and textures', () => {
    const summary = dffFormat.summarize(dffFormat.decode(oddDff(), 'dir/Ped.dff'))
    expect(summary.bones).toEqual(['clump', 'Root', 'L Arm', 'Spine', 'R Arm'])
    expect(summary.meshes).toEqual([{ name: 'clump', vertices: 5, triangles: 3, bone: 'clump' }])
    expect(summary.provides).toEqual(['renderware.dff:ped', 'renderware.nodes:0,2,21,31'])
    expect(summary.needs).toEqual(['skin', 'cloth', 'clotha'].map((n) => `renderware.texture:${n}`))
    expect(summary.skins).toEqual([
      {
        mesh: 'clump',
        vertices: 5,
        weights: 9,
        maxInfluences: 3,
        bones: [
          { name: 'Root', vertices: 2, sum: 1.5 },
          { name: 'Spine', vertices: 3, sum: 1.25 },
          { name: 'R Arm', vertices: 2, sum: 1.25 },
          { name: 'L Arm', vertices: 2, sum: 1 },
        ],
      },
    ])
  })
  it('keeps bytes behind the fields of a leaf, and leaves that do not fit', () => {
    const document = newDff(pedModel())
    const atomic = childOf(document.roots[0], ID.atomic)!
    childOf(atomic, ID.extension)!.children!.push(
      makeRaw(ID.rightToRender, stamp, payload(1, 2, 3)),
      makeRaw(ID.pipelineSet, stamp, junk(3)),
    )
    const bytes = encodeDff(document)
    const again = expectLossless(dffFormat, bytes)
    expect(again.diagnostics.map((d) => [d.code, d.path])).toEqual([
      ['renderware.left-over', 'clump.atomic[0].extension.rightToRender[1]'],
      ['renderware.raw-chunk', 'clump.atomic[0].extension.pipelineSet'],
    ])
    expectTiled(dffFormat.describe(again))
  })
  it('reads a locked size field and writes it back', () => {
    const bytes = encodeDff(newDff(pedModel()))
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    view.setUint32(16, 0x0100000c, true)
    const document = expectLossless(dffFormat, bytes)
    expect(document.diagnostics.map((d) => [d.code, d.path, d.offset, d.severity])).toEqual([
      ['renderware.locked-size', 'clump.struct.size', 16, 'info'],
    ])
    expect(readModel(document).clumps[0].atomics).toHaveLength(1)
    // and on the clump itself
    view.setUint32(16, 12, true)
    view.setUint32(4, (view.getUint32(4, true) | 0x43000000) >>> 0, true)
    const locked = expectLossless(dffFormat, bytes)
    expect(locked.diagnostics.map((d) => d.code)).toEqual(['renderware.locked-size'])
    expect(readModel(locked).clumps[0].atomics).toHaveLength(1)
  })
  it('reads past a clump that is short of its chunks, as the game does', () => {
    const bytes = encodeDff(newDff(pedModel()))
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    for (const short of [12, 24, 36, 12 + 64]) {
      const padded = new Uint8Array(bytes.length + 40)
      padded.set(bytes)
      new DataView(padded.buffer).setUint32(4, view.getUint32(4, true) - short, true)
      const document = expectLossless(dffFormat, padded)
      expect(readModel(document).clumps[0].atomics).toHaveLength(1)
      expect(document.diagnostics.map((d) => [d.code, d.path])).toEqual([['renderware.short-size', 'clump.size']])
      expect(document.diagnostics[0].severity).toBe('info')
      expect(document.roots).toHaveLength(1)
    }
  })
  it('warns of an Extension that is short of its plugins: no Struct says what is in it', () => {
    const document = newDff(pedModel())
    const extension = childOf(readModel(document).clumps[0].geometries[0].chunk, ID.extension)!
    expect(extension.children!.length).toBeGreaterThan(1)
    const bytes = encodeDff(document).slice()
    const at = dffFormat.decode(bytes, 'f')
    const { start, size } = childOf(readModel(at).clumps[0].geometries[0].chunk, ID.extension)!
    new DataView(bytes.buffer).setUint32(start + 4, size - 4, true)
    expect(expectLossless(dffFormat, bytes).diagnostics.map((d) => [d.code, d.path, d.severity])).toEqual([
      ['renderware.short-size', 'clump.geometryList.geometry[0].extension.size', 'warning'],
    ])
  })
  it('keeps wrong sizes through an edit, changed by as much as the content', () => {
    const bytes = encodeDff(newDff(pedModel()))
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const size = view.getUint32(4, true)
    view.setUint32(4, (size | 0x01000000) >>> 0, true)
    const document = dffFormat.decode(bytes, 'f')
    const frame = childrenOf(childOf(document.roots[0], ID.frameList), ID.extension)[1]
    ;(childOf(frame, ID.nodeName)!.value as { bytes: Uint8Array }).bytes = new TextEncoder().encode('Rooted')
    const out = encodeDff(document)
    expect(new DataView(out.buffer, out.byteOffset).getUint32(4, true)).toBe(((size + 2) | 0x01000000) >>> 0)
    expect(readModel(dffFormat.decode(out, 'f')).clumps[0].frames[1].name).toBe('Rooted')
  })
  it('keeps a container whose content is no chunk', () => {
    const document = newDff(pedModel())
    const extension = childOf(document.roots[0], ID.extension)!
    extension.children = null
    extension.data = junk(50, 3)
    const bytes = encodeDff(document)
    const again = expectLossless(dffFormat, bytes)
    expect(again.diagnostics.map((d) => d.code)).toEqual(['renderware.not-chunks'])
  })
  it('says where a file was cut', () => {
    const bytes = encodeDff(newDff(pedModel()))
    try {
      dffFormat.decode(bytes.slice(0, 500), 'dir/cut.dff')
      expect.unreachable()
    } catch (error) {
      expect(error).toBeInstanceOf(FormatError)
      expect((error as FormatError).toData()).toMatchObject({ code: 'truncated', file: 'dir/cut.dff', path: 'clump.size', offset: 4 })
    }
  })
  it('reads several clumps and a dictionary of UV animations in front', () => {
    const one = newDff(pedModel())
    const document = {
      ...one,
      roots: [
        makeContainer(ID.uvAnimDict, stamp, [
          makeRaw(ID.struct, stamp, payload(1)),
          makeRaw(ID.animAnimation, stamp, payload(0x100, 0x1c0, 2, 0, { f32: [1] }, junk(68), junk(64))),
        ]),
        one.roots[0],
        newDff(pedModel({ layout: 'old' })).roots[0],
      ],
    }
    const bytes = encodeDff(document)
    const again = expectLossless(dffFormat, bytes)
    expect(readModel(again).clumps).toHaveLength(2)
    expect(again.diagnostics).toEqual([])
    expect(dffFormat.identify(bytes, 'a.dff', bytes.length)).toBeGreaterThan(0.9)
    expect(encodeDocument(dffFormat, again).opaqueBytes).toBe(0)
  })
  it('reads the forms of old versions', () => {
    const old = 0x310
    const document = newDff({ ...pedModel(), stamp: old })
    walk(document.roots, (c) => {
      if (c.codec?.id === 'clump') delete (c.value as { lights?: unknown }).lights
      if (c.codec?.id === 'material') delete (c.value as { surface?: unknown }).surface
      if (c.codec?.id === 'geometry') (c.value as Geometry).surface = Float32Array.of(1, 1, 1)
      if (c.codec?.id === 'atomic') delete (c.value as { geometryIndex?: number }).geometryIndex
    })
    const clump = document.roots[0]
    const geometry = childOf(childOf(clump, ID.geometryList), ID.geometry)!
    clump.children = clump.children!.filter((c) => c.type !== ID.geometryList)
    childOf(clump, ID.atomic)!.children!.splice(1, 0, geometry)
    const again = expectLossless(dffFormat, encodeDff(document))
    expect(again.diagnostics).toEqual([])
    const view = readModel(again).clumps[0]
    expect(view.geometries[0].struct?.surface).toEqual(Float32Array.of(1, 1, 1))
    expect(view.atomics).toMatchObject([{ frame: 0, geometry: 0 }])
    expect(view.geometries[0].skin?.layout).toBe('new')
  })
  it('is tame when cut anywhere', () => expectTameWhenTruncated(dffFormat, oddDff()))
  it('is tame when any byte is wrong', () => expectTameWhenCorrupted(dffFormat, oddDff(), 3))
  it('is tame when cut with sizes mended', () => {
    const bytes = oddDff()
    for (let n = 12; n < bytes.length; n += 3) {
      const cut = bytes.slice(0, n)
      new DataView(cut.buffer).setUint32(4, n - 12, true)
      const document = expectTame(dffFormat, cut, `cut at ${n}`)
      expect(document && encodeDff(document)).toEqual(cut)
    }
  })
  it('does not choke on a million empty chunks or deep nesting', () => {
    const many = new Uint8Array(12 * 200_000)
    const view = new DataView(many.buffer)
    for (let i = 0; i < many.length; i += 12) {
      view.setUint32(i, i ? ID.extension : ID.clump, true)
      view.setUint32(i + 4, i ? 0 : many.length - 12, true)
      view.setUint32(i + 8, stamp, true)
    }
    expectTame(dffFormat, many, 'flat')
    for (let i = 0; i < many.length; i += 12) view.setUint32(i + 4, many.length - i - 12, true)
    const document = expectTame(dffFormat, many, 'deep')!
    expect(encodeDff(document)).toEqual(many)
  })
  it('writes any bytes behind a header again, or refuses them', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(ID.clump, ID.frameList, ID.geometry, ID.extension), (bytes, type) => {
        const file = payload(type, bytes.length, stamp, bytes)
        const document = expectTame(dffFormat, file, 'random')
        if (document) expect(encodeDff(document)).toEqual(file)
      }),
      { numRuns: 300 },
    )
  })
})

describe('geometry', () => {
  const clumpOf = (own: number, struct: Uint8Array): Uint8Array =>
    encodeDff({
      format: 'renderware.dff',
      ref: '',
      diagnostics: [],
      trailing: new Uint8Array(0),
      roots: [
        makeContainer(ID.clump, own, [
          makeRaw(ID.struct, own, payload(0, 0, 0)),
          makeContainer(ID.geometryList, own, [
            makeRaw(ID.struct, own, payload(1)),
            makeContainer(ID.geometry, own, [makeRaw(ID.struct, own, struct)]),
          ]),
        ]),
      ],
    })

  it('is typed with any flags, UV sets, morph targets and version', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(0x310, makeStamp(0x33002), makeStamp(0x34003), stamp, makeStamp(0x37002)),
        fc.nat(3),
        fc.boolean(),
        fc.boolean(),
        fc.boolean(),
        fc.constantFrom(0, 1, 4, 0x80, 0x84),
        fc.array(fc.tuple(fc.boolean(), fc.boolean()), { minLength: 1, maxLength: 3 }),
        fc.nat(4),
        fc.nat(4),
        (own, sets, prelit, normals, native, textured, targets, nv, nt) => {
          const old = stampVersion(own) < 0x34000
          const flags = textured | (prelit ? 8 : 0) | (normals ? 0x10 : 0) | (sets << 16) | (native ? 0x01000000 : 0)
          const uvs = sets || (textured & 0x80 ? 2 : textured & 4 ? 1 : 0)
          const parts: Parameters<typeof payload> = [flags, nt, nv, targets.length]
          if (old) parts.push({ f32: [1, 2, 3] })
          if (!native) parts.push(junk(prelit ? 4 * nv : 0), junk(8 * nv * uvs, 1), junk(8 * nt, 2))
          for (const [positions, own] of targets)
            parts.push(
              { f32: [1, 2, 3, 4] },
              positions && !native ? 1 : 0,
              own && !native ? 1 : 0,
              junk(positions && !native ? 12 * nv : 0, 3),
              junk(own && !native ? 12 * nv : 0, 4),
            )
          const bytes = clumpOf(own, payload(...parts))
          const document = expectLossless(dffFormat, bytes)
          expect(document.diagnostics).toEqual([])
          const struct = readModel(document).clumps[0].geometries[0].struct!
          expect([
            struct.uvs.length,
            struct.morphs.length,
            struct.prelit.length,
            struct.triangles.length,
            struct.surface !== undefined,
          ]).toEqual([native ? 0 : uvs, targets.length, native || !prelit ? 0 : 4 * nv, native ? 0 : 4 * nt, old])
          expect(encodeDocument(dffFormat, document).opaqueBytes).toBe(0)
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('2d effects', () => {
  const forms: [number, number, string][] = [
    [0, 76, 'shadowTexName'],
    [0, 80, 'lookDirection'],
    [1, 24, 'effectName'],
    [3, 56, 'queueDirection'],
    [4, 0, 'position'],
    [6, 44, 'interiorName'],
    [7, 88, 'text'],
    [8, 4, 'index'],
    [9, 12, 'usage'],
    [10, 40, 'bottom'],
  ]
  it.each(forms)('of type %i with %i bytes are typed', (type, size, named) => {
    const document = newDff(pedModel())
    childOf(readModel(document).clumps[0].geometries[0].chunk, ID.extension)!.children!.push(
      makeRaw(ID.effect2d, stamp, payload(1, { f32: [1, 2, 3] }, type, size, junk(size))),
    )
    const bytes = encodeDff(document)
    const again = expectLossless(dffFormat, bytes)
    expect(encodeDocument(dffFormat, again).opaqueBytes).toBe(0)
    expect(JSON.stringify(dffFormat.describe(again))).toContain(named)
    expectTiled(dffFormat.describe(again))
  })
  it('of other sizes and types are carried as they are', () => {
    const document = newDff(pedModel())
    childOf(readModel(document).clumps[0].geometries[0].chunk, ID.extension)!.children!.push(
      makeRaw(ID.effect2d, stamp, payload(2, { f32: [1, 2, 3] }, 0, 77, junk(77), { f32: [0, 0, 0] }, 99, 3, junk(3))),
    )
    expect(encodeDocument(dffFormat, expectLossless(dffFormat, encodeDff(document))).opaqueBytes).toBe(80)
  })
})

describe('BinMesh', () => {
  it('unwinds strips with their winding and skips degenerate triangles', () => {
    const bins = {
      flags: 1,
      numMeshes: 1,
      totalIndices: 6,
      meshes: [{ numIndices: 6, material: 0, indices: Uint32Array.of(0, 1, 2, 3, 3, 4) }],
    }
    expect(Array.from(meshTriangles(bins, bins.meshes[0], 5))).toEqual([0, 1, 2, 1, 3, 2])
    expect(Array.from(meshTriangles(bins, bins.meshes[0], 3))).toEqual([0, 1, 2])
  })
  it('stays raw where it counts a mesh that is not there', () => {
    const document = newDff(pedModel())
    const extension = childOf(childrenOf(childOf(document.roots[0], ID.geometryList), ID.geometry)[0], ID.extension)!
    for (const content of [payload(0, 2, 3, 3, 0, 0, 1, 2), payload(0, 2, 3, 3, 0, 0, 1, 2, 7), payload(0, 1, 3, 4, 0, 0, 1, 2)]) {
      extension.children![0] = makeRaw(ID.binMesh, stamp, content)
      expect(expectLossless(dffFormat, encodeDff(document)).diagnostics.map((d) => d.code)).toEqual(['renderware.raw-chunk'])
    }
  })
  it('reads indices of two bytes, and headers alone', () => {
    for (const content of [payload(1, 1, 3, 3, 0, { u16: [0, 1, 2] }), payload(0, 2, 6, 3, 0, 3, 1)]) {
      const document = newDff(pedModel())
      const extension = childOf(childrenOf(childOf(document.roots[0], ID.geometryList), ID.geometry)[0], ID.extension)!
      extension.children![0] = makeRaw(ID.binMesh, stamp, content)
      const again = expectLossless(dffFormat, encodeDff(document))
      expect(again.diagnostics).toEqual([])
      const mesh = readModel(again).clumps[0].geometries[0].binMesh!
      expect(mesh.meshes[0].numIndices).toBe(3)
      expect(binMesh.id).toBe('binMesh')
    }
  })
})

describe('HAnim', () => {
  it('gives parents by push and pop', () => {
    const model = readModel(newDff(pedModel())).clumps[0]
    const table = model.frames[model.tableFrame].hanim!.table!
    expect(Array.from(table.nodes)).toEqual([0, 0, 0, 2, 1, 2, 21, 2, 1, 31, 3, 1])
    expect(nodeParents(table)).toEqual({ parents: Int32Array.of(-1, 0, 1, 0), underflows: 0, left: 0 })
    expect(Array.from(model.frameOfNode)).toEqual([1, 3, 4, 2])
    expect(codecLabel(hanim)).toBe('HAnim PLG')
  })
})
