/** Joints of a clump: its frames, with the bind pose of its skins brought into the frames' space. */
import { identity, invertAffine, multiply } from '../../../../shared/scene/matrix.ts'
import { basisMatrix, frameMatrix, paddedMatrix } from './basis.ts'
import { FRAME_WORDS } from '../codecs/frame-list.ts'
import { HANIM, nodeParents } from '../codecs/hanim.ts'
import { boneMatrix } from '../codecs/skin.ts'
import type { ClumpView } from '../codecs/model.ts'
import type { Skin } from '../codecs/skin.ts'

/** Everything in the clump's own space (Z up, column vectors), one entry of 16 per joint. */
export interface ClumpJoints {
  names: string[]
  /** within the clump, parents first or not */
  parents: Int32Array
  /** world matrices at rest */
  world: Float64Array
  /** local matrices of the frames as stored; the identity for the root frame of a skinned clump */
  frameLocal: Float64Array
  /** joint of each node, -1 for none */
  jointOfNode: Int32Array
  /** frame of each joint, -1 for joints that only a skin has */
  frameOfJoint: Int32Array
  /** raw vertices of skins to the rest pose of the scene: 16 */
  skinToRest: Float64Array
  /** bones whose frames stand as the skin was bound, and all that have both */
  agreement: { bones: number; of: number }
}

/** How far two matrices may differ and still be the same orientation and place. */
const SAME = 0.02

/**
 * Rest pose of a clump. A skinned clump rests in the pose its skin was bound in: bone world = inverse(skinToBone), so that mesh
 * and bones match at rest, and offsets between bones are those the game takes from the skin when it animates. The raw space of
 * the vertices has any orientation (a head along +X is usual, and the frames lie on their face): the whole is turned so that a
 * figure stands upright and looks forward, by its head, feet and sides where it has such bones, else into the frames' space by
 * the rigid turn that most bones agree on (inverse(skinToBone) = frame world * C). Animations replace the local matrix of the
 * first bone and so bring their own orientation.
 */
export function clumpJoints(clump: ClumpView): ClumpJoints {
  const skins = [...new Set(clump.atomics.map((a) => clump.geometries[a.geometry]?.skin ?? a.legacySkin))].filter(
    (s): s is Skin => s !== undefined,
  )
  const n = clump.frames.length
  const boneCount = skins.reduce((most, s) => Math.max(most, s.numBones), 0)
  const jointOfNode = new Int32Array(Math.max(boneCount, clump.nodes.length)).fill(-1)
  const taken = new Set<number>()
  clump.frameOfNode.forEach((frame, node) => {
    if (frame >= 0 && !taken.has(frame)) {
      jointOfNode[node] = frame
      taken.add(frame)
    }
  })
  const names = clump.frames.map((f, i) => f.name || `frame ${i}`)
  const parents: number[] = clump.frames.map((f) => f.parent)
  const missing: number[] = []
  for (let node = 0; node < jointOfNode.length; node++) {
    // a figure has some dozens; a damaged table may name a million
    if (jointOfNode[node] >= 0 || missing.length >= 1024) continue
    jointOfNode[node] = names.length
    missing.push(node)
    names.push(clump.nodes[node] ? `node ${clump.nodes[node].id}` : `bone ${node}`)
    parents.push(-1)
  }
  if (missing.length) attach(clump, jointOfNode, missing, parents, n)
  const count = names.length
  const frameLocal = new Float64Array(16 * count)
  const world = new Float64Array(16 * count)
  for (let i = 0; i < count; i++) {
    if (i < n) frameMatrix(frameLocal, 16 * i, clump.frameList!.floats, FRAME_WORDS * i)
    else identity(frameLocal, 16 * i)
    // the game puts the figure's place in the world into the root frame: what a skinned file has there is never seen
    const replaced = skins.length > 0 && i < n && parents[i] < 0 && !taken.has(i)
    if (replaced || !finite(frameLocal, 16 * i)) identity(frameLocal, 16 * i)
  }
  const order = parentsFirst(parents)
  const chain = (i: number): void => {
    if (parents[i] < 0) world.set(frameLocal.subarray(16 * i, 16 * i + 16), 16 * i)
    else multiply(world, 16 * i, world, 16 * parents[i], frameLocal, 16 * i)
  }
  order.forEach(chain)
  const skinToRest = new Float64Array(16)
  identity(skinToRest, 0)
  let agreement = { bones: 0, of: 0 }
  if (skins.length) {
    const bind = bindWorlds(skins, jointOfNode)
    agreement = commonTurn(bind, world, n, skinToRest)
    upright(bind, (joint) => names[joint], idOf(clump, jointOfNode), skinToRest)
    const bound = new Set<number>()
    for (const { joint, matrix } of bind) {
      multiply(world, 16 * joint, skinToRest, 0, matrix, 0)
      bound.add(joint)
    }
    // what hangs below a bone and is none moves with it
    for (const i of order) if (!bound.has(i)) chain(i)
  }
  return {
    names,
    parents: Int32Array.from(parents),
    world,
    frameLocal,
    jointOfNode,
    frameOfJoint: Int32Array.from({ length: count }, (_, i) => (i < n ? i : -1)),
    skinToRest,
    agreement,
  }
}

