/** Five steps from a folder to a saved edit. Each is what its user does anyway: the window is looked at, nothing is acted. */
import { defineStore } from 'pinia'
import { computed, ref, watch } from 'vue'
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

  async function openModel(): Promise<void> {
    const { info } = library
    if (!info) return
    const ask = { library: info.id, show: 'models', sort: 'name', offset: 0, limit: 1 } as const
    // one that moves; where there is none, any
    for (const has of [['clips', 'bones'] as const, undefined]) {
      const { rows } = await session.call('library.query', { ...ask, has: has && [...has] })
      if (rows[0]) return void (await models.openRef(rows[0].ref))
    }
  }

  /** The chosen bone, else the first that moves and does not carry the whole figure. */
  function boneToTurn(): number {
    const { parents } = models.scene!.skeleton
    const moving = keys.tracks.filter((track) => track.property === 'rotation' && track.joint >= 0 && !track.limits.readOnly)
    if (moving.some((track) => track.joint === selection.current.joint)) return selection.current.joint
    const inner = moving.find((track) => parents[track.joint] >= 0 && parents[parents[track.joint]] >= 0)
    return (inner ?? moving[0])?.joint ?? -1
  }

  async function turnABone(): Promise<void> {
    const joint = boneToTurn()
    const { clip, state } = playback
    if (joint < 0 || !clip) return
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
  }

  const acts: Record<FirstStep, () => unknown> = {
    folder: async () => {
      if (await library.openSample()) models.showLibrary()
    },
    model: openModel,
    play: () => playback.play(),
    edit: turnABone,
    save: () => models.save(),
  }

  /** Does the step that comes, as its user would. */
  async function act(): Promise<void> {
    if (!current.value || busy.value) return
    busy.value = true
    try {
      await acts[current.value]()
    } catch (error) {
      session.report(error)
    } finally {
      busy.value = false
    }
  }

  return { on, done, current, busy, start, leave, act }
})
