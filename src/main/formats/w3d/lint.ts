/**
 * What the games, or other tools, choke on. Rules with evidence from real files and from what users of other tools report; counts that do not
 * agree with what is there come with a fix.
 */
import { numberIn } from '../address.ts'
import { FormatError } from '../../binary/format-error.ts'
import { extensionOf, stemOf } from '../../../shared/ref.ts'
import { transformPoint } from '../../../shared/scene/matrix.ts'
import { AABTREE_HEADER, AABTREE_NODES, AABTREE_POLYINDICES } from './codecs/aabtree.ts'
import { aggregatesOf } from './codecs/aggregate.ts'
import { boxesOf } from './codecs/box.ts'
import { channelsIn, keysOf, pivotOf, propertyOf } from './codecs/channels.ts'
import { ID } from './codecs/chunk-ids.ts'
import { chunkAt, containerOf, containersOf, dataOf, leafOf, pathsOf } from './codecs/chunk.ts'
import { clipsOf, key } from './codecs/file.ts'
import {
  HIERARCHY_HEADER,
  PIVOTS,
  eulerOf,
  hierarchiesOf,
  pivotEuler,
  pivotName,
  pivotParent,
  pivotQuaternion,
  pivotTranslation,
  quaternionOf,
  restWorld,
} from './codecs/hierarchy.ts'
import { HLOD_HEADER, HLOD_SUB_OBJECT_ARRAY_HEADER, hlodsOf } from './codecs/hlod.ts'
import { hmodelsOf } from './codecs/hmodel.ts'
import { lodModelsOf } from './codecs/lod-model.ts'
import { MATERIAL_INFO, PRELIT, materialsIn, textureNamesIn } from './codecs/material.ts'
import { MESH_HEADER3, VERTEX_NORMALS, meshesOf, vertexInfluence } from './codecs/mesh.ts'
import { pointObjectsOf } from './codecs/points.ts'
import { shaderMeshNames } from './codecs/shader-mesh.ts'
import type { Diagnostic, Severity } from '../../../shared/api/errors.ts'
import type { Document, LintModel } from '../format.ts'
import type { Chunk, ContainerChunk } from './codecs/chunk.ts'
import type { W3dDocument } from './codecs/file.ts'
import type { Hierarchy } from './codecs/hierarchy.ts'
import type { MeshView } from './codecs/mesh.ts'

/** A header box may be off by rounding; more means that culling or picking will be wrong. */
const BOX_TOLERANCE = 1e-3
const MOST_PROBLEMS = 1000

type Fix = { id: string; label: string }

export function lint(document: Document, model: LintModel): Diagnostic[] {
  if (document.format !== 'w3d.file') return []
  return new Lint(document as W3dDocument, model).run()
}

class Lint {
  private readonly document: W3dDocument
  private readonly model: LintModel
  private readonly out: Diagnostic[] = []
  private readonly paths: ReadonlyMap<Chunk, string>
  private readonly folder: string
  /** what look-ups by name gave so far */
  private readonly skeletons = new Map<string, Hierarchy | undefined>()
  private ownObjects: Set<string> | undefined
  private skeletonNames: Map<string, string> | undefined

  constructor(document: W3dDocument, model: LintModel) {
    this.document = document
    this.model = model
    this.paths = pathsOf(document.chunks)
    this.folder = document.ref.slice(0, Math.max(0, document.ref.lastIndexOf('/'), document.ref.lastIndexOf('\\')))
  }

  run(): Diagnostic[] {
    for (const hierarchy of hierarchiesOf(this.document)) this.hierarchy(hierarchy)
    for (const mesh of meshesOf(this.document)) this.mesh(mesh)
    this.models()
    for (const clip of clipsOf(this.document)) this.clip(clip)
    return this.out.slice(0, MOST_PROBLEMS)
  }

  private say(severity: Severity, code: string, message: string, chunk: Chunk, more: { path?: string; at?: number; fix?: Fix } = {}): void {
    const base = this.paths.get(chunk) ?? ''
    this.out.push({
      severity,
      code: `w3d.${code}`,
      message,
      ref: this.document.ref,
      path: more.path ? `${base}.${more.path}` : base,
      offset: chunk.start < 0 ? -1 : chunk.start + (more.at === undefined ? 0 : 8 + more.at),
      ...(more.fix ? { fixes: [more.fix] } : {}),
    })
  }

  // --- skeletons ----------------------------------------------------------------------------------------------

