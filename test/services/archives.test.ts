/** The calls of an archive's page: planned steps, undone and done again, kept over a crash, saved in one write. */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { unzipSync } from 'fflate'
import { afterEach, describe, expect, it } from 'vitest'
import { newTemporary } from '../../src/main/files/temporaries.ts'
import { encodeUndo } from '../../src/main/files/undo-record.ts'
import { makeBig } from '../../src/main/formats/w3d/archives/big.ts'
import { MOST_CARRIED, NEW_ARCHIVE } from '../../src/shared/api/types/archive.ts'
import { archiveCases } from '../support/archive-cases.ts'
import { readBytes } from '../support/corpus.ts'
import { junk } from '../support/hostile.ts'
import { makeIso } from '../support/iso.ts'
import { largeDisc } from '../support/large-archives.ts'
import { readBig } from '../support/read-archives.ts'
import { serviceBenches } from '../support/service-bench.ts'
import { zipOf } from '../fixtures/zip.ts'
import { writeFiles } from '../workspace/support.ts'
import type { ServiceBench } from '../support/service-bench.ts'
import type { ArchiveRow } from '../../src/shared/api/types/archive.ts'

const bench = serviceBenches(afterEach)
const big = (): Uint8Array =>
  makeBig('BIGF', [
    { name: 'art\\a.w3d', bytes: junk(100, 1) },
    { name: 'art\\b.w3d', bytes: junk(200, 2) },
    { name: 'data\\c.ini', bytes: junk(50, 3) },
  ])

async function opened(files: Record<string, Uint8Array>, name: string, more: Parameters<typeof bench>[0] = {}) {
  const at = bench({ files, ...more })
  await at.call('library.open', { root: at.game })
  const ref = join(at.game, name)
  return { ...at, at, ref, state: await at.call('archive.open', { ref }) }
}

type At = Pick<ServiceBench, 'call'> & { ref: string }
const rowsOf = async ({ call, ref }: At, text = ''): Promise<ArchiveRow[]> =>
  (await call('archive.members', { ref, text, offset: 0, limit: 500 })).rows
const namesOf = async (at: At): Promise<string> => (await rowsOf(at)).map(({ name }) => name.split('/').at(-1)![0]).join('')
const inFile = (ref: string): [string, Uint8Array][] => readBig(readBytes(ref)).map(({ name, bytes }) => [name, bytes])

