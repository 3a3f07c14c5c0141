/** Services apart from their host: over a line with fakes, and in their thread with real files. */
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { afterEach, describe, expect, it } from 'vitest'
import { ServicesApart } from '../../src/main/hosts/backend/apart.ts'
import type { ApartOptions } from '../../src/main/hosts/backend/apart.ts'
import type { Backend } from '../../src/main/hosts/backend/backend.ts'
import type { ServicesLine, ToHost, ToServices } from '../../src/main/hosts/backend/protocol.ts'
import { serveServices } from '../../src/main/hosts/backend/serve.ts'
import type { MakeServices } from '../../src/main/hosts/backend/serve.ts'
import { servicesThread } from '../../src/main/hosts/backend/thread.ts'
import { withDesktop } from '../../src/main/hosts/backend/desktop.ts'
import { openLog } from '../../src/main/services/log.ts'
import type { Log } from '../../src/main/services/log.ts'
import { createMessageClient } from '../../src/renderer/core/api/message-client.ts'
import type { MessageClient } from '../../src/renderer/core/api/message-client.ts'
import { decodeMessage, encodeMessage } from '../../src/shared/api/wire.ts'
import { fakeServices } from '../support/fake-services.ts'
import { failing } from '../support/failing-line.ts'
import type { FailingLine } from '../support/failing-line.ts'
import { sampleFiles } from '../support/sample.ts'
import { writeFiles } from '../workspace/support.ts'
import { describeContract } from './contract-suite.ts'

const silent: Log = { write() {}, failure() {}, lines: () => [] }
const start = { stateFolder: '', host: 'web' } as const

/** Both ends in this thread, with a real port between them. */
function lineTo(make: MakeServices): ServicesLine {
  const { port1, port2 } = new MessageChannel()
  serveServices(
    {
      send: (message, transfer) => port2.postMessage(message, transfer),
      listen: (listener) => void port2.on('message', (message: ToServices) => listener(message)),
    },
    make,
  )
  return {
    send: (message, transfer) => port1.postMessage(message, transfer),
    listen: (listener) => void port1.on('message', (message: ToHost) => listener(message)),
    end: () => port1.close(),
  }
}

interface Window {
  api: MessageClient
  hungUp: number
  send(bytes: Uint8Array): void
  close(): void
}

function windowOf(backend: Backend): Window {
  const window: Window = {
    api: createMessageClient({ ready: () => Promise.resolve(), send: (bytes) => talk.receive(bytes) }),
    hungUp: 0,
    send: (bytes) => talk.receive(bytes),
    close: () => talk.close(),
  }
  const talk = backend.talk({ send: (bytes) => window.api.receive(bytes), hangUp: () => window.hungUp++ })
  return window
}

describeContract('a line to services apart', async (services) => {
  const backend = new ServicesApart({ start, line: () => lineTo(() => services), log: silent })
  const window = windowOf(backend)
  return { api: window.api, leave: () => window.close(), close: () => backend.close() }
})

