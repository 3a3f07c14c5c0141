/** The motion of another open model on the shown one: what it would be is shown with every choice; nothing changes before it is applied. */
import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import { FRESH_RETARGET } from '../../../shared/api/retarget-options.ts'
import { animationNames } from '../../../shared/scene/animation-names.ts'
import { clipSpan, sliceSpan } from '../../core/clock.ts'
import { errorData } from '../../core/errors.ts'
import { useKept, withLast } from '../../core/kept.ts'
import { latestAnswer } from '../../core/latest.ts'
import { useLayout } from '../../core/layout.ts'
import { useModels } from '../../core/models.ts'
import { usePlayback } from '../../core/playback.ts'
import { useSecondPicture } from '../../core/second-picture.ts'
import { useSelection } from '../../core/selection.ts'
import { useSession } from '../../core/session.ts'
import type { CallArgs } from '../../../shared/api/contract.ts'
import type { RetargetChoice } from '../../../shared/api/retarget-options.ts'
import type { EditResult } from '../../../shared/api/types/model.ts'
import type { RetargetPreview, RetargetReport } from '../../../shared/api/types/retarget.ts'
import type { OpenModel } from '../../core/models.ts'

export const useRetarget = defineStore('retarget', () => {
  const session = useSession()
  const models = useModels()
  const layout = useLayout()
  const playback = usePlayback()
  const selection = useSelection()
  const second = useSecondPicture()
  const kept = useKept('retargets')
  const target = shallowRef<OpenModel | null>(null)
  const source = shallowRef<OpenModel | null>(null)
  const clip = ref('')
  const into = ref('')
  /** it goes into a clip that is made for it, which is called so */
  const fresh = ref(false)
  const newName = ref('')
  const options = ref<RetargetChoice>({ ...FRESH_RETARGET })
  const preview = shallowRef<RetargetPreview | null>(null)
  const busy = ref(false)
  const failure = ref('')
  /** the model shows what would be */
  const shown = ref(true)
  const ask = latestAnswer()
  const open = computed(() => target.value !== null)
  /** models that have a motion to give; the shown one too, of which one slice may take what another has */
  const sources = computed(() => [
    ...models.open.filter((model) => model !== target.value && hasMotion(model)),
    ...(target.value && hasMotion(target.value) ? [target.value] : []),
  ])
  const report = computed<RetargetReport | null>(() => preview.value?.report ?? null)

  const hasMotion = ({ scene }: OpenModel): boolean => scene.clips.length > 0 && scene.skeleton.count > 1
  const key = (): string => `${source.value!.info.primary}\n${target.value!.info.primary}`

  const canMake = computed(() => target.value !== null && target.value.info.abilities.clipList !== null)

  /** What a new clip is called at first: as the motion is, where the name is free and no game has to know its letters. */
  function freeName(): string {
    const taken = new Set(namesOf(target.value).map((name) => name.toLowerCase()))
    const base = /^[\x21-\x7e]+$/.test(clip.value) && !taken.has(clip.value.toLowerCase()) ? clip.value : 'new'
    for (let n = 1; ; n++) {
      const name = n === 1 ? base : `${base}_${n}`
      if (!taken.has(name.toLowerCase())) return name
    }
  }

  /** @param name of a clip or slice that there is; null: a new one */
  function setInto(name: string | null): void {
    if (name === null) newName.value = freeName()
    else into.value = name
    fresh.value = name === null
  }

  function namesOf(model: OpenModel | null): string[] {
    if (!model) return []
    const { slices, clips } = animationNames(model.scene)
    return [...slices, ...clips]
  }

  function start(): void {
    close()
    const model = models.active
    if (!model) return
    target.value = model
    shown.value = true
    layout.uncoverPicture()
    const { slices, clips } = animationNames(model.scene)
    into.value = slices[playback.state.slice] ?? clips[playback.state.clip] ?? clips[0] ?? ''
    fresh.value = false
    take(sources.value[0] ?? null)
  }

  function take(model: OpenModel | null): void {
    source.value = model
    if (!model) return
    options.value = { ...FRESH_RETARGET, ...kept.read()[key()] }
    const names = namesOf(model)
    // a motion of the same name is the likely choice
    clip.value = names.find((name) => name.toLowerCase() === into.value.toLowerCase()) ?? names[0] ?? ''
    // a model that has no clip yet can only get one
    if (into.value === '') setInto(null)
    void look()
  }

  function choice(): CallArgs<'retarget.preview'> {
    return {
      model: target.value!.id,
      source: source.value!.id,
      clip: clip.value,
      into: fresh.value ? newName.value : into.value,
      ...options.value,
    }
  }

  async function look(): Promise<void> {
    if (!target.value || !source.value) return
    const wanted = ask()
    busy.value = true
    try {
      const answer = await session.call('retarget.preview', choice())
      if (!wanted()) return
      preview.value = answer
      failure.value = ''
    } catch (error) {
      if (!wanted()) return
      preview.value = null
      failure.value = errorData(error).message
    } finally {
      if (wanted()) busy.value = false
    }
    show()
  }

  /** Puts what would be, or what is, on the model. */
  function show(): void {
    const model = target.value
    if (!model) return
    models.previewUpdate(model, shown.value ? preview.value : null)
    model.viewClip = shown.value && report.value?.made ? clipOf(model, report.value.into) : null
  }

  /** A clip or slice by its name, of what is shown of a model; of the target also one that only the preview has. */
  function clipOf({ viewScene }: OpenModel, name: string): OpenModel['viewClip'] {
    const { slices, clips } = animationNames(viewScene)
    const slice = viewScene.slices[slices.indexOf(name)]
    const index = slice?.clip ?? clips.indexOf(name)
    const clip = viewScene.clips[index]
    if (!clip) return null
    const { loop } = playback.state
    return { clip: index, span: slice ? sliceSpan(slice, clip, loop) : clipSpan(clip, loop) }
  }

  function set(values: Partial<RetargetChoice>): void {
    options.value = { ...options.value, ...values }
    void look()
  }

  /** What moves a joint of the target: a joint of the source, or '' for nothing. */
  function moveBy(joint: string, from: string): void {
    const before = report.value?.joints.find((row) => row.joint === joint)?.from ?? ''
    const map = Object.fromEntries(Object.entries(options.value.map).filter(([, own]) => own !== joint))
    if (from === '') map[before] = ''
    else map[from] = joint
    set({ map })
  }

  async function apply(): Promise<RetargetReport | null> {
    const model = target.value
    if (!model || !source.value) return null
    const { model: _model, ...wishes } = choice()
    kept.write(withLast(kept.read(), key(), { ...options.value }))
    // the answer to a preview that is still under way is not wanted any more
    ask()
    busy.value = true
    try {
      const result = (await models.edit('retarget.apply', wishes, { model, quiet: true })) as
        (EditResult & { report: RetargetReport }) | null
      close()
      if (result?.report.made) play(model, result.report.into)
      return result?.report ?? null
    } catch (error) {
      failure.value = errorData(error).message
      return null
    } finally {
      busy.value = false
    }
  }

  /** What was made is what plays, from its start. */
  function play({ id, scene }: OpenModel, name: string): void {
    if (models.activeId !== id) return
    const { slices, clips } = animationNames(scene)
    const slice = slices.indexOf(name)
    if (slice >= 0) {
      playback.chooseSlice(slice)
      selection.slice(slice)
    } else {
      playback.chooseClip(clips.indexOf(name))
      selection.clip(clips.indexOf(name))
    }
  }

  /** Everything is as it was. */
  function close(): void {
    ask()
    if (target.value) {
      models.previewUpdate(target.value, null)
      target.value.viewClip = null
    }
    target.value = source.value = null
    preview.value = null
    busy.value = false
    failure.value = ''
  }

  watch([clip, into, fresh, newName], () => void look())
  // beside what comes of it the motion as the other model has it
  watch([source, clip], () => {
    const model = source.value
    const motion = model && model !== target.value ? clipOf(model, clip.value) : null
    second.lend(motion && { model: model!.id, ...motion })
  })
  watch(
    () => [target.value?.info.revision, source.value?.info.revision],
    (_now, before) => before.every((revision) => revision !== undefined) && !busy.value && void look(),
  )
  watch([() => models.activeId, () => models.page], close)
  watch(shown, show)

  return {
    open,
    target,
    source,
    sources,
    clip,
    into,
    fresh,
    newName,
    canMake,
    options,
    preview,
    report,
    busy,
    failure,
    shown,
    namesOf,
    setInto,
    start,
    take,
    set,
    moveBy,
    apply,
    close,
  }
})
