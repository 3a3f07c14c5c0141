/** Commands on the chosen texture. */
import { useModels } from '../../core/models.ts'
import { useTextures } from './store.ts'
import type { Command } from '../../core/commands/registry.ts'

export function textureCommands(): Command[] {
  const models = useModels()
  const textures = useTextures()
  const chosen = (): boolean => models.page === 'model' && textures.chosen >= 0
  return [
    {
      id: 'texture.replace',
      when: () => chosen() && models.info?.abilities.textures === true && !textures.busy,
      run: () => textures.pick(textures.chosen),
    },
    {
      id: 'texture.save',
      when: () => chosen() && models.scene?.textures[textures.chosen]?.missing === false,
      run: () => textures.save(textures.chosen),
    },
  ]
}
