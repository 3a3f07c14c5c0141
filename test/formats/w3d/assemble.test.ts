import { describe, expect, it } from 'vitest'
import { w3dFile } from '../../../src/main/formats/w3d/codecs/file.ts'
import { w3d } from '../../../src/main/formats/w3d/family.ts'
import {
  matrixFromScene,
  matrixToScene,
  rotationFromScene,
  rotationToScene,
  vectorFromScene,
  vectorToScene,
} from '../../../src/main/formats/w3d/scene/basis.ts'
import { compose, transformPoint } from '../../../src/shared/scene/matrix.ts'
import { createPose, poseRest, sampleClip, sampleTrack } from '../../../src/shared/scene/pose.ts'
import { skinMesh } from '../../../src/shared/scene/skinning.ts'
import {
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
  name,
  timeCoded,
  u16,
  u32,
  u8,
} from '../../fixtures/w3d/chunks.ts'
import { everything, skin, twoBoneSkin } from '../../fixtures/w3d/files.ts'
import { memoryLibrary } from '../../fixtures/w3d/neighbourhood.ts'
import { junk } from '../../support/hostile.ts'
import type { ModelChoices } from '../../../src/main/formats/binding.ts'
import type { Scene } from '../../../src/shared/scene/types.ts'

/** The model of the first file, assembled with all that the binder finds. */
function build(files: Record<string, Uint8Array>, choices: ModelChoices = {}) {
  const library = memoryLibrary(files)
  const primary = Object.keys(files)[0]
  const folder = primary.slice(0, Math.max(0, primary.lastIndexOf('/')))
  const binding = w3d.bind(folder, library).find((b) => b.primary === primary)!
  return { binding, library, ...w3d.assemble(binding, library.load, choices) }
}
const round = (v: ArrayLike<number>): number[] => Array.from(v, (x) => Math.round(x * 1e4) / 1e4 + 0)
const at = (_scene: Scene, joint: number, world: Float32Array): number[] => round(world.subarray(16 * joint + 12, 16 * joint + 15))
const codes = (list: { code: string }[]): string[] => list.map((d) => d.code)
const rigid = (meshName: string, more: Partial<Parameters<typeof mesh>[0]> = {}) =>
  mesh({ meshName, ...QUAD, chunks: materials(), ...more })

describe('basis', () => {
  it('turns up to +Y and the front to +Z, and back without a rounding', () => {
    const out = [0, 0, 0]
    vectorToScene(out, 0, [1, 0, 0], 0)
    expect(out).toEqual([0, 0, 1])
    vectorToScene(out, 0, [0, 0, 1], 0)
    expect(out).toEqual([0, 1, 0])
    vectorFromScene(out, 0, out, 0)
    expect(out).toEqual([0, 0, 1])
    const q = [0.1, 0.2, 0.3, 0.9]
    rotationToScene(q, 0, q, 0)
    expect(q).toEqual([0.2, 0.3, 0.1, 0.9])
    rotationFromScene(q, 0, q, 0)
    expect(q).toEqual([0.1, 0.2, 0.3, 0.9])
  })

  it('takes a matrix along: a point turned in the file is the point turned in the scene', () => {
    const m = new Float64Array(16)
    compose(m, 0, [1, 2, 3], 0, [0.1, 0.3, -0.4, 0.860233], 0, [1, 1, 1], 0)
    const s = new Float64Array(16)
    matrixToScene(s, 0, m, 0)
    const p = [0, 0, 0]
    transformPoint(p, 0, m, 0, 4, 5, 6)
    const want = [0, 0, 0]
    vectorToScene(want, 0, p, 0)
    const v = [0, 0, 0]
    vectorToScene(v, 0, [4, 5, 6], 0)
    const got = [0, 0, 0]
    transformPoint(got, 0, s, 0, v[0], v[1], v[2])
    expect(round(got)).toEqual(round(want))
    const back = new Float64Array(16)
    matrixFromScene(back, 0, s, 0)
    expect(Array.from(back)).toEqual(Array.from(m))
  })
})

