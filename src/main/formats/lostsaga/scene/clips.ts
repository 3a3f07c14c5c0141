/** Animations as clips of the scene. */
import { withoutExtension } from '../../../../shared/ref.ts'
import { kept } from '../../kept.ts'
import { keyCount, keyRotation, keyTime, strideOf } from '../codecs/ani.ts'
import { flipRotations, flipVectors } from './basis.ts'
import { say } from '../texts/index.ts'
import type { Diagnostics } from '../../format.ts'
import type { Clip, Scene, Track } from '../../../../shared/scene/types.ts'
import { unitQuaternion } from '../../../../shared/scene/length.ts'
import type { AniDocument, AniTrack } from '../codecs/ani.ts'
import type { Rig } from './skeleton.ts'

/** A clip for each file; tracks of bones that the skeleton does not have are left out. */
export function addClips(scene: Scene, rig: Rig, documents: readonly AniDocument[], report: (ref: string) => Diagnostics): void {
  for (const document of documents) scene.clips.push(clipOf(document, rig, report(document.ref)))
}

function clipOf(document: AniDocument, rig: Rig, report: Diagnostics): Clip {
  const tracks: Track[] = []
  let matched = 0
  document.tracks.forEach((track, i) => {
    const joint = rig.jointByName.get(track.bone.text.toLowerCase())
    if (joint === undefined) return
    matched++
    const { times, rotations, positions } = kept(document, track.range, `scene ${document.coding}`, () => columnsOf(document, track))
    const source = (part: string): Track['source'] => ({ ref: document.ref, path: `tracks[${i}].${part}` })
    const common = { target: { kind: 'joint', index: joint } as const, mode: 'absolute' as const, times, outside: 'hold' as const }
    tracks.push({
      ...common,
      property: 'rotation',
      interpolation: 'slerp',
      values: rotations,
      label: say('scene.rotation', { bone: track.bone.text }),
      source: source('rotation'),
    })
    tracks.push({
      ...common,
      property: 'translation',
      interpolation: 'linear',
      values: positions,
      label: say('scene.position', { bone: track.bone.text }),
      source: source('position'),
    })
  })
  if (matched < document.tracks.length)
    report.add(
      'info',
      'lostsaga.track-without-bone',
      say('scene.tracksWithoutBone', { count: document.tracks.length - matched, all: document.tracks.length }),
      'tracks',
    )
  let end = document.totalTime
  for (const t of tracks) if (t.times.length) end = Math.max(end, t.times[t.times.length - 1])
  return {
    name: withoutExtension(document.ref),
    tracks,
    start: 0,
    end: Math.max(1, end),
    rate: 1000,
    unit: 'ms',
    loop: 'none',
    fit: { matched, total: document.tracks.length },
    events: document.events.map((e, i) => ({
      time: e.time[0],
      type: e.type.text,
      info: e.info.text,
      source: { ref: document.ref, path: `events[${i}]` },
    })),
    source: { ref: document.ref, path: '' },
  }
}

function columnsOf(document: AniDocument, track: AniTrack): { times: Float32Array; rotations: Float32Array; positions: Float32Array } {
  const n = keyCount(document, track)
  const stride = strideOf(document.coding)
  const times = new Float32Array(n),
    rotations = new Float32Array(4 * n),
    positions = new Float32Array(3 * n)
  for (let k = 0; k < n; k++) {
    times[k] = keyTime(document.coding, track, k)
    keyRotation(document.coding, track, k, rotations, 4 * k)
    const p = (k + 1) * stride - 4
    for (let c = 0; c < 3; c++) positions[3 * k + c] = track.floats[p + c]
    unitQuaternion(rotations, 4 * k, 0)
  }
  sortKeys(times, rotations, positions)
  flipRotations(rotations)
  flipVectors(positions)
  return { times, rotations, positions }
}

/** Keys by time, as a scene has them: damaged files have them in any order. Of keys at one time the later one stays behind the earlier. */
function sortKeys(times: Float32Array, rotations: Float32Array, positions: Float32Array): void {
  let sorted = true
  for (let k = 1; k < times.length && sorted; k++) sorted = times[k] >= times[k - 1]
  if (sorted) return
  const was = [times.slice(), rotations.slice(), positions.slice()]
  const order = Uint32Array.from(times.keys()).sort((a, b) => was[0][a] - was[0][b] || a - b)
  for (let k = 0; k < order.length; k++) {
    times[k] = was[0][order[k]]
    for (let c = 0; c < 4; c++) rotations[4 * k + c] = was[1][4 * order[k] + c]
    for (let c = 0; c < 3; c++) positions[3 * k + c] = was[2][3 * order[k] + c]
  }
}
