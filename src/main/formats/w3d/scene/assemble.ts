/**
 * A scene from the documents of a model: the skeleton of the HLOD's hierarchy, its sub-objects on their pivots for each level of detail,
 * skins taken from bone space to the space of the model at rest, boxes and other helpers, and the clips. Never throws on odd content:
 * what does not fit is left out with a diagnostic.
 */
import { invertAffine, multiply, transformPoint } from '../../../../shared/scene/matrix.ts'
import { buildSkeleton } from '../../../../shared/scene/pose.ts'
import { packInfluences } from '../../../../shared/scene/skinning.ts'
import { emptyScene } from '../../../../shared/scene/types.ts'
import { nameOf } from '../../../binary/reader.ts'
import { Diagnostics } from '../../format.ts'
import { aggregatesOf } from '../codecs/aggregate.ts'
import { matrixToScene, toScene } from './basis.ts'
import { BOX_ORIENTED, boxesOf } from '../codecs/box.ts'
import { pathsOf } from '../codecs/chunk.ts'
import { clipOf } from './clips.ts'
import { collectionsOf } from '../codecs/collection.ts'
import { clipsOf } from '../codecs/file.ts'
import { hierarchiesOf, pivotLocal, pivotName, pivotParent } from '../codecs/hierarchy.ts'
import { hlodsOf } from '../codecs/hlod.ts'
import { hmodelsOf } from '../codecs/hmodel.ts'
import { lightsOf } from '../codecs/light.ts'
import { lodModelsOf } from '../codecs/lod-model.ts'
import { TextureShelf, lookOf } from './look.ts'
import { ATTRIBUTE, meshesOf, vertexInfluence } from '../codecs/mesh.ts'
import { pointObjectsOf } from '../codecs/points.ts'
import type { Diagnostic } from '../../../../shared/api/errors.ts'
import type { Helper, Mesh, Skeleton, SourceRef } from '../../../../shared/scene/types.ts'
import type { AssembledModel, Document, ModelBinding, ModelChoices, ModelOption } from '../../format.ts'
import type { Aggregate, TextureReplacer } from '../codecs/aggregate.ts'
import type { BoxView } from '../codecs/box.ts'
import type { Chunk } from '../codecs/chunk.ts'
import type { W3dDocument } from '../codecs/file.ts'
import type { Fixups, Hierarchy } from '../codecs/hierarchy.ts'
import type { MeshView } from '../codecs/mesh.ts'
import type { PointObject } from '../codecs/points.ts'

interface File {
  ref: string
  document: W3dDocument
  paths: ReadonlyMap<Chunk, string>
}

/** HLOD, HMODEL, LODMODEL and AGGREGATE, made alike. */
interface ModelObject {
  name: string
  file: File
  hierarchyName: string
  /** what its bone numbers must be raised by: files before 3.0 do not count the root */
  shift: number
  /** lowest detail first */
  lods: { bone: number; name: string }[][]
  aggregates: { bone: number; name: string }[]
  proxies: { bone: number; name: string }[]
  /** an AGGREGATE: the model that it adds to, and what it hangs on bones by their names */
  extends?: Pick<Aggregate, 'base' | 'objects' | 'replaced'>
}

type RenderObject = { file: File } & (
  { kind: 'mesh'; mesh: MeshView } | { kind: 'box'; box: BoxView } | { kind: 'point'; point: PointObject }
)

/** Attached models in attached models are followed so far. */
const MOST_NESTED = 8
const MOST_JOINTS = 60_000
/** A damaged file may hang one mesh on a pivot a hundred thousand times. */
const MOST_MESHES = 4096
const MOST_VERTICES = 8_000_000
const MOST_HELPERS = 10_000
const MOST_DIAGNOSTICS = 500

