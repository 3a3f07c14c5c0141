/** Groups of a WGT, and what skins ask of their mesh. */
import { numberIn } from '../../address.ts'
import { fix } from '../../lint.ts'
import { meshOf, nodeName, nodeOrder } from '../codecs/mds.ts'
import { KEY_WORDS, keyFloats, keyTotal } from '../codecs/tracks.ts'
import { trackOffsets } from '../codecs/track-list.ts'
import { weightGroups } from '../codecs/wgt.ts'
import { checkSkins } from '../scene/checks.ts'
import { isOfDc1, mdsOf } from './lookup.ts'
import { say } from '../texts/index.ts'
import type { LintModel } from '../../family.ts'
import type { Rule } from '../rules.ts'
import type { MdsDocument } from '../codecs/mds.ts'
import type { TrackListDocument, TrackNode } from '../codecs/tracks.ts'

/** DC1 keeps this many skinned vertices. */
const MAX_SKINNED = 3000

export const FIX = {
  normalise: fix<TrackListDocument>(
    'level5.normalise-weights',
    () => say('lint.scaleWeights'),
    (document, diagnostic) => {
      const list = document
      const owner = list.tracks[numberIn(diagnostic.path, 'tracks') ?? -1]?.node
      const groups = weightGroups(list).filter((t) => t.node === owner)
      const sums = new Map<number, number>()
      const each = (body: (vertex: number, floats: Float32Array, at: number) => void): void => {
        for (const group of groups) {
          const floats = keyFloats(group)
          for (let k = 0; k < group.keys.length; k += KEY_WORDS) if (Number.isFinite(floats[k + 4])) body(group.keys[k], floats, k + 4)
        }
      }
      each((vertex, floats, at) => sums.set(vertex, (sums.get(vertex) ?? 0) + floats[at]))
      each((vertex, floats, at) => {
        const sum = sums.get(vertex)!
        // vertices that are right keep their bits
        if (sum > 0 && Math.abs(sum - 100) > 0.5) floats[at] = (floats[at] * 100) / sum
      })
    },
  ),
}

export const vertexLimit: Rule<MdsDocument> = (document, report, model) => {
  for (const member of model.binding?.members ?? []) {
    const other = model.load(member.ref)
    if (other?.format === 'level5.wgt') {
      const { tracks } = other as TrackListDocument
      for (const owner of new Set(tracks.map((t) => t.node))) {
        const mdt = document.nodes[owner] && meshOf(document, document.nodes[owner])
        if (!mdt || mdt.vertices.length / 4 <= MAX_SKINNED) continue
        report.as(
          isOfProgram(tracks, model) ? 'error' : 'warning',
          'vertex-limit',
          say('lint.manyVertices', { node: nodeName(document.nodes[owner]), vertices: mdt.vertices.length / 4, most: MAX_SKINNED }),
          `nodes[${owner}].mdt.vertices`,
        )
      }
    }
  }
}

function isIdentity(matrix: ArrayLike<number>): boolean {
  for (let i = 0; i < 16; i++) if (Math.abs(matrix[i] - (i % 5 ? 0 : 1)) > 1e-4) return false
  return true
}

/** A list with empty groups is DC1's matrix program: reset first, ancestors before descendants. */
export function isProgram(tracks: readonly TrackNode[]): boolean {
  return tracks.some((track) => keyTotal(track) === 0)
}

/** Dark Cloud 1 reads every list so, one without an empty group too. */
function isOfProgram(tracks: readonly TrackNode[], model: LintModel): boolean {
  return isProgram(tracks) || isOfDc1(model)
}

