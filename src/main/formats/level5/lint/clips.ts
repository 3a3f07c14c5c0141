/** Tracks and keys of an animation. */
import { numberIn } from '../../address.ts'
import { decompose } from '../../../../shared/scene/matrix.ts'
import { fix } from '../../lint.ts'
import { nodeAttributes } from '../codecs/attributes.ts'
import { meshOf, nodeName } from '../codecs/mds.ts'
import { isWeightType } from '../codecs/mot.ts'
import { KEY_WORDS, keyFloats, keyTotal, setKeys } from '../codecs/tracks.ts'
import { TRACK_TYPE, isKnownType, typeComponents, typeLabel } from '../codecs/track-types.ts'
import { trackOffsets } from '../codecs/track-list.ts'
import { checkTrackNodes } from '../scene/checks.ts'
import { mdsOf } from './lookup.ts'
import { say } from '../texts/index.ts'
import { length4 } from '../../../../shared/scene/length.ts'
import type { Rule } from '../rules.ts'
import type { TrackListDocument, TrackNode } from '../codecs/tracks.ts'

export const FIX = {
  setStop: fix<TrackListDocument>(
    'level5.set-stop',
    () => say('lint.setStopFlag'),
    (document) => {
      const last = document.tracks.at(-1)
      if (last) last.next = 0
    },
  ),
  setDistances: fix<TrackListDocument>(
    'level5.set-distances',
    () => say('lint.writeDistances'),
    (document) => {
      const list = document
      // tracks that follow each other by their counts have nothing between them
      list.tracks.forEach((track, i) => (track.next = i === list.tracks.length - 1 ? 0 : track.headerSize + track.keys.byteLength))
      delete list.byCount
    },
  ),
  sortKeys: fix<TrackListDocument>(
    'level5.sort-keys',
    () => say('lint.sortKeys'),
    (document, diagnostic) => {
      const track = document.tracks[numberIn(diagnostic.path, 'tracks') ?? -1]
      if (!track) return
      const order = Array.from({ length: keyTotal(track) }, (_, k) => k).sort(
        (a, b) => track.keys[KEY_WORDS * a] - track.keys[KEY_WORDS * b] || a - b,
      )
      const keys = new Uint32Array(track.keys.length)
      order.forEach((k, i) => keys.set(track.keys.subarray(KEY_WORDS * k, KEY_WORDS * k + KEY_WORDS), KEY_WORDS * i))
      setKeys(track, keys)
    },
  ),
}

/** What MOT and WGT have in common. */
export const tracks: Rule<TrackListDocument> = (document, report) => {
  const offsets = trackOffsets(document)
  const weights = document.format === 'level5.wgt'
  document.tracks.forEach((track, i) => {
    const path = `tracks[${i}]`
    const last = i === document.tracks.length - 1
    const size = track.headerSize + track.keys.byteLength + track.gap.length
    if (document.byCount) {
      if (i === 0) report.say('track-next', say('lint.distancesOfNone'), `${path}.next`, offsets[0] + 20, FIX.setDistances)
    } else if (last && track.next !== 0) report.say('track-stop', say('lint.noStopFlag'), `${path}.next`, offsets[i] + 20, FIX.setStop)
    else if (!last && track.next !== size)
      report.as('warning', 'track-next', say('lint.nextTrack', { next: track.next, size }), `${path}.next`, offsets[i] + 20)
    if (!isKnownType(track.type)) report.say('track-type', say('lint.trackType', { type: track.type }), `${path}.type`, offsets[i] + 8)
    else if (isWeightType(track.type) !== weights)
      report.say(
        'track-kind',
        say(weights ? 'lint.typeInWeights' : 'lint.typeInAnimation', { type: typeLabel(track.type) }),
        `${path}.type`,
        offsets[i] + 8,
      )
    const floats = keyFloats(track)
    const width = typeComponents(track.type).length
    let bad = -1
    for (let k = keyTotal(track) - 1; k >= 0 && isKnownType(track.type); k--)
      for (let c = 0; c < width; c++) if (!Number.isFinite(floats[KEY_WORDS * k + 4 + c])) bad = k
    if (bad >= 0) report.say('key-value', say('lint.noNumber'), `${path}.keys[${bad}]`, offsets[i] + 32 + 32 * bad + 16)
  })
}

function firstDisorder(track: TrackNode): number {
  for (let k = 1; k < keyTotal(track); k++) if (track.keys[KEY_WORDS * k] < track.keys[KEY_WORDS * (k - 1)]) return k
  return -1
}

/** What moves a node as a whole. */
const MOVES: ReadonlySet<number> = new Set([TRACK_TYPE.rotation, TRACK_TYPE.scale, TRACK_TYPE.translation])