export function assemble(binding: ModelBinding, load: (ref: string) => Document | undefined, choices: ModelChoices): AssembledModel {
  const list: Diagnostic[] = []
  const files: File[] = []
  const seen = new Set<string>()
  for (const ref of [binding.primary, ...binding.members.filter((m) => m.role !== 'textures').map((m) => m.ref)]) {
    if (seen.has(ref)) continue
    seen.add(ref)
    const document = load(ref)
    if (document?.format === 'w3d.file')
      files.push({ ref, document: document as W3dDocument, paths: pathsOf((document as W3dDocument).chunks) })
    else if (!document)
      list.push({ severity: 'error', code: 'w3d.file-unreadable', message: 'the file could not be read', ref, path: '', offset: -1 })
  }
  const assembled = new Assembly(binding, files, load, choices, list).run()
  if (list.length > MOST_DIAGNOSTICS) {
    const more = list.length - MOST_DIAGNOSTICS
    list.length = MOST_DIAGNOSTICS
    list.push({ severity: 'info', code: 'w3d.more', message: `${more} more`, ref: binding.primary, path: '', offset: -1 })
  }
  return assembled
}

class Assembly {
  private readonly binding: ModelBinding
  private readonly files: File[]
  private readonly choices: ModelChoices
  private readonly diagnostics: Diagnostic[]
  private readonly scene
  private readonly shelf: TextureShelf
  private readonly hierarchies = new Map<string, { file: File; hierarchy: Hierarchy }>()
  private readonly objects = new Map<string, RenderObject>()
  private readonly models = new Map<string, ModelObject>()
  /** joints as they are added; file space */
  private readonly names: string[] = []
  private readonly parents: number[] = []
  private readonly locals: number[] = []
  private readonly worlds: number[] = []
  private readonly natives: number[] = []
  private readonly sources: SourceRef[] = []
  private readonly placed = new Set<string>()
  /** models that are being placed: what stands in itself is not followed */
  private readonly opening = new Set<ModelObject>()
  private vertices = 0
  private applyFixups: boolean
  private readonly replaceTextures: boolean
  /** aggregates with textures that could take the place of others were placed */
  private replacers = 0

  constructor(
    binding: ModelBinding,
    files: File[],
    load: (ref: string) => Document | undefined,
    choices: ModelChoices,
    diagnostics: Diagnostic[],
  ) {
    this.binding = binding
    this.files = files
    this.choices = choices
    this.diagnostics = diagnostics
    this.scene = emptyScene(binding.name)
    this.applyFixups = choices.fixups === 'applied'
    this.replaceTextures = choices.replacedTextures === 'applied'
    this.shelf = new TextureShelf(
      this.scene,
      binding.members.filter((m) => m.role === 'textures').map((m) => m.ref),
      load,
      new Diagnostics(binding.primary, diagnostics),
    )
    for (const file of files) this.index(file)
  }

  private index(file: File): void {
    const { document } = file
    const put = <T>(map: Map<string, T>, name: string, value: T): void => {
      const key = name.toLowerCase()
      if (name && !map.has(key)) map.set(key, value)
    }
    for (const hierarchy of hierarchiesOf(document)) put(this.hierarchies, hierarchy.name, { file, hierarchy })
    for (const mesh of meshesOf(document)) put(this.objects, mesh.fullName, { kind: 'mesh', file, mesh })
    for (const box of boxesOf(document)) put(this.objects, box.name, { kind: 'box', file, box })
    for (const point of pointObjectsOf(document)) put(this.objects, point.name, { kind: 'point', file, point })
    for (const model of modelObjects(file)) put(this.models, model.name, model)
  }

