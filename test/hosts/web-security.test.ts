/** Who must not get in, and what must not get through. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect as connectTcp } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { startWebHost } from '../../src/main/hosts/web/web-host.ts'
import type { WebHost } from '../../src/main/hosts/web/web-host.ts'
import { SOCKET_PROTOCOL, TOKEN_PROTOCOL, parseLaunch } from '../../src/shared/api/launch.ts'
import { decodeMessage, encodeMessage } from '../../src/shared/api/wire.ts'
import { fakeServices } from '../support/fake-services.ts'

const services = fakeServices({ 'model.list': () => [] })
let folder: string
let host: WebHost

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
  host = await startWebHost({ services, rendererFolder: join(folder, 'renderer'), maxMessageBytes: 64 * 1024 })
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
  token?: string
  protocols?: string[]
  path?: string
}

/** 'open' or the status that refused it. */
function trySocket(how: SocketTry = {}): Promise<{ socket: WebSocket; result: string }> {
  const own = `http://127.0.0.1:${host.port}`
  return new Promise((resolve) => {
    const socket = new WebSocket(
      `ws://127.0.0.1:${host.port}${how.path ?? '/api'}`,
      how.protocols ?? [SOCKET_PROTOCOL, TOKEN_PROTOCOL + (how.token ?? host.token)],
      {
        ...(how.origin === '' ? {} : { origin: how.origin ?? own }),
        headers: how.host ? { host: how.host } : {},
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
  it('are made for the page that has the token', async () => {
    expect(await resultOf({})).toBe('open')
    const other = `localhost:${host.port}`
    expect(await resultOf({ host: other, origin: `http://${other}` })).toBe('open')
    expect(host.token).toMatch(/^[0-9a-f]{64}$/)
    expect(parseLaunch(new URL(host.url).hash).token).toBe(host.token)
    // nothing of it in what is sent to a server
    expect(new URL(host.url).pathname + new URL(host.url).search).toBe('/')
  })

  it('are refused without the token', async () => {
    const wrong = host.token.replace(/^./, (c) => (c === '0' ? '1' : '0'))
    for (const token of [wrong, host.token.slice(0, 63), `${host.token}0`, host.token.toUpperCase().replace(/\d/g, 'A'), '0']) {
      expect(await resultOf({ token }), token).toBe('401')
    }
    expect(await resultOf({ protocols: [SOCKET_PROTOCOL] })).toBe('401')
    expect(await resultOf({ protocols: [TOKEN_PROTOCOL + host.token] })).toBe('401')
    expect(await resultOf({ protocols: [] })).toBe('401')
    expect(await resultOf({ protocols: [], path: `/api?token=${host.token}` })).toBe('404')
  })

  it('are refused for other sites, even with the token', async () => {
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

  it('may not use the number of a call that runs', async () => {
    const slow = fakeServices({ 'library.scan': () => new Promise(() => {}) })
    const own = await startWebHost({ services: slow })
    try {
      const socket = new WebSocket(`ws://127.0.0.1:${own.port}/api`, [SOCKET_PROTOCOL, TOKEN_PROTOCOL + own.token], {
        origin: `http://127.0.0.1:${own.port}`,
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
