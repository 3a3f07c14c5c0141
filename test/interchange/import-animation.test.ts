import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Document, WebIO } from '@gltf-transform/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createServices } from '../../src/main/services/create-services.ts'
import { dispatch } from '../../src/main/services/dispatch.ts'
import { readGltf } from '../../src/main/interchange/gltf-reader.ts'
import { sampleChannel } from '../../src/main/interchange/gltf-sampling.ts'
import { writeGltf } from '../../src/main/interchange/gltf-writer.ts'
import { multiplyQuat } from '../../src/shared/scene/matrix.ts'
import type { Services } from '../../src/main/services/service.ts'
import type { CallArgs, CallName, CallResult } from '../../src/shared/api/contract.ts'
import type { LibraryRow } from '../../src/shared/api/types/library.ts'
import type { OpenedModel } from '../../src/shared/api/types/model.ts'
import type { Scene } from '../../src/shared/scene/types.ts'

// --- the reader -----------------------------------------------------------------------------------------------------

interface Move {
  node: string
  path: 'translation' | 'rotation' | 'scale'
  times: number[]
  values: number[]
  interpolation?: 'LINEAR' | 'STEP' | 'CUBICSPLINE'
}

async function glb(animations: Record<string, Move[]>): Promise<Uint8Array> {
  const document = new Document()
  const buffer = document.createBuffer()
  const scene = document.createScene()
  const nodes = new Map<string, ReturnType<typeof document.createNode>>()
  for (const [name, moves] of Object.entries(animations)) {
    const animation = document.createAnimation(name)
    for (const { node, path, times, values, interpolation } of moves) {
      if (!nodes.has(node)) {
        nodes.set(node, document.createNode(node))
        scene.addChild(nodes.get(node)!)
      }
      const input = document.createAccessor().setType('SCALAR').setArray(Float32Array.from(times)).setBuffer(buffer)
      const output = document
        .createAccessor()
        .setType(path === 'rotation' ? 'VEC4' : 'VEC3')
        .setArray(Float32Array.from(values))
        .setBuffer(buffer)
      const sampler = document
        .createAnimationSampler()
        .setInput(input)
        .setOutput(output)
        .setInterpolation(interpolation ?? 'LINEAR')
      animation
        .addSampler(sampler)
        .addChannel(document.createAnimationChannel().setTargetNode(nodes.get(node)!).setTargetPath(path).setSampler(sampler))
    }
  }
  return new WebIO().writeBinary(document)
}

