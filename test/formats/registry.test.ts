import { describe, expect, it } from 'vitest'
import { families, formatById, identify } from '../../src/main/formats/registry.ts'

describe('registry', () => {
  it('has the four families, each format once', () => {
    expect(families.map((f) => f.id)).toEqual(['level5', 'w3d', 'renderware', 'lostsaga'])
    const ids = families.flatMap((f) => [...f.formats, ...f.archives].map((x) => x.id))
    expect(new Set(ids).size).toBe(ids.length)
    for (const family of families) for (const format of family.formats) expect(formatById(format.id)).toBe(format)
  })
  it('knows nothing of empty and random bytes', () => {
    expect(identify(new Uint8Array(0), 'empty', 0)).toBeUndefined()
    expect(identify(new TextEncoder().encode('hello, this is a note'), 'readme.md', 21)).toBeUndefined()
  })
})
