import { describe, expect, it } from 'vitest'
import { encodeDocument } from '../../../src/main/formats/format.ts'
import { ID } from '../../../src/main/formats/renderware/codecs/chunk-ids.ts'
import { childOf, childrenOf } from '../../../src/main/formats/renderware/codecs/chunk.ts'
import { dffFormat } from '../../../src/main/formats/renderware/codecs/dff.ts'
import { renderware } from '../../../src/main/formats/renderware/family.ts'
import { HANIM } from '../../../src/main/formats/renderware/codecs/hanim.ts'
import { ifpFormat } from '../../../src/main/formats/renderware/codecs/ifp.ts'
import { newDff, newIfp, newTxd } from '../../../src/main/formats/renderware/make.ts'
import { readModel } from '../../../src/main/formats/renderware/codecs/model.ts'
import { boneMatrix } from '../../../src/main/formats/renderware/codecs/skin.ts'
import { makeSplit } from '../../../src/main/formats/renderware/codecs/skin-split.ts'
import { txdFormat } from '../../../src/main/formats/renderware/codecs/txd.ts'
import { encodeDff, pedModel, skinOf } from '../../fixtures/renderware/ped.ts'
import { changedRanges } from '../../support/edit-session.ts'
import { nowhere } from '../../support/neighbourhood.ts'
import type { DffDocument } from '../../../src/main/formats/renderware/codecs/dff.ts'
import type { LintModel } from '../../../src/main/formats/family.ts'
import type { Document, FileFormat } from '../../../src/main/formats/format.ts'
import type { ClumpView } from '../../../src/main/formats/renderware/codecs/model.ts'
import type { Skin } from '../../../src/main/formats/renderware/codecs/skin.ts'
import type { TextureNative } from '../../../src/main/formats/renderware/codecs/texture-native.ts'
import type { Diagnostic } from '../../../src/shared/api/errors.ts'

const nothing = { around: undefined as never, load: () => undefined } satisfies LintModel
const codes = (document: Document): string[] =>
  renderware
    .lint(document, nothing)
    .filter((d) => d.severity !== 'info' || d.known === 'one-source')
    .map((d) => d.code.replace('renderware.', ''))

/** A ped with one thing broken, through its bytes: what the decoder makes of it is linted. */
function broken(change: (document: DffDocument, clump: ClumpView, skin: Skin) => void, model = pedModel()): DffDocument {
  const document = newDff(model)
  change(document, readModel(document).clumps[0], skinOf(document))
  return dffFormat.decode(encodeDff(document), 'p.dff')
}

const table = (clump: ClumpView): NonNullable<NonNullable<ClumpView['frames'][number]['hanim']>['table']> =>
  clump.frames[clump.tableFrame].hanim!.table!

/** Applies the n-th fix of the first diagnostic of a code and gives back the bytes before and after. */
function fixed<D extends Document>(
  format: FileFormat<D>,
  document: D,
  code: string,
  n = 0,
): { before: Uint8Array; after: Uint8Array; document: D } {
  const before = encodeDocument(format, document).bytes.slice()
  const diagnostic = renderware.lint(document, nothing).find((d) => d.code === `renderware.${code}`) as Diagnostic
  expect(diagnostic, code).toBeDefined()
  renderware.fixes![diagnostic.fixes![n].id](document, diagnostic)
  const after = encodeDocument(format, document).bytes.slice()
  return { before, after, document: format.decode(after, document.ref) }
}

