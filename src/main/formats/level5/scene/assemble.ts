/**
 * A scene from the files of a model. Nothing here throws on odd input: what does not fit is left out and reported.
 */
import { identity, invertAffine, multiply, transformPoint } from '../../../../shared/scene/matrix.ts'
import { buildSkeleton } from '../../../../shared/scene/pose.ts'
import { packInfluences } from '../../../../shared/scene/skinning.ts'
import { emptyScene, plainMaterial } from '../../../../shared/scene/types.ts'
import { baseName, stemOf } from '../../../../shared/ref.ts'
import { Diagnostics } from '../../format.ts'
import { nodeAttributes } from '../codecs/attributes.ts'
import { rotationToScene } from './basis.ts'
import { bindWorlds, detectForm } from '../codecs/bbp.ts'
import { cfgMotions, keyPath } from '../codecs/cfg.ts'
import { checkBindPose, checkSkins, checkTextures, checkTrackNodes } from './checks.ts'
import { imgPictures, saysSwizzled } from '../codecs/img.ts'
import { localMatrices, meshOf, nodeName, nodeOrder } from '../codecs/mds.ts'
import { cornerRoles, materialName, primitiveStride, triangleCorners } from '../codecs/mdt.ts'
import { frameRange } from '../codecs/mot.ts'
import { decodePicture } from '../codecs/tim2.ts'
import { KEY_WORDS, TRACK_TYPE, keyFloats, keyTotal, typeComponents, typeLabel } from '../codecs/track-list.ts'
import { groupsByOwner } from '../codecs/wgt.ts'
import type { AssembledModel, Document, ModelBinding, ModelChoices, ModelMember, ModelOption } from '../../format.ts'
import type { BbpDocument, BbpForm } from '../codecs/bbp.ts'
import type { CfgDocument } from '../codecs/cfg.ts'
import type { ImgDocument } from '../codecs/img.ts'
import type { MdsDocument } from '../codecs/mds.ts'
import type { MdtNode } from '../codecs/mdt.ts'
import type { Swizzle, Tim2Document, Tim2Picture } from '../codecs/tim2.ts'
import type { TrackListDocument, TrackNode } from '../codecs/track-list.ts'
import type { Clip, Mesh, Scene, Skin, Texture, Track, TrackTarget } from '../../../../shared/scene/types.ts'

const TICK_RATE = 30
/** most scene tracks that tracks of type 51 are spread over */
const MAX_SPREAD = 100_000

/** Choices of the family; keys of ModelOption. */
export const OPTION = { tickRate: 'level5.tickRate', type40: 'level5.type40', bbp: 'level5.bbp', swizzle: 'level5.swizzle' } as const

export type Type40 = 'transparency' | 'scale'

/** What the editors need to find their way from the scene back to the files. */
export interface MdsInScene {
  jointOf: Int32Array
  /** scene mesh of each node, -1 for none */
  meshOfNode: Int32Array
  /** first scene material of each node with a mesh */
  materialOfNode: Int32Array
  /** bind matrix of the owner of each skinned scene mesh */
  ownerBind: Map<number, Float32Array>
}

interface Loaded {
  member: ModelMember
  document: Document
}

export function assemble(binding: ModelBinding, load: (ref: string) => Document | undefined, choices: ModelChoices): AssembledModel {
  const scene = emptyScene(binding.name)
  const options: ModelOption[] = []
  const diagnostics = new Diagnostics(binding.primary)
  const loaded = (format: string): Loaded[] =>
    binding.members.flatMap((member) => {
      const document = load(member.ref)
      return document?.format === format ? [{ member, document }] : []
    })
  for (const member of binding.members)
    if (!load(member.ref))
      diagnostics.list.push({
        severity: 'error',
        code: 'level5.member-unread',
        message: `${baseName(member.ref)} could not be read`,
        ref: member.ref,
        path: '',
        offset: -1,
      })

  const mds = load(binding.primary)
  if (mds?.format !== 'level5.mds') return { scene, options, diagnostics: diagnostics.list }
  const model = mds as MdsDocument

  const rate =
    typeof choices[OPTION.tickRate] === 'number' && (choices[OPTION.tickRate] as number) > 0
      ? (choices[OPTION.tickRate] as number)
      : TICK_RATE
  options.push({
    key: OPTION.tickRate,
    label: 'Game ticks per second',
    reason: 'the KEY speed is frames per tick; sources say 30, 60 is possible',
    value: rate,
    options: [...new Set([30, 60, rate])].map((value) => ({ value, label: `${value}` })),
  })

  const place = buildNodes(scene, model)
  const textures = new TextureTable(
    scene,
    loaded('level5.img'),
    loaded('level5.tim2'),
    choiceOf(choices[OPTION.swizzle], ['auto', 'linear', 'swizzled'], 'auto'),
  )
  buildMeshes(scene, model, place, textures, diagnostics)
  if (textures.paletted) options.push(textures.option())
  buildSkins(scene, model, place, loaded('level5.wgt'), loaded('level5.bbp'), choices, options, diagnostics)
  buildClips(scene, model, place, loaded('level5.mot'), rate, choices, options, diagnostics)
  buildSlices(scene, loaded('level5.cfg'), loaded('level5.mot'), rate)
  return { scene, options, diagnostics: diagnostics.list }
}

