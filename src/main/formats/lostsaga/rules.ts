/** Every rule of the family: how bad, how it is known, what can be done. What happens in the game is said in texts/rules.ts. */
import * as clips from './lint/clips.ts'
import * as meshes from './lint/meshes.ts'
import * as skeleton from './lint/skeleton.ts'
import * as textures from './lint/textures.ts'
import * as weights from './lint/weights.ts'
import type * as lint from '../lint.ts'
import type { Document } from '../format.ts'

export const RULES = {
  'bind-is-not-rest': { severity: 'warning', known: 'bytes' },
  'bounding-box': { severity: 'warning', known: 'bytes', fixes: [meshes.FIX.box] },
  'bounding-radius': { severity: 'warning', known: 'bytes', fixes: [meshes.FIX.box] },
  'child-list': { severity: 'warning', known: 'layout', fixes: [skeleton.FIX.children] },
  'colour-of-three': { severity: 'warning', known: 'bytes', fixes: [textures.FIX.colour] },
  'duplicate-bone': { severity: 'error', known: 'layout' },
  'duplicate-track': { severity: 'warning', known: 'layout' },
  'empty-bone-name': { severity: 'error', known: 'layout' },
  'empty-list-name': { severity: 'info', known: 'one-source' },
  'event-time': { severity: 'warning', known: 'layout', fixes: [clips.FIX.event] },
  'face-winding': { severity: 'error', known: 'bytes', fixes: [meshes.FIX.winding] },
  'file-case': { severity: 'info', known: 'one-source' },
  'index-range': { severity: 'error', known: 'layout' },
  'influence-order': { severity: 'info', known: 'one-source', fixes: [weights.FIX.front] },
  'influence-range': { severity: 'error', known: 'layout' },
  'key-after-end': { severity: 'warning', known: 'bytes', fixes: [clips.FIX.end] },
  'key-order': { severity: 'warning', known: 'bytes', fixes: [clips.FIX.order] },
  'many-faces': { severity: 'info', known: 'one-source' },
  'material-count': { severity: 'error', known: 'bytes' },
  'mesh-type': { severity: 'warning', known: 'bytes' },
  'no-weight': { severity: 'warning', known: 'bytes' },
  'non-unit-rotation': { severity: 'info', known: 'bytes', fixes: [skeleton.FIX.rest, clips.FIX.unit] },
  'parent-order': { severity: 'warning', known: 'bytes' },
  'position-not-finite': { severity: 'error', known: 'layout' },
  'rigid-submesh': { severity: 'info', known: 'one-source' },
  'submesh-faces': { severity: 'error', known: 'layout' },
  'submesh-vertices': { severity: 'error', known: 'layout' },
  'texture-missing': { severity: 'warning', known: 'layout' },
  'too-many-vertices': { severity: 'error', known: 'bytes' },
  'unknown-bone': { severity: 'error', known: 'layout' },
  'unknown-parent': { severity: 'error', known: 'layout' },
  'weight-sum': { severity: 'warning', known: 'bytes', fixes: [weights.FIX.sum] },
  'weights-without-indices': { severity: 'warning', known: 'bytes', fixes: [meshes.FIX.indices] },
} as const satisfies lint.RuleTable<string>

export type RuleId = keyof typeof RULES
export type Report = lint.Report<RuleId>
export type Rule<D extends Document> = lint.Rule<D, RuleId>
