/** Bones of every family through the workspace: one step across files, undo gives the bytes back. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MemoryNeighbourhood } from '../../src/main/files/memory-neighbourhood.ts'
import { FileStore } from '../../src/main/files/store.ts'
import { encodeDocument } from '../../src/main/formats/format.ts'
import { families } from '../../src/main/formats/registry.ts'
import { ifpFormat } from '../../src/main/formats/renderware/codecs/ifp.ts'
import { newDff, newIfp } from '../../src/main/formats/renderware/make.ts'
import { sampleFiles } from '../support/sample.ts'
import { Workspace } from '../../src/main/workspace/workspace.ts'
import { createPose, poseRest } from '../../src/shared/scene/pose.ts'
import { skinMesh } from '../../src/shared/scene/skinning.ts'
import { encodeDff, pedModel } from '../fixtures/renderware/ped.ts'
import type { OpenModel } from '../../src/main/workspace/open-model.ts'
import type { Scene } from '../../src/shared/scene/types.ts'

let folder = ''
let files: FileStore
let workspace: Workspace

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'marrow-test-'))
  const put = (path: string, bytes: Uint8Array): void => {
    const target = join(folder, 'game', ...path.split('/'))
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, bytes)
  }
  for (const { path, bytes } of sampleFiles()) put(path, bytes)
  put(
    'by-name/ped.dff',
    encodeDff(
      newDff({
        ...pedModel(),
        nodes: undefined,
        frames: pedModel().frames.map((f) => ({ ...f, nodeId: undefined })),
        geometries: [{ ...pedModel().geometries[0], skin: undefined }],
      }),
    ),
  )
  const track = (bone: string) => ({ bone, id: -1, times: [0, 1], rotations: [0, 0, 0, 1, 0, 0, 0, 1] })
  put(
    'by-name/ped.ifp',
    encodeDocument(ifpFormat, newIfp('ped', [{ name: 'walk', tracks: ['Root', 'Spine', 'R Arm', 'L Arm', 'clump'].map(track) }])).bytes,
  )
  files = new FileStore()
  workspace = new Workspace({ files, stateFolder: join(folder, 'state') })
})
afterAll(async () => {
  await workspace.closeAll()
  files.close()
  rmSync(folder, { recursive: true, force: true })
})

function open(path: string): OpenModel {
  const root = join(folder, 'game')
  const ref = join(root, ...path.split('/'))
  const around = MemoryNeighbourhood.of(files, root)
  for (const family of families) {
    const binding = family.bind(files.folderOf(ref), around).find((b) => b.members.some((m) => m.ref === ref))
    if (binding) return workspace.open({ family, binding, around, library: root })
  }
  throw new Error(`no model has ${path}`)
}

/** Every vertex of the scene at rest. */
function atRest(scene: Scene): number[] {
  const pose = createPose(scene)
  poseRest(scene, pose)
  return scene.meshes.flatMap((mesh) => {
    const skin = scene.skins[mesh.skin]
    if (!skin) return []
    const out = new Float32Array(mesh.positions.length)
    skinMesh(mesh, skin, pose, out, new Float32Array(0), new Float32Array(16 * skin.joints.length))
    return [...out]
  })
}

function farthest(a: readonly number[], b: readonly number[]): number {
  return a.reduce((most, v, i) => Math.max(most, Math.abs(v - b[i])), Math.abs(a.length - b.length))
}

const bytesOf = (model: OpenModel): Map<string, string> =>
  new Map(
    model.binding.members.flatMap(({ ref }) =>
      model.entry(ref).file ? [[basename(ref), Buffer.from(model.entry(ref).file!.bytes).toString('latin1')] as const] : [],
    ),
  )
const changed = (model: OpenModel, before: Map<string, string>): string[] =>
  [...bytesOf(model)]
    .filter(([ref, bytes]) => before.get(ref) !== bytes)
    .map(([ref]) => ref)
    .sort()

const CASES: [path: string, kept: string[], followed: string[]][] = [
  ['Dark Cloud 2/adventurer/adventurer.mds', ['adventurer.bbp', 'adventurer.mds'], ['adventurer.mds']],
  ['Lost Saga/resource/mesh/adventurer.msh', ['adventurer.skl'], ['adventurer.skl']],
  ['San Andreas/models/peds/adventurer.dff', ['adventurer.dff'], ['adventurer.dff']],
  ['San Andreas/models/split skin/adventurer_split.dff', ['adventurer_split.dff'], ['adventurer_split.dff']],
  ['Zero Hour/Art/W3D/WALKER_SKN.W3D', ['WALKER_SKL.W3D', 'WALKER_SKN.W3D'], ['WALKER_SKL.W3D']],
]

