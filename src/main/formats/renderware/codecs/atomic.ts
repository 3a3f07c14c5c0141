/** Atomic Struct and the atomic's own plugins. */
import { flags32, i32, record, u32 } from '../../../binary/layout.ts'
import { bitsOf, reference } from '../../../binary/field-use.ts'
import { struct } from './struct.ts'
import { say } from '../texts/index.ts'
import type { LeafCodec } from './chunk.ts'

const FRAME = reference(i32, 'frames')
const END = { flags: bitsOf(flags32, { collisionTest: 1, render: 4 }), unused: u32 }
const HINTS = { unknown: ['unused'], notes: { flags: () => say('codecs.atomicFlags') } } as const
const LONG = record({ frameIndex: FRAME, geometryIndex: i32, ...END }, HINTS)
const SHORT = record({ frameIndex: FRAME, ...END }, HINTS)

/** 16 bytes; 12 where the geometry stands inline behind it (versions below 3.4.0.0) and has no number. */
export interface AtomicStruct {
  frameIndex: number
  /** absent in the short form */
  geometryIndex?: number
  flags: number
  unused: number
}

const isLong = (v: AtomicStruct): v is Required<AtomicStruct> => v.geometryIndex !== undefined

export const atomicStruct: LeafCodec<AtomicStruct> = {
  id: 'atomic',
  fixed: -1,
  direct: true,
  read: (r, scope) => (scope.size >= LONG.size ? LONG.read(r) : SHORT.read(r)),
  write: (v, out) => (isLong(v) ? LONG.write(out, v) : SHORT.write(out, v)),
  fields: (v, list) => void (isLong(v) ? list.record(LONG, v) : list.record(SHORT, v)),
}

/** {u32 plugin, u32 data}: (0x116, 1) on every skinned atomic. */
export const rightToRender = struct('rightToRender', { plugin: flags32, data: u32 })
