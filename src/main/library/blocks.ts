/** Rows in blocks: all at once are as much again as what is made of them, and one at a time takes twice as long. */
import type { Statement } from './database.ts'

/** Rows of a block, some milliseconds. */
const BLOCK = 2048

/**
 * @param rows raw, by their numbers from the one behind its first parameter on, as many as its second
 * @param number column that has it
 */
export function* blocksOf<Row extends readonly unknown[]>(rows: Statement, number: number): Generator<Row[]> {
  for (let last = 0; ;) {
    const block = rows.all(last, BLOCK) as Row[]
    if (block.length > 0) yield block
    if (block.length < BLOCK) return
    last = block.at(-1)![number] as number
  }
}
