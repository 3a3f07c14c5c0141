import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fake, fakePack, fakeRegistry } from '../files/fake-family.ts'
import { tempFolder } from '../files/temp.ts'
import { describeCorpus } from '../support/corpus.ts'
import { marrow } from './run.ts'

const TEXT = 'mesh=hero\nslice=立ち,1,10,0.17\nslice=walk,10,20,0.4'
const state = tempFolder()
const call = (...args: string[]) => marrow(args, { registry: fakeRegistry, stateFolder: state })

describe('marrow slices', () => {
  const root = tempFolder({
    'hero.fake': fake(TEXT),
    'packs/p.fpak': fakePack([
      ['orc.fake', fake('mesh=orc\nslice=a,0,0,0')],
      ['list.fake', fake('slice=loose,2,3,1')],
    ]),
    'none/a.fake': fake('bone=x'),
  })
  const hero = join(root, 'hero.fake')

  it('lists the windows of a file, a pack, a member, a folder', async () => {
    const { status, json } = await call('slices', hero, '--json')
    expect(status).toBe(0)
    expect(json()).toEqual({
      model: hero,
      name: 'hero',
      slices: [
        { index: 0, name: '立ち', start: 1, end: 10, speed: 0.17, clip: 'master', ref: hero, path: 'text', model: hero },
        { index: 1, name: 'walk', start: 10, end: 20, speed: 0.4, clip: 'master', ref: hero, path: 'text', model: hero },
      ],
    })
    const pack = `${root}/packs/p.fpak`
    for (const path of [pack, `${pack}!orc.fake`, `${pack}!ORC.fake`, join(root, 'packs')]) {
      expect((await call('slices', path, '--json')).json(), path).toMatchObject({
        model: `${pack}!orc.fake`,
        slices: [{ index: 0, name: 'a', start: 0, end: 0, speed: 0 }],
      })
    }
    expect((await call('slices', root, '--json')).json().slices.map((s: any) => [s.model.slice(root.length + 1), s.index])).toEqual([
      ['hero.fake', 0],
      ['hero.fake', 1],
      ['packs/p.fpak!orc.fake', 0],
    ])
    expect((await call('slices', hero)).out).toContain('0.17  立ち')
  })
  it('lists slices that belong to no model, and says where there are none', async () => {
    expect((await call('slices', `${root}/packs/p.fpak!list.fake`, '--json')).json()).toMatchObject({
      slices: [{ name: 'loose', start: 2, end: 3 }],
    })
    const none = await call('slices', join(root, 'none'), '--json')
    expect(none.status).toBe(1)
    expect(none.json()).toMatchObject({ error: { code: 'not-found' } })
    expect((await call('slices', join(root, 'missing'))).status).toBe(1)
  })
})

describe('marrow slice', () => {
  it('adds, changes and removes in the file, and keeps the original once', async () => {
    const root = tempFolder({ 'hero.fake': fake(TEXT, 'tail') })
    const path = join(root, 'hero.fake')
    const added = await call(
      'slice',
      'add',
      path,
      '--name',
      '攻撃',
      '--start',
      '20',
      '--end',
      '120',
      '--speed',
      '0.3',
      '--at',
      '1',
      '--json',
    )
    expect(added.status, added.err).toBe(0)
    expect(added.json()).toMatchObject({
      model: path,
      slices: [{ name: '立ち' }, { name: '攻撃', start: 20, end: 120, speed: 0.3 }, { name: 'walk' }],
      saved: [{ path, target: path }],
      warnings: ['beyond the last key'],
    })
    expect(new Uint8Array(readFileSync(path))).toEqual(
      fake('mesh=hero\nslice=立ち,1,10,0.17\nslice=攻撃,20,120,0.3\nslice=walk,10,20,0.4', 'tail'),
    )
    expect((await call('slice', 'set', path, 'walk', '--end', '25', '--name', 'run', '--json')).json().slices[2]).toMatchObject({
      index: 2,
      name: 'run',
      start: 10,
      end: 25,
      speed: 0.4,
    })
    expect((await call('slice', 'remove', path, '0', '--json')).json().slices.map((s: any) => s.name)).toEqual(['攻撃', 'run'])
    const kept = readdirSync(state, { recursive: true, withFileTypes: true })
      .filter((e) => e.isFile())
      .map((e) => readFileSync(join(e.parentPath, e.name)))
    expect(kept.filter((bytes) => bytes.equals(fake(TEXT, 'tail')))).toHaveLength(1)
  })
  it('edits a member in its pack', async () => {
    const root = tempFolder({
      'p.fpak': fakePack(
        [
          ['a.bin', new Uint8Array(5).fill(7)],
          ['hero.fake', fake(TEXT)],
        ],
        0,
      ),
    })
    const { status, json } = await call('slice', 'set', `${root}/p.fpak`, '1', '--speed', '0.5', '--json')
    expect(status).toBe(0)
    expect(json().saved).toMatchObject([{ path: `${root}/p.fpak!hero.fake`, target: `${root}/p.fpak` }])
    expect(new Uint8Array(readFileSync(join(root, 'p.fpak')))).toEqual(
      fakePack(
        [
          ['a.bin', new Uint8Array(5).fill(7)],
          ['hero.fake', fake(TEXT.replace('0.4', '0.5'))],
        ],
        0,
      ),
    )
  })
  it('writes nothing where nothing changes or the values are refused', async () => {
    const root = tempFolder({ 'hero.fake': fake(TEXT), 'lossy.fake': fake('lossy') })
    const path = join(root, 'hero.fake')
    expect((await call('slice', 'set', path, '0', '--end', '10', '--json')).json()).toMatchObject({ saved: [] })
    const refused = await call('slice', 'set', path, '0', '--end', '0', '--json')
    expect(refused.status).toBe(1)
    expect(refused.json()).toMatchObject({ error: { code: 'invalid-edit', message: 'the end is before the start' } })
    for (const args of [
      ['set', path, '7', '--end', '3'],
      ['set', path, 'nobody', '--end', '3'],
      ['set', path, '0'],
      ['add', path, '--start', '1', '--end', '2', '--at', '9'],
      ['add', path, '--start', 'x', '--end', '2'],
      ['add', path, '--start', '1', '--end', '2', '--clip', '3'],
    ]) {
      expect((await call('slice', ...args)).status, args.join(' ')).toBe(2)
    }
    expect(new Uint8Array(readFileSync(path))).toEqual(fake(TEXT))
  })
  it('asks which model is meant', async () => {
    const root = tempFolder({ 'a.fake': fake(TEXT), 'b.fake': fake(TEXT.replace('hero', 'b')), 'c.fake': fake('mesh=c') })
    const { status, err } = await call('slice', 'remove', root, '0')
    expect(status).toBe(2)
    expect(err).toContain(join(root, 'a.fake'))
    expect(err).not.toContain('c.fake')
  })
  it('extracts a window, replacing nothing unasked', async () => {
    const root = tempFolder({ 'hero.fake': fake(TEXT) })
    const out = join(root, 'walk.cut')
    expect((await call('slice', 'extract', join(root, 'hero.fake'), 'walk', '--out', out, '--json')).json()).toMatchObject({
      slice: { index: 1, name: 'walk', start: 10, end: 20 },
      file: out,
    })
    expect(readFileSync(out, 'utf8')).toBe('slice=walk,10,20,0.4')
    expect((await call('slice', 'extract', join(root, 'hero.fake'), '0', '--out', out)).status).toBe(2)
    expect(readFileSync(out, 'utf8')).toContain('walk')
    expect((await call('slice', 'extract', join(root, 'hero.fake'), '0', '--out', out, '--force')).status).toBe(0)
    expect(readFileSync(out, 'utf8')).toContain('立ち')
  })
})

