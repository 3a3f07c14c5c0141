/**
 * A scene as glTF 2.0: skeleton, skins, meshes, materials with PNG textures, clips and slices as animations. The scene
 * has glTF's conventions already; what is written is what the viewport shows. What glTF has no place for is named in the
 * result, and kept in `extras` where a reader may want it.
 */
import { Document, WebIO } from '@gltf-transform/core'
import { unitQuaternion } from './quaternion.ts'
import type {
  Accessor,
  Buffer as GltfBuffer,
  Material as GltfMaterial,
  Node as GltfNode,
  Skin as GltfSkin,
  Texture as GltfTexture,
  TypedArray,
} from '@gltf-transform/core'
import { createPose } from '../../shared/scene/pose.ts'
import { invertAffine, transformPoint } from '../../shared/scene/matrix.ts'
import type { Clip, Material, Mesh, Scene, Skin, Texture } from '../../shared/scene/types.ts'
import { animationNames, clipRate, jointChannels, sliceRate, visibilityChannels } from './clip-window.ts'
import { AnimationPointers, EXTENSIONS, NodeVisibility, UnlitMaterials } from './gltf-extensions.ts'
import { exportedRest, uniqueNames } from './exported-rest.ts'
import { writeSkin } from './gltf-skins.ts'
import type { ExportedRest } from './exported-rest.ts'
import type { WrittenSkin } from './gltf-skins.ts'
import { fileNames } from '../files/file-names.ts'
import { writePng } from './png.ts'
import { say } from '../../shared/texts/say.ts'

/** What of a model is written. */
export interface ExportParts {
  /** names of the animations that are written, as `animationNames` gives them; all when absent */
  animations?: readonly string[]
  /** meshes that the game does not show, and every level of detail and not only the highest: present, and marked as not visible */
  hidden?: boolean
  lods?: boolean
  /** when meshes are shown, as animations that programs have to know extensions for */
  visibility?: boolean
  /** materials without pictures */
  textures?: boolean
}

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
const WRAP = { repeat: 10497, clamp: 33071, mirror: 33648 } as const

/** @throws nothing for scenes that an assembler made; values that are not finite are written as zero */
export async function writeGltf(scene: Scene, options: ExportOptions): Promise<ExportResult> {
  const writer = new SceneWriter(scene, options)
  return writer.write()
}

/** All textures of a scene as PNG files. */
export function writeTextures(scene: Scene): ExportedFile[] {
  const present = scene.textures.filter(hasPixels)
  const names = fileNames(
    present.map((texture) => texture.name.replace(/\.[a-z0-9]{2,4}$/i, '')),
    'png',
  )
  return present.map((texture, i) => ({ name: names[i], bytes: writePng(texture) }))
}

class SceneWriter {
  private readonly scene: Scene
  private readonly options: ExportOptions
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
  private still: GltfNode | undefined
  /** of the scene's meshes those that were written */
  private readonly meshNodes: (GltfNode | undefined)[] = []
  private readonly unlit = this.document.createExtension(UnlitMaterials)
  private readonly visibilities = this.document.createExtension(NodeVisibility)
  private readonly pointers = this.document.createExtension(AnimationPointers)

