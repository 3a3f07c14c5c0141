/** Joints of the scene: those of all clumps of a file, in one skeleton. */
import { buildSkeleton } from '../../../../shared/scene/pose.ts'
import { mendMatrices } from '../../finite.ts'
import { boneKey } from './clips.ts'
import { clumpJoints, sceneLocals } from './clump-joints.ts'
import { say } from '../texts/index.ts'
import type { Scene, SourceRef } from '../../../../shared/scene/types.ts'
import type { Diagnostics } from '../../format.ts'
import type { JointFinder } from './clips.ts'
import type { ClumpJoints } from './clump-joints.ts'
import type { Chunk } from '../codecs/chunk.ts'
import type { ClumpView } from '../codecs/model.ts'

/** The joints of a file's clumps, and where they are in the scene. */
export interface Rig {
  clumps: readonly ClumpJoints[]
  /** first joint of each clump, before the skeleton is put in order */
  first: readonly number[]
  /** joint of the scene for each joint in the order of the clumps */
  jointOf: Int32Array
  finder: JointFinder
}

export function addSkeleton(
  scene: Scene,
  clumps: readonly ClumpView[],
  sourceOf: (chunk: Chunk) => SourceRef,
  diagnostics: Diagnostics,
): Rig {
  const clumpsJoints: ClumpJoints[] = []
  const first: number[] = []
  const names: string[] = []
  const parents: number[] = []
  const locals: Float32Array[] = []
  const natives: { clump: number; frame: number; node: number }[] = []
  clumps.forEach((clump, c) => {
    const joints = clumpJoints(clump)
    clumpsJoints.push(joints)
    first.push(names.length)
    const from = names.length
    for (const name of joints.names) names.push(name)
    for (const p of joints.parents) parents.push(p < 0 ? -1 : from + p)
    locals.push(sceneLocals(joints))
    const nodeOf = new Int32Array(joints.names.length).fill(-1)
    joints.jointOfNode.forEach((joint, node) => {
      if (joint >= 0 && nodeOf[joint] < 0) nodeOf[joint] = node
    })
    joints.names.forEach((_, i) => natives.push({ clump: c, frame: joints.frameOfJoint[i], node: nodeOf[i] }))
    if (joints.agreement.of > 0 && joints.agreement.bones < joints.agreement.of / 2) {
      diagnostics.add(
        'info',
        'renderware.frames-not-bind',
        say('scene.framesNotBind', { bones: joints.agreement.bones, of: joints.agreement.of }),
        'clump.frameList',
      )
    }
  })
  const all = new Float32Array(16 * names.length)
  let at = 0
  for (const l of locals) {
    all.set(l, at)
    at += l.length
  }
  mendMatrices(all)
  const clumpSources = clumps.map((clump) => sourceOf(clump.chunk))
  const built = buildSkeleton(names, parents, all, (native) => {
    const { clump, frame, node } = natives[native]
    const { ref, path } = clumpSources[clump]
    return { ref, path: frame >= 0 ? `${path}.frameList.struct.frames[${frame}]` : `${path}.nodes[${node}]` }
  })
  scene.skeleton = built.skeleton
  built.skeleton.nativeIndex = built.skeleton.nativeIndex.map((native) => natives[native].frame)
  const carriers = new Set<number>()
  clumps.forEach((clump, c) => clump.atomics.forEach((a) => a.frame >= 0 && carriers.add(first[c] + a.frame)))
  const isNode = natives.map(
    ({ clump, frame, node }) => node >= 0 || (frame >= 0 && (clumps[clump].frames[frame].hanim?.nodeId ?? -1) >= 0),
  )
  const holders = new Set<number>()
  // where there are nodes, a frame that holds none of them is nothing that moves
  isNode.forEach((is, native) => {
    if (!is && clumps[natives[native].clump].nodes.length > 0) return
    for (let above = parents[native]; above >= 0 && !holders.has(above); above = parents[above]) holders.add(above)
  })
  const roles = natives.map((_, native): 'joint' | 'attach' | 'mesh' => {
    if (isNode[native]) return 'joint'
    if (carriers.has(native)) return 'mesh'
    return holders.has(native) ? 'joint' : 'attach'
  })
  built.skeleton.roles = Array.from(built.skeleton.names, () => 'joint' as const)
  roles.forEach((role, native) => (built.skeleton.roles![built.jointOf[native]] = role))
  return { clumps: clumpsJoints, first, jointOf: built.jointOf, finder: finderOf(clumps, natives, built.jointOf) }
}

/** Joints by what animations call them. */
function finderOf(
  clumps: readonly ClumpView[],
  natives: readonly { clump: number; frame: number; node: number }[],
  jointOf: Int32Array,
): JointFinder {
  const byId = new Map<number, number[]>()
  const byName = new Map<string, number[]>()
  const byNode: number[][] = []
  const put = <K>(map: Map<K, number[]>, key: K, joint: number): void => {
    const list = map.get(key)
    if (list) list.push(joint)
    else map.set(key, [joint])
  }
  natives.forEach(({ clump, frame, node }, native) => {
    const joint = jointOf[native]
    const view = clumps[clump]
    const id = view.frames[frame]?.hanim?.nodeId ?? view.nodes[node]?.id ?? -1
    if (id >= 0) put(byId, id, joint)
    const name = boneKey(frame >= 0 ? view.frames[frame].name : '')
    if (name) put(byName, name, joint)
    if (node >= 0) (byNode[node] ??= []).push(joint)
  })
  const none: number[] = []
  return {
    byId: (id) => byId.get(id) ?? none,
    byName: (name) => byName.get(name) ?? none,
    byNode: (node) => byNode[node] ?? none,
    nodeCount: byNode.length,
  }
}
