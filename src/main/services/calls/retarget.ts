/** Motions of one open model on another. */
import { say } from '../../../shared/texts/say.ts'
import { ModelPreview } from '../../workspace/model-preview.ts'
import type { CallArgs } from '../../../shared/api/contract.ts'
import type { OpenModel } from '../../workspace/open-model.ts'
import type { EditSession } from '../../formats/editing.ts'
import type { RetargetReport } from '../../../shared/api/types/retarget.ts'
import type { CallContext, HandlersOf } from './context.ts'

export function retargetCalls({ workspace, edit, editorOf }: CallContext): HandlersOf<'retarget'> {
  /** @throws FormatError not-found, invalid-argument, unsupported */
  async function carried({ model, source, ...wishes }: CallArgs<'retarget.preview'>): Promise<(onto: ModelPreview) => RetargetReport> {
    const { retargetInto } = await import('../retarget-clip.ts')
    const editor = editorOf(model, 'clips')
    const { scene } = workspace.model(source).assembled
    return (onto) => retargetInto(onto, editor, scene, wishes)
  }

  return {
    'retarget.preview': async (wishes) => {
      const carry = await carried(wishes)
      const preview = new ModelPreview(workspace.model(wishes.model))
      const report = carry(preview)
      return { ...preview.update(), report }
    },
    'retarget.apply': async ({ replaces, ...wishes }) => {
      const carry = await carried(wishes)
      const label = say('steps.retarget', { clip: wishes.clip, into: wishes.into })
      let report: RetargetReport | undefined
      const onto = (session: EditSession, open: OpenModel): void => {
        const preview = new ModelPreview(open)
        report = carry(preview)
        preview.writeTo(session)
      }
      const result = await edit(wishes.model, label, onto, { replaces })
      return { ...result, report: report! }
    },
  }
}
