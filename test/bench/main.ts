/** `npm run bench`: decoding against copying, scanning against reading, an edit and its answer, a click to the first frame, a long timeline. Figures are for reading, never a test. */
import { codecRows } from './codecs.ts'
import { draggedKeyRows } from './dragged-key.ts'
import { editRows } from './edits.ts'
import { libraryRows } from './library.ts'
import { print } from './measure.ts'
import { timelineRows } from './timeline.ts'
import { windowRows } from './window.ts'

console.log(`Node ${process.version}\n`)
print(codecRows())
console.log()
print(await libraryRows())
console.log()
print(await editRows())
console.log()
print(await windowRows())
console.log()
print(await timelineRows())
print(await draggedKeyRows())