  private hierarchy(h: Hierarchy): void {
    const { chunk, pivots, header } = h
    if (!header || !pivots) {
      this.say('error', 'hierarchy-incomplete', `the skeleton has no ${header ? 'pivots' : 'header'} that can be read`, chunk)
      return
    }
    const headerChunk = leafOf(chunk, HIERARCHY_HEADER)!
    this.name('the skeleton', header.name, headerChunk, 'name', 4)
    if (header.numPivots !== h.count)
      this.say('error', 'pivot-count', `the header counts ${header.numPivots} pivots, there are ${h.count}`, headerChunk, {
        path: 'numPivots',
        at: 20,
        fix: { id: 'w3d.pivot-count', label: 'Count anew' },
      })
    const names = new Map<string, number>()
    for (let i = 0; i < h.count; i++) {
      const at = i * PIVOTS.stride
      const path = `pivot[${i}]`
      const name = pivotName(pivots.data, i)
      const parent = pivotParent(pivots.data, i)
      if (pivots.data.bytes.subarray(at, at + 16).indexOf(0) < 0)
        this.say('warning', 'name-length', `the name ${name} fills all 16 bytes: games read 15`, pivots, { path: `${path}.name`, at })
      if (parent < 0 && i > 0 && !h.preRoot)
        this.say('error', 'second-root', `${name} has no parent: the engine wants one root, pivot 0`, pivots, {
          path: `${path}.parent`,
          at: at + 16,
        })
      if (parent >= i)
        this.say('error', 'pivot-parent', `the parent of ${name} is pivot ${parent}, which does not stand before it`, pivots, {
          path: `${path}.parent`,
          at: at + 16,
        })
      if (i === 0 && parent >= 0) this.say('error', 'root-parent', `pivot 0 has a parent`, pivots, { path: `${path}.parent`, at: 16 })
      const q = pivotQuaternion(pivots.data, i)
      const t = pivotTranslation(pivots.data, i)
      const length = Math.hypot(q[0], q[1], q[2], q[3])
      if (!(Math.abs(length - 1) < 1e-3))
        this.say('warning', 'pivot-quaternion', `the rotation of ${name} has the length ${Number(length.toPrecision(4))}, not 1`, pivots, {
          path: `${path}.quat`,
          at: at + 44,
          fix: { id: 'w3d.pivot-quaternion', label: 'Make it a rotation' },
        })
      else {
        // BFME's exporter leaves the angles at 0
        const angles = pivotEuler(pivots.data, i)
        const e = angles.some((v) => v !== 0) ? quaternionOf(angles) : q
        const dot = Math.abs(e[0] * q[0] + e[1] * q[1] + e[2] * q[2] + e[3] * q[3])
        if (!(dot > 0.998))
          this.say(
            'info',
            'pivot-euler',
            `the euler angles of ${name} are not those of its rotation; the engine does not read them`,
            pivots,
            { path: `${path}.euler`, at: at + 32, fix: { id: 'w3d.pivot-euler', label: 'Set them from the rotation' } },
          )
      }
      if (!t.every(Number.isFinite))
        this.say('error', 'pivot-translation', `the translation of ${name} is no number`, pivots, { path: `${path}.trans`, at: at + 20 })
      if (i === 0 && !h.preRoot && (t.some((v) => Math.abs(v) > 1e-6) || Math.abs(q[3]) < 0.999999))
        this.say('warning', 'root-transform', 'pivot 0 has a transform: the engine ignores it', pivots, { path: `${path}.trans`, at: 20 })
      const lower = name.toLowerCase()
      if (names.has(lower))
        this.say(
          'warning',
          'pivot-name-twice',
          `pivots ${names.get(lower)} and ${i} are both called ${name}: the game finds the first alone`,
          pivots,
          { path: `${path}.name`, at },
        )
      else names.set(lower, i)
    }
    const fixups = chunk.children.find((c) => c.id === ID.PIVOT_FIXUPS)
    if (fixups && h.fixups) {
      const width = h.fixups.form === 'vector' ? 3 : 12
      if (h.fixups.form === 'vector')
        this.say('info', 'fixup-vectors', 'fixups are vectors: the games and their exporter have matrices of 48 bytes', fixups)
      if (h.fixups.values.length !== width * h.count)
        this.say('warning', 'fixup-count', `${h.fixups.values.length / width} fixups for ${h.count} pivots`, fixups)
    }
  }

  private name(what: string, field: Uint8Array, chunk: Chunk, path: string, at: number): void {
    if (field.indexOf(0) < 0)
      this.say('warning', 'name-length', `the name of ${what} fills its ${field.length} bytes: games read ${field.length - 1}`, chunk, {
        path,
        at,
      })
  }

  // --- meshes -------------------------------------------------------------------------------------------------

