/** BOX (layout [V] on 14), NULL and DAZZLE: render objects without triangles of their own. */
import { nameOf } from '../../../binary/reader.ts'
import { ID } from './chunk-ids.ts'
import { containersOf, dataOf, leavesOf } from './chunk.ts'
import { bytes, chars, f32s, flags32, u32s } from '../../../binary/layout.ts'
import { bitsOf, color } from '../../../binary/field-use.ts'
import { struct, text, version } from './leaves.ts'
import { valuesText } from './value-names.ts'
import { say } from '../texts/index.ts'
import type { Chunk, LeafCodec, TypedChunk } from './chunk.ts'
import type { Struct } from '../../../binary/layout.ts'

const boxFields = {
  version,
  attributes: bitsOf(flags32, {
    oriented: 1,
    axisAligned: 2,
    physicalCollision: 0x10,
    projectileCollision: 0x20,
    visCollision: 0x40,
    cameraCollision: 0x80,
    vehicleCollision: 0x100,
  }),
  name: chars(32),
  color: color(bytes(4), 'rgb-'),
  center: f32s(3),
  extent: f32s(3),
}
export const BOX = struct(ID.BOX, boxFields, {
  notes: {
    attributes: (v: number) => valuesText(v & 1 && 'oriented', v & 2 && 'axisAligned', v & 0xff0 && 'collision'),
    extent: () => say('codecs.halfSizes'),
  },
})
export const BOX_ORIENTED = 1
const nullFields = { version, attributes: flags32, padding: u32s(2), name: chars(32) }
const NULL_OBJECT = struct(ID.NULL_OBJECT, nullFields)
const DAZZLE_NAME = text(ID.DAZZLE_NAME)
const DAZZLE_TYPENAME = text(ID.DAZZLE_TYPENAME)

export const boxCodecs: readonly LeafCodec[] = [BOX, NULL_OBJECT, DAZZLE_NAME, DAZZLE_TYPENAME]

export interface BoxView {
  chunk: TypedChunk<Struct<typeof boxFields>>
  name: string
}

export function boxesOf(document: { chunks: readonly Chunk[] }): BoxView[] {
  return leavesOf({ children: document.chunks }, BOX).map((chunk) => ({ chunk, name: nameOf(chunk.data.name) }))
}

export function nullObjectsOf(document: { chunks: readonly Chunk[] }): string[] {
  return leavesOf({ children: document.chunks }, NULL_OBJECT).map((chunk) => nameOf(chunk.data.name))
}

export function dazzlesOf(document: { chunks: readonly Chunk[] }): string[] {
  return containersOf({ children: document.chunks }, ID.DAZZLE).map((chunk) => nameOf(dataOf(chunk, DAZZLE_NAME) ?? new Uint8Array(0)))
}
