/** A scene at one instant, on the CPU: where every joint and vertex is. The drawn model, picking and framing all read it. */
import { compose, decompose, invertAffine, multiply } from '../../shared/scene/matrix.ts'
import { createPose, poseRest, sampleClip, updateWorld } from '../../shared/scene/pose.ts'
import type { Pose } from '../../shared/scene/pose.ts'
import { skinMesh } from '../../shared/scene/skinning.ts'
import type { Mesh, Scene, Skin } from '../../shared/scene/types.ts'
import { robustBounds } from './bounds.ts'
import { Travel } from './travel.ts'
import { length3 } from '../../shared/scene/length.ts'
import type { Bounds } from './bounds.ts'
import type { Carried, Viewer } from './orbit.ts'
import type { HeldJoint, PosedJoints } from './types.ts'
import type { Vec3 } from './vec.ts'

export interface PosedMesh {
  mesh: Mesh
  skin: Skin | null
  /** vertices before `world`: scene space for a skinned mesh, joint space for a rigid one */
  positions: Float32Array
  normals: Float32Array
  /** moves `positions` to the scene; the identity for a skinned mesh */
  world: Float32Array
  /** by the file and the clip; hidden levels of detail and the user's choice come on top */
  visible: boolean
  /** positions differ from the last update */
  moved: boolean
}

interface Working extends PosedMesh {
  palette: Float32Array
  inverseRest: Float32Array | null
  owner: Float32Array
  /** source of a mesh whose vertices are animated, else null */
  morphed: Mesh | null
  /** native vertex -> vertices, compressed rows; built at the first animated vertex */
  rows: { offsets: Uint32Array; list: Uint32Array } | null
}

export class PosedModel {
  readonly scene: Scene
  readonly pose: Pose
  readonly meshes: readonly PosedMesh[]
  /** something turns to the viewer: the pose depends on the camera */
  readonly facesViewer: boolean
  /** a joint that is held by a tool */
  held: HeldJoint | null = null
  /** a joint as numbers have it that are being typed, over all that tools hold */
  typed: HeldJoint | null = null
  /** joints that tools put elsewhere than the clip has them */
  posed: PosedJoints | null = null
  /** what a clip carries over the floor stays where it began */
  inPlace = false
  /** how far the clip carries it at the last update, x and z */
  travelled: Carried = [0, 0]
  /** how often it was posed */
  updates = 0
  private readonly travel: Travel
  private readonly working: Working[]

  constructor(scene: Scene) {
    this.scene = scene
    this.pose = createPose(scene)
    this.travel = new Travel(scene)
    const count = scene.skeleton.count
    this.working = scene.meshes.map((mesh) => {
      const skin = scene.skins[mesh.skin] ?? null
      const owner = mesh.joint >= 0 && mesh.joint < count
      let inverseRest: Float32Array | null = null
      if (skin && owner) {
        inverseRest = new Float32Array(16)
        if (!invertAffine(inverseRest, 0, this.pose.world, 16 * mesh.joint)) inverseRest = null
      }
      const world = identityMatrix()
      return {
        mesh,
        skin,
        positions: skin ? mesh.positions.slice() : mesh.positions,
        normals: skin ? mesh.normals.slice() : mesh.normals,
        world,
        visible: mesh.visible,
        moved: true,
        palette: new Float32Array(skin ? 16 * skin.joints.length : 0),
        inverseRest,
        owner: identityMatrix(),
        morphed: null,
        rows: null,
      }
    })
    this.meshes = this.working
    this.facesViewer =
      scene.meshes.some((m) => m.billboard && m.billboard !== 'none') || (scene.skeleton.billboards?.some((b) => b !== 'none') ?? false)
  }

  /** How far it stands from where it began. */
  get walked(): Carried {
    return this.inPlace ? [0, 0] : this.travelled
  }

