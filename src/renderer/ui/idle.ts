/** Resolves when the window has nothing to do, or in two seconds. */
export function idle(): Promise<void> {
  return new Promise((done) => requestIdleCallback(() => done(), { timeout: 2000 }))
}
