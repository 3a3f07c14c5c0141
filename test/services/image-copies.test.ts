/** Figures opened out of an image of a disc: edits of them are saved into a copy, which is read by the test's own means. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { readBytes } from '../support/corpus.ts'
import { discImage, filesOfDisc } from '../support/disc-image.ts'
import { SECTOR } from '../support/iso.ts'
import { readPack } from '../support/read-archives.ts'
import { serviceBenches } from '../support/service-bench.ts'
import type { DiscImage } from '../support/disc-image.ts'
import type { ServiceBench } from '../support/service-bench.ts'
import type { CopyPlan } from '../../src/shared/api/types/save.ts'

const start = serviceBenches(afterEach)
const FIGURE = 'game.iso!DATA.DAT!chara/c01a.chr'
const OTHER = 'game.iso!DATA.DAT!chara/c02a.chr'

interface At extends ServiceBench {
  library: string
  image: string
  copy: string
  made: DiscImage
  place: { folder: string; name: string }
  open(figure?: string): Promise<string>
  set(model: string, member: string, path: string, value: string, figure?: string): Promise<void>
}

/** @param settings of the window */
async function disc(made: DiscImage, options: Parameters<typeof start>[0] = {}): Promise<At> {
  const at = start({ files: { 'game.iso': made.image }, ...options })
  const library = (await at.call('library.open', { root: at.game })).id
  const out = join(at.base, 'out')
  return {
    ...at,
    made,
    library,
    image: join(at.game, 'game.iso'),
    copy: join(out, 'copy.iso'),
    place: { folder: out, name: 'copy.iso' },
    open: async (figure = FIGURE) => (await at.call('model.open', { ref: join(at.game, `${figure}!adventurer.mds`) })).info.id,
    async set(model, member, path, value, figure = FIGURE) {
      const ref = (await at.call('model.list', {})).find(({ id }) => id === model)!.files.find((one) => one.ref.endsWith(`!${member}`))!.ref
      expect(ref.toLowerCase()).toContain(figure.slice(figure.lastIndexOf('chara')).toLowerCase())
      await at.call('fields.set', { model, ref, values: [{ path, value }] })
    },
  }
}

const u32 = (value: number): Uint8Array => new Uint8Array(Uint32Array.of(value).buffer)
/** The image as it should be: bytes of members of packs put where they stand. */
function expected({ image, at }: DiscImage, edits: [pack: string, member: string, offset: number, bytes: Uint8Array][]): Uint8Array {
  const out = image.slice()
  for (const [pack, member, offset, bytes] of edits) {
    const start = at.get(pack)!
    const size = readPack(out.subarray(start, start + 500_000)).find(({ name }) => name === member)!
    out.set(bytes, start + placeIn(out.subarray(start), size.bytes) + offset)
  }
  return out
}
const placeIn = (whole: Uint8Array, part: Uint8Array): number => Buffer.from(whole.buffer, whole.byteOffset, whole.length).indexOf(part)
const same = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0
const word6 = (bytes: Uint8Array): number => new DataView(bytes.buffer, bytes.byteOffset).getUint32(24, true)
const inCopy = (at: At, pack: number, member: string): Uint8Array =>
  readPack(filesOfDisc(readBytes(at.copy), at.made)[pack].bytes).find(({ name }) => name === member)!.bytes

