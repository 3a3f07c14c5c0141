/** What a user chooses for a model of the family. */
import type { ModelChoices, ModelOption } from '../../format.ts'
import type { BbpForm } from '../codecs/bbp.ts'
import type { Swizzle } from '../codecs/tim2-pixels.ts'

/** Keys of the choices. */
export const OPTION = { tickRate: 'level5.tickRate', type40: 'level5.type40', bbp: 'level5.bbp', swizzle: 'level5.swizzle' } as const

export type Type40 = 'transparency' | 'scale'

const TICK_RATE = 30

function choiceOf<T extends string>(value: unknown, allowed: readonly T[], fallback: T): T {
  return allowed.includes(value as T) ? (value as T) : fallback
}

/** Frames a second that speed 1 means. */
export function tickRateOf(choices: ModelChoices): number {
  const value = choices[OPTION.tickRate]
  return typeof value === 'number' && value > 0 ? value : TICK_RATE
}

export function swizzleOf(choices: ModelChoices): Swizzle {
  return choiceOf<Swizzle>(choices[OPTION.swizzle], ['auto', 'linear', 'swizzled'], 'auto')
}

export function bbpFormOf(choices: ModelChoices): 'auto' | BbpForm {
  return choiceOf<'auto' | BbpForm>(choices[OPTION.bbp], ['auto', 'local', 'world'], 'auto')
}

export function type40Of(choices: ModelChoices): 'auto' | Type40 {
  return choiceOf<'auto' | Type40>(choices[OPTION.type40], ['auto', 'transparency', 'scale'], 'auto')
}

export function tickRateOption(rate: number): ModelOption {
  return {
    key: OPTION.tickRate,
    label: 'Game ticks per second',
    reason: 'the KEY speed is frames per tick; sources say 30, 60 is possible',
    value: rate,
    options: [...new Set([30, 60, rate])].map((value) => ({ value, label: `${value}` })),
  }
}

/** @param paletted 8-bit pictures of the model, @param turned those of them that are read as swizzled */
export function swizzleOption(swizzle: Swizzle, paletted: number, turned: number): ModelOption {
  return {
    key: OPTION.swizzle,
    label: 'Pixels of 8-bit textures',
    reason:
      swizzle === 'auto'
        ? `the table of an IM3 says so, elsewhere no header bit tells; ${turned} of ${paletted} are read as swizzled`
        : 'chosen',
    value: swizzle,
    options: [
      { value: 'auto', label: 'Decide by smoothness' },
      { value: 'linear', label: 'Row by row' },
      { value: 'swizzled', label: 'Swizzled' },
    ],
  }
}

export function bbpOption(chosen: 'auto' | BbpForm, found: { form: BbpForm; reason: string }): ModelOption {
  return {
    key: OPTION.bbp,
    label: 'Bind matrices',
    reason:
      chosen === 'auto' ? `${found.form === 'local' ? 'local (Dark Cloud 1)' : 'model-space (Dark Cloud 2)'}: ${found.reason}` : 'chosen',
    value: chosen,
    options: [
      { value: 'auto', label: 'Decide by the pose of the MDS' },
      { value: 'local', label: 'Local (Dark Cloud 1)' },
      { value: 'world', label: 'Model space (Dark Cloud 2)' },
    ],
  }
}

/** @param transparent of the tracks of type 40 that the evidence takes for transparency */
export function type40Option(chosen: 'auto' | Type40, transparent: number, type40: number): ModelOption {
  return {
    key: OPTION.type40,
    label: 'Track type 40 (0x28)',
    reason:
      chosen === 'auto'
        ? `${transparent} of ${type40} tracks are for a material of a node with a mesh and stay within 0 to 1: transparency (alpha = 1 - x)${transparent < type40 ? '; the others are read as uniform scale' : ''}`
        : 'chosen',
    value: chosen,
    options: [
      { value: 'auto', label: 'Decide per track' },
      { value: 'transparency', label: 'Transparency, alpha = 1 - x' },
      { value: 'scale', label: 'Uniform scale (public spec)' },
    ],
  }
}
