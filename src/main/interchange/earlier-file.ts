/**
 * What a glTF said when it came onto the model last. Of what it says still, edits that were made on the model since stay; what it says anew
 * counts, and where both were edited that is told.
 */
import { FormatError } from '../binary/format-error.ts'
import { matchRest } from './gltf-rest.ts'
import { checkedMap, matchNodes, planJobs } from './import-names.ts'
import { channelsByNode, JointMotion } from './joint-motion.ts'
import type { Scene } from '../../shared/scene/types.ts'
import type { Shown } from './clip-difference.ts'
import type { ExportedRest } from './exported-rest.ts'
import type { GltfFile, GltfPath } from './gltf-reader.ts'
import type { JointSource } from './gltf-rest.ts'
import type { Job, Window, WindowChoice } from './import-names.ts'
import type { ChannelsByNode } from './joint-motion.ts'

export class EarlierFile {
  private readonly file: GltfFile
  private readonly jobs: Job[]
  private readonly sources: Map<number, JointSource>

  private constructor(file: GltfFile, jobs: Job[], sources: Map<number, JointSource>) {
    this.file = file
    this.jobs = jobs
    this.sources = sources
  }

  /** Undefined where it says nothing of this model that could be held against another file. */
  static read(
    scene: Scene,
    rest: ExportedRest,
    file: GltfFile,
    choice: WindowChoice & { map?: Readonly<Record<string, string>> },
  ): EarlierFile | undefined {
    try {
      const { nodeOf } = matchNodes(scene, rest, file, checkedMap(scene, choice.map ?? {}))
      return new EarlierFile(file, planJobs(scene, file, choice).jobs, matchRest(scene, rest, file, nodeOf).sources)
    } catch (error) {
      if (error instanceof FormatError) return undefined
      throw error
    }
  }

  /** What it said of a window; undefined where it had no animation for it. */
  motionsOf({ kind, index }: Window): EarlierMotions | undefined {
    const job = this.jobs.find(({ window }) => window.kind === kind && window.index === index)
    return job && new EarlierMotions(this.file, this.sources, channelsByNode(job.animation))
  }
}

/** Joints of one animation; those that it leaves alone rest as their nodes do. */
class EarlierMotions implements Shown {
  private readonly file: GltfFile
  private readonly sources: ReadonlyMap<number, JointSource>
  private readonly byNode: ChannelsByNode
  private readonly motions = new Map<number, JointMotion>()
  private readonly parts = { translation: new Float64Array(3), rotation: new Float64Array(4), scale: new Float64Array(3) }

  constructor(file: GltfFile, sources: ReadonlyMap<number, JointSource>, byNode: ChannelsByNode) {
    this.file = file
    this.sources = sources
    this.byNode = byNode
  }

  has(joint: number): boolean {
    return this.sources.has(joint)
  }

  at(joint: number, path: GltfPath, seconds: number, out: Float32Array, straight = false): void {
    let motion = this.motions.get(joint)
    if (!motion) this.motions.set(joint, (motion = new JointMotion(this.file, this.sources.get(joint)!, this.byNode)))
    motion.at(seconds, this.parts, straight)
    out.set(this.parts[path])
  }
}
