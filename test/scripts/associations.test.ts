/** The files that a double click opens, as the packager writes them for each system. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { startRequest } from '../../src/main/hosts/electron/arguments.ts'
import { families } from '../../src/main/formats/registry.ts'

interface Association {
  ext: string | string[]
  name: string
  mimeType: string
  role: string
  rank: string
}

const config = parse(readFileSync(join(import.meta.dirname, '../../electron-builder.yml'), 'utf8')) as {
  fileAssociations: Association[]
  linux: { desktop: { entry: { Actions: string }; desktopActions: Record<string, { Name: string; Exec: string }> } }
}
const endings = (association: Association) => [association.ext].flat()

describe('file associations', () => {
  it('are for every ending that Marrow says it opens, each once', () => {
    const opened = [...families.flatMap(({ opens = [] }) => opens), 'marrow', 'marrow.zip']
    expect(config.fileAssociations.flatMap(endings).sort()).toEqual(opened.sort())
  })

  it('are endings of the families that open them', () => {
    for (const { label, opens = [], formats, archives } of families) {
      const own = [...formats, ...archives].flatMap(({ extensions }) => extensions)
      expect(
        opens.filter((ending) => !own.includes(ending)),
        label,
      ).toEqual([])
    }
  })

  it('have a MIME type of their own each: without one the Linux packages write none, and a double click finds nothing', () => {
    const types = config.fileAssociations.map(({ mimeType }) => mimeType)
    expect(new Set(types).size).toBe(types.length)
    for (const type of types) expect(type).toMatch(/^(model|image|application)\/x-[a-z0-9-]+$/)
    for (const { role, rank } of config.fileAssociations)
      expect([role, ['Owner', 'Default', 'Alternate'].includes(rank)]).toEqual(['Editor', true])
  })
})

describe('actions of the desktop entry', () => {
  it('are listed, and say words that the application knows', () => {
    const { entry, desktopActions } = config.linux.desktop
    expect(entry.Actions.split(';').filter(Boolean)).toEqual(Object.keys(desktopActions))
    const words = Object.values(desktopActions).map(({ Exec }) => startRequest(Exec.split(' '), { cwd: '/', packaged: true }).word)
    expect(words).toEqual(['last', 'sample'])
  })
})
