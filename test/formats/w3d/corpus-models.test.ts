/** Models of the real files: found, upright, at rest where their headers say, and alive. */
import { expect, it } from 'vitest'
import { vectorFromScene } from '../../../src/main/formats/w3d/scene/basis.ts'
import { channelsIn, keysOf } from '../../../src/main/formats/w3d/codecs/channels.ts'
import { chunkAt } from '../../../src/main/formats/w3d/codecs/chunk.ts'
import { decodeDeltas, encodeDeltas } from '../../../src/main/formats/w3d/codecs/delta-coding.ts'
import { w3d } from '../../../src/main/formats/w3d/family.ts'
import { clipsOf } from '../../../src/main/formats/w3d/codecs/file.ts'
import { meshOf } from '../../../src/main/formats/w3d/codecs/mesh.ts'
import { createPose, poseRest, sampleClip } from '../../../src/shared/scene/pose.ts'
import { skinMesh } from '../../../src/shared/scene/skinning.ts'
import { describeCorpus, filesBelow, readBytes } from '../../support/corpus.ts'
import { memoryLibrary } from '../../fixtures/w3d/neighbourhood.ts'
import type { ContainerChunk } from '../../../src/main/formats/w3d/codecs/chunk.ts'
import type { W3dDocument } from '../../../src/main/formats/w3d/codecs/file.ts'
import type { Scene } from '../../../src/shared/scene/types.ts'

/** Box of all skinned vertices: [min x, y, z, max x, y, z]. */
function box(scene: Scene, pose: ReturnType<typeof createPose>): number[] {
  const out = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]
  for (const mesh of scene.meshes) {
    if (mesh.skin < 0) continue
    const skin = scene.skins[mesh.skin]
    const positions = new Float32Array(mesh.positions.length)
    skinMesh(mesh, skin, pose, positions, new Float32Array(0), new Float32Array(16 * skin.joints.length))
    positions.forEach((v, i) => {
      out[i % 3] = Math.min(out[i % 3], v)
      out[3 + (i % 3)] = Math.max(out[3 + (i % 3)], v)
    })
  }
  return out
}

