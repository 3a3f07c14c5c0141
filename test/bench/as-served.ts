/** What the services' own program sets at its start, for measures that have them in their process. */

/** Nothing in a commit that has none of it. */
export async function asServed(): Promise<void> {
  const collecting = await import('../../src/main/hosts/backend/collecting.ts').catch(() => undefined)
  collecting?.collectByAllThatIsHeld()
}
