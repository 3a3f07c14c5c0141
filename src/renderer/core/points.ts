/** Points of the open model that can be edited (control points, slots): what the files hold of them, and the edits that the panels share. */
import { defineStore } from 'pinia'
import { computed, shallowRef, watch } from 'vue'
import { latestAnswer } from './latest.ts'
import type { NativePoint, NativePoints } from '../../shared/api/types/points.ts'
import { useLayout } from './layout.ts'
import { useModels } from './models.ts'
import { useSelection } from './selection.ts'
import { useSession } from './session.ts'
import type { PointDrag } from '../viewport/types.ts'

const NONE: NativePoints = { points: [], places: [] }

export const usePoints = defineStore('points', () => {
  const session = useSession()
  const models = useModels()
  const selection = useSelection()
  const layout = useLayout()
  const data = shallowRef<NativePoints>(NONE)
  const ask = latestAnswer()

  /** Files that can take another point. */
  const places = computed(() => data.value.places.filter((p) => !p.refused))
  const chosen = computed<NativePoint | null>(() =>
    selection.current.kind === 'helper' ? (data.value.points.find((p) => p.helper === selection.current.helper) ?? null) : null,
  )

  async function load(): Promise<void> {
    const model = models.active
    const wanted = ask()
    const next = model?.info.abilities.points ? await session.call('points.list', { model: model.id }).catch(() => NONE) : NONE
    if (wanted()) data.value = next
  }
  watch([() => models.activeId, () => models.info?.revision], load, { immediate: true })

  /** Chooses a point by its id, once the files' new list is here. */
  async function choose(id: string): Promise<void> {
    await load()
    const helper = data.value.points.find((p) => p.id === id)?.helper ?? -1
    if (helper >= 0) selection.helper(helper)
  }

  async function add(joint: number, center: readonly number[], mesh = selection.current.mesh): Promise<void> {
    const own = models.scene?.meshes[mesh]?.source.ref
    const place = places.value.find((p) => p.ref === own) ?? places.value[0]
    if (!place) return
    const done = await models.edit('points.add', { ref: place.ref, joint, center: [...center] })
    if (!done) return
    if (place.note) session.notify('info', place.note)
    await choose((done as typeof done & { point: string }).point)
  }

  const addAtJoint = (joint: number): Promise<void> => add(joint, [0, 0, 0])

  /** On the surface under the pointer; else at the chosen bone, else at the root. */
  function addHere(): Promise<void> {
    const { kind, joint } = selection.current
    const bone = kind === 'joint' ? joint : -1
    const place = layout.viewport?.placeAtPointer(bone)
    return place ? add(place.joint, place.center, place.mesh) : addAtJoint(Math.max(0, bone))
  }

  async function remove(): Promise<void> {
    const point = chosen.value
    if (point && (await models.edit('points.remove', { point: point.id }))) selection.clear()
  }

  async function duplicate(): Promise<void> {
    const point = chosen.value
    const done = point && (await models.edit('points.duplicate', { point: point.id }))
    if (done) await choose((done as typeof done & { point: string }).point)
  }

  /** One step a drag: the viewport shows it until the edit is back. */
  function onDrag(drag: PointDrag): void {
    const point = data.value.points.find((p) => p.helper === drag.helper)
    if (drag.phase === 'end' && point) void models.edit('points.place', { point: point.id, center: drag.center })
  }

  return { data, places, chosen, addAtJoint, addHere, remove, duplicate, onDrag }
})
