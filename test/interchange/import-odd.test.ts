/** Files that are not what an export is: what means something is taken, the rest is named, and nothing is written half. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Accessor, Logger, WebIO } from '@gltf-transform/core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { writeGltf } from '../../src/main/interchange/gltf-writer.ts'
import { sampleFiles } from '../support/sample.ts'
import { createServices } from '../../src/main/services/create-services.ts'
import { animationNames } from '../../src/shared/scene/animation-names.ts'
import { compose, decompose, invertAffine, multiply } from '../../src/shared/scene/matrix.ts'
import { caller } from '../support/caller.ts'
import { writeFiles } from '../workspace/support.ts'
import type { Document, Node } from '@gltf-transform/core'
import type { CallArgs } from '../../src/shared/api/contract.ts'
import type { ImportReport } from '../../src/shared/api/types/import.ts'
import type { OpenedModel } from '../../src/shared/api/types/model.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'marrow-test-')))
const services = createServices({ stateFolder: join(base, 'state'), host: 'web', watchEvery: 0 })
const call = caller(() => services)
// what it says of extensions that it does not know is no news
const io = new WebIO().setLogger(new Logger(Logger.Verbosity.SILENT))
let opened: OpenedModel
let model = ''

beforeAll(async () => {
  const game = join(base, 'game')
  const files = sampleFiles().filter(({ path }) => path.startsWith('Dark Cloud 2/adventurer/'))
  writeFiles(game, Object.fromEntries(files.map(({ path, bytes }) => [path, bytes])))
  const library = (await call('library.open', { root: game })).id
  await call('library.scan', { library })
  opened = await call('model.open', { ref: join(game, 'Dark Cloud 2/adventurer/adventurer.mds'), library })
  model = opened.info.id
}, 240_000)
afterAll(async () => {
  await services.close()
  rmSync(base, { recursive: true, force: true })
})
afterEach(async () => {
  while ((await call('model.scene', { model })).info.history.undo.length > 0) await call('history.undo', { model })
})

/** The shortest slice as somebody's file. */
async function file(change: (document: Document) => void = () => {}): Promise<Uint8Array> {
  const document = await io.readBinary(
    (await writeGltf(opened.scene, { format: 'glb', name: 'x', animations: [shortest()] })).files[0].bytes,
  )
  change(document)
  return io.writeBinary(document)
}

function shortest(): string {
  const { slices } = opened.scene
  const lengths = slices.map(({ start, end, speed }) => (end - start) / speed)
  return animationNames(opened.scene).slices[lengths.indexOf(Math.min(...lengths.filter((length) => length >= 4)))]
}

const take = async (bytes: Uint8Array, more: Partial<CallArgs<'import.animation'>> = {}): Promise<ImportReport> =>
  (await call('import.animation', { model, name: 'x.glb', bytes, ...more })).report

/** A joint with a joint above and below it that turns in the file. */
function turning(document: Document): { node: Node; parent: Node; child: Node } {
  const joints = new Set(document.getRoot().listSkins()[0].listJoints())
  for (const channel of document.getRoot().listAnimations()[0].listChannels()) {
    const node = channel.getTargetNode()!
    const parent = node.getParentNode()
    const child = node.listChildren().find((one) => joints.has(one))
    if (channel.getTargetPath() === 'rotation' && channel.getSampler()!.getInput()!.getCount() > 2 && parent && joints.has(parent) && child)
      return { node, parent, child }
  }
  throw new Error('nothing turns')
}

const channelOf = (document: Document, node: Node, path: 'rotation' | 'translation') =>
  document
    .getRoot()
    .listAnimations()[0]
    .listChannels()
    .find((channel) => channel.getTargetNode() === node && channel.getTargetPath() === path)

async function untouched(): Promise<void> {
  const { info } = await call('model.scene', { model })
  expect([info.dirty, info.history.undo]).toEqual([false, []])
  expect(await call('model.changes', { model })).toEqual([])
}

