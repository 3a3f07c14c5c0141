/** The weight brush: its settings, and strokes from the viewport's dabs to one edit each. */
import { defineStore } from 'pinia'
import { computed, reactive, ref, shallowRef, watch } from 'vue'
import { applied, sumOf, weightOf } from '../../../shared/weights/rows.ts'
import type { ChangeMode, Falloff } from '../../../shared/weights/change.ts'
import { say } from '../../../shared/texts/say.ts'
import { useDisplay } from '../../core/display.ts'
import { errorData } from '../../core/errors.ts'
import { useLayout } from '../../core/layout.ts'
import { useModels } from '../../core/models.ts'
import { useSelection } from '../../core/selection.ts'
import { useSession } from '../../core/session.ts'
import type { BrushDab, BrushEvent, ViewBrush } from '../../viewport/types.ts'
import { useWeights } from './store.ts'
import { Stroke } from './stroke.ts'
import { isAbort } from './work.ts'

const MODES: readonly ChangeMode[] = ['add', 'subtract', 'replace', 'smooth']
export const EDGES: readonly Falloff[] = ['smooth', 'linear', 'sharp', 'constant']
export const MIN_RADIUS = 4
export const MAX_RADIUS = 400

export const usePaint = defineStore('paint', () => {
  const session = useSession()
  const models = useModels()
  const weights = useWeights()
  const display = useDisplay()
  const selection = useSelection()
  const layout = useLayout()
  const on = ref(false)
  const settings = reactive({
    mode: 'add' as ChangeMode,
    radius: 40,
    strength: 0.5,
    amount: 1,
    falloff: 'smooth' as Falloff,
    mirror: false,
  })
  let stroke: Stroke | null = null
  let mesh = -1
  let heat: Float32Array | null = null

  const available = computed(() => models.page === 'model' && models.active !== null && models.info?.abilities.weights === true)
  const bone = computed(() => weights.data?.bones[weights.bone] ?? null)
  /** bone that the mirrored half paints; the same for one in the middle */
  const otherBone = computed(() => weights.pairs[weights.bone] ?? weights.bone)
  /** the file has one bone a vertex */
  const wholeBones = computed(() => weights.data?.limits.maxInfluences === 1)
  /** the vertex on the other side of each, worked out when the brush paints both sides */
  const partners = shallowRef<Int32Array | null>(null)
  let pairing: AbortController | null = null
  watch([() => (on.value && settings.mirror ? weights.geometry : null), () => weights.plane] as const, async ([geometry, plane]) => {
    pairing?.abort()
    partners.value = null
    if (!geometry || !plane) return
    const own = (pairing = new AbortController())
    try {
      partners.value = await weights.worker.run('partners', { geometry, plane }, { signal: own.signal })
    } catch (error) {
      if (!isAbort(error)) session.notify('error', say('weights.brush.noOtherSide'), errorData(error).message)
    }
  })
  /** what a stroke needs is here */
  const ready = computed(() => weights.neighbours !== null && (!settings.mirror || partners.value !== null))
  const view = computed<ViewBrush | null>(() =>
    on.value && weights.data && weights.bone >= 0 && !weights.readOnly && ready.value
      ? { mesh: weights.data.sceneMesh, radius: settings.radius }
      : null,
  )

  /** setting a share means nothing where there are none */
  const modes = computed(() => (wholeBones.value ? MODES.filter((mode) => mode !== 'replace') : MODES))
  watch(modes, (list) => {
    if (!list.includes(settings.mode)) settings.mode = 'add'
  })

  // --- on and off ---

  watch(on, (value) => (weights.painting = value))
  watch([() => models.activeId, () => models.page], () => (on.value = false))
  watch(
    [on, () => weights.data] as const,
    ([value, data]) => {
      if (!value || !data) return
      if (weights.bone < 0) weights.bone = firstBone()
      showHeat()
    },
    { immediate: true },
  )
  // the bone chosen in the outliner or the viewport is the one that is painted
  watch([() => selection.current.kind, () => selection.current.joint] as const, ([kind, joint]) => {
    if (!on.value || kind !== 'joint' || !weights.data) return
    const found = weights.data.bones.findIndex((b) => b.joint === joint)
    if (found >= 0) weights.bone = found
  })

  function firstBone(): number {
    const data = weights.data!
    const chosen = data.bones.findIndex((b) => b.joint >= 0 && b.joint === selection.current.joint)
    if (chosen >= 0) return chosen
    return data.bone.length ? data.bone[0] : data.bones.findIndex((b) => b.joint >= 0)
  }

  function showHeat(): void {
    if (weights.data && bone.value) display.heat(bone.value.joint, weights.data.sceneMesh)
  }

  function toggle(): void {
    on.value = !on.value && available.value
    if (!on.value) display.heat(-1)
  }

  function resize(factor: number): void {
    settings.radius = Math.round(Math.min(MAX_RADIUS, Math.max(MIN_RADIUS, settings.radius * factor)))
  }

  function strengthen(by: number): void {
    settings.strength = Math.round(Math.min(1, Math.max(0.05, settings.strength + by)) * 100) / 100
  }

  function nextMode(): void {
    const list = modes.value
    settings.mode = list[(list.indexOf(settings.mode) + 1) % list.length]
  }

  // --- strokes ---

  function begin(inverse: boolean): void {
    const data = weights.data
    const { geometry, neighbours, heirs } = weights
    if (!data || !geometry || !neighbours || weights.bone < 0) return
    const mode = !inverse ? settings.mode : settings.mode === 'add' ? 'subtract' : settings.mode === 'subtract' ? 'add' : settings.mode
    stroke = new Stroke(data, {
      bone: weights.bone,
      mode,
      // half a bone cannot be stored: within the brush the bone has the vertex, or has not
      strength: wholeBones.value && mode !== 'smooth' ? 1 : settings.strength,
      amount: settings.amount * data.limits.fullWeight,
      falloff: wholeBones.value && mode !== 'smooth' ? 'constant' : settings.falloff,
      heirs,
      neighbours,
      geometry,
      mirror: settings.mirror && partners.value ? { partners: partners.value, bone: otherBone.value } : undefined,
    })
    mesh = data.sceneMesh
    const { nativeVertex } = models.scene!.meshes[mesh]
    heat = new Float32Array(nativeVertex.length)
    // of the data, which may be ahead of the scene
    nativeVertex.forEach((v, i) => (heat![i] = v < data.vertexCount ? weightOf(data, v, weights.bone) / (sumOf(data, v) || 1) : 0))
  }

  function onBrush(event: BrushEvent): void {
    if (event.phase === 'end') void finish()
    else if (event.phase === 'cancel') drop()
    else dab(event as BrushDab)
  }

  function dab(event: BrushDab): void {
    if (event.phase === 'start') begin(event.inverse)
    if (!stroke || !heat) return
    const reached = new Set(stroke.dab(event.point, event.radius, event.positions))
    const { nativeVertex } = models.scene!.meshes[mesh]
    for (let i = 0; i < heat.length; i++) if (reached.has(nativeVertex[i])) heat[i] = stroke.stored(nativeVertex[i])
    layout.viewport?.previewHeat(mesh, heat)
  }

  function drop(): void {
    stroke = null
    heat = null
    layout.viewport?.previewHeat(mesh, null)
  }

  async function finish(): Promise<void> {
    const edit = stroke?.rows().edit() ?? null
    if (!edit || !weights.data) {
      drop()
      return
    }
    const label = say(`weights.brush.strokes.${settings.mode}`, { bone: bone.value?.name ?? say('weights.brush.weights') })
    stroke = null
    // the next stroke may begin before the answer is here
    weights.data = applied(weights.data, edit)
    if (!(await weights.write(edit, label))) {
      drop()
      weights.refresh()
      session.notify('error', say('weights.brush.notKept'), weights.error)
    }
  }

  return { on, settings, available, ready, view, wholeBones, modes, bone, otherBone, toggle, resize, strengthen, nextMode, onBrush }
})