  run(): AssembledModel {
    const primary = this.files.find((file) => file.ref === this.binding.primary)
    const options: ModelOption[] = []
    if (!primary) return { scene: this.scene, options, diagnostics: this.diagnostics }

    const models = modelObjects(primary)
    const chosen = models.find((model) => model.name === this.choices.object) ?? models[0]
    if (models.length > 1) {
      options.push({
        key: 'object',
        label: 'Object',
        reason: 'the file has several',
        value: chosen.name,
        options: models.map((model) => ({ value: model.name, label: model.name })),
      })
    }

    let main: PlacedHierarchy
    if (chosen) main = this.placeModel(chosen, -1, 0)
    else {
      const own = hierarchiesOf(primary.document)
      const wanted = own.find((h) => h.name === this.choices.object) ?? own[0]
      if (own.length > 1)
        options.push({
          key: 'object',
          label: 'Skeleton',
          reason: 'the file has several',
          value: wanted.name,
          options: own.map((h) => ({ value: h.name, label: h.name })),
        })
      main = wanted ? this.addHierarchy({ file: primary, hierarchy: wanted }, -1) : this.addRoot(primary, -1)
      this.placeLoose(primary, main, true)
    }
    if (chosen) this.placeLoose(primary, main, false)
    this.finishSkeleton()

    const hierarchy = main.hierarchy
    if (hierarchy?.fixups && fixupsMatter(hierarchy.fixups)) {
      options.push({
        key: 'fixups',
        label: 'Pivot fixups',
        reason: 'left by the exporter; the games ignore them, the public specification applies them',
        value: this.applyFixups ? 'applied' : 'ignored',
        options: [
          { value: 'ignored', label: 'Ignored, as in the games' },
          { value: 'applied', label: 'Applied' },
        ],
      })
    }
    if (this.replacers) {
      options.push({
        key: 'replacedTextures',
        label: 'Replaced textures',
        reason: 'an aggregate exchanges textures of its model; the released engines call that obsolete and skip it',
        value: this.replaceTextures ? 'applied' : 'ignored',
        options: [
          { value: 'ignored', label: 'Ignored, as in the games' },
          { value: 'applied', label: 'Applied' },
        ],
      })
    }
    const snap = this.choices.rawFrames === 'snap'
    const raw = this.addClips(main, snap)
    if (raw) {
      options.push({
        key: 'rawFrames',
        label: 'Uncompressed frames',
        reason: 'Generals and Zero Hour show them one by one, other builds and the viewer blend',
        value: snap ? 'snap' : 'blend',
        options: [
          { value: 'blend', label: 'Blended' },
          { value: 'snap', label: 'One by one' },
        ],
      })
    }
    return { scene: this.scene, options, diagnostics: this.diagnostics }
  }

  // --- joints -------------------------------------------------------------------------------------------------

