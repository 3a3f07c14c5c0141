/**
 * From a glTF's joints to a model's. Tools turn, scale and move the joints of what they open, and write them so; where a
 * joint stood at bind tells by how much. Between what a joint's node says and what the model's joint means stand two
 * constant matrices.
 *
 * With K = W · IBM, what a skin does to a vertex, the same on both sides:
 * W_model = D · W_gltf · P, where P = IBM_gltf · A⁻¹ · IBM_model⁻¹ and A brings the file's bind space into the model's.
 * Scale of single bind matrices is no part of P: tools keep it in the pose.
 */
import { FormatError } from '../binary/format-error.ts'
import { IDENTITY, compose, determinant, multiply, multiplyQuat, transformPoint } from '../../shared/scene/matrix.ts'
import { inverse, localOf, rotationOf } from './affine.ts'
import { unscaledBind } from './unscaled-bind.ts'
import type { Scene } from '../../shared/scene/types.ts'
import type { ExportedRest } from './exported-rest.ts'
import type { GltfFile } from './gltf-reader.ts'
import { say } from '../../shared/texts/say.ts'

/** How a joint's local transform follows from the file's nodes: `left` · nodes from the first to the last · `right`. */
export interface JointSource {
  nodes: number[]
  /** the joint hangs on another one in the file: both are taken from the file's top, and this is the one that it hangs on in the model */
  below?: Pick<JointSource, 'nodes' | 'right'>
  left: Float64Array
  right: Float64Array
  /** both are the identity, and the node says what the joint means */
  plain: boolean
  /** the joint rests elsewhere below its parent than the model's: where it goes is not taken */
  turnsOnly: boolean
}

export interface RestMatch {
  sources: Map<number, JointSource>
  /** joints whose place at rest is another, the worst first; `distance` in the model's unit */
  moved: { joint: number; distance: number }[]
  /** joints with axes of their own in the file, and the greatest turn in degrees */
  turned: number
  degrees: number
  /** joints that hang on others in the file */
  rehung: number[]
  /** where the file's skins have its joints; absent where none has */
  bind?: BindPlaces
}

/** Joints at bind, in the model's own bind space, rigid: 16 numbers each. */
export interface BindPlaces {
  /** the figure's size, model's unit */
  size: number
  /** 16: from the bind space of the file to the model's */
  toModel: Float64Array
  file: Map<number, Float64Array>
  model: Map<number, Float64Array>
}

/** Parts of the figure's size: what rounding leaves, and what is another figure. */
const PLACE = 1e-4
const ELSEWHERE = 1e-2
const UNTURNED = Float64Array.from(IDENTITY)

/**
 * @param moving node of the file for each joint that takes its motion
 * @throws FormatError unsupported where joints were turned and nothing tells by how much
 */
