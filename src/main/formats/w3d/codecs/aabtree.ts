/** AABTREE: the collision tree over a mesh's triangles. Layouts [V] on 13 trees. */
import { ID } from './chunk-ids.ts'
import { f32s, u32, u32s } from '../../../binary/layout.ts'
import { structural } from '../../../binary/field-use.ts'
import { records, struct, words } from './leaves.ts'
import type { LeafCodec } from './chunk.ts'

export const AABTREE_HEADER = struct(ID.AABTREE_HEADER, { nodeCount: structural(u32), polyCount: structural(u32), padding: u32s(6) })
export const AABTREE_POLYINDICES = words(ID.AABTREE_POLYINDICES)
export const AABTREE_NODES = records(ID.AABTREE_NODES, { min: f32s(3), max: f32s(3), frontOrPoly0: u32, backOrPolyCount: u32 })

export const aabTreeCodecs: readonly LeafCodec[] = [AABTREE_HEADER, AABTREE_POLYINDICES, AABTREE_NODES]
