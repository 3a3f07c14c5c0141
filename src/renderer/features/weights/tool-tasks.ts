/** The weight tools as the window offers them: their settings in percent, and the task that these mean for a mesh. */
import type { NativeWeights } from '../../../shared/api/types/weights.ts'
import type { ChangeMode } from '../../../shared/weights/change.ts'
import type { NativeGeometry } from '../../../shared/weights/geometry.ts'
import type { ToolOutcome, ToolTask } from '../../../shared/weights/run.ts'
import type { CopySource } from '../../../shared/weights/tools.ts'
import { say } from '../../../shared/texts/say.ts'
import type { AdjustField, AdjustValue } from '../../core/adjust.ts'
import { formatNumber } from '../../ui/format.ts'

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
  switch (tool) {
    case 'normalise':
      return { tool }
    case 'prune':
      return { tool, threshold: (s.threshold / 100) * full }
    case 'limit':
      return { tool, most: s.most }
    case 'smooth':
      return geometry ? { tool, strength: s.strength / 100 } : say('weights.blocked.notDrawn')
    case 'change':
      if (bone < 0) return say('weights.blocked.chooseBone')
      if (s.mode === 'smooth' && !geometry) return say('weights.blocked.notDrawn')
      return {
        tool,
        bone,
        mode: s.mode,
        strength: s.mode === 'replace' ? 1 : (s.mode === 'smooth' ? s.strength : s.amount) / 100,
        amount: (s.amount / 100) * full,
        heirs,
      }
    case 'mirror':
      if (!geometry) return say('weights.blocked.notDrawn')
      return plane
        ? { tool, axis: plane.axis, plane: plane.plane, from: s.from, pairs, tolerance: (s.tolerance / 100) * geometry.size }
        : say('weights.blocked.noPlane')
    case 'copy':
      if (!geometry) return say('weights.blocked.notDrawn')
      return source ? { tool, source, within: (s.within / 100) * geometry.size } : say('weights.blocked.noSource')
  }
}

export function labelOf(tool: Tool, s: ToolSettings, { weights, bone, source }: ToolGround): string {
  switch (tool) {
    case 'normalise':
      return say('weights.tools.normalise.step')
    case 'prune':
      return say('weights.tools.prune.step', { percent: formatNumber(s.threshold, 4) })
    case 'limit':
      return say('weights.tools.limit.step', { bones: say('units.bones', { count: s.most }) })
    case 'smooth':
      return say('weights.tools.smooth.step')
    case 'change':
      return say(`weights.tools.change.steps.${s.mode}`, { bone: weights.bones[bone]?.name ?? '' })
    case 'mirror':
      return say('weights.tools.mirror.step')
    case 'copy':
      return say('weights.tools.copy.step', { mesh: source?.weights.mesh ?? '' })
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
  const strength = percent('strength', say('weights.fields.strength'), 5)
  const fields: Record<Tool, AdjustField[]> = {
    normalise: [],
    prune: [percent('threshold', say('weights.fields.below'), 0.5)],
    limit: [
      {
        key: 'most',
        label: say('weights.fields.atMost'),
        kind: 'number',
        unit: say('weights.fields.bones'),
        integer: true,
        min: 1,
        max: weights.limits.maxInfluences || 16,
      },
    ],
    smooth: [strength],
    change: [
      {
        key: 'mode',
        label: say('weights.fields.how'),
        kind: 'choice',
        options: [
          { value: 'replace', label: say('weights.modes.replace') },
          { value: 'add', label: say('weights.modes.add') },
          { value: 'subtract', label: say('weights.modes.subtract') },
        ],
      },
      percent('amount', say('weights.fields.weight'), 5),
    ],
    mirror: [
      {
        key: 'from',
        label: say('weights.fields.from'),
        kind: 'choice',
        options: [
          { value: 'positive', label: sides.positive },
          { value: 'negative', label: sides.negative },
        ],
      },
      percent('tolerance', say('weights.fields.within'), 0.5),
    ],
    copy: [percent('within', say('weights.fields.within'), 1, 1000)],
  }
  const shown = tool === 'change' && s.mode === 'smooth' ? [strength] : fields[tool]
  return { fields: shown, values: Object.fromEntries(shown.map(({ key }) => [key, s[key as keyof ToolSettings]])) }
}

/** What an outcome loses or leaves, in words. */
export function notesOf(tool: Tool, r: ToolOutcome, { weights, pairs }: Pick<ToolGround, 'weights' | 'pairs'>): string[] {
  const out: string[] = []
  const { maxInfluences, step, fullWeight } = weights.limits
  if (r.cut)
    out.push(
      maxInfluences === 1
        ? say('weights.outcome.cutToLargest', { count: r.cut })
        : say('weights.outcome.cutToMost', { count: r.cut, most: maxInfluences }),
    )
  if (r.rounded > step * 1e-3) {
    const isPercent = fullWeight === 100 && step === 1
    const by = formatNumber(r.rounded, 2)
    out.push(isPercent ? say('weights.outcome.roundedToPercents', { by }) : say('weights.outcome.roundedToSteps', { by }))
  }
  if (r.unmatched) {
    const count = r.unmatched
    out.push(tool === 'mirror' ? say('weights.outcome.noCounterpart', { count }) : say('weights.outcome.tooFar', { count }))
  }
  if (tool === 'mirror' && !pairs.some((p, i) => p !== i)) out.push(say('weights.outcome.noSides'))
  if (r.missing.length) {
    const names = r.missing.slice(0, 4).join(', ')
    const more = r.missing.length - 4
    out.push(more > 0 ? say('weights.outcome.missingMore', { names, more }) : say('weights.outcome.missing', { names }))
  }
  return out
}

/** `12 vertices change` */
export function changesOf(count: number): string {
  return count === 0 ? say('weights.outcome.noChange') : say('weights.outcome.changes', { count })
}