describe('lint of models', () => {
  it('has nothing to say about a sound ped of either layout', () => {
    for (const model of [pedModel(), pedModel({ layout: 'old' }), pedModel({ boneLimit: 4 })])
      expect(renderware.lint(newDff(model), nothing)).toEqual([])
  })
  type Change = (document: DffDocument, clump: ClumpView, skin: Skin) => void
  const cases: [string, string, Change, ReturnType<typeof pedModel>?][] = [
    [
      'no table of bones',
      'no-hanim-table',
      (_, clump) => {
        delete clump.frames[1].hanim!.table
        clump.frames[1].hanim!.numNodes = 0
      },
    ],
    [
      'two tables',
      'several-tables',
      (_, clump) => {
        clump.frames[2].hanim!.table = { ...table(clump) }
        clump.frames[2].hanim!.numNodes = 4
      },
    ],
    [
      'the flag without matrices',
      'hanim-no-matrices',
      (_, clump) => {
        table(clump).flags |= HANIM.noMatrices
      },
    ],
    [
      'small keys',
      'hanim-key-size',
      (_, clump) => {
        table(clump).maxKeyFrameSize = 20
      },
    ],
    [
      'another HAnim version',
      'hanim-version',
      (_, clump) => {
        clump.frames[2].hanim!.version = 0x101
      },
    ],
    [
      'a pop too many',
      'push-pop',
      (_, clump) => {
        table(clump).nodes[2] |= HANIM.pop
        table(clump).nodes[5] |= HANIM.pop
      },
    ],
    [
      'a node twice',
      'duplicate-node',
      (_, clump) => {
        table(clump).nodes[9] = 21
        clump.frames[2].hanim!.nodeId = -1
      },
    ],
    [
      'nodes in another order',
      'node-order',
      (_, clump) => {
        table(clump).nodes[4] = 2
        table(clump).nodes[7] = 1
      },
    ],
    [
      'a node without a frame',
      'node-without-frame',
      (_, clump) => {
        clump.frames[2].hanim!.nodeId = 77
      },
    ],
    [
      'more bones than nodes',
      'bone-count',
      (_, clump) => {
        table(clump).nodes = table(clump).nodes.slice(0, 9)
        clump.frames[1].hanim!.numNodes = 3
      },
    ],
    [
      'a child before its parent',
      'frame-parent',
      (_, clump) => {
        clump.frameList!.ints[14 * 2 + 12] = 4
      },
    ],
    [
      'two roots',
      'frame-roots',
      (_, clump) => {
        clump.frameList!.ints[14 * 2 + 12] = -1
      },
    ],
    [
      'a frame out of range',
      'atomic-frame',
      (_, clump) => {
        ;(childOf(clump.atomics[0].chunk, ID.struct)!.value as { frameIndex: number }).frameIndex = 9
      },
    ],
    [
      'vertices without weight',
      'zero-weights',
      (_, __, skin) => {
        skin.weights.fill(0, 4, 8)
      },
    ],
    [
      'a weight that is no number',
      'weight-not-a-number',
      (_, __, skin) => {
        skin.weights[5] = NaN
      },
    ],
    [
      'a bone out of range',
      'bone-range',
      (_, __, skin) => {
        skin.indices[0] = 9
      },
    ],
    [
      'no list of used bones',
      'no-used-bones',
      (_, __, skin) => {
        skin.used = new Uint8Array(0)
        skin.numUsed = 0
      },
    ],
    [
      'a used bone that is not listed',
      'used-bones-missing',
      (_, __, skin) => {
        skin.used = skin.used.slice(1)
        skin.numUsed = 3
      },
    ],
    [
      'too small a maximum',
      'max-weights-low',
      (_, __, skin) => {
        skin.maxWeights = 2
      },
    ],
    [
      'five weights',
      'max-weights',
      (_, __, skin) => {
        skin.maxWeights = 5
      },
    ],
    [
      'a header of the other layout',
      'skin-layout',
      (_, __, skin) => {
        skin.maxWeights = 4
      },
      pedModel({ layout: 'old' }),
    ],
    [
      'a matrix without inverse',
      'singular-matrix',
      (_, __, skin) => {
        boneMatrix(skin, 1).fill(0)
      },
    ],
    [
      'a matrix that is flat but for rounding',
      'singular-matrix',
      (_, __, skin) => {
        for (const i of [0, 1, 2, 4, 5, 6, 8, 9, 10]) boneMatrix(skin, 1)[i] *= 1e-4
      },
    ],
    [
      'a matrix that mirrors',
      'singular-matrix',
      (_, __, skin) => {
        for (const i of [0, 1, 2]) boneMatrix(skin, 1)[i] *= -1
      },
    ],
    [
      'no split words',
      'no-split-words',
      (_, __, skin) => {
        skin.split = null
      },
    ],
    [
      'wrong split data',
      'split-data',
      (_, clump, skin) => {
        skin.split = makeSplit(skin, clump.geometries[0].binMesh!, 4)
        skin.split.rle[0] = 3
      },
    ],
    [
      'a long frame name',
      'node-name-length',
      (_, clump) => {
        ;(clump.frames[2].nameChunk!.value as { bytes: Uint8Array }).bytes = new TextEncoder().encode('twenty-two characters!\0\0')
      },
    ],
    [
      'a material out of range',
      'material-range',
      (_, clump) => {
        clump.geometries[0].binMesh!.meshes[0].material = 7
      },
    ],
    [
      'an index out of range',
      'vertex-range',
      (_, clump) => {
        clump.geometries[0].binMesh!.meshes[0].indices![0] = 99
      },
    ],
    [
      'a wrong total of indices',
      'total-indices',
      (_, clump) => {
        clump.geometries[0].binMesh!.totalIndices = 1
      },
    ],
    [
      'a wrong count of atomics',
      'atomic-count',
      (_, clump) => {
        clump.struct!.numAtomics = 3
      },
    ],
    [
      'bytes behind the skin',
      'skin-size',
      (_, clump) => {
        clump.geometries[0].skinChunk!.data = Uint8Array.of(1, 2, 3, 4)
      },
    ],
    [
      'no bones',
      'no-bones',
      (_, __, skin) => {
        skin.numBones = 0
        skin.bones = new Uint32Array(0)
      },
    ],
    [
      'more bones than the game has room for',
      'too-many-bones',
      (_, __, skin) => {
        skin.bones = new Uint32Array(16 * 65).map((_, i) => skin.bones[i % 16])
        skin.numBones = 65
      },
    ],
    [
      'nodes that every ped has',
      'missing-nodes',
      (_, clump) => {
        const ids = [0, 1, 2, 3, 4, 5, 6, 7, 8, 21, 22, 23, 24, 31, 32, 33, 34, 41, 42, 43]
        table(clump).nodes = Int32Array.from(ids.flatMap((id, i) => [id, i, i ? HANIM.pop | HANIM.push : HANIM.push]))
        clump.frames[1].hanim!.numNodes = ids.length
      },
    ],
    [
      'no atomic at all',
      'no-atomic',
      (_, clump) => {
        clump.chunk.children!.splice(clump.chunk.children!.indexOf(clump.atomics[0].chunk), 1)
        clump.struct!.numAtomics = 0
      },
    ],
    [
      'native geometry',
      'native-geometry',
      (_, clump) => {
        const g = clump.geometries[0].struct!
        Object.assign(g, { format: g.format | 0x01000000, prelit: new Uint8Array(0), uvs: [], triangles: new Uint16Array(0) })
      },
    ],
    [
      'a negative weight',
      'weight-negative',
      (_, __, skin) => {
        skin.weights[5] = -0.5
      },
    ],
    [
      'the table on the root',
      'table-on-root',
      (_, clump) => {
        const e = clump.frames
        e[0].extension!.children!.unshift(e[1].hanimChunk!)
        e[1].extension!.children!.shift()
      },
    ],
  ]
  it.each(cases)('finds %s', (_, code, change, model) => {
    const found = renderware.lint(broken(change, model ?? pedModel()), nothing)
    const hit = found.find((d) => d.code === `renderware.${code}`)
    expect(hit, JSON.stringify(found)).toBeDefined()
    expect(hit!.severity !== 'info' || hit!.known === 'one-source').toBe(true)
    expect(hit!.offset).toBeGreaterThanOrEqual(0)
    expect(hit!.path).toMatch(/^clump/)
  })
  it('finds a last atomic without a skin, as an error in a file of San Andreas and as a hint in one of a game before it', () => {
    const model = pedModel()
    const twoParts = {
      ...model,
      geometries: [...model.geometries, { ...model.geometries[0], skin: undefined }],
      atomics: [
        { frame: 0, geometry: 0 },
        { frame: 0, geometry: 1 },
      ],
    }
    expect(renderware.lint(newDff(twoParts), nothing).map((d) => [d.code, d.severity])).toEqual([
      ['renderware.last-atomic-unskinned', 'error'],
    ])
    expect(renderware.lint(newDff({ ...twoParts, stamp: 0x0c02ffff }), nothing).map((d) => [d.code, d.severity])).toEqual([
      ['renderware.last-atomic-unskinned', 'info'],
    ])
    const said = (stamp?: number): string => renderware.lint(newDff({ ...twoParts, stamp }), nothing)[0].message
    expect(said(0x0c02ffff)).toContain('games before San Andreas')
    expect(said(0x1803ffff)).not.toContain('games before San Andreas')
  })
  it('tells that more than 81 used bones are skinned on the processor', () => {
    const document = broken((_, __, skin) => {
      skin.used = Uint8Array.from({ length: 82 }, (_, i) => i)
      skin.numUsed = 82
    })
    expect(renderware.lint(document, nothing).map((d) => d.code)).toContain('renderware.software-skinning')
  })
  it('tells harmless junk as such', () => {
    const document = broken((d, clump, skin) => {
      boneMatrix(skin, 0)[7] = 5
      skin.indices[2] = 99
      skin.weights[16] = 0.1
      skin.used = Uint8Array.of(0, 1, 2, 3, 3)
      d.trailing = Uint8Array.of(1)
      skin.numUsed = 5
      clump.geometries[0].struct!.triangles[6] = clump.geometries[0].struct!.triangles[10] = 0
    })
    const found = renderware.lint(document, nothing)
    expect(found.every((d) => d.severity === 'info')).toBe(true)
    expect(found.map((d) => d.code.replace('renderware.', '')).sort()).toEqual([
      'bone-range-idle',
      'junk-tail',
      'matrix-padding',
      'struct-materials',
      'weight-order',
      'weight-sum',
    ])
  })
  it('says which textures the dictionaries of the model lack', () => {
    const txd = newTxd([{ name: 'Skin', width: 1, height: 1, rgba: new Uint8Array(4), raster: '8888' }])
    const model: LintModel = {
      ...nothing,
      binding: { family: 'renderware', name: 'p', primary: 'p', members: [{ role: 'textures', ref: 't', why: 'name', detail: '' }] },
      load: () => txd,
    }
    expect(renderware.lint(newDff(pedModel()), model).map((d) => d.message)).toEqual(['no texture dictionary of this model has "cloth"'])
    // most pictures of a vehicle stand in a dictionary that all of them share
    const car = pedModel()
    car.frames[0].name = 'chassis_dummy'
    const missing = (around: LintModel['around']): string[] =>
      renderware.lint(newDff(car), { ...model, around }).map(({ severity, message }) => `${severity}: ${message}`)
    expect(missing(nowhere)).toEqual([
      'info: no texture dictionary of this model has "cloth", and vehicle.txd, which vehicles share, is not here',
    ])
    const shared = {
      ref: 'generic/vehicle.txd',
      name: 'vehicle.txd',
      folder: 'generic',
      format: 'renderware.txd',
      kind: 'texture' as const,
    }
    expect(missing({ ...nowhere, byStem: (stem) => (stem === 'vehicle' ? [shared] : []) })).toEqual([
      'warning: no texture dictionary of this model has "cloth"',
    ])
  })
})

