/** `marrow compare` and `marrow info --text` over made files of all families: the edit is listed, and nothing else. */
import { closeSync, cpSync, openSync, rmSync, symlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeBig } from '../../src/main/formats/w3d/archives/big.ts'
import { registry } from '../../src/main/formats/registry.ts'
import { FileStore } from '../../src/main/files/store.ts'
import { corpusRoot, describeCorpus, filesBelow, readBytes } from '../support/corpus.ts'
import { junk } from '../support/hostile.ts'
import { archiveCases } from '../support/archive-cases.ts'
import { discFiles, makeDisc } from '../support/discs.ts'
import { refPack, refPackOf } from '../fixtures/w3d/refpack.ts'
import { compare, compareText } from '../../src/main/services/compare-refs.ts'
import { say } from '../../src/shared/texts/say.ts'
import { sampleFiles } from '../support/sample.ts'
import { readImg1 } from '../support/read-archives.ts'
import { put, tempFolder } from '../files/temp.ts'
import { marrow } from './run.ts'
import type { StructureField, StructureNode } from '../../src/shared/api/types/structure.ts'

const samples = new Map(sampleFiles().map(({ path, bytes }) => [path, bytes]))
const call = (...args: string[]) => marrow(args, {})
const json = async (...args: string[]) => (await call(...args, '--json')).json()

interface Found {
  path: string
  field: StructureField
}

function* fieldsOf(node: StructureNode, path: string): Generator<Found> {
  for (const field of node.fields) yield { path: path ? `${path}.${field.name}` : field.name, field }
  for (const child of node.children) yield* fieldsOf(child, path ? `${path}.${child.name}` : child.name)
}

function structureOf(path: string, bytes: Uint8Array): Found[] {
  const { format } = registry.identify(bytes.subarray(0, 4096), path, bytes.length)!
  return [...fieldsOf(format!.describe(format!.decode(bytes, path)), '')]
}

/** One file of each family: an edit of the second entry of its first column of keys, vertices or weights. */
const edits: [family: string, file: string, column: RegExp, byte: number][] = [
  ['level5', 'Dark Cloud 2/adventurer/adventurer.mot', /\.keys$/, 16],
  ['level5', 'Dark Cloud 2/adventurer/adventurer.wgt', /\.keys$/, 16],
  ['w3d', 'Zero Hour/Art/W3D/WALKER_SKL.W3D', /pivot\[3\]\.quat$/, 5],
  ['w3d', 'Zero Hour/Art/W3D/WALKER_SKN.W3D', /\.(vertices|normals)\b/, 5],
  ['renderware', 'San Andreas/models/adventurer.ifp', /\.keys$/, 1],
  ['renderware', 'San Andreas/models/peds/adventurer.dff', /(weights|vertices|positions)$/, 5],
  ['lostsaga', 'Lost Saga/resource/animation/adventurer_walk.ani', /\.keys$/, 6],
  ['lostsaga', 'Lost Saga/resource/mesh/adventurer.msh', /(positions|normals)$/, 5],
  // bones
  ['level5', 'Dark Cloud 2/adventurer/adventurer.mds', /nodes\[3\]\.matrix$/, 49],
  ['level5', 'Dark Cloud 2/adventurer/adventurer.bbp', /matrices\[3\]\.matrix$/, 49],
  ['renderware', 'San Andreas/models/peds/adventurer.dff', /frames\[2\]\.position$/, 5],
  ['lostsaga', 'Lost Saga/resource/skeleton/adventurer.skl', /bones\[3\]\..*(otation|osition)/, 1],
  // keys of the other coding, materials, pictures
  ['w3d', 'Zero Hour/Art/W3D/WALKER_WKA.W3D', /(values|keys)$/, 5],
  ['level5', 'Dark Cloud 2/adventurer/adventurer.mds', /materials\[0\]\.diffuse$/, 1],
  ['w3d', 'Zero Hour/Art/W3D/WALKER_SKN.W3D', /vertexMaterial\[0\]\.info\.diffuse$/, 1],
  ['renderware', 'San Andreas/models/peds/adventurer.dff', /material\[0\]\.struct\.color$/, 1],
  // what a vertex hangs on, and by how much
  ['w3d', 'Zero Hour/Art/W3D/WALKER_SKN.W3D', /influences\.records$/, 24],
  ['renderware', 'San Andreas/models/peds/adventurer.dff', /skin\.vertexBoneIndices$/, 13],
  ['renderware', 'San Andreas/models/peds/adventurer.dff', /skin\.vertexBoneWeights$/, 49],
  ['lostsaga', 'Lost Saga/resource/mesh/adventurer.msh', /^influences$/, 97],
  ['lostsaga', 'Lost Saga/resource/mesh/adventurer.msh', /^influences$/, 114],
]

