/** What a window may name of the disk: each call with a path, on both hosts, through links and by spellings. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createServices } from '../../src/main/services/create-services.ts'
import { dispatch } from '../../src/main/services/dispatch.ts'
import { contract } from '../../src/shared/api/contract.ts'
import type { CallName } from '../../src/shared/api/contract.ts'
import { PICTURE_SIZE } from '../../src/shared/api/types/library.ts'
import { pathArguments } from '../../src/shared/api/paths.ts'
import type { PathRule } from '../../src/shared/api/paths.ts'
import type { LibraryInfo } from '../../src/shared/api/types/library.ts'
import type { Services } from '../../src/main/services/service.ts'
import { caller } from '../support/caller.ts'
import { textLeaves } from '../support/contract-calls.ts'
import { sampleTree } from '../support/service-bench.ts'
import { writeFiles } from '../workspace/support.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'marrow-boundary-')))
const home = join(base, 'home')
const game = join(home, 'game')
const state = join(home, '.config', 'Marrow', 'state')
const outside = join(base, 'outside')
const web = createServices({ stateFolder: state, host: 'web', watchEvery: 0, home })
const desktop = createServices({ stateFolder: join(base, 'desktop'), host: 'electron', watchEvery: 0, home })

const answer = (services: Services, name: CallName, args: unknown) =>
  dispatch(services, name, args, new AbortController().signal, services.boundary)
async function code(services: Services, name: CallName, args: unknown): Promise<string> {
  const got = await answer(services, name, args)
  return got.ok ? 'ok' : got.error.code
}
const calls = (services: Services) => caller(() => services, true)

let library: LibraryInfo
let model: string
let primary: string

beforeAll(async () => {
  const files = sampleTree()
  for (const root of [game, join(outside, 'game')]) writeFiles(root, files)
  for (const folder of ['exports', '.ssh', 'games/mod']) mkdirSync(join(home, folder), { recursive: true })
  symlinkSync(outside, join(home, 'way-out'))
  symlinkSync(join(outside, 'game'), join(game, 'linked'))
  symlinkSync(join(outside, 'not-there'), join(home, 'nowhere'))
  primary = Object.keys(files).find((path) => /peds\/adventurer\.dff$/.test(path))!
  library = await calls(web)('library.open', { root: game })
  await calls(web)('library.scan', { library: library.id })
  model = (await calls(web)('model.open', { ref: join(game, primary) })).info.id
  // there is something to put into a mod package
  await calls(web)('skeleton.rename', { model, joint: 1, name: 'renamed', follow: true })
  await calls(web)('save.write', { model })
})
afterAll(async () => {
  await web.close()
  await desktop.close()
  rmSync(base, { recursive: true, force: true })
})

/** Texts of the contract that are names, ids, labels and such. */
const WORDS = new Set(
  'model library text name label key value gesture replaces role fix code type info animation teamColor within message detail sha256 family'.split(
    ' ',
  ),
)
const WORD_PATHS = new Set([
  'recovery.restore id',
  'recovery.discard id',
  'model.fix problem.path',
  'changes.restore part.path',
  'settings.set window.{}',
  'settings.set rulesOff.[]',
  'settings.set keys.changed.{}.[]',
  'menu.keys keys.{}',
  // models by their ids
  ...['copyPlan', 'copy', 'dropCopy'].map((name) => `save.${name} models.[]`),
  // names of fields in a file
  'archive.field path',
  'archive.change step.path',
  'fields.get path',
  'fields.set values.[].path',
  'import.animation map.{}',
  'import.preview map.{}',
  'clips.merge only',
  // skeletons and poses by their ids, and words
  ...['change', 'remove', 'putBack', 'export'].map((name) => `poses.${name} shelf`),
  ...['change', 'remove', 'putBack'].map((name) => `poses.${name} pose`),
  'poses.keep group',
  'poses.change group',
  'import.animation joints.[]',
  'import.preview joints.[]',
  'import.animation into.{}',
  'import.preview into.{}',
  // bytes that the services keep, by their hash
  'archive.change step.body',
  'archive.change step.files.[].body',
  // a kind of archive
  'archive.change step.format',
  // names of models, clips and joints that are open
  ...['retarget.apply', 'retarget.preview'].flatMap((name) => ['source', 'clip', 'into', 'map.{}'].map((leaf) => `${name} ${leaf}`)),
  'link.start parts.animations.[]',
  'export.model parts.animations.[]',
  'export.batch parts.animations.[]',
  'diagnostics.make window.{}',
  // places that the index knows, and letters of names
  'library.query folder',
  'library.seek folder',
  'library.place folder',
  'library.seek begin',
  'library.folders place',
  'library.folders folder',
  // one of the list of left-out folders, which is kept as text
  'library.takeIn place',
  'export.batch filter.folder',
  // below a folder that Marrow makes for them, checked as paths of packages are
  'inbox.add path',
  'inbox.add id',
  'inbox.open id',
])