describe('steps in an archive', () => {
  it('are planned, undone and done again, and written at once', async () => {
    const at = await opened({ 'x.big': big() }, 'x.big')
    const { call, ref, state, ask, events } = at
    expect(state).toMatchObject({ name: 'x.big', readOnly: '', copyOnly: false, members: 3, steps: 0, undo: '', size: big().length })
    const [a, b, c] = await rowsOf(at)
    const { body } = await call('archive.hold', { ref, bytes: junk(77, 9) })
    await call('archive.change', { ref, step: { kind: 'add', files: [{ name: 'art/d.w3d', body }] } })
    await call('archive.change', { ref, step: { kind: 'replace', id: a.id, body } })
    await call('archive.change', { ref, step: { kind: 'rename', id: c.id, name: 'data/z.ini' } })
    await call('archive.change', { ref, step: { kind: 'remove', ids: [b.id] } })
    const [, , added] = await rowsOf(at)
    const now = await call('archive.change', { ref, step: { kind: 'move', ids: [added.id], before: a.id } })
    expect(now).toMatchObject({ steps: 5, members: 3, undo: 'Move 1 member', redo: '' })
    expect((await rowsOf(at)).map(({ name, size, state: is, was }) => [name, size, is, was])).toEqual([
      ['art/d.w3d', 77, 'new', ''],
      ['art/a.w3d', 77, 'replaced', ''],
      ['data/z.ini', 50, 'renamed', 'data/c.ini'],
    ])
    expect(readBytes(ref)).toEqual(big())
    expect(await rowsOf(at, '*.w3d')).toHaveLength(2)
    // back, and on
    expect(await call('archive.undo', { ref })).toMatchObject({ steps: 4, redo: 'Move 1 member', undo: 'Remove 1 member' })
    await call('archive.undo', { ref })
    expect(await namesOf(at)).toBe('abzd')
    await call('archive.redo', { ref })
    await call('archive.redo', { ref })
    expect(await namesOf(at)).toBe('daz')
    const plan = await call('archive.plan', { ref })
    expect(plan).toMatchObject({ target: ref, members: [3, 3], bodies: 154, begun: 0 })
    expect(plan.free).toBeGreaterThan(0)
    const { written, state: after } = await call('archive.save', { ref })
    expect(written).toEqual([ref])
    expect(after).toMatchObject({ steps: 0, members: 3, undo: '', redo: '' })
    expect(inFile(ref)).toEqual([
      ['art\\d.w3d', junk(77, 9)],
      ['art\\a.w3d', junk(77, 9)],
      ['data\\z.ini', junk(50, 3)],
    ])
    expect(statSync(ref).size).toBe(plan.size[1])
    expect((await call('save.originals', {})).map(({ target, size }) => [target, size])).toEqual([[ref, big().length]])
    expect(events['archive.progress']?.at(-1)).toMatchObject({ ref, what: 'read' })
    expect(await ask('archive.plan', { ref })).toMatchObject({ ok: false, error: { code: 'invalid-edit' } })
  })

  it('that the archive cannot hold are refused when they are made, and change nothing', async () => {
    const at = await opened({ 'x.img': archiveCases['IMG v2']().files['gta3.img'] }, 'x.img')
    const { call, ref, ask } = at
    const [first, second] = await rowsOf(at)
    const { body } = await call('archive.hold', { ref, bytes: junk(7, 9) })
    const code = async (step: unknown): Promise<string> => {
      const got = await ask('archive.change', { ref, step })
      return got.ok ? 'ok' : got.error.code
    }
    expect(await code({ kind: 'rename', id: first.id, name: 'a-name-that-is-far-too-long.dff' })).toBe('invalid-edit')
    expect(await code({ kind: 'rename', id: first.id, name: second.name })).toBe('invalid-edit')
    expect(await code({ kind: 'add', files: [{ name: first.name, body }] })).toBe('invalid-edit')
    expect(await code({ kind: 'add', files: [{ name: 'x.dff', body: '../../x' }] })).toBe('not-found')
    expect(await code({ kind: 'add', files: [{ name: 'x.dff', body: 'a'.repeat(64) }] })).toBe('not-found')
    expect(await code({ kind: 'remove', ids: [99] })).toBe('not-found')
    expect(await code({ kind: 'move', ids: [first.id], before: 99 })).toBe('not-found')
    expect(await call('archive.open', { ref })).toMatchObject({ steps: 0, members: 5 })
    const mix = await opened({ 'x.mix': archiveCases.MIX().files['x.mix'] }, 'x.mix')
    const [one, other] = await rowsOf(mix)
    const moved = await mix.ask('archive.change', { ref: mix.ref, step: { kind: 'move', ids: [other.id], before: one.id } })
    expect(moved).toMatchObject({ ok: false, error: { code: 'unsupported' } })
  })

  it('are there again after a crash, and gone when they are discarded or the archive became another one', async () => {
    const at = await opened({ 'x.big': big() }, 'x.big')
    const { body } = await at.call('archive.hold', { ref: at.ref, bytes: junk(77, 9) })
    await at.call('archive.change', { ref: at.ref, step: { kind: 'add', files: [{ name: 'd', body }] } })
    await at.call('archive.change', { ref: at.ref, step: { kind: 'rebuild' } })
    await at.call('archive.undo', { ref: at.ref })
    const again = await opened({}, 'x.big', { after: at.at })
    expect(again.state).toMatchObject({ steps: 1, members: 4, undo: 'Add d', redo: 'Make compact' })
    // somebody else changes it
    writeFiles(again.game, { 'x.big': makeBig('BIGF', [{ name: 'other', bytes: junk(3, 3) }]) })
    expect(await again.call('archive.open', { ref: again.ref })).toMatchObject({ stale: true })
    const refused = await again.ask('archive.save', { ref: again.ref })
    expect(refused).toMatchObject({ ok: false, error: { code: 'changed-on-disk' } })
    expect(await again.call('archive.discard', { ref: again.ref })).toMatchObject({ steps: 0, stale: false, members: 1 })
    expect(readdirSync(join(again.base, 'state', 'archives')).filter((name) => !name.includes('damaged'))).toEqual([])
  })

  it('are told as they are written: a few bytes of a large archive in place, else a copy of the whole', async () => {
    const large = (): Uint8Array =>
      makeBig('BIGF', [
        { name: 'a', bytes: junk(100, 1) },
        { name: 'large', bytes: new Uint8Array(5 << 20) },
      ])
    const at = await opened({ 'x.big': large(), 'small.big': big() }, 'x.big')
    const { call, ref } = at
    // behind the header and two entries
    const body = 16 + (8 + 2) + (8 + 6)
    const fresh = junk(100, 1).map((byte, i) => (i < 3 ? byte ^ 1 : byte))
    const held = await call('archive.hold', { ref, bytes: fresh })
    await call('archive.change', { ref, step: { kind: 'replace', id: 0, body: held.body } })
    const { ino } = statSync(ref)
    expect(await call('archive.plan', { ref })).toMatchObject({
      target: ref,
      inPlace: true,
      written: 3,
      size: [large().length, large().length],
    })
    // of the record that has the old bytes and the new ones
    const { room } = await call('archive.plan', { ref })
    expect(room).toBeGreaterThan(6 + 32)
    expect(room).toBeLessThan(500)
    await call('archive.save', { ref })
    const wanted = large()
    wanted.set(fresh, body)
    expect(Buffer.compare(readBytes(ref), wanted)).toBe(0)
    expect(statSync(ref).ino).toBe(ino)
    await call('archive.change', { ref, step: { kind: 'field', id: -1, path: 'headerSize', value: '0' } })
    expect(await call('archive.plan', { ref })).toMatchObject({ inPlace: true, written: 1 })
    await call('archive.change', { ref, step: { kind: 'remove', ids: [0] } })
    const anew = await call('archive.plan', { ref })
    expect([anew.written, anew.room, anew.inPlace]).toEqual([anew.size[1], anew.size[1], false])
    const small = join(at.game, 'small.big')
    await call('archive.open', { ref: small })
    await call('archive.change', { ref: small, step: { kind: 'rename', id: 0, name: 'art/z.w3d' } })
    expect(await call('archive.plan', { ref: small })).toMatchObject({ inPlace: false, written: big().length })
  })

  it('are told with what a write before them left that nobody can take back', async () => {
    const at = await opened({ 'sub/x.big': big(), 'sub/y.big': big() }, 'sub/x.big')
    expect(at.state.damagedRecord).toBe('')
    const bytes = encodeUndo([{ target: 'x.big', size: 1, mtimeMs: 0, ranges: [] }])
    bytes[bytes.length - 1] ^= 1
    const dead = newTemporary(join(at.game, 'sub'), 'x.big', 'undo').replace(`-${process.pid}-`, '-4194305-')
    writeFiles(join(at.game, 'sub'), { [basename(dead)]: bytes })
    const state = await at.call('archive.open', { ref: at.ref })
    expect(state).toMatchObject({ damagedRecord: dead, readOnly: '' })
    expect((await at.call('archive.open', { ref: join(at.game, 'sub', 'y.big') })).damagedRecord).toBe('')
    expect(readBytes(dead)).toEqual(new Uint8Array(bytes))
    rmSync(dead)
    expect((await at.call('archive.open', { ref: at.ref })).damagedRecord).toBe('')
  })

  it('that are stopped leave the archive as it was, with what was planned', async () => {
    const at = await opened({ 'x.big': big() }, 'x.big')
    await at.call('archive.change', { ref: at.ref, step: { kind: 'rename', id: 0, name: 'other' } })
    const stop = new AbortController()
    stop.abort()
    await expect(at.call('archive.save', { ref: at.ref }, stop.signal)).rejects.toMatchObject({ code: 'cancelled' })
    expect(readBytes(at.ref)).toEqual(big())
    expect(readdirSync(at.game)).toEqual(['x.big'])
    expect(await at.call('archive.open', { ref: at.ref })).toMatchObject({ steps: 1 })
    await at.call('archive.save', { ref: at.ref })
    expect(inFile(at.ref)[0][0]).toBe('other')
  })

  it('go into the mod folder where saves go there, and the page goes on from its copy', async () => {
    const at = await opened({ 'sub/x.big': big() }, 'sub/x.big')
    const folder = join(at.base, 'mod')
    await at.call('settings.set', { saveMode: 'mod-folder', modFolder: folder })
    await at.call('archive.open', { ref: at.ref })
    await at.call('archive.change', { ref: at.ref, step: { kind: 'remove', ids: [0] } })
    expect((await at.call('archive.save', { ref: at.ref })).written).toEqual([join(folder, 'sub/x.big')])
    expect(readBytes(at.ref)).toEqual(big())
    expect(await namesOf(at)).toBe('bc')
  })
})