  private addJoint(name: string, parent: number, local: ArrayLike<number>, native: number, source: SourceRef): number {
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

  private addRoot(file: File, parent: number): PlacedHierarchy {
    const joint = this.addJoint('ROOTTRANSFORM', parent, IDENTITY, -1, { ref: file.ref, path: '' })
    return { joints: [joint], hierarchy: undefined, nativeShift: 0 }
  }

  /** The pivots below a joint (-1: at the top). Pivot 0's own transform counts for nothing. */
  private addHierarchy(entry: { file: File; hierarchy: Hierarchy }, parent: number): PlacedHierarchy {
    const { file, hierarchy } = entry
    const diagnostics = new Diagnostics(file.ref, this.diagnostics)
    const path = hierarchy.pivots ? (file.paths.get(hierarchy.pivots) ?? '') : ''
    const joints: number[] = []
    const pivots = hierarchy.pivots?.data
    if (hierarchy.preRoot || hierarchy.count === 0 || this.names.length + hierarchy.count > MOST_JOINTS) {
      joints.push(this.addJoint('ROOTTRANSFORM', parent, IDENTITY, -1, { ref: file.ref, path: file.paths.get(hierarchy.chunk) ?? '' }))
    }
    const nativeShift = hierarchy.preRoot ? 1 : 0
    if (this.names.length + hierarchy.count > MOST_JOINTS) {
      diagnostics.add('error', 'w3d.too-many-joints', `${hierarchy.name} has ${hierarchy.count} pivots: more than can be shown`, path)
      return { joints, hierarchy, nativeShift }
    }
    const local = new Float64Array(16)
    for (let i = 0; i < hierarchy.count; i++) {
      const source = { ref: file.ref, path: `${path}.pivot[${i}]` }
      if (i === 0 && !hierarchy.preRoot) {
        joints.push(this.addJoint(pivotName(pivots!, 0), parent, IDENTITY, 0, source))
        continue
      }
      pivotLocal(pivots!, i, local, 0)
      const p = pivotParent(pivots!, i)
      let above: number
      if (p >= 0 && p < i) above = joints[p + nativeShift]
      else {
        above = hierarchy.preRoot ? joints[0] : parent
        if (!(p < 0 && hierarchy.preRoot))
          diagnostics.add(
            'warning',
            'w3d.pivot-parent',
            p < 0
              ? `${pivotName(pivots!, i)} is a second root`
              : `${pivotName(pivots!, i)} has pivot ${p} as its parent, which does not stand before it: taken as a root`,
            source.path,
          )
      }
      joints.push(this.addJoint(pivotName(pivots!, i), above, local, i, source))
    }
    return { joints, hierarchy, nativeShift }
  }

  private finishSkeleton(): void {
    const n = this.names.length
    const local = new Float32Array(16 * n)
    for (let i = 0; i < n; i++) matrixToScene(local, 16 * i, this.locals, 16 * i)
    // parents always stand before their children here, so joints keep their numbers
    const { skeleton } = buildSkeleton(this.names, this.parents, local, (i) => this.sources[i])
    skeleton.nativeIndex = Int32Array.from(this.natives)
    this.scene.skeleton = skeleton
    this.setRoles(skeleton)
  }

  /** Pivots that carry nothing and have nothing below are where the game attaches effects and weapons. */
  private setRoles(skeleton: Skeleton): void {
    const used = new Uint8Array(skeleton.count)
    const carries = new Uint8Array(skeleton.count)
    for (const mesh of this.scene.meshes) {
      if (mesh.skin >= 0) for (const joint of this.scene.skins[mesh.skin].joints) used[joint] = 1
      else carries[mesh.joint] = 1
    }
    for (let i = 0; i < skeleton.count; i++) if (skeleton.parents[i] >= 0) used[skeleton.parents[i]] = 1
    skeleton.roles = Array.from({ length: skeleton.count }, (_, i) => (carries[i] ? 'mesh' : used[i] || i === 0 ? 'joint' : 'attach'))
  }

  // --- objects ------------------------------------------------------------------------------------------------

  private placeModel(model: ModelObject, parent: number, depth: number): PlacedHierarchy {
    if (this.opening.has(model)) return this.addRoot(model.file, parent)
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
    const found = this.models.get(base.toLowerCase())
    const placed = found ? this.placeModel(found, parent, depth) : this.addRoot(model.file, parent)
    if (!found && base) this.placeObject(base, placed.joints[0], placed, -1, model, depth)
    for (const object of objects) {
      const joint = placed.joints.find((j) => this.names[j].toLowerCase() === object.bone.toLowerCase())
      if (joint === undefined && object.bone)
        diagnostics.add(
          'warning',
          'w3d.bone-name',
          `${object.name} hangs on ${object.bone}, a bone that ${base} does not have: put on the root`,
        )
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
          `${to} shall take the place of ${from}${mesh ? ` on ${mesh}` : ''}, which is not there`,
        )
      else {
        const texture = to ? this.shelf.texture(to, { ref: file.ref, path: '' }) : -1
        for (const use of found) use.texture = texture
      }
    }
  }