describe('reading animations', () => {
  it('gives names, times and values, and samples as a player does', async () => {
    const bytes = await glb({
      walk: [
        { node: 'Hip', path: 'translation', times: [0, 1, 2], values: [0, 0, 0, 2, 0, 0, 2, 4, 0] },
        { node: 'Hip', path: 'rotation', times: [0, 2], values: [0, 0, 0, 1, 0, 0, 1, 0] },
      ],
    })
    const [walk] = (await readGltf(bytes, 'x.glb')).animations
    expect(walk).toMatchObject({ name: 'walk', ignored: 0, duration: 2 })
    expect(walk.channels.map((c) => [c.node, c.path, c.interpolation])).toEqual([
      ['Hip', 'translation', 'LINEAR'],
      ['Hip', 'rotation', 'LINEAR'],
    ])
    const at = (channel: number, time: number): number[] => {
      const out = new Float32Array(4)
      sampleChannel(walk.channels[channel], time, out)
      return [...out].map((v) => Number(v.toFixed(4)))
    }
    expect(at(0, -1)).toEqual([0, 0, 0, 0])
    expect(at(0, 1.5)).toEqual([2, 2, 0, 0])
    expect(at(0, 9)).toEqual([2, 4, 0, 0])
    expect(at(1, 1)).toEqual([0, 0, 0.7071, 0.7071])
  })

  it('gives a key its own value where the time was rounded to 32 bits, be a jump before or behind it', async () => {
    // 11.49 becomes 11.48999977, 5.99 becomes 5.98999977, 3.3 becomes 3.29999995, 2.7 becomes 2.70000005
    for (const time of [11.49, 5.99, 3.3, 2.7]) {
      const {
        animations: [a],
      } = await readGltf(
        await glb({
          a: [{ node: 'n', path: 'translation', times: [time - 0.001, time, time + 0.001], values: [-1000, 0, 0, 7, 0, 0, 1000, 0, 0] }],
        }),
        'x.glb',
      )
      const out = new Float32Array(3)
      sampleChannel(a.channels[0], time, out)
      expect(out[0]).toBe(7)
    }
  })

  it('holds steps and follows splines', async () => {
    const {
      animations: [animation],
    } = await readGltf(
      await glb({
        a: [
          { node: 'n', path: 'scale', times: [0, 1], values: [1, 1, 1, 2, 2, 2], interpolation: 'STEP' },
          {
            node: 'n',
            path: 'translation',
            times: [0, 1],
            values: [0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0],
            interpolation: 'CUBICSPLINE',
          },
        ],
      }),
      'x.glb',
    )
    const out = new Float32Array(4)
    sampleChannel(animation.channels[0], 0.99, out)
    expect(out[0]).toBe(1)
    sampleChannel(animation.channels[1], 0.5, out)
    // p0 0, tangent out 3, p1 1, tangent in 0
    expect(out[0]).toBeCloseTo(0.5 * 1 + 0.125 * 3, 6)
  })

  it('answers every damage with a typed error', async () => {
    const bytes = await glb({ walk: [{ node: 'Hip', path: 'translation', times: [0, 1], values: [0, 0, 0, 2, 0, 0] }] })
    const typed = async (damaged: Uint8Array): Promise<void> => {
      try {
        await readGltf(damaged, 'x.glb')
      } catch (error) {
        expect(error).toMatchObject({
          code: expect.stringMatching(/^(truncated|bad-magic|bad-count|bad-value|unsupported)$/),
          file: 'x.glb',
        })
      }
    }
    for (let n = 0; n < bytes.length; n += 3)
      await expect(readGltf(bytes.subarray(0, n), 'x.glb'), String(n)).rejects.toMatchObject({ file: 'x.glb' })
    for (let i = 0; i < bytes.length; i += 2) {
      const damaged = bytes.slice()
      damaged[i] ^= 0xff
      await typed(damaged)
      damaged[i] = 0x39
      await typed(damaged)
    }
  })

  it('believes nothing that the bytes do not hold', async () => {
    const json = (change: (j: any) => void): Uint8Array => {
      const data = Buffer.alloc(32)
      const j = {
        asset: { version: '2.0' },
        nodes: [{ name: 'n', children: [0] }],
        buffers: [{ byteLength: 32, uri: `data:application/octet-stream;base64,${data.toString('base64')}` }],
        bufferViews: [{ buffer: 0, byteLength: 32 }],
        accessors: [
          { bufferView: 0, componentType: 5126, count: 2, type: 'SCALAR' },
          { bufferView: 0, byteOffset: 8, componentType: 5126, count: 2, type: 'VEC3' },
        ],
        animations: [{ samplers: [{ input: 0, output: 1 }], channels: [{ sampler: 0, target: { node: 0, path: 'translation' } }] }],
        extensionsRequired: ['KHR_draco_mesh_compression'],
      }
      change(j)
      return new TextEncoder().encode(JSON.stringify(j))
    }
    const whole = await readGltf(
      json(() => {}),
      'x.gltf',
    )
    expect(whole.animations).toHaveLength(1)
    const bad: [string, (j: any) => void][] = [
      ['truncated', (j) => (j.accessors[0].count = 2 ** 40)],
      ['truncated', (j) => (j.bufferViews[0].byteLength = 2 ** 31)],
      ['truncated', (j) => (j.buffers[0].byteLength = 2 ** 31)],
      ['truncated', (j) => (j.buffers[0].uri = '../../etc/passwd')],
      ['unsupported', (j) => delete j.accessors[0].bufferView],
      ['bad-value', (j) => (j.accessors[0].sparse = { count: 2 ** 30 })],
      [
        'bad-value',
        (j) => (j.accessors[0].sparse = { count: 3, indices: { bufferView: 0, componentType: 5121 }, values: { bufferView: 0 } }),
      ],
      [
        'truncated',
        (j) =>
          (j.accessors[0].sparse = {
            count: 2,
            indices: { bufferView: 0, componentType: 5121 },
            values: { bufferView: 0, byteOffset: 30 },
          }),
      ],
      [
        'bad-count',
        (j) =>
          (j.accessors[0] = {
            componentType: 5126,
            count: 2 ** 40,
            type: 'SCALAR',
            sparse: { count: 0, indices: { bufferView: 0, componentType: 5121 }, values: { bufferView: 0 } },
          }),
      ],
      ['unsupported', (j) => (j.bufferViews[0].extensions = { EXT_meshopt_compression: {} })],
      ['bad-value', (j) => (j.accessors[0].count = -1)],
      ['bad-value', (j) => (j.accessors[0].type = 'VEC9')],
      ['bad-value', (j) => (j.accessors[0].type = '__proto__')],
      ['bad-value', (j) => (j.bufferViews[0].byteStride = 1)],
      ['bad-value', (j) => (j.animations[0].samplers[0].input = 9)],
      ['bad-value', (j) => (j.animations = 5)],
      ['bad-count', (j) => (j.accessors[0].count = 1)],
    ]
    for (const [code, change] of bad)
      await expect(readGltf(json(change), 'x.gltf'), change.toString()).rejects.toMatchObject({ code, file: 'x.gltf' })
  })
})

