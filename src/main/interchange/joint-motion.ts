/** One joint of a glTF's animation in what the model's joint means. */
import { IDENTITY, compose, decompose, multiply } from '../../shared/scene/matrix.ts'
import { inverse } from './affine.ts'
import { sampleChannel, straightArc } from './gltf-sampling.ts'
import type { GltfAnimation, GltfChannel, GltfFile, GltfPath } from './gltf-reader.ts'
import type { JointSource } from './gltf-rest.ts'

/** Evaluates one joint of an animation into parts that mean what the model's do. */
export class JointMotion {
  /** seconds at which the file says something of it, ascending */
  readonly times: number[]
  /** the file moves this part of it */
  readonly moves: Readonly<Record<GltfPath, boolean>>
  /** its values are held from one time to the next */
  readonly stepped: Readonly<Record<GltfPath, boolean>>
  private readonly source: JointSource
  private readonly file: GltfFile
  private readonly byNode: ChannelsByNode
  private readonly matrix = new Float64Array(16)
  private readonly step = new Float64Array(16)
  private readonly parent = new Float64Array(16)
  private readonly value = new Float32Array(4)

  constructor(file: GltfFile, source: JointSource, byNode: ChannelsByNode) {
    this.file = file
    this.source = source
    this.byNode = byNode
    const { nodes, below } = source
    const around = [...new Set([...nodes.slice(0, -1), ...(below?.nodes ?? [])])].map((node) => byNode.get(node))
    const own = byNode.get(nodes.at(-1)!) ?? {}
    this.times = [...new Set([...around, own].flatMap((parts) => Object.values(parts ?? {})).flatMap(timesOf))].sort((a, b) => a - b)
    const alone = nodes.length === 1 && !below
    const held = (path: GltfPath): boolean => alone && own[path]?.interpolation === 'STEP'
    this.stepped = { translation: held('translation'), rotation: held('rotation'), scale: held('scale') }
    // turned parents turn what is moved below them too
    const above = around.some(Boolean)
    this.moves = {
      translation: !source.turnsOnly && (above || own.translation !== undefined),
      rotation: above || own.rotation !== undefined,
      scale: above || own.scale !== undefined,
    }
  }

  /**
   * @param out parts of the joint's local transform
   * @param straight rotations go in straight lines between two keys
   */
  at(seconds: number, out: Record<GltfPath, Float64Array>, straight = false): void {
    const { nodes, below, left, right, plain } = this.source
    if (plain) {
      this.partsOf(nodes[0], seconds, out, straight)
      return
    }
    this.matrix.set(IDENTITY)
    this.along(nodes, seconds, out, straight)
    multiply(this.matrix, 0, this.matrix, 0, right, 0)
    if (below) {
      this.parent.set(this.matrix)
      this.matrix.set(IDENTITY)
      this.along(below.nodes, seconds, out, straight)
      multiply(this.matrix, 0, this.matrix, 0, below.right, 0)
      multiply(this.matrix, 0, inverse(this.matrix), 0, this.parent, 0)
    }
    multiply(this.matrix, 0, left, 0, this.matrix, 0)
    decompose(this.matrix, 0, out.translation, 0, out.rotation, 0, out.scale, 0)
  }

  /** What nodes one below the other do. */
  private along(nodes: readonly number[], seconds: number, out: Record<GltfPath, Float64Array>, straight: boolean): void {
    for (const node of nodes) {
      this.partsOf(node, seconds, out, straight)
      compose(this.step, 0, out.translation, 0, out.rotation, 0, out.scale, 0)
      multiply(this.matrix, 0, this.matrix, 0, this.step, 0)
    }
  }

  private partsOf(node: number, seconds: number, out: Record<GltfPath, Float64Array>, straight: boolean): void {
    const channels = this.byNode.get(node)
    for (const path of PATHS) {
      const channel = channels?.[path]
      if (!channel) {
        out[path].set(this.file.nodes[node][path])
        continue
      }
      if (straight && path === 'rotation') straightArc(channel, seconds, this.value)
      else sampleChannel(channel, seconds, this.value)
      for (let c = 0; c < out[path].length; c++) out[path][c] = this.value[c]
    }
  }
}

/** Channels of an animation by their node. */
export type ChannelsByNode = ReadonlyMap<number, Partial<Record<GltfPath, GltfChannel>>>

/** Keys of a channel; a curve is taken apart. */
function timesOf({ times, interpolation }: GltfChannel): number[] {
  const out = [...times]
  const [first, last] = [times[0], times.at(-1)!]
  if (interpolation !== 'CUBICSPLINE' || !(last > first)) return out
  const count = Math.min(MOST_SAMPLES, Math.ceil((last - first) * CURVE_RATE))
  for (let i = 1; i < count; i++) out.push(first + ((last - first) * i) / count)
  return out
}

/** Samples of a curve in a second, and at most. */
const CURVE_RATE = 30
const MOST_SAMPLES = 100_000

export const PATHS: readonly GltfPath[] = ['translation', 'rotation', 'scale']

/** Channels of an animation by node; of several for one thing the first counts, as in Blender. */
export function channelsByNode(animation: GltfAnimation): ChannelsByNode {
  const out = new Map<number, Partial<Record<GltfPath, GltfChannel>>>()
  for (const channel of animation.channels) {
    const parts = out.get(channel.index) ?? {}
    parts[channel.path] ??= channel
    out.set(channel.index, parts)
  }
  return out
}
