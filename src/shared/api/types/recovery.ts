/** What a crash left. */

export interface RecoveredModel {
  id: string
  primary: string
  name: string
  steps: number
  lastEdit: number
  /** the journal is damaged: what of it is lost, in words. It stays on disk whatever is chosen; some of it may be restorable */
  damage?: { message: string; restorable: boolean }
}
