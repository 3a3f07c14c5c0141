/** What a user chooses for a model of the family. */
import type { ModelOption } from '../../format.ts'

/** Keys of the choices. */
export const OPTION = {
  /** what happens to bonesUsed and maxWeightsPerVertex when weights are edited */
  weightLists: 'renderware.weightLists',
} as const

export function weightListsOption(value: unknown): ModelOption {
  return {
    key: OPTION.weightLists,
    label: 'Used bones and maximum of weights',
    reason: 'the game does not count them itself in the new layout',
    value: value === 'leave' || value === 'recompute' ? value : 'extend',
    options: [
      { value: 'extend', label: 'Add what an edit needs' },
      { value: 'recompute', label: 'Count anew with every edit' },
      { value: 'leave', label: 'Leave as they were' },
    ],
  }
}
