/** Who must not get in, and what must not get through. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect as connectTcp } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { Entrance } from '../../src/main/hosts/web/entrance.ts'
import { writeWayIn } from '../../src/main/hosts/web/open-browser.ts'
import { inPlace } from '../../src/main/hosts/backend/in-place.ts'
import { startWebHost } from '../../src/main/hosts/web/web-host.ts'
import type { WebHost } from '../../src/main/hosts/web/web-host.ts'
import { KEY_PROTOCOL, SOCKET_PROTOCOL, parseLaunch } from '../../src/shared/api/launch.ts'
import { decodeMessage, encodeMessage } from '../../src/shared/api/wire.ts'
import { fakeServices } from '../support/fake-services.ts'
import { enter, enterWith } from '../support/web-entry.ts'
import type { BrowserEntry } from '../support/web-entry.ts'

const services = fakeServices({ 'model.list': () => [] })
let folder: string
let host: WebHost
let entry: BrowserEntry

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'marrow-web-'))
  mkdirSync(join(folder, 'renderer', 'assets'), { recursive: true })
  writeFileSync(join(folder, 'secret.json'), '{"secret":1}')
  writeFileSync(join(folder, 'renderer', 'index.html'), '<!doctype html><title>page</title>')
  writeFileSync(join(folder, 'renderer', 'assets', 'index-abc.js'), 'export {}')
  writeFileSync(join(folder, 'renderer', '.hidden.json'), '{}')
  writeFileSync(join(folder, 'renderer', 'notes.sh'), 'echo')
  symlinkSync(join(folder, 'secret.json'), join(folder, 'renderer', 'link.json'))
  symlinkSync(folder, join(folder, 'renderer', 'up'))
  // a folder whose name starts as the served one's does
  mkdirSync(join(folder, 'renderer-other'))
  writeFileSync(join(folder, 'renderer-other', 'index.html'), 'other')
  host = await startWebHost({ backend: inPlace(services), rendererFolder: join(folder, 'renderer'), maxMessageBytes: 64 * 1024 })
  entry = await enter(host)
})
afterAll(async () => {
  await host.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Reply {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
}

/** The path goes out as it is: no client tidies it. */
function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port: host.port, path, method, headers: { host: `127.0.0.1:${host.port}`, ...headers } },
      (reply) => {
        let body = ''
        reply.setEncoding('utf8')
        reply.on('data', (part: string) => (body += part))
        reply.on('end', () => resolve({ status: reply.statusCode!, headers: reply.headers, body }))
      },
    )
    sent.on('error', reject)
    sent.end()
  })
}

interface SocketTry {
  origin?: string
  host?: string
  key?: string
  cookie?: string
  protocols?: string[]
  path?: string
}

/** 'open' or the status that refused it. */
function trySocket(how: SocketTry = {}): Promise<{ socket: WebSocket; result: string }> {
  const own = `http://127.0.0.1:${host.port}`
  return new Promise((resolve) => {
    const socket = new WebSocket(
      `ws://127.0.0.1:${host.port}${how.path ?? '/api'}`,
      how.protocols ?? [SOCKET_PROTOCOL, KEY_PROTOCOL + (how.key ?? entry.key)],
      {
        ...(how.origin === '' ? {} : { origin: how.origin ?? own }),
        headers: { cookie: how.cookie ?? entry.cookie, ...(how.host ? { host: how.host } : {}) },
      },
    )
    socket.on('open', () => resolve({ socket, result: 'open' }))
    socket.on('unexpected-response', (_, reply) => {
      resolve({ socket, result: String(reply.statusCode) })
      reply.destroy()
    })
    socket.on('error', () => {})
  })
}

async function resultOf(how: SocketTry): Promise<string> {
  const { socket, result } = await trySocket(how)
  socket.terminate()
  return result
}

