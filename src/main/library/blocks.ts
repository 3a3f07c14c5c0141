/** Rows in blocks: all at once are as much again as what is made of them, and one at a time takes twice as long. */
import type { Statement } from './database.ts'

/** Rows of a block, some milliseconds. */
const BLOCK = 2048

/**
 * @param rows raw, in the order of the columns that its first parameters are of: from behind these on, as many as its last
 * @param first below those of every row
 * @param of these columns of a row
 */
export function* blocksOf<Row extends readonly unknown[]>(
  rows: Statement,
  first: readonly unknown[],
  of: (row: Row) => readonly unknown[],
): Generator<Row[]> {
  for (let last = first; ;) {
    const block = rows.all(...last, BLOCK) as Row[]
    if (block.length > 0) yield block
    if (block.length < BLOCK) return
    last = of(block.at(-1)!)
  }
}