describe('skeleton', () => {
  it('has points for weapons where meshes leave ends of chains alone; by itself all of it is bones', () => {
    const parts = hlod('WALKER', 'WALKER_SKL', [{ size: 1, objects: [[1, 'WALKER.BODY']] }])
    const walker = cat(rigid('BODY', { containerName: 'WALKER' }), parts, hierarchy())
    expect(build({ 'walker.w3d': walker }).scene.skeleton.roles).toEqual(['joint', 'mesh', 'joint', 'attach'])
    expect(build({ 'walker_skl.w3d': hierarchy() }).scene.skeleton.roles).toEqual(['joint', 'joint', 'joint', 'joint'])
  })

  it("ignores pivot 0's own transform and turns children with their parents", () => {
    const { scene } = build({ 'walker_skl.w3d': hierarchy() })
    const pose = createPose(scene)
    poseRest(scene, pose)
    expect(scene.skeleton.names).toEqual(['ROOTTRANSFORM', 'BODY', 'TURRET', 'MUZZLE01'])
    // file: body at z 5, turret at (1, 0, 7) turned a quarter about z, muzzle three along its x, which is y now
    expect([0, 1, 2, 3].map((j) => at(scene, j, pose.world))).toEqual([
      [0, 0, 0],
      [0, 5, 0],
      [0, 7, 1],
      [3, 7, 1],
    ])
    expect(scene.skeleton.sources[2]).toEqual({ ref: 'walker_skl.w3d', path: 'hierarchy.pivots.pivot[2]' })
    expect(Array.from(scene.skeleton.nativeIndex)).toEqual([0, 1, 2, 3])
  })

  it('cuts parents that are no parents, with a diagnostic', () => {
    const odd = [
      { name: 'ROOT', parent: -1, trans: [0, 0, 0] },
      { name: 'A', parent: 2, trans: [0, 0, 1] },
      { name: 'B', parent: 1, trans: [0, 0, 1] },
      { name: 'C', parent: 77, trans: [0, 0, 1] },
      { name: 'D', parent: -1, trans: [0, 0, 1] },
    ] as Parameters<typeof hierarchy>[0]
    const { scene, diagnostics } = build({ 'odd.w3d': hierarchy(odd) })
    expect(Array.from(scene.skeleton.parents)).toEqual([-1, -1, 1, -1, -1])
    expect(codes(diagnostics)).toEqual(['w3d.pivot-parent', 'w3d.pivot-parent', 'w3d.pivot-parent'])
  })

  it('puts a root in front of a skeleton from before version 3', () => {
    const { scene } = build({
      'old.w3d': cat(
        hierarchy(
          [
            { name: 'A', parent: -1, trans: [0, 0, 2] },
            { name: 'B', parent: 0, trans: [0, 0, 1] },
          ],
          { version: 0x20000, name: 'OLD' },
        ),
        animation('X', 'OLD', 2, [channel(1, 2, 0, [5, 5])]),
      ),
    })
    expect(scene.skeleton.names).toEqual(['ROOTTRANSFORM', 'A', 'B'])
    const pose = createPose(scene)
    sampleClip(scene, scene.clips[0], 0, pose)
    expect(at(scene, 2, pose.world)).toEqual([0, 8, 0])
  })

  it('finds the skeleton of that name among several in a file', () => {
    const files = {
      'm.w3d': cat(rigid('A', { containerName: 'M' }), hlod('M', 'SECOND', [{ size: 1, objects: [[1, 'M.A']] }])),
      'both.w3d': cat(
        hierarchy(undefined, { name: 'FIRST' }),
        hierarchy(
          [
            { name: 'R', parent: -1, trans: [0, 0, 0] },
            { name: 'ONLY', parent: 0, trans: [0, 0, 1] },
          ],
          { name: 'SECOND' },
        ),
      ),
    }
    const { scene } = build(files)
    expect(scene.skeleton.names).toEqual(['R', 'ONLY'])
    const choice = build({ 'both.w3d': files['both.w3d'] }, { object: 'SECOND' })
    expect(choice.options.find((o) => o.key === 'object')?.options.map((o) => o.value)).toEqual(['FIRST', 'SECOND'])
    expect(choice.scene.skeleton.names).toEqual(['R', 'ONLY'])
  })
})