describe('what animations may be', () => {
  /** Times 0 and 1, and two values of which a sparse accessor sets the second. */
  const text = (change: (json: any) => void = () => {}): Uint8Array => {
    const data = Buffer.alloc(64)
    ;[0, 1].forEach((v, i) => data.writeFloatLE(v, 4 * i))
    data.writeUInt8(1, 8)
    ;[5, 6, 7].forEach((v, i) => data.writeFloatLE(v, 12 + 4 * i))
    const json = {
      asset: { version: '2.0' },
      nodes: [
        { name: 'n', children: [1] },
        { name: 'm', children: [0] },
      ],
      buffers: [{ byteLength: 64, uri: `data:application/octet-stream;base64,${data.toString('base64')}` }],
      bufferViews: [{ buffer: 0, byteLength: 64 }],
      accessors: [
        { bufferView: 0, componentType: 5126, count: 2, type: 'SCALAR' },
        {
          componentType: 5126,
          count: 2,
          type: 'VEC3',
          sparse: { count: 1, indices: { bufferView: 0, byteOffset: 8, componentType: 5121 }, values: { bufferView: 0, byteOffset: 12 } },
        },
      ],
      animations: [
        { name: 'a', samplers: [{ input: 0, output: 1 }], channels: [{ sampler: 0, target: { node: 0, path: 'translation' } }] },
      ],
    }
    change(json)
    return new TextEncoder().encode(JSON.stringify(json))
  }

  it('sparse values over zeros', async () => {
    const { animations, nodes } = await readGltf(text(), 'x.gltf')
    expect([...animations[0].channels[0].values]).toEqual([0, 0, 0, 5, 6, 7])
    // two nodes that are each other's children hang on one another once at most
    expect(nodes.filter(({ parent }) => parent < 0).length).toBeGreaterThan(0)
  })

  it('a value that is no number: its channel is left out and named', async () => {
    const bytes = text((j) => {
      const data = Buffer.from(j.buffers[0].uri.split(',')[1], 'base64')
      data.writeFloatLE(NaN, 12)
      j.buffers[0].uri = `data:application/octet-stream;base64,${data.toString('base64')}`
    })
    const { animations, left } = await readGltf(bytes, 'x.gltf')
    expect(animations[0].channels).toEqual([])
    expect(left).toEqual(['translation of n in a, where a value is no number'])
  })

  it('morph weights and pointers are counted, and skins without matrices that fit are done without', async () => {
    const { animations, left, nodes } = await readGltf(
      text((j) => {
        j.animations[0].channels.push({ sampler: 0, target: { node: 0, path: 'weights' } })
        j.animations[0].channels.push({ sampler: 0, target: { path: 'pointer' } })
        j.skins = [
          { joints: [0, 1], inverseBindMatrices: 1 },
          { joints: [0], inverseBindMatrices: 77 },
        ]
      }),
      'x.gltf',
    )
    expect(animations[0]).toMatchObject({ ignored: 2, channels: [{ node: 'n' }] })
    expect(left).toEqual(['bind matrices of a skin: there is no accessor 77', 'bind matrices of a skin that do not fit its bones'])
    expect(nodes.every(({ inverseBind }) => inverseBind === undefined)).toBe(true)
  })

  it('more than fits is refused before it is read', async () => {
    // no byte of it is looked at
    await expect(readGltf(new Uint8Array(2 ** 29 + 1), 'x.glb')).rejects.toMatchObject({ code: 'unsupported' })
  })
})

