/** Five steps from a folder to a saved edit. Each is what its user does anyway: the window is looked at, nothing is acted. */
import { defineStore } from 'pinia'
import { computed, ref, watch } from 'vue'
import { useKept } from '../../core/kept.ts'
import { useKeys } from '../../core/keys/store.ts'
import { useLibrary } from '../../core/library.ts'
import { useModels } from '../../core/models.ts'
import { usePlayback } from '../../core/playback.ts'
import { useSelection } from '../../core/selection.ts'
import { useSession } from '../../core/session.ts'
import { multiplyQuat } from '../../../shared/scene/matrix.ts'
import { sampleJoint } from '../../../shared/scene/pose.ts'
import { say } from '../../../shared/texts/say.ts'

export const STEPS = ['folder', 'model', 'play', 'edit', 'save'] as const
export type FirstStep = (typeof STEPS)[number]

/** What the edit of the fourth step turns a bone by, about its own x. */
const DEGREES = 20

export const useFirstSteps = defineStore('firstSteps', () => {
  const session = useSession()
  const library = useLibrary()
  const models = useModels()
  const playback = usePlayback()
  const selection = useSelection()
  const keys = useKeys()
  const on = ref(false)
  const played = ref(false)
  const busy = ref(false)
  const kept = useKept('firstSteps')

  watch(
    () => playback.state.playing,
    (playing) => (played.value ||= on.value && playing),
  )

  const facts = computed<Record<FirstStep, boolean>>(() => {
    const history = models.active?.info.history
    const edited = (history?.undo.length ?? 0) > 0
    return {
      folder: library.info !== null,
      model: models.active !== null && models.page === 'model',
      play: played.value,
      edit: edited,
      save: edited && models.active?.info.dirty === false,
    }
  })
  /** how many are done: one counts when those before it are */
  const done = computed(() => {
    const open = STEPS.findIndex((step) => !facts.value[step])
    return open < 0 ? STEPS.length : open
  })
  const current = computed<FirstStep | null>(() => STEPS[done.value] ?? null)

  function start(): void {
    on.value = true
    played.value = false
  }
  const leave = (): void => void (on.value = false)
  /** As they were when the page was left. */
  function load(): void {
    const before = kept.read()
    on.value = before.on
    played.value = before.played
  }
  // all done, there is nothing to come back to
  watch([on, played, () => current.value === null], ([shown, , over]) => kept.write({ on: shown && !over, played: played.value }))

  async function openSample(): Promise<void> {
    if (await library.openSample()) models.showLibrary()
  }

  async function openModel(): Promise<boolean> {
    const { info } = library
    if (!info) return false
    const ask = { library: info.id, show: 'models', sort: 'name', offset: 0, limit: 1 } as const
    // one that moves; where there is none, any
    for (const has of [['clips', 'bones'] as const, undefined]) {
      const { rows } = await session.call('library.query', { ...ask, has: has && [...has] })
      if (!rows[0]) continue
      await models.openRef(rows[0].ref)
      return true
    }
    return false
  }

  function play(): boolean {
    if (!playback.clip) return false
    playback.play()
    return true
  }

  /** The chosen bone, else the first that moves and does not carry the whole figure. */
  function boneToTurn(): number {
    const { parents } = models.scene!.skeleton
    const moving = keys.tracks.filter((track) => track.property === 'rotation' && track.joint >= 0 && !track.limits.readOnly)
    if (moving.some((track) => track.joint === selection.current.joint)) return selection.current.joint
    const inner = moving.find((track) => parents[track.joint] >= 0 && parents[parents[track.joint]] >= 0)
    return (inner ?? moving[0])?.joint ?? -1
  }

  async function turnABone(): Promise<boolean> {
    const joint = boneToTurn()
    const { clip, state } = playback
    if (joint < 0 || !clip) return false
    playback.play(false)
    selection.joint(joint)
    const { rotation } = sampleJoint(models.scene!, clip, playback.playhead, joint)
    const half = (DEGREES * Math.PI) / 360
    const turned = new Float32Array(4)
    multiplyQuat(turned, 0, rotation, 0, [Math.sin(half), 0, 0, Math.cos(half)], 0)
    await models.edit('clips.pose', {
      clip: state.clip,
      label: say('firstSteps.edit', { bone: models.scene!.skeleton.names[joint].trim(), degrees: DEGREES }),
      poses: [{ joint, times: Float64Array.of(playback.playhead), rotation: turned }],
    })
    await keys.load()
    return true
  }

  /** `false` where what is open does not have what the step is about */
  const acts: Record<FirstStep, () => unknown> = {
    folder: openSample,
    model: openModel,
    play,
    edit: turnABone,
    save: () => models.save(),
  }

  /** Does the step that comes, as its user would. */
  async function act(): Promise<void> {
    const step = current.value
    if (!step || busy.value) return
    busy.value = true
    try {
      if ((await acts[step]()) === false)
        session.notify('info', say(`firstSteps.cannot.${step as 'model' | 'play' | 'edit'}`), undefined, {
          label: say('firstSteps.openSample'),
          run: () => void openSample(),
        })
    } catch (error) {
      session.report(error)
    } finally {
      busy.value = false
    }
  }

  return { on, done, current, busy, load, start, leave, act }
})