describe('skins', () => {
  const model = (body: Uint8Array, part: string): Uint8Array =>
    cat(body, hlod('WALKER', 'WALKER_SKL', [{ size: 1, objects: [[0, part]] }]), hierarchy())

  it('stand where their bones are: vertices come from bone space', () => {
    const { scene } = build({ 'walker.w3d': model(skin(), 'WALKER.SKIN') })
    const [m] = scene.meshes
    // file: (0,0,0) and (1,0,0) on the body at z 5, (0,1,0) on the turret, (0,0,1) on the muzzle at (1,3,7)
    expect(round(m.positions)).toEqual([0, 5, 0, 0, 5, 1, 0, 7, 0, 3, 8, 1])
    expect(Array.from(scene.skins[0].joints)).toEqual([1, 2, 3])
    const pose = createPose(scene)
    poseRest(scene, pose)
    const positions = new Float32Array(12)
    skinMesh(m, scene.skins[0], pose, positions, new Float32Array(0), new Float32Array(48))
    expect(round(positions)).toEqual(round(m.positions))
    expect(round(m.normals)).toEqual([0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0])
  })

  it('take weights in percent and the second stream of positions', () => {
    const { scene, diagnostics } = build({ 'walker.w3d': model(twoBoneSkin(), 'WALKER.CLOAK') })
    const { offsets, weights, slots, joints } = scene.skins[0]
    expect(Array.from(offsets)).toEqual([0, 1, 3, 5])
    expect(Array.from(slots, (s) => joints[s])).toEqual([1, 1, 2, 1, 2])
    expect(round(weights)).toEqual([1, 0.75, 0.25, 0.5, 0.5])
    expect(diagnostics).toEqual(expect.not.arrayContaining([expect.objectContaining({ code: 'w3d.influence-bone' })]))
    // both bones say the same place: (1,0,6) in the file
    expect(round(scene.meshes[0].positions.subarray(3, 6))).toEqual([0, 6, 1])
  })

  it('leave vertices of bones that are not there where they stand, and say so', () => {
    const odd = mesh({
      meshName: 'SKIN',
      attributes: 0x20000,
      ...QUAD,
      chunks: [chunk(0x0e, false, ...[1, 900, 1].map((b) => cat(u16(b), junk(6))))],
    })
    const { scene, diagnostics } = build({ 'walker.w3d': model(odd, 'WALKER.SKIN') })
    expect(codes(diagnostics)).toEqual(expect.arrayContaining(['w3d.influence-bone', 'w3d.influence-count']))
    expect(Array.from(scene.skins[0].offsets)).toEqual([0, 1, 1, 2, 2])
    const lost = build({ 'walker.w3d': cat(skin(), hlod('WALKER', 'NOWHERE', [{ size: 1, objects: [[0, 'WALKER.SKIN']] }])) })
    expect(codes(lost.diagnostics)).toEqual(expect.arrayContaining(['w3d.hierarchy-missing', 'w3d.skin-without-skeleton']))
    expect(lost.scene.meshes[0].skin).toBe(-1)
  })
})

describe('objects', () => {
  it('hang on their pivots in each level of detail, lowest first', () => {
    const { scene } = build({ 'walker.w3d': everything().slice(19) })
    expect(scene.lods).toHaveLength(2)
    expect(scene.meshes.map((m) => [m.name, m.joint, m.lod, m.visible])).toEqual([
      ['WALKER.LOW', 1, 0, true],
      ['WALKER.HULL', 1, 1, true],
      ['WALKER.SKIN', 0, 1, true],
      ['WALKER.CLOAK', 0, -1, false],
    ])
    const boxes = scene.helpers.filter((h) => h.kind === 'box')
    expect(boxes).toEqual([
      expect.objectContaining({ name: 'WALKER.BOUNDINGBOX', joint: 2, center: [0, 1, 0], extent: [3, 4, 2], color: [1, 0, 0] }),
    ])
    expect(scene.helpers.filter((h) => h.label === 'proxy')).toEqual([expect.objectContaining({ name: 'DUST', joint: 3 })])
    expect(scene.helpers.filter((h) => h.label === 'placeholder')).toEqual([expect.objectContaining({ name: 'SEAT', center: [3, 4, 2] })])
  })

  it('of other models are attached with a skeleton of their own, and never without end', () => {
    const flash = cat(
      rigid('GLOW', { containerName: 'FLASH' }),
      hierarchy(
        [
          { name: 'R', parent: -1, trans: [0, 0, 0] },
          { name: 'TIP', parent: 0, trans: [1, 0, 0] },
        ],
        { name: 'FLASH' },
      ),
      hlod(
        'FLASH',
        'FLASH',
        [{ size: 1, objects: [[1, 'FLASH.GLOW']] }],
        [chunk(0x705, true, chunk(0x704, false, u32(0), name('FLASH', 32)), chunk(0x704, false, u32(0), name('WALKER', 32)))],
      ),
    )
    const { scene, binding } = build({ 'walker.w3d': everything().slice(19), 'flash.w3d': flash })
    expect(binding.members).toContainEqual(expect.objectContaining({ ref: 'flash.w3d', role: 'mesh', why: 'explicit' }))
    const glow = scene.meshes.find((m) => m.name === 'FLASH.GLOW')!
    expect(scene.skeleton.names[glow.joint]).toBe('TIP')
    const pose = createPose(scene)
    poseRest(scene, pose)
    // the muzzle at (1,3,7) looks along y: one further along
    expect(at(scene, glow.joint, pose.world)).toEqual([4, 7, 1])
    expect(scene.meshes.length).toBeLessThan(100)
  })

  it('of an HMODEL are named without their container', () => {
    const old = cat(
      rigid('BODY', { containerName: 'OLD', flag: false }),
      hierarchy(undefined, { name: 'OLD', flag: false }),
      chunk(
        0x300,
        false,
        chunk(0x301, false, u32(0x40001), name('OLD', 16), name('OLD', 16), u16(1)),
        chunk(0x302, false, name('BODY', 16), u16(2)),
      ),
    )
    const { scene, diagnostics } = build({ 'old.w3d': old })
    expect(scene.meshes.map((m) => [m.name, m.joint, m.visible])).toEqual([['OLD.BODY', 2, true]])
    expect(codes(diagnostics)).toEqual(['w3d.texture-missing'])
  })

  it('that are missing, or on pivots that are, do not stop the rest', () => {
    const { scene, diagnostics } = build({
      'walker.w3d': cat(
        rigid('A'),
        hlod('WALKER', 'WALKER_SKL', [
          {
            size: 1,
            objects: [
              [1, 'WALKER.GONE'],
              [99, 'WALKER.A'],
            ],
          },
        ]),
        hierarchy(),
      ),
    })
    expect(codes(diagnostics)).toEqual(expect.arrayContaining(['w3d.sub-object-missing', 'w3d.bone-index']))
    expect(scene.meshes.map((m) => m.joint)).toEqual([0])
  })

  it('know the camera, their order, and whether they are hidden', () => {
    const scene = build({
      'm.w3d': cat(
        rigid('A', { attributes: 0x10000, sortLevel: 7 }),
        rigid('B', { attributes: 0x1000 }),
        rigid('C', { attributes: 0x60000 }),
      ),
    }).scene
    expect(scene.meshes.map((m) => [m.billboard, m.sortLevel, m.visible])).toEqual([
      ['full', 7, true],
      [undefined, undefined, false],
      ['eye', undefined, true],
    ])
  })
})

