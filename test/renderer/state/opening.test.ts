// @vitest-environment happy-dom
/** What the window does with files and paths from outside, against services that answer from memory. */
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useLibrary } from '../../../src/renderer/core/library.ts'
import { useModels } from '../../../src/renderer/core/models.ts'
import { useOpening } from '../../../src/renderer/core/opening.ts'
import { useModPackage } from '../../../src/renderer/core/mod-package.ts'
import { useRecovery } from '../../../src/renderer/core/recovery.ts'
import { useSession } from '../../../src/renderer/core/session.ts'
import type { Api } from '../../../src/shared/api/transport.ts'
import { INBOX_LIMITS } from '../../../src/shared/api/desktop.ts'
import type { OpenTarget } from '../../../src/shared/api/desktop.ts'

type Answers = Record<string, (args: any) => unknown>
let calls: { name: string; args: any }[] = []
const listeners = new Map<string, (event: any) => void>()

async function start(answers: Answers): Promise<void> {
  const usual: Answers = {
    'app.info': () => ({ version: '1', host: 'web', platform: '', sample: '', recent: [] }),
    'settings.get': () => ({}),
    'recovery.list': () => [],
    'model.list': () => [],
    'model.problems': () => [],
    'library.open': ({ root }) => ({ id: root, root, name: root, files: 1, models: 1, errors: 0, scannedAt: 0 }),
    'library.query': () => ({
      total: 0,
      rows: [],
      facets: { families: [], kinds: [], has: [] },
      counts: { models: 0, files: 0, errors: 0 },
    }),
    'library.scan': () => ({ files: 0, recognised: 0, models: 0, errors: [] }),
    'model.open': ({ ref }) => ({
      info: { id: ref, name: ref, dirty: false, revision: 0, files: [], history: { undo: [], redo: [], top: '' } },
      scene: {},
    }),
  }
  const api = {
    call: async (name: string, args: any) => {
      calls.push({ name, args })
      const answer = { ...usual, ...answers }[name]
      if (!answer) throw Object.assign(new Error(name), { data: { code: 'internal', message: name } })
      return answer(args)
    },
    on: (name: string, listener: (event: any) => void) => {
      listeners.set(name, listener)
      return () => {}
    },
  }
  await useSession().start(api as unknown as Api)
  useOpening().listen()
}
const named = (name: string) => calls.filter((call) => call.name === name).map((call) => call.args)
const file = (name: string, size = 3, type = '') => {
  const made = new File([new Uint8Array(Math.min(size, 100))], name, { type })
  if (size > 100) Object.defineProperty(made, 'size', { value: size })
  return made
}
const target = (ref: string, more: Partial<Extract<OpenTarget, { kind: 'file' }>> = {}): OpenTarget => ({
  kind: 'file',
  path: ref,
  root: '/game',
  ref,
  archive: false,
  scan: true,
  ...more,
})

beforeEach(() => {
  calls = []
  listeners.clear()
  setActivePinia(createPinia())
})
afterEach(() => {
  delete (window as { marrow?: unknown }).marrow
  vi.restoreAllMocks()
})

describe('paths from outside', () => {
  it('are fetched when the host says so, and open folder, models and package', async () => {
    let paths = ['/game', '/game/a.dff', '/m.marrow', '/x.txt']
    await start({
      'open.pending': () => ({ paths }),
      'open.look': () => [
        { kind: 'folder', path: '/game', root: '/game' },
        target('/game/a.dff'),
        target('/other/b.dff', { root: '/other', scan: false }),
        { kind: 'package', path: '/m.marrow' },
        { kind: 'none', path: '/x.txt', message: 'x.txt: no' },
      ],
      'modPackage.read': () => ({ name: 'm', madeWith: '1', files: [] }),
    })
    listeners.get('open.waiting')!({})
    await expect.poll(() => useModels().open.map((m) => m.id)).toEqual(['/game/a.dff', '/other/b.dff'])
    expect(named('open.look')).toEqual([{ paths }])
    expect(named('library.open')).toEqual([{ root: '/game' }, { root: '/other' }])
    expect(useModPackage().contents?.name).toBe('m')
    expect(named('modPackage.read')).toEqual([{ modPackage: '/m.marrow' }])
    expect(useOpening().refused).toEqual(['x.txt: no'])
    // a folder of every kind of files is not walked through unasked
    expect(named('library.scan')).toEqual([{ library: '/game', full: undefined }])
    paths = []
    await useOpening().takePending()
    expect(named('open.look').length).toBe(1)
  })

  it('open an archive without a model as a search in the library, and no more models than help', async () => {
    await start({
      'open.look': () => [target('/game/gta3.img', { archive: true })],
      'model.open': () => {
        throw Object.assign(new Error('none'), { data: { code: 'unsupported', message: 'none' } })
      },
    })
    await useOpening().openPaths(['/game/gta3.img'])
    expect([useLibrary().query.text, useModels().page, useSession().notices.length]).toEqual(['gta3.img', 'library', 0])
    await start({ 'open.look': () => Array.from({ length: 30 }, (_, i) => target(`/game/${i}.dff`)) })
    await useOpening().openPaths(['/game'])
    expect(useModels().open.length).toBe(12)
    expect(useOpening().refused).toEqual(['18 more files were not opened: their models are in the library'])
  })
})