  /** Poses the model. Without a clip (-1) it rests. @param camera turns billboards; without it they stay as the file has them */
  update(clip: number, time: number, camera?: Viewer): void {
    const { scene, pose } = this
    const sampled = scene.clips[clip]
    // until its tracks are there the pose before stays: no model drops into its bind pose for a moment
    if (sampled?.away && this.updates > 0) return
    this.updates++
    if (sampled && !sampled.away) sampleClip(scene, sampled, time, pose)
    else poseRest(scene, pose)
    this.travelled = this.travel.at(clip, pose.world)
    if (this.inPlace) this.putBack()
    const skinned = (this.typed ?? this.held)?.keepSkin ? { world: pose.world.slice() } : pose
    this.hold()
    if (camera && scene.skeleton.billboards?.some((b) => b !== 'none')) this.turnJoints(camera)
    this.morph()
    const count = scene.skeleton.count
    for (let i = 0; i < this.working.length; i++) {
      const m = this.working[i]
      const joint = m.mesh.joint
      const carried = joint >= 0 && joint < count
      m.visible = pose.meshVisible[i] === 1 && (!carried || pose.visible[joint] === 1)
      if (m.skin) {
        if (!m.visible) continue
        if (m.inverseRest) multiply(m.owner, 0, skinned.world, 16 * joint, m.inverseRest, 0)
        skinMesh(m.morphed ?? m.mesh, m.skin, skinned, m.positions, m.normals, m.palette, m.inverseRest ? m.owner : undefined)
        m.moved = true
      } else {
        if (carried) m.world.set(pose.world.subarray(16 * joint, 16 * joint + 16))
        if (camera && m.mesh.billboard && m.mesh.billboard !== 'none') face(m.world, 0, m.mesh.billboard, camera)
      }
    }
  }

  /** Vertices of a mesh in scene space; a copy unless the mesh is skinned. */
  scenePositions(index: number): Float32Array {
    const m = this.working[index]
    if (m.skin) return m.positions
    const out = new Float32Array(m.positions.length)
    const w = m.world
    const p = m.positions
    for (let i = 0; i < p.length; i += 3) {
      const x = p[i],
        y = p[i + 1],
        z = p[i + 2]
      out[i] = w[0] * x + w[4] * y + w[8] * z + w[12]
      out[i + 1] = w[1] * x + w[5] * y + w[9] * z + w[13]
      out[i + 2] = w[2] * x + w[6] * y + w[10] * z + w[14]
    }
    return out
  }

  /** Box around the meshes that `shown` lets through; around the joints where none is. Null for nothing at all. */
  bounds(shown: (mesh: number) => boolean = () => true): Bounds | null {
    const seen = [...this.working.keys()].filter((i) => this.working[i].visible && shown(i))
    return (
      robustBounds(
        seen.map((i) => this.scenePositions(i)),
        seen.map((i) => this.working[i].mesh.indices),
      ) ?? this.jointBounds()
    )
  }

  jointBounds(): Bounds | null {
    const n = this.scene.skeleton.count
    const points = new Float32Array(3 * n)
    for (let i = 0; i < n; i++) for (let c = 0; c < 3; c++) points[3 * i + c] = this.pose.world[16 * i + 12 + c]
    return robustBounds([points])
  }

  /** Roots carry everything: in their own matrices and so in those of all joints. */
  private putBack(): void {
    const [x, z] = this.travelled
    const { local, world } = this.pose
    const { parents, count } = this.scene.skeleton
    for (let i = 0; i < count; i++) {
      world[16 * i + 12] -= x
      world[16 * i + 14] -= z
      if (parents[i] >= 0) continue
      local[16 * i + 12] -= x
      local[16 * i + 14] -= z
    }
  }

  private hold(): void {
    const { posed, pose } = this
    const { skeleton } = this.scene
    const t = [0, 0, 0],
      q = [0, 0, 0, 1],
      s = [1, 1, 1]
    if (posed && posed.rotation.length === 4 * skeleton.count) {
      for (const list of [posed.turned, posed.moved])
        for (const joint of list) {
          decompose(pose.local, 16 * joint, t, 0, q, 0, s, 0)
          compose(pose.local, 16 * joint, posed.translation, 3 * joint, posed.rotation, 4 * joint, s, 0)
        }
    }
    for (const held of [this.held, this.typed]) {
      if (!held || held.joint < 0 || held.joint >= skeleton.count) continue
      decompose(pose.local, 16 * held.joint, t, 0, q, 0, s, 0)
      compose(pose.local, 16 * held.joint, Array.from(held.translation), 0, Array.from(held.rotation), 0, held.scale ?? s, 0)
    }
    if (posed || this.held || this.typed) updateWorld(skeleton, pose.local, pose.world)
  }

