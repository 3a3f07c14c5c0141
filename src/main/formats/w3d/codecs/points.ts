/** Render objects that have a name and a place and no triangles: what an HLOD may hang on a pivot besides meshes and boxes. */
import { dazzlesOf, nullObjectsOf } from './box.ts'
import { emittersOf } from './emitter.ts'
import { primitivesOf } from './primitive.ts'
import { soundObjectNames } from './sound-object.ts'
import type { Chunk } from './chunk.ts'
import type { PrimitiveView } from './primitive.ts'

export interface PointObject {
  name: string
  kind: 'nullObject' | 'emitter' | 'dazzle' | 'sound' | 'sphere' | 'ring'
  /** spheres and rings have a size */
  shape?: PrimitiveView
}

export function pointObjectsOf(document: { chunks: readonly Chunk[] }): PointObject[] {
  return [
    ...nullObjectsOf(document).map((name) => ({ name, kind: 'nullObject' as const })),
    ...emittersOf(document).map(({ name }) => ({ name, kind: 'emitter' as const })),
    ...dazzlesOf(document).map((name) => ({ name, kind: 'dazzle' as const })),
    ...soundObjectNames(document).map((name) => ({ name, kind: 'sound' as const })),
    ...primitivesOf(document).map((shape) => ({ name: shape.name, kind: shape.kind, shape })),
  ].filter((object) => object.name !== '')
}
