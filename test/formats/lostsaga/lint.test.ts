import { describe, expect, it } from 'vitest'
import { encodeDocument } from '../../../src/main/formats/format.ts'
import { ani, aniTrack, type AniDocument } from '../../../src/main/formats/lostsaga/codecs/ani.ts'
import { cms } from '../../../src/main/formats/lostsaga/codecs/cms.ts'
import { lostsaga } from '../../../src/main/formats/lostsaga/family.ts'
import { material } from '../../../src/main/formats/lostsaga/codecs/material.ts'
import { faceIndices, MASK, msh, type MshDocument } from '../../../src/main/formats/lostsaga/codecs/msh.ts'
import { newMsh } from '../../../src/main/formats/lostsaga/make.ts'
import { skl, type SklDocument } from '../../../src/main/formats/lostsaga/codecs/skl.ts'
import { encodeText } from '../../../src/main/formats/lostsaga/codecs/strings.ts'
import { changedRanges } from '../../support/edit-session.ts'
import { aniBytes, cmsBytes, mshBytes, sklBytes, text } from '../../fixtures/lostsaga/build.ts'
import { nowhere } from '../../support/neighbourhood.ts'
import type { LintModel } from '../../../src/main/formats/family.ts'
import type { Document, FileFormat } from '../../../src/main/formats/format.ts'

function modelOf(documents: Document[]): LintModel {
  const roles: Record<string, string> = { 'lostsaga.skl': 'skeleton', 'lostsaga.msh': 'mesh', 'lostsaga.material': 'material' }
  const file = (d: Document) => ({ ref: d.ref, name: d.ref, folder: '', format: d.format, kind: 'other' as const })
  return {
    binding: {
      family: 'lostsaga',
      name: 'x',
      primary: '',
      members: documents.map((d) => ({ role: roles[d.format] ?? '', ref: d.ref, why: 'self', detail: '' })),
    },
    around: { ...nowhere, byStem: (stem) => documents.filter((d) => d.ref.split('.')[0] === stem).map(file) },
    load: (ref) => documents.find((d) => d.ref === ref),
  }
}

/** Damages a file through its document, reads it again, lints it, and applies a fix to the first problem of the code. */
function damaged<D extends Document>(
  format: FileFormat<D>,
  bytes: Uint8Array,
  name: string,
  damage: (document: D) => void,
  others: Document[] = [],
) {
  const before = format.decode(bytes, name)
  damage(before)
  const broken = encodeDocument(format, before).bytes.slice()
  const document = format.decode(broken, name)
  const model = modelOf([document, ...others])
  const found = lostsaga.lint(document, model)
  return {
    broken,
    codes: [...new Set(found.map((d) => d.code))],
    found,
    /** bytes after the fix that a problem offers, and the codes that are left */
    fix(code: string) {
      const problem = found.find((d) => d.code === code)!
      lostsaga.fixes![problem.fixes![0].id](document, problem)
      const fixed = encodeDocument(format, document).bytes.slice()
      const again = format.decode(fixed, name)
      return { fixed, left: lostsaga.lint(again, modelOf([again, ...others])).map((d) => d.code) }
    },
  }
}

const mesh = (damage: (d: MshDocument) => void, others: Document[] = []) => damaged(msh, mshBytes(), 'hero.msh', damage, others)
const skeleton = (damage: (d: SklDocument) => void) => damaged(skl, sklBytes(), 'normal.skl', damage)
const clip = (damage: (d: AniDocument) => void) =>
  damaged(ani, aniBytes(), 'walk.ani', (d) => {
    d.events = []
    for (const t of d.tracks) for (let k = 0; k < t.words.length; k += 8) t.floats.set([0, 0, 0, 1], k)
    damage(d)
  })