describe('files', () => {
  it('serves the page with its headers, kept by nobody', async () => {
    const page = await get('/')
    expect(page.status).toBe(200)
    expect(page.body).toContain('<title>page</title>')
    expect(page.headers['cache-control']).toBe('no-store')
    expect(page.headers['x-content-type-options']).toBe('nosniff')
    const policy = String(page.headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain(`ws://127.0.0.1:${host.port}`)
    expect(policy).not.toContain('unsafe-eval')
    expect(policy).not.toMatch(/(script|style)-src [^;]*unsafe-inline/)
    expect((await get('/assets/index-abc.js')).headers['cache-control']).toContain('immutable')
  })

  it('answers GET and HEAD only', async () => {
    const head = await get('/', {}, 'HEAD')
    expect([head.status, head.body]).toEqual([200, ''])
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) expect((await get('/', {}, method)).status, method).toBe(405)
  })

  it('knows only its own names: a rebound name gets nothing', async () => {
    expect((await get('/', { host: `localhost:${host.port}` })).status).toBe(200)
    for (const name of [
      'evil.example',
      `evil.example:${host.port}`,
      '127.0.0.1',
      `127.0.0.1:${host.port + 1}`,
      `127.0.0.1.evil.example:${host.port}`,
      `0.0.0.0:${host.port}`,
    ]) {
      const reply = await get('/', { host: name })
      expect(reply.status, name).toBe(403)
      expect(reply.body).not.toContain('page')
    }
  })

  it('serves nothing from outside its folder, whatever the spelling', async () => {
    const paths = [
      '/../secret.json',
      '/assets/../../secret.json',
      '/%2e%2e/secret.json',
      '/%2e%2e%2fsecret.json',
      '/..%2fsecret.json',
      '/..%5csecret.json',
      '/..\\secret.json',
      '/%252e%252e/secret.json',
      '/assets/..%2f..%2fsecret.json',
      '//secret.json',
      `/${folder}/secret.json`,
      `//${folder}/secret.json`,
      '/C:/secret.json',
      '/secret.json%00.html',
      '/link.json',
      '/up/secret.json',
      '/up/renderer-other/index.html',
      '/../renderer-other/index.html',
      '/.hidden.json',
      '/notes.sh',
      '/assets',
      '/assets/',
      '/%',
      '/%ff.html',
      '/missing.html',
      'http://evil.example/secret.json',
      '*',
    ]
    for (const path of paths) {
      const reply = await get(path)
      expect([400, 404], path).toContain(reply.status)
      expect(reply.body, path).not.toContain('secret')
    }
  })

  it('listens on the loopback address only', async () => {
    const outer = Object.values(networkInterfaces())
      .flatMap((list) => list ?? [])
      .find((address) => address.family === 'IPv4' && !address.internal)
    if (!outer) return
    const result = await new Promise<string>((resolve) => {
      const socket = connectTcp({ host: outer.address, port: host.port, timeout: 2000 })
      socket.on('connect', () => (socket.destroy(), resolve('connected')))
      socket.on('error', () => resolve('refused'))
      socket.on('timeout', () => (socket.destroy(), resolve('refused')))
    })
    expect(result).toBe('refused')
  })
})

describe('connections', () => {
  it('are made for a page that came in', async () => {
    expect(await resultOf({})).toBe('open')
    // several tabs, and again after a reload
    const tabs = await Promise.all([trySocket(), trySocket()])
    expect(tabs.map(({ result }) => result)).toEqual(['open', 'open'])
    for (const { socket } of tabs) socket.terminate()
    const other = `localhost:${host.port}`
    expect(await resultOf({ host: other, origin: `http://${other}` })).toBe('open')
    expect(entry.key).toMatch(/^[0-9a-f]{64}$/)
  })

  it('are refused without both halves of the key', async () => {
    const wrong = (text: string) => text.replace(/[0-9a-f]$/, (c) => (c === '0' ? '1' : '0'))
    for (const key of [wrong(entry.key), entry.key.slice(0, 63), `${entry.key}0`, entry.key.toUpperCase().replace(/\d/g, 'A'), '0']) {
      expect(await resultOf({ key }), key).toBe('401')
    }
    const value = entry.cookie.split('=')[1]
    for (const cookie of ['', wrong(entry.cookie), `marrow=${value}`, `marrow-1=${value}`, value, `${entry.cookie}0`]) {
      expect(await resultOf({ cookie }), cookie).toBe('401')
    }
    expect(await resultOf({ cookie: `a=b; ${entry.cookie}; c=d` })).toBe('open')
    // halves of two browsers
    const second = await enter(host)
    expect(await resultOf({ key: second.key })).toBe('401')
    expect(await resultOf({ key: second.key, cookie: second.cookie })).toBe('open')
    expect(await resultOf({ protocols: [SOCKET_PROTOCOL] })).toBe('401')
    expect(await resultOf({ protocols: [KEY_PROTOCOL + entry.key] })).toBe('401')
    expect(await resultOf({ protocols: [] })).toBe('401')
    expect(await resultOf({ protocols: [], path: `/api?key=${entry.key}` })).toBe('404')
  })

  it('are refused for other sites, even with the key', async () => {
    for (const origin of [
      '',
      'null',
      'http://evil.example',
      `http://evil.example:${host.port}`,
      `https://127.0.0.1:${host.port}`,
      'http://127.0.0.1',
      `http://127.0.0.1:${host.port + 1}`,
      `http://localhost:${host.port}`,
      'file://',
    ]) {
      expect(await resultOf({ origin }), origin).toBe('403')
    }
    for (const name of ['evil.example', `evil.example:${host.port}`]) {
      expect(await resultOf({ host: name, origin: `http://${name}` }), name).toBe('403')
    }
  })

  it('are refused on other paths', async () => {
    for (const path of ['/', '/api/', '/api?x', '/other']) expect(await resultOf({ path }), path).toBe('404')
  })
})

