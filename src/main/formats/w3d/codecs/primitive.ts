/**
 * SPHERE and RING: translucent shapes whose colour, alpha and size may change with time. Their payload is chunks with ids of their own.
 * Layouts from the released engine sources; no real file with one is known.
 */
import { nameOf } from '../../../binary/reader.ts'
import { ID } from './chunk-ids.ts'
import { leavesOf } from './chunk.ts'
import { bytes, chars, f32s, flags32, i32 } from '../../../binary/layout.ts'
import { color } from '../../../binary/field-use.ts'
import { struct, version } from './leaves.ts'
import { localChunks } from './local-chunks.ts'
import { say } from '../texts/index.ts'
import type { Chunk, LeafCodec, TypedChunk } from './chunk.ts'
import type { Struct } from '../../../binary/layout.ts'
import type { LocalChunk } from './local-chunks.ts'

const shape = {
  version,
  attributes: flags32,
  name: chars(32),
  center: f32s(3),
  extent: f32s(3),
  animDuration: f32s(1),
  defaultColor: color(f32s(3), 'rgb'),
  defaultAlpha: f32s(1),
}
const look = { textureName: chars(32), shader: bytes(16) }
const DEFINITION = 1
/** ids stand for themselves inside their leaf only */
const SPHERE_DEF = struct(
  DEFINITION,
  { ...shape, defaultScale: f32s(3), defaultVector: f32s(5), ...look },
  { notes: { defaultVector: () => say('codecs.defaultVector') } },
)
const RING_DEF = struct(DEFINITION, {
  ...shape,
  defaultInnerScale: f32s(2),
  defaultOuterScale: f32s(2),
  innerExtent: f32s(2),
  outerExtent: f32s(2),
  ...look,
  textureTileCount: i32,
})

/** Keys of channels: a value and its time, told apart by their size. */
const KEYS: Readonly<Record<number, string>> = {
  8: 'f32 value, f32 time',
  12: 'f32[2] value, f32 time',
  16: 'f32[3] value, f32 time',
  24: 'f32[4] quaternion, f32 magnitude, f32 time',
}
const micro = (size: number): string | undefined => KEYS[size]

const SPHERE = localChunks(ID.SPHERE, {
  names: { 1: 'definition', 2: 'colour', 3: 'alpha', 4: 'scale', 5: 'vector' },
  structs: { [DEFINITION]: SPHERE_DEF },
  micro,
})
const RING = localChunks(ID.RING, {
  names: { 1: 'definition', 2: 'colour', 3: 'alpha', 4: 'innerScale', 5: 'outerScale' },
  structs: { [DEFINITION]: RING_DEF },
  micro,
})

export const primitiveCodecs: readonly LeafCodec[] = [SPHERE, RING]

export interface PrimitiveView {
  chunk: TypedChunk<LocalChunk[]>
  kind: 'sphere' | 'ring'
  name: string
  center: Float32Array
  extent: Float32Array
  /** 0..1 */
  color: Float32Array
  texture: string
}

export function primitivesOf(document: { chunks: readonly Chunk[] }): PrimitiveView[] {
  const top = { children: document.chunks }
  return [...leavesOf(top, SPHERE), ...leavesOf(top, RING)].flatMap((chunk) => {
    const found = chunk.data.find((c) => c.kind === 'struct')
    if (found?.kind !== 'struct') return []
    const d = found.data as Struct<typeof shape & typeof look>
    return [
      {
        chunk,
        kind: chunk.codec === SPHERE ? ('sphere' as const) : ('ring' as const),
        name: nameOf(d.name),
        center: d.center,
        extent: d.extent,
        color: d.defaultColor,
        texture: nameOf(d.textureName),
      },
    ]
  })
}
