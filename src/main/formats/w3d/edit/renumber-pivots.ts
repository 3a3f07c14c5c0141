/** Pivots in another order: everything that counts them follows. */
import { channelsIn } from '../codecs/channels.ts'
import { clipsOf } from '../codecs/file.ts'
import { PIVOTS, pivotParent, setPivotParent } from '../codecs/hierarchy.ts'
import { hlodsOf } from '../codecs/hlod.ts'
import { hmodelsOf } from '../codecs/hmodel.ts'
import type { W3dDocument } from '../codecs/file.ts'
import type { Hierarchy } from '../codecs/hierarchy.ts'
import type { MeshView } from '../codecs/mesh.ts'

/**
 * Puts the pivots of a skeleton in another order, their fixups with them.
 * @param order old numbers in the new order
 * @returns the new number of each old one
 */
export function reorderPivots({ pivots, fixups, count }: Hierarchy, order: readonly number[]): Int32Array {
  const map = new Int32Array(count)
  order.forEach((old, now) => (map[old] = now))
  const { data } = pivots!
  const rows = data.bytes.slice()
  order.forEach((old, now) => data.bytes.set(rows.subarray(old * PIVOTS.stride, (old + 1) * PIVOTS.stride), now * PIVOTS.stride))
  for (let i = 0; i < count; i++) {
    const parent = pivotParent(data, i)
    if (parent >= 0 && parent < count && map[parent] !== parent) setPivotParent(data, i, map[parent])
  }
  const width = fixups?.form === 'vector' ? 3 : 12
  if (fixups && fixups.values.length >= width * count) {
    const old = fixups.values.slice()
    order.forEach((from, now) => fixups.values.set(old.subarray(width * from, width * (from + 1)), width * now))
  }
  return map
}

/**
 * Gives pivots of a skeleton their new numbers wherever a file counts them: objects of models, weights of `skins`, channels.
 * @param write false: only looks
 * @returns whether a number changes
 */
export function renumberPivots(
  document: W3dDocument,
  skins: readonly MeshView[],
  hierarchy: string,
  map: Int32Array,
  write: boolean,
): boolean {
  let changed = false
  const mine = (name: string): boolean => name.toLowerCase() === hierarchy.toLowerCase()
  const next = (pivot: number, set: (to: number) => void): void => {
    const to = map[pivot]
    if (to === undefined || to === pivot) return
    changed = true
    if (write) set(to)
  }
  for (const hlod of hlodsOf(document)) {
    if (!mine(hlod.hierarchyName)) continue
    for (const { chunk } of [...hlod.lods.flatMap((lod) => lod.objects), ...hlod.aggregates, ...hlod.proxies])
      next(chunk.data.boneIndex, (to) => (chunk.data.boneIndex = to))
  }
  for (const model of hmodelsOf(document)) {
    if (!mine(model.hierarchyName)) continue
    // numbers of old files do not count the root
    const shift = model.preRoot ? 1 : 0
    for (const { chunk } of model.connections) next(chunk.data.pivot + shift, (to) => (chunk.data.pivot = to - shift))
  }
  for (const { influences } of skins) {
    const { table, twoBone } = influences!
    for (let v = 0; v < table.count; v++) {
      next(table.u16[4 * v], (to) => (table.u16[4 * v] = to))
      if (twoBone && table.u16[4 * v + 3] > 0) next(table.u16[4 * v + 1], (to) => (table.u16[4 * v + 1] = to))
    }
  }
  for (const clip of clipsOf(document)) {
    if (!mine(clip.hierarchyName)) continue
    for (const { chunk } of channelsIn(clip.chunk)) next(chunk.data.pivot, (to) => (chunk.data.pivot = to))
  }
  return changed
}
