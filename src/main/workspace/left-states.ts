/**
 * States that files were brought from last, whole: an undo, a redo and a step that is done again in another way mostly lead back to one of these.
 * Made of patches each would be as many bytes anew, read and hashed again.
 */
import { isAsItsBytes } from '../formats/kept.ts'
import type { Kept } from '../formats/kept.ts'
import type { Document } from '../formats/format.ts'
import type { OpenFile } from './document-store.ts'

/** Where a step that is done again comes from, and what it was before. */
const MOST = 2
/** Larger files are made of their patches. */
const MOST_BYTES = 1 << 24

export interface LeftState {
  readonly ref: string
  readonly state: number
  readonly bytes: Uint8Array
  /** unless an edit was given it */
  readonly document: Document | undefined
  readonly kept: Kept
}

export class LeftStates {
  private states: LeftState[] = []

  /** A file goes from the state that it is in to another one. */
  leave({ ref, state, bytes, document, kept }: OpenFile, next: number): void {
    this.states = this.states.filter((left) => left.state !== next && left.state !== state)
    if (state === next || bytes.length > MOST_BYTES) return
    this.states = [...this.states, { ref, state, bytes, document: isAsItsBytes(document) ? document : undefined, kept }].slice(-MOST)
  }

  /** A file as it was in a state, if it has left that just before. */
  of({ ref }: OpenFile, state: number): LeftState | undefined {
    return this.states.find((left) => left.ref === ref && left.state === state)
  }

  /** One whose document an edit was given has another, if it is still there. */
  read(file: OpenFile, state: number, decode: (bytes: Uint8Array) => Document): void {
    const left = this.of(file, state)
    if (left && !left.document) this.states = this.states.map((one) => (one === left ? { ...left, document: decode(left.bytes) } : one))
  }

  forget(ref: string): void {
    this.states = this.states.filter((left) => left.ref !== ref)
  }
}
