// npm run release [-- VERSION] [--dry-run]: version, changelog, commit and tag from the commits since the release before.
import { nextVersion, notes, release } from './lib/release.mjs'

const args = process.argv.slice(2)
const asked = args.filter((arg) => arg !== '--dry-run')
try {
  const version = asked[0] ?? nextVersion()
  if (args.includes('--dry-run')) console.log(`next version: ${version}\n\n${notes(version)}`)
  else {
    release(version)
    console.log(`v${version} is committed and tagged; this makes the draft of the release: git push --follow-tags`)
  }
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
