import { afterEach, describe, expect, it, vi } from 'vitest'
import type { WebSocket as Socket } from 'ws'
import { inPlace } from '../../src/main/hosts/backend/in-place.ts'
import { startWebHost } from '../../src/main/hosts/web/web-host.ts'
import type { WebHost } from '../../src/main/hosts/web/web-host.ts'
import { createWebClient } from '../../src/renderer/core/api/web-client.ts'
import type { WebClient } from '../../src/renderer/core/api/web-client.ts'
import { KEY_PROTOCOL, SOCKET_PATH, SOCKET_PROTOCOL } from '../../src/shared/api/launch.ts'
import { decodeMessage, encodeMessage } from '../../src/shared/api/wire.ts'
import { fakeServices } from '../support/fake-services.ts'
import { describeContract } from './contract-suite.ts'
import { enter, openAs } from '../support/web-entry.ts'

const origin = (host: WebHost) => `http://127.0.0.1:${host.port}`

async function connect(host: WebHost, maxTries = 20): Promise<WebClient> {
  const { key, cookie } = await enter(host)
  const client = createWebClient({ origin: origin(host), key: () => key, open: openAs(origin(host), cookie), retryMs: 20, maxTries })
  await client.connected()
  return client
}

describeContract('the web host', async (services) => {
  const host = await startWebHost({ backend: inPlace(services) })
  const client = await connect(host)
  return {
    api: client,
    leave: () => client.close(),
    async close() {
      client.close()
      await host.close()
    },
  }
})

describe('web client', () => {
  const ends: (() => unknown)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })

  it('says that the key is wrong, and does not try it again', async () => {
    const host = await startWebHost({ backend: inPlace(fakeServices()) })
    ends.push(() => host.close())
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    ends.push(() => vi.useRealTimers())
    let tries = 0
    const client = createWebClient({
      origin: origin(host),
      key: () => 'x'.repeat(64),
      retryMs: 5,
      open: (...args) => (tries++, openAs(origin(host), '')(...args)),
    })
    ends.push(() => client.close())
    await expect(client.connected()).rejects.toMatchObject({ data: { code: 'refused' } })
    await expect(client.call('model.list', {})).rejects.toMatchObject({ data: { code: 'refused' } })
    expect(await client.ended).toMatchObject({ data: { code: 'refused' } })
    vi.advanceTimersByTime(3600_000)
    expect(tries).toBe(1)
  })

  it('rejects what was under way when the connection is lost, says so, and connects again', async () => {
    let started = 0
    const services = fakeServices({
      'library.scan': () => (started++, new Promise(() => {})),
      'model.list': () => [],
    })
    const first = await startWebHost({ backend: inPlace(services) })
    const client = await connect(first)
    ends.push(() => client.close())
    const lost: boolean[] = []
    client.onLost((now) => lost.push(now))
    const scan = client.call('library.scan', { library: 'l' })
    scan.catch(() => {})
    await expect.poll(() => started).toBe(1)
    await first.close()
    await expect(scan).rejects.toMatchObject({ data: { code: 'io' } })
    await expect(client.call('model.list', {})).rejects.toMatchObject({ data: { code: 'io' } })
    expect(lost).toEqual([true])
    // another host on the same port: the page is told to use a new address, and tries no more
    const second = await startWebHost({ backend: inPlace(services), port: first.port })
    ends.push(() => second.close())
    await expect
      .poll(() =>
        client.call('model.list', {}).then(
          () => 'connected',
          (error: { data: { code: string } }) => error.data.code,
        ),
      )
      .toBe('refused')
    expect((await client.ended).code).toBe('refused')
  })

  it('gives up after a while where the host does not come back', async () => {
    const host = await startWebHost({ backend: inPlace(fakeServices()) })
    const client = await connect(host, 3)
    ends.push(() => client.close())
    await host.close()
    expect((await client.ended).code).toBe('io')
  })

  it('goes on after a short loss of the connection', async () => {
    const services = fakeServices({ 'model.list': () => [] })
    const host = await startWebHost({ backend: inPlace(services) })
    ends.push(() => host.close())
    const sockets: WebSocket[] = []
    const { key, cookie } = await enter(host)
    const client = createWebClient({
      origin: origin(host),
      key: () => key,
      retryMs: 20,
      open(...args) {
        const socket = openAs(origin(host), cookie)(...args)
        sockets.push(socket)
        return socket
      },
    })
    ends.push(() => client.close())
    await client.connected()
    const lost: boolean[] = []
    client.onLost((now) => lost.push(now))
    const ids: string[] = []
    client.on('command.run', ({ id }) => ids.push(id))
    sockets[0].close()
    await expect.poll(() => lost).toEqual([true, false])
    expect(await client.call('model.list', {})).toEqual([])
    services.emit('command.run', { id: 'after' })
    await expect.poll(() => ids).toEqual(['after'])
    expect(services.listeners).toBe(1)
  })

  it('serves several tabs, each with its own calls', async () => {
    const services = fakeServices({ 'folders.list': ({ path }) => ({ path: path!, parent: '', folders: [] }) })
    const host = await startWebHost({ backend: inPlace(services) })
    ends.push(() => host.close())
    const one = await connect(host)
    const two = await connect(host)
    ends.push(
      () => one.close(),
      () => two.close(),
    )
    expect(await Promise.all([one.call('folders.list', { path: '1' }), two.call('folders.list', { path: '2' })])).toMatchObject([
      { path: '1' },
      { path: '2' },
    ])
    const got: string[] = []
    one.on('library.changed', () => got.push('one'))
    two.on('library.changed', () => got.push('two'))
    services.emit('library.changed', { library: 'l' })
    await expect.poll(() => got.sort()).toEqual(['one', 'two'])
    one.close()
    await expect.poll(() => services.listeners).toBe(1)
  })

  it('leaves out progress for a window that does not read, and nothing else', async () => {
    let asked = 0
    const services = fakeServices({ 'model.bytes': () => (asked++, new Uint8Array(50 * 1024 * 1024)), 'model.list': () => [] })
    const host = await startWebHost({ backend: inPlace(services) })
    ends.push(() => host.close())
    const { key, cookie } = await enter(host)
    const socket = openAs(origin(host), cookie)(`ws://127.0.0.1:${host.port}${SOCKET_PATH}`, [
      SOCKET_PROTOCOL,
      KEY_PROTOCOL + key,
    ]) as unknown as Socket
    ends.push(() => socket.terminate())
    const got: any[] = []
    socket.on('message', (data: Buffer) => got.push(decodeMessage(data)))
    await new Promise((resolve) => socket.on('open', resolve))
    const progress = { library: 'l', phase: 'index', done: 0, total: 1, current: '', errors: 0 } as const
    services.emit('scan.progress', progress)
    await expect.poll(() => got.length).toBe(1)
    socket.pause()
    socket.send(encodeMessage({ kind: 'call', id: 1, name: 'model.bytes', args: { model: 'm', ref: 'r', start: 0, length: 1 } }))
    await expect.poll(() => asked).toBe(1)
    // what is answered without waiting was sent in the turn in which it was asked
    for (let i = 0; i < 100; i++) services.emit('scan.progress', progress)
    services.emit('library.changed', { library: 'l' })
    socket.send(encodeMessage({ kind: 'call', id: 2, name: 'model.list', args: {} }))
    socket.resume()
    await expect.poll(() => got.length, { timeout: 10_000 }).toBe(4)
    expect(got.map((message) => message.name ?? message.id)).toEqual(['scan.progress', 1, 'library.changed', 2])
    services.emit('scan.progress', progress)
    await expect.poll(() => got.length).toBe(5)
  })
})
