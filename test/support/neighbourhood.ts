import type { Neighbourhood } from '../../src/main/formats/binding.ts'

/** Around a file that stands alone. */
export const nowhere: Neighbourhood = {
  inFolder: () => [],
  byStem: () => [],
  providing: () => [],
  needing: () => [],
  summary: () => undefined,
  document: () => undefined,
}
