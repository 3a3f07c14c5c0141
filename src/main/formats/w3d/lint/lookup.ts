/** What rules look up by name, and the parts of a document that a finding is about. */
import { folderOf } from '../../../../shared/ref.ts'
import { notFound } from '../../address.ts'
import { aggregatesOf } from '../codecs/aggregate.ts'
import { boxesOf } from '../codecs/box.ts'
import { chunkAt, pathsOf } from '../codecs/chunk.ts'
import { key } from '../codecs/file.ts'
import { hierarchiesOf } from '../codecs/hierarchy.ts'
import { hlodsOf } from '../codecs/hlod.ts'
import { hmodelsOf } from '../codecs/hmodel.ts'
import { lodModelsOf } from '../codecs/lod-model.ts'
import { meshesOf } from '../codecs/mesh.ts'
import { pointObjectsOf } from '../codecs/points.ts'
import { shaderMeshNames } from '../codecs/shader-mesh.ts'
import { say } from '../texts/index.ts'
import type { Report, RuleId } from '../rules.ts'
import type { LintModel } from '../../family.ts'
import type { Document } from '../../format.ts'
import type { Fix } from '../../lint.ts'
import type { Chunk, ContainerChunk } from '../codecs/chunk.ts'
import type { ClipInfo, W3dDocument } from '../codecs/file.ts'
import type { Hierarchy } from '../codecs/hierarchy.ts'
import type { MeshView } from '../codecs/mesh.ts'

/** A file and what stands around it: what was looked up once is remembered for all rules. */
export class Scope {
  readonly document: W3dDocument
  readonly model: LintModel
  readonly folder: string
  private readonly report: Report
  private readonly paths: ReadonlyMap<Chunk, string>
  /** what look-ups by name gave so far */
  private readonly skeletons = new Map<string, Hierarchy | undefined>()
  /** pictures that were said to be stretched */
  readonly stretched = new Set<string>()
  private ownObjects: Set<string> | undefined
  private skeletonNames: Map<string, string> | undefined

  constructor(document: W3dDocument, report: Report, model: LintModel) {
    this.document = document
    this.report = report
    this.model = model
    this.paths = pathsOf(document.chunks)
    this.folder = folderOf(document.ref)
  }

  /**
   * @param more.path of the field below the chunk
   * @param more.at offset of the field in the chunk's payload
   * @param more.hint for what is less bad than the rule at its worst
   */
  say(rule: RuleId, message: string, chunk: Chunk, more: { path?: string; at?: number; fix?: Fix; hint?: boolean } = {}): void {
    const base = this.paths.get(chunk) ?? ''
    const found = [
      rule,
      message,
      more.path ? `${base}.${more.path}` : base,
      chunk.start < 0 ? -1 : chunk.start + (more.at === undefined ? 0 : 8 + more.at),
      ...(more.fix ? [more.fix] : []),
    ] as const
    if (more.hint) this.report.as('info', ...found)
    else this.report.say(...found)
  }

  /** Whether a clip, or another of its skeleton, is coded as only The Battle for Middle-earth has it. */
  ofBfme(clip: ClipInfo): boolean {
    return (
      clip.motion || (clip.hierarchyName !== '' && this.model.around.providing(key.motionOf(clip.hierarchyName), this.folder).length > 0)
    )
  }

  own(hierarchy: Hierarchy): boolean {
    return this.paths.has(hierarchy.chunk)
  }

  /** A skeleton by name: in this file, in the model, in the library. */
  findHierarchy(name: string): Hierarchy | undefined {
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
  hierarchyFor(mesh: MeshView): Hierarchy | undefined {
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

  /** Whether a mesh of this file by the whole name is a skin. */
  isSkin(name: string): boolean {
    return meshesOf(this.document).some((m) => m.isSkin && m.fullName.toLowerCase() === name.toLowerCase())
  }

  hasObject(name: string): boolean {
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
}

/** A name field ends within its bytes. @param message of the finding, told how many bytes it fills and how many games read */
export function nameEnds(
  scope: Scope,
  message: (told: { count: number; read: number }) => string,
  field: Uint8Array,
  chunk: Chunk,
  path: string,
  at: number,
): void {
  if (field.indexOf(0) < 0) scope.say('name-length', message({ count: field.length, read: field.length - 1 }), chunk, { path, at })
}

/** The chunk that a diagnostic is about, and the chunks above it, innermost last. */
export function chunksOn(document: Document, path: string): Chunk[] {
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

export function above(document: Document, path: string, id: number): ContainerChunk {
  const found = chunksOn(document, path).findLast((c): c is ContainerChunk => c.kind === 'container' && c.id === id)
  if (!found) notFound(say('lint.missing.chunk', { path }))
  return found
}
