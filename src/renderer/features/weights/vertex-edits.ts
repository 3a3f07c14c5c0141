/** Edits of the weights of a vertex, and of all that are chosen with it, each of them a step. */
import { computed, shallowRef, type ComputedRef } from 'vue'
import { withBone } from '../../../shared/weights/change.ts'
import { fit, totalOf } from '../../../shared/weights/limits.ts'
import { editOf, EditRows, influencesOf, sumIsFull, type Influence } from '../../../shared/weights/rows.ts'
import { say } from '../../../shared/texts/say.ts'
import { useSelection } from '../../core/selection.ts'
import { formatNumber } from '../../ui/format.ts'
import { useWeights } from './store.ts'
import type { WeightEdit } from '../../../shared/api/types/weights.ts'

type VertexStep = 'weight' | 'bone' | 'remove' | 'normalise' | 'add'

/** Of a vertex, and of all that are chosen where it is one of them. */
export interface VertexEdits {
  /** the least that a weight changes by, native scale */
  step: ComputedRef<number>
  canAdd: (vertex: number) => boolean
  canNormalise: (vertex: number) => boolean
  setWeight: (vertex: number, slot: number, weight: number) => void
  /** what was typed for a weight is none */
  rejected: (typed: string) => void
  /** that the file has another weight there than was typed: another object for each time */
  refusedAt: (vertex: number, slot: number) => object | null
  setBone: (vertex: number, slot: number, bone: number) => void
  remove: (vertex: number, slot: number) => void
  normalise: (vertex: number) => void
  add: (vertex: number) => void
}

