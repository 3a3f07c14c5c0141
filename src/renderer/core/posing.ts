/** Posing with handles in the viewport: which tool the pointer has, and what becomes of a pose when the handle is let go. */
import { defineStore } from 'pinia'
import { computed, reactive, ref, shallowRef, watch } from 'vue'
import type { PoseKeys } from '../../shared/api/types/clips.ts'
import { usePoints } from './points.ts'
import { useDisplay } from './display.ts'
import { errorData } from './errors.ts'
import { KEPT, useKept } from './kept.ts'
import { offsetOverRange, type WantedJoint } from './keys/offset.ts'
import { useKeys } from './keys/store.ts'
import { useLayout } from './layout.ts'
import { useModels } from './models.ts'
import { usePlayback } from './playback.ts'
import { useSelection } from './selection.ts'
import { useSession } from './session.ts'
import { frameStep } from './clock.ts'
import type { GrabShown, HeldPose, PoseDrag, PosedJoints, ReachDrag, ViewTool } from '../viewport/types.ts'
import { useReach } from './reach.ts'
import { say } from '../../shared/texts/say.ts'

const SPACES = ['local', 'parent', 'world'] as const

const NOTHING_HELD: HeldPose = { held: null, posed: null, point: null }

/** What a tool made of a joint, or of many. */
type Posed = PoseDrag | ReachDrag

