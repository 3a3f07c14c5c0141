/**
 * What joints are given at the playhead, put upon their keys of a range: how far that is from what the clip has there is the offset of them
 * all. Its numbers, the range and its eases can be adjusted while it is the last step.
 */
import { localPose } from '../../../shared/keys/local-pose.ts'
import { turnFromTo, turnedBy, type KeyOffset } from '../../../shared/keys/offset.ts'
import { eulerDegrees, quaternionOfDegrees } from '../../../shared/keys/value.ts'
import type { Clip, Scene } from '../../../shared/scene/types.ts'
import { formatNumber } from '../../ui/format.ts'
import { useAdjust, type AdjustField, type AdjustValue } from '../adjust.ts'
import { frameStep } from '../clock.ts'
import { useModels } from '../models.ts'
import { usePlayback } from '../playback.ts'
import { useSelection } from '../selection.ts'
import { timeUnit } from './key-tool.ts'
import { useKeys } from './store.ts'
import { say } from '../../../shared/texts/say.ts'

/** A joint as it shall be at the playhead, towards its parent. */
export interface WantedJoint {
  joint: number
  /** x, y, z, w */
  rotation?: ArrayLike<number>
  translation?: ArrayLike<number>
}

/** Frames over which an offset comes and goes, where the range ends within the motion. */
const EASE = 3

/** The range that poses are put upon: from the first to the last of the chosen keys, else the slice or the clip that plays. */
function offsetRange(): { start: number; end: number; whole: boolean } {
  const { span } = useKeys()
  const { clip, slice } = usePlayback()
  if (span && span.end > span.start) return { ...span, whole: false }
  const { start, end } = slice ?? clip ?? { start: 0, end: 0 }
  return { start, end, whole: true }
}

/** What poses do while they are put upon a range, in words. */
export function offsetRangeWords(): string {
  const { start, end } = offsetRange()
  return say('offset.on', { start: formatNumber(start, 6), end: formatNumber(end, 6) })
}

/** @param axes of a turn's numbers. @returns whether it made a step */
export function offsetOverRange(wanted: readonly WantedJoint[], axes: KeyOffset['axes']): Promise<boolean> {
  const models = useModels()
  const playback = usePlayback()
  const selection = useSelection()
  const keys = useKeys()
  return useAdjust().perform(() => {
    const { scene } = models
    const { clip } = playback
    if (!scene || !clip || clip.away || !wanted.length) return null
    const from = wanted.map((one) => offsetOf(scene, clip, playback.state.time, one, axes))
    const single = from.length === 1 && (from[0].turn === undefined) !== (from[0].move === undefined) ? from[0] : null
    const others = single && selection.joints.includes(single.joint) ? selection.joints.filter((joint) => joint !== single.joint) : []
    const { start, end, whole } = offsetRange()
    const step = frameStep(clip.unit)
    const ease = whole ? 0 : Math.min(EASE, Math.floor((end - start) / step / 4)) * step
    const number = (key: string, label: string, more: Partial<AdjustField> = {}): AdjustField =>
      ({ key, label, kind: 'number', ...more }) as AdjustField
    const turns = single?.turn !== undefined
    const by = single ? numbersOf(single) : [100, 0, 0]
    const values: Record<string, AdjustValue> = { x: by[0], y: by[1], z: by[2], start, end, easeIn: ease, easeOut: ease, axes, all: true }
    const what = single
      ? 'xyz'
          .split('')
          .map((axis) =>
            number(axis, say(turns ? 'offset.turn' : 'offset.move', { axis }), turns ? { unit: '°', step: 1, digits: 3 } : { step: 0.01 }),
          )
      : [number('x', say('offset.share'), { unit: '%', min: -200, max: 300, step: 5, slider: true })]
    const time = { unit: timeUnit(), step }
    const fields: AdjustField[] = [
      ...what,
      number('start', say('offset.start'), time),
      number('end', say('offset.end'), time),
      number('easeIn', say('offset.easeIn'), { ...time, min: 0, hint: say('offset.easeHint') }),
      number('easeOut', say('offset.easeOut'), { ...time, min: 0, hint: say('offset.easeHint') }),
      ...(turns
        ? [
            {
              key: 'axes',
              label: say('offset.axes'),
              kind: 'choice',
              options: [
                { value: 'parent', label: say('offset.ofParent') },
                { value: 'own', label: say('offset.own') },
              ],
            } satisfies AdjustField,
          ]
        : []),
      ...(others.length
        ? [{ key: 'all', label: say('offset.all', { count: others.length + 1 }), kind: 'switch' } satisfies AdjustField]
        : []),
    ]
    const bone = scene.skeleton.names[from[0].joint].trim() || say('common.noName')
    const index = playback.state.clip
    return {
      title: say('offset.title'),
      fields,
      values,
      async run(now, way) {
        const offsets = single ? [withNumbers(single, now)] : from.map((one) => scaledOffset(one, Number(now.x) / 100))
        if (now.all) offsets.push(...others.map((joint) => ({ ...offsets[0], joint })))
        const [first, last] = [Number(now.start), Number(now.end)]
        await way.edit('clips.offset', {
          clip: index,
          label: offsets.length > 1 ? say('offset.editMany', { count: offsets.length }) : say('offset.edit', { bone }),
          offsets,
          start: Math.min(first, last),
          end: Math.max(first, last),
          easeIn: Number(now.easeIn),
          easeOut: Number(now.easeOut),
        })
        await keys.load()
      },
    }
  })
}

/** What leads from the clip's pose to the one that is wanted. */
function offsetOf(
  scene: Scene,
  clip: Clip,
  time: number,
  { joint, rotation, translation }: WantedJoint,
  axes: KeyOffset['axes'],
): KeyOffset {
  const now = new Float32Array(10)
  localPose(scene, clip, joint, time, now)
  return {
    joint,
    axes,
    ...(rotation && { turn: turnFromTo(now.subarray(3, 7), rotation, axes) }),
    ...(translation && { move: [0, 1, 2].map((c) => translation[c] - now[c]) }),
  }
}

function numbersOf({ turn, move }: KeyOffset): number[] {
  const out = move ? [...move] : [0, 0, 0]
  if (turn) eulerDegrees(out, turn)
  return out.map((value) => Number(value.toPrecision(6)))
}

function withNumbers({ joint, turn }: KeyOffset, now: Record<string, AdjustValue>): KeyOffset {
  const by = [now.x, now.y, now.z].map(Number)
  const axes = now.axes === 'own' ? 'own' : 'parent'
  if (!turn) return { joint, axes, move: by }
  const stored = [0, 0, 0, 1]
  quaternionOfDegrees(stored, by)
  return { joint, axes, turn: stored }
}

function scaledOffset({ joint, axes, turn, move }: KeyOffset, share: number): KeyOffset {
  const part = [0, 0, 0, 1]
  if (turn) turnedBy(part, 0, turn, axes, share)
  return { joint, axes, ...(turn && { turn: part }), ...(move && { move: move.map((value) => value * share) }) }
}