  private placeParts(model: ModelObject, parent: number, depth: number): PlacedHierarchy {
    const diagnostics = new Diagnostics(model.file.ref, this.diagnostics)
    const found =
      (depth === 0 ? this.chosenSkeleton(model.hierarchyName) : undefined) ?? this.hierarchies.get(model.hierarchyName.toLowerCase())
    if (model.hierarchyName && !found) {
      diagnostics.add(
        'error',
        'w3d.hierarchy-missing',
        `no file with the skeleton ${model.hierarchyName} was found: the parts stand at the origin`,
      )
    }
    const placed = found ? this.addHierarchy(found, parent) : this.addRoot(model.file, parent)
    const jointFor = (bone: number, name: string): number => {
      const joint = placed.joints[bone + model.shift]
      if (joint !== undefined) return joint
      if (found)
        diagnostics.add(
          'warning',
          'w3d.bone-index',
          `${name} hangs on pivot ${bone}, the skeleton ${model.hierarchyName} has ${placed.joints.length}: put on the root`,
        )
      return placed.joints[0]
    }
    const levels = model.lods.length
    const nested = depth > 0
    if (levels > 1 && !nested)
      this.scene.lods = model.lods.map((_, i) => (i === levels - 1 ? `${i} (highest)` : i === 0 ? `${i} (lowest)` : String(i)))
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
      this.point(name, jointFor(bone, name), 'proxy', [0, 0, 0], { ref: model.file.ref, path: '' })
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
    const object = this.objects.get(name.toLowerCase()) ?? this.objects.get(`${model.name}.${name}`.toLowerCase())
    if (object) {
      this.placed.add(objectKey(object))
      if (object.kind === 'mesh') this.placeMesh(object.file, object.mesh, joint, placed, lod, true)
      else if (object.kind === 'box') this.placeBox(object.file, object.box, joint)
      else this.placePoint(object.file, object.point, joint)
      return
    }
    const attached = this.models.get(name.toLowerCase())
    if (attached && attached !== model) {
      if (depth < MOST_NESTED && this.names.length < MOST_JOINTS) this.placeModel(attached, joint, depth + 1)
      return
    }
    diagnostics.add('warning', 'w3d.sub-object-missing', `${model.name} has the part ${name}, which is in no file of the model`)
  }

  /** Parts of the file that no HLOD names: all of it where there is none, otherwise hidden. */
  private placeLoose(file: File, placed: PlacedHierarchy, visible: boolean): void {
    for (const object of this.objects.values()) {
      if (object.file !== file || this.placed.has(objectKey(object))) continue
      if (object.kind === 'mesh') this.placeMesh(file, object.mesh, placed.joints[0], placed, -1, visible)
      else if (object.kind === 'box' && visible) this.placeBox(file, object.box, placed.joints[0])
      else if (object.kind === 'point' && visible) this.placePoint(file, object.point, placed.joints[0])
    }
    for (const [i, light] of lightsOf(file.document).entries()) {
      const at: [number, number, number] = [0, 0, 0]
      toScene(at, 0, light.place, 0)
      // lights have no names
      this.point(
        `light ${i + 1}`,
        placed.joints[0],
        'light',
        at,
        { ref: file.ref, path: file.paths.get(light.chunk) ?? '' },
        'light',
        light.color,
      )
    }
    for (const collection of collectionsOf(file.document)) {
      for (const place of collection.placeholders) {
        const at: [number, number, number] = [0, 0, 0]
        toScene(at, 0, place.transform, 9)
        this.point(nameOf(place.name), placed.joints[0], 'placeholder', at, { ref: file.ref, path: file.paths.get(collection.chunk) ?? '' })
      }
    }
  }

  private point(
    name: string,
    joint: number,
    label: string,
    center: [number, number, number],
    source: SourceRef,
    kind: Helper['kind'] = 'point',
    color: [number, number, number] = [1, 0.8, 0.2],
  ): void {
    if (this.scene.helpers.length >= MOST_HELPERS) return
    this.scene.helpers.push({ name, kind, joint, center: [...center], extent: [0, 0, 0], color, label, source })
  }

  private placePoint(file: File, { name, label, shape }: PointObject, joint: number): void {
    const source = { ref: file.ref, path: shape ? (file.paths.get(shape.chunk) ?? '') : '' }
    const at: [number, number, number] = [0, 0, 0]
    if (shape && shape.center.every(Number.isFinite)) toScene(at, 0, shape.center, 0)
    if (label !== 'sphere' || !shape || !shape.extent.every(Number.isFinite)) return this.point(name, joint, label, at, source)
    this.point(name, joint, label, at, source, 'sphere', [shape.color[0], shape.color[1], shape.color[2]])
    const helper = this.scene.helpers.at(-1)
    if (helper?.source === source) helper.extent = [Math.max(...shape.extent), 0, 0]
  }