describe('rules of a mesh', () => {
  it('sound files have none', () => {
    expect(mesh(() => {}, [skl.decode(sklBytes(), 'normal.skl')]).codes).toEqual([])
    expect(clip(() => {}).codes).toEqual([])
    expect(damaged(cms, cmsBytes(), 'w.cms', () => {}).codes).toEqual([])
  })
  it('WEIGHTS without INDICES: the fix sets one bit', () => {
    const m = mesh((d) => (d.masks[0] &= ~16))
    expect(m.codes).toEqual(['lostsaga.weights-without-indices'])
    const { fixed, left } = m.fix('lostsaga.weights-without-indices')
    expect([left, changedRanges(m.broken, fixed)]).toEqual([[], [[12, 13]]])
  })
  it('triangles that turn against their normals: the fix turns them round', () => {
    expect(mesh(() => {}).codes).toEqual([])
    const m = mesh((d) => {
      for (let i = 2; i < d.normals.length; i += 3) d.normals[i] = 1
    })
    expect(m.codes).toEqual(['lostsaga.face-winding'])
    const { fixed, left } = m.fix('lostsaga.face-winding')
    expect(left).toEqual([])
    expect([...faceIndices(msh.decode(fixed, 'x'))]).toEqual([0, 1, 2, 1, 3, 2])
    // two bytes of each face change places
    expect(changedRanges(m.broken, fixed).reduce((n, [a, b]) => n + b - a, 0)).toBe(4)
    // one of two is a hard edge, and no mirrored export
    expect(mesh((d) => d.faces.set([0, 1, 2])).codes).toEqual([])
    expect(damaged(msh, mshBytes(), 'Hero.msh', () => {}).codes).toEqual(['lostsaga.file-case'])
  })
  it('more triangles than advised', () => {
    const of = (faces: number): string[] => {
      const triangle = newMsh({
        type: 0,
        mask: MASK.position | MASK.normal,
        box: [0, 0, 0, 1, 1, 0],
        submeshes: [0, 3, 0, faces],
        positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0),
        normals: [0, 0, 1, 0, 0, 1, 0, 0, 1],
        uvs: [],
        influences: [],
        bones: [],
        faces: Array.from({ length: faces }, () => [0, 1, 2]).flat(),
        points: [],
      })
      return lostsaga.lint(triangle, modelOf([triangle])).map((d) => d.code)
    }
    expect(of(20_000)).not.toContain('lostsaga.many-faces')
    expect(of(20_001)).toContain('lostsaga.many-faces')
  })
  it('box and radius: the fix writes the exact bounds and half the diagonal', () => {
    const m = mesh((d) => {
      d.box[4] = 99
      d.radius[0] = 1
    })
    expect(m.codes).toEqual(['lostsaga.bounding-box', 'lostsaga.bounding-radius'])
    expect(m.found.map((d) => d.offset)).toEqual([16, 40])
    const { fixed, left } = m.fix('lostsaga.bounding-box')
    expect(left).toEqual([])
    expect(fixed).toEqual(mshBytes())
  })
  it('weights that the game does not reach, and sums: the fixes touch those vertices alone', () => {
    const m = mesh((d) => d.influences.set([0, 0.25, 0, 0.75, 7, 0, 9, 1], 8))
    expect(m.codes).toContain('lostsaga.influence-order')
    const { fixed, left } = m.fix('lostsaga.influence-order')
    expect(left).toEqual([])
    const now = msh.decode(fixed, 'x')
    expect([...now.influences.subarray(8, 16)]).toEqual([0.75, 0.25, 0, 0, 1, 0, 7, 9])
    expect(now.influences.subarray(16)).toEqual(msh.decode(mshBytes(), 'x').influences.subarray(16))
    const sums = mesh((d) => d.influences.set([0.5, 0.25], 16))
    expect(sums.codes).toEqual(['lostsaga.weight-sum'])
    const scaled = sums.fix('lostsaga.weight-sum')
    expect(scaled.left).toEqual([])
    expect([...msh.decode(scaled.fixed, 'x').influences.subarray(16, 18)]).toEqual([2 / 3, 1 / 3].map(Math.fround))
    expect(mesh((d) => d.influences.fill(0, 8, 12)).codes).toEqual(['lostsaga.no-weight'])
    expect(mesh((d) => (d.influences[12] = 2.5)).codes).toEqual(['lostsaga.influence-range'])
  })
  it('a part without weights beside parts that have some', () => {
    const apart = (d: MshDocument): void => d.submeshes.set([0, 2, 0, 1, 2, 2, 3, 1])
    expect(mesh(apart).codes).not.toContain('lostsaga.rigid-submesh')
    expect(mesh((d) => (apart(d), d.influences.fill(0, 16))).codes).toContain('lostsaga.rigid-submesh')
    expect(mesh((d) => (apart(d), d.influences.fill(0))).codes).not.toContain('lostsaga.rigid-submesh')
  })
  it('bones and control points that nobody has, empty names, unknown types', () => {
    const bones = [skl.decode(sklBytes(), 'normal.skl')]
    expect(mesh((d) => (d.boneNames![1] = encodeText('Tail')), bones).found).toMatchObject([
      { code: 'lostsaga.unknown-bone', path: 'bones[1]' },
    ])
    expect(mesh((d) => (d.boneNames![1] = encodeText('')), bones).codes).toEqual(['lostsaga.empty-list-name'])
    expect(mesh((d) => (d.controlPoints![0].linkedBone = encodeText('Tail')), bones).found).toMatchObject([
      { code: 'lostsaga.unknown-bone', path: 'controlPoints[0].linkedBone' },
    ])
    expect(mesh((d) => (d.controlPoints![0].position[1] = NaN), bones).codes).toEqual(['lostsaga.position-not-finite'])
    expect(mesh((d) => (d.positions[4] = Infinity)).codes).toEqual(['lostsaga.position-not-finite'])
    expect(mesh((d) => (d.meshType = 7)).codes).toEqual(['lostsaga.mesh-type'])
  })
  it('faces and submeshes that reach outside, and materials that are too few', () => {
    expect(mesh((d) => (d.faces[5] = 4)).codes).toEqual(['lostsaga.index-range', 'lostsaga.submesh-vertices'])
    expect(mesh((d) => (d.submeshes[2] = 1)).codes).toContain('lostsaga.submesh-faces')
    expect(mesh((d) => (d.submeshes[7] = 9)).codes).toEqual(['lostsaga.submesh-faces'])
    expect(mesh((d) => (d.submeshes[7] = -1)).codes).toEqual(['lostsaga.submesh-faces'])
    expect(mesh((d) => (d.submeshes[6] = -3)).codes).toEqual(['lostsaga.submesh-faces'])
    expect(mesh((d) => (d.submeshes[5] = 3)).codes).toEqual(['lostsaga.submesh-vertices'])
    expect(mesh(() => {}, [material.decode(text('material\n{\n}\n'), 'hero.txt')]).codes).toEqual(['lostsaga.material-count'])
  })
})

