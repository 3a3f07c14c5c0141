/** What the mod's page asks for: summaries of changed files and what the rules find in them, none of them open. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { sampleTree, scanned, serviceBenches } from '../support/service-bench.ts'
import type { ServiceBench } from '../support/service-bench.ts'

const start = serviceBenches(afterEach)

function put(base: string, path: string, bytes: Uint8Array | string): void {
  mkdirSync(dirname(join(base, path)), { recursive: true })
  writeFileSync(join(base, path), bytes)
}

async function withMod(files: Record<string, Uint8Array>, changed: Record<string, Uint8Array | string>, bench?: ServiceBench) {
  const b = bench ?? start({ files })
  const mod = join(b.base, 'mod')
  for (const [path, bytes] of Object.entries(changed)) put(mod, path, bytes)
  const library = await scanned(b.call, b.game)
  await b.call('settings.set', { saveMode: 'mod-folder', modFolder: mod })
  return { ...b, library, mod }
}

const CFG = 'Dark Cloud 2/adventurer/info.cfg'
const level5 = (): Record<string, Uint8Array> => sampleTree((path) => path.startsWith('Dark Cloud 2/'))

it('tells of files that are not open what changed in them, and what the rules find there', async () => {
  const files = level5()
  const text = Buffer.from(files[CFG]).toString('latin1')
  // the first window ends before it begins
  const cfg = text.replace('1, 41,', '1, -5,')
  expect(cfg).not.toBe(text)
  const mot = Object.keys(files).find((path) => path.endsWith('.mot'))!
  const { library, game, call, events } = await withMod(files, {
    [CFG]: Buffer.from(cfg, 'latin1'),
    [mot]: files[mot].slice(0, 40),
    'notes/read me.txt': 'mine',
  })
  const reports = await call('mod.check', { library })
  expect(reports.map(({ path }) => path).sort()).toEqual([CFG, mot, 'notes/read me.txt'].sort())
  const script = reports.find(({ path }) => path === CFG)!
  expect(script.ref).toBe(join(game, CFG))
  expect(script.changes).toBeGreaterThan(0)
  expect(script.places.length).toBeGreaterThan(0)
  expect(script.places.every(({ ref, member }) => ref === script.ref && member === '')).toBe(true)
  expect(script.places.reduce((n, { count }) => n + count, 0)).toBe(script.changes)
  expect(script.places.some(({ after }) => after.includes('-5'))).toBe(true)
  expect(script.problems).toContainEqual(
    expect.objectContaining({ severity: 'error', code: 'level5.window-order', ref: script.ref, file: 'info.cfg' }),
  )
  // a broken file stops nothing
  const broken = reports.find(({ path }) => path === mot)!
  expect(broken.problems.filter(({ severity }) => severity === 'error').length).toBeGreaterThan(0)
  // one that no format knows has no rules
  expect(reports.find(({ path }) => path.endsWith('.txt'))).toMatchObject({ changes: 0, places: [], problems: [], unread: '' })
  expect(events['mod.progress']![0]).toMatchObject({ library, done: 0, total: 3 })
  expect((await call('model.list', {})).length).toBe(0)
})

it('says once what the rules and the scene have to say of a file, as its open model does', async () => {
  const dff = 'San Andreas/models/peds/adventurer.dff'
  const txd = dff.replace('.dff', '.txd')
  const files = sampleTree((path) => path === dff || path === txd)
  // a texture that the dictionary does not have
  const asked = Buffer.from(files[dff])
  const name = asked.indexOf(Buffer.from('adventurer\0'))
  expect(name).toBeGreaterThan(0)
  asked.write('elsewhere0', name, 'latin1')
  const { library, call, game } = await withMod(files, { [dff]: asked })
  const [{ problems }] = await call('mod.check', { library })
  const missing = problems.filter(({ code }) => code === 'renderware.texture-missing')
  expect(missing.map(({ message }) => message)).toEqual([expect.stringContaining('elsewhere0')])
  const { info } = await call('model.open', { ref: join(game, dff), library })
  const open = await call('model.problems', { model: info.id })
  expect(open.filter(({ code }) => code === 'renderware.texture-missing').map(({ path }) => path)).toEqual(missing.map(({ path }) => path))
})

it('says of archives which members changed', async () => {
  const pack = 'Zero Hour/WalkerParts.big'
  const b = start({ files: sampleTree((path) => path === pack) })
  const library = await scanned(b.call, b.game)
  await b.call('settings.set', { saveMode: 'mod-folder', modFolder: join(b.base, 'mod') })
  const { rows } = await b.call('library.query', { library, show: 'models', sort: 'name', offset: 0, limit: 100 })
  const { info } = await b.call('model.open', { ref: rows.find(({ ref }) => ref.includes('.big!') && /SKN/i.test(ref))!.ref, library })
  await b.call('skeleton.rename', { model: info.id, joint: 1, name: 'renamed' })
  await b.call('save.write', { model: info.id })
  await b.call('model.close', { model: info.id })
  const [report, ...others] = await b.call('mod.check', { library })
  expect(others).toEqual([])
  expect(report).toMatchObject({ path: pack, unread: '' })
  expect(report.changes).toBeGreaterThan(0)
  const { member, ref } = report.places[0]
  expect(member).not.toBe('')
  expect(ref).toBe(`${join(b.game, pack)}!${member}`)
  expect(report.places.some(({ after }) => after.includes('renamed'))).toBe(true)
})

it('is cancelled, and refuses a library that is not open', async () => {
  const files = level5()
  const { library, services } = await withMod(files, { [CFG]: 'x' })
  const stop = new AbortController()
  stop.abort()
  await expect(services.handlers['mod.check']({ library }, { signal: stop.signal })).rejects.toMatchObject({ code: 'cancelled' })
  await expect(services.handlers['mod.check']({ library: 'none' }, { signal: new AbortController().signal })).rejects.toMatchObject({
    code: 'not-found',
  })
})

it('shows the mod folder where the host can, once it is there', async () => {
  const shown: string[] = []
  const b = start({ showInFolder: (path) => shown.push(path) })
  const mod = join(b.base, 'mod')
  await expect(b.call('mod.showFolder', {})).rejects.toMatchObject({ code: 'not-found' })
  await b.call('settings.set', { saveMode: 'mod-folder', modFolder: mod })
  await expect(b.call('mod.showFolder', {})).rejects.toMatchObject({ code: 'not-found' })
  mkdirSync(mod)
  expect(await b.call('mod.showFolder', {})).toEqual({ shown: true })
  expect(shown).toEqual([mod])
  const web = start()
  mkdirSync(join(web.base, 'mod'))
  await web.call('settings.set', { saveMode: 'mod-folder', modFolder: join(web.base, 'mod') })
  expect(await web.call('mod.showFolder', {})).toEqual({ shown: false })
})
