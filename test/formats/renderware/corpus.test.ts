import { basename } from 'node:path'
import { expect, it } from 'vitest'
import { encodeDocument, firstDifference } from '../../../src/main/formats/format.ts'
import { identify } from '../../../src/main/formats/registry.ts'
import { decodeLevel, levelSize, rasterProblem } from '../../../src/main/formats/renderware/codecs/raster.ts'
import { dffFormat } from '../../../src/main/formats/renderware/codecs/dff.ts'
import { ifpFormat } from '../../../src/main/formats/renderware/codecs/ifp.ts'
import { keyTime } from '../../../src/main/formats/renderware/codecs/ifp-bones.ts'
import { DEAD_WORD, boneStride } from '../../../src/main/formats/renderware/codecs/skin.ts'
import { nodeParents } from '../../../src/main/formats/renderware/codecs/hanim.ts'
import { readModel } from '../../../src/main/formats/renderware/codecs/model.ts'
import { texturesOf, txdFormat } from '../../../src/main/formats/renderware/codecs/txd.ts'
import { nameOf } from '../../../src/main/binary/reader.ts'
import { describeCorpus, filesBelow, readBytes } from '../../support/corpus.ts'

describeCorpus('renderware', (root) => {
  const files = filesBelow(root)
  const dffs = files.filter((f) => f.endsWith('.dff'))
  const txds = files.filter((f) => f.endsWith('.txd'))

  it('every file is recognised, and the same bytes after writing every field', () => {
    const kinds: Record<string, number> = {}
    let raw = 0
    for (const path of files) {
      const bytes = readBytes(path)
      const format = identify(bytes.subarray(0, 4096), basename(path), bytes.length)?.format
      expect(format, path).toBeDefined()
      kinds[format!.id] = (kinds[format!.id] ?? 0) + 1
      const document = format!.decode(bytes, path)
      const out = encodeDocument(format!, document)
      expect(firstDifference(bytes, out.bytes), path).toBe(-1)
      raw += document.diagnostics.filter(
        (d: { code: string }) =>
          d.code === 'renderware.raw-chunk' || d.code === 'renderware.left-over' || d.code === 'renderware.not-chunks',
      ).length
      // padding of archives, tails, console pixels, and the parts of 2d effects and collisions
      if (path.endsWith('.dff')) expect(out.opaqueBytes / bytes.length, path).toBeLessThan(0.2)
    }
    expect(kinds).toEqual({ 'renderware.dff': dffs.length, 'renderware.txd': txds.length, 'renderware.ifp': 2 })
    expect(raw).toBe(0)
  })

  it('skins have the layouts and figures that were counted', () => {
    const layouts: Record<string, number> = {}
    for (const path of dffs) {
      for (const clump of readModel(dffFormat.decode(readBytes(path), path)).clumps) {
        for (const geometry of clump.geometries) {
          const { skin } = geometry
          if (!skin) continue
          layouts[skin.layout] = (layouts[skin.layout] ?? 0) + 1
          expect(skin.numBones, path).toBe(clump.nodes.length)
          expect(skin.pad, path).toBe(0)
          for (const index of skin.indices) if (index >= skin.numBones) expect.unreachable(path)
          if (skin.layout === 'old') for (let b = 0; b < skin.numBones; b++) expect(skin.bones[boneStride(skin) * b]).toBe(DEAD_WORD)
          else expect(skin.split).toMatchObject({ boneLimit: 0, numMeshes: 0, numRLE: 0 })
          // parents by push and pop are those of the frame tree
          const table = clump.frames[clump.tableFrame].hanim!.table!
          const { parents, underflows, left } = nodeParents(table)
          expect([underflows, left], path).toEqual([0, 0])
          for (let i = 0; i < parents.length; i++)
            if (parents[i] >= 0) expect(clump.frames[clump.frameOfNode[i]].parent, path).toBe(clump.frameOfNode[parents[i]])
        }
      }
    }
    expect(layouts.old).toBeGreaterThanOrEqual(3)
    expect(layouts.new).toBeGreaterThanOrEqual(50)
  })

  it('triangles of the Struct and of BinMesh agree in winding where their materials do', () => {
    let compared = 0
    for (const path of dffs) {
      for (const clump of readModel(dffFormat.decode(readBytes(path), path)).clumps) {
        for (const { struct, binMesh } of clump.geometries) {
          if (!struct || !binMesh || binMesh.flags & 1) continue
          const key = (a: number, b: number, c: number): string =>
            a < b && a < c ? `${a},${b},${c}` : b < c ? `${b},${c},${a}` : `${c},${a},${b}`
          const set = new Set<string>()
          for (const group of binMesh.meshes)
            for (let i = 0; i + 2 < group.indices!.length; i += 3)
              set.add(key(group.indices![i], group.indices![i + 1], group.indices![i + 2]))
          let same = 0
          for (let t = 0; t < struct.numTriangles; t++)
            if (set.has(key(struct.triangles[4 * t + 1], struct.triangles[4 * t], struct.triangles[4 * t + 3]))) same++
          expect(same / Math.max(1, struct.numTriangles), path).toBeGreaterThan(0.99)
          compared++
        }
      }
    }
    expect(compared).toBeGreaterThan(60)
  })

  it('levels of textures have the sizes of their formats, and decode', () => {
    let levels = 0
    for (const path of txds) {
      for (const { native, name } of texturesOf(txdFormat.decode(readBytes(path), path))) {
        expect(native, path).toBeDefined()
        if (rasterProblem(native!)) {
          expect(native!.platform, `${path} ${name}: ${rasterProblem(native!)}`).toBe(0x00325350)
          continue
        }
        native!.levels.forEach((level, i) => {
          expect(level.data.length, `${path} ${name}`).toBe(levelSize(native!, i))
          levels++
        })
        if (native!.width <= 64) expect(decodeLevel(native!).length).toBe(4 * native!.width * native!.height)
      }
    }
    expect(levels).toBeGreaterThan(200)
  })

  it('ped.ifp has the walk that was measured', () => {
    const path = files.find((f) => f.endsWith('ped.ifp'))!
    const document = ifpFormat.decode(readBytes(path), path)
    expect(document.animations).toHaveLength(294)
    const walk = document.animations.find((a) => nameOf(a.name) === 'WALK_civi')!
    const hip = walk.bones[0]
    expect([hip.boneId, hip.type, hip.shorts![8 * (hip.numKeys - 1) + 4]]).toEqual([0, 4, 68])
    expect(keyTime(document, hip, hip.numKeys - 1)).toBeCloseTo(1.133, 3)
    expect(hip.shorts![8 * (hip.numKeys - 1) + 6] / 1024).toBeCloseTo(1.72, 1)
  })
})
