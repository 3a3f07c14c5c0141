/** A model of the family as a scene: frames as joints, atomics as meshes, textures from dictionaries, animations that fit. */
import { stemOf } from '../../../../shared/ref.ts'
import { buildSkeleton } from '../../../../shared/scene/pose.ts'
import { packInfluences } from '../../../../shared/scene/skinning.ts'
import { identity, invertAffine, multiply } from '../../../../shared/scene/matrix.ts'
import { emptyScene, plainMaterial } from '../../../../shared/scene/types.ts'
import { Diagnostics } from '../../format.ts'
import { basisMatrix, basisVector, paddedMatrix } from './basis.ts'
import { meshTriangles } from '../codecs/bin-mesh.ts'
import { chunkPath, chunkPaths } from '../codecs/chunk.ts'
import { anmClips, boneKey, ifpClip } from './clips.ts'
import { WEIGHT_LISTS, weightListsOption } from './options.ts'
import { GEOMETRY } from '../codecs/geometry.ts'
import { readModel, readTexture } from '../codecs/model.ts'
import { hasTransparency } from '../../image/pixels.ts'
import { decodeLevel, rasterProblem } from '../codecs/raster.ts'
import { clumpJoints, sceneLocals } from './skeleton.ts'
import { boneMatrix } from '../codecs/skin.ts'
import { wrapModes } from '../codecs/texture.ts'
import { texturesOf } from '../codecs/txd.ts'
import type { AnmDocument } from '../codecs/anm.ts'
import type { Chunk } from '../codecs/chunk.ts'
import type { ClumpJoints } from './skeleton.ts'
import type { JointFinder } from './clips.ts'
import type { ClumpView, GeometryView, MaterialView } from '../codecs/model.ts'
import type { GeometryStruct } from '../codecs/geometry.ts'
import type { DffDocument } from '../codecs/dff.ts'
import type { IfpDocument } from '../codecs/ifp.ts'
import type { Skin as NativeSkin } from '../codecs/skin.ts'
import type { TxdDocument, TxdTexture } from '../codecs/txd.ts'
import type { AssembledModel, Document, ModelBinding, ModelChoices } from '../../format.ts'
import type { Material, Mesh, MeshGroup, Scene, Skin, SourceRef, Texture } from '../../../../shared/scene/types.ts'

/** Vertices and indices of one scene beyond which further atomics are left out. Real models stay below a million. */
const MOST_VERTICES = 4_000_000
const MOST_INDICES = 24_000_000

export function assemble(binding: ModelBinding, load: (ref: string) => Document | undefined, choices: ModelChoices): AssembledModel {
  const diagnostics = new Diagnostics(binding.primary)
  const scene = emptyScene(binding.name)
  const documents = { txd: [] as TxdDocument[], ifp: [] as IfpDocument[], anm: [] as AnmDocument[] }
  for (const member of binding.members) {
    if (member.ref === binding.primary) continue
    const document = load(member.ref)
    if (!document) diagnostics.add('warning', 'renderware.member-unread', `${stemOf(member.ref)} could not be read and is left out`, '', -1)
    else if (document.format === 'renderware.txd') documents.txd.push(document as TxdDocument)
    else if (document.format === 'renderware.ifp') documents.ifp.push(document as IfpDocument)
    else if (document.format === 'renderware.anm') documents.anm.push(document as AnmDocument)
  }
  const primary = load(binding.primary)
  if (primary?.format === 'renderware.txd') {
    // a dictionary that belongs to no model: its pictures are all there is
    scene.textures = texturesOf(primary as TxdDocument).map((texture) =>
      textureOf(texture, primary as TxdDocument, texture.name, diagnostics, ''),
    )
    return { scene, options: [], diagnostics: diagnostics.list }
  }
  const dff = primary as DffDocument | undefined
  if (!dff || dff.format !== 'renderware.dff') {
    diagnostics.add('error', 'renderware.model-unread', 'the model could not be read')
    return { scene, options: [], diagnostics: diagnostics.list }
  }
  const builder = new Builder(scene, dff, documents.txd, diagnostics)
  builder.build()
  for (const ifp of documents.ifp) ifp.animations.forEach((_, i) => scene.clips.push(ifpClip(ifp, i, builder.finder)))
  for (const anm of documents.anm) scene.clips.push(...anmClips(anm, builder.finder))
  const options = scene.skins.length ? [weightListsOption(choices[WEIGHT_LISTS])] : []
  return { scene, options, diagnostics: diagnostics.list }
}

