/** What has to stay as the game had it: other files, scripts and code of the game count on it. */
import { cfgMotions, keyPath } from '../codecs/cfg-motions.ts'
import { pieceOffsets } from '../codecs/cfg-text.ts'
import { meshOf } from '../codecs/mds.ts'
import { primitiveStride } from '../codecs/mdt.ts'
import { keyTotal } from '../codecs/tracks.ts'
import { asItWas } from '../../lint.ts'
import { say } from '../texts/index.ts'
import { isProgram } from './weights.ts'
import type { Rule } from '../rules.ts'
import type { CfgDocument } from '../codecs/cfg-text.ts'
import type { MdsDocument } from '../codecs/mds.ts'
import type { TrackListDocument, TrackNode } from '../codecs/tracks.ts'

/** Windows are played by their number, and scripts test their frames. */
export const windows: Rule<CfgDocument> = (document, report, model) => {
  const before = asItWas(document, model)
  if (!before || before.compiled || document.compiled) return
  const offsets = pieceOffsets(document)
  const now = cfgMotions(document)
  cfgMotions(before).forEach((old, m) => {
    const keys = now[m]?.keys ?? []
    if (keys.length < old.keys.length)
      report.say(
        'window-count',
        say('lint.windowsGone', { motion: old.number, before: old.keys.length, count: keys.length }),
        `motions[${m}]`,
      )
    keys.forEach((key, k) => {
      const from = old.keys[k]
      if (!from || key.broken || from.broken || (from.start === key.start && from.end === key.end)) return
      // a placeholder is nobody's yet
      if (from.end <= from.start) return
      const words = { window: k, from: from.start, to: from.end, start: key.start, end: key.end }
      report.say('window-moved', say('lint.windowMoved', words), keyPath(m, k), offsets.get(key.statement.pieces[0]) ?? -1)
    })
  })
}

/** Groups without keys carry the chain of matrices on to those behind them. */
export const groups: Rule<TrackListDocument> = (document, report, model) => {
  const before = asItWas(document, model)
  if (!before || !isProgram(before.tracks)) return
  const idOf = ({ node, target }: TrackNode): string => `${node} ${target}`
  const left = new Set(document.tracks.map(idOf))
  for (const track of before.tracks)
    if (keyTotal(track) === 0 && !left.has(idOf(track)))
      report.say('group-gone', say('lint.groupGone', { bone: track.target, node: track.node }), 'tracks')
}

/** What the game makes of a model when it loads it: bytes of a node, of a mesh, of a corner in each of its streams, of a primitive; and a part more. */
const BUILT = { node: 0x270, mesh: 0x30, corner: 16, primitive: 64, more: 1.15 }

function builtSize(mds: MdsDocument): number {
  let size = BUILT.node * mds.nodes.length
  for (const node of mds.nodes) {
    const mdt = meshOf(mds, node)
    if (!mdt) continue
    size += BUILT.mesh
    for (const { type, corners } of mdt.faces?.primitives ?? []) size += BUILT.primitive + BUILT.corner * corners * primitiveStride(type)
  }
  return Math.round(BUILT.more * size)
}

/** Rooms for models are as large as the game's own need. */
export const built: Rule<MdsDocument> = (document, report, model) => {
  const before = asItWas(document, model)
  if (!before) return
  const [was, is] = [builtSize(before), builtSize(document)]
  if (is > was) report.say('built-larger', say('lint.builtLarger', { before: was, count: is }), 'nodes')
}
