/** Commands on points; they stand while a viewport does. */
import { onBeforeUnmount } from 'vue'
import { useCommands } from '../../core/commands/registry.ts'
import { useKeys } from '../../core/keys/store.ts'
import { useModels } from '../../core/models.ts'
import { usePoints } from '../../core/points.ts'

export function usePointCommands(): void {
  const models = useModels()
  const points = usePoints()
  const keys = useKeys()
  const chosen = (): boolean => models.page === 'model' && points.chosen !== null
  const off = useCommands().register([
    {
      id: 'point.add',
      when: () => models.page === 'model' && points.places.length > 0,
      run: points.addHere,
    },
    { id: 'point.duplicate', when: chosen, run: points.duplicate },
    {
      id: 'point.remove',
      when: () => chosen() && keys.count === 0,
      run: points.remove,
    },
  ])
  onBeforeUnmount(off)
}