describe('figures out of an image of a disc', () => {
  it('are edited as those of any file, and saved into a copy whose plan was told: those bytes differ and no others', async () => {
    const at = await disc(discImage())
    const { call, made, image, copy, place } = at
    const model = await at.open()
    await at.set(model, 'adventurer.mot', 'tracks[0].word6', '305419896')
    await at.set(model, 'adventurer.wgt', 'tracks[0].word6', '7')
    await at.set(model, 'info.cfg', 'motions[0].keys[0].start', '3')
    const refused = await call('save.write', { model })
    expect(refused.failed.map(({ code }) => code)).toEqual(['copy-only', 'copy-only', 'copy-only'])
    const plan = await call('save.plan', { model })
    expect(plan.files.map(({ image: of, target, problem }) => [of, target, problem])).toEqual(Array(3).fill([image, '', undefined]))
    // where the bytes stand in the image
    const [mot] = (await call('model.changes', { model })).filter(({ name }) => name === 'adventurer.mot')
    const { file, offset } = mot.onDisk!
    expect(file).toBe(image)
    expect(
      same(
        made.image.subarray(offset, offset + 32),
        readPack(made.image.subarray(made.at.get('chara\\c01a.chr')!))
          .find(({ name }) => name === 'adventurer.mot')!
          .bytes.subarray(0, 32),
      ),
    ).toBe(true)
    expect(mot.changes[0]).toMatchObject({ start: 24, end: 28 })

    const { plan: told, ...rest } = await call('save.copyPlan', { models: [model], ...place })
    expect(told).toMatchObject({ image, placed: true, written: made.image.length, size: [made.image.length, made.image.length], notes: [] })
    expect(told.files.map(({ changedBytes }) => changedBytes).sort()).toEqual([1, 1, 4])
    expect(told.copied + told.bodies + told.tables).toBe(made.image.length)
    expect(rest).toMatchObject({ target: copy, begun: 0 } satisfies Partial<CopyPlan>)
    expect(rest.free).toBeGreaterThan(0)
    expect(existsSync(place.folder)).toBe(false)

    const saved = await call('save.copy', { models: [model], ...place })
    expect(saved.failed).toEqual([])
    expect(saved.saved.map(({ target }) => target)).toEqual([copy, copy, copy])
    expect(readdirSync(place.folder)).toEqual(['copy.iso'])
    const wanted = expected(made, [
      ['chara\\c01a.chr', 'adventurer.mot', 24, u32(305419896)],
      ['chara\\c01a.chr', 'adventurer.wgt', 24, u32(7)],
    ])
    const now = readBytes(copy)
    const others = [...now.keys()].filter((i) => now[i] !== wanted[i])
    expect(others).toHaveLength(1)
    expect([made.image[others[0]], now[others[0]]].map((byte) => String.fromCharCode(byte))).toEqual(['1', '3'])
    expect(filesOfDisc(now, made).map(({ name }) => name)).toEqual(filesOfDisc(made.image, made).map(({ name }) => name))
    expect(same(readBytes(image), made.image)).toBe(true)
    expect(at.events['save.progress']?.at(-1)).toEqual({ done: now.length, total: now.length, what: 'read' })

    // the next save goes into the copy; undone it is the image again, to the byte
    expect((await call('model.list', {}))[0].dirty).toBe(false)
    for (let i = 0; i < 3; i++) await call('history.undo', { model })
    const again = await call('save.plan', { model })
    expect(again.files.map(({ target, image: of, problem }) => [target, of, problem])).toEqual(Array(3).fill([copy, undefined, undefined]))
    expect(await call('save.write', { model })).toMatchObject({ failed: [] })
    expect(same(readBytes(copy), made.image)).toBe(true)
    expect(same(readBytes(image), made.image)).toBe(true)
    expect(await call('model.changes', { model })).toEqual([])
  })

  it('of several models go in with one pass, and one that is opened later into the same copy', async () => {
    const at = await disc(discImage())
    const { call, place, made } = at
    const [one, other] = [await at.open(), await at.open(OTHER)]
    await at.set(one, 'adventurer.mot', 'tracks[0].word6', '1')
    await at.set(other, 'adventurer.mot', 'tracks[0].word6', '2', OTHER)
    const saved = await call('save.copy', { models: [one, other], ...place })
    expect(saved.saved).toHaveLength(2)
    expect([0, 2].map((i) => word6(inCopy(at, i, 'adventurer.mot')))).toEqual([1, 2])
    await call('model.close', { model: other })
    const later = await at.open(OTHER)
    await at.set(later, 'adventurer.wgt', 'tracks[0].word6', '5', OTHER)
    expect(await call('save.write', { model: later })).toMatchObject({ failed: [] })
    expect([0, 2].map((i) => word6(inCopy(at, i, 'adventurer.mot')))).toEqual([1, 2])
    expect(word6(inCopy(at, 2, 'adventurer.wgt'))).toBe(5)
    expect(same(readBytes(at.image), made.image)).toBe(true)
  })

  it('of a large image are written into the copy where they stand, and the copy is one that is saved in itself from then on', async () => {
    const at = await disc(discImage({ more: 1600 * SECTOR }))
    const { call, place, copy } = at
    const model = await at.open()
    await at.set(model, 'adventurer.mot', 'tracks[0].word6', '1')
    await call('save.copy', { models: [model], ...place })
    const { ino } = statSync(copy)
    await at.set(model, 'adventurer.mot', 'tracks[0].word6', '2')
    expect((await call('save.plan', { model })).files[0]).toMatchObject({ target: copy })
    expect((await call('save.plan', { model })).files[0].rewrites).toBeUndefined()
    await call('save.write', { model })
    expect(statSync(copy).ino).toBe(ino)
    expect(word6(inCopy(at, 0, 'adventurer.mot'))).toBe(2)
    await at.close()
    // the next run: the image is as it was, and the copy is the user's to edit
    const next = start({ after: at })
    await next.call('library.open', { root: at.game })
    await next.call('library.open', { root: place.folder })
    const original = await next.call('model.open', { ref: join(at.game, `${FIGURE}!adventurer.mds`) })
    expect(await next.call('model.changes', { model: original.info.id })).toEqual([])
    const ref = copy + FIGURE.slice('game.iso'.length)
    const { info } = await next.call('model.open', { ref: `${ref}!adventurer.mds` })
    const mot = info.files.find((file) => file.ref.endsWith('.mot'))!.ref
    expect((await next.call('fields.get', { model: info.id, ref: mot, path: 'tracks[0].word6' })).value).toBe('2')
    await next.call('fields.set', { model: info.id, ref: mot, values: [{ path: 'tracks[0].word6', value: '3' }] })
    expect(await next.call('save.write', { model: info.id })).toMatchObject({ failed: [], saved: [{ target: copy }] })
    expect(word6(inCopy(at, 0, 'adventurer.mot'))).toBe(3)
  })

  it('that grow take sectors of the padding behind DATA.DAT, and are refused with the reason where there is none', async () => {
    const grow = async (at: At, model: string): Promise<void> => {
      for (let i = 0; i < 120; i++) await at.call('slices.duplicate', { model, slice: 0 })
    }
    const at = await disc(discImage())
    const model = await at.open()
    await grow(at, model)
    const { plan } = await at.call('save.copyPlan', { models: [model] })
    expect(plan.notes).toEqual([expect.stringContaining('DMMY')])
    expect(await at.call('save.copy', { models: [model], ...at.place })).toMatchObject({ failed: [] })
    const before = filesOfDisc(at.made.image, at.made)
    const now = filesOfDisc(readBytes(at.copy), at.made)
    expect(now[0].bytes.length).toBeGreaterThan(before[0].bytes.length + SECTOR)
    expect(readPack(now[0].bytes).map(({ name }) => name)).toEqual(readPack(before[0].bytes).map(({ name }) => name))
    for (const i of [1, 2]) expect(same(now[i].bytes, before[i].bytes)).toBe(true)

    const full = await disc(discImage({ padding: 'MOVIE.PSS' }))
    const stuck = await full.open()
    await grow(full, stuck)
    const reason = expect.stringContaining('DATA.DAT') as string
    expect((await full.call('save.plan', { model: stuck })).files[0]).toMatchObject({ problem: reason, code: 'invalid-edit' })
    for (const name of ['save.copyPlan', 'save.copy'])
      expect(await full.ask(name, { models: [stuck], ...full.place })).toMatchObject({
        ok: false,
        error: { code: 'invalid-edit', message: reason },
      })
    expect(existsSync(full.copy)).toBe(false)
    expect(same(readBytes(full.image), full.made.image)).toBe(true)
  })

  it('wait with their edits where the copy is stopped: it goes on the next time, or what was begun is taken away', async () => {
    const at = await disc(discImage({ more: 5000 * SECTOR }))
    const { call, place, copy } = at
    const model = await at.open()
    await at.set(model, 'adventurer.mot', 'tracks[0].word6', '9')
    const stopped = async (): Promise<void> => {
      const stop = new AbortController()
      const quiet = at.services.subscribe((name) => name === 'save.progress' && stop.abort())
      const { saved, failed } = await call('save.copy', { models: [model], ...place }, stop.signal)
      quiet()
      expect(saved).toEqual([])
      expect(failed.map(({ code }) => code)).toEqual(['cancelled'])
    }
    await stopped()
    expect(readdirSync(place.folder)).toEqual(['copy.iso.marrow-copy'])
    expect((await call('model.list', {}))[0].dirty).toBe(true)
    expect((await call('save.write', { model })).failed[0].code).toBe('copy-only')
    expect((await call('save.copyPlan', { models: [model], ...place })).begun).toBeGreaterThan(0)
    await call('save.dropCopy', { models: [model], ...place })
    expect(readdirSync(place.folder)).toEqual([])
    await stopped()
    // as a run that was killed leaves it, with a byte that came out wrong
    const part = `${copy}.marrow-copy`
    const there = readFileSync(part)
    there[4321] ^= 1
    writeFileSync(part, there)
    expect(await call('save.copy', { models: [model], ...place })).toMatchObject({ failed: [] })
    expect(readdirSync(place.folder)).toEqual(['copy.iso'])
    expect(word6(inCopy(at, 0, 'adventurer.mot'))).toBe(9)
    expect(same(readBytes(at.image), at.made.image)).toBe(true)
    // what is there is nobody's to replace
    await at.set(model, 'adventurer.mot', 'tracks[0].word6', '10')
    expect(await at.ask('save.copy', { models: [model], ...place })).toMatchObject({ ok: false })
  })

  it('are saved where they stand in a copy that the page of an archive wrote, and not where somebody else wrote to it since', async () => {
    const at = await disc(discImage())
    const { call, place, copy } = at
    const archive = join(at.game, 'game.iso!DATA.DAT')
    await call('archive.open', { ref: archive })
    const { rows } = await call('archive.members', { ref: archive, text: 'a.dat', offset: 0, limit: 9 })
    const { body } = await call('archive.hold', { ref: archive, bytes: new Uint8Array(9) })
    await call('archive.change', { ref: archive, step: { kind: 'replace', id: rows[0].id, body } })
    await call('archive.save', { ref: archive, ...place })
    await call('library.open', { root: place.folder })
    const ref = copy + FIGURE.slice('game.iso'.length)
    const { info } = await call('model.open', { ref: `${ref}!adventurer.mds` })
    const mot = info.files.find((file) => file.ref.endsWith('.mot'))!.ref
    const set = (value: string) => call('fields.set', { model: info.id, ref: mot, values: [{ path: 'tracks[0].word6', value }] })
    await set('3')
    expect(await call('save.write', { model: info.id })).toMatchObject({ failed: [], saved: [{ target: copy }] })
    expect(word6(inCopy(at, 0, 'adventurer.mot'))).toBe(3)
    writeFileSync(copy, readFileSync(copy))
    await set('4')
    expect((await call('save.write', { model: info.id })).failed.map(({ code }) => code)).toEqual(['copy-only'])
  })

  it('come back after a crash that came behind the copy', async () => {
    const at = await disc(discImage())
    const { call, place } = at
    const model = await at.open()
    await at.set(model, 'adventurer.mot', 'tracks[0].word6', '1')
    await call('save.copy', { models: [model], ...place })
    await at.set(model, 'adventurer.mot', 'tracks[0].word6', '2')
    await at.close()
    const next = start({ after: at })
    await next.call('library.open', { root: at.game })
    const [found] = await next.call('recovery.list', {})
    const { info } = await next.call('recovery.restore', { id: found.id })
    expect(await next.call('save.write', { model: info.id })).toMatchObject({ failed: [], saved: [{ target: at.copy }] })
    expect(word6(inCopy(at, 0, 'adventurer.mot'))).toBe(2)
    expect(same(readBytes(at.image), at.made.image)).toBe(true)
  })

  it('go into the mod folder where the library saves there: a copy of the image, or the pack as a file of its own', async () => {
    const at = await disc(discImage())
    const { call } = at
    const mod = join(at.base, 'mod')
    await call('settings.set', { saveMode: 'mod-folder', modFolder: mod })
    const model = await at.open()
    await at.set(model, 'adventurer.mot', 'tracks[0].word6', '4')
    expect((await call('save.write', { model })).failed[0].code).toBe('copy-only')
    const { plan, target } = await call('save.copyPlan', { models: [model] })
    expect([plan.placed, target]).toEqual([false, join(mod, 'game.iso')])
    expect(await call('save.copy', { models: [model] })).toMatchObject({ failed: [], saved: [{ target }] })
    const inMod = { ...at, copy: target }
    expect(word6(inCopy(inMod, 0, 'adventurer.mot'))).toBe(4)
    await at.set(model, 'adventurer.mot', 'tracks[0].word6', '5')
    expect(await call('save.write', { model })).toMatchObject({ failed: [] })
    expect(word6(inCopy(inMod, 0, 'adventurer.mot'))).toBe(5)

    await call('mod.layout', { library: at.library, loose: true })
    const other = await at.open(OTHER)
    await at.set(other, 'adventurer.mot', 'tracks[0].word6', '6', OTHER)
    expect(await call('save.write', { model: other })).toMatchObject({ failed: [] })
    const loose = readBytes(join(mod, 'chara', 'c02a.chr'))
    expect(word6(readPack(loose).find(({ name }) => name === 'adventurer.mot')!.bytes)).toBe(6)
    expect(same(readBytes(at.image), at.made.image)).toBe(true)
  })
})