function missingTexture(name: string, source: SourceRef): Texture {
  return { name, width: 0, height: 0, rgba: new Uint8Array(0), missing: true, hasAlpha: false, source }
}

/** @param path of the material that asks for it, for a word on pixels that are not read */
function textureOf({ native, chunk }: TxdTexture, document: TxdDocument, name: string, diagnostics: Diagnostics, path: string): Texture {
  const texture = missingTexture(name, { ref: document.ref, path: chunkPath(document.roots, chunk) })
  const problem = native ? rasterProblem(native) : 'its data could not be read'
  if (problem) {
    diagnostics.add('warning', 'renderware.texture-unread', `"${name}" cannot be shown: ${problem}`, path)
    return texture
  }
  const rgba = decodeLevel(native!)
  return { ...texture, width: native!.width, height: native!.height, rgba, missing: false, hasAlpha: hasTransparency(rgba) }
}

class Builder {
  readonly finder: JointFinder
  private readonly scene: Scene
  private readonly dff: DffDocument
  private readonly diagnostics: Diagnostics
  private readonly clumps: ClumpView[]
  private readonly paths: Map<Chunk, string>
  /** per clump */
  private readonly joints: ClumpJoints[] = []
  /** first joint of each clump, before the skeleton is put in order */
  private readonly first: number[] = []
  /** joint of the scene for each joint in clump order */
  private jointOf: Int32Array = new Int32Array(0)
  private readonly textures = new Map<string, { texture: TxdTexture; document: TxdDocument }>()
  private readonly textureIndex = new Map<string, number>()
  private readonly byId = new Map<number, number[]>()
  private readonly byName = new Map<string, number[]>()
  private readonly byNode: number[][] = []

  constructor(scene: Scene, dff: DffDocument, txds: readonly TxdDocument[], diagnostics: Diagnostics) {
    this.scene = scene
    this.dff = dff
    this.diagnostics = diagnostics
    this.clumps = readModel(dff).clumps
    this.paths = chunkPaths(dff.roots)
    for (const document of txds) {
      for (const texture of texturesOf(document)) {
        const key = texture.name.toLowerCase()
        if (key && !this.textures.has(key)) this.textures.set(key, { texture, document })
      }
    }
    const none: number[] = []
    this.finder = {
      byId: (id) => this.byId.get(id) ?? none,
      byName: (name) => this.byName.get(name) ?? none,
      byNode: (node) => this.byNode[node] ?? none,
      nodeCount: 0,
    }
  }

  build(): void {
    this.skeleton()
    this.clumps.forEach((clump, c) => this.meshes(clump, c))
    this.wheels()
    this.levels()
    this.clumps.forEach((clump, c) => this.helpers(clump, c))
    if (this.clumps.length === 0) this.diagnostics.add('warning', 'renderware.no-clump', 'the file has no clump: there is nothing to show')
  }

  private path(chunk: Chunk): string {
    return this.paths.get(chunk) ?? ''
  }

