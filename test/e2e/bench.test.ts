/** `npm run bench` has a page of its own, that no window runs: it is tested that it runs, not how fast. */
import { expect, test } from 'vitest'
import { timelineRows } from '../bench/timeline.ts'

test('the page of the bench draws its long timeline', async () => {
  for (const { name, ms } of await timelineRows()) expect(ms, name).toBeGreaterThan(0)
  expect.assertions(6)
})
