/** Joints of the scene: the pivots of a model's hierarchy and of those that hang on it. */
import { IDENTITY, multiply } from '../../../../shared/scene/matrix.ts'
import { buildSkeleton } from '../../../../shared/scene/pose.ts'
import { Diagnostics } from '../../format.ts'
import { matrixToScene } from './basis.ts'
import { pivotLocal, pivotName, pivotParent } from '../codecs/hierarchy.ts'
import { say } from '../texts/index.ts'
import type { Diagnostic } from '../../../../shared/api/errors.ts'
import type { Scene, Skeleton, SourceRef } from '../../../../shared/scene/types.ts'
import type { Fixups, Hierarchy } from '../codecs/hierarchy.ts'
import type { File } from './objects.ts'

const MOST_JOINTS = 60_000

export interface PlacedHierarchy {
  /** joint of each pivot as the engine numbers them */
  joints: number[]
  hierarchy: Hierarchy | undefined
  /** 1 where the engine puts a root in front: pivot numbers of the file are one less */
  nativeShift: number
  /** those that apply */
  fixups: Fixups | undefined
}

/** Joints as they are added, in file space; parents stand before their children. */
export class Joints {
  readonly names: string[] = []
  readonly parents: number[] = []
  readonly locals: number[] = []
  /** places at rest, 16 a joint */
  readonly worlds: number[] = []
  readonly natives: number[] = []
  readonly sources: SourceRef[] = []
  private readonly diagnostics: Diagnostic[]
  private readonly applyFixups: boolean

  constructor(diagnostics: Diagnostic[], applyFixups: boolean) {
    this.diagnostics = diagnostics
    this.applyFixups = applyFixups
  }

  /** Whether there is room for another hierarchy. */
  get full(): boolean {
    return this.names.length >= MOST_JOINTS
  }

  private add(name: string, parent: number, local: ArrayLike<number>, native: number, source: SourceRef): number {
    const joint = this.names.length
    this.names.push(name)
    this.parents.push(parent)
    this.natives.push(native)
    this.sources.push(source)
    const world = Float64Array.from(local)
    if (parent >= 0) multiply(world, 0, Float64Array.from(this.worlds.slice(16 * parent, 16 * parent + 16)), 0, world, 0)
    for (let i = 0; i < 16; i++) {
      this.locals.push(local[i])
      this.worlds.push(world[i])
    }
    return joint
  }

  addRoot(file: File, parent: number): PlacedHierarchy {
    const joint = this.add('ROOTTRANSFORM', parent, IDENTITY, -1, { ref: file.ref, path: '' })
    return { joints: [joint], hierarchy: undefined, nativeShift: 0, fixups: undefined }
  }

  /** The pivots below a joint (-1: at the top). Pivot 0's own transform counts for nothing. */
  addHierarchy(entry: { file: File; hierarchy: Hierarchy }, parent: number): PlacedHierarchy {
    const { file, hierarchy } = entry
    const diagnostics = new Diagnostics(file.ref, this.diagnostics)
    const path = hierarchy.pivots ? (file.paths.get(hierarchy.pivots) ?? '') : ''
    const joints: number[] = []
    const pivots = hierarchy.pivots?.data
    if (hierarchy.preRoot || hierarchy.count === 0 || this.names.length + hierarchy.count > MOST_JOINTS) {
      joints.push(this.add('ROOTTRANSFORM', parent, IDENTITY, -1, { ref: file.ref, path: file.paths.get(hierarchy.chunk) ?? '' }))
    }
    const placed = { joints, hierarchy, nativeShift: hierarchy.preRoot ? 1 : 0, fixups: this.applyFixups ? hierarchy.fixups : undefined }
    if (this.names.length + hierarchy.count > MOST_JOINTS) {
      diagnostics.add('error', 'w3d.too-many-joints', say('scene.tooManyJoints', { name: hierarchy.name, count: hierarchy.count }), path)
      return placed
    }
    const local = new Float64Array(16)
    for (let i = 0; i < hierarchy.count; i++) {
      const source = { ref: file.ref, path: `${path}.pivot[${i}]` }
      if (i === 0 && !hierarchy.preRoot) {
        joints.push(this.add(pivotName(pivots!, 0), parent, IDENTITY, 0, source))
        continue
      }
      pivotLocal(pivots!, i, local, 0)
      const p = pivotParent(pivots!, i)
      let above: number
      if (p >= 0 && p < i) above = joints[p + placed.nativeShift]
      else {
        above = hierarchy.preRoot ? joints[0] : parent
        if (!(p < 0 && hierarchy.preRoot))
          diagnostics.add(
            'warning',
            'w3d.pivot-parent',
            p < 0
              ? say('scene.secondRoot', { name: pivotName(pivots!, i) })
              : say('scene.pivotParent', { name: pivotName(pivots!, i), parent: p }),
            source.path,
          )
      }
      joints.push(this.add(pivotName(pivots!, i), above, local, i, source))
    }
    return placed
  }
}

