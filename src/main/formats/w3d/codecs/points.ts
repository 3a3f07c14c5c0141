/** Render objects that have a name and a place and no triangles: what an HLOD may hang on a pivot besides meshes and boxes. */
import { dazzlesOf, nullObjectsOf } from './box.ts'
import { emittersOf } from './emitter.ts'
import { primitivesOf } from './primitive.ts'
import { soundObjectNames } from './sound-object.ts'
import type { Chunk } from './chunk.ts'
import type { PrimitiveView } from './primitive.ts'

export interface PointObject {
  name: string
  label: 'null object' | 'emitter' | 'dazzle' | 'sound' | 'sphere' | 'ring'
  /** spheres and rings have a size */
  shape?: PrimitiveView
}

export function pointObjectsOf(document: { chunks: readonly Chunk[] }): PointObject[] {
  return [
    ...nullObjectsOf(document).map((name) => ({ name, label: 'null object' as const })),
    ...emittersOf(document).map(({ name }) => ({ name, label: 'emitter' as const })),
    ...dazzlesOf(document).map((name) => ({ name, label: 'dazzle' as const })),
    ...soundObjectNames(document).map((name) => ({ name, label: 'sound' as const })),
    ...primitivesOf(document).map((shape) => ({ name: shape.name, label: shape.kind, shape })),
  ].filter((object) => object.name !== '')
}