describe('members', () => {
  it('are taken out: one, several, those of a filter, all; what is there is not replaced unasked', async () => {
    const at = await opened({ 'x.big': big() }, 'x.big')
    const out = (name: string): string => join(at.base, 'out', name)
    const take = (name: string, more: object) => at.call('archive.extract', { ref: at.ref, folder: out(name), ...more })
    const [a, , c] = await rowsOf(at)
    expect(await take('all', {})).toMatchObject({ files: 3, bytes: 350, failures: [], failureCount: 0, renamed: [], renamedCount: 0 })
    expect(readBytes(join(out('all'), 'art/b.w3d'))).toEqual(junk(200, 2))
    expect(await take('two', { ids: [a.id, c.id] })).toMatchObject({ files: 2 })
    expect(await take('fit', { text: '*.ini' })).toMatchObject({ files: 1 })
    expect(await take('all', {})).toMatchObject({ files: 0, failures: [{}, {}, {}], failureCount: 3 })
    expect(await take('all', { force: true })).toMatchObject({ files: 3 })
    const stop = new AbortController()
    stop.abort()
    await expect(at.call('archive.extract', { ref: at.ref, folder: out('none') }, stop.signal)).rejects.toMatchObject({
      code: 'cancelled',
    })
    const { body } = await at.call('archive.hold', { ref: at.ref, bytes: junk(7, 9) })
    await at.call('archive.change', { ref: at.ref, step: { kind: 'add', files: [{ name: 'new', body }] } })
    const [, , , fresh] = await rowsOf(at)
    expect(await at.ask('archive.extract', { ref: at.ref, folder: out('new'), ids: [fresh.id] })).toMatchObject({
      ok: false,
      error: { code: 'not-found' },
    })
  })

  it('of a zip are listed and taken out, and not changed', async () => {
    const at = await opened({ 'x.zip': zipOf([{ name: 'a.txt', body: junk(30, 1) }]) }, 'x.zip')
    expect(at.state.readOnly).not.toBe('')
    const [row] = await rowsOf(at)
    const got = await at.ask('archive.change', { ref: at.ref, step: { kind: 'remove', ids: [row.id] } })
    expect(got).toMatchObject({ ok: false, error: { code: 'read-only' } })
  })
})

