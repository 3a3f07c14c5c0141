/**
 * A scene as glTF 2.0: skeleton, skins, meshes, materials with PNG textures, clips and slices as animations. The scene
 * has glTF's conventions already; what is written is what the viewport shows. What glTF has no place for is named in the
 * result, and kept in `extras` where a reader may want it.
 */
import { Document, WebIO } from '@gltf-transform/core'
import { unitQuaternion } from '../../shared/scene/length.ts'
import type {
  Accessor,
  Animation as GltfAnimation,
  Buffer as GltfBuffer,
  Material as GltfMaterial,
  Node as GltfNode,
  Skin as GltfSkin,
  TypedArray,
} from '@gltf-transform/core'
import { createPose } from '../../shared/scene/pose.ts'
import { invertAffine, transformPoint } from '../../shared/scene/matrix.ts'
import { EXPORT_DEFAULTS } from '../../shared/api/export-options.ts'
import type { ExportParts, ExportSettings } from '../../shared/api/export-options.ts'
import type { Clip, Mesh, Scene, Skin, Track } from '../../shared/scene/types.ts'
import { animationNames, uniqueNames } from '../../shared/scene/animation-names.ts'
import { clipRate, jointChannels, sliceRate } from './clip-window.ts'
import { materialChannels, visibilityChannels } from './shown-window.ts'
import { AnimationPointers, EXTENSIONS, NodeVisibility, UnlitMaterials } from './gltf-extensions.ts'
import type { PointerTarget } from './gltf-extensions.ts'
import { exportedRest } from './exported-rest.ts'
import { jointExtras, meshExtras, sceneExtras, windowExtras } from './gltf-extras.ts'
import { hasPixels, linearColors, pictureNames, writeMaterials } from './gltf-materials.ts'
import { writeSkin } from './gltf-skins.ts'
import type { ExportedRest } from './exported-rest.ts'
import type { WrittenSkin } from './gltf-skins.ts'
import { fileNames } from '../files/file-names.ts'
import { writePng } from './png.ts'
import { say } from '../../shared/texts/say.ts'

export interface ExportOptions extends ExportParts {
  format: 'gltf' | 'glb'
  /** base name of the files */
  name: string
}

export interface ExportedFile {
  name: string
  bytes: Uint8Array
}

export interface ExportResult {
  files: ExportedFile[]
  /** what could not be said in glTF, in words */
  left: string[]
}

const GENERATOR = 'Marrow'

/** @throws nothing for scenes that an assembler made; values that are not finite are written as zero */
export async function writeGltf(scene: Scene, options: ExportOptions): Promise<ExportResult> {
  const writer = new SceneWriter(scene, options)
  return writer.write()
}

/** All textures of a scene as PNG files. */
export function writeTextures(scene: Scene): ExportedFile[] {
  const present = scene.textures.filter(hasPixels)
  const names = pictureNames(present)
  return present.map((texture, i) => ({ name: names[i], bytes: writePng(texture) }))
}

class SceneWriter {
  private readonly scene: Scene
  private readonly options: ExportOptions & ExportSettings
  private readonly document = new Document()
  private readonly buffer: GltfBuffer
  private readonly left = new Set<string>()
  private readonly joints: GltfNode[] = []
  /** rest pose in scene space, 16 per joint */
  private readonly restWorld: Float32Array
  private readonly rest: ExportedRest
  private readonly skins = new Map<string, GltfSkin>()
  /** names of nodes */
  private readonly taken: Set<string>
  /** above all joints, where they need one */
  private top: GltfNode | undefined
  /** a joint that never moves: what carries vertices without weights, and the bone above all others where one is asked for */
  private still: GltfNode | undefined
  /** of the scene's meshes those that were written */
  private readonly meshNodes: (GltfNode | undefined)[] = []
  private readonly unlit = this.document.createExtension(UnlitMaterials)
  private readonly visibilities = this.document.createExtension(NodeVisibility)
  private readonly pointers = this.document.createExtension(AnimationPointers)

