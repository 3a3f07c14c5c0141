import { describe, expect, it } from 'vitest'
import { fake, fakePack } from '../files/fake-family.ts'
import { makeBig } from '../../src/main/formats/w3d/archives/big.ts'
import { put, tempFolder } from '../files/temp.ts'
import { marrow } from './run.ts'

const root = tempFolder({
  'a.fake': fake('bone=hip\nnote=one bone, odd', 'tail'),
  'lossy.fake': fake('lossy'),
  'bad.fake': fake('bad'),
  'cut.fake': fake('cut short').slice(0, 11),
  'note.txt': 'unknown',
  'p.fpak': fakePack([
    ['art/m.fake', fake('bad')],
    ['blob', new Uint8Array(3)],
  ]),
})

describe('marrow info', () => {
  it('tells a file: format, summary, diagnostics, structure', async () => {
    const { status, json } = await marrow(['info', `${root}/a.fake`, '--json'])
    expect(status).toBe(0)
    expect(json()).toMatchObject({
      path: `${root}/a.fake`,
      format: 'fake.text',
      family: 'fake',
      kind: 'model',
      readOnly: '',
      summary: { bones: ['hip'], note: 'one bone, odd' },
      diagnostics: [{ code: 'fake.odd', offset: 8 }],
      structure: { name: 'file', fields: [{ name: 'text', start: 8 }] },
    })
    const { out } = await marrow(['info', `${root}/a.fake`])
    expect(out).toContain('Fake text (fake.text), 39 bytes')
    expect(out).toContain('one bone, odd')
    expect(out).toContain('text = bone=hip')
  })
  it('tells an archive with its members', async () => {
    const { json } = await marrow(['info', `${root}/p.fpak`, '--json'])
    expect(json()).toMatchObject({
      format: 'fake.pak',
      kind: 'archive',
      members: [
        { path: `${root}/p.fpak!art/m.fake`, name: 'art/m.fake', size: 11, format: 'fake.text' },
        { name: 'blob', format: null },
      ],
    })
    expect((await marrow(['info', `${root}/p.fpak!art/m.fake`, '--json'])).json()).toMatchObject({ format: 'fake.text', size: 11 })
  })
  it('tells the order in which the game searches archives that stand beside folders and other files', async () => {
    const [first, second] = ['!mod.big', 'x.big']
    const game = tempFolder({ 'Data/deep.txt': 'a', 'note.txt': 'a', 'sub.big/x.txt': 'a' })
    for (const name of [second, first]) put(game, name, makeBig('BIGF', [{ name: 'a.ini', bytes: new Uint8Array(3) }]))
    const { status, json } = await marrow(['info', `${game}/${second}`, '--json'], {})
    expect([status, json().error]).toEqual([0, undefined])
    expect(json().loadOrder).toEqual([first, second])
  })
  it('tells what cannot be written back, what is broken, unknown or missing', async () => {
    expect((await marrow(['info', `${root}/lossy.fake`, '--json'])).json().readOnly).toContain('byte 8')
    const broken = await marrow(['info', `${root}/cut.fake`, '--json'])
    expect(broken.status).toBe(1)
    expect(broken.json()).toMatchObject({ format: 'fake.text', error: { code: 'truncated', offset: 8 } })
    const unknown = await marrow(['info', `${root}/note.txt`, '--json'])
    expect(unknown).toMatchObject({ status: 0 })
    expect(unknown.json()).toMatchObject({ format: null, family: null })
    const missing = await marrow(['info', `${root}/none`, '--json'])
    expect(missing.status).toBe(1)
    expect(missing.json()).toMatchObject({ error: { path: `${root}/none`, code: 'not-found' } })
    expect(missing.err).not.toContain('    at ')
  })
})

describe('marrow lint', () => {
  it('lists diagnostics, rules and broken files', async () => {
    const { status, json } = await marrow(['lint', root, '--json'])
    const { files, problems } = json()
    expect(status).toBe(1)
    expect(files).toBe(6)
    expect(problems.map((p: any) => [p.path.slice(root.length + 1), p.code, p.severity, p.field])).toEqual([
      ['a.fake', 'fake.odd', 'warning', 'text'],
      ['bad.fake', 'fake.bad', 'error', 'text'],
      ['cut.fake', 'truncated', 'error', ''],
      ['p.fpak!art/m.fake', 'fake.bad', 'error', 'text'],
    ])
  })
  it('takes single files and members; warnings alone are no failure', async () => {
    expect((await marrow(['lint', `${root}/a.fake`, '--json'])).json()).toMatchObject({ files: 1, problems: [{ code: 'fake.odd' }] })
    expect((await marrow(['lint', `${root}/a.fake`])).status).toBe(0)
    expect((await marrow(['lint', `${root}/p.fpak!art/m.fake`])).out).toContain('1 file, 1 problem')
  })
})

describe('wrong calls', () => {
  it('give status 2 and a line, help gives 0', async () => {
    for (const args of [['frob'], ['info'], ['roundtrip'], ['info', 'x', '--nonsense']]) {
      const { status, err } = await marrow(args)
      expect(status, args.join(' ')).toBe(2)
      expect(err).toMatch(/^error: /)
    }
    expect((await marrow(['--help'])).status).toBe(0)
  })
})

describe('marrow info on archives of very many files', () => {
  it('lists what can be printed and says how much is left', async () => {
    const folder = tempFolder({
      'many.fpak': fakePack(Array.from({ length: 100_003 }, (_, i): [string, Uint8Array] => [`${i}.x`, new Uint8Array(0)])),
    })
    const report = (await marrow(['info', `${folder}/many.fpak`, '--json'])).json()
    expect(report.members).toHaveLength(100_000)
    expect(report.left).toEqual({ members: 3, nodes: 100_004 - 50_000 })
    const count = (node: { children: [] }): number => node.children.reduce((sum, child) => sum + count(child), 1)
    expect(count(report.structure)).toBe(50_000)
    expect((await marrow(['info', `${folder}/many.fpak`])).out).toContain('100003 members, the first 100000 are listed')
  })
})
