import { describe, expect, it } from 'vitest'
import { FormatError } from '../../../src/main/binary/format-error.ts'
import { bind } from '../../../src/main/formats/level5/scene/bind.ts'
import { cfgFormat } from '../../../src/main/formats/level5/codecs/cfg.ts'
import { level5 } from '../../../src/main/formats/level5/family.ts'
import { imgFormat } from '../../../src/main/formats/level5/codecs/img.ts'
import { mdsFormat } from '../../../src/main/formats/level5/codecs/mds.ts'
import { motFormat } from '../../../src/main/formats/level5/codecs/mot.ts'
import { wgtFormat } from '../../../src/main/formats/level5/codecs/wgt.ts'
import { createPose, sampleClip } from '../../../src/shared/scene/pose.ts'
import { stemOf } from '../../../src/shared/ref.ts'
import {
  bbpBytes,
  build,
  identity,
  imgBytes,
  mdsBytes,
  motTracks,
  nodes,
  tim2Bytes,
  trackListBytes,
  translation,
  wgtTracks,
} from '../../fixtures/level5/bytes.ts'
import { dc1Text, latin } from '../../fixtures/level5/text.ts'
import { junk } from '../../support/hostile.ts'
import type { BindFile, Neighbourhood } from '../../../src/main/formats/binding.ts'
import type { Document, FileFormat } from '../../../src/main/formats/format.ts'

const files: [string, FileFormat, Uint8Array][] = [
  ['hero.mds', mdsFormat, mdsBytes(nodes)],
  ['hero.mot', motFormat, trackListBytes(motTracks)],
  ['hero.wgt', wgtFormat, trackListBytes(wgtTracks)],
  [
    'hero.bbp',
    level5.formats.find((f) => f.id === 'level5.bbp')!,
    bbpBytes([identity, translation(0, 10, 0), translation(0, 5, 0), translation(1, 0, 0)]),
  ],
  ['hero.cfg', cfgFormat, latin(dc1Text)],
  [
    'skin.img',
    imgFormat,
    imgBytes('IM2', [['skin', tim2Bytes({ imageType: 5, clutType: 3, colors: 256, image: junk(256), clut: junk(1024) })]]),
  ],
]

function neighbourhood(list: BindFile[], documents: Map<string, Document>): Neighbourhood {
  const byFolder = new Map<string, BindFile[]>()
  for (const f of list) byFolder.set(f.folder, [...(byFolder.get(f.folder) ?? []), f])
  return {
    inFolder: (folder) => byFolder.get(folder) ?? [],
    byStem: (stem) => list.filter((f) => stemOf(f.name) === stem),
    providing: () => [],
    needing: () => [],
    summary: (ref) => {
      const document = documents.get(ref)
      return document && (level5.formats.find((f) => f.id === document.format) as FileFormat).summarize(document)
    },
    document: (ref) => documents.get(ref),
  }
}

describe('a model with one damaged file', () => {
  it.each(files.map(([name]) => name))('is a scene and a list of problems, never an exception: %s', (damaged) => {
    let state = 12345
    const random = (n: number): number => ((state = (Math.imul(state, 1103515245) + 12345) >>> 0) >>> 8) % n
    for (let round = 0; round < 60; round++) {
      const documents = new Map<string, Document>()
      const list: BindFile[] = []
      for (const [name, format, bytes] of files) {
        const copy = bytes.slice()
        if (name === damaged) {
          for (let k = 0; k < 1 + random(4); k++) {
            const at = random(copy.length)
            const value = [0, 0xff, 0x7f, 0x80, 1, random(256)][random(6)]
            copy.fill(value, at, at + [1, 2, 4][random(3)])
          }
        }
        list.push({ ref: `m/${name}`, name, folder: 'm', format: format.id, kind: format.kind })
        try {
          documents.set(`m/${name}`, format.decode(copy, `m/${name}`))
        } catch (error) {
          if (!(error instanceof FormatError)) throw error
        }
      }
      const around = neighbourhood(list, documents)
      for (const binding of bind('m', around)) {
        const { scene } = level5.assemble(binding, (ref) => documents.get(ref), {})
        for (const document of documents.values()) level5.lint(document, { binding, around, load: (ref) => documents.get(ref) })
        const pose = createPose(scene)
        for (const clip of scene.clips) sampleClip(scene, clip, clip.start + 5, pose)
        for (const mesh of scene.meshes) {
          expect(mesh.positions.every(Number.isFinite)).toBe(true)
          for (const i of mesh.indices) expect(i * 3).toBeLessThan(mesh.positions.length)
        }
        for (const slice of scene.slices) expect(scene.clips[slice.clip]).toBeDefined()
      }
    }
  })
})