describe('fixes', () => {
  it.each(cases())('of %s leave nothing to say', (code, change, n, model) => {
    const result = fixed(dffFormat, broken(change, model ?? pedModel()), code, n)
    expect(codes(result.document)).toEqual([])
  })
  function cases(): [string, (document: DffDocument, clump: ClumpView, skin: Skin) => void, number?, ReturnType<typeof pedModel>?][] {
    return [
      [
        'hanim-no-matrices',
        (_, clump) => {
          table(clump).flags = 3
        },
      ],
      [
        'hanim-key-size',
        (_, clump) => {
          table(clump).maxKeyFrameSize = 0
        },
      ],
      [
        'hanim-version',
        (_, clump) => {
          clump.frames[2].hanim!.version = 0
        },
      ],
      [
        'zero-weights',
        (_, __, skin) => {
          skin.weights.fill(0, 4, 8)
          skin.indices[4] = 200
        },
      ],
      [
        'no-used-bones',
        (_, __, skin) => {
          skin.used = new Uint8Array(0)
          skin.numUsed = 0
        },
      ],
      [
        'used-bones-missing',
        (_, __, skin) => {
          skin.used = skin.used.slice(1)
          skin.numUsed = 3
        },
      ],
      [
        'max-weights-low',
        (_, __, skin) => {
          skin.maxWeights = 2
        },
      ],
      [
        'max-weights',
        (_, __, skin) => {
          skin.maxWeights = 9
        },
      ],
      [
        'skin-layout',
        (_, __, skin) => {
          skin.maxWeights = 4
        },
        0,
        pedModel({ layout: 'old' }),
      ],
      [
        'split-data',
        (_, clump, skin) => {
          skin.split = makeSplit(skin, clump.geometries[0].binMesh!, 4)
          skin.split.rle[0] = 3
        },
      ],
      [
        'split-data',
        (_, clump, skin) => {
          skin.split = makeSplit(skin, clump.geometries[0].binMesh!, 4)
          skin.split.rle[0] = 3
        },
        1,
      ],
      [
        'node-name-length',
        (_, clump) => {
          ;(clump.frames[2].nameChunk!.value as { bytes: Uint8Array }).bytes = new TextEncoder().encode('twenty-two characters!\0\0')
        },
      ],
      [
        'total-indices',
        (_, clump) => {
          clump.geometries[0].binMesh!.totalIndices = 1
        },
      ],
      [
        'atomic-count',
        (_, clump) => {
          clump.struct!.numAtomics = 3
        },
      ],
      [
        'several-tables',
        (_, clump) => {
          clump.frames[2].hanim!.table = { ...table(clump) }
          clump.frames[2].hanim!.numNodes = 4
        },
      ],
      [
        'node-order',
        (_, clump) => {
          table(clump).nodes[4] = 2
          table(clump).nodes[7] = 1
        },
      ],
      [
        'push-pop',
        (_, clump) => {
          table(clump).nodes[2] |= HANIM.pop
          table(clump).nodes[5] |= HANIM.pop
        },
      ],
      [
        'no-split-words',
        (_, __, skin) => {
          skin.split = null
        },
      ],
      [
        'skin-size',
        (_, clump) => {
          clump.geometries[0].skinChunk!.data = Uint8Array.of(1, 2, 3, 4)
        },
      ],
    ]
  }
  it('of push and pop give the flags of a sound file', () => {
    const sound = encodeDff(newDff(pedModel()))
    const result = fixed(
      dffFormat,
      broken((_, clump) => {
        for (let i = 0; i < clump.nodes.length; i++) table(clump).nodes[3 * i + 2] ^= 3
      }),
      'push-pop',
    )
    expect(result.after).toEqual(sound)
  })
  it('of a last atomic without a skin put the skinned one last, whole', () => {
    const model = pedModel()
    const document = newDff({
      ...model,
      geometries: [...model.geometries, { ...model.geometries[0], skin: undefined }],
      atomics: [
        { frame: 0, geometry: 0 },
        { frame: 0, geometry: 1 },
      ],
    })
    const result = fixed(dffFormat, dffFormat.decode(encodeDff(document), 'p.dff'), 'last-atomic-unskinned')
    expect(renderware.lint(result.document, nothing)).toEqual([])
    expect(result.after.length).toBe(result.before.length)
    expect(readModel(result.document).clumps[0].atomics.map((a) => a.geometry)).toEqual([1, 0])
  })
  it('of weights that do not descend sort them with their bones', () => {
    const result = fixed(
      dffFormat,
      broken((_, __, skin) => {
        skin.weights.set([0.25, 0.75, 0, 0], 0)
        skin.indices.set([1, 2, 3, 0], 0)
      }),
      'weight-order',
    )
    expect(Array.from(skinOf(result.document).weights.slice(0, 4))).toEqual([0.75, 0.25, 0, 0])
    expect(Array.from(skinOf(result.document).indices.slice(0, 4))).toEqual([2, 1, 3, 0])
  })
  it('change the bytes that mean it and no others', () => {
    const key = fixed(
      dffFormat,
      broken((_, clump) => {
        table(clump).maxKeyFrameSize = 0
      }),
      'hanim-key-size',
    )
    expect(changedRanges(key.before, key.after)).toHaveLength(1)
    const weights = fixed(
      dffFormat,
      broken((_, __, skin) => {
        skin.weights.fill(0, 4, 8)
      }),
      'zero-weights',
    )
    // 1.0 is 00 00 80 3F
    expect(changedRanges(weights.before, weights.after).map(([a, b]) => b - a)).toEqual([2])
    const bone = fixed(
      dffFormat,
      broken((_, __, skin) => {
        skin.indices[0] = 9
        skin.weights.set([0, 1], 0)
        skin.weights[0] = 0.5
        skin.weights[1] = 0.5
      }),
      'bone-range',
    )
    expect(skinOf(bone.document).indices[0]).toBe(0)
    expect(skinOf(bone.document).weights[0]).toBe(0)
  })
  it('weights that do not sum to one are harmless on the last atomic alone', () => {
    const one = pedModel()
    const two = {
      ...one,
      geometries: [...one.geometries, ...pedModel().geometries],
      atomics: [...one.atomics, { frame: 0, geometry: 1 }],
    }
    const severities = [0, 1].map((geometry) => {
      const document = dffFormat.decode(encodeDff(newDff(two)).slice(), 'two.dff')
      skinOf(document, geometry).weights.set([0.5, 0.25, 0, 0], 0)
      return renderware
        .lint(document, nothing)
        .filter(({ code }) => code === 'renderware.weight-sum')
        .map(({ severity }) => severity)
    })
    expect(severities).toEqual([['warning'], ['info']])
  })
  it('normalise weights that do not sum to one, and only those', () => {
    const result = fixed(
      dffFormat,
      broken((_, __, skin) => {
        skin.weights.set([2, 2, 0, 0], 0)
      }),
      'weight-sum',
    )
    expect(Array.from(skinOf(result.document).weights.slice(0, 8))).toEqual([0.5, 0.5, 0, 0, 1, 0, 0, 0])
  })
})

