/**
 * Frames of the bones of a skin that stands on an atomic. Its nodes have numbers, but files of that time give frames none: the
 * frame of the atomic has one child, below which is one frame for each bone [public readers; no sample]. Which is which
 * follows from the tree and, among siblings, from where the skin has each bone within its parent: that is its frame's place,
 * whatever way the frames are turned.
 */
import { invertAffine, transformPoint } from '../../../../shared/scene/matrix.ts'
import { FRAME_WORDS } from './frame-list.ts'
import { nodeParents } from './hanim.ts'
import { boneMatrix } from './skin.ts'
import type { Skin } from './skin.ts'

/** Vertices have a byte for the number of a bone. */
const MOST_BONES = 256

interface Tree {
  children: number[][]
  /** the same number for trees of the same shape */
  shapes: Int32Array
}

/** @param parents of each, -1 for the first, each before its children @param known shapes that have a number, of all trees that are compared */
function treeOf(parents: ArrayLike<number>, known: Map<string, number>): Tree {
  const n = parents.length
  const children = Array.from({ length: n }, (): number[] => [])
  for (let i = 0; i < n; i++) if (parents[i] >= 0) children[parents[i]].push(i)
  const shapes = new Int32Array(n)
  for (let i = n - 1; i >= 0; i--) {
    const below = Int32Array.from(children[i], (child) => shapes[child])
    const key = below.sort().join()
    let shape = known.get(key)
    if (shape === undefined) known.set(key, (shape = known.size))
    shapes[i] = shape
  }
  return { children, shapes }
}

/** Where the skin has each bone within its parent: 3 each, NaN where matrices have no inverse. */
function placesOf(skin: Skin, parents: Int32Array): Float64Array {
  const out = new Float64Array(3 * parents.length)
  const padded = (bone: number): Float64Array => {
    const m = Float64Array.from(boneMatrix(skin, bone))
    m[3] = m[7] = m[11] = 0
    m[15] = 1
    return m
  }
  const world = new Float64Array(16)
  const place = [0, 0, 0]
  for (let bone = 1; bone < parents.length; bone++) {
    if (invertAffine(world, 0, padded(bone), 0)) transformPoint(place, 0, padded(parents[bone]), 0, world[12], world[13], world[14])
    else place.fill(NaN)
    out.set(place, 3 * bone)
  }
  return out
}

/**
 * Frame of each bone; undefined where the frames below the atomic's are not the tree of the bones.
 * @param parents of the frames, -1 for none
 * @param floats of the frame list, FRAME_WORDS each
 * @param atomicFrame frame of the atomic that has the skin
 */
export function legacyFrames(skin: Skin, parents: readonly number[], floats: Float32Array, atomicFrame: number): Int32Array | undefined {
  const n = skin.numBones
  const heads = parents.flatMap((parent, frame) => (parent === atomicFrame ? [frame] : []))
  if (n < 1 || n > MOST_BONES || atomicFrame < 0 || heads.length !== 1) return undefined
  const numbers = new Map([[heads[0], 0]])
  const below = [-1]
  const frames = [heads[0]]
  for (let frame = heads[0] + 1; frame < parents.length; frame++) {
    const parent = numbers.get(parents[frame])
    if (parent === undefined) continue
    numbers.set(frame, frames.length)
    below.push(parent)
    frames.push(frame)
  }
  const nodes = new Int32Array(3 * n)
  for (let bone = 0; bone < n; bone++) nodes[3 * bone + 2] = skin.bones[19 * bone + 2] & 3
  const above = nodeParents({ flags: 0, maxKeyFrameSize: 0, nodes }).parents
  if (frames.length !== n || above.some((parent, bone) => bone > 0 && parent < 0)) return undefined
  const known = new Map<string, number>()
  const bones = treeOf(above, known)
  const tree = treeOf(below, known)
  if (bones.shapes[0] !== tree.shapes[0]) return undefined
  const places = placesOf(skin, above)
  const distance = (bone: number, at: number): number => {
    let sum = 0
    for (let c = 0; c < 3; c++) sum += (places[3 * bone + c] - floats[FRAME_WORDS * frames[at] + 9 + c]) ** 2
    return Number.isNaN(sum) ? Infinity : sum
  }
  const found = new Int32Array(n)
  for (let bone = 0; bone < n; bone++) {
    // the closest pair of a bone and a frame first; of equals the order of the file
    const left = new Set(bones.children[bone])
    const free = new Set(tree.children[found[bone]])
    while (left.size) {
      let best: { bone: number; at: number; far: number } | undefined
      for (const child of left) {
        for (const at of free) {
          if (bones.shapes[child] !== tree.shapes[at]) continue
          const far = distance(child, at)
          if (!best || far < best.far) best = { bone: child, at, far }
        }
      }
      // shapes of siblings are the same ones on both sides
      found[best!.bone] = best!.at
      left.delete(best!.bone)
      free.delete(best!.at)
    }
  }
  return found.map((at) => frames[at])
}
