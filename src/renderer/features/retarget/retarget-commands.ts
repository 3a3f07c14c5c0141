/** The command that takes a motion from another model. */
import { useRetarget } from './retarget.ts'
import { useModels } from '../../core/models.ts'
import type { Command } from '../../core/commands/registry.ts'

export function retargetCommands(): Command[] {
  const models = useModels()
  const retarget = useRetarget()
  return [
    {
      id: 'clip.retarget',
      when: () =>
        models.page === 'model' &&
        models.info?.abilities.clips === true &&
        ((models.scene?.clips.length ?? 0) > 0 || models.info.abilities.clipList !== null),
      run: () => retarget.start(),
    },
  ]
}