export const usePosing = defineStore('posing', () => {
  const session = useSession()
  const models = useModels()
  const playback = usePlayback()
  const selection = useSelection()
  const display = useDisplay()
  const keys = useKeys()
  const points = usePoints()
  const layout = useLayout()
  const reach = useReach()
  const tool = reactive<ViewTool>({ kind: 'none', space: 'local' })
  const kept = useKept('posing')
  const options = reactive({ ...KEPT.posing.none })

  function load(): void {
    Object.assign(options, kept.read())
  }
  watch(options, () => kept.writeSoon(() => ({ ...options })))
  /** posed but not keyed: shown until the playhead or the choice moves on */
  const pending = shallowRef<Posed | null>(null)
  const possible = computed(() => models.info?.abilities.clips === true && playback.clip !== null)
  /** the tools have something to hold: a bone of a clip, or a point that can be moved */
  const usable = computed(() => possible.value || atRest.value || points.chosen !== null)
  /** the bind pose is shown: handles move the skeleton itself, and the bar says so */
  const atRest = computed(
    () =>
      playback.clip === null &&
      (models.scene?.skeleton.count ?? 0) > 0 &&
      (clipForPose.value >= 0 || models.info?.abilities.skeleton?.transform === true),
  )
  const skeleton = computed(() => models.info?.abilities.skeleton ?? null)
  const keepsSkin = computed(() => skeleton.value?.keepSkin === true && options.keepSkin)
  /** why the last move at rest was refused */
  const refused = ref('')
  const lastClip = ref(-1)
  const clipForPose = computed(() =>
    models.info?.abilities.clips && models.scene?.clips.length ? (models.scene.clips[lastClip.value] ? lastClip.value : 0) : -1,
  )
  watch(
    () => [models.activeId, playback.state.clip] as const,
    ([model, clip], [before]) => {
      if (model !== before) lastClip.value = clip
      else if (clip >= 0) lastClip.value = clip
    },
  )
  /** what the viewport gets: handles only where what they do can be kept */
  const shown = computed<ViewTool>(() => {
    if (selection.current.kind === 'helper') return { kind: points.chosen && tool.kind !== 'none' ? 'move' : 'none', space: tool.space }
    if (possible.value) {
      const { pins, bones } = reach
      return { ...tool, ...(tool.kind === 'reach' && { reach: { pins, bones, follow: options.follow } }) }
    }
    const rests = atRest.value && skeleton.value?.transform && tool.kind !== 'reach'
    return rests ? { ...tool, keepSkin: keepsSkin.value } : { kind: 'none', space: tool.space }
  })

  watch([() => options.onion, () => options.trail, () => playback.clip?.unit], () => {
    const step = playback.clip ? frameStep(playback.clip.unit) * 3 : 3
    display.set({ onion: options.onion ? { before: 2, after: 2, step } : null, trail: options.trail })
  })
  watch([() => models.activeId, () => playback.state.clip, () => playback.state.time], () => (pending.value = null))
  watch([() => models.activeId, () => playback.state.clip, () => playback.state.time, () => selection.current.joint], () => {
    // a figure that was posed as a whole is held whatever joint is chosen
    if (pending.value && !('pose' in pending.value)) pending.value = null
    refused.value = ''
  })

  /** A second choice of a tool puts it down. */
  function choose(kind: ViewTool['kind']): void {
    tool.kind = tool.kind === kind ? 'none' : kind
    if (tool.kind !== 'none') settle()
  }

  function turnSpace(): void {
    tool.space = SPACES[(SPACES.indexOf(tool.space) + 1) % SPACES.length]
  }

  /** A pose is made at a moment that can have a key. */
  function settle(): void {
    const clip = playback.clip
    if (!clip) return
    playback.play(false)
    const { time } = playback.state
    const step = frameStep(clip.unit)
    const whole = clip.unit === 'ms' ? Math.round(time) : Math.round(time / step) * step
    if (Math.abs(whole - time) > 1e-6) playback.seek(whole)
  }

  /** what is moved or turned at once, as the line at the picture says it */
  const grabbed = shallowRef<GrabShown | null>(null)
  function onGrab(shown: GrabShown | null): void {
    grabbed.value = shown
  }

  /** what tools hold in the picture, as it is drawn */
  const held = shallowRef<HeldPose>(NOTHING_HELD)
  function onHeld(shown: HeldPose): void {
    held.value = shown
    // what the picture has let go of, because of another edit for one, is not there to be keyed
    if (!shown.held && !shown.posed) pending.value = null
  }
  watch(
    () => models.activeId,
    () => (held.value = NOTHING_HELD),
  )

  /** What is chosen follows the pointer from now on; why it does not, where it cannot. */
  function grab(kind: PoseDrag['kind']): void {
    if (selection.current.kind === 'helper') {
      const refused = !points.chosen ? 'pose.helperCannotMove' : kind === 'rotate' ? 'pose.pointHasNoTurn' : null
      if (refused) session.notify('info', say(refused))
      else layout.viewport?.grab(kind)
      return
    }
    if (atRest.value && !skeleton.value?.transform) {
      session.notify('info', say('pose.rest.cannotMove'))
      return
    }
    settle()
    if (layout.viewport && !layout.viewport.grab(kind, atRest.value && keepsSkin.value)) session.notify('info', say('pose.chooseBone'))
  }

  function onReach(drag: ReachDrag): void {
    if (drag.phase === 'start' && playback.state.playing) playback.play(false)
    if (drag.phase === 'cancel') pending.value = drag.grabbed && drag.pose.turned.length + drag.pose.moved.length > 0 ? drag : null
    if (drag.phase !== 'end' || drag.pose.turned.length + drag.pose.moved.length === 0) return
    pending.value = drag
    if (options.auto) void key()
  }

  function onPose(drag: PoseDrag): void {
    if (drag.phase === 'start' && playback.state.playing) playback.play(false)
    if (drag.phase === 'cancel') pending.value = null
    if (drag.phase === 'start') refused.value = ''
    if (drag.phase !== 'end') return
    if (!playback.clip) {
      void place(drag)
      return
    }
    pending.value = drag
    if (options.auto) void key()
  }

  /** The joint's place in the skeleton's file, one step a drag. */
  async function place(drag: PoseDrag): Promise<void> {
    const to = drag.kind === 'move' ? { translation: [...drag.translation] } : { rotation: [...drag.rotation] }
    try {
      await models.edit('skeleton.place', { joint: drag.joint, ...to, keepSkin: keepsSkin.value }, { quiet: true })
    } catch (error) {
      refused.value = errorData(error).message
      layout.viewport?.letGo()
    }
  }

  /** Keys at the playhead: the pose of the handle, or what the chosen bone (or all) shows there. */
  async function key(): Promise<void> {
    const drag = pending.value
    // what is seen is the pose of the clip before
    if (playback.clip?.away) return
    if (!drag) {
      await keys.insert()
      return
    }
    if (options.range) {
      const axes = tool.space === 'local' ? 'own' : 'parent'
      if (!(await offsetOverRange(wantedOf(drag), axes))) layout.viewport?.letGo()
      if (pending.value === drag) pending.value = null
      return
    }
    const several = 'pose' in drag && drag.grabbed && drag.grabbed.count > 1 ? say('units.bones', { count: drag.grabbed.count }) : ''
    const bone = several || models.scene?.skeleton.names[drag.joint].trim() || say('common.noName')
    const time = playback.state.time
    const grabbed = 'pose' in drag ? drag.grabbed : drag
    const label = !grabbed ? 'pose.edit.reach' : grabbed.kind === 'move' ? 'pose.edit.move' : 'pose.edit.turn'
    try {
      const poses = 'pose' in drag ? keysOfJoints(drag.pose, time) : [keyOf(drag, time)]
      await models.edit('clips.pose', { clip: playback.state.clip, label: say(label, { bone }), poses }, { quiet: true })
      await keys.load()
    } catch (error) {
      session.notify('error', errorData(error).message)
      layout.viewport?.letGo()
    } finally {
      if (pending.value === drag) pending.value = null
    }
  }

  /** Numbers of a joint that are being typed or dragged, shown before they are an edit; null: what was shown before. */
  function preview(
    joint: number,
    pose: (Record<'translation' | 'rotation', ArrayLike<number>> & { scale?: ArrayLike<number> }) | null,
  ): void {
    playback.play(false)
    const { viewport } = layout
    if (!pose) {
      viewport?.hold(joint, null)
      return
    }
    const [x, y, z] = Array.from(pose.translation)
    const [qx, qy, qz, qw] = Array.from(pose.rotation)
    const [sx, sy, sz] = Array.from(pose.scale ?? [])
    const scale = pose.scale && { scale: [sx, sy, sz] satisfies [number, number, number] }
    viewport?.hold(joint, { translation: [x, y, z], rotation: [qx, qy, qz, qw], ...scale }, atRest.value && keepsSkin.value)
  }

  /** From the bind pose into the clip that was shown before it. */
  function toClip(): void {
    if (clipForPose.value < 0) return
    playback.chooseClip(clipForPose.value)
    settle()
  }

  load()
  return {
    onReach,
    grabbed,
    onGrab,
    held,
    onHeld,
    grab,
    tool,
    options,
    pending,
    possible,
    usable,
    atRest,
    skeleton,
    refused,
    clipForPose,
    preview,
    toClip,
    shown,
    choose,
    turnSpace,
    settle,
    onPose,
    key,
  }
})

function wantedOf(drag: Posed): WantedJoint[] {
  if ('pose' in drag) return keysOfJoints(drag.pose, 0)
  const { joint } = drag
  return [drag.kind === 'move' ? { joint, translation: drag.translation } : { joint, rotation: drag.rotation }]
}

function keyOf(drag: PoseDrag, time: number): PoseKeys {
  const times = Float64Array.of(time)
  if (drag.kind === 'move') return { joint: drag.joint, times, translation: Float32Array.from(drag.translation) }
  return { joint: drag.joint, times, rotation: Float32Array.from(drag.rotation) }
}

function keysOfJoints({ turned, moved, translation, rotation }: PosedJoints, time: number): PoseKeys[] {
  const times = Float64Array.of(time)
  return [...new Set([...turned, ...moved])].map((joint) => ({
    joint,
    times,
    ...(turned.includes(joint) && { rotation: Float32Array.from(rotation.subarray(4 * joint, 4 * joint + 4)) }),
    ...(moved.includes(joint) && { translation: Float32Array.from(translation.subarray(3 * joint, 3 * joint + 3)) }),
  }))
}
