/** What a pixel of the picture shows. Done on the CPU, on the triangles and bones as they are posed. */
import { invertAffine, transformPoint } from '../../shared/scene/matrix.ts'
import type { Scene } from '../../shared/scene/types.ts'
import { pickBone, type Bone } from './bones.ts'
import { pickPoint } from './helpers.ts'
import { pickSurface, type SurfaceHit } from './picking.ts'
import type { SurfacePlace, ViewPick } from './types.ts'
import type { Vec3 } from './vec.ts'
import { shownHelpers, type ViewState } from './view-state.ts'

/** The bones as they are drawn. */
export interface DrawnBones {
  readonly boneList: readonly Bone[]
  readonly segments: Float32Array
}

export function boneAt({ model, display, rig }: ViewState, bones: DrawnBones, x: number, y: number): number {
  if (!model || !display.skeleton) return -1
  return pickBone(model.scene.skeleton, bones.boneList, bones.segments, model.pose.world, rig.projector(), x, y)
}

function surfaceAt({ model, view, display, rig }: ViewState, x: number, y: number): SurfaceHit | null {
  if (!model || !view) return null
  const { origin, direction } = rig.projector().ray(x, y)
  return pickSurface(model, (mesh, group) => view.isShown(mesh, display, group), origin, direction)
}

function helperAt(state: ViewState, x: number, y: number): number {
  const points = shownHelpers(state)
  if (!points.length) return -1
  const drawn = points.map((i) => state.helper(i)!)
  return points[pickPoint(drawn, state.model!.pose.world, state.rig.projector(), x, y)] ?? -1
}

/** A point, else a bone where the skeleton is on, else the surface. @param bones null where they cannot be taken */
export function pickScene(state: ViewState, bones: DrawnBones | null, x: number, y: number): ViewPick {
  if (!state.model || !state.view) return {}
  const helper = helperAt(state, x, y)
  if (helper >= 0) return { helper }
  const joint = bones ? boneAt(state, bones, x, y) : -1
  if (joint >= 0) return { joint }
  const hit = surfaceAt(state, x, y)
  return hit ? { mesh: hit.mesh, vertex: hit.vertex, nativeVertex: hit.nativeVertex, material: hit.material, group: hit.group } : {}
}

/** The surface under the pointer, in the space of a joint: by default that of the one that moves it most there. */
export function surfacePlace(state: ViewState, joint = -1): SurfacePlace | null {
  const { model, pointer } = state
  const hit = pointer && surfaceAt(state, pointer.x, pointer.y)
  if (!model || !hit) return null
  const own = joint >= 0 ? joint : carrierOf(model.scene, hit.mesh, hit.vertex)
  const inverse = new Float32Array(16)
  const center: Vec3 = [...hit.point]
  if (own >= 0 && invertAffine(inverse, 0, model.pose.world, 16 * own)) transformPoint(center, 0, inverse, 0, ...hit.point)
  return { mesh: hit.mesh, joint: own, center }
}

/** The joint that moves a vertex most. */
function carrierOf(scene: Scene, mesh: number, vertex: number): number {
  const { skin: index, joint } = scene.meshes[mesh]
  const skin = scene.skins[index]
  if (!skin) return joint
  let best = -1
  for (let i = skin.offsets[vertex]; i < skin.offsets[vertex + 1]; i++) if (best < 0 || skin.weights[i] > skin.weights[best]) best = i
  return best < 0 ? joint : skin.joints[skin.slots[best]]
}
