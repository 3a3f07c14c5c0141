/** Chunks that no public file has, read into fields after the engine's headers. */
import { describe, expect, it } from 'vitest'
import { fieldLayout } from '../../../src/main/formats/field-type.ts'
import { encodeDocument } from '../../../src/main/formats/format.ts'
import { w3d } from '../../../src/main/formats/w3d/family.ts'
import { w3dFile } from '../../../src/main/formats/w3d/codecs/file.ts'
import { createPose, poseRest } from '../../../src/shared/scene/pose.ts'
import { QUAD, cat, chunk, f32, hierarchy, hlod, materials, mesh, name, u32 } from '../../fixtures/w3d/chunks.ts'
import { memoryLibrary } from '../../fixtures/w3d/neighbourhood.ts'
import {
  aggregate,
  emitter,
  light,
  lightscape,
  lodModel,
  morph,
  objects,
  oldMesh,
  oldModelParts,
  ring,
  shaderMesh,
  sound,
  sphere,
} from '../../fixtures/w3d/objects.ts'
import { expectLossless, expectTameWhenCorrupted, expectTameWhenTruncated, junk } from '../../support/hostile.ts'
import type { StructureNode } from '../../../src/main/formats/format.ts'

const rigid = (meshName: string) => mesh({ meshName, ...QUAD, chunks: materials() })
const walker = cat(rigid('HULL'), rigid('LOW'), hlod('WALKER', 'WALKER_SKL', [{ size: 1, objects: [[1, 'WALKER.HULL']] }]), hierarchy())

function fieldsOf(bytes: Uint8Array): Record<string, string> {
  const out: Record<string, string> = {}
  const walk = (n: StructureNode, path: string): void => {
    for (const f of n.fields) out[`${path}${f.name}`] = f.value
    for (const c of n.children) walk(c, `${path}${c.name}.`)
  }
  walk(w3dFile.describe(w3dFile.decode(bytes, 'x')), '')
  return out
}

function build(files: Record<string, Uint8Array>) {
  const library = memoryLibrary(files)
  const primary = Object.keys(files)[0]
  const binding = w3d.bind('', library).find((b) => b.primary === primary)!
  return { ...w3d.assemble(binding, library.load, {}), lint: w3d.lint(library.load(primary)!, { around: library, load: library.load }) }
}

