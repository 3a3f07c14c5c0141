/** Edits that the picture shows ahead of their answers: the rest of the window follows once that picture is there. */

/** ms; a window that nobody sees makes no picture */
const MOST_WAIT = 50

export function picturesAhead() {
  const coming = new Map<string, Promise<void>>()
  return {
    /** the picture shows what an edit of the model is going to be */
    shown(model: string): void {
      coming.set(model, nextPicture())
    },
    /** Resolves when that picture is there; at once where there is none. */
    async drawn(model: string): Promise<void> {
      await coming.get(model)
      coming.delete(model)
    },
  }
}

function nextPicture(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, MOST_WAIT)
    // the frame is painted when the next task runs
    requestAnimationFrame(() => setTimeout(resolve))
  })
}
