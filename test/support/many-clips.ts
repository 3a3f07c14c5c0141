/** The sample's figure with an animation package like that of a whole game: hundreds of clips of all its bones. */
import { nameOf } from '../../src/main/binary/reader.ts'
import { ifpFormat } from '../../src/main/formats/renderware/codecs/ifp.ts'
import { newIfp } from '../../src/main/formats/renderware/make.ts'
import { encodeDocument } from '../../src/main/formats/format.ts'
import type { SampleFile } from '../../src/main/sample/write-sample.ts'

/** As many as the main package of San Andreas has. */
export const MANY_CLIPS = 592
const KEYS = 16

/** @param sample files of the sample library @returns files by their paths; the model is `adventurer.dff` */
export function manyClips(sample: readonly SampleFile[], count = MANY_CLIPS): Record<string, Uint8Array> {
  const file = (name: string): Uint8Array => sample.find(({ path }) => path === `San Andreas/models/${name}`)!.bytes
  const own = ifpFormat.decode(file('adventurer.ifp'), 'adventurer.ifp')
  const bones = new Map(own.animations.flatMap((animation) => animation.bones.map((bone) => [nameOf(bone.name), bone] as const)))
  const clips = Array.from({ length: count }, (_, clip) => ({
    name: `clip_${clip}`,
    tracks: [...bones].map(([bone, { boneId }], b) => ({
      bone,
      id: boneId,
      times: Array.from({ length: KEYS }, (_, k) => k / 15),
      rotations: Array.from({ length: KEYS }, (_, k) => {
        const half = 0.2 * Math.sin(k / 3 + b + clip)
        return [Math.sin(half), 0, 0, Math.cos(half)]
      }).flat(),
    })),
  }))
  return {
    'adventurer.dff': file('peds/adventurer.dff'),
    'adventurer.txd': file('peds/adventurer.txd'),
    'adventurer.ifp': encodeDocument(ifpFormat, newIfp('adventurer', clips)).bytes.slice(),
  }
}