describe('rare chunks', () => {
  it.each([
    ['emitter', emitter(), 0],
    ['light', light(), 0],
    ['lightscape', lightscape(), 0],
    ['aggregate', aggregate(), 0],
    ['LODMODEL', lodModel(), 0],
    ['morph animation', morph(), 0],
    // three bytes behind the definition
    ['sphere', sphere(), 3],
    ['ring', ring(), 0],
    // values of micro chunks (4 + 0, 2), and nine bytes that are no chunks
    ['sound', sound(), 4 + 2 + 9],
    ['shader mesh', shaderMesh(), 4],
    ['mesh of version 2', oldMesh(), 0],
    ['parts of an old HMODEL', oldModelParts(), 0],
  ] as const)('%s: every byte in a field, the same bytes back, tame when cut', (_, bytes, raw) => {
    const document = expectLossless(w3dFile, bytes)
    expect(document.diagnostics).toEqual([])
    expect(encodeDocument(w3dFile, document).opaqueBytes).toBe(raw)
    const covered = new Uint8Array(bytes.length)
    const walk = (n: StructureNode): void => {
      for (const f of n.fields) for (let i = f.start; i < f.start + f.size; i++) covered[i]++
      n.children.forEach(walk)
    }
    walk(w3dFile.describe(document))
    expect(covered.findIndex((n) => n !== 1)).toBe(-1)
    expectTameWhenTruncated(w3dFile, bytes)
  })

  it('stays tame with damaged bytes', () => expectTameWhenCorrupted(w3dFile, objects(), 11))

  it('shows fields where the engine reads them', () => {
    const fields = fieldsOf(objects())
    expect(fields).toMatchObject({
      'emitter[0].header.name': 'WALKER.SMOKE',
      'emitter[0].info.textureFilename': 'smoke.tga',
      'emitter[0].info.gravity': '9',
      'emitter[0].infoV2.renderMode': '1',
      'emitter[0].infoV2.velocityVolume': '3',
      'emitter[0].lineProperties.vPerSec': '5',
      'light[0].info.intensity': '2',
      'light[0].spotInfo.spotAngle': '0.5',
      'lightscape.light[0].transform.transform': '1, 0, 0, 7, 0, 1, 0, 8, 0, 0, 1, 9',
      'aggregate[0].info.baseModelName': 'WALKER',
      'lodmodel.lod[0].lodMax': '500',
      'morphAnimation[0].header.frameRate': '30',
      'soundObject[0].header.name': 'WALKER.HUM',
      'shdmesh[0].subMesh[0].shader.classId.classId': '5',
      'mesh[0].oMeshHeader.hierarchyModelName': 'M',
      'mesh[0].oMaterials3.oMaterial3[0].oMaterial3SiMap.oMap3Info.frameRate': '15',
      'hmodel.auxData.lodMax': '1',
      'sphere[0].chunk[0].textureName': 'shield.tga',
      'ring[0].chunk[0].textureTileCount': '4',
    })
    const props = w3dFile.describe(w3dFile.decode(emitter(), 'x')).children[0].children[4]
    expect(props.fields.slice(-3).map((f) => [f.name, f.size])).toEqual([
      ['colors', 16],
      ['opacities', 8],
      ['sizes', 8],
    ])
    // entries of every column can be told apart
    const columns: string[] = []
    const walk = (n: StructureNode): void => {
      for (const f of n.fields) if (f.type.startsWith('{')) columns.push(`${f.type} ${fieldLayout(f)?.stride}`)
      n.children.forEach(walk)
    }
    walk(w3dFile.describe(w3dFile.decode(cat(emitter(), aggregate(), sphere(), ring()), 'x')))
    expect(columns).toHaveLength(6 + 2 + 6 + 2)
    expect(columns.filter((c) => c.endsWith('undefined'))).toEqual([])
  })

  it('reads what stands there where a count lies', () => {
    const lying = chunk(
      0x500,
      true,
      chunk(0x505, false, u32(0xffffffff, 7, 0), junk(4), f32(0, 0), junk(16), f32(0), junk(4), f32(1, 2), junk(5)),
      chunk(0x50a, false, u32(0xffffffff), f32(0, 0), u32(0)),
    )
    const document = expectLossless(w3dFile, lying)
    expect(encodeDocument(w3dFile, document).opaqueBytes).toBe(5)
    expect(document.diagnostics).toEqual([])
    // too short for the struct itself
    const short = expectLossless(w3dFile, chunk(0x741, true, chunk(1, false, junk(20)), chunk(9, false, [1, 200, 3])))
    expect(encodeDocument(w3dFile, short).opaqueBytes).toBe(23)
  })

  it('does not follow local chunks without end, nor makes an object of each empty one', () => {
    let deep: Uint8Array = junk(4)
    for (let i = 0; i < 200; i++) deep = chunk(2, true, deep)
    expectLossless(w3dFile, chunk(0x741, true, deep))
    expectLossless(w3dFile, chunk(0x741, true, new Uint8Array(8 * 100_000)))
  })
})