describe('marrow export', () => {
  it('writes every model that is meant, under names of their own, replacing nothing unasked', async () => {
    const root = tempFolder({ 'a/hero.fake': fake(TEXT), 'b/hero.fake': fake(TEXT), 'c/..con.fake': fake('mesh=c') })
    const out = tempFolder()
    const { status, json, err } = await call('export', root, '--to', 'glb', '--out', join(out, 'deep'), '--json')
    expect(status, err).toBe(0)
    expect(json()).toMatchObject({ failures: [], models: [{ model: join(root, 'a/hero.fake'), name: 'hero' }, { name: 'hero-2' }, {}] })
    for (const file of json().files) expect(file.startsWith(join(out, 'deep')), file).toBe(true)
    for (const file of json().files) expect(existsSync(file), file).toBe(true)
    const again = await call('export', join(root, 'a'), '--to', 'glb', '--out', join(out, 'deep'), '--json')
    expect(again.status).toBe(1)
    expect(again.json()).toMatchObject({ files: [], failures: [{ path: join(root, 'a/hero.fake'), code: 'refused' }] })
    expect((await call('export', join(root, 'a'), '--to', 'glb', '--out', join(out, 'deep'), '--force')).status).toBe(0)
  })
  it('wants a form that it knows, a rate, and a model', async () => {
    const root = tempFolder({ 'a.fake': fake(TEXT), 'none/x.fake': fake('bone=x') })
    expect((await call('export', root, '--to', 'fbx', '--out', root)).status).toBe(2)
    expect((await call('export', root, '--to', 'glb', '--out', root, '--tick-rate', '0')).status).toBe(2)
    expect((await call('export', join(root, 'none'), '--to', 'glb', '--out', root)).status).toBe(1)
  })
})

describe('a call that is wrong', () => {
  it('has status 2', async () => {
    const { status } = await call('import', 'x')
    expect(status).toBe(2)
    expect((await call('info', '--json')).json()).toMatchObject({ error: { code: 'invalid-argument' } })
  })
})

describeCorpus('level5/dc1-effects', (root) => {
  it('slices have the numbers of the CFG, in the pack and unpacked', async () => {
    const numbers = async (path: string) =>
      (await marrow(['slices', path, '--json'], {})).json().slices.map((s: any) => [s.index, s.start, s.end, s.speed])
    for (const name of ['Fire', 'Ice', 'Wind']) {
      const folder = join(root, `${name}.unpacked`)
      const cfg = readFileSync(
        join(
          folder,
          readdirSync(folder).find((f) => f.endsWith('.cfg'))!,
        ),
        'latin1',
      )
      const wanted = [...cfg.matchAll(/^\s*KEY\s+([\d.]+)[\s,]+([\d.]+)[\s,]+([\d.]+)/gm)].map((m, i) => [
        i,
        Number(m[1]),
        Number(m[2]),
        Number(m[3]),
      ])
      expect(wanted.length).toBeGreaterThan(2)
      for (const path of [join(root, name), folder]) expect(await numbers(path), path).toEqual(wanted)
    }
    expect(existsSync(join(root, 'Fire'))).toBe(true)
  })
})
