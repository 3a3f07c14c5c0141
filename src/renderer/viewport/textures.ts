/** Pictures of a scene as engine textures, one per way they are sampled, and the checker that stands for a missing one. */
import { Constants } from '@babylonjs/core/Engines/constants'
import { RawTexture } from '@babylonjs/core/Materials/Textures/rawTexture'
import type { Scene as Stage } from '@babylonjs/core/scene'
import type { Material, Scene } from '../../shared/scene/types.ts'
import { FILTER, WRAP } from './surface.ts'

type Sampling = Pick<Material, 'wrapU' | 'wrapV' | 'filter'>

const CHECKER = 64

/** Magenta on grey, so that nobody takes it for art. */
export function checker(): Uint8Array {
  const out = new Uint8Array(CHECKER * CHECKER * 4)
  for (let y = 0; y < CHECKER; y++) {
    for (let x = 0; x < CHECKER; x++) out.set(((x >> 3) + (y >> 3)) % 2 ? [196, 64, 168, 255] : [92, 92, 98, 255], 4 * (y * CHECKER + x))
  }
  return out
}

export class TextureSet {
  private readonly made = new Map<string, RawTexture>()
  private readonly stage: Stage
  private readonly scene: Scene

  constructor(stage: Stage, scene: Scene) {
    this.stage = stage
    this.scene = scene
  }

  /** The material has a picture: its own, or the checker for one that was not found. */
  has = (index: number): boolean => index >= 0 && index < this.scene.textures.length

  get(index: number, how: Sampling): RawTexture {
    const key = `${index} ${how.wrapU} ${how.wrapV} ${how.filter}`
    const known = this.made.get(key)
    if (known) return known
    const t = this.scene.textures[index]
    const largest = this.stage.getEngine().getCaps().maxTextureSize
    const usable =
      t && !t.missing && t.width > 0 && t.height > 0 && t.width <= largest && t.height <= largest && t.rgba.length >= t.width * t.height * 4
    const texture = usable
      ? RawTexture.CreateRGBATexture(t.rgba, t.width, t.height, this.stage, true, false, FILTER[how.filter])
      : RawTexture.CreateRGBATexture(checker(), CHECKER, CHECKER, this.stage, true, false, Constants.TEXTURE_NEAREST_LINEAR_MIPLINEAR)
    texture.wrapU = usable ? WRAP[how.wrapU] : WRAP.repeat
    texture.wrapV = usable ? WRAP[how.wrapV] : WRAP.repeat
    texture.anisotropicFilteringLevel = how.filter === 'linear' ? 8 : 1
    this.made.set(key, texture)
    return texture
  }

  dispose(): void {
    for (const texture of this.made.values()) texture.dispose()
    this.made.clear()
  }
}