describe('rare objects in a model', () => {
  it('are known by name to others, and name what they need', () => {
    const summary = w3dFile.summarize(w3dFile.decode(objects(), 'x'))
    expect(summary.provides).toEqual(
      expect.arrayContaining([
        'w3d.mesh:WALKER.SMOKE',
        'w3d.mesh:WALKER.SHIELD',
        'w3d.mesh:WALKER.WAVE',
        'w3d.mesh:WALKER.HUM',
        'w3d.mesh:WALKER.WALL',
        'w3d.model:ARMED',
        'w3d.model:FAR',
      ]),
    )
    expect(summary.needs).toEqual(
      expect.arrayContaining([
        'w3d.model:WALKER',
        'w3d.model:FLASH',
        'w3d.mesh:WALKER.LOW',
        'w3d.texture:armed.tga',
        'w3d.texture:smoke.tga',
        'w3d.texture:shield.tga',
      ]),
    )
  })

  it('are effects, and no models, where a file has nothing else', () => {
    const summary = (...chunks: Uint8Array[]) => w3dFile.summarize(w3dFile.decode(cat(...chunks), 'x'))
    for (const bytes of [emitter(), sphere(), ring(), sound(), light(), lightscape()]) expect(summary(bytes).kind).toBe('effect')
    expect(summary(emitter(), light()).note).toBe('1 emitter, 1 light')
    for (const bytes of [aggregate(), lodModel(), shaderMesh(), rigid('HULL')])
      expect(summary(bytes, emitter(), light()).kind).toBe('model')
    expect(summary(sphere(), hierarchy()).kind).toBe('skeleton')
    const files = {
      'smoke.w3d': emitter(),
      'walker.w3d': cat(
        rigid('HULL'),
        hlod('WALKER', '', [
          {
            size: 1,
            objects: [
              [0, 'WALKER.SMOKE'],
              [0, 'WALKER.HULL'],
            ],
          },
        ]),
      ),
    }
    // the model that names it brings it in
    expect(w3d.bind('', memoryLibrary(files)).map((b) => [b.primary, b.members.map((m) => m.ref)])).toEqual([
      ['walker.w3d', ['walker.w3d', 'smoke.w3d']],
    ])
  })

  it('hang on the pivots that an HLOD gives them, without a complaint', () => {
    const parts: [number, string][] = [
      [2, 'WALKER.SMOKE'],
      [3, 'WALKER.HUM'],
      [1, 'WALKER.SHIELD'],
      [1, 'WALKER.WAVE'],
    ]
    const { scene, diagnostics, lint } = build({
      'walker.w3d': cat(
        emitter(),
        sound(),
        sphere(),
        ring(),
        light(),
        lightscape(),
        hlod('WALKER', 'WALKER_SKL', [{ size: 1, objects: parts }]),
        hierarchy(),
      ),
    })
    expect(diagnostics).toEqual([])
    expect(lint.map((d) => d.code)).not.toContain('w3d.sub-object-missing')
    expect(scene.helpers.map((h) => [h.name, h.kind, h.label, scene.skeleton.names[h.joint], h.center, h.extent[0]])).toEqual([
      ['WALKER.SMOKE', 'point', 'emitter', 'TURRET', [0, 0, 0], 0],
      ['WALKER.HUM', 'point', 'sound', 'MUZZLE01', [0, 0, 0], 0],
      // file x, y, z = 1, 2, 3: scene y, z, x
      ['WALKER.SHIELD', 'sphere', 'sphere', 'BODY', [2, 3, 1], 4],
      ['WALKER.WAVE', 'point', 'ring', 'BODY', [2, 3, 1], 0],
      ['light 1', 'light', 'light', 'ROOTTRANSFORM', [0, 0, 0], 0],
      ['light 2', 'light', 'light', 'ROOTTRANSFORM', [8, 9, 7], 0],
    ])
  })

  it('an aggregate is its base model with objects on bones found by name', () => {
    const flash = cat(
      mesh({ meshName: 'BANG', containerName: 'FLASH', ...QUAD, chunks: materials() }),
      hlod('FLASH', '', [{ size: 1, objects: [[0, 'FLASH.BANG']] }]),
    )
    const { scene, diagnostics } = build({ 'armed.w3d': aggregate(), 'walker.w3d': walker, 'flash.w3d': flash })
    expect(scene.meshes.map((m) => m.name)).toEqual(['WALKER.HULL', 'FLASH.BANG'])
    const pose = createPose(scene)
    poseRest(scene, pose)
    const place = (joint: number): number[] =>
      Array.from(pose.world.subarray(16 * joint + 12, 16 * joint + 15), (v) => Math.round(v * 1e4) / 1e4)
    expect(place(scene.meshes[1].joint)).toEqual(place(scene.skeleton.names.indexOf('MUZZLE01')))
    expect(diagnostics.filter((d) => d.code !== 'w3d.texture-missing')).toEqual([])
    expect(build({ 'armed.w3d': aggregate(), 'walker.w3d': walker, 'flash.w3d': flash }).lint).toEqual([])
    expect(build({ 'armed.w3d': aggregate() }).lint.map((d) => d.message)).toEqual([
      'no file with the part WALKER was found',
      'no file with the part FLASH was found',
    ])
    const lost = build({ 'armed.w3d': aggregate('WALKER', [['FLASH', 'NOSE']]), 'walker.w3d': walker, 'flash.w3d': flash })
    expect(lost.diagnostics.map((d) => d.code)).toContain('w3d.bone-name')
    // one that extends itself, and two that extend each other
    expect(build({ 'armed.w3d': aggregate('ARMED') }).scene.skeleton.count).toBeGreaterThan(0)
  })

  it('an aggregate exchanges textures where it is asked to: the released engines do not', () => {
    const flash = cat(
      mesh({ meshName: 'BANG', containerName: 'FLASH', ...QUAD, chunks: materials() }),
      hlod('FLASH', '', [{ size: 1, objects: [[0, 'FLASH.BANG']] }]),
    )
    const textures = (choice: string | undefined, path?: string) => {
      const library = memoryLibrary({
        'armed.w3d': aggregate('WALKER', [['FLASH', 'MUZZLE01']], path),
        'walker.w3d': walker,
        'flash.w3d': flash,
      })
      const binding = w3d.bind('', library).find((b) => b.primary === 'armed.w3d')!
      const { scene, options, diagnostics } = w3d.assemble(binding, library.load, choice ? { replacedTextures: choice } : {})
      const used = scene.meshes.map((m) => [
        m.name,
        ...m.groups.map((group) => scene.textures[scene.materials[group.material].texture].name),
      ])
      return {
        used,
        option: options.find((o) => o.key === 'replacedTextures')?.value,
        codes: diagnostics.map((d) => d.code).filter((code) => code !== 'w3d.texture-missing'),
      }
    }
    expect(textures(undefined)).toEqual({
      used: [
        ['WALKER.HULL', 'walker.tga'],
        ['FLASH.BANG', 'walker.tga'],
      ],
      option: 'ignored',
      codes: [],
    })
    expect(textures('applied')).toEqual({
      used: [
        ['WALKER.HULL', 'armed.tga'],
        ['FLASH.BANG', 'walker.tga'],
      ],
      option: 'applied',
      codes: [],
    })
    // a path without a mesh means the model, and one that leads nowhere changes nothing
    expect(textures('applied', '').used).toEqual([
      ['WALKER.HULL', 'armed.tga'],
      ['FLASH.BANG', 'armed.tga'],
    ])
    expect(textures('applied', 'WALKER.TAIL')).toEqual({
      used: [
        ['WALKER.HULL', 'walker.tga'],
        ['FLASH.BANG', 'walker.tga'],
      ],
      option: 'applied',
      codes: ['w3d.texture-replacer'],
    })
  })

  it('a LODMODEL has its nearest object as the highest level', () => {
    const { scene } = build({ 'far.w3d': cat(rigid('HULL'), rigid('LOW'), lodModel()) })
    expect(scene.meshes.map((m) => [m.name, m.lod])).toEqual([
      ['WALKER.LOW', 0],
      ['WALKER.HULL', 1],
    ])
    expect(scene.lods).toEqual(['0 (lowest)', '1 (highest)'])
    expect(build({ 'far.w3d': cat(rigid('HULL'), lodModel()) }).lint.map((d) => d.message)).toContain(
      'no file with the part WALKER.LOW was found',
    )
  })

  it('a fan-made array of lights in an HLOD is read like the others', () => {
    const bytes = hlod(
      'WALKER',
      '',
      [],
      [chunk(0x707, true, chunk(0x703, false, u32(1), f32(0)), chunk(0x704, false, u32(1), name('LAMP', 32)))],
    )
    expect(encodeDocument(w3dFile, expectLossless(w3dFile, bytes)).opaqueBytes).toBe(0)
  })
})