  constructor(scene: Scene, options: ExportOptions) {
    this.scene = scene
    // an option that is undefined counts as absent
    const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
    this.options = { ...EXPORT_DEFAULTS, ...(given as unknown as ExportOptions) }
    this.buffer = this.document.createBuffer()
    this.restWorld = createPose(scene).world
    this.rest = exportedRest(scene)
    this.taken = new Set(this.rest.names)
  }

  async write(): Promise<ExportResult> {
    const { document, scene, options } = this
    document.getRoot().getAsset().generator = GENERATOR
    const root = document.createScene(scene.name)
    document.getRoot().setDefaultScene(root)
    this.writeJoints().forEach((node) => root.addChild(node))
    const { skewed, worstSkew } = this.rest
    if (skewed.length > 0) this.left.add(say('exportedModel.skew', { count: skewed.length, percent: (100 * worstSkew).toPrecision(2) }))
    const { left, unlit } = this
    const materials = writeMaterials({ document, scene, parts: options, left, unlit: unlit.materials })
    if (options.extras) root.setExtras(sceneExtras(scene))
    else if (scene.helpers.length > 0) this.left.add(say('exportedModel.helpers'))
    scene.meshes.forEach((mesh, index) => {
      const lower = mesh.lod >= 0 && mesh.lod !== scene.lods.length - 1
      if (lower && !options.lods) return void this.left.add(say('exportedModel.lods'))
      if (!mesh.visible && !options.hidden) return void this.left.add(say('exportedModel.hidden'))
      const node = this.writeMesh(mesh, materials)
      if (!node) return
      this.meshNodes[index] = node
      if (lower || !mesh.visible) this.visibilities.nodes.set(node, false)
      if (mesh.skin >= 0) root.addChild(node)
      else if (mesh.joint < 0) (this.top ?? root).addChild(node)
      else this.joints[mesh.joint].addChild(node)
    })
    this.writeAnimations(materials)
    // glTF has no empty lists: nothing at all is a node without contents
    if (root.listChildren().length === 0) root.addChild(document.createNode(scene.name))
    if (document.getRoot().listAccessors().length === 0 && document.getRoot().listTextures().length === 0) this.buffer.dispose()
    for (const [extension, used] of [
      [this.unlit, this.unlit.materials.size],
      [this.visibilities, this.visibilities.nodes.size],
      [this.pointers, this.pointers.targets.size],
    ] as const)
      if (used === 0) extension.dispose()
    const io = new WebIO().registerExtensions(EXTENSIONS)
    if (options.format === 'glb')
      return { files: [{ name: fileNames([options.name], 'glb')[0], bytes: await io.writeBinary(document) }], left: [...this.left] }
    const base = fileNames([options.name], 'gltf')[0].slice(0, -'.gltf'.length)
    this.buffer.setURI(`${base}.bin`)
    const { json, resources } = await io.writeJSON(document, { basename: base })
    const files = [{ name: `${base}.gltf`, bytes: new TextEncoder().encode(JSON.stringify(json, null, 1)) }]
    for (const [name, bytes] of Object.entries(resources)) files.push({ name: decodeURIComponent(name), bytes: new Uint8Array(bytes) })
    return { files, left: [...this.left] }
  }

  private accessor(
    type: 'SCALAR' | 'VEC2' | 'VEC3' | 'VEC4' | 'MAT4',
    array: Float32Array | Uint32Array | Uint16Array | Uint8Array,
  ): Accessor {
    return this.document
      .createAccessor()
      .setType(type)
      .setArray(array as TypedArray)
      .setBuffer(this.buffer)
  }

