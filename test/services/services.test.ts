import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { contract } from '../../src/shared/api/contract.ts'
import type { CallName } from '../../src/shared/api/contract.ts'
import { dispatch } from '../../src/main/services/dispatch.ts'
import { fakeRegistry, numbersBytes, packBytes } from '../workspace/fake-family.ts'
import { sampleFiles } from '../support/sample.ts'
import { junk } from '../support/hostile.ts'
import { openGame, serviceBenches } from '../support/service-bench.ts'
import type { BenchOptions, ServiceBench } from '../support/service-bench.ts'

const begin = serviceBenches(afterEach)
const start = (files: Record<string, Uint8Array>, options: BenchOptions = {}): ServiceBench =>
  begin({ files, registry: fakeRegistry, ...options })

const files = () => ({
  'a.num': numbersBytes([1, 2, 3]),
  'a.extra.num': numbersBytes([4]),
  'sub/pack.fpk': packBytes({ 'b.num': numbersBytes([5]), 'x.bin': junk(9) }),
})

async function opened(b: ServiceBench, name = 'a.num') {
  const { library, info } = await openGame(b, name)
  return { library, model: info }
}

describe('services', () => {
  it('have a handler for every call of the contract', () => {
    expect(Object.keys(start({}).services.handlers).sort()).toEqual(Object.keys(contract).sort())
  })

  it('answer unknown calls, bad arguments and failures with error data', async () => {
    const b = start({})
    await expect(b.call('no.such' as CallName, {} as never)).rejects.toMatchObject({ code: 'invalid-argument' })
    await expect(b.call('__proto__' as CallName, {} as never)).rejects.toMatchObject({ code: 'invalid-argument' })
    await expect(b.call('model.open', { ref: 5 } as never)).rejects.toMatchObject({ code: 'invalid-argument', path: 'ref' })
    await expect(b.call('model.scene', { model: 'x' })).rejects.toMatchObject({ code: 'not-found' })
  })

  it('keep settings and recent folders', async () => {
    const b = start({})
    expect(await b.call('settings.get', {})).toMatchObject({ tickRate: 60, saveMode: 'in-place' })
    await b.call('settings.set', { tickRate: 50, window: { layout: 'x' } })
    await b.call('settings.set', { window: { keys: 'y' } })
    await b.call('library.open', { root: b.game })
    const again = start({}, { after: b })
    expect(await again.call('settings.get', {})).toMatchObject({ tickRate: 50, window: { layout: 'x', keys: 'y' } })
    expect((await again.call('app.info', {})).recent.map((r) => r.root)).toEqual([b.game])
    await again.call('library.forget', { root: b.game })
    expect((await again.call('app.info', {})).recent).toEqual([])
  })

  it('close when what they were asked has ended: nothing is written after it, and what comes later is refused', async () => {
    const picked = Promise.withResolvers<string | null>()
    const b = start(files(), { pickFolder: () => picked.promise })
    const { library } = await opened(b)
    let ended = 0
    const asked = [b.call('folders.pick', {}), b.call('library.scan', { library })]
    for (const call of asked) void call.catch(() => {}).then(() => ended++)
    const closed = b.close().then(() => rmSync(b.state, { recursive: true }))
    setTimeout(() => picked.resolve(null), 200)
    await closed
    expect(ended).toBe(asked.length)
    await expect(b.call('library.open', { root: b.game })).rejects.toMatchObject({ code: 'cancelled' })
    expect(existsSync(b.state)).toBe(false)
  })

  it('restore damaged settings, say so once, and begin with the usual ones where there is no copy', async () => {
    const b = start({})
    await b.call('settings.set', { tickRate: 50 })
    const file = join(b.state, 'settings.json')
    const rubbish = '{"settings": {"tickRate": "many"}, "recent": 7'
    writeFileSync(file, rubbish)
    const next = start({}, { after: b })
    expect(await next.call('settings.get', {})).toMatchObject({ tickRate: 50 })
    await next.call('app.info', {})
    await expect.poll(() => next.events.notice).toHaveLength(1)
    expect(next.events.notice![0]).toMatchObject({
      severity: 'info',
      message: expect.stringContaining('recent folders was damaged and was restored from its copy. What was damaged is kept at'),
    })
    for (const path of [file, `${file}.copy`]) writeFileSync(path, rubbish)
    const last = start({}, { after: b })
    expect(await last.call('settings.get', {})).toMatchObject({ tickRate: 60 })
    await last.call('app.info', {})
    await expect.poll(() => last.events.notice).toMatchObject([{ severity: 'warning' }])
  })

  it('say that a list of slices cannot be read, and leave it as it is', async () => {
    const b = start(files())
    const { model } = await opened(b)
    await b.call('slices.add', { model: model.id, at: 0, clip: 0, values: { name: 'walk', start: 0, end: 10, speed: 1 } })
    await b.call('save.write', { model: model.id })
    await b.close()
    const [name] = readdirSync(join(b.state, 'slices'))
    const file = join(b.state, 'slices', name)
    const text = readFileSync(file, 'utf8').replace('"speed"', '"sqeed"')
    writeFileSync(file, text)
    const next = start({}, { after: b })
    const again = await opened(next)
    expect(await next.call('model.problems', { model: again.model.id })).toContainEqual(
      expect.objectContaining({ severity: 'error', file: name, message: expect.stringMatching(/^line 2 of .*damaged/) }),
    )
    const values = { name: 'x', start: 0, end: 1, speed: 1 }
    await expect(next.call('slices.add', { model: again.model.id, at: 0, clip: 0, values })).rejects.toMatchObject({ code: 'bad-value' })
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  it('list folders for a window without a dialog', async () => {
    const b = start({ 'one/x.num': numbersBytes([1]), 'two/y.num': numbersBytes([1]) })
    expect(await b.call('folders.list', { path: b.game })).toEqual({ path: b.game, parent: join(b.game, '..'), folders: ['one', 'two'] })
    await expect(b.call('folders.list', { path: 'relative' })).rejects.toMatchObject({ code: 'invalid-argument' })
    await expect(b.call('folders.list', { path: join(b.game, 'none') })).rejects.toMatchObject({ code: 'not-found' })
    expect(await b.call('folders.pick', {})).toBeNull()
  })

  it('open a library, find its models, open one by any of its files', async () => {
    const b = start(files())
    const { library, model } = await opened(b)
    const page = await b.call('library.query', { library, show: 'models', sort: 'name', offset: 0, limit: 10 })
    expect(page.rows.map((r) => r.name)).toEqual(['a', 'b'])
    expect(model).toMatchObject({ name: 'a', family: 'fake', dirty: false, history: { undo: [], redo: [], top: '' } })
    expect(model.files.map((f) => [f.name, f.role, f.why])).toEqual([
      ['a.num', 'model', 'self'],
      ['a.extra.num', 'animation', 'name'],
    ])
    const same = await b.call('model.open', { ref: join(b.game, 'a.extra.num') })
    expect(same.info.id).toBe(model.id)
    const packed = await b.call('model.open', { ref: `${join(b.game, 'sub/pack.fpk')}!b.num` })
    expect(packed.scene.lods).toEqual(['b: 5'])
    expect((await b.call('model.open', { ref: join(b.game, 'sub/pack.fpk') })).info.id).toBe(packed.info.id)
    expect((await b.call('model.list', {})).map((m) => m.name)).toEqual(['a', 'b'])
  })

  it('open files that were not scanned yet', async () => {
    const b = start(files())
    await b.call('library.open', { root: b.game })
    expect((await b.call('model.open', { ref: join(b.game, 'a.num') })).info.files).toHaveLength(2)
  })

  it('give a mod away as a mod package, and build it beside the game', async () => {
    const b = start(files())
    const { library, model } = await opened(b)
    await expect(b.call('modPackage.export', { library })).rejects.toMatchObject({ code: 'refused' })
    await b.call('skeleton.setField', { model: model.id, joint: 0, key: 'first', value: [9] })
    await b.call('save.write', { model: model.id })
    const made = await b.call('modPackage.export', { library })
    expect(made).toMatchObject({
      fileName: 'game.marrow.zip',
      path: '',
      files: [{ path: 'a.num', member: '', size: files()['a.num'].length }],
    })
    expect(made.size).toBe(made.bytes.length)
    const other = await b.call('model.open', { ref: `${join(b.game, 'sub/pack.fpk')}!b.num` })
    await expect(b.call('modPackage.export', { library, model: other.info.id })).rejects.toMatchObject({ code: 'refused' })
    const folder = join(b.game, '..', 'zips')
    mkdirSync(folder)
    const written = await b.call('modPackage.export', { library, model: model.id, folder })
    expect(written).toMatchObject({ path: join(folder, 'a.marrow.zip'), size: readFileSync(join(folder, 'a.marrow.zip')).length })
    await b.call('save.restore', { model: model.id, ref: model.primary })
    const out = join(b.game, '..', 'mod')
    expect(await b.call('modPackage.build', { library, modPackage: made.bytes, folder: out })).toMatchObject({
      written: 1,
      name: 'game',
      files: [{ path: 'a.num', state: 'same' }],
    })
    expect(new Uint8Array(readFileSync(join(out, 'a.num')))).toEqual(numbersBytes([9, 2, 3]))
    await expect(b.call('modPackage.build', { library, modPackage: written.path, folder: b.game })).rejects.toMatchObject({
      code: 'refused',
    })
    // files that the mod folder holds are those of the package
    await b.call('settings.set', { saveMode: 'mod-folder', modFolder: out })
    expect((await b.call('modPackage.export', { library })).files).toMatchObject([{ path: 'a.num' }])
  })

  it('say which files the mod changed, in place and in a mod folder', async () => {
    const b = start(files())
    const { library, model } = await opened(b)
    const size = files()['a.num'].length
    expect(await b.call('mod.files', { library })).toEqual([])
    await b.call('skeleton.setField', { model: model.id, joint: 0, key: 'first', value: [9] })
    // what is not saved is not on disk
    expect(await b.call('mod.files', { library })).toEqual([])
    await b.call('save.write', { model: model.id })
    expect(await b.call('mod.files', { library })).toEqual([{ ref: model.primary, path: 'a.num', size, originalSize: size }])
    // a mod folder that is not there has none; one that is has what is not as the game's
    const out = join(b.game, '..', 'mod')
    await b.call('settings.set', { saveMode: 'mod-folder', modFolder: out })
    expect(await b.call('mod.files', { library })).toEqual([])
    mkdirSync(join(out, 'sub'), { recursive: true })
    writeFileSync(join(out, 'a.num'), readFileSync(model.primary))
    writeFileSync(join(out, 'sub', 'new.txt'), 'mine')
    expect(await b.call('mod.files', { library })).toEqual([
      { ref: join(b.game, 'sub', 'new.txt'), path: 'sub/new.txt', size: 4, originalSize: -1 },
    ])
    await expect(b.call('mod.files', { library: 'none' })).rejects.toMatchObject({ code: 'not-found' })
  })

  it('reload, compare and keep files that changed on disk', async () => {
    const b = start(files())
    const { model } = await opened(b)
    await b.call('skeleton.setField', { model: model.id, joint: 0, key: 'first', value: [9] })
    writeFileSync(model.primary, numbersBytes([1, 2, 33]))
    expect((await b.call('model.compareDisk', { model: model.id }))[0].changes.map((c) => c.path)).toEqual(['values[0]', 'values[2]'])
    const kept = await b.call('model.keep', { model: model.id })
    expect(kept.scene.lods[0]).toBe('a: 9 2 3')
    expect(kept.info.dirty).toBe(true)
    const read = await b.call('model.reload', { model: model.id })
    expect(read.scene.lods[0]).toBe('a: 1 2 33')
    expect(read.info).toMatchObject({ dirty: false, history: { undo: [], redo: [], top: '' } })
    expect(await b.call('recovery.list', {})).toEqual([])
  })

  it('close the models of a library that is forgotten, their edits kept for recovery', async () => {
    const b = start(files())
    const { model } = await opened(b)
    await b.call('skeleton.setField', { model: model.id, joint: 0, key: 'first', value: [9] })
    await b.call('library.forget', { root: b.game })
    expect(b.events['model.closed']).toEqual([{ model: model.id }])
    expect(await b.call('model.list', {})).toEqual([])
    await expect(b.call('model.scene', { model: model.id })).rejects.toMatchObject({ code: 'not-found' })
    const [found] = await b.call('recovery.list', {})
    expect((await b.call('recovery.restore', { id: found.id })).scene.lods[0]).toBe('a: 9 2 3')
  })

  it('open nothing outside of the libraries, links included', async () => {
    const b = start(files())
    const outside = join(b.game, '..', 'secret.num')
    writeFileSync(outside, numbersBytes([1]))
    await expect(b.call('model.open', { ref: join(b.game, 'a.num') })).rejects.toMatchObject({ code: 'refused' })
    await b.call('library.open', { root: b.game })
    symlinkSync(outside, join(b.game, 'link.num'))
    for (const ref of [outside, join(b.game, 'link.num'), `${b.game}/../secret.num`])
      await expect(b.call('model.open', { ref })).rejects.toMatchObject({ code: 'refused' })
    await expect(b.call('model.open', { ref: 'a.num' })).rejects.toMatchObject({ code: 'invalid-argument' })
    await expect(b.call('model.open', { ref: join(b.game, 'none.num') })).rejects.toMatchObject({ code: 'not-found' })
  })

  it('edit, show the change, undo, save and restore', async () => {
    const b = start(files())
    const { model } = await opened(b)
    // joints of the fake family are made up: the call reaches the family's editor
    const edited = await b.call('skeleton.setField', { model: model.id, joint: 0, key: 'first', value: [9], gesture: 'drag' })
    expect(edited.scene.lods[0]).toBe('a: 9 2 3')
    expect(edited.info).toMatchObject({
      dirty: true,
      history: { undo: ['Change first'], redo: [], top: expect.stringMatching(/./) as string },
    })
    expect(edited.info.revision).toBeGreaterThan(model.revision)
    expect((await b.call('model.changes', { model: model.id }))[0].changes[0]).toMatchObject({ path: 'values[0]', before: '1', after: '9' })
    expect(await b.call('model.bytes', { model: model.id, ref: model.primary, start: 8, length: 4, original: true })).toEqual(
      new Uint8Array(Float32Array.of(1).buffer),
    )
    expect(await b.call('model.bytes', { model: model.id, ref: model.primary, start: 8, length: 4 })).toEqual(
      new Uint8Array(Float32Array.of(9).buffer),
    )
    expect((await b.call('save.write', { model: model.id })).saved).toHaveLength(1)
    expect(new Uint8Array(readFileSync(join(b.game, 'a.num')))).toEqual(numbersBytes([9, 2, 3]))
    expect(await b.call('save.originals', { model: model.id })).toHaveLength(1)
    const restored = await b.call('save.restore', { model: model.id, ref: model.primary })
    expect(restored.scene.lods[0]).toBe('a: 1 2 3')
    expect(new Uint8Array(readFileSync(join(b.game, 'a.num')))).toEqual(numbersBytes([1, 2, 3]))
    await b.call('history.undo', { model: model.id })
    await b.call('history.undo', { model: model.id })
    const redone = await b.call('history.redo', { model: model.id })
    expect(redone.info.history).toMatchObject({ undo: ['Change first'], redo: ['Restore a.num'] })
    await expect(b.call('skeleton.setField', { model: model.id, joint: 0, key: 'first', value: 'text' })).rejects.toMatchObject({
      code: 'invalid-edit',
    })
    await expect(b.call('clips.tracks', { model: model.id, clip: 9 })).rejects.toMatchObject({ code: 'invalid-argument' })
    await expect(b.call('clips.tracks', { model: model.id, clip: 0 })).rejects.toMatchObject({ code: 'unsupported' })
    await expect(b.call('slices.remove', { model: model.id, slice: 0 })).rejects.toMatchObject({ code: 'invalid-argument' })
  })

  it('tell other windows of an edit after it was answered', async () => {
    const b = start(files())
    const { model } = await opened(b)
    const edited = await b.call('skeleton.setField', { model: model.id, joint: 0, key: 'first', value: [9] })
    expect(b.events['model.changed']).toBeUndefined()
    await expect.poll(() => b.events['model.changed']?.map((e) => e.info.revision)).toEqual([edited.info.revision])
  })

  it('list problems, offer their fixes and apply them', async () => {
    const b = start({ 'a.num': numbersBytes([1], '~tilde'), 'a.extra.num': junk(9) })
    writeFileSync(join(b.game, 'a.extra.num'), Buffer.from('NUMS\xff\xff\xff\xff', 'latin1'))
    const { model } = await opened(b)
    const problems = await b.call('model.problems', { model: model.id })
    expect(problems.map((p) => [p.file, p.code])).toEqual([
      ['a.num', 'fake.tilde'],
      ['a.num', 'fake.lint'],
      ['a.extra.num', 'marrow.bad-count'],
    ])
    expect(problems[2]).toMatchObject({ severity: 'error', path: 'values', offset: 8 })
    const fixed = await b.call('model.fix', { model: model.id, problem: problems[0], fix: 'fake.untilde' })
    expect(fixed.info.history.undo).toEqual(['Replace it'])
    expect((await b.call('model.problems', { model: model.id })).map((p) => p.code)).toEqual(['fake.lint', 'marrow.bad-count'])
    await expect(b.call('model.fix', { model: model.id, problem: problems[0], fix: 'fake.untilde' })).rejects.toMatchObject({
      code: 'not-found',
    })
  })

  it("remember the user's bindings and choices", async () => {
    const b = start({ ...files(), 'far/other.num': numbersBytes([7]) })
    const { model } = await opened(b)
    const other = join(b.game, 'far/other.num')
    const bound = await b.call('model.bind', { model: model.id, role: 'animation', ref: other })
    expect(bound.info.files.map((f) => [f.name, f.why])).toEqual([
      ['a.num', 'self'],
      ['a.extra.num', 'name'],
      ['other.num', 'user'],
    ])
    expect(bound.scene.lods).toContain('other: 7')
    await b.call('model.bind', { model: model.id, role: 'animation', ref: join(b.game, 'a.extra.num'), remove: true })
    await b.call('model.choose', { model: model.id, key: 'flavour', value: 'plain' })
    await expect(b.call('model.choose', { model: model.id, key: 'flavour', value: 'odd' })).rejects.toMatchObject({
      code: 'invalid-argument',
    })
    await b.close()
    const again = start({}, { after: b })
    expect((await opened(again)).model.files.map((f) => f.name)).toEqual(['a.num', 'other.num'])
  })

  it('play Level-5 clips at the tick rate of the settings, unless the user chose one for the model', async () => {
    const chr = sampleFiles().find((f) => f.path === 'Dark Cloud/chara/adventurer.chr')!
    const b = start({ 'a.chr': chr.bytes, 'b.chr': chr.bytes }, { registry: undefined })
    const { model: follows, library } = await opened(b, 'a.chr')
    const chosen = (await b.call('model.open', { ref: join(b.game, 'b.chr'), library })).info
    const rate = async (model: string): Promise<number> => (await b.call('model.scene', { model })).scene.clips[0].rate
    expect([await rate(follows.id), await rate(chosen.id)]).toEqual([60, 60])
    await b.call('model.choose', { model: chosen.id, key: 'level5.tickRate', value: 30 })
    await b.call('settings.set', { tickRate: 50 })
    expect([await rate(follows.id), await rate(chosen.id)]).toEqual([50, 30])
    expect((await b.call('model.scene', { model: follows.id })).info).toMatchObject({ dirty: false, history: { undo: [] } })
    // another choice does not freeze the rate
    await b.call('model.choose', { model: follows.id, key: 'level5.bbp', value: 'local' })
    await b.call('settings.set', { tickRate: 40 })
    expect(await rate(follows.id)).toBe(40)
    await b.call('model.close', { model: follows.id })
    expect(await rate((await b.call('model.open', { ref: join(b.game, 'a.chr') })).info.id)).toBe(40)
  })

  it('save into the mod folder, which must not be inside of a library', async () => {
    const b = start(files())
    const { model } = await opened(b)
    await expect(b.call('settings.set', { saveMode: 'mod-folder', modFolder: join(b.game, 'mod') })).rejects.toMatchObject({
      code: 'refused',
    })
    const mod = join(b.game, '..', 'mod')
    await b.call('settings.set', { saveMode: 'mod-folder', modFolder: mod })
    await b.call('skeleton.setField', { model: model.id, joint: 0, key: 'first', value: [9] })
    expect((await b.call('save.plan', { model: model.id })).files[0].target).toBe(join(mod, 'a.num'))
    await b.call('save.write', { model: model.id })
    expect(new Uint8Array(readFileSync(join(mod, 'a.num')))).toEqual(numbersBytes([9, 2, 3]))
    expect(new Uint8Array(readFileSync(join(b.game, 'a.num')))).toEqual(numbersBytes([1, 2, 3]))
    await b.call('model.close', { model: model.id })
    const again = await b.call('model.open', { ref: join(b.game, 'a.num') })
    expect(again.info.files[0].detail).toMatch(/from the mod folder/)
  })

  it('notice that a file of an open model changed on disk', async () => {
    const b = start(files(), { watchEvery: 30 })
    const { model } = await opened(b)
    writeFileSync(join(b.game, 'a.extra.num'), numbersBytes([44, 45]))
    const ref = join(b.game, 'a.extra.num')
    const told = (): { state: string }[] => (b.events['file.changed'] ?? []) as { state: string }[]
    await expect.poll(told).toMatchObject([{ model: model.id, ref, state: 'changed-on-disk' }])
    rmSync(ref)
    await expect.poll(told).toMatchObject([{}, { model: model.id, ref, state: 'deleted', movedTo: '' }])
    expect(await b.call('model.disk', { model: model.id })).toMatchObject([{ ref, state: 'deleted' }])
    await expect(b.call('model.reload', { model: model.id })).rejects.toMatchObject({ code: 'deleted' })
  })

  it('offer unsaved edits after the end, restore or discard them', async () => {
    const b = start(files())
    const { model } = await opened(b)
    await b.call('skeleton.setField', { model: model.id, joint: 0, key: 'first', value: [9] })
    expect(await b.call('recovery.list', {})).toEqual([])
    await b.close()
    const again = start({}, { after: b })
    const [offer] = await again.call('recovery.list', {})
    expect(offer).toMatchObject({ primary: join(b.game, 'a.num'), name: 'a', steps: 1 })
    const restored = await again.call('recovery.restore', { id: offer.id })
    expect(restored.info).toMatchObject({ dirty: true, history: { undo: ['Change first'] } })
    expect(restored.scene.lods[0]).toBe('a: 9 2 3')
    expect(await again.call('recovery.list', {})).toEqual([])
    await again.close()
    const third = start({}, { after: b })
    const [second] = await third.call('recovery.list', {})
    await third.call('recovery.discard', { id: second.id })
    expect(await third.call('recovery.list', {})).toEqual([])
    expect(existsSync(join(b.game, 'a.num'))).toBe(true)
  })

  it("export into a folder, and replace nothing beside the game's files", async () => {
    const b = start(files())
    const { model } = await opened(b)
    const out = join(b.game, '..', 'out')
    await expect(b.call('export.model', { model: model.id, to: 'glb', folder: out })).rejects.toMatchObject({ code: 'not-found' })
    mkdirSync(out)
    expect(await b.call('export.model', { model: model.id, to: 'glb', folder: out })).toEqual({ files: [join(out, 'a.glb')] })
    expect(readFileSync(join(out, 'a.glb')).subarray(0, 4).toString()).toBe('glTF')
    await b.call('export.model', { model: model.id, to: 'glb', folder: out })
    await b.call('export.model', { model: model.id, to: 'glb', folder: b.game })
    await expect(b.call('export.model', { model: model.id, to: 'glb', folder: b.game })).rejects.toMatchObject({ code: 'refused' })
    await expect(b.call('export.model', { model: model.id, to: 'png', folder: out })).rejects.toMatchObject({ code: 'refused' })
  })

  it('keep slices of their own for families whose games have none', async () => {
    const b = start(files())
    await b.call('settings.set', { saveMode: 'mod-folder', modFolder: join(b.game, '..', 'mod') })
    const { model } = await opened(b)
    const id = model.id
    expect(model.abilities.slices).toMatchObject({ native: false, named: true })
    expect(existsSync(join(b.state, 'slices'))).toBe(false)
    const values = { name: '歩く', start: 0, end: 10, speed: 1 }
    await expect(b.call('slices.add', { model: id, at: 0, clip: 0, values: { ...values, end: -1 } })).rejects.toMatchObject({
      code: 'invalid-edit',
    })
    await b.call('slices.add', { model: id, at: 0, clip: 0, values })
    await b.call('slices.add', { model: id, at: 0, clip: 0, values: { ...values, name: 'first' } })
    await b.call('slices.duplicate', { model: id, slice: 1 })
    await b.call('slices.set', { model: id, slice: 2, values: { name: 'last', end: 20 } })
    const moved = await b.call('slices.move', { model: id, from: 0, to: 2 })
    expect(moved.scene.slices.map((s) => [s.name, s.clip, s.start, s.end, s.loop])).toEqual([
      ['歩く', 0, 0, 10, true],
      ['last', 0, 0, 20, true],
      ['first', 0, 0, 10, true],
    ])
    const undone = await b.call('history.undo', { model: id })
    expect(undone.scene.slices.map((s) => s.name)).toEqual(['first', '歩く', 'last'])
    expect((await b.call('model.changes', { model: id }))[0].changes.map((c) => c.path)).toEqual(['slices[0]', 'slices[1]', 'slices[2]'])
    expect(await b.call('model.problems', { model: id })).toHaveLength(2)
    // after a crash they come back, saved they stay, whatever the save mode is
    await b.close()
    const again = start({}, { after: b })
    const [offer] = await again.call('recovery.list', {})
    const recovered = await again.call('recovery.restore', { id: offer.id })
    expect(recovered.scene.slices.map((s) => s.name)).toEqual(['first', '歩く', 'last'])
    expect((await again.call('save.write', { model: recovered.info.id })).failed).toEqual([])
    await again.call('model.close', { model: recovered.info.id })
    const reopened = await again.call('model.open', { ref: model.primary })
    expect(reopened.scene.slices.map((s) => s.name)).toEqual(['first', '歩く', 'last'])
    const removed = await again.call('slices.remove', { model: reopened.info.id, slice: 1 })
    expect(removed.scene.slices.map((s) => s.name)).toEqual(['first', 'last'])
  })

  it('cancel', async () => {
    const b = start(files())
    const library = await b.call('library.open', { root: b.game })
    const controller = new AbortController()
    controller.abort()
    expect(await dispatch(b.services, 'library.scan', { library: library.id }, controller.signal)).toMatchObject({
      ok: false,
      error: { code: 'cancelled' },
    })
  })
})
