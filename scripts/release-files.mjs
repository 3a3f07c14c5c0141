// For the workflow of a release: node scripts/release-files.mjs TAG FOLDER
import { releaseFiles } from './lib/release-files.mjs'

const [tag, folder] = process.argv.slice(2)
try {
  if (!tag || !folder) throw new Error('node scripts/release-files.mjs TAG FOLDER')
  releaseFiles(tag, folder)
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
