/** Clump Struct and the small Structs that stand in a clump. */
import { floatRuns, flags32, i32, named, record, u32 } from '../../../binary/layout.ts'
import { bitsOf, reference, structural } from '../../../binary/field-use.ts'
import { struct } from './struct.ts'
import type { ValueOf } from '../../../binary/layout.ts'
import type { ChunkText } from '../texts/chunks.ts'
import type { LeafCodec } from './chunk.ts'

const HEAD = record({ numAtomics: structural(i32) })
const LIGHTS = record({ numLights: structural(i32), numCameras: structural(i32) })

/** 12 bytes; 4 where the version is 3.3.0.0 or below. Size decides, since stamps of converted files do not tell. */
export interface ClumpStruct extends ValueOf<typeof HEAD> {
  /** absent in the short form */
  lights?: ValueOf<typeof LIGHTS>
}

export const clumpStruct: LeafCodec<ClumpStruct> = {
  id: 'clump',
  fixed: -1,
  read(r) {
    const head = HEAD.read(r)
    return r.remaining < LIGHTS.size ? head : { ...head, lights: LIGHTS.read(r) }
  },
  write(v, out) {
    HEAD.write(out, v)
    if (v.lights) LIGHTS.write(out, v.lights)
  },
  fields(v, list) {
    list.record(HEAD, v)
    if (v.lights) list.record(LIGHTS, v.lights)
  },
}

/** One number: the frame of the light or camera that follows, a count of geometries or animations. */
const oneNumber = (id: ChunkText, name: string, type = structural(i32)): LeafCodec<{ value: number }> =>
  struct(id, { value: named(name, type) })

export const frameIndexStruct = oneNumber('frameIndex', 'frameIndex', reference(i32, 'frames'))
export const geometryListStruct = oneNumber('geometryList', 'numGeometries')
export const uvAnimDictStruct = oneNumber('uvAnimDict', 'numAnimations')

/** 24 bytes */
export interface LightStruct {
  /** radius, red, green, blue, minusCosAngle */
  values: Float32Array
  typeAndFlags: number
}

/** By their numbers; those from 0x80 on stand somewhere. */
const LIGHT_TYPES = Array.from(
  { length: 0x83 },
  (_, type) => ({ 1: 'directional', 2: 'ambient', 0x80: 'point', 0x81: 'spot', 0x82: 'softSpot' })[type] ?? '',
)

export const lightStruct: LeafCodec<LightStruct> = struct('light', {
  values: floatRuns({ radius: { count: 1 }, color: { count: 3, use: { is: 'color', order: 'rgb' } }, minusCosAngle: { count: 1 } }),
  typeAndFlags: bitsOf(flags32, { lightsModels: 1, lightsWorld: 2 }, [{ name: 'type', at: 16, width: 16, values: LIGHT_TYPES }]),
})

/** 32 bytes */
export const cameraStruct = struct('camera', {
  values: floatRuns({
    viewWindow: { count: 2 },
    viewOffset: { count: 2 },
    nearPlane: { count: 1 },
    farPlane: { count: 1 },
    fogPlane: { count: 1 },
  }),
  projection: u32,
})