/** A level of a picture of each family. */
const pictures: [family: string, file: string, field: RegExp][] = [
  ['level5', 'Dark Cloud 2/adventurer/adventurer.img', /pictures\[0\]\.image$/],
  ['w3d', 'Zero Hour/Art/Textures/WKGlass.tga', /^pixels$/],
  ['renderware', 'San Andreas/models/peds/adventurer.txd', /levels\[0\]\.data$/],
  ['lostsaga', 'Lost Saga/resource/texture/adventurer.dds', /^levels\[0\]\.data$/],
]

/** Lines that differ between two texts of as many, without their values. */
function differing(a: string[], b: string[]): string[] {
  expect(a.length).toBe(b.length)
  return a.filter((line, i) => line !== b[i]).map((line) => line.split(/ = |: /)[0])
}

describe('an edit of one value', () => {
  it.each(edits)('of %s is what is told of %s', async (_, file, column, byte) => {
    const before = samples.get(file)!
    const found =
      structureOf(file, before).find(({ path, field }) => column.test(path) && field.size > 2 * byte + 40) ??
      structureOf(file, before).find(({ path }) => column.test(path))!
    expect(found, file).toBeDefined()
    const after = before.slice()
    after[found.field.start + byte] ^= 0x11
    const root = tempFolder({ [`a/${file}`]: before, [`b/${file}`]: after })
    const [a, b] = [join(root, 'a', file), join(root, 'b', file)]
    const report = await json('compare', a, b)
    expect(report).toMatchObject({ equal: false, files: 1, changed: 1, failures: [] })
    const [{ changes, changedBytes, format }] = report.differences
    expect(format).not.toBeNull()
    expect(changes).toHaveLength(1)
    expect(changedBytes).toBe(1)
    expect(changes[0].path.startsWith(found.path)).toBe(true)
    expect(changes[0]).toMatchObject({ offset: found.field.start + byte, bytes: 1, newBytes: 1 })
    expect(changes[0].before).not.toBe(changes[0].after)
    expect([(await call('compare', a, b)).status, (await call('compare', a, a)).status]).toEqual([1, 0])
    // the text differs in the line of this value alone
    const texts = [(await json('info', a, '--text')).lines, (await json('info', b, '--text')).lines]
    expect(differing(texts[0], texts[1])).toEqual([found.path])
    // and the other way round
    const back = await json('compare', b, a)
    expect(back.differences[0].changes[0]).toMatchObject({ before: changes[0].after, after: changes[0].before })
  })

  it.each(pictures)('of pixels of %s, however many, is one change of that level: %s', async (_, file, level) => {
    const before = samples.get(file)!
    const found = structureOf(file, before).find(({ path }) => level.test(path))!
    expect(found, file).toBeDefined()
    const { start, size } = found.field
    const after = before.slice()
    // the run lengths of a packed TGA are as they were
    const touched = [0, Math.floor(size / 2), size - 1].map((at) => start + at)
    for (const at of touched) after[at] ^= 0x01
    const root = tempFolder({ [`a/${file}`]: before, [`b/${file}`]: after })
    const [a, b] = [join(root, 'a', file), join(root, 'b', file)]
    const [{ changes, changedBytes }] = (await json('compare', a, b)).differences
    expect(changedBytes).toBe(3)
    expect(changes).toHaveLength(1)
    expect(changes[0]).toMatchObject({ path: found.path, offset: start, bytes: size, newBytes: size })
    expect(changes[0].before).toMatch(/^\d+ x \d+, \S/)
    expect(changes[0].after.replaceAll(',', '')).toBe(`3 of ${size} bytes differ`)
    expect((await call('compare', a, b)).out).toContain(`${changes[0].before} -> ${changes[0].after}`)
    const texts = [(await json('info', a, '--text')).lines, (await json('info', b, '--text')).lines]
    expect(differing(texts[0], texts[1])).toEqual([found.path])
  })

  it.each([
    ['Dark Cloud 2/adventurer/adventurer.wgt', /\[1\]\.keys$/, 16, /^tracks\[1\]\.keys\[0\]\.weight$/, /^vertex \d+$/],
    ['Zero Hour/Art/W3D/WALKER_SKN.W3D', /influences\.records$/, 24, /^mesh\[0\]\.influences\.records\[3\]\.bone0$/, /^vertex 3$/],
    ['San Andreas/models/peds/adventurer.dff', /skin\.vertexBoneIndices$/, 13, /\.skin\.vertexBoneIndices\[3\]\[1\]$/, /^vertex 3$/],
    ['San Andreas/models/peds/adventurer.dff', /skin\.vertexBoneWeights$/, 49, /\.skin\.vertexBoneWeights\[3\]\[0\]$/, /^vertex 3$/],
    ['Lost Saga/resource/mesh/adventurer.msh', /^influences$/, 97, /^influences\[3\]\.weight\[0\]$/, /^vertex 3$/],
    ['Lost Saga/resource/mesh/adventurer.msh', /^influences$/, 114, /^influences\[3\]\.bone\[0\]$/, /^vertex 3$/],
  ])('of a skin is told by its vertex: %s, %s', async (file, column, byte, path, key) => {
    const before = samples.get(file)!
    const { field } = structureOf(file, before).find((one) => column.test(one.path))!
    const after = before.slice()
    after[field.start + byte] ^= 0x11
    const name = file.split('/').at(-1)!
    const root = tempFolder({ [`a/${name}`]: before, [`b/${name}`]: after })
    const [{ changes }] = (await json('compare', join(root, 'a', name), join(root, 'b', name))).differences
    expect(changes).toHaveLength(1)
    expect(changes[0].path).toMatch(path)
    expect(changes[0].key).toMatch(key)
  })

  it('of a colour in a script is told by its line', async () => {
    const file = 'Lost Saga/resource/material/adventurer.txt'
    const before = samples.get(file)!
    const { field } = structureOf(file, before).find(({ path }) => path === 'materials[1].diffuse')!
    const after = before.slice()
    const at = after.findIndex((byte, i) => i > field.start && byte >= 0x30 && byte <= 0x39)
    after[at] = after[at] === 0x30 ? 0x31 : 0x30
    const root = tempFolder({ 'a.txt': before, 'b.txt': after })
    const [a, b] = [join(root, 'a.txt'), join(root, 'b.txt')]
    const report = await json('compare', a, b)
    expect(report.differences[0].changes).toMatchObject([{ path: 'materials[1].diffuse', offset: at, bytes: 1 }])
    expect((await call('compare', a, b)).status).toBe(1)
  })

  it('of a slice is told by its fields, through the editor', async () => {
    const file = 'Dark Cloud 2/adventurer'
    const root = tempFolder()
    for (const side of ['a', 'b']) for (const [path, bytes] of samples) if (path.startsWith(file)) put(root, `${side}/${path}`, bytes)
    const state = tempFolder()
    const edited = await marrow(['slice', 'set', join(root, 'b', file), '0', '--end', '37', '--json'], { stateFolder: state })
    expect(edited.status).toBe(0)
    const report = await json('compare', join(root, 'a'), join(root, 'b'))
    expect(report).toMatchObject({ files: 6, same: 5, changed: 1 })
    expect(report.differences.map(({ path, changes }: any) => [path, changes.map((c: any) => c.path)])).toEqual([
      [`${file}/info.cfg`, ['motions[0].keys[0].end']],
    ])
    expect(report.differences[0].changes[0]).toMatchObject({ before: '41', after: '37' })
  })
})

