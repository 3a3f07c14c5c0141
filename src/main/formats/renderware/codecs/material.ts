/** MaterialList Struct and Material Struct. */
import { bytes, flags32, i32, record, u32 } from '../../../binary/layout.ts'
import { color, structural } from '../../../binary/field-use.ts'
import { floatBits } from './struct.ts'
import { say } from '../texts/index.ts'
import type { FieldHints, FieldType } from '../../../binary/layout.ts'
import type { LeafCodec } from './chunk.ts'

export interface MaterialListStruct {
  numMaterials: number
  /** -1: a Material chunk follows; k >= 0: the k-th material again */
  indices: Int32Array
}

export const materialListStruct: LeafCodec<MaterialListStruct> = {
  id: 'materialList',
  fixed: -1,
  read(r) {
    const numMaterials = r.count(r.i32('numMaterials'), 4, 'numMaterials')
    return { numMaterials, indices: r.i32s(numMaterials, 'indices') }
  },
  write(v, out) {
    out.i32(v.numMaterials)
    out.raw(v.indices)
  },
  fields(v, list) {
    list.add('numMaterials', 'i32', 4, v.numMaterials, { use: { is: 'structure' } })
    if (v.indices.length) list.add('indices', `i32 x ${v.numMaterials}`, v.indices.byteLength, v.indices)
  },
}

const SHORT = {
  flags: u32,
  color: color(bytes(4)),
  unused: flags32,
  isTextured: structural(i32),
}
const HINTS: FieldHints<typeof SHORT & { surface: FieldType<Uint32Array> }> = {
  unknown: ['flags', 'unused'],
  notes: { unused: () => say('codecs.leftOverPointerMostly'), surface: () => say('codecs.surface') },
}
const MATERIAL = record({ ...SHORT, surface: floatBits(3) }, HINTS)
const OLD_MATERIAL = record(SHORT, HINTS as FieldHints<typeof SHORT>)

export interface MaterialStruct {
  flags: number
  /** RGBA */
  color: Uint8Array
  /** left-over pointers in most files; kept */
  unused: number
  isTextured: number
  /** bits of three floats: ambient, specular, diffuse; absent in versions below 3.4.0.0 */
  surface?: Uint32Array
}

export const materialStruct: LeafCodec<MaterialStruct> = {
  id: 'material',
  fixed: -1,
  direct: true,
  read: (r, scope) => (scope.size >= MATERIAL.size ? MATERIAL.read(r) : OLD_MATERIAL.read(r)),
  write: (v, out) => (hasSurface(v) ? MATERIAL.write(out, v) : OLD_MATERIAL.write(out, v)),
  fields: (v, list) => void (hasSurface(v) ? list.record(MATERIAL, v) : list.record(OLD_MATERIAL, v)),
}

const hasSurface = (v: MaterialStruct): v is Required<MaterialStruct> => v.surface !== undefined
