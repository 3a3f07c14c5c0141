/**
 * What has to hold on Windows, over the sample library in the game's own formats. Each check works in a folder of its own. Runs in Windows' Node
 * (main.ts); the names are the tests of windows.test.ts.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { runCommandLine } from '../../src/main/cli/command-line.ts'
import { safeName } from '../../src/main/files/file-names.ts'
import { realPath, spelledAsOnDisk } from '../../src/main/files/paths.ts'
import { FileStore } from '../../src/main/files/store.ts'
import { walk } from '../../src/main/files/walk.ts'
import { stateFolder, userDataFolder } from '../../src/main/hosts/state-folder.ts'
import { libraryId } from '../../src/main/library/library.ts'
import { exportMany } from '../../src/main/interchange/export-many.ts'
import { sampleFiles } from '../../src/main/sample/write-sample.ts'
import { createServices } from '../../src/main/services/create-services.ts'
import { replaceFile, writeAll } from '../../src/main/workspace/atomic.ts'
import { emptyScene } from '../../src/shared/scene/types.ts'
import type { Services } from '../../src/main/services/service.ts'
import type { Place } from './place.ts'

/** A check that this machine cannot run, and why. */
export class Skipped extends Error {}

/** libuv's flag for an open that shares the file with nobody, as games open theirs. */
const ALONE = 0x10000000

/** Every model of a library. */
const ALL = { show: 'models', sort: 'name', offset: 0, limit: 100 }

const PACK = 'Dark Cloud\\chara\\adventurer.chr'
let folders = 0

/** A new folder with the sample's files, as a game's. */
function game(area: string, only: RegExp = /./): string {
  const root = join(area, `game ${++folders}`)
  for (const { path, bytes } of sampleFiles()) {
    if (!only.test(path)) continue
    const target = join(root, ...path.split('/'))
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, bytes)
  }
  return root
}

const DARK_CLOUD = /^Dark Cloud\//
const state = (area: string): string => join(area, `state ${++folders}`)

async function marrow(stateFolder: string, ...args: string[]): Promise<any> {
  let out = ''
  let err = ''
  const status = await runCommandLine(
    [...args, '--json'],
    { out: (text) => (out += text), err: (text) => (err += text), terminal: false },
    { stateFolder },
  )
  assert.equal(status, 0, `marrow ${args.join(' ')}: ${out}${err}`)
  return JSON.parse(out)
}

/** Runs calls of the window on services of their own. */
async function withServices<T>(
  folder: string,
  body: (call: (name: string, args: object) => Promise<any>, services: Services) => Promise<T>,
): Promise<T> {
  const services = createServices({ stateFolder: folder, host: 'web', version: '1' })
  const call = async (name: string, args: object): Promise<any> =>
    (services.handlers as any)[name](args, { signal: new AbortController().signal })
  try {
    return await body(call, services)
  } finally {
    await services.close()
  }
}

const hashes = (root: string): string[] =>
  [...walk(root)].map(({ path }) => `${path.slice(root.length)} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`)
const leftovers = (folder: string): string[] => readdirSync(folder).filter((name) => name.includes('marrow-tmp'))

/** Opens the library and the pack's model, renames its first window. */
async function openAndEdit(
  call: (name: string, args: object) => Promise<any>,
  root: string,
  name = 'こうげき',
): Promise<{ model: string; library: any }> {
  const library = await call('library.open', { root })
  await call('library.scan', { library: library.id })
  const models = (await call('library.query', { ...ALL, library: library.id })).rows as any[]
  const row = models.find((r) => /adventurer\.chr/i.test(r.ref)) ?? assert.fail(`no pack among ${models.map((r) => r.ref).join(', ')}`)
  const opened = await call('model.open', { ref: row.ref })
  const model = opened.info.id
  await call('slices.set', { model, slice: 0, values: { name } })
  return { model, library }
}