describe('looks', () => {
  const look = (shader: number[], more: Partial<Parameters<typeof materials>[0]> = {}, attributes = 0) => {
    const result = build({ 'm.w3d': mesh({ meshName: 'A', ...QUAD, attributes, chunks: materials({ shader, ...more }) }) })
    return { ...result, material: result.scene.materials[0], mesh: result.scene.meshes[0] }
  }
  const shader = (
    dst: number,
    src: number,
    more: { mask?: number; compare?: number; pri?: number; test?: number; textured?: number } = {},
  ) => [more.compare ?? 3, more.mask ?? 1, 0, dst, 0, more.pri ?? 1, 0, src, more.textured ?? 1, 0, 0, 0, more.test ?? 0, 0, 0, 0]

  it('blend as their shader says', () => {
    expect(
      [shader(0, 1), shader(5, 2), shader(1, 1), shader(2, 0), shader(3, 1), shader(3, 0), shader(1, 2)].map((s) => look(s).material.blend),
    ).toEqual(['opaque', 'alpha', 'additive', 'multiply', 'screen', 'subtractive', 'additive'])
    const odd = look(shader(5, 2, { mask: 0, compare: 7, pri: 0, test: 1 })).material
    expect([odd.depthWrite, odd.depthTest, odd.lit]).toEqual([false, false, false])
    expect(odd.alphaTest).toBeCloseTo(0x60 / 255)
    expect(look(shader(0, 1), {}, 0x2000).material.doubleSided).toBe(true)
  })

  it('turn v over, take vertex colours, clamp, and miss a texture aloud', () => {
    const { mesh: m, material, scene, diagnostics } = look(shader(0, 1))
    expect(round(m.uvs[0])).toEqual([0, 0.75, 0.25, 0.75, 0.5, 0.75, 0.75, 0.75])
    expect([material.vertexColors, m.colors.length, material.wrapU, material.wrapV]).toEqual([true, 16, 'clamp', 'repeat'])
    expect(scene.textures).toEqual([expect.objectContaining({ name: 'walker.tga', missing: true })])
    expect(codes(diagnostics)).toEqual(['w3d.texture-missing'])
    expect(look(shader(0, 1, { textured: 0 })).material.texture).toBe(-1)
  })

  it('scroll against the given speed, mirror the surroundings, and wear the colour of the player', () => {
    expect(look(shader(0, 1), { mapper: 4, args: 'UPerSec=0.5\r\nVPerSec=-2\r\n' }).material.uvScroll).toEqual([-0.5, 2])
    expect(look(shader(0, 1), { mapper: 1 }).material.environment).toBe(true)
    expect(look(shader(0, 1), { texture: 'ZHCa_walker.tga' }).material.teamColor).toBe(true)
    expect(build({ 'm.w3d': rigid('HOUSECOLOR01') }).scene.materials[0].teamColor).toBe(true)
    expect(look(shader(0, 1)).material.teamColor).toBeUndefined()
  })

  it('find the DDS before the TGA, wherever it is', () => {
    const tga = cat([0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0], u16(1, 2), [24, 0x20], [1, 2, 3, 4, 5, 6])
    const files = { 'art/w3d/m.w3d': rigid('A'), 'art/textures/walker.tga': tga }
    const { scene, binding } = build(files)
    expect(binding.members.at(-1)).toMatchObject({
      role: 'textures',
      ref: 'art/textures/walker.tga',
      why: 'explicit',
      detail: 'walker.tga',
    })
    expect(scene.textures[0]).toMatchObject({ width: 1, height: 2, missing: false })
    expect(Array.from(scene.textures[0].rgba)).toEqual([3, 2, 1, 255, 6, 5, 4, 255])
  })

  it('part a mesh by what its triangles wear', () => {
    const chunks = [
      chunk(0x28, false, u32(1, 1, 2, 2)),
      chunk(0x29, false, u8(...shader(0, 1), ...shader(1, 1))),
      chunk(0x30, true, chunk(0x31, true, chunk(0x32, false, [65, 0])), chunk(0x31, true, chunk(0x32, false, [66, 0]))),
      chunk(
        0x38,
        true,
        chunk(0x3a, false, u32(0, 1)),
        chunk(0x48, true, chunk(0x49, false, u32(1, 0xffffffff)), chunk(0x4a, false, f32(0, 0, 1, 0, 1, 1, 0, 1))),
        chunk(0x48, true, chunk(0x49, false, u32(0)), chunk(0x4a, false, f32(0, 0, 1, 0, 1, 1, 0, 1))),
      ),
      chunk(
        0x38,
        true,
        chunk(0x3a, false, u32(1)),
        chunk(0x48, true, chunk(0x49, false, u32(0)), chunk(0x4a, false, f32(0, 0, 1, 0, 1, 1, 0, 1))),
      ),
    ]
    const { scene } = build({ 'm.w3d': mesh({ meshName: 'A', ...QUAD, chunks }) })
    expect(scene.meshes[0].groups.map((g) => [g.start, g.count])).toEqual([
      [0, 3],
      [3, 3],
    ])
    expect(
      scene.materials.map((m) => [
        scene.textures[m.texture]?.name,
        m.blend,
        m.layers.map((l) => [scene.textures[l.texture].name, l.blend, l.uvSet]),
      ]),
    ).toEqual([
      ['B', 'opaque', [['A', 'additive', 2]]],
      [undefined, 'additive', [['A', 'additive', 2]]],
    ])
  })

  it('come from a shader material where there is one', () => {
    const { scene } = build({ 'm.w3d': twoBoneSkin() })
    expect(scene.materials[0]).toMatchObject({ diffuse: [1, 0.5, 0.25, 1], uvSet: 0 })
    expect(scene.materials[0].alphaTest).toBeGreaterThan(0)
    expect(scene.textures[0].name).toBe('cloak.tga')
    expect(round(scene.meshes[0].uvs[0])).toEqual([0, 1, 1, 1, 0, 0])
  })

  it('leave out triangles whose vertices are not there', () => {
    const { scene, diagnostics } = build({
      'm.w3d': mesh({
        meshName: 'A',
        vertices: QUAD.vertices,
        triangles: [
          [0, 1, 2],
          [0, 1, 9],
        ],
      }),
    })
    expect(Array.from(scene.meshes[0].indices)).toEqual([0, 1, 2])
    expect(codes(diagnostics)).toContain('w3d.triangle-vertex')
  })
})