describe('services apart', () => {
  const ends: (() => unknown)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })
  function apart(options: Partial<ApartOptions> & Pick<ApartOptions, 'line'>): ServicesApart {
    const backend = new ServicesApart({ start, log: silent, ...options })
    ends.push(() => backend.close())
    return backend
  }

  it('hang up on what is no message, and answer calls of the host by data', async () => {
    const services = fakeServices({ 'model.list': () => [] })
    const backend = apart({ line: () => lineTo(() => services) })
    const window = windowOf(backend)
    window.send(Uint8Array.of(0xc1))
    await expect.poll(() => window.hungUp).toBe(1)
    expect(await backend.call('model.list', {})).toEqual([])
    await expect(backend.call('app.info', {})).rejects.toMatchObject({
      code: 'unsupported',
      message: 'app.info is not in the fake services',
    })
    backend.admit('/games')
    await expect.poll(() => services.admitted).toEqual(['/games'])
  })

  it('take bytes that stand in a larger buffer, and leave the rest of it alone', async () => {
    const backend = apart({ line: () => lineTo(() => fakeServices({ 'model.list': () => [] })) })
    const window = windowOf(backend)
    const message = encodeMessage({ kind: 'call', id: 77, name: 'model.list', args: {} })
    const pool = new Uint8Array(message.length + 8).fill(9)
    pool.set(message, 4)
    window.send(pool.subarray(4, 4 + message.length))
    await backend.call('model.list', {})
    expect([...pool.subarray(0, 4), ...pool.subarray(-4)]).toEqual([9, 9, 9, 9, 9, 9, 9, 9])
    expect(decodeMessage(pool.subarray(4, 4 + message.length))).toMatchObject({ id: 77 })
  })

  it('have the desktop do what only it can', async () => {
    const done: unknown[] = []
    const desktop = {
      pickFolder: () => '/games',
      takePending: async () => ['/a'],
      menuKeys: (keys: object) => void done.push(keys),
      actOnUpdate: () => Promise.reject(new Error('no update')),
      openFile: async () => 'nothing opens it',
      showInFolder: () => {},
      dragFiles: (files: string[]) => void done.push(files),
      recentChanged: () => void done.push('recent'),
      themeIs: (theme: string) => void done.push(theme),
    }
    const made = fakeServices({
      'settings.set': (values) => values as never,
      'library.forget': () => null,
      'archive.drag': ({ ids }) => ({ files: ids.map(String) }),
    })
    const backend = apart({ line: () => lineTo((_options, asked) => withDesktop(made, asked)), desktop })
    const { api } = windowOf(backend)
    expect(await api.call('folders.pick', {})).toBe('/games')
    expect(await api.call('open.pending', {})).toEqual({ paths: ['/a'] })
    await api.call('menu.keys', { keys: { 'edit.undo': 'CmdOrCtrl+Z' } })
    await expect(api.call('update.act', { action: 'load' })).rejects.toMatchObject({ message: 'no update' })
    await api.call('archive.drag', { ref: '/x.big', ids: [3, 5] })
    await api.call('settings.set', { theme: 'light' })
    await api.call('library.forget', { root: '/games' })
    expect(done).toEqual([{ 'edit.undo': 'CmdOrCtrl+Z' }, ['3', '5'], 'light', 'recent'])
  })

  it('that cannot be made say why, to the host and to windows, and are tried again when somebody asks', async () => {
    let tries = 0
    const backend = apart({
      line: () =>
        lineTo(() => {
          if (++tries === 1) throw new Error('no binary for this system')
          return fakeServices({ 'model.list': () => [] })
        }),
    })
    const first = windowOf(backend)
    const told: string[] = []
    first.api.on('services.ended', ({ message }) => told.push(message))
    const call = first.api.call('model.list', {})
    await expect(backend.ready()).rejects.toThrow('no binary for this system')
    await expect(call).rejects.toMatchObject({ data: { code: 'io' } })
    expect(told).toEqual([expect.stringContaining('no binary for this system')])
    // the window that was told is answered no more, one that comes anew is
    expect(await windowOf(backend).api.call('model.list', {})).toEqual([])
    expect(tries).toBe(2)
  })

  it('that do not even begin on one line begin on the other, with what was said until then', async () => {
    let admitted: string[] = []
    const backend = apart({
      line: () => ({ send() {}, listen: (_message, ended) => void setImmediate(ended, 'no such process here'), end() {} }),
      otherLine: () => {
        const services = fakeServices({ 'model.list': () => [] })
        admitted = services.admitted
        return lineTo(() => services)
      },
    })
    backend.admit('/games')
    expect(await windowOf(backend).api.call('model.list', {})).toEqual([])
    expect(admitted).toEqual(['/games'])
  })

  it('end when they are told to, also while they begin', async () => {
    const services = fakeServices()
    const backend = new ServicesApart({ start, line: () => lineTo(() => services), log: silent })
    await backend.close()
    expect(services.closed).toBe(true)
    expect(() => backend.talk({ send() {}, hangUp() {} })).toThrow('was stopped')
  })
})

