/** Boxes and cards as meshes of a scene. */
import type { Mesh } from '../../shared/scene/types.ts'

/** Where everything here comes from. */
export const source = { ref: 'made by code', path: '' }

export function meshOf(
  name: string,
  joint: number,
  positions: number[],
  normals: number[],
  uvs: number[],
  indices: number[],
  material: number,
  more: Partial<Mesh> = {},
): Mesh {
  return {
    name,
    joint,
    positions: Float32Array.from(positions),
    normals: Float32Array.from(normals),
    uvs: uvs.length ? [Float32Array.from(uvs)] : [],
    colors: new Float32Array(0),
    indices: Uint32Array.from(indices),
    groups: [{ start: 0, count: indices.length, material }],
    skin: -1,
    nativeVertex: Uint32Array.from({ length: positions.length / 3 }, (_, i) => i),
    nativeVertexCount: positions.length / 3,
    visible: true,
    lod: -1,
    source,
    ...more,
  }
}

export function box(name: string, joint: number, c: number[], h: number[], material: number): Mesh {
  const positions: number[] = [],
    normals: number[] = [],
    uvs: number[] = [],
    indices: number[] = []
  for (let axis = 0; axis < 3; axis++) {
    for (const sign of [1, -1]) {
      const n = [0, 0, 0]
      n[axis] = sign
      const u = (axis + 1) % 3,
        v = (axis + 2) % 3
      const first = positions.length / 3
      for (const [a, b] of [
        [-1, -1],
        [1, -1],
        [1, 1],
        [-1, 1],
      ]) {
        const p = [...c]
        p[axis] += sign * h[axis]
        p[u] += a * sign * h[u]
        p[v] += b * h[v]
        positions.push(...p)
        normals.push(...n)
        uvs.push((a + 1) / 2, (1 - b) / 2)
      }
      indices.push(first, first + 1, first + 2, first, first + 2, first + 3)
    }
  }
  return meshOf(name, joint, positions, normals, uvs, indices, material)
}

export function quad(name: string, joint: number, c: number[], h: number, material: number, more: Partial<Mesh> = {}): Mesh {
  const [x, y, z] = c
  return meshOf(
    name,
    joint,
    [x - h, y - h, z, x + h, y - h, z, x + h, y + h, z, x - h, y + h, z],
    [0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1],
    [0, 1, 1, 1, 1, 0, 0, 0],
    [0, 1, 2, 0, 2, 3],
    material,
    more,
  )
}