  constructor(scene: Scene, options: ExportOptions) {
    this.scene = scene
    this.options = options
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
    if (skewed.length > 0) this.left.add(say('exportedModel.skew', { n: skewed.length, percent: (100 * worstSkew).toPrecision(2) }))
    const materials = this.writeMaterials()
    scene.meshes.forEach((mesh, index) => {
      const lower = mesh.lod >= 0 && mesh.lod !== scene.lods.length - 1
      if (lower && !options.lods) return void this.left.add(say('exportedModel.lods'))
      if (!mesh.visible && !options.hidden) return void this.left.add(say('exportedModel.hidden'))
      const node = this.writeMesh(mesh, materials)
      if (!node) return
      this.meshNodes[index] = node
      if (lower || !mesh.visible) this.visibilities.nodes.set(node, false)
      if (mesh.skin >= 0 || mesh.joint < 0) root.addChild(node)
      else this.joints[mesh.joint].addChild(node)
    })
    this.writeAnimations()
    // glTF has no empty lists: nothing at all is a node without contents
    if (root.listChildren().length === 0) root.addChild(document.createNode(scene.name))
    if (document.getRoot().listAccessors().length === 0 && document.getRoot().listTextures().length === 0) this.buffer.dispose()
    for (const [extension, used] of [
      [this.unlit, this.unlit.materials.size],
      [this.visibilities, this.visibilities.nodes.size],
      [this.pointers, this.pointers.visibility.size],
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
      this.joints.push(node)
      if (s.parents[i] >= 0) this.joints[s.parents[i]].addChild(node)
      else roots.push(node)
    }
    const units = this.scene.unitsPerMetre
    const { meshes, skins } = this.scene
    const unitless = !(units > 0) || units === 1
    // the joints of a skin need one node above them all
    const skinned = meshes.some((mesh) => mesh.skin >= 0 && mesh.skin < skins.length)
    const unowned = meshes.some((mesh) => mesh.skin >= 0 && !(mesh.joint >= 0))
    if (unitless && !(skinned && (roots.length > 1 || unowned))) return roots
    this.top = this.document.createNode(uniqueNames([this.scene.name || 'model'], this.taken)[0])
    if (!unitless) this.top.setScale([1 / units, 1 / units, 1 / units])
    roots.forEach((node) => this.top!.addChild(node))
    return [this.top]
  }

  // --- materials --------------------------------------------------------------------------------------------------

  private writeMaterials(): GltfMaterial[] {
    const images = this.writeImages()
    return this.scene.materials.map((material) => this.writeMaterial(material, images))
  }

  private writeImages(): (GltfTexture | undefined)[] {
    const used = new Set(this.scene.materials.map((material) => material.texture))
    const { textures } = this.scene
    const names = fileNames(
      textures.map((texture) => texture.name.replace(/\.[a-z0-9]{2,4}$/i, '')),
      'png',
    )
    return textures.map((texture, i) => {
      if (!used.has(i) || this.options.textures === false) return undefined
      if (!hasPixels(texture)) return void this.left.add(say('exportedModel.texturesMissing'))
      return this.document.createTexture(texture.name).setImage(writePng(texture)).setMimeType('image/png').setURI(names[i])
    })
  }

  private writeMaterial(material: Material, images: (GltfTexture | undefined)[]): GltfMaterial {
    const [r, g, b, a] = material.diffuse
    const out = this.document
      .createMaterial(material.name)
      .setBaseColorFactor([linear(r), linear(g), linear(b), clamp01(a)])
      .setEmissiveFactor([linear(material.emissive[0]), linear(material.emissive[1]), linear(material.emissive[2])])
      .setMetallicFactor(0)
      .setRoughnessFactor(1)
      .setDoubleSided(material.doubleSided)
    const blended = material.blend !== 'opaque'
    if (blended) out.setAlphaMode('BLEND')
    else if (material.alphaTest >= 0) out.setAlphaMode('MASK').setAlphaCutoff(material.alphaTest)
    const image = images[material.texture]
    if (image) {
      out.setBaseColorTexture(image)
      const info = out.getBaseColorTextureInfo()!
      info.setTexCoord(material.uvSet)
      info.setWrapS(WRAP[material.wrapU]).setWrapT(WRAP[material.wrapV])
      if (material.filter === 'nearest') info.setMagFilter(9728).setMinFilter(9728)
      else info.setMagFilter(9729).setMinFilter(9987)
    }
    const extras: Record<string, unknown> = {}
    if (blended && material.blend !== 'alpha') extras.blend = material.blend
    if (!material.lit) this.unlit.materials.add(out)
    if (material.teamColor) extras.teamColor = true
    if (material.environment) extras.environment = true
    if (material.uvScroll) extras.uvScroll = material.uvScroll
    if (Object.keys(extras).length > 0) out.setExtras({ marrow: extras })
    if (extras.blend) this.left.add(say('exportedModel.blend'))
    if (material.layers.length > 0) this.left.add(say('exportedModel.layers'))
    return out
  }

  // --- meshes -----------------------------------------------------------------------------------------------------

  private writeMesh(mesh: Mesh, materials: GltfMaterial[]): GltfNode | undefined {
    const { document } = this
    const count = mesh.positions.length / 3
    if (count === 0 || mesh.indices.length === 0) return undefined
    const attributes = new Map<string, Accessor>()
    const skin = this.scene.skins[mesh.skin] as Skin | undefined
    const written = skin ? writeSkin(this.scene, mesh, skin, this.rest, this.restWorld) : undefined
    const { positions, normals } = written ? { positions: written.positions, normals: mesh.normals } : this.skewed(mesh)
    attributes.set('POSITION', this.accessor('VEC3', finite(positions)))
    if (normals.length === positions.length) attributes.set('NORMAL', this.accessor('VEC3', unitVectors(normals)))
    mesh.uvs.forEach((uv, i) => {
      if (uv.length === 2 * count) attributes.set(`TEXCOORD_${i}`, this.accessor('VEC2', finite(uv.slice())))
    })
    if (mesh.colors.length === 4 * count) attributes.set('COLOR_0', this.accessor('VEC4', linearColors(mesh.colors)))
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
        if (
          name === 'COLOR_0' &&
          material &&
          (!this.scene.materials[group.material].vertexColors || this.scene.materials[group.material].prelit)
        )
          continue
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
      this.still ??= this.document.createNode(uniqueNames(['unweighted'], this.taken)[0])
      this.top!.addChild(this.still)
      skin.addJoint(this.still)
    }
    this.skins.set(key, skin)
    return skin
  }