describe('lint of dictionaries and animations', () => {
  const rgba = new Uint8Array(4 * 16)
  it('finds wrong counts, sizes and names', () => {
    const document = newTxd([
      { name: 'a', width: 4, height: 4, rgba, raster: '8888' },
      { name: 'A', width: 4, height: 4, rgba, raster: 'DXT1' },
      { name: 'c', width: 3, height: 5, rgba: new Uint8Array(60), raster: 'DXT1' },
    ])
    const natives = childrenOf(document.roots[0], ID.textureNative).map((c) => childOf(c, ID.struct)!.value as TextureNative)
    natives[0].numLevels = 0
    natives[1].levels[0].data = natives[1].levels[0].data.slice(1)
    ;(childOf(document.roots[0], ID.struct)!.value as { count: number }).count = 9
    const read = txdFormat.decode(encodeDocument(txdFormat, document).bytes, 't.txd')
    expect(codes(read)).toEqual([
      'txd-count',
      'level-count',
      'texture-twice',
      'level-size',
      'texture-format',
      'texture-size',
      'texture-blocks',
    ])
    expect(codes(fixed(txdFormat, read, 'txd-count').document)).not.toContain('txd-count')
    expect(codes(fixed(txdFormat, read, 'level-count').document)).not.toContain('level-count')
  })
  it('finds keys out of order and of no length', () => {
    const document = newIfp('p', [
      {
        name: 'c',
        tracks: [
          { bone: 'a', id: 1, times: [1, 0.5], rotations: [0, 0, 0, 1, 0, 0, 0, 0] },
          { bone: 'b', id: 1, times: [0], rotations: [0, 0, 0, 1] },
        ],
      },
    ])
    expect(codes(ifpFormat.decode(encodeDocument(ifpFormat, document).bytes, 'p.ifp'))).toEqual([
      'key-order',
      'key-length',
      'key-first',
      'clip-bone-twice',
    ])
    expect(codes(newIfp('new', [{ name: 'c', tracks: [] }]))).toEqual(['clip-empty'])
  })
})