describe('an image of a disc', () => {
  it('is changed in a copy: told with the room that there is, stopped, gone on with', async () => {
    const disc = archiveCases.HD3().files
    const image = makeIso(disc).image
    const at = await opened({ 'game.iso': image }, 'game.iso!DATA.HD3')
    expect(at.state).toMatchObject({ readOnly: '', copyOnly: true })
    const [row] = await rowsOf(at)
    const { body } = await at.call('archive.hold', { ref: at.ref, bytes: junk(300, 9) })
    await at.call('archive.change', { ref: at.ref, step: { kind: 'replace', id: row.id, body } })
    expect(await at.ask('archive.save', { ref: at.ref })).toMatchObject({ ok: false, error: { code: 'read-only' } })
    expect(readBytes(join(at.game, 'game.iso'))).toEqual(image)
    expect(await at.call('archive.plan', { ref: at.ref })).toMatchObject({ target: '', written: image.length })
    const place = { folder: at.base, name: 'copy.iso' }
    const plan = await at.call('archive.plan', { ref: at.ref, ...place })
    expect(plan).toMatchObject({ target: join(at.base, 'copy.iso'), written: image.length, begun: 0 })
    for (const name of ['', 'a/b', '..', 'game\0.iso'])
      expect((await at.ask('archive.plan', { ref: at.ref, folder: at.base, name })).ok).toBe(false)
    const stop = new AbortController()
    stop.abort()
    await expect(at.call('archive.save', { ref: at.ref, ...place }, stop.signal)).rejects.toMatchObject({ code: 'cancelled' })
    expect(existsSync(plan.target)).toBe(false)
    expect((await at.call('archive.save', { ref: at.ref, ...place })).written).toEqual([plan.target])
    expect(readBytes(at.ref.split('!')[0])).toEqual(image)
    expect(readBytes(plan.target)).toHaveLength(image.length)
    await at.call('archive.change', { ref: at.ref, step: { kind: 'rename', id: row.id, name: 'q.dff' } })
    const again = await at.ask('archive.plan', { ref: at.ref, ...place })
    expect(again).toMatchObject({ ok: false, error: { code: 'io' } })
  })

  it.each([
    ['where it stands', largeDisc().files, true],
    ['anew', archiveCases.HD3().files, false],
  ])('is written to in the copy that Marrow made, as long as nobody else was: %s', async (_how, disc, inPlace) => {
    const made = makeIso(disc)
    const at = await opened({ 'game.iso': made.image }, 'game.iso!DATA.HD3')
    const place = { folder: at.game, name: 'copy.iso' }
    const put = async (ref: string, seed: number): Promise<void> => {
      const [row] = await rowsOf({ ...at, ref })
      const { body } = await at.call('archive.hold', { ref, bytes: junk(300, seed) })
      await at.call('archive.change', { ref, step: { kind: 'replace', id: row.id, body } })
    }
    await put(at.ref, 9)
    const [copy] = (await at.call('archive.save', { ref: at.ref, ...place })).written
    const first = readBytes(copy)
    const ref = `${copy}!DATA.HD3`
    expect(await at.call('archive.open', { ref })).toMatchObject({ readOnly: '', copyOnly: false })
    await put(ref, 7)
    const plan = await at.call('archive.plan', { ref })
    expect(plan).toMatchObject({ target: copy, inPlace })
    expect(plan.written).toBe(inPlace ? 300 : first.length)
    expect(await at.call('archive.save', { ref })).toMatchObject({ written: [copy], state: { steps: 0, copyOnly: false } })
    const member = made.places.get('DATA.DAT')!
    const wanted = first.slice()
    const start = Buffer.from(first.buffer, first.byteOffset, first.length).indexOf(junk(300, 9), member)
    wanted.set(junk(300, 7), start)
    expect(Buffer.compare(readBytes(copy), wanted)).toBe(0)
    expect(Buffer.compare(readBytes(join(at.game, 'game.iso')), made.image)).toBe(0)
    expect(readdirSync(at.game).sort()).toEqual(['copy.iso', 'game.iso'])
    // nothing of it is an original: Marrow made it
    expect(await at.call('save.originals', {})).toEqual([])
    await put(ref, 5)
    writeFiles(at.game, { 'copy.iso': wanted.with(start, 1) })
    expect(await at.ask('archive.save', { ref })).toMatchObject({ ok: false })
    expect(await at.call('archive.discard', { ref })).toMatchObject({ copyOnly: true })
    expect(readdirSync(at.game).sort()).toEqual(['copy.iso', 'game.iso'])
  })

  it('has its place in the mod folder, and is written to there', async () => {
    const { image } = makeIso(largeDisc().files)
    const at = await opened({ 'game.iso': image }, 'game.iso!DATA.HD3')
    const mod = join(at.base, 'mod')
    await at.call('settings.set', { saveMode: 'mod-folder', modFolder: mod })
    expect(await at.call('archive.open', { ref: at.ref })).toMatchObject({ copyOnly: true })
    writeFiles(mod, { 'game.iso': image })
    expect(await at.call('archive.open', { ref: at.ref })).toMatchObject({ copyOnly: false, readOnly: '' })
    const [row] = await rowsOf(at)
    const { body } = await at.call('archive.hold', { ref: at.ref, bytes: junk(300, 9) })
    await at.call('archive.change', { ref: at.ref, step: { kind: 'replace', id: row.id, body } })
    expect((await at.call('archive.save', { ref: at.ref })).written).toEqual([join(mod, 'game.iso')])
    expect(readBytes(join(mod, 'game.iso'))).toHaveLength(image.length)
    expect(Buffer.compare(readBytes(join(mod, 'game.iso')), image)).not.toBe(0)
    expect(Buffer.compare(readBytes(join(at.game, 'game.iso')), image)).toBe(0)
  })
})