  private placeBox(file: File, box: BoxView, joint: number): void {
    if (this.scene.helpers.length >= MOST_HELPERS) return
    const { data } = box.chunk
    const helper: Helper = {
      name: box.name,
      kind: data.attributes & BOX_ORIENTED ? 'orientedBox' : 'box',
      joint,
      center: [0, 0, 0],
      extent: [0, 0, 0],
      color: [data.color[0] / 255, data.color[1] / 255, data.color[2] / 255],
      label: data.attributes & ATTRIBUTE.COLLISION ? 'collision box' : 'box',
      source: { ref: file.ref, path: file.paths.get(box.chunk) ?? '' },
    }
    toScene(helper.center, 0, data.center, 0)
    toScene(helper.extent, 0, data.extent, 0)
    this.scene.helpers.push(helper)
  }

  private placeMesh(file: File, mesh: MeshView, joint: number, placed: PlacedHierarchy, lod: number, shown: boolean): void {
    const diagnostics = new Diagnostics(file.ref, this.diagnostics)
    const path = file.paths.get(mesh.chunk) ?? ''
    const count = Math.floor(mesh.vertices.length / 3)
    if (this.scene.meshes.length >= MOST_MESHES || this.vertices + count > MOST_VERTICES) {
      diagnostics.add('error', 'w3d.too-many-meshes', `${mesh.fullName} is left out: the model has more parts than can be shown`, path)
      return
    }
    this.vertices += count
    const look = lookOf(mesh, {
      scene: this.scene,
      textures: this.shelf,
      ref: file.ref,
      pathOf: (chunk) => file.paths.get(chunk) ?? '',
      diagnostics,
    })
    const attributes = mesh.header?.attributes ?? 0
    const geometry = attributes & ATTRIBUTE.GEOMETRY
    const out: Mesh = {
      name: mesh.fullName,
      joint,
      positions: new Float32Array(3 * count),
      normals: new Float32Array(mesh.normals.length === mesh.vertices.length ? 3 * count : 0),
      ...look,
      skin: -1,
      nativeVertex: Uint32Array.from({ length: count }, (_, i) => i),
      nativeVertexCount: count,
      visible: shown && (attributes & ATTRIBUTE.HIDDEN) === 0,
      lod,
      // the engine turns +X of the mesh, our +Z, to the viewer
      ...(geometry === ATTRIBUTE.CAMERA_ALIGNED
        ? { billboard: 'full' as const }
        : geometry === ATTRIBUTE.CAMERA_ORIENTED
          ? { billboard: 'eye' as const }
          : {}),
      ...(mesh.header?.sortLevel ? { sortLevel: mesh.header.sortLevel } : {}),
      source: { ref: file.ref, path },
    }
    if (mesh.isSkin && placed.hierarchy) {
      // where a skin hangs means nothing: its vertices stand in the space of their bones
      out.joint = placed.joints[0]
      this.skin(mesh, out, placed, file, path, diagnostics)
    } else {
      if (mesh.isSkin)
        diagnostics.add(
          'error',
          'w3d.skin-without-skeleton',
          `${mesh.fullName} is a skin, and there is no skeleton: its vertices stand in the space of their bones`,
          path,
        )
      const fixup = this.fixupOf(placed, placed.joints.indexOf(joint))
      const p = [0, 0, 0]
      for (let v = 0; v < count; v++) {
        if (fixup) transformPoint(p, 0, fixup, 0, mesh.vertices[3 * v], mesh.vertices[3 * v + 1], mesh.vertices[3 * v + 2])
        else for (let i = 0; i < 3; i++) p[i] = mesh.vertices[3 * v + i]
        toScene(out.positions, 3 * v, p, 0)
        if (out.normals.length) unit(out.normals, 3 * v, mesh.normals[3 * v], mesh.normals[3 * v + 1], mesh.normals[3 * v + 2])
      }
    }
    this.scene.meshes.push(out)
  }