  private mesh(mesh: MeshView): void {
    const { chunk, header } = mesh
    const headerChunk = leafOf(chunk, MESH_HEADER3)
    if (!header || !headerChunk) {
      this.say('error', 'mesh-header', 'the mesh has no header that can be read', chunk)
      return
    }
    const vertices = mesh.vertices.length / 3
    const triangles = mesh.triangles?.count ?? 0
    const name = mesh.fullName
    this.name(name, header.meshName, headerChunk, 'meshName', 8)
    this.name(`the container of ${name}`, header.containerName, headerChunk, 'containerName', 24)
    const counts: Fix = { id: 'w3d.mesh-counts', label: 'Count anew' }
    if (header.numVertices !== vertices)
      this.say('error', 'vertex-count', `the header counts ${header.numVertices} vertices, there are ${vertices}`, headerChunk, {
        path: 'numVertices',
        at: 44,
        fix: counts,
      })
    if (header.numTris !== triangles)
      this.say('error', 'triangle-count', `the header counts ${header.numTris} triangles, there are ${triangles}`, headerChunk, {
        path: 'numTris',
        at: 40,
        fix: counts,
      })
    const normals = leafOf(chunk, VERTEX_NORMALS)
    if (normals && normals.data.length !== mesh.vertices.length)
      this.say('error', 'normal-count', `${normals.data.length / 3} normals for ${vertices} vertices`, normals)
    if (!mesh.vertices.every(Number.isFinite))
      this.say('error', 'vertex-value', `${name} has vertices that are no numbers`, chunk, { path: 'vertices' })

    if (mesh.triangles) {
      const { u32 } = mesh.triangles
      let first = -1
      let bad = 0
      for (let t = 0; t < triangles; t++) {
        if (u32[8 * t] < vertices && u32[8 * t + 1] < vertices && u32[8 * t + 2] < vertices) continue
        if (first < 0) first = t
        bad++
      }
      const leaf = chunk.children.find((c) => c.id === ID.TRIANGLES)!
      if (bad)
        this.say('error', 'triangle-vertex', `${bad} triangles have vertices that the mesh does not have, the first is ${first}`, leaf, {
          path: `values[${first}]`,
          at: 32 * first,
        })
    }
    this.materials(mesh, chunk)
    for (const id of PRELIT) for (const wrapper of containersOf(chunk, id)) this.materials(mesh, wrapper)
    this.tree(mesh)
    for (const texture of textureNamesIn(chunk)) {
      const found = this.model.around
        .byStem(stemOf(texture.name), this.folder)
        .some((f) => f.kind === 'texture' || /^(dds|tga|png|jpe?g|bmp)$/.test(extensionOf(f.name)))
      if (!found) this.say('warning', 'texture-missing', `no file was found for texture ${texture.name}`, texture.chunk)
    }
    this.influences(mesh, headerChunk)
  }

  private materials(mesh: MeshView, parent: ContainerChunk): void {
    const set = materialsIn(parent)
    const vertices = mesh.vertices.length / 3
    const triangles = mesh.triangles?.count ?? 0
    const info = leafOf(parent, MATERIAL_INFO)
    if (info) {
      const real = {
        passCount: set.passes.length,
        vertexMaterialCount: set.vertexMaterials.length,
        shaderCount: set.shaders?.count ?? 0,
        textureCount: set.textures.length,
      }
      Object.entries(real).forEach(([field, count], i) => {
        const stored = info.data[field as keyof typeof real]
        if (stored !== count)
          this.say('error', 'material-count', `${field} is ${stored}, there are ${count}`, info, {
            path: field,
            at: 4 * i,
            fix: { id: 'w3d.material-count', label: 'Count anew' },
          })
      })
    }
    if (set.passes.length > 4) this.say('error', 'pass-count', `${set.passes.length} passes: the engine has room for 4`, parent)
    const range = (what: string, ids: Uint32Array, count: number, one: number, per: string, chunk: Chunk, none = false): void => {
      if (ids.length > 1 && ids.length !== one) this.say('warning', 'id-count', `${ids.length} ${what} numbers for ${one} ${per}`, chunk)
      const bad = ids.findIndex((id) => id >= count && !(none && id === 0xffffffff))
      if (bad >= 0) this.say('error', `${what.replaceAll(' ', '-')}-index`, `${what} ${ids[bad]} is used, there are ${count}`, chunk)
    }
    for (const pass of set.passes) {
      range('vertex material', pass.vertexMaterialIds, set.vertexMaterials.length, vertices, 'vertices', pass.chunk)
      range('shader', pass.shaderIds, set.shaders?.count ?? 0, triangles, 'triangles', pass.chunk)
      range('shader material', pass.shaderMaterialIds, set.shaderMaterials.length, triangles, 'triangles', pass.chunk)
      if (pass.stages.length > 2)
        this.say('error', 'stage-count', `${pass.stages.length} stages in a pass: the engine has room for 2`, pass.chunk)
      for (const stage of pass.stages) {
        range('texture', stage.textureIds, set.textures.length, triangles, 'triangles', pass.chunk, true)
        if (stage.texcoords.length && stage.texcoords.length !== 2 * vertices)
          this.say('warning', 'texcoord-count', `${stage.texcoords.length / 2} texture coordinates for ${vertices} vertices`, pass.chunk)
      }
      if (pass.colors.length && pass.colors.length !== 4 * vertices)
        this.say('warning', 'color-count', `${pass.colors.length / 4} vertex colours for ${vertices} vertices`, pass.chunk)
    }
  }