function choiceOf<T extends string>(value: unknown, allowed: readonly T[], fallback: T): T {
  return allowed.includes(value as T) ? (value as T) : fallback
}

/** Numbers that are none become `fallback`, so that nothing on screen turns to NaN. */
function finite(values: Float32Array, fallback = 0): number {
  let bad = 0
  for (let i = 0; i < values.length; i++) {
    if (!Number.isFinite(values[i])) {
      values[i] = fallback
      bad++
    }
  }
  return bad
}

function buildNodes(scene: Scene, model: MdsDocument): MdsInScene {
  const names = model.nodes.map(nodeName)
  const locals = localMatrices(model)
  for (let i = 0; i < model.nodes.length; i++) {
    const m = locals.subarray(16 * i, 16 * i + 16)
    if (!m.every(Number.isFinite)) identity(m)
  }
  const { skeleton, jointOf } = buildSkeleton(
    names,
    Int32Array.from(model.nodes, (n) => n.parent),
    locals,
    (native) => ({ ref: model.ref, path: `nodes[${native}]` }),
  )
  scene.skeleton = skeleton
  const hasChild = new Uint8Array(skeleton.count)
  for (let j = 0; j < skeleton.count; j++) if (skeleton.parents[j] >= 0) hasChild[skeleton.parents[j]] = 1
  skeleton.roles = Array.from(skeleton.nativeIndex, (native, j) => (meshOf(model, model.nodes[native]) && !hasChild[j] ? 'mesh' : 'joint'))
  skeleton.billboards = skeleton.names.map((name) => nodeAttributes(name).billboard)
  return {
    jointOf,
    meshOfNode: new Int32Array(model.nodes.length).fill(-1),
    materialOfNode: new Int32Array(model.nodes.length).fill(-1),
    ownerBind: new Map(),
  }
}

// --- textures ----------------------------------------------------------------------------------------------------

class TextureTable {
  /** 8-bit pictures that could be swizzled */
  paletted = 0
  private turned = 0
  private readonly scene: Scene
  private readonly swizzle: Swizzle
  private readonly pictures = new Map<string, { name: string; ref: string; path: string; picture: Tim2Picture; swizzled: boolean }>()
  private readonly index = new Map<string, number>()

  constructor(scene: Scene, images: Loaded[], loose: Loaded[], swizzle: Swizzle) {
    this.scene = scene
    this.swizzle = swizzle
    const put = (name: string, ref: string, path: string, picture: Tim2Picture | undefined, swizzled = false): void => {
      const key = stemOf(name)
      if (picture && !this.pictures.has(key)) this.pictures.set(key, { name, ref, path, picture, swizzled })
    }
    for (const { document } of images)
      for (const p of imgPictures(document as ImgDocument))
        put(
          p.name,
          document.ref,
          `entries[${p.entry}].image.pictures[0]`,
          p.tim2.pictures[0],
          saysSwizzled(document as ImgDocument, p.entry),
        )
    for (const { document } of loose) put(stemOf(document.ref), document.ref, 'pictures[0]', (document as Tim2Document).tim2.pictures[0])
    // every picture of the model's files, also those that no material names (texture animations exchange them)
    for (const key of this.pictures.keys()) this.find(key)
  }

  /** Index of a texture by the name a material has; a missing one is in the list too, marked so. */
  find(name: string): number {
    const key = stemOf(name)
    const known = this.index.get(key)
    if (known !== undefined) return known
    const found = this.pictures.get(key)
    const decoded = found ? decodePicture(found.picture, this.swizzle === 'auto' && found.swizzled ? 'swizzled' : this.swizzle) : undefined
    if (found?.picture.imageType === 5 && decoded) {
      this.paletted++
      if (decoded.swizzled) this.turned++
    }
    const texture: Texture = decoded
      ? {
          name: found!.name,
          width: decoded.width,
          height: decoded.height,
          rgba: decoded.rgba,
          missing: false,
          hasAlpha: decoded.hasAlpha,
          source: { ref: found!.ref, path: found!.path },
        }
      : {
          name,
          width: 0,
          height: 0,
          rgba: new Uint8Array(0),
          missing: true,
          hasAlpha: false,
          source: { ref: found?.ref ?? '', path: found?.path ?? '' },
        }
    this.scene.textures.push(texture)
    this.index.set(key, this.scene.textures.length - 1)
    return this.scene.textures.length - 1
  }

