/** Weights of the meshes on the nodes. */
import { invertAffine, transformPoint } from '../../../../shared/scene/matrix.ts'
import { SkinJoints, packInfluences } from '../../../../shared/scene/skinning.ts'
import { mendNumbers } from '../../finite.ts'
import { KEY_WORDS, keyFloats, keyTotal } from '../codecs/tracks.ts'
import { say } from '../texts/index.ts'
import { length3 } from '../../../../shared/scene/length.ts'
import type { Diagnostics } from '../../format.ts'
import type { Scene, Skin } from '../../../../shared/scene/types.ts'
import type { MdsDocument } from '../codecs/mds.ts'
import type { MdsInScene } from './skeleton.ts'
import type { TrackListDocument, TrackNode } from '../codecs/tracks.ts'

/**
 * v' = sum of weight x World[bone] x Bind[bone]^-1 x Bind[owner] x v: the mesh stands in the scene as Bind[owner] placed it.
 * A vertex in no list rides on the owner.
 */
export function addSkin(
  scene: Scene,
  model: MdsDocument,
  place: MdsInScene,
  owner: number,
  groups: readonly TrackNode[],
  bind: Float32Array,
  list: TrackListDocument,
  diagnostics: Diagnostics,
): void {
  if ((place.meshOfNode[owner] ?? -1) < 0) return
  // several MOTION blocks may name weights of their own; the first counts for the picture
  if (place.ownerBind.has(place.meshOfNode[owner])) {
    diagnostics.list.push({
      severity: 'info',
      code: 'level5.several-wgt',
      message: say('scene.twoWeightFiles', { node: owner }),
      ref: list.ref,
      path: '',
      offset: -1,
    })
    return
  }
  const mesh = scene.meshes[place.meshOfNode[owner]]
  const vertexCount = mesh.nativeVertexCount
  const total = groups.reduce((n, g) => n + keyTotal(g), 0)
  // influences of a vertex as linked lists over flat arrays
  const head = new Int32Array(vertexCount).fill(-1)
  const tail = new Int32Array(vertexCount).fill(-1)
  const following = new Int32Array(total).fill(-1)
  const boneOf = new Int32Array(total)
  const weightOf = new Float32Array(total)
  const joints = new SkinJoints()
  const bones = joints.list
  let used = 0
  for (const track of groups) {
    const n = keyTotal(track)
    if (!n || track.target < 0 || track.target >= model.nodes.length) continue
    const s = joints.slot(track.target)
    const floats = keyFloats(track)
    for (let k = 0; k < n; k++) {
      const vertex = track.keys[KEY_WORDS * k]
      const weight = floats[KEY_WORDS * k + 4]
      if (vertex >= vertexCount || !(weight > 0) || !Number.isFinite(weight)) continue
      boneOf[used] = s
      weightOf[used] = weight
      if (head[vertex] < 0) head[vertex] = used
      else following[tail[vertex]] = used
      tail[vertex] = used++
    }
  }
  let ownerSlot = -1
  for (let v = 0; v < mesh.nativeVertex.length && ownerSlot < 0; v++) if (head[mesh.nativeVertex[v]] < 0) ownerSlot = joints.slot(owner)
  const rows = packInfluences(mesh.nativeVertex.length, (v, push) => {
    let i = head[mesh.nativeVertex[v]]
    if (i < 0) push(ownerSlot, 1)
    for (; i >= 0; i = following[i]) push(boneOf[i], weightOf[i])
  })
  const inverseBind = new Float32Array(16 * bones.length)
  bones.forEach((bone, s) => {
    if (!invertAffine(inverseBind, 16 * s, bind, 16 * bone))
      diagnostics.add('warning', 'level5.bind-singular', say('scene.noInverse', { bone }), `nodes[${bone}].matrix`)
  })
  const at = bind.subarray(16 * owner, 16 * owner + 16)
  // those of the node are kept as they are
  mesh.positions = mesh.positions.slice()
  mesh.normals = mesh.normals.slice()
  for (let v = 0; v < mesh.positions.length; v += 3)
    transformPoint(mesh.positions, v, at, 0, mesh.positions[v], mesh.positions[v + 1], mesh.positions[v + 2])
  for (let v = 0; v < mesh.normals.length; v += 3) {
    const x = mesh.normals[v],
      y = mesh.normals[v + 1],
      z = mesh.normals[v + 2]
    for (let c = 0; c < 3; c++) mesh.normals[v + c] = at[c] * x + at[4 + c] * y + at[8 + c] * z
    const length = length3(mesh.normals[v], mesh.normals[v + 1], mesh.normals[v + 2]) || 1
    for (let c = 0; c < 3; c++) mesh.normals[v + c] /= length
  }
  // absurd matrices overflow; nothing on screen may turn to NaN
  mendNumbers(mesh.positions)
  mendNumbers(mesh.normals)
  mendNumbers(inverseBind)
  const skin: Skin = {
    name: mesh.name,
    joints: Uint32Array.from(bones, (bone) => place.jointOf[bone]),
    inverseBind,
    ...rows,
    source: { ref: list.ref, path: `tracks[${list.tracks.indexOf(groups[0])}]` },
  }
  mesh.skin = scene.skins.length
  place.ownerBind.set(place.meshOfNode[owner], at)
  scene.skins.push(skin)
  if (scene.skeleton.roles) for (const j of skin.joints) scene.skeleton.roles[j] = 'joint'
}
