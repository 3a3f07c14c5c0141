/** Weights and rest pose of a glTF onto models of the sample library: however vertices were numbered, and whatever is wrong with the file. */
import { WebIO } from '@gltf-transform/core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { EXTENSIONS } from '../../src/main/interchange/gltf-extensions.ts'
import { readGltf } from '../../src/main/interchange/gltf-reader.ts'
import { writeGltf } from '../../src/main/interchange/gltf-writer.ts'
import { createPose } from '../../src/shared/scene/pose.ts'
import { SampleLibrary } from './blender/round-trip.ts'
import type { Accessor, Document, Primitive } from '@gltf-transform/core'
import type { CallArgs, CallResult } from '../../src/shared/api/contract.ts'
import type { OpenedModel } from '../../src/shared/api/types/model.ts'
import type { FamilyName } from './blender/round-trip.ts'

const io = new WebIO().registerExtensions(EXTENSIONS)

/** Vertices and triangles of a primitive in another order. */
function shuffled(document: Document, primitive: Primitive): void {
  const count = primitive.getAttribute('POSITION')!.getCount()
  // an order that has nothing of the old one
  const order = Array.from({ length: count }, (_, i) => i).sort((a, b) => ((a * 7919) % 9973) - ((b * 7919) % 9973) || a - b)
  const at = new Map(order.map((old, i) => [old, i]))
  for (const name of primitive.listSemantics()) {
    const from = primitive.getAttribute(name)!
    const size = from.getElementSize()
    const values = from.getArray()!.slice()
    order.forEach((old, i) => values.set(from.getArray()!.subarray(size * old, size * old + size), size * i))
    primitive.setAttribute(name, from.clone().setArray(values))
  }
  const indices = primitive.getIndices()!.getArray()!
  const triangles = Array.from({ length: indices.length / 3 }, (_, i) => [...indices.subarray(3 * i, 3 * i + 3)].map((v) => at.get(v)!))
  primitive.setIndices(document.createAccessor().setType('SCALAR').setArray(Uint32Array.from(triangles.reverse().flat())))
}

