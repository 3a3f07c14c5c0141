/**
 * A skeleton as it is posed by its joints: which bones bend when a joint is dragged. Limbs and trunk are told by the shape of the
 * body; elsewhere a chain goes up to where the tree forks, so that nothing beside it moves along. Names are not asked.
 */
import { decompose, invertAffine, multiply } from '../scene/matrix.ts'
import { bodyOf } from './body.ts'
import { figureOf, placesOf, stand } from './figure.ts'
import { unitTurn } from './turns.ts'
import type { Body, Limb } from './body.ts'
import type { Figure, FigureParts, FigurePlaces } from './figure.ts'
import type { Scene } from '../scene/types.ts'

export interface PosingRig {
  figure: Figure
  body?: Body
  /** per joint: bones above it that bend for it; 0 for one that is moved as it is, with all below it */
  bones: Int32Array
  /** joints that are offered to be dragged, parents before those below them */
  handles: number[]
}

/** The figure at one moment. */
export interface PosedMoment {
  parts: FigureParts
  /** one factor per joint in its parent's space */
  scale: Float64Array
  /** of `parts`, in scene space */
  places: FigurePlaces
}

/** Bones that one joint can have above it, however long its chain is. */
export function mostBones({ figure }: Pick<PosingRig, 'figure'>, joint: number): number {
  let bones = 0
  for (let p = figure.parents[joint]; p >= 0; p = figure.parents[p]) bones++
  return bones
}

/** Joints of a chain, from the one that stays to the end. */
export function chainJoints({ figure }: Pick<PosingRig, 'figure'>, joint: number, bones: number): number[] {
  const out = [joint]
  for (let p = figure.parents[joint]; p >= 0 && out.length <= bones; p = figure.parents[p]) out.unshift(p)
  return out
}

export function rigOf(scene: Pick<Scene, 'skeleton' | 'skins'>): PosingRig {
  const figure = figureOf(scene.skeleton, bindOf(scene))
  const rig = rigOfFigure(figure)
  const { roles } = scene.skeleton
  if (rig.body || !roles?.includes('mesh')) return rig
  // a machine, or a figure of rigid parts: its parts are its limbs
  const whole = rigOfFigure({ ...figure, bone: figure.bone.map((bone, i) => (roles[i] === 'mesh' ? 1 : bone)) })
  return whole.body ? whole : rig
}

export function rigOfFigure(figure: Figure): PosingRig {
  const { count, parents, bone } = figure
  const body = bodyOf(figure)
  const children = new Int32Array(count)
  for (let i = 0; i < count; i++) if (bone[i] && parents[i] >= 0) children[parents[i]]++
  const bones = new Int32Array(count).fill(-1)
  if (body) bonesOfBody(figure, body, bones)
  const trunk = new Set(body ? [...body.spine, ...body.neck, body.head, body.hips] : [])
  for (let i = 0; i < count; i++) {
    if (bones[i] >= 0) continue
    if (parents[i] < 0) {
      bones[i] = 0
      continue
    }
    let own = 1
    // only joints that hang nothing else along, and neither trunk nor root
    let root = parents[i]
    for (let p = parents[root]; children[root] === 1 && p >= 0 && children[p] === 1 && parents[p] >= 0 && !trunk.has(p); p = parents[p]) {
      root = p
      own++
    }
    bones[i] = own
  }
  return { figure, body, bones, handles: handlesOf(figure, body, bones, children) }
}

export function momentOf({ figure }: Pick<PosingRig, 'figure'>): PosedMoment {
  const { count } = figure
  return {
    parts: { translation: new Float64Array(3 * count), rotation: new Float64Array(4 * count) },
    scale: new Float64Array(count).fill(1),
    places: placesOf(count),
  }
}

/** A moment of a pose that was sampled: 16 numbers per joint towards its parent. @param out written */
export function readMoment({ figure }: Pick<PosingRig, 'figure'>, local: ArrayLike<number>, out: PosedMoment): void {
  const { count } = figure
  const matrix = new Float64Array(16)
  const size = [1, 1, 1]
  for (let i = 0; i < count; i++) {
    for (let c = 0; c < 16; c++) matrix[c] = local[16 * i + c]
    decompose(matrix, 0, out.parts.translation, 3 * i, out.parts.rotation, 4 * i, size, 0)
    unitTurn(out.parts.rotation, 4 * i)
    const mean = (Math.abs(size[0]) + Math.abs(size[1]) + Math.abs(size[2])) / 3
    out.scale[i] = mean > 0 && Number.isFinite(mean) ? mean : 1
  }
  standMoment({ figure }, out)
}