  private skeleton(): void {
    const names: string[] = []
    const parents: number[] = []
    const locals: Float32Array[] = []
    const natives: { clump: number; frame: number; node: number }[] = []
    this.clumps.forEach((clump, c) => {
      const joints = clumpJoints(clump)
      this.joints.push(joints)
      this.first.push(names.length)
      const from = names.length
      for (const name of joints.names) names.push(name)
      for (const p of joints.parents) parents.push(p < 0 ? -1 : from + p)
      locals.push(sceneLocals(joints))
      const nodeOf = new Int32Array(joints.names.length).fill(-1)
      joints.jointOfNode.forEach((joint, node) => {
        if (joint >= 0 && nodeOf[joint] < 0) nodeOf[joint] = node
      })
      joints.names.forEach((_, i) => natives.push({ clump: c, frame: joints.frameOfJoint[i], node: nodeOf[i] }))
      if (joints.agreement.of > 0 && joints.agreement.bones < joints.agreement.of / 2) {
        this.diagnostics.add(
          'info',
          'renderware.frames-not-bind',
          `the frames stand in another pose than the skin was bound in (${joints.agreement.bones} of ${joints.agreement.of} bones agree); the rest pose is the skin's`,
          'clump.frameList',
        )
      }
    })
    const all = new Float32Array(16 * names.length)
    let at = 0
    for (const l of locals) {
      all.set(l, at)
      at += l.length
    }
    for (let i = 0; i < all.length; i++) if (!Number.isFinite(all[i])) all[i] = (i % 16) % 5 === 0 ? 1 : 0
    const prefix = this.clumps.map((clump) => this.path(clump.chunk))
    const built = buildSkeleton(names, parents, all, (native) => {
      const { clump, frame, node } = natives[native]
      return {
        ref: this.dff.ref,
        path: frame >= 0 ? `${prefix[clump]}.frameList.struct.frames[${frame}]` : `${prefix[clump]}.nodes[${node}]`,
      }
    })
    this.scene.skeleton = built.skeleton
    this.jointOf = built.jointOf
    built.skeleton.nativeIndex = built.skeleton.nativeIndex.map((native) => natives[native].frame)
    const carriers = new Set<number>()
    this.clumps.forEach((clump, c) => clump.atomics.forEach((a) => a.frame >= 0 && carriers.add(this.first[c] + a.frame)))
    const isParent = new Set(parents)
    const roles = natives.map(({ clump, frame, node }, native): 'joint' | 'attach' | 'mesh' => {
      const hanim = frame >= 0 ? this.clumps[clump].frames[frame].hanim : undefined
      if (node >= 0 || (hanim && hanim.nodeId >= 0)) return 'joint'
      if (carriers.has(native)) return 'mesh'
      return isParent.has(native) && this.clumps[clump].nodes.length === 0 ? 'joint' : 'attach'
    })
    built.skeleton.roles = Array.from(built.skeleton.names, () => 'joint' as const)
    roles.forEach((role, native) => (built.skeleton.roles![this.jointOf[native]] = role))
    this.index(natives)
  }

  private index(natives: { clump: number; frame: number; node: number }[]): void {
    const put = <K>(map: Map<K, number[]>, key: K, joint: number): void => {
      const list = map.get(key)
      if (list) list.push(joint)
      else map.set(key, [joint])
    }
    natives.forEach(({ clump, frame, node }, native) => {
      const joint = this.jointOf[native]
      const view = this.clumps[clump]
      const id = frame >= 0 ? (view.frames[frame].hanim?.nodeId ?? -1) : (view.nodes[node]?.id ?? -1)
      if (id >= 0) put(this.byId, id, joint)
      const name = boneKey(frame >= 0 ? view.frames[frame].name : '')
      if (name) put(this.byName, name, joint)
      if (node >= 0) (this.byNode[node] ??= []).push(joint)
    })
    this.finder.nodeCount = this.byNode.length
  }

  // --- meshes ---------------------------------------------------------------------------------------------------

