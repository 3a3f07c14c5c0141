import { describe, expect, it } from 'vitest'
import { lostsaga } from '../../../src/main/formats/lostsaga/family.ts'
import { material } from '../../../src/main/formats/lostsaga/codecs/material.ts'
import { msh } from '../../../src/main/formats/lostsaga/codecs/msh.ts'
import { memoryModel, type MemoryModel } from '../../support/edit-session.ts'
import { MATERIAL_TEXT, mshBytes, text } from '../../fixtures/lostsaga/build.ts'

const MESH = 'r/mesh/hero.msh'
const SCRIPT = 'r/material/hero.txt'
const submeshes = lostsaga.editor.submeshes!

function open(script: string | Uint8Array = MATERIAL_TEXT): MemoryModel {
  const members = [
    { role: 'mesh', ref: MESH, why: 'self', detail: '' },
    { role: 'material', ref: SCRIPT, why: 'name', detail: '' },
  ] as const
  return memoryModel(
    lostsaga,
    { family: 'lostsaga', name: 'hero', primary: MESH, members: [...members] },
    {
      [MESH]: { format: msh, bytes: mshBytes() },
      [SCRIPT]: { format: material, bytes: typeof script === 'string' ? text(script) : script },
    },
  )
}
const values = (m: MemoryModel): Record<string, string>[] =>
  submeshes.list(m, 0).map((s) => Object.fromEntries(s.fields.map((f) => [f.key, f.readOnly ? `! ${f.readOnly}` : f.value])))

const BLOCK = (file: string, shader: string): string =>
  `material\r\n{\r\n\ttechnique {\r\n\t\tpass {\r\n\t\t\tshader_group  ${shader}\t // shader\r\n\t\t\ttexture_unit { \r\n\t\t\t\ttexture\t${file} }\r\n\t\t}\r\n\t}\r\n}`

describe('submeshes', () => {
  it('have the blocks of the script by their order, and say what cannot be changed', () => {
    expect(values(open())).toEqual([
      { material: '0', texture0: 'My Face.DDS', shader: 'AnimateToonShade' },
      { material: '1', texture0: '! the block has no texture line', shader: '! the block has no shader_group line' },
    ])
    const { groups, source } = open().assembled.scene.meshes[0]
    expect(groups.map((g) => g.source)).toEqual([
      { ref: source.ref, path: 'submeshes[0]' },
      { ref: source.ref, path: 'submeshes[1]' },
    ])
  })
  it('a texture is named in its own words: spaces, comment, brace and every other line stay', () => {
    const script = `// head\r\n${BLOCK('a.dds', 'Static')}\r\n// between\r\n${BLOCK('b c.dds', 'LightMap')}`
    const m = open(script)
    expect(values(m)[1]).toEqual({ material: '1', texture0: 'b c.dds', shader: 'LightMap' })
    submeshes.set(m, 0, 1, 'texture0', 'new name.dds')
    submeshes.set(m, 0, 0, 'shader', 'AnimateToonShade')
    expect(m.bytes(SCRIPT)).toEqual(
      text(`// head\r\n${BLOCK('a.dds', 'AnimateToonShade')}\r\n// between\r\n${BLOCK('new name.dds', 'LightMap')}`),
    )
    m.settle()
    expect(values(m)[1].texture0).toBe('new name.dds')
    submeshes.set(m, 0, 0, 'texture0', '한.dds')
    const bytes = m.bytes(SCRIPT)
    expect(Buffer.from(bytes).includes(Buffer.from([0x09, 0xc7, 0xd1, 0x2e, 0x64]))).toBe(true)
    submeshes.set(m, 0, 0, 'texture0', 'a.dds')
    expect(m.bytes(SCRIPT)).toEqual(
      text(`// head\r\n${BLOCK('a.dds', 'AnimateToonShade')}\r\n// between\r\n${BLOCK('new name.dds', 'LightMap')}`),
    )
  })
  it('another material is an exchange of two blocks; comments between stay, and so does a last line without an end', () => {
    const script = (first: string, second: string): string => `// head\r\n${first}\r\n// between\n\n${second}`
    const a = BLOCK('a.dds', 'Static'),
      b = 'material { technique { pass { shader_group X } } }'
    const m = open(script(a, b))
    submeshes.set(m, 0, 0, 'material', '1')
    expect(m.bytes(SCRIPT)).toEqual(text(script(b, a)))
    m.settle()
    submeshes.set(m, 0, 0, 'material', '1')
    expect(m.bytes(SCRIPT)).toEqual(text(script(a, b)))
    m.settle()
    submeshes.set(m, 0, 1, 'material', '1')
    expect(m.bytes(SCRIPT)).toEqual(text(script(a, b)))
  })
  it('a submesh without a material gets a copy of the last one', () => {
    const a = BLOCK('a.dds', 'Static')
    const m = open(a)
    expect(submeshes.list(m, 0)[1].fields[0]).toMatchObject({ value: '', options: [{ value: '' }, { value: 'copy' }] })
    submeshes.set(m, 0, 1, 'material', 'copy')
    expect(m.bytes(SCRIPT)).toEqual(text(`${a}\r\n${a}`))
    m.settle()
    expect(m.assembled.scene.meshes[0].groups.map((g) => g.material)).toEqual([0, 1])
  })
  it('refuses what would break the script', () => {
    const m = open()
    for (const value of ['', ' a', 'a\r\nb', 'a // b', 'a } b', '🙂'])
      expect(() => submeshes.set(m, 0, 0, 'texture0', value), value).toThrow(expect.objectContaining({ code: 'invalid-edit' }))
    for (const value of ['', '2', '-1', 'copy', '__proto__'])
      expect(() => submeshes.set(m, 0, 0, 'material', value), value).toThrow(expect.objectContaining({ code: 'invalid-edit' }))
    expect(() => submeshes.set(m, 0, 1, 'texture0', 'x.dds')).toThrow(/no such line/)
    expect(() => submeshes.set(m, 0, 0, 'colour', 'x')).toThrow(expect.objectContaining({ code: 'not-found' }))
    expect(m.bytes(SCRIPT)).toEqual(text(MATERIAL_TEXT))
  })
})
