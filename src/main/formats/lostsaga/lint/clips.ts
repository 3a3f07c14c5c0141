/** Tracks, keys and events of an animation. */
import { numberIn } from '../../address.ts'
import { fix } from '../../lint.ts'
import { keyCount, keyRotation, keyTime, strideOf, type AniDocument } from '../codecs/ani.ts'
import { unitLength } from '../codecs/rotation.ts'
import { say } from '../texts/index.ts'
import { length4 } from '../../../../shared/scene/length.ts'
import type { Rule } from '../rules.ts'

const UNIT = 1e-2

export const FIX = {
  order: fix<AniDocument>(
    'lostsaga.sort-keys',
    () => say('lint.sortKeys'),
    (document, diagnostic) => {
      const { tracks, coding } = document
      const track = tracks[numberIn(diagnostic.path, 'tracks') ?? -1]
      if (!track) return
      const stride = strideOf(coding),
        before = track.words.slice()
      const order = Array.from({ length: keyCount(document, track) }, (_, k) => k).sort(
        (a, b) => keyTime(coding, track, a) - keyTime(coding, track, b) || a - b,
      )
      order.forEach((from, to) => track.words.set(before.subarray(from * stride, (from + 1) * stride), to * stride))
    },
  ),
  unit: fix<AniDocument>(
    'lostsaga.unit-keys',
    () => say('lint.unitKeys'),
    (document, diagnostic) => {
      const { tracks, coding } = document
      const track = tracks[numberIn(diagnostic.path, 'tracks') ?? -1]
      if (!track || coding !== 4000) return
      const stride = strideOf(coding)
      for (let k = 0; k < track.words.length; k += stride) {
        const q = track.floats.subarray(k, k + 4)
        if (!(Math.abs(Math.hypot(...q) - 1) <= UNIT)) unitLength(q)
      }
    },
  ),
  end: fix<AniDocument>(
    'lostsaga.end-at-last-key',
    () => say('lint.endAtLastKey'),
    (document) => {
      const clip = document
      for (const track of clip.tracks) {
        const n = keyCount(clip, track)
        for (let k = 0; k < n; k++) clip.totalTime = Math.max(clip.totalTime, keyTime(clip.coding, track, k))
      }
    },
  ),
  event: fix<AniDocument>(
    'lostsaga.event-into-clip',
    () => say('lint.eventIntoClip'),
    (document, diagnostic) => {
      const { events, totalTime } = document
      const event = events[numberIn(diagnostic.path, 'events') ?? -1]
      if (event) event.time[0] = event.time[0] > totalTime ? Math.max(0, totalTime) : 0
    },
  ),
}

function lengthsOf(bone: string, n: number, least: string, most: string): string {
  return least === most
    ? say('lint.nonUnitRotationsAlike', { count: n, bone, length: most })
    : say('lint.nonUnitRotations', { count: n, bone, least, most })
}

export const tracks: Rule<AniDocument> = (document, report) => {
  const q = [0, 0, 0, 0]
  const seen = new Set<string>()
  document.tracks.forEach((track, i) => {
    const name = track.bone.text.toLowerCase()
    if (!name) report.say('empty-bone-name', say('lint.trackWithoutBone'), `tracks[${i}].bone`, track.range.start)
    if (seen.has(name))
      report.say('duplicate-track', say('lint.twoTracks', { bone: track.bone.text }), `tracks[${i}].bone`, track.range.start)
    seen.add(name)
    let last = -1,
      order = -1,
      backwards = false,
      bad = 0,
      least = Infinity,
      most = 0
    for (let k = 0; k < keyCount(document, track); k++) {
      const time = keyTime(document.coding, track, k)
      if (time <= last && order < 0) order = k
      if (k > 0 && time < last) backwards = true
      last = time
      keyRotation(document.coding, track, k, q)
      const length = length4(q[0], q[1], q[2], q[3])
      if (!(Math.abs(length - 1) <= 1e-2)) {
        bad++
        least = Math.min(least, length)
        most = Math.max(most, length)
      }
    }
    if (order >= 0)
      report.say(
        'key-order',
        say('lint.keyOrder', { key: order }),
        `tracks[${i}].keys[${order}]`,
        track.range.start,
        ...(backwards ? [FIX.order] : []),
      )
    if (bad)
      report.say(
        'non-unit-rotation',
        lengthsOf(track.bone.text, bad, least.toFixed(3), most.toFixed(3)),
        `tracks[${i}].keys`,
        track.range.start,
        ...(document.coding === 4000 ? [FIX.unit] : []),
      )
    if (last > document.totalTime)
      report.say(
        'key-after-end',
        say('lint.keyAfterEnd', { bone: track.bone.text, last, end: document.totalTime }),
        `tracks[${i}].keys`,
        track.range.start,
        FIX.end,
      )
  })
  document.events.forEach((event, i) => {
    if (!(event.time[0] >= 0) || event.time[0] > document.totalTime)
      report.say(
        'event-time',
        say('lint.eventTime', { event: event.type.text, time: event.time[0], end: document.totalTime }),
        `events[${i}].time`,
        event.range.end - 4,
        FIX.event,
      )
  })
}
