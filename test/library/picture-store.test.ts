import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { PictureStore } from '../../src/main/library/picture-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'marrow-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const bytes = (n: number): Uint8Array => Uint8Array.of(1, 2, 3, n)

describe('pictures', () => {
  it('are found by the stamp of their model, and shared by models of one content', () => {
    const store = new PictureStore(':memory:')
    expect(store.get('a', '1')).toBeUndefined()
    store.put('a', '1', 'c1', bytes(7))
    expect(store.get('a', '1')).toEqual({ png: bytes(7) })
    expect(store.get('a', '2')).toBeUndefined()
    expect(store.adopt('b', '9', 'c1')).toEqual({ png: bytes(7) })
    expect(store.get('b', '9')).toEqual({ png: bytes(7) })
    expect(store.adopt('b', '9', 'c2')).toBeUndefined()
    store.refuse('b', '10', 'No mesh to show', false)
    expect(store.get('b', '10')).toEqual({ reason: 'No mesh to show', broken: false })
    store.forget('a')
    expect(store.get('a', '1')).toBeUndefined()
    store.close()
  })

  it('make room for new ones, the oldest first', () => {
    const store = new PictureStore(':memory:', { most: 10 })
    for (let i = 0; i < 11; i++) store.put(`m${i}`, '', `c${i}`, bytes(i))
    expect(store.get('m0', '')).toBeUndefined()
    expect(store.adopt('m0', '', 'c0')).toBeUndefined()
    expect(store.get('m1', '')).toEqual({ png: bytes(1) })
    expect(store.get('m10', '')).toEqual({ png: bytes(10) })
    store.close()
  })

  it('are kept on disk; a damaged file is begun anew', () => {
    const file = join(folder, 'pictures.sqlite')
    const store = new PictureStore(file)
    store.put('a', '1', 'c1', bytes(7))
    store.close()
    const again = new PictureStore(file)
    expect(again.get('a', '1')).toEqual({ png: bytes(7) })
    again.close()
    writeFileSync(file, 'not a database at all, but long enough to be taken for one'.repeat(100))
    const anew = new PictureStore(file)
    expect(anew.get('a', '1')).toBeUndefined()
    anew.put('a', '1', 'c1', bytes(8))
    expect(anew.get('a', '1')).toEqual({ png: bytes(8) })
    anew.close()
  })
})
