/** What a user chooses for a model of the family. */
import { say } from '../texts/index.ts'
import type { ModelOption } from '../../binding.ts'

/** Keys of the choices. */
export const OPTION = {
  /** what happens to bonesUsed and maxWeightsPerVertex when weights are edited */
  weightLists: 'renderware.weightLists',
} as const

export function weightListsOption(value: unknown): ModelOption {
  return {
    key: OPTION.weightLists,
    label: say('scene.weightLists.label'),
    reason: say('scene.weightLists.reason'),
    value: value === 'leave' || value === 'recompute' ? value : 'extend',
    options: [
      { value: 'extend', label: say('scene.weightLists.extend') },
      { value: 'recompute', label: say('scene.weightLists.recompute') },
      { value: 'leave', label: say('scene.weightLists.leave') },
    ],
  }
}
