/** What W3D says of a material of the scene: its vertex material, the shaders and textures that stand with it in the passes, two sides of the mesh. */
import { materialAt, parentPath } from '../../address.ts'
import { chunkAt, pathsOf } from '../codecs/chunk.ts'
import { materialSetOf } from '../scene/materials.ts'
import type { ContainerChunk } from '../codecs/chunk.ts'
import type { W3dDocument } from '../codecs/file.ts'
import type { FieldPlace, MaterialEditor } from '../../editing.ts'

/** Shaders and textures that are told of one material: where triangles choose among more, the structure has all of them. */
const MOST = 4

export const materials: MaterialEditor = {
  places(model, material) {
    const { ref, path } = materialAt(model, material).source
    const document = model.document(ref) as W3dDocument | undefined
    if (!document || document.format !== 'w3d.file' || !path) return []
    const places: FieldPlace[] = [{ ref, path }]
    const meshPath = path.split('.')[0]
    const mesh = chunkAt(document.chunks, meshPath)?.chunk
    if (mesh?.kind !== 'container') return places
    const paths = pathsOf(document.chunks)
    const set = materialSetOf(mesh)
    const number = set.vertexMaterials.findIndex(({ chunk }) => paths.get(chunk) === path)
    const passes = set.passes.filter(({ vertexMaterialIds: ids }) => number < 0 || ids.length !== 1 || ids[0] === number)
    const used = (ids: Iterable<number>, count: number): number[] => [...new Set(ids)].filter((id) => id < count).slice(0, MOST)
    const container = number < 0 ? '' : parentPath(parentPath(path))
    if (container)
      for (const id of used(
        passes.flatMap(({ shaderIds }) => [...new Set(shaderIds)]),
        set.shaders?.count ?? 0,
      ))
        places.push({ ref, path: `${container}.shaders.shader[${id}]` })
    const ids = passes.flatMap(({ stages }) => stages.flatMap(({ textureIds }) => [...new Set(textureIds)]))
    for (const id of used(ids, set.textures.length)) places.push({ ref, path: pathOf(set.textures[id].chunk, paths) })
    places.push({ ref, path: `${meshPath}.header.attributes.twoSided` })
    return places
  },
}

const pathOf = (chunk: ContainerChunk, paths: ReadonlyMap<unknown, string>): string => paths.get(chunk) ?? ''