  option(): ModelOption {
    return {
      key: OPTION.swizzle,
      label: 'Pixels of 8-bit textures',
      reason:
        this.swizzle === 'auto'
          ? `the table of an IM3 says so, elsewhere no header bit tells; ${this.turned} of ${this.paletted} are read as swizzled`
          : 'chosen',
      value: this.swizzle,
      options: [
        { value: 'auto', label: 'Decide by smoothness' },
        { value: 'linear', label: 'Row by row' },
        { value: 'swizzled', label: 'Swizzled' },
      ],
    }
  }
}

// --- meshes ------------------------------------------------------------------------------------------------------

function buildMeshes(scene: Scene, model: MdsDocument, place: MdsInScene, textures: TextureTable, diagnostics: Diagnostics): void {
  model.nodes.forEach((n, i) => {
    const mdt = meshOf(model, n)
    if (!mdt) return
    const name = nodeName(n)
    const attributes = nodeAttributes(name)
    const source = { ref: model.ref, path: `nodes[${i}].mdt` }
    const firstMaterial = scene.materials.length
    place.materialOfNode[i] = firstMaterial
    mdt.materials.forEach((m, k) => {
      const texture = materialName(m)
      const material = plainMaterial(texture || `${name} ${k}`, { ref: model.ref, path: `${source.path}.materials[${k}]` })
      const d = m.values.slice(0, 4)
      finite(d, 1)
      material.diffuse = [clamp(d[0]), clamp(d[1]), clamp(d[2]), clamp(d[3])]
      material.texture = texture ? textures.find(texture) : -1
      // the PS2 has no back-face culling of its own, and planes of effects are seen from both sides
      material.doubleSided = true
      material.lit = !attributes.unlit
      material.depthWrite = !attributes.noDepthWrite
      material.depthTest = !attributes.ignoreDepth
      material.vertexColors = mdt.colors.length > 0
      const seeThrough = material.diffuse[3] < 1 || (material.texture >= 0 && scene.textures[material.texture].hasAlpha)
      if (attributes.blend === 'additive' || attributes.blend === 'subtractive') material.blend = attributes.blend
      else if (attributes.blend === 'opaque' || !seeThrough) material.blend = 'opaque'
      else {
        material.blend = 'alpha'
        material.alphaTest = 1 / 255
      }
      if (attributes.alphaRef >= 0) material.alphaTest = Math.min(1, attributes.alphaRef / 0x80)
      scene.materials.push(material)
    })
    const geometry = buildGeometry(mdt, firstMaterial)
    if (geometry.odd) diagnostics.add('warning', 'level5.mesh-number', `${geometry.odd} coordinates of ${name} are no numbers`, source.path)
    place.meshOfNode[i] = scene.meshes.length
    scene.meshes.push({
      name,
      joint: place.jointOf[i],
      ...geometry.mesh,
      skin: -1,
      nativeVertexCount: mdt.vertices.length / 4,
      visible: !attributes.hidden,
      lod: -1,
      sortLevel: attributes.blend === 'additive' || attributes.blend === 'subtractive' ? 1 : 0,
      source,
    })
  })
  diagnostics.list.push(...checkTextures(model, (texture) => !scene.textures[textures.find(texture)].missing))
}

function clamp(v: number): number {
  return v < 0 ? 0 : v > 1 ? 1 : v
}

type Geometry = Pick<Mesh, 'positions' | 'normals' | 'uvs' | 'colors' | 'indices' | 'groups' | 'nativeVertex'>

