/** Motions of one open model on another. */
import { say } from '../../../shared/texts/say.ts'
import { ModelPreview } from '../../workspace/model-preview.ts'
import type { CallArgs } from '../../../shared/api/contract.ts'
import type { OpenModel } from '../../workspace/open-model.ts'
import type { RetargetedClip } from '../retarget-clip.ts'
import type { CallContext, HandlersOf } from './context.ts'

export function retargetCalls({ workspace, edit, editorOf }: CallContext): HandlersOf<'retarget'> {
  /** @throws FormatError not-found, invalid-argument, unsupported */
  async function computed(open: OpenModel, { source, clip, into, ...wishes }: CallArgs<'retarget.preview'>): Promise<RetargetedClip> {
    const { retargetClip, windowNamed } = await import('../retarget-clip.ts')
    const from = workspace.model(source).assembled.scene
    const { scene } = open.assembled
    return retargetClip(from, windowNamed(from, clip), scene, windowNamed(scene, into), wishes)
  }

  return {
    'retarget.preview': async (wishes) => {
      const { measureRetargeted, writeRetargeted } = await import('../retarget-clip.ts')
      const open = workspace.model(wishes.model)
      const editor = editorOf(wishes.model, 'clips')
      const done = await computed(open, wishes)
      const preview = new ModelPreview(open)
      preview.edit((session) => writeRetargeted(session, editor, done))
      measureRetargeted(preview.assembled.scene, done)
      return { ...preview.update(), report: done.report }
    },
    'retarget.apply': async ({ replaces, ...wishes }) => {
      const { measureRetargeted, writeRetargeted } = await import('../retarget-clip.ts')
      const open = workspace.model(wishes.model)
      const editor = editorOf(wishes.model, 'clips')
      const done = await computed(open, wishes)
      const label = say('steps.retarget', { clip: wishes.clip, into: wishes.into })
      const result = await edit(wishes.model, label, (session) => writeRetargeted(session, editor, done), { replaces })
      measureRetargeted(open.assembled.scene, done)
      return { ...result, report: done.report }
    },
  }
}