export function matchRest(scene: Scene, rest: ExportedRest, file: GltfFile, moving: ReadonlyMap<number, number>): RestMatch {
  const { skeleton } = scene
  const nodeOf = withParents(skeleton.parents, file, moving)
  const out: RestMatch = { sources: new Map(), moved: [], turned: 0, degrees: 0, rehung: [] }
  const joints = [...nodeOf].filter(([, node]) => file.nodes[node].inverseBind).map(([joint]) => joint)
  const place = joints.length > 0 ? bindSpaces(rest, skeleton.parents, file, nodeOf, joints) : undefined
  if (!place) {
    const turned = turnedOffsets(scene, file, moving)
    if (turned > 2 && turned > 0.3 * moving.size) throw new FormatError('unsupported', say('importedMotion.axesUnknown', { count: turned }))
    // nothing says that the file turned the axes: the values of a node are taken for those of its joint
    for (const [joint, node] of moving)
      out.sources.set(joint, { nodes: [node], left: UNTURNED, right: UNTURNED, plain: true, turnsOnly: false })
    return out
  }
  out.bind = place.bind
  const elsewhere = new Set<number>()
  for (const { joint, distance } of place.distances) {
    if (distance > PLACE * place.size) out.moved.push({ joint, distance })
    if (distance > ELSEWHERE * place.size) elsewhere.add(joint)
  }
  out.moved.sort((a, b) => b.distance - a.distance)
  const jointOf = new Map([...nodeOf].map(([joint, node]) => [node, joint]))
  const topmost = (node: number): boolean => {
    for (let above = file.nodes[node].parent; above >= 0; above = file.nodes[above].parent) if (jointOf.has(above)) return false
    return true
  }
  const right = new Map<number, Float64Array>()
  for (const [joint, node] of nodeOf) {
    // of a joint that rests elsewhere ways are not taken: what hangs on it is measured from where the model has it
    const matrix = place.right(joint, !elsewhere.has(joint) || !topmost(node))
    right.set(joint, matrix)
    const degrees = angleOf(matrix)
    if (degrees > 0.01) out.turned++
    out.degrees = Math.max(out.degrees, degrees)
  }
  for (const [joint, node] of moving) {
    const nodes = [node]
    let above = file.nodes[node].parent
    while (above >= 0 && !jointOf.has(above)) {
      nodes.unshift(above)
      above = file.nodes[above].parent
    }
    const ancestor = above >= 0 ? jointOf.get(above)! : -1
    const own = right.get(joint)!
    let parent = skeleton.parents[joint]
    while (parent >= 0 && !nodeOf.has(parent)) parent = skeleton.parents[parent]
    if (parent !== ancestor) {
      out.rehung.push(joint)
      const below = parent >= 0 ? { nodes: pathTo(file, nodeOf.get(parent)!), right: right.get(parent)! } : undefined
      const turnsOnly = elsewhere.has(joint)
      // joints of the model between the two stand as they rest
      const left = restBetween(rest, skeleton.parents, joint, parent)
      if (parent < 0) multiply(left, 0, left, 0, place.world, 0)
      out.sources.set(joint, { nodes: pathTo(file, node), below, left, right: own, plain: false, turnsOnly })
      continue
    }
    // joints of the model between the two stand as they rest
    const left = ancestor >= 0 ? inverse(right.get(ancestor)!) : place.world.slice()
    multiply(left, 0, restBetween(rest, skeleton.parents, joint, ancestor), 0, left, 0)
    const plain = nodes.length === 1 && isIdentity(left) && isIdentity(own)
    out.sources.set(joint, { nodes, left, right: own, plain, turnsOnly: ancestor >= 0 && elsewhere.has(joint) })
  }
  return out
}

/** From an ancestor of a joint to its parent, at rest: inverse. */
function restBetween(rest: ExportedRest, parents: Int32Array, joint: number, ancestor: number): Float64Array {
  const out = Float64Array.from(IDENTITY)
  const between: number[] = []
  for (let p = parents[joint]; p >= 0 && p !== ancestor; p = parents[p]) between.unshift(p)
  for (const p of between) multiply(out, 0, inverse(localOf(rest.world, parents, p)), 0, out, 0)
  return out
}

/** The nodes from the top of a file to one of them. */
function pathTo({ nodes }: GltfFile, node: number): number[] {
  const out = [node]
  for (let above = nodes[node].parent; above >= 0; above = nodes[above].parent) out.unshift(above)
  return out
}

/** Joints whose node stands as far from its parent as the joint, and in another direction. */
function turnedOffsets({ skeleton }: Scene, file: GltfFile, moving: ReadonlyMap<number, number>): number {
  let turned = 0
  for (const [joint, node] of moving) {
    const t = skeleton.restTranslation.subarray(3 * joint, 3 * joint + 3)
    const { parent, translation } = file.nodes[node]
    if (parent < 0 || moving.get(skeleton.parents[joint]) !== parent) continue
    const [length, own] = [Math.hypot(t[0], t[1], t[2]), Math.hypot(...translation)]
    if (length > 1e-6 && Math.abs(own / length - 1) < 0.01 && distance(t, translation) > 0.1 * length) turned++
  }
  return turned
}

