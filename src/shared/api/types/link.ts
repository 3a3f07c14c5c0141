/** A model that is worked on in another program. */
import type { ErrorData } from '../errors.ts'
import type { ImportReport } from './import.ts'

export interface LinkState {
  model: string
  /** the file that the program opens and saves */
  path: string
  /** `waiting`: nothing was saved yet; `writing`: the file changes; else what came of the last save */
  status: 'waiting' | 'writing' | 'imported' | 'failed'
  /** of the last change of this state, milliseconds since 1970 */
  at: number
  /** of the last save that was taken */
  report?: ImportReport
  error?: ErrorData
  /** the undo step that the last save is; '' where it changed nothing */
  step: string
}