describe('clips', () => {
  const play = (clip: Uint8Array, choices: ModelChoices = {}) => {
    const result = build({ 'walker_skl.w3d': hierarchy(), 'walker_a.w3d': clip }, choices)
    const pose = createPose(result.scene)
    return {
      ...result,
      pose,
      clip: result.scene.clips[0],
      sample: (time: number) => sampleClip(result.scene, result.scene.clips[0], time, pose),
    }
  }

  it('are deltas in the space of the pivot at rest', () => {
    const { scene, pose, sample } = play(
      animation('WALK', 'walker_SKL', 2, [
        channel(2, 0, 0, [4, 4]),
        channel(2, 6, 0, [0, 0, Math.SQRT1_2, Math.SQRT1_2, 0, 0, Math.SQRT1_2, Math.SQRT1_2]),
      ]),
    )
    sample(0)
    // four along the turret's own x, which looks along y at rest; then the muzzle, turned twice, looks along -x
    expect(at(scene, 2, pose.world)).toEqual([4, 7, 1])
    expect(at(scene, 3, pose.world)).toEqual([4, 7, -2])
  })

  it('blend frames, the last with the first, unless they are to be shown one by one', () => {
    const bytes = animation('WALK', 'WALKER_SKL', 3, [channel(1, 2, 0, [0, 10, 20])])
    const { scene, pose, sample, clip, options } = play(bytes)
    expect([clip.start, clip.end, clip.rate, clip.unit, clip.loop]).toEqual([0, 2, 30, 'frame', 'blend'])
    sample(0.5)
    expect(at(scene, 1, pose.world)).toEqual([0, 10, 0])
    sample(2.5)
    expect(at(scene, 1, pose.world)).toEqual([0, 15, 0])
    expect(options.find((o) => o.key === 'rawFrames')?.value).toBe('blend')
    const snap = play(bytes, { rawFrames: 'snap' })
    snap.sample(1.9)
    expect(at(snap.scene, 1, snap.pose.world)).toEqual([0, 15, 0])
  })

  it('do not move on frames that an uncompressed channel has no value for', () => {
    const { scene, pose, sample } = play(animation('WALK', 'WALKER_SKL', 7, [channel(1, 2, 2, [6, 6]), channel(1, 6, 3, [0, 0, 1, 0])]))
    const height = (time: number): number => (sample(time), at(scene, 1, pose.world)[1])
    expect([0, 1, 1.5, 2, 3, 3.5, 4, 6].map(height)).toEqual([5, 5, 8, 11, 11, 8, 5, 5])
    sample(3)
    expect(round(pose.world.subarray(16, 20))).toEqual([-1, 0, 0, 0])
    sample(5)
    expect(round(pose.world.subarray(16, 20))).toEqual([1, 0, 0, 0])
  })

  it('join axes with times and steps of their own without a loss', () => {
    const { clip, sample, scene, pose } = play(
      compressed('RUN', 'WALKER_SKL', 31, 0, [
        timeCoded(1, 0, [
          { time: 0, value: [0] },
          { time: 10, value: [10], step: true },
          { time: 30, value: [10] },
        ]),
        timeCoded(1, 2, [
          { time: 0, value: [0] },
          { time: 20, value: [20] },
          { time: 30, value: [20] },
        ]),
      ]),
    )
    expect(clip.tracks).toHaveLength(1)
    const out = [0, 0, 0]
    const value = (time: number): number[] => (sampleTrack(clip.tracks[0], clip, time, out), round(out))
    // scene axes: y, z, x of the file
    expect([0, 5, 9.99, 10, 15, 20, 30].map(value)).toEqual([
      [0, 0, 0],
      [0, 5, 0],
      [0, 9.99, 0],
      [0, 10, 10],
      [0, 15, 10],
      [0, 20, 10],
      [0, 20, 10],
    ])
    sample(15)
    expect(at(scene, 1, pose.world)).toEqual([0, 20, 10])
  })

  it('hide what hangs on a pivot; outside the bits the default holds', () => {
    const { clip, pose, sample } = play(cat(animation('A', 'WALKER_SKL', 6, [bitChannel(3, 2, [0, 1], 0)])))
    expect(clip.tracks[0]).toMatchObject({ property: 'visibility', interpolation: 'step', target: { kind: 'joint', index: 3 } })
    expect([0, 1, 2, 3, 4, 5].map((t) => (sample(t), pose.visible[3]))).toEqual([0, 0, 0, 1, 0, 0])
    const coded = play(
      compressed('A', 'WALKER_SKL', 9, 0, [chunk(0x283, false, u32(2), u16(3), u8(0, 0), u32(2 | 0, (0x80000000 | 5) >>> 0))]),
    )
    expect([0, 2, 4, 5, 8].map((t) => (coded.sample(t), coded.pose.visible[3]))).toEqual([0, 0, 0, 1, 1])
  })

  it('read adaptive deltas and motion channels', () => {
    const nibbles = [16, 1, 2, -8, 7, ...new Array<number>(12).fill(0)]
    const { clip, sample, scene, pose } = play(compressed('A', 'WALKER_SKL', 5, 1, [adaptive(1, 2, 5, 0.5, [3], [[nibbles]])]))
    expect(round(clip.tracks[0].values.filter((_, i) => i % 3 === 1))).toEqual([3, 3.5, 4.5, 0.5, 4])
    sample(2)
    expect(at(scene, 1, pose.world)).toEqual([0, 9.5, 0])
    const motion = play(
      compressed(
        'A',
        'WALKER_SKL',
        31,
        0,
        [
          motionKeys(1, 2, [0, 10, 30], [1, 2, 2]),
          motionDeltas(2, 2, 8, 3, 16, [1], [[[16, -1, 2, ...new Array<number>(14).fill(0)]]]),
          motionDeltas(3, 2, 4, 3, 2, [1], [[[17, 1, 1, ...new Array<number>(14).fill(0)]]]),
        ],
        0x10000,
      ),
    )
    motion.sample(5)
    expect(at(motion.scene, 1, motion.pose.world)).toEqual([0, 6.5, 0])
    expect(round(motion.clip.tracks.find((t) => t.target.index === 2)!.values)).toEqual([0, 1, 0, 0, 0, 0, 0, 2, 0])
    const step = 2 * (1 - Math.sin((90 / 240) * (Math.PI / 180)))
    expect(motion.clip.tracks.find((t) => t.target.index === 3)!.values[7]).toBeCloseTo(1 + 2 * step, 5)
  })

  it("take the engine's other names for the same kinds of channel", () => {
    const still = [0, ...new Array<number>(16).fill(0)]
    const bits = chunk(0x283, false, u32(2), u16(1), u8(1, 1), u32(0, 0x80000005))
    const kinds = (types: number[]): string[] => {
      const { scene } = build({
        'walker_skl.w3d': hierarchy(),
        'a.w3d': compressed('RUN', 'WALKER_SKL', 17, 0, [
          timeCoded(1, types[0], [
            { time: 0, value: [1] },
            { time: 16, value: [2] },
          ]),
          timeCoded(2, types[1], [{ time: 0, value: [0, 0, 0, 1] }]),
          bits,
        ]),
        'b.w3d': compressed('IDLE', 'WALKER_SKL', 17, 1, [adaptive(1, types[2], 17, 2, [0.5], [[still]])]),
      })
      return scene.clips.flatMap((clip) => clip.tracks.map((t) => `${t.property} ${t.label}`)).sort()
    }
    expect(kinds([0, 6, 2])).toEqual(['rotation Q', 'translation X', 'translation Z', 'visibility visibility'])
    expect(kinds([7, 10, 13])).toEqual(kinds([0, 6, 2]))
  })

  it('fade the materials on a pivot by the scalar of BFME', () => {
    const files = {
      'm.w3d': cat(
        rigid('A'),
        hlod('WALKER', 'WALKER_SKL', [{ size: 1, objects: [[2, 'WALKER.A']] }]),
        hierarchy(),
        animation('FADE', 'WALKER_SKL', 3, [channel(2, 15, 0, [1, 0.5, 0])]),
      ),
    }
    const { scene } = build(files)
    const pose = createPose(scene)
    sampleClip(scene, scene.clips[0], 1, pose)
    expect(Array.from(pose.materialOpacity)).toEqual([0.5])
  })

  it('drop channels of pivots that are not there, and say which', () => {
    const { clip, diagnostics } = play(
      animation('A', 'WALKER_SKL', 2, [channel(1, 0, 0, [1, 1]), channel(40, 0, 0, [1, 1]), channel(65535, 6, 0, [0, 0, 0, 1])]),
    )
    expect(clip.fit).toEqual({ matched: 1, total: 3 })
    expect(diagnostics.find((d) => d.code === 'w3d.channel-pivot')?.message).toContain('40, 65535')
  })

  it('survive quaternions that are none, and keys in disorder', () => {
    const { sample, pose } = play(
      compressed('A', 'WALKER_SKL', 9, 0, [
        timeCoded(1, 6, [
          { time: 7, value: [0, 0, 0, 0] },
          { time: 3, value: [NaN, 0, 0, 1] },
        ]),
        timeCoded(1, 0, [
          { time: 5, value: [1] },
          { time: 2, value: [4] },
        ]),
      ]),
    )
    sample(3.5)
    expect(pose.world.every(Number.isFinite)).toBe(true)
    expect(pose.world[16 + 14]).toBe(2.5)
  })
})

