/** What can be measured, by name. Each part is imported when it is asked for: one that an older commit cannot run does not take the others with it. */
import type { Row } from './measure.ts'

export interface Group {
  rows: () => Promise<Row[]>
  /** measures what a build made */
  built?: true
}

export const GROUPS: Record<string, Group> = {
  start: { rows: async () => (await import('./start.ts')).startRows(), built: true },
  codecs: { rows: async () => (await import('./codecs.ts')).codecRows() },
  posing: { rows: async () => (await import('./posing.ts')).posingRows() },
  retarget: { rows: async () => (await import('./retarget.ts')).retargetRows() },
  check: { rows: async () => (await import('./motion-check.ts')).motionCheckRows() },
  library: { rows: async () => (await import('./library.ts')).libraryRows(), built: true },
  memory: { rows: async () => (await import('./memory.ts')).memoryRows() },
  binding: { rows: async () => (await import('./binding.ts')).bindingRows() },
  'event-loop': { rows: async () => (await import('./event-loop.ts')).eventLoopRows() },
  search: { rows: async () => (await import('./search.ts')).searchRows(), built: true },
  edits: { rows: async () => (await import('./edits.ts')).editRows() },
  archive: { rows: async () => (await import('./archive.ts')).archiveRows() },
  saves: { rows: async () => (await import('./in-place.ts')).inPlaceRows() },
  pictures: { rows: async () => (await import('./pictures.ts')).pictureRows(), built: true },
  scripts: { rows: async () => (await import('./scripts.ts')).scriptRows(), built: true },
  window: { rows: async () => (await import('./window.ts')).windowRows(), built: true },
  figure: { rows: async () => (await import('./figure.ts')).figureRows(), built: true },
  contexts: { rows: async () => (await import('./contexts.ts')).contextRows() },
  timeline: { rows: async () => (await import('./timeline.ts')).timelineRows() },
  editing: { rows: async () => (await import('./edited-key.ts')).editedKeyRows(), built: true },
  dragging: { rows: async () => (await import('./dragged-key.ts')).draggedKeyRows(), built: true },
}
