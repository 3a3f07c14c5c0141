import { join } from 'node:path'
import { expect, it } from 'vitest'
import { encodeDocument, firstDifference } from '../../../src/main/formats/format.ts'
import { cfgMotions } from '../../../src/main/formats/level5/codecs/cfg-motions.ts'
import { packFormat } from '../../../src/main/formats/level5/archives/pack.ts'
import { keyFloats, keyTotal } from '../../../src/main/formats/level5/codecs/tracks.ts'
import { trackOffsets } from '../../../src/main/formats/level5/codecs/track-list.ts'
import { decodePicture } from '../../../src/main/formats/level5/codecs/tim2-pixels.ts'
import { identify } from '../../../src/main/formats/registry.ts'
import { createPose, sampleClip } from '../../../src/shared/scene/pose.ts'
import { openFolder } from '../../fixtures/level5/folder.ts'
import { describeCorpus, filesBelow, readBytes } from '../../support/corpus.ts'
import type { ByteSource } from '../../../src/main/formats/archive.ts'
import type { CfgDocument } from '../../../src/main/formats/level5/codecs/cfg-text.ts'
import type { ImgDocument } from '../../../src/main/formats/level5/codecs/img.ts'
import type { PackIndex } from '../../../src/main/formats/level5/archives/pack.ts'
import type { TrackListDocument } from '../../../src/main/formats/level5/codecs/tracks.ts'

function openPack(bytes: Uint8Array, ref: string): PackIndex {
  const source: ByteSource = { size: bytes.length, ref, read: (o, n) => bytes.slice(o, o + n) }
  return packFormat.open(source, source)
}

