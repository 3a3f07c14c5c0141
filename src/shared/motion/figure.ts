/**
 * A skeleton as motion is carried from one to another: rotations, places and sizes apart, in doubles. Joints of a scale that
 * is not the same on all axes count with its mean; shear is left out.
 */
import { decompose, invertAffine, multiplyQuat } from '../scene/matrix.ts'
import { inverseTurn, rotate, unitTurn } from './turns.ts'
import { length3 } from '../scene/length.ts'
import type { Skeleton } from '../scene/types.ts'

export interface Figure {
  count: number
  names: readonly string[]
  /** index of the parent, -1 for a root; parents[i] < i */
  parents: ArrayLike<number>
  /** per joint in its parent's space: 3, 4 (x, y, z, w of length 1), and one factor */
  rest: FigureParts & { scale: Float64Array }
  /** the pose that the skin is bound in, in scene space: place 3, rotation 4 */
  bind: FigurePlaces
  /** 1 for what moves flesh; attach points, owners of meshes and hidden joints are none */
  bone: Uint8Array
  /** of the joints of the bind pose, in scene units; above 0 */
  height: number
}

/** Of each joint in its parent's space. */
export interface FigureParts {
  /** 3 per joint */
  translation: Float64Array
  /** 4 per joint */
  rotation: Float64Array
}

/** Of each joint in scene space. */
export interface FigurePlaces {
  /** 3 per joint */
  place: Float64Array
  /** 4 per joint */
  turn: Float64Array
  /** one factor per joint */
  size: Float64Array
}

export function placesOf(count: number): FigurePlaces {
  return { place: new Float64Array(3 * count), turn: new Float64Array(4 * count), size: new Float64Array(count).fill(1) }
}

/**
 * @param inverseBind 16 per joint, scene space at bind to the joint's space; the rest pose is the bind pose where it is absent
 */
export function figureOf(
  skeleton: Pick<Skeleton, 'count' | 'names' | 'parents' | 'restTranslation' | 'restRotation' | 'restScale' | 'roles'>,
  inverseBind?: ArrayLike<number>,
): Figure {
  const { count, names, parents, roles } = skeleton
  const rest = {
    translation: Float64Array.from(skeleton.restTranslation, finite),
    rotation: Float64Array.from(skeleton.restRotation, finite),
    scale: Float64Array.from({ length: count }, (_, i) => sizeOf(skeleton.restScale, 3 * i)),
  }
  for (let i = 0; i < count; i++) unitTurn(rest.rotation, 4 * i)
  const figure: Figure = { count, names, parents, rest, bind: placesOf(count), bone: new Uint8Array(count), height: 1 }
  for (let i = 0; i < count; i++) figure.bone[i] = roles === undefined || roles[i] === 'joint' ? 1 : 0
  stand(figure, rest, figure.bind)
  if (inverseBind) {
    const matrix = new Float64Array(16)
    const scale = [1, 1, 1]
    for (let i = 0; i < count; i++) {
      if (
        !invertAffine(
          matrix,
          0,
          Float64Array.from({ length: 16 }, (_, c) => inverseBind[16 * i + c]),
          0,
        )
      )
        continue
      if (!matrix.every(Number.isFinite)) continue
      decompose(matrix, 0, figure.bind.place, 3 * i, figure.bind.turn, 4 * i, scale, 0)
      unitTurn(figure.bind.turn, 4 * i)
    }
  }
  figure.height = heightOf(figure)
  return figure
}

/** Parts in scene space. @param out written */
export function stand(figure: Pick<Figure, 'count' | 'parents' | 'rest'>, parts: FigureParts, out: FigurePlaces): void {
  const { count, parents } = figure
  const { scale } = figure.rest
  const step = [0, 0, 0]
  for (let i = 0; i < count; i++) {
    const p = parents[i]
    if (p < 0) {
      for (let c = 0; c < 3; c++) out.place[3 * i + c] = parts.translation[3 * i + c]
      for (let c = 0; c < 4; c++) out.turn[4 * i + c] = parts.rotation[4 * i + c]
      out.size[i] = scale[i]
      continue
    }
    rotate(step, 0, out.turn, 4 * p, parts.translation, 3 * i)
    for (let c = 0; c < 3; c++) out.place[3 * i + c] = out.place[3 * p + c] + out.size[p] * step[c]
    multiplyQuat(out.turn, 4 * i, out.turn, 4 * p, parts.rotation, 4 * i)
    out.size[i] = out.size[p] * scale[i]
  }
}

/** Local parts of a pose that was sampled as matrices, 16 per joint. @param out written; the scale of the pose is left out */
export function partsOfMatrices(count: number, local: Float32Array, out: FigureParts): void {
  const scale = [1, 1, 1]
  const matrix = new Float64Array(16)
  for (let i = 0; i < count; i++) {
    for (let c = 0; c < 16; c++) matrix[c] = local[16 * i + c]
    decompose(matrix, 0, out.translation, 3 * i, out.rotation, 4 * i, scale, 0)
    unitTurn(out.rotation, 4 * i)
  }
}

function heightOf({ count, bind, bone }: Figure): number {
  let [low, high] = [Infinity, -Infinity]
  let far = 0
  for (let i = 0; i < count; i++) {
    if (!bone[i]) continue
    low = Math.min(low, bind.place[3 * i + 1])
    high = Math.max(high, bind.place[3 * i + 1])
    far = Math.max(far, length3(bind.place[3 * i], bind.place[3 * i + 1], bind.place[3 * i + 2]))
  }
  return high > low ? high - low : far || 1
}

function sizeOf(scale: ArrayLike<number>, o: number): number {
  const mean = (Math.abs(scale[o]) + Math.abs(scale[o + 1]) + Math.abs(scale[o + 2])) / 3
  return mean > 0 && Number.isFinite(mean) ? mean : 1
}

const finite = (value: number): number => (Number.isFinite(value) ? value : 0)

/** Moves a joint by a way in the scene: its translation alone changes. @param places of `parts` */
export function moveInScene(
  { parents }: Pick<Figure, 'parents'>,
  parts: Pick<FigureParts, 'translation'>,
  places: Pick<FigurePlaces, 'turn' | 'size'>,
  joint: number,
  way: ArrayLike<number>,
): void {
  const p = parents[joint]
  const v = [way[0], way[1], way[2]]
  if (p >= 0) {
    const back = [0, 0, 0, 1]
    inverseTurn(back, 0, places.turn, 4 * p)
    rotate(v, 0, back, 0, v, 0)
    for (let c = 0; c < 3; c++) v[c] /= places.size[p]
  }
  for (let c = 0; c < 3; c++) parts.translation[3 * joint + c] += v[c]
}
