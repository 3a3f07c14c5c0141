/**
 * Animations of a glTF file, the nodes that they move, and what the file says of how these rest. Nothing else of it is
 * looked at, and what its JSON promises is checked against its bytes before the library that reads it allocates anything.
 */
import { GLB_BUFFER, WebIO } from '@gltf-transform/core'
import { say } from '../../shared/texts/say.ts'
import type { GLTF, JSONDocument } from '@gltf-transform/core'
import { FormatError } from '../binary/format-error.ts'
import { dataUri, jsonAndBinary } from './gltf-container.ts'
import { meshRefs, readMeshes } from './gltf-meshes.ts'
import type { Fail } from './gltf-container.ts'
import type { GltfMesh, MeshRefs } from './gltf-meshes.ts'
import { uniqueNames } from '../../shared/scene/animation-names.ts'
import { IDENTITY, decompose } from '../../shared/scene/matrix.ts'

export type GltfPath = 'translation' | 'rotation' | 'scale'

export interface GltfNode {
  name: string
  /** `name`, with a number where another node of the file has it: what people and calls say which one they mean by */
  title: string
  /** number of the node above it, -1 for none */
  parent: number
  translation: Float64Array
  /** x, y, z, w of length 1 */
  rotation: Float64Array
  scale: Float64Array
  /** 16: from the space that the file's skins are bound in to the node's; absent for nodes that are no joint of a skin */
  inverseBind?: Float64Array
}

export interface GltfFile {
  /** the program that wrote it, in its own words */
  generator: string
  nodes: GltfNode[]
  animations: GltfAnimation[]
  /** skinned ones, where they were asked for */
  meshes: GltfMesh[]
  /** what could not be read and was left out, in words */
  left: string[]
}

export interface GltfChannel {
  /** its title */
  node: string
  /** its number */
  index: number
  /** title of the nearest node above it that any animation moves; '' for none */
  parent: string
  path: GltfPath
  interpolation: 'LINEAR' | 'STEP' | 'CUBICSPLINE'
  /** seconds, ascending */
  times: Float32Array
  /** 3 or 4 per key; CUBICSPLINE: tangent in, value, tangent out */
  values: Float32Array
}

export interface GltfAnimation {
  name: string
  /** `name`, with a number where another animation of the file has it, or where it has none */
  title: string
  channels: GltfChannel[]
  /** channels of other things: morph weights, pointers */
  ignored: number
  /** first and last time of all channels, seconds */
  start: number
  duration: number
}

/** Largest file, and most numbers in its animations. */
const MOST_BYTES = 2 ** 29
const MOST_NUMBERS = 64 * 2 ** 20
const MOST_NODES = 100_000
const MOST_CHANNELS = 100_000
/** Nodes above one another that are looked through for one that is moved. */
const MOST_DEPTH = 1000
const WIDTH: Record<string, number> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 }
const BYTES: Record<number, number> = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 }

export interface ReadOptions {
  /** bytes of a buffer beside a .gltf, by its name in the file; a GLB has its own */
  resource?: (uri: string) => Uint8Array
  /** skinned meshes too */
  meshes?: boolean
}

/**
 * @throws FormatError bad-magic, truncated, bad-count, bad-value, unsupported
 */
