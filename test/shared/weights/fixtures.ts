/** Weights and meshes made up for tests: any limits that a family states, rows in any state that a file can be in. */
import fc from 'fast-check'
import type { NativeWeights, WeightEdit, WeightLimits } from '../../../src/shared/api/types/weights.ts'
import type { Influence } from '../../../src/shared/weights/rows.ts'

/** The limits that the families state. */
export const LIMITS: Record<string, WeightLimits> = {
  level5: { fullWeight: 100, maxInfluences: 0, step: 0, packedFront: false, rules: [], readOnly: '' },
  w3dOne: { fullWeight: 1, maxInfluences: 1, step: 1, packedFront: true, rules: [], readOnly: '' },
  w3dTwo: { fullWeight: 100, maxInfluences: 2, step: 1, packedFront: true, rules: [], readOnly: '' },
  renderware: { fullWeight: 1, maxInfluences: 4, step: 0, packedFront: false, rules: [], readOnly: '' },
  lostsaga: { fullWeight: 1, maxInfluences: 4, step: 0, packedFront: true, rules: [], readOnly: '' },
}

export const anyLimits: fc.Arbitrary<WeightLimits> = fc.constantFrom(...Object.values(LIMITS))

export function weightsOf(rows: readonly (readonly Influence[])[], limits: WeightLimits, bones: readonly string[]): NativeWeights {
  const offsets = new Uint32Array(rows.length + 1)
  rows.forEach((row, v) => (offsets[v + 1] = offsets[v] + row.length))
  const flat = rows.flat()
  return {
    id: 'file#skin',
    mesh: 'body',
    sceneMesh: 0,
    vertexCount: rows.length,
    bones: bones.map((name, joint) => ({ name, joint })),
    offsets,
    bone: Uint16Array.from(flat, (i) => i.bone),
    weight: Float32Array.from(flat, (i) => i.weight),
    limits,
  }
}

export const BONES = ['root', 'spine', 'arm_l', 'arm_r', 'hand_l', 'hand_r']

/** Weights of a mesh whose rows keep to the limits. */
export function anyWeights(count: number, limits: WeightLimits): fc.Arbitrary<NativeWeights> {
  const most = limits.maxInfluences || 5
  const row = fc
    .tuple(
      fc.uniqueArray(fc.nat(BONES.length - 1), { maxLength: most, minLength: 0 }),
      fc.array(fc.integer({ min: 1, max: 50 }), { minLength: most, maxLength: most }),
    )
    .map(([bones, parts]) => {
      const total = parts.slice(0, bones.length).reduce((a, b) => a + b, 0)
      let left = limits.fullWeight
      return bones.map((bone, i) => {
        const last = i === bones.length - 1
        const share = (parts[i] / total) * limits.fullWeight
        const weight = last ? left : limits.step ? Math.max(limits.step, Math.floor(share / limits.step) * limits.step) : share
        left -= weight
        return { bone, weight }
      })
    })
  return fc.array(row, { minLength: count, maxLength: count }).map((rows) =>
    weightsOf(
      rows.map((r) => r.filter((i) => i.weight > 0)),
      limits,
      BONES,
    ),
  )
}

/** Rows of an edit with their vertices. */
export function rowsOf(edit: WeightEdit | null): { vertex: number; row: Influence[] }[] {
  if (!edit) return []
  return Array.from(edit.vertices, (vertex, i) => ({
    vertex,
    row: Array.from(edit.bone.subarray(edit.offsets[i], edit.offsets[i + 1]), (bone, k) => ({
      bone,
      weight: edit.weight[edit.offsets[i] + k],
    })),
  }))
}