  /** Joints that turn to the viewer, and what hangs on them. */
  private turnJoints(camera: Viewer): void {
    const { skeleton } = this.scene
    const { local, world } = this.pose
    const kinds = skeleton.billboards!
    const turned = new Uint8Array(skeleton.count)
    for (let i = 0; i < skeleton.count; i++) {
      const p = skeleton.parents[i]
      const kind = kinds[i] ?? 'none'
      if (p >= 0 && turned[p]) multiply(world, 16 * i, world, 16 * p, local, 16 * i)
      else if (kind === 'none') continue
      turned[i] = 1
      if (kind !== 'none') face(world, 16 * i, kind, camera)
    }
  }

  private morph(): void {
    for (const m of this.working) {
      if (!m.morphed) continue
      m.morphed.positions.set(m.mesh.positions)
      m.moved = true
    }
    for (const v of this.pose.vertices) {
      const m = this.working[v.mesh]
      if (v.vertex < 0 || v.vertex >= m.mesh.nativeVertexCount) continue
      if (!m.morphed) {
        m.morphed = { ...m.mesh, positions: m.mesh.positions.slice() }
        if (!m.skin) m.positions = m.morphed.positions
        m.rows = verticesByNative(m.mesh)
        m.moved = true
      }
      const { offsets, list } = m.rows!
      const p = m.morphed.positions
      for (let i = offsets[v.vertex]; i < offsets[v.vertex + 1]; i++) {
        p[3 * list[i]] = v.x
        p[3 * list[i] + 1] = v.y
        p[3 * list[i] + 2] = v.z
      }
    }
  }
}

function identityMatrix(): Float32Array {
  return Float32Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)
}

/**
 * Replaces the rotation of a matrix so that its +Z looks at the viewer; place and scale stay. `y` turns about the scene's up axis only, `eye` looks
 * to where the viewer is instead of against its gaze.
 */
function face(m: Float32Array, o: number, kind: 'y' | 'full' | 'eye', camera: Viewer): void {
  const sx = length3(m[o], m[o + 1], m[o + 2]),
    sy = length3(m[o + 4], m[o + 5], m[o + 6]),
    sz = length3(m[o + 8], m[o + 9], m[o + 10])
  let { right, up, back } = camera
  if (kind === 'y') {
    // the camera's right axis always lies in the floor plane, also when it looks straight down
    up = [0, 1, 0]
    back = [-right[2], 0, right[0]]
    right = camera.right
  } else if (kind === 'eye') {
    const to: Vec3 = [camera.eye[0] - m[o + 12], camera.eye[1] - m[o + 13], camera.eye[2] - m[o + 14]]
    const away = Math.hypot(...to)
    const flat = Math.hypot(to[0], to[2])
    // right above or below it there is no direction in the floor plane: the viewer's own then
    if (flat > 1e-6 * away) {
      back = [to[0] / away, to[1] / away, to[2] / away]
      right = [to[2] / flat, 0, -to[0] / flat]
      up = [back[1] * right[2] - back[2] * right[1], back[2] * right[0] - back[0] * right[2], back[0] * right[1] - back[1] * right[0]]
    }
  }
  for (let c = 0; c < 3; c++) {
    m[o + c] = right[c] * sx
    m[o + 4 + c] = up[c] * sy
    m[o + 8 + c] = back[c] * sz
  }
}

function verticesByNative(mesh: Mesh): { offsets: Uint32Array; list: Uint32Array } {
  const n = mesh.nativeVertexCount
  const offsets = new Uint32Array(n + 1)
  for (const v of mesh.nativeVertex) if (v < n) offsets[v + 1]++
  for (let i = 0; i < n; i++) offsets[i + 1] += offsets[i]
  const next = offsets.slice()
  const list = new Uint32Array(offsets[n])
  mesh.nativeVertex.forEach((v, i) => {
    if (v < n) list[next[v]++] = i
  })
  return { offsets, list }
}