  private meshes(clump: ClumpView, c: number): void {
    const firstMaterial = new Map<GeometryView, number>()
    let vertices = this.scene.meshes.reduce((sum, m) => sum + m.nativeVertexCount, 0)
    let indexCount = this.scene.meshes.reduce((sum, m) => sum + m.indices.length, 0)
    const indicesOf = new Map<GeometryView, number>()
    let full = false
    clump.atomics.forEach((atomic, a) => {
      if (full) return
      const path = this.path(atomic.chunk)
      const geometry = clump.geometries[atomic.geometry]
      if (!geometry) {
        this.diagnostics.add(
          'warning',
          'renderware.atomic-geometry',
          `atomic ${a} names a geometry that is not there`,
          path,
          atomic.chunk.start,
        )
        return
      }
      if (atomic.frame < 0)
        this.diagnostics.add('warning', 'renderware.atomic-frame', `atomic ${a} names a frame that is not there`, path, atomic.chunk.start)
      const { struct } = geometry
      const morph = struct?.morphs[0]
      if (!struct || geometry.native || !morph || morph.vertices.length === 0) {
        this.diagnostics.add(
          'info',
          'renderware.no-vertices',
          geometry.native ? 'the geometry is in the form of a console or driver and cannot be shown' : 'the geometry has no vertices',
          this.path(geometry.chunk),
          geometry.chunk.start,
        )
        return
      }
      vertices += struct.numVertices
      let share = indicesOf.get(geometry)
      if (share === undefined)
        indicesOf.set(
          geometry,
          (share = geometry.binMesh
            ? 3 * geometry.binMesh.meshes.reduce((sum, m) => sum + (m.indices?.length ?? 0), 0)
            : struct.triangles.length),
        )
      indexCount += share
      if (vertices > MOST_VERTICES || indexCount > MOST_INDICES) {
        this.diagnostics.add(
          'warning',
          'renderware.too-many-vertices',
          'the atomics of this file share more vertices than can be shown; the rest is left out',
          path,
          atomic.chunk.start,
        )
        full = true
        return
      }
      let first = firstMaterial.get(geometry)
      if (first === undefined) {
        first = this.scene.materials.length
        geometry.materials.forEach((m, i) => this.scene.materials.push(this.material(m, geometry, i)))
        firstMaterial.set(geometry, first)
      }
      const skin = geometry.skin ?? atomic.legacySkin
      const usable = skin && skin.numVertices === struct.numVertices ? skin : undefined
      const joints = this.joints[c]
      const positions = new Float32Array(morph.vertices.length)
      const normals = new Float32Array(morph.normals.length)
      const toScene = new Float64Array(16)
      // rigid vertices stand in the frame's space; skinned ones are turned into the rest pose first
      if (usable) sceneFrom(joints.skinToRest, toScene)
      else sceneFrom(IDENTITY, toScene)
      transform(positions, morph.vertices, toScene, 1)
      transform(normals, morph.normals, toScene, 0)
      normalize(normals)
      const { indices, groups } = this.triangles(geometry, first)
      const name = clump.frames[atomic.frame]?.name || `atomic ${a}`
      const mesh: Mesh = {
        name,
        joint: atomic.frame >= 0 ? this.jointOf[this.first[c] + atomic.frame] : 0,
        positions,
        normals,
        uvs: struct.uvs.map((uv) => finiteCopy(uv)),
        colors: colorsOf(struct.prelit),
        indices,
        groups,
        skin: -1,
        nativeVertex: Uint32Array.from({ length: struct.numVertices }, (_, i) => i),
        nativeVertexCount: struct.numVertices,
        visible: isVisible(name, atomic.flags),
        lod: -1,
        source: { ref: this.dff.ref, path },
      }
      if (this.scene.skeleton.count === 0) mesh.joint = -1
      if (usable) {
        mesh.skin = this.scene.skins.length
        this.scene.skins.push(this.skin(usable, c, name, this.path((geometry.skinChunk ?? atomic.skinChunk)!)))
      } else if (skin)
        this.diagnostics.add(
          'warning',
          'renderware.skin-vertices',
          `the skin has ${skin.numVertices} vertices, the geometry ${struct.numVertices}; it is not used`,
          path,
          atomic.chunk.start,
        )
      this.scene.meshes.push(mesh)
    })
  }

  /** BinMesh is what the game draws; the Struct's triangles only where there is none. */
  private triangles(geometry: GeometryView, firstMaterial: number): { indices: Uint32Array; groups: MeshGroup[] } {
    const struct = geometry.struct!
    const materials = geometry.materials.length
    const parts: { list: Uint32Array; material: number }[] = []
    if (geometry.binMesh?.meshes.some((m) => m.indices)) {
      for (const group of geometry.binMesh.meshes)
        parts.push({ list: meshTriangles(geometry.binMesh, group, struct.numVertices), material: group.material })
      if (geometry.binMesh.flags & 1)
        mendWinding(
          struct,
          parts.map((p) => p.list),
        )
    } else {
      const byMaterial = new Map<number, number[]>()
      for (let t = 0; t + 3 < struct.triangles.length; t += 4) {
        const [b, a, material, c] = struct.triangles.subarray(t, t + 4)
        if (a >= struct.numVertices || b >= struct.numVertices || c >= struct.numVertices) continue
        let list = byMaterial.get(material)
        if (!list) byMaterial.set(material, (list = []))
        list.push(a, b, c)
      }
      for (const [material, list] of byMaterial) parts.push({ list: Uint32Array.from(list), material })
    }
    const indices = new Uint32Array(parts.reduce((sum, p) => sum + p.list.length, 0))
    const groups: MeshGroup[] = []
    let at = 0
    for (const { list, material } of parts) {
      indices.set(list, at)
      groups.push({ start: at, count: list.length, material: material < materials ? firstMaterial + material : -1 })
      if (material >= materials)
        this.diagnostics.add(
          'warning',
          'renderware.material-range',
          `triangles name material ${material}, the geometry has ${materials}`,
          this.path(geometry.chunk),
          geometry.chunk.start,
        )
      at += list.length
    }
    return { indices, groups }
  }