describe('taken, where it means something', () => {
  it('the export itself: nothing changes', async () => {
    expect((await take(await file())).imported).toMatchObject([{ keysChanged: 0, keysInserted: 0, tracksAdded: 0, moved: [] }])
    await untouched()
  })

  it('sparse accessors', async () => {
    const bytes = await file((document) => {
      for (const animation of document.getRoot().listAnimations())
        for (const sampler of animation.listSamplers()) sampler.getOutput()!.setSparse(true)
    })
    expect(JSON.stringify(await io.binaryToJSON(bytes))).toContain('"sparse"')
    expect((await take(bytes)).imported).toMatchObject([{ keysChanged: 0, keysInserted: 0, moved: [] }])
    await untouched()
  })

  it('splines', async () => {
    let joint = ''
    const bytes = await file((document) => {
      const { node } = turning(document)
      joint = node.getName()
      const sampler = channelOf(document, node, 'rotation')!.getSampler()!
      const times = sampler.getInput()!.getArray()!
      const [start, end] = [times[0], times.at(-1)!]
      const arc = (degrees: number): number[] => [Math.sin((degrees * Math.PI) / 360), 0, 0, Math.cos((degrees * Math.PI) / 360)]
      const flat = [0, 0, 0, 0]
      const scalar = (values: number[]): Accessor =>
        document
          .createAccessor()
          .setType(Accessor.Type.SCALAR)
          .setArray(Float32Array.from(values))
          .setBuffer(sampler.getInput()!.getBuffer())
      const own = document
        .createAnimationSampler()
        .setInterpolation('CUBICSPLINE')
        .setInput(scalar([start, end]))
        .setOutput(scalar([...flat, ...arc(0), ...flat, ...flat, ...arc(40), ...flat]).setType(Accessor.Type.VEC4))
      document.getRoot().listAnimations()[0].addSampler(own)
      channelOf(document, node, 'rotation')!.setSampler(own)
    })
    const { imported, left } = await take(bytes)
    expect(left).toEqual([])
    expect(imported[0].keysChanged + imported[0].keysInserted).toBeGreaterThan(0)
    expect(imported[0].moved[0].joint).toBe(joint)
    // as the curve goes, and not straight from its first key to its last
    expect(imported[0].degrees).toBeLessThan(0.1)
  })

  it('no skin: joints are taken as their nodes rest', async () => {
    const bytes = await file((document) =>
      document
        .getRoot()
        .listSkins()
        .forEach((skin) => skin.dispose()),
    )
    expect((await take(bytes)).imported).toMatchObject([{ keysChanged: 0, keysInserted: 0, moved: [] }])
    await untouched()
  })

  it('another hierarchy: a node in between, and a joint that hangs on another joint', async () => {
    const between = await file((document) => {
      const { node, parent } = turning(document)
      const more = document.createNode('in between').setTranslation(node.getTranslation())
      parent.removeChild(node).addChild(more)
      more.addChild(node)
      const at = node.getTranslation()
      node.setTranslation([0, 0, 0])
      const values = channelOf(document, node, 'translation')?.getSampler()!.getOutput()
      values?.setArray((values.getArray() as Float32Array).map((value, i) => value - at[i % 3]))
    })
    const { imported, left } = await take(between)
    expect(left).toEqual([])
    expect(imported).toMatchObject([{ keysChanged: 0, keysInserted: 0, tracksAdded: 0, moved: [] }])
    await untouched()

    // below the joint that its parent hangs on, going where it went
    let name = ''
    const elsewhere = await file((document) => {
      const { node, parent, child } = turning(document)
      name = child.getName()
      const times = channelOf(document, node, 'rotation')!.getSampler()!.getInput()!.getArray()!
      const sampled = [...times].map((time) => within(document, [node, child], time))
      const rest = multiplied([local(node), local(child)])
      node.removeChild(child)
      parent.addChild(child)
      for (const path of ['rotation', 'translation'] as const) channelOf(document, child, path)?.dispose()
      const animation = document.getRoot().listAnimations()[0]
      const buffer = document.getRoot().listBuffers()[0]
      const put = (path: 'rotation' | 'translation', values: number[]): void => {
        const accessor = (type: 'SCALAR' | 'VEC3' | 'VEC4', array: number[]): Accessor =>
          document.createAccessor().setType(type).setArray(Float32Array.from(array)).setBuffer(buffer)
        const sampler = document
          .createAnimationSampler()
          .setInput(accessor('SCALAR', [...times]))
          .setOutput(accessor(path === 'rotation' ? 'VEC4' : 'VEC3', values))
        animation.addSampler(sampler)
        animation.addChannel(document.createAnimationChannel().setTargetNode(child).setTargetPath(path).setSampler(sampler))
      }
      put(
        'rotation',
        sampled.flatMap(({ r }) => [...r]),
      )
      put(
        'translation',
        sampled.flatMap(({ t }) => [...t]),
      )
      const { t, r, s } = parts(rest)
      child
        .setTranslation([...t] as [number, number, number])
        .setRotation([...r] as [number, number, number, number])
        .setScale([...s] as [number, number, number])
    })
    const report = await take(elsewhere)
    expect(report.assumed).toEqual([expect.stringContaining(name)])
    expect(report.left).toEqual([])
    // between two of its times the two ways are not quite one
    for (const { joint, degrees } of report.imported[0].moved) expect(degrees, joint).toBeLessThan(1)
  })
})