/** Nodes that are left out stand for the joints that they hang in place of: what is below them is measured from there. */
function withParents(parents: Int32Array, file: GltfFile, moving: ReadonlyMap<number, number>): Map<number, number> {
  const out = new Map(moving)
  const taken = new Set(moving.values())
  for (const [joint, node] of moving) {
    let p = parents[joint]
    let above = file.nodes[node].parent
    while (p >= 0 && above >= 0 && !out.has(p) && !taken.has(above)) {
      out.set(p, above)
      taken.add(above)
      p = parents[p]
      above = file.nodes[above].parent
    }
  }
  return out
}

interface BindSpaces {
  size: number
  distances: { joint: number; distance: number }[]
  bind: BindPlaces
  /** from the file's world to the model's */
  world: Float64Array
  /** P of a joint. @param placed with the distance that is left between the two places */
  right(joint: number, placed: boolean): Float64Array
}

/** Joints of the model at bind, and how those of the file lie upon them. */
interface BindFit {
  mine: Map<number, Float64Array>
  size: number
  a: { matrix: Float64Array; scale: number }
  distances: { joint: number; distance: number }[]
  /** joints that are elsewhere */
  off: number
}

function fitOf(mine: Map<number, Float64Array>, bindOf: ReadonlyMap<number, Float64Array>): BindFit {
  const joints = [...bindOf.keys()]
  const from = joints.map((joint) => bindOf.get(joint)!.subarray(12, 15))
  const to = joints.map((joint) => mine.get(joint)!.subarray(12, 15))
  const size = Math.max(1e-9, ...to.map((p) => distance(p, middle(to))))
  const a = similarity(from, to, PLACE * size)
  const at = new Float64Array(3)
  const distances = joints.map((joint, i) => {
    transformPoint(at, 0, a.matrix, 0, from[i][0], from[i][1], from[i][2])
    return { joint, distance: distance(at, to[i]) }
  })
  return { mine, size, a, distances, off: distances.filter((one) => one.distance > PLACE * size).length }
}