describe('the table of paths', () => {
  it('has a rule for each text of the contract that is no plain word', () => {
    const without: string[] = []
    for (const name of Object.keys(contract) as CallName[]) {
      for (const leaf of textLeaves(contract[name].args)) {
        const last = leaf.split('.').at(-1)!
        const ruled = pathArguments[name]?.[leaf] !== undefined
        if (ruled === (WORDS.has(last) || WORD_PATHS.has(`${name} ${leaf}`))) without.push(`${name} ${leaf}`)
      }
    }
    expect(without).toEqual([])
  })

  it('names arguments that there are', () => {
    const missing = Object.entries(pathArguments).flatMap(([name, rules]) =>
      Object.keys(rules).flatMap((path) => (textLeaves(contract[name as CallName].args).includes(path) ? [] : [`${name} ${path}`])),
    )
    expect(missing).toEqual([])
  })
})

/** Arguments that fit the schema, with `path` where the rule stands. */
function argumentsFor(name: CallName, at: string, path: string): Record<string, unknown> {
  const others: Record<string, unknown> = {
    model,
    ...(name.startsWith('save.') && { models: [model] }),
    library: library.id,
    ref: join(game, primary),
    folder: join(home, 'exports'),
    rgba: new Uint8Array(4 * PICTURE_SIZE ** 2),
    role: 'textures',
    fix: 'x',
    problem: { ref: join(game, primary), code: 'x', path: 'x' },
    a: { ref: join(game, primary), version: 'saved' },
    b: { ref: join(game, primary), version: 'saved' },
    start: 0,
    length: 1,
    part: { kind: 'file' },
    joint: -1,
    center: [0, 0, 0],
    clip: 0,
    modPackage: new Uint8Array(4),
    filter: {},
    show: 'files',
    sort: 'name',
    to: 'glb',
    layout: 'flat',
    existing: name === 'link.start' ? 'replace' : 'skip',
    window: {},
    path: 'x',
    text: '',
    offset: 0,
    limit: 1,
    bytes: new Uint8Array(4),
    step: { kind: 'rebuild' },
    from: [join(game, primary)],
    ids: [0],
    id: 0,
    values: [{ path: 'x', value: '1' }],
  }
  const [first, entry] = at.split('.')
  if (entry === 'ref') return { ...others, [first]: { ...(others[first] as object), ref: path } }
  return { ...others, [first]: entry === '[]' ? [path] : path }
}

const rows = Object.entries(pathArguments).flatMap(([name, rules]) =>
  Object.entries(rules)
    .filter(([, rule]) => rule !== 'id')
    .map(([at, rule]) => [name, at, rule] as [CallName, string, PathRule]),
)

