/** Files from anywhere on disk that become part of the shown model: an animation, a texture that is missing, a skeleton. */
import { defineStore } from 'pinia'
import { ref } from 'vue'
import type { CallArgs } from '../../shared/api/contract.ts'
import { pickFiles } from '../ui/files.ts'
import type { DroppedFile } from '../ui/files.ts'
import { useModels } from './models.ts'
import type { OpenModel } from './models.ts'
import { useOpening } from './opening.ts'
import { usePlayback } from './playback.ts'
import { useSession } from './session.ts'
import { say } from '../../shared/texts/say.ts'

export type GivenRole = NonNullable<CallArgs<'model.add'>['role']>

export const useGiving = defineStore('giving', () => {
  const session = useSession()
  const models = useModels()
  const opening = useOpening()
  const playback = usePlayback()
  const busy = ref(false)

  /** Asks for files. @param role what they are wanted for; without it each plays the role that it can */
  async function pick(role?: GivenRole): Promise<void> {
    const model = models.active
    const files = model ? await pickFiles() : []
    if (model && files.length > 0) await give(model, () => files.map((file) => ({ path: file.name, file })), files, role)
  }

  /** Files that were dropped on the model, or picked for it. */
  function give(
    model: OpenModel,
    list: () => Promise<DroppedFile[]> | DroppedFile[],
    files: readonly File[],
    role?: GivenRole,
  ): Promise<void> {
    return opening.hand(list, files, async (refs) => {
      if (refs.length === 0) return
      busy.value = true
      try {
        const { opened, added, refused } = await session.call('model.add', { model: model.id, refs, role })
        const of = models.adopt(opened)
        opening.refused = [...opening.refused, ...refused]
        if (added.length === 0) return
        const names = added.map(({ name }) => name).join(', ')
        session.notify(
          'good',
          say('giving.added', { count: added.length, name: added[0].name, model: of.info.name }),
          added.length > 1 ? names : '',
        )
        const given = new Set(added.filter((file) => file.role === 'animation').map((file) => file.ref))
        const clip = of.scene.clips.findIndex(({ source }) => given.has(source.ref))
        if (clip >= 0) playback.chooseClip(clip)
      } finally {
        busy.value = false
      }
    })
  }

  return { busy, pick, give }
})
