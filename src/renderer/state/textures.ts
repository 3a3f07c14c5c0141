/** Pictures in and out of the shown model's textures, and what storing made of the last one. */
import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { EditResult } from '../../shared/api/contract.ts'
import type { TextureReport } from '../../shared/api/types.ts'
import { pickFile, saveAs } from '../ui/files.ts'
import { errorData } from './errors.ts'
import { useModels } from './models.ts'
import { useSelection } from './selection.ts'
import { useSession } from './session.ts'

export const useTextures = defineStore('textures', () => {
  const session = useSession()
  const models = useModels()
  const selection = useSelection()
  const busy = ref(false)
  /** the last picture that went in, or why it did not; it is about one texture of one model */
  const last = shallowRef<{ model: string; texture: number; revision: number; name: string; report?: TextureReport; error?: string } | null>(null)

  /** The texture that commands are about: the chosen one, or that of the chosen material. */
  const chosen = computed(() => {
    const { kind, texture, material } = selection.current
    const index = kind === 'texture' ? texture : kind === 'material' ? (models.scene?.materials[material]?.texture ?? -1) : -1
    return models.scene?.textures[index] ? index : -1
  })

  async function replace(texture: number, file: File | null): Promise<void> {
    const model = models.active
    if (!model || !file || busy.value) return
    busy.value = true
    const about = { model: model.id, texture, name: file.name }
    try {
      const bytes = new Uint8Array(await file.arrayBuffer())
      const result = (await models.edit('textures.replace', { texture, name: file.name, bytes }, { model, quiet: true })) as (EditResult & { report: TextureReport }) | null
      if (result) last.value = { ...about, revision: result.info.revision, report: result.report }
    } catch (error) {
      last.value = { ...about, revision: model.info.revision, error: errorData(error).message }
    } finally {
      busy.value = false
    }
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

  return { busy, last, chosen, replace, pick, save }
})
