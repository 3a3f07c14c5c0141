/**
 * A frame put elsewhere at rest. The game takes offsets between bones from the skin, so a bone's place is its skinToBone: it is written anew
 * in every skin of the clump, for the bone and all that hang on it; the frames are kept in step where they stand as the skin was bound.
 */
import { FormatError } from '../../../binary/format-error.ts'
import { identity, invertAffine, multiply, transformPoint } from '../../../../shared/scene/matrix.ts'
import { paddedMatrix } from '../scene/basis.ts'
import { FRAME_WORDS } from '../codecs/frame-list.ts'
import { clumpJoints } from '../scene/clump-joints.ts'
import { boneMatrix } from '../codecs/skin.ts'
import { say } from '../texts/index.ts'
import type { GeometryStruct } from '../codecs/geometry.ts'
import type { ClumpView } from '../codecs/model.ts'
import type { ClumpJoints } from '../scene/clump-joints.ts'
import type { Skin } from '../codecs/skin.ts'

/** Frames and skins of real files agree to some ten thousandths where they agree at all. */
const AGREES = 1e-3
/** Share of a number up to which a difference is rounding: such a number keeps its bits. */
const ROUNDING = 1e-6

/** How a frame of a clump stands at rest, within its parent. */
export interface RestFrame {
  joints: ClumpJoints
  /** column-major; of a bone the one of the skin, else the frame's own */
  local: Float64Array
  /** node of a bone that a skin has, -1 for a frame that is none */
  node: number
  /** whether the frame of a bone says what the skin says */
  agrees: boolean
  /** whether no bone is above the bone: the space of the skin lies between it and its parent, and its frame goes by another turn */
  topmost: boolean
}

function skinsOf(clump: ClumpView): Map<Skin, GeometryStruct | undefined> {
  const out = new Map<Skin, GeometryStruct | undefined>()
  for (const atomic of clump.atomics) {
    const geometry = clump.geometries[atomic.geometry]
    const skin = geometry?.skin ?? atomic.legacySkin
    if (skin && !out.has(skin)) out.set(skin, geometry?.struct)
  }
  return out
}

export function restFrame(clump: ClumpView, frame: number): RestFrame {
  const joints = clumpJoints(clump)
  const bones = [...skinsOf(clump).keys()].reduce((most, skin) => Math.max(most, skin.numBones), 0)
  const bound = (joint: number): number => {
    const node = joints.jointOfNode.indexOf(joint)
    return node < bones ? node : -1
  }
  const local = new Float64Array(16)
  const parent = joints.parents[frame]
  const node = bound(frame)
  if (node < 0) local.set(joints.frameLocal.subarray(16 * frame, 16 * frame + 16))
  else if (parent < 0) local.set(joints.world.subarray(16 * frame, 16 * frame + 16))
  else if (invertAffine(local, 0, joints.world, 16 * parent)) multiply(local, 0, local, 0, joints.world, 16 * frame)
  else throw new FormatError('invalid-edit', say('edit.parentWithoutPlace'))
  let above = parent
  while (above >= 0 && bound(above) < 0) above = joints.parents[above]
  const agrees = node >= 0 && local.every((v, c) => Math.abs(v - joints.frameLocal[16 * frame + c]) < AGREES)
  return { joints, local, node, agrees, topmost: node >= 0 && above < 0 }
}

/** The joint and all that hang on it. */
function branch(joints: ClumpJoints, joint: number): Uint8Array {
  const out = new Uint8Array(joints.names.length)
  for (let i = 0; i < out.length; i++) {
    let at = i
    for (let steps = 0; at >= 0 && at !== joint && steps < out.length; steps++) at = joints.parents[at]
    if (at === joint) out[i] = 1
  }
  return out
}

/**
 * Puts a frame where its local matrix says. Without `keepSkin` the vertices that its branch moves are written where they then are; with it
 * mesh and normals stay, and only the bones below them move.
 * @param to column-major, in the space of its parent at rest
 */
export function moveFrame(clump: ClumpView, frame: number, to: Float64Array, keepSkin: boolean): void {
  const rest = restFrame(clump, frame)
  const { joints, node, local } = rest
  const { floats } = clump.frameList!
  const stored = floats.subarray(FRAME_WORDS * frame, FRAME_WORDS * frame + 12)
  const native = clump.geometries.some((g) => g.native) && clump.frames[frame].hanim !== undefined
  if (native && keepSkin) throw new FormatError('invalid-edit', say('edit.consoleSkin'))
  if (node < 0) {
    putFrame(stored, to, local)
    return
  }
  const back = new Float64Array(16)
  const own = new Float64Array(16)
  if (!invertAffine(back, 0, local, 0) || !invertAffine(new Float64Array(16), 0, to, 0))
    throw new FormatError('invalid-edit', say('edit.boneWithoutPlace'))
  multiply(own, 0, back, 0, to, 0)
  // how the branch goes in the clump's space: the same for every bone of it
  const w = 16 * frame
  const go = new Float64Array(16)
  invertAffine(back, 0, joints.world, w)
  multiply(go, 0, own, 0, back, 0)
  multiply(go, 0, joints.world, w, go, 0)
  const moved = branch(joints, frame)
  for (const [skin, geometry] of skinsOf(clump)) {
    if (!keepSkin && geometry) moveVertices(skin, geometry, joints, moved, go)
    moveBind(skin, joints, moved, go)
  }
  if (rest.agrees) putFrame(stored, to, local)
  else if (rest.topmost) {
    const before = new Float64Array(joints.frameLocal.subarray(w, w + 16))
    const after = new Float64Array(16)
    multiply(after, 0, before, 0, own, 0)
    putFrame(stored, after, before)
  }
}

