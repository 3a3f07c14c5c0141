/** Skinned meshes of a glTF file: what their vertices are matched and weighted by. Nothing of it is drawn. */
import type { Accessor, GLTF } from '@gltf-transform/core'
import { say } from '../../shared/texts/say.ts'

/** One node with a mesh and a skin; vertices of all its primitives, each once. */
export interface GltfMesh {
  /** names of the node and of its mesh */
  names: string[]
  /** 3 per vertex, in the space that the skin is bound in */
  positions: Float32Array
  /** 3 and 2 per vertex; empty where a primitive has none */
  normals: Float32Array
  uvs: Float32Array
  /** the game's numbers of the vertices, as an export gives them on wish; empty where the file does not have them */
  numbers: Float32Array
  /** nodes of the influences of vertex v and their weights: `width` of each from v * width on; -1 for none */
  joints: Int32Array
  weights: Float32Array
  width: number
  /** three vertices per triangle, in file order */
  corners: Uint32Array
  /** how far a stored weight may be from what was meant */
  rounding: number
}

/** Accessors of a primitive that stand in the file, by what they are. */
type PrimitiveRefs = Partial<Record<'POSITION' | 'NORMAL' | 'TEXCOORD_0' | '_MARROW_VERTEX', number>> & {
  position: number
  indices?: number
  sets: { joints: number; weights: number }[]
}

export interface MeshRefs {
  names: string[]
  skinJoints: number[]
  primitives: PrimitiveRefs[]
}

/** Rounding of weights by the type that they are stored in. */
const ROUNDING: Record<number, number> = { 5121: 0.5 / 255, 5123: 0.5 / 65_535 }
const FLOAT_ROUNDING = 2e-5
const MOST_PRIMITIVES = 10_000
/** Vertices and corners of all meshes of a file: several nodes may have one mesh. */
const MOST_VERTICES = 2 ** 21
const MOST_CORNERS = 2 ** 23

/** @param accessor keeps an accessor of the file and gives its new number; throws where it cannot be read */
export function meshRefs(json: GLTF.IGLTF, accessor: (index: number, path: string) => number, left: string[]): MeshRefs[] {
  const { nodes, meshes, skins } = json
  if (!Array.isArray(nodes) || !Array.isArray(meshes) || !Array.isArray(skins)) return []
  let primitivesSeen = 0
  return nodes.flatMap((node): MeshRefs[] => {
    const mesh = meshes[node.mesh ?? -1] as GLTF.IMesh | undefined
    const skin = skins[node.skin ?? -1] as GLTF.ISkin | undefined
    if (!Array.isArray(mesh?.primitives) || !Array.isArray(skin?.joints)) return []
    const names = [node.name, mesh.name].flatMap((name) => (typeof name === 'string' ? [name.slice(0, 1000)] : []))
    const refs: MeshRefs = { names, skinJoints: skin.joints, primitives: [] }
    for (const [i, primitive] of mesh.primitives.entries()) {
      const attributes = primitive?.attributes as Record<string, number> | undefined
      if (typeof attributes !== 'object' || attributes === null || (primitive.mode ?? 4) !== 4) continue
      if (!Object.hasOwn(attributes, 'POSITION') || ++primitivesSeen > MOST_PRIMITIVES) continue
      const path = `meshes[${node.mesh}].primitives[${i}]`
      try {
        const sets: PrimitiveRefs['sets'] = []
        for (let set = 0; Object.hasOwn(attributes, `JOINTS_${set}`) && Object.hasOwn(attributes, `WEIGHTS_${set}`); set++)
          sets.push({ joints: accessor(attributes[`JOINTS_${set}`], path), weights: accessor(attributes[`WEIGHTS_${set}`], path) })
        if (sets.length === 0) continue
        const entry: PrimitiveRefs = { position: attributes.POSITION, sets }
        for (const name of ['POSITION', 'NORMAL', 'TEXCOORD_0', '_MARROW_VERTEX'] as const)
          if (Object.hasOwn(attributes, name)) entry[name] = accessor(attributes[name], path)
        if (primitive.indices !== undefined) entry.indices = accessor(primitive.indices, path)
        refs.primitives.push(entry)
      } catch (error) {
        left.push(say('gltf.meshUnreadable', { name: names[0] ?? '', why: (error as Error).message }))
      }
    }
    return refs.primitives.length > 0 ? [refs] : []
  })
}