  /** Vertices from the space of their bones to the model's at rest; two bones agree there to 1e-4 [V], their weights say how much of each counts. */
  private skin(mesh: MeshView, out: Mesh, placed: PlacedHierarchy, file: File, path: string, diagnostics: Diagnostics): void {
    const { scene } = this
    const influences = mesh.influences!
    const { vertices2, normals2 } = influences
    const count = out.nativeVertexCount
    const slotOf = new Map<number, number>()
    const joints: number[] = []
    const slot = (joint: number): number => {
      let s = slotOf.get(joint)
      if (s === undefined) {
        s = joints.length
        slotOf.set(joint, s)
        joints.push(joint)
      }
      return s
    }
    const withNormals = out.normals.length > 0
    const w = this.worlds
    const one = [0, 0, 0, 0]
    const bind = [0, 0, 0]
    const outside = new Set<number>()
    let second = 0
    const rows = packInfluences(count, (v, push) => {
      if (v >= influences.table.count) return
      vertexInfluence(influences, v, one)
      if (one[3] > 0 && vertices2.length < 3 * v + 3) {
        second++
        one[1] = 1
        one[3] = 0
      }
      let x = 0,
        y = 0,
        z = 0,
        nx = 0,
        ny = 0,
        nz = 0,
        sum = 0
      for (let i = 0; i < 4; i += 2) {
        const weight = one[i + 1]
        if (!(weight > 0)) continue
        const joint = placed.joints[one[i] + placed.nativeShift]
        if (joint === undefined) {
          outside.add(one[i])
          continue
        }
        const from = i === 0 ? mesh.vertices : vertices2
        const fixup = this.fixupOf(placed, one[i] + placed.nativeShift)
        if (fixup) transformPoint(bind, 0, fixup, 0, from[3 * v], from[3 * v + 1], from[3 * v + 2])
        else for (let c = 0; c < 3; c++) bind[c] = from[3 * v + c]
        transformPoint(bind, 0, w, 16 * joint, bind[0], bind[1], bind[2])
        x += weight * bind[0]
        y += weight * bind[1]
        z += weight * bind[2]
        sum += weight
        if (withNormals) {
          const n = i === 0 || normals2.length < 3 * v + 3 ? mesh.normals : normals2
          const m = 16 * joint
          const a = n[3 * v],
            b = n[3 * v + 1],
            c = n[3 * v + 2]
          nx += weight * (w[m] * a + w[m + 4] * b + w[m + 8] * c)
          ny += weight * (w[m + 1] * a + w[m + 5] * b + w[m + 9] * c)
          nz += weight * (w[m + 2] * a + w[m + 6] * b + w[m + 10] * c)
        }
        push(slot(joint), weight)
      }
      if (sum > 0) {
        bind[0] = x / sum
        bind[1] = y / sum
        bind[2] = z / sum
        toScene(out.positions, 3 * v, bind, 0)
        if (withNormals) unit(out.normals, 3 * v, nx, ny, nz)
      } else toScene(out.positions, 3 * v, mesh.vertices, 3 * v)
    })
    if (influences.table.count < count)
      diagnostics.add(
        'warning',
        'w3d.influence-count',
        `${mesh.fullName} has ${count} vertices and ${influences.table.count} influences: the others stand still`,
        path,
      )
    if (outside.size)
      diagnostics.add(
        'warning',
        'w3d.influence-bone',
        `vertices of ${mesh.fullName} hang on bones that the skeleton does not have (${[...outside].slice(0, 8).join(', ')}): they stand still`,
        path,
      )
    if (second)
      diagnostics.add(
        'warning',
        'w3d.second-stream-missing',
        `${second} vertices of ${mesh.fullName} have two bones, but no place in the second one's space`,
        path,
      )

    const inverseBind = new Float32Array(16 * joints.length)
    const world = new Float64Array(16)
    joints.forEach((joint, s) => {
      matrixToScene(world, 0, w, 16 * joint)
      invertAffine(inverseBind, 16 * s, world, 0)
    })
    out.skin = scene.skins.length
    scene.skins.push({
      name: mesh.fullName,
      joints: Uint32Array.from(joints),
      inverseBind,
      ...rows,
      source: { ref: file.ref, path: `${path}.influences` },
    })
  }

  private fixupOf(placed: PlacedHierarchy, bone: number): number[] | undefined {
    const fixups = placed.hierarchy?.fixups
    if (!this.applyFixups || !fixups || bone < 0) return undefined
    return fixupMatrix(fixups, bone - placed.nativeShift)
  }

  // --- clips --------------------------------------------------------------------------------------------------

