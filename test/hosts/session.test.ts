/** What a window's conversation does with calls that are too much, or name what it may not. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openSession } from '../../src/main/hosts/session.ts'
import { createServices } from '../../src/main/services/create-services.ts'
import type { Services } from '../../src/main/services/service.ts'
import { createMessageClient } from '../../src/renderer/core/api/message-client.ts'
import { decodeMessage, encodeMessage } from '../../src/shared/api/wire.ts'
import { fakeServices } from '../support/fake-services.ts'

function talk(services: Services, maxBytes?: number) {
  const sent: any[] = []
  const session = openSession({ services, maxBytes, send: (bytes) => void sent.push(decodeMessage(bytes)) })
  return { session, sent }
}

describe('a session', () => {
  it('answers a call that is too large, and goes on', async () => {
    const { session, sent } = talk(fakeServices({ 'model.list': () => [] }), 1000)
    const large = encodeMessage({ kind: 'call', id: 1, name: 'model.list', args: { pad: new Uint8Array(1000) } })
    expect(session.receive(large)).toBe(true)
    expect(sent).toEqual([{ kind: 'error', id: 1, error: expect.objectContaining({ code: 'refused' }) }])
    expect(session.receive(encodeMessage({ kind: 'call', id: 2, name: 'model.list', args: {} }))).toBe(true)
    await expect.poll(() => sent[1]).toEqual({ kind: 'result', id: 2, value: [] })
    // what is no call has nobody to answer
    expect(session.receive(new Uint8Array(2000))).toBe(false)
    session.close()
  })

  it('is told of the bound before it sends', async () => {
    let sent = 0
    const client = createMessageClient({ ready: () => Promise.resolve(), send: () => void sent++, maxBytes: 1000 })
    await expect(client.call('import.inspect', { model: 'm', name: 'n', bytes: new Uint8Array(1000) })).rejects.toMatchObject({
      data: { code: 'refused' },
    })
    expect(sent).toBe(0)
  })

  it('is held to the boundary, which a caller inside of this program is not', async () => {
    const base = realpathSync(mkdtempSync(join(tmpdir(), 'marrow-session-')))
    const services = createServices({ stateFolder: join(base, 'state'), host: 'web', watchEvery: 0, home: join(base, 'home') })
    const { session, sent } = talk(services)
    session.receive(encodeMessage({ kind: 'call', id: 1, name: 'library.open', args: { root: base } }))
    await expect.poll(() => sent.length).toBe(1)
    expect(sent[0]).toMatchObject({ kind: 'error', id: 1, error: { code: 'refused' } })
    expect(await services.handlers['library.open']({ root: base }, { signal: new AbortController().signal })).toMatchObject({ root: base })
    session.close()
    await services.close()
    rmSync(base, { recursive: true, force: true })
  })
})
