import { describe, expect, it } from 'vitest'
import { baseName, extensionOf, folderOf, partsOf, stemOf, withoutExtension } from '../../src/shared/ref.ts'

describe('parts of a reference', () => {
  it.each([
    ['/games/foo/Hero.W3D', '/games/foo', 'Hero.W3D'],
    ['C:\\games\\Hero.w3d', 'C:\\games', 'Hero.w3d'],
    ['/games/art.big!Hero.w3d', '/games/art.big', 'Hero.w3d'],
    ['/games/art.big!units/Hero.w3d', '/games/art.big!units', 'Hero.w3d'],
    ['/games/a.pak!b.pak!Hero.w3d', '/games/a.pak!b.pak', 'Hero.w3d'],
    ['/Hero.w3d', '', 'Hero.w3d'],
    ['Hero.w3d', '', 'Hero.w3d'],
    ['', '', ''],
  ])('%j stands in %j as %j', (ref, folder, name) => {
    expect([folderOf(ref), baseName(ref)]).toEqual([folder, name])
    expect(partsOf(ref)).toEqual([...partsOf(folder), ...(name ? [name] : [])])
  })

  it('end in an extension, but for a name that begins with its only dot', () => {
    const of = (ref: string): string[] => [withoutExtension(ref), stemOf(ref), extensionOf(ref)]
    expect(of('/a.b/Hero.old.TXD')).toEqual(['Hero.old', 'hero.old', 'txd'])
    expect(of('/a.b/Hero')).toEqual(['Hero', 'hero', ''])
    expect(of('/a/.txd')).toEqual(['.txd', '.txd', ''])
  })

  it('lead from a member of an archive to the top', () => {
    const up: string[] = []
    for (let folder = '/g/gta3.img!x/y.dff'; folder; folder = folderOf(folder)) up.push(folder)
    expect(up).toEqual(['/g/gta3.img!x/y.dff', '/g/gta3.img!x', '/g/gta3.img', '/g'])
  })
})