describe.each(rows)('%s %s', (name, at, rule) => {
  const foreign = (): string[] => {
    const file = rule === 'file' || rule === 'archive' || rule === 'chosen'
    const below = file ? `game/${primary}` : 'game'
    return [
      join(outside, below),
      '/etc',
      '/etc/passwd',
      '/',
      // through links, by steps back, beside a root of the same beginning
      join(home, 'way-out', below),
      ...(file ? [join(game, 'linked', primary)] : [join(game, 'linked')]),
      `${game}/../../outside/${below}`,
      `${game}/../../outside/${below}!../x`,
      ...(rule === 'file' || rule === 'archive' ? [`${game}-other/x`] : []),
      `${home}-other`,
      // Marrow's own
      join(state, 'settings.json'),
      state,
      join(state, 'originals'),
    ]
  }
  it.each([
    ['the browser', web],
    ['the application', desktop],
  ])('holds in %s', async (_host, services) => {
    for (const path of foreign()) {
      const got = await code(services, name, argumentsFor(name, at, path))
      expect(['refused', 'invalid-argument'], `${name} ${path}: ${got}`).toContain(got)
    }
    for (const path of [
      'game',
      './x',
      '..',
      '\0',
      `${game}\0`,
      join(home, 'nowhere'),
      join(home, 'nowhere', 'x'),
      `${home}/missing/../../outside`,
    ]) {
      const got = await code(services, name, argumentsFor(name, at, path))
      expect(got, `${name} ${JSON.stringify(path)}`).not.toBe('ok')
      expect(got).not.toBe('internal')
    }
    // not chosen in this run: the application opens nothing of the home folder either
    if (services === desktop) expect(await code(services, name, argumentsFor(name, at, join(home, 'exports')))).toBe('refused')
  })
})

describe('an id', () => {
  const ids = Object.entries(pathArguments).flatMap(([name, rules]) =>
    Object.entries(rules).flatMap(([at, rule]) => (rule === 'id' ? [[name, at] as [CallName, string]] : [])),
  )

  it.each(ids)('of %s %s brings in no file from elsewhere', async (name, at) => {
    const foreign = join(outside, 'game', primary)
    for (const id of [
      `${foreign}#skin[0]`,
      `${game}/../../outside/game/${primary}#tracks[0]`,
      `${join(game, 'linked', primary)}#geometries[0]#x`,
    ]) {
      const empty = { vertices: new Uint32Array(0), offsets: new Uint32Array(1), bone: new Uint16Array(0), weight: new Float32Array(0) }
      const args = {
        model,
        label: '',
        key: 'name',
        value: '',
        center: [0, 0, 0],
        ...(at.startsWith('edit.') ? { edit: { ...empty, id } } : at.startsWith('edits.') ? { edits: [{ track: id }] } : { [at]: id }),
      }
      expect(await code(web, name, args), id).toBe('refused')
    }
  })
})