/** Nodes are hidden by tools that scale them to this. */
const SHRUNK = 0.001

function shrinks(floats: Float32Array, n: number): boolean {
  for (let k = 0; k < n; k++)
    if ([4, 5, 6].every((c) => Math.abs(floats[KEY_WORDS * k + c]) <= 1.01 * SHRUNK && floats[KEY_WORDS * k + c] !== 0)) return true
  return false
}

export const motion: Rule<TrackListDocument> = (document, report, model) => {
  const mds = mdsOf(model)
  const offsets = trackOffsets(document)
  const seen = new Map<string, number>()
  const scaled = new Set(document.tracks.filter((t) => t.type === TRACK_TYPE.scale && keyTotal(t) > 0).map((t) => t.node))
  document.tracks.forEach((track, i) => {
    const path = `tracks[${i}]`
    const floats = keyFloats(track)
    const n = keyTotal(track)
    const disorder = firstDisorder(track)
    if (disorder >= 0)
      report.say('keys-order', say('lint.keyOrder'), `${path}.keys[${disorder}]`, offsets[i] + 32 + 32 * disorder, FIX.sortKeys)
    const id = `${track.node}/${track.type}/${[TRACK_TYPE.vertex, TRACK_TYPE.transparency, TRACK_TYPE.color].includes(track.type as 12) ? track.target : ''}`
    const first = seen.get(id)
    if (first !== undefined)
      report.say('track-duplicate', say('lint.secondTrack', { node: track.node, type: typeLabel(track.type), first }), path, offsets[i])
    else seen.set(id, i)
    if (track.type === TRACK_TYPE.rotation) {
      for (let k = 0; k < n; k++) {
        const length = length4(floats[KEY_WORDS * k + 4], floats[KEY_WORDS * k + 5], floats[KEY_WORDS * k + 6], floats[KEY_WORDS * k + 7])
        if (Math.abs(length - 1) > 0.01) {
          report.say(
            'rotation-length',
            say('lint.rotationLength', { length: length.toFixed(3) }),
            `${path}.keys[${k}]`,
            offsets[i] + 32 + 32 * k + 16,
          )
          break
        }
      }
    }
    if (track.type === TRACK_TYPE.transparency) {
      for (let k = 0; k < n; k++) {
        const x = floats[KEY_WORDS * k + 4]
        if (x < -1e-4 || x > 1 + 1e-4) {
          report.say(
            'transparency-range',
            say('lint.noTransparency', { value: Number(x.toPrecision(4)) }),
            `${path}.keys[${k}].x`,
            offsets[i] + 32 + 32 * k + 16,
          )
          break
        }
      }
    }
    if (track.node === 0 && n > 0 && MOVES.has(track.type))
      report.say('root-track', say('lint.rootTrack', { node: mds?.nodes[0] ? nodeName(mds.nodes[0]) : '0' }), `${path}.node`, offsets[i])
    const node = mds?.nodes[track.node]
    if (!mds || !node) return
    if (track.type === TRACK_TYPE.scale && shrinks(floats, n))
      report.say('hidden-by-scale', say('lint.hiddenByScale', { node: nodeName(node), scale: SHRUNK }), path, offsets[i])
    if (track.type === TRACK_TYPE.rotation && n > 0 && nodeAttributes(nodeName(node)).billboard !== 'none')
      report.say('billboard-turned', say('lint.billboardTurned', { node: nodeName(node) }), path, offsets[i])
    const mdt = meshOf(mds, node)
    if (track.type === TRACK_TYPE.vertex && (!mdt || track.target < 1 || track.target > mdt.vertices.length / 4))
      report.say('track-target', say('lint.noVertex', { node: nodeName(node), vertex: track.target - 1 }), `${path}.target`, offsets[i] + 4)
    if (
      (track.type === TRACK_TYPE.transparency || track.type === TRACK_TYPE.color) &&
      (!mdt || track.target < 0 || track.target >= mdt.materials.length)
    )
      report.as(
        'warning',
        'track-target',
        say('lint.noMaterial', { node: nodeName(node), material: track.target }),
        `${path}.target`,
        offsets[i] + 4,
      )
    if (track.type === TRACK_TYPE.rotation && n > 0 && !scaled.has(track.node)) {
      const scale = new Float32Array(3)
      decompose(node.matrix, 0, new Float32Array(3), 0, new Float32Array(4), 0, scale, 0)
      if (scale.some((s) => Math.abs(Math.abs(s) - 1) > 0.01))
        report.say(
          'rotation-without-scale',
          say('lint.turnedNotScaled', { node: nodeName(node), scale: Array.from(scale, (s) => Number(s.toPrecision(3))).join(' ') }),
          path,
          offsets[i],
        )
    }
  })
  if (mds) report.take(checkTrackNodes(document, mds))
}
