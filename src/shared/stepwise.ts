/** Work in steps that say what share of it is done: run at once, or with pauses in which others run and somebody may stop it. */

export type Stepwise<T> = Generator<number, T, void>

/** Told the share that is done, 0 to 1; what it throws ends the work. */
export type Pause = (share: number) => void | Promise<void>

export function atOnce<T>(work: Stepwise<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

/** @param pause at once where there is none */
export async function paced<T>(work: Stepwise<T>, pause: Pause | undefined): Promise<T> {
  if (!pause) return atOnce(work)
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    // most steps are too short to wait after them
    const waited = pause(step.value)
    if (waited) await waited
  }
}

/** The pauses of one part of longer work. */
export function partOf(pause: Pause | undefined, from: number, to: number): Pause | undefined {
  return pause && ((share) => pause(from + (to - from) * share))
}
