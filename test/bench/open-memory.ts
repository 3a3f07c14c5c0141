/** `node open-memory.ts FOLDER STATE`: opens models one after the other in a process that did nothing but the scan before, and prints what of memory stays. */
import { createServices } from '../../src/main/services/create-services.ts'
import { caller } from '../support/caller.ts'
import { asServed } from './as-served.ts'

export interface OpenMemory {
  /** how many were opened and closed */
  models: number
  /** above what the process had before them, in bytes */
  left: number
}

const MODELS = 200

await asServed()
const [root, stateFolder] = process.argv.slice(2)
const services = createServices({ stateFolder, host: 'web', watchEvery: 0 })
const call = caller(() => services)
const { id: library } = await call('library.open', { root })
await call('library.scan', { library })
const { rows } = await call('library.query', { library, show: 'models', sort: 'name', offset: 0, limit: MODELS })
const start = process.memoryUsage.rss()
for (const { ref } of rows) {
  const { info } = await call('model.open', { ref, library })
  if (info.abilities.clips) await call('clips.tracks', { model: info.id, clip: 0 })
  await call('model.close', { model: info.id, discard: true })
}
const told: OpenMemory = { models: rows.length, left: process.memoryUsage.rss() - start }
await services.close()
console.log(JSON.stringify(told))
