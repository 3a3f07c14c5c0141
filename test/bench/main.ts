/**
 * `npm run bench`: decoding against copying, scanning against reading, an edit and its answer, a click to the first frame, a long timeline; `npm run
 * bench -- library` those rows alone. Figures are for reading, never a test.
 */
import { bindingRows } from './binding.ts'
import { codecRows } from './codecs.ts'
import { draggedKeyRows } from './dragged-key.ts'
import { editRows } from './edits.ts'
import { figureRows } from './figure.ts'
import { libraryRows } from './library.ts'
import { print, type Row } from './measure.ts'
import { motionCheckRows } from './motion-check.ts'
import { posingRows } from './posing.ts'
import { searchRows } from './search.ts'
import { startRows } from './start.ts'
import { timelineRows } from './timeline.ts'
import { windowRows } from './window.ts'

const GROUPS: Record<string, () => Row[] | Promise<Row[]>> = {
  start: startRows,
  codecs: codecRows,
  posing: posingRows,
  check: motionCheckRows,
  library: libraryRows,
  binding: bindingRows,
  search: searchRows,
  edits: editRows,
  window: windowRows,
  figure: figureRows,
  timeline: timelineRows,
  dragging: draggedKeyRows,
}

const asked = process.argv.slice(2)
const unknown = asked.find((name) => !(name in GROUPS))
if (unknown !== undefined) {
  console.error(`No rows called ${unknown}: ${Object.keys(GROUPS).join(', ')}`)
  process.exit(2)
}
console.log(`Node ${process.version}`)
for (const [name, rows] of Object.entries(GROUPS)) {
  if (asked.length > 0 && !asked.includes(name)) continue
  console.log()
  print(await rows())
}