/** As a game keeps a file, once Marrow's own descriptor is gone: that is kept for a tenth of a second after a read. */
async function openAlone(path: string): Promise<number> {
  for (let tries = 0; ; tries++) {
    try {
      return openSync(path, ALONE | constants.O_RDWR)
    } catch (error) {
      if (tries === 100 || (error as { code?: unknown }).code !== 'EBUSY') throw error
      await sleep(20)
    }
  }
}

type Check = (place: Place) => Promise<void> | void

export const checks: Record<string, Check> = {
  'the state folder is %APPDATA%\\Marrow'() {
    const env = { ...process.env, MARROW_HOME: undefined }
    assert.equal(userDataFolder(env), `${process.env.APPDATA}\\Marrow`)
    assert.equal(stateFolder(userDataFolder(env)), `${process.env.APPDATA}\\Marrow\\state`)
    assert.match(userDataFolder({ ...env, APPDATA: '' }), /\\AppData\\Roaming\\Marrow$/)
  },

  async 'one folder has one index, by whatever drive letter, case, slashes or prefix it is named'({ area }) {
    const root = game(area, DARK_CLOUD)
    const own = state(area)
    const names = [
      root,
      root.toLowerCase(),
      root.toUpperCase(),
      root.replaceAll('\\', '/'),
      `\\\\?\\${root}`,
      `${root}\\`,
      `${root}\\Dark Cloud\\..`,
    ]
    for (const name of names) assert.equal(realPath(name), root, name)
    for (const name of names.slice(0, 2)) assert.equal((await marrow(own, 'scan', name)).models, 1, name)
    for (const name of names) assert.equal(libraryId(name), libraryId(root), name)
    assert.equal(readdirSync(join(own, 'libraries')).filter((name) => name.endsWith('.sqlite')).length, 1)
    await withServices(own, async (call) => {
      const ids = new Set<string>()
      for (const name of names) ids.add((await call('library.open', { root: name })).id)
      assert.equal(ids.size, 1)
    })
  },

  async 'folders are browsed from drive to drive'({ area, other }) {
    await withServices(state(area), async (call) => {
      const listed = await call('folders.list', { path: area.slice(0, 3) })
      assert.equal(listed.path, area.slice(0, 3))
      // above a drive there is the list of places: home, and the drives beside the system's own
      const places = await call('folders.list', { path: '' })
      if (other)
        assert.ok(
          places.folders.some((place: string) => place.startsWith(other.slice(0, 3))),
          places.folders.join(' '),
        )
      assert.equal((await call('folders.list', { path: area })).parent, dirname(area))
    })
  },

  async 'the command line reads, proves, edits and exports'({ area }) {
    const root = game(area)
    const own = state(area)
    const scan = await marrow(own, 'scan', root)
    assert.deepEqual([scan.errors, scan.models > 5], [[], true])
    const proof = await marrow(own, 'roundtrip', root)
    assert.equal(proof.failures?.length ?? 0, 0)
    const pack = join(root, PACK)
    const before = readFileSync(pack)
    await marrow(own, 'slice', 'set', pack, '0', '--name', '歩く')
    assert.equal((await marrow(own, 'slices', pack)).slices[0].name, '歩く')
    assert.notDeepEqual(readFileSync(pack), before)
    const out = join(area, `out ${++folders}`)
    const exported = await marrow(own, 'export', root, '--to', 'glb', '--out', out)
    assert.equal(exported.models.length, scan.models)
    for (const file of exported.files) assert.ok(statSync(file).size > 0, file)
    const zip = join(out, 'mod.zip')
    assert.equal((await marrow(own, 'patch', 'export', root, '--out', zip)).files[0].path, PACK.replaceAll('\\', '/'))
    const built = await marrow(own, 'patch', 'build', zip, '--game', game(area), '--out', join(out, 'mod'))
    assert.equal(built.written, 1)
    assert.deepEqual(readFileSync(join(out, 'mod', PACK)), readFileSync(pack))
  },

  async 'names that differ by case are one file: one model, one edit'({ area }) {
    const root = game(area, DARK_CLOUD)
    const pack = join(root, PACK)
    assert.equal(spelledAsOnDisk(pack.toUpperCase()), pack)
    const own = state(area)
    assert.equal((await marrow(own, 'slices', pack.toUpperCase())).model.split('!')[0], pack)
    await withServices(own, async (call) => {
      const { model, library } = await openAndEdit(call, root)
      const [row] = (await call('library.query', { ...ALL, library: library.id })).rows
      const again = await call('model.open', { ref: row.ref.toLowerCase() })
      assert.equal(again.info.id, model)
    })
  },

  async "a game's files are found by names in another case"({ area }) {
    const root = game(area, /^(Dark Cloud 2|San Andreas)\//)
    const own = state(area)
    const before = await marrow(own, 'scan', root)
    for (const { path, name, folder } of [...walk(root)]) renameSync(path, join(folder, name.toUpperCase()))
    const after = await marrow(own, 'scan', root)
    for (const what of ['models', 'bones', 'slices', 'weights', 'textures']) assert.equal(after[what], before[what], what)
  },

  async 'a mod folder on another drive mirrors the game, which stays as it is'({ area, other }) {
    if (!other) throw new Skipped('there is no second drive')
    const root = game(area, DARK_CLOUD)
    const before = hashes(root)
    const mod = join(other, 'mod 모드')
    await withServices(join(other, 'state'), async (call) => {
      await call('settings.set', { saveMode: 'mod-folder', modFolder: mod })
      const { model } = await openAndEdit(call, root)
      const { saved, failed } = await call('save.write', { model })
      assert.deepEqual(failed, [])
      assert.equal(saved[0].target.split('!')[0], join(mod, PACK))
    })
    assert.deepEqual(hashes(root), before)
    assert.deepEqual(
      [...walk(mod)].map(({ path }) => path),
      [join(mod, PACK)],
    )
  },

  async 'a folder on a server is opened, edited in place and exported'({ area, unc }) {
    if (!unc) throw new Skipped('this machine has no share of its own that can be reached')
    const local = game(area, DARK_CLOUD)
    const root = unc + local.slice(area.length)
    const own = state(area)
    assert.ok(realPath(root).startsWith('\\\\'), realPath(root))
    for (const name of [root, `\\\\?\\UNC\\${root.slice(2)}`]) assert.equal((await marrow(own, 'scan', name)).models, 1, name)
    assert.equal(readdirSync(join(own, 'libraries')).filter((name) => name.endsWith('.sqlite')).length, 1)
    const before = readFileSync(join(local, PACK))
    await withServices(own, async (call) => {
      const { model } = await openAndEdit(call, root)
      assert.deepEqual((await call('save.write', { model })).failed, [])
      const folder = join(root, '..', `out ${++folders}`)
      mkdirSync(folder)
      assert.equal((await call('export.model', { model, to: 'glb', folder })).files.length, 1)
    })
    assert.notDeepEqual(readFileSync(join(local, PACK)), before)
  },

  async 'paths above 260 characters are read, edited, exported and packed'({ area }) {
    const deep = join(area, ...Array.from({ length: 12 }, (_, i) => `folder number ${i} 깊은 폴더 深い`))
    assert.ok(deep.length > 260)
    const root = game(deep, DARK_CLOUD)
    const own = state(area)
    assert.equal((await marrow(own, 'scan', root)).models, 1)
    await marrow(own, 'slice', 'set', join(root, PACK), '0', '--name', 'long')
    const out = join(deep, 'exported files')
    for (const file of (await marrow(own, 'export', root, '--to', 'gltf', '--out', out)).files) assert.ok(existsSync(file), file)
    await marrow(own, 'patch', 'export', root, '--out', join(out, 'mod.zip'))
    assert.equal(
      (await marrow(own, 'patch', 'build', join(out, 'mod.zip'), '--game', game(deep, DARK_CLOUD), '--out', join(out, 'mod'))).written,
      1,
    )
    // the state folder may be as deep
    await withServices(join(deep, 'state'), async (call) => {
      const { model } = await openAndEdit(call, root)
      assert.deepEqual((await call('save.write', { model })).failed, [])
    })
  },

  async 'the longest name of a file has room for what is written beside it'({ area }) {
    const file = join(area, `${'n'.repeat(246)}.bin`)
    await replaceFile(file, (handle) => writeAll(handle, Buffer.from('1')))
    await replaceFile(file, (handle) => writeAll(handle, Buffer.from('2')))
    assert.equal(readFileSync(file, 'utf8'), '2')
    assert.deepEqual(leftovers(area), [])
  },

  async 'names that Windows reserves are never written'({ area }) {
    const folder = join(area, `reserved ${++folders}`)
    const names = ['con', 'aux.x', 'nul', 'COM1', 'a.', 'a ', 'a', 'q?*<>|"', 'x:y', '..', 'lpt¹']
    const scene = {
      ...emptyScene('m'),
      textures: [
        { name: 't', width: 1, height: 1, rgba: new Uint8Array(4), missing: false, hasAlpha: true, source: { ref: 'r', path: 'p' } },
      ],
    }
    const items = names.map((name) => ({ name, ref: name, where: 'aux/con.d', scene: () => scene as never }))
    const { models, failures } = await exportMany(items, {
      to: 'glb',
      folder,
      layout: 'folders',
      existing: 'refuse',
      cancelled: () => false,
    })
    assert.deepEqual(failures, [])
    assert.equal(models.length, names.length)
    assert.deepEqual(readdirSync(folder), ['_aux'])
    const written = readdirSync(join(folder, '_aux', '_con.d'))
    assert.equal(written.length, names.length)
    for (const name of written) assert.equal(`${safeName(name.slice(0, -4))}.glb`, name)
    // each is told by the path that is on disk
    for (const { files } of models) assert.ok(existsSync(files[0]), files[0])
  },

  'a reference cannot lead out of an archive, nor to a second body of a file'({ area }) {
    const root = game(area, DARK_CLOUD)
    writeFileSync(join(root, 'secret.txt'), 's')
    const store = new FileStore()
    const pack = join(root, PACK)
    for (const ref of [
      `${pack}!x\\..\\..\\..\\secret.txt`,
      `${pack}!..\\..\\secret.txt`,
      `${pack}!/../../../secret.txt`,
      `${pack}:stream`,
      `${pack}.`,
      `${pack} `,
      `${root}\\con`,
      `${root}\\nul`,
    ])
      assert.equal(store.exists(ref), false, ref)
    const relative = process.cwd()
    process.chdir(root)
    assert.equal(store.canonical(PACK.toLowerCase()), pack)
    assert.equal(store.canonical(`${root.slice(0, 2)}${PACK}`), pack)
    process.chdir(relative)
    store.close()
  },

  async 'a file that a game holds for a moment is saved when it lets go'({ area }) {
    const root = game(area, DARK_CLOUD)
    await withServices(state(area), async (call) => {
      const { model } = await openAndEdit(call, root, 'moment')
      const held = openSync(join(root, PACK), constants.O_RDONLY)
      const saving = call('save.write', { model })
      setTimeout(() => closeSync(held), 300)
      assert.deepEqual((await saving).failed, [])
    })
    assert.equal((await marrow(state(area), 'slices', join(root, PACK))).slices[0].name, 'moment')
  },

  async 'a file that a game keeps is named with what to do, stays as it is, and the edit is still there'({ area }) {
    const root = game(area, DARK_CLOUD)
    const pack = join(root, PACK)
    const before = readFileSync(pack)
    await withServices(state(area), async (call) => {
      const { model } = await openAndEdit(call, root, 'kept')
      const held = await openAlone(pack)
      const [failure] = (await call('save.write', { model }).then(
        (r: any) => r.failed,
        (error: unknown) => [error],
      )) as any[]
      closeSync(held)
      assert.match(failure.message, /in use: another program has it open/)
      assert.ok(failure.message.includes(pack), failure.message)
      assert.deepEqual(readFileSync(pack), before)
      assert.deepEqual(leftovers(dirname(pack)), [])
      assert.deepEqual((await call('save.write', { model })).failed, [])
    })
    assert.equal((await marrow(state(area), 'slices', pack)).slices[0].name, 'kept')
  },

  async 'what Marrow itself has open is no reason not to replace it'({ area }) {
    const file = join(area, `read ${++folders}.bin`)
    writeFileSync(file, 'old')
    const worker = new FileStore()
    assert.equal(Buffer.from(worker.read(file)).toString(), 'old')
    await replaceFile(file, (handle) => writeAll(handle, Buffer.from('new')))
    assert.equal(Buffer.from(worker.read(file)).toString(), 'new')
    worker.close()
  },

  async 'a read-only file that may be replaced stays read-only'({ area }) {
    const file = join(area, `attribute ${++folders}.bin`)
    writeFileSync(file, 'old')
    chmodSync(file, 0o444)
    const write = (handle: FileHandle): Promise<void> => writeAll(handle, Buffer.from('new'))
    await assert.rejects(replaceFile(file, write), { code: 'write-protected' })
    assert.equal(readFileSync(file, 'utf8'), 'old')
    await replaceFile(file, write, undefined, { replaceReadOnly: true })
    assert.equal(readFileSync(file, 'utf8'), 'new')
    assert.equal(statSync(file).mode & 0o200, 0)
    assert.deepEqual(leftovers(area), [])
    chmodSync(file, 0o666)
  },

  'junctions: a root may be one, those inside are not followed'({ area, junctions }) {
    if (!junctions) throw new Skipped('no junction can be made here')
    const root = game(area, DARK_CLOUD)
    const outside = game(area, /^San Andreas\//)
    const link = join(area, `link ${++folders}`)
    symlinkSync(root, link, 'junction')
    symlinkSync(outside, join(root, 'out'), 'junction')
    symlinkSync(root, join(root, 'round'), 'junction')
    assert.equal(realPath(link), root)
    assert.deepEqual(
      [...walk(link)].map(({ path }) => path),
      [join(link, PACK)],
    )
    assert.deepEqual(
      [...walk(root)].map(({ path }) => path),
      [join(root, PACK)],
    )
  },

  async 'unsaved edits come back after the process is gone, and a damaged index is built again'({ area }) {
    const root = game(area, DARK_CLOUD)
    const own = state(area)
    await withServices(own, async (call) => void (await openAndEdit(call, root, 'later')))
    for (const name of readdirSync(join(own, 'libraries')))
      if (name.endsWith('.sqlite')) writeFileSync(join(own, 'libraries', name), 'no database '.repeat(2000))
    await withServices(own, async (call) => {
      const offered = await call('recovery.list', {})
      assert.equal(offered.length, 1)
      const library = await call('library.open', { root })
      assert.equal((await call('library.scan', { library: library.id })).models, 1)
    })
  },

  async 'many models are exported by the worker, with progress and paths of this system'({ area }) {
    const root = game(area)
    const out = join(area, `batch ${++folders}`)
    mkdirSync(out)
    await withServices(state(area), async (call) => {
      const library = await call('library.open', { root })
      await call('library.scan', { library: library.id })
      const result = await call('export.batch', {
        library: library.id,
        filter: { has: ['textures'] },
        to: 'png',
        folder: out,
        layout: 'folders',
        existing: 'replace',
      })
      assert.deepEqual(result.failures, [])
      assert.ok(result.files > 0)
    })
    assert.ok([...walk(out)].every(({ path }) => path.startsWith(out + sep) && path.endsWith('.png')))
  },
}
