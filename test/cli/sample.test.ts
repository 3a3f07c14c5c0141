import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sampleFiles } from '../support/sample.ts'
import { tempFolder } from '../files/temp.ts'
import { marrow } from './run.ts'

describe('marrow sample', () => {
  const files = sampleFiles()
  const has = (folder: string) => {
    for (const { path, bytes } of files) expect(readFileSync(join(folder, path)).equals(bytes), path).toBe(true)
  }

  it('writes the sample into a new folder, and leaves one that is there with its edits', async () => {
    const folder = join(tempFolder(), 'new', 'sample')
    const { status, json } = await marrow(['sample', folder, '--json'])
    expect(status).toBe(0)
    expect(json()).toEqual({ folder, files: files.map(({ path }) => path) })
    has(folder)
    const edited = join(folder, files[0].path)
    writeFileSync(edited, 'edited')
    expect((await marrow(['sample', folder])).out).toMatch(new RegExp(`${files.length} files.*\n$`))
    expect(readFileSync(edited, 'utf8')).toBe('edited')
  })

  it('writes into an empty folder, and nothing among other files', async () => {
    const folder = tempFolder()
    mkdirSync(join(folder, 'empty'))
    expect((await marrow(['sample', join(folder, 'empty')])).status).toBe(0)
    has(join(folder, 'empty'))
    const other = tempFolder({ 'mine.txt': 'mine' })
    const refused = await marrow(['sample', other, '--json'])
    expect(refused.status).toBe(1)
    expect(refused.json()).toMatchObject({ error: { code: 'refused', path: other } })
    expect(readdirSync(other)).toEqual(['mine.txt'])
    const file = join(other, 'mine.txt')
    expect((await marrow(['sample', file, '--json'])).json()).toMatchObject({ error: { code: 'not-found', path: file } })
    expect(existsSync(join(other, 'Dark Cloud'))).toBe(false)
  })
})