function idOf(clump: ClumpView, jointOfNode: Int32Array): (joint: number) => number {
  const ids = new Map<number, number>()
  clump.nodes.forEach((node, i) => ids.set(jointOfNode[i], node.id))
  return (joint) => ids.get(joint) ?? -1
}

/** Parts of a figure by name (III, Vice City and San Andreas), else by San Andreas' node numbers. */
const LANDMARKS: readonly { part: 'head' | 'foot' | 'left' | 'right'; name: RegExp; ids: readonly number[] }[] = [
  { part: 'head', name: /^s?head$/, ids: [5] },
  { part: 'foot', name: /^[lr] foot$|^sfoot[lr]$/, ids: [43, 53] },
  {
    part: 'left',
    name: /^l (foot|calf|thigh|hand|forearm|upperarm)$|^(sfoot|supperleg|slowerleg|supperarm|slowerarm)l$|^slhand$/,
    ids: [31, 32, 33, 34, 41, 42, 43],
  },
  {
    part: 'right',
    name: /^r (foot|calf|thigh|hand|forearm|upperarm)$|^(sfoot|supperleg|slowerleg|supperarm|slowerarm)r$|^srhand$/,
    ids: [21, 22, 23, 24, 51, 52, 53],
  },
]

/**
 * The turn by quarters that sets a figure on its feet, looking along +Y, its left side on -X. Leaves `out` as it is where the
 * bones do not tell.
 */
