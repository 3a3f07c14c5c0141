/** One undo stack per model. A step holds patches of one or more files, each between two numbered states. */
import type { Patch } from './patch.ts'

export interface FileStep {
  patch: Patch
  before: number
  after: number
}

export interface Step {
  /** the same in the journal, so that a recovery knows which step another one takes the place of */
  id: string
  label: string
  /** steps in a row of one gesture are one step: the moves of a drag */
  gesture?: string
  files: Map<string, FileStep>
}

export class History {
  readonly undoable: Step[] = []
  readonly redoable: Step[] = []

  /** The step that a further edit of this gesture belongs to. */
  sameGesture(gesture: string | undefined): Step | undefined {
    const top = this.undoable.at(-1)
    return gesture !== undefined && top?.gesture === gesture && this.redoable.length === 0 ? top : undefined
  }

  /** The step on top when it is this one: only that can be done again in another way. */
  onTop(id: string): Step | undefined {
    const top = this.undoable.at(-1)
    return top?.id === id ? top : undefined
  }

  push(step: Step): void {
    this.undoable.push(step)
    this.redoable.length = 0
  }

  /** The step on top is finished: what comes next is a step of its own, whatever its gesture. */
  seal(): void {
    const top = this.undoable.at(-1)
    if (top) top.gesture = undefined
  }

  clear(): void {
    this.undoable.length = 0
    this.redoable.length = 0
  }
}
