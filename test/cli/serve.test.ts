import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { serve } from '../../src/main/cli/serve.ts'
import { tempFolder } from '../files/temp.ts'
import { marrow } from './run.ts'

describe('marrow serve', () => {
  const rendererFolder = tempFolder({ 'index.html': '<!doctype html><title>Marrow</title>' })
  const start = (options: Partial<Parameters<typeof serve>[0]> = {}) => {
    const stop = new AbortController()
    let listening: (url: string) => void
    const url = new Promise<string>((resolve) => (listening = resolve))
    const ended = serve({
      port: 0,
      stateFolder: tempFolder(),
      version: '0',
      signal: stop.signal,
      onListening: (host) => {
        listening(host.url)
        return () => {}
      },
      rendererFolder,
      ...options,
    })
    return { url, ended, stop }
  }

  it('answers on this machine until it is stopped', async () => {
    const { url, ended, stop } = start({ root: tempFolder() })
    const address = await url
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\//)
    expect(await (await fetch(address)).text()).toContain('<title>Marrow')
    stop.abort()
    await ended
    await expect(fetch(address)).rejects.toThrow()
  })
  it('fails with a line where the folder is missing, the window not built, the port taken', async () => {
    await expect(start({ root: '/nowhere/at/all' }).ended).rejects.toMatchObject({ code: 'not-found' })
    await expect(start({ rendererFolder: tempFolder() }).ended).rejects.toMatchObject({ code: 'unsupported' })
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    await expect(start({ port: (other.address() as AddressInfo).port }).ended).rejects.toMatchObject({
      code: 'io',
      message: expect.stringContaining('in use'),
    })
    other.close()
    expect((await marrow(['serve', '--port', '70000'])).status).toBe(2)
    expect((await marrow(['serve', '--port', 'x'])).status).toBe(2)
  })
})