export async function readGltf(bytes: Uint8Array, file: string, { resource, meshes = false }: ReadOptions = {}): Promise<GltfFile> {
  const fail = (
    code: 'bad-magic' | 'truncated' | 'bad-count' | 'bad-value' | 'unsupported',
    message: string,
    path = '',
    offset = -1,
  ): never => {
    throw new FormatError(code, message, { file, path, offset })
  }
  if (bytes.length > MOST_BYTES) fail('unsupported', say('gltf.fileTooLarge', { count: bytes.length }))
  const { json, bin } = jsonAndBinary(bytes, fail)
  const left: string[] = []
  const { pruned, binds, shapes, elsewhere } = prune(json, fail, left, meshes)
  const above = parentsOf(json, pruned.nodes!.length)
  const titles = uniqueNames(pruned.nodes!.map(({ name }, i) => name || `node ${i}`))
  const animationTitles = uniqueNames(pruned.animations!.map(({ name }, i) => name || `animation ${i}`))
  const parents = animatedParents(above, pruned, titles)
  const resources: Record<string, Uint8Array<ArrayBuffer>> = {}
  let total = 0
  const sizes = (pruned.buffers ?? []).map((buffer, i) => {
    const uri = buffer.uri
    let found: Uint8Array | undefined
    if (uri === undefined) found = i === 0 ? bin : undefined
    else if (uri.startsWith('data:')) found = dataUri(uri) ?? fail('bad-value', say('gltf.bufferUnreadable'), `buffers[${i}].uri`)
    else found = resource?.(uri)
    if (!found)
      return fail(
        'truncated',
        uri === undefined ? say('gltf.noBinary') : say('gltf.bufferMissing', { name: uri.slice(0, 100) }),
        `buffers[${i}]`,
      )
    if (!(buffer.byteLength <= found.length))
      fail('truncated', say('gltf.bufferShort', { wanted: buffer.byteLength, got: found.length }), `buffers[${i}].byteLength`)
    // a thousand buffers may be one large file
    total += found.length
    if (total > MOST_BYTES) fail('unsupported', say('gltf.buffersTooLarge', { most: MOST_BYTES }), `buffers[${i}]`)
    // one name for all, so that nothing is ever looked up by a name from the file
    buffer.uri = i === 0 && uri === undefined ? undefined : `buffer${i}`
    // what is read of it is copied there
    resources[buffer.uri ?? GLB_BUFFER] = found as Uint8Array<ArrayBuffer>
    return found.length
  })
  checkAccessors(pruned, sizes, fail)
  try {
    const document = await new WebIO().readJSON({ json: pruned, resources } satisfies JSONDocument)
    const numbers = new Map(
      document
        .getRoot()
        .listNodes()
        .map((node, i) => [node, i]),
    )
    const nodes = pruned.nodes!.map((node, i) => restOf({ name: node.name ?? '', title: titles[i], parent: above[i] }, json.nodes![i]))
    const accessors = document.getRoot().listAccessors()
    for (const { joints, accessor } of binds) {
      const matrices = accessors[accessor] as (typeof accessors)[number] | undefined
      if (matrices?.getElementSize() !== 16 || matrices.getCount() < joints.length) {
        left.push(say('gltf.bindMisfit'))
        continue
      }
      joints.forEach((joint, i) => {
        const matrix = Float64Array.from(matrices.getElement(i, []))
        // a joint of several skins goes by the first
        if (nodes[joint] && matrix.every(Number.isFinite)) nodes[joint].inverseBind ??= matrix
      })
    }
    const animations = document
      .getRoot()
      .listAnimations()
      .map((animation, a): GltfAnimation => {
        const channels: GltfChannel[] = []
        let ignored = elsewhere[a]
        for (const channel of animation.listChannels()) {
          const sampler = channel.getSampler()
          const [input, output] = [sampler?.getInput(), sampler?.getOutput()]
          const path = channel.getTargetPath()
          const node = channel.getTargetNode()
          if (!sampler || !input || !output || !node || (path !== 'translation' && path !== 'rotation' && path !== 'scale')) {
            ignored++
            continue
          }
          const width = path === 'rotation' ? 4 : 3
          const interpolation = sampler.getInterpolation()
          const index = numbers.get(node)!
          const where = `animations.${animationTitles[a]}.${titles[index]}.${path}`
          if (input.getElementSize() !== 1 || output.getElementSize() !== width) fail('bad-value', say('gltf.timesOfOtherKind'), where)
          if (output.getCount() !== input.getCount() * (interpolation === 'CUBICSPLINE' ? 3 : 1))
            fail('bad-count', say('gltf.timesMisfit', { times: input.getCount(), values: output.getCount() }), where)
          const times = plain(input, 1)
          const values = plain(output, width)
          if (times.some((t, i) => !Number.isFinite(t) || (i > 0 && t < times[i - 1]))) fail('bad-value', say('gltf.timesDescend'), where)
          if (!values.every(Number.isFinite))
            left.push(say('gltf.noNumber', { part: path, node: titles[index], animation: animationTitles[a] }))
          else if (times.length > 0)
            channels.push({ node: titles[index], index, parent: parents[index] ?? '', path, interpolation, times, values })
          else ignored++
        }
        return {
          name: animation.getName(),
          title: animationTitles[a],
          channels,
          ignored,
          start: channels.reduce((least, c) => Math.min(least, c.times[0]), Infinity),
          duration: channels.reduce((most, c) => Math.max(most, c.times.at(-1)!), 0),
        }
      })
    const generator: unknown = (json.asset as GLTF.IAsset | undefined)?.generator
    const skinned = readMeshes(shapes, accessors, left)
    return {
      generator: typeof generator === 'string' ? generator.slice(0, 200) : '',
      nodes,
      animations,
      meshes: skinned,
      left: [...new Set(left)],
    }
  } catch (error) {
    if (error instanceof FormatError) throw error
    throw new FormatError('bad-value', say('gltf.unreadable', { why: (error as Error).message }), { file })
  }
}