/** @param accessors of the pruned file, by number */
export function readMeshes(refs: readonly MeshRefs[], accessors: readonly Accessor[], left: string[]): GltfMesh[] {
  const room = { vertices: MOST_VERTICES, corners: MOST_CORNERS }
  return refs.flatMap((mesh) => {
    const read = readMesh(mesh, accessors, room)
    if (!read) left.push(say('gltf.meshUnreadable', { name: mesh.names[0] ?? '', why: say('gltf.accessorsMisfit') }))
    return read ? [read] : []
  })
}

function readMesh(
  { names, skinJoints, primitives }: MeshRefs,
  accessors: readonly Accessor[],
  room: { vertices: number; corners: number },
): GltfMesh | undefined {
  const width = 4 * Math.max(...primitives.map(({ sets }) => sets.length))
  const positions: number[] = []
  const normals: number[] = []
  const uvs: number[] = []
  const numbers: number[] = []
  const joints: number[] = []
  const weights: number[] = []
  const corners: number[] = []
  let rounding = FLOAT_ROUNDING
  // primitives may share their vertices
  const bases = new Map<number, number>()
  for (const primitive of primitives) {
    const position = accessors[primitive.POSITION!]
    const count = position.getCount()
    const base = bases.get(primitive.position) ?? positions.length / 3
    const indices = primitive.indices === undefined ? undefined : accessors[primitive.indices]
    if (position.getElementSize() !== 3 || (indices && indices.getElementSize() !== 1)) return undefined
    const total = indices ? indices.getCount() : count
    room.corners -= total
    if (!bases.has(primitive.position)) room.vertices -= count
    if (room.corners < 0 || room.vertices < 0) return undefined
    for (let i = 0; i + 2 < total; i += 3)
      for (let c = 0; c < 3; c++) {
        const vertex = indices ? indices.getScalar(i + c) : i + c
        if (!(vertex < count)) return undefined
        corners.push(base + vertex)
      }
    if (bases.has(primitive.position)) continue
    bases.set(primitive.position, base)
    const take = (index: number | undefined, size: number, out: number[]): boolean => {
      if (index === undefined) return true
      const from = accessors[index]
      if (from.getElementSize() !== size || from.getCount() !== count) return false
      const element: number[] = []
      for (let v = 0; v < count; v++) out.push(...from.getElement(v, element).slice(0, size))
      return true
    }
    const fits =
      take(primitive.POSITION, 3, positions) &&
      take(primitive.NORMAL, 3, normals) &&
      take(primitive.TEXCOORD_0, 2, uvs) &&
      take(primitive._MARROW_VERTEX, 1, numbers)
    if (!fits) return undefined
    const sets = primitive.sets.map((set) => ({ joints: accessors[set.joints], weights: accessors[set.weights] }))
    if (sets.some((set) => set.joints.getElementSize() !== 4 || set.weights.getElementSize() !== 4)) return undefined
    if (sets.some((set) => set.joints.getCount() !== count || set.weights.getCount() !== count)) return undefined
    for (const set of sets) rounding = Math.max(rounding, ROUNDING[set.weights.getComponentType()] ?? 0)
    const [j, w]: number[][] = [[], []]
    for (let v = 0; v < count; v++)
      for (let set = 0; set < width / 4; set++) {
        const own = sets[set] as (typeof sets)[number] | undefined
        own?.joints.getElement(v, j)
        own?.weights.getElement(v, w)
        for (let c = 0; c < 4; c++) {
          const weight = own && w[c] > 0 && w[c] < Infinity ? w[c] : 0
          const node: unknown = skinJoints[j[c]]
          joints.push(weight > 0 && Number.isSafeInteger(node) ? (node as number) : -1)
          weights.push(weight)
        }
      }
  }
  const vertices = positions.length / 3
  // normals and texture coordinates count only where every part of the mesh has them
  const whole = (list: number[], size: number): Float32Array =>
    list.length === size * vertices ? Float32Array.from(list) : new Float32Array(0)
  if (!positions.every(Number.isFinite)) return undefined
  return {
    names,
    positions: Float32Array.from(positions),
    normals: whole(normals, 3),
    uvs: whole(uvs, 2),
    numbers: whole(numbers, 1),
    joints: Int32Array.from(joints),
    weights: Float32Array.from(weights),
    width,
    corners: Uint32Array.from(corners),
    rounding,
  }
}
