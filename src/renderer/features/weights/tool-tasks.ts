/** The weight tools as the window offers them: their settings in percent, and the task that these mean for a mesh. */
import type { NativeWeights } from '../../../shared/api/types/weights.ts'
import type { ChangeMode } from '../../../shared/weights/change.ts'
import type { NativeGeometry } from '../../../shared/weights/geometry.ts'
import type { ToolOutcome, ToolTask } from '../../../shared/weights/run.ts'
import type { CopySource } from '../../../shared/weights/tools.ts'
import type { AdjustField, AdjustValue } from '../../core/adjust.ts'
import { formatNumber, plural } from '../../ui/format.ts'

export type Tool = ToolTask['tool']

/** Shares in percent; a type, not an interface, so that it is a record of values too. */
export type ToolSettings = {
  threshold: number
  most: number
  strength: number
  mode: ChangeMode
  amount: number
  from: 'positive' | 'negative'
  tolerance: number
  within: number
}

/** With what only says what the tool works on: the axis of the mirror (-1 for the one found), the mesh to copy from. */
export type ToolChoices = ToolSettings & { axis: number; source: string }

/** What a tool works on, as it stands when it is called. */
export interface ToolGround {
  weights: NativeWeights
  geometry: NativeGeometry | null
  /** index into weights.bones, -1 for none */
  bone: number
  heirs: Int32Array
  /** the other side of each bone */
  pairs: Int32Array
  plane: { axis: number; plane: number } | null
  source: CopySource | null
}

/** @returns the task, or why there is none */
export function taskOf(
  tool: Tool,
  s: ToolSettings,
  { weights, geometry, bone, heirs, pairs, plane, source }: ToolGround,
): ToolTask | string {
  const full = weights.limits.fullWeight
  const undrawn = 'This mesh is not drawn.'
  switch (tool) {
    case 'normalise':
      return { tool }
    case 'prune':
      return { tool, threshold: (s.threshold / 100) * full }
    case 'limit':
      return { tool, most: s.most }
    case 'smooth':
      return geometry ? { tool, strength: s.strength / 100 } : undrawn
    case 'change':
      if (bone < 0) return 'Choose a bone above.'
      if (s.mode === 'smooth' && !geometry) return undrawn
      return {
        tool,
        bone,
        mode: s.mode,
        strength: s.mode === 'replace' ? 1 : (s.mode === 'smooth' ? s.strength : s.amount) / 100,
        amount: (s.amount / 100) * full,
        heirs,
      }
    case 'mirror':
      if (!geometry) return undrawn
      return plane
        ? { tool, axis: plane.axis, plane: plane.plane, from: s.from, pairs, tolerance: (s.tolerance / 100) * geometry.size }
        : 'Looking for the plane that halves the mesh…'
    case 'copy':
      if (!geometry) return undrawn
      return source ? { tool, source, within: (s.within / 100) * geometry.size } : 'No other skinned mesh is open.'
  }
}

export function labelOf(tool: Tool, s: ToolSettings, { weights, bone, source }: ToolGround): string {
  switch (tool) {
    case 'normalise':
      return 'Normalise weights'
    case 'prune':
      return `Prune weights below ${formatNumber(s.threshold, 4)} %`
    case 'limit':
      return `Limit to ${plural(s.most, 'bone')}`
    case 'smooth':
      return 'Smooth weights'
    case 'change':
      return `${{ add: 'Add to', subtract: 'Subtract from', replace: 'Set', smooth: 'Smooth' }[s.mode]} ${weights.bones[bone]?.name ?? ''}`
    case 'mirror':
      return 'Mirror weights'
    case 'copy':
      return `Copy weights from ${source?.weights.mesh ?? ''}`
  }
}

/** Settings that the step can be done again with. */
export function fieldsOf(
  tool: Tool,
  s: ToolSettings,
  weights: NativeWeights,
  sides: { positive: string; negative: string },
): { fields: AdjustField[]; values: Record<string, AdjustValue> } {
  const percent = (key: keyof ToolSettings, label: string, step: number, max = 100): AdjustField => ({
    key,
    label,
    kind: 'number',
    unit: '%',
    min: 0,
    max,
    step,
    digits: 4,
  })
  const strength = percent('strength', 'Strength', 5)
  const fields: Record<Tool, AdjustField[]> = {
    normalise: [],
    prune: [percent('threshold', 'Below', 0.5)],
    limit: [
      { key: 'most', label: 'At most', kind: 'number', unit: 'bones', integer: true, min: 1, max: weights.limits.maxInfluences || 16 },
    ],
    smooth: [strength],
    change: [
      {
        key: 'mode',
        label: 'How',
        kind: 'choice',
        options: [
          { value: 'replace', label: 'Set' },
          { value: 'add', label: 'Add' },
          { value: 'subtract', label: 'Subtract' },
        ],
      },
      percent('amount', 'Weight', 5),
    ],
    mirror: [
      {
        key: 'from',
        label: 'From',
        kind: 'choice',
        options: [
          { value: 'positive', label: sides.positive },
          { value: 'negative', label: sides.negative },
        ],
      },
      percent('tolerance', 'Within', 0.5),
    ],
    copy: [percent('within', 'Within', 1, 1000)],
  }
  const shown = tool === 'change' && s.mode === 'smooth' ? [strength] : fields[tool]
  return { fields: shown, values: Object.fromEntries(shown.map(({ key }) => [key, s[key as keyof ToolSettings]])) }
}

/** What an outcome loses or leaves, in words. */
export function notesOf(tool: Tool, r: ToolOutcome, { weights, pairs }: Pick<ToolGround, 'weights' | 'pairs'>): string[] {
  const out: string[] = []
  const have = (n: number, one: string, many: string): string => `${plural(n, 'vertex', 'vertices')} ${n === 1 ? one : many}`
  const { maxInfluences, step, fullWeight } = weights.limits
  if (r.cut)
    out.push(
      `${have(r.cut, 'keeps only its', 'keep only their')} ${maxInfluences === 1 ? 'largest weight' : `${maxInfluences} largest weights`}`,
    )
  if (r.rounded > step * 1e-3)
    out.push(`rounded to whole ${fullWeight === 100 && step === 1 ? 'percents' : 'steps'}, by ${formatNumber(r.rounded, 2)} at most`)
  if (r.unmatched)
    out.push(
      have(
        r.unmatched,
        tool === 'mirror' ? 'has no counterpart and stays' : 'is too far away and stays',
        tool === 'mirror' ? 'have no counterpart and stay' : 'are too far away and stay',
      ),
    )
  if (tool === 'mirror' && !pairs.some((p, i) => p !== i)) out.push('no bone has another side by its name')
  if (r.missing.length)
    out.push(`not here: ${r.missing.slice(0, 4).join(', ')}${r.missing.length > 4 ? ` and ${r.missing.length - 4} more` : ''}`)
  return out
}

/** `12 vertices change` */
export function changesOf(count: number): string {
  return count === 0 ? 'nothing changes' : `${plural(count, 'vertex', 'vertices')} ${count === 1 ? 'changes' : 'change'}`
}
