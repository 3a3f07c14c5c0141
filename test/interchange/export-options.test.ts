import { validateBytes } from 'gltf-validator'
import { WebIO } from '@gltf-transform/core'
import * as v from 'valibot'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { animationNames } from '../../src/shared/scene/animation-names.ts'
import { clipRate } from '../../src/main/interchange/clip-window.ts'
import { EXTENSIONS } from '../../src/main/interchange/gltf-extensions.ts'
import { writeGltf } from '../../src/main/interchange/gltf-writer.ts'
import { modelRows, openPosable, scannedSample, serviceBenches } from '../support/service-bench.ts'
import { EXPORT_DEFAULTS, EXPORT_PRESETS, keptExportSettings, presetOf } from '../../src/shared/api/export-options.ts'
import type { Document } from '@gltf-transform/core'
import type { ExportParts } from '../../src/shared/api/export-options.ts'
import type { OpenedModel } from '../../src/shared/api/types/model.ts'

const bench = serviceBenches(afterAll)()
const { call } = bench
const models = new Map<string, OpenedModel>()

beforeAll(async () => {
  const library = await scannedSample(bench)
  const rows = await modelRows(call, library)
  for (const family of ['level5', 'w3d', 'renderware', 'lostsaga'] as const)
    models.set(family, await openPosable(call, library, rows, family))
})

async function written({ scene }: OpenedModel, parts: ExportParts): Promise<{ bytes: Uint8Array; document: Document }> {
  const [{ bytes }] = (await writeGltf(scene, { ...parts, format: 'glb', name: 'x' })).files
  return { bytes, document: await new WebIO().registerExtensions(EXTENSIONS).readBinary(bytes) }
}

const times = (document: Document, name: string): number[][] =>
  document
    .getRoot()
    .listAnimations()
    .find((animation) => animation.getName() === name)!
    .listSamplers()
    .map((sampler) => [...(sampler.getInput()!.getArray() as Float32Array)])

describe.each(['level5', 'w3d', 'renderware', 'lostsaga'])('options of an export of %s', (family) => {
  const ways: [string, ExportParts][] = [
    ...Object.entries(EXPORT_PRESETS),
    ['sampled at 24', { sampling: '24' }],
    ['a hundred times as large', { scale: 100 }],
    ['a root bone, all meshes, small', { rootBone: true, hidden: true, lods: true, visibility: true, scale: 0.01 }],
  ]
  it.each(ways)(
    '%s: valid, and it comes back without a byte changed',
    async (_, parts) => {
      const model = models.get(family)!
      const { bytes } = await written(model, parts)
      const { issues } = await validateBytes(bytes, { maxIssues: 100 })
      expect(issues.messages.filter(({ severity }) => severity < 2)).toEqual([])
      const { report, info } = await call('import.animation', { model: model.info.id, name: 'x.glb', bytes })
      expect(report.imported.map(({ keysChanged, keysInserted, tracksAdded }) => keysChanged + keysInserted + tracksAdded)).toEqual(
        report.imported.map(() => 0),
      )
      expect(info.dirty).toBe(false)
    },
    60_000,
  )

  afterEach(async () => {
    // what a way that fails did is not what the next one begins with
    const { id } = models.get(family)!.info
    if ((await call('history.list', { model: id })).undo.length > 0) await call('history.undo', { model: id })
  })

  it('has one bone above all others, which moves nothing', async () => {
    const { document } = await written(models.get(family)!, { rootBone: true })
    const skins = document.getRoot().listSkins()
    // a model of rigid parts has none
    expect(skins.length > 0).toBe(models.get(family)!.scene.meshes.some((mesh) => mesh.skin >= 0))
    for (const skin of skins) {
      const joints = new Set(skin.listJoints())
      const above = [...joints].filter((joint) => !joints.has(joint.getParentNode()!))
      expect(above.map((joint) => joint.getName())).toEqual([expect.stringMatching(/^root( 2)?$/)])
      expect(above[0].getTranslation()).toEqual([0, 0, 0])
      expect(above[0].getScale()).toEqual([1, 1, 1])
    }
  })

  it('writes a part of an animation at its place, which changes nothing where it comes back', async () => {
    const model = models.get(family)!
    const { scene } = model
    const clip = scene.clips.findIndex((c) => c.tracks.length > 0 && c.end > c.start)
    const { start, end } = scene.clips[clip]
    const name = animationNames(scene).clips[clip]
    const range = { from: start + (end - start) / 4, to: start + (end - start) / 2 }
    const { bytes, document } = await written(model, { range, animations: [name] })
    expect(
      document
        .getRoot()
        .listAnimations()
        .map((animation) => animation.getName()),
    ).toEqual([name])
    const rate = clipRate(scene.clips[clip])
    for (const at of times(document, name)) {
      expect(at[0]).toBeCloseTo((range.from - start) / rate, 4)
      expect(at.at(-1)).toBeCloseTo((range.to - start) / rate, 4)
    }
    const { report, info } = await call('import.animation', { model: model.info.id, name: 'x.glb', bytes })
    expect([report.imported.length, info.dirty]).toEqual([1, false])
    expect((await written(model, { range: { from: end + 1e6, to: end + 2e6 } })).document.getRoot().listAnimations()).toEqual([])
  })

  it('samples evenly', async () => {
    const model = models.get(family)!
    const clip = model.scene.clips.findIndex((c) => c.tracks.some(({ property }) => property === 'rotation') && c.end > c.start)
    const { document } = await written(model, { sampling: '50' })
    for (const at of times(document, animationNames(model.scene).clips[clip]))
      at.slice(1, -1).forEach((time, i) => expect(time).toBeCloseTo((i + 1) / 50, 4))
  })
})

describe('settings of an export', () => {
  it('are a preset where each of them is, and the defaults where what was kept is of no use', () => {
    expect(presetOf(EXPORT_DEFAULTS)).toBe('blender')
    expect(presetOf(EXPORT_PRESETS.unreal)).toBe('unreal')
    expect(presetOf({ ...EXPORT_PRESETS.plain, scale: 2 })).toBeUndefined()
    expect(v.parse(keptExportSettings, { scale: -1, sampling: 'often', rootBone: true, gone: 1 })).toEqual({
      ...EXPORT_DEFAULTS,
      rootBone: true,
    })
  })

  it('refuses a clip without an end', async () => {
    const { scene } = models.get('level5')!
    const clips = scene.clips.map((clip) => ({ ...clip, end: 1e30 }))
    await expect(writeGltf({ ...scene, clips, slices: [] }, { format: 'glb', name: 'x', sampling: '30' })).rejects.toMatchObject({
      code: 'unsupported',
    })
  })
})
