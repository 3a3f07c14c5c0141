/** What a release is published with. */
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checksums, notesOf, releaseFiles } from '../../scripts/lib/release-files.mjs'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'marrow-files-'))
  mkdirSync(join(root, 'packages'))
  writeFileSync(join(root, 'package.json'), '{ "version": "1.2.0" }')
  writeFileSync(
    join(root, 'CHANGELOG.md'),
    '# Changelog\n\n## 1.2.0, 2030-01-02\n\n### Workbench\n\n- New\n\n## 1.1.0, 2030-01-01\n\n- Old\n',
  )
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

describe('files of a release', () => {
  it('are its own notes, and checksums that tell a changed byte', () => {
    const packages = join(root, 'packages')
    writeFileSync(join(packages, 'b.exe'), 'program')
    writeFileSync(join(packages, 'a.deb'), Buffer.from([0, 255]))
    releaseFiles('v1.2.0', packages, root)
    expect(readFileSync(join(root, 'notes.md'), 'utf8')).toBe('### Workbench\n\n- New\n')
    const sum = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')
    const expected = `${sum(Buffer.from([0, 255]))}  a.deb\n${sum('program')}  b.exe\n`
    expect(readFileSync(join(packages, 'SHA256SUMS'), 'utf8')).toBe(expected)
    // made again, they leave their own file out
    expect(checksums(packages)).toBe(expected)
  })

  it('are refused for another version, for one without notes, and for no packages', () => {
    expect(() => releaseFiles('v1.1.0', join(root, 'packages'), root)).toThrow('v1.1.0 is not the version in package.json, 1.2.0')
    expect(() => notesOf('1.2', readFileSync(join(root, 'CHANGELOG.md'), 'utf8'))).toThrow('says nothing of 1.2')
    expect(() => releaseFiles('v1.2.0', join(root, 'packages'), root)).toThrow('there is nothing in')
  })
})