  /** Nodes of the skeleton, and those at the top; below one more node when the family's unit is not the metre. */
  private writeJoints(): GltfNode[] {
    const s = this.scene.skeleton
    const roots: GltfNode[] = []
    for (let i = 0; i < s.count; i++) {
      const rotation = finite(s.restRotation.slice(4 * i, 4 * i + 4))
      unitQuaternion(rotation, 0)
      const node = this.document
        .createNode(this.rest.names[i])
        .setTranslation([...finite(s.restTranslation.slice(3 * i, 3 * i + 3))] as [number, number, number])
        .setRotation([...rotation] as [number, number, number, number])
        .setScale([...finite(s.restScale.slice(3 * i, 3 * i + 3))] as [number, number, number])
      if (this.options.extras) node.setExtras(jointExtras(this.scene, i))
      this.joints.push(node)
      if (s.parents[i] >= 0) this.joints[s.parents[i]].addChild(node)
      else roots.push(node)
    }
    const { rootBone, scale } = this.options
    const units = this.scene.unitsPerMetre > 0 ? this.scene.unitsPerMetre : 1
    const { meshes, skins } = this.scene
    const unitless = scale === units
    // the joints of a skin need one node above them all
    const skinned = meshes.some((mesh) => mesh.skin >= 0 && mesh.skin < skins.length)
    const unowned = meshes.some((mesh) => mesh.skin >= 0 && !(mesh.joint >= 0))
    if (unitless && !rootBone && !(skinned && (roots.length > 1 || unowned))) return roots
    this.top = this.document.createNode(uniqueNames([this.scene.name || 'model'], this.taken)[0])
    const factor = scale / units
    if (!unitless) this.top.setScale([factor, factor, factor])
    if (rootBone) this.top.addChild((this.still = this.document.createNode(uniqueNames(['root'], this.taken)[0])))
    roots.forEach((node) => (rootBone ? this.still! : this.top!).addChild(node))
    return [this.top]
  }

  // --- meshes -----------------------------------------------------------------------------------------------------

  private writeMesh(mesh: Mesh, materials: GltfMaterial[]): GltfNode | undefined {
    const { document } = this
    const count = mesh.positions.length / 3
    if (count === 0 || mesh.indices.length === 0) return undefined
    const attributes = new Map<string, Accessor>()
    const skin = this.scene.skins[mesh.skin] as Skin | undefined
    const written = skin ? writeSkin(this.scene, mesh, skin, this.rest, this.restWorld, this.options.rootBone) : undefined
    const { positions, normals } = written ? { positions: written.positions, normals: mesh.normals } : this.skewed(mesh)
    attributes.set('POSITION', this.accessor('VEC3', finite(positions)))
    if (normals.length === positions.length) attributes.set('NORMAL', this.accessor('VEC3', unitVectors(normals)))
    mesh.uvs.forEach((uv, i) => {
      if (uv.length === 2 * count) attributes.set(`TEXCOORD_${i}`, this.accessor('VEC2', finite(uv.slice())))
    })
    if (mesh.colors.length === 4 * count) {
      if (this.options.colours) attributes.set('COLOR_0', this.accessor('VEC4', linearColors(mesh.colors)))
      else this.left.add(say('exportedModel.colours'))
    }
    if (this.options.vertices && mesh.nativeVertex.length === count)
      attributes.set('_MARROW_VERTEX', this.accessor('SCALAR', Float32Array.from(mesh.nativeVertex)))
    written?.sets.forEach(({ joints, weights }, set) => {
      attributes.set(`JOINTS_${set}`, this.accessor('VEC4', joints))
      attributes.set(`WEIGHTS_${set}`, this.accessor('VEC4', weights))
    })

    const out = document.createMesh(mesh.name)
    const groups = mesh.groups.length > 0 ? mesh.groups : [{ start: 0, count: mesh.indices.length, material: -1 }]
    for (const group of groups) {
      const indices = triangles(mesh.indices.subarray(group.start, group.start + group.count), count)
      if (indices.length === 0) continue
      const primitive = document.createPrimitive().setIndices(this.accessor('SCALAR', indices))
      const material = materials[group.material]
      const uvs = mesh.uvs.length
      for (const [name, accessor] of attributes) {
        // glTF multiplies vertex colours in always; a material that ignores them is written without
        // prelit colours are lamps to be added, which glTF cannot say: multiplied they would darken the model
        if (name === 'COLOR_0' && material) {
          const { vertexColors, prelit } = this.scene.materials[group.material]
          if (vertexColors && prelit) this.left.add(say('exportedModel.prelit'))
          if (!vertexColors || prelit) continue
        }
        primitive.setAttribute(name, accessor)
      }
      if (material && (!material.getBaseColorTexture() || material.getBaseColorTextureInfo()!.getTexCoord() < uvs))
        primitive.setMaterial(material)
      out.addPrimitive(primitive)
    }
    if (out.listPrimitives().length === 0) {
      out.dispose()
      return undefined
    }
    const node = document.createNode(uniqueNames([mesh.name], this.taken)[0]).setMesh(out)
    if (this.options.extras) node.setExtras(meshExtras(this.scene, mesh))
    if (written) node.setSkin(this.skinOf(skin!.name, written))
    if (mesh.billboard && mesh.billboard !== 'none') this.left.add(say('exportedModel.billboards'))
    return node
  }

