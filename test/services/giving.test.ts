/** Files from anywhere on disk that become part of a model: in the role that they can play, kept, and read by the window as the model's own. */
import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { openGame, sampleTree, serviceBenches } from '../support/service-bench.ts'
import type { ServiceBench } from '../support/service-bench.ts'
import { writeFiles } from '../workspace/support.ts'

const sample = sampleTree()
const ofSample = (...paths: string[]): Record<string, Uint8Array> => Object.fromEntries(paths.map((path) => [basename(path), sample[path]]))
const LOST_SAGA = 'Lost Saga/resource'
const ZERO_HOUR = 'Zero Hour/Art'

const begin = serviceBenches(afterEach)

interface Bench extends ServiceBench {
  /** a folder in the user's home beside the game */
  elsewhere: string
}

/** A window of the browser. */
function start(files: Record<string, Uint8Array>, others: Record<string, Uint8Array>): Bench {
  const bench = begin({ files, guarded: true })
  const elsewhere = join(bench.base, 'elsewhere')
  writeFiles(elsewhere, others)
  return { ...bench, elsewhere }
}

describe('a model', () => {
  it('takes an animation from elsewhere, keeps it over a restart, and its window reads and edits it', async () => {
    const ped = ofSample('San Andreas/models/peds/adventurer.dff')
    const b = start(ped, ofSample('San Andreas/models/adventurer.ifp'))
    const { info, scene } = await openGame(b, 'adventurer.dff')
    expect(scene.clips).toEqual([])
    const ref = join(b.elsewhere, 'adventurer.ifp')
    // before it is part of the model it is a file of no library
    await expect(b.call('model.bind', { model: info.id, role: 'animation', ref })).rejects.toMatchObject({ code: 'refused' })
    const done = await b.call('model.add', { model: info.id, refs: [ref], role: 'animation' })
    expect(done.added).toEqual([{ ref, name: 'adventurer.ifp', role: 'animation' }])
    expect(done.refused).toEqual([])
    expect(done.opened.scene.clips.length).toBeGreaterThan(1)
    expect(done.opened.info.files.at(-1)).toMatchObject({ ref, why: 'user' })
    expect((await b.call('model.structure', { model: info.id, ref })).children.length).toBeGreaterThan(0)
    const [track] = await b.call('clips.tracks', { model: info.id, clip: 0 })
    const edited = await b.call('clips.editKeys', {
      model: info.id,
      label: 'x',
      edits: [{ track: track.id, remove: Uint32Array.of(0) }],
    })
    expect(edited.info.files.find((file) => file.ref === ref)).toMatchObject({ dirty: true })
    await b.call('model.close', { model: info.id, discard: true })
    // of a file that is no open model's a window reads nothing
    const other = await openGame(b, 'adventurer.dff')
    await b.call('model.bind', { model: other.info.id, role: 'animation', ref, remove: true })
    await expect(b.call('model.structure', { model: other.info.id, ref })).rejects.toMatchObject({ code: 'refused' })
    await b.call('model.add', { model: other.info.id, refs: [ref] })

    const again = begin({ after: b, guarded: true })
    const later = await openGame(again, 'adventurer.dff')
    expect(later.scene.clips).toHaveLength(done.opened.scene.clips.length)
    expect((await again.call('model.structure', { model: later.info.id, ref })).children.length).toBeGreaterThan(0)
  })

  it('has a file once, by whatever spelling it is named', async () => {
    const b = start(ofSample('San Andreas/models/peds/adventurer.dff', 'San Andreas/models/adventurer.ifp'), {})
    const { info, scene } = await openGame(b, 'adventurer.dff')
    expect(scene.clips.length).toBeGreaterThan(1)
    const bound = await b.call('model.bind', { model: info.id, role: 'animation', ref: `${b.game}/./adventurer.ifp` })
    expect(bound.info.files.filter(({ name }) => name === 'adventurer.ifp')).toHaveLength(1)
    expect(bound.scene.clips).toHaveLength(scene.clips.length)
  })

  it('says which textures, skeleton and bind pose it misses, and finds them where its user says', async () => {
    const mesh = ofSample(`${LOST_SAGA}/mesh/adventurer.msh`, `${LOST_SAGA}/material/adventurer.txt`)
    const b = start(mesh, {
      ...ofSample(`${LOST_SAGA}/skeleton/adventurer.skl`, `${LOST_SAGA}/texture/adventurer.dds`, `${LOST_SAGA}/texture/ruin.dds`),
      ...ofSample(`${LOST_SAGA}/animation/adventurer_walk.ani`),
    })
    const { info } = await openGame(b, 'adventurer.msh')
    expect(info.missing).toEqual([
      { role: 'skeleton', names: [''] },
      { role: 'textures', names: ['adventurer.dds'] },
    ])
    const add = (name: string, role?: 'animation' | 'textures' | 'skeleton') =>
      b.call('model.add', { model: info.id, refs: [join(b.elsewhere, name)], role })
    // another texture than the one that is missing helps nobody, and is not kept
    expect(await add('ruin.dds', 'textures')).toMatchObject({
      added: [],
      refused: ['ruin.dds: it has none of the textures that are missing'],
      opened: { info: { files: info.files } },
    })
    expect((await add('adventurer.skl', 'textures')).refused).toEqual(['adventurer.skl: it holds no textures'])
    expect((await add('adventurer.dds', 'textures')).opened.info.missing).toEqual([{ role: 'skeleton', names: [''] }])
    const standing = await add('adventurer.skl', 'skeleton')
    expect(standing.opened.info.missing).toEqual([])
    expect(standing.opened.scene.skeleton.count).toBeGreaterThan(10)
    expect((await add('adventurer_walk.ani', 'animation')).opened.scene.clips).toHaveLength(1)
  })

  it('takes a skeleton of its own kind for the one that it names', async () => {
    const b = start(
      ofSample(`${ZERO_HOUR}/W3D/WALKER_SKN.W3D`),
      ofSample(`${ZERO_HOUR}/W3D/WALKER_SKL.W3D`, `${ZERO_HOUR}/W3D/WALKER_WKA.W3D`, 'Lost Saga/resource/skeleton/adventurer.skl'),
    )
    const { info } = await openGame(b, 'WALKER_SKN.W3D')
    expect(info.missing[0]).toEqual({ role: 'skeleton', names: ['WALKER_SKL'] })
    const refs = ['adventurer.skl', 'WALKER_SKL.W3D', 'WALKER_WKA.W3D'].map((name) => join(b.elsewhere, name))
    const done = await b.call('model.add', { model: info.id, refs })
    expect(done.added.map(({ name, role }) => [name, role])).toEqual([
      ['WALKER_SKL.W3D', 'skeleton'],
      ['WALKER_WKA.W3D', 'animation'],
    ])
    expect(done.refused).toEqual(['adventurer.skl: it is a file of Lost Saga, and walker_skn is one of W3D'])
    expect(done.opened.info.missing.map(({ role }) => role)).not.toContain('skeleton')
    expect(done.opened.scene.clips).toHaveLength(1)
  })

  it('misses the bind pose that its script names, and takes a motion more without moving the slices of its own', async () => {
    const own = ['info.cfg', 'adventurer.mds', 'adventurer.mot', 'adventurer.wgt', 'adventurer.img'].map(
      (n) => `Dark Cloud 2/adventurer/${n}`,
    )
    const b = start(ofSample(...own), {
      ...ofSample('Dark Cloud 2/adventurer/adventurer.bbp'),
      'other.mot': sample['Dark Cloud 2/adventurer/adventurer.mot'],
      'adventurer.chr': sample['Dark Cloud/chara/adventurer.chr'],
    })
    const { info, scene } = await openGame(b, 'adventurer.mds')
    expect(info.missing).toEqual([{ role: 'bind-pose', names: ['adventurer.bbp'] }])
    const found = await b.call('model.add', { model: info.id, refs: [join(b.elsewhere, 'adventurer.bbp')], role: 'bind-pose' })
    expect(found.opened.info.missing).toEqual([])
    const more = await b.call('model.add', { model: info.id, refs: [join(b.elsewhere, 'other.mot')] })
    expect(more.opened.scene.clips.map(({ name }) => name)).toEqual([...scene.clips.map(({ name }) => name), 'other'])
    expect(more.opened.scene.slices).toEqual(scene.slices)
    // of an archive the members that can be what is asked for; unasked it is not taken apart
    const pack = join(b.elsewhere, 'adventurer.chr')
    expect((await b.call('model.add', { model: info.id, refs: [pack] })).refused).toEqual([
      'adventurer.chr: it is an archive: open it, then take what is in it by its name',
    ])
    const fromPack = await b.call('model.add', { model: info.id, refs: [pack], role: 'animation' })
    expect(fromPack.added.map(({ ref }) => ref.slice(0, pack.length + 1))).toEqual([`${pack}!`])
    expect(fromPack.opened.scene.clips).toHaveLength(scene.clips.length + 2)
  })

  it('is refused what is no part of one, and what a window may not reach', async () => {
    const b = start(ofSample('San Andreas/models/peds/adventurer.dff'), {
      ...ofSample('San Andreas/models/old layout/adventurer_old.dff'),
      'rubbish.bin': Uint8Array.of(9, 9, 9),
    })
    const { info } = await openGame(b, 'adventurer.dff')
    const refs = ['adventurer_old.dff', 'rubbish.bin', 'not-there.ifp'].map((name) => join(b.elsewhere, name))
    const { added, refused } = await b.call('model.add', { model: info.id, refs })
    expect(added).toEqual([])
    expect(refused[0]).toBe('adventurer_old.dff: RenderWare model is opened by itself: it cannot be a part of a model')
    expect(refused[1]).toMatch(/^rubbish\.bin: /)
    expect(refused[2]).toMatch(/not-there\.ifp/)
    await expect(b.call('model.add', { model: info.id, refs: ['/etc/passwd'] })).rejects.toMatchObject({ code: 'refused' })
    await expect(b.call('model.add', { model: info.id, refs: [join(b.state, 'settings.json')] })).rejects.toMatchObject({ code: 'refused' })
  })
})

