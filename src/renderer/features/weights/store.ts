/** Weights of the open model's skinned meshes: what the panel lists and the brush paints on. Read anew after every change of the model. */
import { defineStore } from 'pinia'
import { computed, markRaw, ref, shallowRef, watch } from 'vue'
import { latestAnswer } from '../../core/latest.ts'
import type { CallResult } from '../../../shared/api/contract.ts'
import type { NativeWeights, WeightEdit } from '../../../shared/api/types/weights.ts'
import { mirrorNames } from '../../../shared/scene/sides.ts'
import { heirsOf } from '../../../shared/weights/change.ts'
import { nativeGeometry, type NativeGeometry } from '../../../shared/weights/geometry.ts'
import { applied } from '../../../shared/weights/rows.ts'
import { useDisplay } from '../../core/display.ts'
import { errorData } from '../../core/errors.ts'
import { useModels } from '../../core/models.ts'
import { useSelection } from '../../core/selection.ts'
import { useSession } from '../../core/session.ts'
import { shownInLod } from '../../viewport/lods.ts'
import { shorten } from './short-names.ts'
import type { WeightWork } from './weight-worker.ts'
import { isAbort, weightWorker } from './work.ts'

export type SkinEntry = CallResult<'weights.list'>[number]

export const useWeights = defineStore('weights', () => {
  const session = useSession()
  const models = useModels()
  const selection = useSelection()
  const display = useDisplay()
  const skins = shallowRef<SkinEntry[]>([])
  const chosenId = ref('')
  const data = shallowRef<NativeWeights | null>(null)
  const error = ref('')
  /** what became of a number that was typed; what is read afterwards does not take it away */
  const said = ref('')
  /** index into data.bones, -1 for all */
  const bone = ref(-1)
  /** someone looks at them, or paints: otherwise nothing is read */
  const shown = ref(false)
  const painting = ref(false)
  const wanted = computed(() => shown.value || painting.value)
  const asked = ref(0)
  const ask = latestAnswer()
  /** edits that are not answered yet: weights that are read meanwhile lack them */
  let writing = 0

  watch(
    [() => models.activeId, () => models.info?.revision, chosenId, wanted, asked],
    async ([id], [before]) => {
      const model = models.active
      if (id !== before) {
        data.value = null
        bone.value = -1
        skins.value = []
        error.value = ''
        said.value = ''
      }
      if (!model || !wanted.value) return
      const isLatest = ask()
      if (!model.info.abilities.weights) {
        skins.value = []
        data.value = null
        return
      }
      try {
        const list = await session.call('weights.list', { model: model.id })
        if (!isLatest()) return
        skins.value = list
        if (!list.some((s) => s.id === chosenId.value))
          chosenId.value =
            (
              list.find((s) => s.sceneMesh === selection.current.mesh) ??
              list.filter((s) => isShown(s.sceneMesh)).sort((a, b) => b.vertexCount - a.vertexCount)[0] ??
              list[0]
            )?.id ?? ''
        if (!chosenId.value) {
          data.value = null
          return
        }
        const next = await session.call('weights.read', { model: model.id, id: chosenId.value })
        if (!isLatest() || writing > 0) return
        const other = data.value?.id !== next.id || bone.value >= next.bones.length
        data.value = next
        if (other) {
          bone.value = heatBone()
          said.value = ''
        }
        error.value = ''
      } catch (e) {
        if (isLatest()) error.value = errorData(e).message
      }
    },
    { immediate: true },
  )

  /** of the bone that colours the mesh already, chosen in the outliner */
  const heatBone = (): number =>
    display.chosen.heatJoint < 0 ? -1 : (data.value?.bones.findIndex((b) => b.joint === display.chosen.heatJoint) ?? -1)
  watch(
    () => display.chosen.heatJoint,
    () => {
      const b = heatBone()
      if (b >= 0) bone.value = b
    },
  )

  // the bone that is chosen colours the mesh
  watch(bone, (b) => display.heat(data.value?.bones[b]?.joint ?? -1, data.value?.sceneMesh ?? -1))

  /** The viewport shows this mesh: it is in the level of detail, and nobody hid it. */
  function isShown(sceneMesh: number): boolean {
    const { scene } = models
    const m = scene?.meshes[sceneMesh]
    return !!m && m.visible && shownInLod(scene, m.lod, display.options.lod) && !display.options.hiddenMeshes?.includes(sceneMesh)
  }
  const hidden = computed(() => data.value !== null && !isShown(data.value.sceneMesh))

  /** Reads them again. */
  function refresh(): void {
    asked.value++
  }

  const readOnly = computed(() => data.value?.limits.readOnly ?? '')
  /** without what (nearly) all of them begin with, such as `Bip01 `: for narrow lists */
  const shortNames = computed(() => shorten(data.value?.bones.map((b) => b.name) ?? []))
  const mesh = computed(() => (data.value ? (models.scene?.meshes[data.value.sceneMesh] ?? null) : null))
  // these outlive edits of weights: the mesh stays the same object
  const vertexCount = computed(() => data.value?.vertexCount ?? 0)
  const geometry = computed<NativeGeometry | null>(() => (mesh.value ? nativeGeometry(mesh.value, vertexCount.value) : null))
  const worker = markRaw(weightWorker())
  /** neighbours and the plane that halves the mesh; null while they are worked out */
  const prepared = shallowRef<WeightWork['prepare']['gives'] | null>(null)
  let preparing: AbortController | null = null
  watch(geometry, async (g) => {
    preparing?.abort()
    prepared.value = null
    if (!g) return
    const own = (preparing = new AbortController())
    try {
      prepared.value = await worker.run('prepare', g, { signal: own.signal })
    } catch (e) {
      if (!isAbort(e)) error.value = errorData(e).message
    }
  })
  const neighbours = computed(() => prepared.value?.neighbours ?? null)
  const heirs = computed(() => (data.value && models.scene ? heirsOf(data.value, models.scene.skeleton.parents) : new Int32Array(0)))
  const pairs = computed(() => (data.value ? mirrorNames(data.value.bones.map((b) => b.name)) : new Int32Array(0)))
  const plane = computed(() => prepared.value?.plane ?? null)

  /**
   * One undoable step; false where it was refused, with the reason in `error`. The rows stand here at once, so that the next
   * edit begins with them: one that began with those of before would bring back what this one took away.
   */
  async function write(edit: WeightEdit | null, label: string): Promise<boolean> {
    said.value = ''
    if (!edit) return true
    if (data.value?.id === edit.id) data.value = applied(data.value, edit)
    writing++
    try {
      await models.edit('weights.write', { label, edit }, { quiet: true })
      error.value = ''
      return true
    } catch (e) {
      error.value = errorData(e).message
      return false
    } finally {
      // as the file has them now, or still has
      if (--writing === 0) refresh()
    }
  }

  return {
    skins,
    chosenId,
    data,
    error,
    said,
    bone,
    shown,
    painting,
    hidden,
    readOnly,
    shortNames,
    mesh,
    geometry,
    neighbours,
    heirs,
    pairs,
    plane,
    worker,
    write,
    refresh,
  }
})