/** skinToBone' = inverse(world') * world * skinToBone: what a bone does to a vertex at rest is what it did. */
function moveBind(skin: Skin, joints: ClumpJoints, moved: Uint8Array, go: Float64Array): void {
  const m = new Float64Array(16)
  const bind = new Float64Array(16)
  for (let b = 0; b < skin.numBones; b++) {
    const joint = joints.jointOfNode[b]
    if (joint < 0 || !moved[joint]) continue
    multiply(m, 0, go, 0, joints.world, 16 * joint)
    if (!invertAffine(m, 0, m, 0)) continue
    const stored = boneMatrix(skin, b)
    paddedMatrix(bind, 0, stored, 0)
    multiply(m, 0, m, 0, joints.world, 16 * joint)
    multiply(m, 0, m, 0, bind, 0)
    for (let c = 0; c < 16; c++) if (c % 4 !== 3 && !near(stored[c], m[c])) stored[c] = m[c]
  }
}

/** Vertices go with their bones, by their weights. A place that leaves the bounding sphere widens it, or the game would not draw the mesh there. */
function moveVertices(skin: Skin, geometry: GeometryStruct, joints: ClumpJoints, moved: Uint8Array, go: Float64Array): void {
  const atRest = new Float64Array(16 * skin.numBones)
  const gone = new Float64Array(16 * skin.numBones)
  const bind = new Float64Array(16)
  for (let b = 0; b < skin.numBones; b++) {
    const joint = joints.jointOfNode[b]
    paddedMatrix(bind, 0, boneMatrix(skin, b), 0)
    if (joint < 0) identity(atRest, 16 * b)
    else multiply(atRest, 16 * b, joints.world, 16 * joint, bind, 0)
    if (joint >= 0 && moved[joint]) multiply(gone, 16 * b, go, 0, atRest, 16 * b)
    else gone.set(atRest.subarray(16 * b, 16 * b + 16), 16 * b)
  }
  const from = new Float64Array(16)
  const m = new Float64Array(16)
  const p = [0, 0, 0]
  const count = Math.min(geometry.numVertices, Math.floor(skin.weights.length / 4))
  for (let v = 0; v < count; v++) {
    let touched = false
    let sum = 0
    from.fill(0)
    m.fill(0)
    for (let s = 4 * v; s < 4 * v + 4; s++) {
      const weight = skin.weights[s],
        bone = skin.indices[s]
      if (!(weight > 0) || bone >= skin.numBones) continue
      const joint = joints.jointOfNode[bone]
      if (joint >= 0 && moved[joint]) touched = true
      sum += weight
      for (let c = 0; c < 16; c++) {
        from[c] += weight * atRest[16 * bone + c]
        m[c] += weight * gone[16 * bone + c]
      }
    }
    if (!touched || !(sum > 0)) continue
    for (let c = 0; c < 16; c++) {
      from[c] /= sum
      m[c] /= sum
    }
    if (!invertAffine(from, 0, from, 0)) continue
    multiply(m, 0, from, 0, m, 0)
    for (const { vertices, normals, sphere } of geometry.morphs) {
      if (vertices.length >= 3 * v + 3) {
        transformPoint(p, 0, m, 0, vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2])
        for (let c = 0; c < 3; c++) if (!near(vertices[3 * v + c], p[c])) vertices[3 * v + c] = p[c]
        const away = Math.hypot(...p.map((x, c) => x - sphere[c]))
        if (away > sphere[3]) sphere[3] = away * (1 + ROUNDING)
      }
      if (normals.length < 3 * v + 3) continue
      const x = normals[3 * v],
        y = normals[3 * v + 1],
        z = normals[3 * v + 2]
      const n = [0, 1, 2].map((c) => m[c] * x + m[4 + c] * y + m[8 + c] * z)
      // blended turns shorten a normal
      const scale = Math.hypot(x, y, z) / (Math.hypot(...n) || 1)
      for (let c = 0; c < 3; c++) if (!near(normals[3 * v + c], n[c] * scale)) normals[3 * v + c] = n[c] * scale
    }
  }
}

/** The twelve floats of a frame; those that `to` does not change from `before` keep their bits. */
export function putFrame(stored: Float32Array, to: ArrayLike<number>, before: ArrayLike<number>): void {
  for (let c = 0; c < 4; c++) for (let r = 0; r < 3; r++) if (!near(before[4 * c + r], to[4 * c + r])) stored[3 * c + r] = to[4 * c + r]
}

function near(a: number, b: number): boolean {
  return Math.abs(a - b) <= ROUNDING * Math.max(1, Math.abs(b))
}
