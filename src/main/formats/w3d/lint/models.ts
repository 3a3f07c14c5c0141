/** What puts meshes, skeletons and other objects together: HLOD, HMODEL, levels of detail, aggregates. */
import { fix } from '../../lint.ts'
import { aggregatesOf } from '../codecs/aggregate.ts'
import { ID } from '../codecs/chunk-ids.ts'
import { containerOf, leafOf } from '../codecs/chunk.ts'
import { HLOD_HEADER, HLOD_SUB_OBJECT_ARRAY_HEADER, hlodsOf } from '../codecs/hlod.ts'
import { pivotName } from '../codecs/hierarchy.ts'
import { hmodelsOf } from '../codecs/hmodel.ts'
import { lodModelsOf } from '../codecs/lod-model.ts'
import { meshesOf } from '../codecs/mesh.ts'
import { above, chunksOn, nameEnds, type Scope } from './lookup.ts'
import { say } from '../texts/index.ts'
import type { Chunk, ContainerChunk } from '../codecs/chunk.ts'
import type { W3dDocument } from '../codecs/file.ts'
import type { Hierarchy } from '../codecs/hierarchy.ts'

export const FIX = {
  lodCount: fix<W3dDocument>(
    'w3d.lod-count',
    () => say('lint.fixes.count'),
    (document, { path }) => {
      const [hlod] = hlodsOf({ chunks: [above(document, path, ID.HLOD)] })
      if (hlod.header) hlod.header.lodCount = hlod.lods.length
    },
  ),
  subObjectCount: fix<W3dDocument>(
    'w3d.sub-object-count',
    () => say('lint.fixes.count'),
    (document, { path }) => {
      const array = chunksOn(document, path).findLast((c): c is ContainerChunk => c.kind === 'container')
      const header = leafOf(array, HLOD_SUB_OBJECT_ARRAY_HEADER)
      if (array && header) header.data.modelCount = array.children.filter((c) => c.kind === 'typed' && c.id === ID.HLOD_SUB_OBJECT).length
    },
  ),
}