/** The skeleton of the scene, once all meshes are on their joints. */
export function addSkeleton(scene: Scene, joints: Joints): void {
  const n = joints.names.length
  const local = new Float32Array(16 * n)
  for (let i = 0; i < n; i++) matrixToScene(local, 16 * i, joints.locals, 16 * i)
  // parents always stand before their children here, so joints keep their numbers
  const { skeleton } = buildSkeleton(joints.names, joints.parents, local, (i) => joints.sources[i])
  skeleton.nativeIndex = Int32Array.from(joints.natives)
  scene.skeleton = skeleton
  setRoles(scene, skeleton)
}

/** Pivots that carry nothing and have nothing below are where the game attaches effects and weapons. Without a mesh nobody knows what they carry: ends of limbs are bones. */
function setRoles(scene: Scene, skeleton: Skeleton): void {
  const used = new Uint8Array(skeleton.count)
  const carries = new Uint8Array(skeleton.count)
  for (const mesh of scene.meshes) {
    if (mesh.skin >= 0) for (const joint of scene.skins[mesh.skin].joints) used[joint] = 1
    else carries[mesh.joint] = 1
  }
  for (let i = 0; i < skeleton.count; i++) if (skeleton.parents[i] >= 0) used[skeleton.parents[i]] = 1
  const alone = scene.meshes.length === 0
  skeleton.roles = Array.from({ length: skeleton.count }, (_, i) =>
    carries[i] ? 'mesh' : alone || used[i] || i === 0 ? 'joint' : 'attach',
  )
}

/** The fixup of a joint of a hierarchy by its place there; undefined where none applies. */
export function fixupOf({ fixups, nativeShift }: PlacedHierarchy, bone: number): number[] | undefined {
  return fixups && bone >= 0 ? fixupMatrix(fixups, bone - nativeShift) : undefined
}

/** Column-major matrix of a fixup in file space; undefined where there is none or its numbers are not finite. */
function fixupMatrix(fixups: Fixups, pivot: number): number[] | undefined {
  const { form, values } = fixups
  const width = form === 'vector' ? 3 : 12
  if (pivot < 0 || (pivot + 1) * width > values.length) return undefined
  const f = values.subarray(pivot * width, (pivot + 1) * width)
  if (!f.every(Number.isFinite)) return undefined
  return form === 'vector'
    ? [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, f[0], f[1], f[2], 1]
    : [f[0], f[1], f[2], 0, f[3], f[4], f[5], 0, f[6], f[7], f[8], 0, f[9], f[10], f[11], 1]
}

/** Whether fixups move anything. */
export function fixupsMatter(fixups: Fixups): boolean {
  const width = fixups.form === 'vector' ? 3 : 12
  for (let i = 0; i < fixups.values.length / width; i++) {
    const m = fixupMatrix(fixups, i)
    if (m?.some((v, k) => Math.abs(v - IDENTITY[k]) > 1e-5)) return true
  }
  return false
}