describe('an address', () => {
  const origin = () => `http://127.0.0.1:${host.port}`
  const codeOf = (url: string) => parseLaunch(new URL(url).hash).code!

  it('has a code where no server and no log sees it, another one each time', () => {
    const url = new URL(host.url)
    expect(url.pathname + url.search).toBe('/')
    expect(codeOf(url.href)).toMatch(/^[0-9a-f]{32}$/)
    expect(codeOf(host.url)).not.toBe(codeOf(url.href))
  })

  it('lets one browser in, once', async () => {
    const code = codeOf(host.url)
    const first = await enterWith(origin(), code)
    expect(first.status).toBe(200)
    expect(first.setCookie).toMatch(new RegExp(`^marrow-${host.port}=[0-9a-f]{64}; Path=/api; HttpOnly; SameSite=Strict$`))
    const again = await enterWith(origin(), code)
    expect([again.status, again.setCookie, again.key]).toEqual([401, '', ''])
    // who came in stays in
    expect(await resultOf({ key: first.key, cookie: first.cookie })).toBe('open')
  })

  it('lets nobody in by guesses, parts or the code of another host', async () => {
    const code = codeOf(host.url)
    for (const guess of ['', code.slice(0, 31), `${code}0`, code.toUpperCase(), '0'.repeat(32), 'x'.repeat(100_000), '__proto__'])
      expect((await enterWith(origin(), guess)).status, guess.slice(0, 40)).toBe(401)
    const other = await startWebHost({ backend: inPlace(services) })
    expect((await enterWith(origin(), codeOf(other.url))).status).toBe(401)
    await other.close()
    expect((await enterWith(origin(), code)).status).toBe(200)
  })

  it('is taken from the page of this host alone, and from no link', async () => {
    const code = codeOf(host.url)
    for (const from of ['http://evil.example', 'null', `http://127.0.0.1:${host.port + 1}`, `http://localhost:${host.port}`, 'file://'])
      expect((await enterWith(origin(), code, { origin: from })).status, from).toBe(403)
    expect((await enterWith(origin(), code, {})).status).toBe(403)
    expect((await get(`/enter?${code}`)).status).toBe(404)
    expect((await get('/enter', { origin: origin() }, 'PUT')).status).toBe(405)
    expect((await enterWith(origin(), code)).status).toBe(200)
  })

  it('works for a short time only', async () => {
    const brief = await startWebHost({ backend: inPlace(services), codeMs: 1 })
    const code = codeOf(brief.url)
    await expect.poll(async () => (await enterWith(`http://127.0.0.1:${brief.port}`, code)).status).toBe(401)
    await brief.close()
  })

  it('names the folder that the host was started with to who comes in, and to nobody else', async () => {
    const own = await startWebHost({ backend: inPlace(services), folder: '/games/x' })
    expect(own.url).not.toContain('games')
    expect((await enter(own)).folder).toBe('/games/x')
    expect((await enterWith(`http://127.0.0.1:${own.port}`, '')).folder).toBeUndefined()
    await own.close()
  })

  it('reaches the browser through a file of the user alone, which goes when it was used', async () => {
    const state = join(folder, 'way')
    const way = writeWayIn(state, 'http://127.0.0.1:1/#code=a"><script>')
    const text = readFileSync(way.path, 'utf8')
    expect(text).toContain('url=http://127.0.0.1:1/#code=a&#34;&#62;&#60;script&#62;"')
    if (process.platform !== 'win32') {
      expect(statSync(state).mode & 0o777).toBe(0o700)
      expect(statSync(way.path).mode & 0o777).toBe(0o600)
    }
    // one that a killed host left behind goes, one of another host that runs stays
    const old = join(state, 'enter-0123456789abcdef.html')
    writeFileSync(old, '')
    utimesSync(old, 0, 0)
    const second = writeWayIn(state, 'http://127.0.0.1:2/')
    expect(readdirSync(state).sort()).toEqual([basename(way.path), basename(second.path)].sort())
    way.remove()
    second.remove()
    expect(readdirSync(state)).toEqual([])
    // and the code takes it away
    const entrance = new Entrance()
    const third = writeWayIn(state, 'http://127.0.0.1:3/')
    const code = entrance.issue(() => third.remove())
    expect(entrance.enter(code)).not.toBeNull()
    expect(readdirSync(state)).toEqual([])
    entrance.close()
  })

  it('is kept in bounds: the oldest codes and guests go', () => {
    const entrance = new Entrance()
    const codes = Array.from({ length: 17 }, () => entrance.issue())
    expect(entrance.enter(codes[0])).toBeNull()
    const first = entrance.enter(codes[16])!
    expect(entrance.admits(first)).toBe(true)
    for (let i = 0; i < 64; i++) entrance.enter(entrance.issue())
    expect(entrance.admits(first)).toBe(false)
    entrance.close()
  })
})

