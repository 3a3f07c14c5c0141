/** Weight work off the window's thread: one request at a time, progress while it runs. To cancel, the window ends the worker. */
import { neighboursOf, type NativeGeometry, type Neighbours } from '../../../shared/weights/geometry.ts'
import { runTool, type ToolInput, type ToolOutcome } from '../../../shared/weights/run.ts'
import { findPlane } from '../../../shared/weights/tools.ts'
import { serveWindow } from '../../core/worker/serve-web.ts'
import { partnersOf } from './stroke.ts'

type Plane = ReturnType<typeof findPlane>

/** What can be asked for, by name. Progress is the share that is done, 0..1. */
export interface WeightWork {
  tool: { takes: ToolInput; gives: ToolOutcome; tells: number }
  /** what a mesh is once for all: edits of weights do not change it */
  prepare: { takes: NativeGeometry; gives: { neighbours: Neighbours; plane: Plane } }
  partners: { takes: { geometry: NativeGeometry; plane: Plane }; gives: Int32Array }
}

serveWindow<WeightWork>({
  prepare: (geometry) => ({ neighbours: neighboursOf(geometry), plane: findPlane(geometry) }),
  partners: ({ geometry, plane }) => partnersOf(geometry, plane),
  tool(input, work) {
    const steps = runTool(input)
    for (;;) {
      const { done, value } = steps.next()
      if (done) return value
      work.progress(value)
    }
  },
})
