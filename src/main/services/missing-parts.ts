/** What a model asks for and does not find. */
import type { MissingPart } from '../../shared/api/types/model.ts'
import type { Scene } from '../../shared/scene/types.ts'
import type { AssembledModel } from '../formats/binding.ts'

export function missingParts({ scene, missing = [] }: AssembledModel): MissingPart[] {
  const textures = missingTextures(scene)
  const named = (role: 'skeleton' | 'bind-pose'): MissingPart[] => {
    const names = missing.filter((part) => part.role === role).map(({ name }) => name)
    return names.length > 0 ? [{ role, names: [...new Set(names)] }] : []
  }
  return [...named('skeleton'), ...named('bind-pose'), ...(textures.length > 0 ? [{ role: 'textures' as const, names: textures }] : [])]
}

/** Names of the textures that materials ask for and no file of the model has. */
export function missingTextures(scene: Scene): string[] {
  return scene.textures.filter((texture) => texture.missing).map(({ name }) => name)
}