describe('sockets', () => {
  /** Bytes as they come until the host hangs up. */
  async function untilEnd(port: number, text: string): Promise<{ got: string; closed: boolean }> {
    // half open: this peer never hangs up by itself
    const socket = connectTcp({ host: '127.0.0.1', port, allowHalfOpen: true })
    let got = ''
    socket.setEncoding('latin1').on('data', (part: string) => (got += part))
    socket.on('error', () => {})
    socket.write(text)
    await new Promise((resolve) => socket.on('end', resolve))
    socket.destroy()
    return { got, closed: true }
  }

  it('of refused upgrades are ended, also when the other side never hangs up', async () => {
    const own = await startWebHost({ backend: inPlace(services) })
    const upgrade = `GET /api HTTP/1.1\r\nHost: 127.0.0.1:${own.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nOrigin: http://evil.example\r\n\r\n`
    const peers = Array.from({ length: 20 }, () => {
      const socket = connectTcp({ host: '127.0.0.1', port: own.port, allowHalfOpen: true })
      socket.on('error', () => {})
      socket.resume().write(upgrade)
      return { socket, ended: new Promise((resolve) => socket.on('end', resolve)) }
    })
    expect((await untilEnd(own.port, upgrade)).got).toContain('403')
    await Promise.all(peers.map(({ ended }) => ended))
    // the peers are still there, the host's side is not
    await expect.poll(() => own.connections()).toBe(0)
    for (const { socket } of peers) socket.destroy()
    await own.close()
  })

  it('that ask for nothing, or too slowly, are ended', async () => {
    const own = await startWebHost({ backend: inPlace(services), patienceMs: 50 })
    for (const text of [
      '',
      'GET / HTTP/1.1\r\nHost: x',
      `POST /enter HTTP/1.1\r\nHost: 127.0.0.1:${own.port}\r\nContent-Length: 10\r\n\r\n`,
    ])
      expect((await untilEnd(own.port, text)).closed, text).toBe(true)
    await expect.poll(() => own.connections()).toBe(0)
    await own.close()
  })

  it('of windows are counted', async () => {
    const own = await startWebHost({ backend: inPlace(services) })
    const { key, cookie } = await enter(own)
    const origin = `http://127.0.0.1:${own.port}`
    const open = () =>
      new Promise<{ socket: WebSocket; result: string }>((resolve) => {
        const socket = new WebSocket(`ws://127.0.0.1:${own.port}/api`, [SOCKET_PROTOCOL, KEY_PROTOCOL + key], {
          origin,
          headers: { cookie },
        })
        socket.on('error', () => {})
        socket.on('open', () => resolve({ socket, result: 'open' }))
        socket.on('unexpected-response', (_, reply) => (resolve({ socket, result: String(reply.statusCode) }), reply.destroy()))
      })
    const first = await Promise.all(Array.from({ length: 32 }, open))
    expect(first.every(({ result }) => result === 'open')).toBe(true)
    expect((await open()).result).toBe('503')
    await own.close()
  })
})

