/**
 * A second picture beside the first, or laid over it: the original of the shown model, or another open one. Both have one playhead and one
 * camera; what is chosen in the one is chosen in the other by its name.
 */
import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import type { Scene } from '../../shared/scene/types.ts'
import type { LaidModel } from '../viewport/types.ts'
import { useLayout } from './layout.ts'
import { useModels } from './models.ts'
import type { Span } from './clock.ts'
import { useOriginal } from './original.ts'
import { useKept, type Kept } from './kept.ts'
import { usePlayback } from './playback.ts'
import { useSelection } from './selection.ts'
import { modelNames } from './model-names.ts'

export const ORIGINAL = 'original'

/** A motion of an open model that something else of the window shows for a while. */
export interface LentMotion {
  model: string
  clip: number
  span: Pick<Span, 'start' | 'end'>
}

export const useSecondPicture = defineStore('secondPicture', () => {
  const layout = useLayout()
  const models = useModels()
  const playback = usePlayback()
  /** 'original', the id of an open model, or '' */
  const wanted = ref('')
  /** comes before what is wanted, which is back when it goes */
  const lent = shallowRef<LentMotion | null>(null)
  /** px of the page from its left: what lends a motion lies over the pictures from there on */
  const coveredFrom = ref(Infinity)
  const original = useOriginal()
  const selection = useSelection()
  const kept = useKept('secondPicture')
  const manner = ref<Kept<'secondPicture'>['manner']>('beside')
  const distances = ref(true)
  function load(): void {
    const read = kept.read()
    manner.value = read.manner
    distances.value = read.distances
  }
  watch([manner, distances], () => kept.write({ manner: manner.value, distances: distances.value }))

  /** The model in front is not put beside itself: its original is. */
  const shown = computed(() => {
    if (!models.active) return ''
    if (lent.value && models.open.some(({ id }) => id === lent.value?.model)) return lent.value.model
    if (!wanted.value) return ''
    const other = models.open.some(({ id }) => id === wanted.value) && wanted.value !== models.activeId
    return other ? wanted.value : ORIGINAL
  })
  const scene = computed<Scene | null>(() =>
    shown.value === ORIGINAL ? original.scene : (models.open.find(({ id }) => id === shown.value)?.viewScene ?? null),
  )
  /** the model that is shown, of the original the one in front */
  const info = computed(() => (shown.value === ORIGINAL ? models.info : models.open.find(({ id }) => id === shown.value)?.info) ?? null)
  const others = computed(() => {
    const names = modelNames(models.open)
    return models.open.map(({ id }, i) => ({ id, name: names[i] })).filter(({ id }) => id !== models.activeId)
  })

  watch(
    () => shown.value === ORIGINAL,
    (is) => original.want('picture', is),
    { immediate: true },
  )

  /**
   * The moment that the second picture shows: of the original the same one; of another model what is lent of it, the clip of the same name, else its
   * own, as far in.
   */
  const moment = computed<{ clip: number; time: number }>(() => {
    const { clip: mine, span, state } = playback
    const clips = scene.value?.clips ?? []
    if (!mine) return { clip: -1, time: 0 }
    const named = clips.findIndex(({ name }) => name === mine.name)
    if (shown.value === ORIGINAL) return { clip: named, time: state.time }
    const motion = lent.value?.model === shown.value ? lent.value : null
    const clip = motion?.clip ?? (named >= 0 ? named : (playback.of(shown.value)?.clip ?? -1))
    const its = clips[clip]
    if (!its) return { clip: -1, time: 0 }
    const { rate } = mine
    const into = ((state.time - span.start) / (rate || 1)) * its.rate
    const { start, end } = motion?.span ?? its
    return { clip, time: start + (end > start ? into % (end - start) : 0) }
  })

  // of another model tracks come when they are shown; the original has all of its own
  watch(
    () => {
      const other = models.open.find(({ id }) => id === shown.value)
      const { clip } = moment.value
      return other?.viewScene.clips[clip]?.away ? { other, clip, revision: other.info.revision } : null
    },
    (now, before) => {
      if (now && (now.other !== before?.other || now.clip !== before.clip || now.revision !== before.revision))
        void models.bring(now.other, now.clip)
    },
  )

  /** Of the joints that are chosen those of the same names in the other model, -1 for one that it has not. */
  function twin(joint: number): number {
    const name = models.scene?.skeleton.names[joint]
    return name === undefined ? -1 : (scene.value?.skeleton.names.indexOf(name) ?? -1)
  }

  /** a motion that is lent is seen by itself */
  const over = computed(() => shown.value !== '' && manner.value === 'over' && lent.value?.model !== shown.value)
  const beside = computed(() => shown.value !== '' && !over.value)
  const laid = computed<LaidModel | null>(() => {
    if (!over.value || !scene.value) return null
    const joints = selection.joints.map(twin).filter((joint) => joint >= 0)
    return { scene: scene.value, ...moment.value, joints, distances: distances.value, fit: shown.value !== ORIGINAL }
  })

  function show(what: string): void {
    lent.value = null
    wanted.value = what
    if (what) layout.uncoverPicture()
  }
  const toggle = (): void => show(shown.value ? '' : ORIGINAL)

  /** Over each other or side by side; with one model alone, its original over it. */
  function turn(): void {
    if (shown.value) manner.value = manner.value === 'over' ? 'beside' : 'over'
    else {
      manner.value = 'over'
      show(ORIGINAL)
    }
  }
  const lend = (motion: LentMotion | null): void => void (lent.value = motion)

  return { shown, scene, info, others, moment, coveredFrom, manner, distances, over, beside, laid, load, twin, show, toggle, turn, lend }
})