/** Brings the places of a moment up to its parts. */
export function standMoment({ figure }: Pick<PosingRig, 'figure'>, moment: PosedMoment): void {
  stand({ count: figure.count, parents: figure.parents, rest: { ...figure.rest, scale: moment.scale } }, moment.parts, moment.places)
}

function bonesOfBody(figure: Figure, body: Body, bones: Int32Array): void {
  const { parents } = figure
  // hips and what carries them go as they are
  for (let joint = body.hips; joint >= 0; joint = parents[joint]) bones[joint] = 0
  const depth = (joint: number, top: number): number => {
    let own = 0
    for (let p = joint; p >= 0 && p !== top; p = parents[p]) own++
    return own
  }
  const trunk = [...body.spine, ...body.neck, ...(body.head >= 0 ? [body.head] : [])]
  const first = trunk.at(0) ?? -1
  for (const joint of trunk) bones[joint] = Math.max(1, depth(joint, first))
  const limb = ({ base, upper, lower, end, tip }: Limb): void => {
    for (const joint of [...base, upper]) bones[joint] = 1
    if (lower >= 0) bones[lower] = depth(lower, upper)
    if (end >= 0) bones[end] = depth(end, upper)
    for (const joint of tip) bones[joint] = depth(joint, upper)
  }
  for (const pair of [body.legs, body.arms]) {
    if (!pair) continue
    limb(pair.left)
    limb(pair.right)
  }
}

/** Hips, head, hands and feet, and the ends of what hangs loose: tails, hair, capes. */
function handlesOf({ count, parents, bone }: Figure, body: Body | undefined, bones: Int32Array, children: Int32Array): number[] {
  const out = new Set<number>()
  const limbs = [body?.legs?.left, body?.legs?.right, body?.arms?.left, body?.arms?.right].flatMap((limb) => limb ?? [])
  const ends = new Set(limbs.map(({ end, lower }) => (end >= 0 ? end : lower)))
  for (const end of ends) if (end >= 0) out.add(end)
  if (body) {
    out.add(body.hips)
    if (body.head >= 0) out.add(body.head)
  }
  const behind = (joint: number, of: ReadonlySet<number>): boolean => {
    for (let p = parents[joint]; p >= 0; p = parents[p]) if (of.has(p)) return true
    return false
  }
  // fingers, toes and faces are no handles of their own
  const closed = new Set([...ends, ...(body && body.head >= 0 && bones[body.head] > 0 ? [body.head] : [])])
  for (let i = 0; i < count; i++) {
    if (!bone[i] || behind(i, closed)) continue
    if (parents[i] < 0 && !body && children[i] > 0) out.add(i)
    if (children[i] === 0 && bones[i] > 1) out.add(i)
  }
  return [...out].sort((a, b) => a - b)
}

/** 16 per joint: the bind pose as skins say it, for joints of none as they rest below their parent. */
function bindOf({ skeleton, skins }: Pick<Scene, 'skeleton' | 'skins'>): Float64Array | undefined {
  if (!skins.length) return undefined
  const { count, parents, restLocal } = skeleton
  const known = new Uint8Array(count)
  const bind = new Float64Array(16 * count)
  for (const { joints, inverseBind } of skins)
    joints.forEach((joint, slot) => {
      if (joint >= count || known[joint]) return
      known[joint] = 1
      for (let c = 0; c < 16; c++) bind[16 * joint + c] = inverseBind[16 * slot + c]
    })
  const local = new Float64Array(16)
  for (let i = 0; i < count; i++) {
    if (known[i]) continue
    for (let c = 0; c < 16; c++) local[c] = restLocal[16 * i + c]
    // a matrix without an inverse is left out by who reads the list
    if (!invertAffine(local, 0, local, 0)) continue
    if (parents[i] < 0) bind.set(local, 16 * i)
    else multiply(bind, 16 * i, local, 0, bind, 16 * parents[i])
  }
  return bind
}
