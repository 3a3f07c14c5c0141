/** Names and weights of the bones that move a mesh. */
import { fix } from '../../lint.ts'
import { bonesFor } from './lookup.ts'
import { say } from '../texts/index.ts'
import type { Report, Rule } from '../rules.ts'
import type { MshDocument } from '../codecs/msh.ts'

export const FIX = {
  front: fix<MshDocument>(
    'lostsaga.pack-weights',
    () => say('lint.packWeights'),
    (document) =>
      rewriteWeights(
        document,
        (row) => row.slice(read(row)).some((x) => x.weight > 0),
        // the sort is stable: equal weights and unused slots keep their order
        (row) => row.sort((a, b) => Math.max(0, b.weight || 0) - Math.max(0, a.weight || 0)),
      ),
  ),
  sum: fix<MshDocument>(
    'lostsaga.normalise-weights',
    () => say('lint.normaliseWeights'),
    (document) => {
      const sumOf = (row: { weight: number }[]): number => row.slice(0, read(row)).reduce((n, x) => n + x.weight, 0)
      rewriteWeights(
        document,
        (row) => sumOf(row) > 0 && Number.isFinite(sumOf(row)) && Math.abs(sumOf(row) - 1) > 1e-3,
        (row) => {
          const sum = sumOf(row)
          for (const x of row.slice(0, read(row))) x.weight /= sum
        },
      )
    },
  ),
}

export const weights: Rule<MshDocument> = (document, report, model) => {
  const { places } = document
  const names = document.boneNames
  names?.forEach((name, i) => {
    if (!name.text) report.say('empty-list-name', say('lint.emptyBoneName'), `bones[${i}]`, places.bones)
  })
  if (names) {
    const { stem, has } = bonesFor(
      names.map((n) => n.text),
      document.ref,
      model,
    )
    names.forEach((name, i) => {
      if (name.text && has && !has.has(name.text.toLowerCase()))
        report.say('unknown-bone', say('lint.unknownBone', { bone: name.text, skeleton: stem }), `bones[${i}]`, places.bones)
    })
    influences(document, names.length, report)
    rigidSubmeshes(document, report)
  }
}

/** Parts of a skin without any weight, beside parts that have some. */
function rigidSubmeshes({ submeshes, influences, places }: MshDocument, report: Report): void {
  const weighted = (first: number, count: number): boolean => {
    for (let v = Math.max(0, first); v < first + count && 8 * v < influences.length; v++) if (influences[8 * v] > 0) return true
    return false
  }
  const rigid: number[] = []
  for (let s = 0; s < submeshes.length / 4; s++)
    if (submeshes[4 * s + 1] > 0 && !weighted(submeshes[4 * s], submeshes[4 * s + 1])) rigid.push(s)
  if (rigid.length && rigid.length < submeshes.length / 4)
    report.say('rigid-submesh', say('lint.rigidSubmesh', { submesh: rigid[0] }), `submeshes[${rigid[0]}]`, places.submeshes + 16 * rigid[0])
}

function influences(document: MshDocument, bones: number, report: Report): void {
  let range = -1,
    order = -1,
    sum = -1,
    none = -1
  for (let v = 0; v < document.influences.length / 8; v++) {
    let total = 0
    let ended = false
    for (let s = 0; s < 4; s++) {
      const w = document.influences[8 * v + s],
        b = document.influences[8 * v + 4 + s]
      if (!(w > 0)) ended = true
      else {
        if (ended && order < 0) order = v
        if (!ended) total += w
        if ((!Number.isInteger(b) || b < 0 || b >= bones) && range < 0) range = v
      }
    }
    if (total === 0) {
      if (none < 0) none = v
    } else if (Math.abs(total - 1) > 1e-3 && sum < 0) sum = v
  }
  const at = (v: number): number => document.places.influences + 32 * v
  if (range >= 0) report.say('influence-range', say('lint.influenceRange', { vertex: range, bones }), `influences[${range}]`, at(range))
  if (order >= 0) report.say('influence-order', say('lint.influenceOrder', { vertex: order }), `influences[${order}]`, at(order), FIX.front)
  if (sum >= 0) report.say('weight-sum', say('lint.weightSum', { vertex: sum }), `influences[${sum}]`, at(sum), FIX.sum)
  if (none >= 0) report.say('no-weight', say('lint.noWeight', { vertex: none }), `influences[${none}]`, at(none))
}

/** Weights of each vertex that the game would see differently, largest first, with their bones. */
function rewriteWeights(
  mesh: MshDocument,
  wanted: (row: { weight: number; bone: number }[]) => boolean,
  change: (row: { weight: number; bone: number }[]) => void,
): void {
  const w = mesh.influences
  for (let v = 0; v < w.length / 8; v++) {
    const row = [0, 1, 2, 3].map((s) => ({ weight: w[8 * v + s], bone: w[8 * v + 4 + s] }))
    if (!wanted(row)) continue
    change(row)
    row.forEach(({ weight, bone }, s) => {
      w[8 * v + s] = weight
      w[8 * v + 4 + s] = bone
    })
  }
}

const read = (row: { weight: number }[]): number => {
  let n = 0
  while (n < row.length && row[n].weight > 0) n++
  return n
}