describe('marrow compare', () => {
  it('of the same bytes is equal, with exit status 0; texts of them are the same', async () => {
    const root = tempFolder()
    for (const [path, bytes] of samples) for (const side of ['a', 'b']) put(root, `${side}/${path}`, bytes)
    const { status, out } = await call('compare', join(root, 'a'), join(root, 'b'))
    expect(status).toBe(0)
    expect(out).toBe(`${samples.size} files: ${samples.size} same, 0 changed, 0 added, 0 removed\n`)
    for (const [path, { length }] of samples) {
      if (length > 230_000) continue
      const [a, b] = [await call('info', '--text', join(root, 'a', path)), await call('info', '--text', join(root, 'b', path))]
      expect(a.status, path).toBe(0)
      expect(a.out).toBe(b.out)
      expect(a.out).not.toContain(root)
    }
  })

  it('of folders tells what came, went and changed by path, past broken files', async () => {
    const msh = samples.get('Lost Saga/resource/mesh/ruin.msh')!
    const big = (seed: number) =>
      makeBig('BIGF', [
        { name: 'art\\a.txt', bytes: junk(40, seed) },
        { name: 'b.txt', bytes: junk(9, 5) },
      ])
    const root = tempFolder({
      'a/same.txt': 'same',
      'a/gone.txt': 'gone',
      'a/Case.TXT': 'one',
      'a/x.big': big(1),
      'a/order.big': makeBig('BIGF', [
        { name: 'a', bytes: junk(3, 1) },
        { name: 'b', bytes: junk(3, 2) },
      ]),
      'a/ruin.msh': msh,
      'a/thing': 'a file',
      'b/same.txt': 'same',
      'b/case.txt': 'two',
      'b/x.big': big(2),
      'b/order.big': makeBig('BIGF', [
        { name: 'b', bytes: junk(3, 2) },
        { name: 'a', bytes: junk(3, 1) },
      ]),
      'b/ruin.msh': msh.slice(0, 100),
      'b/new/c.txt': 'new',
      'b/thing/d.txt': 'in a folder',
    })
    symlinkSync(join(root, 'b'), join(root, 'b', 'round'))
    const report = await json('compare', join(root, 'a'), join(root, 'b'))
    expect(report.differences.map(({ path, state, shell }: any) => [path, shell ? 'shell' : state])).toEqual([
      ['Case.TXT', 'changed'],
      ['gone.txt', 'removed'],
      ['new/c.txt', 'added'],
      ['order.big', 'shell'],
      ['ruin.msh', 'changed'],
      ['thing', 'removed'],
      ['thing/d.txt', 'added'],
      ['x.big/art/a.txt', 'changed'],
    ])
    expect(report).toMatchObject({ same: 4, changed: 4, added: 2, removed: 2 })
    expect(report.failures).toMatchObject([{ path: join(root, 'b', 'ruin.msh'), code: 'bad-count' }])
    const { status, out } = await call('compare', join(root, 'a'), join(root, 'b'))
    expect(status).toBe(1)
    expect(out).toContain('gone.txt: removed\n')
    // members and folders inside of archives
    expect(await json('compare', `${root}/a/x.big!b.txt`, `${root}/b/x.big!b.txt`)).toMatchObject({ equal: true })
    expect(await json('compare', `${root}/a/x.big!art`, `${root}/b/x.big!art`)).toMatchObject({ equal: false, changed: 1 })
    expect((await json('compare', `${root}/a`, `${root}/b`, '--most', '0')).differences[0]).toMatchObject({ changes: [], omitted: 1 })
  })

  it('of an archive and a folder with its members compares these; sectors that are filled up are no difference', async () => {
    const name = new Uint8Array(24)
    name.set(Buffer.from('a.txt'))
    const data = new Uint8Array(2048)
    data.set(junk(700, 3))
    const directory = new Uint8Array(Buffer.concat([Buffer.from(new Uint32Array([0, 1]).buffer), name]))
    expect(readImg1(data, directory)).toHaveLength(1)
    const root = tempFolder({ 'g/x.img': data, 'g/x.dir': directory, 'loose/A.TXT': junk(700, 3) })
    expect(await json('compare', `${root}/g/x.dir`, `${root}/loose`)).toMatchObject({ equal: true, files: 1 })
    expect(await json('compare', `${root}/loose`, `${root}/g/x.dir`)).toMatchObject({ equal: true, files: 1 })
    put(root, 'loose/A.TXT', junk(701, 3))
    expect(await json('compare', `${root}/loose`, `${root}/g/x.dir`)).toMatchObject({ equal: false, changed: 1 })
    // what would fill other sectors than the member's is as long as it is
    put(root, 'loose/A.TXT', junk(3000, 3))
    const { differences } = await json('compare', `${root}/loose`, `${root}/g/x.dir`)
    expect(differences).toMatchObject([{ sizes: [3000, 2048] }])
    // the data file is no file beside its directory
    put(root, 'h/x.img', data)
    put(root, 'h/x.dir', directory)
    expect(await json('compare', `${root}/g`, `${root}/h`)).toMatchObject({ equal: true, files: 1 })
  })

  it('with a base tells who changed what, and where the two do not agree', async () => {
    const file = 'San Andreas/models/adventurer.ifp'
    const base = samples.get(file)!
    const keys = structureOf(file, base)
      .filter(({ path }) => path.endsWith('.keys'))
      .map(({ field }) => field.start)
    const edited = (...at: [number, number][]): Uint8Array => {
      const out = base.slice()
      for (const [offset, by] of at) out[offset] ^= by
      return out
    }
    const root = tempFolder({
      'o/x.ifp': base,
      'a/x.ifp': edited([keys[0], 1], [keys[2], 1]),
      'b/x.ifp': edited([keys[1], 1], [keys[2], 2]),
      ...Object.fromEntries(['o', 'a', 'b'].map((side) => [`${side}/same.txt`, 'same'])),
      'o/one.txt': '1',
      'a/one.txt': '2',
      'b/one.txt': '1',
      'o/alike.txt': '1',
      'a/alike.txt': '2',
      'b/alike.txt': '2',
      'o/lost.txt': '1',
      'b/lost.txt': '2',
    })
    const sides = [join(root, 'a'), join(root, 'b'), '--base', join(root, 'o')]
    const report = await json('compare', ...sides)
    const rows = Object.fromEntries(report.threeWay.map((row: any) => [row.path, row]))
    expect(Object.keys(rows)).toEqual(['alike.txt', 'lost.txt', 'one.txt', 'x.ifp'])
    expect(rows['alike.txt']).toMatchObject({ a: 'changed', b: 'changed', conflicts: [], apart: '' })
    expect(rows['one.txt']).toMatchObject({ a: 'changed', b: 'same', conflicts: [], apart: '' })
    expect(rows['lost.txt']).toMatchObject({ a: 'removed', b: 'changed' })
    expect(rows['lost.txt'].apart).not.toBe('')
    expect(rows['x.ifp'].changedByA.changes.map((c: any) => c.offset)).toEqual([keys[0], keys[2]])
    expect(rows['x.ifp'].changedByB.changes.map((c: any) => c.offset)).toEqual([keys[1], keys[2]])
    expect(rows['x.ifp'].conflicts).toHaveLength(1)
    expect(report).toMatchObject({ equal: false, files: 5, same: 1, conflicts: 2 })
    const { status, out } = await call('compare', ...sides)
    expect(status).toBe(1)
    expect(out).toContain('x.ifp: A changed, B changed\n')
    expect(out).toMatch(/alike\.txt: A changed, B changed\n  A B .*\n(?!  [AB] )/)
    expect(out).toContain('2 conflicts\n')
    expect((await call('compare', join(root, 'a'), join(root, 'a'), '--base', join(root, 'o'))).status).toBe(0)
  })

  it('with a base tells archives whose members are the same and whose order is not, of each side', async () => {
    const big = (...names: string[]) =>
      makeBig(
        'BIGF',
        names.map((name) => ({ name, bytes: junk(3, name.charCodeAt(0)) })),
      )
    const img = (fill: number) => {
      const data = new Uint8Array(2 * 2048).fill(fill, 2048)
      data.set(junk(700, 3))
      return data
    }
    const name = new Uint8Array(24)
    name.set(Buffer.from('a.txt'))
    const directory = new Uint8Array(Buffer.concat([Buffer.from(new Uint32Array([0, 1]).buffer), name]))
    const root = tempFolder({
      'o/one.big': big('a', 'b', 'c'),
      'a/one.big': big('b', 'a', 'c'),
      'b/one.big': big('a', 'b', 'c'),
      'o/two.big': big('a', 'b', 'c'),
      'a/two.big': big('b', 'a', 'c'),
      'b/two.big': big('c', 'b', 'a'),
      'o/alike.big': big('a', 'b', 'c'),
      'a/alike.big': big('b', 'a', 'c'),
      'b/alike.big': big('b', 'a', 'c'),
      // of two files the directory is the same, what stands between the members is not
      ...Object.fromEntries(['o', 'a', 'b'].map((side, i) => [`${side}/x.img`, img(Math.max(0, i - 1))])),
      ...Object.fromEntries(['o', 'a', 'b'].map((side) => [`${side}/x.dir`, directory])),
    })
    const sides = [join(root, 'a'), join(root, 'b'), '--base', join(root, 'o')]
    const report = await json('compare', ...sides)
    const told = report.threeWay.map(({ path, a, b, changedByA, changedByB, apart }: any) => [
      path,
      a,
      b,
      changedByA?.shell ?? false,
      changedByB?.shell ?? false,
      apart !== '',
    ])
    expect(told).toEqual([
      ['alike.big', 'changed', 'changed', true, true, false],
      ['one.big', 'changed', 'same', true, false, false],
      ['two.big', 'changed', 'changed', true, true, true],
      ['x.dir', 'same', 'changed', false, true, false],
    ])
    expect(report).toMatchObject({ equal: false, changed: 4, conflicts: 1, failures: [] })
    const { out } = await call('compare', ...sides)
    expect(out).toMatch(/one\.big: A changed, B same\n {2}A the members are the same, .*\n(?! {2})/)
    for (const path of ['one.big', 'two.big', 'x.dir']) {
      const one = [join(root, 'a', path), join(root, 'b', path), '--base', join(root, 'o', path)]
      expect(await json('compare', ...one)).toMatchObject({ equal: false, threeWay: [{ path: '' }] })
    }
    const alike = [join(root, 'a', 'alike.big'), join(root, 'b', 'alike.big'), '--base', join(root, 'o', 'alike.big')]
    expect(await json('compare', ...alike)).toMatchObject({ equal: true, changed: 1, conflicts: 0 })
  })

  it('tells files that are broken, once each, with the field where reading ended, and compares their bytes', async () => {
    const msh = samples.get('Lost Saga/resource/mesh/ruin.msh')!
    const cut = (size: number) => msh.slice(0, size)
    const root = tempFolder({ 'a.msh': cut(100), 'b.msh': cut(99), 'o.msh': cut(98), 'whole.msh': msh })
    const at = (name: string) => join(root, name)
    const broken = (name: string) => ({ path: at(name), code: 'bad-count', message: expect.stringMatching(/ \(positions\)$/) })
    const bytes = { equal: false, changed: 1, differences: [{ state: 'changed', changes: [{ path: '' }] }] }
    expect(await json('compare', at('a.msh'), at('b.msh'))).toMatchObject({ ...bytes, failures: [broken('a.msh'), broken('b.msh')] })
    expect(await json('compare', at('a.msh'), at('whole.msh'))).toMatchObject({ ...bytes, failures: [broken('a.msh')] })
    expect(await json('compare', at('whole.msh'), at('b.msh'))).toMatchObject({ ...bytes, failures: [broken('b.msh')] })
    const report = await json('compare', at('a.msh'), at('b.msh'), '--base', at('o.msh'))
    expect(report.failures.map(({ path }: any) => path)).toEqual([at('o.msh'), at('a.msh'), at('b.msh')])
  })

  it('of a member that cannot be read says who it is and that the two are not equal, and nothing of the rest', async () => {
    const packed = refPack(junk(900, 4))
    const big = (body: Uint8Array, tail: number) =>
      makeBig('BIGF', [
        { name: 'x.bin', bytes: body },
        { name: 'y.bin', bytes: junk(20, tail) },
      ])
    const root = tempFolder({
      'a/p.big': big(packed, 1),
      'b/p.big': big(refPackOf(0x10fb, 900, junk(700, 6)), 1),
      'o/p.big': big(packed, 1),
    })
    const [a, b, o] = ['a', 'b', 'o'].map((side) => join(root, side))
    for (const args of [
      [a, b],
      [b, a],
      [a, b, '--base', o],
    ]) {
      const { status, json } = await call('compare', ...args, '--json')
      expect(status).toBe(1)
      const report = json()
      expect(report).toMatchObject({ equal: false, changed: 0, same: 1, failures: [{ path: join(b, 'p.big!x.bin') }] })
      expect([report.differences, report.threeWay ?? []]).toEqual([[], []])
    }
  })

  it('says where large files of no format begin to differ, and of two versions that no format reads that they do not go together', async () => {
    const root = tempFolder({ 'o.txt': 'a', 'a.txt': 'b', 'b.txt': 'c' })
    const at = (name: string) => join(root, name)
    for (const [name, byte] of [
      ['large-a', 1],
      ['large-b', 2],
    ] as const) {
      const file = openSync(at(name), 'w')
      writeSync(file, Uint8Array.of(byte), 0, 1, 2 ** 25)
      closeSync(file)
    }
    const large = await json('compare', at('large-a'), at('large-b'))
    expect(large.differences).toMatchObject([{ differsFrom: 2 ** 25, changes: [], changedBytes: -1 }])
    expect((await call('compare', at('large-a'), at('large-b'))).out).toContain(`differs from byte ${2 ** 25} on`)
    const sides = [at('a.txt'), at('b.txt'), '--base', at('o.txt')]
    expect(await json('compare', ...sides)).toMatchObject({ conflicts: 1, changed: 1, threeWay: [{ apart: say('compare.noFields') }] })
  })

  it('tells of each list that it ends how much more there is', async () => {
    const file = 'San Andreas/models/adventurer.ifp'
    const base = samples.get(file)!
    const [first, second] = structureOf(file, base).filter(({ path }) => path.endsWith('.keys'))
    const edited = base.slice()
    for (const { field } of [first, second]) edited[field.start] ^= 1
    const root = tempFolder({ 'a/x.ifp': base, 'b/x.ifp': edited, 'b/y.txt': '1', 'b/z.txt': '1' })
    const [a, b] = [join(root, 'a'), join(root, 'b')]
    expect((await json('compare', a, b, '--most', '1')).differences[0]).toMatchObject({ changes: [{}], omitted: 1 })
    const store = new FileStore()
    try {
      const report = compare(store, a, b, { mostRows: 1 })
      expect(report).toMatchObject({ changed: 1, added: 2, omitted: 2, differences: [{ path: 'x.ifp', omitted: 0 }] })
      expect([...compareText(report)]).toContain(`${say('compare.moreFiles', { count: 2 })}\n`)
      // of all files together
      put(root, 'a/w.ifp', base)
      put(root, 'b/w.ifp', edited)
      const listed = compare(store, a, b, { mostListed: 3 }).differences.map(({ path, changes, omitted }) => [
        path,
        changes.length,
        omitted,
      ])
      expect(listed).toEqual([
        ['w.ifp', 2, 0],
        ['x.ifp', 1, 1],
        ['y.txt', 0, 0],
        ['z.txt', 0, 0],
      ])
    } finally {
      store.close()
    }
  })

  it('goes into one of the directories of a disc, and compares the others as files', async () => {
    const root = tempFolder()
    for (const side of ['a', 'b']) for (const [name, bytes] of Object.entries(makeDisc())) put(root, `${side}/${name}`, bytes)
    const data = makeDisc()['DATA.DAT']
    data[5 * 2048] ^= 1
    put(root, 'b/DATA.DAT', data)
    put(root, 'b/DATA.HED', makeDisc()['DATA.HED'].slice(0, -1))
    put(root, 'b/.x.01234567-12-0123456789ab.marrow-tmp', junk(3, 1))
    const report = await json('compare', join(root, 'a'), join(root, 'b'))
    expect(report.differences.map(({ path }: any) => path)).toEqual(['DATA.HD2/chara/c01a.chr', 'DATA.HED'])
    expect(report).toMatchObject({ changed: 2, added: 0, removed: 0, failures: [] })
  })

  it('of discs that have other directories goes into one that both have, and takes a data file for what is in it', async () => {
    const [all, hd4] = [makeDisc(), makeDisc(['HD4'])]
    hd4['DATA.DAT'][5 * 0x800] ^= 1
    const root = tempFolder()
    for (const [name, bytes] of Object.entries(all)) put(root, `all/${name}`, bytes)
    for (const [name, bytes] of Object.entries(hd4)) put(root, `hd4/${name}`, bytes)
    const rows = ({ differences }: any): string[] => differences.map(({ path, state }: any) => `${path} ${state}`)
    const member = 'chara/c01a.chr changed'
    expect(rows(await json('compare', join(root, 'all'), join(root, 'hd4')))).toEqual([
      'DATA.HD2 removed',
      'DATA.HD3 removed',
      `DATA.HD4/${member}`,
      'DATA.HED removed',
    ])
    for (const [a, b] of [
      ['DATA.DAT', 'DATA.DAT'],
      ['DATA.HED', 'DATA.DAT'],
      ['DATA.DAT', 'DATA.HD4'],
    ])
      expect(rows(await json('compare', join(root, 'all', a), join(root, 'hd4', b))), a + b).toEqual([member])
    const own = await json('compare', join(root, 'all/DATA.DAT'), join(root, 'hd4/DATA.HD4'), '--base', join(root, 'all/DATA.HED'))
    expect(own.threeWay).toMatchObject([{ path: 'chara/c01a.chr', a: 'same', b: 'changed' }])
  })

  it('of an archive and a file of its name that is none tells one file whose bytes changed', async () => {
    const big = makeBig('BIGF', [{ name: 'x.txt', bytes: junk(5) }])
    const { files } = archiveCases['IMG v1']()
    const root = tempFolder({ 'a/m.dat': junk(40), 'b/m.dat': big, 'a/sub/m.big': big, 'b/sub/m.big': junk(9) })
    for (const [name, bytes] of Object.entries(files)) put(root, `a/${name}`, bytes)
    put(root, 'b/gta3.img', files['gta3.img'])
    const { differences, files: count, same } = await json('compare', join(root, 'a'), join(root, 'b'))
    expect(differences.map(({ path, state, sizes }: any) => [path, state, sizes])).toEqual([
      ['gta3.dir', 'removed', [files['gta3.dir'].length, 0]],
      ['m.dat', 'changed', [40, big.length]],
      ['sub/m.big', 'changed', [big.length, 9]],
    ])
    // the data that has lost its directory is held against what it was
    expect([count, same]).toEqual([4, 1])
  })

  it('of models holds the files of both against each other by what they are', async () => {
    const root = tempFolder()
    for (const [path, bytes] of samples)
      if (path.startsWith('Dark Cloud 2/')) {
        put(root, `a/${path}`, bytes)
        put(root, `b/${path}`, bytes)
      }
    const mot = 'Dark Cloud 2/adventurer/adventurer.mot'
    const bytes = samples.get(mot)!.slice()
    bytes[structureOf(mot, bytes).find(({ path }) => path.endsWith('.keys'))!.field.start + 16] ^= 1
    put(root, `b/${mot}`, bytes)
    const report = await json('compare', join(root, 'a'), join(root, 'b'), '--models')
    expect(report.changed).toBe(1)
    expect(report.same).toBeGreaterThan(2)
    expect(report.differences[0].path).toMatch(/^animation/)
  })

  it('refuses what cannot be held against each other with status 2', async () => {
    const root = tempFolder({ 'a.txt': 'a', 'd/b.txt': 'b' })
    for (const [a, b] of [
      ['a.txt', 'none'],
      ['none', 'a.txt'],
      ['a.txt', 'd'],
    ]) {
      const { status, json } = await call('compare', join(root, a), join(root, b), '--json')
      expect(status).toBe(2)
      expect(json().error.code).toBe('invalid-argument')
    }
    expect((await call('compare', root)).status).toBe(2)
  })
})

