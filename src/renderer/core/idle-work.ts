/** Work that waits until the window has nothing else to do, and takes only as much of it at a time as nobody notices. */

/** Milliseconds at a time, and until it begins: what is dragged asks again and again. */
const SLICE = 6
const QUIET = 80

/**
 * @param work does a part and says whether there is more; begins at the earliest when nothing was asked for a moment
 * @returns stops it
 */
export function idleWork(work: () => boolean): () => void {
  let stopped = false
  let timer: ReturnType<typeof setTimeout>
  const next = (): void => {
    if (stopped) return
    const until = performance.now() + SLICE
    let more = true
    while (more && performance.now() < until) more = work()
    // the picture and what was typed come first
    if (more) timer = setTimeout(next, 0)
  }
  timer = setTimeout(next, QUIET)
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}
