// What a release is published with: its notes out of the changelog, and checksums of its files.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from './build.mjs'

/** The section of one version. Throws where the changelog has none. */
export function notesOf(version, changelog) {
  const sections = changelog.split(/^(?=## )/m)
  const own = sections.find((section) => section.startsWith(`## ${version},`))
  if (!own) throw new Error(`CHANGELOG.md says nothing of ${version}: npm run release writes it`)
  return own.slice(own.indexOf('\n')).trim()
}

/** Lines for `sha256sum --check`, by name. */
export function checksums(folder) {
  const names = readdirSync(folder).filter((name) => name !== 'SHA256SUMS')
  if (names.length === 0) throw new Error(`there is nothing in ${folder}`)
  const line = (name) =>
    `${createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex')}  ${name}\n`
  return names.sort().map(line).join('')
}

/** Writes `notes.md` here and `SHA256SUMS` beside the packages, for a tag `v1.2.3` that is the manifest's version. */
export function releaseFiles(tag, packages, root = projectRoot) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  if (tag !== `v${version}`) throw new Error(`${tag} is not the version in package.json, ${version}`)
  writeFileSync(join(root, 'notes.md'), `${notesOf(version, readFileSync(join(root, 'CHANGELOG.md'), 'utf8'))}\n`)
  writeFileSync(join(packages, 'SHA256SUMS'), checksums(packages))
}