  private tree(mesh: MeshView): void {
    const tree = containerOf(mesh.chunk, ID.AABTREE)
    const header = leafOf(tree, AABTREE_HEADER)
    if (!tree || !header) return
    const nodes = dataOf(tree, AABTREE_NODES)?.count ?? 0
    const polys = dataOf(tree, AABTREE_POLYINDICES) ?? new Uint32Array(0)
    const triangles = mesh.triangles?.count ?? 0
    if (header.data.nodeCount !== nodes || header.data.polyCount !== polys.length)
      this.say(
        'error',
        'tree-count',
        `the collision tree counts ${header.data.nodeCount} nodes and ${header.data.polyCount} triangles, there are ${nodes} and ${polys.length}`,
        header,
      )
    if (polys.some((p) => p >= triangles))
      this.say('error', 'tree-triangle', 'the collision tree has triangles that the mesh does not have', tree)
  }

  private influences(mesh: MeshView, headerChunk: Chunk): void {
    const { header, influences } = mesh
    const leaf = mesh.chunk.children.find((c) => c.id === ID.VERTEX_INFLUENCES)
    const vertices = mesh.vertices.length / 3
    if (!mesh.isSkin || !influences || !header) {
      if (!mesh.isSkin && leaf) this.say('info', 'influences-unused', `${mesh.fullName} has influences, and is no skin`, leaf)
      if (!mesh.isSkin) this.box(mesh, (v, p) => p.set(mesh.vertices.subarray(3 * v, 3 * v + 3)), headerChunk, true)
      return
    }
    if (influences.table.count !== vertices)
      this.say('error', 'influence-count', `${influences.table.count} influences for ${vertices} vertices`, leaf!)
    const hierarchy = this.hierarchyFor(mesh)
    let sums = 0
    let firstSum = -1
    let second = 0
    if (influences.twoBone || header.version >>> 16 >= 5) {
      for (let v = 0; v < influences.table.count; v++) {
        const w0 = influences.table.u16[4 * v + 2]
        const w1 = influences.table.u16[4 * v + 3]
        if (w0 + w1 !== 0 && w0 + w1 !== 100) {
          sums++
          if (firstSum < 0) firstSum = v
        }
        if (w1 > 0 && influences.twoBone && influences.vertices2.length < 3 * v + 3) second++
      }
    }
    if (sums)
      this.say('warning', 'weight-sum', `the weights of ${sums} vertices do not sum to 100, the first is ${firstSum}`, leaf!, {
        path: `values[${firstSum}]`,
        at: 8 * firstSum,
      })
    if (second)
      this.say('error', 'second-stream-missing', `${second} vertices have two bones, but no place in the second one's space`, leaf!)
    if (!hierarchy) return
    const count = hierarchy.count
    const one = [0, 0, 0, 0]
    let bad = 0
    let first = -1
    for (let v = 0; v < influences.table.count; v++) {
      vertexInfluence(influences, v, one)
      if (one[0] < count && (one[3] === 0 || one[2] < count)) continue
      if (first < 0) first = v
      bad++
    }
    if (bad) {
      this.say(
        'error',
        'influence-bone',
        `${bad} vertices of ${mesh.fullName} hang on bones that ${hierarchy.name} does not have (${count} pivots), the first is ${first}`,
        leaf!,
        { path: `values[${first}]`, at: 8 * first },
      )
      return
    }
    const world = restWorld(hierarchy)
    this.box(
      mesh,
      (v, p) =>
        transformPoint(
          p,
          0,
          world,
          16 * influences.table.u16[4 * v],
          mesh.vertices[3 * v],
          mesh.vertices[3 * v + 1],
          mesh.vertices[3 * v + 2],
        ),
      headerChunk,
      this.own(hierarchy),
    )
  }

  /** The header's box against the vertices at rest. */
  private box(mesh: MeshView, place: (v: number, out: Float32Array) => void, headerChunk: Chunk, fixable: boolean): void {
    const vertices =
      mesh.influences && mesh.isSkin ? Math.min(mesh.influences.table.count, mesh.vertices.length / 3) : mesh.vertices.length / 3
    if (vertices === 0 || !mesh.header) return
    const { min, max } = mesh.header
    const p = new Float32Array(3)
    const low = [Infinity, Infinity, Infinity]
    const high = [-Infinity, -Infinity, -Infinity]
    for (let v = 0; v < vertices; v++) {
      place(v, p)
      for (let c = 0; c < 3; c++) {
        low[c] = Math.min(low[c], p[c])
        high[c] = Math.max(high[c], p[c])
      }
    }
    const size = Math.max(1, high[0] - low[0], high[1] - low[1], high[2] - low[2])
    const off = Math.max(...[0, 1, 2].map((c) => Math.max(Math.abs(low[c] - min[c]), Math.abs(high[c] - max[c]))))
    if (!(off <= BOX_TOLERANCE * size)) {
      this.say(
        'warning',
        'mesh-box',
        `the box in the header of ${mesh.fullName} is up to ${Number(off.toPrecision(3))} off its vertices at rest`,
        headerChunk,
        { path: 'min', at: 76, ...(fixable ? { fix: { id: 'w3d.mesh-box', label: 'Measure anew' } } : {}) },
      )
    }
  }

