// Whether the one native module is there: a binary that comes in its package, for this system and processor.
import { createRequire } from 'node:module'

const load = createRequire(import.meta.url)

/** One line on why there is no database, which says what to do; null where there is one. */
export function whyNoDatabase(open = () => new (load('better-sqlite3'))(':memory:').close()) {
  try {
    open()
    return null
  } catch (error) {
    if (error.code === 'MODULE_NOT_FOUND' && /'better-sqlite3'/.test(error.message)) return 'The packages are not installed: run npm ci.'
    // the first line: a list of who asked for it follows
    const [reason] = error.message.split('\n')
    return `The database's binary for ${process.platform}-${process.arch} (package better-sqlite3) cannot be loaded: run npm ci again. (${reason})`
  }
}