  /** A rigid mesh, with the skew that its joint's node cannot have. */
  private skewed(mesh: Mesh): { positions: Float32Array; normals: Float32Array } {
    const positions = mesh.positions.slice()
    const normals = mesh.normals.slice()
    if (!this.rest.skewed.includes(mesh.joint)) return { positions, normals }
    const { skew } = this.rest
    const o = 16 * mesh.joint
    for (let i = 0; i < positions.length; i += 3) transformPoint(positions, i, skew, o, positions[i], positions[i + 1], positions[i + 2])
    // normals go by the inverse, turned over
    const back = new Float64Array(16)
    invertAffine(back, 0, skew, o)
    for (let i = 0; i < normals.length; i += 3) {
      const [x, y, z] = normals.subarray(i, i + 3)
      for (let c = 0; c < 3; c++) normals[i + c] = back[4 * c] * x + back[4 * c + 1] * y + back[4 * c + 2] * z
    }
    return { positions, normals }
  }

  /** One skin for all meshes whose bind matrices are the same. */
  private skinOf(name: string, { inverseBind, still }: WrittenSkin): GltfSkin {
    const matrices = affine(inverseBind)
    const key = matrices.join(' ')
    const there = this.skins.get(key)
    if (there) return there
    const skin = this.document.createSkin(name).setInverseBindMatrices(this.accessor('MAT4', matrices))
    this.joints.forEach((node) => skin.addJoint(node))
    if (still) {
      if (!this.still) this.top!.addChild((this.still = this.document.createNode(uniqueNames(['unweighted'], this.taken)[0])))
      skin.addJoint(this.still)
    }
    this.skins.set(key, skin)
    return skin
  }

  // --- animations -------------------------------------------------------------------------------------------------

  private writeAnimations(materials: readonly GltfMaterial[]): void {
    const { clips, slices } = this.scene
    const names = animationNames(this.scene)
    slices.forEach((slice, i) => {
      const clip = clips[slice.clip]
      if (clip && slice.end >= slice.start)
        this.writeWindow(names.slices[i], clip, slice.start, slice.end, sliceRate(slice, clip), materials)
    })
    clips.forEach((clip, i) => this.writeWindow(names.clips[i], clip, clip.start, clip.end, clipRate(clip), materials))
    for (const clip of clips) {
      if (clip.events.length > 0 && !this.options.extras) this.left.add(say('exportedModel.events'))
      for (const track of clip.tracks) if (!this.writes(track)) this.left.add(say('exportedModel.tracks', { kind: track.property }))
    }
  }

  private writes({ property, target }: Track): boolean {
    if (property === 'visibility') return this.options.visibility
    if (target.kind === 'joint') return property === 'translation' || property === 'rotation' || property === 'scale'
    return target.kind === 'material' && (property === 'opacity' || property === 'color') && this.options.opacity
  }