export const weights: Rule<TrackListDocument> = (document, report, model) => {
  const mds = mdsOf(model)
  const offsets = trackOffsets(document)
  const owners = new Map<number, { track: TrackNode; index: number }[]>()
  const all = new Set(weightGroups(document))
  // every skin of the file is reset by a group of its own
  const program = isOfProgram(document.tracks, model)
  document.tracks.forEach((track, index) => {
    if (!all.has(track)) return
    const list = owners.get(track.node)
    if (list) list.push({ track, index })
    else owners.set(track.node, [{ track, index }])
  })
  for (const [owner, groups] of owners) {
    const sums = new Map<number, number>()
    const counts = new Map<number, number>()
    for (const { track, index } of groups) {
      const floats = keyFloats(track)
      const inGroup = new Set<number>()
      let range = -1
      let twice = -1
      for (let k = keyTotal(track) - 1; k >= 0; k--) {
        const vertex = track.keys[KEY_WORDS * k]
        const weight = floats[KEY_WORDS * k + 4]
        if (weight < 0 || weight > 100.01) range = k
        if (inGroup.has(vertex)) twice = k
        inGroup.add(vertex)
        if (!Number.isFinite(weight)) continue
        sums.set(vertex, (sums.get(vertex) ?? 0) + weight)
        if (weight !== 0) counts.set(vertex, (counts.get(vertex) ?? 0) + 1)
      }
      if (range >= 0)
        report.say(
          'weight-range',
          say('lint.weightRange', { weight: floats[KEY_WORDS * range + 4] }),
          `tracks[${index}].keys[${range}].weight`,
          offsets[index] + 32 + 32 * range + 16,
        )
      if (twice >= 0)
        report.say(
          'weight-twice',
          say('lint.vertexTwice', { vertex: track.keys[KEY_WORDS * twice], bone: track.target }),
          `tracks[${index}].keys[${twice}]`,
          offsets[index] + 32 + 32 * twice,
        )
    }
    const off = [...sums].filter(([, sum]) => Math.abs(sum - 100) > 0.5)
    if (off.length)
      report.say(
        'weight-sum',
        say('lint.weightSums', { count: off.length, node: owner, vertex: off[0][0], sum: Number(off[0][1].toFixed(2)) }),
        `tracks[${groups[0].index}]`,
        offsets[groups[0].index],
        FIX.normalise,
      )
    const most = [...counts.values()].reduce((a, b) => Math.max(a, b), 0)
    if (most > 5)
      report.say(
        'weight-influences',
        say('lint.manyBones', { node: owner, count: most }),
        `tracks[${groups[0].index}]`,
        offsets[groups[0].index],
      )
    if (!mds || !mds.nodes[owner]) continue
    if (!program) continue
    const { parents } = nodeOrder(mds)
    const skin = mds.nodes[owner]
    const bones = new Set(groups.map(({ track }) => track.target))
    const roots = [...bones].filter((bone) => !bones.has(parents[bone] ?? -1))
    if (!roots.includes(skin.parent) || !isIdentity(skin.matrix))
      report.say(
        'skin-node',
        say('lint.skinNode', { node: nodeName(skin), parent: mds.nodes[skin.parent] ? nodeName(mds.nodes[skin.parent]) : skin.parent }),
        `tracks[${groups[0].index}]`,
        offsets[groups[0].index],
      )
    if (groups[0].track.target !== mds.nodes[owner].parent || keyTotal(groups[0].track) > 0)
      report.say('group-reset', say('lint.noEmptyGroup', { node: owner }), `tracks[${groups[0].index}]`, offsets[groups[0].index])
    const place = new Map(groups.map(({ track }, i) => [track.target, i]))
    for (const { track, index } of groups) {
      const parent = parents[track.target] ?? -1
      if (parent >= 0 && !place.has(parent) && track.target !== skin.parent)
        report.say('group-order', say('lint.groupWithoutParent', { bone: track.target, parent }), `tracks[${index}]`, offsets[index])
      else if (parent >= 0 && (place.get(parent) ?? -1) > place.get(track.target)!)
        report.say('group-order', say('lint.groupBeforeParent', { bone: track.target, parent }), `tracks[${index}]`, offsets[index])
    }
  }
  if (mds) report.take(checkSkins(document, mds))
}