describe('a mesh of many vertices', () => {
  it('is told of when its faces cannot number them', () => {
    const many = (count: number): string[] =>
      damaged(msh, mshBytes({ version: 2000, mask: 1 }), 'h.msh', (d) => {
        d.vertexCount = count
        d.positions = new Float32Array(3 * count)
        d.positions.set([10, 10, 0])
      }).codes
    expect(many(65536)).toEqual([])
    expect(many(65537)).toEqual(['lostsaga.too-many-vertices'])
  })
})

describe('rules of a skeleton', () => {
  it('child lists: the fix writes them from the parents, right entries keep their places', () => {
    const m = skeleton((d) => {
      d.bones[0].children = [encodeText('Nobody'), encodeText('한')]
      d.bones[2].children = []
    })
    expect(m.codes).toContain('lostsaga.child-list')
    const { fixed, left } = m.fix('lostsaga.child-list')
    expect(left).not.toContain('lostsaga.child-list')
    expect(fixed).toEqual(sklBytes())
  })
  it('names: empty, twice, parents that nobody has', () => {
    expect(skeleton((d) => (d.bones[1].name = encodeText(''))).codes).toContain('lostsaga.empty-bone-name')
    expect(skeleton((d) => (d.bones[1].name = encodeText('BIP01'))).codes).toContain('lostsaga.duplicate-bone')
    expect(skeleton((d) => (d.bones[1].parent = encodeText('Nobody'))).codes).toContain('lostsaga.unknown-parent')
    expect(skeleton(() => {}).codes).toEqual(['lostsaga.parent-order', 'lostsaga.bind-is-not-rest'])
  })
  it('a rest rotation that is no unit quaternion: the fix scales it', () => {
    const m = skeleton((d) => (d.bones[0].transform[6] = 2))
    expect(m.codes).toContain('lostsaga.non-unit-rotation')
    expect(m.fix('lostsaga.non-unit-rotation').fixed).toEqual(sklBytes())
  })
})