describe('a new archive', () => {
  const files = { 'a.w3d': junk(100, 1), 'sub/b.w3d': junk(50, 2), 'sub/deep/c.txt': junk(9, 3), 'x.big': big() }

  async function begun() {
    const at = bench({ files })
    await at.call('library.open', { root: at.game })
    const ref = NEW_ARCHIVE
    return { ...at, at, ref, state: await at.call('archive.open', { ref }) }
  }

  it('is planned as steps of an archive are, of files of the library and of folders, and written where it is saved', async () => {
    const { call, ask, ref, game, base, state } = await begun()
    expect(state).toMatchObject({ members: 0, steps: 0, readOnly: '', copyOnly: false, name: 'new.chr' })
    expect(state.fresh!.kinds.map(({ id }) => id)).toEqual([
      'level5.pack',
      'w3d.big',
      'w3d.big4',
      'w3d.mix',
      'renderware.img2',
      'renderware.img1',
    ])
    expect(state.fresh!.kinds.every(({ label, limits }) => label !== '' && limits !== '')).toBe(true)
    expect(await ask('archive.plan', { ref })).toMatchObject({ ok: false, error: { code: 'invalid-edit' } })
    await call('archive.change', { ref, step: { kind: 'as', format: 'w3d.big4' } })
    const taken = await call('archive.take', { ref, from: [join(game, 'a.w3d'), join(game, 'sub'), `${join(game, 'x.big')}!data/c.ini`] })
    expect(taken.files.map(({ name }) => name)).toEqual(['a.w3d', 'b.w3d', 'deep/c.txt', 'c.ini'])
    await call('archive.change', { ref, step: { kind: 'add', files: taken.files } })
    const [first] = await rowsOf({ call, ref })
    const now = await call('archive.change', { ref, step: { kind: 'rename', id: first.id, name: 'art/a.w3d' } })
    expect(now).toMatchObject({ members: 4, steps: 3, name: 'new.big', size: 209, fresh: { kind: 'w3d.big4' } })
    expect(await call('archive.undo', { ref })).toMatchObject({ steps: 2, redo: 'Rename to art/a.w3d' })
    await call('archive.redo', { ref })
    expect(await call('archive.plan', { ref })).toMatchObject({ target: '', members: [0, 4], copied: 209, free: -1 })
    expect(readdirSync(game).sort()).toEqual(['a.w3d', 'sub', 'x.big'])
    expect(await ask('archive.save', { ref })).toMatchObject({ ok: false, error: { code: 'invalid-argument' } })
    expect(await ask('archive.save', { ref, folder: game, name: 'x.big' })).toMatchObject({ ok: false, error: { code: 'io' } })
    expect(readBytes(join(game, 'x.big'))).toEqual(big())
    const plan = await call('archive.plan', { ref, folder: game, name: 'made.big' })
    expect(plan.target).toBe(join(game, 'made.big'))
    const { written, state: after } = await call('archive.save', { ref, folder: game, name: 'made.big' })
    expect(written).toEqual([join(game, 'made.big')])
    expect(after).toMatchObject({ members: 0, steps: 0, fresh: {} })
    const bytes = readBytes(written[0])
    expect([bytes.length, new TextDecoder().decode(bytes.subarray(0, 4))]).toEqual([plan.size[1], 'BIG4'])
    expect(inFile(written[0])).toEqual([
      ['art\\a.w3d', junk(100, 1)],
      ['b.w3d', junk(50, 2)],
      ['deep\\c.txt', junk(9, 3)],
      ['c.ini', junk(50, 3)],
    ])
    expect(readdirSync(join(base, 'state', 'archives')).filter((name) => !name.includes('damaged'))).toEqual([])
  })

  it('says what its kind cannot hold when it is asked for, keeps over a crash, and takes nothing from outside of the library', async () => {
    const { call, ask, ref, game, at } = await begun()
    const { body } = await call('archive.hold', { ref, bytes: junk(7, 9) })
    const add = (name: string) => ask('archive.change', { ref, step: { kind: 'add', files: [{ name, body }] } })
    await call('archive.change', { ref, step: { kind: 'as', format: 'w3d.mix' } })
    expect(await add('a-name-that-is-far-too-long.dff')).toMatchObject({ ok: true })
    const as = (format: string) => ask('archive.change', { ref, step: { kind: 'as', format } })
    expect(await as('renderware.img2')).toMatchObject({ ok: false, error: { code: 'invalid-edit' } })
    expect(await as('iso')).toMatchObject({ ok: false, error: { code: 'invalid-argument' } })
    expect(await ask('archive.change', { ref, step: { kind: 'rebuild' } })).toMatchObject({ ok: false, error: { code: 'unsupported' } })
    const there = await ask('archive.change', { ref: join(game, 'x.big'), step: { kind: 'as', format: 'w3d.big4' } })
    expect(there).toMatchObject({ ok: false, error: { code: 'unsupported' } })
    expect(await ask('archive.extract', { ref, folder: game })).toMatchObject({ ok: false, error: { code: 'not-found' } })
    expect(await ask('archive.take', { ref, from: [at.state] })).toMatchObject({ ok: false, error: { code: 'refused' } })
    await at.close()
    const again = bench({ after: at })
    await again.call('library.open', { root: again.game })
    expect(await again.call('archive.open', { ref })).toMatchObject({ members: 1, steps: 2, fresh: { kind: 'w3d.mix' } })
    expect(await again.call('archive.discard', { ref })).toMatchObject({ members: 0, steps: 0, undo: '', redo: '' })
  })
})

