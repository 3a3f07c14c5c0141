import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DocumentCache, MemoryNeighbourhood, nearestFirst, stepsApart } from '../../src/main/files/memory-neighbourhood.ts'
import { FileStore } from '../../src/main/files/store.ts'
import { fake, fakePack, fakeRegistry } from './fake-family.ts'
import { tempFolder } from './temp.ts'

const root = tempFolder({
  'a/hero.fake': fake('mesh=hero\nneeds=Rig:Hero'),
  'a/b/hero.fake': fake('provides=rig:HERO'),
  'c/hero.fake': fake('provides=rig:hero'),
  'c/pack.fpak': fakePack([
    ['hero.fake', fake('provides=rig:hero')],
    ['sub/other.fake', fake('bone=root')],
    ['broken.fake', fake('cut').slice(0, 9)],
  ]),
  'note.txt': 'nothing that is known',
})
const store = new FileStore({ registry: fakeRegistry })
const around = MemoryNeighbourhood.of(store, root)
const names = (files: readonly { ref: string }[]): string[] => files.map((f) => f.ref.slice(root.length + 1))

describe('steps apart', () => {
  it('counts up and down, archives as folders', () => {
    expect(stepsApart('/x/a', '/x/a')).toBe(0)
    expect(stepsApart('/x/a', '/X/A/b')).toBe(1)
    expect(stepsApart('/x/a', '/x/b')).toBe(2)
    expect(stepsApart('/x/a.pak!art', '/x')).toBe(2)
  })
  it('orders by nearness, then by name', () => {
    const files = ['/r/b', '/r/a/x', '/r/a', '/q/z'].map((folder) => ({ folder, ref: `${folder}/f` }))
    expect(nearestFirst(files, '/r/a').map((f) => f.folder)).toEqual(['/r/a', '/r/a/x', '/r/b', '/q/z'])
  })
})

describe('neighbourhood in memory', () => {
  it('knows recognised files and members', () => {
    expect(names([...around.all()])).toEqual([
      'a/hero.fake',
      'a/b/hero.fake',
      'c/hero.fake',
      'c/pack.fpak!hero.fake',
      'c/pack.fpak!sub/other.fake',
      'c/pack.fpak!broken.fake',
    ])
  })
  it('looks into folders, archives and folders in archives, without case', () => {
    expect(names(around.inFolder(join(root, 'A')))).toEqual(['a/hero.fake'])
    expect(names(around.inFolder(join(root, 'c/pack.fpak')))).toEqual(['c/pack.fpak!hero.fake', 'c/pack.fpak!broken.fake'])
    expect(names(around.inFolder(join(root, 'c/pack.fpak!SUB/')))).toEqual(['c/pack.fpak!sub/other.fake'])
    expect(around.inFolder(join(root, 'none'))).toEqual([])
  })
  it('finds by stem and key, nearest first', () => {
    expect(names(around.byStem('HERO', join(root, 'c')))).toEqual(['c/hero.fake', 'c/pack.fpak!hero.fake', 'a/hero.fake', 'a/b/hero.fake'])
    expect(names(around.providing('RIG:hero', join(root, 'a')))).toEqual(['a/b/hero.fake', 'c/hero.fake', 'c/pack.fpak!hero.fake'])
    expect(names(around.needing('rig:hero', root))).toEqual(['a/hero.fake'])
    expect(around.providing('rig:none', root)).toEqual([])
  })
  it('gives documents and summaries, nothing for broken files', () => {
    expect(around.document(join(root, 'c/pack.fpak!hero.fake'))).toMatchObject({ format: 'fake.text' })
    expect(around.summary(join(root, 'a/hero.fake'))).toMatchObject({ meshes: [{ name: 'hero' }] })
    expect(around.document(join(root, 'c/pack.fpak!broken.fake'))).toBeUndefined()
    expect(around.summary(join(root, 'c/pack.fpak!broken.fake'))).toBeUndefined()
    expect(around.document(join(root, 'none'))).toBeUndefined()
  })
  it('looks around one file', () => {
    expect(names([...MemoryNeighbourhood.around(store, join(root, 'c/pack.fpak!hero.fake')).all()])).toContain('c/hero.fake')
    expect([...MemoryNeighbourhood.of(store, join(root, 'c/pack.fpak')).all()]).toHaveLength(3)
  })
})

describe('document cache', () => {
  it('gives the same document until it must drop it', () => {
    const folder = tempFolder({ 'a.fake': fake('a'.repeat(1000)), 'b.fake': fake('b'.repeat(1000)) })
    const cache = new DocumentCache(store, 20_000)
    const a = cache.get(join(folder, 'a.fake'))
    expect(cache.get(join(folder, 'a.fake'))).toBe(a)
    expect(cache.get(join(folder, 'b.fake'))).toBeDefined()
    expect(cache.get(join(folder, 'a.fake'))).not.toBe(a)
  })
})

describe('beside archives of very many files', () => {
  it('asks what a file is when somebody wants it, and reads keys of the nearest', () => {
    // more names than are looked into on the way
    const many = Array.from({ length: 20_050 }, (_, i): [string, Uint8Array] => [`m/${String(i).padStart(5, '0')}.fake`, new Uint8Array(0)])
    const folder = tempFolder({
      'hero.fake': fake('needs=rig:hero'),
      'far.fpak': fakePack([...many, ['m/last.fake', fake('provides=rig:hero')]]),
    })
    const files = new FileStore({ registry: fakeRegistry })
    const near = MemoryNeighbourhood.around(files, join(folder, 'hero.fake'))
    const member = join(folder, 'far.fpak!m/last.fake')
    expect(near.byStem('last', folder)).toEqual([
      { ref: member, name: 'last.fake', folder: join(folder, 'far.fpak!m'), format: 'fake.text', kind: 'model' },
    ])
    expect(near.needing('rig:hero', folder).map((file) => file.ref)).toEqual([join(folder, 'hero.fake')])
    // beyond the nearest: found by its name, not by its key
    expect(near.providing('rig:hero', folder)).toEqual([])
    expect(near.nearFolders()).toEqual([folder, join(folder, 'far.fpak!m')])
    expect(near.inFolder(folder).map((file) => file.name)).toEqual(['hero.fake'])
    files.close()
  })
})
