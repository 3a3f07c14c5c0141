/** What a model asks for and does not find. */
import type { MissingPart } from '../../shared/api/types/model.ts'
import type { Scene } from '../../shared/scene/types.ts'
import type { AssembledModel } from '../formats/binding.ts'

export function missingParts({ scene, missing = [], shared }: AssembledModel): MissingPart[] {
  const elsewhere = new Set(shared?.textures)
  const textures = missingTextures(scene)
  const lost = textures.filter((name) => !elsewhere.has(name))
  const may = textures.filter((name) => elsewhere.has(name))
  const named = (role: 'skeleton' | 'bind-pose'): MissingPart[] => {
    const names = missing.filter((part) => part.role === role).map(({ name }) => name)
    return names.length > 0 ? [{ role, names: [...new Set(names)] }] : []
  }
  const of = (names: string[], file?: string): MissingPart[] =>
    names.length > 0 ? [{ role: 'textures', names, ...(file ? { shared: file } : {}) }] : []
  return [...named('skeleton'), ...named('bind-pose'), ...of(lost), ...of(may, shared?.file)]
}

/** Names of the textures that materials ask for and no file of the model has. */
export function missingTextures(scene: Scene): string[] {
  return scene.textures.filter((texture) => texture.missing).map(({ name }) => name)
}
