/** Bytes behind what a format has. */
import { say } from '../texts/index.ts'
import type { Diagnostics } from '../../format.ts'

/** Says that there are some; the document keeps them. @param size of the file */
export function noteTrailing(format: 'ani' | 'cms' | 'msh' | 'skl', trailing: Uint8Array, size: number, diagnostics: Diagnostics): void {
  const n = trailing.length
  if (n) diagnostics.add('warning', 'lostsaga.trailing-bytes', say(`codecs.${format}.trailing`, { count: n }), 'trailing', size - n)
}
