/** What the first of several things that are done one after the other came to, for who asks again with others behind them. */

/** States that are kept: each of a large archive has all its members. */
const MOST_KEPT = 3

export class KnownSteps<S> {
  private of: unknown
  private steps: { key: string; state?: S }[] = []

  /**
   * The last of these steps that is known, with those before it the same.
   * @param of what the first is done to: known of this very one alone
   * @param keys tell each step from every other that could stand in its place
   */
  last(of: unknown, keys: readonly string[]): { count: number; state: S | undefined } {
    if (this.of !== of) this.steps = []
    this.of = of
    let same = 0
    while (same < keys.length && this.steps[same]?.key === keys[same]) same++
    for (let count = same; count > 0; count--) if (this.steps[count - 1].state) return { count, state: this.steps[count - 1].state }
    return { count: 0, state: undefined }
  }

  /** @param count of steps with this one: those behind it are known no more */
  put(count: number, key: string, state: S): void {
    this.steps.length = Math.min(this.steps.length, count - 1)
    this.steps.push({ key, state })
    const old = this.steps.at(-1 - MOST_KEPT)
    if (old) delete old.state
  }
}