export function useVertexEdits(): VertexEdits {
  const store = useWeights()
  const selection = useSelection()
  const data = computed(() => store.data!)
  const full = computed(() => data.value.limits.fullWeight)
  const step = computed(() => data.value.limits.step || full.value / 100)

  /** Vertices that an edit of one is about: all that are chosen, where it is one of them. */
  function targets(v: number): readonly number[] {
    const chosen = selection.verticesOf(data.value.sceneMesh)
    return chosen.includes(v) ? chosen : [v]
  }

  /**
   * @param change the new row of a vertex; null where the edit is not about it
   * @param wanted what was typed: where the file holds something else, that is said
   */
  function write(v: number, step: VertexStep, change: (list: Influence[], vertex: number) => Influence[] | null, wanted?: Influence): void {
    const { limits, id } = data.value
    const all = targets(v)
    const rows = new EditRows(data.value)
    let typed: number | undefined
    for (const vertex of all) {
      const list = change(influencesOf(data.value, vertex), vertex)
      if (!list) continue
      // the file holds whole steps that sum up exactly: a row is fitted before it is sent, so that it is what the file will hold
      const row =
        limits.step > 0 || (vertex !== v && limits.maxInfluences > 0 && list.length > limits.maxInfluences) ? fit(list, limits) : list
      rows.set(vertex, row)
      if (vertex === v && wanted) typed = row.find(({ bone }) => bone === wanted.bone)?.weight
      // the only one is written in its own order
      if (all.length === 1 && rows.count) return send(editOf(id, vertex, row))
    }
    if (rows.count) send(rows.edit()!)
    else tell()

    function send(edit: WeightEdit): void {
      const label =
        all.length === 1
          ? say(`weights.vertex.steps.${step}`, { vertex: v })
          : say(`weights.vertex.stepsOfMany.${step}`, { count: rows.count })
      void store.write(edit, label).then((done) => done && tell())
    }

    /** What the file holds in place of what was typed, where that is something else. */
    function tell(): void {
      if (!wanted || typed === wanted.weight) return
      refused.value = { vertex: v, bone: wanted.bone }
      const told = { typed: formatNumber(wanted.weight, 6), stored: formatNumber(typed ?? 0, 6) }
      store.said = say(data.value.limits.maxInfluences === 1 ? 'weights.table.wholeBone' : 'weights.table.otherWeight', told)
    }
  }

  const refused = shallowRef<{ vertex: number; bone: number } | null>(null)
  const refusedAt = (v: number, slot: number): object | null => {
    const { value } = refused
    return value && value.vertex === v && value.bone === influencesOf(data.value, v)[slot]?.bone ? value : null
  }

  const hasRoom = (list: readonly Influence[]): boolean => {
    const { maxInfluences } = data.value.limits
    return maxInfluences === 0 || list.length < maxInfluences
  }
  const isOff = (list: readonly Influence[]): boolean => {
    const sum = totalOf(list)
    return sum > 0 && !sumIsFull(sum, list.length, full.value)
  }
  const some = (v: number, fits: (list: readonly Influence[]) => boolean): boolean =>
    targets(v).some((vertex) => fits(influencesOf(data.value, vertex)))
  const canAdd = (v: number): boolean => !store.readOnly && some(v, hasRoom)
  const canNormalise = (v: number): boolean => some(v, isOff)

  function setWeight(v: number, slot: number, weight: number): void {
    const { limits } = data.value
    const { bone } = influencesOf(data.value, v)[slot]
    refused.value = null
    const one = (list: Influence[], vertex: number): Influence[] => {
      // a whole bone has no other weight: another bone comes in its place
      if (limits.maxInfluences === 1 && vertex === v) return list
      if (limits.step > 0 && limits.maxInfluences !== 1) return withBone(list, bone, weight, limits, store.heirs[bone])
      const own = vertex === v ? list[slot] : list.find((i) => i.bone === bone)
      if (own) own.weight = weight
      // a vertex that has one bone keeps it, unless the other takes the larger half
      else if (limits.maxInfluences === 1) return withBone(list, bone, weight, limits, store.heirs[bone])
      else if (weight > 0) list.push({ bone, weight })
      return list
    }
    write(v, 'weight', one, { bone, weight })
  }

  function rejected(typed: string): void {
    store.said = say('weights.table.noWeight', { typed, full: formatNumber(full.value, 6) })
  }

  function setBone(v: number, slot: number, to: number): void {
    const from = influencesOf(data.value, v)[slot].bone
    write(v, 'bone', (list, vertex) => {
      const own = vertex === v ? list[slot] : list.find((i) => i.bone === from)
      if (!own) return null
      own.bone = to
      // the others may have that bone already: it takes both weights
      const twin = vertex === v ? undefined : list.find((i) => i.bone === to && i !== own)
      if (twin) own.weight += twin.weight
      return list.filter((i) => i !== twin)
    })
  }

  function remove(v: number, slot: number): void {
    const { bone } = influencesOf(data.value, v)[slot]
    write(v, 'remove', (list, vertex) => {
      const rest = list.filter((i, at) => (vertex === v ? at !== slot : i.bone !== bone))
      return rest.length < list.length ? rest : null
    })
  }

  function normalise(v: number): void {
    write(v, 'normalise', (list, vertex) => (vertex === v || isOff(list) ? fit(list, data.value.limits) : null))
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
    const next = Math.max(0, lackingBone(v, influencesOf(data.value, v)))
    write(v, 'add', (list, vertex) => {
      if (vertex !== v && (!hasRoom(list) || list.some((i) => i.bone === next))) return null
      const rest = Math.max(0, full.value - totalOf(list))
      // a weight of nothing is not stored: where the sum is full (rounding apart) the new bone takes a step from the largest
      const isFull = list.length > 0 && sumIsFull(full.value - rest, list.length, full.value)
      const one = isFull || rest <= 0 ? step.value : rest
      if (list.length && one !== rest) list.reduce((a, b) => (b.weight > a.weight ? b : a)).weight -= one
      return [...list, { bone: next, weight: one }]
    })
  }

  return { step, canAdd, canNormalise, rejected, refusedAt, setWeight, setBone, remove, normalise, add }
}