  // --- models -------------------------------------------------------------------------------------------------

  private own(hierarchy: Hierarchy): boolean {
    return this.paths.has(hierarchy.chunk)
  }

  /** A skeleton by name: in this file, in the model, in the library. */
  private findHierarchy(name: string): Hierarchy | undefined {
    const lower = name.toLowerCase()
    if (!this.skeletons.has(lower)) this.skeletons.set(lower, this.searchHierarchy(name))
    return this.skeletons.get(lower)
  }

  private searchHierarchy(name: string): Hierarchy | undefined {
    const same = (h: Hierarchy): boolean => h.name.toLowerCase() === name.toLowerCase()
    const own = hierarchiesOf(this.document).find(same)
    if (own) return own
    const refs = [
      ...(this.model.binding?.members.filter((m) => m.role !== 'textures').map((m) => m.ref) ?? []),
      ...this.model.around.providing(key.hierarchy(name), this.folder).map((f) => f.ref),
    ]
    for (const ref of refs) {
      const document = this.model.load(ref) ?? this.model.around.document(ref)
      const found = document?.format === 'w3d.file' ? hierarchiesOf(document as W3dDocument).find(same) : undefined
      if (found) return found
    }
    return undefined
  }

  /** Skeleton of the HLOD or HMODEL that names a mesh. */
  private hierarchyFor(mesh: MeshView): Hierarchy | undefined {
    if (!this.skeletonNames) {
      this.skeletonNames = new Map()
      for (const model of hmodelsOf(this.document))
        for (const c of model.connections) this.skeletonNames.set(`${model.name}.${c.name}`.toLowerCase(), model.hierarchyName)
      for (const hlod of hlodsOf(this.document))
        for (const lod of hlod.lods) for (const o of lod.objects) this.skeletonNames.set(o.name.toLowerCase(), hlod.hierarchyName)
    }
    const name = this.skeletonNames.get(mesh.fullName.toLowerCase())
    return name ? this.findHierarchy(name) : undefined
  }

  private hasObject(name: string): boolean {
    if (!this.ownObjects) {
      const names = new Set(meshesOf(this.document).map((m) => m.fullName.toLowerCase()))
      for (const { name } of [
        ...boxesOf(this.document),
        ...pointObjectsOf(this.document),
        ...aggregatesOf(this.document),
        ...lodModelsOf(this.document),
      ])
        names.add(name.toLowerCase())
      for (const name of shaderMeshNames(this.document)) names.add(name.toLowerCase())
      this.ownObjects = names
    }
    if (this.ownObjects.has(name.toLowerCase())) return true
    const { around } = this.model
    return around.providing(key.object(name), this.folder).length > 0 || around.providing(key.model(name), this.folder).length > 0
  }