function upright(bind: readonly Bind[], nameOf: (joint: number) => string, id: (joint: number) => number, out: Float64Array): void {
  const sums = { head: [0, 0, 0, 0], foot: [0, 0, 0, 0], left: [0, 0, 0, 0], right: [0, 0, 0, 0] }
  const named = bind.some(({ joint }) => LANDMARKS[0].name.test(nameOf(joint).trim().toLowerCase()))
  for (const { joint, matrix } of bind) {
    for (const { part, name, ids } of LANDMARKS) {
      if (named ? !name.test(nameOf(joint).trim().toLowerCase()) : !ids.includes(id(joint))) continue
      for (let c = 0; c < 3; c++) sums[part][c] += matrix[12 + c]
      sums[part][3]++
    }
  }
  if (!sums.head[3] || !sums.foot[3] || !sums.left[3] || !sums.right[3]) return
  const between = (a: number[], b: number[]): number[] => [0, 1, 2].map((c) => a[c] / a[3] - b[c] / b[3])
  const up = between(sums.head, sums.foot)
  const right = between(sums.right, sums.left)
  // of the 24 turns by quarters the one that brings up to +Z and right to +X best
  let most = -Infinity
  let best: number[] = []
  for (let a = 0; a < 6; a++) {
    for (let b = 0; b < 6; b++) {
      if (a % 3 === b % 3) continue
      const z = [0, 0, 0]
      const x = [0, 0, 0]
      z[a % 3] = a < 3 ? 1 : -1
      x[b % 3] = b < 3 ? 1 : -1
      const score = dot(up, z) * 2 + dot(right, x)
      if (score <= most) continue
      most = score
      const y = [z[1] * x[2] - z[2] * x[1], z[2] * x[0] - z[0] * x[2], z[0] * x[1] - z[1] * x[0]]
      best = [x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0, 0, 0, 0, 1]
    }
  }
  if (Number.isFinite(most)) out.set(best)
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/** Parents of joints that stand for nodes without a frame: by push and pop, else the first frame. */
function attach(clump: ClumpView, jointOfNode: Int32Array, missing: number[], parents: number[], frames: number): void {
  const nodes = new Int32Array(3 * clump.nodes.length)
  clump.nodes.forEach((node, i) => {
    nodes[3 * i] = node.id
    nodes[3 * i + 2] = node.flags
  })
  const above = nodeParents({ flags: 0, maxKeyFrameSize: 0, nodes }).parents
  for (const node of missing) {
    const joint = jointOfNode[node]
    const parent = node < above.length && above[node] >= 0 ? jointOfNode[above[node]] : frames > 0 ? 0 : -1
    parents[joint] = parent === joint ? -1 : parent
  }
}

/** Push and pop of each node as the frames have them: parents before children, each branch whole; undefined where the order is no such walk. */
export function nodeFlags(clump: ClumpView): Int32Array | undefined {
  const nodeOfFrame = new Map<number, number>()
  clump.frameOfNode.forEach((frame, node) => frame >= 0 && nodeOfFrame.set(frame, node))
  const n = clump.nodes.length
  if (nodeOfFrame.size !== n) return undefined
  const parents = Int32Array.from(clump.frameOfNode, (frame) => {
    let above = clump.frames[frame].parent
    // frames that are no bones stand between; a parent stands before its child, so that this ends
    while (above >= 0 && !nodeOfFrame.has(above) && clump.frames[above].parent < above) above = clump.frames[above].parent
    return nodeOfFrame.get(above) ?? -1
  })
  const flags = new Int32Array(n)
  for (let i = 0; i < n; i++) {
    const more = parents.indexOf(parents[i], i + 1) >= 0
    const children = parents.indexOf(i, i + 1) >= 0
    // a node with a later sibling keeps its parent on the stack, one without children goes back to it
    if (more) flags[i] |= HANIM.push
    if (!children) flags[i] |= HANIM.pop
  }
  const walked = nodeParents({
    flags: 0,
    maxKeyFrameSize: 0,
    nodes: Int32Array.from({ length: 3 * n }, (_, k) => (k % 3 === 2 ? flags[(k - 2) / 3] : 0)),
  })
  return walked.underflows === 0 && walked.left === 0 && walked.parents.every((p, i) => p === parents[i]) ? flags : undefined
}

/** Joint numbers so that parents stand first; cuts cycles by making the joint that closes one a root. */
function parentsFirst(parents: number[]): number[] {
  const state = new Uint8Array(parents.length)
  const order: number[] = []
  for (let i = 0; i < parents.length; i++) {
    const stack: number[] = []
    let j = i
    while (j >= 0 && state[j] === 0) {
      state[j] = 1
      stack.push(j)
      const p = parents[j]
      if (p >= 0 && state[p] === 1) parents[j] = -1
      j = parents[j]
    }
    while (stack.length) {
      const k = stack.pop()!
      state[k] = 2
      order.push(k)
    }
  }
  return order
}

interface Bind {
  joint: number
  /** inverse(skinToBone), column-major */
  matrix: Float64Array
}

/** Bind matrices of the bones; where several skins share a joint the first that has weights on it counts. */
function bindWorlds(skins: readonly Skin[], jointOfNode: Int32Array): Bind[] {
  const found = new Map<number, Bind & { weighted: boolean }>()
  for (const skin of skins) {
    const weighted = new Uint8Array(256)
    for (let i = 0; i < skin.indices.length; i++) if (skin.weights[i] > 0) weighted[skin.indices[i]] = 1
    for (let b = 0; b < skin.numBones; b++) {
      const joint = jointOfNode[b]
      const before = found.get(joint)
      if (joint < 0 || (before && (before.weighted || !weighted[b]))) continue
      const inverse = new Float64Array(16)
      paddedMatrix(inverse, 0, boneMatrix(skin, b), 0)
      const matrix = new Float64Array(16)
      if (!finite(inverse, 0) || !invertAffine(matrix, 0, inverse, 0)) continue
      found.set(joint, { joint, matrix, weighted: weighted[b] === 1 })
    }
  }
  return [...found.values()]
}

/** inverse(C) of the largest group of bones that agree on it; the identity where no bone has a frame. */
function commonTurn(bind: readonly Bind[], world: Float64Array, frames: number, out: Float64Array): { bones: number; of: number } {
  const turns: Float64Array[] = []
  const inverse = new Float64Array(16)
  for (const { joint, matrix } of bind.slice(0, 256)) {
    if (joint >= frames || !invertAffine(inverse, 0, matrix, 0)) continue
    const turn = new Float64Array(16)
    // inverse(C) = frame world * inverse(bind world), as column matrices
    multiply(turn, 0, world, 16 * joint, inverse, 0)
    if (finite(turn, 0)) turns.push(turn)
  }
  let best = -1
  let most = 0
  turns.forEach((turn, i) => {
    const agree = turns.reduce((sum, other) => sum + (same(turn, 0, other, 0) ? 1 : 0), 0)
    if (agree > most) {
      most = agree
      best = i
    }
  })
  if (best >= 0) out.set(turns[best])
  return { bones: most, of: turns.length }
}

function same(a: Float64Array, ao: number, b: Float64Array, bo: number): boolean {
  for (let i = 0; i < 16; i++) if (!(Math.abs(a[ao + i] - b[bo + i]) < SAME)) return false
  return true
}

function finite(m: Float64Array, o: number): boolean {
  for (let i = 0; i < 16; i++) if (!Number.isFinite(m[o + i])) return false
  return true
}

/** Local matrices in the scene's space from world matrices in the clump's. */
export function sceneLocals(joints: ClumpJoints): Float32Array {
  const n = joints.names.length
  const out = new Float32Array(16 * n)
  const inverse = new Float64Array(16)
  const local = new Float64Array(16)
  for (let i = 0; i < n; i++) {
    const p = joints.parents[i]
    if (p < 0) local.set(joints.world.subarray(16 * i, 16 * i + 16))
    else if (invertAffine(inverse, 0, joints.world, 16 * p)) multiply(local, 0, inverse, 0, joints.world, 16 * i)
    else local.set(joints.frameLocal.subarray(16 * i, 16 * i + 16))
    basisMatrix(out, 16 * i, local, 0)
  }
  return out
}