/** Numbers as they are meant, normalised integers turned into floats. */
function plain(accessor: { getCount(): number; getElement(i: number, out: number[]): number[] }, width: number): Float32Array {
  const out = new Float32Array(accessor.getCount() * width)
  const element: number[] = []
  for (let i = 0; i < accessor.getCount(); i++) out.set(accessor.getElement(i, element).slice(0, width), i * width)
  return out
}

/** Joints of a skin, and the accessor of their bind matrices. */
interface Bind {
  joints: number[]
  accessor: number
}

interface Pruned {
  pruned: GLTF.IGLTF
  binds: Bind[]
  shapes: MeshRefs[]
  /** of each animation how many channels move no node */
  elsewhere: number[]
}

/** Only animations, skins, where asked for skinned meshes, what they read, and the names of what they move; numbered anew. */
function prune(json: GLTF.IGLTF, fail: Fail, left: string[], meshes: boolean): Pruned {
  const list = <T>(value: T[] | undefined, name: string, most: number): T[] => {
    if (value === undefined) return []
    if (!Array.isArray(value) || value.some((entry) => typeof entry !== 'object' || entry === null))
      return fail('bad-value', say('gltf.noList', { name }), name)
    return value.length > most ? fail('bad-count', say('gltf.tooMany', { count: value.length, name }), name) : value
  }
  const nodes = list(json.nodes, 'nodes', MOST_NODES).map((node) => ({
    name: typeof node.name === 'string' ? node.name.slice(0, 1000) : '',
  }))
  const accessors = list(json.accessors, 'accessors', MOST_NODES * 4)
  const views = list(json.bufferViews, 'bufferViews', MOST_NODES * 4)
  const buffers = list(json.buffers, 'buffers', 1000)
  const usedAccessors = new Map<number, number>()
  const kept: GLTF.IAccessor[] = []
  const accessor = (index: number, path: string): number => {
    let at = usedAccessors.get(index)
    if (at === undefined) {
      const found = accessors[index] ?? fail('bad-value', say('gltf.noAccessor', { index }), path)
      const sparse = sparseOf(found.sparse)
      if (found.sparse !== undefined && !sparse) fail('bad-value', say('gltf.sparseWithout'), path)
      // a sparse one may stand on nothing but zeros
      const needed = found.bufferView === undefined && sparse ? [] : [found.bufferView]
      for (const number of [...needed, sparse?.indices.bufferView, sparse?.values.bufferView].slice(0, sparse ? undefined : 1)) {
        const view = views[number ?? -1] ?? fail('unsupported', say('gltf.noBytes'), path)
        if (view.extensions && Object.keys(view.extensions).length > 0) fail('unsupported', say('gltf.compressed'), path)
        if (!buffers[view.buffer]) fail('bad-value', say('gltf.noBuffer', { buffer: view.buffer }), path)
      }
      usedAccessors.set(index, (at = kept.length))
      kept.push({
        bufferView: found.bufferView,
        byteOffset: found.byteOffset,
        componentType: found.componentType,
        normalized: found.normalized === true,
        count: found.count,
        type: found.type,
        ...(sparse ? { sparse } : {}),
      })
    }
    return at
  }
  const elsewhere: number[] = []
  const animations = list(json.animations, 'animations', MOST_CHANNELS).map((animation, a): GLTF.IAnimation => {
    elsewhere[a] = 0
    const path = `animations[${a}]`
    const samplers = list(animation.samplers, `${path}.samplers`, MOST_CHANNELS).map((sampler, i): GLTF.IAnimationSampler => {
      const mode = sampler.interpolation ?? 'LINEAR'
      if (mode !== 'LINEAR' && mode !== 'STEP' && mode !== 'CUBICSPLINE')
        fail('bad-value', say('gltf.interpolation'), `${path}.samplers[${i}]`)
      return {
        interpolation: mode,
        input: accessor(sampler.input, `${path}.samplers[${i}].input`),
        output: accessor(sampler.output, `${path}.samplers[${i}].output`),
      }
    })
    const channels = list(animation.channels, `${path}.channels`, MOST_CHANNELS).flatMap((channel, i): GLTF.IAnimationChannel[] => {
      const target = channel.target as GLTF.IAnimationChannelTarget | undefined
      if (!samplers[channel.sampler] || typeof target !== 'object' || target === null)
        fail('bad-value', say('gltf.channel'), `${path}.channels[${i}]`)
      if (target.node === undefined || !nodes[target.node]) {
        elsewhere[a]++
        return []
      }
      return [{ sampler: channel.sampler, target: { node: target.node, path: target.path } }]
    })
    return { name: typeof animation.name === 'string' ? animation.name.slice(0, 1000) : '', samplers, channels }
  })
  const binds = list(json.skins, 'skins', MOST_NODES).flatMap((skin, i): Bind[] => {
    const joints = Array.isArray(skin.joints) ? skin.joints.slice(0, MOST_NODES) : []
    if (skin.inverseBindMatrices === undefined || joints.length === 0) return []
    try {
      return [{ joints, accessor: accessor(skin.inverseBindMatrices, `skins[${i}].inverseBindMatrices`) }]
    } catch (error) {
      // without them the joints are taken as they stand
      left.push(say('gltf.bindUnreadable', { why: (error as Error).message }))
      return []
    }
  })
  const shapes = meshes ? meshRefs(json, accessor, left) : []
  const pruned: GLTF.IGLTF = {
    asset: { version: '2.0' },
    nodes,
    animations,
    accessors: kept,
    bufferViews: views.map(({ buffer, byteOffset, byteLength, byteStride }) => ({
      buffer: buffers[buffer] ? buffer : 0,
      byteOffset,
      byteLength,
      byteStride,
    })),
    buffers: buffers.map(({ uri, byteLength }) => ({ uri: typeof uri === 'string' ? uri : undefined, byteLength })),
  }
  return { pruned, binds, shapes, elsewhere }
}

