/** Pictures in and out of the shown model's textures, and what storing made of the last one. */
import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import type { EditResult } from '../../../shared/api/types/model.ts'
import type { TextureReport } from '../../../shared/api/types/textures.ts'
import { pickFile, saveAs } from '../../ui/files.ts'
import { errorData } from '../../core/errors.ts'
import { useModels } from '../../core/models.ts'
import { useSelection } from '../../core/selection.ts'
import { useSession } from '../../core/session.ts'
import { say } from '../../../shared/texts/say.ts'

export const useTextures = defineStore('textures', () => {
  const session = useSession()
  const models = useModels()
  const selection = useSelection()
  /** the picture that is on its way into a texture, and how far */
  const storing = shallowRef<{ model: string; texture: number; name: string; done: number; total: number; current: string } | null>(null)
  const busy = computed(() => storing.value !== null)
  let stop: AbortController | undefined
  let listening = false
  /** the last picture that went in, or why it did not; it is about one texture of one model */
  const last = shallowRef<{
    model: string
    texture: number
    revision: number
    name: string
    report?: TextureReport
    error?: string
  } | null>(null)

  /** The texture that commands are about: the chosen one, or that of the chosen material. */
  const chosen = computed(() => {
    const { kind, texture, material } = selection.current
    const index = kind === 'texture' ? texture : kind === 'material' ? (models.scene?.materials[material]?.texture ?? -1) : -1
    return models.scene?.textures[index] ? index : -1
  })

  function listen(): void {
    if (listening || !session.api) return
    listening = true
    session.api.on('texture.progress', ({ model, texture, done, total, current }) => {
      const now = storing.value
      if (now?.model === model && now.texture === texture) storing.value = { ...now, done, total, current }
    })
  }

  async function replace(texture: number, file: File | null): Promise<void> {
    const model = models.active
    if (!model || !file || busy.value) return
    listen()
    const mine = (stop = new AbortController())
    const about = { model: model.id, texture, name: file.name }
    storing.value = { ...about, done: 0, total: 1, current: say('textures.reading') }
    try {
      const bytes = new Uint8Array(await file.arrayBuffer())
      const result = (await models.edit(
        'textures.replace',
        { texture, name: file.name, bytes },
        { model, quiet: true, signal: mine.signal },
      )) as (EditResult & { report: TextureReport }) | null
      if (result) last.value = { ...about, revision: result.info.revision, report: result.report }
    } catch (error) {
      // stopped is no error, and nothing was changed
      last.value = mine.signal.aborted ? null : { ...about, revision: model.info.revision, error: errorData(error).message }
    } finally {
      storing.value = null
    }
  }

  function cancel(): void {
    stop?.abort()
  }

  async function pick(texture: number): Promise<void> {
    await replace(texture, await pickFile('.png,image/png'))
  }

  async function save(texture: number): Promise<void> {
    const model = models.active
    if (!model) return
    try {
      const { name, bytes } = await session.call('textures.png', { model: model.id, texture })
      saveAs(name, bytes, 'image/png')
    } catch (error) {
      session.report(error)
    }
  }

  return { busy, storing, last, chosen, replace, cancel, pick, save }
})