describe('rules of an animation', () => {
  it('rotations of other lengths: the fix scales these and leaves the rest', () => {
    const m = clip((d) => d.tracks[0].floats.set([0, 0, 0, 0.5], 8))
    const said = ({ found }: typeof m): string[] => found.map(({ severity, message }) => `${severity}: ${message}`)
    expect(said(m)).toEqual(['info: 1 rotation of Bip01 has length 0.500'])
    const two = (w: number) =>
      clip((d) => {
        d.tracks[0].floats.set([0, 0, 0, 0.5], 0)
        d.tracks[0].floats.set([0, 0, 0, w], 8)
      })
    expect(said(two(0.5))).toEqual(['info: 2 rotations of Bip01 have length 0.500'])
    expect(said(two(2))).toEqual(['info: 2 rotations of Bip01 have lengths from 0.500 to 2.000'])
    const { fixed, left } = m.fix('lostsaga.non-unit-rotation')
    expect(left).toEqual([])
    expect(changedRanges(m.broken, fixed).every(([from, to]) => to - from <= 4)).toBe(true)
    expect([...ani.decode(fixed, 'x').tracks[0].floats.subarray(8, 12)]).toEqual([0, 0, 0, 1])
    // packed ones are as their coding has them: nothing is made of them
    const packed = damaged(ani, aniBytes({ coding: 4002 }), 'walk.ani', (d) => d.tracks[0].words.fill(0xffffffff, 0, 2))
    const told = packed.found.find(({ code }) => code === 'lostsaga.non-unit-rotation')
    expect(told).toBeDefined()
    expect(told).not.toHaveProperty('fixes')
  })
  it('keys out of order are sorted, whole records; two at one time cannot be', () => {
    const sound = clip(() => {}).broken
    const m = clip((d) => {
      const { words } = d.tracks[0]
      const first = words.slice(0, 8)
      words.copyWithin(0, 8, 16)
      words.set(first, 8)
    })
    expect(m.codes).toEqual(['lostsaga.key-order'])
    expect(m.fix('lostsaga.key-order')).toEqual({ fixed: sound, left: [] })
    expect(clip((d) => (d.tracks[0].words[15] = 10)).found[0]).not.toHaveProperty('fixes')
  })
  it('keys and events outside the clip', () => {
    const m = clip((d) => (d.totalTime = 50))
    expect(m.codes).toEqual(['lostsaga.key-after-end'])
    expect(ani.decode(m.fix('lostsaga.key-after-end').fixed, 'x').totalTime).toBe(120)
    for (const [time, to] of [
      [999, 120],
      [-5, 0],
      [NaN, 0],
    ]) {
      const e = clip((d) =>
        d.events.push({ type: encodeText('x'), info: encodeText(''), time: Float32Array.of(time), range: { start: 0, end: 0 } }),
      )
      expect(e.codes).toEqual(['lostsaga.event-time'])
      expect(ani.decode(e.fix('lostsaga.event-time').fixed, 'x').events[0].time[0]).toBe(to)
    }
  })
  it('tracks without a name or with one that another has', () => {
    expect(clip((d) => (d.tracks[1].bone = encodeText(''))).codes).toEqual(['lostsaga.empty-bone-name'])
    expect(clip((d) => d.tracks.push(aniTrack(encodeText('bip01'), Float32Array.of(1), new Uint32Array(0)))).codes).toEqual([
      'lostsaga.duplicate-track',
    ])
  })
})

describe('rules of scripts and collision', () => {
  it('colours of three numbers get a fourth of their own range; the rest of the line stays', () => {
    const script = 'material\n{\n\tambient  1 0.5 1\t// warm\n\tdiffuse 255 128 0\n}\n'
    const m = damaged(material, text(script), 'hero.txt', () => {})
    expect(m.found.map((d) => d.path)).toEqual(['materials[0].ambient', 'materials[0].diffuse'])
    const document = material.decode(text(script), 'hero.txt')
    for (const problem of m.found) lostsaga.fixes![problem.fixes![0].id](document, problem)
    expect(encodeDocument(material, document).bytes).toEqual(
      text('material\n{\n\tambient  1 0.5 1 1\t// warm\n\tdiffuse 255 128 0 255\n}\n'),
    )
  })
  it('textures that are nowhere, faces of vertices that are not there', () => {
    expect(damaged(material, text('material\n{\n\ttexture a.dds\n}\n'), 'hero.txt', () => {}).codes).toEqual(['lostsaga.texture-missing'])
    expect(damaged(cms, cmsBytes(), 'w.cms', (d) => (d.faces[1] = 3)).codes).toEqual(['lostsaga.index-range'])
  })
})
