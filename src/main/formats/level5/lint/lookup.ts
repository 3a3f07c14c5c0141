/** What rules of one file look up in others. */
import type { LintModel } from '../../format.ts'
import type { MdsDocument } from '../codecs/mds.ts'

/** The model that a file belongs to, where it is at hand. */
export function mdsOf(model: LintModel): MdsDocument | undefined {
  const mds = model.binding && model.load(model.binding.primary)
  return mds?.format === 'level5.mds' ? (mds as MdsDocument) : undefined
}