  /** @returns whether one of them is uncompressed */
  private addClips(main: PlacedHierarchy, snap: boolean): boolean {
    const wanted = main.hierarchy?.name.toLowerCase() ?? ''
    const materials = new Map<number, number[]>()
    for (const mesh of this.scene.meshes) {
      const list = materials.get(mesh.joint) ?? []
      for (const group of mesh.groups) if (group.material >= 0 && !list.includes(group.material)) list.push(group.material)
      materials.set(mesh.joint, list)
    }
    const roles = new Map(this.binding.members.map((member) => [member.ref, member.role]))
    let raw = false
    for (const file of this.files) {
      for (const info of clipsOf(file.document)) {
        // a file that the binder or the user took for an animation plays whatever skeleton it names
        if (info.hierarchyName.toLowerCase() !== wanted && roles.get(file.ref) !== 'animation') continue
        if (!info.compressed) raw = true
        this.scene.clips.push(
          clipOf(info, {
            ref: file.ref,
            paths: file.paths,
            jointOf: (pivot) => main.joints[pivot + main.nativeShift] ?? -1,
            materialsOn: (joint) => materials.get(joint) ?? [],
            snap,
            diagnostics: new Diagnostics(file.ref, this.diagnostics),
          }),
        )
      }
    }
    return raw
  }
}

interface PlacedHierarchy {
  /** joint of each pivot as the engine numbers them */
  joints: number[]
  hierarchy: Hierarchy | undefined
  /** 1 where the engine puts a root in front: pivot numbers of the file are one less */
  nativeShift: number
}

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]

function objectKey(object: RenderObject): string {
  const name = object.kind === 'mesh' ? object.mesh.fullName : object.kind === 'box' ? object.box.name : object.point.name
  return `${object.file.ref}#${name.toLowerCase()}`
}

/** A normal in scene axes at unit length; (0, 1, 0) where it has none. */
function unit(out: Float32Array, o: number, x: number, y: number, z: number): void {
  const length = Math.hypot(x, y, z)
  if (!(length > 0) || !Number.isFinite(length)) {
    out[o] = 0
    out[o + 1] = 1
    out[o + 2] = 0
    return
  }
  out[o] = y / length
  out[o + 1] = z / length
  out[o + 2] = x / length
}

function modelObjects(file: File): ModelObject[] {
  const out: ModelObject[] = hlodsOf(file.document).map((hlod) => ({
    name: hlod.name,
    file,
    hierarchyName: hlod.hierarchyName,
    shift: 0,
    lods: hlod.lods.map((lod) => lod.objects.map(({ bone, name }) => ({ bone, name }))),
    aggregates: hlod.aggregates.map(({ bone, name }) => ({ bone, name })),
    proxies: hlod.proxies.map(({ bone, name }) => ({ bone, name })),
  }))
  for (const model of hmodelsOf(file.document)) {
    if (out.some((other) => other.name.toLowerCase() === model.name.toLowerCase())) continue
    out.push({
      name: model.name,
      file,
      hierarchyName: model.hierarchyName,
      shift: model.preRoot ? 1 : 0,
      lods: [model.connections.map(({ pivot, name }) => ({ bone: pivot, name: `${model.name}.${name}` }))],
      aggregates: [],
      proxies: [],
    })
  }
  const none = { hierarchyName: '', shift: 0, aggregates: [], proxies: [] }
  for (const model of lodModelsOf(file.document))
    out.push({ ...none, name: model.name, file, lods: model.lods.toReversed().map((lod) => [{ bone: 0, name: lod.name }]) })
  for (const aggregate of aggregatesOf(file.document)) out.push({ ...none, name: aggregate.name, file, lods: [], extends: aggregate })
  return out
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

function fixupsMatter(fixups: Fixups): boolean {
  const width = fixups.form === 'vector' ? 3 : 12
  for (let i = 0; i < fixups.values.length / width; i++) {
    const m = fixupMatrix(fixups, i)
    if (m?.some((v, k) => Math.abs(v - IDENTITY[k]) > 1e-5)) return true
  }
  return false
}