describe('a bone put elsewhere at rest', () => {
  it.each(CASES)('%s: with and without the skin, in one step', async (path, kept, followed) => {
    const model = open(path)
    const editor = model.family.editor.skeleton!
    const { scene } = model.assembled
    const { skeleton } = scene
    const weighted = new Set(scene.skins.flatMap((skin) => Array.from(skin.slots, (slot) => skin.joints[slot])))
    const joint = Array.from({ length: skeleton.count }, (_, j) => j).find(
      (j) => j > 2 && weighted.has(j) && weighted.has(skeleton.parents[j]) && skeleton.parents.includes(j),
    )!
    const translation = [...skeleton.restTranslation.subarray(3 * joint, 3 * joint + 3)].map(
      (v, c) => v + [0.25, 0.5, -0.125][c] * scene.unitsPerMetre,
    )
    const half = Math.sin(0.3)
    const rotation = [half, 0, 0, Math.sqrt(1 - half * half)]
    const before = bytesOf(model)
    const mesh = atRest(scene)
    expect(mesh.length).toBeGreaterThan(0)
    for (const keepSkin of [true, false]) {
      await workspace.edit(model.id, 'Move', (session) => editor.place!(session, joint, { translation, rotation }, { keepSkin }))
      expect(changed(model, before)).toEqual(keepSkin ? kept : followed)
      const now = model.assembled.scene
      expect(farthest([...now.skeleton.restTranslation.subarray(3 * joint, 3 * joint + 3)], translation)).toBeLessThan(
        1e-4 * scene.unitsPerMetre,
      )
      const turned = [...now.skeleton.restRotation.subarray(4 * joint, 4 * joint + 4)]
      expect(Math.abs(turned.reduce((sum, v, c) => sum + v * rotation[c], 0))).toBeGreaterThan(0.99999)
      const away = farthest(atRest(now), mesh)
      if (keepSkin) expect(away).toBeLessThan(1e-3 * scene.unitsPerMetre)
      else expect(away).toBeGreaterThan(0.2 * scene.unitsPerMetre)
      const after = bytesOf(model)
      expect(model.history.undoable).toHaveLength(1)
      await workspace.undo(model.id)
      expect(changed(model, before)).toEqual([])
      await workspace.redo(model.id)
      expect(changed(model, after)).toEqual([])
      await workspace.undo(model.id)
    }
  })
  it('with its own place changes no byte', async () => {
    for (const [path] of CASES) {
      const model = open(path)
      const { skeleton } = model.assembled.scene
      const before = bytesOf(model)
      for (let j = 2; j < Math.min(skeleton.count, 12); j++)
        await workspace.edit(model.id, 'Nothing', (session) =>
          model.family.editor.skeleton!.place!(
            session,
            j,
            { translation: skeleton.restTranslation.subarray(3 * j, 3 * j + 3) },
            { keepSkin: true },
          ),
        )
      expect(changed(model, before), path).toEqual([])
    }
  })
})

describe('a pivot behind a new parent', () => {
  it('is counted anew in skeleton, skins, models and animations, in one step', async () => {
    const model = open('Zero Hour/Art/W3D/WALKER_SKN.W3D')
    const { skeleton } = model.assembled.scene
    const before = bytesOf(model)
    const mesh = atRest(model.assembled.scene)
    // a bone of a skin, and one behind it that is not below it
    const weighted = new Set(model.assembled.scene.skins.flatMap((skin) => Array.from(skin.slots, (slot) => skin.joints[slot])))
    const isBelow = (j: number, above: number): boolean => j >= 0 && (j === above || isBelow(skeleton.parents[j], above))
    const pairs = Array.from({ length: skeleton.count }, (_, j) => j).flatMap((joint) =>
      joint > 1 && weighted.has(joint)
        ? [[joint, Array.from({ length: skeleton.count }, (_, j) => j).find((j) => j > joint && !isBelow(j, joint)) ?? -1]]
        : [],
    )
    const [joint, parent] = pairs.find(([, to]) => to >= 0)!
    const [name, to] = [skeleton.names[joint], skeleton.names[parent]]
    await workspace.edit(model.id, 'Hang', (session) => model.family.editor.skeleton!.reparent!(session, joint, parent))
    expect(changed(model, before)).toEqual(expect.arrayContaining(['WALKER_SKL.W3D', 'WALKER_SKN.W3D', 'WALKER_WKA.W3D']))
    const now = model.assembled.scene
    expect(now.skeleton.names[now.skeleton.parents[now.skeleton.names.indexOf(name)]]).toBe(to)
    expect(farthest(atRest(now), mesh)).toBeLessThan(1e-4)
    expect(model.history.undoable).toHaveLength(1)
    await workspace.undo(model.id)
    expect(changed(model, before)).toEqual([])
  })
})

describe('a bone with another name', () => {
  it('takes tracks along that go by it, in one step over two files', async () => {
    const model = open('by-name/ped.dff')
    const editor = model.family.editor.skeleton!
    const spine = model.assembled.scene.skeleton.names.indexOf('Spine')
    const before = bytesOf(model)
    await workspace.edit(model.id, 'Rename', (session) => editor.rename!(session, spine, 'Chest', true))
    expect(changed(model, before)).toEqual(['ped.dff', 'ped.ifp'])
    expect(model.history.undoable).toHaveLength(1)
    await workspace.undo(model.id)
    expect(changed(model, before)).toEqual([])
    await workspace.edit(model.id, 'Rename', (session) => editor.rename!(session, spine, 'Chest', false))
    expect(changed(model, before)).toEqual(['ped.dff'])
  })
})