describe('left out, and named', () => {
  it('values that are no numbers: of their channel alone', async () => {
    const bytes = await file((document) => {
      const { node } = turning(document)
      const output = channelOf(document, node, 'rotation')!.getSampler()!.getOutput()!
      output.setArray((output.getArray() as Float32Array).map((value, i) => (i === 5 ? NaN : value)))
    })
    const report = await take(bytes)
    expect(report.left).toEqual([expect.stringContaining('no number')])
    expect(report.imported).toMatchObject([{ keysChanged: 0, keysInserted: 0, moved: [] }])
    expect(report.imported[0].joints).toBeGreaterThan(1)
    await untouched()
  })

  it('animations of meshes and morphs', async () => {
    const bytes = await file((document) => {
      const animation = document.getRoot().listAnimations()[0]
      const [sampler] = animation.listSamplers()
      const mesh = document.createNode('a mesh').setMesh(document.createMesh('m'))
      document.getRoot().listScenes()[0].addChild(mesh)
      const rotation = animation.listChannels().find((channel) => channel.getTargetPath() === 'rotation')!
      animation.addChannel(
        document.createAnimationChannel().setTargetNode(mesh).setTargetPath('rotation').setSampler(rotation.getSampler()),
      )
      const weights = document.createAnimationSampler().setInput(sampler.getInput()).setOutput(sampler.getInput())
      animation.addSampler(weights)
      animation.addChannel(document.createAnimationChannel().setTargetNode(mesh).setTargetPath('weights').setSampler(weights))
    })
    const report = await take(bytes)
    expect(report).toMatchObject({ unmatched: ['a mesh'], left: ['animation of other things than bones'] })
    expect(report.imported).toMatchObject([{ keysChanged: 0, keysInserted: 0, moved: [] }])
    await untouched()
  })
})

describe('refused whole', () => {
  it.each([
    ['a buffer that is not there', 'truncated', (json: Json) => (json.buffers[0].uri = 'gone.bin')],
    ['an accessor beyond its buffer', 'truncated', (json: Json) => (json.accessors[json.animations[0].samplers[0].input].count = 2 ** 30)],
    ['more than memory holds', 'truncated', (json: Json) => (json.buffers[0].byteLength = 500 * 2 ** 20)],
    ['times that go back', 'bad-value', (json: Json) => (json.animations[0].samplers[0].input = json.animations[0].samplers[0].output)],
  ])('%s', async (_what, code, change) => {
    const whole = await io.binaryToJSON(await file())
    const json = structuredClone(whole.json) as unknown as Json
    const [data] = Object.values(whole.resources)
    json.buffers[0].uri = `data:application/octet-stream;base64,${Buffer.from(data).toString('base64')}`
    change(json)
    const bytes = new TextEncoder().encode(JSON.stringify(json))
    await expect(take(bytes, { weights: true, rest: true })).rejects.toMatchObject({ code, file: 'x.glb' })
    await untouched()
  })
})

interface Json {
  buffers: { uri?: string; byteLength: number }[]
  accessors: { count: number }[]
  animations: { samplers: { input: number; output: number }[] }[]
}

function local(node: Node): Float64Array {
  const out = new Float64Array(16)
  compose(out, 0, node.getTranslation(), 0, node.getRotation(), 0, node.getScale(), 0)
  return out
}

function multiplied(matrices: Float64Array[]): Float64Array {
  const out = new Float64Array(16)
  invertAffine(out, 0, Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1), 0)
  for (const matrix of matrices) multiply(out, 0, out, 0, matrix, 0)
  return out
}

function parts(matrix: Float64Array): { t: Float64Array; r: Float64Array; s: Float64Array } {
  const out = { t: new Float64Array(3), r: new Float64Array(4), s: new Float64Array(3) }
  decompose(matrix, 0, out.t, 0, out.r, 0, out.s, 0)
  return out
}

/** What nodes that hang on one another show at a time at which those that move have keys. */
function within(document: Document, nodes: Node[], time: number): { t: Float64Array; r: Float64Array; s: Float64Array } {
  const at = (node: Node): Float64Array => {
    const copy = document.createNode().setTranslation(node.getTranslation()).setRotation(node.getRotation()).setScale(node.getScale())
    for (const path of ['rotation', 'translation'] as const) {
      const sampler = channelOf(document, node, path)?.getSampler()
      if (!sampler) continue
      const times = [...sampler.getInput()!.getArray()!]
      const key = times.findLastIndex((own) => own <= time + 1e-6)
      const value = sampler.getOutput()!.getElement(Math.max(0, key), [] as number[])
      if (path === 'rotation') copy.setRotation(value as [number, number, number, number])
      else copy.setTranslation(value as [number, number, number])
    }
    const out = local(copy)
    copy.dispose()
    return out
  }
  return parts(multiplied(nodes.map(at)))
}
