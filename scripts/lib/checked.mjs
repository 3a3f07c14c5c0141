// node checked.mjs SCRIPT ...: the script, once it is clear that what every part of the application needs is there.
import { pathToFileURL } from 'node:url'
import { whyNoDatabase } from './native.mjs'

const trouble = whyNoDatabase()
if (trouble) {
  console.error(trouble)
  process.exit(1)
}
process.argv.splice(1, 1)
await import(pathToFileURL(process.argv[1]).href)
