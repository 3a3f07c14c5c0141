/** Clump Struct and the small Structs that stand in a clump. */
import type { LeafCodec } from './chunk.ts'

/** 12 bytes; 4 where the version is 3.3.0.0 or below. Size decides, since stamps of converted files do not tell. */
export interface ClumpStruct {
  numAtomics: number
  /** absent in the short form */
  lights?: { numLights: number; numCameras: number }
}

export const clumpStruct: LeafCodec<ClumpStruct> = {
  id: 'clump',
  label: 'Clump Struct',
  fixed: -1,
  read(r) {
    const numAtomics = r.i32('numAtomics')
    if (r.remaining < 8) return { numAtomics }
    return { numAtomics, lights: { numLights: r.i32('numLights'), numCameras: r.i32('numCameras') } }
  },
  write(v, out) {
    out.i32(v.numAtomics)
    if (v.lights) {
      out.i32(v.lights.numLights)
      out.i32(v.lights.numCameras)
    }
  },
  fields(v, list) {
    list.add('numAtomics', 'i32', 4, v.numAtomics)
    if (v.lights) list.add('numLights', 'i32', 4, v.lights.numLights).add('numCameras', 'i32', 4, v.lights.numCameras)
  },
}

/** One number: the frame of the light or camera that follows, a count of geometries or animations. */
function oneNumber(id: string, label: string, name: string): LeafCodec<{ value: number }> {
  return {
    id,
    label,
    fixed: 4,
    read: (r) => ({ value: r.i32(name) }),
    write: (v, out) => out.i32(v.value),
    fields: (v, list) => void list.add(name, 'i32', 4, v.value),
  }
}

export const frameIndexStruct = oneNumber('frameIndex', 'Frame of the next light or camera', 'frameIndex')
export const geometryListStruct = oneNumber('geometryList', 'GeometryList Struct', 'numGeometries')
export const uvAnimDictStruct = oneNumber('uvAnimDict', 'UVAnimDict Struct', 'numAnimations')

/** 24 bytes */
export interface LightStruct {
  /** radius, red, green, blue, minusCosAngle */
  values: Float32Array
  typeAndFlags: number
}

export const lightStruct: LeafCodec<LightStruct> = {
  id: 'light',
  label: 'Light Struct',
  fixed: 24,
  read: (r) => ({ values: r.f32s(5), typeAndFlags: r.u32() }),
  write(v, out) {
    out.raw(v.values)
    out.u32(v.typeAndFlags)
  },
  fields(v, list) {
    list
      .add('radius', 'f32', 4, v.values[0])
      .add('color', 'f32[3]', 12, v.values.subarray(1, 4))
      .add('minusCosAngle', 'f32', 4, v.values[4])
    list.add('typeAndFlags', 'u32', 4, `0x${v.typeAndFlags.toString(16)}`)
  },
}

/** 32 bytes */
export interface CameraStruct {
  /** viewWindow x y, viewOffset x y, nearPlane, farPlane, fogPlane */
  values: Float32Array
  projection: number
}

export const cameraStruct: LeafCodec<CameraStruct> = {
  id: 'camera',
  label: 'Camera Struct',
  fixed: 32,
  read: (r) => ({ values: r.f32s(7), projection: r.u32() }),
  write(v, out) {
    out.raw(v.values)
    out.u32(v.projection)
  },
  fields(v, list) {
    list.add('viewWindow', 'f32[2]', 8, v.values.subarray(0, 2)).add('viewOffset', 'f32[2]', 8, v.values.subarray(2, 4))
    list
      .add('nearPlane', 'f32', 4, v.values[4])
      .add('farPlane', 'f32', 4, v.values[5])
      .add('fogPlane', 'f32', 4, v.values[6])
      .add('projection', 'u32', 4, v.projection)
  },
}
