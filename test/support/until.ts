/** Waits for a condition, asked for again and again: for programs of tests that run without vitest, which has `expect.poll`. */
const STEP_MS = 10
const GIVE_UP_MS = 60_000

/** @throws where it does not come true in a minute */
export async function until(what: string, condition: () => boolean): Promise<void> {
  for (let waited = 0; waited < GIVE_UP_MS; waited += STEP_MS) {
    if (condition()) return
    await new Promise((resolve) => setTimeout(resolve, STEP_MS))
  }
  throw new Error(`${what} did not happen`)
}
