/** Edits of the weights of one vertex, each of them a step. */
import { computed, type ComputedRef } from 'vue'
import { withBone } from '../../../shared/weights/change.ts'
import { fit } from '../../../shared/weights/limits.ts'
import { editOf, influencesOf, sumIsFull, type Influence } from '../../../shared/weights/rows.ts'
import { say } from '../../../shared/texts/say.ts'
import { formatNumber } from '../../ui/format.ts'
import { useWeights } from './store.ts'

export interface VertexEdits {
  /** the least that a weight changes by, native scale */
  step: ComputedRef<number>
  canAdd: (vertex: number) => boolean
  canNormalise: (vertex: number) => boolean
  setWeight: (vertex: number, slot: number, weight: number) => void
  /** what was typed for a weight is none */
  rejected: (typed: string) => void
  setBone: (vertex: number, slot: number, bone: number) => void
  remove: (vertex: number, slot: number) => void
  normalise: (vertex: number) => void
  add: (vertex: number) => void
}

export function useVertexEdits(): VertexEdits {
  const store = useWeights()
  const data = computed(() => store.data!)
  const full = computed(() => data.value.limits.fullWeight)
  const step = computed(() => data.value.limits.step || full.value / 100)

  /** @param wanted what was typed: where the file holds something else, that is said */
  function write(v: number, list: Influence[], label: string, wanted?: Influence): void {
    // the file holds whole steps that sum up exactly: the row is fitted before it is sent, so that it is what the file will hold
    const row = data.value.limits.step > 0 ? fit(list, data.value.limits) : list
    const typed = wanted && row.find(({ bone }) => bone === wanted.bone)?.weight
    void store.write(editOf(data.value.id, v, row), label).then((done) => {
      if (done && wanted && typed !== wanted.weight)
        store.error = say('weights.table.otherWeight', { typed: formatNumber(wanted.weight, 6), stored: formatNumber(typed ?? 0, 6) })
    })
  }

  function canAdd(v: number): boolean {
    const { maxInfluences } = data.value.limits
    return !store.readOnly && (maxInfluences === 0 || influencesOf(data.value, v).length < maxInfluences)
  }

  function canNormalise(v: number): boolean {
    const list = influencesOf(data.value, v)
    const sum = list.reduce((n, i) => n + i.weight, 0)
    return sum > 0 && !sumIsFull(sum, list.length, full.value)
  }

  function setWeight(v: number, slot: number, weight: number): void {
    const { limits } = data.value
    const list = influencesOf(data.value, v)
    list[slot].weight = weight
    write(
      v,
      limits.step > 0 && limits.maxInfluences !== 1 ? withBone(list, list[slot].bone, weight, limits, store.heirs[list[slot].bone]) : list,
      say('weights.vertex.steps.weight', { vertex: v }),
      { bone: list[slot].bone, weight },
    )
  }

  function rejected(typed: string): void {
    store.error = say('weights.table.noWeight', { typed, full: formatNumber(full.value, 6) })
  }

  function setBone(v: number, slot: number, to: number): void {
    const list = influencesOf(data.value, v)
    list[slot].bone = to
    write(v, list, say('weights.vertex.steps.bone', { vertex: v }))
  }

  function remove(v: number, slot: number): void {
    write(
      v,
      influencesOf(data.value, v).filter((_, i) => i !== slot),
      say('weights.vertex.steps.remove', { vertex: v }),
    )
  }

  function normalise(v: number): void {
    write(v, fit(influencesOf(data.value, v), data.value.limits), say('weights.vertex.steps.normalise', { vertex: v }))
  }

  /** The bone that a vertex most likely lacks: what moves the vertices around it most, else a parent of its own bones, else any. */
  function lackingBone(v: number, list: readonly Influence[]): number {
    const d = data.value
    const used = new Set(list.map((i) => i.bone))
    const around = new Map<number, number>()
    const { offsets, list: others } = store.neighbours ?? { offsets: new Uint32Array(d.vertexCount + 1), list: new Uint32Array(0) }
    for (const n of others.subarray(offsets[v], offsets[v + 1]))
      for (const i of influencesOf(d, n)) if (!used.has(i.bone)) around.set(i.bone, (around.get(i.bone) ?? 0) + i.weight)
    if (around.size) return [...around].reduce((a, b) => (b[1] > a[1] ? b : a))[0]
    const parent = list.map((i) => store.heirs[i.bone] ?? -1).find((b) => b >= 0 && !used.has(b))
    return parent ?? d.bones.findIndex((_, i) => !used.has(i))
  }

  function add(v: number): void {
    const list = influencesOf(data.value, v)
    const next = lackingBone(v, list)
    const rest = Math.max(0, full.value - list.reduce((n, i) => n + i.weight, 0))
    // a weight of nothing is not stored: where the sum is full (rounding apart) the new bone takes a step from the largest
    const isFull = list.length > 0 && sumIsFull(full.value - rest, list.length, full.value)
    const one = isFull || rest <= 0 ? step.value : rest
    if (list.length && one !== rest) list.reduce((a, b) => (b.weight > a.weight ? b : a)).weight -= one
    write(v, [...list, { bone: Math.max(0, next), weight: one }], say('weights.vertex.steps.add', { vertex: v }))
  }

  return { step, canAdd, canNormalise, rejected, setWeight, setBone, remove, normalise, add }
}
