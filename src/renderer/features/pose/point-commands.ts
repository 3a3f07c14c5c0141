/** Commands on points; they stand while a viewport does. */
import { useOwnCommands } from '../../core/commands/registry.ts'
import { useModels } from '../../core/models.ts'
import { usePoints } from '../../core/points.ts'

export function usePointCommands(): void {
  const models = useModels()
  const points = usePoints()
  const chosen = (): boolean => models.page === 'model' && points.chosen !== null
  useOwnCommands([
    {
      id: 'point.add',
      when: () => models.page === 'model' && points.places.length > 0,
      run: points.addHere,
    },
    { id: 'point.duplicate', when: chosen, run: points.duplicate },
    { id: 'point.remove', when: chosen, run: points.remove },
  ])
}