  private skin(native: NativeSkin, c: number, name: string, path: string): Skin {
    const joints = this.joints[c]
    const count = native.numBones
    const list = new Uint32Array(count)
    const inverseBind = new Float32Array(16 * count)
    const back = new Float64Array(16)
    const inverse = new Float64Array(16)
    if (!invertAffine(back, 0, joints.skinToRest, 0)) identity(back, 0)
    for (let b = 0; b < count; b++) {
      list[b] = this.jointOf[this.first[c] + Math.max(0, joints.jointOfNode[b])]
      paddedMatrix(inverse, 0, boneMatrix(native, b), 0)
      // rest pose to raw vertices to bone
      multiply(inverse, 0, inverse, 0, back, 0)
      basisMatrix(inverseBind, 16 * b, inverse, 0)
    }
    for (let i = 0; i < inverseBind.length; i++) if (!Number.isFinite(inverseBind[i])) inverseBind[i] = (i % 16) % 5 === 0 ? 1 : 0
    let outside = 0
    const rows = packInfluences(native.numVertices, (v, push) => {
      for (let i = 4 * v; i < 4 * v + 4; i++) {
        const w = native.weights[i]
        if (!(w > 0) || !Number.isFinite(w)) continue
        if (native.indices[i] < count) push(native.indices[i], w)
        else outside++
      }
    })
    if (outside)
      this.diagnostics.add('warning', 'renderware.bone-range', `${outside} weights name a bone that the skin does not have`, path)
    return { name, joints: list, inverseBind, ...rows, source: { ref: this.dff.ref, path } }
  }

  // --- materials and textures -----------------------------------------------------------------------------------

  private material(view: MaterialView, geometry: GeometryView, index: number): Material {
    const format = geometry.struct?.format ?? 0
    const material = plainMaterial(view.texture?.name || `material ${index}`, { ref: this.dff.ref, path: this.path(view.chunk) })
    const color = view.struct?.color
    // without this flag the colour of the material is not used
    if (color && format & GEOMETRY.modulate) material.diffuse = [color[0] / 255, color[1] / 255, color[2] / 255, color[3] / 255]
    const sign = color && CAR_COLORS.get((color[0] << 16) | (color[1] << 8) | color[2])
    if (sign) {
      if (sign === 'paint') material.teamColor = true
      material.diffuse = [1, 1, 1, material.diffuse[3]]
    }
    material.lit = (format & GEOMETRY.light) !== 0
    material.vertexColors = (format & GEOMETRY.prelit) !== 0
    // the engine adds its lamps to the colours of the vertices; one without the other is all the light there is
    if (material.lit && material.vertexColors) material.prelit = true
    if (view.texture?.name) {
      const wrap = wrapModes(view.texture.filterAddressing)
      material.wrapU = wrap.u
      material.wrapV = wrap.v
      material.filter = (view.texture.filterAddressing & 0xff) === 1 ? 'nearest' : 'linear'
      material.texture = this.texture(view.texture.name, material.source.path)
      const texture = this.scene.textures[material.texture]
      // the dirt on the paint is in a dictionary that all cars share: without it the paint itself is what is to be seen
      if (texture.missing && sign === 'paint') material.texture = -1
      if (texture.hasAlpha) {
        material.blend = 'alpha'
        material.alphaTest = 0.1
        if (cutOut(texture.rgba)) {
          material.blend = 'opaque'
          material.alphaTest = 0.5
        }
      }
    }
    if (material.diffuse[3] < 1) {
      material.blend = 'alpha'
      material.alphaTest = -1
    }
    for (const effect of view.matFx?.effects ?? []) {
      const chunk = effect.kind === 4 ? effect.texture.chunk : null
      const name = chunk ? readTexture(chunk).name : ''
      if (effect.kind === 4 && name)
        material.layers.push({
          texture: this.texture(name, material.source.path),
          uvSet: 1,
          blend: effect.dstBlend === 2 ? 'additive' : 'alpha',
        })
    }
    return material
  }