describe('weights and rest pose from glTF', () => {
  const library = new SampleLibrary()
  let models: Record<FamilyName, OpenedModel>
  const exported = new Map<string, Uint8Array>()
  beforeAll(async () => {
    models = await library.open()
  })
  afterAll(() => library.close())
  beforeEach(async () => {
    for (const { info } of Object.values(models))
      for (let dirty = (await library.call('model.scene', { model: info.id })).info.dirty; dirty;)
        dirty = (await library.call('history.undo', { model: info.id })).info.dirty
  })

  const document = async (family: FamilyName, vertices = false): Promise<Document> => {
    const key = `${family} ${vertices}`
    const { files } = exported.has(key)
      ? { files: [{ bytes: exported.get(key)! }] }
      : await writeGltf(models[family].scene, { format: 'glb', name: 'x', textures: false, animations: [], vertices })
    exported.set(key, files[0].bytes)
    return io.readBinary(files[0].bytes)
  }
  const importing = async (
    family: FamilyName,
    from: Document | Uint8Array,
    more: Partial<CallArgs<'import.animation'>> = {},
  ): Promise<CallResult<'import.animation'>> => {
    const bytes = from instanceof Uint8Array ? from : await io.writeBinary(from)
    return library.call('import.animation', {
      model: models[family].info.id,
      name: 'x.glb',
      bytes,
      animations: false,
      weights: true,
      ...more,
    })
  }
  const skinned = (from: Document): Primitive[] =>
    from
      .getRoot()
      .listMeshes()
      .flatMap((mesh) => mesh.listPrimitives())
      .filter((primitive) => primitive.getAttribute('WEIGHTS_0'))
  /** Influences of one vertex, nodes of the skin and weights. */
  const put = (primitive: Primitive, vertex: number, influences: [number, number][]): void => {
    const [joints, weights] = ['JOINTS_0', 'WEIGHTS_0'].map((name) => primitive.getAttribute(name)!)
    const four = Array.from({ length: 4 }, (_, i) => influences[i] ?? [0, 0])
    joints.setElement(
      vertex,
      four.map(([joint]) => joint),
    )
    weights.setElement(
      vertex,
      four.map(([, weight]) => weight),
    )
  }

  for (const family of ['level5', 'w3d', 'renderware', 'lostsaga'] as const) {
    it(`${family}: finds vertices that were numbered anew by their places, and by their numbers where the file has them`, async () => {
      for (const vertices of [false, true]) {
        const file = await document(family, vertices)
        for (const primitive of skinned(file)) shuffled(file, primitive)
        const { report, info } = await importing(family, file, { rest: true })
        expect(report.weights!.length).toBeGreaterThan(0)
        for (const weights of report.weights!)
          expect(weights, family).toMatchObject({ by: vertices ? 'number' : 'place', changed: 0, missing: 0, apart: 0 })
        expect(report.placed).toEqual([])
        expect(info.dirty).toBe(false)
      }
    })
  }

  // animations of Lost Saga say where every joint stands
  for (const family of ['level5', 'w3d', 'renderware'] as const)
    it(`${family}: a joint that rests elsewhere takes its animations along, and what clips say of turns stays to the byte`, async () => {
      const { scene } = models[family]
      const { parents, names, count } = scene.skeleton
      const moves = new Set(
        scene.clips.flatMap(({ tracks }) => tracks.flatMap(({ property, target }) => (property === 'translation' ? [target.index] : []))),
      )
      const joints = [...scene.skins[0].joints]
      const childrenOf = (joint: number): number[] => Array.from({ length: count }, (_, i) => i).filter((i) => parents[i] === joint)
      const joint = joints.find(
        (j) =>
          parents[j] > 0 &&
          childrenOf(j).length > 0 &&
          [j, ...childrenOf(j)].every((one) => !moves.has(one)) &&
          joints.includes(parents[j]),
      )!
      expect(joint).toBeDefined()
      const written = await writeGltf(scene, { format: 'glb', name: 'x', textures: false })
      const file = await io.readBinary(written.files[0].bytes)
      const [skin] = file.getRoot().listSkins()
      const nodes = skin.listJoints()
      const bind = createPose(scene).world
      const size = Math.max(...joints.map((j) => Math.hypot(...bind.subarray(16 * j + 12, 16 * j + 15))))
      const by = [0.03 * size, 0.02 * size, 0]
      // what a program does when a bone is moved upon its own: the bones below stay
      const inParent = (space: number): [number, number, number] => {
        const m = bind.subarray(16 * space, 16 * space + 16)
        const square = m[0] ** 2 + m[1] ** 2 + m[2] ** 2
        return [0, 1, 2].map((c) => (m[4 * c] * by[0] + m[4 * c + 1] * by[1] + m[4 * c + 2] * by[2]) / square) as [number, number, number]
      }
      const shift = (node: number, way: number[], sign: number): void => {
        const at = nodes[node].getTranslation()
        nodes[node].setTranslation(at.map((value, c) => value + sign * way[c]) as [number, number, number])
        for (const channel of file
          .getRoot()
          .listAnimations()
          .flatMap((one) => one.listChannels()))
          if (channel.getTargetNode() === nodes[node] && channel.getTargetPath() === 'translation') {
            const output = channel.getSampler()!.getOutput()!
            output.setArray(output.getArray()!.map((value, i) => value + sign * way[i % 3]))
          }
      }
      shift(joint, inParent(parents[joint]), 1)
      for (const child of childrenOf(joint)) shift(child, inParent(joint), -1)
      for (const one of file.getRoot().listSkins()) {
        const matrices = one.getInverseBindMatrices()!
        const m = matrices.getElement(joint, new Array<number>(16).fill(0))
        for (let c = 0; c < 3; c++) m[12 + c] -= m[c] * by[0] + m[4 + c] * by[1] + m[8 + c] * by[2]
        matrices.setElement(joint, m)
      }
      const { report, info } = await importing(family, file, { rest: true, animations: true })
      expect(report.placed!.map((one) => one.joint).sort()).toEqual([joint, ...childrenOf(joint)].map((j) => names[j]).sort())
      expect(report.imported.length).toBeGreaterThan(0)
      for (const done of report.imported) expect(done).toMatchObject({ keysChanged: 0, keysInserted: 0, tracksAdded: 0 })
      for (const done of report.weights!) expect(done).toMatchObject({ changed: 0 })
      const after = (await library.call('model.scene', { model: info.id })).scene
      const now = createPose(after).world
      for (let c = 0; c < 3; c++) expect(Math.abs(now[16 * joint + 12 + c] - bind[16 * joint + 12 + c] - by[c]) / size).toBeLessThan(1e-3)
      // all of it is one step
      expect((await library.call('history.undo', { model: info.id })).info.dirty).toBe(false)
      // without the rest pose it is named, and nothing is moved
      const { report: without, info: still } = await importing(family, file, { weights: false, animations: true })
      expect(without.rest.moved[0].joint).toBe(names[joint])
      expect(without.left.join()).toContain('rests elsewhere in the file')
      expect(still.dirty).toBe(false)
    })

  it('says what the format has no room for', async () => {
    const file = await document('w3d')
    const [primitive] = skinned(file)
    const vertex = primitive.getIndices()!.getScalar(0)
    put(primitive, vertex, [
      [2, 0.4],
      [3, 0.35],
      [4, 0.25],
    ])
    const { report } = await importing('w3d', file)
    const [done] = report.weights!.filter(({ limited }) => limited > 0)
    expect(done).toMatchObject({ limited: 1 })
    // what is left of it has the room of what went
    expect(done.off).toBeGreaterThan(0.09)
    const { scene, info } = models.w3d
    const [skin] = scene.skins
    const list = await library.call('weights.list', { model: info.id })
    const id = list.find(({ mesh }) => done.mesh === mesh)!.id
    const read = await library.call('weights.read', { model: info.id, id })
    const own = scene.meshes.find((mesh) => mesh.skin >= 0 && mesh.positions.length / 3 === read.vertexCount)!
    expect(skin).toBeDefined()
    const native = own.nativeVertex[vertex]
    expect(read.offsets[native + 1] - read.offsets[native]).toBeLessThanOrEqual(read.limits.maxInfluences)
  })

  it('takes of a vertex that is several the one that changed most, and says so', async () => {
    const file = await document('level5')
    const [primitive] = skinned(file)
    const mesh = models.level5.scene.meshes.find((one) => one.skin >= 0)!
    const seen = new Map<number, number>()
    const pair = [...mesh.nativeVertex].flatMap((native, v) => {
      const first = seen.get(native)
      seen.set(native, first ?? v)
      return first === undefined ? [] : [[first, v]]
    })[0]
    expect(pair, 'a vertex that is split for its texture').toBeDefined()
    put(primitive, pair[0], [[3, 1]])
    const { report, info } = await importing('level5', file)
    expect(report.weights!.filter(({ changed }) => changed > 0)).toMatchObject([{ changed: 1, apart: 1, limited: 0, off: 0 }])
    expect(info.dirty).toBe(true)
    expect((await library.call('history.undo', { model: info.id })).info.dirty).toBe(false)
  })

  it('does not miss influences that programs drop, up to a ten thousandth', async () => {
    const file = await document('level5')
    const [primitive] = skinned(file)
    const [joints, weights] = ['JOINTS_0', 'WEIGHTS_0'].map((name) => primitive.getAttribute(name)!)
    const one = Array.from({ length: weights.getCount() }, (_, v) => v).find((v) => weights.getElement(v, [0, 0, 0, 0])[1] === 0)!
    const [joint] = joints.getElement(one, [0, 0, 0, 0])
    const other = joint === 3 ? 4 : 3
    put(primitive, one, [
      [joint, 1 - 1e-4],
      [other, 1e-4],
    ])
    const { report, info } = await importing('level5', file)
    for (const done of report.weights!) expect(done).toMatchObject({ changed: 0, apart: 0 })
    expect(info.dirty).toBe(false)
    put(primitive, one, [
      [joint, 1 - 3e-4],
      [other, 3e-4],
    ])
    expect((await importing('level5', file)).report.weights!.reduce((sum, { changed }) => sum + changed, 0)).toBe(1)
  })

  it('leaves meshes alone that are others', async () => {
    const file = await document('renderware')
    for (const primitive of skinned(file)) {
      const positions = primitive.getAttribute('POSITION') as Accessor
      positions.setArray(positions.getArray()!.map((value, i) => value + (i % 5)))
    }
    const { report, info } = await importing('renderware', file)
    expect(report.weights).toEqual([])
    expect(report.left).toEqual(expect.arrayContaining(['the file has no mesh with the vertices of adventurer']))
    expect(info.dirty).toBe(false)
  })

  it('needs something to take, and a skin to go by', async () => {
    const file = await document('renderware')
    await expect(importing('renderware', file, { weights: false })).rejects.toMatchObject({ code: 'invalid-argument' })
    // no animations in it: what was asked for beside them is done, and they are named
    const { report } = await importing('renderware', file, { animations: true })
    expect(report.left).toEqual(['there is no animation in this file'])
    for (const skin of file.getRoot().listSkins()) skin.dispose()
    const { report: bare, info } = await importing('renderware', file, { rest: true })
    expect(bare).toMatchObject({
      weights: [],
      placed: [],
      left: ['the file has no mesh with a skin', expect.stringContaining('nothing tells where they rest')],
    })
    expect(info.dirty).toBe(false)
  })

  it('refuses damaged meshes whole, and reads none that were not asked for', async () => {
    const bytes = await io.writeBinary(await document('lostsaga'))
    const json = (change: (json: any) => void): Uint8Array => {
      const view = new DataView(bytes.buffer, bytes.byteOffset)
      const length = view.getUint32(12, true)
      const text = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length)))
      change(text)
      let out = JSON.stringify(text)
      out += ' '.repeat((4 - (Buffer.byteLength(out) % 4)) % 4)
      const head = new TextEncoder().encode(out)
      const all = new Uint8Array(bytes.length - length + head.length)
      all.set(bytes.subarray(0, 20))
      all.set(head, 20)
      all.set(bytes.subarray(20 + length), 20 + head.length)
      const to = new DataView(all.buffer)
      to.setUint32(8, all.length, true)
      to.setUint32(12, head.length, true)
      return all
    }
    const attributes = (text: any): Record<string, number> => text.meshes[0].primitives[0].attributes
    const broken: [(text: any) => void, string | undefined][] = [
      [(text) => (text.accessors[attributes(text).POSITION].count = 2 ** 40), 'truncated'],
      [(text) => (text.accessors[attributes(text).JOINTS_0].type = 'VEC9'), 'bad-value'],
      [(text) => (text.accessors[attributes(text).WEIGHTS_0].bufferView = 1e6), undefined],
      [(text) => (attributes(text).WEIGHTS_0 = attributes(text).POSITION), undefined],
      [(text) => (text.meshes[0].primitives = [null, 5, {}]), undefined],
      [(text) => (text.skins[0].joints = text.skins[0].joints.map(() => 1e9)), undefined],
      [(text) => (text.nodes[0].mesh = -1), undefined],
    ]
    for (const [change, code] of broken) {
      const damaged = json(change)
      const done = await importing('lostsaga', damaged).then(
        ({ info }) => info.dirty,
        (error: { code: string }) => error.code,
      )
      if (code) expect(done, change.toString()).toBe(code)
      else expect([false, 'unsupported', 'bad-value'], `${change.toString()}: ${done}`).toContain(done)
    }
    const { meshes } = await readGltf(
      json((text) => (text.accessors[attributes(text).POSITION].count = 2 ** 40)),
      'x.glb',
    )
    expect(meshes).toEqual([])
    for (let n = bytes.length - 1; n > 20; n = Math.floor(n * 0.7))
      await expect(readGltf(bytes.subarray(0, n), 'x.glb', { meshes: true }), String(n)).rejects.toMatchObject({ file: 'x.glb' })
  })
})