/** Triangles with one vertex per different corner (position, normal, uv, colour). */
function buildGeometry(mdt: MdtNode, firstMaterial: number): { mesh: Geometry; odd: number } {
  const primitives = mdt.faces?.primitives ?? []
  const limit = { position: mdt.vertices.length / 4, normal: mdt.normals.length / 4, uv: mdt.uvs.length / 4, color: mdt.colors.length / 4 }
  const total = primitives.reduce((n, p) => n + p.indices.length / primitiveStride(p.type), 0)
  // corner -> vertex, by open addressing over the four indices
  let bits = 4
  while (1 << bits < 2 * total) bits++
  const slots = new Int32Array(1 << bits).fill(-1)
  const mask = slots.length - 1
  const corners = new Int32Array(4 * total)
  let used = 0
  const vertexOf = (position: number, normal: number, uv: number, color: number): number => {
    let h =
      (Math.imul(position, 0x9e3779b1) ^ Math.imul(normal, 0x85ebca6b) ^ Math.imul(uv, 0xc2b2ae35) ^ Math.imul(color, 0x27d4eb2f)) >>> 0
    h = (h ^ (h >>> 15)) & mask
    for (;;) {
      const v = slots[h]
      if (v < 0) {
        slots[h] = used
        corners[4 * used] = position
        corners[4 * used + 1] = normal
        corners[4 * used + 2] = uv
        corners[4 * used + 3] = color
        return used++
      }
      if (corners[4 * v] === position && corners[4 * v + 1] === normal && corners[4 * v + 2] === uv && corners[4 * v + 3] === color)
        return v
      h = (h + 1) & mask
    }
  }
  const byMaterial = new Map<number, number[]>()
  for (const p of primitives) {
    const stride = primitiveStride(p.type)
    const roles = cornerRoles(p.type)
    const n = p.indices.length / stride
    const vertices = new Int32Array(n)
    const value = { position: -1, normal: -1, uv: -1, color: -1 }
    for (let c = 0; c < n; c++) {
      value.position = value.normal = value.uv = value.color = -1
      for (let r = 0; r < stride; r++) {
        const index = p.indices[c * stride + r]
        value[roles[r]] = index >= 0 && index < limit[roles[r]] ? index : -1
      }
      vertices[c] = value.position < 0 ? -1 : vertexOf(value.position, value.normal, value.uv, value.color)
    }
    const material = p.material < mdt.materials.length ? firstMaterial + p.material : -1
    let list = byMaterial.get(material)
    if (!list) byMaterial.set(material, (list = []))
    const triangles = triangleCorners(p)
    for (let t = 0; t < triangles.length; t += 3) {
      const a = vertices[triangles[t]],
        b = vertices[triangles[t + 1]],
        c = vertices[triangles[t + 2]]
      // what points outside the mesh is reported by its decoder
      if (a >= 0 && b >= 0 && c >= 0) list.push(a, b, c)
    }
  }
  const count = [...byMaterial.values()].reduce((n, list) => n + list.length, 0)
  const indices = new Uint32Array(count)
  const groups: Mesh['groups'] = []
  let at = 0
  for (const [material, list] of byMaterial) {
    if (!list.length) continue
    indices.set(list, at)
    groups.push({ start: at, count: list.length, material })
    at += list.length
  }
  const positions = new Float32Array(3 * used)
  const normals = new Float32Array(3 * used)
  const uvs = new Float32Array(2 * used)
  const colors = limit.color ? new Float32Array(4 * used).fill(1) : new Float32Array(0)
  const nativeVertex = new Uint32Array(used)
  // colours run to 1 or to 128: nobody settles it, the values do
  let most = 0
  for (const v of mdt.colors) if (v > most) most = v
  const colorScale = most > 2 ? 1 / 128 : 1
  const bare: number[] = []
  for (let v = 0; v < used; v++) {
    const [p, n, uv, color] = [corners[4 * v], corners[4 * v + 1], corners[4 * v + 2], corners[4 * v + 3]]
    nativeVertex[v] = p
    for (let c = 0; c < 3; c++) positions[3 * v + c] = mdt.vertices[4 * p + c]
    if (n >= 0) {
      const x = mdt.normals[4 * n],
        y = mdt.normals[4 * n + 1],
        z = mdt.normals[4 * n + 2]
      const length = Math.hypot(x, y, z)
      if (length > 0 && Number.isFinite(length)) {
        normals[3 * v] = x / length
        normals[3 * v + 1] = y / length
        normals[3 * v + 2] = z / length
      } else bare.push(v)
    } else bare.push(v)
    if (uv >= 0) {
      uvs[2 * v] = mdt.uvs[4 * uv]
      uvs[2 * v + 1] = mdt.uvs[4 * uv + 1]
    }
    if (color >= 0) for (let c = 0; c < 4; c++) colors[4 * v + c] = mdt.colors[4 * color + c] * colorScale
  }
  const odd = finite(positions) + finite(uvs) + finite(colors, 1)
  if (bare.length) faceNormals(positions, indices, normals, bare)
  return { mesh: { positions, normals, uvs: limit.uv ? [uvs] : [], colors, indices, groups, nativeVertex }, odd }
}

