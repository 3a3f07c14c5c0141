/**
 * Memory for large files that is there before it is asked for. The system gives a page when it is first written, which takes several times as long as to
 * write it: so what was taken is made once more, and touched, when whoever took it has answered. No block is given out twice.
 */
import { ownMemory, type TakeMemory } from './own-memory.ts'

/** Less is not worth it; files of more take new memory. */
const LEAST = 1 << 20
const MOST = 1 << 24
/** What an edit takes: the copy that it changes, the bytes that are written of it, and what is read of those. */
const BLOCKS = 3
/** Share of a block that may be left over: files grow and shrink by a key or two. */
const LEFT_OVER = 1 / 64
const PAGE = 4096

export class TouchedMemory {
  private blocks: Uint8Array<ArrayBuffer>[] = []
  /** sizes of blocks that are to be made */
  private wanted: number[] = []
  private next: NodeJS.Immediate | undefined

  readonly take: TakeMemory = (size) => {
    if (size < LEAST || size > MOST) return ownMemory(size)
    this.wanted = [...this.wanted, size].slice(-BLOCKS)
    this.next ??= setImmediate(this.make)
    const at = this.blocks.findIndex(({ length }) => length >= size && length <= size * (1 + LEFT_OVER))
    return at < 0 ? ownMemory(size) : this.blocks.splice(at, 1)[0].subarray(0, size)
  }

  /** Nothing is kept ready any more. */
  forget(): void {
    if (this.next) clearImmediate(this.next)
    this.next = undefined
    this.wanted = []
    this.blocks = []
  }

  /** One at a time: others have their turn between them. */
  private readonly make = (): void => {
    const size = this.wanted.shift()!
    const block = ownMemory(size)
    for (let at = 0; at < size; at += PAGE) block[at] = 0
    this.blocks = [...this.blocks, block].slice(-BLOCKS)
    this.next = this.wanted.length ? setImmediate(this.make) : undefined
  }
}
