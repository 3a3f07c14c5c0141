/** Atomic Struct and the atomic's own plugins. */
import type { LeafCodec } from './chunk.ts'

/** 16 bytes; 12 where the geometry stands inline behind it (versions below 3.4.0.0) and has no number. */
export interface AtomicStruct {
  frameIndex: number
  /** absent in the short form */
  geometryIndex?: number
  flags: number
  unused: number
}

export const atomicStruct: LeafCodec<AtomicStruct> = {
  id: 'atomic',
  label: 'Atomic Struct',
  fixed: -1,
  direct: true,
  read(r, scope) {
    const long = scope.size >= 16
    const frameIndex = r.i32('frameIndex')
    const geometryIndex = long ? r.i32('geometryIndex') : undefined
    return { frameIndex, geometryIndex, flags: r.u32('flags'), unused: r.u32('unused') }
  },
  write(v, out) {
    out.i32(v.frameIndex)
    if (v.geometryIndex !== undefined) out.i32(v.geometryIndex)
    out.u32(v.flags)
    out.u32(v.unused)
  },
  fields(v, list) {
    list.add('frameIndex', 'i32', 4, v.frameIndex)
    if (v.geometryIndex !== undefined) list.add('geometryIndex', 'i32', 4, v.geometryIndex)
    list
      .add('flags', 'u32', 4, `0x${v.flags.toString(16)}`, { note: '1 collision test, 4 render' })
      .add('unused', 'u32', 4, v.unused, { unknown: true })
  },
}

/** {u32 plugin, u32 data}: (0x116, 1) on every skinned atomic. */
export const rightToRender: LeafCodec<{ plugin: number; data: number }> = {
  id: 'rightToRender',
  label: 'Right to render',
  fixed: 8,
  read: (r) => ({ plugin: r.u32('plugin'), data: r.u32('data') }),
  write(v, out) {
    out.u32(v.plugin)
    out.u32(v.data)
  },
  fields: (v, list) => void list.add('plugin', 'u32', 4, `0x${v.plugin.toString(16)}`).add('data', 'u32', 4, v.data),
}