/** What a sparse accessor has to say, and nothing more of it. */
function sparseOf(sparse: GLTF.IAccessor['sparse']): GLTF.IAccessor['sparse'] | undefined {
  const indices = sparse?.indices
  const values = sparse?.values
  if (!sparse || typeof indices !== 'object' || typeof values !== 'object' || !indices || !values) return undefined
  return {
    count: sparse.count,
    indices: { bufferView: indices.bufferView, byteOffset: indices.byteOffset, componentType: indices.componentType },
    values: { bufferView: values.bufferView, byteOffset: values.byteOffset },
  }
}

/** Of every node the number of the one above it, -1 for none. What the file says of children is not to be believed: rings are cut. */
function parentsOf(json: GLTF.IGLTF, count: number): Int32Array {
  const parent = new Int32Array(count).fill(-1)
  json.nodes?.forEach(({ children }, i) => {
    if (Array.isArray(children))
      for (const child of children)
        if (Number.isInteger(child) && child >= 0 && child < count && parent[child] < 0 && child !== i) parent[child] = i
  })
  const seen = new Int32Array(count).fill(-1)
  for (let i = 0; i < count; i++)
    for (let at = i; at >= 0 && (seen[at] < 0 || seen[at] === i); at = parent[at]) {
      if (seen[at] === i) {
        parent[at] = -1
        break
      }
      seen[at] = i
    }
  return parent
}