export function models(scope: Scope): void {
  const named = new Set<string>()
  const hlods = hlodsOf(scope.document)
  for (const hlod of hlods) {
    const header = leafOf(hlod.chunk, HLOD_HEADER)
    if (!header) {
      scope.say('hlod-header', say('lint.noHlodHeader'), hlod.chunk)
      continue
    }
    nameEnds(scope, (told) => say('lint.nameFull.hlod', told), header.data.name, header, 'name', 8)
    if (header.data.lodCount !== hlod.lods.length)
      scope.say('lod-count', say('lint.lodCount', { count: header.data.lodCount, there: hlod.lods.length }), header, {
        path: 'lodCount',
        at: 4,
        fix: FIX.lodCount,
      })
    const hierarchy = hlod.hierarchyName ? scope.findHierarchy(hlod.hierarchyName) : undefined
    if (hlod.hierarchyName && !hierarchy)
      scope.say('hierarchy-missing', say('lint.skeletonMissing', { name: hlod.hierarchyName }), header, {
        path: 'hierarchyName',
        at: 24,
      })
    if (!hlod.hierarchyName && hlod.lods.some((lod) => lod.objects.some(({ bone }) => bone > 0)))
      scope.say('hlod-without-skeleton', say('lint.hlodNamesNone', { name: hlod.name }), header, { path: 'hierarchyName', at: 24 })
    if (hlod.lods.length < 1 || hlod.lods.length > 255) scope.say('lod-levels', say('lint.lodLevels', { count: hlod.lods.length }), header)
    if (hlod.lods.length > 1) {
      for (let i = 1; i < hlod.lods.length; i++)
        if (hlod.lods[i].modelCount >= 0 && hlod.lods[i].maxScreenSize < hlod.lods[i - 1].maxScreenSize)
          scope.say('lod-order', say('lint.lodOrder', { level: i, before: i - 1 }), hlod.lods[i].chunk)
    }
    for (const array of [...hlod.lods, ...arrays(hlod.chunk)]) {
      const arrayHeader = leafOf(array.chunk, HLOD_SUB_OBJECT_ARRAY_HEADER)
      if (arrayHeader && arrayHeader.data.modelCount !== array.objects.length)
        scope.say(
          'sub-object-count',
          say('lint.partCount', { count: arrayHeader.data.modelCount, there: array.objects.length }),
          arrayHeader,
          {
            path: 'modelCount',
            at: 0,
            fix: FIX.subObjectCount,
          },
        )
      for (const object of array.objects) {
        named.add(object.name.toLowerCase())
        checkPivot(scope, hierarchy, object.name, object.bone, object.bone, object.chunk, { path: 'boneIndex', at: 0 })
      }
    }
    const bones = new Map(
      hierarchy ? Array.from({ length: hierarchy.count }, (_, i) => [pivotName(hierarchy.pivots!.data, i).toLowerCase(), i]) : [],
    )
    for (const lod of hlod.lods)
      for (const object of lod.objects) {
        const place = { path: 'name', at: 4 }
        checkPart(scope, object.name, object.chunk, place)
        if (object.chunk.data.name.indexOf(0) < 0)
          scope.say(
            'sub-object-name-end',
            say('lint.subObjectEnd', { name: object.name, count: object.chunk.data.name.length }),
            object.chunk,
            place,
          )
        if (!object.name.includes('.')) scope.say('sub-object-name', say('lint.subObjectName', { name: object.name }), object.chunk, place)
        const bone = bones.get(object.name.slice(object.name.indexOf('.') + 1).toLowerCase())
        if (bone !== undefined && bone !== object.bone && !scope.isSkin(object.name))
          scope.say('mesh-name-bone', say('lint.meshNameBone', { name: object.name }), object.chunk, place)
      }
  }
  for (const model of hmodelsOf(scope.document)) {
    const hierarchy = model.hierarchyName ? scope.findHierarchy(model.hierarchyName) : undefined
    if (model.hierarchyName && !hierarchy)
      scope.say('hierarchy-missing', say('lint.skeletonMissing', { name: model.hierarchyName }), model.chunk)
    for (const connection of model.connections) {
      named.add(`${model.name}.${connection.name}`.toLowerCase())
      const pivot = connection.pivot + (model.preRoot && !hierarchy?.preRoot ? 1 : 0)
      checkPivot(scope, hierarchy, connection.name, connection.pivot, pivot, connection.chunk, { path: 'pivot', at: 16 })
      if (!scope.hasObject(`${model.name}.${connection.name}`)) checkPart(scope, connection.name, connection.chunk)
    }
  }
  for (const model of lodModelsOf(scope.document)) {
    for (const lod of model.lods) {
      named.add(lod.name.toLowerCase())
      checkPart(scope, lod.name, model.chunk)
    }
  }
  for (const aggregate of aggregatesOf(scope.document)) {
    for (const name of [aggregate.base, ...aggregate.objects.map((object) => object.name)])
      if (name) checkPart(scope, name, aggregate.chunk)
  }
  const any = hlods.length > 0 || hmodelsOf(scope.document).length > 0
  for (const mesh of meshesOf(scope.document)) {
    if (any && mesh.fullName && !named.has(mesh.fullName.toLowerCase()))
      scope.say('mesh-unused', say('lint.meshUnused', { name: mesh.fullName }), mesh.chunk)
    if (mesh.isSkin && !any) scope.say('skin-without-skeleton', say('lint.skinWithoutSkeleton', { name: mesh.fullName }), mesh.chunk)
  }
}

/** @param pivot as the file names it, @param number as the engine counts */
function checkPivot(
  scope: Scope,
  hierarchy: Hierarchy | undefined,
  name: string,
  pivot: number,
  number: number,
  chunk: Chunk,
  place: { path: string; at: number },
): void {
  if (hierarchy && number >= hierarchy.count)
    scope.say('bone-index', say('lint.boneIndex', { name, pivot, skeleton: hierarchy.name, count: hierarchy.count }), chunk, place)
}

function checkPart(scope: Scope, name: string, chunk: Chunk, place?: { path: string; at: number }): void {
  if (!scope.hasObject(name)) scope.say('sub-object-missing', say('lint.partMissing', { name }), chunk, place)
}

function arrays(hlod: ContainerChunk): { chunk: ContainerChunk; objects: { chunk: Chunk; bone: number; name: string }[] }[] {
  const [view] = hlodsOf({ chunks: [hlod] })
  const aggregates = containerOf(hlod, ID.HLOD_AGGREGATE_ARRAY)
  const proxies = containerOf(hlod, ID.HLOD_PROXY_ARRAY)
  return [
    ...(aggregates ? [{ chunk: aggregates, objects: view.aggregates }] : []),
    ...(proxies ? [{ chunk: proxies, objects: view.proxies }] : []),
  ]
}
