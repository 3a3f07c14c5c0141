/** What every transport must do, whichever it is. */
import { afterEach, describe, expect, it } from 'vitest'
import { FormatError } from '../../src/main/binary/format-error.ts'
import type { Handlers, Services } from '../../src/main/services/service.ts'
import { ApiError } from '../../src/shared/api/api-error.ts'
import type { EventMap } from '../../src/shared/api/events.ts'
import type { Api } from '../../src/shared/api/transport.ts'
import type { OpenedModel } from '../../src/shared/api/types/model.ts'
import { emptyScene } from '../../src/shared/scene/types.ts'
import { fakeServices } from '../support/fake-services.ts'
import type { FakeServices } from '../support/fake-services.ts'

export interface Connection {
  api: Api
  /** the window goes away */
  leave(): Promise<void> | void
  close(): Promise<void> | void
}

export function describeContract(transport: string, connect: (services: Services) => Promise<Connection>): void {
  describe(`contract over ${transport}`, () => {
    const open: Connection[] = []
    afterEach(async () => {
      for (const connection of open.splice(0)) await connection.close()
    })

    async function start(given: Partial<Handlers>): Promise<{ api: Api; services: FakeServices; connection: Connection }> {
      const services = fakeServices(given)
      const connection = await connect(services)
      open.push(connection)
      return { api: connection.api, services, connection }
    }

    it('takes arguments to their handler and the result back', async () => {
      const seen: unknown[] = []
      const { api } = await start({
        'slices.set': (args) => {
          seen.push(args)
          return { info: null, scene: emptyScene('次'), diagnostics: [] } as never
        },
      })
      const values = { name: '歩き 걷기', start: 0.1, end: -12.5 }
      const result = await api.call('slices.set', { model: 'm', slice: 3, values, gesture: undefined })
      expect(seen).toEqual([{ model: 'm', slice: 3, values }])
      expect(result).toEqual({ info: null, scene: emptyScene('次'), diagnostics: [] })
    })

    it('carries typed arrays both ways, bit for bit and aligned', async () => {
      let seen: any
      const scene = emptyScene('a')
      // a signalling NaN, and a view that starts at an odd offset of its buffer
      const floats = new Float32Array(new Uint32Array([0x7fa00001, 0x80000000, 0x3f800000]).buffer)
      const bytes = new Uint8Array([9, 1, 2, 3, 9]).subarray(1, 4)
      scene.skeleton = { ...scene.skeleton, count: 1, names: ['a'], parents: new Int32Array([-1]), restLocal: floats }
      scene.textures = [{ name: 't', width: 1, height: 1, rgba: bytes, missing: false, hasAlpha: true, source: { ref: 'r', path: 'p' } }]
      const { api } = await start({
        'model.scene': () => ({ info: {} as OpenedModel['info'], scene }),
        'weights.write': ({ edit }) => {
          seen = edit
          return { info: null, scene: null, diagnostics: [] } as never
        },
      })
      const { scene: got } = await api.call('model.scene', { model: 'm' })
      expect(got.skeleton.restLocal).toBeInstanceOf(Float32Array)
      expect([...new Uint32Array(got.skeleton.restLocal.buffer, got.skeleton.restLocal.byteOffset, 3)]).toEqual([
        0x7fa00001, 0x80000000, 0x3f800000,
      ])
      expect(got).toEqual(scene)
      const edit = {
        id: 'w',
        vertices: new Uint32Array([7, 0xffffffff]),
        offsets: new Uint32Array([0, 1, 2]),
        bone: new Uint16Array([1, 65535]),
        weight: new Float32Array([0.25, 100]),
      }
      await api.call('weights.write', { model: 'm', label: 'l', edit })
      expect(seen).toEqual(edit)
      for (const key of ['vertices', 'offsets', 'bone', 'weight'] as const)
        expect(Object.prototype.toString.call(seen[key])).toBe(Object.prototype.toString.call(edit[key]))
    })

    it('carries large results', async () => {
      const rgba = new Uint8Array(24 * 1024 * 1024).map((_, i) => i * 31)
      const { api } = await start({ 'model.bytes': () => rgba })
      const got = await api.call('model.bytes', { model: 'm', ref: 'r', start: 0, length: 1 })
      expect(got.byteLength).toBe(rgba.byteLength)
      expect(Buffer.compare(got, rgba)).toBe(0)
    })

    it('carries deep trees', async () => {
      const node = (children: unknown[]) => ({ name: 'n', type: 't', start: 0, end: 1, fields: [], children })
      let tree = node([])
      for (let i = 0; i < 400; i++) tree = node([tree])
      const { api } = await start({ 'model.structure': () => tree as never })
      expect(await api.call('model.structure', { model: 'm', ref: 'r' })).toEqual(tree)
    })

    it('gives errors whole', async () => {
      const place = { file: 'a.chr!b.mot', path: 'tracks[3].keys[7]', offset: 0x1234, expected: '3', actual: '4' }
      const { api } = await start({
        'model.close': () => {
          throw new FormatError('bad-count', 'too many keys', place)
        },
        'model.list': () => Promise.reject(new Error('a plain one')),
      })
      const error = await api.call('model.close', { model: 'm' }).catch((e: unknown) => e)
      expect(error).toBeInstanceOf(ApiError)
      expect((error as ApiError).data).toEqual({ code: 'bad-count', message: 'too many keys', ...place })
      const plain = await api.call('model.list', {}).catch((e: unknown) => e)
      expect((plain as ApiError).data).toEqual({ code: 'internal', message: 'a plain one', file: '', path: '', offset: -1 })
    })

    it('answers a result that cannot cross with an error', async () => {
      const { api } = await start({ 'model.list': () => [new DataView(new ArrayBuffer(1))] as never })
      await expect(api.call('model.list', {})).rejects.toMatchObject({ data: { code: 'internal' } })
    })

    it('refuses arguments that do not fit, and calls that are not there', async () => {
      let ran = 0
      const { api } = await start({ 'slices.remove': () => (ran++, null as never) })
      const call = api.call as (name: string, args: unknown) => Promise<unknown>
      await expect(call('slices.remove', { model: 'm', slice: -1 })).rejects.toMatchObject({
        data: { code: 'invalid-argument', path: 'slice' },
      })
      await expect(call('slices.remove', { model: 'm' })).rejects.toMatchObject({ data: { code: 'invalid-argument', path: 'slice' } })
      await expect(call('slices.remove', 'm')).rejects.toMatchObject({ data: { code: 'invalid-argument' } })
      await expect(call('slices.replaceWindow', { model: 'm', slice: 0, bytes: [1, 2] })).rejects.toMatchObject({
        data: { code: 'invalid-argument', path: 'bytes' },
      })
      for (const name of ['slices.explode', 'constructor', '__proto__', 'toString', 'scan.progress', '']) {
        await expect(call(name, {})).rejects.toMatchObject({ data: { code: 'invalid-argument' } })
      }
      expect(ran).toBe(0)
      await call('slices.remove', { model: 'm', slice: 0, more: 1 })
      expect(ran).toBe(1)
    })

    it('answers each call by its own number, in any order', async () => {
      const waiting = new Map<string, () => void>()
      const { api } = await start({
        'folders.list': ({ path }) => new Promise((resolve) => waiting.set(path!, () => resolve({ path: path!, parent: '', folders: [] }))),
      })
      const calls = ['a', 'b', 'c'].map((path) => api.call('folders.list', { path }))
      await expect.poll(() => waiting.size).toBe(3)
      for (const path of ['c', 'a', 'b']) waiting.get(path)!()
      expect((await Promise.all(calls)).map((listing) => listing.path)).toEqual(['a', 'b', 'c'])
    })

    it('cancels a call: the caller is free at once and the service hears of it', async () => {
      const signals: AbortSignal[] = []
      const { api } = await start({
        'library.scan': (_, { signal }) => {
          signals.push(signal)
          return new Promise(() => {})
        },
        'model.list': () => [],
      })
      const controller = new AbortController()
      const scan = api.call('library.scan', { library: 'l' }, { signal: controller.signal })
      const other = api.call('library.scan', { library: 'other' })
      other.catch(() => {})
      await expect.poll(() => signals.length).toBe(2)
      controller.abort()
      await expect(scan).rejects.toMatchObject({ data: { code: 'cancelled' } })
      await expect.poll(() => signals[0].aborted).toBe(true)
      expect(signals[1].aborted).toBe(false)
      await expect(api.call('library.scan', { library: 'l' }, { signal: AbortSignal.abort() })).rejects.toMatchObject({
        data: { code: 'cancelled' },
      })
      expect(signals.length).toBe(2)
      expect(await api.call('model.list', {})).toEqual([])
    })

    it('cancels what runs when the window goes away, and stops listening', async () => {
      let signal: AbortSignal | undefined
      const { api, services, connection } = await start({
        'library.scan': (_, context) => {
          signal = context.signal
          return new Promise(() => {})
        },
      })
      api.call('library.scan', { library: 'l' }).catch(() => {})
      await expect.poll(() => signal !== undefined).toBe(true)
      expect(services.listeners).toBe(1)
      await connection.leave()
      await expect.poll(() => signal!.aborted).toBe(true)
      expect(services.listeners).toBe(0)
    })

    it('tells events to who listens, until they stop', async () => {
      const { api, services } = await start({ 'model.list': () => [] })
      const first: EventMap['command.run'][] = []
      const second: EventMap['command.run'][] = []
      const stop = api.on('command.run', (event) => first.push(event))
      api.on('command.run', (event) => second.push(event))
      // a connection listens once it is there
      await api.call('model.list', {})
      services.emit('command.run', { id: 'file.open' })
      services.emit('library.changed', { library: 'l' })
      await expect.poll(() => second.length).toBe(1)
      stop()
      stop()
      services.emit('command.run', { id: 'edit.undo' })
      await expect.poll(() => second.length).toBe(2)
      expect(first).toEqual([{ id: 'file.open' }])
      expect(second).toEqual([{ id: 'file.open' }, { id: 'edit.undo' }])
    })
  })
}