describe('dropped files', () => {
  const open = (...files: File[]) => useOpening().openFiles(() => files.map((f) => ({ path: f.name, file: f })), files)

  it('are the host’s where it knows their paths', async () => {
    await start({})
    const given: File[][] = []
    ;(window as { marrow?: unknown }).marrow = { openFiles: (files: File[]) => (given.push([...files]), files.length) }
    await open(file('a.dff'))
    expect([given.length, named('open.match').length, named('inbox.begin').length]).toEqual([1, 0, 0])
  })

  it('are found in an open folder, and the others copied together', async () => {
    await start({
      'open.match': () => [target('/game/a.dff'), null, null],
      'inbox.begin': () => ({ id: 'i' }),
      'inbox.add': () => null,
      'inbox.open': () => [target('/inbox/b.dff', { root: '/inbox' })],
    })
    await open(file('a.dff'), file('b.dff'), file('b.txd'))
    const [{ files }] = named('open.match')
    expect(files.map((f: any) => [f.name, f.size, /^[0-9a-f]{64}$/.test(f.sha256)])).toEqual([
      ['a.dff', 3, true],
      ['b.dff', 3, true],
      ['b.txd', 3, true],
    ])
    expect(named('inbox.begin')).toEqual([{ name: 'Dropped files' }])
    expect(named('inbox.add').map(({ id, path, bytes }) => [id, path, bytes.length])).toEqual([
      ['i', 'b.dff', 3],
      ['i', 'b.txd', 3],
    ])
    expect(useModels().open.map((m) => m.id)).toEqual(['/game/a.dff', '/inbox/b.dff'])
    expect(useOpening().reading).toBe(null)
  })

  it('of one folder keep their places below its name', async () => {
    await start({ 'inbox.begin': () => ({ id: 'i' }), 'inbox.add': () => null, 'inbox.open': () => [] })
    await useOpening().openFiles(
      () => [
        { path: 'chara/a.mds', file: file('a.mds') },
        { path: 'chara/sub/b.mot', file: file('b.mot') },
      ],
      [],
    )
    expect(named('inbox.begin')).toEqual([{ name: 'chara' }])
    expect(named('inbox.add').map(({ path }) => path)).toEqual(['a.mds', 'sub/b.mot'])
    expect(named('open.match')).toEqual([])
  })

  it('that are too large or too many are told, and nothing of them is read', async () => {
    await start({})
    const large = file('gta3.img', INBOX_LIMITS.file + 1)
    const read = vi.spyOn(large, 'arrayBuffer')
    await open(large)
    expect(useOpening().refused).toEqual(['gta3.img is too large for a browser to hand over: open its folder'])
    const many = Array.from({ length: INBOX_LIMITS.files + 1 }, () => ({ path: 'd/x', file: file('x') }))
    await useOpening().openFiles(() => many, [])
    expect(useOpening().refused).toEqual([`2,001 files are too many for a browser to hand over: open the folder with "Open folder"`])
    expect([read.mock.calls.length, named('inbox.begin').length]).toEqual([0, 0])
  })

  it('can be stopped', async () => {
    await start({ 'inbox.begin': () => ({ id: 'i' }), 'inbox.open': () => [] })
    const opening = useOpening()
    const first = file('a.dff')
    vi.spyOn(first, 'arrayBuffer').mockImplementation(async () => {
      opening.cancel()
      return new ArrayBuffer(3)
    })
    await open(first, file('b.dff'))
    expect([named('open.match').length, named('inbox.begin').length, opening.reading, useSession().notices.length]).toEqual([0, 0, null, 0])
  })
})

describe('models that the services still have with edits', () => {
  it('are offered to a page that does not show them', async () => {
    const info = (id: string, dirty: boolean) => ({
      id,
      name: id,
      primary: `/g/${id}`,
      dirty,
      revision: 3,
      files: [],
      history: { undo: ['x', 'y'], redo: [], top: '' },
    })
    await start({
      'model.list': () => [info('clean', false), info('edited', true)],
      'model.scene': ({ model }) => ({ info: info(model, true), scene: {} }),
      'recovery.list': () => [{ id: 'old', primary: '/g/old', name: 'old', steps: 1, lastEdit: 1 }],
    })
    const recovery = useRecovery()
    await recovery.load()
    expect(recovery.items.map(({ id, steps, live }) => [id, steps, live])).toEqual([
      ['edited', 2, true],
      ['old', 1, undefined],
    ])
    await recovery.restore(recovery.items[0])
    await expect.poll(() => useModels().open.map((m) => m.id)).toEqual(['edited'])
    await expect.poll(() => recovery.items.map(({ id }) => id)).toEqual(['old'])
  })
})