describe('the browser', () => {
  it('opens, reads and writes what its rules allow', async () => {
    expect(await code(web, 'model.structure', { model, ref: join(game, primary) })).toBe('ok')
    expect(await code(web, 'export.model', { model, to: 'glb', folder: join(home, 'exports') })).toBe('ok')
    expect(existsSync(join(home, 'exports', 'adventurer.glb'))).toBe(true)
    // below a library too
    expect(await code(web, 'export.model', { model, to: 'glb', folder: game })).toBe('ok')
    const made = await calls(web)('modPackage.export', { library: library.id })
    expect(await code(web, 'modPackage.build', { library: library.id, modPackage: made.bytes, folder: join(home, 'games/mod') })).toBe('ok')
  })

  it('writes into no hidden folder, and puts no mod into the home folder itself', async () => {
    const bytes = (await calls(web)('modPackage.export', { library: library.id })).bytes
    for (const folder of [join(home, '.ssh'), join(home, '.config', 'autostart'), home])
      expect(await code(web, 'modPackage.build', { library: library.id, modPackage: bytes, folder }), folder).toBe('refused')
    expect(await code(web, 'export.model', { model, to: 'glb', folder: join(home, '.ssh') })).toBe('refused')
    expect(readdirSync(join(home, '.ssh'))).toEqual([])
    expect(existsSync(join(home, '.config', 'autostart'))).toBe(false)
  })

  it('lists the places, and what is below them', async () => {
    const first = await calls(web)('folders.list', {})
    expect(first).toMatchObject({ path: home, parent: '' })
    // hidden ones and links are not shown
    expect(first.folders).toEqual(['exports', 'game', 'games'])
    const places = await calls(web)('folders.list', { path: '' })
    expect(places).toMatchObject({ path: '', parent: '' })
    expect(places.folders).toContain(home)
    expect(await calls(web)('folders.list', { path: join(home, 'games') })).toMatchObject({ parent: home, folders: ['mod'] })
    // as it is typed in a shell; a name that only begins so is a name
    expect(await calls(web)('folders.list', { path: '~' })).toMatchObject({ path: home, parent: '' })
    expect(await calls(web)('folders.list', { path: '~/games' })).toMatchObject({ path: join(home, 'games') })
    for (const path of ['~/../../outside', '~/way-out', '~/.config/Marrow/state'])
      expect(await code(web, 'folders.list', { path }), path).toBe('refused')
    expect(await code(web, 'folders.list', { path: '~other' })).toBe('invalid-argument')
    // the application's windows have no home
    expect(await code(desktop, 'folders.list', { path: '~' })).toBe('invalid-argument')
  })

  it('uses a folder that the host was started with', async () => {
    const own = createServices({ stateFolder: join(base, 'state-2'), host: 'web', watchEvery: 0, home })
    expect(await code(own, 'library.open', { root: join(outside, 'game') })).toBe('refused')
    own.boundary.admit(join(outside, 'game'))
    expect(await code(own, 'library.open', { root: join(outside, 'game') })).toBe('ok')
    expect((await calls(own)('folders.list', { path: '' })).folders).toContain(join(outside, 'game'))
    expect(await code(own, 'folders.list', { path: outside })).toBe('refused')
    await own.close()
    // and opens it again in the next run, when it is among the recent ones
    const next = createServices({ stateFolder: join(base, 'state-2'), host: 'web', watchEvery: 0, home })
    // what was open of it says so, and nothing of it is opened before the folder is
    expect(await code(next, 'open.around', { ref: join(outside, 'game', primary) })).toBe('ok')
    expect(await code(next, 'open.around', { ref: join(outside, 'x') })).toBe('refused')
    expect(await code(next, 'model.open', { ref: join(outside, 'game', primary) })).toBe('refused')
    expect(await code(next, 'library.open', { root: join(outside, 'game') })).toBe('ok')
    expect(await code(next, 'library.open', { root: outside })).toBe('refused')
    await next.close()
  })
})

describe('the application', () => {
  it('uses what was chosen in its dialog', async () => {
    expect(await code(desktop, 'library.open', { root: game })).toBe('refused')
    desktop.boundary.admit(game)
    const { id } = await calls(desktop)('library.open', { root: game })
    const opened = await calls(desktop)('model.open', { ref: join(game, primary) })
    const folder = join(home, 'chosen')
    mkdirSync(folder)
    expect(await code(desktop, 'export.model', { model: opened.info.id, to: 'glb', folder })).toBe('refused')
    expect(await code(desktop, 'settings.set', { modFolder: folder })).toBe('refused')
    expect(await code(desktop, 'folders.list', {})).toBe('ok')
    expect((await calls(desktop)('folders.list', {})).folders).toEqual([game])
    desktop.boundary.admit(folder)
    expect(await code(desktop, 'export.model', { model: opened.info.id, to: 'glb', folder })).toBe('ok')
    expect(await code(desktop, 'settings.set', { modFolder: folder })).toBe('ok')
    const made = await calls(web)('modPackage.export', { library: id })
    expect(await code(desktop, 'modPackage.build', { library: id, modPackage: made.bytes, folder })).toBe('ok')
    await desktop.handlers['settings.set']({ modFolder: '' }, { signal: new AbortController().signal })
  })
})