  private texture(name: string, path: string): number {
    const key = name.toLowerCase()
    const known = this.textureIndex.get(key)
    if (known !== undefined) return known
    const found = this.textures.get(key)
    if (!found) this.diagnostics.add('warning', 'renderware.texture-missing', `no texture dictionary of this model has "${name}"`, path)
    const texture = found
      ? textureOf(found.texture, found.document, name, this.diagnostics, path)
      : missingTexture(name, { ref: this.dff.ref, path })
    const index = this.scene.textures.length
    this.scene.textures.push(texture)
    this.textureIndex.set(key, index)
    return index
  }

  /**
   * A car has one wheel, at the right front; the game puts copies of it at the other `wheel_*_dummy` frames, turned round
   * on the left side.
   */
  private wheels(): void {
    const { skeleton, meshes } = this.scene
    const dummy = /^wheel_([lr])[fmb]_dummy$/i
    const wheel = meshes.find(
      (m) =>
        m.skin < 0 &&
        m.joint >= 0 &&
        /^wheel$/i.test(m.name) &&
        skeleton.parents[m.joint] >= 0 &&
        dummy.test(skeleton.names[skeleton.parents[m.joint]]),
    )
    if (!wheel) return
    const home = skeleton.parents[wheel.joint]
    const taken = new Set(meshes.map((m) => (m.joint >= 0 ? skeleton.parents[m.joint] : -1)))
    for (let joint = 0; joint < skeleton.count; joint++) {
      const side = dummy.exec(skeleton.names[joint])
      if (!side || joint === home || taken.has(joint)) continue
      const local = skeleton.restLocal.slice(16 * wheel.joint, 16 * wheel.joint + 16)
      const turn = side[1].toLowerCase() === 'l' ? -1 : 1
      const move = (source: Float32Array, w: number): Float32Array => {
        const out = new Float32Array(source.length)
        for (let i = 0; i + 2 < source.length; i += 3) {
          const [x, y, z] = source.subarray(i, i + 3)
          for (let r = 0; r < 3; r++)
            out[i + r] = (r === 1 ? 1 : turn) * (local[r] * x + local[4 + r] * y + local[8 + r] * z + local[12 + r] * w)
        }
        return out
      }
      meshes.push({
        ...wheel,
        name: `${wheel.name} at ${skeleton.names[joint]}`,
        joint,
        positions: move(wheel.positions, 1),
        normals: move(wheel.normals, 0),
      })
    }
  }

  // --- levels and helpers -----------------------------------------------------------------------------------------

  /** `_vlo` and `_lo` parts are drawn from afar instead of the others; levels exist only where a file has such parts. */
  private levels(): void {
    const { meshes } = this.scene
    const level = (name: string): number => (/_vlo$/i.test(name) ? 0 : /_lo(_\w+)?$/i.test(name) ? 1 : 2)
    const used = [...new Set(meshes.map((m) => level(m.name)))].sort()
    if (used.length < 2) return
    this.scene.lods = used.map((l) => ['very low', 'low', 'full'][l])
    for (const mesh of meshes) mesh.lod = used.indexOf(level(mesh.name))
  }

  private helpers(clump: ClumpView, c: number): void {
    clump.lights.forEach((light, i) => {
      if (light.frame < 0) return
      const [radius, r, g, b] = light.light.values
      this.scene.helpers.push({
        name: `light ${i}`,
        kind: 'light',
        joint: this.jointOf[this.first[c] + light.frame],
        center: [0, 0, 0],
        extent: [finiteOr(radius, 0), 0, 0],
        color: [finiteOr(r, 1), finiteOr(g, 1), finiteOr(b, 1)],
        label: `light, radius ${radius}`,
        source: { ref: this.dff.ref, path: this.path(light.chunk) },
      })
    })
    for (const atomic of clump.atomics) {
      const geometry = clump.geometries[atomic.geometry]
      if (!geometry?.effects || atomic.frame < 0) continue
      geometry.effects.slice(0, 1000).forEach((effect, i) => {
        const center: [number, number, number] = [0, 0, 0]
        basisVector(center, 0, effect.position, 0)
        this.scene.helpers.push({
          name: `2d effect ${i}`,
          kind: effect.type === 0 ? 'light' : 'point',
          joint: this.jointOf[this.first[c] + atomic.frame],
          center: center.map((v) => finiteOr(v, 0)) as [number, number, number],
          extent: [0.1, 0.1, 0.1],
          color: [1, 0.9, 0.3],
          label: `2d effect, type ${effect.type}`,
          source: { ref: this.dff.ref, path: this.path(geometry.chunk) },
        })
      })
    }
  }
}

