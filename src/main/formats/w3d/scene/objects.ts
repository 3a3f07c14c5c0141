/** What the files of a model have, by name: skeletons, models made of parts, and the parts. */
import { aggregatesOf } from '../codecs/aggregate.ts'
import { boxesOf } from '../codecs/box.ts'
import { pathsOf } from '../codecs/chunk.ts'
import { hierarchiesOf } from '../codecs/hierarchy.ts'
import { hlodsOf } from '../codecs/hlod.ts'
import { hmodelsOf } from '../codecs/hmodel.ts'
import { lodModelsOf } from '../codecs/lod-model.ts'
import { meshesOf } from '../codecs/mesh.ts'
import { pointObjectsOf } from '../codecs/points.ts'
import type { Aggregate } from '../codecs/aggregate.ts'
import type { BoxView } from '../codecs/box.ts'
import type { Chunk } from '../codecs/chunk.ts'
import type { W3dDocument } from '../codecs/file.ts'
import type { Hierarchy } from '../codecs/hierarchy.ts'
import type { MeshView } from '../codecs/mesh.ts'
import type { PointObject } from '../codecs/points.ts'

export interface File {
  ref: string
  document: W3dDocument
  paths: ReadonlyMap<Chunk, string>
}

export function fileOf(ref: string, document: W3dDocument): File {
  return { ref, document, paths: pathsOf(document.chunks) }
}

/** HLOD, HMODEL, LODMODEL and AGGREGATE, made alike. */
export interface ModelObject {
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

export type RenderObject = { file: File } & (
  { kind: 'mesh'; mesh: MeshView } | { kind: 'box'; box: BoxView } | { kind: 'point'; point: PointObject }
)

/** By their names in lower case; of several with one name the first. */
export interface Objects {
  hierarchies: Map<string, { file: File; hierarchy: Hierarchy }>
  parts: Map<string, RenderObject>
  models: Map<string, ModelObject>
}

export function objectsOf(files: readonly File[]): Objects {
  const objects: Objects = { hierarchies: new Map(), parts: new Map(), models: new Map() }
  for (const file of files) index(objects, file)
  return objects
}

function index(objects: Objects, file: File): void {
  const { document } = file
  const put = <T>(map: Map<string, T>, name: string, value: T): void => {
    const key = name.toLowerCase()
    if (name && !map.has(key)) map.set(key, value)
  }
  for (const hierarchy of hierarchiesOf(document)) put(objects.hierarchies, hierarchy.name, { file, hierarchy })
  for (const mesh of meshesOf(document)) put(objects.parts, mesh.fullName, { kind: 'mesh', file, mesh })
  for (const box of boxesOf(document)) put(objects.parts, box.name, { kind: 'box', file, box })
  for (const point of pointObjectsOf(document)) put(objects.parts, point.name, { kind: 'point', file, point })
  for (const model of modelObjects(file)) put(objects.models, model.name, model)
}

/** What tells a part from all others. */
export function objectKey(object: RenderObject): string {
  const name = object.kind === 'mesh' ? object.mesh.fullName : object.kind === 'box' ? object.box.name : object.point.name
  return `${object.file.ref}#${name.toLowerCase()}`
}

export function modelObjects(file: File): ModelObject[] {
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