/** A node's own transform; parts that are no numbers are those of a node that stands still. */
function restOf(named: Pick<GltfNode, 'name' | 'title' | 'parent'>, node: GLTF.INode): GltfNode {
  const numbers = (value: unknown, otherwise: readonly number[]): Float64Array =>
    Array.isArray(value) && value.length === otherwise.length && value.every((v) => Number.isFinite(v))
      ? Float64Array.from(value as number[])
      : Float64Array.from(otherwise)
  const out: GltfNode = {
    ...named,
    translation: numbers(node.translation, [0, 0, 0]),
    rotation: numbers(node.rotation, [0, 0, 0, 1]),
    scale: numbers(node.scale, [1, 1, 1]),
  }
  const length = Math.hypot(...out.rotation)
  out.rotation = length > 1e-12 ? out.rotation.map((v) => v / length) : Float64Array.of(0, 0, 0, 1)
  if (Array.isArray(node.matrix)) decompose(numbers(node.matrix, IDENTITY), 0, out.translation, 0, out.rotation, 0, out.scale, 0)
  return out
}

/** Of every node the title of the nearest one above it that is moved. */
function animatedParents(parent: Int32Array, pruned: GLTF.IGLTF, titles: readonly string[]): string[] {
  const nodes = pruned.nodes!
  const moved = new Uint8Array(nodes.length)
  for (const { channels } of pruned.animations!) for (const { target } of channels) moved[target.node!] = 1
  return nodes.map((_, i) => {
    if (!moved[i]) return ''
    let above = parent[i]
    for (let n = 0; above >= 0 && !moved[above] && n < MOST_DEPTH; n++) above = parent[above]
    return above >= 0 && moved[above] && above !== i ? titles[above] : ''
  })
}

/** What accessors promise stands in their buffers. */
function checkAccessors(json: GLTF.IGLTF, sizes: number[], fail: Fail): void {
  let numbers = 0
  const whole = (value: unknown, least: number): value is number => Number.isSafeInteger(value) && (value as number) >= least
  const inView = (number: number, start: number, count: number, width: number, strided: boolean, path: string): void => {
    const { buffer, byteOffset = 0, byteLength, byteStride = 0 } = json.bufferViews![number]
    if (!whole(byteOffset, 0) || !whole(byteLength, 0) || !whole(byteStride, 0) || !whole(start, 0) || !whole(count, 0))
      fail('bad-value', say('gltf.sizes'), path)
    const step = strided && byteStride > 0 ? byteStride : width
    if (step < width) fail('bad-value', say('gltf.sizes'), path)
    const size = count === 0 ? 0 : (count - 1) * step + width
    if (start + size > byteLength || byteOffset + byteLength > sizes[buffer]) fail('truncated', say('gltf.accessorEnds', { count }), path)
  }
  json.accessors!.forEach((accessor, i) => {
    const path = `accessors[${i}]`
    const { bufferView, byteOffset = 0, count, sparse } = accessor
    const width = WIDTH[accessor.type] * BYTES[accessor.componentType]
    if (!(width > 0)) fail('bad-value', say('gltf.accessorKind'), path)
    if (!whole(count, 0)) fail('bad-value', say('gltf.sizes'), path)
    numbers += count * WIDTH[accessor.type]
    // before anything of that size is made: zeros take no bytes in the file
    if (numbers > MOST_NUMBERS) fail(bufferView === undefined ? 'bad-count' : 'truncated', say('gltf.numbers', { count: numbers }), path)
    if (bufferView !== undefined) inView(bufferView, byteOffset, count, width, true, path)
    if (!sparse) return
    const index = sparse.indices.componentType
    if (!whole(sparse.count, 0) || sparse.count > count || (index !== 5121 && index !== 5123 && index !== 5125))
      fail('bad-value', say('gltf.sparseMore'), `${path}.sparse`)
    inView(sparse.indices.bufferView, sparse.indices.byteOffset ?? 0, sparse.count, BYTES[index], false, `${path}.sparse.indices`)
    inView(sparse.values.bufferView, sparse.values.byteOffset ?? 0, sparse.count, width, false, `${path}.sparse.values`)
  })
}