describe('messages', () => {
  /** Sends, and gives the code that the connection was closed with. */
  async function closedBy(data: Uint8Array | string): Promise<number> {
    const { socket } = await trySocket()
    const code = new Promise<number>((resolve) => socket.on('close', resolve))
    socket.send(data)
    return code
  }

  it('end the connection when they are none', async () => {
    const bad: (Uint8Array | string)[] = [
      'text',
      JSON.stringify({ kind: 'call', id: 1, name: 'model.list', args: {} }),
      new Uint8Array(0),
      new Uint8Array([0xc1]),
      // an array of four thousand million elements, a string of as many bytes, an unknown extension, a key that reaches a prototype
      new Uint8Array([0xdd, 0xff, 0xff, 0xff, 0xff]),
      new Uint8Array([0xdb, 0xff, 0xff, 0xff, 0xff]),
      new Uint8Array([0xd4, 99, 0]),
      new Uint8Array([0x81, 0xa9, ...new TextEncoder().encode('__proto__'), 0x80]),
      // a Float32Array of three bytes
      new Uint8Array([0xc7, 3, 8, 1, 2, 3]),
      encodeMessage(null),
      encodeMessage([]),
      encodeMessage({ kind: 'call' }),
      encodeMessage({ kind: 'call', id: -1, name: 'model.list', args: {} }),
      encodeMessage({ kind: 'call', id: 1.5, name: 'model.list', args: {} }),
      encodeMessage({ kind: 'call', id: '1', name: 'model.list', args: {} }),
      encodeMessage({ kind: 'call', id: 1, name: 7, args: {} }),
      encodeMessage({ kind: 'call', id: 1, name: 'x'.repeat(101), args: {} }),
      encodeMessage({ kind: 'cancel', id: 'all' }),
      encodeMessage({ kind: 'result', id: 1, value: 1 }),
      // events go one way
      encodeMessage({ kind: 'event', name: 'notice', event: { severity: 'error', message: 'm' } }),
    ]
    for (const [i, data] of bad.entries()) expect(await closedBy(data), `message ${i}`).toBe(1002)
  })

  it('end the connection when they are too large, before they are read whole', async () => {
    expect(await closedBy(encodeMessage({ kind: 'call', id: 1, name: 'model.list', args: { pad: new Uint8Array(64 * 1024) } }))).toBe(1009)
  })

  it('leave the host as it was for others', async () => {
    const { socket } = await trySocket()
    const reply = new Promise<unknown>((resolve) => socket.on('message', (data: Buffer) => resolve(decodeMessage(data))))
    socket.send(encodeMessage({ kind: 'call', id: 5, name: 'model.list', args: {} }))
    expect(await reply).toEqual({ kind: 'result', id: 5, value: [] })
    socket.terminate()
    await expect.poll(() => services.listeners).toBe(0)
  })

  it('that are bombs are answered, and the host lives', async () => {
    const { socket } = await trySocket()
    const replies: any[] = []
    socket.on('message', (data: Buffer) => replies.push(decodeMessage(data)))
    const head = (id: number) => [
      0x84,
      0xa4,
      ...text('kind'),
      0xa4,
      ...text('call'),
      0xa2,
      ...text('id'),
      id,
      0xa4,
      ...text('name'),
      0xaa,
      ...text('model.list'),
      0xa4,
      ...text('args'),
    ]
    const text = (name: string) => new TextEncoder().encode(name)
    // nested deep
    socket.send(Uint8Array.from([...head(1), ...new Array<number>(50_000).fill(0x91), 0xc0]))
    await expect.poll(() => replies.length).toBe(1)
    expect(replies[0]).toMatchObject({ kind: 'error', id: 1, error: { code: 'refused', message: expect.stringContaining('deep') } })
    socket.send(encodeMessage({ kind: 'call', id: 2, name: 'model.list', args: {} }))
    await expect.poll(() => replies.length).toBe(2)
    expect(replies[1]).toEqual({ kind: 'result', id: 2, value: [] })
    // headers that promise what does not come: no message at all
    const promise = Uint8Array.from([...head(3), ...Array.from({ length: 12_000 }, () => [0xdd, 0x00, 0x00, 0xff, 0xff]).flat()])
    const code = new Promise<number>((resolve) => socket.on('close', resolve))
    socket.send(promise)
    expect(await code).toBe(1002)
    expect(await resultOf({})).toBe('open')
  })

  it('may not use the number of a call that runs', async () => {
    const slow = fakeServices({ 'library.scan': () => new Promise(() => {}) })
    const own = await startWebHost({ backend: inPlace(slow) })
    try {
      const { key, cookie } = await enter(own)
      const socket = new WebSocket(`ws://127.0.0.1:${own.port}/api`, [SOCKET_PROTOCOL, KEY_PROTOCOL + key], {
        origin: `http://127.0.0.1:${own.port}`,
        headers: { cookie },
      })
      const code = new Promise<number>((resolve) => socket.on('close', resolve))
      await new Promise((resolve) => socket.on('open', resolve))
      const call = encodeMessage({ kind: 'call', id: 1, name: 'library.scan', args: { library: 'l' } })
      socket.send(call)
      socket.send(call)
      expect(await code).toBe(1002)
    } finally {
      await own.close()
    }
  })
})
