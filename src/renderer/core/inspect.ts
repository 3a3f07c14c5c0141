/** Places in files: structure trees as they are asked for, and which place the structure panel shows. */
import { defineStore } from 'pinia'
import { markRaw, reactive, shallowRef } from 'vue'
import type { StructureNode } from '../../shared/api/types/structure.ts'
import { useLayout } from './layout.ts'
import { useModels } from './models.ts'
import { useSelection } from './selection.ts'
import { useSession } from './session.ts'

export type AskedField = 'name' | 'parent'

export const useInspect = defineStore('inspect', () => {
  const session = useSession()
  const models = useModels()
  const selection = useSelection()
  const layout = useLayout()
  const target = reactive({ ref: '', path: '', offset: -1, tick: 0 })
  /** the field of the chosen bone that is asked for: the inspector gives it the focus once it shows it */
  const asked = shallowRef<AskedField | ''>('')
  const cache = new Map<string, Promise<StructureNode>>()

  /** The tree of a file as it is now; asked once per state of the model. */
  function structure(ref: string): Promise<StructureNode> {
    const model = models.active
    if (!model) return Promise.reject(new Error('No model is open'))
    const key = `${model.id}|${model.info.revision}|${ref}`
    let tree = cache.get(key)
    if (!tree) {
      for (const old of [...cache.keys()]) if (old.startsWith(`${model.id}|`) && old.endsWith(`|${ref}`)) cache.delete(old)
      tree = session.call('model.structure', { model: model.id, ref }).then(markRaw)
      tree.catch(() => cache.delete(key))
      cache.set(key, tree)
      if (cache.size > 24) cache.delete(cache.keys().next().value!)
    }
    return tree
  }

  /** Shows a place of a file in the structure panel. */
  function reveal(ref: string, path = '', offset = -1): void {
    Object.assign(target, { ref, path, offset, tick: target.tick + 1 })
    if (models.info?.files.some((f) => f.ref === ref)) selection.file(ref)
    layout.showPanel('structure')
  }

  function askFor(field: AskedField): void {
    asked.value = field
    layout.showPanel('inspector')
  }

  return { target, asked, structure, reveal, askFor }
})