  private models(): void {
    const named = new Set<string>()
    const hlods = hlodsOf(this.document)
    for (const hlod of hlods) {
      const header = leafOf(hlod.chunk, HLOD_HEADER)
      if (!header) {
        this.say('error', 'hlod-header', 'the HLOD has no header that can be read', hlod.chunk)
        continue
      }
      this.name('the HLOD', header.data.name, header, 'name', 8)
      if (header.data.lodCount !== hlod.lods.length)
        this.say(
          'error',
          'lod-count',
          `the header counts ${header.data.lodCount} levels of detail, there are ${hlod.lods.length}`,
          header,
          { path: 'lodCount', at: 4, fix: { id: 'w3d.lod-count', label: 'Count anew' } },
        )
      const hierarchy = hlod.hierarchyName ? this.findHierarchy(hlod.hierarchyName) : undefined
      if (hlod.hierarchyName && !hierarchy)
        this.say('warning', 'hierarchy-missing', `no file with the skeleton ${hlod.hierarchyName} was found`, header, {
          path: 'hierarchyName',
          at: 24,
        })
      if (hlod.lods.length > 1) {
        for (let i = 1; i < hlod.lods.length; i++)
          if (hlod.lods[i].modelCount >= 0 && hlod.lods[i].maxScreenSize < hlod.lods[i - 1].maxScreenSize)
            this.say(
              'warning',
              'lod-order',
              `level ${i} ends at a smaller size on screen than level ${i - 1}: level 0 is the lowest detail`,
              hlod.lods[i].chunk,
            )
      }
      for (const array of [...hlod.lods, ...this.arrays(hlod.chunk)]) {
        const arrayHeader = leafOf(array.chunk, HLOD_SUB_OBJECT_ARRAY_HEADER)
        if (arrayHeader && arrayHeader.data.modelCount !== array.objects.length)
          this.say(
            'error',
            'sub-object-count',
            `the header counts ${arrayHeader.data.modelCount} parts, there are ${array.objects.length}`,
            arrayHeader,
            { path: 'modelCount', at: 0, fix: { id: 'w3d.sub-object-count', label: 'Count anew' } },
          )
        for (const object of array.objects) {
          named.add(object.name.toLowerCase())
          if (hierarchy && object.bone >= hierarchy.count)
            this.say(
              'error',
              'bone-index',
              `${object.name} hangs on pivot ${object.bone}, ${hierarchy.name} has ${hierarchy.count}`,
              object.chunk,
              { path: 'boneIndex', at: 0 },
            )
        }
      }
      for (const lod of hlod.lods)
        for (const object of lod.objects)
          if (!this.hasObject(object.name))
            this.say('warning', 'sub-object-missing', `no file with the part ${object.name} was found`, object.chunk, {
              path: 'name',
              at: 4,
            })
    }
    for (const model of hmodelsOf(this.document)) {
      const hierarchy = model.hierarchyName ? this.findHierarchy(model.hierarchyName) : undefined
      if (model.hierarchyName && !hierarchy)
        this.say('warning', 'hierarchy-missing', `no file with the skeleton ${model.hierarchyName} was found`, model.chunk)
      for (const connection of model.connections) {
        named.add(`${model.name}.${connection.name}`.toLowerCase())
        const pivot = connection.pivot + (model.preRoot && !hierarchy?.preRoot ? 1 : 0)
        if (hierarchy && pivot >= hierarchy.count)
          this.say(
            'error',
            'bone-index',
            `${connection.name} hangs on pivot ${connection.pivot}, ${hierarchy.name} has ${hierarchy.count}`,
            connection.chunk,
            { path: 'pivot', at: 16 },
          )
        if (!this.hasObject(`${model.name}.${connection.name}`) && !this.hasObject(connection.name))
          this.say('warning', 'sub-object-missing', `no file with the part ${connection.name} was found`, connection.chunk)
      }
    }
    for (const model of lodModelsOf(this.document)) {
      for (const lod of model.lods) {
        named.add(lod.name.toLowerCase())
        if (!this.hasObject(lod.name)) this.say('warning', 'sub-object-missing', `no file with the part ${lod.name} was found`, model.chunk)
      }
    }
    for (const aggregate of aggregatesOf(this.document)) {
      for (const name of [aggregate.base, ...aggregate.objects.map((object) => object.name)])
        if (name && !this.hasObject(name))
          this.say('warning', 'sub-object-missing', `no file with the part ${name} was found`, aggregate.chunk)
    }
    const any = hlods.length > 0 || hmodelsOf(this.document).length > 0
    for (const mesh of meshesOf(this.document)) {
      if (any && mesh.fullName && !named.has(mesh.fullName.toLowerCase()))
        this.say('warning', 'mesh-unused', `no HLOD names ${mesh.fullName}: the game does not show it`, mesh.chunk)
      if (mesh.isSkin && !any)
        this.say('warning', 'skin-without-skeleton', `${mesh.fullName} is a skin, and no HLOD gives it a skeleton`, mesh.chunk)
    }
  }

  private arrays(hlod: ContainerChunk): { chunk: ContainerChunk; objects: { chunk: Chunk; bone: number; name: string }[] }[] {
    const [view] = hlodsOf({ chunks: [hlod] })
    const aggregates = containerOf(hlod, ID.HLOD_AGGREGATE_ARRAY)
    const proxies = containerOf(hlod, ID.HLOD_PROXY_ARRAY)
    return [
      ...(aggregates ? [{ chunk: aggregates, objects: view.aggregates }] : []),
      ...(proxies ? [{ chunk: proxies, objects: view.proxies }] : []),
    ]
  }

  // --- animations ---------------------------------------------------------------------------------------------