  private writeWindow(
    name: string,
    clip: Clip,
    from: number,
    to: number,
    unitsPerSecond: number,
    materials: readonly GltfMaterial[],
  ): void {
    if (this.options.animations && !this.options.animations.includes(name)) return
    const { range, sampling } = this.options
    const stretch = { from: Math.max(from, range?.from ?? from), to: Math.min(to, range?.to ?? to), zero: from, unitsPerSecond }
    // the animation lies outside of the range that is asked for
    if (stretch.from > stretch.to) return
    const channels = jointChannels(this.scene, clip, stretch, sampling === 'keys' ? 0 : unitsPerSecond / Number(sampling))
    const shown = this.options.visibility ? visibilityChannels(this.scene, clip, stretch) : []
    const coloured = this.options.opacity ? materialChannels(this.scene, clip, stretch) : []
    const nodes = shown.filter(({ mesh }) => this.meshNodes[mesh])
    if (channels.length + nodes.length + coloured.length === 0) return
    const animation = this.document.createAnimation(name)
    if (this.options.extras) animation.setExtras(windowExtras(clip, from, to))
    for (const { mesh, times, values } of nodes) {
      const node = this.meshNodes[mesh]!
      if (!this.visibilities.nodes.has(node)) this.visibilities.nodes.set(node, true)
      this.pointed(animation, { node }, times, this.accessor('SCALAR', values), 'STEP')
    }
    for (const { material, times, values, interpolation } of coloured)
      this.pointed(animation, { material: materials[material] }, times, this.accessor('VEC4', values), interpolation)
    // channels with the same times share them
    const inputs = new Map<string, Accessor>()
    for (const { joint, path, interpolation, times, values } of channels) {
      const key = times.join(' ')
      let input = inputs.get(key)
      if (!input) inputs.set(key, (input = this.accessor('SCALAR', times)))
      const sampler = this.document
        .createAnimationSampler()
        .setInput(input)
        .setOutput(this.accessor(path === 'rotation' ? 'VEC4' : 'VEC3', values))
        .setInterpolation(interpolation)
      animation
        .addSampler(sampler)
        .addChannel(this.document.createAnimationChannel().setTargetNode(this.joints[joint]).setTargetPath(path).setSampler(sampler))
    }
  }

  /** A channel that moves something else than a node's transform. */
  private pointed(
    animation: GltfAnimation,
    target: PointerTarget,
    times: Float32Array,
    output: Accessor,
    interpolation: 'STEP' | 'LINEAR',
  ): void {
    const sampler = this.document
      .createAnimationSampler()
      .setInput(this.accessor('SCALAR', times))
      .setOutput(output)
      .setInterpolation(interpolation)
    const channel = this.document.createAnimationChannel().setSampler(sampler)
    animation.addSampler(sampler).addChannel(channel)
    this.pointers.targets.set(channel, target)
  }
}

function finite(values: Float32Array): Float32Array {
  for (let i = 0; i < values.length; i++) if (!Number.isFinite(values[i])) values[i] = 0
  return values
}

/** glTF takes unit normals only; one without a direction points up. */
function unitVectors(normals: Float32Array): Float32Array {
  const out = finite(normals.slice())
  for (let i = 0; i < out.length; i += 3) {
    const length = Math.hypot(out[i], out[i + 1], out[i + 2])
    if (length > 1e-12) for (let c = 0; c < 3; c++) out[i + c] /= length
    else out.set([0, 1, 0], i)
  }
  return out
}

/** The last row of an affine matrix is exactly 0 0 0 1. */
function affine(matrices: Float32Array): Float32Array {
  finite(matrices)
  for (let i = 0; i < matrices.length; i += 16) {
    matrices[i + 3] = matrices[i + 7] = matrices[i + 11] = 0
    matrices[i + 15] = 1
  }
  return matrices
}

/** Whole triangles with vertices that are there, in the smallest type; 65535 is glTF's restart value. */
function triangles(indices: Uint32Array, vertices: number): Uint16Array | Uint32Array {
  const kept: number[] = []
  for (let i = 0; i + 2 < indices.length; i += 3) {
    if (indices[i] < vertices && indices[i + 1] < vertices && indices[i + 2] < vertices)
      kept.push(indices[i], indices[i + 1], indices[i + 2])
  }
  return vertices < 65_535 ? Uint16Array.from(kept) : Uint32Array.from(kept)
}
