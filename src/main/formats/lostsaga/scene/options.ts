/** What a user chooses for a model of the family. */
import { say } from '../texts/index.ts'
import type { ModelOption } from '../../binding.ts'

/** Keys of the choices. */
export const OPTION = { packing: 'lostsaga.packing' } as const

export function packingOption(value: unknown): ModelOption {
  return {
    key: OPTION.packing,
    label: say('scene.packing.label'),
    reason: say('scene.packing.reason'),
    value: value === 'game' ? 'game' : 'round',
    options: [
      { value: 'round', label: say('scene.packing.rounded') },
      { value: 'game', label: say('scene.packing.truncated') },
    ],
  }
}