describe('a mod folder', () => {
  const signal = new AbortController().signal

  it('is refused where it is the library, in it or around it, by whatever name', async () => {
    symlinkSync(game, join(home, 'same-game'))
    for (const folder of [
      game,
      `${game}/`,
      join(game, 'mods'),
      join(game, 'not', 'there'),
      home,
      dirname(home),
      join(home, 'same-game'),
      join(home, 'same-game', 'mods'),
      `${home}/games/../game`,
    ]) {
      await expect(
        Promise.resolve().then(() => web.handlers['settings.set']({ modFolder: folder }, { signal })),
        folder,
      ).rejects.toMatchObject({
        code: 'refused',
      })
    }
    expect((await web.handlers['settings.get']({}, { signal })).modFolder).toBe('')
    expect(await code(web, 'settings.set', { modFolder: join(home, 'games', 'mod') })).toBe('ok')
    expect(await code(web, 'settings.set', { modFolder: '' })).toBe('ok')
  })

  it('that settings from elsewhere name is said at once, and nothing is saved there', async () => {
    const stateFolder = join(base, 'state-3')
    mkdirSync(stateFolder)
    writeFileSync(
      join(stateFolder, 'settings.json'),
      JSON.stringify({ settings: { saveMode: 'mod-folder', modFolder: join(game, 'inner') } }),
    )
    const services = createServices({ stateFolder, host: 'web', watchEvery: 0, home })
    const notices: string[] = []
    services.subscribe((name, event) => name === 'notice' && notices.push((event as { message: string }).message))
    const { id } = await calls(services)('library.open', { root: game })
    expect(notices).toHaveLength(1)
    expect(notices[0]).toContain('is inside of the game folder')
    await calls(services)('library.scan', { library: id })
    const opened = await calls(services)('model.open', { ref: join(game, primary) })
    await calls(services)('skeleton.rename', { model: opened.info.id, joint: 1, name: 'again', follow: true })
    const { failed } = await calls(services)('save.write', { model: opened.info.id })
    expect(failed.map((one) => one.code)).toEqual(['refused'])
    expect(await code(services, 'modPackage.export', { library: id })).not.toBe('internal')
    expect(existsSync(join(game, 'inner'))).toBe(false)
    await services.close()
  })
})

describe('links', () => {
  it('are not written through by an export', async () => {
    const folder = join(home, 'exports-2')
    mkdirSync(folder)
    const victim = join(outside, 'victim.txt')
    writeFileSync(victim, 'mine')
    symlinkSync(victim, join(folder, 'adventurer.glb'))
    expect(await code(web, 'export.model', { model, to: 'glb', folder })).toBe('refused')
    symlinkSync(victim, join(folder, 'adventurer.marrow.zip'))
    expect(await code(web, 'modPackage.export', { library: library.id, model, folder })).toBe('refused')
    expect(readFileSync(victim, 'utf8')).toBe('mine')
    // a folder that leads out, for exports of many
    mkdirSync(join(outside, 'other'))
    symlinkSync(join(outside, 'other'), join(folder, primary.split('/')[0]))
    await answer(web, 'export.batch', {
      library: library.id,
      filter: { text: 'adventurer' },
      to: 'glb',
      folder,
      layout: 'folders',
      existing: 'replace',
    })
    expect(readdirSync(join(outside, 'other'))).toEqual([])
  })
})

it.skipIf(process.platform === 'win32')('the state folder is closed to other users, also one that was open to them', async () => {
  expect(statSync(state).mode & 0o777).toBe(0o700)
  const open = join(base, 'open-state')
  mkdirSync(open, { mode: 0o755 })
  await createServices({ stateFolder: open, host: 'web', watchEvery: 0, home }).close()
  expect(statSync(open).mode & 0o777).toBe(0o700)
})
