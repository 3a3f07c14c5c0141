/** MaterialList Struct and Material Struct. */
import { floatsOf, smallWords } from './words.ts'
import type { LeafCodec } from './chunk.ts'

export interface MaterialListStruct {
  numMaterials: number
  /** -1: a Material chunk follows; k >= 0: the k-th material again */
  indices: Int32Array
}

export const materialListStruct: LeafCodec<MaterialListStruct> = {
  id: 'materialList',
  label: 'MaterialList Struct',
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
    list.add('numMaterials', 'i32', 4, v.numMaterials)
    if (v.indices.length) list.add('indices', `i32 x ${v.numMaterials}`, v.indices.byteLength, v.indices)
  },
}

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
  label: 'Material Struct',
  fixed: -1,
  direct: true,
  read(r, scope) {
    const flags = r.u32('flags')
    const color = r.take(4, 'color')
    const unused = r.u32('unused')
    const isTextured = r.i32('isTextured')
    return scope.size >= 28 ? { flags, color, unused, isTextured, surface: smallWords(r, 3) } : { flags, color, unused, isTextured }
  },
  write(v, out) {
    out.u32(v.flags)
    out.raw(v.color)
    out.u32(v.unused)
    out.i32(v.isTextured)
    if (v.surface) out.raw(v.surface)
  },
  fields(v, list) {
    list.add('flags', 'u32', 4, v.flags, { unknown: true }).add('color', 'u8[4]', 4, v.color)
    list.add('unused', 'u32', 4, `0x${v.unused.toString(16)}`, { unknown: true, note: 'a left-over pointer in most files' })
    list.add('isTextured', 'i32', 4, v.isTextured)
    if (v.surface) list.add('surface', 'f32[3]', 12, floatsOf(v.surface), { note: 'ambient, specular, diffuse' })
  },
}
