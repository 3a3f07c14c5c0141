/** LIGHT, and LIGHTSCAPE's lights with a place. Layouts from the released engine headers; no real file with one is known. */
import { ID } from './chunk-ids.ts'
import { containersOf, dataOf } from './chunk.ts'
import { bytes, f32s, flags32, u32 } from '../../../binary/layout.ts'
import { bitsOf, color } from '../../../binary/field-use.ts'
import { struct } from './leaves.ts'
import { valuesText } from './value-names.ts'
import type { Chunk, ContainerChunk, LeafCodec } from './chunk.ts'

const TYPES = ['noType', 'point', 'directional', 'spot'] as const
const LIGHT_INFO = struct(
  ID.LIGHT_INFO,
  {
    attributes: bitsOf(flags32, { castsShadows: 0x100 }, [{ name: 'type', at: 0, width: 8, values: TYPES }]),
    unused: u32,
    ambient: color(bytes(4), 'rgb-'),
    diffuse: color(bytes(4), 'rgb-'),
    specular: color(bytes(4), 'rgb-'),
    intensity: f32s(1),
  },
  {
    unknown: ['unused'],
    notes: { attributes: (v: number) => valuesText(TYPES[v & 0xff] ?? 'unknownType', v & 0x100 && 'castsShadows') },
  },
)
const SPOT_LIGHT_INFO = struct(ID.SPOT_LIGHT_INFO, { spotDirection: f32s(3), spotAngle: f32s(1), spotExponent: f32s(1) })
const NEAR_ATTENUATION = struct(ID.NEAR_ATTENUATION, { start: f32s(1), end: f32s(1) })
const FAR_ATTENUATION = struct(ID.FAR_ATTENUATION, { start: f32s(1), end: f32s(1) })
/** three rows of a right-handed matrix, the translation in the fourth column */
const LIGHT_TRANSFORM = struct(ID.LIGHT_TRANSFORM, { transform: f32s(12) })

export const lightCodecs: readonly LeafCodec[] = [LIGHT_INFO, SPOT_LIGHT_INFO, NEAR_ATTENUATION, FAR_ATTENUATION, LIGHT_TRANSFORM]

export interface LightView {
  chunk: ContainerChunk
  /** of a lightscape's light; elsewhere the light stands at the origin of what it hangs on */
  place: [number, number, number]
  /** 0..1 */
  color: [number, number, number]
}

/** Lights of a file: its own, and those inside lightscapes. */
export function lightsOf(document: { chunks: readonly Chunk[] }): LightView[] {
  const top = { children: document.chunks }
  return [
    ...containersOf(top, ID.LIGHT),
    ...containersOf(top, ID.LIGHTSCAPE).flatMap((scape) => containersOf(scape, ID.LIGHTSCAPE_LIGHT)),
  ].map((chunk) => {
    const info = dataOf(chunk, LIGHT_INFO) ?? dataOf(containersOf(chunk, ID.LIGHT)[0], LIGHT_INFO)
    const m = dataOf(chunk, LIGHT_TRANSFORM)?.transform
    return {
      chunk,
      place: m ? [m[3], m[7], m[11]] : [0, 0, 0],
      color: info ? [info.diffuse[0] / 255, info.diffuse[1] / 255, info.diffuse[2] / 255] : [1, 1, 1],
    }
  })
}