  private clip(clip: ReturnType<typeof clipsOf>[number]): void {
    const hierarchy = clip.hierarchyName ? this.findHierarchy(clip.hierarchyName) : undefined
    if (!clip.hierarchyName) this.say('error', 'animation-skeleton', `the animation ${clip.name} names no skeleton`, clip.chunk)
    else if (!hierarchy)
      this.say(
        'warning',
        'hierarchy-missing',
        `no file with the skeleton ${clip.hierarchyName} of the animation ${clip.name} was found`,
        clip.chunk,
      )
    if (clip.rate < 1) this.say('error', 'frame-rate', `the animation ${clip.name} has a frame rate of ${clip.rate}`, clip.chunk)
    if (clip.frames < 1) this.say('error', 'frame-count', `the animation ${clip.name} has no frames`, clip.chunk)
    const count = hierarchy?.count ?? Infinity
    const seen = new Set<string>()
    for (const channel of channelsIn(clip.chunk)) {
      const { chunk } = channel
      const pivot = pivotOf(channel)
      const property = propertyOf(channel)
      if (pivot >= count)
        this.say(
          'warning',
          'channel-pivot',
          `the channel moves pivot ${pivot}, ${clip.hierarchyName} has ${count}: the game drops it, some tools fail`,
          chunk,
          { path: 'pivot', fix: { id: 'w3d.channel-drop', label: 'Remove the channel' } },
        )
      if (property === 'unknown') this.say('info', 'channel-unknown', 'nobody knows what this channel moves', chunk)
      else if (seen.has(`${pivot} ${property}`)) this.say('warning', 'channel-twice', `pivot ${pivot} has two ${property} channels`, chunk)
      seen.add(`${pivot} ${property}`)
      if (channel.coding === 'raw') {
        const { data } = channel.chunk
        const wanted = (data.lastFrame - data.firstFrame + 1) * data.vectorLen
        if (data.lastFrame < data.firstFrame)
          this.say(
            'error',
            'channel-frames',
            `the channel ends at frame ${data.lastFrame}, before it begins at ${data.firstFrame}`,
            chunk,
            { path: 'lastFrame', at: 2 },
          )
        else if (data.values.length < wanted)
          this.say('error', 'channel-short', `the channel has ${data.values.length} of ${wanted} values`, chunk)
        if (chunk.tail.length >= 4)
          this.say(
            'info',
            'channel-tail',
            `${chunk.tail.length} bytes behind the values: an old exporter's mistake that the games skip`,
            chunk,
          )
      } else if (channel.coding === 'bits') {
        const { data } = channel.chunk
        if (data.bits.length * 8 < data.lastFrame - data.firstFrame + 1)
          this.say(
            'error',
            'channel-short',
            `the channel has bits for ${data.bits.length * 8} of ${data.lastFrame - data.firstFrame + 1} frames`,
            chunk,
          )
      }
      const keys = keysOf(channel)
      this.keys(channel.coding, keys, clip.frames, property, chunk)
    }
  }

  private keys(coding: string, keys: ReturnType<typeof keysOf>, frames: number, property: string, chunk: Chunk): void {
    const { times, values, width } = keys
    if (coding === 'adaptive' || coding === 'motion 4 bit' || coding === 'motion 8 bit') {
      if (times.length + 16 <= frames || times.length === 0)
        this.say('error', 'channel-short', `the channel has blocks for ${times.length} of ${frames} frames`, chunk)
    } else if (coding !== 'raw' && coding !== 'bits') {
      const disorder = times.findIndex((t, k) => k > 0 && t <= times[k - 1])
      if (times.length === 0) this.say('error', 'channel-empty', 'the channel has no keys', chunk)
      else if (disorder > 0)
        this.say('error', 'key-order', `key ${disorder} at frame ${times[disorder]} does not come after the key before it`, chunk)
      else if (coding === 'time-coded' && (times[0] !== 0 || (frames > 1 && times.length > 1 && times[times.length - 1] !== frames - 1)))
        this.say(
          'info',
          'key-range',
          `keys go from frame ${times[0]} to ${times[times.length - 1]}, the animation from 0 to ${frames - 1}`,
          chunk,
        )
    }
    if (!values.every(Number.isFinite)) this.say('error', 'channel-value', 'the channel has values that are no numbers', chunk)
    else if (property === 'rotation') {
      // deltas drift: the games make them unit again
      const tolerance = coding.startsWith('motion') || coding === 'adaptive' ? 0.05 : 0.01
      for (let k = 0; k < times.length; k++) {
        const length = Math.hypot(values[k * width], values[k * width + 1], values[k * width + 2], values[k * width + 3])
        if (Math.abs(length - 1) <= tolerance) continue
        this.say(
          'warning',
          'channel-quaternion',
          `the rotation at frame ${times[k]} has the length ${Number(length.toPrecision(4))}, not 1`,
          chunk,
        )
        break
      }
    }
  }
}

// --- fixes ----------------------------------------------------------------------------------------------------

/** The chunk that a diagnostic is about, and the chunks above it, innermost last. */
function chunksOn(document: Document, path: string): Chunk[] {
  const { chunks } = document as W3dDocument
  const parts = path.split('.')
  const out: Chunk[] = []
  for (let n = 1; n <= parts.length; n++) {
    const found = chunkAt(chunks, parts.slice(0, n).join('.'))
    if (!found) break
    out.push(found.chunk)
  }
  return out
}

function above(document: Document, path: string, id: number): ContainerChunk {
  const found = chunksOn(document, path).findLast((c): c is ContainerChunk => c.kind === 'container' && c.id === id)
  if (!found) throw new FormatError('not-found', `${path} is not there any more`)
  return found
}