// --- onto models ----------------------------------------------------------------------------------------------------

describe('import onto the sample', () => {
  let state = ''
  let services: Services
  let library = ''
  let rows: LibraryRow[] = []
  const call = async <K extends CallName>(name: K, args: CallArgs<K>): Promise<CallResult<K>> => {
    const answer = await dispatch(services, name, args, new AbortController().signal)
    if (!answer.ok) throw Object.assign(new Error(`${name}: ${answer.error.message}`), answer.error)
    return answer.value as CallResult<K>
  }
  beforeAll(async () => {
    state = mkdtempSync(join(tmpdir(), 'marrow-test-'))
    services = createServices({ stateFolder: state, host: 'web', watchEvery: 0 })
    library = (await call('library.openSample', {})).id
    await call('library.scan', { library })
    rows = (await call('library.query', { library, show: 'models', sort: 'name', offset: 0, limit: 200 })).rows
  })
  afterAll(async () => {
    await services.close()
    rmSync(state, { recursive: true, force: true })
  })

  const open = async (family: string): Promise<OpenedModel> => {
    for (const row of rows.filter((r) => r.family === family)) {
      const model = await call('model.open', { ref: row.ref, library })
      if (model.scene.clips.some((c) => c.tracks.length > 2)) return model
      await call('model.close', { model: model.info.id })
    }
    throw new Error(`the sample has no ${family} model with a clip`)
  }
  const exported = async (scene: Scene): Promise<Uint8Array> => (await writeGltf(scene, { format: 'glb', name: 'x' })).files[0].bytes

  // packed rotations cost what the format says
  const families: [string, number][] = [
    ['level5', 0.01],
    ['w3d', 0.6],
    ['renderware', 0.1],
    ['lostsaga', 1.5],
  ]
  for (const [family, degrees] of families) {
    it(`${family}: an export comes back without a byte changed, an edit within ${degrees} degrees`, async () => {
      const { info, scene } = await open(family)
      const same = await call('import.animation', { model: info.id, name: 'x.glb', bytes: await exported(scene) })
      expect(same.report).toMatchObject({ unmatched: [], unused: [], left: [] })
      expect(same.report.imported).toHaveLength(scene.clips.length + scene.slices.length)
      expect(same.info.dirty).toBe(false)
      expect(await call('model.changes', { model: info.id })).toEqual([])

      // a joint is turned by 20 degrees in the whole of one clip
      const turned = structuredClone(scene)
      turned.slices = []
      const clip = turned.clips.findIndex((c) =>
        c.tracks.some((t) => t.property === 'rotation' && t.target.kind === 'joint' && t.times.length > 2),
      )
      const track = turned.clips[clip].tracks.find((t) => t.property === 'rotation' && t.target.kind === 'joint' && t.times.length > 2)!
      const turn = Float32Array.of(Math.sin(Math.PI / 18), 0, 0, Math.cos(Math.PI / 18))
      for (let k = 0; k < track.times.length; k++) multiplyQuat(track.values, 4 * k, track.values.slice(4 * k, 4 * k + 4), 0, turn, 0)
      const result = await call('import.animation', {
        model: info.id,
        name: 'turned.glb',
        bytes: await exported(turned),
        animation: turned.clips[clip].name || `clip ${clip}`,
        clip,
      })
      const [done] = result.report.imported
      expect(done).toMatchObject({ into: 'clip', index: clip })
      expect(done.keysChanged + done.keysInserted).toBeGreaterThan(0)
      expect(done.degrees).toBeLessThan(degrees)
      expect(done.distance).toBeLessThan(1e-3)
      expect(result.info.history.undo).toEqual(['Import turned.glb'])
      // only that joint's records
      const changed = await call('model.changes', { model: info.id })
      expect(changed).toHaveLength(1)
      const undone = await call('history.undo', { model: info.id })
      expect(undone.info.dirty).toBe(false)
      await call('model.close', { model: info.id, discard: true })
    })
  }

  it('follows the tick rate that was chosen for the model', async () => {
    const { info } = await open('level5')
    const { scene } = await call('model.choose', { model: info.id, key: 'level5.tickRate', value: 60 })
    const [{ bytes }] = (await writeGltf(scene, { format: 'glb', name: 'x' })).files
    const same = await call('import.animation', { model: info.id, name: 'x.glb', bytes })
    expect(same.report.left).toEqual([])
    expect(same.info.dirty).toBe(false)
    await call('model.choose', { model: info.id, key: 'level5.tickRate', value: 30 })
    await call('model.close', { model: info.id })
  })

  it('takes a foreign animation onto a slice, matches names without case, and says what it left', async () => {
    const { info, scene } = await open('level5')
    const slice = scene.slices.findIndex((s) => s.end - s.start >= 4)
    const { clip, start, end, speed, name } = scene.slices[slice]
    const track = scene.clips[clip].tracks.find((t) => t.property === 'rotation' && t.target.kind === 'joint')!
    const joint = scene.skeleton.names[(track.target as { index: number }).index]
    const seconds = (end - start) / (speed * 30)
    const half = Math.SQRT1_2
    const bytes = await glb({
      wave: [
        {
          node: joint.toUpperCase(),
          path: 'rotation',
          times: [0, seconds / 2, seconds * 2],
          values: [0, 0, 0, 1, half, 0, 0, half, 0, 0, 0, 1],
        },
        { node: 'Tail.001', path: 'rotation', times: [0], values: [0, 0, 0, 1] },
      ],
      other: [],
    })
    await expect(call('import.animation', { model: info.id, name: 'wave.glb', bytes })).rejects.toMatchObject({ code: 'invalid-argument' })
    await expect(call('import.animation', { model: info.id, name: 'wave.glb', bytes, slice })).rejects.toMatchObject({
      code: 'invalid-argument',
    })
    await expect(call('import.animation', { model: info.id, name: 'wave.glb', bytes, animation: 'no', slice })).rejects.toMatchObject({
      code: 'not-found',
    })
    const { report } = await call('import.animation', { model: info.id, name: 'wave.glb', bytes, animation: 'wave', slice })
    expect(report).toMatchObject({
      unmatched: ['Tail.001'],
      unused: ['other'],
      imported: [{ into: 'slice', index: slice, name, joints: 1 }],
    })
    expect(report.left[0]).toContain('wave')
    // keys stand on whole frames, and none outside of the slice moved
    const tracks = await call('clips.tracks', { model: info.id, clip })
    const now = tracks.find((t) => t.joint === scene.skeleton.names.indexOf(joint) && t.property === 'rotation')!
    expect([...now.times].every((t) => Number.isInteger(t))).toBe(true)
    await call('history.undo', { model: info.id })
    const was = (await call('clips.tracks', { model: info.id, clip })).find((t) => t.id === now.id)!
    const outside = (t: typeof now): number[][] =>
      [...t.times].flatMap((time, i) => (time < start || time > end ? [[time, ...t.values.subarray(4 * i, 4 * i + 4)]] : []))
    expect(outside(now)).toEqual(outside(was))
    await call('model.close', { model: info.id, discard: true })
  })
})