/**
 * Colours that the game never shows: two stand for what a car is painted with, four tell its lamps apart (front left and right, rear left and
 * right) and are white when they are off.
 */
const CAR_COLORS: ReadonlyMap<number, 'paint' | 'lamp'> = new Map([
  [0x3cff00, 'paint'],
  [0xff00af, 'paint'],
  [0xffaf00, 'lamp'],
  [0x00ffc8, 'lamp'],
  [0xb9ff00, 'lamp'],
  [0xff3c00, 'lamp'],
])

/** Damaged parts wait for a crash; atomics without the render flag are never drawn. */
function isVisible(name: string, flags: number): boolean {
  return (flags & 4) !== 0 && !/_dam$/i.test(name)
}

const IDENTITY = Float64Array.from([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])

/** basis * m: a point through m and then into the scene's space. */
function sceneFrom(m: Float64Array, out: Float64Array): void {
  for (let c = 0; c < 4; c++) {
    basisVector(out, 4 * c, m, 4 * c)
    out[4 * c + 3] = m[4 * c + 3]
  }
}

function transform(out: Float32Array, source: Float32Array, m: Float64Array, w: number): void {
  for (let i = 0; i + 2 < source.length; i += 3) {
    const x = finiteOr(source[i], 0),
      y = finiteOr(source[i + 1], 0),
      z = finiteOr(source[i + 2], 0)
    out[i] = m[0] * x + m[4] * y + m[8] * z + m[12] * w
    out[i + 1] = m[1] * x + m[5] * y + m[9] * z + m[13] * w
    out[i + 2] = m[2] * x + m[6] * y + m[10] * z + m[14] * w
  }
}

function normalize(normals: Float32Array): void {
  for (let i = 0; i + 2 < normals.length; i += 3) {
    const length = Math.hypot(normals[i], normals[i + 1], normals[i + 2])
    if (length > 0) for (let c = 0; c < 3; c++) normals[i + c] /= length
    else normals[i + 1] = 1
  }
}

function finiteOr(value: number, other: number): number {
  return Number.isFinite(value) ? value : other
}

function finiteCopy(values: Float32Array): Float32Array {
  const out = values.slice()
  for (let i = 0; i < out.length; i++) if (!Number.isFinite(out[i])) out[i] = 0
  return out
}

function colorsOf(prelit: Uint8Array): Float32Array {
  const out = new Float32Array(prelit.length)
  for (let i = 0; i < prelit.length; i++) out[i] = prelit[i] / 255
  return out
}

/**
 * Strips made for the PlayStation 2, which draws both sides, do not keep the winding [V: iii-ps2]. Triangles that the Struct
 * has the other way round are turned.
 */
function mendWinding(struct: GeometryStruct, lists: readonly Uint32Array[]): void {
  const n = struct.numVertices
  // three vertex numbers in one exact number
  if (n > 200_000) return
  const key = (a: number, b: number, c: number): number =>
    a <= b && a <= c ? (a * n + b) * n + c : b <= c ? (b * n + c) * n + a : (c * n + a) * n + b
  const known = new Set<number>()
  for (let t = 0; t + 3 < struct.triangles.length; t += 4)
    known.add(key(struct.triangles[t + 1], struct.triangles[t], struct.triangles[t + 3]))
  for (const list of lists) {
    for (let i = 0; i + 2 < list.length; i += 3) {
      const [a, b, c] = [list[i], list[i + 1], list[i + 2]]
      if (known.has(key(a, b, c)) || !known.has(key(b, a, c))) continue
      list[i] = b
      list[i + 1] = a
    }
  }
}

/** Nearly every pixel is either clear or solid: an alpha test draws it better than blending. */
function cutOut(rgba: Uint8Array): boolean {
  let between = 0
  for (let i = 3; i < rgba.length; i += 4) if (rgba[i] > 16 && rgba[i] < 239) between++
  return between < rgba.length / 4 / 20
}