describe('members that are carried out of the window', () => {
  const twins = { 'x.big': big(), 'large.big': makeBig('BIGF', [{ name: 'a', bytes: new Uint8Array(MOST_CARRIED.bytes + 1) }]) }

  it('are downloaded as they are, several as a zip, and leave nothing behind', async () => {
    const { call, ask, ref, at } = await opened(twins, 'x.big')
    const [a, b, c] = await rowsOf({ call, ref })
    const before = readdirSync(tmpdir())
    expect(await call('archive.download', { ref, ids: [b.id] })).toEqual({ name: 'b.w3d', bytes: junk(200, 2) })
    const both = await call('archive.download', { ref, ids: [a.id, c.id] })
    expect(both.name).toBe('x.zip')
    expect(unzipSync(both.bytes)).toEqual({ 'art/a.w3d': junk(100, 1), 'data/c.ini': junk(50, 3) })
    expect(readdirSync(tmpdir())).toEqual(before)
    // what is only planned stands in no file, and a browser takes no files
    const { body } = await call('archive.hold', { ref, bytes: junk(7, 9) })
    await call('archive.change', { ref, step: { kind: 'add', files: [{ name: 'd', body }] } })
    expect(await ask('archive.download', { ref, ids: [3] })).toMatchObject({ ok: false, error: { code: 'not-found' } })
    expect(await ask('archive.download', { ref, ids: [99] })).toMatchObject({ ok: false, error: { code: 'not-found' } })
    expect(await ask('archive.drag', { ref, ids: [a.id] })).toMatchObject({ ok: false, error: { code: 'unsupported' } })
    const large = join(at.game, 'large.big')
    expect(await ask('archive.download', { ref: large, ids: [0] })).toMatchObject({ ok: false, error: { code: 'refused' } })
    expect(readdirSync(tmpdir())).toEqual(before)
  })

  it('are files of a folder of their own in the application, until it ends', async () => {
    const { call, ref, at } = await opened(twins, 'x.big', { host: 'electron' })
    const [a, , c] = await rowsOf({ call, ref })
    const { files } = await call('archive.drag', { ref, ids: [a.id, c.id] })
    expect(files.map((file) => [basename(file), readBytes(file)])).toEqual([
      ['a.w3d', junk(100, 1)],
      ['c.ini', junk(50, 3)],
    ])
    const folder = dirname(dirname(files[0]))
    expect(dirname(folder)).toBe(tmpdir())
    if (process.platform !== 'win32') expect(statSync(folder).mode & 0o077).toBe(0)
    await at.close()
    expect(existsSync(folder)).toBe(false)
  })
})