describe('services in their thread', () => {
  it('answer, tell events and progress, follow a cancel, and leave nothing at a clean end', async () => {
    const { base, game, state } = folders()
    const backend = new ServicesApart({ start: { stateFolder: state, host: 'web' }, line: servicesThread, log: silent })
    const { api } = windowOf(backend)
    backend.admit(game)
    const { id: library } = await api.call('library.open', { root: game })
    const phases: string[] = []
    api.on('scan.progress', ({ phase }) => phases.push(phase))
    expect((await api.call('library.scan', { library })).models).toBeGreaterThan(0)
    expect(phases.length).toBeGreaterThan(0)
    const cancelled = new AbortController()
    const scan = api.call('library.scan', { library, full: true }, { signal: cancelled.signal })
    cancelled.abort()
    await expect(scan).rejects.toMatchObject({ data: { code: 'cancelled' } })
    // what was not admitted is refused: the boundary is with the services
    await expect(api.call('library.open', { root: join(base, 'elsewhere') })).rejects.toMatchObject({ data: { code: 'refused' } })
    await backend.close()
    const left = readdirSync(state, { recursive: true, encoding: 'utf8' })
    expect(left.filter((name) => /-wal$|-shm$|alive$|\.marrow-tmp$/.test(name))).toEqual([])
    rmSync(base, { recursive: true, force: true })
  })

  it('that fail are told to the window and the log; started again they offer the edits at once, and clear away what they left', async () => {
    const { base, game, state } = folders()
    const log = openLog(state)
    const lines: FailingLine[] = []
    const line = () => lines[lines.push(failing(servicesThread())) - 1]
    const backend = new ServicesApart({ start: { stateFolder: state, host: 'web' }, line, log })
    backend.admit(game)
    const { api } = windowOf(backend)
    const { id: library } = await api.call('library.open', { root: game })
    await api.call('library.scan', { library })
    const ref = join(game, 'Dark Cloud 2/adventurer/adventurer.mds')
    const { info } = await api.call('model.open', { ref, library })
    const values = { name: 'kept by its journal', start: 1, end: 5, speed: 1 }
    await api.call('slices.add', { model: info.id, at: 0, clip: 0, values })
    expect(await api.call('recovery.list', {})).toEqual([])
    // as a write that was cut off leaves it: of this process, and of the run that fails now
    const sign = readdirSync(join(state, 'journals')).map((run) => readFileSync(join(state, 'journals', run, 'alive'), 'utf8'))[0]
    const [pid, , mark] = sign.trimEnd().split(' ')
    expect(Number(pid)).toBe(process.pid)
    const machine = await machineOf()
    const cutOff = join(game, 'Dark Cloud 2/adventurer', `.adventurer.mds.${machine}-${pid}-${mark}.marrow-tmp`)
    writeFileSync(cutOff, 'half')

    const told: string[] = []
    api.on('services.ended', ({ message }) => told.push(message))
    const waiting = api.call('library.scan', { library, full: true })
    await lines[0].fail('ran out of memory', state)
    await expect(waiting).rejects.toMatchObject({ data: { code: 'io' } })
    expect(told).toEqual(['What reads and writes files for this window ran out of memory. Your edits are kept, and are offered again.'])
    expect(log.lines().at(-1)).toContain('error the services ended: ran out of memory')

    const anew = windowOf(backend)
    const offered = await anew.api.call('recovery.list', {})
    expect(offered).toHaveLength(1)
    // what the user chose counts still
    expect((await anew.api.call('library.open', { root: game })).id).toBe(library)
    const restored = await anew.api.call('recovery.restore', { id: offered[0].id })
    expect(restored.scene.slices.map(({ name }) => name)).toContain(values.name)
    expect((await anew.api.call('save.write', { model: restored.info.id })).failed).toEqual([])
    expect(readdirSync(join(game, 'Dark Cloud 2/adventurer')).filter((name) => name.endsWith('.marrow-tmp'))).toEqual([])
    expect(lines.length).toBe(2)
    await backend.close()
    rmSync(base, { recursive: true, force: true })
  })
})

async function machineOf(): Promise<string> {
  const { newTemporary } = await import('../../src/main/files/temporaries.ts')
  const { temporaryParts } = await import('../../src/shared/temporary-name.ts')
  return temporaryParts(newTemporary('', 'x'))!.machine
}

function folders(): { base: string; game: string; state: string } {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'marrow-apart-')))
  const game = join(base, 'game')
  writeFiles(
    game,
    Object.fromEntries(sampleFiles().flatMap(({ path, bytes }) => (path.startsWith('Dark Cloud 2/adventurer/') ? [[path, bytes]] : []))),
  )
  return { base, game, state: join(base, 'state') }
}
