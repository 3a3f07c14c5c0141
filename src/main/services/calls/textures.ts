/** Textures: how they are stored, as PNG, and from one. */
import { FormatError } from '../../binary/format-error.ts'
import { compact } from '../../formats/format.ts'
import type { BatchProgress } from '../../../shared/api/types/export.ts'
import type { TextureJob } from '../model-jobs.ts'
import { withIn } from './checks.ts'
import type { CallContext, HandlersOf } from './context.ts'
import { say } from '../../../shared/texts/say.ts'

export function textureCalls({ workspace, runners, emit, announce, result, editorOf }: CallContext): HandlersOf<'textures'> {
  return {
    'textures.storage': ({ model, texture }) => {
      withIn(workspace.model(model).assembled.scene.textures, texture, 'texture')
      return editorOf(model, 'textures').storage(workspace.model(model), texture)
    },
    'textures.pixels': async ({ model, texture, level, original }, { signal }) => {
      const open = workspace.model(model)
      const { scene, options } = open.assembled
      withIn(scene.textures, texture, 'texture')
      editorOf(model, 'textures')
      const target = scene.textures[texture]
      const { ref } = target.source
      if (target.missing) throw new FormatError('refused', say('exportedModel.noPixels', { name: target.name }), { file: ref })
      const { format } = open.file(ref)
      const bytes = compact(await workspace.bytes(model, ref, original))
      return runners.textures.run(
        {
          kind: 'pixels',
          root: open.library,
          family: open.family.id,
          format: format.id,
          bytes,
          texture: { ...target, rgba: new Uint8Array(0) },
          options,
          level,
        },
        { signal, patience: 0 },
      )
    },
    'textures.png': ({ model, texture }, { signal }) => {
      const open = workspace.model(model)
      const { textures } = open.assembled.scene
      withIn(textures, texture, 'texture')
      return runners.textures.run(
        { kind: 'png', root: open.library, texture: { ...textures[texture], rgba: compact(textures[texture].rgba) } },
        { signal, patience: 0 },
      )
    },
    'textures.replace': async ({ model, texture, name, bytes }, { signal }) => {
      const open = workspace.model(model)
      const editor = editorOf(model, 'textures')
      withIn(open.assembled.scene.textures, texture, 'texture')
      const { checkReplaceable, textureReport } = await import('../../interchange/textures.ts')
      checkReplaceable(editor, open, texture)
      const { scene, options } = open.assembled
      const target = scene.textures[texture]
      const { ref } = target.source
      const file = open.file(ref)
      const { state } = file
      const job: TextureJob = {
        kind: 'texture',
        root: open.library,
        family: open.family.id,
        format: file.format.id,
        bytes: compact(file.bytes),
        texture: { ...target, rgba: new Uint8Array(0) },
        options,
        name,
        png: compact(bytes),
      }
      const onProgress = ({ done, total, current }: Omit<BatchProgress, 'library'>): void =>
        emit('texture.progress', { model, texture, done, total, current })
      const made = await runners.textures.run(job, { signal, patience: 0, onProgress })
      if (await workspace.put(model, say('steps.replaceNamedTexture', { name: target.name }), { ref, state, bytes: made.bytes }))
        announce(open)
      return { ...result(open), report: textureReport(editor, open, texture, made.picture) }
    },
  }
}
