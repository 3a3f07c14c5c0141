/** What a user chooses for a model of the family. */
import type { ModelOption } from '../../format.ts'

/** Keys of the choices. */
export const OPTION = { packing: 'lostsaga.packing' } as const

export function packingOption(value: unknown): ModelOption {
  return {
    key: OPTION.packing,
    label: 'Packed rotations are',
    reason: 'rounding halves the error and the game reads it the same; truncating is what the game’s own tool does',
    value: value === 'game' ? 'game' : 'round',
    options: [
      { value: 'round', label: 'rounded' },
      { value: 'game', label: 'truncated, as the game does' },
    ],
  }
}
