/** Which parts of a model stand on which joint, for which level of detail; attached models are followed. */
import { Diagnostics } from '../../format.ts'
import { hierarchiesOf } from '../codecs/hierarchy.ts'
import { addBox, addLoose, addPoint, addPointObject } from './helpers.ts'
import { addMesh } from './meshes.ts'
import { objectKey } from './objects.ts'
import { say } from '../texts/index.ts'
import type { Diagnostic } from '../../../../shared/api/errors.ts'
import type { Mesh, Scene } from '../../../../shared/scene/types.ts'
import type { ModelBinding } from '../../binding.ts'
import type { TextureReplacer } from '../codecs/aggregate.ts'
import type { Hierarchy } from '../codecs/hierarchy.ts'
import type { MeshView } from '../codecs/mesh.ts'
import type { MeshPlace } from './meshes.ts'
import type { File, ModelObject, Objects } from './objects.ts'
import type { Joints, PlacedHierarchy } from './skeleton.ts'
import type { Textures } from './textures.ts'

/** Attached models in attached models are followed so far. */
const MOST_NESTED = 8
/** A damaged file may hang one mesh on a pivot a hundred thousand times. */
const MOST_MESHES = 4096
const MOST_VERTICES = 8_000_000

export class Placing {
  /** replacements of textures that aggregates ask for */
  replacers = 0
  /** skeletons that the model asks for and no file has */
  readonly missing: { role: 'skeleton'; name: string }[] = []
  private readonly scene: Scene
  private readonly binding: ModelBinding
  private readonly files: readonly File[]
  private readonly found: Objects
  private readonly joints: Joints
  private readonly textures: Textures
  private readonly diagnostics: Diagnostic[]
  private readonly replaceTextures: boolean
  private readonly placed = new Set<string>()
  /** models that are being placed: what stands in itself is not followed */
  private readonly opening = new Set<ModelObject>()
  private vertices = 0

  constructor(
    scene: Scene,
    binding: ModelBinding,
    files: readonly File[],
    found: Objects,
    joints: Joints,
    textures: Textures,
    diagnostics: Diagnostic[],
    replaceTextures: boolean,
  ) {
    this.scene = scene
    this.binding = binding
    this.files = files
    this.found = found
    this.joints = joints
    this.textures = textures
    this.diagnostics = diagnostics
    this.replaceTextures = replaceTextures
  }

  placeModel(model: ModelObject, parent: number, depth: number): PlacedHierarchy {
    if (this.opening.has(model)) return this.joints.addRoot(model.file, parent)
    this.opening.add(model)
    const placed = model.extends ? this.placeAggregate(model, model.extends, parent, depth) : this.placeParts(model, parent, depth)
    this.opening.delete(model)
    return placed
  }

  /** The base model as it is, with the aggregate's objects on its bones; they are found by name. */
  private placeAggregate(
    model: ModelObject,
    { base, objects, replaced }: NonNullable<ModelObject['extends']>,
    parent: number,
    depth: number,
  ): PlacedHierarchy {
    const first = this.scene.meshes.length
    const diagnostics = new Diagnostics(model.file.ref, this.diagnostics)
    const found = this.found.models.get(base.toLowerCase())
    const placed = found ? this.placeModel(found, parent, depth) : this.joints.addRoot(model.file, parent)
    if (!found && base) this.placeObject(base, placed.joints[0], placed, -1, model, depth)
    for (const object of objects) {
      const joint = placed.joints.find((j) => this.joints.names[j].toLowerCase() === object.bone.toLowerCase())
      if (joint === undefined && object.bone)
        diagnostics.add('warning', 'w3d.bone-name', say('scene.boneMissing', { name: object.name, bone: object.bone, model: base }))
      this.placeObject(object.name, joint ?? placed.joints[0], placed, -1, model, depth)
    }
    this.replacers += replaced.length
    if (this.replaceTextures) this.replace(replaced, model.file, this.scene.meshes.slice(first))
    return placed
  }

  /** Materials belong to one mesh each: what is changed here is changed nowhere else. */
  private replace(replacers: readonly TextureReplacer[], file: File, meshes: readonly Mesh[]): void {
    const { scene } = this
    const keyOf = (mesh: string, texture: string): string => `${mesh}\n${texture}`.toLowerCase()
    /** by mesh and texture, and by texture alone */
    const uses = new Map<string, { texture: number }[]>()
    for (const mesh of meshes) {
      for (const material of new Set(mesh.groups.map((group) => group.material))) {
        for (const use of material < 0 ? [] : [scene.materials[material], ...scene.materials[material].layers]) {
          if (use.texture < 0) continue
          for (const key of [keyOf(mesh.name, scene.textures[use.texture].name), keyOf('', scene.textures[use.texture].name)]) {
            const list = uses.get(key)
            if (list) list.push(use)
            else uses.set(key, [use])
          }
        }
      }
    }
    const diagnostics = new Diagnostics(file.ref, this.diagnostics)
    for (const { mesh, from, to } of replacers) {
      const found = uses.get(keyOf(mesh, from))
      if (!found)
        diagnostics.add(
          'warning',
          'w3d.texture-replacer',
          mesh ? say('scene.replacedOnMesh', { to, from, mesh }) : say('scene.replacedNowhere', { to, from }),
        )
      else {
        const texture = to ? this.textures.find(to, { ref: file.ref, path: '' }) : -1
        for (const use of found) use.texture = texture
      }
    }
  }

