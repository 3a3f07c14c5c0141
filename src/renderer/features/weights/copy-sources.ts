/** Meshes that weights can be copied from: of this model, or of another one that is open. */
import { shallowRef, ref, watch, type Ref } from 'vue'
import { nativeGeometry } from '../../../shared/weights/geometry.ts'
import type { CopySource } from '../../../shared/weights/tools.ts'
import { say } from '../../../shared/texts/say.ts'
import { errorData } from '../../core/errors.ts'
import { latestAnswer } from '../../core/latest.ts'
import { modelNames } from '../../core/model-names.ts'
import { useModels } from '../../core/models.ts'
import { useSession } from '../../core/session.ts'
import { useWeights } from './store.ts'

export interface SourceEntry {
  key: string
  model: string
  id: string
  label: string
}

export interface CopySources {
  list: Readonly<Ref<readonly SourceEntry[]>>
  /** the chosen one, null while it is read */
  source: Readonly<Ref<CopySource | null>>
  /** why the chosen one cannot be copied from */
  error: Readonly<Ref<string>>
}

/**
 * @param wanted whether someone asks: otherwise nothing is read
 * @param chosen key of the mesh to copy from
 */
export function useCopySources(wanted: () => boolean, chosen: Ref<string>): CopySources {
  const store = useWeights()
  const models = useModels()
  const session = useSession()
  const list = shallowRef<SourceEntry[]>([])
  const source = shallowRef<CopySource | null>(null)
  const error = ref('')
  const ask = latestAnswer()
  const askWeights = latestAnswer()

  watch([wanted, () => models.open.map((m) => `${m.id} ${m.info.revision}`).join(), () => store.chosenId], async () => {
    const latest = ask()
    if (!wanted()) return
    const found: SourceEntry[] = []
    const names = modelNames(models.open)
    for (const [i, model] of models.open.entries()) {
      if (!model.info.abilities.weights) continue
      try {
        for (const s of await session.call('weights.list', { model: model.id })) {
          if (model.id === models.activeId && s.id === store.data?.id) continue
          found.push({
            key: `${model.id} ${s.id}`,
            model: model.id,
            id: s.id,
            label: model.id === models.activeId ? s.mesh : `${s.mesh} (${names[i]})`,
          })
        }
      } catch {
        // closed meanwhile
      }
    }
    if (!latest()) return
    list.value = found
    if (!found.some((s) => s.key === chosen.value)) chosen.value = found[0]?.key ?? ''
    await read()
  })
  watch(chosen, read)

  async function read(): Promise<void> {
    const latest = askWeights()
    source.value = null
    error.value = ''
    const entry = list.value.find((s) => s.key === chosen.value)
    const model = models.open.find((m) => m.id === entry?.model)
    if (!entry || !model) return
    try {
      const weights = await session.call('weights.read', { model: model.id, id: entry.id })
      const mesh = model.scene.meshes[weights.sceneMesh]
      if (!latest()) return
      if (mesh) source.value = { weights, geometry: nativeGeometry(mesh, weights.vertexCount) }
      else error.value = say('weights.blocked.sourceNotDrawn')
    } catch (e) {
      if (latest()) error.value = errorData(e).message
    }
  }

  return { list, source, error }
}
