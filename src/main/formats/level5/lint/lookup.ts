/** What rules of one file look up in others. */
import type { LintModel } from '../../format.ts'
import type { CfgDocument } from '../codecs/cfg-text.ts'
import type { MdsDocument } from '../codecs/mds.ts'

/** The model that a file belongs to, where it is at hand. */
export function mdsOf(model: LintModel): MdsDocument | undefined {
  const mds = model.binding && model.load(model.binding.primary)
  return mds?.format === 'level5.mds' ? (mds as MdsDocument) : undefined
}

/** The scripts of the model that can be read. */
export function scriptsOf(model: LintModel): CfgDocument[] {
  return (model.binding?.members ?? []).flatMap(({ ref }) => {
    const script = model.load(ref)
    return script?.format === 'level5.cfg' && !(script as CfgDocument).compiled ? [script as CfgDocument] : []
  })
}