describeCorpus('level5/dc1-effects', (root) => {
  const packs = ['Fire', 'Ice', 'Wind']
  const open = (name: string): ReturnType<typeof openFolder> => {
    const bytes = readBytes(join(root, name))
    const members = openPack(bytes, name).members
    return openFolder(Object.fromEntries(members.map((m) => [m.name, bytes.slice(m.offset, m.offset + m.size)])), { pack: name })
  }

  it('every file and pack is written as it was read, nearly all of it from typed fields', () => {
    let typed = 0
    let opaque = 0
    let files = 0
    for (const path of filesBelow(root)) {
      const bytes = readBytes(path)
      const found = identify(bytes.subarray(0, 4096), path.slice(path.lastIndexOf('/') + 1), bytes.length)
      if (found?.format) {
        const out = encodeDocument(found.format, found.format.decode(bytes, path))
        expect(firstDifference(bytes, out.bytes), path).toBe(-1)
        typed += out.typedBytes
        opaque += out.opaqueBytes
      } else {
        expect(found?.archive?.id, path).toBe('level5.pack')
        const index = openPack(bytes, path)
        const parts = packFormat.encode(index).map((s) => (s.kind === 'copy' ? bytes.subarray(s.offset, s.offset + s.length) : s.bytes))
        expect(firstDifference(bytes, new Uint8Array(Buffer.concat(parts))), path).toBe(-1)
        expect(index.diagnostics).toEqual([])
      }
      files++
    }
    expect(files).toBe(15)
    expect(opaque / (typed + opaque)).toBeLessThan(0.005)
  })

  it('members of a pack are the files beside it', () => {
    for (const name of packs) {
      const bytes = readBytes(join(root, name))
      for (const m of openPack(bytes, name).members)
        expect(readBytes(join(root, `${name}.unpacked`, m.name))).toEqual(bytes.slice(m.offset, m.offset + m.size))
    }
  })

  it('a pack is one model, whole, named after it', () => {
    for (const name of packs) {
      const pack = open(name)
      expect(pack.bindings).toHaveLength(1)
      expect(pack.binding.name).toBe(name)
      expect(pack.binding.members.map((m) => [m.role, m.why])).toEqual([
        ['model', 'self'],
        ['slices', 'explicit'],
        ['animation', 'explicit'],
        ['textures', 'explicit'],
      ])
      const { scene, diagnostics } = pack.assemble()
      expect(diagnostics).toEqual([])
      expect(scene.textures.every((t) => !t.missing)).toBe(true)
      expect(scene.clips[0].fit.matched).toBe(scene.clips[0].fit.total)
    }
  })

  it('windows have the numbers of the script', () => {
    expect(
      packs.map((name) =>
        open(name)
          .assemble()
          .scene.slices.map((s) => [s.start, s.end, s.speed]),
      ),
    ).toEqual([
      [
        [1, 10, 0.17],
        [10, 20, 0.4],
        [20, 40, 0.3],
      ],
      [
        [1, 10, 0.2],
        [10, 20, 0.2],
        [20, 35, 0.3],
      ],
      [
        [1, 10, 0.3],
        [10, 20, 0.3],
        [20, 40, 0.45],
      ],
    ])
    for (const name of packs) {
      const pack = open(name)
      const cfg = [...pack.documents.values()].find((d) => d.format === 'level5.cfg') as CfgDocument
      expect(cfg.dialect).toBe('dc1')
      expect(cfgMotions(cfg)[0].keyEnd).toBeUndefined()
    }
  })

  it('track lists stop with 0 and every other distance is 32 + 32 x keys', () => {
    let tracks = 0
    for (const name of packs) {
      const mot = [...open(name).documents.values()].find((d) => d.format === 'level5.mot') as TrackListDocument
      const offsets = trackOffsets(mot)
      mot.tracks.forEach((track, i) => {
        expect(track.next).toBe(i === mot.tracks.length - 1 ? 0 : offsets[i + 1] - offsets[i])
        expect(track.next === 0 || track.next === 32 + 32 * keyTotal(track)).toBe(true)
        expect(track.keys[0]).toBe(1)
        tracks++
      })
      expect(mot.trailing).toHaveLength(0)
    }
    expect(tracks).toBe(119)
  })

  it('first keys of rotation, scale and translation reproduce the bind pose', () => {
    const seen = {
      rotation: 0,
      rotationHolds: 0,
      nonTrivial: 0,
      nonTrivialHolds: 0,
      unconjugated: 0,
      scale: 0,
      scaleHolds: 0,
      translation: 0,
      translationHolds: 0,
    }
    for (const name of packs) {
      const { scene } = open(name).assemble()
      const pose = createPose(scene)
      sampleClip(scene, scene.clips[0], 1, pose)
      const { skeleton } = scene
      for (const track of scene.clips[0].tracks) {
        const j = track.target.index
        if (track.property === 'rotation') {
          const dot = (sign: number): number =>
            Math.abs(
              sign *
                (track.values[0] * skeleton.restRotation[4 * j] +
                  track.values[1] * skeleton.restRotation[4 * j + 1] +
                  track.values[2] * skeleton.restRotation[4 * j + 2]) +
                track.values[3] * skeleton.restRotation[4 * j + 3],
            )
          seen.rotation++
          const holds = dot(1) > 1 - 1e-6
          const other = dot(-1) > 1 - 1e-6
          if (holds) seen.rotationHolds++
          if (other) seen.unconjugated++
          // where a sign makes a difference, only the conjugate fits
          if (holds !== other) {
            seen.nonTrivial++
            if (holds) seen.nonTrivialHolds++
          }
        } else if (track.property === 'scale') {
          seen.scale++
          if ([0, 1, 2].every((c) => Math.abs(Math.abs(track.values[c]) - Math.abs(skeleton.restScale[3 * j + c])) < 1e-3))
            seen.scaleHolds++
        } else if (track.property === 'translation') {
          seen.translation++
          if ([0, 1, 2].every((c) => Math.abs(track.values[c] - skeleton.restTranslation[3 * j + c]) < 1e-5)) seen.translationHolds++
        }
      }
    }
    expect([seen.rotation, seen.rotationHolds]).toEqual([36, 31])
    expect(seen.nonTrivial).toBeGreaterThan(5)
    expect(seen.nonTrivialHolds).toBe(seen.nonTrivial)
    expect(seen.translationHolds).toBe(seen.translation)
    expect([seen.scale, seen.scaleHolds]).toEqual([42, 42])
  })

  it('every type-40 track is transparency by its evidence, fading in and out', () => {
    let tracks = 0
    let fades = 0
    for (const name of packs) {
      const pack = open(name)
      const { scene, options } = pack.assemble()
      const mot = [...pack.documents.values()].find((d) => d.format === 'level5.mot') as TrackListDocument
      for (const track of mot.tracks.filter((t) => t.type === 40)) {
        tracks++
        const floats = keyFloats(track)
        if (floats[4] === 1 && floats[floats.length - 4] === 1) fades++
      }
      expect(scene.clips[0].tracks.filter((t) => t.property === 'opacity')).toHaveLength(mot.tracks.filter((t) => t.type === 40).length)
      expect(options.find((o) => o.key === 'level5.type40')?.value).toBe('auto')
    }
    expect(tracks).toBe(41)
    expect(fades).toBeGreaterThan(30)
  })

  it('triangles face the way of their normals, counter-clockwise', () => {
    let triangles = 0
    let facing = 0
    for (const name of packs) {
      for (const mesh of open(name).assemble().scene.meshes) {
        for (let t = 0; t < mesh.indices.length; t += 3) {
          const p = [0, 1, 2].map((k) => 3 * mesh.indices[t + k])
          const e = (a: number, b: number, c: number): number => mesh.positions[p[b] + c] - mesh.positions[p[a] + c]
          const n = [0, 1, 2].map((c) => e(0, 1, (c + 1) % 3) * e(0, 2, (c + 2) % 3) - e(0, 1, (c + 2) % 3) * e(0, 2, (c + 1) % 3))
          triangles++
          if (n.reduce((sum, v, c) => sum + v * mesh.normals[p[0] + c], 0) > 0) facing++
        }
      }
    }
    expect(facing).toBe(triangles)
    expect(triangles).toBeGreaterThan(100)
  })

  it('pictures are swizzled, and un-swizzling makes them smooth', () => {
    for (const name of packs) {
      const img = [...open(name).documents.values()].find((d) => d.format === 'level5.img') as ImgDocument
      expect(img.magic).toBe('IM2')
      const body = img.bodies.find((b) => b.kind === 'tim2')!
      if (body.kind !== 'tim2') continue
      const picture = decodePicture(body.tim2.pictures[0])!
      expect(picture.swizzled).toBe(true)
      const [linear, turned] = /: ([\d.]+) as it stands, ([\d.]+) /.exec(picture.reason)!.slice(1).map(Number)
      expect(turned).toBeLessThan(linear / 2.5)
    }
  })

  it('plays every frame with finite numbers', () => {
    for (const name of packs) {
      const { scene } = open(name).assemble()
      const pose = createPose(scene)
      for (let frame = 0; frame <= scene.clips[0].end + 2; frame += 0.5) {
        sampleClip(scene, scene.clips[0], frame, pose)
        expect(pose.world.every(Number.isFinite)).toBe(true)
      }
    }
  })
})
