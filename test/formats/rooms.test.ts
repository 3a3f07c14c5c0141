import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { families } from '../../src/main/formats/registry.ts'

const FORMATS = join(import.meta.dirname, '../../src/main/formats')
const load = async (family: string, file: string): Promise<Record<string, unknown>> =>
  (await import(pathToFileURL(join(FORMATS, family, file)).href)) as Record<string, unknown>

/** What stands in which file of every family, by which name. */
const EVERYWHERE: readonly (readonly [file: string, name: string, of: (family: (typeof families)[number]) => unknown])[] = [
  ['scene/bind.ts', 'bind', (family) => family.bind],
  ['scene/assemble.ts', 'assemble', (family) => family.assemble],
  ['lint.ts', 'lint', (family) => family.lint],
  ['lint.ts', 'fixes', (family) => family.fixes],
  ['loose.ts', 'loose', (family) => family.loose],
  ['texts/index.ts', 'texts', (family) => family.texts],
]

/** What makes a scene of documents, in every family; some have more. */
const SCENE = [
  ['skeleton', 'addSkeleton'],
  ['meshes', 'addMesh'],
  ['skins', 'addSkin'],
  ['materials', 'addMaterial'],
  ['textures', 'Textures'],
  ['clips', 'addClips'],
  ['options', 'OPTION'],
] as const

/** What rules are about, in every family; some have more. `lookup.ts` is what they look up in other files. */
const SUBJECTS = ['clips', 'lookup', 'meshes', 'skeleton', 'textures', 'weights']

describe.each(families.map((family) => [family.id, family] as const))('the rooms of %s', (id, family) => {
  it('have the names that those of every family have', async () => {
    for (const [file, name, of] of EVERYWHERE) expect((await load(id, file))[name], `${file} ${name}`).toBe(of(family))
    expect((await load(id, 'family.ts'))[id]).toBe(family)
  })

  it('part the making of a scene in the same way', async () => {
    for (const [file, name] of SCENE) expect(await load(id, `scene/${file}.ts`), `${file} ${name}`).toHaveProperty(name)
    const names = Object.values((await load(id, 'scene/options.ts'))['OPTION'] as Record<string, string>)
    expect(new Set(names).size).toBe(names.length)
    expect(names.length).toBeGreaterThan(0)
  })

  it('have each editor in the file of its name; what several families share stands outside of them', async () => {
    const editors = Object.entries(family.editor ?? {})
    expect(editors.length).toBeGreaterThan(0)
    for (const [name, editor] of editors) {
      const shared = name === 'textures' && !existsSync(join(FORMATS, id, 'edit/textures.ts'))
      const found = shared ? (await load('image', 'edit-textures.ts')).imageTextures : (await load(id, `edit/${name}.ts`))[name]
      expect(found, name).toBe(editor)
    }
  })

  it('have the editor of whole clips in a file of its own, with clips.ts', async () => {
    const listed = family.editor?.clips?.list
    if (!listed) return expect(existsSync(join(FORMATS, id, 'edit/clip-list.ts'))).toBe(false)
    expect((await load(id, 'edit/clip-list.ts')).clipList).toBe(listed)
  })

  it('part their rules by subject, each with the fixes that it offers', async () => {
    const offered: string[] = []
    for (const file of readdirSync(join(FORMATS, id, 'lint'))) {
      const { FIX = {} } = await load(id, `lint/${file}`)
      offered.push(...Object.values(FIX as Record<string, { id: string }>).map((fix) => fix.id))
    }
    for (const subject of SUBJECTS) expect(existsSync(join(FORMATS, id, 'lint', `${subject}.ts`)), subject).toBe(true)
    expect(offered.length).toBeGreaterThan(0)
    for (const fix of offered) expect(fix.startsWith(`${id}.`), fix).toBe(true)
    expect(Object.keys(family.fixes!).sort()).toEqual(offered.sort())
  })

  it('make new files in make.ts', async () => {
    const made = Object.entries(await load(id, 'make.ts')).filter(([, value]) => typeof value === 'function')
    expect(made.length).toBeGreaterThan(0)
    for (const [name] of made) expect(name).toMatch(/^new[A-Z]/)
  })
})