  private placeParts(model: ModelObject, parent: number, depth: number): PlacedHierarchy {
    const diagnostics = new Diagnostics(model.file.ref, this.diagnostics)
    const found =
      (depth === 0 ? this.chosenSkeleton(model.hierarchyName) : undefined) ?? this.found.hierarchies.get(model.hierarchyName.toLowerCase())
    if (model.hierarchyName && !found) {
      if (depth === 0) this.missing.push({ role: 'skeleton', name: model.hierarchyName })
      diagnostics.add('error', 'w3d.hierarchy-missing', say('scene.skeletonMissing', { name: model.hierarchyName }))
    }
    const placed = found ? this.joints.addHierarchy(found, parent) : this.joints.addRoot(model.file, parent)
    const jointFor = (bone: number, name: string): number => {
      const joint = placed.joints[bone + model.shift]
      if (joint !== undefined) return joint
      if (found)
        diagnostics.add(
          'warning',
          'w3d.bone-index',
          say('scene.boneIndex', { name, bone, skeleton: model.hierarchyName, count: placed.joints.length }),
        )
      return placed.joints[0]
    }
    const levels = model.lods.length
    const nested = depth > 0
    if (levels > 1 && !nested)
      this.scene.lods = model.lods.map((_, i) =>
        i === levels - 1 ? say('scene.lods.highest', { i }) : i === 0 ? say('scene.lods.lowest', { i }) : String(i),
      )
    const inLevels = new Map<string, { bone: number; name: string; levels: number[] }>()
    model.lods.forEach((lod, level) => {
      for (const object of lod) {
        const key = `${object.bone} ${object.name.toLowerCase()}`
        const entry = inLevels.get(key)
        if (entry) entry.levels.push(level)
        else inLevels.set(key, { ...object, levels: [level] })
      }
    })
    for (const { bone, name, levels: at } of inLevels.values()) {
      const everywhere = at.length === levels || nested
      // a nested model shows its highest level
      if (nested && !at.includes(levels - 1)) continue
      for (const lod of everywhere ? [-1] : at) this.placeObject(name, jointFor(bone, name), placed, lod, model, depth)
    }
    for (const { bone, name } of model.aggregates) this.placeObject(name, jointFor(bone, name), placed, -1, model, depth)
    for (const { bone, name } of model.proxies)
      addPoint(this.scene, name, jointFor(bone, name), say('scene.helpers.proxy'), [0, 0, 0], { ref: model.file.ref, path: '' })
    return placed
  }

  /** A file that the user took for the skeleton wins, even where its skeleton has another name. */
  private chosenSkeleton(name: string): { file: File; hierarchy: Hierarchy } | undefined {
    for (const member of this.binding.members) {
      if (member.role !== 'skeleton' || member.why !== 'user') continue
      const file = this.files.find((f) => f.ref === member.ref)
      const own = file ? hierarchiesOf(file.document) : []
      const hierarchy = own.find((h) => h.name.toLowerCase() === name.toLowerCase()) ?? own[0]
      if (file && hierarchy) return { file, hierarchy }
    }
    return undefined
  }

  private placeObject(name: string, joint: number, placed: PlacedHierarchy, lod: number, model: ModelObject, depth: number): void {
    const diagnostics = new Diagnostics(model.file.ref, this.diagnostics)
    // HMODEL leaves out the name of the container
    const object = this.found.parts.get(name.toLowerCase()) ?? this.found.parts.get(`${model.name}.${name}`.toLowerCase())
    if (object) {
      this.placed.add(objectKey(object))
      if (object.kind === 'mesh') this.placeMesh(object.file, object.mesh, { joint, placed, lod, shown: true })
      else if (object.kind === 'box') addBox(this.scene, object.file, object.box, joint)
      else addPointObject(this.scene, object.file, object.point, joint)
      return
    }
    const attached = this.found.models.get(name.toLowerCase())
    if (attached && attached !== model) {
      if (depth < MOST_NESTED && !this.joints.full) this.placeModel(attached, joint, depth + 1)
      return
    }
    diagnostics.add('warning', 'w3d.sub-object-missing', say('scene.partMissing', { model: model.name, name }))
  }

  /** Parts of the file that no HLOD names: all of it where there is none, otherwise hidden. */
  placeLoose(file: File, placed: PlacedHierarchy, visible: boolean): void {
    for (const object of this.found.parts.values()) {
      if (object.file !== file || this.placed.has(objectKey(object))) continue
      if (object.kind === 'mesh') this.placeMesh(file, object.mesh, { joint: placed.joints[0], placed, lod: -1, shown: visible })
      else if (object.kind === 'box' && visible) addBox(this.scene, file, object.box, placed.joints[0])
      else if (object.kind === 'point' && visible) addPointObject(this.scene, file, object.point, placed.joints[0])
    }
    addLoose(this.scene, file, placed.joints[0])
  }

  private placeMesh(file: File, mesh: MeshView, place: MeshPlace): void {
    const diagnostics = new Diagnostics(file.ref, this.diagnostics)
    const count = Math.floor(mesh.vertices.length / 3)
    if (this.scene.meshes.length >= MOST_MESHES || this.vertices + count > MOST_VERTICES) {
      const path = file.paths.get(mesh.chunk) ?? ''
      diagnostics.add('error', 'w3d.too-many-meshes', say('scene.tooManyMeshes', { name: mesh.fullName }), path)
      return
    }
    this.vertices += count
    addMesh(this.scene, this.joints.worlds, this.textures, file, mesh, place, diagnostics)
  }
}