function pivotIn(document: Document, path: string): { hierarchy: Hierarchy; pivot: number } {
  const chunk = above(document, path, ID.HIERARCHY)
  const hierarchy = hierarchiesOf({ chunks: [chunk] })[0]
  const pivot = numberIn(path, 'pivot') ?? -1
  if (!hierarchy.pivots || pivot < 0 || pivot >= hierarchy.count) throw new FormatError('not-found', `${path} is not there any more`)
  return { hierarchy, pivot }
}

export const fixes: Readonly<Record<string, (document: Document, diagnostic: Diagnostic) => void>> = {
  'w3d.pivot-count'(document, { path }) {
    const [hierarchy] = hierarchiesOf({ chunks: [above(document, path, ID.HIERARCHY)] })
    if (hierarchy.header) hierarchy.header.numPivots = hierarchy.count
  },
  'w3d.pivot-quaternion'(document, { path }) {
    const { hierarchy, pivot } = pivotIn(document, path)
    const q = pivotQuaternion(hierarchy.pivots!.data, pivot)
    const length = Math.hypot(q[0], q[1], q[2], q[3])
    // where nothing can be made of it, the exporter's angles may still say what was meant
    q.set(
      length > 1e-6 && Number.isFinite(length)
        ? Array.from(q, (v) => v / length)
        : quaternionOf(Array.from(pivotEuler(hierarchy.pivots!.data, pivot), (v) => (Number.isFinite(v) ? v : 0))),
    )
  },
  'w3d.pivot-euler'(document, { path }) {
    const { hierarchy, pivot } = pivotIn(document, path)
    pivotEuler(hierarchy.pivots!.data, pivot).set(eulerOf(pivotQuaternion(hierarchy.pivots!.data, pivot)))
  },
  'w3d.mesh-counts'(document, { path }) {
    const [mesh] = meshesOf({ chunks: [above(document, path, ID.MESH)] })
    if (!mesh.header) return
    mesh.header.numVertices = mesh.vertices.length / 3
    mesh.header.numTris = mesh.triangles?.count ?? 0
  },
  'w3d.material-count'(document, { path }) {
    const parent = chunksOn(document, path).findLast((c): c is ContainerChunk => c.kind === 'container')
    const set = parent && materialsIn(parent)
    if (!set?.info) return
    set.info.passCount = set.passes.length
    set.info.vertexMaterialCount = set.vertexMaterials.length
    set.info.shaderCount = set.shaders?.count ?? 0
    set.info.textureCount = set.textures.length
  },
  'w3d.mesh-box'(document, { path }) {
    const [mesh] = meshesOf({ chunks: [above(document, path, ID.MESH)] })
    const { header } = mesh
    if (!header) return
    let world: Float64Array | undefined
    if (mesh.isSkin) {
      const name = mesh.fullName.toLowerCase()
      const model = hlodsOf(document as W3dDocument).find((hlod) =>
        hlod.lods.some((lod) => lod.objects.some((o) => o.name.toLowerCase() === name)),
      )
      const hierarchy = hierarchiesOf(document as W3dDocument).find((h) => h.name.toLowerCase() === model?.hierarchyName.toLowerCase())
      if (!hierarchy) throw new FormatError('invalid-edit', 'the skeleton of the skin is in another file')
      world = restWorld(hierarchy)
    }
    const p = new Float32Array(3)
    const low = [Infinity, Infinity, Infinity]
    const high = [-Infinity, -Infinity, -Infinity]
    for (let v = 0; v < mesh.vertices.length / 3; v++) {
      if (world)
        transformPoint(
          p,
          0,
          world,
          16 * mesh.influences!.table.u16[4 * v],
          mesh.vertices[3 * v],
          mesh.vertices[3 * v + 1],
          mesh.vertices[3 * v + 2],
        )
      else p.set(mesh.vertices.subarray(3 * v, 3 * v + 3))
      for (let c = 0; c < 3; c++) {
        low[c] = Math.min(low[c], p[c])
        high[c] = Math.max(high[c], p[c])
      }
    }
    header.min.set(low)
    header.max.set(high)
  },
  'w3d.lod-count'(document, { path }) {
    const [hlod] = hlodsOf({ chunks: [above(document, path, ID.HLOD)] })
    if (hlod.header) hlod.header.lodCount = hlod.lods.length
  },
  'w3d.sub-object-count'(document, { path }) {
    const array = chunksOn(document, path).findLast((c): c is ContainerChunk => c.kind === 'container')
    const header = leafOf(array, HLOD_SUB_OBJECT_ARRAY_HEADER)
    if (array && header) header.data.modelCount = array.children.filter((c) => c.kind === 'typed' && c.id === ID.HLOD_SUB_OBJECT).length
  },
  'w3d.channel-drop'(document, { path }) {
    const found = chunksOn(document, path)
    const [parent, channel] = found.slice(-2)
    if (parent?.kind !== 'container' || !channel) throw new FormatError('not-found', `${path} is not there any more`)
    parent.children.splice(parent.children.indexOf(channel), 1)
  },
}