/** Normals for vertices that the file gives none: the sum of their triangles'. */
function faceNormals(positions: Float32Array, indices: Uint32Array, normals: Float32Array, bare: number[]): void {
  const wanted = new Uint8Array(positions.length / 3)
  for (const v of bare) wanted[v] = 1
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [3 * indices[t], 3 * indices[t + 1], 3 * indices[t + 2]]
    const ux = positions[b] - positions[a],
      uy = positions[b + 1] - positions[a + 1],
      uz = positions[b + 2] - positions[a + 2]
    const vx = positions[c] - positions[a],
      vy = positions[c + 1] - positions[a + 1],
      vz = positions[c + 2] - positions[a + 2]
    for (const at of [a, b, c]) {
      if (!wanted[at / 3]) continue
      normals[at] += uy * vz - uz * vy
      normals[at + 1] += uz * vx - ux * vz
      normals[at + 2] += ux * vy - uy * vx
    }
  }
  for (const v of bare) {
    const length = Math.hypot(normals[3 * v], normals[3 * v + 1], normals[3 * v + 2])
    if (length > 0 && Number.isFinite(length)) for (let c = 0; c < 3; c++) normals[3 * v + c] /= length
    else normals.set([0, 1, 0], 3 * v)
  }
}

// --- skins -------------------------------------------------------------------------------------------------------

/** Model-space matrices of the nodes' own pose, by node. */
export function mdsWorlds(model: MdsDocument): { locals: Float32Array; worlds: Float32Array; order: Int32Array; parents: Int32Array } {
  const { order, parents } = nodeOrder(model)
  const locals = localMatrices(model)
  for (let i = 0; i < model.nodes.length; i++) {
    const m = locals.subarray(16 * i, 16 * i + 16)
    if (!m.every(Number.isFinite)) identity(m)
  }
  const worlds = new Float32Array(locals.length)
  for (const i of order) {
    if (parents[i] < 0) worlds.set(locals.subarray(16 * i, 16 * i + 16), 16 * i)
    else multiply(worlds, 16 * i, worlds, 16 * parents[i], locals, 16 * i)
  }
  return { locals, worlds, order, parents }
}

function buildSkins(
  scene: Scene,
  model: MdsDocument,
  place: MdsInScene,
  weights: Loaded[],
  bindPoses: Loaded[],
  choices: ModelChoices,
  options: ModelOption[],
  diagnostics: Diagnostics,
): void {
  if (!weights.length) return
  const { locals, worlds, order, parents } = mdsWorlds(model)
  let bind = worlds
  const bbp = bindPoses[0]?.document as BbpDocument | undefined
  if (bbp) {
    diagnostics.list.push(...checkBindPose(bbp, model))
    const found = detectForm(bbp.matrices, parents, order, locals, worlds)
    const chosen = choiceOf<'auto' | BbpForm>(choices[OPTION.bbp], ['auto', 'local', 'world'], 'auto')
    bind = bindWorlds(chosen === 'auto' ? found.form : chosen, bbp.matrices, parents, order, locals, worlds)
    options.push({
      key: OPTION.bbp,
      label: 'Bind matrices',
      reason:
        chosen === 'auto' ? `${found.form === 'local' ? 'local (Dark Cloud 1)' : 'model-space (Dark Cloud 2)'}: ${found.reason}` : 'chosen',
      value: chosen,
      options: [
        { value: 'auto', label: 'Decide by the pose of the MDS' },
        { value: 'local', label: 'Local (Dark Cloud 1)' },
        { value: 'world', label: 'Model space (Dark Cloud 2)' },
      ],
    })
  }
  if (bindPoses.length > 1)
    diagnostics.add('info', 'level5.several-bbp', `${bindPoses.length} bind poses; ${baseName(bindPoses[0].member.ref)} is used`)
  const skinned = new Set<number>()
  for (const { document } of weights) {
    const list = document as TrackListDocument
    diagnostics.list.push(...checkSkins(list, model))
    for (const [owner, groups] of groupsByOwner(list)) {
      if ((place.meshOfNode[owner] ?? -1) < 0) continue
      // several MOTION blocks may name weights of their own; the first counts for the picture
      if (skinned.has(owner)) {
        diagnostics.list.push({
          severity: 'info',
          code: 'level5.several-wgt',
          message: `node ${owner} has weights in more than one file; the first is shown`,
          ref: list.ref,
          path: '',
          offset: -1,
        })
        continue
      }
      skinned.add(owner)
      bindSkin(scene, model, place, owner, groups, bind, list, diagnostics)
    }
  }
}