function bindSpaces(
  rest: ExportedRest,
  parents: Int32Array,
  file: GltfFile,
  nodeOf: ReadonlyMap<number, number>,
  joints: number[],
): BindSpaces | undefined {
  const bindOf = new Map(joints.map((joint) => [joint, inverse(file.nodes[nodeOf.get(joint)!].inverseBind!)]))
  const whole = fitOf(new Map([...nodeOf.keys()].map((joint) => [joint, inverse(rest.inverseBind, 16 * joint)])), bindOf)
  const unscaled = whole.off > 0 ? unscaledBind(rest.inverseBind, parents) : undefined
  const without = unscaled && fitOf(new Map([...nodeOf.keys()].map((joint) => [joint, unscaled[joint]])), bindOf)
  const { mine, size, a, distances } = without && without.off < whole.off ? without : whole
  // scale of bind matrices: all of one scale, or one that is the model's but for a factor
  const scaleOf = (m: Float64Array): number => Math.cbrt(Math.abs(determinant(m)))
  const own = joints.map((joint) => a.scale * scaleOf(bindOf.get(joint)!))
  // the model's joints at rest are of that size where the file's binds have lost it
  const lost = mine === whole.mine ? 1 : median(joints.map((joint) => scaleOf(whole.mine.get(joint)!)))
  const relative = joints.map((joint, i) => own[i] / (scaleOf(mine.get(joint)!) || 1))
  const factor = spread(relative) <= spread(own) ? median(relative) : median(own)
  if (!(factor > 0) || !Number.isFinite(factor)) return undefined
  // what a skin does at rest, to see what the file's world is measured in
  const worlds = restWorlds(file)
  const kept = median(joints.map((joint) => scaleOf(worlds[nodeOf.get(joint)!]) / (scaleOf(bindOf.get(joint)!) || 1)))
  const world = a.matrix.slice()
  const shrink = kept > 0 && Number.isFinite(kept) ? lost / kept : 1
  for (let c = 0; c < 12; c++) world[c] *= shrink
  const turn = rotationOf(a.matrix)
  const right = (joint: number, placed: boolean): Float64Array => {
    const bound = bindOf.get(joint)
    const out = new Float64Array(16)
    const q = Float64Array.of(0, 0, 0, 1)
    const t = new Float64Array(3)
    if (bound) {
      // rotation: bound⁻¹ · A⁻¹ · mine
      multiplyQuat(q, 0, turn, 0, rotationOf(bound), 0)
      for (let c = 0; c < 3; c++) q[c] = -q[c]
      multiplyQuat(q, 0, q, 0, rotationOf(mine.get(joint)!), 0)
      if (placed) {
        const p = mine.get(joint)!
        transformPoint(t, 0, inverse(a.matrix), 0, p[12], p[13], p[14])
        const off = distance(t, bound.subarray(12, 15)) * a.scale
        if (off > PLACE * size) transformPoint(t, 0, inverse(bound), 0, t[0], t[1], t[2])
        else t.fill(0)
      }
    }
    const scale = 1 / factor
    compose(out, 0, t, 0, q, 0, [scale, scale, scale], 0)
    return out
  }
  const bind: BindPlaces = { size, toModel: a.matrix, file: new Map(), model: new Map() }
  for (const joint of joints) {
    const there = new Float64Array(16)
    multiply(there, 0, a.matrix, 0, bindOf.get(joint)!, 0)
    bind.file.set(joint, rigid(there))
  }
  for (const [joint, matrix] of mine) bind.model.set(joint, rigid(matrix))
  return { size, distances, bind, world, right }
}

/** Turn and place alone. */
function rigid(m: Float64Array): Float64Array {
  const out = new Float64Array(16)
  compose(out, 0, m, 12, rotationOf(m), 0, [1, 1, 1], 0)
  return out
}

/** Turn, scale and place that bring points upon others; of the simplest kind that comes as near as `good`. */
function similarity(from: Float64Array[], to: Float64Array[], good: number): { matrix: Float64Array; scale: number } {
  const make = (q: Float64Array, scale: number, pivotFrom: Float64Array, pivotTo: Float64Array): Float64Array => {
    const m = new Float64Array(16)
    compose(m, 0, [0, 0, 0], 0, q, 0, [scale, scale, scale], 0)
    const at = new Float64Array(3)
    transformPoint(at, 0, m, 0, pivotFrom[0], pivotFrom[1], pivotFrom[2])
    for (let c = 0; c < 3; c++) m[12 + c] = pivotTo[c] - at[c]
    return m
  }
  const off = (m: Float64Array): number => {
    const at = new Float64Array(3)
    return median(
      from.map((p, i) => {
        transformPoint(at, 0, m, 0, p[0], p[1], p[2])
        return distance(at, to[i])
      }),
    )
  }
  const none = Float64Array.of(0, 0, 0, 1)
  const zero = new Float64Array(3)
  // the middle one: some joints may have been moved
  const ratios = from.flatMap((p, i) => {
    const square = p[0] * p[0] + p[1] * p[1] + p[2] * p[2]
    return square > 1e-24 ? [(p[0] * to[i][0] + p[1] * to[i][1] + p[2] * to[i][2]) / square] : []
  })
  const ratio = median(ratios)
  const about = ratio > 0 ? snapped(ratio) : 1
  const scaled = make(none, about, zero, zero)
  const best = { matrix: scaled, scale: about }
  if (off(scaled) <= good) return best
  const [cf, ct] = [middle(from), middle(to)]
  const reach = (list: Float64Array[], c: Float64Array): number => Math.sqrt(list.reduce((sum, p) => sum + distance(p, c) ** 2, 0))
  const scale = reach(from, cf) > 1e-12 ? snapped(reach(to, ct) / reach(from, cf)) : 1
  const turned = make(turnUpon(from, to, cf, ct), scale, cf, ct)
  return off(turned) < off(scaled) ? { matrix: turned, scale } : best
}

