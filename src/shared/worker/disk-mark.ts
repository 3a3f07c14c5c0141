/**
 * What a worker is at the disk for, where its host can see it: a thread in a call of the system that does not come back says nothing by itself, and one that
 * works for long is no such thread. Written before and after each call.
 */

/** Around each call of the system that a drive may leave without an answer. */
export interface DiskTouch {
  begin(path: string): void
  end(): void
}

/** Letters of a path: Windows has no longer ones. */
const MOST = 32_768
const HEADER = 8

export class DiskMark implements DiskTouch {
  readonly shared: SharedArrayBuffer
  /** how often a call began or ended: odd while one runs; then the length of its path */
  private readonly header: Int32Array
  private readonly letters: Uint16Array

  constructor(shared = new SharedArrayBuffer(HEADER + 2 * MOST)) {
    this.shared = shared
    this.header = new Int32Array(shared, 0, 2)
    this.letters = new Uint16Array(shared, HEADER)
  }

  begin(path: string): void {
    const length = Math.min(path.length, MOST)
    for (let i = 0; i < length; i++) this.letters[i] = path.charCodeAt(i)
    this.header[1] = length
    Atomics.add(this.header, 0, this.turn % 2 === 0 ? 1 : 2)
  }

  end(): void {
    if (this.turn % 2 !== 0) Atomics.add(this.header, 0, 1)
  }

  /** Another number for each call, odd while it runs. */
  get turn(): number {
    return Atomics.load(this.header, 0)
  }

  /** Of the call that runs; sure where its turn is the same before and after. */
  get path(): string {
    return String.fromCharCode(...this.letters.subarray(0, this.header[1]))
  }
}

/** @param touch absent where nobody looks */
export function touching<T>(touch: DiskTouch | undefined, path: string, body: () => T): T {
  if (!touch) return body()
  touch.begin(path)
  try {
    return body()
  } finally {
    touch.end()
  }
}
