/** Test files that take long are begun first: whichever came last would have the machine for itself. */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** @param names of files, as their paths have them, the longest first */
export function longFirst(names: readonly string[]): typeof BaseSequencer {
  const rank = ({ moduleId }: TestSpecification): number => {
    const at = names.findIndex((name) => moduleId.includes(name))
    return at < 0 ? names.length : at
  }
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
    }
  }
}
