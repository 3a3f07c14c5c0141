/** Every rule of the family: how bad, how it is known, what can be done. What happens in the game is said in texts/rules.ts. */
import * as clips from './lint/clips.ts'
import * as skeleton from './lint/skeleton.ts'
import * as slices from './lint/slices.ts'
import * as weights from './lint/weights.ts'
import type * as lint from '../lint.ts'
import type { Document } from '../format.ts'

export const RULES = {
  'alloc-count': { severity: 'error', known: 'two-sources' },
  'alloc-missing': { severity: 'info', known: 'one-source' },
  'alloc-unknown': { severity: 'info', known: 'layout' },
  'bank-of-other-game': { severity: 'info', known: 'one-source' },
  'bbp-apart': { severity: 'info', known: 'one-source' },
  'bbp-matrix': { severity: 'error', known: 'layout' },
  'bbp-nodes': { severity: 'warning', known: 'layout' },
  'bbp-zero': { severity: 'info', known: 'one-source' },
  'event-outside': { severity: 'info', known: 'one-source' },
  'file-missing': { severity: 'warning', known: 'layout' },
  'group-order': { severity: 'info', known: 'one-source' },
  'group-reset': { severity: 'error', known: 'two-sources' },
  'hidden-by-scale': { severity: 'info', known: 'one-source' },
  'key-end': { severity: 'warning', known: 'layout' },
  'key-start': { severity: 'warning', known: 'layout' },
  'key-value': { severity: 'error', known: 'layout' },
  'keys-order': { severity: 'error', known: 'two-sources', fixes: [clips.FIX.sortKeys] },
  'many-meshes': { severity: 'info', known: 'one-source' },
  'mdt-alignment': { severity: 'warning', known: 'bytes' },
  'mesh-sections': { severity: 'info', known: 'one-source' },
  'node-attribute': { severity: 'info', known: 'one-source' },
  'node-cycle': { severity: 'error', known: 'layout' },
  'node-index': { severity: 'warning', known: 'bytes', fixes: [skeleton.FIX.numberNodes] },
  'node-matrix': { severity: 'error', known: 'layout' },
  'node-name': { severity: 'warning', known: 'layout' },
  'node-order': { severity: 'error', known: 'bytes' },
  'node-parent': { severity: 'error', known: 'layout' },
  'node-size': { severity: 'warning', known: 'bytes' },
  'picture-name': { severity: 'warning', known: 'layout' },
  'picture-size': { severity: 'warning', known: 'layout' },
  'picture-unread': { severity: 'warning', known: 'layout' },
  'primitive-kind': { severity: 'info', known: 'layout' },
  'root-track': { severity: 'warning', known: 'bytes' },
  'rotation-length': { severity: 'warning', known: 'bytes' },
  'rotation-without-scale': { severity: 'info', known: 'one-source' },
  'script-name': { severity: 'info', known: 'one-source' },
  'skin-bone': { severity: 'error', known: 'layout' },
  'skin-node': { severity: 'info', known: 'one-source' },
  'skin-owner': { severity: 'error', known: 'layout' },
  'skin-vertex': { severity: 'error', known: 'layout' },
  'texture-missing': { severity: 'warning', known: 'two-sources' },
  'track-duplicate': { severity: 'info', known: 'layout' },
  'track-ends-early': { severity: 'warning', known: 'bytes' },
  'track-kind': { severity: 'warning', known: 'layout' },
  'track-next': { severity: 'error', known: 'layout', fixes: [clips.FIX.setDistances] },
  'track-node': { severity: 'warning', known: 'layout' },
  'track-starts-late': { severity: 'error', known: 'bytes' },
  'track-stop': { severity: 'warning', known: 'bytes', fixes: [clips.FIX.setStop] },
  'track-target': { severity: 'error', known: 'layout' },
  'track-type': { severity: 'info', known: 'layout' },
  'transparency-range': { severity: 'info', known: 'bytes' },
  'vertex-limit': { severity: 'error', known: 'two-sources' },
  'weight-influences': { severity: 'info', known: 'one-source' },
  'weight-range': { severity: 'warning', known: 'layout' },
  'weight-sum': { severity: 'info', known: 'one-source', fixes: [weights.FIX.normalise] },
  'weight-twice': { severity: 'warning', known: 'layout' },
  'window-beyond': { severity: 'warning', known: 'bytes' },
  'window-name': { severity: 'warning', known: 'layout' },
  'window-order': { severity: 'error', known: 'layout', fixes: [slices.FIX.swapWindow] },
  'window-speed': { severity: 'warning', known: 'two-sources' },
} as const satisfies lint.RuleTable<string>

export type RuleId = keyof typeof RULES
export type Report = lint.Report<RuleId>
export type Rule<D extends Document> = lint.Rule<D, RuleId>
