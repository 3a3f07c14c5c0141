/** A tool as plain data, done in parts: what a worker runs, with its progress between the parts. */
import type { NativeWeights, WeightEdit } from '../api/types/weights.ts'
import { changeBone, type ChangeMode } from './change.ts'
import { neighboursOf, SurfaceTree, type NativeGeometry } from './geometry.ts'
import { EditRows } from './rows.ts'
import { copyFrom, limit, mirror, normalise, prune, smooth, type CopySource, type MirrorOptions, type Transfer } from './tools.ts'

/** What is to be done. Weights are of the native scale, shares 0..1, distances of the scene. */
export type ToolTask =
  | { tool: 'normalise' }
  | { tool: 'prune'; threshold: number }
  | { tool: 'limit'; most: number }
  | { tool: 'smooth'; strength: number }
  | { tool: 'change'; bone: number; mode: ChangeMode; strength: number; amount: number; heirs: Int32Array }
  | ({ tool: 'mirror' } & MirrorOptions)
  | { tool: 'copy'; source: CopySource; within: number }

export interface ToolInput {
  weights: NativeWeights
  vertices: Uint32Array
  /** needed by smooth, mirror, copy */
  geometry: NativeGeometry | null
  task: ToolTask
}

export interface ToolOutcome {
  /** null where nothing would change */
  edit: WeightEdit | null
  /** vertices that change */
  count: number
  /** of them, those that lose bones because the file has no room for more */
  cut: number
  /** most that a weight changes by rounding to the file's step, native scale */
  rounded: number
  /** vertices that found no place near enough */
  unmatched: number
  /** bones of the source that have no counterpart here */
  missing: string[]
}

const PART = 4096

/** Yields the share that is done, 0..1. @throws where a tool needs places and the mesh has none */
export function* runTool({ weights: w, vertices, geometry, task }: ToolInput): Generator<number, ToolOutcome> {
  const rows = new EditRows(w)
  const missing = new Set<string>()
  let unmatched = 0
  const places = (): NativeGeometry => {
    if (!geometry) throw new Error('this mesh has no places')
    return geometry
  }
  const transfer = (t: Transfer): void => {
    unmatched += t.unmatched
    for (const name of t.missing) missing.add(name)
  }
  const part = ((): ((vertices: Uint32Array) => void) => {
    switch (task.tool) {
      case 'normalise':
        return (v) => normalise(w, v, rows)
      case 'prune':
        return (v) => prune(w, v, task.threshold, rows)
      case 'limit':
        return (v) => limit(w, v, task.most, rows)
      case 'smooth': {
        const neighbours = neighboursOf(places())
        return (v) => smooth(w, v, neighbours, task.strength, rows)
      }
      case 'change': {
        const neighbours = task.mode === 'smooth' ? neighboursOf(places()) : undefined
        return (v) => changeBone(w, v, { ...task, neighbours }, rows)
      }
      case 'mirror': {
        const tree = new SurfaceTree(places())
        return (v) => transfer(mirror(w, v, places(), task, tree, rows))
      }
      case 'copy': {
        const tree = new SurfaceTree(task.source.geometry)
        return (v) => transfer(copyFrom(task.source, w, v, places(), task.within, tree, rows))
      }
    }
  })()
  for (let at = 0; at < vertices.length; at += PART) {
    yield at / vertices.length
    part(vertices.subarray(at, at + PART))
  }
  return { edit: rows.edit(), count: rows.count, cut: rows.cut, rounded: rows.rounded, unmatched, missing: [...missing].sort() }
}

/** Runs it to its end. */
export function toolOutcome(input: ToolInput): ToolOutcome {
  const steps = runTool(input)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}