describeCorpus('w3d', (root) => {
  const library = memoryLibrary(
    Object.fromEntries(
      filesBelow(root)
        .filter((f) => !f.endsWith('.big'))
        .map((f) => [f.slice(root.length + 1), readBytes(f)]),
    ),
  )
  const bindings = [...new Set(library.files.map((f) => f.folder))].flatMap((folder) => w3d.bind(folder, library))
  const models = bindings.map((binding) => ({ binding, ...w3d.assemble(binding, library.load, {}) }))
  const model = (name: string) => models.find((m) => m.binding.name === name)!

  it('binds every model with its skeleton, animations and textures', () => {
    expect(bindings.length).toBeGreaterThanOrEqual(30)
    const roles = (name: string): Record<string, number> => {
      const out: Record<string, number> = {}
      for (const member of model(name).binding.members) out[member.role] = (out[member.role] ?? 0) + 1
      return out
    }
    expect(roles('AUELLADAN')).toEqual({ model: 1, skeleton: 1, animation: 5, textures: 2 })
    expect(roles('RISHKTRP_SKN')).toEqual({ model: 1, skeleton: 1, animation: 6, textures: 1 })
    expect(roles('RITSLTRP_SKN')).toEqual({ model: 1, skeleton: 1, animation: 9, textures: 1 })
    expect(model('AUELLADAN').scene.textures.every((t) => !t.missing && t.width > 0)).toBe(true)
    for (const { binding, scene, diagnostics } of models) {
      expect(scene.clips.length, binding.name).toBe(
        new Set(binding.members.filter((m) => m.role === 'animation').map((m) => m.ref)).size +
          (['CITESLA_SKN', 'EXSHKDRT'].includes(binding.name) ? 1 : 0),
      )
      const errors = diagnostics.filter((d) => d.severity === 'error').map((d) => d.code)
      // the one skin whose skeleton is not in the corpus
      expect(new Set(errors), binding.name).toEqual(
        new Set(binding.name === 'RISHMLTRP_SKN' ? ['w3d.hierarchy-missing', 'w3d.skin-without-skeleton'] : []),
      )
    }
  })

  it('puts skins at rest into the box of their header within 1e-4', () => {
    let skins = 0
    let worst = 0
    for (const { scene } of models) {
      for (const mesh of scene.meshes) {
        if (mesh.skin < 0) continue
        skins++
        const { header } = meshOf(chunkAt((library.load(mesh.source.ref) as W3dDocument).chunks, mesh.source.path)!.chunk as ContainerChunk)
        const min = [Infinity, Infinity, Infinity]
        const max = [-Infinity, -Infinity, -Infinity]
        const v = [0, 0, 0]
        for (let i = 0; i < mesh.positions.length; i += 3) {
          vectorFromScene(v, 0, mesh.positions, i)
          for (let c = 0; c < 3; c++) {
            min[c] = Math.min(min[c], v[c])
            max[c] = Math.max(max[c], v[c])
          }
        }
        for (let c = 0; c < 3; c++) worst = Math.max(worst, Math.abs(min[c] - header!.min[c]), Math.abs(max[c] - header!.max[c]))
      }
    }
    expect(skins).toBeGreaterThan(45)
    expect(worst).toBeLessThan(1e-4)
  })

  it('stands upright, looks along +Z, and stays a figure in every frame', () => {
    // the gun flies far when its owner dies
    for (const name of ['AUELLADAN', 'RISHKTRP_SKN', 'RITSLTRP_SKN', 'CITESLA_SKN']) {
      const { scene } = model(name)
      const pose = createPose(scene)
      poseRest(scene, pose)
      const rest = box(scene, pose)
      expect(rest[4] - rest[1], name).toBeGreaterThan(14)
      expect(rest[1], name).toBeGreaterThan(-0.5)
      expect(scene.clips.length, name).toBeGreaterThan(0)
      for (const clip of scene.clips) {
        // one clip puts the gun two thousand units away, out of sight
        if (clip.name === 'NIGATT_ADTD1') continue
        for (const time of [0, clip.end / 3, clip.end / 2 + 0.5, clip.end]) {
          sampleClip(scene, clip, time, pose)
          expect(pose.world.every(Number.isFinite)).toBe(true)
          const now = box(scene, pose)
          const size = Math.max(now[3] - now[0], now[4] - now[1], now[5] - now[2])
          expect(size, `${name} ${clip.name} ${time}`).toBeGreaterThan(6)
          expect(size, `${name} ${clip.name} ${time}`).toBeLessThan(60)
          expect(now[1], `${name} ${clip.name} ${time}`).toBeGreaterThan(-6)
        }
      }
    }
    // the cloak hangs behind the face
    const { scene } = model('AUELLADAN')
    const depth = (part: string): number => {
      const { positions } = scene.meshes.find((m) => m.name === part)!
      return positions.reduce((sum, v, i) => (i % 3 === 2 ? sum + v : sum), 0) / (positions.length / 3)
    }
    expect(depth('AUELLADAN.HEAD')).toBeGreaterThan(depth('AUELLADAN.CLOAK') + 1)
  })

  it('codes every channel of every clip as adaptive deltas within the error that it states', () => {
    let channels = 0
    const worst = { 4: 0, 8: 0 }
    const codings = new Set<string>()
    for (const file of library.files) {
      if (file.format !== 'w3d.file') continue
      for (const info of clipsOf(library.load(file.ref) as W3dDocument)) {
        for (const channel of channelsIn(info.chunk)) {
          const keys = keysOf(channel)
          if (keys.times.length < 2) continue
          channels++
          codings.add(channel.coding)
          const { width } = keys
          // every frame of a channel with keys far apart, as the game sees it between them
          const { times, values } = perFrame(keys.times, keys.values, width)
          let largest = 0
          for (let i = width; i < values.length; i++) largest = Math.max(largest, Math.abs(values[i] - values[i - width]))
          for (const bits of [4, 8] as const) {
            const { stream, error } = encodeDeltas(values, times.length, width, bits)
            const back = decodeDeltas(stream, times.length)
            let off = 0
            for (let i = 0; i < back.length; i++) off = Math.max(off, Math.abs(back[i] - values[i]))
            expect(off).toBeLessThanOrEqual(error)
            // half a step, as the largest change needs it, and something for a better end of the block
            expect(error).toBeLessThanOrEqual((1.5 * largest) / (bits === 4 ? 13 : 253) + 1e-5 * Math.max(1, ...values.map(Math.abs)))
            if (width === 4) worst[bits] = Math.max(worst[bits], error)
          }
        }
      }
    }
    expect(channels).toBeGreaterThan(300)
    expect(codings.size).toBeGreaterThan(2)
    expect(worst[4]).toBeLessThan(0.15)
    expect(worst[8]).toBeLessThan(0.01)
  })
})

/** Values at every whole frame from the first key to the last, linear between keys. */
function perFrame(times: ArrayLike<number>, values: ArrayLike<number>, width: number): { times: Float64Array; values: Float32Array } {
  const first = times[0],
    count = times[times.length - 1] - first + 1
  const out = new Float32Array(count * width)
  let k = 0
  for (let f = 0; f < count; f++) {
    while (k + 2 < times.length && times[k + 1] <= first + f) k++
    const at = (first + f - times[k]) / (times[k + 1] - times[k])
    for (let c = 0; c < width; c++) out[f * width + c] = values[k * width + c] * (1 - at) + values[(k + 1) * width + c] * at
  }
  return { times: Float64Array.from({ length: count }, (_, f) => first + f), values: out }
}
