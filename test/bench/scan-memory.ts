/** `node scan-memory.ts FOLDER INDEX`: scans a folder in a process that did nothing else, and prints what of memory that took. */
import { setTimeout } from 'node:timers/promises'
import { asServed } from './as-served.ts'
import { Library } from '../../src/main/library/library.ts'

export interface ScanMemory {
  /** above what the process had before, in bytes */
  peak: number
  left: number
}

/** The engine gives pages of a thread that ended back after some seconds. */
const PATIENCE_MS = 12_000

await asServed()
const [folder, index] = process.argv.slice(2)
const library = Library.open(folder, index)
const start = process.memoryUsage.rss()
let most = start
// the scan itself runs in a worker: this thread is free
const timer = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 10)
await library.scan()
clearInterval(timer)
most = Math.max(most, process.memoryUsage.rss())
await setTimeout(PATIENCE_MS)
const told: ScanMemory = { peak: most - start, left: process.memoryUsage.rss() - start }
library.close()
console.log(JSON.stringify(told))