describe('an archive of very many members', () => {
  const MANY = 60_000
  const many = (): Uint8Array =>
    makeBig(
      'BIGF',
      Array.from({ length: MANY }, (_, i) => ({ name: `data\\file ${i}.ini`, bytes: new Uint8Array(1) })),
    )

  it('is read in steps: others are answered meanwhile, and who leaves ends it', async () => {
    const { call, game } = bench({ files: { 'x.big': many() } })
    await call('library.open', { root: game })
    const ref = join(game, 'x.big')
    const leaving = new AbortController()
    const left = call('archive.open', { ref }, leaving.signal)
    leaving.abort()
    await expect(left).rejects.toMatchObject({ code: 'cancelled' })
    let answers = 0
    let open = false
    const opening = call('archive.open', { ref }).finally(() => (open = true))
    for (; !open; answers++) {
      await call('app.info', {})
      await turn()
    }
    expect(await opening).toMatchObject({ members: MANY })
    expect(answers).toBeGreaterThan(2)
  })

  it('is searched in steps: what is planned meanwhile counts', async () => {
    const at = await opened({ 'x.big': many() }, 'x.big')
    await at.call('archive.change', { ref: at.ref, step: { kind: 'remove', ids: [1] } })
    const page = { ref: at.ref, text: '*0.ini', offset: 0, limit: 3 }
    let answers = 0
    let done = false
    const searching = at.call('archive.members', page).finally(() => (done = true))
    for (; !done; answers++) {
      if (answers === 1) await at.call('archive.change', { ref: at.ref, step: { kind: 'remove', ids: [0, 10] } })
      await turn()
    }
    expect(answers).toBeGreaterThan(2)
    expect((await searching).rows.map(({ id }) => id)).toEqual([20, 30, 40])
    expect((await searching).total).toBe(MANY / 10 - 2)
  })

  it('keeps its names for its steps, whatever becomes of the file meanwhile', async () => {
    const at = await opened({ 'x.big': many() }, 'x.big')
    await at.call('archive.change', { ref: at.ref, step: { kind: 'rename', id: MANY - 1, name: 'data/last.ini' } })
    writeFiles(dirname(at.ref), { 'x.big': big() })
    expect(await at.call('archive.open', { ref: at.ref })).toMatchObject({ stale: true, steps: 1, members: MANY })
    expect(await rowsOf(at, 'last.ini')).toMatchObject([{ id: MANY - 1, was: `data/file ${MANY - 1}.ini`, state: 'renamed' }])
    await expect(at.call('archive.change', { ref: at.ref, step: { kind: 'rebuild' } })).rejects.toMatchObject({ code: 'changed-on-disk' })
  })
})