describe('a copy of a file that a browser handed over', () => {
  it('stays as long as it is part of a model, and no longer', async () => {
    const b = start(ofSample('San Andreas/models/peds/adventurer.dff'), {})
    const { info } = await openGame(b, 'adventurer.dff')
    const kept = (): string[] =>
      readdirSync(join(b.state, 'inbox'), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ifp'))
    const copy = async (name: string, bytes: Uint8Array): Promise<string> => {
      const { id } = await b.call('inbox.begin', { name: 'Dropped files', kept: true })
      await b.call('inbox.add', { id, path: name, bytes })
      const [target] = await b.call('inbox.open', { id })
      return (target as { ref: string }).ref
    }
    const ifp = sample['San Andreas/models/adventurer.ifp']
    const ref = await copy('adventurer.ifp', ifp)
    const { opened: now } = await b.call('model.add', { model: info.id, refs: [ref], role: 'animation' })
    expect(now.info.files.at(-1)).toMatchObject({ ref, readOnly: expect.stringContaining('copy') })
    expect(kept()).toHaveLength(1)
    // what comes of nothing does not stay
    const useless = await copy('again.ifp', sample['Lost Saga/resource/skeleton/adventurer.skl'])
    expect((await b.call('model.add', { model: info.id, refs: [useless], role: 'animation' })).added).toEqual([])
    expect(existsSync(useless)).toBe(false)
    await b.call('model.bind', { model: info.id, role: 'animation', ref, remove: true })
    expect(kept()).toEqual([])
    expect(readdirSync(join(b.state, 'inbox', 'kept'))).toEqual([])
  })
})
