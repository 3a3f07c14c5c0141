/** Weight work off the window's thread: one request at a time, progress while it runs. To cancel, the window ends the worker. */
import { neighboursOf, type NativeGeometry, type Neighbours } from '../../../shared/weights/geometry.ts'
import { runTool, type ToolInput, type ToolOutcome } from '../../../shared/weights/run.ts'
import { findPlane } from '../../../shared/weights/tools.ts'
import { partnersOf } from './stroke.ts'

type Plane = ReturnType<typeof findPlane>

/** What can be asked for, by name: what it takes and what it gives. */
export interface WeightWork {
  tool: { takes: ToolInput; gives: ToolOutcome }
  /** what a mesh is once for all: edits of weights do not change it */
  prepare: { takes: NativeGeometry; gives: { neighbours: Neighbours; plane: Plane } }
  partners: { takes: { geometry: NativeGeometry; plane: Plane }; gives: Int32Array }
}

export type WorkRequest = { [K in keyof WeightWork]: { kind: K; input: WeightWork[K]['takes'] } }[keyof WeightWork]
export type WorkAnswer = { progress: number } | { result: WeightWork[keyof WeightWork]['gives'] } | { error: string }

const REPORT_EVERY = 100

function run(request: WorkRequest): WeightWork[keyof WeightWork]['gives'] {
  switch (request.kind) {
    case 'prepare':
      return { neighbours: neighboursOf(request.input), plane: findPlane(request.input) }
    case 'partners':
      return partnersOf(request.input.geometry, request.input.plane)
    case 'tool': {
      const steps = runTool(request.input)
      let told = performance.now()
      for (;;) {
        const { done, value } = steps.next()
        if (done) return value
        if (performance.now() - told < REPORT_EVERY) continue
        told = performance.now()
        postMessage({ progress: value } satisfies WorkAnswer)
      }
    }
  }
}

onmessage = (event: MessageEvent<WorkRequest>) => {
  try {
    postMessage({ result: run(event.data) } satisfies WorkAnswer)
  } catch (error) {
    postMessage({ error: (error as Error).message } satisfies WorkAnswer)
  }
}