describe('counts that are meant to hurt', () => {
  it('nodes that all point somewhere, in a cycle', () => {
    const count = 8_000
    const bytes = build((w) => {
      w.fourcc('MDS\0')
      for (const v of [1, count, 16]) w.u32(v)
      for (let i = 0; i < count; i++) {
        w.u32(i)
        w.u32(0x70)
        w.fill(32, 65)
        w.u32(16 + 0x70 * count + i)
        w.i32((i + 1) % count)
        for (const v of identity) w.f32(v)
      }
      w.fill(count + 64)
    })
    const document = mdsFormat.decode(bytes, 'x.mds')
    mdsFormat.describe(document)
    const { scene } = level5.assemble(
      { family: 'level5', name: 'x', primary: 'x.mds', members: [{ role: 'model', ref: 'x.mds', why: 'self', detail: '' }] },
      () => document,
      {},
    )
    expect(scene.skeleton.count).toBe(count)
    expect(Array.from(scene.skeleton.parents).filter((p) => p < 0)).toHaveLength(1)
  })

  it('skins of thousands of owners, pictures that all share one place, a script of commas', () => {
    const wgt = wgtFormat.decode(
      trackListBytes(Array.from({ length: 20_000 }, (_, i) => ({ node: i, target: 0, type: 20, keys: [[0, 100]] as [number, number][] }))),
      'x',
    )
    expect(wgtFormat.summarize(wgt).skins).toHaveLength(20_000)
    const entry = build((w) => {
      w.fill(32, 65)
      w.u32(0x10 + 0x30 * 20_000)
      w.fill(12)
    })
    const img = build((w) => {
      w.fourcc('IM2\0')
      w.u32(20_000)
      w.fill(8)
      for (let i = 0; i < 20_000; i++) w.raw(entry)
      w.fill(64)
    })
    const document = imgFormat.decode(img, 'x')
    imgFormat.describe(document)
    expect(document.bodies).toHaveLength(1)
    expect(() => cfgFormat.decode(new Uint8Array(3 << 20).fill(0x2c), 'x')).toThrowError(
      expect.objectContaining({ code: 'unsupported', file: 'x' }),
    )
  })

  it('a folder of thousands of models', () => {
    const documents = new Map<string, Document>()
    const list: BindFile[] = []
    const put = (name: string, format: FileFormat, bytes: Uint8Array): void => {
      documents.set(`m/${name}`, format.decode(bytes, `m/${name}`))
      list.push({ ref: `m/${name}`, name, folder: 'm', format: format.id, kind: format.kind })
    }
    const mds = mdsBytes([{ name: 'root', parent: -1, matrix: identity }])
    const mot = trackListBytes([{ node: 0, type: 2, keys: [] }])
    for (let i = 0; i < 1500; i++) {
      put(`c${i}.mds`, mdsFormat, mds)
      put(`c${i}.mot`, motFormat, mot)
      put(`c${i}.cfg`, cfgFormat, latin(`MODEL "c${i}.mds"\r\nMOTION 0, "c${i}.mot", "", ""\r\nKEY 1,2,1\r\n`))
    }
    const folder = new Map([['m', list]])
    const bindings = bind('m', { ...neighbourhood([], documents), inFolder: (f) => folder.get(f) ?? [] })
    expect(bindings).toHaveLength(1500)
    expect(bindings.every((b) => b.members.length === 3)).toBe(true)
  })
})
