/** What rules of one file look up in others. */
import type { LintModel } from '../../family.ts'
import type { CfgDocument } from '../codecs/cfg-text.ts'
import type { MdsDocument } from '../codecs/mds.ts'

/** The model that a file belongs to, where it is at hand. */
export function mdsOf(model: LintModel): MdsDocument | undefined {
  const mds = model.binding && model.load(model.binding.primary)
  return mds?.format === 'level5.mds' ? (mds as MdsDocument) : undefined
}

/** The scripts of the model that can be read. */
function scriptsOf(model: LintModel): CfgDocument[] {
  return (model.binding?.members ?? []).flatMap(({ ref }) => {
    const script = model.load(ref)
    return script?.format === 'level5.cfg' && !(script as CfgDocument).compiled ? [script as CfgDocument] : []
  })
}

/** Whether a script that says anything is Dark Cloud 1's: the games demand different things. */
export function isOfDc1(model: LintModel): boolean {
  return scriptsOf(model).some(({ dialect, statements }) => dialect === 'dc1' && statements.length > 0)
}
