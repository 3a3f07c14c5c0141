/** What stands beside the keys in the ruler (ends of slices, events, markers) and moves in time with them, in the same step. */
import type { CallArgs } from '../../../shared/api/contract.ts'
import { cycled } from '../../../shared/keys/cycle.ts'
import { timeMap, type TimeChange } from '../../../shared/keys/tasks.ts'
import type { AdjustField } from '../adjust.ts'
import { useModels } from '../models.ts'
import { usePlayback } from '../playback.ts'
import { say } from '../../../shared/texts/say.ts'

export type Beside = NonNullable<CallArgs<'clips.editKeys'>['beside']>

export const besideField = (): AdjustField => ({
  key: 'beside',
  label: say('keyEdits.beside'),
  kind: 'switch',
  hint: say('keyEdits.besideHint'),
})

/** Ends of slices, events and markers of the clip within a span, where a change of time takes them. */
export const besideKeys = (change: TimeChange, within: Span): Beside => besideAt(timeMap(change).to, within, true)

/** Events and markers of a loop that begins later: what begins it is its slice's. */
export const besideCycle = (by: number, within: Span): Beside => besideAt(cycled(within.start, within.end, by), within, false)

interface Span {
  start: number
  end: number
}

function besideAt(to: (time: number) => number, within: Span, slices: boolean): Beside {
  const models = useModels()
  const playback = usePlayback()
  const scene = models.scene
  const clip = playback.state.clip
  const abilities = models.info?.abilities
  const inside = (t: number): boolean => t >= within.start && t <= within.end
  const whole = (t: number): number => Number(t.toPrecision(12))
  const out: Beside = { slices: [], events: [], markers: [] }
  if (slices && abilities?.slices) {
    const stored = (t: number): number => (abilities.slices!.integerFrames ? Math.round(t) : whole(t))
    scene?.slices.forEach((s, slice) => {
      if (s.clip !== clip || !(inside(s.start) || inside(s.end))) return
      const ends = [s.start, s.end].map((t) => (inside(t) ? stored(to(t)) : t)).sort((a, b) => a - b)
      if (ends[0] !== s.start || ends[1] !== s.end) out.slices.push({ slice, start: ends[0], end: ends[1] })
    })
  }
  if (abilities?.events) {
    scene?.clips[clip]?.events.forEach((e, event) => {
      const time = playback.clip?.unit === 'ms' ? Math.round(to(e.time)) : whole(to(e.time))
      if (inside(e.time) && time !== e.time) out.events.push({ event, time: Math.max(0, time) })
    })
  }
  scene?.markers.forEach((m, marker) => {
    const time = whole(to(m.time))
    if (m.clip === clip && inside(m.time) && time !== m.time) out.markers.push({ marker, time })
  })
  return out
}