describe('marrow info --text', () => {
  it('tells every byte: another value anywhere is another text', async () => {
    const root = tempFolder()
    for (const [path, bytes] of samples) {
      const plain = put(root, path, bytes)
      if (new FileStore().identify(plain)?.archive) continue
      const before = (await call('info', '--text', plain)).out
      for (let i = 0; i < 3; i++) {
        const at = Math.floor(((i + 0.37) * bytes.length) / 3.1)
        const other = bytes.slice()
        other[at] ^= 1 << (i + 1)
        const { status, out } = await call('info', '--text', put(root, path, other))
        if (status === 0) expect(out, `${path} at ${at}`).not.toBe(before)
      }
    }
  })

  it('has a line of every field that the document has, each with its value', async () => {
    const root = tempFolder()
    let fields = 0
    for (const [path, bytes] of samples) {
      const plain = put(root, path, bytes)
      if (new FileStore().identify(plain)?.archive) continue
      const lines: string[] = (await json('info', '--text', plain)).lines
      const told = new Set(lines.map((line) => line.split(/ = |: /)[0]))
      const all = structureOf(path, bytes).map((one) => one.path)
      expect(
        all.filter((field) => !told.has(field)),
        path,
      ).toEqual([])
      fields += all.length
    }
    expect(fields).toBeGreaterThan(1000)
  })

  it('tells numbers that look alike apart', async () => {
    const file = 'Dark Cloud 2/adventurer/adventurer.mot'
    const bytes = samples.get(file)!
    const at = structureOf(file, bytes).find(({ path }) => path.endsWith('.keys'))!.field.start + 16
    const texts = [0, 0x80000000, 0x7fc00000, 0x7fc00001].map(async (bits) => {
      const other = bytes.slice()
      new DataView(other.buffer).setUint32(at, bits, true)
      return (await call('info', '--text', put(tempFolder(), 'x.mot', other))).out
    })
    expect(new Set(await Promise.all(texts)).size).toBe(4)
  })

  it('stands beside an info that shows the first keys of a track', async () => {
    const path = put(tempFolder(), 'x.ani', samples.get('Lost Saga/resource/animation/adventurer_walk.ani')!)
    const { out } = await call('info', path)
    expect(out).toMatch(/keys = 0: (-?[\d.]+ ){6}-?[\d.]+, 100: /)
  })

  it('of a data file is that of its directory', async () => {
    const root = tempFolder(makeDisc())
    const [data, directory] = await Promise.all(['DATA.DAT', 'DATA.HD2'].map((name) => json('info', '--text', join(root, name))))
    expect(data.lines).toEqual(directory.lines)
    expect(data.lines).toHaveLength(1 + discFiles.length)
  })

  it('of a file that no format knows, or a broken one, is a typed error', async () => {
    const root = tempFolder({ 'a.txt': 'a', 'cut.msh': samples.get('Lost Saga/resource/mesh/ruin.msh')!.slice(0, 100) })
    expect((await call('info', '--text', join(root, 'a.txt'))).status).toBe(2)
    expect(await json('info', '--text', join(root, 'cut.msh'))).toMatchObject({ error: { code: 'bad-count' } })
  })
})

describeCorpus('.', () => {
  it('writes the same text of the same bytes, and compares every file as equal to its copy', { timeout: 300_000 }, async () => {
    const copy = join(tempFolder(), 'copy')
    cpSync(corpusRoot, copy, { recursive: true })
    const store = new FileStore()
    try {
      let told = 0
      for (const path of filesBelow(copy)) {
        if (readBytes(path).length > 1_000_000 || !store.identify(path)?.format) continue
        const [a, b] = [await call('info', '--text', path), await call('info', '--text', join(corpusRoot, path.slice(copy.length)))]
        expect(a, path).toEqual({ ...b, json: a.json })
        if (a.status === 0) told++
      }
      expect(told).toBeGreaterThan(20)
      expect(await json('compare', corpusRoot, copy)).toMatchObject({ equal: true, failures: [], changed: 0 })
    } finally {
      store.close()
      rmSync(copy, { recursive: true, force: true })
    }
  })
})
