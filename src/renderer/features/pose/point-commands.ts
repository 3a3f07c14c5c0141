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
      title: 'Add a point under the pointer, or at the chosen bone',
      group: 'Points',
      keys: ['Shift+A'],
      when: () => models.page === 'model' && points.places.length > 0,
      run: points.addHere,
    },
    { id: 'point.duplicate', title: 'Duplicate the chosen point', group: 'Points', keys: ['Mod+D'], when: chosen, run: points.duplicate },
    {
      id: 'point.remove',
      title: 'Delete the chosen point',
      group: 'Points',
      keys: ['Delete'],
      when: () => chosen() && keys.count === 0,
      run: points.remove,
    },
  ])
  onBeforeUnmount(off)
}