/**
 * v' = sum of weight x World[bone] x Bind[bone]^-1 x Bind[owner] x v: the mesh stands in the scene as Bind[owner] placed it.
 * A vertex in no list rides on the owner.
 */
function bindSkin(
  scene: Scene,
  model: MdsDocument,
  place: MdsInScene,
  owner: number,
  groups: readonly TrackNode[],
  bind: Float32Array,
  list: TrackListDocument,
  diagnostics: Diagnostics,
): void {
  const mesh = scene.meshes[place.meshOfNode[owner]]
  const vertexCount = mesh.nativeVertexCount
  const total = groups.reduce((n, g) => n + keyTotal(g), 0)
  // influences of a vertex as linked lists over flat arrays
  const head = new Int32Array(vertexCount).fill(-1)
  const tail = new Int32Array(vertexCount).fill(-1)
  const following = new Int32Array(total).fill(-1)
  const boneOf = new Int32Array(total)
  const weightOf = new Float32Array(total)
  const slotOf = new Map<number, number>()
  const bones: number[] = []
  const slot = (bone: number): number => {
    let s = slotOf.get(bone)
    if (s === undefined) {
      s = bones.length
      slotOf.set(bone, s)
      bones.push(bone)
    }
    return s
  }
  let used = 0
  for (const track of groups) {
    const n = keyTotal(track)
    if (!n || track.target < 0 || track.target >= model.nodes.length) continue
    const s = slot(track.target)
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
  for (let v = 0; v < mesh.nativeVertex.length && ownerSlot < 0; v++) if (head[mesh.nativeVertex[v]] < 0) ownerSlot = slot(owner)
  const rows = packInfluences(mesh.nativeVertex.length, (v, push) => {
    let i = head[mesh.nativeVertex[v]]
    if (i < 0) push(ownerSlot, 1)
    for (; i >= 0; i = following[i]) push(boneOf[i], weightOf[i])
  })
  const inverseBind = new Float32Array(16 * bones.length)
  bones.forEach((bone, s) => {
    if (!invertAffine(inverseBind, 16 * s, bind, 16 * bone))
      diagnostics.add('warning', 'level5.bind-singular', `the bind matrix of node ${bone} has no inverse`, `nodes[${bone}].matrix`)
  })
  const at = bind.subarray(16 * owner, 16 * owner + 16)
  for (let v = 0; v < mesh.positions.length; v += 3)
    transformPoint(mesh.positions, v, at, 0, mesh.positions[v], mesh.positions[v + 1], mesh.positions[v + 2])
  for (let v = 0; v < mesh.normals.length; v += 3) {
    const x = mesh.normals[v],
      y = mesh.normals[v + 1],
      z = mesh.normals[v + 2]
    for (let c = 0; c < 3; c++) mesh.normals[v + c] = at[c] * x + at[4 + c] * y + at[8 + c] * z
    const length = Math.hypot(mesh.normals[v], mesh.normals[v + 1], mesh.normals[v + 2]) || 1
    for (let c = 0; c < 3; c++) mesh.normals[v + c] /= length
  }
  // absurd matrices overflow; nothing on screen may turn to NaN
  finite(mesh.positions)
  finite(mesh.normals)
  finite(inverseBind)
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

// --- clips -------------------------------------------------------------------------------------------------------

/** Does the evidence say transparency? The target is a material of a node with a mesh, and values stay within 0 to 1. */
function type40Evidence(model: MdsDocument, track: TrackNode): Type40 {
  const n = model.nodes[track.node]
  const mdt = n && meshOf(model, n)
  if (!mdt || track.target < 0 || track.target >= Math.max(1, mdt.materials.length)) return 'scale'
  const floats = keyFloats(track)
  for (let i = 4; i < floats.length; i += KEY_WORDS) if (!(floats[i] >= -1e-4 && floats[i] <= 1 + 1e-4)) return 'scale'
  return 'transparency'
}

function buildClips(
  scene: Scene,
  model: MdsDocument,
  place: MdsInScene,
  motions: Loaded[],
  rate: number,
  choices: ModelChoices,
  options: ModelOption[],
  diagnostics: Diagnostics,
): void {
  const chosen = choiceOf<'auto' | Type40>(choices[OPTION.type40], ['auto', 'transparency', 'scale'], 'auto')
  const budget = { left: MAX_SPREAD }
  let type40 = 0
  let transparent = 0
  for (const { member, document } of motions) {
    const list = document as TrackListDocument
    const range = frameRange(list.tracks) ?? { start: 1, end: 1 }
    const clip: Clip = {
      name: stemOf(baseName(member.ref)),
      tracks: [],
      start: range.start,
      end: range.end,
      rate,
      unit: 'frame',
      loop: 'wrap',
      fit: { matched: 0, total: list.tracks.length },
      events: [],
      source: { ref: list.ref, path: '' },
    }
    list.tracks.forEach((track, index) => {
      if (track.node < 0 || track.node >= model.nodes.length) return
      clip.fit.matched++
      let reading: Type40 | undefined
      if (track.type === TRACK_TYPE.transparency) {
        const evidence = type40Evidence(model, track)
        type40++
        if (evidence === 'transparency') transparent++
        reading = chosen === 'auto' ? evidence : chosen
      }
      clip.tracks.push(...sceneTracks(scene, model, place, track, `tracks[${index}]`, list.ref, reading, budget))
    })
    diagnostics.list.push(...checkTrackNodes(list, model))
    scene.clips.push(clip)
  }
  // The stored alpha of an animated material is one pose of the animation, not its rest: the track's value replaces it.
  for (const clip of scene.clips) {
    for (const track of clip.tracks) {
      if (track.property !== 'opacity' || track.target.kind !== 'material') continue
      const material = scene.materials[track.target.index]
      material.diffuse[3] = 1
      if (material.blend === 'opaque') material.blend = 'alpha'
    }
  }
  if (type40) {
    options.push({
      key: OPTION.type40,
      label: 'Track type 40 (0x28)',
      reason:
        chosen === 'auto'
          ? `${transparent} of ${type40} tracks are for a material of a node with a mesh and stay within 0 to 1: transparency (alpha = 1 - x)${transparent < type40 ? '; the others are read as uniform scale' : ''}`
          : 'chosen',
      value: chosen,
      options: [
        { value: 'auto', label: 'Decide per track' },
        { value: 'transparency', label: 'Transparency, alpha = 1 - x' },
        { value: 'scale', label: 'Uniform scale (public spec)' },
      ],
    })
  }
}

/** Tracks of the scene for one track of the file: one, or for type 51 one per mesh below the node. */
function sceneTracks(
  scene: Scene,
  model: MdsDocument,
  place: MdsInScene,
  track: TrackNode,
  path: string,
  ref: string,
  reading: Type40 | undefined,
  budget: { left: number },
): Track[] {
  const joint: TrackTarget = { kind: 'joint', index: place.jointOf[track.node] }
  const mesh = place.meshOfNode[track.node]
  const materials = mesh >= 0 ? (meshOf(model, model.nodes[track.node])?.materials.length ?? 0) : 0
  const material: TrackTarget | undefined =
    materials > 0 && track.target >= 0 && track.target < materials
      ? { kind: 'material', index: place.materialOfNode[track.node] + track.target }
      : undefined
  const base = { mode: 'absolute' as const, source: { ref, path }, label: `type ${track.type} ${typeLabel(track.type)}` }
  const one = (
    property: Track['property'],
    interpolation: Track['interpolation'],
    target: TrackTarget,
    width: number,
    convert?: (values: Float32Array, at: number) => void,
    extra: Partial<Track> = {},
  ): Track[] => {
    const { times, values } = columns(track, width)
    if (convert) for (let i = 0; i < values.length; i += width) convert(values, i)
    return [{ ...base, property, interpolation, target, times, values, ...extra }]
  }
  switch (track.type) {
    case TRACK_TYPE.rotation:
      return one('rotation', 'slerp', joint, 4, (v, i) => rotationToScene(v, i, v, i))
    case TRACK_TYPE.scale:
      return one('scale', 'linear', joint, 3)
    case TRACK_TYPE.translation:
      return one('translation', 'linear', joint, 3)
    case TRACK_TYPE.transparency:
      if (reading === 'scale') {
        const narrow = columns(track, 1)
        const values = new Float32Array(3 * narrow.times.length)
        for (let i = 0; i < values.length; i++) values[i] = narrow.values[Math.floor(i / 3)]
        return [
          {
            ...base,
            label: 'type 40 uniform scale',
            property: 'scale',
            interpolation: 'linear',
            target: joint,
            times: narrow.times,
            values,
          },
        ]
      }
      if (!material) return one('unknown', 'linear', joint, 1, undefined, { label: 'type 40 transparency of no material' })
      return one('opacity', 'linear', material, 1, (v, i) => (v[i] = 1 - v[i]), { label: 'type 40 transparency (alpha = 1 - x)' })
    case TRACK_TYPE.color:
      return material ? one('color', 'linear', material, 3) : one('unknown', 'linear', joint, 3)
    case TRACK_TYPE.vertex: {
      const vertex = track.target - 1
      if (mesh < 0 || vertex < 0 || vertex >= scene.meshes[mesh].nativeVertexCount) return one('unknown', 'linear', joint, 3)
      return one('vertex', 'linear', { kind: 'mesh', index: mesh }, 3, skinnedPoint(place, mesh), { vertex })
    }
    case TRACK_TYPE.visibility:
      return one('visibility', 'step', mesh >= 0 ? { kind: 'mesh', index: mesh } : joint, 1)
    case TRACK_TYPE.visibilityTree: {
      const made = one('visibility', 'step', joint, 1)
      // a file that hides everything thousands of times over is no reason to run out of memory
      const below = keyTotal(track) > 0 && budget.left > 0 ? meshesBelow(scene, joint.index) : []
      budget.left -= below.length
      return below.length ? below.map((index) => ({ ...made[0], target: { kind: 'mesh' as const, index } })) : made
    }
    case TRACK_TYPE.cameraPosition:
    case TRACK_TYPE.cameraTarget:
    case TRACK_TYPE.cameraRoll:
    case TRACK_TYPE.cameraFov:
      return one('camera', 'linear', joint, typeComponents(track.type).length)
    default:
      return one('unknown', 'step', joint, typeComponents(track.type).length)
  }
}

/** A skinned mesh stands in scene space at bind; its morphed vertices go there too. */
function skinnedPoint(place: MdsInScene, mesh: number): ((v: Float32Array, i: number) => void) | undefined {
  const bind = place.ownerBind.get(mesh)
  return bind && ((v, i) => transformPoint(v, i, bind, 0, v[i], v[i + 1], v[i + 2]))
}

function meshesBelow(scene: Scene, joint: number): number[] {
  const below = new Uint8Array(scene.skeleton.count)
  for (let j = joint; j < scene.skeleton.count; j++)
    below[j] = j === joint || (scene.skeleton.parents[j] >= 0 && below[scene.skeleton.parents[j]]) ? 1 : 0
  return scene.meshes.flatMap((mesh, i) => (below[mesh.joint] ? [i] : []))
}

/** Times and the first `width` values of each key, ascending; a key with a value that is no number is left out. */
function columns(track: TrackNode, width: number): { times: Float32Array; values: Float32Array } {
  const n = keyTotal(track)
  const floats = keyFloats(track)
  const keep: number[] = []
  let unsorted = false
  for (let k = 0; k < n; k++) {
    let good = true
    for (let c = 0; c < width; c++) if (!Number.isFinite(floats[KEY_WORDS * k + 4 + c])) good = false
    if (!good) continue
    if (keep.length && track.keys[KEY_WORDS * k] < track.keys[KEY_WORDS * keep[keep.length - 1]]) unsorted = true
    keep.push(k)
  }
  if (unsorted) keep.sort((a, b) => track.keys[KEY_WORDS * a] - track.keys[KEY_WORDS * b] || a - b)
  const times = new Float32Array(keep.length)
  const values = new Float32Array(width * keep.length)
  keep.forEach((k, i) => {
    times[i] = track.keys[KEY_WORDS * k]
    for (let c = 0; c < width; c++) values[width * i + c] = floats[KEY_WORDS * k + 4 + c]
  })
  return { times, values }
}

// --- slices ------------------------------------------------------------------------------------------------------

function buildSlices(scene: Scene, scripts: Loaded[], motions: Loaded[], rate: number): void {
  for (const { document } of scripts) {
    const cfg = document as CfgDocument
    cfgMotions(cfg).forEach((motion, m) => {
      if (!motion.keys.length) return
      let clip = motion.mot
        ? scene.clips.findIndex((c) => stemOf(c.source.ref) === stemOf(motion.mot))
        : scene.clips.length === 1 && motions.length === 1
          ? 0
          : -1
      if (clip < 0) {
        // its windows are still there to be seen and edited
        clip = scene.clips.length
        scene.clips.push({
          name: motion.mot ? `${motion.mot} (missing)` : `MOTION ${motion.number}`,
          tracks: [],
          start: motion.keys.reduce((least, k) => Math.min(least, k.start), Infinity),
          end: motion.keys.reduce((most, k) => Math.max(most, k.end), -Infinity),
          rate,
          unit: 'frame',
          loop: 'wrap',
          fit: { matched: 0, total: 0 },
          events: [],
          source: { ref: cfg.ref, path: `motions[${m}]` },
        })
      }
      motion.keys.forEach((key, k) =>
        scene.slices.push({
          clip,
          name: key.name,
          start: key.start,
          end: key.end,
          speed: key.speed,
          loop: true,
          source: { ref: cfg.ref, path: keyPath(m, k) },
        }),
      )
    })
  }
}