  // --- animations -------------------------------------------------------------------------------------------------

  private writeAnimations(): void {
    const { clips, slices } = this.scene
    const names = animationNames(this.scene)
    slices.forEach((slice, i) => {
      const clip = clips[slice.clip]
      if (clip && slice.end >= slice.start) this.writeWindow(names.slices[i], clip, slice.start, slice.end, sliceRate(slice, clip))
    })
    clips.forEach((clip, i) => this.writeWindow(names.clips[i], clip, clip.start, clip.end, clipRate(clip)))
    for (const clip of clips)
      for (const track of clip.tracks)
        if (
          !(
            track.target.kind === 'joint' &&
            (track.property === 'translation' || track.property === 'rotation' || track.property === 'scale')
          ) &&
          !(track.property === 'visibility' && this.options.visibility)
        )
          this.left.add(say('exportedModel.tracks', { kind: track.property }))
  }

  private writeWindow(name: string, clip: Clip, from: number, to: number, unitsPerSecond: number): void {
    if (this.options.animations && !this.options.animations.includes(name)) return
    const channels = jointChannels(this.scene, clip, from, to, unitsPerSecond)
    const shown = this.options.visibility ? visibilityChannels(this.scene, clip, from, to, unitsPerSecond) : []
    if (channels.length + shown.length === 0) return
    const animation = this.document.createAnimation(name)
    for (const { mesh, times, values } of shown) {
      const node = this.meshNodes[mesh]
      if (!node) continue
      const sampler = this.document
        .createAnimationSampler()
        .setInput(this.accessor('SCALAR', times))
        .setOutput(this.accessor('SCALAR', values))
        .setInterpolation('STEP')
      const channel = this.document.createAnimationChannel().setSampler(sampler)
      animation.addSampler(sampler).addChannel(channel)
      if (!this.visibilities.nodes.has(node)) this.visibilities.nodes.set(node, true)
      this.pointers.visibility.set(channel, node)
    }
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
}

function hasPixels(texture: Texture): boolean {
  return !texture.missing && texture.width > 0 && texture.height > 0 && texture.rgba.length === 4 * texture.width * texture.height
}

function finite(values: Float32Array): Float32Array {
  for (let i = 0; i < values.length; i++) if (!Number.isFinite(values[i])) values[i] = 0
  return values
}

function clamp01(value: number): number {
  return value >= 0 ? Math.min(1, value) : 0
}

/** Display (sRGB) value as glTF's factors have it. */
function linear(value: number): number {
  const v = clamp01(value)
  return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4
}

function linearColors(colors: Float32Array): Float32Array {
  return colors.map((value, i) => (i % 4 === 3 ? clamp01(value) : linear(value)))
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