/** The turn about the middles that brings the two points that stand out most upon theirs. */
function turnUpon(from: Float64Array[], to: Float64Array[], cf: Float64Array, ct: Float64Array): Float64Array {
  const minus = (p: Float64Array, c: Float64Array): number[] => [p[0] - c[0], p[1] - c[1], p[2] - c[2]]
  const far = from.reduce((best, p, i) => (distance(p, cf) > distance(from[best], cf) ? i : best), 0)
  const axis = minus(from[far], cf)
  const side = (i: number): number => Math.hypot(...cross(axis, minus(from[i], cf)))
  const wide = from.reduce((best, _, i) => (side(i) > side(best) ? i : best), 0)
  const frame = (list: Float64Array[], c: Float64Array): Float64Array | undefined => {
    const x = minus(list[far], c)
    const z = cross(x, minus(list[wide], c))
    const y = cross(z, x)
    const lengths = [x, y, z].map((v) => Math.hypot(...v))
    if (lengths.some((length) => !(length > 1e-12))) return undefined
    const m = Float64Array.from(IDENTITY)
    ;[x, y, z].forEach((v, k) => v.forEach((value, r) => (m[4 * k + r] = value / lengths[k])))
    return rotationOf(m)
  }
  const [f, t] = [frame(from, cf), frame(to, ct)]
  const q = Float64Array.of(0, 0, 0, 1)
  if (f && t) multiplyQuat(q, 0, t, 0, [-f[0], -f[1], -f[2], f[3]], 0)
  return q
}

/** Rest of the nodes in the file's world. */
function restWorlds({ nodes }: GltfFile): Float64Array[] {
  const worlds: (Float64Array | undefined)[] = nodes.map(() => undefined)
  nodes.forEach((_, i) => {
    const path: number[] = []
    for (let at = i; at >= 0 && !worlds[at]; at = nodes[at].parent) path.push(at)
    for (const at of path.reverse()) {
      const { parent, translation, rotation, scale } = nodes[at]
      const m = new Float64Array(16)
      compose(m, 0, translation, 0, rotation, 0, scale, 0)
      if (parent >= 0) multiply(m, 0, worlds[parent]!, 0, m, 0)
      worlds[at] = m
    }
  })
  return worlds as Float64Array[]
}

/** A near-whole ratio of units (1, 100, 0.0254) is meant exactly, but for the rounding of what it was taken from. */
function snapped(scale: number): number {
  const round = Number(scale.toPrecision(4))
  return Math.abs(scale / round - 1) < 2e-5 ? round : scale
}

function angleOf(m: Float64Array): number {
  const q = rotationOf(m)
  return (2 * Math.atan2(Math.hypot(q[0], q[1], q[2]), Math.abs(q[3])) * 180) / Math.PI
}

function isIdentity(m: Float64Array): boolean {
  return m.every((value, i) => Math.abs(value - IDENTITY[i]) < 1e-6)
}

function middle(points: Float64Array[]): Float64Array {
  const sum = new Float64Array(3)
  for (const p of points) for (let c = 0; c < 3; c++) sum[c] += p[c] / points.length
  return sum
}

function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
}

function cross(a: number[], b: number[]): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? 0
}

/** How far values stand apart, as a ratio. */
function spread(values: number[]): number {
  const m = median(values)
  return m > 0 ? median(values.map((v) => Math.abs(v / m - 1))) + Math.max(...values.map((v) => Math.abs(v / m - 1))) : Infinity
}