describe('fixups', () => {
  it('are shown as a choice, ignored as the engine does unless the user wants them', () => {
    const files = {
      'm.w3d': cat(
        rigid('A'),
        skin(),
        hlod('WALKER', 'WALKER_SKL', [
          {
            size: 1,
            objects: [
              [1, 'WALKER.A'],
              [0, 'WALKER.SKIN'],
            ],
          },
        ]),
        hierarchy(),
      ),
    }
    const ignored = build(files)
    expect(ignored.options.find((o) => o.key === 'fixups')?.value).toBe('ignored')
    expect(round(ignored.scene.meshes[0].positions.subarray(3, 6))).toEqual([0, 0, 1])
    const applied = build(files, { fixups: 'applied' })
    // fixup 1 of the fixture is a scale of 2
    expect(round(applied.scene.meshes[0].positions.subarray(3, 6))).toEqual([0, 0, 2])
    expect(round(applied.scene.meshes[1].positions.subarray(3, 6))).toEqual([0, 5, 2])
  })
})

describe('binding', () => {
  it('finds skeleton, animations and textures by name in other folders, and says how', () => {
    const files = {
      'mod/walker.w3d': cat(
        rigid('A'),
        hlod('WALKER', 'WALKER_SKL', [
          {
            size: 1,
            objects: [
              [1, 'WALKER.A'],
              [1, 'OTHER.B'],
            ],
          },
        ]),
      ),
      'game/walker_skl.w3d': hierarchy(),
      'game/copy.w3d': hierarchy(),
      'game/walk.w3d': animation('WALK', 'Walker_Skl', 2, [channel(1, 0, 0, [1, 1]), channel(9, 0, 0, [1, 1])]),
      'game/other.w3d': rigid('B', { containerName: 'OTHER' }),
      'game/unrelated.w3d': animation('X', 'UNRELATED', 2, []),
    }
    const { binding } = build(files)
    expect(binding.name).toBe('WALKER')
    expect(binding.members.map((m) => [m.role, m.ref, m.why, m.fit])).toEqual([
      ['model', 'mod/walker.w3d', 'self', undefined],
      ['skeleton', 'game/walker_skl.w3d', 'explicit', undefined],
      ['mesh', 'game/other.w3d', 'explicit', undefined],
      ['animation', 'game/walk.w3d', 'explicit', { matched: 1, total: 2 }],
    ])
  })

  it('gives a skeleton file all animations of its name', () => {
    const { binding, scene } = build({
      'a_skl.w3d': hierarchy(undefined, { name: 'A_SKL' }),
      'a_run.w3d': animation('RUN', 'A_SKL', 2, [channel(1, 0, 0, [1, 1])]),
      'b_run.w3d': animation('RUN', 'B_SKL', 2, []),
    })
    expect(binding.members.map((m) => m.ref)).toEqual(['a_skl.w3d', 'a_run.w3d'])
    expect(scene.clips.map((c) => c.name)).toEqual(['RUN'])
  })

  it('tries animations of a skeleton with the same pivots when their file is named after the model', () => {
    const files = {
      'hero.w3d': cat(rigid('A', { containerName: 'HERO' }), hlod('HERO', 'OTHER_SKL', [{ size: 1, objects: [[1, 'HERO.A']] }])),
      'other_skl.w3d': hierarchy(undefined, { name: 'OTHER_SKL' }),
      'hero_skl.w3d': hierarchy(undefined, { name: 'HERO_SKL' }),
      'hero_die.w3d': animation('DIE', 'HERO_SKL', 2, [channel(1, 0, 0, [1, 1])]),
      'villain_die.w3d': animation('DIE', 'HERO_SKL', 2, []),
    }
    const { binding, scene } = build(files)
    expect(binding.members.filter((m) => m.role === 'animation')).toEqual([
      expect.objectContaining({ ref: 'hero_die.w3d', why: 'bones', fit: { matched: 4, total: 4 } }),
    ])
    expect(scene.clips).toHaveLength(1)
  })

  it('lets the user choose a skeleton of another name', () => {
    const files = {
      'm.w3d': cat(skin(), hlod('WALKER', 'GONE_SKL', [{ size: 1, objects: [[0, 'WALKER.SKIN']] }])),
      'walker_skl.w3d': hierarchy(),
    }
    const { binding, library } = build(files)
    const chosen = {
      ...binding,
      members: [...binding.members, { role: 'skeleton', ref: 'walker_skl.w3d', why: 'user' as const, detail: '' }],
    }
    const { scene } = w3d.assemble(chosen, library.load, {})
    expect(scene.skeleton.count).toBe(4)
    expect(scene.skins).toHaveLength(1)
  })
})

describe('odd input', () => {
  it('never makes the assembler throw', () => {
    const bytes = everything().slice(19)
    const good = w3dFile.decode(bytes, 'x.w3d')
    const binding = {
      family: 'w3d' as const,
      name: 'X',
      primary: 'x.w3d',
      members: [
        { role: 'model', ref: 'x.w3d', why: 'self' as const, detail: '' },
        { role: 'animation', ref: 'gone.w3d', why: 'explicit' as const, detail: '' },
      ],
    }
    expect(codes(w3d.assemble(binding, (ref) => (ref === 'x.w3d' ? good : undefined), {}).diagnostics)).toContain('w3d.file-unreadable')
    for (let i = 0; i < bytes.length; i += 31) {
      const copy = bytes.slice()
      copy[i] ^= 0xff
      let document
      try {
        document = w3dFile.decode(copy, 'x.w3d')
      } catch {
        continue
      }
      const { scene } = w3d.assemble(binding, (ref) => (ref === 'x.w3d' ? document : undefined), { fixups: 'applied' })
      const pose = createPose(scene)
      for (const clip of scene.clips) sampleClip(scene, clip, 1, pose)
    }
  })
})
